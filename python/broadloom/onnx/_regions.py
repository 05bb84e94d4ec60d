"""Regions of the program, and loops over a number of steps."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence

from .. import _program as program
from .._program import Builder, Extent, Value, index
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


def join_types(c: Context, values: Sequence[Value], seen: set[str]) -> list:
    """What is known of the extents of a result that several graphs give."""
    first = values[0]
    for value in values[1:]:
        if value.rank != first.rank or value.element != first.element:
            raise Unsupported(
                f"its graphs give {first.declared_type} and {value.declared_type}, of which one result cannot be made"
            )
    joined = []
    for extents in zip(*(v.extents for v in values)):
        one = extents[0]
        same = all(e == one for e in extents)
        joined.append(one if same and (isinstance(one, int) or one in seen) else None)
    return joined


def seen_extents(c: Context) -> set[str]:
    """The names of extents that are known here."""
    return set(c.builder._sources)


class Outside:
    """What is known of extents before a region, for what is made inside of it."""

    def __init__(self, c: Context):
        self.builder = c.builder
        self._seen = seen_extents(c)
        self._newest = int(c.builder.new_name()[1:])

    def number(self, extent) -> Number | None:
        """An extent as a number that is there before the region; None where none is."""
        if isinstance(extent, int):
            return extent
        if extent in self._seen:
            return program.extent(Value(self.builder, "", "i1", [extent]), 0)
        is_before = isinstance(extent, str) and extent[1:].isdigit() and int(extent[1:]) <= self._newest
        return Extent(self.builder, extent) if is_before else None


def cast_to(builder: Builder, value: Value, extents: Sequence) -> str:
    """The name of a value with another type."""
    wanted = Value(builder, value.name, value.element, extents)
    if wanted.type == value.type:
        return value.name
    name = builder.new_name()
    builder.add_line(f"{name} = tensor.cast {value.name} : {value.type} to {wanted.type}")
    return name


def name_results(c: Context, count: int, elements: Sequence[str], shapes: Sequence[Sequence]) -> tuple[str, list[Value]]:
    """The names of an operation's results: `%5:2`, and `%5#0` and so on."""
    name = c.builder.new_name()
    single = count == 1
    made = [Value(c.builder, name if single else f"{name}#{i}", e, s) for i, (e, s) in enumerate(zip(elements, shapes))]
    return (name if single else f"{name}:{count}"), made


def choose_between(
    c: Context, holds: str, graphs: Sequence[tuple[list[str], Sequence[Value]]], seen: set[str]
) -> list[Value]:
    """The results of one of two regions, by a condition: of each, its lines and its results."""
    b = c.builder
    shapes = [join_types(c, pair, seen) for pair in zip(graphs[0][1], graphs[1][1])]
    texts = []
    for lines, values in graphs:
        with inside(c) as more:
            names = [cast_to(b, value, shape) for value, shape in zip(values, shapes)]
        types = [Value(b, n, v.element, s).type for n, v, s in zip(names, values, shapes)]
        texts.append([*lines, *more, f"scf.yield {', '.join(names)} : {', '.join(types)}"])
    head, made = name_results(c, len(shapes), [v.element for v in graphs[0][1]], shapes)
    kinds = ", ".join(v.type for v in made)
    b.add_nested(f"{head} = scf.if {holds} -> ({kinds}) {{", texts[0], "} else {", texts[1], "}")
    return made


def either(
    c: Context, predicate: str, x: Number, y: Number, make: Callable[[], Value], otherwise: Callable[[], Value]
) -> Value:
    """What one of two functions makes, by a comparison ('sle', 'sge', ...) of extents, which of numbers is decided at
    once."""
    if isinstance(x, int) and isinstance(y, int):
        return make() if program.holds(predicate, x, y) else otherwise()
    seen, graphs = seen_extents(c), []
    condition = program.compare(predicate, x, y)
    for function in (make, otherwise):
        with inside(c) as lines:
            graphs.append((lines, [function()]))
    return choose_between(c, condition, graphs, seen)[0]


#: One step: of its number and what it is given, what it carries and its rows.
Step = Callable[[Extent, Sequence[Value]], tuple[Sequence[Value], Sequence[Value]]]


def repeat(
    c: Context, count: Number, start: Sequence[Value], rows: Sequence[tuple[str, Sequence[Number]]], step: Step,
    backward: bool = False,
) -> tuple[list[Value], list[Value]]:
    """What `count` steps carry to the end, and the rows that they give, each of an
    element type and a shape, at the indices of the steps. Backward, the last index is
    first."""
    p, b = program, c.builder
    collected = [p.broadcast_to(c.scalar(0, element), [count, *shape]) for element, shape in rows]
    seen = seen_extents(c)
    shapes = [list(v.extents) for v in start]
    while True:
        with inside(c) as lines:
            turn = b.new_name()
            at = Extent(b, turn)
            given = [Value(b, b.new_name(), v.element, s) for v, s in zip(start, shapes)]
            held = [Value(b, b.new_name(), v.element, v.extents) for v in collected]
            number = count - 1 - at if backward else at
            carried, made = step(number, given)
            put = [_put_row(whole, row, number) for whole, row in zip(held, made)]
        joined = [join_types(c, [g, v], seen) for g, v in zip(given, carried)]
        if joined == shapes:
            break
        shapes = joined
    begin = [cast_to(b, v, s) for v, s in zip(start, shapes)] + [v.name for v in collected]
    with inside(c) as last:
        names = [cast_to(b, v, s) for v, s in zip(carried, shapes)] + [v.name for v in put]
    kinds = [v.type for v in (*given, *held)]
    listed = ", ".join(kinds)
    head, results = name_results(
        c, len(kinds), [v.element for v in (*start, *collected)], [*shapes, *(v.extents for v in collected)]
    )
    bounds = f"{index(b, 0)} to {index(b, count)} step {index(b, 1)}"
    initial = ", ".join(f"{v.name} = {name}" for v, name in zip((*given, *held), begin))
    b.add_nested(
        f"{head} = scf.for {turn} = {bounds} iter_args({initial}) -> ({listed}) {{",
        [*lines, *last, f"scf.yield {', '.join(names)} : {listed}"], "}",
    )  # fmt: skip
    return results[: len(start)], results[len(start) :]


def _put_row(whole: Value, row: Value, number: Number) -> Value:
    """The tensor with a row at an index of its first axis."""
    p, b = program, whole.builder
    row = p.require_shape(row, p.extents(whole)[1:])
    one = p.expand(row, [0])
    wanted = Value(b, "", row.element, [1, *whole.extents[1:]])
    name = cast_to(whole.builder, one, wanted.extents)
    made = Value(b, b.new_name(), whole.element, whole.extents)
    spell = lambda n: str(n) if isinstance(n, int) else index(b, n)
    sizes = ", ".join(["1", *map(spell, p.extents(whole)[1:])])
    offsets = ", ".join([spell(number), *["0"] * row.rank])
    steps = ", ".join(["1"] * whole.rank)
    b.add_line(
        f"{made.name} = tensor.insert_slice {name} into {whole.name}[{offsets}] [{sizes}] [{steps}] : "
        f"{wanted.type} into {whole.type}"
    )
    return made
