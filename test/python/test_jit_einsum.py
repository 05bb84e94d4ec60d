"""numpy.einsum under bl.jit."""

import broadloom as bl
import numpy as np
import pytest

CASES = [
    # Products of matrices.
    ("ij,jk->ik", (3, 4), (4, 5)), ("ij,jk", (3, 4), (4, 5)), ("ij,kj->ki", (3, 4), (5, 4)),
    ("ba,cb", (3, 4), (2, 3)), ("bij,bjk->bik", (2, 3, 4), (2, 4, 5)),
    ("bhqd,bhkd->bhqk", (2, 2, 3, 4), (2, 2, 5, 4)), ("ij,jk,kl->il", (3, 4), (4, 5), (5, 2)),
    # One operand, and axes that are there twice.
    ("ii->i", (4, 4)), ("ii", (4, 4)), ("iij->j", (3, 3, 2)), ("ij->ji", (3, 4)), ("ij->", (3, 4)),
    ("ba", (2, 3)),
    # Vectors, and element by element.
    ("i,j->ij", (3,), (4,)), ("i,i", (3,), (3,)), ("ij,ij->i", (3, 4), (3, 4)),
    ("ij,ij->ij", (3, 4), (3, 4)), ("ij,j->ij", (3, 4), (4,)), (",ij->ij", (), (3, 4)),
    # An axis of one element.
    ("ij,j", (3, 4), (1,)), ("ij,jk->ik", (3, 1), (4, 5)),
    # Axes without a name.
    ("...ij,...jk->...ik", (2, 3, 4), (2, 4, 5)), ("...ij,jk->...ik", (2, 3, 4), (4, 5)),
    ("i...->...", (3, 4, 2)), ("...,...", (2, 3), (3,)), ("...i,...i->...", (2, 3), (3,)),
    # Nothing.
    ("ij,jk->ki", (0, 4), (4, 5)), ("ij,jk->ki", (2, 0), (0, 5)),
]  # fmt: skip


def numbers(shape, dtype):
    return (np.random.default_rng(len(shape)).standard_normal(shape) * 3).astype(dtype)


@pytest.mark.parametrize("dtype", ("f4", "i4", "?"))
@pytest.mark.parametrize("text, shapes", [(case[0], case[1:]) for case in CASES])
def test_as_numpy(text, shapes, dtype):
    arrays = [numbers(shape, dtype) for shape in shapes]
    found = bl.jit(lambda *x: np.einsum(text, *x))(*arrays)
    expected = np.einsum(text, *arrays)
    assert found.dtype == expected.dtype and found.shape == expected.shape
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-4)


def test_many_operands():
    text, shapes = "ijk,ilm,njm,nlk,abc->", [(2, 3, 4), (2, 3, 4), (5, 3, 4), (5, 3, 4), (2, 2, 2)]
    arrays = [numbers(shape, "f8") for shape in shapes]
    np.testing.assert_allclose(bl.jit(lambda *x: np.einsum(text, *x))(*arrays), np.einsum(text, *arrays))


def test_axes_as_numbers():
    x = numbers((3, 4), "f4")
    found = bl.jit(lambda x: np.einsum(x, [0, 1], x, [2, 1], [0, 2]))(x)
    np.testing.assert_allclose(found, x @ x.T, rtol=1e-5)
    found = bl.jit(lambda x: np.einsum(x, [0, ...], x, [0, ...]))(x)
    np.testing.assert_allclose(found, np.einsum(x, [0, ...], x, [0, ...]), rtol=1e-5)


def test_types_of_operands_differ():
    x, y = numbers((3, 4), "f4"), numbers((4,), "i4")
    found = bl.jit(lambda x, y: np.einsum("ij,j->i", x, y))(x, y)
    assert found.dtype == np.float64
    np.testing.assert_allclose(found, np.einsum("ij,j->i", x, y))
    assert bl.jit(lambda x: np.einsum("ij->i", x, dtype=np.float64))(x).dtype == np.float64


def test_one_program_for_all_extents():
    product = bl.jit(lambda x, y: np.einsum("bij,bkj->bik", x, y))
    for n in (1, 2, 5):
        x, y = numbers((n, 3, n + 1), "f4"), numbers((n, 4, n + 1), "f4")
        np.testing.assert_allclose(product(x, y), np.einsum("bij,bkj->bik", x, y), rtol=1e-5, atol=1e-5)
    assert product.cache_info().traces == 1


@pytest.mark.parametrize(
    "text, message",
    [
        ("ij,k->ii", "'ij,k' is of 2 operands, but there are 1"),
        ("ij->ii", "the result has axis 'i' more than once"),
        ("ij->k", "the result has axis 'k', which no operand has"),
        ("ijk->i", "'ijk' has 3 axes, but the operand has 2"),
        ("i->i", "'i' has 1 axes, but the operand has 2"),
        ("i-j", "axes are letters and one '...', not 'i-j'"),
    ],
)
def test_wrong_texts(text, message):
    with pytest.raises(ValueError, match=f"test_jit_einsum.py:[0-9:]+ np.einsum: {message}"):
        bl.jit(lambda x: np.einsum(text, x))(numbers((3, 4), "f4"))


def test_extents_that_do_not_fit():
    x = numbers((3, 4), "f4")
    with pytest.raises(bl.ShapeError, match=r"'numpy.einsum': axis 0 has extent 3 and cannot be broadcast to 4"):
        bl.jit(lambda x, y: np.einsum("ij,jk->ik", x, y))(x, x)
