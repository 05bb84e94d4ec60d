"""Copies of what loops touch (rule sch-19), by the command line: the values of NumPy, and what is refused."""

import broadloom
import numpy as np
import pytest
from memory_programs import function, scalars
from memory_schedules import (
    edited,
    gemm,
    has_same_bits,
    in_order,
    products,
    refusal,
    script,
    tells_the_same,
)

NAMED = "%i, %j, %l = transform.loom.nest @main 0 : 3"
# A part of `b` that all rows use, and one of `c` that all products of a tile are added to.
PACKED = script(
    NAMED,
    "%t:6 = transform.loom.tile %i, %j, %l by [4, 16, 8]",
    "%o:6 = transform.loom.interchange %t#0, %t#1, %t#2, %t#3, %t#4, %t#5 to [1, 2, 0, 3, 5, 4]",
    '%b = transform.loom.pack %o#2 of "b"',
    '%c = transform.loom.pack %o#3 of "c"',
    "%v = transform.loom.vectorize %o#5 by 8",
)


@pytest.mark.parametrize("sizes", [(13, 37, 21), (1, 1, 1), (0, 5, 3), (4, 16, 8), (5, 17, 0), (9, 0, 8)])
@pytest.mark.parametrize("extents", ["?", "static"])
def test_a_packed_product_has_the_same_bits(tmp_path, sizes, extents):
    has_same_bits(tmp_path, PACKED, extents, sizes)


def test_constants(tmp_path):
    a, b, c = products(6, 20, 9)
    text = gemm(6, 20, 9).replace("%m: index, %n: index, %k: index", "").replace("xf32>, )", "xf32>)")
    text = text.replace("to %m", "to 6").replace("to %n", "to 20").replace("to %k", "to 9").replace(", ) {", ") {")
    after = edited(tmp_path, text, PACKED, [a, b, c])
    assert after[2].tobytes() == in_order(a, b, c).tobytes()


def test_what_is_outside_is_told_as_without_a_schedule(tmp_path):
    tells_the_same(tmp_path, PACKED)


# Each iteration of the loop on threads has a copy.
THREADS = script(
    NAMED,
    "%t:6 = transform.loom.tile %i, %j, %l by [4, 16, 8]",
    "%p = transform.loom.parallelize %t#0",
    '%b = transform.loom.pack %t#3 of "b"',
    '%c = transform.loom.pack %t#1 of "c"',
)


@pytest.mark.parametrize("sizes", [(13, 37, 21), (0, 5, 3), (150, 40, 60)])
def test_copies_of_threads(tmp_path, sizes):
    a, b, c = products(*sizes)
    after = edited(tmp_path, gemm(), THREADS, [a, b, c], scalars(*sizes))
    assert after[2].tobytes() == in_order(a, b, c).tobytes()


STENCIL = function(
    "%a: memref<?x?xi64>, %b: memref<?xi64>, %n: index, %w: index",
    """\
  affine.for %i = 0 to %n step 3 {
    affine.for %j = 0 to %w {
      %x = affine.load %a[%i, 2 * %j] : memref<?x?xi64>
      %y = affine.load %a[%i + 1, 2 * %j + 3] : memref<?x?xi64>
      %s = arith.subi %x, %y : i64
      affine.store %s, %a[%i + 2, %j + 1] : memref<?x?xi64>
      affine.store %x, %b[%j] : memref<?xi64>
    } {loom.loop = "j"}
  } {loom.loop = "i"}
  return""",
)


def stencil(a, b, n, w):
    for i in range(0, n, 3):
        for j in range(w):
            x = a[i, 2 * j]
            a[i + 2, j + 1] = x - a[i + 1, 2 * j + 3]
            b[j] = x


# Of several accesses, with gaps: what no store writes keeps its value.
@pytest.mark.parametrize("loop", ["i", "j"])
@pytest.mark.parametrize("memory", ["a", "b"])
@pytest.mark.parametrize("sizes", [(9, 5), (1, 1), (10, 0), (0, 4)])
def test_a_box_of_several_accesses(tmp_path, loop, memory, sizes):
    n, w = sizes
    a = np.random.default_rng(3).integers(-99, 99, (n + 4, 2 * w + 5))
    b = np.arange(w + 2)
    lines = [f'%l = transform.loom.loop @main "{loop}"', f'%p = transform.loom.pack %l of "{memory}"']
    after = edited(tmp_path, STENCIL, script(*lines), [a, b], scalars(n, w))
    expected = a.copy(), b.copy()
    stencil(*expected, n, w)
    np.testing.assert_array_equal(after[0], expected[0])
    np.testing.assert_array_equal(after[1], expected[1])


# A loop that runs nothing touches nothing, whatever its bounds: `b` may be shorter than they say.
def test_a_loop_without_iterations(tmp_path):
    text = function(
        "%a: memref<?xf64>, %n: index, %m: index",
        """\
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %m {
      affine.for %k = 0 to 1000 {
        %x = affine.load %a[%k] : memref<?xf64>
        affine.store %x, %a[%k] : memref<?xf64>
      }
    } {loom.loop = "j"}
  }
  return""",
    )
    lines = ['%j = transform.loom.loop @main "j"', '%p = transform.loom.pack %j of "a"']
    a = np.arange(3.0)
    after = edited(tmp_path, text, script(*lines), [a], ["i64=4", "i64=0"])
    np.testing.assert_array_equal(after[0], a)


TRIANGLE = function(
    "%a: memref<?x?xf64>, %n: index",
    """\
  affine.for %i = 0 to %n {
    affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
      %x = affine.load %a[%i, %j] : memref<?x?xf64>
      %y = arith.addf %x, %x : f64
      affine.store %y, %a[%i, %j] : memref<?x?xf64>
    } {loom.loop = "j"}
  } {loom.loop = "i"}
  return""",
)


@pytest.mark.parametrize("loop", ["i", "j"])
@pytest.mark.parametrize("n", [0, 1, 6])
def test_a_triangle(tmp_path, loop, n):
    a = np.random.default_rng(4).random((n, n))
    lines = [f'%l = transform.loom.loop @main "{loop}"', '%p = transform.loom.pack %l of "a"']
    after = edited(tmp_path, TRIANGLE, script(*lines), [a], scalars(n))
    np.testing.assert_array_equal(after[0], np.where(np.tri(n, dtype=bool), 2 * a, a))


# Memory that a view overlaps with is no copy: the nest of the program runs (sch-10).
@pytest.mark.parametrize("by", [0, 1, 8])
def test_memory_that_overlaps(tmp_path, by):
    text = function(
        "%a: memref<?xi64>, %n: index, %by: index",
        """\
  %b = memref.subview %a[%by] [%n] [1] : memref<?xi64> to memref<?xi64, strided<[1], offset: ?>>
  affine.for %i = 0 to %n {
    %x = affine.load %a[%i] : memref<?xi64>
    affine.store %x, %b[%i] : memref<?xi64, strided<[1], offset: ?>>
  } {loom.loop = "i"}
  return""",
    )
    a = np.arange(16) ** 2
    lines = ['%i = transform.loom.loop @main "i"', '%p = transform.loom.pack %i of "a"']
    after = edited(tmp_path, text, script(*lines), [a], ["i64=8", f"i64={by}"])
    expected = a.copy()
    for i in range(8):
        expected[by + i] = expected[i]
    np.testing.assert_array_equal(after[0], expected)


@pytest.mark.parametrize(
    "lines, text",
    [
        (
            [NAMED, '%p = transform.loom.pack %i of "x"'],
            "s.mlir:4:10: error: loop 'i' touches no memory 'x', but argument 'a', argument 'b' and argument 'c'",
        ),
        (
            [NAMED, '%p = transform.loom.pack %l of "b"', "%r = transform.loom.parallelize %i"],
            "of the copy of argument 'b'",
        ),
        (
            [NAMED, "%q = transform.loom.parallelize %j", '%p = transform.loom.pack %j of "b"'],
            "s.mlir:5:10: error: loop 'j' runs on threads; edits of it and of loops around it stand in front",
        ),
        (
            [NAMED, '%p = transform.loom.pack %l of "b"', "%r:2 = transform.loom.interchange %j, %l to [1, 0]"],
            "what loop 'l' touches is copied in loop 'j'; edits of loops around stand in front of pack",
        ),
    ],
)
def test_what_is_refused(tmp_path, lines, text):
    assert text in refusal(tmp_path, gemm(), script(*lines))


def test_a_view_in_the_loop_is_refused(tmp_path):
    text = function(
        "%a: memref<?xi64>, %n: index",
        """\
  affine.for %i = 0 to %n {
    %c0 = arith.constant 0 : index
    %b = memref.subview %a[%i] [1] [1] : memref<?xi64> to memref<1xi64, strided<[1], offset: ?>>
    %x = memref.load %b[%c0] : memref<1xi64, strided<[1], offset: ?>>
    %y = arith.addi %x, %x : i64
    memref.store %y, %b[%c0] : memref<1xi64, strided<[1], offset: ?>>
  } {loom.loop = "i"}
  return""",
    )
    lines = ['%i = transform.loom.loop @main "i"', '%p = transform.loom.pack %i of "a"']
    assert (
        "'memref.load' in loop 'i' touches argument 'a' by other means than one load or store of an element"
        in refusal(tmp_path, text, script(*lines))
    )


LARGE = function(
    "%a: memref<?x?xf64>",
    """\
  affine.for %i = 0 to 100000 {
    affine.for %j = 0 to 100000 {
      %x = affine.load %a[%i, %j] : memref<?x?xf64>
      affine.store %x, %a[%i, %j] : memref<?x?xf64>
    } {loom.loop = "j"}
  } {loom.loop = "i"}
  return""",
)


def test_a_copy_that_is_too_large(tmp_path):
    lines = ['%i = transform.loom.loop @main "i"', '%p = transform.loom.pack %i of "a"']
    assert "the copy of argument 'a' would have 80000000000 bytes, more than 2147483648" in refusal(
        tmp_path, LARGE, script(*lines)
    )


def test_check_prints_the_copies(tmp_path):
    (tmp_path / "p.mlir").write_text(TRIANGLE)
    (tmp_path / "s.mlir").write_text(script('%j = transform.loom.loop @main "j"', '%p = transform.loom.pack %j of "a"'))
    report = broadloom.call("check", tmp_path / "p.mlir", f"--schedule={tmp_path}/s.mlir").out
    assert "extension {" in report and "{S2} j.copy1 {" in report and "{S3} j.back1 {" in report


# Copies of nests that become one are taken in front of both.
def test_fused_nests_with_copies(tmp_path):
    text = function(
        "%a: memref<?xi64>, %b: memref<?xi64>, %n: index",
        """\
  affine.for %i = 0 to %n {
    affine.for %k = 0 to 3 {
      %x = affine.load %a[%i + %k] : memref<?xi64>
      affine.store %x, %b[%i] : memref<?xi64>
    } {loom.loop = "k"}
  } {loom.loop = "i"}
  affine.for %j = 0 to %n {
    affine.for %l = 0 to 2 {
      %x = affine.load %a[%j + %l] : memref<?xi64>
      %y = affine.load %b[%j] : memref<?xi64>
      %z = arith.addi %x, %y : i64
      affine.store %z, %b[%j] : memref<?xi64>
    } {loom.loop = "l"}
  } {loom.loop = "j"}
  return""",
    )
    names = [f'%{name} = transform.loom.loop @main "{name}"' for name in "ijkl"]
    packs = ['%p = transform.loom.pack %k of "a"', '%q = transform.loom.pack %l of "a"']
    a, b = np.arange(9) ** 2, np.zeros(7, np.int64)
    lines = [*names, *packs, "%f = transform.loom.fuse %i, %j"]
    after = edited(tmp_path, text, script(*lines), [a, b], ["i64=7"])
    np.testing.assert_array_equal(after[1], a[2:9] + a[:7] + a[1:8])


NUMBERED = """\
  %c0 = arith.constant 0 : {type}
  %c1 = arith.constant 1 : {type}
  scf.for %i = %c0 to %n step %c1 : {type} {{
    %k = arith.index_cast %i : {type} to index
    affine.for %j = 0 to %m {{
      %x = memref.load %a[{index}] : memref<?x?xi64>
      %y = arith.addi %x, %x : i64
      memref.store %y, %a[{index}] : memref<?x?xi64>
    }} {{loom.loop = "j"}}
  }}
  return"""


# Variables of loops around, which are no indices, are in the bounds of a box.
@pytest.mark.parametrize("number", ["i32", "i64"])
@pytest.mark.parametrize("index", ["%k, %j", "%j, %k"])
def test_loops_of_numbers_around(tmp_path, number, index):
    text = function(f"%a: memref<?x?xi64>, %n: {number}, %m: index", NUMBERED.format(type=number, index=index))
    a = np.arange(35).reshape(5, 7)
    lines = ['%j = transform.loom.loop @main "j"', '%p = transform.loom.pack %j of "a"']
    after = edited(tmp_path, text, script(*lines), [a], [f"{number}=4", "i64=5"])
    expected = a.copy()
    part = (slice(4), slice(5)) if index == "%k, %j" else (slice(5), slice(4))
    expected[part] *= 2
    np.testing.assert_array_equal(after[0], expected)


# A box that is longer than the memref, where a loop runs nothing: no call needs memory for it.
@pytest.mark.parametrize("loop", ["i", "j"])
@pytest.mark.parametrize("n", [1 << 20, 1 << 30, 1 << 40])
@pytest.mark.parametrize("threads", [False, True])
def test_a_large_box_of_a_nest_without_iterations(tmp_path, loop, n, threads):
    text = function(
        "%a: memref<?x?xf64>, %b: memref<?x?xf64>, %m: index, %n: index",
        """\
  affine.for %i = 0 to %m {
    affine.for %j = 0 to %n {
      affine.for %k = 0 to %n {
        %x = affine.load %a[%j, %k] : memref<?x?xf64>
        affine.store %x, %b[%k, %j] : memref<?x?xf64>
      } {loom.loop = "k"}
    } {loom.loop = "j"}
  } {loom.loop = "i"}
  return""",
    )
    a, b = np.arange(9.0).reshape(3, 3), np.zeros((3, 3))
    packed = "k" if threads else loop
    lines = [f'%{name} = transform.loom.loop @main "{name}"' for name in "ijk"]
    lines += ["%q = transform.loom.parallelize %j"] * threads + [f'%p = transform.loom.pack %{packed} of "a"']
    after = edited(tmp_path, text, script(*lines), [a, b], ["i64=0", f"i64={n}"])
    np.testing.assert_array_equal(after[1], b)
    after = edited(tmp_path, text, script(*lines), [a, b], ["i64=1", "i64=3"])
    np.testing.assert_array_equal(after[1], a.T)


@pytest.mark.parametrize("n", [1 << 32, 1 << 33])
def test_a_large_box_of_an_empty_loop_inside(tmp_path, n):
    text = function(
        "%a: memref<?xf64>, %b: memref<?xf64>, %m: index, %n: index",
        """\
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %m {
      %x = affine.load %a[%i + %j] : memref<?xf64>
      affine.store %x, %b[%j] : memref<?xf64>
    }
  } {loom.loop = "i"}
  return""",
    )
    a, b = np.arange(9.0), np.zeros(9)
    lines = ['%i = transform.loom.loop @main "i"', '%p = transform.loom.pack %i of "a"']
    after = edited(tmp_path, text, script(*lines), [a, b], ["i64=0", f"i64={n}"])
    np.testing.assert_array_equal(after[1], b)


# A loop on threads that stands in another one, whose bounds are a constant and an argument.
@pytest.mark.parametrize("bound", ["%m", "4", "affine_map<()[s0] -> (s0 - 1)>()[%m]"])
def test_copies_of_threads_in_a_loop(tmp_path, bound):
    text = function(
        "%a: memref<?x?x?xf64>, %n: index, %m: index",
        f"""\
  affine.for %i = 0 to %n {{
    affine.for %j = 0 to {bound} {{
      affine.for %k = 0 to 4 {{
        %x = affine.load %a[%i, %j, %k] : memref<?x?x?xf64>
        %y = arith.addf %x, %x : f64
        affine.store %y, %a[%i, %j, %k] : memref<?x?x?xf64>
      }} {{loom.loop = "k"}}
    }} {{loom.loop = "j"}}
  }}
  return""",
    )
    a = np.random.default_rng(5).random((3, 5, 4))
    lines = ['%j = transform.loom.loop @main "j"', '%k = transform.loom.loop @main "k"']
    lines += ["%q = transform.loom.parallelize %j", '%p = transform.loom.pack %k of "a"']
    after = edited(tmp_path, text, script(*lines), [a], ["i64=3", "i64=5"])
    count = 5 if bound == "%m" else 4
    expected = a.copy()
    expected[:, :count] *= 2
    np.testing.assert_array_equal(after[0], expected)


def test_copies_of_threads_that_are_too_large(tmp_path):
    lines = ['%i = transform.loom.loop @main "i"', '%j = transform.loom.loop @main "j"']
    lines += ["%q = transform.loom.parallelize %i", '%p = transform.loom.pack %j of "a"']
    assert (
        "the copies of argument 'a' for the iterations of loop 'i' on threads would have 80000000000 bytes, "
        "more than 2147483648" in refusal(tmp_path, LARGE, script(*lines))
    )


# What is said to be done is legal: a copy in each iteration, of what no iteration shares but by the copy.
@pytest.mark.parametrize("packed, is_advised", [("j", True), ("i", False)])
def test_advice_for_threads(tmp_path, packed, is_advised):
    text = function(
        "%a: memref<?xi64>, %b: memref<?x?xi64>, %n: index",
        """\
  affine.for %i = 0 to %n {
    affine.for %j = 0 to 8 {
      %x = affine.load %a[%j] : memref<?xi64>
      affine.store %x, %b[%i, %j] : memref<?x?xi64>
    } {loom.loop = "j"}
  } {loom.loop = "i"}
  return""",
    )
    lines = ['%i = transform.loom.loop @main "i"', '%j = transform.loom.loop @main "j"']
    pack = [f'%p = transform.loom.pack %{packed} of "{"a" if is_advised else "b"}"']
    threads = ["%q = transform.loom.parallelize %i"]
    if is_advised:
        message = refusal(tmp_path, text, script(*lines, *pack, *threads))
        assert "; in front of pack, parallelize gives each iteration a copy of its own" in message
        pack, threads = threads, pack
    a, b = np.arange(8), np.zeros((5, 8), np.int64)
    after = edited(tmp_path, text, script(*lines, *pack, *threads), [a, b], ["i64=5"])
    np.testing.assert_array_equal(after[1], np.tile(a, (5, 1)))


@pytest.mark.parametrize("packed", ["i", "j"])
def test_no_advice_where_it_does_not_help(tmp_path, packed):
    text = function(
        "%a: memref<?xi64>, %b: memref<?xi64>, %n: index",
        """\
  affine.for %i = 0 to %n {
    affine.for %j = 0 to 8 {
      %x = affine.load %a[%j] : memref<?xi64>
      %y = affine.load %b[%i + %j] : memref<?xi64>
      %z = arith.addi %x, %y : i64
      affine.store %z, %a[%j] : memref<?xi64>
    } {loom.loop = "j"}
  } {loom.loop = "i"}
  return""",
    )
    lines = ['%i = transform.loom.loop @main "i"', '%j = transform.loom.loop @main "j"']
    lines += [f'%p = transform.loom.pack %{packed} of "a"', "%q = transform.loom.parallelize %i"]
    message = refusal(tmp_path, text, script(*lines))
    assert "cannot run on threads" in message and "in front of pack" not in message


# A store that never runs: nothing is written back.
def test_a_store_that_never_runs(tmp_path):
    text = function(
        "%a: memref<?xi64>, %b: memref<?xi64>, %n: index",
        """\
  affine.for %i = 0 to %n {
    affine.for %j = 2 to 1 {
      %x = affine.load %a[%j] : memref<?xi64>
      affine.store %x, %b[%j] : memref<?xi64>
    }
    %y = affine.load %b[4] : memref<?xi64>
    affine.store %y, %a[%i] : memref<?xi64>
  } {loom.loop = "i"}
  return""",
    )
    a, b = np.arange(6), np.arange(7) ** 2
    lines = ['%i = transform.loom.loop @main "i"', '%p = transform.loom.pack %i of "b"']
    after = edited(tmp_path, text, script(*lines), [a, b], ["i64=5"])
    np.testing.assert_array_equal(after[0], [16] * 5 + [5])
    np.testing.assert_array_equal(after[1], b)
