"""Quantization as torch.export's programs have it (pt2e), and products of groups of rows."""

from __future__ import annotations

from typing import Any

from .. import _program as program
from .._program import Value
from .._tensors._sums import extreme
from .._tensors._tensor import Tensor, from_value, to_value
from ._context import Context, Unsupported, operation, require_elements


def _along(c: Context, number: Any, axis: int | None, rank: int, element: str) -> Any:
    """Returns a scale or a zero point as it is computed with: of one number, or of each index of an axis."""
    if not isinstance(number, Tensor):
        return program.cast(c.scalar(c.number(number), "f64"), element)
    value = program.cast(to_value(number), element)
    if axis is None:
        return program.reshape(value, [])
    return program.expand(value, [at for at in range(rank) if at != axis % rank])


def _quantize(c: Context, x: Tensor, scale: Any, zero: Any, low: Any, high: Any, axis: int | None) -> Tensor:
    p = program
    value = p.cast(to_value(x), "f32")
    steps = _along(c, scale, axis, x.rank, "f32")
    # As torch does, by the rounded inverse.
    made = p.round(p.multiply(value, p.divide(1.0, steps)))
    if zero is not None:
        made = p.add(made, _along(c, zero, axis, x.rank, "f32"))
    made = p.minimum(p.maximum(made, float(low)), float(high))
    return from_value(p.cast(made, c.element))


def _dequantize(c: Context, x: Tensor, scale: Any, zero: Any, axis: int | None) -> Tensor:
    p = program
    value = p.cast(to_value(x), "f32")
    if zero is not None:
        value = p.subtract(value, _along(c, zero, axis, x.rank, "f32"))
    return from_value(p.cast(p.multiply(value, _along(c, scale, axis, x.rank, "f32")), c.element))


_SPACE = "quantized_decomposed"


@operation(*(f"{_SPACE}.quantize_per_tensor.{form}" for form in ("default", "tensor", "tensor2")))
def _quantize_tensor(
    c: Context, x: Tensor, scale: Any, zero: Any, low: Any, high: Any, dtype: str, **options: Any
) -> Tensor:
    return _quantize(c, x, scale, zero, _known(low), _known(high), None)


def _known(number: Any) -> float:
    if not isinstance(number, (int, float)):
        raise Unsupported("quantization whose least and largest numbers are data")
    return number


@operation(*(f"{_SPACE}.dequantize_per_tensor.{form}" for form in ("default", "tensor", "tensor2")))
def _dequantize_tensor(c: Context, x: Tensor, scale: Any, zero: Any, *_: Any, **options: Any) -> Tensor:
    return _dequantize(c, x, scale, zero, None)


@operation(f"{_SPACE}.quantize_per_channel.default")
def _quantize_channels(
    c: Context, x: Tensor, scale: Tensor, zero: Tensor, axis: int, low: int, high: int, dtype: str
) -> Tensor:
    return _quantize(c, x, scale, zero, low, high, axis)


@operation(f"{_SPACE}.dequantize_per_channel.default")
def _dequantize_channels(
    c: Context, x: Tensor, scale: Tensor, zero: Tensor | None, axis: int, *_: Any, **options: Any
) -> Tensor:
    return _dequantize(c, x, scale, zero, axis)


@operation(f"{_SPACE}.choose_qparams.tensor", f"{_SPACE}.choose_qparams_symmetric.tensor")
def _choose_parameters(c: Context, x: Tensor, low: int, high: int, eps: float, dtype: str) -> tuple[Tensor, Tensor]:
    """Computes the scale and the zero point with which all elements are within the limits, as torch does in f32."""
    p = program
    require_elements(c, x, None, "choice of a scale")
    value = p.cast(to_value(x), "f32")
    axes = list(range(x.rank))
    least, most = p.minimum(extreme("min")(value, axes), 0.0), p.maximum(extreme("max")(value, axes), 0.0)
    if "symmetric" in c.node.target:
        scale = p.divide(p.maximum(p.negative(least), most), (high - low) / 2)
        zero = c.scalar(128 if dtype == "ui8" else 0, "i64")
    else:
        scale = p.divide(p.subtract(most, least), float(high - low))
        zero = p.subtract(float(low), p.round(p.divide(least, p.maximum(scale, eps))))
        zero = p.cast(p.minimum(p.maximum(zero, float(low)), float(high)), "i64")
    scale = p.cast(p.maximum(scale, eps), "f64")
    return from_value(p.reshape(scale, [1])), from_value(p.reshape(p.broadcast_to(zero, []), [1]))


# Groups.


@operation("_grouped_mm.default", "transformers.grouped_mm_fallback.default")
def _grouped_mm(
    c: Context, x: Tensor, y: Tensor, offs: Tensor | None = None, bias: Tensor | None = None, out_dtype: Any = None
) -> Tensor:
    """Multiplies groups of rows by a matrix each; `offs` says where each group ends."""
    p = program
    if bias is not None:
        raise Unsupported("grouped products with a bias")
    left, right = to_value(x), to_value(y)
    if left.rank == 3 and right.rank == 3:
        return from_value(p.cast(p.matmul(left, right), c.element))
    if left.rank != 2 or right.rank != 3 or offs is None:
        raise Unsupported("grouped products of other forms than [rows, k] by [groups, k, columns]")
    groups = right.extents[0]
    if not isinstance(groups, int):
        raise Unsupported("an open number of groups")
    ends, rows = p.cast(to_value(offs), "i64"), p.extent(left, 0)
    p.require(c.builder, "eq", p.extent(ends, 0), groups, "there are {0} ends of groups, but {1} matrices")
    parts: list[Value] = []
    start: Any = 0
    for group in range(groups):
        end = p.to_number(p.squeeze(p.take_slice(ends, 0, group, 1), [0]))
        p.require(c.builder, "sle", start, end, "a group begins at row {0} and ends at {1}")
        p.require(c.builder, "sle", end, rows, "a group ends at row {0}, but there are {1}")
        own = p.take_slice(left, 0, start, end - start)
        matrix = p.squeeze(p.take_slice(right, 0, group, 1), [0])
        parts.append(p.matmul(own, matrix))
        start = end
    # What eager mode leaves as it finds it.
    zeros = p.broadcast_to(c.scalar(0.0, left.element), [rows - start, p.extent(right, 2)])
    return from_value(p.cast(p.concat([*parts, zeros], 0), c.element))
