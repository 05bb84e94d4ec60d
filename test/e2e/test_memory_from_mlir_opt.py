"""Programs over memory that upstream's passes make of TOSA (mem-8): one-shot-bufferize gives `linalg` on memory, and
convert-linalg-to-affine-loops loops, which affine-super-vectorize makes loops over vectors. All compute what the
TOSA program does here."""

import broadloom
import numpy as np
import pytest
from bufferized import FORMS, bufferize

PROGRAMS = {
    "product": (
        """\
func.func @main(%a: tensor<1x?x?xf32>, %b: tensor<1x?x?xf32>, %c: tensor<1x?x?xf32>) -> tensor<1x?x?xf32> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %0 = tosa.matmul %a, %b, %z, %z : (tensor<1x?x?xf32>, tensor<1x?x?xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x?x?xf32>
  %1 = tosa.add %0, %c : (tensor<1x?x?xf32>, tensor<1x?x?xf32>) -> tensor<1x?x?xf32>
  %2 = tosa.tanh %1 : (tensor<1x?x?xf32>) -> tensor<1x?x?xf32>
  return %2 : tensor<1x?x?xf32>
}
""",
        [(1, 3, 4), (1, 4, 5), (1, 3, 5)],
        [(1, 3, 4), (1, 3, 5), (1, 3, 5)],
    ),
    "convolution": (
        """\
func.func @main(%a: tensor<?x9x9x2xf32>, %w: tensor<3x3x3x2xf32>, %b: tensor<3xf32>) -> tensor<?x4x4x3xf32> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %0 = tosa.conv2d %a, %w, %b, %z, %z {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>,
    stride = array<i64: 2, 2>} : (tensor<?x9x9x2xf32>, tensor<3x3x3x2xf32>, tensor<3xf32>, tensor<1xf32>,
    tensor<1xf32>) -> tensor<?x4x4x3xf32>
  %1 = tosa.transpose %0 {perms = array<i32: 0, 3, 1, 2>} : (tensor<?x4x4x3xf32>) -> tensor<?x3x4x4xf32>
  %2 = tosa.clamp %1 {min_val = 0.0 : f32, max_val = 6.0 : f32} : (tensor<?x3x4x4xf32>) -> tensor<?x3x4x4xf32>
  %3 = tosa.transpose %2 {perms = array<i32: 0, 2, 3, 1>} : (tensor<?x3x4x4xf32>) -> tensor<?x4x4x3xf32>
  return %3 : tensor<?x4x4x3xf32>
}
""",
        [(2, 9, 9, 2), (3, 3, 3, 2), (3,)],
        None,
    ),
    "softmax": (
        """\
func.func @main(%x: tensor<?x5xf32>) -> tensor<?x5xf32> {
  %0 = tosa.reduce_max %x {axis = 1 : i32} : (tensor<?x5xf32>) -> tensor<?x1xf32>
  %1 = tosa.sub %x, %0 : (tensor<?x5xf32>, tensor<?x1xf32>) -> tensor<?x5xf32>
  %2 = tosa.exp %1 : (tensor<?x5xf32>) -> tensor<?x5xf32>
  %3 = tosa.reduce_sum %2 {axis = 1 : i32} : (tensor<?x5xf32>) -> tensor<?x1xf32>
  %4 = tosa.reciprocal %3 : (tensor<?x1xf32>) -> tensor<?x1xf32>
  %s = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %5 = tosa.mul %2, %4, %s : (tensor<?x5xf32>, tensor<?x1xf32>, tensor<1xi8>) -> tensor<?x5xf32>
  return %5 : tensor<?x5xf32>
}
""",
        [(3, 5)],
        None,
    ),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(tmp_path, name, form):
    if (name, form) == ("convolution", "vectors"):
        pytest.skip("affine-super-vectorize reads elements at 2 * i as if they were neighbours")
    text, shapes, wrong = PROGRAMS[name]
    (tmp_path / "p.mlir").write_text(text)
    bufferize(tmp_path / "p.mlir", tmp_path / "m.mlir", form)
    rng = np.random.default_rng(5)

    def call(file, shapes):
        inputs = []
        for i, shape in enumerate(shapes):
            np.save(tmp_path / f"a{i}.npy", rng.random(shape, np.float32) - np.float32(0.5))
            inputs.append(f"--input={tmp_path}/a{i}.npy")
        return broadloom.call("run", tmp_path / file, *inputs, f"--output={tmp_path}/{file}.npy")

    state = rng.bit_generator.state
    for file in ("p.mlir", "m.mlir"):
        rng.bit_generator.state = state
        outcome = call(file, shapes)
        assert outcome.status == broadloom.DONE, outcome.error
    np.testing.assert_allclose(np.load(tmp_path / "m.mlir.npy"), np.load(tmp_path / "p.mlir.npy"), rtol=1e-5)
    if wrong:
        assert call("m.mlir", wrong).status == broadloom.GUARD_FAILED
