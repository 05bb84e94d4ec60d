"""Writes to arrays under bl.jit: x[...] = y, x += y, and what shares the elements, beside NumPy's."""

import warnings

import broadloom as bl
import numpy as np
import pytest
from jit_comparison import check, flatten

MATRIX = np.random.default_rng(0).integers(-3, 4, (5, 4)).astype(np.float64)


def agrees(function, *arguments):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = flatten(function(*map(np.copy, arguments)))
    found = flatten(bl.jit(function, optimise=False)(*arguments))
    assert len(found) == len(expected)
    for one, other in zip(found, expected):
        check(one, other)


def shift(x):
    z = np.zeros_like(x)
    z[1:] = x[:-1]
    z[0] = 1
    return z


def parts(x):
    z = x * 1
    z[0] += 1
    z[:, 1] *= 2
    z[x > 0] = 9
    z[1:-1, 1:-1] = (z[:-2, 1:-1] + z[2:, 1:-1]) / 2
    z[-1, ::-1] = x[0]
    z[::2] = x[::-2]
    return z


def indices(x):
    z = x * 1
    z[[0, 1, 0], [1, 2, 1]] = [10, 20, 30]
    z[x[:, 0] > 0] = 0
    z[x[:, 0] < 0, 1:] = [1, 2, 3]
    z[z > 0] = z[z > 0] * 3
    z[np.argmax(x[:, 0])] = 7
    return z


def diagonal(x):
    z = np.zeros((x.shape[0], x.shape[0]))
    z[np.arange(x.shape[0]), np.arange(x.shape[0])] = x[:, 0]
    z[..., 0] = x[:, 1]
    return z


def views(x):
    z = x * 1
    a = z[1:4]
    b = a[:, 1:]
    b[0] = 5
    a += 1
    z[2] = 7
    b[:, ::-1] += [1, 2, 3]
    return z, a, b


def names(x):
    z = x * 1
    w, v = z, np.copy(z)
    w[0] = 0
    v[1] = 4
    return z, w, v


def casts(x):
    z = np.empty(x.shape, dtype=np.int32)
    z[:] = x * 1.7
    z[0] = 2.7
    z[1, 1] = 3
    z[2, 0] = x.shape[0]
    return z


def overlaps(x):
    z = x * 1
    z[1:] = z[:-1]
    z[:-1] = z[1:]
    z[...] = z[::-1]
    return z


def columns(x):
    z = x * 1
    for k in range(1, 4):
        z[:, k] += z[:, k - 1]
    return z


def shapes(x):
    z = np.zeros((2,) + x.shape)
    z[0] = x
    z[1] = np.ones((1, 1, 4))
    z[:, 0] = 5
    z[:, :, 1] = x[:, 1]
    z[0, None, 2] = 3
    z[1, ..., None] += x[:, :, None]
    z[None, :, 1:, None, 2] = x[1:, :1]
    return z


def functions(x):
    z = x * 1
    z.fill(3)
    np.fill_diagonal(z, 7)
    w = np.zeros((4, 2)).reshape(2, -1) + x[0, 0]
    w = w.T
    w[1] = 5
    z[0, :2] = w[1]
    return z


def unbuffered(x):
    z = np.zeros_like(x, shape=(5,))
    np.add.at(z, [0, 1, 1], x[0, :3])
    np.maximum.at(z, np.array([2, 2]), x[1, :2])
    np.multiply.at(z, z > 1, 2)
    return z


def reductions(x):
    z = x.sum(0)
    z[1:] -= 1
    number = x.sum()
    other = number
    number += 1
    return z, number, other


#: What makes arrays and numbers without axes.
SCALARS = {
    "where": lambda x: np.where(x[0, 0] > 0, x[0, 1], x[0, 2]),
    "array": lambda x: np.array(x[0, 0]),
    "asarray": lambda x: np.asarray(x[0, 0]),
    "copy": lambda x: np.copy(x[0, 0]),
    "zeros": lambda x: np.zeros_like(x, shape=()),
    "ones": lambda x: np.ones_like(x[0, 0]),
    "full": lambda x: np.full_like(x[0, 0], 3),
    "select": lambda x: np.select([x[0, 0] > 0], [x[0, 1]], x[0, 2]),
    "piecewise": lambda x: np.piecewise(x[0, 0], [x[0, 0] > 0], [1.0, 2.0]),
    "part": lambda x: (x + 1)[0, 0, ...],
    "astype of an array": lambda x: np.copy(x[0, 0]).astype(np.float32),
    "copy of an array": lambda x: np.copy(x[0, 0]).copy(),
    "sum of an array": lambda x: np.copy(x[0, 0]) + 1,
    "number": lambda x: x[0, 0],
    "number's copy": lambda x: x[0, 0].copy(),
    "number as another type": lambda x: x[0, 0].astype(np.float32),
    "transposed number": lambda x: np.transpose(x[0, 0]),
    "flipped number": lambda x: np.flip(x[0, 0]),
    "sum": lambda x: x.sum(),
    "round": lambda x: np.round(x[0, 0], 1),
    "clip": lambda x: np.clip(x[0, 0], 0, 1),
    "nan_to_num": lambda x: np.nan_to_num(x[0, 0]),
    "interp": lambda x: np.interp(x[0, 0], np.sort(x[0]), x[1]),
    "median": lambda x: np.median(x),
    "einsum": lambda x: np.einsum("ij,ij", x, x),
    "norm": lambda x: np.linalg.norm(x),
}


@pytest.mark.parametrize("name", SCALARS)
def test_arrays_without_axes(name):
    """Of arrays += changes each name, and of numbers one."""

    def function(x):
        made = SCALARS[name](x)
        other = made
        made += 1
        return made, other

    agrees(function, MATRIX)


def test_writes_to_arrays_without_axes():
    def function(x):
        z = np.copy(x[0, 0])
        other = z
        z[...] = x[1, 1]
        z[()] += 2
        np.multiply.at(z, (), 3)
        return z, other, other + z

    agrees(function, MATRIX)


@pytest.mark.parametrize("limit", [-1, 100])
def test_masks_of_arrays_without_axes(limit):
    def function(x):
        z, w = np.copy(x[0, 0]), np.copy(x[1, 1])
        other = z
        z[z > limit] = 5
        w[w > limit] += 2
        w[w > limit] = x[0, :1]
        return z, other, w, w[w > limit], x[0, 0][x[0, 0] > limit]

    agrees(function, MATRIX)


def read_in_loop(x):
    z = x * 1
    view, again = z[1:], z[1:]
    z[1] = 5
    inside = bl.fori_loop(0, 3, lambda i, c: c + view[0] * i, x[0])
    behind = view + again
    z[1] = 7
    return z, view, inside, behind


def test_views_cost_when_they_are_read():
    """A write makes as much of a program however many views there are."""

    def make(count):
        def function(x):
            z = np.zeros_like(x, shape=(count, 4))
            rows = [z[i] for i in range(count)]
            for i, row in enumerate(rows):
                row[...] = x[0] + i
            return z

        return function

    agrees(make(4), MATRIX)
    sizes = [len(bl.jit(make(count), optimise=False).lower(MATRIX).program.emit("loom")) for count in (4, 16)]
    assert sizes[1] < 5 * sizes[0]


def dead_views(x):
    z = x * 1
    total = z.reshape(-1).sum() + z.T[0].sum()
    z[0] = total
    return z


def loop(x):
    def step(i, z):
        z = np.copy(z)
        z[i] = z[i - 1] * 0.5 + x[i]
        z[i, 0] = i
        return z

    return bl.fori_loop(1, x.shape[0], step, x * 1)


@pytest.mark.parametrize(
    "function",
    [shift, parts, indices, diagonal, views, names, casts, overlaps, columns, shapes, functions, unbuffered, reductions,
     dead_views, loop, read_in_loop],
)  # fmt: skip
@pytest.mark.parametrize("x", [MATRIX, MATRIX[::-1].copy()])
def test_writes(function, x):
    agrees(function, x)


def test_one_trace_serves_all_extents():
    f = bl.jit(shift, optimise=False)
    for rows in (1, 2, 9):
        x = np.random.default_rng(rows).normal(size=(rows, 3))
        check(f(x), shift(x))
    assert f.cache_info().traces == 1


# Writes at random.


def pick(random, size):
    """Numbers, slices and lists of an axis of `size`."""
    kind = random.integers(4)
    if kind == 0:
        return int(random.integers(-size, size))
    if kind == 1:
        ends = sorted(int(n) for n in random.integers(0, size + 1, 2))
        return slice(*ends)
    if kind == 2:
        return slice(None, None, int(random.choice([-1, 1, 2])))
    return [int(n) for n in random.integers(-size, size, 2)]


def make_steps(random):
    """Steps of what is written to which array, of at most four of which some are views of others."""
    return [
        (int(random.integers(4)), random.choice(["view", "set", "add", "set"]), int(random.integers(1 << 30)))
        for _ in range(int(random.integers(3, 9)))
    ]


def run(x, steps):
    arrays = [x * 1]
    for place, what, seed in steps:
        random = np.random.default_rng(seed)
        array = arrays[place % len(arrays)]
        shape = array.shape
        if array.ndim == 0 or any(size == 0 for size in shape):
            continue
        key = tuple(pick(random, size) for size in shape[: random.integers(1, len(shape) + 1)])
        if what == "view":
            if not any(isinstance(entry, list) for entry in key) and len(arrays) < 4:
                made = array[key]
                # A number is no view.
                arrays += [made] if made.ndim else []
            continue
        given = x[0, 0] * float(random.integers(9))
        if what == "set":
            array[key] = given
        else:
            array[key] += given
    return tuple(arrays)


@pytest.mark.parametrize("seed", range(60))
def test_writes_at_random(seed):
    random = np.random.default_rng(seed)
    x = random.integers(-9, 10, (3, 4)).astype(np.float64)
    steps = make_steps(random)
    expected = run(x, steps)
    # Extents that are known, so that the steps are the same.
    found = bl.jit(lambda y: run(np.reshape(y, (3, 4)) + 0, steps), optimise=False)(x)
    assert len(found) == len(expected)
    for one, other in zip(found, expected):
        check(one, other)


def keeps_a_copy_or_view(x):
    z = x * 1
    line = z.T.reshape(-1)
    z[0] = 1
    return line


def writes_its_argument(x):
    x[0] = 1
    return x


def writes_a_part_of_its_argument(x):
    z = x[1:]
    z[0] = 1
    return z


def writes_what_a_loop_carries(x):
    def step(i, z):
        z[i] = 0
        return z

    return bl.fori_loop(0, x.shape[0], step, x * 1)


def write(key, value, dtype=np.float64):
    def function(x):
        z = x.astype(dtype)
        z[key] = value
        return z

    return function


def writes_outside_of_a_loop(x):
    z = x * 1

    def step(i, total):
        z[0] = total
        return total + z[0]

    return bl.fori_loop(0, 3, step, x[0])


def writes_behind_a_loop(x):
    z = x * 1
    result = bl.fori_loop(0, 0, lambda i, y: y, z)
    z[0] = 9
    return result


def writes_behind_a_row(x):
    z = x * 1
    row = z[np.argmax(x[:, 0])]
    z[0] = 9
    return row


def writes_what_asarray_gives(x):
    z = np.asarray(x, dtype=np.float64)
    z[0] = 9
    return x


def changes_its_key(x):
    z = x * 1
    k = np.zeros_like(x, shape=(1,), dtype=np.int64)
    i = k[0, ...]
    r = z[i : i + 2]
    k[0] = 1
    z[:] = 7 + x
    return r, k


def copies(x):
    z = x * 1
    a, b, c = np.array(z), np.asarray(z, copy=True), np.asarray(z)
    z[0] = 9
    return z, a, b, c


def test_copies_and_keys():
    agrees(copies, MATRIX)
    agrees(changes_its_key, MATRIX)


@pytest.mark.parametrize(
    "value, dtype",
    [
        ([300, 1, 2, 3], np.int8),
        (np.int64(300), np.int8),
        (np.nan, np.int64),
        ([np.nan, 1, 2, 3], np.int64),
        ([2**64 - 1, 0, 1, 2], np.uint64),
        ([2**53 + 1, 1, 2, 3], np.int64),
        (1j, np.float64),
        (np.array([1.7, -1.7, 2, 3]), np.int32),
        (True, np.float32),
        ([1, 0, 2, 0], bool),
        (2.5, np.float16),
    ],
)
def test_what_is_written_is_cast_as_numpy_casts_it(value, dtype):
    def function(x):
        z = np.abs(x).astype(dtype)
        z[1] = value
        return z

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            expected = function(MATRIX)
        except (OverflowError, TypeError, ValueError) as error:
            with pytest.raises(type(error), match=r"test_jit_writes.py:\d+:\d+: "):
                bl.jit(function, optimise=False)(MATRIX)
        else:
            check(bl.jit(function, optimise=False)(MATRIX), expected)


def set_row(x):
    z = x[0] * 1
    z[0] = x[:, 0]
    return z


def write_number(x):
    z = x[0, 0]
    z[...] = 1


SHARED = "a write to an array that shares elements with another cannot be traced; make an array of its own: x = np.copy"
ERRORS = [
    (writes_outside_of_a_loop, bl.TraceError, "a write in the body of a loop to an array from outside cannot be traced; carry"),
    (writes_behind_a_loop, bl.TraceError, SHARED),
    (writes_behind_a_row, bl.TraceError, SHARED),
    (writes_what_asarray_gives, bl.TraceError, "a write to an argument cannot be traced"),
    (lambda x: np.add.at(x.astype(np.int8), 0, x[0]), bl.TraceError, "np.add.at of float64 into int8 cannot be traced; cast what"),
    (write((0, slice(1)), np.ones((2, 1))), ValueError, "axis 0 of what is written has extent 2, and there is no"),
    (lambda x: write(0, 0)(x) + set_row(x), bl.ShapeError, "axis 0 of what is written has extent 5, and there is no"),
    (keeps_a_copy_or_view, bl.TraceError, SHARED),
    (writes_a_part_of_its_argument, bl.TraceError, SHARED),
    (writes_what_a_loop_carries, bl.TraceError, "a write to what a loop carries cannot be traced; begin the body with"),
    (writes_its_argument, bl.TraceError, "a write to an argument cannot be traced; make an array of its own"),
    (write(0, [1.0, 2.0]), bl.ShapeError, "'numpy.setitem': axis 0 has extent 2 and cannot be broadcast to 4"),
    (write(9, 0), IndexError, "'numpy.setitem': index 9 is out of bounds for axis 0 with size 5"),
    (write([0, 9], 0), IndexError, "indices are from 0 to 9 but must be in"),
    (write(np.ones((3, 4), bool), 0), IndexError, "size of axis is 5 but size of corresponding boolean axis is 3"),
    (write((0, 0, 0), 0), IndexError, "too many indices for array: array is 2-dimensional, but 3 were indexed"),
    (write(0, 300, np.int8), OverflowError, r"test_jit_writes.py:\d+:\d+: Python integer 300 out of bounds for int8"),
    (write_number, bl.TraceError, r"a write to a number cannot be traced; make an array of it: x = np.copy\(x\)"),
    (write(0, "a"), ValueError, r"test_jit_writes.py:\d+:\d+: could not convert string to float"),
]  # fmt: skip


@pytest.mark.parametrize("function, kind, said", ERRORS)
def test_errors(function, kind, said):
    with pytest.raises(kind, match=said):
        bl.jit(function, optimise=False)(MATRIX)
