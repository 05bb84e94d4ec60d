"""NumPy's functions that search, count and choose, over arrays without values."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _program as program
from . import _selected, _trace
from ._array import TracedArray, element_of
from ._counted import find_range
from ._functions import (
    as_array,
    cast,
    common_type,
    find_trace,
    from_extent,
    implements,
    spell_axes,
    spell_shape,
)
from ._ufuncs import to_array


def _right(side: Any) -> bool:
    if side not in ("left", "right"):
        raise ValueError(f"{_trace.spell_location()}search side must be 'left' or 'right' (got {side!r})")
    return bool(side == "right")


@implements("searchsorted")
def searchsorted(a: Any, v: Any, side: Any = "left", sorter: Any = None) -> TracedArray:
    trace = find_trace((a, v))
    a, v = to_array(trace, a), to_array(trace, v)
    if a.ndim != 1:
        raise ValueError(f"{_trace.spell_location()}object of too small depth for desired array")
    if sorter is not None:
        a = np.take(a, sorter)
    element = element_of(np.result_type(a.dtype, v.dtype))
    found = program.search(program.cast(a._value, element), program.cast(v._value, element), _right(side))
    return TracedArray(trace, found)


@implements("digitize")
def digitize(x: Any, bins: Any, right: Any = False) -> Any:
    trace = find_trace((x, bins))
    if not isinstance(bins, TracedArray):
        steps = np.diff(np.asarray(bins, np.float64))
        if not (np.all(steps >= 0) or np.all(steps <= 0)):
            raise ValueError(f"{_trace.spell_location()}bins must be monotonically increasing or decreasing")
    x, bins = to_array(trace, x), to_array(trace, bins)
    side = "left" if right else "right"
    rising = searchsorted(bins, x, side)
    falling = np.subtract(bins.shape[0], searchsorted(np.flip(bins), x, side))
    return np.where(np.any(np.less(bins[1:], bins[:-1])), falling, rising)


@implements("interp")
def interp(x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None, period: Any = None) -> Any:
    if period is not None:
        raise _trace.refuse("np.interp with period=", "bring x and xp into one period before it")
    trace = find_trace((x, xp, fp, left, right))
    x, xp, fp = (cast(to_array(trace, v), np.float64) for v in (x, xp, fp))
    program.require_shape(fp._value, program.extents(xp._value))
    size = program.extent(xp._value, 0)
    program.require_either(trace.builder, (("sgt", size, 0),), "array of sample points is empty")
    last = from_extent(trace, program.extent(xp._value, 0) - 1)
    at = np.clip(searchsorted(xp, x, "right") - 1, 0, np.maximum(last - 1, 0))
    after = np.minimum(at + 1, last)
    low, high, start, end = (np.take(v, i) for v in (xp, fp) for i in (at, after))
    slope = (end - start) / (high - low)
    found = slope * (x - low) + start
    again = slope * (x - high) + end
    found = np.where(np.isnan(found), np.where(np.logical_and(np.isnan(again), start == end), start, again), found)
    found = np.where(x == low, start, found)
    found = np.where(x == xp[-1], fp[-1], found)
    found = np.where(x < xp[0], fp[0] if left is None else left, found)
    found = np.where(x > xp[-1], fp[-1] if right is None else right, found)
    # NumPy compares with one point alone, which no NaN is beyond.
    beyond = np.where(from_extent(trace, size) == 1, fp[0], x)
    return np.where(np.isnan(x), beyond, found)


@implements("isin")
def isin(element: Any, test_elements: Any, assume_unique: Any = False, invert: Any = False, *, kind: Any = None) -> Any:
    trace = find_trace((element, test_elements))
    tests: Any = np.ravel(to_array(trace, test_elements))
    found = np.any(np.equal(np.expand_dims(to_array(trace, element), -1), tests), axis=-1)
    return np.logical_not(found) if invert else found


@implements("histogram")
def histogram(a: Any, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None) -> Any:
    if weights is not None or density:
        raise _trace.refuse("np.histogram with weights or density", "divide the counts by their sum and the widths")
    trace = find_trace((a, bins))
    a = np.ravel(to_array(trace, a))
    if isinstance(bins, (int, np.integer)):
        if bins < 1:
            raise ValueError(f"{_trace.spell_location()}`bins` must be positive, when an integer")
        # NumPy's edges are of the array's type where that is one of floats.
        kind = a.dtype if a.dtype.kind == "f" else np.dtype(np.float64)
        if range is None:
            bins = np.linspace(*find_range(a), int(bins) + 1)
        else:
            bins = np.histogram_bin_edges(np.empty(0, kind), int(bins), range)
    elif isinstance(bins, str):
        raise _trace.refuse(
            f"np.histogram with bins={bins!r}", "how many bins that makes is known from values alone; give the edges"
        )
    if not isinstance(bins, TracedArray) and (np.diff(np.asarray(bins)) < 0).any():
        raise ValueError(f"{_trace.spell_location()}np.histogram: the edges must not decrease")
    edges = to_array(trace, bins)
    joint = np.result_type(a.dtype, edges.dtype)
    wide: Any = np.expand_dims(cast(a, joint), 0)
    listed: Any = np.expand_dims(cast(edges, joint), 1)
    # How many stand before each edge; the last edge has its own.
    below = np.sum(wide < listed, axis=1)
    whole = np.sum(wide <= listed[-1:], axis=1)
    return np.diff(np.concatenate([below[:-1], whole])), edges


# Indices as one number and as several.


def _check_indices(index: TracedArray, size: Any) -> Any:
    """Returns the indices, which a call checks; none counts from the end."""
    if index.dtype.kind not in "iu":
        raise TypeError(f"{_trace.spell_location()}indices are integers, not {index.dtype}")
    index = cast(index, np.int64)
    line = TracedArray(index._trace, program.iota(index._trace.builder, size, "i64"))
    return np.take(line, np.where(index < 0, from_extent(index._trace, size), index))


@implements("unravel_index")
def unravel_index(indices: Any, shape: Any, order: Any = "C") -> Any:
    if order != "C":
        raise _trace.refuse(f"np.unravel_index with order={order!r}", "reverse the shape and the result")
    sizes = spell_shape(shape)
    rest = _check_indices(as_array(indices), program.product(sizes))
    found = []
    for size in reversed(sizes):
        number = from_extent(rest._trace, size)
        found.append(np.remainder(rest, number))
        rest = np.floor_divide(rest, number)
    return tuple(reversed(found))


@implements("ravel_multi_index")
def ravel_multi_index(multi_index: Any, dims: Any, mode: Any = "raise", order: Any = "C") -> Any:
    if mode != "raise" or order != "C":
        raise _trace.refuse("np.ravel_multi_index with mode= or order=", "clip the indices before it")
    trace, sizes = find_trace(multi_index), spell_shape(dims)
    if len(multi_index) != len(sizes):
        raise ValueError(f"{_trace.spell_location()}parameter multi_index must be a sequence of length {len(sizes)}")
    total = None
    for index, size in zip(multi_index, sizes):
        one = _check_indices(to_array(trace, index), size)
        total = one if total is None else total * from_extent(trace, size) + one
    return total


# Choices.


@implements("select")
def select(condlist: Any, choicelist: Any, default: Any = 0) -> Any:
    if len(condlist) != len(choicelist):
        raise ValueError(f"{_trace.spell_location()}list of cases must be same length as list of conditions")
    if not condlist:
        raise ValueError(f"{_trace.spell_location()}select with an empty condition list is not possible")
    trace = find_trace((*condlist, *choicelist))
    conditions = [to_array(trace, c) for c in condlist]
    if any(c.dtype != np.bool_ for c in conditions):
        raise TypeError(f"{_trace.spell_location()}invalid entry in condlist: should be boolean ndarray")
    dtype = common_type(*choicelist, default)
    found: Any = cast(to_array(trace, default), dtype)
    for condition, choice in zip(reversed(conditions), reversed(choicelist)):
        found = np.where(condition, cast(to_array(trace, choice), dtype), found)
    return found


@implements("piecewise")
def piecewise(x: Any, condlist: Any, funclist: Any, *args: Any, **kw: Any) -> Any:
    array = as_array(x)
    conditions = [_spell_condition(array, c) for c in _list_conditions(array, condlist)]
    functions = list(funclist)

    def compute(function: Any) -> TracedArray:
        made = _selected.call_with(function, array, args, kw) if callable(function) else function
        return cast(to_array(array._trace, made), array.dtype)

    found: Any = np.zeros_like(array)
    if len(functions) == len(conditions) + 1:
        found = np.where(True, compute(functions.pop()), found)
    elif len(functions) != len(conditions):
        raise ValueError(
            f"{_trace.spell_location()}with {len(conditions)} condition(s), either {len(conditions)} or "
            f"{len(conditions) + 1} functions are expected"
        )
    for condition, function in zip(conditions, functions):
        found = np.where(condition, compute(function), found)
    return found


def _list_conditions(array: TracedArray, given: Any) -> list[Any]:
    """Lists the conditions of np.piecewise, of a list of them or of an array with one in each row, or of one alone."""
    is_listed = isinstance(given, (list, tuple)) or np.ndim(given) > 1
    if not is_listed:
        return [given]
    if isinstance(given, TracedArray) and not isinstance(given._value.extents[0], int):
        raise _trace.refuse("np.piecewise with conditions whose number a call tells", "give a list of conditions")
    listed = list(given)
    # Numbers are one condition of an array that has axes.
    is_one = array.ndim and listed and not isinstance(listed[0], (list, tuple)) and not np.ndim(listed[0])
    return [given] if is_one else listed


def _spell_condition(array: TracedArray, given: Any) -> TracedArray:
    """Returns a condition of bool with as many axes as the array. One with fewer is of its first axes."""
    condition = cast(to_array(array._trace, given), np.bool_)
    if condition.ndim > array.ndim:
        raise IndexError(
            f"{_trace.spell_location()}a condition of {condition.ndim} axes is of an array of {array.ndim}"
        )
    program.require_shape(condition._value, program.extents(array._value)[: condition.ndim])
    value = program.expand(condition._value, range(condition.ndim, array.ndim))
    return TracedArray(array._trace, value)


def _require_order(array: TracedArray, kth: Any, axis: Any) -> None:
    """A call fails where the axis has no such index, but for an array without elements. A sorted array has each element
    where kth requires it."""
    axes = range(array.ndim) if axis is None else spell_axes(axis, array.ndim)
    total = program.product(program.extents(array._value))
    size = program.product(program.extent(array._value, at) for at in axes)
    for number in np.ravel(kth):
        least = int(number) + 1 if number >= 0 else -int(number)
        said = f"kth is {int(number)}, but there are fewer elements"
        program.require_either(array._trace.builder, (("sge", size, least), ("eq", total, 0)), said)


@implements("partition")
def partition(a: Any, kth: Any, axis: Any = -1, kind: Any = "introselect", order: Any = None) -> Any:
    array = as_array(a)
    _require_order(array, kth, axis)
    return np.sort(array, axis=axis)


@implements("argpartition")
def argpartition(a: Any, kth: Any, axis: Any = -1, kind: Any = "introselect", order: Any = None) -> Any:
    array = as_array(a)
    _require_order(array, kth, axis)
    return np.argsort(array, axis=axis)
