"""Traces: the program that a trace writes, and the user's line."""

from __future__ import annotations

import os
import sys
import threading
import types
from collections.abc import Callable
from typing import Any, Self

import numpy as np

from .. import _program as program
from .._errors import TraceError

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_NUMPY = os.path.dirname(os.path.abspath(np.__file__)) + os.sep
_local = threading.local()
#: What messages say of complex numbers.
NO_COMPLEX = "complex numbers have no element type in programs; compute with real and imaginary parts as two arrays"


class Trace:
    """One run of a user's function over arrays without values."""

    def __init__(self) -> None:
        self.builder = program.Builder(copies_large=True)
        self.is_over = False
        #: Whether one of NumPy's functions is running, so that what is called is a part of it.
        self.is_in_function = False
        #: The first error of what cannot be traced. A function that catches it goes on by a way that NumPy's
        #: arrays do not take.
        self.refusal: TraceError | None = None
        #: The instruction of the user's that it is of, where NumPy may have asked in passing.
        self.refused_at: tuple[Any, ...] | None = None
        #: What the end of the trace requires, by what it is of.
        self.ending: dict[Any, Callable[[], None]] = {}

    def __enter__(self) -> Self:
        self._outer = getattr(_local, "trace", None)
        _local.trace = self
        return self

    def __exit__(self, *_: Any) -> None:
        _local.trace = self._outer
        self.is_over = True
        if self._outer is not None and self.refusal is not None:
            self._outer.refusal = self._outer.refusal or self.refusal


def current() -> Trace:
    """Returns the trace of this thread."""
    trace: Trace | None = getattr(_local, "trace", None)
    if trace is None:
        raise TraceError("there is no trace: this is of use in a function under bl.jit")
    return trace


def is_tracing() -> bool:
    """Tells whether this thread runs a function under bl.jit."""
    return getattr(_local, "trace", None) is not None


def find_location() -> tuple[str, int, int] | None:
    """Returns the file, line and column of the innermost frame that is the user's."""
    frame = find_frame()
    if frame is None:
        return None
    positions = list(frame.f_code.co_positions())[frame.f_lasti // 2]
    return frame.f_code.co_filename, frame.f_lineno, (positions[2] or 0) + 1


def find_frame() -> types.FrameType | None:
    """Returns the innermost frame that is the user's."""
    frame: types.FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith((_PACKAGE, _NUMPY, "<__array_function__")):
        frame = frame.f_back
    return frame


def find_line() -> tuple[types.CodeType, int] | None:
    """Finds the line that the user's frame runs now."""
    frame = find_frame()
    return None if frame is None else (frame.f_code, frame.f_lineno)


def _find_instruction() -> tuple[Any, ...] | None:
    """Finds the instruction that the user's frame runs now."""
    frame = find_frame()
    return None if frame is None else (frame.f_code, frame.f_lasti)


def spell_location() -> str:
    """Returns the location in the user's code, as messages begin with it."""
    found = find_location()
    return f"{found[0]}:{found[1]}:{found[2]}: " if found else ""


def spell_types(dtype: np.dtype[Any]) -> str:
    """Returns what to do in place of computing with a type."""
    if dtype.kind == "c":
        return NO_COMPLEX
    return "there are bool, int8 to int64, uint8 to uint64, float16 to float64, and those of ml_dtypes"


def refuse(what: str, instead: str, in_passing: bool = False) -> TraceError:
    """Returns the error of what cannot be traced: the line, why, and what to do. `forget_probe` forgets one
    `in_passing`."""
    return error(f"{what} cannot be traced; {instead}", in_passing)


def error(message: str, in_passing: bool = False) -> TraceError:
    """Returns the error with the user's line, which the trace remembers: it fails with that whatever becomes of the
    error."""
    made = TraceError(spell_location() + message)
    trace = getattr(_local, "trace", None)
    if trace is not None and trace.refusal is None and not _is_numpys_question():
        trace.refusal, trace.refused_at = made, _find_instruction() if in_passing else None
    return made


def _is_numpys_question() -> bool:
    """Tells whether NumPy, and not the user, asks np.iterable: functions of it do to find arrays among arguments."""
    frame: types.FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame = frame.f_back
    return frame is not None and frame.f_code is np.iterable.__code__ and frame.f_back is not find_frame()


def forget_probe(trace: Trace) -> None:
    """Forgets a refusal of the operation at hand. Where the exponent is no array, NumPy first asks whether it is a
    number of Python's, and calls the universal function where it is none."""
    if trace.refused_at is not None and trace.refused_at == _find_instruction():
        trace.refusal = trace.refused_at = None


def require_of(trace: Trace, value: Any) -> None:
    """Raises an error where an array or an extent is not one of this trace: its name means
    something else in the program, or nothing."""
    if value._trace is trace:
        return
    enter(value._trace)
    raise refuse("what another trace computes, used in this one,", "pass it as an argument")


def require_open(trace: Trace, name: str) -> None:
    """Raises an error where a value of the program is one of the body of a loop that is left."""
    if trace.builder.is_closed(name):
        raise refuse("what the body of a loop computes, used outside of it,", "carry it, and use what the loop gives")


def enter(trace: Trace) -> program.Builder:
    """Returns the builder, for an operation of the line that is running."""
    if trace.is_over:
        raise error(
            "an array of an earlier trace is used; return it from the function under bl.jit in place of keeping it"
        )
    location = find_location()
    trace.builder.place(*(location or (None,)))
    return trace.builder
