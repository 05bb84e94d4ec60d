"""From a graph of ONNX to a program."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .. import _program as program
from .._errors import UnsupportedOperations
from .._tensors._formulas import spell_formula
from . import _activations, _attention, _control, _elementwise, _images, _indexing, _layout, _norms  # noqa: F401
from . import _parts, _pools, _products, _quantized, _recurrent, _reductions, _resize, _sampling  # noqa: F401
from . import _scatter, _sequences, _shapes  # noqa: F401
from ._context import (
    NEWEST,
    OLDEST,
    Context,
    Known,
    Tensor,
    Unsupported,
    call_rule,
    find_rule,
    plain,
)
from ._misfits import is_told, spell_given
from ._model import Array, Function, Graph, Model, Node, Reference, Type, Unread

_ADVICE = "replace them in the model, for instance with onnx.helper, or export it otherwise"
#: What rules raise for inputs and attributes of other shapes or kinds.
_MISFITS = (ValueError, TypeError, ArithmeticError, LookupError, AttributeError, AssertionError, StopIteration)
#: Functions of a model that call one another.
_DEEPEST = 100
#: Texts that exporters write for an extent without a name.
_NO_NAMES = ("", "?", "None")
#: Words of the language of loom.extents, which are no names there.
_WORDS = ("where", "to", "step", "floordiv", "ceildiv", "mod")


class _Broken:
    """The result of a node that was not imported."""


@dataclasses.dataclass
class Imported:
    """A program, and what its arguments and results are called in the model."""

    text: str
    inputs: list[str]
    outputs: list[str]
    #: Arguments behind the inputs.
    weights: list[np.ndarray]


def check_opsets(opsets: Mapping[str, int]) -> str | None:
    """What is wrong with the versions of a model's operators."""
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

    def __init__(self, model: Model, name: str):
        super().__init__()
        self.model = model
        self.name = name
        self.opsets = dict(model.opsets)
        self.values: dict[str, Any] = {}
        self.problems: list[tuple[str, str, str]] = []
        self._depth = 0

    # What the program is given.

    def enter_inputs(self, shapes: Mapping[str, Sequence], constants: Mapping[str, Any]) -> list[str]:
        """Makes arguments of the graph's inputs but for those that are constants."""
        graph = self.model.graph
        given = [(name, kind) for name, kind in graph.inputs if name not in graph.constants]
        _check_names("constants", constants, [name for name, _ in graph.inputs])
        _check_names("shapes", shapes, [name for name, _ in given if name not in constants])
        types = {name: self._type_of(name, kind, shapes) for name, kind in given if name not in constants}
        names = _name_extents([t.shape for t in types.values()])
        for name, kind in given:
            if name in constants:
                self.values[name] = _make_constant(name, kind, constants[name])
                continue
            axes = [names(extent) for extent in types[name].shape]
            self.values[name] = plain(self.builder.argument(types[name].element, axes))
        for name, array in graph.constants.items():
            chosen = constants.get(name)
            self.values[name] = Known(array.array, array.element) if chosen is None else _make_constant(
                name, Type(array.element, None), chosen
            )  # fmt: skip
        return list(types)

    def _type_of(self, name: str, kind: Type | str | None, shapes: Mapping[str, Sequence]) -> Type:
        if not isinstance(kind, Type):
            raise TypeError(f"{self.name}: error: the input {name!r} has no type that can be imported: "
                            f"{kind or 'the model does not give it'}")  # fmt: skip
        chosen = shapes.get(name)
        if kind.shape is None:
            if chosen is None:
                raise ValueError(
                    f"{self.name}: error: the input {name!r} has no shape in the model; "
                    f"give shapes={{{name!r}: (...)}}, where None is an open extent"
                )
        elif chosen is None:
            return kind
        if isinstance(chosen, str) or not isinstance(chosen, Sequence):
            raise TypeError(f"{self.name}: error: shapes= gives the input {name!r} {chosen!r}, which is no list of extents")
        if kind.shape is not None and len(chosen) != len(kind.shape):
            raise ValueError(f"{self.name}: error: the input {name!r} has {len(kind.shape)} axes, "
                             f"but shapes= gives {len(chosen)}")  # fmt: skip
        for axis, theirs in enumerate(chosen):
            if not (theirs is None or isinstance(theirs, (int, str)) and not isinstance(theirs, bool)):
                raise TypeError(f"{self.name}: error: the extent {theirs!r} of the input {name!r}, axis {axis}, is no "
                                "number, name or None")  # fmt: skip
            if isinstance(theirs, int) and theirs < 0:
                raise ValueError(f"{self.name}: error: the extent {theirs} of the input {name!r}, axis {axis}, "
                                 "is negative")  # fmt: skip
        return Type(kind.element, tuple(chosen))

    # Operations.

    def run(self, shapes: Mapping[str, Sequence], constants: Mapping[str, Any]) -> Imported:
        """The program of the model."""
        inputs = self.enter_inputs(shapes, constants)
        wrong = check_opsets(self.opsets)
        if wrong:
            raise UnsupportedOperations([("opset", self.name, wrong)], (), "convert the model")
        graph = self.model.graph
        for number, node in enumerate(graph.nodes):
            self.builder.place(self.name, number + 1, 1)
            self.import_node(node)
        self.builder.place(None)
        self._check_outputs(graph)
        if self.problems:
            listed = [(operation, f"{self.name}: {location}", why) for operation, location, why in self.problems]
            raise UnsupportedOperations(listed, (), _ADVICE)
        results = [self.value(self.values[name]) for name in graph.outputs]
        return Imported(self.builder.finish(results), inputs, list(graph.outputs), self.weights)

    def _check_outputs(self, graph: Graph) -> None:
        for name in graph.outputs:
            value = self.values.get(name)
            if value is None:
                self.problems.append(("output", f"the output {name!r}", "no node gives it"))
            elif isinstance(value, _sequences.TensorSequence):
                why = f"it is {value}, and programs give tensors; let SequenceAt or ConcatFromSequence give outputs of it"
                self.problems.append(("output", f"the output {name!r}", why))
            elif not isinstance(value, (Tensor, Known)) and value is not _Broken:
                self.problems.append(("output", f"the output {name!r}", "it is no tensor"))

    def import_node(self, node: Node) -> None:
        """Enters the node's results."""
        outer, self.node = self.node, node
        inputs: list = []
        try:
            inputs = [self._read(name) for name in node.inputs]
            while inputs and inputs[-1] is None:
                inputs.pop()
            if any(value is _Broken for value in inputs):
                results: Any = _Broken
            else:
                label = f"{node.operation} {name}" if (name := _name_in(node)) else node.operation
                with self.builder.naming(label):
                    results = self._apply(node, inputs)
        except Unsupported as problem:
            self._complain(node, str(problem))
            results = _Broken
        except _MISFITS as problem:
            told = str(problem) if is_told(problem) else spell_given(inputs, node.attributes)
            self._complain(node, f"it does not fit what it is given: {told}")
            results = _Broken
        finally:
            self.node = outer
        if results is _Broken:
            results = [_Broken] * len(node.outputs)
        elif not isinstance(results, (list, tuple)):
            results = [results]
        for number, name in enumerate(node.outputs):
            if name:
                self.values[name] = results[number] if number < len(results) else _Broken

    def _complain(self, node: Node, why: str) -> None:
        if not why:
            return
        version = self.opsets.get(node.domain)
        name = (f"{node.domain}." if node.domain else "") + node.operation
        self.problems.append((name, node.location, why + (f" (opset {version})" if version else "")))

    def _read(self, name: str):
        if not name:
            return None
        if name not in self.values:
            raise Unsupported(f"its input {name!r} is given by no input, constant or node before it")
        return self.values[name]

    def _apply(self, node: Node, inputs: list):
        function = self.model.functions.get((node.domain, node.operation, node.overload))
        if function is not None:
            return self._inline(node, function, inputs)
        if node.domain and (node.domain, node.operation) not in _domains():
            raise Unsupported("the importer has no rule for it")
        rule = find_rule(node, self.opset)
        _sequences.refuse_sequences(node.operation, inputs)
        for name, value in node.attributes.items():
            if isinstance(value, Unread):
                raise Unsupported(f"its attribute {name!r} is of the kind {value.kind!r}, which is not imported")
        attributes = {
            name: Known(value.array, value.element) if isinstance(value, Array) else value
            for name, value in node.attributes.items()
        }
        results = call_rule(self, rule, inputs, attributes)
        wanted = self.outputs
        made = len(results) if isinstance(results, (list, tuple)) else 1
        if made < wanted:
            raise Unsupported(f"its output {made}, {node.outputs[made]!r}, is not computed")
        return results

    def _inline(self, node: Node, function: Function, inputs: list):
        """The results of a function of the model's own."""
        if self._depth >= _DEEPEST:
            raise Unsupported(f"functions of the model call one another more than {_DEEPEST} deep")
        attributes = {**function.defaults, **node.attributes}
        outer = self.values, self.opsets
        self.values = dict(zip(function.inputs, [*inputs, *[None] * len(function.inputs)]))
        self.values = {name: value for name, value in self.values.items() if name}
        self.opsets = function.opsets
        self._depth += 1
        try:
            for inner in function.nodes:
                self.import_node(_with_attributes(inner, attributes))
            return [self.values.get(name, _Broken) for name in function.outputs]
        finally:
            self.values, self.opsets = outer
            self._depth -= 1

    def import_graph(self, graph: Graph, inputs: Sequence = ()) -> list:
        """The results of a branch or of a body, which sees the values around it."""
        outer, self.values = self.values, dict(self.values)
        try:
            for (name, _), value in zip(graph.inputs, inputs):
                self.values[name] = value
            for name, array in graph.constants.items():
                self.values[name] = Known(array.array, array.element)
            for node in graph.nodes:
                self.import_node(node)
            missing = [name for name in graph.outputs if name not in self.values]
            if missing:
                raise Unsupported(f"no node of its graph {graph.name!r} gives {missing[0]!r}")
            return [self.values[name] for name in graph.outputs]
        finally:
            self.values = outer


def _domains() -> set[tuple[str, str]]:
    from ._context import OPERATORS

    return {key for key in OPERATORS if key[0]}


def _name_in(node: Node) -> str:
    found = re.search(r"'(.*)'", node.location)
    return found[1] if found else ""


def _with_attributes(node: Node, given: Mapping[str, Any]) -> Node:
    """A node of a function, its references to the function's attributes replaced."""
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


def _check_names(what: str, given: Mapping[str, Any], known: Sequence[str]) -> None:
    for name in given:
        if name not in known:
            listed = ", ".join(map(repr, known)) or "none"
            raise ValueError(f"{what}= names {name!r}, which is no input of the model; inputs are: {listed}")


def _make_constant(name: str, kind: Type | str | None, given) -> Known:
    if not isinstance(kind, Type):
        raise TypeError(f"the input {name!r} cannot be a constant: {kind or 'the model does not give its type'}")
    dtype = program.to_numpy(kind.element)
    array = np.asarray(given)
    if array.dtype != dtype and not np.can_cast(array.dtype, dtype, "same_kind") and array.size:
        raise TypeError(f"constants= gives {name!r} as {array.dtype}, but the input has elements of {dtype}")
    array = array.astype(dtype)
    if kind.shape is not None:
        fits = len(kind.shape) == array.ndim and all(
            not isinstance(mine, int) or mine == have for mine, have in zip(kind.shape, array.shape)
        )
        if not fits:
            raise ValueError(f"constants= gives {name!r} with the shape {list(array.shape)}, "
                             f"but the input has {list(kind.shape)}")  # fmt: skip
    return Known(array, kind.element)


def _name_extents(shapes: Sequence[Sequence[int | str | None]]):
    """What the program calls an extent of the model: one text is one extent."""
    texts = dict.fromkeys(e for shape in shapes for e in shape if isinstance(e, str) and e not in _NO_NAMES)
    names: dict[str, str] = {}
    for text in texts:
        # A formula has a letter: what is written as '1' is a name too.
        if text.isidentifier() or not re.search(r"[^\W\d]", text):
            names[text] = text
    formulas = {}
    for text in texts:
        if text not in names:
            formulas[text] = spell_formula(text, names)
            if formulas[text] is None:
                names[text] = text
    spelled: dict[str, str] = {}
    for text in names:
        plain_name = re.sub(r"\W", "_", text, flags=re.ASCII).lstrip("0123456789") or "_"
        plain_name += "_" if plain_name in _WORDS else ""
        while plain_name in spelled.values():
            plain_name += "_"
        spelled[text] = plain_name
    # Formulas are of the names as they are spelled.
    for text, formula in formulas.items():
        if formula is not None:
            formulas[text] = spell_formula(text, spelled)

    def name(extent: int | str | None) -> int | str | None:
        return (spelled.get(extent) or formulas.get(extent)) if isinstance(extent, str) else extent

    return name


