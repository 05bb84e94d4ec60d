"""Functions of layers, element by element."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from .. import _program as program
from .._program import Value


def clip_with(low: object, high: object) -> Callable[..., Value]:
    """Returns a function that clips its first operand; its others are those of the bounds `low` and `high` that are
    not None."""

    def code(x: Value, *bounds: Any) -> Value:
        rest = iter(bounds)
        first, last = (None if bound is None else next(rest) for bound in (low, high))
        made: Value = program.clip(x, first, last)
        return made

    return code


def gelu(x: Value, approximate: str = "none") -> Value:
    """Multiplies x by the probability that a normal number is below it."""
    p = program
    if approximate == "tanh":
        cube = p.multiply(p.multiply(p.multiply(x, x), x), 0.044715)
        share = p.tanh(p.multiply(p.add(x, cube), math.sqrt(2 / math.pi)))
    else:
        share = p.erf(p.multiply(x, math.sqrt(0.5)))
    made: Value = p.multiply(p.multiply(x, 0.5), p.add(share, 1.0))
    return made
