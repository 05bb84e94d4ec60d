"""Custom operations that the converter of TensorFlow Lite models leaves in
well-known models (shapes/tflite/), without an option: against their meaning in
NumPy, on programs as the converter writes them."""

import math
import struct

import broadloom
import numpy as np
import pytest
from broadloom import DONE
from tflite_programs import F32, SAME, VALID, makeMap, makePool, makeProgram, tensor


def compute(tmp_path, name, options, inputs, shapes, kind):
    """The results, with static types or with open ones."""
    makeType = (lambda shape: tensor(shape)) if kind == "static" else (lambda shape: tensor("?" * len(shape)))
    program = makeProgram(name, options, [makeType(i.shape) for i in inputs], [makeType(s) for s in shapes])
    outcome, results = broadloom.run(tmp_path, program, inputs, [F32] * len(shapes))
    assert outcome.status == DONE, outcome.error
    for result, shape in zip(results, shapes):
        assert result.shape == tuple(shape)
    return results


def randomArray(seed, *shape):
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


KINDS = pytest.mark.parametrize("kind", ["static", "dynamic"])


# Convolution2DTransposeBias


def transposeConvolution(x, weights, bias, strides, padding):
    (n, h, w, _), (out, kh, kw, _) = x.shape, weights.shape
    full = np.zeros((n, (h - 1) * strides[0] + kh, (w - 1) * strides[1] + kw, out))
    for y in range(h):
        for z in range(w):
            top, left = y * strides[0], z * strides[1]
            full[:, top : top + kh, left : left + kw] += np.einsum("nc,oijc->nijo", x[:, y, z].astype(float), weights)
    cuts = [max(0, k - (e - 1) % s - 1) if padding == SAME else 0 for k, e, s in zip((kh, kw), (h, w), strides)]
    (top, left), (high, wide) = [c // 2 for c in cuts], [f - c for f, c in zip(full.shape[1:3], cuts)]
    return full[:, top : top + high, left : left + wide] + bias


@KINDS
@pytest.mark.parametrize("padding", [SAME, VALID])
@pytest.mark.parametrize(
    "x, weights, strides",
    [
        ((1, 4, 6, 3), (1, 2, 2, 3), (2, 2)),
        ((2, 3, 5, 2), (4, 2, 2, 2), (2, 2)),
        ((1, 5, 4, 3), (2, 3, 4, 3), (2, 3)),
        ((1, 1, 1, 1), (1, 1, 1, 1), (1, 1)),
        ((0, 4, 4, 2), (3, 2, 2, 2), (2, 2)),
    ],
)
def test_transpose_convolution(tmp_path, kind, padding, x, weights, strides):
    inputs = [randomArray(1, *x), randomArray(2, *weights), randomArray(3, weights[0])]
    expected = transposeConvolution(*inputs, strides, padding)
    options = struct.pack("<3i", padding, strides[1], strides[0])
    (got,) = compute(tmp_path, "Convolution2DTransposeBias", options, inputs, [expected.shape], kind)
    np.testing.assert_allclose(got, expected, rtol=1e-5, atol=1e-5)


# MaxPoolingWithArgmax2D and MaxUnpooling2D


def pool(x, window, strides, padding):
    (n, h, w, c), axes = x.shape, []
    for extent, size, stride in zip((h, w), window, strides):
        count = -(-extent // stride) if padding == SAME else (extent - size) // stride + 1
        axes.append((count, max(0, (count - 1) * stride + size - extent) // 2))
    (high, above), (wide, left) = axes
    maxima, places = np.full((n, high, wide, c), np.finfo(np.float32).min), np.zeros((n, high, wide, c))
    for y in range(high):
        for z in range(wide):
            for i in range(window[0]):
                for j in range(window[1]):
                    row, column = y * strides[0] - above + i, z * strides[1] - left + j
                    if 0 <= row < h and 0 <= column < w:
                        isMore = x[:, row, column] > maxima[:, y, z]
                        maxima[:, y, z] = np.where(isMore, x[:, row, column], maxima[:, y, z])
                        places[:, y, z] = np.where(isMore, i * window[1] + j, places[:, y, z])
    return maxima.astype(np.float32), (places.astype(np.float32) + np.float32(0.1))


@KINDS
@pytest.mark.parametrize("padding", [SAME, VALID])
@pytest.mark.parametrize(
    "x, window, strides",
    [
        ((1, 4, 6, 3), (2, 2), (2, 2)),
        ((2, 5, 7, 2), (2, 3), (2, 2)),
        ((1, 3, 3, 1), (3, 3), (1, 1)),
        ((1, 7, 5, 2), (1, 2), (3, 2)),
    ],
)
def test_pool(tmp_path, kind, padding, x, window, strides):
    # Small integers, so that there are equal maxima.
    x = np.random.default_rng(5).integers(-3, 3, x).astype(np.float32)
    x.flat[::7] = np.nan
    expected = pool(x, window, strides, padding)
    got = compute(
        tmp_path, "MaxPoolingWithArgmax2D", makePool(padding, strides, window), [x], [e.shape for e in expected], kind
    )
    for found, wanted in zip(got, expected):
        np.testing.assert_array_equal(found, wanted)


@KINDS
@pytest.mark.parametrize("shape, window", [((1, 2, 3, 2), (2, 2)), ((2, 3, 1, 1), (3, 2)), ((1, 0, 2, 1), (2, 2))])
def test_unpool(tmp_path, kind, shape, window):
    x = randomArray(1, *shape)
    places = np.random.default_rng(2).integers(0, window[0] * window[1], shape)
    n, h, w, c = shape
    expected = np.zeros((n, h * window[0], w * window[1], c), np.float32)
    for (b, y, z, k), place in np.ndenumerate(places):
        expected[b, y * window[0] + place // window[1], z * window[1] + place % window[1], k] = x[b, y, z, k]
    (got,) = compute(
        tmp_path,
        "MaxUnpooling2D",
        makePool(SAME, window, window),
        [x, places.astype(np.float32) + np.float32(0.1)],
        [expected.shape],
        kind,
    )
    np.testing.assert_array_equal(got, expected)


# TransformLandmarks, TransformTensorBilinear and Landmarks2TransformMatrix


@KINDS
@pytest.mark.parametrize("shape", [(1, 7, 2), (1, 5, 3), (3, 4, 3), (1, 0, 2)])
def test_transform_landmarks(tmp_path, kind, shape):
    points, matrix = randomArray(1, *shape), randomArray(2, shape[0], 4, 4)
    expected = points.copy()
    for row in range(2):
        m = matrix[:, row, None].astype(float)
        expected[..., row] = m[..., 0] * points[..., 0] + m[..., 1] * points[..., 1] + m[..., 3]
    (got,) = compute(tmp_path, "TransformLandmarks", b"", [points, matrix], [shape], kind)
    np.testing.assert_allclose(got, expected, rtol=1e-5, atol=1e-5)


def readImage(image, matrix, high, wide):
    n, h, w, c = image.shape
    result = np.zeros((n, high, wide, c))
    for b in range(n):
        for oy in range(high):
            for ox in range(wide):
                x, y = [
                    np.float32(np.float32(m[0] * np.float32(ox)) + np.float32(m[1] * np.float32(oy)))
                    + np.float32(float(m[3]) + (float(m[0]) * 0.5 + float(m[1]) * 0.5 - 0.5))
                    for m in matrix[b, :2]
                ]
                if not (0 <= x <= w - 1 and 0 <= y <= h - 1):
                    continue
                left, top = math.floor(x), math.floor(y)
                for row, column, part in [
                    (top, left, (1 - (y - top)) * (1 - (x - left))),
                    (top, left + 1, (1 - (y - top)) * (x - left)),
                    (top + 1, left, (y - top) * (1 - (x - left))),
                    (top + 1, left + 1, (y - top) * (x - left)),
                ]:
                    if row < h and column < w:
                        result[b, oy, ox] += part * image[b, row, column].astype(float)
    return result


@KINDS
@pytest.mark.parametrize("shape, size", [((1, 6, 5, 3), (4, 7)), ((2, 3, 4, 2), (3, 4)), ((1, 2, 2, 1), (1, 1))])
def test_transform_tensor(tmp_path, kind, shape, size):
    image, matrix = randomArray(1, *shape), np.zeros((shape[0], 4, 4), np.float32)
    for b in range(shape[0]):
        angle, scale = 0.3 * b, shape[2] / size[1] * (0.8 + 0.4 * b)
        matrix[b, :2] = [
            [scale * math.cos(angle), -scale * math.sin(angle), 0, 0.25],
            [scale * math.sin(angle), scale * math.cos(angle), 0, 0],
        ]
    expected = readImage(image, matrix, *size)
    assert expected.any()
    (got,) = compute(
        tmp_path,
        "TransformTensorBilinear",
        makeMap({"output_height": size[0], "output_width": size[1]}),
        [image, matrix],
        [expected.shape],
        kind,
    )
    np.testing.assert_allclose(got, expected, rtol=1e-4, atol=1e-5)


def makeMatrix(landmarks, options):
    left, right = landmarks[options["left_rotation_idx"]], landmarks[options["right_rotation_idx"]]
    angle = options["target_rotation_radians"] - math.atan2(right[1] - left[1], right[0] - left[0])
    turn = lambda a: np.array([[math.cos(a), -math.sin(a)], [math.sin(a), math.cos(a)]])
    points = landmarks[options["subset_idxs"], :2] @ turn(angle).T
    low, high = points.min(axis=0), points.max(axis=0)
    square = lambda rows, shift: np.block(
        [[rows, np.zeros((2, 1)), np.reshape(shift, (2, 1))], [np.zeros((2, 2)), np.eye(2)]]
    )
    size = np.array([options["output_width"], options["output_height"]])
    scale = np.array([options["scale_x"], options["scale_y"]]) * (high - low) / size
    return (
        square(np.eye(2), turn(-angle) @ ((low + high) / 2))
        @ square(turn(-angle), [0, 0])
        @ square(np.diag(scale), [0, 0])
        @ square(np.eye(2), -size / 2)
    )


@KINDS
@pytest.mark.parametrize("batch, subset", [(1, [0, 3, 2, 5]), (2, [1, 2, 4]), (1, [5])])
def test_landmarks_to_matrix(tmp_path, kind, batch, subset):
    options = {
        "subset_idxs": subset,
        "left_rotation_idx": 1,
        "right_rotation_idx": 4,
        "output_height": 16,
        "output_width": 24,
        "scale_x": 1.5,
        "scale_y": 2.25,
        "target_rotation_radians": 0.5,
    }
    landmarks = randomArray(3, batch, 6, 3) * 50
    expected = np.stack([makeMatrix(entry.astype(float), options) for entry in landmarks])
    (got,) = compute(tmp_path, "Landmarks2TransformMatrix", makeMap(options), [landmarks], [expected.shape], kind)
    np.testing.assert_allclose(got, expected, rtol=1e-4, atol=1e-3)


def test_users_text_replaces(tmp_path):
    """lib-3: what a user's text says of the operation is all that is said."""
    library = tmp_path / "mine.mlir"
    library.write_text("""
func.func @twice(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {loom.implements = "tosa.custom:TFL:TransformLandmarks"} {
  %0 = tosa.add %a, %b : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
""")
    program = makeProgram("TransformLandmarks", b"", [tensor("??")] * 2, [tensor("??")])
    outcome, results = broadloom.run(tmp_path, program, [randomArray(1, 2, 3)] * 2, [F32], f"--shape-library={library}")
    assert outcome.status == DONE, outcome.error
    np.testing.assert_array_equal(results[0], 2 * randomArray(1, 2, 3))
