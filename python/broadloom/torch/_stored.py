"""Tensors that are made of weights alone are computed once, when the weights are bound to
the function, and not by each call."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from .._tensors._tensor import Held, Tensor


@dataclasses.dataclass(frozen=True)
class Stored(Held):
    """A tensor that is computed of weights: `steps` of the weight `source`, or of
    several Stored."""

    element: str
    shape: tuple[int, ...]
    #: The name of a weight, or of what is done to the operands.
    operation: str
    operands: tuple[Any, ...]

    def permute(self, order: Sequence[int]) -> Stored:
        """Puts the axes in another order."""
        if list(order) == list(range(self.rank)):
            return self
        shape = tuple(self.shape[axis] for axis in order)
        return Stored(self.element, shape, "permute", (self, tuple(order)))

    def reshape(self, shape: Sequence[int]) -> Stored:
        """Gives the tensor other extents."""
        if tuple(shape) == self.shape:
            return self
        return Stored(self.element, tuple(shape), "reshape", (self, tuple(shape)))

    def part(self, axis: int, start: int, count: int) -> Stored:
        """Takes `count` elements of an axis from `start` on."""
        shape = tuple(count if i == axis else e for i, e in enumerate(self.shape))
        return Stored(self.element, shape, "narrow", (self, axis, start, count))

    def pad(self, behind: Sequence[int]) -> Stored:
        """Adds zeros behind the elements of each axis."""
        if not any(behind):
            return self
        shape = tuple(e + n for e, n in zip(self.shape, behind))
        return Stored(self.element, shape, "pad", (self, tuple(behind)))

    def flip(self, axes: Sequence[int]) -> Stored:
        """Puts the elements of axes in the opposite order."""
        return Stored(self.element, self.shape, "flip", (self, tuple(axes)))

    def combine(self, operation: str, element: str, *operands: Held | float) -> Stored:
        """Applies an operation to this and to operands."""
        return Stored(element, self.shape, operation, (self, *operands))

    def sum(self, axis: int) -> Stored:
        """Adds up the integers along an axis, as i32."""
        shape = tuple(extent for i, extent in enumerate(self.shape) if i != axis)
        return Stored("i32", shape, "sum", (self, axis))

    @property
    def weights(self) -> set[str]:
        """The weights that it is made of."""
        if self.operation == "weight":
            return {self.operands[0]}
        return set().union(*(o.weights for o in self.operands if isinstance(o, Stored)))


#: A tensor that a call computes, or one that is computed of weights.
Operand = Tensor | Stored
