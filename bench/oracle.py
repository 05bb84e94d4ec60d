"""Compares with what NumPy says of a case: bit for bit where the operations round exactly,
in float64 and with a tolerance where they need not."""

import math

import arrays as memory
import numpy as np
from expression import Node, Strided, trace

_erf = np.vectorize(math.erf, otypes=[np.float64])
OPERATIONS = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "maximum": np.maximum,
    "abs": np.abs,
    "exp": np.exp,
    "log": np.log,
    "sin": np.sin,
    "cos": np.cos,
    "pow": np.power,
    "sigmoid": lambda a: 1 / (1 + np.exp(-a)),
    "tanh": np.tanh,
    "erf": _erf,
    "reciprocal": lambda a: 1 / a,
    "rsqrt": lambda a: 1 / np.sqrt(a),
    "sum": lambda a, axis: a.sum(axis=axis, keepdims=True),
    "max": lambda a, axis: a.max(axis=axis, keepdims=True),
}
# Of a large result that is not exact, every so many rows are compared.
MOST_APPROXIMATE = 1 << 20

_expected = {}


def forget():
    _expected.clear()


def _evaluate(case, everyRow):
    inputs, nodes, result = trace(case, Strided())
    values = {}
    for node, spec, array in zip(inputs, case.inputs, memory.make(case)):
        array = memory.view(spec, array)
        if array.shape[0] > 1:
            array = array[::everyRow]
        values[id(node)] = array if case.exact else array.astype(np.float64)
    for node in nodes:
        operands = [values[id(o)] if isinstance(o, Node) else o for o in node.operands]
        values[id(node)] = OPERATIONS[node.operation](*operands, **node.attributes)
    return values[id(result)]


def difference(case, got):
    """None, or what is wrong with the result `got`."""
    if got.shape != case.shape:
        return f"shape {got.shape}, not {case.shape}"
    everyRow = 1 if case.exact else max(1, case.elements // MOST_APPROXIMATE)
    if id(case) not in _expected:
        _expected[id(case)] = _evaluate(case, everyRow)
    want, got = _expected[id(case)], got[::everyRow]
    if case.exact:
        wrong = int((got.view(f"u{got.itemsize}") != want.view(f"u{want.itemsize}")).sum())
        return f"{wrong} of {got.size} elements differ" if wrong else None
    error = np.abs(got - want) / (np.abs(want) + np.abs(want).mean())
    worst = float(error.max())
    return None if worst <= case.tolerance else f"off by {worst:.2g}, where {case.tolerance:.2g} is allowed"
