"""Has PyTorch leave recurrent layers whole while it traces. It writes one step behind the other otherwise, which holds
for the length of the example alone."""

from __future__ import annotations

import contextlib
import functools
import threading
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch._C import DispatchKey
from torch._decomp import decomposition_table

_LAYERS = ("lstm", "gru", "rnn_tanh", "rnn_relu")
_CELLS = ("lstm_cell", "gru_cell", "rnn_tanh_cell", "rnn_relu_cell")
_KEYS = (DispatchKey.CompositeImplicitAutograd, DispatchKey.Autograd)

# The same names in torch.ops.broadloom: layers and cells as one operation each, which PyTorch makes nothing of.
_library = torch.library.Library("broadloom", "FRAGMENT")


def _describe_layer(
    x: torch.Tensor,
    hx: Any,
    params: Any,
    has_biases: bool,
    num_layers: int,
    dropout: float,
    train: bool,
    bidirectional: bool,
    batch_first: bool,
) -> tuple[torch.Tensor, ...]:
    """Returns tensors of the shapes and the types that a layer gives."""
    states = hx if isinstance(hx, (list, tuple)) else [hx]
    rows = x.new_empty((*x.shape[:-1], states[0].shape[-1] * (2 if bidirectional else 1)))
    return (rows, *(state.new_empty(state.shape) for state in states))


def _describe_cell(x: torch.Tensor, hx: Any, *weights: Any) -> Any:
    """Returns tensors of the shapes and the types that a cell gives."""
    if isinstance(hx, (list, tuple)):
        return tuple(state.new_empty(state.shape) for state in hx)
    return hx.new_empty(hx.shape)


def _computing(name: str) -> Callable[..., Any]:
    def compute(*args: Any) -> Any:
        found = getattr(torch._VF, name)(*args)
        # Results of an operation share no memory.
        return tuple(t.clone() for t in found) if isinstance(found, tuple) else found.clone()

    return compute


def _operation(name: str) -> Any:
    """Returns the operation of ATen."""
    packet = getattr(torch.ops.aten, name)
    return packet.default if name in _CELLS else packet.input


def _define(name: str) -> None:
    _library.define(str(_operation(name)._schema).replace(f"aten::{name}.input", name).replace(f"aten::{name}", name))
    _library.impl(name, _computing(name), "CPU")
    describe = _describe_cell if name in _CELLS else _describe_layer
    torch.library.register_fake(f"broadloom::{name}", describe, lib=_library)


for _name in (*_LAYERS, *_CELLS):
    _define(_name)


class _Tracing:
    """The threads that trace with layers left whole, and what PyTorch makes of layers for all others."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.threads: list[int] = []
        self.kernels: dict[Any, dict[Any, Any]] = {}
        self.rules: dict[Any, Any] = {}

    def begin(self) -> None:
        with self.lock:
            if not self.threads:
                self._change()
            self.threads.append(threading.get_ident())

    def end(self) -> None:
        with self.lock:
            self.threads.remove(threading.get_ident())
            if not self.threads:
                self._restore()

    def _change(self) -> None:
        for name in (*_LAYERS, *_CELLS):
            operation = _operation(name)
            ours = getattr(torch.ops.broadloom, name).default
            self.kernels[operation] = dict(operation.py_kernels)
            self.rules[operation] = decomposition_table.get(operation)
            choose = self._choosing(ours, self.rules[operation] or functools.partial(operation._op_dk, _KEYS[0]))
            operation.py_kernels.update(dict.fromkeys(_KEYS, choose))
            decomposition_table[operation] = choose
            operation._dispatch_cache.clear()

    def _restore(self) -> None:
        for operation, kernels in self.kernels.items():
            operation.py_kernels.clear()
            operation.py_kernels.update(kernels)
            del decomposition_table[operation]
            if (rule := self.rules[operation]) is not None:
                decomposition_table[operation] = rule
            operation._dispatch_cache.clear()

    def _choosing(self, ours: Callable[..., Any], theirs: Callable[..., Any]) -> Callable[..., Any]:
        return lambda *args: (ours if threading.get_ident() in self.threads else theirs)(*args)


_tracing = _Tracing()


@contextlib.contextmanager
def open_lengths() -> Iterator[None]:
    """Leaves recurrent layers whole in what this thread traces inside the body."""
    _tracing.begin()
    try:
        yield
    finally:
        _tracing.end()
