"""Compiled language models, and their steps."""

from __future__ import annotations

import inspect
import re
from collections.abc import Sequence
from typing import Any

import torch
from torch.export import Dim
from transformers import cache_utils

from .._errors import ShapeError, UnsupportedOperations
from ._cached import CrossDecoder, Decoder, Encoder, cache_argument, probe_layers, tracing
from ._calls import Compiled, to_numpy
from ._export import ExportedFunction, compile_exported

#: The extents of the example: rows, new tokens, tokens, memory, and an encoder's tokens. All differ, so that none is
#: taken for another.
_ROWS, _NEW, _ALL, _MOST, _GIVEN = 3, 5, 11, 17, 13
_BATCH = Dim("batch", min=1)
#: Of an axis besides. That no axis is empty is required of calls: a model may ask, and PyTorch answers without a guard.
_OPEN = Dim.AUTO(min=1)


class _Program:
    """A module that is compiled once. What stands behind its first arguments stays in the program."""

    def __init__(
        self,
        module: torch.nn.Module,
        inputs: Sequence[torch.Tensor],
        dynamic: Sequence[dict[int, Any]],
        threads: int,
        kept: Sequence[int] = (),
    ) -> None:
        with torch.no_grad(), tracing(module):
            variadic = inputs[_count_named(module) :]
            named = len(inputs) - len(variadic)
            shapes = (*dynamic[:named], *([tuple(dynamic[named:])] if variadic else []))
            exported = torch.export.export(module, tuple(inputs), dynamic_shapes=shapes)
        specs = [spec.arg.name for spec in exported.graph_signature.input_specs if spec.kind.name == "USER_INPUT"]
        #: The names of the variables.
        self.variables = [specs[at] for at in kept]
        self.exported: ExportedFunction = compile_exported(exported, "shared", threads, "generate", self.variables)
        self.compiled: Compiled = self.exported._compiled
        #: How many inputs a call gives.
        self.count = len(specs) - len(kept)

    def __call__(self, *inputs: torch.Tensor) -> list[Any]:
        return self.compiled(inputs)

    def require_all_lengths(self, model: torch.nn.Module) -> None:
        """Raises UnsupportedOperations where the export holds for some numbers of tokens alone: no step of one token
        would be possible."""
        found = [f for f in self.exported.fixed if _COUNTS.search(f.condition)]
        if not found:
            return
        how = getattr(model.config, "_attn_implementation", None)
        advice = "docs/start/generate.md lists models that work"
        if how != "sdpa" and getattr(model, "_supports_sdpa", False):
            advice = 'load the model with attn_implementation="sdpa"'
        what = f"{type(model).__name__} (attention {how!r})"
        raise UnsupportedOperations(
            [(what, f.location, f"it chooses by the number of tokens; it was traced for {f.condition}") for f in found],
            advice=advice,
        )


#: What conditions call the numbers of tokens.
_COUNTS = re.compile(r"\b(tokens|mask)\.shape\[1\]")


def _as_tokens(value: Any, what: str) -> torch.Tensor:
    """Returns rows of tokens as int64; raises TypeError or ValueError for anything else."""
    if not isinstance(value, torch.Tensor):
        raise TypeError(f"{what} is a tensor of tokens, not {type(value).__name__}")
    if value.is_floating_point() or value.is_complex() or value.dtype == torch.bool:
        raise TypeError(f"{what} has tokens, which are integers, not {value.dtype}")
    if value.dim() != 2 or not value.numel():
        raise ValueError(
            f"{what} has the axes rows and tokens, at least one of each, not the shape {tuple(value.shape)}"
        )
    return value.to(torch.long)


def _count_named(module: torch.nn.Module) -> int:
    kinds = [p.kind for p in inspect.signature(module.forward).parameters.values()]
    return sum(kind == inspect.Parameter.POSITIONAL_OR_KEYWORD for kind in kinds)


class Generator:
    """A language model that is compiled once, with the tokens that it has been given so far.

    `generate` begins anew. `step` goes on, so that a caller can choose tokens itself. Use it in one thread at a time.
    """

    def __init__(self, model: torch.nn.Module, max_length: int, threads: int) -> None:
        if not isinstance(model, torch.nn.Module) or not hasattr(getattr(model, "config", None), "is_encoder_decoder"):
            raise TypeError(f"generation.compile takes a language model of transformers, not {type(model).__name__}")
        if not isinstance(max_length, int) or max_length < 1:
            raise ValueError(f"max_length is a number of tokens of at least 1, not {max_length!r}")
        if model.training:
            raise ValueError("the model is in training mode; call .eval() on it")
        self.model, self.max_length = model, max_length
        self._threads = threads
        self._has_encoder = bool(model.config.is_encoder_decoder)
        self._encoder: _Program | None = None
        self._encoded: list[torch.Tensor] = []
        self._program: _Program | None = None
        self._shapes: list[tuple[int, int, torch.dtype]] = []
        self._rows: int | None = None
        self._mask = torch.zeros((0, 0), dtype=torch.long)
        if not self._has_encoder:
            self._compile_decoder()

    @property
    def length(self) -> int:
        """How many tokens the cache has."""
        return int(self._mask.shape[1])

    def reset(self) -> None:
        """Forget all tokens."""
        self._mask, self._encoded = torch.zeros((0, 0), dtype=torch.long), []

    # Compilation.

    def _compile_decoder(self) -> None:
        tokens = torch.ones((1, 2), dtype=torch.long)
        cache = cache_utils.DynamicCache(config=self.model.config)
        with torch.no_grad():
            self.model(input_ids=tokens, use_cache=True, **{cache_argument(self.model): cache})
        memory, dynamic = self._make_memory(cache)
        self._program = self._compile(Decoder(self.model), [], [], memory, dynamic)

    def _make_memory(self, cache: Any) -> tuple[list[torch.Tensor], list[dict[int, Any]]]:
        """Returns an example of the memory of all layers, and its open axes."""
        parts = [part for layer in probe_layers(cache) for part in layer]
        self._shapes = [(part.shape[1], part.shape[3], part.dtype) for part in parts]
        memory = [torch.zeros((_ROWS, heads, _MOST, size), dtype=dtype) for heads, size, dtype in self._shapes]
        return memory, [{0: _BATCH, 2: _OPEN} for _ in memory]

    def _compile(
        self,
        module: torch.nn.Module,
        more: list[torch.Tensor],
        open_axes: list[dict[int, Any]],
        memory: list[torch.Tensor],
        dynamic: list[dict[int, Any]],
    ) -> _Program:
        """Compiles a decoder of tokens, their mask, `more`, and memory; what an encoder gives may stand in `more`."""
        tokens, mask = (torch.ones((_ROWS, n), dtype=torch.long) for n in (_NEW, _ALL))
        own: list[dict[int, Any]] = [{0: _BATCH, 1: _OPEN}] * 2
        inputs = [tokens, mask, *more, *memory]
        # The memory comes last among the inputs.
        kept = range(2 + len(more), len(inputs))
        program = _Program(module, inputs, [*own, *open_axes, *dynamic], self._threads, kept)
        program.require_all_lengths(self.model)
        return program

    def _compile_pair(self, inputs: torch.Tensor, masked: bool) -> None:
        """Compiles an encoder of such inputs, and its decoder."""
        batch, size = {0: _BATCH}, inputs.shape[1:]
        is_text = not inputs.is_floating_point()
        example = torch.ones((_ROWS, _GIVEN), dtype=torch.long) if is_text else torch.randn((_ROWS, *size))
        given = [example, *([torch.ones((_ROWS, _GIVEN), dtype=torch.long)] if masked else [])]
        axes = [batch | dict.fromkeys(range(1, example.dim()), _OPEN), batch | {1: _OPEN}][: len(given)]
        module = Encoder(self.model).eval()
        with torch.no_grad():
            states, *cross = module(*given)
            cache = cache_utils.EncoderDecoderCache(cache_utils.DynamicCache(), cache_utils.DynamicCache())
            more = {"attention_mask": given[1]} if masked else {}
            more |= {cache_argument(self.model): cache, "encoder_outputs": (states,), "use_cache": True}
            self.model(decoder_input_ids=torch.ones((_ROWS, 2), dtype=torch.long), **more)
        self._encoder = _Program(module, given, axes, self._threads)
        memory, dynamic = self._make_memory(cache.self_attention_cache)
        decoder = CrossDecoder(self.model, len(memory) // 2, masked)
        open_axes = [batch | {1: _OPEN}] * (1 + masked) + [batch | {2: _OPEN}] * len(cross)
        self._program = self._compile(decoder, [states, *given[1:], *cross], open_axes, memory, dynamic)

    def encode(self, inputs: torch.Tensor, attention_mask: torch.Tensor | None = None) -> None:
        """Run the encoder, and forget all tokens. The first call compiles both programs; its inputs tell whether
        there is a mask.

        inputs: tokens, or features as of sound.
        attention_mask: of tokens, 0 for those that do not count.
        """
        if not self._has_encoder:
            raise ValueError("the model has no encoder")
        for name, value in (("inputs", inputs), ("attention_mask", attention_mask)):
            if not isinstance(value, torch.Tensor) and (name == "inputs" or value is not None):
                raise TypeError(f"{name} is a tensor, not {type(value).__name__}")
        if self._program is None:
            self._compile_pair(inputs, attention_mask is not None)
        assert self._encoder is not None
        self.reset()
        # The mask is kept for the steps. The caller may change its own.
        given = [inputs, *([attention_mask.clone()] if attention_mask is not None else [])]
        if len(given) != self._encoder.count:
            raise ValueError("the first call of encode had a mask, and this one has not, or the other way round")
        states, *cross = self._encoder(*given)
        self._encoded = [states, *given[1:], *cross]

    # Steps.

    def _take_memory(self, rows: int) -> None:
        """Gives the program memory for so many rows."""
        assert self._program is not None
        if rows == self._rows:
            return
        self._program.exported.function.variables = {
            name: to_numpy(torch.zeros((rows, heads, self.max_length, size), dtype=dtype))
            for name, (heads, size, dtype) in zip(self._program.variables, self._shapes)
        }
        self._rows = rows

    def _has_memory(self) -> bool:
        """Tells whether the memory is there: a call that fails behind a write loses it."""
        assert self._program is not None
        try:
            return bool(self._program.exported.variables)
        except Exception:
            return False

    def _require_room(self, count: int) -> None:
        if self.length + count > self.max_length:
            raise ShapeError(
                f"the cache is for {self.max_length} tokens (max_length), of which {self.length} are taken, but "
                f"{count} more are asked for; compile with a larger max_length, or ask for fewer"
            )

    def step(self, input_ids: torch.Tensor, attention_mask: torch.Tensor | None = None) -> torch.Tensor:
        """Add tokens, and return the scores of the token behind them, for each row.

        input_ids: rows of new tokens.
        attention_mask: of the same shape, 0 for those that do not count, in front of rows that are shorter than
            others.

        A step that is refused changes nothing.
        """
        input_ids = _as_tokens(input_ids, "input_ids")
        rows, count = input_ids.shape
        if self.length and rows != self._mask.shape[0]:
            raise ShapeError(
                f"there are tokens of {self._mask.shape[0]} rows, but {rows} are given; reset() forgets them"
            )
        if attention_mask is not None and attention_mask.shape != input_ids.shape:
            raise ShapeError(
                f"attention_mask has the shape {tuple(attention_mask.shape)}, but input_ids {tuple(input_ids.shape)}"
            )
        if attention_mask is not None and not attention_mask[:, -1].all():
            raise ValueError(
                "attention_mask is 0 for the last token of a row; zeros of a shorter row stand in front of its tokens"
            )
        self._require_room(count)
        if self._program is None or (self._has_encoder and not self._encoded):
            raise ValueError("the model has an encoder; call encode() with its inputs first")
        # The caller may change its own mask.
        new = torch.ones_like(input_ids) if attention_mask is None else attention_mask.to(torch.long, copy=True)
        mask = torch.cat([self._mask, new], 1) if self.length else new
        self._take_memory(rows)
        try:
            (scores,) = self._program(input_ids, mask, *self._encoded)
        except BaseException:
            if not self._has_memory():
                self._rows = None
                self.reset()
            raise
        self._mask = mask
        return scores

    def generate(
        self,
        input_ids: torch.Tensor | None = None,
        attention_mask: torch.Tensor | None = None,
        *,
        max_new_tokens: int = 20,
        eos_token_id: int | Sequence[int] | None = None,
        pad_token_id: int | None = None,
        inputs: torch.Tensor | None = None,
        inputs_mask: torch.Tensor | None = None,
    ) -> torch.Tensor:
        """Return rows of tokens with those behind them that have the highest scores, after forgetting all others.

        input_ids: the tokens to begin with; of a model with an encoder its decoder_start_token_id, if it is left out.
        attention_mask: 0 for tokens that do not count, in front of rows that are shorter than others.
        max_new_tokens: the most tokens that are added.
        eos_token_id: the token that ends a row, or several, or () for none; a row that has ended goes on with
            pad_token_id. Both are those of the model's generation_config by default; pad_token_id is the first
            eos_token_id where that has none.
        inputs, inputs_mask: what the encoder is given.

        No other setting of generation_config is used, such as repetition_penalty, num_beams, suppress_tokens and
        forced tokens: `step` gives scores that a caller may change.
        """
        if input_ids is None and isinstance(inputs, torch.Tensor) and self._has_encoder:
            start = self._setting("decoder_start_token_id")
            start = self.model.config.decoder_start_token_id if start is None else start
            input_ids = None if start is None else torch.full((inputs.shape[0], 1), start)
        if input_ids is None or (inputs is None) == self._has_encoder:
            needed = "inputs" if self._has_encoder else "input_ids, and no inputs"
            raise TypeError(f"generate of a {type(self.model).__name__} needs {needed}")
        input_ids = _as_tokens(input_ids, "input_ids")
        if not isinstance(max_new_tokens, int) or max_new_tokens < 0:
            raise ValueError(f"max_new_tokens is a number of tokens, not {max_new_tokens!r}")
        eos_token_id = self._setting("eos_token_id") if eos_token_id is None else eos_token_id
        ends = [eos_token_id] if isinstance(eos_token_id, int) else list(eos_token_id or ())
        pad_token_id = self._setting("pad_token_id") if pad_token_id is None else pad_token_id
        pad = ends[0] if pad_token_id is None and ends else pad_token_id or 0
        self.reset()
        self._require_room(input_ids.shape[1] + max_new_tokens - 1)
        if inputs is not None:
            self.encode(inputs, inputs_mask)
        return self._extend(input_ids, attention_mask, max_new_tokens, ends, pad)

    def _setting(self, name: str) -> Any:
        """Returns a setting of the model's generation_config; None where there is none."""
        return getattr(getattr(self.model, "generation_config", None), name, None)

    def _extend(
        self,
        tokens: torch.Tensor,
        mask: torch.Tensor | None,
        count: int,
        ends: Sequence[int],
        pad: int,
    ) -> torch.Tensor:
        last = torch.tensor(ends, dtype=torch.long)
        ended = torch.zeros((tokens.shape[0], 1), dtype=torch.bool)
        parts, new = [tokens], tokens
        for _ in range(count):
            scores = self.step(new, mask)
            mask = None
            new = scores.argmax(-1, keepdim=True)
            if last.numel():
                new = torch.where(ended, pad, new)
                ended |= torch.isin(new, last)
            parts.append(new)
            if last.numel() and bool(ended.all()):
                break
        return torch.cat(parts, 1)
