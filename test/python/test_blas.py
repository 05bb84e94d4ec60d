"""Functions of BLAS, called from programs with the effects of effects/blas.mlir (ffi-2), against NumPy.

Each call has memory that is as short as the function allows. With one element less, the call is an error, and no array
has changed.
"""

import ctypes.util

import broadloom as bl
import numpy as np
import pytest

ROW, COLUMN = 101, 102
PLAIN, TRANSPOSED = 111, 112
UPPER, LOWER = 121, 122
NON_UNIT, UNIT = 131, 132
LEFT, RIGHT = 141, 142
LIBRARY = "libopenblas.so.0"

pytestmark = pytest.mark.skipif(not ctypes.util.find_library("openblas"), reason="OpenBLAS is not installed")


class Case:
    """A call: its arguments by their types, and what its arrays and its result are afterwards."""

    def __init__(self, rng, dtype):
        self.rng, self.dtype = rng, dtype
        self.arguments, self.expected, self.result = [], {}, None

    def pick(self, *choices):
        """Adds a number of type i32, one of the choices."""
        number = int(self.rng.choice(choices))
        self.arguments.append(number)
        return number

    def number(self):
        """Adds a number of the type of the elements."""
        number = self.dtype(round(self.rng.normal(), 3))
        self.arguments.append(number)
        return number

    def memory(self, places):
        """Adds memory that has the last of these places, and no more; returns what it holds at them."""
        places = np.asarray(places, dtype=np.int64)
        array = self.rng.normal(size=places.max(initial=-1) + 1).astype(self.dtype)
        self.arguments.append(array)
        return array[places].astype(np.float64)

    def vector(self, n, steps=(1, 2, -1, -3)):
        """Adds a vector and its step; returns the elements and where they are."""
        # The step stands behind the memory.
        step = int(self.rng.choice(steps))
        places = np.arange(n) * abs(step)
        places = places[::-1] if step < 0 else places
        values = self.memory(places)
        self.arguments.append(step)
        return values, (len(self.arguments) - 2, places)

    def matrix(self, order, rows, columns):
        """Adds a matrix and its leading dimension."""
        ld = max(1, columns if order == ROW else rows) + int(self.rng.integers(0, 3))
        i, j = np.indices((rows, columns))
        places = i * ld + j if order == ROW else j * ld + i
        values = self.memory(places)
        self.arguments.append(ld)
        return values, (len(self.arguments) - 2, places)

    def triangle(self, order, uplo, diag, n):
        """Adds a triangle and its leading dimension; the rest of the matrix is 0, and a unit diagonal 1."""
        ld = max(1, n) + int(self.rng.integers(0, 3))
        inside = self.inside(uplo, n, diag == NON_UNIT)
        i, j = np.nonzero(inside)
        places = i * ld + j if order == ROW else j * ld + i
        matrix = np.eye(n) if diag == UNIT else np.zeros((n, n))
        matrix[i, j] = self.memory(places)
        self.arguments.append(ld)
        return matrix, (len(self.arguments) - 2, places, (i, j))

    def packed(self, order, uplo, n, diag=NON_UNIT):
        """Adds a triangle whose rows or columns follow one another."""
        i, j = np.nonzero(self.inside(uplo, n, True))
        if order == COLUMN:
            by_column = np.lexsort((i, j))
            i, j = i[by_column], j[by_column]
        matrix = np.zeros((n, n))
        places = np.arange(len(i))
        matrix[i, j] = self.memory(places)
        if diag == UNIT:
            np.fill_diagonal(matrix, 1)
        return matrix, (len(self.arguments) - 1, places, (i, j))

    @staticmethod
    def inside(uplo, n, has_diagonal):
        i, j = np.indices((n, n))
        return (i < j if uplo == UPPER else i > j) | ((i == j) & has_diagonal)

    def expect(self, where, values):
        """Notes what memory holds after the call."""
        if len(where) == 3:
            values = np.asarray(values)[where[2]]
        index, places = where[:2]
        array = self.expected.setdefault(index, self.arguments[index].astype(np.float64))
        array[places] = values


def symmetric(matrix):
    return matrix + matrix.T - np.diag(np.diag(matrix))


def turned(matrix, trans):
    return matrix if trans == PLAIN else matrix.T


def extent(c):
    return c.pick(1, 2, 3, 5)


def nrm2(c):
    x, _ = c.vector(extent(c), (1, 3))
    c.result = np.sqrt((x**2).sum())


def asum(c):
    x, _ = c.vector(extent(c), (1, 3))
    c.result = np.abs(x).sum()


def amax(c):
    x, _ = c.vector(extent(c), (1, 3))
    c.result = int(np.abs(x).argmax())


def scal(c):
    n, alpha = extent(c), c.number()
    x, at = c.vector(n, (1, 3))
    c.expect(at, alpha * x)


def dot(c):
    n = extent(c)
    c.result = c.vector(n)[0] @ c.vector(n)[0]


def copy(c):
    n = extent(c)
    x, _ = c.vector(n)
    c.expect(c.vector(n)[1], x)


def axpy(c):
    n, alpha = extent(c), c.number()
    x, _ = c.vector(n)
    y, at = c.vector(n)
    c.expect(at, alpha * x + y)


def swap(c):
    n = extent(c)
    (x, of_x), (y, of_y) = c.vector(n), c.vector(n)
    c.expect(of_x, y)
    c.expect(of_y, x)


def rot(c):
    n = extent(c)
    (x, of_x), (y, of_y) = c.vector(n), c.vector(n)
    cosine, sine = c.number(), c.number()
    c.expect(of_x, cosine * x + sine * y)
    c.expect(of_y, cosine * y - sine * x)


def gemv(c):
    order, trans, m, n = c.pick(ROW, COLUMN), c.pick(PLAIN, TRANSPOSED), extent(c), extent(c)
    alpha = c.number()
    a = turned(c.matrix(order, m, n)[0], trans)
    x, _ = c.vector(a.shape[1])
    beta = c.number()
    y, at = c.vector(a.shape[0])
    c.expect(at, alpha * a @ x + beta * y)


def ger(c):
    order, m, n, alpha = c.pick(ROW, COLUMN), extent(c), extent(c), c.number()
    x, y = c.vector(m)[0], c.vector(n)[0]
    a, at = c.matrix(order, m, n)
    c.expect(at, a + alpha * np.outer(x, y))


def symv(c, read=lambda c, order, uplo, n: c.triangle(order, uplo, NON_UNIT, n)[0]):
    order, uplo, n, alpha = c.pick(ROW, COLUMN), c.pick(UPPER, LOWER), extent(c), c.number()
    a = symmetric(read(c, order, uplo, n))
    x, _ = c.vector(n)
    beta = c.number()
    y, at = c.vector(n)
    c.expect(at, alpha * a @ x + beta * y)


def spmv(c):
    symv(c, lambda c, order, uplo, n: c.packed(order, uplo, n)[0])


def rank_update(c, vectors, is_packed):
    order, uplo, n, alpha = c.pick(ROW, COLUMN), c.pick(UPPER, LOWER), extent(c), c.number()
    x = c.vector(n)[0]
    y = c.vector(n)[0] if vectors == 2 else x / 2
    a, at = c.packed(order, uplo, n) if is_packed else c.triangle(order, uplo, NON_UNIT, n)
    c.expect(at, a + alpha * (np.outer(x, y) + np.outer(y, x)))


def triangular_vector(c, is_packed, solves):
    order, uplo, trans = c.pick(ROW, COLUMN), c.pick(UPPER, LOWER), c.pick(PLAIN, TRANSPOSED)
    diag, n = c.pick(NON_UNIT, UNIT), extent(c)
    a = c.packed(order, uplo, n, diag)[0] if is_packed else c.triangle(order, uplo, diag, n)[0]
    x, at = c.vector(n)
    a = turned(a, trans)
    c.expect(at, np.linalg.solve(a, x) if solves else a @ x)


def gemm(c):
    order, ta, tb = c.pick(ROW, COLUMN), c.pick(PLAIN, TRANSPOSED), c.pick(PLAIN, TRANSPOSED)
    m, n, k, alpha = extent(c), extent(c), c.pick(0, 1, 4), c.number()
    a = turned(c.matrix(order, *((m, k) if ta == PLAIN else (k, m)))[0], ta)
    b = turned(c.matrix(order, *((k, n) if tb == PLAIN else (n, k)))[0], tb)
    beta = c.number()
    d, at = c.matrix(order, m, n)
    c.expect(at, alpha * a @ b + beta * d)


def symm(c):
    order, side, uplo, m, n = c.pick(ROW, COLUMN), c.pick(LEFT, RIGHT), c.pick(UPPER, LOWER), extent(c), extent(c)
    alpha = c.number()
    a = symmetric(c.triangle(order, uplo, NON_UNIT, m if side == LEFT else n)[0])
    b, _ = c.matrix(order, m, n)
    beta = c.number()
    d, at = c.matrix(order, m, n)
    c.expect(at, alpha * (a @ b if side == LEFT else b @ a) + beta * d)


def symmetric_update(c, matrices):
    order, uplo, trans, n, k = (
        c.pick(ROW, COLUMN),
        c.pick(UPPER, LOWER),
        c.pick(PLAIN, TRANSPOSED),
        extent(c),
        extent(c),
    )
    alpha = c.number()
    a = turned(c.matrix(order, *((n, k) if trans == PLAIN else (k, n)))[0], trans)
    b = turned(c.matrix(order, *((n, k) if trans == PLAIN else (k, n)))[0], trans) if matrices == 2 else a / 2
    beta = c.number()
    d, at = c.triangle(order, uplo, NON_UNIT, n)
    c.expect(at, alpha * (a @ b.T + b @ a.T) + beta * d)


def triangular_matrix(c, solves):
    order, side, uplo = c.pick(ROW, COLUMN), c.pick(LEFT, RIGHT), c.pick(UPPER, LOWER)
    trans, diag, m, n = c.pick(PLAIN, TRANSPOSED), c.pick(NON_UNIT, UNIT), extent(c), extent(c)
    alpha = c.number()
    a = turned(c.triangle(order, uplo, diag, m if side == LEFT else n)[0], trans)
    b, at = c.matrix(order, m, n)
    if side == LEFT:
        c.expect(at, alpha * (np.linalg.solve(a, b) if solves else a @ b))
    else:
        c.expect(at, alpha * (np.linalg.solve(a.T, b.T).T if solves else b @ a))


CASES = {
    "cblas_{}nrm2": nrm2,
    "cblas_{}asum": asum,
    "cblas_i{}amax": amax,
    "cblas_{}scal": scal,
    "cblas_{}dot": dot,
    "cblas_{}copy": copy,
    "cblas_{}axpy": axpy,
    "cblas_{}swap": swap,
    "cblas_{}rot": rot,
    "cblas_{}gemv": gemv,
    "cblas_{}ger": ger,
    "cblas_{}symv": symv,
    "cblas_{}spmv": spmv,
    "cblas_{}syr": lambda c: rank_update(c, 1, False),
    "cblas_{}syr2": lambda c: rank_update(c, 2, False),
    "cblas_{}spr": lambda c: rank_update(c, 1, True),
    "cblas_{}spr2": lambda c: rank_update(c, 2, True),
    "cblas_{}trmv": lambda c: triangular_vector(c, False, False),
    "cblas_{}trsv": lambda c: triangular_vector(c, False, True),
    "cblas_{}tpmv": lambda c: triangular_vector(c, True, False),
    "cblas_{}tpsv": lambda c: triangular_vector(c, True, True),
    "cblas_{}gemm": gemm,
    "cblas_{}symm": symm,
    "cblas_{}syrk": lambda c: symmetric_update(c, 1),
    "cblas_{}syr2k": lambda c: symmetric_update(c, 2),
    "cblas_{}trmm": lambda c: triangular_matrix(c, False),
    "cblas_{}trsm": lambda c: triangular_matrix(c, True),
}


def spell(case, name, element):
    """Returns a program that hands its arguments to the function."""

    def type_of(argument):
        if isinstance(argument, np.ndarray):
            return f"memref<?x{element}>"
        return "i32" if isinstance(argument, int) else element

    types = [type_of(a) for a in case.arguments]
    result = "" if case.result is None else " -> i64" if isinstance(case.result, int) else f" -> {element}"
    names = [f"%a{i}" for i in range(len(types))]
    of_call = result or " -> ()"
    return f"""\
func.func private @{name}({", ".join(types)}){result}
func.func @main({", ".join(f"{n}: {t}" for n, t in zip(names, types, strict=True))}){result} {{
  {"%r = " if result else ""}call @{name}({", ".join(names)}) : ({", ".join(types)}){of_call}
  return{f" %r : {result[4:]}" if result else ""}
}}
"""


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
        run(function, case, dtype)
        run_short(function, case)


def run(function, case, dtype):
    given = [a.copy() if isinstance(a, np.ndarray) else a for a in case.arguments]
    result = function(*given)
    tolerance = {"rtol": 2e-3, "atol": 1e-3} if dtype == np.float32 else {"rtol": 1e-9, "atol": 1e-10}
    if case.result is not None:
        np.testing.assert_allclose(result, case.result, **tolerance)
    for index, (before, after) in enumerate(zip(case.arguments, given, strict=True)):
        if isinstance(before, np.ndarray):
            np.testing.assert_allclose(after, case.expected.get(index, before), **tolerance)


def run_short(function, case):
    for index, argument in enumerate(case.arguments):
        if not isinstance(argument, np.ndarray) or not argument.size:
            continue
        given = [a.copy() if isinstance(a, np.ndarray) else a for a in case.arguments]
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
