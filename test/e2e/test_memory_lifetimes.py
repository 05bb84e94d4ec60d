"""How long memory of programs over memory lives (rule mem-4): values against NumPy, and errors by their text."""

import re

import broadloom
import numpy as np
import pytest
from memory_programs import fails, function, refuses, run


def lifetime(body, arguments="%n: index, %t: i1", results="", more=""):
    return more + function(
        arguments,
        "  %c0 = arith.constant 0 : index\n  %x = arith.constant 1.0 : f32\n"
        "  %m = memref.alloc(%n) : memref<?xf32>\n" + body + "\n  return",
        results,
    )


LIFETIMES = {
    "use after free": (
        "  memref.dealloc %m : memref<?xf32>\n  memref.store %x, %m[%c0] : memref<?xf32>",
        r"p.mlir:6:3: error: 'memref.store': this memory was freed \(p.mlir:5:3\); it is from 'memref.alloc' \(p.mlir:4:8\)",
    ),
    "use after a free in a branch": (
        "  scf.if %t {\n    memref.dealloc %m : memref<?xf32>\n  }\n  memref.store %x, %m[%c0] : memref<?xf32>",
        r"p.mlir:8:3: 'memref.store': this memory was freed \(p.mlir:6:5\); it is from 'memref.alloc' \(p.mlir:4:8\)",
    ),
    "second free": (
        "  memref.dealloc %m : memref<?xf32>\n  memref.dealloc %m : memref<?xf32>",
        r"p.mlir:6:3: error: 'memref.dealloc': this memory was freed \(p.mlir:5:3\); it is from 'memref.alloc' \(p.mlir:4:8\)",
    ),
    "free in a loop": (
        (
            "  %c1 = arith.constant 1 : index\n  scf.for %i = %c0 to %n step %c1 {\n"
            "    memref.dealloc %m : memref<?xf32>\n  }"
        ),
        r"'memref.dealloc': this memory was freed \(p.mlir:7:5\); it is from 'memref.alloc' \(p.mlir:4:8\)",
    ),
    "use in the next round": (
        (
            "  %c1 = arith.constant 1 : index\n  scf.for %i = %c0 to %n step %c1 {\n"
            "    memref.store %x, %m[%c0] : memref<?xf32>\n    memref.dealloc %m : memref<?xf32>\n  }"
        ),
        r"p.mlir:7:5: 'memref.store': this memory was freed \(p.mlir:8:5\); it is from 'memref.alloc' \(p.mlir:4:8\)",
    ),
    "free of a view": (
        (
            "  %v = memref.subview %m[0] [1] [1] : memref<?xf32> to memref<1xf32, strided<[1]>>\n"
            "  memref.dealloc %m : memref<?xf32>\n  memref.store %x, %v[%c0] : memref<1xf32, strided<[1]>>"
        ),
        r"p.mlir:7:3: error: 'memref.store': this memory was freed \(p.mlir:6:3\); it is from 'memref.alloc' \(p.mlir:4:8\)",
    ),
    "free of a view behind a branch": (
        (
            "  %c1 = arith.constant 1 : index\n"
            "  %v = memref.subview %m[%c1] [%c1] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>\n"
            "  cf.br ^next(%v : memref<?xf32, strided<[1], offset: ?>>)\n"
            "^next(%w: memref<?xf32, strided<[1], offset: ?>>):\n"
            "  memref.dealloc %w : memref<?xf32, strided<[1], offset: ?>>"
        ),
        r"'memref.dealloc': the memory is a view of what 'memref.alloc' gave, at .*p.mlir:4:8",
    ),
    "free of memory of a scope": (
        "  %s = memref.alloca(%n) : memref<?xf32>\n  memref.dealloc %s : memref<?xf32>",
        r"'memref.dealloc': the memory is of 'memref.alloca', .*; it is freed where its",
    ),
    "carried": (
        (
            "  %c1 = arith.constant 1 : index\n"
            "  %r = scf.for %i = %c0 to %n step %c1 iter_args(%k = %m) -> (memref<?xf32>) {\n"
            "    memref.store %x, %k[%c0] : memref<?xf32>\n    memref.dealloc %k : memref<?xf32>\n"
            "    scf.yield %k : memref<?xf32>\n  }"
        ),
        r"'scf.yield': this memory was freed \(p.mlir:8:5\); it is from 'memref.alloc' \(p.mlir:4:8\)",
    ),
}


@pytest.mark.parametrize("case", LIFETIMES)
def test_lifetimes(tmp_path, case):
    body, expected = LIFETIMES[case]
    outcome, _ = run(tmp_path, lifetime(body), [], ["i64=3", "i1=1"])
    # What fails in every call is refused, with "error: " (FreedMemory.h).
    expects = broadloom.REJECTED if "error: " in expected else broadloom.GUARD_FAILED
    assert outcome.status == expects, outcome.error
    assert re.search(expected, outcome.error.replace(f"{tmp_path}/", ""))


def test_an_offset_beyond_memory(tmp_path):
    kind = "memref<?xf32, strided<[1], offset: 9223372036854775807>>"
    text = function(f"%a: {kind}, %n: index", f"  %x = memref.load %a[%n] : {kind}\n  return")
    assert "its memory has a size that no memory can hold" in refuses(tmp_path, text)


def test_views_are_not_freed(tmp_path):
    body = (
        "  %v = memref.subview %m[0] [1] [1] : memref<?xf32> to memref<1xf32, strided<[1]>>\n"
        "  memref.dealloc %v : memref<1xf32, strided<[1]>>"
    )
    assert "memref.dealloc: it frees a view; free what 'memref.alloc' gave" in refuses(tmp_path, lifetime(body))


def test_lifetimes_across_calls(tmp_path):
    freeing = "func.func private @free(%m: memref<?xf32>) {\n  memref.dealloc %m : memref<?xf32>\n  return\n}\n"
    call = "  func.call @free(%m) : (memref<?xf32>) -> ()\n"
    use = "  memref.store %x, %m[%c0] : memref<?xf32>\n"
    outcome, _ = run(tmp_path, lifetime(use + call, more=freeing), [], ["i64=3", "i1=1"])
    assert outcome.status == broadloom.DONE, outcome.error
    freed = "this memory was freed (p.mlir:2:3); it is from 'memref.alloc' (p.mlir:8:8)"
    assert f"'memref.store': {freed}" in fails(tmp_path, lifetime(call + use, more=freeing), [], ["i64=3", "i1=1"])
    assert f"'func.call': {freed}" in fails(tmp_path, lifetime(call + call, more=freeing), [], ["i64=3", "i1=1"])


def test_callers_memory_is_not_freed(tmp_path):
    text = function("%a: memref<?xf32>", "  memref.dealloc %a : memref<?xf32>\n  return")
    assert "'memref.dealloc': the memory is the caller's; a function frees what it has allocated" in fails(
        tmp_path, text, [np.zeros(3, np.float32)]
    )


@pytest.mark.parametrize("size", [-1, -(2**63)])
def test_no_memory_of_a_negative_size(tmp_path, size):
    assert f"'memref.alloc': axis 0 has extent {size}, expected at least 0" in fails(
        tmp_path, lifetime(""), [], [f"i64={size}", "i1=0"]
    )


@pytest.mark.parametrize("size", [2**62, 2**63 - 1])
def test_memory_that_cannot_exist(tmp_path, size):
    (tmp_path / "p.mlir").write_text(lifetime(""))
    outcome = broadloom.call("run", tmp_path / "p.mlir", f"--input=i64={size}", "--input=i1=0")
    assert outcome.status == broadloom.REJECTED
    assert f"an array of shape {size} is larger than any memory" in outcome.error


def test_memory_of_scopes(tmp_path):
    """Large and small 'memref.alloca', in loops and in recursive calls."""
    text = function(
        "%n: index, %out: memref<1xi64>",
        """\
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  memref.store %zero, %out[%c0] : memref<1xi64>
  scf.for %i = %c0 to %n step %c1 {
    %small = memref.alloca() : memref<2xi64>
    %large = memref.alloca(%n) : memref<?xi64>
    %k = arith.index_cast %i : index to i64
    memref.store %k, %small[%c1] : memref<2xi64>
    memref.store %k, %large[%i] : memref<?xi64>
    %a = memref.load %small[%c1] : memref<2xi64>
    %b = memref.load %large[%i] : memref<?xi64>
    %s = arith.addi %a, %b : i64
    %before = memref.load %out[%c0] : memref<1xi64>
    %after = arith.addi %before, %s : i64
    memref.store %after, %out[%c0] : memref<1xi64>
  }
  return""",
    )
    (tmp_path / "p.mlir").write_text(text)
    outcome = broadloom.call("run", tmp_path / "p.mlir", "--input=i64=1000", "--input=1xi64=7")
    assert outcome.out == "argument 'out':\n[999000]\n", outcome.error
