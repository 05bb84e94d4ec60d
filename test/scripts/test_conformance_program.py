"""The conformance runner's rewriting of programs: every extent `?`, but for
constants and the operands that must have one element."""

import os
import subprocess
import sys
import sysconfig

import pytest

sys.path.append(os.path.join(os.path.dirname(os.path.realpath(__file__)), os.pardir, "conformance"))

import files
import program

TOSA_OPT = os.path.join(sysconfig.get_path("purelib"), "bin", "tosa-opt")


def dynamic(folder, text):
    """The operations of a program whose extents were taken away, as text."""
    path = folder / "p.tosa"
    (folder / "p.mlir").write_text(text)
    subprocess.run(
        [TOSA_OPT, folder / "p.mlir", f"--tosa-serialize=tosa-flatbuffer-filename={path}"],
        check=True,
        capture_output=True,
    )
    path.write_bytes(files.dynamic(path.read_bytes()))
    return program.deserialize(path)


@pytest.mark.parametrize(
    "text, parts",
    [
        (
            """\
func.func @main(%arg0: tensor<3x1xi8>, %arg1: tensor<3x38xi8>) -> tensor<3x38xi32> {
  %0 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %1 = tosa.mul %arg0, %arg1, %0 : (tensor<3x1xi8>, tensor<3x38xi8>, tensor<1xi8>) -> tensor<3x38xi32>
  return %1 : tensor<3x38xi32>
}
""",
            [
                "%arg0: tensor<?x?xi8>",
                "-> tensor<1xi8>",
                "(tensor<?x?xi8>, tensor<?x?xi8>, tensor<1xi8>) -> tensor<?x?xi32>",
            ],
        ),
        # A shift that is an argument.
        (
            """\
func.func @main(%arg0: tensor<7xi8>, %arg1: tensor<7xi8>, %arg2: tensor<1xi8>) -> tensor<7xi32> {
  %0 = tosa.mul %arg0, %arg1, %arg2 : (tensor<7xi8>, tensor<7xi8>, tensor<1xi8>) -> tensor<7xi32>
  return %0 : tensor<7xi32>
}
""",
            ["(tensor<?xi8>, tensor<?xi8>, tensor<1xi8>) -> tensor<?xi32>"],
        ),
        # Shapes stay, and so does what has no extent.
        (
            """\
func.func @main(%arg0: tensor<1x4x5x2xf32>, %arg1: tensor<bf16>) -> (tensor<1x40xf32>, tensor<bf16>) {
  %0 = tosa.const_shape {values = dense<[1, 40]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %1 = tosa.reshape %arg0, %0 : (tensor<1x4x5x2xf32>, !tosa.shape<2>) -> tensor<1x40xf32>
  %2 = tosa.abs %arg1 : (tensor<bf16>) -> tensor<bf16>
  return %1, %2 : tensor<1x40xf32>, tensor<bf16>
}
""",
            [
                "(tensor<?x?x?x?xf32>, !tosa.shape<2>) -> tensor<?x?xf32>",
                "dense<[1, 40]>",
                "(tensor<bf16>) -> tensor<bf16>",
            ],
        ),
    ],
)
def test_extents_go(tmp_path, text, parts):
    found = dynamic(tmp_path, text)
    for part in parts:
        assert part in found, found


def test_negate_of_arguments():
    tensors = {
        "input-0": {"shape": [2, 3], "data_type": "BF16"},
        "input-1": {"shape": [1], "data_type": "BF16"},
        "input-2": {"shape": [1], "data_type": "BF16"},
    }
    text = program.negateOfArguments({"ifm_name": list(tensors), "meta": {"data_gen": {"tensors": tensors}}})
    assert (
        "%0 = tosa.negate %arg0, %arg1, %arg2 : (tensor<2x3xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<2x3xbf16>"
        in text
    )
