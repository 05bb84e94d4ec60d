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
    if type(tree) in (dict, OrderedDict, defaultdict):
        children = tuple(flatten(child, leaf) for child in tree.values())
        more = (tree.default_factory,) if type(tree) is defaultdict else ()
        return Node(type(tree), children, (*more, *tree))
    if type(tree) is functools.partial:
        parts = (tree.func, *tree.args, *tree.keywords.values())
        return Node(functools.partial, tuple(flatten(child, leaf) for child in parts), tuple(tree.keywords))
    return leaf(tree)


def build(structure: Any, leaf: Callable[[Any], Any]) -> Any:
    """The tree of a structure, of what `leaf` gives for each."""
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
