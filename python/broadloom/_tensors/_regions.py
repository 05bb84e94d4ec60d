"""Regions of the program, and loops over a number of steps."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from typing import Any

from .. import _program as program
from .._program import Line, Value, line
from ._making import Maker, Unsupported
from ._tensor import Number


@contextlib.contextmanager
def inside(c: Maker) -> Any:
    """Collects the lines of a region; what is bound inside is not known outside."""
    tables = c.known_here()
    kept = [dict(table) for table in tables]
    try:
        with c.builder.region() as lines:
            yield lines
    finally:
        for table, entries in zip(tables, kept):
            table.clear()
            table.update(entries)


@contextlib.contextmanager
def joining() -> Any:
    """Reports graphs whose results cannot be joined in the body as unsupported."""
    try:
        yield
    except program.Unjoined as error:
        raise Unsupported(f"its graphs give {error}") from None


def name_results(
    c: Maker, count: int, elements: Sequence[str], shapes: Sequence[Sequence[int | str | None]]
) -> tuple[str, list[Value]]:
    """Names the results of an operation: `%5:2`, and `%5#0` and so on."""
    name = c.builder.new_name()
    single = count == 1
    made = [Value(c.builder, name if single else f"{name}#{i}", e, s) for i, (e, s) in enumerate(zip(elements, shapes))]
    return (name if single else f"{name}:{count}"), made


def choose_between(
    c: Maker, holds: str, graphs: Sequence[tuple[list[Line], Sequence[Value]]], outside: program.Outside
) -> list[Value]:
    """Emits two regions, of which a condition chooses one, and returns the results: each of `graphs` has the lines of a
    region and its results."""
    b = c.builder
    with joining():
        shapes = [program.join_known(pair, outside) for pair in zip(graphs[0][1], graphs[1][1])]
    texts = []
    for lines, values in graphs:
        with inside(c) as more:
            names = [program.cast_to(b, value, shape) for value, shape in zip(values, shapes)]
        types = [Value(b, n, v.element, s).type for n, v, s in zip(names, values, shapes)]
        texts.append([*lines, *more, line("scf.yield {} : {}", names, types)])
    head, made = name_results(c, len(shapes), [v.element for v in graphs[0][1]], shapes)
    first = line("scf.if {} -> ({}) {", holds, [v.type for v in made], result=head)
    b.add_nested(first, texts[0], line("} else {"), texts[1])
    return made


def either(
    c: Maker, predicate: str, x: Number, y: Number, make: Callable[[], Value], otherwise: Callable[[], Value]
) -> Value:
    """Returns what one of two functions makes, by a comparison ('sle', 'sge', ...) of extents; that of numbers is
    decided at once."""
    if isinstance(x, int) and isinstance(y, int):
        return make() if program.holds(predicate, x, y) else otherwise()
    condition = program.compare(predicate, x, y)
    outside, graphs = program.Outside(c.builder), []
    for function in (make, otherwise):
        with inside(c) as lines:
            graphs.append((lines, [function()]))
    return choose_between(c, condition, graphs, outside)[0]


def repeat(
    c: Maker,
    count: Number,
    start: Sequence[Value],
    rows: Sequence[tuple[str, Sequence[Number]]],
    step: program.Step,
    backward: bool = False,
) -> tuple[list[Value], list[Value]]:
    """Repeats `count` steps; returns what they carry to the end, and the rows that they give, each of an element type
    and a shape, at the indices of the steps. Backward, the last index is first."""
    with joining():
        return program.collect(c.builder, count, start, rows, step, backward, lambda: inside(c))
