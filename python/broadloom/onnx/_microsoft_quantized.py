"""Operators of ONNX Runtime on quantized tensors. Element-wise ones, pools and norms are computed in f32 between
DequantizeLinear and QuantizeLinear; products have exact sums."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .. import _program as program
from .._program import Value
from .._tensors import _sums as sums
from .._tensors._fits import require_numbers, require_spread_to
from .._tensors._sums import cast
from .._tensors._tensor import Tensor, permute
from ._context import Context, Known, Operand, Unsupported, from_rank, operator, spread, takes_attributes_of
from ._layout import join
from ._microsoft import MICROSOFT, channels_first, channels_last
from ._pools import _GLOBAL, _average_pool, _global
from ._quantized import (
    _align_parameter,
    _dequantize_linear,
    _dynamic_quantize_linear,
    _multiply_integers,
    _quantize_linear,
)
from ._recurrent import _lstm


def _numbers(c: Context, x: Operand, scale: Operand, zero: Operand | None) -> Tensor:
    made: Tensor = _dequantize_linear(c, x, scale, zero)
    return made


def _quantize(c: Context, x: Tensor, scale: Operand, zero: Operand | None, element: str) -> Tensor:
    point = Known(np.zeros((), program.to_numpy(element)), element) if zero is None else zero
    made: Tensor = _quantize_linear(c, x, scale, point)
    return made


# Element by element.


def _enter_binary(name: str, function: Callable[..., Value]) -> None:
    @operator(name, domain=MICROSOFT)
    def rule(
        c: Context,
        x: Operand,
        x_scale: Operand,
        x_zero: Operand | None,
        y: Operand,
        y_scale: Operand,
        y_zero: Operand | None,
        scale: Operand,
        zero: Operand | None = None,
    ) -> Tensor:
        made = spread(c, function, _numbers(c, x, x_scale, x_zero), _numbers(c, y, y_scale, y_zero))
        return _quantize(c, made, scale, zero, x.element)


_enter_binary("QLinearAdd", program.add)
_enter_binary("QLinearMul", program.multiply)


@operator("QLinearSigmoid", domain=MICROSOFT)
def _qlinear_sigmoid(
    c: Context, x: Operand, x_scale: Operand, x_zero: Operand | None, scale: Operand, zero: Operand | None = None
) -> Tensor:
    made = spread(c, program.sigmoid, _numbers(c, x, x_scale, x_zero))
    return _quantize(c, made, scale, zero, x.element)


@operator("QLinearLeakyRelu", domain=MICROSOFT)
def _qlinear_leaky_relu(
    c: Context,
    x: Operand,
    x_scale: Operand,
    x_zero: Operand | None,
    scale: Operand,
    zero: Operand | None = None,
    *,
    alpha: float = 0.01,
) -> Tensor:
    p = program
    code = lambda x: p.select(p.less(x, 0.0), p.multiply(x, alpha), x)
    return _quantize(c, spread(c, code, _numbers(c, x, x_scale, x_zero)), scale, zero, x.element)


@operator("QLinearWhere", domain=MICROSOFT)
def _qlinear_where(
    c: Context,
    condition: Operand,
    x: Operand,
    x_scale: Operand,
    x_zero: Operand,
    y: Operand,
    y_scale: Operand,
    y_zero: Operand,
    scale: Operand,
    zero: Operand,
) -> Tensor:
    sides = [_numbers(c, x, x_scale, x_zero), _numbers(c, y, y_scale, y_zero)]
    made = spread(c, lambda k, x, y: program.select(k, x, y), c.tensor(condition), *sides)
    return _quantize(c, made, scale, zero, x.element)


@operator("QLinearConcat", domain=MICROSOFT)
def _qlinear_concat(c: Context, scale: Operand, zero: Operand, *operands: Operand, axis: int) -> Operand:
    if not operands or len(operands) % 3:
        raise ValueError(f"{len(operands)} inputs, which are not tensors with a scale and a zero point each")
    parts = [
        _quantize(c, _numbers(c, *operands[at : at + 3]), scale, zero, zero.element)
        for at in range(0, len(operands), 3)
    ]
    return join(c, *parts, axis=axis)


@operator("QLinearSoftmax", domain=MICROSOFT)
def _qlinear_softmax(
    c: Context,
    x: Operand,
    x_scale: Operand,
    x_zero: Operand | None,
    scale: Operand,
    zero: Operand,
    *,
    axis: int = -1,
    opset: int,
) -> Tensor:
    if opset < 13 and from_rank(axis, x.rank) != x.rank - 1:
        raise Unsupported(f"a softmax over the axes from {axis} on; one over the last axis is there")
    made = sums.softmax(_numbers(c, x, x_scale, x_zero), from_rank(axis, x.rank))
    return _quantize(c, made, scale, zero, x.element)


# Pools.


@operator("QLinearAveragePool", domain=MICROSOFT)
def _qlinear_average_pool(
    c: Context,
    x: Operand,
    x_scale: Operand,
    x_zero: Operand | None,
    scale: Operand,
    zero: Operand | None = None,
    *,
    kernel_shape: Sequence[int],
    auto_pad: str = "NOTSET",
    ceil_mode: int = 0,
    channels_last: int = 0,
    count_include_pad: int = 0,
    pads: Sequence[int] | None = None,
    strides: Sequence[int] | None = None,
) -> Any:
    def pool(given: Tensor) -> Tensor:
        return _average_pool(
            c,
            given,
            kernel_shape=kernel_shape,
            auto_pad=auto_pad,
            ceil_mode=ceil_mode,
            count_include_pad=count_include_pad,
            pads=pads,
            strides=strides,
        )

    made = _pool(pool, _numbers(c, x, x_scale, x_zero), channels_last)
    return _quantize(c, made, scale, zero, x.element)


@operator("QLinearGlobalAveragePool", domain=MICROSOFT)
def _qlinear_global_average_pool(
    c: Context,
    x: Operand,
    x_scale: Operand,
    x_zero: Operand,
    scale: Operand,
    zero: Operand,
    *,
    channels_last: int = 0,
) -> Any:
    pool = lambda given: _global(c, given, _GLOBAL["GlobalAveragePool"])
    made = _pool(pool, _numbers(c, x, x_scale, x_zero), channels_last)
    return _quantize(c, made, scale, zero, x.element)


def _pool(pool: Callable[[Any], Tensor], x: Tensor, is_last: int) -> Any:
    return channels_last(pool(channels_first(x))) if is_last else pool(x)


# Products.


def scale_sums(
    c: Context, total: Tensor, scales: Sequence[tuple[Operand, int]], bias: Operand | None, element: str = "f32"
) -> Tensor:
    """Multiplies sums of products by scales, each of one axis of them, and adds a bias."""
    made = cast(total, element)
    for scale, axis in scales:
        factor = _align_parameter(c, scale, total, axis, 0)
        require_spread_to(c, factor, made, "scale")
        made = spread(c, program.multiply, made, cast(factor, element))
    if bias is None:
        return made
    require_numbers(c, bias, made.extent(-1), "bias", "columns")
    return spread(c, program.add, made, bias)


@operator("MatMulIntegerToFloat", domain=MICROSOFT)
def _matmul_integer_to_float(
    c: Context,
    x: Operand,
    y: Operand,
    x_scale: Operand,
    y_scale: Operand,
    x_zero: Operand | None = None,
    y_zero: Operand | None = None,
    bias: Operand | None = None,
) -> Tensor:
    total = _multiply_integers(c, x, y, x_zero, y_zero)
    last = max(total.rank - 1, 0)
    return scale_sums(c, total, ((x_scale, last), (y_scale, last)), bias, x_scale.element)


@operator("DynamicQuantizeMatMul", domain=MICROSOFT)
def _dynamic_quantize_matmul(
    c: Context, x: Operand, y: Operand, y_scale: Operand, y_zero: Operand | None = None, bias: Operand | None = None
) -> Tensor:
    quantized, scale, zero = _dynamic_quantize_linear(c, x)
    total = _multiply_integers(c, quantized, y, zero, y_zero)
    last = max(total.rank - 1, 0)
    return scale_sums(c, total, ((scale, last), (y_scale, last)), bias)


@operator("QGemm", domain=MICROSOFT)
def _qgemm(
    c: Context,
    x: Operand,
    x_scale: Operand,
    x_zero: Operand,
    y: Operand,
    y_scale: Operand,
    y_zero: Operand,
    summand: Operand | None = None,
    scale: Operand | None = None,
    zero: Operand | None = None,
    *,
    alpha: float = 1.0,
    transA: int = 0,
    transB: int = 0,
) -> Tensor:
    sides = [permute(side, [1, 0]) if turn else side for side, turn in ((x, transA), (y, transB))]
    total = _multiply_integers(c, sides[0], sides[1], x_zero, y_zero)
    if summand is not None:
        require_spread_to(c, summand, total, "summand")
        total = spread(c, program.add, total, summand)
    made = scale_sums(c, total, ((x_scale, 1), (y_scale, 1)), None)
    made = made if alpha == 1 else Tensor(program.multiply(made.value, alpha), made.order)
    return made if scale is None else _quantize(c, made, scale, zero, x.element)


@operator("DynamicQuantizeLSTM", domain=MICROSOFT)
@takes_attributes_of(_lstm)
def _dynamic_quantize_lstm(
    c: Context,
    x: Operand,
    weight: Operand,
    recurrence: Operand,
    bias: Operand | None,
    lengths: Operand | None,
    start: Operand | None,
    cell: Operand | None,
    peepholes: Operand | None,
    weight_scale: Operand,
    weight_zero: Operand,
    recurrence_scale: Operand,
    recurrence_zero: Operand,
    **attributes: Any,
) -> Any:
    """Computes in f32 with the weights that are quantized; inputs and states are not."""
    given = ((weight, weight_scale, weight_zero), (recurrence, recurrence_scale, recurrence_zero))
    wide, recurrent = (_widen(c, *three) for three in given)
    return _lstm(c, x, wide, recurrent, bias, lengths, start, cell, peepholes, **attributes)


def _widen(c: Context, weight: Operand, scale: Operand, zero: Operand) -> Known:
    """Returns the weight of a recurrent layer, quantized by direction or by column, as ONNX has it."""
    numbers = c.constant(weight, "weights").astype(np.float32)
    given = (c.constant(zero, "zero points"), c.constant(scale, "scales"))
    point, factor = (
        (x.reshape(x.shape[0], 1, -1) if x.ndim == 2 else x.reshape(-1, 1, 1)).astype(np.float32) for x in given
    )
    return Known(np.ascontiguousarray(((numbers - point) * factor).transpose(0, 2, 1)), "f32")
