"""Determinants, by elimination with the largest pivot of each column."""

from __future__ import annotations

from typing import Any

from .. import _program as program
from .._program import Value
from .._tensors._tensor import Number, Tensor, from_value
from ._context import Context, Operand, operator


@operator("Det", since=11)
def _det(c: Context, x: Operand) -> Tensor:
    p, b, element = program, c.builder, x.element
    if x.rank < 2:
        raise ValueError(f"its input has {x.rank} axes, but at least 2 are needed")
    value = p.cast(c.value(x), "f64" if element == "f64" else "f32")
    *around, height, width = p.extents(value)
    p.require(b, "eq", height, width, "its matrices have {0} rows and {1} columns")
    many = p.product(around)
    shape: list[Number] = [many, height, height]
    rows = p.iota(b, height, "i64", axis=1, rank=3)

    def step(at: Number, carried: list[Any]) -> list[Any]:
        matrix, found = carried
        number = p.scalar(b, at, "i64")
        column = p.take_slice(matrix, 2, at, 1)
        is_left = p.greater_equal(rows, number)
        best = p.argmax(p.select(is_left, p.absolute(column), -1.0), 1, keepdims=True)
        # The row of the pivot and that of the step change places.
        source = p.select(p.equal(rows, number), best, p.select(p.equal(rows, best), number, rows))
        matrix = p.gather_elements(matrix, p.broadcast_to(source, shape), 1, from_end=False)
        pivot = p.take_slice(p.take_slice(matrix, 2, at, 1), 1, at, 1)
        share = p.divide(p.take_slice(matrix, 2, at, 1), p.select(p.equal(pivot, 0.0), 1.0, pivot))
        share = p.select(p.greater(rows, number), share, 0.0)
        matrix = p.subtract(matrix, p.multiply(share, p.take_slice(matrix, 1, at, 1)))
        signed = p.select(p.equal(best, number), pivot, p.negative(pivot))
        found = p.multiply(found, p.squeeze(signed, [1, 2]))
        return [p.require_shape(matrix, shape), p.require_shape(found, [many])]

    start: Value = p.broadcast_to(c.scalar(1.0, value.element), [many])
    _, found = p.repeat(b, 0, height, [p.reshape(value, shape), start], step)
    return from_value(p.cast(p.reshape(found, around), element))
