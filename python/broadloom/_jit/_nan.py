"""NumPy's functions that leave NaN out, over arrays without values."""

from __future__ import annotations

import math
from typing import Any, NoReturn

import numpy as np

from . import _trace
from ._array import TracedArray
from ._functions import REFUSED, as_array, cast, implements
from ._reductions import all, max, mean, min, prod, require_initial, sum, var, var_where


def _is_number(array: TracedArray, where: Any = True) -> Any:
    """Returns the mask of elements that count: those of the mask `where` that are not NaN."""
    if array.dtype.kind != "f":
        return where
    is_number = np.logical_not(np.isnan(array))
    return is_number if where is True else np.logical_and(is_number, where)


def _replaced(a: Any, number: Any) -> Any:
    """Returns the array with a number in place of NaN."""
    array = as_array(a)
    return array if array.dtype.kind != "f" else np.where(np.isnan(array), array.dtype.type(number), array)


@implements("nansum")
def nansum(
    a: Any, axis: Any = None, dtype: Any = None, *, keepdims: Any = False, initial: Any = None, where: Any = True
) -> Any:
    return sum(_replaced(a, 0), axis, dtype, keepdims=keepdims, initial=initial, where=where)


@implements("nanprod")
def nanprod(
    a: Any, axis: Any = None, dtype: Any = None, *, keepdims: Any = False, initial: Any = None, where: Any = True
) -> Any:
    return prod(_replaced(a, 1), axis, dtype, keepdims=keepdims, initial=initial, where=where)


@implements("nancumsum")
def nancumsum(a: Any, axis: Any = None, dtype: Any = None) -> Any:
    return np.cumsum(_replaced(a, 0), axis, dtype)


@implements("nancumprod")
def nancumprod(a: Any, axis: Any = None, dtype: Any = None) -> Any:
    return np.cumprod(_replaced(a, 1), axis, dtype)


def _extreme(
    function: Any, joined: Any, number: Any, a: Any, axis: Any, keepdims: Any, initial: Any, where: Any
) -> Any:
    array = as_array(a, (where,))
    if array.dtype.kind != "f":
        return function(array, axis, keepdims=keepdims, initial=initial, where=where)
    if where is not True and initial is None:
        require_initial(where, initial, joined.__name__)
    start = None if initial is None else number
    found = function(_replaced(array, number), axis, keepdims=keepdims, initial=start, where=where)
    # Of nothing but NaN it is one, or what the others begin with.
    least = array.dtype.type(math.nan)
    if initial is not None:
        least = cast(as_array(initial, (array,)), array.dtype)
        found = joined(found, least)
    is_empty = all(np.isnan(array), axis, keepdims=keepdims, where=where)
    return np.where(is_empty, least, found)


@implements("nanmax")
def nanmax(a: Any, axis: Any = None, *, keepdims: Any = False, initial: Any = None, where: Any = True) -> Any:
    return _extreme(max, np.fmax, -math.inf, a, axis, keepdims, initial, where)


@implements("nanmin")
def nanmin(a: Any, axis: Any = None, *, keepdims: Any = False, initial: Any = None, where: Any = True) -> Any:
    return _extreme(min, np.fmin, math.inf, a, axis, keepdims, initial, where)


@implements("nanmean")
def nanmean(a: Any, axis: Any = None, dtype: Any = None, *, keepdims: Any = False, where: Any = True) -> Any:
    array = as_array(a, (where,))
    return mean(array, axis, dtype, keepdims=keepdims, where=_is_number(array, where))


@implements("nanvar")
def nanvar(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    *,
    ddof: Any = 0,
    keepdims: Any = False,
    where: Any = True,
    mean: Any = None,
    correction: Any = None,
) -> Any:
    array = as_array(a, (where,))
    ddof = ddof if correction is None else correction
    if array.dtype.kind != "f":
        return var(array, axis, dtype, ddof=ddof, keepdims=keepdims, where=where, mean=mean)
    result = np.dtype(dtype or array.dtype)
    wide = cast(array, np.float32 if result == np.float16 else result)
    found, count = var_where(wide, axis, ddof, keepdims, mean, _is_number(array, where))
    # Unlike np.var, it gives no infinity where too few are left.
    return cast(np.where(count > ddof, found, found.dtype.type(np.nan)), result)


@implements("nanstd")
def nanstd(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    *,
    ddof: Any = 0,
    keepdims: Any = False,
    where: Any = True,
    mean: Any = None,
    correction: Any = None,
) -> Any:
    options = {"ddof": ddof, "keepdims": keepdims, "where": where, "mean": mean, "correction": correction}
    return np.sqrt(nanvar(a, axis, dtype, **options))


@implements("nanargmax", "nanargmin")
def _nanarg(a: Any, axis: Any = None, *, keepdims: Any = False) -> NoReturn:
    raise _trace.refuse(
        "an index among what is no NaN",
        "where all are NaN it is an error that values alone decide; use np.argmax of np.where(np.isnan(x), -np.inf, x)",
    )


REFUSED.update(("nanargmax", "nanargmin"))
