"""Operators that give as many elements as data decides: a call counts them, and this number is an extent."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _program as program
from .._program import Value
from .._tensors._counted import as_rows, flatten, group_rows, is_true, positions, split_places, zeros
from .._tensors._fits import require_extents
from .._tensors._tensor import Number, Tensor, from_value
from ._context import Context, Known, fold, from_rank, operator


@operator("NonZero", since=9)
def _non_zero(c: Context, x: Tensor | Known) -> Tensor | Known:
    p = program
    if isinstance(x, Known) and x.is_number:
        return Known(np.array(np.nonzero(np.atleast_1d(x.array)), np.int64), "i64")
    value = c.value(x)
    shape = p.extents(value) or [1]
    at = positions(flatten(is_true(value)))
    return from_value(p.concat([p.expand(row, [0]) for row in split_places(at, shape)], 0))


@operator("Compress", since=9)
def _compress(c: Context, x: Tensor | Known, condition: Tensor | Known, *, axis: int | None = None) -> Tensor | Known:
    p = program
    if condition.rank != 1:
        raise ValueError(f"its condition has {condition.rank} axes, not 1")
    if axis is not None:
        axis = from_rank(axis, x.rank)
    if isinstance(condition, Known) and condition.is_number:
        kept = condition.array.astype(bool)
        found = fold(lambda x: np.compress(kept, x, axis), x.element, x)
        if found is not None:
            return found
        at = c.builder.constant(np.nonzero(kept)[0].astype(np.int64), "i64")
    else:
        at = positions(is_true(c.value(condition)))
    value = c.value(x)
    if axis is None:
        value, axis = flatten(value), 0
    # A condition may be shorter than the axis, but not longer: indices beyond it are an error.
    return from_value(p.take(value, at, axis, from_end=False))


@operator("Unique", since=11)
def _unique(c: Context, x: Tensor | Known, *, axis: int | None = None, sorted: int = 1) -> tuple[Tensor, ...]:
    return find_unique(c, x, axis, bool(sorted))[: max(c.outputs, 1)]


def find_unique(c: Context, x: Tensor | Known, axis: int | None, is_sorted: bool) -> tuple[Tensor, ...]:
    """Returns what differs along an axis, or in the flat tensor, in its order or in that in which it is found, the
    first place of each, the number of each element's, and how many there are of each."""
    p, b = program, c.builder
    value = c.value(x)
    if axis is None:
        value, axis = flatten(value), 0
    axis = from_rank(axis, value.rank)
    found, inverse, counts = group_rows(as_rows(value, axis), is_sorted=True, is_nan_one=True)
    if not is_sorted:
        found, moved = p.sort(found, 0)
        counts = p.take(counts, moved, 0, from_end=False)
        places = p.scatter(p.multiply(moved, 0), p.iota(b, p.extent(moved, 0), "i64"), [(moved, [0])], from_end=False)
        inverse = p.take(places, inverse, 0, from_end=False)
    made = (p.take(value, found, axis, from_end=False), found, inverse, counts)
    return tuple(map(from_value, made))


# Boxes.


class _Boxes:
    """Boxes by their edges, each [batches, classes, boxes]."""

    def __init__(self, boxes: Value, is_centre: bool):
        p = program
        last = boxes.rank - 1
        first, second, third, fourth = (p.squeeze(p.take_slice(boxes, last, at, 1), [last]) for at in range(4))
        if is_centre:
            half = [p.divide(size, 2.0) for size in (third, fourth)]
            ends = [(p.subtract(at, by), p.add(at, by)) for at, by in zip((first, second), half)]
        else:
            ends = [(p.minimum(x, y), p.maximum(x, y)) for x, y in ((first, third), (second, fourth))]
        #: The lower and the upper edge along each of two axes.
        self.ends = ends
        self.area = p.multiply(p.subtract(ends[0][1], ends[0][0]), p.subtract(ends[1][1], ends[1][0]))

    def overlap(self, chosen: Value) -> Value:
        """Returns the intersection over union of chosen boxes, [batches, classes], with all."""
        p = program

        def pick(x: Value) -> Value:
            return p.gather_elements(x, p.expand(chosen, [2]), 2, from_end=False)

        both: Value | None = None
        for low, high in self.ends:
            length = p.maximum(p.subtract(p.minimum(pick(high), high), p.maximum(pick(low), low)), 0.0)
            both = length if both is None else p.multiply(both, length)
        assert both is not None
        whole = p.subtract(p.add(pick(self.area), self.area), both)
        # Boxes of no area have nothing in common.
        return p.select(p.greater(both, 0.0), p.divide(both, whole), 0.0)


@operator("NonMaxSuppression", since=10)
def _non_max_suppression(
    c: Context,
    boxes: Tensor | Known,
    scores: Tensor | Known,
    most: Tensor | Known | None = None,
    overlap: Tensor | Known | None = None,
    least: Tensor | Known | None = None,
    *,
    center_point_box: int = 0,
) -> Tensor:
    p, b = program, c.builder
    score, given = p.cast(c.value(scores), "f32"), p.cast(c.value(boxes), "f32")
    if score.rank != 3:
        raise ValueError(f"the scores have {score.rank} axes, not 3")
    batches, classes, count = p.extents(score)
    require_extents(c, from_value(given), [batches, count, 4], "boxes")
    limit: Any = 0.0 if overlap is None else p.reshape(c.value(overlap), [])
    is_open = p.equal(score, score)
    if least is not None:
        is_open = p.greater(score, p.reshape(p.cast(c.value(least), "f32"), []))
    if isinstance(most, Tensor):
        most = from_value(p.reshape(c.value(most), []))
    wanted = p.largest(0 if most is None else c.number(most, "max_output_boxes_per_class"), 0)
    numbers = p.cast(is_open, "i64")
    counts = p.sum(numbers, [2])
    candidates = p.smallest(p.largest(c.extract(p.maximum(p.reduce("max", counts), 0), 0), 0), count)
    # Only boxes of a score that is large enough are looked at: where they are, in order, and how many there are.
    behind = p.select(is_open, p.subtract(p.scan("sum", numbers, 2), 1), p.scalar(b, candidates, "i64"))
    places = p.broadcast_to(p.iota(b, count, "i64", axis=2, rank=3), [batches, classes, count])
    places = p.scatter(
        zeros(b, [batches, classes, candidates + 1]), places, [0, 1, (behind, [0, 1, 2])], from_end=False
    )
    places = p.take_slice(places, 2, 0, candidates)
    shape = [batches, classes, candidates]
    flat = p.reshape(places, [batches, classes * candidates])
    corners = p.gather_elements(
        given, p.broadcast_to(p.expand(flat, [2]), [batches, classes * candidates, 4]), 1, from_end=False
    )
    edges = _Boxes(p.reshape(corners, [*shape, 4]), bool(center_point_box))
    score = p.gather_elements(score, places, 2, from_end=False)
    line = p.iota(b, candidates, "i64", axis=2, rank=3)
    # As long as classes have boxes, the best of each is taken, and what overlaps it is closed.
    steps = p.smallest(wanted, candidates)

    def step(at: Number, carried: list[Any]) -> tuple[list[Any], list[Value]]:
        (still,) = carried
        best = p.argmax(p.select(still, score, float("-inf")), 2)
        is_found = p.squeeze(p.gather_elements(still, p.expand(best, [2]), 2, from_end=False), [2])
        closed = p.bitwise_or(p.greater(edges.overlap(best), limit), p.equal(line, p.expand(best, [2])))
        return [p.bitwise_and(still, p.bitwise_not(closed))], [p.select(is_found, best, -1)]

    start = p.less(line, p.expand(counts, [2]))
    _, (rows,) = p.collect(b, steps, [start], [("i64", [batches, classes])], step)
    rows = p.transpose(rows, [1, 2, 0])
    picked = flatten(p.select(p.less(rows, 0), -1, p.gather_elements(places, p.maximum(rows, 0), 2, from_end=False)))
    at = positions(p.greater_equal(picked, 0))
    divisor = p.largest(steps, 1)
    line_of_class = p.truncate_divide(at, divisor)
    many = p.largest(classes, 1)
    columns = (
        p.truncate_divide(line_of_class, many),
        p.remainder(line_of_class, many),
        p.take(picked, at, 0, from_end=False),
    )
    return from_value(p.concat([p.expand(column, [1]) for column in columns], 1))
