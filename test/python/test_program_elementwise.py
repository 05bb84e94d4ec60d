"""The builder's element-wise functions, selections and casts, against NumPy."""

import math

import ml_dtypes
import numpy as np
import pytest
from broadloom import _program as program
from broadloom._program import _types
from built_programs import ALL, FLOATS, INTEGERS, check, numbers, run

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
    with pytest.raises(TypeError, match=r"0.5 is no integer, but the element type is i32"):
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
