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


def read_blocks(
    c: Context, weight: Operand, scales: Operand, zero_points: Operand | None, bits: int, block_size: int
) -> NDArray[Any]:
    """Returns the numbers of weights [experts, rows, columns], whose blocks along the last axis have a scale each; of
    none, whose rows have one."""
    if bits not in (2, 4, 8):
        raise Unsupported(f"weights of {bits} bits; 2, 4 and 8 are there")
    numbers = _unpack(c.constant(weight, "weights"), bits).astype(np.float32)
    experts, rows, columns = numbers.shape
    if block_size and columns % block_size:
        raise ValueError(f"its rows of {columns} weights are no multiple of its block_size {block_size}")
    blocks = columns // block_size if block_size else 1
    factors = c.constant(scales, "scales").astype(np.float32)
    if factors.size != experts * rows * blocks:
        raise ValueError(f"it has {factors.size} scales, but {experts} x {rows} x {blocks} are needed")
    factors = factors.reshape(experts, rows, blocks, 1)
    points: Any = np.float32(2 ** (bits - 1))
    if zero_points is not None:
        packed = c.constant(zero_points, "zero points")
        given = _unpack(packed, bits)
        count = blocks if block_size else rows
        if given.ndim != (3 if block_size else 2) or given.shape[-1] < count:
            raise ValueError(f"its zero points have the shape {packed.shape}, but {count} are needed in each row")
        points = given[..., :count].reshape(experts, rows, blocks, 1).astype(np.float32)
    found: NDArray[Any] = (numbers.reshape(experts, rows, blocks, -1) - points) * factors
    return found.reshape(experts, rows, columns)


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
    made = _multiply_by_weight(c, x, whole)
    if bias is None:
        return made
    require_numbers(c, bias, N, "bias", "columns")
    return spread(c, program.add, made, bias)


#: What the codes of 4 bits stand for, parts of the largest number of a block: FP4, whose upper half is negative, and
#: NF4, quantiles of a normal distribution.
_FP4 = (0.0, 1 / 192, 2 / 3, 1.0, 1 / 3, 1 / 2, 1 / 6, 1 / 4)
_NF4 = (
    -1.0, -0.6961928009986877, -0.5250730514526367, -0.39491748809814453, -0.28444138169288635, -0.18477343022823334,
    -0.09105003625154495, 0.0, 0.07958029955625534, 0.16093020141124725, 0.24611230194568634, 0.33791524171829224,
    0.44070982933044434, 0.5626170039176941, 0.7229568362236023, 1.0,
)  # fmt: skip


@operator("MatMulBnb4", domain=MICROSOFT)
def _matmul_of_codes(
    c: Context,
    x: Operand,
    weight: Operand,
    largest: Operand,
    *,
    K: int,
    N: int,
    block_size: int,
    quant_type: int,
    training_mode: int = 0,
    transB: int = 1,
) -> Tensor:
    if quant_type not in (0, 1) or not transB:
        raise Unsupported(f"its quant_type is {quant_type} and its transB {transB}; 0 and 1, and 1, are there")
    packed = c.constant(weight, "weight").reshape(-1)
    factors = c.constant(largest, "absmax").reshape(-1).astype(np.float32)
    if len(packed) != -(-N * K // 2) or len(factors) != -(-N * K // block_size):
        raise ValueError(
            f"{len(packed)} bytes and {len(factors)} factors do not fit a weight of {N} rows and {K} columns"
        )
    table = np.array(_NF4 if quant_type else (*_FP4, *(-n for n in _FP4)), np.float32)
    # The first number of a byte is in its high bits.
    codes = np.stack([packed >> 4, packed & 15], axis=-1).reshape(-1)[: N * K]
    whole = (table[codes] * np.repeat(factors, block_size)[: N * K]).reshape(N, K)
    return _multiply_by_weight(c, x, whole)


def _multiply_by_weight(c: Context, x: Operand, weight: NDArray[Any]) -> Tensor:
    """Multiplies rows by a weight of which each row gives a column of the result."""
    message = f"the last axis of {c.named(0)} has the extent {{0}}, but the weight has {{1}} rows"
    program.require(c.builder, "eq", extents_of(x)[-1], weight.shape[1], message)
    dtype = program.to_numpy(x.element)
    return multiply_matrices(c, x, Known(np.ascontiguousarray(weight.T).astype(dtype), x.element))


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
