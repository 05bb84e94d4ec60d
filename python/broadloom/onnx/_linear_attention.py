"""Attention whose cost grows with the length alone, and attention with scores that graphs change."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .. import _program as program
from .._program import Value
from .._tensors._convolutions import known_shape
from .._tensors._fits import require_extents
from .._tensors._products import repeat_heads
from .._tensors._regions import repeat
from .._tensors._sums import wide_type
from .._tensors._tensor import Held, Number, Tensor, from_value, to_value
from ._arrays import ELEMENTS
from ._attention import _find_root, _split_heads
from ._context import Context, Known, Operand, Unsupported, operator
from ._images import convolve_window
from ._layout import extents_of
from ._model import Graph


def _take(x: Value, at: Number) -> Value:
    """Takes a step of [batch, heads, steps, size]."""
    return program.squeeze(program.take_slice(x, 2, at, 1), [2])


def _by_heads(c: Context, x: Operand | None, heads: int, what: str, ends: Sequence[Number]) -> Value | None:
    """Views [batch, steps, heads * size] as [batch, heads, steps, size], in f32."""
    if x is None:
        return None
    require_extents(c, x, [*ends, None], what)
    return program.cast(to_value(_split_heads(c, c.tensor(x), heads, what)), "f32")


@operator("LinearAttention", since=27)
def _linear_attention(
    c: Context,
    query: Operand,
    key: Operand,
    value: Operand,
    past_state: Operand | None = None,
    decay: Operand | None = None,
    beta: Operand | None = None,
    *,
    q_num_heads: int,
    kv_num_heads: int,
    chunk_size: int = 64,
    scale: float = 0.0,
    update_rule: str = "gated_delta",
) -> tuple[Tensor, ...]:
    p = program
    if update_rule not in ("linear", "gated", "delta", "gated_delta"):
        raise Unsupported(f"its update_rule is linear, gated, delta or gated_delta, not {update_rule!r}")
    if ("gated" in update_rule) != (decay is not None) or ("delta" in update_rule) != (beta is not None):
        raise ValueError(f"update_rule {update_rule!r} does not go with the inputs decay and beta that are given")
    if kv_num_heads < 1 or q_num_heads < 1 or q_num_heads % kv_num_heads:
        raise ValueError(f"{q_num_heads} heads of queries are no multiple of {kv_num_heads} heads of keys")
    element = query.element
    batch, steps, _ = extents_of(query)
    ends = [batch, steps]
    queries = _by_heads(c, query, q_num_heads, "query", ends)
    keys, values = (_by_heads(c, x, kv_num_heads, what, ends) for x, what in ((key, "key"), (value, "value")))
    decays = _by_heads(c, decay, kv_num_heads, "decay", ends)
    amounts = None
    if beta is not None:
        require_extents(c, beta, [*ends, None], "beta")
        p.require_either(
            c.builder,
            [("eq", extents_of(beta)[2], n) for n in (1, kv_num_heads)],
            f"axis 2 of the beta has the extent {{0}}, but 1 or {kv_num_heads} is needed",
            extents_of(beta)[2],
        )
        amounts = p.expand(p.transpose(p.cast(c.value(beta), "f32"), [0, 2, 1]), [3])
    assert queries is not None and keys is not None and values is not None
    size, width = p.extent(keys, 3), p.extent(values, 3)
    require_extents(c, from_value(queries), [None, None, None, size], "query's heads")
    shape: list[Number] = [batch, kv_num_heads, size, width]
    require_extents(c, past_state, shape, "past_state")
    start = p.broadcast_to(c.scalar(0.0, "f32"), shape) if past_state is None else p.cast(c.value(past_state), "f32")
    if decays is not None:
        p.require_either(
            c.builder,
            [("eq", p.extent(decays, 3), n) for n in (1, size)],
            "the decay of a head has {0} elements, but 1 or {1} is needed",
            p.extent(decays, 3),
            size,
        )
    group = q_num_heads // kv_num_heads
    factor: Any = scale or p.rsqrt(c.scalar(size, "f32"))

    def step(at: Number, carried: list[Any]) -> tuple[list[Any], list[Value]]:
        (state,) = carried
        row = p.expand(_take(keys, at), [2])
        new = p.expand(_take(values, at), [2])
        if decays is not None:
            state = p.multiply(state, p.expand(p.exp(_take(decays, at)), [3]))
        if amounts is not None:
            new = p.multiply(p.expand(_take(amounts, at), [3]), p.subtract(new, p.matmul(row, state)))
        state = p.add(state, p.multiply(p.transpose(row, [0, 1, 3, 2]), new))
        state = p.require_shape(state, shape)
        # Several heads of queries read one head of keys.
        asked = p.reshape(_take(queries, at), [batch, kv_num_heads, group, size])
        return [state], [p.multiply(p.matmul(asked, state), factor)]

    (last,), (rows,) = repeat(c, steps, [start], [("f32", [batch, kv_num_heads, group, width])], step)
    made = p.reshape(p.transpose(rows, [1, 0, 2, 3, 4]), [batch, steps, width * q_num_heads])
    kept = element if past_state is None else past_state.element
    return (from_value(p.cast(made, element)), from_value(p.cast(last, kept)))[: max(c.outputs, 1)]


@operator("CausalConvWithState", since=27)
def _causal_conv(
    c: Context,
    x: Operand,
    weight: Operand,
    bias: Operand | None = None,
    past_state: Operand | None = None,
    *,
    activation: str = "none",
) -> tuple[Tensor, ...]:
    p = program
    if activation not in ("none", "silu", "swish"):
        raise Unsupported(f"its activation is none, silu or swish, not {activation!r}")
    if x.rank != 3:
        raise ValueError(f"its input has {x.rank} axes, not 3")
    value, element = c.value(x), x.element
    own = weight if isinstance(weight, Held) else c.tensor(weight)
    channels, _, frame = known_shape(own)
    batch, _, length = p.extents(value)
    require_extents(c, x, [None, channels, None], "input")
    require_extents(c, past_state, [batch, channels, frame - 1], "past_state")
    if past_state is None:
        before = p.broadcast_to(c.scalar(0.0, element), [batch, channels, frame - 1])
    else:
        before = c.value(past_state)
    whole = p.concat([before, value], 2)
    made = convolve_window(c, from_value(whole), own, bias, [1], [1], [0], [0], channels)
    if activation != "none":
        wide = p.cast(made.value, wide_type(element))
        made = Tensor(p.cast(p.multiply(wide, p.sigmoid(wide)), element), made.order)
    present = p.take_slice(whole, 2, length, frame - 1)
    return (made, from_value(present))[: max(c.outputs, 1)]


@operator("FlexAttention", domain="ai.onnx.preview")
def _flex_attention(
    c: Context,
    query: Operand,
    key: Operand,
    value: Operand,
    *,
    scale: float | None = None,
    score_mod: Graph | None = None,
    prob_mod: Graph | None = None,
    softmax_precision: int | None = None,
) -> Tensor:
    p = program
    q, k, v = (c.tensor(x) for x in (query, key, value))
    if not q.rank == k.rank == v.rank == 4:
        raise ValueError("its inputs have other numbers of axes than 4")
    element = q.element
    require_extents(c, k, [q.extent(0), None, None, q.extent(3)], "key")
    require_extents(c, v, [q.extent(0), k.extent(1), k.extent(2), None], "value")
    if not p.is_same(q.extent(1), k.extent(1)):
        k, v = (repeat_heads(c, x, q.extent(1)) for x in (k, v))
    root = _find_root(c, scale, q)
    turned = Tensor(k.value, (*k.order[:2], k.order[3], k.order[2]))
    score = p.matmul(p.multiply(to_value(q), root), p.multiply(to_value(turned), root))
    wide = wide_type(element) if softmax_precision is None else ELEMENTS[softmax_precision]
    score = _modify(c, score_mod, p.cast(score, wide), wide)
    largest = p.reduce("max", score, [3], keepdims=True)
    powers = p.exp(p.subtract(score, p.select(p.equal(largest, float("-inf")), 0.0, largest)))
    total = p.reduce("sum", powers, [3], keepdims=True)
    weights = _modify(c, prob_mod, p.divide(powers, p.select(p.equal(total, 0.0), 1.0, total)), wide)
    return from_value(p.cast(p.matmul(weights, p.cast(to_value(v), wide)), v.element))


def _modify(c: Context, graph: Graph | None, x: Value, element: str) -> Value:
    """Applies a graph of one input to scores, or to probabilities."""
    if graph is None:
        return x
    found = c.import_graph(graph, [from_value(x)])  # type: ignore[attr-defined]
    if len(found) != 1 or not isinstance(found[0], (Tensor, Known)):
        # What it has of nodes that are not imported has been told.
        raise Unsupported("" if len(found) == 1 else f"its graph gives {len(found)} results, not 1")
    require_extents(c, found[0], program.extents(x), "graph's result")
    return program.cast(c.value(found[0]), element)
