"""NumPy's products of matrices and norms, over arrays without values."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import _program as program
from .._tensors import _linear
from . import _trace
from ._array import TracedArray, element_of
from ._functions import as_array, cast, find_trace, implements, spell_axes
from ._linear import require_elements
from ._reductions import max, min, sum
from ._shapes import normalize_axes
from ._ufuncs import to_array


def _product_operands(x: Any, y: Any) -> Any:
    """Casts both to one element type. NumPy makes arrays of them first, so that Python's
    numbers have the types of arrays here."""
    trace = find_trace((x, y))
    arrays = [to_array(trace, v) for v in (x, y)]
    element = element_of(np.result_type(*(a.dtype for a in arrays)))
    return [program.cast(a._value, element) for a in arrays], trace


@implements("dot")
def dot(a: Any, b: Any) -> Any:
    (x, y), trace = _product_operands(a, b)
    if x.rank == 0 or y.rank == 0:
        return np.multiply(TracedArray(trace, x), TracedArray(trace, y))
    if y.rank > 2:
        raise _trace.refuse("np.dot with a second operand of more than two axes", "use np.matmul or np.tensordot")
    return TracedArray(trace, program.matmul(x, y))


@implements("vdot")
def vdot(a: Any, b: Any) -> TracedArray:
    (x, y), trace = _product_operands(a, b)
    return TracedArray(trace, program.matmul(program.reshape(x, [-1]), program.reshape(y, [-1])))


@implements("inner")
def inner(a: Any, b: Any) -> Any:
    b = as_array(b, (a,))
    return dot(a, b if b.ndim < 2 else np.swapaxes(b, -1, -2))


@implements("outer")
def outer(a: Any, b: Any) -> TracedArray:
    (x, y), trace = _product_operands(a, b)
    x, y = program.reshape(x, [-1, 1]), program.reshape(y, [1, -1])
    return TracedArray(trace, program.multiply(x, y))


@implements("tensordot")
def tensordot(a: Any, b: Any, axes: Any = 2) -> TracedArray:
    (x, y), trace = _product_operands(a, b)
    if isinstance(axes, (int, np.integer)):
        left, right = list(range(-axes, 0)), list(range(axes))
    else:
        left, right = axes
    left, right = normalize_axes(left, x.rank), normalize_axes(right, y.rank)
    if len(left) != len(right):
        raise ValueError(f"{_trace.spell_location()}np.tensordot over {len(left)} axes and {len(right)}")
    keep = [i for i in range(x.rank) if i not in left]
    stay = [i for i in range(y.rank) if i not in right]
    rows, columns = [program.extent(x, i) for i in keep], [program.extent(y, i) for i in stay]
    inner = program.product(program.extent(x, i) for i in left)
    for i, j in zip(left, right):
        program.require_either(
            trace.builder, (("eq", program.extent(x, i), program.extent(y, j)),), "shape-mismatch for sum"
        )
    x = program.reshape(program.transpose(x, keep + left), [program.product(rows), inner])
    y = program.reshape(program.transpose(y, right + stay), [inner, program.product(columns)])
    return TracedArray(trace, program.reshape(program.matmul(x, y), rows + columns))


@implements("linalg.norm")
def norm(x: Any, ord: Any = None, axis: Any = None, keepdims: Any = False) -> Any:
    array = as_array(x)
    if array.dtype.kind != "f":
        array = cast(array, np.float64)
    rank = array.ndim if axis is None else len(spell_axes(axis, array.ndim))
    if ord is None or (ord == 2 and rank == 1) or (ord == "fro" and rank == 2):
        return np.sqrt(sum(np.square(array), axis, keepdims=keepdims))
    if rank == 1 and ord == 1:
        return sum(np.absolute(array), axis, keepdims=keepdims)
    if rank == 2 and ord in (1, -1, math.inf, -math.inf):
        return _matrix_norm(array, ord, axis, keepdims)
    if rank == 2 and ord in (2, -2, "nuc"):
        return _spectral_norm(array, ord, axis, keepdims)
    if rank == 1 and ord in (math.inf, -math.inf):
        return (max if ord > 0 else min)(np.absolute(array), axis, keepdims=keepdims)
    raise _trace.refuse(f"np.linalg.norm with ord={ord!r} over {rank} axes", "write it with np.sum, np.max and np.sqrt")


def _matrix_norm(array: TracedArray, ord: Any, axis: Any, keepdims: Any) -> Any:
    """Returns the largest, or the smallest, sum of a column or of a row."""
    first, second = normalize_axes((0, 1) if axis is None else axis, array.ndim)
    added, chosen = (first, second) if abs(ord) == 1 else (second, first)
    sums = sum(np.absolute(array), added, keepdims=True)
    found = (max if ord > 0 else min)(sums, chosen, keepdims=True)
    return found if keepdims else TracedArray(array._trace, program.squeeze(found._value, [first, second]))


def _spectral_norm(array: TracedArray, ord: Any, axis: Any, keepdims: Any) -> Any:
    """Returns the largest, or the smallest, singular value, or the sum of all."""
    first, second = normalize_axes((0, 1) if axis is None else axis, array.ndim)
    wide: Any = cast(array, np.float64) if array.dtype == np.float16 else array
    moved: Any = np.moveaxis(wide, (first, second), (-2, -1))
    if ord != "nuc":
        require_elements("norm", moved._value)
    found = TracedArray(array._trace, _linear.spectral_norm(moved._value, ord))
    return np.expand_dims(found, (first, second)) if keepdims else found


@implements("linalg.vector_norm")
def vector_norm(x: Any, /, *, axis: Any = None, keepdims: Any = False, ord: Any = 2) -> Any:
    if ord == 2:
        return norm(x, None, axis, keepdims)
    if axis is None:
        raise _trace.refuse(f"vector_norm with ord={ord!r} over all axes", "give an axis")
    return norm(x, ord, axis, keepdims)


@implements("linalg.matrix_norm")
def matrix_norm(x: Any, /, *, keepdims: Any = False, ord: Any = "fro") -> Any:
    return norm(x, ord, (-2, -1), keepdims)


@implements("linalg.multi_dot")
def multi_dot(arrays: Any, *, out: Any = None) -> Any:
    if out is not None:
        raise _trace.refuse("out= of np.linalg.multi_dot", "use the result")
    found = arrays[0]
    for other in arrays[1:]:
        found = dot(found, other)
    return found


@implements("cross")
def cross(a: Any, b: Any, axisa: Any = -1, axisb: Any = -1, axisc: Any = -1, axis: Any = None) -> Any:
    if axis is not None:
        axisa = axisb = axisc = axis
    trace = find_trace((a, b))
    a, b = to_array(trace, a), to_array(trace, b)
    a, b = np.moveaxis(a, axisa, -1), np.moveaxis(b, axisb, -1)
    for x in (a, b):
        message = "np.cross is of vectors of {1} elements, not of {0}"
        program.require(trace.builder, "eq", program.extent(x._value, -1), 3, message)
    (a0, a1, a2), (b0, b1, b2) = ([x[..., i] for i in range(3)] for x in (a, b))
    found = np.stack([a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0], axis=-1)
    return np.moveaxis(found, -1, axisc)


# The same under other names.


@implements("linalg.cross")
def linalg_cross(x1: Any, x2: Any, /, *, axis: Any = -1) -> Any:
    return cross(x1, x2, axis=axis)


@implements("linalg.matmul")
def linalg_matmul(x1: Any, x2: Any, /) -> Any:
    return np.matmul(x1, x2)


@implements("linalg.outer")
def linalg_outer(x1: Any, x2: Any, /) -> Any:
    return outer(x1, x2)


@implements("linalg.tensordot")
def linalg_tensordot(x1: Any, x2: Any, /, *, axes: Any = 2) -> Any:
    return tensordot(x1, x2, axes)


@implements("linalg.matrix_transpose")
def linalg_matrix_transpose(x: Any, /) -> Any:
    return np.swapaxes(x, -1, -2)


@implements("linalg.vecdot")
def linalg_vecdot(x1: Any, x2: Any, /, *, axis: Any = -1) -> Any:
    x1, x2 = as_array(x1, (x2,)), as_array(x2, (x1,))
    if x1.ndim and x2.ndim:
        # Each counts the axis on its own.
        x1, x2 = (np.moveaxis(x, axis, -1) for x in (x1, x2))
    return np.vecdot(x1, x2)
