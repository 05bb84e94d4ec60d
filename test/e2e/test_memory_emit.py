"""What `--emit=linalg` and `--emit=loom` print of programs over memory has their checks: it computes
the same when it is read again, and fails where they fail."""

import re
import shutil
import subprocess

import broadloom
import numpy as np
import pytest
from memory_programs import GEMM, fails, jacobi, run

GATHER = """func.func @main(%x: memref<?xf64>, %at: memref<?xi64>, %y: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %y, %c0 : memref<?xf64>
  affine.for %i = 0 to %n {
    %number = affine.load %at[%i] : memref<?xi64>
    %index = arith.index_cast %number : i64 to index
    %element = memref.load %x[%index] : memref<?xf64>
    affine.store %element, %y[%i] : memref<?xf64>
  }
  return
}
"""
VIEW = """func.func @main(%x: memref<?x?xf64>, %rows: memref<?xf64>) {
  %zero = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %n = memref.dim %rows, %c0 : memref<?xf64>
  %v = memref.subview %x[1, 1] [%n, %n] [1, 1] : memref<?x?xf64> to memref<?x?xf64, strided<[?, 1], offset: ?>>
  affine.for %i = 0 to %n {
    %sum = affine.for %j = 0 to affine_map<(i) -> (i + 1)>(%i) iter_args(%t = %zero) -> (f64) {
      %e = affine.load %v[%i, %j] : memref<?x?xf64, strided<[?, 1], offset: ?>>
      %u = arith.addf %t, %e : f64
      affine.yield %u : f64
    }
    affine.store %sum, %rows[%i] : memref<?xf64>
  }
  return
}
"""
ONES = np.ones((9, 9))
#: Programs with arguments that fit, and with some that do not.
CASES = {
    "gemm": (GEMM, [np.ones((5, 7), "f4"), np.ones((7, 4), "f4"), np.zeros((5, 4), "f4")], [2, np.zeros((5, 3), "f4")]),
    "jacobi": (jacobi(), [np.arange(81.0).reshape(9, 9), ONES], [1, np.ones((9, 7))]),
    "gather": (GATHER, [np.arange(5.0), np.array([4, 0, 2]), np.zeros(3)], [1, np.array([4, 5, 2])]),
    "view": (VIEW, [np.arange(25.0).reshape(5, 5), np.zeros(4)], [1, np.zeros(5)]),
}


def emitted(folder, text, form):
    """The form of a program that upstream's tools read, where it is linalg."""
    (folder / "p.mlir").write_text(text)
    outcome = broadloom.call("compile", "p.mlir", f"--emit={form}", "-o", "q.mlir", cwd=folder)
    assert outcome.status == broadloom.DONE and not outcome.error, outcome.error
    if form == "linalg":
        upstream = shutil.which("mlir-opt-22") or "/usr/lib/llvm-22/bin/mlir-opt"
        subprocess.run([upstream, "q.mlir"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return (folder / "q.mlir").read_text()


@pytest.mark.parametrize("form", ["linalg", "loom"])
@pytest.mark.parametrize("case", CASES)
def test_what_is_printed_is_checked(tmp_path, case, form):
    text, arguments, (wrong, instead) = CASES[case]
    again = emitted(tmp_path, text, form)
    outcome, arrays = run(tmp_path, text, arguments)
    same, others = run(tmp_path, again, arguments)
    assert same == outcome
    for array, other in zip(arrays, others):
        np.testing.assert_array_equal(other, array)
    refused = [*arguments]
    refused[wrong] = instead
    error = fails(tmp_path, text, refused)
    operation = error.split(": ")[1]
    assert operation.startswith("'"), error
    # The check of that operation is in the text; which one of both readings finds it first does not matter.
    guard = f'cf.assert %.*"{operation}: ' if form == "linalg" else f'loom.require %.*{operation[1:-1]}"'
    assert re.search(guard, again)
    fails(tmp_path, again, refused)
