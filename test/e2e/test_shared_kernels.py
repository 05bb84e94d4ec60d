"""Several contractions in one program, which share a kernel where their code is equal.

The number of output channels is part of the code where it fills no whole vector, so that
contractions of other numbers have kernels of their own.
"""

import itertools

import broadloom
import numpy as np
import pytest
from contraction_programs import constant
from element_types import TYPES

IMAGE = (1, 5, 7, 8)


def convolution(name, channels, size):
    """The line of a convolution of %x without padding."""
    height, width = IMAGE[1] - size + 1, IMAGE[2] - size + 1
    kind = f"tensor<1x{height}x{width}x{channels}xf32>"
    line = (
        f"  %{name} = tosa.conv2d %x, %w_{name}, %b_{name}, %zero, %zero {{acc_type = f32, "
        "pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : "
        f"(tensor<{'x'.join(map(str, IMAGE))}xf32>, tensor<{channels}x{size}x{size}x{IMAGE[3]}xf32>, "
        f"tensor<{channels}xf32>, tensor<1xf32>, tensor<1xf32>) -> {kind}"
    )
    return line, kind


def values(image, weight, bias):
    size = weight.shape[1]
    windows = np.lib.stride_tricks.sliding_window_view(image[0], (size, size), axis=(0, 1))
    return np.einsum("yxcij,oijc->yxo", windows.astype(np.float64), weight.astype(np.float64))[None] + bias


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
            self.expected.append(values(self.image, weight, bias))

    def run(self, folder, lines, results, kinds, threads):
        zero = '  %zero = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>'
        kind = f"tensor<{'x'.join(map(str, IMAGE))}xf32>"
        text = "\n".join(
            [
                f"func.func @main(%x: {kind}) -> ({', '.join(kinds)}) {{",
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
    height, width = IMAGE[1:3]
    kind = f"tensor<1x{height}x{width}x11xf32>"
    joined = f"  %all = tosa.concat %r0, %r1, %r2 {{axis = 3 : i32}} : ({', '.join(program.kinds)}) -> {kind}"
    lines = [*(program.lines[i] for i in order), joined]
    (found,) = program.run(tmp_path, lines, ["%all"], [kind], threads=2)
    np.testing.assert_allclose(found, np.concatenate(program.expected, axis=3), atol=1e-3)
