"""Models whose weights are arguments of their programs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .._core import Function


class OnnxFunction:
    """A model as a function of its inputs; it holds the weights.

    `function` is the compiled Function, which takes the weights after the inputs,
    `weights` are these, and `mlir` is the program.
    """

    def __init__(self, function: Function, weights: Sequence[np.ndarray], text: str):
        self.function = function
        self.weights = tuple(weights)
        self.mlir = text

    def __call__(self, *inputs, out=None):
        wanted = len(self.function.arguments) - len(self.weights)
        if len(inputs) != wanted:
            raise TypeError(f"the model takes {wanted} inputs, but {len(inputs)} are given")
        return self.function(*inputs, *self.weights, out=out)

    def check(self):
        """What must hold of the extents (docs/check.md)."""
        return self.function.check()

    def __repr__(self):
        return f"<broadloom.OnnxFunction of {self.function!r}: {len(self.weights)} weights>"
