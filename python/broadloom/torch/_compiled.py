"""Modules that are compiled once, whatever the extents of the first call are."""

from __future__ import annotations

import contextlib
import functools
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import torch
from torch._dynamo import callback
from torch._dynamo import config as _dynamo_config
from torch.fx.experimental import _config

from ._open_lengths import open_lengths

#: What dynamo is told while it traces: an extent of 0 or 1 is as open as others, and equal extents are not one.
_SETTINGS = {"backed_size_oblivious": True, "use_duck_shape": False}

#: What PyTorch is told of the kernels of convolutions, which it chooses by whether there is one image. Programs have
#: kernels of their own.
_CHOICES = {"_select_conv_backend": None, "_conv_determine_backend_memory_format": torch.contiguous_format}


class _State(threading.local):
    """What a thread is in."""

    #: How many calls of compiled modules.
    calls = 0

    def __init__(self) -> None:
        #: The settings of the compilation that is under way.
        self.settings = contextlib.ExitStack()


_state = _State()
#: The threads that compile, and what others choose kernels by meanwhile.
_choosing: set[int] = set()
_others: dict[str, Callable[..., Any]] = {}
_lock = threading.Lock()


def _choose(name: str, *args: Any, **kwargs: Any) -> Any:
    """Answers for a function of _CHOICES, and asks the function itself in other threads."""
    return _CHOICES[name] if threading.get_ident() in _choosing else _others[name](*args, **kwargs)


@contextlib.contextmanager
def _without_choices() -> Iterator[None]:
    """Has PyTorch choose no kernels in this thread."""
    with _lock:
        if not _choosing:
            for name in _CHOICES:
                _others[name] = getattr(torch._C, name)
                setattr(torch._C, name, functools.partial(_choose, name))
        _choosing.add(threading.get_ident())
    try:
        yield
    finally:
        with _lock:
            _choosing.remove(threading.get_ident())
            if not _choosing:
                for name in _CHOICES:
                    setattr(torch._C, name, _others[name])


def _begin(args: object) -> None:
    # A setting costs more than a call, so that only what is compiled has it.
    if _state.calls:
        _state.settings.enter_context(_config.patch(_SETTINGS))
        _state.settings.enter_context(_without_choices())
        _state.settings.enter_context(_dynamo_config.patch(allow_rnn=True))
        _state.settings.enter_context(open_lengths())


def _end(args: object) -> None:
    _state.settings.close()


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
        if not _state.calls:
            # Another thread's compilation may have ended last.
            _state.settings.close()


def compile_once(module: Callable[..., Any], backend: Any, options: dict[str, Any]) -> Callable[..., Any]:
    """Compiles a module, as broadloom.torch.compile says."""
    compiled = torch.compile(module, backend=backend, dynamic=True, options=options)

    @functools.wraps(module.forward if isinstance(module, torch.nn.Module) else module)
    def call(*args: Any, **kwargs: Any) -> Any:
        with _counting(), torch.no_grad():
            return compiled(*args, **kwargs)

    return call


def export_open(
    module: torch.nn.Module, args: Sequence[Any], kwargs: Mapping[str, Any] | None, more: dict[str, Any]
) -> torch.export.ExportedProgram:
    """Exports a module, as broadloom.torch.export says."""
    with _config.patch(backed_size_oblivious=True), open_lengths():
        return torch.export.export(module, tuple(args), dict(kwargs) if kwargs else None, **more)
