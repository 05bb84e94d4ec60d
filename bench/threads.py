"""How much faster loops over memory are on several threads, and whether they compute
the same bits: kernels of PolyBench as affine loops, the search of the MLIR Rationale,
and loops of calls of BLAS on parts of arrays, with OpenBLAS on one thread.

In each turn a kernel runs on one thread, on N threads, and on one thread in each of N
processes at the same time, in random order, in the same memory with the same contents.
Processes share nothing but the machine: its memory, its caches, its clock. What they
reach together is the limit of the machine for the kernel, and stands beside what the
threads reach. Each cell has the least and the median of all turns.

  python3 bench/threads.py [--threads N] [--runs N] [KERNEL ...]
"""

import argparse
import multiprocessing
import os
import random
import statistics
import sys
import time

# Each call of OpenBLAS stays on the thread that calls it.
os.environ["OPENBLAS_NUM_THREADS"] = "1"
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(os.environ.get("BROADLOOM_BUILD", os.path.join(ROOT, "build")), "python"))

import broadloom as bl  # noqa: E402
import numpy as np  # noqa: E402

M = "memref<?x?xf64>"


def product(a, b, c, names="ijk", tag=""):
    """c += a b, all of them square."""
    i, j, k = names
    return f"""
  affine.for %{i} = 0 to %n {{
    affine.for %{k} = 0 to %n {{
      affine.for %{j} = 0 to %n {{
        %x{tag} = affine.load %{a}[%{i}, %{k}] : {M}
        %y{tag} = affine.load %{b}[%{k}, %{j}] : {M}
        %z{tag} = affine.load %{c}[%{i}, %{j}] : {M}
        %p{tag} = arith.mulf %x{tag}, %y{tag} : f64
        %s{tag} = arith.addf %z{tag}, %p{tag} : f64
        affine.store %s{tag}, %{c}[%{i}, %{j}] : {M}
      }}
    }}
  }}"""


def function(arguments, body):
    return f"func.func @main({arguments}) {{{body}\n  return\n}}\n"


def memories(names, kind=M):
    return ", ".join(f"%{name}: {kind}" for name in names)


CUBE = "memref<?x?x?xf64>"
DOITGEN = f"""
  affine.for %r = 0 to %n {{
    affine.for %q = 0 to %n {{
      affine.for %p = 0 to %n {{
        %zero = arith.constant 0.0 : f64
        %t = affine.for %s = 0 to %n iter_args(%sum = %zero) -> f64 {{
          %x = affine.load %a[%r, %q, %s] : {CUBE}
          %y = affine.load %c[%s, %p] : {M}
          %m = arith.mulf %x, %y : f64
          %u = arith.addf %sum, %m : f64
          affine.yield %u : f64
        }}
        affine.store %t, %out[%r, %q, %p] : {CUBE}
      }}
    }}
  }}"""

CORRELATION = f"""
  affine.for %i = 0 to %n {{
    affine.for %j = affine_map<(i) -> (i)>(%i) to %n {{
      %zero = arith.constant 0.0 : f64
      %t = affine.for %k = 0 to %n iter_args(%sum = %zero) -> f64 {{
        %x = affine.load %a[%i, %k] : {M}
        %y = affine.load %a[%j, %k] : {M}
        %m = arith.mulf %x, %y : f64
        %u = arith.addf %sum, %m : f64
        affine.yield %u : f64
      }}
      affine.store %t, %c[%i, %j] : {M}
      affine.store %t, %c[%j, %i] : {M}
    }}
  }}"""


def squares(count):
    return lambda n, rng: [rng.random((n, n)) for _ in range(count)] + [n]


def cubes(n, rng):
    return [rng.random((n, n, n)), rng.random((n, n)), np.zeros((n, n, n)), n]


def rows_to_search(n, rng):
    table = rng.integers(0, 1000, (n, n)).astype(np.int32)
    return [table, np.full(n, -1, np.int32), 5000]


with open(os.path.join(ROOT, "examples", "rationale", "search.mlir"), encoding="utf-8") as file:
    SEARCH = file.read()

P = "memref<?xf64, strided<[1], offset: ?>>"
BLAS = {
    "axpy": f"(i32, f64, {P}, i32, {P}, i32)",
    "gemv": f"(i32, i32, i32, i32, f64, {P}, i32, {P}, i32, f64, {P}, i32)",
    "gemm": f"(i32, i32, i32, i32, i32, i32, f64, {P}, i32, {P}, i32, f64, {P}, i32)",
}
# What the calls get of %x, %y and %z, and the arguments.
CALLS = {
    "axpy": ("n n", "%size, %x1, %p0, %one, %p1, %one"),
    "gemv": ("nn n n", "%rows, %plain, %size, %size, %x1, %p0, %size, %p1, %one, %x0, %p2, %one"),
    "gemm": (
        "nn nn nn",
        "%rows, %plain, %plain, %size, %size, %size, %x1, %p0, %size, %p1, %size, %x0, %p2, %size",
    ),
}


def calls(name):
    """A call for each row of arrays of two axes."""
    parts, arguments = CALLS[name]
    views = "".join(
        f"""
    %p{i} = memref.subview %{"xyz"[i]}[%i, 0] [1, %{part}] [1, 1] : {M} to {P}"""
        for i, part in enumerate(parts.split())
    )
    return f"""func.func private @cblas_d{name}{BLAS[name]}
func.func @main({memories("xyz"[: len(parts.split())])}, %n: index) {{
  %c0 = arith.constant 0 : index
  %nn = arith.muli %n, %n : index
  %size = arith.index_cast %n : index to i32
  %rows = arith.constant 101 : i32
  %plain = arith.constant 111 : i32
  %one = arith.constant 1 : i32
  %x0 = arith.constant 0.0 : f64
  %x1 = arith.constant 1.0 : f64
  %count = memref.dim %x, %c0 : {M}
  affine.for %i = 0 to %count {{{views}
    func.call @cblas_d{name}({arguments}) : {BLAS[name]} -> ()
  }}
  return
}}
"""


def rows(count, parts):
    return lambda n, rng: [rng.random((count, n ** len(part))) for part in parts.split()] + [n]


# The program, the size, and the arguments of that size.
KERNELS = {
    "gemm": (function(memories("abc") + ", %n: index", product("a", "b", "c")), 512, squares(3)),
    "2mm": (
        function(memories("abtcd") + ", %n: index", product("a", "b", "t") + product("t", "c", "d", "uvw", "2")),
        400,
        squares(5),
    ),
    "doitgen": (function(f"%a: {CUBE}, %c: {M}, %out: {CUBE}, %n: index", DOITGEN), 100, cubes),
    "correlation": (function(memories("ac") + ", %n: index", CORRELATION), 500, squares(2)),
    "search": (SEARCH, 3000, rows_to_search),
    "axpy of parts": (calls("axpy"), 500, rows(4000, CALLS["axpy"][0])),
    "gemv of parts": (calls("gemv"), 64, rows(2000, CALLS["gemv"][0])),
    "gemm of parts": (calls("gemm"), 96, rows(64, CALLS["gemm"][0])),
}


class Kernel:
    """A compiled kernel with its arguments."""

    def __init__(self, name):
        text, self.size, make = KERNELS[name]
        program = bl.compile_program(text, libraries="libopenblas.so.0" if "@cblas" in text else [])
        self.call = program[next(iter(program))]
        self.arguments = make(self.size, np.random.default_rng(1))
        self.arrays = [a for a in self.arguments if isinstance(a, np.ndarray)]
        self.initial = [a.copy() for a in self.arrays]
        self.run(1)
        self.results = [a.copy() for a in self.arrays]

    def restore(self):
        for array, initial in zip(self.arrays, self.initial):
            np.copyto(array, initial)

    def run(self, threads):
        """The time of a call."""
        self.call.threads = threads
        begin = time.perf_counter()
        self.call(*self.arguments)
        return time.perf_counter() - begin

    def run_at(self, moment):
        """The time from a moment of the clock to the end of a call on one thread that
        begins then."""
        while time.perf_counter() < moment:
            pass
        self.run(1)
        return time.perf_counter() - moment

    def has_same_bits(self):
        return all(np.array_equal(a.view(np.uint8), b.view(np.uint8)) for a, b in zip(self.arrays, self.results))


def serve(name, connection):
    """A process that runs a kernel beside others: on True it makes its arguments ready,
    and then it runs at the moment that it is sent."""
    kernel = Kernel(name)
    connection.send(None)
    while connection.recv():
        kernel.restore()
        connection.send(None)
        connection.send(kernel.run_at(connection.recv()))


def run_beside(kernel, connections):
    """The time in which each process would run the kernel, if all were equally fast."""
    for connection in connections:
        connection.send(True)
    kernel.restore()
    for connection in connections:
        connection.recv()
    # No process learns of the moment after it.
    moment = time.perf_counter() + 1e-3
    for connection in connections:
        connection.send(moment)
    times = [kernel.run_at(moment)] + [connection.recv() for connection in connections]
    return len(times) / sum(1 / t for t in times)


def start_beside(name):
    connection, other = multiprocessing.Pipe()
    multiprocessing.get_context("spawn").Process(target=serve, args=(name, other), daemon=True).start()
    return connection


def measure(name, threads, runs):
    connections = [start_beside(name) for _ in range(threads - 1)]
    kernel = Kernel(name)
    for connection in connections:
        connection.recv()
    one, many, beside, same = [], [], [], True
    for _ in range(runs):
        # The scheduler gives more time to a thread that has slept in the run before.
        for times in random.sample([one, many, beside], 3):
            if times is beside:
                times.append(run_beside(kernel, connections))
                continue
            kernel.restore()
            times.append(kernel.run(1 if times is one else threads))
            same = same and kernel.has_same_bits()
    for connection in connections:
        connection.send(False)
    least, middle = ([of(times) for times in (one, many, beside)] for of in (min, statistics.median))
    cells = [f"{1e3 * a:.1f}, {1e3 * b:.1f}" for a, b in zip(least, middle)]
    cells.append(f"{least[0] / least[1]:.2f}, {middle[0] / middle[1]:.2f}")
    cells.append(f"{threads * least[0] / least[2]:.2f}, {threads * middle[0] / middle[2]:.2f}")
    bits = "the same bits" if same else "OTHER BITS"
    print("|", " | ".join([name, str(kernel.size), *cells, bits]), "|", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kernels", nargs="*", default=list(KERNELS), help="which kernels")
    parser.add_argument("--threads", type=int, default=2, help="compared with one")
    parser.add_argument("--runs", type=int, default=21, help="turns")
    options = parser.parse_args()
    count = options.threads
    print(f"| kernel | size | one thread, ms | {count} threads, ms | {count} processes, ms | faster | limit | |")
    print("|---|---|---|---|---|---|---|---|")
    for name in options.kernels:
        measure(name, options.threads, options.runs)


if __name__ == "__main__":
    main()
