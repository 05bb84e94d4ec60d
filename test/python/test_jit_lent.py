"""Arrays of NumPy's own whose elements arrays of a trace share: what is written to them is seen or refused."""

import gc

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


def reaches(how):
    """A body that writes to an array of NumPy's, which it reaches in one of several ways."""
    z = np.zeros(4)
    listed = [{"a": z}]

    def write(i, c):
        z[0] += 1
        return c + z

    def write_listed(i, c):
        listed[0]["a"][0] += 1
        return c + listed[0]["a"]

    def write_default(i, c, z=z):
        z[0] += 1
        return c + z

    return {
        "closure": write,
        "closure of a function": lambda i, c: write(i, c),
        "list": write_listed,
        "default": write_default,
        "method": Model().step,
    }[how]


@pytest.mark.parametrize("how", ["closure", "closure of a function", "list", "default", "method"])
def test_a_body_that_writes_to_an_array_of_numpys_is_an_error(how):
    def function(x):
        return bl.fori_loop(0, x.shape[0], reaches(how), x[0])

    message = r"a write to an array of NumPy's in the body of a loop cannot be traced; carry it"
    with pytest.raises(bl.TraceError, match=message):
        bl.jit(function)(MATRIX)
