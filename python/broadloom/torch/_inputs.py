"""Makes the arguments of a program: the inputs of a graph, the symbols that they tell, and the guards of these."""

from __future__ import annotations

import ast
import dataclasses
import functools
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from .. import _program as program
from .._errors import UnsupportedOperations
from .._program import Extent, Real, extent
from .._tensors._formulas import spell_formula
from .._tensors._tensor import Number, Tensor, from_value
from ._complex import Pair, is_complex, part_type, split
from ._context import Context, Unsupported
from ._fixed import FixedExtent
from ._graph import COMPLEX_PARTS, ELEMENTS, Graph, Guard, Node, Size, Type, label_of, symbols_in
from ._guards import RequiredCondition, Words, require_guards
from ._names import Names
from ._stored import Stored


@dataclasses.dataclass(frozen=True)
class Given:
    """An argument of the program that is an input of the graph: a tensor, or a number."""

    input: int


def find_foreign(types: Sequence[Sequence[Type] | Type | None]) -> str | None:
    """Returns the first element type that programs have not."""
    for one in types:
        if isinstance(one, tuple) and (inner := find_foreign(one)):
            return inner
        if isinstance(one, Type) and one.element.startswith("torch."):
            return one.element
    return None


class NotImported:
    """The result of an operation that was not imported."""


class InputContext(Context):
    """A context whose program takes the inputs of the graph."""

    def __init__(self, graph: Graph, fixed: Sequence[FixedExtent], maker: str) -> None:
        super().__init__(graph)
        self.maker = maker
        self.fixed = fixed
        self.arguments: list[Given | Stored] = []
        self.problems: list[tuple[Node, str]] = []
        #: Guards that cannot be checked.
        self.unchecked: list[tuple[Node, str]] = []
        #: Guards of symbols that data decides, until what tells these is imported.
        self.waiting: list[Guard] = []
        self.sources: dict[str, tuple[Any, ...]] = {}
        #: Guards of what the types of arguments do not say.
        self.guards: list[Guard] = []
        self.words = Words({}, {})
        #: For each symbol, what it is in the language of loom.extents.
        self.formulas: dict[str, str] = {}

    def enter_inputs(self) -> None:
        inputs = [node for node in self.graph.nodes if node.target == "input"]
        self._find_symbols([node.type for node in inputs])
        promised = {}
        for number, node in enumerate(inputs):
            if isinstance(node.type, Type) and node.type.element in ELEMENTS:
                self._note_fixed(label_of(node), len(self.arguments))
                self.arguments.append(Given(number))
                promised[node.name] = [self._promise(size) for size in node.type.shape]
                self.values[node.name] = from_value(
                    self.builder.argument(node.type.element, promised[node.name], label_of(node))
                )
            elif is_complex(node.type):
                self._enter_complex(number, node)
        for name, source in self.sources.items():
            self._enter_symbol(name, source, inputs)
        for number, node in enumerate(inputs):
            if isinstance(self.values.get(node.name), Pair):
                continue
            if node.name in self.values:
                self._refine_input(node, promised[node.name])
            elif find_foreign([node.type]):
                # What takes it is an error.
                self.values[node.name] = NotImported
            elif node.type is not None:
                self.values[node.name] = size = node.result.shape[0]
                if (
                    isinstance(size, Size)
                    and node.result.element == "int"
                    and ("number", number) not in self.sources.values()
                ):
                    self.arguments.append(Given(number))
                    given = program.number_argument(self.builder, label_of(node))
                    self._compare(f"{node.name}_given", label_of(node), given, size)

    def _enter_complex(self, number: int, node: Node) -> None:
        """Adds an argument that has the parts of complex numbers in a last axis."""
        type_ = node.result
        self.arguments.append(Given(number))
        extents = [self._promise(size) for size in type_.shape]
        if None in extents:
            raise UnsupportedOperations([("input", None, f"complex numbers of the shape {type_}")])
        value = self.builder.argument(COMPLEX_PARTS[type_.element], [*extents, 2], label_of(node))
        for axis, size in enumerate(type_.shape):
            if isinstance(size, Size):
                self._note_extent(from_value(value), axis, size)
        self.values[node.name] = split(value)

    def _refine_input(self, node: Node, promised: list[Any]) -> None:
        """Gives an argument what the graph tells of its extents."""
        tensor = self.values[node.name]
        for axis, size in enumerate(node.result.shape):
            if promised[axis] is None:
                place = f"{label_of(node)}.shape[{axis}]"
                self._compare(f"{node.name}_{axis}_given", place, extent(tensor.value, axis), size)
            elif isinstance(size, Size):
                self._note_extent(tensor, axis, size)
        try:
            self.values[node.name] = self.refine(tensor, node.result)
        except Unsupported as problem:
            self.problems.append((node, str(problem)))

    def _compare(self, name: str, place: str, number: Number, size: int | Size) -> None:
        """Has each call check a number that is a formula of symbols; `name` becomes a symbol for it."""
        self.symbols[name] = number
        self.words.places[place] = number
        self.words.formulas[name] = place
        self.guards.append(Guard(Size(f"{name} == {size}")))

    def _note_fixed(self, name: str, argument: int) -> None:
        for fixed in self.fixed:
            if fixed.argument == name:
                self.builder.note_fixed(argument, fixed.axis, self.maker, fixed.argument, fixed.location, fixed.reason)

    def _note_extent(self, tensor: Tensor, axis: int, size: Size) -> None:
        if size.text not in self.sizes:
            self.sizes[size.text] = extent(tensor.value, axis)

    def _find_symbols(self, types: list[Any]) -> None:
        """Finds from which axis, or else which number, a call tells each symbol."""
        given = [(number, type_) for number, type_ in enumerate(types) if isinstance(type_, Type)]
        tensors = [(number, type_) for number, type_ in given if type_.element in (*ELEMENTS, *COMPLEX_PARTS)]
        for take in (_read_symbol, _read_multiple):
            for number, type_ in tensors:
                for axis, size in enumerate(type_.shape):
                    if (found := take(size)) and self._needs_source(found):
                        self._enter_source(found, number, axis)
        for number, type_ in given:
            if type_.element == "int" and (found := _read_symbol(type_.shape[0])) and self._needs_source(found):
                self.sources[found[0]] = ("number", number)

    def _needs_source(self, found: tuple[str, int, int]) -> bool:
        return found[0] not in self.sources and found[0] in self.graph.symbols

    def _enter_source(self, found: tuple[str, int, int], number: int, axis: int) -> None:
        name, factor, summand = found
        low, high = self.graph.symbols[name]
        self.sources[name] = ("input", number, axis, factor, summand)
        spelled = name if factor == 1 and summand == 0 else f"{name}_whole"
        if spelled == name:
            self.formulas[name] = name
        else:
            self.formulas[name] = f"(({spelled} - {summand}) floordiv {factor})"
        top = None if high is None else factor * high + summand
        if (low, top) != (0, None) or factor != 1:
            self.builder.limit(spelled, max(factor * low + summand, 0), top, factor)

    def _promise(self, size: Size | int) -> int | str | None:
        """Returns an extent of an argument, as `loom.extents` has it."""
        if isinstance(size, int):
            return size
        found = _read_symbol(size) or _read_multiple(size)
        if found and self.sources.get(found[0], ())[3:] == found[1:] and self.sources[found[0]][0] == "input":
            return found[0] if found[1:] == (1, 0) else f"{found[0]}_whole"
        return spell_formula(size.text, self.formulas)

    def _enter_symbol(self, name: str, source: tuple[Any, ...], inputs: list[Node]) -> None:
        if source[0] == "number":
            self.arguments.append(Given(source[1]))
            self.signed.add(name)
            self.symbols[name] = program.number_argument(self.builder, label_of(inputs[source[1]]))
            return
        _, number, axis, factor, summand = source
        tensor = self.values[inputs[number].name]
        whole = (tensor.real if isinstance(tensor, Pair) else tensor).extent(axis)
        self.symbols[name] = whole if (factor, summand) == (1, 0) else (whole - summand) // factor

    def require_guards(self) -> list[RequiredCondition]:
        """Has each call check the guards of the graph, and what the types of arguments do not say."""
        self._find_words()
        guards = [*self._limit_numbers(), *self.guards, *self.graph.guards]
        return self._require(guards)

    def _require(self, guards: Sequence[Guard]) -> list[RequiredCondition]:
        """Has each call check guards; those of symbols that data decides wait for what tells these."""
        own = symbols_in([node.type for node in self.graph.all_nodes() if node.target != "input"])
        late = own - self.words.formulas.keys()
        self.waiting = [guard for guard in guards if symbols_in(guard.condition) & late]
        with self.builder.naming(self.maker):
            now = [guard for guard in guards if guard not in self.waiting]
            required, problems = require_guards(self, now, self.words, self.locate)
        self._note_problems(problems)
        return required

    def _note_problems(self, problems: Sequence[tuple[Guard, str]]) -> None:
        self.unchecked += [
            (Node(guard.node or "", self.maker, location=guard.location), why) for guard, why in problems
        ]

    def bind_symbols(self, node: Node, result: Any, type_: Any, place: str) -> None:
        """Notes the symbols that the result of an operation tells, since its data decide them."""
        if isinstance(type_, tuple):
            for at, (one, inner) in enumerate(zip(result, type_)):
                self.bind_symbols(node, one, inner, f"{place}[{at}]")
        elif isinstance(result, Pair):
            self.bind_symbols(node, result.real, part_type(type_), place)
        elif isinstance(type_, Type) and isinstance(result, Tensor) and type_.element in ELEMENTS:
            for axis, size in enumerate(type_.shape[: result.rank]):
                if isinstance(size, Size) and size.text.isidentifier():
                    self._bind(size.text, functools.partial(result.extent, axis), f"{place}.shape[{axis}]")
        elif isinstance(type_, Type) and isinstance(result, (Extent, Real, int)):
            (size,) = type_.shape
            if isinstance(size, Size):
                # Whether an element holds is whether its number is 1.
                (name, *others) = symbols_in(size)
                if not others and (size.text == name or type_.element == "bool"):
                    self.signed.add(name)
                    self._bind(name, lambda: result, place)
            elif isinstance(result, Extent):
                message = f"{program.escape_message(place)} is {{0}}, but what was traced holds for {{1}} alone"
                program.require(self.builder, "eq", result, int(size), message)

    def _bind(self, name: str, find: Callable[[], Any], place: str) -> None:
        if name in self.symbols:
            return
        self.symbols[name] = number = find()
        if isinstance(number, Real):
            return
        self.words.places[place], self.words.formulas[name] = number, place
        known = self.words.formulas.keys()
        ready = [guard for guard in self.waiting if symbols_in(guard.condition) <= known]
        if ready:
            self.waiting = [guard for guard in self.waiting if guard not in ready]
            with self.builder.naming(self.maker, is_own=True):
                self._note_problems(require_guards(self, ready, self.words, self.locate, "")[1])

    def _limit_numbers(self) -> Iterator[Guard]:
        """Yields the ranges of numbers, as guards. Their lower end of 0 says nothing."""
        for name in self.signed:
            low, high = self.graph.symbols[name]
            if low > 0:
                yield Guard(Size(f"{name} >= {low}"))
            if high is not None:
                yield Guard(Size(f"{name} <= {high}"))

    def _find_words(self) -> None:
        inputs = [node for node in self.graph.nodes if node.target == "input"]
        for node in inputs:
            # An argument that is None in the export has no value.
            tensor = self.values.get(node.name)
            tensor = tensor.real if isinstance(tensor, Pair) else tensor
            if not isinstance(tensor, Tensor):
                continue
            for axis in range(tensor.rank):
                if isinstance(node.result.shape[axis], Size):
                    # What is compared with its formula stands for itself.
                    self.words.places.setdefault(f"{label_of(node)}.shape[{axis}]", tensor.extent(axis))
        for name, (kind, number, *rest) in self.sources.items():
            place = label_of(inputs[number])
            if kind == "number":
                self.words.places[place] = self.symbols[name]
                self.words.formulas[name] = place
                continue
            axis, factor, summand = rest
            place = f"{place}.shape[{axis}]" + (f" - {summand}" if summand else "")
            self.words.formulas[name] = place if factor == 1 else f"({place}) // {factor}"

    def find_names(self) -> Names:
        """Finds what the user calls extents that have no name of the user's."""
        inputs = [node for node in self.graph.nodes if node.target == "input"]
        extents = {}
        for name, (kind, number, *rest) in self.sources.items():
            if kind == "input":
                axis, factor, summand = rest
                is_whole = (factor, summand) == (1, 0)
                if not is_whole or re.fullmatch(r"[a-z]{1,2}\d+", name):
                    extents[name if is_whole else f"{name}_whole"] = f"{label_of(inputs[number])}.shape[{axis}]"
        return Names(extents)

    def locate(self, location: str | None) -> None:
        """Places what follows at this 'file:line'."""
        if not location:
            self.builder.place(None)
            return
        file, _, line = location.rpartition(":")
        self.builder.place(file or location, int(line) if line.isdigit() else 0)


def _read_symbol(size: Size | int) -> tuple[str, int, int] | None:
    """Reads a size that is a symbol."""
    if isinstance(size, Size) and size.text.isidentifier():
        return size.text, 1, 0
    return None


def _read_multiple(size: Size | int) -> tuple[str, int, int] | None:
    """Reads a size that is a number times a symbol, plus a number."""
    if not isinstance(size, Size):
        return None
    match ast.parse(size.text, mode="eval").body:
        case ast.BinOp(left, ast.Add() | ast.Sub() as sign, ast.Constant(int(summand))):
            summand = summand if isinstance(sign, ast.Add) else -summand
        case left:
            summand = 0
    match left:
        case ast.BinOp(ast.Constant(int(factor)), ast.Mult(), ast.Name(name)) if factor > 0:
            return name, factor, summand
        case ast.BinOp(ast.Name(name), ast.Mult(), ast.Constant(int(factor))) if factor > 0:
            return name, factor, summand
        case ast.Name(name):
            return name, 1, summand
    return None
