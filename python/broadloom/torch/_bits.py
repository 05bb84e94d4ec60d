"""Elements read as others of as many bits."""

from __future__ import annotations

from .._tensors._bits import count_bits, read_as
from .._tensors._tensor import Tensor
from ._context import Context, Unsupported, operation


@operation("view.dtype", "view_copy.dtype")
def _view_dtype(c: Context, x: Tensor, dtype: str) -> Tensor:
    if count_bits(x.element) != count_bits(dtype):
        raise Unsupported(
            f"a view of elements of {x.element} as {dtype}: those have {count_bits(x.element)} bits, and these "
            f"{count_bits(dtype)}"
        )
    return Tensor(read_as(x.value, dtype), x.order)
