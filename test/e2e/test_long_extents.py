"""Extents that are computed from each other in long chains: each is a number of
the first ones, which nobody writes out."""

import broadloom
import numpy as np
import pytest
from element_types import TYPES

ONE = "!tosa.shape<1>"
HEAD = f"""\
func.func @main(%x0: tensor<?xi8>, %d: tensor<?xi8>) -> tensor<?xi8> {{
  %zero = tosa.const_shape {{values = dense<0> : tensor<1xindex>}} : () -> {ONE}
  %one = tosa.const_shape {{values = dense<1> : tensor<1xindex>}} : () -> {ONE}
  %z = "tosa.const"() {{values = dense<0> : tensor<1xi8>}} : () -> tensor<1xi8>
  %n = tosa.dim %d {{axis = 0 : i32}} : (tensor<?xi8>) -> {ONE}
  %m = tosa.add_shape %n, %one : ({ONE}, {ONE}) -> {ONE}
"""


def binary(result, operation, a, b):
    return f"  %{result} = tosa.{operation}_shape %{a}, %{b} : ({ONE}, {ONE}) -> {ONE}\n"


def pad(result, x, by, i=""):
    """`by` elements behind those of x."""
    return (
        f"  %p{i} = tosa.concat_shape %zero, %{by} : ({ONE}, {ONE}) -> !tosa.shape<2>\n"
        f"  %{result} = tosa.pad %{x}, %p{i}, %z : (tensor<?xi8>, !tosa.shape<2>, tensor<1xi8>) -> tensor<?xi8>\n"
    )


STEPS = {
    "mod": lambda a, m: a % m,
    "div_floor": lambda a, m: a // m,
    "div_ceil": lambda a, m: -(-a // m),
}


def shapes(operation, length):
    """One padding behind a chain of shapes. Each is a remainder or a quotient of
    the one before it, and then 11 more or less."""
    text = HEAD + f"  %k = tosa.const_shape {{values = dense<11> : tensor<1xindex>}} : () -> {ONE}\n"
    text += f"  %r0 = tosa.dim %x0 {{axis = 0 : i32}} : (tensor<?xi8>) -> {ONE}\n"
    for i in range(length):
        text += binary(f"q{i}", operation, f"r{i}", "m") + binary(
            f"r{i + 1}", "sub" if i % 3 == 2 else "add", f"q{i}", "k"
        )
    return text + pad("y", "x0", f"r{length}") + "  return %y : tensor<?xi8>\n}\n"


def countShapes(operation, length, x, m):
    r = x
    for i in range(length):
        r = STEPS[operation](r, m) + (-11 if i % 3 == 2 else 11)
    return r


def tensors(operation, length):
    """Paddings one behind the other, each by a remainder or a quotient of the
    extent that is padded."""
    text = HEAD
    for i in range(length):
        text += f"  %r{i} = tosa.dim %x{i} {{axis = 0 : i32}} : (tensor<?xi8>) -> {ONE}\n"
        text += binary(f"q{i}", operation, f"r{i}", "m") + pad(f"x{i + 1}", f"x{i}", f"q{i}", i)
    return text + f"  return %x{length} : tensor<?xi8>\n}}\n"


def check(folder, program, extent, divisor, expected):
    x = np.arange(1, extent + 1, dtype=np.int8)
    inputs = [x, np.zeros(divisor - 1, np.int8)]
    outcome, results = broadloom.run(folder, program, inputs, [TYPES["i8"]])
    if expected is None:
        assert outcome.status == broadloom.GUARD_FAILED, outcome.error
        assert "the padding after axis 0 must not be negative" in outcome.error
        return
    assert results is not None, outcome.error
    np.testing.assert_array_equal(results[0], np.concatenate([x, np.zeros(expected - extent, np.int8)]))


@pytest.mark.parametrize("operation", STEPS)
@pytest.mark.parametrize("length", [7, 8, 9, 63, 64, 65, 200])
def test_chain_of_shapes(tmp_path, operation, length):
    program = shapes(operation, length)
    for extent, divisor in ((7, 5), (40, 3)):
        by = countShapes(operation, length, extent, divisor)
        check(tmp_path, program, extent, divisor, extent + by if by >= 0 else None)


@pytest.mark.parametrize("operation, divisor", [("mod", 5), ("div_floor", 60), ("div_ceil", 100)])
def test_chain_of_tensors(tmp_path, operation, divisor):
    length, extent = 100, 7
    expected = extent
    for _ in range(length):
        expected += STEPS[operation](expected, divisor)
    check(tmp_path, tensors(operation, length), extent, divisor, expected)


# What is left of three axes by a kernel whose extents are open: their product is a sum
# of 27 products, some of which are taken away.
SPANS = """\
func.func @main(%x: tensor<?x?x?x?x1xf32>, %w: tensor<1x?x?x?x1xf32>) -> tensor<?x?x1xf32> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %y = tosa.conv3d %x, %w, %z, %z, %z {acc_type = f32, dilation = array<i64: 2, 1, 1>, pad = array<i64: 0, 0, 0, 1, 0, 1>, stride = array<i64: 1, 1, 1>} : (tensor<?x?x?x?x1xf32>, tensor<1x?x?x?x1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x?x?x?x1xf32>
  %r = tensor.collapse_shape %y [[0], [1, 2, 3], [4]] : tensor<?x?x?x?x1xf32> into tensor<?x?x1xf32>
  return %r : tensor<?x?x1xf32>
}
"""


@pytest.mark.parametrize("image, kernel", [((1, 1, 3), (1, 1, 2)), ((5, 4, 6), (2, 3, 1)), ((3, 1, 1), (2, 2, 2))])
def test_product_of_long_extents(tmp_path, image, kernel):
    x = np.random.default_rng(4).integers(-9, 10, (2, *image, 1)).astype(np.float32)
    w = np.ones((1, *kernel, 1), np.float32)
    outcome, results = broadloom.run(tmp_path, SPANS, [x, w], [TYPES["f32"]])
    assert results is not None, outcome.error
    padded = np.pad(x[..., 0], ((0, 0), (0, 0), (0, 1), (0, 1)))
    spans = (2 * (kernel[0] - 1) + 1, *kernel[1:])
    windows = np.lib.stride_tricks.sliding_window_view(padded, spans, (1, 2, 3))[..., ::2, :, :]
    np.testing.assert_array_equal(results[0], windows.sum((4, 5, 6)).reshape(2, -1, 1))
