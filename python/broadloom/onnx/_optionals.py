"""Optional values: whether one has an element is known at import, so that programs have the element, or nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ._context import Context, Known, Unsupported, operator

#: Operators that take what may have no element.
_TAKING = ("Identity", "If", "Loop", "Optional", "OptionalGetElement", "OptionalHasElement")


class Nothing:
    """An optional value without an element."""

    def __str__(self) -> str:
        return "an optional value without an element"


def refuse_nothing(operation: str, inputs: Sequence[Any]) -> None:
    """Raises an error where an operator is given an optional value without an element."""
    for number, given in enumerate(inputs):
        if isinstance(given, Nothing) and operation not in _TAKING:
            raise Unsupported(f"its input {number} is {given}; ask OptionalHasElement first")


@operator("Optional", since=15)
def _optional(c: Context, x: Any = None, *, type: Any = None) -> Any:
    return Nothing() if x is None else x


@operator("OptionalHasElement", since=15)
def _has_element(c: Context, x: Any = None) -> Known:
    return Known(np.array(x is not None and not isinstance(x, Nothing)), "i1")


@operator("OptionalGetElement", since=15)
def _get_element(c: Context, x: Any) -> Any:
    if isinstance(x, Nothing):
        raise ValueError("the optional value has no element")
    return x
