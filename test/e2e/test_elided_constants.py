"""Constants whose values were left out when a program was printed: made up on
request, and an error otherwise."""

import re

import broadloom
import numpy as np
import pytest
from broadloom import DONE, REJECTED, WRONG_COMMAND, checkText
from element_types import TYPES
from elided import filled

ELIDED = """
func.func @main() -> (tensor<3xf32>, tensor<4x5xf32>, tensor<6xi8>, tensor<9xi1>) {
  %0 = "tosa.const"() {value = dense_resource<__elided__> : tensor<3xf32>} : () -> tensor<3xf32>
  %1 = "tosa.const"() {value = dense_resource<__elided__> : tensor<4x5xf32>} : () -> tensor<4x5xf32>
  %2 = "tosa.const"() {value = dense_resource<__elided__> : tensor<6xi8>} : () -> tensor<6xi8>
  %3 = "tosa.const"() {value = dense_resource<__elided__> : tensor<9xi1>} : () -> tensor<9xi1>
  return %0, %1, %2, %3 : tensor<3xf32>, tensor<4x5xf32>, tensor<6xi8>, tensor<9xi1>
}
"""


@pytest.mark.parametrize("option, seed", [("--fill-elided", 0), ("--fill-elided=7", 7)])
@pytest.mark.parametrize("isOld", [True, False])
def test_fill_elided(tmp_path, option, seed, isOld):
    program = ELIDED if isOld else ELIDED.replace("value =", "values =")
    outcome, found = broadloom.run(str(tmp_path), program, [], [TYPES[t] for t in ("f32", "f32", "i8", "i1")], option)
    assert outcome.status == DONE, outcome.error
    np.testing.assert_array_equal(found[0], filled((3,), 0, seed))
    np.testing.assert_array_equal(found[1], filled((4, 5), 1, seed))
    assert len(set(found[2].tolist())) > 1 and len(set(found[3].tolist())) == 2


def test_wrong_seed(tmp_path):
    outcome = checkText(tmp_path, ELIDED, "--fill-elided=many")
    assert outcome.status == WRONG_COMMAND
    assert "--fill-elided=many: a seed is a whole number below 2^64" in outcome.error


@pytest.mark.parametrize("extents", ["1000000x1000000", "4294967296x4294967296", "4294967297"])
def test_fills_no_more_than_the_limit(tmp_path, extents):
    value = f"dense_resource<__elided__> : tensor<{extents}xf32>"
    outcome = checkText(
        tmp_path,
        f"""
func.func @main() -> tensor<{extents}xf32> {{
  %0 = "tosa.const"() {{values = {value}}} : () -> tensor<{extents}xf32>
  return %0 : tensor<{extents}xf32>
}}
""",
        "--fill-elided",
    )
    assert outcome.status == REJECTED
    assert re.search(
        r"p\.mlir:3:\d+: error: has a constant of type 'tensor<" + extents + r"xf32>', whose values were "
        r"left out, and --fill-elided makes up at most 17179869184 bytes",
        outcome.error,
    ), outcome.error


def test_elided_is_an_error(tmp_path):
    outcome = checkText(tmp_path, ELIDED)
    assert outcome.status == REJECTED
    assert outcome.error.count("error:") == 1, outcome.error
    assert (
        "refers to the resource '__elided__', whose data is not in the file, like that of 3 other constants; "
        "it was left out when the program "
        "was printed, so print it in full, or let --fill-elided make up values"
    ) in outcome.error, outcome.error
