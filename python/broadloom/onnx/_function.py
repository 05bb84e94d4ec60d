"""Models whose weights are arguments of their programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._core import Function
from .._mapped import require_unchanged
from .._program import Written
from .._report import Report
from ._narrow_types import Narrow


class OnnxFunction:
    """A model as a function of its inputs; it holds the weights.

    `function` is the compiled Function, which takes the weights after the inputs,
    `weights` are these, which cannot be written to, and `mlir` is the program.
    """

    def __init__(
        self,
        function: Function,
        weights: Sequence[NDArray[Any]],
        written: Written,
        narrow_inputs: Mapping[int, Narrow] | None = None,
        narrow_results: Mapping[int, Narrow] | None = None,
    ) -> None:
        self.function = function
        self.weights = _protect(weights)
        self._written = written
        #: Inputs and results that the program holds in bytes, by their numbers.
        self._narrow = (dict(narrow_inputs or {}), dict(narrow_results or {}))

    @property
    def mlir(self) -> str:
        """The program, as text with all that is constant."""
        return self._written.text

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
        taken, given = self._narrow
        if taken:
            inputs = tuple(taken[at].to_storage(np.asarray(x)) if at in taken else x for at, x in enumerate(inputs))
        found = self.function(*inputs, *self.weights, out=out)
        if not given or out is not None:
            return found
        several = found if isinstance(found, tuple) else (found,)
        made = tuple(given[at].from_storage(np.asarray(x)) if at in given else x for at, x in enumerate(several))
        return made if isinstance(found, tuple) else made[0]

    def shapes(self, *shapes: Any) -> list[tuple[int | str | None, ...] | None]:
        """Computes the shapes of the results for the shapes of the inputs; without these, in terms of the extents'
        names. The types of arrays count only for a model without weights (Function.shapes)."""
        return self.function.shapes(*shapes, *(w.shape for w in self.weights)) if shapes else self.function.shapes()

    def check(self) -> Report:
        """Reports what must hold of the extents (docs/check.md)."""
        return self.function.check()

    def __getstate__(self) -> dict[str, Any]:
        require_unchanged(self.weights)
        return self.__dict__

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.weights = _protect(self.weights)
        # Weights of another copy, which had the same function, may have been where these are.
        self.function.forget_constants()

    def __dask_tokenize__(self) -> tuple[Any, ...]:
        return (type(self).__name__, self.function, self.weights)

    def __repr__(self) -> str:
        return f"<broadloom.OnnxFunction of {self.function!r}: {len(self.weights)} weights>"


def _protect(weights: Sequence[NDArray[Any]]) -> tuple[NDArray[Any], ...]:
    """Returns views that cannot be written to: the program has a promise that weights do not change."""
    views = tuple(w.view() for w in weights)
    for view in views:
        view.flags.writeable = False
    return views
