"""Broadloom through its C API, every extent dynamic, timed in C; and the same
program with static types beside it."""

import ctypes
import os
import re
import statistics
import tempfile

import arrays as memory
import numpy as np
import tosa_text

from peers import MOST_SAMPLES

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
LIBRARY = os.path.join(os.environ.get("BROADLOOM_BUILD", os.path.join(ROOT, "build")), "lib", "broadloom-bench-capi.so")
# BroadloomElementType of runtime/calls/Tensor.h.
TYPES = {"f16": 11, "bf16": 12, "f32": 13}


class Peer:
    def __init__(self, threads, fresh):
        self.threads, self.fresh = threads, fresh
        with open(os.path.join(ROOT, "CMakeLists.txt"), encoding="utf-8") as file:
            self.version = f"Broadloom {re.search(r'VERSION ([0-9.]+) LANG', file.read())[1]}"
        self.library = ctypes.CDLL(LIBRARY)
        self.library.benchOpen.restype = ctypes.c_void_p
        self.library.benchMessage.restype = ctypes.c_char_p
        self.library.benchResult.restype = ctypes.c_void_p
        self.library.benchSample.restype = ctypes.c_long
        self.library.benchSamplePairs.restype = ctypes.c_long

    def prepare(self, case, arrays):
        self.case, self.arrays, self.out = case, arrays, memory.empty(case.shape, case.dtype)
        self.bench = self._open("dynamic")

    def _open(self, mode):
        """The program in this mode, on the case's operands and result."""
        message = ctypes.create_string_buffer(4096)
        with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
            file.write(tosa_text.program(self.case, mode))
            file.flush()
            bench = self.library.benchOpen(file.name.encode(), self.threads, message, len(message))
        if not bench:
            raise ValueError(message.value.decode())
        bench = ctypes.c_void_p(bench)
        for spec, array in zip(self.case.inputs, self.arrays):
            self._bind(bench, 0, memory.view(spec, array), spec.dtype)
        if self.fresh:
            self._check(bench, self.library.benchBind(bench, 1, 0, 0, None, None, None))
        else:
            self._bind(bench, 1, self.out, self.case.dtype)
        self._check(bench, self.library.benchCall(bench))
        return bench

    def _bind(self, bench, isResult, array, dtype):
        dims = ctypes.c_int64 * array.ndim
        strides = [s // array.itemsize for s in array.strides]
        self._check(
            bench,
            self.library.benchBind(
                bench,
                isResult,
                TYPES[dtype],
                array.ndim,
                dims(*array.shape),
                dims(*strides),
                ctypes.c_void_p(array.ctypes.data),
            ),
        )

    def _check(self, bench, status):
        if status:
            raise RuntimeError(f"status {status}: {self.library.benchMessage(bench).decode()}")

    def sample(self, seconds):
        samples = np.empty(MOST_SAMPLES)
        count = self.library.benchSample(
            self.bench, ctypes.c_double(seconds), ctypes.c_void_p(samples.ctypes.data), ctypes.c_long(MOST_SAMPLES)
        )
        self._check(self.bench, max(0, -count))
        return samples[:count].tolist()

    def compare(self, seconds):
        """Measures what `?` costs: {ratio: the median over turns of dynamic by static, low
        and high: the ends of its 95 % confidence interval, turns}. Both write
        to the same memory, and the same bits."""
        static = self._open("static")
        try:
            told = self.out.tobytes()
            self.out.view(np.uint8)[...] = 0xA5
            self._check(self.bench, self.library.benchCall(self.bench))
            if self.out.tobytes() != told:
                raise ValueError("static and dynamic types give different results")
            samples = np.empty(2 * MOST_SAMPLES)
            count = self.library.benchSamplePairs(
                self.bench,
                static,
                ctypes.c_double(seconds),
                ctypes.c_void_p(samples.ctypes.data),
                ctypes.c_long(MOST_SAMPLES),
            )
            self._check(self.bench, max(0, -count))
        finally:
            self.library.benchClose(static)
        ratios = sorted(samples[: 2 * count : 2] / samples[1 : 2 * count : 2])
        # Of the median by ranks: each ratio is above it or below with equal chance.
        rank = max(0, int(count / 2 - 0.98 * count**0.5))
        return {"ratio": statistics.median(ratios), "low": ratios[rank], "high": ratios[-1 - rank], "turns": count}

    def result(self):
        if self.fresh:
            ctypes.memmove(self.out.ctypes.data, self.library.benchResult(self.bench), self.out.nbytes)
        return self.out

    def release(self):
        if getattr(self, "bench", None):
            self.library.benchClose(self.bench)
        self.bench = self.arrays = self.out = None
