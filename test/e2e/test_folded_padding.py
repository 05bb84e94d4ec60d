"""Pads and slices ahead of convolutions, which become the window's own padding, against
NumPy's pad: results do not depend on whether they do (sum-1)."""

import broadloom
import numpy as np
import pytest
from broadloom import DONE
from element_types import TYPES
from images import makeImage, tensor
from test_contractions import MODES, assertNear, constant, convolve, run

# image, pads of lines and columns, what a slice takes away at the end of both, kernel,
# stride, the window's own padding, dilation
CASES = {
    "a left over line": ((1, 8, 8, 5), (1, 1, 1, 1), (1, 1), (3, 3), (2, 2), (0, 0, 0, 0), (1, 1)),
    "all padding": ((2, 9, 20, 6), (2, 0, 3, 1), (0, 0), (3, 3), (1, 1), (0, 0, 0, 0), (1, 1)),
    "padding beside padding": ((1, 7, 9, 5), (1, 2, 0, 1), (1, 0), (2, 3), (1, 2), (1, 1, 1, 0), (1, 1)),
    "more than the padding": ((1, 9, 16, 5), (0, 1, 0, 0), (2, 1), (2, 3), (3, 3), (0, 0, 0, 0), (1, 1)),
    "an image as it is": ((1, 9, 12, 5), (0, 0, 0, 0), (1, 2), (2, 4), (2, 3), (0, 0, 0, 0), (1, 1)),
    "dilated": ((1, 8, 10, 5), (2, 2, 2, 2), (0, 0), (3, 3), (1, 1), (0, 0, 0, 0), (2, 2)),
}
ZERO = -3


def program(operation, case, element, mode, fill, extreme=None):
    """The program's lines, its argument and result, an image, and what NumPy says;
    `extreme` is an element of the weight."""
    shape, pads, less, kernel, stride, own, dilation = CASES[case]
    isFloat = TYPES[element].isFloat
    image = makeImage(shape, element)
    top, bottom, left, right = pads
    padded = np.pad(image, [(0, 0), (top, bottom), (left, right), (0, 0)], constant_values=fill)
    sliced = np.ascontiguousarray(padded[:, : padded.shape[1] - less[0], : padded.shape[2] - less[1]])
    order = (*kernel, shape[-1], 1) if operation == "depthwise_conv2d" else (7, *kernel, shape[-1])
    weight = makeImage(order, element, seed=6)
    if extreme is not None:
        weight.flat[0] = extreme
    sums = "f32" if isFloat else "i32"
    bias = np.zeros(shape[-1] if operation == "depthwise_conv2d" else 7, TYPES[sums].dtype)
    zeros = (0, 0) if isFloat else (ZERO, 0)
    with np.errstate(invalid="ignore"):
        expected = convolve(operation, sliced, weight, bias, stride, own, dilation, zeros)
    # A slice has static sizes.
    kinds = [tensor(a.shape, element, mode) for a in (image, padded)] + [
        tensor(sliced.shape, element, "static" if any(less) else mode)
    ]
    result = tensor(expected.shape, sums, mode)
    one = f"tensor<1x{element}>"
    lines = [
        constant("w", weight, element),
        constant("b", bias, sums),
        constant("zi", np.array([zeros[0]], TYPES[element].dtype), element),
        constant("zw", np.array([0], TYPES[element].dtype), element),
        constant("fill", np.array([fill], TYPES[element].dtype), element),
        f"  %p = tosa.const_shape {{values = dense<[0, 0, {top}, {bottom}, {left}, {right}, 0, 0]> : tensor<8xindex>}} : () -> !tosa.shape<8>",
        f"  %padded = tosa.pad %x, %p, %fill : ({kinds[0]}, !tosa.shape<8>, {one}) -> {kinds[1]}",
    ]
    if any(less):
        lines += [
            "  %start = tosa.const_shape {values = dense<0> : tensor<4xindex>} : () -> !tosa.shape<4>",
            f"  %size = tosa.const_shape {{values = dense<{list(sliced.shape)}> : tensor<4xindex>}} : () -> !tosa.shape<4>",
            f"  %image = tosa.slice %padded, %start, %size : ({kinds[1]}, !tosa.shape<4>, !tosa.shape<4>) -> {kinds[2]}",
        ]
    spelled = ["array<i64: " + ", ".join(map(str, v)) + ">" for v in (own, stride, dilation)]
    lines.append(
        f"  %0 = tosa.{operation} {'%image' if any(less) else '%padded'}, %w, %b, %zi, %zw {{acc_type = {sums}, pad = {spelled[0]}, "
        f"stride = {spelled[1]}, dilation = {spelled[2]}}} : ({kinds[2]}, {tensor(order, element)}, {tensor(bias.shape, sums)}, "
        f"{one}, {one}) -> {result}"
    )
    return lines, [("%x", kinds[0])], image, expected, result


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("operation", ["conv2d", "depthwise_conv2d"])
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("element, fill", [("f32", 0.0), ("f32", 1.5), ("i8", ZERO), ("i8", 0)])
def test_sum1_pads_and_slices(tmp_path, operation, case, mode, element, fill):
    lines, arguments, image, expected, result = program(operation, case, element, mode, fill)
    found = run(tmp_path, lines, arguments, [image], result, "%0", "f32" if element == "f32" else "i32")
    if element == "f32":
        assertNear(found, expected, 100)
    else:
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("extreme", [np.inf, -np.inf, np.nan])
def test_sum1_zeros_times_infinity(tmp_path, extreme):
    """Products with padding that a program writes are NaN then; a window may leave them out."""
    lines, arguments, image, expected, result = program("conv2d", "all padding", "f32", "static", 0.0, extreme)
    found = run(tmp_path, lines, arguments, [image], result, "%0", "f32")
    assert np.isnan(expected).any()
    np.testing.assert_array_equal(np.isnan(found), np.isnan(expected))


def test_sum1_a_pad_that_others_read_too(tmp_path):
    lines, arguments, image, expected, result = program("conv2d", "all padding", "f32", "static", 0.0)
    padded = np.pad(image, [(0, 0), (2, 0), (3, 1), (0, 0)])
    other = tensor(padded.shape, "f32")
    text = "\n".join(
        [
            f"func.func @main(%x: {arguments[0][1]}) -> ({result}, {other}) {{",
            *lines,
            f"  %1 = tosa.abs %padded : ({other}) -> {other}",
            f"  return %0, %1 : {result}, {other}",
            "}",
            "",
        ]
    )
    outcome, found = broadloom.run(tmp_path, text, [image], [TYPES["f32"]] * 2)
    assert outcome.status == DONE, outcome.error
    assertNear(found[0], expected, 100)
    np.testing.assert_array_equal(found[1], np.abs(padded))
