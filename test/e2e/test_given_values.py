"""`broadloom shapes` with the values of integers says what `broadloom run` does:
the shapes of the results, or the same error with the same status (abi-2)."""

import broadloom
import pytest

GATHER = """func.func @main(%v: tensor<1x5x2xf32>, %i: tensor<1x?xi32>, %j: tensor<1x1xi32>) -> tensor<1x?x2xf32> {
  %k = tosa.add %i, %j : (tensor<1x?xi32>, tensor<1x1xi32>) -> tensor<1x?xi32>
  %0 = tosa.gather %v, %k : (tensor<1x5x2xf32>, tensor<1x?xi32>) -> tensor<1x?x2xf32>
  return %0 : tensor<1x?x2xf32>
}
"""
EXTRACT = """func.func @main(%v: tensor<5xf32>, %n: index) -> tensor<1xf32> {
  %e = tensor.extract %v[%n] : tensor<5xf32>
  %0 = tensor.from_elements %e : tensor<1xf32>
  return %0 : tensor<1xf32>
}
"""
DIVIDE = """func.func @main(%n: i64, %m: i64) -> tensor<?xi64> {
  %q = arith.divsi %n, %m : i64
  %0 = arith.index_cast %q : i64 to index
  %e = tensor.empty(%0) : tensor<?xi64>
  return %e : tensor<?xi64>
}
"""
LIST = """func.func @main(%v: tensor<?xf32>, %l: tensor<2xi64>) -> tensor<?x?xf32> {
  %0 = tensor.reshape %v(%l) : (tensor<?xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
"""
ANY_LIST = """func.func @main(%v: tensor<?xf32>, %l: tensor<?xi64>) -> tensor<*xf32> {
  %0 = tensor.reshape %v(%l) : (tensor<?xf32>, tensor<?xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}
"""
ELEMENTS = """#map = affine_map<(d0) -> (d0)>
func.func @main(%a: tensor<?xi32>, %b: tensor<?xi32>) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %a, %c0 : tensor<?xi32>
  %e = tensor.empty(%d) : tensor<?xi32>
  %0 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]}
      ins(%a, %b : tensor<?xi32>, tensor<?xi32>) outs(%e : tensor<?xi32>) {
  ^bb0(%x: i32, %y: i32, %z: i32):
    %q = arith.divsi %x, %y : i32
    linalg.yield %q : i32
  } -> tensor<?xi32>
  return %0 : tensor<?xi32>
}
"""
# Values are known before extents of arguments are.
SLICE = """func.func @main(%v: TYPE, %o: index, %n: index, %s: index) -> tensor<?xf32> {
  %a = tensor.cast %v : TYPE to tensor<?xf32>
  %0 = tensor.extract_slice %a[%o] [%n] [%s] : tensor<?xf32> to tensor<?xf32>
  return %0 : tensor<?xf32>
}
"""
# Values decide which branch is taken, and how many iterations a loop has.
BRANCH = """func.func @main(%v: tensor<?xf32>, %k: tensor<?xindex>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c = arith.cmpi eq, %n, %c0 : index
  %0 = scf.if %c -> tensor<?xf32> {
    scf.yield %v : tensor<?xf32>
  } else {
    %m = tensor.extract %k[%n] : tensor<?xindex>
    %f = tensor.extract_slice %v[0] [%m] [1] : tensor<?xf32> to tensor<?xf32>
    scf.yield %f : tensor<?xf32>
  }
  return %0 : tensor<?xf32>
}
"""
TOSA_BRANCH = """func.func @main(%v: tensor<?xf32>, %c: tensor<i1>) -> tensor<?xf32> {
  %0 = tosa.cond_if %c (%x = %v) : tensor<i1> (tensor<?xf32>) -> tensor<?xf32> {
  ^bb0(%x: tensor<?xf32>):
    %s = tosa.concat %x, %x {axis = 0 : i32} : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    tosa.yield %s : tensor<?xf32>
  } else {
  ^bb0(%x: tensor<?xf32>):
    tosa.yield %x : tensor<?xf32>
  }
  return %0 : tensor<?xf32>
}
"""
SWITCH = """func.func @main(%v: tensor<?xf32>, %n: index, %m: index) -> tensor<?xf32> {
  %0 = scf.index_switch %n -> tensor<?xf32>
  case 2 {
    %f = tensor.extract_slice %v[0] [%m] [1] : tensor<?xf32> to tensor<?xf32>
    scf.yield %f : tensor<?xf32>
  }
  default {
    scf.yield %v : tensor<?xf32>
  }
  return %0 : tensor<?xf32>
}
"""
ITERATIONS = """func.func @main(%v: tensor<?xf32>, %k: tensor<?xindex>, %n: i64) -> tensor<?xf32> {
  %first = arith.constant -1 : i64
  %step = arith.constant 2 : i64
  %0 = scf.for %i = %first to %n step %step iter_args(%x = %v) -> tensor<?xf32> : i64 {
    %j = arith.index_cast %i : i64 to index
    %one = arith.constant 1 : index
    %at = arith.addi %j, %one : index
    %m = tensor.extract %k[%at] : tensor<?xindex>
    %f = tensor.extract_slice %x[0] [%m] [1] : tensor<?xf32> to tensor<?xf32>
    scf.yield %f : tensor<?xf32>
  }
  return %0 : tensor<?xf32>
}
"""
# The function that is compiled has the variable as one more argument.
VARIABLE = """"tosa.variable"() <{initial_value = dense<1.0> : tensor<2xf32>, sym_name = "s", type = f32, var_shape = dense<-1> : tensor<1xindex>}> : () -> ()
func.func @main(%n: tensor<1xi1>) -> tensor<?xf32> {
  %0 = tosa.variable_read @s : tensor<?xf32>
  return %0 : tensor<?xf32>
}
"""
# No value decides it: the guard at each index is one of extents.
GENERATE = """func.func @main(%v: tensor<?xf32>, %w: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %s = tensor.dim %w, %c0 : tensor<?xf32>
  %0 = tensor.generate %s {
  ^bb0(%i: index):
    %e = tensor.extract %v[%i] : tensor<?xf32>
    tensor.yield %e : f32
  } : tensor<?xf32>
  return %0 : tensor<?xf32>
}
"""
# Loops that count, and read elements as they go.
SEARCH = """func.func @main(%v: tensor<?xi64>, %a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.while (%k = %c0) : (index) -> index {
    %e = tensor.extract %v[%k] : tensor<?xi64>
    %n = arith.index_cast %e : i64 to index
    %more = arith.cmpi ult, %k, %n : index
    scf.condition(%more) %k : index
  } do {
  ^bb0(%k: index):
    %next = arith.addi %k, %c1 : index
    scf.yield %next : index
  }
  %0 = tensor.extract_slice %a[0] [%r] [1] : tensor<?xf32> to tensor<?xf32>
  return %0 : tensor<?xf32>
}
"""
DOUBLE = """func.func @main(%a: tensor<?xf32>, %n: tensor<i32>) -> tensor<?xf32> {
  %one = arith.constant dense<1> : tensor<i32>
  %zero = arith.constant dense<0> : tensor<i32>
  %0:2 = tosa.while_loop (%i = %zero, %t = %a) : (tensor<i32>, tensor<?xf32>) -> (tensor<i32>, tensor<?xf32>) {
    %more = tosa.greater %n, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    tosa.yield %more : tensor<i1>
  } do {
  ^bb0(%i: tensor<i32>, %t: tensor<?xf32>):
    %next = tosa.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %u = tosa.concat %t, %t {axis = 0 : i32} : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    tosa.yield %next, %u : tensor<i32>, tensor<?xf32>
  }
  return %0#1 : tensor<?xf32>
}
"""
# What an iteration reads is what the one before yields.
READ_NEXT = """func.func @main(%v: tensor<?xi64>, %next: tensor<?xi64>, %a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%t = %v) -> (tensor<?xi64>) {
    %e = tensor.extract %t[%c0] : tensor<?xi64>
    %k = arith.index_cast %e : i64 to index
    %w = tensor.extract %a[%k] : tensor<?xf32>
    scf.yield %next : tensor<?xi64>
  }
  return %a : tensor<?xf32>
}
"""
# A loop of many iterations, and one whose end nobody gives, beside one that is followed.
BESIDE = """func.func @main(%v: tensor<?xi64>, %a: tensor<?xf32>, %n: index) -> (tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %many = arith.constant 100 : index
  %r = scf.while (%k = %c0) : (index) -> index {
    %more = arith.cmpi ult, %k, %many : index
    scf.condition(%more) %k : index
  } do {
  ^bb0(%k: index):
    %next = arith.addi %k, %c1 : index
    scf.yield %next : index
  }
  %open = scf.while (%k = %c0) : (index) -> index {
    %more = arith.cmpi ult, %k, %n : index
    scf.condition(%more) %k : index
  } do {
  ^bb0(%k: index):
    %next = arith.addi %k, %c1 : index
    scf.yield %next : index
  }
  %s = scf.for %i = %c0 to %c2 step %c1 iter_args(%t = %c0) -> index {
    %e = tensor.extract %v[%i] : tensor<?xi64>
    %k = arith.index_cast %e : i64 to index
    %u = arith.addi %t, %k : index
    scf.yield %u : index
  }
  %0 = tensor.extract_slice %a[0] [%s] [1] : tensor<?xf32> to tensor<?xf32>
  %1 = tensor.extract_slice %a[0] [%open] [1] : tensor<?xf32> to tensor<?xf32>
  return %0, %1 : tensor<?xf32>, tensor<?xf32>
}
"""
# The ranks of what is given and of what is read may differ.
RANKS = """func.func @main(%l: tensor<*xi64>, %a: tensor<?xf32>) -> (tensor<?xf32>, tensor<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %t = tensor.cast %l : tensor<*xi64> to tensor<2xi64>
  %e = tensor.extract %t[%c0] : tensor<2xi64>
  %n = arith.index_cast %e : i64 to index
  %0 = tensor.extract_slice %a[0] [%n] [1] : tensor<?xf32> to tensor<?xf32>
  %1 = tensor.reshape %a(%t) : (tensor<?xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %0, %1 : tensor<?xf32>, tensor<?x?xf32>
}
"""


@pytest.mark.parametrize(
    "program, inputs, found",
    [
        (GATHER, ["1x5x2xf32=1", "1x2xi32=1 2", "1x1xi32=2"], "1x2x2"),
        (
            GATHER,
            ["1x5x2xf32=1", "1x2xi32=1 2", "1x1xi32=4"],
            "'tosa.gather': indices are from 5 to 6 but must be in [0, 5)",
        ),
        (EXTRACT, ["5xf32=1", "i64=4"], "1"),
        (EXTRACT, ["5xf32=1", "i64=7"], "'tensor.extract': index 7 is outside axis 0, which has extent 5"),
        (DIVIDE, ["i64=4", "i64=2"], "2"),
        (DIVIDE, ["i64=4", "i64=0"], "'arith.divsi': division by 0"),
        (LIST, ["6xf32=1", "2xi64=3 2"], "3x2"),
        (LIST, ["6xf32=1", "2xi64=-3 -2"], "'tensor.reshape': the operand has 6 elements and cannot become -3x-2"),
        (ANY_LIST, ["6xf32=1", "2xi64=3 2"], "3x2"),
        (
            ANY_LIST,
            ["6xf32=1", "2xi64=4 2"],
            "'tensor.reshape': the operand has 6 elements and cannot become a shape of 8",
        ),
        (ELEMENTS, ["2xi32=1 2", "2xi32=3 4"], "2"),
        (ELEMENTS, ["2xi32=1 2", "2xi32=3 0"], "'arith.divsi': division by 0"),
        *(
            (SLICE.replace("TYPE", kind), ["8xf32=1", *numbers], found)
            for kind in ("tensor<8xf32>", "tensor<?xf32>", "tensor<*xf32>")
            for numbers, found in (
                (["i64=5", "i64=3", "i64=-2"], "3"),
                (
                    ["i64=5", "i64=4", "i64=-2"],
                    "takes 4 elements of axis 0 from 5 on in steps of -2, but the extent is 8",
                ),
            )
        ),
        (BRANCH, ["7xf32=1", "2xi64=3 4", "i64=0"], "7"),
        (BRANCH, ["7xf32=1", "2xi64=3 4", "i64=1"], "4"),
        (BRANCH, ["7xf32=1", "2xi64=3 8", "i64=1"], "takes 8 elements of axis 0 from 0 on, but the extent is 7"),
        (TOSA_BRANCH, ["7xf32=1", "i1=1"], "14"),
        (TOSA_BRANCH, ["7xf32=1", "i1=0"], "7"),
        (SWITCH, ["7xf32=1", "i64=2", "i64=5"], "5"),
        (SWITCH, ["7xf32=1", "i64=-2", "i64=5"], "7"),
        (ITERATIONS, ["7xf32=1", "5xi64=6 0 5 0 9", "i64=-1"], "7"),
        (ITERATIONS, ["7xf32=1", "5xi64=6 0 5 0 9", "i64=2"], "5"),
        (
            ITERATIONS,
            ["7xf32=1", "5xi64=6 0 5 0 9", "i64=4"],
            "takes 9 elements of axis 0 from 0 on, but the extent is 5",
        ),
        (GENERATE, ["3xf32=1", "3xf32=1"], "3"),
        (GENERATE, ["3xf32=1", "4xf32=1"], "'tensor.extract': index 3 is outside axis 0, which has extent 3"),
        (SEARCH, ["4xi64=9 9 1 0", "7xf32=1"], "2"),
        (SEARCH, ["2xi64=9 9", "7xf32=1"], "'tensor.extract': index 2 is outside axis 0, which has extent 2"),
        (SEARCH, ["4xi64=9 9 9 0", "2xf32=1"], "takes 3 elements of axis 0 from 0 on, but the extent is 2"),
        (DOUBLE, ["3xf32=1", "i32=3"], "24"),
        (DOUBLE, ["3xf32=1", "i32=-1"], "3"),
        (BESIDE, ["2xi64=3 4", "9xf32=1", "i64=5"], "7\n5"),
        (BESIDE, ["2xi64=3 4", "6xf32=1", "i64=5"], "takes 7 elements of axis 0 from 0 on, but the extent is 6"),
        (RANKS, ["2xi64=3 2", "6xf32=1"], "3\n3x2"),
        (RANKS, ["i64=3", "6xf32=1"], "'tensor.cast': result has rank 1 but the operands give rank 0"),
        (RANKS, ["2x2xi64=1 1 3 4", "6xf32=1"], "'tensor.cast': result has rank 1 but the operands give rank 2"),
        (RANKS, ["3xi64=3 2 1", "6xf32=1"], "'tensor.cast': result axis 0 has extent 2 but the operands give 3"),
        (READ_NEXT, ["1xi64=1", "1xi64=2", "3xf32=1"], "3"),
        (
            READ_NEXT,
            ["1xi64=1", "1xi64=5", "3xf32=1"],
            "'tensor.extract': index 5 is outside axis 0, which has extent 3",
        ),
    ],
)
def test_abi2_shapes_with_values_say_what_run_does(tmp_path, program, inputs, found):
    path = tmp_path / "program.mlir"
    path.write_text(program)
    given = [f"--input={text}" for text in inputs]
    run = broadloom.call("run", path, "--shapes", *given)
    shapes = broadloom.call("shapes", path, *given)
    assert (shapes.status, shapes.out, shapes.error) == (run.status, run.out, run.error)
    assert found in (run.error if run.status else run.out)
    assert run.status == (3 if run.error else 0)


def test_variables_are_not_arguments(tmp_path):
    path = tmp_path / "program.mlir"
    path.write_text(VARIABLE)
    outcome = broadloom.call("shapes", path, "--input=1xi1=1")
    assert (outcome.status, outcome.out) == (0, "?\n")


def test_an_error_of_the_program_stays_one(tmp_path):
    path = tmp_path / "program.mlir"
    path.write_text(
        EXTRACT.replace("-> tensor<1xf32>", "-> tensor<2xf32>").replace(": tensor<1xf32>", ": tensor<2xf32>")
    )
    outcome = broadloom.call("shapes", path, "--input=5xf32", "--input=i64=7")
    assert outcome.status == 1 and "error: " in outcome.error
