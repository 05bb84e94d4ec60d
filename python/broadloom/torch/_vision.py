"""Operations of torchvision: regions of images, and boxes that do not overlap."""

from __future__ import annotations

from typing import Any

from .. import _program as program
from .._program import Value
from .._tensors._counted import positions
from .._tensors._fits import require_extents
from .._tensors._samples import align_regions
from .._tensors._tensor import Number, Tensor, from_value, to_value
from ._context import Context, operation


@operation("torchvision.roi_align.default")
def _roi_align(
    c: Context,
    x: Tensor,
    rois: Tensor,
    spatial_scale: Number,
    pooled_height: Number,
    pooled_width: Number,
    sampling_ratio: Number,
    aligned: bool,
) -> Tensor:
    p, element = program, x.element
    wide = "f64" if element == "f64" else "f32"
    require_extents(c, rois, [None, 5], "list of regions")
    image, given = (p.cast(to_value(v), wide) for v in (x, rois))
    batches = p.cast(p.squeeze(p.take_slice(given, 1, 0, 1), [1]), "i64")
    shape = (pooled_height, pooled_width)
    regions = p.take_slice(given, 1, 1, 4)
    scale = c.scalar(spatial_scale, wide)
    made = align_regions(c, image, regions, batches, shape, sampling_ratio, scale, aligned, True)
    return from_value(p.cast(made, element))


@operation("torchvision.nms.default")
def _nms(c: Context, boxes: Tensor, scores: Tensor, iou_threshold: Number) -> Tensor:
    """Takes the boxes by their scores, and leaves out those that overlap one that is taken."""
    p, b = program, c.builder
    count = scores.extent(0)
    require_extents(c, boxes, [count, 4], "boxes")
    _, order = p.sort(to_value(scores), 0, descending=True)
    order = p.cast(order, "i64")
    ordered = p.take(to_value(boxes), order, 0, from_end=False)
    left, top, right, bottom = (p.squeeze(p.take_slice(ordered, 1, at, 1), [1]) for at in range(4))
    area = p.multiply(p.subtract(right, left), p.subtract(bottom, top))
    line = p.iota(b, count, "i64")

    def step(at: Number, carried: list[Any]) -> list[Any]:
        (is_out,) = carried

        def own(edge: Value) -> Value:
            return p.take_slice(edge, 0, at, 1)

        width = p.subtract(p.minimum(right, own(right)), p.maximum(left, own(left)))
        height = p.subtract(p.minimum(bottom, own(bottom)), p.maximum(top, own(top)))
        both = p.multiply(p.maximum(width, 0.0), p.maximum(height, 0.0))
        overlap = p.divide(both, p.subtract(p.add(own(area), area), both))
        is_later = p.greater(line, p.scalar(b, at, "i64"))
        is_hit = p.bitwise_and(p.greater(overlap, c.scalar(iou_threshold, area.element)), is_later)
        hit: Value = p.bitwise_and(is_hit, p.bitwise_not(own(is_out)))
        return [p.require_shape(p.bitwise_or(is_out, hit), [count])]

    (is_out,) = p.repeat(b, 0, count, [p.less(line, 0)], step)
    return from_value(p.take(order, positions(p.bitwise_not(is_out)), 0, from_end=False))
