"""Norms of layers and of batches."""

from __future__ import annotations

from collections.abc import Sequence

from .. import _program as program
from ._fits import require_numbers
from ._making import Maker, elementwise, reduced
from ._sums import cast, moments, wide_type
from ._tensor import Held, Operand, Tensor, align, from_value, to_value
from ._views import view


def normalise(rest: Tensor, variance: Tensor, eps: float, *affine: Tensor | None) -> tuple[Tensor, Tensor]:
    """Divides differences from the mean by the deviation, multiplies by a weight and adds a bias where `affine` has
    them; returns the values and the inverse deviation."""
    p = program
    inverse = Tensor(p.rsqrt(p.add(variance.value, float(eps))), variance.order)
    value = Tensor(p.multiply(rest.value, inverse.value), rest.order)
    for function, operand in zip((p.multiply, p.add), affine):
        if operand is not None:
            values, order = align([value, cast(operand, value.element)])
            value = Tensor(function(*values), order)
    return value, inverse


def normalise_axes(x: Tensor, axes: Sequence[int], eps: float, *affine: Tensor | None) -> tuple[Tensor, Tensor, Tensor]:
    """Normalises x over axes to mean 0 and deviation 1, multiplies by a weight and adds a bias where `affine` has them;
    returns the values, the mean and the inverse deviation."""
    mean, rest, variance = moments(x, axes)
    value, inverse = normalise(rest, variance, eps, *affine)
    return value, mean, inverse


def normalise_layer(
    x: Tensor, axes: Sequence[int], weight: Tensor | None, bias: Tensor | None, eps: float
) -> tuple[Tensor, Tensor, Tensor]:
    """Computes a layer norm over axes, short floats in f32; returns the values, the mean and the inverse deviation."""
    value, mean, inverse = normalise_axes(cast(x, wide_type(x.element)), axes, eps, weight, bias)
    return cast(value, x.element), mean, inverse


def normalise_by_root(
    x: Tensor, axes: Sequence[int], eps: float, weight: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """Divides x by the root of the mean of its squares over axes, and multiplies by a weight; returns the values and
    the inverse root."""
    _, gone, _ = reduced(x, axes)
    square = program.mean(program.multiply(x.value, x.value), gone, keepdims=True)
    return normalise(x, Tensor(square, x.order), eps, weight)


def normalise_groups(c: Maker, x: Tensor, groups: int, eps: float, element: str) -> Tensor:
    """Normalises groups of the channels, axis 1, in an element type; each group is an axis 1 of the result, and its
    channels axis 2."""
    if groups < 1:
        raise ValueError(f"{groups} groups of channels; at least 1 is needed")
    size = x.extent(1) // groups
    message = f"{groups} groups of one size take {{0}} channels, but the image has {{1}}"
    program.require(c.builder, "eq", size * groups, x.extent(1), message)
    split = view(c, x, [x.extent(0), groups, size, *x.extents[2:]])
    return normalise_axes(cast(split, element), list(range(2, split.rank)), eps)[0]


def normalise_batch(
    c: Maker, x: Tensor, weight: Operand | None, bias: Operand | None, mean: Operand, variance: Operand, eps: float
) -> Tensor:
    """Computes a batch norm by a mean and a variance that are given: what is Held is folded into a factor and a summand
    of each channel, axis 1."""
    element = x.element
    wide = wide_type(element)
    parts = [mean, variance, weight, bias]
    for part, what in zip(parts, ("mean", "variance", "scale", "bias")):
        require_numbers(c, part, x.extent(1), what)
    if not (
        isinstance(mean, Tensor)
        or isinstance(variance, Tensor)
        or isinstance(weight, Tensor)
        or isinstance(bias, Tensor)
    ):
        scale, shift = fold_batch_norm(mean, variance, weight, bias, eps, wide)
    else:
        scale, shift = _compute_batch_norm(
            c.tensor(mean),
            c.tensor(variance),
            weight if weight is None else c.tensor(weight),
            bias if bias is None else c.tensor(bias),
            eps,
            wide,
        )
    shape = [1] * (x.rank - 2)
    operands = [cast(x, wide)]
    for part in (scale, shift):
        if isinstance(part, Held):
            operands.append(c.tensor(part.reshape([*part.shape, *shape])))
        else:
            operands.append(view(c, part, [part.extent(0), *shape]))
    result = elementwise(c, lambda x, a, b: program.add(program.multiply(x, a), b), *operands)
    return cast(result, element)


def fold_batch_norm(
    mean: Held, variance: Held, weight: Held | None, bias: Held | None, eps: float, element: str
) -> tuple[Operand, Operand]:
    """Computes the factor and the summand of each channel once for all calls."""
    scale = variance.combine("rsqrt", element, eps)
    if weight is not None:
        scale = scale.combine("multiply", element, weight)
    shift = mean.combine("multiply", element, scale)
    if bias is None:
        return scale, shift.combine("multiply", element, -1.0)
    return scale, bias.combine("subtract", element, shift)


def _compute_batch_norm(
    mean: Tensor, variance: Tensor, weight: Tensor | None, bias: Tensor | None, eps: float, element: str
) -> tuple[Operand, Operand]:
    """Computes the factor and the summand of each channel in each call."""
    p = program
    center, spread = (p.cast(to_value(part), element) for part in (mean, variance))
    factor, summand = (None if part is None else p.cast(to_value(part), element) for part in (weight, bias))
    scale = p.rsqrt(p.add(spread, eps))
    if factor is not None:
        scale = p.multiply(scale, factor)
    shift = p.negative(p.multiply(center, scale))
    if summand is not None:
        shift = p.add(shift, summand)
    return from_value(scale), from_value(shift)
