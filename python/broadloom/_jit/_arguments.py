"""Arguments of a function under `bl.jit`: what of them is traced, and what is an array."""

from __future__ import annotations

import enum
import inspect
import types
from collections.abc import Callable, Hashable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._program._types import from_numpy
from . import _functions, _trace, _trees
from ._array import TracedArray
from ._extent import TracedExtent

#: Arguments that are part of what is traced.
_STATIC = (
    bool, int, str, bytes, type(None), np.dtype, type, enum.Enum, type(Ellipsis),
    types.FunctionType, types.BuiltinFunctionType, np.ufunc, type(np.sum),
)  # fmt: skip


class Array(NamedTuple):
    """A leaf that is an array, in a key."""

    dtype: np.dtype[Any]
    ndim: int
    #: Whether it is one of NumPy's numbers, which x += 1 does not change.
    is_number: bool = False


class Static(NamedTuple):
    """Any other leaf, in a key: its type and its value."""

    kind: type
    value: Any

    def restore(self) -> Any:
        """Returns the value."""
        return float.fromhex(self.value) if self.kind is float else self.value


def find_static(value: Any) -> Static | None:
    """Returns a leaf that is part of what is traced; None where it is none."""
    if isinstance(value, float) and type(value) is float:
        # Each NaN is another one, and 0.0 is equal to -0.0.
        return Static(float, value.hex())
    is_static = isinstance(value, _STATIC) or getattr(type(value), "_is_static", False)
    return Static(type(value), value) if is_static else None


def find_signature(function: Any) -> inspect.Signature:
    """Returns the arguments of a function, also of NumPy's own that do not tell them."""
    if isinstance(function, np.ufunc):
        kind = inspect.Parameter.POSITIONAL_ONLY
        names = ["x"] if function.nin == 1 else [f"x{i + 1}" for i in range(function.nin)]
        dtype = inspect.Parameter("dtype", inspect.Parameter.KEYWORD_ONLY, default=None)
        return inspect.Signature([*(inspect.Parameter(name, kind) for name in names), dtype])
    # What is written in C does not tell them; what computes it here does.
    known: Any = _functions.NUMPY.get(function) if isinstance(function, Hashable) else None  # type: ignore[call-overload]
    for one in (function, known):
        try:
            return inspect.signature(one)
        except (TypeError, ValueError):
            continue
    raise TypeError(f"bl.jit cannot tell the arguments of {function!r}; write a function that calls it")


def is_under_trace(arguments: Any, keywords: Any) -> bool:
    """Tells whether another trace calls: then this function is a part of that."""
    found = False

    def look(leaf: Any) -> None:
        nonlocal found
        found = found or isinstance(leaf, (TracedArray, TracedExtent))

    _trees.flatten([*arguments, *keywords.values()], look)
    return found


def _view_buffer(value: Any) -> memoryview | None:
    """Returns the memory of what has the buffer protocol."""
    try:
        return memoryview(value)
    except TypeError:
        return None


def name_leaves(key: Any) -> list[tuple[str, Any]]:
    """Returns the leaves of the arguments of a call, with what they are called: x, and batch['x']."""
    named: list[tuple[str, Any]] = []
    for name, structure in key:
        named += zip(_trees.spell_paths(structure, name), _trees.list_leaves(structure))
    return named


def describe_changes(keys: Any) -> str:
    """Describes the differences between the calls that have been traced."""
    found: dict[str, dict[str, None]] = {}
    for key in keys:
        for name, leaf in name_leaves(key):
            found.setdefault(name, {})[_describe(leaf)] = None
    changed = [(name, list(texts)) for name, texts in found.items() if len(texts) > 1]
    if not changed:
        return "the arguments are other trees in each"
    return "; ".join(f"{name} is {', '.join(texts[:3])}{', ...' if len(texts) > 3 else ''}" for name, texts in changed)


def _describe(leaf: Any) -> str:
    """Returns an argument as what is traced has it."""
    if isinstance(leaf, Array):
        return f"a number of {leaf.dtype}" if leaf.is_number else f"an array of {leaf.dtype} with {leaf.ndim} axes"
    text = repr(leaf.restore())
    return text if len(text) <= 40 else f"{text[:37]}..."


def as_array(function: str, spell: Callable[[], str], value: Any) -> NDArray[Any]:
    """Returns an argument, which `spell` names, as an array that a compiled function takes."""
    if isinstance(value, (np.generic, np.memmap)) or type(value) is np.ndarray:
        array = np.asarray(value)
        if array.dtype.isnative and from_numpy(array.dtype) is not None:
            return array
    name = spell()
    what = f"{function}(): argument '{name}'" if name.isidentifier() else f"{function}(): argument {name}"
    if isinstance(value, (np.generic, np.memmap)) or type(value) is np.ndarray:
        pass
    elif isinstance(value, np.ma.MaskedArray):
        raise TypeError(
            f"{what} is a MaskedArray, whose meaning differs from an array's: no array of a "
            f"program has a mask; give {name}.filled(value), or {name}.data and np.ma.getmaskarray({name})"
        )
    elif isinstance(value, np.ndarray):
        raise TypeError(
            f"{what} is a {type(value).__name__}, whose meaning differs from an array's; give np.asarray of it"
        )
    elif hasattr(value, "__dlpack__"):
        array = _core._import_dlpack(value, what)
    elif (buffer := _view_buffer(value)) is not None:
        array = np.asarray(buffer)
    else:
        raise TypeError(
            f"{what} is a {type(value).__name__}; arguments are arrays, numbers, "
            "texts, None, functions, and tuples, lists and dictionaries of them"
        )
    if array.dtype.kind in "fiub" and not array.dtype.isnative:
        raise TypeError(
            f"{what} has the type {array.dtype!r}, of the other byte order; give "
            f"{name}.astype({name}.dtype.newbyteorder('='))"
        )
    if from_numpy(array.dtype) is None:
        raise TypeError(f"{what} has elements of NumPy's type {array.dtype}; {_trace.spell_types(array.dtype)}")
    return array
