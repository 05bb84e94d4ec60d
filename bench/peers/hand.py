"""Loops written by hand in C (hand.c), compiled for the host; also the limits of
the machine: what a copy takes, and what moving a case's bytes takes."""

import ctypes
import os
import subprocess

import arrays as memory
import numpy as np

from peers import MOST_SAMPLES, Unsupported

HERE = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
CLANG = "/usr/lib/llvm-22/bin/clang"


def _build():
    target = os.path.join(os.path.dirname(HERE), "build", "lib", "bench-hand.so")
    sources = [os.path.join(HERE, name) for name in ("hand.c", "timing.h")]
    if not os.path.exists(target) or os.path.getmtime(target) < max(map(os.path.getmtime, sources)):
        part = f"{target}.{os.getpid()}"
        subprocess.run(
            [
                CLANG,
                "-O3",
                "-march=native",
                "-ffp-contract=fast",
                "-shared",
                "-fPIC",
                "-pthread",
                "-o",
                part,
                sources[0],
            ],
            check=True,
        )
        os.replace(part, target)
    return ctypes.CDLL(target)


class Peer:
    def __init__(self, threads, fresh):
        self.threads, self.library = threads, _build()
        self.library.handSample.restype = ctypes.c_long
        self.library.handClock.restype = ctypes.c_double
        compiler = subprocess.run([CLANG, "--version"], capture_output=True, text=True, check=True).stdout
        self.version = compiler.splitlines()[0].split(" (")[0]

    def prepare(self, case, arrays):
        self.case, self.arrays = case, arrays
        self.out = memory.empty(case.shape, case.dtype)
        # Whichever stores are faster, and stay with them.
        self.stream = 0
        if case.hand:
            self.stream = min((0, 1), key=lambda s: min(self._sample(case.hand, arrays, self.out, case.shape, s, 0.03)))

    def _sample(self, kernel, inputs, out, shape, stream, seconds):
        pointers = (ctypes.c_void_p * 5)(*(a.ctypes.data for a in inputs[:5]))
        samples = np.empty(MOST_SAMPLES)
        count = self.library.handSample(
            kernel.encode(),
            pointers,
            ctypes.c_long(len(inputs)),
            ctypes.c_void_p(out.ctypes.data),
            ctypes.c_long(shape[0]),
            ctypes.c_long(shape[1]),
            self.threads,
            stream,
            ctypes.c_double(seconds),
            ctypes.c_void_p(samples.ctypes.data),
            ctypes.c_long(MOST_SAMPLES),
        )
        if count < 0:
            raise RuntimeError(f"no kernel {kernel}, or no thread")
        return samples[:count].tolist()

    def sample(self, seconds):
        if not self.case.hand:
            raise Unsupported("not written by hand")
        return self._sample(self.case.hand, self.arrays, self.out, self.case.shape, self.stream, seconds)

    def limits(self, seconds):
        """{copy: ns to copy the result's bytes, move: ns to move the case's}."""
        streams = min(4, round(self.case.bytes / self.case.resultBytes) - 1)
        # Whole vectors, at least one; sizes are scaled to the case's.
        floats = max(self.case.bytes // (streams + 1) // 4 // 1024, 1) * 1024
        shape = (floats // 1024, 1024)
        source, target = memory.empty(shape, "f32", 1), memory.empty(shape, "f32")
        copy = min(self._sample("copy", [source], target, shape, 0, seconds))
        inputs = [source] + [memory.empty(shape, "f32", 2 + i) for i in range(streams - 1)] if streams else []
        move = min(min(self._sample("move", inputs, target, shape, stream, seconds)) for stream in (0, 1))
        return {"copy": copy, "move": move, "moveBytes": (streams + 1) * floats * 4, "copyBytes": floats * 4}

    def clock(self):
        return self.library.handClock()

    def result(self):
        return self.out

    def release(self):
        self.arrays = self.out = None
