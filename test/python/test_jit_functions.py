"""Functions of NumPy's that are written with others, under bl.jit: values and types are NumPy's, for several
shapes of one trace."""

import warnings

import broadloom as bl
import ml_dtypes
import numpy as np
import pytest

SHAPES = [(4, 7), (3, 5), (6, 6), (5, 2)]


def given(dtype, shape):
    random = np.random.default_rng(7)
    kind = np.dtype(dtype).kind
    if kind == "b":
        return random.integers(0, 2, shape).astype(bool)
    return random.standard_normal(shape).astype(dtype) if kind == "f" else random.integers(-5, 9, shape).astype(dtype)


def agree(found, expected):
    found, expected = ((v if isinstance(v, (tuple, list)) else [v]) for v in (found, expected))
    assert len(found) == len(expected)
    for one, other in zip(found, expected):
        one, other = np.asarray(one), np.asarray(other)
        assert (one.dtype, one.shape) == (other.dtype, other.shape)
        near = {"f2": 2e-3, "f4": 2e-5, "f8": 1e-12}.get(other.dtype.str[1:], 0)
        np.testing.assert_allclose(one, other, rtol=near, atol=near)


def check(function, *dtypes, shapes=SHAPES, holes=False):
    """One trace for all shapes."""
    for dtype in dtypes:
        f = bl.jit(function)
        for shape in shapes:
            x, y = given(dtype, shape), given(dtype, shape)[::-1].copy()
            if holes:
                x[0] = np.where(np.arange(shape[1]) % 2, np.nan, x[0])
                x[-1] = np.nan
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                expected = function(x, y)
            agree(f(x, y), expected)
        assert f.cache_info().traces == 1


FLOATS, NUMBERS = ("f4", "f8"), ("f4", "f8", "i4", "i8")
ALL = (*NUMBERS, "?")

#: What is done to x and y of shape [n, m], and of which types.
FUNCTIONS = [
    # Moves.
    ("flips", lambda x, y: (np.fliplr(x), np.flipud(x), np.rot90(x), np.rot90(x, 2), np.rot90(x, -1), np.rot90(x, 4)), ALL),
    ("pads", lambda x, y: tuple(np.pad(x, ((1, 2), (0, 3)), mode=m) for m in ("edge", "reflect", "wrap", "symmetric")), ALL),
    ("stacks", lambda x, y: (np.dstack((x, y)), np.column_stack((x, y)), np.column_stack((x[0], y[0])), np.append(x, y), np.append(x, y, axis=0)), ALL),
    ("blocks", lambda x, y: (np.block([[x, y], [y, x]]), np.block([x, y]), np.block([x[0], 1])), NUMBERS),
    ("splits", lambda x, y: (*np.array_split(x, 3, axis=1), *np.array_split(x, [1, 2]), *np.hsplit(x, [1]), *np.vsplit(x, 1), *np.dsplit(x[..., None], 1)), ALL),
    ("axes", lambda x, y: (np.atleast_3d(x), np.atleast_3d(x[0]), np.rollaxis(x[None], 2), np.rollaxis(x[None], 0, 3)), ALL),
    ("deletes", lambda x, y: (np.delete(x, 1, axis=1), np.delete(x, -1, axis=0), np.delete(x, 3)), ALL),
    ("inserts", lambda x, y: (np.insert(x, 1, 0, axis=1), np.insert(x, -1, y[:2], axis=0), np.insert(x, 3, 1)), NUMBERS),
    ("grids", lambda x, y: (*np.meshgrid(x[0], y[:, 0]), *np.meshgrid(x[0], y[:, 0], indexing="ij"), *np.meshgrid(x[0], y[0], y[:, 0], sparse=True), *np.meshgrid(x[0])), NUMBERS),
    ("diagonals", lambda x, y: (np.diagonal(x), np.diagonal(x[None], 1, 2, 1), np.diag(x, -1), np.diag(x[0]), np.diag(x[0], 2), np.diag(x[0], -1), np.diagflat(x), x.diagonal(1)), ALL),
    ("traces", lambda x, y: (np.trace(x), np.trace(x, 1), x.trace(), np.trace(x, dtype=np.float64), np.linalg.trace(x), np.linalg.diagonal(x, offset=1)), ALL),
    ("windows", lambda x, y: (np.lib.stride_tricks.sliding_window_view(x, 2, axis=1), np.lib.stride_tricks.sliding_window_view(x, (2, 2))), ALL),
    ("kron", lambda x, y: (np.kron(x, y), np.kron(x, y[0]), np.kron(x[0], y)), NUMBERS),
    # Samples and series.
    ("convolve", lambda x, y: tuple(np.convolve(a, b, m) for a, b in ((x[0], y[1]), (x[0], y[:, 0]), (x[0], np.ones(2, x.dtype))) for m in ("full", "same", "valid")), ALL),
    ("correlate", lambda x, y: tuple(np.correlate(a, b, m) for a, b in ((x[0], y[:, 0]), (x[:, 1], y[1]), (x[0], np.arange(2))) for m in ("full", "same", "valid")), NUMBERS),
    ("gradient", lambda x, y: (np.gradient(x[0]), *np.gradient(x), np.gradient(x, 0.5, axis=1), *np.gradient(x, 2, 3)), NUMBERS),
    ("trapezoid", lambda x, y: (np.trapezoid(x), np.trapezoid(x, axis=0, dx=0.5), np.trapezoid(x, y), np.trapezoid(x, y[0])) if hasattr(np, "trapezoid") else np.diff(x), NUMBERS),
    ("cov", lambda x, y: (np.cov(x), np.cov(x, rowvar=False), np.cov(x[0]), np.cov(x[0], y[1]), np.cov(x, y, bias=True), np.cov(x, ddof=0)), NUMBERS),
    ("corrcoef", lambda x, y: (np.corrcoef(x[:, :2] + np.arange(2)), np.corrcoef(x[0], y[1]), np.corrcoef(x[0])), FLOATS),
    ("polynomials", lambda x, y: (np.polyval([1, 2.5, 3], x), np.polyval(np.array([1, 2]), x), np.vander(x[0], 4), np.vander(x[0], 2, increasing=True)), NUMBERS),
    ("functions", lambda x, y: (np.sinc(x), np.fix(x), *np.modf(x), np.heaviside(x, 0.5), np.heaviside(0.0, x)), FLOATS),
    ("checks", lambda x, y: (np.isposinf(x / 0.0), np.isneginf(x), np.isreal(x), np.iscomplex(x), np.imag(x), np.ediff1d(x), x.conj()), FLOATS),
    ("kinds", lambda x, y: x if np.isrealobj(x) and not np.iscomplexobj(x) else y, NUMBERS),
    # Order.
    ("quantile", lambda x, y: (np.quantile(x, 0.3), np.quantile(x, 0.5, axis=0), np.quantile(x, [0, 0.25, 1], axis=1), np.quantile(x, 0.7, axis=(0, 1), keepdims=True), np.percentile(x, 30), np.percentile(x, [10, 50], axis=1, keepdims=True)), NUMBERS),
    ("quantile_methods", lambda x, y: tuple(np.quantile(x, q, axis=1, method=m) for m in ("lower", "higher", "nearest", "midpoint") for q in (0.1, 0.5, 0.6)), NUMBERS),
    ("search", lambda x, y: (np.searchsorted(np.arange(-2.0, 3), x), np.searchsorted(np.sort(x[0]), y, side="right"), np.searchsorted(x[0], y, sorter=np.argsort(x[0])), np.sort(x[0]).searchsorted(1)), NUMBERS),
    ("digitize", lambda x, y: (np.digitize(x, np.arange(-2.0, 3)), np.digitize(x, np.arange(-2.0, 3)[::-1]), np.digitize(x, np.sort(y[0]), right=True), np.digitize(x, np.flip(np.sort(y[0])))), NUMBERS),
    ("interp", lambda x, y: (np.interp(x, np.arange(-1.0, 3), np.arange(4) ** 2), np.interp(x, np.sort(y[0]), x[0]), np.interp(x, [0, 1], [5, 6], left=-1, right=9.5), np.interp(x, [0.0], [3.0])), NUMBERS),
    ("isin", lambda x, y: (np.isin(x, y[0]), np.isin(x, [1, 3]), np.isin(x, y[0], invert=True)), ALL),
    ("histogram", lambda x, y: (*np.histogram(x, np.arange(-3.0, 4)), np.histogram(x, 5, range=(-2, 2))[0]), NUMBERS),
    ("partition", lambda x, y: (np.partition(x, 1)[:, 1], np.partition(x, 0, axis=0)[0]), NUMBERS),
    # Choices.
    ("select", lambda x, y: (np.select([x > 0, y > 1], [x, y]), np.select([x > 0, y > 1], [1, y], 2.5), np.select([x[0] > 0], [x], y)), NUMBERS),
    ("piecewise", lambda x, y: (np.piecewise(x, [x < 0, x > 1], [-1, lambda v: v * 2]), np.piecewise(x, [x < 0], [0, lambda v: v + 1.5])), NUMBERS),
    ("allclose", lambda x, y: (np.allclose(x, y), np.allclose(x, x + 1e-9)), NUMBERS),
    # Matrices.
    ("norms", lambda x, y: tuple(np.linalg.norm(x, o) for o in (1, -1, np.inf, -np.inf, "fro")) + (np.linalg.norm(x, 1, keepdims=True), np.linalg.norm(x[None], 1, axis=(2, 1))), NUMBERS),
    ("powers", lambda x, y: (np.linalg.matrix_power(x[:2, :2], 1), np.linalg.matrix_power(x[:2, :2], 5), np.linalg.multi_dot([x, y.T, x])), FLOATS),
    ("cross", lambda x, y: (np.cross(np.pad(x[0, :2], (1, 0)), np.pad(y[:, :2], ((0, 0), (0, 1)))), np.linalg.cross(np.pad(x[:, :2], ((0, 0), (0, 1))), np.pad(y[:, :2], ((0, 0), (1, 0))))), NUMBERS),
    ("aliases", lambda x, y: (np.linalg.matmul(x, y.T), np.linalg.outer(x[0], y[0]), np.linalg.tensordot(x, y), np.linalg.matrix_transpose(x), np.linalg.vecdot(x, y), np.linalg.matrix_norm(x)), FLOATS),
    # Methods of universal functions.
    ("accumulate", lambda x, y: (np.add.accumulate(x), np.multiply.accumulate(x, axis=1), np.maximum.accumulate(x, axis=-1), np.minimum.accumulate(x)), ALL),
    ("accumulate_logarithms", lambda x, y: np.logaddexp.accumulate(x, axis=1), FLOATS),
    ("outer", lambda x, y: (np.subtract.outer(x[0], y), np.multiply.outer(x[0], 2), np.less.outer(x, y[0])), NUMBERS),
    # Masks.
    ("where", lambda x, y: (np.sum(x, where=x > 0), np.sum(x, axis=0, where=y > 0), np.prod(x, axis=1, where=x > 0), np.max(x, axis=1, where=x > 0, initial=0), np.min(x, where=y > 0, initial=3), np.any(x, where=y > 0), np.all(x > 0, axis=0, where=y > 0)), NUMBERS),
    ("where_moments", lambda x, y: (np.mean(x, where=x > 0), np.mean(x, axis=1, where=y[0] > 0, keepdims=True), np.var(x, axis=0, where=y > 0), np.std(x, ddof=1, where=y > 0)), NUMBERS),
]  # fmt: skip


@pytest.mark.parametrize("function, dtypes", [f[1:] for f in FUNCTIONS], ids=[f[0] for f in FUNCTIONS])
def test_function(function, dtypes):
    check(function, *dtypes)


NAN = [
    ("sums", lambda x, y: (np.nansum(x), np.nansum(x, axis=0), np.nanprod(x, axis=1), np.nancumsum(x, axis=1), np.nancumprod(x))),
    ("extremes", lambda x, y: (np.nanmax(x), np.nanmin(x, axis=1), np.nanmax(x, axis=0, keepdims=True))),
    ("moments", lambda x, y: (np.nanmean(x), np.nanmean(x, axis=1), np.nanvar(x, axis=0), np.nanstd(x, ddof=1), np.nanvar(x, axis=1, keepdims=True))),
    ("order", lambda x, y: (np.nanmedian(x), np.nanmedian(x, axis=1), np.nanquantile(x, 0.3, axis=0), np.nanquantile(x, [0.2, 0.9], axis=1), np.nanpercentile(x, 30, axis=1, method="nearest", keepdims=True))),
    ("quantile", lambda x, y: (np.quantile(x, 0.3), np.quantile(x, [0.3, 1], axis=0), np.percentile(x, 40, axis=1, method="lower"))),
    ("indices", lambda x, y: (np.searchsorted(np.arange(3.0), x), np.interp(x, np.arange(3.0), np.arange(3.0)), np.digitize(x, np.arange(3.0)))),
]  # fmt: skip


@pytest.mark.parametrize("function", [f[1] for f in NAN], ids=[f[0] for f in NAN])
def test_functions_of_nan(function):
    check(function, *FLOATS, holes=True)


def test_functions_of_nan_of_integers():
    check(
        lambda x, y: (
            np.nansum(x),
            np.nanmax(x, axis=0),
            np.nanmean(x, axis=1),
            np.nanmedian(x),
            np.nanquantile(x, 0.3),
            np.nanstd(x),
        ),
        "i4",
        "i8",
    )


def test_too_few_numbers():
    """NumPy gives no infinity where fewer are left than ddof, but for var and std it does."""
    x = np.random.default_rng(3).standard_normal((4, 6))
    x[0, 1:] = x[2, :3] = np.nan
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for function in (
            lambda x: np.nanstd(x, axis=1, ddof=5),
            lambda x: np.nanvar(x, axis=1, ddof=3, keepdims=True),
            lambda x: np.var(x[:, :2], axis=1, ddof=2),
        ):
            agree(bl.jit(function)(x), function(x))


@pytest.mark.parametrize("shape", [(3, 4, 5), (1, 2, 7)])
def test_medians_over_several_axes(shape):
    x = np.random.default_rng(4).standard_normal(shape)
    for axis in ((0, 1), (0, 2), (2, 0), None, 1, -1):
        for keepdims in (False, True):
            agree(
                bl.jit(lambda x: np.median(x, axis=axis, keepdims=keepdims))(x),
                np.median(x, axis=axis, keepdims=keepdims),
            )
            agree(
                bl.jit(lambda x: np.nanmedian(x, axis=axis, keepdims=keepdims))(x),
                np.nanmedian(x, axis=axis, keepdims=keepdims),
            )


@pytest.mark.parametrize("kind", ["f4", "f8", "i4"])
def test_histograms_of_a_range(kind):
    """Edges are of the array's type where that is one of floats."""
    x = (np.arange(11) / (10 if kind[0] == "f" else 1)).astype(kind)
    counts, edges = bl.jit(lambda x: np.histogram(x, 10, (0, 1)))(x)
    expected, indices = np.histogram(x, 10, (0, 1))
    assert edges.dtype == indices.dtype and np.array_equal(edges, indices) and np.array_equal(counts, expected)


def test_nan_stands_behind_all_numbers():
    ordered, x = np.array([1, 2, np.nan, np.nan]), np.array([np.nan, 1, 3, -1, 2])
    for side in ("left", "right"):
        agree(bl.jit(lambda a, x: np.searchsorted(a, x, side=side))(ordered, x), np.searchsorted(ordered, x, side=side))


def test_indices_that_a_partition_has():
    x = np.random.default_rng(5).standard_normal((3, 7))
    for kth in (0, -1, (2, 4)):
        found = bl.jit(lambda x: np.partition(x, kth, axis=1))(x)
        agree(np.sort(found, axis=1), np.sort(x, axis=1))
    for function in (lambda x: np.partition(x, 7, axis=1), lambda x: np.argpartition(x, -8)):
        with pytest.raises(bl.ShapeError, match=r"kth is -?[78], but there are fewer elements"):
            bl.jit(function)(x)


def test_short_floats():
    check(
        lambda x, y: (
            np.mean(x, where=y > 0),
            np.nanmean(x, axis=1),
            np.nanvar(x),
            np.maximum.accumulate(x),
            np.quantile(x, 0.5, axis=1),
        ),
        "f2",
    )


def test_indices_as_numbers():
    f = bl.jit(lambda i, j: (np.unravel_index(i, (3, 4)), np.ravel_multi_index((i % 3, j), (3, 4))))
    for n in (3, 12):
        i, j = np.arange(n), np.arange(n) % 4
        (rows, columns), joint = f(i, j)
        agree((rows, columns), np.unravel_index(i, (3, 4)))
        agree(joint, np.ravel_multi_index((i % 3, j), (3, 4)))
    of_shape = bl.jit(lambda i, x: np.unravel_index(i, x.shape))
    x = np.zeros((5, 2))
    agree(of_shape(np.arange(10), x), np.unravel_index(np.arange(10), x.shape))
    for wrong in (12, -1):
        with pytest.raises(bl.ShapeError, match=r"'numpy.unravel_index': .*12.* in \[0, 12\)"):
            f(np.array([wrong]), np.array([0]))


PICKS = [
    lambda x, i, j: x[i, j], lambda x, i, j: x[i, :, j], lambda x, i, j: x[:, i, j], lambda x, i, j: x[i[:, None], j],
    lambda x, i, j: x[i, 0], lambda x, i, j: x[0, :, i], lambda x, i, j: x[..., i, -1], lambda x, i, j: x[[0, 1], [1, 0]],
    lambda x, i, j: x[i, None, j], lambda x, i, j: x[1:, i, None, j], lambda x, i, j: x[i, j, i],
    lambda x, i, j: x[np.abs(i).astype("u1"), j, 1:], lambda x, i, j: x[None, i, j, 0], lambda x, i, j: x[i][:, j],
]  # fmt: skip


@pytest.mark.parametrize("function", PICKS)
def test_several_arrays_of_indices(function):
    f = bl.jit(function)
    i, j = np.array([0, 2, 1, -1]), np.array([1, 0, 3, -2], "i4")
    for n in (3, 5):
        x = np.arange(n * 24).reshape(n, 4, 6)
        agree(f(x, i, j), function(x, i, j))
    assert f.cache_info().traces == 1


def test_indices_that_do_not_fit():
    f = bl.jit(lambda x, i, j: x[i, j])
    with pytest.raises(bl.ShapeError, match="index 2 is outside axis 0, which has extent 2"):
        f(np.zeros((2, 2)), np.array([0, 2]), np.array([0, 1]))
    with pytest.raises(bl.ShapeError, match="extent 2 and cannot be broadcast to 3"):
        f(np.zeros((2, 2)), np.array([0, 1, 1]), np.array([0, 1]))
    with pytest.raises(IndexError, match="integer arrays are valid indices, not float64"):
        f(np.zeros((2, 2)), np.array([0, 1]), np.array([0.0, 1.0]))


def test_extents_of_one_variable():
    f = bl.jit(lambda x: np.cov(x))
    agree(f(np.ones((3, 4))), np.cov(np.ones((3, 4))))
    with pytest.raises(bl.ShapeError, match=r"np.cov of one variable is a number without axes"):
        f(np.ones((1, 4)))


@pytest.mark.parametrize(
    "function, said",
    [
        (lambda x: x[x[0, 0] > 0], "an index of bool without axes cannot be traced; use np.where"),
        (lambda x: np.trim_zeros(x), r"np.trim_zeros of 2 axes cannot be traced; slice it: x\[first : last \+ 1\]"),
        (lambda x: np.lexsort(x), "np.lexsort of an array whose number of keys a call tells cannot be traced"),
        (lambda x: np.nanargmax(x), "an index among what is no NaN cannot be traced"),
        (lambda x: np.histogram(x, "auto"), "np.histogram with bins='auto' cannot be traced"),
        (lambda x: np.quantile(x, x[0, 0]), "np.quantile of what is computed cannot be traced"),
        (lambda x: np.quantile(x, 0.5, method="weibull"), "np.quantile with method='weibull' cannot be traced"),
        (lambda x: np.pad(x, 1, mode="median"), "np.pad with mode='median' cannot be traced"),
        (
            lambda x: np.delete(x, [0, -1]),
            "np.delete at some indices that count from the start and some .* cannot be traced",
        ),
        (
            lambda x: np.linalg.eigvals(x),
            "np.linalg.eigvals cannot be traced; eigenvalues of general matrices are complex",
        ),
        (lambda x: np.linalg.qr(x, "raw"), "np.linalg.qr with mode='raw' cannot be traced"),
        (lambda x: np.interp(x, x[0], x[0], period=3), "np.interp with period= cannot be traced"),
        (lambda x: np.vander(x[0]), "np.vander without a number of columns cannot be traced"),
    ],
)
def test_what_is_refused(function, said):
    with pytest.raises(bl.TraceError, match=f"test_jit_functions.py:[0-9]+:[0-9]+: {said}"):
        bl.jit(function)(np.ones((3, 3)))


@pytest.mark.parametrize(
    "function, kind, said",
    [
        (lambda x: np.quantile(x, 1.5), ValueError, r"Quantiles must be in the range \[0, 1\]"),
        (lambda x: np.percentile(x, -1), ValueError, r"Percentiles must be in the range \[0, 100\]"),
        (lambda x: np.digitize(x, [0, 2, 1]), ValueError, "bins must be monotonically increasing or decreasing"),
        (lambda x: np.histogram(x, [1, 0, 2.0]), ValueError, "np.histogram: the edges must not decrease"),
        (lambda x: np.unravel_index(x, (4, 5)), TypeError, "indices are integers, not float64"),
        (lambda x: np.sum(x[:1], where=x > 0), bl.ShapeError, "extent"),
        (lambda x: np.max(x, where=x > 0), ValueError, "one has to specify 'initial'"),
        (lambda x: np.sum(x, where=x), TypeError, "where= is an array of bool, not of float64"),
        (lambda x: np.convolve(x, x), ValueError, "np.convolve is of arrays of one axis, not of 2 and 2"),
        (lambda x: np.select([x], [x]), TypeError, "should be boolean ndarray"),
        (lambda x: np.searchsorted(x[0], x, side="middle"), ValueError, "search side must be 'left' or 'right'"),
        (lambda x: np.diagonal(x[0]), ValueError, "diag requires an array of at least two dimensions"),
        (lambda x: np.rot90(x, axes=(0, 0)), ValueError, "Axes must be different"),
        (
            lambda x: np.gradient(x[:1], axis=0),
            bl.ShapeError,
            r"np.gradient along axis 0 needs at least 2 elements, not \? \(min\(n, 1\) with n = axis 0 of argument 'x'\)",
        ),
        (lambda x: np.cross(x[:, :2], x[:, :2]), bl.ShapeError, "np.cross is of vectors of 3 elements, not of 2"),
        (lambda x: np.convolve(x[0, :0], x[0]), bl.ShapeError, "np.convolve of an empty array"),
    ],
)
def test_what_is_wrong(function, kind, said):
    with pytest.raises(kind, match=said):
        bl.jit(function)(np.ones((3, 3)))


@pytest.mark.parametrize("equal_nan", (False, True))
def test_arrays_that_are_equal(equal_nan):
    f = bl.jit(lambda x, y: np.array_equal(x, y, equal_nan=equal_nan))
    x = np.array([[1.0, np.nan, 3], [4, 5, 6]])
    others = (x, x + 1, x[:1], x[:, :2], x[:0], np.zeros((3, 3)), x[1], x[1:].astype("f4"), np.ones((2, 3), int))
    for y in others:
        for given in ((x, y), (y, x), (y, y), (x[1:], y)):
            assert bool(f(*given)) == np.array_equal(*given, equal_nan=equal_nan), given
    assert f(np.float64(2), np.array(2)) and not f(np.float64(2), np.array([2]))


@pytest.mark.parametrize("kind", (ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2))
def test_short_floats_that_are_equal(kind):
    x = np.array([1, np.nan]).astype(kind)
    assert bl.jit(lambda x, y: np.array_equal(x, y, equal_nan=True))(x, x)
    assert not bl.jit(np.array_equal)(x, x)
