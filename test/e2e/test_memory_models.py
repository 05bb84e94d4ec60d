"""The shared models over memory, as upstream's passes make them of TOSA: what they compute, and that nothing is left to
check but what the arguments do not tell.

Upstream refuses four as they are: `tosa-to-linalg` has no variables and no custom operations, and today's
parser no TOSA of earlier versions. The variables of `wake_word_hey_jarvis` become arguments and results before
(`--loom-lift-state`); the others are `linalg` on tensors by `--emit=linalg`, from where on upstream's passes go on."""

import json
import os
import re
import subprocess
import sys

import broadloom
import numpy as np
import pytest
import transformer
from broadloom import DONE
from bufferized import bufferize
from test_old_networks import Evaluator
from test_variables import lift

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


CROP = 's0 >= 1, else "the view takes 1 elements of axis 0 of %alloc'
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


def lower(source, target, *options):
    """`linalg` on tensors, without operations of `loom`."""
    outcome = broadloom.call("compile", source, "--emit=linalg", "-o", target, *options)
    assert outcome.status == DONE, outcome.error


@pytest.mark.parametrize(
    "name, shape, form",
    [("mobilenet_v2.llvm19", (1, 224, 224, 3), "affine"), ("resnet18.llvm16", (1, 3, 224, 224), "linalg")],
)
def test_old_networks(models, tmp_path, name, shape, form):
    """TOSA of earlier versions. Weights that are all 0.5 end in infinities; these are made up instead."""
    with open(f"{models}/{name}.mlir", encoding="utf-8") as file:
        text = re.sub(r"dense<5\.000000e-01> : tensor<(\d+x\d)", r"dense_resource<__elided__> : tensor<\1", file.read())
    (tmp_path / "old.mlir").write_text(text)
    lower(tmp_path / "old.mlir", tmp_path / "t.mlir", "--fill-elided")
    bufferize(tmp_path / "t.mlir", tmp_path / "m.mlir", form)
    assert left(tmp_path / "m.mlir") == []
    image = np.random.default_rng(1).random(shape, np.float32)
    expected = Evaluator(text, image.astype(np.float64)).result.astype(np.float32)
    assertAgrees(run(tmp_path, tmp_path / "m.mlir", [image])[0], expected)


@pytest.mark.parametrize("file, batch", [("selfie_segmentation", 1), ("dynamic_batch", 2)])
def test_a_custom_operation(models, tmp_path, file, batch):
    folder = os.path.join(models, "selfie_segmentation")
    lower(os.path.join(folder, f"{file}.mlirbc"), tmp_path / "t.mlir")
    bufferize(tmp_path / "t.mlir", tmp_path / "m.mlir", "affine")
    if batch == 1:
        assert left(tmp_path / "m.mlir") == []
    stack = lambda name: np.concatenate([np.load(os.path.join(folder, name))] * batch)
    assertAgrees(run(tmp_path, tmp_path / "m.mlir", [stack("input0.npy")])[0], stack("expected0.npy"))


# One compilation for all steps, by the Python package in a process of its own.
PACKAGE = os.path.join(os.path.dirname(os.path.dirname(broadloom.PROGRAM)), "python")
STEPS = """
import sys
import broadloom, numpy
inputs, *state = numpy.load(sys.argv[1] + "/given.npz").values()
step = broadloom.compile(open(sys.argv[1] + "/m.mlir").read())
found = []
for given in inputs:
    result, *state = step(given, *state)
    found.append(result)
numpy.save(sys.argv[1] + "/found.npy", found)
"""


@pytest.mark.parametrize("form", ["linalg", "affine"])
def test_a_streaming_model(models, tmp_path, form):
    """int8, with what it keeps from call to call handed over; as near to LiteRT as over tensors (test_variables.py)."""
    folder = os.path.join(models, "wake_word_hey_jarvis")
    source = os.path.join(folder, "wake_word_hey_jarvis.mlirbc")
    lifted, state = lift(source)
    # They are arguments and results from here on.
    (tmp_path / "t.mlir").write_text(re.sub(r"loom\.state = \[.*?\], ", "", lifted, count=1))
    bufferize(tmp_path / "t.mlir", tmp_path / "m.mlir", form)
    assert left(tmp_path / "m.mlir") == []
    inputs, expected = (np.load(os.path.join(folder, f"{name}.npy")) for name in ("inputs", "expected"))
    np.savez(tmp_path / "given.npz", inputs[:50], *state)
    environment = {**os.environ, "PYTHONPATH": PACKAGE}
    subprocess.run([sys.executable, "-c", STEPS, tmp_path], env=environment, check=True)
    found = np.load(tmp_path / "found.npy")
    assert found.dtype == np.uint8 and len(np.unique(found)) > 3
    difference = np.abs(found.reshape(-1).astype(int) - expected.reshape(-1)[:50].astype(int))
    assert difference.max() <= 11 and (difference > 4).sum() <= 4
