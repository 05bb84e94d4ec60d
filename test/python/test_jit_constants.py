"""Lists, masks and functions that are known before a call of what is under bl.jit, beside NumPy."""

import collections
import functools

import broadloom as bl
import numpy as np
import pytest

MATRIX = np.arange(12.0, dtype="f4").reshape(3, 4)
BYTES = np.arange(6, dtype="i1")


def agrees(function, array):
    """Whether bl.jit gives what NumPy does, in its type; or an error of its kind."""
    try:
        expected = np.asarray(function(array))
    except Exception as error:
        with pytest.raises(type(error)):
            bl.jit(function, optimise=False)(array)
        return
    found = bl.jit(function, optimise=False)(array)
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
    np.testing.assert_allclose(found, expected, rtol=1e-6)


@pytest.mark.parametrize(
    "function",
    [
        lambda x: x[np.array([True, False, True])],
        lambda x: x[[True, False, True], 1:],
        lambda x: x[:, [True, False, True, True]],
        lambda x: x[np.arange(12).reshape(3, 4) % 2 == 0],
        lambda x: x[[True, False, True], [0, 1]],
        lambda x: x[None, [True, False, True]],
        lambda x: x[[True, True, False], ..., [0, 1]],
        lambda x: x[..., [True, False, True, False]],
        lambda x: x[0, [True, False, True, False]],
        lambda x: x[np.zeros(3, bool)],
        lambda x: x[[True, False]],
        lambda x: x[np.ones((3, 5), bool)],
        lambda x: x[np.ones((3, 4, 1), bool)],
    ],
)
def test_masks_that_are_known(function):
    agrees(function, MATRIX)


def test_a_mask_is_checked_by_each_call():
    f = bl.jit(lambda x: x[[True, False, True]])
    assert f(MATRIX).shape == (2, 4)
    with pytest.raises(
        IndexError, match=r"along axis 0; size of axis is 2 but size of corresponding boolean axis is 3"
    ):
        f(MATRIX[:2])


@pytest.mark.parametrize(
    "function",
    [
        lambda x: np.diff(x, prepend=0),
        lambda x: np.diff(x, prepend=0.5, append=[2]) if x.ndim == 1 else np.diff(x, axis=0, prepend=0.5, append=x[:2]),
        lambda x: np.diff(x, n=2, append=x[..., :1]),
        lambda x: np.diff(x, n=0, prepend=0),
        lambda x: np.take(x, [-7, 2, 99], mode="wrap"),
        lambda x: np.take(x, [-7, 2, 99], axis=-1, mode="clip"),
        lambda x: np.take(x, np.array([200], "u1"), axis=0, mode="wrap"),
        lambda x: x.take(7, axis=0, mode="clip"),
        lambda x: np.take(x, 0, mode="other"),
        lambda x: np.repeat(x, [2], axis=0),
        lambda x: np.repeat(x, np.arange(x.ndim * 6)),
        lambda x: np.repeat(x, [1, 2, 3], axis=0),
        lambda x: np.repeat(x, [1, -2, 3], axis=0),
        lambda x: np.delete(x, [0, 2], axis=0),
        lambda x: np.delete(x, [2, 0, 2]),
        lambda x: np.delete(x, [-1, -3], axis=-1),
        lambda x: np.delete(x, [], axis=0),
        lambda x: np.delete(x, [9], axis=0),
        lambda x: np.delete(x, [True, False, True], axis=0),
        lambda x: np.insert(x, [1, 1, 0], [7, 8, 9]),
        lambda x: np.insert(x, [-1, -2], 5, axis=-1),
        lambda x: np.insert(x, [0, 2], x[:1], axis=0),
        lambda x: np.insert(x, [0, 2, 9], 5, axis=0),
        lambda x: np.insert(x, [], 3, axis=0),
    ],
)
@pytest.mark.parametrize("array", [MATRIX, BYTES], ids=["matrix", "bytes"])
def test_several_numbers_that_are_known(function, array):
    agrees(function, array)


@pytest.mark.parametrize(
    "function",
    [
        lambda x: np.delete(x, [0, -1]),
        lambda x: np.delete(x, slice(1)),
        lambda x: np.delete(x, [x.shape[0], 1]),
        lambda x: np.insert(x, [True, False], 1),
    ],
)
def test_what_only_a_call_tells(function):
    with pytest.raises(bl.TraceError, match=r"np.(delete|insert) .* cannot be traced"):
        bl.jit(function)(BYTES)


@pytest.mark.parametrize(
    "function",
    [
        lambda x: np.mean([x[0], x[1]], axis=0),
        lambda x: np.mean([x[0], [1, 2, 3, 4]], axis=0, keepdims=True, dtype="f8"),
        lambda x: np.var((x[0], x[1]), axis=1, ddof=1),
        lambda x: np.std([x, 2 * x]),
        lambda x: np.mean([x.shape[0], x.shape[1]]),
        lambda x: np.mean([1, 2, 3]) * x,
    ],
)
def test_moments_of_lists(function):
    agrees(function, MATRIX)
    assert np.mean([1, 2]) == 1.5


@pytest.mark.parametrize(
    "function",
    [lambda x: x.sum(5), lambda x: np.sort(x, 3), lambda x: np.expand_dims(x, 9), lambda x: np.delete(x, 0, 3)],
)
def test_an_axis_that_there_is_not(function):
    agrees(function, MATRIX)
    with pytest.raises(
        np.exceptions.AxisError,
        match=r"^.*test_jit_constants.py:\d+:\d+: axis \d is out of bounds for array of dimension \d$",
    ) as caught:
        bl.jit(function)(MATRIX)
    assert caught.value.ndim in (2, 3) and isinstance(caught.value, IndexError)


@pytest.mark.parametrize(
    "function",
    [
        np.sum,
        np.linalg.norm,
        functools.partial(np.sum, axis=0),
        functools.partial(np.add, np.arange(4.0)),
        functools.partial(lambda x, *, k: x * k["a"], k={"a": np.float32(2)}),
        bl.jit(lambda x: x + 1),
    ],
)
def test_functions_as_arguments(function):
    f = bl.jit(lambda x, g: g(x))
    for array in (MATRIX, MATRIX[:2] * 2):
        np.testing.assert_allclose(f(array, function), function(array), rtol=1e-6)
    assert f.cache_info().traces == 1


def test_arrays_of_partial_functions_are_arguments():
    f = bl.jit(lambda g, x: g(x))
    for k in (1.0, 2.0):
        np.testing.assert_array_equal(f(functools.partial(np.multiply, np.full(4, k)), MATRIX), MATRIX * k)
    assert f.cache_info().traces == 1


def test_other_dictionaries():
    f = bl.jit(lambda d: collections.OrderedDict(b=d["a"] * 2, a=d["a"]))
    for given in (collections.OrderedDict(a=MATRIX), collections.defaultdict(list, a=MATRIX), {"a": MATRIX}):
        found = f(given)
        assert type(found) is collections.OrderedDict and list(found) == ["b", "a"]
        np.testing.assert_array_equal(found["b"], MATRIX * 2)
    kept = bl.jit(lambda d: d)(collections.defaultdict(list, a=MATRIX))
    assert type(kept) is collections.defaultdict and kept["other"] == []
