"""Pools of many and of few channels, and of an open number of them, against NumPy. From five channels on they are
contractions, which pad by themselves."""

import broadloom as bl
import numpy as np
import pytest
from onnx_models import model

CASES = [
    # Windows, strides, dilations, padding before and behind.
    ((3, 3), (2, 2), (1, 1), (1, 1), (1, 1)),
    ((2, 3), (1, 1), (1, 1), (0, 1), (1, 0)),
    ((3, 3), (1, 1), (1, 1), (1, 1), (1, 1)),
    ((3, 2), (3, 1), (2, 3), (2, 0), (0, 1)),
    ((1, 1), (2, 2), (1, 1), (0, 0), (0, 0)),
    ((5, 4), (5, 4), (1, 1), (0, 0), (0, 0)),
    ((2,), (2,), (1,), (1,), (0,)),
    ((2, 3, 2), (1, 2, 2), (1, 1, 1), (1, 1, 0), (0, 1, 1)),
]
SHAPES = [(1, 9), (2, 14), (3, 7)]


def windows(x, case, fill, ceil=False):
    """What each window of x sees, in f64; and where there is no padding."""
    frame, strides, dilations, low, high = case
    high = list(high)
    for axis, (size, f, s, d) in enumerate(zip(x.shape[2:], frame, strides, dilations)):
        rest = size + low[axis] + high[axis] - (f - 1) * d - 1
        count = -(-rest // s) + 1
        count -= (count - 1) * s >= size + low[axis]
        high[axis] += ceil * max((count - 1) * s - rest, 0)
    ends = [(0, 0), (0, 0), *zip(low, high)]
    rank, found = len(frame), []
    for given, value in ((x.astype("f8"), fill), (np.ones(x.shape), 0)):
        given = np.pad(given, ends, constant_values=value)
        reach = [(f - 1) * d + 1 for f, d in zip(frame, dilations)]
        seen = np.lib.stride_tricks.sliding_window_view(given, reach, range(2, 2 + rank))
        steps = [slice(None), slice(None), *(slice(None, None, s) for s in strides)]
        found.append(seen[(*steps, *(slice(None, None, d) for d in dilations))])
    return (*found, tuple(range(-rank, 0)))


def text(operator, case, channels, more=""):
    frame, strides, dilations, low, high = case
    axes = "hwd"[: len(frame)]
    return (
        f"x: f32[n, {channels}, {', '.join(axes)}]\ny = {operator}(x, kernel_shape={list(frame)}, "
        f"strides={list(strides)}, dilations={list(dilations)}, pads={[*low, *high]}{more})\nreturn y"
    )


def images(channels, rank):
    random = np.random.default_rng(channels)
    for n, size in SHAPES:
        x = random.standard_normal((n, channels, *(size + i for i in range(rank)))).astype("f4")
        x[:, :, :2] = -0.0
        yield x


@pytest.mark.parametrize("channels", [3, 5, 8, 40, "c"])
@pytest.mark.parametrize("ceil", [0, 1])
def test_maxima(channels, ceil):
    for case in CASES:
        f = bl.compile(model(text("MaxPool", case, channels, f", ceil_mode={ceil}")))
        for x in images(6 if channels == "c" else channels, len(case[0])):
            seen, _, axes = windows(x, case, -np.inf, ceil)
            wanted = seen.max(axes).astype("f4")
            np.testing.assert_array_equal(f(x), wanted)
            x[:, 1, -1], x[:, 2, 3], x[:, 0, 4] = np.nan, np.inf, -np.inf
            seen, _, axes = windows(x, case, -np.inf, ceil)
            np.testing.assert_array_equal(f(x), seen.max(axes).astype("f4"))


@pytest.mark.parametrize("channels", [3, 5, 40, "c"])
@pytest.mark.parametrize("ceil", [0, 1])
@pytest.mark.parametrize("counted", [0, 1])
def test_means(channels, ceil, counted):
    for case in CASES:
        f = bl.compile(
            model(text("AveragePool", case, channels, f", ceil_mode={ceil}, count_include_pad={counted}"), opset=22)
        )
        for x in images(6 if channels == "c" else channels, len(case[0])):
            seen, inside, axes = windows(x, case, 0.0, ceil)
            if counted:
                # What ceil_mode adds behind the padding does not count.
                ends = [(0, 0), (0, 0), *zip(case[3], case[4])]
                padded = np.pad(x, ends)
                none = (*case[:3], (0,) * len(case[0]), (0,) * len(case[0]))
                inside = windows(padded, none, 0.0, ceil)[1] if ceil else np.ones(seen.shape)
            if inside.shape != seen.shape:
                continue
            np.testing.assert_allclose(f(x), seen.sum(axes) / inside.sum(axes), rtol=1e-4, atol=1e-6)


def test_pools_of_many_channels_are_contractions():
    case = CASES[0]
    for operator, channels, wanted in (
        ("MaxPool", 5, "max_pool"),
        ("AveragePool", 5, "sum_pool"),
        ("MaxPool", 4, "linalg"),
        ("MaxPool", "c", "linalg"),
    ):
        f = bl.from_onnx(model(text(operator, case, channels), opset=22))
        assert wanted in f.mlir
        assert operator == "AveragePool" or ("tensor.pad" in f.mlir) == (wanted == "linalg")


def test_a_window_that_is_too_large():
    f = bl.compile(model(text("MaxPool", CASES[0], 5)))
    with pytest.raises(bl.ShapeError, match="the window is larger than the padded image"):
        f(np.zeros((1, 5, 0, 9), "f4"))


@pytest.mark.parametrize("element", ["f16", "f64"])
def test_other_types(element):
    case = CASES[0]
    f = bl.compile(model(text("MaxPool", case, 40).replace("f32", element)))
    for x in images(40, 2):
        x = x.astype(element.replace("f16", "f2").replace("f64", "f8"))
        seen, _, axes = windows(x, case, -np.inf)
        np.testing.assert_array_equal(f(x), seen.max(axes).astype(x.dtype))
