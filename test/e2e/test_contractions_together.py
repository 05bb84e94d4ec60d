"""Many contractions of one program, which share kernels where they may: each has the
values that NumPy has, whatever the number of channels of the others (sum-1, sum-2)."""

import itertools

import broadloom
import numpy as np
import pytest
from broadloom import DONE, GUARD_FAILED
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


# What a guard behind the sums proves of them is not used by what is computed with the sums.
@pytest.mark.parametrize("batch", [1, 3, 4, 5, 200])
@pytest.mark.parametrize("threads", [1, 4])
def test_sum2_a_guard_tells_an_extent_of_the_sums(tmp_path, batch, threads):
    lines = """\
func.func @main(%x: tensor<?x4x4x3xf32>, %w: tensor<8x1x1x3xf32>, %b: tensor<8xf32>, %c: tensor<4x4x4x8xf32>, %kt: tensor<i64>) -> tensor<4x4x4x8xf32> {
  %zp = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %ki = tensor.extract %kt[] : tensor<i64>
  %k = arith.index_cast %ki : i64 to index
  %x2 = tensor.extract_slice %x[0, 0, 0, 0] [%k, 4, 4, 3] [1, 1, 1, 1] : tensor<?x4x4x3xf32> to tensor<?x4x4x3xf32>
  %y = tosa.conv2d %x2, %w, %b, %zp, %zp {acc_type = f32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<?x4x4x3xf32>, tensor<8x1x1x3xf32>, tensor<8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x4x4x8xf32>
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %d = tensor.dim %y, %c0 : tensor<?x4x4x8xf32>
  %ok = arith.cmpi eq, %d, %c4 : index
  cf.assert %ok, "four images"
  %r = tosa.add %y, %c : (tensor<?x4x4x8xf32>, tensor<4x4x4x8xf32>) -> tensor<4x4x4x8xf32>
  return %r : tensor<4x4x4x8xf32>
}
"""
    image, weight = makeImage((200, 4, 4, 3), "f32"), makeImage((8, 1, 1, 3), "f32", seed=6)
    bias, added = makeImage((8,), "f32", seed=7), makeImage((4, 4, 4, 8), "f32", seed=8)
    path, output = tmp_path / "p.mlir", tmp_path / "out.npy"
    path.write_text(lines)
    inputs = [tmp_path / f"in{i}.npy" for i in range(5)]
    for name, value in zip(inputs, [image, weight, bias, added, np.array(batch)]):
        np.save(name, value)
    outcome = broadloom.call(
        "run", path, f"--threads={threads}", f"--output={output}", *(f"--input={name}" for name in inputs)
    )
    if batch != 4:
        assert outcome.status == GUARD_FAILED
        assert outcome.error.endswith("four images\n")
        return
    assert outcome.status == DONE, outcome.error
    sums = convolve(
        "conv2d", image[:4].astype(np.float64), weight.astype(np.float64), bias, (1, 1), (0, 0, 0, 0), (1, 1), (0, 0)
    )
    np.testing.assert_allclose(np.load(output), sums + added, rtol=1e-5, atol=1e-5)


# The number of channels is part of the code where it fills no whole vector, so that
# contractions of other numbers have kernels of their own (decision 138).
IMAGE = (1, 5, 7, 8)


def convolution(name, channels, size):
    """The line of a convolution of %x without padding."""
    kind = tensor((1, IMAGE[1] - size + 1, IMAGE[2] - size + 1, channels), "f32")
    line = (
        f"  %{name} = tosa.conv2d %x, %w_{name}, %b_{name}, %zero, %zero {{acc_type = f32, "
        "pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : "
        f"({tensor(IMAGE, 'f32')}, {tensor((channels, size, size, IMAGE[3]), 'f32')}, "
        f"{tensor((channels,), 'f32')}, tensor<1xf32>, tensor<1xf32>) -> {kind}"
    )
    return line, kind


class Program:
    """Convolutions of one image by these numbers of channels."""

    def __init__(self, channels, size):
        rng = np.random.default_rng(len(channels) + size)
        self.image = rng.normal(size=IMAGE).astype(np.float32)
        self.names = [f"r{i}" for i in range(len(channels))]
        self.constants, self.lines, self.kinds, self.expected = [], [], [], []
        for name, count in zip(self.names, channels):
            weight = rng.normal(size=(count, size, size, IMAGE[3])).astype(np.float32)
            bias = rng.normal(size=count).astype(np.float32)
            self.constants += [constant(f"w_{name}", weight, "f32"), constant(f"b_{name}", bias, "f32")]
            line, kind = convolution(name, count, size)
            self.lines.append(line)
            self.kinds.append(kind)
            self.expected.append(convolve("conv2d", self.image, weight, bias, (1, 1), (0, 0, 0, 0), (1, 1), (0, 0)))

    def run(self, folder, lines, results, kinds, threads):
        zero = '  %zero = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>'
        text = "\n".join(
            [
                f"func.func @main(%x: {tensor(IMAGE, 'f32')}) -> ({', '.join(kinds)}) {{",
                zero,
                *self.constants,
                *lines,
                f"  return {', '.join(results)} : {', '.join(kinds)}",
                "}",
            ]
        )
        outcome, found = broadloom.run(folder, text, [self.image], [TYPES["f32"]] * len(kinds), f"--threads={threads}")
        assert outcome.status == broadloom.DONE, outcome.error
        return found


@pytest.mark.parametrize(
    "channels", [(3, 5), (5, 3), (1, 2, 3, 4, 5, 6, 7), (7, 6, 5, 4, 3, 2, 1), (12, 9, 13), (17, 23, 33, 35)], ids=str
)
def test_sum1_other_numbers_of_channels(tmp_path, channels):
    program = Program(channels, 3)
    found = program.run(tmp_path, program.lines, [f"%{n}" for n in program.names], program.kinds, 1)
    for result, expected in zip(found, program.expected):
        np.testing.assert_allclose(result, expected, atol=1e-3)


@pytest.mark.parametrize("order", itertools.permutations(range(3)), ids=str)
def test_sum1_channels_beside_others(tmp_path, order):
    """What is stored for the last channels of a row leaves those of another contraction."""
    program = Program((3, 3, 5), 1)
    kind = tensor((*IMAGE[:3], 11), "f32")
    joined = f"  %all = tosa.concat %r0, %r1, %r2 {{axis = 3 : i32}} : ({', '.join(program.kinds)}) -> {kind}"
    lines = [*(program.lines[i] for i in order), joined]
    (found,) = program.run(tmp_path, lines, ["%all"], [kind], threads=2)
    np.testing.assert_allclose(found, np.concatenate(program.expected, axis=3), atol=1e-3)
