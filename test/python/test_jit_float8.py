"""Floats of eight bits under bl.jit: they are computed with in f32 and rounded once, as ml_dtypes does."""

import warnings

import broadloom as bl
import numpy as np
import pytest

ml_dtypes = pytest.importorskip("ml_dtypes")
TYPES = (ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2)


def agrees(function, *arguments):
    """Whether bl.jit gives what NumPy does."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = function(*arguments)
    found = bl.jit(function, optimise=False)(*arguments)
    expected, found = ((v if isinstance(v, tuple) else (v,)) for v in (expected, found))
    for one, other in zip(found, expected):
        one, other = np.asarray(one), np.asarray(other)
        assert (one.dtype, one.shape) == (other.dtype, other.shape)
        np.testing.assert_array_equal(one.astype("f8"), other.astype("f8"))


FUNCTIONS = [
    lambda x: x + x,
    lambda x: x * 0.3,
    lambda x: x / x.shape[1],
    lambda x: -x,
    lambda x: x**2,
    lambda x: x // 2,
    lambda x: np.divmod(x, x[0]),
    lambda x: np.absolute(x),
    np.exp,
    np.sqrt,
    np.floor,
    np.sign,
    np.isnan,
    np.nan_to_num,
    lambda x: np.copysign(x, -x),
    lambda x: np.hypot(x, x),
    lambda x: np.logaddexp(x, x[0]),
    lambda x: x < 1,
    lambda x: x == x[0],
    lambda x: np.maximum(x, 0),
    lambda x: np.where(x > 1, x, 0),
    lambda x: np.clip(x, 0, 1),
    lambda x: np.isclose(x, x),
    lambda x: np.diff(x),
    lambda x: np.pad(x, 1),
    lambda x: x @ x.T,
    lambda x: x + x.astype("f4"),
    lambda x: x.astype(ml_dtypes.bfloat16) + 1,
]
REDUCTIONS = [
    np.max,
    np.min,
    np.sum,
    np.prod,
    np.mean,
    np.argmax,
    np.argmin,
    np.all,
    np.any,
    np.cumsum,
    np.count_nonzero,
]


@pytest.mark.parametrize("dtype", TYPES)
def test_functions(dtype):
    x = np.array([[1, 2, -3.5], [0.25, np.nan, 16]], "f4").astype(dtype)
    for function in FUNCTIONS:
        agrees(function, x)


@pytest.mark.parametrize("dtype", TYPES)
def test_reductions(dtype):
    x = np.array([[1, 2, -3.5], [0.25, 0, 16]], "f4").astype(dtype)
    for function in REDUCTIONS:
        agrees(lambda x: function(x, axis=0), x)
        agrees(lambda x: function(x[0], axis=0), x)


@pytest.mark.parametrize("dtype", (*TYPES, ml_dtypes.bfloat16))
def test_reductions_of_what_a_mask_says(dtype):
    x = np.array([[1, 2, 0.5], [3, 0.25, 1]]).astype(dtype)
    agrees(lambda x: np.max(x, axis=0, where=x > 1, initial=0), x)
    agrees(lambda x: np.min(x, axis=0, where=x > 1, initial=2), x)
    agrees(lambda x: np.mean(x, axis=1, where=x > 0.5), x[:1])
    agrees(lambda x: np.round(x, 1), np.floor(x))


def test_clipping_has_numpys_type():
    for dtype in (ml_dtypes.bfloat16, np.float16, np.uint8, np.int32):
        x = np.array([1, 2, 0.5]).astype(dtype)
        for function in (lambda x: np.clip(x, 0, 1), lambda x: np.clip(x, None, 1), lambda x: np.clip(x, 0.5, None)):
            agrees(function, x)
        agrees(lambda x: np.where(x > 1, x, 0.5), x)
