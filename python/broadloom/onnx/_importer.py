"""From a graph of ONNX to a program."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from numpy.typing import NDArray

from .._errors import UnsupportedOperations
from .._program import Written
from . import (  # noqa: F401  # noqa: F401  # noqa: F401
    _activations,
    _attention,
    _bits,
    _control,
    _counted,
    _determinants,
    _early,
    _elementwise,
    _fourier,
    _grams,
    _images,
    _indexing,
    _layout,
    _learning,
    _linear_attention,
    _losses,
    _microsoft,
    _microsoft_attention,
    _microsoft_experts,
    _microsoft_forms,
    _microsoft_grouped,
    _microsoft_images,
    _microsoft_quantized,
    _microsoft_sparse,
    _microsoft_weights,
    _norms,
    _parts,
    _pools,
    _products,
    _quantized,
    _random,
    _ranges,
    _recurrent,
    _reductions,
    _regions,
    _resize,
    _samples,
    _sampling,
    _scatter,
    _sequences,
    _shapes,
    _unpooling,
)
from ._claims import check_outputs
from ._context import NEWEST, OLDEST, Context, Known, Tensor, Unsupported, find_rule
from ._forks import Scope
from ._inputs import enter_inputs
from ._misfits import is_told, require_kinds, spell_given
from ._model import Array, Function, Graph, Model, Node, Reference, Unread
from ._narrow import NarrowTensor, call_narrow_rule, from_array, release
from ._narrow_types import Narrow
from ._optionals import Nothing, refuse_nothing
from ._order import order_nodes
from ._single import take_single

_ADVICE = "replace {them} in the model, for instance with onnx.helper, or export the model otherwise"
#: What rules raise for inputs and attributes of other shapes or kinds.
_MISFITS = (ValueError, TypeError, ArithmeticError, LookupError, AttributeError, AssertionError, StopIteration)
#: So many inputs of a node are named in messages.
_TOLD = 4
#: Functions of a model that call one another.
_DEEPEST = 100
#: So many calls of a model's functions are imported. Functions that call others twice have a number of calls that grows
#: with 2 to the power of their number.
_MOST_CALLS = 50_000
#: So many nodes of branches and of bodies of loops are imported, each as often as it is imported. The body of a loop is
#: imported twice, so that loops in loops have a number that grows with 2 to the power of their depth.
_MOST_INNER = 200_000


class _NotImported:
    """The result of a node that was not imported."""


@dataclasses.dataclass
class Imported:
    """A program."""

    written: Written
    #: Arguments behind the inputs.
    weights: list[NDArray[Any]]
    #: The inputs and the results that the program holds in bytes, by their numbers.
    narrow_inputs: dict[int, Narrow]
    narrow_results: dict[int, Narrow]


def check_opsets(opsets: Mapping[str, int]) -> str | None:
    """Describes what is wrong with the versions of a model's operators."""
    version = opsets.get("", NEWEST)
    if version > NEWEST:
        return (
            f"the model has opset {version}, but the newest that is known is {NEWEST}; "
            "convert it with onnx.version_converter"
        )
    if version < OLDEST:
        return (
            f"the model has opset {version}, but the oldest that is known is {OLDEST}; "
            "convert it with onnx.version_converter"
        )
    return None


class Importer(Context):
    """Imports the nodes of a model, and of the graphs in it."""

    def __init__(self, model: Model, name: str) -> None:
        super().__init__()
        self.model = model
        self.name = name
        self.opsets = dict(model.opsets)
        self.values: dict[str, Any] = {}
        self.problems: list[tuple[str, str, str]] = []
        #: The nodes at hand.
        self.scope = Scope(())
        self._depth = self._calls = self._inner = 0

    # Operations.

    def run(
        self, shapes: Mapping[str, Sequence[Any]], constants: Mapping[str, Any], checks_outputs: bool = True
    ) -> Imported:
        """Returns the program of the model. With `checks_outputs`, its outputs are what it declares."""
        graph = self.model.graph
        stated = enter_inputs(self, graph, shapes, constants)
        wrong = check_opsets(self.opsets)
        if wrong:
            raise UnsupportedOperations([("opset", self.name, wrong)], (), "convert the model")
        lines = {id(node): node.number for node in graph.nodes}
        self.import_nodes(Scope(graph.nodes, graph.outputs, graph.types, lines=lines))
        self.builder.place(None)
        self._check_outputs(graph)
        if self.problems:
            listed = [(operation, f"{self.name}: {location}", why) for operation, location, why in self.problems]
            raise UnsupportedOperations(listed, (), _ADVICE)
        if checks_outputs:
            labels = {name: (node.number, _label(node)) for node in graph.nodes for name in node.outputs}
            check_outputs(self, graph, stated, labels)
        given = [self.values[name] for name in graph.outputs]
        _, tensors = _sequences.take_apart([value for value in given if not isinstance(value, Nothing)])
        results = [self.value(release(tensor)) for tensor in tensors]
        narrow = {at: tensor.kind for at, tensor in enumerate(tensors) if isinstance(tensor, NarrowTensor)}
        return Imported(self.builder.write(results), self.weights, stated.narrow, narrow)

    def _check_outputs(self, graph: Graph) -> None:
        for name in graph.outputs:
            value = self.values.get(name)
            if value is None:
                self.problems.append(("output", f"the output {name!r}", "no node gives it"))
            elif (
                not isinstance(value, (Tensor, Known, NarrowTensor, Nothing, _sequences.TensorSequence))
                and value is not _NotImported
            ):
                self.problems.append(("output", f"the output {name!r}", "it is no tensor"))

    def import_nodes(self, scope: Scope) -> None:
        """Enters the results of nodes."""
        outer, self.scope = self.scope, scope
        try:
            scope.nodes = order_nodes(scope.nodes)
            for node in scope.nodes:
                if id(node) not in scope.done:
                    self.import_line(node)
        finally:
            self.scope = outer

    def import_line(self, node: Node) -> None:
        """Enters the results of one of the nodes at hand."""
        self.place_node(node)
        self.import_node(node)

    def place_node(self, node: Node) -> None:
        """Places what follows at a node of the model's own; nodes of other functions leave the place as it is."""
        line = self.scope.lines.get(id(node))
        if line is not None:
            self.builder.place(self.name, line, 1)

    def import_node(self, node: Node) -> None:
        """Enters the node's results."""
        outer, self.node = self.node, node
        inputs: list[Any] = []
        try:
            inputs = [self._read(name) for name in node.inputs]
            while inputs and inputs[-1] is None:
                inputs.pop()
            if any(value is _NotImported for value in inputs):
                results: Any = _NotImported
            else:
                with self.builder.naming(_label(node), is_own=True):
                    results = self._apply(node, inputs)
        except Unsupported as problem:
            self._report(node, str(problem))
            results = _NotImported
        except _MISFITS as problem:
            told = str(problem) if is_told(problem) else spell_given(inputs, node.attributes)
            self._report(node, f"it does not fit what it is given: {told}")
            results = _NotImported
        finally:
            self.node = outer
        if results is _NotImported:
            results = [_NotImported] * len(node.outputs)
        elif not isinstance(results, (list, tuple)):
            results = [results]
        for number, name in enumerate(node.outputs):
            if name:
                self.values[name] = results[number] if number < len(results) else _NotImported

    def _report(self, node: Node, why: str) -> None:
        if not why:
            return
        version = self.opsets.get(node.domain)
        name = (f"{node.domain}." if node.domain else "") + node.operation
        told = [
            *([f"inputs {_list_inputs(node)}"] if any(node.inputs) else []),
            *([f"opset {version}"] if version else []),
        ]
        self.problems.append((name, node.location, why + (f" ({'; '.join(told)})" if told else "")))

    def _read(self, name: str) -> Any:
        if not name:
            return None
        if name not in self.values:
            giver = next((node.location for node in self.scope.nodes if name in node.outputs), None)
            more = f", but by {giver}, which lies on a cycle or behind one" if giver else ""
            raise Unsupported(f"its input {name!r} is given by no input, constant or node before it{more}")
        return self.values[name]

    def _apply(self, node: Node, inputs: Sequence[Any]) -> Any:
        function = self.model.functions.get((node.domain, node.operation, node.overload))
        if function is not None:
            return self._inline(node, function, inputs)
        rule = find_rule(node, self.opset)
        _sequences.refuse_sequences(node.operation, inputs)
        refuse_nothing(node.operation, inputs)
        for name, value in node.attributes.items():
            if isinstance(value, Unread) and (node.operation, name) != ("Optional", "type"):
                raise Unsupported(f"its attribute {name!r} is of the kind {value.kind!r}, which is not imported")
        attributes = {
            name: from_array(value) if isinstance(value, Array) else value for name, value in node.attributes.items()
        }
        require_kinds(node, inputs)
        results = call_narrow_rule(self, rule, take_single(self, node, inputs), attributes)
        wanted = self.outputs
        made = len(results) if isinstance(results, (list, tuple)) else 1
        if made < wanted:
            raise Unsupported(f"its output {made}, {node.outputs[made]!r}, is not computed")
        return results

    def _inline(self, node: Node, function: Function, inputs: Sequence[Any]) -> list[Any]:
        """Imports a function of the model's own, and returns its results."""
        if self._depth >= _DEEPEST:
            raise Unsupported(f"functions of the model call one another more than {_DEEPEST} deep")
        self._calls += 1
        if self._calls > _MOST_CALLS:
            raise Unsupported(f"nodes call functions of the model more than {_MOST_CALLS:,} times")
        attributes = {**function.defaults, **node.attributes}
        outer = self.values, self.opsets
        self.values = dict(zip(function.inputs, [*inputs, *[None] * len(function.inputs)]))
        self.values = {name: value for name, value in self.values.items() if name}
        self.opsets = function.opsets
        self._depth += 1
        try:
            self.import_nodes(
                Scope([_with_attributes(inner, attributes) for inner in function.nodes], function.outputs)
            )
            return [self.values.get(name, _NotImported) for name in function.outputs]
        finally:
            self.values, self.opsets = outer
            self._depth -= 1

    def import_graph(self, graph: Graph, inputs: Sequence[Any] = ()) -> list[Any]:
        """Imports a branch or a body, which sees the values around it, and returns its results."""
        self._inner += len(graph.nodes)
        if self._inner > _MOST_INNER:
            raise Unsupported(f"branches and bodies of loops in each other are more than {_MOST_INNER:,} nodes")
        outer, self.values = self.values, dict(self.values)
        try:
            for (name, _), value in zip(graph.inputs, inputs):
                self.values[name] = value
            for name, array in graph.constants.items():
                self.values[name] = from_array(array)
            self.import_nodes(Scope(graph.nodes, graph.outputs, graph.types))
            missing = [name for name in graph.outputs if name not in self.values]
            if missing:
                raise Unsupported(f"no node of its graph {graph.name!r} gives {missing[0]!r}")
            return [self.values[name] for name in graph.outputs]
        finally:
            self.values = outer


def _label(node: Node) -> str:
    """Describes a node for messages: its operator, its name, and the names of its inputs."""
    inputs = f" ({_list_inputs(node)})" if any(node.inputs) else ""
    return f"{node.operation}{f' {node.name}' if node.name else ''}{inputs}"


def _list_inputs(node: Node) -> str:
    """Lists the names of a node's inputs, of many the first."""
    names = [name for name in node.inputs if name]
    return ", ".join([*names[:_TOLD], *(["..."] if len(names) > _TOLD else [])])


def _with_attributes(node: Node, given: Mapping[str, Any]) -> Node:
    """Replaces the references of a function's node to the function's attributes."""
    made = {}
    for name, value in node.attributes.items():
        if isinstance(value, Reference):
            value = given.get(value.name)
            if value is None:
                continue
        elif isinstance(value, Graph):
            value = dataclasses.replace(value, nodes=[_with_attributes(n, given) for n in value.nodes])
        made[name] = value
    return dataclasses.replace(node, attributes=made)
