"""Calls of functions of BLAS with random arguments, and what they give by NumPy."""

import numpy as np

ROW, COLUMN = 101, 102
PLAIN, TRANSPOSED = 111, 112
UPPER, LOWER = 121, 122
NON_UNIT, UNIT = 131, 132
LEFT, RIGHT = 141, 142
LIBRARY = "libopenblas.so.0"


class Case:
    """A call: its arguments by their types, and what its arrays and its result are afterwards."""

    def __init__(self, rng, dtype):
        self.rng, self.dtype = rng, dtype
        self.arguments, self.expected, self.result = [], {}, None
        # Whether the function needs all that it is declared to access, whatever the numbers are.
        self.needs_all = True

    def given(self):
        """Its arguments, with arrays of their own."""
        return [a.copy() if isinstance(a, np.ndarray) else a for a in self.arguments]

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

    def band(self, order, near, below, above):
        """Adds the elements of a matrix that `near` has, within a number of diagonals, and its leading dimension."""
        ld = below + above + 1 + int(self.rng.integers(0, 3))
        i, j = np.nonzero(near)
        places = i * ld + below + j - i if order == ROW else j * ld + above + i - j
        matrix = np.zeros(near.shape)
        matrix[i, j] = self.memory(places)
        self.arguments.append(ld)
        return matrix

    def band_triangle(self, order, uplo, n, k, diag=NON_UNIT):
        """Adds a triangle with k diagonals beside that of the matrix, and its leading dimension."""
        i, j = np.indices((n, n))
        near = self.inside(uplo, n, diag == NON_UNIT) & (abs(i - j) <= k)
        matrix = self.band(order, near, *((0, k) if uplo == UPPER else (k, 0)))
        return matrix + np.eye(n) * (diag == UNIT)

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


def rotg(c):
    a, b = c.memory([0])[0], c.memory([0])[0]
    c.memory([0]), c.memory([0])
    r = np.copysign(np.hypot(a, b), a if abs(a) > abs(b) else b)
    z = b / r if abs(a) > abs(b) else r / a
    for index, value in enumerate((r, z, a / r, b / r)):
        c.expect((index, [0]), value)


def rotm(c):
    n = extent(c)
    (x, of_x), (y, of_y) = c.vector(n), c.vector(n)
    flag = int(c.rng.choice([-2, -1, 0, 1]))
    parameters = c.memory(range(5))
    c.arguments[-1][0] = flag
    h11, h21, h12, h22 = parameters[1:]
    h11, h21, h12, h22 = {
        -2: (1, 0, 0, 1),
        -1: (h11, h21, h12, h22),
        0: (1, h21, h12, 1),
        1: (h11, -1, 1, h22),
    }[flag]
    c.expect(of_x, h11 * x + h12 * y)
    c.expect(of_y, h21 * x + h22 * y)
    c.needs_all = flag == -1


def rotmg(c):
    """The rotation that makes y zero, of positive numbers, which are in the range where nothing is scaled."""
    (d1,), (d2,), (x,) = (abs(c.memory([0])) + 0.5 for _ in range(3))
    for argument, value in zip(c.arguments, (d1, d2, x), strict=True):
        argument[0] = value
    d1, d2, x = (float(argument[0]) for argument in c.arguments)
    y = float(c.number())
    parameters = c.memory(range(5))
    p1, p2 = d1 * x, d2 * y
    if abs(p1 * x) > abs(p2 * y):
        parameters[[0, 2, 3]] = 0, -y / x, p2 / p1
        u = 1 + y / x * p2 / p1
        after = d1 / u, d2 / u, x * u
    else:
        parameters[[0, 1, 4]] = 1, p1 / p2, x / y
        u = 1 + p1 / p2 * x / y
        after = d2 / u, d1 / u, y * u
    c.needs_all = parameters[0] == 1
    for index, value in enumerate(after):
        c.expect((index, [0]), value)
    c.expect((4, range(5)), parameters)


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


def gbmv(c):
    order, trans, m, n = c.pick(ROW, COLUMN), c.pick(PLAIN, TRANSPOSED), extent(c), extent(c)
    below, above, alpha = c.pick(0, 1, 2, 7), c.pick(0, 1, 2, 7), c.number()
    i, j = np.indices((m, n))
    a = turned(c.band(order, (j - i <= above) & (i - j <= below), below, above), trans)
    # The last column has an element.
    c.needs_all = n - above <= m
    x, _ = c.vector(a.shape[1])
    beta = c.number()
    y, at = c.vector(a.shape[0])
    c.expect(at, alpha * a @ x + beta * y)


def sbmv(c):
    order, uplo, n, k, alpha = c.pick(ROW, COLUMN), c.pick(UPPER, LOWER), extent(c), c.pick(0, 1, 2, 7), c.number()
    a = symmetric(c.band_triangle(order, uplo, n, k))
    x, _ = c.vector(n)
    beta = c.number()
    y, at = c.vector(n)
    c.expect(at, alpha * a @ x + beta * y)


def triangular_band(c, solves):
    order, uplo, trans = c.pick(ROW, COLUMN), c.pick(UPPER, LOWER), c.pick(PLAIN, TRANSPOSED)
    diag, n, k = c.pick(NON_UNIT, UNIT), extent(c), c.pick(0, 1, 2, 7)
    a = turned(c.band_triangle(order, uplo, n, k, diag), trans)
    x, at = c.vector(n)
    c.expect(at, np.linalg.solve(a, x) if solves else a @ x)


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
    "cblas_{}rotg": rotg,
    "cblas_{}rotm": rotm,
    "cblas_{}rotmg": rotmg,
    "cblas_{}gemv": gemv,
    "cblas_{}gbmv": gbmv,
    "cblas_{}sbmv": sbmv,
    "cblas_{}tbmv": lambda c: triangular_band(c, False),
    "cblas_{}tbsv": lambda c: triangular_band(c, True),
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
