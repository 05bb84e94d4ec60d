"""The elements that a condition selects, which functions of np.piecewise take.

How many these are is known from values alone. Such a function is given all elements in their place: it makes
the same of those that are selected where each element of its result depends on the one in its place alone.
What does not is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from . import _trace
from ._array import TracedArray

#: Functions of NumPy's, besides the universal ones, each element of whose result depends on one of each argument.
_ELEMENTWISE = frozenset(
    "astype clip copy empty_like fix full_like imag isclose iscomplex isneginf isposinf isreal nan_to_num ones_like "
    "piecewise real round select sinc where zeros_like".split()
)
#: Functions of which that holds for one argument, which stands there; the others are whole arrays.
_IN_ONE = {"digitize": 0, "interp": 0, "isin": 0, "polyval": 1, "searchsorted": 1}


def _refuse(what: str) -> Any:
    return _trace.refuse(
        f"{what} of the elements that a condition of np.piecewise selects",
        "how many these are is known from values alone; compute it outside, or use np.where",
    )


def _refused(name: str) -> property:
    def read(_: Any) -> NoReturn:
        raise _refuse(name)

    return property(read, doc="Cannot be traced.")


class SelectedArray(TracedArray):
    """All elements of an array, of which a function of np.piecewise sees some."""

    __slots__ = ()
    shape, size, nbytes = _refused("shape"), _refused("size"), _refused("nbytes")
    T, mT = _refused("T"), _refused("mT")

    @property
    def ndim(self) -> int:
        """1: what an index of bool picks has one axis."""
        return 1

    def __array_ufunc__(self, ufunc: np.ufunc, method: Any, *inputs: Any, **keywords: Any) -> Any:
        if method != "__call__":
            raise _refuse(f"'{ufunc.__name__}.{method}'")
        return super().__array_ufunc__(ufunc, method, *inputs, **keywords)

    def __getitem__(self, key: Any) -> NoReturn:
        raise _refuse("a part")

    def __iter__(self) -> NoReturn:
        raise _refuse("a loop")

    def __len__(self) -> NoReturn:
        raise _refuse("len()")

    def _is_number(self) -> bool:
        return False


def has_selected(value: Any) -> bool:
    """Tells whether an argument is such an array, or has one in it."""
    if isinstance(value, (list, tuple)):
        return any(map(has_selected, value))
    return isinstance(value, SelectedArray)


def _open(name: str, value: Any, is_free: bool) -> Any:
    """Returns an argument with arrays in place of such ones. Unless it `is_free`, others have no axes."""
    if type(value) in (list, tuple):
        return type(value)(_open(name, v, is_free) for v in value)
    if isinstance(value, SelectedArray):
        return TracedArray(value._trace, value._value, weak=value._weak)
    if not is_free and getattr(value, "ndim", None):
        raise _refuse(f"'{name}' of an array of {value.ndim} axes and")
    return value


def _close(result: Any) -> Any:
    if isinstance(result, tuple):
        return tuple(map(_close, result))
    return SelectedArray(result._trace, result._value) if isinstance(result, TracedArray) else result


def call(name: str, function: Callable[..., Any], arguments: Any, keywords: Any) -> Any:
    """Calls function(*arguments, **keywords), a function of NumPy's of which an argument is such an array."""
    if name in _IN_ONE:
        one = _IN_ONE[name]
        if has_selected([v for at, v in enumerate(arguments) if at != one]) or has_selected(list(keywords.values())):
            raise _refuse(f"'{name}'")
    elif name not in _ELEMENTWISE:
        raise _refuse(f"'{name}'")
    opened = [_open(name, value, name in _IN_ONE) for value in arguments]
    return _close(function(*opened, **{key: _open(name, v, name in _IN_ONE) for key, v in keywords.items()}))


def apply(ufunc: np.ufunc, inputs: Any, function: Callable[..., Any]) -> Any:
    """Calls `function` with the operands of a universal function, of which one is such an array."""
    if ufunc.signature is not None or any(isinstance(value, (list, tuple)) for value in inputs):
        raise _refuse(f"'{ufunc.__name__}'")
    return _close(function([_open(ufunc.__name__, value, False) for value in inputs]))


def call_with(function: Callable[..., Any], array: TracedArray, arguments: Any, keywords: Any) -> Any:
    """Calls a function of np.piecewise with an array, with all elements in their place, or one for all."""
    trace = array._trace
    selected = SelectedArray(trace, array._value)
    # What NumPy's functions give in it is the user's, not np.piecewise's.
    is_part, trace.is_in_function = trace.is_in_function, False
    try:
        made = function(selected, *arguments, **keywords)
    finally:
        trace.is_in_function = is_part
    if isinstance(made, SelectedArray):
        return TracedArray(made._trace, made._value)
    if isinstance(made, (list, tuple)) or getattr(made, "ndim", None):
        raise _trace.refuse(
            "a function of np.piecewise whose result is not computed of its argument, element by element,",
            "how many elements it would need is known from values alone; use np.where",
        )
    return made
