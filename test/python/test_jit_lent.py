"""Arrays of NumPy's own whose elements arrays of a trace share: what is written to them is seen or refused."""

import functools
import gc
import types

import broadloom as bl
import numpy as np
import pytest
from test_jit_aliases import agrees_or_refuses

MATRIX = np.arange(12.0).reshape(3, 4)
#: What shares elements with an array of NumPy's of four elements, by a trace.
SHARING = {
    "part": lambda z, x: z[: x.shape[0]],
    "reshaped": lambda z, x: np.reshape(z, (x.shape[0] - 2, 4)),
    "broadcast": lambda z, x: np.broadcast_to(z, x.shape),
    "broadcast together": lambda z, x: np.broadcast_arrays(x, z)[1],
    "array": lambda z, x: np.asarray(z, like=x),
    "part of an array": lambda z, x: np.asarray(z, like=x)[1:],
    "begins a loop": lambda z, x: bl.fori_loop(0, x.shape[0] - 3, lambda i, c: c + 1, z),
    "body gives": lambda z, x: bl.fori_loop(0, x.shape[0], lambda i, c: z, x[0]),
    "second loop": lambda z, x: bl.fori_loop(0, 0, lambda i, c: c, bl.fori_loop(0, 2, lambda i, c: z, x[0])),
    "body gives a part": lambda z, x: bl.while_loop(lambda c: np.max(c) > 5, lambda c: z[1:], x[2, 1:]),
    "row": lambda z, x: bl.scan(lambda c, row: (row, None), x[0], z[None])[0],
}  # fmt: skip
#: Arrays of NumPy's, and one through which their elements are written.
MAKERS = {
    "own": lambda: (z := np.zeros(4), z),
    "view": lambda: ((z := np.zeros((4, 4)))[1], z.T),
    "every second": lambda: ((z := np.zeros(8))[::2], z),
    "of bytes": lambda: (np.frombuffer(b := bytearray(32)), np.frombuffer(b)),
    "narrow": lambda: (z := np.zeros(4, np.float16), z),
    "reversed": lambda: ((z := np.zeros(4))[::-1], z),
}


@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize("sharing", SHARING)
def test_a_write_behind_is_an_error(sharing, maker):
    def function(x):
        z, other = MAKERS[maker]()
        start = x.astype(z.dtype)
        shared = SHARING[sharing](z, start)
        other[...] = 7
        return shared

    assert not agrees_or_refuses(function, MATRIX)


@pytest.mark.parametrize("sharing", SHARING)
def test_a_write_to_what_is_shared_is_an_error(sharing):
    def function(x):
        z = np.zeros(4)
        shared = SHARING[sharing](z, x)
        shared[...] = 7
        return z + x[0], shared

    try:
        function(MATRIX.copy())
    except (ValueError, DeprecationWarning):
        # NumPy does not write to what is broadcast, or will not.
        return
    assert not agrees_or_refuses(function, MATRIX)


@pytest.mark.parametrize("sharing", SHARING)
def test_what_is_not_written_or_was_is_shared(sharing):
    def function(x):
        z = np.zeros(4)
        z[1] = 3
        shared = SHARING[sharing](z, x)
        used = shared + 1
        z[1] = 4
        z[1] = 3
        return used, shared, shared * z[1]

    assert agrees_or_refuses(function, MATRIX)


def test_the_line_is_told_where_they_are_shared():
    def function(x):
        z = np.zeros(4)
        shared = z[: x.shape[0]]
        z[0] = 1
        return shared * 2

    with pytest.raises(
        bl.TraceError,
        match=r"with which an array of the trace shares elements cannot be traced; they are shared at .*:\d+",
    ):
        bl.jit(function)(MATRIX)


def test_a_copy_is_written():
    def function(x):
        z = np.zeros(4)
        shared = np.copy(z[: x.shape[0]])
        z[0] = 1
        shared[1] = 2
        return shared, z + x[0]

    assert agrees_or_refuses(function, MATRIX)


def test_what_has_gone_is_written():
    def function(x):
        shared = np.reshape(np.zeros(4), (x.shape[0] - 2, 4))
        gc.collect()
        shared[0, 1] = 2
        return shared

    assert agrees_or_refuses(function, MATRIX)


class Model:
    def __init__(self):
        self.weight = np.ones(4)

    def step(self, i, c):
        self.weight *= 2
        return c + self.weight


TABLE = np.zeros(4)
COUNT = 0


class Stepper(Model):
    count = 0

    def __call__(self, i, c):
        return self.step(i, c)

    def count_steps(self, i, c):
        self.count += 1
        return c + self.count


class Slotted:
    __slots__ = ("state",)


def fill(array):
    array += 1
    return array


def count_endlessly():
    n = 0
    while True:
        n += 1
        yield n


def reaches(how):
    """A body that writes to an array of NumPy's, or assigns what it finds outside, which it reaches in one of several
    ways."""
    z = np.zeros(4)
    listed = [{"a": z}]
    deep = {"a": {"b": {"c": {"d": [z]}}}}
    items, counted, slotted, stepper = [z], {"n": 0}, Slotted(), Stepper()
    slotted.state = np.zeros(4)
    module = types.ModuleType("settings")
    module.table = np.zeros(4)
    large, objects, numbers = np.zeros(3_000_000), np.array([z, None], dtype=object), count_endlessly()
    shown = z.view()
    shown.flags.writeable = False
    TABLE[:] = 0

    def write(i, c):
        z[0] += 1
        return c + z

    def write_listed(i, c):
        listed[0]["a"][0] += 1
        return c + listed[0]["a"]

    def write_default(i, c, z=z):
        z[0] += 1
        return c + z

    def write_keyword(i, c, *, z=z):
        z[0] += 1
        return c + z

    def write_global(i, c):
        TABLE[0] += 1
        return c + TABLE

    def write_within(i, c):
        def put(k):
            TABLE[k] += 1

        put(0)
        return c + [TABLE[k] for k in range(1)][0]

    def write_deep(i, c):
        fill(deep["a"]["b"]["c"]["d"][0])
        return c + z

    def write_large(i, c):
        large[0] += 1
        return c + large[0]

    def assign(i, c):
        nonlocal z
        z = z + 1
        return c + z

    def assign_global(i, c):
        global COUNT
        COUNT += 1
        return c + COUNT

    def assign_item(i, c):
        items[0] = items[0] + 1
        return c + items[0]

    def assign_key(i, c):
        counted["n"] += 1
        return c + counted["n"]

    def write_objects(i, c):
        objects[0][0] += 1
        return c + objects[0]

    def write_slot(i, c):
        slotted.state += 1
        return c + slotted.state

    def write_attribute(i, c):
        stepper.weight *= 2
        return c + stepper.weight

    def write_of_module(i, c):
        module.table[0] += 1
        return c + module.table

    return {
        "closure": write,
        "closure of a function": lambda i, c: write(i, c),
        "list": write_listed,
        "default": write_default,
        "keyword default": write_keyword,
        "partial": functools.partial(lambda z, i, c: c + fill(z), z),
        "keyword of a partial": functools.partial(lambda i, c, z: c + fill(z), z=z),
        "method": Model().step,
        "object that is called": Stepper(),
        "global": write_global,
        "global that a function in it names": write_within,
        "deep": write_deep,
        "large": write_large,
        "objects": write_objects,
        "slot": write_slot,
        "attribute": write_attribute,
        "module": write_of_module,
        "view that is not written": lambda i, c: c + fill(shown.base),
        "variable": assign,
        "global variable": assign_global,
        "item": assign_item,
        "key": assign_key,
        "attribute that is assigned": Stepper().count_steps,
        "generator": lambda i, c: c + next(numbers),
    }[how]


#: How a message begins.
WRITTEN = r"a write to an array of NumPy's in the body of a loop cannot be traced; carry it"
REACHES = {
    "closure": WRITTEN, "closure of a function": WRITTEN, "list": WRITTEN, "default": WRITTEN,
    "keyword default": WRITTEN, "partial": WRITTEN, "keyword of a partial": WRITTEN, "method": WRITTEN,
    "object that is called": WRITTEN, "global": WRITTEN, "global that a function in it names": WRITTEN,
    "deep": WRITTEN, "large": WRITTEN, "objects": WRITTEN, "slot": WRITTEN, "attribute": WRITTEN,
    "module": WRITTEN, "view that is not written": WRITTEN, "variable": "an assignment to 'z', which is from outside, in",
    "global variable": "an assignment to 'COUNT', which", "item": "an assignment to an item of a list, which",
    "key": "an assignment to 'n', which",
    "attribute that is assigned": "an assignment to 'count', which", "generator": "an assignment to a generator, which",
}  # fmt: skip


@pytest.mark.parametrize("how", REACHES)
def test_a_body_that_writes_to_what_is_outside_is_an_error(how):
    def function(x):
        return bl.fori_loop(0, x.shape[0], reaches(how), x[0])

    with pytest.raises(bl.TraceError, match=REACHES[how]):
        bl.jit(function)(MATRIX)


def test_a_condition_and_the_body_of_a_scan_that_write_are_errors():
    z = np.zeros(4)

    def condition(c):
        z[0] += 1
        return z[0] < 4

    def row(c, x):
        z[0] += 1
        return c + x, None

    for function in (
        lambda x: bl.while_loop(condition, lambda c: c + 1, x[0]),
        lambda x: bl.scan(row, x[0], x)[0],
    ):
        with pytest.raises(bl.TraceError, match=WRITTEN):
            bl.jit(function)(MATRIX)


def test_a_cache_and_what_is_not_written_are_no_errors():
    cache, table = {}, [float(n) for n in range(100_000)]
    table.append(table)

    def body(i, c):
        if "row" not in cache:
            cache["row"] = np.arange(4.0)
        return c + cache["row"] + table[3]

    def function(x):
        return bl.fori_loop(0, x.shape[0], body, x[0])

    assert agrees_or_refuses(function, MATRIX)


# What is an array of the trace alone, and what needs no elements.


@pytest.mark.parametrize(
    "make",
    [
        lambda x: np.asarray(np.arange(4.0), like=x),
        lambda x: np.asarray(np.arange(8.0), like=x)[4:],
        lambda x: x.__array_namespace__().asarray(np.arange(4.0)) if hasattr(x, "_trace") else np.arange(4.0),
        lambda x: np.atleast_2d(np.asarray(np.arange(4.0), like=x))[0],
        lambda x: np.asarray(np.zeros(()), like=x),
    ],
)
def test_an_array_of_a_temporary_one_is_written(make):
    def function(x):
        first, second = make(x), make(x)
        first += x[0, 1]
        second[...] = x[1, 2]
        return first, second

    assert agrees_or_refuses(function, MATRIX)


def test_arrays_of_objects_are_carried_and_given():
    def function(x):
        o = np.empty(2, object)
        o[0], o[1] = x[0, 0], x[1, 1]
        carried = bl.fori_loop(0, x.shape[0], lambda i, c: c + 1, np.stack(list(o)))
        return carried, bl.fori_loop(0, x.shape[0], lambda i, c: o, x[0, :2])

    found = bl.jit(function)(MATRIX)
    np.testing.assert_array_equal(found[0], [3.0, 8.0])
    np.testing.assert_array_equal(found[1], [0.0, 5.0])


@pytest.mark.parametrize(
    "body, is_own",
    [
        (lambda x: lambda i, c: c + x[0], True),
        (lambda x: lambda i, c: c, False),
        (lambda x: lambda i, c: c[::-1], False),
        (lambda x: lambda i, c: bl.fori_loop(0, i, lambda j, d: d + 1, c), False),
    ],
)
def test_the_start_of_a_loop_that_has_steps_is_written(body, is_own):
    def function(x):
        z = np.zeros(4)
        r = bl.fori_loop(0, 10, body(x), z)
        z[:] = 1
        return r + z

    assert agrees_or_refuses(function, MATRIX) == is_own


def test_a_carry_that_another_result_takes_is_not_written():
    def function(x):
        z = np.zeros(4)
        r, s = bl.fori_loop(0, 1, lambda i, c: (c[1], x[1] * 2), (x[0] * 1, z))
        z[:] = 1
        return r + z, s

    assert not agrees_or_refuses(function, MATRIX)


def test_the_shape_of_what_was_written_is_known():
    def function(x):
        z = np.zeros(4)
        shared, whole = z[: x.shape[1]], np.asarray(z, like=x)
        z[0] = 1
        return x + shared.shape[0] + len(whole), np.zeros_like(shared) + x

    found = bl.jit(function)(MATRIX)
    np.testing.assert_array_equal(found[0], MATRIX + 8)
    np.testing.assert_array_equal(found[1], MATRIX)


def test_padding_of_elements_is_not_compared():
    kind = np.dtype([("a", "i1"), ("b", "f8")], align=True)
    rows = np.frombuffer(bytes(range(1, 161)), kind).copy()[::2]

    def function(x):
        return bl.fori_loop(0, x.shape[0], lambda i, c: c + rows["a"][0], x[0])

    assert agrees_or_refuses(function, MATRIX)


def test_a_large_array_that_one_line_reads_again_is_compared_at_the_end():
    def function(x):
        z, total = np.zeros((400, 500)), x[0, 0]
        shared = np.asarray(z, like=x)
        for k in range(3):
            z[0, k] = k
            total = total + shared[0, k]
        return total

    assert not agrees_or_refuses(function, MATRIX)
