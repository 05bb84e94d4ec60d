"""Arguments that overlap: the program's own order is what happens (mem-1), whichever
version of a nest runs."""

import random

import broadloom as bl
import numpy as np
import pytest

ROW = "memref<?xf64, strided<[?], offset: ?>>"
MATRIX = "memref<?x?xf64, strided<[?, ?], offset: ?>>"

# The loops of each program, and the same in Python.
NESTS = {
    "sum of a row": (
        """\
affine.for %i = 0 to %n {
  affine.for %j = 0 to %n {
    %x = affine.load %a[%i] : ROW
    %y = affine.load %b[%j] : ROW
    %s = arith.addf %x, %y : f64
    affine.store %s, %a[%i] : ROW
  }
}""",
        lambda a, b, c, i, j: a.__setitem__(i, a[i] + b[j]),
    ),
    "rank-one update": (
        """\
affine.for %i = 0 to %n {
  affine.for %j = 0 to %n {
    %x = affine.load %a[%i] : ROW
    %y = affine.load %b[%j] : ROW
    %z = affine.load %c[%i, %j] : MATRIX
    %p = arith.mulf %x, %y : f64
    %s = arith.addf %z, %p : f64
    affine.store %s, %c[%i, %j] : MATRIX
  }
}""",
        lambda a, b, c, i, j: c.__setitem__((i, j), c[i, j] + a[i] * b[j]),
    ),
    "two results": (
        """\
affine.for %i = 0 to %n {
  affine.for %j = 0 to %n {
    %x = affine.load %a[%j] : ROW
    affine.store %x, %c[%i, %j] : MATRIX
    %y = affine.load %c[%j, %i] : MATRIX
    %s = arith.addf %x, %y : f64
    affine.store %s, %b[%j] : ROW
  }
}""",
        lambda a, b, c, i, j: (c.__setitem__((i, j), a[j]), b.__setitem__(j, a[j] + c[j, i])),
    ),
}


def view(buffer, pick, rank):
    """Part of a buffer, with strides of any sign, and 0 as well."""
    shape = (4,) * rank
    strides = [pick([-3, -1, 0, 1, 1, 2, 4]) for _ in shape]
    least = sum(min(0, 3 * s) for s in strides)
    most = sum(max(0, 3 * s) for s in strides)
    first = pick(range(-least, len(buffer) - most))
    size = buffer.itemsize
    return np.lib.stride_tricks.as_strided(buffer[first:], shape, [s * size for s in strides])


@pytest.mark.parametrize("name", NESTS)
@pytest.mark.parametrize("static", [False, True])
def test_views_of_one_buffer(name, static):
    nest, step = NESTS[name]
    row, matrix = (
        text.replace("memref<?x?x", "memref<4x4x").replace("memref<?x", "memref<4x") if static else text
        for text in (ROW, MATRIX)
    )
    text = f"func.func @main(%a: {row}, %b: {row}, %c: {matrix}, %n: index) {{\n{nest}\nreturn\n}}\n"
    f = bl.compile(text.replace("ROW", row).replace("MATRIX", matrix))
    for seed in range(300):
        pick = random.Random(seed).choice
        # Sometimes far apart.
        given = np.random.default_rng(seed).integers(-4, 5, pick([30, 40, 200])).astype(float)
        expected = given.copy()
        state = random.Random(seed + 1000)
        a, b, c = (view(given, state.choice, rank) for rank in (1, 1, 2))
        state = random.Random(seed + 1000)
        x, y, z = (view(expected, state.choice, rank) for rank in (1, 1, 2))
        f(a, b, c, 4)
        for i in range(4):
            for j in range(4):
                step(x, y, z, i, j)
        np.testing.assert_array_equal(given, expected, err_msg=f"{name}, seed {seed}")


def test_neighbours_and_one_shared_element():
    """The addresses are compared exactly: the last element counts."""
    nest, step = NESTS["sum of a row"]
    for kind in ("memref<?xf64>", ROW):
        text = f"func.func @main(%a: {kind}, %b: {kind}, %n: index) {{\n{nest}\nreturn\n}}\n"
        f = bl.compile(text.replace("ROW", kind))
        for first in range(9):
            given = np.arange(1.0, 14.0)
            expected = given.copy()
            f(given[first : first + 4], given[4:8], 4)
            for i in range(4):
                for j in range(4):
                    step(expected[first : first + 4], expected[4:8], None, i, j)
            np.testing.assert_array_equal(given, expected)


def test_two_buffers_that_change_places():
    """What does not overlap in one run of a nest does in the next."""
    f = bl.compile("""\
func.func @main(%a: memref<?xf64>, %b: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %0:2 = scf.for %t = %c0 to %c4 step %c1 iter_args(%x = %a, %y = %b) -> (memref<?xf64>, memref<?xf64>) {
    scf.for %i = %c0 to %n step %c1 {
      scf.for %j = %c0 to %n step %c1 {
        %p = memref.load %x[%j] : memref<?xf64>
        %q = memref.load %y[%i] : memref<?xf64>
        %s = arith.addf %p, %q : f64
        memref.store %s, %y[%i] : memref<?xf64>
      }
    }
    scf.yield %y, %x : memref<?xf64>, memref<?xf64>
  }
  return
}
""")
    a, b = np.arange(5.0), np.arange(5.0) ** 2
    x, y = a.copy(), b.copy()
    f(a, b, 5)
    for _ in range(4):
        y += x.sum()
        x, y = y, x
    np.testing.assert_array_equal(a, x)
    np.testing.assert_array_equal(b, y)
