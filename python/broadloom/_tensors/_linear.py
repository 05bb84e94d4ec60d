"""Linear algebra that is made of factorisations."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import _program as program
from .._program import Value
from ._tensor import Number

#: A tolerance: a number, or a value with the axes of the batch.
Tolerance = float | Value


def batch_of(x: Value) -> list[Number]:
    """Returns the extents of the batch."""
    return program.extents(x)[:-2]


def as_columns(x: Value) -> Value:
    """Returns vectors as matrices of one column."""
    return program.expand(x, [x.rank])


def solve_vectors(a: Value, b: Value, is_checked: bool = True) -> tuple[Value, Value]:
    """Solves with vectors on the right sides."""
    x, info = program.solve(a, as_columns(b), is_checked)
    return program.squeeze(x, [x.rank - 1]), info


def inverse(x: Value, is_checked: bool = True) -> tuple[Value, Value]:
    """Returns the inverse, and the numbers of `solve`."""
    with x.builder.naming("inv"):
        return program.solve(x, program.identity(x, program.extent(x, -1)), is_checked)


def _exchanges(pivots: Value) -> Value:
    """Returns 1 for an even number of exchanges, -1 for an odd one."""
    p = program
    own = p.iota(pivots.builder, p.extent(pivots, -1), "i32", axis=pivots.rank - 1, rank=pivots.rank)
    count = p.reduce("sum", p.cast(p.not_equal(pivots, own), "i32"), [pivots.rank - 1])
    return p.subtract(1, p.multiply(p.bitwise_and(count, 1), 2))


def _pivots_of(x: Value) -> tuple[Value, Value]:
    """Returns the pivots as numbers, and the sign of the exchanges."""
    with x.builder.naming("det"):
        rows, columns = program.extents(x)[-2:]
        program.require(x.builder, "eq", rows, columns, program.NOT_SQUARE)
        factors, pivots, _ = program.lu(x, is_checked=False)
        return program.diagonal(factors, -2, -1), program.cast(_exchanges(pivots), x.element)


def determinant(x: Value) -> Value:
    """Returns the determinant, the product of the pivots."""
    if x.rank < 2:
        raise ValueError(f"a determinant is of matrices, which have at least 2 axes, but the operand has {x.rank}")
    numbers, sign = _pivots_of(x)
    return program.multiply(sign, program.reduce("product", numbers, [numbers.rank - 1]))


def log_determinant(x: Value) -> tuple[Value, Value]:
    """Returns the sign of the determinant and the logarithm of its size."""
    p = program
    numbers, sign = _pivots_of(x)
    last = [numbers.rank - 1]
    sign = p.multiply(sign, p.reduce("product", p.sign(numbers), last))
    return sign, p.sum(p.log(p.absolute(numbers)), last)


def split_factors(factors: Value) -> tuple[Value, Value]:
    """Returns L and U of `lu` as two matrices."""
    p, b = program, factors.builder
    rows, columns = p.extents(factors)[-2:]
    inner = p.smallest(rows, columns)
    lower = p.slice_axis(factors, -1, 0, inner)
    upper = p.slice_axis(factors, -2, 0, inner)

    def places(x: Value, axis: int) -> Value:
        return p.iota(b, p.extent(x, axis), "i64", axis=x.rank + axis, rank=x.rank)

    row, column = places(lower, -2), places(lower, -1)
    lower = p.select(p.greater(row, column), lower, p.cast(p.equal(row, column), lower.element))
    upper = p.select(p.less_equal(places(upper, -2), places(upper, -1)), upper, 0.0)
    return lower, upper


def permutation_matrix(rows: Value, element: str) -> Value:
    """Returns P where P L U is the matrix, of the rows of `permutation`."""
    p, b = program, rows.builder
    own = p.iota(b, p.extent(rows, -1), "i32", axis=rows.rank - 1, rank=rows.rank + 1)
    return p.cast(p.equal(p.expand(rows, [rows.rank - 1]), own), element)


def solve_factored(factors: Value, pivots: Value, b: Value) -> Value:
    """Solves with the factors and pivots of `lu`."""
    p = program
    rows = p.permutation(pivots, p.extent(factors, -1))
    batch = p.join_shapes([batch_of(factors), batch_of(b)])
    if batch:
        b = p.broadcast_to(b, [*batch, *p.extents(b)[-2:]])
        rows = p.broadcast_to(rows, [*batch, p.extent(rows, -1)])
    lower = p.triangular_solve(factors, p.permute_rows(b, rows), is_unit=True)
    return p.triangular_solve(factors, lower, is_upper=True)


def solve_factored_transposed(factors: Value, pivots: Value, b: Value) -> Value:
    """Solves with the transposed matrices of these factors."""
    p = program
    turned = p.swap_last(factors)
    first = p.triangular_solve(turned, b)
    second = p.triangular_solve(turned, first, is_upper=True, is_unit=True)
    # The rows of the result go back to where they were.
    moved = p.permutation(pivots, p.extent(factors, -1))
    matrix = permutation_matrix(moved, b.element)
    return p.matmul(matrix, second)


def cholesky_solve(b: Value, factor: Value, is_upper: bool = False) -> Value:
    """Solves with a Cholesky factor."""
    p = program
    turned = p.swap_last(factor)
    lower, upper = (turned, factor) if is_upper else (factor, turned)
    return p.triangular_solve(upper, p.triangular_solve(lower, b), is_upper=True)


def _tolerance(values: Value, size: Number, relative: Tolerance | None, absolute: Tolerance | None) -> Value:
    """Returns the size from which a singular value counts, with an axis for them."""
    p = program

    def spread(number: Tolerance) -> Value | float:
        return p.expand(p.cast(number, values.element), [number.rank]) if isinstance(number, Value) else number

    if relative is None:
        epsilon = float(np.finfo(p.to_numpy(values.element)).eps)
        relative = p.multiply(p.scalar(values.builder, size, values.element), epsilon)
        if absolute is not None:
            # It replaces this one where it is not 0.
            bound = spread(absolute)
            if not isinstance(bound, Value):
                relative = 0.0 if bound > 0 else relative
            else:
                relative = p.select(p.greater(bound, 0.0), 0.0, relative)
    else:
        relative = spread(relative)
    largest = p.reduce("max", values, [values.rank - 1], keepdims=True)
    # Of no singular values there is no largest.
    limit = p.multiply(p.maximum(largest, 0.0), relative)
    return limit if absolute is None else p.maximum(limit, spread(absolute))


def _values_of(x: Value, is_hermitian: bool) -> tuple[Value, Value, Value]:
    """Returns singular values beside the matrices that they stand between."""
    p = program
    if not is_hermitian:
        u, values, v = p.svd(x)
        return u, values, v
    values, vectors = p.symmetric_eigen(x)
    return vectors, values, p.swap_last(vectors)


def pseudo_inverse(
    x: Value,
    relative: Tolerance | None = None,
    absolute: Tolerance | None = None,
    is_hermitian: bool = False,
) -> Value:
    """Returns the pseudo-inverse: singular values up to the tolerance count as 0."""
    p = program
    size = p.largest(*p.extents(x)[-2:])
    u, values, v = _values_of(x, is_hermitian)
    sizes = p.absolute(values)
    kept = p.greater(sizes, _tolerance(sizes, size, relative, absolute))
    inverted = p.select(kept, p.divide(1.0, p.select(kept, values, 1.0)), 0.0)
    return p.matmul(p.multiply(p.swap_last(v), p.expand(inverted, [inverted.rank - 1])), p.swap_last(u))


def matrix_rank(
    x: Value,
    relative: Tolerance | None = None,
    absolute: Tolerance | None = None,
    is_hermitian: bool = False,
) -> Value:
    """Returns how many singular values are above the tolerance, as i64."""
    p = program
    size = p.largest(*p.extents(x)[-2:])
    values = p.absolute(p.symmetric_eigenvalues(x)) if is_hermitian else p.singular_values(x)
    above = p.greater(values, _tolerance(values, size, relative, absolute))
    return p.sum(p.cast(above, "i64"), [values.rank - 1])


def least_squares(a: Value, b: Value, relative: Tolerance | None = None) -> tuple[Value, Value, Value]:
    """Returns the shortest X for which A X - B has the least squares, the rank and the singular values of A."""
    p = program
    u, values, v = p.svd(a)
    limit = _tolerance(values, p.largest(*p.extents(a)[-2:]), relative, None)
    kept = p.greater(values, limit)
    inverted = p.select(kept, p.divide(1.0, p.select(kept, values, 1.0)), 0.0)
    parts = p.multiply(p.matmul(p.swap_last(u), b), as_columns(inverted))
    return p.matmul(p.swap_last(v), parts), p.sum(p.cast(kept, "i64"), [kept.rank - 1]), values


def spectral_norm(x: Value, order: Any) -> Value:
    """Returns the largest singular value for 2, the smallest for -2, the sum for 'nuc'."""
    p = program
    values = p.singular_values(x)
    last = [values.rank - 1]
    if order == "nuc":
        return p.sum(values, last)
    if order == 2:
        # A norm of nothing is 0.
        return p.maximum(p.reduce("max", values, last), 0.0)
    return p.reduce("min", values, last)


def summed_norm(x: Value, order: Any) -> Value:
    """Returns the norm of matrices by 'fro', or the largest or smallest sum of a column or a row: 1, -1, inf, -inf."""
    p = program
    if order == "fro":
        return p.sqrt(p.sum(p.square(x), [x.rank - 2, x.rank - 1]))
    sums = p.sum(p.absolute(x), [x.rank - (2 if abs(order) == 1 else 1)])
    found = p.reduce("max" if order > 0 else "min", sums, [sums.rank - 1])
    return p.maximum(found, 0.0) if order > 0 else found


def matrix_norm(x: Value, order: Any) -> Value:
    """Returns a norm of matrices; none of them has the given order where it is a ValueError."""
    if order in ("nuc", 2, -2):
        return spectral_norm(x, order)
    if order in ("fro", 1, -1, math.inf, -math.inf):
        return summed_norm(x, order)
    raise ValueError(f"matrices have no norm of order {order!r}")


def condition_number(x: Value, order: Any = None) -> Value:
    """Returns how much a solution can change: the norm times that of the inverse. It is infinite for a singular
    matrix."""
    p = program
    if order is None or order in (2, -2):
        values = p.singular_values(x)
        last = values.rank - 1
        first, behind = (p.reduce(kind, values, [last]) for kind in ("max", "min"))
        found = p.divide(behind, first) if order == -2 else p.divide(first, behind)
        count = p.extent(values, last)
        # Nothing does not change at all.
        return found if isinstance(count, int) and count else p.select(p.less(first, 0.0), 0.0, found)
    turned, info = inverse(x, is_checked=False)
    found = p.multiply(matrix_norm(x, order), matrix_norm(turned, order))
    return p.select(p.equal(info, 0), found, math.inf)


def matrix_power(x: Value, exponent: int) -> Value:
    """Returns the product of so many factors; for negative numbers, of the inverse."""
    p = program
    if exponent == 0:
        return p.broadcast_to(p.identity(x, p.extent(x, -1)), p.extents(x))
    if exponent < 0:
        x, exponent = inverse(x)[0], -exponent
    found: Value | None = None
    while exponent:
        if exponent % 2:
            found = x if found is None else p.matmul(found, x)
        exponent //= 2
        x = p.matmul(x, x) if exponent else x
    assert found is not None
    return found
