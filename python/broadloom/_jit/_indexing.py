"""x[...] with numbers, slices, None, Ellipsis, arrays of integers, and masks."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .. import _program as program
from .._tensors import _counted
from . import _trace
from ._array import TracedArray
from ._extent import TracedExtent, number_of
from ._memory import share, with_memory
from ._ufuncs import has_traced, size_of, to_array, translate_errors


def _expand_ellipsis(key: Any, rank: int) -> list[Any]:
    """Returns one entry for each axis, and None for new ones."""
    entries = list(key) if isinstance(key, tuple) else [key]
    dots = [i for i, entry in enumerate(entries) if entry is Ellipsis]
    if len(dots) > 1:
        raise IndexError(f"{_trace.spell_location()}an index can only have a single ellipsis ('...')")
    used = sum(entry is not None and entry is not Ellipsis for entry in entries)
    if used > rank:
        raise IndexError(
            f"{_trace.spell_location()}too many indices for array: array is {rank}-dimensional, but {used} were indexed"
        )
    at = dots[0] if dots else len(entries)
    return entries[:at] + [slice(None)] * (rank - used) + entries[at + 1 :]


def _is_apart(key: Any) -> bool:
    """Tells whether something stands between numbers and arrays of an index, so that the axes of these come first. An
    ellipsis does also where it is no axis."""
    entries = key if isinstance(key, tuple) else (key,)
    at = [i for i, e in enumerate(entries) if e is not None and e is not Ellipsis and not isinstance(e, slice)]
    return at != list(range(at[0], at[-1] + 1))


class _Picked(NamedTuple):
    """The indices that a mask picks of an axis, and how many elements the mask has along it."""

    indices: Any
    size: Any


def _find_mask(array: TracedArray, entry: Any) -> Any:
    """Returns an entry of a key that is a mask, as an array; None of any other."""
    if isinstance(entry, (list, np.ndarray)):
        entry = to_array(array._trace, entry) if has_traced(entry) else np.asarray(no_indices(entry))
    is_array = isinstance(entry, (TracedArray, np.ndarray))
    return entry if is_array and entry.ndim and entry.dtype == np.bool_ else None


def _open_masks(array: TracedArray, key: Any) -> Any:
    """Returns a key with indices in place of masks."""
    opened: list[Any] = []
    for entry in key if isinstance(key, tuple) else (key,):
        mask = _find_mask(array, entry)
        if mask is None:
            opened.append(entry)
        elif isinstance(mask, TracedArray):
            sizes = program.extents(mask._value)
            places = _counted.split_places(_counted.positions(_counted.flatten(mask._value)), sizes)
            opened += (_Picked(TracedArray(array._trace, at), size) for at, size in zip(places, sizes))
        else:
            opened += map(_Picked, mask.nonzero(), mask.shape)
    return tuple(opened) if any(isinstance(entry, _Picked) for entry in opened) else key


def _check_masks(array: TracedArray, entries: list[Any]) -> list[Any]:
    """Returns the entries, of which masks have as many elements as the axes, which a call checks."""
    checked, axis = [], 0
    for entry in entries:
        if isinstance(entry, _Picked):
            require_mask(array, program.extent(array._value, axis), entry.size, axis)
            entry = entry.indices
        checked.append(entry)
        axis += entry is not None
    return checked


def require_mask(array: TracedArray, size: Any, count: Any, axis: int) -> None:
    """Requires that a mask has as many elements as the axis, of `size`."""
    message = (
        f"boolean index did not match indexed array along axis {axis}; size of axis is {{0}} but size of corresponding "
        "boolean axis is {1}"
    )
    if isinstance(size, int) and isinstance(count, int) and size != count:
        raise IndexError(_trace.spell_location() + message.format(size, count))
    program.require(array._trace.builder, "eq", size, count, message)


def _has_ellipsis(key: Any) -> bool:
    return any(entry is Ellipsis for entry in (key if isinstance(key, tuple) else (key,)))


def require_masks(array: TracedArray, mask: TracedArray) -> None:
    """Requires that a mask of all axes has the array's extents."""
    for axis, (size, count) in enumerate(zip(program.extents(array._value), program.extents(mask._value))):
        require_mask(array, size, count, axis)


def is_whole_mask(array: TracedArray, key: Any) -> bool:
    """Tells whether a key is one traced mask of all axes, or a truth where there are none."""
    return isinstance(key, TracedArray) and key.dtype == np.bool_ and key.ndim == array.ndim


def _select(array: TracedArray, mask: TracedArray) -> TracedArray:
    """Returns array[mask] of a mask of all axes."""
    require_masks(array, mask)
    flat, marks = _counted.flatten(array._value), _counted.flatten(mask._value)
    return TracedArray(array._trace, program.take(flat, _counted.positions(marks), 0, from_end=False))


def get_items(array: TracedArray, key: Any) -> TracedArray:
    """Returns array[key]."""
    builder = _trace.enter(array._trace)
    with builder.naming("numpy.getitem"), translate_errors():
        if is_whole_mask(array, key):
            return _select(array, key)
        key = _open_masks(array, key)
        entries = _expand_ellipsis(key, array.ndim)
        entries = _check_masks(array, entries)
        value, axis, view = array._value, 0, True
        arrays = sum(
            entry is not None and not isinstance(entry, slice) and number_of(entry) is None for entry in entries
        )
        if arrays > 1 or (arrays and _is_apart(key)):
            return TracedArray(array._trace, _pick_several(array, value, entries, _is_apart(key)))
        for entry in entries:
            if entry is None:
                value = program.expand(value, [axis])
                axis += 1
            elif isinstance(entry, slice):
                value = _slice(value, axis, entry)
                axis += 1
            elif (number := number_of(entry)) is not None:
                value = _pick_one(array, value, axis, number)
            else:
                view = False
                indices = _to_indices(array, entry)
                value, axis = program.take(value, indices, axis), axis + indices.rank
        if value.rank == 0 and not _has_ellipsis(key):
            # NumPy gives a number of its own.
            view = False
        if array._is_number() and _has_ellipsis(key) and not array._trace.is_in_function:
            made: TracedArray = with_memory(TracedArray(array._trace, value))
            return made
        if not view:
            # Of an integer array without axes, NumPy makes a view if it is one of its numbers.
            may_be_view = value.rank > 0 and not any(map(_has_axes, entries))
            return share(array, value) if may_be_view else TracedArray(array._trace, value)
        # A view keeps the array that it is of no longer than its other names.
        trace, kept = array._trace, tuple(map(_freeze, entries))
        return share(array, value, lambda whole: get_items(TracedArray(trace, whole), kept)._value)


def _has_axes(entry: Any) -> bool:
    if isinstance(entry, (list, tuple)):
        return True
    return entry is not None and not isinstance(entry, slice) and number_of(entry) is None and np.ndim(entry) > 0


def _freeze(entry: Any) -> Any:
    """Returns an entry of a key that later writes to what it is made of leave as it is."""
    if isinstance(entry, slice):
        return slice(*map(_freeze, (entry.start, entry.stop, entry.step)))
    return TracedArray(entry._trace, entry._value) if isinstance(entry, TracedArray) else entry


def _bound(value: Any) -> Any:
    if value is None:
        return None
    number = size_of(value)
    if number is None:
        raise _trace.refuse(
            "a slice whose ends are no numbers",
            "give numbers, extents or integer arrays without axes: x[: x.shape[0] // 2], x[: np.sum(mask)]",
        )
    return number


def _slice(value: Any, axis: int, entry: slice) -> Any:
    step = 1 if entry.step is None else entry.step
    if isinstance(step, TracedExtent) or number_of(step) is None:
        raise _trace.refuse("a slice whose step is no number", "give a number")
    return program.slice_axis(value, axis, _bound(entry.start), _bound(entry.stop), int(step))


class Slice(NamedTuple):
    """What a key selects of an axis, in steps of 1: `count` indices from `start` on; all where there is no start. The
    axis of a number disappears."""

    start: Any
    count: Any
    is_number: bool


def find_slices(array: TracedArray, key: Any) -> list[Slice] | None:
    """Returns what a key of numbers and slices selects of each axis; None of a key with anything else."""
    entries = _expand_ellipsis(key, array.ndim)
    if any(entry is None for entry in entries):
        # A new axis is none of the array.
        return None
    found = []
    for axis, entry in enumerate(entries):
        size = program.extent(array._value, axis)
        if isinstance(entry, slice) and (entry.step is None or (type(entry.step) is int and entry.step == 1)):
            is_whole = entry.start is None and entry.stop is None
            start, count = program.find_slice(size, _bound(entry.start), _bound(entry.stop), 1)
            found.append(Slice(None if is_whole else start, count, False))
        elif not isinstance(entry, slice) and (number := number_of(entry)) is not None:
            found.append(Slice(spell_index(array, number, axis, size, size - 1), 1, True))
        else:
            return None
    return found


def spell_index(array: TracedArray, index: Any, axis: int, size: Any, last: Any) -> Any:
    """Returns an index of an axis from 0 to `last`, of one that counts from the end where it is negative."""
    builder, given = array._trace.builder, index
    message = f"index {{0}} is out of bounds for axis {axis} with size {{1}}"
    index = program.from_start(given, size)
    for predicate, end in (("sge", 0), ("sle", last)):
        if not isinstance(index, int) or not isinstance(end, int):
            numbers = [program.index(builder, n) for n in (given, size)]
            builder.require(program.compare(predicate, index, end), message, numbers)
        elif not (index >= end if predicate == "sge" else index <= end):
            raise IndexError(_trace.spell_location() + message.format(given, size))
    return index


def _pick_one(array: TracedArray, value: Any, axis: int, number: Any) -> Any:
    """Returns one index of an axis, which disappears."""
    size = program.extent(value, axis)
    start = spell_index(array, number, axis, size, size - 1)
    return program.squeeze(program.take_slice(value, axis, start, 1), [axis])


def _pick_several(array: TracedArray, value: Any, entries: Any, is_apart: bool) -> Any:
    """Picks elements by several arrays of indices, which broadcast together with numbers. Their axes come first where
    they stand apart."""
    axes, picked = [], []
    for axis, entry in enumerate(entries):
        if entry is None:
            value = program.expand(value, [axis])
        elif isinstance(entry, slice):
            value = _slice(value, axis, entry)
        else:
            axes.append(axis)
            picked.append(_to_indices(array, entry))
    found = program.pick(value, axes, picked)
    if not is_apart or axes != list(range(axes[0], axes[-1] + 1)):
        return found
    # An ellipsis that is no axis stands between them.
    joint = list(range(axes[0], axes[0] + max(indices.rank for indices in picked)))
    return program.transpose(found, joint + [axis for axis in range(found.rank) if axis not in joint])


def no_indices(entry: Any) -> Any:
    """Returns a list without elements as indices, which NumPy's array of it is not; anything else as it is."""
    is_empty = isinstance(entry, (list, tuple)) and not has_traced(entry) and np.size(entry) == 0
    return np.empty(np.shape(entry), np.int64) if is_empty else entry


def _to_indices(array: TracedArray, entry: Any) -> Any:
    indices = to_array(array._trace, no_indices(entry))
    if indices.dtype == np.bool_:
        raise _trace.refuse("an index of bool without axes", "use np.where")
    if indices.dtype.kind not in "iu":
        raise IndexError(
            f"{_trace.spell_location()}only integers, slices (`:`), ellipsis (`...`), None and integer "
            f"arrays are valid indices, not {indices.dtype}"
        )
    return indices._value
