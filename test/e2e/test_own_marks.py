"""Attributes by which passes tell later ones what they have checked: a text that has them is compiled as one without."""

import re

import broadloom
import pytest
from memory_programs import function

ADD = """\
func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> attributes {loom.entry} {
  %b = tosa.add %a, %a : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %b : tensor<?xf32>
}
"""
ASSERTION = """\
func.func private @check(%n: index, %a: index, %b: index) {
  %zero = arith.constant 0 : index
  %isGood = arith.cmpi sgt, %n, %zero : index
  cf.assert %isGood, "n is not positive"
  return
}
func.func @main(%n: tensor<i64>) -> tensor<i64> {
  %v = tensor.extract %n[] : tensor<i64>
  %i = arith.index_cast %v : i64 to index
  %zero = arith.constant 0 : index
  call @check(%i, %zero, %zero) {loom.parallel_loop} : (index, index, index) -> ()
  return %n : tensor<i64>
}
"""
EXPONENTIAL = """\
#id = affine_map<(i) -> (i)>
func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {
  %zero = arith.constant 0 : index
  %n = tensor.dim %a, %zero : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : tensor<?xf32>)
      outs(%e : tensor<?xf32>) {
  ^bb0(%x: f32, %y: f32):
    %z = math.exp %x {loom.at_most_zero} : f32
    linalg.yield %z : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}
"""


def run(tmp_path, text, *inputs):
    (tmp_path / "p.mlir").write_text(text)
    return broadloom.call("run", tmp_path / "p.mlir", *(f"--input={text}" for text in inputs))


@pytest.mark.parametrize("mark", ["loom.entry", 'loom.entry = {name = "f", arguments = [], results = [], planned = 0}'])
def test_entries(tmp_path, mark):
    outcome = run(tmp_path, ADD.replace("loom.entry", mark), "2xf32=1 2")
    assert outcome.status == broadloom.DONE and re.search(r"\b2\.? +4\b", outcome.out), outcome


def test_assertions_are_not_skipped(tmp_path):
    outcome = run(tmp_path, ASSERTION, "i64=-1")
    assert outcome.status == broadloom.GUARD_FAILED and "n is not positive" in outcome.error, outcome


def test_exponentials_are_those_of_all_numbers(tmp_path):
    assert "inf" in run(tmp_path, EXPONENTIAL, "2xf32=200 0").out


@pytest.mark.parametrize("numbers", ["0", "1000"])
def test_memory_is_the_callers(tmp_path, numbers):
    text = function("%a: memref<4xf32>", "return").replace(
        ") {", f") attributes {{loom.tensor_arguments = array<i64: {numbers}>}} {{", 1
    )
    assert run(tmp_path, text, "4xf32=1").status == broadloom.DONE
