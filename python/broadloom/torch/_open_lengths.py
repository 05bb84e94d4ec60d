"""Has PyTorch leave operations whole while it traces, where what it makes of them holds for extents of the example
alone. Of recurrent layers it writes one step behind the other. Of products and adaptive pools it asks whether there is
one matrix, and one image. What is reshaped it takes for a view where extents are 1."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable
from typing import Any

import torch
from torch._C import DispatchKey
from torch._decomp import decomposition_table

from . import _view_strides
from ._stand_ins import Change

_LAYERS = ("lstm", "gru", "rnn_tanh", "rnn_relu")
_CELLS = ("lstm_cell", "gru_cell", "rnn_tanh_cell", "rnn_relu_cell")
#: What gives memory of its own.
_FRESH = ("matmul", "linear", "adaptive_avg_pool2d", "adaptive_avg_pool3d")
_NAMES = (*_LAYERS, *_CELLS, *_FRESH)
#: What is made of an operation, or None where PyTorch has to do that.
_MADE: dict[str, Callable[..., Any]] = {"reshape": _view_strides.reshape, "flatten": _view_strides.flatten}
_KEYS = (DispatchKey.CompositeImplicitAutograd, DispatchKey.Autograd)

# The same names in torch.ops.broadloom: operations that PyTorch makes nothing of.
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


def _describe_matmul(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """Returns a tensor of the shape and the type that a product has."""
    if not x.dim() or not y.dim():
        raise RuntimeError(f"both arguments to matmul need to be at least 1D, but they are {x.dim()}D and {y.dim()}D")
    if x.dtype != y.dtype:
        raise RuntimeError(f"expected m1 and m2 to have the same dtype, but got: {x.dtype} != {y.dtype}")
    depth = y.shape[-2 if y.dim() > 1 else -1]
    torch._check(x.shape[-1] == depth, lambda: f"matmul of {tuple(x.shape)} and {tuple(y.shape)}")
    many = torch._refs._broadcast_shapes(x.shape[:-2], y.shape[:-2])
    rows = x.shape[-2:-1]
    columns = y.shape[-1:] if y.dim() > 1 else ()
    return x.new_empty((*many, *rows, *columns))


def _describe_linear(x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None = None) -> torch.Tensor:
    """Returns a tensor of the shape and the type that a linear layer gives."""
    product = _describe_matmul(x, weight.t())
    return product if bias is None else product.new_empty(torch._refs._broadcast_shapes(product.shape, bias.shape))


def _describe_pool(x: torch.Tensor, size: Any) -> torch.Tensor:
    """Returns a tensor of the shape and the type that an adaptive pool gives."""
    if x.dim() not in (len(size) + 1, len(size) + 2):
        raise RuntimeError(
            f"an adaptive pool over {len(size)} axes takes a batch of channels, but it has {x.dim()} axes"
        )
    return x.new_empty((*x.shape[: -len(size)], *size))


_DESCRIPTIONS = {
    **dict.fromkeys(_LAYERS, _describe_layer),
    **dict.fromkeys(_CELLS, _describe_cell),
    "matmul": _describe_matmul,
    "linear": _describe_linear,
    **dict.fromkeys(("adaptive_avg_pool2d", "adaptive_avg_pool3d"), _describe_pool),
}


def _computing(name: str) -> Callable[..., Any]:
    if name in _FRESH:
        return lambda *args: _operation(name)(*args)

    def compute(*args: Any) -> Any:
        found = getattr(torch._VF, name)(*args)
        # Results of an operation share no memory.
        return tuple(t.clone() for t in found) if isinstance(found, tuple) else found.clone()

    return compute


def _operation(name: str) -> Any:
    """Returns the operation of ATen."""
    packet = getattr(torch.ops.aten, name)
    if name == "flatten":
        return packet.using_ints
    return packet.input if name in _LAYERS else packet.default


def _define(name: str) -> None:
    _library.define(str(_operation(name)._schema).replace(f"aten::{name}.input", name).replace(f"aten::{name}", name))
    _library.impl(name, _computing(name), "CPU")
    torch.library.register_fake(f"broadloom::{name}", _DESCRIPTIONS[name], lib=_library)


for _name in _NAMES:
    _define(_name)


class _OpenLengths(Change):
    """Leaves operations whole in the threads that enter; all others have what PyTorch makes of these."""

    def __init__(self) -> None:
        super().__init__()
        self.kernels: dict[Any, dict[Any, Any]] = {}
        self.rules: dict[Any, Any] = {}

    def make(self) -> None:
        for name in (*_NAMES, *_MADE):
            operation = _operation(name)
            ours: Callable[..., Any] = _MADE.get(name) or getattr(torch.ops.broadloom, name).default
            kernels = dict(operation.py_kernels)
            self.kernels[operation] = kernels
            self.rules[operation] = decomposition_table.get(operation)
            whole = kernels.get(_KEYS[0]) or self.rules[operation] or functools.partial(operation._op_dk, _KEYS[0])
            for key in _KEYS:
                operation.py_kernels[key] = self._choosing(ours, kernels.get(key) or whole)
            decomposition_table[operation] = self._choosing(ours, self.rules[operation] or whole)
            operation._dispatch_cache.clear()

    def take_back(self) -> None:
        for operation, kernels in self.kernels.items():
            operation.py_kernels.clear()
            operation.py_kernels.update(kernels)
            del decomposition_table[operation]
            if (rule := self.rules[operation]) is not None:
                decomposition_table[operation] = rule
            operation._dispatch_cache.clear()

    def _choosing(self, ours: Callable[..., Any], theirs: Callable[..., Any]) -> Callable[..., Any]:
        def choose(*args: Any, **more: Any) -> Any:
            made = ours(*args, **more) if self.is_here() else None
            return theirs(*args, **more) if made is None else made

        return choose


_change = _OpenLengths()


def open_lengths() -> contextlib.AbstractContextManager[None]:
    """Leaves these operations whole in what this thread traces inside the body."""
    return _change.used()
