"""rt-12: functions that call themselves: results, shapes that change on the way down,
and an end that is an error and no crash."""

import broadloom
import numpy as np
import pytest
from broadloom import DONE, GUARD_FAILED
from element_types import TYPES

# 2^n * a, with the counter as data.
DOUBLE = """\
func.func @main(%a: {t}, %n: tensor<i64>) -> {t} {{
  %i = tensor.extract %n[] : tensor<i64>
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %done = arith.cmpi eq, %i, %c0 : i64
  %r = scf.if %done -> {t} {{
    scf.yield %a : {t}
  }} else {{
    %b = tosa.add %a, %a : ({t}, {t}) -> {t}
    %j = arith.subi %i, %c1 : i64
    %m = tensor.from_elements %j : tensor<i64>
    %c = func.call @main(%b, %m) : ({t}, tensor<i64>) -> {t}
    scf.yield %c : {t}
  }}
  return %r : {t}
}}
"""

# Two functions: each joins its argument to itself, and one adds 1.
JOIN = """\
func.func @main(%a: tensor<?xi32>, %n: tensor<i64>) -> tensor<?xi32> {
  %i = tensor.extract %n[] : tensor<i64>
  %c0 = arith.constant 0 : i64
  %more = arith.cmpi sgt, %i, %c0 : i64
  %r = scf.if %more -> tensor<?xi32> {
    %b = tosa.concat %a, %a {axis = 0 : i32} : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
    %c = func.call @next(%b, %i) : (tensor<?xi32>, i64) -> tensor<?xi32>
    scf.yield %c : tensor<?xi32>
  } else {
    scf.yield %a : tensor<?xi32>
  }
  return %r : tensor<?xi32>
}
func.func private @next(%a: tensor<?xi32>, %i: i64) -> tensor<?xi32> {
  %one = "tosa.const"() {values = dense<1> : tensor<1xi32>} : () -> tensor<1xi32>
  %b = tosa.add %a, %one : (tensor<?xi32>, tensor<1xi32>) -> tensor<?xi32>
  %c1 = arith.constant 1 : i64
  %j = arith.subi %i, %c1 : i64
  %m = tensor.from_elements %j : tensor<i64>
  %c = func.call @main(%b, %m) : (tensor<?xi32>, tensor<i64>) -> tensor<?xi32>
  %d = tosa.add %c, %c : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  return %d : tensor<?xi32>
}
"""

# Twice: fib(n), of numbers that are no tensors.
FIBONACCI = """\
func.func private @fibonacci(%n: i64) -> i64 {
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %small = arith.cmpi sle, %n, %c1 : i64
  %r = scf.if %small -> i64 {
    scf.yield %n : i64
  } else {
    %a = arith.subi %n, %c1 : i64
    %b = arith.subi %n, %c2 : i64
    %x = func.call @fibonacci(%a) : (i64) -> i64
    %y = func.call @fibonacci(%b) : (i64) -> i64
    %s = arith.addi %x, %y : i64
    scf.yield %s : i64
  }
  return %r : i64
}
func.func @main(%n: tensor<i64>) -> tensor<i64> {
  %i = tensor.extract %n[] : tensor<i64>
  %f = func.call @fibonacci(%i) : (i64) -> i64
  %r = tensor.from_elements %f : tensor<i64>
  return %r : tensor<i64>
}
"""


def run(folder, text, arrays, kind):
    """`broadloom run`; there is no shape query (abi-2)."""
    path, output = folder / "program.mlir", folder / "out.npy"
    path.write_text(text)
    output.unlink(missing_ok=True)
    names = []
    for i, array in enumerate(arrays):
        names.append(folder / f"in{i}.npy")
        np.save(names[-1], array)
    outcome = broadloom.call("run", path, *(f"--input={name}" for name in names), f"--output={output}")
    assert output.exists() == (outcome.status == DONE)
    queried = broadloom.call("shapes", path, *("--input=" + "x".join(map(str, a.shape)) for a in arrays))
    assert queried.status == DONE and "it calls itself, or a function that does" in queried.error, queried
    return outcome, np.load(output).astype(TYPES[kind].dtype) if outcome.status == DONE else None


@pytest.mark.parametrize("kind", ["tensor<3x5xf32>", "tensor<?x?xf32>"])
@pytest.mark.parametrize("depth", [0, 1, 5, 100])
def test_one_function(tmp_path, kind, depth):
    a = np.arange(15, dtype=np.float32).reshape(3, 5)
    outcome, found = run(tmp_path, DOUBLE.format(t=kind), [a, np.array(depth)], "f32")
    assert outcome.status == DONE, outcome.error
    assert np.array_equal(found, a * np.float32(2.0**depth))


def test_deep_recursion_of_small_tensors(tmp_path):
    a = np.zeros(4, np.float32)
    outcome, found = run(tmp_path, DOUBLE.format(t="tensor<?xf32>"), [a, np.array(3000)], "f32")
    assert outcome.status == DONE, outcome.error
    assert np.array_equal(found, a)


@pytest.mark.parametrize("depth", [0, 1, 2, 6])
def test_shapes_that_grow(tmp_path, depth):
    a = np.arange(3, dtype=np.int32)
    outcome, found = run(tmp_path, JOIN, [a, np.array(depth)], "i32")
    assert outcome.status == DONE, outcome.error
    assert np.array_equal(found, (np.tile(a, 2**depth) + depth) * 2**depth)


def test_scalars(tmp_path):
    outcome, found = run(tmp_path, FIBONACCI, [np.array(20)], "i64")
    assert outcome.status == DONE, outcome.error
    assert found == 6765


@pytest.mark.parametrize(
    "text, arrays, name",
    [
        (DOUBLE.format(t="tensor<?xf32>"), [np.zeros(4, np.float32), np.array(-1)], "main"),
        (FIBONACCI.replace("arith.cmpi sle", "arith.cmpi eq"), [np.array(-1)], "fibonacci"),
    ],
)
def test_no_end(tmp_path, text, arrays, name):
    outcome, _ = run(tmp_path, text, arrays, "f32")
    assert outcome.status == GUARD_FAILED
    assert f"'func.func': calls of '{name}' inside each other go deeper than the stack allows" in outcome.error


def test_a_guard_that_fails_on_the_way_down(tmp_path):
    text = (
        DOUBLE.format(t="tensor<?xf32>")
        .replace("func.call @main(%b, %m)", "func.call @main(%s, %m)")
        .replace(
            "    %m =",
            """    %o = tosa.const_shape {values = dense<0> : tensor<1xindex>} : () -> !tosa.shape<1>
    %z = tosa.const_shape {values = dense<4> : tensor<1xindex>} : () -> !tosa.shape<1>
    %s = tosa.slice %b, %o, %z : (tensor<?xf32>, !tosa.shape<1>, !tosa.shape<1>) -> tensor<?xf32>
    %m =""",
        )
    )
    outcome, found = run(tmp_path, text, [np.ones(6, np.float32), np.array(3)], "f32")
    assert outcome.status == DONE and np.array_equal(found, np.full(4, 8, np.float32)), outcome.error
    outcome, _ = run(tmp_path, text, [np.ones(3, np.float32), np.array(3)], "f32")
    assert outcome.status == GUARD_FAILED and "tosa.slice" in outcome.error, outcome.error
