"""Broadloom through its C API, every extent dynamic, timed in C."""

import ctypes
import os
import re
import tempfile

import numpy as np

import arrays as memory
import tosa
from peers import MOST_SAMPLES

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
LIBRARY = os.path.join(os.environ.get("BROADLOOM_BUILD", os.path.join(ROOT, "build")), "lib", "broadloom-bench-capi.so")
# BroadloomElementType of runtime/Tensor.h.
TYPES = {"f16": 11, "bf16": 12, "f32": 13}


class Peer:
    def __init__(self, threads, fresh, mode="dynamic"):
        self.mode, self.threads, self.fresh = mode, threads, fresh
        with open(os.path.join(ROOT, "CMakeLists.txt"), encoding="utf-8") as file:
            self.version = f"Broadloom {re.search(r'VERSION ([0-9.]+) LANG', file.read())[1]}"
        self.library = ctypes.CDLL(LIBRARY)
        self.library.benchOpen.restype = ctypes.c_void_p
        self.library.benchMessage.restype = ctypes.c_char_p
        self.library.benchResult.restype = ctypes.c_void_p
        self.library.benchSample.restype = ctypes.c_long

    def prepare(self, case, arrays):
        self.arrays, self.out = arrays, memory.empty(case.shape, case.dtype)
        message = ctypes.create_string_buffer(4096)
        with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
            file.write(tosa.program(case, self.mode))
            file.flush()
            self.bench = self.library.benchOpen(file.name.encode(), self.threads, message, len(message))
        if not self.bench:
            raise ValueError(message.value.decode())
        self.bench = ctypes.c_void_p(self.bench)
        for spec, array in zip(case.inputs, arrays):
            self._bind(0, memory.view(spec, array), spec.dtype)
        if self.fresh:
            self._check(self.library.benchBind(self.bench, 1, 0, 0, None, None, None))
        else:
            self._bind(1, self.out, case.dtype)
        self._check(self.library.benchCall(self.bench))

    def _bind(self, isResult, array, dtype):
        dims = ctypes.c_int64 * array.ndim
        strides = [s // array.itemsize for s in array.strides]
        self._check(self.library.benchBind(self.bench, isResult, TYPES[dtype], array.ndim, dims(*array.shape),
                                           dims(*strides), ctypes.c_void_p(array.ctypes.data)))

    def _check(self, status):
        if status:
            raise RuntimeError(f"status {status}: {self.library.benchMessage(self.bench).decode()}")

    def sample(self, seconds):
        samples = np.empty(MOST_SAMPLES)
        count = self.library.benchSample(self.bench, ctypes.c_double(seconds), ctypes.c_void_p(samples.ctypes.data),
                                         ctypes.c_long(MOST_SAMPLES))
        self._check(max(0, -count))
        return samples[:count].tolist()

    def result(self):
        if self.fresh:
            ctypes.memmove(self.out.ctypes.data, self.library.benchResult(self.bench), self.out.nbytes)
        return self.out

    def release(self):
        if getattr(self, "bench", None):
            self.library.benchClose(self.bench)
        self.bench = self.arrays = self.out = None
