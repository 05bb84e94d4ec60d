"""Exported programs as functions."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple

import torch
from numpy.typing import NDArray
from torch.export.graph_signature import ConstantArgument, InputKind, OutputKind
from torch.utils._pytree import tree_flatten, tree_map, tree_unflatten

from .. import _compile, _source
from .._core import Function
from .._errors import CompileError, UnsupportedOperations
from .._program import PROMISE
from .._report import Report
from . import _environment, _fx
from ._arguments import Inputs, names_of_arguments
from ._calls import Compiled, check_weight, compute, to_numpy
from ._direct import read_directly
from ._fixed import FixedExtent, find_fixed
from ._graph import COMPLEX_PARTS, ELEMENTS, Graph, Guard, Size, Type, label_of
from ._guards import RequiredCondition, read_guard
from ._importer import Imported, import_graph
from ._stored import Stored
from ._tracing import open_extents


class ExportedFunction:
    """An exported program, compiled once for all extents that it allows.

    It is called as the module was. `function` is the compiled Function, `graph` the
    graph as text, `mlir` the program, and `fixed` what the export demands of the extents of
    arguments besides: those that it allows no others of, and the conditions of branches that it has taken.
    """

    def __init__(
        self, exported: Any, compiled: Compiled, graph: str, fixed: Sequence[FixedExtent | RequiredCondition]
    ) -> None:
        self._exported = exported
        # The property makes another class at each read, which takes a tenth of a millisecond.
        spec = exported.call_spec
        self._in_spec, self._out_spec = spec.in_spec, spec.out_spec
        count = self._in_spec.num_leaves
        #: Of how many tensors alone the arguments are; None where there are others, or trees of them.
        self._tensors = count if self._in_spec == tree_flatten(((0,) * count, {}))[1] else None
        self._compiled = compiled
        self._constants = _find_constants(exported)
        self.graph = graph
        self.fixed = tuple(fixed)
        self.function = compiled.function

    def __call__(
        self,
        *args: Any,
        **kwargs: Any,
    ) -> Any:
        if not kwargs and len(args) == self._tensors and all(type(a) is torch.Tensor for a in args):
            inputs = args
        else:
            inputs, tree = tree_flatten((args, kwargs))
            if tree != self._in_spec:
                raise TypeError(self._describe_misfit(args, kwargs))
        for number, (name, value) in self._constants.items():
            given = inputs[number]
            if type(given) is not type(value) or given != value:
                given = f"a {type(given).__name__}" if isinstance(given, torch.Tensor) else repr(given)
                raise ValueError(
                    f"argument '{name}' is {value!r} in the exported program, but {given} is given; "
                    "export the module for it"
                )
        return tree_unflatten(self._compiled(inputs), self._out_spec)

    @property
    def mlir(self) -> str:
        """The program, as text with all that is constant."""
        return self._compiled.imported.written.text

    def _describe_misfit(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
        """Describes what is wrong with arguments of another form than the exported ones."""
        positional, keywords = tree_unflatten(range(self._in_spec.num_leaves), self._in_spec)
        names = names_of_arguments(self._exported, len(positional))
        if len(args) != len(positional) or kwargs.keys() != keywords.keys():
            wanted = ", ".join([*names, *(f"{name}=..." for name in keywords)])
            given = ", ".join([f"{len(args)} by position", *(f"{name}=..." for name in kwargs)])
            return (
                f"the program was exported for the arguments ({wanted}), but is called with {given}; give all in that "
                "form"
            )
        wanted, given = (dict(zip(names, v[0])) | v[1] for v in ((positional, keywords), (args, kwargs)))
        name = next(n for n in wanted if tree_flatten(wanted[n])[1] != tree_flatten(given[n])[1])
        forms = [tree_map(lambda _: "*", v[name]) for v in (wanted, given)]
        return (
            f"the program was exported for '{name}' of the form {forms[0]}, but is called with {forms[1]}; * is a "
            "tensor or a number"
        )

    @property
    def variables(self) -> dict[str, NDArray[Any]]:
        """The buffers that the module changes, by their names, as new arrays: Function.variables."""
        return self.function.variables

    def reset(self) -> None:
        """Give the buffers that the module changes the values that they had in the export."""
        self.function.reset()

    def refresh(self) -> None:
        """Lay out the weights again at the next call, after changes that torch does not
        count: those through `.data` or `.numpy()`."""
        self._compiled.weights.refresh()

    def check(self) -> Report:
        """Reports what must hold of the shapes (Function.check). The first rows are about the extents that the export
        has fixed, with or without being told to."""
        return self._compiled.imported.names.apply_to_report(self.function.check())

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the compiled program for `broadloom.load`. Its function takes arrays, and
        weights where they are no constants; of these, each call may have others."""
        self._unpromised().save(path)

    def _unpromised(self) -> Function:
        """Returns the function without a promise that the memory of weights does not change."""
        written = self._compiled.imported.written
        text = written.short.replace(f" {{{PROMISE}}}", "")
        if text == written.short:
            return self.function
        return _compile.compile(
            _source.written(written._replace(short=text)),
            name=self.function.program.name,
            threads=self.function.threads,
        )

    def __repr__(self) -> str:
        return f"<broadloom.ExportedFunction {self.function!r}>"


class Lowered(NamedTuple):
    """An exported program, imported."""

    #: The program after decompositions.
    exported: torch.export.ExportedProgram
    graph: Graph
    imported: Imported
    #: The weights by their names.
    tensors: dict[str, torch.Tensor]
    fixed: tuple[FixedExtent, ...]


@contextlib.contextmanager
def _without_obstacles(exported: Any, environment: Any) -> Any:
    """Takes from an exported program for the time of the body what its decomposition fails at or loses: guards, which
    it runs and cannot decide without an example, ranges of what are no symbols, and assertions without a message."""
    silent = torch.ops.aten._assert_async.default
    nodes = [node for node in exported.graph.nodes if node.target is silent]
    for node in nodes:
        node.target, node.args = torch.ops.aten._assert_async.msg, (*node.args, _fx.NO_MESSAGE)
    guards = getattr(exported, "_guards_code", None)
    exported._guards_code = []
    ranges = environment.var_to_range if environment is not None else {}
    derived = {key: ranges.pop(key) for key in list(ranges) if not key.is_Symbol}
    try:
        yield
    finally:
        ranges.update(derived)
        exported._guards_code = guards
        for node in nodes:
            node.target, node.args = silent, node.args[:-1]


def _list_decompositions() -> dict[Any, Any]:
    """Lists the decompositions of operations without a rule."""
    return _fx.drop_known(dict(torch.export.default_decompositions().items()))


def _decompose(exported: Any, environment: Any) -> Any:
    try:
        with _without_obstacles(exported, environment), open_extents():
            return exported.run_decompositions(_list_decompositions())
    except Exception as error:
        reason = str(error).strip().split("\n")[0] or type(error).__name__
        raise CompileError(
            f"run_decompositions of PyTorch {torch.__version__} does not take the exported program: {reason}"
        ) from error


def lower_exported(exported: Any, weights: str, variables: Collection[str] = ()) -> Lowered:
    """Imports an exported program; `weights` as from_torch has them. The inputs of these names, which the program
    changes, become variables, as buffers do that it changes."""
    if not isinstance(exported, torch.export.ExportedProgram):
        raise TypeError(
            f"from_torch takes what torch.export.export gives, not {type(exported).__name__}; "
            "torch.compile(module, backend='broadloom', dynamic=True) takes modules"
        )
    if weights not in ("shared", "constant"):
        raise ValueError(f"weights is 'shared' or 'constant', not {weights!r}")
    _check_held(exported)
    if (direct := read_directly(exported, _list_decompositions())) is not None:
        # What a rule refuses, or fails at, it may take of the operations that PyTorch makes of it.
        with contextlib.suppress(Exception):
            return _import(exported, exported, direct, weights, variables)
    lowered = _decompose(exported, _environment.find_environment(exported.graph))
    _refuse_mutation(lowered, variables)
    return _import(exported, lowered, lowered.graph, weights, variables)


def _import(exported: Any, lowered: Any, nodes: torch.fx.Graph, weights: str, variables: Collection[str]) -> Lowered:
    """Imports the graph `nodes` of an exported program that is `lowered` by now."""
    environment = _environment.find_environment(exported.graph)
    tensors, roles = _find_weights(lowered)
    _keep_zero_points(nodes, tensors, roles)
    first = _find_variables(lowered, variables, tensors, roles)
    ranges = {str(symbol): _environment.bounds(found) for symbol, found in lowered.range_constraints.items()}
    graph = _fx.read(nodes, ranges, roles)
    graph.symbols = {name: r for name, r in graph.symbols.items() if name.isidentifier()}
    _separate_outputs(graph, lowered, roles)
    inputs = Inputs(lowered)
    graph.label_inputs(dict(zip(inputs.nodes, inputs.labels)))
    # What decompositions make of the program may have lost them.
    unneeded = _environment.guards_of_layout(environment)
    guards = [text for text in getattr(exported, "_guards_code", None) or () if text not in unneeded]
    graph.guards[:0] = _read_guards(graph, guards, inputs, _environment.locations_of_guards(environment))
    graph.rename_symbols(_environment.names_of_symbols(environment))
    evaluate: Callable[[Stored], NDArray[Any]] | None = None
    if weights == "constant":
        # A program may read its constants later, such as when it is saved; torch may change its tensors until then.
        evaluate = lambda stored: to_numpy(compute([stored], tensors)[0]).copy()
    fixed = find_fixed(graph, guards, _environment.locations_of_fixed(environment), inputs.find)
    imported = import_graph(graph, evaluate, fixed, first=first)
    return Lowered(lowered, graph, imported, tensors, fixed)


def _read_guards(graph: Graph, texts: Sequence[str], inputs: Inputs, locations: Mapping[str, str]) -> list[Guard]:
    """Reads the guards of an export from torch's text of them."""
    nodes = {node.name: node for node in graph.nodes if node.target in ("input", "variable")}

    def find(source: str, axis: int | None) -> tuple[str, int | float | Size] | None:
        number = inputs.find(source)
        node = nodes.get(inputs.nodes[number]) if number is not None else None
        type_ = node.type if node is not None else None
        if (
            number is None
            or node is None
            or not isinstance(type_, Type)
            or (type_.element in (*ELEMENTS, *COMPLEX_PARTS)) == (axis is None)
        ):
            return None
        label = label_of(node) if node.target == "variable" else inputs.labels[number]
        place = label + (f".shape[{axis}]" if axis is not None else "")
        return place, type_.shape[axis or 0]

    guards, problems = [], []
    for text in texts:
        try:
            guards.append(read_guard(text, find, locations.get(text)))
        except ValueError as problem:
            problems.append(("torch.export", locations.get(text), f"the guard {text} cannot be checked: {problem}"))
    if problems:
        raise UnsupportedOperations(problems)
    return guards


def compile_exported(
    exported: Any, weights: str, threads: int, name: str, variables: Collection[str] = ()
) -> ExportedFunction:
    """Compiles an exported program, as broadloom.from_torch says, with variables as lower_exported has them."""
    lowered = lower_exported(exported, weights, variables)
    function = _compile.compile(_source.written(lowered.imported.written), name=name, threads=threads)
    compiled = Compiled(lowered.imported, lowered.tensors, function)
    return ExportedFunction(
        lowered.exported, compiled, str(lowered.graph), [*lowered.fixed, *lowered.imported.required]
    )


def _find_constants(exported: Any) -> dict[int, tuple[str, object]]:
    """Returns the names and the values of inputs, by their numbers, that the export has put into the program."""
    inputs = [spec.arg for spec in exported.graph_signature.input_specs if spec.kind == InputKind.USER_INPUT]
    return {at: (arg.name, arg.value) for at, arg in enumerate(inputs) if isinstance(arg, ConstantArgument)}


#: What a program changes: what its module holds, and its inputs.
_MUTATIONS = (OutputKind.BUFFER_MUTATION, OutputKind.PARAMETER_MUTATION, OutputKind.USER_INPUT_MUTATION)


def _held_by_module(signature: Any) -> dict[str, str]:
    """Returns the names of the inputs that stand for the module's buffers and parameters, by the names of these."""
    held = {**signature.inputs_to_buffers, **signature.inputs_to_parameters}
    return {target: name for name, target in held.items()}


def _separate_outputs(graph: Graph, exported: Any, roles: Mapping[str, tuple[Any, ...]]) -> None:
    """Leaves what calls return among the outputs, and makes writes of what variables get."""
    specs, signature = exported.graph_signature.output_specs, exported.graph_signature
    held = _held_by_module(signature)
    outputs = []
    for spec, output in zip(specs, graph.outputs, strict=True):
        if spec.kind in _MUTATIONS:
            graph.writes[roles[held.get(spec.target, spec.target)][1]] = output
        elif spec.kind != OutputKind.TOKEN:
            outputs.append(output)
    graph.outputs = outputs


def _refuse_mutation(exported: Any, variables: Collection[str]) -> None:
    changed = [name for name in exported.graph_signature.user_inputs_to_mutate.values() if name not in variables]
    if changed:
        raise ValueError(
            f"the exported program changes its inputs {', '.join(changed)}; return what changes, or make them buffers "
            "of the module, which become variables"
        )


def _find_variables(
    exported: Any, variables: Collection[str], tensors: dict[str, torch.Tensor], roles: dict[str, tuple[Any, ...]]
) -> dict[str, NDArray[Any]]:
    """Makes variables of the buffers and the parameters that the program changes, and of `variables`. Returns the first
    values of buffers and parameters."""
    signature = exported.graph_signature
    held = _held_by_module(signature)
    first = {}
    for target in (*signature.buffers_to_mutate.values(), *signature.parameters_to_mutate.values()):
        first[target] = to_numpy(tensors.pop(target)).copy()
        roles[held[target]] = ("variable", target)
    roles.update({name: ("variable", name) for name in signature.user_inputs_to_mutate.values() if name in variables})
    return first


def _keep_zero_points(
    nodes: torch.fx.Graph, tensors: dict[str, torch.Tensor], roles: dict[str, tuple[Any, ...]]
) -> None:
    """Makes constants of the zero points of weights, which decide how a product is computed."""
    for node in nodes.nodes:
        if node.op != "placeholder" or roles.get(node.name, ("",))[0] != "weight" or not node.users:
            continue
        name = roles[node.name][1]
        is_zero_point = all(
            _fx.name_of(user.target).startswith("quantized_decomposed.dequantize_per_channel")
            and user.args.index(node) == 2
            for user in node.users
        )
        if is_zero_point and name in tensors:
            roles[node.name] = ("constant", tensors.pop(name).tolist())


#: What an exported program has besides its graph.
_HELD = (InputKind.PARAMETER, InputKind.BUFFER, InputKind.CONSTANT_TENSOR)


def _check_held(exported: Any) -> None:
    """Checks that what the graph uses is there, and of the types of the export."""
    values = {node.name: node.meta.get("val") for node in exported.graph.nodes if node.op == "placeholder"}
    for spec in exported.graph_signature.input_specs:
        if spec.kind not in _HELD:
            continue
        if spec.target not in exported.constants and spec.target not in exported.state_dict:
            raise CompileError(
                f"the exported program has no '{spec.target}' in its state_dict, but its graph uses it; put it there, "
                "or export the module again"
            )
        wanted = values.get(spec.arg.name)
        if isinstance(wanted, torch.Tensor):
            check_weight(spec.target, _held_tensor(exported, spec), wanted.shape, _fx.element_of(wanted.dtype))


def _held_tensor(exported: Any, spec: Any) -> Any:
    """Returns the tensor that an input of the graph stands for."""
    held = exported.constants if spec.target in exported.constants else exported.state_dict
    return held[spec.target]


def _find_weights(exported: Any) -> tuple[dict[str, torch.Tensor], dict[str, tuple[Any, ...]]]:
    """Returns the tensors by their names, and what placeholders are."""
    tensors: dict[str, torch.Tensor] = {}
    roles: dict[str, tuple[Any, ...]] = {}
    for spec in exported.graph_signature.input_specs:
        if spec.kind == InputKind.TOKEN:
            # It orders operations with effects, and no call gives it.
            roles[spec.arg.name] = ("constant", [])
        if spec.kind not in _HELD:
            continue
        tensor = _held_tensor(exported, spec)
        # What forward itself makes has a name that torch.export gives it. An attribute
        # of the module may be changed.
        is_made = spec.kind == InputKind.CONSTANT_TENSOR and spec.target.startswith("lifted_tensor")
        if is_made and _fx.is_baked(tensor):
            roles[spec.arg.name] = ("constant", tensor.tolist())
        else:
            roles[spec.arg.name] = ("weight", spec.target)
            tensors[spec.target] = tensor
    return tensors, roles
