"""Comparisons of extents under bl.jit are numbers of 0 and 1, which decide nothing that a trace could go two ways by."""

import broadloom as bl
import numpy as np
import pytest


def agrees(function, *arguments):
    """Whether bl.jit gives what NumPy does, in its type."""
    expected, found = function(*arguments), bl.jit(function, optimise=False)(*arguments)
    if isinstance(expected, (bool, int)):
        assert (type(found), found) == (type(expected), expected)
    expected, found = np.asarray(expected), np.asarray(found)
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
    np.testing.assert_allclose(found.astype("f8"), expected.astype("f8"))


@pytest.mark.parametrize("shape", ((3, 4), (3, 3), (4, 3), (0, 1)))
@pytest.mark.parametrize(
    "function",
    [
        lambda x: x.shape[0] > 3,
        lambda x: x.shape[0] >= 3,
        lambda x: x.shape[0] < x.shape[1],
        lambda x: x.shape[0] <= x.shape[1],
        lambda x: x.shape[0] == x.shape[1],
        lambda x: x.shape[0] != x.shape[1],
        lambda x: 3 < x.shape[0],
        lambda x: np.where(x.shape[0] > 3, x, -x),
        lambda x: np.where(x.shape[0] == x.shape[1], x, -x),
        lambda x: np.where(x.shape[0] > 2.5, x, -x),
        lambda x: np.where(2.0**70 > x.shape[0], x, -x),
        lambda x: (x.shape[0] > 3) * x + (x.shape[1] > 3),
        lambda x: (x.shape[0] > 3) + (x.shape[1] > 3),
        lambda x: ((x.shape[0] > 3) + 1) * 2 - (x.shape[1] == 3),
        lambda x: (x.shape[0] > 2) & (x.shape[1] > 3),
        lambda x: (x.shape[0] > 3) | (x.shape[1] > 3),
        lambda x: (x.shape[0] > 3) ^ (x.shape[1] > 0) ^ True,
        lambda x: (x.shape[0] > 2) == (x.shape[1] > 3),
        lambda x: (x > 1) & (x.shape[0] > 3) | (x.shape[1] > 3),
        lambda x: (x > 1) + (x.shape[0] > 3),
        lambda x: x.astype("i1") * (x.shape[0] > 3),
        lambda x: np.add(x.shape[0] > 2, x.shape[1] > 2) + np.add(x.shape[0] > 2, 1),
        lambda x: np.logical_and(x.shape[0] > 2, np.logical_not(x.shape[1] > 3)),
        lambda x: np.stack([x.shape[0] > 2, x.shape[1] > 3]),
        lambda x: x[: (x.shape[0] > 3) * 2],
        lambda x: -(x.shape[0] > 3),
        lambda x: np.int64(3) < x.shape[0],
        lambda x: x.shape[0] == np.float32(3),
    ],
)
def test_they_are_as_pythons(function, shape):
    agrees(function, np.arange(float(np.prod(shape))).reshape(shape))


def test_what_every_call_finds_decides():
    """An extent is not negative, and is equal to itself."""

    def function(x):
        assert x.shape == x.shape and x.shape[0] == x.T.shape[1] and x.size >= 0 and not x.shape[0] < 0
        assert -1 not in x.shape and x.shape[0] != -3 and x.shape[0] + 1 > 0
        return x if x.shape[0] == x.shape[0] else -x

    f = bl.jit(function, optimise=False)
    for shape in ((2, 3), (0, 3)):
        np.testing.assert_array_equal(f(np.ones(shape)), np.ones(shape))


def test_one_trace_serves_both_outcomes():
    f = bl.jit(lambda x: np.where(x.shape[0] > 3, x, -x))
    assert [float(f(np.ones(n))[0]) for n in (2, 5, 3)] == [-1, 1, -1]
    assert f.cache_info().traces == 1


def test_beyond_64_bits_a_call_fails():
    f = bl.jit(lambda x: x.shape[0] ** 5 > 3)
    assert f(np.ones(2)) is True
    with pytest.raises(bl.ShapeError, match=r"60000 \*\* 5, an integer .* is beyond 64 bits"):
        f(np.ones(60000))


@pytest.mark.parametrize("shape", ((3, 4), (7, 2), (0, 1)))
@pytest.mark.parametrize(
    "function",
    [
        lambda x: x[: np.minimum(x.shape[0], 2)],
        lambda x: x[np.maximum(x.shape[0] - 2, 0) :],
        lambda x: x.sum() / np.maximum(1, x.shape[0] - 1),
        lambda x: x.astype("f4") * np.maximum(x.shape[0], x.shape[1]),
        lambda x: np.minimum(x.shape[0], 2.5) * x,
        lambda x: x[: np.min(x.shape)] * np.max(x.shape),
        lambda x: np.maximum(x.shape[0], -5) + np.minimum(-5, x.shape[0]) + np.minimum(x.shape[0], 10**15),
        lambda x: x.reshape(np.prod(x.shape, dtype=int)) * np.sum(x.shape, dtype=np.int64),
        lambda x: x.astype("f4") * np.prod(x.shape, dtype=np.float32),
        lambda x: np.prod([[x.shape[0], 3], [2, x.shape[1]]], axis=1),
        lambda x: np.prod([x.shape[0], 3], keepdims=True) * x.astype("f4"),
    ],
)
def test_extremes_and_products(function, shape):
    agrees(function, np.arange(float(np.prod(shape))).reshape(shape))


@pytest.mark.parametrize("shape", ((3, 4), (5, 2)))
@pytest.mark.parametrize(
    "function",
    [
        lambda x: x[[x.shape[0] - 1]],
        lambda x: x[[0, x.shape[0] - 1], [1, x.shape[1] - 1]],
        lambda x: np.take(x, [0, x.shape[0] - 1], axis=0),
        lambda x: np.zeros_like(x, shape=(x.shape[1], 2)),
        lambda x: np.ones_like(x, np.int32, shape=x.shape[0]),
        lambda x: np.full_like(x, 3, shape=[2, x.shape[1]]) + np.empty_like(x, shape=(2, 1)) * 0,
        lambda x: np.zeros((2, 3), like=x) + np.empty((2, 3), np.float32, like=x) * 0,
        lambda x: np.ones(x.shape, like=x) + np.ones(x.shape[1], np.int8, like=x),
        lambda x: np.full(x.shape, 7, like=x),
        lambda x: np.full(x.shape, x.shape[0], like=x),
        lambda x: np.full((x.shape[0], 3), [1, 2, 3], np.float32, like=x),
        lambda x: np.arange(x.shape[0], like=x)[:, None] + x,
        lambda x: np.arange(1, x.shape[0] + 1, 2, dtype=np.float32, like=x),
        lambda x: np.arange(5, like=x)[1:] + np.arange(0, 1, 0.25, like=x),
        lambda x: np.eye(x.shape[0], like=x) + np.identity(x.shape[0], dtype=np.float32, like=x),
        lambda x: np.eye(x.shape[0], x.shape[1], 1, like=x) + np.tri(2, like=x)[0, 0],
        lambda x: np.array([x.shape[0], 2], like=x) + np.asarray(x.shape, like=x),
        lambda x: np.array(x.shape, np.float32, ndmin=2, like=x),
    ],
)
def test_arrays_are_made_of_extents(function, shape):
    x = np.arange(float(np.prod(shape))).reshape(shape)
    agrees(function, x)
