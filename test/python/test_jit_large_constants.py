"""Large arrays that a function under bl.jit closes over: its program is given them at each call, where it only reads their
elements. They have the values of when it was traced, as all constants have."""

import re

import broadloom as bl
import ml_dtypes
import numpy as np
import pytest

TABLE = np.random.default_rng(0).standard_normal((300, 200)).astype("f4")
I = np.array([[3, -1], [0, 299]])


def compile_for(function, *arguments):
    """The function under jit after a call, and what the program of the call has and is given."""
    f = bl.jit(function, optimise=False)
    found = f(*arguments)
    (traced,) = f._traced.values()
    return f, found, traced


def agrees(function, *arguments, count=1, rtol=1e-6):
    f, found, traced = compile_for(function, *arguments)
    np.testing.assert_allclose(found, function(*arguments), rtol=rtol, atol=rtol)
    np.testing.assert_array_equal(f(*arguments), found)
    assert len(traced.constants) == count
    assert (len(traced.function.program._source) < 10_000) == (count > 0)
    return f


@pytest.mark.parametrize(
    "function, argument, count",
    [
        (lambda i: TABLE[i], I, 1),
        (lambda i: TABLE[:, i % 200], I, 1),
        (lambda i: TABLE[i, i % 200], I, 1),
        (lambda i: np.take(TABLE, i, axis=0) * 2, I, 1),
        (lambda i: TABLE[i] + TABLE[i + 0], I, 2),
        (lambda x: x + TABLE, TABLE * 2, 1),
        (lambda x: np.maximum(x, TABLE).sum(axis=0), TABLE * 2, 1),
        (lambda n: bl.fori_loop(0, n, lambda i, s: s + TABLE[i], np.zeros(200, "f4")), np.int64(5), 1),
        (lambda x: TABLE[: x.shape[0]] + 1, np.ones(3), 1),
        (lambda x: np.broadcast_to(TABLE, (x.shape[0], 300, 200)) * x[:, None, None], np.ones(3, "f4"), 1),
    ],
)
def test_elements_that_are_read_are_not_in_the_program(function, argument, count):
    if argument.ndim:
        agrees(function, argument, count=count)
    else:
        f, found, traced = compile_for(function, argument)
        np.testing.assert_allclose(found, TABLE[:5].sum(axis=0), rtol=1e-5)
        assert len(traced.constants) == count


@pytest.mark.parametrize("dtype", ("u1", "i1", "u4", "i8", "f2", "f8", "?", ml_dtypes.bfloat16, ml_dtypes.float8_e5m2))
def test_of_each_type(dtype):
    table = np.concatenate([TABLE] * 5).astype(dtype)
    f, found, traced = compile_for(lambda i: table[i], I)
    assert found.dtype == table.dtype and len(traced.constants) == 1
    np.testing.assert_array_equal(found.astype("f4"), table[I].astype("f4"))


@pytest.mark.parametrize(
    "function",
    [lambda x: x @ TABLE, lambda x: TABLE.T @ x.T, lambda x: np.dot(x, TABLE), lambda x: np.sqrt(np.abs(np.asarray(TABLE, like=x))) + x[0, 0], lambda x: np.einsum("ij,jk->ik", x, TABLE)],
)
def test_weights_of_products_and_what_is_computed_of_constants_are_constants(function):
    agrees(function, TABLE[:2, :1] + np.arange(300, dtype="f4"), count=0, rtol=1e-3)


def test_small_arrays_are_constants():
    small = TABLE[:10]
    agrees(lambda i: small[i], I % 10, count=0)


def test_values_are_those_of_the_trace():
    table = TABLE.copy()
    f = bl.jit(lambda i: table[i])
    first = f(I)
    table[:] = 0
    np.testing.assert_array_equal(f(I), first)
    f.cache_clear()
    assert not f(I).any()


def test_what_is_saved_has_them(tmp_path):
    f = bl.jit(lambda i: TABLE[i] * 2)
    f(I)
    out = np.empty((2, 2, 200), "f4")
    assert f(I, out=out) is out
    lowered = f.lower(I)
    assert lowered.arguments == ("tensor<?x?xi64>",)
    lowered.save(tmp_path / "f.blm")
    for function in (lowered, bl.load(tmp_path / "f.blm")):
        np.testing.assert_array_equal(function(I), out)
    assert re.search(r"dense<\"0x[0-9A-F]{1000}", f.mlir(I))
    assert f.check(I).accepted and f.cache_info().traces == 1
