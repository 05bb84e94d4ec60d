"""Decisions by extents under bl.jit whose other way raises: each call checks what the trace took for granted.

PYTEST_DONT_REWRITE: assertions are those of the functions, as users have them.
"""

import re

import broadloom as bl
import numpy as np
import pytest


def asserted(x, y):
    assert x.shape[1] == y.shape[0], f"{x.shape[1]} columns, {y.shape[0]} rows" if x.ndim else "none"
    return x @ y


def asserted_shapes(x, y):
    assert x.shape == y.T.shape
    return x @ y


def raised(x, y):
    if x.shape[1] != y.shape[0]:
        raise ValueError(f"{x.shape} and {y.shape} do not fit")
    return x @ y


def raised_for_shapes(x, y):
    if x.shape != y.T.shape:
        raise ValueError("shapes differ")
    return x @ y


def raised_behind_a_name(x, y):
    are_equal = x.shape == y.T.shape
    if not are_equal:
        raise ValueError("shapes differ")
    return x @ y


def raised_for_either(x, y):
    if not x.shape[1] or x.shape[1] != y.shape[0] or x.shape[0] < 2:
        message = "wrong"
        raise ValueError(message)
    return x @ y


def raised_where_equal_to_a_number(x, y):
    if x.shape[0] == 1:
        raise ValueError("one row")
    if x.shape != y.T.shape:
        raise ValueError("shapes differ")
    return x @ y


def raised_outside_of_a_range(x, y):
    if not 1 < x.shape[0] < 100 or not 1 < x.shape[1] == y.shape[0]:
        raise ValueError("outside")
    return x @ y


def asserted_both(x, y):
    assert x.ndim == 2 and x.shape[1] == y.shape[0] and x.shape[0] > 1
    return x @ y


def asserted_number(x, y):
    assert x.shape[0] and not x.shape[0] % 2
    assert x.shape[1] - y.shape[0] == 0
    return x @ y


def asserted_inside(x, y):
    def check(a, b):
        assert (a == b) & (b > 1), "checks of the user's own"

    check(x.shape[1], y.shape[0])
    return x @ y


def raised_where_extents_are_equal(x, y):
    rows, other = x.shape[0], y.shape
    if rows == y.shape[0] + 1 or x.shape[0] == 1:
        raise ValueError("equal")
    if rows == other[0] or rows == x.size - 4:
        raise ValueError("equal")
    return x @ y


def raised_where_shapes_are_equal(x, y):
    shape = y.shape
    if x.shape == y.shape[::-1] + (1,) or x.shape == (2, 8) or x.shape == (3, 3):
        raise ValueError("equal")
    if x.shape == shape or not x.shape != (9, 9):
        raise ValueError("equal")
    return x @ y


FUNCTIONS = (
    asserted, asserted_shapes, raised, raised_for_shapes, raised_behind_a_name, raised_for_either,
    raised_where_equal_to_a_number, raised_outside_of_a_range, asserted_both, asserted_number, asserted_inside,
)  # fmt: skip


@pytest.mark.parametrize("function", FUNCTIONS)
def test_calls_that_do_not_raise(function):
    f = bl.jit(function, optimise=False)
    for shape in ((2, 3), (4, 5), (6, 7)):
        x = np.arange(float(np.prod(shape))).reshape(shape)
        np.testing.assert_allclose(f(x, x.T), x @ x.T)
    assert f.cache_info().traces == 1


@pytest.mark.parametrize("function", FUNCTIONS)
def test_calls_that_raise(function):
    f, x = bl.jit(function, optimise=False), np.ones((2, 3))
    for y in (np.ones((4, 2)), np.ones((1, 2))):
        with pytest.raises((AssertionError, ValueError)):
            function(x, y)
        with pytest.raises(bl.ShapeError, match=r"test_jit_decisions.py:\d+:\d+: .*the function raises here, since"):
            f(x, y)


@pytest.mark.parametrize(
    "function, shape, message",
    [
        (raised_for_either, (1, 3), "since 1 < 2 is True"),
        (raised_for_either, (2, 0), "for 0, where a number is not 0"),
        (asserted_both, (1, 3), "since 1 > 1 is False"),
        (raised_where_equal_to_a_number, (1, 3), "since 1 == 1 is True"),
        (asserted_number, (3, 2), "for 1, where a number is 0"),
        (asserted_number, (0, 2), "for 0, where a number is not 0"),
    ],
)
def test_messages_have_the_numbers(function, shape, message):
    x = np.ones(shape)
    with pytest.raises((AssertionError, ValueError)):
        function(x, x.T)
    with pytest.raises(bl.ShapeError, match=re.escape(message)):
        bl.jit(function, optimise=False)(x, x.T)


def test_what_is_checked_is_known():
    """The compiler knows behind it that the shapes are equal."""

    def checked(x, y):
        assert x.shape == y.shape
        return x + y

    x = np.ones((2, 3))
    rows = [row for row in bl.jit(checked).check(x, x) if row.status == "run-time"]
    assert len(rows) == 2 and all("raises here" in row.constraint for row in rows), rows


def test_jumps_far_away():
    space = {}
    far = " + ".join(["x.shape[0]"] * 300)
    exec(f"def function(x, y):\n    if x.shape != y.shape:\n        raise ValueError({far})\n    return x + y", space)
    f = bl.jit(space["function"], optimise=False)
    np.testing.assert_array_equal(f(np.ones((2, 3)), np.ones((2, 3))), 2)
    with pytest.raises(bl.ShapeError, match="the function raises here, since 3 == 4 is False"):
        f(np.ones((2, 3)), np.ones((2, 4)))


def two_ways(x, y):
    if x.shape[0] > 2:
        x = x + 1
    return x


def returned(x, y):
    if x.shape == y.shape:
        return x
    return y


def raised_by_one_of_both(x, y):
    if x.shape[0] > 2 and x.shape[1] > 2:
        raise ValueError("large")
    return x


def asserted_order(x, y):
    assert x.shape < (3, 3)
    return x


def asserted_element(x, y):
    assert x.shape[0] in (2, 3)
    return x


class Sized:
    def __init__(self, n):
        self.n = n

    def __bool__(self):
        return bool(self.n > 2)


def asked_by_another(x, y):
    if Sized(x.shape[0]):
        raise ValueError("large")
    return x


def chosen(x, y):
    return x.shape[0] > 2 and x


@pytest.mark.parametrize(
    "function", (two_ways, returned, raised_by_one_of_both, asserted_order, asserted_element, chosen, asked_by_another)
)
def test_others_are_refused(function):
    with pytest.raises(bl.TraceError, match=r"test_jit_decisions.py:\d+:\d+: a decision by an extent cannot be traced"):
        bl.jit(function)(np.ones((2, 3)), np.ones((3, 2)))
