"""Operations that put elements in order."""

from __future__ import annotations

import math

from .. import _program as program
from .._tensors._making import reduced
from .._tensors._tensor import Tensor, from_value, to_value
from .._tensors._views import pad, view
from ._context import Context, operation, promote, require_elements


def _order(x: Tensor, dim: int, descending: bool, count: int | None = None) -> tuple[Tensor, Tensor]:
    """Sorts along an axis; returns the values and their indices in the operand."""
    if x.rank == 0:
        return x, from_value(program.cast(program.not_equal(x.value, x.value), "i64"))
    found = program.sort(x.value, x.order[dim % x.rank], count, descending)
    values, indices = (Tensor(value, x.order) for value in found)
    return values, indices


@operation("sort.default")
def _sort(c: Context, x: Tensor, dim: int = -1, descending: bool = False) -> tuple[Tensor, Tensor]:
    return _order(x, dim, descending)


@operation("sort.stable")
def _stable_sort(
    c: Context, x: Tensor, *, stable: bool | None = None, dim: int = -1, descending: bool = False
) -> tuple[Tensor, Tensor]:
    return _order(x, dim, descending)


@operation("argsort.default")
def _argsort(c: Context, x: Tensor, dim: int = -1, descending: bool = False) -> Tensor:
    return _order(x, dim, descending)[1]


@operation("argsort.stable")
def _stable_argsort(c: Context, x: Tensor, *, stable: bool = True, dim: int = -1, descending: bool = False) -> Tensor:
    return _order(x, dim, descending)[1]


@operation("topk.default")
def _topk(
    c: Context, x: Tensor, k: int, dim: int = -1, largest: bool = True, sorted: bool = True
) -> tuple[Tensor, ...]:
    return _order(x, dim, largest, k)


@operation("kthvalue.default")
def _kthvalue(c: Context, x: Tensor, k: int, dim: int = -1, keepdim: bool = False) -> tuple[Tensor, ...]:
    values, indices = _order(x, dim, False, k)
    if x.rank == 0:
        return values, indices
    _, (at,), order = reduced(x, [dim])
    found = []
    for part in (values, indices):
        last = program.slice_axis(part.value, at, k - 1, k)
        found.append(Tensor(last, x.order) if keepdim else Tensor(program.squeeze(last, [at]), order))
    return tuple(found)


# Medians: the lower one of two, NaN where there is one.


def _median(c: Context, x: Tensor, dim: int, keepdim: bool, skips_nan: bool) -> tuple[Tensor, Tensor]:
    p = program
    values, indices = _order(x, dim, False)
    if x.rank == 0:
        return values, indices
    own, (at,), order = reduced(x, [dim])
    size = p.extent(x.value, at)
    require_elements(c, x, own, "median")
    if skips_nan and p.is_float(x.element):
        count = p.sum(p.cast(p.logical_not(p.isnan(x.value)), "i64"), [at], keepdims=True)
        middle = p.maximum(p.floor_divide(p.subtract(count, 1), 2), 0)
        found = [p.gather_elements(part.value, middle, at) for part in (values, indices)]
    else:
        middle = (size - 1) // 2
        found = [p.take_slice(part.value, at, middle, 1) for part in (values, indices)]
        if p.is_float(x.element):
            # Sorting has NaN behind all numbers.
            last, first = p.take_slice(values.value, at, size - 1, 1), p.argmax(x.value, at, keepdims=True)
            is_nan = p.isnan(last)
            found = [p.select(is_nan, last, found[0]), p.select(is_nan, first, found[1])]
    made = [Tensor(f, x.order) if keepdim else Tensor(p.squeeze(f, [at]), order) for f in found]
    return made[0], made[1]


@operation("median.dim")
def _median_dim(c: Context, x: Tensor, dim: int, keepdim: bool = False) -> tuple[Tensor, Tensor]:
    return _median(c, x, dim, keepdim, False)


@operation("nanmedian.dim")
def _nanmedian_dim(c: Context, x: Tensor, dim: int, keepdim: bool = False) -> tuple[Tensor, Tensor]:
    return _median(c, x, dim, keepdim, True)


def _of_all(c: Context, x: Tensor, skips_nan: bool) -> Tensor:
    flat = view(c, x, [program.product(x.extents)]) if x.rank else x
    if x.rank and program.is_float(x.element):
        # The median of nothing is NaN.
        size = flat.extent(0)
        flat = pad(c, flat, [0, program.largest(size, 1) - size], math.nan)
    return _median(c, flat, 0, False, skips_nan)[0]


@operation("median.default")
def _median_of_all(c: Context, x: Tensor) -> Tensor:
    return _of_all(c, x, False)


@operation("nanmedian.default")
def _nanmedian_of_all(c: Context, x: Tensor) -> Tensor:
    return _of_all(c, x, True)


# Indices in what is in order.


@operation("bucketize.Tensor", "bucketize.Scalar")
def _bucketize(c: Context, x: Tensor, boundaries: Tensor, *, out_int32: bool = False, right: bool = False) -> Tensor:
    return _search(c, boundaries, x, right)


@operation("searchsorted.Tensor", "searchsorted.Scalar")
def _searchsorted(
    c: Context,
    ordered: Tensor,
    x: Tensor,
    *,
    out_int32: bool = False,
    right: bool = False,
    side: str | None = None,
    sorter: Tensor | None = None,
) -> Tensor:
    if sorter is not None:
        ordered = from_value(program.gather_elements(to_value(ordered), to_value(sorter), -1))
    return _search(c, ordered, x, right or side == "right")


def _search(c: Context, ordered: Tensor, x: Tensor, right: bool) -> Tensor:
    element = promote(ordered, x)
    x = c.tensor(x) if isinstance(x, Tensor) else from_value(c.scalar(x, element))
    ordered, x = (program.cast(to_value(v), element) for v in (ordered, x))
    found = program.search(ordered, x, right, shared=ordered.rank > 1)
    return from_value(program.cast(found, c.element))
