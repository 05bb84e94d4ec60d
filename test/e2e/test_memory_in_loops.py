"""Memory that loops choose or name: what is read alone orders no iterations only where it is known in front."""

import numpy as np
import pytest
from memory_programs import fails, function, run

COUNT = 20_000
KIND = f"memref<{COUNT}xf32>"
NUMBERS = "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n"
CHOICE = function(
    f"%a: {KIND}, %b: {KIND}",
    f"""\
{NUMBERS}  %n = arith.constant {COUNT - 1} : index
  %m = arith.constant {COUNT // 2} : index
  scf.for %i = %c0 to %n step %c1 {{
    %p = arith.cmpi slt, %i, %m : index
    %s = scf.if %p -> {KIND} {{
      scf.yield %a : {KIND}
    }} else {{
      scf.yield %b : {KIND}
    }}
    %k = arith.addi %i, %c1 : index
    %x = memref.load %s[%k] : {KIND}
    memref.store %x, %a[%i] : {KIND}
  }}
  return""",
)
GLOBAL = f'memref.global "private" @state : {KIND} = dense<1.0>\n' + function(
    f"%o: {KIND}",
    f"""\
  %w = memref.get_global @state : {KIND}
  affine.for %i = 0 to {COUNT - 1} {{
    %r = memref.get_global @state : {KIND}
    %x = affine.load %r[%i] : {KIND}
    %y = arith.addf %x, %x : f32
    affine.store %y, %w[%i + 1] : {KIND}
  }}
  memref.copy %w, %o : {KIND} to {KIND}
  return""",
)
TABLE = 'memref.global "private" constant @table : memref<256xf32> = dense<2.0>\n' + function(
    f"%o: {KIND}",
    f"""\
  affine.for %i = 0 to {COUNT} {{
    %t = memref.get_global @table : memref<256xf32>
    %x = affine.load %t[7] : memref<256xf32>
    affine.store %x, %o[%i] : {KIND}
  }}
  return""",
)
SWAP = function(
    f"%a: {KIND}, %b: {KIND}, %o: {KIND}",
    f"""\
{NUMBERS}  %c3 = arith.constant 3 : index
  %n = arith.constant {COUNT} : index
  scf.for %i = %c0 to %n step %c1 {{
    %r:2 = scf.for %t = %c0 to %c3 step %c1 iter_args(%p = %a, %q = %b) -> ({KIND}, {KIND}) {{
      %x = memref.load %p[%i] : {KIND}
      memref.store %x, %o[%i] : {KIND}
      scf.yield %q, %p : {KIND}, {KIND}
    }}
  }}
  return""",
)


def given(seed):
    return np.random.default_rng(seed).random(COUNT, np.float32)


def test_memory_that_each_iteration_chooses(tmp_path):
    a, b = given(0), given(1)
    expected = np.append(np.append(a[1 : COUNT // 2 + 1], b[COUNT // 2 + 1 :]), a[-1:])
    _, arrays = run(tmp_path, CHOICE, [a, b])
    np.testing.assert_array_equal(arrays[0], expected)


def test_memory_of_a_global_by_two_names(tmp_path):
    _, (o,) = run(tmp_path, GLOBAL, [np.zeros(COUNT, np.float32)])
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal(o, np.float32(2) ** np.arange(COUNT, dtype=np.float32))


def test_tables_that_are_named_in_a_loop(tmp_path):
    _, (o,) = run(tmp_path, TABLE, [np.zeros(COUNT, np.float32)])
    assert (o == 2).all()


def test_memory_that_an_inner_loop_carries(tmp_path):
    a, b = given(0), given(1)
    _, arrays = run(tmp_path, SWAP, [a, b, np.zeros(COUNT, np.float32)])
    np.testing.assert_array_equal(arrays[2], a)


@pytest.mark.parametrize(
    "use",
    [
        "%v = memref.load %m[%c0] : memref<4xf32>\n    %s = arith.addf %u, %v : f32",
        """%v = memref.subview %m[0] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1]>>
    %s = arith.addf %u, %u : f32""",
    ],
)
@pytest.mark.parametrize("has_boundary", [False, True])
def test_freed_memory_beside_boundaries(tmp_path, use, has_boundary):
    boundary = """\
  %p = loom.boundary reflect %a low[1] high[1] : memref<8xf32> to memref<10xf32>
  affine.for %i = 0 to 10 {
    %e = affine.load %p[%i] : memref<10xf32>
    affine.store %e, %o[%i] : memref<10xf32>
  }
"""
    text = function(
        "%a: memref<8xf32>, %o: memref<10xf32>, %t: i1",
        f"""\
  %c0 = arith.constant 0 : index
  %x = arith.constant 1.0 : f32
{boundary * has_boundary}  %m = memref.alloc() : memref<4xf32>
  memref.store %x, %m[%c0] : memref<4xf32>
  scf.if %t {{
    %u = memref.load %m[%c0] : memref<4xf32>
    memref.dealloc %m : memref<4xf32>
    {use}
    memref.store %s, %o[%c0] : memref<10xf32>
  }} else {{
    memref.dealloc %m : memref<4xf32>
  }}
  return""",
    )
    arrays = [np.arange(8, dtype=np.float32), np.zeros(10, np.float32)]
    assert "this memory was freed" in fails(tmp_path, text, arrays, ["i1=1"])
