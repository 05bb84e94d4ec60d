"""Graphs of PyTorch as functions of arrays, for the tests of the importer that need no
torch."""

import broadloom as bl
import numpy as np
from broadloom.torch._graph import parse
from broadloom.torch._importer import Given, import_graph


def make(stored, weights):
    """Computes what is made of weights, in NumPy."""
    if stored.operation == "weight":
        return weights[stored.operands[0]]
    operands = [make(o, weights) if hasattr(o, "operation") else o for o in stored.operands]
    steps = {
        "permute": lambda x, order: x.transpose(order),
        "reshape": lambda x, shape: x.reshape(shape),
        "narrow": lambda x, axis, start, count: x.take(range(start, start + count), axis),
        "pad": lambda x, behind: np.pad(x, [(0, n) for n in behind]),
        "flip": np.flip,
        "rsqrt": lambda x, eps: 1 / np.sqrt(x + np.float32(eps)),
        "multiply": lambda x, y: x * y,
        "subtract": lambda x, y: x - y,
    }
    return np.ascontiguousarray(steps[stored.operation](*operands)).astype("f4")


class Graph:
    """A graph as a function of arrays."""

    def __init__(self, text, **weights):
        self.imported = import_graph(parse(text))
        self.text = self.imported.text
        self.function = bl.compile(self.text)
        self.weights = weights

    def __call__(self, *inputs):
        given = [inputs[a.input] if isinstance(a, Given) else make(a, self.weights) for a in self.imported.arguments]
        # The program has a promise of weights, whose memory is other weights' in the next call.
        self.function.forget_constants()
        return self.function(*given)


def random(*shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype("f4")


def agree(got, expected, tolerance=1e-5):
    assert got.shape == expected.shape and got.dtype == expected.dtype
    np.testing.assert_allclose(got, expected, rtol=tolerance, atol=tolerance)
