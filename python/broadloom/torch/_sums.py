"""Reductions of ATen, and sums over prefixes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .. import _program as program
from .._tensors._sums import (
    cast,
    cumulate,
    extreme,
    log_softmax,
    log_sum_exp,
    moments,
    reduce,
    softmax,
    wide_type,
)
from .._tensors._tensor import Tensor, from_value, to_value
from .._tensors._views import add_axis
from ._context import Context, operation, reduced, require_elements


@operation("sum.dim_IntList", "sum.default")
def _sum(
    c: Context,
    x: Tensor,
    dims: Sequence[int] | None = None,
    keepdim: bool = False,
    *,
    dtype: str | None = None,
) -> Tensor:
    return reduce(program.sum, cast(x, c.element), dims, keepdim)


@operation("mean.dim", "mean.default")
def _mean(
    c: Context, x: Tensor, dims: Sequence[int] | None = None, keepdim: bool = False, *, dtype: str | None = None
) -> Tensor:
    return reduce(program.mean, cast(x, c.element), dims, keepdim)


@operation("prod.default", "prod.dim_int")
def _prod(c: Context, x: Tensor, dim: int | None = None, keepdim: bool = False, *, dtype: str | None = None) -> Tensor:
    code = lambda x, axes, keepdims: program.reduce("product", x, axes, keepdims)
    return reduce(code, cast(x, c.element), None if dim is None else [dim], keepdim)


@operation("amax.default")
def _amax(c: Context, x: Tensor, dims: Sequence[int] = (), keepdim: bool = False) -> Tensor:
    require_elements(c, x, dims, "largest element")
    return reduce(extreme("max"), x, dims, keepdim)


@operation("amin.default")
def _amin(c: Context, x: Tensor, dims: Sequence[int] = (), keepdim: bool = False) -> Tensor:
    require_elements(c, x, dims, "least element")
    return reduce(extreme("min"), x, dims, keepdim)


@operation("max.default")
def _max(c: Context, x: Tensor) -> Tensor:
    return _amax(c, x)


@operation("min.default")
def _min(c: Context, x: Tensor) -> Tensor:
    return _amin(c, x)


@operation("max.dim")
def _max_dim(c: Context, x: Tensor, dim: int, keepdim: bool = False) -> tuple[Tensor, Tensor]:
    return _amax(c, x, [dim], keepdim), _find_index(program.argmax, x, dim, keepdim)


@operation("min.dim")
def _min_dim(c: Context, x: Tensor, dim: int, keepdim: bool = False) -> tuple[Tensor, Tensor]:
    return _amin(c, x, [dim], keepdim), _find_index(program.argmin, x, dim, keepdim)


def _find_index(function: Callable[..., Any], x: Tensor, dim: int | None, keepdim: bool) -> Tensor:
    if dim is None or x.rank == 0:
        flat = from_value(program.reshape(to_value(x), [-1]))
        index = from_value(function(flat.value, 0))
        for _ in range(x.rank if keepdim else 0):
            index = add_axis(index, 0)
        return index
    _, gone, order = reduced(x, [dim])
    return Tensor(function(x.value, gone[0], keepdims=keepdim), x.order if keepdim else order)


@operation("argmax.default")
def _argmax(c: Context, x: Tensor, dim: int | None = None, keepdim: bool = False) -> Tensor:
    require_elements(c, x, None if dim is None else [dim], "index of the largest element")
    return _find_index(program.argmax, x, dim, keepdim)


@operation("argmin.default")
def _argmin(c: Context, x: Tensor, dim: int | None = None, keepdim: bool = False) -> Tensor:
    require_elements(c, x, None if dim is None else [dim], "index of the least element")
    return _find_index(program.argmin, x, dim, keepdim)


@operation("any.default", "any.dim", "any.dims", "_is_any_true.default")
def _any(c: Context, x: Tensor, dims: Sequence[int] | None = None, keepdim: bool = False) -> Tensor:
    return _logical(c, "any", x, dims, keepdim)


@operation("all.default", "all.dim", "all.dims", "_is_all_true.default")
def _all(c: Context, x: Tensor, dims: Sequence[int] | None = None, keepdim: bool = False) -> Tensor:
    return _logical(c, "all", x, dims, keepdim)


def _logical(c: Context, kind: str, x: Tensor, dims: Sequence[int] | None, keepdim: bool) -> Tensor:
    dims = [dims] if isinstance(dims, int) else dims
    code = lambda x, axes, keepdims: program.reduce(kind, x, axes, keepdims)
    return cast(reduce(code, cast(x, "i1"), dims, keepdim), c.element)


def _without(c: Context, x: Tensor, axes: Sequence[int] | None, keepdim: bool) -> Tensor:
    if keepdim:
        return x
    _, gone, order = reduced(x, axes)
    return Tensor(program.squeeze(x.value, gone), order)


@operation("var_mean.correction")
def _var_mean(
    c: Context, x: Tensor, dims: Sequence[int] | None = None, *, correction: float = 1, keepdim: bool = False
) -> tuple[Tensor, ...]:
    element = x.element
    wide = cast(x, wide_type(element))
    mean, _, spread = moments(wide, dims, 1 if correction is None else correction)
    return tuple(cast(_without(c, part, dims, keepdim), element) for part in (spread, mean))


@operation("var.correction")
def _var(
    c: Context, x: Tensor, dims: Sequence[int] | None = None, *, correction: float = 1, keepdim: bool = False
) -> Tensor:
    return _var_mean(c, x, dims, correction=correction, keepdim=keepdim)[0]


@operation("std.correction")
def _std(
    c: Context, x: Tensor, dims: Sequence[int] | None = None, *, correction: float = 1, keepdim: bool = False
) -> Tensor:
    spread = _var(c, x, dims, correction=correction, keepdim=keepdim)
    return Tensor(program.sqrt(spread.value), spread.order)


@operation("_softmax.default", "softmax.int", "_safe_softmax.default")
def _softmax(c: Context, x: Tensor, dim: int, *_: bool, **options: Any) -> Tensor:
    safe = c.node.target == "aten._safe_softmax.default"
    wide = cast(x, wide_type(c.element))
    return cast(softmax(wide, dim % max(x.rank, 1), safe), c.element)


@operation("_log_softmax.default", "log_softmax.int")
def _log_softmax(c: Context, x: Tensor, dim: int, *_: Sequence[Any], **options: Any) -> Tensor:
    wide = cast(x, wide_type(c.element))
    return cast(log_softmax(wide, dim % max(x.rank, 1)), c.element)


@operation("logsumexp.default")
def _logsumexp(c: Context, x: Tensor, dims: Sequence[int], keepdim: bool = False) -> Tensor:
    x = cast(x, c.element)
    _, gone, order = reduced(x, dims)
    return Tensor(log_sum_exp(x.value, gone, keepdim), x.order if keepdim else order)


# Sums over a prefix.


@operation("cumsum.default")
def _cumsum(c: Context, x: Tensor, dim: int, *, dtype: str | None = None) -> Tensor:
    return _cumulate(cast(x, c.element), dim, "sum")


@operation("cumprod.default")
def _cumprod(c: Context, x: Tensor, dim: int, *, dtype: str | None = None) -> Tensor:
    return _cumulate(cast(x, c.element), dim, "product")


#: What running sums and products of floats are rounded to at each step, as torch does.
_WIDE = {"f16": "f32", "bf16": "f32", "f32": "f64"}


def _cumulate(x: Tensor, dim: int, kind: str) -> Tensor:
    if x.rank == 0:
        return x
    return cast(cumulate(cast(x, _WIDE.get(x.element, x.element)), dim % x.rank, kind), x.element)


@operation("logcumsumexp.default")
def _logcumsumexp(c: Context, x: Tensor, dim: int) -> Tensor:
    return cumulate(x, dim % x.rank, "logsumexp") if x.rank else x


def _running(c: Context, kind: str, x: Tensor, dim: int) -> tuple[Tensor, Tensor]:
    """Computes the running extreme, and the last index of each up to there."""
    p = program
    if x.rank == 0:
        return x, from_value(c.scalar(0, "i64"))
    numbers = cast(x, "i8") if x.element == "i1" else x
    extreme = cumulate(numbers, dim % x.rank, kind)
    is_there = p.equal(numbers.value, extreme.value)
    if p.is_float(x.element):
        is_there = p.bitwise_or(is_there, p.isnan(numbers.value))
    at = x.order[dim % x.rank]
    line = p.iota(c.builder, p.extent(x.value, at), "i64", axis=at, rank=x.rank)
    indices = cumulate(Tensor(p.select(is_there, line, 0), x.order), dim % x.rank, "max")
    return cast(extreme, x.element), indices


@operation("cummax.default")
def _cummax(c: Context, x: Tensor, dim: int) -> tuple[Tensor, Tensor]:
    return _running(c, "max", x, dim)


@operation("cummin.default")
def _cummin(c: Context, x: Tensor, dim: int) -> tuple[Tensor, Tensor]:
    return _running(c, "min", x, dim)
