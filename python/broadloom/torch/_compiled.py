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
from torch._prims_common import is_contiguous_or_false
from torch._subclasses import fake_impls
from torch.fx.experimental import _config
from torch.fx.experimental.symbolic_shapes import statically_known_true

from ._open_lengths import open_lengths
from ._open_symbols import open_symbols
from ._quick_shapes import quick_shapes
from ._stand_ins import StandIns
from ._view_strides import split_axes

#: What dynamo is told while it traces: an extent of 0 or 1 is as open as others, and equal extents are not one.
_SETTINGS = {"backed_size_oblivious": True, "use_duck_shape": False}

_ORDER = "compute_elementwise_output_logical_to_physical_perm"


def _broadcast(x: Sequence[Any], y: Sequence[Any]) -> tuple[Any, ...]:
    """Computes the shape of an element-wise operation. What PyTorch has for two operands does not see that an open
    extent is 1 in the example; this is what it has for more of them."""
    return tuple(torch._refs._broadcast_shapes(x, y))


def _suggest_layout(x: torch.Tensor) -> torch.memory_format:
    """Answers that results are row-major, unless channels are innermost whatever the extents are. Which axis is
    innermost may depend on extents of 1."""
    if x.dim() in (4, 5) and not is_contiguous_or_false(x):
        count: Any = 1
        for axis in (1, *reversed(range(2, x.dim())), 0):
            if not statically_known_true(x.stride(axis) == count):
                return torch.contiguous_format
            count = count * x.shape[axis]
        return torch.channels_last if x.dim() == 4 else torch.channels_last_3d
    return torch.contiguous_format


def _order_axes(*tensors: Any, **kwargs: Any) -> tuple[list[int], bool]:
    """Orders the axes of an element-wise result from the outermost to the innermost: as they are where one is empty in
    the example, which PyTorch divides by."""
    try:
        found: tuple[list[int], bool] = _stand_ins.call_other(torch._prims_common, _ORDER, *tensors, **kwargs)
    except ZeroDivisionError:
        return list(range(max(x.dim() for x in tensors if isinstance(x, torch.Tensor)))), False
    return found


def _compute_stride(
    shape: Sequence[Any], strides: Sequence[Any], wanted: Sequence[Any], size_oblivious: bool = False
) -> list[Any] | None:
    """Computes the strides of a view; None if there is none. Where open extents do not tell them, PyTorch asks by those
    of the example, and first whether each is 1."""
    found = None if size_oblivious else split_axes(shape, strides, wanted)
    if found is None:
        found = _stand_ins.call_other(fake_impls, "_compute_stride", shape, strides, wanted, size_oblivious)
    return found


#: What functions of PyTorch are in a thread that compiles. It chooses kernels of convolutions and layouts of results by
#: whether there is one image; programs have kernels and layouts of their own.
_stand_ins = StandIns(
    {
        (torch._C, "_select_conv_backend"): lambda *args, **kwargs: None,
        (torch._C, "_conv_determine_backend_memory_format"): lambda *args, **kwargs: torch.contiguous_format,
        (torch._prims_common, "suggest_memory_format"): _suggest_layout,
        (torch._meta_registrations, "suggest_memory_format"): _suggest_layout,
        (torch._prims_common, _ORDER): _order_axes,
        (fake_impls, "infer_size"): _broadcast,
        (fake_impls, "_compute_stride"): _compute_stride,
    }
)


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
        _state.settings.enter_context(_config.patch(_SETTINGS))
        _state.settings.enter_context(_stand_ins.used())
        _state.settings.enter_context(open_symbols())
        _state.settings.enter_context(_dynamo_config.patch(allow_rnn=True))
        _state.settings.enter_context(open_lengths())
        _state.settings.enter_context(quick_shapes())


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
    with (
        _config.patch(backed_size_oblivious=True),
        _stand_ins.used(),
        open_symbols(),
        open_lengths(),
        quick_shapes(),
    ):
        return torch.export.export(module, tuple(args), dict(kwargs) if kwargs else None, **more)
