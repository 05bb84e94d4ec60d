"""NumPy's quantiles, with and without NaN, over arrays without values."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import _program as program
from . import _trace
from ._array import TracedArray
from ._extent import TracedExtent
from ._functions import as_array, cast, from_extent, implements, spell_axes

_METHODS = ("linear", "lower", "higher", "nearest", "midpoint")


def _refuse_other(name: str, method: Any, weights: Any, out: Any = None, overwrite_input: Any = False) -> None:
    if method not in _METHODS:
        raise _trace.refuse(f"np.{name} with method={method!r}", f"use one of {', '.join(_METHODS)}")
    if weights is not None or out is not None:
        raise _trace.refuse(f"np.{name} with weights or out=", "leave them out")


def _one_axis(array: TracedArray, axis: Any) -> tuple[TracedArray, list[int], int]:
    """Returns the array with the axes that are reduced as the last one, and these."""
    axes = spell_axes(axis, array.ndim)
    value, at = program.reduced_last(array._value, axes)
    return TracedArray(array._trace, value), axes, at


def _find_type(name: str, array: TracedArray, q: Any, method: str) -> np.dtype[Any]:
    """Finds the type that NumPy itself gives for numbers of the type."""
    with np.errstate(all="ignore"):
        return np.dtype(getattr(np, name)(np.ones(3, array.dtype), q, method=method).dtype)


def _spell(name: str, q: Any, scale: float, kind: np.dtype[Any]) -> Any:
    """Returns the quantiles, numbers from 0 to 1, in the type that NumPy computes indices in, and whether there is
    one."""
    parts = q if isinstance(q, (list, tuple)) else [q]
    if any(isinstance(part, (TracedArray, TracedExtent)) for part in parts):
        raise _trace.refuse(f"np.{name} of what is computed", "give a number, or a list of numbers")
    if isinstance(q, (int, float)) and kind.kind == "f":
        q = np.asarray(q, kind)
    given = np.asarray(q)
    quantiles = given / (given.dtype.type(scale) if given.dtype.kind == "f" else scale) if scale != 1 else given
    if quantiles.ndim > 1:
        raise _trace.refuse(f"np.{name} of {quantiles.ndim} axes of quantiles", "give a number, or a list of numbers")
    if not (np.all(quantiles >= 0) and np.all(quantiles <= 1)):
        raise ValueError(
            f"{_trace.spell_location()}{'Percentiles' if scale != 1 else 'Quantiles'} must be in the range "
            f"[0, {scale:g}]"
        )
    return quantiles if quantiles.dtype.kind == "f" else quantiles.astype(np.float64)


def _quantile(name: str, a: Any, q: Any, axis: Any, method: str, keepdims: bool, scale: float, skips_nan: bool) -> Any:
    array = as_array(a)
    _refuse_other(name, method, None)
    quantiles = _spell(name, q, scale, array.dtype)
    made = _find_type(name, array, q, method)
    flat, axes, at = _one_axis(array, axis)
    is_empty = None
    if skips_nan and made.kind == "f":
        flat, is_empty = _with_one(flat, at)
    size = program.extent(flat._value, at)
    program.require_either(array._trace.builder, (("sgt", size, 0),), f"np.{name} of an empty axis")
    ordered = TracedArray(array._trace, program.sort(flat._value, at)[0])
    # None of nothing has the shape that one has.
    listed = quantiles.reshape(-1) if quantiles.size else quantiles.dtype.type([0])
    results: list[Any] = [_pick(ordered, at, size, one, method, skips_nan, made) for one in listed]
    if is_empty is not None:
        results = [np.where(is_empty, made.type(math.nan), result) for result in results]
    if keepdims:
        results = [np.expand_dims(r, tuple(axes)) for r in results]
    return np.stack(results)[: quantiles.size] if quantiles.ndim else results[0]


def _with_one(array: TracedArray, at: int) -> tuple[TracedArray, TracedArray]:
    """Returns the array with an element that does not count along an axis of none, and whether that is so."""
    missing = [program.largest(1 - n, 0) if i == at else 0 for i, n in enumerate(program.extents(array._value))]
    nothing = math.nan if array.dtype.kind == "f" else 0
    padded = program.pad(array._value, [0] * array.ndim, missing, nothing)
    return TracedArray(array._trace, padded), from_extent(array._trace, missing[at]) > 0


def _pick(ordered: Any, at: int, size: Any, q: Any, method: str, skips_nan: bool, made: np.dtype[Any]) -> Any:
    """Returns one quantile along the last axis."""
    trace = ordered._trace
    has_nan = ordered.dtype.kind == "f"
    count = from_extent(trace, size)
    if skips_nan and has_nan:
        count = np.sum(np.logical_not(np.isnan(ordered)), axis=at)
    # As NumPy computes it, in the type of the quantile.
    virtual = np.maximum(cast(count - 1, q.dtype), 0) * q
    low, high = np.floor(virtual), np.ceil(virtual)
    part = virtual - low

    def take(virtual: Any) -> Any:
        index = np.clip(virtual.astype(np.int64), 0, from_extent(trace, size) - 1)
        if index.ndim == 0:
            return np.take(ordered, index, axis=at)
        return np.squeeze(np.take_along_axis(ordered, np.expand_dims(index, at), axis=at), at)

    if method == "lower":
        found = take(low)
    elif method == "higher":
        found = take(high)
    elif method == "nearest":
        found = take(np.rint(virtual))
    else:
        part = np.where(part == 0, part, part.dtype.type(0.5)) if method == "midpoint" else part
        first, last = take(low), take(high)
        apart = np.subtract(last, first)
        found = np.where(part >= 0.5, last - apart * (1 - part), first + apart * part)
    found = cast(found, made)
    if has_nan:
        # Sorting has NaN behind all numbers.
        last = take(virtual * 0) if skips_nan else np.take(ordered, -1, axis=at)
        found = np.where(np.isnan(last), cast(last, made), found)
    return found


def _enter_quantile(name: str, most: float, skips_nan: bool) -> None:
    """Enters a function whose second argument is from 0 to `most`."""

    def function(
        a: Any,
        q: Any,
        axis: Any = None,
        out: Any = None,
        overwrite_input: Any = False,
        method: Any = "linear",
        keepdims: Any = False,
        *,
        weights: Any = None,
    ) -> Any:
        _refuse_other(name, method, weights, out)
        return _quantile(name, a, q, axis, method, keepdims, most, skips_nan)

    # As errors of Python's name it.
    function.__name__ = function.__qualname__ = name
    implements(name)(function)


_enter_quantile("quantile", 1, False)
_enter_quantile("percentile", 100, False)
_enter_quantile("nanquantile", 1, True)
_enter_quantile("nanpercentile", 100, True)


@implements("nanmedian")
def nanmedian(a: Any, axis: Any = None, out: Any = None, overwrite_input: Any = False, keepdims: Any = False) -> Any:
    _refuse_other("nanmedian", "linear", None, out)
    array = as_array(a)
    if array.dtype.kind != "f":
        return np.median(array, axis, keepdims=bool(keepdims))
    flat, axes, at = _one_axis(array, axis)
    # Of nothing it is NaN.
    value = _with_one(flat, at)[0]._value
    found = _pick(
        TracedArray(array._trace, program.sort(value, at)[0]),
        at,
        program.extent(value, at),
        array.dtype.type(0.5) if array.dtype != np.float16 else np.float32(0.5),
        "midpoint",
        True,
        array.dtype,
    )
    return np.expand_dims(found, tuple(axes)) if keepdims else found
