"""What the walk knows of calls, branches, loops and promises becomes types, and
the values stay the same (sf-8, bcast-6, rt-8): each program with extents that are
static behind a cast, dynamic, promised, and wrong."""

import broadloom
import numpy as np
import pytest
from broadloom import DONE, GUARD_FAILED

# Each takes %x and the 4x5 tensor %b, and gives %r: twice x and b beside them,
# backwards where x has 4 rows, as b does.
CALL = (
    "%r = func.call @beside(%x, %b) : (tensor<?x?xf32>, tensor<4x5xf32>) -> tensor<?x?xf32>\n"
    "%v = tosa.reverse %r {axis = 1 : i32} : (tensor<?x?xf32>) -> tensor<?x?xf32>\n"
)
BRANCH = """
%c1 = arith.constant 1 : index
%c5 = arith.constant 5 : index
%m = tensor.dim %x, %c1 : tensor<?x?xf32>
%is = arith.cmpi eq, %m, %c5 : index
%r = scf.if %is -> (tensor<?x?xf32>) {
  %s = func.call @beside(%x, %b) : (tensor<?x?xf32>, tensor<4x5xf32>) -> tensor<?x?xf32>
  %t = tosa.reverse %s {axis = 1 : i32} : (tensor<?x?xf32>) -> tensor<?x?xf32>
  scf.yield %t : tensor<?x?xf32>
} else {
  %s = tosa.concat %b, %x, %x {axis = 1 : i32} : (tensor<4x5xf32>, tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %t = tosa.reverse %s {axis = 1 : i32} : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %u = tosa.identity %t : (tensor<?x?xf32>) -> tensor<?x?xf32>
  scf.yield %u : tensor<?x?xf32>
}
%v = tosa.identity %r : (tensor<?x?xf32>) -> tensor<?x?xf32>
"""
LOOP = """
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c3 = arith.constant 3 : index
%s = func.call @beside(%x, %b) : (tensor<?x?xf32>, tensor<4x5xf32>) -> tensor<?x?xf32>
%r = scf.for %i = %c0 to %c3 step %c1 iter_args(%y = %s) -> (tensor<?x?xf32>) {
  %t = tosa.reverse %y {axis = 1 : i32} : (tensor<?x?xf32>) -> tensor<?x?xf32>
  scf.yield %t : tensor<?x?xf32>
}
%v = tosa.identity %r : (tensor<?x?xf32>) -> tensor<?x?xf32>
"""
BLOCKS = """
%c0 = arith.constant 0 : index
%c4 = arith.constant 4 : index
%n = tensor.dim %x, %c0 : tensor<?x?xf32>
%is = arith.cmpi eq, %n, %c4 : index
%s = func.call @beside(%x, %b) : (tensor<?x?xf32>, tensor<4x5xf32>) -> tensor<?x?xf32>
cf.cond_br %is, ^yes, ^no
^yes:
%t = tosa.reverse %s {axis = 1 : i32} : (tensor<?x?xf32>) -> tensor<?x?xf32>
cf.br ^both(%t : tensor<?x?xf32>)
^no:
%u = tosa.exp %s : (tensor<?x?xf32>) -> tensor<?x?xf32>
cf.br ^both(%u : tensor<?x?xf32>)
^both(%w: tensor<?x?xf32>):
%v = tosa.identity %w : (tensor<?x?xf32>) -> tensor<?x?xf32>
"""
TOSA = """
%no = "tosa.const"() {values = dense<false> : tensor<i1>} : () -> tensor<i1>
%s = tosa.cond_if %no (%y = %x) : tensor<i1> (tensor<?x?xf32>) -> tensor<?x?xf32> {
^bb0(%y: tensor<?x?xf32>):
  %t = tosa.exp %y : (tensor<?x?xf32>) -> tensor<?x?xf32>
  tosa.yield %t : tensor<?x?xf32>
} else {
^bb0(%y: tensor<?x?xf32>):
  tosa.yield %y : tensor<?x?xf32>
}
%i = "tosa.const"() {values = dense<0> : tensor<i32>} : () -> tensor<i32>
%q:2 = tosa.while_loop (%j = %i, %y = %s) : (tensor<i32>, tensor<?x?xf32>) -> (tensor<i32>, tensor<?x?xf32>) {
  %end = "tosa.const"() {values = dense<2> : tensor<i32>} : () -> tensor<i32>
  %more = tosa.greater %end, %j : (tensor<i32>, tensor<i32>) -> tensor<i1>
  tosa.yield %more : tensor<i1>
} do {
^bb0(%j: tensor<i32>, %y: tensor<?x?xf32>):
  %one = "tosa.const"() {values = dense<1> : tensor<i32>} : () -> tensor<i32>
  %k = tosa.add %j, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %t = tosa.reverse %y {axis = 1 : i32} : (tensor<?x?xf32>) -> tensor<?x?xf32>
  tosa.yield %k, %t : tensor<i32>, tensor<?x?xf32>
}
%r = func.call @beside(%q#1, %b) : (tensor<?x?xf32>, tensor<4x5xf32>) -> tensor<?x?xf32>
%v = tosa.reverse %r {axis = 1 : i32} : (tensor<?x?xf32>) -> tensor<?x?xf32>
"""
BODIES = {"call": CALL, "branch": BRANCH, "loop": LOOP, "blocks": BLOCKS, "tosa": TOSA}

BESIDE = """
func.func private @beside(%x: tensor<?x?xf32>, %b: tensor<4x5xf32>) -> tensor<?x?xf32> {
  %r = tosa.concat %b, %x, %x {axis = 1 : i32} : (tensor<4x5xf32>, tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
"""
# The argument, its attribute, and what it is called inside.
ARGUMENTS = {
    "static": ("tensor<4x5xf32>", ""),
    "dynamic": ("tensor<?x?xf32>", ""),
    "promised": ("tensor<?x?xf32>", " {loom.extents = #loom.extents<[4, n] where n = 1 to 9>}"),
}


def write(kind, body):
    type_, attribute = ARGUMENTS[kind]
    cast = f"%x = tensor.cast %a : {type_} to tensor<?x?xf32>\n" if kind == "static" else ""
    text = BODIES[body] if cast else BODIES[body].replace("%x", "%a")
    return (
        f"{BESIDE}func.func @main(%a: {type_}{attribute}, %b: tensor<4x5xf32>)"
        f" -> tensor<?x?xf32> {{\n{cast}{text}return %v : tensor<?x?xf32>\n}}\n"
    )


def run(folder, kind, body, a, b):
    """ShapeQueries tell the shapes of calls and branches, and no loop's or
    block's; so the program is only run."""
    (folder / "program.mlir").write_text(write(kind, body))
    np.save(folder / "a.npy", a)
    np.save(folder / "b.npy", b)
    return broadloom.call(
        "run",
        folder / "program.mlir",
        f"--input={folder / 'a.npy'}",
        f"--input={folder / 'b.npy'}",
        f"--output={folder / 'out.npy'}",
    )


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize(
    "kind, columns", [("static", 5), ("dynamic", 5), ("dynamic", 3), ("promised", 5), ("promised", 2)]
)
def test_sf8_values(tmp_path, body, kind, columns):
    a = np.arange(4 * columns, dtype=np.float32).reshape(4, columns)
    b = -np.arange(20, dtype=np.float32).reshape(4, 5)
    outcome = run(tmp_path, kind, body, a, b)
    assert outcome.status == DONE, outcome.error
    np.testing.assert_array_equal(np.load(tmp_path / "out.npy"), np.concatenate([b, a, a], axis=1)[:, ::-1])


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("kind", ["dynamic", "promised"])
def test_sf8_wrong(tmp_path, body, kind):
    outcome = run(tmp_path, kind, body, np.ones((3, 5), np.float32), np.ones((4, 5), np.float32))
    assert outcome.status == GUARD_FAILED, outcome.error
    assert (
        "argument 'a', axis 0 has extent 3, but 4 is declared" if kind == "promised" else "'tosa.concat': "
    ) in outcome.error
    assert not (tmp_path / "out.npy").exists()


COPIED = """
func.func private @f(%x: tensor<?x3xf32>) -> tensor<?x?xf32> {
  %r = tosa.reverse %x {axis = 0 : i32} : (tensor<?x3xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
func.func @main(%a: TYPE, %b: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %w = tensor.cast %a : TYPE to tensor<?x3xf32>
  %v = func.call @f(%w) : (tensor<?x3xf32>) -> tensor<?x?xf32>
  %r:2 = scf.for %i = %c0 to %c2 step %c1 iter_args(%x = %b, %y = %b)
      -> (tensor<?x?xf32>, tensor<?x?xf32>) {
    scf.yield %v, %v : tensor<?x?xf32>, tensor<?x?xf32>
  }
  return %r#0, %r#1 : tensor<?x?xf32>, tensor<?x?xf32>
}
"""


@pytest.mark.parametrize("type_", ["tensor<2x3xf32>", "tensor<?x?xf32>"])
def test_results_of_calls_are_copied_as_they_are(tmp_path, type_):
    """What a function returns has a better type than its callers know."""
    a = np.arange(6, dtype=np.float32).reshape(2, 3)
    np.save(tmp_path / "a.npy", a)
    (tmp_path / "program.mlir").write_text(COPIED.replace("TYPE", type_))
    outcome = broadloom.call(
        "run",
        tmp_path / "program.mlir",
        f"--input={tmp_path / 'a.npy'}",
        "--input=5x1xf32=1",
        f"--output={tmp_path / '0.npy'}",
        f"--output={tmp_path / '1.npy'}",
    )
    assert outcome.status == DONE, outcome.error
    for i in range(2):
        np.testing.assert_array_equal(np.load(tmp_path / f"{i}.npy"), a[::-1])
