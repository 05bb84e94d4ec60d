"""NumPy's functions that put elements in order, over arrays without values."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _program as program
from . import _trace
from ._array import TracedArray
from ._functions import as_array, find_trace, from_extent, implements, is_axis_of_number, spell_axes, spell_axis
from ._ufuncs import to_array

#: What `kind` may be: each is kept, since the order of equal elements is.
_KINDS = (None, "quicksort", "mergesort", "heapsort", "stable")


def _sort(name: Any, a: Any, axis: Any, kind: Any, order: Any, descending: Any) -> Any:
    """Returns values and indices of an array; of all its elements where there is no axis."""
    if order is not None:
        raise _trace.refuse(f"np.{name} with order={order!r}", "arrays have no fields under bl.jit")
    if kind not in _KINDS:
        raise ValueError(
            f"{_trace.spell_location()}sort kind must be one of 'quick', 'heap', or 'stable' (got {kind!r})"
        )
    array: Any = as_array(a)
    if axis is None or (name == "argsort" and is_axis_of_number(axis, array.ndim)):
        array, axis = np.reshape(array, -1), 0
    value, axis = array._value, spell_axis(axis, array.ndim)
    return [TracedArray(array._trace, v) for v in program.sort(value, axis, descending=descending)]


@implements("sort")
def sort(
    a: Any, axis: Any = -1, kind: Any = None, order: Any = None, *, stable: Any = None, descending: Any = False
) -> Any:
    return _sort("sort", a, axis, kind, order, descending)[0]


@implements("argsort")
def argsort(
    a: Any, axis: Any = -1, kind: Any = None, order: Any = None, *, stable: Any = None, descending: Any = False
) -> Any:
    return _sort("argsort", a, axis, kind, order, descending)[1]


@implements("lexsort")
def lexsort(keys: Any, axis: Any = -1) -> Any:
    if isinstance(keys, TracedArray) and not isinstance(keys._value.extents[0], int):
        raise _trace.refuse("np.lexsort of an array whose number of keys a call tells", "give a tuple of keys")
    listed = list(keys)
    if not len(listed):
        raise TypeError(f"{_trace.spell_location()}need sequence of keys with len > 0 in lexsort")
    trace = find_trace(listed)
    first, *rest = (to_array(trace, key) for key in listed)
    axis = spell_axis(axis, first.ndim)
    # Equal elements stay in the order of the keys before.
    order = argsort(first, axis)
    for key in rest:
        order = np.take_along_axis(order, argsort(np.take_along_axis(key, order, axis), axis), axis)
    return order


@implements("median")
def median(a: Any, axis: Any = None, *, keepdims: Any = False) -> Any:
    array = as_array(a)
    if array.dtype.kind in "biu":
        array = array.astype(np.float64)
    if array.dtype == np.float16:
        # The mean of two is rounded once.
        return median(array.astype(np.float32), axis, keepdims=keepdims).astype(np.float16)
    axes = spell_axes(axis, array.ndim)
    value, at = program.reduced_last(array._value, axes)
    size = program.extent(value, at)
    ordered, _ = program.sort(value, at)

    def pick(index: Any) -> TracedArray:
        """Returns the element at an index; what there is of no elements."""
        index = program.largest(index, 0)
        part = program.slice_axis(ordered, at, index, index + 1)
        return TracedArray(array._trace, program.reduce("max", part, [at]))

    low, high = pick((size - 1) // 2), pick(size // 2)
    # A NaN is the last one, and what there is with it is one; so is the median of nothing.
    last = pick(size - 1)
    is_empty = from_extent(array._trace, size) == 0
    middle = np.where(np.isnan(last) | is_empty, array.dtype.type(np.nan), (low + high) / 2)
    return np.expand_dims(middle, tuple(axes)) if keepdims else middle
