"""Regions of images, and convolutions whose windows move by data: elements between those of an image."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .. import _program as program
from .._program import Value
from .._tensors._convolutions import known_shape
from .._tensors._fits import require_extents, require_numbers
from .._tensors._tensor import Held, Number, Tensor, from_value
from ._context import Context, Operand, Unsupported, operator
from ._images import each
from ._layout import extents_of


def fetch(c: Context, x: Value, shape: Sequence[Number], places: Sequence[int | tuple[Value, Sequence[int]]]) -> Value:
    """Reads an element of x for each place of a shape: along each axis of x at the index of an axis of the result, or
    at integers, of which the axes are those of the result that are listed."""
    inputs = [place for place in places if not isinstance(place, int)]
    origin = c.builder.origin()

    def code(body: Any, point: Sequence[str], *found: str) -> str:
        names = iter(found)
        chosen = [
            point[place] if isinstance(place, int) else program.to_index(body, next(names), place[0].element)
            for place in places
        ]
        text: str = body.make("tensor.extract {}[{}]{} : {}", x.name, chosen, origin, x.type)
        return text

    return program.elements(c.builder, shape, x.element, inputs, code)


# Regions.


class _Line:
    """The two elements beside each coordinate of an axis, and how far it is from them."""

    def __init__(self, at: Value, size: Number, whole: Value):
        p = program
        #: Coordinates that are too far outside read nothing.
        self.inside = p.bitwise_and(p.greater_equal(at, -1.0), p.less_equal(at, whole))
        at = p.maximum(at, 0.0)
        low = p.cast(p.floor(p.minimum(at, whole)), "i64")
        is_last = p.greater_equal(low, size - 1)
        first = p.maximum(p.select(is_last, size - 1, low), 0)
        rest = p.select(is_last, 0.0, p.subtract(at, p.cast(first, at.element)))
        self.places = first, p.select(is_last, first, p.add(first, 1))
        self.weights = p.subtract(1.0, rest), rest


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
    p, b, element = program, c.builder, x.element
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
    ends = [p.subtract(p.multiply(p.take_slice(given, 1, at, 1), scale), 0.5 if is_half else 0.0) for at in range(4)]
    sizes = p.extents(image)[2:]
    starts, bins, grids = [], [], []
    for axis, count in enumerate(shape):
        low, high = ends[1 - axis], ends[3 - axis]
        length = p.subtract(high, low)
        # Regions that are no larger than this are of one element.
        length = length if is_half else p.maximum(length, 1.0)
        starts.append(low)
        bins.append(p.divide(length, float(count)))
        known = p.broadcast_to(c.scalar(ratio, "i64"), [regions, 1])
        grids.append(known if ratio > 0 else p.maximum(p.cast(p.ceil(bins[-1]), "i64"), 0))
    steps = [ratio if ratio > 0 else p.largest(c.extract(p.reduce("max", grid), 0), 0) for grid in grids]
    result: list[Number] = [regions, p.extent(image, 1), *shape]

    def line(axis: int, at: Number) -> tuple[_Line, Value]:
        whole = p.scalar(b, sizes[axis], wide)
        number = p.add(p.cast(p.scalar(b, at, "i64"), wide), 0.5)
        inner = p.divide(p.multiply(number, bins[axis]), p.cast(p.maximum(grids[axis], 1), wide))
        cells = p.multiply(p.iota(b, shape[axis], wide, axis=1, rank=2), bins[axis])
        return _Line(p.add(p.add(starts[axis], cells), inner), sizes[axis], whole), p.less(
            p.scalar(b, at, "i64"), grids[axis]
        )

    def row(at: Number, carried: list[Any]) -> list[Any]:
        down, is_row = line(0, at)

        def column(at: Number, carried: list[Any]) -> list[Any]:
            across, is_column = line(1, at)
            inside = p.bitwise_and(p.expand(down.inside, [1, 3]), p.expand(across.inside, [1, 2]))
            parts = []
            for low, share in zip(down.places, down.weights):
                for left, own in zip(across.places, across.weights):
                    places: list[Any] = [(batches, [0]), 1, (low, [0, 2]), (left, [0, 3])]
                    weight = p.multiply(p.expand(share, [1, 3]), p.expand(own, [1, 2]))
                    parts.append(p.multiply(fetch(c, image, result, places), p.select(inside, weight, 0.0)))
            is_one = p.expand(p.bitwise_and(is_row, is_column), [2, 3])
            if mode == "avg":
                total = p.add(p.add(parts[0], parts[1]), p.add(parts[2], parts[3]))
                made = p.add(carried[0], p.select(is_one, total, 0.0))
            else:
                largest = p.maximum(p.maximum(parts[0], parts[1]), p.maximum(parts[2], parts[3]))
                made = p.maximum(carried[0], p.select(is_one, largest, float("-inf")))
            return [p.require_shape(made, result)]

        return list(p.repeat(b, 0, steps[1], carried, column))

    first = p.broadcast_to(c.scalar(0.0 if mode == "avg" else float("-inf"), wide), result)
    (found,) = p.repeat(b, 0, steps[0], [first], row)
    read = p.expand(p.multiply(*grids), [2, 3])
    if mode == "avg":
        found = p.divide(found, p.cast(p.maximum(read, 1), wide))
    else:
        found = p.select(p.equal(read, 0), 0.0, found)
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
    steps, spread, borders = each(strides, 2), each(dilations, 2), [0] * 4 if pads is None else list(pads)
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
