"""A graph of ATen operations, as the importer reads it, and its text.

The text is Python's own grammar, so that a graph is readable and needs no torch:

    s0 = symbol(2, 512)
    x: f32[s0, 2*s0] = input()
    w: f32[8, 3] = weight("layer.weight")
    y: f32[s0, 8] = aten.linear.default(x, w, at="model.py:12")
    return y

A symbol is an integer that a call tells, or that data decides, as `u0` of a `nonzero: i64[u0, 2]`; sizes are
formulas of symbols. An input
`int[s0]` is such a number by itself; `input("more['a']")` has the user's name for it.
`variable` has the name of a tensor that a call changes, and
`write("cache", y)` gives it the value for the next call.
`weight` has the name of a parameter or of a buffer, `constant` its elements in lists.
`require(s0 % 2 == 0, at="model.py:9")` is a guard: the graph is what was traced for
symbols of which it holds, and no others. A graph inside, of a branch or of a loop's body,
is a function of it: `def body():`.
"""

from __future__ import annotations

import ast
import collections
import dataclasses
import functools
import keyword
import math
import operator
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NoReturn

from .._program import spell_float

#: The functions of formulas, for numbers of Python's.
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "max": max, "min": min, "abs": abs, "float": float, "sqrt": math.sqrt, "trunc": math.trunc,
    "floor": math.floor, "ceil": math.ceil, "round": round,
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    "and": lambda x, y: x and y, "or": lambda x, y: x or y, "not": operator.not_, "if": lambda c, x, y: x if c else y,
}  # fmt: skip


#: Operations that are there for their errors: they have no result.
CHECKS = {"aten._assert_async.msg", "aten._assert_async.default", "aten._linalg_check_errors.default"}
#: The operation that gives an element as a number.
ITEM = "aten._local_scalar_dense.default"


@dataclasses.dataclass(frozen=True)
class Size:
    """A number, or whether something holds, that symbols tell: a formula in Python's grammar,
    with `//`, `%`, `/`, `**` and FUNCTIONS."""

    text: str

    def __str__(self) -> str:
        return self.text


@dataclasses.dataclass(frozen=True)
class Type:
    """The element type and the extents of a tensor, or of a number: 'int', 'float' or 'bool', with
    its formula in place of extents. An element type that programs have not has torch's
    name, such as 'torch.complex64'."""

    element: str
    shape: tuple[int | Size, ...]

    def __str__(self) -> str:
        return f"{self.element}[{', '.join(map(str, self.shape)) or '()'}]"


@dataclasses.dataclass(frozen=True)
class Reference:
    """A node's result as the argument of another."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclasses.dataclass(frozen=True)
class Element:
    """The name of an element type as an argument."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclasses.dataclass
class Node:
    """An operation. `target` is 'input', 'variable', 'weight', 'constant', 'getitem', or the
    name of an operation of ATen."""

    name: str
    target: str
    args: tuple[Any, ...] = ()
    kwargs: dict[str, Any] = dataclasses.field(default_factory=dict)
    #: Of the result, or of each of several; None where nothing is known.
    type: Type | tuple[Any, ...] | None = None
    #: The line of Python that it is from: 'model.py:12'.
    location: str | None = None

    @property
    def types(self) -> tuple[Any, ...]:
        """The types of its several results."""
        assert isinstance(self.type, tuple)
        return self.type

    @property
    def result(self) -> Type:
        """The type of its one result."""
        assert isinstance(self.type, Type)
        return self.type


@dataclasses.dataclass
class Guard:
    """A condition on symbols that must hold for the graph to be what was traced."""

    condition: int | float | Size
    #: The line of Python that relies on it.
    location: str | None = None
    #: The node that asserts it; None for a branch that Python has taken.
    node: str | None = None
    #: The condition in the names of the user's arguments.
    text: str | None = None
    #: Whether it is an error that a program cannot check it.
    is_needed: bool = True


@dataclasses.dataclass
class Graph:
    """Operations in their order. Inputs and weights come first."""

    symbols: dict[str, tuple[int, int | None]]
    nodes: list[Node]
    #: References, numbers and None.
    outputs: list[Any]
    guards: list[Guard] = dataclasses.field(default_factory=list)
    #: Graphs inside, which operations of control flow take by their names.
    inner: dict[str, Graph] = dataclasses.field(default_factory=dict)
    #: What variables get, by their names.
    writes: dict[str, Any] = dataclasses.field(default_factory=dict)

    def drop_outputs(self, dropped: set[int]) -> None:
        """Puts None in place of some outputs, and removes what only they are made of."""
        self.outputs = [None if at in dropped else output for at, output in enumerate(self.outputs)]
        used = set(names_in([*self.outputs, *self.writes.values()])) if dropped else {node.name for node in self.nodes}
        told = set().union(*(symbols_in(node.type) for node in self.nodes if node.target == "input"))
        used |= {n.name for n in self.nodes if n.target in (*CHECKS, ITEM) or not symbols_in(n.type) <= told}
        for node in reversed(self.nodes):
            if node.name in used:
                used |= set(names_in([*node.args, *node.kwargs.values()]))
        self.nodes = [node for node in self.nodes if node.name in used or node.target == "input"]

    def __str__(self) -> str:
        lines = [f"{name} = symbol({low}, {high})" for name, (low, high) in self.symbols.items()]
        for name, graph in self.inner.items():
            lines += [f"def {name}():", *(f"    {line}" for line in str(graph).splitlines())]
        lines += map(spell_node, self.nodes)
        lines += map(_spell_guard, self.guards)
        lines += (f"write({name!r}, {spell(value)})" for name, value in self.writes.items())
        lines.append(f"return {', '.join(map(spell, self.outputs))}")
        return "\n".join(lines) + "\n"

    def label_inputs(self, labels: Mapping[str, str]) -> None:
        """Gives inputs the user's names for them, by their own."""
        for node in self.nodes:
            label = labels.get(node.name)
            if node.target == "input" and label and label != node.name:
                node.args = (label,)

    def rename_symbols(self, names: Mapping[str, str]) -> None:
        """Gives symbols other names, where these can stand for them and nothing else has them."""
        taken = {*self.symbols, *FUNCTIONS, *ELEMENTS, *_RESERVED, *(node.name for node in self.all_nodes())}
        used = collections.Counter(names.values())
        chosen = {
            old: new
            for old, new in names.items()
            if old in self.symbols
            and new not in taken
            and used[new] == 1
            and re.fullmatch(r"[A-Za-z_]\w*(?<!_whole)", new, re.ASCII)
            and not keyword.iskeyword(new)
        }
        if not chosen:
            return
        pattern = re.compile(rf"\b({'|'.join(map(re.escape, chosen))})\b")

        def change(value: Any) -> Any:
            if isinstance(value, Size):
                return Size(pattern.sub(lambda found: chosen[found[0]], value.text))
            if isinstance(value, Type):
                return Type(value.element, tuple(map(change, value.shape)))
            if isinstance(value, (list, tuple)):
                return type(value)(map(change, value))
            return value

        self.symbols = {chosen.get(name, name): ends for name, ends in self.symbols.items()}
        self._change(change)

    def _change(self, change: Callable[[Any], Any]) -> None:
        """Puts other values in place of those that arguments and types have."""
        self.outputs = change(self.outputs)
        for guard in self.guards:
            guard.condition = change(guard.condition)
        for node in self.nodes:
            node.args, node.type = change(node.args), change(node.type)
            node.kwargs = {key: change(value) for key, value in node.kwargs.items()}
        for graph in self.inner.values():
            graph._change(change)

    def all_nodes(self) -> Iterator[Node]:
        """Yields its nodes, and those of the graphs inside."""
        for graph in self.inner.values():
            yield from graph.all_nodes()
        yield from self.nodes


#: Words of formulas in the text of a graph and in `loom.extents`.
_RESERVED = ("inf", "nan", "symbol", "input", "require", "floordiv", "ceildiv", "mod", "step", "to")


def label_of(node: Node) -> str:
    """Returns the user's name of an input."""
    return str(node.args[0]) if node.args else node.name


def names_in(arguments: Iterable[Any]) -> Iterator[str]:
    """Returns the nodes that arguments refer to."""
    for argument in arguments:
        if isinstance(argument, Reference):
            yield argument.name
        elif isinstance(argument, (list, tuple)):
            yield from names_in(argument)


def spell(value: Any) -> str:
    """Spells an argument as the text has it."""
    if isinstance(value, (Reference, Size, Element)):
        return str(value)
    if isinstance(value, float):
        return spell_float(value)
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(spell, value))}]"
    return repr(value)


def _spell_type(type_: Type | tuple[Any, ...] | None) -> str:
    if isinstance(type_, tuple):
        return f"({', '.join(map(_spell_type, type_))},)"
    return str(type_)


def spell_node(node: Node) -> str:
    """Spells a node as the text has it."""
    annotation = f"{node.name}: {_spell_type(node.type)}"
    if node.target == "getitem":
        return f"{annotation} = {spell(node.args[0])}[{node.args[1]}]"
    arguments = [spell(a) for a in node.args]
    arguments += [f"{key}={spell(value)}" for key, value in node.kwargs.items()]
    if node.location:
        arguments.append(f"at={node.location!r}")
    return f"{annotation} = {node.target}({', '.join(arguments)})"


def _spell_guard(guard: Guard) -> str:
    parts = [spell(guard.condition)]
    parts += [
        f"{key}={value!r}"
        for key, value in (("at", guard.location), ("node", guard.node), ("text", guard.text))
        if value
    ]
    return f"require({', '.join(parts)})"


#: The names of element types in the text.
ELEMENTS = ("i1", "i8", "i16", "i32", "i64", "ui8", "f16", "bf16", "f32", "f64")


#: The element types of the parts of complex numbers.
COMPLEX_PARTS = {"torch.complex64": "f32", "torch.complex128": "f64"}


class _Reader:
    def __init__(self) -> None:
        self.graph = Graph({}, [], [])
        self.names: set[str] = set()

    def fail(self, tree: Any, what: str) -> NoReturn:
        raise ValueError(f"line {tree.lineno} of the graph: {what}: {ast.unparse(tree)}")

    def read(self, tree: Any) -> Any:
        """Reads the value of an argument."""
        match tree:
            case ast.Constant(value):
                return value
            case ast.Name("inf"):
                return math.inf
            case ast.Name("nan"):
                return math.nan
            case ast.Name(name) if name in self.names:
                return Reference(name)
            case ast.Name(name) if name in ELEMENTS:
                return Element(name)
            case ast.List(items) | ast.Tuple(items):
                return [self.read(item) for item in items]
            case ast.UnaryOp(ast.USub(), operand) if isinstance(value := self.read(operand), (int, float)):
                return -value
            case _:
                return Size(ast.unparse(tree))

    def read_type(self, tree: Any) -> Type | tuple[Any, ...] | None:
        match tree:
            case ast.Constant(None):
                return None
            case ast.Tuple(items):
                return tuple(self.read_type(item) for item in items)
            case ast.Subscript(ast.Name() | ast.Attribute() as name, inside):
                element = ast.unparse(name)
                items = inside.elts if isinstance(inside, ast.Tuple) else [inside]
                return Type(element, tuple(self.read(item) for item in items))
        return self.fail(tree, "no type")

    def read_line(self, tree: Any) -> None:
        match tree:
            case ast.Assign([ast.Name(name)], ast.Call(ast.Name("symbol"), [low, high])):
                self.graph.symbols[name] = (self.read(low), self.read(high))
                return
            case ast.Return(value):
                outputs = self.read(value) if value is not None else []
                self.graph.outputs = outputs if isinstance(outputs, list) else [outputs]
                return
            case ast.AnnAssign(ast.Name(name), annotation, ast.Call(target, args, keywords)):
                kwargs = {str(k.arg): self.read(k.value) for k in keywords}
                location = kwargs.pop("at", None)
                given = tuple(self.read(arg) for arg in args)
                node = Node(name, ast.unparse(target), given, kwargs, self.read_type(annotation), location)
            case ast.AnnAssign(ast.Name(name), annotation, ast.Subscript(of, ast.Constant(index))):
                node = Node(name, "getitem", (self.read(of), index), {}, self.read_type(annotation))
            case ast.FunctionDef(name, body=body):
                inside = _Reader()
                for line in body:
                    inside.read_line(line)
                self.graph.inner[name] = inside.graph
                self.names.add(name)
                return
            case ast.Expr(ast.Call(ast.Name("write"), [ast.Constant(str(name)), value])):
                self.graph.writes[name] = self.read(value)
                return
            case ast.Expr(ast.Call(ast.Name("require"), [condition], keywords)):
                kwargs = {str(k.arg): self.read(k.value) for k in keywords}
                guard = Guard(self.read(condition), kwargs.get("at"), kwargs.get("node"), kwargs.get("text"))
                self.graph.guards.append(guard)
                return
            case _:
                self.fail(tree, "no line of a graph")
        self.graph.nodes.append(node)
        self.names.add(name)


def parse(text: str) -> Graph:
    """Reads the graph of a text. Raises ValueError, with the line, where it is none."""
    lines = "".join(f" {line}\n" for line in text.splitlines())
    try:
        (function,) = ast.parse(f"def graph():\n{lines}").body
    except SyntaxError as error:
        raise ValueError(f"line {(error.lineno or 1) - 1} of the graph: {error.msg}") from None
    assert isinstance(function, ast.FunctionDef)
    ast.increment_lineno(function, -1)
    reader = _Reader()
    for tree in function.body:
        reader.read_line(tree)
    return reader.graph


def names_of(size: Size) -> set[str]:
    """Returns the symbols and functions in a formula."""
    return {tree.id for tree in ast.walk(ast.parse(size.text, mode="eval")) if isinstance(tree, ast.Name)}


def symbols_in(value: Any) -> set[str]:
    """Returns the symbols in the formulas of a type, of sizes, or of several."""
    if isinstance(value, Type):
        return symbols_in(value.shape)
    if isinstance(value, (list, tuple)):
        return set().union(*map(symbols_in, value))
    return names_of(value) - FUNCTIONS.keys() - {"inf", "nan"} if isinstance(value, Size) else set()


#: The names in FUNCTIONS of comparisons and logic.
_SIGNS: dict[type, str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.And: "and",
    ast.Or: "or",
}


def evaluate(size: int | float | Size, symbols: Mapping[str, Any], functions: Mapping[str, Callable[..., Any]]) -> Any:
    """Computes a formula, for numbers or other values of its symbols."""
    if not isinstance(size, Size):
        return size
    operators: dict[type, Callable[[Any, Any], Any]] = {
        ast.Add: lambda x, y: x + y,
        ast.Sub: lambda x, y: x - y,
        ast.Mult: lambda x, y: x * y,
        ast.FloorDiv: lambda x, y: x // y,
        ast.Mod: lambda x, y: x % y,
        ast.Div: lambda x, y: x / y,
        # Extents are multiplied; a power of them is a whole number.
        ast.Pow: lambda x, y: math.prod([x] * y) if isinstance(y, int) and y > 0 else x**y,
    }

    def visit(tree: Any) -> Any:
        match tree:
            case ast.Constant(value):
                return value
            case ast.Name(("inf" | "nan") as name):
                return float(name)
            case ast.Name(name):
                return symbols[name]
            case ast.UnaryOp(ast.USub(), operand):
                return -visit(operand)
            case ast.BinOp(left, sign, right) if type(sign) in operators:
                return operators[type(sign)](visit(left), visit(right))
            case ast.Call(ast.Name(name), args) if name in functions and (len(args) == 1 or name in ("max", "min")):
                return functions[name](*map(visit, args))
            case ast.Compare(left, [sign], [right]) if (name := _SIGNS.get(type(sign), "")) in functions:
                return functions[name](visit(left), visit(right))
            case ast.BoolOp(sign, parts) if (name := _SIGNS[type(sign)]) in functions:
                return functools.reduce(functions[name], map(visit, parts))
            case ast.UnaryOp(ast.Not(), operand) if "not" in functions:
                return functions["not"](visit(operand))
            case ast.IfExp(condition, then, other) if "if" in functions:
                return functions["if"](visit(condition), visit(then), visit(other))
        raise NotImplementedError(f"the size {size} has a part that is not known: {ast.unparse(tree)}")

    return visit(ast.parse(size.text, mode="eval").body)
