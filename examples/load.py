"""Calls a program that was compiled to a shared library, with ctypes and NumPy.

load.py RUNTIME LIBRARY
"""

import ctypes
import sys

import numpy as np

MAX_RANK = 32
# BroadloomElementType of runtime/calls/Tensor.h.
TYPES = {
    "bool": 0,
    "int8": 1,
    "int16": 2,
    "int32": 3,
    "int64": 4,
    "uint8": 5,
    "uint16": 6,
    "uint32": 7,
    "uint64": 8,
    "float16": 11,
    "float32": 13,
    "float64": 14,
}


class Tensor(ctypes.Structure):
    """BroadloomTensor of runtime/calls/Tensor.h."""

    _fields_ = [
        ("elementType", ctypes.c_int32),
        ("rank", ctypes.c_int32),
        ("release", ctypes.c_void_p),
        ("manager", ctypes.c_void_p),
        ("allocated", ctypes.c_void_p),
        ("data", ctypes.c_void_p),
        ("offset", ctypes.c_int64),
        ("dims", ctypes.c_int64 * (2 * MAX_RANK)),
    ]


class Program:
    """A function of a compiled program, for arrays whose memory it shares."""

    def __init__(self, runtime, library, function=None):
        self.runtime = ctypes.CDLL(runtime, mode=ctypes.RTLD_GLOBAL)
        self.runtime.broadloomCallCreate.restype = ctypes.c_void_p
        self.runtime.broadloomCallMessage.restype = ctypes.c_char_p
        table = ctypes.c_char.in_dll(ctypes.CDLL(library), "broadloom_functions")
        self.call = ctypes.c_void_p(self.runtime.broadloomCallCreate())
        self.check(
            self.runtime.broadloomCallSetFunction(self.call, ctypes.byref(table), function and function.encode())
        )

    def check(self, status):
        if status:
            raise ValueError(self.runtime.broadloomCallMessage(self.call).decode())

    def tensor(self, array):
        extents = (ctypes.c_int64 * MAX_RANK)(*array.shape)
        strides = (ctypes.c_int64 * MAX_RANK)(*(stride // array.itemsize for stride in array.strides))
        tensor = Tensor()
        self.check(
            self.runtime.broadloomTensorBorrow(
                TYPES[array.dtype.name],
                array.ndim,
                extents,
                strides,
                ctypes.c_void_p(array.ctypes.data),
                ctypes.byref(tensor),
            )
        )
        return tensor

    def __call__(self, *arrays, out):
        tensors = [self.tensor(array) for array in arrays]
        output = self.tensor(out)
        self.check(self.runtime.broadloomCallSetOutput(self.call, 0, ctypes.byref(output)))
        pointers = (ctypes.POINTER(Tensor) * len(tensors))(*map(ctypes.pointer, tensors))
        self.check(self.runtime.broadloomCallRun(self.call, pointers, len(tensors)))
        return out


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__.strip())
    add = Program(*sys.argv[1:])
    a = np.arange(6, dtype=np.float32).reshape(2, 3)
    row = np.array([[10, 20, 30]], np.float32)
    print(add(a, row, out=np.empty((2, 3), np.float32)))
    try:
        add(a, row[:, :2], out=np.empty((2, 3), np.float32))
    except ValueError as error:
        print(error)


if __name__ == "__main__":
    main()
