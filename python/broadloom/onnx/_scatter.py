"""Operators that put elements at indices that are data."""

from __future__ import annotations

from .. import _program as program
from .._program import Value
from .._tensors._fits import require_extents
from .._tensors._regions import either
from .._tensors._tensor import Tensor, from_value
from ._context import Context, Operand, Unsupported, from_rank, operator

_KINDS = {"add": "sum", "mul": "product", "max": "max", "min": "min"}


def _scatter_rows(c: Context, x: Value, rows: Value, updates: Value) -> Value:
    """Puts rows at indices of the matrix x. tosa.scatter copies them at once, and takes as many indices as rows."""
    p, b = program, c.builder

    def at_once() -> Value:
        batched = [p.expand(v, [0]) for v in (x, p.cast(rows, "i32"), updates)]
        return p.squeeze(b.emit_on("tosa.scatter", batched, x.element, batched[0].extents), [0])

    def one_by_one() -> Value:
        return p.scatter(x, updates, [(rows, [0]), 1])

    p.extents(updates)
    return either(c, "sle", p.extent(rows, 0), p.extent(x, 0), at_once, one_by_one)


def _kind(x: Value, reduction: str) -> str | None:
    """Returns what program.scatter calls a reduction."""
    if reduction == "none":
        return None
    if reduction not in _KINDS:
        raise Unsupported(f"its reduction is none, {', '.join(_KINDS)}, not {reduction!r}")
    if x.element == "i1":
        raise Unsupported(f"a reduction {reduction!r} of booleans")
    return _KINDS[reduction]


def _put(c: Context, x: Value, rows: Value, updates: Value, reduction: str) -> Value:
    kind = _kind(x, reduction)
    if kind is None:
        return _scatter_rows(c, x, rows, updates)
    return program.scatter(x, updates, [(rows, [0]), 1], kind)


@operator("ScatterND", since=11)
def _scatter_nd(c: Context, x: Operand, indices: Operand, updates: Operand, *, reduction: str = "none") -> Tensor:
    p = program
    x, indices, updates = c.value(x), c.value(indices), c.value(updates)
    depth = indices.extents[-1]
    if not isinstance(depth, int):
        raise Unsupported("the last axis of its indices has an open extent")
    lead, sizes = p.extents(indices)[:-1], p.extents(x)
    if depth == 1:
        # Whole rows are copied at once.
        require_extents(c, from_value(updates), [*lead, *sizes[1:]], "updates")
        at = p.reshape(p.wrap_indices(indices, sizes[0]), [p.product(lead)])
        columns = p.product(sizes[1:])
        rows = p.reshape(x, [sizes[0], columns])
        made = _put(c, rows, at, p.reshape(updates, [p.product(lead), columns]), reduction)
        return from_value(p.reshape(made, sizes))
    axes = range(len(lead))
    picked = [p.squeeze(p.take_slice(indices, indices.rank - 1, n, 1), [indices.rank - 1]) for n in range(depth)]
    behind = range(len(lead), len(lead) + x.rank - depth)
    require_extents(c, from_value(updates), [*lead, *sizes[depth:]], "updates")
    if not lead:
        # One update is one row of them.
        picked, axes, behind = [p.expand(one, [0]) for one in picked], range(1), range(1, 1 + len(behind))
        updates = p.expand(updates, [0])
    places = [*((one, axes) for one in picked), *behind]
    return from_value(p.scatter(x, updates, places, _kind(x, reduction)))


@operator("ScatterElements", since=11)
def _scatter_elements(
    c: Context, x: Operand, indices: Operand, updates: Operand, *, axis: int = 0, reduction: str = "none"
) -> Tensor:
    p = program
    x, indices, updates = c.value(x), c.value(indices), c.value(updates)
    axis = from_rank(axis, x.rank)
    require_extents(c, from_value(updates), p.extents(indices), "updates")
    axes = range(x.rank)
    # All other indices are those of the update itself.
    places = [(indices, axes) if number == axis else number for number in axes]
    return from_value(p.scatter(x, updates, places, _kind(x, reduction)))


@operator("Scatter", since=9)
def _scatter(c: Context, x: Operand, indices: Operand, updates: Operand, *, axis: int = 0) -> Tensor:
    return _scatter_elements(c, x, indices, updates, axis=axis)
