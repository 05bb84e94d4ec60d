"""NumPy's functions whose results have as many elements as values say: a call counts them, and this number is an
extent."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _program as program
from .._program import Value
from .._tensors import _counted
from . import _trace
from ._array import TracedArray
from ._functions import as_array, cast, find_trace, from_extent, implements, spell_axis, wrap
from ._ufuncs import size_of, to_array

# Where a condition holds.


def _places(array: TracedArray) -> Value:
    """Returns the places in the flat array of the elements that are not 0."""
    return _counted.positions(_counted.flatten(_counted.is_true(array._value)))


@implements("nonzero")
def nonzero(a: Any) -> tuple[TracedArray, ...]:
    array = as_array(a)
    if not array.ndim:
        raise ValueError(
            f"{_trace.spell_location()}Calling nonzero on 0d arrays is not allowed. "
            "Use np.atleast_1d(scalar).nonzero() instead."
        )
    found = _counted.split_places(_places(array), program.extents(array._value))
    return tuple(TracedArray(array._trace, at) for at in found)


@implements("flatnonzero")
def flatnonzero(a: Any) -> TracedArray:
    array = as_array(a)
    return TracedArray(array._trace, _places(array))


@implements("argwhere")
def argwhere(a: Any) -> Any:
    array = as_array(a)
    if not array.ndim:
        count = program.extent(_places(array), 0)
        return TracedArray(array._trace, _counted.zeros(array._trace.builder, [count, 0]))
    return np.stack(nonzero(array), axis=1)


@implements("extract")
def extract(condition: Any, arr: Any) -> Any:
    array = as_array(arr, (condition,))
    return np.take(np.ravel(array), flatnonzero(to_array(array._trace, condition)))


@implements("compress")
def compress(condition: Any, a: Any, axis: Any = None) -> Any:
    array = as_array(a, (condition,))
    marks = to_array(array._trace, condition)
    if marks.ndim != 1:
        raise ValueError(f"{_trace.spell_location()}condition must be a 1-d array")
    return np.take(array, flatnonzero(marks), axis)


@implements("trim_zeros")
def trim_zeros(filt: Any, trim: Any = "fb") -> Any:
    array = as_array(filt)
    if array.ndim != 1:
        raise _trace.refuse(f"np.trim_zeros of {array.ndim} axes", "slice it: x[first : last + 1]")
    if not isinstance(trim, str) or set(trim.lower()) - set("fb"):
        raise ValueError(f"{_trace.spell_location()}unexpected character(s) in `trim`: {trim!r}")
    value, p, b = array._value, program, array._trace.builder
    places, size = _places(array), program.extent(value, 0)
    # Of zeros alone nothing is left, whichever end is trimmed.
    ends = p.expand(p.scalar(b, size, "i64"), [0]), p.subtract(_counted.zeros(b, [1]), 1)
    first, last = (p.to_number(p.reduce(kind, p.concat([places, end], 0))) for kind, end in zip(("min", "max"), ends))
    start = p.smallest(p.largest(first, 0), size) if "f" in trim.lower() else 0
    stop = p.smallest(p.largest(last + 1, 0), size) if "b" in trim.lower() else size
    return wrap(array, p.take_slice(value, 0, start, p.largest(stop - start, 0)), view=True)


# Elements that differ.


def _find_unique(array: TracedArray, axis: Any, equal_nan: Any) -> tuple[TracedArray, _counted.Groups]:
    """Returns what differs along an axis, or in the flat array, in its order, and the groups of what is equal."""
    value = _counted.flatten(array._value) if axis is None else array._value
    # Where an axis is given, NumPy compares rows, in which no NaN is another one.
    is_nan_one = bool(equal_nan) and axis is None
    axis = 0 if axis is None else spell_axis(axis, array.ndim)
    groups = _counted.group_rows(_counted.as_rows(value, axis), is_sorted=True, is_nan_one=is_nan_one)
    return TracedArray(array._trace, program.take(value, groups.first, axis, from_end=False)), groups


@implements("unique")
def unique(
    ar: Any,
    return_index: Any = False,
    return_inverse: Any = False,
    return_counts: Any = False,
    axis: Any = None,
    *,
    equal_nan: Any = True,
    sorted: Any = True,
) -> Any:
    array = as_array(ar)
    found, groups = _find_unique(array, axis, equal_nan)
    inverse = groups.inverse if axis is not None else program.reshape(groups.inverse, program.extents(array._value))
    asked = ((return_index, groups.first), (return_inverse, inverse), (return_counts, groups.counts))
    rest = tuple(TracedArray(array._trace, value) for is_asked, value in asked if is_asked)
    return (found, *rest) if rest else found


@implements("unique_values")
def unique_values(x: Any, /) -> Any:
    return unique(x, equal_nan=False)


@implements("unique_counts")
def unique_counts(x: Any, /) -> Any:
    return type(np.unique_counts(np.zeros(1)))(*unique(x, return_counts=True, equal_nan=False))


@implements("unique_inverse")
def unique_inverse(x: Any, /) -> Any:
    return type(np.unique_inverse(np.zeros(1)))(*unique(x, return_inverse=True, equal_nan=False))


@implements("unique_all")
def unique_all(x: Any, /) -> Any:
    return type(np.unique_all(np.zeros(1)))(*unique(x, True, True, True, equal_nan=False))


# Arrays as sets.


def _lines(one: Any, other: Any) -> list[Any]:
    """Returns two arrays with one axis each."""
    trace = find_trace((one, other))
    return [np.ravel(to_array(trace, array)) for array in (one, other)]


def _repeats(ordered: Any) -> Any:
    """Tells which elements of an array in order, but its first, are the same as those before them."""
    return ordered[1:] == ordered[:-1]


def _order_both(one: Any, other: Any) -> tuple[Any, Any]:
    """Returns the indices of the elements of both arrays, one behind the other, in their order, and these elements:
    equal ones stand next to each other, those of the first array in front."""
    both = np.concatenate([one, other])
    order = np.argsort(both, kind="stable")
    return order, np.take(both, order)


def _is_in(one: Any, other: Any) -> Any:
    """Tells which elements of one array, all of which differ, another one has."""
    order, ordered = _order_both(one, other)
    found = np.concatenate([_repeats(ordered), np.zeros_like(ordered[:1], dtype=np.bool_)])
    return np.take(found, np.argsort(order)[: one.shape[0]])


@implements("union1d")
def union1d(ar1: Any, ar2: Any) -> Any:
    return unique(np.concatenate(_lines(ar1, ar2)))


@implements("intersect1d")
def intersect1d(ar1: Any, ar2: Any, assume_unique: Any = False, return_indices: Any = False) -> Any:
    one, other = _lines(ar1, ar2)
    at, other_at = None, None
    if not assume_unique:
        (one, at), (other, other_at) = unique(one, return_index=True), unique(other, return_index=True)
    order, ordered = _order_both(one, other)
    is_common = _repeats(ordered)
    found = ordered[:-1][is_common]
    if not return_indices:
        return found
    here, there = order[:-1][is_common], order[1:][is_common] - one.shape[0]
    return (
        found,
        here if at is None else np.take(at, here),
        there if other_at is None else np.take(other_at, there),
    )


@implements("setdiff1d")
def setdiff1d(ar1: Any, ar2: Any, assume_unique: Any = False) -> Any:
    one, other = _lines(ar1, ar2)
    if not assume_unique:
        one, other = unique(one), unique(other)
    return one[np.logical_not(_is_in(one, other))]


@implements("setxor1d")
def setxor1d(ar1: Any, ar2: Any, assume_unique: Any = False) -> Any:
    one, other = _lines(ar1, ar2)
    if not assume_unique:
        one, other = unique(one), unique(other)
    ordered = np.sort(np.concatenate([one, other]))
    none = np.zeros_like(ordered[:1], dtype=np.bool_)
    repeats = _repeats(ordered)
    return ordered[np.logical_not(np.concatenate([none, repeats]) | np.concatenate([repeats, none]))]


# Counts.


@implements("bincount")
def bincount(x: Any, /, weights: Any = None, minlength: Any = 0) -> TracedArray:
    trace = find_trace((x, weights))
    numbers = to_array(trace, x)
    least = size_of(minlength)
    if numbers.ndim != 1:
        raise ValueError(f"{_trace.spell_location()}object of too {'small' if not numbers.ndim else 'large'} depth")
    if not np.can_cast(numbers.dtype, np.int64):
        raise TypeError(
            f"{_trace.spell_location()}numbers of {numbers.dtype} cannot be counted; they are integers up to int64"
        )
    if least is None or (isinstance(least, int) and least < 0):
        raise ValueError(f"{_trace.spell_location()}'minlength' must be an integer that is not negative")
    given = None if weights is None else cast(to_array(trace, weights), np.float64)._value
    return TracedArray(trace, _counted.count_numbers(numbers._value, given, least))


def repeat_by(array: TracedArray, value: Value, counts: TracedArray, axis: int) -> Value:
    """Returns a tensor with each index of an axis as many times as its count says, of which one may be for all."""
    p, b = program, array._trace.builder
    if counts.ndim > 1 or counts.dtype.kind not in "biu":
        raise ValueError(f"{_trace.spell_location()}repeats are a list of integers, not {counts!r}")
    size = p.extent(value, axis)
    numbers = p.cast(counts._value, "i64")
    if counts.ndim == 0:
        numbers = p.broadcast_to(numbers, [size])
    message = "an axis of {0} elements is repeated by {1} numbers; give one for each element"
    p.require(b, "eq", size, p.extent(numbers, 0), message)
    p.require_true(p.reduce("all", p.greater_equal(numbers, 0)), "repeats may not contain negative values.")
    return p.take(value, _counted.repeat_places(numbers), axis, from_end=False)


def find_range(array: TracedArray) -> tuple[Any, Any]:
    """Returns the ends between which np.histogram counts where it is not told them: the least and the largest element,
    half further where they are equal, and 0 and 1 where there are no elements."""
    kind = array.dtype if array.dtype.kind == "f" else np.dtype(np.float64)
    if array.dtype == np.bool_:
        array = cast(array, np.uint8)
    is_empty = np.equal(from_extent(array._trace, program.product(program.extents(array._value))), 0)
    low, high = (
        np.where(is_empty, kind.type(end), cast(TracedArray(array._trace, program.reduce(name, array._value)), kind))
        for end, name in ((0, "min"), (1, "max"))
    )
    is_finite: Any = np.logical_and(np.isfinite(low), np.isfinite(high))
    program.require_true(is_finite._value, "the range of the histogram is not finite; give range=(low, high)")
    is_point, half = np.equal(low, high), kind.type(0.5)
    return np.where(is_point, low - half, low), np.where(is_point, high + half, high)
