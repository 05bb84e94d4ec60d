"""Loops: what their steps carry, and the rows that the steps give.

A step is written once, as the region of an operation. What it makes is known inside alone.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any

import numpy as np

from . import _types
from ._builder import Builder, Known, Value
from ._extents import ARITHMETIC, Extent, Number, compute, extent, extents, index
from ._moves import broadcast_to, expand, join_extents, require_shape
from ._text import Line, line, words

#: What a step is given and gives: tensors, and numbers that a call tells.
Carried = Value | Number
#: Opens a region and gives its lines. What the importer of a graph binds inside is not known outside.
Region = Callable[[], AbstractContextManager[list[Line]]]


class Unjoined(TypeError):
    """Several regions give a result of other types or ranks."""


class Outside:
    """The extents that are known before a region, for values that are made inside of it."""

    def __init__(self, builder: Builder):
        self.builder = builder
        self._seen = set(builder._sources)
        self._newest = int(builder.new_name()[1:])

    def has(self, known: Known) -> bool:
        """Tells whether what stands for an extent means the same before the region."""
        if isinstance(known, int) or known in self._seen:
            return True
        return isinstance(known, str) and known[1:].isdigit() and int(known[1:]) <= self._newest

    def number(self, known: Known, made: dict[str, tuple[Any, ...]] | None = None) -> Number | None:
        """Returns an extent as a number that is there before the region; None where none is. `made` says how the region
        has computed its numbers (`numbers_made`): those of numbers from outside are computed again."""
        if isinstance(known, int):
            return known
        if known in self._seen:
            return extent(Value(self.builder, "", "i1", [known]), 0)
        if self.has(known):
            return Extent(self.builder, str(known))
        match (made or {}).get(str(known)):
            case ("constant", number):
                return int(number)
            case ("dim", source):
                return self.number(source, made)
            case (operation, *operands) if operation in ARITHMETIC:
                x, y = (self.number(operand, made) for operand in operands)
                return None if x is None or y is None else compute(operation, x, y)
        how, parts = self.builder.derived.get(str(known), ("", ()))
        numbers = [number for part in parts if (number := self.number(part, made)) is not None]
        if not numbers or len(numbers) < len(parts):
            return None
        join: Callable[[Number, Number], Number] = operator.add if how == "sum" else join_extents
        return functools.reduce(join, numbers)


def numbers_made(builder: Builder) -> dict[str, tuple[Any, ...]]:
    """Maps the name of each number that is known here to the operation that computes it."""
    return {name: key for key, name in builder._numbers.items()}


def join_known(values: Sequence[Value], outside: Outside) -> list[Known]:
    """Returns the extents that are known of a result of several regions, or of several steps."""
    first = values[0]
    for value in values[1:]:
        if value.rank != first.rank or value.element != first.element:
            raise Unjoined(f"{first.declared_type} and {value.declared_type}, of which one result cannot be made")
    joined: list[Known] = []
    for listed in zip(*(v.extents for v in values)):
        is_one = all(known == listed[0] for known in listed)
        joined.append(listed[0] if is_one and outside.has(listed[0]) else None)
    return joined


def cast_to(builder: Builder, value: Value, extents: Sequence[Known]) -> str:
    """Returns the name of a value with another type."""
    wanted = Value(builder, value.name, value.element, extents)
    if wanted.type == value.type:
        return value.name
    return builder.add("tensor.cast {} : {} to {}", value.name, value.type, wanted.type)


class _Carrying:
    """The values that a loop carries, with those extents that every step keeps."""

    def __init__(self, builder: Builder, start: Sequence[Any], region: Region):
        self.builder, self.start, self.region = builder, list(start), region
        self.outside = Outside(builder)
        self.known = [list(v.extents) if isinstance(v, Value) else None for v in start]

    @property
    def types(self) -> list[str]:
        """The types, in the text."""
        return [v.type if isinstance(v, Value) else "index" for v in self.named([""] * len(self.start))]

    def named(self, names: Sequence[str]) -> list[Any]:
        """Returns values and numbers of these names."""
        return [
            Extent(self.builder, name) if known is None else Value(self.builder, name, value.element, known)
            for name, known, value in zip(names, self.known, self.start)
        ]

    def new_names(self) -> list[str]:
        """Returns a name for each."""
        return [self.builder.new_name() for _ in self.start]

    def spell(self, carried: Sequence[Any]) -> list[str]:
        """Returns the names of what has the types of the loop."""
        return [
            index(self.builder, value) if known is None else cast_to(self.builder, value, known)
            for value, known in zip(carried, self.known)
        ]

    def write_step(self, step: Callable[[list[Any]], Sequence[Any]]) -> tuple[list[Line], list[str]]:
        """Writes a step; returns its lines, of which the last one yields its results, and its arguments' names."""
        while True:
            with self.region() as lines:
                names = self.new_names()
                given = self.named(names)
                carried = list(step(given))
            pairs = zip(self.known, given, carried)
            joined = [None if known is None else join_known([old, new], self.outside) for known, old, new in pairs]
            if joined == self.known:
                break
            self.known = joined
        with self.region() as last:
            listed = self.spell(carried)
            end = line("scf.yield {} : {}", listed, self.types) if listed else line("scf.yield")
        return [*lines, *last, end], names


def repeat(
    builder: Builder,
    low: Number,
    high: Number,
    start: Sequence[Carried],
    step: Callable[[Extent, list[Any]], Sequence[Carried]],
    region: Region | None = None,
) -> list[Any]:
    """Adds a loop over the indices from `low` to before `high`; returns the values that the last step carries, or
    `start` where there is no step."""
    carrying = _Carrying(builder, start, region or builder.region)
    turn = ""

    def take_turn(given: list[Any]) -> Sequence[Carried]:
        nonlocal turn
        turn = builder.new_name()
        return step(Extent(builder, turn), given)

    lines, names = carrying.write_step(take_turn)
    results = carrying.new_names()
    bounds = words("{} to {} step {}", index(builder, low), index(builder, high), index(builder, 1))
    initial = [words("{} = {}", name, begin) for name, begin in zip(names, carrying.spell(start))]
    tail = words(" iter_args({}) -> ({})", initial, carrying.types) if results else ""
    builder.add_nested(line("scf.for {} = {}{} {", turn, bounds, tail, result=", ".join(results)), lines)
    return carrying.named(results)


def repeat_while(
    builder: Builder,
    start: Sequence[Carried],
    test: Callable[[list[Any]], str],
    step: Callable[[list[Any]], Sequence[Carried]],
    region: Region | None = None,
) -> list[Any]:
    """Adds a loop that ends when `test`, which gives the name of an i1, does not hold; returns the values that the last
    step carries."""
    carrying = _Carrying(builder, start, region or builder.region)
    lines, names = carrying.write_step(step)
    types = carrying.types
    with carrying.region() as tested:
        given = carrying.new_names()
        holds = test(carrying.named(given))
        listed = words(" {} : {}", given, types) if given else ""
        builder.add("scf.condition({}){}", holds, listed, result="")
    results = carrying.new_names()
    initial = [words("{} = {}", name, begin) for name, begin in zip(given, carrying.spell(start))]
    head = line("scf.while ({}) : ({}) -> ({}) {", initial, types, types, result=", ".join(results))
    arguments = [words("{}: {}", name, kind) for name, kind in zip(names, types)]
    entry = [line("^bb0({}):", arguments)] if names else []
    builder.add_nested(head, tested, line("} do {"), [*entry, *lines])
    return carrying.named(results)


#: One step of rows: of its number and what it is given, what it carries and its rows.
Step = Callable[[Number, list[Any]], tuple[Sequence[Carried], Sequence[Value]]]


def collect(
    builder: Builder,
    count: Number,
    start: Sequence[Carried],
    rows: Sequence[tuple[str, Sequence[Number]]],
    step: Step,
    backward: bool = False,
    region: Region | None = None,
) -> tuple[list[Any], list[Value]]:
    """Adds a loop of `count` steps; returns the values that the last step carries, and the rows of all steps, each of
    an element type and a shape, at the indices of the steps. Backward, the last index is first."""
    collected = [
        broadcast_to(builder.constant(np.zeros((), _types.to_numpy(element)), element), [count, *shape])
        for element, shape in rows
    ]
    carries = len(start)

    def put(at: Extent, given: list[Any]) -> list[Carried]:
        number = count - 1 - at if backward else at
        carried, made = step(number, given[:carries])
        return [*carried, *(_put_row(whole, row, number) for whole, row in zip(given[carries:], made))]

    results = repeat(builder, 0, count, [*start, *collected], put, region)
    return results[:carries], results[carries:]


def _put_row(whole: Value, row: Value, number: Number) -> Value:
    """Returns the tensor with a row at an index of its first axis."""
    builder = whole.builder
    row = require_shape(row, extents(whole)[1:])
    wanted = Value(builder, "", row.element, [1, *whole.extents[1:]])
    name = cast_to(builder, expand(row, [0]), wanted.extents)
    made = Value(builder, builder.new_name(), whole.element, whole.extents)

    def spell(n: Number) -> str:
        return str(n) if isinstance(n, int) else index(builder, n)

    sizes = ["1", *map(spell, extents(whole)[1:])]
    offsets = [spell(number), *["0"] * row.rank]
    steps = ["1"] * whole.rank
    builder.add(
        "tensor.insert_slice {} into {}[{}] [{}] [{}] : {} into {}",
        name,
        whole.name,
        offsets,
        sizes,
        steps,
        wanted.type,
        whole.type,
        result=made.name,
    )
    return made


def extract(value: Value) -> str:
    """Returns the name of the element of a tensor without axes."""
    return value.builder.add("tensor.extract {}[] : {}", value.name, value.type)


def to_number(value: Value) -> Extent:
    """Returns an integer of a tensor without axes as a number."""
    builder, element = value.builder, extract(value)
    name = builder.new_name()
    cast = "arith.index_castui" if _types.is_unsigned(value.element) else "arith.index_cast"
    builder.add("{} {} : {} to index", cast, element, _types.signless(value.element), result=name)
    return Extent(builder, name)


def truth(builder: Builder, known: bool) -> str:
    """Returns the name of an i1 that is known."""
    return builder.add("arith.constant {}", str(known).lower())


__all__ = [
    "Carried", "Outside", "Step", "Unjoined", "cast_to", "collect", "extract", "join_known", "numbers_made", "repeat",
    "repeat_while", "to_number", "truth",
]  # fmt: skip
