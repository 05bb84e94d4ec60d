"""The builder of programs: what each function computes, against NumPy."""

import math

import broadloom as bl
import ml_dtypes
import numpy as np
import pytest
from broadloom import _program as program
from broadloom._program import _types

FLOATS = ("f16", "bf16", "f32", "f64")
INTEGERS = ("i8", "i16", "i32", "i64", "ui8", "ui16", "ui32", "ui64")
ALL = ("i1", *INTEGERS, *FLOATS)


def run(code, *arrays, shapes=None):
    """What `code`, of a builder and arguments of any extents, gives for arrays."""
    builder = program.Builder()
    builder.place("test.py", 7, 3)
    shapes = shapes or [[None] * np.ndim(a) for a in arrays]
    values = [
        builder.argument(_types.from_numpy(np.asarray(a).dtype), shape)
        for a, shape in zip(arrays, shapes)
    ]
    results = code(*values)
    text = builder.finish(results if isinstance(results, (list, tuple)) else [results])
    return bl.compile(text)(*arrays)


def numbers(element, *shape, seed=0, low=-8, high=8):
    """Small numbers that any element type can hold."""
    random = np.random.default_rng(seed)
    if element == "i1":
        return random.integers(0, 2, shape).astype(bool)
    if program.is_float(element):
        return random.uniform(low, high, shape).astype(_types.to_numpy(element))
    low = max(low, 0) if program.is_unsigned(element) else low
    return random.integers(low, high, shape).astype(_types.to_numpy(element))


def check(found, expected, ulp=0):
    """One shape and type, and values that are so close."""
    assert found.dtype == expected.dtype and found.shape == expected.shape
    wide = np.float64 if found.dtype.kind not in "biu" else found.dtype
    if not ulp:
        return np.testing.assert_array_equal(found.astype(wide), expected.astype(wide))
    kind = ml_dtypes.finfo(found.dtype) if found.dtype.name == "bfloat16" else np.finfo(found.dtype)
    limit = ulp * float(kind.eps)
    np.testing.assert_allclose(found.astype(wide), expected.astype(wide), rtol=limit, atol=limit)


# Functions of one float: the builder's, NumPy's, and where.
FUNCTIONS = [
    ("sqrt", np.sqrt, 0, 9), ("exp", np.exp, -4, 4), ("exp2", np.exp2, -4, 4),
    ("expm1", np.expm1, -4, 4), ("log", np.log, 0, 9), ("log2", np.log2, 0, 9),
    ("log10", np.log10, 0, 9), ("log1p", np.log1p, -1, 9), ("sin", np.sin, -8, 8),
    ("cos", np.cos, -8, 8), ("tan", np.tan, -1, 1), ("arcsin", np.arcsin, -1, 1),
    ("arccos", np.arccos, -1, 1), ("arctan", np.arctan, -8, 8), ("sinh", np.sinh, -3, 3),
    ("cosh", np.cosh, -3, 3), ("tanh", np.tanh, -3, 3), ("arcsinh", np.arcsinh, -8, 8),
    ("arccosh", np.arccosh, 1, 9), ("arctanh", np.arctanh, -1, 1), ("cbrt", np.cbrt, -8, 8),
    ("floor", np.floor, -8, 8), ("ceil", np.ceil, -8, 8), ("trunc", np.trunc, -8, 8),
    ("round", np.rint, -8, 8), ("erf", np.vectorize(math.erf, [float]), -3, 3),
    ("rsqrt", lambda x: 1 / np.sqrt(x), 0.1, 9), ("sigmoid", lambda x: 1 / (1 + np.exp(-x)), -8, 8),
]  # fmt: skip


@pytest.mark.parametrize("element", FLOATS)
@pytest.mark.parametrize("name, expected, low, high", FUNCTIONS, ids=[f[0] for f in FUNCTIONS])
def test_functions(name, expected, low, high, element):
    x = numbers(element, 5, 7, low=low, high=high)
    wide = expected(x.astype(np.float64)).astype(x.dtype)
    check(run(getattr(program, name), x), wide, ulp=64 if name in ("exp", "sinh", "cosh", "tanh") else 8)


BINARY = [
    ("add", np.add, ALL), ("subtract", np.subtract, INTEGERS + FLOATS),
    ("multiply", np.multiply, ALL), ("floor_divide", np.floor_divide, INTEGERS + ("f32", "f64")),
    ("truncate_divide", lambda x, y: np.where(y == 0, 0, (x - np.fmod(x, y)) // y).astype(x.dtype), INTEGERS),
    ("remainder", np.remainder, INTEGERS + ("f32", "f64")),
    ("fmod", np.fmod, INTEGERS + ("f32", "f64")), ("maximum", np.maximum, ALL),
    ("minimum", np.minimum, ALL), ("fmax", np.fmax, ALL), ("fmin", np.fmin, ALL),
    ("equal", np.equal, ALL), ("not_equal", np.not_equal, ALL), ("less", np.less, ALL),
    ("less_equal", np.less_equal, ALL), ("greater", np.greater, ALL),
    ("greater_equal", np.greater_equal, ALL), ("divide", np.divide, FLOATS),
    ("copysign", np.copysign, FLOATS), ("bitwise_and", np.bitwise_and, INTEGERS + ("i1",)),
    ("bitwise_or", np.bitwise_or, INTEGERS + ("i1",)),
    ("bitwise_xor", np.bitwise_xor, INTEGERS + ("i1",)),
]  # fmt: skip


@pytest.mark.parametrize("name, expected, elements", BINARY, ids=[f[0] for f in BINARY])
def test_two_operands_broadcast(name, expected, elements):
    for element in elements:
        x, y = numbers(element, 4, 1, 6), numbers(element, 5, 1, seed=1)
        with np.errstate(all="ignore"):
            check(run(getattr(program, name), x, y), expected(x, y))


@pytest.mark.parametrize("element", ["i8", "i64", "ui8"])
def test_integers_at_their_ends(element):
    kind = np.iinfo(_types.to_numpy(element))
    values = np.array([kind.min, kind.min + 1, 0, 1, 2, kind.max], kind.dtype)
    if kind.min < 0:
        values = np.append(values, np.array([-1, -2], kind.dtype))
    x, y = values[:, None], values[None, :]
    with np.errstate(all="ignore"):
        for name in ("floor_divide", "remainder", "fmod", "multiply", "subtract"):
            check(run(getattr(program, name), x, y), getattr(np, name)(x, y))
        for name in ("absolute", "negative", "sign", "bitwise_not", "square"):
            expected = getattr(np, "invert" if name == "bitwise_not" else name)(values)
            check(run(getattr(program, name), values), expected)
        shifts = np.array([0, 1, kind.bits - 1, kind.bits, 100], kind.dtype)
        check(run(program.left_shift, x, shifts), np.left_shift(x, shifts))
        check(run(program.right_shift, x, shifts), np.right_shift(x, shifts))


@pytest.mark.parametrize("element", ["f32", "f64"])
def test_floats_at_their_ends(element):
    kind = np.finfo(_types.to_numpy(element))
    values = [0.0, -0.0, 1, -1, 2.5, -2.5, 3, -3, np.inf, -np.inf, np.nan, kind.max, kind.tiny]
    values = np.array(values, kind.dtype)
    x, y = values[:, None], values[None, :]
    with np.errstate(all="ignore"):
        for name in ("remainder", "fmod", "divide", "maximum", "fmin", "copysign", "less"):
            check(run(getattr(program, name), x, y), getattr(np, name)(x, y))
        small = np.array([0.0, -0.0, 1, -1, 2.5, -2.5, 3, np.inf, -np.inf, np.nan], kind.dtype)
        x, y = small[:, None], small[None, :]
        found, expected = run(program.floor_divide, x, y), np.floor_divide(x, y)
        check(found, expected)
        assert (np.signbit(found) == np.signbit(expected))[~np.isnan(expected)].all()
        for name in ("isnan", "isinf", "isfinite", "signbit", "sign", "absolute", "negative"):
            check(run(getattr(program, name), values), getattr(np, name)(values))
        check(run(program.logical_not, values), np.logical_not(values))
        check(run(program.arctan2, x, y), np.arctan2(x, y), ulp=4)


def test_functions_of_integers():
    x = numbers("i32", 3, 4)
    for name in ("floor", "ceil", "trunc", "round"):
        check(run(getattr(program, name), x), x)
    check(run(program.isnan, x), np.isnan(x))
    check(run(program.isinf, x), np.isinf(x))
    check(run(program.isfinite, x), np.isfinite(x))
    check(run(program.signbit, x), x < 0)
    check(run(program.logical_not, x), x == 0)


def test_powers():
    x = numbers("f32", 9, low=0, high=4)
    for y in (2, 0.5, 1, -1, 3, 2.5, 0):
        check(run(lambda v, y=y: program.power(v, y), x), x ** np.float32(y), ulp=16)
    check(run(program.power, x, x), x**x, ulp=32)
    for element in ("i8", "i64", "ui16"):
        base, exponent = numbers(element, 4, 1), np.arange(9).astype(_types.to_numpy(element))
        check(run(program.power, base, exponent), base**exponent)
        for y in (0, 1, 2, 5):
            check(run(lambda v, y=y: program.power(v, y), base), base ** exponent.dtype.type(y))
    with pytest.raises(ValueError, match="integers to negative integer powers are not allowed"):
        run(lambda v: program.power(v, -1), base)


def test_numbers_take_the_other_operands_type():
    for element in INTEGERS + FLOATS:
        x = numbers(element, 3, 4)
        two = x.dtype.type(2)
        check(run(lambda v: program.multiply(2, v), x), two * x)
        check(run(lambda v: program.maximum(v, 2), x), np.maximum(x, two))
    check(run(lambda v: program.add(v, 200), np.array([100], np.uint8)), np.array([44], np.uint8))
    check(run(lambda v: program.add(v, 0.1), np.ones(3, np.float32)), np.ones(3, "f4") + np.float32(0.1))
    for number in (math.inf, -math.inf, 1e300, 1e-300, 5e-324, 1e16, -0.0, 0.1):
        check(run(lambda v: program.add(v, number), np.zeros(1)), np.zeros(1) + number)
    with pytest.raises(OverflowError, match="300 is outside the range of ui8, 0 to 255"):
        run(lambda v: program.add(v, 300), np.ones(1, np.uint8))
    with pytest.raises(TypeError, match="0.5 is no integer, but the element type is i32"):
        run(lambda v: program.add(v, 0.5), np.ones(1, np.int32))


def test_select_and_clip():
    c, x, y = numbers("i1", 3, 1), numbers("f32", 4), numbers("f32", 3, 4, seed=1)
    check(run(program.select, c, x, y), np.where(c, x, y))
    check(run(lambda c, x: program.select(c, x, 0), c, x), np.where(c, x, np.float32(0)))
    check(run(lambda c: program.select(c, 1, 0, "ui8"), c), np.where(c, np.uint8(1), np.uint8(0)))
    check(run(lambda x: program.clip(x, -1, 2), x), np.clip(x, -1, 2))
    check(run(lambda x: program.clip(x, None, 2), x), np.clip(x, None, 2))
    check(run(lambda x, y: program.clip(x, y, None), x, y), np.clip(x, y, None))


@pytest.mark.parametrize("source", ALL)
def test_casts(source):
    for target in ALL:
        x = numbers(source, 3, 5, low=0 if program.is_unsigned(target) else -8)
        check(run(lambda v: program.cast(v, target), x), x.astype(_types.to_numpy(target)))


def test_casts_at_the_ends():
    x = np.array([np.nan, 1e10, -1e10, 2.5, -2.5, 255.9])
    check(run(lambda v: program.cast(v, "i8"), x), np.array([0, 127, -128, 2, -2, 127], np.int8))
    check(run(lambda v: program.cast(v, "ui8"), x), np.array([0, 255, 0, 2, 0, 255], np.uint8))
    big = np.array([2**64 - 1, 2**63, 5], np.uint64)
    check(run(lambda v: program.cast(v, "f64"), big), big.astype("f8"))
    check(run(lambda v: program.cast(v, "f8E4M3FN"), np.ones(2, "f4")), np.ones(2, ml_dtypes.float8_e4m3fn))


@pytest.mark.parametrize("element", INTEGERS + FLOATS)
def test_sums(element):
    x = numbers(element, 3, 4, 5, low=-2, high=3)
    kinds = {"sum": np.sum, "product": np.prod, "max": np.max, "min": np.min}
    cases = [(kind, (0,), False) for kind in kinds]
    cases += [(kind, axes, True) for kind in ("sum", "max") for axes in (None, (1, 2), (-1,), ())]
    found = run(lambda v: [program.reduce(*c[:1], v, *c[1:]) for c in cases], x)
    for (kind, axes, keep), result in zip(cases, found):
        wide = x if program.is_integer(element) else x.astype(np.float64)
        more = {"dtype": wide.dtype} if kind in ("sum", "product") else {}
        expected = np.asarray(kinds[kind](wide, axis=axes, keepdims=keep, **more)).astype(x.dtype)
        check(result, expected, ulp=0 if program.is_integer(element) else 32)


def test_other_reductions():
    x = numbers("i1", 3, 4)
    for axes in (None, (0,), (1,)):
        check(run(lambda v: program.reduce("all", v, axes), x), np.asarray(np.all(x, axis=axes)))
        check(run(lambda v: program.reduce("any", v, axes), x), np.asarray(np.any(x, axis=axes)))
    y = numbers("f32", 3, 4)
    check(run(lambda v: program.mean(v, (1,), True), y), y.mean(1, keepdims=True), ulp=4)
    check(run(program.mean, y), np.asarray(y.mean()), ulp=4)
    check(run(lambda v: program.sum(v, (0,)), y), y.sum(0), ulp=4)
    for element in ALL:
        z = numbers(element, 3, 6)
        check(run(lambda v: program.argmax(v, 1), z), z.argmax(1))
        check(run(lambda v: program.argmin(v, 0, True), z), z.argmin(0, keepdims=True))
    with pytest.raises(TypeError, match="the sum is of numbers, not of i1"):
        run(program.sum, x)


def test_the_mean_of_a_half_is_rounded_once():
    x = np.full((3, 5000), 100, np.float16)
    check(run(lambda v: program.mean(v, (1,)), x), np.full(3, 100, np.float16))


SHAPES = [
    ((3, 4), (4, 5)), ((4,), (4,)), ((4,), (4, 5)), ((3, 4), (4,)), ((2, 3, 4), (4, 5)),
    ((2, 3, 4), (2, 4, 5)), ((6, 2, 3, 4), (2, 4, 5)), ((1, 3, 4), (7, 4, 5)), ((6, 1, 3, 4), (1, 2, 4, 5)),
    ((2, 3, 4), (4,)), ((4,), (2, 4, 5)), ((0, 4), (4, 5)), ((3, 0), (0, 5)),
]  # fmt: skip


@pytest.mark.parametrize("shapes", SHAPES)
def test_products_of_matrices(shapes):
    for element in ("f32", "f64", "i32", "ui8", "f16", "i1"):
        x, y = (numbers(element, *s, seed=i, low=-2, high=3) for i, s in enumerate(shapes))
        expected = np.asarray(np.matmul(x.astype("f8"), y.astype("f8"))).astype(x.dtype)
        check(run(program.matmul, x, y), expected, ulp=64 if program.is_float(element) else 0)


@pytest.mark.parametrize("element", ["f32", "f64"])
def test_matrices_that_do_not_fit(element):
    for x, y in [((3, 4), (5, 6)), ((3, 1), (5, 6)), ((3, 4), (1, 6)), ((4,), (1,))]:
        message = f"'matmul': the first operand has {x[-1]} columns, but the second has {y[0]} rows"
        with pytest.raises(bl.ShapeError, match=message):
            run(program.matmul, numbers(element, *x), numbers(element, *y))
    with pytest.raises(bl.ShapeError, match="'matmul'"):
        run(program.matmul, numbers(element, 2, 3, 4), numbers(element, 3, 4, 5))


def test_reshape():
    x = numbers("f32", 4, 6)

    def flat(v):
        return program.reshape(v, [-1])

    def halves(v):
        n, m = program.extents(v)
        return program.reshape(v, [n, 2, m // 2])

    def apart(v):
        return program.split_axis(v, 1, [3, -1])

    check(run(flat, x), x.reshape(-1))
    check(run(halves, x), x.reshape(4, 2, 3))
    check(run(apart, x), x.reshape(4, 3, 2))
    check(run(lambda v: program.reshape(v, [program.extent(v, 0), -1]), x), x)
    check(run(lambda v: program.reshape(v, []), x[:1, :1]), x[0, 0].reshape(()))
    check(run(flat, x[0, 0].reshape(())), x[0, 0].reshape(1))
    with pytest.raises(bl.ShapeError, match="test.py:7:3: 'reshape': the operand has 24 elements"):
        run(lambda v: program.reshape(v, [5, 5]), x)
    with pytest.raises(ValueError, match="only specify one unknown"):
        run(lambda v: program.reshape(v, [-1, -1]), x)


def test_axes_of_one():
    x = numbers("f32", 3, 1, 4)
    check(run(lambda v: program.squeeze(v, [1]), x), x[:, 0])
    check(run(lambda v: program.squeeze(v, [0, 1, 2]), x[:1, :, :1]), x[0, 0, 0].reshape(()))
    check(run(lambda v: program.expand(v, [0, 2, -1]), x[:, 0]), x[None, :, 0, None, :, None].reshape(1, 3, 1, 4, 1))
    check(run(lambda v: program.expand(v, [0]), np.float32(3).reshape(())), np.full(1, 3, np.float32))
    with pytest.raises(bl.ShapeError, match="'squeeze': result axis 0 has extent 1 but"):
        run(lambda v: program.squeeze(v, [0]), x)


def test_axes_that_come_back_are_no_operation():
    builder = program.Builder()
    x = builder.argument("f32", (None, None))
    row = program.sum(x, [1], keepdims=True)
    assert program.expand(program.squeeze(row, [1]), [1]) is row
    assert program.squeeze(program.expand(x, [0]), [0]) is x
    assert program.expand(program.squeeze(row, [1]), [0]) is not row


def test_transpose():
    x = numbers("f64", 2, 3, 4)
    for axes in ((0, 1, 2), (2, 0, 1), (-1, 1, 0)):
        check(run(lambda v, axes=axes: program.transpose(v, axes), x), x.transpose(axes))
    with pytest.raises(ValueError, match="axes don't match"):
        run(lambda v: program.transpose(v, (0, 1)), x)


def test_slices():
    ends = (None, 0, 3, -1, -2, 9)
    cases = [slice(a, b, s) for a in ends for b in ends for s in (1, 2, -1, -3)]
    builder = program.Builder()
    x = builder.argument("i32", (None,))
    f = bl.compile(
        builder.finish([program.slice_axis(x, 0, c.start, c.stop, c.step) for c in cases]),
        optimise=False,
    )
    for size in (0, 1, 2, 5, 12):
        x = np.arange(size, dtype=np.int32)
        for case, result in zip(cases, f(x)):
            check(result, x[case])


def test_slices_by_extents():
    x = numbers("f32", 5, 6)

    def middle(v):
        n = program.extent(v, 1)
        return program.slice_axis(v, 1, n // 3, n - 1)

    check(run(middle, x), x[:, 2:5])
    check(run(lambda v: program.flip(v, [0, 1]), x), x[::-1, ::-1])
    assert run(lambda v: program.slice_axis(v, 0, -program.extent(v, 1) + 2, None), x).shape == (4, 6)


def test_joins():
    x, y = numbers("f32", 2, 3), numbers("f32", 4, 3)
    check(run(lambda a, b: program.concat([a, b, a], 0), x, y), np.concatenate([x, y, x]))
    check(run(lambda a: program.concat([a], 1), x), x)
    with pytest.raises(bl.ShapeError, match="'concat'"):
        run(lambda a, b: program.concat([a, b], 1), x, y)


def test_pad():
    for element in ("i1", "ui8", "i64", "f32"):
        x = numbers(element, 2, 3)
        more = run(lambda v: program.pad(v, [1, 0], [0, program.extent(v, 0)], 1), x)
        check(more, np.pad(x, ((1, 0), (0, 2)), constant_values=1))


def test_broadcast_to():
    x = numbers("f32", 3, 1)

    def wider(v):
        return program.broadcast_to(v, [2, program.extent(v, 0), 5])

    check(run(wider, x), np.broadcast_to(x, (2, 3, 5)))
    with pytest.raises(bl.ShapeError, match="axis 0 has extent 3 and cannot be broadcast to 1"):
        run(lambda v: program.broadcast_to(v, [1, 1]), x)
    with pytest.raises(ValueError, match="fewer axes"):
        run(lambda v: program.broadcast_to(v, [3]), x)


def test_picking():
    for element in ("f32", "ui8", "i1"):
        x = numbers(element, 5, 4, 3)
        for kind in (np.int64, np.int32, np.uint8):
            i = np.array([[0, 4], [1, 2]], kind)
            check(run(lambda v, i: program.take(v, i, 0), x, i), x.take(i, 0))
            check(run(lambda v, i: program.take(v, i, 1), x, i % 4), x.take(i % 4, 1))
        i = np.array([-1, 0, -5])
        check(run(lambda v, i: program.take(v, i, 0), x[:, 0], i), x[:, 0].take(i, 0))
        check(run(lambda v, i: program.take(v, i, 0), x[:, 0, 0], i), x[i, 0, 0])
        at = np.argsort(x, axis=1)
        check(run(lambda v, i: program.gather_elements(v, i, 1), x, at), np.take_along_axis(x, at, 1))
    for wrong in (5, -6):
        with pytest.raises(bl.ShapeError, match="test.py:7:3: 'take'"):
            run(lambda v, i: program.take(v, i, 0), x, np.array([wrong]))


def test_numbers_in_order():
    for element in ("i64", "ui8", "f32", "f16"):
        found = run(lambda v: program.iota(v.builder, program.extent(v, 0), element), np.zeros(5))
        check(found, np.arange(5).astype(_types.to_numpy(element)))
    found = run(lambda v: program.iota(v.builder, program.extent(v, 0), "i64", 1, 2), np.zeros(5))
    check(found, np.arange(5)[None])


def test_arithmetic_with_extents():
    x = np.zeros((7, 3), np.float32)

    def code(v):
        n, m = program.extents(v)
        many = [n + m, n - m, n * m, n // m, n % m, 2 * n, 20 - n, -n + 10, n + 0, 1 * m,
                program.largest(n, m), program.smallest(n, 5), program.divide_up(n, m),
                100 // n, 100 % n, program.product([n, m, 2])]  # fmt: skip
        return [program.iota(v.builder, number, "i8") for number in many]

    sizes = [r.size for r in run(code, x)]
    assert sizes == [10, 4, 21, 2, 1, 14, 13, 3, 7, 3, 7, 5, 3, 14, 2, 42]
    assert run(lambda v: program.add(v, program.extent(v, 0)), x)[0, 0] == 7
    scaled = run(lambda v: program.multiply(v, program.extent(v, 0)), np.ones((3, 2), np.uint8))
    assert scaled.dtype == np.uint8 and scaled[0, 0] == 3


def test_constants():
    for element in ALL + ("f8E5M2",):
        table = numbers("f32", 2, 3, low=0, high=3).astype(_types.to_numpy(element))
        check(run(lambda v: v.builder.constant(table), np.zeros(1)), table)
    for table in (np.array(True), np.array(2.5), np.zeros((0, 3)), np.array([True]), np.ones((2, 0), bool)):
        check(run(lambda v: v.builder.constant(table), np.zeros(1)), table)
    with pytest.raises(TypeError, match="no constants of NumPy's type complex128"):
        run(lambda v: v.builder.constant(np.zeros(1, complex)), np.zeros(1))


def test_named_extents():
    builder = program.Builder()
    builder.limit("n", 2, 64, 2)
    x = builder.argument("f32", ("n", None))
    y = builder.argument("f32", (3, "n * 2"))
    assert x.extents[0] == "n" and y.extents[0] == 3
    text = builder.finish([program.expand(x, [0]), y])
    assert "#loom.extents<[n, ?] where n = 2 to 64 step 2>" in text
    f = bl.compile(text)
    assert f.shapes()[0] == (1, "n", None)
    f(np.zeros((4, 1), "f4"), np.zeros((3, 8), "f4"))
    with pytest.raises(bl.ShapeError, match="'n' is a multiple of 2"):
        f(np.zeros((3, 1), "f4"), np.zeros((3, 6), "f4"))


def test_extents_that_are_one_are_known_to_be():
    builder = program.Builder()
    x = builder.argument("f32", (None, None))
    y = program.add(program.exp(x), program.sum(x, [1], keepdims=True))
    assert y.extents == x.extents
    flat = program.reshape(y, [program.product(program.extents(y))])
    again = program.broadcast_to(flat, [program.extent(flat, 0)])
    assert again.extents == flat.extents
    # A number is computed from the argument, not from what is computed of it.
    assert builder.finish([flat]).count("tensor.dim %arg0") == 2
    z = builder.argument("f32", (None,))
    joined = program.add(x, z)
    assert joined.extents == (x.extents[0], None)
    assert program.is_same(program.extent(joined, 1), program.extent(joined, 1))


def test_nothing_is_computed_twice():
    builder = program.Builder()
    x = builder.argument("f32", (None, None))
    assert program.exp(x) is program.exp(x) and program.exp(x) is not program.sin(x)
    assert program.mean(x, [1], True) is program.mean(x, [1], True)
    assert program.sum(x, [1], True) is not program.sum(x, [0], True)
    assert program.add(x, 1.0) is not program.add(x, 2.0)


def test_products_of_batches_that_are_one_are_not_repeated():
    builder = program.Builder()
    x = builder.argument("f32", (None, None, None, None))
    text = builder.finish([program.matmul(x, program.transpose(x, [0, 1, 3, 2]))])
    assert "broadcast_to" not in text
    a = numbers("f32", 2, 3, 4, 5)
    check(bl.compile(text)(a), a @ a.transpose(0, 1, 3, 2), ulp=32)


def test_errors_name_the_location_and_the_operation():
    with pytest.raises(bl.ShapeError) as caught:
        run(program.add, np.zeros((2, 3)), np.zeros((2, 2)))
    assert caught.value.operation == "add" and caught.value.location == "test.py:7:3"
    builder = program.Builder()
    with builder.naming("numpy.add"):
        x = program.add(builder.argument("f32", (None,)), builder.argument("f32", (None,)))
    with pytest.raises(bl.ShapeError, match="'numpy.add'"):
        bl.compile(builder.finish([x]))(np.zeros(2, "f4"), np.zeros(3, "f4"))


def test_requirements():
    def code(v):
        n = program.extent(v, 0)
        from broadloom._program._extents import compare

        with v.builder.naming("mine"):
            v.builder.require(compare("sgt", n, 2), "there are {0} rows", [n.name])
        return v

    check(run(code, np.zeros(3)), np.zeros(3))
    with pytest.raises(bl.ShapeError, match="test.py:7:3: 'mine': there are 2 rows"):
        run(code, np.zeros(2))


def test_wrong_types():
    x, y = np.zeros(2, "f4"), np.zeros(2, "i4")
    for name in ("add", "maximum", "less"):
        with pytest.raises(TypeError, match="operands have element types f32 and i32; cast one"):
            run(getattr(program, name), x, y)
    for name in ("sqrt", "exp", "divide", "copysign", "arctan2"):
        arrays = (y,) if name in ("sqrt", "exp") else (y, y)
        with pytest.raises(TypeError, match=f"{name} takes floats, not i32"):
            run(getattr(program, name), *arrays)
    for name in ("bitwise_and", "left_shift", "right_shift"):
        with pytest.raises(TypeError, match=f"{name} takes integers"):
            run(getattr(program, name), x, x)
    with pytest.raises(TypeError, match="there is no element type 'f99'"):
        program.Builder().argument("f99", ())
    with pytest.raises(ValueError, match="axis 3 is out of bounds for array of dimension 1"):
        run(lambda v: program.sum(v, [3]), x)
    with pytest.raises(ValueError, match="an axis is given twice"):
        run(lambda v: program.sum(v, [0, -1]), x)


def test_a_gelu_and_a_softmax_are_one_kernel_each():
    builder = program.Builder()
    x = builder.argument("f32", (None, None))
    gelu = program.multiply(program.multiply(x, 0.5), program.add(program.erf(program.multiply(x, 0.7071067811865476)), 1.0))
    loom = bl.compile(builder.finish([gelu])).program.emit("loom").decode()
    assert loom.count("loom.map(") == 1 and "loom.require" not in loom
    builder2 = program.Builder()
    x = builder2.argument("f32", (None, None))
    shifted = program.exp(program.subtract(x, program.reduce("max", x, [1], True)))
    text = builder2.finish([program.divide(shifted, program.sum(shifted, [1], True))])
    loom = bl.compile(text).program.emit("loom").decode()
    assert loom.count("loom.fused_reduction") == 1 and "loom.map(" not in loom


def test_aNumberAsAnArgument():
    builder = program.Builder()
    x = builder.argument("f32", (None,))
    count = program.number_argument(builder)
    f = bl.compile(builder.finish([program.take_slice(x, 0, 0, count)]))
    np.testing.assert_array_equal(f(np.arange(5, dtype="f4"), 3), [0, 1, 2])
