"""The shared models over memory, as upstream's passes make them of TOSA: what they compute, and that nothing is left to
check but what the arguments do not tell."""

import json
import os
import re

import broadloom
import numpy as np
import pytest
import transformer
from broadloom import DONE
from bufferized import bufferize

TOLERANCE = 1e-4


def left(path):
    """What is checked when the program runs."""
    outcome = broadloom.call("check", path, "--format=json")
    assert outcome.status == DONE, outcome.error
    return [row["constraint"] for row in json.loads(outcome.out) if row["status"] != "proved"]


def run(folder, path, inputs, count=1):
    options = [f"--output={folder}/out{i}.npy" for i in range(count)]
    for i, array in enumerate(inputs):
        np.save(folder / f"in{i}.npy", array)
        options.append(f"--input={folder}/in{i}.npy")
    outcome = broadloom.call("run", path, *options)
    assert outcome.status == DONE, outcome.error
    return [np.load(folder / f"out{i}.npy") for i in range(count)]


def assertAgrees(got, expected):
    assert got.shape == expected.shape and got.dtype == expected.dtype
    assert np.abs(got - expected).max() <= TOLERANCE * np.abs(expected).max()


CROP = "s0 >= 1, else \"the view takes 1 elements of axis 0 of the result of 'memref.alloc'"
FITS = '{}*s0 <= 9223372036854775806, else "the extent of axis 0 of the result does not fit 63 bits"'


@pytest.mark.parametrize(
    "name, file, form, batch, results, expected",
    [
        ("hand_recrop", "hand_recrop", "linalg", 1, 1, []),
        ("hand_recrop", "dynamic_batch", "affine", 1, 1, [CROP]),
        ("face_detection_short_range", "face_detection_short_range", "loops", 1, 2, []),
        ("face_detection_short_range", "dynamic_batch", "affine", 2, 2, [FITS.format(512), FITS.format(8192)]),
        ("face_landmark", "face_landmark", "loops", None, 2, []),
        ("face_landmark", "dynamic_batch", "affine", None, 2, []),
        ("face_landmark", "dynamic_batch", "linalg", None, 2, []),
    ],
)
def test_networks(models, tmp_path, name, file, form, batch, results, expected):
    """A batch of None is checked and does not run, to save time."""
    folder = os.path.join(models, name)
    bufferize(os.path.join(folder, f"{file}.mlirbc"), tmp_path / "m.mlir", form)
    found = left(tmp_path / "m.mlir")
    assert len(found) == len(expected) and all(a.startswith(b) for a, b in zip(found, expected))
    if batch is None:
        return
    stack = lambda file: np.concatenate([np.load(os.path.join(folder, file))] * batch)
    got = run(tmp_path, tmp_path / "m.mlir", [stack("input0.npy")], results)
    for i, result in enumerate(got):
        assertAgrees(result, stack(f"expected{i}.npy"))


@pytest.mark.parametrize("form", ["linalg", "affine", "vectors"])
@pytest.mark.parametrize(
    "name, shape", [("silu_bias", (3, 8)), ("gelu_softmax", (5, 8)), ("conv_bn_relu_mean", (2, 3, 16, 16))]
)
def test_torch(models, tmp_path, name, shape, form):
    """Their weights are 'dense_resource' values of 'memref.global'."""
    source = os.path.join(models, "torch", f"{name}.mlir")
    bufferize(source, tmp_path / "m.mlir", form)
    assert left(tmp_path / "m.mlir") == []
    x = np.random.default_rng(5).normal(size=shape).astype(np.float32)
    assertAgrees(run(tmp_path, tmp_path / "m.mlir", [x])[0], run(tmp_path, source, [x])[0])


@pytest.mark.parametrize("form", ["linalg", "affine", "vectors"])
def test_transformer(models, tmp_path, form):
    with open(os.path.join(models, "transformer_block.mlir"), encoding="utf-8") as file:
        text = transformer.shrink(file.read())
    # Upstream cannot bufferize what measures the time.
    text = re.sub(r"^.*(llvm\.|rtclock|record_timing|%t_).*\n", "", text, flags=re.M)
    (tmp_path / "t.mlir").write_text(text)
    bufferize(tmp_path / "t.mlir", tmp_path / "m.mlir", form)
    assert left(tmp_path / "m.mlir") == []
    inputs = transformer.makeInputs(1, 40)
    expected = transformer.compute(inputs).astype(np.float32)
    assertAgrees(run(tmp_path, tmp_path / "m.mlir", inputs)[0], expected)
