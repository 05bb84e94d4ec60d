"""Norms of layers and of batches."""

from __future__ import annotations

from .. import _program as program
from ._fits import require_numbers
from ._making import Maker, elementwise
from ._sums import cast, moments, wide_type
from ._tensor import Held, Tensor, align, plain, settle
from ._views import view


def normalise(rest: Tensor, spread: Tensor, eps: float, *affine) -> tuple[Tensor, Tensor]:
    """What is left of the mean over the deviation, times a weight, and more; and one
    over the deviation."""
    p = program
    inverse = Tensor(p.rsqrt(p.add(spread.value, float(eps))), spread.order)
    value = Tensor(p.multiply(rest.value, inverse.value), rest.order)
    for function, operand in zip((p.multiply, p.add), affine):
        if operand is not None:
            values, order = align([value, cast(operand, value.element)])
            value = Tensor(function(*values), order)
    return value, inverse


def normalise_layer(x: Tensor, axes, weight, bias, eps: float) -> tuple[Tensor, Tensor, Tensor]:
    """A layer norm over axes, the mean, and one over the deviation."""
    mean, rest, spread = moments(cast(x, wide_type(x.element)), axes)
    value, inverse = normalise(rest, spread, eps, weight, bias)
    return cast(value, x.element), mean, inverse


def normalise_batch(c: Maker, x: Tensor, weight, bias, mean, variance, eps: float) -> Tensor:
    """A batch norm by a mean and a variance that are given: what is Held is folded into
    a factor and a summand of each channel, axis 1."""
    element = x.element
    wide = wide_type(element)
    parts = [mean, variance, weight, bias]
    for part, what in zip(parts, ("mean", "variance", "scale", "bias")):
        require_numbers(c, part, x.extent(1), what)
    if all(isinstance(p, Held) or p is None for p in parts):
        scale, shift = _fold_batch_norm(mean, variance, weight, bias, eps, wide)
    else:
        scale, shift = _compute_batch_norm([p if p is None else c.tensor(p) for p in parts], eps, wide)
    shape = [1] * (x.rank - 2)
    operands = [cast(x, wide)]
    for part in (scale, shift):
        if isinstance(part, Held):
            operands.append(c.tensor(part.reshape([*part.shape, *shape])))
        else:
            operands.append(view(c, part, [part.extent(0), *shape]))
    result = elementwise(c, lambda x, a, b: program.add(program.multiply(x, a), b), *operands)
    return cast(result, element)


def _fold_batch_norm(mean: Held, variance: Held, weight: Held | None, bias: Held | None, eps: float, element: str):
    """The factor and the summand of each channel, once for all calls."""
    scale = variance.combine("rsqrt", element, eps)
    if weight is not None:
        scale = scale.combine("multiply", element, weight)
    shift = mean.combine("multiply", element, scale)
    if bias is None:
        return scale, shift.combine("multiply", element, -1.0)
    return scale, bias.combine("subtract", element, shift)


def _compute_batch_norm(parts, eps: float, element: str):
    p = program
    mean, variance, weight, bias = (None if part is None else p.cast(settle(part), element) for part in parts)
    scale = p.rsqrt(p.add(variance, eps))
    if weight is not None:
        scale = p.multiply(scale, weight)
    shift = p.negative(p.multiply(mean, scale))
    if bias is not None:
        shift = p.add(shift, bias)
    return plain(scale), plain(shift)
