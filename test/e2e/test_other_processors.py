"""Code for lesser processors of this architecture: other vector widths, with and
without masks and fused multiply-adds, from rows shorter than a vector on."""

import math
import platform

import broadloom
import numpy as np
import pytest

SOFTMAX = """\
func.func @main(%a: tensor<?x?xT>) -> tensor<?x?xT> {
  %m = tosa.reduce_max %a {axis = 1 : i32} : (tensor<?x?xT>) -> tensor<?x1xT>
  %d = tosa.sub %a, %m : (tensor<?x?xT>, tensor<?x1xT>) -> tensor<?x?xT>
  %e = tosa.exp %d : (tensor<?x?xT>) -> tensor<?x?xT>
  %s = tosa.reduce_sum %e {axis = 1 : i32} : (tensor<?x?xT>) -> tensor<?x1xT>
  %r = tosa.reciprocal %s : (tensor<?x1xT>) -> tensor<?x1xT>
  %z = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %y = tosa.mul %e, %r, %z : (tensor<?x?xT>, tensor<?x1xT>, tensor<1xi8>) -> tensor<?x?xT>
  return %y : tensor<?x?xT>
}
"""

# Two reductions, and what needs both.
EXTREMES = """\
func.func @main(%a: tensor<?x?xi8>) -> tensor<?x?xi8> {
  %m = tosa.reduce_max %a {axis = 1 : i32} : (tensor<?x?xi8>) -> tensor<?x1xi8>
  %n = tosa.reduce_min %a {axis = 1 : i32} : (tensor<?x?xi8>) -> tensor<?x1xi8>
  %d = tosa.bitwise_xor %a, %n : (tensor<?x?xi8>, tensor<?x1xi8>) -> tensor<?x?xi8>
  %y = tosa.bitwise_and %d, %m : (tensor<?x?xi8>, tensor<?x1xi8>) -> tensor<?x?xi8>
  return %y : tensor<?x?xi8>
}
"""

FUNCTIONS = """\
func.func @main(%a: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %t = tosa.tanh %a : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %e = tosa.erf %t : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %s = tosa.sin %e : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %y = tosa.sigmoid %s : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}
"""

PRODUCT = """\
func.func @main(%a: tensor<1x?x?xf32>, %b: tensor<1x?x?xf32>) -> tensor<1x?x?xf32> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %p = tosa.matmul %a, %b, %z, %z
    : (tensor<1x?x?xf32>, tensor<1x?x?xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x?x?xf32>
  %y = tosa.clamp %p {min_val = 0.0 : f32, max_val = 9.0 : f32} : (tensor<1x?x?xf32>) -> tensor<1x?x?xf32>
  return %y : tensor<1x?x?xf32>
}
"""

# 40 channels are five panels of eight on processors with AVX2.
TRANSPOSED = """\
func.func @main(%a: tensor<1x?x?xf32>, %b: tensor<1x40x?xf32>) -> tensor<1x?x40xf32> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %t = tosa.transpose %b {perms = array<i32: 0, 2, 1>} : (tensor<1x40x?xf32>) -> tensor<1x?x40xf32>
  %p = tosa.matmul %a, %t, %z, %z
    : (tensor<1x?x?xf32>, tensor<1x?x40xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x?x40xf32>
  return %p : tensor<1x?x40xf32>
}
"""


def softmax(a):
    e = np.exp(a.astype(np.float64) - a.max(1, keepdims=True).astype(np.float64))
    return e / e.sum(1, keepdims=True)


def extremes(a):
    return (a ^ a.min(1, keepdims=True)) & a.max(1, keepdims=True)


def functions(a):
    s = np.sin(np.vectorize(math.erf)(np.tanh(a.astype(np.float64))))
    return 1 / (1 + np.exp(-s))


def product(a, b):
    return np.clip(a.astype(np.float64) @ b, 0, 9)


def transposed(a, b):
    return a.astype(np.float64) @ b.swapaxes(1, 2)


# The text, the element type, the reference and the error that is allowed.
PROGRAMS = {
    "softmax-f32": (SOFTMAX.replace("T>", "f32>"), np.float32, softmax, 1e-6),
    "softmax-f16": (SOFTMAX.replace("T>", "f16>"), np.float16, softmax, 2e-3),
    "extremes": (EXTREMES, np.int8, extremes, 0),
    "functions": (FUNCTIONS, np.float32, functions, 1e-6),
    "product": (PRODUCT, np.float32, product, 1e-5),
    "transposed": (TRANSPOSED, np.float32, transposed, 1e-5),
}


def drawInputs(name, dtype, rows, columns):
    random = np.random.default_rng(rows * 1000 + columns)
    draw = lambda *shape: (random.standard_normal(shape) * (40 if dtype == np.int8 else 2)).astype(dtype)
    if name == "product":
        return [draw(1, rows, columns), draw(1, columns, 19)]
    if name == "transposed":
        return [draw(1, rows, columns), draw(1, 40, columns)]
    return [draw(rows, columns)]


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the processors are of x86-64")
@pytest.mark.parametrize("cpu", ["x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_values(tmp_path, name, cpu):
    text, dtype, reference, error = PROGRAMS[name]
    source, library = tmp_path / "p.mlir", tmp_path / f"p.{cpu}.so"
    source.write_text(text)
    outcome = broadloom.call("compile", source, f"--cpu={cpu}", "-o", library)
    assert outcome.status == 0, outcome.error
    try:
        program = broadloom.loadLibrary(library)
    except ValueError as refusal:
        assert "compiled for a processor with" in str(refusal)
        pytest.skip(str(refusal))
    for rows in (1, 4, 6, 7, 17, 33):
        for columns in (1, 11, 12, 15, 16, 17, 31, 32, 48, 60, 127, 128, 130):
            inputs = drawInputs(name, dtype, rows, columns)
            expected = reference(*inputs)
            out = program(*inputs, out=np.empty(expected.shape, dtype))
            assert np.abs(out.astype(np.float64) - expected).max() <= error * np.abs(expected).max(), (rows, columns)
