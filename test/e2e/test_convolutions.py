"""tosa.conv2d, tosa.conv3d and tosa.depthwise_conv2d against loops written from
TOSA's definitions: with all extents static, all open, and constant images; with
one bias for each channel and one for all (img-1)."""

import itertools

import broadloom
import numpy as np
import pytest
from broadloom import GUARD_FAILED, REJECTED
from element_types import TYPES
from images import makeImage, run, tensor, withModes

CONVOLUTIONS = {
    # image, kernel (out, z?, y, x), stride, pad, dilation
    "conv2d": {
        "plain": ((2, 5, 4, 3), (4, 2, 3), (1, 1), (0, 0, 0, 0), (1, 1)),
        "all": ((1, 7, 9, 2), (3, 3, 3), (2, 2), (1, 1, 2, 2), (1, 2)),
        "one": ((1, 1, 1, 1), (1, 1, 1), (1, 1), (0, 0, 0, 0), (1, 1)),
    },
    "conv3d": {
        "plain": ((2, 3, 5, 4, 3), (4, 2, 2, 3), (1, 1, 1), (0, 0, 0, 0, 0, 0), (1, 1, 1)),
        "all": ((1, 5, 7, 9, 2), (3, 2, 3, 3), (3, 2, 2), (0, 1, 1, 1, 2, 2), (2, 1, 2)),
        "one": ((1, 1, 1, 1, 1), (1, 1, 1, 1), (1, 1, 1), (0, 0, 0, 0, 0, 0), (1, 1, 1)),
    },
    # image, kernel (copies, y, x), stride, pad, dilation
    "depthwise_conv2d": {
        "plain": ((2, 5, 4, 3), (1, 2, 3), (1, 1), (0, 0, 0, 0), (1, 1)),
        "copies": ((1, 4, 3, 2), (3, 3, 2), (1, 1), (1, 0, 0, 1), (1, 1)),
        "all": ((1, 7, 9, 4), (2, 3, 3), (2, 2), (1, 1, 2, 2), (1, 2)),
        "one": ((1, 1, 1, 1), (1, 1, 1), (1, 1), (0, 0, 0, 0), (1, 1)),
    },
}
CASES = [(operation, case) for operation, cases in CONVOLUTIONS.items() for case in cases]
ONE = "tensor<1x{element}>"


def convolve(operation, image, weight, bias, stride, pad, dilation, zeros):
    """In f64 or i64; `weight` as the operation has it."""
    isDepthwise, axes = operation == "depthwise_conv2d", len(stride)
    exact = np.float64 if image.dtype.kind == "f" else np.int64
    weight = weight.astype(exact) - zeros[1]
    padded = np.pad(image.astype(exact) - zeros[0], ((0, 0), *(pad[2 * i : 2 * i + 2] for i in range(axes)), (0, 0)))
    kernel = weight.shape[:2] if isDepthwise else weight.shape[1:-1]
    channels = weight.shape[2] * weight.shape[3] if isDepthwise else weight.shape[0]
    sizes = [(padded.shape[1 + i] - (kernel[i] - 1) * dilation[i] - 1) // stride[i] + 1 for i in range(axes)]
    result = np.zeros((image.shape[0], *sizes, channels), exact) + bias.astype(exact)
    for inside in itertools.product(*map(range, kernel)):
        seen = padded[
            (
                slice(None),
                *(
                    slice(k * d, k * d + (size - 1) * s + 1, s)
                    for k, d, s, size in zip(inside, dilation, stride, sizes)
                ),
            )
        ]
        if isDepthwise:
            result += (seen[..., None] * weight[inside]).reshape(result.shape)
        else:
            result += seen @ weight[(slice(None), *inside)].T
    return result


def call(operation, element, types, stride, pad, dilation, zeros, sums):
    """Lines that compute %r from %image, %w and %b."""
    isFloat = TYPES[element].isFloat
    one = ONE.format(element=element)
    lines = [
        f'  %{name} = "tosa.const"() {{values = dense<{value}{".0" if isFloat else ""}> : {one}}} : () -> {one}'
        for name, value in zip("iz", zeros)
    ]
    spelled = ["array<i64: " + ", ".join(map(str, v)) + ">" for v in (pad, stride, dilation)]
    *operands, result = types
    lines.append(
        f"  %r = tosa.{operation} %image, %w, %b, %i, %z {{acc_type = {sums}, pad = {spelled[0]}, "
        f"stride = {spelled[1]}, dilation = {spelled[2]}}} : ({', '.join([*operands, one, one])}) -> {result}"
    )
    return lines


def makeWeight(operation, shape, kernel, element):
    if operation == "depthwise_conv2d":
        return makeImage((*kernel[1:], shape[-1], kernel[0]), element, seed=6)
    return makeImage((*kernel, shape[-1]), element, seed=6)


@pytest.mark.parametrize("biases", ["each", "all"])
@pytest.mark.parametrize("operation, case", CASES)
@pytest.mark.parametrize("element, mode", withModes("f32", "f16", "bf16", "i8"))
def test_img1_convolution(tmp_path, element, operation, case, biases, mode):
    shape, kernel, *options = CONVOLUTIONS[operation][case]
    isFloat = TYPES[element].isFloat
    result = element if isFloat else "i32"
    image, weight = makeImage(shape, element), makeWeight(operation, shape, kernel, element)
    zeros = (0, 0) if isFloat else (5, -3)
    exact = np.float64 if isFloat else np.int64
    channels = weight.shape[2] * weight.shape[3] if operation == "depthwise_conv2d" else weight.shape[0]
    bias = (np.arange(1, channels + 1) if biases == "each" else np.array([4])).astype(TYPES[result].dtype)
    expected = convolve(operation, image.astype(exact), weight.astype(exact), bias, *options, zeros)
    types = [
        tensor(v.shape, t, mode) for v, t in ((image, element), (weight, element), (bias, result), (expected, result))
    ]
    lines = call(operation, element, types, *options, zeros, "f32" if isFloat else "i32")
    found = run(
        tmp_path,
        image,
        element,
        mode,
        lines,
        expected.shape,
        result,
        [("%w", types[1]), ("%b", types[2])],
        [weight, bias],
    )
    if isFloat:
        relative, absolute = {"f32": (1e-5, 1e-4), "f16": (2e-3, 2e-2), "bf16": (1e-2, 1e-1)}[element]
        assert np.allclose(found.astype(np.float64), expected, rtol=relative, atol=absolute)
    else:
        assert np.array_equal(found, expected)


WRONG = {
    "depthwise_conv2d": ((2, 1), (0, 0, 0, 0), (1, 2)),
    "conv3d": ((1, 1, 2), (0, 0, 0, 0, 0, 0), (2, 1, 1)),
}


def openProgram(operation, image, weight):
    result = tensor((0,) * (2 + len(WRONG[operation][0])), "f32", "dynamic")
    lines = call(operation, "f32", [image, weight, "tensor<?xf32>", result], *WRONG[operation], (0, 0), "f32")
    return "\n".join(
        [
            f"func.func @main(%image: {image}, %w: {weight}, %b: tensor<?xf32>) -> {result} {{",
            *lines,
            f"  return %r : {result}",
            "}",
            "",
        ]
    )


@pytest.mark.parametrize(
    "operation, image, weight, bias, message",
    [
        ("depthwise_conv2d", (1, 4, 4, 3), (3, 2, 2, 1), 2, "filter has 2 input channels but the input has 3"),
        ("depthwise_conv2d", (1, 4, 4, 3), (3, 2, 3, 2), 3, "the bias has 3 values but the output has 6 channels"),
        (
            "depthwise_conv2d",
            (1, 2, 4, 3),
            (3, 2, 3, 2),
            6,
            "the kernel covers 3 along axis 1, but the padded input has only 2",
        ),
        ("depthwise_conv2d", (1, 5, 4, 3), (2, 2, 3, 2), 6, "the stride 2 along axis 1 must divide 3"),
        ("conv3d", (1, 5, 4, 4, 2), (3, 2, 2, 2, 1), 3, "filter has 1 input channels but the input has 2"),
        ("conv3d", (1, 5, 4, 4, 2), (3, 2, 2, 2, 2), 2, "the bias has 2 values but the output has 3 channels"),
        (
            "conv3d",
            (1, 2, 4, 4, 2),
            (3, 2, 2, 2, 2),
            3,
            "the kernel covers 3 along axis 1, but the padded input has only 2",
        ),
    ],
)
def test_wrong_convolution(tmp_path, operation, image, weight, bias, message):
    arrays = [np.zeros(shape, np.float32) for shape in (image, weight, (bias,))]
    text = openProgram(operation, *(tensor(shape, "f32", "dynamic") for shape in (image, weight)))
    outcome, _ = broadloom.run(tmp_path, text, arrays, [TYPES["f32"]])
    assert outcome.status == GUARD_FAILED and message in outcome.error, outcome.error


def test_refuted_convolution(tmp_path):
    text = openProgram("depthwise_conv2d", "tensor<?x?x?x3xf32>", "tensor<?x?x2x?xf32>")
    outcome, _ = broadloom.run(tmp_path, text, [], [TYPES["f32"]])
    assert outcome.status == REJECTED and "filter has 2 input channels but the input has 3" in outcome.error


@pytest.mark.parametrize("operation", ["depthwise_conv2d", "conv3d"])
def test_bcast7_static_and_open_give_the_same_bits(tmp_path, operation):
    shape, kernel, *options = CONVOLUTIONS[operation]["all"]
    image, weight = makeImage(shape, "f32"), makeWeight(operation, shape, kernel, "f32")
    channels = weight.shape[2] * weight.shape[3] if operation == "depthwise_conv2d" else weight.shape[0]
    bias = makeImage((channels,), "f32", 8)
    result = convolve(operation, image, weight, bias, *options, (0, 0)).shape
    found = []
    for mode in ("static", "dynamic"):
        types = [tensor(s, "f32", mode) for s in (shape, weight.shape, bias.shape, result)]
        lines = call(operation, "f32", types, *options, (0, 0), "f32")
        found.append(
            run(
                tmp_path, image, "f32", mode, lines, result, "f32", [("%w", types[1]), ("%b", types[2])], [weight, bias]
            )
        )
    assert np.array_equal(found[0].view(np.int32), found[1].view(np.int32))
