"""Operations of ATen whose indices are data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .. import _program as program
from .._program import Value
from .._tensors._tensor import Tensor, from_value, to_value
from .._tensors._views import view
from ._context import Context, Unsupported, operation
from ._counted import flat_mask_places, mask_indices
from ._graph import Size


@operation("embedding.default")
def _embedding(c: Context, weight: Tensor, indices: Tensor, *rest: Sequence[Any]) -> Tensor:
    return from_value(program.take(to_value(weight), to_value(indices), 0, from_end=False))


@operation("one_hot.default")
def _one_hot(c: Context, x: Tensor, num_classes: int = -1) -> Tensor:
    p = program
    count = c.number(num_classes)
    if isinstance(count, int) and count < 0:
        raise Unsupported("how many classes there are is decided by data; give num_classes")
    classes = to_value(x)
    for holds, message in (
        (p.greater_equal(classes, 0), "non-negative"),
        (p.less(classes, count), "smaller than num_classes"),
    ):
        p.require_true(p.reduce("all", holds), f"Class values must be {message}.")
    own = p.expand(classes, [classes.rank])
    numbers = p.iota(c.builder, count, classes.element, classes.rank, classes.rank + 1)
    return from_value(p.cast(p.equal(own, numbers), "i64"))


@operation("index_select.default")
def _index_select(c: Context, x: Tensor, dim: int, indices: Tensor) -> Tensor:
    if x.rank == 0:
        return from_value(
            program.squeeze(program.take(program.expand(x.value, [0]), to_value(indices), 0, from_end=False), [0])
        )
    return from_value(program.take(to_value(x), to_value(indices), dim, from_end=False))


@operation("gather.default")
def _gather(c: Context, x: Tensor, dim: int, indices: Tensor, *, sparse_grad: bool = False) -> Tensor:
    return from_value(program.gather_elements(to_value(x), to_value(indices), dim, from_end=False))


@operation("index.Tensor", "_unsafe_index.Tensor")
def _index(c: Context, x: Tensor, indices: Sequence[Tensor | None]) -> Tensor:
    x, given, is_masked = index_by_axes(c, x, indices)
    if len(given) == 1:
        axis, value = given[0]
        return from_value(program.take(to_value(x), value, axis, from_end=not is_masked))
    axes = [axis for axis, _ in given]
    values = [value for _, value in given]
    rank = max(value.rank for value in values)
    joint = [c.number(size) for size in _joint_shape(c, x, axes, rank)] if not (is_masked or c.is_mapped) else None
    return from_value(program.pick(to_value(x), axes, values, joint))


def index_by_axes(
    c: Context, x: Tensor, indices: Sequence[Tensor | None]
) -> tuple[Tensor, list[tuple[int, Value]], bool]:
    """Returns the integers that index each axis, and whether they are of masks: one mask of several axes stands for
    as many. Where a mask is the only index, its axes become one."""
    given = [c.tensor(index) for index in indices if index is not None]
    if any(index.element == "ui8" for index in given):
        raise Unsupported("a mask of uint8; give one of bool")
    masks = [index for index in given if index.element == "i1"]
    if len(given) == 1 and masks and given[0].rank > 1:
        axis, mask = next(at for at, index in enumerate(indices) if index is not None), given[0]
        places = flat_mask_places(c, mask, x.extents, axis)
        own = x.extents
        merged = [*own[:axis], program.product(own[axis : axis + mask.rank]), *own[axis + mask.rank :]]
        return view(c, x, merged), [(axis, places)], True
    found, axis = [], 0
    for index in indices:
        if index is None:
            axis += 1
            continue
        index = c.tensor(index)
        values = mask_indices(c, index, x.extents, axis) if index.element == "i1" else [to_value(index)]
        for value in values:
            found.append((axis, value))
            axis += 1
        if index.element == "i1" and not index.rank:
            raise Unsupported("an index that is a boolean without axes; use torch.where")
    return x, found, bool(masks)


def _joint_shape(c: Context, x: Tensor, axes: Sequence[int], rank: int) -> tuple[int | Size, ...]:
    """Returns the sizes of the broadcast indices, as the result has them."""
    first = program.first_picked(axes)
    return c.type.shape[first : first + rank]


@operation("take.default")
def _take(c: Context, x: Tensor, indices: Tensor) -> Tensor:
    flat = view(c, x, [program.product(x.extents)])
    return from_value(program.take(to_value(flat), to_value(indices), 0))
