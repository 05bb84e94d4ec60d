"""Range of ONNX, of floats and integers that a call tells."""

import itertools
import math
import re

import broadloom as bl
import numpy as np
import pytest
from onnx_models import model, random

TEXT = """
    x: f32[n, m]
    s = Shape(x)
    e = Gather(s, axis)
    first = Cast(e, to={to})
    r = Range(start, first, delta)
    return r
    """
NUMBERS = {"f32": (1, "f4"), "f64": (11, "f8"), "f16": (10, "f2"), "i64": (7, "i8"), "i32": (6, "i4")}


def of_extent(element, start, delta):
    """A range from a number to the first extent."""
    to, dtype = NUMBERS[element]
    return model(TEXT.format(to=to), axis=np.array(0), start=np.array(start, dtype), delta=np.array(delta, dtype))


@pytest.mark.parametrize("element", NUMBERS)
@pytest.mark.parametrize("start, delta", [(0, 1), (1, 2), (-3, 2), (10, -2), (7, -1)])
def test_up_to_an_extent(element, start, delta):
    f = bl.compile(of_extent(element, start, delta))
    for n in (0, 1, 2, 5, 8):
        got = f(random(n, 2))
        np.testing.assert_array_equal(got, np.arange(start, n, delta, NUMBERS[element][1]))
        assert got.dtype == NUMBERS[element][1]


@pytest.mark.parametrize("element", ["f32", "f64"])
@pytest.mark.parametrize("start, delta", [(0, 0.5), (0, 0.25), (0.5, 1), (0, 0.3), (1, 1 / 3), (9, -0.7)])
def test_steps_with_fractions(element, start, delta):
    dtype = NUMBERS[element][1]
    f = bl.compile(of_extent(element, start, delta))
    step, first = float(np.array(delta, dtype)), float(np.array(start, dtype))
    for n in (0, 1, 2, 3, 7, 10):
        count = max(math.ceil((n - first) / step), 0)
        np.testing.assert_allclose(f(random(n, 2)), (first + np.arange(count) * step).astype(dtype), rtol=1e-6)


def test_the_extent_of_a_range_is_known():
    """It is added to the axis that it counts, without a guard."""
    for element in ("f32", "f64", "i64"):
        text = f"""
            x: f32[n, m]
            s = Shape(x)
            e = Gather(s, axis)
            limit = Cast(e, to={NUMBERS[element][0]})
            r = Range(zero, limit, one)
            c = Cast(r, to=1)
            y = Add(x, c)
            return y
            """
        dtype = NUMBERS[element][1]
        f = bl.compile(model(text, axis=np.array(1), zero=np.array(0, dtype), one=np.array(1, dtype)))
        x = random(2, 5)
        np.testing.assert_allclose(f(x), x + np.arange(5, dtype="f4"))
        assert f.shapes() == [("n", "m")]
        assert not [row for row in f.check() if row.status == "run-time" and "broadcast" in row.constraint]


def test_floats_that_are_data():
    f = bl.compile(model("a: f32\nb: f32\nc: f32\ny = Range(a, b, c)\nreturn y"))
    for first, last, step in itertools.product((0.0, 1.5, -2.0), (4.0, -3.25), (0.5, -0.75, 1.0)):
        count = max(math.ceil((last - first) / step), 0)
        np.testing.assert_allclose(
            f(*map(np.float32, (first, last, step))), np.float32([first + i * step for i in range(count)]), rtol=1e-6
        )
    message = "'Range (a, b, c)': its start, limit and delta tell no number of elements"
    for numbers in ((0, 1, 0), (0, 0, 0), (math.nan, 1, 1), (0, math.inf, 1), (0, 1, math.nan), (0, 1e30, 1e-8)):
        with pytest.raises(bl.ShapeError, match=re.escape(message)):
            f(*map(np.float32, numbers))


def test_a_delta_of_0_is_told_by_the_compilation():
    with pytest.raises(bl.UnsupportedOperations, match="its delta is 0"):
        bl.compile(of_extent("f32", 0, 0))


def test_extents_that_f32_rounds():
    f = bl.compile(
        model(
            """
        x: i1[n]
        e = Size(x)
        limit = Cast(e, to=1)
        r = Range(start, limit, delta)
        return r
        """,
            start=np.array(0, "f4"),
            delta=np.array(2**20, "f4"),
        )
    )
    assert len(f(np.zeros(2**24, bool))) == 16
    with pytest.raises(
        bl.ShapeError, match="the extent 16777217 is rounded in f32, which has all integers up to 16777216"
    ):
        f(np.zeros(2**24 + 1, bool))


def test_back_and_forth_between_element_types():
    f = bl.compile(
        model("""
        x: f32[n, m]
        s = Shape(x)
        d = Cast(s, to=11)
        i = Cast(d, to=7)
        t = Cast(s, to=1)
        j = Cast(t, to=7)
        y = Expand(x, i)
        z = Reshape(x, j)
        return y, z, t
        """)
    )
    x = random(2, 3)
    y, z, t = f(x)
    np.testing.assert_array_equal(y, x)
    np.testing.assert_array_equal(z, x)
    np.testing.assert_array_equal(t, np.float32([2, 3]))
