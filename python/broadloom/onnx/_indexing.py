"""Operators whose indices are data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import _program as program
from .._tensors._fits import require_numbers
from .._tensors._tensor import Number, Tensor, from_value
from .._tensors._views import drop_axes, part, view
from ._context import Context, Known, Operand, Unsupported, from_rank, operator
from ._data import require_within


@operator("Gather")
def _gather(c: Context, x: Operand, indices: Operand, *, axis: int = 0) -> Operand:
    axis = from_rank(axis, x.rank)
    if isinstance(indices, Known) and indices.is_number:
        at = indices.array.astype(np.int64)
        if isinstance(x, Known) and x.is_small:
            return Known(np.take(x.array, at, axis), x.element)
        if at.size == 1 and isinstance(x, Tensor):
            return _pick_one(c, x, axis, int(at.reshape(())[()]), at.ndim)
    return from_value(program.take(c.value(x), c.value(indices), axis))


def _pick_one(c: Context, x: Tensor, axis: int, index: int, rank: int) -> Tensor:
    """Takes one index of an axis, which is a slice."""
    one = part(x, axis, program.from_start(index, x.extent(axis)), 1)
    if rank == 0:
        return drop_axes(one, [axis])
    shape = one.extents
    return view(c, one, shape[:axis] + [1] * rank + shape[axis + 1 :])


@operator("GatherElements", since=11)
def _gather_elements(c: Context, x: Operand, indices: Operand, *, axis: int = 0) -> Tensor:
    axis = from_rank(axis, x.rank)
    return from_value(program.gather_elements(c.value(x), c.value(indices), axis))


@operator("GatherND", since=11)
def _gather_nd(c: Context, x: Operand, indices: Operand, *, batch_dims: int = 0) -> Tensor:
    p = program
    x, indices = c.value(x), c.value(indices)
    depth = indices.extents[-1]
    if not isinstance(depth, int):
        raise Unsupported("the last axis of its indices has an open extent")
    if batch_dims + depth > x.rank:
        raise ValueError(f"indices for {depth} axes do not fit {x.rank - batch_dims} axes")
    lead = p.extents(indices)[:-1]
    if batch_dims > len(lead):
        raise ValueError(f"batch_dims {batch_dims} of indices with {indices.rank} axes")
    for axis in range(batch_dims):
        what = f"axis {axis}, of which batches are, has {{0}} elements in the indices, but {{1}} in the data"
        p.require(c.builder, "eq", lead[axis], p.extent(x, axis), what)
    rest = list(range(batch_dims + depth, x.rank))
    shape = [*lead, *(p.extent(x, axis) for axis in rest)]
    parts = []
    for number in range(depth):
        one = p.squeeze(p.take_slice(indices, indices.rank - 1, number, 1), [indices.rank - 1])
        parts.append(p.wrap_indices(one, p.extent(x, batch_dims + number)))
    is_number = not shape
    if is_number:
        lead, shape, parts = [1], [1], [p.expand(one, [0]) for one in parts]
    origin = c.builder.origin()

    def code(body: p.Body, point: Sequence[str], *found: str) -> str:
        chosen = [
            *point[:batch_dims],
            *(p.to_index(body, name, value.element) for name, value in zip(found, parts)),
            *point[len(lead) :],
        ]
        return body.make("tensor.extract {}[{}]{} : {}", x.name, chosen, origin, x.type)

    made = p.elements(c.builder, shape, x.element, [(v, range(len(lead))) for v in parts], code)
    return from_value(p.reshape(made, []) if is_number else made)


# Sorting.


@operator("TopK", since=1)
def _old_topk(c: Context, x: Operand, *, k: int, axis: int = -1) -> tuple[Tensor, ...]:
    return _topk(c, x, k, axis, True)


@operator("TopK", since=10)
def _topk_by_input(c: Context, x: Operand, k: Operand, *, axis: int = -1) -> Any:
    return _topk(c, x, c.count(k, "k"), axis, True)


@operator("TopK", since=11)
def _new_topk(
    c: Context, x: Operand, k: Operand, *, axis: int = -1, largest: int = 1, sorted: int = 1
) -> tuple[Tensor, ...]:
    return _topk(c, x, c.count(k, "k"), axis, bool(largest))


def _topk(c: Context, x: Operand, count: Number, axis: int, largest: bool) -> tuple[Tensor, ...]:
    x = c.value(x)
    axis = from_rank(axis, x.rank)
    if not isinstance(count, int):
        # Shape queries tell that there are at most as many as the axis has. sf-7
        size = program.extent(x, axis)
        program.require(c.builder, "sle", count, size, f"its k is {{0}}, but axis {axis} has the extent {{1}}")
        count = program.smallest(count, size)
    values, found = program.sort(x, axis, count, descending=largest)
    return from_value(values), from_value(found)


@operator("ReverseSequence", since=10)
def _reverse_sequence(c: Context, x: Operand, lengths: Operand, *, batch_axis: int = 1, time_axis: int = 0) -> Tensor:
    p = program
    x, rank = c.value(x), x.rank
    if rank < 2 or {time_axis, batch_axis} != {0, 1}:
        raise ValueError(
            f"batch_axis {batch_axis} and time_axis {time_axis} are not 0 and 1 of an input of {rank} axes"
        )
    require_numbers(c, lengths, p.extent(x, batch_axis), "list of lengths", f"elements along axis {batch_axis}")
    require_within(c, lengths, p.extent(x, time_axis), "length", f"the extent of axis {time_axis}")
    lengths = p.cast(c.value(lengths), "i64")
    time = p.iota(c.builder, p.extent(x, time_axis), "i64", axis=time_axis, rank=rank)
    length = p.expand(lengths, [axis for axis in range(rank) if axis != batch_axis])
    turned = p.subtract(p.subtract(length, time), 1)
    source = p.select(p.less(time, length), turned, time)
    return from_value(p.gather_elements(x, p.broadcast_to(source, p.extents(x)), time_axis))


@operator("ArrayFeatureExtractor", domain="ai.onnx.ml")
def _array_feature_extractor(c: Context, x: Operand, indices: Operand) -> Tensor:
    x, at = c.value(x), c.value(indices)
    return from_value(program.take(x, program.reshape(at, [-1]), x.rank - 1))
