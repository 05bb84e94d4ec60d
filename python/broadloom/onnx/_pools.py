"""Pools."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence
from operator import add
from typing import Any

from .. import _program as program
from .._program import Value
from .._tensors._making import reduced
from .._tensors._pools import divide_by_counts, slide
from .._tensors._sums import cast, wide_type
from .._tensors._tensor import Number, Tensor
from ._context import Context, Operand, Unsupported, operator
from ._images import each, window_pads
from ._maxima import find_maxima

_GLOBAL = {
    "GlobalAveragePool": program.mean,
    "GlobalMaxPool": lambda x, a, keepdims: program.reduce("max", x, a, keepdims),
}


def _global(c: Context, x: Operand, function: Callable[..., Any]) -> Tensor:
    x = c.tensor(x)
    wide = cast(x, wide_type(x.element))
    _, gone, _ = reduced(wide, list(range(2, x.rank)))
    return cast(Tensor(function(wide.value, gone, keepdims=True), wide.order), x.element)


@operator("GlobalAveragePool", "GlobalMaxPool")
def _global_pool(c: Context, x: Operand) -> Tensor:
    if c.node.operation == "GlobalMaxPool":
        x = c.tensor(x)
        for axis in range(2, x.rank):
            program.require(
                c.builder, "sge", x.extent(axis), 1, f"axis {axis} has {{0}} elements, of which none is the largest"
            )
    return _global(c, x, _GLOBAL[c.node.operation])


@operator("GlobalLpPool", since=2)
def _global_lp_pool(c: Context, x: Operand, *, p: int = 2) -> Tensor:
    def code(x: Value, axes: Sequence[int], keepdims: bool) -> Value:
        return _root(program.reduce("sum", _power(x, p), axes, keepdims), p)

    return _global(c, x, code)


def _power(x: program.Value, order: float) -> program.Value:
    return program.power(program.absolute(x), order) if order != 1 else program.absolute(x)


def _root(x: program.Value, order: float) -> program.Value:
    return x if order == 1 else program.sqrt(x) if order == 2 else program.power(x, 1 / order)


@dataclasses.dataclass(frozen=True)
class _Window:
    """The window of a pool, and the padding around the image."""

    frame: Sequence[int]
    strides: Sequence[int]
    dilations: Sequence[int]
    low: Sequence[Number]
    high: Sequence[Number]


def _pool(c: Context, kind: str, x: Tensor, window: _Window, ceil_mode: int) -> Tensor:
    """Pools the padded image; with ceil_mode a last window may end behind it."""
    high = _with_overhangs(x, window, window.high) if ceil_mode else window.high
    return slide(c, kind, x, window.frame, window.strides, window.dilations, window.low, high)


def _with_overhangs(x: Tensor, window: _Window, high: Sequence[Number]) -> list[Number]:
    """Adds to a padding how far the last window ends behind the window's own along each axis."""
    parts = zip(window.frame, window.strides, window.dilations, window.low, window.high)
    return list(map(add, high, [_overhang(x.extent(axis), *numbers) for axis, numbers in enumerate(parts, 2)]))


def _overhang(size: Number, frame: int, stride: int, dilation: int, low: Number, high: Number) -> Number:
    """Computes how far the last window ends behind the padding; it must begin before that."""
    rest = size + low + high - (frame - 1) * dilation - 1
    count = program.divide_up(rest, stride) + 1
    if isinstance(count, int) and isinstance(size, int) and isinstance(low, int):
        count -= (count - 1) * stride >= size + low
    else:
        # A window that begins behind the image is none.
        count = program.smallest(count, program.divide_up(size + low, stride))
    return program.largest((count - 1) * stride - rest, 0)


def _read(
    c: Context,
    x: Operand,
    kernel_shape: Sequence[int],
    strides: Sequence[int] | None,
    dilations: Sequence[int] | None,
    pads: Sequence[int] | None,
    auto_pad: str,
) -> tuple[Tensor, _Window]:
    x = c.tensor(x)
    rank = x.rank - 2
    if len(kernel_shape) != rank or rank < 1:
        raise ValueError(f"kernel_shape {list(kernel_shape)} is no window of {rank} axes")
    if min(kernel_shape) < 1:
        raise ValueError(f"kernel_shape {list(kernel_shape)} is a window without elements")
    strides, dilations = each(strides, rank), each(dilations, rank)
    low, high = window_pads(x, kernel_shape, strides, dilations, pads, auto_pad)
    return x, _Window(list(kernel_shape), strides, dilations, low, high)


@operator("MaxPool")
def _max_pool(
    c: Context,
    x: Operand,
    *,
    kernel_shape: Sequence[int],
    auto_pad: str = "NOTSET",
    ceil_mode: int = 0,
    dilations: Sequence[int] | None = None,
    pads: Sequence[int] | None = None,
    storage_order: int = 0,
    strides: Sequence[int] | None = None,
) -> Tensor | tuple[Tensor, ...]:
    if c.outputs > 1:
        x, window = _read(c, x, kernel_shape, strides, dilations, pads, auto_pad)
        high = _with_overhangs(x, window, window.high) if ceil_mode else window.high
        return find_maxima(c, x, window.frame, window.strides, window.dilations, window.low, high, bool(storage_order))
    if not program.is_float(x.element):
        return _max_pool_of_integers(c, x, kernel_shape, strides, dilations, pads, auto_pad, ceil_mode)
    x, window = _read(c, x, kernel_shape, strides, dilations, pads, auto_pad)
    return _pool(c, "max", x, window, ceil_mode)


def _max_pool_of_integers(
    c: Context,
    x: Operand,
    kernel_shape: Sequence[int],
    strides: Sequence[int] | None,
    dilations: Sequence[int] | None,
    pads: Sequence[int] | None,
    auto_pad: str,
    ceil_mode: int,
) -> Tensor:
    element = x.element
    if program.width(element) > 16:
        raise Unsupported(f"a pool of {element}")
    wide = cast(c.tensor(x), "f32")
    x, window = _read(c, wide, kernel_shape, strides, dilations, pads, auto_pad)
    return cast(_pool(c, "max", x, window, ceil_mode), element)


@operator("AveragePool", since=7)
def _average_pool(
    c: Context,
    x: Operand,
    *,
    kernel_shape: Sequence[int],
    auto_pad: str = "NOTSET",
    ceil_mode: int = 0,
    count_include_pad: int = 0,
    dilations: Sequence[int] | None = None,
    pads: Sequence[int] | None = None,
    strides: Sequence[int] | None = None,
) -> Tensor:
    x, window = _read(c, x, kernel_shape, strides, dilations, pads, auto_pad)
    element = x.element
    x = cast(x, wide_type(element))
    total = _pool(c, "sum", x, window, ceil_mode)
    if not ceil_mode and (count_include_pad or (_is_zero(window.low) and _is_zero(window.high))):
        count = float(math.prod(window.frame))
        return cast(Tensor(program.divide(total.value, count), total.order), element)
    none, padding = [0] * len(window.low), (window.low, window.high)
    inside, around = (padding, (none, none)) if count_include_pad else ((none, none), padding)

    def pool(ones: Tensor) -> Tensor:
        before, behind = around
        if ceil_mode:
            behind = _with_overhangs(x, window, behind)
        return slide(c, "sum", ones, window.frame, window.strides, window.dilations, before, behind)

    return cast(divide_by_counts(c, total, x, list(zip(*inside)), pool), element)


def _is_zero(numbers: Sequence[Number]) -> bool:
    return all(isinstance(n, int) and n == 0 for n in numbers)


@operator("LpPool", since=2)
def _lp_pool(
    c: Context,
    x: Operand,
    *,
    kernel_shape: Sequence[int],
    auto_pad: str = "NOTSET",
    ceil_mode: int = 0,
    dilations: Sequence[int] | None = None,
    p: int = 2,
    pads: Sequence[int] | None = None,
    strides: Sequence[int] | None = None,
) -> Tensor:
    x, window = _read(c, x, kernel_shape, strides, dilations, pads, auto_pad)
    element = x.element
    wide = cast(x, wide_type(element))
    total = _pool(c, "sum", Tensor(_power(wide.value, p), wide.order), window, ceil_mode)
    return cast(Tensor(_root(total.value, p), total.order), element)
