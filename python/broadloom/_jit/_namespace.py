"""The namespace that `x.__array_namespace__()` gives under bl.jit: the functions of the array API
standard (2023.12) that can be traced, by their names there."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .._errors import guess_name
from . import _trace
from ._array import TracedArray, element_of
from ._functions import NAMED, cast, full_of, spell_shape
from ._memory import with_memory
from ._ufuncs import kind_of, size_of, to_array

__array_api_version__ = "2023.12"

e, inf, nan, pi, newaxis = math.e, math.inf, math.nan, math.pi, None
bool = np.dtype(np.bool_)
int8, int16, int32, int64 = (np.dtype(f"int{bits}") for bits in (8, 16, 32, 64))
uint8, uint16, uint32, uint64 = (np.dtype(f"uint{bits}") for bits in (8, 16, 32, 64))
float16, float32, float64 = np.dtype("float16"), np.dtype("float32"), np.dtype("float64")
finfo, iinfo, result_type, can_cast = np.finfo, np.iinfo, np.result_type, np.can_cast

#: Names of the standard that are universal functions of NumPy's, and how they are
#: called there.
_UNIVERSAL = {
    "abs": "absolute", "acos": "arccos", "acosh": "arccosh", "add": "add", "asin": "arcsin",
    "asinh": "arcsinh", "atan": "arctan", "atan2": "arctan2", "atanh": "arctanh",
    "bitwise_and": "bitwise_and", "bitwise_left_shift": "left_shift", "bitwise_invert": "invert",
    "bitwise_or": "bitwise_or", "bitwise_right_shift": "right_shift", "bitwise_xor": "bitwise_xor",
    "ceil": "ceil", "copysign": "copysign", "cos": "cos", "cosh": "cosh", "divide": "divide",
    "equal": "equal", "exp": "exp", "expm1": "expm1", "floor": "floor",
    "floor_divide": "floor_divide", "greater": "greater", "greater_equal": "greater_equal",
    "hypot": "hypot", "isfinite": "isfinite", "isinf": "isinf", "isnan": "isnan", "less": "less",
    "less_equal": "less_equal", "log": "log", "log1p": "log1p", "log2": "log2", "log10": "log10",
    "logaddexp": "logaddexp", "logical_and": "logical_and", "logical_not": "logical_not",
    "logical_or": "logical_or", "logical_xor": "logical_xor", "maximum": "maximum",
    "minimum": "minimum", "multiply": "multiply", "negative": "negative", "not_equal": "not_equal",
    "positive": "positive", "pow": "power", "reciprocal": "reciprocal", "remainder": "remainder",
    "round": "rint", "sign": "sign", "signbit": "signbit", "sin": "sin", "sinh": "sinh",
    "sqrt": "sqrt", "square": "square", "subtract": "subtract", "tan": "tan", "tanh": "tanh",
    "trunc": "trunc", "matmul": "matmul",
}  # fmt: skip
#: Names that are functions of NumPy's.
_FUNCTIONS = (
    "all any argmax argmin argsort astype broadcast_arrays broadcast_to clip concat count_nonzero "
    "cumulative_prod cumulative_sum diff empty_like expand_dims flip full_like matrix_transpose max mean min moveaxis "
    "nonzero ones_like permute_dims prod repeat reshape roll searchsorted sort split squeeze stack std sum take "
    "take_along_axis tensordot tile tril triu unique_all unique_counts unique_inverse unique_values unstack var where "
    "zeros_like"
).split()

for _name, _called in _UNIVERSAL.items():
    globals()[_name] = getattr(np, _called)
for _name in _FUNCTIONS:
    globals()[_name] = NAMED[_name]


def __getattr__(name: str) -> None:
    # What asks whether there is one is told no.
    message = f"the namespace of arrays under bl.jit has no {name!r}"
    if not name.startswith("_"):
        hint = guess_name(name, __all__) or "; help(broadloom.jit) lists what is supported"
        message = _trace.spell_location() + message + hint
    raise AttributeError(message)


def _as_users(array: TracedArray) -> Any:
    """Returns what a function of the namespace gives: an array, and no number, unless it is a part of another one."""
    return array if array._trace.is_in_function else with_memory(array)


def vecdot(x1: Any, x2: Any, /, *, axis: Any = -1) -> Any:
    """Returns the sum of the products along an axis."""
    return NAMED["linalg.vecdot"](x1, x2, axis=axis)


def asarray(obj: Any, /, *, dtype: Any = None, device: Any = None, copy: Any = None) -> Any:
    """Returns an array of the trace, of an array, numbers, or lists of both."""
    array = to_array(_trace.current(), obj)
    # A number of Python's is an array of its type here, which others do not change.
    array = TracedArray(array._trace, array._value) if array._weak is not None else array
    if dtype is not None and array.dtype != np.dtype(dtype):
        return _as_users(cast(array, dtype))
    return NAMED["copy"](array) if copy is True else _as_users(array)


def full(shape: Any, fill_value: Any, *, dtype: Any = None, device: Any = None) -> Any:
    """Returns an array of one number. Extents of the shape may be those of other arrays."""
    if dtype is None:
        kind = kind_of(fill_value)
        dtype = kind if isinstance(kind, np.dtype) else np.result_type(kind)
    _trace.enter(_trace.current())
    return _as_users(full_of(_trace.current(), spell_shape(shape), fill_value, dtype))


def zeros(shape: Any, *, dtype: Any = None, device: Any = None) -> Any:
    """Returns an array of zeros."""
    return full(shape, 0, dtype=dtype or float64)


def ones(shape: Any, *, dtype: Any = None, device: Any = None) -> Any:
    """Returns an array of ones."""
    return full(shape, 1, dtype=dtype or float64)


def empty(shape: Any, *, dtype: Any = None, device: Any = None) -> Any:
    """Returns an array of zeros."""
    return zeros(shape, dtype=dtype)


def arange(start: Any, /, stop: Any = None, step: Any = 1, *, dtype: Any = None, device: Any = None) -> TracedArray:
    """Returns start, start + step, ... before stop, all integers or extents; the step is a
    number but 0."""
    from .. import _program as program

    first, last = (0, size_of(start)) if stop is None else (size_of(start), size_of(stop))
    if isinstance(step, int) and step == 0:
        raise ZeroDivisionError(f"{_trace.spell_location()}the step of arange is 0")
    if first is None or last is None or not isinstance(step, int):
        raise _trace.refuse("arange of what is no integer", "scale one of integers, as np.arange(n) * step")
    builder = _trace.enter(_trace.current())
    # `abs` is the namespace's here.
    apart, size = (last - first, step) if step > 0 else (first - last, -step)
    count = program.largest(program.divide_up(apart, size), 0)
    value = program.add(program.multiply(program.iota(builder, count, "i64"), step), first)
    return TracedArray(_trace.current(), program.cast(value, element_of(dtype or int64)))


__all__ = sorted(
    {*_UNIVERSAL, *_FUNCTIONS, "vecdot", "asarray", "full", "zeros",
     "ones", "empty", "arange", "e", "inf", "nan", "pi", "newaxis", "bool", "int8", "int16", "int32",
     "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64", "finfo",
     "iinfo", "result_type", "can_cast"}
)  # fmt: skip
