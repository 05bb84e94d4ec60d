"""Attributes of modules, such as counters, that Python changes while torch.export traces. An export has their values of
that one call, and torch.export puts the old ones back and says nothing of it."""

from __future__ import annotations

import contextlib
import reprlib
import threading
import warnings
from collections.abc import Iterator
from typing import Any

import torch
from torch.export import _trace

from .._errors import CompileWarning
from ._fx import NUMBERS
from ._stand_ins import StandIns

_WATCH = "_detect_attribute_assignment"
#: What modules of PyTorch have of their own.
_OWN = frozenset(vars(torch.nn.Module()))
_ABSENT = object()
#: Stands for what is neither a number, a text nor a list of such. PyTorch itself warns of tensors.
_OTHER = object()


class _Noted(threading.local):
    """What the export of a thread has changed so far."""

    def __init__(self) -> None:
        self.changes: list[str] = []


_noted = _Noted()


def _freeze(value: Any) -> Any:
    """Copies numbers, texts, and lists and dictionaries of them."""
    if value is None or isinstance(value, (*NUMBERS, complex, str, bytes, torch.dtype)):
        return value
    if isinstance(value, (list, tuple)):
        return [_freeze(item) for item in value]
    if isinstance(value, dict):
        return {key: _freeze(item) for key, item in value.items()}
    return set(value) if isinstance(value, (set, frozenset)) else _OTHER


def _same(x: Any, y: Any) -> bool:
    """Tells whether two frozen values are one. Extents that an export leaves open are, if they have one formula: to
    compare them would fix them."""
    if isinstance(x, dict) and isinstance(y, dict):
        return x.keys() == y.keys() and all(_same(x[key], y[key]) for key in x)
    if isinstance(x, list) and isinstance(y, list):
        return len(x) == len(y) and all(map(_same, x, y))
    symbols = [isinstance(v, (torch.SymInt, torch.SymFloat, torch.SymBool)) for v in (x, y)]
    if any(symbols):
        return all(symbols) and x.node.expr == y.node.expr
    return x is y or (type(x) is type(y) and bool(x == y)) or (x != x and y != y)


def _has_other(value: Any) -> bool:
    if isinstance(value, dict):
        value = list(value.values())
    return any(map(_has_other, value)) if isinstance(value, list) else value is _OTHER


def _attributes(module: torch.nn.Module) -> dict[str, Any]:
    return {name: _freeze(value) for name, value in vars(module).items() if name not in _OWN}


def _compare(path: str, module: torch.nn.Module, before: dict[str, Any]) -> Iterator[str]:
    for name, new in _attributes(module).items():
        old = before.get(name, _ABSENT)
        if _same(old, new) or _has_other(new):
            continue
        owner = f"module '{path}' ({type(module).__name__})" if path else f"the module ({type(module).__name__})"
        values = "" if old is _ABSENT or _has_other(old) else f" from {reprlib.repr(old)} to {reprlib.repr(new)}"
        yield f"{owner} changes its attribute '{name}'{values}"


@contextlib.contextmanager
def _watch(root: torch.nn.Module) -> Iterator[None]:
    """Notes what changes while a module is traced, before PyTorch puts it back. PyTorch leaves attributes that are new:
    a module may have installed hooks, and an attribute that says so."""
    before = {path: (module, _attributes(module)) for path, module in root.named_modules()}
    with _stand_ins.call_other(_trace, _WATCH, root):
        yield
        for path, (module, attributes) in before.items():
            _noted.changes += _compare(path, module, attributes)


_stand_ins = StandIns({(_trace, _WATCH): _watch})


@contextlib.contextmanager
def changes_told() -> Iterator[None]:
    """Warns of each attribute that what is exported in the body has changed."""
    _noted.changes = []
    with _stand_ins.used():
        yield
    for change in dict.fromkeys(_noted.changes):
        warnings.warn(
            f"torch.export: {change} while it is traced; calls of the program neither read nor change it, and compute "
            "with what it was in the export: make it a tensor that is a buffer (register_buffer), give it as an "
            "argument, or give the module to broadloom.torch.compile, where Python changes it",
            CompileWarning,
            # The line is that of whoever calls broadloom.torch.export: contextlib has a frame too.
            stacklevel=5,
        )
