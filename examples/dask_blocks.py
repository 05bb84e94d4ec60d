"""A softmax of each block of a Dask array, and the sums of its columns as a tree.

PYTHONPATH=build/python python examples/dask_blocks.py     needs dask[array]
"""

import broadloom as bl
import dask.array as da
import numpy as np


@bl.jit
def softmax(x):
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)


@bl.jit
def total(x):
    return np.sum(x, axis=0, keepdims=True)


x = da.random.random((100_000, 20), chunks=(10_000, 20)).astype("f4")
y = bl.dask.map_blocks(softmax, x)
print(y.chunks, y.dtype)
print(bl.dask.reduction(total, total, y, axis=0).compute().sum())

try:
    bl.dask.map_blocks(bl.jit(lambda x, y: x + y), x, da.zeros(19, dtype="f4"))
except bl.ShapeError as error:
    print(error)
