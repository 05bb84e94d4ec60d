"""Text generation: decoders that are compiled once, for prompts and for single tokens (docs/start/generate.md).

g = bl.torch.generation.compile(model.eval(), max_length=512)
tokens = g.generate(input_ids, max_new_tokens=128)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Never

from .. import _source
from .._errors import refuse_unknown
from . import _files

if TYPE_CHECKING:
    from ._generator import Generator

__all__ = ["compile"]


def compile(model: Any, *, max_length: int = 1024, threads: int = 0, **unknown: Never) -> Generator:
    """Compile a language model of the package transformers for any batch, and for prompts of any length.

        g = bl.torch.generation.compile(model.eval(), max_length=512)
        tokens = g.generate(input_ids, max_new_tokens=128)

    The keys and the values of attention stay in the program, in memory for `max_length` tokens. A step writes
    those of its tokens in place, and reads those of the tokens that there are. Models with an encoder, as Whisper,
    have a second program for that.

    max_length: the most tokens, those of the prompt among them.
    threads: the most threads that a step uses; 0 for all cores.

    Raises UnsupportedOperations as from_torch, and TypeError for a model that keeps other things than keys and values.
    """
    refuse_unknown("compile", unknown, ("max_length", "threads"))
    _source.check_threads(threads=threads)
    try:
        from ._generator import Generator
    except ModuleNotFoundError as error:
        raise _files.explain_missing(error, "generation.compile takes models of PyTorch") from None
    return Generator(model, max_length, threads)
