"""Ten kernels of loops over matrices, as the tests, the mutants and the benchmark of
loops over memory use them. Each is a function of its memories and of `n`, the extent of
all their axes; `reference` computes the same with NumPy, in another way."""

from dataclasses import dataclass

import numpy as np
from nest_program import Array, Constant, FromIndex, Function, Memory, Name, Operation, bind, loop

A, B, C, D, T = (Array(name) for name in "abcdt")
X, Y, MEAN, DEVIATION = (Array(name) for name in ("x", "y", "mean", "deviation"))
i, j, k, m, step, n = (Name(name) for name in ("i", "j", "k", "m", "step", "n"))
STEPS = 2


@dataclass
class Kernel:
    """`reference` changes arrays; `operations` and `elements` say what a call with extent n
    computes, and how many elements it has to move at least, as functions of n. `sizes` are
    measured: in the first cache, in a later one, in memory."""

    name: str
    ranks: dict
    body: object
    reference: object
    operations: object
    elements: object
    sizes: tuple

    def function(self, extent=None):
        """The kernel; `extent` is in its types and its loops where it is given."""
        memories = [Memory(name, [extent] * rank, "f64") for name, rank in self.ranks.items()]
        body = self.body()
        return Function("main", memories, ["n"], bind(body, {"n": extent}) if extent else body)

    def arrays(self, n, seed=0):
        """What it is called with; a matrix has a heavy diagonal, so that `lu` divides by no small number."""
        random = np.random.default_rng(seed)
        arrays = [random.random((n,) * rank) / max(n, 1) for rank in self.ranks.values()]
        for array in arrays:
            if array.ndim == 2:
                array += np.eye(n)
        return arrays


KERNELS = {}


def kernel(name, ranks, reference, operations, elements, sizes):
    def add(body):
        KERNELS[name] = Kernel(name, ranks, body, reference, operations, elements, sizes)
        return body

    return add


def product(to, left, right, scale=None):
    """`to` += `left` * `right`, perhaps with a factor."""
    factor = left[i, k] if scale is None else left[i, k] * scale
    return loop(i, 0, n, loop(k, 0, n, loop(j, 0, n, to.add((i, j), factor * right[k, j]))))


def gemm_reference(a, b, c):
    c[...] = 0.5 * c + 1.5 * (a @ b)


@kernel("gemm", {"a": 2, "b": 2, "c": 2}, gemm_reference, lambda n: 3 * n**3 + n**2, lambda n: 4 * n**2, (40, 200, 800))
def gemm():
    scaled = loop(i, 0, n, loop(j, 0, n, C.put((i, j), C[i, j] * 0.5)))
    return [scaled, product(C, A, B, 1.5)]


def two_products_reference(a, b, c, t, d):
    t[...] = a @ b
    d[...] = 0.5 * d + t @ c


@kernel(
    "2mm",
    dict.fromkeys("abctd", 2),
    two_products_reference,
    lambda n: 4 * n**3 + n**2,
    lambda n: 8 * n**2,
    (40, 200, 600),
)
def two_products():
    cleared = loop(i, 0, n, loop(j, 0, n, T.put((i, j), 0.0)))
    scaled = loop(i, 0, n, loop(j, 0, n, D.put((i, j), D[i, j] * 0.5)))
    return [cleared, product(T, A, B), scaled, product(D, T, C)]


def atax_reference(a, x, y, t):
    t[...] = a @ x
    y[...] = a.T @ t


@kernel(
    "atax",
    {"a": 2, "x": 1, "y": 1, "t": 1},
    atax_reference,
    lambda n: 4 * n**2,
    lambda n: n**2 + 5 * n,
    (50, 400, 3000),
)
def atax():
    row = [
        T.put(i, 0.0),
        loop(j, 0, n, T.add(i, A[i, j] * X[j])),
        loop(j, 0, n, Y.add(j, A[i, j] * T[i])),
    ]
    return [loop(i, 0, n, Y.put(i, 0.0)), loop(i, 0, n, *row)]


def jacobi_reference(a, b):
    for _ in range(STEPS):
        for to, given in ((b, a), (a, b)):
            around = given[1:-1, :-2] + given[1:-1, 2:] + given[:-2, 1:-1] + given[2:, 1:-1]
            to[1:-1, 1:-1] = 0.2 * (given[1:-1, 1:-1] + around)


def sweep(to, given):
    cross = given[i, j] + given[i, j - 1] + given[i, j + 1] + given[i - 1, j] + given[i + 1, j]
    return loop(i, 1, n - 1, loop(j, 1, n - 1, to.put((i, j), cross * 0.2)))


@kernel(
    "jacobi-2d",
    {"a": 2, "b": 2},
    jacobi_reference,
    lambda n: 2 * STEPS * 5 * (n - 2) ** 2,
    lambda n: 2 * STEPS * 2 * n**2,
    (40, 250, 2000),
)
def jacobi():
    return [loop(step, 0, STEPS, sweep(B, A), sweep(A, B))]


def floyd_reference(a):
    for k in range(a.shape[0]):
        a[...] = np.minimum(a, a[:, k : k + 1] + a[k])


@kernel("floyd-warshall", {"a": 2}, floyd_reference, lambda n: 2 * n**3, lambda n: 2 * n**2, (60, 200, 500))
def floyd():
    shortest = Operation("least", [A[i, j], A[i, k] + A[k, j]])
    return [loop(k, 0, n, loop(i, 0, n, loop(j, 0, n, A.put((i, j), shortest))))]


def lu_reference(a):
    for k in range(a.shape[0]):
        a[k + 1 :, k] /= a[k, k]
        a[k + 1 :, k + 1 :] -= np.outer(a[k + 1 :, k], a[k, k + 1 :])


@kernel("lu", {"a": 2}, lu_reference, lambda n: 2 * n**3 // 3, lambda n: 2 * n**2, (60, 200, 500))
def lu():
    def less(row, column):
        return A.put((row, column), A[row, column] - A[row, k] * A[k, column])

    below = loop(j, 0, i, loop(k, 0, j, less(i, j)), A.put((i, j), A[i, j] / A[j, j]))
    above = loop(j, i, n, loop(k, 0, i, less(i, j)))
    return [loop(i, 0, n, below, above)]


def trmm_reference(a, b):
    b[...] = 1.5 * (np.tril(a, -1).T @ b + b)


@kernel("trmm", {"a": 2, "b": 2}, trmm_reference, lambda n: n**3, lambda n: 5 * n**2 // 2, (50, 200, 500))
def trmm():
    inner = loop(k, i + 1, n, B.add((i, j), A[k, i] * B[k, j]))
    return [loop(i, 0, n, loop(j, 0, n, inner, B.put((i, j), B[i, j] * 1.5)))]


def doitgen_reference(a, b, t):
    a[...] = a @ b
    t[...] = a[-1, -1] if a.size else 0


@kernel("doitgen", {"a": 3, "b": 2, "t": 1}, doitgen_reference, lambda n: 2 * n**4, lambda n: 2 * n**3, (14, 50, 140))
def doitgen():
    row = [
        loop(k, 0, n, T.put(k, 0.0)),
        loop(m, 0, n, loop(k, 0, n, T.add(k, A[i, j, m] * B[m, k]))),
        loop(k, 0, n, A.put((i, j, k), T[k])),
    ]
    return [loop(i, 0, n, loop(j, 0, n, *row))]


def seidel_reference(a):
    for _ in range(STEPS):
        for i in range(1, a.shape[0] - 1):
            for j in range(1, a.shape[0] - 1):
                a[i, j] = a[i - 1 : i + 2, j - 1 : j + 2].sum() / 9.0


@kernel(
    "seidel-2d",
    {"a": 2},
    seidel_reference,
    lambda n: STEPS * 9 * (n - 2) ** 2,
    lambda n: STEPS * 2 * n**2,
    (60, 250, 2000),
)
def seidel():
    around = A[i - 1, j - 1]
    for row, column in ((-1, 0), (-1, 1), (0, -1), (0, 0), (0, 1), (1, -1), (1, 0), (1, 1)):
        around = around + A[i + row, j + column]
    return [loop(step, 0, STEPS, loop(i, 1, n - 1, loop(j, 1, n - 1, A.put((i, j), around / 9.0))))]


def correlation_reference(a, c, mean, deviation):
    n = a.shape[0]
    mean[...] = a.sum(0) / n
    spread = np.sqrt(((a - mean) ** 2).sum(0) / n)
    deviation[...] = np.where(spread > 0.05, spread, 1.0)
    a[...] = (a - mean) / (np.sqrt(n) * deviation)
    c[...] = a.T @ a
    np.fill_diagonal(c, 1.0)


@kernel(
    "correlation",
    {"a": 2, "c": 2, "mean": 1, "deviation": 1},
    correlation_reference,
    lambda n: n**3 + 8 * n**2,
    lambda n: 3 * n**2,
    (40, 200, 500),
)
def correlation():
    count = lambda: FromIndex(n)
    off = lambda: A[i, j] - MEAN[j]
    spread = lambda: Operation("sqrt", [DEVIATION[j] / count()])
    means = [
        loop(j, 0, n, MEAN.put(j, 0.0), DEVIATION.put(j, 0.0)),
        loop(i, 0, n, loop(j, 0, n, MEAN.add(j, A[i, j]))),
        loop(j, 0, n, MEAN.put(j, MEAN[j] / count())),
        loop(i, 0, n, loop(j, 0, n, DEVIATION.add(j, off() * off()))),
        loop(j, 0, n, DEVIATION.put(j, Operation("above", [spread(), Constant(1.0), Constant(0.05), spread()]))),
        loop(i, 0, n, loop(j, 0, n, A.put((i, j), off() / (Operation("sqrt", [count()]) * DEVIATION[j])))),
    ]
    row = [
        C.put((i, i), 1.0),
        loop(j, i + 1, n, C.put((i, j), 0.0)),
        loop(k, 0, n, loop(j, i + 1, n, C.add((i, j), A[k, i] * A[k, j]))),
        loop(j, i + 1, n, C.put((j, i), C[i, j])),
    ]
    return [*means, loop(i, 0, n, *row)]
