"""Tensors while a graph is imported.

A permutation of axes moves nothing: a Tensor remembers the order in which the axes
of its value stand, and element-wise operations, reductions and products go by that.
So a convolutional network is computed with its channels innermost, and only what it
is given and what it returns are transposed.

What is known before a call is Held: what is made of it alone is computed once, and
not by each call.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Self, TypeGuard, TypeVar

from .. import _program as program
from .._program import Extent, Value

#: An extent: its number, or what a call tells.
Number = int | Extent


@dataclasses.dataclass(frozen=True)
class Tensor:
    """A value whose axis `order[i]` is axis i of the tensor."""

    value: Value
    order: tuple[int, ...]

    @property
    def rank(self) -> int:
        """The number of its axes."""
        return len(self.order)

    @property
    def element(self) -> str:
        """Its element type."""
        return self.value.element

    @property
    def is_in_order(self) -> bool:
        """Tells whether its axes stand in their own order."""
        return self.order == tuple(range(self.rank))

    def extent(self, axis: int) -> Number:
        """Returns the extent of an axis."""
        return program.extent(self.value, self.order[axis])

    @property
    def extents(self) -> list[Number]:
        """All its extents."""
        return [self.extent(axis) for axis in range(self.rank)]

    def known(self, axis: int) -> int | None:
        """Returns the extent of an axis where it is a number, else None."""
        found = self.value.extents[self.order[axis]]
        return found if isinstance(found, int) else None


class Held:
    """A tensor that is known before a call, such as a weight."""

    element: str
    shape: tuple[int, ...]

    @property
    def rank(self) -> int:
        """The number of its axes."""
        return len(self.shape)

    def permute(self, order: Sequence[int]) -> Self:
        """Puts the axes in another order."""
        raise NotImplementedError

    def reshape(self, shape: Sequence[int]) -> Self:
        """Gives the tensor other extents."""
        raise NotImplementedError

    def part(self, axis: int, start: int, count: int) -> Self:
        """Takes `count` elements of an axis from `start` on."""
        raise NotImplementedError

    def pad(self, behind: Sequence[int]) -> Self:
        """Adds zeros behind the elements of each axis."""
        raise NotImplementedError

    def flip(self, axes: Sequence[int]) -> Self:
        """Puts the elements of axes in the opposite order."""
        raise NotImplementedError

    def combine(self, operation: str, element: str, *operands: Held | float) -> Self:
        """Computes 'rsqrt' of the sum with an operand, 'multiply' or 'subtract' in `element`; operands have this shape,
        or are numbers."""
        raise NotImplementedError


#: A tensor, or one that is known before a call.
Operand = Tensor | Held


_AnyHeld = TypeVar("_AnyHeld", bound=Held)


def are_known(numbers: Sequence[Number]) -> TypeGuard[Sequence[int]]:
    """Tells whether all extents are numbers."""
    return all(isinstance(number, int) for number in numbers)


def permute(x: Tensor | _AnyHeld, order: Sequence[int]) -> Tensor | _AnyHeld:
    """Puts the axes of x in another order."""
    return x.permute(order) if isinstance(x, Held) else Tensor(x.value, tuple(x.order[axis] for axis in order))


def from_value(value: Value) -> Tensor:
    """Makes a tensor of a value whose axes stand in their own order."""
    return Tensor(value, tuple(range(value.rank)))


def to_value(tensor: Tensor) -> Value:
    """Returns the tensor as a value with its axes in their own order."""
    return arrange(tensor, tuple(range(tensor.rank)))


def arrange(tensor: Tensor, order: tuple[int, ...]) -> Value:
    """Returns the value whose axis `order[i]` is axis i of the tensor. Where only axes of extent 1 change places,
    nothing is moved."""
    if tensor.order == order:
        return tensor.value
    rank = tensor.rank
    # Axis `to` of the result is this axis of the value.
    source = [0] * rank
    for axis in range(rank):
        source[order[axis]] = tensor.order[axis]
    wide = [axis for axis in source if tensor.value.extents[axis] != 1]
    if wide == sorted(wide):
        ones = [axis for axis in range(rank) if tensor.value.extents[axis] == 1]
        narrow = program.squeeze(tensor.value, ones)
        return program.expand(narrow, [to for to in range(rank) if source[to] in ones])
    return program.transpose(tensor.value, source)


def align(tensors: Sequence[Tensor]) -> tuple[list[Value], tuple[int, ...]]:
    """Returns the values of operands that broadcast, and the order in which the result's axes stand: that of most
    operands that have all axes."""
    rank = max(t.rank for t in tensors)
    orders: dict[tuple[int, ...], int] = {}
    for tensor in tensors:
        # An operand that is broadcast is cheaply moved.
        wide = sum(extent != 1 for extent in tensor.value.extents)
        if tensor.rank == rank and wide > 1:
            orders[tensor.order] = orders.get(tensor.order, 0) + wide
    own = tuple(range(rank))
    order = max(orders, key=lambda o: (orders[o], o == own)) if orders else own
    values = []
    for tensor in tensors:
        missing = rank - tensor.rank
        if order == own and tensor.is_in_order:
            values.append(tensor.value)
            continue
        if missing:
            tensor = from_value(program.expand(to_value(tensor), list(range(missing))))
        values.append(arrange(tensor, order))
    return values, order
