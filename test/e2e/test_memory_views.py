"""Globals, views, atomic accesses and layouts of programs over memory (rules mem-11 to mem-14): values against
NumPy, and errors by their text."""

import broadloom
import numpy as np
import pytest
from memory_programs import fails, function, refuses, run

FILL = """\
  %c0 = arith.constant 0 : index
  %extent = memref.dim {v}, %c0 : {type}
  affine.for %i = 0 to %extent {{
    %k = arith.index_cast %i : index to i64
    affine.store %k, {v}[%i] : {type}
  }}
  return"""


def test_globals(tmp_path):
    """Constants are read, other globals read and written; two get_globals are the same memory."""
    text = """\
memref.global "private" constant @table : memref<4xi64> = dense<[3, 1, 4, 1]>
memref.global "private" @count : memref<i64> = dense<10>
memref.global "private" @zeros : memref<2x2xi64> = uninitialized
func.func @main(%a: memref<4xi64>) {
  %t = memref.get_global @table : memref<4xi64>
  %c = memref.get_global @count : memref<i64>
  %d = memref.get_global @count : memref<i64>
  %z = memref.get_global @zeros : memref<2x2xi64>
  affine.for %i = 0 to 4 {
    %x = affine.load %t[%i] : memref<4xi64>
    %y = affine.load %c[] : memref<i64>
    %s = arith.addi %x, %y : i64
    affine.store %s, %d[] : memref<i64>
    %o = affine.load %z[%i floordiv 2, %i mod 2] : memref<2x2xi64>
    %p = arith.addi %s, %o : i64
    affine.store %p, %a[%i] : memref<4xi64>
  }
  return
}
"""
    _, (a,) = run(tmp_path, text, [np.zeros(4, np.int64)])
    assert a.tolist() == [13, 14, 18, 19]


ELEMENTS = {
    "i1": (np.bool_, "true, false, true"),
    "i8": (np.int8, "-1, 2, 3"),
    "ui8": (np.uint8, "1, 200, 3"),
    "i16": (np.int16, "-1, 2, 3"),
    "i64": (np.int64, "-1, 2, 3"),
    "index": (np.int64, "1, 2, 3"),
    "f16": (np.float16, "1.5, 2.0, -3.0"),
    "f32": (np.float32, "1.5, 2.0, -3.0"),
    "f64": (np.float64, "1.5, 2.0, -3.0"),
}


@pytest.mark.parametrize("element", ELEMENTS)
@pytest.mark.parametrize("constant", ["", "constant"])
def test_globals_of_every_element(tmp_path, element, constant):
    kind, values = ELEMENTS[element]
    text = f"""\
memref.global "private" {constant} @g : memref<3x{element}> = dense<[{values}]>
func.func @main(%a: memref<3x{element}>) {{
  %g = memref.get_global @g : memref<3x{element}>
  memref.copy %g, %a : memref<3x{element}> to memref<3x{element}>
  return
}}
"""
    _, (a,) = run(tmp_path, text, [np.zeros(3, kind)])
    expected = np.array([1, 0, 1], kind) if element == "i1" else np.array([float(x) for x in values.split(",")])
    np.testing.assert_array_equal(a, expected.astype(kind))


def test_indices_of_globals_are_checked(tmp_path):
    text = """\
memref.global "private" @g : memref<4xf32> = uninitialized
func.func @main(%i: index) -> f32 {
  %g = memref.get_global @g : memref<4xf32>
  %x = memref.load %g[%i] : memref<4xf32>
  return %x : f32
}
"""
    assert fails(tmp_path, text, [], ["i64=4"]) == (
        "p.mlir:4:8: 'memref.load': index 4 is outside axis 0 of the result of 'memref.get_global' at p.mlir:3:8, "
        "whose extent is 4\n"
    )


CONSTANT = """\
memref.global "private" constant @g : memref<2xf32> = dense<1.0>
func.func private @fill(%a: memref<2xf32>) {
  %x = arith.constant 2.0 : f32
  affine.store %x, %a[1] : memref<2xf32>
  return
}
func.func @main(%t: i1, %a: memref<2xf32>) {
  %g = memref.get_global @g : memref<2xf32>
  scf.if %t {
    func.call @fill(%g) : (memref<2xf32>) -> ()
  } else {
    func.call @fill(%a) : (memref<2xf32>) -> ()
  }
  return
}
"""


def test_constants_are_not_written(tmp_path):
    body = """\
memref.global "private" constant @g : memref<2xf32> = dense<1.0>
func.func @main(%a: memref<2xf32>) {{
  %c0 = arith.constant 0 : index
  %x = arith.constant 2.0 : f32
  %g = memref.get_global @g : memref<2xf32>
  {}
  return
}}
"""
    for write in (
        "memref.store %x, %g[%c0] : memref<2xf32>",
        "affine.store %x, %g[0] : memref<2xf32>",
        "memref.copy %a, %g : memref<2xf32> to memref<2xf32>",
        "%v = memref.subview %g[0] [1] [1] : memref<2xf32> to memref<1xf32>\nmemref.store %x, %v[%c0] : memref<1xf32>",
    ):
        assert "it writes to a 'memref.global' that is 'constant'" in refuses(tmp_path, body.format(write))
    assert "it frees memory of a 'memref.global', which lives as long as the program" in refuses(
        tmp_path, body.format("memref.dealloc %g : memref<2xf32>")
    )


@pytest.mark.parametrize("constant", [0, 1])
def test_constants_that_are_handed_on(tmp_path, constant):
    (tmp_path / "p.mlir").write_text(CONSTANT)
    outcome = broadloom.call("run", tmp_path / "p.mlir", f"--input=i1={constant}", "--input=2xf32=5 5")
    if constant:
        assert "p.mlir:4:3: 'affine.store': the memory is a constant's" in outcome.error
    else:
        assert outcome.out == "argument 'a':\n[5. 2.]\n"


@pytest.mark.parametrize(
    "declaration, told",
    [
        ("@g : memref<4xf32>", "its value must be 'dense<...>', 'dense_resource<...>' or 'uninitialized'"),
        ("@g : memref<4xcomplex<f32>> = uninitialized", "its memory has elements of another type"),
    ],
)
def test_globals_that_are_refused(tmp_path, declaration, told):
    text = f'memref.global "private" {declaration}\n' + function("%a: memref<4xf32>", "return")
    assert told in refuses(tmp_path, text)


def view(body, results="memref<?xi64, strided<[?], offset: ?>>"):
    """Fills the view %v of argument %a with 0, 1, 2, ..."""
    return function(
        "%a: memref<?xi64>, %p: index, %q: index, %r: index", f"{body}\n" + FILL.format(v="%v", type=results)
    )


def scalars(*values):
    return [f"i64={value}" for value in values]


CAST = view(
    "%v = memref.reinterpret_cast %a to offset: [%p], sizes: [%q], strides: [%r] : memref<?xi64> to "
    "memref<?xi64, strided<[?], offset: ?>>"
)


@pytest.mark.parametrize(
    "offset, size, stride, good",
    [
        (0, 6, 1, True),
        (0, 7, 1, False),
        (1, 3, 2, True),
        (1, 4, 2, False),
        (5, 6, -1, True),
        (4, 6, -1, False),
        (-1, 1, 1, False),
        (-1, 0, 1, True),
        (6, 0, 1, True),
        (3, 1, 2**62, True),
        (3, 2, 2**62, False),
        (3, 2, -(2**63), False),
        (0, 2**62, 0, False),
        (0, 2**62, 4, False),
        (2**63 - 1, 2, 1, False),
        (2, 9, 0, True),
        (0, -1, 1, False),
    ],
)
def test_reinterpret_cast(tmp_path, offset, size, stride, good):
    given = np.full(6, -1)
    if not good:
        error = fails(tmp_path, CAST, [given], scalars(offset, size, stride))
        assert "'memref.reinterpret_cast': the view reaches from element" in error or "has extent" in error
        return
    _, (a,) = run(tmp_path, CAST, [given], scalars(offset, size, stride))
    for i in range(size):
        given[offset + i * stride] = i
    np.testing.assert_array_equal(a, given)


def test_a_view_may_be_larger_than_its_source(tmp_path):
    """It lies inside the allocation; that of an argument is its extents."""
    text = function(
        "%a: memref<8xi64>, %p: index, %n: index",
        """\
  %s = memref.subview %a[%p] [2] [1] : memref<8xi64> to memref<2xi64, strided<[1], offset: ?>>
  %v = memref.reinterpret_cast %s to offset: [0], sizes: [%n], strides: [1] :
    memref<2xi64, strided<[1], offset: ?>> to memref<?xi64, strided<[1]>>
"""
        + FILL.format(v="%v", type="memref<?xi64, strided<[1]>>"),
    )
    _, (a,) = run(tmp_path, text, [np.zeros(8, np.int64)], scalars(3, 8))
    assert a.tolist() == list(range(8))
    assert fails(tmp_path, text, [np.zeros(8, np.int64)], scalars(3, 9)) == (
        "p.mlir:3:8: 'memref.reinterpret_cast': the view reaches from element 0 to element 8 of the result of "
        "'memref.subview' at p.mlir:2:8, whose memory has elements 0 to 7\n"
    )


def test_views_of_memory_without_elements(tmp_path):
    text = function(
        "%a: memref<?xi64>, %n: index",
        """\
  %v = memref.reinterpret_cast %a to offset: [0], sizes: [%n], strides: [1] :
    memref<?xi64> to memref<?xi64, strided<[1]>>
"""
        + FILL.format(v="%v", type="memref<?xi64, strided<[1]>>"),
    )
    run(tmp_path, text, [np.zeros(0, np.int64)], scalars(0))
    assert fails(tmp_path, text, [np.zeros(0, np.int64)], scalars(2)) == (
        "p.mlir:2:8: 'memref.reinterpret_cast': the view reaches from element 0 to element 1 of argument 'a', "
        "whose memory has elements 0 to -1\n"
    )


def test_views_of_what_the_program_makes(tmp_path):
    text = function(
        "%out: memref<3x2xi64>, %n: index, %s: index",
        """\
  %c0 = arith.constant 0 : index
  %m = memref.alloc(%n) : memref<?xi64>
  affine.for %i = 0 to %n {
    %k = arith.index_cast %i : index to i64
    affine.store %k, %m[%i] : memref<?xi64>
  }
  %v = memref.reinterpret_cast %m to offset: [1], sizes: [3, 2], strides: [%s, 1] :
    memref<?xi64> to memref<3x2xi64, strided<[?, 1], offset: 1>>
  memref.copy %v, %out : memref<3x2xi64, strided<[?, 1], offset: 1>> to memref<3x2xi64>
  memref.dealloc %m : memref<?xi64>
  return""",
    )
    _, (out,) = run(tmp_path, text, [np.zeros((3, 2), np.int64)], scalars(9, 3))
    np.testing.assert_array_equal(out, [[1, 2], [4, 5], [7, 8]])
    assert "the view reaches from element 1 to element 8" in fails(
        tmp_path, text, [np.zeros((3, 2), np.int64)], scalars(8, 3)
    )


def test_memory_spaces_mean_nothing(tmp_path):
    text = function(
        "%a: memref<4xi64, 1>",
        """\
  %b = memref.memory_space_cast %a : memref<4xi64, 1> to memref<4xi64>
  %c = memref.alloc() : memref<4xi64, "fast">
  memref.copy %b, %c : memref<4xi64> to memref<4xi64, "fast">
  affine.for %i = 0 to 4 {
    %x = affine.load %c[%i] : memref<4xi64, "fast">
    affine.store %x, %a[3 - %i] : memref<4xi64, 1>
  }
  memref.dealloc %c : memref<4xi64, "fast">
  return""",
    )
    _, (a,) = run(tmp_path, text, [np.arange(4)])
    assert a.tolist() == [3, 2, 1, 0]


def test_views_of_freed_memory(tmp_path):
    text = function(
        "%t: i1",
        """\
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<4xf32>
  %v = memref.transpose %m (i) -> (i) : memref<4xf32> to memref<4xf32, strided<[1]>>
  scf.if %t {
    memref.dealloc %m : memref<4xf32>
  }
  %w = memref.reinterpret_cast %v to offset: [0], sizes: [2, 2], strides: [2, 1] :
    memref<4xf32, strided<[1]>> to memref<2x2xf32>
  return""",
    )
    assert fails(tmp_path, text, [], ["i1=1"]) == (
        "p.mlir:8:8: 'memref.reinterpret_cast': this memory was freed (p.mlir:6:5); it is from 'memref.alloc' "
        "(p.mlir:3:8)\n"
    )
    transposed = function(
        "",
        """\
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<4xf32>
  %v = memref.transpose %m (i) -> (i) : memref<4xf32> to memref<4xf32, strided<[1]>>
  memref.dealloc %m : memref<4xf32>
  %x = memref.load %v[%c0] : memref<4xf32, strided<[1]>>
  return""",
    )
    assert "'memref.load': this memory was freed" in refuses(tmp_path, transposed)
    freed = function(
        "",
        """\
  %m = memref.alloc() : memref<4xf32>
  %v = memref.expand_shape %m [[0, 1]] output_shape [2, 2] : memref<4xf32> into memref<2x2xf32>
  memref.dealloc %v : memref<2x2xf32>
  return""",
    )
    assert "it frees a view; free what 'memref.alloc' gave" in refuses(tmp_path, freed)


ATOMIC = {
    "addi": lambda a, b: a + b,
    "muli": lambda a, b: a * b,
    "maxs": max,
    "mins": min,
    "andi": lambda a, b: a & b,
    "ori": lambda a, b: a | b,
    "assign": lambda a, b: b,
}


@pytest.mark.parametrize("kind", ATOMIC)
def test_atomic_rmw(tmp_path, kind):
    text = function(
        "%a: memref<?xi64>, %i: index, %x: i64",
        f"""\
  %c0 = arith.constant 0 : index
  %old = memref.atomic_rmw {kind} %x, %a[%i] : (i64, memref<?xi64>) -> i64
  memref.store %old, %a[%c0] : memref<?xi64>
  return""",
    )
    _, (a,) = run(tmp_path, text, [np.array([0, 6, 7])], scalars(2, 12))
    assert a.tolist() == [7, 6, ATOMIC[kind](7, 12)]
    assert "'memref.atomic_rmw': index 3 is outside axis 0 of argument 'a', whose extent is 3" in fails(
        tmp_path, text, [np.arange(3)], scalars(3, 1)
    )


def test_generic_atomic_rmw(tmp_path):
    text = function(
        "%a: memref<4xf32>, %i: index",
        """\
  %two = arith.constant 2.0 : f32
  %old = memref.generic_atomic_rmw %a[%i] : memref<4xf32> {
  ^bb0(%x: f32):
    %y = arith.mulf %x, %two : f32
    memref.atomic_yield %y : f32
  }
  return""",
    )
    _, (a,) = run(tmp_path, text, [np.ones(4, np.float32)], scalars(3))
    assert a.tolist() == [1, 1, 1, 2]
    assert "'memref.generic_atomic_rmw': index -1 is outside" in fails(
        tmp_path, text, [np.ones(4, np.float32)], scalars(-1)
    )


LAYOUTS = ["(i, j) -> (j, i)", "(i, j) -> (i * 9 + j + 2)", "(i, j) -> (i floordiv 4, j, i mod 4)",
           "(i, j) -> (i floordiv 2, j floordiv 3, i mod 2, j mod 3)", "(i, j) -> (2 * i + 1, j)"]  # fmt: skip


@pytest.mark.parametrize("layout", LAYOUTS)
def test_layouts_of_what_a_program_makes(tmp_path, layout):
    kind = f"memref<6x8xi64, affine_map<{layout}>>"
    text = function(
        "%a: memref<6x8xi64>, %i: index, %j: index",
        f"""\
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : {kind}
  %n = memref.dim %m, %c1 : {kind}
  affine.for %x = 0 to 6 {{
    affine.for %y = 0 to %n {{
      %v = affine.load %a[%x, %y] : memref<6x8xi64>
      affine.store %v, %m[%x, %y] : {kind}
    }}
  }}
  affine.for %x = 0 to 6 {{
    affine.for %y = 0 to 8 {{
      %v = affine.load %m[5 - %x, 7 - %y] : {kind}
      affine.store %v, %a[%x, %y] : memref<6x8xi64>
    }}
  }}
  %v = memref.load %m[%i, %j] : {kind}
  memref.dealloc %m : {kind}
  return""",
    )
    a = np.arange(48).reshape(6, 8)
    _, (b,) = run(tmp_path, text, [a], scalars(5, 7))
    np.testing.assert_array_equal(b, a[::-1, ::-1])
    assert "'memref.load': index 6 is outside axis 0 of the result of 'memref.alloc'" in fails(
        tmp_path, text, [a], scalars(6, 0)
    )


def test_open_extents_in_another_order(tmp_path):
    kind = "memref<?x?xi64, affine_map<(i, j) -> (j, i)>>"
    text = function(
        "%a: memref<?x?xi64>, %n: index, %m: index",
        f"""\
  %t = memref.alloc(%n, %m) : {kind}
  memref.copy %a, %t : memref<?x?xi64> to {kind}
  affine.for %i = 0 to %n {{
    affine.for %j = 0 to %m {{
      %x = affine.load %t[symbol(%n) - 1 - %i, %j] : {kind}
      affine.store %x, %a[%i, %j] : memref<?x?xi64>
    }}
  }}
  memref.dealloc %t : {kind}
  return""",
    )
    a = np.arange(12).reshape(3, 4)
    _, (b,) = run(tmp_path, text, [a], scalars(3, 4))
    np.testing.assert_array_equal(b, a[::-1])


@pytest.mark.parametrize(
    "layout, told",
    [
        ("(i, j) -> (i)", "whose layout puts several elements at one place, which nothing could fill"),
        ("(i, j) -> (i + j)", "whose layout puts several elements at one place, which nothing could fill"),
        ("(i, j) -> (i floordiv 2, j)", "whose layout puts several elements at one place, which nothing could fill"),
        ("(i, j) -> (i mod 2 + 9223372036854775807 * i, j, i floordiv 2)", "which could not be ruled out"),
        ("(i, j) -> (i floordiv 2 - 1, j, i mod 2)", "its layout has places before the beginning of the memory"),
        ("(i, j) -> (i floordiv 2, j * 36028797018963968, i mod 2)", "its layout needs more memory than there can be"),
        ("(i, j) -> (i floordiv 0, j)", "number that is not positive"),
    ],
)
def test_layouts_that_are_refused(tmp_path, layout, told):
    kind = f"memref<6x8xi64, affine_map<{layout}>>"
    assert told in refuses(tmp_path, function("", f"%m = memref.alloc() : {kind}\nmemref.dealloc %m : {kind}\nreturn"))


def test_tiles_have_no_views(tmp_path):
    kind = "memref<6x8xi64, affine_map<(i, j) -> (i floordiv 4, j, i mod 4)>>"
    for body in (
        f"%m = memref.alloc() : {kind}\nmemref.copy %a, %m : {kind} to {kind}\nmemref.dealloc %m : {kind}",
        f"linalg.fill ins(%x : i64) outs(%a : {kind})",
    ):
        assert "such memory is made, read, written, passed on and freed, and has no views" in refuses(
            tmp_path, function(f"%a: {kind}, %x: i64", f"{body}\nreturn")
        )
    assert "such layouts need numbers for all extents" in refuses(
        tmp_path, function(f"%a: {kind.replace('6x8', '?x8')}", "return")
    )


def test_unranked_memory(tmp_path):
    text = function(
        "%a: memref<?x4xi64>, %x: i64",
        """\
  %c0 = arith.constant 0 : index
  %u = memref.cast %a : memref<?x4xi64> to memref<*xi64>
  %r = memref.rank %u : memref<*xi64>
  %b = memref.cast %u : memref<*xi64> to memref<3x?xi64>
  memref.store %x, %b[%r, %c0] : memref<3x?xi64>
  return""",
    )
    _, (a,) = run(tmp_path, text, [np.zeros((3, 4), np.int64)], scalars(7))
    assert a[2, 0] == 7
    assert "'memref.cast': axis 0 of argument 'a' has extent 4, but the result's type has 3" in fails(
        tmp_path, text, [np.zeros((4, 4), np.int64)], scalars(7)
    )
    assert "note: memref.cast: its operand is of another rank" in refuses(
        tmp_path, text.replace("3x?", "3").replace("%r, %c0", "%r")
    )


UNRANKED = "%u: memref<*xi64>, %a: memref<?x?xi64, strided<[?, 1], offset: ?>>, %t: i1"


@pytest.mark.parametrize(
    "body, told",
    [
        ("%v = scf.if %t -> memref<*xi64> { scf.yield %u : memref<*xi64> } else { scf.yield %u : memref<*xi64> }",
         "give its memrefs' ranks"),
        ("cf.br ^next(%u : memref<*xi64>)\n^next(%v: memref<*xi64>):", "give its memrefs' ranks"),
        ("memref.copy %u, %u : memref<*xi64> to memref<*xi64>", "give its memrefs' ranks"),
        ("memref.dealloc %u : memref<*xi64>", "give its memrefs' ranks"),
        (("%v = memref.cast %a : memref<?x?xi64, strided<[?, 1], offset: ?>> to memref<*xi64>\n"
         "func.call @g(%v) : (memref<*xi64>) -> ()"), "memory without a rank is row-major, and its operand has a layout"),
        ("%v = memref.cast %u : memref<*xi64> to memref<?x?xi64, strided<[4, 1]>>",
         "its result's type tells strides or an offset that its operand's does not"),
        ("%v = memref.cast %u : memref<*xi64> to memref<?xi32>", "cast incompatible"),
        ("%v = memref.cast %u : memref<*xi64> to memref<*xi32>", "cast incompatible"),
    ],
)  # fmt: skip
def test_memory_without_a_rank_that_is_refused(tmp_path, body, told):
    text = function(UNRANKED, body + "\nreturn") + "func.func private @g(%u: memref<*xi64>) { return }"
    assert told in refuses(tmp_path, text)


def test_memory_without_a_rank_from_the_command_line(tmp_path):
    text = function(
        "%u: memref<*xi64>, %i: index, %x: i64",
        """\
  %m = memref.cast %u : memref<*xi64> to memref<?x4xi64, strided<[?, ?], offset: ?>>
  %c0 = arith.constant 0 : index
  memref.store %x, %m[%i, %c0] : memref<?x4xi64, strided<[?, ?], offset: ?>>
  return %u : memref<*xi64>""",
        " -> memref<*xi64>",
    )
    outcome, (a,) = run(tmp_path, text, [np.zeros((3, 4), np.int64)], scalars(2, 7), f"--output={tmp_path}/r.npy")
    assert a[2, 0] == 7 and a.sum() == 7, outcome.error
    np.testing.assert_array_equal(np.load(tmp_path / "r.npy"), a)
    assert "'memref.cast': argument 'u' has rank 1, but the result's type has rank 2" in fails(
        tmp_path, text, [np.zeros(4, np.int64)], scalars(2, 7)
    )
    assert "'memref.cast': axis 1 of argument 'u' has extent 3, but the result's type has 4" in fails(
        tmp_path, text, [np.zeros((4, 3), np.int64)], scalars(2, 7)
    )
    listed = broadloom.call("check", tmp_path / "p.mlir")
    assert "argument 'u' has rank ?, but the result's type has rank 2" in " ".join(listed.out.split())
    assert "memref<*xi64>" in broadloom.call("inspect", tmp_path / "p.mlir").out


def test_tiles_from_the_command_line(tmp_path):
    kind = "memref<6x8xi64, affine_map<(i, j) -> (i floordiv 2, j floordiv 4, i mod 2, j mod 4)>>"
    text = function(f"%a: {kind}, %i: index, %j: index, %x: i64", f"memref.store %x, %a[%i, %j] : {kind}\nreturn")
    _, (a,) = run(tmp_path, text, [np.zeros((3, 2, 2, 4), np.int64)], scalars(5, 6, 7))
    assert a[2, 1, 1, 2] == 7 and a.sum() == 7
    outcome, _ = run(tmp_path, text, [np.zeros((6, 8), np.int64)], scalars(5, 6, 7))
    assert "argument 'a'" in outcome.error and "3x2x2x4" in outcome.error


@pytest.mark.parametrize(
    "body, told",
    [
        (
            "%v = memref.atomic_rmw addi %x, %a[] : (i64, memref<4xi64>) -> i64",
            "'memref.atomic_rmw' op expects the number of subscripts to be equal to memref rank",
        ),
        (
            "%v = memref.atomic_rmw addf %x, %a[%i] : (i64, memref<4xi64>) -> i64",
            "'memref.atomic_rmw' op with kind 'addf' expects a floating-point type",
        ),
        ('"memref.generic_atomic_rmw"(%a, %i) ({}) : (memref<4xi64>, index) -> i64', "'memref.generic_atomic_rmw' op"),
        ("%g = memref.get_global @nothing : memref<4xi64>", "does not reference a valid global memref"),
        ("%t = memref.transpose %a (i) -> (0) : memref<4xi64> to memref<4xi64>", "permutation"),
        (
            "%m = memref.alloc() : memref<9x9xi64, affine_map<(i, j) -> (i * 9223372036854775807 + j)>>",
            "it makes memory of a layout",
        ),
    ],
)
def test_malformed_operations(tmp_path, body, told):
    assert told in refuses(tmp_path, function("%a: memref<4xi64>, %i: index, %x: i64", body + "\nreturn"))


def test_addresses_are_refused(tmp_path):
    text = function(
        "%a: memref<4xf32>",
        "%p = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index\nreturn",
    )
    assert "nothing could check what is read and written through an address" in refuses(tmp_path, text)
