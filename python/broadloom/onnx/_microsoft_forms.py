"""Operators of ONNX Runtime that are ONNX's in another form, or a few of its functions in one."""

from __future__ import annotations

from typing import Any

from .. import _program as program
from .._program._scalars import Body, apply
from .._tensors import _linear
from .._tensors import _sums as sums
from .._tensors._fits import require_extents
from .._tensors._sums import wide_type
from .._tensors._tensor import Tensor, from_value
from ._context import (
    Context,
    Operand,
    Unsupported,
    from_rank,
    known_numbers,
    operator,
    spread,
    takes_attributes_of,
)
from ._counted import find_unique
from ._indexing import _gather_nd
from ._layout import extents_of, squeeze_axes, unsqueeze_axes
from ._linear_attention import _causal_conv, _linear_attention
from ._microsoft import MICROSOFT, _embed_layer_norm, _fast_gelu, _fuse, _fused_matmul
from ._parts import _pad_by_input, _trilu
from ._products import multiply_matrices
from ._quantized import _dequantize_linear, _quantize_linear
from ._ranges import _range
from ._reductions import softmax_from
from ._sampling import _grid_sample

for _name, _rule in (
    ("DequantizeLinear", _dequantize_linear),
    ("GatherND", _gather_nd),
    ("GridSample", _grid_sample),
    ("QuantizeLinear", _quantize_linear),
    ("Trilu", _trilu),
):
    operator(_name, domain=MICROSOFT)(_rule)


@operator("Pad", domain=MICROSOFT)
def _pad_of_row(
    c: Context, x: Operand, pads: Operand, value: Operand | None = None, *, mode: str = "constant"
) -> Tensor:
    """Pads by numbers that may stand in a row of a matrix."""
    if pads.rank == 2:
        require_extents(c, pads, [1, None], "pads")
        pads = squeeze_axes(c, pads, [0])
    return _pad_by_input(c, x, pads, value, mode=mode)


# Shapes, and elements that are picked.


@operator("ExpandDims", domain=MICROSOFT)
def _expand_dims(c: Context, x: Operand, axis: Operand) -> Operand:
    return unsqueeze_axes(x, c.integers(axis, "axis"))


@operator("Range", domain=MICROSOFT)
def _range_of_one(c: Context, start: Operand, limit: Operand, delta: Operand | None = None) -> Operand:
    return _range(c, start, limit, known_numbers([1], start.element, []) if delta is None else delta)


@operator("Unique", domain=MICROSOFT)
def _unique_in_order(c: Context, x: Operand) -> tuple[Tensor, ...]:
    if x.rank != 1:
        raise ValueError(f"its input has {x.rank} axes, not 1")
    found = find_unique(c, x, 0, False)
    return (found[0], *found[2:])[: max(c.outputs, 1)]


@operator("UnfoldTensor", domain=MICROSOFT)
def _unfold(c: Context, x: Operand, *, dim: int = -1, size: int, step: int = 1) -> Tensor:
    return from_value(program.windows(c.value(x), from_rank(dim, x.rank), size, step))


# Products and distances.


@operator("MatMulInteger16", domain=MICROSOFT)
def _matmul_integer16(c: Context, x: Operand, y: Operand) -> Tensor:
    # Products of 16 bits have no exact sums in f32.
    sides = [from_value(program.cast(c.value(side), "i32")) for side in (x, y)]
    return multiply_matrices(c, *sides)


@operator("Inverse", domain=MICROSOFT)
def _inverse(c: Context, x: Operand) -> Tensor:
    if x.rank < 2:
        raise ValueError(f"its input has {x.rank} axes, but at least 2 are needed")
    wide = program.cast(c.value(x), wide_type(x.element))
    return from_value(program.cast(_linear.inverse(wide)[0], x.element))


@operator("CDist", domain=MICROSOFT)
def _cdist(c: Context, x: Operand, y: Operand, *, metric: str = "sqeuclidean") -> Tensor:
    p = program
    if metric not in ("sqeuclidean", "euclidean"):
        raise Unsupported(f"its metric is 'sqeuclidean' or 'euclidean', not {metric!r}")
    if x.rank != 2 or y.rank != 2:
        raise ValueError(f"its inputs have {x.rank} and {y.rank} axes, not 2")
    message = "the rows of the first input have {0} elements, and those of the second {1}"
    p.require(c.builder, "eq", extents_of(x)[1], extents_of(y)[1], message)
    gap = p.subtract(p.expand(c.value(x), [1]), p.expand(c.value(y), [0]))
    made = p.sum(p.square(gap), [2])
    return from_value(p.sqrt(made) if metric == "euclidean" else made)


@operator("FusedMatMulActivation", domain=MICROSOFT)
@takes_attributes_of(_fused_matmul)
def _fused_matmul_activation(
    c: Context,
    x: Operand,
    y: Operand,
    *,
    activation: str,
    activation_alpha: float | None = None,
    activation_beta: float | None = None,
    activation_gamma: float | None = None,
    activation_axis: int | None = None,
    **product: Any,
) -> Tensor:
    numbers = [n for n in (activation_alpha, activation_beta, activation_gamma) if n is not None]
    return _fuse(c, _fused_matmul(c, x, y, **product), activation, numbers)


@operator("GemmFastGelu", domain=MICROSOFT)
def _gemm_fast_gelu(c: Context, x: Operand, y: Operand, bias: Operand | None = None) -> Tensor:
    return _fast_gelu(c, multiply_matrices(c, x, y), bias)


@operator("MulInteger", domain=MICROSOFT)
def _multiply_integer(
    c: Context, x: Operand, x_zero: Operand | None, y: Operand, y_zero: Operand | None = None
) -> Tensor:
    sides = [
        side if zero is None else spread(c, program.subtract, side, zero, element="i32")
        for side, zero in ((x, x_zero), (y, y_zero))
    ]
    return spread(c, program.multiply, *sides, element="i32")


# Sums before a function.


@operator("BiasSoftmax", domain=MICROSOFT)
def _bias_softmax(c: Context, x: Operand, bias: Operand, *, axis: int = 1, is_inner_broadcast: int) -> Any:
    return softmax_from(c, sums.softmax, spread(c, program.add, c.tensor(x), bias), axis)


@operator("BiasDropout", domain=MICROSOFT)
def _bias_dropout(
    c: Context,
    x: Operand,
    bias: Operand,
    residual: Operand | None = None,
    ratio: Operand | None = None,
    training_mode: Operand | None = None,
    *,
    seed: int = 0,
) -> tuple[Tensor, ...]:
    if training_mode is not None and c.constant(training_mode, "training_mode").any():
        raise Unsupported("programs are not trained")
    made = spread(c, program.add, c.tensor(x), bias)
    if residual is not None:
        made = spread(c, program.add, made, residual)
    if c.outputs < 2:
        return (made,)
    return made, from_value(program.broadcast_to(c.scalar(True, "i1"), made.extents))


# States.


@operator("LinearAttention", domain=MICROSOFT)
@takes_attributes_of(_linear_attention)
def _linear_attention_of_runtime(
    c: Context,
    query: Operand,
    key: Operand,
    value: Operand,
    past_state: Operand | None = None,
    decay: Operand | None = None,
    beta: Operand | None = None,
    *,
    state_window: int = 0,
    **how: Any,
) -> Any:
    if state_window:
        raise Unsupported("states of several steps, which state_window asks for")
    return _linear_attention(c, query, key, value, past_state, decay, beta, **how)


@operator("CausalConvWithState", domain=MICROSOFT)
@takes_attributes_of(_causal_conv)
def _causal_conv_of_runtime(
    c: Context,
    x: Operand,
    weight: Operand,
    bias: Operand | None = None,
    past_state: Operand | None = None,
    *,
    channels_last: int = 0,
    dilation: int = 1,
    ndim: int = 1,
    state_window: int = 0,
    **how: Any,
) -> Any:
    given = {"channels_last": (channels_last, 0), "dilation": (dilation, 1), "ndim": (ndim, 1)}
    for name, (number, usual) in {**given, "state_window": (state_window, 0)}.items():
        if number != usual:
            raise Unsupported(f"its {name} is {number}; {usual} is there")
    return _causal_conv(c, x, weight, bias, past_state, **how)


# Hashes.


def _signed(number: int) -> int:
    return number - 2**32 if number >= 2**31 else number


def _hash(b: Body, words: list[str], seed: int) -> str:
    """Mixes words of 32 bits as MurmurHash3_x86_32 does."""

    def do(operation: str, x: str, y: str | int) -> str:
        return b.do(f"arith.{operation}", x, b.number(_signed(y), "i32") if isinstance(y, int) else y, type="i32")

    def turn(x: str, by: int) -> str:
        return do("ori", do("shli", x, by), do("shrui", x, 32 - by))

    made = b.number(_signed(seed & 2**32 - 1), "i32")
    for word in words:
        mixed = do("muli", turn(do("muli", word, 0xCC9E2D51), 15), 0x1B873593)
        made = do("addi", do("muli", turn(do("xori", made, mixed), 13), 5), 0xE6546B64)
    made = do("xori", made, 4 * len(words))
    for shift, factor in ((16, 0x85EBCA6B), (13, 0xC2B2AE35)):
        made = do("muli", do("xori", made, do("shrui", made, shift)), factor)
    return do("xori", made, do("shrui", made, 16))


@operator("MurmurHash3", domain=MICROSOFT)
def _murmur_hash(c: Context, x: Operand, *, positive: int = 1, seed: int = 0) -> Tensor:
    p, value = program, c.value(x)
    if p.width(x.element) not in (32, 64):
        raise Unsupported(f"hashes of {x.element}; of 32 and 64 bits they are there")
    bits = p.bits_of(value) if p.is_float(x.element) else value
    wide = f"i{p.width(x.element)}"

    def code(b: Body, name: str) -> str:
        if wide == "i32":
            return _hash(b, [name], seed)
        high = b.do("arith.shrui", name, b.number(32, "i64"), type="i64")
        return _hash(b, [b.make("arith.trunci {} : i64 to i32", half) for half in (name, high)], seed)

    return from_value(apply("hash", [p.cast(bits, wide)], code, "ui32" if positive else "i32"))


@operator("QEmbedLayerNormalization", domain=MICROSOFT)
def _quantized_embed_layer_norm(
    c: Context,
    ids: Operand,
    segments: Operand | None,
    words: Operand,
    positions: Operand,
    segment_table: Operand | None,
    gamma: Operand,
    beta: Operand,
    mask: Operand | None,
    *parameters: Operand,
    epsilon: float = 1e-12,
) -> tuple[Tensor, ...]:
    tables = (words, positions, segment_table, gamma, beta)
    if len(parameters) != 10:
        raise ValueError(f"{len(parameters)} scales and zero points are given for 5 tables")
    wide: list[Any] = [
        None if table is None else _dequantize_linear(c, table, scale, zero)
        for table, scale, zero in zip(tables, parameters, parameters[5:])
    ]
    own_words, own_positions, own_segments, scale, bias = wide
    return _embed_layer_norm(
        c, ids, segments, own_words, own_positions, own_segments, scale, bias, mask, epsilon=epsilon
    )
