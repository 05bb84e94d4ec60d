"""Operators that give as many elements as data decides: a call counts them, and this number is an extent."""

from __future__ import annotations

import numpy as np

from .. import _program as program
from .._program import Value
from .._tensors._boxes import Boxes, keep_apart
from .._tensors._counted import as_rows, flatten, group_rows, is_true, positions, split_places
from .._tensors._fits import require_extents
from .._tensors._tensor import Tensor, from_value
from ._context import Context, Known, fold, from_rank, operator


@operator("NonZero", since=9)
def _non_zero(c: Context, x: Tensor | Known) -> Tensor | Known:
    p = program
    if isinstance(x, Known) and x.is_number:
        return Known(np.array(np.nonzero(np.atleast_1d(x.array)), np.int64), "i64")
    value = c.value(x)
    shape = p.extents(value) or [1]
    at = positions(flatten(is_true(value)))
    return from_value(p.concat([p.expand(row, [0]) for row in split_places(at, shape)], 0))


@operator("Compress", since=9)
def _compress(c: Context, x: Tensor | Known, condition: Tensor | Known, *, axis: int | None = None) -> Tensor | Known:
    p = program
    if condition.rank != 1:
        raise ValueError(f"its condition has {condition.rank} axes, not 1")
    if axis is not None:
        axis = from_rank(axis, x.rank)
    if isinstance(condition, Known) and condition.is_number:
        kept = condition.array.astype(bool)
        found = fold(lambda x: np.compress(kept, x, axis), x.element, x)
        if found is not None:
            return found
        at = c.builder.constant(np.nonzero(kept)[0].astype(np.int64), "i64")
    else:
        at = positions(is_true(c.value(condition)))
    value = c.value(x)
    if axis is None:
        value, axis = flatten(value), 0
    # A condition may be shorter than the axis, but not longer: indices beyond it are an error.
    return from_value(p.take(value, at, axis, from_end=False))


@operator("Unique", since=11)
def _unique(c: Context, x: Tensor | Known, *, axis: int | None = None, sorted: int = 1) -> tuple[Tensor, ...]:
    return find_unique(c, x, axis, bool(sorted))[: max(c.outputs, 1)]


def find_unique(c: Context, x: Tensor | Known, axis: int | None, is_sorted: bool) -> tuple[Tensor, ...]:
    """Returns what differs along an axis, or in the flat tensor, in its order or in that in which it is found, the
    first place of each, the number of each element's, and how many there are of each."""
    p, b = program, c.builder
    value = c.value(x)
    if axis is None:
        value, axis = flatten(value), 0
    axis = from_rank(axis, value.rank)
    found, inverse, counts = group_rows(as_rows(value, axis), is_sorted=True, is_nan_one=True)
    if not is_sorted:
        found, moved = p.sort(found, 0)
        counts = p.take(counts, moved, 0, from_end=False)
        places = p.scatter(p.multiply(moved, 0), p.iota(b, p.extent(moved, 0), "i64"), [(moved, [0])], from_end=False)
        inverse = p.take(places, inverse, 0, from_end=False)
    made = (p.take(value, found, axis, from_end=False), found, inverse, counts)
    return tuple(map(from_value, made))


# Boxes.


def _read_threshold(c: Context, overlap: Tensor | Known) -> Value:
    """Returns the overlap from which on a box is left out, a scalar of f32. A part of an area is from 0 to 1."""
    p = program
    if isinstance(overlap, Known) and overlap.is_number:
        given = c.constant(overlap, "iou_threshold").item()
        if not 0 <= given <= 1:
            raise ValueError(f"its iou_threshold is {given:g}, but it must be from 0 to 1")
    limit = p.cast(c.value(overlap), "f32")
    p.require_true(
        p.bitwise_and(p.greater_equal(limit, 0.0), p.less_equal(limit, 1.0)), "the iou_threshold must be from 0 to 1"
    )
    return limit


@operator("NonMaxSuppression", since=10)
def _non_max_suppression(
    c: Context,
    boxes: Tensor | Known,
    scores: Tensor | Known,
    most: Tensor | Known | None = None,
    overlap: Tensor | Known | None = None,
    least: Tensor | Known | None = None,
    *,
    center_point_box: int = 0,
) -> Tensor:
    p, b = program, c.builder
    if center_point_box not in (0, 1):
        raise ValueError(f"its attribute 'center_point_box' is {center_point_box}, but it must be 0 or 1")
    score, given = p.cast(c.value(scores), "f32"), p.cast(c.value(boxes), "f32")
    if score.rank != 3:
        raise ValueError(f"the scores have {score.rank} axes, not 3")
    batches, classes, count = p.extents(score)
    require_extents(c, from_value(given), [batches, count, 4], "boxes")
    limit = p.scalar(b, 0, "f32") if overlap is None else _read_threshold(c, overlap)
    is_open = p.equal(score, score)
    if least is not None:
        is_open = p.greater(score, p.cast(c.value(least), "f32"))
    wanted = p.largest(0 if most is None else c.number(most, "max_output_boxes_per_class"), 0)
    # Only boxes of a score that is large enough are looked at, the best first; NaN is behind all numbers.
    lines = classes * batches
    counts = p.reshape(p.sum(p.cast(is_open, "i64"), [2]), [lines])
    candidates = p.smallest(p.largest(p.to_number(p.reduce("max", counts)), 0), count)
    order = p.sort(p.select(is_open, p.negative(score), float("nan")), 2, candidates)[1]
    flat = p.reshape(order, [batches, classes * candidates])
    corners = p.gather_elements(
        given, p.broadcast_to(p.expand(flat, [2]), [batches, classes * candidates, 4]), 1, from_end=False
    )
    steps = p.smallest(wanted, candidates)
    boxes_in_order = Boxes(p.reshape(corners, [lines, candidates, 4]), bool(center_point_box))
    rows, numbers = keep_apart(boxes_in_order, counts, steps, limit)
    picked = p.gather_elements(p.reshape(order, [lines, candidates]), rows, 1, from_end=False)
    is_kept = p.less(p.iota(b, steps, "i64", axis=1, rank=2), p.expand(numbers, [1]))
    picked = flatten(p.select(is_kept, picked, -1))
    # As many as a class may keep, or as it has, is known before a call (sf-7).
    largest = lines * (p.smallest(wanted, count) if isinstance(wanted, int) else count)
    at = positions(p.greater_equal(picked, 0), largest)
    divisor = p.largest(steps, 1)
    line_of_class = p.truncate_divide(at, divisor)
    many = p.largest(classes, 1)
    columns = (
        p.truncate_divide(line_of_class, many),
        p.remainder(line_of_class, many),
        p.take(picked, at, 0, from_end=False),
    )
    return from_value(p.concat([p.expand(column, [1]) for column in columns], 1))
