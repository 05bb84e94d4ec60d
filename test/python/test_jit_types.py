"""bl.jit: element types and values at their ends, against NumPy itself."""

import warnings

import broadloom as bl
import numpy as np
import pytest


def compare(function, *arguments):
    """That the compiled function gives NumPy's type, shape and values."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = np.asarray(function(*arguments))
    found = np.asarray(bl.jit(function, optimise=False)(*arguments))
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
    limit = float(np.finfo(found.dtype).eps) if found.dtype.kind == "f" else 0
    np.testing.assert_allclose(found.astype("f8"), expected.astype("f8"), rtol=limit)


def spread(dtype):
    """Numbers of a type, its ends too."""
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return np.array([True, False, True])
    if dtype.kind == "f":
        return np.array([1, -1, 0, 2.5, np.nan, np.inf, -np.inf], dtype)
    ends = np.iinfo(dtype)
    return np.array([1, 0, 2, 15, 25, ends.min, ends.max, ends.min + 1], dtype)


TYPES = ["?", "i1", "u1", "i4", "i8", "u8", "f2", "f4", "f8"]


@pytest.mark.parametrize("dtype", ["i1", "u1", "i4", "f2", "f4"])
def test_numbers_that_are_joined_have_the_types_of_arrays(dtype):
    x = np.arange(3).astype(dtype)
    compare(lambda x: np.stack([x[0], 300]), x)
    compare(lambda x: np.stack([x[0], 1.5]), x)
    compare(lambda x: np.stack([x[0], x.shape[0]]), x)
    compare(lambda x: np.concatenate([x, [1.5]]), x)
    compare(lambda x: np.hstack([x, 300]), x)


def test_numbers_that_are_chosen_adapt():
    compare(lambda x: np.where(x > 1, x, 3), np.arange(3).astype("i1"))


@pytest.mark.parametrize("dtype", TYPES)
def test_rounding_to_tens(dtype):
    x = np.array([True, False]) if dtype == "?" else np.array([15, 25, 35, 104, 0]).astype(dtype)
    compare(lambda x: np.round(x), x)
    if dtype == "?":
        with pytest.raises(TypeError, match="a rounded array of bool is one of float64"):
            bl.jit(lambda x: np.round(x, -1))(x)
        return
    compare(lambda x: np.round(x, -1), x)
    compare(lambda x: np.round(x, 1), x)
    if np.dtype(dtype).kind == "i":
        compare(lambda x: np.round(-x, -1), x)


@pytest.mark.parametrize("dtype", TYPES)
def test_replaced_numbers_are_another_array(dtype):
    def f(x):
        y = x * x.dtype.type(1)
        z = np.nan_to_num(y)
        z += z
        return y

    compare(f, spread(dtype)[:3])


def test_what_replaces_is_not_replaced():
    x = spread("f8")
    compare(lambda x: np.nan_to_num(x, nan=np.inf, posinf=5.0), x)
    compare(lambda x: np.nan_to_num(x, posinf=-np.inf, neginf=7.0), x)


@pytest.mark.parametrize("dtype", TYPES)
def test_closeness(dtype):
    x = spread(dtype)
    compare(lambda x, y: np.isclose(x, y, atol=1.5), x, x[::-1].copy())
    compare(lambda x, y: np.isclose(x, y, atol=1.5, equal_nan=True), x, x[::-1].copy())
    compare(lambda x: np.isclose(x, 2, atol=1.5), x)
    compare(lambda x: np.isclose(x, 2.25, rtol=0.2), x)


def test_closeness_of_unsigned_numbers():
    compare(lambda x, y: np.isclose(x, y, atol=1.5), np.array([1], "u1"), np.array([2], "u1"))


def test_arrays_that_have_the_type_are_not_copied():
    def f(x, method, dtype):
        y = x * 2.0
        z = y.astype(dtype, copy=False) if method else np.astype(y, dtype, copy=False)
        z += 1
        return y

    for method in (False, True):
        for dtype in ("f8", "f4"):
            compare(lambda x: f(x, method, dtype), np.arange(3.0))


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "i4"])
@pytest.mark.parametrize("ddof", [0, 1, 1.0, 0.5, 1.75, 3.5])
def test_degrees_of_freedom_that_are_no_integers(dtype, ddof):
    x = np.array([1, 2, 4]).astype(dtype)
    compare(lambda x: np.var(x, ddof=ddof), x)
    compare(lambda x: np.std(x, ddof=ddof), x)


@pytest.mark.parametrize("dtype", ["i1", "i4", "i8", "u1", "u8"])
def test_reciprocals_of_integers(dtype):
    x = spread(dtype)
    compare(lambda x: np.reciprocal(x), x[x != 0])


@pytest.mark.parametrize("dtype", ["?", "i1", "u1", "i8", "f2", "f8"])
def test_numbers_in_products_have_the_types_of_arrays(dtype):
    x = np.array([1, 0, 1]).astype(dtype)
    compare(lambda x: np.outer(x, 300), x)
    compare(lambda x: np.outer(x, 1.5), x)
    compare(lambda x: np.dot(x, 300), x)
    compare(lambda x: np.dot(2.5, x), x)
    compare(lambda x: np.dot(x[0], x), x)
    compare(lambda x: np.inner(x, 300), x)
    compare(lambda x: np.inner(x, [300, 1, 2]), x)


def test_initial_elements_that_the_type_does_not_have():
    x = np.array([1, 2], "i1")
    with pytest.raises(OverflowError):
        np.max(x, initial=300)
    with pytest.raises(OverflowError, match="300 is outside the range of i8"):
        bl.jit(lambda x: np.max(x, initial=300))(x)


def test_triangles_of_numpys_numbers():
    m = np.arange(12.0).reshape(3, 4)
    compare(lambda m: np.tril(m, np.int64(1)), m)
    with pytest.raises(TypeError, match="k of a triangle is an integer"):
        bl.jit(lambda m: np.triu(m, 0.5))(m)
