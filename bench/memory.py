"""Loop nests over memory beside the same nests in C and in Fortran: ten kernels, in the first
cache, in a later one and in memory, with extents of arguments and with extents in types.

C is compiled by clang 22 with -O3 -march=native -ffp-contract=off, and by the same with Polly; its arguments are
`restrict` and contiguous, and it has no checks. Fortran is compiled by gfortran, where that is installed, with the same
options and -fcheck=bounds. All are called from one loop in C, Broadloom's nests through the C API, in turn, on the
same arrays, which begin with a line of the cache; the shortest times count. Results are compared bit for bit, and
Polly's by a tolerance.

  PYTHONPATH=build/python python3 bench/memory.py [--only NAME] [--repeats N]

Prints a table: times, without a schedule and with --schedule=auto, Broadloom's by C's, by Polly's and by Fortran's, and two limits: what the bytes take that a
kernel has to move at least, at the rate of a loop that only moves as many bytes, and what its
operations take at the rate of a loop that only computes. Below it: what a call of
short nests takes, with and without checks in front of them, and from Python; and loops whose subscripts are data beside
the same in C without checks.
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
BUILD = Path(os.environ.get("BROADLOOM_BUILD", HERE.parent / "build"))
sys.path.append(str(HERE.parent / "test" / "nests"))

import broadloom as bl  # noqa: E402
import numpy as np  # noqa: E402
from data_subscripts import LOOPS  # noqa: E402
from nest_kernels import KERNELS  # noqa: E402
from nest_native import C_FLAGS, C, Fortran, Polly, library  # noqa: E402
from nest_text import write  # noqa: E402


def calls(least, duration=1e-3):
    """How many calls take a millisecond."""
    return max(1, int(duration / max(least, 1e-9)))


def shortest(call, count=1):
    """The time of one of so many calls from Python."""
    begin = time.perf_counter()
    for _ in range(count):
        call()
    return (time.perf_counter() - begin) / count


def compile_c(source, folder, *options):
    """The path of a source's library, which is made in the folder."""
    path = folder / f"{source.stem}.so"
    subprocess.run(["clang-22", *C_FLAGS, *options, "-shared", "-fPIC", source, "-o", path], check=True)
    return path


# BroadloomElementType of runtime/calls/Tensor.h.
TYPES = {"int64": 4, "float64": 14}


class NativeCall(ctypes.Structure):
    """`Native` of nest_calls.c."""

    _fields_ = [
        ("run", ctypes.c_void_p),
        ("size", ctypes.c_long),
        ("arrays", ctypes.c_void_p * 5),
        ("count", ctypes.c_int),
    ]


class Nests:
    """Calls of nests from a loop in C."""

    def __init__(self, folder):
        lib = BUILD / "lib"
        options = (f"-I{HERE.parent}", f"-I{BUILD}", f"-L{lib}", f"-Wl,-rpath,{lib}", "-lbroadloom")
        self.library = ctypes.CDLL(compile_c(HERE / "nest_calls.c", folder, *options))
        self.library.compileNest.restype = ctypes.c_void_p
        self.library.nestMessage.restype = ctypes.c_char_p
        self.library.timeNative.restype = self.library.timeCompiled.restype = ctypes.c_double

    def native(self, path, size, arrays):
        """The time in seconds of one of so many calls of `run` of a library, as a function of the number."""
        run = ctypes.CDLL(path).run
        addresses = (ctypes.c_void_p * 5)(*(a.ctypes.data for a in arrays))
        call = NativeCall(ctypes.cast(run, ctypes.c_void_p), size, addresses, len(arrays))

        def time_of(count):
            seconds = 1e-9 * self.library.timeNative(ctypes.byref(call), ctypes.c_long(count))
            return seconds if seconds >= 0 else sys.exit(f"{path} has failed")

        return time_of

    def compiled(self, text, size, arrays, schedule=None):
        """The same of a program of Broadloom, whose last argument is the size."""
        nest = ctypes.c_void_p(self.library.compileNest(text.encode(), schedule and schedule.encode()))
        fail = lambda: sys.exit(self.library.nestMessage(nest).decode())
        # The address of the size has to live as long as the calls.
        given = [*arrays, np.array(size)]
        for array in given:
            extents = (ctypes.c_int64 * array.ndim)(*array.shape)
            kind = TYPES[array.dtype.name]
            if self.library.bindArgument(nest, kind, array.ndim, extents, ctypes.c_void_p(array.ctypes.data)):
                fail()

        def time_of(count, given=given):
            seconds = 1e-9 * self.library.timeCompiled(nest, ctypes.c_long(count))
            return seconds if seconds >= 0 else fail()

        return time_of


class Limits:
    """The rates of this machine."""

    def __init__(self, folder):
        self.library = ctypes.CDLL(compile_c(HERE / "limits.c", folder))
        self.library.computeElements.restype = ctypes.c_double
        rounds = 200_000
        compute = lambda: self.library.computeElements(ctypes.c_long(rounds))
        self.operations_per_s = 2 * 64 * rounds / min(shortest(compute) for _ in range(5))

    def moving(self, elements):
        """The time that a loop takes which reads and writes so many elements in all."""
        memory = np.ones(max(elements // 2, 1))
        times = max(1, 10**6 // memory.size)
        call = lambda: self.library.moveElements(
            ctypes.c_void_p(memory.ctypes.data), ctypes.c_size_t(memory.size), ctypes.c_long(times)
        )
        return min(shortest(call) for _ in range(4)) / times

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


def callers(kernel, size, extent, folder, arrays, nests):
    """What times Broadloom's functions and the native ones, all on `arrays`; None for a compiler that is not there."""
    function = kernel.function(extent)
    found = []
    for language in ("", "auto", C(), Polly(), Fortran() if shutil.which("gfortran") else None):
        if isinstance(language, str):
            call = nests.compiled(write([function])[0], size, arrays, language or None)
        elif language is None:
            call = None
        else:
            name = f"{kernel.name}-{extent}-{type(language).__name__}"
            call = nests.native(library(language, function, folder, name), size, arrays)
        found.append(call)
    return found


def measure(kernel, size, extent, folder, repeats, nests):
    """The shortest times; None for a compiler that is not there."""
    start = kernel.arrays(size)
    arrays = [aligned(array) for array in start]
    found = callers(kernel, size, extent, folder, arrays, nests)

    def begin():
        """From the same values each time, so that numbers stay ordinary."""
        for array, values in zip(arrays, start):
            array[...] = values

    results = None
    for number, call in enumerate(found):
        if not call:
            continue
        begin()
        call(1)
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
                best[i] = min(best[i], call(calls(best[i])))
    return best


def of_calls(nests, repeats):
    """The shortest times of calls of two nests of one iteration: with extents in types, with extents of arguments,
    and this from Python."""
    kernel = KERNELS["gemm"]
    texts = [write([kernel.function(extent)])[0] for extent in (1, None)]
    one = [aligned(array) for array in kernel.arrays(1)]
    found = [nests.compiled(text, 1, one) for text in texts]
    function = bl.compile(texts[1])
    found.append(lambda count: shortest(lambda: function(*one, 1), count))
    best = [1e-7] * len(found)
    times = [[call(calls(least)) for call, least in zip(found, best)] for _ in range(repeats)]
    return map(min, zip(*times))


def of_data(nests, folder, repeats):
    """For each loop whose subscripts are data and each size, the shortest times of Broadloom and of C without
    checks."""
    for number, (name, sizes, text, source_text, make) in enumerate(LOOPS):
        source = folder / f"data{number}.c"
        source.write_text(source_text)
        path = compile_c(source, folder)
        for size in sizes:
            given, count = make(np.random.default_rng(0), size)
            arrays = [aligned(array) for array in given]
            found = [nests.compiled(text, count, arrays), nests.native(path, count, arrays)]
            results = []
            for call in found:
                arrays[-1][...] = 0
                call(1)
                results.append(arrays[-1].copy())
            if not np.array_equal(*results):
                sys.exit(f"{name}: the results differ")
            best = [1.0, 1.0]
            for _ in range(repeats):
                best = [min(least, call(calls(least))) for least, call in zip(best, found)]
            yield name, size, best


def spell(seconds):
    return "" if seconds is None else f"{1e6 * seconds:.1f} µs"


def ratio(ours, theirs):
    return "" if theirs is None else f"{ours / theirs:.2f}"


def mean(ratios):
    return f"{math.exp(sum(map(math.log, ratios)) / len(ratios)):.2f}"


class Report:
    """The table, and the ratios that it ends with."""

    TITLES = (
        "kernel | size | extents | Broadloom | scheduled | C | Polly | Fortran, checked"
        " | ÷ C | ÷ Polly | scheduled ÷ Polly | ÷ Fortran | bytes | operations"
    )

    def __init__(self):
        self.to_c, self.to_polly, self.to_fortran, self.scheduled_to_polly = [], [], [], []
        print(f"| {self.TITLES} |\n|{'---|' * 14}")

    def row(self, names, times, bounds):
        ours, scheduled, c, polly, fortran = times
        self.to_c.append(ours / c)
        self.to_polly.append(ours / polly)
        self.scheduled_to_polly.append(scheduled / polly)
        if fortran:
            self.to_fortran.append(ours / fortran)
        cells = [*names, *map(spell, times)]
        cells += [ratio(ours, c), ratio(ours, polly), ratio(scheduled, polly), ratio(ours, fortran)]
        cells += map(spell, bounds)
        print(f"| {' | '.join(map(str, cells))} |", flush=True)

    def end(self):
        if not self.to_c:
            return
        print(f"\nGeometric mean: {mean(self.to_c)} of C, {mean(self.to_polly)} of C with Polly", end="")
        print(f" ({mean(self.scheduled_to_polly)} with a schedule)", end="")
        print(f", {mean(self.to_fortran)} of Fortran" if self.to_fortran else "")


def print_rest(nests, folder, repeats):
    """What is no kernel."""
    typed, given, python = of_calls(nests, repeats)
    print(f"\nA call of two nests of one iteration: {1e9 * typed:.0f} ns with extents in types, ", end="")
    print(f"{1e9 * given:.0f} ns with extents of arguments, {1e9 * python:.0f} ns from Python")
    for name, size, (ours, theirs) in of_data(nests, folder, repeats):
        print(f"{name} of {size}: {spell(ours)}, {spell(theirs)} in C without checks, {ours / theirs:.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=KERNELS, help="one kernel")
    parser.add_argument("--repeats", type=int, default=10, help="turns of each, of which the shortest counts")
    parser.add_argument("--most", type=int, default=10**6, help="leave out larger sizes")
    options = parser.parse_args()
    if not shutil.which("gfortran"):
        print("gfortran is not installed: its columns are empty\n")
    report = Report()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        limits, nests = Limits(folder), Nests(folder)
        for kernel in [KERNELS[options.only]] if options.only else KERNELS.values():
            for size in kernel.sizes:
                bounds = limits.moving(kernel.elements(size)), limits.computing(kernel.operations(size))
                for extent in (None, size) if size <= options.most else ():
                    times = measure(kernel, size, extent, folder, options.repeats, nests)
                    report.row((kernel.name, size, "static" if extent else "dynamic"), times, bounds)
        report.end()
        if not options.only:
            print_rest(nests, folder, options.repeats)


if __name__ == "__main__":
    main()
