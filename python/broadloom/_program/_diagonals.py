"""Elements that stand on diagonals or in windows."""

from __future__ import annotations

from collections.abc import Sequence

from ._builder import Value
from ._extents import Number, check_axis, extent, extents, index, largest, require, smallest
from ._picking import elements
from ._scalars import Body


def diagonal(x: Value, first: int, second: int, offset: int = 0) -> Value:
    """Returns the elements whose index on the axis `second` is `offset` more than that on `first`, as the last axis;
    the other axes stay in front of it."""
    first, second = check_axis(first, x.rank), check_axis(second, x.rank)
    if first == second:
        raise ValueError(f"a diagonal is of two axes, not of axis {first} twice")
    rows, columns = extent(x, first), extent(x, second)
    below, right = max(-offset, 0), max(offset, 0)
    count = largest(smallest(rows - below, columns - right), 0)
    rest = [axis for axis in range(x.rank) if axis not in (first, second)]

    def code(b: Body, indices: Sequence[str]) -> str:
        at = dict(zip(rest, indices))
        for axis, shift in ((first, below), (second, right)):
            at[axis] = _shift(b, indices[-1], index(x.builder, shift)) if shift else indices[-1]
        return _read(b, x, at)

    with x.builder.naming("diagonal"):
        index(x.builder, below), index(x.builder, right)
        return elements(x.builder, [*(extent(x, axis) for axis in rest), count], x.element, [], code)


def windows(x: Value, axis: int, size: int, step: int = 1) -> Value:
    """Returns the windows of `size` elements along an axis, which begin every `step` elements: the axis counts
    them, and a last axis has their elements. A call checks that there is room for one."""
    axis = check_axis(axis, x.rank)
    builder = x.builder
    if size < 0 or step < 1:
        raise ValueError(f"a window has at least 0 elements and a step at least 1, not {size} and {step}")
    with builder.naming("windows"):
        shape: list[Number] = extents(x)
        require(builder, "sle", size, shape[axis], "a window of {0} elements is longer than the axis, which has {1}")
        shape[axis] = (shape[axis] - size) // step + 1
        factor = index(builder, step)

        def code(b: Body, indices: Sequence[str]) -> str:
            at = dict(enumerate(indices[:-1]))
            start = indices[axis] if step == 1 else b.make("arith.muli {}, {} : index", indices[axis], factor)
            at[axis] = _shift(b, start, indices[-1])
            return _read(b, x, at)

        return elements(builder, [*shape, size], x.element, [], code)


def _shift(b: Body, index: str, by: str) -> str:
    return b.make("arith.addi {}, {} : index", index, by)


def _read(b: Body, x: Value, indices: dict[int, str]) -> str:
    listed = [indices[axis] for axis in range(x.rank)]
    return b.make("tensor.extract {}[{}] : {}", x.name, listed, x.type)
