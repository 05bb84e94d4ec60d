"""bl.jit: what functions compute, against NumPy itself."""

import broadloom as bl
import numpy as np
import pytest
from jit_comparison import compare, numbers

SHAPES = [(), (1,), (5,), (0,), (3, 4), (0, 3), (2, 1, 3), (2, 3, 2, 2)]
DTYPES = ["?", "i1", "i4", "i8", "u1", "u8", "f2", "f4", "f8"]


UNARY = (
    "absolute arccos arccosh arcsin arcsinh arctan arctanh cbrt ceil conjugate cos cosh deg2rad degrees "
    "exp exp2 expm1 fabs floor invert isfinite isinf isnan log log10 log1p log2 logical_not negative "
    "positive rad2deg radians reciprocal rint sign signbit sin sinh sqrt square tan tanh trunc"
).split()
BINARY = (
    "add arctan2 bitwise_and bitwise_or bitwise_xor copysign divide equal float_power floor_divide fmax "
    "fmin fmod greater greater_equal heaviside hypot left_shift less less_equal logaddexp logaddexp2 "
    "logical_and logical_or logical_xor maximum minimum multiply not_equal remainder right_shift subtract"
).split()


def takes(ufunc, *dtypes):
    """Whether NumPy has a loop for the types."""
    try:
        ufunc.resolve_dtypes((*map(np.dtype, dtypes), *[None] * ufunc.nout))
        return True
    except TypeError:
        return False


@pytest.mark.parametrize("dtype", DTYPES)
def test_functions_of_one_array(dtype):
    x = numbers(dtype, 3, 4, low=-1, high=2)
    names = [n for n in UNARY if takes(getattr(np, n), dtype)]
    if x.dtype.kind in "iu":
        names.remove("reciprocal")
        compare(lambda x: np.reciprocal(x), np.arange(1, 4).astype(dtype) * x.dtype.type(-1 if dtype[0] == "i" else 1))
    compare(lambda x: {n: getattr(np, n)(x) for n in names}, x, ulp=16)


@pytest.mark.parametrize("dtype", DTYPES)
def test_functions_of_two_arrays(dtype):
    for other in (dtype, "f4"):
        x, y = numbers(dtype, 4, 1, low=-1), numbers(other, 1, 5, seed=1)
        names = [n for n in BINARY if takes(getattr(np, n), dtype, other)]
        compare(lambda x, y: {n: getattr(np, n)(x, y) for n in names}, x, y, ulp=32)


def test_promotion():
    for first in DTYPES:
        x = numbers(first, 3)
        for second in DTYPES:
            y = numbers(second, 3, seed=1)
            compare(lambda x, y: {"add": x + y, "eq": x == y, "where": np.where(x == y, x, y)}, x, y)
        compare(
            lambda x: {
                "int": x * 2, "float": x * 0.5, "bool": x + True, "left": 2 + x, "divide": 1 / (x + 2),
                "clip": np.clip(x, 0, 3), "where": np.where(x > 1, x, 1.5), "max": np.maximum(x, 1),
                "scalar": x + np.float32(1), "array": x + np.arange(3, dtype="i2"),
            },
            x, ulp=2,
        )  # fmt: skip


def test_operators():
    x, y = numbers("i4", 3, 4), numbers("i4", 4, seed=2)
    compare(
        lambda x, y: {
            "arithmetic": (x + y) * x - y // 3 % 5, "bits": (x & y) | (x ^ ~y), "shift": (x << 2) >> 1,
            "compare": (x < y) | (x <= y) & (x > y) ^ (x >= y), "same": (x == y) != (x != y),
            "right": 7 - x + (7 // (y * y + 1)) + 7 % (y * y + 1), "power": x**2 + 2 ** (y * y % 4),
            "neg": -x + +y + abs(x), "divide": x / 4, "matmul": x @ x.T @ np.ones((3, 2), "i4"),
            "divmod": divmod(x, 3)[1] + divmod(x, 3)[0], "rmatmul": np.ones((2, 3), "i4") @ x,
        },
        x, y,
    )  # fmt: skip


REDUCTIONS = ("sum", "prod", "max", "min", "all", "any", "mean", "var", "std", "ptp", "count_nonzero")


@pytest.mark.parametrize("dtype", DTYPES)
def test_reductions(dtype):
    x = numbers(dtype, 2, 3, 4, low=-2, high=3)
    names = [n for n in REDUCTIONS if (n, dtype) != ("ptp", "?")]
    compare(
        lambda x: {
            f"{n} {axis} {keep}": getattr(np, n)(x, axis=axis, keepdims=keep)
            for n in names
            for axis, keep in ((None, False), (1, True), ((0, -1), False))
        },
        x,
        ulp=64,
    )
    compare(
        lambda x: {
            "argmax": np.argmax(x, 1),
            "argmin": np.argmin(x, axis=0, keepdims=True),
            "flat": np.argmax(x),
            "method": x.argmin(axis=-1),
        },
        x,
    )


@pytest.mark.parametrize("shape", SHAPES)
def test_shapes(shape):
    x = numbers("f4", *shape)
    compare(lambda x: {"sin": np.sin(x), "add": x + x, "sum": x.sum(), "mean": np.mean(x + 0 * x.sum())}, x, ulp=16)
    if shape:
        compare(lambda x: {"sum": x.sum(0), "keep": np.var(x, -1, keepdims=True), "flip": x[::-1]}, x, ulp=16)


def test_reductions_with_more_arguments():
    x = numbers("f4", 3, 4)
    compare(
        lambda x: {
            "ddof": np.var(x, 0, ddof=1), "std": np.std(x, ddof=2), "dtype": np.sum(x, dtype="f8"),
            "initial": np.max(x, 1, initial=10), "sum": np.sum(x, initial=3.5), "mean": np.mean(x, dtype="f8"),
            "reduce": np.add.reduce(x, axis=1) + np.maximum.reduce(x, axis=-1), "average": np.average(x, 1),
            "weights": np.average(x, 1, weights=np.arange(4.0)), "method": x.std(axis=1) + x.mean(1) + x.prod(1),
            "full": np.average(x, weights=x * x), "norm": np.linalg.norm(x), "rows": np.linalg.norm(x, axis=1),
            "one": np.linalg.norm(x, 1, axis=1), "inf": np.linalg.norm(x, np.inf, axis=0),
            "bools": np.any(x > 1, axis=0) & np.all(x < 4, axis=0),
        },
        x, ulp=32,
    )  # fmt: skip


def test_products():
    x, y, z = numbers("f4", 3, 4), numbers("f4", 4, 5), numbers("f4", 2, 4)
    compare(
        lambda x, y, z: {
            "matmul": x @ y, "dot": np.dot(x, y), "vector": x @ z[0], "inner": np.inner(x, z),
            "outer": np.outer(z[0], z[1]), "batch": z[:, None, :] @ y, "vdot": np.vdot(z[0], z[1]),
            "tensordot": np.tensordot(x, y, 1), "axes": np.tensordot(x, z, ([1], [1])), "method": x.dot(y),
            "mixed": x @ np.ones((4, 2)),
        },
        x, y, z, ulp=32,
    )  # fmt: skip


def test_moves():
    x = numbers("f4", 4, 6)
    compare(
        lambda x: {
            "reshape": x.reshape(2, -1), "tuple": x.reshape((x.shape[0], 2, x.shape[1] // 2)),
            "ravel": x.ravel() + x.flatten(), "T": x.T, "mT": x[None].mT, "transpose": x[None].transpose(2, 0, 1),
            "swap": np.swapaxes(x[None], 0, 2), "move": np.moveaxis(x[None], 0, -1), "copy": x.copy(),
            "expand": np.expand_dims(x, (0, 2)), "squeeze": np.squeeze(x[:, None], axis=1),
            "broadcast": np.broadcast_to(x[:, :1], (3, x.shape[0], 5)), "concat": np.concatenate([x, x * 2], axis=1),
            "stack": np.stack([x, x + 1], axis=-1), "flat": np.concatenate([x, x], axis=None),
            "hstack": np.hstack([x, x]), "vstack": np.vstack([x, x[0]]), "flip": np.flip(x, 1),
            "roll": np.roll(x, 2, axis=0), "rollall": np.roll(x, -3), "pad": np.pad(x, ((1, 0), (0, 2))),
            "diff": np.diff(x), "tril": np.tril(x), "triu": np.triu(x, 1), "repeat": np.repeat(x, 3, axis=1),
            "tile": np.tile(x, (2, 1, 2)), "split": np.split(x, 2)[1], "cut": np.split(x, [1, 3], axis=1)[1],
            "take": np.take(x, [0, -1], axis=1), "along": np.take_along_axis(x, np.argmax(x, 1, keepdims=True), 1),
            "atleast": np.atleast_2d(x[0]), "zeros": np.zeros_like(x) + np.ones_like(x, dtype="i4"),
            "full": np.full_like(x, 7), "astype": x.astype("i8").astype(np.uint8), "round": np.round(x, 1),
            "nan": np.nan_to_num(x / (x > 0)), "close": np.isclose(x, x + 1e-7), "mixed": np.concatenate([x, x > 0]),
        },
        x, ulp=4,
    )  # fmt: skip


def test_indexing():
    x = numbers("i4", 5, 6, 4)
    i = np.array([[0, -1], [2, 1]])
    compare(
        lambda x, i: {
            "one": x[1], "last": x[-1, 2], "three": x[1, 2, 3], "slice": x[1:-1], "steps": x[::2, ::-1],
            "dots": x[..., 1], "new": x[:, None, 0, ..., None], "far": x[2:100, :-7], "back": x[-2:, 4:1:-2],
            "half": x[: x.shape[0] // 2], "extent": x[x.shape[0] - 1], "array": x[i], "inner": x[:, i],
            "constant": x[np.array([3, 0])], "list": x[[1, 1]], "number": x[i[0, 0]], "empty": x[3:1],
        },
        x, i,
    )  # fmt: skip


def test_extents_are_numbers():
    x = numbers("f4", 4, 6)
    compare(
        lambda x: {
            "divide": x.sum() / x.size,
            "scale": x / x.shape[0],
            "root": x / np.sqrt(x.shape[1]),
            "weak": x * (1 / x.shape[0]),
            "int": x.astype("i4") * x.shape[1],
            "add": x + x.ndim + len(x.shape),
            "power": x * x.shape[0] ** 2,
            "mod": x * (x.shape[1] % 4 + 3 - x.shape[0] * 2 // 3),
        },
        x,
        ulp=4,
    )
    f = bl.jit(lambda x: (x.shape, x.size, 1 / x.shape[0], x.ndim))
    assert f(x) == ((4, 6), 24, 0.25, 2)
    assert f(x[:2]) == ((2, 6), 12, 0.5, 2)
