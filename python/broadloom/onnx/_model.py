"""Models of ONNX: graphs of nodes."""

from __future__ import annotations

import collections
import dataclasses
import math
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._errors import CompileError
from . import _messages
from ._arrays import ReadFile, TypeProblem, element_of, name_element, open_files, read_array
from ._wire import DamagedError, read

#: What begins a model: the version of its form, then its producer, domain, graph, opsets
#: or something else that a model has.
_FIRST = b"\x08"
_SECOND = b"\x12\x1a\x22\x28\x32\x3a\x42\x72"


def is_model(data: bytes | memoryview) -> bool:
    """Tells whether bytes begin as a model of ONNX does."""
    return len(data) > 3 and data[:1] == _FIRST and 0 < data[1] < 128 and data[2] in _SECOND


@dataclasses.dataclass(frozen=True)
class Type:
    """The type of an input or an output."""

    element: str
    #: A number, a name or formula, or None for each axis; None where the rank is open.
    shape: tuple[int | str | None, ...] | None


@dataclasses.dataclass
class SequenceType:
    """The type of an input or an output that is a sequence of tensors, whose type this says."""

    element: str
    shape: tuple[int | str | None, ...] | None


@dataclasses.dataclass(frozen=True)
class OptionalType:
    """The type of an input or an output that may have no value."""

    inner: Type | SequenceType


@dataclasses.dataclass(frozen=True)
class Array:
    """A constant."""

    array: NDArray[Any]
    element: str


@dataclasses.dataclass(frozen=True)
class Reference:
    """An attribute of a function's node that is one of the function's."""

    name: str


@dataclasses.dataclass(frozen=True)
class Unread:
    """An attribute of a kind that no rule takes."""

    kind: str


@dataclasses.dataclass
class Node:
    """An operation of a graph."""

    operation: str
    domain: str
    inputs: list[str]
    outputs: list[str]
    attributes: dict[str, Any]
    #: Which node of which graph it is.
    location: str
    overload: str = ""
    #: May be empty.
    name: str = ""
    #: Its place in the file, from 1.
    number: int = 0


@dataclasses.dataclass
class Graph:
    """The nodes of a model, a branch or the body of a loop."""

    name: str
    nodes: list[Node]
    inputs: list[tuple[str, Type | SequenceType | OptionalType | str | None]]
    outputs: list[str]
    constants: dict[str, Array]
    #: What the model says of the outputs.
    types: list[Type | SequenceType | OptionalType | str | None] = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Function:
    """A function of the model's own."""

    nodes: list[Node]
    inputs: list[str]
    outputs: list[str]
    defaults: dict[str, Any]
    opsets: dict[str, int]


@dataclasses.dataclass
class Model:
    """A model: its graph, and the versions of the operators' sets."""

    graph: Graph
    opsets: dict[str, int]
    functions: dict[tuple[str, str, str], Function]


#: Kinds of attributes that are not read, by ONNX's numbers.
_UNREAD = {12: "sparse tensors", 13: "type", 14: "types"}


#: 'ai.onnx' is the name of the domain without one.
def _domain(name: str | None) -> str:
    return "" if name in (None, "ai.onnx") else name


class _Reader:
    def __init__(self, read_file: ReadFile) -> None:
        self.read_file = read_file

    def array(self, tensor: SimpleNamespace, what: str) -> Array:
        try:
            return Array(*read_array(tensor, self.read_file))
        except (DamagedError, OSError, TypeProblem, ValueError) as problem:
            raise type(problem)(f"{what}: {problem}") from None

    def value(self, value: SimpleNamespace) -> tuple[str, Type | SequenceType | OptionalType | str | None]:
        """Reads a name and its type; where there is none, a text says why."""
        kind = value.type
        if kind is None:
            return value.name or "", None
        optional = getattr(kind, "optional_type", None)
        of_option = optional and optional.elem_type
        if of_option:
            name, inner = self.value(SimpleNamespace(name=value.name, type=of_option))
            return name, OptionalType(inner) if isinstance(inner, (Type, SequenceType)) else inner
        of_sequence = kind.sequence_type and kind.sequence_type.elem_type
        tensor = of_sequence.tensor_type if of_sequence else kind.tensor_type
        if tensor is None:
            (found, *_) = [name for name, given in vars(kind).items() if given is not None] or ["no type"]
            return value.name or "", f"it is no tensor but of {found.removesuffix('_type').replace('_', ' ')}"
        try:
            element = (element_of if of_sequence else name_element)(tensor.elem_type)
        except TypeProblem as problem:
            return value.name or "", str(problem)
        shape = tensor.shape
        axes = (
            None
            if shape is None
            else tuple(
                d.dim_value if d.dim_value is not None and d.dim_value >= 0 else d.dim_param or None for d in shape.dim
            )
        )
        return value.name or "", SequenceType(element, axes) if of_sequence else Type(element, axes)

    def attribute(self, a: SimpleNamespace, location: str) -> Any:
        if a.ref_attr_name:
            return Reference(a.ref_attr_name)
        if a.type in _UNREAD:
            return Unread(_UNREAD[a.type])
        where = f"the attribute {a.name!r} of {location}"

        def text(raw: bytes | memoryview) -> str:
            return bytes(raw).decode(errors="replace")

        string: Any = None if a.s is None else text(a.s)
        single = {1: a.f, 2: a.i, 3: string, 4: a.t, 5: a.g, 11: a.sparse_tensor}
        several = {6: a.floats, 7: a.ints, 8: [text(s) for s in a.strings], 9: a.tensors, 10: a.graphs}
        kind = a.type
        if kind is None:
            kind = next((k for k, v in {**single, **several}.items() if v not in (None, [])), 7)
        if kind in several:
            values = several[kind]
            if kind == 9:
                return [self.array(t, where) for t in values]
            return [self.graph(g, f"{location}, {a.name}") for g in values] if kind == 10 else values
        # What is 0 or empty may be left out.
        defaults: dict[int, Any] = {1: 0.0, 2: 0, 3: ""}
        value = defaults.get(kind) if single.get(kind) is None else single[kind]
        if value is None:
            raise DamagedError(f"{where} has no value of its kind, {kind}")
        if kind == 4:
            return self.array(value, where)
        if kind == 11:
            return self.sparse(value, where)
        return self.graph(value, f"{location}, {a.name}") if kind == 5 else value

    def sparse(self, tensor: SimpleNamespace, what: str) -> Array:
        if tensor.values is None or tensor.indices is None:
            raise DamagedError(f"{what} is a sparse tensor without values or indices")
        values, indices = self.array(tensor.values, what), self.array(tensor.indices, what).array
        shape = tuple(tensor.dims)
        if any(extent < 0 for extent in shape):
            raise DamagedError(f"{what} is a sparse tensor of the shape {list(shape)}")
        ends = np.array(shape if indices.ndim == 2 else math.prod(shape), object)
        fits = (
            indices.ndim in (1, 2) and indices.shape[1:] in ((), ends.shape) and values.array.shape == indices.shape[:1]
        )
        if not fits:
            raise DamagedError(
                f"{what} is a sparse tensor of the shape {list(shape)} with {values.array.size} values, "
                f"but indices of the shape {list(indices.shape)}"
            )
        if (indices < 0).any() or (indices >= ends).any():
            raise DamagedError(f"{what} is a sparse tensor with indices outside of {list(shape)}")
        try:
            whole = np.zeros(shape, values.array.dtype)
        except (MemoryError, ValueError):
            raise ValueError(
                f"{what} is a sparse tensor of the shape {list(shape)}, for which there is no memory"
            ) from None
        if indices.ndim == 2:
            whole[tuple(indices.T)] = values.array
        else:
            whole.reshape(-1)[indices] = values.array
        return Array(whole, values.element)

    def nodes(self, nodes: list[SimpleNamespace], where: str) -> list[Node]:
        made = []
        for number, node in enumerate(nodes, 1):
            kind = node.op_type or "?"
            location = f"{where}node {number} ({kind}{f' {node.name!r}' if node.name else ''})"
            attributes = {a.name or "": self.attribute(a, location) for a in node.attribute}
            made.append(
                Node(
                    kind,
                    _domain(node.domain),
                    node.input,
                    node.output,
                    attributes,
                    location,
                    node.overload or "",
                    node.name or "",
                    number,
                )
            )
        return made

    def graph(self, graph: SimpleNamespace, location: str = "") -> Graph:
        constants = {}
        for tensor in graph.initializer:
            constants[tensor.name or ""] = self.array(tensor, f"the initializer {tensor.name!r}")
        for tensor in graph.sparse_initializer:
            name = (tensor.values.name if tensor.values is not None else None) or ""
            constants[name] = self.sparse(tensor, f"the initializer {name!r}")
        nodes = self.nodes(graph.node, f"{location}, " if location else "")
        inputs = [self.value(v) for v in graph.input]
        where = f"{location}: " if location else ""
        for name, count in collections.Counter(name for name, _ in inputs).items():
            if count > 1:
                raise DamagedError(f"{where}{count} inputs are called {name!r}")
        given = {name: "an input" for name, _ in inputs if name}
        stored = [t.name or "" for t in graph.initializer]
        stored += [(t.values.name if t.values is not None else None) or "" for t in graph.sparse_initializer]
        # An input may have an initializer.
        _enter_givers(given, [(name, "an initializer") for name in stored if given.get(name) != "an input"], where)
        _enter_givers(given, [(name, node.location) for node in nodes for name in node.outputs], where)
        outputs = [self.value(v) for v in graph.output]
        return Graph(graph.name or "", nodes, inputs, [n for n, _ in outputs], constants, [t for _, t in outputs])

    def function(self, f: SimpleNamespace, opsets: dict[str, int]) -> Function:
        location = f"function {f.name!r}"
        defaults: dict[str, Any] = dict.fromkeys(f.attribute)
        defaults |= {a.name or "": self.attribute(a, location) for a in f.attribute_proto}
        own = {_domain(o.domain): o.version or 0 for o in f.opset_import}
        nodes = self.nodes(f.node, f"{location}, ")
        given = [(name, "an input") for name in f.input]
        _enter_givers(
            {}, [*given, *((name, node.location) for node in nodes for name in node.outputs)], f"{location}: "
        )
        return Function(nodes, f.input, f.output, defaults, {**opsets, **own})


def _enter_givers(given: dict[str, str], names: list[tuple[str, str]], where: str) -> None:
    """Enters what gives each name; nothing else of the graph does."""
    for name, giver in names:
        if name in given:
            raise DamagedError(f"{where}{name!r} is given twice: by {given[name]} and by {giver}")
        if name:
            given[name] = giver


def read_model(data: bytes | memoryview, name: str, folder: str | None = None, follows_links: bool = False) -> Model:
    """Reads a model from bytes. `folder` is where files with its weights are, which may be links to elsewhere where
    `follows_links`. Raises CompileError for what is damaged or no model, FileNotFoundError where a file with weights is
    missing, and TypeError for weights that programs have no type for."""
    try:
        model = read(memoryview(data), _messages.MODEL)
        if model.graph is None:
            raise DamagedError("it has no graph")
        reader = _Reader(open_files(folder, follows_links))
        opsets = {_domain(o.domain): o.version or 0 for o in model.opset_import}
        functions = {
            (_domain(f.domain), f.name or "", f.overload or ""): reader.function(f, opsets) for f in model.functions
        }
        return Model(reader.graph(model.graph), opsets, functions)
    except DamagedError as problem:
        raise CompileError(f"{name}: error: the ONNX model is damaged: {problem}") from None
    except (OSError, TypeProblem) as problem:
        kind = TypeError if isinstance(problem, TypeProblem) else type(problem)
        raise kind(f"{name}: error: {problem}") from None
    except ValueError as problem:
        raise ValueError(f"{name}: error: {problem}") from None
