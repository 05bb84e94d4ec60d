"""NumPy's functions of samples and series, over arrays without values."""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np

from .. import _program as program
from .._tensors import _bessel
from . import _trace
from ._array import TracedArray, element_of
from ._functions import as_array, cast, find_trace, from_extent, implements, spell_axes, spell_axis
from ._memory import as_kind_of
from ._ufuncs import to_array


def _slide_over(name: str, a: Any, v: Any, mode: str, turned: bool) -> TracedArray:
    """Multiplies each element of one with each of the other, and adds up by the sum of their indices, or by the
    difference."""
    trace = find_trace((a, v))
    a, v = np.atleast_1d(to_array(trace, a)), np.atleast_1d(to_array(trace, v))
    if a.ndim != 1 or v.ndim != 1:
        raise ValueError(f"{_trace.spell_location()}np.{name} is of arrays of one axis, not of {a.ndim} and {v.ndim}")
    if mode not in ("full", "same", "valid"):
        raise ValueError(f"{_trace.spell_location()}mode must be one of 'valid', 'same', or 'full', not {mode!r}")
    dtype = np.result_type(a.dtype, v.dtype)
    a, v = cast(a, dtype)._value, cast(np.flip(v) if turned else v, dtype)._value
    n, m = program.extent(a, 0), program.extent(v, 0)
    for size in (n, m):
        program.require_either(trace.builder, (("sgt", size, 0),), f"np.{name} of an empty array")
    shorter, longer = program.smallest(n, m), program.largest(n, m)
    start: program.Extent | int = 0
    count = n + m - 1
    if mode == "valid":
        start, count = shorter - 1, longer - shorter + 1
    elif mode == "same":
        start, count = (shorter - 1) // 2, longer
        if turned:
            # Of a longer second one, NumPy turns the result round.
            is_longer = program.smallest(program.largest(m - n, 0), 1)
            start = start + is_longer * (shorter - 1 - start * 2)
    builder = trace.builder
    zero = False if dtype == np.bool_ else 0.0 if dtype.kind == "f" else 0
    wide = program.pad(a, [m - 1], [m - 1], zero)
    indices = program.add(program.iota(builder, count, "i64", 0, 2), start + m - 1)
    indices = program.subtract(indices, program.iota(builder, m, "i64", 1, 2))
    product = program.multiply(program.take(wide, indices, 0), v)
    return TracedArray(trace, program.reduce("any" if dtype == np.bool_ else "sum", product, [1]))


@implements("convolve")
def convolve(a: Any, v: Any, mode: Any = "full") -> Any:
    return _slide_over("convolve", a, v, mode, False)


@implements("correlate")
def correlate(a: Any, v: Any, mode: Any = "valid") -> Any:
    return _slide_over("correlate", a, v, mode, True)


@implements("gradient")
def gradient(f: Any, *varargs: Any, axis: Any = None, edge_order: Any = 1) -> Any:
    array = as_array(f)
    if edge_order != 1:
        raise _trace.refuse(f"np.gradient with edge_order={edge_order!r}", "leave it out")
    axes = spell_axes(axis, array.ndim)
    if isinstance(axis, (tuple, list)):
        axes = [a % array.ndim for a in axis]
    spaces = list(varargs) * len(axes) if len(varargs) == 1 else list(varargs) or [1.0] * len(axes)
    if len(spaces) != len(axes):
        raise TypeError(f"{_trace.spell_location()}invalid number of arguments")
    if any(np.ndim(h) if not isinstance(h, TracedArray) else h.ndim for h in spaces):
        raise _trace.refuse("np.gradient with coordinates as an array", "give the distance as a number")
    if array.dtype.kind in "iu":
        array = cast(array, np.float64)
    found = [cast(_slope(array, at, h), array.dtype) for at, h in zip(axes, spaces)]
    return found[0] if len(axes) == 1 else tuple(found)


def _slope(array: TracedArray, axis: int, distance: Any) -> Any:
    size = program.extent(array._value, axis)
    program.require(
        array._trace.builder, "sge", size, 2, f"np.gradient along axis {axis} needs at least {{1}} elements, not {{0}}"
    )

    def part(start: Any, stop: Any) -> TracedArray:
        return TracedArray(array._trace, program.slice_axis(array._value, axis, start, stop))

    inner = (part(2, None) - part(None, -2)) / (2.0 * distance)
    first, last = (part(1, 2) - part(0, 1)) / distance, (part(-1, None) - part(-2, -1)) / distance
    return np.concatenate([first, inner, last], axis)


@implements("trapezoid")
def trapezoid(y: Any, x: Any = None, dx: Any = 1.0, axis: Any = -1) -> Any:
    y = as_array(y, (x,))
    at = spell_axis(axis, y.ndim)
    along = operator.index(axis)

    def part(start: Any, stop: Any) -> TracedArray:
        return TracedArray(y._trace, program.slice_axis(y._value, at, start, stop))

    width = dx
    if x is not None:
        x = to_array(y._trace, x)
        # Each array counts the axis on its own.
        width = np.diff(x, axis=0 if x.ndim == 1 else along)
        if x.ndim == 1:
            width = np.expand_dims(width, tuple(i for i in range(y.ndim) if i != at))
    return np.sum(width * (part(1, None) + part(None, -1)) / 2.0, axis=along)


@implements("ediff1d")
def ediff1d(ary: Any, to_end: Any = None, to_begin: Any = None) -> Any:
    if to_end is not None or to_begin is not None:
        raise _trace.refuse("np.ediff1d with to_end= or to_begin=", "use np.concatenate")
    flat: Any = np.ravel(as_array(ary))
    return np.subtract(flat[1:], flat[:-1])


# Of several variables.


@implements("cov")
def cov(
    m: Any,
    y: Any = None,
    rowvar: Any = True,
    bias: Any = False,
    ddof: Any = None,
    fweights: Any = None,
    aweights: Any = None,
    *,
    dtype: Any = None,
) -> Any:
    return _covariance("cov", m, y, rowvar, bias, ddof, fweights, aweights, dtype)


def _covariance(
    name: Any,
    m: Any,
    y: Any,
    rowvar: Any,
    bias: Any = False,
    ddof: Any = None,
    fweights: Any = None,
    aweights: Any = None,
    dtype: Any = None,
) -> Any:
    if fweights is not None or aweights is not None:
        raise _trace.refuse(f"np.{name} with weights", "write it with np.average")
    trace = find_trace((m, y))
    m = to_array(trace, m)
    dtype = np.dtype(dtype or np.result_type(m.dtype, np.float64, *([] if y is None else [to_array(trace, y).dtype])))
    ddof = (0 if bias else 1) if ddof is None else ddof

    def rows(v: Any) -> Any:
        if v.ndim > 2:
            raise ValueError(f"{_trace.spell_location()}{'m' if v is m else 'y'} has more than 2 dimensions")
        turned = np.transpose(v) if not rowvar and v.ndim == 2 else v
        return cast(np.atleast_2d(turned), dtype)

    data = rows(m) if y is None else np.concatenate([rows(m), rows(to_array(trace, y))], axis=0)
    apart = data - TracedArray(trace, program.moments(data._value, [1])[0])
    count = program.extent(data._value, 1)
    number = from_extent(trace, program.largest(count - operator.index(ddof), 0), "f64")
    found = np.matmul(apart, np.transpose(apart)) / cast(number, dtype)
    variables = found._value.extents[0] if y is None and m.ndim < 2 else program.extent(data._value, 0)
    if (y is None and m.ndim < 2) or program.is_same(variables, 1):
        return np.squeeze(found, (0, 1))
    # NumPy's result has no axes where there is one variable.
    message = f"np.{name} of one variable is a number without axes: give an array of one axis"
    program.require_either(trace.builder, (("sgt", variables, 1), ("eq", variables, 0)), message)
    return found


@implements("corrcoef")
def corrcoef(x: Any, y: Any = None, rowvar: Any = True, *, dtype: Any = None) -> Any:
    found = _covariance("corrcoef", x, y, rowvar, dtype=dtype)
    if found.ndim == 0:
        return found / found
    spread = np.sqrt(np.diagonal(found))
    return np.clip(found / np.expand_dims(spread, 1) / spread, -1, 1)


# Functions of numbers.


@implements("polyval")
def polyval(p: Any, x: Any) -> Any:
    trace = find_trace((p, x))
    x = to_array(trace, x)
    if isinstance(p, TracedArray):
        if not isinstance(p._value.extents[0], int):
            raise _trace.refuse("np.polyval with coefficients whose number a call tells", "give a list of them")
        parts = [p[i] for i in range(p._value.extents[0])]
    else:
        parts = list(np.asarray(p)) if not any(isinstance(c, TracedArray) for c in p) else list(p)
    found = np.zeros_like(x)
    for part in parts:
        found = found * x + part
    return found


@implements("vander")
def vander(x: Any, N: Any = None, increasing: Any = False) -> Any:
    array = as_array(x)
    if array.ndim != 1:
        raise ValueError(f"{_trace.spell_location()}x must be a one-dimensional array or sequence.")
    if not isinstance(N, (int, np.integer)):
        raise _trace.refuse("np.vander without a number of columns", "give N=")
    if N < 0:
        raise ValueError(f"{_trace.spell_location()}negative dimensions are not allowed")
    array = cast(array, np.promote_types(array.dtype, int))
    columns: list[Any] = [np.ones_like(array)]
    for _ in range(int(N) - 1):
        columns.append(columns[-1] * array)
    return np.stack(columns if increasing else columns[::-1], axis=1)[:, : int(N)]


@implements("sinc")
def sinc(x: Any) -> Any:
    array = as_array(x)
    y = math.pi * np.where(array == 0, 1e-20, array)
    return np.sin(y) / y


@implements("i0")
def i0(x: Any) -> Any:
    array = as_array(x)
    array = array if array.dtype.kind == "f" else array.astype(np.float64)
    return TracedArray(array._trace, _bessel.BESSEL["i0"](array._value))


@implements("fix")
def fix(x: Any) -> Any:
    return np.trunc(as_array(x))


@implements("isposinf")
def isposinf(x: Any) -> Any:
    return np.equal(as_array(x), math.inf)


@implements("isneginf")
def isneginf(x: Any) -> Any:
    return np.equal(as_array(x), -math.inf)


@implements("allclose")
def allclose(a: Any, b: Any, rtol: Any = 1e-5, atol: Any = 1e-8, equal_nan: Any = False) -> Any:
    return np.all(np.isclose(a, b, rtol, atol, equal_nan))


@implements("array_equal")
def array_equal(a1: Any, a2: Any, equal_nan: Any = False) -> Any:
    x, y = as_array(a1, (a2,)), as_array(a2, (a1,))
    if x.ndim != y.ndim:
        return np.zeros_like(x, np.bool_, shape=())
    # What both have is compared where other extents make the result false anyway.
    common = tuple(slice(0, np.minimum(n, m)) for n, m in zip(x.shape, y.shape))
    x_part, y_part = x[common], y[common]
    found = np.equal(x_part, y_part)
    if equal_nan and all(program.is_float(element_of(v.dtype)) for v in (x, y)):
        found = np.logical_or(found, np.logical_and(np.isnan(x_part), np.isnan(y_part)))
    found = np.all(found)
    for n, m in zip(x.shape, y.shape):
        found = np.logical_and(found, n == m)
    return found


@implements("imag")
def imag(val: Any) -> Any:
    array = as_array(val)
    return as_kind_of(array, np.zeros_like(array))


@implements("isreal")
def isreal(x: Any) -> Any:
    return np.ones_like(as_array(x), dtype=np.bool_)


@implements("iscomplex")
def iscomplex(x: Any) -> Any:
    return np.zeros_like(as_array(x), dtype=np.bool_)


@implements("iscomplexobj")
def iscomplexobj(x: Any) -> Any:
    return False


@implements("isrealobj")
def isrealobj(x: Any) -> Any:
    return True
