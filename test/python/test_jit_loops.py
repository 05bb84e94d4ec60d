"""Loops of bl.jit that are not unrolled: bl.fori_loop, bl.while_loop and bl.scan give what Python's loops over NumPy's
arrays give, for any number of steps, and say what cannot be carried."""

import re
from typing import NamedTuple

import broadloom as bl
import numpy as np
import pytest

X = np.arange(12.0).reshape(3, 4) + 1
TABLE = np.arange(20.0) ** 2


def flatten(tree):
    if isinstance(tree, dict):
        tree = list(tree.values())
    return [leaf for child in tree for leaf in flatten(child)] if isinstance(tree, (tuple, list)) else [tree]


def agree(found, expected):
    found, expected = flatten(found), flatten(expected)
    assert len(found) == len(expected)
    for one, other in zip(found, expected):
        assert (one is None) == (other is None)
        if isinstance(other, str):
            assert one == other
        elif other is not None:
            assert (np.asarray(one).dtype, np.shape(one)) == (np.asarray(other).dtype, np.shape(other))
            np.testing.assert_allclose(one, other, rtol=1e-12)


class Pair(NamedTuple):
    a: object
    b: object


def add_in_place(x):
    def body(i, s):
        s += x[i, 0]
        return s

    return bl.fori_loop(0, x.shape[0], body, 0.0)


def closed_over(x):
    total, weights = x.sum(), x[0]
    return bl.fori_loop(0, x.shape[1], lambda i, s: s + weights[i] * total, np.zeros_like(x[:, 0]))


#: Each is a loop over x, an array of two axes.
LOOPS = {
    "sum": lambda x: bl.fori_loop(0, x.shape[0], lambda i, s: s + x[i].sum(), 0.0),
    "integers": lambda x: bl.fori_loop(0, x.shape[0], lambda i, s: s + i * i, 0),
    "static": lambda x: bl.fori_loop(0, 3, lambda i, a: a * 2 + i, x),
    "from_one": lambda x: bl.fori_loop(1, x.shape[0] + 1, lambda i, a: a / i, x),
    "backwards": lambda x: bl.fori_loop(5, x.shape[0], lambda i, a: a * 2, x),
    "never": lambda x: bl.fori_loop(0, x.shape[0] - x.shape[0], lambda i, a: a * 2, x),
    "never_static": lambda x: bl.fori_loop(0, 0, lambda i, a: a * 2, x),
    "once": lambda x: bl.fori_loop(2, 3, lambda i, a: a * i, x),
    "tree": lambda x: bl.fori_loop(0, x.shape[0], lambda i, c: (c[0] + 1, c[1] * 2, {"a": c[2]["a"] + x[i]}, None), (0, np.float32(1), {"a": x[0]}, None)),
    "named": lambda x: bl.fori_loop(0, 3, lambda i, c: Pair(c.b, c.a), Pair(x, x + 1)),
    "mixed": lambda x: bl.fori_loop(0, 3, lambda i, c: [c[0] / 2, c[1] > i], [1, True]),
    "text": lambda x: bl.fori_loop(0, 3, lambda i, c: {"mode": c["mode"], "x": c["x"] + (1 if c["mode"] == "up" else -1)}, {"mode": "up", "x": x}),
    "adapts": lambda x: bl.fori_loop(0, 3, lambda i, s: s + np.float32(1.5), 0.0),
    "in_place": add_in_place,
    "slices": lambda x: bl.fori_loop(0, x.shape[1], lambda i, a: a + x[:, i : i + 1].sum() - x[..., i], x[:, 0]),
    "table": lambda x: bl.fori_loop(0, x.shape[1], lambda i, a: a + TABLE[i], x[0]),
    "closed_over": closed_over,
    "nested": lambda x: bl.fori_loop(0, 4, lambda i, a: bl.fori_loop(0, i, lambda j, b: b + j * i, a), x),
    "nested_scan": lambda x: bl.fori_loop(0, 3, lambda i, a: bl.scan(lambda s, r: (s + r, s), np.zeros_like(a[0]), a)[1], x),
    "of_jit": lambda x: bl.fori_loop(0, 3, bl.jit(lambda i, a: a + i), x),
    "while": lambda x: bl.while_loop(lambda a: np.max(a) > 1, lambda a: a / 2, x),
    "while_never": lambda x: bl.while_loop(lambda a: np.max(a) < -1, lambda a: a / 2, x),
    "while_false": lambda x: bl.while_loop(lambda a: False, lambda a: a / 2, x),
    "while_counts": lambda x: bl.while_loop(lambda c: c[0] < x.shape[1], lambda c: (c[0] + 1, c[1] * 2), (0, x)),
    "while_both": lambda x: bl.while_loop(lambda c: (c[0] < 10) & (c[1].sum() < 500), lambda c: (c[0] + 1, c[1] * 2), (0, x)),
    "collatz": lambda x: bl.while_loop(lambda c: c[0] > 1, lambda c: (np.where(c[0] % 2 == 0, c[0] // 2, 3 * c[0] + 1), c[1] + 1), (np.int64(27), 0)),
    "scan": lambda x: bl.scan(lambda s, r: (s + r, s * r), np.zeros_like(x[0]), x),
    "scan_reversed": lambda x: bl.scan(lambda s, r: (s + r, {"a": s * r, "b": None}), np.zeros_like(x[0]), x, reverse=True),
    "scan_number": lambda x: bl.scan(lambda s, r: (s + r, s + r), 0.0, x[0]),
    "scan_length": lambda x: bl.scan(lambda s, _: (s * 2, s.sum()), x, None, length=3),
    "scan_extent": lambda x: bl.scan(lambda s, _: (s * 2, s), x, length=x.shape[0]),
    "scan_trees": lambda x: bl.scan(lambda s, r: (s + r["a"].sum(), (r["b"], r["a"][None])), 0.0, {"a": x, "b": x[:, 0]}),
    "scan_wider": lambda x: bl.scan(lambda s, r: (s, np.concatenate([r, r])), 0, x),
    "scan_broadcast": lambda x: bl.scan(lambda s, r: (s, r * x[:1, 0] + x[:1]), 0, x),
    "scan_no_row": lambda x: bl.scan(lambda s, r: (s + r, None), np.zeros_like(x[0]), x),
}  # fmt: skip


@pytest.mark.parametrize("name", LOOPS)
def test_loops_are_pythons(name):
    f = bl.jit(LOOPS[name], optimise=False)
    for x in (X, X[:2, :1] - 2, X[:1]):
        agree(f(x), LOOPS[name](x))
    assert f.cache_info().traces == 1


def test_no_rows_have_a_shape():
    def function(x):
        return bl.scan(lambda s, r: (s + r, np.stack([s, r])), np.zeros(4), x)

    for f in (function, bl.jit(function)):
        last, rows = f(X[:0])
        assert last.shape == (4,) and rows.shape == (0, 2, 4)
    assert bl.fori_loop(0, 0, lambda i, x: x / 0, 1) == 1
    assert bl.jit(lambda x: bl.fori_loop(0, x.shape[0], lambda i, c: c / 2, 8))(X[:0]) == 8


@pytest.mark.parametrize("dtype", ("i1", "i4", "i8", "u1", "u8"))
def test_ends_are_numbers_of_arrays(dtype):
    f = bl.jit(lambda x, low, high: bl.fori_loop(low, high, lambda i, s: s + i, 0) + x.sum())
    for low, high in ((0, 3), (2, 7), (3, 1)):
        assert f(X, np.array(low, dtype), np.array(high, dtype)) == sum(range(low, high)) + X.sum()


def test_a_loop_is_one_loop_of_the_program():
    text = bl.jit(lambda x: bl.fori_loop(0, 200, lambda i, a: np.sin(a) + i, x)).mlir(X)
    assert text.count("scf.for") == 1 and text.count("math.sin") + text.count("tosa.sin") == 1
    text = bl.jit(lambda x: bl.while_loop(lambda a: a.sum() > 1, lambda a: a / 2, x)).mlir(X)
    assert text.count("scf.while") == 1


def refuses(kind, message, function, *arguments):
    with pytest.raises(kind, match=r"test_jit_loops.py:\d+:\d+: " + re.escape(message)):
        bl.jit(function)(*(arguments or (X,)))


@pytest.mark.parametrize(
    "message, function",
    [
        ("'bl.fori_loop': the body gives carry the shape (3, 2), but it begins with (2, 2); what a loop carries keeps its shape",
         lambda x: bl.fori_loop(0, 3, lambda i, a: np.stack([a[0]] * 3), np.stack([x[0, :2].reshape(2)] * 2))),
        ("'bl.fori_loop': the body gives carry['s'][1] the shape (?,), but it begins with (?, ?)",
         lambda x: bl.fori_loop(0, 3, lambda i, c: {"s": (0, c["s"][1][0])}, {"s": (0, x)})),
        ("'bl.fori_loop': the body gives carry the shape (6, 4), but it begins with (3, 4)",
         lambda x: bl.fori_loop(0, x.shape[0], lambda i, a: np.concatenate([a, a]), x)),
        ("'bl.while_loop': the body gives carry the shape (4, 3), but it begins with (3, 4)",
         lambda x: bl.while_loop(lambda a: a.sum() > 0, lambda a: a.T, x)),
        ("'bl.fori_loop': the body gives carry['{1}'] the shape (?,), but it begins with (?, ?)",
         lambda x: bl.fori_loop(0, 3, lambda i, c: {"{1}": c["{1}"][0]}, {"{1}": x})),
        ("'bl.scan': axis 0 of xs['{0}'] is 3 steps, but axis 0 of xs['}'] is 4",
         lambda x: bl.scan(lambda s, r: (s, r["}"]), 0, {"{0}": x, "}": x.T})),
        ("'bl.scan': length= is 5 steps, but axis 0 of xs is 3", lambda x: bl.scan(lambda s, r: (s, r), 0, x, length=5)),
        ("'bl.scan': axis 0 of xs['a'] is 3 steps, but axis 0 of xs['b'] is 4",
         lambda x: bl.scan(lambda s, r: (s, r["a"]), 0, {"a": x, "b": x.T})),
        ("'bl.scan': axis 0 of xs[0] is 2 steps, but axis 0 of xs[1] is 3",
         lambda x: bl.scan(lambda s, r: (s, r[0]), 0, (TABLE[:2], TABLE[:3]))),
    ],
)  # fmt: skip
def test_shapes_that_change(message, function):
    refuses(bl.ShapeError, message, function)


def keep(x):
    kept = []
    bl.fori_loop(0, 3, lambda i, a: (kept.append((i, a * 2)), a)[1], x)
    return kept


@pytest.mark.parametrize(
    "message, function",
    [
        (("'bl.fori_loop': the body gives carry the type float32, but it begins as float64; begin with np.astype(carry, "
         "np.float32), or end the body with np.astype(carry, np.float64)"),
         lambda x: bl.fori_loop(0, 3, lambda i, a: a.astype("f4"), x)),
        ("'bl.scan': the body gives carry[0] the type bool, but it begins as int64",
         lambda x: bl.scan(lambda s, r: ((r.sum() > 0,), r), (np.int64(0),), x)),
        ("'bl.fori_loop': the body gives (*, *), but what it carries is *", lambda x: bl.fori_loop(0, 3, lambda i, a: (a, a), x)),
        ("'bl.fori_loop': the body gives dict(['b']: *), but what it carries is dict(['a']: *)",
         lambda x: bl.fori_loop(0, 3, lambda i, c: {"b": c["a"]}, {"a": x})),
        ("'bl.fori_loop': the body gives a str for carry, which is an array", lambda x: bl.fori_loop(0, 3, lambda i, a: "x", x)),
        ("'bl.fori_loop': the body makes 'b' of carry[1], which is 'a' in each step",
         lambda x: bl.fori_loop(0, 3, lambda i, a: (a[0], "b"), (x, "a"))),
        ("'bl.fori_loop': carry is a set; a loop carries arrays, numbers, and tuples, lists and dictionaries of them",
         lambda x: bl.fori_loop(0, 3, lambda i, a: a, {1, 2})),
        ("'bl.scan': the function gives a tuple of the carry and a row: (carry, None) for no row",
         lambda x: bl.scan(lambda s, r: s, 0.0, x)),
        ("'bl.scan': it goes over the first axis of xs[1], which has none; carry it, or close over it",
         lambda x: bl.scan(lambda s, r: (s, None), 0.0, (x, x.sum()))),
        ("'bl.scan': without xs it needs length=", lambda x: bl.scan(lambda s, r: (s, None), x)),
        (("row of bl.scan, whose axis 0 has an extent that only its steps tell, cannot be traced; give it the shape of an "
         "array from outside, as in np.reshape(row, x.shape)"),
         lambda x: bl.scan(lambda s, r: (s + 1, r[:s]), 0, x)),
        ("upper of the loop is an integer without axes, not float64 of shape (); for one of floats, give upper.astype(int)",
         lambda x: bl.fori_loop(0, x.sum(), lambda i, a: a, x)),
        ("lower of the loop is an integer, an extent or an array of one, not 0.5", lambda x: bl.fori_loop(0.5, 3, lambda i, a: a, x)),
        ("'bl.while_loop': cond gives an array of shape (?, ?), not one truth; use np.any or np.all of it",
         lambda x: bl.while_loop(lambda a: a > 0, lambda a: a, x)),
        ("'bl.while_loop': cond gives 'yes', not a truth", lambda x: bl.while_loop(lambda a: "yes", lambda a: a, x)),
        ("what the body of a loop computes, used outside of it, cannot be traced; carry it, and use what the loop gives",
         lambda x: keep(x)[0][1]),
        ("what the body of a loop computes, used outside of it, cannot be traced", lambda x: keep(x)[0][1].shape[0]),
        ("what the body of a loop computes, used outside of it, cannot be traced", lambda x: x * keep(x)[0][0]),
        ("a write to what a loop carries cannot be traced; begin the body with an array of its own: x = np.copy(x)",
         lambda x: bl.fori_loop(0, 3, lambda i, a: a.__iadd__(1), x)),
    ],
)  # fmt: skip
def test_what_cannot_be_carried(message, function):
    refuses(bl.TraceError, message, function)


def test_a_call_checks_what_a_step_does():
    f = bl.jit(lambda x, n: bl.fori_loop(0, n, lambda i, s: s + x[i], x[0]))
    np.testing.assert_array_equal(f(X, np.int64(3)), X[0] + X.sum(axis=0))
    with pytest.raises(
        bl.ShapeError,
        match=r"test_jit_loops.py:\d+:\d+: 'numpy.getitem': index 3 is out of bounds for axis 0 with size 3",
    ):
        f(X, np.int64(4))


def test_numbers_of_a_loop_do_not_wrap():
    f = bl.jit(lambda n: bl.fori_loop(0, n, lambda i, s: s * 2, 1))
    assert f(np.int64(62)) == 2**62
    with pytest.raises(bl.ShapeError, match="is beyond 64 bits"):
        f(np.int64(64))


def test_a_guard_of_a_step_is_required_outside_too():
    # The product is beyond 64 bits where both are large; in a loop without steps nothing is checked.
    def function(x, y):
        cells = x.shape[0] ** 4 * y.shape[0] ** 4
        total = bl.fori_loop(0, y.shape[0], lambda i, s: s + cells, 0)
        return total + cells

    f = bl.jit(function)
    for x, y in ((3, 2), (3, 0), (0, 2)):
        assert f(np.zeros(x), np.zeros(y)) == function(np.zeros(x), np.zeros(y))
    with pytest.raises(bl.ShapeError, match="is beyond 64 bits"):
        f(np.zeros(2**9), np.zeros(2**9))


def test_outside_of_a_trace_they_are_pythons():
    assert bl.fori_loop(np.int8(2), 5, lambda i, s: s + [i], []) == [2, 3, 4]
    assert bl.while_loop(lambda x: x < 100, lambda x: x * 3, 2) == 162
    last, rows = bl.scan(lambda s, x: (s + x, {"sum": s}), 0, np.arange(4), reverse=True)
    assert last == 6 and rows["sum"].tolist() == [6, 5, 3, 0]
    with pytest.raises(ValueError, match=r"bl.scan without xs needs length="):
        bl.scan(lambda s, x: (s, x), 0)
    with pytest.raises(ValueError, match="the first axes of xs, and length, have the extents 5, 4; they must be one"):
        bl.scan(lambda s, x: (s, x), 0, np.arange(4), length=5)
