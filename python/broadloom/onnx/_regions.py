"""Regions of the program, and loops over a number of steps."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

from .. import _program as program
from .._program import Value
from ._context import Context, Number, Unsupported


@contextlib.contextmanager
def inside(c: Context):
    """The lines of a region; what is bound inside is not known outside."""
    bound = dict(c._bound)
    try:
        with c.builder.region() as lines:
            yield lines
    finally:
        c._bound = bound


@contextlib.contextmanager
def joining():
    """Graphs whose results are joined in the body; those that cannot be are not supported."""
    try:
        yield
    except program.Unjoined as error:
        raise Unsupported(f"its graphs give {error}") from None


def name_results(c: Context, count: int, elements: Sequence[str], shapes: Sequence[Sequence]) -> tuple[str, list[Value]]:
    """The names of an operation's results: `%5:2`, and `%5#0` and so on."""
    name = c.builder.new_name()
    single = count == 1
    made = [Value(c.builder, name if single else f"{name}#{i}", e, s) for i, (e, s) in enumerate(zip(elements, shapes))]
    return (name if single else f"{name}:{count}"), made


def repeat(
    c: Context, count: Number, start: Sequence[Value], rows: Sequence[tuple[str, Sequence[Number]]], step: program.Step,
    backward: bool = False,
) -> tuple[list[Value], list[Value]]:
    """What `count` steps carry to the end, and the rows that they give, each of an
    element type and a shape, at the indices of the steps. Backward, the last index is
    first."""
    with joining():
        return program.collect(c.builder, count, start, rows, step, backward, lambda: inside(c))
