"""How many rows a product has does not show in its values: each sum is one chain of additions
(sum-1), whatever tile computes it. All numbers of rows that are left of a tile, and all widths
of the last panel."""

import broadloom as bl
import numpy as np
import pytest

MOST_ROWS = 40


DTYPES = {"f32": np.float32, "f64": np.float64, "i8": np.int8}


def draw(random, shape, element):
    dtype = DTYPES[element]
    return random.integers(-9, 10, shape, dtype) if element == "i8" else random.standard_normal(shape).astype(dtype)


def make(depth, channels, element):
    """The product of rows by a constant weight, which the compiler lays out in panels."""
    weight = draw(np.random.default_rng(channels), (1, depth, channels), element)
    total, zero, limit = ("i32", "0", "30") if element == "i8" else (element, "0.0", "30.0")
    kind, result = f"tensor<1x?x{depth}x{element}>", f"tensor<1x?x{channels}x{total}>"
    constant, point = f"tensor<1x{depth}x{channels}x{element}>", f"tensor<1x{element}>"
    text = f"""func.func @main(%x: {kind}) -> {result} {{
  %w = "tosa.const"() <{{values = dense<"0x{weight.tobytes().hex()}"> : {constant}}}> : () -> {constant}
  %z = "tosa.const"() <{{values = dense<{zero}> : {point}}}> : () -> {point}
  %y = tosa.matmul %x, %w, %z, %z : ({kind}, {constant}, {point}, {point}) -> {result}
  %r = tosa.clamp %y {{min_val = -{limit} : {total}, max_val = {limit} : {total}}} : ({result}) -> {result}
  return %r : {result}
}}"""
    return bl.compile(text, threads=1), weight


def check(depth, channels, element="f32"):
    function, weight = make(depth, channels, element)
    x = draw(np.random.default_rng(1), (1, MOST_ROWS, depth), element)
    every = function(x)
    expected = np.clip(x.astype("f8") @ weight.astype("f8"), -30, 30)
    if element == "i8":
        assert np.array_equal(every, expected)
    else:
        error = 1e-5 if element == "f32" else 1e-13
        assert np.allclose(every, expected, rtol=error, atol=error / 10 * np.abs(expected).max() * np.sqrt(depth))
    for rows in range(MOST_ROWS):
        assert np.array_equal(function(x[:, :rows]), every[:, :rows]), rows


@pytest.mark.parametrize("channels", [3, 8, 13, 16, 24, 30, 40, 50, 56, 57, 72])
@pytest.mark.parametrize("depth", [5, 1100])  # Sums of a deep product are in parts.
def test_sum1_any_number_of_rows(depth, channels):
    check(depth, channels)


# Deeper sums of few channels, of which a part has more steps; and many panels, which a row that is left goes over.
@pytest.mark.parametrize(("depth", "channels"), [(1600, 3), (1600, 8), (5, 280), (1100, 280)])
def test_sum1_deep_and_wide(depth, channels):
    check(depth, channels)


@pytest.mark.parametrize("element", ["f64", "i8"])
@pytest.mark.parametrize(("depth", "channels"), [(5, 3), (5, 13), (5, 56), (1100, 8), (1100, 30), (1600, 57)])
def test_sum1_other_elements(depth, channels, element):
    check(depth, channels, element)
