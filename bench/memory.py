"""Loop nests over memory beside the same nests in C and in Fortran: ten kernels, in the first
cache, in a later one and in memory, with extents of arguments and with extents in types.

C is compiled by clang 22 with -O3 -march=native -ffp-contract=off, and by the same with Polly; its arguments are
`restrict` and contiguous, and it has no checks. Fortran is compiled by gfortran, where that is installed, with the same
options and -fcheck=bounds. All are called from Python, in turn, on the same arrays, which begin
with a line of the cache; the shortest times count. Results are compared bit for bit, and Polly's by a tolerance.

  PYTHONPATH=build/python python3 bench/memory.py [--only NAME] [--repeats N]

Prints a table: times, without a schedule and with --schedule=auto, Broadloom's by C's, by Polly's and by Fortran's, and two limits: what the bytes take that a
kernel has to move at least, at the rate of a loop that only moves as many bytes, and what its
operations take at the rate of a loop that only computes.
"""

import argparse
import ctypes
import math
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

os.environ.setdefault("BROADLOOM_CACHE", "0")
HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "test" / "nests"))

import broadloom as bl  # noqa: E402
import numpy as np  # noqa: E402
from nest_kernels import KERNELS  # noqa: E402
from nest_native import C_FLAGS, C, Fortran, Polly, library  # noqa: E402
from nest_text import write  # noqa: E402


def shortest(call, least, duration=1e-3):
    """The time of one of as many calls as take a millisecond."""
    count = max(1, int(duration / max(least, 1e-9)))
    begin = time.perf_counter()
    for _ in range(count):
        call()
    return (time.perf_counter() - begin) / count


class Limits:
    """The rates of this machine."""

    def __init__(self, folder):
        path = folder / "limits.so"
        source = HERE / "limits.c"
        subprocess.run(["clang-22", *C_FLAGS, "-shared", "-fPIC", source, "-o", path], check=True)
        self.library = ctypes.CDLL(path)
        self.library.computeElements.restype = ctypes.c_double
        rounds = 200_000
        compute = lambda: self.library.computeElements(ctypes.c_long(rounds))
        self.operations_per_s = 2 * 64 * rounds / min(shortest(compute, 1) for _ in range(5))

    def moving(self, elements):
        """The time that a loop takes which reads and writes so many elements in all."""
        memory = np.ones(max(elements // 2, 1))
        times = max(1, 10**6 // memory.size)
        call = lambda: self.library.moveElements(
            ctypes.c_void_p(memory.ctypes.data), ctypes.c_size_t(memory.size), ctypes.c_long(times)
        )
        return min(shortest(call, 1) for _ in range(4)) / times

    def computing(self, operations):
        return operations / self.operations_per_s


# The number of Polly's function.
POLLY = 3


def aligned(array):
    """A copy that begins with a line of the cache."""
    line = 64
    memory = np.empty(array.nbytes + line, np.uint8)
    skip = -memory.ctypes.data % line
    copy = memory[skip : skip + array.nbytes].view(array.dtype).reshape(array.shape)
    copy[...] = array
    return copy


def callers(kernel, size, extent, folder, arrays):
    """Broadloom's functions and the native ones, all on `arrays`."""
    function = kernel.function(extent)
    found = []
    for language in ("", "auto", C(), Polly(), Fortran() if shutil.which("gfortran") else None):
        if isinstance(language, str):
            compiled = bl.compile(write([function])[0], schedule=language or None)
            call = lambda compiled=compiled: compiled(*arrays, size)
        elif language is None:
            call = None
        else:
            name = f"{kernel.name}-{extent}-{type(language).__name__}"
            run = ctypes.CDLL(library(language, function, folder, name)).run
            arguments = [ctypes.c_long(size), *(ctypes.c_void_p(a.ctypes.data) for a in arrays)]
            call = lambda run=run, arguments=arguments: run(*arguments)
        found.append(call)
    return found


def measure(kernel, size, extent, folder, repeats):
    """The shortest times; None for a compiler that is not there."""
    start = kernel.arrays(size)
    arrays = [aligned(array) for array in start]
    found = callers(kernel, size, extent, folder, arrays)

    def begin():
        """From the same values each time, so that numbers stay ordinary."""
        for array, values in zip(arrays, start):
            array[...] = values

    results = None
    for number, call in enumerate(found):
        if not call:
            continue
        begin()
        call()
        # Polly may add products in another order.
        equals = np.allclose if number == POLLY else np.array_equal
        results = results or [array.copy() for array in arrays]
        if not all(map(equals, arrays, results)):
            sys.exit(f"{kernel.name} {size}: the results differ")
    best = [1.0 if call else None for call in found]
    for _ in range(repeats):
        for i, call in enumerate(found):
            if call:
                begin()
                best[i] = min(best[i], shortest(call, best[i]))
    return best


def spell(seconds):
    return "" if seconds is None else f"{1e6 * seconds:.1f} µs"


def ratio(ours, theirs):
    return "" if theirs is None else f"{ours / theirs:.2f}"


def mean(ratios):
    return f"{math.exp(sum(map(math.log, ratios)) / len(ratios)):.2f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=KERNELS, help="one kernel")
    parser.add_argument("--repeats", type=int, default=10, help="turns of each, of which the shortest counts")
    parser.add_argument("--most", type=int, default=10**6, help="leave out larger sizes")
    options = parser.parse_args()
    if not shutil.which("gfortran"):
        print("gfortran is not installed: its columns are empty\n")
    titles = "kernel | size | extents | Broadloom | scheduled | C | Polly | Fortran, checked"
    titles += " | ÷ C | ÷ Polly | scheduled ÷ Polly | ÷ Fortran | bytes | operations"
    print(f"| {titles} |\n|{'---|' * 14}")
    to_c, to_polly, to_fortran, scheduled_to_polly = [], [], [], []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        limits = Limits(folder)
        for kernel in [KERNELS[options.only]] if options.only else KERNELS.values():
            for size in kernel.sizes:
                moving, computing = limits.moving(kernel.elements(size)), limits.computing(kernel.operations(size))
                for extent in (None, size) if size <= options.most else ():
                    ours, scheduled, c, polly, fortran = measure(kernel, size, extent, folder, options.repeats)
                    to_c.append(ours / c)
                    to_polly.append(ours / polly)
                    scheduled_to_polly.append(scheduled / polly)
                    if fortran:
                        to_fortran.append(ours / fortran)
                    cells = [kernel.name, size, "static" if extent else "dynamic"]
                    cells += map(spell, (ours, scheduled, c, polly, fortran))
                    cells += [ratio(ours, c), ratio(ours, polly), ratio(scheduled, polly), ratio(ours, fortran)]
                    cells += [spell(moving), spell(computing)]
                    print(f"| {' | '.join(map(str, cells))} |", flush=True)
    print(f"\nGeometric mean: {mean(to_c)} of C, {mean(to_polly)} of C with Polly", end="")
    print(f" ({mean(scheduled_to_polly)} with a schedule)", end="")
    print(f", {mean(to_fortran)} of Fortran" if to_fortran else "")


if __name__ == "__main__":
    main()
