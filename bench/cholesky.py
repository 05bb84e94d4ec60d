#!/usr/bin/env python3
"""The Cholesky factor of a packed triangle (examples/rationale/cholesky.mlir) beside OpenBLAS.

  python3 bench/cholesky.py [--rows 2000] [--runs 10] [--library libopenblas.so.0]

Prints the least time of alternating runs on one thread: of the example, of `dpptrf`, which works on
the same memory, and of `dpotrf`, which works on the dense matrix, and how far the results are apart.
"""

import argparse
import ctypes
import os
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(os.environ.get("BROADLOOM_BUILD", os.path.join(ROOT, "build")), "python"))

import broadloom  # noqa: E402
import numpy as np  # noqa: E402

EXAMPLE = os.path.join(ROOT, "examples", "rationale", "cholesky.mlir")


def factor(library, name, array, rows, *more):
    """Calls a factorisation of LAPACK in place."""
    info, order = ctypes.c_int(), ctypes.c_int(rows)
    getattr(library, name)(
        b"U", ctypes.byref(order), ctypes.c_void_p(array.ctypes.data), *map(ctypes.byref, more), ctypes.byref(info)
    )
    if info.value:
        raise SystemExit(f"{name} fails with {info.value}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=2000)
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--library", default="libopenblas.so.0")
    options = parser.parse_args()
    rows = options.rows
    library = ctypes.CDLL(options.library)
    library.openblas_set_num_threads(1)
    example = broadloom.compile(EXAMPLE, threads=1)
    root = np.tril(np.random.default_rng(0).random((rows, rows))) + rows * np.eye(rows)
    dense = root @ root.T
    packed = dense[np.tril_indices(rows)]
    least = {}

    def run(name, array, call):
        start = time.perf_counter()
        call(array)
        least[name] = min(least.get(name, np.inf), time.perf_counter() - start)
        return array

    for _ in range(options.runs):
        ours = run("broadloom", packed.copy(), example)
        theirs = run("dpptrf", packed.copy(), lambda array: factor(library, "dpptrf_", array, rows))
        run("dpotrf", dense.copy(), lambda array: factor(library, "dpotrf_", array, rows, ctypes.c_int(rows)))
    print(f"{rows} rows, least of {options.runs} runs; results differ by {abs(ours - theirs).max() / rows:.1e}")
    for name, seconds in least.items():
        print(f"{name:10} {seconds:.4f} s  {seconds / least['broadloom']:.2f} of broadloom")


if __name__ == "__main__":
    main()
