"""Branches and loops."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _program as program
from .._program import Extent, Value
from .._tensors._regions import choose_between, inside, joining, repeat
from .._tensors._tensor import from_value
from ._context import Known, Number, Operand, Tensor, Unsupported, from_rank, operator
from ._forks import fork
from ._model import Graph, Type
from ._narrow import NarrowTensor
from ._optionals import Nothing
from ._sequences import TensorSequence, picks_by_step, put_together, repeat_known, take_apart
from ._single import take_condition

if TYPE_CHECKING:
    from ._importer import Importer


def _check(results: Sequence[Any]) -> None:
    for given in results:
        if isinstance(given, NarrowTensor):
            raise Unsupported(f"its graph gives {given}; let it give them behind a Cast")
        if isinstance(given, TensorSequence):
            raise Unsupported(f"its graph gives {given}, of which a call would have to choose; let it give tensors")
    if not all(isinstance(r, (Tensor, Known)) for r in results):
        # Those nodes have been told.
        raise Unsupported("")


@operator("If")
def _if(c: Importer, condition: Operand, *, then_branch: Graph, else_branch: Graph) -> list[Operand | TensorSequence]:
    if isinstance(condition, Known) and condition.is_number:
        return c.import_graph(then_branch if condition.array.item() else else_branch)
    b = c.builder
    holds = program.extract(c.value(condition))
    outside, graphs, forms = program.Outside(b), [], []
    for graph in (then_branch, else_branch):
        with inside(c) as lines:
            form, results = take_apart(c.import_graph(graph))
            forms.append(form)
            _check(results)
            graphs.append((lines, [c.value(r) for r in results]))
    counts = [[form and form[0] for form in given] for given in forms]
    if counts[0] != counts[1]:
        raise Unsupported(
            "its branches give sequences of other numbers of tensors, of which a call would have to choose"
        )
    if not graphs[0][1]:
        # Empty sequences alone: neither branch computes anything.
        return put_together(forms[0], [])
    if any((one.rank, one.element) != (other.rank, other.element) for one, other in zip(graphs[0][1], graphs[1][1])):
        return fork(c, holds, (then_branch, else_branch))
    return put_together(forms[0], [from_value(v) for v in choose_between(c, holds, graphs, outside)])


@operator("Loop")
def _loop(
    c: Importer,
    most: Operand | None = None,
    condition: Operand | None = None,
    *carried: Operand | TensorSequence,
    body: Graph,
) -> list[Operand | TensorSequence]:
    first = condition.array.item() if isinstance(condition, Known) and condition.is_number else None
    if first is not None and not first:
        most = Known(np.array(0, np.int64), "i64")
    tensors = [v for v in carried if not isinstance(v, (TensorSequence, Nothing))]
    is_counted = isinstance(most, Known) and most.is_number and (condition is None or first is not None)
    if len(tensors) < len(carried) or (is_counted and picks_by_step(c, body)):
        if condition is not None and first is None:
            raise Unsupported("a loop that carries a sequence, and whose first condition is not a constant")
        return repeat_known(c, most, carried, body)
    count = None if most is None else program.largest(c.number(most, "trip count"), 0)
    scans = len(body.outputs) - 1 - len(carried)
    if scans < 0:
        raise ValueError(f"its body gives {len(body.outputs)} results for {len(carried)} values that it carries")
    start = [c.value(v) for v in tensors]
    rows, is_endless = _find_rows(c, body, start, scans)
    go = None if condition is None or isinstance(condition, Known) else c.value(condition)
    if is_endless and go is None and count is not None:

        def step(at: Number, values: Sequence[Value]) -> tuple[list[Value], list[Value]]:
            number = from_value(program.scalar(c.builder, at, "i64"))
            found = c.import_graph(body, [number, _YES, *map(from_value, values)])
            _check(found)
            made = [c.value(r) for r in found[1:]]
            return made[: len(start)], made[len(start) :]

        last, whole = repeat(c, count, start, rows, step)
        return [from_value(v) for v in (*last, *whole)]
    # Without rows yet.
    empty = [program.broadcast_to(c.scalar(0, element), [0, *shape]) for element, shape in rows]
    return [from_value(v) for v in _repeat_while(c, body, count, go, start, empty)]


_YES = Known(np.array(True), "i1")


def _find_rows(
    c: Importer, body: Graph, start: Sequence[Value], scans: int
) -> tuple[list[tuple[str, list[Number]]], bool]:
    """Returns the element types and the shapes of the rows that a step gives, and whether a step never ends the
    loop."""
    known = program.Outside(c.builder)
    with inside(c):
        step = from_value(program.scalar(c.builder, 0, "i64"))
        results = c.import_graph(body, [step, _YES, *map(from_value, start)])
        _check(results)
        goes_on = take_condition(c, body, results[0])
        rows = [c.value(r) for r in results[len(results) - scans :]] if scans else []
    told = body.types[len(results) - scans :]
    is_endless = isinstance(goes_on, Known) and goes_on.is_number and bool(goes_on.array.item())
    return [(row.element, _find_row_shape(row, kind, known)) for row, kind in zip(rows, told)], is_endless


def _find_row_shape(row: Value, told: object, known: program.Outside) -> list[Number]:
    """Returns the extents of a row, which are known before the loop or which the model tells."""
    given = told.shape if isinstance(told, Type) and told.shape is not None else [None] * row.rank
    if len(given) != row.rank:
        raise ValueError(f"a row has {row.rank} axes, but the model says {len(given)}")
    shape: list[Number] = []
    for axis, (own, other) in enumerate(zip(map(known.number, row.extents), given)):
        number = other if own is None and isinstance(other, int) else own
        if number is None:
            raise Unsupported(
                f"rows whose axis {axis} has an extent that only the steps tell; give the shape of this output of the "
                "body"
            )
        shape.append(number)
    return shape


@operator("Scan", since=9)
def _scan(
    c: Importer,
    *operands: Operand,
    body: Graph,
    num_scan_inputs: int,
    scan_input_axes: Sequence[int] | None = None,
    scan_input_directions: Sequence[int] | None = None,
    scan_output_axes: Sequence[int] | None = None,
    scan_output_directions: Sequence[int] | None = None,
) -> list[Tensor]:
    p = program
    states = len(operands) - num_scan_inputs
    start = [c.value(v) for v in operands[:states]]
    rows = []
    for number, operand in enumerate(operands[states:]):
        axis = (scan_input_axes or [0] * num_scan_inputs)[number]
        value = c.value(operand)
        axis = from_rank(axis, value.rank)
        value = p.transpose(value, [axis, *(a for a in range(value.rank) if a != axis)])
        if (scan_input_directions or [0] * num_scan_inputs)[number]:
            value = p.flip(value, [0])
        rows.append(value)
    count = p.extent(rows[0], 0)
    scans = len(body.outputs) - states

    def run(at: Number, values: Sequence[Value]) -> list[Value]:
        taken = [p.squeeze(p.take_slice(row, 0, at, 1), [0]) for row in rows]
        found = c.import_graph(body, [from_value(v) for v in (*values, *taken)])
        _check(found)
        return [c.value(r) for r in found]

    known = program.Outside(c.builder)
    with inside(c):
        made = run(Extent(c.builder, p.index(c.builder, 0)), start)[states:]
    kinds = [(row.element, _find_row_shape(row, told, known)) for row, told in zip(made, body.types[states:])]

    def step(at: Number, values: Sequence[Value]) -> tuple[list[Value], list[Value]]:
        found = run(at, values)
        return found[:states], found[states:]

    last, whole = repeat(c, count, start, kinds, step)
    for number, value in enumerate(whole):
        if (scan_output_directions or [0] * scans)[number]:
            value = p.flip(value, [0])
        axis = from_rank((scan_output_axes or [0] * scans)[number], value.rank)
        order = list(range(1, value.rank))
        order.insert(axis, 0)
        whole[number] = p.transpose(value, order)
    return [from_value(v) for v in (*last, *whole)]


def _repeat_while(
    c: Importer, body: Graph, count: Number | None, go: Value | None, start: list[Value], empty: list[Value]
) -> list[Value]:
    """Repeats a loop; returns what it carries to the end, and the rows of its steps, of which there are none in
    `empty`."""
    b = c.builder

    def step(given: list[Any]) -> list[Any]:
        at, flag, *values = given
        number = program.scalar(b, at, "i64")
        found = c.import_graph(body, [from_value(number), from_value(flag), *map(from_value, values[: len(start)])])
        _check(found)
        goes_on = c.value(take_condition(c, body, found[0]))
        made = [c.value(r) for r in found[1:]]
        for place, rows in enumerate(values[len(start) :], len(start)):
            own = program.require_shape(made[place], program.extents(rows)[1:])
            made[place] = program.concat([rows, program.expand(own, [0])], 0)
        return [at + 1, goes_on, *made]

    def test(given: list[Any]) -> str:
        holds = program.extract(given[1])
        return holds if count is None else program.both(b, [program.compare("slt", given[0], count), holds])

    first = c.scalar(True, "i1") if go is None else go
    with joining():
        return program.repeat_while(b, [0, first, *start, *empty], test, step, lambda: inside(c))[2:]
