"""Tensors that branches yield and loops carry: types that say more or less than
those of the results, ranks that are not known, and memory that does not grow with
the iterations of a loop."""

import os
import subprocess

import broadloom
import numpy as np
import pytest
from broadloom import DONE, GUARD_FAILED, runByData

BRANCHES = """
func.func @main(%c: tensor<i1>, %a: tensor<ARGxf32>, %b: tensor<1xf32>) -> tensor<RESULTxf32> {
  %0 = tosa.cond_if %c : tensor<i1> -> tensor<RESULTxf32> {
    %k = tosa.add %b, %b : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    tosa.yield %k : tensor<1xf32>
  } else {
    %k = tosa.add %a, %b : (tensor<ARGxf32>, tensor<1xf32>) -> tensor<ARGxf32>
    tosa.yield %k : tensor<ARGxf32>
  }
  %1 = tosa.add %0, %0 : (tensor<RESULTxf32>, tensor<RESULTxf32>) -> tensor<RESULTxf32>
  return %1 : tensor<RESULTxf32>
}
"""
ROUNDS = """
func.func @main(%n: tensor<i32>, %b: tensor<1xf32>) -> tensor<?xf32> {
  %z = "tosa.const"() <{values = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %one = "tosa.const"() <{values = dense<1> : tensor<i32>}> : () -> tensor<i32>
  %0:2 = tosa.while_loop (%i = %z, %x = %b) : (tensor<i32>, tensor<1xf32>) -> (tensor<i32>, tensor<?xf32>) {
    %g = tosa.greater %n, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    tosa.yield %g : tensor<i1>
  } do {
  ^bb0(%i: tensor<i32>, %x: tensor<?xf32>):
    %j = tosa.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %y = tosa.concat %x, %x {axis = 0 : i32} : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    tosa.yield %j, %y : tensor<i32>, tensor<?xf32>
  }
  return %0#1 : tensor<?xf32>
}
"""


@pytest.mark.parametrize("taken", [True, False])
@pytest.mark.parametrize("argument", ["?", "4"])
def test_branches_yield_types_that_say_more(tmp_path, argument, taken):
    a, b = np.arange(4, dtype=np.float32), np.array([7], np.float32)
    text = BRANCHES.replace("ARG", argument).replace("RESULT", "?")
    outcome, found = runByData(tmp_path, text, np.array(taken), a, b)
    assert outcome.status == DONE, outcome.error
    np.testing.assert_array_equal(found, 2 * (b + b if taken else a + b))


def test_branches_yield_types_that_say_less(tmp_path):
    text = BRANCHES.replace("ARG", "?").replace("RESULT", "1")
    for length, status in ((1, DONE), (4, GUARD_FAILED)):
        a, b = np.arange(length, dtype=np.float32), np.array([7], np.float32)
        outcome, found = runByData(tmp_path, text, np.array(False), a, b)
        assert outcome.status == status, outcome.error
        if status == DONE:
            np.testing.assert_array_equal(found, 2 * (a + b))
        else:
            assert "'tosa.yield': result axis 0 has extent 1 but the operands give 4" in outcome.error


@pytest.mark.parametrize("rounds", [0, 1, 3])
def test_a_loop_begins_with_a_type_that_says_more(tmp_path, rounds):
    outcome, found = runByData(tmp_path, ROUNDS, np.array(rounds, np.int32), np.array([7], np.float32))
    assert outcome.status == DONE, outcome.error
    np.testing.assert_array_equal(found, np.full(2**rounds, 7, np.float32))


LOOPED = {
    "map": "%y = tosa.add %a, %x : (tensor<2x?x?xf32>, tensor<2x?x?xf32>) -> tensor<2x?x?xf32>",
    "reduction": """%s = tosa.reduce_sum %a {axis = 2 : i32} : (tensor<2x?x?xf32>) -> tensor<2x?x1xf32>
    %y = tosa.sub %a, %s : (tensor<2x?x?xf32>, tensor<2x?x1xf32>) -> tensor<2x?x?xf32>""",
    "product": """%y = tosa.matmul %a, %x, %z, %z :
        (tensor<2x?x?xf32>, tensor<2x?x?xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x?x?xf32>""",
    "copy": """%c = tosa.concat %a, %x {axis = 1 : i32} : (tensor<2x?x?xf32>, tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
    %y = tensor.extract_slice %c[0, 0, 0] [2, 3, %e] [1, 1, 1] : tensor<2x?x?xf32> to tensor<2x3x?xf32>""",
    "sort": """%p = tensor.empty(%r, %e) : tensor<2x?x?xi64>
    %y, %q = loom.sort %a into %x, %p {axis = 2 : i64} :
        (tensor<2x?x?xf32>, tensor<2x?x?xf32>, tensor<2x?x?xi64>) -> (tensor<2x?x?xf32>, tensor<2x?x?xi64>)""",
    "unranked": """%u = tensor.cast %a : tensor<2x?x?xf32> to tensor<*xf32>
    %v = tosa.abs %u : (tensor<*xf32>) -> tensor<*xf32>
    %y = tensor.cast %v : tensor<*xf32> to tensor<2x?x?xf32>""",
}


@pytest.mark.parametrize("body", LOOPED)
def test_memory_does_not_grow_with_a_loop(tmp_path, body):
    """What an operation needs while it runs is given back each time."""
    path = tmp_path / "program.mlir"
    made = "tensor<2x3x?xf32>" if body == "copy" else "tensor<2x?x?xf32>"
    path.write_text(f"""func.func @main(%x: tensor<2x?x?xf32>, %n: i64) -> tensor<2x?x?xf32> {{
  %z = "tosa.const"() {{values = dense<0.0> : tensor<1xf32>}} : () -> tensor<1xf32>
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %r = tensor.dim %x, %one : tensor<2x?x?xf32>
  %e = tensor.dim %x, %two : tensor<2x?x?xf32>
  %m = arith.index_cast %n : i64 to index
  %l = scf.for %i = %zero to %m step %one iter_args(%a = %x) -> tensor<2x?x?xf32> {{
    {LOOPED[body]}
    %t = tensor.cast %y : {made} to tensor<2x?x?xf32>
    scf.yield %t : tensor<2x?x?xf32>
  }}
  return %l : tensor<2x?x?xf32>
}}""")

    def peak(count):
        return peakMemory(path, "2x3x3xf32=0.5", f"i64={count}")

    assert peak(200_000) < peak(10) + 16_000


def peakMemory(path, *inputs):
    """Measures the peak memory of a run of the program, in KiB."""
    process = subprocess.Popen(
        [broadloom.PROGRAM, "run", path, *(f"--input={text}" for text in inputs)],
        stdout=subprocess.DEVNULL,
        env={**os.environ, "BROADLOOM_CACHE": "0"},
    )
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0
    return usage.ru_maxrss


CARRIES = {
    "for": """%r = scf.for %i = %zero to %n step %one iter_args(%a = %u) -> tensor<*xf32> {
    BODY
    scf.yield %v : tensor<*xf32>
  }""",
    "while": """%r, %k = scf.while (%a = %u, %i = %zero) : (tensor<*xf32>, index) -> (tensor<*xf32>, index) {
    %c = arith.cmpi slt, %i, %n : index
    scf.condition(%c) %a, %i : tensor<*xf32>, index
  } do {
  ^bb0(%a: tensor<*xf32>, %i: index):
    BODY
    %j = arith.addi %i, %one : index
    scf.yield %v, %j : tensor<*xf32>, index
  }""",
    "tosa": """%r, %k = tosa.while_loop (%a = %u, %i = %first) : (tensor<*xf32>, tensor<i64>) -> (tensor<*xf32>, tensor<i64>) {
    %c = tosa.greater %last, %i : (tensor<i64>, tensor<i64>) -> tensor<i1>
    tosa.yield %c : tensor<i1>
  } do {
  ^bb0(%a: tensor<*xf32>, %i: tensor<i64>):
    BODY
    %j = tosa.add %i, %next : (tensor<i64>, tensor<i64>) -> tensor<i64>
    tosa.yield %v, %j : tensor<*xf32>, tensor<i64>
  }""",
}
CARRIED = {
    "map": "%v = tosa.abs %a : (tensor<*xf32>) -> tensor<*xf32>",
    "cast": """%k0 = tensor.cast %a : tensor<*xf32> to tensor<?x?xf32>
    %k1 = tosa.negate %k0, %z, %z : (tensor<?x?xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x?xf32>
    %v = tensor.cast %k1 : tensor<?x?xf32> to tensor<*xf32>""",
    "branch": """%w = tosa.abs %a : (tensor<*xf32>) -> tensor<*xf32>
    %v = scf.if %p -> tensor<*xf32> {
      %k0 = tensor.cast %w : tensor<*xf32> to tensor<?x?xf32>
      %k1 = tosa.abs %k0 : (tensor<?x?xf32>) -> tensor<?x?xf32>
      %k2 = tensor.cast %k1 : tensor<?x?xf32> to tensor<*xf32>
      scf.yield %k2 : tensor<*xf32>
    } else {
      scf.yield %w : tensor<*xf32>
    }""",
    "call": "%v = func.call @twice(%a) : (tensor<*xf32>) -> tensor<*xf32>",
}


@pytest.mark.parametrize("body", CARRIED)
@pytest.mark.parametrize("loop", CARRIES)
def test_memory_does_not_grow_with_a_loop_that_carries_an_unranked_tensor(tmp_path, loop, body):
    """Neither the stack nor what a call keeps of tensors of unknown rank."""
    path = tmp_path / "program.mlir"
    path.write_text(f"""func.func private @twice(%a: tensor<*xf32>) -> tensor<*xf32> {{
  %b = tosa.abs %a : (tensor<*xf32>) -> tensor<*xf32>
  %c = tosa.abs %b : (tensor<*xf32>) -> tensor<*xf32>
  return %c : tensor<*xf32>
}}
func.func @main(%x: tensor<2x?xf32>, %last: tensor<i64>, %p: i1) -> tensor<*xf32> {{
  %z = "tosa.const"() {{values = dense<0.0> : tensor<1xf32>}} : () -> tensor<1xf32>
  %first = "tosa.const"() {{values = dense<0> : tensor<i64>}} : () -> tensor<i64>
  %next = "tosa.const"() {{values = dense<1> : tensor<i64>}} : () -> tensor<i64>
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %word = tensor.extract %last[] : tensor<i64>
  %n = arith.index_cast %word : i64 to index
  %u = tensor.cast %x : tensor<2x?xf32> to tensor<*xf32>
  {CARRIES[loop].replace("BODY", CARRIED[body])}
  return %r : tensor<*xf32>
}}""")

    def peak(count):
        return peakMemory(path, "2x3xf32=0.5", f"i64={count}", "i1=1")

    assert peak(300_000) < peak(10) + 8_000


@pytest.mark.parametrize("rounds", [0, 1, 2, 5])
def test_a_loop_exchanges_unranked_tensors(tmp_path, rounds):
    """What one round hands on is not written over while another value reads it."""
    outcome, found = runByData(
        tmp_path,
        """func.func @main(%n: tensor<i32>, %x: tensor<?xf32>) -> tensor<?xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %word = tensor.extract %n[] : tensor<i32>
  %m = arith.index_cast %word : i32 to index
  %two = "tosa.const"() {values = dense<2.0> : tensor<1x2xf32>} : () -> tensor<1x2xf32>
  %a = tensor.cast %x : tensor<?xf32> to tensor<*xf32>
  %b = tensor.cast %two : tensor<1x2xf32> to tensor<*xf32>
  %r, %s = scf.for %i = %zero to %m step %one iter_args(%p = %a, %q = %b) -> (tensor<*xf32>, tensor<*xf32>) {
    %k = tosa.exp %p : (tensor<*xf32>) -> tensor<*xf32>
    %l = tosa.log %k : (tensor<*xf32>) -> tensor<*xf32>
    scf.yield %q, %l : tensor<*xf32>, tensor<*xf32>
  }
  %t = tosa.sub %r, %s : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  %c = tensor.cast %t : tensor<*xf32> to tensor<?x?xf32>
  %e = tosa.reduce_sum %c {axis = 0 : i32} : (tensor<?x?xf32>) -> tensor<1x?xf32>
  %f = tensor.collapse_shape %e [[0, 1]] : tensor<1x?xf32> into tensor<?xf32>
  return %f : tensor<?xf32>
}""",
        np.array(rounds, np.int32),
        np.array([7, 5], np.float32),
    )
    assert outcome.status == DONE, outcome.error
    np.testing.assert_allclose(found, np.array([5, 3], np.float32) * (-1) ** rounds, rtol=1e-5)
