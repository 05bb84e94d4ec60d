"""Axes with more elements, which are copies of their own."""

from __future__ import annotations

from ._arithmetic import add, multiply, remainder, subtract
from ._builder import Value
from ._elementwise import clip, minimum
from ._extents import Number, check_axis, extent, extents, largest
from ._moves import broadcast_to, concat, flip, take_slice
from ._picking import iota, take


def pad_by_place(x: Value, axis: int, low: Number, high: Number, mode: str, once: bool = False) -> Value:
    """Returns x with `low` elements more before an axis and `high` behind it. They repeat the first and the last
    element ('edge'), begin anew ('wrap'), or go back, with the element at the end once ('reflect') or twice
    ('symmetric'). A call checks that there is an element. With `once` there are as many as it takes to go there
    and back, or begin anew, once. Negative numbers cut."""
    size = extent(x, axis)
    with x.builder.naming("pad"):
        if isinstance(low, int) and isinstance(high, int) and (once or mode == "edge"):
            return _join_parts(x, axis, low, high, mode)
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


def _join_parts(x: Value, axis: int, low: int, high: int, mode: str) -> Value:
    """Pads with whole parts of x, which are read in a row."""
    axis = check_axis(axis, x.rank)
    size = extent(x, axis)
    less = 1 if mode == "reflect" else 0
    # Where the parts before and behind begin.
    starts = {"edge": (0, size - 1), "wrap": (size - low, 0)}.get(mode, (less, size - high - less))
    cut = max(-low, 0)
    inner = take_slice(x, axis, cut, size - (cut + max(-high, 0))) if min(low, high) < 0 else x

    def read(start: Number, count: int) -> list[Value]:
        if count <= 0:
            return []
        if mode == "edge":
            shape = [count if at == axis else n for at, n in enumerate(extents(x))]
            return [broadcast_to(take_slice(x, axis, start, 1), shape)]
        part = take_slice(x, axis, start, count)
        return [part if mode == "wrap" else flip(part, [axis])]

    return concat([*read(starts[0], low), inner, *read(starts[1], high)], axis)
