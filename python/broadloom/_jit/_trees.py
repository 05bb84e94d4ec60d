"""Tuples, lists, dictionaries and partial functions of arrays: their leaves, and back."""

from __future__ import annotations

import functools
from collections import OrderedDict, defaultdict
from collections.abc import Callable
from typing import Any

from ._int64 import TracedShape


class Node:
    """A tuple, a list, a dictionary or a partial function without its leaves. `keys` has what else makes it."""

    __slots__ = ("kind", "children", "keys")

    def __init__(self, kind: type, children: tuple[Any, ...], keys: tuple[Any, ...] = ()) -> None:
        self.kind, self.children, self.keys = kind, children, keys

    def _parts(self) -> Any:
        return self.kind, self.children, self.keys

    def __eq__(self, other: Any) -> Any:
        return isinstance(other, Node) and self._parts() == other._parts()

    def __hash__(self) -> Any:
        return hash(self._parts())


def flatten(tree: Any, leaf: Callable[[Any], Any]) -> Any:
    """Returns the structure of a tree; `leaf` gives what stands in it for each leaf."""
    if isinstance(tree, TracedShape):
        tree = tuple(tree)
    if type(tree) in (tuple, list):
        return Node(type(tree), tuple(flatten(child, leaf) for child in tree))
    if isinstance(tree, tuple) and hasattr(tree, "_fields"):
        return Node(type(tree), tuple(flatten(child, leaf) for child in tree))
    if type(tree) in (dict, OrderedDict, defaultdict):
        children = tuple(flatten(child, leaf) for child in tree.values())
        more = (tree.default_factory,) if type(tree) is defaultdict else ()
        return Node(type(tree), children, (*more, *tree))
    if type(tree) is functools.partial:
        parts = (tree.func, *tree.args, *tree.keywords.values())
        return Node(functools.partial, tuple(flatten(child, leaf) for child in parts), tuple(tree.keywords))
    return leaf(tree)


def build(structure: Any, leaf: Callable[[Any], Any]) -> Any:
    """Returns the tree of a structure, of what `leaf` gives for each."""
    if not isinstance(structure, Node):
        return leaf(structure)
    children = (build(child, leaf) for child in structure.children)
    if structure.kind in (dict, OrderedDict):
        return structure.kind(zip(structure.keys, children))
    if structure.kind is defaultdict:
        factory, *keys = structure.keys
        return defaultdict(factory, zip(keys, children))
    if structure.kind is functools.partial:
        function, *given = children
        count = len(given) - len(structure.keys)
        return functools.partial(function, *given[:count], **dict(zip(structure.keys, given[count:])))
    if hasattr(structure.kind, "_fields"):
        return structure.kind(*children)
    return structure.kind(children)


def number_leaves(tree: Any) -> tuple[Any, list[Any]]:
    """Returns the structure of a tree, with the number of each leaf in its place, and the leaves."""
    leaves: list[Any] = []

    def take(leaf: Any) -> Any:
        leaves.append(leaf)
        return len(leaves) - 1

    return flatten(tree, take), leaves


def list_leaves(structure: Any) -> list[Any]:
    """Lists the entries that stand for the leaves in a structure."""
    if not isinstance(structure, Node):
        return [structure]
    return [leaf for child in structure.children for leaf in list_leaves(child)]


def spell_paths(structure: Any, name: str) -> list[str]:
    """Names each leaf in a tree of this name, such as batch['x'] and layers[0].weight."""
    if not isinstance(structure, Node):
        return [name]
    parts = [f"{name}{part}" for part in _spell_parts(structure)]
    return [path for part, child in zip(parts, structure.children) for path in spell_paths(child, part)]


def spell_path(tree: Any, name: str, place: int) -> str:
    """Names the leaf of a number in a tree of this name."""
    return spell_paths(number_leaves(tree)[0], name)[place]


def _spell_parts(node: Node) -> list[str]:
    """Returns how each child of a node is reached."""
    if node.kind in (dict, OrderedDict, defaultdict):
        return [f"[{key!r}]" for key in node.keys[node.kind is defaultdict :]]
    if node.kind is functools.partial:
        count = len(node.children) - 1 - len(node.keys)
        return [".func", *(f".args[{i}]" for i in range(count)), *(f".keywords[{key!r}]" for key in node.keys)]
    if hasattr(node.kind, "_fields"):
        return [f".{field}" for field in node.kind._fields]
    return [f"[{i}]" for i in range(len(node.children))]


def describe(structure: Any) -> str:
    """Returns a structure as text, with * for each leaf."""
    if not isinstance(structure, Node):
        return "*"
    children = [describe(child) for child in structure.children]
    if structure.kind in (tuple, list):
        opened, closed = "()" if structure.kind is tuple else "[]"
        return f"{opened}{', '.join(children)}{',' if opened == '(' and len(children) == 1 else ''}{closed}"
    listed = ", ".join(f"{part}: {child}" for part, child in zip(_spell_parts(structure), children))
    return f"{structure.kind.__name__}({listed})"
