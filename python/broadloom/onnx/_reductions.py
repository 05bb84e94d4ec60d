"""Reductions, and what is made of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .. import _program as program
from .._program import Value
from .._tensors import _sums as sums
from .._tensors._making import reduced
from .._tensors._sums import cast, cumulate, wide_type
from .._tensors._tensor import Tensor
from .._tensors._views import view
from ._context import Context, Known, Operand, Unsupported, fold, from_rank, operator


def _reduce(
    c: Context, code: Callable[..., Value], x: Operand, axes: Sequence[int] | None, keepdims: int, noop: int = 0
) -> Tensor:
    """Applies `code` to the value, axes and keepdims; floats of 16 bits are computed in f32."""
    x = c.tensor(x)
    axes = [] if axes is None else [from_rank(axis, x.rank) for axis in axes]
    element = x.element
    wide = cast(x, wide_type(element))
    if not axes and noop:
        return cast(Tensor(code(wide.value, [], True), x.order), element)
    if x.rank == 0:
        return cast(Tensor(code(wide.value, [], True), ()), element)
    _, gone, order = reduced(wide, axes)
    value = code(wide.value, gone, bool(keepdims))
    return cast(Tensor(value, x.order if keepdims else order), element)


def _reduction_of(kind: str) -> Callable[..., Value]:
    return lambda x, axes, keepdims: program.reduce(kind, x, axes, keepdims)


def _mean(x: Value, axes: Sequence[int], keepdims: bool) -> Value:
    p = program
    if p.is_float(x.element):
        return p.mean(x, axes, keepdims)
    return p.truncate_divide(p.reduce("sum", x, axes, keepdims), p.count(x, axes))


def _square(x: Value) -> Value:
    return program.multiply(x, x)


def _l2(x: Value, axes: Sequence[int], keepdims: bool) -> Value:
    p = program
    if p.is_float(x.element):
        return p.sqrt(p.reduce("sum", _square(x), axes, keepdims))
    wide = p.cast(x, "f64")
    return p.cast(p.sqrt(p.reduce("sum", _square(wide), axes, keepdims)), x.element)


def _in_floats(code: Callable[..., Value]) -> Callable[..., Value]:
    """Has a reduction of integers computed in floats."""

    def wide(x: Value, axes: Sequence[int], keepdims: bool) -> Value:
        if program.is_float(x.element):
            return code(x, axes, keepdims)
        return program.cast(code(program.cast(x, "f64"), axes, keepdims), x.element)

    return wide


def _log_sum_exp(x: Value, axes: Sequence[int], keepdims: bool) -> Value:
    return sums.log_sum_exp(x, axes, keepdims) if axes else program.add(x, 0.0)


_REDUCTIONS: dict[str, tuple[Callable[..., Value], int]] = {
    "ReduceSum": (_reduction_of("sum"), 13),
    "ReduceMean": (_mean, 18),
    "ReduceMax": (sums.extreme("max"), 18),
    "ReduceMin": (sums.extreme("min"), 18),
    "ReduceProd": (_reduction_of("product"), 18),
    "ReduceL1": (lambda x, a, k: program.reduce("sum", program.absolute(x), a, k), 18),
    "ReduceL2": (_l2, 18),
    "ReduceSumSquare": (lambda x, a, k: program.reduce("sum", _square(x), a, k), 18),
    "ReduceLogSum": (_in_floats(lambda x, a, k: program.log(program.reduce("sum", x, a, k))), 18),
    "ReduceLogSumExp": (_in_floats(_log_sum_exp), 18),
}
_KNOWN: dict[str, Callable[..., Any]] = {
    "ReduceSum": np.sum,
    "ReduceProd": np.prod,
    "ReduceMax": np.max,
    "ReduceMin": np.min,
}


def _fold_reduction(name: str, x: Operand, axes: Sequence[int] | None, keepdims: int) -> Known | None:
    if name not in _KNOWN or x.rank == 0:
        return None
    over = tuple(axes) if axes else None
    return fold(lambda x: _KNOWN[name](x, axis=over, keepdims=bool(keepdims)), x.element, x)


def _enter_reduction(name: str, code: Callable[..., Value], since: int) -> None:
    @operator(name)
    def old(c: Context, x: Operand, *, axes: Sequence[int] | None = None, keepdims: int = 1) -> Operand:
        return _fold_reduction(name, x, axes, keepdims) or _reduce(c, code, x, axes, keepdims)

    @operator(name, since=since)
    def new(
        c: Context, x: Operand, axes: Operand | None = None, *, keepdims: int = 1, noop_with_empty_axes: int = 0
    ) -> Operand:
        over = None if axes is None else c.integers(axes, "axes") or None
        if over is None and noop_with_empty_axes:
            return _reduce(c, code, x, None, keepdims, 1)
        return _fold_reduction(name, x, over, keepdims) or _reduce(c, code, x, over, keepdims)


for _name, (_code, _since) in _REDUCTIONS.items():
    _enter_reduction(_name, _code, _since)


# Indices of extremes.


def _find_index(c: Context, function: Callable[..., Value], x: Operand, axis: int, keepdims: int, last: int) -> Tensor:
    x = c.tensor(x)
    axis = from_rank(axis, x.rank)
    _, (gone,), order = reduced(x, [axis])
    program.require(
        c.builder,
        "sge",
        x.extent(axis),
        1,
        f"axis {axis} has {{0}} elements, of which none is the largest or the least",
    )
    value = x.value
    if last:
        value = program.flip(value, [gone])
    found = function(value, gone, keepdims=bool(keepdims))
    if last:
        found = program.subtract(program.add(program.multiply(found, 0), x.extent(axis) - 1), found)
    return Tensor(found, x.order if keepdims else order)


@operator("ArgMax")
def _argmax(c: Context, x: Operand, *, axis: int = 0, keepdims: int = 1, select_last_index: int = 0) -> Tensor:
    return _find_index(c, program.argmax, x, axis, keepdims, select_last_index)


@operator("ArgMin")
def _argmin(c: Context, x: Operand, *, axis: int = 0, keepdims: int = 1, select_last_index: int = 0) -> Tensor:
    return _find_index(c, program.argmin, x, axis, keepdims, select_last_index)


# Along one axis.


def _softmax(c: Context, function: Callable[..., Tensor], x: Tensor, axis: int) -> Tensor:
    return cast(function(cast(x, wide_type(x.element)), axis), x.element)


def _hardmax(x: Tensor, axis: int) -> Tensor:
    p = program
    at = x.order[axis]
    best = p.argmax(x.value, at, keepdims=True)
    line = p.iota(x.value.builder, p.extent(x.value, at), "i64", axis=at, rank=x.rank)
    return Tensor(p.cast(p.equal(line, best), x.element), x.order)


def softmax_from(c: Context, function: Callable[..., Tensor], x: Tensor, axis: int) -> Tensor:
    """Applies a softmax over all axes from one on, as if these were one."""
    axis = from_rank(axis, x.rank)
    if axis == x.rank - 1:
        return _softmax(c, function, x, axis)
    own = x.extents
    flat = view(c, x, [program.product(own[:axis]), program.product(own[axis:])])
    return view(c, _softmax(c, function, flat, 1), own)


for _name, _function in (("Softmax", sums.softmax), ("LogSoftmax", sums.log_softmax), ("Hardmax", _hardmax)):

    def _enter_softmax(name: str, function: Callable[..., Tensor]) -> None:
        @operator(name)
        def old(c: Context, x: Operand, *, axis: int = 1) -> Tensor:
            return softmax_from(c, function, c.tensor(x), axis)

        @operator(name, since=13)
        def new(c: Context, x: Operand, *, axis: int = -1) -> Tensor:
            x = c.tensor(x)
            return _softmax(c, function, x, from_rank(axis, x.rank))

    _enter_softmax(_name, _function)


def _cumulate(c: Context, x: Operand, axis: Operand, kind: str, exclusive: int, reverse: int) -> Tensor:
    x = c.tensor(x)
    (at,) = c.integers(axis, "axis")
    return cumulate(x, from_rank(at, x.rank), kind, bool(exclusive), bool(reverse))


@operator("CumSum", since=11)
def _cumsum(c: Context, x: Operand, axis: Operand, *, exclusive: int = 0, reverse: int = 0) -> Tensor:
    return _cumulate(c, x, axis, "sum", exclusive, reverse)


@operator("CumProd", since=26)
def _cumprod(c: Context, x: Operand, axis: Operand, *, exclusive: int = 0, reverse: int = 0) -> Tensor:
    return _cumulate(c, x, axis, "product", exclusive, reverse)


@operator("LpNormalization")
def _lp_normalization(c: Context, x: Operand, *, axis: int = -1, p: int = 2) -> Tensor:
    if p not in (1, 2):
        raise Unsupported(f"a norm of order {p}; 1 and 2 are there")
    x = c.tensor(x)
    axis = from_rank(axis, x.rank)
    wide = cast(x, wide_type(x.element)).value
    at = [x.order[axis]]
    norm = _l2(wide, at, True) if p == 2 else program.reduce("sum", program.absolute(wide), at, True)
    made = program.select(program.equal(norm, 0.0), 0.0, program.divide(wide, norm))
    return cast(Tensor(made, x.order), x.element)
