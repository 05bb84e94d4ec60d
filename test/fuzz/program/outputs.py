"""Memory of the caller's that results go into."""

import numpy as np
from data import kindOf
from runner import Tensor


def freeMemory(data, buffer, dice):
    """Memory of the caller's for a result, filled, and where in it the elements go."""
    shape = data.shape
    gap = dice.choice([1, 1, 2, 3])
    order = list(range(len(shape)))
    if dice.random() < 0.3:
        dice.shuffle(order)
    strides, step = [0] * len(shape), gap
    for axis in reversed(order):
        strides[axis] = step
        step *= max(shape[axis], 1)
        if dice.random() < 0.2:
            step += gap
    offset = dice.choice([0, 0, 1, 5])
    raw = bytes([0xA5]) * ((step + offset + 3) * data.kind.dtype.itemsize)
    return raw, Tensor(data.kind.name, buffer, offset, shape, tuple(strides))


def keptAround(after, before, tensor):
    """Whether only the elements of `tensor` have changed."""
    size = len(after)
    item = kindOf(tensor.kind).dtype.itemsize
    mine = np.zeros(size // item, bool)
    index = np.full(tensor.extents, tensor.offset, np.int64)
    for axis, (extent, stride) in enumerate(zip(tensor.extents, tensor.strides)):
        steps = np.arange(extent) * stride
        index = index + steps.reshape([-1 if i == axis else 1 for i in range(len(tensor.extents))])
    mine[index.ravel()] = True
    others = np.repeat(~mine, item)
    a, b = np.frombuffer(after, np.uint8)[: len(others)], np.frombuffer(before, np.uint8)[: len(others)]
    return bool((a[others] == b[others]).all())
