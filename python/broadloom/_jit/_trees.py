"""Tuples, lists and dictionaries of arrays: their leaves, and back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ._int64 import TracedShape


class Node:
    """A tuple, a list or a dictionary without its leaves."""

    __slots__ = ("kind", "children", "keys")

    def __init__(self, kind: type, children: tuple, keys: tuple = ()):
        self.kind, self.children, self.keys = kind, children, keys

    def _parts(self):
        return self.kind, self.children, self.keys

    def __eq__(self, other):
        return isinstance(other, Node) and self._parts() == other._parts()

    def __hash__(self):
        return hash(self._parts())


def flatten(tree: Any, leaf: Callable[[Any], Any]) -> Any:
    """The structure of a tree; `leaf` gives what stands in it for each leaf."""
    if isinstance(tree, TracedShape):
        tree = tuple(tree)
    if type(tree) in (tuple, list):
        return Node(type(tree), tuple(flatten(child, leaf) for child in tree))
    if isinstance(tree, tuple) and hasattr(tree, "_fields"):
        return Node(type(tree), tuple(flatten(child, leaf) for child in tree))
    if type(tree) is dict:
        children = tuple(flatten(child, leaf) for child in tree.values())
        return Node(dict, children, tuple(tree))
    return leaf(tree)


def build(structure: Any, leaf: Callable[[Any], Any]) -> Any:
    """The tree of a structure, of what `leaf` gives for each."""
    if not isinstance(structure, Node):
        return leaf(structure)
    children = (build(child, leaf) for child in structure.children)
    if structure.kind is dict:
        return dict(zip(structure.keys, children))
    if hasattr(structure.kind, "_fields"):
        return structure.kind(*children)
    return structure.kind(children)
