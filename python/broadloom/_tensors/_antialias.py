"""Images of other sizes whose elements weigh all that they cover: a product with a matrix of weights for each axis."""

from __future__ import annotations

from collections.abc import Callable

from .. import _program as program
from .._program import AnyNumber, Builder, Value
from ._tensor import Number

#: A weight by the distance from the centre, and how far it reaches.
Filter = tuple[Callable[[Value], Value], float]


def _triangle(distance: Value) -> Value:
    p = program
    return p.maximum(p.subtract(1.0, p.absolute(distance)), 0.0)


def _cubic(distance: Value) -> Value:
    p, a = program, -0.5
    x = p.absolute(distance)
    near = p.add(p.multiply(p.multiply(p.subtract(p.multiply(x, a + 2), a + 3), x), x), 1.0)
    far = p.multiply(p.subtract(p.multiply(p.add(p.multiply(p.subtract(x, 5.0), x), 8.0), x), 4.0), a)
    return p.select(p.less(x, 1.0), near, p.select(p.less(x, 2.0), far, 0.0))


FILTERS: dict[str, Filter] = {"linear": (_triangle, 1.0), "cubic": (_cubic, 2.0)}


def weigh(builder: Builder, kind: str, size: Number, count: Number, ratio: AnyNumber, element: str) -> Value:
    """Returns how much each of `size` elements, a column, counts in each of `count`, a row; `ratio` is how many
    elements one step goes over."""
    p = program
    weight, reach = FILTERS[kind]
    rows = p.iota(builder, count, element, axis=0, rank=2)
    columns = p.iota(builder, size, "i64", axis=1, rank=2)
    step = p.add(p.multiply(p.multiply(rows, 0.0), 0.0), ratio)
    wide = p.maximum(step, 1.0)
    centre, radius = p.multiply(p.add(rows, 0.5), step), p.multiply(wide, reach)
    low = p.maximum(p.cast(p.trunc(p.add(p.subtract(centre, radius), 0.5)), "i64"), 0)
    high = p.minimum(p.cast(p.trunc(p.add(p.add(centre, radius), 0.5)), "i64"), size)
    is_inside = p.bitwise_and(p.greater_equal(columns, low), p.less(columns, high))
    distance = p.divide(p.add(p.subtract(p.cast(columns, element), centre), 0.5), wide)
    found = p.select(is_inside, weight(distance), 0.0)
    return p.divide(found, p.sum(found, [1], keepdims=True))
