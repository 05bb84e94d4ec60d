"""Decisions by extents, of which a trace goes one way: where the other way raises, each call checks that it goes this
one.

assert x.shape[1] == y.shape[0]
if x.shape != y.shape:
    raise ValueError("...")
"""

from __future__ import annotations

import dis
import re
import sys

import numpy as np

from . import _trace
from ._int64 import TracedShape
from ._operands import find_compared

#: Conditional jumps that leave nothing of what they ask, in the versions of Python.
_JUMP = re.compile(r"POP_JUMP_(FORWARD_|BACKWARD_)?IF_(TRUE|FALSE)$")
_JUMPS = frozenset(dis.hasjrel) | frozenset(dis.hasjabs)
#: What says that things are equal, and which.
_EQUAL: dict[np.ufunc | None, type] = {np.equal: int, np.logical_and: TracedShape}


def find_way(compared: np.ufunc | None) -> bool | None:
    """Finds whether an object whose truth Python asks for has to be true or false, because the user's function raises
    at once for the other; None where it raises for neither, or where that is not known. `compared` is the comparison
    that the object is of."""
    frame = _trace.find_frame()
    if frame is None or frame is not sys._getframe(2):
        # It is not the user's code that asks.
        return None
    code = list(dis.get_instructions(frame.f_code))
    at = next((i for i, one in enumerate(code) if one.offset == frame.f_lasti), None)
    if at is None:
        return None
    are_all = None
    if code[at].opname == "COMPARE_OP":
        name = code[at].argrepr
        symbol = name.removeprefix("bool(").removesuffix(")")
        # From Python 3.13 on, the instruction that compares two numbers, or shapes, asks for the outcome itself.
        is_own = name != symbol and (compared in _EQUAL) == (symbol == "==") and compared is not None
        if is_own and symbol == "==":
            # What equality says of a tuple's elements is asked in the same way.
            is_own = _EQUAL[compared] is find_compared(code, at, frame)
        if not is_own:
            # Tuples, whose elements have to be equal, all of them.
            are_all = {"==": True, "!=": False}.get(symbol)
            if are_all is None or compared not in _EQUAL:
                return None
        at += 1 + _count_kept(code[at + 1 :])
    while code[at].opname in ("TO_BOOL", "EXTENDED_ARG"):
        at += 1
    jump = _JUMP.match(code[at].opname)
    if jump is None:
        return None
    raises_there, raises_here = _raises(code, _find_target(code, at)), _raises(code, at + 1)
    if raises_there == raises_here:
        return None
    way = raises_here == (jump[2] == "TRUE")
    return way if are_all is None else (True if way == are_all else None)


def _count_kept(code: list[dis.Instruction]) -> int:
    """Returns how many instructions keep an outcome in a variable and read it again, as in `are_equal = x.shape ==
    y.shape`."""
    match code:
        case [dis.Instruction("STORE_FAST"), dis.Instruction("LOAD_FAST"), *_] if code[0].argval == code[1].argval:
            return 2
        case [dis.Instruction("STORE_FAST_LOAD_FAST"), *_] if len(set(code[0].argval)) == 1:
            return 1
    return 0


def _raises(code: list[dis.Instruction], at: int) -> bool:
    """Tells whether what begins at an instruction ends with raising, whichever way it goes."""
    if at < len(code) and _is_of_assertion(code[at]):
        return True
    seen, open_ones = set(), [at]
    while open_ones:
        at = open_ones.pop()
        if at in seen:
            continue
        seen.add(at)
        if at >= len(code) or code[at].opname.startswith(("RETURN", "YIELD", "RERAISE")):
            return False
        if code[at].opname == "RAISE_VARARGS":
            continue
        if code[at].opcode in _JUMPS:
            open_ones.append(_find_target(code, at))
        if not code[at].opname.startswith("JUMP_") or "_IF_" in code[at].opname:
            open_ones.append(at + 1)
    return True


def _find_target(code: list[dis.Instruction], at: int) -> int:
    return next((i for i, one in enumerate(code) if one.offset == code[at].argval), len(code))


def _is_of_assertion(one: dis.Instruction) -> bool:
    return one.opname == "LOAD_ASSERTION_ERROR" or (
        one.opname == "LOAD_COMMON_CONSTANT" and "AssertionError" in one.argrepr
    )
