"""NumPy's functions that take elements at indices, or by their place in a matrix."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _program as program
from . import _trace
from ._array import TracedArray
from ._extent import number_of
from ._functions import (
    as_array,
    implements,
    spell_axis,
    wrap,
)
from ._indexing import no_indices
from ._ufuncs import to_array


@implements("take")
def take(a: Any, indices: Any, /, axis: Any = None, *, mode: Any = "raise") -> Any:
    if mode not in ("raise", "wrap", "clip"):
        raise ValueError(f"{_trace.spell_location()}clipmode must be one of 'clip', 'raise', or 'wrap' (got {mode!r})")
    array = as_array(a, (indices,))
    value = array._value if axis is not None else program.reshape(array._value, [-1])
    axis = spell_axis(axis or 0, value.rank)
    at = _indices(array, indices)
    if mode != "raise":
        size = program.extent(value, axis)
        at = program.cast(at, "i64")
        at = program.remainder(at, size) if mode == "wrap" else program.clip(at, 0, size - 1)
    return wrap(array, program.take(value, at, axis))


def _indices(array: TracedArray, indices: Any) -> Any:
    indices = to_array(array._trace, no_indices(indices))
    if indices.dtype.kind not in "iu":
        raise IndexError(f"{_trace.spell_location()}indices are integers, not {indices.dtype}")
    return indices._value


@implements("take_along_axis")
def take_along_axis(arr: Any, indices: Any, /, axis: Any = -1) -> Any:
    array: Any = as_array(arr, (indices,))
    value, at = array._value, _indices(array, indices)
    if axis is None:
        if at.rank != 1:
            raise ValueError(
                f"{_trace.spell_location()}when axis=None, `indices` must have a single dimension, not {at.rank}"
            )
        array, axis = np.ravel(array), 0
        value = array._value
    axis = spell_axis(axis, array.ndim)
    # Other axes broadcast.
    if value.rank == at.rank:
        shape = [program.join_extents(program.extent(value, i), program.extent(at, i)) for i in range(value.rank)]
        for name in ("value", "at"):
            one = value if name == "value" else at
            wanted = [program.extent(one, i) if i == axis else n for i, n in enumerate(shape)]
            if not all(program.is_same(n, m) for n, m in zip(program.extents(one), wanted)):
                one = program.broadcast_to(one, wanted)
            value, at = (one, at) if name == "value" else (value, one)
    return wrap(array, program.gather_elements(value, at, axis))


def _triangle(m: Any, k: Any, keep: Any) -> Any:
    array = as_array(m)
    if array.ndim < 2:
        raise _trace.refuse("a triangle of fewer than two axes", "give a matrix")
    k = number_of(k)
    if k is None:
        raise TypeError(f"{_trace.spell_location()}k of a triangle is an integer or an extent")
    builder = array._trace.builder
    rows = program.iota(builder, program.extent(array._value, -2), "i64", 0, 2)
    columns = program.iota(builder, program.extent(array._value, -1), "i64", 1, 2)
    mask = keep(program.subtract(columns, rows), k)
    return wrap(array, program.select(mask, array._value, 0))


@implements("tril")
def tril(m: Any, k: Any = 0) -> Any:
    return _triangle(m, k, program.less_equal)


@implements("triu")
def triu(m: Any, k: Any = 0) -> Any:
    return _triangle(m, k, program.greater_equal)
