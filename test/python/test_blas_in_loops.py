"""Loops of calls of BLAS on parts of arrays run on several threads (eff-1), against NumPy: the same bits on any
number of threads, and in order where parts overlap or a check of a call fails."""

import ctypes.util

import broadloom as bl
import numpy as np
import pytest

LIBRARY = "libopenblas.so.0"
P = "memref<?xf64, strided<[1], offset: ?>>"
TYPES = {
    "axpy": f"(i32, f64, {P}, i32, {P}, i32)",
    "gemv": f"(i32, i32, i32, i32, f64, {P}, i32, {P}, i32, f64, {P}, i32)",
    "gemm": f"(i32, i32, i32, i32, i32, i32, f64, {P}, i32, {P}, i32, f64, {P}, i32)",
}
ARGUMENTS = {
    "axpy": "%n, %x1, %p0, %step, %p1, %step",
    "gemv": "%row, %plain, %m, %n, %x1, %p0, %n, %p1, %step, %x0, %p2, %step",
    "gemm": "%row, %plain, %plain, %m, %n, %m, %x1, %p0, %m, %p1, %n, %x0, %p2, %n",
}
# The sizes of the parts.
PARTS = {"axpy": ("n", "n"), "gemv": ("mn", "n", "m"), "gemm": ("mm", "mn", "mn")}

pytestmark = pytest.mark.skipif(not ctypes.util.find_library("openblas"), reason="OpenBLAS is not installed")


def program(name):
    """A call for each row of arrays of two axes; `%step` is the step of vectors."""
    parts = PARTS[name]
    arrays = "xyz"[: len(parts)]
    arguments = ", ".join(f"%{a}: memref<?x?xf64>" for a in arrays)
    views = "\n".join(
        f"    %p{i} = memref.subview %{a}[%i, 0] [1, %size_{part}] [1, 1] : memref<?x?xf64> to {P}"
        for i, (a, part) in enumerate(zip(arrays, parts))
    )
    return f"""\
func.func private @cblas_d{name}{TYPES[name]}
func.func @main({arguments}, %rows: index, %size_m: index, %size_n: index, %step: i32) {{
  %m = arith.index_cast %size_m : index to i32
  %n = arith.index_cast %size_n : index to i32
  %size_mm = arith.muli %size_m, %size_m : index
  %size_mn = arith.muli %size_m, %size_n : index
  %row = arith.constant 101 : i32
  %plain = arith.constant 111 : i32
  %x0 = arith.constant 0.0 : f64
  %x1 = arith.constant 1.0 : f64
  affine.for %i = 0 to %rows {{
{views}
    func.call @cblas_d{name}({ARGUMENTS[name]}) : {TYPES[name]} -> ()
  }}
  return
}}
"""


def expect(name, arrays, m, n):
    if name == "axpy":
        return arrays[1] + arrays[0]
    if name == "gemv":
        return np.einsum("rij,rj->ri", arrays[0].reshape(-1, m, n), arrays[1])
    return (arrays[0].reshape(-1, m, m) @ arrays[1].reshape(-1, m, n)).reshape(len(arrays[0]), m * n)


def make(name, rows, m, n):
    rng = np.random.default_rng(7)
    sizes = {"m": m, "n": n, "mn": m * n, "mm": m * m}
    return [rng.standard_normal((rows, sizes[part])) for part in PARTS[name]]


@pytest.mark.parametrize("name", TYPES)
def test_parts_that_do_not_overlap(name):
    text = program(name)
    results = []
    for threads in (1, 2, 5):
        call = bl.compile(text, libraries=LIBRARY, threads=threads)
        for rows, m, n in ((64, 40, 50), (3, 1, 7), (0, 4, 4)):
            arrays = make(name, rows, m, n)
            expected = expect(name, [a.copy() for a in arrays], m, n)
            call(*arrays, rows, m, n, 1)
            np.testing.assert_allclose(arrays[-1], expected, rtol=1e-10, atol=1e-10)
            results.append(arrays[-1].tobytes())
    assert results[:3] == results[3:6] == results[6:]


@pytest.mark.parametrize("name", TYPES)
def test_the_first_failure_of_the_program_is_told(name):
    """Of parts that are outside, before anything is written; of a call, in its order."""
    outcomes = []
    for threads in (1, 5):
        call = bl.compile(program(name), name="p.mlir", libraries=LIBRARY, threads=threads)
        arrays = make(name, 64, 40, 50)
        before = arrays[-1].copy()
        with pytest.raises(bl.ShapeError, match="the view takes 1 elements of axis 0 of argument 'x' from 64 on"):
            call(*arrays, 70, 40, 50, 1)
        assert arrays[-1].tobytes() == before.tobytes()
        if name == "gemm":
            continue
        # Vectors with a step of 2 would need parts of twice the size.
        with pytest.raises(bl.ShapeError, match="is outside axis 0 of argument 'x' of 'cblas_d") as error:
            call(*arrays, 64, 40, 50, 2)
        outcomes.append((str(error.value), arrays[-1].tobytes()))
    assert len(set(outcomes)) <= 1


def test_parts_that_overlap_are_in_order():
    for threads in (1, 5):
        call = bl.compile(program("axpy"), libraries=LIBRARY, threads=threads)
        # Each row is added to the next one.
        memory = np.ones((601, 50))
        call(memory[:-1], memory[1:], 600, 1, 50, 1)
        assert memory[:, 7].tolist() == list(range(1, 602))
