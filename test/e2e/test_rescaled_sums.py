"""Sums of bytes that are rescaled, as quantised networks have them, against NumPy's
64-bit integers (el-12): the rescale and what follows are computed with the sums
(sum-2)."""

import broadloom
import numpy as np
import pytest
from broadloom import DONE
from element_types import TYPES
from images import tensor
from test_contractions import DEEP, FLAT, MODES, constant, convolution, run

# multipliers and shifts, each one number for all channels or numbers that channels
# take in turn, rounding, zero point and type of the result
LARGE = [(1 << 29) + 12345, (1 << 30) - 7, (1 << 30) + 999]
SCALES = {
    "rounded twice": (LARGE, [33, 34, 36], "DOUBLE", 0, "i16"),
    "bytes": (LARGE, [38, 41, 45, 40], "DOUBLE", 5, "i8"),
    "rounded twice or once": ([1 << 10, *LARGE], [13, 34, 33, 35], "DOUBLE", 0, "i16"),
    "rounded once": (LARGE, [38, 41, 45, 40], "SINGLE", -3, "i8"),
    "inexact": (LARGE, [38, 41, 45, 40], "INEXACT", -3, "i8"),
    "small shifts": ([1, 9, 5], [2, 4, 7, 3], "DOUBLE", 0, "i32"),
    "one number": (1234567890, 35, "DOUBLE", 0, "i16"),
    "one shift": (LARGE, [39], "SINGLE", 0, "i8"),
    "one multiplier": ([1 << 30], [33, 34, 36], "DOUBLE", 0, "i16"),
    "negative": (-(1 << 30), 32, "DOUBLE", 0, "i32"),
    "16 bits": ([1 << 10, 12345, -999], [17, 19, 20], "SINGLE", 0, "i8"),
}
SUMS = [
    ("conv2d", FLAT["lines"]),
    ("conv2d", FLAT["gathered"]),
    ("conv2d", FLAT["short"]),
    ("depthwise_conv2d", DEEP["wide"]),
    ("depthwise_conv2d", DEEP["three halves"]),
]


def rescale(sums, multipliers, shifts, rounding, zero, element):
    value, shift = sums.astype(np.int64), shifts.astype(np.int64)
    half = np.left_shift(1, shift - 1)
    if rounding == "DOUBLE":
        half = half + np.where(shift > 31, np.where(value < 0, -(1 << 30), 1 << 30), 0)
    limits = np.iinfo(TYPES[element].dtype)
    scaled = np.right_shift(value * multipliers.astype(np.int64) + half, shift) + zero
    return np.clip(scaled, limits.min, limits.max).astype(TYPES[element].dtype)


def numbers(given, count, kind):
    return np.resize(np.array(given, kind), count)


def program(operation, shapes, mode, scale, extra=0):
    """As `convolution`, with the rescale and a clamp to half of the range; `extra`
    multipliers are too many."""
    multipliers, shifts, rounding, zero, element = SCALES[scale]
    lines, arguments, inputs, sums, result = convolution(operation, shapes, "i8", mode, False, (-3, 0))
    isOne, is16 = isinstance(multipliers, int), scale == "16 bits"
    count = 1 if isOne else sums.shape[-1] + extra
    m, s = numbers(multipliers, count, np.int32), numbers(shifts, count, np.int8)
    out = result.replace("i32", element)
    if is16:
        m = m.astype(np.int16)
    kind = "i16" if is16 else "i32"
    lines += [
        constant("m", m, kind),
        constant("s", s, "i8"),
        constant("mi", np.zeros(1, np.int32), "i32"),
        constant("mo", np.array([zero], TYPES[element].dtype), element),
    ]
    lines.append(
        f"  %1 = tosa.rescale %0, %m, %s, %mi, %mo {{input_unsigned = false, output_unsigned = false, "
        f"per_channel = {str(not isOne).lower()}, rounding_mode = {rounding}_ROUND, scale32 = {str(not is16).lower()}}} : "
        f"({result}, {tensor(m.shape, kind)}, {tensor(s.shape, 'i8')}, tensor<1xi32>, tensor<1x{element}>) -> {out}"
    )
    limits = np.iinfo(TYPES[element].dtype)
    least, most = limits.min // 2, limits.max // 2
    lines.append(
        f"  %2 = tosa.clamp %1 {{min_val = {least} : {element}, max_val = {most} : {element}}} : ({out}) -> {out}"
    )
    if extra:
        return lines, arguments, inputs, None, out, element
    return lines, arguments, inputs, np.clip(rescale(sums, m, s, rounding, zero, element), least, most), out, element


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("operation, shapes", SUMS)
def test_el12_rescaled_sums(tmp_path, operation, shapes, mode, scale, threads):
    lines, arguments, inputs, expected, result, element = program(operation, shapes, mode, scale)
    found = run(tmp_path, lines, arguments, inputs, result, "%2", element, threads)
    np.testing.assert_array_equal(found, expected)
    assert len(np.unique(found)) > 20


@pytest.mark.parametrize(
    "scale", [name for name, it in SCALES.items() if it[2] == "DOUBLE" and 31 < np.max(it[1]) < 37]
)
def test_el12_the_second_rounding_matters(scale):
    """The sums of the tests above show how often they are rounded."""
    multipliers, shifts, _, zero, element = SCALES[scale]
    for operation, shapes in SUMS:
        sums = convolution(operation, shapes, "i8", "static", False, (-3, 0))[3]
        m, s = numbers(multipliers, sums.shape[-1], np.int32), numbers(shifts, sums.shape[-1], np.int8)
        twice, once = (rescale(sums, m, s, rounding, zero, element) for rounding in ("DOUBLE", "SINGLE"))
        assert (twice != once).sum() > 20


def test_el12_sums_that_others_read_too(tmp_path):
    lines, arguments, inputs, expected, result, element = program(*SUMS[0], "static", "rounded twice")
    sums = result.replace(element, "i32")
    text = "\n".join(
        [
            f"func.func @main(%x: {arguments[0][1]}) -> ({result}, {sums}) {{",
            *lines,
            f"  return %2, %0 : {result}, {sums}",
            "}",
            "",
        ]
    )
    outcome, found = broadloom.run(tmp_path, text, inputs, [TYPES[element], TYPES["i32"]])
    assert outcome.status == DONE, outcome.error
    np.testing.assert_array_equal(found[0], expected)
    np.testing.assert_array_equal(found[1], convolution(*SUMS[0], "i8", "static", False, (-3, 0))[3])


@pytest.mark.parametrize("mode", MODES)
def test_el12_sums_that_others_read_before(tmp_path, mode):
    """The rescale is not computed with the sums."""
    lines, arguments, inputs, expected, result, element = program(*SUMS[0], mode, "one number")
    sums, at = result.replace(element, "i32"), [" = tosa.rescale" in line for line in lines].index(True)
    lines.insert(at, f"  %more = tosa.reduce_sum %0 {{axis = 0 : i32}} : ({sums}) -> {sums.replace('2x', '1x', 1)}")
    text = "\n".join(
        [
            f"func.func @main(%x: {arguments[0][1]}) -> ({result}, {sums.replace('2x', '1x', 1)}) {{",
            *lines,
            f"  return %2, %more : {result}, {sums.replace('2x', '1x', 1)}",
            "}",
            "",
        ]
    )
    outcome, found = broadloom.run(tmp_path, text, inputs, [TYPES[element], TYPES["i32"]])
    assert outcome.status == DONE, outcome.error
    np.testing.assert_array_equal(found[0], expected)
    read = convolution(*SUMS[0], "i8", "static", False, (-3, 0))[3].sum(axis=0, keepdims=True, dtype=np.int32)
    np.testing.assert_array_equal(found[1], read)


def test_el12_multipliers_of_other_channels(tmp_path):
    """The shape function finds them where the type of the sums does not tell."""
    lines, arguments, inputs, _, result, element = program(*SUMS[0], "dynamic", "rounded twice", extra=1)
    text = "\n".join(
        [f"func.func @main(%x: {arguments[0][1]}) -> {result} {{", *lines, f"  return %2 : {result}", "}", ""]
    )
    outcome, _ = broadloom.run(tmp_path, text, inputs, [TYPES[element]])
    assert outcome.status != DONE and "there are 34 multipliers but must be 33" in outcome.error, outcome.error
