"""Operators that give as many elements as data decides: a call counts them, and this number is an extent."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _program as program
from .._program import Value
from .._tensors._fits import require_extents
from .._tensors._tensor import Number, Tensor, from_value
from ._context import Context, Known, fold, from_rank, operator


def positions(c: Context, kept: Value) -> Value:
    """Returns where a vector of i1 holds, in order, as i64."""
    p = program
    numbers = p.cast(kept, "i64")
    count = p.largest(c.extract(p.sum(numbers, [0]), 0), 0)
    # All others are written behind the end.
    places = p.select(kept, p.subtract(p.scan("sum", numbers, 0), 1), p.scalar(c.builder, count, "i64"))
    found = p.broadcast_to(c.scalar(0, "i64"), [count + 1])
    found = p.scatter(found, p.iota(c.builder, p.extent(kept, 0), "i64"), [(places, [0])], from_end=False)
    return p.take_slice(found, 0, 0, count)


def _is_true(x: Value) -> Value:
    return x if x.element == "i1" else program.not_equal(x, 0)


def flatten(x: Value) -> Value:
    """Returns x with one axis."""
    return x if x.rank == 1 else program.reshape(x, [program.product(program.extents(x))])


@operator("NonZero", since=9)
def _non_zero(c: Context, x: Tensor | Known) -> Tensor | Known:
    p = program
    if isinstance(x, Known) and x.is_number:
        return Known(np.array(np.nonzero(np.atleast_1d(x.array)), np.int64), "i64")
    value = c.value(x)
    shape = p.extents(value) or [1]
    at = positions(c, flatten(_is_true(value)))
    rows = []
    for axis, size in enumerate(shape):
        inner = p.product(shape[axis + 1 :])
        row = at if p.is_same(inner, 1) else p.truncate_divide(at, inner)
        rows.append(p.expand(row if axis == 0 else p.remainder(row, size), [0]))
    return from_value(p.concat(rows, 0))


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
        at = positions(c, _is_true(c.value(condition)))
    value = c.value(x)
    return from_value(p.take(flatten(value), at, 0) if axis is None else p.take(value, at, axis))


# Elements that differ.


def _order_rows(c: Context, rows: Value) -> Value:
    """Returns the indices of rows in their order: that of the first elements that differ."""
    p = program
    start = p.iota(c.builder, p.extent(rows, 0), "i64")
    columns = p.extent(rows, 1)

    def step(at: Any, carried: list[Any]) -> list[Any]:
        (order,) = carried
        column = p.squeeze(p.take_slice(rows, 1, columns - 1 - at, 1), [1])
        # Equal elements stay in the order of those behind them.
        _, moved = p.sort(p.take(column, order, 0, from_end=False), 0)
        return [p.take(order, moved, 0, from_end=False)]

    if isinstance(columns, int) and columns == 1:
        return p.sort(p.squeeze(rows, [1]), 0)[1]
    (order,) = p.repeat(c.builder, 0, columns, [start], step)
    assert isinstance(order, Value)
    return order


def _differ(x: Value, y: Value) -> Value:
    """Tells where elements differ; NaN is itself."""
    p = program
    found = p.not_equal(x, y)
    return (
        p.bitwise_and(found, p.bitwise_not(p.bitwise_and(p.isnan(x), p.isnan(y)))) if p.is_float(x.element) else found
    )


@operator("Unique", since=11)
def _unique(c: Context, x: Tensor | Known, *, axis: int | None = None, sorted: int = 1) -> tuple[Tensor, ...]:
    p, b = program, c.builder
    value = c.value(x)
    if axis is None:
        value, axis = flatten(value), 0
    axis = from_rank(axis, value.rank)
    rest = [n for at, n in enumerate(p.extents(value)) if at != axis]
    turned = p.transpose(value, [axis, *(at for at in range(value.rank) if at != axis)])
    rows = p.reshape(turned, [p.extent(value, axis), p.product(rest)]) if value.rank != 1 else p.expand(value, [1])
    rows = p.cast(rows, "ui8") if rows.element == "i1" else rows
    count = p.extent(rows, 0)
    order = _order_rows(c, rows)
    line = p.iota(b, count, "i64")
    before = p.take(order, p.maximum(p.subtract(line, 1), 0), 0, from_end=False)
    pairs = (p.take(rows, at, 0, from_end=False) for at in (order, before))
    # Of no columns, rows are equal.
    is_first = p.bitwise_or(p.equal(line, 0), p.reduce("any", _differ(*pairs), [1]))
    starts = positions(c, is_first)
    groups = p.subtract(p.scan("sum", p.cast(is_first, "i64"), 0), 1)
    inverse = p.scatter(p.multiply(line, 0), groups, [(order, [0])], from_end=False)
    found = p.take(order, starts, 0, from_end=False)
    ends = p.concat([p.slice_axis(starts, 0, 1), p.expand(p.scalar(b, count, "i64"), [0])], 0)
    counts = p.subtract(p.take_slice(ends, 0, 0, p.extent(starts, 0)), starts)
    if not sorted:
        found, moved = p.sort(found, 0)
        counts = p.take(counts, moved, 0, from_end=False)
        places = p.scatter(p.multiply(moved, 0), p.iota(b, p.extent(moved, 0), "i64"), [(moved, [0])], from_end=False)
        inverse = p.take(places, inverse, 0, from_end=False)
    made = (p.take(value, found, axis, from_end=False), found, inverse, counts)
    return tuple(map(from_value, made[: max(c.outputs, 1)]))


# Boxes.


class _Boxes:
    """Boxes by their edges, each [batches, boxes]."""

    def __init__(self, boxes: Value, is_centre: bool):
        p = program
        first, second, third, fourth = (p.squeeze(p.take_slice(boxes, 2, at, 1), [2]) for at in range(4))
        if is_centre:
            half = [p.divide(size, 2.0) for size in (third, fourth)]
            ends = [(p.subtract(at, by), p.add(at, by)) for at, by in zip((first, second), half)]
        else:
            ends = [(p.minimum(x, y), p.maximum(x, y)) for x, y in ((first, third), (second, fourth))]
        #: The lower and the upper edge along each of two axes.
        self.ends = ends
        self.area = p.multiply(p.subtract(ends[0][1], ends[0][0]), p.subtract(ends[1][1], ends[1][0]))

    def overlap(self, chosen: Value) -> Value:
        """Returns the intersection over union of chosen boxes, [batches, classes], with all: of each, the boxes are
        behind the classes."""
        p = program

        def pick(x: Value) -> Value:
            return p.expand(p.gather_elements(x, chosen, 1, from_end=False), [2])

        both: Value | None = None
        for low, high in self.ends:
            top, bottom = p.minimum(pick(high), p.expand(high, [1])), p.maximum(pick(low), p.expand(low, [1]))
            length = p.maximum(p.subtract(top, bottom), 0.0)
            both = length if both is None else p.multiply(both, length)
        assert both is not None
        whole = p.subtract(p.add(pick(self.area), p.expand(self.area, [1])), both)
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
    edges = _Boxes(given, bool(center_point_box))
    limit: Any = 0.0 if overlap is None else p.reshape(c.value(overlap), [])
    is_open = p.equal(score, score)
    if least is not None:
        is_open = p.greater(score, p.reshape(p.cast(c.value(least), "f32"), []))
    if isinstance(most, Tensor):
        most = from_value(p.reshape(c.value(most), []))
    wanted = p.largest(0 if most is None else c.number(most, "max_output_boxes_per_class"), 0)
    candidates = c.extract(p.maximum(p.reduce("max", p.sum(p.cast(is_open, "i64"), [2])), 0), 0)
    line = p.iota(b, count, "i64", axis=2, rank=3)
    # As long as classes have boxes, the best of each is taken, and what overlaps it is closed.
    steps = p.smallest(p.smallest(wanted, count), candidates)

    def step(at: Number, carried: list[Any]) -> tuple[list[Any], list[Value]]:
        (still,) = carried
        best = p.argmax(p.select(still, score, float("-inf")), 2)
        is_found = p.squeeze(p.gather_elements(still, p.expand(best, [2]), 2, from_end=False), [2])
        closed = p.bitwise_or(p.greater(edges.overlap(best), limit), p.equal(line, p.expand(best, [2])))
        return [p.bitwise_and(still, p.bitwise_not(closed))], [p.select(is_found, best, -1)]

    _, (rows,) = p.collect(b, steps, [is_open], [("i64", [batches, classes])], step)
    picked = flatten(p.transpose(rows, [1, 2, 0]))
    at = positions(c, p.greater_equal(picked, 0))
    divisor = p.largest(steps, 1)
    line_of_class = p.truncate_divide(at, divisor)
    many = p.largest(classes, 1)
    columns = (
        p.truncate_divide(line_of_class, many),
        p.remainder(line_of_class, many),
        p.take(picked, at, 0, from_end=False),
    )
    return from_value(p.concat([p.expand(column, [1]) for column in columns], 1))
