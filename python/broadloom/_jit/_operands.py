"""The operands of a comparison of the user's, as its bytecode says: numbers or shapes, or tuples of these, which Python
compares element by element."""

from __future__ import annotations

import dis
from typing import Any

from ._extent import TracedExtent
from ._int64 import TracedShape

#: Operators that tuples have not.
_OF_NUMBERS = ("-", "//", "%", "/", "**")


def find_compared(code: list[dis.Instruction], at: int, frame: Any) -> type | None:
    """Finds what the comparison `at` an instruction compares: int for numbers, TracedShape for a shape, None for what
    is not known. `frame` has the variables."""
    right = code[at - 1]
    match right.opname, right.argval:
        case (("LOAD_CONST" | "LOAD_SMALL_INT"), value):
            return _kind_of(value)
        case "LOAD_ATTR", "size" | "ndim":
            return int
        case "LOAD_ATTR", "shape":
            return TracedShape
        case "BINARY_OP", _ if right.argrepr in _OF_NUMBERS:
            return int
        case "BINARY_OP", _ if right.argrepr == "+":
            # What is added to a number is one, too.
            return int if find_compared(code, at - 1, frame) is int else None
        case (("BINARY_SUBSCR" | "BINARY_OP"), _) if right.opname == "BINARY_SUBSCR" or right.argrepr == "[]":
            return _find_element(code, at - 1, frame)
    return _kind_of(_variable(right, frame))


def _find_element(code: list[dis.Instruction], at: int, frame: Any) -> type | None:
    """Finds the type of x.shape[i], and of n[i] of a variable."""
    index, owner = code[at - 1], code[at - 2]
    if index.opname.startswith("LOAD_FAST") and isinstance(index.argval, tuple):
        owner = index
    found = index.argval if index.opname in ("LOAD_CONST", "LOAD_SMALL_INT") else _variable(index, frame)
    is_shape = owner.opname == "LOAD_ATTR" and owner.argval == "shape"
    is_shape = is_shape or isinstance(_variable(owner, frame, 0), TracedShape)
    return int if is_shape and isinstance(found, int) else None


def _variable(one: dis.Instruction, frame: Any, which: int = -1) -> Any:
    """Returns the value of a variable that an instruction reads, and the last one of two."""
    if one.opname.startswith(("LOAD_FAST", "LOAD_DEREF", "LOAD_NAME")):
        name = one.argval[which] if isinstance(one.argval, tuple) else one.argval
        return frame.f_locals.get(name)
    return frame.f_globals.get(one.argval) if one.opname == "LOAD_GLOBAL" else None


def _kind_of(value: Any) -> type | None:
    if isinstance(value, TracedShape) or (type(value) is tuple and value and all(type(e) is int for e in value)):
        return TracedShape
    return int if isinstance(value, (int, float, TracedExtent)) else None
