"""Contractions by channel whose windows have one to four axes, against NumPy (sum-1): products, sums and maxima of
channels, with all extents static, all open, and the image a constant."""

import itertools

import broadloom
import numpy as np
import pytest
from broadloom import GUARD_FAILED
from element_types import TYPES
from images import makeImage, run, tensor, withModes

CASES = {
    # image, window, and for each axis of it: stride, dilation, pad before and behind
    "one axis": ((2, 9, 5), (3,), [(1, 1, 1, 1)]),
    "two axes": ((2, 5, 6, 8), (3, 2), [(2, 1, 1, 0), (1, 2, 1, 1)]),
    "three axes": ((2, 4, 5, 6, 8), (3, 3, 3), [(1, 1, 1, 1)] * 3),
    "strides": ((1, 4, 7, 9, 17), (3, 3, 3), [(1, 1, 1, 1), (2, 1, 1, 1), (2, 1, 1, 1)]),
    "dilations": ((1, 6, 5, 7, 3), (2, 2, 3), [(1, 3, 2, 0), (1, 2, 0, 2), (2, 1, 0, 1)]),
    "planes in padding": ((1, 1, 2, 3, 4), (2, 1, 2), [(1, 1, 3, 3), (1, 1, 2, 2), (1, 1, 2, 0)]),
    "many channels": ((1, 3, 3, 20, 70), (2, 3, 3), [(1, 1, 0, 1)] * 3),
    "four axes": ((2, 2, 3, 4, 5, 6), (2, 2, 1, 3), [(1, 1, 1, 0), (2, 1, 0, 1), (1, 1, 0, 0), (1, 1, 1, 1)]),
}
KINDS = {"depthwise": np.add, "sum_pool": np.add, "max_pool": np.maximum}


def reference(image, weight, kind, window, axes):
    counts = [
        (n + low + high - (k - 1) * d - 1) // s + 1 for n, k, (s, d, low, high) in zip(image.shape[1:], window, axes)
    ]
    result = np.full((image.shape[0], *counts, image.shape[-1]), -np.inf if kind == "max_pool" else 0.0)
    for at in np.ndindex(*counts):
        for step in np.ndindex(*window):
            place = [i * s + t * d - low for i, t, (s, d, low, _) in zip(at, step, axes)]
            if all(0 <= p < n for p, n in zip(place, image.shape[1:])):
                factor = weight[step] if kind == "depthwise" else 1
                here = (slice(None), *at)
                result[here] = KINDS[kind](result[here], image[(slice(None), *place)] * factor)
    return result


def lines(case, kind, image, result, frame, bodyType):
    axes = CASES[case][2]
    strides, dilations = ([a[i] for a in axes] for i in (0, 1))
    pads = list(itertools.chain.from_iterable(a[2:] for a in axes))
    spelled = ", ".join(
        f"{name} = array<i64: {', '.join(map(str, values))}>"
        for name, values in (("strides", strides), ("dilations", dilations), ("pads", pads))
    )
    narrow = bodyType != "f32"
    window = f"{{{spelled}, kind = #loom.contraction_kind<{kind}>}}"
    return [
        f"  %r = loom.contract(%image, %weight) window {window} : ({image}, {frame}) -> {result} {{",
        "  ^bb0(%sum: f32):",
        *([f"    %n = arith.truncf %sum : f32 to {bodyType}"] if narrow else []),
        f"    loom.yield {'%n' if narrow else '%sum'} : {bodyType}",
        "  }",
    ]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("element, mode", withModes("f32", "f16"))
def test_sum1_by_channel(tmp_path, element, mode, case, kind):
    shape, window, axes = CASES[case]
    image = makeImage(shape, element)
    weight = makeImage((*window, shape[-1]) if kind == "depthwise" else window, element, seed=8)
    expected = reference(image.astype(np.float64), weight.astype(np.float64), kind, window, axes)
    kinds = [tensor(x.shape, element, mode) for x in (image, expected)]
    frame = tensor(weight.shape, element)
    found = run(
        tmp_path, image, element, mode, lines(case, kind, *kinds, frame, element), expected.shape, element,
        [("%weight", frame)], [weight],
    )  # fmt: skip
    rtol, atol = (1e-5, 1e-4) if element == "f32" else (2e-3, 2e-2)
    np.testing.assert_allclose(found.astype(np.float64), expected, rtol=rtol, atol=atol)


@pytest.mark.parametrize("shape, message", [((2, 4, 5, 6, 7), "channels"), ((2, 4, 5, 6, 9), "channels")])
def test_sum1_other_channels(tmp_path, shape, message):
    weight = makeImage((*CASES["three axes"][1], 8), "f32")
    image, frame = tensor(shape, "f32", "dynamic"), tensor(weight.shape, "f32", "dynamic")
    text = lines("three axes", "depthwise", image, image, frame, "f32")
    program = f"func.func @main(%image: {image}, %weight: {frame}) -> {image} {{\n" + "\n".join(text)
    outcome, _ = broadloom.run(
        tmp_path, program + f"\n  return %r : {image}\n}}\n", [makeImage(shape, "f32"), weight], [TYPES["f32"]]
    )
    assert outcome.status == GUARD_FAILED and message in outcome.error, outcome.error
