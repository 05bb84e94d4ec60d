"""Says what a case computes, once: as a function of a library `x` and of arrays.

Called with a peer's own library the function computes there; called with
`Trace` it becomes a list of nodes, from which the programs of TOSA and ONNX
are printed and which NumPy executes. Composite operations (`gelu`, `softmax`,
`rmsNorm`, `layerNorm`) stay whole for a peer that has them and are otherwise
written out.
"""

import math
from dataclasses import dataclass, field

EPSILON = 1e-5
GELU_CUBIC, GELU_SCALE = 0.044715, math.sqrt(2 / math.pi)
COMPOSITES = ("gelu", "softmax", "rmsNorm", "layerNorm")


@dataclass(eq=False)
class Node:
    """A value: `operation` on `operands` (nodes, or Python numbers)."""

    operation: str
    operands: tuple
    shape: tuple
    dtype: str
    attributes: dict = field(default_factory=dict)

    def __add__(self, other):
        return make("add", self, other)

    def __sub__(self, other):
        return make("sub", self, other)

    def __mul__(self, other):
        return make("mul", self, other)


def make(operation, *operands, shape=None, **attributes):
    """A node; its shape is the broadcast of its operands' unless given."""
    nodes = [o for o in operands if isinstance(o, Node)]
    if shape is None:
        shape = tuple(
            1 if all(e == 1 for e in axis) else max(e for e in axis if e != 1) if 0 not in axis else 0
            for axis in zip(*(n.shape for n in nodes))
        )
    return Node(operation, operands, shape, nodes[0].dtype, attributes)


def _reduced(shape, axis):
    """`shape` with extent 1 along `axis`, which is negative."""
    axis += len(shape)
    return (*shape[:axis], 1, *shape[axis + 1 :])


class Formulas:
    """The composites in terms of a library's own operations."""

    def gelu(self, a, approximate):
        if approximate:
            return a * 0.5 * (self.tanh((a + a * a * a * GELU_CUBIC) * GELU_SCALE) + 1.0)
        return a * ((self.erf(a * math.sqrt(0.5)) + 1.0) * 0.5)

    def softmax(self, a):
        power = self.exp(a - self.max(a))
        return power * self.reciprocal(self.sum(power))

    def rmsNorm(self, a, scale, inverse):
        return a * self.rsqrt(self.sum(a * a) * inverse + EPSILON) * scale

    def layerNorm(self, a, scale, shift, inverse):
        centred = a - self.sum(a) * inverse
        return centred * self.rsqrt(self.sum(centred * centred) * inverse + EPSILON) * scale + shift


class Trace(Formulas):
    """The library that records; `whole` names the composites to keep."""

    def __init__(self, whole=()):
        for name in ("abs", "exp", "log", "sin", "cos", "tanh", "sigmoid", "erf", "rsqrt", "reciprocal"):
            setattr(self, name, lambda a, name=name: make(name, a))
        for name in whole:
            setattr(
                self,
                name,
                lambda a, *rest, name=name: make(
                    name,
                    a,
                    *(r for r in rest if isinstance(r, Node)),
                    shape=a.shape,
                    **({"approximate": rest[0]} if name == "gelu" else {}),
                ),
            )

    def maximum(self, a, b):
        return make("maximum", a, b)

    def pow(self, a, b):
        return make("pow", a, b)

    def sum(self, a, axis=-1):
        return make("sum", a, shape=_reduced(a.shape, axis), axis=axis)

    def max(self, a, axis=-1):
        return make("max", a, shape=_reduced(a.shape, axis), axis=axis)

    def transposed(self, a):
        return make("transposed", a, shape=a.shape[::-1])


class Strided(Trace):
    """For peers that read an operand with any strides: the argument is
    transposed already, and the program says nothing about it."""

    def transposed(self, a):
        return a


def trace(case, library):
    """(inputs, nodes in order, result)."""
    inputs = []
    for spec in case.inputs:
        shape = spec.viewShape if isinstance(library, Strided) else spec.shape
        inputs.append(Node("input", (), shape, spec.dtype))
    result = case.function(library, *inputs)
    order, seen = [], set(map(id, inputs))

    def visit(node):
        if isinstance(node, Node) and id(node) not in seen:
            seen.add(id(node))
            for operand in node.operands:
                visit(operand)
            order.append(node)

    visit(result)
    return inputs, order, result
