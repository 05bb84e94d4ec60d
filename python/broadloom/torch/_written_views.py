"""Whether a program writes to what it has reshaped or copied, or to what that was made from."""

from __future__ import annotations

from typing import Any

import torch

#: What gives a part or another form of its first operand.
_VIEWS = frozenset(
    (
        "as_strided",
        "chunk",
        "contiguous",
        "diagonal",
        "expand",
        "expand_as",
        "flatten",
        "getitem",
        "mT",
        "moveaxis",
        "movedim",
        "narrow",
        "permute",
        "ravel",
        "reshape",
        "reshape_as",
        "select",
        "split",
        "squeeze",
        "swapaxes",
        "t",
        "tensor_split",
        "transpose",
        "unbind",
        "unflatten",
        "unfold",
        "unsqueeze",
        "view",
        "view_as",
    )
)
_RESHAPES = frozenset(("contiguous", "flatten", "ravel", "reshape", "reshape_as"))
_ASSIGNMENTS = frozenset(
    ("setitem", "iadd", "isub", "imul", "itruediv", "ifloordiv", "ipow", "imod", "iand", "ior", "ixor")
)


def _name_of(node: torch.fx.Node) -> str:
    return node.target if isinstance(node.target, str) else getattr(node.target, "__name__", "")


def _find_base(node: Any) -> Any:
    """Returns what a value is a part or another form of."""
    while isinstance(node, torch.fx.Node) and node.op in ("call_function", "call_method"):
        if _name_of(node) not in _VIEWS and not _is_in_place(node):
            break
        node = node.args[0] if node.args else None
    return node


def _is_in_place(node: torch.fx.Node) -> bool:
    name = _name_of(node)
    return (
        (name.endswith("_") and not name.endswith("__")) or name in _ASSIGNMENTS or node.kwargs.get("inplace") is True
    )


def _list_written(node: torch.fx.Node) -> list[Any]:
    """Returns the values that a node writes."""
    if node.op not in ("call_function", "call_method"):
        return []
    written = [node.args[0]] if node.args and _is_in_place(node) else []
    out = node.kwargs.get("out")
    return [*written, *(out if isinstance(out, (list, tuple)) else [out] if out is not None else [])]


def writes_to_reshaped(graph: torch.fx.Graph) -> bool:
    """Tells whether a tensor is written to behind its being reshaped, under any name. Whether both are one memory is
    then for PyTorch to tell, which may depend on extents of 1."""
    reshaped: set[Any] = set()
    for node in graph.nodes:
        if any(_find_base(value) in reshaped for value in _list_written(node)):
            return True
        if node.op in ("call_function", "call_method") and _name_of(node) in _RESHAPES and node.args:
            reshaped.add(_find_base(node))
    return False
