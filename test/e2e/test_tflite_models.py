"""Compares whole models of TensorFlow Lite with LiteRT's results."""

import os
import shutil

import broadloom
import numpy as np
import pytest
from broadloom import DONE

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
