"""Small programs whose loops must not be fused, tiled, made vectors or given a copy of
their memory, since the order of their accesses decides what they compute. Each is of the
kind that upstream's passes over affine loops compile wrongly; the numbers are those of
its reports. test_memory_aliases.py has what affine-parallelize runs in any order."""

import broadloom as bl
import numpy as np
import pytest
from memory_programs import compiled


def test_a_call_between_a_write_and_a_read(vector_type):
    """llvm#211591: the callee changes in each iteration what a later loop reads."""
    v = vector_type(9)
    f = compiled(
        f"%a: {v}, %t: {v}, %out: {v}, %n: index",
        f"""\
affine.for %i = 0 to %n {{
  %x = affine.load %a[%i] : {v}
  %y = arith.addi %x, %x : i64
  affine.store %y, %t[%i] : {v}
  func.call @rotate(%t, %n) : ({v}, index) -> ()
}}
affine.for %i = 0 to %n {{
  %x = affine.load %t[%i] : {v}
  affine.store %x, %out[%i] : {v}
}}""",
        f"""\
func.func private @rotate(%t: {v}, %n: index) {{
  %first = affine.load %t[0] : {v}
  affine.for %i = 1 to %n {{
    %x = affine.load %t[%i] : {v}
    affine.store %x, %t[%i - 1] : {v}
  }}
  affine.store %first, %t[symbol(%n) - 1] : {v}
  return
}}
""",
    )
    a, t, out = np.arange(1, 10), np.arange(100, 109), np.zeros(9, np.int64)
    expected = t.copy()
    for i in range(9):
        expected[i] = 2 * a[i]
        expected = np.roll(expected, -1)
    f(a, t, out, 9)
    np.testing.assert_array_equal(t, expected)
    np.testing.assert_array_equal(out, expected)


def test_a_call_with_the_same_memory_under_another_type(vector_type):
    """llvm#211599: what is written through a cast is read through the memory itself."""
    v = vector_type(6)
    f = compiled(
        f"%a: {v}, %t: {v}, %out: {v}",
        f"""\
affine.for %i = 0 to 6 {{
  %x = affine.load %a[%i] : {v}
  affine.store %x, %t[%i] : {v}
}}
%same = memref.cast %t : {v} to memref<?xi64, strided<[?], offset: ?>>
func.call @negate(%same) : (memref<?xi64, strided<[?], offset: ?>>) -> ()
affine.for %i = 0 to 6 {{
  %x = affine.load %t[%i] : {v}
  affine.store %x, %out[%i] : {v}
}}""",
        """\
func.func private @negate(%t: memref<?xi64, strided<[?], offset: ?>>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i64
  %n = memref.dim %t, %c0 : memref<?xi64, strided<[?], offset: ?>>
  affine.for %i = 0 to %n {
    %x = affine.load %t[%i] : memref<?xi64, strided<[?], offset: ?>>
    %y = arith.subi %zero, %x : i64
    affine.store %y, %t[%i] : memref<?xi64, strided<[?], offset: ?>>
  }
  return
}
""",
    )
    a, t, out = np.arange(6) ** 2, np.ones(6, np.int64), np.ones(6, np.int64)
    f(a, t, out)
    np.testing.assert_array_equal(t, -a)
    np.testing.assert_array_equal(out, -a)


def test_a_loop_that_changes_what_it_reads_and_a_part_that_is_copied(vector_type):
    """llvm#210490: a loop that is fused with a later one must not run twice."""
    v = vector_type(8)
    f = compiled(
        f"%a: {v}, %out: {v}",
        f"""\
affine.for %i = 0 to 8 {{
  %x = affine.load %a[%i] : {v}
  %y = arith.muli %x, %x : i64
  affine.store %y, %a[%i] : {v}
}}
affine.for %i = 2 to 5 {{
  %x = affine.load %a[%i] : {v}
  affine.store %x, %out[%i - 2] : {v}
}}""",
    )
    a, out = np.arange(3, 11), np.zeros(8, np.int64)
    f(a, out)
    np.testing.assert_array_equal(a, np.arange(3, 11) ** 2)
    np.testing.assert_array_equal(out, [25, 36, 49, 0, 0, 0, 0, 0])
    same = np.arange(3, 11)
    f(same, same)
    np.testing.assert_array_equal(same, [25, 36, 49, 36, 49, 64, 81, 100])


def test_two_names_of_one_memory(vector_type):
    """llvm#216535: sums through one view stand between changes through the other."""
    v = vector_type(5)
    view = "memref<?xi64, strided<[?], offset: ?>>"
    f = compiled(
        f"%m: {v}, %sum: {v}, %n: index",
        f"""\
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%five = arith.constant 5 : i64
%a = memref.subview %m[%c0] [%n] [%c1] : {v} to {view}
%b = memref.subview %m[%c0] [%n] [%c1] : {v} to {view}
affine.for %i = 0 to %n {{
  %x = affine.load %a[%i] : {view}
  %y = arith.muli %x, %five : i64
  affine.store %y, %a[%i] : {view}
}}
affine.for %i = 0 to %n {{
  %x = affine.load %b[%i] : {view}
  %s = affine.load %sum[0] : {v}
  %t = arith.addi %s, %x : i64
  affine.store %t, %sum[0] : {v}
}}
affine.for %i = 0 to %n {{
  %x = affine.load %a[%i] : {view}
  %y = arith.addi %x, %five : i64
  affine.store %y, %a[%i] : {view}
}}
affine.for %i = 0 to %n {{
  %x = affine.load %b[%i] : {view}
  %s = affine.load %sum[1] : {v}
  %t = arith.addi %s, %x : i64
  affine.store %t, %sum[1] : {v}
}}""",
    )
    m, sums = np.array([2, 7, 1, 8, 2]), np.zeros(5, np.int64)
    f(m, sums, 5)
    np.testing.assert_array_equal(m, [15, 40, 10, 45, 15])
    np.testing.assert_array_equal(sums[:2], [100, 125])


def test_a_subscript_that_is_a_product_of_numbers(vector_type):
    """llvm#210585: what an analysis cannot read may depend on itself."""
    plane = "memref<?x7x8xi64>"
    f = compiled(
        f"%a: {plane}, %out: memref<?x?xi64>, %p: index, %q: index",
        f"""\
affine.for %i = 1 to 7 {{
  affine.for %j = 0 to 7 {{
    %z = affine.apply affine_map<()[s0, s1] -> (s0 * s1)>()[%p, %q]
    %k = arith.addi %i, %j : index
    %n = arith.index_cast %k : index to i64
    affine.store %n, %a[%z, %i, %j] : {plane}
    %x = affine.load %a[%z, %i - 1, %j + 1] : {plane}
    affine.store %x, %out[%i, %j] : memref<?x?xi64>
  }}
}}""",
    )
    a, out = np.full((7, 7, 8), -1), np.zeros((7, 7), np.int64)
    expected, b = a.copy(), out.copy()
    for i in range(1, 7):
        for j in range(7):
            expected[6, i, j] = i + j
            b[i, j] = expected[6, i - 1, j + 1]
    f(a, out, 2, 3)
    np.testing.assert_array_equal(a, expected)
    np.testing.assert_array_equal(out, b)
    with pytest.raises(bl.ShapeError, match="index 9 is outside axis 0 of argument 'a', whose extent is 7"):
        f(a, out, 3, 3)


@pytest.mark.parametrize("extents", ["?x?", "6x9"])
def test_a_row_that_reads_ahead_in_the_next(extents):
    """llvm#196972: in a tile, the second row would be written before the first one reads it."""
    m = f"memref<{extents}xi64>"
    f = compiled(
        f"%a: {m}",
        f"""\
affine.for %i = 0 to 5 {{
  affine.for %j = 2 to 9 {{
    %x = affine.load %a[%i + 1, %j - 2] : {m}
    %y = affine.load %a[%i, %j] : {m}
    %z = arith.addi %x, %y : i64
    affine.store %z, %a[%i, %j] : {m}
  }}
}}""",
    )
    a = np.arange(54).reshape(6, 9) % 11
    expected = a.copy()
    for i in range(5):
        for j in range(2, 9):
            expected[i, j] += expected[i + 1, j - 2]
    f(a)
    np.testing.assert_array_equal(a, expected)


@pytest.mark.parametrize("by", [1, 2, 3, 5, 8])
def test_a_loop_that_reads_what_it_has_written(vector_type, by):
    """Iterations that depend on earlier ones are no lanes of a vector."""
    v = vector_type(67)
    f = compiled(
        f"%a: {v}",
        f"""\
affine.for %i = {by} to 67 {{
  %x = affine.load %a[%i - {by}] : {v}
  %y = affine.load %a[%i] : {v}
  %z = arith.addi %x, %y : i64
  affine.store %z, %a[%i] : {v}
}}""",
    )
    a = np.arange(67)
    expected = a.copy()
    for i in range(by, 67):
        expected[i] += expected[i - by]
    f(a)
    np.testing.assert_array_equal(a, expected)


@pytest.mark.parametrize("factor, step", [(1, 1), (3, 1), (1, 3), (2, 2)])
def test_iterations_that_are_no_multiple_of_a_vector(vector_type, factor, step):
    """llvm#218120, llvm#196973, llvm#225247: nothing is written beyond the loop, and nothing between its
    elements."""
    v = vector_type(64)
    f = compiled(
        f"%a: {v}, %n: index",
        f"""\
affine.for %i = 0 to %n step {step} {{
  %x = affine.load %a[%i * {factor}] : {v}
  %y = arith.addi %x, %x : i64
  affine.store %y, %a[%i * {factor}] : {v}
}}""",
    )
    for n in (0, 1, 5, 6, 13, 21):
        a = np.arange(1, 65)
        expected = a.copy()
        for i in range(0, n, step):
            expected[i * factor] *= 2
        f(a, n)
        np.testing.assert_array_equal(a, expected)


def test_an_affine_and_another_access_of_one_element(vector_type):
    """llvm#217538: a copy of the memory that one of them has is not what the other one has."""
    v = vector_type(4)
    f = compiled(
        f"%a: {v}, %k: index, %n: index",
        f"""\
%c1 = arith.constant 1 : index
%c3 = arith.constant 3 : index
affine.for %i = 0 to %n {{
  %x = affine.load %a[0] : {v}
  %3 = arith.index_cast %i : index to i64
  %y = arith.addi %x, %3 : i64
  affine.store %y, %a[0] : {v}
  %j = arith.andi %k, %c3 : index
  %z = memref.load %a[%j] : {v}
  %w = arith.muli %z, %z : i64
  memref.store %w, %a[%j] : {v}
}}""",
    )
    for k in range(4):
        a, expected = np.array([1, 2, 3, 4]), np.array([1, 2, 3, 4])
        for i in range(3):
            expected[0] += i
            expected[k] *= expected[k]
        f(a, k, 3)
        np.testing.assert_array_equal(a, expected)


@pytest.mark.parametrize("k", [0, 4, 8])
def test_a_loop_that_reads_what_a_later_one_writes(vector_type, k):
    """llvm#212032: each iteration of the first loop reads the element that is there before the second one."""
    v = vector_type(9)
    f = compiled(
        f"%a: {v}, %b: {v}, %t: {v}, %k: index",
        f"""\
affine.for %i = 0 to 9 {{
  %x = affine.load %a[symbol(%k)] : {v}
  %y = affine.load %b[%i] : {v}
  %z = arith.muli %x, %y : i64
  affine.store %z, %t[%i] : {v}
}}
affine.for %i = 0 to 9 {{
  %x = affine.load %t[%i] : {v}
  affine.store %x, %a[%i] : {v}
}}""",
    )
    a, b, t = np.arange(2, 11), np.arange(9) - 3, np.zeros(9, np.int64)
    expected = a[k] * b
    f(a, b, t, k)
    np.testing.assert_array_equal(t, expected)
    np.testing.assert_array_equal(a, expected)


VIEW = "memref<?xi64, strided<[?], offset: ?>>"


def test_a_view_that_is_one_element_ahead(vector_type):
    """llvm#197081: what is written through a view is read through the memory in the next iteration."""
    v = vector_type(40)
    f = compiled(
        f"%a: {v}, %n: index",
        f"""\
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%view = memref.reinterpret_cast %a to offset: [%c0], sizes: [%n], strides: [%c1] : {v} to {VIEW}
affine.for %i = 0 to affine_map<()[n] -> (n - 1)>()[%n] {{
  %x = affine.load %a[%i] : {v}
  %y = arith.addi %x, %x : i64
  affine.store %y, %view[%i + 1] : {VIEW}
}}""",
    )
    a = np.ones(40, np.int64)
    f(a, 40)
    np.testing.assert_array_equal(a, 2 ** np.arange(40))
