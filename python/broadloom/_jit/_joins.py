"""More of NumPy's functions that join and take apart, over arrays without values."""

from __future__ import annotations

import itertools
import operator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _program as program
from .._tensors import _counted
from . import _trace
from ._array import TracedArray
from ._counted import repeat_by
from ._extent import number_of
from ._functions import as_array, cast, find_trace, implements, spell_axis, spell_shape, wrap
from ._indexing import no_indices, require_mask, spell_index
from ._shapes import atleast_2d, concatenate, expand_dims, flip, moveaxis, split, transpose
from ._ufuncs import has_traced, to_array


@implements("fliplr")
def fliplr(m: Any) -> Any:
    return flip(m, 1)


@implements("flipud")
def flipud(m: Any) -> Any:
    return flip(m, 0)


@implements("rot90")
def rot90(m: Any, k: Any = 1, axes: Any = (0, 1)) -> Any:
    array = as_array(m)
    first, second = (spell_axis(a, array.ndim) for a in axes)
    if first == second:
        raise ValueError(f"{_trace.spell_location()}Axes must be different.")
    k = operator.index(k) % 4
    if k in (0, 2):
        return flip(flip(array, first), second) if k else wrap(array, array._value, view=True)
    order = list(range(array.ndim))
    order[first], order[second] = second, first
    return transpose(flip(array, second), order) if k == 1 else flip(transpose(array, order), second)


@implements("atleast_3d")
def atleast_3d(*arys: Any) -> Any:
    if len(arys) != 1:
        return tuple(atleast_3d(a) for a in arys)
    array = as_array(arys[0])
    return array if array.ndim >= 3 else expand_dims(array, {0: (0, 1, 2), 1: (0, 2), 2: (2,)}[array.ndim])


@implements("rollaxis")
def rollaxis(a: Any, axis: Any, start: Any = 0) -> Any:
    array = as_array(a)
    axis = spell_axis(axis, array.ndim)
    start = operator.index(start)
    start += array.ndim if start < 0 else 0
    return moveaxis(array, axis, start - 1 if axis < start else start)


@implements("dstack")
def dstack(tup: Any) -> Any:
    return concatenate([atleast_3d(a) for a in tup], 2)


@implements("column_stack")
def column_stack(tup: Any) -> Any:
    columns = [atleast_2d(a) for a in tup]
    return concatenate([c if as_array(a).ndim >= 2 else transpose(c) for a, c in zip(tup, columns)], 1)


@implements("append")
def append(arr: Any, values: Any, axis: Any = None) -> Any:
    trace = find_trace((arr, values))
    arrays = [to_array(trace, v) for v in (arr, values)]
    return concatenate(arrays, axis)


@implements("block")
def block(arrays: Any) -> Any:
    def depth_of(part: Any) -> int:
        return 1 + max(map(depth_of, part)) if isinstance(part, list) else 0

    trace = find_trace(_leaves(arrays))
    depth = depth_of(arrays)
    rank = max([depth, *(to_array(trace, leaf).ndim for leaf in _leaves(arrays))])

    def join(part: Any, level: int) -> Any:
        if isinstance(part, list):
            return concatenate([join(p, level + 1) for p in part], rank - depth + level)
        array = to_array(trace, part)
        return expand_dims(array, tuple(range(rank - array.ndim)))

    return join(arrays, 0)


def _leaves(part: Any) -> Any:
    return [leaf for p in part for leaf in _leaves(p)] if isinstance(part, list) else [part]


@implements("meshgrid")
def meshgrid(*xi: Any, copy: Any = True, sparse: Any = False, indexing: Any = "xy") -> Any:
    if indexing not in ("xy", "ij"):
        raise ValueError(f"{_trace.spell_location()}Valid values for `indexing` are 'xy' and 'ij'.")
    trace = find_trace(xi)
    lines: list[Any] = [np.reshape(to_array(trace, x), (-1,)) for x in xi]
    order = list(range(len(lines)))
    if indexing == "xy" and len(lines) > 1:
        order[:2] = [1, 0]
    wide = [
        expand_dims(line, tuple(i for i in range(len(lines)) if i != at)) if len(lines) > 1 else line
        for line, at in zip(lines, order)
    ]
    if sparse:
        return tuple(wide)
    shape: list[Any] = [None] * len(lines)
    for line, at in zip(lines, order):
        shape[at] = program.extent(line._value, 0)
    return tuple(wrap(w, program.broadcast_to(w._value, shape), view=not copy) for w in wide)


# Taken apart.


@implements("array_split")
def array_split(ary: Any, indices_or_sections: Any, axis: Any = 0) -> Any:
    if not isinstance(indices_or_sections, (int, np.integer)):
        return split(ary, indices_or_sections, axis)
    array, many = as_array(ary), operator.index(indices_or_sections)
    if many <= 0:
        raise ValueError(f"{_trace.spell_location()}number sections must be larger than 0.")
    axis = spell_axis(axis, array.ndim)
    size = program.extent(array._value, axis)
    # The first parts are longer by one, as many as are left over.
    ends = [size // many * i + program.smallest(size % many, i) for i in range(many + 1)]
    return [
        wrap(array, program.take_slice(array._value, axis, a, b - a), view=True) for a, b in itertools.pairwise(ends)
    ]


def _split_along(name: str, least: int, axis: int) -> Any:
    @implements(name)
    def function(ary: Any, indices_or_sections: Any) -> Any:
        array = as_array(ary)
        if array.ndim < least:
            raise ValueError(f"{_trace.spell_location()}{name} only works on arrays of {least} or more dimensions")
        return split(array, indices_or_sections, 0 if array.ndim == 1 else axis)

    return function


_split_along("hsplit", 1, 1)
_split_along("vsplit", 2, 0)
_split_along("dsplit", 3, 2)


@implements("unstack")
def unstack(x: Any, /, *, axis: Any = 0) -> Any:
    array = as_array(x)
    axis = spell_axis(axis, array.ndim)
    count = array._value.extents[axis]
    if not isinstance(count, int):
        raise _trace.refuse("np.unstack of an axis whose extent a call tells", "index it: x[0], x[1]")
    return tuple(
        wrap(array, program.squeeze(program.take_slice(array._value, axis, i, 1), [axis]), view=array.ndim > 1)
        for i in range(count)
    )


@implements("repeat")
def repeat(a: Any, repeats: Any, axis: Any = None) -> Any:
    array = as_array(a, (repeats,))
    number = number_of(repeats)
    value = array._value if axis is not None else program.reshape(array._value, [-1])
    axis = spell_axis(axis or 0, value.rank)
    if number is None and has_traced(repeats):
        return wrap(array, repeat_by(array, value, to_array(array._trace, repeats), axis))
    counts = np.asarray([] if number is not None else no_indices(repeats))
    if number is None and counts.size == 1:
        number = operator.index(counts.ravel()[0])
    if number is None:
        if counts.ndim != 1 or counts.dtype.kind not in "iu" or (counts < 0).any():
            raise ValueError(
                f"{_trace.spell_location()}repeats is a number or a list of them that are not negative, not {repeats!r}"
            )
        message = "an axis of {0} elements is repeated by {1} numbers; give one for each element"
        program.require(array._trace.builder, "eq", program.extent(value, axis), len(counts), message)
        at = to_array(array._trace, np.repeat(np.arange(len(counts)), counts))
        return wrap(array, program.take(value, at._value, axis))
    sizes = program.extents(value)
    wide = program.broadcast_to(program.expand(value, [axis + 1]), [*sizes[: axis + 1], number, *sizes[axis + 1 :]])
    return wrap(array, program.reshape(wide, [*sizes[:axis], sizes[axis] * number, *sizes[axis + 1 :]]))


@implements("tile")
def tile(A: Any, reps: Any) -> Any:
    array = as_array(A)
    numbers = spell_shape(reps)
    rank = max(array.ndim, len(numbers))
    numbers = [1] * (rank - len(numbers)) + numbers
    value = program.expand(array._value, range(rank - array.ndim))
    sizes = program.extents(value)
    apart = program.expand(value, range(0, 2 * rank, 2))
    wide = program.broadcast_to(apart, [n for pair in zip(numbers, sizes) for n in pair])
    return wrap(array, program.reshape(wide, [n * s for n, s in zip(numbers, sizes)]))


@implements("delete")
def delete(arr: Any, obj: Any, axis: Any = None) -> Any:
    array = as_array(arr)
    value = array._value if axis is not None else program.reshape(array._value, [-1])
    axis = spell_axis(axis or 0, value.rank)
    size = program.extent(value, axis)
    if isinstance(obj, TracedArray) and obj.dtype == np.bool_ and obj.ndim == 1:
        require_mask(array, size, program.extent(obj._value, 0), axis)
        kept = _counted.positions(program.bitwise_not(obj._value))
        return wrap(array, program.take(value, kept, axis, from_end=False))
    listed = [obj] if number_of(obj) is not None else _list_places("np.delete", obj, size)
    if isinstance(listed, np.ndarray):
        # A mask, of what is left out.
        require_mask(array, size, len(listed), axis)
        return wrap(array, program.take(value, to_array(array._trace, np.flatnonzero(~listed))._value, axis))
    parts, start = [], 0
    for place in listed if len(listed) == 1 else sorted(set(listed)):
        at = spell_index(array, number_of(place), axis, size, size - 1)
        parts.append(program.take_slice(value, axis, start, at - start))
        start = at + 1
    return wrap(array, program.concat([*parts, program.take_slice(value, axis, start, size - start)], axis))


def _list_places(name: str, obj: Any, size: Any) -> list[int] | NDArray[Any]:
    """Lists several indices that are known, whose order every call has; a mask as it is."""
    if isinstance(obj, slice) or has_traced(obj):
        raise _trace.refuse(
            f"{name} with {'a slice' if isinstance(obj, slice) else 'indices that a call tells'}", "use np.concatenate"
        )
    places = np.asarray(no_indices(obj))
    if places.ndim == 1 and places.dtype == np.bool_:
        return places
    if places.ndim != 1 or places.dtype.kind not in "iu":
        raise IndexError(f"{_trace.spell_location()}{name} takes a number or a list of them, not {obj!r}")
    if isinstance(size, int):
        return [int(place) + size if -size <= place < 0 else int(place) for place in places]
    if (places < 0).any() and (places >= 0).any():
        raise _trace.refuse(
            f"{name} at some indices that count from the start and some that count from the end",
            "which comes first is known when the function is called; use np.concatenate",
        )
    return [int(place) for place in places]


@implements("insert")
def insert(arr: Any, obj: Any, values: Any, axis: Any = None) -> Any:
    array = as_array(arr, (values,))
    value = array._value if axis is not None else program.reshape(array._value, [-1])
    axis = spell_axis(axis or 0, value.rank)
    size = program.extent(value, axis)
    is_listed = number_of(obj) is None
    places: Any = [obj]
    if is_listed and len(obj) == 1 and number_of(obj[0]) is not None:
        places = list(obj)
    elif is_listed and isinstance(places := _list_places("np.insert", obj, size), np.ndarray):
        raise _trace.refuse("np.insert at a mask", "give the indices: np.flatnonzero(mask) of one that is known")
    given: Any = cast(to_array(array._trace, values), array.dtype)
    if given.ndim > value.rank:
        raise ValueError(
            f"{_trace.spell_location()}values of {given.ndim} axes are inserted into an array of {value.rank}"
        )
    given = expand_dims(given, tuple(range(value.rank - given.ndim)))
    if not is_listed:
        # NumPy has what is inserted along the first axis.
        given = moveaxis(given, 0, axis)
    shape = program.extents(value)
    shape[axis] = program.extent(given._value, axis) if len(places) == 1 else len(places)
    given = program.broadcast_to(given._value, shape)
    parts, start = [], 0
    # Of those at one place, what is given first comes first.
    order = sorted(range(len(places)), key=places.__getitem__) if len(places) > 1 else range(len(places))
    for number in order:
        at = spell_index(array, number_of(places[number]), axis, size, size)
        parts.append(program.take_slice(value, axis, start, at - start))
        parts.append(given if len(places) == 1 else program.take_slice(given, axis, number, 1))
        start = at
    return wrap(array, program.concat([*parts, program.take_slice(value, axis, start, size - start)], axis))


# Diagonals.


@implements("diagonal")
def diagonal(a: Any, offset: Any = 0, axis1: Any = 0, axis2: Any = 1) -> Any:
    array = as_array(a)
    if array.ndim < 2:
        raise ValueError(f"{_trace.spell_location()}diag requires an array of at least two dimensions")
    first, second = (spell_axis(axis, array.ndim) for axis in (axis1, axis2))
    return wrap(array, program.diagonal(array._value, first, second, operator.index(offset)), view=True)


@implements("trace")
def trace(a: Any, offset: Any = 0, axis1: Any = 0, axis2: Any = 1, dtype: Any = None) -> Any:
    return np.sum(diagonal(a, offset, axis1, axis2), axis=-1, dtype=dtype)


@implements("diag")
def diag(v: Any, k: Any = 0) -> Any:
    array, k = as_array(v), operator.index(k)
    if array.ndim == 2:
        return diagonal(array, k)
    if array.ndim != 1:
        raise ValueError(f"{_trace.spell_location()}Input must be 1- or 2-d.")
    # A row, or a column, for each element.
    wide: Any = np.pad(array, (0, abs(k)))
    wide = expand_dims(wide, 1 if k >= 0 else 0)
    size = program.extent(array._value, 0) + abs(k)
    rows, columns = (program.iota(array._trace.builder, size, "i64", axis, 2) for axis in (0, 1))
    zero = 0.0 if array.dtype.kind == "f" else 0
    return wrap(array, program.select(program.equal(program.subtract(columns, rows), k), wide._value, zero))


@implements("diagflat")
def diagflat(v: Any, k: Any = 0) -> Any:
    return diag(np.ravel(as_array(v)), k)


@implements("linalg.diagonal")
def linalg_diagonal(x: Any, /, *, offset: Any = 0) -> Any:
    return diagonal(x, offset, -2, -1)


@implements("linalg.trace")
def linalg_trace(x: Any, /, *, offset: Any = 0, dtype: Any = None) -> Any:
    return trace(x, offset, -2, -1, dtype)


@implements("lib.stride_tricks.sliding_window_view")
def sliding_window_view(
    x: Any, window_shape: Any, axis: Any = None, *, subok: Any = False, writeable: Any = False
) -> Any:
    array = as_array(x)
    sizes = window_shape if isinstance(window_shape, (tuple, list)) else (window_shape,)
    axes = range(array.ndim) if axis is None else axis if isinstance(axis, (tuple, list)) else (axis,)
    if len(sizes) != len(axes):
        raise ValueError(f"{_trace.spell_location()}Must provide matching length window_shape and axis")
    value = array._value
    for size, at in zip(sizes, axes):
        if not isinstance(size, (int, np.integer)):
            raise _trace.refuse("a window whose size is no number", "give a number")
        at = spell_axis(at, array.ndim)
        value = program.windows(value, at, int(size))
    return wrap(array, value, view=True)


@implements("kron")
def kron(a: Any, b: Any) -> Any:
    trace = find_trace((a, b))
    a, b = (to_array(trace, v) for v in (a, b))
    rank = max(a.ndim, b.ndim)
    a, b = (expand_dims(v, tuple(range(rank - v.ndim))) for v in (a, b))
    shape = [n * m for n, m in zip(program.extents(a._value), program.extents(b._value))]
    product = np.multiply(expand_dims(a, tuple(range(1, 2 * rank, 2))), expand_dims(b, tuple(range(0, 2 * rank, 2))))
    return TracedArray(trace, program.reshape(product._value, shape)) if rank else np.multiply(a, b)
