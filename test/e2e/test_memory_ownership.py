"""`bufferization.dealloc` (mem-9), and programs that upstream's ownership-based deallocation has frees for: each call
frees what it has allocated, once."""

import shutil
import subprocess

import broadloom
import numpy as np
import pytest
from memory_programs import function

PIPELINE = ["--ownership-based-buffer-deallocation", "--buffer-deallocation-simplification"]
M = "memref<?xf32>"
FILL = f"""\
func.func private @copy(%a: {M}) -> {M} {{
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : {M}
  %m = memref.alloc(%n) : {M}
  memref.copy %a, %m : {M} to {M}
  return %m : {M}
}}
func.func private @pick(%a: {M}, %b: {M}, %c: i1) -> {M} {{
  %r = scf.if %c -> {M} {{
    scf.yield %a : {M}
  }} else {{
    scf.yield %b : {M}
  }}
  return %r : {M}
}}
"""

# What is copied to the second array; each with both values of the condition.
PROGRAMS = {
    "one allocation": f"  %r = func.call @copy(%a) : ({M}) -> {M}",
    "a branch that allocates": f"""\
  %m = func.call @copy(%a) : ({M}) -> {M}
  %r = scf.if %c -> {M} {{
    %k = func.call @copy(%m) : ({M}) -> {M}
    scf.yield %k : {M}
  }} else {{
    scf.yield %m : {M}
  }}""",
    "an argument or an allocation": f"""\
  %m = func.call @copy(%a) : ({M}) -> {M}
  %r = func.call @pick(%a, %m, %c) : ({M}, {M}, i1) -> {M}""",
    "a loop that carries memory": f"""\
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %m = func.call @copy(%a) : ({M}) -> {M}
  %r = scf.for %i = %c0 to %c5 step %c1 iter_args(%k = %m) -> {M} {{
    %x = func.call @copy(%k) : ({M}) -> {M}
    %y = scf.if %c -> {M} {{
      scf.yield %x : {M}
    }} else {{
      scf.yield %k : {M}
    }}
    scf.yield %y : {M}
  }}""",
    "blocks": f"""\
  cf.cond_br %c, ^first, ^second(%a : {M})
^first:
  %m = func.call @copy(%a) : ({M}) -> {M}
  cf.br ^second(%m : {M})
^second(%r: {M}):""",
    "a view": f"""\
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : {M}
  %m = func.call @copy(%a) : ({M}) -> {M}
  %v = memref.subview %m[0] [%n] [1] : {M} to {M}
  %r = func.call @pick(%v, %m, %c) : ({M}, {M}, i1) -> {M}""",
    "a global": f"""\
  %g = memref.get_global @g : memref<4xf32>
  %h = memref.cast %g : memref<4xf32> to {M}
  memref.copy %a, %h : {M} to {M}
  %m = func.call @copy(%a) : ({M}) -> {M}
  %r = func.call @pick(%h, %m, %c) : ({M}, {M}, i1) -> {M}""",
}


@pytest.mark.parametrize("condition", [0, 1])
@pytest.mark.parametrize("case", PROGRAMS)
def test_programs_of_upstream(tmp_path, case, condition):
    text = (
        "memref.global @g : memref<4xf32> = uninitialized\n"
        + FILL
        + function(
            f"%a: {M}, %b: {M}, %c: i1",
            PROGRAMS[case] + f"\n  memref.copy %r, %b : {M} to {M}\n  return",
        )
    )
    (tmp_path / "p.mlir").write_text(text)
    optimizer = shutil.which("mlir-opt", path="/usr/lib/llvm-22/bin")
    if optimizer is None:
        pytest.skip("mlir-opt is not installed")
    done = subprocess.run(
        [optimizer, *PIPELINE, tmp_path / "p.mlir", "-o", tmp_path / "o.mlir"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    given = ["--input=4xf32=1 2 3 4", "--input=4xf32=0 0 0 0", f"--input=i1={condition}"]
    out = tmp_path / "b.npy"
    outcome = broadloom.call("run", tmp_path / "o.mlir", *given, "--leaks", f"--output-argument=1:{out}")
    assert outcome.status == broadloom.DONE, outcome.error + (tmp_path / "o.mlir").read_text()
    np.testing.assert_array_equal(np.load(out), [1, 2, 3, 4])


DEALLOC = """\
func.func @main(%a: memref<?xf32>, %c: i1, %d: i1) -> (i1, i1) {
  %m = memref.alloc() : memref<4xf32>
  %n = memref.alloc() : memref<i64>
  %v = memref.subview %m[1] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: 1>>
  %r = scf.if %c -> memref<4xf32> {
    scf.yield %m : memref<4xf32>
  } else {
    %k = memref.alloc() : memref<4xf32>
    scf.yield %k : memref<4xf32>
  }
  %o:2 = bufferization.dealloc (%m, %n, %r : memref<4xf32>, memref<i64>, memref<4xf32>) if (%d, %c, %c) RETAIN
  return %o#0, %o#1 : i1, i1
}
"""


@pytest.mark.parametrize(
    ("retained", "types", "condition", "owned", "left"),
    [
        # The view retains the first allocation, which the other one is as well.
        ("%v, %a", "memref<2xf32, strided<[1], offset: 1>>, memref<?xf32>", (1, 1), (1, 0), "16 bytes (p.mlir:2:8)"),
        ("%v, %a", "memref<2xf32, strided<[1], offset: 1>>, memref<?xf32>", (1, 0), (1, 0), "16 bytes (p.mlir:2:8)"),
        ("%n, %a", "memref<i64>, memref<?xf32>", (1, 1), (1, 0), "8 bytes (p.mlir:3:8)"),
        # Only the first allocation is freed.
        ("%a, %a", "memref<?xf32>, memref<?xf32>", (0, 1), (0, 0), "8 bytes (p.mlir:3:8), 16 bytes (p.mlir:8:10)"),
        ("%a, %a", "memref<?xf32>, memref<?xf32>", (1, 1), (0, 0), None),
        ("%a, %a", "memref<?xf32>, memref<?xf32>", (1, 0), (0, 0), None),
    ],
)
def test_what_is_freed(tmp_path, retained, types, condition, owned, left):
    text = DEALLOC.replace("RETAIN", f"retain ({retained} : {types})")
    (tmp_path / "p.mlir").write_text(text)
    given = ["--input=4xf32=1 2 3 4", f"--input=i1={condition[0]}", f"--input=i1={condition[1]}"]
    outcome = broadloom.call("run", tmp_path / "p.mlir", *given)
    assert outcome.status == broadloom.DONE, outcome.error
    assert [line.lower() for line in outcome.out.split()][:2] == [str(bool(it)).lower() for it in owned]
    outcome = broadloom.call("run", tmp_path / "p.mlir", *given, "--leaks")
    if left is None:
        assert outcome.status == broadloom.DONE, outcome.error
    else:
        assert f"neither freed nor returned: {left}\n" in outcome.error.replace(f"{tmp_path}/", "")


def test_wrong_frees(tmp_path):
    """A condition that holds for memory of the caller, or twice."""
    text = function(
        f"%a: {M}, %c: i1",
        """\
  %m = memref.alloc() : memref<4xf32>
  bufferization.dealloc (%m : memref<4xf32>) if (%c)
  bufferization.dealloc (%m : memref<4xf32>) if (%c)
  return""",
    )
    (tmp_path / "p.mlir").write_text(text)
    given = ["--input=4xf32=1 2 3 4", "--input=i1=1"]
    outcome = broadloom.call("run", tmp_path / "p.mlir", *given)
    assert "p.mlir:4:3: 'memref.dealloc': this memory was freed" in outcome.error
    (tmp_path / "p.mlir").write_text(text.replace("%m : memref<4xf32>) if", f"%a : {M}) if"))
    outcome = broadloom.call("run", tmp_path / "p.mlir", *given)
    assert "the memory is the caller's; a function frees what it has allocated" in outcome.error
