"""Loop nests over memory beside the same nests in C: five kernels, in and out of
cache, with extents of arguments and with extents in types. C is compiled by
clang 22 with -O3 -march=native -ffp-contract=off, arguments are `restrict` and
contiguous. Both are called from Python, in turn; the shortest times count.
Results are compared bit for bit.

  PYTHONPATH=build/python python3 bench/memory.py [--only NAME] [--repeats N]

Prints a table: the times in microseconds, and Broadloom's by C's.
"""

import argparse
import ctypes
import os
import subprocess
import sys
import tempfile
import time

os.environ.setdefault("BROADLOOM_CACHE", "0")

import broadloom as bl
import numpy as np

# "M" is a matrix of N x N, "V" a vector of N. In programs, `N` is the extent.
KERNELS = {
    "gemm": (
        "MMM",
        """
affine.for %i = 0 to N {
  affine.for %k = 0 to N {
    affine.for %j = 0 to N {
      %x = affine.load %a0[%i, %k] : M
      %y = affine.load %a1[%k, %j] : M
      %z = affine.load %a2[%i, %j] : M
      %p = arith.mulf %x, %y : f64
      %s = arith.addf %z, %p : f64
      affine.store %s, %a2[%i, %j] : M
    }
  }
}""",
        (
            "for (long i = 0; i < N; ++i) for (long k = 0; k < N; ++k) for (long j = 0; j < N; ++j)"
            " a2[i][j] = a2[i][j] + a0[i][k] * a1[k][j];"
        ),
        (64, 256, 800),
    ),
    "atax": (
        "MVVV",
        """
affine.for %i = 0 to N {
  affine.store %zero, %a3[%i] : V
  affine.for %j = 0 to N {
    %t = affine.load %a3[%i] : V
    %x = affine.load %a0[%i, %j] : M
    %y = affine.load %a1[%j] : V
    %p = arith.mulf %x, %y : f64
    %s = arith.addf %t, %p : f64
    affine.store %s, %a3[%i] : V
  }
  affine.for %j = 0 to N {
    %t = affine.load %a2[%j] : V
    %x = affine.load %a0[%i, %j] : M
    %y = affine.load %a3[%i] : V
    %p = arith.mulf %x, %y : f64
    %s = arith.addf %t, %p : f64
    affine.store %s, %a2[%j] : V
  }
}""",
        (
            "for (long i = 0; i < N; ++i) { a3[i] = 0;"
            " for (long j = 0; j < N; ++j) a3[i] = a3[i] + a0[i][j] * a1[j];"
            " for (long j = 0; j < N; ++j) a2[j] = a2[j] + a0[i][j] * a3[i]; }"
        ),
        (100, 500, 2000),
    ),
    "jacobi-2d": (
        "MM",
        """
affine.for %i = 1 to N - 1 {
  affine.for %j = 1 to N - 1 {
    %c = affine.load %a0[%i, %j] : M
    %w = affine.load %a0[%i, %j - 1] : M
    %e = affine.load %a0[%i, %j + 1] : M
    %n = affine.load %a0[%i - 1, %j] : M
    %s = affine.load %a0[%i + 1, %j] : M
    %0 = arith.addf %c, %w : f64
    %1 = arith.addf %0, %e : f64
    %2 = arith.addf %1, %n : f64
    %3 = arith.addf %2, %s : f64
    %4 = arith.mulf %3, %fifth : f64
    affine.store %4, %a1[%i, %j] : M
  }
}""",
        (
            "for (long i = 1; i < N - 1; ++i) for (long j = 1; j < N - 1; ++j)"
            " a1[i][j] = (a0[i][j] + a0[i][j - 1] + a0[i][j + 1] + a0[i - 1][j] + a0[i + 1][j]) * 0.2;"
        ),
        (60, 250, 2000),
    ),
    "floyd-warshall": (
        "M",
        """
affine.for %k = 0 to N {
  affine.for %i = 0 to N {
    affine.for %j = 0 to N {
      %x = affine.load %a0[%i, %j] : M
      %y = affine.load %a0[%i, %k] : M
      %z = affine.load %a0[%k, %j] : M
      %s = arith.addf %y, %z : f64
      %less = arith.cmpf olt, %x, %s : f64
      %least = arith.select %less, %x, %s : f64
      affine.store %least, %a0[%i, %j] : M
    }
  }
}""",
        (
            "for (long k = 0; k < N; ++k) for (long i = 0; i < N; ++i) for (long j = 0; j < N; ++j) {"
            " double s = a0[i][k] + a0[k][j]; a0[i][j] = a0[i][j] < s ? a0[i][j] : s; }"
        ),
        (60, 200, 500),
    ),
}
# The stencil of jacobi-2d in place: each element is computed of new ones.
_, nest, c_nest, sizes = KERNELS["jacobi-2d"]
KERNELS["seidel-2d"] = ("M", nest.replace("%a1", "%a0"), c_nest.replace("a1", "a0"), sizes)


def program(kinds, nest, extent):
    """The text in MLIR; `extent` is None for extents that calls choose."""
    size = "?" if extent is None else str(extent)
    types = {"M": f"memref<{size}x{size}xf64>", "V": f"memref<{size}xf64>"}
    arguments = ", ".join(f"%a{i}: {types[kind]}" for i, kind in enumerate(kinds))
    for kind, text in types.items():
        nest = nest.replace(f": {kind}\n", f": {text}\n")
    # %size is the extent of the first argument.
    nest = nest.replace("to N - 1", "to affine_map<()[s] -> (s - 1)>()[%size]").replace("to N ", "to %size ")
    return f"""func.func @main({arguments}, %size: index) {{
%zero = arith.constant 0.0 : f64
%fifth = arith.constant 0.2 : f64
{nest if extent is None else nest.replace("()[%size]", "()[%known]").replace("to %size ", "to %known ")}
return
}}""".replace("%fifth = ", f"%known = arith.constant {extent or 0} : index\n%fifth = ", 1)


def compile_c(folder, name, kinds, nest, extent):
    path = os.path.join(folder, f"{name}-{extent}.c")
    types = {"M": "double (*restrict a{})[N]", "V": "double *restrict a{}"}
    arguments = ", ".join(types[kind].format(i) for i, kind in enumerate(kinds))
    size = "long N" if extent is None else "long size"
    with open(path, "w", encoding="utf-8") as file:
        if extent is not None:
            file.write(f"#define N {extent}L\n")
        file.write(f"void run({size}, {arguments}) {{ {nest} }}\n")
    library = path + ".so"
    flags = ["-O3", "-march=native", "-ffp-contract=off", "-shared", "-fPIC"]
    subprocess.run(["clang-22", *flags, path, "-o", library], check=True)
    return ctypes.CDLL(library).run


def shortest(call, least):
    """The time of one of as many calls as take a millisecond."""
    count = max(1, int(1e-3 / max(least, 1e-9)))
    begin = time.perf_counter()
    for _ in range(count):
        call()
    return (time.perf_counter() - begin) / count


def measure(name, size, extent, folder, repeats):
    kinds, nest, c_nest, _sizes = KERNELS[name]
    compiled = bl.compile(program(kinds, nest, extent))
    run = compile_c(folder, name, kinds, c_nest, extent)
    make = np.random.default_rng(0)
    values = [make.random((size, size) if kind == "M" else size) / size for kind in kinds]
    ours, theirs = [v.copy() for v in values], [v.copy() for v in values]
    arguments = [ctypes.c_long(size), *(ctypes.c_void_p(v.ctypes.data) for v in theirs)]
    compiled(*ours, size)
    run(*arguments)
    if not all(np.array_equal(a, b) for a, b in zip(ours, theirs)):
        sys.exit(f"{name} {size}: the results differ")
    best = [1.0, 1.0]
    for _ in range(repeats):
        # From the same values, so that numbers stay ordinary.
        for to in (ours, theirs):
            for array, value in zip(to, values):
                array[...] = value
        best[0] = min(best[0], shortest(lambda: compiled(*ours, size), best[0]))
        best[1] = min(best[1], shortest(lambda: run(*arguments), best[1]))
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=KERNELS, help="one kernel")
    parser.add_argument("--repeats", type=int, default=10, help="turns of each, of which the shortest counts")
    parser.add_argument("--most", type=int, default=10**6, help="leave out larger sizes")
    options = parser.parse_args()
    print("| kernel | size | extents | Broadloom | C | Broadloom ÷ C |\n|---|---|---|---|---|---|")
    ratios = []
    with tempfile.TemporaryDirectory() as folder:
        for name in [options.only] if options.only else KERNELS:
            for size in KERNELS[name][3]:
                for extent in (None, size) if size <= options.most else ():
                    ours, theirs = measure(name, size, extent, folder, options.repeats)
                    ratios.append(ours / theirs)
                    kind = "static" if extent else "dynamic"
                    print(
                        f"| {name} | {size} | {kind} | {1e6 * ours:.1f} µs | {1e6 * theirs:.1f} µs"
                        f" | {ratios[-1]:.2f} |",
                        flush=True,
                    )
    print(f"\nGeometric mean: {np.exp(np.mean(np.log(ratios))):.2f}")


if __name__ == "__main__":
    main()
