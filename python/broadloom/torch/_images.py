"""Convolutions and images of other sizes of ATen. Images are computed with their channels innermost;
transposes of consecutive operations cancel (_tensors/_tensor.py)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .. import _program as program
from .._tensors._axes import fold_axes
from .._tensors._convolutions import channels_last, convolve, known_shape, transposed
from .._tensors._sampling import sample
from .._tensors._tensor import Number, Tensor, arrange, to_value
from .._tensors._views import add_axis, drop_axes
from .._tensors._windows import is_convolved
from ._context import Context, Unsupported, operation, require_elements
from ._folding import fold
from ._integers import convolve_integers
from ._stored import Operand


def each(numbers: Sequence[int] | int, count: int) -> list[int]:
    """Returns a number for each axis of a window, of which one stands for all."""
    numbers = [numbers] if isinstance(numbers, int) else list(numbers)
    if not all(isinstance(n, int) for n in numbers):
        raise Unsupported(f"a window of open extents: {numbers}")
    return numbers * count if len(numbers) == 1 else numbers


def as_image(x: Tensor, rank: int) -> tuple[Tensor, bool]:
    """Adds a batch of one where there is none, and returns whether there was none."""
    return (x, False) if x.rank == rank + 2 else (add_axis(x, 0), True)


@operation("convolution.default", "_convolution.default", stored=True)
def _convolution(
    c: Context,
    x: Operand,
    weight: Operand,
    bias: Operand | None,
    stride: Sequence[int] | int,
    padding: Sequence[int] | int,
    dilation: Sequence[int] | int,
    is_transposed: bool,
    output_padding: Sequence[int] | int,
    groups: int,
    *_: Sequence[Any],
) -> Tensor:
    x = c.tensor(x)
    if not is_convolved(x.element):
        raise Unsupported(f"a convolution of {x.element}")
    weight, bias = fold(c, weight, bias, is_transposed)
    rank = len(known_shape(weight)) - 2
    if rank not in (1, 2, 3):
        raise Unsupported(f"a convolution over {rank} axes")
    image, is_single = as_image(x, rank)
    require_elements(c, image, range(2, 2 + rank), "convolution")
    stride, padding, dilation = (each(n, rank) for n in (stride, padding, dilation))
    if not is_transposed and (made := convolve_integers(c, bias, stride, padding, dilation, groups)) is not None:
        return made
    if is_transposed:
        found = transposed(c, image, weight, bias, stride, padding, dilation, each(output_padding, rank), groups)
    else:
        found = convolve(c, image, weight, bias, stride, padding, dilation, groups)
    return drop_axes(found, [0]) if is_single else found


@operation("conv1d.default", "conv2d.default", "conv3d.default", stored=True)
def _conv(
    c: Context,
    x: Operand,
    weight: Operand,
    bias: Operand | None = None,
    stride: int = 1,
    padding: int = 0,
    dilation: int = 1,
    groups: int = 1,
) -> Tensor:
    return _convolution(c, x, weight, bias, stride, padding, dilation, False, 0, groups)


# Other sizes.


@operation("upsample_nearest2d.vec")
def _upsample_nearest2d(
    c: Context, x: Tensor, output_size: Sequence[Number] | None, scales: Sequence[float | None] | None
) -> Tensor:
    require_elements(c, x, [2, 3], "interpolation")
    sizes = c.shape[2:]
    scales = [None, None] if scales is None else list(scales)
    whole = [int(scale) for scale in scales if scale is not None and scale == int(scale)]
    if len(whole) == len(scales):
        order = channels_last(4)
        value = arrange(x, order)
        for axis, times in ((2, whole[1]), (1, whole[0])):
            value = _repeat(value, axis, times)
        return Tensor(value, order)
    for axis, (size, scale) in enumerate(zip(sizes, scales), 2):
        x = _take_nearest(c, x, axis, size, scale)
    return x


def _repeat(value: program.Value, axis: int, times: int) -> program.Value:
    """Repeats each element of an axis."""
    shape = program.extents(value)
    wide = program.broadcast_to(program.expand(value, [axis + 1]), [*shape[: axis + 1], times, *shape[axis + 1 :]])
    return fold_axes(wide, axis, 2)


def _take_nearest(c: Context, x: Tensor, axis: int, count: Number, scale: float | None) -> Tensor:
    """Resizes an axis: each index takes the element at the index times the ratio of the extents, or times one over the
    scale, rounded down in f32 as torch does."""
    p = program
    size = x.extent(axis)
    if p.is_same(size, count):
        return x
    ratio = 1 / scale if scale is not None else size / count
    at = p.floor(p.multiply(p.iota(c.builder, count, "f32"), ratio))
    at = p.minimum(p.cast(at, "i64"), size - 1)
    return Tensor(p.take(x.value, at, x.order[axis]), x.order)


@operation("upsample_linear1d.vec", "upsample_bilinear2d.vec", "upsample_trilinear3d.vec")
def _upsample_linear(
    c: Context,
    x: Tensor,
    output_size: Sequence[Number] | None,
    align_corners: bool,
    scales: Sequence[float | None] | None,
) -> Tensor:
    require_elements(c, x, range(2, x.rank), "interpolation")
    sizes = c.shape[2:]
    scales = [None] * len(sizes) if scales is None else list(scales)
    wide = "f64" if x.element == "f64" else "f32"
    result = Tensor(program.cast(x.value, wide), x.order)
    # The first axis first: what the others compute is no more than it must be.
    for axis, (size, scale) in enumerate(zip(sizes, scales), 2):
        result = _blend(c, result, axis, size, scale, align_corners)
    value = result.value if program.is_float(x.element) else program.round(result.value)
    return Tensor(program.cast(value, x.element), result.order)


def _blend(c: Context, x: Tensor, axis: int, count: Number, scale: float | None, align_corners: bool) -> Tensor:
    """Resizes an axis: elements are blends of the two that are next to their coordinates."""
    p = program
    size, element, at = x.extent(axis), x.element, x.order[axis]
    line = p.iota(c.builder, count, element)
    if align_corners:
        # Of one element the ratio is not read.
        coordinate = p.multiply(line, (size - 1) / p.largest(count - 1, 1))
    else:
        ratio = 1 / scale if scale is not None else size / count
        coordinate = p.maximum(p.subtract(p.multiply(p.add(line, 0.5), ratio), 0.5), 0.0)
    low = p.minimum(p.cast(coordinate, "i64"), size - 1)
    high = p.minimum(p.add(low, 1), size - 1)
    share = p.subtract(coordinate, p.cast(low, element))
    share = p.expand(share, list(range(1, x.rank - at)))
    below, above = (p.take(x.value, index, at, from_end=False) for index in (low, high))
    blend = p.add(p.multiply(below, p.subtract(1.0, share)), p.multiply(above, share))
    return Tensor(blend, x.order)


_MODES, _PADDINGS = ("linear", "nearest", "cubic"), ("zeros", "border", "reflection")


@operation("grid_sampler.default", "grid_sampler_2d.default", "grid_sampler_3d.default")
def _grid_sample(c: Context, x: Tensor, grid: Tensor, mode: int, padding: int, aligned: bool) -> Tensor:
    require_elements(c, x, range(2, x.rank), "grid_sample")
    element = "f64" if x.element == "f64" else "f32"
    # The weights of cubic interpolation are those of the coordinate itself.
    return sample(c, x, to_value(grid), element, _MODES[mode], _PADDINGS[padding], aligned, mode != 2)
