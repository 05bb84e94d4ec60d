"""Schedules by the command line (rules sch-1 to sch-10): the values of NumPy, and what is refused."""

import json
import re

import broadloom
import numpy as np
import pytest
from memory_programs import function, run
from memory_schedules import (
    compile_edited,
    edited,
    gemm,
    has_same_bits,
    in_order,
    products,
    refusal,
    script,
    tells_the_same,
)

TILES = script(
    "%i, %j, %l = transform.loom.nest @main 0 : 3",
    "%i2, %l2, %j2 = transform.loom.interchange %i, %j, %l to [0, 2, 1]",
    "%t:6 = transform.loom.tile %i2, %l2, %j2 by [4, 8, 16]",
    "%main, %rest = transform.loom.unroll %t#5 by 4",
)


@pytest.mark.parametrize("sizes", [(13, 37, 21), (1, 1, 1), (0, 5, 3), (4, 16, 8), (5, 17, 0)])
@pytest.mark.parametrize("extents", ["?", "static"])
def test_a_tiled_product_has_the_same_bits(tmp_path, sizes, extents):
    has_same_bits(tmp_path, TILES, extents, sizes)


def test_what_is_outside_is_told_as_without_a_schedule(tmp_path):
    tells_the_same(tmp_path, TILES)


SHIFTED = function(
    "%a: memref<?xi64>, %n: index, %by: index",
    """\
  %b = memref.subview %a[%by] [%n] [1] : memref<?xi64> to memref<?xi64, strided<[1], offset: ?>>
  affine.for %i = 0 to %n {
    %x = affine.load %a[%i] : memref<?xi64>
    affine.store %x, %b[%i] : memref<?xi64, strided<[1], offset: ?>>
  } {loom.loop = "i"}
  return""",
)


# Where memory overlaps, the nest runs in the order of the program (sch-10).
@pytest.mark.parametrize("by", [0, 1, 3, 8])
def test_memory_that_overlaps(tmp_path, by):
    a = np.arange(16) ** 2
    after = edited(tmp_path, SHIFTED, REVERSED, [a], ["i64=8", f"i64={by}"])
    expected = a.copy()
    for i in range(8):
        expected[by + i] = expected[i]
    np.testing.assert_array_equal(after[0], expected)


REVERSED = script('%i = transform.loom.loop @main "i"', "%r = transform.loom.reverse %i")


def test_a_refused_interchange(tmp_path):
    text = function(
        "%a: memref<?x?xf64>, %n: index",
        """\
  affine.for %i = 1 to %n {
    affine.for %j = 0 to %n {
      %x = affine.load %a[%i - 1, %j + 1] : memref<?x?xf64>
      affine.store %x, %a[%i, %j] : memref<?x?xf64>
    } {loom.loop = "j"}
  } {loom.loop = "i"}
  return""",
    )
    lines = ["%i, %j = transform.loom.nest @main 0 : 2", "%k:2 = transform.loom.interchange %i, %j to [1, 0]"]
    error = refusal(tmp_path, text, script(*lines))
    assert error.startswith(
        "s.mlir:4:12: error: 'affine.store' at p.mlir:5:7 in iteration (i = 1, j = 1) comes before 'affine.load' at "
        "p.mlir:4:12 in iteration (i = 2, j = 0), and the edit would run it behind that one; both touch element "
        "[1, 1] of argument 'a', where "
    ), error


MIRRORED = function(
    "%m: memref<?x?xf32>, %o: memref<?x?xf32>",
    """\
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %o, %c0 : memref<?x?xf32>
  %k = memref.dim %o, %c1 : memref<?x?xf32>
  %p = loom.boundary reflect %m low[1, 1] high[1, 1] : memref<?x?xf32> to memref<?x?xf32>
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %k {
      %x = affine.load %p[%i, %j + 1] : memref<?x?xf32>
      %y = affine.load %p[%i + 2, %j] : memref<?x?xf32>
      %s = arith.addf %x, %y : f32
      affine.store %s, %o[%i, %j] : memref<?x?xf32>
    } {loom.loop = "j"}
  }
  return""",
)


# A schedule finds the loops of the program, also where these read a boundary.
@pytest.mark.parametrize(
    "lines",
    [
        [],
        ['%j = transform.loom.loop @main "j"', "%a, %b = transform.loom.unroll %j by 2"],
        ["%i = transform.loom.nest @main 0 : 1", "%a, %b = transform.loom.unroll %i by 3"],
    ],
)
def test_loops_that_read_a_boundary(tmp_path, lines):
    m = np.random.default_rng(9).random((7, 8), np.float32)
    p = np.pad(m, 1, mode="reflect")
    after = edited(tmp_path, MIRRORED, script(*lines), [m, np.zeros_like(m)])
    np.testing.assert_array_equal(after[1], p[:-2, 1:-1] + p[2:, :-2])


def test_a_boundary_adds_no_loops(tmp_path):
    lines = ["%i, %j = transform.loom.nest @main 0 : 2", "%k = transform.loom.nest @main 1 : 1"]
    assert "function '@main' has 1 loop nest, but no number 1" in refusal(tmp_path, MIRRORED, script(*lines))


# What is read beyond the ends depends on branches, beside which loops are not moved.
@pytest.mark.parametrize(
    "mode, text",
    [
        ("reflect %m", "'scf.if' stands beside loop 'j' in the loop of %i at"),
        ("constant %m with %zero : f32", "a condition around it is not affine in numbers"),
    ],
)
def test_loops_that_read_a_boundary_are_not_moved(tmp_path, mode, text):
    program = MIRRORED.replace("reflect %m", mode).replace("  %c1", "  %zero = arith.constant 0.0 : f32\n  %c1")
    for edit in ("%k:2 = transform.loom.interchange %i, %j to [1, 0]", "%t:4 = transform.loom.tile %i, %j by [2, 3]"):
        assert text in refusal(tmp_path, program, script("%i, %j = transform.loom.nest @main 0 : 2", edit))
        checked = broadloom.call("check", tmp_path / "p.mlir", f"--schedule={tmp_path}/s.mlir", "--format=json")
        assert checked.status == broadloom.REJECTED and text in checked.out


STEPS = function(
    "%a: memref<?x?xi64>, %n: index, %m: index",
    """\
  affine.for %i = 0 to %n {
    affine.for %j = affine_map<(d0) -> (2 * d0 + 1)>(%i) to %m step 3 {
      %x = affine.load %a[%i, %j] : memref<?x?xi64>
      %y = arith.index_cast %j : index to i64
      %z = arith.addi %x, %y : i64
      affine.store %z, %a[%i, %j] : memref<?x?xi64>
    } {loom.loop = "j"}
  } {loom.loop = "i"}
  return""",
)


# sch-4, sch-5: the first iteration of the inner loop depends on the outer one.
@pytest.mark.parametrize("sizes", [(0, 9), (5, 0), (6, 17), (9, 30)])
@pytest.mark.parametrize(
    "edit", ["%k:2 = transform.loom.interchange %i, %j to [1, 0]", "%t:4 = transform.loom.tile %i, %j by [2, 3]"]
)
def test_first_iterations_that_depend_on_loops(tmp_path, sizes, edit):
    n, m = sizes
    a = np.random.default_rng(8).integers(-9, 9, (n + 1, m + 1))
    lines = ["%i, %j = transform.loom.nest @main 0 : 2", edit]
    after = edited(tmp_path, STEPS, script(*lines), [a], [f"i64={n}", f"i64={m}"])
    expected = a.copy()
    for i in range(n):
        expected[i, 2 * i + 1 : m : 3] += np.arange(2 * i + 1, m, 3)
    np.testing.assert_array_equal(after[0], expected)


TWO_STEPS = function(
    "%a: memref<?xi64>, %b: memref<?xi64>, %n: index, %m: index",
    """\
  affine.for %i = 1 to %n step 3 {
    %x = arith.index_cast %i : index to i64
    affine.store %x, %a[%i] : memref<?xi64>
  } {loom.loop = "i"}
  affine.for %j = 7 to %m step 3 {
    %x = affine.load %a[%j - 3] : memref<?xi64>
    affine.store %x, %b[%j] : memref<?xi64>
  } {loom.loop = "j"}
  return""",
)


# sch-9: one step, and first iterations that differ by a multiple of it.
@pytest.mark.parametrize("sizes", [(0, 0), (20, 20), (20, 9), (9, 21), (3, 8), (12, 14)])
def test_fused_steps(tmp_path, sizes):
    n, m = sizes
    a, b = np.arange(24) * 5, np.zeros(24, np.int64)
    names = ['%i = transform.loom.loop @main "i"', '%j = transform.loom.loop @main "j"']
    after = edited(
        tmp_path, TWO_STEPS, script(*names, "%f = transform.loom.fuse %i, %j"), [a, b], [f"i64={n}", f"i64={m}"]
    )
    expected = a.copy(), b.copy()
    expected[0][1:n:3] = np.arange(1, n, 3)
    expected[1][7:m:3] = expected[0][4 : max(m - 3, 4) : 3]
    np.testing.assert_array_equal(after[0], expected[0])
    np.testing.assert_array_equal(after[1], expected[1])


def test_sums_of_floats_keep_their_order(tmp_path):
    lines = ['%l = transform.loom.loop @main "l"', "%r = transform.loom.reverse %l"]
    error = refusal(tmp_path, gemm(), script(*lines))
    assert "sums of floats keep their order unless their operation has fastmath<reassoc>" in error
    a, b, c = products(3, 4, 5)
    free = gemm().replace("addf %z, %p :", "addf %z, %p fastmath<reassoc> :")
    after = edited(tmp_path, free, script(*lines), [a, b, c], ["i64=3", "i64=4", "i64=5"])
    assert after[2].tobytes() == in_order(a[:, ::-1], b[::-1], c).tobytes()


def test_forms_without_these_loops(tmp_path):
    error = refusal(tmp_path, gemm(), TILES, "--emit=loom")
    assert error == ("error: a schedule edits loops that this form does not have; llvm, asm, obj and so have them\n")


@pytest.mark.parametrize(
    "path, message",
    [
        ("none", "cannot read the schedule 'none': No such file or directory"),
        ("/dev/zero", "cannot read the schedule '/dev/zero': it is not a regular file"),
    ],
)
def test_no_file(tmp_path, path, message):
    (tmp_path / "p.mlir").write_text(gemm())
    outcome = broadloom.call("compile", tmp_path / "p.mlir", "-o", tmp_path / "p.o", f"--schedule={path}")
    assert (outcome.status, message in outcome.error) == (broadloom.REJECTED, True), outcome.error


@pytest.mark.parametrize("damage", ["module {", "\0\1", "", "(" * 100_000, "ML\xefR"])
def test_no_script(tmp_path, damage):
    assert ": error: " in refusal(tmp_path, gemm(), damage)


# The loops over tiles run on several threads.
def test_tiles_on_threads(tmp_path, monkeypatch):
    monkeypatch.setenv("BROADLOOM_LEAST_PARALLEL_WORK", "0")
    a, b, c = products(40, 30, 20)
    (tmp_path / "s.mlir").write_text(TILES)
    scalars = ["i64=40", "i64=30", "i64=20"]
    for threads in (1, 3):
        options = f"--schedule={tmp_path}/s.mlir", f"--threads={threads}"
        outcome, after = run(tmp_path, gemm(), [a, b, c], scalars, *options)
        assert outcome.status == broadloom.DONE, outcome.error
        assert after[2].tobytes() == in_order(a, b, c).tobytes()


DOT = function(
    "%a: memref<?xf32>, %b: memref<?xf32>, %n: index",
    """\
  %zero = arith.constant 0.0 : f32
  %count, %sum = affine.for %i = 0 to %n iter_args(%u = %zero, %s = %zero) -> (f32, f32) {
    affine.for %j = 0 to 4 {
      %y = affine.load %b[%j] : memref<?xf32>
      %z = arith.addf %y, %y : f32
      affine.store %z, %b[%j] : memref<?xf32>
    } {loom.loop = "j"}
    %x = affine.load %a[%i] : memref<?xf32>
    %t = arith.addf %s, %x : f32
    affine.yield %s, %t : f32, f32
  } {loom.loop = "i"}
  return %count, %sum : f32, f32""",
    " -> (f32, f32)",
)


# A loop that carries numbers is unrolled, and loops in it are edited.
@pytest.mark.parametrize("n", [0, 1, 3, 4, 11])
def test_loops_that_carry_numbers(tmp_path, n):
    a, b = np.random.default_rng(n).random(12, np.float32), np.ones(4, np.float32)
    schedule = script(
        '%j = transform.loom.loop @main "j"',
        "%r = transform.loom.reverse %j",
        '%i = transform.loom.loop @main "i"',
        "%main, %rest = transform.loom.unroll %i by 4",
    )
    (tmp_path / "s.mlir").write_text(schedule)
    outcome, after = run(tmp_path, DOT, [a, b], [f"i64={n}"], f"--schedule={tmp_path}/s.mlir")
    assert outcome.status == broadloom.DONE, outcome.error
    plain, expected = run(tmp_path, DOT, [a, b], [f"i64={n}"])
    assert outcome.out == plain.out
    assert after[1].tobytes() == expected[1].tobytes() == (b * np.float32(2**n)).tobytes()


def triangle(extent="?"):
    memory = f"memref<{extent}x{extent}xf64>"
    end = "%n" if extent == "?" else extent
    return function(
        f"%a: {memory}, %n: index",
        f"""\
  affine.for %i = 0 to {end} {{
    affine.for %j = affine_map<(i) -> (i)>(%i) to {end} {{
      %x = affine.load %a[%i, %j] : {memory}
      %y = affine.load %a[%j, %i] : {memory}
      %s = arith.addf %x, %y : f64
      affine.store %s, %a[%i, %j] : {memory}
    }} {{loom.loop = "j"}}
  }} {{loom.loop = "i"}}
  return""",
    )


NEST = "%i, %j = transform.loom.nest @main 0 : 2"
TRIANGLES = {
    "interchange": [NEST, "%k, %l = transform.loom.interchange %i, %j to [1, 0]"],
    "tile": [NEST, "%t:4 = transform.loom.tile %i, %j by [3, 4]"],
    "tile and interchange": [
        NEST,
        "%t:4 = transform.loom.tile %i, %j by [3, 4]",
        "%u:4 = transform.loom.interchange %t#0, %t#1, %t#2, %t#3 to [1, 0, 3, 2]",
    ],
    "skew": [
        NEST,
        "%s = transform.loom.skew %i, %j by 2",
        "%k, %l = transform.loom.interchange %i, %s to [1, 0]",
        "%h = transform.loom.shift %k by -5",
        "%t:4 = transform.loom.tile %h, %l by [4, 2]",
    ],
    "threads": [
        NEST,
        "%k, %l = transform.loom.interchange %i, %j to [1, 0]",
        "%p = transform.loom.parallelize %k",
    ],
}


# The rows of a triangle with their columns: the diagonal is doubled first, and the elements above it read the others.
@pytest.mark.parametrize("name", TRIANGLES)
@pytest.mark.parametrize("n", [0, 1, 2, 7, 24])
@pytest.mark.parametrize("extents", ["?", "static"])
def test_triangles(tmp_path, monkeypatch, name, n, extents):
    monkeypatch.setenv("BROADLOOM_LEAST_PARALLEL_WORK", "0")
    a = np.random.default_rng(n).random((n, n))
    text = triangle() if extents == "?" else triangle(str(n))
    after = edited(tmp_path, text, script(*TRIANGLES[name]), [a], [f"i64={n}"])
    np.testing.assert_array_equal(after[0], a + np.triu(a.T))


def wave(n="?"):
    end = "%n" if n == "?" else n
    memory = f"memref<{n}x?xf64>"
    return function(
        f"%a: {memory}, %n: index",
        f"""\
  affine.for %i = 1 to {end} {{
    affine.for %j = 0 to {end} {{
      %x = affine.load %a[%i - 1, %j + 1] : {memory}
      affine.store %x, %a[%i, %j] : {memory}
    }} {{loom.loop = "j"}}
  }} {{loom.loop = "i"}}
  return""",
    )


DIAGONALS = [
    NEST,
    "%d = transform.loom.skew %i, %j by 1",
    "%d2, %i2 = transform.loom.interchange %i, %d to [1, 0]",
    "%p = transform.loom.parallelize %d2",
]


@pytest.mark.parametrize("n", [0, 1, 2, 9, 40])
@pytest.mark.parametrize("extents", ["?", "static"])
def test_diagonals(tmp_path, monkeypatch, n, extents):
    monkeypatch.setenv("BROADLOOM_LEAST_PARALLEL_WORK", "0")
    a = np.random.default_rng(n).random((n, n + 1))
    expected = a.copy()
    for i in range(1, n):
        expected[i, :n] = expected[i - 1, 1:]
    after = edited(tmp_path, wave() if extents == "?" else wave(str(n)), script(*DIAGONALS), [a], [f"i64={n}"])
    np.testing.assert_array_equal(after[0], expected)


def test_numbers_that_are_too_large_for_a_skew(tmp_path):
    """The edited nest does not run where its numbers leave 64 bits."""
    text = function(
        "%a: memref<4xi64>, %n: index",
        """\
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %least = arith.constant 4611686018427387904 : index
  %one = arith.constant 1 : i64
  scf.for %i = %least to %n step %c1 {
    scf.for %j = %c0 to %c4 step %c1 {
      %x = memref.load %a[%j] : memref<4xi64>
      %y = arith.addi %x, %one : i64
      memref.store %y, %a[%j] : memref<4xi64>
    }
  }
  return""",
    )
    schedule = script(NEST, "%d = transform.loom.skew %i, %j by 1048576")
    (tmp_path / "s.mlir").write_text(schedule)
    outcome, after = run(tmp_path, text, [np.zeros(4, np.int64)], [f"i64={2**62 + 3}"], f"--schedule={tmp_path}/s.mlir")
    assert outcome.status == broadloom.DONE or "is not known" in outcome.error, outcome.error
    if outcome.status == broadloom.DONE:
        assert (after[0] == 3).all()


# sch-8: what names a loop goes on naming it, in the first loop or in the second one.
@pytest.mark.parametrize("at", [1, 2])
def test_loops_that_distribute_only_moves(tmp_path, at):
    loops = "\n".join(
        f"""\
    %s{name} = arith.addi %i, %c{number} : index
    affine.for %{name} = 0 to %n {{
      %x = memref.load %a[%i, %{name}] : memref<?x?xi64>
      %y = arith.index_cast %s{name} : index to i64
      %z = arith.addi %x, %y : i64
      memref.store %z, %a[%i, %{name}] : memref<?x?xi64>
    }} {{loom.loop = "{name}"}}"""
        for number, name in enumerate("jkl")
    )
    constants = "".join(f"  %c{number} = arith.constant {number} : index\n" for number in range(3))
    body = f'{constants}  affine.for %i = 0 to %n {{\n{loops}\n  }} {{loom.loop = "i"}}\n  return'
    text = function("%a: memref<?x?xi64>, %n: index", body)
    names = [f'%{name} = transform.loom.loop @main "{name}"' for name in "ijkl"]
    schedule = script(
        *names,
        f"%first, %second = transform.loom.distribute %i at {at}",
        "%r = transform.loom.reverse %k",
        "%main, %rest = transform.loom.unroll %l by 2",
        "%v = transform.loom.vectorize %j by 4",
    )
    (after,) = edited(tmp_path, text, schedule, [np.ones((5, 5), np.int64)], ["i64=5"])
    np.testing.assert_array_equal(after, 1 + 3 + 3 * np.arange(5)[:, None] + np.zeros((5, 5), np.int64))


def test_iterations_that_may_not_run_together(tmp_path):
    error = refusal(tmp_path, wave(), script(NEST, "%p = transform.loom.parallelize %i"))
    assert (
        "s.mlir:4:10: error: loop 'i' cannot run on threads: iterations %i = 1 and %i = 2 meet at element [1, " in error
    )
    error = refusal(
        tmp_path, gemm(), script('%l = transform.loom.loop @main "l"', "%v = transform.loom.vectorize %l by 4")
    )
    assert "sums of floats keep their order unless their operation has fastmath<reassoc>" in error
    lines = [NEST, "%p = transform.loom.vectorize %j by 4", "%k, %l = transform.loom.interchange %i, %j to [1, 0]"]
    error = refusal(tmp_path, triangle(), script(*lines))
    assert "loop 'j' runs as vectors; edits of it and of loops around it stand in front of that edit" in error


def checked(tmp_path, text, schedule):
    (tmp_path / "p.mlir").write_text(text)
    path = schedule
    if schedule != "auto":
        (tmp_path / "s.mlir").write_text(schedule)
        path = f"{tmp_path}/s.mlir"
    outcome = broadloom.call("check", tmp_path / "p.mlir", f"--schedule={path}")
    return outcome.status, outcome.out.replace(f"{tmp_path}/", ""), outcome.error


# sch-18
def test_check_tells_what_edits_would_do(tmp_path):
    lines = [
        NEST,
        "%r = transform.loom.interchange %j to [0]",
        "%k, %l = transform.loom.interchange %i, %r to [1, 0]",
        "%t:2 = transform.loom.tile %l by [2]",
        "%d = transform.loom.skew %i, %r by 1",
        "%m, %n = transform.loom.interchange %i, %d to [1, 0]",
    ]
    status, out, error = checked(tmp_path, wave(), script(*lines))
    assert status == broadloom.REJECTED and not error
    part = out[out.index("schedule\n\n") : out.index("by operation")]
    begin, *steps = part.split("\n  transform.loom.")
    assert "mldim %t1 : {S1} i {" in begin and "mldim %t2 : {S1} j {" in begin
    heads = [step.splitlines()[0].split()[0] + " " + step.splitlines()[1].strip() for step in steps]
    assert heads == [
        "nest made",
        "interchange made",
        "interchange refused",
        "tile left out",
        "skew made",
        "interchange made",
    ]
    assert "both touch element [1, 1] of argument 'a'" in " ".join(steps[2].split())
    assert "because the edit at s.mlir:5:14 makes no loop for it" in " ".join(steps[3].split())
    assert "mldim %t2 : {S1} j + (i) {" in steps[4]
    assert "1 refuted" in out


# sch-18
def test_check_has_the_trees_in_json(tmp_path):
    (tmp_path / "p.mlir").write_text(wave())
    lines = [NEST, "%k, %l = transform.loom.interchange %i, %j to [1, 0]", "%t:2 = transform.loom.tile %l by [2]"]
    lines.append("%d = transform.loom.skew %i, %j by 1")
    (tmp_path / "s.mlir").write_text(script(*lines))
    outcome = broadloom.call("check", tmp_path / "p.mlir", f"--schedule={tmp_path}/s.mlir", "--json")
    assert outcome.status == broadloom.REJECTED
    *rows, last = json.loads(outcome.out)
    assert all("schedule" not in row for row in rows) and [row["status"] for row in rows].count("refuted") == 1
    assert list(last) == ["schedule"]
    assert "mldim %t1 : {S1} i {" in last["schedule"]["tree"]
    nest, interchange, tile, skew = last["schedule"]["edits"]
    assert nest["outcome"] == "made" and "tree" not in nest
    assert interchange["outcome"] == "refused" and "comes before" in interchange["reason"]
    assert interchange["operation"] == "transform.loom.interchange" and interchange["location"].endswith("s.mlir:4:14")
    assert tile["outcome"] == "left out" and "makes no loop for it" in tile["reason"]
    assert skew["outcome"] == "made" and "reason" not in skew and "mldim %t2 : {S1} j + (i) {" in skew["tree"]
    without = json.loads(broadloom.call("check", tmp_path / "p.mlir", "--json").out)
    assert all("schedule" not in row for row in without)


def test_check_of_a_script_that_is_none(tmp_path):
    status, _, error = checked(tmp_path, wave(), "module {")
    assert status == broadloom.REJECTED and "s.mlir:1:" in error
    status, out, error = checked(tmp_path, gemm(), "auto")
    assert status == broadloom.DONE and "floordiv" in out, error


def test_vectors_reach_llvm(tmp_path):
    schedule = script('%j = transform.loom.loop @main "j"', "%v = transform.loom.vectorize %j by 4")
    outcome = compile_edited(tmp_path, triangle(), schedule, "--emit=llvm", "-o", "-")
    assert outcome.status == broadloom.DONE, outcome.error
    assert "#llvm.loop_vectorize<disable = false, width = 4 : i32>" in outcome.out
    assert re.search(r"llvm\.br \^bb\d+\(.*\) \{loop_annotation = #loop_annotation\}", outcome.out)


SQUARES = function(
    "%a: memref<?xf64>, %b: memref<?xf64>, %n: index",
    """\
  affine.for %i = 0 to %n {
    %x = affine.load %a[%i] : memref<?xf64>
    %y = arith.mulf %x, %x : f64
    affine.store %y, %b[%i] : memref<?xf64>
  } {loom.loop = "i"}
  return""",
)
VECTORS = script(
    '%i = transform.loom.loop @main "i"',
    "%v = transform.loom.vectorize %i by 4",
    "%p = transform.loom.parallelize %v",
)


# In vectors, and on threads too.
@pytest.mark.parametrize("n", [0, 1, 4, 7, 1000])
def test_vectors(tmp_path, monkeypatch, n):
    monkeypatch.setenv("BROADLOOM_LEAST_PARALLEL_WORK", "0")
    a = np.random.default_rng(n).random(n)
    after = edited(tmp_path, SQUARES, VECTORS, [a, np.zeros(n)], [f"i64={n}"])
    np.testing.assert_array_equal(after[1], a * a)


def test_what_llvm_makes_no_vectors_of(tmp_path):
    """A call of a function of the C library that has no form as vectors."""
    error = refusal(tmp_path, SQUARES.replace("arith.mulf %x, %x", "math.tan %x"), VECTORS)
    assert (
        "loop 'i' at p.mlir:2:3 of function '@main', which the schedule has as vectors, stays as it is: LLVM says "
        "'loop not vectorized: "
    ) in error, error


DISTANCE = function(
    "%a: memref<?xi32>, %n: index",
    """\
  affine.for %i = 0 to %n {
    %x = affine.load %a[%i] : memref<?xi32>
    %y = arith.addi %x, %x : i32
    affine.store %y, %a[%i] : memref<?xi32>
  } {loom.loop = "other"}
  affine.for %i = 0 to %n {
    %x = affine.load %a[%i] : memref<?xi32>
    %y = arith.addi %x, %x : i32
    affine.store %y, %a[%i + 4] : memref<?xi32>
  } {loom.loop = "i"}
  return""",
)


@pytest.mark.parametrize("lanes", [2, 4, 8, 16])
def test_vectors_that_llvm_would_shorten(tmp_path, lanes):
    """Tiles of four iterations are apart, and LLVM does not know that tiles are no longer."""
    schedule = script(
        '%i = transform.loom.loop @main "i"',
        "%t:2 = transform.loom.tile %i by [4]",
        f"%v = transform.loom.vectorize %t#1 by {lanes}",
    )
    if lanes <= 4:
        a = np.arange(40, dtype=np.int32)
        after = edited(tmp_path, DISTANCE, schedule, [a], ["i64=36"])
        expected = 2 * a
        expected[36:] = a[36:]
        for i in range(36):
            expected[i + 4] = 2 * expected[i]
        np.testing.assert_array_equal(after[0], expected)
        return
    error = refusal(tmp_path, DISTANCE, schedule)
    assert (
        "loop 'i' at p.mlir:7:3 of function '@main' cannot have vectors of as many elements as the schedule says: LLVM "
        "says 'UserVF ignored because it may be larger than the maximal safe VF'; have fewer of them, or leave out"
    ) in error, error


@pytest.mark.parametrize(
    "edits, message",
    [
        (["parallelize %i", "parallelize %j"], "loop 'i' around loop 'j' runs on threads; leave one of the two"),
        (["parallelize %j", "parallelize %i"], "loop 'j' in loop 'i' runs on threads; leave one of the two edits out"),
        (["parallelize %i", "parallelize %i"], "loop 'i' runs on threads twice"),
        (["vectorize %j by 8", "vectorize %j by 4"], "loop 'j' runs as vectors twice"),
    ],
)
def test_loops_that_are_marked_twice(tmp_path, edits, message):
    lines = [NEST, *(f"%m{number} = transform.loom.{edit}" for number, edit in enumerate(edits))]
    text = triangle() if "vectorize" in edits[0] else gemm()
    error = refusal(tmp_path, text, script(*lines))
    assert error.startswith("s.mlir:5:11: error: " + message), error


# Bounds of several numbers, and operands that no result needs.
BOUNDS = {
    "min of numbers": ("affine_map<(i) -> (i)>(%i)", "min affine_map<()[n, m] -> (n, m)>()[%n, %m]"),
    "min of a loop": ("0", "min affine_map<(i)[n] -> (i + 3, n)>(%i)[%n]"),
    "max": ("max affine_map<(i) -> (i - 2, 1)>(%i)", "%n"),
    "unused": ("affine_map<(i) -> (1)>(%i)", "affine_map<(i)[n] -> (n)>(%i)[%n]"),
    "unused of a min": ("0", "min affine_map<(i)[n, m] -> (m, n)>(%i)[%n, %m]"),
}


@pytest.mark.parametrize("n, m", [(0, 0), (1, 3), (7, 4), (9, 9)])
@pytest.mark.parametrize("name", BOUNDS)
@pytest.mark.parametrize("edit", ["interchange", "shifted", "tile", "jam"])
def test_bounds_of_several_numbers(tmp_path, name, edit, n, m):
    lower, upper = BOUNDS[name]
    text = function(
        "%a: memref<?x?xi64>, %n: index, %m: index",
        f"""\
  affine.for %i = 0 to %n {{
    affine.for %j = {lower} to {upper} {{
      %x = affine.load %a[%i, %j] : memref<?x?xi64>
      %y = arith.addi %x, %x : i64
      affine.store %y, %a[%i, %j] : memref<?x?xi64>
    }} {{loom.loop = "j"}}
  }} {{loom.loop = "i"}}
  return""",
    )
    lines = {
        "interchange": ["%k, %l = transform.loom.interchange %i, %j to [1, 0]"],
        "shifted": ["%s = transform.loom.shift %j by 3", "%k, %l = transform.loom.interchange %i, %s to [1, 0]"],
        "tile": ["%t:4 = transform.loom.tile %i, %j by [2, 3]"],
        "jam": ["%q, %r = transform.loom.unroll_and_jam %i, %j by 2"],
    }[edit]
    a = np.arange(12 * 12).reshape(12, 12)
    if edit == "jam" and name in ("min of numbers", "min of a loop", "max"):
        assert "depend on it, so that its iterations do not run together" in refusal(
            tmp_path, text, script(NEST, *lines)
        )
        return
    after = edited(tmp_path, text, script(NEST, *lines), [a], [f"i64={n}", f"i64={m}"])
    i, j = np.indices(a.shape)
    least = {"min of numbers": i, "max": np.maximum(i - 2, 1), "unused": 1}.get(name, 0)
    end = {"min of a loop": np.minimum(i + 3, n), "max": n, "unused": n}.get(name, min(n, m))
    np.testing.assert_array_equal(after[0], np.where((i < n) & (least <= j) & (j < end), 2 * a, a))


def test_found_schedules_do_not_depend_on_threads(tmp_path):
    """Functions with calls in loops, and loops whose nests are edited meanwhile."""
    columns = """\
  affine.for %j = 0 to %n {
    affine.for %i = 0 to %n {
      %x = affine.load %a[%i, %j] : memref<?x?xf64>
      %s = arith.addf %x, %x : f64
      affine.store %s, %a[%i, %j] : memref<?x?xf64>
    }
  }
"""
    functions = []
    for number in range(24):
        call = f"""\
  affine.for %i = 0 to 2 {{
    affine.for %j = 0 to 2 {{
      func.call @f{number - 1}(%a, %n) : (memref<?x?xf64>, index) -> ()
    }}
  }}
"""
        body = columns * 2 + (call if number % 2 else "")
        functions.append(f"func.func private @f{number}(%a: memref<?x?xf64>, %n: index) {{\n{body}  return\n}}\n")
    functions[-1] = functions[-1].replace("private @f23", "@f23")
    (tmp_path / "p.mlir").write_text("".join(functions))
    texts = set()
    for threads in (1, 8, 8, 8):
        options = "--emit=llvm", "-o", "-", "--schedule=auto", f"--compile-threads={threads}"
        outcome = broadloom.call("compile", tmp_path / "p.mlir", *options)
        assert outcome.status == broadloom.DONE, outcome.error
        texts.add(outcome.out)
    assert len(texts) == 1


# sch-18: what fails behind all edits is told of the edit.
def test_check_tells_of_loops_that_later_run_in_order(tmp_path):
    count = 60
    arguments = ", ".join(f"%v{number}: index" for number in range(count))
    sums = "".join(f"    %t{number + 1} = arith.addi %t{number}, %v{number} : index\n" for number in range(count))
    text = function(
        f"%a: memref<?xindex>, %t0: index, %n: index, {arguments}",
        f"""\
  affine.for %i = 0 to %n {{
{sums}    affine.store %t{count}, %a[%i] : memref<?xindex>
  }} {{loom.loop = "i"}}
  return""",
    )
    lines = ['%i = transform.loom.loop @main "i"', "%p = transform.loom.parallelize %i"]
    message = "a loop that the schedule has parallel cannot run on threads: it depends on too many values in front"
    error = refusal(tmp_path, text, script(*lines))
    assert message in error and "s.mlir:4:10: note: the edit" in error, error
    status, out, error = checked(tmp_path, text, script(*lines))
    assert status == broadloom.REJECTED and not error
    part = " ".join(out[out.index("schedule\n\n") :].split())
    assert "transform.loom.parallelize s.mlir:4:10 refused because " + message in part, part


# sch-15
@pytest.mark.parametrize("last", [0, 1, 2, 3])
def test_loops_on_threads_may_have_nothing_to_run(tmp_path, last):
    text = function(
        "%a: memref<?xi64>, %n: index",
        f"""\
  %one = arith.constant 1 : i64
  affine.for %i = 0 to %n {{
    affine.for %j = 2 to {last} {{
      affine.store %one, %a[%i] : memref<?xi64>
    }}
  }} {{loom.loop = "i"}}
  return""",
    )
    lines = ['%i = transform.loom.loop @main "i"', "%p = transform.loom.parallelize %i"]
    (result,) = edited(tmp_path, text, script(*lines), [np.zeros(5, np.int64)], ["i64=5"])
    np.testing.assert_array_equal(result, np.full(5, last > 2))


@pytest.mark.parametrize("count", [2, 8, 16])
def test_loops_on_threads_have_many_accesses(tmp_path, count):
    """Unrolled loops inside of them compare many pairs of accesses."""
    text = function(
        "%a: memref<?x?xi64>, %n: index, %m: index",
        """\
  affine.for %i = 0 to %n {
    affine.for %j = 1 to %m {
      %x = affine.load %a[%i, %j] : memref<?x?xi64>
      %y = affine.load %a[%i, %j - 1] : memref<?x?xi64>
      %s = arith.addi %x, %y : i64
      affine.store %s, %a[%i, %j] : memref<?x?xi64>
    } {loom.loop = "j"}
  } {loom.loop = "i"}
  return""",
    )
    lines = ["%p = transform.loom.parallelize %i", f"%u:2 = transform.loom.unroll %j by {count}"]
    a = np.arange(5 * 40).reshape(5, 40)
    after = edited(tmp_path, text, script(NEST, *lines), [a], ["i64=5", "i64=40"])
    np.testing.assert_array_equal(after[0], np.cumsum(a, axis=1))


def test_check_leaves_vectors_to_llvm(tmp_path):
    status, out, error = checked(tmp_path, SQUARES, VECTORS)
    assert status == broadloom.DONE, error
    assert "made, unless LLVM makes no vectors of the loop" in out


def test_loops_that_a_schedule_has_parallel_come_first(tmp_path):
    """There are more loops than become functions, and the last ones are those of the schedule."""
    sums = "".join(f"    %s{k + 1} = arith.addf %s{k}, %s{k} : f64\n" for k in range(200))
    loops = "".join(
        f"""\
  affine.for %i = 0 to %n {{
    %s0 = affine.load %a[%i] : memref<?xf64>
{sums}    affine.store %s200, %a[%i] : memref<?xf64>
  }} {{loom.loop = "l{number}"}}
"""
        for number in range(8)
    )
    text = function("%a: memref<?xf64>, %n: index", loops + "  return")
    lines = []
    for number in range(4, 8):
        lines += [
            f'%l{number} = transform.loom.loop @main "l{number}"',
            f"%p{number} = transform.loom.parallelize %l{number}",
        ]
    outcome = compile_edited(tmp_path, text, script(*lines), "-o", tmp_path / "p.o")
    assert outcome.status == broadloom.DONE, outcome.error


def many_edits(seed, count):
    """A script of `count` edits of single loops of a product, which cancel or add up."""
    rng = np.random.default_rng(seed)
    names, lines = ["%i", "%j", "%l"], ["%i, %j, %l = transform.loom.nest @main 0 : 3"]
    for number in range(count):
        # The last loop sums floats, in their order.
        loop, by = int(rng.integers(3)), int(rng.choice([-3, -1, 1, 2]))
        edit = rng.choice(["reverse", "shift", "skew"]) if loop != 2 else rng.choice(["shift", "skew"])
        if edit == "skew" and loop == 0:
            edit = "reverse"
        operands = f"{names[int(rng.integers(loop))]}, {names[loop]}" if edit == "skew" else names[loop]
        lines.append(f"%x{number} = transform.loom.{edit} {operands}" + ("" if edit == "reverse" else f" by {by}"))
        names[loop] = f"%x{number}"
    return script(*lines)


@pytest.mark.parametrize("seed", range(4))
def test_many_edits_behind_one_another(tmp_path, seed):
    has_same_bits(tmp_path, many_edits(seed, 30), "?", (5, 6, 7))


@pytest.mark.parametrize("edit", ["reverse %{}", "shift %{} by 1", "skew %i, %{} by -2"])
def test_sums_of_many_edits_stay_short(tmp_path, edit):
    lines = ["%i, %x0, %l = transform.loom.nest @main 0 : 3"]
    lines += [f"%x{number + 1} = transform.loom.{edit.format(f'x{number}')}" for number in range(140)]
    has_same_bits(tmp_path, script(*lines), "?", (5, 6, 7))
