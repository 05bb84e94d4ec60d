"""Extents under bl.jit are numbers as Python's are: they do not wrap, their powers may be fractions, and they take
the type of what they meet."""

import math
import numbers
import types

import broadloom as bl
import numpy as np
import pytest

CONSTANT = np.array([1.0, 2, 4])
LARGE = np.zeros(60000, "i1")


def agrees(function, *arguments):
    """Whether bl.jit gives what NumPy does, in its type."""
    expected, found = np.asarray(function(*arguments)), np.asarray(bl.jit(function, optimise=False)(*arguments))
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
    np.testing.assert_allclose(
        found.astype("f8"), expected.astype("f8"), rtol=1e-15 if expected.dtype == "f8" else 1e-6
    )


@pytest.mark.parametrize(
    "function",
    [
        lambda x: x.sum() * 12.0 / x.shape[0] ** 4,
        lambda x: x.size**3 * (x.size - 1) / 7,
        lambda x: 1 - 6.0 / (x.size**5 - x.size),
        lambda x: 1.0 / x.shape[0] ** 7 + x.shape[0] ** 5 * 0.5,
        lambda x: x.astype("f4") + (x.shape[0] + 1) ** 4,
        lambda x: x.astype("f8") * 10**30 + x.shape[0] * 10**30,
        lambda x: np.multiply(x.shape[0] ** 4, np.float32(3)),
        lambda x: -(x.shape[0] ** 5) / 3,
        lambda x: (x.shape[0] ** 5 - x.shape[0] ** 5 + 3) / 2,
    ],
)
@pytest.mark.parametrize("count", (3, 60000))
def test_floats_of_integers_beyond_64_bits(function, count):
    agrees(function, LARGE[:count])


@pytest.mark.parametrize(
    "function, fits, beyond, message",
    [
        (
            lambda x: x.size**3 * (x.size - 1),
            50000,
            60000,
            r"216000000000000 \* 59999, an integer that is computed of ",
        ),
        (lambda x: x.shape[0] * 10**18, 9, 100, r"100 \* 1000000000000000000, an integer .* is beyond 64 bits"),
        (
            lambda x: x.shape[0] ** 4,
            55108,
            55109,
            r"55109 \*\* 4, an integer .* is beyond 64 bits; compute it in floats",
        ),
        (lambda x: (1 - x.shape[0]) ** 5, 6000, 7000, r"-6999 \*\* 5, an integer .* is beyond 64 bits"),
        (lambda x: 2 ** x.shape[0], 62, 70, r"2 \*\* 70, an integer .* is beyond 64 bits; compute .* as in 2.0 \*\* n"),
        (lambda x: (-3) ** x.shape[0], 39, 40, r"-3 \*\* 40, an integer"),
        (
            lambda x: x.shape[0] ** (x.shape[0] // 10),
            30,
            200,
            r"200 \*\* 20, which is computed of extents, is no integer",
        ),
        (lambda x: x + x.shape[0] ** 5, 20, 60000, r"60000 \*\* 5, an integer"),
        (lambda x: np.zeros_like(x).astype(int) + x.size**4, 20, 60000, r"60000 \*\* 4, an integer"),
        (lambda x: x.shape[0] ** 4 // x.shape[0], 20, 60000, r"60000 \*\* 4, an integer"),
        (lambda x: abs(1 - x.shape[0] ** 4), 20, 60000, r"60000 \*\* 4, an integer"),
        (lambda x: x[: x.shape[0] ** 4 - 5], 20, 60000, r"60000 \*\* 4, an integer"),
    ],
)
def test_integers_beyond_64_bits_are_errors(function, fits, beyond, message):
    f = bl.jit(function, optimise=False)
    np.testing.assert_array_equal(f(LARGE[:fits].astype(int)), function(LARGE[:fits].astype(int)))
    with pytest.raises(bl.ShapeError, match=r"test_jit_extents.py:\d+:\d+: .*" + message):
        f(LARGE[:beyond].astype(int))


@pytest.mark.parametrize(
    "function",
    [
        lambda x: x.shape[0] // (2**64 - 1),
        lambda x: x.shape[0] // 2**70 + x.shape[0] % (2**64 - 1),
        lambda x: np.stack(divmod(x.shape[0], 10**400)),
        lambda x: x[: x.shape[0] % 2**70],
        lambda x: (x.shape[0] + 2**70) * 1.0 - x * (x.shape[0] * 2.0**63),
        lambda x: 2**63 - x.shape[0],
        lambda x: 0 * x.shape[0] ** 9 + 1,
        lambda x: (2**64) ** x.shape[0] * 1.0,
        lambda x: (-(2**64)) ** x.shape[0] * 1.0,
        lambda x: x / (10**30) ** x.shape[0],
        lambda x: x.sum() / (10**20) ** x.shape[0],
        lambda x: (2**64) ** (x.shape[0] - 2) + (10**400) ** (x.shape[0] - 2),
        lambda x: x * (10**400) ** (x.shape[0] - 2),
        lambda x: (2**64) ** (x.shape[0] - 3) * x,
        lambda x: (-(2**63)) ** (x.shape[0] - 1),
        lambda x: (-x.shape[0]) ** 63,
        lambda x: (-2) ** (x.shape[0] + 61),
        lambda x: (-x.shape[0]) ** (21 * x.shape[1]),
        lambda x: (x.shape[0] - 1) ** (33 * x.shape[1] + 1) + (x.shape[0] - 3) ** (33 * x.shape[1]),
        lambda x: (x.shape[0] - 3) ** 1001 + (x.shape[0] - 2) ** 1000 + (x.shape[0] - 1) ** 65,
        lambda x: (x.shape[0] - 1) ** 2**70,
        lambda x: pow(x.shape[0], 100, 5) + pow(x.shape[0] + 1, 2**70 + 1, -7) + pow(x.shape[0], 0, 1),
    ],
)
def test_numbers_of_pythons_beyond_64_bits(function):
    agrees(function, np.arange(6.0).reshape(2, 3) + 1)


@pytest.mark.parametrize(
    "function, message",
    [
        (
            lambda x: 2**70 // x.shape[0],
            "1180591620717411303424 is beyond the 64 bits of integers .*; compute in floats, as",
        ),
        (lambda x: x[: 2**70 // x.shape[0]], "1180591620717411303424 is beyond the 64 bits of integers"),
        (lambda x: 12345678901234567890 % (x.shape[0] + 7), "12345678901234567890 is beyond the 64 bits of integers"),
        (lambda x: (x.shape[0] - 5) % 10**400, "a number of 1329 bits is beyond the 64 bits of integers"),
        (lambda x: 2 ** (x.shape[0] * 40) // 2**70, "1180591620717411303424 is beyond the 64 bits of integers"),
        (
            lambda x: x.shape[0] + 2**70,
            r"n \+ 1180591620717411303424, an integer .* is beyond 64 bits; compute it in floats",
        ),
        (lambda x: x[: 2**64 - x.shape[0]], "18446744073709551616 - n, an integer .* is beyond 64 bits"),
        (lambda x: (x.shape[0] + 2) ** 100, r"n \*\* 100, an integer .* is beyond 64 bits"),
        (
            lambda x: pow(x.shape[0], -1, 5),
            r"the inverse of an extent in pow\(n, -1, m\) cannot be traced; use an exponent",
        ),
    ],
)
def test_what_no_call_has_64_bits_for_is_refused(function, message):
    with pytest.raises(bl.TraceError, match=r"test_jit_extents.py:\d+:\d+: .*" + message):
        bl.jit(function)(np.ones((2, 3)))


@pytest.mark.parametrize(
    "function, message",
    [
        (lambda x: x.shape[0] * 2**70, r"2 \* 1180591620717411303424, an integer .* is beyond 64 bits"),
        (
            lambda x: (2**64) ** x.shape[0],
            r"18446744073709551616 \*\* 2, an integer .* as in 1.8446744073709552e\+19 \*\* n",
        ),
        (
            lambda x: (10**400) ** x.shape[0],
            r"a number of 1329 bits \*\* 2, an integer .* is beyond 64 bits; compute it",
        ),
        (lambda x: (2**63) ** (x.shape[0] - 3), r"9223372036854775808 \*\* -1 is no integer"),
        (lambda x: (-x.shape[0]) ** 64, r"-2 \*\* 64, an integer .* is beyond 64 bits"),
        (lambda x: x.shape[0] ** 63, r"2 \*\* 63, an integer .* is beyond 64 bits"),
        (lambda x: (-1) ** (10**15) ** x.shape[0], r"1000000000000000 \*\* 2, an integer .* is beyond 64 bits"),
        (lambda x: (2**64) ** x.shape[0] // 5, r"18446744073709551616 \*\* 2, an integer .* is beyond 64 bits"),
        (
            lambda x: (-x.shape[0]) ** 63 // (1 - x.shape[0]),
            r"-\(-9223372036854775808\), an integer .* is beyond 64 bits",
        ),
        (lambda x: abs((-x.shape[0]) ** 63), r"-\(-9223372036854775808\), an integer .* is beyond 64 bits"),
    ],
)
def test_what_a_call_has_no_64_bits_for_is_an_error(function, message):
    with pytest.raises(bl.ShapeError, match=r"test_jit_extents.py:\d+:\d+: .*" + message):
        bl.jit(function)(np.ones((2, 3)))


@pytest.mark.parametrize(
    "function",
    [
        lambda x: 0 ** (x.shape[0] - 3),
        lambda x: 0 ** (x.shape[0] - 3) * 1.0,
        lambda x: 0 ** (2 - 2 * x.shape[0]),
        lambda x: (x.shape[0] - 2) ** (x.shape[0] - 3),
    ],
)
def test_0_has_no_negative_powers(function):
    f = bl.jit(function)
    with pytest.raises(ZeroDivisionError):
        function(np.ones((2, 3)))
    with pytest.raises(bl.ShapeError, match=r"0 \*\* -[12], "):
        f(np.ones((2, 3)))


def test_powers_of_0_are_numbers():
    f = bl.jit(lambda x: 0 ** (x.shape[0] - 3) + 0.5)
    assert [float(f(np.ones(n))) for n in (3, 4)] == [1.5, 0.5]


def test_products_of_one_arguments_extents_need_no_check():
    f = bl.jit(lambda x: x.reshape(x.shape[0] * x.shape[1], x.shape[2]) * (x.size // 2))
    x = np.arange(24.0).reshape(2, 3, 4)
    np.testing.assert_array_equal(f(x), x.reshape(6, 4) * 12)
    assert not [row for row in f.check(x) if row.status == "run-time"]


@pytest.mark.parametrize(
    "function",
    [
        lambda x: x * 2 ** -x.shape[0],
        lambda x: x * 2 ** (x.shape[0] - 4),
        lambda x: x * (-2) ** (x.shape[0] - 4),
        lambda x: x.shape[0] ** -1,
        lambda x: x.shape[0] ** -2 * x,
        lambda x: (x.shape[0] + 1) ** -x.shape[0],
        lambda x: 2.0 ** (x.shape[0] - 4),
        lambda x: x.shape[0] ** 0.5,
        lambda x: x.shape[0] ** 0,
        lambda x: 0 ** x.shape[0] + 1 ** x.shape[0] + (-1) ** x.shape[0],
        lambda x: 3 ** x.shape[0] + x.shape[0] ** 3 + x.shape[0] ** x.shape[0],
        lambda x: pow(x.shape[0], 2, 5),
        lambda x: abs(2 - x.shape[0]) + round(x.shape[0]) + math.floor(x.shape[0]) + ~x.shape[0],
        lambda x: np.stack(divmod(x.shape[0], 2) + divmod(7, x.shape[0])),
        lambda x: x.shape[0] * True + (x.shape[0] + True),
    ],
)
def test_operators_are_pythons(function):
    agrees(function, np.array([1.0, 2, 3]))


@pytest.mark.parametrize(
    "function",
    [
        lambda x: x[0] ** x.shape[0] + CONSTANT ** x.shape[0],
        lambda x: CONSTANT ** (x.shape[0] - 5.0),
        lambda x: x.shape[0] ** CONSTANT + x.shape[0] / CONSTANT - CONSTANT // x.shape[0],
        lambda x: np.float32(2) ** -x.shape[0],
        lambda x: np.int64(2) ** x.shape[0] + CONSTANT.astype(int) ** (x.shape[0] - 2),
        lambda x: x.shape[0] & CONSTANT.astype(int) | x.shape[0],
        lambda x: CONSTANT.astype(int) << x.shape[0],
        lambda x: x.reshape(np.prod(x.shape)) * np.sum(x.shape),
        lambda x: x.reshape(math.prod(x.shape)) * sum(x.shape),
        lambda x: (x.shape[0] - 5) // -4 + (x.shape[0] - 5) % 4 - (-7 // x.shape[0]) + -7 % x.shape[0],
        lambda x: np.concatenate([x, x]).shape[0] * 3 + np.concatenate([x, x]).size / 3,
    ],
)
def test_operators_with_constants(function):
    agrees(function, np.arange(6.0).reshape(2, 3) + 1)


def test_powers_of_integers_are_not_negative():
    f = bl.jit(lambda x: x ** (x.shape[0] - 3))
    np.testing.assert_array_equal(f(np.arange(4)), np.arange(4))
    with pytest.raises(
        ValueError, match="integers to the power -1, which is computed of extents, are not allowed; cast"
    ):
        f(np.arange(2))


def test_a_negative_power_is_no_integer():
    f = bl.jit(lambda x: 2 ** (x.shape[0] - 4))
    assert f(np.zeros(6)) == 4
    with pytest.raises(bl.ShapeError, match=r"2 \*\* -1 is no integer; make a float of it, as in 2.0 \*\* n"):
        f(np.zeros(3))


@pytest.mark.parametrize("dtype", ("i1", "u2", "i8", "f2", "f4", "f8"))
def test_numpys_numbers_keep_their_type(dtype):
    number = np.dtype(dtype).type(3)
    agrees(lambda x: number * x.shape[0], LARGE[:5])
    agrees(lambda x: number + x.shape[0] - number, LARGE[:5])
    agrees(lambda x: x.astype(dtype) * (number * x.shape[0]), LARGE[:5])
    agrees(lambda x: np.maximum(x.shape[0], number), LARGE[:5])
    agrees(lambda x: x.shape[0] / number, LARGE[:5])


@pytest.mark.parametrize(
    "function",
    [
        lambda x: x + x.shape[0] * 100,
        lambda x: np.full_like(x, x.shape[0] * 100),
        lambda x: np.uint8(1) * (x.shape[0] * 100),
        lambda x: np.maximum(x, x.shape[0] * 100),
    ],
)
def test_an_integer_type_must_have_the_extent(function):
    x = np.ones(3, "u1")
    f = bl.jit(function)
    np.testing.assert_array_equal(f(x[:2]), function(x[:2]))
    with pytest.raises(OverflowError):
        function(x)
    with pytest.raises(ValueError, match="the integer 300, which is computed of extents, is out of bounds for uint8"):
        f(x)


@pytest.mark.parametrize("dtype", ("u1", "i1", "u8", "i8", "f4", "?"))
def test_comparisons_with_extents_are_of_the_numbers(dtype):
    x = np.ones(3, dtype)
    for function in (lambda x: x < x.shape[0] * 100, lambda x: x.shape[0] - 5 > x, lambda x: x == x.shape[0] - 2):
        agrees(function, x)
    agrees(lambda x: np.logical_and(x, x.shape[0] * 2), x)


#: Functions of NumPy's by other names than NumPy's own, which read numbers themselves.
NAMES = types.SimpleNamespace(array=np.array, asarray=np.asarray, zeros=np.zeros)


def test_lists_of_extents_are_arrays():
    x = np.zeros((3, 2))
    agrees(lambda x: np.stack([x.shape[0], x.shape[1]]), x)
    agrees(lambda x: np.stack(x.shape) * 0.5, x)
    agrees(lambda x: np.sqrt(x.shape[0]) + np.log(x.shape[1]), x)


@pytest.mark.parametrize(
    "function, message",
    [
        (
            lambda x: NAMES.array(x.shape),
            r"an array of NumPy's from an extent cannot be traced; write np.stack\(\[x.shape",
        ),
        (lambda x: NAMES.asarray(x.shape[0]), "an array of NumPy's from an extent cannot be traced"),
        (lambda x: {4: x}[x.shape[0]], "an extent as the key of a dictionary or the element of a set cannot be traced"),
        (lambda x: {x.shape[0]: x}, "an extent as the key of a dictionary or the element of a set cannot be traced"),
        (lambda x: f"{x.shape[0]:3d}", "an extent as text cannot be traced"),
        (lambda x: x.shape[0] & 1, "bits of an extent cannot be traced; use //, % and"),
        (lambda x: 1 << x.shape[0], "bits of an extent cannot be traced; use //, % and"),
        (lambda x: round(x.shape[0], -1), "a rounded extent cannot be traced"),
        (
            lambda x: float(x.shape[0]),
            r"an extent as a float of Python's cannot be traced; write 1.0 \* n; np.sqrt, np.log",
        ),
        (lambda x: math.sqrt(x.shape[0]), "an extent as a float of Python's cannot be traced"),
        (
            lambda x: int(x.shape[0]),
            "an extent as a number of Python's cannot be traced; leave it a number of the trace",
        ),
        (
            lambda x: sum(x[i] for i in range(x.shape[0])),
            r".*bl.fori_loop\(0, n, body, init\) is a loop over range\(n\)",
        ),
        (
            lambda x: NAMES.zeros(x.shape),
            r".*; functions of NumPy's take extents where they are called as np.zeros\(\(n, 2\)\)",
        ),
        (
            lambda x: math.ceil(x.shape[0] / 2),
            r"a number .* from a float that is computed of extents .*-\(-n // 2\) is math.ceil",
        ),
        (lambda x: round(x.shape[0] * 0.5), "a rounded float that is computed of extents cannot be traced"),
        (lambda x: x.shape[0].bit_length(), r"bit_length\(\) of an extent cannot be traced"),
        (
            lambda x: x if x.shape[0] > 3 else -x,
            "a decision by an extent cannot be traced; one trace serves all shapes",
        ),
        (lambda x: min(x.shape), "a decision by an extent cannot .* np.minimum and np.maximum in place of min"),
        (lambda x: x if x.shape == (3, 2) else -x, "a decision by an extent cannot be traced"),
        (lambda x: x if 3 in x.shape else -x, "a decision by an extent cannot be traced"),
        (lambda x: sorted(x.shape), "a decision by an extent cannot be traced"),
        (lambda x: [x, -x][x.shape[0] > 3], "an extent as a number of Python's cannot be traced"),
        (lambda x: (x.shape[0] > 1) & 3, "bits of an extent cannot be traced"),
    ],
)
def test_what_needs_the_number_is_refused(function, message):
    with pytest.raises(bl.TraceError, match=r"test_jit_extents.py:\d+:\d+: " + message):
        bl.jit(function)(np.zeros((3, 2)))


def test_extents_are_integers():
    def function(x):
        n = x.shape[0]
        assert isinstance(n, numbers.Integral) and n.imag == 0 and n.real is n and n != "name" and n is not None
        return x * n.numerator / n.denominator

    agrees(function, np.ones(3))
