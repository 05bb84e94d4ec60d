"""Has what the import of an operation needs, and the table of operations."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from .. import _program as program
from .._program import Extent, Real, Value
from .._tensors._making import Maker, Unsupported, elementwise, fits, reduced
from .._tensors._tensor import Number, Tensor
from . import _graph
from ._graph import Element, Graph, Node, Size, Type
from ._ranges import EVERYTHING, Range, range_of
from ._stored import Operand, Stored


@dataclasses.dataclass(frozen=True)
class Missing:
    """A result that is not computed; an operation that reads it is an error with `why`."""

    why: str


#: An operand that is a tensor or a number.
Factor = Tensor | Number | float | Real

#: Imports an operation: of a Context and the operation's arguments.
Rule = Callable[..., Any]
OPERATIONS: dict[str, tuple[Rule, bool]] = {}


_Rule = TypeVar("_Rule", bound=Rule)
#: How names of operations begin that are not ATen's.
_SPACES = ("prims.", "quantized_decomposed.", "higher_order.", "broadloom.", "torchvision.", "transformers.")


def name_operation(name: str) -> str:
    """Returns the whole name of an operation, which ATen's have without their space."""
    return name if name.startswith(_SPACES) else "aten." + name


def operation(*names: str, stored: bool = False) -> Callable[[_Rule], _Rule]:
    """Enters a rule for operations of ATen, or of others by their whole names. With `stored` it takes what is made of
    weights alone as it is, and other rules the tensor."""

    def enter(rule: _Rule) -> _Rule:
        for name in names:
            OPERATIONS[name_operation(name)] = (rule, stored)
        return rule

    return enter


def why_by_data(name: str) -> str:
    """Returns what is said of a number that nothing tells."""
    return f"the number {name} is decided by data, of an operation that gives none; keep it as a tensor"


class Context(Maker):
    """The program under construction, and what the graph says of the result at hand."""

    def __init__(self, graph: Graph) -> None:
        super().__init__()
        self.graph = graph
        #: Batch norms that are to be part of convolutions, by the names of these (_folding.py).
        self.folded: dict[str, Node] = {}
        #: The nodes of the graph at hand, by their names.
        self.nodes = {node.name: node for node in graph.nodes}
        #: Which of several results of nodes are read, by the nodes' names.
        self.reads = {(node.args[0].name, node.args[1]) for node in graph.all_nodes() if node.target == "getitem"}
        #: What symbols are.
        self.symbols: dict[str, Number] = {}
        #: What the graph's formulas come to.
        self.sizes: dict[str, Any] = {}
        #: Symbols that are no extents, and may be negative.
        self.signed: set[str] = set()
        #: What nodes give, by their names.
        self.values: dict[str, Any] = {}
        #: What is known of numbers of the program, by their names there.
        self._ranges: dict[str, Range] = {}
        self.node = Node("", "")
        #: Whether the graph at hand is one of single numbers that is applied to tensors, whose types it does not tell.
        self.is_mapped = False

    def known_here(self) -> list[dict[Any, Any]]:
        """Returns the tables of what has values of the program."""
        return [*super().known_here(), self.symbols, self.sizes, self.values]

    def resolve(self, arg: Any, takes_stored: bool) -> Any:
        """Returns an argument of a node as rules take it."""
        raise NotImplementedError

    def import_inner(self, graph: Graph, operands: Sequence[Any], is_mapped: bool = False) -> list[Any]:
        """Imports a graph inside of the graph, of operands for its inputs; returns its results. With `is_mapped` it is
        a graph of single numbers, and is applied to tensors of them."""
        raise NotImplementedError

    # What the graph says of the result.

    @property
    def type(self) -> Type:
        """The type of the one result."""
        if not isinstance(self.node.type, Type):
            raise Unsupported("the type of its result is not known")
        return self.node.type

    def result_type(self, index: int) -> Type:
        """Returns the type of one of several results."""
        found = self.node.types[index]
        assert isinstance(found, Type)
        return found

    def is_read(self, index: int) -> bool:
        """Tells whether something reads one of several results."""
        return (self.node.name, index) in self.reads

    @property
    def element(self) -> str:
        """The element type of the one result."""
        return self.type.element

    @property
    def shape(self) -> list[Number]:
        """The extents of the one result."""
        return self.numbers(self.type.shape)

    # Numbers.

    def number(self, size: int | float | Size | Extent | Real) -> Any:
        """Returns a size as the program has it; a formula may be one with a fraction."""
        if not isinstance(size, Size):
            return size
        if size.text in self.sizes:
            return self._enter_range(size, self.sizes[size.text])
        try:
            number = _graph.evaluate(size, self.symbols, program.FUNCTIONS)
        except KeyError as error:
            raise Unsupported(why_by_data(error.args[0])) from None
        except (NotImplementedError, TypeError) as error:
            raise Unsupported(f"the size {size} cannot be computed: {error}") from None
        self.sizes[size.text] = number
        return self._enter_range(size, number)

    def _enter_range(self, size: Size, number: Any) -> Any:
        if isinstance(number, Extent) and number.name not in self._ranges:
            self._ranges[number.name] = self.range(size)
        return number

    def range(self, number: int | Size | Extent) -> Range:
        """Returns what is known of a number for all calls."""
        if isinstance(number, Extent):
            return self._ranges.get(number.name, EVERYTHING)
        symbols = {
            name: (-math.inf if name in self.signed else low, high) for name, (low, high) in self.graph.symbols.items()
        }
        return range_of(number, symbols)

    def numbers(self, sizes: Sequence[int | Size]) -> list[Number]:
        """Returns sizes as the program has them."""
        return [self.number(size) for size in sizes]

    # Tensors.

    def refine(self, tensor: Tensor, type_: Type) -> Tensor:
        """Gives the tensor the extents that the graph tells of it."""
        value = tensor.value
        if value.element != type_.element or tensor.rank != len(type_.shape):
            raise Unsupported(f"its rule gives {tensor.rank} axes of {value.element}, but the graph has {type_}")
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
            self.builder.add("tensor.cast {} : {} to {}", name, value.type, refined.type, result=refined.name)
        return Tensor(refined, tensor.order)


def promote(*operands: Operand | float) -> str:
    """Returns the element type in which operands of one operation are compared or joined: numbers and tensors of rank 0
    do not widen other tensors of their kind."""
    ranks = {"i1": 0, "ui8": 1, "i8": 1, "i16": 2, "i32": 3, "i64": 4, "f16": 5, "bf16": 5, "f32": 6, "f64": 7}

    def kind(element: str) -> int:
        return 0 if element == "i1" else 2 if program.is_float(element) else 1

    found: dict[int, str | None] = {0: None, 1: None, 2: None}
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


def require_elements(c: Context, x: Tensor, axes: Sequence[int] | None, what: str) -> None:
    """Has each call check that the axes of a reduction, or all, have an element."""
    for axis in reduced(x, axes)[0]:
        message = f"the {what} along axis {axis} is of at least {{1}} element, but there are {{0}}"
        program.require(c.builder, "sge", x.extent(axis), 1, message)


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
    "require_elements",
]
