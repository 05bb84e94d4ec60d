"""bl.jit: arguments of NumPy's functions, against NumPy itself."""

import functools
import pickle
import warnings

import broadloom as bl
import numpy as np
import pytest


def compare(function, *arguments):
    """That the compiled function gives NumPy's type, shape and values."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = function(*arguments)
    found = bl.jit(function, optimise=False)(*arguments)
    several = isinstance(expected, (tuple, list))
    for f, e in zip(*((found, expected) if several else ([found], [expected])), strict=True):
        f, e = np.asarray(f), np.asarray(e)
        assert (f.dtype, f.shape) == (e.dtype, e.shape)
        np.testing.assert_array_equal(f, e)


X = np.arange(6.0)
M = np.arange(12.0).reshape(3, 4)


def refuses(error, match, function, *arguments):
    with pytest.raises(error, match=match):
        bl.jit(function, optimise=False)(*arguments)


# Indices.


@pytest.mark.parametrize("extent", [1, 2, 3, 4, 6])
def test_computed_indices_below_0_count_from_the_end(extent):
    x, m = np.arange(float(extent)), np.arange(6.0 * extent).reshape(2, extent, 3)
    if extent >= 2:
        compare(lambda x: x[x.shape[0] - 3], x)
        compare(lambda m: m[:, m.shape[1] - 3, 1:], m)
    compare(lambda x: x[-(x.shape[0] // 2)], x)
    compare(lambda x: x[x.shape[0] // 2], x)
    compare(lambda x: x[x.shape[0] - 1], x)
    compare(lambda x: x[-((x.shape[0] + 1) // 2) :], x)


def test_computed_indices_off_the_axis_are_errors():
    f = bl.jit(lambda x: x[x.shape[0] - 3])
    np.testing.assert_array_equal(f(X), X[3])
    with pytest.raises(bl.ShapeError, match="index -2 is out of bounds for axis 0 with size 1"):
        f(X[:1])


@pytest.mark.parametrize(
    "function, message",
    [
        (lambda x: x[5], "index 5 is out of bounds for axis 0 with size 2"),
        (lambda x: x[-3], "index -3 is out of bounds for axis 0 with size 2"),
        (lambda x: x[..., 3], "index 3 is out of bounds for axis 1 with size 3"),
        (lambda x: x[np.array([-3])], r"indices are from -3 to -3 but must be in \[0, 2\)"),
        (lambda x: x[:, np.array([-4])], "index -4 is outside axis 1, which has extent 3"),
        (lambda x: x[np.array([0, 5]), np.array([0, 1])], "index 5 is outside axis 0, which has extent 2"),
        (lambda x: np.take(x, 7, axis=1), "index 7 is outside axis 1, which has extent 3"),
        (lambda x: np.take_along_axis(x, np.array([[-5]]), axis=1), "index -5 is outside axis 1, which has extent 3"),
        (lambda x: np.delete(x, 7, axis=0), "index 7 is out of bounds for axis 0 with size 2"),
        (lambda x: x[x.shape[0]], "index .* is out of bounds for axis 0 with size"),
    ],
)
def test_errors_of_indices_are_index_errors(function, message):
    x = np.arange(6.0).reshape(2, 3)
    with pytest.raises(IndexError):
        function(x)
    with pytest.raises(IndexError, match=message) as caught:
        bl.jit(function)(x)
    assert (
        type(caught.value) is bl.IndexShapeError and isinstance(caught.value, bl.ShapeError) and caught.value.operation
    )
    again = pickle.loads(pickle.dumps(caught.value))
    assert type(again) is type(caught.value) and again.operation == caught.value.operation
    with pytest.raises(bl.ShapeError) as caught:
        bl.jit(lambda x: x + x[0][:2])(x)
    assert not isinstance(caught.value, IndexError)


@pytest.mark.parametrize("dtype", ("i1", "i2", "i4", "i8", "u1"))
def test_short_indices_count_from_the_end_of_long_axes(dtype):
    x, i = np.arange(1000.0), np.array([-1, 5, -100]).astype(dtype)
    compare(lambda x, i: x[i], x, i)
    compare(lambda x, i: np.take(x, i), x, i)
    compare(lambda x, i: np.take_along_axis(x, i, 0), x, i)
    compare(lambda x, i: np.stack([x, x])[i * 0, i], x, i)


def test_the_last_index_needs_one_element():
    report = str(bl.jit(lambda x: x[x.shape[0] - 1]).check(X))
    assert "s0 >= 1, else" in report
    with pytest.raises(bl.ShapeError, match="index -1 is out of bounds for axis 0 with size 0"):
        bl.jit(lambda x: x[x.shape[0] - 1])(X[:0])
    compare(lambda x: (x[x.shape[0] - 1 :], x[: x.shape[0] - 1], x[x.shape[0] - 1 :: -1]), X[:0])


def test_axes_are_integers():
    for axis in (1.9, "1"):
        refuses(TypeError, "cannot be interpreted as an integer", lambda x: np.sum(x, axis=axis), M)
    refuses(TypeError, "an axis is an integer, not True", lambda x: np.sum(x, axis=True), M)
    compare(lambda x: np.sum(x, axis=np.int64(1)), M)
    compare(lambda x: np.moveaxis(x, np.int64(0), np.int8(-1)), M)
    compare(lambda x: np.moveaxis(x, (0, -1), (1, 0)), M)
    refuses(ValueError, "must have the same number of elements", lambda x: np.moveaxis(x, (0, 1), 0), M)


def test_axes_of_products():
    compare(lambda x, y: np.tensordot(x, y, axes=([1, 0], [-1, -2])), M, M)
    compare(lambda x, y: np.tensordot(x, y, axes=(np.int64(0), 0)), M, M)
    compare(lambda x, y: np.tensordot(x, y, axes=0), M, M)
    compare(lambda x, y: np.tensordot(x, y, axes=1), M, X[:4])
    refuses(ValueError, "axis 2 is out of bounds", lambda x: np.tensordot(x, x, axes=([2], [0])), M)
    refuses(ValueError, "axis -3 is out of bounds", lambda x: np.tensordot(x, x, axes=3), M)
    refuses(ValueError, "np.tensordot over 2 axes and 1", lambda x: np.tensordot(x, x, axes=([0, 1], [0])), M)


def test_parts_and_shifts():
    for many in (3, np.int64(2)):
        compare(lambda x: np.split(x, many), X)
    for many in (0, -1):
        refuses(ValueError, f"number sections must be larger than 0, not {many}", lambda x: np.split(x, many), X)
    refuses(ValueError, "order must be non-negative but got -1", lambda x: np.diff(x, n=-1), X)
    compare(lambda x: np.roll(x, (1, 2), 1), M)
    compare(lambda x: np.roll(x, (1, 2), (0, 1)), M)
    compare(lambda x: np.roll(x, 1, (0, 1)), M)
    refuses(ValueError, "np.roll by 3 shifts of 2 axes", lambda x: np.roll(x, (1, 2, 3), (0, 1)), M)


@pytest.mark.parametrize("width", [1, (1,), (1, 2), ((1,),), ((1, 2),), ((1,), (2,)), ((1, 2), (0, 3))])
def test_padding(width):
    compare(lambda x: np.pad(x, width), M)


def test_padding_of_other_axes():
    refuses(ValueError, "pad_width has to be a pair for each of 2 axes", lambda x: np.pad(x, ((1, 2),) * 3), M)


# Numbers of Python's.

COMPARISONS = [np.less, np.less_equal, np.equal, np.not_equal, np.greater, np.greater_equal]


@pytest.mark.parametrize("dtype", ["i1", "u1", "i4", "i8", "u8"])
@pytest.mark.parametrize("ufunc", COMPARISONS)
def test_comparisons_with_numbers_that_the_type_does_not_have(ufunc, dtype):
    x = np.array([[0, 1], [np.iinfo(dtype).min, np.iinfo(dtype).max]], dtype)
    for number in (-1, 300, -(2**70), 2**70, np.iinfo(dtype).max, np.iinfo(dtype).max + 1, np.iinfo(dtype).min - 1):
        compare(lambda x: ufunc(x, int(number)), x)
        compare(lambda x: ufunc(int(number), x), x)
    compare(lambda x: x < 300, x)


@pytest.mark.parametrize("dtype", ["i1", "u1", "i8", "u8", "f4"])
def test_limits_that_the_type_does_not_have(dtype):
    x = np.array([0, 1, 100, 127], dtype)
    compare(lambda x: np.clip(x, -(2**70) if x.dtype.kind != "f" else -1, 300), x)
    compare(lambda x: np.clip(x, 5, 2**70), x)
    compare(lambda x: x.clip(-1, 20), x)


def test_extents_and_floats():
    compare(lambda x: x * (x.shape[0] * 1.5), X)
    compare(lambda x: x + (x.shape[0] + 0.5) - (0.25 - x.shape[0]), X)
    compare(lambda x: x * (x.shape[0] // 2.5), X)
    compare(lambda x: (x.astype("f4") + 1.5 * x.shape[0], x.shape[0] % 2.5), X)


def test_casting():
    i = np.arange(3)
    refuses(TypeError, "casting|loop", lambda i: np.add(i, np.float64(1.5), casting="no"), i)
    compare(lambda i: np.add(i, np.float64(1.5), casting="safe"), i)
    compare(lambda i: np.add(i, np.float64(1.5), dtype="i4", casting="unsafe"), i)


# Element types of results.


def test_means_in_integers():
    compare(lambda x: np.mean(x, dtype="i4"), np.array([1, 2, 4, 7]))
    compare(lambda x: np.mean(x, axis=0, dtype="i8"), -M)
    compare(lambda x: np.mean(x, dtype="i4"), np.array([1.5, 2.9]))
    compare(lambda x: np.mean(x, dtype="?"), np.array([True, False]))


@pytest.mark.parametrize("dtype", ["?", "i1", "i4", "f4"])
def test_initial_elements(dtype):
    x = np.array([0, 1, 1]).astype(dtype)
    for function in (np.sum, np.prod, np.max, np.min):
        compare(lambda x: function(x, initial=1.5), x)
        compare(lambda x: function(x, initial=0), x)
        compare(lambda x: function(x, axis=0, initial=np.float64(3)), x)


@pytest.mark.parametrize("dtype", ["?", "i1", "u1", "f2", "f8"])
def test_squares_and_products(dtype):
    x = np.array([[0, 1, 1], [0, 0, 1]]).astype(dtype)
    compare(lambda x: x**2, x)
    compare(lambda x: x**2.0, x)
    compare(lambda x: np.power(x, 2), x)
    if hasattr(np, "vecdot"):
        compare(lambda x: np.vecdot(x, x), x)


# Functions without names.


def test_functions_that_have_no_names():
    class Scale:
        def __call__(self, x):
            return x * 2

    def power(x, exponent):
        return x**exponent

    f = bl.jit(functools.partial(power, exponent=3))
    np.testing.assert_array_equal(f(X), X**3)
    assert (f.__name__, "power" in repr(f)) == ("power", True)
    g = bl.jit(Scale())
    np.testing.assert_array_equal(g(X), X * 2)
    assert (g.__name__, "Scale" in repr(g)) == ("Scale", True)
    with pytest.raises(TypeError, match=r"Scale..: argument 'x' is a object"):
        g(object())


def test_arguments_have_their_names():
    f = bl.jit(lambda batch, w, *rest, **more: batch["x"] + batch["y"][0] + w + rest[0] + more["k"])
    x = np.ones(2)
    text = f.mlir({"x": x, "y": [x]}, x, x, k=x)
    for number, name in enumerate(("batch['x']", "batch['y'][0]", "w", "rest[0]", "more['k']")):
        assert f'%arg{number}: tensor<?xf64> loc("{name}")' in text
    with pytest.raises(TypeError, match=r"argument batch\['y'\]\[0\] is a complex; arguments are arrays"):
        f({"x": x, "y": [1j]}, x, x, k=x)
    with pytest.raises(TypeError, match=r"argument 'w' is a MaskedArray, .*; give w.filled"):
        f({"x": x, "y": [x]}, np.ma.masked_array(x), x, k=x)
