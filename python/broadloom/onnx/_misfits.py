"""Describes a node that does not fit what it is given."""

from __future__ import annotations

import dis
from collections.abc import Mapping, Sequence
from typing import Any

from .. import _program as program
from .._tensors._tensor import Held, Tensor
from ._context import require_alike
from ._kinds import KINDS
from ._model import Node

_WORDS = {"b": "bool", "i": "integers", "f": "floats"}


def is_told(problem: Exception) -> bool:
    """Tells whether an error has a message for the user: one that a statement raises, or NumPy. Python's own, as of a
    missing element or attribute, tells of the code here."""
    last = problem.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    assert last is not None
    is_raised = dis.opname[last.tb_frame.f_code.co_code[last.tb_lasti]] == "RAISE_VARARGS"
    return is_raised or (isinstance(problem, ValueError) and "to unpack" not in str(problem))


def require_kinds(node: Node, inputs: Sequence[Any]) -> None:
    """Requires that the inputs of a node have elements of the types that ONNX gives its operator. NumPy and rules would
    find a meaning for others, and ONNX has none."""
    words = KINDS.get(f"{node.domain}.{node.operation}".lstrip("."), "").split()
    alike: dict[str, list[Any]] = {}
    for at, given in enumerate(inputs):
        word = words[at] if at < len(words) else words[-1] if words and words[-1].endswith("+") else ""
        if not word or not isinstance(given, (Held, Tensor)):
            continue
        element, kinds = given.element, word.rstrip("+0123456789")
        if ("b" if element == "i1" else "f" if program.is_float(element) else "i") not in kinds:
            told = " or ".join(_WORDS[letter] for letter in kinds)
            own = "bool" if element == "i1" else element
            raise ValueError(
                f"its input {at}, {node.inputs[at]!r}, has elements of {own}, but it takes {told}; put a Cast in front"
            )
        group = word.strip("bif+")
        if group:
            alike.setdefault(group, []).append(given)
    for operands in alike.values():
        require_alike(*operands)


def spell_given(inputs: Sequence[Any], attributes: Mapping[str, Any]) -> str:
    """Describes the inputs and the attributes of a node."""
    parts = []
    if inputs:
        parts.append("inputs " + ", ".join(map(spell_input, inputs)))
    if attributes:
        listed = (
            f"{name}={value!r}" if isinstance(value, (int, float, str, list)) else name
            for name, value in attributes.items()
        )
        parts.append("attributes " + ", ".join(listed))
    return " and ".join(parts) or "nothing"


def spell_input(given: Any) -> str:
    """Describes an input of a node: its element type and its extents."""
    if given is None:
        return "none"
    if isinstance(given, Held):
        return f"{given.element}{list(given.shape)}"
    if isinstance(given, Tensor):
        axes = ", ".join("?" if (n := given.known(axis)) is None else str(n) for axis in range(given.rank))
        return f"{given.element}[{axes}]"
    return "what is no tensor" if isinstance(given, type) else str(given)
