"""tosa.transpose_conv2d with a weight that is a constant: where the kernel is a multiple of the strides, its phases are
the channels of one convolution. The bits are those of a weight that is an argument (sum-1, bcast-7), the values those
of NumPy."""

import broadloom
import numpy as np
import pytest
from broadloom import DONE
from element_types import TYPES
from images import makeImage, tensor
from programs import dense
from test_images import convolve

CASES = {
    # image, kernel (out, y, x), stride, out_pad
    "once": ((1, 4, 3, 2), (3, 2, 2), (2, 2), (0, 0, 0, 0)),
    "twice": ((2, 3, 4, 3), (5, 4, 4), (2, 2), (0, 0, 0, 0)),
    "cut": ((1, 4, 5, 2), (3, 4, 4), (2, 2), (-1, -1, -2, 0)),
    "rows": ((1, 5, 3, 4), (2, 6, 1), (3, 1), (-2, -3, 0, 0)),
    "columns": ((1, 2, 7, 1), (20, 3, 2), (1, 2), (-1, 0, 0, -1)),
    "one": ((1, 1, 1, 17), (1, 2, 3), (2, 3), (0, 0, 0, 0)),
    # No phases of one size, or bordered.
    "uneven": ((1, 3, 3, 2), (3, 3, 3), (2, 2), (-1, -1, 0, 0)),
    "bordered": ((1, 3, 3, 2), (3, 2, 2), (2, 2), (1, 0, 0, 2)),
}


def program(case, element, biases, isConstant, mode):
    shape, kernel, stride, pad = CASES[case]
    isFloat = TYPES[element].isFloat
    sums = "f32" if isFloat else "i32"
    result = element if isFloat else "i32"
    image, weight = makeImage(shape, element), makeImage((*kernel, shape[3]), element, seed=6)
    bias = (np.arange(-2, 3 * kernel[0] - 2, 3) if biases == "each" else np.array([4])).astype(TYPES[result].dtype)
    zeros = (0, 0) if isFloat else (5, -3)
    expected = convolve(image, weight, bias, stride, pad, zeros)
    ofWeight, ofBias = tensor(weight.shape, element, "static"), tensor(bias.shape, result, "static")
    kinds = tensor(shape, element, mode), tensor(expected.shape, result, mode)
    lines = [
        f'  %{name} = "tosa.const"() {{values = dense<{value}{".0" if isFloat else ""}> : tensor<1x{element}>}}'
        f" : () -> tensor<1x{element}>"
        for name, value in zip("iz", zeros)
    ]
    arguments, inputs = f"%image: {kinds[0]}", [image]
    if isConstant:
        lines += [
            f'  %{name} = "tosa.const"() {{values = {dense(value)} : {kind}}} : () -> {kind}'
            for name, value, kind in (("w", weight, ofWeight), ("b", bias, ofBias))
        ]
    else:
        arguments += f", %w: {ofWeight}, %b: {ofBias}"
        inputs += [weight, bias]
    zero = f"tensor<1x{element}>"
    lines.append(
        f"  %r = tosa.transpose_conv2d %image, %w, %b, %i, %z {{acc_type = {sums}, "
        f"out_pad = array<i64: {', '.join(map(str, pad))}>, stride = array<i64: {stride[0]}, {stride[1]}>}} : "
        f"({kinds[0]}, {ofWeight}, {ofBias}, {zero}, {zero}) -> {kinds[1]}"
    )
    text = "\n".join([f"func.func @main({arguments}) -> {kinds[1]} {{", *lines, f"  return %r : {kinds[1]}", "}\n"])
    return text, inputs, TYPES[result], expected


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("element", ["f32", "f16", "i8"])
@pytest.mark.parametrize("biases", ["each", "all"])
def test_sum1_a_constant_weight_gives_the_same_bits(tmp_path, case, element, biases):
    found = []
    for isConstant, mode in ((True, "static"), (True, "dynamic"), (False, "static"), (False, "dynamic")):
        text, inputs, result, expected = program(case, element, biases, isConstant, mode)
        outcome, results = broadloom.run(tmp_path, text, inputs, [result])
        assert outcome.status == DONE, outcome.error
        found.append(results[0])
    if element == "i8":
        assert np.array_equal(found[0], expected)
    else:
        assert np.allclose(
            found[0].astype(np.float64),
            expected,
            rtol=4e-3 if element == "f16" else 1e-5,
            atol=1e-2 if element == "f16" else 1e-4,
        )
    assert all(np.array_equal(one, found[0]) for one in found[1:])
