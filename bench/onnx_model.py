"""Writes small ONNX models by hand: a few message types of the format are
enough, and the `onnx` package is not needed."""

import struct

TYPES = {"f32": 1, "f16": 10, "bf16": 16}
OPSET = 23


def _varint(value):
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def _number(field, value):
    return _varint(field << 3) + _varint(value)


def _bytes(field, value):
    value = value.encode() if isinstance(value, str) else value
    return _varint(field << 3 | 2) + _varint(len(value)) + value


def _value(name, rank, dtype):
    """A tensor whose extents have names of their own."""
    extents = b"".join(_bytes(1, _bytes(2, f"{name}_{axis}")) for axis in range(rank))
    tensor = _number(1, TYPES[dtype]) + _bytes(2, extents)
    return _bytes(1, name) + _bytes(2, _bytes(1, tensor))


def _attribute(name, value):
    """An integer, a float, a string or a list of integers."""
    if isinstance(value, int):
        return _bytes(1, name) + _number(3, value) + _number(20, 2)
    if isinstance(value, float):
        return _bytes(1, name) + _varint(2 << 3 | 5) + struct.pack("<f", value) + _number(20, 1)
    if isinstance(value, str):
        return _bytes(1, name) + _bytes(4, value) + _number(20, 3)
    return _bytes(1, name) + b"".join(_number(8, v) for v in value) + _number(20, 7)


def _node(operation, inputs, output, attributes):
    return (
        b"".join(_bytes(1, i) for i in inputs)
        + _bytes(2, output)
        + _bytes(4, operation)
        + b"".join(_bytes(5, _attribute(n, v)) for n, v in attributes.items())
    )


def constant(name, array):
    """A tensor of float32 or int64 values, part of the model."""
    kind = {"float32": 1, "int64": 7}[array.dtype.name]
    extents = b"".join(_number(1, e) for e in array.shape)
    return extents + _number(2, kind) + _bytes(8, name) + _bytes(9, array.tobytes())


def model(inputs, nodes, constants, output):
    """`inputs` and `output` are (name, rank, element type); `nodes` are
    (operation, inputs, output, attributes), `constants` made by constant()."""
    graph = b"".join(_bytes(1, _node(*node)) for node in nodes) + _bytes(2, "main")
    graph += b"".join(_bytes(5, c) for c in constants)
    graph += b"".join(_bytes(11, _value(*i)) for i in inputs) + _bytes(12, _value(*output))
    opset = _bytes(1, "") + _number(2, OPSET)
    return _number(1, 10) + _bytes(7, graph) + _bytes(8, opset)
