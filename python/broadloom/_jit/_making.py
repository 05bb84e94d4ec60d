"""NumPy's functions that make arrays, of extents as np.arange(x.shape[0]), and with like=, as np.arange(3, like=x)."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from .. import _program as program
from . import _namespace, _trace
from ._array import TracedArray
from ._extent import number_of
from ._functions import cast, find_trace, from_extent, implements, spell_shape
from ._ufuncs import size_of, to_array

# NumPy takes like= away before it calls these; _hooks.py calls them for extents. Results are the same in any order
# in memory.


@implements("array")
def array(
    object: Any, dtype: Any = None, *, copy: Any = True, order: Any = "K", subok: Any = False, ndmin: Any = 0
) -> Any:
    made = _namespace.asarray(object, dtype=dtype, copy=copy)
    return np.expand_dims(made, tuple(range(operator.index(ndmin) - made.ndim))) if ndmin > made.ndim else made


@implements("asarray", "asanyarray")
def asarray(a: Any, dtype: Any = None, order: Any = None, *, device: Any = None, copy: Any = None) -> Any:
    return _namespace.asarray(a, dtype=dtype, copy=copy)


@implements("zeros")
def zeros(shape: Any, dtype: Any = None, order: Any = "C", *, device: Any = None) -> Any:
    return _namespace.zeros(shape, dtype=dtype)


@implements("empty")
def empty(shape: Any, dtype: Any = None, order: Any = "C", *, device: Any = None) -> Any:
    return _namespace.zeros(shape, dtype=dtype)


@implements("ones")
def ones(shape: Any, dtype: Any = None, order: Any = "C", *, device: Any = None) -> Any:
    return _namespace.ones(shape, dtype=dtype)


@implements("full")
def full(shape: Any, fill_value: Any, dtype: Any = None, order: Any = "C", *, device: Any = None) -> Any:
    if isinstance(fill_value, (list, tuple, np.ndarray, TracedArray)):
        trace = _trace.current()
        filled = to_array(trace, fill_value)
        filled = filled if dtype is None else cast(filled, dtype)
        return TracedArray(trace, program.broadcast_to(filled._value, spell_shape(shape)))
    return _namespace.full(shape, fill_value, dtype=dtype)


@implements("arange")
def arange(start: Any, stop: Any = None, step: Any = 1, dtype: Any = None, *, device: Any = None) -> Any:
    start, stop = (0, start) if stop is None else (start, stop)
    if all(isinstance(n, (int, float, np.integer, np.floating)) for n in (start, stop, step)):
        # Nothing is left for a call.
        return to_array(_trace.current(), np.arange(start, stop, step, dtype=dtype))
    is_float = isinstance(step, (float, np.floating))
    return _namespace.arange(start, stop, step if is_float else operator.index(step), dtype=dtype)


@implements("identity")
def identity(n: Any, dtype: Any = None) -> Any:
    return eye(n, dtype=dtype)


@implements("eye")
def eye(N: Any, M: Any = None, k: Any = 0, dtype: Any = None, order: Any = "C", *, device: Any = None) -> Any:
    return _compare_places(N, M, k, dtype, program.equal)


@implements("tri")
def tri(N: Any, M: Any = None, k: Any = 0, dtype: Any = None) -> Any:
    return _compare_places(N, M, k, dtype, program.less_equal)


@implements("linspace")
def linspace(
    start: Any,
    stop: Any,
    num: Any = 50,
    endpoint: Any = True,
    retstep: Any = False,
    dtype: Any = None,
    axis: Any = 0,
    *,
    device: Any = None,
) -> Any:
    trace = find_trace((start, stop, num))
    builder = _trace.enter(trace)
    count = size_of(num)
    if count is None:
        raise TypeError(f"{_trace.spell_location()}num of np.linspace is {num!r}; it must be an integer or an extent")
    program.require(builder, "sge", count, 0, "Number of samples, {0}, must be non-negative.")
    start, stop = to_array(trace, start), to_array(trace, stop)
    exact = np.result_type(start.dtype, stop.dtype, 0.0)
    start, stop = cast(start, exact), cast(stop, exact)
    apart = np.subtract(stop, start)
    steps = count - 1 if endpoint else count
    step = np.divide(apart, from_extent(trace, steps).astype(exact))
    line = program.iota(builder, count, "i64", 0, 1 + apart.ndim)
    at = cast(TracedArray(trace, line), exact)
    # As NumPy rounds it; where all steps are one, the array is at its start.
    found: Any = np.where(np.any(step == 0), at / from_extent(trace, steps).astype(exact) * apart, at * step)
    has_steps = from_extent(trace, program.largest(steps, 0)) > 0
    found = np.where(has_steps, found, at * apart) + start
    if endpoint:
        is_last = np.logical_and(TracedArray(trace, program.equal(line, steps)), has_steps)
        found = np.where(is_last, stop, found)
    if dtype is not None and np.issubdtype(dtype, np.integer):
        found = np.floor(found)
    found = np.moveaxis(found, 0, axis)
    found = found if dtype is None else cast(found, np.dtype(dtype))
    return (found, np.where(has_steps, step, exact.type(np.nan))) if retstep else found


def _compare_places(rows: Any, columns: Any, k: Any, dtype: Any, operation: Any) -> TracedArray:
    """Returns a matrix of whether a column, less its row, is as `operation` says to k."""
    trace = _trace.current()
    builder = _trace.enter(trace)
    height, width = spell_shape((rows, rows if columns is None else columns))
    apart = program.subtract(program.iota(builder, width, "i64", 1, 2), program.iota(builder, height, "i64", 0, 2))
    offset = number_of(k)
    if offset is None:
        raise TypeError(f"{_trace.spell_location()}k of a matrix is an integer or an extent")
    return cast(TracedArray(trace, operation(apart, offset)), dtype or np.float64)
