"""Reductions and what is computed around them, against NumPy in f64: static,
dynamic and half of each, over every axis and over several, alone and fused."""

import itertools

import numpy as np
import pytest
from element_types import FLOATS, INTEGERS, TYPES, roundTo
from reduction_references import reference
from reductions import Text, assertClose, run, wide

SHAPES = [(3, 5), (4, 1), (1, 7), (0, 3), (3, 0), (40, 19), (2, 65, 3), (37, 130), (2, 3, 1000)]


def randomArray(kind, shape, random):
    if kind.isBool:
        return random.random(shape) < 0.9
    if kind.isFloat:
        return roundTo(kind, random.normal(0, 2, shape))
    limits = np.iinfo(kind.dtype)
    return random.integers(limits.min, limits.max, shape, dtype=kind.dtype, endpoint=True)


# The strategy `rfc` has one lowering for all types.
MODES = [("static", "default"), ("dynamic", "default"), ("mixed", "default"), ("mixed", "rfc")]

# One program for all shapes: what is alike in it is compiled once.


@pytest.mark.parametrize("mode, strategy", MODES)
@pytest.mark.parametrize("element", [*FLOATS, *INTEGERS, "i1"])
def test_red2_one_reduction(tmp_path, element, mode, strategy):
    kind, random = TYPES[element], np.random.default_rng(5)
    operations = ["all", "any"] if kind.isBool else ["sum", "product", "max", "min"]
    text, inputs, wanted, reduced = Text(kind, mode), [], [], []
    for shape in SHAPES:
        inputs.append(randomArray(kind, shape, random))
        x = text.argument(shape)
        for operation, axis in itertools.product(operations, range(len(shape))):
            wanted.append((operation, axis, inputs[-1]))
            reduced.append(text.reduce(operation, x, axis))
    results = run(tmp_path, text.text(*reduced), inputs, [kind] * len(wanted), f"--strategy={strategy}")
    for (operation, axis, array), got in zip(wanted, results):
        expected = reference(operation, array, axis, kind)
        if kind.isFloat and operation in ("sum", "product"):
            terms = np.sum(np.abs(wide(array)), axis=axis, keepdims=True) / np.maximum(np.abs(expected), 1e-30)
            # A product rounds once for each factor.
            scale = np.maximum(terms, 1) if operation == "sum" else array.shape[axis]
            assertClose(got, expected, kind, scale)
        else:
            assert np.array_equal(got, expected.astype(got.dtype)), (operation, axis, array.shape)


@pytest.mark.parametrize("mode, strategy", [m for m in MODES if m != ("mixed", "default")])
@pytest.mark.parametrize("element", FLOATS)
@pytest.mark.parametrize("operation", ["max", "min"])
def test_el5_nan_modes(tmp_path, operation, element, mode, strategy):
    kind = TYPES[element]
    nan, inf = np.nan, np.inf
    rows = [
        [nan, 1, 2],
        [1, nan, -2],
        [nan, nan, nan],
        [-inf, -inf, -inf],
        [inf, 1, -inf],
        [-0.0, 0.0, -0.0],
        [0.0, -0.0, -0.0],
        [-0.0, -0.0, -0.0],
    ]
    # Short rows and long ones, and rows that are not consecutive.
    arrays = [
        (np.array(rows), 1),
        (np.repeat(np.array(rows), 70, 1), 1),
        (np.array(rows * 9), 1),
        (np.array(rows * 9).T.copy(), 0),
    ]
    arrays = [(roundTo(kind, array), axis) for array, axis in arrays]
    text, wanted, reduced = Text(kind, mode), [], []
    for array, axis in arrays:
        x = text.argument(array.shape)
        for nanMode, propagates in (("PROPAGATE", True), ("IGNORE", False)):
            wanted.append((array, axis, propagates))
            reduced.append(text.reduce(operation, x, axis, mode=f"#tosa.nan_mode<{nanMode}>"))
    results = run(
        tmp_path, text.text(*reduced), [array for array, _ in arrays], [kind] * len(wanted), f"--strategy={strategy}"
    )
    for (array, axis, propagates), got in zip(wanted, results):
        plain = np.max if operation == "max" else np.min
        quiet = np.fmax.reduce if operation == "max" else np.fmin.reduce
        expected = (plain if propagates else quiet)(wide(array), axis=axis, keepdims=True)
        assert np.array_equal(wide(got), expected, equal_nan=True)
        # el-5: +0 is greater than -0.
        zeros = wide(array)
        zeros = np.where(zeros == 0, np.where(np.signbit(zeros), -1, 1), np.nan)
        with np.testing.suppress_warnings() as quietly:
            quietly.filter(RuntimeWarning)
            signs = (np.fmax if operation == "max" else np.fmin).reduce(zeros, axis=axis, keepdims=True)
        isZero = expected == 0
        assert np.array_equal(np.signbit(got[isZero]), (signs < 0)[isZero])


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_red2_sums_of_special_values(tmp_path, value):
    kind = TYPES["f32"]
    array = np.ones((70, 130), np.float32)
    array[3, 129] = array[69, 0] = value
    array[5, 0], array[5, 1] = np.inf, -np.inf
    for axis in (0, 1):
        text = Text(kind, "dynamic")
        (got,) = run(tmp_path, text.text(text.reduce("sum", text.argument(array.shape), axis)), [array], [kind])
        with np.errstate(all="ignore"):
            expected = np.sum(wide(array), axis=axis, keepdims=True)
        assert np.array_equal(wide(got), expected, equal_nan=True)


@pytest.mark.parametrize("element", ["f16", "bf16"])
def test_red3_narrow_floats_are_folded_in_f32(tmp_path, element):
    """A sum in the narrow format would stay at a fraction of the result."""
    kind = TYPES[element]
    array = np.ones((2, 3000), kind.dtype)
    for axis, given in ((1, array), (0, array.T.copy())):
        text = Text(kind, "dynamic")
        (got,) = run(tmp_path, text.text(text.reduce("sum", text.argument(given.shape), axis)), [given], [kind])
        assert (wide(got) == roundTo(kind, np.float64(3000)).astype(np.float64)).all()
