"""Tests shapes and options that operations of TensorFlow Lite do not take."""

import struct

import broadloom
import numpy as np
import pytest
from broadloom import GUARD_FAILED, REJECTED
from tflite_programs import F32, SAME, VALID, makeMap, makePool, makeProgram, tensor

# What does not fit


@pytest.mark.parametrize(
    "name, options, shapes, results, message",
    [
        (
            "Convolution2DTransposeBias",
            struct.pack("<3i", 1, 2, 2),
            [(1, 4, 4, 3), (1, 2, 2, 5), (1,)],
            1,
            "the filter has 5 input channels but the input has 3",
        ),
        (
            "Convolution2DTransposeBias",
            struct.pack("<3i", 1, 2, 2),
            [(1, 4, 4, 3), (2, 2, 2, 3), (1,)],
            1,
            "the filter has 2 output channels but the bias has 1",
        ),
        (
            "Convolution2DTransposeBias",
            struct.pack("<3i", 1, 2, 2),
            [(1, 0, 4, 3), (2, 2, 2, 3), (2,)],
            1,
            "the input has 0 rows, but a transposed convolution needs one",
        ),
        (
            "Convolution2DTransposeBias",
            struct.pack("<3i", 1, 2, 2),
            [(1, 4, 0, 3), (2, 2, 2, 3), (2,)],
            1,
            "the input has 0 columns, but a transposed convolution needs one",
        ),
        (
            "MaxPoolingWithArgmax2D",
            makePool(VALID, (1, 1), (3, 1)),
            [(1, 2, 2, 1)],
            2,
            "the input has 2 rows, fewer than the 3 of a window",
        ),
        (
            "MaxPoolingWithArgmax2D",
            makePool(VALID, (1, 1), (1, 4)),
            [(1, 2, 2, 1)],
            2,
            "the input has 2 columns, fewer than the 4 of a window",
        ),
        (
            "MaxUnpooling2D",
            makePool(SAME, (2, 2), (2, 2)),
            [(1, 2, 2, 1), (1, 2, 3, 1)],
            1,
            "the places have shape 1x2x3x1 but the input has 1x2x2x1",
        ),
        ("TransformLandmarks", b"", [(1, 3, 4), (1, 4, 4)], 1, "points have 2 or 3 coordinates, but these have 4"),
        ("TransformLandmarks", b"", [(1, 3, 2), (2, 4, 4)], 1, "there are 2 matrices for the 1 entries of the batch"),
        ("TransformLandmarks", b"", [(1, 3, 2), (1, 3, 4)], 1, "the matrix must be 4x4, but is 3x4"),
        (
            "TransformTensorBilinear",
            makeMap({"output_height": 2, "output_width": 2}),
            [(1, 3, 3, 2), (2, 4, 4)],
            1,
            "there are 2 matrices for the 1 images",
        ),
        (
            "TransformTensorBilinear",
            makeMap({"output_height": 2, "output_width": 2}),
            [(1, 0, 3, 2), (1, 4, 4)],
            1,
            "an image of 0x3 has no pixel",
        ),
        (
            "TransformTensorBilinear",
            makeMap({"output_height": 2, "output_width": 2}),
            [(1, 3, 3, 2), (1, 4, 3)],
            1,
            "the matrix must be 4x4, but is 4x3",
        ),
    ],
)
def test_wrong_shapes(tmp_path, name, options, shapes, results, message):
    """Static types are refused, and open ones guarded."""
    inputs = [np.ones(shape, np.float32) for shape in shapes]
    for makeType, status in [(tensor, REJECTED), (lambda shape: tensor("?" * len(shape)), GUARD_FAILED)]:
        given = [tensor("????" if "Landmarks" not in name else "???")] * results
        program = makeProgram(name, options, [makeType(shape) for shape in shapes], given)
        outcome, _ = broadloom.run(tmp_path, program, inputs, [F32] * results)
        assert outcome.status == status, outcome.error
        assert f"'tosa.custom:TFL:{name}': {message}" in outcome.error


@pytest.mark.parametrize(
    "name, options, shapes, results, message",
    [
        (
            "MaxPoolingWithArgmax2D",
            makePool(SAME, (1, 1), (1, 1), 1),
            [(1, 2, 2, 1)],
            2,
            "activation 1 is not defined; put it behind the pool",
        ),
        (
            "MaxPoolingWithArgmax2D",
            makePool(3, (1, 1), (1, 1)),
            [(1, 2, 2, 1)],
            2,
            "padding is 1 (SAME) or 2 (VALID), but here 3",
        ),
        ("MaxPoolingWithArgmax2D", makePool(SAME, (1, 1), (0, 1)), [(1, 2, 2, 1)], 2, "a window of 0x1 has no element"),
        (
            "MaxPoolingWithArgmax2D",
            makePool(SAME, (0, 1), (1, 1)),
            [(1, 2, 2, 1)],
            2,
            "strides must be positive, but are 0x1",
        ),
        (
            "MaxUnpooling2D",
            makePool(SAME, (1, 2), (2, 2)),
            [(1, 2, 2, 1)] * 2,
            1,
            "only windows that do not overlap are defined, but these are 2x2 with strides 1x2",
        ),
        ("MaxUnpooling2D", makePool(SAME, (0, 0), (0, 0)), [(1, 2, 2, 1)] * 2, 1, "a window of 0x0 has no element"),
        (
            "Convolution2DTransposeBias",
            struct.pack("<3i", 1, 2, 0),
            [(1, 4, 4, 3), (1, 2, 2, 3), (1,)],
            1,
            "the vertical stride is 0, but must be positive",
        ),
        (
            "Convolution2DTransposeBias",
            struct.pack("<3i", 1, 0, 2),
            [(1, 4, 4, 3), (1, 2, 2, 3), (1,)],
            1,
            "the horizontal stride is 0, but must be positive",
        ),
        (
            "TransformTensorBilinear",
            makeMap({"output_height": -1, "output_width": 2}),
            [(1, 3, 3, 2), (1, 4, 4)],
            1,
            "the result cannot have -1x2 pixels",
        ),
    ],
)
def test_wrong_options(tmp_path, name, options, shapes, results, message):
    program = makeProgram(name, options, [tensor(s) for s in shapes], [tensor("????")] * results)
    outcome, _ = broadloom.run(tmp_path, program, [np.ones(s, np.float32) for s in shapes], [F32] * results)
    assert outcome.status == REJECTED and message in outcome.error, outcome.error
