"""What the import of an operation needs, and the table of operations."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .. import _program as program
from .._program import Extent, Value
from . import _graph
from ._graph import Element, Graph, Node, Size, Type
from ._ranges import EVERYTHING, Range, range_of
from ._tensors import Number, Stored, Tensor, align, plain


class Unsupported(Exception):
    """An operation, or a form of one, that the importer has not."""


@dataclasses.dataclass(frozen=True)
class Missing:
    """A result that is not computed; who reads it is told why."""

    why: str


#: Imports an operation: of a Context and the operation's arguments.
Rule = Callable[..., Any]
OPERATIONS: dict[str, tuple[Rule, bool]] = {}


def operation(*names: str, stored: bool = False) -> Callable[[Rule], Rule]:
    """Enters a rule for operations of ATen, or of others by their whole names. With `stored` it takes what is made of
    weights alone as it is, and other rules the tensor."""

    def enter(rule: Rule) -> Rule:
        for name in names:
            OPERATIONS[name if name.startswith("prims.") else "aten." + name] = (rule, stored)
        return rule

    return enter


class Context:
    """The program under construction, and what the graph says of the result at hand."""

    def __init__(self, graph: Graph):
        self.builder = program.Builder()
        self.graph = graph
        #: What symbols are.
        self.symbols: dict[str, Number] = {}
        #: What the graph's formulas come to.
        self.sizes: dict[str, Number] = {}
        #: Symbols that are no extents, and may be negative.
        self.signed: set[str] = set()
        #: What is known of numbers of the program, by their names there.
        self._ranges: dict[str, Range] = {}
        self.node: Node | None = None
        self._bound: dict[Stored, Tensor] = {}

    # What the graph says of the result.

    @property
    def type(self) -> Type:
        """The type of the one result."""
        assert self.node is not None
        if not isinstance(self.node.type, Type):
            raise Unsupported("the type of its result is not known")
        return self.node.type

    def result_type(self, index: int) -> Type:
        """The type of one of several results."""
        assert self.node is not None
        return self.node.type[index]

    @property
    def element(self) -> str:
        """The element type of the one result."""
        return self.type.element

    @property
    def shape(self) -> list[Number]:
        """The extents of the one result."""
        return self.numbers(self.type.shape)

    # Numbers.

    def number(self, size: int | float | Size | Extent) -> Number:
        """A size as the program has it."""
        if not isinstance(size, Size):
            return size
        if size.text in self.sizes:
            return self._enter_range(size, self.sizes[size.text])
        functions = {"max": program.largest, "min": program.smallest}
        try:
            number = _graph.evaluate(size, self.symbols, functions)
        except (KeyError, NotImplementedError, TypeError) as error:
            raise Unsupported(f"the size {size} cannot be computed: {error}") from None
        self.sizes[size.text] = number
        return self._enter_range(size, number)

    def _enter_range(self, size: Size, number: Number) -> Number:
        if isinstance(number, Extent) and number.name not in self._ranges:
            self._ranges[number.name] = self.range(size)
        return number

    def range(self, number: int | Size | Extent) -> Range:
        """What is known of a number for all calls."""
        if isinstance(number, Extent):
            return self._ranges.get(number.name, EVERYTHING)
        symbols = {
            name: (-math.inf if name in self.signed else low, high)
            for name, (low, high) in self.graph.symbols.items()
        }
        return range_of(number, symbols)

    def numbers(self, sizes: Sequence[int | Size]) -> list[Number]:
        """Sizes as the program has them."""
        return [self.number(size) for size in sizes]

    # Tensors.

    def tensor(self, operand) -> Tensor:
        """An operand as a tensor: what is made of weights becomes an argument."""
        if isinstance(operand, Tensor):
            return operand
        if isinstance(operand, Stored):
            if operand not in self._bound:
                self._bound[operand] = plain(self.bind(operand))
            return self._bound[operand]
        if isinstance(operand, (bool, int, float)):
            return plain(self.scalar(operand, self.element))
        raise Unsupported(f"an operand is no tensor: {operand!r}")

    def bind(self, stored: Stored) -> Value:
        """The argument that a weight is bound to."""
        raise NotImplementedError

    def scalar(self, number, element: str) -> Value:
        """A tensor of rank 0."""
        if isinstance(number, Extent):
            return program.scalar(self.builder, number, element)
        dtype = program.to_numpy(element)
        return self.builder.constant(np.array(number).astype(dtype), element)

    def refine(self, tensor: Tensor, type_: Type) -> Tensor:
        """The tensor, with the extents that the graph tells of it."""
        value = tensor.value
        if value.element != type_.element or tensor.rank != len(type_.shape):
            raise Unsupported(
                f"its rule gives {tensor.rank} axes of {value.element}, but the graph has {type_}"
            )
        extents, cast = list(value.extents), False
        for axis, size in enumerate(type_.shape):
            at = tensor.order[axis]
            if isinstance(extents[at], int):
                continue
            extents[at] = program.known(self.number(size))
            cast = cast or isinstance(extents[at], int)
        if extents == list(value.extents):
            return tensor
        name = value.name
        refined = Value(self.builder, self.builder.new_name() if cast else name, value.element, extents)
        refined._unsigned = None if cast else value._unsigned
        if cast:
            self.builder.add_line(f"{refined.name} = tensor.cast {name} : {value.type} to {refined.type}")
        return Tensor(refined, tensor.order)


def promote(*operands) -> str:
    """The element type in which operands of one operation are compared or joined:
    numbers and tensors of rank 0 do not widen other tensors of their kind."""
    ranks = {"i1": 0, "ui8": 1, "i8": 1, "i16": 2, "i32": 3, "i64": 4, "f16": 5, "bf16": 5, "f32": 6, "f64": 7}
    kind = lambda element: 0 if element == "i1" else 2 if program.is_float(element) else 1
    found = {0: None, 1: None, 2: None}
    for operand in operands:
        if isinstance(operand, (Tensor, Stored)):
            level = 2 if operand.rank else 1
            element = operand.element
        else:
            level = 0
            element = "i1" if isinstance(operand, bool) else "f32" if isinstance(operand, float) else "i64"
        best = found[level]
        if best is None or ranks[element] > ranks[best]:
            found[level] = element
        elif ranks[element] == ranks[best] and element != best:
            found[level] = "f32" if program.is_float(element) else "i16"
    chosen = found[2]
    for level in (1, 0):
        other = found[level]
        if other is not None and (chosen is None or kind(other) > kind(chosen)):
            chosen = other
    assert chosen is not None
    return chosen


def fits(number, element: str) -> bool:
    """Whether an integer is one of an element type; all else fits."""
    if isinstance(number, bool) or not isinstance(number, int) or element == "i1" or program.is_float(element):
        return True
    info = np.iinfo(program.to_numpy(element))
    return info.min <= number <= info.max


def elementwise(c: Context, function: Callable[..., Value], *operands, element: str | None = None) -> Tensor:
    """An element-wise operation of tensors and numbers. Tensors are cast to
    `element`, where it is given."""
    tensors = [c.tensor(o) for o in operands if isinstance(o, (Tensor, Stored))]
    if not tensors:
        tensors = [plain(c.scalar(operands[0], element or c.element))]
        operands = (tensors[0], *operands[1:])
    values, order = align(tensors)
    rest = iter(values)
    given = []
    for operand in operands:
        if isinstance(operand, (Tensor, Stored)):
            value = next(rest)
            operand = program.cast(value, element) if element else value
        elif element and program.is_float(element) and isinstance(operand, int):
            operand = float(operand)
        elif element and element != "i1" and isinstance(operand, bool):
            operand = int(operand)
        elif element and not fits(operand, element):
            # As torch does.
            operand = int(np.array(operand).astype(program.to_numpy(element)))
        given.append(operand)
    return Tensor(function(*given), order)


def reduced(tensor: Tensor, axes: Sequence[int] | None) -> tuple[list[int], list[int], tuple[int, ...]]:
    """Axes of a reduction, those of the value, and the order of the axes that are left."""
    rank = tensor.rank
    own = sorted({axis % rank for axis in axes}) if axes and rank else list(range(rank))
    gone = [tensor.order[axis] for axis in own]
    left = [tensor.order[axis] for axis in range(rank) if axis not in own]
    return own, gone, tuple(sum(other < at for other in left) for at in left)


__all__ = [
    "Context",
    "Element",
    "Missing",
    "OPERATIONS",
    "Unsupported",
    "elementwise",
    "fits",
    "operation",
    "promote",
    "reduced",
]
