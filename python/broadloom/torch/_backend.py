"""The backend of torch.compile."""

from __future__ import annotations

import itertools
import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch._decomp import core_aten_decompositions
from torch._dynamo.backends.common import aot_autograd
from torch._functorch import config as functorch_config
from torch._guards import TracingContext, detect_fake_mode
from torch.fx.passes.infra.partitioner import CapabilityBasedPartitioner
from torch.fx.passes.operator_support import OperatorSupportBase

from .. import _compile, _source
from .._errors import UnsupportedOperations, guess_name
from . import _fx
from ._arguments import spell_source
from ._calls import Compiled
from ._complex import COMPLEX
from ._context import OPERATIONS
from ._environment import drop_guards_of_layout, guards_of, ranges_of
from ._importer import import_graph
from ._quick_shapes import quick_shapes
from ._view_strides import asking_of_views
from ._views import Views, find_symbols
from ._written_views import writes_to_reshaped

log = logging.getLogger("broadloom.torch")

_OPTIONS = ("fallback", "threads")
_ADVICE = 'write {them} otherwise, or give torch.compile options={"fallback": "eager"}'


def _read_options(mode: str | None, options: Mapping[str, Any] | None) -> dict[str, Any]:
    if mode not in (None, "default"):
        raise ValueError(f"the backend broadloom has no mode {mode!r}; leave mode out")
    options = dict(options or {})
    for name in options:
        if name not in _OPTIONS:
            hint = guess_name(name, _OPTIONS) or f"; there are: {', '.join(_OPTIONS)}"
            raise ValueError(f"the backend broadloom has no option '{name}'{hint}")
    if options.get("fallback") not in (None, "eager"):
        raise ValueError(f"the option 'fallback' is 'eager' or left out, not {options['fallback']!r}")
    return options


def compile_graph(
    graph: torch.fx.GraphModule,
    inputs: Sequence[Any],
    *,
    mode: str | None = None,
    options: Mapping[str, Any] | None = None,
) -> Any:
    """Compiles a graph that torch.compile gives, by broadloom.torch.backend."""
    options = _read_options(mode, options)
    sources = [getattr(n, "_dynamo_source", None) for n in graph.graph.nodes if n.op == "placeholder"]
    labels = [spell_source(source.name) if source is not None else "" for source in sources]
    compile_it = aot_autograd(
        fw_compiler=_refuse_gradients,
        inference_compiler=lambda module, inputs: _Inference(module, inputs, labels, options),
        decompositions=_fx.drop_known(core_aten_decompositions()),
    )
    # The order of checks is no argument of the graph then.
    with (
        functorch_config.patch(unlift_effect_tokens=True),
        asking_of_views(writes_to_reshaped(graph.graph)),
        quick_shapes(),
    ):
        return compile_it(graph, inputs)


def _refuse_gradients(module: Any, inputs: Sequence[Any]) -> None:
    raise RuntimeError(
        "the graph needs gradients, but broadloom computes none; call the compiled module "
        "inside torch.no_grad() or torch.inference_mode()"
    )


class _Inference:
    """A graph of ATen operations as what torch calls with a list of its inputs."""

    #: Inputs come in one list, which is emptied.
    _boxed_call = True

    def __init__(
        self, module: torch.fx.GraphModule, inputs: Sequence[Any], labels: Sequence[str], options: dict[str, Any]
    ) -> None:
        mode = detect_fake_mode(inputs)
        environment = mode.shape_env if mode is not None else None
        context = TracingContext.try_get()
        metadata = context.fw_metadata if context is not None else None
        static = getattr(metadata, "static_input_indices", None) or []
        placeholders = [node for node in module.graph.nodes if node.op == "placeholder"]
        weights = {placeholders[at].name for at in static if isinstance(inputs[at], torch.Tensor)}
        threads = options.get("threads", 0)
        # AOTAutograd may take other inputs than dynamo does.
        known = dict(zip((node.name for node in placeholders), labels)) if len(labels) == len(placeholders) else {}
        try:
            self._call: Callable[..., Any] = _Part(module.graph, weights, environment, threads, known)
            # Parts that PyTorch runs depend on layouts.
            drop_guards_of_layout(environment)
        except UnsupportedOperations as problem:
            if options.get("fallback") != "eager":
                raise
            self._call = _split(module, weights, environment, threads, problem)

    def __call__(self, inputs: list[Any]) -> Any:
        given = list(inputs)
        inputs.clear()
        with torch.no_grad():
            return self._call(*given)


class _Part(torch.nn.Module):
    """A graph that is computed by Broadloom as a whole."""

    def __init__(
        self,
        graph: torch.fx.Graph,
        weights: set[str],
        environment: Any,
        threads: int,
        labels: Mapping[str, str] | None = None,
    ) -> None:
        """`labels` are the user's names of inputs; None for a part of a graph that PyTorch runs."""
        super().__init__()
        is_whole = labels is not None
        placeholders = [node for node in graph.nodes if node.op == "placeholder"]
        used = [node.name in weights and _is_static(node) for node in placeholders]
        roles = {node.name: ("weight", node.name) for node, is_weight in zip(placeholders, used) if is_weight}
        held = _fx.held_tensors(graph)
        for name, tensor in held.items():
            roles[name] = ("constant", tensor.tolist()) if _fx.is_baked(tensor) else ("weight", name)
        self._held = {name: tensor for name, tensor in held.items() if not _fx.is_baked(tensor)}
        ours = _fx.read(graph, ranges_of(environment), roles)
        if labels is not None:
            ours.guards += guards_of(environment)
            ours.label_inputs(labels)
        # Other parts rely on the layouts that the graph says.
        self._views = Views(graph, keep_layouts=not is_whole)
        ours.drop_outputs(self._views.of_inputs)
        self.graph_text = str(ours)
        imported = import_graph(ours, advice=_ADVICE, maker="torch.compile")
        self._names = [node.name if is_weight else None for node, is_weight in zip(placeholders, used)]
        self._imported = imported
        self._compiled: Compiled | None = None
        (output,) = (node for node in graph.nodes if node.op == "output")
        self._is_single = not isinstance(output.args[0], (list, tuple))
        # What fails to compile is told now, and not by the first call.
        self._function = _compile.compile(_source.written(imported.written), name="torch", threads=threads)

    def forward(self, *given: Any) -> Any:
        weights = {name: tensor for name, tensor in zip(self._names, given) if name is not None}
        weights |= self._held
        inputs = [tensor for name, tensor in zip(self._names, given) if name is None]
        if self._compiled is None:
            self._compiled = Compiled(self._imported, weights, self._function)
        results = self._views.apply(given, self._compiled(inputs, weights))
        return results[0] if self._is_single else results


def _is_static(node: torch.fx.Node) -> bool:
    value = node.meta.get("val")
    return isinstance(value, torch.Tensor) and all(isinstance(size, int) for size in value.shape)


class _Support(OperatorSupportBase):
    def __init__(self, broken: set[str]) -> None:
        self.broken = broken

    def is_node_supported(self, submodules: Any, node: torch.fx.Node) -> bool:
        if node.op != "call_function" or node.name in self.broken:
            return False
        name = _fx.name_of(node.target)
        if name == "getitem":
            source = node.args[0]
            return isinstance(source, torch.fx.Node) and self.is_node_supported(submodules, source)
        return name in OPERATIONS or name in COMPLEX


def _split(
    module: torch.fx.GraphModule, weights: set[str], environment: Any, threads: int, problem: UnsupportedOperations
) -> Any:
    """Splits a graph into parts that can be imported, and the rest as it is."""
    count = sum(node.op == "call_function" for node in module.graph.nodes)
    broken = set(problem.nodes)
    while True:
        failed = set()
        copy = torch.fx.GraphModule(module, _copy_graph(module.graph))
        made = CapabilityBasedPartitioner(copy, _Support(broken), allows_single_node_partition=True)
        parts = made.propose_partitions()
        fused = made.fuse_partitions(parts)
        for node in [n for n in fused.graph.nodes if n.op == "call_module"]:
            inner = fused.get_submodule(node.target)
            _give_symbols(fused.graph, node, inner.graph)
            inputs = [n for n in inner.graph.nodes if n.op == "placeholder"]
            own = {i.name for i, given in zip(inputs, node.args) if given.op == "placeholder" and given.name in weights}
            try:
                setattr(fused, node.target, _Part(inner.graph, own, environment, threads))
            except UnsupportedOperations as more:
                failed |= set(more.nodes)
        if not failed or failed <= broken:
            break
        broken |= failed
    fused.recompile()
    listed = ", ".join(sorted({name for name, _, _ in problem.operations}))
    log.warning(
        "%d of %d operations run in eager mode, the others in %d programs: %s",
        len(broken),
        count,
        len(parts),
        listed,
    )
    return fused.forward


def _give_symbols(whole: torch.fx.Graph, call: torch.fx.Node, part: torch.fx.Graph) -> None:
    """Makes the symbols of a part that its inputs do not tell inputs as well: `n//2 + 1` elements,
    which an operation outside of it gives, do not tell n."""
    inputs = [node for node in part.nodes if node.op == "placeholder"]
    told = find_symbols([node.meta.get("val") for node in inputs])
    needed = set().union(*(_fx.symbols_of(node.meta.get("val")) for node in part.nodes)) - told.keys()
    for node in itertools.takewhile(lambda node: node is not call, list(whole.nodes)):
        value = node.meta.get("val")
        sizes = [value] if isinstance(value, torch.SymInt) else value.shape if isinstance(value, torch.Tensor) else []
        for axis, size in enumerate(sizes):
            name = str(_fx.size_of(size))
            if name not in needed:
                continue
            needed.remove(name)
            source = node
            if isinstance(value, torch.Tensor):
                with whole.inserting_before(call):
                    source = whole.call_function(torch.ops.aten.sym_size.int, (node, axis))
                source.meta["val"] = size
            with part.inserting_after(inputs[-1] if inputs else None):
                inputs.append(part.placeholder(f"symbol_{name}"))
            inputs[-1].meta["val"] = size
            call.args = (*call.args, source)


def _copy_graph(graph: torch.fx.Graph) -> torch.fx.Graph:
    copy = torch.fx.Graph()
    copy.output(copy.graph_copy(graph, {}))
    return copy
