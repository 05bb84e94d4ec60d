"""The shapes of results of activations, of batch norms and of copies while PyTorch traces. PyTorch runs what an
operation is made of to find the shape of its result, and does so several times in each trace: with open extents, that
takes up to half a second for each operation. For a copy it also asks whether extents are 1."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import torch
from torch._C import DispatchKey
from torch._decomp import decomposition_table
from torch._subclasses import fake_impls
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode, in_kernel_invocation_manager

from ._stand_ins import Change
from ._versions import has_guarding_hint

_ACTIVATIONS = (
    "clamp", "elu", "gelu", "hardsigmoid", "hardswish", "hardtanh", "leaky_relu", "relu", "silu", "softplus",
)  # fmt: skip
_NORM = torch.ops.aten._native_batch_norm_legit_no_training.default
_COPY = torch.ops.aten.copy.default
_SQUEEZES = tuple(getattr(torch.ops.aten.squeeze, name) for name in ("default", "dim", "dims"))
#: Describes results by operands, without arithmetic.
_Rule = Callable[..., Any]


def _describe_new(x: torch.Tensor, *more: Any, **options: Any) -> torch.Tensor:
    """Returns a tensor of the shape, the type and the layout of the operand."""
    return torch.empty_like(x)


def _describe_written(x: torch.Tensor, *more: Any, **options: Any) -> torch.Tensor:
    """Returns the operand, which is written to."""
    return x


def _describe_norm(x: torch.Tensor, *more: Any, **options: Any) -> tuple[torch.Tensor, ...]:
    """Returns tensors as a batch norm gives them, which saves nothing for training."""
    return torch.empty_like(x), x.new_empty((0,)), x.new_empty((0,))


def _describe_copy(x: torch.Tensor, source: torch.Tensor, non_blocking: bool = False) -> torch.Tensor:
    """Returns a tensor of the shape, the type and the strides of the first operand, for the elements of the other."""
    torch._refs.expand(source, x.shape)
    if any(isinstance(step, int) and step == 0 for step in x.stride()):
        return torch.empty_like(x)
    return x.new_empty_strided(x.shape, x.stride())


def _find_rules() -> dict[Any, _Rule]:
    found: dict[Any, _Rule] = {_NORM: _describe_norm, _COPY: _describe_copy}
    for name in _ACTIVATIONS:
        for mark, rule in (("", _describe_new), ("_", _describe_written)):
            operation = getattr(getattr(torch.ops.aten, name + mark, None), "default", None)
            if operation is not None:
                found[operation] = rule
    return found


def _has_rule(rule: _Rule, x: torch.Tensor) -> bool:
    """Tells whether a rule is for a tensor: activations of integers have other types."""
    return rule is _describe_copy or x.is_floating_point()


def _describing_fakes(rule: _Rule, theirs: Callable[..., Any]) -> Callable[..., Any]:
    """Makes what PyTorch calls with tensors that have a device and no elements."""

    def describe(mode: FakeTensorMode, x: Any, *more: Any, **options: Any) -> Any:
        if not isinstance(x, FakeTensor) or not _has_rule(rule, x):
            with mode:
                return theirs(x, *more, **options)
        if rule is _describe_written:
            return x
        with in_kernel_invocation_manager(mode):
            made = rule(x, *more, **options)
        if isinstance(made, tuple):
            return tuple(FakeTensor(mode, part, x.device) for part in made)
        return FakeTensor(mode, made, x.device)

    return describe


def _describing_metas(rule: _Rule, theirs: Callable[..., Any]) -> Callable[..., Any]:
    """Makes what PyTorch calls with tensors without a device."""

    def describe(x: Any, *more: Any, **options: Any) -> Any:
        return rule(x, *more, **options) if _has_rule(rule, x) else theirs(x, *more, **options)

    return describe


def _asking_squeezed(operation: Any) -> Callable[..., Any]:
    """Makes what PyTorch calls to drop axes of 1. How many axes the result has is part of a program: the example tells
    it, with a guard. PyTorch keeps open axes while extents of 1 are as open as others."""

    def describe(mode: FakeTensorMode, x: Any, axes: Any = None) -> Any:
        asked = range(x.dim()) if axes is None else [axes] if isinstance(axes, int) else axes
        for axis in asked:
            if -x.dim() <= axis < x.dim() and has_guarding_hint(x.shape[axis]):
                bool(x.shape[axis] == 1)
        with in_kernel_invocation_manager(mode):
            made = operation(x) if axes is None else operation(x, axes)
        return FakeTensor(mode, made, x.device)

    return describe


_RULES = _find_rules()


class _QuickShapes(Change):
    """What is found for one thread is right for others, too."""

    def __init__(self) -> None:
        super().__init__()
        self.kernels: dict[Any, Callable[..., Any]] = {}

    def make(self) -> None:
        for operation in _SQUEEZES:
            fake_impls.get_fast_op_impls()[operation] = _asking_squeezed(operation)
        for operation, rule in _RULES.items():
            if operation in decomposition_table or operation is _COPY:
                whole = decomposition_table.get(operation, operation)
                fake_impls.get_fast_op_impls()[operation] = _describing_fakes(rule, whole)
            theirs = operation.py_kernels.get(DispatchKey.Meta)
            if theirs is not None:
                self.kernels[operation] = theirs
                operation.py_kernels[DispatchKey.Meta] = _describing_metas(rule, theirs)
                operation._dispatch_cache.clear()

    def take_back(self) -> None:
        for operation in (*_RULES, *_SQUEEZES):
            fake_impls.get_fast_op_impls().pop(operation, None)
        for operation, theirs in self.kernels.items():
            operation.py_kernels[DispatchKey.Meta] = theirs
            operation._dispatch_cache.clear()
        self.kernels.clear()


_change = _QuickShapes()


def quick_shapes() -> contextlib.AbstractContextManager[None]:
    """Finds the shapes of these results at once in what is traced inside the body."""
    return _change.used()
