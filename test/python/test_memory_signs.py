"""Conversions between integers with and without a sign in programs over memory (mem-7), as upstream's
`tosa-to-linalg` makes them: the bits stay as they are, and a number is as checked as any."""

import broadloom as bl
import numpy as np
import pytest

PROGRAM = """#map = affine_map<(i) -> (i)>
func.func @main(%a: memref<{n}x{unsigned}>, %b: memref<{n}x{signless}>, %c: memref<{n}x{signed}>) {{
  linalg.generic {{indexing_maps = [#map, #map], iterator_types = ["parallel"]}}
      ins(%a : memref<{n}x{unsigned}>) outs(%b : memref<{n}x{signless}>) {{
  ^bb0(%x: {unsigned}, %y: {signless}):
    %0 = builtin.unrealized_conversion_cast %x : {unsigned} to {signless}
    %1 = arith.addi %0, %0 : {signless}
    linalg.yield %1 : {signless}
  }}
  affine.for %i = 0 to {end} {{
    %x = affine.load %b[%i] : memref<{n}x{signless}>
    %0 = builtin.unrealized_conversion_cast %x : {signless} to {signed}
    affine.store %0, %c[%i] : memref<{n}x{signed}>
  }}
  return
}}"""


@pytest.mark.parametrize("bits", [8, 16, 32, 64])
@pytest.mark.parametrize("n", ["?", "5"])
def test_bits_stay(bits, n):
    names = {"unsigned": f"ui{bits}", "signless": f"i{bits}", "signed": f"si{bits}"}
    f = bl.compile(PROGRAM.format(n=n, end=5, **names))
    a = np.array([0, 1, 100, 2 ** (bits - 1), 2**bits - 1], f"u{bits // 8}")
    b, c = np.zeros(5, f"i{bits // 8}"), np.zeros(5, f"i{bits // 8}")
    f(a, b, c)
    with np.errstate(over="ignore"):
        expected = (a + a).astype(b.dtype)
    np.testing.assert_array_equal(b, expected)
    np.testing.assert_array_equal(c, expected)
    with pytest.raises((TypeError, bl.ShapeError)):
        f(a[:3], b, c)


def test_what_is_outside():
    f = bl.compile(PROGRAM.format(n="?", end=6, unsigned="ui8", signless="i8", signed="si8"))
    a = np.arange(5, dtype=np.uint8)
    with pytest.raises(
        bl.ShapeError, match=r"'affine.load': index 5 is outside axis 0 of argument 'b', whose extent is 5"
    ):
        f(a, np.zeros(5, np.int8), np.zeros(5, np.int8))


INDEX = """func.func @main(%a: memref<?xui32>, %b: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %x = memref.load %a[%c0] : memref<?xui32>
  %y = builtin.unrealized_conversion_cast %x : ui32 to i32
  %i = arith.index_cast %y : i32 to index
  %z = memref.load %b[%i] : memref<?xf32>
  return %z : f32
}"""


def test_as_an_index():
    f, b = bl.compile(INDEX), np.arange(4, dtype=np.float32)
    assert f(np.array([3], np.uint32), b) == 3
    for number, index in [(4, 4), (2**32 - 1, -1)]:
        with pytest.raises(bl.ShapeError, match=rf"'memref.load': index {index} is outside axis 0 of argument 'b'"):
            f(np.array([number], np.uint32), b)


@pytest.mark.parametrize("types", [("ui8", "i16"), ("ui8", "si8"), ("f32", "i32")])
def test_conversions_of_other_types_are_refused(types):
    a, b = types
    with pytest.raises(bl.CompileError, match=r"builtin.unrealized_conversion_cast: nothing checks what it reads"):
        bl.compile(f"""func.func @main(%a: memref<{a}>, %b: memref<{b}>) {{
  %x = memref.load %a[] : memref<{a}>
  %y = builtin.unrealized_conversion_cast %x : {a} to {b}
  memref.store %y, %b[] : memref<{b}>
  return
}}""")
