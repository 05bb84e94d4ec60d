"""np.linalg under bl.jit: residuals and NumPy's values, for batches of any extents; matrices without an inverse."""

import pickle

import broadloom as bl
import numpy as np
import pytest

L = np.linalg
SHAPES = [(3, 4, 4), (1, 1, 1), (2, 17, 17), (0, 3, 3), (4, 0, 0), (2, 40, 40)]
OBLONG = [(2, 5, 3), (2, 3, 5), (1, 40, 21), (3, 0, 2), (3, 2, 0), (0, 4, 4), (2, 24, 24)]


def draw(shape, dtype, seed=0):
    return np.random.default_rng(seed).normal(size=shape).astype(dtype)


def near(found, expected, dtype, factor=200):
    limit = factor * np.finfo(dtype).eps * max(found.shape[-2:] if found.ndim > 1 else (1,), default=1)
    assert found.dtype == dtype and found.shape == expected.shape
    np.testing.assert_allclose(found, expected, rtol=limit, atol=limit * max(1, np.abs(expected).max(initial=0)))


@pytest.fixture(params=["f4", "f8"])
def dtype(request):
    return np.dtype(request.param)


def test_square_matrices(dtype):
    f = bl.jit(lambda a, b: (L.solve(a, b), L.inv(a), L.det(a), *L.slogdet(a), L.matrix_power(a, -2), L.cond(a)))
    for shape in SHAPES:
        a = draw(shape, dtype) + 2 * shape[-1] ** 0.5 * np.eye(shape[-1], dtype=dtype)
        b = draw((*shape[:-1], 2), dtype, 1)
        if 0 in shape[1:]:
            with pytest.raises(
                bl.ShapeError, match=r"np.linalg.cond is of matrices with elements, but axis -2 has extent 0"
            ):
                f(a, b)
            continue
        x, inverse, determinant, sign, size, power, condition = f(a, b)
        identity = np.broadcast_to(np.eye(shape[-1], dtype=dtype), shape)
        near(a @ x, b, dtype)
        near(a @ inverse, identity, dtype)
        near(a @ a @ power, identity, dtype, 2000)
        with np.errstate(over="ignore"):
            expected = L.det(a)
        np.testing.assert_allclose(determinant, expected, rtol=1e-3 if dtype == "f4" else 1e-10)
        near(sign, L.slogdet(a).sign, dtype)
        near(size, L.slogdet(a).logabsdet, dtype)
        near(condition, L.cond(a), dtype, 2000)


def test_batches_broadcast():
    f = bl.jit(lambda a, b, v: (L.solve(a, b), L.solve(a[0], v), L.solve(a, b[0])))
    a, b, v = draw((3, 4, 4), "f8"), draw((2, 1, 4, 2), "f8"), draw(4, "f8")
    for got, expected in zip(f(a, b, v), (L.solve(a, b), L.solve(a[0], v), L.solve(a, b[0]))):
        near(got, expected, np.dtype("f8"), 2000)
    with pytest.raises(
        bl.ShapeError, match=r"'numpy.linalg.solve': the right sides have 5 rows, but the matrices have 4"
    ):
        f(a, draw((2, 1, 5, 2), "f8"), v)


def test_factors(dtype):
    def factors(a):
        q, r = L.qr(a)
        whole, _ = L.qr(a, "complete")
        u, s, v = L.svd(a, full_matrices=False)
        left, _, right = L.svd(a)
        return q, r, whole, u, s, v, left, right, L.svdvals(a)

    f = bl.jit(factors)
    for shape in OBLONG:
        a = draw(shape, dtype)
        q, r, whole, u, s, v, left, right, alone = f(a)
        near(q @ r, a, dtype)
        # The signs are LAPACK's.
        near(q, L.qr(a).Q, dtype, 2000)
        near(r, L.qr(a).R, dtype, 2000)
        near((u * s[:, None]) @ v, a, dtype)
        near(s, L.svdvals(a), dtype)
        near(alone, s, dtype)
        for basis in (whole, left, right.mT):
            near(basis @ basis.mT, np.broadcast_to(np.eye(basis.shape[-1], dtype=dtype), basis.shape), dtype)
        largest = np.take_along_axis(u, np.abs(u).argmax(1, keepdims=True), 1) if u.size else u
        assert (largest > 0).all()


def test_symmetric_matrices(dtype):
    def factors(a):
        positive = a @ a.mT + np.eye(a.shape[-1])
        values, vectors = L.eigh(positive)
        return L.cholesky(positive), L.cholesky(positive, upper=True), values, vectors, L.eigvalsh(a, "U"), positive

    f = bl.jit(factors)
    for shape in SHAPES:
        a = draw(shape, dtype)
        lower, upper, values, vectors, others, positive = f(a)
        near(lower @ lower.mT, positive, positive.dtype)
        near(upper, lower.mT, positive.dtype)
        near((vectors * values[:, None]) @ vectors.mT, positive, positive.dtype)
        near(others, L.eigvalsh(a, "U"), dtype)


def test_what_singular_values_tell(dtype):
    f = bl.jit(lambda a: (L.pinv(a), L.pinv(a @ a.mT, rtol=1e-2, hermitian=True), L.matrix_norm(a, ord="nuc")))
    g = bl.jit(
        lambda a: (
            L.norm(a, 2, axis=(1, 2)),
            L.norm(a, -2, axis=(0, 2), keepdims=True),
            L.matrix_rank(a),
            L.matrix_rank(a, tol=0.5),
        )
    )
    for shape in OBLONG:
        a = draw(shape, dtype)
        pseudo, hermitian, nuclear = f(a)
        near(pseudo, L.pinv(a), dtype, 20000)
        near(hermitian, L.pinv(a @ a.mT, rtol=1e-2, hermitian=True), dtype, 1e6)
        near(nuclear, L.matrix_norm(a, ord="nuc"), dtype, 2000)
        if a.size:
            for got, expected in zip(g(a), (L.norm(a, 2, axis=(1, 2)), L.norm(a, -2, axis=(0, 2), keepdims=True))):
                near(got, expected, dtype, 2000)
            assert (g(a)[2] == L.matrix_rank(a)).all() and (g(a)[3] == L.matrix_rank(a, tol=0.5)).all()


def test_least_squares():
    f = bl.jit(lambda a, b: L.lstsq(a, b))
    g = bl.jit(lambda a, b: L.lstsq(a, b, rcond=1e-8))
    deficient = np.ones((5, 3)) * np.arange(3)
    for a in (draw((6, 3), "f8"), draw((3, 6), "f8"), draw((4, 4), "f8"), deficient):
        for b in (draw((len(a), 2), "f8", 1), draw(len(a), "f8", 1)):
            for got, expected in ((f(a, b), L.lstsq(a, b, rcond=None)), (g(a, b), L.lstsq(a, b, rcond=1e-8))):
                for one, other in zip(got, expected):
                    assert one.shape == np.shape(other) and one.dtype == np.asarray(other).dtype
                    np.testing.assert_allclose(one, other, rtol=1e-10, atol=1e-10)
    with pytest.raises(bl.ShapeError, match=r"the right sides have 5 rows, but the matrix has 6"):
        f(draw((6, 3), "f8"), draw(5, "f8"))


def test_integers_are_doubles():
    a = np.array([[2, 1], [7, 4]])
    near(bl.jit(L.inv)(a), L.inv(a), np.dtype("f8"))
    with pytest.raises(TypeError, match=r"array type float16 is unsupported in linalg"):
        bl.jit(L.inv)(a.astype("f2"))


ONES = np.stack([np.eye(3), np.ones((3, 3)), np.zeros((3, 3))])
INFINITE = np.stack([np.eye(3), np.full((3, 3), np.inf)])


@pytest.mark.parametrize(
    "function, a, said",
    [
        (L.inv, ONES, "'numpy.linalg.inv': matrix 1 of the batch is singular: pivot 2 is zero"),
        (L.inv, ONES[2], "'numpy.linalg.inv': the matrix is singular: pivot 1 is zero"),
        (lambda a: L.solve(a, a[..., :1]), ONES, "'numpy.linalg.solve': matrix 1 of the batch is singular"),
        (
            L.cholesky,
            ONES,
            "matrix 1 of the batch is not positive definite: its leading minor of order 2 is not positive",
        ),
        (L.cholesky, -ONES[0], "the matrix is not positive definite: its leading minor of order 1 is not positive"),
        (L.svdvals, INFINITE, "matrix 1 of the batch has no singular values that can be found"),
        (L.eigh, INFINITE, "matrix 1 of the batch has no eigenvalues that can be found"),
    ],
)
def test_matrices_without_a_result(function, a, said):
    f = bl.jit(function)
    with pytest.raises(bl.MatrixShapeError, match=said) as caught:
        f(a)
    assert isinstance(caught.value, np.linalg.LinAlgError) and isinstance(caught.value, bl.ShapeError)
    assert type(pickle.loads(pickle.dumps(caught.value))) is bl.MatrixShapeError
    # Of infinities, NumPy gives NaN or an error, as its library does.
    if np.isfinite(a).all():
        with pytest.raises(np.linalg.LinAlgError):
            function(a)
    # The next call is none the worse.
    f(np.eye(3) if a.ndim == 2 else np.eye(3)[None])


@pytest.mark.parametrize("function", [L.inv, L.det, L.cholesky, L.eigh, L.eigvalsh, L.slogdet])
def test_matrices_that_are_not_square(function):
    with pytest.raises(bl.ShapeError, match=r"its matrices have 2 rows and 3 columns; they must be square"):
        bl.jit(function)(np.ones((2, 3)))
    with pytest.raises(np.linalg.LinAlgError, match=r"1-dimensional array given"):
        bl.jit(function)(np.ones(3))


def test_any_number_of_threads_gives_the_same(tmp_path):
    a = draw((50, 30, 30), "f4")
    one, four = (bl.jit(lambda a: (L.svd(a), L.inv(a), L.qr(a)), threads=n) for n in (1, 4))
    for x, y in zip((*one(a)[0], one(a)[1]), (*four(a)[0], four(a)[1])):
        np.testing.assert_array_equal(x, y)
