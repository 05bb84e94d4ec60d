"""Arrays for tests of bl.jit, and the comparison of its results with NumPy's."""

import warnings

import broadloom as bl
import numpy as np


def numbers(dtype, *shape, seed=0, low=-4, high=5):
    random = np.random.default_rng(seed)
    dtype = np.dtype(dtype)
    if dtype.kind == "f":
        return np.asarray(random.uniform(low, high, shape)).astype(dtype)
    low = max(low, 0) if dtype.kind in "bu" else low
    return np.asarray(random.integers(low, 2 if dtype.kind == "b" else high, shape)).astype(dtype)


def flatten(value):
    """Lists the arrays of a result."""
    return (
        [leaf for part in value for leaf in flatten(part)] if isinstance(value, (tuple, list)) else [np.asarray(value)]
    )


def check(found, expected, ulp=0, name=""):
    """The type and shape of NumPy's, and values so close."""
    expected = np.asarray(expected)
    assert type(found) is np.ndarray, name
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape), name
    if ulp and found.dtype.kind == "f":
        limit = ulp * float(np.finfo(found.dtype).eps)
        np.testing.assert_allclose(found.astype("f8"), expected.astype("f8"), rtol=limit, atol=limit, err_msg=name)
    else:
        np.testing.assert_array_equal(found, expected, err_msg=name)


def compare(function, *arguments, ulp=0):
    """That the compiled function gives what NumPy does."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = function(*arguments)
    found = bl.jit(function, optimise=False)(*arguments)
    if not isinstance(expected, dict):
        found, expected = {"": found}, {"": expected}
    assert found.keys() == expected.keys()
    for name in expected:
        check(found[name], expected[name], ulp, name)
