"""Loops in loops, each with another first iteration, have the values of NumPy whether they
are shorter or longer than the iterations between two reads of the flag (abi-6)."""

import broadloom as bl
import numpy as np
import pytest

# The chunk of codegen/machine/CountedLoop.h.
CHUNK = 8192


def compiled(step, of_each):
    """Adds `x[k]` for `k` from `i + first` to `n` to one element of `o` for each `i`, or to one for each `i` and `k`."""
    kind, at = ("memref<?x?xf64>", "%i, %k") if of_each else ("memref<?xf64>", "%i")
    return bl.compile(f"""func.func @main(%x: memref<?xf64>, %o: {kind}, %n: index, %first: index) {{
  %c0 = arith.constant 0 : index
  %m = memref.dim %o, %c0 : {kind}
  affine.for %i = 0 to %m {{
    affine.for %k = affine_map<(i)[s] -> (i + s)>(%i)[%first] to %n step {step} {{
      %a = affine.load %o[{at}] : {kind}
      %b = affine.load %x[%k] : memref<?xf64>
      %c = arith.addf %a, %b : f64
      affine.store %c, %o[{at}] : {kind}
    }}
  }}
  return
}}""")


@pytest.mark.parametrize("step", [1, 2, 3, 8])
def test_inner_loops_of_any_length(step):
    sum_of_row, row = compiled(step, False), compiled(step, True)
    sizes = [0, 1, 7, 17, *(k * CHUNK + d for k in (1, 2, 8) for d in (-1, 0, 1, 5)), 70_000]
    for n in sizes:
        x = np.random.default_rng(n).integers(1, 100, n).astype("f8")
        for first in {0, 1, 3, n, max(n - 20, 0), max(n - CHUNK, 0), max(n - CHUNK - 1, 0)}:
            expected = np.zeros((5, n))
            for i in range(5):
                expected[i, i + first :: step] = x[i + first :: step]
            sums, rows = np.zeros(5), np.zeros((5, n))
            sum_of_row(x, sums, n, first)
            row(x, rows, n, first)
            assert np.array_equal(sums, expected.sum(1))
            assert np.array_equal(rows, expected)
