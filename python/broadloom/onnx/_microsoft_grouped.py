"""Attention of heads that share keys, with caches of fixed size, and the embedding of positions that goes with it."""

from __future__ import annotations

from typing import Any

from .. import _program as program
from .._program import Extent, Value
from .._tensors._fits import require_extents, require_numbers
from .._tensors._tensor import Number, Tensor, from_value, to_value
from ._attention import _rotary_embedding
from ._context import Context, Operand, Unsupported, operator
from ._layout import extents_of
from ._microsoft import MICROSOFT
from ._microsoft_attention import Scores, join_heads, require_nothing, split_heads


def rotate(c: Context, x: Value, cos: Operand, sin: Operand, places: Value, interleaved: int) -> Value:
    """Turns the pairs of [batch, heads, length, size] by the angles of places, [batch, length]."""
    size = extents_of(cos)[1]
    turned = size * 2
    if isinstance(turned, Extent):
        raise Unsupported("the last axis of its cos_cache is open; give it with shapes=")
    made = _rotary_embedding(
        c, from_value(x), cos, sin, from_value(places), interleaved=interleaved, rotary_embedding_dim=turned
    )
    return to_value(made)


def rotate_both(
    c: Context,
    parts: tuple[Value, Value],
    cos: Operand | None,
    sin: Operand | None,
    places: Value,
    interleaved: int,
) -> tuple[Value, Value]:
    """Turns queries and keys."""
    if cos is None or sin is None:
        raise ValueError("do_rotary is set, but cos_cache or sin_cache is missing")
    q, k = parts
    return rotate(c, q, cos, sin, places, interleaved), rotate(c, k, cos, sin, places, interleaved)


def read_total(c: Context, total: Operand) -> Number:
    """Reads a total_sequence_length."""
    return program.largest(c.number(total, "total_sequence_length"), 0)


def split_operands(
    c: Context, query: Operand, key: Operand | None, value: Operand | None, num_heads: int, kv_num_heads: int
) -> list[Value]:
    """Returns queries, keys and values by heads; those without keys and values have all three behind one another."""
    p = program
    if num_heads % kv_num_heads:
        raise ValueError(f"{num_heads} heads of queries are no multiple of {kv_num_heads} heads of keys")
    if key is None or value is None:
        parts = split_heads(c, c.value(query), num_heads + 2 * kv_num_heads, "query")
        ranges = ((0, num_heads), (num_heads, kv_num_heads), (num_heads + kv_num_heads, kv_num_heads))
        return [p.take_slice(parts, 1, start, count) for start, count in ranges]
    q = split_heads(c, c.value(query), num_heads, "query")
    k, v = (split_heads(c, c.value(x), kv_num_heads, what) for x, what in ((key, "key"), (value, "value")))
    batch, _, length, size = p.extents(q)
    for part, what in ((k, "key"), (v, "value")):
        require_extents(c, from_value(part), [batch, None, length, size], what)
    return [q, k, v]


@operator("GroupQueryAttention", domain=MICROSOFT)
def _group_query_attention(
    c: Context,
    query: Operand,
    key: Operand | None,
    value: Operand | None,
    past_key: Operand | None,
    past_value: Operand | None,
    seqlens_k: Operand,
    total_sequence_length: Operand,
    cos_cache: Operand | None = None,
    sin_cache: Operand | None = None,
    position_ids: Operand | None = None,
    attention_bias: Operand | None = None,
    head_sink: Operand | None = None,
    *,
    num_heads: int,
    kv_num_heads: int,
    do_rotary: int = 0,
    local_window_size: int = -1,
    rotary_interleaved: int = 0,
    scale: float = 0.0,
    smooth_softmax: int = 0,
    softcap: float = 0.0,
) -> tuple[Tensor, ...]:
    p, b = program, c.builder
    q, k, v = split_operands(c, query, key, value, num_heads, kv_num_heads)
    batch, _, length, _ = p.extents(q)
    lengths = p.reshape(p.cast(c.value(seqlens_k), "i64"), [batch])
    total = read_total(c, total_sequence_length)
    # Without tokens before, all rows are new, though a batch may have less of them.
    behind = p.subtract(p.add(lengths, 1), length)
    is_prompt = p.equal(p.scalar(b, total, "i64"), length)
    starts = p.maximum(p.select(is_prompt, 0, behind), 0)
    places = p.add(p.expand(starts, [1]), p.iota(b, length, "i64", axis=1, rank=2))
    if do_rotary:
        at = places if position_ids is None else p.cast(c.value(position_ids), "i64")
        q, k = rotate_both(c, (q, k), cos_cache, sin_cache, at, rotary_interleaved)
    k, v = (
        put_rows(c, old, new, starts, total, what)
        for old, new, what in ((past_key, k, "past_key"), (past_value, v, "past_value"))
    )
    scores = Scores(c, q, k, scale, softcap)
    if attention_bias is not None:
        bias = c.value(attention_bias)
        more = p.largest(p.extent(scores.value, 3) - p.extent(bias, 3), 0)
        scores.add(from_value(p.pad(bias, [0] * 4, [0, 0, 0, more], 0.0)))
    scores.limit(p.expand(starts, [1, 2, 3]), local_window_size)
    sink: Any = None
    if head_sink is not None:
        require_numbers(c, head_sink, num_heads, "head_sink", "heads")
        sink = p.expand(p.cast(c.value(head_sink), scores.value.element), [1, 2])
    elif smooth_softmax == 1:
        sink = 0.0
    made = (join_heads(scores.apply(v, sink)), k, v)
    return tuple(map(from_value, made[: max(c.outputs, 1)]))


def put_rows(c: Context, past: Operand | None, new: Value, starts: Value, total: Number, what: str) -> Value:
    """Returns the cache with new rows behind those that each batch has; it is longer where they do not fit."""
    p, b = program, c.builder
    batch, heads, length, size = p.extents(new)
    if past is None:
        before, have = p.broadcast_to(c.scalar(0.0, new.element), [batch, heads, total, size]), total
    else:
        require_extents(c, past, [batch, heads, None, size], what)
        before, own = c.value(past), extents_of(past)[2]
        have = p.largest(own, total)
        most = c.extract(p.maximum(p.reduce("max", starts), 0), 0)
        p.require(b, "sle", most, own, f"a batch has {{0}} rows already, but the {what} has {{1}}")
        p.require(b, "sle", most + length, have, f"{{0}} rows are needed, but the {what} has {{1}}")
        before = p.pad(before, [0] * 4, [0, 0, have - own, 0], 0.0)
    shape: list[Number] = [batch, heads, have, size]
    line = p.subtract(p.iota(b, have, "i64", axis=2, rank=4), p.expand(starts, [1, 2, 3]))
    is_new = p.bitwise_and(p.greater_equal(line, 0), p.less(line, length))
    at = p.broadcast_to(p.select(is_new, line, 0), shape)
    return p.require_shape(p.select(is_new, p.gather_elements(new, at, 2, from_end=False), before), shape)


@operator("RotaryEmbedding", domain=MICROSOFT)
def _old_rotary_embedding(
    c: Context,
    x: Operand,
    position_ids: Operand,
    cos_cache: Operand,
    sin_cache: Operand,
    *,
    interleaved: int = 0,
    is_packed_batching: int = 0,
    num_heads: int = 0,
    rotary_embedding_dim: int = 0,
    scale: float = 1.0,
) -> Tensor:
    p = program
    require_nothing(is_packed_batching=is_packed_batching)
    value = c.value(x)
    half = extents_of(cos_cache)[1]
    is_flat = value.rank == 3
    if is_flat:
        # The tables tell the size of a head where nothing else does.
        heads = num_heads or p.extent(value, 2) // p.largest(2 * half, 1)
        value = split_heads(c, value, heads, "input")
    places = p.cast(c.value(position_ids), "i64")
    if places.rank == 1:
        # Where the first row is.
        line = p.iota(c.builder, p.extent(value, 2), "i64", axis=1, rank=2)
        places = p.broadcast_to(p.add(line, places), [p.extent(value, 0), p.extent(value, 2)])
    made = rotate(c, value, cos_cache, sin_cache, places, interleaved)
    return from_value(join_heads(made) if is_flat else made)
