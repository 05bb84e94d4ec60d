"""tosa.avg_pool2d, tosa.resize and tosa.transpose_conv2d against loops written
from TOSA's definitions: with all extents static, all open, and constant images.
What types say changes no bit of a result (img-1, bcast-7)."""

import itertools

import broadloom
import numpy as np
import pytest
from broadloom import DONE, GUARD_FAILED, REJECTED
from element_types import TYPES
from images import makeImage, run, tensor, withModes

# --- avg_pool2d ---------------------------------------------------------------

POOLS = {
    "plain": ((2, 6, 8, 3), (2, 2), (2, 2), (0, 0, 0, 0)),
    "padded": ((1, 5, 7, 2), (3, 3), (2, 2), (1, 1, 1, 1)),
    "onesided": ((1, 4, 4, 1), (3, 2), (1, 2), (2, 0, 0, 0)),
    "larger": ((1, 1, 2, 2), (3, 4), (1, 1), (1, 1, 2, 3)),
    "one": ((1, 1, 1, 1), (1, 1), (1, 1), (0, 0, 0, 0)),
    # By tiles of contractions.
    "manyChannels": ((2, 6, 10, 40), (2, 2), (2, 2), (0, 0, 0, 0)),
    "paddedByTiles": ((1, 5, 30, 17), (3, 3), (1, 1), (1, 1, 1, 1)),
    "paddedOnOneAxis": ((1, 6, 9, 8), (2, 3), (2, 1), (0, 0, 1, 1)),
    "largerByTiles": ((1, 1, 2, 5), (3, 4), (1, 1), (1, 1, 2, 3)),
    "whole": ((2, 9, 8, 16), (9, 8), (1, 1), (0, 0, 0, 0)),
}


def divide(total, count):
    """TOSA's division of an integer by a number of elements: by its reciprocal."""
    bits = (count - 1).bit_length()
    multiplier, shift = (((1 << 30) + 1) << bits) // count, 30 + bits
    return (total * multiplier + (1 << (shift - 1))) >> shift


def pool(image, kernel, stride, pad, inputZero=0, outputZero=0):
    n, height, width, c = image.shape
    rows = (height + pad[0] + pad[1] - kernel[0]) // stride[0] + 1
    columns = (width + pad[2] + pad[3] - kernel[1]) // stride[1] + 1
    isFloat = image.dtype.kind == "f"
    result = np.zeros((n, rows, columns, c), np.float64 if isFloat else np.int64)
    for y, x in itertools.product(range(rows), range(columns)):
        top, left = y * stride[0] - pad[0], x * stride[1] - pad[2]
        seen = image[:, max(top, 0) : top + kernel[0], max(left, 0) : left + kernel[1]]
        count = seen.shape[1] * seen.shape[2]
        if isFloat:
            result[:, y, x] = seen.astype(np.float64).sum((1, 2)) / count
            continue
        limits = np.iinfo(image.dtype)
        for i, k in itertools.product(range(n), range(c)):
            total = int(seen[i, :, :, k].astype(np.int64).sum()) - count * inputZero
            result[i, y, x, k] = min(max(divide(total, count) + outputZero, limits.min), limits.max)
    return result


@pytest.mark.parametrize("case", POOLS)
@pytest.mark.parametrize("element, mode", withModes("f32", "f16", "i8", "i16"))
def test_average_pool(tmp_path, element, case, mode):
    shape, kernel, stride, pad = POOLS[case]
    image = makeImage(shape, element)
    isFloat = TYPES[element].isFloat
    zeros = (-7, 11) if element == "i8" else (0, 0)
    expected = pool(image, kernel, stride, pad, *zeros)
    sums = "f32" if isFloat else "i32"
    lines = [
        f'  %{name} = "tosa.const"() {{values = dense<{value}{".0" if isFloat else ""}> : tensor<1x{element}>}}'
        f" : () -> tensor<1x{element}>"
        for name, value in zip("io", zeros)
    ]
    kinds = tensor(shape, element, mode), tensor(expected.shape, element, mode)
    spelled = ["array<i64: " + ", ".join(map(str, v)) + ">" for v in (kernel, stride, pad)]
    lines.append(
        f"  %r = tosa.avg_pool2d %image, %i, %o {{acc_type = {sums}, kernel = {spelled[0]}, "
        f"stride = {spelled[1]}, pad = {spelled[2]}}} : ({kinds[0]}, tensor<1x{element}>, "
        f"tensor<1x{element}>) -> {kinds[1]}"
    )
    found = run(tmp_path, image, element, mode, lines, expected.shape, element)
    if isFloat:
        assert np.allclose(found.astype(np.float64), expected, rtol=2e-3 if element == "f16" else 1e-6, atol=1e-5)
    else:
        assert np.array_equal(found, expected)


# --- resize -------------------------------------------------------------------

RESIZES = {
    # shape, (numerator y, denominator y, numerator x, denominator x), offset, border
    "doubled": ((2, 3, 4, 2), (4, 2, 4, 2), (-1, -1), (1, 1)),
    "aligned": ((1, 3, 5, 1), (4, 2, 3, 1), (0, 0), (0, 0)),
    "smaller": ((1, 7, 9, 3), (1, 2, 1, 2), (0, 0), (0, 0)),
    "uneven": ((1, 5, 1, 2), (3, 2, 5, 1), (1, -2), (1, 2)),
    "one": ((1, 1, 1, 1), (2, 1, 1, 1), (0, 0), (1, 0)),
}


def resize(image, scale, offset, border, isNearest):
    n, height, width, c = image.shape
    sizes = [
        ((extent - 1) * scale[2 * i] - offset[i] + border[i]) // scale[2 * i + 1] + 1
        for i, extent in enumerate((height, width))
    ]
    isFloat = image.dtype.kind == "f"
    source = image.astype(np.float64 if isFloat else np.int64)
    result = np.zeros((n, *sizes, c), source.dtype)

    def locate(index, i, extent):
        numerator, denominator = scale[2 * i], scale[2 * i + 1]
        whole, part = divmod(index * denominator + offset[i], numerator)
        return [min(max(k, 0), extent - 1) for k in (whole, whole + 1)], part, numerator

    for y, x in itertools.product(*map(range, sizes)):
        (y0, y1), dy, ny = locate(y, 0, height)
        (x0, x1), dx, nx = locate(x, 1, width)
        if isNearest:
            result[:, y, x] = source[:, y1 if 2 * dy >= ny else y0, x1 if 2 * dx >= nx else x0]
            continue
        weights = [
            (y0, x0, (ny - dy) * (nx - dx)),
            (y0, x1, (ny - dy) * dx),
            (y1, x0, dy * (nx - dx)),
            (y1, x1, dy * dx),
        ]
        total = sum(source[:, a, b] * weight for a, b, weight in weights)
        result[:, y, x] = total / (ny * nx) if isFloat else total
    return result


@pytest.mark.parametrize("case", RESIZES)
@pytest.mark.parametrize("how", ["BILINEAR", "NEAREST_NEIGHBOR"])
@pytest.mark.parametrize("element, mode", withModes("f32", "f16", "i8"))
def test_resize(tmp_path, element, how, case, mode):
    shape, *parts = RESIZES[case]
    image = makeImage(shape, element)
    isNearest = how == "NEAREST_NEIGHBOR"
    expected = resize(image, *parts, isNearest)
    resultType = element if isNearest or TYPES[element].isFloat else "i32"
    lines = [
        f"  %{name} = tosa.const_shape {{values = dense<{list(values)}> : tensor<{len(values)}xindex>}} : () -> "
        f"!tosa.shape<{len(values)}>"
        for name, values in zip("sob", parts)
    ]
    kinds = tensor(shape, element, mode), tensor(expected.shape, resultType, mode)
    lines.append(
        f"  %r = tosa.resize %image, %s, %o, %b {{mode = {how}}} : ({kinds[0]}, !tosa.shape<4>, "
        f"!tosa.shape<2>, !tosa.shape<2>) -> {kinds[1]}"
    )
    found = run(tmp_path, image, element, mode, lines, expected.shape, resultType)
    if TYPES[element].isFloat and not isNearest:
        assert np.allclose(found.astype(np.float64), expected, rtol=2e-3 if element == "f16" else 1e-5, atol=1e-4)
    else:
        assert np.array_equal(found.astype(expected.dtype), expected)


# --- transpose_conv2d -----------------------------------------------------------

TRANSPOSED = {
    # image, kernel (out, y, x), stride, out_pad
    "plain": ((2, 3, 4, 3), (5, 3, 2), (1, 1), (0, 0, 0, 0)),
    "doubled": ((1, 4, 3, 2), (3, 2, 2), (2, 2), (0, 0, 0, 0)),
    "overlapping": ((1, 3, 5, 2), (2, 3, 5), (2, 3), (0, 0, 0, 0)),
    "cut": ((1, 4, 4, 2), (3, 3, 3), (2, 2), (-1, -1, -2, 0)),
    "padded": ((1, 2, 3, 1), (1, 2, 3), (3, 1), (2, 0, 1, 3)),
    "gaps": ((1, 3, 2, 2), (2, 1, 1), (2, 3), (0, 1, 0, 0)),
    "one": ((1, 1, 1, 1), (1, 4, 4), (1, 1), (-1, -1, -2, -1)),
}


def convolve(image, weight, bias, stride, pad, zeros):
    n, height, width, _ = image.shape
    out, ky, kx, _ = weight.shape
    exact = np.float64 if image.dtype.kind == "f" else np.int64
    full = np.zeros((n, (height - 1) * stride[0] + ky, (width - 1) * stride[1] + kx, out), exact)
    image, weight = image.astype(exact) - zeros[0], weight.astype(exact) - zeros[1]
    for y, x, j, i in itertools.product(range(height), range(width), range(ky), range(kx)):
        full[:, y * stride[0] + j, x * stride[1] + i] += image[:, y, x] @ weight[:, j, i].T
    padded = np.pad(full, ((0, 0), *((max(pad[2 * i], 0), max(pad[2 * i + 1], 0)) for i in (0, 1)), (0, 0)))
    rows, columns = (slice(max(-pad[2 * i], 0), padded.shape[1 + i] - max(-pad[2 * i + 1], 0)) for i in (0, 1))
    return padded[:, rows, columns] + bias.astype(exact)


@pytest.mark.parametrize("biases", ["each", "all"])
@pytest.mark.parametrize("case", TRANSPOSED)
@pytest.mark.parametrize("element, mode", withModes("f32", "f16", "i8"))
def test_transpose_convolution(tmp_path, element, case, biases, mode):
    shape, kernel, stride, pad = TRANSPOSED[case]
    isFloat = TYPES[element].isFloat
    result = element if isFloat else "i32"
    image, weight = makeImage(shape, element), makeImage((*kernel, shape[3]), element, seed=6)
    bias = np.arange(-2, 3 * kernel[0] - 2, 3) if biases == "each" else np.array([4])
    bias = bias.astype(TYPES[result].dtype)
    zeros = (0, 0) if isFloat else (5, -3)
    expected = convolve(image, weight, bias, stride, pad, zeros)
    sums = "f32" if isFloat else "i32"
    lines = [
        f'  %{name} = "tosa.const"() {{values = dense<{value}{".0" if isFloat else ""}> : tensor<1x{element}>}}'
        f" : () -> tensor<1x{element}>"
        for name, value in zip("iz", zeros)
    ]
    # The kernel's extents are open as well where the image's are.
    weightType, biasType = tensor(weight.shape, element, mode), tensor(bias.shape, result, mode)
    zero = f"tensor<1x{element}>"
    lines.append(
        f"  %r = tosa.transpose_conv2d %image, %w, %b, %i, %z {{acc_type = {sums}, "
        f"out_pad = array<i64: {', '.join(map(str, pad))}>, stride = array<i64: {stride[0]}, {stride[1]}>}} : "
        f"({tensor(shape, element, mode)}, {weightType}, {biasType}, {zero}, {zero}) -> "
        f"{tensor(expected.shape, result, mode)}"
    )
    found = run(
        tmp_path,
        image,
        element,
        mode,
        lines,
        expected.shape,
        result,
        [("%w", weightType), ("%b", biasType)],
        [weight, bias],
    )
    if isFloat:
        assert np.allclose(
            found.astype(np.float64),
            expected,
            rtol=4e-3 if element == "f16" else 1e-5,
            atol=1e-2 if element == "f16" else 1e-4,
        )
    else:
        assert np.array_equal(found, expected)


# --- what types say changes nothing -------------------------------------------------

CHAIN = """\
func.func @main(%image: {i}, %w: tensor<4x3x3x2xf32>, %b: tensor<4xf32>) -> {r} {{
  %z = "tosa.const"() {{values = dense<0.0> : tensor<1xf32>}} : () -> tensor<1xf32>
  %s = tosa.const_shape {{values = dense<[3, 1, 3, 1]> : tensor<4xindex>}} : () -> !tosa.shape<4>
  %o = tosa.const_shape {{values = dense<[0, 0]> : tensor<2xindex>}} : () -> !tosa.shape<2>
  %e = tosa.const_shape {{values = dense<[1, 1]> : tensor<2xindex>}} : () -> !tosa.shape<2>
  %0 = tosa.transpose_conv2d %image, %w, %b, %z, %z {{acc_type = f32, out_pad = array<i64: -1, 0, -1, 0>, stride = array<i64: 2, 2>}} : ({i}, tensor<4x3x3x2xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> {t}
  %1 = tosa.avg_pool2d %0, %z, %z {{acc_type = f32, kernel = array<i64: 3, 3>, stride = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>}} : ({t}, tensor<1xf32>, tensor<1xf32>) -> {t}
  %2 = tosa.add %0, %1 : ({t}, {t}) -> {t}
  %r = tosa.resize %2, %s, %o, %e {{mode = BILINEAR}} : ({t}, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> {r}
  return %r : {r}
}}
"""


def test_bcast7_static_and_open_give_the_same_bits(tmp_path):
    image, weight, bias = makeImage((1, 5, 6, 2), "f32"), makeImage((4, 3, 3, 2), "f32", 7), makeImage((4,), "f32", 8)
    shapes = {"i": (1, 5, 6, 2), "t": (1, 10, 12, 4), "r": (1, 29, 35, 4)}
    found = []
    for mode in ("static", "dynamic"):
        text = CHAIN.format(**{key: tensor(shape, "f32", mode) for key, shape in shapes.items()})
        outcome, results = broadloom.run(tmp_path, text, [image, weight, bias], [TYPES["f32"]])
        assert outcome.status == DONE, outcome.error
        found.append(results[0])
    assert np.array_equal(found[0].view(np.int32), found[1].view(np.int32))


# --- wrong ----------------------------------------------------------------------

POOL = """\
func.func @main(%image: {i}) -> tensor<?x?x?x1xf32> {{
  %z = "tosa.const"() {{values = dense<0.0> : tensor<1xf32>}} : () -> tensor<1xf32>
  %r = tosa.avg_pool2d %image, %z, %z {{acc_type = f32, kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>, pad = array<i64: 1, 1, 1, 1>}} : ({i}, tensor<1xf32>, tensor<1xf32>) -> tensor<?x?x?x1xf32>
  return %r : tensor<?x?x?x1xf32>
}}
"""
OPEN = "tensor<?x?x?x1xf32>"


@pytest.mark.parametrize(
    "shape, message",
    [
        ((1, 3, 4, 1), "the stride 2 along axis 1 must divide 3, what the kernel leaves of the padded input's 5"),
        ((1, 0, 4, 1), "the input has 0 along axis 1, so that there is nothing to look at"),
    ],
)
def test_wrong_pool(tmp_path, shape, message):
    outcome, _ = broadloom.run(tmp_path, POOL.format(i=OPEN), [np.zeros(shape, np.float32)], [TYPES["f32"]])
    assert outcome.status == GUARD_FAILED and message in outcome.error, outcome.error


def test_refuted_pool(tmp_path):
    outcome, _ = broadloom.run(
        tmp_path, POOL.format(i="tensor<1x3x?x1xf32>"), [np.zeros((1, 3, 4, 1), np.float32)], [TYPES["f32"]]
    )
    assert outcome.status == REJECTED and "stride" in outcome.error, outcome.error


@pytest.mark.parametrize(
    "height, message",
    [
        (3, "the scale's denominator 4 along axis 1 must divide 6, the scaled input with its offset and border"),
        (0, "the input has 0 along axis 1, so that there is nothing to look at"),
    ],
)
def test_wrong_resize(tmp_path, height, message):
    text = f"""\
func.func @main(%image: {OPEN}) -> {OPEN} {{
  %s = tosa.const_shape {{values = dense<[2, 4, 1, 1]> : tensor<4xindex>}} : () -> !tosa.shape<4>
  %o = tosa.const_shape {{values = dense<[-1, 0]> : tensor<2xindex>}} : () -> !tosa.shape<2>
  %b = tosa.const_shape {{values = dense<[1, 0]> : tensor<2xindex>}} : () -> !tosa.shape<2>
  %r = tosa.resize %image, %s, %o, %b {{mode = BILINEAR}} : ({OPEN}, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> {OPEN}
  return %r : {OPEN}
}}
"""
    outcome, _ = broadloom.run(tmp_path, text, [np.zeros((1, height, 2, 1), np.float32)], [TYPES["f32"]])
    assert outcome.status == GUARD_FAILED and message in outcome.error, outcome.error


def test_wrong_transpose_convolution(tmp_path):
    text = """\
func.func @main(%image: tensor<?x?x?x?xf32>, %w: tensor<?x?x?x?xf32>, %b: tensor<?xf32>) -> tensor<?x?x?x?xf32> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %r = tosa.transpose_conv2d %image, %w, %b, %z, %z {acc_type = f32, out_pad = array<i64: -2, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>, tensor<?xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x?x?x?xf32>
  return %r : tensor<?x?x?x?xf32>
}
"""

    def refuse(image, weight, bias, message):
        arrays = [np.zeros(shape, np.float32) for shape in (image, weight, bias)]
        outcome, _ = broadloom.run(tmp_path, text, arrays, [TYPES["f32"]])
        assert outcome.status == GUARD_FAILED and message in outcome.error, outcome.error

    refuse((1, 4, 4, 2), (3, 3, 3, 1), (3,), "filter has 1 input channels but the input has 2")
    refuse((1, 4, 4, 2), (3, 3, 3, 2), (2,), "the bias has 2 values but the output has 3 channels")
    refuse((1, 4, 4, 2), (3, 2, 3, 2), (3,), "out_pad before axis 1 is -2, which cuts away the whole kernel of 2")
    refuse((1, 0, 4, 2), (3, 3, 3, 2), (3,), "the input has 0 along axis 1, so that there is nothing to look at")
    refuse((1, 4, 4, 2), (3, 3, 0, 2), (3,), "the kernel must be at least 1 along axis 2, but is 0")
