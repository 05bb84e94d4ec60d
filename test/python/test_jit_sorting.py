"""numpy.sort, argsort and median under bl.jit, and the builder's sort."""

import broadloom as bl
import ml_dtypes
import numpy as np
import pytest
from broadloom import _program as program

TYPES = ("?", "i1", "i2", "i4", "i8", "u1", "u4", "u8", "f2", "f4", "f8")
#: Around the length from which other algorithms take over.
SHAPES = ((7,), (3, 5), (2, 3, 4), (0, 3), (3, 0), (1, 1), (2, 255), (2, 256), (3, 1000))


def numbers(shape, dtype, seed=1):
    dtype = np.dtype(dtype)
    random = np.random.default_rng(seed)
    if dtype.kind in "iu":
        ends = np.iinfo(dtype)
        return random.integers(ends.min, ends.max, shape, dtype, endpoint=True)
    # Some are equal.
    return np.round(random.standard_normal(shape) * 20).astype(dtype)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("axis", (-1, 0, None))
def test_as_numpy(axis, dtype):
    values = bl.jit(lambda x: np.sort(x, axis))
    indices = bl.jit(lambda x: np.argsort(x, axis))
    for shape in SHAPES:
        x = numbers(shape, dtype)
        np.testing.assert_array_equal(values(x), np.sort(x, axis))
        found = indices(x)
        assert found.dtype == np.int64
        np.testing.assert_array_equal(found, np.argsort(x, axis, kind="stable"))


def test_floats_without_an_order_of_their_own():
    x = np.array([np.nan, 1, -0.0, np.inf, 0.0, -np.nan, -np.inf, -1, 5e-324], "f8")
    values, indices = bl.jit(lambda x: (np.sort(x), np.argsort(x)))(x)
    assert list(indices) == [6, 7, 2, 4, 8, 1, 3, 0, 5]
    np.testing.assert_array_equal(values, x[indices])
    assert list(np.signbit(values[2:4])) == [True, False]


@pytest.mark.parametrize("dtype", (ml_dtypes.bfloat16,))
def test_short_floats(dtype):
    x = numbers((4, 300), "f4").astype(dtype)
    x[1, 7] = np.nan
    order = np.argsort(x.astype("f4"), 1, kind="stable")
    np.testing.assert_array_equal(bl.jit(lambda x: np.argsort(x, 1))(x), order)


def test_strides_and_the_callers_memory():
    x = numbers((6, 600), "f4")
    out = np.empty((600, 3), "f4").T[::-1]
    bl.jit(lambda x: np.sort(x, 1))(x[::-2], out=out)
    np.testing.assert_array_equal(out, np.sort(x[::-2], 1))


def test_more_threads_than_one():
    x = numbers((64, 5000), "f4")
    sort = bl.jit(lambda x: np.sort(x, 1), threads=2)
    np.testing.assert_array_equal(sort(x), np.sort(x, 1))


def test_methods_and_the_array_api():
    x = numbers((3, 50), "f4")
    np.testing.assert_array_equal(bl.jit(lambda x: x.argsort(0))(x), np.argsort(x, 0, kind="stable"))

    def descending(x):
        xp = x.__array_namespace__()
        return xp.sort(x, axis=1, descending=True), xp.argsort(x, axis=1, descending=True)

    values, indices = bl.jit(descending)(x)
    np.testing.assert_array_equal(values, np.sort(x, 1)[:, ::-1])
    np.testing.assert_array_equal(indices, np.argsort(-x, 1, kind="stable"))


@pytest.mark.parametrize("dtype", ("f2", "f4", "f8", "i4", "u1", "?"))
def test_median(dtype):
    for shape in ((7,), (4, 6), (3, 300), (2, 3, 5)):
        x = numbers(shape, dtype)
        for axis in (None, -1, 0):
            for keepdims in (False, True):
                expected = np.median(x, axis, keepdims=keepdims)
                found = bl.jit(lambda x: np.median(x, axis, keepdims=keepdims))(x)
                assert found.dtype == expected.dtype and found.shape == expected.shape
                np.testing.assert_array_equal(found, expected)


def test_the_median_of_no_number_is_none():
    x = numbers((3, 5), "f4")
    x[1, 2] = np.nan
    np.testing.assert_array_equal(bl.jit(lambda x: np.median(x, 1))(x), np.median(x, 1))
    found = bl.jit(lambda x: np.median(x, 1))(x[:, :0])
    np.testing.assert_array_equal(found, [np.nan] * 3)


def test_what_is_refused():
    x = numbers((3, 5), "f4")
    with pytest.raises(bl.TraceError, match=r"np.sort with order='a' cannot be traced"):
        bl.jit(lambda x: np.sort(x, order="a"))(x)
    with pytest.raises(ValueError, match="sort kind must be one of"):
        bl.jit(lambda x: np.argsort(x, kind="bogus"))(x)
    with pytest.raises(ValueError, match="axis 2 is out of bounds for array of dimension 2"):
        bl.jit(lambda x: np.sort(x, 2))(x)


def first(count, shape=(None, None), axis=1, descending=True):
    builder = program.Builder()
    x = builder.argument("f32", shape)
    many = program.number_argument(builder) if count is None else count
    return bl.compile(builder.finish(program.sort(x, axis, many, descending)))


@pytest.mark.parametrize("length", (5, 300, 5000))
def test_some_of_many(length):
    x = numbers((3, length), "f4")
    values, indices = first(4)(x)
    expected = np.argsort(-x, 1, kind="stable")[:, :4]
    np.testing.assert_array_equal(indices, expected)
    np.testing.assert_array_equal(values, np.take_along_axis(x, expected, 1))
    values, _ = first(None)(x, 3)
    np.testing.assert_array_equal(values, np.take_along_axis(x, expected, 1)[:, :3])


def test_more_than_there_are():
    message = "the first 6 elements along axis 1 are wanted, but there are 5"
    with pytest.raises(bl.ShapeError, match=message):
        first(6)(numbers((3, 5), "f4"))
    with pytest.raises(ValueError, match=message):
        first(6, (None, 5))
    with pytest.raises(ValueError, match="the first -1 elements along axis 1 are wanted"):
        first(-1)
