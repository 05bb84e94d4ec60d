"""Other shapes of tensors, and parts of them."""

from __future__ import annotations

from collections.abc import Sequence

from .. import _program as program
from .._program import Value, is_same
from ._axes import fold_axes, unfold_axis
from ._making import Maker, elementwise
from ._tensor import Number, Tensor, from_value, to_value


def add_axis(x: Tensor, axis: int) -> Tensor:
    """Adds an axis of extent 1."""
    if x.is_in_order:
        return from_value(program.expand(x.value, [axis]))
    # It stands in front of the value, where it moves no other.
    order = [at + 1 for at in x.order]
    order.insert(axis, 0)
    return Tensor(program.expand(x.value, [0]), tuple(order))


def drop_axes(x: Tensor, axes: Sequence[int]) -> Tensor:
    """Removes axes of extent 1."""
    gone = sorted(x.order[axis] for axis in axes)
    left = [at for axis, at in enumerate(x.order) if axis not in axes]
    order = tuple(at - sum(g < at for g in gone) for at in left)
    return Tensor(program.squeeze(x.value, gone), order)


def view(c: Maker, x: Tensor, shape: list[Number]) -> Tensor:
    """Gives the tensor other extents; its elements stay in the order of its own axes."""
    if len(shape) == x.rank and all(is_same(a, b) for a, b in zip(x.extents, shape)):
        return x
    # Axes of extent 1 come and go in any order.
    own = [axis for axis in range(x.rank) if x.known(axis) != 1]
    wide = [axis for axis, number in enumerate(shape) if not (isinstance(number, int) and number == 1)]
    if len(own) == len(wide) and all(is_same(x.extent(a), shape[b]) for a, b in zip(own, wide)):
        x = drop_axes(x, [axis for axis in range(x.rank) if axis not in own])
        for axis in range(len(shape)):
            if axis not in wide:
                x = add_axis(x, axis)
        return x
    value = to_value(x)
    return from_value(regroup(value, shape) or program.reshape(value, shape))


def regroup(value: Value, shape: list[Number]) -> Value | None:
    """Replaces one axis of the value by several, or several by one, where the others stay; returns None where it is
    neither."""
    own = program.extents(value)
    # Without elements, what stays does not tell what the others are: 0x5 is 0x3x1 too.
    if 0 in value.extents:
        return None
    front = 0
    while front < min(len(own), len(shape)) and is_same(own[front], shape[front]):
        front += 1
    behind = 0
    while behind < min(len(own), len(shape)) - front and is_same(own[-1 - behind], shape[-1 - behind]):
        behind += 1
    mine, theirs = len(own) - front - behind, len(shape) - front - behind
    if mine == 1 and theirs > 1:
        return unfold_axis(value, front, shape[front : front + theirs])
    if theirs == 1 and mine > 1:
        return fold_axes(value, front, mine)
    return None


def expand(c: Maker, x: Tensor, shape: list[Number]) -> Tensor:
    """Repeats the tensor to a shape."""
    for _ in range(len(shape) - x.rank):
        x = add_axis(x, 0)
    if all(is_same(a, b) for a, b in zip(x.extents, shape)):
        return x
    wanted: list[Number] = [1] * x.rank
    for axis, at in enumerate(x.order):
        wanted[at] = shape[axis]
    return Tensor(program.broadcast_to(x.value, wanted), x.order)


def part(x: Tensor, axis: int, start: Number, count: Number, step: Number = 1) -> Tensor:
    """Takes `count` elements of an axis."""
    if is_same(x.extent(axis), count) and step == 1:
        return x
    return Tensor(program.take_slice(x.value, x.order[axis], start, count, step), x.order)


def cut(x: Tensor, axis: int, before: Number, behind: Number) -> tuple[Tensor, Number, Number]:
    """Removes as many elements of an axis as negative pads say, and returns the pads that are left; a call checks that
    there are as many."""
    left = [n if program.is_natural(n) else program.largest(n, 0) for n in (before, behind)]
    # 0 of all that is not negative.
    gone = [0 if more is n else more - n for more, n in zip(left, (before, behind))]
    if not all(program.is_same(n, 0) for n in gone):
        size, both = x.extent(axis), gone[0] + gone[1]
        program.require(
            x.value.builder, "sle", both, size, f"negative pads cut {{0}} elements of axis {axis}, which has {{1}}"
        )
        x = part(x, axis, gone[0], size - both)
    return x, left[0], left[1]


def pad(c: Maker, x: Tensor, pads: Sequence[Number], value: float) -> Tensor:
    """Pads as torch does: from the last axis on, before and behind; negative numbers cut."""
    low: list[Number] = [0] * x.rank
    high: list[Number] = [0] * x.rank
    for i in range(len(pads) // 2):
        axis = x.rank - 1 - i
        at = x.order[axis]
        x, low[at], high[at] = cut(x, axis, pads[2 * i], pads[2 * i + 1])
    if all(isinstance(n, int) and n == 0 for n in low + high):
        return x
    number = float(value) if program.is_float(x.element) else int(value)
    return Tensor(program.pad(x.value, low, high, number), x.order)


def matrix_indices(c: Maker, x: Tensor) -> tuple[Value, Value]:
    """Returns the row and the column of each element of the last two axes."""
    rows = program.iota(c.builder, x.extent(-2), "i64", axis=0, rank=2)
    return rows, program.iota(c.builder, x.extent(-1), "i64", axis=1, rank=2)


def keep(c: Maker, x: Tensor, kept: Value) -> Tensor:
    """Replaces elements by 0 where `kept`, of the last axes, does not hold."""
    zero = 0.0 if program.is_float(x.element) else 0
    return elementwise(c, lambda kept, x: program.select(kept, x, zero), from_value(kept), x)
