"""Which names change with a write under bl.jit, beside NumPy: in loops, of what loops give, and of what functions of
NumPy's give. What cannot be as in NumPy is a TraceError."""

import itertools
import warnings

import broadloom as bl
import numpy as np
import pytest
from broadloom._jit import _functions
from broadloom._jit._array import TracedArray
from jit_comparison import check, flatten

MATRIX = np.random.default_rng(0).integers(1, 9, (5, 4)).astype(np.float64)


def agrees_or_refuses(function, *arguments):
    """Tells whether it has been traced; the values are those of NumPy then."""
    expected = flatten(function(*[a.copy() for a in arguments]))
    try:
        found = flatten(bl.jit(function, optimise=False)(*arguments))
    except bl.TraceError as error:
        assert "a write to" in str(error) or "a write in the body of a loop" in str(error)
        return False
    assert len(found) == len(expected)
    for one, other in zip(found, expected):
        check(one, other)
    return True


# Arrays from outside in the body of a loop.

VIEWS = {
    "part": lambda z: z[1:],
    "row": lambda z: z[0],
    "element": lambda z: z[0, 0, ...],
    "all": lambda z: z[...],
    "transposed": lambda z: z.T,
    "part of a part": lambda z: z[1:][:, ::-1],
    "copy": np.copy,
    "sum": lambda z: z + 1,
}
LOOPS = {
    "fori_loop": lambda body, init: bl.fori_loop(0, 3, lambda i, c: body(c), init),
    "scan": lambda body, init: bl.scan(lambda c, _: (body(c), c), init, length=3),
    "while_loop": lambda body, init: bl.while_loop(lambda c: body(c).sum() < 99, lambda c: c + 50, init),
    "nested": lambda body, init: bl.fori_loop(0, 2, lambda i, c: bl.fori_loop(0, 2, lambda j, d: body(d), c) + 1, init),
}


def write(array):
    array += 1


def set_first(array):
    array[...] = 3


def read(array):
    array + 1


@pytest.mark.parametrize("loop, view, change", itertools.product(LOOPS, VIEWS, (write, set_first, read)))
def test_arrays_from_outside_in_a_loop(loop, view, change):
    def function(x, reads_behind):
        z = x * 1

        def body(c):
            v = VIEWS[view](z)
            change(v)
            return c + v.sum() + z[0, 0]

        given = LOOPS[loop](body, x[0])
        if reads_behind:
            z[0] = 5
        return given, z

    is_traced = [agrees_or_refuses(lambda x, b=b: function(x, b), MATRIX) for b in (False, True)]
    assert is_traced == [change is read or view in ("copy", "sum")] * 2


def test_rows_of_a_tuple_in_a_loop():
    def function(x):
        z = x * 1

        def body(i, c):
            for row in (z[0], z[1]):
                row += c
            return c + z[0]

        return bl.fori_loop(0, 3, body, x[0])

    assert not agrees_or_refuses(function, MATRIX)


def test_views_made_in_a_loop_are_read_behind_writes():
    def function(x):
        z = x * 1
        given = bl.fori_loop(0, 3, lambda i, c: c + z[1:][0] * z[i], x[0])
        z[1] = 5
        part = z[2:]
        part += 1
        return given, z, part

    assert agrees_or_refuses(function, MATRIX)


def test_what_one_loop_makes_is_not_written_in_another():
    kept = []

    def function(x):
        z = x * 1
        kept.clear()
        bl.fori_loop(0, 1, lambda i, c: (kept.append(z.copy()), c)[1], x)

        def body(i, c):
            kept[0][...] += 1
            return c + kept[0][0]

        return bl.fori_loop(0, 3, body, x[0])

    with pytest.raises(bl.TraceError, match="a write in the body of a loop to an array from outside cannot be traced"):
        bl.jit(function, optimise=False)(MATRIX)


# What loops give.

BODIES = {
    "what it carries": lambda z, w: lambda c: (c[0], c[1]),
    "the other": lambda z, w: lambda c: (c[1], c[0]),
    "one for both": lambda z, w: lambda c: (c[0], c[0]),
    "new": lambda z, w: lambda c: (c[0] + 1, c[1] * 2),
    "one new for both": lambda z, w: lambda c: (c[0] + c[1],) * 2,
    "from outside": lambda z, w: lambda c: (w, c[1] + 1),
    "parts from outside": lambda z, w: lambda c: (w[...], w[::-1]),
    "what is carried from outside": lambda z, w: lambda c: (z, c[1] + c[0]),
    "parts of the other": lambda z, w: lambda c: (c[1][::-1], c[1] + 1),
    "of a loop inside": lambda z, w: lambda c: bl.fori_loop(0, 1, lambda i, d: (d[1], w), c),
}
SHAPES = {"two axes": lambda x: x, "one": lambda x: x[0], "none": lambda x: np.copy(x[0, 0])}


@pytest.mark.parametrize("body, shape, steps, what", itertools.product(BODIES, SHAPES, (0, 1, 2), range(5)))
def test_results_of_loops(body, shape, steps, what):
    if shape == "none" and body.startswith("parts"):
        return

    def function(x):
        z, y, w = (np.copy(SHAPES[shape](x) * n) for n in (1, 2, 3))
        a, b = bl.fori_loop(0, steps, lambda i, c: BODIES[body](z, w)(c), (z, y))
        (z, y, w, a, b)[what][...] = 77
        return z, y, w, a, b

    try:
        function(MATRIX)
    except TypeError:
        # NumPy has numbers there.
        return
    agrees_or_refuses(function, MATRIX)


def test_results_of_loops_are_written_where_nothing_else_has_them():
    def function(x):
        a, b = bl.fori_loop(0, 3, lambda i, c: (c[0] + 1, c[1] + c[0]), (x * 1, x * 2))
        a[0] = 9
        b += 1
        c = bl.fori_loop(0, 3, lambda i, c: c + x[0, i], np.zeros(3))
        c[0] = 4
        d, rows = bl.scan(lambda c, row: (row + c, row), x[0] * 1, x * 1)
        d[0] = 1
        rows[1] = 3
        return a, b, c, d, rows

    assert agrees_or_refuses(function, MATRIX)


def carry_swapped(x):
    y = x * 2
    a, b = bl.fori_loop(0, 3, lambda i, c: (c[1], c[0]), (x * 1, y))
    del y, a
    b[0] = 9
    return b


def test_what_is_left_of_shared_results_is_written():
    assert agrees_or_refuses(carry_swapped, MATRIX)


def give_a_row(x):
    z = x * 1
    given, _ = bl.scan(lambda c, row: (row, None), x[0] * 1, z)
    given[0] = 99
    return given, z


def carry_numpys(x):
    z = np.zeros(3)
    given = bl.fori_loop(0, 0, lambda i, c: c, z)
    given[0] = x[0, 0]
    return given, z


def give_numpys(x):
    z = np.zeros(4)
    given = bl.fori_loop(0, 2, lambda i, c: z[:], x[0] * 1)
    given[0] = x[0, 0]
    return given, z


def give_a_row_of_numpys(x):
    z = np.ones((5, 4))
    given, _ = bl.scan(lambda c, row: (row, None), x[0] * 1, z)
    given[0] = 99
    return given, z


@pytest.mark.parametrize("function", [give_a_row, carry_numpys, give_numpys, give_a_row_of_numpys])
def test_what_results_share_with_rows_and_arrays_of_numpy(function):
    assert not agrees_or_refuses(function, MATRIX)


@pytest.mark.parametrize("starts, gives, steps", itertools.product(("number", "array"), ("number", "array"), (0, 1, 3)))
def test_results_without_axes(starts, gives, steps):
    """Where NumPy has a number or an array by how many steps there are, a write is an error."""

    def function(x):
        init = x[0, 0] if starts == "number" else np.copy(x[0, 0])

        def body(i, c):
            return np.where(x[0, 0] > 0, c + 1, 0) if gives == "array" else c + 1

        made = bl.fori_loop(0, steps, body, init)
        del init
        other = made
        made += 1
        return made, other

    assert agrees_or_refuses(function, MATRIX) == (starts == gives)


# Numbers of NumPy's as arguments.


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int32, np.uint8])
def test_numbers_as_arguments(dtype):
    import copy

    def function(s):
        made, again, cast = s, copy.copy(s), s.astype(np.float32)
        a, b, c = made, again, cast
        made += 1
        again += 1
        cast += 1
        return a, b, c, made, again, cast

    assert agrees_or_refuses(function, dtype(3))
    f = bl.jit(lambda s: (s * 2).astype(np.float32), optimise=False)
    f(dtype(3)), f(dtype(4)), f(np.array(3, dtype)), f(dtype(5))
    assert f.cache_info().traces == 2


def test_arrays_without_axes_as_arguments():
    def function(s):
        made = s.astype(np.float32)
        other = made
        made += 1
        return made, other

    assert agrees_or_refuses(function, np.array(3.0))


# What the functions of NumPy give.

OPERANDS = {
    "number": lambda x: x[0, 0],
    "array": lambda x: np.copy(x[0, 0]),
    "truth": lambda x: x[0, 0] > 0,
    "integers": lambda x: np.copy(x[0, 0].astype(np.int64)),
    "row": lambda x: x[0] * 1,
    "integer row": lambda x: x[0].astype(np.int64),
    "matrix": lambda x: x * 1,
    "square": lambda x: x[:4] + np.eye(4) * 9,
}
MORE = {
    "": lambda x: (),
    "0": lambda x: (0,),
    "()": lambda x: ((),),
    "1": lambda x: (1,),
    "number": lambda x: (x[1, 1],),
    "array": lambda x: (np.copy(x[1, 1]),),
    "row": lambda x: (x[1],),
    "matrix": lambda x: (x,),
    "two numbers": lambda x: (x[1, 1], x[1, 2]),
    "square": lambda x: (x[:4],),
    "list": lambda x: ([1.0, 2.0],),
}
METHODS = "copy T mT real imag conj ravel flatten round squeeze sum clip astype transpose".split()


def find(name):
    owner = np
    for part in name.split("."):
        owner = getattr(owner, part)
    return owner


def call_method(name, value):
    made = getattr(value, name)
    more = (np.float32,) if name == "astype" else (0, 5) if name == "clip" else ()
    return made(*more) if callable(made) else made


def make_calls(name):
    """Lists calls of a function of NumPy's with all kinds of operands."""
    function = find(name)
    return [
        lambda x, one=one, more=more: function(OPERANDS[one](x), *MORE[more](x)) for one in OPERANDS for more in MORE
    ]


def make_others():
    """Lists calls of np.einsum, of methods, of keys, and of the namespace of arrays."""
    for one in OPERANDS.values():
        for text in ("->", "i->", "ij->", "i->i", "ii", "ij->ji"):
            yield lambda x, one=one, text=text: np.einsum(text, one(x))
        for name in METHODS:
            yield lambda x, one=one, name=name: call_method(name, one(x))
        yield lambda x, one=one: one(x)[...]
        yield lambda x, one=one: one(x)[()]
        yield lambda x, one=one: x.__array_namespace__().asarray(one(x))
    for name in ("zeros", "ones"):
        yield lambda x, name=name: getattr(x.__array_namespace__(), name)(())
    yield lambda x: x.__array_namespace__().full((), 2.0)


def kinds_of(value):
    """Lists whether results without axes are arrays of NumPy's, and no numbers."""
    if isinstance(value, (tuple, list)):
        return [kind for part in value for kind in kinds_of(part)]
    if getattr(value, "ndim", None) != 0:
        return [None]
    return [not value._is_number() if isinstance(value, TracedArray) else isinstance(value, np.ndarray)]


def look(call, x):
    """Returns what kinds NumPy gives, and what bl.jit does; None of what one of them refuses, and of other results."""
    found = []

    def trace(y):
        found[:] = kinds_of(call(np.reshape(y, (5, 4))))
        return y

    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            expected = kinds_of(call(x))
            if not {True, False} & set(expected):
                return None
            bl.jit(trace, optimise=False).mlir(x)
        except Exception:
            return None
    return expected, found


NAMES = [name for name in _functions.list_supported() if hasattr(np, name.split(".")[0])]


@pytest.mark.parametrize("first", range(0, len(NAMES), 12))
def test_functions_give_arrays_and_numbers_as_numpy_does(first):
    for name in NAMES[first : first + 12]:
        for at, call in enumerate(make_calls(name)):
            if (kinds := look(call, MATRIX)) is not None:
                assert kinds[0] == kinds[1], (name, at)


def test_other_results_are_arrays_and_numbers_as_numpys_are():
    seen = [kinds for call in make_others() if (kinds := look(call, MATRIX)) is not None]
    assert len(seen) > 40
    for at, (expected, found) in enumerate(seen):
        assert expected == found, at


# Which names change with what functions give.

ROWS = ("row", "integer row", "matrix")


def list_arrays(value):
    if isinstance(value, (tuple, list)):
        return [leaf for part in value for leaf in list_arrays(part)]
    return [value] if hasattr(value, "ndim") else []


@pytest.mark.parametrize("first", range(0, len(NAMES), 12))
def test_writes_to_and_behind_results_of_functions(first):
    """A result changes with the argument where it is a view of NumPy's, or the write is an error."""
    for name, one, more in itertools.product(NAMES[first : first + 12], ROWS, ("", "0", "1")):
        if name in ("empty", "empty_like", "linalg.svd", "linalg.eigh", "linalg.qr"):
            # NumPy's values are any, or have other signs.
            continue
        for writes_result in (False, True):

            def function(x, name=name, one=one, more=more, writes_result=writes_result):
                z = OPERANDS[one](np.reshape(x, (5, 4)))
                made = find(name)(z, *MORE[more](x))
                arrays = [array for array in list_arrays(made) if array.ndim]
                if not arrays:
                    raise NotImplementedError
                (arrays[0] if writes_result else z)[...] = 1
                return z, arrays[0]

            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                try:
                    expected = function(MATRIX.copy())
                    found = bl.jit(function, optimise=False)(MATRIX)
                except Exception:
                    continue
            for which, (a, b) in enumerate(zip(found, expected)):
                np.testing.assert_allclose(a, b, atol=1e-6, rtol=1e-6, err_msg=f"{name} {one} {more} {which}")


# np.piecewise, and the cost of views.


def test_functions_of_piecewise_have_arrays_and_numbers_of_their_own():
    def own(x):
        def inner(v):
            w = np.copy(v)
            other = w
            w += 1
            return other

        return np.piecewise(x, [x > 3], [inner, 0.0])

    def outer(x):
        def inner(v):
            a = np.copy(x[0, 0])
            other = a
            a += 1
            return other

        return np.piecewise(x, [x > 3], [inner, 0.0])

    assert agrees_or_refuses(own, MATRIX)
    assert agrees_or_refuses(outer, MATRIX)


@pytest.mark.parametrize("writes", [False, True])
def test_chains_of_views_cost_what_they_read(writes):
    def make(count):
        def function(x):
            z = x * 1
            v = z
            for _ in range(count):
                v = v[:, ::-1]
                if writes:
                    v[0, 0] = 3
            z[1, 0] = 5
            return v, z

        return function

    assert agrees_or_refuses(make(3), MATRIX)
    if not writes:
        bl.jit(make(1200), optimise=False).mlir(MATRIX)
