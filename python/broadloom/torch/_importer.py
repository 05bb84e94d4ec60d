"""From a graph of ATen operations to a program."""

from __future__ import annotations

import ast
import dataclasses
import re
import types
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _program as program
from .._errors import UnsupportedOperations, UnsupportedTypes
from .._program import Real, Value, Written
from .._tensors._tensor import Held, Tensor, from_value, to_value
from . import (  # noqa: F401
    _bits,
    _complex_functions,
    _control,
    _counted,
    _divisors,
    _elementwise,
    _flex,
    _images,
    _indexing,
    _layers,
    _linear,
    _norms,
    _pools,
    _products,
    _quantized,
    _recurrent,
    _resized,
    _scatter,
    _shapes,
    _sorting,
    _special,
    _strided,
    _sums,
    _vision,
)
from ._complex import COMPLEX, Pair, is_complex, join, part_type, refuse, split
from ._context import OPERATIONS, Missing, Unsupported, why_by_data
from ._fixed import FixedExtent
from ._folding import find_folded
from ._graph import COMPLEX_PARTS, Element, Graph, Guard, Node, Reference, Size, Type, label_of, names_in, symbols_in
from ._guards import RequiredCondition
from ._inputs import Given, InputContext, NotImported, find_foreign
from ._names import Names
from ._stored import Operand, Stored


@dataclasses.dataclass
class Imported:
    """A program, and what it is called with."""

    written: Written
    #: A Given, or what is Stored, for each argument of the program.
    arguments: list[Given | Stored]
    #: For each output of the graph: the number of a result of the program; ('input',
    #: n) for an input that is returned; ('size', Size); or ('constant', value).
    outputs: list[Any]
    #: What each symbol is: ('input', n, axis, factor, summand) or ('number', n).
    symbols: dict[str, tuple[Any, ...]]
    #: What each call must fulfil besides.
    required: list[RequiredCondition]
    names: Names
    #: The user's names of the graph's inputs.
    labels: list[str]

    @property
    def text(self) -> str:
        """The program as text, with all its constants."""
        return self.written.text


#: How the names of operations begin that only modules in training mode have.
_OF_TRAINING = ("aten._native_batch_norm_legit", "aten.native_dropout", "aten.rrelu_with_noise")
#: The names of operations that draw random numbers.
_RANDOM = re.compile(
    r"aten\.(rand|bernoulli|multinomial|normal|exponential|cauchy|geometric|log_normal|poisson|uniform)"
)


def _why_not(target: str) -> str:
    why = "the importer has no rule for it"
    if target.startswith(_OF_TRAINING):
        why += "; it is of a module in training mode: call .eval() on the module"
    elif _RANDOM.match(target):
        why += "; it draws random numbers: call .eval() on the module, or give them to it as an argument"
    return why


def _why_foreign(element: str) -> str:
    others = "bool, int8 to int64, uint8, float16, bfloat16, float32, float64"
    return f"there are no elements of type {element} in programs; there are: {others}"


#: Gives the elements of what is Stored, for a program that has its weights inside.
Evaluate = Callable[[Stored], NDArray[Any]]


class _Import(InputContext):
    def __init__(
        self,
        graph: Graph,
        evaluate: Evaluate | None,
        fixed: Sequence[FixedExtent],
        advice: str,
        maker: str,
        first: Mapping[str, NDArray[Any]],
    ) -> None:
        super().__init__(graph, fixed, maker)
        self.first = first
        self.advice = advice
        self.evaluate = evaluate
        self.has_foreign = False
        self.types = {node.name: node.type for node in graph.nodes}
        self._weights: dict[Stored, Value] = {}

    def bind(self, held: Held) -> Value:
        assert isinstance(held, Stored)
        if self.evaluate is not None:
            return self.builder.constant(self.evaluate(held), held.element)
        # A region may need what another one has bound.
        if held not in self._weights:
            self.arguments.append(held)
            self._weights[held] = self.builder.argument(held.element, held.shape, min(held.weights), is_constant=True)
        return self._weights[held]

    # Operations.

    def run(self) -> Imported:
        self.folded = find_folded(self.graph)
        self.enter_inputs()
        required = self.require_guards()
        self._import_nodes(self.graph)
        self.builder.place(None)
        outputs, results = self._finish()
        self._write_variables()
        self._note_problems([(guard, _why_waiting(guard)) for guard in self.waiting if guard.is_needed])
        # A guard may be about a number of an operation that is a problem itself.
        self.problems = self.problems or self.unchecked
        if self.problems:
            kind = UnsupportedTypes if self.has_foreign else UnsupportedOperations
            raise kind(
                [(n.target, n.location, why) for n, why in self.problems],
                [n.name for n, _ in self.problems],
                self.advice,
            )
        written = self.builder.write(results)
        labels = [label_of(node) for node in self.graph.nodes if node.target == "input"]
        return Imported(written, self.arguments, outputs, self.sources, required, self.find_names(), labels)

    def _import_nodes(self, graph: Graph) -> None:
        self.values.update(graph.inner)
        for node in graph.nodes:
            if node.target != "input":
                self.values[node.name] = self._import_node(node)

    def import_inner(self, graph: Graph, operands: Sequence[Any], is_mapped: bool = False) -> list[Any]:
        outer, values = (self.node, self.folded, self.types, self.nodes, self.is_mapped), dict(self.values)
        self.is_mapped = is_mapped
        # Its nodes may have names of nodes outside.
        self.folded, self.nodes = {}, {node.name: node for node in graph.nodes}
        self.types = {**self.types, **{node.name: node.type for node in graph.nodes}}
        inputs = [node for node in graph.nodes if node.target == "input"]
        try:
            for node, operand in zip(inputs, operands, strict=True):
                self.bind_symbols(node, operand, node.type, node.name)
                self.values[node.name] = operand
            self._import_nodes(graph)
            results = [self.resolve(output, False) for output in graph.outputs]
        finally:
            self.node, self.folded, self.types, self.nodes, self.is_mapped = outer
            self.values.clear()
            self.values.update(values)
        if any(result is NotImported for result in results):
            # Its problems have been told.
            raise Unsupported("")
        return results

    def _import_node(self, node: Node) -> Any:
        self.node = node
        try:
            self._require_types(node)
            if node.target in ("weight", "constant"):
                return self._enter_weight(node)
            if node.target == "variable":
                return self._enter_variable(node)
            if node.target == "getitem":
                return self._get(node)
            return self._apply(node)
        except Unsupported as problem:
            if str(problem):
                self.problems.append((node, str(problem)))
        except (ValueError, TypeError, OverflowError) as problem:
            self.problems.append((node, f"{type(problem).__name__}: {problem}"))
        return NotImported

    def _require_types(self, node: Node) -> None:
        given = [*node.args, *node.kwargs.values()]
        elements = [Type(e.name, ()) for e in given if isinstance(e, Element)]
        has_rule = node.target in COMPLEX or node.target in ("getitem", "weight", "constant")
        if self._is_complex(node) and not has_rule:
            self.has_foreign = True
            raise refuse(node.target)
        foreign = find_foreign([*(self.types.get(name) for name in names_in(given)), node.type, *elements])
        if foreign is not None and foreign not in COMPLEX_PARTS:
            self.has_foreign = True
            raise Unsupported(_why_foreign(foreign))

    def _is_complex(self, node: Node) -> bool:
        """Tells whether an operation takes or gives complex numbers."""
        given = (self.types.get(name) for name in names_in([*node.args, *node.kwargs.values()]))
        return is_complex(node.type) or any(map(is_complex, given))

    def _apply(self, node: Node) -> Any:
        if self._is_complex(node):
            rule, takes_stored = COMPLEX[node.target], False
        elif node.target in OPERATIONS:
            rule, takes_stored = OPERATIONS[node.target]
        else:
            raise Unsupported(_why_not(node.target))
        args = [self.resolve(arg, takes_stored) for arg in node.args]
        kwargs = {key: self.resolve(arg, takes_stored) for key, arg in node.kwargs.items()}
        if _is_incomplete(args) or _is_incomplete(list(kwargs.values())):
            return NotImported
        if node.location:
            self.locate(node.location)
        with self.builder.naming(node.target):
            result = rule(self, *args, **kwargs)
            self.node = node
            self.bind_symbols(node, result, node.type, node.name)
            return self._refine(result, node.type)

    def _refine(self, result: Any, type_: Any) -> Any:
        if isinstance(result, tuple):
            return tuple(self._refine(r, t) for r, t in zip(result, type_))
        if isinstance(result, Tensor) and isinstance(type_, Type):
            return result if self.is_mapped else self.refine(result, type_)
        if isinstance(result, Pair):
            return Pair(*(self.refine(part, part_type(type_)) for part in (result.real, result.imaginary)))
        return result

    def _enter_weight(self, node: Node) -> Operand | Pair:
        if is_complex(node.type):
            whole = Type(COMPLEX_PARTS[node.result.element], (*node.result.shape, 2))
            return split(to_value(self.tensor(self._enter_weight(dataclasses.replace(node, type=whole)))))
        element, shape = node.result.element, [size for size in node.result.shape if isinstance(size, int)]
        if node.target == "constant":
            array = np.asarray(node.args[0]).astype(program.to_numpy(element))
            return from_value(self.builder.constant(array.reshape(shape), element))
        if len(shape) < len(node.result.shape):
            raise Unsupported("a weight with an open extent")
        return Stored(element, tuple(shape), "weight", (node.args[0],))

    def _enter_variable(self, node: Node) -> Tensor:
        """Declares a variable. Its extents tell symbols that no input does, and must be what the graph says."""
        name, type_ = node.args[0], node.result
        extents = [size if isinstance(size, int) else None for size in type_.shape]
        value = from_value(self.builder.variable(name, type_.element, extents, self._first_value(node)))
        known = [
            size if isinstance(size, Size) and symbols_in(size) <= self.symbols.keys() else None for size in type_.shape
        ]
        self.bind_symbols(node, value, type_, name)
        for axis, size in enumerate(known):
            if size is not None:
                message = f"the variable '{name}' has extent {{0}} along axis {axis}, but {{1}} is needed"
                program.require(self.builder, "eq", value.extent(axis), self.number(size), message)
        return self.refine(value, type_)

    def _first_value(self, node: Node) -> NDArray[Any]:
        if node.args[0] in self.first:
            return self.first[node.args[0]]
        shape = [size if isinstance(size, int) else 0 for size in node.result.shape]
        return np.zeros(shape, program.to_numpy(node.result.element))

    def _write_variables(self) -> None:
        """Gives variables their values for the next call."""
        declared = {node.args[0]: node for node in self.graph.nodes if node.target == "variable"}
        for name, output in self.graph.writes.items():
            value, node = self.resolve(output, False), declared[name]
            if value is NotImported or self.values[node.name] is NotImported or output == Reference(node.name):
                continue
            extents = [size if isinstance(size, int) else None for size in node.result.shape]
            self.builder.write_variable(name, extents, to_value(self.refine(value, node.result)))

    def _get(self, node: Node) -> Any:
        whole = self.values[node.args[0].name]
        if whole is NotImported:
            return NotImported
        item = whole[node.args[1]]
        if isinstance(item, Missing):
            raise Unsupported(f"a result that is not computed: {item.why}")
        return item

    def resolve(self, arg: Any, takes_stored: bool) -> Any:
        """Returns an argument of a node as rules take it."""
        if isinstance(arg, Reference):
            value = self.values[arg.name]
            if isinstance(value, Stored) and not takes_stored:
                return self.tensor(value)
            if isinstance(value, Size):
                return self.number(value)
            return value
        if isinstance(arg, Size):
            return self.number(arg)
        if isinstance(arg, (list, tuple)):
            return [self.resolve(item, takes_stored) for item in arg]
        if isinstance(arg, Element):
            return arg.name
        return arg

    def _finish(self) -> tuple[list[Any], list[Value]]:
        outputs: list[Any] = []
        results: list[Value] = []
        numbers: dict[str, int] = {}
        inputs = [node.name for node in self.graph.nodes if node.target == "input"]
        for output in self.graph.outputs:
            if isinstance(output, Reference):
                value = self.values[output.name]
                if output.name in inputs:
                    outputs.append(("input", inputs.index(output.name)))
                elif isinstance(value, Pair):
                    results.append(join(value))
                    outputs.append(("complex", len(results) - 1))
                elif isinstance(value, (Tensor, Stored)):
                    if output.name not in numbers:
                        numbers[output.name] = len(results)
                        results.append(to_value(self.tensor(value)))
                    outputs.append(numbers[output.name])
                elif value is not NotImported:
                    outputs.append(self._number_output(value, results))
            elif isinstance(output, Size):
                outputs.append(self._number_output(output, results))
            else:
                outputs.append(("constant", output))
        return outputs, results

    def _number_output(self, value: Any, results: list[Value]) -> tuple[str, Any]:
        """Describes a number that is returned: each call computes it from its inputs, and the program where data
        decide it."""
        names = symbols_in(value)
        if names <= self.sources.keys():
            return "size", value
        try:
            number = self.number(value)
        except Unsupported as problem:
            self.problems.append((Node("output", "return"), str(problem)))
            return "size", value
        element = "f64" if isinstance(number, Real) else "i64"
        results.append(program.scalar(self.builder, number, element))
        return "number", (len(results) - 1, _is_condition(value))


def _is_condition(value: Any) -> bool:
    """Tells whether a formula says that something holds."""
    return isinstance(ast.parse(str(value), mode="eval").body, (ast.Compare, ast.BoolOp)) or str(value)[:4] == "not "


def _why_waiting(guard: Guard) -> str:
    """Returns what is said of a guard whose symbols nothing tells."""
    why = why_by_data(min(symbols_in(guard.condition)))
    return f"the guard {guard.text or guard.condition} cannot be checked: {why}"


def _is_incomplete(args: Sequence[Any]) -> bool:
    return any(arg is NotImported or (isinstance(arg, list) and _is_incomplete(arg)) for arg in args)


def import_graph(
    graph: Graph,
    evaluate: Evaluate | None = None,
    fixed: Sequence[FixedExtent] = (),
    advice: str = "write {them} otherwise",
    maker: str = "torch.export",
    first: Mapping[str, NDArray[Any]] = types.MappingProxyType({}),
) -> Imported:
    """Returns the program of a graph. With `evaluate`, weights are constants of the program; else they are arguments,
    those that a layout or a sum is made of as that. Reports of the program say what is `fixed`, and that `maker` has
    fixed it. Variables begin with the values of `first`, and with zeros where it has none.

    Raises UnsupportedOperations with all operations that have no rule, and the advice."""
    return _Import(graph, evaluate, fixed, advice, maker, first).run()
