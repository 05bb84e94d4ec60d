"""Operators that take parts of tensors, and put more around them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .. import _program as program
from .._program import Extent
from .._tensors._tensor import Number, Tensor, are_known
from .._tensors._views import cut, keep, part
from .._tensors._views import pad as pad_constant
from ._context import Context, Known, Operand, Unsupported, from_rank, operator
from ._layout import extents_of

#: Ends of slices from here on mean the end of the axis.
_FAR = 2**31 - 1
#: No axis is longer.
_LONGEST = 2**54


@operator("Slice")
def _old_slice(
    c: Context, x: Operand, *, starts: Sequence[int], ends: Sequence[int], axes: Sequence[int] | None = None
) -> Operand:
    return _slice_axes(c, x, starts, ends, axes, None)


@operator("Slice", since=10)
def _slice(
    c: Context, x: Operand, starts: Operand, ends: Operand, axes: Operand | None = None, steps: Operand | None = None
) -> Operand:
    first, last = c.numbers(starts, "starts"), c.numbers(ends, "ends")
    own = None if axes is None else c.integers(axes, "axes")
    return _slice_axes(c, x, first, last, own, None if steps is None else c.integers(steps, "steps"))


def _slice_axes(
    c: Context,
    x: Operand,
    starts: Sequence[Number],
    ends: Sequence[Number],
    axes: Sequence[int] | None,
    steps: Sequence[int] | None,
) -> Operand:
    axes = list(range(len(starts))) if axes is None else axes
    steps = [1] * len(axes) if steps is None else steps
    if not len(starts) == len(ends) == len(axes) == len(steps):
        raise ValueError(f"{len(starts)} starts, {len(ends)} ends, {len(axes)} axes and {len(steps)} steps are given")
    axes = [from_rank(axis, x.rank) for axis in axes]
    if isinstance(x, Known) and are_known(starts) and are_known(ends):
        slices = [slice(None)] * x.rank
        for start, end, axis, step in zip(starts, ends, axes, steps):
            slices[axis] = slice(start, None if end < -_FAR and step < 0 else end, step)
        return Known(x.array[tuple(slices)], x.element)
    x = c.tensor(x)
    for start, end, axis, step in zip(starts, ends, axes, steps):
        # A step that leaves any axis takes its first element alone.
        x = _slice_axis(x, axis, start, end, max(-_LONGEST, min(step, _LONGEST)))
    return x


def _slice_axis(x: Tensor, axis: int, start: Number, end: Number, step: int) -> Tensor:
    first = None if isinstance(start, int) and ((start == 0 and step > 0) or (start >= _FAR and step < 0)) else start
    last = end
    if isinstance(end, int) and ((end >= _FAR and step > 0) or (end <= -_FAR and step < 0)):
        last = None
    if isinstance(end, Extent) and step > 0 and program.is_same(end, x.extent(axis)):
        last = None
    return Tensor(program.slice_axis(x.value, x.order[axis], first, last, step), x.order)


@operator("Split")
def _old_split(c: Context, x: Operand, *, axis: int = 0, split: Sequence[int] | None = None) -> list[Operand]:
    return split_axis(c, x, split, axis, len(c.node.outputs), is_even=True)


@operator("Split", since=13)
def _split_by_input(c: Context, x: Operand, split: Operand | None = None, *, axis: int = 0) -> list[Operand]:
    sizes = None if split is None else c.numbers(split, "split")
    return split_axis(c, x, sizes, axis, len(c.node.outputs), is_even=True)


@operator("Split", since=18)
def _new_split(
    c: Context, x: Operand, split: Operand | None = None, *, axis: int = 0, num_outputs: int | None = None
) -> list[Operand]:
    if split is None and num_outputs is None:
        num_outputs = len(c.node.outputs)
    if num_outputs is not None and num_outputs != len(c.node.outputs):
        raise ValueError(f"num_outputs is {num_outputs}, but it has {len(c.node.outputs)} outputs")
    return split_axis(c, x, None if split is None else c.numbers(split, "split"), axis, num_outputs)


def split_axis(
    c: Context, x: Operand, sizes: Sequence[Number] | None, axis: int, count: int | None, is_even: bool = False
) -> list[Operand]:
    """Splits an axis into parts of sizes that are given, or into `count` of them; where these are not `is_even`, the
    last may be smaller."""
    axis = from_rank(axis, x.rank)
    whole = extents_of(x)[axis]
    if sizes is not None:
        if count is not None and count != len(sizes):
            raise ValueError(f"{len(sizes)} sizes are given for {count} outputs")
        for size in sizes:
            program.require(c.builder, "sge", size, 0, "the size {0} of a part is negative")
        what = f"the sizes of its parts are {{0}} together, but axis {axis} has {{1}}"
        program.require(c.builder, "eq", sum(sizes), whole, what)
    elif count is None:
        raise ValueError("neither sizes nor a number of parts are given")
    elif is_even:
        sizes = [whole // count] * count
        what = f"{count} parts of one size are {{0}} together, but axis {axis} has {{1}}"
        program.require(c.builder, "eq", sizes[0] * count, whole, what)
    else:
        each = program.divide_up(whole, count)
        sizes = [each] * (count - 1) + [whole - each * (count - 1)]
        what = f"{count - 1} parts of one size are {{0}} together, but axis {axis} has {{1}}"
        program.require(c.builder, "sle", each * (count - 1), whole, what)
    if isinstance(x, Known) and are_known(sizes):
        return [Known(a, x.element) for a in np.split(x.array, np.cumsum(sizes)[:-1], axis)]
    x = c.tensor(x)
    results: list[Operand] = []
    start: Number = 0
    for size in sizes:
        results.append(part(x, axis, start, size))
        start = start + size
    return results


# Padding.


@operator("Pad", since=2)
def _old_pad(c: Context, x: Operand, *, pads: Sequence[int], mode: str = "constant", value: float = 0.0) -> Tensor:
    return _pad(c, x, pads, value, None, mode)


@operator("Pad", since=11)
def _pad_by_input(
    c: Context,
    x: Operand,
    pads: Operand,
    value: Operand | None = None,
    axes: Operand | None = None,
    *,
    mode: str = "constant",
) -> Tensor:
    count = 2 * x.rank if axes is None else 2 * len(c.integers(axes, "axes"))
    given = c.numbers(pads, "pads", count)
    number = None
    if value is not None and mode == "constant":
        if not isinstance(value, Known):
            return _pad_by_value(c, x, given, value, axes)
        number = c.constant(value, "constant_value").item()
    return _pad(c, x, given, number, axes, mode)


def _spread_pads(x: Operand, pads: Sequence[Number], axes: Sequence[int] | None) -> tuple[list[Number], list[Number]]:
    axes = list(range(x.rank)) if axes is None else [from_rank(axis, x.rank) for axis in axes]
    if len(pads) != 2 * len(axes):
        raise ValueError(f"{len(pads)} pads are given for {len(axes)} axes")
    low: list[Number] = [0] * x.rank
    high: list[Number] = [0] * x.rank
    for number, axis in enumerate(axes):
        low[axis], high[axis] = pads[number], pads[number + len(axes)]
    return low, high


def _pad(
    c: Context, x: Operand, pads: Sequence[Number], value: float | None, axes: Operand | None, mode: str
) -> Tensor:
    low, high = _spread_pads(x, pads, None if axes is None else c.integers(axes, "axes"))
    x = c.tensor(x)
    if mode == "constant":
        both = [n for lo, hi in zip(reversed(low), reversed(high)) for n in (lo, hi)]
        if x.element == "i1":
            number = bool(value)
        else:
            number = value or 0
        return pad_constant(c, x, both, number)
    if mode not in ("edge", "reflect", "wrap"):
        raise Unsupported(f"padding of mode {mode!r}")
    ends: tuple[list[Number], list[Number]] = ([0] * x.rank, [0] * x.rank)
    for axis in range(x.rank):
        size = x.extent(axis)
        x, before, behind = cut(x, axis, low[axis], high[axis])
        # 0 where nothing is added or cut. What is cut to nothing is an error in ONNX Runtime too.
        change = 2 * (before + behind) - low[axis] - high[axis]
        message = (
            f"axis {axis} has {{0}} elements, of which the pads {{1}} and {{2}} leave none that mode {mode!r} could "
            "repeat"
        )
        conditions = (("eq", change, 0), ("sgt", x.extent(axis), 0))
        program.require_either(c.builder, conditions, message, size, low[axis], high[axis])
        ends[0][x.order[axis]], ends[1][x.order[axis]] = before, behind
    return Tensor(program.pad_by_place(x.value, *ends, mode), x.order)


def _pad_by_value(c: Context, x: Operand, pads: Sequence[Number], value: Operand, axes: Operand | None) -> Tensor:
    """Pads with a number that is data."""
    p = program
    axes = None if axes is None else c.integers(axes, "axes")
    low, high = _spread_pads(x, pads, axes)
    x = c.tensor(x)
    both = [n for lo, hi in zip(reversed(low), reversed(high)) for n in (lo, hi)]
    zero = 0.0 if p.is_float(x.element) else 0
    wide = pad_constant(c, x, both, zero)
    inside = p.broadcast_to(c.scalar(True, "i1"), p.extents(x.value))
    kept = pad_constant(c, Tensor(inside, x.order), both, 0)
    return Tensor(p.select(kept.value, wide.value, c.value(value)), wide.order)


@operator("CenterCropPad", since=18)
def _center_crop_pad(c: Context, x: Operand, shape: Operand, *, axes: Sequence[int] | None = None) -> Tensor:
    wanted = c.counts(shape, "extent")
    axes = range(x.rank) if axes is None else [from_rank(axis, x.rank) for axis in axes]
    x = c.tensor(x)
    for axis, want in zip(axes, wanted):
        have = x.extent(axis)
        if not isinstance(have, int) or not isinstance(want, int):
            cut = program.largest(have - want, 0)
            x = part(x, axis, cut // 2, program.smallest(have, want))
            more = program.largest(want - have, 0)
        else:
            x = part(x, axis, max(have - want, 0) // 2, min(have, want))
            more = max(want - have, 0)
        low = more // 2
        pads: list[Number] = [0] * (2 * x.rank)
        pads[2 * (x.rank - 1 - axis)], pads[2 * (x.rank - 1 - axis) + 1] = low, more - low
        x = pad_constant(c, x, pads, 0)
    return x


@operator("Trilu", since=14)
def _trilu(c: Context, x: Operand, k: Operand | None = None, *, upper: int = 1) -> Tensor:
    p = program
    x = c.tensor(x)
    shift = 0 if k is None else c.number(k, "k")
    rows = p.iota(c.builder, x.extent(-2), "i64", axis=0, rank=2)
    columns = p.iota(c.builder, x.extent(-1), "i64", axis=1, rank=2)
    edge = p.add(rows, shift)
    kept = p.greater_equal(columns, edge) if upper else p.less_equal(columns, edge)
    return keep(c, x, kept)
