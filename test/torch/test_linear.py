"""torch.linalg against eager mode and by residuals: one compilation for all extents; matrices without a result."""

import broadloom as bl
import numpy as np
import pytest
import torch
from exports import Call
from torch.export import Dim

L = torch.linalg
B, N, K = Dim("b", min=0, max=64), Dim("n", min=2, max=64), Dim("k", min=2, max=64)


def compile_for(function, *inputs, dynamic=None):
    return bl.from_torch(torch.export.export(Call(function), inputs, dynamic_shapes=(dynamic,) if dynamic else None))


def draw(b, n, dtype, k=2):
    torch.manual_seed(n)
    a = torch.randn(b, n, n, dtype=dtype) + 2 * n**0.5 * torch.eye(n, dtype=dtype)
    return a, torch.randn(b, n, k, dtype=dtype)


SQUARE = {
    "systems": lambda a, b: (L.solve(a, b), L.inv(a), L.solve(a, b.mT, left=False), torch.inverse(a), L.solve(a, b[..., 0])),
    "told failures": lambda a, b: (*L.inv_ex(a), *L.solve_ex(a, b), *L.cholesky_ex(a @ a.mT), *L.lu_factor_ex(a)),
    "triangles": lambda a, b: (
        L.solve_triangular(a, b, upper=True), L.solve_triangular(a, b, upper=False, unitriangular=True),
        L.solve_triangular(a, b.mT, upper=True, left=False), torch.triangular_solve(b, a, transpose=True)[0]),
    "positive definite": lambda a, b: (
        L.cholesky(a @ a.mT), L.cholesky(a @ a.mT, upper=True), torch.cholesky_solve(b, L.cholesky(a @ a.mT)),
        torch.cholesky_inverse(L.cholesky(a @ a.mT))),
    "factors": lambda a, b: (*L.qr(b), *L.qr(b, "complete"), *L.lu(a), *L.lu_factor(a), L.lu_solve(*L.lu_factor(a), b)),
    "determinants": lambda a, b: (L.det(a / 3), *L.slogdet(a), torch.logdet(a @ a.mT)),
    "symmetric": lambda a, b: (L.eigvalsh(a), L.eigvalsh(a, "U"), L.matrix_exp(a / 4), L.matrix_power(a, -2)),
    "singular values": lambda a, b: (
        L.svdvals(b), L.matrix_norm(b, 2), L.matrix_norm(a, "nuc"), L.cond(a), L.cond(a, 1), L.pinv(a), L.matrix_rank(a)),
}  # fmt: skip


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=["f32", "f64"])
@pytest.mark.parametrize("name", SQUARE)
def test_values(name, dtype):
    function = SQUARE[name]
    # PyTorch decides by the example where rows and columns are: those have one extent here.
    # Of what singular values tell, it decides by all extents.
    is_open = name != "singular values"
    f = compile_for(function, *draw(3, 5, dtype), dynamic=({0: B, 1: N, 2: N}, {0: B, 1: N})) if is_open else None
    limit = 2e-3 if dtype == torch.float32 else 1e-9
    for b, n in ((3, 5), (1, 2), (0, 4), (4, 20), (2, 33)):
        inputs = draw(b, n, dtype)
        got, expected = (f or compile_for(function, *inputs))(*inputs), function(*inputs)
        torch.testing.assert_close(got, expected, rtol=limit, atol=limit, check_stride=False)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=["f32", "f64"])
@pytest.mark.parametrize("full", [True, False])
def test_vectors(dtype, full):
    """Of singular vectors and eigenvectors the signs are free; what they make is not."""

    def function(a):
        u, s, v = L.svd(a, full_matrices=full)
        values, vectors = L.eigh(a @ a.mT)
        return u, s, v, values, vectors

    limit = 1e-4 if dtype == torch.float32 else 1e-12
    for shape in ((3, 6, 4), (2, 4, 6), (5, 5)):
        a = torch.randn(shape, dtype=dtype)
        u, s, v, values, vectors = compile_for(function, a)(a)
        assert u.shape == L.svd(a, full_matrices=full).U.shape and v.shape == L.svd(a, full_matrices=full).Vh.shape
        k = s.shape[-1]
        torch.testing.assert_close((u[..., :k] * s[..., None, :]) @ v[..., :k, :], a, rtol=limit, atol=limit)
        torch.testing.assert_close((vectors * values[..., None, :]) @ vectors.mT, a @ a.mT, rtol=limit, atol=10 * limit)
        torch.testing.assert_close(s, L.svdvals(a), rtol=limit, atol=limit)


def test_singular_matrices():
    f = compile_for(lambda a: L.inv(a), torch.eye(3)[None].repeat(2, 1, 1), dynamic=({0: B},))
    with pytest.raises(bl.MatrixShapeError, match=r"matrix 2 of the batch is singular: pivot 3 is zero"):
        f(torch.stack([torch.eye(3), torch.eye(3), torch.diag(torch.tensor([1.0, 1, 0]))]))
    g = compile_for(lambda a: L.cholesky(a), torch.eye(3))
    with pytest.raises(bl.MatrixShapeError, match=r"the matrix is not positive definite: its leading minor of order 2"):
        g(torch.diag(torch.tensor([1.0, -1, 1])))
    h = compile_for(lambda a: L.inv_ex(a), torch.eye(3)[None].repeat(2, 1, 1))
    inverse, info = h(torch.stack([torch.ones(3, 3), torch.eye(3)]))
    assert info.tolist() == [2, 0] and info.dtype == torch.int32
    torch.testing.assert_close(inverse[1], torch.eye(3))
    assert np.isnan(inverse[0].numpy()).all()


def test_pivots_that_there_are_not():
    f = compile_for(lambda lu, pivots, b: L.lu_solve(lu, pivots, b), *L.lu_factor(torch.eye(3)), torch.ones(3, 1))
    with pytest.raises(bl.ShapeError, match=r"the matrix has no rows for its pivot 1"):
        f(torch.eye(3), torch.tensor([9, 2, 3], dtype=torch.int32), torch.ones(3, 1))


def test_eigenvalues_of_general_matrices():
    with pytest.raises(bl.UnsupportedOperations, match=r"complex"):
        compile_for(lambda a: L.eigvals(a).abs(), torch.eye(3))


def test_elements_that_are_too_short():
    with pytest.raises(
        (bl.UnsupportedOperations, RuntimeError), match=r"linear algebra is of f32 and f64|not implemented for"
    ):
        compile_for(lambda a: L.solve_triangular(a, a, upper=True), torch.eye(3).half())


def test_compiled_modules():
    torch._dynamo.reset()
    a, b = draw(3, 5, torch.float32)
    f = bl.torch.compile(lambda a, b: L.solve(a, b) + L.det(a)[:, None, None])
    with torch.no_grad():
        torch.testing.assert_close(f(a, b), L.solve(a, b) + L.det(a)[:, None, None], rtol=1e-3, atol=1e-3)
        with pytest.raises(bl.MatrixShapeError, match=r"the matrix is singular, or has no such factor"):
            f(torch.stack([a[0], a[0] * 0, a[0]]), b)
