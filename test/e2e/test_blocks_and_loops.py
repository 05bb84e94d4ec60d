"""Regions of several blocks, and loops over numbers at the ends of 64 bits: what
they compute, and which shapes they have (rt-13, abi-4)."""

import broadloom
import numpy as np
import pytest
from broadloom import DONE, runByData

# Blocks of a region that a loop runs are given what the loop carries, and give it
# what it carries next.
REGION_IN_A_LOOP = """
func.func @main(%n: index, %c: tensor<i1>, %a: tensor<?xf32>) -> tensor<?xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %0 = scf.for %i = %zero to %n step %one iter_args(%x = %a) -> (tensor<?xf32>) {
    %t = tensor.extract %c[] : tensor<i1>
    %1 = scf.execute_region -> tensor<?xf32> {
      cf.cond_br %t, ^first, ^second
    ^first:
      scf.yield %x : tensor<?xf32>
    ^second:
      %y = tosa.concat %x, %x {axis = 0 : i32} : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
      scf.yield %y : tensor<?xf32>
    }
    scf.yield %1 : tensor<?xf32>
  }
  return %0 : tensor<?xf32>
}
"""


@pytest.mark.parametrize("taken", [True, False])
@pytest.mark.parametrize("rounds", [0, 1, 3])
def test_a_loop_runs_a_region_of_blocks(tmp_path, rounds, taken):
    a = np.arange(3, dtype=np.float32)
    outcome, found = runByData(tmp_path, REGION_IN_A_LOOP, np.array(rounds), np.array(taken), a)
    assert outcome.status == DONE, outcome.error
    np.testing.assert_array_equal(found, a if taken else np.tile(a, 2**rounds))


REGION_OF_EXTENTS = """
func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {
  %zero = arith.constant 0 : index
  %three = arith.constant 3 : index
  %n = tensor.dim %a, %zero : tensor<?xf32>
  %c = arith.cmpi ult, %n, %three : index
  %0 = scf.execute_region -> tensor<?xf32> {
    cf.cond_br %c, ^first, ^second
  ^first:
    %y = tosa.concat %a, %a {axis = 0 : i32} : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    scf.yield %y : tensor<?xf32>
  ^second:
    scf.yield %a : tensor<?xf32>
  }
  return %0 : tensor<?xf32>
}
"""
LARGE_STEP = """
func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %from = arith.constant FROM : index
  %to = arith.constant TO : index
  %step = arith.constant 9223372036854775807 : index
  %0 = scf.for SIGN %i = %from to %to step %step iter_args(%x = %a) -> (tensor<?xf32>) {
    scf.yield %b : tensor<?xf32>
  }
  return %0 : tensor<?xf32>
}
"""


@pytest.mark.parametrize("extent, expected", [(2, "4"), (3, "3")])
def test_shapes_follow_the_blocks_of_a_region(tmp_path, extent, expected):
    (tmp_path / "program.mlir").write_text(REGION_OF_EXTENTS)
    outcome = broadloom.call("shapes", str(tmp_path / "program.mlir"), f"--input={extent}xf32")
    assert (outcome.status, outcome.out.strip()) == (DONE, expected), outcome.error


@pytest.mark.parametrize(
    "sign, start, end, expected",
    [("", 0, 4, "5"), ("", 4, 4, "3"), ("", -4, -5, "3"), ("unsigned", -5, -1, "5"), ("unsigned", -1, 4, "3")],
)
def test_shapes_follow_a_loop_of_the_largest_step(tmp_path, sign, start, end, expected):
    text = LARGE_STEP.replace("FROM", str(start)).replace("TO", str(end)).replace("SIGN", sign)
    (tmp_path / "program.mlir").write_text(text)
    outcome = broadloom.call("shapes", str(tmp_path / "program.mlir"), "--input=3xf32", "--input=5xf32")
    assert (outcome.status, outcome.out.strip()) == (DONE, expected), outcome.error
    outcome, found = runByData(tmp_path, text, np.zeros(3, np.float32), np.ones(5, np.float32))
    assert outcome.status == DONE and len(found) == int(expected), outcome.error


# A loop of blocks passes a view of what it is given on to its next turn, and another
# name of it past a block.
VIEWS_IN_BLOCKS = """
func.func @main(%n: index, %a: tensor<?xf32>) -> tensor<?xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  cf.br ^head(%zero, %a, %a : index, tensor<?xf32>, tensor<?xf32>)
^head(%i: index, %x: tensor<?xf32>, %y: tensor<?xf32>):
  %goes = arith.cmpi slt, %i, %n : index
  cf.cond_br %goes, ^body, ^end(%x : tensor<?xf32>)
^body:
  %j = arith.addi %i, %one : index
  %extent = tensor.dim %x, %zero : tensor<?xf32>
  %less = arith.subi %extent, %one : index
  %half = arith.ceildivsi %extent, STEP : index
  %view = tensor.extract_slice %x[START] [SIZE] [STRIDE] : tensor<?xf32> to tensor<?xf32>
  cf.br ^head(%j, %view, %view : index, tensor<?xf32>, tensor<?xf32>)
^end(%z: tensor<?xf32>):
  %sum = tosa.add %z, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %sum : tensor<?xf32>
}
"""

VIEWS_IN_FOR = """
func.func @main(%n: index, %a: tensor<?xf32>) -> tensor<?xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.for %i = %zero to %n step %one iter_args(%x = %a) -> tensor<?xf32> {
    %extent = tensor.dim %x, %zero : tensor<?xf32>
    %less = arith.subi %extent, %one : index
    %half = arith.ceildivsi %extent, STEP : index
    %view = tensor.extract_slice %x[START] [SIZE] [STRIDE] : tensor<?xf32> to tensor<?xf32>
    scf.yield %view : tensor<?xf32>
  }
  %sum = tosa.add %r, %r : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %sum : tensor<?xf32>
}
"""


@pytest.mark.parametrize("program", [VIEWS_IN_BLOCKS, VIEWS_IN_FOR], ids=["blocks", "for"])
@pytest.mark.parametrize("view", ["rest", "halves"])
@pytest.mark.parametrize("rounds", [0, 1, 3])
def test_a_loop_passes_views_on(tmp_path, rounds, view, program):
    words = {"rest": ("1", "%less", "1"), "halves": ("0", "%half", "2")}[view]
    for name, word in zip(("START", "SIZE", "STRIDE"), words):
        program = program.replace(name, word)
    a = np.arange(11, dtype=np.float32)
    outcome, found = runByData(
        tmp_path,
        program.replace("STEP", "%two").replace("  %one =", "  %two = arith.constant 2 : index\n  %one ="),
        np.array(rounds),
        a,
    )
    assert outcome.status == DONE, outcome.error
    for _ in range(rounds):
        a = a[1:] if view == "rest" else a[::2]
    np.testing.assert_array_equal(found, 2 * a)
