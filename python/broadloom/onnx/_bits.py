"""Elements read as others of as many bits."""

from __future__ import annotations

from typing import Any

from .. import _program as program
from .._tensors._bits import count_bits, read_as
from .._tensors._tensor import Tensor
from ._arrays import ELEMENTS, OTHERS
from ._context import Context, Known, Unsupported, operator


@operator("BitCast", since=26)
def _bit_cast(c: Context, x: Any, *, to: int) -> Tensor | Known:
    if to not in ELEMENTS:
        raise Unsupported(f"programs have no elements of ONNX's type {OTHERS.get(to, to)}")
    element = ELEMENTS[to]
    if count_bits(x.element) != count_bits(element):
        raise ValueError(
            f"elements of {x.element} have {count_bits(x.element)} bits, and those of {element} {count_bits(element)}"
        )
    if isinstance(x, Known) and x.is_number:
        given = x.array.astype(program.to_numpy(x.element))
        return Known(given.view(program.to_numpy(element)).reshape(given.shape), element)
    x = c.tensor(x)
    return Tensor(read_as(x.value, element), x.order)
