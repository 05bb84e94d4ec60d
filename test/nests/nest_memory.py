"""Memory for calls: pages between others that nobody may touch, and arrays that lie on
them in several layouts. A read or write past the end of the pages ends the process; one
that misses the array and stays on the pages shows when pages are compared."""

import ctypes
import math
import mmap

import numpy as np

PAGE = mmap.PAGESIZE
# As far as accesses of small nests go.
FENCE = 16 * PAGE
SIZE = 2 * PAGE
LAYOUTS = ("columns", "backwards", "spread", "rows")


class Pages:
    """The memory that one or several arguments of a call share."""

    def __init__(self):
        self.mapping = mmap.mmap(-1, 2 * FENCE + SIZE)
        self.bytes = np.frombuffer(self.mapping, np.uint8)[FENCE : FENCE + SIZE]
        start = self.bytes.ctypes.data
        protect = ctypes.CDLL(None, use_errno=True).mprotect
        protect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
        for address, size in ((start - FENCE, FENCE), (start + SIZE, FENCE)):
            if protect(address, size, 0) != 0:
                raise OSError(ctypes.get_errno(), "mprotect")


def lay(pages, shape, dtype, layout="rows", at="end"):
    """An array on pages, which begins where they begin or ends where they end."""
    count = math.prod(shape)
    size = (2 * count if layout == "spread" else count) * np.dtype(dtype).itemsize
    part = (pages[len(pages) - size :] if at == "end" else pages[:size]).view(dtype)
    if layout == "columns":
        return part.reshape(shape[::-1]).T
    if layout == "backwards":
        return part[::-1].reshape(shape)
    if layout == "spread":
        # The elements between are those of nobody.
        return part.reshape(*shape, 2)[..., 1 if at == "end" else 0]
    return part.reshape(shape)
