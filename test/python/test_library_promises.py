"""What functions of other libraries promise of whole calls (ffi-7): `deterministic`, `reentrant`, `initializes`."""

import os
import subprocess
import sys

import broadloom as bl
import numpy as np
import pytest

C = """\
#include <stdatomic.h>
#include <stdint.h>
#include <time.h>

static int64_t number;
int64_t calls(void) { return number; }
double sum(int64_t n, const double *x) {
  double s = 0;
  ++number;
  for (int64_t i = 0; i < n; ++i) s += x[i];
  return s;
}

/* Waits for another call, at most for a while, and tells whether there was one. */
static atomic_int inside, met;
void meet(double *x) {
  struct timespec pause = {0, 1000000};
  if (atomic_fetch_add(&inside, 1) == 1) atomic_store(&met, 1);
  for (int i = 0; i < 1500 && !atomic_load(&met); ++i) nanosleep(&pause, 0);
  *x = atomic_load(&met);
  if (atomic_fetch_sub(&inside, 1) == 1) atomic_store(&met, 0);
}

void counted(double *x) { x[0] = ++number; }
double last(int64_t n, const double *x) { return x[n]; }
void add(const double *x, double *y) { y[0] += x[0]; y[1] = y[0]; }
void put(const double *x, double *y) { y[0] = x[0]; y[1] = y[0]; }
void zero(int64_t n, double *x, int64_t step) { for (int64_t i = 0; i < n; i += step) x[i] = 0; }
"""

ALL = '#loom.relation<"()[n] -> (i) : (0 <= i < n)">'
PAIR = '#loom.relation<"() -> (i) : (0 <= i <= 1)">'


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    folder = tmp_path_factory.mktemp("library")
    (folder / "lib.c").write_text(C)
    subprocess.run(["gcc", "-O1", "-shared", "-fPIC", "-o", folder / "libtest.so", folder / "lib.c"], check=True)
    return folder / "libtest.so"


def repeated(words, between=""):
    return f"""\
func.func private @calls() -> i64 attributes {{loom.effects = {{}}}}
func.func private @sum(i64, memref<?xf64>) -> f64
    attributes {{loom.effects = {{reads = [#loom.access_set<1, {ALL}, [0]>]{words}}}}}
func.func @main(%n: i64, %x: memref<?xf64>) -> (f64, i64) {{
  %before = call @calls() : () -> i64
  %a = call @sum(%n, %x) : (i64, memref<?xf64>) -> f64
  {between}
  %b = call @sum(%n, %x) : (i64, memref<?xf64>) -> f64
  %both = arith.addf %a, %b : f64
  %after = call @calls() : () -> i64
  %count = arith.subi %after, %before : i64
  return %both, %count : f64, i64
}}
"""


def test_a_repeated_call_of_a_deterministic_function_is_one(library):
    x = np.arange(4.0)
    for words, count in (("", 2), (", reentrant", 2), (", deterministic", 1)):
        both, calls = bl.compile(repeated(words), libraries=library)(4, x)
        assert (float(both), int(calls)) == (12, count)
    store = "%c0 = arith.constant 0 : index\n  memref.store %a, %x[%c0] : memref<?xf64>"
    both, calls = bl.compile(repeated(", deterministic", store), libraries=library)(4, x)
    assert (float(both), int(calls)) == (6 + 12, 2)
    # What both calls check is checked.
    with pytest.raises(bl.ShapeError, match=r"index 4 is outside axis 0 of argument 1 of 'sum'"):
        bl.compile(repeated(", deterministic"), libraries=library)(5, x)


def meeting(words):
    return f"""\
func.func private @meet(memref<1xf64, strided<[1], offset: ?>>) attributes {{loom.effects = {{
    initializes = [#loom.access_set<0, #loom.relation<"() -> (i) : (i == 0)">>]{words}}}}}
func.func @main(%x: memref<2xf64>) {{
  affine.for %i = 0 to 2 {{
    %e = memref.subview %x[%i] [1] [1] : memref<2xf64> to memref<1xf64, strided<[1], offset: ?>>
    func.call @meet(%e) : (memref<1xf64, strided<[1], offset: ?>>) -> ()
  }}
  return
}}
"""


# The least work of a parallel loop is read once, so that another process runs it.
MEET = """\
import sys
import broadloom as bl
import numpy as np
x = np.full(2, 7.0)
bl.compile(sys.argv[1], libraries=sys.argv[2], threads=2)(x)
print(*x.tolist())
"""


def test_only_calls_of_reentrant_functions_run_at_one_time(library):
    for words, met in (("", "0.0 0.0"), (", deterministic", "0.0 0.0"), (", reentrant", "1.0 1.0")):
        found = subprocess.run(
            [sys.executable, "-c", MEET, meeting(words), str(library)],
            env={**os.environ, "BROADLOOM_LEAST_PARALLEL_WORK": "0"},
            capture_output=True,
            text=True,
            check=True,
        )
        assert found.stdout.strip() == met, words


BLAS = """\
func.func private @cblas_daxpy(i32, f64, memref<?xf64, strided<[1], offset: ?>>, i32,
                               memref<?xf64, strided<[1], offset: ?>>, i32)
func.func @main(%a: memref<?x?xf64>, %b: memref<?x?xf64>, %by: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %a, %c0 : memref<?x?xf64>
  %n = memref.dim %a, %c1 : memref<?x?xf64>
  %size = arith.index_cast %n : index to i32
  %one = arith.constant 1 : i32
  affine.for %i = 0 to %m {
    %x = memref.subview %a[%i, 0] [1, %n] [1, 1] : memref<?x?xf64> to memref<?xf64, strided<[1], offset: ?>>
    %y = memref.subview %b[%i, 0] [1, %n] [1, 1] : memref<?x?xf64> to memref<?xf64, strided<[1], offset: ?>>
    func.call @cblas_daxpy(%size, %by, %x, %one, %y, %one)
        : (i32, f64, memref<?xf64, strided<[1], offset: ?>>, i32, memref<?xf64, strided<[1], offset: ?>>, i32) -> ()
  }
  return
}
"""


def test_calls_of_blas_on_rows_run_in_parallel(monkeypatch):
    monkeypatch.setenv("BROADLOOM_LEAST_PARALLEL_WORK", "0")
    f = bl.compile(BLAS, libraries="libopenblas.so.0", threads=2)
    rng = np.random.default_rng(3)
    a, b = rng.standard_normal((9, 31)), rng.standard_normal((9, 31))
    expected = b + 2.0 * a
    f(a, b, 2.0)
    np.testing.assert_allclose(b, expected, rtol=1e-14)
    # Memory that overlaps is written in the program's order: each row is added to the next one.
    rows = np.ones((10, 31))
    f(rows[:-1], rows[1:], 1.0)
    assert rows[:, 5].tolist() == list(range(1, 11))


def test_a_second_call_finds_what_is_not_deterministic(library):
    program = """\
func.func private @counted(memref<?xf64>) attributes {loom.effects = {
    deterministic, initializes = [#loom.access_set<0, #loom.relation<"() -> (i) : (i == 0)">>]}}
func.func @main(%x: memref<?xf64>) {
  call @counted(%x) : (memref<?xf64>) -> ()
  return
}
"""
    bl.compile(program, libraries=library)(np.zeros(1))
    with pytest.raises(bl.ShapeError) as error:
        bl.compile(program, name="p.mlir", libraries=library, check_effects=True)(np.zeros(1))
    assert str(error.value) == (
        "p.mlir:1:1: 'counted': a second call, with other numbers in the elements that it is not declared to read, left "
        "something else in element [0] of argument 0 of 'counted'; it is not deterministic, or reads more than its "
        "effects declare"
    )


def test_a_second_call_finds_reads_that_are_not_declared(library):
    program = f"""\
func.func private @last(i64, memref<?xf64>) -> f64
    attributes {{loom.effects = {{deterministic, reads = [#loom.access_set<1, {ALL}, [0]>]}}}}
func.func @main(%n: i64, %x: memref<?xf64>) -> f64 {{
  %last = call @last(%n, %x) : (i64, memref<?xf64>) -> f64
  return %last : f64
}}
"""
    x = np.arange(4.0)
    assert float(bl.compile(program, libraries=library)(3, x)) == 3
    watched = bl.compile(program, libraries=library, check_effects=True)
    with pytest.raises(bl.ShapeError, match=r"'last': a second call, .* returned another result; it is not determ"):
        watched(3, x)
    # The numbers of the second call are not left.
    assert x.tolist() == [0, 1, 2, 3]


def test_what_is_initialized_is_not_read_before(library):
    x_pair, y_pair = f"#loom.access_set<0, {PAIR}>", f"#loom.access_set<1, {PAIR}>"

    def compiled(name, words):
        program = f"""\
func.func private @{name}(memref<?xf64>, memref<?xf64>) attributes {{loom.effects = {{deterministic, {words}}}}}
func.func @main(%x: memref<?xf64>, %y: memref<?xf64>) {{
  call @{name}(%x, %y) : (memref<?xf64>, memref<?xf64>) -> ()
  return
}}
"""
        return bl.compile(program, libraries=library, check_effects=True)

    # `put` reads an element that it has written.
    for words in (
        f"reads = [{x_pair}, {y_pair}], initializes = [{y_pair}]",
        f"reads = [{x_pair}], writes = [{y_pair}]",
    ):
        x, y = np.array([5.0, 9.0, 9.0]), np.array([1.0, 2.0, 3.0])
        compiled("put", words)(x, y)
        assert x.tolist() == [5, 9, 9] and y.tolist() == [5, 5, 3]
        with pytest.raises(bl.ShapeError, match=r"left something else in element \[0\] of argument 1 of 'add'"):
            compiled("add", words)(x, y)
    x, y = np.array([5.0, 9.0]), np.array([1.0, 2.0])
    compiled("add", f"reads = [{x_pair}, {y_pair}], writes = [{y_pair}]")(x, y)
    assert y.tolist() == [6, 6]


# What `zero` writes, as sets, and as functions of loops, of which the second has a condition that is not affine.
FIRST = '[#loom.access_set<1, #loom.relation<"(n) -> (i) : (0 <= i < n)">, [0]>]'
SUMMARY = """\
func.func private @told(%n: i64, %x: memref<?xf64>, %step: i64) {
  %zero = arith.constant 0.0 : f64
  %end = arith.index_cast %n : i64 to index
  affine.for %i = 0 to %end {
    affine.store %zero, %x[%i] : memref<?xf64>
  }
  return
}
func.func private @conditional(%n: i64, %x: memref<?xf64>, %step: i64) {
  %zero = arith.constant 0.0 : f64
  %end = arith.index_cast %n : i64 to index
  affine.for %i = 0 to %end {
    %square = arith.muli %i, %i : index
    %yes = arith.cmpi sge, %square, %i : index
    scf.if %yes {
      memref.store %zero, %x[%i] : memref<?xf64>
    }
  }
  return
}
"""
SURE = (f"writes = {FIRST}", f"initializes = {FIRST}", "summary = @told, exact")
NOT_SURE = (f"may_writes = {FIRST}", "summary = @told", "summary = @conditional, exact")


@pytest.mark.parametrize("words", SURE + NOT_SURE)
def test_what_is_surely_written_keeps_nothing(library, words):
    def compiled(words):
        program = f"""\
{SUMMARY if "summary" in words else ""}
func.func private @zero(i64, memref<?xf64>, i64) attributes {{loom.effects = {{{words}}}}}
func.func @main(%n: i64, %x: memref<?xf64>, %step: i64) {{
  call @zero(%n, %x, %step) : (i64, memref<?xf64>, i64) -> ()
  return
}}
"""
        return bl.compile(program, libraries=library, check_effects=True)

    f = compiled(f"{words}, deterministic")
    for n in (0, 1, 5):
        x = np.arange(1.0, 7.0)
        f(n, x, 1)
        assert x.tolist() == [0] * n + list(range(n + 1, 7))
    # Of 1 element, all are written in any step.
    f(1, np.ones(1), 2)
    x, left = np.arange(1.0, 7.0), [0, 2, 0, 4, 0, 6]
    if words in NOT_SURE:
        f(6, x, 2)
    else:
        name = "'x'" if "summary" in words else "1"
        message = rf"'zero': it did not write element \[1\] of argument {name} of 'zero', which its effects decl"
        with pytest.raises(bl.ShapeError, match=message):
            f(6, x, 2)
    # The numbers of the second call are not left.
    assert x.tolist() == left
    # Without a second call, nobody sees what is not written.
    x = np.arange(1.0, 7.0)
    compiled(words)(6, x, 2)
    assert x.tolist() == left


def test_a_constant_is_not_written_for_a_second_call(library):
    program = f"""\
func.func private @put(memref<?xf64>, memref<?xf64>) attributes {{loom.effects = {{deterministic,
    reads = [#loom.access_set<0, #loom.relation<"() -> (i) : (i == 0)">>], writes = [#loom.access_set<1, {PAIR}>]}}}}
memref.global constant @table : memref<3xf64> = dense<[4.0, 5.0, 6.0]>
func.func @main(%y: memref<?xf64>) {{
  %table = memref.get_global @table : memref<3xf64>
  %x = memref.cast %table : memref<3xf64> to memref<?xf64>
  call @put(%x, %y) : (memref<?xf64>, memref<?xf64>) -> ()
  return
}}
"""
    y = np.zeros(3)
    bl.compile(program, libraries=library, check_effects=True)(y)
    assert y.tolist() == [4, 4, 0]


def test_a_file_of_effects_has_words(library, tmp_path):
    file = tmp_path / "effects.mlir"
    declaration = "func.func private @sum(i64, memref<?xf64>) -> f64\n"
    program = repeated("")
    head = program[program.index("func.func private @sum") : program.index("func.func @main")]
    body = """\
func.func @sum(%n: i64, %x: memref<?xf64>) -> f64 attributes {loom.effects = {WORDS}} {
  %count = arith.index_cast %n : i64 to index
  affine.for %i = 0 to %count {
    %v = affine.load %x[%i] : memref<?xf64>
  }
  %r = arith.constant 0.0 : f64
  return %r : f64
}
"""
    for words, count in (("", 2), ("deterministic", 1)):
        file.write_text(body.replace("WORDS", words))
        f = bl.compile(program.replace(head, declaration), libraries=library, effects=os.fspath(file))
        both, calls = f(3, np.arange(4.0))
        assert (float(both), int(calls)) == (6, count)
