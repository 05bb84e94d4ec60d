"""NumPy's linear algebra, over arrays without values."""

from __future__ import annotations

import operator
from typing import Any, NamedTuple

import numpy as np

from .. import _program as program
from .._program import Value
from .._tensors import _linear
from . import _trace
from ._array import TracedArray
from ._functions import REFUSED, as_array, cast, find_trace, implements
from ._memory import as_kind_of
from ._shapes import normalize_axes


class EighResult(NamedTuple):
    """What np.linalg.eigh returns."""

    eigenvalues: Any
    eigenvectors: Any


class QRResult(NamedTuple):
    """What np.linalg.qr returns."""

    Q: Any
    R: Any


class SVDResult(NamedTuple):
    """What np.linalg.svd returns."""

    U: Any
    S: Any
    Vh: Any


class SlogdetResult(NamedTuple):
    """What np.linalg.slogdet returns."""

    sign: Any
    logabsdet: Any


def _floats(name: str, *operands: Any) -> tuple[Any, list[Value]]:
    """Returns the operands in f32 where all are, else in f64, as NumPy computes them."""
    trace = find_trace(operands)
    arrays = [as_array(x, operands) for x in operands]
    if any(a.dtype == np.float16 or a.dtype.kind not in "fiub" for a in arrays):
        raise TypeError(
            f"{_trace.spell_location()}array type {next(a.dtype for a in arrays)} is unsupported in linalg: "
            f"np.linalg.{name} is of f32 and f64; cast it"
        )
    element = np.float32 if all(a.dtype == np.float32 for a in arrays) else np.float64
    return trace, [cast(a, element)._value for a in arrays]


def _matrix(name: str, x: Any) -> tuple[Any, Value]:
    trace, (value,) = _floats(name, x)
    if value.rank < 2:
        raise np.linalg.LinAlgError(
            f"{_trace.spell_location()}{value.rank}-dimensional array given. Array must be at least two-dimensional"
        )
    return trace, value


def require_elements(name: str, x: Value) -> None:
    """Has each call check that matrices have elements, where NumPy refuses others."""
    for axis in (-2, -1):
        message = f"np.linalg.{name} is of matrices with elements, but axis {axis} has extent {{0}}"
        program.require(x.builder, "sge", program.extent(x, axis), 1, message)


@implements("linalg.solve")
def solve(a: Any, b: Any) -> Any:
    trace, (x, y) = _floats("solve", a, b)
    found = _linear.solve_vectors(x, y) if y.rank == 1 else program.solve(x, y)
    return TracedArray(trace, found[0])


@implements("linalg.inv")
def inv(a: Any) -> Any:
    trace, x = _matrix("inv", a)
    return TracedArray(trace, _linear.inverse(x)[0])


@implements("linalg.matrix_power")
def matrix_power(a: Any, n: Any) -> Any:
    array, n = as_array(a), operator.index(n)
    if n < 0:
        array, n = inv(array), -n
    if n == 0:
        value = array._value
        rows, columns = program.extents(value)[-2:]
        program.require(value.builder, "eq", rows, columns, program.NOT_SQUARE)
        return TracedArray(array._trace, _linear.matrix_power(value, 0))
    found = None
    while n:
        if n % 2:
            found = array if found is None else np.matmul(found, array)
        n //= 2
        array = np.matmul(array, array) if n else array
    return found


@implements("linalg.tensorinv")
def tensorinv(a: Any, ind: Any = 2) -> Any:
    trace, (x,) = _floats("tensorinv", a)
    if ind <= 0:
        raise ValueError(f"{_trace.spell_location()}Invalid ind argument.")
    p, shape = program, program.extents(x)
    matrix = p.reshape(x, [p.product(shape[:ind]), p.product(shape[ind:])])
    require_elements("tensorinv", matrix)
    found, _ = _linear.inverse(matrix)
    return TracedArray(trace, p.reshape(found, [*shape[ind:], *shape[:ind]]))


@implements("linalg.tensorsolve")
def tensorsolve(a: Any, b: Any, axes: Any = None) -> Any:
    trace, (x, y) = _floats("tensorsolve", a, b)
    p = program
    if axes is not None:
        moved = normalize_axes(axes, x.rank)
        x = p.transpose(x, [*(axis for axis in range(x.rank) if axis not in moved), *moved])
    wanted, size = p.extents(x)[y.rank :], p.product(p.extents(y))
    matrix = p.reshape(x, [size, p.product(wanted)])
    found = TracedArray(trace, p.reshape(_linear.solve_vectors(matrix, p.reshape(y, [size]))[0], wanted))
    # NumPy gives an array where the first is one.
    return as_kind_of(as_array(a, (b,)), found)


# Factors.


@implements("linalg.cholesky")
def cholesky(a: Any, /, *, upper: Any = False) -> Any:
    trace, x = _matrix("cholesky", a)
    factor, _ = program.cholesky(program.swap_last(x) if upper else x)
    return TracedArray(trace, program.swap_last(factor) if upper else factor)


@implements("linalg.qr")
def qr(a: Any, mode: Any = "reduced") -> Any:
    if mode not in ("reduced", "complete", "r"):
        raise _trace.refuse(f"np.linalg.qr with mode={mode!r}", "its modes are 'reduced', 'complete' and 'r'")
    trace, x = _matrix("qr", a)
    q, r = (TracedArray(trace, v) for v in program.qr(x, mode == "complete"))
    return r if mode == "r" else QRResult(q, r)


@implements("linalg.svd")
def svd(a: Any, full_matrices: Any = True, compute_uv: Any = True, hermitian: Any = False) -> Any:
    trace, x = _matrix("svd", a)
    if not compute_uv:
        return TracedArray(trace, program.singular_values(x))
    # Of a symmetric matrix, the same factors are found in the general way.
    return SVDResult(*(TracedArray(trace, v) for v in program.svd(x, bool(full_matrices))))


@implements("linalg.svdvals")
def svdvals(x: Any, /) -> Any:
    trace, value = _matrix("svdvals", x)
    return TracedArray(trace, program.singular_values(value))


def _lower(x: Value, uplo: Any) -> Value:
    if str(uplo).upper() not in ("L", "U"):
        raise ValueError(f"{_trace.spell_location()}UPLO argument must be 'L' or 'U'")
    return program.swap_last(x) if str(uplo).upper() == "U" else x


@implements("linalg.eigh")
def eigh(a: Any, UPLO: Any = "L") -> Any:
    trace, x = _matrix("eigh", a)
    return EighResult(*(TracedArray(trace, v) for v in program.symmetric_eigen(_lower(x, UPLO))))


@implements("linalg.eigvalsh")
def eigvalsh(a: Any, UPLO: Any = "L") -> Any:
    trace, x = _matrix("eigvalsh", a)
    return TracedArray(trace, program.symmetric_eigenvalues(_lower(x, UPLO)))


# Numbers of matrices.


@implements("linalg.det")
def det(a: Any) -> Any:
    trace, x = _matrix("det", a)
    return TracedArray(trace, _linear.determinant(x))


@implements("linalg.slogdet")
def slogdet(a: Any) -> Any:
    trace, x = _matrix("slogdet", a)
    return SlogdetResult(*(TracedArray(trace, v) for v in _linear.log_determinant(x)))


@implements("linalg.cond")
def cond(x: Any, p: Any = None) -> Any:
    trace, value = _matrix("cond", x)
    require_elements("cond", value)
    return TracedArray(trace, _linear.condition_number(value, p))


def _tolerance(number: Any, like: TracedArray) -> Any:
    """Returns a tolerance, which is a number or has the axes of the batch."""
    return number if number is None or isinstance(number, (int, float)) else as_array(number, (like,))._value


@implements("linalg.matrix_rank")
def matrix_rank(A: Any, tol: Any = None, hermitian: Any = False, *, rtol: Any = None) -> Any:
    trace, x = _matrix("matrix_rank", A)
    if tol is None:
        require_elements("matrix_rank", x)
    if tol is not None and rtol is not None:
        raise ValueError(f"{_trace.spell_location()}`tol` and `rtol` can't be both set.")
    relative = _tolerance(rtol, A) if tol is None else 0.0
    return TracedArray(trace, _linear.matrix_rank(x, relative, _tolerance(tol, A), bool(hermitian)))


@implements("linalg.pinv")
def pinv(a: Any, rcond: Any = None, hermitian: Any = False, *, rtol: Any = None) -> Any:
    trace, x = _matrix("pinv", a)
    if rcond is not None and rtol is not None:
        raise ValueError(f"{_trace.spell_location()}`rtol` and `rcond` can't be both set.")
    given = rcond if rtol is None else rtol
    relative = 1e-15 if given is None else _tolerance(given, a)
    return TracedArray(trace, _linear.pseudo_inverse(x, relative, None, bool(hermitian)))


@implements("linalg.lstsq")
def lstsq(a: Any, b: Any, rcond: Any = None) -> Any:
    p = program
    trace, (x, y) = _floats("lstsq", a, b)
    if x.rank != 2:
        raise np.linalg.LinAlgError(
            f"{_trace.spell_location()}{x.rank}-dimensional array given. Array must be two-dimensional"
        )
    rows, columns = p.extents(x)
    p.require(x.builder, "eq", p.extent(y, 0), rows, "the right sides have {0} rows, but the matrix has {1}")
    sides = y if y.rank == 2 else _linear.as_columns(y)
    found, rank, values = _linear.least_squares(x, sides, None if rcond is None else float(rcond))
    squares = p.sum(p.square(p.subtract(sides, p.matmul(x, found))), [0])
    # There are sums of squares for a matrix of full rank with more rows than columns.
    full = p.cast(p.equal(rank, p.scalar(x.builder, columns, "i64")), "i64")
    longer = p.cast(p.greater(p.scalar(x.builder, rows, "i64"), p.scalar(x.builder, columns, "i64")), "i64")
    count = p.multiply(p.multiply(full, longer), p.scalar(x.builder, p.extent(squares, 0), "i64"))
    squares = p.slice_axis(squares, 0, 0, p.largest(p.to_number(count), 0))
    if y.rank == 1:
        found = p.squeeze(found, [1])
    return tuple(TracedArray(trace, v) for v in (found, squares, p.cast(rank, "i32"), values))


def _refuse(name: str, instead: str) -> None:
    REFUSED.add(name)

    @implements(name)
    def code(*arguments: Any, **keywords: Any) -> Any:
        raise _trace.refuse(f"np.{name}", instead)


for _name in ("eig", "eigvals"):
    _refuse(f"linalg.{_name}", "eigenvalues of general matrices are complex; np.linalg.eigh is of symmetric ones")
for _name in np.fft.__all__:
    if "freq" not in _name and "shift" not in _name:
        _refuse(f"fft.{_name}", f"{_trace.NO_COMPLEX}, and with the products of x and of matrices of np.cos and np.sin")
