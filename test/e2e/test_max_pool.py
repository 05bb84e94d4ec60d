"""tosa.max_pool2d against NumPy, bit for bit: of f32, f16 and bf16 by tiles and of other
types and modes by loops (sum-1), with all extents static, all open, and constant images."""

import itertools

import broadloom
import numpy as np
import pytest
from broadloom import DONE, GUARD_FAILED
from element_types import TYPES
from images import makeImage, run, tensor, withModes

CASES = {
    # image, kernel, stride, pad
    "halved": ((2, 8, 6, 3), (2, 2), (2, 2), (0, 0, 0, 0)),
    "eight": ((1, 6, 10, 8), (2, 2), (2, 2), (0, 0, 0, 0)),
    "overlapping": ((1, 7, 9, 17), (3, 3), (2, 2), (1, 1, 1, 1)),
    "padded": ((2, 4, 4, 5), (3, 2), (1, 1), (2, 1, 0, 1)),
    "sparse": ((1, 7, 8, 40), (1, 2), (3, 3), (0, 0, 0, 0)),
    "whole": ((1, 9, 30, 2), (9, 30), (1, 1), (0, 0, 0, 0)),
    "one": ((1, 1, 1, 1), (1, 1), (1, 1), (0, 0, 0, 0)),
    "manyColumns": ((1, 2, 200, 16), (2, 3), (2, 1), (0, 0, 1, 1)),
}


def pool(image, kernel, stride, pad, ignores=False):
    n, height, width, c = image.shape
    rows = (height + pad[0] + pad[1] - kernel[0]) // stride[0] + 1
    columns = (width + pad[2] + pad[3] - kernel[1]) // stride[1] + 1
    result = np.zeros((n, rows, columns, c), image.dtype)
    for y, x in itertools.product(range(rows), range(columns)):
        top, left = y * stride[0] - pad[0], x * stride[1] - pad[2]
        seen = image[:, max(top, 0) : max(top + kernel[0], 0), max(left, 0) : max(left + kernel[1], 0)]
        result[:, y, x] = (np.fmax if ignores else np.maximum).reduce(seen.reshape(n, -1, c), axis=1)
    return result


def lines(case, kinds, mode="PROPAGATE"):
    spelled = ["array<i64: " + ", ".join(map(str, v)) + ">" for v in CASES[case][1:]]
    return [
        (
            f"  %r = tosa.max_pool2d %image {{kernel = {spelled[0]}, stride = {spelled[1]}, pad = {spelled[2]}, "
            f"nan_mode = {mode}}} : ({kinds[0]}) -> {kinds[1]}"
        )
    ]


def check(folder, image, element, case, mode, nanMode="PROPAGATE"):
    expected = pool(image.astype(np.float64), *CASES[case][1:], ignores=nanMode == "IGNORE").astype(image.dtype)
    kinds = tensor(image.shape, element, mode), tensor(expected.shape, element, mode)
    found = run(folder, image, element, mode, lines(case, kinds, nanMode), expected.shape, element)
    np.testing.assert_array_equal(found.astype(np.float64), expected.astype(np.float64))
    return found


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("element, mode", withModes("f32", "f16", "bf16", "i8", "i16"))
def test_sum1_largest_of_each_window(tmp_path, element, mode, case):
    check(tmp_path, makeImage(CASES[case][0], element), element, case, mode)


@pytest.mark.parametrize("nanMode", ["PROPAGATE", "IGNORE"])
@pytest.mark.parametrize("element", ["f32", "f16", "bf16"])
@pytest.mark.parametrize("mode", ["static", "dynamic"])
def test_el5_numbers_that_are_none(tmp_path, element, mode, nanMode):
    for case in ("overlapping", "padded", "halved"):
        image = makeImage(CASES[case][0], element)
        random = np.random.default_rng(11)
        for value, share in ((np.nan, 0.1), (-np.inf, 0.3), (np.inf, 0.03)):
            image[random.random(image.shape) < share] = value
        check(tmp_path, image, element, case, mode, nanMode)


@pytest.mark.parametrize("mode", ["static", "dynamic"])
def test_el5_zero_is_above_its_negative(tmp_path, mode):
    image = np.where(np.random.default_rng(2).random(CASES["halved"][0]) < 0.3, 0.0, -0.0).astype(np.float32)
    found = check(tmp_path, image, "f32", "halved", mode)
    positive = pool(1 - np.signbit(image), *CASES["halved"][1:])
    np.testing.assert_array_equal(np.signbit(found), positive == 0)


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("mode", ["static", "dynamic"])
def test_sum2_what_comes_after_is_computed_with_it(tmp_path, mode, threads):
    """A clamp and an addition that broadcasts, of the pool of a large image, which others read, too."""
    image, other = makeImage((1, 150, 120, 24), "f32"), makeImage((1, 1, 24), "f32", seed=8)
    CASES["large"] = image.shape, (3, 3), (3, 3), (0, 0, 0, 0)
    expected = pool(image, *CASES["large"][1:])
    kinds = tensor(image.shape, "f32", mode), tensor(expected.shape, "f32", mode)
    text = "\n".join(
        [
            f"func.func @main(%image: {kinds[0]}, %b: tensor<1x1x24xf32>) -> ({kinds[1]}, {kinds[1]}) {{",
            *lines("large", kinds),
            '  %c = "tosa.const"() {values = dense<[[[[0.0]]]]> : tensor<1x1x1x1xf32>} : () -> tensor<1x1x1x1xf32>',
            f"  %m = tosa.maximum %r, %c : ({kinds[1]}, tensor<1x1x1x1xf32>) -> {kinds[1]}",
            '  %e = "tosa.const_shape"() {values = dense<[1, 1, 1, 24]> : tensor<4xindex>} : () -> !tosa.shape<4>',
            "  %d = tosa.reshape %b, %e : (tensor<1x1x24xf32>, !tosa.shape<4>) -> tensor<1x1x1x24xf32>",
            f"  %s = tosa.add %m, %d : ({kinds[1]}, tensor<1x1x1x24xf32>) -> {kinds[1]}",
            f"  return %s, %r : {kinds[1]}, {kinds[1]}",
            "}",
            "",
        ]
    )
    del CASES["large"]
    outcome, results = broadloom.run(tmp_path, text, [image, other], [TYPES["f32"]] * 2, f"--threads={threads}")
    assert outcome.status == DONE, outcome.error
    np.testing.assert_array_equal(results[0], np.maximum(expected, 0) + other)
    np.testing.assert_array_equal(results[1], expected)


@pytest.mark.parametrize("shape", [(0, 8, 6, 3), (2, 8, 6, 0)])
def test_bcast7_nothing_is_an_answer(tmp_path, shape):
    for mode in ("static", "dynamic"):
        image = np.zeros(shape, np.float32)
        kinds = tensor(shape, "f32", mode), tensor((shape[0], 4, 3, shape[3]), "f32", mode)
        found = run(tmp_path, image, "f32", mode, lines("halved", kinds), (shape[0], 4, 3, shape[3]), "f32")
        assert found.shape == (shape[0], 4, 3, shape[3])


@pytest.mark.parametrize(
    "shape, message",
    [
        ((1, 1, 6, 3), "the kernel covers 2 along axis 1, but the padded input has only 1"),
        ((1, 4, 5, 3), "the stride 2 along axis 2 must divide 3"),
        ((1, 0, 4, 3), "the kernel covers 2 along axis 1, but the padded input has only 0"),
    ],
)
def test_img1_windows_that_do_not_fit(tmp_path, shape, message):
    kinds = tensor(shape, "f32", "dynamic"), tensor(shape, "f32", "dynamic")
    text = "\n".join(
        [
            f"func.func @main(%image: {kinds[0]}) -> {kinds[1]} {{",
            *lines("halved", kinds),
            f"  return %r : {kinds[1]}",
            "}",
            "",
        ]
    )
    outcome, _ = broadloom.run(tmp_path, text, [np.zeros(shape, np.float32)], [TYPES["f32"]])
    assert outcome.status == GUARD_FAILED and message in outcome.error, outcome.error
