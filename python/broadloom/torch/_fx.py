"""From PyTorch's graphs (torch.fx) to ours."""

from __future__ import annotations

import operator
import os
import re
from collections.abc import Sequence
from typing import Any

import sympy
import torch
from torch._decomp import get_decompositions

from .._program import spell_float
from ._context import OPERATIONS
from ._graph import CHECKS, ITEM, Element, Graph, Guard, Node, Reference, Size, Type

_ELEMENTS = {
    torch.bool: "i1",
    torch.int8: "i8",
    torch.int16: "i16",
    torch.int32: "i32",
    torch.int64: "i64",
    torch.uint8: "ui8",
    torch.float16: "f16",
    torch.bfloat16: "bf16",
    torch.float32: "f32",
    torch.float64: "f64",
}
#: Arguments that say nothing to a program.
_DROPPED = {"device", "layout", "pin_memory", "memory_format", "non_blocking", "requires_grad", "generator", "copy"}
#: Operations whose facts the types and the ranges of symbols have.
SILENT = {
    "aten._assert_tensor_metadata.default",
    "prims._make_token.default",
    "prims._sink_tokens.default",
    "aten.sym_constrain_range.default",
    "aten.sym_constrain_range_for_size.default",
}
#: Attention with functions of scores.
_FLEX = "higher_order.flex_attention"
#: What an assertion without a message says.
NO_MESSAGE = "what must hold does not"
#: What sizes are, and what is computed of them.
NUMBERS = (int, float, torch.SymInt, torch.SymFloat, torch.SymBool)


class _Printer(sympy.StrPrinter):
    """Prints formulas in the grammar of Size."""

    def _call(self, name: str, expr: Any) -> str:
        return f"{name}({', '.join(self._print(a) for a in expr.args)})"

    def _infix(self, sign: str, expr: Any) -> str:
        return f"({self._print(expr.args[0])}) {sign} ({self._print(expr.args[1])})"

    def _print_FloorDiv(self, expr: Any) -> str:
        return f"(({self._print(expr.args[0])}) // ({self._print(expr.args[1])}))"

    _print_CleanDiv = _print_FloorDiv

    def _print_Mod(self, expr: Any) -> str:
        return f"(({self._print(expr.args[0])}) % ({self._print(expr.args[1])}))"

    _print_PythonMod = _print_Mod

    def _print_Relational(self, expr: Any) -> str:
        return f"({self._infix(expr.rel_op, expr)})"

    def _print_And(self, expr: Any) -> str:
        return f"({' and '.join(f'({self._print(a)})' for a in expr.args)})"

    def _print_Or(self, expr: Any) -> str:
        return f"({' or '.join(f'({self._print(a)})' for a in expr.args)})"

    def _print_Not(self, expr: Any) -> str:
        return f"(not ({self._print(expr.args[0])}))"

    def _print_Piecewise(self, expr: Any) -> str:
        *parts, (last, holds) = expr.args
        if holds != sympy.true:
            raise NotImplementedError(f"a choice of sizes without a last one: {expr}")
        text = self._print(last)
        for value, condition in reversed(parts):
            text = f"(({self._print(value)}) if ({self._print(condition)}) else ({text}))"
        return text

    def _print_Max(self, expr: Any) -> str:
        return self._call("max", expr)

    def _print_Min(self, expr: Any) -> str:
        return self._call("min", expr)

    def _print_Abs(self, expr: Any) -> str:
        return self._call("abs", expr)

    def _print_Float(self, expr: Any) -> str:
        return spell_float(float(expr))

    def _print_Infinity(self, expr: Any) -> str:
        return "inf"

    def _print_NegativeInfinity(self, expr: Any) -> str:
        return "(-inf)"

    def _print_Identity(self, expr: Any) -> str:
        return f"({self._print(expr.args[0])})"

    def _print_ToFloat(self, expr: Any) -> str:
        return self._call("float", expr)

    def _print_TruncToInt(self, expr: Any) -> str:
        return self._call("trunc", expr)

    def _print_FloorToInt(self, expr: Any) -> str:
        return self._call("floor", expr)

    def _print_CeilToInt(self, expr: Any) -> str:
        return self._call("ceil", expr)

    def _print_RoundToInt(self, expr: Any) -> str:
        return self._call("round", expr)

    def _print_IntTrueDiv(self, expr: Any) -> str:
        return f"(({self._print(expr.args[0])}) / ({self._print(expr.args[1])}))"

    _print_FloatTrueDiv = _print_IntTrueDiv
    _print_FloatPow = _print_PowByNatural = lambda self, expr: (
        f"(({self._print(expr.args[0])}) ** ({self._print(expr.args[1])}))"
    )

    def _print_OpaqueUnaryFn_sqrt(self, expr: Any) -> str:
        return self._call("sqrt", expr)


spell_formula = _Printer().doprint


def describe_type(value: Any) -> Any:
    """Returns the type of what a node gives: of a tensor, a number, or several."""
    if isinstance(value, torch.Tensor):
        return Type(element_of(value.dtype), tuple(size_of(s) for s in value.shape))
    if isinstance(value, (list, tuple)):
        return tuple(describe_type(item) for item in value)
    if isinstance(value, bool | torch.SymBool):
        return Type("bool", (size_of(value),))
    if isinstance(value, int | torch.SymInt):
        return Type("int", (size_of(value),))
    if isinstance(value, float | torch.SymFloat):
        return Type("float", (size_of(value),))
    return None


def element_of(dtype: torch.dtype) -> str:
    """Returns our name of an element type; torch's own where there is none, which no operation takes."""
    return _ELEMENTS.get(dtype, str(dtype))


def size_of(size: Any) -> Any:
    """Converts a size, or a comparison of sizes, to one of ours."""
    if isinstance(size, (torch.SymInt, torch.SymFloat, torch.SymBool)):
        expr = size.node.expr
        if expr.is_Integer:
            return int(expr)
        if expr in (sympy.true, sympy.false):
            return bool(expr)
        return Size(spell_formula(expr))
    return size


def symbols_of(value: Any) -> set[str]:
    """Returns the names of the symbols in what a node gives."""
    if isinstance(value, (list, tuple)):
        return set().union(*map(symbols_of, value))
    if isinstance(value, torch.Tensor):
        if value.layout != torch.strided:
            return symbols_of(value.shape)
        return symbols_of([*value.shape, *value.stride(), value.storage_offset()])
    if isinstance(value, (torch.SymInt, torch.SymFloat, torch.SymBool)):
        return {str(symbol) for symbol in value.node.expr.free_symbols}
    return set()


def find_location(node: torch.fx.Node) -> str | None:
    """Finds the last line of Python, outside of torch's own, that a node is from."""
    trace = node.meta.get("stack_trace") or ""
    lines = re.findall(r'File "([^"]+)", line (\d+)', trace)
    own = [found for found in lines if not is_library(found[0])]
    chosen = (own or [found for found in lines if not _is_ours(found[0])])[-1:]
    return f"{chosen[0][0]}:{chosen[0][1]}" if chosen else None


def _compile_paths(*patterns: str) -> re.Pattern[str]:
    """Compiles patterns of paths, whose separators are those of any machine."""
    return re.compile("|".join(f"/{pattern}" for pattern in patterns).replace("/", r"[/\\]"))


#: The packages here.
_TORCH, _OURS = (os.path.join(os.path.dirname(file), "") for file in (torch.__file__, __file__))
#: What PyTorch alone has in a folder of its name, and not a user's folder that is named so.
_NAMES = "|".join(sorted(re.escape(name) for name in os.listdir(_TORCH) if re.match("_[^_]", name)))
#: The packages of the machine that made a file, installed or in a checkout.
_TORCH_ELSEWHERE = _compile_paths("(site|dist)-packages/torch/", "torch/nn/modules/", f"torch/({_NAMES})(/|$)")
_OURS_ELSEWHERE = _compile_paths("(site|dist)-packages/broadloom/", "broadloom/torch/_")


def _is_ours(file: str) -> bool:
    return file.startswith(_OURS) or _OURS_ELSEWHERE.search(file) is not None


def is_library(file: str) -> bool:
    """Tells whether a file is of torch, or ours; torchvision and the like are none of these."""
    return file.startswith(_TORCH) or _TORCH_ELSEWHERE.search(file) is not None or _is_ours(file)


def name_of(target: Any) -> str:
    """Returns our name of an operation."""
    if isinstance(target, torch._ops.HigherOrderOperator):
        return f"higher_order.{target.name()}"
    if isinstance(target, torch._ops.OpOverload):
        return str(target).removeprefix("torch.ops.")
    return getattr(target, "__name__", str(target))


class _Reader:
    def __init__(self) -> None:
        self.graph = Graph({}, [], [])
        #: What each torch node is for us: a name, or a number.
        self.known: dict[torch.fx.Node, object] = {}
        #: Nodes whose results are tokens of an order.
        self.tokens: set[Any] = set()

    def argument(self, value: Any) -> Any:
        if isinstance(value, torch.fx.Node):
            return self.known[value]
        if isinstance(value, (list, tuple)):
            return [self.argument(item) for item in value]
        if isinstance(value, torch.dtype):
            return Element(element_of(value))
        if isinstance(value, (torch.SymInt, torch.SymFloat, torch.SymBool)):
            return size_of(value)
        if isinstance(value, slice):
            raise TypeError("a slice as an argument")
        if isinstance(value, (torch.device, torch.layout, torch.memory_format)):
            return None
        return value

    def add(
        self,
        node: torch.fx.Node,
        target: str,
        args: Sequence[Any] = (),
        kwargs: dict[str, Any] | None = None,
        type_: Type | tuple[Any, ...] | None = None,
    ) -> None:
        made = Node(node.name, target, tuple(args), kwargs or {}, type_, find_location(node))
        self.graph.nodes.append(made)
        self.known[node] = Reference(node.name)

    def call(self, node: torch.fx.Node) -> None:
        value = node.meta.get("val")
        name = name_of(node.target)
        if name == "higher_order.with_effects":
            # The first argument is a token, and so is the first result: nodes stand in order here.
            self.add(node, name_of(node.args[1]), [self.argument(a) for a in node.args[2:]])
            self.tokens.add(node)
            return
        if name == "getitem" and node.args[0] in self.tokens:
            self.known[node] = None
            return
        if name in CHECKS:
            self.add(node, name, [self.argument(a) for a in node.args])
            return
        if name in SILENT:
            self.known[node] = None
            return
        if name == "aten._assert_scalar.default":
            self.graph.guards.append(Guard(self.argument(node.args[0]), find_location(node), node.name))
            self.known[node] = None
            return
        if name == ITEM:
            self.add(node, name, [self.argument(a) for a in node.args], {}, describe_type(value))
            self.known[node] = size_of(value)
            return
        if isinstance(value, NUMBERS):
            # What it is computed from is in the formula.
            self.known[node] = size_of(value)
            return
        if name == "getitem":
            self.add(node, name, (self.argument(node.args[0]), node.args[1]), {}, describe_type(value))
            return
        if name == _FLEX:
            # Options of kernels are none of a program.
            given = [*node.args[:6], None, *node.args[7:]]
            self.add(node, name, [self.argument(a) for a in given], {}, describe_type(value))
            return
        kwargs = {k: self.argument(v) for k, v in node.kwargs.items() if k not in _DROPPED}
        if name.startswith("aten.as_strided"):
            source = node.args[0]
            kwargs["of_rows"] = isinstance(source, torch.fx.Node) and source.meta["val"].is_contiguous()
        self.add(node, name, [self.argument(a) for a in node.args], kwargs, describe_type(value))


def read(graph: torch.fx.Graph, ranges: dict[str, tuple[int, int | None]], roles: dict[str, tuple[Any, ...]]) -> Graph:
    """Reads a torch.fx graph whose nodes have their types in `meta['val']`. `roles` says of placeholders what is not an
    input, and of attributes what they are: ('weight', name) or ('constant', elements)."""
    reader = _Reader()
    reader.graph.symbols.update(ranges)
    _drop_blocks(graph)
    for node in graph.nodes:
        match node.op:
            case "placeholder" | "get_attr":
                if node.op == "get_attr" and node.name not in roles:
                    reader.known[node] = _read_inner(reader.graph, node)
                    continue
                role = roles.get(node.name, ("input",))
                _check_device(node)
                type_ = describe_type(node.meta.get("val"))
                reader.add(node, role[0], role[1:], {}, type_)
                if role[0] == "input" and type_ is not None and type_.element in ("int", "float", "bool"):
                    reader.known[node] = type_.shape[0]
            case "call_function":
                reader.call(node)
            case "output":
                outputs = node.args[0]
                outputs = outputs if isinstance(outputs, (list, tuple)) else [outputs]
                reader.graph.outputs = [reader.argument(output) for output in outputs]
            case _:
                raise ValueError(f"the graph has a node of kind {node.op}, '{node.target}'")
    return reader.graph


def _drop_blocks(graph: torch.fx.Graph) -> None:
    """Takes what says which blocks of attention are empty out of a graph: their mask says it of all elements."""
    found = [node for node in graph.nodes if node.op == "call_function" and name_of(node.target) == _FLEX]
    for node in found:
        blocks = node.args[4]
        node.args = (*node.args[:4], (blocks[-1],), *node.args[5:])
    if found:
        graph.eliminate_dead_code()


def _read_inner(outer: Graph, node: torch.fx.Node) -> Reference | None:
    """Reads a graph of control flow, which the outer one has as an attribute; None for what is none."""
    module = operator.attrgetter(node.target)(node.graph.owning_module)
    if not isinstance(module, torch.fx.GraphModule):
        return None
    roles: dict[str, tuple[Any, ...]] = {}
    for name, tensor in held_tensors(module.graph).items():
        # Others are operands of what takes the graph.
        if is_baked(tensor):
            roles[name] = ("constant", tensor.tolist())
    outer.inner[node.name] = read(module.graph, {}, roles)
    return Reference(node.name)


def held_tensors(graph: torch.fx.Graph) -> dict[str, torch.Tensor]:
    """Returns the tensors that the module of a graph has as attributes, by the names of the nodes that read them."""
    found = {}
    for node in graph.nodes:
        if node.op == "get_attr":
            value = operator.attrgetter(node.target)(graph.owning_module)
            if isinstance(value, torch.Tensor):
                node.meta.setdefault("val", value)
                found[node.name] = value
    return found


def is_baked(tensor: torch.Tensor) -> bool:
    """Tells whether the elements of a tensor that nobody can change are put into a program."""
    return tensor.numel() <= 64 and tensor.dtype in _ELEMENTS


def _check_device(node: torch.fx.Node) -> None:
    value = node.meta.get("val")
    if isinstance(value, torch.Tensor) and value.device.type != "cpu":
        raise BufferError(
            f"'{node.name}' is on device {value.device}, but broadloom computes on the processor; "
            "move the module and its inputs there with .cpu()"
        )


def drop_known(table: dict[Any, Any]) -> dict[Any, Any]:
    """Adds operations that torch leaves alone to a table of decompositions, and returns it without those that there is
    a rule for."""
    aten = torch.ops.aten
    more = [
        aten.upsample_bilinear2d.vec,
        aten.upsample_bilinear2d.default,
        aten.upsample_nearest2d.default,
        aten.addmv,
        aten.dist,
        aten.grid_sampler_2d,
        aten.ldexp.Tensor,
        aten.linalg_vector_norm,
        aten.tril_indices,
        aten.triu_indices,
    ]
    whole = {**get_decompositions(more), **table}
    return {operation: rule for operation, rule in whole.items() if name_of(operation) not in OPERATIONS}
