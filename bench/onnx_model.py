"""Writes small ONNX models by hand: three message types of the format are
enough, and the `onnx` package is not needed."""


def _varint(value):
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


FLOAT = 1


def _value(name):
    """A float matrix whose extents have names of their own."""
    extents = b"".join(_bytes(1, _bytes(2, f"{name}_{axis}")) for axis in range(2))
    tensor = _number(1, FLOAT) + _bytes(2, extents)
    return _bytes(1, name) + _bytes(2, _bytes(1, tensor))


def _node(operation, inputs, output):
    return b"".join(_bytes(1, i) for i in inputs) + _bytes(2, output) + _bytes(4, operation)


def model(inputs, nodes, output):
    """A model of float matrices; `nodes` are (operation, inputs, output)."""
    graph = b"".join(_bytes(1, _node(*node)) for node in nodes) + _bytes(2, "main")
    graph += b"".join(_bytes(11, _value(name)) for name in inputs) + _bytes(12, _value(output))
    opset = _bytes(1, "") + _number(2, 13)
    return _number(1, 8) + _bytes(7, graph) + _bytes(8, opset)
