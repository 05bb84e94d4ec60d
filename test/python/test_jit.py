"""bl.jit: what functions compute, against NumPy itself."""

import warnings

import broadloom as bl
import numpy as np
import pytest

SHAPES = [(), (1,), (5,), (0,), (3, 4), (0, 3), (2, 1, 3), (2, 3, 2, 2)]
DTYPES = ["?", "i1", "i4", "i8", "u1", "u8", "f2", "f4", "f8"]


def numbers(dtype, *shape, seed=0, low=-4, high=5):
    random = np.random.default_rng(seed)
    dtype = np.dtype(dtype)
    if dtype.kind == "f":
        return np.asarray(random.uniform(low, high, shape)).astype(dtype)
    low = max(low, 0) if dtype.kind in "bu" else low
    return np.asarray(random.integers(low, 2 if dtype.kind == "b" else high, shape)).astype(dtype)


def check(found, expected, ulp=0, name=""):
    """The type and shape of NumPy's, and values so close."""
    expected = np.asarray(expected)
    assert type(found) is np.ndarray, name
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape), name
    if ulp and found.dtype.kind == "f":
        limit = ulp * float(np.finfo(found.dtype).eps)
        np.testing.assert_allclose(
            found.astype("f8"), expected.astype("f8"), rtol=limit, atol=limit, err_msg=name
        )
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
            for n in names for axis, keep in ((None, False), (1, True), ((0, -1), False))
        },
        x, ulp=64,
    )  # fmt: skip
    compare(
        lambda x: {
            "argmax": np.argmax(x, 1), "argmin": np.argmin(x, axis=0, keepdims=True),
            "flat": np.argmax(x), "method": x.argmin(axis=-1),
        },
        x,
    )  # fmt: skip


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
            "divide": x.sum() / x.size, "scale": x / x.shape[0], "root": x / np.sqrt(x.shape[1]),
            "weak": x * (1 / x.shape[0]), "int": x.astype("i4") * x.shape[1], "add": x + x.ndim + len(x.shape),
            "power": x * x.shape[0] ** 2, "mod": x * (x.shape[1] % 4 + 3 - x.shape[0] * 2 // 3),
        },
        x, ulp=4,
    )  # fmt: skip
    f = bl.jit(lambda x: (x.shape, x.size, 1 / x.shape[0], x.ndim))
    assert f(x) == ((4, 6), 24, 0.25, 2)
    assert f(x[:2]) == ((2, 6), 12, 0.5, 2)


def test_one_trace_for_all_extents():
    calls = []

    @bl.jit
    def f(x, y):
        """Adds."""
        calls.append(1)
        return x + y * 2

    for shape in [(2, 3), (1, 3), (5, 1), (0, 3), (7, 7)]:
        x = numbers("f4", *shape)
        check(f(x, x), x + x * 2)
    assert len(calls) == 1 and f.cache_info().traces == 1 and f.cache_info().seconds > 0
    x = np.ones(3)
    check(f(x, x), x * 3)
    check(f(np.ones((2, 3), "f4"), x), np.ones((2, 3)) * 3)
    assert len(calls) == 3 and f.__name__ == "f" and f.__doc__ == "Adds."
    assert "f: 3 traces" in repr(f)
    f.cache_clear()
    assert f.cache_info() == (0, 0.0)


def test_static_arguments_and_keywords():
    @bl.jit
    def f(x, axis=0, *, power=1.0, name="a", flag=None):
        return x.sum(axis=axis) ** power if flag is None else x * len(name)

    x = numbers("f8", 3, 4)
    check(f(x), x.sum(0))
    check(f(x, 1), x.sum(1))
    check(f(x, axis=(0, 1), power=2.0), x.sum() ** 2)
    check(f(x, flag=True, name="abc"), x * 3)
    check(f(axis=1, x=x), x.sum(1))
    assert f.cache_info().traces == 4
    with pytest.raises(TypeError, match=r"f\(\) missing a required argument: 'x'"):
        f()
    with pytest.raises(TypeError, match="unexpected keyword argument 'axes'"):
        f(x, axes=1)
    signed = bl.jit(lambda x, c: x * c)
    assert np.signbit(signed(np.ones(1), -0.0)) and not np.signbit(signed(np.ones(1), 0.0))
    assert signed(np.ones(1, "i4"), True).dtype == np.int32 and signed(np.ones(1, "i4"), 1.0).dtype == np.float64
    signed(np.ones(1), float("nan")), signed(np.ones(1), float("nan"))
    assert signed.cache_info().traces == 5


def test_trees():
    @bl.jit
    def f(state, scale):
        new = {"w": state["w"] * scale, "b": [state["b"][0] + 1, None]}
        return new, (np.sum(new["w"]), "done", 3)

    state = {"w": np.ones((2, 3), "f4"), "b": [np.zeros(2), None]}
    new, (total, text, number) = f(state, np.float32(2))
    check(new["w"], np.full((2, 3), 2, "f4"))
    check(new["b"][0], np.ones(2))
    assert new["b"][1] is None and total == 12 and (text, number) == ("done", 3)


def test_calls_of_each_other_and_constants():
    table = np.arange(3.0)
    inner = bl.jit(lambda x, n=2: x * n + table)
    outer = bl.jit(lambda x: inner(x, n=3) + inner(x))
    check(outer(np.ones(3)), 5 * np.ones(3) + 2 * table)
    assert inner.cache_info().traces == 0
    same = bl.jit(lambda x: 7)
    assert same(np.ones(2)) == 7
    kept = bl.jit(lambda x: (x, table))(np.ones(2))
    assert kept[1] is not table
    check(kept[0], np.ones(2))


def test_arguments():
    f = bl.jit(lambda x: x * 2)
    check(f(np.float32(2)), np.float32(4))
    check(f(np.ones((2, 3))[::-1, ::2]), np.full((2, 2), 2.0))
    check(f(memoryview(np.ones(2))), np.full(2, 2.0))
    out = np.zeros(2)
    assert f(np.ones(2), out=out) is out and (out == 2).all()
    assert bl.jit(lambda out: out + 1)(out=np.zeros(1)) == 1

    class Exported:
        def __init__(self, x):
            self.x = x

        def __dlpack__(self, **keywords):
            return self.x.__dlpack__()

        def __dlpack_device__(self):
            return self.x.__dlpack_device__()

    check(f(Exported(np.ones(2))), np.full(2, 2.0))
    for wrong, message in [
        (np.ones(2, ">f4"), "of the other byte order; give x.astype"),
        (np.array(["a"]), "argument 'x' has elements of NumPy's type <U1"),
        (np.array([object()]), "argument 'x' has elements of NumPy's type object"),
        (np.ones(2, complex), "NumPy's type complex128"),
        (np.ones(2, "M8[s]"), "NumPy's type datetime64"),
        (np.ma.ones(2), "argument 'x' is a MaskedArray, whose meaning differs"),
        (np.ones((1, 2)).view(np.matrix), "argument 'x' is a matrix"),
        (1j, "argument 'x' is a complex"),
        ({1, 2}, "argument 'x' is a set"),
        ((i for i in [1]), "argument 'x' is a generator"),
    ]:
        with pytest.raises(TypeError, match=message):
            f(wrong)
    check(f(np.ones(2)), np.full(2, 2.0))
    with pytest.raises(TypeError, match="argument 'x' is a MaskedArray"):
        f(np.ma.ones(2))


def test_help_lists_the_functions():
    # In an installed package there is no docs/jit.md.
    assert {"take_along_axis", "einsum", "linalg.norm"} <= set(bl.jit.__doc__.split())
    # What only says why it cannot be traced is none of them.
    assert not {"unique", "nonzero", "nanargmax"} & set(bl.jit.__doc__.split())


UNTRACEABLE = [
    (lambda x: x if x.sum() > 0 else -x, "a decision by an array's values cannot be traced.*np.where"),
    (lambda x: x * float(x[0]), "a number of Python's from an array cannot be traced"),
    (lambda x: x.item(), r"item\(\) cannot be traced"),
    (lambda x: x.tolist(), r"tolist\(\) cannot be traced"),
    (lambda x: [y for y in x], "a loop over an axis cannot be traced"),
    (lambda x: len(x), r"len\(\) cannot be traced; use x.shape"),
    (lambda x: 1.0 in x, "'in' cannot be traced"),
    (lambda x: np.asarray(x).sum(), "an array of NumPy's from an array"),
    (lambda x: np.array([x, x]), "an array of NumPy's from an array.*np.stack for a list"),
    (lambda x: np.zeros(x.shape), "an extent as a number of Python's.*np.zeros_like"),
    (lambda x: x[:, None][[0, 1], [True, False]], "an index of bool cannot be traced.*np.where"),
    (lambda x: np.take(x, [0], mode="clip"), "np.take with mode='clip' cannot be traced"),
    (lambda x: x[x > 0], "an index of bool cannot be traced.*np.where"),
    (lambda x: np.where(x > 0), "np.where of one argument cannot be traced"),
    (lambda x: np.add(x, 1, out=x), "out= of 'add' cannot be traced"),
    (lambda x: np.add(x, 1, where=x > 0), "where= of 'add' cannot be traced"),
    (lambda x: np.hypot.accumulate(x), "'hypot.accumulate' cannot be traced"),
    (lambda x: np.linalg.inv(x), "'numpy.linalg.inv' is not supported under bl.jit; help.broadloom.jit. lists what is"),
    (lambda x: np.frexp(x), "'frexp' is not supported under bl.jit"),
    (lambda x: x.view("i4"), "the method 'view' cannot be traced"),
    (lambda x: np.squeeze(x), "np.squeeze without an axis cannot be traced"),
    (lambda x: x if x.shape[0] > 3 else -x, r"a decision by an extent cannot be traced; .*np.where\(n > 1, a, b\)"),
    (lambda x: [x * i for i in range(x.shape[0])], "an extent as a number of Python's cannot be traced"),
    (lambda x: x if x.shape[0] else -x, "a decision by an extent cannot be traced"),
    (lambda x: np.roll(x, x.sum()), "np.roll by an array cannot be traced"),
    (lambda x: x[x.sum() :], "a slice whose ends are no numbers cannot be traced"),
    (lambda x: x * 1j, "complex numbers have no element type"),
    (lambda x: np.argmax(x, axis=0, out=x), "unexpected keyword argument 'out'.*under bl.jit"),
    (lambda x: x.astype(complex), "arrays of NumPy's type complex128 cannot be computed with"),
]


@pytest.mark.parametrize("function, message", UNTRACEABLE)
def test_what_cannot_be_traced(function, message):
    line = function.__code__.co_firstlineno
    with pytest.raises(TypeError, match=rf"test_jit.py:{line}:\d+: .*{message}"):
        bl.jit(function)(np.ones(4))


def test_writes():
    def write(x):
        x += 1
        return x

    def element(x):
        x[0] = 1
        return x

    def shared(x):
        y = x * 2
        z = y[1:]
        y += 1
        return z

    def view(x):
        y = (x * 2)[1:]
        y *= 2
        return y

    for function, message in [
        (write, "a write to an argument cannot be traced"),
        (element, "a write to elements cannot be traced"),
        (shared, "a write to an array that shares elements"),
        (view, "a write to an array that shares elements"),
    ]:
        with pytest.raises(bl.TraceError, match=message):
            bl.jit(function)(np.ones(4))

    def fresh(x, y):
        a = x * 2
        b = a
        a += y
        a **= 2
        return b

    compare(fresh, np.ones((3, 4), "f4"), np.arange(4.0))
    with pytest.raises(TypeError, match="a result of float64 cannot be written to an array of int32"):
        bl.jit(fresh)(np.ones((3, 4), "i4"), np.arange(4.0))
    with pytest.raises(ValueError, match="a result of 2 axes cannot be written"):
        bl.jit(fresh)(np.ones(4), np.ones((3, 4)))
    with pytest.raises(bl.ShapeError, match="axis 0 has extent 3, but 1 is needed"):
        bl.jit(fresh)(np.ones((1, 4)), np.ones((3, 4)))


def test_errors_have_the_line():
    f = bl.jit(lambda x, y: x + y)
    line = test_errors_have_the_line.__code__.co_firstlineno + 1
    with pytest.raises(bl.ShapeError, match=rf"test_jit.py:{line}:\d+: 'numpy.add'") as caught:
        f(np.ones((2, 3)), np.ones((2, 2)))
    assert caught.value.operation == "numpy.add" and caught.value.axis == 1
    with pytest.raises(bl.ShapeError, match="'numpy.max': zero-size array"):
        bl.jit(lambda x: np.max(x))(np.ones(0))
    assert bl.jit(lambda x: np.max(x, axis=1))(np.ones((0, 3))).shape == (0,)
    with pytest.raises(bl.ShapeError, match="'numpy.reshape'"):
        bl.jit(lambda x: x.reshape(3, 3))(np.ones(4))
    with pytest.raises(bl.ShapeError, match="'numpy.getitem'"):
        bl.jit(lambda x: x[7])(np.ones(4))
    with pytest.raises(bl.ShapeError, match="'numpy.take'|'take'"):
        bl.jit(lambda x, i: np.take(x, i, 0))(np.ones(4), np.array([4]))
    with pytest.raises(IndexError, match="test_jit.py.*too many indices for array"):
        bl.jit(lambda x: x[0, 0])(np.ones(4))
    with pytest.raises(ValueError, match="test_jit.py.*axis 3 is out of bounds for array of dimension 1"):
        bl.jit(lambda x: np.sum(x, axis=3))(np.ones(4))
    with pytest.raises(TypeError, match="numpy boolean subtract"):
        bl.jit(lambda x: x - x)(np.ones(4, bool))
    with pytest.raises(OverflowError, match="300 is outside the range of ui8"):
        bl.jit(lambda x: x + 300)(np.ones(4, "u1"))


def test_arrays_of_earlier_traces():
    kept = []
    bl.jit(lambda x: kept.append(x) or x * 2)(np.ones(2))
    with pytest.raises(bl.TraceError, match="an array of an earlier trace is used"):
        kept[0] + 1
    with pytest.raises(bl.TraceError, match="an array of an earlier trace is used"):
        bl.jit(lambda x: x + kept[0])(np.ones(2))


def test_the_array_api():
    @bl.jit
    def f(x):
        xp = x.__array_namespace__()
        n, m = x.shape
        mask = xp.arange(m) < xp.asarray(n)
        total = xp.sum(xp.where(mask, x, xp.zeros((1, m), dtype=x.dtype)), axis=0)
        return {
            "total": xp.astype(total, xp.float32), "acos": xp.acos(x / 9), "pow": xp.pow(x, 2), "pi": x * xp.pi,
            "full": xp.full((n, 2), 3.5), "ones": xp.ones(n, dtype=xp.int8), "concat": xp.concat([x, x]),
            "round": xp.round(x), "vecdot": xp.vecdot(x, x), "permute": xp.permute_dims(x, (1, 0)),
            "range": xp.arange(1, n, 2), "back": xp.arange(n, 0, -1), "list": xp.asarray([n, m]),
        }  # fmt: skip

    x = numbers("f8", 2, 3)
    found = f(x)
    expected = {
        "total": np.array([*x[:, :2].sum(0), 0], "f4"), "acos": np.arccos(x / 9), "pow": x**2, "pi": x * np.pi,
        "full": np.full((2, 2), 3.5), "ones": np.ones(2, "i1"), "concat": np.concatenate([x, x]),
        "round": np.rint(x), "vecdot": (x * x).sum(-1), "permute": x.T, "range": np.arange(1, 2, 2),
        "back": np.arange(2, 0, -1), "list": np.array([2, 3]),
    }  # fmt: skip
    for name, value in expected.items():
        check(found[name], value, ulp=8, name=name)


def test_the_namespace_has_what_it_lists():
    from broadloom._jit import _namespace

    assert all(hasattr(_namespace, name) for name in _namespace.__all__)
    assert {"sum", "matmul", "where", "reshape", "take", "stack", "argmax"} <= set(_namespace.__all__)


def test_looking_at_the_program(tmp_path):
    f = bl.jit(lambda x, y: np.exp(x) + y)
    x = np.ones((2, 3), "f4")
    text = f.mlir(x, x)
    assert "loom.map" in text and "numpy.add" in text and "test_jit.py" in text
    assert [row.operation for row in f.check(x, x) if row.status == "run-time"] == ["numpy.add"] * 2
    g = f.lower(x, x)
    assert isinstance(g, bl.Function) and g.shapes((None, "n"), (1, "n")) == [(None, "n")]
    g.save(tmp_path / "f.blm")
    check(bl.load(tmp_path / "f.blm")(x, x), np.exp(x) + x, ulp=4)
    assert f.cache_info().traces == 1
    with pytest.raises(ValueError, match="computes nothing with arrays"):
        bl.jit(lambda x: 3).lower(x)


def test_what_jit_takes():
    with pytest.raises(TypeError, match="bl.jit takes a function, not int"):
        bl.jit(3)
    with pytest.raises(TypeError, match="cannot tell the arguments of <built-in function max"):
        bl.jit(max)

    def generator(x):
        yield x

    with pytest.raises(TypeError, match="generator is a generator"):
        bl.jit(generator)

    class Model:
        @bl.jit
        def f(self, x):
            return x

    with pytest.raises(TypeError, match="Model.f is a method, and bl.jit takes functions of arrays"):
        Model().f(np.ones(1))
    f = bl.jit(threads=1)(lambda x: x + 1)
    assert f.lower(np.ones(1)).threads == 1


def test_numbers_that_change_are_told_of():
    f = bl.jit(lambda x, c: x, optimise=False)
    with pytest.warns(bl.CompileWarning, match="has been traced 64 times"):
        for i in range(64):
            f(np.ones(1), i)


def test_threads():
    import threading

    traces = []

    @bl.jit
    def f(x):
        traces.append(1)
        return np.tanh(x) * 2

    x = numbers("f4", 50, 50)
    results = [None] * 8

    def work(i):
        results[i] = f(x)

    workers = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(traces) == 1
    for result in results:
        check(result, np.tanh(x) * 2, ulp=8)


def test_layer_norm_and_softmax_are_one_kernel():
    def norm(x, g, b):
        m = x.mean(axis=-1, keepdims=True)
        v = ((x - m) ** 2).mean(axis=-1, keepdims=True)
        return (x - m) / np.sqrt(v + 1e-5) * g + b

    x, g = numbers("f4", 6, 32), numbers("f4", 32, seed=3)
    f = bl.jit(norm)
    check(f(x, g, g), norm(x, g, g), ulp=16)
    loom = f.lower(x, g, g).program.emit("loom").decode()
    assert loom.count("loom.fused_reduction") == 1 and "loom.map(" not in loom
    # A mean without its axis, which comes back, is the same.
    centred = bl.jit(lambda x: x - x.mean(axis=-1)[..., None])
    check(centred(x), x - x.mean(-1, keepdims=True), ulp=16)
    loom = centred.lower(x).program.emit("loom").decode()
    assert loom.count("loom.fused_reduction") == 1 and "loom.map(" not in loom
    columns = bl.jit(lambda x: (x - x.mean(axis=0)) / x.std(axis=0))
    check(columns(x), (x - x.mean(axis=0)) / x.std(axis=0), ulp=32)
    loom = columns.lower(x).program.emit("loom").decode()
    assert loom.count("loom.fused_reduction") == 1 and "loom.map(" not in loom


def _is_there(name):
    """Whether this NumPy has a function."""
    owner = np
    for part in name.split("."):
        owner = getattr(owner, part, None)
    return owner is not None


def test_the_document_lists_what_there_is():
    import os
    import re

    from broadloom._jit import _functions, _ufuncs
    from conftest import ROOT

    path = os.path.join(ROOT, "docs", "jit.md")
    with open(path) as file:
        text = file.read()

    def listed(name):
        block = re.search(f"<!-- {name}: begin -->(.*)<!-- {name}: end -->", text, re.S)[1]
        return block.splitlines()[3].strip("| ").split(";")[0].split()

    universal = sorted(n for n in _ufuncs.FUNCTIONS if hasattr(np, n))
    # Names of NumPy's are those of the newest that is supported.
    functions = set(_functions.list_supported())
    assert universal == [n for n in listed("universal") if hasattr(np, n)]
    newer = {n for n in listed("functions") if n in _functions.NAMED and not _is_there(n)}
    assert sorted(functions | newer) == listed("functions")
