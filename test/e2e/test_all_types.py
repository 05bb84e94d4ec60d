"""Types, accumulators, zero points and multipliers of TOSA 1.0 that need more
than one operation of their own (el-12), against NumPy, with open extents too."""

import broadloom
import numpy as np
import pytest
from broadloom import DONE
from element_types import TYPES


def tensor(shape, element, isOpen):
    return f"tensor<{'x'.join(['?' if isOpen else str(n) for n in shape] + [element])}>"


def run(tmp_path, arguments, body, results, inputs, isOpen, types):
    """`arguments` are name, shape and element; a shape of one stays."""
    declared = {name: tensor(shape, element, isOpen and shape != (1,)) for name, shape, element in arguments}
    types = {**declared, **{name: tensor(*what, isOpen) for name, what in types.items()}}
    for name, text in types.items():
        body = body.replace(f"<{name}>", text)
    text = (
        f"func.func @f({', '.join(f'%{name}: {declared[name]}' for name, _, _ in arguments)}) "
        f"-> {types['r']} {{\n{body}\nreturn %r : {types['r']}\n}}\n"
    )
    outcome, found = broadloom.run(tmp_path, text, inputs, results)
    assert outcome.status == DONE, outcome.error
    return found[0]


CONV = (
    "%r = tosa.conv2d %a, %w, %b, %z, %y {acc_type = ACC, dilation = array<i64: 1, 1>, "
    "pad = array<i64: 1, 0, 0, 1>, stride = array<i64: 1, 1>} : (<a>, <w>, <b>, <z>, <y>) -> <r>"
)


def convolve(image, weight, bias, zero=0, weightZero=0):
    image = np.pad(image.astype(object) - zero, [(0, 0), (1, 0), (0, 1), (0, 0)], constant_values=0)
    weight = weight.astype(object) - weightZero
    (count, height, width, _), (channels, rows, columns, _) = image.shape, weight.shape
    result = np.zeros((count, height - rows + 1, width - columns + 1, channels), object) + bias.astype(object)
    for y in range(rows):
        for x in range(columns):
            part = image[:, y : y + result.shape[1], x : x + result.shape[2], :]
            result += np.einsum("nhwc,oc->nhwo", part, weight[:, y, x])
    return result


@pytest.mark.parametrize("isOpen", [False, True])
@pytest.mark.parametrize(
    "image, weight, acc, stored", [("i8", "i8", "i32", "i32"), ("i8", "i4", "i32", "i32"), ("i16", "i8", "i48", "i64")]
)
def test_el12_convolution(tmp_path, image, weight, acc, stored, isOpen):
    random = np.random.default_rng(7)
    largest = {"i4": 7, "i8": 127, "i16": 32767}
    a = random.integers(-largest[image], largest[image] + 1, (1, 5, 6, 3)).astype(TYPES[image].dtype)
    kind = TYPES["i8" if weight == "i4" else weight]
    w = random.integers(-largest[weight], largest[weight] + 1, (4, 2, 3, 3)).astype(kind.dtype)
    b = random.integers(-1000, 1000, 4).astype(TYPES[stored].dtype)
    if acc == "i48":  # Beyond what 32 bits hold.
        a[:], w[:], b[:] = -32768, 127, 2**46
    zero, weightZero = (3, -2) if (image, weight) == ("i8", "i8") else (0, 0)
    zeros = [np.array([zero], TYPES[image].dtype), np.array([weightZero], kind.dtype)]
    shapes = [
        ("a", a.shape, image),
        ("w", w.shape, weight),
        ("b", b.shape, acc),
        ("z", (1,), image),
        ("y", (1,), weight),
    ]
    found = run(
        tmp_path,
        shapes,
        CONV.replace("ACC", acc),
        [TYPES[stored]],
        [a, w, b, *zeros],
        isOpen,
        {"r": ((1, 5, 5, 4), acc)},
    )
    np.testing.assert_array_equal(found, convolve(a, w, b, zero, weightZero).astype(np.int64))


@pytest.mark.parametrize("isOpen", [False, True])
def test_el12_zero_points_of_products(tmp_path, isOpen):
    random = np.random.default_rng(8)
    a, b = (random.integers(-128, 128, shape).astype(np.int8) for shape in ((2, 3, 5), (2, 5, 4)))
    zeros = [np.array([7], np.int8), np.array([-128], np.int8)]
    shapes = [("a", a.shape, "i8"), ("b", b.shape, "i8"), ("z", (1,), "i8"), ("y", (1,), "i8")]
    found = run(
        tmp_path,
        shapes,
        "%r = tosa.matmul %a, %b, %z, %y : (<a>, <b>, <z>, <y>) -> <r>",
        [TYPES["i32"]],
        [a, b, *zeros],
        isOpen,
        {"r": ((2, 3, 4), "i32")},
    )
    np.testing.assert_array_equal(found, (a.astype(int) - 7) @ (b.astype(int) + 128))


@pytest.mark.parametrize("isOpen", [False, True])
@pytest.mark.parametrize("element", ["f8E4M3FN", "f8E5M2"])
def test_el12_floats_of_8_bits(tmp_path, element, isOpen):
    kind, random = TYPES[element], np.random.default_rng(9)
    a = random.integers(-8, 9, (1, 4, 6)).astype(kind.dtype)
    b = random.integers(-8, 9, (1, 6, 3)).astype(kind.dtype)
    zero = np.zeros(1, kind.dtype)
    shapes = [("a", a.shape, element), ("b", b.shape, element), ("z", (1,), element)]
    found = run(
        tmp_path,
        shapes,
        "%r = tosa.matmul %a, %b, %z, %z : (<a>, <b>, <z>, <z>) -> <r>",
        [TYPES["f16"]],
        [a, b, zero],
        isOpen,
        {"r": ((1, 4, 3), "f16")},
    )
    np.testing.assert_array_equal(found, a.astype(np.float64) @ b.astype(np.float64))

    image = random.integers(-8, 9, (1, 4, 4, 2)).astype(kind.dtype)
    pool = (
        "%r = tosa.max_pool2d %a {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, "
        "stride = array<i64: 2, 2>} : (<a>) -> <r>"
    )
    found = run(tmp_path, [("a", image.shape, element)], pool, [kind], [image], isOpen, {"r": ((1, 2, 2, 2), element)})
    expected = image.astype(np.float64).reshape(1, 2, 2, 2, 2, 2).max(axis=(2, 4))
    np.testing.assert_array_equal(found.astype(np.float64), expected)

    found = run(
        tmp_path,
        [("a", a.shape, element)],
        "%r = tosa.argmax %a {axis = 2 : i32} : (<a>) -> <r>",
        [TYPES["i64"]],
        [a],
        isOpen,
        {"r": ((1, 4), "i64")},
    )
    np.testing.assert_array_equal(found, a.astype(np.float64).argmax(axis=2))


RESCALE = (
    "%r = tosa.rescale %a, %m, %s, %z, %y {{scale32 = {scale32}, rounding_mode = {rounding}, "
    "per_channel = {each}, input_unsigned = false, output_unsigned = {unsigned}}} : (<a>, <m>, <s>, <z>, <y>) "
    "-> <r>"
)


@pytest.mark.parametrize("isOpen", [False, True])
@pytest.mark.parametrize(
    "source, result, multiplier, rounding, each, unsigned",
    [
        ("i8", "i8", "i16", "SINGLE_ROUND", False, False),
        ("i48", "i16", "i16", "SINGLE_ROUND", True, False),
        ("i32", "i8", "i32", "DOUBLE_ROUND", True, False),
        ("i8", "i8", "i32", "INEXACT_ROUND", False, True),
    ],
)
def test_el12_multipliers_that_are_arguments(tmp_path, source, result, multiplier, rounding, each, unsigned, isOpen):
    random = np.random.default_rng(10)
    stored, target = TYPES["i64" if source == "i48" else source], TYPES[result]
    limit = {"i8": 127, "i32": 2**31 - 1, "i48": 2**47 - 1}[source]
    a = random.integers(-limit - 1, limit + 1, (5, 4)).astype(stored.dtype)
    count = 4 if each else 1
    most = 2**15 if multiplier == "i16" else 2**31
    m = random.integers(most // 2, most, count).astype(TYPES[multiplier].dtype)
    s = (
        random.integers(32, 47, count).astype(np.int8)
        if source != "i8"
        else np.full(count, most.bit_length() - 2, np.int8)
    )
    zero = 3 if source == "i8" else 0
    outZero = -5 if result == "i8" else 0
    zeros = [np.array([zero], stored.dtype), np.array([outZero], target.dtype)]
    shapes = [
        ("a", a.shape, source),
        ("m", (count,), multiplier),
        ("s", (count,), "i8"),
        ("z", (1,), source),
        ("y", (1,), result),
    ]
    body = RESCALE.format(
        scale32=str(multiplier == "i32").lower(),
        rounding=rounding,
        each=str(each).lower(),
        unsigned=str(unsigned).lower(),
    )
    found = run(tmp_path, shapes, body, [target], [a, m, s, *zeros], isOpen, {"r": (a.shape, result)})
    expected = np.empty(a.shape, np.int64)
    for index, value in np.ndenumerate(a):
        shift, value = int(s[index[1] % count]), int(value) - zero
        half = 1 << (shift - 1)
        if rounding == "DOUBLE_ROUND" and shift > 31:
            half += 2**30 if value >= 0 else -(2**30)
        scaled = (value * int(m[index[1] % count]) + half) >> shift
        least, most = (0, 255) if unsigned else (np.iinfo(target.dtype).min, np.iinfo(target.dtype).max)
        expected[index] = min(max(scaled + (outZero & 255 if unsigned else outZero), least), most)
    np.testing.assert_array_equal(found.astype(np.int64) & 0xFF if unsigned else found, expected)
