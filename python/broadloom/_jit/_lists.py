"""NumPy's reductions of lists and tuples with extents, as np.prod([x.shape[a] for a in axes]).

NumPy's protocols ask what a list holds nothing: it becomes an array of objects, whose product is what Python's `*`
gives, and one extent in it is multiplied with nothing. So the function of NumPy's that is behind np.prod, np.sum,
np.max and np.min is the one below while something is traced. It leaves other threads, and other lists, to NumPy's.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from . import _trace
from ._extent import TracedExtent, combine, is_truth, to_int64

#: NumPy's module with the function, and the function; NumPy 1, which bl.jit does not take, has another one.
_numpy: Any = sys.modules.get("numpy._core.fromnumeric")
_reduce_of_numpy: Callable[..., Any] | None = getattr(_numpy, "_wrapreduction", None)
#: Those behind np.mean, np.var and np.std.
_moments_of_numpy: dict[str, Callable[..., Any]] = {
    name: function
    for name in ("_mean", "_var", "_std")
    if (function := getattr(_numpy and _numpy._methods, name, None))
}
_NO_VALUE = np._NoValue  # type: ignore[attr-defined]
_FOLDS = (np.add, np.multiply, np.maximum, np.minimum)


def take_lists(are_taken: bool) -> None:
    """Makes NumPy's reductions take lists with extents, or undoes that."""
    if _reduce_of_numpy is not None:
        _numpy._wrapreduction = _wrapreduction if are_taken else _reduce_of_numpy
        for name, function in _moments_of_numpy.items():
            setattr(_numpy._methods, name, _moments[name] if are_taken else function)


def _take_lists(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Wraps NumPy's function behind np.mean and the like, which then takes lists with arrays of a trace too."""

    @functools.wraps(function)
    def take(a: Any, *arguments: Any, **keywords: Any) -> Any:
        if type(a) in (list, tuple) and _trace.is_tracing() and any(hasattr(leaf, "_trace") for leaf in _flatten(a)):
            names = ("axis", "dtype", "out")
            given = {**dict(zip(names, arguments)), **keywords}
            given = {key: value for key, value in given.items() if value is not None and value is not _NO_VALUE}
            return getattr(np, name)(_stack(a), **given)
        return function(a, *arguments, **keywords)

    return take


_moments = {name: _take_lists(name[1:], function) for name, function in _moments_of_numpy.items()}


def _wrapreduction(obj: Any, ufunc: np.ufunc, method: Any, axis: Any, dtype: Any, out: Any, **keywords: Any) -> Any:
    """Does as NumPy's function of this name, for lists with extents and arrays of a trace too."""
    is_list = type(obj) in (list, tuple) and ufunc in _FOLDS and _trace.is_tracing()
    if is_list and any(hasattr(leaf, "_trace") for leaf in _flatten(obj)):
        given = {"axis": axis, "dtype": dtype, "out": out, **keywords}
        given = {name: value for name, value in given.items() if value is not None and value is not _NO_VALUE}
        found = _fold(obj, ufunc, given)
        return getattr(np, method)(_stack(obj), **given) if found is NotImplemented else found
    assert _reduce_of_numpy is not None
    return _reduce_of_numpy(obj, ufunc, method, axis, dtype, out, **keywords)


def _flatten(value: Any) -> list[Any]:
    return [leaf for part in value for leaf in _flatten(part)] if type(value) in (list, tuple) else [value]


def _stack(value: Any) -> Any:
    return np.stack([_stack(part) for part in value]) if type(value) in (list, tuple) else value


def _fold(obj: Any, ufunc: np.ufunc, given: dict[Any, Any]) -> Any:
    """Returns the reduction of a list of numbers, as a number of NumPy's; NotImplemented where it has others, or
    options."""
    if not given.keys() <= {"axis"} or given.get("axis", 0) not in (0, -1, (0,)):
        return NotImplemented
    values = [_number_of(value, ufunc) for value in obj]
    if any(value is None for value in values):
        return NotImplemented
    if any(type(value) is np.float64 for value in values):
        # NumPy makes floats of all of them first.
        return functools.reduce(ufunc, [np.multiply(np.float64(1), value) for value in values])
    return functools.reduce(lambda x, y: combine(_trace.current(), ufunc, (x, y), True), values)


def _number_of(value: Any, ufunc: np.ufunc) -> Any:
    """Returns the number of 64 bits that NumPy makes of an element beside extents; None where it makes another one."""
    if type(value) is float or isinstance(value, (np.float16, np.float32, np.float64)):
        return np.float64(value)
    if isinstance(value, (bool, np.bool_)) or is_truth(value):
        # Sums of truths are numbers, and the largest truth is a truth.
        is_number = ufunc in (np.add, np.multiply)
        return to_int64(value if is_truth(value) else int(value)) if is_number else None
    if isinstance(value, (int, np.integer)) and -(2**63) <= value < 2**63 and not isinstance(value, np.uint64):
        return np.int64(value)
    return to_int64(value) if isinstance(value, TracedExtent) else None
