"""Means and variances."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from ._builder import Value
from ._elementwise import (
    add,
    bitwise_and,
    cast,
    divide,
    greater,
    isfinite,
    less,
    logical_not,
    maximum,
    multiply,
    select,
    square,
    subtract,
)
from ._extents import Number, largest
from ._picking import scalar
from ._scalars import Operand
from ._sums import count, sum

#: Below this, squares may be too small for all of their digits.
_SMALL = 1e-25


def moments(x: Value, axes: Sequence[int] | None = None, correction: float = 0) -> tuple[Value, Value]:
    """Returns the mean and the variance of f32 or f64 over some axes or all of them, which both
    keep. The variance is divided by how many elements there are, less the correction."""
    number = count(x, axes)
    mean, squares = sum_deviations(x, number, lambda value: sum(value, axes, keepdims=True))
    return mean, divide(squares, degrees_of_freedom(x, number, correction))


def sum_deviations(x: Value, number: Operand, total: Callable[[Value], Value]) -> tuple[Value, Value]:
    """Returns the mean of so many elements, and the sum of their squared deviations from it.
    `total` adds up what there is for each element."""
    first, squares = total(x), total(square(x))
    mean = divide(first, number)
    excess = multiply(first, mean)
    # One sweep tells both where the mean is less than a deviation. Only other rows have another one.
    most = subtract(squares, multiply(excess, 2.0))
    is_near = logical_not(bitwise_and(greater(most, _SMALL), less(most, math.inf)))
    rest = subtract(x, mean)
    left, apart = (total(select(is_near, value, 0.0)) for value in (rest, square(rest)))
    # The deviations of equal elements are exact, and their mean is what the mean is off by.
    shift = divide(left, number)
    # Beside infinities deviations are no numbers.
    exact = add(mean, select(isfinite(shift), shift, 0.0))
    more = multiply(left, shift)
    apart = subtract(apart, select(isfinite(more), more, 0.0))
    return exact, maximum(select(is_near, apart, subtract(squares, excess)), 0.0)


def degrees_of_freedom(x: Value, number: Number, correction: float) -> Operand:
    """Returns a number of elements less a correction, and at least 0, to divide what has the
    type of x."""
    if not correction:
        return number
    if float(correction).is_integer():
        return largest(number - int(correction), 0)
    if isinstance(number, int):
        return max(number - float(correction), 0.0)
    exact = scalar(x.builder, number, "f64")
    return cast(maximum(subtract(exact, float(correction)), 0.0), x.element)
