"""Arguments whose rank or places only the call tells: memory without a rank (mem-11), and
memory with a layout that is a map (mem-13)."""

import broadloom as bl
import numpy as np
import pytest

BY_RANK = """\
func.func private @fill(%a: memref<?xi64>, %x: i64) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?xi64>
  affine.for %i = 0 to %n {
    affine.store %x, %a[%i] : memref<?xi64>
  }
  return
}
func.func @main(%a: memref<*xi64>, %x: i64) -> index {
  %r = memref.rank %a : memref<*xi64>
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %is1 = arith.cmpi eq, %r, %c1 : index
  %is2 = arith.cmpi eq, %r, %c2 : index
  scf.if %is1 {
    %b = memref.cast %a : memref<*xi64> to memref<?xi64>
    func.call @fill(%b, %x) : (memref<?xi64>, i64) -> ()
  }
  scf.if %is2 {
    %b = memref.cast %a : memref<*xi64> to memref<?x?xi64>
    %f = memref.collapse_shape %b [[0, 1]] : memref<?x?xi64> into memref<?xi64>
    func.call @fill(%f, %x) : (memref<?xi64>, i64) -> ()
  }
  return %r : index
}
"""


@pytest.mark.parametrize("shape", [(), (4,), (0,), (3, 5), (2, 0), (2, 3, 4), (1,) * 16])
def test_a_program_may_ask_for_the_rank(shape):
    """What stands under a condition about the rank has no check."""
    f = bl.compile(BY_RANK)
    a = np.zeros(shape, np.int64)
    assert f(a, 7) == len(shape)
    assert (a == (7 if len(shape) in (1, 2) else 0)).all()
    rows = bl.compile_program(BY_RANK).check()
    assert not [row for row in rows if row.operation == "memref.cast" and row.status != "proved"]


CAST = """\
func.func @main(%b: memref<i64>, %a: memref<*xi64>, %i: index, %j: index) -> i64 {{
  %one = arith.constant 1 : i64
  memref.store %one, %b[] : memref<i64>
  %m = memref.cast %a : memref<*xi64> to memref<{0}xi64>
  %x = memref.load %m[%i, %j] : memref<{0}xi64>
  return %x : i64
}}
"""


@pytest.mark.parametrize("extents", ["?x?", "3x?", "?x4", "3x4"])
def test_a_cast_checks_rank_and_extents(extents):
    """The rank before anything is written, although the cast stands behind a store."""
    f = bl.compile(CAST.format(extents))
    a, b = np.arange(12).reshape(3, 4), np.zeros((), np.int64)
    assert f(b, a, 2, 3) == 11 and b == 1
    b[...] = 0
    for other in (a[0], a.reshape(3, 2, 2), a[0, 0:1].reshape(())):
        with pytest.raises(
            bl.ShapeError,
            match=rf"'memref.cast': argument 'a' has rank {other.ndim}, but the result's type has rank 2",
        ):
            f(b, other, 0, 0)
        assert b == 0
    wide = np.zeros((5, 5), np.int64)
    if extents == "?x?":
        assert f(b, wide, 4, 4) == 0
    else:
        with pytest.raises(
            bl.ShapeError, match=r"'memref.cast': axis . of argument 'a' has extent 5, but the result's type has"
        ):
            f(b, wide, 0, 0)
    with pytest.raises(
        bl.ShapeError, match=r"'memref.load': index 4 is outside axis 1 of argument 'a', whose extent is 4"
    ):
        f(b, a, 0, 4)


def test_extents_by_axis():
    f = bl.compile(
        """func.func @main(%a: memref<*xf32>, %axis: index) -> (index, index) {
  %c1 = arith.constant 1 : index
  %d = memref.dim %a, %axis : memref<*xf32>
  %e = memref.dim %a, %c1 : memref<*xf32>
  return %d, %e : index, index
}"""
    )
    a = np.zeros((2, 3, 4), np.float32)
    assert [tuple(map(int, f(a, axis))) for axis in range(3)] == [(2, 3), (3, 3), (4, 3)]
    for axis in (3, -1, 2**62):
        with pytest.raises(bl.ShapeError, match=rf"'memref.dim': there is no axis {axis}, the memory has rank 3"):
            f(a, axis)
    with pytest.raises(bl.ShapeError, match=r"'memref.dim': there is no axis 1, the memory has rank 1"):
        f(a[0, 0], 0)
    with pytest.raises(bl.ShapeError, match=r"'memref.dim': there is no axis 0, the memory has rank 0"):
        f(np.zeros((), np.float32), 0)


def test_arrays_for_memory_without_a_rank():
    """They are row-major and of the type of the elements."""
    f = bl.compile(BY_RANK)
    assert f.arguments == ("memref<*xi64>", "i64")
    a = np.zeros((4, 6), np.int64)
    with pytest.raises(ValueError, match=r"argument 'a' has strides \[1, 6\], but its type is row-major"):
        f(a.T, 1)
    with pytest.raises(TypeError, match="argument 'a' has element type i32 but the function takes i64"):
        f(a.astype(np.int32), 1)
    a.flags.writeable = False
    with pytest.raises((TypeError, ValueError), match=r"writ|read-only"):
        f(a, 1)


PASSED = """\
func.func private @make(%n: index, %flat: i1) -> memref<*xf64> {
  %m = memref.alloc(%n, %n) : memref<?x?xf64>
  %v = memref.alloc(%n) : memref<?xf64>
  %a = memref.cast %m : memref<?x?xf64> to memref<*xf64>
  %b = memref.cast %v : memref<?xf64> to memref<*xf64>
  cf.cond_br %flat, ^flat, ^square
^flat:
  memref.dealloc %m : memref<?x?xf64>
  return %b : memref<*xf64>
^square:
  memref.dealloc %v : memref<?xf64>
  return %a : memref<*xf64>
}
func.func private @set(%a: memref<*xf64>, %x: f64) {
  %c0 = arith.constant 0 : index
  %m = memref.cast %a : memref<*xf64> to memref<?xf64>
  memref.store %x, %m[%c0] : memref<?xf64>
  return
}
func.func private @free(%a: memref<*xf64>) {
  %m = memref.cast %a : memref<*xf64> to memref<?xf64>
  memref.dealloc %m : memref<?xf64>
  return
}
func.func @main(%n: index, %flat: i1, %x: f64, %twice: i1) -> memref<*xf64> {
  %a = func.call @make(%n, %flat) : (index, i1) -> memref<*xf64>
  func.call @set(%a, %x) : (memref<*xf64>, f64) -> ()
  scf.if %twice {
    func.call @free(%a) : (memref<*xf64>) -> ()
  }
  func.call @set(%a, %x) : (memref<*xf64>, f64) -> ()
  return %a : memref<*xf64>
}
"""


def test_functions_pass_and_return_it():
    f = bl.compile(PASSED)
    f.finds_leaks = True
    a = f(3, True, 5.0, False)
    assert a.shape == (3,) and a[0] == 5
    with pytest.raises(bl.ShapeError, match=r"'memref.cast': argument 'a' of 'set' has rank 2, but .* has rank 1"):
        f(3, False, 5.0, False)
    with pytest.raises(bl.ShapeError, match=r"this memory was freed .*; it is from 'memref.alloc'"):
        f(3, True, 5.0, True)


def test_a_cast_in_a_loop():
    """Makes a description of memory in each iteration, on a stack that does not grow."""
    f = bl.compile(
        """func.func private @add(%a: memref<*xi64>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i64
  %m = memref.cast %a : memref<*xi64> to memref<?xi64>
  %x = memref.load %m[%c0] : memref<?xi64>
  %y = arith.addi %x, %one : i64
  memref.store %y, %m[%c0] : memref<?xi64>
  return
}
func.func @main(%a: memref<?xi64>, %n: index) {
  affine.for %i = 0 to %n {
    %v = memref.subview %a[0] [1] [1] : memref<?xi64> to memref<1xi64>
    %w = memref.cast %v : memref<1xi64> to memref<?xi64>
    %u = memref.cast %w : memref<?xi64> to memref<*xi64>
    func.call @add(%u) : (memref<*xi64>) -> ()
  }
  return
}"""
    )
    a = np.zeros(3, np.int64)
    f(a, 1_000_000)
    assert a.tolist() == [1_000_000, 0, 0]


# Layouts and the array of places that a matrix of 6 x 8 has.
TILES = {
    "(i, j) -> (i floordiv 2, j floordiv 4, i mod 2, j mod 4)": lambda m: m.reshape(3, 2, 2, 4).transpose(0, 2, 1, 3),
    "(i, j) -> (j floordiv 4, i, j mod 4)": lambda m: m.reshape(6, 2, 4).transpose(1, 0, 2),
    # Tiles of 4 rows, of which the last is half full.
    "(i, j) -> (i floordiv 4, j, i mod 4)": lambda m: np.pad(m, ((0, 2), (0, 0))).reshape(2, 4, 8).transpose(0, 2, 1),
}

DOUBLE = """\
#tiles = affine_map<{0}>
func.func private @one(%a: memref<6x8xi64, #tiles>, %i: index, %j: index) {{
  %x = affine.load %a[symbol(%i), symbol(%j)] : memref<6x8xi64, #tiles>
  %y = arith.addi %x, %x : i64
  affine.store %y, %a[symbol(%i), symbol(%j)] : memref<6x8xi64, #tiles>
  return
}}
func.func @main(%a: memref<6x8xi64, #tiles>, %n: index, %m: index) {{
  affine.for %i = 0 to %n {{
    affine.for %j = 0 to %m {{
      func.call @one(%a, %i, %j) : (memref<6x8xi64, #tiles>, index, index) -> ()
    }}
  }}
  return
}}
"""


@pytest.mark.parametrize("tiles", TILES)
def test_tiles(tiles):
    """The array has the shape of the places; indices are those of the matrix."""
    f = bl.compile(DOUBLE.format(tiles))
    matrix = np.arange(1, 49).reshape(6, 8)
    a = np.ascontiguousarray(TILES[tiles](matrix))
    assert f.arguments[0] == f"memref<{'x'.join(map(str, a.shape))}xi64>"
    f(a, 5, 8)
    matrix[:5] *= 2
    np.testing.assert_array_equal(a, TILES[tiles](matrix))
    with pytest.raises(
        bl.ShapeError, match=r"'affine.load': index 6 is outside axis 0 of argument 'a' of 'one', whose extent is 6"
    ):
        f(a, 7, 8)
    with pytest.raises(bl.ShapeError, match=r"argument 'a' .*6x8"):
        f(np.zeros((6, 8), np.int64), 1, 1)
    other = np.zeros((*a.shape[:-1], 2 * a.shape[-1]), np.int64)[..., ::2]
    with pytest.raises(ValueError, match=r"argument 'a' has strides .*, but its type is row-major"):
        f(other, 1, 1)


def test_tiles_are_returned_and_carried():
    f = bl.compile(
        """#tiles = affine_map<(i, j) -> (j floordiv 4, i, j mod 4)>
func.func private @make(%x: i64) -> memref<2x8xi64, #tiles> {
  %a = memref.alloc() : memref<2x8xi64, #tiles>
  affine.for %i = 0 to 2 {
    affine.for %j = 0 to 8 {
      affine.store %x, %a[%i, %j] : memref<2x8xi64, #tiles>
    }
  }
  return %a : memref<2x8xi64, #tiles>
}
func.func @main(%n: index, %t: i1) -> memref<2x8xi64, #tiles> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %a = func.call @make(%one) : (i64) -> memref<2x8xi64, #tiles>
  %b = func.call @make(%two) : (i64) -> memref<2x8xi64, #tiles>
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%x = %a, %y = %b)
      -> (memref<2x8xi64, #tiles>, memref<2x8xi64, #tiles>) {
    memref.store %two, %x[%c1, %k] : memref<2x8xi64, #tiles>
    scf.yield %y, %x : memref<2x8xi64, #tiles>, memref<2x8xi64, #tiles>
  }
  %s = scf.if %t -> memref<2x8xi64, #tiles> {
    memref.dealloc %r#1 : memref<2x8xi64, #tiles>
    scf.yield %r#0 : memref<2x8xi64, #tiles>
  } else {
    memref.dealloc %r#0 : memref<2x8xi64, #tiles>
    scf.yield %r#1 : memref<2x8xi64, #tiles>
  }
  return %s : memref<2x8xi64, #tiles>
}"""
    )
    f.finds_leaks = True
    expected = np.ones((2, 8), np.int64)
    expected[1, :6:2] = 2
    places = lambda m: m.reshape(2, 2, 4).transpose(1, 0, 2)
    np.testing.assert_array_equal(f(6, True), places(expected))
    np.testing.assert_array_equal(f(6, False), np.full((2, 2, 4), 2))
    with pytest.raises(bl.ShapeError, match=r"'memref.store': index 8 is outside axis 1 of .*, whose extent is 8"):
        f(9, True)


def test_casts_that_change_nothing():
    """Such as those between memory spaces, on the way to a rank."""
    f = bl.compile(
        """func.func @main(%a: memref<*xi64, 1>) -> i64 {
  %c0 = arith.constant 0 : index
  %b = memref.memory_space_cast %a : memref<*xi64, 1> to memref<*xi64>
  %c = memref.cast %b : memref<*xi64> to memref<2xi64>
  %x = memref.load %c[%c0] : memref<2xi64>
  return %x : i64
}"""
    )
    assert f(np.array([5, 6])) == 5
    with pytest.raises(bl.ShapeError, match="axis 0 of argument 'a' has extent 3, but the result's type has 2"):
        f(np.array([5, 6, 7]))
