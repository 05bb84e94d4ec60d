"""Axes with more elements, which are those of the source again."""

from __future__ import annotations

from collections.abc import Sequence

from ._builder import Value
from ._extents import Number, extent, index, is_natural, is_same, largest
from ._moves import take_slice

#: What the dialect calls NumPy's ways of padding.
_MODES = {"edge": "replicate", "reflect": "reflect", "symmetric": "symmetric", "wrap": "wrap"}


def pad_by_place(x: Value, low: Sequence[Number], high: Sequence[Number], mode: str) -> Value:
    """Returns x with `low` elements more before each axis and `high` behind it. They repeat the first and the last
    element ('edge'), begin anew ('wrap'), or go back, with the element at the end once ('reflect') or twice
    ('symmetric'), as often as it takes (bnd-3). A call checks that there is an element. Negative numbers cut."""
    with x.builder.naming("pad"):
        x = _widen(x, [_above_zero(n) for n in low], [_above_zero(n) for n in high], mode)
        for axis, (before, behind) in enumerate(zip(low, high)):
            if not (is_natural(before) and is_natural(behind)):
                first, last = (_above_zero(_negative(n)) for n in (before, behind))
                x = take_slice(x, axis, first, extent(x, axis) - first - last)
    return x


def _negative(number: Number) -> Number:
    return 0 - number


def _above_zero(number: Number) -> Number:
    return number if is_natural(number) else largest(number, 0)


def _widen(x: Value, low: Sequence[Number], high: Sequence[Number], mode: str) -> Value:
    if all(is_same(n, 0) for n in (*low, *high)):
        return x
    builder = x.builder
    shape = [
        size + before + behind
        if isinstance(size, int) and isinstance(before, int) and isinstance(behind, int)
        else size
        if is_same(before, 0) and is_same(behind, 0)
        else None
        for size, before, behind in zip(x.extents, low, high)
    ]
    value = Value(builder, builder.new_name(), x.element, shape)
    before, behind = ([str(n) if isinstance(n, int) else index(builder, n) for n in ends] for ends in (low, high))
    builder.add(
        "loom.boundary {} {} low[{}] high[{}]{} : {} to {}",
        _MODES[mode],
        x.name,
        before,
        behind,
        builder.origin(),
        x.type,
        value.type,
        result=value.name,
    )
    return value
