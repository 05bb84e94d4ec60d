"""Named convolutions of linalg compute as many windows as their destination has
elements, which may be fewer than the image has, or none."""

import itertools

import broadloom
import numpy as np
import pytest
from broadloom import DONE
from element_types import TYPES

# name, axes of the window, whether channel by channel
KINDS = [
    ("conv_1d_nwc_wcf", 1, False),
    ("conv_2d_nhwc_hwcf", 2, False),
    ("conv_3d_ndhwc_dhwcf", 3, False),
    ("depthwise_conv_2d_nhwc_hwc", 2, True),
    ("conv_2d_nhwc_fhwc", 2, False),
    ("conv_1d_ncw_fcw", 1, False),
    ("conv_2d_nchw_fchw", 2, False),
    ("conv_3d_ncdhw_fcdhw", 3, False),
    ("depthwise_conv_2d_nchw_chw", 2, True),
]
STRIDES, DILATIONS = (2, 1, 1), (1, 2, 1)


def typeOf(shape, known):
    return "tensor<" + "x".join(str(n) if known else "?" for n in shape) + "xf32>"


def program(name, axes, image, weight, result, known, tail):
    """Adds to zeros of the extents of another argument; `tail` adds that argument
    as well."""
    kinds = [typeOf(shape, known) for shape in (image, weight, result)]
    lines = [
        f"func.func @f(%i: {kinds[0]}, %w: {kinds[1]}, %like: {kinds[2]}) -> {kinds[2]} {{",
        "%zero = arith.constant 0.0 : f32",
    ]
    if not known:
        for axis in range(len(result)):
            lines += [
                f"%c{axis} = arith.constant {axis} : index",
                f"%d{axis} = tensor.dim %like, %c{axis} : {kinds[2]}",
            ]
    extents = "" if known else ", ".join(f"%d{axis}" for axis in range(len(result)))
    numbers = [f"dense<[{', '.join(map(str, n[:axes]))}]> : tensor<{axes}xi64>" for n in (STRIDES, DILATIONS)]
    lines += [
        f"%e = tensor.empty({extents}) : {kinds[2]}",
        f"%z = linalg.fill ins(%zero : f32) outs(%e : {kinds[2]}) -> {kinds[2]}",
        (
            f"%c = linalg.{name} {{strides = {numbers[0]}, dilations = {numbers[1]}}} "
            f"ins(%i, %w : {kinds[0]}, {kinds[1]}) outs(%z : {kinds[2]}) -> {kinds[2]}"
        ),
    ]
    if tail:
        lines.append(f"%r = tosa.add %c, %like : ({kinds[2]}, {kinds[2]}) -> {kinds[2]}")
    return "\n".join([*lines, f"return {'%r' if tail else '%c'} : {kinds[2]}", "}", ""])


def convolve(image, weight, windows, axes, depthwise):
    """After linalg: every element of the result, by its sum."""
    kernel = weight.shape[:axes]
    channels = weight.shape[-1]
    result = np.zeros((image.shape[0], *windows, channels), np.float32)
    for at in itertools.product(*map(range, windows)):
        for k in itertools.product(*map(range, kernel)):
            seen = image[(slice(None), *(a * s + i * d for a, s, i, d in zip(at, STRIDES, k, DILATIONS)))]
            result[(slice(None), *at)] += seen * weight[k] if depthwise else seen @ weight[k]
    return result


def arrange(name, axes, image, weight, result):
    """The three with their axes where the operation has them."""
    if name == "conv_2d_nhwc_fhwc":
        weight = np.moveaxis(weight, -1, 0)
    elif "_nc" in name:
        image, result = np.moveaxis(image, -1, 1), np.moveaxis(result, -1, 1)
        # The input channels, and the output channels before them.
        for axis in range(axes, weight.ndim):
            weight = np.moveaxis(weight, axis, 0)
    return [np.ascontiguousarray(value) for value in (image, weight, result)]


def allWindows(extents, kernel):
    return [(n - (k - 1) * d - 1) // s + 1 for n, k, s, d in zip(extents, kernel, STRIDES, DILATIONS)]


@pytest.mark.parametrize("tail", [False, True])
@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("fewer", ["all", "one less", "one", "none"])
@pytest.mark.parametrize("name,axes,depthwise", KINDS)
def test_windows_of_the_destination(name, axes, depthwise, fewer, known, tail, tmp_path):
    extents, kernel = (7, 6, 4)[:axes], (2, 2, 2)[:axes]
    channels, outputs = 3, 3 if depthwise else 5
    windows = allWindows(extents, kernel)
    windows = {"all": windows, "one less": [n - 1 for n in windows], "one": [1] * axes, "none": [0, *windows[1:]]}[
        fewer
    ]
    dice = np.random.default_rng(5)
    image = dice.integers(-4, 5, (2, *extents, channels)).astype(np.float32)
    weight = dice.integers(-4, 5, (*kernel, channels, *([] if depthwise else [outputs]))).astype(np.float32)
    like = dice.integers(-4, 5, (2, *windows, outputs)).astype(np.float32)
    expected = convolve(image, weight, windows, axes, depthwise) + (like if tail else 0)
    expected = arrange(name, axes, image, weight, expected)[2]
    image, weight, like = arrange(name, axes, image, weight, like)
    text = program(name, axes, image.shape, weight.shape, like.shape, known, tail)
    for options in ([], ["--strategy=rfc"]):
        outcome, results = broadloom.run(tmp_path, text, [image, weight, like], [TYPES["f32"]], *options)
        assert outcome.status == DONE, outcome.error
        np.testing.assert_array_equal(results[0], expected)


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("shape", ["kernel", "channels"])
def test_nothing_is_summed(shape, known, tmp_path):
    """The image may be smaller than the windows of the destination then."""
    weight = np.ones((0, 2, 3) if shape == "kernel" else (2, 0, 3), np.float32)
    image = np.ones((1, 2, weight.shape[1]), np.float32)
    like = np.ones((1, 4, 3), np.float32)
    text = program("conv_1d_nwc_wcf", 1, image.shape, weight.shape, like.shape, known, False)
    outcome, results = broadloom.run(tmp_path, text, [image, weight, like], [TYPES["f32"]])
    assert outcome.status == DONE, outcome.error
    np.testing.assert_array_equal(results[0], np.zeros_like(like))
