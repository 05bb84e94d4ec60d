"""Operations that put elements in order."""

from __future__ import annotations

from .. import _program as program
from .._tensors._making import reduced
from .._tensors._tensor import Tensor, plain
from ._context import Context, operation


def _order(x: Tensor, dim: int, descending: bool, count=None) -> tuple[Tensor, Tensor]:
    """Values and the places where they were."""
    if x.rank == 0:
        return x, plain(program.cast(program.not_equal(x.value, x.value), "i64"))
    found = program.sort(x.value, x.order[dim % x.rank], count, descending)
    values, places = (Tensor(value, x.order) for value in found)
    return values, places


@operation("sort.default")
def _sort(c: Context, x, dim=-1, descending=False):
    return _order(x, dim, descending)


@operation("sort.stable")
def _stable_sort(c: Context, x, *, stable=None, dim=-1, descending=False):
    return _order(x, dim, descending)


@operation("argsort.default")
def _argsort(c: Context, x, dim=-1, descending=False):
    return _order(x, dim, descending)[1]


@operation("argsort.stable")
def _stable_argsort(c: Context, x, *, stable=True, dim=-1, descending=False):
    return _order(x, dim, descending)[1]


@operation("topk.default")
def _topk(c: Context, x, k, dim=-1, largest=True, sorted=True):
    return _order(x, dim, largest, k)


@operation("kthvalue.default")
def _kthvalue(c: Context, x, k, dim=-1, keepdim=False):
    values, places = _order(x, dim, False, k)
    if x.rank == 0:
        return values, places
    _, (at,), order = reduced(x, [dim])
    found = []
    for part in (values, places):
        last = program.slice_axis(part.value, at, k - 1, k)
        found.append(Tensor(last, x.order) if keepdim else Tensor(program.squeeze(last, [at]), order))
    return tuple(found)
