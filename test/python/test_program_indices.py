"""The builder's functions of indices: scatters, diagonals, windows, searches, and padding with
an axis's own elements; and numbers with fractions that a call tells."""

import math

import broadloom as bl
import numpy as np
import pytest
from broadloom import _program as program
from built_programs import check, numbers, run

SHAPES = [(4, 5), (2, 3), (7, 1), (1, 6), (9, 11)]


def program_of(code, *ranks, element="f32"):
    """One program for all extents."""
    builder = program.Builder()
    kinds = [rank if isinstance(rank, tuple) else (element, rank) for rank in ranks]
    values = [builder.argument(kind, [None] * rank) for kind, rank in kinds]
    return bl.compile(builder.finish([code(*values)]))


# Scatters.


def put(x, indices, updates, combine):
    x = x.copy()
    for at in np.ndindex(updates.shape):
        index = tuple(at[p] if isinstance(p, int) else p[0][tuple(at[a] for a in p[1])] for p in indices)
        x[index] = updates[at] if combine is None else combine(x[index], updates[at])
    return x


COMBINE = {None: None, "sum": np.add, "product": np.multiply, "max": np.maximum, "min": np.minimum}


@pytest.mark.parametrize("element", ["f32", "f64", "i8", "i64", "ui8"])
@pytest.mark.parametrize("kind", COMBINE)
def test_scatter(kind, element):
    f = program_of(
        lambda x, u, i: program.scatter(x, u, [(i, [0, 1]), 1], kind), (element, 2), (element, 2), ("i64", 2)
    )
    for rows, columns in SHAPES:
        x, updates = numbers(element, rows, columns), numbers(element, 3, columns, seed=1)
        at = np.random.default_rng(2).integers(-rows, rows, (3, columns))
        check(f(x, updates, at), put(x, [(at, (0, 1)), 1], updates, COMBINE[kind]))


def test_scatter_of_one_update():
    x = np.arange(12, dtype="f4").reshape(3, 4)
    code = lambda x, u, i, j: program.scatter(x, u, [(i, ()), (j, ())])
    found = run(code, x, np.float32(7), np.int64(1), np.int32(-1))
    x[1, -1] = 7
    check(found, x)


def test_scatter_of_booleans():
    x = np.array([True, False, True, False])
    at, updates = np.array([0, 1, 1]), np.array([False, True, False])
    for kind, expected in ((None, [0, 0, 1, 0]), ("max", [1, 1, 1, 0]), ("min", [0, 0, 1, 0])):
        found = run(lambda x, u, i: program.scatter(x, u, [(i, [0])], kind), x, updates, at)
        check(found, np.array(expected, bool))
    with pytest.raises(TypeError, match="scattered sum takes numbers, not i1"):
        run(lambda x, u, i: program.scatter(x, u, [(i, [0])], "sum"), x, updates, at)


@pytest.mark.parametrize(
    "index, said", [(5, "index 5 is outside axis 0, which has extent 5"), (-6, "index -6 is outside axis 0")]
)
def test_scatter_outside_of_the_axis(index, said):
    with pytest.raises(bl.ShapeError, match=said):
        run(
            lambda x, u, i: program.scatter(x, u, [(i, [0])]), np.zeros(5, "f4"), np.ones(2, "f4"), np.array([0, index])
        )


def test_scatter_of_other_elements():
    with pytest.raises(TypeError, match="scatter: operands have element types f32 and f64; cast one"):
        run(lambda x, u, i: program.scatter(x, u, [(i, [0])]), np.zeros(5, "f4"), np.ones(2), np.array([0, 1]))


# Diagonals and windows.


@pytest.mark.parametrize("offset", [0, 1, -2, 8, -9])
def test_diagonal(offset):
    f = program_of(lambda x: program.diagonal(x, 2, 0, offset), 3)
    for rows, columns in SHAPES:
        x = numbers("f32", rows, 2, columns)
        check(f(x), np.diagonal(x, offset, 2, 0))


def test_diagonal_of_one_axis():
    with pytest.raises(ValueError, match="a diagonal is of two axes, not of axis 1 twice"):
        run(lambda x: program.diagonal(x, 1, -1), np.zeros((2, 3), "f4"))


@pytest.mark.parametrize("size, step", [(1, 1), (3, 1), (2, 2), (2, 3)])
def test_windows(size, step):
    f = program_of(lambda x: program.windows(x, 0, size, step), 2)
    for rows, columns in SHAPES:
        x = numbers("f32", rows, columns)
        if rows >= size:
            check(f(x), np.lib.stride_tricks.sliding_window_view(x, size, 0)[::step])
            continue
        with pytest.raises(
            bl.ShapeError, match=f"a window of {size} elements is longer than the axis, which has {rows}"
        ):
            f(x)


# Searches.


@pytest.mark.parametrize("right", [False, True])
def test_search(right):
    f = program_of(lambda o, x: program.search(o, x, right), 1, 2)
    for rows, columns in SHAPES:
        ordered = np.sort(np.round(numbers("f32", columns)))
        x = np.round(numbers("f32", rows, columns, seed=3))
        x[0, 0] = np.nan
        check(f(ordered, x), np.searchsorted(ordered, x, "right" if right else "left"))


def test_search_of_rows():
    f = program_of(lambda o, x: program.search(o, x, shared=True), 2, 2)
    for rows, columns in SHAPES:
        ordered, x = np.sort(numbers("f32", rows, columns)), numbers("f32", rows, 3, seed=3)
        check(f(ordered, x), np.stack([np.searchsorted(o, v) for o, v in zip(ordered, x)]))


# Padding.


@pytest.mark.parametrize("mode", ["edge", "wrap", "reflect", "symmetric"])
@pytest.mark.parametrize("low, high", [(1, 2), (0, 3), (7, 9), (2, 0)])
def test_pad_by_place(mode, low, high):
    f = program_of(lambda x: program.pad_by_place(x, [0, low], [0, high], mode), 2)
    for shape in SHAPES:
        x = numbers("f32", *shape)
        check(f(x), np.pad(x, ((0, 0), (low, high)), mode=mode))


# Numbers with fractions.

REALS = [
    ("quotient", lambda n, m: n / m, lambda n, m: n / m),
    ("of a number", lambda n, m: 7 / n + m / 2 - 1, lambda n, m: 7 / n + m / 2 - 1),
    ("root", lambda n, m: program.FUNCTIONS["sqrt"](n) * m, lambda n, m: math.sqrt(n) * m),
    ("power", lambda n, m: (n / m) ** 0.5 + (n / m) ** 3, lambda n, m: (n / m) ** 0.5 + (n / m) ** 3),
    (
        "extremes",
        lambda n, m: program.FUNCTIONS["max"](n / 2, m, 1) + program.FUNCTIONS["min"](n, m),
        lambda n, m: max(n / 2, m, 1) + min(n, m),
    ),
    ("minus", lambda n, m: -(n / m) - 1.5, lambda n, m: -(n / m) - 1.5),
    ("exact", lambda n, m: program.FUNCTIONS["float"](n) * 1.5 + 0.25, lambda n, m: n * 1.5 + 0.25),
]


@pytest.mark.parametrize("code, expected", [r[1:] for r in REALS], ids=[r[0] for r in REALS])
def test_real(code, expected):
    """As an operand, and as a tensor."""
    multiply = program_of(lambda x: program.multiply(x, code(*program.extents(x))), 2, element="f64")
    scalar = program_of(lambda x: program.scalar(x.builder, code(*program.extents(x)), "f32"), 2)
    for n, m in SHAPES:
        check(multiply(np.full((n, m), 2.0)), np.full((n, m), 2.0) * expected(n, m), ulp=4)
        check(scalar(np.zeros((n, m), "f4")), np.float32(expected(n, m)).reshape(()), ulp=4)


ROUNDED = {
    "trunc": math.trunc,
    "floor": math.floor,
    "ceil": math.ceil,
    "round": round,
}


@pytest.mark.parametrize("name", ROUNDED)
@pytest.mark.parametrize("factor", [0.5, 1.5, 0.25, 0.7, 1 / 3, 2.0, -0.5])
def test_rounded_extents(name, factor):
    """What a number with a fraction comes to is an extent."""
    round_to = program.FUNCTIONS[name]
    f = program_of(
        lambda x: program.iota(
            x.builder, abs_of(round_to(program.FUNCTIONS["float"](program.extent(x, 0)) * factor)), "i64"
        ),
        1,
    )
    for n in (1, 2, 3, 5, 10, 30):
        check(f(np.zeros(n, "f4")), np.arange(abs(ROUNDED[name](n * factor))))


def abs_of(number):
    return program.largest(number, 0 - number)


def test_exact_products_are_extents():
    """No float is computed where a product with a small fraction is rounded."""
    builder = program.Builder()
    x = builder.argument("f32", [None])
    made = program.FUNCTIONS["trunc"](program.FUNCTIONS["float"](program.extent(x, 0)) * 1.5)
    text = builder.finish([program.iota(builder, made, "i64")])
    assert "f64" not in text and "arith.floordivsi" in text


def test_reals_are_no_integers():
    with pytest.raises(TypeError, match="a number with a fraction is no i32; cast the operands to a float"):
        run(lambda x: program.multiply(x, program.extent(x, 0) / 2), np.zeros(3, "i4"))
    with pytest.raises(TypeError):
        run(lambda x: program.extent(x, 0) / "2", np.zeros(3, "f4"))


# Lengths.


def test_hypot():
    x = np.array([3, 0, 1e300, np.inf, np.nan, -5e-324], "f8")
    y = np.array([4, 0, 1e300, np.nan, np.inf, 0], "f8")
    check(run(program.hypot, x, y), np.hypot(x, y), ulp=2)
