"""Convolutions with open height and width: every extent inside is a function of
the image's, and what is left to check depends on the image alone."""

import json

import broadloom
import numpy as np
import pytest
from broadloom import DONE, GUARD_FAILED
from element_types import TYPES

CHAIN = """\
func.func @main(%image: tensor<?x?x?x3xf32>, %w: tensor<8x3x3x3xf32>, %d: tensor<3x3x8x1xf32>, %p: tensor<8x1x1x8xf32>, %b: tensor<8xf32>) -> tensor<?x?x?x8xf32> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %0 = tosa.conv2d %image, %w, %b, %z, %z {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<?x?x?x3xf32>, tensor<8x3x3x3xf32>, tensor<8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x?x?x8xf32>
  %1 = tosa.clamp %0 {min_val = 0.0 : f32, max_val = 6.0 : f32} : (tensor<?x?x?x8xf32>) -> tensor<?x?x?x8xf32>
  %2 = tosa.depthwise_conv2d %1, %d, %b, %z, %z {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<?x?x?x8xf32>, tensor<3x3x8x1xf32>, tensor<8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x?x?x8xf32>
  %3 = tosa.conv2d %2, %p, %b, %z, %z {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<?x?x?x8xf32>, tensor<8x1x1x8xf32>, tensor<8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x?x?x8xf32>
  %4 = tosa.add %1, %3 : (tensor<?x?x?x8xf32>, tensor<?x?x?x8xf32>) -> tensor<?x?x?x8xf32>
  %5 = tosa.max_pool2d %4 {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<?x?x?x8xf32>) -> tensor<?x?x?x8xf32>
  return %5 : tensor<?x?x?x8xf32>
}
"""


def convolve(image, weight):
    """Stride 1, padded to keep the image's size; the weight is [out, y, x, in]."""
    _, height, width, _ = weight.shape
    y, x = height // 2, width // 2
    padded = np.pad(image, ((0, 0), (y, y), (x, x), (0, 0)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (height, width), axis=(1, 2))
    return np.einsum("nhwiyx,oyxi->nhwo", windows, weight)


def compute(inputs):
    image, w, d, p, b = (i.astype(np.float64) for i in inputs)
    first = np.clip(convolve(image, w) + b, 0, 6)
    deep = np.zeros((8, 3, 3, 8))
    for channel in range(8):
        deep[channel, :, :, channel] = d[:, :, channel, 0]
    sum_ = first + convolve(convolve(first, deep) + b, p) + b
    n, h, x, c = sum_.shape
    return sum_[:, : h // 2 * 2, : x // 2 * 2].reshape(n, h // 2, 2, x // 2, 2, c).max((2, 4))


def makeInputs(batch, height, width):
    random = np.random.default_rng(1)
    shapes = [(batch, height, width, 3), (8, 3, 3, 3), (3, 3, 8, 1), (8, 1, 1, 8), (8,)]
    return [random.standard_normal(shape).astype(np.float32) for shape in shapes]


def test_what_is_left_is_about_the_image(tmp_path):
    path = tmp_path / "chain.mlir"
    path.write_text(CHAIN)
    outcome = broadloom.call("check", path, "--format=json")
    assert outcome.status == DONE, outcome.error
    rows = json.loads(outcome.out)
    left = [row for row in rows if row["status"] != "proved"]
    # Both kernels fit, and the pool's stride divides, on both axes.
    assert len(rows) > 80 and len(left) == 6, left
    assert {row["operation"] for row in left} == {"tosa.conv2d", "tosa.max_pool2d"}
    # rt-1: all of it is checked at entry.
    program = broadloom.call("compile", path).out
    assert program.count("loom.require") == 6
    assert program.rindex("loom.require") < program.index("loom.contract(")


@pytest.mark.parametrize("batch, height, width", [(1, 8, 8), (2, 4, 6), (1, 2, 10)])
def test_values_for_every_size(tmp_path, batch, height, width):
    inputs = makeInputs(batch, height, width)
    outcome, results = broadloom.run(tmp_path, CHAIN, inputs, [TYPES["f32"]])
    assert outcome.status == DONE, outcome.error
    expected = compute(inputs)
    assert results[0].shape == expected.shape
    assert np.abs(results[0] - expected).max() <= 1e-5 * np.abs(expected).max()


def test_an_image_that_is_too_small(tmp_path):
    outcome, _ = broadloom.run(tmp_path, CHAIN, makeInputs(1, 1, 4), [TYPES["f32"]])
    assert outcome.status == GUARD_FAILED and "tosa.max_pool2d" in outcome.error
