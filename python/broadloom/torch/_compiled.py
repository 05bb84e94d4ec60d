"""Modules that are compiled once, whatever the extents of the first call are."""

from __future__ import annotations

import contextlib
import functools
import threading
from collections.abc import Callable, Iterator
from typing import Any
from unittest import mock

import torch
from torch._dynamo import callback
from torch.fx.experimental import _config

#: What dynamo is told while it traces: an extent of 0 or 1 is as open as others, and equal extents are not one.
_SETTINGS = {"backed_size_oblivious": True, "use_duck_shape": False}

#: What PyTorch is told of the kernels of convolutions, which it chooses by whether there is one image. Programs have
#: kernels of their own.
_CHOICES = {"_select_conv_backend": None, "_conv_determine_backend_memory_format": torch.contiguous_format}


class _State(threading.local):
    """How many calls of compiled modules a thread is in."""

    calls = 0


_state = _State()
#: The settings of compilations that are under way.
_patched = contextlib.ExitStack()


def _begin(args: object) -> None:
    # A setting costs more than a call, so that only what is compiled has it.
    if _state.calls:
        _patched.enter_context(_config.patch(_SETTINGS))
        for name, answer in _CHOICES.items():
            _patched.enter_context(mock.patch.object(torch._C, name, lambda *args, answer=answer, **kwargs: answer))


def _end(args: object) -> None:
    _patched.close()


def _register() -> None:
    """Has dynamo call the functions above; what resets it forgets them."""
    if _begin not in callback.callback_handler.start_callbacks:
        callback.on_compile_start(_begin)
        callback.on_compile_end(_end)


@contextlib.contextmanager
def _counting() -> Iterator[None]:
    _register()
    _state.calls += 1
    try:
        yield
    finally:
        _state.calls -= 1


def compile_once(module: Callable[..., Any], backend: Any, options: dict[str, Any]) -> Callable[..., Any]:
    """Compiles a module, as broadloom.torch.compile says."""
    compiled = torch.compile(module, backend=backend, dynamic=True, options=options)

    @functools.wraps(module.forward if isinstance(module, torch.nn.Module) else module)
    def call(*args: Any, **kwargs: Any) -> Any:
        with _counting(), torch.no_grad():
            return compiled(*args, **kwargs)

    return call
