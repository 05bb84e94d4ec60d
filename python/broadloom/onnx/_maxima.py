"""The maxima of windows, and where they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .. import _program as program
from .._tensors import _maxima
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
    """Returns the largest element of each window, and its place in the whole tensor."""
    p, b, element, sizes = program, c.builder, x.element, x.extents
    least: Any = float("-inf") if p.is_float(element) else False if element == "i1" else p.limits(element)[0]
    padded = to_value(pad_window(c, x, low, high, least))
    counts: list[Number] = []
    for axis, size in enumerate(frame):
        rest = p.extent(padded, axis + 2) - (size - 1) * dilations[axis] - 1
        p.require(b, "sge", rest, 0, "the window is larger than the padded image")
        counts.append(rest // strides[axis] + 1)
    best, where = _maxima.find_maxima(padded, frame, strides, dilations, counts)
    found = _maxima.number_places(where, sizes[2:], frame, strides, dilations, low, is_column_major)
    images = p.multiply(p.iota(b, sizes[0], "i64", axis=0, rank=x.rank), sizes[1])
    images = p.add(images, p.iota(b, sizes[1], "i64", axis=1, rank=x.rank))
    return from_value(best), from_value(p.add(found, p.multiply(images, p.product(sizes[2:]))))
