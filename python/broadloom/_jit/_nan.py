"""NumPy's functions that leave NaN out, over arrays without values."""

from __future__ import annotations

import math

import numpy as np

from . import _trace
from ._array import TracedArray
from ._functions import REFUSED, as_array, cast, implements
from ._reductions import var_where


def _is_number(array: TracedArray):
    return True if array.dtype.kind != "f" else np.logical_not(np.isnan(array))


def _replaced(a, number) -> TracedArray:
    """The array with a number in place of NaN."""
    array = as_array(a)
    return array if array.dtype.kind != "f" else np.where(np.isnan(array), array.dtype.type(number), array)


@implements("nansum")
def nansum(a, axis=None, dtype=None, *, keepdims=False):
    return np.sum(_replaced(a, 0), axis, dtype, keepdims=keepdims)


@implements("nanprod")
def nanprod(a, axis=None, dtype=None, *, keepdims=False):
    return np.prod(_replaced(a, 1), axis, dtype, keepdims=keepdims)


@implements("nancumsum")
def nancumsum(a, axis=None, dtype=None):
    return np.cumsum(_replaced(a, 0), axis, dtype)


@implements("nancumprod")
def nancumprod(a, axis=None, dtype=None):
    return np.cumprod(_replaced(a, 1), axis, dtype)


def _extreme(function, number, a, axis, keepdims):
    array = as_array(a)
    found = function(_replaced(array, number), axis=axis, keepdims=keepdims)
    if array.dtype.kind != "f":
        return found
    # Of nothing but NaN it is one.
    return np.where(np.all(np.isnan(array), axis=axis, keepdims=keepdims), array.dtype.type(math.nan), found)


@implements("nanmax")
def nanmax(a, axis=None, *, keepdims=False):
    return _extreme(np.max, -math.inf, a, axis, keepdims)


@implements("nanmin")
def nanmin(a, axis=None, *, keepdims=False):
    return _extreme(np.min, math.inf, a, axis, keepdims)


@implements("nanmean")
def nanmean(a, axis=None, dtype=None, *, keepdims=False):
    array = as_array(a)
    return np.mean(array, axis, dtype, keepdims=keepdims, where=_is_number(array))


@implements("nanvar")
def nanvar(a, axis=None, dtype=None, *, ddof=0, keepdims=False):
    array = as_array(a)
    if array.dtype.kind != "f":
        return np.var(array, axis, dtype, ddof=ddof, keepdims=keepdims)
    result = np.dtype(dtype or array.dtype)
    wide = cast(array, np.float32 if result == np.float16 else result)
    found, count = var_where(wide, axis, ddof, keepdims, None, _is_number(array))
    # Unlike np.var, it gives no infinity where too few are left.
    return cast(np.where(count > ddof, found, found.dtype.type(np.nan)), result)


@implements("nanstd")
def nanstd(a, axis=None, dtype=None, *, ddof=0, keepdims=False):
    return np.sqrt(nanvar(a, axis, dtype, ddof=ddof, keepdims=keepdims))


@implements("nanargmax", "nanargmin")
def _nanarg(a, axis=None, *, keepdims=False):
    raise _trace.refuse(
        "a place among what is no NaN", "where all are NaN it is an error that values alone decide; use np.argmax of "
        "np.where(np.isnan(x), -np.inf, x)",
    )  # fmt: skip


REFUSED.update(("nanargmax", "nanargmin"))
