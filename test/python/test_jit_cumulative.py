"""Running sums and products under bl.jit, bit for bit as NumPy's."""

import broadloom as bl
import numpy as np
import pytest
from broadloom import _program as program
from broadloom._program import _types

TYPES = ("f2", "f4", "f8", "i1", "i4", "i8", "u1", "u4", "?")
SHAPES = ((7,), (3, 5), (2, 3, 4), (0, 3), (3, 0), (1, 1))


def numbers(shape, dtype):
    return (np.random.default_rng(1).standard_normal(shape) * 3).astype(dtype)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("name", ("cumsum", "cumprod"))
def test_as_numpy(name, dtype):
    function = getattr(np, name)
    for axis in (None, 0, -1, 1):
        compiled = bl.jit(lambda x: function(x, axis=axis))
        for shape in SHAPES:
            if axis == 1 and len(shape) == 1:
                continue
            x = numbers(shape, dtype)
            expected, found = function(x, axis=axis), compiled(x)
            assert found.dtype == expected.dtype
            np.testing.assert_array_equal(found, expected)


def test_methods_and_types():
    x = numbers((3, 4), "f4")
    np.testing.assert_array_equal(bl.jit(lambda x: x.cumsum(1))(x), x.cumsum(1))
    np.testing.assert_array_equal(bl.jit(lambda x: x.cumprod(0))(x), x.cumprod(0))
    found = bl.jit(lambda x: np.cumsum(x, 0, np.float64))(x)
    assert found.dtype == np.float64
    np.testing.assert_array_equal(found, np.cumsum(x, 0, np.float64))


def test_a_negative_zero_stays_one():
    x = np.array([-0.0, -0.0, 0.0], "f4")
    assert list(np.signbit(bl.jit(lambda x: np.cumsum(x))(x))) == [True, True, False]


def test_numbers_that_overflow_and_that_are_none():
    x = np.array([1e38, 3e38, 1, np.nan, 2], "f4")
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal(bl.jit(lambda x: np.cumsum(x))(x), np.cumsum(x))
    y = np.array([100, 100, 100], "i1")
    np.testing.assert_array_equal(bl.jit(lambda y: np.cumsum(y, dtype=np.int8))(y), np.cumsum(y, dtype=np.int8))


@pytest.mark.parametrize("name", ("cumulative_sum", "cumulative_prod"))
@pytest.mark.parametrize("initial", (False, True))
def test_names_of_the_array_api(name, initial):
    if not hasattr(np, name):
        pytest.skip("this NumPy is older than 2.1")
    x = numbers((3, 4), "f4")
    function = getattr(np, name)
    found = bl.jit(lambda x: getattr(x.__array_namespace__(), name)(x, axis=1, include_initial=initial))(x)
    np.testing.assert_array_equal(found, function(x, axis=1, include_initial=initial))
    with pytest.raises(ValueError, match=f"np.{name} of 2 axes needs the argument axis"):
        bl.jit(lambda x: function(x))(x)


def test_what_is_refused():
    x = np.ones((3,), "?")
    with pytest.raises(bl.TraceError, match=r"np.cumsum with dtype=bool cannot be traced"):
        bl.jit(lambda x: np.cumsum(x, dtype=bool))(x)
    with pytest.raises(ValueError, match="axis 1 is out of bounds for array of dimension 1"):
        bl.jit(lambda x: np.cumsum(x, axis=1))(x)


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "i1", "i4", "u1", "u8"])
@pytest.mark.parametrize("kind, expected", [("max", np.maximum), ("min", np.minimum)])
def test_running_extremes(kind, expected, dtype):
    builder = program.Builder()
    given = builder.argument(_types.from_numpy(np.dtype(dtype)), (None, None))
    text = builder.finish([program.scan(kind, given, axis) for axis in (0, 1)])
    x = numbers((4, 5), dtype)
    if dtype[0] == "f":
        x[1, 2] = np.nan
    else:
        x[1, 2], x[2, 1] = np.iinfo(dtype).min, np.iinfo(dtype).max
    for axis, found in enumerate(bl.compile(text)(x)):
        np.testing.assert_array_equal(found, expected.accumulate(x, axis))


def test_running_sums_of_logarithms():
    builder = program.Builder()
    given = builder.argument("f64", (None, None))
    text = builder.finish([program.scan("logsumexp", given, axis) for axis in (0, 1)])
    x = np.random.default_rng(1).uniform(-900, 900, (5, 7))
    x[0, 0] = x[0, 1] = x[1, 0] = -np.inf
    x[3, 3], x[4, 5] = np.inf, np.nan
    for axis, found in enumerate(bl.compile(text)(x)):
        with np.errstate(invalid="ignore"):
            expected = np.logaddexp.accumulate(x, axis)
        np.testing.assert_allclose(found, expected, rtol=1e-14)


def test_what_running_values_are_of():
    builder = program.Builder()
    with pytest.raises(TypeError, match="running logsumexp takes floats, not i32"):
        program.scan("logsumexp", builder.argument("i32", (None,)), 0)
    for kind in ("sum", "max"):
        with pytest.raises(TypeError, match=f"running {kind} takes numbers, not i1"):
            program.scan(kind, builder.argument("i1", (None,)), 0)
