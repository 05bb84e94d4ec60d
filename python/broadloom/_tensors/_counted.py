"""Results of as many elements as data decides: a call counts them, and this number is an extent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from .. import _program as program
from .._program import Builder, Value
from ._tensor import Number


def zeros(builder: Builder, shape: Sequence[Number], element: str = "i64") -> Value:
    """Makes a tensor of zeros."""
    return program.broadcast_to(program.cast(program.scalar(builder, 0, "i64"), element), shape)


def flatten(x: Value) -> Value:
    """Returns x with one axis."""
    return x if x.rank == 1 else program.reshape(x, [program.product(program.extents(x))])


def positions(kept: Value, most: Number | None = None) -> Value:
    """Returns where a vector of i1 holds, in order, as i64: at `most` so many places, or as many as there are
    elements. The number is one that shape queries tell (sf-7)."""
    p, b = program, kept.builder
    numbers = p.cast(kept, "i64")
    count = p.largest(p.to_number(p.sum(numbers, [0])), 0)
    count = p.smallest(count, p.extent(kept, 0) if most is None else most)
    # All others are written behind the end.
    places = p.select(kept, p.subtract(p.scan("sum", numbers, 0), 1), p.scalar(b, count, "i64"))
    line = p.iota(b, p.extent(kept, 0), "i64")
    found = p.scatter(zeros(b, [count + 1]), line, [(places, [0])], from_end=False)
    return p.take_slice(found, 0, 0, count)


def split_places(places: Value, shape: Sequence[Number]) -> list[Value]:
    """Returns the index along each axis of elements, of their places in the flat tensor."""
    p, found = program, []
    for axis, size in enumerate(shape):
        inner = p.product(shape[axis + 1 :])
        row = places if p.is_same(inner, 1) else p.truncate_divide(places, p.largest(inner, 1))
        found.append(row if axis == 0 else p.remainder(row, p.largest(size, 1)))
    return found


def is_true(x: Value) -> Value:
    """Tells which elements are not 0."""
    return x if x.element == "i1" else program.not_equal(x, 0)


def repeat_places(counts: Value) -> Value:
    """Returns the index of each count as many times as it says, as i64."""
    p, b = program, counts.builder
    counts = p.cast(counts, "i64")
    total = p.largest(p.to_number(p.sum(counts, [0])), 0)
    starts = p.subtract(p.scan("sum", counts, 0), counts)
    ones = p.add(p.multiply(starts, 0), 1)
    # A count of 0 marks the place of the next one, or the end.
    marks = p.scatter(zeros(b, [total + 1]), ones, [(starts, [0])], "sum", from_end=False)
    return p.subtract(p.scan("sum", p.take_slice(marks, 0, 0, total), 0), 1)


def count_numbers(x: Value, weights: Value | None, least: Number) -> Value:
    """Returns how many elements of a vector of integers are 0, 1, and so on up to the largest, as i64, or the sums of
    their weights. There are at least as many counts as `least`. A call with a negative element fails."""
    p, b = program, x.builder
    x = p.cast(x, "i64")
    p.require_true(p.reduce("all", p.greater_equal(x, 0)), "the numbers to count must not be negative")
    # Of nothing, the largest number is -1.
    most = p.reduce("max", p.concat([x, p.subtract(zeros(b, [1]), 1)], 0))
    count = p.largest(p.largest(p.to_number(most) + 1, 0), least)
    if weights is None:
        weights = p.add(p.multiply(x, 0), 1)
    else:
        message = "there are {0} weights, but {1} numbers"
        p.require(b, "eq", p.extent(weights, 0), p.extent(x, 0), message)
    into = zeros(b, [count], weights.element)
    return p.scatter(into, weights, [(x, [0])], "sum", from_end=False)


# Elements that differ.


def order_rows(rows: Value) -> Value:
    """Returns the indices of rows in their order: that of the first elements that differ."""
    p, b = program, rows.builder
    columns = p.extent(rows, 1)
    if isinstance(columns, int) and columns == 1:
        return p.sort(p.squeeze(rows, [1]), 0)[1]

    def step(at: Any, carried: list[Any]) -> list[Any]:
        (order,) = carried
        column = p.squeeze(p.take_slice(rows, 1, columns - 1 - at, 1), [1])
        # Equal elements stay in the order of those behind them.
        _, moved = p.sort(p.take(column, order, 0, from_end=False), 0)
        return [p.take(order, moved, 0, from_end=False)]

    (order,) = p.repeat(b, 0, columns, [p.iota(b, p.extent(rows, 0), "i64")], step)
    assert isinstance(order, Value)
    return order


def differ(x: Value, y: Value, is_nan_one: bool) -> Value:
    """Tells where elements differ; NaN is itself where it `is_nan_one`."""
    p, found = program, program.not_equal(x, y)
    if not is_nan_one or not p.is_float(x.element):
        return found
    return p.bitwise_and(found, p.bitwise_not(p.bitwise_and(p.isnan(x), p.isnan(y))))


class Groups(NamedTuple):
    """Rows that are equal are a group."""

    #: The index of the first row of each group.
    first: Value
    #: The group of each row.
    inverse: Value
    #: How many rows each group has.
    counts: Value


def as_rows(x: Value, axis: int) -> Value:
    """Returns a matrix with a row for each index of an axis."""
    p = program
    if x.rank == 1:
        rows = p.expand(x, [1])
    else:
        rest = [at for at in range(x.rank) if at != axis]
        columns = p.product([p.extent(x, at) for at in rest])
        rows = p.reshape(p.transpose(x, [axis, *rest]), [p.extent(x, axis), columns])
    return p.cast(rows, "ui8") if rows.element == "i1" else rows


def group_rows(rows: Value, is_sorted: bool, is_nan_one: bool) -> Groups:
    """Finds rows that are equal: all of them, in the order of their elements, or where it is not `is_sorted` those
    that stand next to each other."""
    p, b = program, rows.builder
    count = p.extent(rows, 0)
    line = p.iota(b, count, "i64")
    order = order_rows(rows) if is_sorted else line
    before = p.take(order, p.maximum(p.subtract(line, 1), 0), 0, from_end=False)
    one, other = (p.take(rows, at, 0, from_end=False) for at in (order, before))
    # Of no columns, rows are equal.
    is_first = p.bitwise_or(p.equal(line, 0), p.reduce("any", differ(one, other, is_nan_one), [1]))
    starts = positions(is_first)
    groups = p.subtract(p.scan("sum", p.cast(is_first, "i64"), 0), 1)
    inverse = p.scatter(p.multiply(line, 0), groups, [(order, [0])], from_end=False) if is_sorted else groups
    ends = p.concat([p.slice_axis(starts, 0, 1), p.expand(p.scalar(b, count, "i64"), [0])], 0)
    counts = p.subtract(p.take_slice(ends, 0, 0, p.extent(starts, 0)), starts)
    return Groups(p.take(order, starts, 0, from_end=False), inverse, counts)
