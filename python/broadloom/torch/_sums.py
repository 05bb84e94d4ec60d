"""Reductions of ATen, and sums over prefixes."""

from __future__ import annotations

from collections.abc import Callable

from .. import _program as program
from .._program import Value
from ._context import Context, elementwise, operation, reduced
from ._shapes import add_axis
from ._tensors import Number, Tensor, plain, settle


def _reduce(c: Context, function: Callable[..., Value], x: Tensor, axes, keepdim: bool) -> Tensor:
    own, gone, order = reduced(x, axes)
    if x.rank == 0:
        return x
    value = function(x.value, gone, keepdims=keepdim)
    return Tensor(value, x.order if keepdim else order)


def cast(x: Tensor, element: str) -> Tensor:
    """With another element type."""
    return Tensor(program.cast(x.value, element), x.order)


def wide_type(element: str) -> str:
    """The type in which several operations on short floats are computed."""
    return "f32" if element in ("f16", "bf16") else element


@operation("sum.dim_IntList", "sum.default")
def _sum(c: Context, x, dims=None, keepdim=False, *, dtype=None):
    return _reduce(c, program.sum, cast(x, c.element), dims, keepdim)


@operation("mean.dim", "mean.default")
def _mean(c: Context, x, dims=None, keepdim=False, *, dtype=None):
    return _reduce(c, program.mean, cast(x, c.element), dims, keepdim)


@operation("prod.default", "prod.dim_int")
def _prod(c: Context, x, dim=None, keepdim=False, *, dtype=None):
    code = lambda x, axes, keepdims: program.reduce("product", x, axes, keepdims)
    return _reduce(c, code, cast(x, c.element), None if dim is None else [dim], keepdim)


def _extreme(kind: str):
    def code(x, axes, keepdims=False):
        if x.element == "i1":
            return program.reduce("any" if kind == "max" else "all", x, axes, keepdims)
        return program.reduce(kind, x, axes, keepdims)

    return code


@operation("amax.default")
def _amax(c: Context, x, dims=(), keepdim=False):
    return _reduce(c, _extreme("max"), x, dims, keepdim)


@operation("amin.default")
def _amin(c: Context, x, dims=(), keepdim=False):
    return _reduce(c, _extreme("min"), x, dims, keepdim)


@operation("max.default")
def _max(c: Context, x):
    return _amax(c, x)


@operation("min.default")
def _min(c: Context, x):
    return _amin(c, x)


@operation("max.dim")
def _max_dim(c: Context, x, dim, keepdim=False):
    return _amax(c, x, [dim], keepdim), _place(program.argmax, x, dim, keepdim)


@operation("min.dim")
def _min_dim(c: Context, x, dim, keepdim=False):
    return _amin(c, x, [dim], keepdim), _place(program.argmin, x, dim, keepdim)


def _place(function, x: Tensor, dim, keepdim: bool) -> Tensor:
    if dim is None or x.rank == 0:
        flat = plain(program.reshape(settle(x), [-1]))
        place = plain(function(flat.value, 0))
        for _ in range(x.rank if keepdim else 0):
            place = add_axis(place, 0)
        return place
    _, gone, order = reduced(x, [dim])
    return Tensor(function(x.value, gone[0], keepdims=keepdim), x.order if keepdim else order)


@operation("argmax.default")
def _argmax(c: Context, x, dim=None, keepdim=False):
    return _place(program.argmax, x, dim, keepdim)


@operation("argmin.default")
def _argmin(c: Context, x, dim=None, keepdim=False):
    return _place(program.argmin, x, dim, keepdim)


@operation("any.default", "any.dim", "any.dims")
def _any(c: Context, x, dims=None, keepdim=False):
    return _logical(c, "any", x, dims, keepdim)


@operation("all.default", "all.dim", "all.dims")
def _all(c: Context, x, dims=None, keepdim=False):
    return _logical(c, "all", x, dims, keepdim)


def _logical(c: Context, kind: str, x, dims, keepdim) -> Tensor:
    dims = [dims] if isinstance(dims, int) else dims
    code = lambda x, axes, keepdims: program.reduce(kind, x, axes, keepdims)
    return cast(_reduce(c, code, cast(x, "i1"), dims, keepdim), c.element)


def deviations(x: Tensor, axes) -> tuple[Tensor, Tensor, Number]:
    """The mean with all its axes, what is left of each element, and of how many."""
    _, gone, _ = reduced(x, axes)
    mean = program.mean(x.value, gone, keepdims=True)
    rest = program.subtract(x.value, mean)
    return Tensor(mean, x.order), Tensor(rest, x.order), program.count(x.value, gone)


def _reduce_count(count: Number, correction: float):
    """How many elements there are, less the correction, and at least 0."""
    if isinstance(count, int):
        return max(float(count - correction), 0.0)
    if float(correction).is_integer():
        return program.largest(count - int(correction), 0) if correction else count
    exact = program.scalar(count.builder, count, "f64")
    return program.maximum(program.subtract(exact, float(correction)), 0.0)


def variance(rest: Tensor, axes, count: Number, correction) -> Tensor:
    """The variance, its axes kept."""
    _, gone, _ = reduced(rest, axes)
    total = program.sum(program.multiply(rest.value, rest.value), gone, keepdims=True)
    divisor = _reduce_count(count, correction)
    if divisor == 0.0:
        return Tensor(program.divide(program.multiply(total, 0.0), 0.0), rest.order)
    if isinstance(divisor, program.Value):
        divisor = program.cast(divisor, total.element)
    return Tensor(program.divide(total, divisor), rest.order)


def _without(c: Context, x: Tensor, axes, keepdim: bool) -> Tensor:
    if keepdim:
        return x
    _, gone, order = reduced(x, axes)
    return Tensor(program.squeeze(x.value, gone), order)


@operation("var_mean.correction")
def _var_mean(c: Context, x, dims=None, *, correction=1, keepdim=False):
    element = x.element
    wide = cast(x, wide_type(element))
    mean, rest, count = deviations(wide, dims)
    spread = variance(rest, dims, count, 1 if correction is None else correction)
    return tuple(cast(_without(c, part, dims, keepdim), element) for part in (spread, mean))


@operation("var.correction")
def _var(c: Context, x, dims=None, *, correction=1, keepdim=False):
    return _var_mean(c, x, dims, correction=correction, keepdim=keepdim)[0]


@operation("std.correction")
def _std(c: Context, x, dims=None, *, correction=1, keepdim=False):
    spread = _var(c, x, dims, correction=correction, keepdim=keepdim)
    return Tensor(program.sqrt(spread.value), spread.order)


@operation("_softmax.default", "softmax.int", "_safe_softmax.default")
def _softmax(c: Context, x, dim, *_, **options):
    safe = c.node.target == "aten._safe_softmax.default"
    wide = cast(x, wide_type(c.element))
    return cast(softmax(wide, dim % max(x.rank, 1), safe), c.element)


def softmax(x: Tensor, axis: int, safe: bool = False) -> Tensor:
    """Along an axis. With `safe` a row of nothing but negative infinities gives 0."""
    p = program
    if x.rank == 0:
        return Tensor(p.divide(x.value, x.value), ())
    at = [x.order[axis]]
    largest = p.reduce("max", x.value, at, keepdims=True)
    if safe:
        largest = p.select(p.equal(largest, float("-inf")), 0.0, largest)
    powers = p.exp(p.subtract(x.value, largest))
    total = p.sum(powers, at, keepdims=True)
    if safe:
        total = p.select(p.equal(total, 0.0), 1.0, total)
    return Tensor(p.divide(powers, total), x.order)


@operation("_log_softmax.default", "log_softmax.int")
def _log_softmax(c: Context, x, dim, *_, **options):
    p = program
    wide = cast(x, wide_type(c.element))
    at = [wide.order[dim % x.rank]]
    shifted = p.subtract(wide.value, p.reduce("max", wide.value, at, keepdims=True))
    total = p.log(p.sum(p.exp(shifted), at, keepdims=True))
    return cast(Tensor(p.subtract(shifted, total), wide.order), c.element)


@operation("logsumexp.default")
def _logsumexp(c: Context, x, dims, keepdim=False):
    p = program
    x = cast(x, c.element)
    _, gone, order = reduced(x, dims)
    largest = p.reduce("max", x.value, gone, keepdims=True)
    largest = p.select(p.isfinite(largest), largest, 0.0)
    total = p.add(p.log(p.sum(p.exp(p.subtract(x.value, largest)), gone, keepdims=True)), largest)
    return Tensor(total, x.order) if keepdim else Tensor(p.squeeze(total, gone), order)


# Sums over a prefix.


@operation("cumsum.default")
def _cumsum(c: Context, x, dim, *, dtype=None):
    if x.rank == 0:
        return cast(x, c.element)
    element = c.element
    x = cast(x, element)
    dim %= x.rank
    # Each result sums what is not behind it.
    wide = add_axis(x, dim)
    size = x.extent(dim)
    rows = program.iota(c.builder, size, "i64", axis=0, rank=2)
    columns = program.iota(c.builder, size, "i64", axis=1, rank=2)
    kept = program.less_equal(columns, rows)
    after = x.rank - 1 - dim
    if after:
        kept = program.expand(kept, list(range(2, 2 + after)))
    zero = 0.0 if program.is_float(element) else 0
    masked = elementwise(c, lambda kept, x: program.select(kept, x, zero), plain(kept), wide)
    return _reduce(c, program.sum, masked, [dim + 1], False)
