"""Arguments of NumPy's functions that are rare, under bl.jit: arrays of nothing, of one, and of more axes. Values,
types and shapes are NumPy's."""

import warnings

import broadloom as bl
import numpy as np
import pytest

LINE = np.arange(6.0) - 3
IMAGE = LINE.reshape(2, 3)
SOLID = np.arange(24.0).reshape(2, 3, 4)
HOLES = np.array([[1, np.nan, 3], [4, 5, 6], [np.nan, np.nan, np.nan]])


def agrees(function, *arguments):
    """Whether bl.jit gives what NumPy does."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = function(*arguments)
    found = bl.jit(function)(*arguments)
    expected, found = ((v if isinstance(v, tuple) else (v,)) for v in (expected, found))
    assert len(found) == len(expected)
    for one, other in zip(found, expected):
        one, other = np.asarray(one), np.asarray(other)
        assert (one.dtype, one.shape) == (other.dtype, other.shape)
        np.testing.assert_allclose(one, other, rtol=1e-6)


@pytest.mark.parametrize("name", ("nansum", "nanprod", "nanmax", "nanmin"))
def test_reductions_without_nan_begin_and_leave_out(name):
    function = getattr(np, name)
    for start in (2.0, -9, 40, np.nan):
        for dtype in ("f4", "f8"):
            x = HOLES.astype(dtype)
            agrees(lambda x: function(x, axis=1, initial=start), x)
            agrees(lambda x: function(x, axis=0, initial=start, where=x != 4, keepdims=True), x)
            agrees(lambda x: function(x, initial=start), x[:, :0])
    agrees(lambda x: function(x, axis=1, initial=1, where=x != 2), IMAGE.astype(int))
    agrees(lambda x, mask: function(x, axis=1, initial=1, where=mask), HOLES, HOLES[0] > 2)


def test_an_extreme_of_a_mask_needs_a_beginning():
    for function, called in ((np.nanmax, "fmax"), (np.nanmin, "fmin")):
        with pytest.raises(ValueError, match=f"operation '{called}' does not have an identity, so to use a where mask"):
            bl.jit(lambda x: function(x, where=x > 0))(HOLES)


def test_means_without_nan_leave_out():
    for function in (np.nansum, np.nanprod, np.nanmean, np.nanvar, np.nanstd):
        agrees(lambda x: function(x, axis=1, where=x != 4), HOLES)
        agrees(lambda x: function(x, axis=0, where=x != 2), IMAGE.astype(int))
    for function in (np.nanvar, np.nanstd):
        agrees(lambda x: function(x, axis=1, mean=np.array([[1.0], [2], [3]]), where=x != 4), HOLES)
        agrees(lambda x: function(x, axis=1, correction=1), HOLES)


def test_reduce_of_a_universal_function_begins_and_leaves_out():
    agrees(lambda x: np.add.reduce(x, initial=3.0, where=x > 0), LINE)
    agrees(lambda x: np.add.reduce(x, axis=1, dtype=np.float32), IMAGE)
    agrees(lambda x: np.maximum.reduce(x, axis=1, initial=3.0, where=x < 0), IMAGE)
    agrees(lambda x: np.logical_and.reduce(x, axis=1, where=x < 0), IMAGE)
    with pytest.raises(bl.TraceError, match="where= of 'add' cannot be traced"):
        bl.jit(lambda x: np.add(x, x, where=x > 0))(LINE)


INSERTS = [
    (lambda x: np.insert(x, 1, x[0], axis=0), IMAGE),
    (lambda x: np.insert(x, 1, x[:, 0], axis=1), IMAGE),
    (lambda x: np.insert(x, 1, [1.0, 2, 3], axis=0), IMAGE),
    (lambda x: np.insert(x, [1], x[:, :1], axis=1), IMAGE),
    (lambda x: np.insert(x, 1, np.ones((4, 2)), axis=1), IMAGE),
    (lambda x: np.insert(x, 1, x[:, 0, :], axis=1), SOLID),
    (lambda x: np.insert(x, 1, np.ones((2, 2, 4)), axis=1), SOLID),
    (lambda x: np.insert(x, 1, np.arange(2.0)[:, None], axis=2), SOLID),
    (lambda x: np.insert(x, [1], np.arange(4.0), axis=2), SOLID),
    (lambda x: np.insert(x, -6, 7.0), LINE),
    (lambda x: np.insert(x, 6, [7, 8]), LINE),
    (lambda x: np.insert(x, x.shape[0] // 2, 7.0), LINE),
    (lambda x: np.insert(x, 4 - x.shape[0], 7.0), LINE),
    (lambda x: np.delete(x, -6), LINE),
]


@pytest.mark.parametrize("case", range(len(INSERTS)))
def test_insert(case):
    agrees(*INSERTS[case])


@pytest.mark.parametrize(
    "function, message",
    [
        (lambda x: np.insert(x, 100, 1), "'numpy.insert': index 100 is out of bounds for axis 0 with size 6"),
        (lambda x: np.insert(x, -7, 1), "'numpy.insert': index -7 is out of bounds for axis 0 with size 6"),
        (lambda x: np.insert(x, 2 * x.shape[0], 1), "index 12 is out of bounds for axis 0 with size 6"),
        (lambda x: np.insert(x, -2 * x.shape[0], 1), "index -12 is out of bounds for axis 0 with size 6"),
        (lambda x: np.delete(x, 6), "'numpy.delete': index 6 is out of bounds for axis 0 with size 6"),
        (lambda x: np.delete(x, -7), "'numpy.delete': index -7 is out of bounds for axis 0 with size 6"),
        (lambda x: np.pad(x, x.shape[0] - 10, "edge"), "'numpy.pad': the padding of axis 0 is -4, expected at least 0"),
        (lambda x: np.pad(x[:0], 2, "wrap"), "can't extend empty axis 0 using modes other than 'constant' or 'empty'"),
        (lambda x: np.interp(x, x[6:], x[6:]), "'numpy.interp': array of sample points is empty"),
        (lambda x: np.quantile(x[6:], 0.5), "'numpy.quantile': np.quantile of an empty axis"),
    ],
)
def test_errors_speak_of_what_is_called(function, message):
    with pytest.raises(bl.ShapeError, match=message):
        bl.jit(function)(LINE)


def test_errors_of_what_the_trace_knows():
    with pytest.raises(IndexError, match="index 5 is out of bounds for axis 0 with size 3"):
        bl.jit(lambda x: np.delete(np.stack([x, x, x]), 5, axis=0))(LINE)
    with pytest.raises(ValueError, match="values of 2 axes are inserted into an array of 1"):
        bl.jit(lambda x: np.insert(x, 1, np.ones((2, 2))))(LINE)


NOTHING = [
    (lambda x: np.quantile(x, []), IMAGE),
    (lambda x: np.percentile(x, [], axis=1, keepdims=True), IMAGE),
    (lambda x: np.nanquantile(x, [], axis=0), HOLES),
    (lambda x: np.vander(x, 0), LINE),
    (lambda x: np.vander(x, 1, increasing=True), LINE),
    (lambda x: np.median(x), np.zeros(0)),
    (lambda x: np.median(x, axis=0, keepdims=True), np.zeros((0, 2), "f4")),
    (lambda x: np.median(x, axis=1), np.zeros((0, 2))),
    (lambda x: np.median(x, axis=0), np.zeros((0, 2), int)),
    (lambda x: np.median(x, axis=(0, 2)), np.zeros((2, 3, 0))),
    (lambda x: np.nanmedian(x, axis=0), np.zeros((0, 2))),
    (lambda x: np.nanmedian(x, axis=0), np.zeros((0, 2), int)),
    (lambda x: np.pad(x, (0, 0), "wrap"), np.zeros(0)),
]


@pytest.mark.parametrize("case", range(len(NOTHING)))
def test_of_nothing(case):
    agrees(*NOTHING[case])


def test_a_number_of_columns():
    with pytest.raises(ValueError, match="negative dimensions are not allowed"):
        bl.jit(lambda x: np.vander(x, -1))(LINE)


@pytest.mark.skipif(not hasattr(np, "trapezoid"), reason="NumPy 1 calls it trapz")
def test_trapezoid_with_coordinates_of_other_axes():
    agrees(lambda y, x: np.trapezoid(y, x, axis=1), IMAGE, IMAGE**2)
    agrees(lambda y, x: np.trapezoid(y, x, axis=-1), np.stack([IMAGE, IMAGE + 1]), IMAGE**2)
    agrees(lambda y, x: np.trapezoid(y, x), LINE[:3], IMAGE**2)
    agrees(lambda y, x: np.trapezoid(y, x, axis=0), IMAGE, LINE[:2] ** 2)


def test_interp_of_one_point():
    x = np.array([np.nan, 0, 1, 2, np.inf])
    for point in (1.0, np.nan):
        agrees(lambda x, xp, fp: np.interp(x, xp, fp), x, np.array([point]), np.array([5.0]))
        agrees(lambda x, xp, fp: np.interp(x, xp, fp, left=-1, right=9), x, np.array([point]), np.array([5.0]))
    agrees(lambda x, xp, fp: np.interp(x, xp, fp), x, np.array([1.0, 2]), np.array([5.0, 6]))


def test_no_slope_of_bool():
    with pytest.raises(TypeError, match="numpy boolean subtract"):
        bl.jit(np.gradient)(LINE > 0)
    agrees(np.diff, LINE > 0)


@pytest.mark.parametrize("function", (np.inner, np.dot, np.vdot, np.outer, np.add, np.hypot, np.matmul, np.cross))
def test_functions_of_numpy_themselves(function):
    agrees(function, LINE[:3], LINE[3:])


@pytest.mark.parametrize("name", ("hypot", "logaddexp", "logaddexp2", "heaviside", "arctan2", "fmod", "copysign"))
def test_a_number_on_either_side(name):
    function = getattr(np, name)
    for x in (np.array([1, -2, np.inf, -np.inf, np.nan, 0]), np.array([1, 2], "f4"), np.array([1, 2])):
        for number in (2, 2.5, np.inf, -1.0, 0.0, np.nan):
            agrees(lambda x: function(x, number), x)
            agrees(lambda x: function(number, x), x)
        agrees(lambda x: function(x.shape[0], x), x)


def test_more_functions_of_numpy_themselves():
    for function in (np.modf, np.exp, np.sum, np.median):
        agrees(function, LINE)
    agrees(np.where, LINE < 0, LINE, LINE * 2)
    agrees(np.concatenate, [LINE, LINE])
    f = bl.jit(np.add)
    assert f.__name__ == "add"
    assert f(LINE, LINE, dtype=np.float32).dtype == np.float32
    with pytest.raises(TypeError, match=r"add\(\) missing a required argument: 'x2'"):
        f(LINE)


def test_random_numbers_are_constants_and_told_of():
    import random

    for module, draw in (("np.random", np.random.rand), ("random", random.random)):
        f = bl.jit(lambda x, draw=draw: x + draw())
        with pytest.warns(bl.CompileWarning, match=f"numbers of {module} were drawn while .* was traced"):
            first = f(LINE)
        assert (f(LINE) == first).all()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        bl.jit(lambda x, noise: x + noise)(LINE, np.random.rand(*LINE.shape))
