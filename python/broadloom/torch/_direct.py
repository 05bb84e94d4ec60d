"""Reads the graph of an exported program as it is, where operations have rules.

`run_decompositions` of PyTorch traces a program again, operation by operation, with symbolic sizes, which takes many
times as long as the export. The types of all results are known from the export. So nodes whose operations have rules
stay as they are, an operation that writes to its first operand becomes the one that makes a new tensor, and only what
has no rule is traced again, node by node.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from torch.fx.experimental.proxy_tensor import make_fx
from torch.utils._pytree import tree_flatten, tree_unflatten

from . import _fx
from ._context import OPERATIONS
from ._graph import CHECKS, ITEM

#: Operations that `_fx` reads without a rule.
_READ = {*CHECKS, *_fx.SILENT, ITEM, "getitem", "aten._assert_scalar.default"}
#: Operations that PyTorch makes of others, and whose result is never memory of an operand.
_FRESH = {
    "batch_norm", "conv1d", "conv2d", "conv3d", "group_norm", "instance_norm", "layer_norm", "linear", "matmul",
    "max_pool2d", "max_pool3d", "scaled_dot_product_attention",
}  # fmt: skip
#: Operations that give their operand, unless a module is in training mode.
_DROPOUTS = ("dropout", "feature_dropout", "alpha_dropout", "feature_alpha_dropout")
_IDENTITIES = {stem + mark for stem in _DROPOUTS for mark in ("", "_")}


class _NotDirect(Exception):
    """The program has to be decomposed as a whole."""


def read_directly(exported: Any, table: Mapping[Any, Any]) -> torch.fx.Graph | None:
    """Returns a graph whose operations have rules; None where only `run_decompositions` can make it. `table` has the
    decompositions of operations without a rule."""
    try:
        return _Copy(exported.graph, table).run()
    except _NotDirect:
        return None


def _may_be_operand(target: Any) -> bool:
    """Tells whether a result may share memory with an operand."""
    if not isinstance(target, torch._ops.OpOverload):
        return True
    name = target.overloadpacket.__name__
    # What is called unsafe gives views that its schema does not tell of.
    if "unsafe" in name or any(result.alias_info is not None for result in target._schema.returns):
        return True
    implicit = target.has_kernel_for_dispatch_key(torch._C.DispatchKey.CompositeImplicitAutograd)
    return implicit and name not in _FRESH


def _trains(node: torch.fx.Node) -> bool:
    """Tells whether an operation is one of a module in training mode."""
    arguments = node.target._schema.arguments
    given = {**{argument.name: value for argument, value in zip(arguments, node.args)}, **node.kwargs}
    return any(bool(given.get(name)) for name in ("train", "training"))


def _is_closed(value: Any) -> bool:
    """Tells whether a value has no extents that the export has left open."""
    if isinstance(value, torch.Tensor):
        return all(isinstance(extent, int) for extent in value.shape)
    return not isinstance(value, (torch.SymInt, torch.SymFloat, torch.SymBool))


class _Copy:
    """A copy of a graph, made node by node."""

    def __init__(self, graph: torch.fx.Graph, table: Mapping[Any, Any]) -> None:
        self.source = graph
        self.table = table
        self.graph = torch.fx.Graph(graph.owning_module)
        #: What each node of the source is in the copy, at this point of the program.
        self.made: dict[torch.fx.Node, Any] = {}
        #: For nodes that are the same memory, all of them, the one that has made it first.
        self.same: dict[torch.fx.Node, list[torch.fx.Node]] = {}

    def run(self) -> torch.fx.Graph:
        """Returns the copy."""
        for node in self.source.nodes:
            if node.op == "call_function":
                self.made[node] = self.call(node)
            elif node.op == "output":
                self.graph.output(torch.fx.map_arg(node.args[0], self.made.__getitem__))
            elif node.op in ("placeholder", "get_attr"):
                self.made[node] = self.copy(node, node.target)
            else:
                raise _NotDirect
        return self.graph

    def call(self, node: torch.fx.Node) -> Any:
        """Copies an operation, and returns its result."""
        name, target = _fx.name_of(node.target), node.target
        if isinstance(target, torch._ops.HigherOrderOperator):
            # Graphs inside are not decomposed here.
            raise _NotDirect
        if name == "aten._assert_async.default":
            made = self.copy(node, torch.ops.aten._assert_async.msg)
            made.args = (*made.args, _fx.NO_MESSAGE)
            return made
        if isinstance(node.meta.get("val"), _fx.NUMBERS) or name in _READ:
            return self.copy(node, target)
        if not isinstance(target, torch._ops.OpOverload) or _trains(node):
            raise _NotDirect
        if target.overloadpacket.__name__ in _IDENTITIES:
            (operand, *_) = node.args
            self.join(node, operand)
            return self.made[operand]
        if target._schema.is_mutable:
            return self.write(node)
        return self.compute(node, target)

    def compute(self, node: torch.fx.Node, target: Any) -> Any:
        """Adds an operation that writes to no operand."""
        if _fx.name_of(target) in OPERATIONS:
            return self.copy(node, target)
        return self.decompose(node, target)

    def copy(self, node: torch.fx.Node, target: Any) -> torch.fx.Node:
        """Copies a node, as one of an operation `target` with the same operands."""
        made = self.graph.node_copy(node, self.made.__getitem__)
        made.target = target
        # torch.fx makes names unique, which those of the source are.
        made.name = node.name
        return made

    # Writing to operands.

    def join(self, node: torch.fx.Node, operand: Any) -> list[torch.fx.Node]:
        """Notes that a result is an operand's memory, and returns all that is this memory."""
        nodes = self.same.setdefault(operand, [operand])
        nodes.append(node)
        self.same[node] = nodes
        return nodes

    def write(self, node: torch.fx.Node) -> Any:
        """Adds the operation that makes a new tensor of what `node` writes to its first operand; what reads that
        memory later reads the new tensor."""
        target, written = node.target, node.args[0] if node.args else None
        assert isinstance(target, torch._ops.OpOverload)
        first, *rest = target._schema.arguments
        packet = target.overloadpacket.__name__
        functional = getattr(torch.ops.aten, packet.removesuffix("_"), None)
        is_plain = (
            packet.endswith("_")
            and target.namespace == "aten"
            and functional is not None
            and target._overloadname in functional.overloads()
            and first.alias_info is not None
            and all(argument.alias_info is None for argument in rest)
            and isinstance(written, torch.fx.Node)
        )
        if not is_plain or self.is_shared(written):
            raise _NotDirect
        values = [operand.meta.get("val") for operand in node.all_input_nodes]
        # What promotes makes elements of another type, which are written as those of the operand.
        if {v.dtype for v in values if isinstance(v, torch.Tensor)} != {node.meta["val"].dtype}:
            raise _NotDirect
        made = self.compute(node, getattr(functional, target._overloadname))
        for one in self.join(node, written):
            self.made[one] = made
        return made

    def is_shared(self, written: Any) -> bool:
        """Tells whether the memory that a node gives may be that of another tensor so far."""
        nodes = self.same.get(written, [written])
        if nodes[0].op != "call_function" or _may_be_operand(nodes[0].target):
            return True
        users = {user for node in nodes for user in node.users if user in self.made and user not in nodes}
        return any(_may_be_operand(user.target) for user in users)

    # Operations without a rule.

    def decompose(self, node: torch.fx.Node, target: Any) -> Any:
        """Adds the operations that PyTorch makes of one without a rule."""
        leaves, spec = tree_flatten((node.args, node.kwargs))
        operands = [leaf for leaf in leaves if isinstance(leaf, torch.fx.Node)]
        values = [operand.meta.get("val") for operand in operands]
        if not all(isinstance(value, (torch.Tensor, *_fx.NUMBERS)) for value in values):
            raise _NotDirect
        # A decomposition that asks for an open extent would fix it in all of the program.
        if not all(_is_closed(value) for value in [*values, *tree_flatten(node.meta.get("val"))[0]]):
            raise _NotDirect

        def run(*given: Any) -> Any:
            those = iter(given)
            filled = [next(those) if isinstance(leaf, torch.fx.Node) else leaf for leaf in leaves]
            args, kwargs = tree_unflatten(filled, spec)
            return target(*args, **kwargs)

        try:
            with torch.no_grad():
                traced = make_fx(run, dict(self.table))(*values)
        except Exception:
            raise _NotDirect from None
        return self.inline(node, traced.graph, [self.made[operand] for operand in operands])

    def inline(self, node: torch.fx.Node, traced: torch.fx.Graph, operands: list[Any]) -> Any:
        """Adds the operations of a graph."""
        made: dict[torch.fx.Node, Any] = {}
        given = iter(operands)
        for inner in traced.nodes:
            if inner.op == "placeholder":
                made[inner] = next(given)
            elif inner.op == "output":
                result = torch.fx.map_arg(inner.args[0], made.__getitem__)
            elif inner.op == "call_function":
                made[inner] = self.inline_call(node, inner, made)
            else:
                raise _NotDirect
        if not isinstance(result, torch.fx.Node):
            # Several results, or a constant.
            raise _NotDirect
        return result

    def inline_call(self, node: torch.fx.Node, inner: torch.fx.Node, made: Mapping[torch.fx.Node, Any]) -> Any:
        name = _fx.name_of(inner.target)
        if isinstance(inner.target, torch._ops.OpOverload) and inner.target._schema.is_mutable:
            raise _NotDirect
        if name not in _READ and name not in OPERATIONS and not isinstance(inner.meta.get("val"), _fx.NUMBERS):
            raise _NotDirect
        added = self.graph.node_copy(inner, made.__getitem__)
        added.meta["stack_trace"] = node.meta.get("stack_trace")
        return added
