"""Models of ONNX from texts, without the package onnx.

    model('''
    x: f32[n, 3]
    y = Gemm(x, w, transB=1)
    return y
    ''', w=array)

`w` is a constant. Attributes are numbers, texts, lists, arrays and models' graphs.
`declared={"y": ("f32", ["n", 4])}` gives outputs a type.
"""

import ast
import struct

import numpy as np
from broadloom import _program as program
from broadloom.onnx._arrays import ELEMENTS

_NUMBERS = {element: number for number, element in ELEMENTS.items()}


def varint(number):
    number &= 2**64 - 1
    made = b""
    while number > 127:
        made += bytes([number & 127 | 128])
        number >>= 7
    return made + bytes([number])


def field(number, value):
    """A field of a message: a number, a float, a text, or bytes."""
    if isinstance(value, (bool, int)):
        return varint(number << 3) + varint(int(value))
    if isinstance(value, float):
        return varint(number << 3 | 5) + struct.pack("<f", value)
    data = value.encode() if isinstance(value, str) else bytes(value)
    return varint(number << 3 | 2) + varint(len(data)) + data


def tensor(name, array, raw=True):
    array = np.asarray(array)
    element = program._types.from_numpy(array.dtype)
    head = b"".join(field(1, n) for n in array.shape) + field(2, _NUMBERS[element]) + field(8, name)
    if raw:
        return head + field(9, array.tobytes())
    return head + b"".join(field(5, int(n)) for n in array.reshape(-1))


def external(name, array, **entries):
    """A tensor whose elements are in another file."""
    head = b"".join(field(1, n) for n in array.shape)
    head += field(2, _NUMBERS[program._types.from_numpy(array.dtype)]) + field(8, name)
    entries = b"".join(field(13, field(1, k) + field(2, str(v))) for k, v in entries.items())
    return head + entries + field(14, 1)


def value(name, element, shape):
    dims = b"".join(field(1, b"" if n is None else field(1, n) if isinstance(n, int) else field(2, n)) for n in shape)
    is_sequence, element = element.startswith("sequence_"), element.removeprefix("sequence_")
    kind = field(1, field(1, _NUMBERS[element]) + field(2, dims))
    return field(1, name) + field(2, field(4, field(1, kind)) if is_sequence else kind)


class Graph(bytes):
    """The bytes of a graph, as an attribute."""


def attribute(name, given):
    head = field(1, name)
    if isinstance(given, Graph):
        return head + field(6, given) + field(20, 5)
    if isinstance(given, np.ndarray):
        return head + field(5, tensor("", given)) + field(20, 4)
    if isinstance(given, (list, tuple)):
        if given and isinstance(given[0], float):
            return head + b"".join(field(7, n) for n in given) + field(20, 6)
        return head + b"".join(field(8, n) for n in given) + field(20, 7)
    number, kind = {float: (2, 1), int: (3, 2), str: (4, 3)}[type(given)]
    return head + field(number, given) + field(20, kind)


def node(operation, inputs, outputs, domain="", name="", **attributes):
    head = b"".join(field(1, n) for n in inputs) + b"".join(field(2, n) for n in outputs)
    head += field(3, name) + field(4, operation)
    head += b"".join(field(5, attribute(*given)) for given in attributes.items())
    return head + field(7, domain)


def _names(tree):
    return [n.id for n in tree.elts] if isinstance(tree, ast.Tuple) else [tree.id]


def _extent(tree):
    match tree:
        case ast.Constant(number):
            return number
        case ast.Name("_"):
            return None
        case _:
            return ast.unparse(tree)


def graph(text, declared=None, **given):
    """The graph of a text; arrays that are given are its constants, and `declared` has types of outputs."""
    types = declared or {}
    lines, used = b"", set()
    for statement in ast.parse(
        "\n".join(line.strip() for line in text.strip().splitlines()).replace("return ", "_result = ")
    ).body:
        match statement:
            case ast.AnnAssign(ast.Name(name), ast.Subscript(ast.Name(element), axes)):
                shape = [_extent(a) for a in (axes.elts if isinstance(axes, ast.Tuple) else [axes])]
                lines += field(11, value(name, element, shape))
            case ast.AnnAssign(ast.Name(name), ast.Name(element)):
                lines += field(11, value(name, element, []))
            case ast.Assign([ast.Name("_result")], results):
                for name in _names(results):
                    lines += field(12, value(name, *types[name]) if name in types else field(1, name))
            case ast.Assign([targets], ast.Call(operation, args, keywords)):
                inputs = ["" if n.id == "_" else n.id for n in args]
                used |= set(inputs)
                options = {k.arg: _option(k.value, given) for k in keywords}
                domain, _, name = ast.unparse(operation).rpartition(".")
                outputs = ["" if n == "_" else n for n in _names(targets)]
                lines += field(1, node(name, inputs, outputs, domain, options.pop("name", ""), **options))
            case _:
                raise ValueError(ast.unparse(statement))
    constants = [tensor(name, array) for name, array in given.items() if name in used and isinstance(array, np.ndarray)]
    return Graph(lines + b"".join(field(5, t) for t in constants))


def _option(tree, given):
    return given[tree.id] if isinstance(tree, ast.Name) else ast.literal_eval(tree)


def wrap(graph, opset=21, *more):
    """The model of a graph."""
    opsets = field(8, field(2, opset)) + b"".join(field(8, field(1, d) + field(2, v)) for d, v in more)
    return field(1, 10) + field(7, graph) + opsets


def model(text, opset=21, **given):
    """The model of a text."""
    return wrap(graph(text, **given), opset)


def random(*shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype("f4")


def agree(got, expected, tolerance=1e-5):
    assert (got.shape, got.dtype) == (expected.shape, expected.dtype)
    np.testing.assert_allclose(got, expected, rtol=tolerance, atol=tolerance)
