"""Real programs: converted networks on a photograph, PyTorch modules with a
dynamic batch against the same computation in NumPy. What agrees to 1e-4 of the
largest magnitude of a result is right."""

import math
import os
import re

import broadloom
import numpy as np
import pytest
from broadloom import DONE

TOLERANCE = 1e-4


def assertAgrees(got, expected):
    assert got.shape == expected.shape and got.dtype == expected.dtype
    error = np.abs(got.astype(np.float64) - expected).max() / np.abs(expected).max()
    assert error <= TOLERANCE


def runFile(tmp_path, path, inputs, count, *options):
    arguments = []
    for i, array in enumerate(inputs):
        np.save(tmp_path / f"in{i}.npy", array)
        arguments.append(f"--input={tmp_path / f'in{i}.npy'}")
    outputs = [tmp_path / f"out{i}.npy" for i in range(count)]
    outcome = broadloom.call("run", path, *arguments, *(f"--output={o}" for o in outputs), *options)
    assert outcome.status == DONE, outcome.error
    results = [np.load(o) for o in outputs]
    broadloom.assertShapesAgree(path, inputs, outcome, results, *options)
    return results


@pytest.mark.parametrize("name, results", [("face_detection_short_range", 2), ("hand_recrop", 1)])
def test_network(models, tmp_path, name, results):
    folder = os.path.join(models, name)
    photograph = np.load(os.path.join(folder, "input0.npy"))
    got = runFile(tmp_path, os.path.join(folder, f"{name}.mlirbc"), [photograph], results)
    for i, result in enumerate(got):
        assertAgrees(result, np.load(os.path.join(folder, f"expected{i}.npy")))


@pytest.mark.parametrize("name, results", [("face_detection_short_range", 2)])
@pytest.mark.parametrize("batch", [1, 3])
def test_network_with_dynamic_batch(models, tmp_path, name, results, batch):
    folder = os.path.join(models, name)
    stack = lambda file: np.concatenate([np.load(os.path.join(folder, file))] * batch)
    got = runFile(tmp_path, os.path.join(folder, "dynamic_batch.mlirbc"), [stack("input0.npy")], results)
    for i, result in enumerate(got):
        assertAgrees(result, stack(f"expected{i}.npy"))


@pytest.mark.parametrize("isFromText", [False, True])
def test_network_with_a_custom_operation(models, tmp_path, isFromText):
    """sf-5, lib-3: its last operation is a tosa.custom, which is known, and which a
    user's text may define."""
    folder = os.path.join(models, "selfie_segmentation")
    library = os.path.join(broadloom.ROOT, "examples", "user-operations", "transpose_conv_bias.mlir")
    options = [f"--shape-library={library}"] if isFromText else []
    for name, batch in [("selfie_segmentation", 1), ("dynamic_batch", 2)]:
        stack = lambda file: np.concatenate([np.load(os.path.join(folder, file))] * batch)
        (got,) = runFile(tmp_path, os.path.join(folder, f"{name}.mlirbc"), [stack("input0.npy")], 1, *options)
        assertAgrees(got, stack("expected0.npy"))


# The PyTorch modules in NumPy, in float64; weights come from the program's text.


def resources(text):
    """The named constants; each begins with its alignment in four bytes."""
    found = re.findall(r'^\s*([\w.]+): "0x([0-9A-Fa-f]+)"', text, re.M)
    return {name: np.frombuffer(bytes.fromhex(data)[4:], np.float32).astype(np.float64) for name, data in found}


def siluBias(text, x):
    (bias,) = resources(text).values()
    return x / (1 + np.exp(-x)) + bias


def geluSoftmax(text, x):
    gelu = x * 0.5 * (1 + np.vectorize(math.erf)(x / math.sqrt(2)))
    powers = np.exp(gelu - gelu.max(axis=1, keepdims=True))
    return 2 * powers / powers.sum(axis=1, keepdims=True) + 1


def convBnReluMean(text, x):
    named = resources(text)
    get = lambda suffix: named["torch_tensor_8_torch.float32" + suffix]
    variance, bias, mean, scale, offset = get("_2"), get(""), get("_1"), get("_3"), get("_4")
    data = re.search(r'dense<"0x([0-9A-F]+)"> : tensor<8x3x3x3xf32>', text)[1]
    weights = np.frombuffer(bytes.fromhex(data), np.float32).astype(np.float64).reshape(8, 3, 3, 3)
    padded = np.pad(x, [(0, 0), (0, 0), (1, 1), (1, 1)])
    # (batch, channel, row, column, window row, window column)
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), axis=(2, 3))
    # Weights are (out, row, column, in).
    convolved = np.einsum("ncyxij,oijc->noyx", windows, weights) + bias[:, None, None]
    along = lambda v: v[:, None, None]
    normal = (convolved - along(mean)) / np.sqrt(along(variance) + 1e-5) * along(scale) + along(offset)
    return np.maximum(normal, 0).mean(axis=(2, 3))


@pytest.mark.parametrize("batch", [1, 2, 5, 33])
@pytest.mark.parametrize(
    "name, compute, shape",
    [
        ("silu_bias", siluBias, (8,)),
        ("gelu_softmax", geluSoftmax, (8,)),
        ("conv_bn_relu_mean", convBnReluMean, (3, 16, 16)),
    ],
)
def test_torch(models, tmp_path, name, compute, shape, batch):
    path = os.path.join(models, "torch", f"{name}.mlir")
    x = np.random.default_rng(batch).normal(size=(batch, *shape)).astype(np.float32)
    (got,) = runFile(tmp_path, path, [x], 1)
    with open(path, encoding="utf-8") as file:
        expected = compute(file.read(), x.astype(np.float64))
    assertAgrees(got, expected.astype(np.float32))
