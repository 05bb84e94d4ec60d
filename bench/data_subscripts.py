"""Loops whose subscripts are data, in MLIR and in C without checks (`bench/memory.py`)."""

import numpy as np

# The loop over `i` has the element of `at` as `%index`.
GATHERING = """
func.func @main(%x: memref<?xf64>, %at: memref<?xi64>, %y: memref<?xf64>, %n: index) {{
  affine.for %i = 0 to %n {{
    %number = affine.load %at[%i] : memref<?xi64>
    %index = arith.index_cast %number : i64 to index
    {}
  }}
  return
}}
"""
GATHER = """%element = memref.load %x[%index] : memref<?xf64>
    affine.store %element, %y[%i] : memref<?xf64>"""
SCATTER = """%element = affine.load %x[%i] : memref<?xf64>
    memref.store %element, %y[%index] : memref<?xf64>"""
HISTOGRAM = """
func.func @main(%at: memref<?xi64>, %h: memref<?xi64>, %n: index) {
  %one = arith.constant 1 : i64
  affine.for %i = 0 to %n {
    %number = affine.load %at[%i] : memref<?xi64>
    %index = arith.index_cast %number : i64 to index
    %old = memref.load %h[%index] : memref<?xi64>
    %new = arith.addi %old, %one : i64
    memref.store %new, %h[%index] : memref<?xi64>
  }
  return
}
"""
SPARSE = """
func.func @main(%row: memref<?xi64>, %col: memref<?xi64>, %a: memref<?xf64>, %x: memref<?xf64>, %y: memref<?xf64>,
                %n: index) {
  %zero = arith.constant 0.0 : f64
  %c1 = arith.constant 1 : index
  affine.for %i = 0 to %n {
    %begin = affine.load %row[%i] : memref<?xi64>
    %end = affine.load %row[%i + 1] : memref<?xi64>
    %b = arith.index_cast %begin : i64 to index
    %e = arith.index_cast %end : i64 to index
    %sum = scf.for %k = %b to %e step %c1 iter_args(%s = %zero) -> (f64) {
      %v = memref.load %a[%k] : memref<?xf64>
      %number = memref.load %col[%k] : memref<?xi64>
      %index = arith.index_cast %number : i64 to index
      %element = memref.load %x[%index] : memref<?xf64>
      %p = arith.mulf %v, %element : f64
      %t = arith.addf %s, %p : f64
      scf.yield %t : f64
    }
    affine.store %sum, %y[%i] : memref<?xf64>
  }
  return
}
"""
ROWS = """
func.func @main(%x: memref<?x64xf64>, %at: memref<?xi64>, %y: memref<?x64xf64>, %n: index) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to 64 {
      %number = affine.load %at[%i] : memref<?xi64>
      %index = arith.index_cast %number : i64 to index
      %element = memref.load %x[%index, %j] : memref<?x64xf64>
      affine.store %element, %y[%i, %j] : memref<?x64xf64>
    }
  }
  return
}
"""

IN_C = "void run(long n, {}) {{ for (long i = 0; i < n; ++i) {{ {} }} }}\n"
ON_X = "const double *restrict x, const long *restrict at, double *restrict y"
ON_ROWS = "const double (*restrict x)[64], const long *restrict at, double (*restrict y)[64]"
ON_SPARSE = """const long *restrict row, const long *restrict col, const double *restrict a,
  const double *restrict x, double *restrict y"""
SUM_IN_C = "double s = 0; for (long k = row[i]; k < row[i + 1]; ++k) s += a[k] * x[col[k]]; y[i] = s;"


def vectors(random, size):
    return [random.random(size), random.integers(0, size, size), np.zeros(size)], size


def counts(random, size):
    return [random.integers(0, 256, size), np.zeros(256, np.int64)], size


def sparse(length):
    """Rows of so many elements, as many in all as `size` says."""

    def make(random, size):
        rows = size // length
        elements = rows * length
        columns = random.integers(0, 1000, elements)
        row = np.arange(rows + 1, dtype=np.int64) * length
        return [row, columns, random.random(elements), random.random(1000), np.zeros(rows)], rows

    return make


def table(random, size):
    rows = size // 64
    return [random.random((100, 64)), random.integers(0, 100, rows), np.zeros((rows, 64))], rows


# Name, sizes, the program, C, and what makes the arrays, of which the last one is the result, and the last number.
LOOPS = [
    ("gather", (1000, 100000), GATHERING.format(GATHER), IN_C.format(ON_X, "y[i] = x[at[i]];"), vectors),
    ("scatter", (1000, 100000), GATHERING.format(SCATTER), IN_C.format(ON_X, "y[at[i]] = x[i];"), vectors),
    (
        "histogram",
        (1000, 100000),
        HISTOGRAM,
        IN_C.format("const long *restrict at, long *restrict h", "h[at[i]] += 1;"),
        counts,
    ),
    ("sparse rows of 8", (20000,), SPARSE, IN_C.format(ON_SPARSE, SUM_IN_C), sparse(8)),
    ("sparse rows of 100", (20000,), SPARSE, IN_C.format(ON_SPARSE, SUM_IN_C), sparse(100)),
    (
        "rows of a table",
        (20000,),
        ROWS,
        IN_C.format(ON_ROWS, "for (long j = 0; j < 64; ++j) y[i][j] = x[at[i]][j];"),
        table,
    ),
]
