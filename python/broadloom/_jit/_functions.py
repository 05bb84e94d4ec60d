"""NumPy's functions over arrays without values."""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from .. import _program as program
from .._errors import TraceError
from . import _selected, _trace
from ._array import TracedArray, element_of
from ._memory import as_kind_of, share, with_memory, with_origin
from ._ufuncs import RUNNING, kind_of, resolve, size_of, to_array, to_operand, translate_errors

#: What computes each of NumPy's functions.
NUMPY: dict[Callable[..., Any], Callable[..., Any]] = {}
#: The same by their names, those that this NumPy lacks too.
NAMED: dict[str, Callable[..., Any]] = {}
#: Names of functions that only say why they cannot be traced.
REFUSED: set[str] = set()
#: Functions that give arrays also without axes, which x += 1 changes; others give numbers then.
_ARRAYS = frozenset(
    "array asarray asanyarray block broadcast_arrays broadcast_to copy empty empty_like expand_dims full full_like i0 "
    "isin lib.stride_tricks.sliding_window_view linalg.tensordot ones ones_like pad piecewise select tensordot tile "
    "unique unique_all unique_inverse where zeros zeros_like".split()
)

_Function = TypeVar("_Function", bound=Callable[..., Any])


def name_of(function: Any) -> str:
    """Returns a function's name in messages."""
    module = getattr(function, "__module__", None) or "numpy"
    return f"{module}.{getattr(function, '__name__', function)}"


def list_supported() -> list[str]:
    """Returns the names of NumPy's functions that can be traced."""
    return sorted({name_of(function).removeprefix("numpy.") for function in NUMPY} - REFUSED)


def implements(*names: str) -> Callable[[_Function], _Function]:
    """Says that a function is NumPy's of these names, where NumPy has them."""

    def register(function: _Function) -> _Function:
        called = f"numpy.{names[0]}"

        @functools.wraps(function)
        def enter(*arguments: Any, **keywords: Any) -> Any:
            if _selected.has_selected([*arguments, *keywords.values()]):
                return _selected.call(names[0], enter, arguments, keywords)
            trace = find_trace(arguments, keywords)
            builder = _trace.enter(trace)
            is_part, trace.is_in_function = trace.is_in_function, True
            with builder.naming(called), translate_errors():
                try:
                    found = function(*arguments, **keywords)
                except TypeError as error:
                    if (
                        not isinstance(error, TraceError)
                        and "argument" in str(error)
                        and function.__name__ in str(error)
                    ):
                        raise TypeError(
                            f"{_trace.spell_location()}{error}: under bl.jit, '{called}' has no others"
                        ) from None
                    raise
                finally:
                    trace.is_in_function = is_part
            return found if is_part else _give(found, with_memory if names[0] in _ARRAYS else with_origin)

        for name in names:
            NAMED[name] = enter
            owner = np
            *path, last = name.split(".")
            for part in path:
                owner = getattr(owner, part)
            if hasattr(owner, last):
                NUMPY[getattr(owner, last)] = enter
        return enter  # type: ignore[return-value]

    return register


def _give(found: Any, change: Callable[[Any], Any]) -> Any:
    """Returns results, each changed for the user."""
    if not isinstance(found, (tuple, list)):
        return change(found)
    made = map(change, found)
    return type(found)(*made) if hasattr(found, "_fields") else type(found)(made)


def find_trace(arguments: Any, keywords: Any = None) -> Any:
    """Returns the trace of the first array, or that of the thread."""
    for argument in [*arguments, *(keywords or {}).values()]:
        if hasattr(argument, "_trace"):
            return argument._trace
        if isinstance(argument, (list, tuple)):
            for inner in argument:
                if hasattr(inner, "_trace"):
                    return inner._trace
    return _trace.current()


def wrap(like: TracedArray, value: program.Value, view: bool = False) -> TracedArray:
    """Returns an array of a value. A view may share, for NumPy, the other's elements."""
    return share(like, value) if view else TracedArray(like._trace, value)


def as_array(value: Any, arguments: Any = ()) -> TracedArray:
    """Returns an operand as an array of the trace."""
    return to_array(find_trace((value, *arguments)), value)


def common_type(*values: Any) -> np.dtype[Any]:
    """Returns the element type of several operands; Python's numbers adapt."""
    kinds = [kind_of(v) for v in values]
    return np.result_type(*(k if isinstance(k, np.dtype) else k(0) for k in kinds))


def cast(array: Any, dtype: Any) -> TracedArray:
    """Returns an array of another type."""
    return TracedArray(array._trace, program.cast(array._value, element_of(dtype)))


def from_extent(trace: _trace.Trace, number: Any, element: str = "i64") -> TracedArray:
    """Returns an extent, or what is computed of extents, as an array without axes."""
    return TracedArray(trace, program.scalar(trace.builder, number, element))


def spell_axes(axis: Any, rank: int) -> list[int]:
    """Returns the axes of an argument `axis`, counted from 0; all of None."""
    if axis is None:
        return list(range(rank))
    listed = axis if isinstance(axis, (tuple, list)) else (axis,)
    if any(isinstance(a, (bool, np.bool_)) for a in listed):
        raise TypeError(f"{_trace.spell_location()}an axis is an integer, not {axis!r}")
    return program.check_axes([operator.index(a) for a in listed], rank)


def spell_axis(axis: Any, rank: int) -> int:
    """Returns the one axis of an argument, counted from 0."""
    if isinstance(axis, (tuple, list)):
        raise TypeError(f"{_trace.spell_location()}an axis is an integer, not {axis!r}")
    return spell_axes(axis, rank)[0]


def is_axis_of_number(axis: Any, rank: int) -> bool:
    """Tells whether an axis is one that NumPy lets pass for an array without axes."""
    return rank == 0 and isinstance(axis, (int, np.integer)) and axis in (0, -1)


def spell_shape(shape: Any) -> list[Any]:
    """Returns a shape as a builder takes it."""
    listed = shape if isinstance(shape, (tuple, list)) else (shape,)
    numbers = [size_of(n) for n in listed]
    if None in numbers:
        wrong = listed[numbers.index(None)]
        raise TypeError(f"{_trace.spell_location()}an extent is {wrong!r}; it must be an integer or an extent")
    return numbers


# Types and values.


@implements("astype")
def astype(x: Any, dtype: Any, /, *, copy: Any = True, device: Any = None) -> Any:
    array = as_array(x)
    made = array if not copy and array.dtype == np.dtype(dtype) else cast(array, np.dtype(dtype))
    return as_kind_of(array, made)


@implements("where")
def where(condition: Any, x: Any = None, y: Any = None, /) -> Any:
    if x is None and y is None:
        return NAMED["nonzero"](condition)
    if x is None or y is None:
        raise ValueError(f"{_trace.spell_location()}either both or neither of x and y should be given")
    condition = as_array(condition, (x, y))
    dtype = common_type(x, y)
    trace, element = condition._trace, element_of(dtype)
    chosen = program.select(
        program.cast(condition._value, "i1"), to_operand(trace, x, dtype), to_operand(trace, y, dtype), element
    )
    return TracedArray(trace, chosen)


@implements("clip")
def clip(a: Any, a_min: Any = None, a_max: Any = None, *, min: Any = None, max: Any = None) -> TracedArray:
    low, high = a_min if min is None else min, a_max if max is None else max
    array = as_array(a, (low, high))
    if array.dtype.kind in "iu":
        # A number of Python's beyond the type's ends is no limit.
        ends = np.iinfo(array.dtype)
        low = None if type(low) is int and low <= ends.min else low
        high = None if type(high) is int and high >= ends.max else high
    given = [v for v in (array, low, high) if v is not None]
    clip: np.ufunc = np._core.umath.clip  # type: ignore[attr-defined]
    ufunc: np.ufunc = [np.positive, np.minimum if low is None else np.maximum, clip][len(given) - 1]
    dtype = resolve(ufunc, given)[1][0]
    low, high = (None if v is None else to_operand(array._trace, v, dtype) for v in (low, high))
    return TracedArray(array._trace, program.clip(program.cast(array._value, element_of(dtype)), low, high))


@implements("nan_to_num")
def nan_to_num(x: Any, copy: Any = True, nan: Any = 0.0, posinf: Any = None, neginf: Any = None) -> Any:
    if not copy:
        raise _trace.refuse("np.nan_to_num with copy=False", "write it: x[...] = np.nan_to_num(x)")
    array = as_array(x)
    if not np.issubdtype(array.dtype, np.inexact):
        return wrap(array, array._value)
    limits = np.finfo(array.dtype)
    high = float(limits.max) if posinf is None else posinf
    low = float(limits.min) if neginf is None else neginf
    # What stands for one of them is not replaced again.
    given = array._value
    value = program.select(program.isnan(given), float(nan), given)
    value = program.select(program.equal(given, math.inf), float(high), value)
    return wrap(array, program.select(program.equal(given, -math.inf), float(low), value))


@implements("round", "around")
def round(a: Any, decimals: Any = 0) -> Any:
    array, decimals = as_array(a), operator.index(decimals)
    if array.dtype.kind in "iu" and decimals >= 0:
        # NumPy gives the array itself, or its number.
        return array if array.ndim else wrap(array, array._value)
    if decimals == 0:
        return np.rint(array)
    scale = 10.0 ** abs(decimals)
    if array.dtype == np.bool_:
        raise TypeError(
            f"{_trace.spell_location()}a rounded array of bool is one of float64, which NumPy does not cast to bool"
        )
    if array.dtype.kind in "iu":
        return cast(np.rint(cast(array, np.float64) / scale) * scale, array.dtype)
    found = np.rint(array * scale) / scale if decimals > 0 else np.rint(array / scale) * scale
    return cast(found, array.dtype)


@implements("isclose")
def isclose(a: Any, b: Any, rtol: Any = 1e-5, atol: Any = 1e-8, equal_nan: Any = False) -> Any:
    if type(b) is int:
        b = float(b)
    a, b = as_array(a, (b,)), as_array(b, (a,))
    if not b._weak:
        # Floats have the difference and the size of all integers.
        b = cast(b, np.result_type(b.dtype, 1.0))
    near = np.logical_and(np.less_equal(np.absolute(a - b), atol + rtol * np.absolute(b)), np.isfinite(b))
    near = np.logical_or(near, np.equal(a, b))
    return np.logical_or(near, np.logical_and(np.isnan(a), np.isnan(b))) if equal_nan else near


@implements("copy")
def copy(a: Any, order: Any = "K", subok: Any = False) -> Any:
    # Values do not change, so that it is the same array with memory of its own.
    return wrap(as_array(a), as_array(a)._value)


@implements("real")
def real(val: Any) -> Any:
    return as_array(val)


# Arrays of one number.


def _filled(like: TracedArray, number: Any, dtype: Any, shape: Any = None) -> TracedArray:
    numbers = like._extents if shape is None else spell_shape(shape)
    return full_of(like._trace, numbers, number, dtype or like.dtype)


def full_of(trace: _trace.Trace, shape: Any, number: Any, dtype: Any) -> TracedArray:
    """Returns an array of one number, or of what a number under trace is."""
    element = element_of(dtype)
    value = to_operand(trace, number, np.dtype(dtype))
    if not isinstance(value, program.Value):
        value = (
            trace.builder.constant(np.asarray(value, np.dtype(dtype)), element)
            if isinstance(value, (bool, int, float))
            else program.scalar(trace.builder, value, element)
        )
    return TracedArray(trace, program.broadcast_to(value, shape))


@implements("zeros_like")
def zeros_like(
    a: Any, dtype: Any = None, order: Any = "K", subok: Any = True, shape: Any = None, *, device: Any = None
) -> Any:
    return _filled(as_array(a), 0, dtype, shape)


@implements("ones_like")
def ones_like(
    a: Any, dtype: Any = None, order: Any = "K", subok: Any = True, shape: Any = None, *, device: Any = None
) -> Any:
    return _filled(as_array(a), 1, dtype, shape)


@implements("empty_like")
def empty_like(
    prototype: Any, dtype: Any = None, order: Any = "K", subok: Any = True, shape: Any = None, *, device: Any = None
) -> Any:
    return zeros_like(prototype, dtype, shape=shape)


@implements("full_like")
def full_like(
    a: Any,
    fill_value: Any,
    dtype: Any = None,
    order: Any = "K",
    subok: Any = True,
    shape: Any = None,
    *,
    device: Any = None,
) -> Any:
    return _filled(as_array(a), fill_value, dtype, shape)


# Methods of universal functions.


def accumulate(ufunc: np.ufunc, array: Any, axis: Any = 0, *, dtype: Any = None) -> TracedArray:
    """Returns ufunc.accumulate(array)."""
    array = as_array(array)
    builder = _trace.enter(array._trace)
    with builder.naming(f"numpy.{ufunc.__name__}.accumulate"), translate_errors():
        # NumPy itself says in which type.
        found = np.dtype(dtype) if dtype is not None else ufunc.accumulate(np.ones(1, array.dtype)).dtype
        kind = RUNNING[ufunc.__name__]
        if array.dtype == np.bool_ and kind in ("max", "min"):
            return cast(accumulate(ufunc, cast(array, np.int8), axis), np.bool_)
        (axis,) = spell_axes(axis, array.ndim)
        return TracedArray(array._trace, program.scan(kind, program.cast(array._value, element_of(found)), axis))


def outer_of(ufunc: np.ufunc, x: Any, y: Any, *, dtype: Any = None) -> Any:
    """Returns ufunc.outer(x, y)."""
    x, y = as_array(x, (y,)), as_array(y, (x,))
    # NumPy makes arrays of numbers first.
    x, y = (TracedArray(v._trace, v._value) for v in (x, y))
    wide = program.expand(x._value, range(x.ndim, x.ndim + y.ndim))
    return ufunc(TracedArray(x._trace, wide), y, **({} if dtype is None else {"dtype": dtype}))


# What is known of it.


@implements("size")
def size(a: Any, axis: Any = None) -> Any:
    array = as_array(a)
    return array.size if axis is None else array.shape[axis]


@implements("shape")
def shape(a: Any) -> Any:
    return as_array(a).shape


@implements("ndim")
def ndim(a: Any) -> Any:
    return as_array(a).ndim
