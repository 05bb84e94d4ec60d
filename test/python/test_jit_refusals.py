"""Tests what bl.jit refuses: with the line, the reason and what to do instead, also where the function or NumPy catches
the error. A wrong branch is never taken in silence."""

import copy
import math
import pickle
import types

import broadloom as bl
import numpy as np
import pytest

X = np.arange(6.0).reshape(2, 3) + 1


def refuses(function, message, *arguments):
    with pytest.raises(bl.TraceError, match=r"test_jit_refusals.py:\d+:\d+: " + message):
        bl.jit(function)(*(arguments or (X,)))


def agrees(function, *arguments):
    expected, found = np.asarray(function(*arguments)), np.asarray(bl.jit(function, optimise=False)(*arguments))
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
    np.testing.assert_array_equal(found, expected)


def guess_sign(x):
    try:
        is_positive = bool(np.all(x > 0))
    except Exception:
        is_positive = False
    return x if is_positive else -x


def test_a_refusal_that_is_caught_is_raised_all_the_same():
    refuses(guess_sign, "a decision by an array's values cannot be traced")

    def function(x):
        try:
            return np.busday_count(x, x)
        except TypeError:
            return x

    refuses(function, ".*busday_count.*")

    def raises_another(x):
        try:
            return float(x.sum())
        except TypeError:
            raise KeyError("sum") from None

    refuses(raises_another, "a number of Python's from an array cannot be traced")
    refuses(lambda x: guess_sign(x) + bl.jit(guess_sign)(x), "a decision by an array's values")


def test_what_numpy_asks_in_passing_is_no_refusal():
    # NumPy asks an exponent for its index, and conditions whether they can be looped over.
    agrees(lambda x: X ** x.shape[0] + X ** x[0, 0], X)
    agrees(lambda x: np.piecewise(x, np.stack([x < 3, x >= 3]), [-1, 1]), X[0])
    refuses(lambda x: x if np.iterable(x) else -x, "a loop over an axis cannot be traced")

    def several(x):
        for exponent in (x.sum, x.shape[0]):
            try:
                x = X ** (float(exponent()) if callable(exponent) else exponent)
            except TypeError:
                x = x * 1
        return x

    refuses(several, "a number of Python's from an array cannot be traced")


def test_a_trace_after_a_refusal_is_another_one():
    f = bl.jit(lambda x, careful: guess_sign(x) if careful else x * 2)
    with pytest.raises(bl.TraceError):
        f(X, True)
    np.testing.assert_array_equal(f(X, False), X * 2)


#: Functions of NumPy's by other names than NumPy's own, which read numbers themselves.
NAMES = types.SimpleNamespace(arange=np.arange, array=np.array, ones=np.ones, zeros=np.zeros)


def write_number(x):
    result = np.zeros(3)
    result[0] = x.sum()
    return result


def add_to_constant(x):
    result = np.zeros((2, 3))
    result += x
    return result


@pytest.mark.parametrize(
    "function, message",
    [
        (
            lambda x: np.arange(0, x.shape[0], 1 / 3),
            r"arange of what is no integer cannot be traced; scale one of integers, as np.arange\(n\) \* step$",
        ),
        (
            lambda x: np.arange(0.0, x.shape[0]),
            r"arange of what is no integer cannot be traced; scale one of integers, as np.arange\(n\) \* step$",
        ),
        (
            lambda x: np.arange(x.shape[0], 7.5),
            r"arange of what is no integer cannot be traced; scale one of integers, as np.arange\(n\) \* step$",
        ),
        (lambda x: NAMES.arange(x.shape[0]), r".*np.arange\(n\) and np.linspace\(0, 1, n\)"),
        (lambda x: NAMES.zeros(x.shape[0]), r".*they are called as np.zeros\(\(n, 2\)\)"),
        (lambda x: NAMES.ones(x.shape), r".*they are called as np.zeros\(\(n, 2\)\)"),
        (lambda x: "%d" % x.shape[0], "an extent as a number of Python's cannot be traced"),
        (lambda x: "%d" % x.sum(), "a number of Python's from an array cannot be traced"),
        (lambda x: round(x.sum()), "round.. cannot be traced; use np.round, which gives an array"),
        (lambda x: math.sqrt(x.sum()), "a number of Python's from an array cannot be traced"),
        (lambda x: np.r_[x, x], ".*np.concatenate and np.column_stack are np.r_ and np.c_"),
        (lambda x: np.float32(x.sum()), r".*; x.astype\(np.float32\) is np.float32\(x\)"),
        (lambda x: NAMES.array([x.sum(), 1]), ".*np.stack for a list of such arrays"),
        (write_number, r".*what is written to begins as an array of the trace, as np.zeros_like\(x, shape=\(3,\)\)"),
        (add_to_constant, r"a write to an array of NumPy's, as by c \+= x, cannot be traced; .* c = np.add\(c, x\)"),
        (lambda x: np.add(x, x, out=x), "out= of 'add' cannot be traced; use the result"),
        (lambda x: x.flat, "the attribute 'flat' cannot be traced; use x.ravel"),
        (lambda x: x if hasattr(x, "strides") else -x, "the attribute 'strides' cannot be traced"),
    ],
)
def test_messages_say_what_to_do(function, message):
    refuses(function, message)


def test_what_arrays_have():
    agrees(lambda x: x.imag + x.real, X)
    agrees(lambda x: x * hasattr(x, "imag") + hasattr(x, "nothing"), X)
    agrees(lambda x: round(x.sum(), 1), X)
    agrees(
        lambda x: (
            x.__array_namespace__().full((2, x.shape[0]), x.shape[0])
            if type(x) is not np.ndarray
            else np.full((2, x.shape[0]), x.shape[0])
        ),
        X,
    )
    with pytest.raises(TypeError, match="unsupported operand type"):
        bl.jit(lambda x: pow(x, 2, 5))(X)


# Orders of elements.


@pytest.mark.parametrize("order", ("A", "K", "F"))
def test_orders_of_memory_are_refused_where_they_matter(order):
    for function in (lambda x: x.ravel(order), lambda x: np.ravel(x, order), lambda x: x.flatten(order)):
        refuses(function, f"order='{order}' cannot be traced; write order='C'")
        agrees(function, X[0, ::2])
    refuses(lambda x: np.reshape(x, (3, 2), order=order), f"order='{order}' cannot be traced")
    agrees(lambda x: np.copy(x.T, order=order), X)


# Views.


@pytest.mark.parametrize("axes", ("ij->ji", "ii->i", "ij->ij", "...->..."))
def test_einsum_without_a_sum_is_a_view(axes):
    def function(x):
        y = x * 2
        turned = np.einsum(axes, y)
        y += 1
        return turned

    refuses(function, "a write to an array that shares elements with another", np.ones((2, 2)))
    agrees(lambda x: np.einsum(axes, x), np.ones((2, 2)))


def test_einsum_with_a_sum_is_none():
    def function(x):
        y = x * 2
        sums = np.einsum("ij->j", y)
        y += 1
        return sums

    agrees(function, X)


# Axes.

ONE_AXIS = (
    np.argmax,
    np.argmin,
    np.cumsum,
    np.cumprod,
    np.sort,
    np.argsort,
    np.diff,
    lambda x, axis: np.concatenate([x, x], axis=axis),
    lambda x, axis: np.swapaxes(x, axis, 0),
)


@pytest.mark.parametrize("number", range(len(ONE_AXIS)))
def test_one_axis_is_no_tuple(number):
    with pytest.raises(TypeError):
        ONE_AXIS[number](X, axis=(0,))
    with pytest.raises(TypeError, match=r"test_jit_refusals.py:\d+:\d+: .*"):
        bl.jit(lambda x: ONE_AXIS[number](x, axis=(0,)))(X)


@pytest.mark.parametrize("axis", (0, -1))
def test_arrays_without_axes_have_the_first_one(axis):
    one = np.array(3.0)
    for function in (
        np.sum,
        np.prod,
        np.max,
        np.min,
        np.any,
        np.all,
        np.argmax,
        np.argsort,
        np.cumsum,
        np.count_nonzero,
    ):
        agrees(lambda x: function(x, axis=axis), one)
    agrees(lambda x: x.argsort(), one)
    for function in (np.mean, np.std, np.sort):
        with pytest.raises(ValueError, match="out of bounds for array of dimension 0"):
            bl.jit(lambda x: function(x, axis=axis))(one)


# Functions that are carried to other processes.


@bl.jit
def double(x):
    return x * 2


def increase(x):
    return x + 1


increased = bl.jit(increase, threads=1)


def test_functions_are_pickled_by_their_names():
    assert pickle.loads(pickle.dumps(double)) is double
    assert copy.deepcopy(double) is double
    other = pickle.loads(pickle.dumps(increased))
    np.testing.assert_array_equal(other(X), X + 1)
    with pytest.raises((pickle.PicklingError, AttributeError), match="<lambda>"):
        pickle.dumps(bl.jit(lambda x: x))


# Masks.


def test_a_mask_is_told_of():
    with pytest.raises(
        TypeError, match=r"a MaskedArray.* no array of a program has a mask; give x.filled\(value\), or x.data"
    ):
        double(np.ma.ones(2))
