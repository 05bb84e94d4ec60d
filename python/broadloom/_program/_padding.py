"""Axes with more elements, which are copies of their own."""

from __future__ import annotations

from ._arithmetic import add, multiply, remainder, subtract
from ._builder import Value
from ._elementwise import clip, minimum
from ._extents import Number, extent, largest
from ._picking import iota, take


def pad_by_place(x: Value, axis: int, low: Number, high: Number, mode: str) -> Value:
    """x with `low` elements more before an axis and `high` behind it. They repeat the first and the last
    element ('edge'), begin anew ('wrap'), or go back, with the element at the end once ('reflect') or twice
    ('symmetric'). A call checks that there is an element."""
    size = extent(x, axis)
    with x.builder.naming("pad"):
        at = subtract(iota(x.builder, size + low + high, "i64"), low)
        if mode == "edge":
            at = clip(at, 0, size - 1)
        elif mode == "wrap":
            at = remainder(at, size)
        else:
            # There and back again: 0 1 2 1 0 1 2, or 0 1 2 2 1 0 0 1 2.
            period, last = (size - 1) * 2, 0
            if mode == "symmetric":
                period, last = size * 2, 1
            period = largest(period, 1)
            at = remainder(at, period)
            whole = add(multiply(at, 0), period)
            at = minimum(at, subtract(subtract(whole, last), at))
        return take(x, at, axis)
