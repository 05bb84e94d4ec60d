"""Functions of layers, element by element."""

from __future__ import annotations

import math

from .. import _program as program
from .._program import Value


def gelu(x: Value, approximate: str = "none") -> Value:
    """x times the probability that a normal number is below it."""
    p = program
    if approximate == "tanh":
        cube = p.multiply(p.multiply(p.multiply(x, x), x), 0.044715)
        share = p.tanh(p.multiply(p.add(x, cube), math.sqrt(2 / math.pi)))
    else:
        share = p.erf(p.multiply(x, math.sqrt(0.5)))
    return p.multiply(p.multiply(x, 0.5), p.add(share, 1.0))
