"""The exponential of x - m, where m is the greatest x of a row, has an approximation of its own."""

import broadloom
import numpy as np
from element_types import TYPES

# Operands from 0 to where the result is 0, by their bits and evenly.
BITS = np.linspace(*np.array([-1e-8, -110], np.float32).view(np.uint32).astype(np.int64), 400_001)
OPERANDS = np.concatenate(
    [
        np.array([0, -0.0, -np.inf, -3e38, -1e-45], np.float32),
        BITS.astype(np.uint32).view(np.float32),
        np.linspace(-104.5, 0, 200_000).astype(np.float32),
    ]
)[None]


def test_el9_exponentials_of_differences_from_the_maximum(tmp_path):
    kind = f"tensor<1x{OPERANDS.size}xf32>"
    text = f"""func.func @main(%x: {kind}) -> {kind} {{
  %m = tosa.reduce_max %x {{axis = 1 : i32}} : ({kind}) -> tensor<1x1xf32>
  %d = tosa.sub %x, %m : ({kind}, tensor<1x1xf32>) -> {kind}
  %e = tosa.exp %d : ({kind}) -> {kind}
  return %e : {kind}
}}
"""
    outcome, (found,) = broadloom.run(tmp_path, text, [OPERANDS], [TYPES["f32"]])
    assert outcome.status == broadloom.DONE, outcome.error
    exact = np.exp(OPERANDS.astype(np.float64))
    unit = np.maximum(np.spacing(exact.astype(np.float32)).astype(np.float64), 2.0**-149)
    # With one term less, the error is 2.3 units (decision 138).
    assert (np.abs(found - exact) / unit).max() < 1.7
    assert found.min() == 0 and found.max() == 1
