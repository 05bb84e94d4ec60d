"""Normalisations of ATen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .. import _program as program
from .._tensors._norms import normalise_batch, normalise_by_root, normalise_groups, normalise_layer
from .._tensors._sums import cast, wide_type
from .._tensors._tensor import Tensor, align
from .._tensors._views import view
from ._context import Context, Missing, Unsupported, operation
from ._folding import is_folded
from ._stored import Operand


@operation("native_layer_norm.default")
def _native_layer_norm(
    c: Context,
    x: Tensor,
    shape: Sequence[int],
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
) -> tuple[Tensor, ...]:
    value, mean, inverse = _normalise(x, shape, weight, bias, eps)
    return value, cast(mean, c.result_type(1).element), cast(inverse, c.result_type(2).element)


def _normalise(
    x: Tensor, shape: Sequence[int], weight: Tensor | None, bias: Tensor | None, eps: float
) -> tuple[Tensor, ...]:
    return normalise_layer(x, list(range(x.rank - len(shape), x.rank)), weight, bias, eps)


@operation("layer_norm.default")
def _layer_norm(
    c: Context,
    x: Tensor,
    shape: Sequence[int],
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
    cudnn_enable: bool = True,
) -> Tensor:
    return _normalise(x, shape, weight, bias, eps)[0]


@operation("rms_norm.default", "_fused_rms_norm.default")
def _rms_norm(
    c: Context, x: Tensor, shape: Sequence[int], weight: Tensor | None = None, eps: float | None = None
) -> Tensor | tuple[Tensor, Tensor]:
    wide = cast(x, wide_type(x.element))
    eps = {"f64": 2.220446049250313e-16}.get(wide.element, 1.1920928955078125e-07) if eps is None else eps
    value, inverse = normalise_by_root(wide, list(range(x.rank - len(shape), x.rank)), eps, weight)
    value = cast(value, x.element)
    if c.node.target == "aten.rms_norm.default":
        return value
    return value, cast(inverse, c.result_type(1).element)


@operation("native_group_norm.default", "group_norm.default")
def _group_norm(c: Context, x: Tensor, *rest: Any) -> Tensor | tuple[Tensor, Missing, Missing]:
    if c.node.target == "aten.group_norm.default":
        groups, weight, bias, eps = [*rest, None, None, 1e-5][:4] if len(rest) < 4 else rest[:4]
    else:
        weight, bias, _, _, _, groups, eps = rest
    value = view(c, normalise_groups(c, x, groups, eps, wide_type(x.element)), x.extents)
    for function, operand in ((program.multiply, weight), (program.add, bias)):
        if operand is not None:
            shape = [operand.extent(0)] + [1] * (x.rank - 2)
            values, order = align([value, view(c, cast(operand, value.element), shape)])
            value = Tensor(function(*values), order)
    value = cast(value, x.element)
    if c.node.target == "aten.group_norm.default":
        return value
    return value, Missing("the mean of groups"), Missing("the deviation of groups")


@operation(
    "_native_batch_norm_legit_no_training.default",
    "native_batch_norm.default",
    "batch_norm.default",
    "cudnn_batch_norm.default",
    "_batch_norm_no_update.default",
    stored=True,
)
def _batch_norm(
    c: Context, x: Operand, weight: Operand, bias: Operand, mean: Operand, variance: Operand, *rest: float
) -> Tensor | tuple[Missing | Tensor, ...]:
    if c.node.target.startswith("aten._"):
        eps = rest[-1]
    else:
        if rest[0]:
            raise Unsupported("batch_norm in training mode; call .eval() on the module")
        eps = rest[2]
    result = c.tensor(x) if is_folded(c) else normalise_batch(c, c.tensor(x), weight, bias, mean, variance, float(eps))
    if c.node.target == "aten.batch_norm.default":
        return result
    return (result, *(Missing("what batch_norm saves for training") for _ in range(4)))


@operation("_native_batch_norm_legit.no_stats")
def _norm_by_channel(
    c: Context, x: Tensor, weight: Tensor | None, bias: Tensor | None, training: bool, momentum: float, eps: float
) -> tuple[Tensor, Missing, Missing]:
    """Normalises by the mean and the deviation that the channels of this batch have, as instance_norm does."""
    axes = [axis for axis in range(x.rank) if axis != 1]
    shape = [x.extent(1)] + [1] * (x.rank - 2)
    scale, shift = (None if part is None else view(c, part, shape) for part in (weight, bias))
    value, _, _ = normalise_layer(x, axes, scale, shift, eps)
    return value, Missing("the mean of channels"), Missing("the deviation of channels")
