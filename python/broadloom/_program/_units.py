"""Axes of extent 1 that operations drop, and that those behind them can have all the
same: a reduction and what is computed of its results are one kernel then."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ._builder import Builder, Value


def keep_axes(builder: Builder, operands: Sequence[Any]) -> tuple[list[Any], Sequence[int]]:
    """Returns the operands with axes of extent 1 that were dropped, where they can have them,
    and which axes the result then drops. So what a reduction gives is computed with
    beside what it reduces."""
    sources = [builder._units.get(v.name) if isinstance(v, Value) else None for v in operands]
    found = [s for s in sources if s is not None and not s[2]]
    if not found:
        return list(operands), ()
    tensors = [(v, s) for v, s in zip(operands, sources) if isinstance(v, Value)]
    if all(s in found or v.rank == 0 for v, s in tensors) and len({(s[1], s[0].rank) for s in found}) == 1:
        return [s[0] if s in found else v for v, s in zip(operands, sources)], found[0][1]
    rank = max(v.rank for v, _ in tensors)
    kept: list[Any] = []
    for operand, source in zip(operands, sources):
        # Axes in front of all others are there for any broadcast.
        leads = (
            source is not None
            and source in found
            and source[1] == tuple(range(len(source[1])))
            and source[0].rank <= rank
        )
        kept.append(source[0] if leads and source is not None else operand)
    return kept, ()


def drop_axes(x: Value, axes: Sequence[int]) -> Value:
    """Returns x without axes whose extent the type says to be 1."""
    if not axes:
        return x
    builder = x.builder
    with builder.naming("squeeze"):
        value = Value(
            builder,
            builder.new_name(),
            x.element,
            [e for axis, e in enumerate(x.extents) if axis not in axes],
        )
        groups = spell_groups(x.rank, axes)
        builder.add(
            "tensor.collapse_shape {} {}{} : {} into {}",
            x.name,
            groups,
            builder.origin(),
            x.type,
            value.type,
            is_spare=True,
            result=value.name,
        )
    builder._units[value.name] = (x, tuple(axes), False)
    return value


def spell_groups(rank: int, dropped: Sequence[int]) -> str:
    """Spells the groups of axes that become one where the axes `dropped`, of extent 1, disappear."""
    kept = [axis for axis in range(rank) if axis not in dropped]
    groups = []
    for number, axis in enumerate(kept):
        first = 0 if number == 0 else axis
        last = kept[number + 1] if number + 1 < len(kept) else rank
        groups.append(list(range(first, last)))
    return str(groups)
