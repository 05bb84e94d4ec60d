"""Results of a function under `bl.jit`: those that the program computes, and those that each call has."""

from __future__ import annotations

import dataclasses
import re
import types
from collections import deque
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from . import _trace, _trees
from ._array import TracedArray
from ._extent import TracedExtent
from ._int64 import TracedInt64
from ._trace import Trace
from ._ufuncs import to_array

#: How arrays and extents of a trace are printed.
_PRINTED = re.compile(r"<an? (array|extent|comparison of \w+) under bl\.jit\b")


class _Constant(NamedTuple):
    """A result that is the same in every call."""

    value: Any


class _Number(NamedTuple):
    """A result that is a number of Python's."""

    index: int  # type: ignore[assignment]


def leave(trace: Trace, values: list[Any], leaf: Any) -> Any:
    """Returns the entry that stands for a leaf of the results."""
    if isinstance(leaf, (TracedArray, TracedExtent)):
        _trace.require_of(trace, leaf)
    if isinstance(leaf, np.ndarray) and leaf.dtype == object:
        # NumPy's functions of lists with extents may give one.
        leaf = to_array(trace, leaf)
    is_number = isinstance(leaf, TracedExtent) and not isinstance(leaf, TracedInt64)
    if isinstance(leaf, TracedExtent):
        leaf = leaf._as_array()
    if isinstance(leaf, TracedArray):
        values.append(leaf._value)
        return _Number(len(values) - 1) if is_number or leaf._weak else len(values) - 1
    if isinstance(leaf, str) and _PRINTED.search(leaf):
        raise _trace.refuse(
            "a text of what has no value yet, as a result,", "return the array, and make the text of the result"
        )
    if holds_traced(leaf):
        raise TypeError(
            f"the function returns a {type(leaf).__name__} with arrays of the trace; results are arrays, numbers, "
            "texts, None, and tuples, lists and dictionaries of them"
        )
    return _Constant(leaf)


def holds_traced(value: Any, deepest: int = 3) -> bool:
    """Tells whether an object that is the same in each call would have arrays or extents of the trace, or make them
    later."""
    if isinstance(value, (TracedArray, TracedExtent)):
        return True
    if (
        isinstance(value, (str, bytes, np.ndarray, np.generic, type, types.FunctionType, types.ModuleType))
        or not deepest
    ):
        return False
    if isinstance(value, Iterator):
        return True
    inner: list[Any] = [*vars(value).values()] if hasattr(value, "__dict__") else []
    if isinstance(value, Mapping):
        inner += value.values()
    elif isinstance(value, (tuple, list, set, frozenset, deque)):
        inner += value
    elif dataclasses.is_dataclass(value):
        inner += (getattr(value, field.name, None) for field in dataclasses.fields(value))
    return any(holds_traced(part, deepest - 1) for part in inner)


def finish(results: Any, given: Any) -> Any:
    """Returns the results of a call as the function returns them, of what the program gives."""

    def leaf(made: Any) -> Any:
        if isinstance(made, _Constant):
            return made.value.copy() if isinstance(made.value, np.ndarray) else made.value
        return given[made.index].item() if isinstance(made, _Number) else given[made]

    return _trees.build(results, leaf)
