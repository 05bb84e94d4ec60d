"""Programs over memory (rules mem-1 to mem-7): values against NumPy, and errors
by their text."""

import re

import broadloom
import numpy as np
import pytest
from memory_programs import GEMM, fails, function, jacobi, refuses, run


@pytest.mark.parametrize("extent", ["?", "9"])
def test_jacobi(tmp_path, extent):
    rng = np.random.default_rng(1)
    a, b = rng.random((9, 9)), rng.random((9, 9))
    _outcome, (a1, b1) = run(tmp_path, jacobi(extent), [a, b])
    expected = b.copy()
    expected[1:-1, 1:-1] = 0.2 * (a[1:-1, 1:-1] + a[:-2, 1:-1] + a[2:, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:])
    np.testing.assert_array_equal(a1, a)
    np.testing.assert_allclose(b1, expected, rtol=1e-15)


def test_gemm(tmp_path):
    rng = np.random.default_rng(2)
    a, b = rng.random((5, 7), np.float32), rng.random((7, 4), np.float32)
    _, arrays = run(tmp_path, GEMM, [a, b, np.zeros((5, 4), np.float32)])
    np.testing.assert_allclose(arrays[2], a @ b, rtol=1e-5)
    error = fails(tmp_path, GEMM, [a, b, np.zeros((5, 3), np.float32)])
    assert error == (
        "p.mlir:12:14: 'affine.load': index 3 is outside axis 1 of argument 'c', whose extent is 3: "
        "%j = 3 (p.mlir:8:5)\n"
    )


def test_a_failed_check_names_access_index_and_extent(tmp_path):
    a = np.ones((30, 30))
    assert fails(tmp_path, jacobi(first=0), [a, a]) == (
        "p.mlir:8:12: 'affine.load': index -1 is outside axis 0 of argument 'a', whose extent is 30: "
        "%i - 1 with %i = 0 (p.mlir:5:3)\n"
    )
    assert fails(tmp_path, jacobi(below=2), [a, a]) == (
        "p.mlir:9:12: 'affine.load': index 30 is outside axis 0 of argument 'a', whose extent is 30: "
        "%i + 2 with %i = 28 (p.mlir:5:3)\n"
    )
    assert "index 28 is outside axis 0 of argument 'b', whose extent is 28" in fails(
        tmp_path, jacobi(), [a, np.ones((28, 30))]
    )


SIZES = """func.func @f(%a: memref<?xi64>, %m: index) {
  affine.for %i = -1 to 3 {
    affine.if affine_set<(i) : (2 * i - 1 >= 0)>(%i) {
      %x = arith.constant 1 : i64
      affine.store %x, %a[%i * symbol(%m)] : memref<?xi64>
    } else {
      %x = affine.load %a[%i + OFFSET] : memref<?xi64>
      affine.store %x, %a[%i + OFFSET] : memref<?xi64>
    }
  }
  return
}
"""


# The product needs a smaller limit than the sum. Whichever fails first is told.
@pytest.mark.parametrize(
    "offset, scale, told, iteration",
    [
        (0, 4, "7:12: 'affine.load': index -1 is", "%i = -1 (p.mlir:2:3)"),
        (0, 1, "7:12: 'affine.load': index -1 is", "%i = -1 (p.mlir:2:3)"),
        (1, 4, "5:7: 'affine.store': index 8 is", "%i * %m with %i = 2 (p.mlir:2:3), %m = 4 (argument 'm')"),
        (
            1,
            2**62,
            f"5:7: 'affine.store': index {2**62} is",
            f"%i * %m with %i = 1 (p.mlir:2:3), %m = {2**62} (argument 'm')",
        ),
        (1, 1, "", ""),
    ],
)
def test_the_first_failure_of_a_nest_is_told(tmp_path, offset, scale, told, iteration):
    text = SIZES.replace("OFFSET", str(offset))
    a = np.arange(5)
    if told:
        assert fails(tmp_path, text, [a], [f"i64={scale}"]) == (
            f"p.mlir:{told} outside axis 0 of argument 'a', whose extent is 5: {iteration}\n"
        )
    else:
        _outcome, (after, *_) = run(tmp_path, text, [a], [f"i64={scale}"])
        np.testing.assert_array_equal(after, [0, 1, 1, 3, 4])


def test_what_types_refute_is_an_error_of_the_program(tmp_path):
    error = refuses(
        tmp_path,
        function("%a: memref<4xf32>", "%i = arith.constant 4 : index\n%x = memref.load %a[%i] : memref<4xf32>\nreturn"),
    )
    assert "'memref.load': index 4 is outside axis 0 of argument 'a', whose extent is 4" in error


INDICES = [-(2**63), -1, 0, 3, 4, 2**63 - 1]


@pytest.mark.parametrize("index", INDICES)
def test_an_index_from_outside(tmp_path, index):
    text = function(
        "%a: memref<?xi32>, %i: index",
        """\
  %x = memref.load %a[%i] : memref<?xi32>
  %c = arith.constant 0 : index
  memref.store %x, %a[%c] : memref<?xi32>
  return""",
    )
    a = np.arange(10, 14, dtype=np.int32)
    if 0 <= index < 4:
        _, (b,) = run(tmp_path, text, [a], [f"i64={index}"])
        assert b[0] == 10 + index
    else:
        assert f"index {index} is outside axis 0 of argument 'a', whose extent is 4" in fails(
            tmp_path, text, [a], [f"i64={index}"]
        )


ELEMENTS = {
    "i1": np.bool_,
    "i8": np.int8,
    "i16": np.int16,
    "i32": np.int32,
    "i64": np.int64,
    "index": np.int64,
    "ui8": np.uint8,
    "f16": np.float16,
    "f32": np.float32,
    "f64": np.float64,
}


@pytest.mark.parametrize("element", ELEMENTS)
def test_elements_are_moved(tmp_path, element):
    kind = ELEMENTS[element]
    text = function(
        f"%a: memref<?x{element}>, %b: memref<?x{element}>",
        f"""\
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?x{element}>
  affine.for %i = 0 to %n {{
    %x = affine.load %a[%i] : memref<?x{element}>
    affine.store %x, %b[-%i + symbol(%n) - 1] : memref<?x{element}>
  }}
  return""",
    )
    a = np.array([0, 1, 1, 0, 1]).astype(kind) if kind == np.bool_ else np.arange(-2, 3).astype(kind)
    _, arrays = run(tmp_path, text, [a, np.zeros_like(a)])
    np.testing.assert_array_equal(arrays[1], a[::-1])


def test_scalars_of_every_kind(tmp_path):
    text = function(
        "%a: memref<3xf64>, %i: i32, %x: f32, %t: i1, %n: index",
        """\
  %0 = arith.sitofp %i : i32 to f64
  affine.store %0, %a[0] : memref<3xf64>
  %1 = arith.extf %x : f32 to f64
  affine.store %1, %a[1] : memref<3xf64>
  %2 = arith.index_cast %n : index to i64
  %3 = arith.sitofp %2 : i64 to f64
  scf.if %t {
    affine.store %3, %a[2] : memref<3xf64>
  }
  return""",
    )
    _, (a,) = run(tmp_path, text, [np.zeros(3)], ["i32=-5", "f32=2.5", "i1=1", "i64=7"])
    assert a.tolist() == [-5, 2.5, 7]


def test_results(tmp_path):
    """Scalars, and memory, which becomes the caller's."""
    text = function(
        "%a: memref<?xf32>",
        """\
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %m = memref.alloc(%n) : memref<?xf32>
  memref.copy %a, %m : memref<?xf32> to memref<?xf32>
  return %n, %m : index, memref<?xf32>""",
        " -> (index, memref<?xf32>)",
    )
    (tmp_path / "p.mlir").write_text(text)
    outcome = broadloom.call("run", tmp_path / "p.mlir", "--input=3xf32=1 2 3")
    assert outcome.out == "3\n[1. 2. 3.]\nargument 'a':\n[1. 2. 3.]\n"


def test_recursion(tmp_path):
    text = """\
func.func @main(%a: memref<?xi64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %more = arith.cmpi sgt, %n, %c0 : index
  scf.if %more {
    %m = arith.subi %n, %c1 : index
    %k = arith.index_cast %n : index to i64
    memref.store %k, %a[%m] : memref<?xi64>
    func.call @main(%a, %m) : (memref<?xi64>, index) -> ()
  }
  return
}
"""
    _, (a,) = run(tmp_path, text, [np.zeros(5, np.int64)], ["i64=5"])
    assert a.tolist() == [1, 2, 3, 4, 5]
    assert "index 5 is outside axis 0 of argument 'a', whose extent is 5" in fails(
        tmp_path, text, [np.zeros(5, np.int64)], ["i64=6"]
    )


CONTROL = function(
    "%a: memref<?xi64>",
    """\
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xi64>
  %end = scf.while (%i = %c0) : (index) -> index {
    %v = memref.load %a[%i] : memref<?xi64>
    %zero = arith.constant 0 : i64
    %p = arith.cmpi ne, %v, %zero : i64
    scf.condition(%p) %i : index
  } do {
  ^bb0(%i: index):
    %next = arith.addi %i, %c1 : index
    scf.yield %next : index
  }
  scf.parallel (%i) = (%c0) to (%end) step (%c1) {
    %x = arith.index_cast %i : index to i64
    memref.store %x, %a[%i] : memref<?xi64>
  }
  return""",
)


def test_control_flow(tmp_path):
    _, (a,) = run(tmp_path, CONTROL, [np.array([5, 5, 5, 0, 5])])
    assert a.tolist() == [0, 1, 2, 0, 5]
    assert "'memref.load': index 3 is outside axis 0 of argument 'a', whose extent is 3" in fails(
        tmp_path, CONTROL, [np.array([5, 5, 5])]
    )


def test_aliasing_arguments_are_in_the_programs_order(tmp_path):
    text = (
        function(
            "%a: memref<5xi64>",
            """\
  func.call @shift(%a, %a) : (memref<5xi64>, memref<5xi64>) -> ()
  return""",
        )
        + """\
func.func private @shift(%a: memref<5xi64>, %b: memref<5xi64>) {
  affine.for %i = 0 to 4 {
    %x = affine.load %a[%i] : memref<5xi64>
    affine.store %x, %b[%i + 1] : memref<5xi64>
  }
  return
}
"""
    )
    _, (a,) = run(tmp_path, text, [np.arange(5)])
    assert a.tolist() == [0, 0, 0, 0, 0]


REFUSED = {
    "realloc": (
        "%n: index",
        "  %a = memref.alloc() : memref<4xf32>\n  %b = memref.realloc %a(%n) : memref<4xf32> to memref<?xf32>",
        "memref.realloc",
    ),
    "undefined": ("%a: memref<4xf32>", "  %i = llvm.mlir.undef : i64", "llvm.mlir.undef"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_not_covered_is_refused(tmp_path, case):
    arguments, body, name = REFUSED[case]
    error = refuses(tmp_path, function(arguments, body + "\n  return"))
    assert f"note: {name}: nothing checks what it reads and writes; programs over memory have, of 'memref'" in error


TYPES = {
    "memref<*xi7>": "its memory has elements of another type",
    "memref<?x4xf32, affine_map<(i, j) -> (i floordiv 2, j, i mod 2)>>": "its memory has a layout that is no offset and strides",
    "memref<4xi7>": "its memory has elements of another type",
    "memref<4xvector<[4]xf32>>": "its memory has vectors as elements that have no place for each number",
    "memref<4611686018427387904x8xf32>": "its memory has a size that no memory can hold",
}


@pytest.mark.parametrize("kind", TYPES)
def test_types_that_are_refused(tmp_path, kind):
    assert TYPES[kind] in refuses(tmp_path, function(f"%a: {kind}", "  return"))


def test_casts_cannot_promise_layouts(tmp_path):
    strided = "memref<?xf32, strided<[?], offset: ?>>"
    error = refuses(
        tmp_path, function(f"%a: {strided}", f"  %b = memref.cast %a : {strided} to memref<?xf32>\n  return")
    )
    assert "memref.cast: its result's type tells strides or an offset that its operand's does not" in error


def test_mutants(tmp_path):
    """Each wrong bound or subscript of a stencil and of a product is met: as
    outside in NumPy's terms, the call fails; else it computes what it says."""
    rng = np.random.default_rng(3)
    a = rng.random((6, 6))
    for first in (-1, 0, 1, 2):
        for below in (-1, 0, 1, 2, 3):
            outcome, _arrays = run(tmp_path, jacobi("?", first, below), [a, a])
            outside = first < 1 or below > 1
            assert (outcome.status == broadloom.GUARD_FAILED) == outside, (first, below, outcome.error)


def test_shared_libraries(tmp_path):
    """A program of machine code, called by way of the runtime's C interface."""
    import ctypes

    (tmp_path / "p.mlir").write_text(jacobi())
    outcome = broadloom.call("compile", tmp_path / "p.mlir", "--emit=so", "-o", tmp_path / "p.so")
    assert outcome.status == broadloom.DONE, outcome.error
    program = broadloom.loadLibrary(tmp_path / "p.so")

    def call(*arrays):
        tensors = [program.tensor(array) for array in arrays]
        pointers = (ctypes.POINTER(type(tensors[0])) * len(tensors))(*map(ctypes.pointer, tensors))
        program.check(program.runtime.broadloomCallRun(program.call, pointers, len(tensors)))

    a, b = np.ones((5, 5)), np.zeros((5, 5))
    call(a, b)
    assert b.sum() == pytest.approx(9)
    with pytest.raises(ValueError, match=r"argument 0 has strides \[1, 5\], but its type is row-major"):
        call(a.T, b)
    with pytest.raises(ValueError, match="index 3 is outside axis 0 of argument 'b', whose extent is 3"):
        call(a, np.zeros((3, 5)))


def test_check_and_inspect(tmp_path):
    (tmp_path / "p.mlir").write_text(jacobi(below=2))
    checked = broadloom.call("check", tmp_path / "p.mlir")
    told = " ".join(checked.out.split())
    assert "6 accesses are never all inside where the loops run because that needs " in told
    assert "that needs axis 0 of argument 'a' <= 2, which no call has" in told
    assert re.search(
        r"which no call has whose loops run; it is checked once in front of the loop at \S+p.mlir:\d+:3", told
    )
    inspected = broadloom.call("inspect", tmp_path / "p.mlir")
    assert "takes 2 arguments: a: memref<?x?xf64>, b: memref<?x?xf64>" in inspected.out


def test_wrong_output_arguments(tmp_path):
    (tmp_path / "p.mlir").write_text(function("%a: memref<2xf32>, %x: f32", "  return"))
    inputs = ["--input=2xf32=1 2", "--input=f32=1"]
    for given, expected in (
        ("2:b.npy", "there is no argument '2'"),
        ("x:b.npy", "argument 'x' is no memory"),
        ("b.npy", "write the argument's number or name, a colon and a file"),
    ):
        outcome = broadloom.call("run", tmp_path / "p.mlir", *inputs, f"--output-argument={given}", cwd=tmp_path)
        assert outcome.status == broadloom.WRONG_COMMAND and expected in outcome.error


@pytest.mark.parametrize("x", ["1.5", "-1", "nan", "inf", "1e300", "4"])
def test_an_index_from_a_float(tmp_path, x):
    text = function(
        "%a: memref<?xi32>, %x: f64",
        """\
  %k = arith.fptosi %x : f64 to i64
  %i = arith.index_cast %k : i64 to index
  %one = arith.constant 1 : i32
  memref.store %one, %a[%i] : memref<?xi32>
  return""",
    )
    if x == "1.5":
        _, (a,) = run(tmp_path, text, [np.zeros(4, np.int32)], ["f64=1.5"])
        assert a.tolist() == [0, 1, 0, 0]
        return
    outcome, arrays = run(tmp_path, text, [np.zeros(4, np.int32)], [f"f64={x}"])
    # What a float beyond the range of integers gives is not specified, but it is checked.
    assert (outcome.status == broadloom.GUARD_FAILED and "outside axis 0" in outcome.error) or (
        x not in ("-1", "4") and arrays[0].sum() == 1
    )


@pytest.mark.parametrize("operation", ["arith.shli", "arith.shrui", "arith.shrsi", "index.shl"])
def test_an_index_from_a_long_shift(tmp_path, operation):
    kind = "" if operation.startswith("index") else " : index"
    text = function(
        "%a: memref<?xi32>, %n: index",
        f"""\
  %c1 = arith.constant 3 : index
  %i = {operation} %c1, %n{kind}
  %one = arith.constant 1 : i32
  memref.store %one, %a[%i] : memref<?xi32>
  return""",
    )
    for n in (64, 1000, -1):
        outcome, arrays = run(tmp_path, text, [np.zeros(4, np.int32)], [f"i64={n}"])
        assert outcome.status == broadloom.GUARD_FAILED or arrays[0].sum() == 1


CARRIED = {
    "loop": """\
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %b) -> (memref<?xi32>, memref<?xi32>) {
    memref.store %one, %p[%i] : memref<?xi32>
    scf.yield %q, %p : memref<?xi32>, memref<?xi32>
  }""",
    "branch": """\
  %more = arith.cmpi sgt, %n, %c0 : index
  %p = scf.if %more -> (memref<?xi32>) {
    scf.yield %b : memref<?xi32>
  } else {
    scf.yield %a : memref<?xi32>
  }
  affine.for %i = 0 to %n {
    affine.store %one, %p[%i] : memref<?xi32>
  }""",
    "block": """\
  %c1 = arith.constant 1 : index
  cf.br ^loop(%c0, %a, %b : index, memref<?xi32>, memref<?xi32>)
^loop(%i: index, %p: memref<?xi32>, %q: memref<?xi32>):
  memref.store %one, %p[%i] : memref<?xi32>
  %j = arith.addi %i, %c1 : index
  %more = arith.cmpi slt, %j, %n : index
  cf.cond_br %more, ^loop(%j, %q, %p : index, memref<?xi32>, memref<?xi32>), ^end
^end:""",
    "call": """\
  %p = func.call @pick(%b, %a) : (memref<?xi32>, memref<?xi32>) -> memref<?xi32>
  affine.for %i = 0 to %n {
    affine.store %one, %p[%i] : memref<?xi32>
  }""",
}


@pytest.mark.parametrize("how", CARRIED)
def test_memory_that_is_one_of_several(tmp_path, how):
    text = function(
        "%a: memref<?xi32>, %b: memref<?xi32>, %n: index",
        "  %c0 = arith.constant 0 : index\n  %one = arith.constant 1 : i32\n" + CARRIED[how] + "\n  return",
    )
    text += (
        "func.func private @pick(%a: memref<?xi32>, %b: memref<?xi32>) -> memref<?xi32> {\n"
        "  return %a : memref<?xi32>\n}\n"
    )
    large, small = np.zeros(5, np.int32), np.zeros(2, np.int32)
    outcome, (a, b) = run(tmp_path, text, [large, small], ["i64=2"])
    assert a.sum() + b.sum() == 2, outcome.error
    error = fails(tmp_path, text, [large, small], ["i64=5"])
    assert re.search(r"index [23] is outside axis 0 of .*, whose extent is 2", error)


def test_prefetches_do_nothing(tmp_path):
    text = function(
        "%a: memref<?xi32>, %n: index, %x: i32",
        """\
  %c0 = arith.constant 0 : index
  affine.for %i = 0 to %n {
    affine.prefetch %a[%i + 64], write, locality<3>, data : memref<?xi32>
    memref.prefetch %a[%n], read, locality<0>, instr : memref<?xi32>
    affine.store %x, %a[%i] : memref<?xi32>
  }
  return""",
    )
    _, (a,) = run(tmp_path, text, [np.zeros(4, np.int32)], ["i64=3", "i32=7"])
    assert a.tolist() == [7, 7, 7, 0]
