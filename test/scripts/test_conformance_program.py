"""The conformance runner's rewriting of programs: every extent `?`, but for
constants and the operands that must have one element; nothing half done."""

import os
import sys

import pytest

sys.path.append(os.path.join(os.path.dirname(os.path.realpath(__file__)), os.pardir, "conformance"))

import program  # noqa: E402

MUL = """\
module attributes {tosa.description = "some", tosa.fbs_version = "1.1.0d"} {
  func.func @main(%arg0: tensor<3x1xi8> {tosa.tensor_name = "input-0"}, %arg1: tensor<3x38xi8>) -> (tensor<3x38xi32> {tosa.tensor_name = "result-0"}) {
    %0 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %1 = tosa.mul %arg0, %arg1, %0 : (tensor<3x1xi8>, tensor<3x38xi8>, tensor<1xi8>) -> tensor<3x38xi32>
    return %1 : tensor<3x38xi32>
  }
}

"""


def test_extentsGoAndConstantsStay():
    assert program.dynamic(MUL) == MUL.replace("3x1xi8", "?x?xi8").replace("3x38x", "?x?x")


def test_aShiftThatIsAnArgumentStays():
    text = """\
func.func @main(%arg0: tensor<7xi8>, %arg1: tensor<7xi8>, %arg2: tensor<1xi8>) -> tensor<7xi32> {
  %0 = tosa.mul %arg0, %arg1, %arg2 : (tensor<7xi8>, tensor<7xi8>, tensor<1xi8>) -> tensor<7xi32>
  return %0 : tensor<7xi32>
}
"""
    assert program.dynamic(text) == text.replace("<7x", "<?x")


def test_zeroPointsAndShapesStay():
    text = """\
func.func @main(%arg0: tensor<1x4x5x2xi8>, %arg1: tensor<1xi8>) -> (tensor<1x8xi8>, tensor<1x4x5x2xi8>) {
  %0 = tosa.const_shape {values = dense<[1, 8]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %1 = tosa.avg_pool2d %arg0, %arg1, %arg1 {kernel = array<i64: 2, 2>} : (tensor<1x4x5x2xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x5x2xi8>
  %2 = tosa.reshape %1, %0 : (tensor<1x4x5x2xi8>, !tosa.shape<2>) -> tensor<1x8xi8>
  return %2, %1 : tensor<1x8xi8>, tensor<1x4x5x2xi8>
}
"""
    assert program.dynamic(text) == text.replace("1x4x5x2x", "?x?x?x?x").replace("1x8x", "?x?x")


def test_attributesAndRankZero():
    text = """\
func.func @main(%arg0: tensor<36xf32>, %arg1: tensor<bf16>) -> tensor<36xf32> {
  %0 = tosa.clamp %arg0 {max_val = 2.0E+38 : f32, min_val = -3.0E+38 : f32} : (tensor<36xf32>) -> tensor<36xf32>
  %1 = tosa.abs %arg1 : (tensor<bf16>) -> tensor<bf16>
  return %0 : tensor<36xf32>
}
"""
    assert program.dynamic(text) == text.replace("<36x", "<?x")


def test_aLineOfAnotherFormIsAnError():
    with pytest.raises(ValueError, match="cond_if"):
        program.dynamic(MUL.replace("tosa.mul %arg0, %arg1, %0 :", "tosa.cond_if %arg0 : tensor<1xi1> ->"))


def test_negateOfArguments():
    tensors = {"input-0": {"shape": [2, 3], "data_type": "BF16"},
               "input-1": {"shape": [1], "data_type": "BF16"},
               "input-2": {"shape": [1], "data_type": "BF16"}}
    text = program.negateOfArguments({"ifm_name": list(tensors), "meta": {"data_gen": {"tensors": tensors}}})
    assert "%0 = tosa.negate %arg0, %arg1, %arg2 : (tensor<2x3xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<2x3xbf16>" in text
    assert "tensor<?x?xbf16>" in program.dynamic(text) and "tensor<1xbf16>" in program.dynamic(text)
