"""Describes a node that does not fit what it is given."""

from __future__ import annotations

import dis
from collections.abc import Mapping, Sequence
from typing import Any

from .._tensors._tensor import Held, Tensor


def is_told(problem: Exception) -> bool:
    """Tells whether an error has a message for the user: one that a statement raises, or NumPy. Python's own, as of a
    missing element or attribute, tells of the code here."""
    last = problem.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    assert last is not None
    is_raised = dis.opname[last.tb_frame.f_code.co_code[last.tb_lasti]] == "RAISE_VARARGS"
    return is_raised or (isinstance(problem, ValueError) and "to unpack" not in str(problem))


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
