"""How exact means, variances and norms are over rows of many kinds, whoever writes the
program: bl.jit, and models of ONNX and PyTorch."""

import broadloom as bl
import numpy as np
import onnx_models
import pytest
import row_kinds
from broadloom import _program as program
from built_programs import run
from torch_graphs import Graph

LENGTHS = (1, 2, 11, 16, 64, 768, 769, 1000, 1025, 8192, 40000)
COUNTS = (1, 3, 16, 40)


@pytest.fixture(scope="module")
def functions():
    """For a matrix: the mean, the variance and the norm of each row, by door; None for what
    a door does not tell."""
    moments = bl.jit(lambda x: (np.mean(x, axis=1, keepdims=True), np.var(x, axis=1, keepdims=True)))
    columns = bl.jit(lambda x: (np.mean(x, axis=0, keepdims=True), np.var(x, axis=0, keepdims=True)))
    masked = bl.jit(lambda x: np.nanvar(x, axis=1, keepdims=True))
    onnx = bl.compile(
        onnx_models.wrap(
            onnx_models.graph("""
        x: f32[n, m]
        s: f32[m]
        y, mean, inverse = LayerNormalization(x, s)
        return y, mean
    """)
        )
    )
    torch = Graph("""
n = symbol(0, None)
m = symbol(0, None)
x: f32[n, m] = input()
v: (f32[n, 1], f32[n, 1]) = aten.var_mean.correction(x, [1], correction=0, keepdim=True)
variance: f32[n, 1] = v[0]
mean: f32[n, 1] = v[1]
return variance, mean
""")

    def by_columns(x):
        return (*(part.T for part in columns(np.ascontiguousarray(x.T))), None)

    def by_onnx(x):
        norm, mean = onnx(x, np.ones(x.shape[1], np.float32))
        return mean, None, norm

    return {
        "jit": lambda x: (*moments(x), None),
        "columns": by_columns,
        "onnx": by_onnx,
        "torch": lambda x: (*torch(x)[::-1], None),
        "nan": lambda x: (None, masked(x), None),
    }


@pytest.mark.parametrize("length", LENGTHS)
def test_equal_elements_have_no_deviation(functions, length):
    for count in COUNTS:
        rows = np.resize(row_kinds.constant_rows(length), (count, length))
        for name, function in functions.items():
            mean, variance, norm = function(rows)
            for part in (variance, norm):
                assert part is None or not part.any(), (name, count)
            if name in ("onnx", "torch"):
                assert np.array_equal(mean, rows[:, :1]), (name, count)


#: Elements of one sign that are rounded alike are off by less than a unit in the last place in
#: every second of the 256 steps of a sequence. Without sequences it is every second element.
BOUND = 128


@pytest.mark.parametrize("length", [64, 768, 1000, 8192])
@pytest.mark.parametrize("count", [3, 16, 40])
def test_errors_over_rows_of_many_kinds(functions, length, count):
    for kind, rows in row_kinds.make_rows(length, count).items():
        for name, function in functions.items():
            found = row_kinds.errors(rows, *function(rows))
            # What a row differs by from its mean is rounded to the digits of the mean.
            offset = float(np.abs(rows).max() / max(rows.std(axis=1, dtype="f8").min(), 1e-30))
            for part, error in found.items():
                limit = 32 + offset if part == "norm" else BOUND
                assert error <= limit, (kind, name, part, error)


def test_means_over_many_rows():
    """As exact as sums in pairs."""
    x = np.random.default_rng(5).uniform(0, 1, (8192, 64)).astype(np.float32)
    for function in (lambda x: np.mean(x, axis=0), lambda x: np.sum(x, axis=0)):
        exact = function(x.astype(np.float64))
        error = (np.abs(bl.jit(function)(x) - exact) / exact).max()
        assert error <= 4 * 2.0**-24


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "i4", "u1"])
def test_variances_of_all_types(dtype):
    random = np.random.default_rng(3)
    x = (random.uniform(0, 60, (7, 300)) if dtype[0] == "f" else random.integers(0, 200, (7, 300))).astype(dtype)
    for function in (np.var, np.std, np.nanvar):
        for options in ({}, {"axis": 0}, {"axis": 1, "ddof": 1}, {"axis": 1, "ddof": 0.5}, {"axis": 0, "ddof": 6}):
            with np.errstate(all="ignore"):
                expected = function(x.astype("f8"), **options)
            found = bl.jit(lambda x: function(x, **options))(x)
            assert found.dtype == function(x[:2, :2]).dtype
            np.testing.assert_allclose(found, expected, rtol={"f2": 2e-3, "f4": 1e-6}.get(dtype, 1e-13))


def test_rows_without_a_finite_mean(functions):
    """An infinity is the mean beside numbers, and NaN where there is no mean; what does not
    fit is infinite."""
    rows = np.random.default_rng(2).normal(5, 1, (6, 300)).astype(np.float32)
    rows[0, 3], rows[1, 5], rows[2, 7] = np.inf, -np.inf, np.nan
    rows[3, 2], rows[3, 4] = np.inf, -np.inf
    rows[4] *= 1e30
    for name, function in functions.items():
        mean, variance, norm = function(rows)
        if mean is not None:
            np.testing.assert_array_equal(mean[:4, 0], [np.inf, -np.inf, np.nan, np.nan])
            np.testing.assert_allclose(mean[4:], rows[4:].astype("f8").mean(1, keepdims=True), rtol=1e-6)
        if variance is not None:
            assert np.isnan(np.delete(variance[:4, 0], 2 if name == "nan" else [])).all()
            assert variance[4, 0] == np.inf
            np.testing.assert_allclose(variance[5], rows[5].var(dtype="f8"), rtol=1e-6)
        if norm is not None:
            assert np.isnan(norm[:4]).any(axis=1).all() and np.isfinite(norm[5]).all()


def test_rows_without_elements(functions):
    for name, function in functions.items():
        for shape in ((3, 0), (0, 5), (0, 0), (40, 0)):
            for part in function(np.zeros(shape, np.float32)):
                assert part is None or np.isnan(part).all(), name


@pytest.mark.parametrize("shape", [(3, 40), (5, 12), (40, 300), (17, 1024), (40, 1025), (2, 5000), (40, 9), (1, 70000)])
@pytest.mark.parametrize("axis", [0, 1])
def test_sums_that_only_some_rows_have(shape, axis):
    """A sweep that computes for some rows alone is left out where there are none of them."""
    x = np.random.default_rng(4).normal(0, 1, shape).astype(np.float32)

    def code(x, limit):
        total = program.sum(x, [axis], True)
        chosen = program.select(program.greater(total, limit), x, 0.0)
        return total, program.sum(chosen, [axis], True), program.sum(program.square(chosen), [axis], True)

    for part in (0, 0.1, 0.5, 1):
        total = run(lambda x: program.sum(x, [axis], True), x)
        limit = np.float32(np.quantile(total, 1 - part) if part else np.inf) if part < 1 else np.float32(-np.inf)
        chosen = np.where(total > limit, x, np.float32(0))
        expected = [run(lambda x: program.sum(x, [axis], True), value) for value in (x, chosen, chosen * chosen)]
        for got, want in zip(run(code, x, np.reshape(limit, (1, 1))), expected, strict=True):
            assert got.tobytes() == want.tobytes()
