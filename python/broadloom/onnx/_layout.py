"""Operators that give tensors other shapes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import _program as program
from .._program import Extent, compare, index, is_same
from .._tensors._fits import require_extents
from .._tensors._tensor import Number, Tensor, align, are_known, from_value, to_value
from .._tensors._views import add_axis, drop_axes, expand, view
from ._context import (
    LARGEST,
    Context,
    Known,
    Operand,
    Unsupported,
    from_rank,
    known_numbers,
    operator,
    require_alike,
)


def extents_of(x: Operand) -> list[Number]:
    """Returns the extents of an input."""
    return list(x.shape) if isinstance(x, Known) else x.extents


def reshape(c: Context, x: Operand, shape: Sequence[Number]) -> Operand:
    """Gives an input other extents, all of which are told."""
    if isinstance(x, Known) and are_known(shape):
        return x.reshape(shape)
    return view(c, c.tensor(x), list(shape))


@operator("Reshape", since=5)
def _old_reshape(c: Context, x: Operand, shape: Operand) -> Operand:
    return _reshape(c, x, shape)


@operator("Reshape", since=14)
def _reshape(c: Context, x: Operand, shape: Operand, *, allowzero: int = 0) -> Operand:
    wanted, own = c.numbers(shape, "shape"), extents_of(x)
    if isinstance(shape, Known):
        if not allowzero:
            wanted = [own[i] if isinstance(n, int) and n == 0 else n for i, n in enumerate(wanted)]
    else:
        for number in wanted:
            program.require(
                c.builder, "sge", number, -1, "the extent {0} of its shape is neither a number of elements nor {1}"
            )
        wanted = [_read_extent(c, n, own[i] if i < len(own) and not allowzero else None) for i, n in enumerate(wanted)]
        wanted = _fill_in(c, own, wanted)
    if isinstance(x, Known) and are_known(wanted):
        return x.reshape(wanted)
    left = [axis for axis, n in enumerate(wanted) if isinstance(n, int) and n == -1]
    if len(left) > 1:
        raise ValueError(f"the shape {wanted} has -1 more than once")
    if left:
        wanted[left[0]] = _what_is_left(own, wanted, left[0])
    return view(c, c.tensor(x), wanted)


def _what_is_left(own: Sequence[Number], wanted: Sequence[Number], axis: int) -> Number:
    """Computes the extent that keeps the number of elements; what stays is not divided by."""
    mine, others = list(own), [n for at, n in enumerate(wanted) if at != axis]
    for number in list(others):
        same = next((n for n in mine if is_same(n, number)), None)
        if same is not None and not is_same(number, 0):
            mine.remove(same)
            others.remove(number)
    divisor = program.product(others)
    if is_same(divisor, 0):
        raise ValueError("the extent -1 beside one of 0 cannot be told")
    whole = program.product(mine)
    if isinstance(whole, int) and isinstance(divisor, int) and whole % divisor:
        raise ValueError(f"{whole} elements cannot have the extents {list(wanted)}")
    return whole // divisor


def _choose(c: Context, condition: str, x: Number, y: Number) -> Extent:
    b = c.builder
    name = b.new_name()
    b.add("arith.select {}, {}, {} : index", condition, index(b, x), index(b, y), result=name)
    return Extent(b, name)


def _read_extent(c: Context, number: Number, own: Number | None) -> Number:
    """Reads an extent that is data, where 0 stands for what the input has."""
    return number if own is None else _choose(c, compare("eq", number, 0), own, number)


def _fill_in(c: Context, own: Sequence[Number], wanted: list[Number]) -> list[Number]:
    """Computes extents that are data, where -1 stands for what is left."""
    whole = program.product(own)
    known = [_choose(c, compare("eq", n, -1), 1, n) for n in wanted]
    left = whole // program.largest(program.product(known), 1)
    return [_choose(c, compare("eq", n, -1), left, n) for n in wanted]


@operator("Flatten", since=1)
def _flatten(c: Context, x: Operand, *, axis: int = 1) -> Operand:
    rank = x.rank
    if not -rank <= axis <= rank:
        raise ValueError(f"axis {axis} is outside of the {rank} axes of its input")
    axis += rank if axis < 0 else 0
    own = extents_of(x)
    return reshape(c, x, [program.product(own[:axis]), program.product(own[axis:])])


@operator("Transpose")
def _transpose(c: Context, x: Operand, *, perm: Sequence[int] | None = None) -> Operand:
    order = list(range(x.rank))[::-1] if perm is None else [from_rank(axis, x.rank) for axis in perm]
    if sorted(order) != list(range(x.rank)):
        raise ValueError(f"perm {perm} is no order of {x.rank} axes")
    if isinstance(x, Known):
        return x.permute(order)
    return Tensor(x.value, tuple(x.order[axis] for axis in order))


@operator("Squeeze")
def _old_squeeze(c: Context, x: Operand, *, axes: Sequence[int] | None = None) -> Operand:
    return squeeze_axes(c, x, axes)


@operator("Squeeze", since=13)
def _squeeze(c: Context, x: Operand, axes: Operand | None = None) -> Operand:
    return squeeze_axes(c, x, None if axes is None else c.integers(axes, "axes"))


def squeeze_axes(c: Context, x: Operand, axes: Sequence[int] | None) -> Operand:
    """Removes axes of extent 1, these or all of them."""
    if axes is None:
        own = extents_of(x)
        if not are_known(own):
            raise Unsupported("a squeeze without axes of a tensor with open extents; give its axes")
        axes = [axis for axis, n in enumerate(own) if n == 1]
    axes = [from_rank(axis, x.rank) for axis in axes]
    for axis in axes:
        what = f"axis {axis} of {c.named(0)} has the extent {{0}}, and cannot be dropped, which takes {{1}}"
        program.require(c.builder, "eq", extents_of(x)[axis], 1, what)
    if isinstance(x, Known):
        return Known(np.squeeze(x.array, tuple(axes)), x.element)
    return drop_axes(x, axes)


@operator("Unsqueeze")
def _old_unsqueeze(c: Context, x: Operand, *, axes: Sequence[int]) -> Operand:
    return unsqueeze_axes(x, axes)


@operator("Unsqueeze", since=13)
def _unsqueeze(c: Context, x: Operand, axes: Operand) -> Operand:
    return unsqueeze_axes(x, c.integers(axes, "axes"))


def unsqueeze_axes(x: Operand, axes: Sequence[int]) -> Operand:
    """Adds axes of extent 1 at these places of the result."""
    rank = x.rank + len(axes)
    axes = sorted(from_rank(axis, rank) for axis in axes)
    if len(set(axes)) != len(axes):
        raise ValueError(f"an axis is there twice: {axes}")
    if isinstance(x, Known):
        return Known(np.expand_dims(x.array, tuple(axes)), x.element)
    for axis in axes:
        x = add_axis(x, axis)
    return x


@operator("Shape")
def _shape(c: Context, x: Operand) -> Any:
    return known_numbers(extents_of(x))


@operator("Shape", since=15)
def _part_of_shape(c: Context, x: Operand, *, start: int = 0, end: int | None = None) -> Known:
    return known_numbers(extents_of(x)[slice(start, end)])


@operator("Size")
def _size(c: Context, x: Operand) -> Known:
    return known_numbers([program.product(extents_of(x))], shape=[])


@operator("Expand", since=8)
def _expand(c: Context, x: Operand, shape: Operand) -> Operand:
    wanted, own = c.counts(shape, "extent"), extents_of(x)
    rank = max(len(wanted), len(own))
    wanted = [1] * (rank - len(wanted)) + wanted
    own = [1] * (rank - len(own)) + own
    for axis, (have, want) in enumerate(zip(own, wanted)):
        what = f"axis {axis} has the extent {{0}} and cannot be broadcast to {{1}}"
        program.require_fit(c.builder, have, want, what)
    target = [program.join_extents(a, b) for a, b in zip(own, wanted)]
    if isinstance(x, Known) and are_known(target):
        return Known(np.broadcast_to(x.array, target), x.element)
    x = c.tensor(x)
    if any(not is_same(n, 1) and not is_same(n, t) for n, t in zip(own, target)):
        # A message has the axes as they stand.
        x = from_value(to_value(x))
    return expand(c, x, target)


@operator("Concat", since=4)
def join(c: Context, *operands: Operand, axis: int) -> Operand:
    """Joins tensors side by side along an axis."""
    require_alike(*operands)
    axis = from_rank(axis, operands[0].rank)
    around = [None if at == axis else n for at, n in enumerate(extents_of(operands[0]))]
    for number, operand in enumerate(operands[1:], 1):
        require_extents(c, operand, around, f"input {number}")
    arrays = [o.array for o in operands if isinstance(o, Known)]
    if len(arrays) == len(operands):
        if any(a.dtype == object for a in arrays):
            arrays = [a.astype(object) for a in arrays]
        return Known(np.concatenate(arrays, axis), operands[0].element)
    values, order = align([c.tensor(o) for o in operands])
    return Tensor(program.concat(values, order[axis]), order)


@operator("Tile", since=6)
def _tile(c: Context, x: Operand, repeats: Operand) -> Operand:
    times = c.counts(repeats, "repeat")
    if len(times) != x.rank:
        raise ValueError(f"{len(times)} repeats are given for {x.rank} axes")
    if isinstance(x, Known) and are_known(times) and x.array.size * math.prod(times) <= LARGEST:
        return Known(np.tile(x.array, times), x.element)
    x = c.tensor(x)
    shape, merged = [], []
    for axis, count in enumerate(times):
        if (isinstance(count, int) and count != 1) or isinstance(count, Extent):
            shape += [count, x.extent(axis)]
        else:
            shape.append(x.extent(axis))
        merged.append(x.extent(axis) * count)
    wide = x
    for axis in reversed(range(x.rank)):
        if not (isinstance(times[axis], int) and times[axis] == 1):
            wide = add_axis(wide, axis)
    return view(c, expand(c, wide, shape), merged)


def split_axes(
    c: Context, x: Operand, shape: Sequence[Number], order: Sequence[int], merged: Sequence[Number]
) -> Tensor:
    """Gives x other extents, puts its axes in another order, and gives it other extents again."""
    wide = view(c, c.tensor(x), list(shape))
    turned = Tensor(wide.value, tuple(wide.order[axis] for axis in order))
    return view(c, turned, list(merged))


def _require_multiple(c: Context, x: Operand, axis: int, of: int) -> None:
    if of < 1:
        raise ValueError(f"blocks of {of} elements")
    size = extents_of(x)[axis]
    program.require(
        c.builder, "eq", size // of * of, size, f"axis {axis} of {c.named(0)} has the extent {{1}}, no multiple of {of}"
    )


@operator("DepthToSpace")
def _depth_to_space(c: Context, x: Operand, *, blocksize: int, mode: str = "DCR") -> Tensor:
    batch, channels, height, width = extents_of(x)
    _require_multiple(c, x, 1, blocksize * blocksize)
    less = channels // (blocksize * blocksize)
    merged = [batch, less, height * blocksize, width * blocksize]
    if mode == "DCR":
        shape = [batch, blocksize, blocksize, less, height, width]
        return split_axes(c, x, shape, [0, 3, 4, 1, 5, 2], merged)
    if mode != "CRD":
        raise Unsupported(f"its mode is 'DCR' or 'CRD', not {mode!r}")
    shape = [batch, less, blocksize, blocksize, height, width]
    return split_axes(c, x, shape, [0, 1, 4, 2, 5, 3], merged)


@operator("SpaceToDepth")
def _space_to_depth(c: Context, x: Operand, *, blocksize: int, mode: str = "DCR") -> Tensor:
    batch, channels, height, width = extents_of(x)
    for axis in (2, 3):
        _require_multiple(c, x, axis, blocksize)
    shape = [batch, channels, height // blocksize, blocksize, width // blocksize, blocksize]
    order = [0, 3, 5, 1, 2, 4] if mode == "DCR" else [0, 1, 3, 5, 2, 4]
    merged = [batch, channels * blocksize * blocksize, shape[2], shape[4]]
    return split_axes(c, x, shape, order, merged)
