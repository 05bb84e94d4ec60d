"""Makes NumPy ask all arguments of its functions while something is traced, and not some of them.

NumPy's protocol asks the arrays among some arguments of a function. np.take(table, i) asks the table and not the
indices, np.arange(n) asks an extent for its number, and `table[i]` asks the index alone, for its values. So, while
something is traced, these ask more. For other threads, and for calls without what is traced, nothing changes.
"""

from __future__ import annotations

import contextlib
import functools
import threading
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from . import _trace
from ._array import TracedArray
from ._extent import TracedExtent
from ._functions import NAMED, NUMPY
from ._lists import take_lists
from ._ufuncs import has_traced, to_array

_lock = threading.Lock()
#: How many traces there are now, in all threads.
_traces = 0


@contextlib.contextmanager
def numpy_asks() -> Iterator[None]:
    """Makes NumPy ask all arguments, in the threads that trace."""
    _count(1)
    try:
        yield
    finally:
        _count(-1)


def _count(change: int) -> None:
    global _traces
    with _lock:
        was_tracing = _traces > 0
        _traces += change
        is_tracing = _traces > 0
        if is_tracing == was_tracing:
            return
        take_lists(is_tracing)
        for name, (of_numpy, of_trace) in _MAKERS.items():
            setattr(np, name, of_trace if is_tracing else of_numpy)
        for dispatcher, original in _DISPATCHERS.items():
            _ask_all(dispatcher, original, is_tracing)
        _core._watch_subscripts((TracedArray, TracedExtent), _take_items if is_tracing else None)


def _take_items(table: NDArray[Any], key: Any) -> Any:
    """Computes table[key] of an array of NumPy's, for a key that has arrays or extents of a trace."""
    return to_array(_trace.current(), table)[key]


# Functions that make arrays. These are written in C, or ask what like= gives alone.


def _take_traced(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Wraps a function of NumPy's, which then takes traced arguments too."""

    @functools.wraps(function)
    def make(*arguments: Any, **keywords: Any) -> Any:
        if _trace.is_tracing() and has_traced([*arguments, *keywords.values()]):
            keywords.pop("like", None)
            return NAMED[name](*arguments, **keywords)
        return function(*arguments, **keywords)

    return make


#: NumPy's functions, and those that stand in their place.
_MAKERS = {
    name: (getattr(np, name), _take_traced(name, getattr(np, name)))
    for name in (
        "arange", "array", "asanyarray", "asarray", "empty", "eye", "full", "identity", "ones", "tri", "zeros",
    )
}  # fmt: skip
# What like= asks is told the function that has the name.
NUMPY.update({of_trace: NAMED[name] for name, (_, of_trace) in _MAKERS.items()})


# Functions that have a dispatcher, a function of Python's that says which arguments are asked.


def _find_dispatchers() -> dict[FunctionType, FunctionType]:
    """Returns the dispatchers of the functions that can be traced, and copies of them as NumPy has them."""
    found = {}
    for function in NUMPY:
        implementation = getattr(function, "_implementation", None)
        name = f"_{getattr(function, '__name__', '')}_dispatcher"
        dispatcher = getattr(implementation, "__globals__", {}).get(name)
        if isinstance(dispatcher, FunctionType) and dispatcher.__closure__ is None:
            copy = FunctionType(dispatcher.__code__, dispatcher.__globals__, name, dispatcher.__defaults__)
            copy.__kwdefaults__ = dispatcher.__kwdefaults__
            found[dispatcher] = copy
    return found


def _ask(*arguments: Any, _of_numpy: Any, **keywords: Any) -> Any:
    """Returns the arguments that NumPy asks, and all others, and what is in tuples behind the first, such as shapes. As
    a dispatcher it has the names of another module: only those of Python itself are used."""
    given = [*arguments, *keywords.values()]
    inner = [leaf for one in given[1:] if type(one) is tuple for leaf in one if hasattr(leaf, "__array_function__")]
    return [*_of_numpy(*arguments, **keywords), *given, *inner]


def _ask_all(dispatcher: FunctionType, original: FunctionType, are_asked: bool) -> None:
    """Has a dispatcher give all arguments, or those that it has always given. Other threads may call it meanwhile: the
    defaults of one code are none of the other's."""
    if are_asked:
        dispatcher.__kwdefaults__ = {**(original.__kwdefaults__ or {}), "_of_numpy": original}
        dispatcher.__code__ = _ask.__code__
    else:
        dispatcher.__code__ = original.__code__
        dispatcher.__kwdefaults__ = original.__kwdefaults__


_DISPATCHERS = _find_dispatchers()
