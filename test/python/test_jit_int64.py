"""What NumPy makes of extents as numbers of its own: they meet arrays as int64 does, and remain numbers of shapes."""

import itertools

import broadloom as bl
import numpy as np
import pytest

FLOATS = np.arange(12, dtype="f4").reshape(3, 4)
INTEGERS = np.full((3, 4), 2**30, "i4")


def agrees(function, *arguments):
    """Whether bl.jit gives what NumPy does, in its type."""
    with np.errstate(all="ignore"):
        expected, found = np.asarray(function(*arguments)), bl.jit(function, optimise=False)(*arguments)
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
    np.testing.assert_allclose(found, expected, rtol=1e-6)


OPERATIONS = {
    "+": lambda x, y: x + y,
    "-": lambda x, y: x - y,
    "*": lambda x, y: x * y,
    "//": lambda x, y: x // y,
    "%": lambda x, y: x % y,
    "**": lambda x, y: x**y,
    "divmod": lambda x, y: sum(divmod(x, y)),
    "numpy.add": np.add,
    "numpy.floor_divide": np.floor_divide,
    "numpy.power": np.power,
}


@pytest.mark.parametrize("name", OPERATIONS)
def test_a_number_of_numpys_makes_one(name):
    pairs = itertools.permutations(
        [
            lambda x: x.shape[1],
            lambda x: np.prod(x.shape),
            lambda x: np.int64(2),
            lambda x: 3,
            lambda x: np.longlong(3),
        ],
        2,
    )

    def function(x):
        # What is of Python's alone has the array's type.
        return tuple(x * OPERATIONS[name](left(x), right(x)) for left, right in listed)

    listed = list(pairs)
    for array in (FLOATS, INTEGERS):
        with np.errstate(all="ignore"):
            expected = function(array)
        found = bl.jit(function, optimise=False)(array)
        assert [f.dtype for f in found] == [e.dtype for e in expected]
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize(
    "function",
    [
        lambda x: x * np.prod(x.shape),
        lambda x: x * np.prod(x.shape[:1]),
        lambda x: x * np.prod(x[1:].shape[-1:]),
        lambda x: x * np.prod((2,) + x.shape),
        lambda x: x * np.prod(x.shape * 2),
        lambda x: x * np.prod([x.shape[0], 2]),
        lambda x: x * np.prod((x.shape[0], 2.5)),
        lambda x: x * np.prod((x.shape[0], np.float32(2))) + np.sum([np.float32(2), x.shape[0]]),
        lambda x: x * np.prod([x.shape[0]]) + np.sum((x.shape[1],)),
        lambda x: x * np.prod([n for n in x.shape if n is not None]) * np.prod([[x.shape[0]], [2]]),
        lambda x: (
            x * np.sum([[x.shape[0]]], axis=0) + np.sum([[x.shape[0], 1], [2, x.size]], axis=1, keepdims=True)[:1]
        ),
        lambda x: x * np.prod([x.shape[0], 2], dtype=np.int16) + np.sum([x.shape[0]], dtype="f4"),
        lambda x: x * np.max([x.shape[0], x.shape[1], 2]) - np.min((7, x.shape[0])) + np.max([x.shape[1]], axis=0),
        lambda x: x * np.max([x.shape[0], 2.5]) + np.min([np.float32(2.5), x.shape[0], np.int8(4)]),
        lambda x: x * np.max([x.shape[0], 2], initial=9) + np.amin([x.shape[0], 8], keepdims=True),
        lambda x: np.where(np.max([x.shape[0] > 2, x.shape[1] > 9]), x, 0) + np.sum([x.shape[0] > 2, True]),
        lambda x: x + np.sum([x, x * x.shape[0]], axis=0) * np.max([x[0, 1], x.shape[1]]),
        lambda x: x * np.sum(x.shape),
        lambda x: x * np.max(x.shape),
        lambda x: x * np.mean(x.shape),
        lambda x: np.cumprod(x.shape),
        lambda x: np.argmax(x.shape) + x,
        lambda x: x * -np.prod(x.shape) + abs(3 - np.sum(x.shape)),
        lambda x: x * round(np.prod(x.shape)),
        lambda x: x * ~np.prod(x.shape),
        lambda x: x * (np.prod(x.shape) & 5 | np.int64(2)) ** 2,
        lambda x: x * (x.shape[0] & np.int64(1)),
        lambda x: np.prod(x.shape).astype("f4") * x,
        lambda x: np.where(np.prod(x.shape) > 11, x, 0),
        lambda x: np.where(np.prod(x.shape) != x.shape[0], x, 0),
        lambda x: x / np.prod(x.shape) + x.shape[0] / np.int64(2),
        lambda x: np.full_like(x, np.prod(x.shape) + 2**32, dtype=np.int8),
        lambda x: x * (np.int64(2) * x.shape[0] - np.prod(x.shape) + x.shape[1]),
    ],
)
@pytest.mark.parametrize("array", (FLOATS, INTEGERS), ids=("f4", "i4"))
def test_types(function, array):
    agrees(function, array)


@pytest.mark.parametrize(
    "function",
    [
        lambda x: x.reshape(np.prod(x.shape)),
        lambda x: x.reshape(-1, np.prod(x.shape[1:])),
        lambda x: x.reshape(np.int64(2) * x.shape[0], -1),
        lambda x: x[: np.sum(x.shape) - 5],
        lambda x: x[np.prod(x.shape) - 11],
        lambda x: x.reshape(np.prod([x.shape[0]]), np.max([x.shape[1]])),
        lambda x: np.broadcast_to(x[0], (np.add(x.shape[0], 2), x.shape[1])),
        lambda x: np.tile(np.ones(2), x.shape),
    ],
)
def test_they_are_numbers_of_shapes(function):
    agrees(function, FLOATS)


@pytest.mark.parametrize("rows", (3, 5))
@pytest.mark.parametrize(
    "function",
    [
        lambda x: np.prod(x.shape) // (x.shape[0] - 3),
        lambda x: np.int64(7) % (x.shape[0] - 3),
        lambda x: np.int64(7) // (x.shape[0] - 4),
        lambda x: np.prod(x.shape) // 0 + x.shape[0] % np.int64(0),
        lambda x: np.stack(np.divmod(x.shape[0], x.shape[0] - 3)),
    ],
)
def test_numbers_of_numpys_over_0_are_0(function, rows):
    agrees(function, np.ones((rows, 4)))


def test_extents_over_0():
    with pytest.raises(ZeroDivisionError, match=r"test_jit_int64.py:\d+:\d+: n // 0 of an extent n divides by 0"):
        bl.jit(lambda x: x.shape[0] // 0)(FLOATS)
    with pytest.raises(ZeroDivisionError, match=r"n % 0 of an extent n divides by 0"):
        bl.jit(lambda x: x * (x.shape[0] % 0))(FLOATS)
    f = bl.jit(lambda x: (x.shape[0] // x.shape[1], 7 % (x.shape[1] - 2)), optimise=False)
    assert f(FLOATS) == (0, 1)
    with pytest.raises(
        bl.ShapeError, match=r"test_jit_int64.py:\d+:\d+: 'extents': n // 0, which is computed of extents, div"
    ):
        f(FLOATS[:, :0])
    with pytest.raises(bl.ShapeError, match=r"7 % 0, which is computed of extents, divides by 0"):
        f(FLOATS[:, :2])


def test_powers_of_numpys_are_integers():
    with pytest.raises(ValueError, match=r"test_jit_int64.py:\d+:\d+: integers to negative integer powers"):
        bl.jit(lambda x: x.shape[0] ** np.int64(-1))(FLOATS)
    f = bl.jit(lambda x: x * np.int64(2) ** (x.shape[0] - 3), optimise=False)
    assert f(FLOATS).dtype == np.float64
    with pytest.raises(bl.ShapeError, match="integers to the power -1, which is computed of extents, are not allowed"):
        f(FLOATS[:2])
    with pytest.raises(TypeError, match="unsupported operand"):
        bl.jit(lambda x: x * pow(np.prod(x.shape), 2, 5))(FLOATS)


def test_they_do_not_wrap():
    f = bl.jit(lambda x: np.prod(x.shape) ** 8, optimise=False)
    assert f(np.ones((5, 5))) == np.int64(25) ** 8
    with pytest.raises(bl.ShapeError, match=r"400 .* is beyond 64 bits"):
        f(np.ones((20, 20)))


def test_numpy_is_its_own_outside_of_a_trace():
    function = np._core.fromnumeric._wrapreduction
    within = bl.jit(lambda x: (x, np._core.fromnumeric._wrapreduction is function, np.max([3, 4])), optimise=False)(
        FLOATS
    )
    assert within[1:] == (False, 4) and np._core.fromnumeric._wrapreduction is function
    with pytest.raises(bl.TraceError):
        bl.jit(lambda x: float(x))(FLOATS)
    assert np._core.fromnumeric._wrapreduction is function


def test_a_shape_is_returned_as_a_tuple():
    shape, rest = bl.jit(lambda x: (x.shape, x.shape[1:]))(FLOATS)
    assert (type(shape), shape, rest) == (tuple, (3, 4), (4,))
