"""The maxima of windows, and where they are."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from .. import _program as program
from .._program import Value
from .._tensors._tensor import Number, Tensor, from_value, to_value
from ._context import Context
from ._images import pad_window


def find_maxima(
    c: Context,
    x: Tensor,
    frame: Sequence[int],
    strides: Sequence[int],
    dilations: Sequence[int],
    low: Sequence[Number],
    high: Sequence[Number],
    is_column_major: bool,
) -> tuple[Tensor, Tensor]:
    """Compares the elements of each window, one of all windows after the other."""
    p, element = program, x.element
    least: Any = float("-inf") if p.is_float(element) else False if element == "i1" else p.limits(element)[0]
    padded = to_value(pad_window(c, x, low, high, least))
    counts: list[Number] = []
    for axis, size in enumerate(frame):
        rest = p.extent(padded, axis + 2) - (size - 1) * dilations[axis] - 1
        p.require(c.builder, "sge", rest, 0, "the window is larger than the padded image")
        counts.append(rest // strides[axis] + 1)
    best: Value | None = None
    where: Value | None = None
    for number, tap in enumerate(itertools.product(*map(range, frame))):
        own = padded
        for axis, at in enumerate(tap):
            own = p.take_slice(own, axis + 2, at * dilations[axis], counts[axis], strides[axis])
        if best is None or where is None:
            best, where = own, p.broadcast_to(c.scalar(0, "i64"), p.extents(own))
            continue
        is_more = p.greater(own, best)
        if p.is_float(element):
            is_more = p.bitwise_or(is_more, p.bitwise_and(p.isnan(own), p.bitwise_not(p.isnan(best))))
        best, where = p.select(is_more, own, best), p.select(is_more, number, where)
    assert best is not None and where is not None
    return from_value(best), from_value(_number_places(c, x, where, frame, strides, dilations, low, is_column_major))


def _number_places(
    c: Context,
    x: Tensor,
    where: Value,
    frame: Sequence[int],
    strides: Sequence[int],
    dilations: Sequence[int],
    low: Sequence[Number],
    is_column_major: bool,
) -> Value:
    """Returns the places of chosen elements in the whole image, of the numbers that they have in their windows."""
    p, b, rank = program, c.builder, x.rank
    sizes = x.extents
    order = list(range(2, rank))[::-1] if is_column_major else list(range(2, rank))
    found: Value | None = None
    for axis in order:
        inner = p.product(frame[axis - 1 :])
        at = p.remainder(where if inner == 1 else p.truncate_divide(where, inner), frame[axis - 2])
        line = p.multiply(p.iota(b, p.extent(where, axis), "i64", axis=axis, rank=rank), strides[axis - 2])
        place = p.add(p.multiply(at, dilations[axis - 2]), p.subtract(line, low[axis - 2]))
        found = place if found is None else p.add(p.multiply(found, sizes[axis]), place)
    assert found is not None
    images = p.multiply(p.iota(b, sizes[0], "i64", axis=0, rank=rank), sizes[1])
    images = p.add(images, p.iota(b, sizes[1], "i64", axis=1, rank=rank))
    return p.add(found, p.multiply(images, p.product(sizes[2:])))
