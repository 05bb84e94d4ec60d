"""Axes of extent 0 and 1: each function that bl.jit supports gives what NumPy gives, or refuses what NumPy refuses, for
every combination of them. Functions are those of the table that bl.jit has; one without a case fails."""

import itertools
import warnings

import broadloom as bl
import numpy as np
import pytest
from broadloom._jit import _functions, _ufuncs
from jit_comparison import flatten

SIZES = (0, 1, 3)


def given(shape):
    """Numbers of which none is equal to another."""
    return np.arange(1.0, np.prod(shape, dtype=int) + 1).reshape(shape) * np.float64(-0.75) ** np.arange(shape[-1])


def along(function):
    """A function of an array with an axis: of all, and of each."""
    return [lambda x: function(x), lambda x: function(x, axis=0), lambda x: function(x, axis=-1)]


def keeping(function):
    """The same of a reduction."""
    return [*along(function), lambda x: function(x, axis=1, keepdims=True)]


def splitting(function):
    return [lambda x: function(x, 1), lambda x: function(x, [1]), lambda x: function(x, [0, 2])]


def moments(function):
    return [*keeping(function), lambda x: function(x, axis=0, where=x > 0)]


def extremes(function):
    return [*keeping(function), lambda x: function(x, axis=0, initial=1), lambda x: function(x, initial=1, where=x > 0)]


def quantiles(function, one, many):
    return [
        lambda x: function(x, one),
        lambda x: function(x, many, axis=0),
        lambda x: function(x, one, axis=1, keepdims=True),
        lambda x: function(x, many, axis=(0, 1)),
        lambda x: function(x, one, axis=0, method="nearest"),
    ]


def with_itself(function):
    return [lambda x: function(x, x)]


def lists(function):
    return [lambda x: function([x, x + 1]), lambda x: function([x]), lambda x: function((x[:1], x))]


def square(x):
    return x @ x.T + 2 * np.eye(x.shape[0])


def joined(u, s, v):
    """The product of factors, whose signs are free, and the singular values."""
    count = s.shape[0]
    return (u[:, :count] * s) @ v[:count], s


#: What is called, where it is not the function of an array alone, by the name of the function.
CASES = {
    **dict.fromkeys(("all", "any", "count_nonzero", "argmax", "argmin", "ptp", "nanmedian", "median", "average",
                     "linalg.vector_norm", "sum", "prod", "nansum", "nanprod"), keeping),
    **dict.fromkeys(("mean", "var", "std", "nanmean", "nanvar", "nanstd"), moments),
    **dict.fromkeys(("max", "min", "nanmax", "nanmin", "amax", "amin"), extremes),
    **dict.fromkeys(("cumsum", "cumprod", "nancumsum", "nancumprod", "flip"), along),
    **{name: lambda f: along(f)[1:] for name in ("cumulative_sum", "cumulative_prod", "sort", "argsort", "diff", "trapezoid",
                                                 "expand_dims", "gradient")},
    **dict.fromkeys(("split", "array_split", "hsplit", "vsplit"), splitting),
    "dsplit": lambda f: splitting(lambda x, at: f(x[None], at)),
    "quantile": lambda f: quantiles(f, 0.3, [0, 0.5]), "nanquantile": lambda f: quantiles(f, 0.3, [0, 0.5]),
    "percentile": lambda f: quantiles(f, 30, [0, 50]), "nanpercentile": lambda f: quantiles(f, 30, [0, 50]),
    **dict.fromkeys(("concatenate", "stack", "hstack", "vstack", "dstack", "column_stack", "block", "broadcast_arrays"),
                    lists),
    "broadcast_arrays": lambda f: [lambda x: f(x, x[:1]), lambda x: f(x)],
    **dict.fromkeys(("array_equal", "isclose", "allclose", "kron", "inner", "outer", "linalg.vecdot", "vdot", "isin",
                     "append", "union1d", "intersect1d", "setdiff1d", "setxor1d"), with_itself),
    "extract": lambda f: [lambda x: f(x > 0, x)], "compress": lambda f: [lambda x: f(x.sum(1) > 0, x, 0), lambda x: f(x.ravel() > 0, x)],
    "bincount": lambda f: [lambda x: f(np.abs(x.ravel()).astype(int)), lambda x: f(np.abs(x[:, 0]).astype(int), x[:, 0], 2).astype(float)],
    "lexsort": lambda f: [lambda x: f((x.sum(1), np.arange(x.shape[0]) % 2))], "trim_zeros": lambda f: [lambda x: f(x.ravel())],
    "unique": lambda f: [lambda x: f(x, True, True, True), lambda x: f(x, axis=1)],
    "linalg.outer": lambda f: [lambda x: f(x[:, 0], x.ravel())] , "linalg.matmul": lambda f: [lambda x: f(x, x.T)],
    "dot": lambda f: [lambda x: f(x, x.T), lambda x: f(x, 2), lambda x: f(x.ravel(), x.ravel())],
    "tensordot": lambda f: [lambda x: f(x, x, 1), lambda x: f(x, x), lambda x: f(x, x, 0)],
    "linalg.tensordot": lambda f: [lambda x: f(x, x), lambda x: f(x, x.T, axes=1)],
    "einsum": lambda f: [lambda x: f("ij,kj->ik", x, x), lambda x: f("ij->", x), lambda x: f("ij->ji", x)],
    "linalg.multi_dot": lambda f: [lambda x: f([x, x.T, x])], "linalg.matrix_power": lambda f: [lambda x, n=n: f(square(x), n) for n in (3, 0, -1)],
    **dict.fromkeys(("linalg.inv", "linalg.det", "linalg.cholesky", "linalg.slogdet", "linalg.eigvalsh"), lambda f: [lambda x: f(square(x))]),
    "linalg.solve": lambda f: [lambda x: f(square(x), x), lambda x: f(square(x), x[:, :1]), lambda x: f(square(x), x.sum(1))],
    "linalg.tensorinv": lambda f: [lambda x: f(square(x), ind=1)], "linalg.tensorsolve": lambda f: [lambda x: f(square(x), x.sum(1))],
    "linalg.qr": lambda f: [lambda x: f(x), lambda x: f(x, "complete"), lambda x: f(x, "r")],
    "linalg.svd": lambda f: [lambda x: joined(*f(x)), lambda x: joined(*f(x, full_matrices=False)), lambda x: f(x, compute_uv=False)],
    "linalg.eigh": lambda f: [lambda x: f(square(x)).eigenvalues, lambda x: joined(*(lambda s, v: (v, s, v.T))(*f(square(x), "U")))],
    "linalg.lstsq": lambda f: [lambda x: f(square(x), x), lambda x: f(np.concatenate([square(x), x], axis=1).T, np.ones(x.shape[0] + x.shape[1]))],
    "linalg.pinv": lambda f: [lambda x: f(x), lambda x: f(square(x), hermitian=True)],
    "linalg.matrix_rank": lambda f: [lambda x: f(square(x)), lambda x: f(x, tol=0.1)], "linalg.cond": lambda f: [lambda x: f(square(x)), lambda x: f(square(x), 1)],
    "linalg.norm": lambda f: [*keeping(f), *(lambda x, o=o: f(x, o) for o in (1, -1, np.inf, -np.inf, "fro", 2, -2, "nuc")),
                              *(lambda x, o=o: f(x, o, axis=0) for o in (1, 2, np.inf, -np.inf))],
    "linalg.matrix_norm": lambda f: [lambda x: f(x), lambda x: f(x, ord=1), lambda x: f(x, ord=np.inf, keepdims=True)],
    "cross": lambda f: [lambda x: f(np.pad(x, ((0, 0), (0, 3)))[:, :3], np.ones(3))],
    "linalg.cross": lambda f: [lambda x: f(np.pad(x, ((0, 0), (0, 3)))[:, :3], np.ones((1, 3)))],
    "astype": lambda f: [lambda x: f(x, np.float32)], "where": lambda f: [lambda x: f(x > 0, x, 0)],
    "clip": lambda f: [lambda x: f(x, -1, 1)], "size": lambda f: along(f), "full_like": lambda f: [lambda x: f(x, 7)],
    "reshape": lambda f: [lambda x: f(x, (x.shape[1], x.shape[0])), lambda x: f(x, -1)],
    "swapaxes": lambda f: [lambda x: f(x, 0, 1)], "moveaxis": lambda f: [lambda x: f(x, 0, 1)],
    "rollaxis": lambda f: [lambda x: f(x, 1)], "squeeze": lambda f: [lambda x: f(x[:, :1], 1), lambda x: f(x, 0)],
    "broadcast_to": lambda f: [lambda x: f(x, (2, *x.shape)), lambda x: f(x[:1], (3, x.shape[1]))],
    "roll": lambda f: [lambda x: f(x, 1), lambda x: f(x, -4, axis=0), lambda x: f(x, (1, 2), axis=(0, 1))],
    "pad": lambda f: [*(lambda x, m=m: f(x, 1, mode=m) for m in ("constant", "edge", "reflect", "symmetric", "wrap")),
                      *(lambda x, m=m: f(x, ((0, 2), (0, 0)), mode=m) for m in ("edge", "reflect", "symmetric", "wrap"))],
    "take": lambda f: [lambda x: f(x, [0], axis=0), lambda x: f(x, [0, -1]), lambda x: f(x, [], axis=1), lambda x: f(x, [5], mode="clip")],
    "take_along_axis": lambda f: [lambda x: f(x, np.argsort(x, axis=1), 1), lambda x: f(x, np.zeros((1, 3), int), 0)],
    "tile": lambda f: [lambda x: f(x, 2), lambda x: f(x, (2, 0)), lambda x: f(x, (1, 2, 1))],
    "repeat": lambda f: [lambda x: f(x, 2), lambda x: f(x, 0, axis=0), lambda x: f(x, [2], axis=1)],
    "delete": lambda f: [lambda x: f(x, 0, axis=0), lambda x: f(x, []), lambda x: f(x, -1, axis=1)],
    "insert": lambda f: [lambda x: f(x, 0, 5, axis=0), lambda x: f(x, 1, 5), lambda x: f(x, -1, 0, axis=1)],
    "diag": lambda f: [lambda x: f(x), lambda x: f(x, 1), lambda x: f(x.ravel(), -1)],
    "lib.stride_tricks.sliding_window_view": lambda f: [lambda x: f(x, 1, axis=0), lambda x: f(x, (2, 1))],
    "meshgrid": lambda f: [lambda x: f(x.ravel(), x[:, :1].ravel()), lambda x: f(x.ravel())],
    "searchsorted": lambda f: [lambda x: f(np.sort(x.ravel()), x), lambda x: f(np.sort(x.ravel()), 1, side="right")],
    "digitize": lambda f: [lambda x: f(x, [0.0, 1]), lambda x: f(x, np.sort(x.ravel())), lambda x: f(x, [])],
    "interp": lambda f: [lambda x: f(x, np.sort(x.ravel()), x.ravel()), lambda x: f(x, [0.0], [1.0])],
    "histogram": lambda f: [lambda x: f(x, [0, 1, 2]), lambda x: f(x, 3, range=(0, 2))],
    "unravel_index": lambda f: [lambda x: f(np.zeros_like(x, dtype=int), (2, 3)), lambda x: f(np.zeros_like(x, dtype=int), x.shape)],
    "ravel_multi_index": lambda f: [lambda x: f((np.zeros_like(x, dtype=int),) * 2, (2, 3))],
    "select": lambda f: [lambda x: f([x > 1, x > 0], [x, -x])], "piecewise": lambda f: [lambda x: f(x, [x > 0], [1, lambda v: v * 2])],
    "partition": lambda f: [lambda x: f(x, 0), lambda x: f(x, -1, axis=0)], "argpartition": lambda f: [lambda x: f(x, 0, axis=0).shape[0]],
    "convolve": lambda f: [lambda x, m=m: f(x.ravel(), np.ones(2), m) for m in ("full", "same", "valid")],
    "correlate": lambda f: [lambda x, m=m: f(x.ravel(), np.ones(2), m) for m in ("full", "same", "valid")],
    "polyval": lambda f: [lambda x: f([1, 2, 3], x), lambda x: f([], x)], "vander": lambda f: [lambda x: f(x.ravel(), 3), lambda x: f(x.ravel(), 0)],
    "cov": lambda f: [lambda x: f(np.concatenate([x, x + 1, x * x])), lambda x: f(x.ravel())],
    "corrcoef": lambda f: [lambda x: f(np.concatenate([x, x + 1, x * x]))],
    "arange": lambda f: [lambda x: f(x.shape[0], like=x), lambda x: f(1, x.shape[1], like=x)],
    "linspace": lambda f: [lambda x: f(0, 1, x.shape[0]), lambda x: f(x, 1, 2), lambda x: f(x.sum(), 1, x.shape[1], endpoint=False)],
    "full": lambda f: [lambda x: f(x.shape, 3.0, like=x)], "ones": lambda f: [lambda x: f(x.shape, like=x)],
    "zeros": lambda f: [lambda x: np.zeros(x.shape)], "empty": lambda f: [lambda x: np.empty(x.shape) * 0],
    "tri": lambda f: [lambda x: np.tri(x.shape[0], x.shape[1])], "eye": lambda f: [lambda x: f(x.shape[0], x.shape[1], like=x)],
    "identity": lambda f: [lambda x: f(x.shape[0], like=x)], "empty_like": lambda f: [lambda x: f(x) * 0],
    **{name: lambda f: [lambda x: f(x, like=x)] for name in ("array", "asarray", "asanyarray")},
    **{name: lambda f: [lambda x: f(np.float32(1) * x)] for name in ("real", "imag")},
    # The extent is how many results there are.
    "unstack": lambda f: [lambda x: f(np.stack([x, x]))],
}  # fmt: skip
#: Functions whose values are those of the processor's instructions, and others that two orders of sums differ in.
NEAR = dict(rtol=1e-12, atol=1e-12)


def find_cases():
    for name, function in sorted({_functions.name_of(f).removeprefix("numpy."): f for f in _functions.NUMPY}.items()):
        if name in _functions.REFUSED:
            continue
        make = CASES.get(name, lambda f: [lambda x: f(x)])
        for number, case in enumerate(make(function)):
            yield pytest.param(case, id=f"{name}-{number}")
    for name in _ufuncs.FUNCTIONS:
        function = getattr(np, name, None)
        if not isinstance(function, np.ufunc) or function.signature is not None:
            continue
        whole = lambda x, f=function: np.rint(np.abs(x)).astype(int) if "f" not in "".join(f.types) else np.abs(x) / 8
        one = lambda x, f=function, w=whole: f(*[w(x)] * f.nin)
        yield pytest.param(one, id=f"ufunc-{name}")
        if name in _ufuncs.REDUCTIONS:
            yield pytest.param(lambda x, f=function: f.reduce(x, axis=1), id=f"reduce-{name}")
        if name in _ufuncs.RUNNING:
            yield pytest.param(lambda x, f=function: f.accumulate(x, axis=1), id=f"accumulate-{name}")


def run(function, x):
    """Returns what a call gives, or its error."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return flatten(function(x))
        except Exception as error:  # Every refusal counts.
            return error


def test_the_function_of_each_name_is_called():
    names = {_functions.name_of(f).removeprefix("numpy.") for f in _functions.NUMPY}
    assert CASES.keys() <= {*names, *_functions.NAMED}


def is_accident(expected, shape, found):
    """NumPy does some things by accident: np.average divides by how many results there are, and np.nanquantile of nothing has
    no axis of quantiles."""
    if isinstance(expected, ZeroDivisionError):
        return all(leaf.size == 0 for leaf in found)
    return (
        0 in shape
        and not isinstance(expected, Exception)
        and found[0].shape == (2, *expected[0].shape)
        and np.isnan(found[0]).all()
    )


@pytest.mark.parametrize("case", find_cases())
def test_extents_of_nothing_and_one(case):
    f = bl.jit(case, optimise=False)
    wrong = []
    for shape in itertools.product(SIZES, repeat=2):
        expected, found = run(case, given(shape)), run(f, given(shape))
        if not isinstance(found, Exception) and is_accident(expected, shape, found):
            continue
        if isinstance(expected, Exception) or isinstance(found, Exception):
            is_internal = isinstance(found, (bl.InternalError, bl.CompileError, bl.TraceError, SystemError))
            if is_internal or not (isinstance(expected, Exception) and isinstance(found, Exception)):
                wrong.append(f"{shape}: {found!r} for {expected!r}")
            continue
        told = [[(v.dtype.str, v.shape) for v in values] for values in (found, expected)]
        if told[0] != told[1]:
            wrong.append(f"{shape}: {told[0]} for {told[1]}")
        elif not all(np.allclose(one, other, equal_nan=True, **NEAR) for one, other in zip(found, expected)):
            wrong.append(f"{shape}: {found} for {expected}")
    assert not wrong, "\n".join(wrong)
