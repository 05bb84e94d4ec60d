"""Operators of ai.onnx.ml that are arithmetic."""

from __future__ import annotations

from .. import _program as program
from .._tensors._tensor import Tensor
from ._context import Context, Operand, operator, spread


@operator("Binarizer", domain="ai.onnx.ml")
def _binarizer(c: Context, x: Operand, *, threshold: float = 0.0) -> Tensor:
    p, element = program, x.element
    bound = threshold if p.is_float(element) else int(threshold // 1)
    return spread(c, lambda x: p.cast(p.greater(x, bound), element), c.tensor(x))
