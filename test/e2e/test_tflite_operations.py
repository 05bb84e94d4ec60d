"""Custom operations that the converter of TensorFlow Lite models leaves in
well-known models (shapes/tflite/), without an option: against their meaning in
NumPy, on programs as the converter writes them."""

import math
import os
import shutil
import struct

import broadloom
import numpy as np
import pytest
from broadloom import DONE, GUARD_FAILED, REJECTED
from element_types import TYPES

F32 = TYPES["f32"]
SAME, VALID = 1, 2


def makeMap(entries):
    """A FlexBuffer with a map; every part has a width of 8 bytes."""
    kinds = {int: (1, "<q"), float: (3, "<d")}
    data, places, parts = bytearray(), {}, []
    names = sorted(entries)
    for name in names:
        places[name] = len(data)
        data += name.encode() + b"\0"
    data += bytes(-len(data) % 8)
    lists = {}
    for name in names:
        if isinstance(entries[name], list):
            data += struct.pack("<Q", len(entries[name]))
            lists[name] = len(data)
            data += b"".join(struct.pack("<q", number) for number in entries[name])
    data += struct.pack("<Q", len(names))
    keys = len(data)
    for name in names:
        data += struct.pack("<Q", len(data) - places[name])
    data += struct.pack("<Q", len(data) - keys) + struct.pack("<QQ", 8, len(names))
    values = len(data)
    for name in names:
        value = entries[name]
        if isinstance(value, list):
            data += struct.pack("<Q", len(data) - lists[name])
            parts.append(11 << 2 | 3)
        else:
            kind, form = kinds[type(value)]
            data += struct.pack(form, value)
            parts.append(kind << 2 | 3)
    data += bytes(parts)
    return bytes(data) + struct.pack("<B", len(data) - values) + bytes([9 << 2 | 3, 1])


def makePool(padding, strides, window, activation=0):
    return struct.pack("<6i", padding, strides[1], strides[0], window[1], window[0], activation)


def makeProgram(name, options, types, results):
    escaped = "".join(f"\\{byte:02X}" for byte in options)
    arguments = ", ".join(f"%a{i}: {t}" for i, t in enumerate(types))
    operands = ", ".join(f"%a{i}" for i in range(len(types)))
    given = ", ".join(results)
    values = ", ".join(f"%0#{i}" for i in range(len(results)))
    return f"""func.func @main({arguments}) -> ({given}) {{
  %0:{len(results)} = tosa.custom {operands} {{domain_name = "TFL", implementation_attrs = "{escaped}", operator_name = "{name}"}} : ({", ".join(types)}) -> ({given})
  return {values} : {given}
}}
"""


def tensor(extents):
    return f"tensor<{''.join(f'{e}x' for e in extents)}f32>"


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


# Whole models


def findModel(name):
    """A model of MediaPipe in $BROADLOOM_MEDIAPIPE, a folder with its modules as the
    package mediapipe 0.10 has them, and a converter."""
    folder = os.environ.get("BROADLOOM_MEDIAPIPE", "")
    path = os.path.join(folder, "modules", name)
    if not os.path.exists(path) or not (
        os.environ.get("BROADLOOM_TFLITE_CONVERTER") or shutil.which("tosa-converter-for-tflite")
    ):
        pytest.skip(
            "models of MediaPipe, or their converter, are not there (set BROADLOOM_MEDIAPIPE to a folder of "
            "the package mediapipe 0.10, and install tosa-converter-for-tflite)"
        )
    return path


def runModel(tmp_path, path, inputs, count):
    for i, array in enumerate(inputs):
        np.save(tmp_path / f"in{i}.npy", array)
    outputs = [tmp_path / f"out{i}.npy" for i in range(count)]
    outcome = broadloom.call(
        "run",
        path,
        *(f"--input={tmp_path / f'in{i}.npy'}" for i in range(len(inputs))),
        *(f"--output={output}" for output in outputs),
    )
    assert outcome.status == DONE, outcome.error
    return [np.load(output) for output in outputs]


@pytest.mark.parametrize(
    "name, shape, count",
    [
        ("selfie_segmentation/selfie_segmentation.tflite", (1, 256, 256, 3), 1),
        ("selfie_segmentation/selfie_segmentation_landscape.tflite", (1, 144, 256, 3), 1),
        ("pose_detection/pose_detection.tflite", (1, 224, 224, 3), 2),
    ],
)
def test_models_agree_with_litert(models, tmp_path, name, shape, count):
    path = findModel(name)
    interpreter = pytest.importorskip("ai_edge_litert.interpreter").Interpreter(path)
    photograph = np.load(os.path.join(models, "selfie_segmentation", "input0.npy"))
    image = np.ascontiguousarray(photograph[:, : shape[1], : shape[2]])
    interpreter.allocate_tensors()
    interpreter.set_tensor(interpreter.get_input_details()[0]["index"], image)
    interpreter.invoke()
    expected = [interpreter.get_tensor(detail["index"]) for detail in interpreter.get_output_details()]
    got = runModel(tmp_path, path, [image], count)
    for result in got:
        near = [e for e in expected if e.shape == result.shape]
        assert any(np.abs(result - e).max() <= 1e-4 * np.abs(e).max() for e in near)


def test_attention(models, tmp_path):
    """LiteRT does not know three of its operations. The points of the refined mouth
    and eyes stand where those of the whole face do."""
    path = findModel("face_landmark/face_landmark_with_attention.tflite")
    photograph = np.load(os.path.join(models, "face_landmark", "input0.npy"))
    results = runModel(tmp_path, path, [photograph], 7)
    mesh = next(r for r in results if r.size == 468 * 3).reshape(468, 3)[:, :2]
    # Landmarks of the mouth's corners and of the outer corners of the eyes.
    for size, parts in [(160, [61, 291]), (142, [33, 133]), (142, [263, 362])]:
        centre = mesh[parts].mean(axis=0)
        near = [np.linalg.norm(r.reshape(-1, 2).mean(axis=0) - centre) for r in results if r.size == size]
        assert near and min(near) < 6, near
