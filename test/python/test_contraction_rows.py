"""How many rows a product has does not show in its values: each sum is one chain of additions
(sum-1), whatever tile computes it. All numbers of rows that are left of a tile, and all widths
of the last panel."""

import broadloom as bl
import numpy as np
import pytest

MOST_ROWS = 40


def make(depth, channels):
    """The product of rows by a constant weight, which the compiler lays out in panels."""
    weight = np.random.default_rng(channels).standard_normal((1, depth, channels)).astype("f4")
    kind, result = f"tensor<1x?x{depth}xf32>", f"tensor<1x?x{channels}xf32>"
    constant = f"tensor<1x{depth}x{channels}xf32>"
    text = f"""func.func @main(%x: {kind}) -> {result} {{
  %w = "tosa.const"() <{{values = dense<"0x{weight.tobytes().hex()}"> : {constant}}}> : () -> {constant}
  %z = "tosa.const"() <{{values = dense<0.0> : tensor<1xf32>}}> : () -> tensor<1xf32>
  %y = tosa.matmul %x, %w, %z, %z : ({kind}, {constant}, tensor<1xf32>, tensor<1xf32>) -> {result}
  %r = tosa.clamp %y {{min_val = -30.0 : f32, max_val = 30.0 : f32}} : ({result}) -> {result}
  return %r : {result}
}}"""
    return bl.compile(text, threads=1), weight


@pytest.mark.parametrize("channels", [3, 8, 13, 16, 24, 30, 40, 57, 72])
@pytest.mark.parametrize("depth", [5, 1100])  # Sums of a deep product are in parts.
def test_sum1_any_number_of_rows(depth, channels):
    function, weight = make(depth, channels)
    x = np.random.default_rng(1).standard_normal((1, MOST_ROWS, depth)).astype("f4")
    every = function(x)
    expected = np.clip(x.astype("f8") @ weight, -30, 30)
    assert np.allclose(every, expected, rtol=1e-5, atol=1e-6 * np.abs(expected).max() * np.sqrt(depth))
    for rows in range(MOST_ROWS):
        assert np.array_equal(function(x[:, :rows]), every[:, :rows])
