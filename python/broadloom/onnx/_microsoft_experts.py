"""Mixtures of experts of ONNX Runtime: each token goes through the few networks that its router prefers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import _program as program
from .._program import Value
from .._tensors._activations import gelu
from .._tensors._counted import positions, zeros
from .._tensors._fits import require_extents
from .._tensors._sums import wide_type
from .._tensors._tensor import Number, Tensor, from_value
from ._context import Context, Operand, Unsupported, operator
from ._layout import extents_of
from ._microsoft import MICROSOFT

_ACTIVATIONS: dict[str, Callable[[Value], Value]] = {
    "relu": lambda x: program.maximum(x, 0.0),
    "gelu": lambda x: gelu(x, "tanh"),
    "silu": lambda x: program.multiply(x, program.sigmoid(x)),
    "identity": lambda x: x,
}


def _gate(x: Value, alpha: float, beta: float, limit: float | None, is_interleaved: bool) -> Value:
    """Computes SwiGLU of gates and values, which lie one after the other, or as halves."""
    p = program
    size = p.extent(x, 1) // 2
    if is_interleaved:
        parts = p.reshape(x, [p.extent(x, 0), size, 2])
        gate, value = (p.squeeze(p.take_slice(parts, 2, at, 1), [2]) for at in range(2))
    else:
        gate, value = (p.take_slice(x, 1, start, size) for start in (0, size))
    if limit is not None:
        gate, value = p.minimum(gate, limit), p.clip(value, -limit, limit)
    return p.multiply(p.multiply(gate, p.sigmoid(p.multiply(gate, alpha))), p.add(value, beta))


@operator("MoE", domain=MICROSOFT)
def _mixture(
    c: Context,
    x: Operand,
    router: Operand,
    first: Operand,
    first_bias: Operand | None,
    second: Operand,
    second_bias: Operand | None = None,
    third: Operand | None = None,
    third_bias: Operand | None = None,
    *,
    activation_alpha: float = 1.0,
    activation_beta: float = 0.0,
    activation_type: str = "relu",
    k: int = 1,
    normalize_routing_weights: int = 0,
    swiglu_fusion: int = 0,
    swiglu_limit: float | None = None,
    swiglu_limit_after_activation: int = 0,
    use_sparse_mixer: int = 0,
) -> Tensor:
    p, b, is_gated = program, c.builder, activation_type == "swiglu"
    if third is not None or third_bias is not None or use_sparse_mixer or swiglu_limit_after_activation:
        raise Unsupported("a third layer of experts, use_sparse_mixer or swiglu_limit_after_activation")
    if not is_gated and activation_type not in _ACTIVATIONS:
        raise Unsupported(f"its activation_type is swiglu, {', '.join(_ACTIVATIONS)}, not {activation_type!r}")
    if is_gated and swiglu_fusion not in (1, 2):
        raise Unsupported("its activation_type is swiglu, and its swiglu_fusion not 1 or 2")
    shape, wide = extents_of(x), wide_type(x.element)
    tokens, width = p.product(shape[:-1]), shape[-1]
    experts, inner, _ = extents_of(first)
    require_extents(c, router, [tokens, experts], "router_probs")
    require_extents(c, first, [None, None, width], "first weights")
    require_extents(c, first_bias, [experts, inner], "first bias")
    require_extents(c, second, [experts, width, inner // 2 if is_gated else inner], "second weights")
    require_extents(c, second_bias, [experts, width], "second bias")
    p.require(b, "sle", k, experts, "its k is {0}, but there are {1} experts")
    rows = p.reshape(c.value(x), [tokens, width])
    logits, chosen = p.sort(p.cast(c.value(router), wide), 1, k, descending=True)
    whole = logits if normalize_routing_weights else p.cast(c.value(router), wide)
    largest = p.reduce("max", whole, [1], keepdims=True)
    total = p.sum(p.exp(p.subtract(whole, largest)), [1], keepdims=True)
    shares = p.divide(p.exp(p.subtract(logits, largest)), total)
    layers = [(c.value(first), first_bias), (c.value(second), second_bias)]

    def step(at: Number, carried: list[Any]) -> list[Any]:
        number = p.scalar(b, at, "i64")
        is_mine = p.equal(chosen, number)
        mine = positions(p.greater(p.reduce("max", p.cast(is_mine, "i64"), [1]), 0))
        share = p.take(p.sum(p.select(is_mine, shares, 0.0), [1]), mine, 0, from_end=False)
        made = p.take(rows, mine, 0, from_end=False)
        for layer, (weight, bias) in enumerate(layers):
            own = p.squeeze(p.take_slice(weight, 0, at, 1), [0])
            made = p.matmul(made, p.transpose(own, [1, 0]))
            if bias is not None:
                made = p.add(made, p.take_slice(c.value(bias), 0, at, 1))
            if not layer and is_gated:
                made = _gate(made, activation_alpha, activation_beta, swiglu_limit, swiglu_fusion == 1)
            elif not layer:
                made = _ACTIVATIONS[activation_type](made)
        made = p.multiply(p.cast(made, wide), p.expand(share, [1]))
        return [p.require_shape(p.scatter(carried[0], made, [(mine, [0]), 1], "sum", from_end=False), [tokens, width])]

    (found,) = p.repeat(b, 0, experts, [zeros(b, [tokens, width], wide)], step)
    return from_value(p.reshape(p.cast(found, x.element), shape))
