"""Linear algebra of ATen: torch.linalg, and the operations that it becomes."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from .. import _program as program
from .._program import Value
from .._tensors import _linear
from .._tensors._linear import Tolerance
from .._tensors._tensor import Tensor, from_value, to_value
from ._context import Context, Missing, Unsupported, operation

_FACTORS_TWICE = Missing("the factors of a solution are not kept; compute them with torch.linalg.lu_factor")


def _matrices(*names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Enters a rule whose tensors are given as values with their axes in order, and which returns such values."""

    def enter(rule: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(rule)
        def code(c: Context, *args: Any, **kwargs: Any) -> Any:
            given = [to_value(a) if isinstance(a, Tensor) else a for a in args]
            named = {k: to_value(a) if isinstance(a, Tensor) else a for k, a in kwargs.items()}
            for value in (*given, *named.values()):
                if isinstance(value, Value) and value.element in ("f16", "bf16"):
                    raise Unsupported(f"linear algebra is of f32 and f64, not of {value.element}")
            return _to_tensors(rule(c, *given, **named))

        return operation(*names)(code)

    return enter


def _to_tensors(found: Any) -> Any:
    if isinstance(found, tuple):
        return tuple(map(_to_tensors, found))
    return from_value(found) if isinstance(found, Value) else found


# Systems of equations.


def _solve(a: Value, b: Value, left: bool, is_checked: bool) -> tuple[Value, Value]:
    p = program
    is_vector = b.rank == 1 or (b.rank == a.rank - 1 and b.extents == a.extents[:-1])
    if is_vector:
        if not left:
            raise Unsupported("left=False with vectors on the right sides")
        return _linear.solve_vectors(a, b, is_checked)
    if left:
        return p.solve(a, b, is_checked)
    x, info = p.solve(p.swap_last(a), p.swap_last(b), is_checked)
    return p.swap_last(x), info


@_matrices("linalg_solve.default")
def _linalg_solve(c: Context, a: Value, b: Value, *, left: bool = True) -> Value:
    return _solve(a, b, left, is_checked=True)[0]


@_matrices("linalg_solve_ex.default")
def _solve_ex(c: Context, a: Value, b: Value, *, left: bool = True, check_errors: bool = False) -> tuple[Value, ...]:
    return _solve(a, b, left, check_errors)


@_matrices("_linalg_solve_ex.default")
def _solve_with_factors(
    c: Context, a: Value, b: Value, *, left: bool = True, check_errors: bool = False
) -> tuple[Any, ...]:
    x, info = _solve(a, b, left, check_errors)
    return x, _FACTORS_TWICE, _FACTORS_TWICE, info


def _triangle(a: Value, b: Value, is_upper: bool, is_unit: bool, left: bool = True) -> Value:
    p = program
    if left:
        return p.triangular_solve(a, b, is_upper, is_unit)
    return p.swap_last(p.triangular_solve(p.swap_last(a), p.swap_last(b), not is_upper, is_unit))


@_matrices("linalg_solve_triangular.default")
def _solve_triangular(
    c: Context, a: Value, b: Value, *, upper: bool, left: bool = True, unitriangular: bool = False
) -> Value:
    return _triangle(a, b, upper, unitriangular, left)


@_matrices("triangular_solve.default")
def _triangular_solve(
    c: Context, b: Value, a: Value, upper: bool = True, transpose: bool = False, unitriangular: bool = False
) -> tuple[Value, Value]:
    matrix = program.swap_last(a) if transpose else a
    return _triangle(matrix, b, upper != transpose, unitriangular), a


@_matrices("linalg_inv.default", "inverse.default")
def _inv(c: Context, x: Value) -> Value:
    return _linear.inverse(x)[0]


@_matrices("linalg_inv_ex.default")
def _inv_ex(c: Context, x: Value, *, check_errors: bool = False) -> tuple[Value, Value]:
    return _linear.inverse(x, check_errors)


@_matrices("linalg_matrix_power.default", "matrix_power.default")
def _matrix_power(c: Context, x: Value, n: int) -> Value:
    return _linear.matrix_power(x, n)


# Reshapes that torch.linalg decomposes together with a check.


@_matrices("linalg_tensorinv.default")
def _tensorinv(c: Context, x: Value, ind: int = 2) -> Value:
    p = program
    shape = p.extents(x)
    rows, columns = p.product(shape[:ind]), p.product(shape[ind:])
    found, _ = _linear.inverse(p.reshape(x, [rows, columns]))
    return p.reshape(found, [*shape[ind:], *shape[:ind]])


@_matrices("linalg_tensorsolve.default")
def _tensorsolve(c: Context, a: Value, b: Value, dims: list[int] | None = None) -> Value:
    p = program
    if dims:
        moved = [axis % a.rank for axis in dims]
        a = p.transpose(a, [*(axis for axis in range(a.rank) if axis not in moved), *moved])
    wanted = p.extents(a)[b.rank :]
    size = p.product(p.extents(b))
    matrix = p.reshape(a, [size, p.product(wanted)])
    return p.reshape(_linear.solve_vectors(matrix, p.reshape(b, [size]))[0], wanted)


# Factors.


def _cholesky_of(x: Value, is_upper: bool, is_checked: bool) -> tuple[Value, Value]:
    p = program
    factor, info = p.cholesky(p.swap_last(x) if is_upper else x, is_checked)
    return p.swap_last(factor) if is_upper else factor, info


@_matrices("linalg_cholesky.default")
def _linalg_cholesky(c: Context, x: Value, *, upper: bool = False) -> Value:
    return _cholesky_of(x, upper, is_checked=True)[0]


@_matrices("cholesky.default")
def _cholesky(c: Context, x: Value, upper: bool = False) -> Value:
    return _cholesky_of(x, upper, is_checked=True)[0]


@_matrices("linalg_cholesky_ex.default")
def _cholesky_ex(c: Context, x: Value, *, upper: bool = False, check_errors: bool = False) -> tuple[Value, Value]:
    return _cholesky_of(x, upper, check_errors)


@_matrices("cholesky_solve.default")
def _cholesky_solve(c: Context, b: Value, factor: Value, upper: bool = False) -> Value:
    return _linear.cholesky_solve(b, factor, upper)


@_matrices("cholesky_inverse.default")
def _cholesky_inverse(c: Context, factor: Value, upper: bool = False) -> Value:
    return _linear.cholesky_solve(program.identity(factor, program.extent(factor, -1)), factor, upper)


@_matrices("linalg_qr.default")
def _linalg_qr(c: Context, x: Value, mode: str = "reduced") -> tuple[Value, Value]:
    q, r = program.qr(x, mode == "complete")
    if mode == "r":
        # Torch gives an empty Q.
        q = program.reshape(program.slice_axis(program.reshape(q, [-1]), 0, 0, 0), [0])
    return q, r


@_matrices("qr.default")
def _qr(c: Context, x: Value, some: bool = True) -> tuple[Value, Value]:
    return program.qr(x, not some)


@_matrices("linalg_svd.default")
def _linalg_svd(c: Context, x: Value, full_matrices: bool = True, *, driver: str | None = None) -> tuple[Value, ...]:
    return program.svd(x, full_matrices)


@_matrices("_linalg_svd.default")
def _svd_of(
    c: Context, x: Value, full_matrices: bool = False, compute_uv: bool = True, *, driver: str | None = None
) -> tuple[Any, ...]:
    if not (c.is_read(0) or c.is_read(2)):
        why = Missing("the singular vectors are not computed")
        return why, program.singular_values(x), why
    return program.svd(x, full_matrices)


@_matrices("linalg_svdvals.default")
def _svdvals(c: Context, x: Value, *, driver: str | None = None) -> Value:
    return program.singular_values(x)


@_matrices("svd.default")
def _svd(c: Context, x: Value, some: bool = True, compute_uv: bool = True) -> tuple[Value, ...]:
    u, values, v = program.svd(x, not some)
    if not compute_uv:
        raise Unsupported("svd with compute_uv=False gives zeros; use torch.linalg.svdvals")
    return u, values, program.swap_last(v)


def _lower(x: Value, uplo: str) -> Value:
    return program.swap_last(x) if uplo.upper() == "U" else x


@_matrices("linalg_eigh.default")
def _linalg_eigh(c: Context, x: Value, UPLO: str = "L") -> tuple[Value, Value]:
    return program.symmetric_eigen(_lower(x, UPLO))


@_matrices("_linalg_eigh.default")
def _eigh_of(c: Context, x: Value, UPLO: str = "L", compute_v: bool = True) -> tuple[Any, Any]:
    if not c.is_read(1):
        return program.symmetric_eigenvalues(_lower(x, UPLO)), Missing("the eigenvectors are not computed")
    return program.symmetric_eigen(_lower(x, UPLO))


@_matrices("linalg_eigvalsh.default")
def _eigvalsh(c: Context, x: Value, UPLO: str = "L") -> Value:
    return program.symmetric_eigenvalues(_lower(x, UPLO))


def _lu(x: Value, pivot: bool, is_checked: bool) -> tuple[Value, Value, Value]:
    if not pivot:
        raise Unsupported("LU without pivots")
    factors, pivots, info = program.lu(x, is_checked)
    # Torch counts rows from 1, as LAPACK does.
    return factors, program.add(pivots, 1), info


@_matrices("linalg_lu_factor.default")
def _lu_factor(c: Context, x: Value, *, pivot: bool = True) -> tuple[Value, Value]:
    factors, pivots, _ = _lu(x, pivot, is_checked=True)
    return factors, pivots


@_matrices("linalg_lu_factor_ex.default")
def _lu_factor_ex(c: Context, x: Value, *, pivot: bool = True, check_errors: bool = False) -> tuple[Value, ...]:
    return _lu(x, pivot, check_errors)


@_matrices("_lu_with_info.default")
def _lu_with_info(c: Context, x: Value, pivot: bool = True, check_errors: bool = True) -> tuple[Value, ...]:
    return _lu(x, pivot, check_errors)


def _unpack(factors: Value, pivots: Value) -> tuple[Value, Value, Value]:
    rows = program.permutation(program.subtract(pivots, 1), program.extent(factors, -2))
    return _linear.permutation_matrix(rows, factors.element), *_linear.split_factors(factors)


@_matrices("linalg_lu.default")
def _linalg_lu(c: Context, x: Value, *, pivot: bool = True) -> tuple[Value, ...]:
    factors, pivots, _ = _lu(x, pivot, is_checked=False)
    return _unpack(factors, pivots)


@_matrices("lu_unpack.default")
def _lu_unpack(
    c: Context, factors: Value, pivots: Value, unpack_data: bool = True, unpack_pivots: bool = True
) -> tuple[Value, ...]:
    if not (unpack_data and unpack_pivots):
        raise Unsupported("lu_unpack of a part")
    return _unpack(factors, pivots)


@_matrices("linalg_lu_solve.default")
def _lu_solve(
    c: Context, factors: Value, pivots: Value, b: Value, *, left: bool = True, adjoint: bool = False
) -> Value:
    p = program
    pivots = p.subtract(pivots, 1)
    b = b if left else p.swap_last(b)
    # X A = B is A^T X^T = B^T.
    solve = _linear.solve_factored_transposed if adjoint == left else _linear.solve_factored
    x = solve(factors, pivots, b)
    return x if left else p.swap_last(x)


# Determinants.


def _not_kept(count: int) -> tuple[Missing, ...]:
    return (Missing("the factors of a determinant are not kept; compute them with torch.linalg.lu_factor"),) * count


@_matrices("linalg_det.default", "det.default")
def _det(c: Context, x: Value) -> Value:
    return _linear.determinant(x)


@_matrices("_linalg_det.default")
def _det_with_factors(c: Context, x: Value) -> tuple[Any, ...]:
    return _linear.determinant(x), *_not_kept(2)


@_matrices("linalg_slogdet.default", "slogdet.default")
def _slogdet(c: Context, x: Value) -> tuple[Value, Value]:
    return _linear.log_determinant(x)


@_matrices("_linalg_slogdet.default")
def _slogdet_with_factors(c: Context, x: Value) -> tuple[Any, ...]:
    return *_linear.log_determinant(x), *_not_kept(2)


@_matrices("logdet.default")
def _logdet(c: Context, x: Value) -> Value:
    sign, size = _linear.log_determinant(x)
    return program.select(program.less(sign, 0.0), float("nan"), size)


# What singular values and eigenvalues tell.


@_matrices("linalg_matrix_exp.default", "matrix_exp.default")
def _matrix_exp(c: Context, x: Value) -> Value:
    return program.matrix_exponential(x)


@_matrices("linalg_pinv.atol_rtol_tensor", "linalg_pinv.atol_rtol_float")
def _pinv(
    c: Context, x: Value, *, atol: Tolerance | None = None, rtol: Tolerance | None = None, hermitian: bool = False
) -> Value:
    return _linear.pseudo_inverse(x, rtol, atol, hermitian)


@_matrices("linalg_pinv.default", "linalg_pinv.rcond_tensor", "pinverse.default")
def _pinv_rcond(c: Context, x: Value, rcond: Tolerance = 1e-15, hermitian: bool = False) -> Value:
    return _linear.pseudo_inverse(x, rcond, 0.0, hermitian)


@_matrices("linalg_matrix_rank.atol_rtol_tensor", "linalg_matrix_rank.atol_rtol_float")
def _matrix_rank(
    c: Context, x: Value, *, atol: Tolerance | None = None, rtol: Tolerance | None = None, hermitian: bool = False
) -> Value:
    return _linear.matrix_rank(x, rtol, atol, hermitian)


@_matrices("linalg_matrix_rank.default", "linalg_matrix_rank.tol_tensor")
def _matrix_rank_tol(c: Context, x: Value, tol: Tolerance, hermitian: bool = False) -> Value:
    return _linear.matrix_rank(x, 0.0, tol, hermitian)


@_matrices("linalg_cond.default", "linalg_cond.p_str")
def _cond(c: Context, x: Value, p: float | str | None = None) -> Value:
    return _linear.condition_number(x, p)


@operation("_linalg_check_errors.default")
def _check_errors(c: Context, info: Tensor, name: str, *_: bool) -> None:
    """Has a call fail for the info of a form _ex."""
    holds = program.reduce("all", program.equal(to_value(info), 0))
    program.require_true(holds, f"{name}: the matrix is singular, or has no such factor; info has its place")


def _refuse(name: str) -> None:
    @operation(f"{name}.default")
    def code(c: Context, *args: Any, **kwargs: Any) -> Any:
        raise Unsupported("eigenvalues of general matrices are complex; those of symmetric ones are torch.linalg.eigh")


for _name in ("linalg_eig", "linalg_eigvals", "_linalg_eigvals"):
    _refuse(_name)
