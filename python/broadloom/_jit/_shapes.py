"""NumPy's functions that move elements, over arrays without values."""

from __future__ import annotations

import itertools
import operator
from typing import Any

import numpy as np

from .. import _program as program
from . import _trace
from ._array import TracedArray, element_of
from ._extent import number_of
from ._functions import (
    as_array,
    find_trace,
    implements,
    spell_axes,
    spell_axis,
    spell_shape,
    wrap,
)
from ._ufuncs import size_of, to_array


def _no_order(order: Any, *ranks: int) -> None:
    """Raises an error where the order of elements depends on `order`: in memory, arguments and what NumPy has moved may
    lie in any."""
    if order in ("C", None) or max(ranks) <= 1:
        return
    raise _trace.refuse(
        f"order={order!r}",
        "write order='C', and transpose before and behind it where the elements are to be in another",
    )


@implements("reshape")
def reshape(a: Any, /, shape: Any = None, order: Any = "C", *, newshape: Any = None, copy: Any = None) -> Any:
    array = as_array(a)
    numbers = spell_shape(newshape if shape is None else shape)
    _no_order(order, array.ndim, len(numbers))
    return wrap(array, program.reshape(array._value, numbers), view=True)


@implements("ravel")
def ravel(a: Any, order: Any = "C") -> Any:
    return reshape(a, -1, order)


@implements("transpose", "permute_dims")
def transpose(a: Any, axes: Any = None) -> Any:
    array = as_array(a)
    order = list(range(array.ndim))[::-1] if axes is None else [operator.index(i) for i in axes]
    return wrap(array, program.transpose(array._value, order), view=True)


@implements("matrix_transpose")
def matrix_transpose(x: Any, /) -> Any:
    return swapaxes(x, -1, -2)


@implements("swapaxes")
def swapaxes(a: Any, axis1: Any, axis2: Any) -> Any:
    array = as_array(a)
    first, second = spell_axis(axis1, array.ndim), spell_axis(axis2, array.ndim)
    order = list(range(array.ndim))
    order[first], order[second] = second, first
    return transpose(array, order)


@implements("moveaxis")
def moveaxis(a: Any, source: Any, destination: Any) -> Any:
    array = as_array(a)
    given, wanted = (normalize_axes(n, array.ndim) for n in (source, destination))
    if len(given) != len(wanted):
        raise ValueError(
            f"{_trace.spell_location()}`source` and `destination` arguments must have the same number of elements"
        )
    order = [i for i in range(array.ndim) if i not in given]
    for to, axis in sorted(zip(wanted, given)):
        order.insert(to, axis)
    return transpose(array, order)


def normalize_axes(axes: Any, rank: int) -> list[int]:
    """Counts axes from 0, in the order in which they are given."""
    listed = list(axes) if isinstance(axes, (tuple, list)) else [axes]
    spell_axes(tuple(listed), rank)
    return [operator.index(i) % rank for i in listed]


@implements("expand_dims")
def expand_dims(a: Any, axis: Any) -> Any:
    array = as_array(a)
    axes = axis if isinstance(axis, (tuple, list)) else (axis,)
    return wrap(array, program.expand(array._value, axes), view=True)


@implements("squeeze")
def squeeze(a: Any, axis: Any = None) -> Any:
    array = as_array(a)
    if axis is None:
        open_axes = [i for i, e in enumerate(array._value.extents) if not isinstance(e, int)]
        if open_axes:
            raise _trace.refuse(
                "np.squeeze without an axis",
                "which extents are 1 depends on the call, and with it the rank; give axis=",
            )
        axis = tuple(i for i, e in enumerate(array._value.extents) if e == 1)
    return wrap(array, program.squeeze(array._value, spell_axes(axis, array.ndim)), view=True)


@implements("atleast_1d")
def atleast_1d(a: Any) -> Any:
    array = as_array(a)
    return array if array.ndim else expand_dims(array, 0)


@implements("atleast_2d")
def atleast_2d(a: Any) -> Any:
    array = as_array(a)
    return array if array.ndim >= 2 else expand_dims(array, tuple(range(2 - array.ndim)))


@implements("broadcast_to")
def broadcast_to(array: Any, /, shape: Any, subok: Any = False) -> Any:
    array = as_array(array)
    return wrap(array, program.broadcast_to(array._value, spell_shape(shape)), view=True)


@implements("broadcast_arrays")
def broadcast_arrays(*arrays: Any) -> Any:
    trace = find_trace(arrays)
    made = [to_array(trace, a) for a in arrays]
    # A sum of nothing of each has the extents of all.
    shape = made[0]
    for other in made[1:]:
        both = [program.cast(x._value, "i1") for x in (shape, other)]
        shape = TracedArray(trace, program.bitwise_or(*both))
    extents = program.extents(shape._value)
    return tuple(wrap(a, program.broadcast_to(a._value, extents), view=True) for a in made)


# Joins and parts.


def _joined(arrays: Any) -> Any:
    """Returns the values in one element type. NumPy makes arrays of all of them first, so that
    Python's numbers have the types of arrays here."""
    trace = find_trace(arrays)
    arrays = [to_array(trace, a) for a in arrays]
    element = element_of(np.result_type(*(a.dtype for a in arrays)))
    return [program.cast(a._value, element) for a in arrays], trace


def _listed(arrays: Any) -> Any:
    if isinstance(arrays, TracedArray):
        return list(arrays)
    arrays = list(arrays)
    if not arrays:
        raise ValueError(f"{_trace.spell_location()}need at least one array to concatenate")
    return arrays


@implements("concatenate", "concat")
def concatenate(arrays: Any, /, axis: Any = 0, *, dtype: Any = None) -> TracedArray:
    values, trace = _joined(_listed(arrays))
    if dtype is not None:
        values = [program.cast(v, element_of(dtype)) for v in values]
    if axis is None:
        values, axis = [program.reshape(v, [-1]) for v in values], 0
    if any(v.rank == 0 for v in values):
        raise ValueError(f"{_trace.spell_location()}zero-dimensional arrays cannot be concatenated")
    return TracedArray(trace, program.concat(values, axis))


@implements("stack")
def stack(arrays: Any, axis: Any = 0, *, dtype: Any = None) -> TracedArray:
    values, trace = _joined(_listed(arrays))
    if dtype is not None:
        values = [program.cast(v, element_of(dtype)) for v in values]
    axis = spell_axis(axis, values[0].rank + 1)
    return TracedArray(trace, program.concat([program.expand(v, [axis]) for v in values], axis))


@implements("hstack")
def hstack(tup: Any) -> Any:
    arrays = [atleast_1d(a) for a in _listed(tup)]
    return concatenate(arrays, 0 if arrays[0].ndim == 1 else 1)


@implements("vstack")
def vstack(tup: Any) -> Any:
    return concatenate([atleast_2d(a) for a in _listed(tup)], 0)


@implements("split")
def split(ary: Any, indices_or_sections: Any, axis: Any = 0) -> Any:
    array = as_array(ary)
    axis = spell_axis(axis, array.ndim)
    value, size = array._value, program.extent(array._value, axis)
    if isinstance(indices_or_sections, (int, np.integer)):
        many = operator.index(indices_or_sections)
        if many <= 0:
            raise ValueError(f"{_trace.spell_location()}number sections must be larger than 0, not {many}")
        part = size // many
        program.require_either(
            array._trace.builder, (("eq", part * many, size),), "array split does not result in an equal division"
        )
        ends: list[Any] = [part * i for i in range(many + 1)]
    else:
        ends = [0, *spell_shape(tuple(indices_or_sections)), None]
    parts = [program.slice_axis(value, axis, a, b) for a, b in itertools.pairwise(ends)]
    return [wrap(array, p, view=True) for p in parts]


@implements("flip")
def flip(m: Any, axis: Any = None) -> Any:
    array = as_array(m)
    return wrap(array, program.flip(array._value, spell_axes(axis, array.ndim)), view=array.ndim > 0)


@implements("roll")
def roll(a: Any, shift: Any, axis: Any = None) -> Any:
    array = as_array(a)
    if axis is None:
        return reshape(roll(reshape(array, -1), shift, 0), array.shape)
    shifts = shift if isinstance(shift, (tuple, list)) else (shift,)
    axes = axis if isinstance(axis, (tuple, list)) else (axis,)
    shifts = list(shifts) * len(axes) if len(shifts) == 1 else shifts
    axes = list(axes) * len(shifts) if len(axes) == 1 else axes
    if len(shifts) != len(axes):
        raise ValueError(f"{_trace.spell_location()}np.roll by {len(shifts)} shifts of {len(axes)} axes")
    value = array._value
    for many, at in zip(shifts, axes):
        number = size_of(many)
        if number is None:
            raise _trace.refuse("np.roll by an array", "give a number, an extent or an integer array without axes")
        size = program.extent(value, at)
        # From where the elements stand now; nothing is moved of nothing.
        start = (size - number) % program.largest(size, 1)
        value = program.concat(
            [program.slice_axis(value, at, start, None), program.slice_axis(value, at, 0, start)], at
        )
    return wrap(array, value)


@implements("pad")
def pad(array: Any, pad_width: Any, mode: Any = "constant", *, constant_values: Any = 0) -> Any:
    array = as_array(array)
    if not isinstance(constant_values, (bool, int, float)):
        raise _trace.refuse(
            f"np.pad with constant_values={constant_values!r}", "pad with one constant, or use np.concatenate"
        )
    if mode not in ("constant", "edge", "reflect", "symmetric", "wrap"):
        raise _trace.refuse(f"np.pad with mode={mode!r}", "there are constant, edge, reflect, symmetric and wrap")
    pairs = _spell_padding(pad_width, array.ndim)
    if mode != "constant":
        for axis, (low, high) in enumerate(pairs):
            if not program.is_same(low, 0) or not program.is_same(high, 0):
                _require_padding(array._value, axis, low, high)
        low, high = ([pair[end] for pair in pairs] for end in (0, 1))
        return wrap(array, program.pad_by_place(array._value, low, high, mode))
    number = array.dtype.type(constant_values).item()
    value = program.pad(array._value, [p[0] for p in pairs], [p[1] for p in pairs], number)
    return wrap(array, value)


def _require_padding(value: Any, axis: int, low: Any, high: Any) -> None:
    """Requires elements to repeat, and numbers of times that are not negative."""
    for many in (low, high):
        program.require(value.builder, "sge", many, 0, f"the padding of axis {axis} is {{0}}, expected at least {{1}}")
    program.require_either(
        value.builder,
        (("sgt", program.extent(value, axis), 0), ("eq", low + high, 0)),
        f"can't extend empty axis {axis} using modes other than 'constant' or 'empty'",
    )


def _spell_padding(width: Any, rank: int) -> list[Any]:
    """Returns a pair of numbers for each axis."""
    if isinstance(width, dict):
        # By axis, as NumPy takes from 2.2 on.
        found: list[Any] = [(0, 0)] * rank
        for axis, own in width.items():
            found[spell_axis(axis, rank)] = own if isinstance(own, tuple) else (own, own)
        width = tuple(found)
    if number_of(width) is not None:
        pairs = [(number_of(width),) * 2] * rank
    elif number_of(width[0]) is not None:
        pair = spell_shape(tuple(width))
        pairs = [tuple(pair) if len(pair) == 2 else (pair[0],) * 2] * rank
    else:
        pairs = [tuple(spell_shape(tuple(p))) for p in width]
        pairs = [p * 2 if len(p) == 1 else p for p in (pairs * rank if len(pairs) == 1 else pairs)]
    if len(pairs) != rank or any(len(p) != 2 for p in pairs):
        raise ValueError(f"{_trace.spell_location()}pad_width has to be a pair for each of {rank} axes, not {width!r}")
    for number in (n for pair in pairs for n in pair):
        if isinstance(number, int) and number < 0:
            raise ValueError(f"{_trace.spell_location()}index can't contain negative values")
    return pairs


@implements("diff")
def diff(a: Any, n: Any = 1, axis: Any = -1, prepend: Any = None, append: Any = None) -> Any:
    array: Any = as_array(a, (prepend, append))
    n = operator.index(n)
    if n < 0:
        raise ValueError(f"{_trace.spell_location()}order must be non-negative but got {n}")
    if n and (prepend is not None or append is not None):
        axis = spell_axis(axis, array.ndim)
        parts = [_one_along(array, prepend, axis), array, _one_along(array, append, axis)]
        array = concatenate([part for part in parts if part is not None], axis)
    for _ in range(n):
        value = array._value
        later = wrap(array, program.slice_axis(value, axis, 1, None))
        sooner = wrap(array, program.slice_axis(value, axis, None, -1))
        array = np.not_equal(later, sooner) if array.dtype == np.bool_ else np.subtract(later, sooner)
    return array


def _one_along(array: TracedArray, given: Any, axis: int) -> TracedArray | None:
    """Returns the array that stands beside another along an axis; a number is one element in all other places."""
    if given is None:
        return None
    value = to_array(array._trace, given)._value
    if value.rank == 0:
        value = program.broadcast_to(
            value, [1 if i == axis else n for i, n in enumerate(program.extents(array._value))]
        )
    return TracedArray(array._trace, value)
