"""Batch norms behind convolutions, which are made part of the weights (decision 99)."""

from __future__ import annotations

from .._tensors._norms import fold_batch_norm
from ._context import Context
from ._graph import Graph, Node, Reference, Type, names_in
from ._stored import Operand, Stored

_CONVOLUTIONS = ("aten.conv1d.default", "aten.conv2d.default", "aten.conv3d.default", "aten.convolution.default")
_WITHOUT_TRAINING = "aten._native_batch_norm_legit_no_training.default"
_NORMS = (_WITHOUT_TRAINING, "aten.batch_norm.default")


def find_folded(graph: Graph) -> dict[str, Node]:
    """Returns the batch norms that alone read the result of a convolution of f32, by the names of these."""
    convolutions = {node.name for node in graph.nodes if node.target in _CONVOLUTIONS and _is_f32(node)}
    uses: dict[str, int] = {}
    given = [argument for node in graph.nodes for argument in (*node.args, *node.kwargs.values())]
    for name in names_in([*given, *graph.outputs, *graph.writes.values()]):
        uses[name] = uses.get(name, 0) + 1
    found = {}
    for node in graph.nodes:
        if node.target not in _NORMS or node.kwargs or not isinstance(node.args[0], Reference):
            continue
        name = node.args[0].name
        if name in convolutions and uses[name] == 1:
            found[name] = node
    return found


def _is_f32(node: Node) -> bool:
    return isinstance(node.type, Type) and node.type.element == "f32"


def fold(c: Context, weight: Operand, bias: Operand | None, is_transposed: bool) -> tuple[Operand, Operand | None]:
    """Returns the weight and the bias of the convolution at hand, with the batch norm behind it; what it cannot be made
    part of stays."""
    node = c.folded.get(c.node.name)
    if node is None:
        return weight, bias
    given = node.args[1:5]
    # What comes later is no weight.
    parts = [c.resolve(arg, True) for arg in given] if all(name in c.values for name in names_in(given)) else []
    is_training = node.target != _WITHOUT_TRAINING and node.args[5]
    eps = node.args[-1] if node.target == _WITHOUT_TRAINING else node.args[7]
    held = [one for one in (weight, bias, *parts) if one is not None]
    shapes = {tuple(one.shape) for one in (*parts, bias) if isinstance(one, Stored)}
    if (
        is_transposed
        or is_training
        or not all(isinstance(one, Stored) and one.element == "f32" for one in held)
        or not isinstance(weight, Stored)
        # The result for a single image has its channels along another axis than the norm.
        or len(c.type.shape) != len(weight.shape)
        or shapes != {weight.shape[:1]}
        or not parts
    ):
        del c.folded[c.node.name]
        return weight, bias
    factor, summand, mean, variance = parts
    scale, shift = fold_batch_norm(mean, variance, factor, summand, float(eps), "f32")
    assert isinstance(scale, Stored) and isinstance(shift, Stored)
    wide = weight.combine("multiply", "f32", scale.reshape([*scale.shape, *(1 for _ in weight.shape[1:])]))
    if isinstance(bias, Stored):
        shift = bias.combine("multiply", "f32", scale).combine(
            "subtract", "f32", shift.combine("multiply", "f32", -1.0)
        )
    return wide, shift


def is_folded(c: Context) -> bool:
    """Tells whether the batch norm at hand is part of a convolution's weights."""
    return any(node.name == c.node.name for node in c.folded.values())
