"""Convolutions and pools of ATen. Images are computed with their channels innermost;
transposes of consecutive operations cancel (_tensors/_tensor.py)."""

from __future__ import annotations

from .. import _program as program
from .._tensors._axes import fold_axes
from .._tensors._convolutions import channels_last, convolve, known_shape, transposed
from .._tensors._tensor import Number, Tensor, arrange, plain
from .._tensors._views import add_axis, drop_axes, pad
from .._tensors._windows import is_summed, pool
from ._context import Context, Missing, Unsupported, elementwise, operation, reduced


def _each(numbers, count: int) -> list[int]:
    numbers = [numbers] if isinstance(numbers, int) else list(numbers)
    if not all(isinstance(n, int) for n in numbers):
        raise Unsupported(f"a window of open extents: {numbers}")
    return numbers * count if len(numbers) == 1 else numbers


@operation("convolution.default", "_convolution.default", stored=True)
def _convolution(c: Context, x, weight, bias, stride, padding, dilation, is_transposed, output_padding, groups, *_):
    x = c.tensor(x)
    if not is_summed(x.element):
        raise Unsupported(f"a convolution of {x.element}")
    rank = x.rank - 2
    if known_shape(weight) is None or rank not in (1, 2, 3):
        raise Unsupported(f"a convolution over {rank} axes")
    stride, padding, dilation = (_each(n, rank) for n in (stride, padding, dilation))
    if is_transposed:
        return transposed(c, x, weight, bias, stride, padding, dilation, _each(output_padding, rank), groups)
    return convolve(c, x, weight, bias, stride, padding, dilation, groups)


@operation("conv1d.default", "conv2d.default", "conv3d.default", stored=True)
def _conv(c: Context, x, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    x = c.tensor(x)
    rank = x.rank - 2
    return convolve(c, x, weight, bias, *(_each(n, rank) for n in (stride, padding, dilation)), groups)


# Other sizes.


@operation("upsample_nearest2d.vec")
def _upsample_nearest2d(c: Context, x, output_size, scales):
    if output_size is not None or any(scale != int(scale) for scale in scales):
        raise Unsupported("nearest neighbours for sizes that are no multiples of the image's")
    order = channels_last(4)
    value = arrange(x, order)
    for axis, scale in ((2, int(scales[1])), (1, int(scales[0]))):
        shape = program.extents(value)
        wide = program.broadcast_to(
            program.expand(value, [axis + 1]), [*shape[: axis + 1], scale, *shape[axis + 1 :]]
        )
        value = fold_axes(wide, axis, 2)
    return Tensor(value, order)


# Pools.


def _as_image(x: Tensor) -> tuple[Tensor, bool]:
    """With a batch."""
    return (x, False) if x.rank == 4 else (add_axis(x, 0), True)


def _ceil(x: Tensor, axis: int, window: int, stride: int, dilation: int, padding: int, count: Number) -> Number:
    """How much more padding an axis needs for `count` windows; less than a stride."""
    need = (count - 1) * stride + (window - 1) * dilation + 1
    return program.largest(need - x.extent(axis) - 2 * padding, 0)


def _pooled(c: Context, kind: str, x: Tensor, window, stride, padding, dilation, ceil_mode, fill, sizes) -> Tensor:
    order = channels_last(4)
    more = [0, 0]
    if ceil_mode:
        more = [
            _ceil(x, 2 + i, window[i], stride[i], dilation[i], padding[i], sizes[i]) for i in range(2)
        ]
    x = Tensor(arrange(x, order), order)
    pads = [padding[1], padding[1] + more[1], padding[0], padding[0] + more[0]]
    x = pad(c, x, pads, fill)
    return Tensor(pool(kind, x.value, window, stride, dilation), order)


@operation("max_pool2d_with_indices.default", "max_pool2d.default")
def _max_pool2d(c: Context, x, window, stride=(), padding=0, dilation=1, ceil_mode=False):
    type_ = c.node.type[0] if isinstance(c.node.type, tuple) else c.type
    window, padding, dilation = (_each(n, 2) for n in (window, padding, dilation))
    stride = _each(stride, 2) if stride else window
    if not program.is_float(x.element):
        raise Unsupported(f"a pool of {x.element}")
    image, single = _as_image(x)
    sizes = c.numbers(type_.shape)[-2:]
    result = _pooled(c, "max", image, window, stride, padding, dilation, ceil_mode, float("-inf"), sizes)
    if single:
        result = drop_axes(result, [0])
    if c.node.target == "aten.max_pool2d.default":
        return result
    return result, Missing("the places of max_pool2d")


@operation("avg_pool2d.default")
def _avg_pool2d(c: Context, x, window, stride=(), padding=0, ceil_mode=False, count_include_pad=True,
                divisor_override=None):  # fmt: skip
    window, padding = _each(window, 2), _each(padding, 2)
    stride = _each(stride, 2) if stride else window
    image, single = _as_image(x)
    wide = "f32" if x.element in ("f16", "bf16") else x.element
    image = Tensor(program.cast(image.value, wide), image.order)
    sizes = c.shape[-2:]
    together = (window, stride, padding, [1, 1], ceil_mode, 0.0, sizes)
    total = _pooled(c, "sum", image, *together)
    counted = any(padding) or ceil_mode
    if divisor_override:
        total = Tensor(program.divide(total.value, float(divisor_override)), total.order)
    elif not counted or (count_include_pad and not ceil_mode):
        total = Tensor(program.divide(total.value, float(window[0] * window[1])), total.order)
    else:
        one = c.scalar(1.0, wide)
        border = padding if count_include_pad else [0, 0]
        shape = [1, 1, *(image.extent(2 + i) + 2 * border[i] for i in range(2))]
        ones = plain(program.broadcast_to(one, shape))
        rest = [0, 0] if count_include_pad else padding
        counts = _pooled(c, "sum", ones, window, stride, rest, [1, 1], ceil_mode, 0.0, sizes)
        total = elementwise(c, program.divide, total, counts)
    total = Tensor(program.cast(total.value, x.element), total.order)
    return drop_axes(total, [0]) if single else total


@operation("_adaptive_avg_pool2d.default", "adaptive_avg_pool2d.default")
def _adaptive_avg_pool2d(c: Context, x, size):
    return _adaptive(c, x, [c.number(n) for n in size])


@operation("adaptive_avg_pool1d.default")
def _adaptive_avg_pool1d(c: Context, x, size):
    return _adaptive(c, x, [c.number(n) for n in size])


def _adaptive(c: Context, x: Tensor, sizes: list[Number]) -> Tensor:
    """Means of parts of the axes, which may overlap by one."""
    p = program
    wide = "f32" if x.element in ("f16", "bf16") else x.element
    result = Tensor(p.cast(x.value, wide), x.order)
    for place, count in enumerate(sizes):
        axis = x.rank - len(sizes) + place
        _, gone, _ = reduced(result, [axis])
        if isinstance(count, int) and count == 1:
            result = Tensor(p.mean(result.value, gone, keepdims=True), result.order)
            continue
        result = _weigh(c, result, axis, count, wide)
    return Tensor(p.cast(result.value, x.element), result.order)


def _weigh(c: Context, x: Tensor, axis: int, count: Number, element: str) -> Tensor:
    """Along an axis, the mean of each of `count` parts: place i is of the elements from
    floor(i * size / count) to ceil((i + 1) * size / count)."""
    p = program
    size = x.extent(axis)
    rows = p.iota(c.builder, count, "i64", axis=0, rank=2)
    columns = p.iota(c.builder, size, "i64", axis=1, rank=2)
    first = p.floor_divide(p.multiply(rows, size), count)
    last = p.floor_divide(p.add(p.multiply(p.add(rows, 1), size), count - 1), count)
    within = p.bitwise_and(p.greater_equal(columns, first), p.less(columns, last))
    length = p.cast(p.subtract(last, first), element)
    weight = p.divide(p.cast(within, element), length)
    after = x.rank - 1 - axis
    if after:
        weight = p.expand(weight, list(range(2, 2 + after)))
    wide = add_axis(x, axis)
    parts = elementwise(c, p.multiply, plain(weight), wide)
    _, gone, order = reduced(parts, [axis + 1])
    return Tensor(p.sum(parts.value, gone), order)
