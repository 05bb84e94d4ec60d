"""Convolutions and products of matrices of many tiles, with what is computed of
the sums, against NumPy (sum-1, sum-2): with open and static extents, weights that
are constant and given, one thread and several."""

import broadloom
import numpy as np
import pytest
from broadloom import DONE
from contraction_programs import MODES, assertNear, constant, multiply, run
from element_types import TYPES
from images import makeImage, tensor
from test_convolutions import convolve

# image, kernel (out, y, x), stride, pad, dilation
FLAT = {
    "lines": ((2, 20, 37, 5), (33, 3, 3), (1, 1), (1, 1, 1, 1), (1, 1)),
    "stem": ((1, 24, 32, 3), (16, 5, 5), (1, 1), (2, 2, 2, 2), (1, 1)),
    "unpadded": ((1, 9, 40, 4), (48, 2, 3), (1, 1), (0, 0, 0, 0), (1, 1)),
    "gathered": ((2, 11, 3, 16), (70, 3, 3), (1, 1), (1, 1, 1, 1), (1, 1)),
    "dilated": ((1, 9, 30, 3), (16, 3, 2), (1, 1), (2, 2, 1, 1), (2, 2)),
    "pointwise": ((2, 9, 13, 24), (20, 1, 1), (1, 1), (0, 0, 0, 0), (1, 1)),
    "strided": ((1, 9, 41, 8), (17, 1, 1), (2, 2), (0, 0, 0, 0), (1, 1)),
    "beyond": ((1, 1, 20, 2), (9, 3, 3), (1, 1), (3, 3, 3, 3), (1, 1)),
    # Short taps of one vector of channels.
    "short": ((2, 18, 62, 3), (8, 3, 3), (2, 2), (0, 1, 0, 1), (1, 1)),
    "short padded": ((2, 11, 41, 2), (16, 3, 3), (3, 3), (2, 2, 2, 2), (1, 1)),
    "short strided": ((1, 9, 61, 8), (12, 1, 1), (2, 2), (0, 0, 0, 0), (1, 1)),
    "short pointwise": ((2, 9, 13, 16), (8, 1, 1), (1, 1), (0, 0, 0, 0), (1, 1)),
    "short gathered": ((1, 14, 3, 3), (16, 3, 3), (1, 1), (1, 1, 1, 1), (1, 1)),
    # Lines that leave one row of a tile of six, for many channels.
    "one row left": ((2, 14, 14, 6), (264, 3, 3), (2, 2), (1, 0, 1, 0), (1, 1)),
    # Windows whose sums are computed in parts, of a tap or of several.
    "parts of taps": ((1, 9, 9, 190), (33, 3, 3), (1, 1), (3, 1, 1, 1), (1, 1)),
    "several taps": ((2, 9, 12, 40), (70, 9, 1), (2, 1), (5, 5, 0, 0), (1, 1)),
}
DEEP = {
    "wide": ((2, 12, 30, 40), (1, 3, 3), (1, 1), (1, 1, 1, 1), (1, 1)),
    "strided": ((1, 11, 21, 19), (1, 5, 5), (2, 2), (2, 2, 2, 2), (1, 1)),
    "dilated": ((1, 9, 17, 16), (1, 3, 3), (1, 1), (2, 2, 3, 3), (2, 3)),
    # Panels without masks, whose windows share columns, and those whose do not.
    "shared": ((1, 11, 41, 64), (1, 5, 5), (1, 1), (2, 2, 2, 2), (1, 1)),
    "strided panels": ((1, 11, 41, 48), (1, 5, 5), (2, 2), (2, 2, 2, 2), (1, 1)),
    "dilated panels": ((1, 12, 43, 32), (1, 3, 4), (1, 3), (2, 2, 3, 3), (2, 2)),
    "three halves": ((2, 9, 23, 24), (1, 3, 3), (1, 1), (1, 1, 1, 1), (1, 1)),
    "wide window": ((1, 8, 30, 16), (1, 2, 9), (1, 1), (0, 1, 4, 4), (1, 1)),
    "parts of channels": ((1, 6, 7, 300), (1, 5, 5), (1, 1), (2, 2, 2, 2), (1, 1)),
    "copies": ((1, 5, 6, 9), (4, 3, 3), (1, 1), (1, 1, 1, 1), (1, 1)),
}
# operands beside the sums, and what of them
TAILS = {
    "residual": (lambda s: [s], "%1 = tosa.add %0, %t0 : ({r}, {t0}) -> {r}", lambda y, t: y + t[0]),
    "clamp": (
        lambda s: [],
        "%1 = tosa.clamp %0 {{min_val = -0.5 : f32, max_val = 2.5 : f32}} : ({r}) -> {r}",
        lambda y, t: np.clip(y, np.float32(-0.5), np.float32(2.5)),
    ),
    "channel": (
        lambda s: [(1, 1, 1, s[-1])],
        (
            "%m = tosa.mul %0, %t0, %shift : ({r}, {t0}, tensor<1xi8>) -> {r}\n"
            "%p = tosa.greater_equal %0, %t0 : ({r}, {t0}) -> {b}\n"
            "%1 = tosa.select %p, %0, %m : ({b}, {r}, {r}) -> {r}"
        ),
        lambda y, t: np.where(y >= t[0], y, y * t[0]),
    ),
    "rows": (
        lambda s: [(s[0], s[1], 1, 1), (1, 1, s[2], 1)],
        "%m = tosa.sub %0, %t0 : ({r}, {t0}) -> {r}\n%1 = tosa.maximum %t1, %m : ({t1}, {r}) -> {r}",
        lambda y, t: np.maximum(t[1], y - t[0]),
    ),
    "sigmoid": (
        lambda s: [],
        "%1 = tosa.sigmoid %0 : ({r}) -> {r}",
        lambda y, t: 1 / (1 + np.exp(-y.astype(np.float64))),
    ),
}


def convolution(operation, shapes, element, mode, given, zeros=(0, 0)):
    """The program's head, its arguments beside the image, and what NumPy says."""
    shape, kernel, stride, pad, dilation = shapes
    isFloat = TYPES[element].isFloat
    sums = "f32" if isFloat else "i32"
    image = makeImage(shape, element)
    order = (*kernel[1:], shape[-1], kernel[0]) if operation == "depthwise_conv2d" else (*kernel, shape[-1])
    weight = makeImage(order, element, seed=6)
    channels = order[2] * order[3] if operation == "depthwise_conv2d" else order[0]
    bias = makeImage((channels,), sums, seed=7) if isFloat else np.arange(channels, dtype=np.int32)
    expected = convolve(operation, image, weight, bias, stride, pad, dilation, zeros)
    types = [
        tensor(image.shape, element, mode),
        tensor(order, element, mode if given else "static"),
        tensor(bias.shape, sums),
        tensor(expected.shape, sums, mode),
    ]
    one = f"tensor<1x{element}>"
    lines = [] if given else [constant("w", weight, element)]
    lines.append(constant("b", bias, sums))
    lines += [
        f'  %{n} = "tosa.const"() {{values = dense<{z}{".0" if isFloat else ""}> : {one}}} : () -> {one}'
        for n, z in zip(("zi", "zw"), zeros)
    ]
    spelled = ["array<i64: " + ", ".join(map(str, v)) + ">" for v in (pad, stride, dilation)]
    lines.append(
        f"  %0 = tosa.{operation} %x, %w, %b, %zi, %zw {{acc_type = {sums}, pad = {spelled[0]}, "
        f"stride = {spelled[1]}, dilation = {spelled[2]}}} : ({types[0]}, {types[1]}, {types[2]}, "
        f"{one}, {one}) -> {types[3]}"
    )
    arguments = [("%x", types[0])] + ([("%w", types[1])] if given else [])
    return lines, arguments, [image] + ([weight] if given else []), expected, types[3]


CASES = [("conv2d", FLAT[c]) for c in FLAT] + [("depthwise_conv2d", DEEP[c]) for c in DEEP]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("given", [False, True])
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("operation, shapes", CASES)
def test_sum1_convolutions(tmp_path, operation, shapes, mode, given, threads):
    lines, arguments, inputs, expected, result = convolution(operation, shapes, "f32", mode, given)
    found = run(tmp_path, lines, arguments, inputs, result, "%0", "f32", threads)
    assertNear(found, expected, shapes[1][1] * shapes[1][2] * shapes[0][-1])


# Dot products of bytes are for weights that are symmetric.
@pytest.mark.parametrize("given, zeros", [(False, (-3, 5)), (False, (-3, 0)), (True, (-128, 0)), (True, (127, -1))])
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("operation, shapes", CASES)
def test_sum1_integers_are_exact(tmp_path, operation, shapes, mode, given, zeros):
    lines, arguments, inputs, expected, result = convolution(operation, shapes, "i8", mode, given, zeros)
    found = run(tmp_path, lines, arguments, inputs, result, "%0", "i32", 2)
    assert np.array_equal(found, expected)


@pytest.mark.parametrize("tail", TAILS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "operation, shapes",
    [("conv2d", FLAT["lines"]), ("conv2d", FLAT["gathered"]), ("depthwise_conv2d", DEEP["strided"])],
)
def test_sum2_tails(tmp_path, operation, shapes, mode, tail):
    lines, arguments, inputs, sums, result = convolution(operation, shapes, "f32", mode, False)
    operands, text, compute = TAILS[tail]
    values = [makeImage(shape, "f32", seed=8 + i) for i, shape in enumerate(operands(sums.shape))]
    kinds = {f"t{i}": tensor(v.shape, "f32", mode) for i, v in enumerate(values)}
    lines.append('  %shift = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>')
    lines.append(text.format(r=result, b=result.replace("f32", "i1"), **kinds))
    arguments += [(f"%{name}", kind) for name, kind in kinds.items()]
    found = run(tmp_path, lines, arguments, inputs + values, result, "%1", "f32", 2)
    assertNear(found, compute(sums, values), shapes[1][1] * shapes[1][2] * shapes[0][-1], sums)


def test_sum2_bodies_without_vectors(tmp_path):
    """A comparison gives i1, and an integer division is no vector operation."""
    lines, arguments, inputs, sums, result = convolution("conv2d", FLAT["lines"], "i8", "static", False)
    divisor = np.arange(1, sums.shape[-1] + 1, dtype=np.int32)
    lines += [
        constant("d", divisor.reshape(1, 1, 1, -1), "i32"),
        f"  %q = tosa.intdiv %0, %d : ({result}, {tensor((1, 1, 1, divisor.size), 'i32')}) -> {result}",
        f"  %1 = tosa.greater %0, %q : ({result}, {result}) -> {result.replace('i32', 'i1')}",
    ]
    quotient = np.trunc(sums / divisor).astype(np.int64)
    found = run(tmp_path, lines, arguments, inputs, result, "%q", "i32")
    assert np.array_equal(found, quotient)
    found = run(tmp_path, lines, arguments, inputs, result.replace("i32", "i1"), "%1", "i1")
    assert np.array_equal(found.astype(bool), sums > quotient)


def test_sum2_sums_that_others_read(tmp_path):
    lines, arguments, inputs, sums, result = convolution("conv2d", FLAT["lines"], "f32", "dynamic", False)
    lines += [
        f"  %a = tosa.abs %0 : ({result}) -> {result}",
        f"  %p = tosa.reduce_max %0 {{axis = 3 : i32}} : ({result}) -> tensor<?x?x?x1xf32>",
        f"  %1 = tosa.add %a, %p : ({result}, tensor<?x?x?x1xf32>) -> {result}",
    ]
    found = run(tmp_path, lines, arguments, inputs, result, "%1", "f32")
    assertNear(found, np.abs(sums) + sums.max(axis=3, keepdims=True), 45)


@pytest.mark.parametrize("mode", MODES)
def test_sum2_a_tail_after_a_tail(tmp_path, mode):
    """A depthwise convolution of one element is a map; others read what it reads."""
    lines, arguments, inputs, sums, result = convolution("conv2d", FLAT["lines"], "f32", mode, False)
    channels = sums.shape[-1]
    weight, bias = np.linspace(-2, 2, channels, dtype=np.float32), np.linspace(1, 3, channels, dtype=np.float32)
    most = tensor((*sums.shape[:3], 1), "f32", mode)
    lines += [
        constant("k", weight.reshape(1, 1, channels, 1), "f32"),
        constant("o", bias, "f32"),
        constant("none", np.zeros(1, np.float32), "f32"),
        f"  %a = tosa.abs %0 : ({result}) -> {result}",
        (
            f"  %s = tosa.depthwise_conv2d %a, %k, %o, %none, %none {{acc_type = f32, dilation = array<i64: 1, 1>, "
            f"pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>}} : ({result}, tensor<1x1x{channels}x1xf32>, "
            f"tensor<{channels}xf32>, tensor<1xf32>, tensor<1xf32>) -> {result}"
        ),
        f"  %p = tosa.reduce_max %a {{axis = 3 : i32}} : ({result}) -> {most}",
        f"  %1 = tosa.add %s, %p : ({result}, {most}) -> {result}",
    ]
    found = run(tmp_path, lines, arguments, inputs, result, "%1", "f32")
    size = np.abs(sums)
    assertNear(found, size * weight + bias + size.max(axis=3, keepdims=True), 3 * 45)


@pytest.mark.parametrize("tail", ["functions", "signs"])
@pytest.mark.parametrize("m, k, n", [(1, 3, 250), (7, 33, 65), (23, 16, 250), (40, 5, 17), (130, 70, 129), (0, 5, 7)])
def test_sum2_long_bodies_and_elements(tmp_path, m, k, n, tail):
    """A body of many operations is computed in a loop over the sums of a tile, one whose
    results are no vectors element by element."""
    a, b = makeImage((1, m, k), "f32"), makeImage((1, k, n), "f32", seed=6)
    bias = makeImage((1, 1, n), "f32", seed=7)
    sums = np.matmul(a.astype(np.float64), b.astype(np.float64))
    lines, arguments, kind = multiply(a, b, "dynamic")
    arguments.append(("%b", "tensor<1x1x?xf32>"))
    lines.append(f"  %1 = tosa.add %0, %b : ({kind}, tensor<1x1x?xf32>) -> {kind}")
    sums = sums + bias
    if tail == "signs":
        lines.append(f"  %2 = tosa.greater %1, %b : ({kind}, tensor<1x1x?xf32>) -> {kind.replace('f32', 'i1')}")
        found = run(tmp_path, lines, arguments, [a, b, bias], kind.replace("f32", "i1"), "%2", "i1", 2)
        isClear = np.abs(sums - bias) > 1e-3 * k
        assert np.array_equal(found.astype(bool)[isClear], (sums > bias)[isClear])
        return
    for i, name in enumerate(["tanh", "sigmoid", "exp"]):
        lines.append(f"  %{i + 2} = tosa.{name} %{i + 1} : ({kind}) -> {kind}")
    found = run(tmp_path, lines, arguments, [a, b, bias], kind, "%4", "f32", 2)
    expected = np.exp(1 / (1 + np.exp(-np.tanh(sums))))
    np.testing.assert_allclose(found, expected, rtol=1e-4)


def test_sum1_functions_of_one_shape(tmp_path):
    """Two functions whose steps are the same numbers: each has a plan of its own."""
    kind = tensor((1, 8, 8, 4), "f32")
    image, bias = makeImage((1, 8, 8, 4), "f32"), np.zeros(4, np.float32)
    zeros = ["  %z = arith.constant dense<0.0> : tensor<1xf32>", constant("c", bias, "f32")]
    lines, expected = [], image
    for name, kernel, pad in (("a", (3, 3), (1, 1, 1, 1)), ("b", (1, 1), (0, 0, 0, 0))):
        weight = makeImage((4, *kernel, 4), "f32", seed=len(lines))
        expected = convolve("conv2d", expected, weight, bias, (1, 1), pad, (1, 1), (0, 0))
        pads = ", ".join(map(str, pad))
        lines += [
            f"func.func private @{name}(%x: {kind}) -> {kind} {{",
            *zeros,
            constant("w", weight, "f32"),
            (
                f"  %0 = tosa.conv2d %x, %w, %c, %z, %z {{acc_type = f32, pad = array<i64: {pads}>, stride = array<i64: 1, 1>, "
                f"dilation = array<i64: 1, 1>}} : ({kind}, {tensor(weight.shape, 'f32')}, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> {kind}"
            ),
            f"  return %0 : {kind}",
            "}",
        ]
    lines += [
        f"func.func @main(%x: {kind}) -> {kind} {{",
        f"  %0 = call @a(%x) : ({kind}) -> {kind}",
        f"  %1 = call @b(%0) : ({kind}) -> {kind}",
        f"  return %1 : {kind}",
        "}",
        "",
    ]
    outcome, found = broadloom.run(tmp_path, "\n".join(lines), [image], [TYPES["f32"]])
    assert outcome.status == DONE, outcome.error
    assertNear(found[0], expected, 100)
