"""Functions over memory with vectors, called with arrays."""

import broadloom as bl
import numpy as np
import pytest

TOTAL = """\
func.func @total(%a: memref<?xvector<4xf32>>, %sum: memref<vector<4xf32>>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?xvector<4xf32>>
  %zero = arith.constant dense<0.0> : vector<4xf32>
  %total = affine.for %i = 0 to %n iter_args(%s = %zero) -> vector<4xf32> {
    %v = affine.load %a[%i] : memref<?xvector<4xf32>>
    %t = arith.addf %s, %v : vector<4xf32>
    affine.yield %t : vector<4xf32>
  }
  memref.store %total, %sum[] : memref<vector<4xf32>>
  return
}
"""


def test_memory_of_vectors():
    total = bl.compile(TOTAL)
    a, s = np.arange(40, dtype=np.float32).reshape(10, 4), np.zeros(4, np.float32)
    total(a, s)
    np.testing.assert_array_equal(s, a.sum(0))
    with pytest.raises(bl.ShapeError, match=r"shape 10x3 but the function takes \?x4"):
        total(np.zeros((10, 3), np.float32), s)
    with pytest.raises(bl.ShapeError, match="shape 40 but the function takes"):
        total(np.zeros(40, np.float32), s)


def test_padded_vectors():
    """A stride of the type is open, and need not be a whole number of vectors."""
    copy = bl.compile("""\
func.func @copy(%a: memref<?xvector<3xf32>, strided<[?], offset: ?>>, %b: memref<?xvector<3xf32>>) {
  memref.copy %a, %b : memref<?xvector<3xf32>, strided<[?], offset: ?>> to memref<?xvector<3xf32>>
  return
}
""")
    rows = np.arange(20, dtype=np.float32).reshape(5, 4)
    b = np.zeros((5, 3), np.float32)
    copy(rows[:, :3], b)
    np.testing.assert_array_equal(b, rows[:, :3])


WRITES = {
    "transfer_write": "vector.transfer_write %v, %b[%i, %j] {in_bounds = [false, true]} : vector<2x3xf32>, memref<?x?xf32>",
    "transfer_write of another order": (
        "vector.transfer_write %v, %b[%j, %i] {permutation_map = affine_map<(d0, d1) -> (d1, d0)>,"
        " in_bounds = [false, true]} : vector<2x3xf32>, memref<?x?xf32>"
    ),
    "maskedstore": ("vector.maskedstore %b[%i, %j], %m, %v : memref<?x?xf32>, vector<2x3xi1>, vector<2x3xf32>"),
    "masked transfer_write": (
        "vector.mask %m { vector.transfer_write %v, %b[%i, %j] {in_bounds = [true, true]}"
        " : vector<2x3xf32>, memref<?x?xf32> } : vector<2x3xi1>"
    ),
    "scatter": (
        "%s = vector.shape_cast %v : vector<2x3xf32> to vector<6xf32>\n"
        "  %k = vector.shape_cast %m : vector<2x3xi1> to vector<6xi1>\n"
        "  %o = vector.step : vector<6xindex>\n"
        "  vector.scatter %b[%i, %z][%o], %k, %s : memref<?x?xf32>, vector<6xindex>, vector<6xi1>, vector<6xf32>"
    ),
    "compressstore": (
        "%s = vector.shape_cast %v : vector<2x3xf32> to vector<6xf32>\n"
        "  %k = vector.shape_cast %m : vector<2x3xi1> to vector<6xi1>\n"
        "  vector.compressstore %b[%i, %z], %k, %s : memref<?x?xf32>, vector<6xi1>, vector<6xf32>"
    ),
}


@pytest.mark.parametrize("case", WRITES)
@pytest.mark.parametrize("loads_position", [False, True])
def test_what_fails_writes_no_element(case, loads_position):
    """One lane of several is outside; the place is an argument, or loaded from memory."""
    position = "  %j = memref.load %p[%z] : memref<?xindex>\n" if loads_position else ""
    argument = "%p: memref<?xindex>" if loads_position else "%j: index"
    store = bl.compile(
        f"func.func @store(%b: memref<?x?xf32>, %c: memref<?x?xi1>, %i: index, {argument}) {{\n"
        f"  %z = arith.constant 0 : index\n{position}"
        "  %v = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : vector<2x3xf32>\n"
        f"  %m = vector.load %c[%z, %z] : memref<?x?xi1>, vector<2x3xi1>\n  {WRITES[case]}\n  return\n}}\n"
    )
    b, mask = np.zeros((4, 4), np.float32), np.ones((2, 3), np.bool_)
    with pytest.raises(bl.ShapeError, match="is outside axis"):
        store(b, mask, 1, np.array([2]) if loads_position else 2)
    assert not b.any()


@pytest.mark.parametrize("i", [2, 3, 4, -1])
def test_what_is_outside_is_not_written(i):
    store = bl.compile(
        "func.func @store(%b: memref<?x?xf32>, %i: index) {\n"
        "  %v = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : vector<2x3xf32>\n"
        "  vector.transfer_write %v, %b[%i, %i] : vector<2x3xf32>, memref<?x?xf32>\n  return\n}\n"
    )
    b, expected = np.zeros((4, 4), np.float32), np.zeros((4, 4), np.float32)
    store(b, i)
    for r in range(2):
        for c in range(3):
            if 0 <= i + r < 4 and 0 <= i + c < 4:
                expected[i + r, i + c] = 3 * r + c + 1
    np.testing.assert_array_equal(b, expected)
