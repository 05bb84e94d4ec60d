"""One axis as several, and several as one, where types keep saying which."""

from __future__ import annotations

import math
from collections.abc import Sequence

from .._program import Value, extents, index, known, require
from ._tensor import Number


def _groups(rank: int, axis: int, count: int) -> str:
    """Lists the axes of the larger shape in groups: `count` of them from `axis` on are one group, each other one is by
    itself."""
    ahead = [[a] for a in range(axis)]
    behind = [[a] for a in range(axis + count, rank)]
    return str([*ahead, list(range(axis, axis + count)), *behind])


def _declare_axis(x: Value, axis: int, sizes: Sequence[Number]) -> Value:
    """Returns x with a type whose extent is a number where all `sizes` are, and is open where one of them is."""
    builder = x.builder
    numbers = [size for size in sizes if isinstance(size, int)]
    whole = math.prod(numbers) if len(numbers) == len(sizes) else None
    if isinstance(x.extents[axis], int) == (whole is not None):
        return x
    if whole is not None:
        require(builder, "eq", extents(x)[axis], whole, "an axis has extent {0}, but its parts have {1}")
    declared = [whole if at == axis else extent for at, extent in enumerate(x.extents)]
    wanted = Value(builder, "", x.element, declared)
    name = builder.add("tensor.cast {} : {} to {}", x.name, x.type, wanted.type)
    made = Value(builder, name, x.element, declared)
    made._unsigned = x._unsigned
    return made


def unfold_axis(x: Value, axis: int, sizes: Sequence[Number]) -> Value:
    """Replaces an axis of x by several, the product of whose extents a call checks."""
    builder = x.builder
    own = extents(x)
    shape = [*own[:axis], *sizes, *own[axis + 1 :]]
    with builder.naming("reshape"):
        x = _declare_axis(x, axis, sizes)
        types = [*x.extents[:axis], *map(known, sizes), *x.extents[axis + 1 :]]
        value = Value(builder, builder.new_name(), x.element, types)
        listed = [str(n) if isinstance(n, int) else index(builder, n) for n in shape]
        builder.add(
            "tensor.expand_shape {} {} output_shape [{}]{} : {} into {}",
            x.name,
            _groups(len(shape), axis, len(sizes)),
            listed,
            builder.origin(),
            x.type,
            value.type,
            result=value.name,
        )
    return value


def fold_axes(x: Value, axis: int, count: int) -> Value:
    """Replaces `count` axes of x from `axis` on by one."""
    builder = x.builder
    merged = x.extents[axis : axis + count]
    numbers = [extent for extent in merged if isinstance(extent, int)]
    whole = math.prod(numbers) if len(numbers) == count else None
    with builder.naming("reshape"):
        types = [*x.extents[:axis], whole, *x.extents[axis + count :]]
        value = Value(builder, builder.new_name(), x.element, types)
        builder.add(
            "tensor.collapse_shape {} {}{} : {} into {}",
            x.name,
            _groups(x.rank, axis, count),
            builder.origin(),
            x.type,
            value.type,
            result=value.name,
        )
    return value


__all__ = ["fold_axes", "unfold_axis"]
