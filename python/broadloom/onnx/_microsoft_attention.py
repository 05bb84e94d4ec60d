"""Attention as ONNX Runtime has it: with its products of inputs and weights, caches, and heads that share keys."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .. import _program as program
from .._program import Value
from .._tensors._fits import require_extents, require_numbers
from .._tensors._products import repeat_heads
from .._tensors._sums import wide_type
from .._tensors._tensor import Number, Tensor, from_value, to_value
from ._context import Context, Operand, Unsupported, operator
from ._layout import extents_of
from ._microsoft import MICROSOFT
from ._microsoft_quantized import scale_sums
from ._products import multiply_matrices
from ._quantized import _multiply_integers

_LEAST = float("-inf")


def split_heads(c: Context, x: Value, heads: Number, what: str) -> Value:
    """Views [batch, length, heads * size] as [batch, heads, length, size]."""
    p = program
    batch, length, whole = p.extents(x)
    told = heads if isinstance(heads, int) else "the size of"
    message = f"axis 2 of the {what} has the extent {{1}}, no multiple of {told} heads"
    size = whole // p.largest(heads, 1)
    p.require(c.builder, "eq", size * heads, whole, message)
    return p.transpose(p.reshape(x, [batch, length, heads, size]), [0, 2, 1, 3])


def join_heads(x: Value) -> Value:
    """Views [batch, heads, length, size] as [batch, length, heads * size]."""
    p = program
    batch, heads, length, size = p.extents(x)
    return p.reshape(p.transpose(x, [0, 2, 1, 3]), [batch, length, heads * size])


class Scores:
    """The scores of an attention, in f32 or wider, and what becomes of them."""

    def __init__(self, c: Context, q: Value, k: Value, scale: float | None, softcap: float = 0.0):
        p = program
        self.c = c
        if not p.is_same(p.extent(q, 1), p.extent(k, 1)):
            k = to_value(repeat_heads(c, from_value(k), p.extent(q, 1)))
        wide = wide_type(q.element)
        made = p.cast(p.matmul(q, p.transpose(k, [0, 1, 3, 2])), wide)
        factor: Any = scale or p.rsqrt(c.scalar(p.extent(q, 3), wide))
        self.value = p.multiply(made, factor)
        if softcap:
            self.value = p.multiply(p.tanh(p.divide(self.value, softcap)), softcap)

    def add(self, bias: Operand | None) -> None:
        """Adds numbers that broadcast to the scores."""
        if bias is not None:
            self.value = program.add(self.value, program.cast(self.c.value(bias), self.value.element))

    def keep(self, kept: Value, otherwise: float = _LEAST) -> None:
        """Replaces scores where `kept` does not hold."""
        self.value = program.select(kept, self.value, otherwise)

    def limit(self, offset: Any, window: int = -1) -> None:
        """Leaves out what is ahead of each row, of which `offset` is the place of the first, or too far behind."""
        p, b = program, self.c.builder
        rows = p.add(p.iota(b, p.extent(self.value, 2), "i64", axis=2, rank=4), offset)
        columns = p.iota(b, p.extent(self.value, 3), "i64", axis=3, rank=4)
        self.keep(p.less_equal(columns, rows))
        if window >= 0:
            self.keep(p.greater(columns, p.subtract(rows, window)))

    def apply(self, v: Value, sink: Any = None) -> Value:
        """Multiplies the shares of the scores with the values. A sink is a score more, of which there is no value."""
        p = program
        if not p.is_same(p.extent(self.value, 1), p.extent(v, 1)):
            v = to_value(repeat_heads(self.c, from_value(v), p.extent(self.value, 1)))
        largest = p.reduce("max", self.value, [3], keepdims=True)
        largest = p.select(p.equal(largest, _LEAST), 0.0, largest)
        if sink is not None:
            largest = p.maximum(largest, sink)
        powers = p.exp(p.subtract(self.value, largest))
        total = p.reduce("sum", powers, [3], keepdims=True)
        if sink is not None:
            total = p.add(total, p.exp(p.subtract(sink, largest)))
        share = p.divide(powers, p.select(p.equal(total, 0.0), 1.0, total))
        return p.matmul(p.cast(share, v.element), v)


def _append(c: Context, past: Operand | None, x: Value, what: str) -> Value:
    p = program
    if past is None:
        return x
    require_extents(c, past, [p.extent(x, 0), p.extent(x, 1), None, p.extent(x, 3)], what)
    return p.concat([c.value(past), x], 2)


def _apply_mask(c: Context, scores: Scores, mask: Operand | None, filter_value: float) -> None:
    """Leaves out keys: a mask has the number of keys of each batch, or 1 for each that counts."""
    p, b = program, c.builder
    if mask is None:
        return
    batch, _, rows, columns = p.extents(scores.value)
    value = c.value(mask)
    if value.rank == 1:
        message = "the mask_index has {0} elements, but there are {1} batches; other forms are not imported"
        p.require(b, "eq", p.extent(value, 0), batch, message)
        line = p.iota(b, columns, "i64", axis=3, rank=4)
        kept = p.less(line, p.expand(p.cast(value, "i64"), [1, 2, 3]))
    elif value.rank == 2:
        require_extents(c, mask, [batch, columns], "mask_index")
        kept = p.expand(p.not_equal(value, 0), [1, 2])
    elif value.rank == 3:
        require_extents(c, mask, [batch, rows, columns], "mask_index")
        kept = p.expand(p.not_equal(value, 0), [1])
    else:
        raise Unsupported(f"a mask_index of {value.rank} axes; 1, 2 and 3 are there")
    scores.value = p.add(scores.value, p.select(kept, 0.0, filter_value, scores.value.element))


def require_nothing(**given: Any) -> None:
    """Refuses forms of an operator that are not imported."""
    for name, value in given.items():
        if value is not None and value != 0:
            raise Unsupported(f"its {name.replace('_', ' ')}")


@operator("Attention", domain=MICROSOFT)
def _attention(
    c: Context,
    x: Operand,
    weights: Operand,
    bias: Operand | None = None,
    mask_index: Operand | None = None,
    past: Operand | None = None,
    attention_bias: Operand | None = None,
    past_length: Operand | None = None,
    *,
    num_heads: int,
    do_rotary: int = 0,
    mask_filter_value: float = -10000.0,
    past_present_share_buffer: int = 0,
    qkv_hidden_sizes: Sequence[int] | None = None,
    rotary_embedding_dim: int = 0,
    scale: float = 0.0,
    unidirectional: int = 0,
) -> tuple[Tensor, ...]:
    require_nothing(do_rotary=do_rotary, past_present_share_buffer=past_present_share_buffer)
    project = lambda: multiply_matrices(c, x, weights)
    parts = _project(c, x, weights, bias, num_heads, qkv_hidden_sizes, project)
    return _attend(c, parts, mask_index, past, attention_bias, mask_filter_value, scale, bool(unidirectional))


@operator("QAttention", domain=MICROSOFT)
def _quantized_attention(
    c: Context,
    x: Operand,
    weights: Operand,
    bias: Operand,
    input_scale: Operand,
    weight_scale: Operand,
    mask_index: Operand | None = None,
    input_zero_point: Operand | None = None,
    weight_zero_point: Operand | None = None,
    past: Operand | None = None,
    *,
    num_heads: int,
    do_rotary: int = 0,
    mask_filter_value: float = -10000.0,
    past_present_share_buffer: int = 0,
    scale: float = 0.0,
    unidirectional: int = 0,
) -> tuple[Tensor, ...]:
    require_nothing(do_rotary=do_rotary, past_present_share_buffer=past_present_share_buffer)

    def project() -> Tensor:
        total = _multiply_integers(c, x, weights, input_zero_point, weight_zero_point)
        return scale_sums(c, total, ((input_scale, 2), (weight_scale, 2)), None, input_scale.element)

    parts = _project(c, x, weights, bias, num_heads, None, project)
    return _attend(c, parts, mask_index, past, None, mask_filter_value, scale, bool(unidirectional))


def _project(
    c: Context,
    x: Operand,
    weights: Operand,
    bias: Operand | None,
    heads: int,
    hidden_sizes: Sequence[int] | None,
    multiply: Callable[[], Tensor],
) -> list[Value]:
    """Returns queries, keys and values, [batch, heads, length, size] each, of the products of inputs and weights."""
    p = program
    if x.rank != 3 or weights.rank != 2:
        raise ValueError(f"its input has {x.rank} axes and its weights {weights.rank}, not 3 and 2")
    whole = extents_of(weights)[1]
    message = "axis 2 of the input has the extent {0}, but the weights have {1} rows"
    p.require(c.builder, "eq", extents_of(x)[2], extents_of(weights)[0], message)
    if hidden_sizes:
        sizes: list[Number] = list(hidden_sizes)
        p.require(c.builder, "eq", sum(sizes), whole, "its qkv_hidden_sizes are {0} together, but {1} are computed")
    else:
        message = "the weights have {1} columns, no multiple of 3"
        p.require(c.builder, "eq", whole // 3 * 3, whole, message)
        sizes = [whole // 3] * 3
    require_numbers(c, bias, whole, "bias", "columns")
    made = to_value(multiply())
    if bias is not None:
        made = p.add(made, c.value(bias))
    parts: list[Value] = []
    start: Number = 0
    for size, what in zip(sizes, ("queries", "keys", "values")):
        parts.append(split_heads(c, p.take_slice(made, 2, start, size), heads, what))
        start = start + size
    return parts


def _attend(
    c: Context,
    parts: Sequence[Value],
    mask: Operand | None,
    past: Operand | None,
    bias: Operand | None,
    filter_value: float,
    scale: float,
    is_causal: bool,
) -> tuple[Tensor, ...]:
    """Computes the attention of queries, keys and values, and what is kept of the latter two."""
    p = program
    q, k, v = parts
    offset: Number = 0
    if past is not None:
        before = c.value(past)
        olds = [from_value(p.squeeze(p.take_slice(before, 0, at, 1), [0])) for at in range(2)]
        offset = p.extent(before, 3)
        k, v = _append(c, olds[0], k, "past"), _append(c, olds[1], v, "past")
    scores = Scores(c, q, k, scale)
    scores.add(bias)
    _apply_mask(c, scores, mask, filter_value)
    if is_causal:
        scores.limit(offset)
    found = [from_value(join_heads(scores.apply(v)))]
    if c.outputs > 1:
        found.append(from_value(p.concat([p.expand(k, [0]), p.expand(v, [0])], 0)))
    return tuple(found)


@operator("MultiHeadAttention", domain=MICROSOFT)
def _multi_head_attention(
    c: Context,
    query: Operand,
    key: Operand | None = None,
    value: Operand | None = None,
    bias: Operand | None = None,
    key_padding_mask: Operand | None = None,
    attention_bias: Operand | None = None,
    past_key: Operand | None = None,
    past_value: Operand | None = None,
    past_length: Operand | None = None,
    cache_indirection: Operand | None = None,
    *,
    num_heads: int,
    mask_filter_value: float = -10000.0,
    scale: float = 0.0,
    unidirectional: int = 0,
) -> tuple[Tensor, ...]:
    p = program
    require_nothing(past_sequence_length=past_length, cache_indirection=cache_indirection)
    q, k, v = _read_heads(c, query, key, value, bias, num_heads)
    offset = p.extent(k, 2)
    k, v = _append(c, past_key, k, "past_key"), _append(c, past_value, v, "past_value")
    scores = Scores(c, q, k, scale)
    scores.add(attention_bias)
    _apply_mask(c, scores, key_padding_mask, mask_filter_value)
    if unidirectional:
        scores.limit(p.extent(k, 2) - offset)
    made = (join_heads(scores.apply(v)), k, v)
    return tuple(map(from_value, made[: max(c.outputs, 1)]))


def _read_heads(
    c: Context, query: Operand, key: Operand | None, value: Operand | None, bias: Operand | None, heads: int
) -> list[Value]:
    """Returns queries, keys and values, [batch, heads, length, size] each; several may be packed into one input."""
    p = program
    if bias is not None and bias.rank != 1:
        raise ValueError(f"the bias has {bias.rank} axes, not 1")
    offsets: list[Value | None] = [None] * 3
    given = [query, key, value]
    if key is None and value is None:
        packed = c.value(query)
        if packed.rank != 5:
            raise ValueError(f"its input has {packed.rank} axes, but 5 are needed without keys and values")
        # [batch, length, heads, 3, size]
        found = [p.squeeze(p.take_slice(packed, 3, at, 1), [3]) for at in range(3)]
        parts = [p.transpose(x, [0, 2, 1, 3]) for x in found]
    elif value is None and key is not None and key.rank == 5:
        packed = c.value(key)
        found = [p.squeeze(p.take_slice(packed, 3, at, 1), [3]) for at in range(2)]
        parts = [split_heads(c, c.value(query), heads, "query"), *(p.transpose(x, [0, 2, 1, 3]) for x in found)]
    else:
        if key is None or value is None:
            raise ValueError("its keys or its values are missing")
        values = [c.value(x) for x in given if x is not None]
        parts = [
            x if x.rank == 4 else split_heads(c, x, heads, what) for x, what in zip(values, ("query", "key", "value"))
        ]
    sizes = [p.extent(x, 1) * p.extent(x, 3) for x in parts]
    if bias is not None:
        require_numbers(c, bias, sum(sizes), "bias", "columns of queries, keys and values")
        start: Number = 0
        for at, (part, size) in enumerate(zip(parts, sizes)):
            own = p.take_slice(c.value(bias), 0, start, size)
            offsets[at] = p.expand(p.reshape(own, [p.extent(part, 1), p.extent(part, 3)]), [1])
            start = start + size
    made = [x if offset is None else p.add(x, offset) for x, offset in zip(parts, offsets)]
    require_extents(c, from_value(made[1]), [p.extent(made[0], 0), None, None, p.extent(made[0], 3)], "key")
    require_extents(c, from_value(made[2]), [*p.extents(made[1])[:3], None], "value")
    return made
