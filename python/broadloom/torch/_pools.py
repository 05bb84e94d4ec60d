"""Pools of ATen."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from operator import add
from typing import Any

from .. import _program as program
from .._program import Value
from .._tensors._maxima import find_maxima, number_places
from .._tensors._pools import divide_by_counts, slide
from .._tensors._sums import cast, wide_type
from .._tensors._tensor import Number, Tensor, from_value, to_value
from .._tensors._views import add_axis, drop_axes, pad, view
from ._context import Context, Missing, Unsupported, elementwise, operation, reduced, require_elements
from ._images import as_image, each


def _ceil(x: Tensor, axis: int, window: int, stride: int, dilation: int, padding: int, count: Number) -> Number:
    """Computes how much more padding an axis needs for `count` windows; it is less than a stride."""
    need = (count - 1) * stride + (window - 1) * dilation + 1
    return program.largest(need - x.extent(axis) - 2 * padding, 0)


def _pooled(
    c: Context,
    kind: str,
    x: Tensor,
    window: Sequence[int],
    stride: Sequence[int],
    padding: Sequence[int],
    dilation: Sequence[int],
    ceil_mode: bool,
    sizes: Sequence[Number],
) -> Tensor:
    rank = len(window)
    require_elements(c, x, range(2, 2 + rank), "pool")
    more: list[Number] = [0] * rank
    if ceil_mode:
        more = [_ceil(x, 2 + i, window[i], stride[i], dilation[i], padding[i], sizes[i]) for i in range(rank)]
    return slide(c, kind, x, window, stride, dilation, padding, list(map(add, padding, more)))


def _max_pool(
    c: Context,
    rank: int,
    x: Tensor,
    window: Sequence[int],
    stride: Sequence[int] = (),
    padding: int | Sequence[int] = 0,
    dilation: int | Sequence[int] = 1,
    ceil_mode: bool = False,
) -> Tensor | tuple[Missing | Tensor, ...]:
    type_ = c.node.type[0] if isinstance(c.node.type, tuple) else c.type
    window, padding, dilation = (each(n, rank) for n in (window, padding, dilation))
    stride = each(stride, rank) if stride else window
    if not program.is_float(x.element):
        raise Unsupported(f"a pool of {x.element}")
    image, single = as_image(x, rank)
    sizes = c.numbers(type_.shape)[-rank:]
    if isinstance(c.node.type, tuple) and c.is_read(1):
        found = _largest_and_places(c, image, window, stride, padding, dilation, sizes)
        return tuple(drop_axes(result, [0]) if single else result for result in found)
    result = _pooled(c, "max", image, window, stride, padding, dilation, ceil_mode, sizes)
    if single:
        result = drop_axes(result, [0])
    return (result, Missing("nothing reads it")) if isinstance(c.node.type, tuple) else result


def _largest_and_places(
    c: Context,
    x: Tensor,
    window: Sequence[int],
    stride: Sequence[int],
    padding: Sequence[int],
    dilation: Sequence[int],
    sizes: Sequence[Number],
) -> tuple[Tensor, ...]:
    """Returns the largest elements of windows, and their places in the images."""
    rank = len(window)
    require_elements(c, x, range(2, 2 + rank), "pool")
    more = [_ceil(x, 2 + i, window[i], stride[i], dilation[i], padding[i], sizes[i]) for i in range(rank)]
    pads = [n for i in reversed(range(rank)) for n in (padding[i], padding[i] + more[i])]
    for count in sizes:
        program.require(c.builder, "sge", count, 1, "the window is larger than the padded image")
    padded = to_value(pad(c, x, pads, float("-inf")))
    best, where = find_maxima(padded, window, stride, dilation, sizes)
    places = number_places(where, x.extents[2:], window, stride, dilation, padding)
    return from_value(best), from_value(places)


@operation("max_unpool2d.default", "max_unpool3d.default")
def _max_unpool(c: Context, x: Tensor, places: Tensor, size: Sequence[Number], *_: Any) -> Tensor:
    """Puts elements at their places in images of zeros."""
    p, rank = program, len(size)
    require_elements(c, x, range(x.rank - rank, x.rank), "unpooling")
    value, at = to_value(x), to_value(places)
    images = p.product(p.extents(value)[: value.rank - rank])
    count, whole = p.product(p.extents(value)[value.rank - rank :]), p.product(c.numbers(c.type.shape[-rank:]))
    flat, at = p.reshape(value, [images, count]), p.reshape(p.cast(at, "i64"), [images, count])
    empty = p.broadcast_to(c.scalar(0, x.element), [images, whole])
    return view(c, from_value(p.scatter(empty, flat, [0, (at, (0, 1))], from_end=False)), c.shape)


@operation("max_pool2d_with_indices.default", "max_pool2d.default")
def _max_pool2d(c: Context, x: Tensor, *window: Any) -> Tensor | tuple[Missing | Tensor, ...]:
    return _max_pool(c, 2, x, *window)


@operation("max_pool3d_with_indices.default", "max_pool3d.default")
def _max_pool3d(c: Context, x: Tensor, *window: Any) -> Tensor | tuple[Missing | Tensor, ...]:
    return _max_pool(c, 3, x, *window)


def _avg_pool(
    c: Context,
    rank: int,
    x: Tensor,
    window: Sequence[int],
    stride: Sequence[int] = (),
    padding: int | Sequence[int] = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int | None = None,
) -> Tensor:
    window, padding = each(window, rank), each(padding, rank)
    stride = each(stride, rank) if stride else window
    image, single = as_image(x, rank)
    image, sizes, none = cast(image, wide_type(x.element)), c.shape[-rank:], [0] * rank

    def pool(x: Tensor, pads: Sequence[int]) -> Tensor:
        return _pooled(c, "sum", x, window, stride, pads, [1] * rank, ceil_mode, sizes)

    total = pool(image, padding)
    if divisor_override:
        total = Tensor(program.divide(total.value, float(divisor_override)), total.order)
    elif not ceil_mode and (count_include_pad or not any(padding)):
        total = Tensor(program.divide(total.value, float(math.prod(window))), total.order)
    else:
        inside, around = (padding, none) if count_include_pad else (none, padding)
        total = divide_by_counts(c, total, image, list(zip(inside, inside)), lambda ones: pool(ones, around))
    total = cast(total, x.element)
    return drop_axes(total, [0]) if single else total


@operation("avg_pool2d.default")
def _avg_pool2d(c: Context, x: Tensor, *window: Any, **options: Any) -> Tensor:
    return _avg_pool(c, 2, x, *window, **options)


@operation("avg_pool3d.default")
def _avg_pool3d(c: Context, x: Tensor, *window: Any, **options: Any) -> Tensor:
    return _avg_pool(c, 3, x, *window, **options)


# To a requested extent.


@operation(
    "_adaptive_avg_pool2d.default",
    "adaptive_avg_pool2d.default",
    "adaptive_avg_pool1d.default",
    "_adaptive_avg_pool3d.default",
    "adaptive_avg_pool3d.default",
    "broadloom.adaptive_avg_pool2d.default",
    "broadloom.adaptive_avg_pool3d.default",
)
def _adaptive_avg_pool(c: Context, x: Tensor, size: Sequence[Number]) -> Tensor:
    """Computes the means of parts of the axes, which may overlap by one."""
    p = program
    sizes = [c.number(n) for n in size]
    wide = wide_type(x.element)
    result = cast(x, wide)
    for number, count in enumerate(sizes):
        axis = x.rank - len(sizes) + number
        require_elements(c, x, [axis], "pool")
        _, gone, _ = reduced(result, [axis])
        if isinstance(count, int) and count == 1:
            result = Tensor(p.mean(result.value, gone, keepdims=True), result.order)
            continue
        within, length = _parts(c, result, axis, count)
        # What is outside a part counts as nothing, whatever it is.
        result = _reduce_parts(c, result, axis, within, lambda within, x: p.select(within, x, 0.0), p.sum)
        length = p.expand(p.squeeze(length, [1]), list(range(1, x.rank - axis)))
        result = elementwise(c, p.divide, result, from_value(p.cast(length, wide)))
    return cast(result, x.element)


@operation("adaptive_max_pool2d.default", "adaptive_max_pool3d.default")
def _adaptive_max_pool(c: Context, x: Tensor, size: Sequence[Number]) -> tuple[Tensor, Tensor | Missing]:
    """Computes the largest elements of the same parts."""
    p = program
    if not p.is_float(x.element):
        raise Unsupported(f"a pool of {x.element}")

    def largest(value: Value, axes: Sequence[int], keepdims: bool = False) -> Value:
        return p.reduce("max", value, axes, keepdims)

    choose = lambda within, value: p.select(within, value, float("-inf"))
    if c.is_read(1):
        return _largest_of_parts(c, x, [c.number(n) for n in size])
    result = x
    for number, count in enumerate(c.number(n) for n in size):
        axis = x.rank - len(size) + number
        require_elements(c, x, [axis], "pool")
        _, gone, _ = reduced(result, [axis])
        if isinstance(count, int) and count == 1:
            result = Tensor(largest(result.value, gone, keepdims=True), result.order)
        else:
            within, _ = _parts(c, result, axis, count)
            result = _reduce_parts(c, result, axis, within, choose, largest)
    return result, Missing("nothing reads it")


def _largest_of_parts(c: Context, x: Tensor, counts: Sequence[Number]) -> tuple[Tensor, Tensor]:
    """Returns the largest elements of parts, and the places of the first of them in the images: along the last axis
    first, so that of equal ones that of the first row is found."""
    p, value = program, to_value(x)
    places: Value | None = None
    stride: Number = 1
    for count, axis in reversed(list(zip(counts, range(x.rank - len(counts), x.rank)))):
        require_elements(c, x, [axis], "pool")
        size, behind = p.extent(value, axis), value.rank - 1 - axis
        within, _ = _parts(c, from_value(value), axis, count)
        within = p.expand(within, list(range(2, 2 + behind))) if behind else within
        # NaN is more than all numbers.
        parts = p.select(within, p.expand(value, [axis]), float("-inf"))
        line = p.iota(c.builder, size, "i64", axis=1, rank=2 + behind)
        is_nan, largest = p.isnan(parts), p.reduce("max", parts, [axis + 1], True)
        is_best = p.bitwise_and(within, p.bitwise_or(is_nan, p.equal(parts, largest)))
        at = p.reduce("min", p.select(is_best, line, size), [axis + 1])
        own = p.multiply(at, stride)
        value = p.gather_elements(value, at, axis, from_end=False)
        places = own if places is None else p.add(p.gather_elements(places, at, axis, from_end=False), own)
        stride = stride * size
    assert places is not None
    return from_value(value), from_value(places)


def _parts(c: Context, x: Tensor, axis: int, count: Number) -> tuple[program.Value, program.Value]:
    """Divides an axis into `count` parts; returns whether an element is in a part, and how many are: part i is of the
    elements from floor(i * size / count) to ceil((i + 1) * size / count)."""
    p = program
    size = x.extent(axis)
    rows = p.iota(c.builder, count, "i64", axis=0, rank=2)
    columns = p.iota(c.builder, size, "i64", axis=1, rank=2)
    first = p.floor_divide(p.multiply(rows, size), count)
    last = p.floor_divide(p.add(p.multiply(p.add(rows, 1), size), count - 1), count)
    within = p.bitwise_and(p.greater_equal(columns, first), p.less(columns, last))
    return within, p.subtract(last, first)


def _reduce_parts(
    c: Context, x: Tensor, axis: int, weight: program.Value, combine: Callable[..., Value], reduce: Callable[..., Value]
) -> Tensor:
    """Reduces each part along an axis."""
    after = x.rank - 1 - axis
    if after:
        weight = program.expand(weight, list(range(2, 2 + after)))
    parts = elementwise(c, combine, from_value(weight), add_axis(x, axis))
    _, gone, order = reduced(parts, [axis + 1])
    return Tensor(reduce(parts.value, gone), order)
