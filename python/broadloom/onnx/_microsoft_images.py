"""Operators of ONNX Runtime on images, of which several have the channels last."""

from __future__ import annotations

from typing import Any

from .. import _program as program
from .._tensors._activations import gelu
from .._tensors._fits import require_extents, require_numbers, require_spread_to
from .._tensors._tensor import Tensor
from .._tensors._views import view
from ._activations import activate
from ._context import Context, Operand, Unsupported, operator, spread, takes_attributes_of
from ._images import _conv, _conv_transpose
from ._microsoft import MICROSOFT
from ._microsoft import channels_first as to_first
from ._microsoft import channels_last as to_last
from ._norms import _new_group_norm
from ._parts import split_axis
from ._quantized import _qlinear_conv


@operator("NhwcConv", domain=MICROSOFT)
@takes_attributes_of(_conv)
def _nhwc_conv(c: Context, x: Operand, weight: Operand, bias: Operand | None = None, **window: Any) -> Any:
    return to_last(_conv(c, to_first(x), to_first(weight), bias, **window))


@operator("QLinearConv", domain=MICROSOFT)
@takes_attributes_of(_qlinear_conv)
def _qlinear_conv_of_images(
    c: Context,
    x: Operand,
    x_scale: Operand,
    x_zero: Operand,
    weight: Operand,
    weight_scale: Operand,
    weight_zero: Operand,
    scale: Operand,
    zero: Operand,
    bias: Operand | None = None,
    *,
    channels_last: int = 0,
    **window: Any,
) -> Any:
    parts = (weight, weight_scale, weight_zero, scale, zero, bias)
    made = _qlinear_conv(c, to_first(x) if channels_last else x, x_scale, x_zero, *parts, **window)
    return to_last(made) if channels_last else made


@operator("ConvTransposeWithDynamicPads", domain=MICROSOFT)
@takes_attributes_of(_conv_transpose)
def _conv_transpose_with_pads(
    c: Context, x: Operand, weight: Operand, pads: Operand | None = None, bias: Operand | None = None, **window: Any
) -> Any:
    if pads is not None:
        window["pads"] = c.counts(pads, "pads", 2 * (x.rank - 2))
        if len(window["pads"]) != 2 * (x.rank - 2):
            raise ValueError(f"{len(window['pads'])} pads are given for {x.rank - 2} axes")
    return _conv_transpose(c, x, weight, bias, **window)


# What diffusion models have behind ONNX Runtime's optimizer.


@operator("GroupNorm", domain=MICROSOFT)
def _group_norm(
    c: Context,
    x: Operand,
    gamma: Operand,
    beta: Operand,
    *,
    activation: int,
    channels_last: int = 1,
    epsilon: float = 1e-5,
    groups: int,
) -> Any:
    if activation not in (0, 1):
        raise Unsupported(f"its activation {activation}; there are 0, which is none, and 1, which is SiLU")
    image = to_first(c.tensor(x)) if channels_last else x
    made = _new_group_norm(c, image, gamma, beta, num_groups=groups, epsilon=epsilon)
    if activation:
        made = activate(c, lambda x: program.multiply(x, program.sigmoid(x)), made)
    return to_last(made) if channels_last else made


@operator("SkipGroupNorm", domain=MICROSOFT)
@takes_attributes_of(_group_norm)
def _skip_group_norm(
    c: Context, x: Operand, gamma: Operand, beta: Operand, skip: Operand, bias: Operand | None = None, **how: Any
) -> tuple[Any, ...]:
    total = c.tensor(x)
    at = total.rank - 1 if how.get("channels_last", 1) else 1
    batch, channels = total.extent(0), total.extent(at)
    require_numbers(c, bias, channels, "bias")
    shape = [channels if axis == at else 1 for axis in range(1, total.rank)]
    if skip.rank == 2:
        require_extents(c, skip, [batch, channels], "summand")
        skip = view(c, c.tensor(skip), [batch, *shape])
    else:
        require_spread_to(c, skip, total, "summand")
    total = spread(c, program.add, total, skip)
    if bias is not None:
        total = spread(c, program.add, total, view(c, c.tensor(bias), shape))
    return (_group_norm(c, total, gamma, beta, **how), total)[: max(c.outputs, 1)]


@operator("BiasSplitGelu", domain=MICROSOFT)
def _bias_split_gelu(c: Context, x: Operand, bias: Operand) -> Tensor:
    total = _add_channels(c, x, bias)
    left, right = split_axis(c, total, None, total.rank - 1, 2, is_even=True)
    return activate(c, lambda left, right: program.multiply(left, gelu(right)), left, right)


@operator("BiasAdd", domain=MICROSOFT)
def _bias_add(c: Context, x: Operand, bias: Operand, skip: Operand) -> Tensor:
    total = _add_channels(c, x, bias)
    require_extents(c, skip, total.extents, "summand")
    return spread(c, program.add, total, skip)


def _add_channels(c: Context, x: Operand, bias: Operand) -> Tensor:
    total = c.tensor(x)
    require_numbers(c, bias, total.extent(-1), "bias")
    return spread(c, program.add, total, bias)
