"""Elements of integer lists are known where they are constants, but not where control
flow hands on another list: an index that such an element gives is guarded (rt-9)."""

import broadloom
import numpy as np
import pytest
from broadloom import GUARD_FAILED
from element_types import TYPES

HEAD = """
  %a = arith.constant dense<[1, 0]> : tensor<2xi64>
  %b = arith.constant dense<[500000000, 1]> : tensor<2xi64>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %z = arith.constant 0 : i64
"""
# Reads the first element of a list, and with that a list of two elements.
READ = """
    %v = tensor.extract LIST[%c0] : tensor<2xi64>
    %vi = arith.index_cast %v : i64 to index
    %w = tensor.extract %a[%vi] : tensor<2xi64>
"""
PROGRAMS = {
    "a loop": """
func.func @main(%n: index) -> i64 {
HEAD
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %a, %u = %z) -> (tensor<2xi64>, i64) {
READ %t
    scf.yield %b, %w : tensor<2xi64>, i64
  }
  return %r#1 : i64
}
""",
    "a loop of blocks": """
func.func @main(%n: index) -> i64 {
HEAD
  cf.br ^l(%c0, %a, %z : index, tensor<2xi64>, i64)
^l(%i: index, %t: tensor<2xi64>, %u: i64):
READ %t
  %j = arith.addi %i, %c1 : index
  %d = arith.cmpi ult, %j, %n : index
  cf.cond_br %d, ^l(%j, %b, %w : index, tensor<2xi64>, i64), ^e(%w : i64)
^e(%r: i64):
  return %r : i64
}
""",
    "two edges to a block": """
func.func @main(%n: index) -> i64 {
HEAD
  %d = arith.cmpi ult, %n, %c2 : index
  cf.cond_br %d, ^l(%a : tensor<2xi64>), ^l(%b : tensor<2xi64>)
^l(%t: tensor<2xi64>):
READ %t
  return %w : i64
}
""",
    "the body of a while loop": """
func.func @main(%n: index) -> i64 {
HEAD
  %r:3 = scf.while (%i = %c0, %t = %a, %u = %z) : (index, tensor<2xi64>, i64) -> (index, tensor<2xi64>, i64) {
    %d = arith.cmpi ult, %i, %n : index
    scf.condition(%d) %i, %t, %u : index, tensor<2xi64>, i64
  } do {
  ^bb0(%i: index, %t: tensor<2xi64>, %u: i64):
READ %t
    %j = arith.addi %i, %c1 : index
    scf.yield %j, %b, %w : index, tensor<2xi64>, i64
  }
  return %r#2 : i64
}
""",
    "the condition of a while loop": """
func.func @main(%n: index) -> i64 {
HEAD
  %r:3 = scf.while (%i = %c0, %t = %a, %u = %z) : (index, tensor<2xi64>, i64) -> (index, tensor<2xi64>, i64) {
READ %t
    %d = arith.cmpi ult, %i, %n : index
    scf.condition(%d) %i, %t, %w : index, tensor<2xi64>, i64
  } do {
  ^bb0(%i: index, %t: tensor<2xi64>, %u: i64):
    %j = arith.addi %i, %c1 : index
    scf.yield %j, %b, %u : index, tensor<2xi64>, i64
  }
  return %r#2 : i64
}
""",
    "a loop in a loop": """
func.func @main(%n: index) -> i64 {
HEAD
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %a, %u = %z) -> (tensor<2xi64>, i64) {
    %q:2 = scf.for %k = %c0 to %c1 step %c1 iter_args(%tt = %t, %uu = %u) -> (tensor<2xi64>, i64) {
READ %tt
      scf.yield %tt, %w : tensor<2xi64>, i64
    }
    scf.yield %b, %q#1 : tensor<2xi64>, i64
  }
  return %r#1 : i64
}
""",
    "the result of a loop": """
func.func @main(%n: index) -> i64 {
HEAD
  %t = scf.for %i = %c0 to %n step %c1 iter_args(%t = %a) -> tensor<2xi64> {
    scf.yield %b : tensor<2xi64>
  }
READ %t
  return %w : i64
}
""",
    "two calls": """
func.func private @g(%t: tensor<2xi64>) -> i64 {
HEAD
READ %t
  return %w : i64
}
func.func @main(%n: index) -> i64 {
HEAD
  %x = func.call @g(%a) : (tensor<2xi64>) -> i64
  %y = func.call @g(%b) : (tensor<2xi64>) -> i64
  %s = arith.addi %x, %y : i64
  return %s : i64
}
""",
    "two returns": """
func.func private @g(%n: index) -> tensor<2xi64> {
HEAD
  %d = arith.cmpi ult, %n, %c2 : index
  cf.cond_br %d, ^x, ^y
^x:
  return %a : tensor<2xi64>
^y:
  return %b : tensor<2xi64>
}
func.func @main(%n: index) -> i64 {
HEAD
  %t = func.call @g(%n) : (index) -> tensor<2xi64>
READ %t
  return %w : i64
}
""",
    "a loop that writes it": """
func.func @main(%n: index) -> i64 {
HEAD
  %e = tensor.empty() : tensor<2xi64>
  %t = scf.forall (%i) in (2) shared_outs(%o = %a) -> tensor<2xi64> {
    %s = tensor.extract_slice %b[%i][1][1] : tensor<2xi64> to tensor<1xi64>
    scf.forall.in_parallel { tensor.parallel_insert_slice %s into %o[%i][1][1] : tensor<1xi64> into tensor<2xi64> }
  }
READ %t
  return %w : i64
}
""",
    "a list made of a carried number": """
func.func @main(%n: index) -> i64 {
HEAD
  %one = arith.constant 1 : i64
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%k = %one, %u = %z) -> (i64, i64) {
    %t = tensor.from_elements %k, %k : tensor<2xi64>
READ %t
    %k2 = arith.constant 500000000 : i64
    scf.yield %k2, %w : i64, i64
  }
  return %r#1 : i64
}
""",
    "a row of a table": """
func.func @main(%n: index) -> i64 {
HEAD
  %m = arith.constant dense<[[1, 1], [500000000, 1]]> : tensor<2x2xi64>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%u = %z) -> i64 {
    %v = tensor.extract %m[%i, %c0] : tensor<2x2xi64>
    %vi = arith.index_cast %v : i64 to index
    %w = tensor.extract %a[%vi] : tensor<2xi64>
    scf.yield %w : i64
  }
  return %r : i64
}
""",
    "a loop of tosa": """
func.func @main(%n: tensor<i32>) -> i64 {
HEAD
  %i0 = arith.constant dense<0> : tensor<i32>
  %i1 = arith.constant dense<1> : tensor<i32>
  %u0 = arith.constant dense<0> : tensor<i64>
  %r:3 = tosa.while_loop (%i = %i0, %t = %a, %u = %u0) : (tensor<i32>, tensor<2xi64>, tensor<i64>) -> (tensor<i32>, tensor<2xi64>, tensor<i64>) {
    %c = tosa.greater %n, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    tosa.yield %c : tensor<i1>
  } do {
  ^bb0(%i: tensor<i32>, %t: tensor<2xi64>, %u: tensor<i64>):
READ %t
    %j = tosa.add %i, %i1 : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %uu = tensor.from_elements %w : tensor<i64>
    tosa.yield %j, %b, %uu : tensor<i32>, tensor<2xi64>, tensor<i64>
  }
  %x = tensor.extract %r#2[] : tensor<i64>
  return %x : i64
}
""",
    "a recursive call": """
func.func private @g(%n: index, %t: tensor<2xi64>) -> i64 {
HEAD
READ %t
  %d = arith.cmpi eq, %n, %c0 : index
  cf.cond_br %d, ^x, ^y
^x:
  return %w : i64
^y:
  %k = arith.subi %n, %c1 : index
  %q = func.call @g(%k, %b) : (index, tensor<2xi64>) -> i64
  return %q : i64
}
func.func @main(%n: index) -> i64 {
HEAD
  %x = func.call @g(%n, %a) : (index, tensor<2xi64>) -> i64
  return %x : i64
}
""",
    "a region of blocks": """
func.func @main(%n: index) -> i64 {
HEAD
  %t = scf.execute_region -> tensor<2xi64> {
    %d = arith.cmpi ult, %n, %c2 : index
    cf.cond_br %d, ^x(%a : tensor<2xi64>), ^x(%b : tensor<2xi64>)
  ^x(%q: tensor<2xi64>):
    scf.yield %q : tensor<2xi64>
  }
READ %t
  return %w : i64
}
""",
    "a carried number": """
func.func @main(%n: index) -> i64 {
HEAD
  %big = arith.constant 500000000 : i64
  %one = arith.constant 1 : i64
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %one, %u = %z) -> (i64, i64) {
    %vi = arith.index_cast %t : i64 to index
    %w = tensor.extract %a[%vi] : tensor<2xi64>
    scf.yield %big, %w : i64, i64
  }
  return %r#1 : i64
}
""",
    "a selection": """
func.func @main(%n: index) -> i64 {
HEAD
  %d = arith.cmpi ult, %n, %c2 : index
  %t = arith.select %d, %a, %b : tensor<2xi64>
READ %t
  return %w : i64
}
""",
    "an inserted element": """
func.func @main(%n: index) -> i64 {
HEAD
  %five = arith.constant 500000000 : i64
  %t = tensor.insert %five into %a[%c0] : tensor<2xi64>
READ %t
  return %w : i64
}
""",
}


@pytest.mark.parametrize("options", [[], ["--strategy=rfc"]])
@pytest.mark.parametrize("name", PROGRAMS)
def test_rt9_elements_that_change(tmp_path, name, options):
    lines = []
    for line in PROGRAMS[name].splitlines():
        word, *rest = line.split() or [""]
        lines.append(HEAD if word == "HEAD" else READ.replace("LIST", rest[0]) if word == "READ" else line)
    number = np.array(2, np.int32 if "tosa.while_loop" in PROGRAMS[name] else np.int64)
    outcome, _ = broadloom.run(tmp_path, "\n".join(lines), [number], [TYPES["i64"]], *options)
    assert outcome.status == GUARD_FAILED
    assert "'tensor.extract': index 500000000 is outside axis 0, which has extent 2" in outcome.error
