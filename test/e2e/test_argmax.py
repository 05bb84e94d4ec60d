"""argmax against NumPy: over every axis, alone and behind what is computed."""

import numpy as np
import pytest
from element_types import TYPES, roundTo
from reductions import Text, run, wide


def argmax(text, value, axis, mode=""):
    shape = value[1][:axis] + value[1][axis + 1 :]
    attributes = f"axis = {axis} : i32" + (f", nan_mode = #tosa.nan_mode<{mode}>" if mode else "")
    return text.emit("argmax", [value], shape, attributes, TYPES["i32"])


def runArgmax(tmp_path, kind, mode, *wanted, strategy="default"):
    """The results for arrays, axes and modes for NaN, all by one program: what is
    alike in it is compiled once."""
    text, inputs, results = Text(kind, mode), [], []
    for array, axes, *nanMode in wanted:
        x = text.argument(array.shape)
        inputs.append(array)
        results += [argmax(text, x, axis, *nanMode) for axis in axes]
    return run(tmp_path, text.text(*results), inputs, [TYPES["i32"]] * len(results), f"--strategy={strategy}")


@pytest.mark.parametrize(
    "mode, strategy", [("static", "default"), ("dynamic", "default"), ("mixed", "default"), ("mixed", "rfc")]
)
@pytest.mark.parametrize("element", ["f32", "f16", "bf16", "i8", "i16"])
def test_red5_argmax(tmp_path, element, mode, strategy):
    kind, random = TYPES[element], np.random.default_rng(21)
    wanted = []
    for shape in [(1,), (9,), (40003,), (5, 9), (40, 19), (300, 64), (2, 65, 3), (3, 1, 1030), (0, 3), (4, 33, 3, 5)]:
        # Few values: most rows have the largest several times.
        for values in (4, 200):
            array = random.integers(-values // 2, values // 2, shape).astype(np.float32)
            array = roundTo(kind, array) if kind.isFloat else array.astype(kind.dtype)
            wanted.append((array, [a for a in range(len(shape)) if shape[a]]))
    got = iter(runArgmax(tmp_path, kind, mode, *wanted, strategy=strategy))
    for array, axes in wanted:
        for axis in axes:
            expected, value = np.argmax(wide(array), axis=axis), next(got)
            assert value.shape == expected.shape and np.array_equal(value, expected), (array.shape, axis)


def test_red5_smallest_integers(tmp_path):
    for element in ("i8", "i16"):
        kind = TYPES[element]
        array = np.full((40, 70), np.iinfo(kind.dtype).min, kind.dtype)
        array[3, 5] = array[3, 7] = array[3, 5] + 1
        (got,) = runArgmax(tmp_path, kind, "dynamic", (array, (1,)))
        assert np.array_equal(got, np.argmax(array, axis=1))


def test_red5_argmax_of_nothing(tmp_path):
    (got,) = runArgmax(tmp_path, TYPES["f32"], "dynamic", (np.zeros((5, 0), np.float32), (1,)))
    assert got.tolist() == [0] * 5


@pytest.mark.parametrize("strategy", ["default", "rfc"])
@pytest.mark.parametrize("element", ["f32", "f16", "bf16"])
def test_red5_argmax_of_special_values(tmp_path, element, strategy):
    kind, nan, inf = TYPES[element], np.nan, np.inf
    rows = [
        [nan, 1, 2],
        [1, nan, nan],
        [nan, nan, nan],
        [-inf, -inf, -inf],
        [-inf, nan, -1],
        [nan, -inf, -inf],
        [inf, nan, inf],
        [-0.0, 0.0, -0.0],
        [0.0, -0.0, 0.0],
        [-1, -0.0, 0.0],
        [-inf, -3e4, -inf],
        [-nan, nan, inf],
    ]
    propagated = [0, 1, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0]
    ignored = [2, 0, 0, 0, 2, 0, 0, 0, 0, 1, 1, 2]
    modes = {"PROPAGATE": propagated, "IGNORE": ignored}
    wanted = [
        (roundTo(kind, array), (axis,), nanMode)
        for array, axis in [(np.array(rows), 1), (np.array(rows).T.copy(), 0), (np.array(rows * 9), 1)]
        for nanMode in modes
    ]
    for (_, _, nanMode), got in zip(wanted, runArgmax(tmp_path, kind, "dynamic", *wanted, strategy=strategy)):
        assert got.tolist() == modes[nanMode] * (len(got) // len(rows))
    # The same far apart, where rows are long enough for vectors.
    wanted = [
        (np.repeat(np.repeat(roundTo(kind, np.array([row])), 23, 1), 40, 0), (1,), nanMode)
        for nanMode in modes
        for row in rows
    ]
    found = runArgmax(tmp_path, kind, "static", *wanted, strategy=strategy)
    for got, expected, (array, _, nanMode) in zip(found, propagated + ignored, wanted):
        assert got.tolist() == [expected * 23] * 40, (array[0, ::23], nanMode)


@pytest.mark.parametrize("mode", ["static", "dynamic"])
def test_red5_argmax_of_what_is_computed(tmp_path, mode):
    """The maps before it are part of it; what reads it is over other axes."""
    kind, random = TYPES["f32"], np.random.default_rng(22)
    for shape in [(50, 70), (7, 2000), (3, 40, 50)]:
        array, column = (random.normal(0, 1, s).astype(np.float32) for s in (shape, (*shape[:-1], 1)))
        axis = len(shape) - 1
        text = Text(kind, mode)
        x, c = text.argument(shape), text.argument(column.shape)
        found = argmax(text, text.call("abs", text.call("sub", x, c)), axis)
        text.kind = TYPES["i32"]
        twice = text.call("add", found, found)
        got = run(tmp_path, text.text(found, twice), [array, column], [TYPES["i32"]] * 2)
        expected = np.argmax(np.abs(array - column), axis=axis)
        assert np.array_equal(got[0], expected) and np.array_equal(got[1], 2 * expected)


def test_red4_argmax_of_long_rows(tmp_path):
    random = np.random.default_rng(23)
    for shape, axis in [((1, 1000003), 1), ((1000003, 1), 0), ((3, 200000), 1), ((200000, 40), 0)]:
        array = random.integers(0, 100000, shape).astype(np.float32)
        (got,) = runArgmax(tmp_path, TYPES["f32"], "dynamic", (array, (axis,)))
        assert np.array_equal(got, np.argmax(array, axis=axis))
