"""Regions of the program, and loops over a number of steps."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence

from .. import _program as program
from .._program import Extent, Value, cast_to  # noqa: F401
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


class Outside(program.Outside):
    """What is known of extents before a region, for what is made inside of it."""

    def __init__(self, c: Context):
        super().__init__(c.builder)


@contextlib.contextmanager
def _joining():
    """Graphs whose results cannot be joined in the body are not supported."""
    try:
        yield
    except program.Unjoined as error:
        raise Unsupported(f"its graphs give {error}") from None


def join_types(c: Context, values: Sequence[Value], seen: Outside) -> list:
    """What is known of the extents of a result that several graphs give."""
    with _joining():
        return program.join_known(values, seen)


def seen_extents(c: Context) -> Outside:
    """The extents that are known here."""
    return Outside(c)


def name_results(c: Context, count: int, elements: Sequence[str], shapes: Sequence[Sequence]) -> tuple[str, list[Value]]:
    """The names of an operation's results: `%5:2`, and `%5#0` and so on."""
    name = c.builder.new_name()
    single = count == 1
    made = [Value(c.builder, name if single else f"{name}#{i}", e, s) for i, (e, s) in enumerate(zip(elements, shapes))]
    return (name if single else f"{name}:{count}"), made


#: One step: of its number and what it is given, what it carries and its rows.
Step = Callable[[Extent, Sequence[Value]], tuple[Sequence[Value], Sequence[Value]]]


def repeat(
    c: Context, count: Number, start: Sequence[Value], rows: Sequence[tuple[str, Sequence[Number]]], step: Step,
    backward: bool = False,
) -> tuple[list[Value], list[Value]]:
    """What `count` steps carry to the end, and the rows that they give, each of an
    element type and a shape, at the indices of the steps. Backward, the last index is
    first."""
    with _joining():
        return program.collect(c.builder, count, start, rows, step, backward, lambda: inside(c))


def repeat_while(c: Context, start: Sequence, test: Callable[[list], str], step: Callable[[list], Sequence]) -> list:
    """What steps carry until `test`, which gives the name of an i1, does not hold of it."""
    with _joining():
        return program.repeat_while(c.builder, start, test, step, lambda: inside(c))
