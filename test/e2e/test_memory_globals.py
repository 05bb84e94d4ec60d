"""Globals of programs over memory (rule mem-14): values against NumPy, and errors by their text."""

import broadloom
import numpy as np
import pytest
from memory_programs import fails, function, refuses, run


def test_globals(tmp_path):
    """Constants are read, other globals read and written; two get_globals are the same memory."""
    text = """\
memref.global "private" constant @table : memref<4xi64> = dense<[3, 1, 4, 1]>
memref.global "private" @count : memref<i64> = dense<10>
memref.global "private" @zeros : memref<2x2xi64> = uninitialized
func.func @main(%a: memref<4xi64>) {
  %t = memref.get_global @table : memref<4xi64>
  %c = memref.get_global @count : memref<i64>
  %d = memref.get_global @count : memref<i64>
  %z = memref.get_global @zeros : memref<2x2xi64>
  affine.for %i = 0 to 4 {
    %x = affine.load %t[%i] : memref<4xi64>
    %y = affine.load %c[] : memref<i64>
    %s = arith.addi %x, %y : i64
    affine.store %s, %d[] : memref<i64>
    %o = affine.load %z[%i floordiv 2, %i mod 2] : memref<2x2xi64>
    %p = arith.addi %s, %o : i64
    affine.store %p, %a[%i] : memref<4xi64>
  }
  return
}
"""
    _, (a,) = run(tmp_path, text, [np.zeros(4, np.int64)])
    assert a.tolist() == [13, 14, 18, 19]


ELEMENTS = {
    "i1": (np.bool_, "true, false, true"),
    "i8": (np.int8, "-1, 2, 3"),
    "ui8": (np.uint8, "1, 200, 3"),
    "i16": (np.int16, "-1, 2, 3"),
    "i64": (np.int64, "-1, 2, 3"),
    "index": (np.int64, "1, 2, 3"),
    "f16": (np.float16, "1.5, 2.0, -3.0"),
    "f32": (np.float32, "1.5, 2.0, -3.0"),
    "f64": (np.float64, "1.5, 2.0, -3.0"),
}


@pytest.mark.parametrize("element", ELEMENTS)
@pytest.mark.parametrize("constant", ["", "constant"])
def test_globals_of_every_element(tmp_path, element, constant):
    kind, values = ELEMENTS[element]
    text = f"""\
memref.global "private" {constant} @g : memref<3x{element}> = dense<[{values}]>
func.func @main(%a: memref<3x{element}>) {{
  %g = memref.get_global @g : memref<3x{element}>
  memref.copy %g, %a : memref<3x{element}> to memref<3x{element}>
  return
}}
"""
    _, (a,) = run(tmp_path, text, [np.zeros(3, kind)])
    expected = np.array([1, 0, 1], kind) if element == "i1" else np.array([float(x) for x in values.split(",")])
    np.testing.assert_array_equal(a, expected.astype(kind))


def test_indices_of_globals_are_checked(tmp_path):
    text = """\
memref.global "private" @g : memref<4xf32> = uninitialized
func.func @main(%i: index) -> f32 {
  %g = memref.get_global @g : memref<4xf32>
  %x = memref.load %g[%i] : memref<4xf32>
  return %x : f32
}
"""
    assert fails(tmp_path, text, [], ["i64=4"]) == (
        "p.mlir:4:8: 'memref.load': index 4 is outside axis 0 of %g (the result of 'memref.get_global' at p.mlir:3:8), "
        "whose extent is 4: %i = 4 (argument 'i')\n"
    )


CONSTANT = """\
memref.global "private" constant @g : memref<2xf32> = dense<1.0>
func.func private @fill(%a: memref<2xf32>) {
  %x = arith.constant 2.0 : f32
  affine.store %x, %a[1] : memref<2xf32>
  return
}
func.func @main(%t: i1, %a: memref<2xf32>) {
  %g = memref.get_global @g : memref<2xf32>
  scf.if %t {
    func.call @fill(%g) : (memref<2xf32>) -> ()
  } else {
    func.call @fill(%a) : (memref<2xf32>) -> ()
  }
  return
}
"""


def test_constants_are_not_written(tmp_path):
    body = """\
memref.global "private" constant @g : memref<2xf32> = dense<1.0>
func.func @main(%a: memref<2xf32>) {{
  %c0 = arith.constant 0 : index
  %x = arith.constant 2.0 : f32
  %g = memref.get_global @g : memref<2xf32>
  {}
  return
}}
"""
    for write in (
        "memref.store %x, %g[%c0] : memref<2xf32>",
        "affine.store %x, %g[0] : memref<2xf32>",
        "memref.copy %a, %g : memref<2xf32> to memref<2xf32>",
        "%v = memref.subview %g[0] [1] [1] : memref<2xf32> to memref<1xf32>\nmemref.store %x, %v[%c0] : memref<1xf32>",
    ):
        assert "it writes to a 'memref.global' that is 'constant'" in refuses(tmp_path, body.format(write))
    assert "it frees memory of a 'memref.global', which lives as long as the program" in refuses(
        tmp_path, body.format("memref.dealloc %g : memref<2xf32>")
    )


@pytest.mark.parametrize("constant", [0, 1])
def test_constants_that_are_handed_on(tmp_path, constant):
    (tmp_path / "p.mlir").write_text(CONSTANT)
    outcome = broadloom.call("run", tmp_path / "p.mlir", f"--input=i1={constant}", "--input=2xf32=5 5")
    if constant:
        assert "p.mlir:4:3: 'affine.store': the memory is a constant's" in outcome.error
    else:
        assert outcome.out == "argument 'a':\n[5. 2.]\n"


@pytest.mark.parametrize(
    "declaration, told",
    [
        ("@g : memref<4xf32>", "its value must be 'dense<...>', 'dense_resource<...>' or 'uninitialized'"),
        ("@g : memref<4xcomplex<f32>> = uninitialized", "its memory has elements of another type"),
    ],
)
def test_globals_that_are_refused(tmp_path, declaration, told):
    text = f'memref.global "private" {declaration}\n' + function("%a: memref<4xf32>", "return")
    assert told in refuses(tmp_path, text)
