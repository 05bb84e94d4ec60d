"""x[...] = y and x += y: writes to arrays without values."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _program as program
from .._program import Value
from .._tensors import _counted
from . import _trace
from ._array import TracedArray, element_of
from ._functions import full_of, implements
from ._indexing import find_slices, get_items, is_whole_mask, require_masks
from ._memory import number_elements
from ._ufuncs import RUNNING, has_traced, to_array, to_operand, translate_errors


def require_writeable(array: TracedArray, instead: str) -> None:
    """Raises an error where a write would be seen outside of the trace, or by arrays of which that is not known."""
    if array._is_argument:
        raise _trace.refuse("a write to an argument", instead)
    memory = array._memory
    if array._trace.builder.scope != (array._scope if memory is None else memory.scope):
        raise _trace.refuse(
            "a write in the body of a loop to an array from outside", "carry it, and give what the body makes of it"
        )
    if array._is_kept == "carried":
        raise _trace.refuse(
            "a write to what a loop carries", "begin the body with an array of its own: x = np.copy(x), and give that"
        )
    if array._is_kept == "given":
        raise _trace.refuse("a write to what a loop gives, an array or a number by how many steps there are,", instead)
    if array._is_kept or (memory is not None and not memory.is_certain()):
        raise _trace.refuse("a write to an array that shares elements with another", instead)


def _put(whole: Value, places: Value, update: Value, combine: str | None = None) -> Value:
    """Returns a tensor with an update at places of the flat one, or with `combine`, as `scatter` takes it, with what
    the elements there and the update are together."""
    flat = _counted.flatten(whole)
    update = _drop_axes(update, places.rank)
    update = program.broadcast_to(update, program.extents(places)) if places.rank else update
    written = program.scatter(
        flat, _counted.flatten(update), [(_counted.flatten(places), [0])], combine, from_end=False
    )
    return written if whole.rank == 1 else program.reshape(written, program.extents(whole))


def _drop_axes(update: Value, rank: int) -> Value:
    """Returns an update with at most `rank` axes; those in front that are left out have one element."""
    extra = list(range(update.rank - rank))
    for axis in extra:
        message = f"axis {axis} of what is written has extent {{0}}, and there is no axis of the array for it"
        size = program.extent(update, axis)
        if isinstance(size, int) and size != 1:
            raise ValueError(_trace.spell_location() + message.format(size))
        program.require(update.builder, "eq", size, 1, message)
    return program.squeeze(update, extra) if extra else update


def _put_number(whole: TracedArray, key: Any, update: Value) -> Value | None:
    """Returns a tensor with one number where a mask of all axes holds; None of other keys and updates."""
    if update.rank or not is_whole_mask(whole, key):
        return None
    require_masks(whole, key)
    return program.select(key._value, update, whole._value)


def _put_slices(whole: TracedArray, key: Any, update: Value) -> Value | None:
    """Returns a tensor with an update in place of a part that numbers and slices of steps of 1 select; None of other
    keys."""
    slices = None if is_whole_mask(whole, key) else find_slices(whole, key)
    if slices is None:
        return None
    rank = whole.ndim
    kept = [axis for axis in range(rank) if not slices[axis].is_number]
    update = _drop_axes(update, len(kept))
    if kept:
        update = program.broadcast_to(update, [slices[axis].count for axis in kept])
    update = program.expand(update, [axis for axis in range(rank) if axis not in kept])

    def put(part: Value, axis: int) -> Value:
        if axis == rank:
            return update
        start, count, _ = slices[axis]
        if start is None:
            return put(part, axis + 1)
        inner = put(program.take_slice(part, axis, start, count), axis + 1)
        return program.put_slice(part, inner, axis, start)

    return put(whole._value, 0)


def set_items(array: TracedArray, key: Any, given: Any, combine: str | None = None) -> None:
    """Computes array[key] = given; with `combine`, 'sum', 'product', 'max' or 'min', the elements become that of what
    they are and of each element that is given for them."""
    require_writeable(array, "make an array of its own: x = np.copy(x)")
    if array._is_number():
        raise _trace.refuse("a write to a number", "make an array of it: x = np.copy(x)")
    builder = _trace.enter(array._trace)
    with builder.naming("numpy.setitem"), translate_errors():
        update = _as_update(array, given)
        memory = array._memory
        whole = array._value if memory is None else memory.value
        made = None
        if array._value is whole and combine is None:
            base = TracedArray(array._trace, whole)
            made = _put_number(base, key, update) or _put_slices(base, key, update)
        if made is None:
            numbers = number_elements(whole) if memory is None else memory.find_places(array)
            places = get_items(TracedArray(array._trace, numbers), key)._value
            made = _put(whole, places, update, combine)
    set_whole(array, made)


def _as_update(array: TracedArray, given: Any) -> Value:
    """Returns what is written, in the array's type, as NumPy casts it."""
    if has_traced(given):
        given = to_array(array._trace, given) if isinstance(given, (list, tuple)) else given
        if not isinstance(given, TracedArray) or given._weak is not None:
            made = to_operand(array._trace, given, array.dtype)
            return made if isinstance(made, Value) else full_of(array._trace, (), given, array.dtype)._value
        return program.cast(given._value, element_of(array.dtype))
    try:
        if not isinstance(given, np.ndarray):
            # NumPy looks at each number of a list, and casts arrays.
            made = np.empty(np.shape(given), array.dtype)
            made[...] = given
            given = made
        given = given.astype(array.dtype)
    except (OverflowError, TypeError, ValueError) as error:
        raise type(error)(f"{_trace.spell_location()}{error}") from None
    return to_array(array._trace, given)._value


def set_whole(array: TracedArray, value: Value) -> None:
    """Gives the array's memory a new value of all elements."""
    if array._memory is None:
        array._value = value
    else:
        array._memory.set(value)


def change(array: TracedArray, value: Value) -> None:
    """Gives an array a new value of its own shape and type, and all that share its elements theirs."""
    memory = array._memory
    if memory is not None and array._value is not memory.value:
        value = _put(memory.value, memory.find_places(array), value)
    set_whole(array, value)


# NumPy's functions that write.


def _of_trace(array: Any) -> TracedArray:
    """Returns an array that is written to."""
    if isinstance(array, TracedArray):
        return array
    raise _trace.refuse(
        "a write to an array of NumPy's", "begin with an array of the trace, as np.zeros_like(x, shape=(3,))"
    )


def accumulate_at(ufunc: np.ufunc, array: Any, key: Any, given: Any) -> None:
    """Computes ufunc.at(array, key, given)."""
    written = _of_trace(array)
    joint = np.result_type(written.dtype, given.dtype if isinstance(given, TracedArray) else np.asarray(given).dtype)
    if written.dtype == np.bool_ or (joint != written.dtype and not np.isscalar(given)):
        raise _trace.refuse(
            f"np.{ufunc.__name__}.at of {joint} into {written.dtype}", "cast what is given: y.astype(x.dtype)"
        )
    set_items(written, key, given, RUNNING[ufunc.__name__])


@implements("fill_diagonal")
def fill_diagonal(a: Any, val: Any, wrap: Any = False) -> None:
    array = _of_trace(a)
    if array.ndim != 2 or wrap:
        raise _trace.refuse("np.fill_diagonal of other than two axes, or with wrap=", "write x[i, i] = value")
    sizes = program.extents(array._value)
    line = TracedArray(array._trace, program.iota(array._trace.builder, program.smallest(*sizes), "i64"))
    set_items(array, (line, line), val)
