"""NumPy's reductions over arrays without values."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _program as program
from . import _trace
from ._array import TracedArray, element_of
from ._functions import as_array, cast, implements, is_axis_of_number, spell_axes, spell_axis
from ._ufuncs import to_array, to_operand


def _reduce(kind: Any, a: Any, axis: Any, keepdims: Any, dtype: Any = None) -> TracedArray:
    array = as_array(a)
    if dtype is not None:
        array = cast(array, dtype)
    value = program.reduce(kind, array._value, _spell_reduced(axis, array.ndim), bool(keepdims))
    return TracedArray(array._trace, value)


def _spell_reduced(axis: Any, rank: int) -> list[int]:
    """Returns the axes of a reduction that is a universal function's."""
    return [] if is_axis_of_number(axis, rank) else spell_axes(axis, rank)


def _masked(a: Any, where: Any, number: Any) -> Any:
    """Returns the array with a number in place of what is left out."""
    if where is True:
        return a
    array = as_array(a, (where,))
    mask = as_array(where, (a,))
    if mask.dtype != np.bool_:
        raise TypeError(f"{_trace.spell_location()}where= is an array of bool, not of {mask.dtype}")
    return np.where(np.broadcast_to(mask, array.shape), array, array.dtype.type(number))


def require_initial(where: Any, initial: Any, name: str) -> None:
    """Requires `initial=` for an extreme of the elements of a mask, which may have none."""
    if where is not True and initial is None:
        raise ValueError(
            f"{_trace.spell_location()}reduction operation '{name}' does not have an identity, so to use a where mask "
            "one has to specify 'initial'"
        )


def _least(array: TracedArray, kind: str) -> Any:
    """Returns the number that changes no extreme of others."""
    if program.is_float(element_of(array.dtype)):
        end = array.dtype.type(-np.inf if kind == "max" else np.inf)
        # float8_e4m3fn has no infinities.
        return (
            end if not np.isnan(end) else program.largest_float(element_of(array.dtype)) * (-1 if kind == "max" else 1)
        )
    if array.dtype == np.bool_:
        return kind != "max"
    return program.limits(element_of(array.dtype))[kind != "max"]


def _sum_type(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Returns the type that NumPy sums in: at least 64 bits of integers."""
    return np.add.reduce(np.empty(0, dtype)).dtype if dtype.kind in "biu" else dtype


def _plus_initial(result: Any, initial: Any, ufunc: np.ufunc) -> Any:
    """Returns the result with one more element, which gets its type as in NumPy."""
    if initial is None:
        return result
    if result.dtype.kind in "iu" and type(initial) in (int, float):
        # The type must have it.
        return ufunc(result, int(initial))
    return ufunc(result, cast(to_array(result._trace, initial), result.dtype))


@implements("sum")
def sum(
    a: Any, axis: Any = None, dtype: Any = None, *, keepdims: Any = False, initial: Any = None, where: Any = True
) -> Any:
    a = _masked(a, where, 0)
    found = _reduce("sum", a, axis, keepdims, dtype or _sum_type(as_array(a).dtype))
    return _plus_initial(found, initial, np.add)


@implements("prod")
def prod(
    a: Any, axis: Any = None, dtype: Any = None, *, keepdims: Any = False, initial: Any = None, where: Any = True
) -> Any:
    a = _masked(a, where, 1)
    found = _reduce("product", a, axis, keepdims, dtype or _sum_type(as_array(a).dtype))
    return _plus_initial(found, initial, np.multiply)


def _extreme(kind: Any, a: Any, axis: Any, keepdims: Any, initial: Any) -> Any:
    array = as_array(a)
    axes = _spell_reduced(axis, array.ndim)
    if initial is None:
        _require_elements(array, axes, "zero-size array to a reduction that has no identity")
    if array.dtype == np.bool_:
        found = _reduce({"max": "any", "min": "all"}[kind], array, axis, keepdims)
    else:
        found = _reduce(kind, array, axis, keepdims)
    ufunc = np.maximum if kind == "max" else np.minimum
    return _plus_initial(found, initial, ufunc)


def _require_elements(array: TracedArray, axes: Any, message: str) -> None:
    """Requires an element to reduce, also where there is no result, as NumPy has it."""
    inner = program.product(program.extent(array._value, axis) for axis in axes)
    program.require_either(array._trace.builder, (("sgt", inner, 0),), message)


@implements("max", "amax")
def max(a: Any, axis: Any = None, *, keepdims: Any = False, initial: Any = None, where: Any = True) -> Any:
    require_initial(where, initial, "maximum")
    a = _masked(a, where, _least(as_array(a), "max"))
    return _extreme("max", a, axis, keepdims, initial)


@implements("min", "amin")
def min(a: Any, axis: Any = None, *, keepdims: Any = False, initial: Any = None, where: Any = True) -> Any:
    require_initial(where, initial, "minimum")
    a = _masked(a, where, _least(as_array(a), "min"))
    return _extreme("min", a, axis, keepdims, initial)


@implements("ptp")
def ptp(a: Any, axis: Any = None, *, keepdims: Any = False) -> Any:
    return np.subtract(max(a, axis, keepdims=keepdims), min(a, axis, keepdims=keepdims))


@implements("all")
def all(a: Any, axis: Any = None, *, keepdims: Any = False, where: Any = True) -> Any:
    a = _masked(cast(as_array(a, (where,)), np.bool_), where, True)
    return _reduce("all", a, axis, keepdims, np.bool_)


@implements("any")
def any(a: Any, axis: Any = None, *, keepdims: Any = False, where: Any = True) -> Any:
    a = _masked(cast(as_array(a, (where,)), np.bool_), where, False)
    return _reduce("any", a, axis, keepdims, np.bool_)


@implements("count_nonzero")
def count_nonzero(a: Any, axis: Any = None, *, keepdims: Any = False) -> Any:
    return _reduce("sum", cast(as_array(a), np.bool_), axis, keepdims, np.int64)


def _mean_type(array: TracedArray, dtype: Any) -> np.dtype[Any]:
    if dtype is not None:
        return np.dtype(dtype)
    return np.dtype(np.float64) if array.dtype.kind in "biu" else array.dtype


@implements("mean")
def mean(a: Any, axis: Any = None, dtype: Any = None, *, keepdims: Any = False, where: Any = True) -> Any:
    array = as_array(a)
    result = _mean_type(array, dtype)
    if where is not True and program.is_float(element_of(result)):
        return _mean_where(array, axis, result, keepdims, where)
    if where is not True:
        raise _trace.refuse("np.mean with where= and a type of integers", "cast the result")
    if result.kind in "biu":
        # The sum is of this type; the quotient is rounded toward zero to it.
        total = _reduce("any" if result.kind == "b" else "sum", array, axis, keepdims, result)
        count = program.product(program.extent(array._value, i) for i in spell_axes(axis, array.ndim))
        total = cast(total, np.float64)
        return cast(TracedArray(array._trace, program.divide(total._value, count)), result)
    array = cast(array, result)
    value = program.mean(array._value, spell_axes(axis, array.ndim), bool(keepdims))
    return TracedArray(array._trace, value)


def _mean_where(array: TracedArray, axis: Any, result: np.dtype[Any], keepdims: Any, where: Any) -> TracedArray:
    """Returns the mean of what a mask says."""
    wide = np.dtype(np.float32) if result == np.float16 else result
    count = sum(np.broadcast_to(where, array.shape), axis, np.int64, keepdims=keepdims)
    total = sum(cast(array, wide), axis, keepdims=keepdims, where=where)
    return cast(np.divide(total, cast(count, wide)), result)


def var_where(array: TracedArray, axis: Any, ddof: Any, keepdims: Any, mean: Any, where: Any) -> tuple[Any, Any]:
    """Returns the variance of what a mask says, in the array's type, and of how many that is."""
    number = sum(np.broadcast_to(where, array.shape), axis, np.int64, keepdims=True)
    if mean is None:
        total = lambda value: sum(TracedArray(array._trace, value), axis, keepdims=True, where=where)._value
        count = cast(number, array.dtype)._value
        apart: Any = TracedArray(array._trace, program.sum_deviations(array._value, count, total)[1])
    else:
        apart = sum(np.square(array - mean), axis, keepdims=True, where=where)
    if not keepdims:
        apart, number = (np.squeeze(each, tuple(spell_axes(axis, array.ndim))) for each in (apart, number))
    return np.divide(apart, np.maximum(cast(number, array.dtype) - ddof, 0)), number


@implements("average")
def average(a: Any, axis: Any = None, weights: Any = None, returned: Any = False, *, keepdims: Any = False) -> Any:
    if returned:
        raise _trace.refuse("returned=True of 'numpy.average'", "compute np.sum(weights) besides")
    if weights is None:
        return mean(a, axis, keepdims=keepdims)
    array, weights = as_array(a, (weights,)), as_array(weights, (a,))
    if weights.ndim != array.ndim:
        if weights.ndim != 1 or axis is None:
            raise TypeError(f"{_trace.spell_location()}axis must be specified when shapes of a and weights differ")
        at = spell_axis(axis, array.ndim)
        value = program.expand(weights._value, [i for i in range(array.ndim) if i != at])
        weights = TracedArray(array._trace, value)
        program.require_shape(
            program.squeeze(value, [i for i in range(array.ndim) if i != at]), [program.extent(array._value, at)]
        )
    else:
        program.require_shape(weights._value, program.extents(array._value))
    joint = np.result_type(array.dtype, weights.dtype, *([np.float64] if array.dtype.kind in "biu" else []))
    array, weights = cast(array, joint), cast(weights, joint)
    found = sum(np.multiply(array, weights), axis, keepdims=keepdims)
    return np.divide(found, sum(weights, axis, keepdims=keepdims))


@implements("var")
def var(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    *,
    ddof: Any = 0,
    correction: Any = None,
    keepdims: Any = False,
    mean: Any = None,
    where: Any = True,
) -> Any:
    array = as_array(a)
    result = _mean_type(array, dtype)
    wide = np.dtype(np.float32) if result == np.float16 else result
    array = cast(array, wide)
    if where is not True:
        ddof = ddof if correction is None else correction
        return cast(var_where(array, axis, ddof, keepdims, mean, where)[0], result)
    axes = spell_axes(axis, array.ndim)
    ddof = ddof if correction is None else correction
    if mean is None:
        value = program.moments(array._value, axes, ddof)[1]
        value = value if keepdims else program.squeeze(value, axes)
    else:
        apart = program.square(program.subtract(array._value, to_operand(array._trace, mean, wide)))
        number = program.degrees_of_freedom(array._value, program.count(array._value, axes), ddof)
        value = program.divide(program.sum(apart, axes, bool(keepdims)), number)
    return cast(TracedArray(array._trace, value), result)


@implements("std")
def std(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    *,
    ddof: Any = 0,
    correction: Any = None,
    keepdims: Any = False,
    mean: Any = None,
    where: Any = True,
) -> Any:
    result = _mean_type(as_array(a), dtype)
    wide = np.float32 if result == np.float16 else result
    found = np.sqrt(var(a, axis, wide, ddof=ddof, correction=correction, keepdims=keepdims, mean=mean, where=where))
    return cast(found, result)


def _arg(code: Any, a: Any, axis: Any, keepdims: Any) -> TracedArray:
    array = as_array(a)
    value = array._value
    if axis is None or is_axis_of_number(axis, array.ndim):
        rank = array.ndim
        flat = program.reshape(value, [-1])
        _require_elements(
            TracedArray(array._trace, flat), [0], "attempt to get the index of an extreme of an empty sequence"
        )
        found = code(flat, 0)
        return TracedArray(array._trace, program.expand(found, range(rank)) if keepdims else found)
    axis = spell_axis(axis, array.ndim)
    _require_elements(array, [axis], "attempt to get the index of an extreme of an empty sequence")
    return TracedArray(array._trace, code(value, axis, bool(keepdims)))


@implements("argmax")
def argmax(a: Any, axis: Any = None, *, keepdims: Any = False) -> Any:
    return _arg(program.argmax, a, axis, keepdims)


@implements("argmin")
def argmin(a: Any, axis: Any = None, *, keepdims: Any = False) -> Any:
    return _arg(program.argmin, a, axis, keepdims)


def _scan(kind: Any, name: Any, a: Any, axis: Any, dtype: Any) -> TracedArray:
    """Returns a running sum or product; of all elements where there is no axis."""
    array = as_array(a)
    if axis is None or is_axis_of_number(axis, array.ndim):
        array = TracedArray(array._trace, program.reshape(array._value, [-1]))
        axis = 0
    dtype = _sum_type(array.dtype) if dtype is None else np.dtype(dtype)
    if dtype.kind == "b":
        raise _trace.refuse(f"{name} with dtype=bool", "compute it in int64 and compare with 0")
    axis = spell_axis(axis, array.ndim)
    return TracedArray(array._trace, program.scan(kind, cast(array, dtype)._value, axis))


@implements("cumsum")
def cumsum(a: Any, axis: Any = None, dtype: Any = None) -> Any:
    return _scan("sum", "np.cumsum", a, axis, dtype)


@implements("cumprod")
def cumprod(a: Any, axis: Any = None, dtype: Any = None) -> Any:
    return _scan("product", "np.cumprod", a, axis, dtype)


def _cumulative(code: Any, number: Any, name: Any, x: Any, axis: Any, dtype: Any, include_initial: Any) -> Any:
    array = as_array(x)
    if axis is None:
        if array.ndim != 1:
            raise ValueError(f"{_trace.spell_location()}np.{name} of {array.ndim} axes needs the argument axis")
        axis = 0
    (axis,) = spell_axes(axis, array.ndim)
    found = code(array, axis, dtype)
    if not include_initial:
        return found
    around = [(1, 0) if i == axis else (0, 0) for i in range(array.ndim)]
    return np.pad(found, around, constant_values=number)


@implements("cumulative_sum")
def cumulative_sum(x: Any, /, *, axis: Any = None, dtype: Any = None, include_initial: Any = False) -> Any:
    return _cumulative(cumsum, 0, "cumulative_sum", x, axis, dtype, include_initial)


@implements("cumulative_prod")
def cumulative_prod(x: Any, /, *, axis: Any = None, dtype: Any = None, include_initial: Any = False) -> Any:
    return _cumulative(cumprod, 1, "cumulative_prod", x, axis, dtype, include_initial)
