"""Functions of layers, element by element."""

from __future__ import annotations

import math
from collections.abc import Callable

from .. import _program as program
from .._program import Value


def clip_with(low, high) -> Callable[..., Value]:
    """Returns a function that clips its first operand; its others are those of the bounds `low` and `high` that are
    not None."""

    def code(x: Value, *bounds) -> Value:
        rest = iter(bounds)
        return program.clip(x, None if low is None else next(rest), None if high is None else next(rest))

    return code


def gelu(x: Value, approximate: str = "none") -> Value:
    """Multiplies x by the probability that a normal number is below it."""
    p = program
    if approximate == "tanh":
        cube = p.multiply(p.multiply(p.multiply(x, x), x), 0.044715)
        share = p.tanh(p.multiply(p.add(x, cube), math.sqrt(2 / math.pi)))
    else:
        share = p.erf(p.multiply(x, math.sqrt(0.5)))
    return p.multiply(p.multiply(x, 0.5), p.add(share, 1.0))
