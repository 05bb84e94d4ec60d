"""The type of a reshape's result and its extents agree, and so do the types of what
is reshaped again where it has no elements (ext-2, rt-9)."""

import broadloom
import numpy as np
import pytest
from broadloom import DONE, GUARD_FAILED, REJECTED

EXPAND = """func.func @main(%a: tensor<?xi32>, %n: index) -> tensor<?x3xi32> {
  %r = tensor.expand_shape %a [[0, 1]] output_shape [2, %n] : tensor<?xi32> into tensor<?x3xi32>
  return %r : tensor<?x3xi32>
}
"""
# The branch that is not taken contradicts itself.
BRANCH = """func.func @main(%a: tensor<?xi32>, %p: i1) -> tensor<?x2xi32> {
  %n = arith.constant 3 : index
  %r = scf.if %p -> tensor<?x2xi32> {
    %x = tensor.expand_shape %a [[0, 1]] output_shape [2, %n] : tensor<?xi32> into tensor<?x2xi32>
    scf.yield %x : tensor<?x2xi32>
  } else {
    %k = arith.constant dense<7> : tensor<2x2xi32>
    %x = tensor.cast %k : tensor<2x2xi32> to tensor<?x2xi32>
    scf.yield %x : tensor<?x2xi32>
  }
  return %r : tensor<?x2xi32>
}
"""
EMPTY = """func.func @main(%a: tensor<?x?x0xi32>) -> tensor<?x?x1xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c = tensor.collapse_shape %a [[0], [1, 2]] : tensor<?x?x0xi32> into tensor<?x?xi32>
  %m = tensor.dim %c, %c0 : tensor<?x?xi32>
  %n = tensor.dim %c, %c1 : tensor<?x?xi32>
  %r = tensor.expand_shape %c [[0], [1, 2]] output_shape [%m, %n, 1] : tensor<?x?xi32> into tensor<?x?x1xi32>
  return %r : tensor<?x?x1xi32>
}
"""
# A function returns the memory of a destination whose type has fewer extents.
SORTED = """func.func private @sorted(%a: tensor<8xi64>) -> (tensor<8xi64>, tensor<8xi64>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<8xi64>
  %e = tensor.empty(%n) : tensor<?xi64>
  %f = tensor.cast %e : tensor<?xi64> to tensor<8xi64>
  %g = tensor.empty(%n) : tensor<?xi64>
  %h = tensor.cast %g : tensor<?xi64> to tensor<8xi64>
  %r:2 = loom.sort %a into %f, %h {axis = 0 : i64} : (tensor<8xi64>, tensor<8xi64>, tensor<8xi64>) -> (tensor<8xi64>, tensor<8xi64>)
  return %r#0, %r#1 : tensor<8xi64>, tensor<8xi64>
}
func.func @main(%a: tensor<8xi64>) -> tensor<4x2xi64> {
  %s:2 = func.call @sorted(%a) : (tensor<8xi64>) -> (tensor<8xi64>, tensor<8xi64>)
  %shape = tosa.const_shape {values = dense<[4, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %r = tosa.reshape %s#0, %shape : (tensor<8xi64>, !tosa.shape<2>) -> tensor<4x2xi64>
  return %r : tensor<4x2xi64>
}
"""
# The destination is a cast of a constant, so that the function returns other memory.
NEGATED = """func.func private @negated() -> tensor<2xf32> {
  %c = "tosa.const"() {values = dense<[1.0, -8.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %o = tensor.cast %c : tensor<2xf32> to tensor<?xf32>
  %n = arith.negf %o : tensor<?xf32>
  %r = tensor.cast %n : tensor<?xf32> to tensor<2xf32>
  return %r : tensor<2xf32>
}
func.func @main() -> tensor<?x?xf32> {
  %n = func.call @negated() : () -> tensor<2xf32>
  %shape = tosa.const_shape {values = dense<[2, -1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %r = tosa.reshape %n, %shape : (tensor<2xf32>, !tosa.shape<2>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
"""
# Behind a guard that fails, later operations have the extents of their operands' types.
DECLARED = """func.func @main(%n: index) -> tensor<?x?x?x?xi8> {
  %one = arith.constant 1 : index
  %c = "tosa.const"() {values = dense<[[[[-76]]],[[[-71]]]]> : tensor<2x1x1x1xi8>} : () -> tensor<2x1x1x1xi8>
  %x = tensor.cast %c : tensor<2x1x1x1xi8> to tensor<?x?x?x?xi8>
  cf.br ^head(%n : index)
^head(%i: index):
  %less = arith.cmpi ult, %i, %one : index
  cf.cond_br %less, ^body, ^end
^body:
  %j = arith.addi %i, %one : index
  cf.br ^head(%j : index)
^end:
  %a = tosa.abs %x : (tensor<?x?x?x?xi8>) -> tensor<2x1x1x4xi8>
  %m = "tosa.const"() {values = dense<1073741824> : tensor<1xi32>} : () -> tensor<1xi32>
  %s = "tosa.const"() {values = dense<30> : tensor<1xi8>} : () -> tensor<1xi8>
  %z = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %r = tosa.rescale %a, %m, %s, %z, %z {scale32 = true, rounding_mode = DOUBLE_ROUND, input_unsigned = false,
    output_unsigned = false, per_channel = false} : (tensor<2x1x1x4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>,
    tensor<1xi8>) -> tensor<?x?x?x?xi8>
  return %r : tensor<?x?x?x?xi8>
}
"""
OPTIONS = [[], ["--strategy=rfc"]]


def run(folder, text, inputs, options):
    """With the verifier behind each pass, which compares the types of memory."""
    path = folder / "program.mlir"
    path.write_text(text)
    output = folder / "out.npy"
    outcome = broadloom.call(
        "run",
        path,
        *options,
        f"--output={output}",
        *(f"--input={text}" for text in inputs),
        BROADLOOM_VERIFY_PASSES="1",
        BROADLOOM_CACHE="0",
    )
    return outcome, np.load(output) if outcome.status == DONE else None


@pytest.mark.parametrize("options", OPTIONS)
def test_ext2_output_shapes_against_the_type(tmp_path, options):
    outcome, found = run(tmp_path, EXPAND, ["6xi32=1 2 3 4 5 6", "i64=3"], options)
    assert outcome.status == DONE, outcome.error
    assert np.array_equal(found, [[1, 2, 3], [4, 5, 6]])
    outcome, _ = run(tmp_path, EXPAND, ["4xi32=1", "i64=2"], options)
    assert outcome.status == GUARD_FAILED
    assert "'tensor.expand_shape': result axis 1 has extent 2 but is declared to have 3" in outcome.error
    outcome, _ = run(tmp_path, EXPAND.replace("[2, %n]", "[%n, 2]"), ["4xi32=1", "i64=2"], options)
    assert outcome.status == REJECTED
    assert (
        "'tensor.expand_shape' op has extent 2 on axis 1 of 'output_shape', but 3 in type 'tensor<?x3xi32>'"
        in outcome.error
    )


@pytest.mark.parametrize("options", OPTIONS)
def test_ext2_a_branch_that_contradicts_itself(tmp_path, options):
    outcome, found = run(tmp_path, BRANCH, ["4xi32=1", "i1=0"], options)
    assert outcome.status == DONE, outcome.error
    assert np.array_equal(found, np.full((2, 2), 7))
    outcome, _ = run(tmp_path, BRANCH, ["4xi32=1", "i1=1"], options)
    assert outcome.status == GUARD_FAILED
    assert "result axis 1 has extent 3 but is declared to have 2" in outcome.error


@pytest.mark.parametrize("options", OPTIONS)
def test_rt9_no_elements(tmp_path, options):
    outcome, found = run(tmp_path, EMPTY, ["2x3x0xi32="], options)
    assert outcome.status == DONE, outcome.error
    assert found.shape == (2, 0, 1)


@pytest.mark.parametrize("options", OPTIONS)
def test_rt9_a_destination_that_is_returned(tmp_path, options):
    outcome, found = run(tmp_path, SORTED, ["8xi64=7 6 5 4 3 2 1 0"], options)
    assert outcome.status == DONE, outcome.error
    assert np.array_equal(found, np.arange(8).reshape(4, 2))


@pytest.mark.parametrize("options", OPTIONS)
def test_rt9_a_constant_destination_that_is_returned(tmp_path, options):
    outcome, found = run(tmp_path, NEGATED, [], options)
    assert outcome.status == DONE, outcome.error
    assert np.array_equal(found, [[-1], [8]])


@pytest.mark.parametrize("options", OPTIONS)
def test_ext2_extents_behind_a_guard_that_fails(tmp_path, options):
    outcome, _ = run(tmp_path, DECLARED, ["i64=0"], options)
    assert outcome.status == GUARD_FAILED, outcome.error
    assert "'tosa.abs': result axis 3 has extent 4 but the operands give 1" in outcome.error
