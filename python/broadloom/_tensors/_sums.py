"""Reductions and what is made of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .. import _program as program
from .._program import Value
from ._making import reduced
from ._tensor import Tensor


def reduce(function: Callable[..., Value], x: Tensor, axes: Sequence[int] | None, keepdim: bool) -> Tensor:
    """Applies a reduction, a `function` of the value, its axes and keepdims."""
    _own, gone, order = reduced(x, axes)
    if x.rank == 0:
        return x
    value = function(x.value, gone, keepdims=keepdim)
    return Tensor(value, x.order if keepdim else order)


def extreme(kind: str) -> Callable[..., Value]:
    """Returns the reduction by 'max' or 'min', which is whether any or all hold of booleans."""

    def code(x: Value, axes: Sequence[int], keepdims: bool = False) -> Value:
        boolean = "any" if kind == "max" else "all"
        return program.reduce(boolean if x.element == "i1" else kind, x, axes, keepdims)

    return code


def log_sum_exp(x: Value, axes: Sequence[int], keepdims: bool = False) -> Value:
    """Computes the logarithm of the sum of the exponentials of x, which are taken relative to the largest element."""
    p = program
    largest = p.reduce("max", x, axes, keepdims=True)
    largest = p.select(p.isfinite(largest), largest, 0.0)
    total = p.add(p.log(p.sum(p.exp(p.subtract(x, largest)), axes, keepdims=True)), largest)
    return total if keepdims else p.squeeze(total, axes)


def cast(x: Tensor, element: str) -> Tensor:
    """Casts x to another element type."""
    return Tensor(program.cast(x.value, element), x.order)


def wide_type(element: str) -> str:
    """Returns the type in which several operations on short floats are computed."""
    return "f32" if element in ("f16", "bf16") else element


def moments(x: Tensor, axes: Sequence[int] | None, correction: float = 0) -> tuple[Tensor, Tensor, Tensor]:
    """Computes the mean of f32 or f64, the differences from it, and the variance; the mean and the variance keep all
    axes."""
    _, gone, _ = reduced(x, axes)
    mean, variance = program.moments(x.value, gone, correction)
    rest = program.subtract(x.value, mean)
    return Tensor(mean, x.order), Tensor(rest, x.order), Tensor(variance, x.order)


def softmax(x: Tensor, axis: int, safe: bool = False) -> Tensor:
    """Computes the softmax along an axis. With `safe` a row of nothing but negative infinities gives 0."""
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
    return Tensor(p.multiply(powers, p.divide(1.0, total)), x.order)


def log_softmax(x: Tensor, axis: int) -> Tensor:
    """Computes the logarithm of the softmax along an axis."""
    p = program
    if x.rank == 0:
        return Tensor(p.subtract(x.value, x.value), ())
    at = [x.order[axis]]
    shifted = p.subtract(x.value, p.reduce("max", x.value, at, keepdims=True))
    total = p.log(p.sum(p.exp(shifted), at, keepdims=True))
    return Tensor(p.subtract(shifted, total), x.order)


def cumulate(x: Tensor, axis: int, kind: str = "sum", exclusive: bool = False, reverse: bool = False) -> Tensor:
    """Computes the running 'sum' or 'product' along an axis: each element is left out of its own with `exclusive`; with
    `reverse` it goes from the end."""
    p = program
    at = x.order[axis]
    value = p.flip(x.value, [at]) if reverse else x.value
    if exclusive:
        low = [int(number == at) for number in range(x.rank)]
        neutral = 0 if kind == "sum" else 1
        value = p.pad(value, low, [0] * x.rank, float(neutral) if p.is_float(x.element) else neutral)
        value = p.take_slice(value, at, 0, p.extent(x.value, at))
    value = p.scan(kind, value, at)
    return Tensor(p.flip(value, [at]) if reverse else value, x.order)
