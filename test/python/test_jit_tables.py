"""Arrays of NumPy's meet what is traced under bl.jit: as tables at traced indices, as first arguments of functions, and
as new arrays of extents. Values, types and shapes are NumPy's."""

import threading

import broadloom as bl
import numpy as np
import pytest

LINE = np.arange(10, dtype=np.float32) ** 2
TABLE = np.arange(60.0).reshape(5, 4, 3)
INDEX = np.array([[3, 1], [-1, 0]])
X = np.arange(12.0).reshape(3, 4)


def agrees(function, *arguments):
    expected, found = function(*arguments), bl.jit(function, optimise=False)(*arguments)
    expected, found = ((v if isinstance(v, tuple) else (v,)) for v in (expected, found))
    assert len(found) == len(expected)
    for one, other in zip(found, map(np.asarray, expected)):
        one = np.asarray(one)
        assert (one.dtype, one.shape) == (other.dtype, other.shape)
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize(
    "function",
    [
        lambda i: LINE[i],
        lambda i: LINE[i, None],
        lambda i: LINE[i[0, 0]],
        lambda i: TABLE[i],
        lambda i: TABLE[:, i],
        lambda i: TABLE[..., 0, i - 1],
        lambda i: TABLE[i, i[0]],
        lambda i: TABLE[i, :, i - 1],
        lambda i: TABLE[i][..., 0],
        lambda i: TABLE[1:, i, ::2],
        lambda i: LINE[[i[0, 0], 2]],
        lambda i: LINE[i.shape[0]],
        lambda i: TABLE[-i.shape[0], ..., i - 1],
        lambda i: LINE[: i.shape[0] + 1],
        lambda i: LINE[i.shape[1] :: 2],
        lambda i: (LINE > 3)[i],
        lambda i: LINE.astype("f8")[i] + TABLE[0, 0, 0],
        lambda i: np.take(LINE, i),
        lambda i: np.take(TABLE, i, axis=1),
        lambda i: np.take_along_axis(LINE[:4].reshape(2, 2), i % 2, 1),
        lambda i: np.stack([LINE, LINE + 1])[i.shape[0] - 1],
    ],
)
def test_a_table_at_traced_indices(function):
    agrees(function, INDEX)


def test_each_call_checks_the_indices_of_a_table():
    f = bl.jit(lambda i: LINE[i])
    with pytest.raises(
        IndexError,
        match=r"test_jit_tables.py:\d+:\d+: 'numpy.getitem': indices are from 0 to 10 but must be in \[0, 10\)",
    ):
        f(np.array([0, 10]))
    agrees(lambda x: LINE[x > 3], LINE)


def test_other_indices_are_numpys():
    def function(x):
        rows = [LINE[3], LINE[1:4], LINE[[1, 2]], LINE[LINE > 4], TABLE[..., 1], LINE[np.int8(2)]]
        with pytest.raises(IndexError, match="index 10 is out of bounds for axis 0 with size 10"):
            LINE[10]
        with pytest.raises(IndexError, match="only integers, slices"):
            LINE["a"]
        return x + sum(np.sum(row) for row in rows)

    agrees(function, LINE)


@pytest.mark.parametrize(
    "function",
    [
        lambda x: np.reshape(LINE, (-1, x.shape[0] - 1)),
        lambda x: np.roll(LINE, x.shape[0]),
        lambda x: np.repeat(LINE, x.shape[0]),
        lambda x: np.tile(LINE, x.shape[0]),
        lambda x: np.pad(LINE, (0, x.shape[0])),
        lambda x: np.broadcast_to(1.0, x.shape),
        lambda x: np.broadcast_to(LINE[:4], (x.shape[0], 4)),
        lambda x: np.sum(LINE[:4], where=x[0] > 1),
        lambda x: np.max(LINE[:4], initial=x[2, 3]),
        lambda x: np.full_like(LINE, x[1, 1]),
        lambda x: np.zeros_like(LINE, shape=x.shape),
        lambda x: np.interp(LINE, [0, 50], [1, 2], left=x[0, 1]),
    ],
)
def test_functions_ask_all_arguments(function):
    agrees(function, X)


@pytest.mark.parametrize(
    "function",
    [
        lambda x: np.arange(x.shape[0]),
        lambda x: np.arange(1, x.shape[1], dtype="f4"),
        lambda x: np.zeros((x.shape[0], 2)),
        lambda x: np.empty((0, x.shape[0])),
        lambda x: np.ones(x.shape, "i1"),
        lambda x: np.full((2, x.shape[0]), x.sum()),
        lambda x: np.eye(x.shape[0], k=1),
        lambda x: np.identity(x.shape[1]),
        lambda x: np.tri(x.shape[0]),
        lambda x: np.array(x.shape),
        lambda x: np.array([x.sum(), 1]),
        lambda x: np.asarray(x, dtype=np.float32),
        lambda x: np.asanyarray([x, x + 1]),
        lambda x: np.zeros((x.shape[0], 2), like=x),
        lambda x: x + np.zeros((3, 1)) + np.arange(4),
        lambda x: np.linspace(0, 1, x.shape[0]),
        lambda x: np.linspace(0, 1, num=x.shape[0] * 7, endpoint=False),
        lambda x: np.linspace(1, 0, x.shape[0] - 2),
        lambda x: np.linspace(1, 0, x.shape[0] - 3),
        lambda x: np.linspace(2, 2, x.shape[0]),
        lambda x: np.linspace(-3, 8.5, x.shape[0], dtype=int),
        lambda x: np.linspace(np.float32(0), np.float32(1), x.shape[1]),
        lambda x: np.linspace(x[0], 1, 5),
        lambda x: np.linspace(x[0], x[1] * 2, x.shape[0], axis=1),
        lambda x: np.linspace(0, 9, x.shape[0], retstep=True),
        lambda x: np.linspace(0, 9, x.shape[0] - 2, retstep=True),
    ],
)
def test_new_arrays_of_extents(function):
    agrees(function, X)


def test_a_line_of_fewer_than_no_numbers():
    with pytest.raises(bl.ShapeError, match=r"Number of samples, -2, must be non-negative."):
        bl.jit(lambda x: np.linspace(0, 1, x.shape[0] - 5))(X)


def test_numpy_is_as_it_was():
    names = {name: getattr(np, name) for name in ("arange", "zeros", "linspace", "take")}
    asked = np.take._implementation.__globals__["_take_dispatcher"]
    code = asked.__code__
    seen = []

    def look():
        # Another thread, while this one traces.
        seen.append((np.arange(3).tolist(), LINE[2], np.take(LINE, [1, 2]).tolist(), np.linspace(0, 1, 3).tolist()))

    def function(x):
        thread = threading.Thread(target=look)
        thread.start()
        thread.join()
        return LINE[x]

    bl.jit(function)(INDEX)
    assert seen == [([0, 1, 2], 4.0, [1.0, 4.0], [0.0, 0.5, 1.0])]
    with pytest.raises(ZeroDivisionError):
        bl.jit(lambda x: LINE[x] / (1 // 0))(INDEX)
    assert all(getattr(np, name) is value for name, value in names.items()) and asked.__code__ is code
    with pytest.raises(IndexError):
        LINE[object()]


def test_a_class_of_arrays_that_is_made_meanwhile():
    made = []

    def function(i):
        class Own(np.ndarray):
            pass

        made.append(LINE.view(Own))
        return LINE[i]

    agrees(function, INDEX)
    bl.jit(function)(INDEX)
    assert made[-1][3] == 9 and made[-1][[1, 2]].tolist() == [1, 4]


def test_a_file_as_a_table(tmp_path):
    np.save(tmp_path / "table.npy", TABLE)
    table = np.load(tmp_path / "table.npy", mmap_mode="r")
    agrees(lambda i: np.take(table, i, axis=0), INDEX)
    with pytest.raises(bl.TraceError, match=r"np.take\(table, x, axis=0\) is table\[x\] of an np.memmap"):
        bl.jit(lambda i: table[i[0]])(INDEX)


def test_lists_that_have_themselves():
    """NumPy has the word for such indices, also while something is traced."""
    for times in (1, 3):

        @bl.jit
        def function(x):
            index = [0]
            index.extend([index] * times)
            return x + np.arange(10)[index]

        with pytest.raises((ValueError, IndexError)):
            function(np.zeros(3))
