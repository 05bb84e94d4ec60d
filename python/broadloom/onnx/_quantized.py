"""Operators of quantized tensors. Sums of products of 8 bits are computed in f32, where
they are exact, and added as i32."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence

import numpy as np

from .. import _program as program
from .._tensors._convolutions import known_shape, require_groups
from .._tensors._sums import cast
from .._tensors._tensor import Held, Number, Tensor, align, from_value
from .._tensors._views import add_axis, expand, part, view
from ._arrays import ELEMENTS
from ._context import Context, Known, Operand, Unsupported, from_rank, operator, spread
from ._elementwise import saturate_to
from ._images import convolve_window, each, window_pads

#: f32 has all integers up to this one.
_EXACT = 2**24
#: So many products of 8 bits and of 4 have an exact sum.
_MOST = (_EXACT - 1) // (255 * 16)


def _limits(element: str) -> tuple[int, int]:
    info = np.iinfo(program.to_numpy(element))
    return int(info.min), int(info.max)


def _align_parameter(c: Context, part_: Operand, x: Tensor, axis: int, block: int) -> Tensor:
    """Gives a scale or a zero point the axes of what it scales."""
    part_ = c.tensor(part_)
    if part_.rank == 0 or (part_.rank == 1 and part_.known(0) == 1):
        return view(c, part_, [])
    if part_.rank == 1 and x.rank == 1 and axis == 1:
        # One number for all, which is what the default axis leaves.
        program.require(
            c.builder,
            "eq",
            part_.extent(0),
            1,
            "a scale or a zero point has the extent {0}, but axis 1 is none of its input's",
        )
        return view(c, part_, [])
    axis = from_rank(axis, x.rank)
    if part_.rank == 1:
        return view(c, part_, [part_.extent(0), *[1] * (x.rank - axis - 1)])
    if not block:
        return part_
    if part_.rank != x.rank:
        raise ValueError(f"a scale of blocks has {part_.rank} axes, but there are {x.rank}")
    for at in range(x.rank):
        whole = x.extent(at) if at != axis else program.divide_up(x.extent(at), block)
        what = f"a scale or a zero point of blocks has the extent {{0}} along axis {at}, but {{1}} is needed"
        program.require(c.builder, "eq", part_.extent(at), whole, what)
    shape = part_.extents
    wide = add_axis(part_, axis + 1)
    wide = expand(c, wide, [*shape[: axis + 1], block, *shape[axis + 1 :]])
    whole = view(c, wide, [*shape[:axis], shape[axis] * block, *shape[axis + 1 :]])
    return part(whole, axis, 0, x.extent(axis))


def _quantize(
    c: Context, x: Tensor, scale: Tensor, zero: Tensor | None, element: str, wide: str, saturate: int = 1
) -> Tensor:
    p = program
    x = cast(x, wide)
    made = spread(c, p.divide, x, cast(scale, wide))
    if element.startswith("f8"):
        code = saturate_to if saturate else program.cast
        return Tensor(code(made.value, element), made.order)
    low, high = _limits(element)
    made = Tensor(p.round(made.value), made.order)
    if zero is not None:
        made = spread(c, p.add, made, cast(zero, wide))
    return Tensor(p.cast(p.clip(made.value, float(low), float(high)), element), made.order)


@operator("QuantizeLinear", since=10)
def _quantize_linear(
    c: Context,
    x: Operand,
    scale: Operand,
    zero: Operand | None = None,
    *,
    axis: int = 1,
    block_size: int = 0,
    output_dtype: int = 0,
    precision: int = 0,
    saturate: int = 1,
) -> Tensor:
    if output_dtype and output_dtype not in ELEMENTS:
        raise Unsupported("a result of less than 8 bits")
    element = zero.element if zero is not None else ELEMENTS[output_dtype or 2]
    x = c.tensor(x)
    wide = ELEMENTS.get(precision) or ("f32" if scale.element in ("f16", "bf16") or x.element != "f64" else "f64")
    own_scale = _align_parameter(c, scale, x, axis, block_size)
    own_zero = None if zero is None else _align_parameter(c, zero, x, axis, block_size)
    return _quantize(c, x, own_scale, own_zero, element, wide, saturate)


@operator("DequantizeLinear", since=10)
def _dequantize_linear(
    c: Context,
    x: Operand,
    scale: Operand,
    zero: Operand | None = None,
    *,
    axis: int = 1,
    block_size: int = 0,
    output_dtype: int = 0,
) -> Tensor:
    element = ELEMENTS[output_dtype] if output_dtype else scale.element
    x = c.tensor(x)
    wide = "f32" if element in ("f16", "bf16") else element
    if zero is not None and x.element == "i32":
        # f32 has not all of these.
        made = cast(spread(c, program.subtract, x, _align_parameter(c, zero, x, axis, block_size)), wide)
    else:
        made = cast(x, wide)
        if zero is not None:
            offset = cast(_align_parameter(c, zero, x, axis, block_size), wide)
            made = spread(c, program.subtract, made, offset)
    made = spread(c, program.multiply, made, cast(_align_parameter(c, scale, x, axis, block_size), wide))
    return cast(made, element)


@operator("DynamicQuantizeLinear", since=11)
def _dynamic_quantize_linear(c: Context, x: Operand) -> tuple[Tensor, ...]:
    p = program
    x = c.tensor(x)
    high = p.maximum(p.reduce("max", x.value), 0.0)
    low = p.minimum(p.reduce("min", x.value), 0.0)
    scale = p.divide(p.subtract(high, low), 255.0)
    # A tensor of zeros has no scale of its own.
    divisor = p.select(p.equal(scale, 0.0), 1.0, scale)
    zero = p.clip(p.round(p.negative(p.divide(low, divisor))), 0.0, 255.0)
    made = p.clip(p.add(p.round(p.divide(x.value, divisor)), zero), 0.0, 255.0)
    return Tensor(p.cast(made, "ui8"), x.order), from_value(scale), from_value(p.cast(zero, "ui8"))


# Sums of products.


def _centre(c: Context, x: Operand, zero: Operand | None, axis: int | None = None) -> Operand:
    """Subtracts the zero point from integers, as f32."""
    if isinstance(x, Known) and (zero is None or isinstance(zero, Known)):
        known = np.zeros((), np.float32) if zero is None else zero.array.astype(np.float32)
        if known.size == 1:
            known = known.reshape(())
        elif known.ndim == 1 and axis is not None:
            known = known.reshape([-1 if a == axis % x.rank else 1 for a in range(x.rank)])
        return Known(x.array.astype(np.float32) - known, "f32")
    x = cast(c.tensor(x), "f32")
    if zero is None:
        return x
    point = cast(c.tensor(zero), "f32")
    if point.rank == 0 or (point.rank == 1 and point.known(0) == 1):
        point = view(c, point, [])
    elif point.rank == 1 and axis is not None:
        point = view(c, point, [point.extent(0), *[1] * (x.rank - 1 - axis % x.rank)])
    return spread(c, program.subtract, x, point)


def _split_in_half(x: Operand) -> tuple[Operand, Operand]:
    """Splits integers into 16 times the first result plus the second, each of less than 5 bits."""
    p = program
    if isinstance(x, Known):
        high = np.floor(x.array / 16)
        return Known(high, "f32"), Known(x.array - high * 16, "f32")
    high = p.floor(p.multiply(x.value, 1 / 16))
    return Tensor(high, x.order), Tensor(p.subtract(x.value, p.multiply(high, 16.0)), x.order)


def _sum_exactly(c: Context, multiply: Callable[..., Tensor], x: Operand, y: Operand, count: Number) -> Tensor:
    """Computes `multiply` of integers in f32, of sums of `count` products, as i32."""

    def to_integer(t: Tensor) -> Tensor:
        return cast(t, "i32")

    if isinstance(count, int) and count * 255 * 255 < _EXACT:
        return to_integer(multiply(x, y))
    if not isinstance(count, int) or count * 255 * 16 >= _EXACT:
        raise Unsupported(f"sums of {count if isinstance(count, int) else 'an open number of'} products of 8 bits")
    high, low = (to_integer(multiply(x, half)) for half in _split_in_half(y))
    return Tensor(program.add(program.multiply(high.value, 16), low.value), high.order)


def _multiply_integers(c: Context, x: Operand, y: Operand, x_zero: Operand | None, y_zero: Operand | None) -> Tensor:
    x, y = _centre(c, x, x_zero, -2), _centre(c, y, y_zero, -1)
    inner = [
        o.shape[axis] if isinstance(o, Held) else o.known(axis)
        for o, axis in ((x, x.rank - 1), (y, max(y.rank - 2, 0)))
    ]
    count = next((n for n in inner if n is not None), None)
    if count is None or count * 255 * 16 >= _EXACT:
        return from_value(program.matmul(*(program.cast(c.value(v), "i32") for v in (x, y))))
    return _sum_exactly(c, lambda x, y: from_value(program.matmul(c.value(x), c.value(y))), x, y, count)


@operator("MatMulInteger", since=10)
def _matmul_integer(
    c: Context, x: Operand, y: Operand, x_zero: Operand | None = None, y_zero: Operand | None = None
) -> Tensor:
    return _multiply_integers(c, x, y, x_zero, y_zero)


def _rescale(
    c: Context, total: Tensor, scales: Sequence[tuple[Operand, int]], y_scale: Operand, y_zero: Operand, axis: int
) -> Tensor:
    """Converts a sum of products to the scale of the result. `scales` are those of the operands, and the axis of each;
    `axis` is that of the result's own."""
    p = program
    own = (_align_parameter(c, scale, total, own_axis, 0) for scale, own_axis in scales)
    factor = functools.reduce(lambda one, other: spread(c, p.multiply, one, other), own)
    factor = spread(c, p.divide, factor, _align_parameter(c, y_scale, total, axis, 0))
    made = spread(c, p.multiply, cast(total, "f32"), cast(factor, "f32"))
    zero = cast(_align_parameter(c, y_zero, total, axis, 0), "f32")
    made = spread(c, p.add, Tensor(p.round(made.value), made.order), zero)
    low, high = _limits(y_zero.element)
    return Tensor(p.cast(p.clip(made.value, float(low), float(high)), y_zero.element), made.order)


@operator("QLinearMatMul", since=10)
def _qlinear_matmul(
    c: Context,
    x: Operand,
    x_scale: Operand,
    x_zero: Operand,
    y: Operand,
    y_scale: Operand,
    y_zero: Operand,
    scale: Operand,
    zero: Operand,
) -> Tensor:
    total = _multiply_integers(c, x, y, x_zero, y_zero)
    # Of one axis, scales are of the rows of x and of the result, and of the columns of y.
    columns = max(total.rank - 1, 0)
    rows = max(columns - 1, 0) if y.rank > 1 else columns
    return _rescale(c, total, ((x_scale, rows), (y_scale, columns)), scale, zero, rows)


def _convolve_integers(
    c: Context,
    x: Operand,
    weight: Operand,
    x_zero: Operand | None,
    weight_zero: Operand | None,
    auto_pad: str,
    dilations: Sequence[int] | None,
    group: int,
    pads: Sequence[int] | None,
    strides: Sequence[int] | None,
) -> Tensor:
    x, weight = _centre(c, x, x_zero), _centre(c, weight, weight_zero, 0)
    x = c.tensor(x)
    rank = x.rank - 2
    _, inputs, *frame = known_shape(weight)
    strides, dilations = each(strides, rank), each(dilations, rank)
    low, high = window_pads(x, frame, strides, dilations, pads, auto_pad)
    window = math.prod(frame)

    def code(x: Tensor, w: Operand, group: int = 1) -> Tensor:
        return convolve_window(c, x, w, None, strides, dilations, low, high, group)

    most = _MOST // window
    if inputs <= most or not most:
        return _sum_exactly(c, lambda x, w: code(x, w, group), x, weight, inputs * window)
    # As many channels at a time as have exact sums.
    outputs = known_shape(weight)[0]
    require_groups(c, x, group, inputs, outputs)
    whole = []
    for number in range(group):
        total: Tensor | None = None
        for start in range(0, inputs, most):
            size = min(most, inputs - start)
            mine = _part(_part(weight, 0, number * (outputs // group), outputs // group), 1, start, size)
            some = _sum_exactly(c, code, part(x, 1, number * inputs + start, size), mine, size * window)
            total = some if total is None else spread(c, program.add, total, some)
        assert total is not None
        whole.append(total)
    if group == 1:
        return whole[0]
    values, order = align(whole)
    return Tensor(program.concat(values, order[1]), order)


def _part(weight: Operand, axis: int, start: int, count: int) -> Operand:
    return weight.part(axis, start, count) if isinstance(weight, Known) else part(weight, axis, start, count)


@operator("ConvInteger", since=10)
def _conv_integer(
    c: Context,
    x: Operand,
    weight: Operand,
    x_zero: Operand | None = None,
    weight_zero: Operand | None = None,
    *,
    auto_pad: str = "NOTSET",
    dilations: Sequence[int] | None = None,
    group: int = 1,
    kernel_shape: Sequence[int] | None = None,
    pads: Sequence[int] | None = None,
    strides: Sequence[int] | None = None,
) -> Tensor:
    return _convolve_integers(c, x, weight, x_zero, weight_zero, auto_pad, dilations, group, pads, strides)


@operator("QLinearConv", since=10)
def _qlinear_conv(
    c: Context,
    x: Operand,
    x_scale: Operand,
    x_zero: Operand,
    weight: Operand,
    weight_scale: Operand,
    weight_zero: Operand,
    scale: Operand,
    zero: Operand,
    bias: Operand | None = None,
    *,
    auto_pad: str = "NOTSET",
    dilations: Sequence[int] | None = None,
    group: int = 1,
    kernel_shape: Sequence[int] | None = None,
    pads: Sequence[int] | None = None,
    strides: Sequence[int] | None = None,
) -> Tensor:
    total = _convolve_integers(c, x, weight, x_zero, weight_zero, auto_pad, dilations, group, pads, strides)
    if bias is not None:
        total = spread(c, program.add, total, view(c, c.tensor(bias), [total.extent(1), *[1] * (total.rank - 2)]))
    return _rescale(c, total, ((x_scale, 1), (weight_scale, 1)), scale, zero, 1)
