"""Layouts and unranked memory of programs over memory (rules mem-2 and mem-13): values against NumPy, and errors by their
text."""

import re

import broadloom
import numpy as np
import pytest
from memory_programs import fails, function, refuses, run, scalars

LAYOUTS = ["(i, j) -> (j, i)", "(i, j) -> (i * 9 + j + 2)", "(i, j) -> (i floordiv 4, j, i mod 4)",
           "(i, j) -> (i floordiv 2, j floordiv 3, i mod 2, j mod 3)", "(i, j) -> (2 * i + 1, j)"]  # fmt: skip


@pytest.mark.parametrize("layout", LAYOUTS)
def test_layouts_of_what_a_program_makes(tmp_path, layout):
    kind = f"memref<6x8xi64, affine_map<{layout}>>"
    text = function(
        "%a: memref<6x8xi64>, %i: index, %j: index",
        f"""\
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : {kind}
  %n = memref.dim %m, %c1 : {kind}
  affine.for %x = 0 to 6 {{
    affine.for %y = 0 to %n {{
      %v = affine.load %a[%x, %y] : memref<6x8xi64>
      affine.store %v, %m[%x, %y] : {kind}
    }}
  }}
  affine.for %x = 0 to 6 {{
    affine.for %y = 0 to 8 {{
      %v = affine.load %m[5 - %x, 7 - %y] : {kind}
      affine.store %v, %a[%x, %y] : memref<6x8xi64>
    }}
  }}
  %v = memref.load %m[%i, %j] : {kind}
  memref.dealloc %m : {kind}
  return""",
    )
    a = np.arange(48).reshape(6, 8)
    _, (b,) = run(tmp_path, text, [a], scalars(5, 7))
    np.testing.assert_array_equal(b, a[::-1, ::-1])
    # A view that stands for memory with strides has no name of the program.
    error = fails(tmp_path, text, [a], scalars(6, 0))
    assert re.search(r"'memref\.load': index 6 is outside axis 0 of (%m \()?the result of 'memref\.alloc'", error)


def test_open_extents_in_another_order(tmp_path):
    kind = "memref<?x?xi64, affine_map<(i, j) -> (j, i)>>"
    text = function(
        "%a: memref<?x?xi64>, %n: index, %m: index",
        f"""\
  %t = memref.alloc(%n, %m) : {kind}
  memref.copy %a, %t : memref<?x?xi64> to {kind}
  affine.for %i = 0 to %n {{
    affine.for %j = 0 to %m {{
      %x = affine.load %t[symbol(%n) - 1 - %i, %j] : {kind}
      affine.store %x, %a[%i, %j] : memref<?x?xi64>
    }}
  }}
  memref.dealloc %t : {kind}
  return""",
    )
    a = np.arange(12).reshape(3, 4)
    _, (b,) = run(tmp_path, text, [a], scalars(3, 4))
    np.testing.assert_array_equal(b, a[::-1])


@pytest.mark.parametrize(
    "layout, told",
    [
        ("(i, j) -> (i)", "whose layout puts several elements at one place, which nothing could fill"),
        ("(i, j) -> (i + j)", "whose layout puts several elements at one place, which nothing could fill"),
        ("(i, j) -> (i floordiv 2, j)", "whose layout puts several elements at one place, which nothing could fill"),
        ("(i, j) -> (i mod 2 + 9223372036854775807 * i, j, i floordiv 2)", "which could not be ruled out"),
        ("(i, j) -> (i floordiv 2 - 1, j, i mod 2)", "its layout has places before the beginning of the memory"),
        ("(i, j) -> (i floordiv 2, j * 36028797018963968, i mod 2)", "its layout needs more memory than there can be"),
        ("(i, j) -> (i floordiv 0, j)", "number that is not positive"),
    ],
)
def test_layouts_that_are_refused(tmp_path, layout, told):
    kind = f"memref<6x8xi64, affine_map<{layout}>>"
    assert told in refuses(tmp_path, function("", f"%m = memref.alloc() : {kind}\nmemref.dealloc %m : {kind}\nreturn"))


def test_tiles_have_no_views(tmp_path):
    kind = "memref<6x8xi64, affine_map<(i, j) -> (i floordiv 4, j, i mod 4)>>"
    for body in (
        f"%m = memref.alloc() : {kind}\nmemref.copy %a, %m : {kind} to {kind}\nmemref.dealloc %m : {kind}",
        f"linalg.fill ins(%x : i64) outs(%a : {kind})",
    ):
        assert "such memory is made, read, written, passed on and freed, and has no views" in refuses(
            tmp_path, function(f"%a: {kind}, %x: i64", f"{body}\nreturn")
        )
    assert "such layouts need numbers for all extents" in refuses(
        tmp_path, function(f"%a: {kind.replace('6x8', '?x8')}", "return")
    )


def test_unranked_memory(tmp_path):
    text = function(
        "%a: memref<?x4xi64>, %x: i64",
        """\
  %c0 = arith.constant 0 : index
  %u = memref.cast %a : memref<?x4xi64> to memref<*xi64>
  %r = memref.rank %u : memref<*xi64>
  %b = memref.cast %u : memref<*xi64> to memref<3x?xi64>
  memref.store %x, %b[%r, %c0] : memref<3x?xi64>
  return""",
    )
    _, (a,) = run(tmp_path, text, [np.zeros((3, 4), np.int64)], scalars(7))
    assert a[2, 0] == 7
    assert "'memref.cast': axis 0 of argument 'a' has extent 4, but the result's type has 3" in fails(
        tmp_path, text, [np.zeros((4, 4), np.int64)], scalars(7)
    )
    assert "note: memref.cast: its operand is of another rank" in refuses(
        tmp_path, text.replace("3x?", "3").replace("%r, %c0", "%r")
    )


UNRANKED = "%u: memref<*xi64>, %a: memref<?x?xi64, strided<[?, 1], offset: ?>>, %t: i1"


@pytest.mark.parametrize(
    "body, told",
    [
        ("%v = scf.if %t -> memref<*xi64> { scf.yield %u : memref<*xi64> } else { scf.yield %u : memref<*xi64> }",
         "give its memrefs' ranks"),
        ("cf.br ^next(%u : memref<*xi64>)\n^next(%v: memref<*xi64>):", "give its memrefs' ranks"),
        ("memref.copy %u, %u : memref<*xi64> to memref<*xi64>", "give its memrefs' ranks"),
        ("memref.dealloc %u : memref<*xi64>", "give its memrefs' ranks"),
        (("%v = memref.cast %a : memref<?x?xi64, strided<[?, 1], offset: ?>> to memref<*xi64>\n"
         "func.call @g(%v) : (memref<*xi64>) -> ()"), "memory without a rank is row-major, and its operand has a layout"),
        ("%v = memref.cast %u : memref<*xi64> to memref<?x?xi64, strided<[4, 1]>>",
         "its result's type tells strides or an offset that its operand's does not"),
        ("%v = memref.cast %u : memref<*xi64> to memref<?xi32>", "cast incompatible"),
        ("%v = memref.cast %u : memref<*xi64> to memref<*xi32>", "cast incompatible"),
    ],
)  # fmt: skip
def test_memory_without_a_rank_that_is_refused(tmp_path, body, told):
    text = function(UNRANKED, body + "\nreturn") + "func.func private @g(%u: memref<*xi64>) { return }"
    assert told in refuses(tmp_path, text)


def test_memory_without_a_rank_from_the_command_line(tmp_path):
    text = function(
        "%u: memref<*xi64>, %i: index, %x: i64",
        """\
  %m = memref.cast %u : memref<*xi64> to memref<?x4xi64, strided<[?, ?], offset: ?>>
  %c0 = arith.constant 0 : index
  memref.store %x, %m[%i, %c0] : memref<?x4xi64, strided<[?, ?], offset: ?>>
  return %u : memref<*xi64>""",
        " -> memref<*xi64>",
    )
    outcome, (a,) = run(tmp_path, text, [np.zeros((3, 4), np.int64)], scalars(2, 7), f"--output={tmp_path}/r.npy")
    assert a[2, 0] == 7 and a.sum() == 7, outcome.error
    np.testing.assert_array_equal(np.load(tmp_path / "r.npy"), a)
    assert "'memref.cast': argument 'u' has rank 1, but the result's type has rank 2" in fails(
        tmp_path, text, [np.zeros(4, np.int64)], scalars(2, 7)
    )
    assert "'memref.cast': axis 1 of argument 'u' has extent 3, but the result's type has 4" in fails(
        tmp_path, text, [np.zeros((4, 3), np.int64)], scalars(2, 7)
    )
    listed = broadloom.call("check", tmp_path / "p.mlir")
    assert "argument 'u' has rank ?, but the result's type has rank 2" in " ".join(listed.out.split())
    assert "memref<*xi64>" in broadloom.call("inspect", tmp_path / "p.mlir").out


def test_tiles_from_the_command_line(tmp_path):
    kind = "memref<6x8xi64, affine_map<(i, j) -> (i floordiv 2, j floordiv 4, i mod 2, j mod 4)>>"
    text = function(f"%a: {kind}, %i: index, %j: index, %x: i64", f"memref.store %x, %a[%i, %j] : {kind}\nreturn")
    _, (a,) = run(tmp_path, text, [np.zeros((3, 2, 2, 4), np.int64)], scalars(5, 6, 7))
    assert a[2, 1, 1, 2] == 7 and a.sum() == 7
    outcome, _ = run(tmp_path, text, [np.zeros((6, 8), np.int64)], scalars(5, 6, 7))
    assert "argument 'a'" in outcome.error and "3x2x2x4" in outcome.error
