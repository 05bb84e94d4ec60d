"""Functions that are written with other element-wise ones."""

from __future__ import annotations

import math

from ._arithmetic import absolute, add, divide, multiply, sqrt, square
from ._builder import Value
from ._elementwise import bitwise_or, cast, equal, maximum, minimum, select
from ._scalars import Operand, as_value, get_element


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
