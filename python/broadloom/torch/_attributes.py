"""Attributes of modules, such as counters, and lists and dictionaries among the arguments that Python changes while
torch.export traces. An export has their values of that one call, and torch.export says nothing of it."""

from __future__ import annotations

import contextlib
import enum
import inspect
import reprlib
import threading
import warnings
from collections import deque
from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from torch.export import _trace
from torch.utils._pytree import tree_flatten, tree_leaves

from .._errors import CompileWarning
from ._fx import NUMBERS
from ._stand_ins import StandIns

_WATCH = "_detect_attribute_assignment"
#: What modules of PyTorch have of their own.
_OWN = frozenset(vars(torch.nn.Module()))
#: What is compared as it is.
_PLAIN = (*NUMBERS, complex, str, bytes, np.bool_, np.number, np.datetime64, enum.Enum, torch.dtype, torch.device)
#: The most elements of an array that is compared.
_MOST = 4096
_ABSENT = object()


class _Other:
    def __repr__(self) -> str:
        return "..."


#: Stands for what is none of these, nor a list of them. PyTorch itself warns of tensors.
_OTHER = _Other()


class _Noted(threading.local):
    """What the export of a thread has changed so far."""

    def __init__(self) -> None:
        self.changes: list[str] = []
        #: Arguments that are trees of tensors, such as lists.
        self.arguments: list[str] = []


_noted = _Noted()


def _freeze(value: Any) -> Any:
    """Copies numbers, texts and the like, and lists, arrays, sets and dictionaries of them."""
    if value is None or isinstance(value, _PLAIN):
        return value
    if isinstance(value, np.ndarray) and value.size <= _MOST:
        return _freeze(value.tolist())
    if isinstance(value, (list, tuple, deque)):
        return [_freeze(item) for item in value]
    if isinstance(value, dict):
        return {key: _freeze(item) for key, item in value.items()}
    return set(value) if isinstance(value, (set, frozenset)) else _OTHER


def _same(x: Any, y: Any) -> bool:
    """Tells whether a frozen value is still what it was, as far as its parts can be compared. Extents that an export
    leaves open are one, if they have one formula: to compare them would fix them."""
    if y is _OTHER:
        return True
    if isinstance(x, dict) and isinstance(y, dict):
        return x.keys() == y.keys() and all(_same(x[key], y[key]) for key in x)
    if isinstance(x, list) and isinstance(y, list):
        return len(x) == len(y) and all(map(_same, x, y))
    symbols = [isinstance(v, (torch.SymInt, torch.SymFloat, torch.SymBool)) for v in (x, y)]
    if any(symbols):
        return all(symbols) and x.node.expr == y.node.expr
    return x is y or (type(x) is type(y) and bool(x == y)) or (x != x and y != y)


def own_attributes(module: torch.nn.Module) -> dict[str, Any]:
    """Returns the attributes that a module has beside its parameters, buffers and modules, and what PyTorch notes."""
    return {name: value for name, value in vars(module).items() if name not in _OWN}


def _attributes(module: torch.nn.Module) -> dict[str, Any]:
    return {name: _freeze(value) for name, value in own_attributes(module).items()}


def _compare(path: str, module: torch.nn.Module, before: dict[str, Any]) -> Iterator[str]:
    after = _attributes(module)
    owner = f"module '{path}' ({type(module).__name__})" if path else f"the module ({type(module).__name__})"
    for name in {**before, **after}:
        old, new = before.get(name, _ABSENT), after.get(name, _ABSENT)
        if new is _ABSENT:
            yield f"{owner} removes its attribute '{name}'"
        elif not _same(old, new):
            values = "" if old is _ABSENT or old is _OTHER else f" from {reprlib.repr(old)} to {reprlib.repr(new)}"
            yield f"{owner} changes its attribute '{name}'{values}"


def _is_left(x: Any, y: Any) -> bool:
    """Tells whether a leaf of an argument is what it was: the same object, or an equal number or text."""
    return x is y or (isinstance(x, _PLAIN) and isinstance(y, _PLAIN) and _same(x, y))


def _is_in(value: Any, result: Any) -> bool:
    """Tells whether a result is `value`, or has this object in it."""
    return any(part is value for part in tree_leaves(result, is_leaf=lambda part: part is value))


@contextlib.contextmanager
def _watch_arguments(root: torch.nn.Module) -> Iterator[None]:
    """Notes the arguments of a module that are other trees when it has been called: what it puts into a list, and takes
    out of a dictionary. What it writes to a tensor is part of the export, and so is an argument that it returns."""
    kinds = inspect.signature(root.forward).parameters.values()
    names = [p.name for p in kinds if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    more = next((p.name for p in kinds if p.kind == p.VAR_POSITIONAL), "argument")
    entered: list[dict[str, Any]] = []

    def enter(_: Any, args: Any, kwargs: Any) -> None:
        labels = [*names, *(f"{more}[{number}]" for number in range(len(args) - len(names)))]
        given = {**dict(zip(labels, args)), **kwargs}
        entered.append({name: (value, tree_flatten(value)) for name, value in given.items()})

    def leave(_: Any, args: Any, kwargs: Any, result: Any) -> None:
        for name, (value, (leaves, tree)) in entered.pop().items():
            found, now = tree_flatten(value)
            changes = now != tree or not all(map(_is_left, found, leaves))
            if changes and not _is_in(value, result):
                _noted.arguments.append(f"the module ({type(root).__name__}) changes its argument '{name}'")

    hooks = [
        root.register_forward_pre_hook(enter, with_kwargs=True),
        root.register_forward_hook(leave, with_kwargs=True),
    ]
    try:
        yield
    finally:
        for hook in hooks:
            hook.remove()


@contextlib.contextmanager
def _watch(root: torch.nn.Module) -> Iterator[None]:
    """Notes what changes while a module is traced, before PyTorch puts it back. PyTorch leaves attributes that are new:
    a module may have installed hooks, and an attribute that says so."""
    before = {path: (module, _attributes(module)) for path, module in root.named_modules()}
    with _stand_ins.call_other(_trace, _WATCH, root), _watch_arguments(root):
        yield
        for path, (module, attributes) in before.items():
            _noted.changes += _compare(path, module, attributes)


_stand_ins = StandIns({(_trace, _WATCH): _watch})


@contextlib.contextmanager
def changes_told() -> Iterator[None]:
    """Warns of each attribute and each argument that what is exported in the body has changed."""
    _noted.changes, _noted.arguments = [], []
    with _stand_ins.used():
        yield
    told = [
        f"{change} while it is traced; calls of the program neither read nor change it, and compute "
        "with what it was in the export: make it a tensor that is a buffer (register_buffer), or give it as an "
        "argument; with broadloom.torch.compile Python changes it, but each call that finds another value compiles "
        "again, up to torch._dynamo.config.recompile_limit times, and calls behind these run in eager mode"
        for change in _noted.changes
    ]
    told += [
        f"{change} while it is traced; calls of the program leave theirs as they are: return what it puts there; with "
        "broadloom.torch.compile Python changes them"
        for change in _noted.arguments
    ]
    for text in dict.fromkeys(told):
        # The line is that of whoever calls broadloom.torch.export: contextlib has a frame too.
        warnings.warn(f"torch.export: {text}", CompileWarning, stacklevel=5)
