"""Functions that are written with other element-wise ones."""

from __future__ import annotations

import math

from . import _types
from ._arithmetic import absolute, add, divide, multiply, negative, sqrt, square
from ._builder import Value
from ._elementwise import (
    bitwise_or,
    cast,
    equal,
    greater,
    less,
    maximum,
    minimum,
    not_equal,
    select,
)
from ._scalars import Body, Operand, apply, apply_mixed, as_value, get_element


def hypot(x: Operand, y: Operand) -> Value:
    """Returns the length of (x, y), without an overflow on the way."""
    element = get_element(x, y)
    x, y = (absolute(v if isinstance(v, Value) else as_value(v, element, x, y)) for v in (x, y))
    if element in ("f16", "bf16"):
        # Rounded once.
        return cast(hypot(cast(x, "f32"), cast(y, "f32")), element)
    high, low = maximum(x, y), minimum(x, y)
    ratio = divide(low, high)
    found = multiply(high, sqrt(add(square(ratio), 1.0)))
    found = select(equal(high, 0.0), 0.0, found)
    infinite = bitwise_or(equal(x, math.inf), equal(y, math.inf))
    return select(infinite, math.inf, found)


def bits_of(x: Value) -> Value:
    """Returns the bits of floats as integers with a sign."""
    wide = f"i{_types.width(x.element)}"

    def code(b: Body, name: str) -> str:
        narrow = b.convert(name, b.compute, x.element)
        return b.make("arith.bitcast {} : {} to {}", narrow, x.element, wide)

    return apply("bits", [x], code, wide)


def _from_bits(x: Value, element: str) -> Value:
    """Returns the floats of these bits."""

    def code(b: Body, name: str) -> str:
        made = b.make("arith.bitcast {} : {} to {}", name, x.element, element)
        return b.convert(made, element, _types.compute_type(element))

    return apply_mixed("bits", [x], [x.element], code, element)


def nextafter(x: Value, y: Value) -> Value:
    """Returns the number next to x on the way to y: y where they are equal, NaN where one is."""
    bits = bits_of(x)
    # The bits of numbers are in the order of their sizes.
    is_away = equal(cast(greater(y, x), "i8"), cast(greater(x, 0.0), "i8"))
    near = _from_bits(add(bits, select(is_away, 1, -1, bits.element)), x.element)
    least = _from_bits(add(multiply(bits, 0), 1), x.element)
    found = select(equal(x, 0.0), select(less(y, x), negative(least), least), near)
    found = select(equal(x, y), y, found)
    is_nan = bitwise_or(not_equal(x, x), not_equal(y, y))
    return select(is_nan, math.nan, found)
