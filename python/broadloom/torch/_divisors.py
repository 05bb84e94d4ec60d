"""The greatest common divisor and the least common multiple of integers."""

from __future__ import annotations

from typing import Any

from .. import _program as program
from .._program import Value
from .._tensors._tensor import Tensor
from ._context import Context, elementwise, operation


def _divide_out(x: Value, y: Value) -> Value:
    """Returns the greatest common divisor, by Euclid: the step is one of all elements, until none has a remainder."""
    p, b = program, x.builder
    shape = p.join_shapes([p.extents(x), p.extents(y)])
    first, second = (p.absolute(p.broadcast_to(v, shape) if shape else v) for v in (x, y))

    def test(carried: list[Any]) -> str:
        return p.extract(p.reduce("any", p.not_equal(carried[1], 0)))

    def step(carried: list[Any]) -> list[Any]:
        a, b = carried
        is_done = p.equal(b, 0)
        left = p.remainder(a, p.select(is_done, 1, b))
        made = p.select(is_done, a, b), p.select(is_done, 0, left)
        return [p.require_shape(v, shape) for v in made]

    found, _ = p.repeat_while(b, [first, second], test, step)
    assert isinstance(found, Value)
    return found


@operation("gcd.default")
def _gcd(c: Context, x: Tensor, y: Tensor) -> Tensor:
    return elementwise(c, _divide_out, x, y, element=c.element)


@operation("lcm.default")
def _lcm(c: Context, x: Tensor, y: Tensor) -> Tensor:
    p, element = program, c.element
    # Narrow integers are multiplied as torch does, and cut off at last.
    wide = "i32" if p.width(element) < 32 else element

    def code(x: Value, y: Value) -> Value:
        divisor = _divide_out(x, y)
        found = p.absolute(p.multiply(p.truncate_divide(x, p.maximum(divisor, 1)), y))
        return p.cast(p.select(p.equal(divisor, 0), 0, found), element)

    return elementwise(c, code, x, y, element=wide)
