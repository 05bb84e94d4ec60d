"""From a graph of ATen operations to a program."""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Callable, Sequence

import numpy as np

from .. import _program as program
from .._errors import UnsupportedOperations, UnsupportedTypes
from .._program import Value, extent
from .._tensors._formulas import spell_formula
from .._tensors._tensor import Tensor, plain, settle
from . import (  # noqa: F401
    _elementwise, _images, _indexing, _layers, _norms, _pools, _products, _scatter, _shapes, _sorting, _sums,
)  # fmt: skip
from ._context import OPERATIONS, Context, Missing, Unsupported, why_by_data
from ._fixed import FixedExtent
from ._graph import ELEMENTS, FUNCTIONS, Element, Graph, Node, Reference, Size, Type, names_in, names_of
from ._stored import Stored


@dataclasses.dataclass(frozen=True)
class Given:
    """An argument of the program that is an input of the graph: a tensor, or a number."""

    input: int


@dataclasses.dataclass
class Imported:
    """A program, and what it is called with."""

    text: str
    #: A Given, or what is Stored, for each argument of the program.
    arguments: list[Given | Stored]
    #: For each output of the graph: the number of a result of the program; ('input',
    #: n) for an input that is returned; ('size', Size); or ('constant', value).
    outputs: list
    #: What each symbol is: ('input', n, axis, factor, summand) or ('number', n).
    symbols: dict[str, tuple]


#: How the names of operations begin that only modules in training mode have.
_OF_TRAINING = ("aten._native_batch_norm_legit", "aten.native_dropout", "aten.bernoulli", "aten.rrelu_with_noise")


#: Operations whose number of results only data tells.
_OF_DATA = {
    "aten.nonzero.default", "aten.argwhere.default", "aten.masked_select.default", "aten._unique2.default",
    "aten.unique_consecutive.default", "aten.unique_dim.default", "aten.repeat_interleave.Tensor",
    "aten.bincount.default", "aten.combinations.default", "torchvision.nms.default",
}  # fmt: skip


def _why_not(target: str) -> str:
    if target in _OF_DATA:
        return "how many elements it gives is decided by data; use torch.where, or a sum over a mask"
    why = "the importer has no rule for it"
    if target.startswith(_OF_TRAINING):
        why += "; it is of a module in training mode: call .eval() on the module"
    return why


def _find_foreign(types) -> str | None:
    """The first element type that programs have not."""
    for one in types:
        if isinstance(one, tuple) and (inner := _find_foreign(one)):
            return inner
        if isinstance(one, Type) and one.element.startswith("torch."):
            return one.element
    return None


def _why_foreign(element: str) -> str:
    if element.startswith("torch.complex"):
        return f"there are no complex numbers in programs ({element}); compute with real and imaginary parts"
    others = "bool, int8 to int64, uint8, float16, bfloat16, float32, float64"
    return f"there are no elements of type {element} in programs; there are: {others}"


class _Broken:
    """The result of an operation that was not imported."""


#: Gives the elements of what is Stored, for a program that has its weights inside.
Evaluate = Callable[[Stored], np.ndarray]


class _Import(Context):
    def __init__(self, graph: Graph, evaluate: Evaluate | None, fixed: Sequence[FixedExtent], advice: str):
        super().__init__(graph)
        self.advice = advice
        self.evaluate = evaluate
        self.fixed = fixed
        self.arguments: list[Given | Stored] = []
        self.values: dict[str, object] = {}
        self.problems: list[tuple[Node, str]] = []
        self.has_foreign = False
        self.types = {node.name: node.type for node in graph.nodes}
        self.sources: dict[str, tuple] = {}
        #: For each symbol, what it is in the language of loom.extents.
        self.formulas: dict[str, str] = {}

    # What the program is given.

    def bind(self, stored: Stored) -> Value:
        if self.evaluate is not None:
            return self.builder.constant(self.evaluate(stored), stored.element)
        self.arguments.append(stored)
        return self.builder.argument(stored.element, stored.shape)

    def enter_inputs(self) -> None:
        inputs = [node for node in self.graph.nodes if node.target == "input"]
        types = [node.type for node in inputs]
        self._find_symbols(types)
        for number, node in enumerate(inputs):
            if isinstance(node.type, Type) and node.type.element in ELEMENTS:
                self._note_fixed(node.name, len(self.arguments))
                self.arguments.append(Given(number))
                listed = [self._promise(size) for size in node.type.shape]
                self.values[node.name] = plain(self.builder.argument(node.type.element, listed, node.name))
        for name, source in self.sources.items():
            self._enter_symbol(name, source, inputs)
        for number, node in enumerate(inputs):
            if node.name in self.values:
                tensor = self.values[node.name]
                assert isinstance(tensor, Tensor)
                for axis, size in enumerate(node.type.shape):
                    if isinstance(size, Size):
                        self._know(tensor, axis, size)
                self.values[node.name] = self.refine(tensor, node.type)
            elif _find_foreign([node.type]):
                # What takes it is an error.
                self.values[node.name] = _Broken
            elif node.type is not None:
                self.values[node.name] = node.type.shape[0]

    def _note_fixed(self, name: str, argument: int) -> None:
        for fixed in self.fixed:
            if fixed.argument == name:
                self.builder.note_fixed(argument, fixed.axis, "torch.export", name, fixed.location, fixed.reason)

    def _know(self, tensor: Tensor, axis: int, size: Size) -> None:
        if size.text not in self.sizes:
            self.sizes[size.text] = extent(tensor.value, axis)

    def _find_symbols(self, types: list) -> None:
        """From which axis, or which number, a call tells each symbol."""
        for take in (_read_symbol, _read_multiple):
            for number, type_ in enumerate(types):
                if not isinstance(type_, Type):
                    continue
                for axis, size in enumerate(type_.shape):
                    found = take(size)
                    if found is None or found[0] in self.sources or found[0] not in self.graph.symbols:
                        continue
                    if type_.element in ELEMENTS:
                        self._tell(found, number, axis)
                    elif type_.element == "int" and found[1:] == (1, 0):
                        self.sources[found[0]] = ("number", number)

    def _tell(self, found: tuple[str, int, int], number: int, axis: int) -> None:
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

    def _promise(self, size) -> int | str | None:
        """An extent of an argument, as `loom.extents` has it."""
        if isinstance(size, int):
            return size
        found = _read_symbol(size) or _read_multiple(size)
        if found and self.sources.get(found[0], ())[3:] == found[1:] and self.sources[found[0]][0] == "input":
            return found[0] if found[1:] == (1, 0) else f"{found[0]}_whole"
        return spell_formula(size.text, self.formulas)

    def _enter_symbol(self, name: str, source: tuple, inputs: list[Node]) -> None:
        if source[0] == "number":
            self.arguments.append(Given(source[1]))
            self.signed.add(name)
            self.symbols[name] = program.number_argument(self.builder)
            return
        _, number, axis, factor, summand = source
        tensor = self.values[inputs[number].name]
        whole = extent(tensor.value, axis)
        self.symbols[name] = whole if (factor, summand) == (1, 0) else (whole - summand) // factor

    # Operations.

    def run(self) -> Imported:
        self.enter_inputs()
        for node in self.graph.nodes:
            if node.target != "input":
                self.values[node.name] = self._import_node(node)
        self.builder.place(None)
        outputs, results = self._finish()
        if self.problems:
            kind = UnsupportedTypes if self.has_foreign else UnsupportedOperations
            raise kind(
                [(n.target, n.location, why) for n, why in self.problems],
                [n.name for n, _ in self.problems],
                self.advice,
            )
        text = self.builder.finish(results)
        return Imported(text, self.arguments, outputs, self.sources)

    def _import_node(self, node: Node):
        self.node = node
        try:
            self._require_types(node)
            if node.target in ("weight", "constant"):
                return self._enter_weight(node)
            if node.target == "getitem":
                return self._get(node)
            if node.target not in OPERATIONS:
                raise Unsupported(_why_not(node.target))
            return self._apply(node)
        except Unsupported as problem:
            self.problems.append((node, str(problem)))
        except (ValueError, TypeError, OverflowError) as problem:
            self.problems.append((node, f"{type(problem).__name__}: {problem}"))
        return _Broken

    def _require_types(self, node: Node) -> None:
        given = [*node.args, *node.kwargs.values()]
        elements = [Type(e.name, ()) for e in given if isinstance(e, Element)]
        foreign = _find_foreign([*(self.types.get(name) for name in names_in(given)), node.type, *elements])
        if foreign is not None:
            self.has_foreign = True
            raise Unsupported(_why_foreign(foreign))

    def _apply(self, node: Node):
        rule, takes_stored = OPERATIONS[node.target]
        args = [self.resolve(arg, takes_stored) for arg in node.args]
        kwargs = {key: self.resolve(arg, takes_stored) for key, arg in node.kwargs.items()}
        if _has_broken(args) or _has_broken(list(kwargs.values())):
            return _Broken
        self._locate(node)
        with self.builder.naming(node.target):
            result = rule(self, *args, **kwargs)
            return self._refine(result, node.type)

    def _refine(self, result, type_):
        if isinstance(result, tuple):
            return tuple(self._refine(r, t) for r, t in zip(result, type_))
        if isinstance(result, Tensor) and isinstance(type_, Type):
            return self.refine(result, type_)
        return result

    def _locate(self, node: Node) -> None:
        if not node.location:
            return
        file, _, line = node.location.rpartition(":")
        self.builder.place(file or node.location, int(line) if line.isdigit() else 0)

    def _enter_weight(self, node: Node):
        if node.target == "constant":
            array = np.asarray(node.args[0])
            dtype = program.to_numpy(node.type.element)
            return plain(self.builder.constant(array.astype(dtype).reshape(node.type.shape), node.type.element))
        if not all(isinstance(size, int) for size in node.type.shape):
            raise Unsupported("a weight with an open extent")
        return Stored(node.type.element, tuple(node.type.shape), "weight", (node.args[0],))

    def _get(self, node: Node):
        whole = self.values[node.args[0].name]
        if whole is _Broken:
            return _Broken
        item = whole[node.args[1]]
        if isinstance(item, Missing):
            raise Unsupported(f"a result that is not computed: {item.why}")
        return item

    def resolve(self, arg, takes_stored: bool):
        """An argument of a node as rules take it."""
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

    def _finish(self):
        outputs, results, numbers = [], [], {}
        inputs = [node.name for node in self.graph.nodes if node.target == "input"]
        for output in self.graph.outputs:
            if isinstance(output, Reference):
                value = self.values[output.name]
                if output.name in inputs:
                    outputs.append(("input", inputs.index(output.name)))
                elif isinstance(value, (Tensor, Stored)):
                    if output.name not in numbers:
                        numbers[output.name] = len(results)
                        results.append(settle(self.tensor(value)))
                    outputs.append(numbers[output.name])
                elif value is not _Broken:
                    outputs.append(self._number_output(value))
            elif isinstance(output, Size):
                outputs.append(self._number_output(output))
            else:
                outputs.append(("constant", output))
        return outputs, results

    def _number_output(self, value) -> tuple:
        """A number that is returned: each call computes it, from its inputs alone."""
        if isinstance(value, Size):
            for name in names_of(value):
                if name not in self.sources and name not in FUNCTIONS:
                    self.problems.append((Node("output", "return"), why_by_data(name)))
        return "size", value


def _has_broken(args) -> bool:
    return any(arg is _Broken or isinstance(arg, list) and _has_broken(arg) for arg in args)


def _read_symbol(size) -> tuple[str, int, int] | None:
    """A size that is a symbol."""
    if isinstance(size, Size) and size.text.isidentifier():
        return size.text, 1, 0
    return None


def _read_multiple(size) -> tuple[str, int, int] | None:
    """A size that is a number times a symbol, plus a number."""
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


def import_graph(
    graph: Graph,
    evaluate: Evaluate | None = None,
    fixed: Sequence[FixedExtent] = (),
    advice: str = "write {them} otherwise",
) -> Imported:
    """The program of a graph. With `evaluate`, weights are constants of the program;
    else they are arguments, those that a layout or a sum is made of as that. Reports
    of the program say what is `fixed`.

    Raises UnsupportedOperations with all operations that have no rule, and the advice.
    """
    return _Import(graph, evaluate, fixed, advice).run()
