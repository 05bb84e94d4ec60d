"""Operators of ONNX that read and write at indices which are data: values computed
by the element, and indices outside, each of its own axis."""

import broadloom as bl
import numpy as np
import pytest
from onnx_models import model, random

REDUCTIONS = {"none": lambda a, b: b, "add": np.add, "mul": np.multiply, "max": np.maximum, "min": np.minimum}


def scatter_elements(x, indices, updates, axis, reduction):
    y = x.copy()
    for at in np.ndindex(indices.shape):
        into = list(at)
        into[axis] = indices[at]
        y[tuple(into)] = REDUCTIONS[reduction](y[tuple(into)], updates[at])
    return y


def scatter_nd(x, indices, updates, reduction):
    y = x.copy()
    for at in np.ndindex(indices.shape[:-1]):
        into = tuple(indices[at])
        y[into] = REDUCTIONS[reduction](y[into], updates[at])
    return y


def elements(axis, reduction, shape="n, m"):
    return bl.compile(
        model(f"""
        x: f32[{shape}]
        i: i64[{"3, 4" if shape[0].isdigit() else "k, l"}]
        u: f32[{"3, 4" if shape[0].isdigit() else "k, l"}]
        y = ScatterElements(x, i, u, axis={axis}, reduction="{reduction}")
        return y
        """)
    )


def nd(indices, updates, reduction="none", x="n, m, k"):
    return bl.compile(
        model(f"""
        x: f32[{x}]
        i: i64[{indices}]
        u: f32{f"[{updates}]" if updates else ""}
        y = ScatterND(x, i, u, reduction="{reduction}")
        return y
        """)
    )


@pytest.mark.parametrize("shape", ["5, 4", "n, m"])
@pytest.mark.parametrize("axis", [0, 1, -1])
@pytest.mark.parametrize("reduction", REDUCTIONS)
def test_elements(reduction, axis, shape):
    x, u = random(5, 4), random(3, 4)
    # Negative ones count from the end, and some are there twice.
    indices = np.array([[0, 1, 2, -1], [1, 1, 0, 0], [3, 2, -1, -2]])
    found = elements(axis, reduction, shape)(x, indices, u)
    np.testing.assert_allclose(found, scatter_elements(x, indices, u, axis, reduction), rtol=1e-6)


@pytest.mark.parametrize(
    "axis, indices, message",
    [
        (1, [[0, 4]], "index 4 is outside axis 1, which has extent 4"),
        (1, [[0, -5]], "index -5 is outside axis 1, which has extent 4"),
        (0, [[3, 0]], "index 3 is outside axis 0, which has extent 3"),
        (0, [[0, 0, 0, 0, 0]], "index 4 is outside axis 1, which has extent 4"),
    ],
)
@pytest.mark.parametrize("reduction", ["none", "add"])
def test_elements_outside(reduction, axis, indices, message):
    indices = np.array(indices)
    with pytest.raises(IndexError, match=message):
        elements(axis, reduction)(random(3, 4), indices, np.ones(indices.shape, "f4"))


def test_elements_need_an_update_for_each_index():
    f = bl.compile(
        model("""
        x: f32[n, m]
        i: i64[k, l]
        u: f32[a, b]
        y = ScatterElements(x, i, u)
        return y
        """)
    )
    with pytest.raises(bl.ShapeError, match="axis 1 of the updates has the extent 3, but 2 is needed"):
        f(random(3, 4), np.zeros((1, 2), "i8"), np.ones((1, 3), "f4"))


@pytest.mark.parametrize("reduction", REDUCTIONS)
@pytest.mark.parametrize(
    "indices, lead, updates",
    [
        ([[0], [2], [0]], "a, 1", "a, m, k"),
        ([[0, 3], [2, -1], [0, 3]], "a, 2", "a, k"),
        ([[[0, 3], [2, -1]]], "a, b, 2", "a, b, k"),
        ([[0, 3, 1], [-1, 0, -2]], "a, 3", "a"),
        ([1, -2], "2", "k"),
        ([1, 2, 0], "3", ""),
    ],
)
def test_nd(indices, lead, updates, reduction):
    indices, x = np.array(indices), random(3, 4, 2)
    u = random(*indices.shape[:-1], *x.shape[indices.shape[-1] :])
    found = nd(lead, updates, reduction)(x, indices, u)
    np.testing.assert_allclose(found, scatter_nd(x, indices, u, reduction), rtol=1e-6)


@pytest.mark.parametrize("reduction", ["none", "max"])
@pytest.mark.parametrize(
    "indices, message",
    [
        ([[0, 4]], "index 4 is outside axis 1, which has extent 4"),
        ([[1, -5]], "index -5 is outside axis 1, which has extent 4"),
        ([[0, 0], [3, 0]], "index 3 is outside axis 0, which has extent 3"),
    ],
)
def test_nd_outside(indices, message, reduction):
    with pytest.raises(IndexError, match=message):
        nd("a, 2", "a", reduction, "n, m")(random(3, 4), np.array(indices), np.ones(len(indices), "f4"))


@pytest.mark.parametrize("reduction", ["none", "add"])
def test_rows_outside(reduction):
    # Without a reduction whole rows are written, whose indices are checked together.
    message = (
        r"indices are from {0} to {0} but must be in \[0, 3\)" if reduction == "none" else "index {0} is outside axis 0"
    )
    for index in (3, -4):
        with pytest.raises(IndexError, match=message.format(index)):
            nd("a, 1", "a, m", reduction, "n, m")(random(3, 4), np.array([[index]]), random(1, 4))


def test_one_element_at_its_own_axes():
    f = bl.compile(
        model("""
        x: f32[n, m]
        i: i64[2]
        y = GatherND(x, i)
        return y
        """)
    )
    x = random(3, 4)
    for at in ([0, 0], [2, 3], [-1, -4]):
        assert f(x, np.array(at)) == x[tuple(at)]
    for at, message in (
        ([0, 5], "index 5 is outside axis 1"),
        ([1, -5], "index -5 is outside axis 1"),
        ([3, 0], "index 3 is outside axis 0"),
    ):
        with pytest.raises(IndexError, match=message):
            f(x, np.array(at))
