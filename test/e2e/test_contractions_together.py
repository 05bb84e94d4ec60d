"""Many contractions of one program, which share kernels where they may: each has the
values that NumPy has, whatever the number of channels of the others (sum-1, sum-2)."""

import broadloom
import numpy as np
import pytest
from broadloom import DONE
from element_types import TYPES
from images import makeImage, tensor
from test_contractions import assertNear, constant
from test_convolutions import convolve

# Full and partial panels, and a last panel of each number of vectors, for
# vectors of 4, 8 and 16 sums.
CHANNELS = [1, 3, 4, 7, 8, 9, 16, 17, 24, 28, 36, 40, 42, 48, 56, 64, 72, 80, 90, 96, 112, 130, 144, 176, 240]
SHAPE = {"conv2d": (2, 7, 13, 12), "depthwise_conv2d": (1, 7, 13)}


def window(operation, channels, element):
    """The operands and pads of one operation, and its sums by NumPy."""
    sums = element if TYPES[element].isFloat else "i32"
    depthwise = operation == "depthwise_conv2d"
    shape = (*SHAPE[operation], channels) if depthwise else SHAPE[operation]
    order = (3, 3, channels, 1) if depthwise else (channels, 1, 1, shape[-1])
    image, weight = makeImage(shape, element, seed=channels), makeImage(order, element, seed=6)
    bias = makeImage((channels,), sums, seed=7) if TYPES[sums].isFloat else np.arange(channels, dtype=np.int32)
    pads = (1, 1, 1, 1) if depthwise else (0, 0, 0, 0)
    exact = np.float64 if TYPES[element].isFloat else np.int64
    expected = convolve(operation, image.astype(exact), weight.astype(exact), bias, (1, 1), pads, (1, 1), (0, 0))
    return image, weight, bias, pads, expected


def scale(value, factor):
    """Computes the tail: a PReLU with a factor for each channel, or integers of it."""
    return np.where(value >= 0, value, value * factor)


@pytest.mark.parametrize("mode", ["static", "dynamic"])
@pytest.mark.parametrize(
    "operation, element",
    [
        ("conv2d", "f32"),
        ("conv2d", "i8"),
        ("depthwise_conv2d", "f32"),
        ("depthwise_conv2d", "f16"),
        ("depthwise_conv2d", "i8"),
    ],
)
def test_sum2_channels_of_all_numbers(tmp_path, operation, element, mode):
    sums = element if TYPES[element].isFloat else "i32"
    zero, accumulator = ("0.0", "f32") if TYPES[sums].isFloat else ("0", "i32")
    one = f"tensor<1x{element}>"
    lines = [
        f'  %z = "tosa.const"() {{values = dense<{zero}> : {one}}} : () -> {one}',
        '  %shift = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>',
        constant("n", np.zeros((1, 1, 1, 1), TYPES[sums].dtype), sums),
    ]
    arguments, inputs, results, wanted = [], [], [], []
    for c in CHANNELS:
        image, weight, bias, pads, expected = window(operation, c, element)
        factor = (
            makeImage((1, 1, 1, c), sums, seed=8)
            if TYPES[sums].isFloat
            else np.arange(c, dtype=np.int32).reshape(1, 1, 1, c)
        )
        x, y, b = (
            tensor(image.shape, element, mode),
            tensor(expected.shape, sums, mode),
            tensor(expected.shape, "i1", mode),
        )
        f, n = tensor(factor.shape, sums), tensor((1, 1, 1, 1), sums)
        lines += [
            constant(f"w{c}", weight, element),
            constant(f"b{c}", bias, sums),
            constant(f"f{c}", factor, sums),
            (
                f"  %s{c} = tosa.{operation} %x{c}, %w{c}, %b{c}, %z, %z {{acc_type = {accumulator}, "
                f"pad = array<i64: {', '.join(map(str, pads))}>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}} : "
                f"({x}, {tensor(weight.shape, element)}, {tensor(bias.shape, sums)}, {one}, {one}) -> {y}"
            ),
            f"  %m{c} = tosa.mul %s{c}, %f{c}, %shift : ({y}, {f}, tensor<1xi8>) -> {y}",
            f"  %p{c} = tosa.greater_equal %s{c}, %n : ({y}, {n}) -> {b}",
            f"  %y{c} = tosa.select %p{c}, %s{c}, %m{c} : ({b}, {y}, {y}) -> {y}",
        ]
        arguments.append(f"%x{c}: {x}")
        inputs.append(image)
        results.append((f"%y{c}", y))
        wanted.append((expected, factor))
    kinds = ", ".join(kind for _, kind in results)
    text = "\n".join(
        [
            f"func.func @main({', '.join(arguments)}) -> ({kinds}) {{",
            *lines,
            f"  return {', '.join(name for name, _ in results)} : {kinds}",
            "}",
            "",
        ]
    )
    outcome, found = broadloom.run(tmp_path, text, inputs, [TYPES[sums]] * len(results))
    assert outcome.status == DONE, outcome.error
    for value, (expected, factor) in zip(found, wanted):
        if sums == "f32":
            assertNear(value, scale(expected, factor), 12, expected)
        elif sums == "f16":
            assert np.allclose(value.astype(np.float64), scale(expected, factor), rtol=4e-3, atol=2e-2)
        else:
            assert np.array_equal(value, scale(expected, factor))
