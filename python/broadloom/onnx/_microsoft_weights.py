"""Weights of a few bits in blocks, each of which has a scale. They become floats when a model is imported."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _program as program
from .._program import Value
from .._tensors._fits import require_numbers
from .._tensors._tensor import Tensor, from_value
from ._context import Context, Known, Operand, Unsupported, from_rank, operator, spread
from ._layout import extents_of
from ._microsoft import MICROSOFT
from ._narrow import NarrowTensor
from ._products import multiply_matrices


def _unpack(packed: NDArray[Any], bits: int) -> NDArray[Any]:
    """Takes several integers out of each byte along the last axis, the first one from its low bits."""
    parts = [packed >> shift & (2**bits - 1) for shift in range(0, 8, bits)]
    made: NDArray[Any] = np.stack(parts, axis=-1).reshape(*packed.shape[:-1], -1)
    return made


@operator("MatMulNBits", domain=MICROSOFT)
def _matmul_n_bits(
    c: Context,
    x: Operand,
    weight: Operand,
    scales: Operand,
    zero_points: Operand | None = None,
    indices: Operand | None = None,
    bias: Operand | None = None,
    *,
    K: int,
    N: int,
    bits: int = 4,
    block_size: int,
    accuracy_level: int = 0,
    weight_prepacked: int = 0,
) -> Tensor:
    if bits not in (2, 4, 8) or weight_prepacked:
        raise Unsupported(f"weights of {bits} bits; 2, 4 and 8 are there" if not weight_prepacked else "packed weights")
    blocks = -(-K // block_size)
    packed = c.constant(weight, "weight").reshape(N, blocks, -1)
    numbers = _unpack(packed, bits)[..., :block_size].astype(np.float32)
    if zero_points is None:
        points = np.full((N, blocks), 2.0 ** (bits - 1), np.float32)
    else:
        given = c.constant(zero_points, "zero points")
        if given.dtype == np.uint8:
            given = _unpack(given.reshape(N, -1), bits)[:, :blocks]
        points = given.reshape(N, blocks).astype(np.float32)
    factors = c.constant(scales, "scales").reshape(N, blocks).astype(np.float32)
    if indices is not None:
        # The block of each row is given.
        at = c.constant(indices, "g_idx")[:K]
        whole = (numbers.reshape(N, -1)[:, :K] - points[:, at]) * factors[:, at]
    else:
        whole = ((numbers - points[..., None]) * factors[..., None]).reshape(N, -1)[:, :K]
    message = f"the last axis of {c.named(0)} has the extent {{0}}, but the weight has {{1}} rows"
    program.require(c.builder, "eq", extents_of(x)[-1], K, message)
    dtype = program.to_numpy(x.element)
    made = multiply_matrices(c, x, Known(np.ascontiguousarray(whole.T).astype(dtype), x.element))
    if bias is None:
        return made
    require_numbers(c, bias, N, "bias", "columns")
    return spread(c, program.add, made, bias)


@operator("GatherBlockQuantized", domain=MICROSOFT)
def _gather_block_quantized(
    c: Context,
    data: Any,
    indices: Operand,
    scales: Operand,
    zero_points: Any = None,
    *,
    bits: int = 4,
    block_size: int = 128,
    gather_axis: int = 0,
    quantize_axis: int = 1,
) -> Tensor:
    if bits not in (4, 8):
        raise Unsupported(f"elements of {bits} bits; 4 and 8 are there")
    is_packed = not isinstance(data, NarrowTensor) and bits < 8
    sides = [
        None if x is None else c.constant(x.held if isinstance(x, NarrowTensor) else x, what)
        for x, what in ((data, "data"), (zero_points, "zero points"))
    ]
    numbers, points = (None if x is None else _unpack(x, bits) if is_packed else x for x in sides)
    assert numbers is not None
    factors = c.constant(scales, "scales")
    axis = from_rank(quantize_axis, numbers.ndim)
    if factors.ndim != numbers.ndim or factors.shape[axis] * block_size < numbers.shape[axis]:
        raise ValueError(f"scales of the shape {list(factors.shape)} do not fit blocks of {list(numbers.shape)}")
    # What is packed has no sign: its zero is in the middle.
    middle = 2.0 ** (bits - 1) if not isinstance(data, NarrowTensor) else 0.0
    shift: Any = middle if points is None else _repeat(points, axis, block_size, numbers.shape[axis])
    whole = (numbers.astype(np.float32) - shift) * _repeat(factors, axis, block_size, numbers.shape[axis])
    table: Value = c.value(Known(np.ascontiguousarray(whole.astype(factors.dtype)), scales.element))
    return from_value(program.take(table, c.value(indices), from_rank(gather_axis, numbers.ndim)))


_gather_block_quantized.takes_narrow = True  # type: ignore[attr-defined]


def _repeat(parts: NDArray[Any], axis: int, block: int, count: int) -> NDArray[np.float32]:
    """Returns a number for each element of blocks along an axis."""
    wide = np.repeat(parts.astype(np.float32), block, axis)
    return wide[(slice(None),) * axis + (slice(count),)]
