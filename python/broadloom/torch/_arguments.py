"""Names the inputs of an exported program: as the user calls them, and as torch does in guards."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Any

from torch.export.graph_signature import InputKind


def names_of_arguments(exported: Any, positional: int) -> list[str]:
    """Returns the names of the first arguments of forward. torch calls those of `*more` more_0, more_1, ..."""
    known = getattr(exported.module_call_graph[0].signature, "forward_arg_names", None) or []
    return [*known, *(f"argument {i}" for i in range(len(known), positional))][:positional]


def _get_children(spec: Any) -> list[Any]:
    """Returns the trees of the children of a tree, by the name that this version of torch has for them."""
    return list(spec.children() if hasattr(spec, "children") else spec.children_specs)


def _spell_keys(spec: Any) -> list[str]:
    """Returns how torch spells the way to each child of a tree: "['x']", "[0]" or ".x"."""
    count, context = spec.num_children, spec.context
    if spec.type is defaultdict:
        context = context[1]
    elif hasattr(context, "_fields"):
        return [f".{name}" for name in context._fields]
    elif isinstance(context, list) and len(context) == 2 and isinstance(context[0], list) and len(context[0]) == count:
        # Of dataclasses: the names of fields that are there, and of those that are None.
        return [f".{name}" for name in context[0]]
    if isinstance(context, (list, tuple)) and len(context) == count:
        return [f"[{key!r}]" for key in context]
    return [f"[{number}]" for number in range(count)]


def _spell_paths(spec: Any) -> list[str]:
    """Returns the ways to all leaves of a tree. Trees of other types than lists and dictionaries cannot be made of
    anything but tensors: a cache asks for their device."""
    if spec.type is None:
        return [""]
    parts = zip(_spell_keys(spec), _get_children(spec), strict=True)
    return [key + path for key, child in parts for path in _spell_paths(child)]


class Inputs:
    """The inputs of an exported program: the arguments, and what is in lists and dictionaries among them."""

    def __init__(self, exported: Any) -> None:
        #: The names that the graph has for them.
        self.nodes = [
            spec.arg.name for spec in exported.graph_signature.input_specs if spec.kind == InputKind.USER_INPUT
        ]
        spec = exported.call_spec.in_spec
        positional, keywords = _get_children(spec)
        #: The user's: "batch['x']".
        self.labels = [""] * spec.num_leaves
        self._entered = 0
        self._numbers = {f"L['flat_args'][{number}]": number for number in range(spec.num_leaves)}
        #: Those of keywords, which a guard may find in `**more`.
        self._of_keywords: dict[str, int] = {}
        for name, value in zip(names_of_arguments(exported, positional.num_children), _get_children(positional)):
            variadic = re.fullmatch(r"(\w+)_(\d+)", name)
            self._enter(name, value, [f"L['{name}']", *([f"L['{variadic[1]}'][{variadic[2]}]"] if variadic else [])])
        for name, value in zip(keywords.context, _get_children(keywords)):
            for path, number in self._enter(name, value, [f"L['{name}']"]):
                self._of_keywords[f"['{name}']{path}"] = number

    def _enter(self, name: str, spec: Any, sources: list[str]) -> list[tuple[str, int]]:
        """Enters the leaves of an argument, which are behind those that are there; returns their ways and numbers."""
        found = [(path, self._entered + at) for at, path in enumerate(_spell_paths(spec))]
        self._entered += len(found)
        for path, number in found:
            self.labels[number] = name + path
            for source in sources:
                self._numbers.setdefault(source + path, number)
        return found

    def find(self, source: str) -> int | None:
        """Returns the number of the input that torch calls "L['batch']['x']"; None where it is no input."""
        if source in self._numbers:
            return self._numbers[source]
        return self._of_keywords.get(re.sub(r"^L\['\w+'\]", "", source))


def spell_source(source: str) -> str:
    """Returns what the user calls an input of a graph that dynamo calls "L['batch']['x']", or the number
    "L['x'].size()[0]"."""
    return re.sub(r"\.size\(\)(?=\[\d+\]$)", ".shape", re.sub(r"^L\['(\w+)'\]", r"\1", source))
