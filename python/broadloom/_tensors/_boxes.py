"""Boxes that overlap: of each group of them, the best is kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .. import _program as program
from .._program import Builder, Value
from .._program._extents import index, known
from .._program._scalars import Body
from .._program._text import END, line, loop_head, words
from ._counted import zeros
from ._tensor import Number


class Boxes:
    """Boxes by their lower and upper edge along each of two axes, and their areas, each [lines, boxes] of f32."""

    def __init__(self, corners: Value, is_centre: bool):
        """`corners` are [lines, boxes, 4]: two corners, or the centre and the sizes."""
        p = program
        first, second, third, fourth = (p.squeeze(p.take_slice(corners, 2, at, 1), [2]) for at in range(4))
        if is_centre:
            half = [p.divide(size, 2.0) for size in (third, fourth)]
            ends = [(p.subtract(at, by), p.add(at, by)) for at, by in zip((first, second), half)]
        else:
            ends = [(p.minimum(x, y), p.maximum(x, y)) for x, y in ((first, third), (second, fourth))]
        area = p.multiply(p.subtract(ends[0][1], ends[0][0]), p.subtract(ends[1][1], ends[1][0]))
        #: The four edges, and the area.
        self.parts = [*ends[0], *ends[1], area]


def keep_apart(boxes: Boxes, counts: Value, most: Number, limit: Value) -> tuple[Value, Value]:
    """Takes the first boxes of each line, as many as `counts` says, one after the other: a box is kept if its
    intersection over union with each box that is kept already is at most `limit`, until `most` are kept.

    Returns where those that are kept are, [lines, most], 0 behind the last one, and how many there are, both i64."""
    builder = counts.builder
    with builder.naming("boxes apart"):
        rows, found = _add_loops(builder, boxes.parts, counts, most, program.extract(limit))
    return program.take_slice(rows, 1, 0, most), found


def _add_loops(b: Builder, parts: Sequence[Value], counts: Value, most: Number, limit: str) -> tuple[Value, Value]:
    """Adds a loop over lines, boxes, and the boxes that are kept.

    What is kept is copied to tensors with one place more than there may be such boxes, to which a box goes that has
    no place."""
    lines, count = program.extents(parts[0])
    zero, one, end = (index(b, number) for number in (0, 1, most))
    ends = _Ends(zero, one, index(b, count), end)
    kept = [Value(b, b.new_name(), "f32", [known(most + 1)]) for _ in parts]
    for value in kept:
        sizes = [] if isinstance(most, int) else [index(b, most + 1)]
        b.add("tensor.empty({}) : {}", sizes, value.type, result=value.name)
    carried = [*kept, zeros(b, [lines, most + 1]), zeros(b, [lines])]
    types = [value.type for value in carried]
    body, names = Body("f32"), [f"%t{at}" for at in range(len(carried))]
    held = body.make("tensor.extract {}[{}] : {}", counts.name, "%line", counts.type)
    held = body.make("arith.index_cast {} : i64 to index", held)
    _write_boxes(body, parts, (names[:-1], carried[:-1]), held, ends, limit)
    *written, number = (f"%kept#{at}" for at in range(len(carried)))
    number = body.make("arith.index_cast {} : index to i64", number)
    number = body.make("tensor.insert {} into {}[{}] : {}", number, names[-1], "%line", types[-1])
    made = b.new_name()
    start = [words("{} = {}", name, value.name) for name, value in zip(names, carried)]
    b.add_lines(
        loop_head(f"{made}:{len(types)}", "%line", (zero, index(b, lines), one), start, types),
        body.lines,
        line("scf.yield {} : {}", [*written, number], types),
    )
    rows, found = (Value(b, f"{made}#{len(kept) + at}", "i64", v.extents) for at, v in enumerate(carried[-2:]))
    return rows, found


class _Ends(NamedTuple):
    """Numbers by their names: those of boxes in a line, and of those that may be kept."""

    zero: str
    one: str
    boxes: str
    most: str


def _write_boxes(
    body: Body,
    parts: Sequence[Value],
    carried: tuple[Sequence[str], Sequence[Value]],
    held: str,
    ends: _Ends,
    limit: str,
) -> None:
    """Writes the loop over the boxes of a line, of which `held` are taken."""
    outside, tensors = carried
    types = [*(value.type for value in tensors), "index"]
    inside = [f"%u{at}" for at in range(len(tensors))]
    start = [words("{} = {}", name, before) for name, before in zip(inside, outside)]
    start.append(words("{} = {}", "%number", ends.zero))
    body.lines.append(loop_head(f"%kept:{len(types)}", "%box", (ends.zero, ends.boxes, ends.one), start, types))
    box = [body.make("tensor.extract {}[{}, {}] : {}", v.name, "%line", "%box", v.type) for v in parts]
    is_there = body.compare("slt", "%box", held, "index")
    is_there = body.do("arith.andi", is_there, body.compare("slt", "%number", ends.most, "index"), type="i1")
    place = body.do("arith.minsi", "%number", ends.most, type="index")
    # Without a box there, nothing is compared.
    others = body.do("arith.minsi", body.select(is_there, "%number", ends.zero, "index"), ends.most, type="index")
    _write_comparisons(body, (inside[:-1], tensors), box, (ends.zero, others, ends.one), limit)
    is_kept = body.select("%near", body.number(False, "i1"), is_there, "i1")
    new = [
        body.make("tensor.insert {} into {}[{}] : {}", part, into, place, value.type)
        for part, into, value in zip(box, inside, tensors)
    ]
    at = body.make("arith.index_cast {} : index to i64", "%box")
    new.append(body.make("tensor.insert {} into {}[{}, {}] : {}", at, inside[-1], "%line", place, types[-2]))
    new.append(body.do("arith.addi", "%number", body.select(is_kept, ends.one, ends.zero, "index"), type="index"))
    body.lines += [line("scf.yield {} : {}", new, types), END]


def _write_comparisons(
    body: Body,
    kept: tuple[Sequence[str], Sequence[Value]],
    box: Sequence[str],
    bounds: Sequence[str],
    limit: str,
) -> None:
    """Writes the loop over the boxes that are kept, which tells whether one of them overlaps `box` too much."""
    nothing, never = body.number(0.0), body.number(False, "i1")
    body.lines.append(loop_head("%near", "%other", bounds, [words("{} = {}", "%before", never)], ["i1"]))
    other = [body.make("tensor.extract {}[{}] : {}", name, "%other", value.type) for name, value in zip(*kept)]
    lengths = []
    for low, high in ((0, 1), (2, 3)):
        least = body.do("arith.minimumf", other[high], box[high])
        length = body.do("arith.subf", least, body.do("arith.maximumf", other[low], box[low]))
        lengths.append(body.do("arith.maximumf", length, nothing))
    both = body.do("arith.mulf", *lengths)
    whole = body.do("arith.subf", body.do("arith.addf", other[4], box[4]), both)
    # Boxes of no area have nothing in common.
    part = body.select(body.compare("ogt", both, nothing), body.do("arith.divf", both, whole), nothing)
    is_near = body.do("arith.ori", "%before", body.compare("ogt", part, limit), type="i1")
    body.lines += [line("scf.yield {} : i1", is_near), END]
