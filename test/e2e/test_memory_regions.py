"""Regions in programs over memory: `scf.forall`, `scf.execute_region`, and memory that ends with a scope (rules mem-1
to mem-7), values against NumPy and errors by their text."""

import broadloom
import numpy as np
import pytest
from memory_programs import fails, function, refuses, run, scalars

FORALL = """\
  scf.forall (%i, %j) = (1, 0) to (%n, %m) step (2, 1) {
    %x = memref.load %a[%i, %j] : memref<?x?xi64>
    %y = arith.addi %x, %x : i64
    memref.store %y, %a[%i, STORED] : memref<?x?xi64>
  }
  return"""


@pytest.mark.parametrize("n, m", [(0, 0), (1, 4), (2, 4), (5, 0), (5, 3), (5, 4)])
def test_forall(tmp_path, n, m):
    text = function("%a: memref<?x?xi64>, %n: index, %m: index", FORALL.replace("STORED", "%j"))
    before = np.arange(20).reshape(5, 4)
    _, (a,) = run(tmp_path, text, [before], scalars(n, m))
    expected = before.copy()
    expected[1:n:2, :m] *= 2
    np.testing.assert_array_equal(a, expected)


def test_forall_outside(tmp_path):
    text = function("%a: memref<?x?xi64>, %n: index, %m: index", FORALL.replace("STORED", "%j"))
    error = fails(tmp_path, text, [np.zeros((5, 4), np.int64)], ["i64=2", "i64=5"])
    assert "'memref.load': index 4 is outside axis 1 of argument 'a', whose extent is 4" in error


def test_check_tells_what_meets_in_forall(tmp_path):
    (tmp_path / "p.mlir").write_text(
        function(
            "%a: memref<?x?xi64>, %n: index, %m: index",
            "  %c0 = arith.constant 0 : index\n" + FORALL.replace("%i, STORED", "%c0, %j"),
        )
    )
    outcome = broadloom.call("check", tmp_path / "p.mlir")
    assert "its iterations are not independent, as its name says" in " ".join(outcome.out.split()), outcome.out


@pytest.mark.parametrize("x", [-3, 0, 3])
def test_regions_that_run_once(tmp_path, x):
    """Blocks in a loop, and memory that a region gives."""
    text = function(
        "%a: memref<?xi64>, %b: memref<?xi64>, %n: index, %x: i64",
        """\
  %zero = arith.constant 0 : i64
  %more = arith.cmpi sgt, %x, %zero : i64
  affine.for %i = 0 to %n {
    %m = scf.execute_region -> memref<?xi64> {
      cf.cond_br %more, ^first, ^second
    ^first:
      %y = memref.load %b[%i] : memref<?xi64>
      %z = arith.addi %y, %x : i64
      memref.store %z, %b[%i] : memref<?xi64>
      scf.yield %a : memref<?xi64>
    ^second:
      scf.yield %b : memref<?xi64>
    }
    memref.store %x, %m[%i] : memref<?xi64>
  }
  return""",
    )
    numbers = ["i64=4", f"i64={x}"]
    _, (a, b) = run(tmp_path, text, [np.zeros(4, np.int64), np.arange(4)], numbers)
    assert a.tolist() == [x if x > 0 else 0] * 4
    assert b.tolist() == ([x, x + 1, x + 2, x + 3] if x > 0 else [x] * 4)
    error = fails(tmp_path, text, [np.zeros(4, np.int64), np.arange(3)], numbers)
    assert "index 3 is outside axis 0 of " in error and "whose extent is 3" in error


@pytest.mark.parametrize("cast", [False, True])
def test_memory_of_a_scope_is_not_returned(tmp_path, cast):
    made = "%r" if cast else "%m"
    kind = "memref<?xi64>" if cast else "memref<4xi64>"
    body = "  %m = memref.alloca() : memref<4xi64>\n"
    body += "  %r = memref.cast %m : memref<4xi64> to memref<?xi64>\n" * cast
    told = "func.return: it returns memory of 'memref.alloca', which ends with its scope; make it by 'memref.alloc'"
    assert told in refuses(tmp_path, function("", f"{body}  return {made} : {kind}", f" -> {kind}"))
