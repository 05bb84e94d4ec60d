"""Regions of images whose bounds are data: their maxima, and parts of one size that are made of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .. import _program as program
from .._program import Value
from .._tensors._fits import require_extents, require_numbers
from .._tensors._samples import fetch
from .._tensors._sums import wide_type
from .._tensors._tensor import Number, Tensor, from_value
from ._context import Context, Operand, Unsupported, operator
from ._layout import extents_of


def _round(x: Value) -> Value:
    """Rounds to the nearest integer, a half away from 0."""
    p = program
    return p.multiply(p.sign(x), p.floor(p.add(p.absolute(x), 0.5)))


def _cells(count: int, low: Value, high: Value, size: Number) -> tuple[Value, Value]:
    """Returns the first element of each of `count` cells between integers, and the one behind its last, as i64,
    within an axis of `size` elements."""
    p, b, element = program, low.builder, low.element
    length = p.divide(p.maximum(p.add(p.subtract(high, low), 1.0), 1.0), float(count))
    line = p.iota(b, count, element, axis=1, rank=2)
    ends = p.floor(p.multiply(line, length)), p.ceil(p.multiply(p.add(line, 1.0), length))
    first, behind = (
        p.cast(p.clip(p.add(end, low), 0.0, p.cast(p.scalar(b, size, "i64"), element)), "i64") for end in ends
    )
    return first, behind


@operator("MaxRoiPool")
def _max_roi_pool(
    c: Context, x: Operand, rois: Operand, *, pooled_shape: Sequence[int], spatial_scale: float = 1.0
) -> Tensor:
    p, b = program, c.builder
    if x.rank != 4 or len(pooled_shape) != 2:
        raise ValueError(f"its input has {x.rank} axes and its pooled_shape {len(pooled_shape)} elements, not 4 and 2")
    image = c.value(x)
    regions = extents_of(rois)[0]
    require_extents(c, rois, [None, 5], "list of regions")
    given = p.cast(c.value(rois), wide_type(rois.element))
    batches = p.squeeze(p.cast(p.take_slice(given, 1, 0, 1), "i64"), [1])
    ends = [_round(p.multiply(p.take_slice(given, 1, at, 1), spatial_scale)) for at in (2, 4, 1, 3)]
    sizes = p.extents(image)[2:]
    cells = [_cells(pooled_shape[axis], ends[2 * axis], ends[2 * axis + 1], sizes[axis]) for axis in range(2)]
    lengths = [p.subtract(behind, first) for first, behind in cells]
    steps = [p.largest(p.to_number(p.maximum(p.reduce("max", length), 0)), 0) for length in lengths]
    result: list[Number] = [regions, p.extent(image, 1), *pooled_shape]
    least: Any = float("-inf")

    def row(down: Number, carried: list[Any]) -> list[Any]:
        def column(across: Number, carried: list[Any]) -> list[Any]:
            places: list[Any] = [(batches, [0]), 1]
            inside: list[Value] = []
            for axis, at in enumerate((down, across)):
                number = p.scalar(b, at, "i64")
                last = p.maximum(p.scalar(b, sizes[axis] - 1, "i64"), 0)
                places.append((p.minimum(p.add(cells[axis][0], number), last), [0, 2 + axis]))
                inside.append(p.expand(p.less(number, lengths[axis]), [1, 3 - axis]))
            found = fetch(c, image, result, places)
            largest = p.maximum(carried[0], p.select(p.bitwise_and(*inside), found, least))
            return [p.require_shape(largest, result)]

        return list(p.repeat(b, 0, steps[1], carried, column))

    first = p.broadcast_to(c.scalar(least, x.element), result)
    (made,) = p.repeat(b, 0, steps[0], [first], row)
    # A cell of no element has 0.
    is_empty = p.bitwise_or(*(p.expand(p.less_equal(n, 0), [1, 3 - axis]) for axis, n in enumerate(lengths)))
    return from_value(p.select(is_empty, 0.0, made))


@operator("CropAndResize", domain="com.microsoft")
def _crop_and_resize(
    c: Context,
    x: Operand,
    rois: Operand,
    batch_indices: Operand,
    crop_size: Operand,
    *,
    mode: str = "bilinear",
    extrapolation_value: float = 0.0,
) -> Tensor:
    p, b, element = program, c.builder, x.element
    if x.rank != 4:
        raise ValueError(f"its input has {x.rank} axes, not 4")
    if mode not in ("bilinear", "nearest"):
        raise Unsupported(f"its mode is 'bilinear' or 'nearest', not {mode!r}")
    wide = wide_type(element)
    image = p.cast(c.value(x), wide)
    regions = extents_of(rois)[0]
    require_extents(c, rois, [None, 4], "list of regions")
    require_numbers(c, batch_indices, regions, "list of batch indices", "regions")
    batches, given = c.value(batch_indices), p.cast(c.value(rois), wide)
    counts = c.counts(crop_size, "crop_size", 2)
    if len(counts) != 2:
        raise ValueError(f"its crop_size has {len(counts)} elements, not 2")
    result = [regions, p.extent(image, 1), *counts]
    inside, lines = [], []
    for axis, count in enumerate(counts):
        last = p.cast(p.scalar(b, p.extent(image, 2 + axis) - 1, "i64"), wide)
        low, high = (p.multiply(p.take_slice(given, 1, at, 1), last) for at in (axis, axis + 2))
        gaps = p.cast(p.scalar(b, count - 1, "i64"), wide)
        line = p.multiply(p.iota(b, count, wide, axis=1, rank=2), p.divide(p.subtract(high, low), p.maximum(gaps, 1.0)))
        # One element is the middle of the region.
        at = p.add(line, p.select(p.equal(gaps, 0.0), p.multiply(p.add(low, high), 0.5), low))
        inside.append(p.bitwise_and(p.greater_equal(at, 0.0), p.less_equal(at, last)))
        at = p.maximum(p.minimum(at, last), 0.0)
        ends = [_round(at)] if mode == "nearest" else [p.floor(at), p.ceil(at)]
        shares: list[Any] = [None] if mode == "nearest" else [p.subtract(1.0, rest := p.subtract(at, ends[0])), rest]
        lines.append([(p.cast(end, "i64"), share) for end, share in zip(ends, shares)])
    total: Value | None = None
    for row, share in lines[0]:
        for column, own in lines[1]:
            found = fetch(c, image, result, [(batches, [0]), 1, (row, [0, 2]), (column, [0, 3])])
            if share is not None:
                found = p.multiply(found, p.multiply(p.expand(share, [1, 3]), p.expand(own, [1, 2])))
            total = found if total is None else p.add(total, found)
    assert total is not None
    is_inside = p.bitwise_and(p.expand(inside[0], [1, 3]), p.expand(inside[1], [1, 2]))
    return from_value(p.cast(p.select(is_inside, total, extrapolation_value), element))
