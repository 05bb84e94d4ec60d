"""Functions of matrices: the last two axes of a value are those of a matrix, the others are a batch."""

from __future__ import annotations

from collections.abc import Sequence

from ._builder import Value
from ._elementwise import cast, equal
from ._extents import Number, extent, extents, index, known, largest, require, smallest
from ._moves import broadcast_to, expand, join_shapes, pad, slice_axis, transpose
from ._picking import gather_elements, iota

#: The message for matrices of other extents.
NOT_SQUARE = "its matrices have {0} rows and {1} columns; they must be square"


def _call(
    kind: str,
    inputs: Sequence[Value],
    results: Sequence[tuple[str, Sequence[Number]]],
    flags: Sequence[str] = (),
) -> list[Value]:
    """Adds `loom.linear_algebra` with results of these element types and extents."""
    builder = inputs[0].builder
    name = builder.new_name()
    into, made = [], []
    for i, (element, shape) in enumerate(results):
        names = [index(builder, n) for n in shape if not isinstance(n, int)]
        own = f"{name}#{i}" if len(results) > 1 else name
        made.append(Value(builder, own, element, [known(n) for n in shape]))
        into.append(builder.new_name())
        builder.add("tensor.empty({}){} : {}", names, builder.origin(), made[-1].type, result=into[-1])
    types = [value.type for value in made]
    builder.add(
        f'loom.linear_algebra "{kind}" {{}} into {{}}{{}} : ({{}}) -> ({{}})',
        [x.name for x in inputs],
        into,
        builder.origin(dict.fromkeys(flags, "unit")),
        [*(x.type for x in inputs), *types],
        types,
        result=name if len(results) == 1 else f"{name}:{len(results)}",
    )
    return made


def _require_matrices(x: Value, is_square: bool = False) -> tuple[list[Number], Number, Number]:
    """Returns the extents of the batch, rows and columns."""
    if x.rank < 2:
        raise ValueError(f"matrices have at least 2 axes, but an operand has {x.rank}")
    if x.element not in ("f32", "f64"):
        raise TypeError(f"linear algebra is of f32 and f64, not of {x.element}")
    *batch, rows, columns = extents(x)
    if is_square:
        require(x.builder, "eq", rows, columns, NOT_SQUARE)
    return batch, rows, columns


def swap_last(x: Value) -> Value:
    """Returns the transposed matrices."""
    return transpose(x, [*range(x.rank - 2), x.rank - 1, x.rank - 2])


def _unchecked(is_checked: bool) -> list[str]:
    return [] if is_checked else ["unchecked"]


def _share_batch(a: Value, b: Value) -> tuple[Value, Value, list[Number]]:
    """Repeats the matrices of both to one batch."""
    batches = [extents(x)[:-2] for x in (a, b)]
    if not batches[0] and not batches[1]:
        return a, b, []
    batch = join_shapes(batches)
    return broadcast_to(a, [*batch, *extents(a)[-2:]]), broadcast_to(b, [*batch, *extents(b)[-2:]]), batch


def lu(x: Value, is_checked: bool = True) -> tuple[Value, Value, Value]:
    """Returns L and U as one matrix, the pivots and a number for each matrix, both i32: row i and row
    pivots[i] change places, one after the other. The number is that of the first pivot that is 0, counted from 1, or
    0; with `is_checked` a call fails where there is one."""
    with x.builder.naming("lu"):
        batch, rows, columns = _require_matrices(x)
        shapes = [(x.element, [*batch, rows, columns]), ("i32", [*batch, smallest(rows, columns)]), ("i32", batch)]
        factors, pivots, info = _call("lu", [x], shapes, _unchecked(is_checked))
        return factors, pivots, info


def permutation(pivots: Value, rows: Number) -> Value:
    """Returns, for pivots of `lu`, which row of a matrix is row i after all exchanges, as i32. A call checks the
    pivots."""
    with pivots.builder.naming("permutation"):
        batch = extents(pivots)[:-1]
        return _call("permutation", [pivots], [("i32", [*batch, rows])])[0]


def solve(a: Value, b: Value, is_checked: bool = True) -> tuple[Value, Value]:
    """Returns X where A X = B, and a number for each matrix of A: that of its first pivot that is 0, or 0. With
    `is_checked` a call fails where there is one; else X is NaN there. The batches of A and B broadcast."""
    with a.builder.naming("solve"):
        _, rows, _ = _require_matrices(a, is_square=True)
        _require_rows(a, b, rows)
        a, b, batch = _share_batch(a, b)
        solution, info = _call(
            "solve", [a, b], [(a.element, [*batch, *extents(b)[-2:]]), ("i32", batch)], _unchecked(is_checked)
        )
        return solution, info


def _require_rows(a: Value, b: Value, rows: Number) -> None:
    _, others, _ = _require_matrices(b)
    require(a.builder, "eq", others, rows, "the right sides have {0} rows, but the matrices have {1}")


def triangular_solve(a: Value, b: Value, is_upper: bool = False, is_unit: bool = False) -> Value:
    """Returns X where T X = B, for a triangle T of A. The batches of A and B broadcast."""
    with a.builder.naming("triangular_solve"):
        _, rows, _ = _require_matrices(a, is_square=True)
        _require_rows(a, b, rows)
        a, b, batch = _share_batch(a, b)
        flags = [name for name, holds in (("upper", is_upper), ("unit", is_unit)) if holds]
        return _call("triangular_solve", [a, b], [(a.element, [*batch, *extents(b)[-2:]])], flags)[0]


def cholesky(x: Value, is_checked: bool = True) -> tuple[Value, Value]:
    """Returns L where L L^T = A, of which the lower triangle is read, and a number for each matrix: that of the first
    leading minor that is not positive, or 0. With `is_checked` a call fails where there is one; else L is NaN there."""
    with x.builder.naming("cholesky"):
        batch, rows, columns = _require_matrices(x, is_square=True)
        factor, info = _call(
            "cholesky", [x], [(x.element, [*batch, rows, columns]), ("i32", batch)], _unchecked(is_checked)
        )
        return factor, info


def qr(x: Value, is_complete: bool = False) -> tuple[Value, Value]:
    """Returns Q, with as many columns as there are rows or columns at most, or as rows with `is_complete`, and R."""
    with x.builder.naming("qr"):
        batch, rows, columns = _require_matrices(x)
        inner = rows if is_complete else smallest(rows, columns)
        q, r = _call("qr", [x], [(x.element, [*batch, rows, inner]), (x.element, [*batch, inner, columns])])
        return q, r


def svd(x: Value, is_full: bool = False) -> tuple[Value, Value, Value]:
    """Returns U, the singular values, the largest first, and V^T; U and V are square with `is_full`."""
    with x.builder.naming("svd"):
        batch, rows, columns = _require_matrices(x)
        count = smallest(rows, columns)
        left, right = (rows, columns) if is_full else (count, count)
        shapes = [[*batch, rows, left], [*batch, count], [*batch, right, columns]]
        u, values, v = _call("svd", [x], [(x.element, shape) for shape in shapes])
        return u, values, v


def singular_values(x: Value) -> Value:
    """Returns the singular values, the largest first."""
    with x.builder.naming("svdvals"):
        batch, rows, columns = _require_matrices(x)
        return _call("singular_values", [x], [(x.element, [*batch, smallest(rows, columns)])])[0]


def symmetric_eigen(x: Value) -> tuple[Value, Value]:
    """Returns the eigenvalues of symmetric matrices, of which the lower triangle is read, the smallest first, and
    their vectors in columns."""
    with x.builder.naming("eigh"):
        batch, rows, columns = _require_matrices(x, is_square=True)
        shapes = [(x.element, [*batch, rows]), (x.element, [*batch, rows, columns])]
        values, vectors = _call("symmetric_eigen", [x], shapes)
        return values, vectors


def symmetric_eigenvalues(x: Value) -> Value:
    """Returns the eigenvalues alone."""
    with x.builder.naming("eigvalsh"):
        batch, rows, _ = _require_matrices(x, is_square=True)
        return _call("symmetric_eigenvalues", [x], [(x.element, [*batch, rows])])[0]


def matrix_exponential(x: Value) -> Value:
    """Returns e to the power of matrices."""
    with x.builder.naming("matrix_exp"):
        batch, rows, columns = _require_matrices(x, is_square=True)
        return _call("exponential", [x], [(x.element, [*batch, rows, columns])])[0]


def identity(x: Value, rows: Number, columns: Number | None = None) -> Value:
    """Returns one matrix with ones on its diagonal, of the element type of x."""
    builder, columns = x.builder, rows if columns is None else columns
    across = iota(builder, columns, "i64", axis=1, rank=2)
    return cast(equal(iota(builder, rows, "i64", axis=0, rank=2), across), x.element)


def permute_rows(x: Value, rows: Value) -> Value:
    """Returns matrices whose row i is row rows[i] of x."""
    batch = extents(x)[:-2]
    indices = broadcast_to(cast(expand(rows, [rows.rank]), "i64"), [*batch, extent(rows, -1), extent(x, -1)])
    return gather_elements(x, indices, -2, from_end=False)


def resize_square(x: Value, rows: Number, columns: Number) -> Value:
    """Returns the first rows and columns of matrices, with zeros behind them where there are none."""
    for axis, wanted in ((-2, rows), (-1, columns)):
        have = extent(x, axis)
        behind = [0] * x.rank
        low: list[Number] = list(behind)
        high: list[Number] = list(behind)
        high[axis] = largest(wanted - have, 0)
        x = slice_axis(pad(x, low, high, 0.0), axis, 0, wanted)
    return x


__all__ = [
    "NOT_SQUARE",
    "cholesky",
    "identity",
    "lu",
    "matrix_exponential",
    "permutation",
    "permute_rows",
    "qr",
    "resize_square",
    "singular_values",
    "solve",
    "svd",
    "swap_last",
    "symmetric_eigen",
    "symmetric_eigenvalues",
    "triangular_solve",
]
