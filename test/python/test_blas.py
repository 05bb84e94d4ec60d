"""Functions of BLAS, called from programs with the effects of effects/blas.mlir (ffi-2), against NumPy and the library itself.

Each call has memory that is as short as the function allows. With one element less, the call is an error, and no array
has changed.
"""

import ctypes
import ctypes.util
import itertools
import pathlib
import re
import subprocess

import broadloom as bl
import numpy as np
import pytest
from blas_cases import CASES, LIBRARY, PLAIN, ROW, Case, spell

pytestmark = pytest.mark.skipif(not ctypes.util.find_library("openblas"), reason="OpenBLAS is not installed")


@pytest.mark.parametrize("letter", ["s", "d"])
@pytest.mark.parametrize("name", CASES)
def test_a_function_of_blas(name, letter):
    make = CASES[name]
    rng = np.random.default_rng(sum(map(ord, name + letter)))
    dtype, element = (np.float32, "f32") if letter == "s" else (np.float64, "f64")
    function = None
    for _ in range(12):
        case = Case(rng, dtype)
        make(case)
        if function is None:
            text = spell(case, name.format(letter), element)
            function = bl.compile(text, name="p.mlir", libraries=LIBRARY)
        given = run(function, case, dtype)
        compare_with_library(name.format(letter), case, dtype, given)
        run_short(function, case)


def test_each_function_is_called():
    text = (pathlib.Path(__file__).parents[2] / "effects" / "blas.mlir").read_text()
    named = [name.replace("$p", "{}") for name in re.findall(r"^func\.func @([\w$]+)", text, re.MULTILINE)]
    assert sorted(named) == sorted(CASES)


def run(function, case, dtype):
    given = case.given()
    result = function(*given)
    tolerance = {"rtol": 2e-3, "atol": 1e-3} if dtype == np.float32 else {"rtol": 1e-9, "atol": 1e-10}
    if case.result is not None:
        np.testing.assert_allclose(result, case.result, **tolerance)
    for index, (before, after) in enumerate(zip(case.arguments, given, strict=True)):
        if isinstance(before, np.ndarray):
            np.testing.assert_allclose(after, case.expected.get(index, before), **tolerance)

    return given, result


def compare_with_library(symbol, case, dtype, outcome):
    """What the library does when it is called without a program: the same bits."""
    library = getattr(ctypes.CDLL(LIBRARY), symbol)
    number = np.ctypeslib.as_ctypes_type(dtype)
    library.restype = None if case.result is None else ctypes.c_size_t if isinstance(case.result, int) else number
    given = case.given()

    def pass_on(argument):
        if isinstance(argument, np.ndarray):
            return ctypes.c_void_p(argument.ctypes.data)
        return ctypes.c_int(argument) if isinstance(argument, int) else number(argument)

    result = library(*map(pass_on, given))
    assert result == outcome[1]
    for mine, other in zip(outcome[0], given, strict=True):
        np.testing.assert_array_equal(mine, other)


def run_short(function, case):
    for index, argument in enumerate(case.arguments):
        if not isinstance(argument, np.ndarray) or not argument.size:
            continue
        given = case.given()
        given[index] = given[index][:-1]
        with pytest.raises(
            bl.ShapeError, match=rf"^p\.mlir:1:1: 'cblas_\w+': index {argument.size - 1} is outside axis 0"
        ):
            function(*given)
        for before, after in zip(case.arguments, given, strict=True):
            if isinstance(before, np.ndarray):
                np.testing.assert_array_equal(before[: after.size], after)


GEMM = """\
func.func private @cblas_dgemm(i32, i32, i32, i32, i32, i32, f64, memref<?xf64>, i32, memref<?xf64>, i32, f64,
    memref<?xf64>, i32)
func.func @main(%order: i32, %trans: i32, %ld: i32, %a: memref<?xf64>) {
  %n = arith.constant 2 : i32
  %one = arith.constant 1.0 : f64
  call @cblas_dgemm(%order, %trans, %trans, %n, %n, %n, %one, %a, %ld, %a, %ld, %one, %a, %ld)
    : (i32, i32, i32, i32, i32, i32, f64, memref<?xf64>, i32, memref<?xf64>, i32, f64, memref<?xf64>, i32) -> ()
  return
}
"""


def test_preconditions():
    f = bl.compile(GEMM, name="p.mlir", libraries=LIBRARY)
    a = np.ones(4)
    for arguments, message in (
        ((100, PLAIN, 2), "the order is neither CblasRowMajor nor CblasColMajor"),
        ((ROW, 110, 2), "a transposition is none of CblasNoTrans, CblasTrans and CblasConjTrans"),
        ((ROW, PLAIN, 1), "a leading dimension is smaller than the rows or columns that it separates"),
    ):
        with pytest.raises(bl.ShapeError, match=rf"^p\.mlir:1:1: 'cblas_dgemm': {message}"):
            f(*arguments, a)
    assert a.tolist() == [1, 1, 1, 1]


@pytest.mark.parametrize("letter, element", [("d", np.float64), ("s", np.float32)])
def test_weights_of_a_rotation_that_are_infinite(letter, element):
    """OpenBLAS 0.3.21 does not return from some of these calls."""
    memory, number = ("memref<?xf64>", "f64") if letter == "d" else ("memref<?xf32>", "f32")
    types = f"({memory}, {memory}, {memory}, {number}, {memory})"
    program = f"""\
func.func private @cblas_{letter}rotmg{types}
func.func @main(%d1: {memory}, %d2: {memory}, %x: {memory}, %y: {number}, %p: {memory}) {{
  call @cblas_{letter}rotmg(%d1, %d2, %x, %y, %p) : {types} -> ()
  return
}}
"""
    f = bl.compile(program, name="p.mlir", libraries=LIBRARY)
    for first, second in ((np.inf, 1), (-np.inf, 1), (1, np.inf), (1, -np.inf)):
        d1, d2, x, p = (np.array(values, element) for values in ([first], [second], [1], [7] * 5))
        with pytest.raises(bl.ShapeError, match=rf"^p\.mlir:1:1: 'cblas_{letter}rotmg': d1 or d2 is infinite"):
            f(d1, d2, x, element(1), p)
        assert d1 == first and d2 == second and (p == 7).all()
    # The least and the greatest numbers, 0, and NaN are no infinite ones.
    limits = np.finfo(element)
    for first in (limits.smallest_subnormal, limits.max, 0, np.nan):
        d1, d2, x, p = (np.array(values, element) for values in ([first], [1], [1], [7] * 5))
        f(d1, d2, x, element(0), p)
        assert p[0] == -2


GEMV = """\
func.func private @cblas_dgemv(i32, i32, i32, i32, f64, memref<?xf64>, i32, memref<?xf64>, i32, f64, memref<?xf64>, i32)
func.func @main(%m: i32, %n: i32, %bx: i32, %by: i32, %a: memref<?xf64>) {
  %row = arith.constant 101 : i32
  %no = arith.constant 111 : i32
  %ld = arith.constant 4 : i32
  %one = arith.constant 1.0 : f64
  call @cblas_dgemv(%row, %no, %m, %n, %one, %a, %ld, %a, %bx, %one, %a, %by)
    : (i32, i32, i32, i32, f64, memref<?xf64>, i32, memref<?xf64>, i32, f64, memref<?xf64>, i32) -> ()
  return
}
"""


def test_what_blas_refuses(capfd):
    f = bl.compile(GEMV, name="p.mlir", libraries=LIBRARY)
    a = np.ones(99)
    negative, step = "a number of rows or columns is negative", "the step of a vector is 0"
    for arguments, message in (
        ((-3, 2, 1, 1), negative),
        ((2, -1, 1, 1), negative),
        ((2, 2, 0, 1), step),
        ((2, 2, 1, 0), step),
    ):
        with pytest.raises(bl.ShapeError, match=rf"^p\.mlir:1:1: 'cblas_dgemv': {message}"):
            f(*arguments, a)
    f(0, 2, 1, 1, a)
    assert (a == 1).all()
    # The library, which prints an error, was not called.
    assert capfd.readouterr() == ("", "")


VECTORS = """\
func.func private @cblas_dcopy(i32, memref<?xf64>, i32, memref<?xf64>, i32)
func.func private @cblas_daxpy(i32, f64, memref<?xf64>, i32, memref<?xf64>, i32)
func.func private @cblas_dswap(i32, memref<?xf64>, i32, memref<?xf64>, i32)
func.func private @cblas_drot(i32, memref<?xf64>, i32, memref<?xf64>, i32, f64, f64)
func.func @copy(%n: i32, %x: memref<?xf64>, %bx: i32, %y: memref<?xf64>, %by: i32) {
  call @cblas_dcopy(%n, %x, %bx, %y, %by) : (i32, memref<?xf64>, i32, memref<?xf64>, i32) -> ()
  return
}
func.func @axpy(%n: i32, %x: memref<?xf64>, %bx: i32, %y: memref<?xf64>, %by: i32) {
  %c = arith.constant 2.0 : f64
  call @cblas_daxpy(%n, %c, %x, %bx, %y, %by) : (i32, f64, memref<?xf64>, i32, memref<?xf64>, i32) -> ()
  return
}
func.func @swap(%n: i32, %x: memref<?xf64>, %bx: i32, %y: memref<?xf64>, %by: i32) {
  call @cblas_dswap(%n, %x, %bx, %y, %by) : (i32, memref<?xf64>, i32, memref<?xf64>, i32) -> ()
  return
}
func.func @rot(%n: i32, %x: memref<?xf64>, %bx: i32, %y: memref<?xf64>, %by: i32) {
  %c = arith.constant 2.0 : f64
  call @cblas_drot(%n, %x, %bx, %y, %by, %c, %c) : (i32, memref<?xf64>, i32, memref<?xf64>, i32, f64, f64) -> ()
  return
}
"""


@pytest.mark.parametrize("name", ["copy", "axpy", "swap", "rot"])
def test_a_step_of_0(name):
    """One element may be read again and again. Places that are written are apart, unless there is one at most."""
    f = bl.compile_program(VECTORS, name="p.mlir", libraries=LIBRARY)[name]
    x, y = np.arange(3.0) + 5, np.arange(3.0)
    shared = rf"'cblas_d{name}': the step of a vector that is written is 0, so that its elements share one place"
    with pytest.raises(bl.ShapeError, match=shared):
        f(3, x, 1, y, 0)
    assert (x == np.arange(3) + 5).all() and (y == np.arange(3)).all()
    f(0, x, 1, y, 0)
    f(1, x, 1, y[:1], 0)
    y[:] = range(3)
    if name in ("swap", "rot"):
        with pytest.raises(bl.ShapeError, match=shared):
            f(3, x, 0, y, 1)
        return
    x[:] = 5
    f(3, x[:1], 0, y, 1)
    assert y.tolist() == ([5, 5, 5] if name == "copy" else [10, 11, 12])


def test_other_arguments_than_are_known():
    with pytest.raises(bl.CompileError, match="but what it reads and writes is known for"):
        bl.compile(
            """\
func.func private @cblas_dnrm2(i64, memref<?xf64>, i64) -> f64
func.func @main(%n: i64, %x: memref<?xf64>) -> f64 {
  %r = call @cblas_dnrm2(%n, %x, %n) : (i64, memref<?xf64>, i64) -> f64
  return %r : f64
}
""",
            libraries=LIBRARY,
        )


@pytest.mark.parametrize("result", ["f32", "i64"])
def test_another_result_than_is_known(result):
    with pytest.raises(bl.CompileError, match=r"'\(i32, .*\) -> f64'; declare it so, or declare 'loom\.effects'"):
        bl.compile(
            f"""\
func.func private @cblas_dasum(i32, memref<?xf64>, i32) -> {result}
func.func @main(%n: i32, %x: memref<?xf64>) -> {result} {{
  %r = call @cblas_dasum(%n, %x, %n) : (i32, memref<?xf64>, i32) -> {result}
  return %r : {result}
}}
""",
            libraries=LIBRARY,
        )


def test_effects_of_a_file(tmp_path):
    effects, program = tmp_path / "effects.mlir", GEMM.replace("cblas_dgemm", "dgemm_of_mine")
    effects.write_text("func.func @cblas_dasum(%n: i32, %x: memref<?xf64>, %by: i32) {\n  return\n}\n")
    text = """\
func.func private @cblas_dasum(i32, memref<?xf64>, i32) -> f64
func.func @main(%n: i32, %x: memref<?xf64>) -> f64 {
  %r = call @cblas_dasum(%n, %x, %n) : (i32, memref<?xf64>, i32) -> f64
  return %r : f64
}
"""
    # The file's word counts more than that of the texts which come with the compiler.
    assert float(bl.compile(text, libraries=LIBRARY, effects=effects)(-1, np.ones(1))) == 0
    with pytest.raises(bl.ShapeError, match="the step of the vector is not at least 1"):
        bl.compile(text, libraries=LIBRARY)(-1, np.ones(1))
    with pytest.raises(bl.CompileError, match="declares what it reads and writes with"):
        bl.compile(program, libraries=LIBRARY, effects=effects)
    with pytest.raises(bl.CompileError, match=r"cannot read the effects of 'none\.mlir': No such file or directory"):
        bl.compile(text, libraries=LIBRARY, effects="none.mlir")
    with pytest.raises(bl.CompileError, match="cannot read the effects of '/dev/zero': it is not a regular file"):
        bl.compile(text, libraries=LIBRARY, effects="/dev/zero")
    other = tmp_path / "other.mlir"
    other.write_text(effects.read_text().replace("cblas_dasum", "mine"))
    assert float(bl.compile(text, libraries=LIBRARY, effects=[other, effects])(-1, np.ones(1))) == 0
    other.write_text(effects.read_text())
    with pytest.raises(
        bl.CompileError,
        match=r"effects of function '@cblas_dasum' are told by '.*/effects\.mlir' and by '.*/other\.mlir'; ",
    ):
        bl.compile(text, libraries=LIBRARY, effects=[effects, other])
    # What tells nothing of a function that has its name.
    effects.write_text(effects.read_text().replace("func.func @", "func.func private @"))
    with pytest.raises(bl.CompileError, match=r"not told by that of '.*/effects\.mlir', which is private, a part of"):
        bl.compile(text, libraries=LIBRARY, effects=effects)
    effects.write_text("func.func private @cblas_dasum(i32, memref<?xf64>, i32)")
    with pytest.raises(bl.CompileError, match=r"effects\.mlir', which has neither a body nor 'loom\.effects'; give it"):
        bl.compile(text, libraries=LIBRARY, effects=effects)
    effects.write_text("func.func @f(")
    with pytest.raises(bl.CompileError, match=r"effects\.mlir:1:13: error: expected non-function type"):
        bl.compile(text, libraries=LIBRARY, effects=effects)


def test_functions_of_the_c_library():
    f = bl.compile(
        """\
func.func private @memmove(memref<?xf32>, memref<?xf32>, i64)
func.func private @memset(memref<8xf64, 1>, i32, i64)
func.func @main(%to: memref<?xf32>, %from: memref<?xf32>, %x: memref<8xf64, 1>, %bytes: i64) {
  %zero = arith.constant 0 : i32
  call @memmove(%to, %from, %bytes) : (memref<?xf32>, memref<?xf32>, i64) -> ()
  call @memset(%x, %zero, %bytes) : (memref<8xf64, 1>, i32, i64) -> ()
  return
}
""",
        name="p.mlir",
    )
    a, b, x = np.zeros(5, np.float32), np.arange(4, dtype=np.float32), np.ones(8)
    f(a, b, x, 16)
    assert (a.tolist(), x.tolist()) == ([0, 1, 2, 3, 0], [0, 0, 1, 1, 1, 1, 1, 1])
    with pytest.raises(bl.ShapeError, match=r"^p\.mlir:1:1: 'memmove': index 4 is outside axis 0 of argument 'from'"):
        f(a, b, x, 17)
    with pytest.raises(bl.ShapeError, match=r"^p\.mlir:2:1: 'memset': index 8 is outside axis 0 of argument 'to'"):
        f(np.zeros(99, np.float32), np.zeros(99, np.float32), x, 65)
    with pytest.raises(bl.ShapeError, match="the number of bytes is negative"):
        f(a, b, x, -1)


COPIES = """\
func.func private @NAME(TYPE, TYPE, i64)
func.func @main(%a: memref<?xi64>, %to: index, %from: index, %n: index, %bytes: i64) {
  %t = memref.subview %a[%to] [%n] [1] : memref<?xi64> to memref<?xi64, strided<[1], offset: ?>>
  %f = memref.subview %a[%from] [%n] [1] : memref<?xi64> to memref<?xi64, strided<[1], offset: ?>>
  call @NAME(%t, %f, %bytes) : (TYPE, TYPE, i64) -> ()
  return
}
"""


@pytest.mark.parametrize("name", ["memcpy", "memmove"])
def test_bytes_that_overlap(name):
    text = COPIES.replace("TYPE", "memref<?xi64, strided<[1], offset: ?>>").replace("NAME", name)
    f = bl.compile(text, name="p.mlir")
    for to, start, count, more in itertools.product(range(5), range(5), range(5), (-7, 0)):
        size = max(8 * count + more, 0)
        a = np.arange(10)
        expected = a.copy()
        expected.view(np.int8)[8 * to : 8 * to + size] = a.view(np.int8)[8 * start : 8 * start + size]
        if name == "memcpy" and abs(to - start) * 8 < size:
            with pytest.raises(
                bl.ShapeError, match=r"^p\.mlir:1:1: 'memcpy': memory that is written overlaps memory that is"
            ):
                f(a, to, start, 5, size)
            expected = np.arange(10)
        else:
            f(a, to, start, 5, size)
        np.testing.assert_array_equal(a, expected, err_msg=f"{to}, {start}, {size}")


OFFSETS = """\
func.func private @memcpy(TO, FROM, i64)HOW
func.func @main(%t: memref<?xi64>, %f: memref<?xi64>, %bytes: i64) {
  %to = memref.subview %t[4] [4] [1] : memref<?xi64> to TO
  %from = memref.subview %f[2] [4] [1] : memref<?xi64> to FROM
  call @memcpy(%to, %from, %bytes) : (TO, FROM, i64) -> ()
  return
}
"""


# A memcpy of one's own, with descriptors.
DESCRIBED = """\
#include <stdint.h>
typedef struct { int64_t *allocated, *aligned, offset, size, stride; } Vector;
void memcpy(Vector *to, Vector *from, int64_t bytes) {
  volatile int64_t *t = to->aligned + to->offset, *f = from->aligned + from->offset;
  for (int64_t i = 0; i < bytes / 8; ++i) t[i] = f[i];
}
"""


@pytest.mark.parametrize("convention", ["pointers", "descriptors"])
def test_bytes_with_static_offsets(tmp_path, convention):
    libraries, how = [], ""
    if convention == "descriptors":
        (tmp_path / "lib.c").write_text(DESCRIBED)
        libraries, how = [tmp_path / "lib.so"], ' attributes {loom.convention = "descriptors"}'
        options = ["-O1", "-w", "-fno-builtin", "-shared", "-fPIC"]
        subprocess.run(["gcc", *options, "-o", tmp_path / "lib.so", tmp_path / "lib.c"], check=True)
    text = OFFSETS.replace("HOW", how).replace("TO", "memref<4xi64, strided<[1], offset: 4>>")
    text = text.replace("FROM", "memref<4xi64, strided<[1], offset: 2>>")
    f = bl.compile(text, name="p.mlir", libraries=libraries)
    a, b = np.arange(10), np.arange(10) + 100
    f(a, b, 32)
    assert a.tolist() == [0, 1, 2, 3, 102, 103, 104, 105, 8, 9]
    # Four elements from 4 on, and four from 2 on.
    a = np.arange(10)
    with pytest.raises(bl.ShapeError, match="which memmove allows and memcpy does not"):
        f(a, a, 24)
    assert a.tolist() == list(range(10))
    f(a, a, 16)
    assert a.tolist() == [0, 1, 2, 3, 2, 3, 6, 7, 8, 9]


def test_arrays_that_overlap_are_not_copied():
    f = bl.compile("""\
func.func private @memcpy(memref<?xf32>, memref<?xf32>, i64)
func.func @main(%to: memref<?xf32>, %from: memref<?xf32>, %bytes: i64) {
  call @memcpy(%to, %from, %bytes) : (memref<?xf32>, memref<?xf32>, i64) -> ()
  return
}
""")
    a = np.arange(8, dtype=np.float32)
    f(a[:4], a[4:], 16)
    assert a.tolist() == [4, 5, 6, 7, 4, 5, 6, 7]
    # What overlaps is not among the bytes.
    f(a[:6], a[2:], 8)
    for to, start in ((a, a), (a[1:], a[:-1]), (a[:-3], a[3:])):
        with pytest.raises(bl.ShapeError, match="which memmove allows and memcpy does not"):
            f(to, start, 16)


def test_memory_is_compared():
    f = bl.compile(
        """\
func.func private @memcmp(memref<?xi8>, memref<?xi8>, i64) -> i32
func.func @main(%a: memref<?xi8>, %b: memref<?xi8>, %bytes: i64) -> i32 {
  %r = call @memcmp(%a, %b, %bytes) : (memref<?xi8>, memref<?xi8>, i64) -> i32
  return %r : i32
}
"""
    )
    a, b = np.arange(4, dtype=np.int8), np.arange(4, dtype=np.int8)
    b[3] = 9
    assert int(f(a, b, 3)) == 0 and int(f(a, b, 4)) < 0
    with pytest.raises(bl.ShapeError, match="the number of bytes is negative"):
        f(a, b, -1)
    with pytest.raises(bl.ShapeError, match="index 4 is outside axis 0 of argument 'a' of 'memcmp'"):
        f(a, b, 5)
