"""TOSA's text of other versions of LLVM, with the values that NumPy computes.

Each case is a function body in an old form, its arguments and what comes out. It
runs with the extents that the arguments have, and, where it says so, with all of
them open.
"""

import broadloom
import numpy as np
import pytest
from broadloom import DONE
from element_types import TYPES as KINDS
from old_tosa import BIAS, CASES, STATIC_ONLY, TYPES, WEIGHT, build, floats
from old_tosa_references import conv, pool


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("isOpen", [False, True], ids=["static", "open"])
def test_old_form(tmp_path, name, isOpen):
    body, arguments, expected = CASES[name]
    if isOpen and name in STATIC_ONLY:
        pytest.skip("its extents have to be known")
    if callable(expected):
        expected = expected(*arguments)
    outcome, found = broadloom.run(
        str(tmp_path), build(body, arguments, expected, isOpen), arguments, [KINDS[TYPES[expected.dtype.name]]]
    )
    assert outcome.status == DONE, outcome.error
    assert found[0].dtype == expected.dtype and found[0].shape == expected.shape
    if expected.dtype.kind == "f":
        np.testing.assert_allclose(found[0], expected, rtol=1e-5, atol=1e-5)
    else:
        np.testing.assert_array_equal(found[0], expected)


@pytest.mark.parametrize("extent, pad", [(7, 0), (8, 0), (8, 1), (9, 1), (10, 2)])
def test_windows_that_end_before_the_image(tmp_path, extent, pad):
    """TOSA before 1.0 divided with a remainder there."""
    image, pads = floats(1, extent, extent, 2), f"{pad}, {pad}, {pad}, {pad}"
    attributes = f"dilation = array<i64: 1, 1>, pad = array<i64: {pads}>, stride = array<i64: 3, 3>"
    convolved = conv(image, WEIGHT, BIAS, 3, (pad,) * 4).astype(np.float32)
    pooled = pool(image, 3, 3, (pad,) * 4, np.nanmax).astype(np.float32)
    n, c, p = image.shape, "x".join(map(str, convolved.shape)), "x".join(map(str, pooled.shape))
    program = f"""
func.func @main(%x: tensor<{"x".join(map(str, n))}xf32>, %w: tensor<4x3x3x2xf32>, %b: tensor<4xf32>)
    -> (tensor<{c}xf32>, tensor<{p}xf32>) {{
  %0 = "tosa.conv2d"(%x, %w, %b) {{{attributes}}} : (tensor<{"x".join(map(str, n))}xf32>, tensor<4x3x3x2xf32>, tensor<4xf32>) -> tensor<{c}xf32>
  %1 = "tosa.max_pool2d"(%x) {{kernel = array<i64: 3, 3>, pad = array<i64: {pads}>, stride = array<i64: 3, 3>}} : (tensor<{"x".join(map(str, n))}xf32>) -> tensor<{p}xf32>
  return %0, %1 : tensor<{c}xf32>, tensor<{p}xf32>
}}
"""
    outcome, found = broadloom.run(str(tmp_path), program, [image, WEIGHT, BIAS], [KINDS["f32"]] * 2)
    assert outcome.status == DONE, outcome.error
    np.testing.assert_allclose(found[0], convolved, rtol=1e-5, atol=1e-5)
    np.testing.assert_array_equal(found[1], pooled)
