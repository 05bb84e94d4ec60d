"""Operators that put elements at indices that are data."""

from __future__ import annotations

from .. import _program as program
from .._program import Value
from .._tensors._tensor import plain
from ._context import Context, Unsupported, from_rank, operator
from ._indexing import linear_indices

_KINDS = {"add": "sum", "mul": "product", "max": "max", "min": "min"}


def _scatter_rows(c: Context, x: Value, rows: Value, updates: Value) -> Value:
    """The matrix x with rows at indices that are all different."""
    p = program
    rows = p.cast(rows, "i32")
    batched = [p.expand(v, [0]) for v in (x, rows, updates)]
    made = c.builder.emit_on("tosa.scatter", batched, x.element, batched[0].extents)
    return p.squeeze(made, [0])


def _put(c: Context, x: Value, rows: Value, updates: Value, reduction: str) -> Value:
    if reduction == "none":
        return _scatter_rows(c, x, rows, updates)
    if reduction not in _KINDS:
        raise Unsupported(f"its reduction is none, {', '.join(_KINDS)}, not {reduction!r}")
    if x.element == "i1":
        raise Unsupported(f"a reduction {reduction!r} of booleans")
    return program.scatter(x, updates, [(rows, [0]), 1], _KINDS[reduction])


@operator("ScatterND", since=11)
def _scatter_nd(c: Context, x, indices, updates, *, reduction="none"):
    p = program
    x, indices, updates = c.value(x), c.value(indices), c.value(updates)
    depth = indices.extents[-1]
    if not isinstance(depth, int):
        raise Unsupported("the last axis of its indices has an open extent")
    sizes = p.extents(x)
    rows, columns = p.product(sizes[:depth]), p.product(sizes[depth:])
    parts = []
    for number in range(depth):
        one = p.squeeze(p.take_slice(indices, indices.rank - 1, number, 1), [indices.rank - 1])
        parts.append(p.wrap_indices(one, sizes[number]))
    count = p.product(p.extents(indices)[:-1])
    at = p.reshape(linear_indices(sizes[:depth], parts), [count])
    flat = p.reshape(x, [rows, columns])
    made = _put(c, flat, at, p.reshape(updates, [count, columns]), reduction)
    return plain(p.reshape(made, sizes))


@operator("ScatterElements", since=11)
def _scatter_elements(c: Context, x, indices, updates, *, axis=0, reduction="none"):
    p = program
    x, indices, updates = c.value(x), c.value(indices), c.value(updates)
    axis = from_rank(axis, x.rank)
    indices = p.wrap_indices(p.cast(indices, "i64"), p.extent(x, axis))
    # All other indices are those of the update itself.
    parts = [
        indices if number == axis else p.broadcast_to(
            p.iota(c.builder, p.extent(indices, number), "i64", axis=number, rank=x.rank), p.extents(indices)
        )
        for number in range(x.rank)
    ]  # fmt: skip
    sizes, count = p.extents(x), p.product(p.extents(indices))
    at = linear_indices(sizes, parts)
    made = _put(
        c, p.reshape(x, [p.product(sizes), 1]), p.reshape(at, [count]), p.reshape(updates, [count, 1]), reduction
    )
    return plain(p.reshape(made, sizes))


@operator("Scatter", since=9)
def _scatter(c: Context, x, indices, updates, *, axis=0):
    return _scatter_elements(c, x, indices, updates, axis=axis)
