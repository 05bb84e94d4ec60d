"""Views and atomic accesses of programs over memory (rules mem-11 and mem-12): values against NumPy, and errors by
their text."""

import numpy as np
import pytest
from memory_programs import FILL, fails, function, refuses, run, scalars


def test_views(tmp_path):
    text = function(
        "%a: memref<?x?xf64>, %o: index, %s: index, %t: index",
        """\
  %c1 = arith.constant 1 : index
  %v = memref.subview %a[%o, 0] [%s, 2] [%t, 1] : memref<?x?xf64> to memref<?x2xf64, strided<[?, 1], offset: ?>>
  %one = arith.constant 1.0 : f64
  affine.for %i = 0 to %s {
    affine.store %one, %v[%i, 1] : memref<?x2xf64, strided<[?, 1], offset: ?>>
  }
  return""",
    )
    _, (a,) = run(tmp_path, text, [np.zeros((6, 3))], ["i64=1", "i64=3", "i64=2"])
    expected = np.zeros((6, 3))
    expected[1:6:2, 1] = 1
    np.testing.assert_array_equal(a, expected)
    assert (
        "'memref.subview': the view takes 4 elements of axis 0 of argument 'a' from 1 on in steps of 2, but "
        "the extent is 6"
    ) in fails(tmp_path, text, [np.zeros((6, 3))], ["i64=1", "i64=4", "i64=2"])


@pytest.mark.parametrize(
    "offset, size, stride, good",
    [
        (0, 0, 0, True),
        (6, 0, 1, True),
        (7, 0, 1, False),
        (-1, 1, 1, False),
        (5, 1, -7, True),
        (5, 2, 1, False),
        (5, 6, -1, True),
        (5, 7, -1, False),
        (0, 2, 2**62, False),
        (1, -1, 1, False),
        (0, 6, 1, True),
        (2**63 - 1, 2, 1, False),
        (0, 2**62, 4, False),
        (0, 2, 0, False),
        (0, 2**62, 0, False),
        (3, 1, 0, True),
    ],
)
def test_views_stay_inside(tmp_path, offset, size, stride, good):
    text = function(
        "%a: memref<?xf64>, %o: index, %s: index, %t: index",
        """\
  %v = memref.subview %a[%o] [%s] [%t] : memref<?xf64> to memref<?xf64, strided<[?], offset: ?>>
  %one = arith.constant 1.0 : f64
  affine.for %i = 0 to %s {
    affine.store %one, %v[%i] : memref<?xf64, strided<[?], offset: ?>>
  }
  return""",
    )
    numbers = scalars(offset, size, stride)
    if not good:
        assert "the view takes" in fails(tmp_path, text, [np.zeros(6)], numbers)
        return
    _, (a,) = run(tmp_path, text, [np.zeros(6)], numbers)
    expected = np.zeros(6)
    for i in range(size):
        expected[offset + i * stride] = 1
    np.testing.assert_array_equal(a, expected)


def test_copies_agree_and_may_overlap(tmp_path):
    text = function(
        "%a: memref<?xf32>, %b: memref<?xf32>",
        """\
  memref.copy %a, %b : memref<?xf32> to memref<?xf32>
  return""",
    )
    assert ("'memref.copy': axis 0 of argument 'a' has extent 3, but axis 0 of argument 'b' has 4") in fails(
        tmp_path, text, [np.zeros(3, np.float32), np.zeros(4, np.float32)]
    )
    text = function(
        "%a: memref<8xi32>",
        """\
  %x = memref.subview %a[0] [6] [1] : memref<8xi32> to memref<6xi32, strided<[1]>>
  %y = memref.subview %a[2] [6] [1] : memref<8xi32> to memref<6xi32, strided<[1], offset: 2>>
  memref.copy %x, %y : memref<6xi32, strided<[1]>> to memref<6xi32, strided<[1], offset: 2>>
  return""",
    )
    _, (a,) = run(tmp_path, text, [np.arange(8, dtype=np.int32)])
    assert a.tolist() == [0, 1, 0, 1, 2, 3, 4, 5]


def test_casts_are_checked(tmp_path):
    text = function(
        "%a: memref<?xf32>",
        """\
  %b = memref.cast %a : memref<?xf32> to memref<4xf32>
  %one = arith.constant 1.0 : f32
  affine.store %one, %b[3] : memref<4xf32>
  return""",
    )
    _, (a,) = run(tmp_path, text, [np.zeros(4, np.float32)])
    assert a.tolist() == [0, 0, 0, 1]
    assert "'memref.cast': axis 0 of argument 'a' has extent 3, but the result's type has 4" in fails(
        tmp_path, text, [np.zeros(3, np.float32)]
    )


def view(body, results="memref<?xi64, strided<[?], offset: ?>>"):
    """Fills the view %v of argument %a with 0, 1, 2, ..."""
    return function(
        "%a: memref<?xi64>, %p: index, %q: index, %r: index", f"{body}\n" + FILL.format(v="%v", type=results)
    )


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
        "p.mlir:3:8: 'memref.reinterpret_cast': the view reaches from element 0 to element 8 of %s (the "
        "result of 'memref.subview' at p.mlir:2:8), whose memory has elements 0 to 7\n"
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
    # Nor does a text say that its function is one of those that come with the compiler.
    for marked in (text, text.replace(") {", ") attributes {loom.known_effects} {", 1)):
        assert "nothing could check what is read and written through an address" in refuses(tmp_path, marked)
