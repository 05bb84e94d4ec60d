"""Decoders of transformers as modules whose inputs have the memory of keys and values."""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Iterator
from typing import Any

import torch
from torch.fx.experimental import _config
from torch.overrides import TorchFunctionMode
from transformers import AttentionInterface, cache_utils, masking_utils

# Operations whose results have the extents that are meant. Those of ATen ask whether extents are 1, and whether parts
# are inside.


@torch.library.custom_op("broadloom::take_slice", mutates_args=())
def _take_slice(x: torch.Tensor, dim: int, start: int, count: int) -> torch.Tensor:
    """Returns `count` elements of an axis from `start` on."""
    return x.narrow(dim, start, count).clone(memory_format=torch.contiguous_format)


@_take_slice.register_fake
def _describe_slice(x: torch.Tensor, dim: int, start: int, count: int) -> torch.Tensor:
    return x.new_empty((*x.shape[:dim], count, *x.shape[dim + 1 :]))


@torch.library.custom_op("broadloom::put_slice", mutates_args=())
def _put_slice(x: torch.Tensor, part: torch.Tensor, dim: int, start: int) -> torch.Tensor:
    """Returns x with a part in place of the elements of an axis from `start` on."""
    return x.slice_scatter(part, dim, start, start + part.shape[dim])


@_put_slice.register_fake
def _describe_whole(x: torch.Tensor, part: torch.Tensor, dim: int, start: int) -> torch.Tensor:
    return x.new_empty(x.shape)


@torch.library.custom_op("broadloom::attend", mutates_args=())
def _attend_op(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    mask: torch.Tensor | None,
    scale: float | None,
    is_causal: bool,
    softcap: float | None = None,
) -> torch.Tensor:
    """Is scaled_dot_product_attention as one operation: what torch.export makes of that asks whether extents are 1.
    With a soft cap c, scores s are c tanh(s / c)."""
    if softcap is not None:
        raise NotImplementedError("programs have attention with a soft cap; PyTorch has no such operation")
    made = torch.nn.functional.scaled_dot_product_attention(
        query, key, value, attn_mask=mask, scale=scale, is_causal=is_causal, enable_gqa=True
    )
    return made.transpose(1, 2).clone(memory_format=torch.contiguous_format).transpose(1, 2)


@_attend_op.register_fake
def _describe_attention(query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, *more: Any) -> torch.Tensor:
    # The heads of a token stand side by side, as what follows takes them.
    rows, heads, count, _ = query.shape
    return query.new_empty((rows, count, heads, value.shape[-1])).transpose(1, 2)


class Layer(cache_utils.CacheLayerMixin):
    """The keys and the values of a layer: memory for the most tokens, of which the first `past` are there."""

    is_sliding = False

    def __init__(self, keys: torch.Tensor, values: torch.Tensor, past: Any) -> None:
        super().__init__()
        self.keys, self.values, self.past = keys, values, past
        self.is_initialized = True

    def lazy_initialization(self, key_states: torch.Tensor, value_states: torch.Tensor) -> None:
        """Does nothing: the memory is there."""

    def update(
        self, key_states: torch.Tensor, value_states: torch.Tensor, *args: Any, **kwargs: Any
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Writes those of new tokens behind the others; returns all that are there."""
        found = []
        for memory, states in ((self.keys, key_states), (self.values, value_states)):
            whole = torch.ops.broadloom.put_slice(memory, states, 2, self.past)
            memory.copy_(whole)
            found.append(torch.ops.broadloom.take_slice(whole, 2, 0, self.past + states.shape[2]))
        return found[0], found[1]

    def get_mask_sizes(self, query_length: int) -> tuple[int, int]:
        """Returns how many tokens there are behind the step, and the number of the first one."""
        return self.past + query_length, 0

    def get_seq_length(self) -> int:
        """Returns how many tokens there are."""
        return int(self.past) if isinstance(self.past, int) else self.past

    def get_max_length(self) -> int:
        """Tells that a mask needs no fixed length."""
        return -1


class Given(cache_utils.DynamicLayer):
    """The keys and the values of what an encoder gives."""

    def __init__(self, keys: torch.Tensor, values: torch.Tensor) -> None:
        super().__init__()
        self.keys, self.values = keys, values
        self.is_initialized = True


#: What transformers calls attention as programs have it.
_NAME = "broadloom"


def _attend(
    module: torch.nn.Module,
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attention_mask: torch.Tensor | None,
    dropout: float = 0.0,
    scaling: float | None = None,
    is_causal: bool | None = None,
    position_bias: torch.Tensor | None = None,
    softcap: float | None = None,
    **kwargs: Any,
) -> tuple[torch.Tensor, None]:
    """Attends without a choice by the number of new tokens, as sdpa_attention_forward of transformers makes it."""
    causal = getattr(module, "is_causal", True) if is_causal is None else is_causal
    mask = attention_mask
    if position_bias is not None:
        mask = position_bias if mask is None else torch.where(mask, position_bias, float("-inf"))
    made = torch.ops.broadloom.attend(query, key, value, mask, scaling, bool(causal) and mask is None, softcap)
    return made.transpose(1, 2), None


def _mask(*args: Any, allow_is_causal_skip: bool = False, **kwargs: Any) -> torch.Tensor | None:
    """Makes a mask where transformers might leave it out for some numbers of tokens."""
    return masking_utils.sdpa_mask(*args, allow_is_causal_skip=False, **kwargs)


AttentionInterface.register(_NAME, _attend)
masking_utils.AttentionMaskInterface.register(_NAME, _mask)


class _Copying(TorchFunctionMode):
    """Has x.contiguous() make a copy whether x is contiguous or not, which depends on whether extents are 1."""

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if func is torch.Tensor.contiguous and not kwargs and len(args) == 1:
            return args[0].clone(memory_format=torch.contiguous_format)
        return func(*args, **(kwargs or {}))


@contextlib.contextmanager
def tracing(model: torch.nn.Module) -> Iterator[None]:
    """Has torch.export make one program of a model in the body, whatever the extents are: the model attends as above
    where it would take scaled_dot_product_attention, or its own formula because of a soft cap of the scores."""
    configs = {id(c): c for part in model.modules() if (c := getattr(part, "config", None)) is not None}
    changed = [(c, c._attn_implementation_internal) for c in configs.values() if _attends_alike(c)]
    for config, _ in changed:
        config._attn_implementation_internal = _NAME
    try:
        with _config.patch(backed_size_oblivious=True), _Copying():
            yield
    finally:
        for config, implementation in changed:
            config._attn_implementation_internal = implementation


def _attends_alike(config: Any) -> bool:
    """Whether `_attend` computes what a model of this configuration does."""
    how = getattr(config, "_attn_implementation_internal", None)
    return how == "sdpa" or (how == "eager" and getattr(config, "attn_logit_softcapping", None) is not None)


def _takes(module: torch.nn.Module, name: str) -> bool:
    return name in inspect.signature(module.forward).parameters


def cache_argument(module: torch.nn.Module) -> str:
    """Returns what a model calls its cache."""
    return "cache" if _takes(module, "cache") else "past_key_values"


def _positions(mask: torch.Tensor, past: Any) -> torch.Tensor:
    """Returns the position of each new token among those of its row that count."""
    positions = (mask.long().cumsum(-1) - 1).clamp(min=0)
    return torch.ops.broadloom.take_slice(positions, 1, past, mask.shape[1] - past)


class Decoder(torch.nn.Module):
    """A model as a function of new tokens, of the mask of all tokens, and of the memory of each layer: the scores of
    the next token of each row."""

    def __init__(self, model: torch.nn.Module) -> None:
        super().__init__()
        self.model = model

    def forward(self, tokens: torch.Tensor, mask: torch.Tensor, *memory: torch.Tensor) -> torch.Tensor:
        """Computes the scores."""
        past = mask.shape[1] - tokens.shape[1]
        layers = [Layer(keys, values, past) for keys, values in zip(memory[::2], memory[1::2])]
        more: dict[str, Any] = {cache_argument(self.model): cache_utils.Cache(layers=layers)}
        if _takes(self.model, "position_ids"):
            more["position_ids"] = _positions(mask, past)
        if _takes(self.model, "logits_to_keep"):
            # A slice would be traced for several tokens, or for one.
            more["logits_to_keep"] = torch.tensor([-1])
        return self.model(input_ids=tokens, attention_mask=mask, use_cache=True, **more).logits[:, -1]


class Encoder(torch.nn.Module):
    """The encoder of a model as a function of its inputs: what it gives, and the keys and the values that each layer
    of the decoder makes of that."""

    def __init__(self, model: torch.nn.Module) -> None:
        super().__init__()
        self.model = model

    def forward(self, given: torch.Tensor, *mask: torch.Tensor) -> tuple[torch.Tensor, ...]:
        """Computes them."""
        more = {"attention_mask": mask[0]} if mask else {}
        states = self.model.get_encoder()(given, **more)[0]
        cache = cache_utils.EncoderDecoderCache(cache_utils.DynamicCache(), cache_utils.DynamicCache())
        token = torch.zeros((given.shape[0], 1), dtype=torch.long)
        decoded = {"decoder_input_ids": token, "encoder_outputs": (states,), cache_argument(self.model): cache}
        self.model(**decoded, **more, use_cache=True)
        made = [part for layer in cache.cross_attention_cache.layers for part in (layer.keys, layer.values)]
        return (states, *made)


class CrossDecoder(torch.nn.Module):
    """As Decoder, of a model with an encoder, whose results are inputs too: `masked` tells whether the first of them is
    the mask of the encoder's inputs."""

    def __init__(self, model: torch.nn.Module, layers: int, masked: bool) -> None:
        super().__init__()
        self.model, self.layers, self.masked = model, layers, masked

    def forward(
        self, tokens: torch.Tensor, mask: torch.Tensor, states: torch.Tensor, *more: torch.Tensor
    ) -> torch.Tensor:
        """Computes the scores."""
        past = mask.shape[1] - tokens.shape[1]
        given, more = ({"attention_mask": more[0]}, more[1:]) if self.masked else ({}, more)
        pairs = list(zip(more[::2], more[1::2]))
        cross, own = pairs[: -self.layers], pairs[-self.layers :]
        cache = cache_utils.EncoderDecoderCache(
            cache_utils.Cache(layers=[Layer(keys, values, past) for keys, values in own]),
            cache_utils.Cache(layers=[Given(keys, values) for keys, values in cross]),
        )
        cache.is_updated = dict.fromkeys(range(len(cross)), True)
        if _takes(self.model, "decoder_position_ids"):
            given["decoder_position_ids"] = _positions(mask, past)
        if _takes(self.model, "decoder_attention_mask"):
            given["decoder_attention_mask"] = mask
        given[cache_argument(self.model)] = cache
        return self.model(decoder_input_ids=tokens, encoder_outputs=(states,), use_cache=True, **given).logits[:, -1]


def probe_layers(cache: Any) -> list[tuple[torch.Tensor, torch.Tensor]]:
    """Returns the keys and the values of each layer of a cache that a model has filled."""
    for number, layer in enumerate(cache.layers):
        # Layers of derived classes keep more, such as the states of a Mamba layer.
        if type(layer) not in (cache_utils.DynamicLayer, cache_utils.DynamicSlidingWindowLayer) or layer.keys is None:
            raise TypeError(
                f"layer {number} of the model keeps a {type(layer).__name__}; generation.compile takes models whose "
                "layers keep keys and values alone (DynamicLayer)"
            )
    return [(layer.keys, layer.values) for layer in cache.layers]
