"""Modules that are compiled once, whatever the extents of the first call are."""

from __future__ import annotations

import contextlib
import functools
import os
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import torch
from torch._dynamo import callback, resume_execution, symbolic_convert
from torch._dynamo import config as _dynamo_config
from torch._dynamo import utils as _dynamo_utils
from torch._dynamo.variables import builder as _dynamo_builder
from torch.fx.experimental import _config
from torch.fx.experimental.symbolic_shapes import GuardOnDataDependentSymNode

from .._errors import CompileError
from . import _fx
from ._attributes import changes_told, own_attributes
from ._stand_ins import Change, StandIns
from ._tracing import open_extents

#: In the paths of modules of PyTorch.
_MODULES = os.path.join("torch", "nn", "")


_SPECIALIZES = "is_int_specialization_case"


def _is_known(owner: Any, value: Any, source: Any) -> bool:
    """Tells whether a number between two graphs is one of the program, and no extent. One below 0 is an axis, or the -1
    of a view, which PyTorch takes for an extent there and then refuses. Numbers among the arguments stay open."""
    return (value < 0 and _is_behind_graph()) or bool(_numbers.call_other(owner, _SPECIALIZES, value, source))


def _is_behind_graph() -> bool:
    """Tells whether dynamo traces what is behind a graph, as a function of the names there."""
    tx = symbolic_convert.InstructionTranslator.current_tx()
    name: str = tx.output.root_tx.f_code.co_name
    return name.startswith(resume_execution.TORCH_DYNAMO_RESUME_IN_PREFIX)


_numbers = StandIns(
    {
        (owner, _SPECIALIZES): functools.partial(_is_known, owner)
        # The one module imports the function from the other.
        for owner in (_dynamo_utils, _dynamo_builder)
    }
)


class _Hooks(Change):
    """Has dynamo install the hooks of transformers that collect the states of a model, which parts of models ask for in
    their first call, while it traces: it does not enter the lock around that."""

    _mark = "_dynamo_marked_constant"

    def __init__(self) -> None:
        super().__init__()
        self._marked: Any = None

    def make(self) -> None:
        capturing = sys.modules.get("transformers.utils.output_capturing")
        install = getattr(capturing, "maybe_install_capturing_hooks", None)
        if install is not None and not hasattr(install, self._mark):
            setattr(install, self._mark, True)
            self._marked = install

    def take_back(self) -> None:
        if self._marked is not None:
            delattr(self._marked, self._mark)
            self._marked = None


_hooks = _Hooks()


class _State(threading.local):
    """What a thread is in."""

    #: How many calls of compiled modules.
    calls = 0

    def __init__(self) -> None:
        #: The settings of the compilation that is under way.
        self.settings = contextlib.ExitStack()


_state = _State()


def _begin(args: object) -> None:
    # A setting costs more than a call, so that only what is compiled has it.
    if _state.calls:
        _state.settings.enter_context(open_extents())
        # Equal extents of the example are not one.
        _state.settings.enter_context(_config.patch(use_duck_shape=False))
        _state.settings.enter_context(_numbers.used())
        _state.settings.enter_context(_hooks.used())
        _state.settings.enter_context(_dynamo_config.patch(allow_rnn=True))


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


def _tensors_in(value: Any) -> Iterator[torch.Tensor]:
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, (list, tuple, dict)):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _tensors_in(item)


def _fix_ones(module: torch.nn.Module) -> None:
    """Has dynamo fix extents of 1 of tensors that are plain attributes of a module, such as tables of positions. It
    leaves such extents open, and where a table is added to an input of one row, it takes both for equal. Extents of
    parameters and buffers are never open."""
    for part in module.modules():
        for tensor in _tensors_in(own_attributes(part)):
            for axis, extent in enumerate(tensor.shape):
                if extent == 1:
                    torch._dynamo.mark_static(tensor, axis)


def compile_once(module: Callable[..., Any], backend: Any, options: dict[str, Any]) -> Callable[..., Any]:
    """Compiles a module, as broadloom.torch.compile says."""
    if isinstance(module, torch.nn.Module):
        _fix_ones(module)
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
    with changes_told(), open_extents():
        try:
            return torch.export.export(module, tuple(args), dict(kwargs) if kwargs else None, **more)
        except GuardOnDataDependentSymNode as error:
            raise _explain_choice(error) from error


def _explain_choice(error: GuardOnDataDependentSymNode) -> CompileError:
    """Explains that Python has asked for what no export knows, by the line that asks."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if not f.filename.startswith("<")]
    own = [f for f in frames if not _fx.is_library(f.filename)]
    # Modules of PyTorch ask, too; what is behind them traces.
    modules = [f for f in frames if _MODULES in f.filename]
    frame = next(reversed(own or modules or frames), None)
    location = f"{frame.filename}:{frame.lineno}" if frame else None
    line = f"the line '{frame.line}'" if frame and frame.line else "a line"
    made = CompileError(
        f"{f'{location}: ' if location else ''}torch.export: {line} asks for {error.cond}, which data "
        "decide, so that no export holds for all calls: compute both results and choose by torch.where, write the "
        "choice as torch.cond, or give the module to broadloom.torch.compile, where Python chooses"
    )
    made.location = location
    return made
