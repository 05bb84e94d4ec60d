"""Operators that make tensors of numbers and shapes."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from .. import _program as program
from .._tensors._tensor import Tensor, are_known, from_value
from ._arrays import ELEMENTS
from ._context import Context, Known, Operand, Unsupported, operator
from ._elementwise import cast_to
from ._layout import extents_of


@operator("Constant")
def _constant(
    c: Context,
    *,
    value: Known | None = None,
    value_float: float | None = None,
    value_floats: Sequence[float] | None = None,
    value_int: int | None = None,
    value_ints: Sequence[int] | None = None,
    sparse_value: Known | None = None,
    value_string: str | None = None,
    value_strings: Sequence[str] | None = None,
) -> Known:
    if value_string is not None or value_strings is not None:
        raise Unsupported("programs have no elements of ONNX's type string")
    for found in (value, sparse_value):
        if found is not None:
            return found
    for given, element in ((value_float, "f32"), (value_floats, "f32"), (value_int, "i64"), (value_ints, "i64")):
        if given is not None:
            return Known(np.array(given, program.to_numpy(element)), element)
    raise Unsupported("it has no value")


@operator("ConstantOfShape", since=9)
def _constant_of_shape(c: Context, shape: Operand, *, value: Known | None = None) -> Operand:
    value = Known(np.zeros(1, np.float32), "f32") if value is None else value
    wanted = c.counts(shape, "extent")
    number = value.array.reshape(())
    if are_known(wanted) and math.prod(max(n, 1) for n in wanted) < 2**31:
        return Known(np.broadcast_to(number, wanted), value.element)
    scalar = c.builder.constant(number, value.element)
    return from_value(program.broadcast_to(scalar, wanted))


@operator("EyeLike", since=9)
def _eye_like(c: Context, x: Operand, *, dtype: int | None = None, k: int = 0) -> Tensor:
    p = program
    element = x.element if dtype is None else ELEMENTS[dtype]
    height, width = extents_of(x)
    rows = p.iota(c.builder, height, "i64", axis=0, rank=2)
    columns = p.iota(c.builder, width, "i64", axis=1, rank=2)
    return from_value(p.cast(p.equal(columns, p.add(rows, k)), element))


@operator("OneHot", since=9)
def _one_hot(c: Context, indices: Operand, depth: Operand, values: Operand, *, axis: int = -1) -> Tensor:
    p = program
    if p.is_float(depth.element):
        # Of the numbers of elements, ONNX has this one in floats, too.
        depth = Known(depth.array, "i64") if isinstance(depth, Known) else from_value(p.cast(c.value(depth), "i64"))
    count = c.count(depth, "depth")
    hot = c.value(indices)
    rank = hot.rank + 1
    axis %= rank
    if p.is_float(hot.element):
        hot = p.cast(hot, "i64")
    hot = p.wrap_indices(hot, count)
    line = p.iota(c.builder, count, hot.element, axis=axis, rank=rank)
    hit = p.equal(p.expand(hot, [axis]), line)
    given = c.tensor(values).value
    off, on = (p.reshape(p.take_slice(given, 0, i, 1), []) for i in range(2))
    return from_value(p.select(hit, on, off))


@operator("HannWindow", "HammingWindow", "BlackmanWindow", since=17)
def _window(c: Context, size: Operand, *, output_datatype: int = 1, periodic: int = 1) -> Operand:
    (count,) = c.integers(size, "size")
    angle = 2 * np.pi * np.arange(count) / (count if periodic else max(count - 1, 1))
    weights = {
        "HannWindow": (0.5, 0.5, 0),
        "HammingWindow": (25 / 46, 21 / 46, 0),
        "BlackmanWindow": (0.42, 0.5, 0.08),
    }[c.node.operation]
    made = weights[0] - weights[1] * np.cos(angle) + weights[2] * np.cos(2 * angle)
    return cast_to(c, Known(made, "f64"), output_datatype)
