"""Operands whose elements say how many or where: what they must be."""

from __future__ import annotations

from .. import _program as program
from .._tensors._tensor import Number
from ._context import Context, Known, Operand


def require_within(c: Context, operand: Operand, high: Number, what: str, of: str) -> None:
    """Requires that all integers of an operand are from 0 to `high`, which is what `of` has; where the types do not
    tell, a call checks it. The message names the least of them, or the largest."""
    if isinstance(operand, Known) and operand.is_number:
        if not operand.array.size:
            return
        least, largest = int(operand.array.min()), int(operand.array.max())
    else:
        value = program.cast(c.value(operand), "i64")
        axes = list(range(value.rank))
        # Of nothing, these are the largest and the least integer, which are within.
        least, largest = (c.extract(program.reduce(kind, value, axes), 0) for kind in ("min", "max"))
    program.require(c.builder, "sge", least, 0, f"the {what} {{0}} is less than {{1}}")
    program.require(c.builder, "sle", largest, high, f"the {what} {{0}} is more than {{1}}, {of}")
