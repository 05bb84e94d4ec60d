"""Operators of ONNX Runtime that are several of ONNX's in one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .. import _program as program
from .._program import Value
from .._tensors._activations import gelu
from .._tensors._fits import require_extents, require_numbers, require_spread_to
from .._tensors._norms import normalise_axes, normalise_by_root
from .._tensors._sums import cast, wide_type
from .._tensors._tensor import Tensor, from_value, permute
from ._activations import activate
from ._context import Context, Operand, Unsupported, from_rank, operator, spread, takes_attributes_of
from ._images import _conv
from ._layout import extents_of
from ._pools import _max_pool
from ._products import _gemm, multiply_matrices

MICROSOFT = "com.microsoft"


# Activations, and what goes before them.


def _enter_activation(name: str, function: Callable[[Value], Value]) -> None:
    @operator(name, domain=MICROSOFT)
    def rule(c: Context, x: Operand) -> Tensor:
        return activate(c, function, x)


_enter_activation("Gelu", gelu)


@operator("QuickGelu", domain=MICROSOFT)
def _quick_gelu(c: Context, x: Operand, *, alpha: float = 1.702) -> Tensor:
    return activate(c, lambda x: program.multiply(x, program.sigmoid(program.multiply(x, alpha))), x)


@operator("BiasGelu", domain=MICROSOFT)
def _bias_gelu(c: Context, x: Operand, bias: Operand) -> Tensor:
    require_numbers(c, bias, extents_of(x)[-1], "bias")
    return activate(c, lambda x, b: gelu(program.add(x, b)), c.tensor(x), bias)


@operator("FastGelu", domain=MICROSOFT)
def _fast_gelu(c: Context, x: Operand, bias: Operand | None = None) -> Tensor:
    if bias is None:
        return activate(c, lambda x: gelu(x, "tanh"), x)
    require_numbers(c, bias, extents_of(x)[-1], "bias")
    return activate(c, lambda x, b: gelu(program.add(x, b), "tanh"), c.tensor(x), bias)


#: Activations of fused operators: how many numbers each takes, what these are where none are given, and the function.
_FUSED: dict[str, tuple[Sequence[float], Callable[..., Value]]] = {
    "": ((), lambda x: x),
    "Relu": ((), lambda x: program.maximum(x, 0.0)),
    "LeakyRelu": ((0.01,), lambda x, a: program.select(program.less(x, 0.0), program.multiply(x, a), x)),
    "Sigmoid": ((), program.sigmoid),
    "Tanh": ((), program.tanh),
    "HardSigmoid": ((0.2, 0.5), lambda x, a, b: program.clip(program.add(program.multiply(x, a), b), 0.0, 1.0)),
    "Clip": ((float("-inf"), float("inf")), program.clip),
}


def _fuse(c: Context, x: Tensor, name: str, numbers: Sequence[float]) -> Tensor:
    """Applies the activation of a fused operator."""
    if name not in _FUSED:
        raise Unsupported(f"its activation {name!r}; there are {', '.join(filter(None, _FUSED))}")
    defaults, function = _FUSED[name]
    given = [*numbers, *defaults[len(numbers) :]]
    return activate(c, lambda x: function(x, *given[: len(defaults)]), x) if name else x


# Products and convolutions.


def _multiply(
    c: Context, x: Operand, y: Operand, alpha: float, turns: Sequence[int], batch_turns: Sequence[int] = (0, 0)
) -> Tensor:
    sides: list[Any] = []
    for side, turn, batch_turn in zip((x, y), turns, batch_turns):
        order = list(range(side.rank))
        if batch_turn and side.rank > 2:
            # The first axis is that of rows.
            order = [*order[1:-1], order[0], order[-1]]
        if turn and side.rank > 1:
            order[-2:] = [order[-1], order[-2]]
        sides.append(permute(side, order))
    if min(side.rank for side in sides) > 1:
        message = "the last axis of the first operand has {0} elements, but {1} are summed in the second"
        program.require(c.builder, "eq", extents_of(sides[0])[-1], extents_of(sides[1])[-2], message)
    made = multiply_matrices(c, *sides)
    return made if alpha == 1 else Tensor(program.multiply(made.value, alpha), made.order)


@operator("FusedMatMul", domain=MICROSOFT)
def _fused_matmul(
    c: Context,
    x: Operand,
    y: Operand,
    *,
    alpha: float = 1.0,
    transA: int = 0,
    transB: int = 0,
    transBatchA: int = 0,
    transBatchB: int = 0,
) -> Tensor:
    return _multiply(c, x, y, alpha, (transA, transB), (transBatchA, transBatchB))


@operator("TransposeMatMul", domain=MICROSOFT)
def _transpose_matmul(
    c: Context, x: Operand, y: Operand, *, alpha: float = 1.0, transA: int = 0, transB: int = 0
) -> Tensor:
    return _multiply(c, x, y, alpha, (transA, transB))


@operator("FusedGemm", domain=MICROSOFT)
def _fused_gemm(
    c: Context,
    x: Operand,
    y: Operand,
    bias: Operand | None = None,
    *,
    activation: str = "",
    activation_alpha: float | None = None,
    activation_beta: float | None = None,
    activation_gamma: float | None = None,
    alpha: float = 1.0,
    beta: float = 1.0,
    transA: int = 0,
    transB: int = 0,
) -> Tensor:
    made = _gemm(c, x, y, bias, alpha=alpha, beta=beta, transA=transA, transB=transB)
    numbers = [n for n in (activation_alpha, activation_beta, activation_gamma) if n is not None]
    return _fuse(c, made, activation, numbers)


@operator("FusedConv", domain=MICROSOFT)
@takes_attributes_of(_conv)
def _fused_conv(
    c: Context,
    x: Operand,
    weight: Operand,
    bias: Operand | None = None,
    summand: Operand | None = None,
    *,
    activation: str = "",
    activation_params: Sequence[float] | None = None,
    **window: Any,
) -> Tensor:
    made: Tensor = _conv(c, x, weight, bias, **window)
    if summand is not None:
        require_extents(c, summand, made.extents, "summand")
        made = spread(c, program.add, made, summand)
    return _fuse(c, made, activation, activation_params or ())


def channels_first(x: Operand) -> Any:
    """Puts the last axis behind the first."""
    return permute(x, [0, x.rank - 1, *range(1, x.rank - 1)])


def channels_last(x: Any) -> Any:
    """Puts axis 1 behind all others."""
    return permute(x, [0, *range(2, x.rank), 1])


@operator("NhwcFusedConv", domain=MICROSOFT)
@takes_attributes_of(_fused_conv)
def _nhwc_fused_conv(
    c: Context,
    x: Operand,
    weight: Operand,
    bias: Operand | None = None,
    summand: Operand | None = None,
    **attributes: Any,
) -> Any:
    more = None if summand is None else channels_first(summand)
    return channels_last(_fused_conv(c, channels_first(x), weight, bias, more, **attributes))


@operator("NhwcMaxPool", domain=MICROSOFT)
def _nhwc_max_pool(
    c: Context,
    x: Operand,
    *,
    kernel_shape: Sequence[int],
    auto_pad: str = "NOTSET",
    ceil_mode: int = 0,
    dilations: Sequence[int] | None = None,
    pads: Sequence[int] | None = None,
    strides: Sequence[int] | None = None,
) -> Any:
    made = _max_pool(
        c,
        channels_first(x),
        kernel_shape=kernel_shape,
        auto_pad=auto_pad,
        ceil_mode=ceil_mode,
        dilations=dilations,
        pads=pads,
        strides=strides,
    )
    return channels_last(made)


# Norms, with what is added before.


def _scale(c: Context, x: Tensor, weight: Operand, bias: Operand | None) -> Tensor:
    for function, operand in ((program.multiply, weight), (program.add, bias)):
        if operand is not None:
            require_spread_to(c, operand, x, "scale" if function is program.multiply else "bias")
            x = spread(c, function, x, operand, element=x.element)
    return x


def _add(c: Context, x: Operand, skip: Operand, bias: Operand | None) -> Tensor:
    total = c.tensor(x)
    require_spread_to(c, skip, total, "summand")
    # Batches may share it, and no other axis.
    require_extents(c, skip, [*[None] * (skip.rank - 2), *total.extents[-2:][-skip.rank :]], "summand")
    require_numbers(c, bias, total.extent(-1), "bias")
    for operand in (skip, bias):
        if operand is not None:
            total = spread(c, program.add, total, operand)
    return total


@operator("SkipLayerNormalization", domain=MICROSOFT)
def _skip_layer_norm(
    c: Context,
    x: Operand,
    skip: Operand,
    gamma: Operand,
    beta: Operand | None = None,
    bias: Operand | None = None,
    *,
    epsilon: float = 1e-12,
) -> tuple[Tensor, ...]:
    total = _add(c, x, skip, bias)
    for operand, what in ((gamma, "scale"), (beta, "bias")):
        require_numbers(c, operand, total.extent(-1), what)
    value, mean, inverse = normalise_axes(cast(total, wide_type(total.element)), [total.rank - 1], epsilon)
    made = cast(_scale(c, value, gamma, beta), total.element)
    return (made, mean, inverse, total)[: max(c.outputs, 1)]


def _root_norm(
    c: Context, x: Tensor, scale: Operand, axes: Sequence[int], epsilon: float, element: str
) -> tuple[Tensor, Tensor]:
    value, inverse = normalise_by_root(cast(x, wide_type(x.element)), axes, epsilon)
    return cast(_scale(c, value, scale, None), element), inverse


@operator("SkipSimplifiedLayerNormalization", domain=MICROSOFT)
def _skip_root_norm(
    c: Context, x: Operand, skip: Operand, gamma: Operand, bias: Operand | None = None, *, epsilon: float = 1e-12
) -> tuple[Tensor, ...]:
    total = _add(c, x, skip, bias)
    require_numbers(c, gamma, total.extent(-1), "scale")
    made, inverse = _root_norm(c, total, gamma, [total.rank - 1], epsilon, total.element)
    # It has no mean.
    return (made, inverse, inverse, total)[: max(c.outputs, 1)]


@operator("SimplifiedLayerNormalization")
def _simplified_layer_norm(
    c: Context, x: Operand, scale: Operand, *, axis: int = -1, epsilon: float = 1e-5, stash_type: int = 1
) -> tuple[Tensor, ...]:
    given = c.tensor(x)
    axes = list(range(from_rank(axis, x.rank), x.rank))
    return _root_norm(c, given, scale, axes, epsilon, scale.element)[: max(c.outputs, 1)]


@operator("EmbedLayerNormalization", domain=MICROSOFT)
def _embed_layer_norm(
    c: Context,
    ids: Operand,
    segments: Operand | None,
    words: Operand,
    positions: Operand,
    segment_table: Operand | None,
    gamma: Operand,
    beta: Operand,
    mask: Operand | None = None,
    position_ids: Operand | None = None,
    *,
    epsilon: float = 1e-12,
    mask_index_type: int = 0,
) -> tuple[Tensor, ...]:
    p = program
    batch, length = extents_of(ids)
    require_extents(c, segments, [batch, length], "segment_ids")
    require_extents(c, mask, [batch, length], "mask")
    total = p.take(c.value(words), c.value(ids), 0, from_end=False)
    if position_ids is None:
        rows = p.take_slice(c.value(positions), 0, 0, length)
    else:
        require_extents(c, position_ids, [None, length], "position_ids")
        rows = p.take(c.value(positions), c.value(position_ids), 0, from_end=False)
    total = p.add(total, rows)
    if segments is not None and segment_table is not None:
        total = p.add(total, p.take(c.value(segment_table), c.value(segments), 0, from_end=False))
    for operand, what in ((gamma, "scale"), (beta, "bias")):
        require_numbers(c, operand, p.extent(total, 2), what)
    wide = cast(from_value(total), wide_type(total.element))
    made = cast(_scale(c, normalise_axes(wide, [2], epsilon)[0], gamma, beta), total.element)
    if mask is None:
        counts = p.broadcast_to(c.scalar(0, "i32"), [batch])
    else:
        counts = p.cast(p.sum(p.cast(c.value(mask), "i32"), [1]), "i32")
    return (made, from_value(counts), from_value(total))[: max(c.outputs, 1)]
