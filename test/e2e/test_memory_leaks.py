"""--leaks: memory that a call has allocated, and has neither freed nor returned
(mem-6)."""

import broadloom
import pytest


def run(folder, text, *options):
    (folder / "p.mlir").write_text(text)
    outcome = broadloom.call("run", folder / "p.mlir", *options)
    return outcome.status, outcome.error.replace(f"{folder}/", "")


LEFT = """func.func @main(%n: index, %t: i1) {
  %a = memref.alloc(%n) : memref<?xf64>
  %b = memref.alloc() : memref<2x3xi8>
  %c = memref.alloca(%n) : memref<?xf64>
  scf.if %t {
    memref.dealloc %a : memref<?xf64>
  }
  return
}
"""


def test_memory_that_is_left(tmp_path):
    assert run(tmp_path, LEFT, "--input=i64=5", "--input=i1=0") == (broadloom.DONE, "")
    status, error = run(tmp_path, LEFT, "--input=i64=5", "--input=i1=0", "--leaks")
    assert status == broadloom.GUARD_FAILED
    left = "memory that the call has allocated is neither freed nor returned: "
    assert left + "40 bytes (p.mlir:2:8), 6 bytes (p.mlir:3:8)\n" in error
    assert left + "6 bytes (p.mlir:3:8)\n" in run(tmp_path, LEFT, "--input=i64=5", "--input=i1=1", "--leaks")[1]


@pytest.mark.parametrize("count", [10, 13])
def test_the_list_ends(tmp_path, count):
    text = """func.func @main(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc(%i) : memref<?xi8>
  }
  return
}
"""
    _, error = run(tmp_path, text, f"--input=i64={count}", "--leaks")
    listed = ", ".join(f"{i} bytes (p.mlir:5:10)" for i in range(10))
    assert listed + (", and 3 more\n" if count > 10 else "\n") in error


RETURNED = """func.func @main(%n: index) -> (memref<?xf32>, memref<?xf32, strided<[2], offset: ?>>) {
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<?xf32>
  %b = func.call @make(%n) : (index) -> memref<?xf32>
  %v = memref.subview %b[%c1] [%c1] [2] : memref<?xf32> to memref<?xf32, strided<[2], offset: ?>>
  return %a, %v : memref<?xf32>, memref<?xf32, strided<[2], offset: ?>>
}
func.func private @make(%n: index) -> memref<?xf32> {
  %a = memref.alloc(%n) : memref<?xf32>
  return %a : memref<?xf32>
}
"""


def test_returned_memory_is_not_left(tmp_path):
    assert run(tmp_path, RETURNED, "--input=i64=5", "--leaks") == (broadloom.DONE, "")
