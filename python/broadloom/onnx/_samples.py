"""Regions of images, and convolutions whose windows move by data: elements between those of an image."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .. import _program as program
from .._program import Value
from .._tensors._convolutions import known_shape
from .._tensors._fits import require_extents, require_numbers
from .._tensors._samples import align_regions, fetch
from .._tensors._tensor import Held, Number, Tensor, from_value
from ._context import Context, Operand, Unsupported, operator
from ._images import each, read_pads
from ._layout import extents_of

# Regions.


@operator("RoiAlign", since=10)
def _old_roi_align(
    c: Context,
    x: Operand,
    rois: Operand,
    batch_indices: Operand,
    *,
    mode: str = "avg",
    output_height: int = 1,
    output_width: int = 1,
    sampling_ratio: int = 0,
    spatial_scale: float = 1.0,
) -> Tensor:
    return _align(c, x, rois, batch_indices, mode, (output_height, output_width), sampling_ratio, spatial_scale, False)


@operator("RoiAlign", since=16)
def _roi_align(
    c: Context,
    x: Operand,
    rois: Operand,
    batch_indices: Operand,
    *,
    coordinate_transformation_mode: str = "half_pixel",
    mode: str = "avg",
    output_height: int = 1,
    output_width: int = 1,
    sampling_ratio: int = 0,
    spatial_scale: float = 1.0,
) -> Tensor:
    if coordinate_transformation_mode not in ("half_pixel", "output_half_pixel"):
        raise Unsupported(f"its coordinate_transformation_mode {coordinate_transformation_mode!r}")
    is_half = coordinate_transformation_mode == "half_pixel"
    shape = (output_height, output_width)
    return _align(c, x, rois, batch_indices, mode, shape, sampling_ratio, spatial_scale, is_half)


def _align(
    c: Context,
    x: Operand,
    rois: Operand,
    batch_indices: Operand,
    mode: str,
    shape: tuple[int, int],
    ratio: int,
    scale: float,
    is_half: bool,
) -> Tensor:
    p, element = program, x.element
    if x.rank != 4:
        raise ValueError(f"its input has {x.rank} axes, not 4")
    if mode not in ("avg", "max"):
        raise Unsupported(f"its mode is 'avg' or 'max', not {mode!r}")
    wide = "f64" if element == "f64" else "f32"
    image = p.cast(c.value(x), wide)
    regions = extents_of(rois)[0]
    require_extents(c, rois, [None, 4], "list of regions")
    require_numbers(c, batch_indices, regions, "list of batch indices", "regions")
    given, batches = p.cast(c.value(rois), wide), c.value(batch_indices)
    found = align_regions(c, image, given, batches, shape, ratio, scale, is_half, mode == "avg")
    return from_value(p.cast(found, element))


# Convolutions.


@operator("DeformConv", since=19)
def _deform_conv(
    c: Context,
    x: Operand,
    weight: Operand,
    offset: Operand,
    bias: Operand | None = None,
    mask: Operand | None = None,
    *,
    dilations: Sequence[int] | None = None,
    group: int = 1,
    kernel_shape: Sequence[int] | None = None,
    offset_group: int = 1,
    pads: Sequence[int] | None = None,
    strides: Sequence[int] | None = None,
) -> Tensor:
    p, b, element = program, c.builder, x.element
    own = weight if isinstance(weight, Held) else c.tensor(weight)
    outputs, inputs, *frame = known_shape(own)
    if x.rank != 4 or len(frame) != 2:
        raise Unsupported(f"a deformable convolution over {x.rank - 2} axes; 2 are there")
    if kernel_shape is not None and list(kernel_shape) != list(frame):
        raise ValueError(f"kernel_shape is {list(kernel_shape)}, but the weight has the window {list(frame)}")
    steps, spread, borders = each(strides, 2), each(dilations, 2), read_pads(pads, 2)
    wide = "f64" if element == "f64" else "f32"
    image = p.cast(c.value(x), wide)
    batch, channels, *sizes = p.extents(image)
    p.require(b, "eq", channels, inputs * group, f"{c.named(0)} has {{0}} channels, but the weight takes {{1}}")
    if outputs % group or (inputs * group) % offset_group:
        raise ValueError(f"{group} groups and {offset_group} groups of offsets of {inputs * group} channels")
    counts = [
        p.largest(
            (size + borders[axis] + borders[axis + 2] - (frame[axis] - 1) * spread[axis] - 1) // steps[axis] + 1, 0
        )
        for axis, size in enumerate(sizes)
    ]
    taps = frame[0] * frame[1]
    require_extents(c, offset, [batch, offset_group * taps * 2, *counts], "offset")
    require_extents(c, mask, [batch, offset_group * taps, *counts], "mask")
    require_numbers(c, bias, outputs, "bias", "channels of the result")
    # [batch, groups of offsets, taps, rows or columns, height, width]
    moved = p.reshape(p.cast(c.value(offset), wide), [batch, offset_group, taps, 2, *counts])
    coordinates = []
    for axis in range(2):
        starts = p.multiply(p.iota(b, counts[axis], wide, axis=3 + axis, rank=5), float(steps[axis]))
        line = p.iota(b, taps, "i64", axis=2, rank=5)
        tap = p.truncate_divide(line, frame[1]) if axis == 0 else p.remainder(line, frame[1])
        at = p.subtract(p.multiply(p.cast(tap, wide), float(spread[axis])), float(borders[axis]))
        coordinates.append(p.add(p.add(p.squeeze(p.take_slice(moved, 3, axis, 1), [3]), starts), at))
    per_group = inputs * group // offset_group
    split = p.reshape(image, [batch, offset_group, per_group, *sizes])
    columns = _sample(c, split, coordinates, [batch, offset_group, per_group, taps, *counts])
    if mask is not None:
        shares = p.reshape(p.cast(c.value(mask), wide), [batch, offset_group, 1, taps, *counts])
        columns = p.multiply(columns, shares)
    matrix = p.reshape(columns, [batch, group, inputs * taps, p.product(counts)])
    kernel = p.reshape(p.cast(c.value(own), wide), [group, outputs // group, inputs * taps])
    made = p.reshape(p.matmul(kernel, matrix), [batch, outputs, *counts])
    if bias is not None:
        made = p.add(made, p.expand(p.cast(c.value(bias), wide), [1, 2]))
    return from_value(p.cast(made, element))


def _sample(c: Context, x: Value, coordinates: Sequence[Value], shape: Sequence[Number]) -> Value:
    """Reads between the elements of images; what is outside of them is 0."""
    p = program
    sizes = p.extents(x)[3:]
    lines = []
    for at, size in zip(coordinates, sizes):
        low = p.floor(at)
        rest = p.subtract(at, low)
        ways = []
        for place, share in ((low, p.subtract(1.0, rest)), (p.add(low, 1.0), rest)):
            # Beyond the integers there is no image.
            index = p.cast(place, "i64")
            inside = p.bitwise_and(p.greater_equal(index, 0), p.less(index, size))
            ways.append((p.maximum(p.minimum(index, size - 1), 0), p.select(inside, share, 0.0)))
        lines.append(ways)
    total: Value | None = None
    axes = [0, 1, 3, 4, 5]
    for row, share in lines[0]:
        for column, own in lines[1]:
            places: list[Any] = [0, 1, 2, (row, axes), (column, axes)]
            weight = p.expand(p.multiply(share, own), [2])
            part = p.multiply(fetch(c, x, shape, places), weight)
            total = part if total is None else p.add(total, part)
    assert total is not None
    return total
