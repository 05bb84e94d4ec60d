"""NumPy's functions over arrays without values."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable

import numpy as np

from .. import _program as program
from . import _trace
from ._array import TracedArray, element_of
from ._extent import number_of, to_python
from ._ufuncs import _kind, resolve, to_array, to_operand, translate_errors

#: What computes each of NumPy's functions.
NUMPY: dict[Callable, Callable] = {}


def name_of(function) -> str:
    """A function's name in messages."""
    module = getattr(function, "__module__", None) or "numpy"
    return f"{module}.{getattr(function, '__name__', function)}"


def implements(*names: str):
    """Says that a function is NumPy's of these names, where NumPy has them."""

    def register(function):
        called = f"numpy.{names[0]}"

        @functools.wraps(function)
        def enter(*arguments, **keywords):
            trace = find_trace(arguments, keywords)
            builder = _trace.enter(trace)
            with builder.naming(called), translate_errors():
                try:
                    return function(*arguments, **keywords)
                except TypeError as error:
                    if "argument" in str(error) and function.__name__ in str(error):
                        raise TypeError(
                            f"{_trace.spell_place()}{error}: under bl.jit, '{called}' has no others"
                        ) from None
                    raise

        for name in names:
            owner = np
            *path, last = name.split(".")
            for part in path:
                owner = getattr(owner, part)
            if hasattr(owner, last):
                NUMPY[getattr(owner, last)] = enter
        return enter

    return register


def find_trace(arguments, keywords=None):
    """The trace of the first array, or that of the thread."""
    for argument in [*arguments, *(keywords or {}).values()]:
        if hasattr(argument, "_trace"):
            return argument._trace
        if isinstance(argument, (list, tuple)):
            for inner in argument:
                if hasattr(inner, "_trace"):
                    return inner._trace
    return _trace.current()


def wrap(like: TracedArray, value: program.Value, view: bool = False) -> TracedArray:
    """An array of a value. A view shares, for NumPy, the other's elements."""
    if view:
        like._is_shared = True
    return TracedArray(like._trace, value, view=view)


def as_array(value, arguments=()) -> TracedArray:
    """An operand as an array of the trace."""
    return to_array(find_trace((value, *arguments)), value)


def common_type(*values) -> np.dtype:
    """The element type of several operands; Python's numbers adapt."""
    kinds = [_kind(v) for v in values]
    strong = [k for k in kinds if isinstance(k, np.dtype)]
    found = np.result_type(*strong) if strong else None
    if float in kinds and (found is None or found.kind in "biu"):
        return np.dtype(np.float64)
    if int in kinds and (found is None or found.kind == "b"):
        return np.dtype(np.int64)
    return found


def cast(array: TracedArray, dtype) -> TracedArray:
    """An array of another type."""
    return TracedArray(array._trace, program.cast(array._value, element_of(dtype)))


def spell_shape(shape) -> list:
    """A shape as a builder takes it."""
    listed = shape if isinstance(shape, (tuple, list)) else (shape,)
    numbers = [number_of(n) for n in listed]
    if None in numbers:
        wrong = listed[numbers.index(None)]
        raise TypeError(f"{_trace.spell_place()}an extent is {wrong!r}; it must be an integer or an extent")
    return numbers


# Types and values.


@implements("astype")
def astype(x, dtype, /, *, copy=True, device=None):
    return cast(as_array(x), np.dtype(dtype))


@implements("where")
def where(condition, x=None, y=None, /):
    if x is None or y is None:
        raise _trace.refuse(
            "np.where of one argument", "how many elements that finds is known from values alone; "
            "use np.where(condition, a, b)",
        )  # fmt: skip
    condition = as_array(condition, (x, y))
    dtype = common_type(x, y)
    trace, element = condition._trace, element_of(dtype)
    chosen = program.select(
        program.cast(condition._value, "i1"), to_operand(trace, x, dtype), to_operand(trace, y, dtype), element
    )
    return TracedArray(trace, chosen)


@implements("clip")
def clip(a, a_min=None, a_max=None, *, min=None, max=None):
    low, high = a_min if min is None else min, a_max if max is None else max
    array = as_array(a, (low, high))
    dtype = common_type(*(v for v in (a, low, high) if v is not None))
    low, high = (None if v is None else to_operand(array._trace, v, dtype) for v in (low, high))
    return TracedArray(array._trace, program.clip(program.cast(array._value, element_of(dtype)), low, high))


@implements("nan_to_num")
def nan_to_num(x, nan=0.0, posinf=None, neginf=None):
    array = as_array(x)
    if array.dtype.kind != "f":
        return array
    limits = np.finfo(array.dtype)
    high = float(limits.max) if posinf is None else posinf
    low = float(limits.min) if neginf is None else neginf
    value = array._value
    value = program.select(program.isnan(value), float(nan), value)
    value = program.select(program.equal(value, math.inf), float(high), value)
    return wrap(array, program.select(program.equal(value, -math.inf), float(low), value))


@implements("round", "around")
def round(a, decimals=0):
    array = as_array(a)
    if array.dtype.kind != "f":
        return array
    if decimals == 0:
        return np.rint(array)
    scale = 10.0 ** abs(decimals)
    return np.rint(array * scale) / scale if decimals > 0 else np.rint(array / scale) * scale


@implements("isclose")
def isclose(a, b, rtol=1e-5, atol=1e-8, equal_nan=False):
    a, b = as_array(a, (b,)), as_array(b, (a,))
    near = np.logical_and(np.less_equal(np.absolute(a - b), atol + rtol * np.absolute(b)), np.isfinite(b))
    near = np.logical_or(near, np.equal(a, b))
    return np.logical_or(near, np.logical_and(np.isnan(a), np.isnan(b))) if equal_nan else near


@implements("copy")
def copy(a, order="K", subok=False):
    # Values do not change, so that it is the same array with memory of its own.
    return wrap(as_array(a), as_array(a)._value)


@implements("real")
def real(val):
    return as_array(val)


# Arrays of one number.


def _filled(like: TracedArray, number, dtype) -> TracedArray:
    shape = program.extents(like._value)
    return full_of(like._trace, shape, number, dtype)


def full_of(trace, shape, number, dtype) -> TracedArray:
    """An array of one number, or of what a number under trace is."""
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
def zeros_like(a, dtype=None, *, device=None):
    return _filled(as_array(a), 0, dtype or as_array(a).dtype)


@implements("ones_like")
def ones_like(a, dtype=None, *, device=None):
    return _filled(as_array(a), 1, dtype or as_array(a).dtype)


@implements("empty_like")
def empty_like(a, dtype=None, *, device=None):
    return zeros_like(a, dtype)


@implements("full_like")
def full_like(a, fill_value, dtype=None, *, device=None):
    return _filled(as_array(a), fill_value, dtype or as_array(a).dtype)


# Reductions.


def _axes(axis, rank: int) -> list[int]:
    if axis is None:
        return list(range(rank))
    listed = axis if isinstance(axis, (tuple, list)) else (axis,)
    return program.check_axes([int(a) for a in listed], rank)


def _reduce(kind, a, axis, keepdims, dtype=None):
    array = as_array(a)
    if dtype is not None:
        array = cast(array, dtype)
    value = program.reduce(kind, array._value, _axes(axis, array.ndim), bool(keepdims))
    return TracedArray(array._trace, value)


def _sum_type(dtype: np.dtype) -> np.dtype:
    """What NumPy sums in: at least 64 bits of integers."""
    return np.add.reduce(np.empty(0, dtype)).dtype if dtype.kind in "biu" else dtype


def _plus_initial(result, initial, ufunc):
    return result if initial is None else ufunc(result, initial)


@implements("sum")
def sum(a, axis=None, dtype=None, *, keepdims=False, initial=None):
    found = _reduce("sum", a, axis, keepdims, dtype or _sum_type(as_array(a).dtype))
    return _plus_initial(found, initial, np.add)


@implements("prod")
def prod(a, axis=None, dtype=None, *, keepdims=False, initial=None):
    found = _reduce("product", a, axis, keepdims, dtype or _sum_type(as_array(a).dtype))
    return _plus_initial(found, initial, np.multiply)


def _extreme(kind, a, axis, keepdims, initial):
    array = as_array(a)
    axes = _axes(axis, array.ndim)
    if initial is None:
        _require_elements(array, axes, "zero-size array to a reduction that has no identity")
    if array.dtype == np.bool_:
        found = _reduce({"max": "any", "min": "all"}[kind], array, axis, keepdims)
    else:
        found = _reduce(kind, array, axis, keepdims)
    ufunc = np.maximum if kind == "max" else np.minimum
    return _plus_initial(found, initial, ufunc)


def _require_elements(array: TracedArray, axes, message: str) -> None:
    """Something must be reduced wherever there is a result."""
    sizes = program.extents(array._value)
    inner = program.product(sizes[a] for a in axes)
    outer = program.product(s for i, s in enumerate(sizes) if i not in axes)
    program.require_either(array._trace.builder, (("sgt", inner, 0), ("eq", outer, 0)), message)


@implements("max", "amax")
def max(a, axis=None, *, keepdims=False, initial=None):
    return _extreme("max", a, axis, keepdims, initial)


@implements("min", "amin")
def min(a, axis=None, *, keepdims=False, initial=None):
    return _extreme("min", a, axis, keepdims, initial)


@implements("ptp")
def ptp(a, axis=None, *, keepdims=False):
    return np.subtract(max(a, axis, keepdims=keepdims), min(a, axis, keepdims=keepdims))


@implements("all")
def all(a, axis=None, *, keepdims=False):
    return _reduce("all", a, axis, keepdims, np.bool_)


@implements("any")
def any(a, axis=None, *, keepdims=False):
    return _reduce("any", a, axis, keepdims, np.bool_)


@implements("count_nonzero")
def count_nonzero(a, axis=None, *, keepdims=False):
    return _reduce("sum", cast(as_array(a), np.bool_), axis, keepdims, np.int64)


def _mean_type(array: TracedArray, dtype) -> np.dtype:
    if dtype is not None:
        return np.dtype(dtype)
    return np.dtype(np.float64) if array.dtype.kind in "biu" else array.dtype


@implements("mean")
def mean(a, axis=None, dtype=None, *, keepdims=False):
    array = as_array(a)
    array = cast(array, _mean_type(array, dtype))
    value = program.mean(array._value, _axes(axis, array.ndim), bool(keepdims))
    return TracedArray(array._trace, value)


@implements("average")
def average(a, axis=None, weights=None, returned=False, *, keepdims=False):
    if returned:
        raise _trace.refuse("returned=True of 'numpy.average'", "compute np.sum(weights) besides")
    if weights is None:
        return mean(a, axis, keepdims=keepdims)
    array, weights = as_array(a, (weights,)), as_array(weights, (a,))
    if weights.ndim != array.ndim:
        if weights.ndim != 1 or axis is None:
            raise TypeError(f"{_trace.spell_place()}axis must be specified when shapes of a and weights differ")
        (at,) = _axes(axis, array.ndim)
        value = program.expand(weights._value, [i for i in range(array.ndim) if i != at])
        weights = TracedArray(array._trace, value)
        program.require_shape(program.squeeze(value, [i for i in range(array.ndim) if i != at]), [program.extent(array._value, at)])
    else:
        program.require_shape(weights._value, program.extents(array._value))
    joint = np.result_type(array.dtype, weights.dtype, *([np.float64] if array.dtype.kind in "biu" else []))
    array, weights = cast(array, joint), cast(weights, joint)
    found = sum(np.multiply(array, weights), axis, keepdims=keepdims)
    return np.divide(found, sum(weights, axis, keepdims=keepdims))


@implements("var")
def var(a, axis=None, dtype=None, *, ddof=0, correction=None, keepdims=False, mean=None):
    array = as_array(a)
    result = _mean_type(array, dtype)
    wide = np.dtype(np.float32) if result == np.float16 else result
    array = cast(array, wide)
    axes = _axes(axis, array.ndim)
    centre = program.mean(array._value, axes, True) if mean is None else to_operand(array._trace, mean, wide)
    apart = program.square(program.subtract(array._value, centre))
    ddof = ddof if correction is None else correction
    count = program.product(program.extent(array._value, axis) for axis in axes)
    if isinstance(ddof, float) and ddof.is_integer():
        ddof = int(ddof)
    number = program.largest(count - int(ddof), 0)
    value = program.divide(program.sum(apart, axes, bool(keepdims)), number)
    return cast(TracedArray(array._trace, value), result)


@implements("std")
def std(a, axis=None, dtype=None, *, ddof=0, correction=None, keepdims=False, mean=None):
    result = _mean_type(as_array(a), dtype)
    wide = np.float32 if result == np.float16 else result
    found = np.sqrt(var(a, axis, wide, ddof=ddof, correction=correction, keepdims=keepdims, mean=mean))
    return cast(found, result)


def _arg(code, a, axis, keepdims):
    array = as_array(a)
    value = array._value
    if axis is None:
        rank = array.ndim
        flat = program.reshape(value, [-1])
        _require_elements(TracedArray(array._trace, flat), [0], "attempt to get the place of an extreme of an empty sequence")
        found = code(flat, 0)
        return TracedArray(array._trace, program.expand(found, range(rank)) if keepdims else found)
    (axis,) = _axes(axis, array.ndim)
    _require_elements(array, [axis], "attempt to get the place of an extreme of an empty sequence")
    return TracedArray(array._trace, code(value, axis, bool(keepdims)))


@implements("argmax")
def argmax(a, axis=None, *, keepdims=False):
    return _arg(program.argmax, a, axis, keepdims)


@implements("argmin")
def argmin(a, axis=None, *, keepdims=False):
    return _arg(program.argmin, a, axis, keepdims)


# Products.


def _product_operands(x, y):
    wanted, _ = resolve(np.multiply, (x, y))
    trace = find_trace((x, y))
    return [program.cast(to_array(trace, v)._value, element_of(d)) for v, d in zip((x, y), wanted)], trace


@implements("dot")
def dot(a, b):
    (x, y), trace = _product_operands(a, b)
    if x.rank == 0 or y.rank == 0:
        return np.multiply(a, b)
    if y.rank > 2:
        raise _trace.refuse("np.dot with a second operand of more than two axes", "use np.matmul or np.tensordot")
    return TracedArray(trace, program.matmul(x, y))


@implements("vdot")
def vdot(a, b):
    (x, y), trace = _product_operands(a, b)
    return TracedArray(trace, program.matmul(program.reshape(x, [-1]), program.reshape(y, [-1])))


@implements("inner")
def inner(a, b):
    b = as_array(b, (a,))
    return dot(a, b if b.ndim < 2 else np.swapaxes(b, -1, -2))


@implements("outer")
def outer(a, b):
    (x, y), trace = _product_operands(a, b)
    x, y = program.reshape(x, [-1, 1]), program.reshape(y, [1, -1])
    return TracedArray(trace, program.multiply(x, y))


@implements("tensordot")
def tensordot(a, b, axes=2):
    (x, y), trace = _product_operands(a, b)
    if isinstance(axes, int):
        left, right = list(range(x.rank - axes, x.rank)), list(range(axes))
    else:
        left, right = ([i] if isinstance(i, int) else list(i) for i in axes)
    left, right = [i % x.rank for i in left], [i % y.rank for i in right]
    keep = [i for i in range(x.rank) if i not in left]
    stay = [i for i in range(y.rank) if i not in right]
    rows, columns = [program.extent(x, i) for i in keep], [program.extent(y, i) for i in stay]
    inner = program.product(program.extent(x, i) for i in left)
    for i, j in zip(left, right):
        program.require_either(trace.builder, (("eq", program.extent(x, i), program.extent(y, j)),), "shape-mismatch for sum")
    x = program.reshape(program.transpose(x, keep + left), [program.product(rows), inner])
    y = program.reshape(program.transpose(y, right + stay), [inner, program.product(columns)])
    return TracedArray(trace, program.reshape(program.matmul(x, y), rows + columns))


@implements("linalg.norm")
def norm(x, ord=None, axis=None, keepdims=False):
    array = as_array(x)
    if array.dtype.kind != "f":
        array = cast(array, np.float64)
    rank = array.ndim if axis is None else len(_axes(axis, array.ndim))
    if ord is None or (ord == 2 and rank == 1) or (ord == "fro" and rank == 2):
        return np.sqrt(sum(np.square(array), axis, keepdims=keepdims))
    if rank == 1 and ord == 1:
        return sum(np.absolute(array), axis, keepdims=keepdims)
    if rank == 1 and ord in (math.inf, -math.inf):
        return (max if ord > 0 else min)(np.absolute(array), axis, keepdims=keepdims)
    raise _trace.refuse(f"np.linalg.norm with ord={ord!r} over {rank} axes", "write it with np.sum, np.max and np.sqrt")


@implements("linalg.vector_norm")
def vector_norm(x, /, *, axis=None, keepdims=False, ord=2):
    if ord == 2:
        return norm(x, None, axis, keepdims)
    if axis is None:
        raise _trace.refuse(f"vector_norm with ord={ord!r} over all axes", "give an axis")
    return norm(x, ord, axis, keepdims)


@implements("size")
def size(a, axis=None):
    array = as_array(a)
    return array.size if axis is None else array.shape[axis]


@implements("shape")
def shape(a):
    return as_array(a).shape


@implements("ndim")
def ndim(a):
    return as_array(a).ndim


from . import _shapes  # noqa: E402,F401  Functions that move elements.
from ._shapes import stack  # noqa: E402,F401

__all__ = ["NUMPY", "stack", "to_python"]
