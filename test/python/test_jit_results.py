"""Tests what functions under bl.jit return, and what they have."""

import collections
import dataclasses
import types

import broadloom as bl
import numpy as np
import pytest

X = np.ones((2, 3))


@dataclasses.dataclass
class Pair:
    first: object
    second: int = 3


@dataclasses.dataclass(slots=True)
class Slotted:
    first: object


@pytest.mark.parametrize(
    "function",
    [
        lambda x: Pair(x + 1),
        lambda x: [Slotted(x + 1)],
        lambda x: types.SimpleNamespace(y=[x]),
        lambda x: (v for v in (x, x)),
        lambda x: map(np.exp, [x]),
        lambda x: collections.deque([x]),
        lambda x: Pair(x.shape[0]),
    ],
)
def test_objects_with_arrays_of_the_trace_are_no_results(function):
    with pytest.raises(
        TypeError, match=r"the function returns a .* with arrays of the trace; results are arrays, numbers"
    ):
        bl.jit(function)(X)


def test_other_objects_are_results():
    given = (Pair(1), {1, 2}, slice(3), range(2), np.float32, collections.deque([1]), bl)
    for value in given:
        assert bl.jit(lambda x, value=value: (x, value))(X)[1] is value


def test_what_a_compiled_function_has_is_of_some_types():
    f = bl.jit(lambda x: x + 1)
    for name in (
        ("save", "shapes", "program", "emit") if hasattr(bl.Function, "emit") else ("save", "shapes", "program")
    ):
        with pytest.raises(AttributeError, match=rf"no attribute '{name}'; lower\(\) gives .*: f.lower\(x\).{name}$"):
            getattr(f, name)
        assert hasattr(f.lower(X), name)
    with pytest.raises(AttributeError, match=r"no attribute 'shaped'$"):
        f.shaped


@pytest.mark.parametrize(
    "function",
    [
        lambda x: f"sum: {x.sum()}",
        lambda x: (x, {"rows": str(x.shape[0])}),
        lambda x: repr(x.shape == (1, 2)),
        lambda x: "%s" % (x > 1),
    ],
)
def test_texts_of_what_has_no_value_are_no_results(function):
    with pytest.raises(
        bl.TraceError, match="a text of what has no value yet, as a result, cannot be traced; return the array"
    ):
        bl.jit(function)(X)
    assert bl.jit(lambda x: (x, f"{x.ndim} axes, {x.dtype}"))(X)[1] == f"{X.ndim} axes, {X.dtype}"
