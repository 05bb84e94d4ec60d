"""Models whose weights are arguments of their programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray

from .._core import Function
from .._report import Report


class OnnxFunction:
    """A model as a function of its inputs; it holds the weights.

    `function` is the compiled Function, which takes the weights after the inputs,
    `weights` are these, and `mlir` is the program.
    """

    def __init__(self, function: Function, weights: Sequence[NDArray[Any]], text: str) -> None:
        self.function = function
        self.weights = tuple(weights)
        self.mlir = text

    @property
    def __name__(self) -> str:
        return self.function.__name__

    @property
    def arguments(self) -> list[str]:
        """The types of the inputs."""
        return list(self.function.arguments[: len(self.function.arguments) - len(self.weights)])

    @property
    def results(self) -> list[str]:
        """The types of the results."""
        return list(self.function.results)

    def __call__(self, *inputs: Any, out: Any = None) -> Any:
        wanted = len(self.function.arguments) - len(self.weights)
        if len(inputs) != wanted:
            raise TypeError(f"the model takes {wanted} inputs, but {len(inputs)} are given")
        return self.function(*inputs, *self.weights, out=out)

    def shapes(self, *shapes: Any) -> list[tuple[int | str | None, ...] | None]:
        """Computes the shapes of the results for the shapes of the inputs; without these, in terms of the extents'
        names."""
        return self.function.shapes(*shapes, *(w.shape for w in self.weights)) if shapes else self.function.shapes()

    def check(self) -> Report:
        """Reports what must hold of the extents (docs/check.md)."""
        return self.function.check()

    def __dask_tokenize__(self) -> tuple[Any, ...]:
        return (type(self).__name__, self.function, self.weights)

    def __repr__(self) -> str:
        return f"<broadloom.OnnxFunction of {self.function!r}: {len(self.weights)} weights>"
