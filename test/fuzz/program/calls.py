"""Calls of a program: its first one, and more with other extents, data, strides
and shared memory."""

import random

import numpy as np
from arrays import arrayOf
from data import exact
from runner import Tensor

# Numbers that are arguments: what is in range, at its ends, and where 64 bits end.
INDICES = (0, 0, 1, 1, 2, 3, -1, -2, 4, 1 << 31, 1 << 61, (1 << 63) - 1, -(1 << 63), (1 << 62) + 1)
# Each byte but 0 is true, as to NumPy.
TRUE_BYTES = (1, 255, 2, 1, 128)
LAYOUTS = ("row", "row", "row", "column", "reversed", "gaps", "repeated")


class Call:
    """Arguments as Data, and how each lies in memory: (layout, argument whose
    memory it shares or None)."""

    def __init__(self, inputs, layouts=None, threads=1, outputs=0):
        self.inputs = inputs
        self.layouts = layouts or [("row", None)] * len(inputs)
        self.threads = threads
        # A seed for where results go in the caller's memory; 0 for fresh memory.
        self.outputs = outputs

    def without(self, index):
        """The call when argument `index` is gone."""
        layouts = [
            (layout, None if shared == index else shared - 1 if shared is not None and shared > index else shared)
            for i, (layout, shared) in enumerate(self.layouts)
            if i != index
        ]
        return Call([d for i, d in enumerate(self.inputs) if i != index], layouts, self.threads, self.outputs)

    def withMore(self, data):
        return Call([*self.inputs, data], [*self.layouts, ("row", None)], self.threads, self.outputs)

    def simple(self):
        return Call(self.inputs)


def place(array, layout):
    """(bytes, offset, strides in elements) of `array` so laid out."""
    size = array.itemsize
    if layout == "repeated" and array.ndim and array.shape[0] > 1:
        # All rows are one: `array` must be that already.
        row, offset, strides = place(np.ascontiguousarray(array[0]), "row")
        return row, offset, (0, *strides)
    if layout == "column":
        memory = np.array(array, order="F")
    elif layout == "reversed":
        memory = np.array(array[::-1] if array.ndim else array, order="C")
        memory = memory[::-1] if array.ndim else memory
    elif layout == "gaps" and array.ndim:
        wide = np.zeros((*array.shape[:-1], 2 * array.shape[-1] + 1), array.dtype)
        memory = wide[..., 1 : 1 + 2 * array.shape[-1] : 2]
        memory[...] = array
    else:
        memory = np.array(array, order="C")
    base = memory
    while isinstance(base.base, np.ndarray):
        base = base.base
    offset = (memory.__array_interface__["data"][0] - base.__array_interface__["data"][0]) // size
    # "A" keeps the order in memory of what is contiguous in one way or the other.
    return base.tobytes("A"), offset, tuple(s // size for s in memory.strides)


def layOut(call):
    """(buffers, tensors) for the runner."""
    buffers, tensors = [], []
    for data, (layout, shared) in zip(call.inputs, call.layouts):
        if shared is not None:
            tensors.append(tensors[shared])
            continue
        raw, offset, strides = place(data.low, layout)
        if data.kind.name == "i1":
            raw = bytes(TRUE_BYTES[i % len(TRUE_BYTES)] if byte else 0 for i, byte in enumerate(raw))
        tensors.append(Tensor(data.kind.name, len(buffers), offset, data.shape, strides))
        buffers.append(raw)
    return buffers, tensors


def strideFreely(call, dice):
    """The same call with its arguments laid out at random, some in one memory."""
    inputs, layouts = list(call.inputs), []
    for i, data in enumerate(inputs):
        same = [j for j in range(i) if inputs[j].kind is data.kind and inputs[j].shape == data.shape]
        if same and dice.random() < 0.3:
            inputs[i] = inputs[same[0]]
            layouts.append((layouts[same[0]][0], same[0]))
            continue
        layout = dice.choice(LAYOUTS) if data.shape else "row"
        if layout == "repeated" and data.shape and data.shape[0] > 1:
            inputs[i] = exact(data.kind, np.broadcast_to(data.low[:1], data.shape))
        layouts.append((layout, None))
    return Call(inputs, layouts, dice.choice([1, 1, 2]), dice.choice([0, 0, dice.randrange(1, 1000)]))


def mutate(call, program, dice):
    """A call with other extents or other data, which may be invalid."""
    inputs = list(call.inputs)
    if not inputs:
        return call
    changes = {}
    for _ in range(dice.choice([1, 1, 2])):
        i = dice.randrange(len(inputs))
        if dice.random() < 0.25 and inputs[i].kind.name != "index":
            changes[i] = inputs[i].shape
            continue
        if inputs[i].kind.name == "index":
            inputs[i] = exact(inputs[i].kind, np.array(dice.choice(INDICES)))
            continue
        shape = list(inputs[i].shape)
        if shape:
            axis = dice.randrange(len(shape))
            old, new = shape[axis], dice.choice([0, 1, 1, 2, 3, shape[axis] + 1, 2 * shape[axis]])
            # Often all axes that had this extent, so that the call stays valid.
            if dice.random() < 0.6:
                for j, data in enumerate(inputs):
                    before = changes.get(j, data.shape)
                    changes[j] = tuple(new if e == old else e for e in before)
            else:
                shape[axis] = new
                changes[i] = tuple(shape)
        if dice.random() < 0.1:
            changes[i] = tuple(shape[1:]) if dice.random() < 0.5 else (1, *shape)
    for i, shape in changes.items():
        if int(np.prod(shape)) <= 8000:
            kind = inputs[i].kind
            inputs[i] = (
                exact(kind, arrayOf(dice, kind, shape)) if kind.name != "i32" or shape != inputs[i].shape else inputs[i]
            )
            if kind.name == "i32" and dice.random() < 0.5:
                inputs[i] = exact(kind, np.minimum(np.abs(inputs[i].low), 1))
    return Call(inputs)


def callsOf(program, inputs, seed):
    """The first call and a few others."""
    dice = random.Random(f"calls/{seed}")
    first = Call(inputs)
    calls = [first]
    if dice.random() < 0.5:
        calls.append(strideFreely(first, dice))
    for _ in range(dice.choice([0, 1, 2, 3])):
        other = mutate(first, program, dice)
        calls.append(strideFreely(other, dice) if dice.random() < 0.3 else other)
    return calls
