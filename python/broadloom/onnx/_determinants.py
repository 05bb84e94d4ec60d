"""Determinants."""

from __future__ import annotations

from .. import _program as program
from .._tensors import _linear
from .._tensors._tensor import Tensor, from_value
from ._context import Context, Operand, operator


@operator("Det", since=11)
def _det(c: Context, x: Operand) -> Tensor:
    if x.rank < 2:
        raise ValueError(f"its input has {x.rank} axes, but at least 2 are needed")
    wide = program.cast(c.value(x), "f64" if x.element == "f64" else "f32")
    return from_value(program.cast(_linear.determinant(wide), x.element))
