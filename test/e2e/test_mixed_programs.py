"""Functions with tensors and memory (mem-9): values against NumPy, and errors by their text."""

import broadloom
import numpy as np
import pytest
from memory_programs import fails, function, refuses, run


def call(folder, text, inputs, *options):
    """The results and what arguments that are memory hold behind it, as the command line prints them."""
    (folder / "p.mlir").write_text(text)
    outcome = broadloom.call("run", folder / "p.mlir", *(f"--input={i}" for i in inputs), *options)
    assert outcome.status == broadloom.DONE, outcome.error
    return outcome.out


MIXED = """\
func.func @main(%m: memref<{0}xf32>, %t: tensor<{0}xf32>) -> tensor<{0}xf32> {{
  %a = bufferization.to_tensor %m restrict : memref<{0}xf32> to tensor<{0}xf32>
  %nine = arith.constant 9.0 : f32
  %c0 = arith.constant 0 : index
  memref.store %nine, %m[%c0] : memref<{0}xf32>
  %s = tosa.add %a, %t : (tensor<{0}xf32>, tensor<{0}xf32>) -> tensor<{0}xf32>
  %n = tosa.negate %s, %z, %z : (tensor<{0}xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<{0}xf32>
  bufferization.materialize_in_destination %n in restrict writable %m : (tensor<{0}xf32>, memref<{0}xf32>) -> ()
  return %s : tensor<{0}xf32>
}}
""".replace("  %nine", '  %z = "tosa.const"() {{values = dense<0.0> : tensor<1xf32>}} : () -> tensor<1xf32>\n  %nine')


@pytest.mark.parametrize("extent", ["?", "3"])
def test_arguments_and_results_of_both_kinds(tmp_path, extent):
    """A tensor is what memory held when it was taken."""
    out = call(tmp_path, MIXED.format(extent), ["3xf32=1 2 3", "3xf32=0 1 0"])
    assert out == "[1. 3. 3.]\nargument 'm':\n[-1. -3. -3.]\n"


def test_errors(tmp_path):
    (tmp_path / "p.mlir").write_text(MIXED.format("?"))
    error = lambda *inputs: broadloom.call("run", tmp_path / "p.mlir", *(f"--input={i}" for i in inputs)).error
    assert "'tosa.add': operands are not broadcast-compatible along axis 0: extents 3 and 2" in error(
        "3xf32=1 2 3", "2xf32=0 1"
    )
    assert (
        "'bufferization.materialize_in_destination': axis 0 of the tensor has extent 3, but axis 0 of argument "
        "'m' has 1"
    ) in error("1xf32=1", "3xf32=1 2 3")


BOTH = """\
func.func private @soften(%t: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = tosa.tanh %t : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
func.func private @fill(%m: memref<?x?xf32>, %x: f32) {
  linalg.fill ins(%x : f32) outs(%m : memref<?x?xf32>)
  return
}
func.func @main(%a: memref<?x?xf32>, %b: memref<?x?xf32, strided<[?, ?], offset: ?>>, %x: f32) -> memref<?x?xf32> {
  %0 = bufferization.to_tensor %a restrict : memref<?x?xf32> to tensor<?x?xf32>
  %1 = func.call @soften(%0) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  func.call @fill(%a, %x) : (memref<?x?xf32>, f32) -> ()
  %2 = bufferization.to_tensor %b restrict : memref<?x?xf32, strided<[?, ?], offset: ?>> to tensor<?x?xf32>
  %3 = tosa.add %1, %2 : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %4 = bufferization.to_buffer %3 : tensor<?x?xf32> to memref<?x?xf32>
  linalg.add ins(%4, %a : memref<?x?xf32>, memref<?x?xf32>) outs(%4 : memref<?x?xf32>)
  %5 = bufferization.clone %4 : memref<?x?xf32> to memref<?x?xf32>
  memref.dealloc %4 : memref<?x?xf32>
  return %5 : memref<?x?xf32>
}
func.func @alone(%a: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = tosa.add %a, %a : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
"""


def test_calls_of_functions_of_either_kind(tmp_path):
    out = call(tmp_path, BOTH, ["1x2xf32=0.5 1", "1x2xf32=1 2", "f32=10"], "--function=main")
    expected = np.tanh(np.float32([0.5, 1])) + [1, 2] + 10
    np.testing.assert_allclose(np.fromstring(out.split("\n")[0].strip("[]"), sep=" "), expected, rtol=1e-6)
    assert "argument 'a':\n[[10. 10.]]" in out
    assert call(tmp_path, BOTH, ["1x2xf32=0.5 1"], "--function=alone") == "[[1. 2.]]\n"


LOOP = """\
func.func @main(%m: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %w = arith.constant dense<0.5> : tensor<1xf32>
  %s = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  scf.for %i = %c0 to %n step %c1 {
    %0 = bufferization.to_tensor %m restrict : memref<?xf32> to tensor<?xf32>
    %1 = tosa.mul %0, %w, %s : (tensor<?xf32>, tensor<1xf32>, tensor<1xi8>) -> tensor<?xf32>
    %first = memref.load %m[%i] : memref<?xf32>
    %dim = tensor.dim %1, %c0 : tensor<?xf32>
    %last = arith.subi %dim, %c1 : index
    %x = tensor.extract %1[%last] : tensor<?xf32>
    %small = arith.cmpf olt, %x, %first : f32
    scf.if %small {
      bufferization.materialize_in_destination %1 in restrict writable %m : (tensor<?xf32>, memref<?xf32>) -> ()
    }
  }
  return
}
"""


def test_tensors_in_loops_over_memory(tmp_path):
    m = np.float32([8, 6, 4, 2])
    _, (after,) = run(tmp_path, LOOP, [m], ["i64=4"])
    expected = m.copy()
    for i in range(4):
        if expected[-1] * np.float32(0.5) < expected[i]:
            expected *= np.float32(0.5)
    np.testing.assert_array_equal(after, expected)
    assert "index 4 is outside axis 0 of argument 'm', whose extent is 4" in fails(tmp_path, LOOP, [m], ["i64=5"])
    assert run(tmp_path, LOOP, [np.ones(1 << 18, np.float32)], ["i64=5000"])[0].status == broadloom.DONE


BRANCH = """\
func.func @main(%m: memref<?xf32>, %t: i1) -> tensor<?xf32> {
  %0 = bufferization.to_tensor %m : memref<?xf32> to tensor<?xf32>
  %1 = scf.if %t -> tensor<?xf32> {
    %2 = tosa.exp %0 : (tensor<?xf32>) -> tensor<?xf32>
    scf.yield %2 : tensor<?xf32>
  } else {
    scf.yield %0 : tensor<?xf32>
  }
  %3 = bufferization.alloc_tensor() copy(%1) : tensor<?xf32>
  return %3 : tensor<?xf32>
}
"""


def test_branches_over_tensors(tmp_path):
    assert call(tmp_path, BRANCH, ["2xf32=0 1", "i1=0"]).startswith("[0. 1.]\n")
    assert call(tmp_path, BRANCH, ["2xf32=0 0", "i1=1"]).startswith("[1. 1.]\n")


def test_tensors_of_memory_as_they_are(tmp_path):
    text = function(
        "%m: memref<?xf32>, %t: tensor<?xf32>, %x: f32",
        """\
  %0 = bufferization.to_tensor %m : memref<?xf32> to tensor<?xf32>
  linalg.fill ins(%x : f32) outs(%m : memref<?xf32>)
  %1 = bufferization.to_buffer %t : tensor<?xf32> to memref<?xf32, strided<[?], offset: ?>>
  linalg.fill ins(%x : f32) outs(%1 : memref<?xf32, strided<[?], offset: ?>>)
  %c = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %2 = bufferization.to_buffer %c : tensor<2xf32> to memref<2xf32>
  return %0, %t, %1, %2 : tensor<?xf32>, tensor<?xf32>, memref<?xf32, strided<[?], offset: ?>>, memref<2xf32>""",
        " -> (tensor<?xf32>, tensor<?xf32>, memref<?xf32, strided<[?], offset: ?>>, memref<2xf32>)",
    )
    assert call(tmp_path, text, ["2xf32=3 4", "2xf32=5 6", "f32=7"]) == (
        "[3. 4.]\n[5. 6.]\n[7. 7.]\n[1. 2.]\nargument 'm':\n[7. 7.]\n"
    )


CALLERS = """\
func.func private @store(%t: tensor<?xf32>, %x: f32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %m = bufferization.to_buffer %t : tensor<?xf32> to memref<?xf32>
  memref.store %x, %m[%c0] : memref<?xf32>
  %r = bufferization.to_tensor %m : memref<?xf32> to tensor<?xf32>
  return %r : tensor<?xf32>
}
func.func @main(%t: tensor<?xf32>, %x: f32) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = tosa.exp %t : (tensor<?xf32>) -> tensor<?xf32>
  %1 = call @store(%0, %x) : (tensor<?xf32>, f32) -> tensor<?xf32>
  %2 = tosa.add %1, %0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %2, %t : tensor<?xf32>, tensor<?xf32>
}
"""


def test_a_function_over_tensors_that_calls_one_with_memory(tmp_path):
    assert call(tmp_path, CALLERS, ["3xf32=0 0 0", "f32=5"]) == "[6. 2. 2.]\n[0. 0. 0.]\n"
    (tmp_path / "p.mlir").write_text(CALLERS)
    outcome = broadloom.call("run", tmp_path / "p.mlir", "--input=0xf32", "--input=f32=5")
    assert (
        "'memref.store': index 0 is outside axis 0 of %m (the result of 'bufferization.to_buffer' at " in outcome.error
    )


REFUSED = {
    "a loop that carries tensors": (
        "%m: memref<?xf32>, %t: tensor<?xf32>, %n: index",
        """\
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> tensor<?xf32> {
    %0 = bufferization.to_tensor %m : memref<?xf32> to tensor<?xf32>
    scf.yield %0 : tensor<?xf32>
  }""",
        "scf.for: it passes tensors on, in a function that works on memory",
    ),
    "a branch": (
        "%m: memref<?xf32>, %t: tensor<?xf32>",
        "  cf.br ^next(%t : tensor<?xf32>)\n^next(%u: tensor<?xf32>):",
        "cf.br: it passes tensors on, in a function that works on memory",
    ),
    "no rank": (
        "%m: memref<?xf32>, %t: tensor<*xf32>",
        "  %0 = tensor.cast %t : tensor<*xf32> to tensor<?xf32>",
        "tensor.cast: give its tensors' ranks",
    ),
    "linalg": (
        "%m: memref<?xf32>, %t: tensor<?xf32>",
        "  linalg.copy ins(%t : tensor<?xf32>) outs(%m : memref<?xf32>)",
        "linalg.copy",
    ),
    "a tensor as destination": (
        "%m: memref<?xf32>, %t: tensor<?xf32>",
        ("  %0 = bufferization.materialize_in_destination %t in %t : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>"),
        "bufferization.materialize_in_destination: its destination is a tensor; use the tensor that it would store",
    ),
    "a layout": (
        "%m: memref<?xf32>, %t: tensor<?xf32>",
        "  %0 = bufferization.to_buffer %t : tensor<?xf32> to memref<?xf32, strided<[2]>>",
        "bufferization.to_buffer: it makes memory of a layout",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused(tmp_path, case):
    arguments, body, error = REFUSED[case]
    assert error in refuses(tmp_path, function(arguments, body + "\n  return"))
