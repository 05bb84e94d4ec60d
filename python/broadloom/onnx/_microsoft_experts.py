"""Mixtures of experts of ONNX Runtime: each token goes through the few networks that its router prefers."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
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
from ._microsoft_weights import read_blocks

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


#: A weight for each expert, and its bias.
_Layer = tuple[Operand, "Operand | None"]


@dataclasses.dataclass
class _Experts:
    """Networks of two layers, and what is between these."""

    activation_type: str
    alpha: float
    beta: float
    fusion: int
    limit: float | None

    @property
    def is_gated(self) -> bool:
        """Whether the first layer gives gates and values."""
        return self.activation_type == "swiglu"

    def check(self, has_third: bool, use_sparse_mixer: int, limits_after: int) -> None:
        """Refuses what is not imported."""
        if has_third or use_sparse_mixer or limits_after:
            raise Unsupported("a third layer of experts, use_sparse_mixer or swiglu_limit_after_activation")
        if not self.is_gated and self.activation_type not in _ACTIVATIONS:
            known = f"swiglu, {', '.join(_ACTIVATIONS)}"
            raise Unsupported(f"its activation_type is {known}, not {self.activation_type!r}")
        if self.is_gated and self.fusion not in (1, 2):
            raise Unsupported("its activation_type is swiglu, and its swiglu_fusion not 1 or 2")

    def activate(self, x: Value) -> Value:
        """Applies what is between the layers."""
        if self.is_gated:
            return _gate(x, self.alpha, self.beta, self.limit, self.fusion == 1)
        return _ACTIVATIONS[self.activation_type](x)

    def mix(
        self,
        c: Context,
        x: Operand,
        router: Operand,
        layers: Sequence[_Layer],
        k: int,
        is_normal: bool,
        weights: Operand | None = None,
    ) -> Tensor:
        """Adds up what the k experts that the router prefers give, by its shares, or those of `weights`."""
        p, b = program, c.builder
        (first, first_bias), (second, second_bias) = layers
        shape, wide = extents_of(x), wide_type(x.element)
        tokens, width = p.product(shape[:-1]), shape[-1]
        experts, inner, _ = extents_of(first)
        require_extents(c, router, [tokens, experts], "router_probs")
        require_extents(c, weights, [tokens, experts], "router_weights")
        require_extents(c, first, [None, None, width], "first weights")
        require_extents(c, first_bias, [experts, inner], "first bias")
        require_extents(c, second, [experts, width, inner // 2 if self.is_gated else inner], "second weights")
        require_extents(c, second_bias, [experts, width], "second bias")
        p.require(b, "sle", k, experts, "its k is {0}, but there are {1} experts")
        rows = p.reshape(c.value(x), [tokens, width])
        chosen, shares = self._share(c, router, k, is_normal, weights, wide)

        bound = [(c.value(weight), None if bias is None else c.value(bias)) for weight, bias in layers]

        def step(at: Number, carried: list[Any]) -> list[Any]:
            is_mine = p.equal(chosen, p.scalar(b, at, "i64"))
            mine = positions(p.greater(p.reduce("max", p.cast(is_mine, "i64"), [1]), 0))
            share = p.take(p.sum(p.select(is_mine, shares, 0.0), [1]), mine, 0, from_end=False)
            made = p.take(rows, mine, 0, from_end=False)
            for layer, (weight, bias) in enumerate(bound):
                own = p.squeeze(p.take_slice(weight, 0, at, 1), [0])
                made = p.matmul(made, p.transpose(own, [1, 0]))
                if bias is not None:
                    made = p.add(made, p.take_slice(bias, 0, at, 1))
                made = made if layer else self.activate(made)
            made = p.multiply(p.cast(made, wide), p.expand(share, [1]))
            added = p.scatter(carried[0], made, [(mine, [0]), 1], "sum", from_end=False)
            return [p.require_shape(added, [tokens, width])]

        (found,) = p.repeat(b, 0, experts, [zeros(b, [tokens, width], wide)], step)
        return from_value(p.reshape(p.cast(found, x.element), shape))

    def _share(
        self, c: Context, router: Operand, k: int, is_normal: bool, weights: Operand | None, wide: str
    ) -> tuple[Value, Value]:
        """Returns the experts of each token, and their shares."""
        p, given = program, program.cast(c.value(router), wide)
        logits, chosen = p.sort(given, 1, k, descending=True)
        if weights is not None:
            shares = p.gather_elements(p.cast(c.value(weights), wide), p.cast(chosen, "i64"), 1, from_end=False)
            return chosen, p.divide(shares, p.sum(shares, [1], keepdims=True)) if is_normal else shares
        whole = logits if is_normal else given
        largest = p.reduce("max", whole, [1], keepdims=True)
        total = p.sum(p.exp(p.subtract(whole, largest)), [1], keepdims=True)
        return chosen, p.divide(p.exp(p.subtract(logits, largest)), total)


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
    experts = _Experts(activation_type, activation_alpha, activation_beta, swiglu_fusion, swiglu_limit)
    experts.check(third is not None or third_bias is not None, use_sparse_mixer, swiglu_limit_after_activation)
    return experts.mix(c, x, router, [(first, first_bias), (second, second_bias)], k, bool(normalize_routing_weights))


@operator("QMoE", domain=MICROSOFT)
def _quantized_mixture(
    c: Context,
    x: Operand,
    router: Operand,
    first: Operand,
    first_scales: Operand,
    first_bias: Operand | None,
    second: Operand,
    second_scales: Operand,
    second_bias: Operand | None = None,
    third: Operand | None = None,
    third_scales: Operand | None = None,
    third_bias: Operand | None = None,
    first_points: Operand | None = None,
    second_points: Operand | None = None,
    third_points: Operand | None = None,
    router_weights: Operand | None = None,
    *global_scales: Operand | None,
    accuracy_level: int = 0,
    activation_alpha: float = 1.0,
    activation_beta: float = 0.0,
    activation_type: str = "relu",
    block_size: int = 0,
    expert_weight_bits: int = 4,
    fc1_expert_weight_bits: int = 0,
    fc2_expert_weight_bits: int = 0,
    fc3_expert_weight_bits: int = 0,
    k: int = 1,
    normalize_routing_weights: int = 0,
    quant_type: str = "int",
    swiglu_fusion: int = 0,
    swiglu_limit: float | None = None,
    swiglu_limit_after_activation: int = 0,
    use_sparse_mixer: int = 0,
    weights_prepacked: int = 0,
) -> Tensor:
    if quant_type != "int" or any(given is not None for given in global_scales):
        raise Unsupported(f"its quant_type is {quant_type!r}; 'int' without global scales is there")
    if weights_prepacked > 0:
        raise Unsupported("packed weights")
    experts = _Experts(activation_type, activation_alpha, activation_beta, swiglu_fusion, swiglu_limit)
    experts.check(third is not None, use_sparse_mixer, swiglu_limit_after_activation)
    layers: list[_Layer] = []
    for packed, scales, points, bias, bits in (
        (first, first_scales, first_points, first_bias, fc1_expert_weight_bits or expert_weight_bits),
        (second, second_scales, second_points, second_bias, fc2_expert_weight_bits or expert_weight_bits),
    ):
        weight = read_blocks(c, packed, scales, points, bits, block_size)
        layers.append((from_value(c.builder.constant(weight.astype(program.to_numpy(x.element)), x.element)), bias))
    return experts.mix(c, x, router, layers, k, bool(normalize_routing_weights), router_weights)
