"""Norms."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from .. import _program as program
from .._tensors._fits import require_numbers, require_spread_to
from .._tensors._norms import normalise_axes, normalise_batch, normalise_by_root, normalise_groups
from .._tensors._sums import cast, moments, wide_type
from .._tensors._tensor import Number, Tensor
from .._tensors._views import view
from ._arrays import ELEMENTS
from ._context import Context, Known, Operand, Unsupported, from_rank, operator, spread


def _by_channel(c: Context, part: Operand, rank: int, channels: Number, what: str, of: str = "channels") -> Operand:
    """Gives a vector of channels the axes that follow them."""
    require_numbers(c, part, channels, what, of)
    shape = [-1] + [1] * (rank - 2)
    if isinstance(part, Known):
        return part.reshape(shape)
    return view(c, part, [part.extent(0), *shape[1:]])


def _of_channels(c: Context, scale: Operand, bias: Operand, x: Tensor) -> list[Operand]:
    """Returns a scale and a bias of the channels of x, with its axes."""
    return [_by_channel(c, part, x.rank, x.extent(1), what) for part, what in ((scale, "scale"), (bias, "bias"))]


def _affine(c: Context, x: Tensor, scale: Operand, bias: Operand | None) -> Tensor:
    """Multiplies x by a scale and adds a bias, where they are given."""
    for function, operand in ((program.multiply, scale), (program.add, bias)):
        if operand is not None:
            require_spread_to(c, operand, x, "scale" if function is program.multiply else "bias")
            x = spread(c, function, x, operand, element=x.element)
    return x


def _stash_type(x: Tensor, stash_type: int) -> str:
    """Returns the element type in which a norm of x is computed: that of the attribute, or f64."""
    return ELEMENTS[stash_type] if x.element != "f64" else "f64"


@operator("BatchNormalization", since=7)
def _old_batch_norm(
    c: Context,
    x: Operand,
    scale: Operand,
    bias: Operand,
    mean: Operand,
    var: Operand,
    *,
    epsilon: float = 1e-5,
    momentum: float = 0.9,
    spatial: int = 1,
) -> Tensor:
    if not spatial:
        raise Unsupported("a batch norm that is not spatial")
    return normalise_batch(c, c.tensor(x), scale, bias, mean, var, epsilon)


@operator("BatchNormalization", since=9)
def _batch_norm(
    c: Context,
    x: Operand,
    scale: Operand,
    bias: Operand,
    mean: Operand,
    var: Operand,
    *,
    epsilon: float = 1e-5,
    momentum: float = 0.9,
    training_mode: int = 0,
) -> Tensor | tuple[Tensor, ...]:
    if training_mode:
        return _train_batch_norm(c, c.tensor(x), scale, bias, mean, var, epsilon, momentum)
    if c.outputs > 1:
        raise Unsupported("a batch norm in training mode of an opset before 14; export the model for inference")
    return normalise_batch(c, c.tensor(x), scale, bias, mean, var, epsilon)


def _train_batch_norm(
    c: Context, x: Tensor, scale: Any, bias: Any, mean: Any, var: Any, epsilon: float, momentum: float
) -> tuple[Tensor, ...]:
    """Computes a batch norm by the mean and the variance of x, and the running ones."""
    wide = cast(x, wide_type(x.element))
    over = [axis for axis in range(x.rank) if axis != 1]
    value, _, _ = normalise_axes(wide, over, epsilon)
    made = cast(_affine(c, value, *_of_channels(c, scale, bias, x)), x.element)
    own_mean, _, own_var = moments(wide, over)
    found = [made]
    for running, own in ((mean, own_mean), (var, own_var)):
        require_numbers(c, running, x.extent(1), "mean and the variance")
        vector = view(c, own, [x.extent(1)])
        blend = lambda old, new: program.add(program.multiply(old, momentum), program.multiply(new, 1.0 - momentum))
        found.append(cast(spread(c, blend, running, vector, element=wide.element), running.element))
    return tuple(found[: max(c.outputs, 1)])


@operator("InstanceNormalization", since=6)
def _instance_norm(c: Context, x: Operand, scale: Operand, bias: Operand, *, epsilon: float = 1e-5) -> Tensor:
    x = c.tensor(x)
    value, _, _ = normalise_axes(cast(x, wide_type(x.element)), list(range(2, x.rank)), epsilon)
    return cast(_affine(c, value, *_of_channels(c, scale, bias, x)), x.element)


@operator("LayerNormalization", since=17)
def _layer_norm(
    c: Context,
    x: Operand,
    scale: Operand,
    bias: Operand | None = None,
    *,
    axis: int = -1,
    epsilon: float = 1e-5,
    stash_type: int = 1,
) -> tuple[Tensor, ...]:
    x = c.tensor(x)
    axes = list(range(from_rank(axis, x.rank), x.rank))
    value, mean, inverse = normalise_axes(cast(x, _stash_type(x, stash_type)), axes, epsilon)
    made = _affine(c, cast(value, x.element), scale, bias)
    # The moments have the type of the attribute, also where they are computed in f64.
    told = ELEMENTS[stash_type]
    return (made, cast(mean, told), cast(inverse, told))[: max(c.outputs, 1)]


@operator("RMSNormalization", since=23)
def _rms_norm(
    c: Context, x: Operand, scale: Operand, *, axis: int = -1, epsilon: float = 1e-5, stash_type: int = 1
) -> Tensor:
    x = c.tensor(x)
    axes = list(range(from_rank(axis, x.rank), x.rank))
    value, _ = normalise_by_root(cast(x, _stash_type(x, stash_type)), axes, epsilon)
    return _affine(c, cast(value, x.element), scale, None)


@operator("GroupNormalization", since=18)
def _old_group_norm(
    c: Context, x: Operand, scale: Operand, bias: Operand, *, num_groups: int, epsilon: float = 1e-5
) -> Tensor:
    """Computes a group norm whose scale and bias are those of groups."""
    x = c.tensor(x)
    value = normalise_groups(c, x, num_groups, epsilon, wide_type(x.element))
    scale, bias = (
        _by_channel(c, part, x.rank + 1, num_groups, what, "groups")
        for part, what in ((scale, "scale"), (bias, "bias"))
    )
    return cast(view(c, _affine(c, value, scale, bias), x.extents), x.element)


@operator("GroupNormalization", since=21)
def _new_group_norm(
    c: Context,
    x: Operand,
    scale: Operand,
    bias: Operand,
    *,
    num_groups: int,
    epsilon: float = 1e-5,
    stash_type: int = 1,
) -> Tensor:
    x = c.tensor(x)
    wide = _stash_type(x, stash_type)
    value = cast(view(c, normalise_groups(c, x, num_groups, epsilon, wide), x.extents), x.element)
    return _affine(c, value, *_of_channels(c, scale, bias, x))


@operator("MeanVarianceNormalization", since=9)
def _mean_variance_norm(c: Context, x: Operand, *, axes: Sequence[int] = (0, 2, 3)) -> Tensor:
    p = program
    x = c.tensor(x)
    wide = cast(x, wide_type(x.element))
    over = [from_rank(axis, x.rank) for axis in axes]
    _, rest, spread_ = moments(wide, over)
    made = p.divide(rest.value, p.add(p.sqrt(spread_.value), 1e-9))
    return cast(Tensor(made, rest.order), x.element)


@operator("LRN")
def _lrn(c: Context, x: Operand, *, size: int, alpha: float = 1e-4, beta: float = 0.75, bias: float = 1.0) -> Tensor:
    p = program
    x = c.tensor(x)
    wide = cast(x, wide_type(x.element))
    at = wide.order[1]
    before = (size - 1) // 2
    channels = wide.extent(1)
    low, high = [0] * x.rank, [0] * x.rank
    low[at], high[at] = before, size - 1 - before
    padded = p.pad(p.multiply(wide.value, wide.value), low, high, 0.0)
    total = functools.reduce(p.add, (p.take_slice(padded, at, shift, channels) for shift in range(size)))
    scale = p.power(p.add(p.multiply(total, alpha / size), bias), beta)
    return cast(Tensor(p.divide(wide.value, scale), wide.order), x.element)
