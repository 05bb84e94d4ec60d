"""Names the inputs of an exported program: as the user calls them, and as torch does in guards."""

from __future__ import annotations

import re
from typing import Any

from torch.export.graph_signature import InputKind
from torch.utils._pytree import keystr, tree_flatten_with_path, tree_unflatten

from .._program import Value


def names_of_arguments(exported: Any, positional: int) -> list[str]:
    """Returns the names of the first arguments of forward. torch calls those of `*more` more_0, more_1, ..."""
    known = getattr(exported.module_call_graph[0].signature, "forward_arg_names", None) or []
    return [*known, *(f"argument {i}" for i in range(len(known), positional))][:positional]


class Inputs:
    """The inputs of an exported program: the arguments, and what is in lists and dictionaries among them."""

    def __init__(self, exported: Any) -> None:
        #: The names that the graph has for them.
        self.nodes = [
            spec.arg.name for spec in exported.graph_signature.input_specs if spec.kind == InputKind.USER_INPUT
        ]
        spec = exported.call_spec.in_spec
        positional, keywords = tree_unflatten(range(spec.num_leaves), spec)
        #: The user's: "batch['x']".
        self.labels = [""] * spec.num_leaves
        self._numbers = {f"L['flat_args'][{number}]": number for number in range(spec.num_leaves)}
        #: Those of keywords, which a guard may find in `**more`.
        self._of_keywords: dict[str, int] = {}
        for name, value in zip(names_of_arguments(exported, len(positional)), positional):
            variadic = re.fullmatch(r"(\w+)_(\d+)", name)
            self._enter(name, value, [f"L['{name}']", *([f"L['{variadic[1]}'][{variadic[2]}]"] if variadic else [])])
        for name, value in keywords.items():
            for path, number in self._enter(name, value, [f"L['{name}']"]):
                self._of_keywords[f"['{name}']{path}"] = number

    def _enter(self, name: str, value: Value, sources: list[str]) -> list[tuple[str, int]]:
        found = [(keystr(path), number) for path, number in tree_flatten_with_path(value)[0]]
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
