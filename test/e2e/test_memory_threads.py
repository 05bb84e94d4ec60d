"""Loops over memory on several threads (rules eff-1 to eff-4): the same bits as one
thread, and as NumPy, also where arrays overlap."""

import broadloom
import numpy as np
import pytest
from memory_programs import GEMM, example, fails, function, jacobi, run

THREADS = [1, 2, 5]


@pytest.fixture(autouse=True)
def short_loops_too(monkeypatch):
    monkeypatch.setenv("BROADLOOM_LEAST_PARALLEL_WORK", "0")


def run_on_threads(tmp_path, text, arrays, scalars=()):
    """The arrays after a call, which are the same on any number of threads, and the result's text."""
    found = []
    for threads in THREADS:
        outcome, after = run(tmp_path, text, arrays, scalars, f"--threads={threads}")
        assert outcome.status == broadloom.DONE, outcome.error
        found.append((outcome.out, [a.tobytes() for a in after], after))
    assert all(each[:2] == found[0][:2] for each in found)
    return found[0][0], found[0][2]


def test_products_of_matrices(tmp_path):
    rng = np.random.default_rng(1)
    a, b = rng.random((33, 7), np.float32), rng.random((7, 20), np.float32)
    _, arrays = run_on_threads(tmp_path, GEMM, [a, b, np.zeros((33, 20), np.float32)])
    np.testing.assert_allclose(arrays[2], a @ b, rtol=1e-5)


@pytest.mark.parametrize("extent", ["?", "40"])
def test_a_stencil(tmp_path, extent):
    a = np.random.default_rng(2).random((40, 40))
    _, arrays = run_on_threads(tmp_path, jacobi(extent), [a, np.zeros((40, 40))])
    expected = 0.2 * (a[1:-1, 1:-1] + a[:-2, 1:-1] + a[2:, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:])
    np.testing.assert_allclose(arrays[1][1:-1, 1:-1], expected, rtol=1e-15)


def test_what_is_outside_is_told_before(tmp_path):
    a = np.ones((30, 30))
    error = fails(tmp_path, jacobi(below=2), [a, a], (), "--threads=4")
    assert error == (
        "p.mlir:9:12: 'affine.load': index 30 is outside axis 0 of argument 'a', whose extent is 30: "
        "%i + 2 with %i = 28 (p.mlir:5:3)\n"
    )


# A row depends on the one before, so that threads share the columns of each row alone.
def test_a_loop_in_order_with_a_parallel_one_inside(tmp_path):
    text = function(
        "%a: memref<?x?x?xf64>, %n: index, %m: index, %k: index",
        """\
  affine.for %i = 1 to %n {
    affine.for %j = 0 to %m {
      affine.for %l = 0 to %k {
        %x = affine.load %a[%i - 1, %j, %l] : memref<?x?x?xf64>
        %y = affine.load %a[%i, %j, %l] : memref<?x?x?xf64>
        %s = arith.addf %x, %y : f64
        affine.store %s, %a[%i, %j, %l] : memref<?x?x?xf64>
      }
    }
  }
  return""",
    )
    a = np.random.default_rng(3).random((9, 8, 7))
    _, (after,) = run_on_threads(tmp_path, text, [a], ["i64=9", "i64=8", "i64=7"])
    np.testing.assert_allclose(after, np.cumsum(a, axis=0), rtol=1e-12)


# Whether iterations meet depends on a factor that only the call tells.
def test_a_product_with_a_symbol(tmp_path):
    text = function(
        "%a: memref<?xi64>, %m: index",
        """\
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    %p = arith.muli %i, %m : index
    %v = arith.index_cast %i : index to i64
    memref.store %v, %a[%p] : memref<?xi64>
  }
  return""",
    )
    _, (after,) = run_on_threads(tmp_path, text, [np.zeros(4, np.int64)], ["i64=0"])
    assert after.tolist() == [63, 0, 0, 0]
    _, (after,) = run_on_threads(tmp_path, text, [np.zeros(64, np.int64)], ["i64=1"])
    assert after.tolist() == list(range(64))


KINDS = {
    "addi": np.add.reduce,
    "muli": np.multiply.reduce,
    "minsi": np.minimum.reduce,
    "maxsi": np.maximum.reduce,
    "andi": np.bitwise_and.reduce,
    "ori": np.bitwise_or.reduce,
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("width", [8, 32, 64])
def test_numbers_that_a_loop_combines(tmp_path, kind, width):
    memory = f"memref<?x?xi{width}>"
    text = function(
        f"%a: {memory}, %b: {memory}, %x: i{width}",
        f"""\
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : {memory}
  %m = memref.dim %a, %c1 : {memory}
  %r = affine.for %i = 0 to %n iter_args(%s = %x) -> i{width} {{
    %t = affine.for %j = 0 to %m iter_args(%u = %s) -> i{width} {{
      %y = affine.load %a[%i, %j] : {memory}
      affine.store %y, %b[%i, %j] : {memory}
      %v = arith.{kind} %u, %y : i{width}
      affine.yield %v : i{width}
    }}
    affine.yield %t : i{width}
  }}
  return %r : i{width}""",
        f" -> i{width}",
    )
    kind_of_array = f"int{width}"
    rng = np.random.default_rng(4)
    for shape in [(37, 5), (0, 5), (1, 1)]:
        a = rng.integers(-100, 100, shape).astype(kind_of_array)
        out, (_, b) = run_on_threads(tmp_path, text, [a, np.zeros_like(a)], [f"i{width}=3"])
        expected = KINDS[kind](np.append(a.ravel(), np.array(3, kind_of_array)), dtype=kind_of_array)
        assert str(int(expected)) in out, out
        np.testing.assert_array_equal(a, b)


def test_a_sum_in_memory(tmp_path):
    text = function(
        "%a: memref<?x?xi32>, %sum: memref<i32>, %sums: memref<?xi32>, %k: index",
        """\
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?x?xi32>
  %m = memref.dim %a, %c1 : memref<?x?xi32>
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %m {
      %x = affine.load %a[%i, %j] : memref<?x?xi32>
      %s = affine.load %sum[] : memref<i32>
      %t = arith.addi %s, %x : i32
      affine.store %t, %sum[] : memref<i32>
    }
  }
  affine.for %i = 0 to %n {
    %x = affine.load %a[%i, 0] : memref<?x?xi32>
    %s = affine.load %sums[symbol(%k)] : memref<?xi32>
    %t = arith.maxsi %x, %s : i32
    affine.store %t, %sums[symbol(%k)] : memref<?xi32>
  }
  return""",
    )
    rng = np.random.default_rng(5)
    a = rng.integers(-99, 99, (20, 6)).astype(np.int32)
    _, (_, total, sums) = run_on_threads(tmp_path, text, [a, np.array(7, np.int32), np.zeros(3, np.int32)], ["i64=1"])
    assert total == 7 + a.sum()
    assert sums.tolist() == [0, max(a[:, 0].max(), 0), 0]
    # Without an iteration, no index is outside.
    _, (_, total, sums) = run_on_threads(
        tmp_path, text, [a[:0], np.array(7, np.int32), np.ones(3, np.int32)], ["i64=5"]
    )
    assert total == 7
    assert sums.tolist() == [1, 1, 1]


# Sums of floats depend on the order, which stays the program's.
def test_sums_of_floats_are_in_order(tmp_path):
    text = function(
        "%a: memref<?xf32>, %sum: memref<f32>",
        """\
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  affine.for %i = 0 to %n {
    %x = affine.load %a[%i] : memref<?xf32>
    %s = affine.load %sum[] : memref<f32>
    %t = arith.addf %s, %x : f32
    affine.store %t, %sum[] : memref<f32>
  }
  return""",
    )
    a = np.random.default_rng(6).random(1000, np.float32)
    _, (_, total) = run_on_threads(tmp_path, text, [a, np.array(0, np.float32)])
    expected = np.float32(0)
    for x in a:
        expected += x
    assert total == expected


# A call in each iteration; its checks hold if all rows have an entry.
def test_rows_that_are_searched(tmp_path):
    rows = np.random.default_rng(7).integers(0, 50, (40, 30)).astype(np.int32)
    _, (_, found) = run_on_threads(tmp_path, example("search.mlir"), [rows, np.full(40, -1, np.int32)], ["i32=7"])
    assert found.tolist() == [row.tolist().index(7) if 7 in row else -1 for row in rows]


@pytest.mark.parametrize("threads", THREADS)
def test_a_check_in_a_call_that_fails(tmp_path, threads):
    rows = np.zeros((40, 3), np.int32)
    rows[[5, 30, 35]] = 7
    short = np.full(33, -1, np.int32)
    _, (_, found) = run(tmp_path, example("search.mlir"), [rows[:33], short], ["i32=7"], f"--threads={threads}")
    assert found[5] == found[30] == 0
    error = fails(tmp_path, example("search.mlir"), [rows, short[:25]], ["i32=7"], f"--threads={threads}")
    assert "index 30 is outside axis 0 of argument 1 of 'search_body', whose extent is 25" in error or (
        "index 30 is outside axis 0 of argument 'S' of 'search_body', whose extent is 25" in error
    )


# What may be one memory under two names: each of these is in order, or is compared.
ALIASES = {
    "reinterpret_cast": (
        (
            "%v = memref.reinterpret_cast %a to offset: [1], sizes: [%m], strides: [1]"
            " : memref<?xi64> to memref<?xi64, strided<[1], offset: ?>>"
        ),
        "memref<?xi64, strided<[1], offset: ?>>",
    ),
    "subview": (
        "%v = memref.subview %a[1] [%m] [1] : memref<?xi64> to memref<?xi64, strided<[1], offset: 1>>",
        "memref<?xi64, strided<[1], offset: 1>>",
    ),
    "stride 0": (
        (
            "%v = memref.reinterpret_cast %a to offset: [0], sizes: [%m], strides: [%c0]"
            " : memref<?xi64> to memref<?xi64, strided<[?], offset: ?>>"
        ),
        "memref<?xi64, strided<[?], offset: ?>>",
    ),
}


@pytest.mark.parametrize("name", ALIASES)
def test_memory_under_two_names(tmp_path, name):
    view, kind = ALIASES[name]
    text = function(
        "%a: memref<?xi64>",
        f"""\
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xi64>
  %m = arith.subi %n, %c1 : index
  {view}
  affine.for %i = 0 to %m {{
    %x = affine.load %a[%i] : memref<?xi64>
    %y = arith.addi %x, %x : i64
    affine.store %y, %v[%i] : {kind}
  }}
  return""",
    )
    a = np.arange(1, 41)
    _, (after,) = run_on_threads(tmp_path, text, [a])
    expected = a.copy()
    for i in range(39):
        expected[0 if name == "stride 0" else i + 1] = 2 * expected[i]
    np.testing.assert_array_equal(after, expected)


def test_two_names_of_a_global(tmp_path):
    text = """\
memref.global "private" @memory : memref<40xi64> = dense<1>
func.func @main(%out: memref<40xi64>) {
  %a = memref.get_global @memory : memref<40xi64>
  %b = memref.get_global @memory : memref<40xi64>
  affine.for %i = 0 to 39 {
    %x = affine.load %a[%i] : memref<40xi64>
    %y = arith.addi %x, %x : i64
    affine.store %y, %b[%i + 1] : memref<40xi64>
  }
  memref.copy %a, %out : memref<40xi64> to memref<40xi64>
  return
}
"""
    _, (after,) = run_on_threads(tmp_path, text, [np.zeros(40, np.int64)])
    assert after.tolist() == [2**i for i in range(40)]


def test_memory_that_is_chosen(tmp_path):
    text = function(
        "%a: memref<?xi64>, %b: memref<?xi64>, %isFirst: i1",
        """\
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xi64>
  %m = arith.subi %n, %c1 : index
  %v = scf.if %isFirst -> memref<?xi64> {
    scf.yield %a : memref<?xi64>
  } else {
    scf.yield %b : memref<?xi64>
  }
  affine.for %i = 0 to %m {
    %x = affine.load %a[%i] : memref<?xi64>
    %y = arith.addi %x, %x : i64
    affine.store %y, %v[%i + 1] : memref<?xi64>
  }
  return""",
    )
    a = np.ones(40, np.int64)
    _, (after, other) = run_on_threads(tmp_path, text, [a, a], ["i1=1"])
    assert after.tolist() == [2**i for i in range(40)]
    assert other.tolist() == [1] * 40
    _, (after, other) = run_on_threads(tmp_path, text, [a, a], ["i1=0"])
    assert after.tolist() == [1] * 40
    assert other.tolist() == [1] + [2] * 39


REPORTS = {
    "parallel": (
        "%a: memref<?xf64>, %b: memref<?xf64>, %n: index",
        """\
  affine.for %i = 0 to %n {
    %x = affine.load %a[%i] : memref<?xf64>
    affine.store %x, %b[%i] : memref<?xf64>
  }
  return""",
        (
            "parallel because each iteration writes elements of argument 'b' that no other one touches, where no memory"
            " that is written overlaps with other memory of the loop, which a call compares"
        ),
    ),
    "meeting": (
        "%a: memref<?xf64>, %n: index",
        """\
  affine.for %i = 1 to %n {
    %x = affine.load %a[%i - 1] : memref<?xf64>
    affine.store %x, %a[%i] : memref<?xf64>
  }
  return""",
        (
            "in order because iterations %i = 1 and %i = 2 meet at element [1] of argument 'a', 'affine.store' at p.mlir:4:5 in the"
            " first and 'affine.load' at p.mlir:3:10 in the second"
        ),
    ),
    "a promise": (
        "%a: memref<?xf64>, %x: f64, %n: index",
        """\
  %c0 = arith.constant 0 : index
  affine.parallel (%i) = (0) to (%n) {
    affine.store %x, %a[%c0] : memref<?xf64>
  }
  return""",
        (
            "in order because its iterations are not independent, as its name says: iterations %i = 0 and %i = 1 meet at element [0]"
            " of argument 'a', 'affine.store' at p.mlir:4:5 in the first and again in the second"
        ),
    ),
    "data": (
        "%a: memref<?xf64>, %b: memref<?xindex>, %x: f64, %n: index",
        """\
  affine.for %i = 0 to %n {
    %k = affine.load %b[%i] : memref<?xindex>
    memref.store %x, %a[%k] : memref<?xf64>
  }
  return""",
        "in order because a check of 'memref.store' is left in it",
    ),
    "float": (
        "%a: memref<?xf64>, %x: f64, %n: index",
        """\
  %s = affine.for %i = 0 to %n iter_args(%t = %x) -> f64 {
    %y = affine.load %a[%i] : memref<?xf64>
    %z = arith.addf %t, %y : f64
    affine.yield %z : f64
  }
  affine.store %s, %a[0] : memref<?xf64>
  return""",
        "in order because it carries a number from one iteration to the next",
    ),
}


# eff-5
@pytest.mark.parametrize("name", REPORTS)
def test_what_check_says_of_loops(tmp_path, name):
    arguments, body, expected = REPORTS[name]
    (tmp_path / "p.mlir").write_text(function(arguments, body))
    outcome = broadloom.call("check", tmp_path / "p.mlir")
    assert outcome.status == broadloom.DONE, outcome.error
    assert expected in " ".join(outcome.out.replace(f"{tmp_path}/", "").split())


# A function that adds to a number, which a loop calls at most once.
@pytest.mark.parametrize("count", [0, 1, 7])
def test_a_sum_in_a_function_that_is_called_once(tmp_path, count):
    text = """\
func.func private @inc(%s: memref<i32>, %x: i32) {
  %v = memref.load %s[] : memref<i32>
  %w = arith.addi %v, %x : i32
  memref.store %w, %s[] : memref<i32>
  return
}
func.func @main(%s: memref<i32>, %a: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?xi32>
  affine.for %i = 0 to min affine_map<(d0) -> (d0, 1)>(%n) {
    %x = affine.load %a[%i] : memref<?xi32>
    func.call @inc(%s, %x) : (memref<i32>, i32) -> ()
  }
  return
}
"""
    a = np.arange(5, 5 + count, dtype=np.int32)
    _, (total, _) = run_on_threads(tmp_path, text, [np.array(3, np.int32), a])
    assert total == (8 if count else 3)
