"""Elements as they stand in memory, row by row, read and written with any strides."""

from __future__ import annotations

from collections.abc import Sequence

from .. import _program as program
from .._program import Value
from .._tensors._tensor import Number, Tensor, from_value, to_value
from .._tensors._views import view
from ._context import Context, Unsupported, operation


def _places(
    c: Context, size: Sequence[Number], stride: Sequence[Number], storage_offset: Number | None, of_rows: bool
) -> Value:
    """Returns where the elements are."""
    if not of_rows:
        raise Unsupported("as_strided of a tensor whose elements do not stand row by row; call .contiguous() on it")
    p, sizes = program, [c.number(n) for n in size]
    at = p.scalar(c.builder, c.number(storage_offset or 0), "i64")
    at = p.broadcast_to(at, sizes) if sizes else at
    for axis, (count, step) in enumerate(zip(sizes, stride)):
        line = p.iota(c.builder, count, "i64", axis=axis, rank=len(sizes))
        at = p.add(at, p.multiply(line, c.number(step)))
    return at


@operation("as_strided.default", "as_strided_copy.default")
def _as_strided(
    c: Context,
    x: Tensor,
    size: Sequence[Number],
    stride: Sequence[Number],
    storage_offset: Number | None = None,
    *,
    of_rows: bool = False,
) -> Tensor:
    flat = to_value(view(c, x, [program.product(x.extents)]))
    return from_value(program.take(flat, _places(c, size, stride, storage_offset, of_rows), 0, from_end=False))


@operation("as_strided_scatter.default")
def _as_strided_scatter(
    c: Context,
    x: Tensor,
    source: Tensor,
    size: Sequence[Number],
    stride: Sequence[Number],
    storage_offset: Number | None = None,
    *,
    of_rows: bool = False,
) -> Tensor:
    """Writes elements where `as_strided` reads them."""
    p, update = program, program.cast(to_value(source), x.element)
    flat = to_value(view(c, x, [p.product(x.extents)]))
    axes = list(range(update.rank))
    made = p.scatter(flat, update, [(_places(c, size, stride, storage_offset, of_rows), axes)], from_end=False)
    return view(c, from_value(made), x.extents)
