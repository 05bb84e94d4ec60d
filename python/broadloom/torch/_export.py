"""Exported programs as functions."""

from __future__ import annotations

import os
from collections.abc import Callable

import numpy as np
import torch
from torch.export.graph_signature import InputKind, OutputKind

from .. import _compile
from . import _fx
from ._calls import Compiled, compute, to_numpy
from ._importer import import_graph
from ._stored import Stored


class ExportedFunction:
    """An exported program, compiled once for all extents that it allows.

    It is called as the module was. `function` is the compiled Function, `graph` the
    graph as text, and `mlir` the program.
    """

    def __init__(self, exported, compiled: Compiled, graph: str):
        self._exported = exported
        self._compiled = compiled
        self.graph = graph
        self.mlir = compiled.imported.text
        self.function = compiled.function

    def __call__(self, *args, **kwargs):
        inputs, tree = torch.utils._pytree.tree_flatten((args, kwargs))
        spec = self._exported.call_spec
        if tree != spec.in_spec:
            raise TypeError(
                f"the program was exported for arguments of the form {spec.in_spec}, but is called with {tree}"
            )
        return torch.utils._pytree.tree_unflatten(self._compiled(inputs), spec.out_spec)

    def refresh(self) -> None:
        """Lay out the weights again at the next call, after changes that torch does not
        count: those through `.data` or `.numpy()`."""
        self._compiled.weights.refresh()

    def check(self):
        """What must hold of the shapes (Function.check)."""
        return self.function.check()

    def save(self, path: str | os.PathLike) -> None:
        """Write the compiled program for `broadloom.load`. Its function takes arrays, and
        weights where they are no constants."""
        self.function.save(path)

    def __repr__(self):
        return f"<broadloom.ExportedFunction {self.function!r}>"


def compile_exported(exported, weights: str, threads: int, name: str) -> ExportedFunction:
    """What broadloom.from_torch does."""
    if not isinstance(exported, torch.export.ExportedProgram):
        raise TypeError(
            f"from_torch takes what torch.export.export gives, not {type(exported).__name__}; "
            "torch.compile(module, backend='broadloom', dynamic=True) takes modules"
        )
    if weights not in ("shared", "constant"):
        raise ValueError(f"weights is 'shared' or 'constant', not {weights!r}")
    lowered = exported.run_decompositions(
        _fx.drop_known(dict(torch.export.default_decompositions().items()))
    )
    _refuse_mutation(lowered)
    tensors, roles = _find_weights(lowered)
    ranges = {str(symbol): _fx.bounds(found) for symbol, found in lowered.range_constraints.items()}
    graph = _fx.read(lowered.graph, ranges, roles)
    graph.symbols = {name: r for name, r in graph.symbols.items() if name.isidentifier()}
    graph.outputs = graph.outputs[_count_tokens(lowered) :]
    evaluate: Callable[[Stored], np.ndarray] | None = None
    if weights == "constant":
        evaluate = lambda stored: to_numpy(compute(stored, tensors))
    imported = import_graph(graph, evaluate)
    function = _compile.compile(imported.text, name=name, threads=threads)
    return ExportedFunction(lowered, Compiled(imported, tensors, function), str(graph))


def _count_tokens(exported) -> int:
    return sum(spec.kind == OutputKind.TOKEN for spec in exported.graph_signature.output_specs)


def _refuse_mutation(exported) -> None:
    signature = exported.graph_signature
    changed = [*signature.buffers_to_mutate.values(), *signature.user_inputs_to_mutate.values()]
    if changed:
        listed = ", ".join(map(str, changed))
        raise ValueError(
            f"the exported program changes {listed}; call .eval() on the module before torch.export.export, "
            "and return what changes"
        )


def _find_weights(exported) -> tuple[dict[str, torch.Tensor], dict[str, tuple]]:
    """The tensors by their names, and what placeholders are."""
    tensors, roles = {}, {}
    kinds = (InputKind.PARAMETER, InputKind.BUFFER, InputKind.CONSTANT_TENSOR)
    for spec in exported.graph_signature.input_specs:
        if spec.kind not in kinds:
            continue
        held = exported.constants if spec.target in exported.constants else exported.state_dict
        tensor = held[spec.target]
        # What forward itself makes has a name that torch.export gives it. An attribute
        # of the module may be changed.
        is_made = spec.kind == InputKind.CONSTANT_TENSOR and spec.target.startswith("lifted_tensor")
        if is_made and _fx.is_baked(tensor):
            roles[spec.arg.name] = ("constant", tensor.tolist())
        else:
            roles[spec.arg.name] = ("weight", spec.target)
            tensors[spec.target] = tensor
    return tensors, roles
