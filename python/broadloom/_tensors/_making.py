"""Importers have these in common: a program under construction, and its operands."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .. import _program as program
from .._program import Extent, Real, Value
from ._tensor import Held, Tensor, align, from_value, to_value

_NUMBERS = (bool, int, float, np.bool_, np.number)


class Unsupported(Exception):
    """An operation, or a form of one, that the importer has not."""


class Maker:
    """The program under construction."""

    def __init__(self) -> None:
        self.builder = program.Builder()
        self._bound: dict[Held, Tensor] = {}

    def known_here(self) -> list[dict[Any, Any]]:
        """Returns the tables of what has values of the program: what a region adds to them is not known outside."""
        return [self._bound]

    @property
    def element(self) -> str:
        """The element type of the result at hand."""
        raise NotImplementedError

    def tensor(self, operand: Any) -> Tensor:
        """Returns an operand as a tensor, and binds what is known before a call to the program."""
        if isinstance(operand, Tensor):
            return operand
        if isinstance(operand, Held):
            if operand not in self._bound:
                self._bound[operand] = from_value(self.bind(operand))
            return self._bound[operand]
        if isinstance(operand, (bool, int, float)):
            return from_value(self.scalar(operand, self.element))
        raise Unsupported(f"an operand is no tensor: {operand!r}")

    def bind(self, held: Held) -> Value:
        """Adds the argument, or the constant, that is what is known before a call."""
        raise NotImplementedError

    def scalar(self, number: Any, element: str) -> Value:
        """Makes a tensor of rank 0."""
        if isinstance(number, (Extent, Real)):
            return program.scalar(self.builder, number, element)
        if not isinstance(number, _NUMBERS):
            raise Unsupported(f"an operand is neither a tensor nor a number: {number!r}")
        dtype = program.to_numpy(element)
        return self.builder.constant(np.array(number).astype(dtype), element)


def fits(number: object, element: str) -> bool:
    """Tells whether an integer is one of an element type; all else fits."""
    if isinstance(number, bool) or not isinstance(number, int) or element == "i1" or program.is_float(element):
        return True
    info = np.iinfo(program.to_numpy(element))
    return info.min <= number <= info.max


def elementwise(c: Maker, function: Callable[..., Value], *operands: Any, element: str | None = None) -> Tensor:
    """Applies an element-wise function to tensors and numbers. Tensors are cast to `element`, where it is given."""
    tensors = [c.tensor(o) for o in operands if isinstance(o, (Tensor, Held))]
    if not tensors:
        tensors = [from_value(c.scalar(operands[0], element or c.element))]
        operands = (tensors[0], *operands[1:])
    values, order = align(tensors)
    if order != tuple(range(len(order))):
        values, order = _check_axes(c, tensors, values, order)
    rest = iter(values)
    given = []
    for operand in operands:
        if isinstance(operand, (Tensor, Held)):
            value = next(rest)
            operand = program.cast(value, element) if element else value
        elif not isinstance(operand, (*_NUMBERS, Extent, Real)):
            raise Unsupported(f"an operand is neither a tensor nor a number: {operand!r}")
        elif element and program.is_float(element) and isinstance(operand, int):
            operand = float(operand)
        elif element and element != "i1" and isinstance(operand, bool):
            operand = int(operand)
        elif element and not fits(operand, element):
            # As torch does.
            operand = int(np.array(operand).astype(program.to_numpy(element)))
        given.append(operand)
    return Tensor(function(*given), order)


def _check_axes(
    c: Maker, tensors: Sequence[Tensor], values: list[Value], order: tuple[int, ...]
) -> tuple[list[Value], tuple[int, ...]]:
    """Returns the values and the order of what broadcasts in another order of axes. Messages have the tensors' own
    axes: a call checks these, and what never broadcasts is left in its own order, for the compiler to tell."""
    rank = len(order)
    for axis in range(rank):
        extents = [t.extent(axis - rank + t.rank) for t in tensors if axis - rank + t.rank >= 0]
        extents = [n for n in extents if not (isinstance(n, int) and n == 1)]
        for one, other in itertools.pairwise(extents):
            if isinstance(one, int) and isinstance(other, int) and one != other:
                return [to_value(t) for t in tensors], tuple(range(rank))
            message = f"operands are not broadcast-compatible along axis {axis}: extents {{0}} and {{1}}"
            program.require_fit(c.builder, one, other, message)
    return values, order


def reduced(tensor: Tensor, axes: Sequence[int] | None) -> tuple[list[int], list[int], tuple[int, ...]]:
    """Returns the axes of a reduction, the same axes of the value, and the order of the axes that are left."""
    rank = tensor.rank
    own = sorted({axis % rank for axis in axes}) if axes and rank else list(range(rank))
    gone = [tensor.order[axis] for axis in own]
    left = [tensor.order[axis] for axis in range(rank) if axis not in own]
    return own, gone, tuple(sum(other < at for other in left) for at in left)
