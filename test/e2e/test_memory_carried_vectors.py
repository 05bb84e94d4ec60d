"""Vectors that loops, branches and calls pass on (mem-10), against NumPy."""

import numpy as np
import pytest
from memory_programs import fails, function, refuses, run

V = "vector<4xf32>"
HEAD = f"""\
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant dense<0.0> : {V}
"""

CASES = {
    "scf.for": (
        f"""\
  %r = scf.for %i = %c0 to %n step %c4 iter_args(%s = %zero) -> {V} {{
    %x = vector.load %a[%i] : memref<?xf32>, {V}
    %y = arith.addf %s, %x : {V}
    scf.yield %y : {V}
  }}""",
        lambda a: a.reshape(-1, 4).sum(0),
    ),
    "affine.for": (
        f"""\
  %r, %k = affine.for %i = 0 to %n step 4 iter_args(%s = %zero, %o = %c1) -> ({V}, index) {{
    %x = affine.vector_load %a[%i] : memref<?xf32>, {V}
    %y = arith.subf %x, %s : {V}
    affine.yield %y, %i : {V}, index
  }}""",
        lambda a: (lambda b: b[2] - (b[1] - b[0]))(a.reshape(-1, 4)),
    ),
    "scf.while": (
        f"""\
  %r, %e = scf.while (%s = %zero, %i = %c0) : ({V}, index) -> ({V}, index) {{
    %h = arith.cmpi slt, %i, %n : index
    scf.condition(%h) %s, %i : {V}, index
  }} do {{
  ^bb0(%t: {V}, %i: index):
    %x = vector.load %a[%i] : memref<?xf32>, {V}
    %y = arith.maximumf %t, %x : {V}
    %j = arith.addi %i, %c4 : index
    scf.yield %y, %j : {V}, index
  }}""",
        lambda a: np.maximum(a.reshape(-1, 4).max(0), 0),
    ),
    "scf.if": (
        f"""\
  %h = arith.cmpi sgt, %n, %c4 : index
  %r = scf.if %h -> {V} {{
    %x = vector.load %a[%c4] : memref<?xf32>, {V}
    scf.yield %x : {V}
  }} else {{
    scf.yield %zero : {V}
  }}""",
        lambda a: a[4:8],
    ),
    "affine.if": (
        f"""\
  %r = affine.if affine_set<()[n] : (n - 5 >= 0)>()[%n] -> {V} {{
    %x = vector.load %a[%c4] : memref<?xf32>, {V}
    affine.yield %x : {V}
  }} else {{
    affine.yield %zero : {V}
  }}""",
        lambda a: a[4:8],
    ),
    "scf.index_switch": (
        f"""\
  %r = scf.index_switch %n -> {V}
  case 12 {{
    %x = vector.load %a[%c1] : memref<?xf32>, {V}
    scf.yield %x : {V}
  }}
  default {{
    scf.yield %zero : {V}
  }}""",
        lambda a: a[1:5],
    ),
    "scf.parallel": (
        f"""\
  %r = scf.parallel (%i) = (%c0) to (%n) step (%c4) init (%zero) -> {V} {{
    %x = vector.load %a[%i] : memref<?xf32>, {V}
    scf.reduce(%x : {V}) {{
    ^bb0(%p: {V}, %q: {V}):
      %y = arith.addf %p, %q : {V}
      scf.reduce.return %y : {V}
    }}
  }}""",
        lambda a: a.reshape(-1, 4).sum(0),
    ),
    "cf.cond_br": (
        f"""\
  cf.br ^head(%c0, %zero : index, {V})
^head(%i: index, %s: {V}):
  %h = arith.cmpi slt, %i, %n : index
  cf.cond_br %h, ^body(%s, %i : {V}, index), ^end(%s : {V})
^body(%t: {V}, %j: index):
  %x = vector.load %a[%j] : memref<?xf32>, {V}
  %y = arith.addf %t, %x : {V}
  %k = arith.addi %j, %c4 : index
  cf.br ^head(%k, %y : index, {V})
^end(%r: {V}):""",
        lambda a: a.reshape(-1, 4).sum(0),
    ),
    "cf.switch": (
        f"""\
  %w = arith.index_cast %n : index to i32
  %x = vector.load %a[%c1] : memref<?xf32>, {V}
  cf.switch %w : i32, [
    default: ^end(%zero : {V}),
    12: ^end(%x : {V}),
    13: ^other
  ]
^other:
  cf.br ^end(%zero : {V})
^end(%r: {V}):""",
        lambda a: a[1:5],
    ),
    "a call": (
        f"""\
  %x = vector.load %a[%c1] : memref<?xf32>, {V}
  %k, %r = func.call @twice(%x, %n, %zero) : ({V}, index, {V}) -> (index, {V})""",
        lambda a: 2 * a[1:5],
    ),
    "recursion": (
        f"""\
  %r = func.call @sum(%a, %n, %zero) : (memref<?xf32>, index, {V}) -> {V}""",
        lambda a: a.reshape(-1, 4).sum(0),
    ),
    "arith.select": (
        f"""\
  %h = arith.cmpi sgt, %n, %c4 : index
  %x = vector.load %a[%c1] : memref<?xf32>, {V}
  %r = arith.select %h, %x, %zero : {V}""",
        lambda a: a[1:5],
    ),
    "several axes": (
        f"""\
  %o = arith.constant dense<1.0> : vector<2x2xf32>
  %m = scf.for %i = %c0 to %n step %c4 iter_args(%s = %o) -> vector<2x2xf32> {{
    %x = vector.load %a[%i] : memref<?xf32>, {V}
    %z = vector.shape_cast %x : {V} to vector<2x2xf32>
    %y = arith.addf %s, %z : vector<2x2xf32>
    scf.yield %y : vector<2x2xf32>
  }}
  %r = vector.shape_cast %m : vector<2x2xf32> to {V}""",
        lambda a: a.reshape(-1, 4).sum(0) + 1,
    ),
}
FUNCTIONS = f"""\
func.func private @twice(%v: {V}, %n: index, %w: {V}) -> (index, {V}) {{
  %s = arith.addf %v, %v : {V}
  %t = arith.addf %s, %w : {V}
  return %n, %t : index, {V}
}}
func.func private @sum(%a: memref<?xf32>, %n: index, %s: {V}) -> {V} {{
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %h = arith.cmpi sgt, %n, %c0 : index
  %r = scf.if %h -> {V} {{
    %k = arith.subi %n, %c4 : index
    %x = vector.load %a[%k] : memref<?xf32>, {V}
    %y = arith.addf %s, %x : {V}
    %t = func.call @sum(%a, %k, %y) : (memref<?xf32>, index, {V}) -> {V}
    scf.yield %t : {V}
  }} else {{
    scf.yield %s : {V}
  }}
  return %r : {V}
}}
"""


def program(case, extent="?"):
    text = FUNCTIONS + function(
        "%a: memref<?xf32>, %b: memref<?xf32>, %n: index",
        HEAD + CASES[case][0] + f"\n  vector.store %r, %b[%c0] : memref<?xf32>, {V}\n  return",
    )
    return (
        text
        if extent == "?"
        else text.replace("%b: memref<?xf32>", "%b: memref<4xf32>").replace(
            "%b[%c0] : memref<?xf32>", "%b[%c0] : memref<4xf32>"
        )
    )


@pytest.mark.parametrize("extent", ["?", "4"])
@pytest.mark.parametrize("case", CASES)
def test_values(tmp_path, case, extent):
    a = ((np.arange(12) * 7) % 13 - 3).astype(np.float32)
    outcome, after = run(tmp_path, program(case, extent), [a, np.zeros(4, np.float32)], ["i64=12"])
    assert after, outcome.error
    np.testing.assert_array_equal(after[1], CASES[case][1](a))


@pytest.mark.parametrize("case", ["scf.for", "affine.for", "scf.while", "cf.cond_br", "scf.parallel"])
def test_loops_that_go_outside(tmp_path, case):
    arrays = [np.zeros(10, np.float32), np.zeros(4, np.float32)]
    assert "index 11 is outside axis 0 of argument 'a', whose extent is 10" in fails(
        tmp_path, program(case), arrays, ["i64=12"]
    )


def test_public_functions_have_no_vectors(tmp_path):
    text = FUNCTIONS.replace("func.func private @twice", "func.func @twice")
    assert "func.func: a function that others call from outside has no vectors" in refuses(tmp_path, text)
