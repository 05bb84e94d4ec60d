"""Arrays as every system gets them: at a cache line, on huge pages, warm.

Above 64 KiB an array has a huge page of its own, or several: with small pages
it is chance which parts of two arrays meet in one set of the second-level
cache, and it differs by as much as a fifth from process to process.
"""

import mmap

import ml_dtypes
import numpy as np

DTYPES = {"f32": np.dtype(np.float32), "f16": np.dtype(np.float16), "bf16": np.dtype(ml_dtypes.bfloat16)}
BLOCK = 1000003
HUGE, LARGE, LINE = 2 << 20, 64 << 10, 64


def empty(shape, dtype, order=0):
    """Zeros. `order` sets arrays that are used together a few cache lines
    apart, as any allocator does; 0 is for results."""
    dtype = DTYPES[dtype]
    size = int(np.prod(shape)) * dtype.itemsize
    shift = 5 * LINE * order
    if size >= LARGE:
        memory = mmap.mmap(-1, (size + shift + 2 * HUGE) // HUGE * HUGE)
        memory.madvise(mmap.MADV_HUGEPAGE)
        buffer, unit = np.frombuffer(memory, np.uint8), HUGE
    else:
        buffer, unit = np.empty(size + shift + LINE, np.uint8), LINE
    start = -buffer.ctypes.data % unit + shift
    array = buffer[start : start + size].view(dtype).reshape(shape)
    array[...] = 0
    return array


def make(case):
    """The case's operands, the same in every process."""
    random = np.random.default_rng(0)
    arrays = []
    for i, spec in enumerate(case.inputs):
        array = empty(spec.shape, spec.dtype, i + 1)
        if spec.kind == "inverse":
            array[...] = 1 / case.space[-1]
        else:
            # A block over and over: of a length that no extent has, and soon made.
            values = np.resize(random.standard_normal(BLOCK, np.float32), spec.shape)
            array[...] = np.abs(values) + 0.5 if spec.kind == "positive" else values
        arrays.append(array)
    return arrays


def view(spec, array):
    """The operand as a program that reads any strides gets it."""
    return array.T if spec.transposed else array
