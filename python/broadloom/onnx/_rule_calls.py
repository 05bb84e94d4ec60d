"""Calls of rules: what a rule is given is what it takes."""

from __future__ import annotations

import inspect
import re
from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

from ._context import Context, Rule, Unsupported
from ._model import Graph


@runtime_checkable
class _Held(Protocol):
    """A tensor of a model: of elements that programs have, or that they hold in bytes."""

    element: str
    rank: int


#: For what the annotation of an attribute says: the types of its values, of one, and of several.
_KINDS: dict[str, tuple[tuple[type, ...], str, str]] = {
    "int": ((int,), "an integer", "integers"),
    # What is written as an integer is the same number.
    "float": ((int, float), "a number", "numbers"),
    "str": ((str,), "a text", "texts"),
    "Graph": ((Graph,), "a graph", "graphs"),
    "Known": ((_Held,), "a tensor", "tensors"),
}
_SEVERAL = re.compile(r"Sequence\[(\w+)\]")


def _describe_kind(form: str) -> str:
    several = _SEVERAL.fullmatch(form)
    return f"a list of {_KINDS[several[1]][2]}" if several else _KINDS[form][1]


def _is_of(form: str, value: Any) -> bool:
    several = _SEVERAL.fullmatch(form)
    if several:
        return isinstance(value, (list, tuple)) and all(isinstance(one, _KINDS[several[1]][0]) for one in value)
    return isinstance(value, _KINDS[form][0])


def _require_kind(name: str, annotation: Any, value: Any) -> None:
    """Requires that an attribute has a value of the kind that the annotation of a rule's parameter says. The
    annotation Any takes all."""
    forms = [form for form in str(annotation).split(" | ") if form != "None"]
    if not all(form in _KINDS or ((many := _SEVERAL.fullmatch(form)) and many[1] in _KINDS) for form in forms):
        return
    if not any(_is_of(form, value) for form in forms):
        told = repr(value) if isinstance(value, (int, float, str, list)) else "of another kind"
        raise Unsupported(f"its attribute {name!r} is {told}, but it takes {' or '.join(map(_describe_kind, forms))}")


def call_rule(c: Context, rule: Rule, inputs: Sequence[Any], attributes: dict[str, Any]) -> Any:
    """Calls a rule. Inputs and attributes that it has not, or lacks, are errors."""
    parameters = list(inspect.signature(rule).parameters.values())[1:]
    positional = [p for p in parameters if p.kind == p.POSITIONAL_OR_KEYWORD]
    takes_more = any(p.kind == p.VAR_POSITIONAL for p in parameters)
    if not takes_more and len(inputs) > len(positional):
        raise Unsupported(f"it has {len(inputs)} inputs, but takes at most {len(positional)}")
    for index, parameter in enumerate(positional):
        given = inputs[index] if index < len(inputs) else None
        # One whose type has None may be left out in front of others.
        may_lack = index < len(inputs) and "None" in str(parameter.annotation)
        if given is None and parameter.default is parameter.empty and not may_lack:
            raise Unsupported(f"its input {index} is missing")
    for index, given in enumerate(inputs[len(positional) :], len(positional)):
        if given is None:
            raise Unsupported(f"its input {index} is missing")
    names = {p.name: p.annotation for p in parameters if p.kind == p.KEYWORD_ONLY}
    for name, value in attributes.items():
        if name not in names:
            listed = f"; it has {', '.join(sorted(names))}" if names else ""
            raise Unsupported(f"it has no attribute {name!r} in this opset{listed}")
        _require_kind(name, names[name], value)
    for p in parameters:
        if p.kind == p.KEYWORD_ONLY and p.default is p.empty and p.name not in attributes:
            raise Unsupported(f"its attribute {p.name!r} is missing")
    return rule(c, *inputs, **attributes)
