"""Operands whose extents must be those of another. They would broadcast in place of that, silently."""

from __future__ import annotations

from collections.abc import Sequence

from .. import _program as program
from ._making import Maker
from ._tensor import Held, Number, Operand, Tensor


def _extents(operand: Operand) -> list[Number]:
    return list(operand.shape) if isinstance(operand, Held) else operand.extents


def require_numbers(c: Maker, operand: Operand | None, count: Number, what: str, of: str = "channels") -> None:
    """Requires that an operand, which may be None, is a vector with a number for each of `count`; where the types do
    not tell, a call checks it."""
    if operand is None:
        return
    if operand.rank != 1:
        raise ValueError(f"the {what} has {operand.rank} axes, not 1")
    message = f"the {what} has the extent {{0}}, but there are {{1}} {of}"
    program.require(c.builder, "eq", _extents(operand)[0], count, message)


def require_extents(c: Maker, operand: Operand | None, wanted: Sequence[Number | None], what: str) -> None:
    """Requires that an operand, which may be None, has these extents, of which None is any; where the types do not
    tell, a call checks it."""
    if operand is None:
        return
    if operand.rank != len(wanted):
        raise ValueError(f"the {what} has {operand.rank} axes, not {len(wanted)}")
    for axis, (own, number) in enumerate(zip(_extents(operand), wanted)):
        if number is not None:
            message = f"axis {axis} of the {what} has the extent {{0}}, but {{1}} is needed"
            program.require(c.builder, "eq", own, number, message)


def require_spread_to(c: Maker, operand: Operand | None, x: Tensor, what: str) -> None:
    """Requires that an operand, which may be None, broadcasts to the extents of x, which stay."""
    if operand is None:
        return
    own, theirs = _extents(operand), x.extents
    if len(own) > len(theirs):
        raise ValueError(f"the {what} has {len(own)} axes, but what it is spread to has {len(theirs)}")
    for axis, (mine, wanted) in enumerate(zip(own, theirs[len(theirs) - len(own) :])):
        if not program.is_same(mine, wanted):
            message = f"axis {axis} of the {what} has the extent {{0}} and cannot be broadcast to {{1}}"
            program.require_either(c.builder, (("eq", mine, 1), ("eq", mine, wanted)), message, mine, wanted)
