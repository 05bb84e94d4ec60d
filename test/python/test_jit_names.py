"""bl.jit: what names stand for while arrays change, and where another trace is."""

import threading

import broadloom as bl
import numpy as np
import pytest
from broadloom import _program as program

Z = np.arange(1.0, 7.0)


def same(function, *arguments):
    """That all results, of which there are several, are NumPy's."""
    expected = function(*arguments)
    found = bl.jit(function, optimise=False)(*arguments)
    assert len(found) == len(expected)
    for f, e in zip(found, expected):
        assert np.asarray(f).dtype == np.asarray(e).dtype
        np.testing.assert_array_equal(f, e)


def sum_changes(x):
    a = x.sum()
    b = a
    a += 1
    return a, b


def number_changes(x):
    n = x.shape[0] / 2
    m = n
    n += 1
    return n * x, m * x, x.astype("f4") * n


def extreme_changes(x):
    a = np.max(x, axis=0)
    b = a
    a *= 3
    return a, b


def element_changes(x):
    a = x[0]
    b = a
    a -= 5
    return a, b, x


def number_gets_axes(x):
    a = x.sum()
    a += x
    return a, x


def number_gets_another_type(x):
    a = x.sum()
    a += 0.5
    return a, x


def array_changes(x):
    a = x * 1
    b = a
    a += 1
    return a, b


@pytest.mark.parametrize(
    "function",
    [
        sum_changes,
        number_changes,
        extreme_changes,
        element_changes,
        number_gets_axes,
        number_gets_another_type,
        array_changes,
    ],
)
def test_numbers_do_not_change_for_other_names(function):
    same(function, Z)


def test_a_number_of_integers_gets_the_type_of_what_is_added():
    same(number_gets_another_type, np.arange(4))


def test_views_without_axes_are_not_numbers():
    def f(x):
        y = x * 2
        a = y[0, ...]
        a += 1
        return y

    np.testing.assert_array_equal(bl.jit(f)(Z), f(Z))


KEPT = []


def keep(x):
    KEPT.append(x * 100)
    KEPT.append(x.shape[0])
    return x + 1


@pytest.mark.parametrize(
    "use",
    [lambda x: KEPT[0], lambda x: KEPT[1], lambda x: x + KEPT[0], lambda x: x * KEPT[1],
     lambda x: np.concatenate([x, KEPT[0]]), lambda x: np.dot(x, KEPT[0]), lambda x: np.where(x > 1, x, KEPT[0]),
     lambda x: np.take(x, KEPT[0]), lambda x: [x[0], KEPT[0]], lambda x: np.clip(x, KEPT[0], None)],
)  # fmt: skip
def test_arrays_of_an_earlier_trace_are_refused(use):
    KEPT.clear()
    bl.jit(keep)(Z)
    with pytest.raises(bl.TraceError, match="an array of an earlier trace is used"):
        bl.jit(use)(Z)


@pytest.mark.parametrize(
    "use",
    [
        lambda x, y: y,
        lambda x, y: y.shape[0],
        lambda x, y: x + y,
        lambda x, y: y + x,
        lambda x, y: np.concatenate([x, y]),
        lambda x, y: np.dot(y, x),
        lambda x, y: {"a": (x, y * 2)},
    ],
)
def test_arrays_of_an_outer_trace_are_refused(use):
    def outer(y):
        return bl.jit(lambda x: use(x, y))(Z) + y

    with pytest.raises(bl.TraceError, match="what another trace computes, used in this one, cannot be traced; pass it"):
        bl.jit(outer)(Z)


def test_programs_refuse_values_of_others():
    p, q = program.Builder(), program.Builder()
    x, y = p.argument("f32", ["n", "n"]), q.argument("f32", ["n", "n"])
    indices = q.argument("i64", [None])
    number = program.extent(y, 0)
    uses = [
        lambda: program.add(x, y),
        lambda: program.matmul(x, y),
        lambda: program.concat([x, y], 0),
        lambda: program.take(x, indices, 0),
        lambda: program.take(x, indices, 1),
        lambda: p.finish([y]),
        lambda: program.broadcast_to(x, [3, number, number]),
        lambda: program.extent(x, 0) + number,
        lambda: program.slice_axis(x, 0, number),
        lambda: program.multiply(x, number),
        lambda: program.reshape(x, [number, -1]),
    ]
    for use in uses:
        with pytest.raises(ValueError, match="is part of another program; pass it as an argument"):
            use()


def test_functions_that_call_each_other_are_traced_by_two_threads():
    both = threading.Barrier(2, timeout=20)

    @bl.jit
    def first(x, deep=True):
        if deep:
            both.wait()
            return x + second(Z, False)
        return x + 1

    @bl.jit
    def second(x, deep=True):
        if deep:
            both.wait()
            return x + first(Z, False)
        return x + 2

    found = {}
    threads = [
        threading.Thread(target=lambda f=f, n=n: found.update({n: f(Z)}), daemon=True)
        for n, f in (("first", first), ("second", second))
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not any(t.is_alive() for t in threads)
    np.testing.assert_array_equal(found["first"], Z + Z + 2)
    np.testing.assert_array_equal(found["second"], Z + Z + 1)


def test_a_thread_that_waits_for_a_trace_that_fails_gets_the_error_too():
    def fail(x):
        if x.sum() > 0:
            return x

    f, errors = bl.jit(fail), []

    def work():
        try:
            f(Z)
        except bl.TraceError as error:
            errors.append(error)

    threads = [threading.Thread(target=work, daemon=True) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(errors) == 4


SCALE = 2


def test_what_is_found_elsewhere_is_that_of_the_trace():
    global SCALE
    f = bl.jit(lambda x: x * SCALE)
    SCALE = 2
    np.testing.assert_array_equal(f(Z), Z * 2)
    SCALE = 3
    np.testing.assert_array_equal(f(Z), Z * 2)
    f.cache_clear()
    np.testing.assert_array_equal(f(Z), Z * 3)


def test_lists_are_copies():
    given = [Z]

    @bl.jit
    def f(arrays):
        arrays.append(arrays[0] + 1)
        return arrays[1]

    np.testing.assert_array_equal(f(given), Z + 1)
    assert len(given) == 1
