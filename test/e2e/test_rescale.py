"""tosa.rescale with a multiplier for each channel, where types leave open how
many channels there are."""

import broadloom
import numpy as np
import pytest
from broadloom import DONE, GUARD_FAILED
from element_types import TYPES

CONSTANTS = """
%m = "tosa.const"() {values = dense<[1073741824, 1610612736]> : tensor<2xi32>} : () -> tensor<2xi32>
%s = "tosa.const"() {values = dense<[30, 31]> : tensor<2xi8>} : () -> tensor<2xi8>
%z = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
"""


def program(argument):
    return (
        f"func.func @f(%a: {argument}) -> {argument} {{{CONSTANTS}"
        "%r = tosa.rescale %a, %m, %s, %z, %z {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = true, "
        f"input_unsigned = false, output_unsigned = false}} : ({argument}, tensor<2xi32>, tensor<2xi8>, tensor<1xi8>, "
        f"tensor<1xi8>) -> {argument}\nreturn %r : {argument}\n}}\n"
    )


@pytest.mark.parametrize("argument", ["tensor<?x?xi8>", "tensor<3x?xi8>"])
def test_open_channels_are_a_guard(tmp_path, argument):
    rows = np.array([[4, 4], [-8, 8], [100, -100]], np.int8)
    outcome, found = broadloom.run(tmp_path, program(argument), [rows], [TYPES["i8"]])
    assert outcome.status == DONE, outcome.error
    np.testing.assert_array_equal(found[0], [[4, 3], [-8, 6], [100, -75]])
    outcome, _ = broadloom.run(tmp_path, program(argument), [np.ones((3, 4), np.int8)], [TYPES["i8"]])
    assert outcome.status == GUARD_FAILED
    assert "'tosa.rescale': there are 2 multipliers but must be 4" in outcome.error
