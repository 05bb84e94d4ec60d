"""Extents as values: numbers that a call tells, and arithmetic with them."""

from __future__ import annotations

import functools
import operator
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NoReturn

import numpy as np

from ._builder import Builder, Value

#: A ValueError and an IndexError, which older NumPys have elsewhere.
AxisError = getattr(np, "exceptions", np).AxisError

#: Computes a number from two, and the operation that does so in a program.
ARITHMETIC: dict[str, Callable[[int, int], int]] = {
    "arith.addi": operator.add,
    "arith.subi": operator.sub,
    "arith.muli": operator.mul,
    "arith.floordivsi": operator.floordiv,
    "arith.ceildivsi": lambda x, y: -(-x // y),
    "arith.maxsi": max,
    "arith.minsi": min,
}

_HOLDS: dict[str, Callable[[int, int], bool]] = {
    "eq": operator.eq,
    "ne": operator.ne,
    "sge": operator.ge,
    "sgt": operator.gt,
    "slt": operator.lt,
    "sle": operator.le,
}


def holds(predicate: str, x: int, y: int) -> bool:
    """Tells whether a comparison ('eq', 'sle', ...) of numbers holds."""
    return _HOLDS[predicate](x, y)


class Extent:
    """A number that a call tells, such as the extent of an argument."""

    __slots__ = ("builder", "name")

    def __init__(self, builder: Builder, name: str):
        self.builder = builder
        #: Its name in the text, of type index.
        self.name = name

    def __add__(self, other: Any) -> Number:
        return compute("arith.addi", self, other)

    def __radd__(self, other: Any) -> Number:
        return compute("arith.addi", other, self)

    def __sub__(self, other: Any) -> Number:
        return compute("arith.subi", self, other)

    def __rsub__(self, other: Any) -> Number:
        return compute("arith.subi", other, self)

    def __mul__(self, other: Any) -> Number:
        return compute("arith.muli", self, other)

    def __rmul__(self, other: Any) -> Number:
        return compute("arith.muli", other, self)

    def __floordiv__(self, other: Any) -> Number:
        return compute("arith.floordivsi", self, other)

    def __rfloordiv__(self, other: Any) -> Number:
        return compute("arith.floordivsi", other, self)

    def __mod__(self, other: Any) -> Number:
        found: Number = self - self // other * other
        return found

    def __rmod__(self, other: Any) -> Number:
        found: Number = other - other // self * self
        return found

    def __truediv__(self, other: Any) -> Any:
        from ._reals import quotient

        return quotient(self, other)

    def __rtruediv__(self, other: Any) -> Any:
        from ._reals import quotient

        return quotient(other, self)

    def __neg__(self) -> Number:
        return 0 - self

    def __repr__(self) -> str:
        return f"<extent {self.name}>"


Number = int | Extent


class Truth(Extent):
    """A condition that a call decides: 1 where it holds, else 0."""

    __slots__ = ()

    def __bool__(self) -> NoReturn:
        raise TypeError("a comparison of extents, which each call decides, stands where a constant is needed")


def index(builder: Builder, number: Number) -> str:
    """Returns the name of a number as a value of type index."""
    if isinstance(number, Extent):
        builder.require_own(number)
        return number.name
    key = ("constant", int(number))
    if key not in builder._numbers:
        builder._numbers[key] = builder.add("arith.constant {} : index", key[1])
    return builder._numbers[key]


def compute(operation: str, x: Number, y: Number) -> Number:
    """Computes the number that `operation` gives; equal operations are computed once."""
    if not isinstance(x, (int, Extent)) or not isinstance(y, (int, Extent)):
        return NotImplemented
    if isinstance(x, int) and isinstance(y, int):
        return ARITHMETIC[operation](x, y)
    neutral = {"arith.addi": 0, "arith.subi": 0, "arith.muli": 1, "arith.floordivsi": 1, "arith.ceildivsi": 1}
    if isinstance(y, int) and neutral.get(operation) == y:
        return x
    if isinstance(x, int) and operation in ("arith.addi", "arith.muli") and neutral[operation] == x:
        return y
    builder = next(n.builder for n in (x, y) if isinstance(n, Extent))
    key = (operation, index(builder, x), index(builder, y))
    if key not in builder._numbers:
        builder._numbers[key] = builder.add("{} {}, {} : index", operation, key[1], key[2])
    return Extent(builder, builder._numbers[key])


def extent(value: Value, axis: int) -> Number:
    """Returns the extent of an axis: its number, or what a call tells."""
    axis = check_axis(axis, value.rank)
    known, builder = value.extents[axis], value.builder
    if isinstance(known, int):
        return known
    if known is None:
        # From here on, it is known by this.
        known = f"{value.name}#{axis}"
        builder._sources[known] = (value.name, value.type, axis)
        value.extents = (*value.extents[:axis], known, *value.extents[axis + 1 :])
    if known not in builder._sources:
        return Extent(builder, known)
    key = ("dim", known)
    if key not in builder._numbers:
        source, type, offset = builder._sources[known]
        at = index(builder, offset)
        name = builder._numbers[key] = builder.new_name()
        builder._known[name] = known
        builder.add("tensor.dim {}, {} : {}", source, at, type, result=name)
    return Extent(builder, builder._numbers[key])


def find_argument(number: Extent) -> tuple[str, int] | None:
    """Returns the argument, and its axis, whose extent a number is; None where it is another number."""
    source = number.builder._sources.get(number.builder._known.get(number.name, ""))
    return (source[0], source[2]) if source and source[0].startswith("%arg") else None


def number_argument(builder: Builder, called: str = "") -> Extent:
    """Adds an argument that is an integer, and what messages call it."""
    return Extent(builder, builder._add_argument("index", "", called))


def extents(value: Value) -> list[Number]:
    """Returns all extents of a value."""
    return [extent(value, axis) for axis in range(value.rank)]


def largest(x: Number, y: Number) -> Number:
    """Returns the larger of two numbers."""
    return compute("arith.maxsi", x, y)


def smallest(x: Number, y: Number) -> Number:
    """Returns the smaller of two numbers."""
    return compute("arith.minsi", x, y)


def divide_up(x: Number, y: Number) -> Number:
    """Returns the quotient, rounded up."""
    return compute("arith.ceildivsi", x, y)


def product(numbers: Iterable[Number]) -> Number:
    """Returns the product of numbers; 1 of none."""
    return functools.reduce(operator.mul, numbers, 1)


def known(number: Number) -> int | str:
    """Returns the number or the name that stands for a number in the extents of a value."""
    if isinstance(number, int):
        return number
    return number.builder._known.get(number.name, number.name)


def compare(predicate: str, x: Number, y: Number) -> str:
    """Returns the i1 of a comparison ('eq', 'sge', 'slt', ...), of which one side is open."""
    builder = next(n.builder for n in (x, y) if isinstance(n, Extent))
    left, right = index(builder, x), index(builder, y)
    return builder.add("arith.cmpi {}, {}, {} : index", predicate, left, right)


def from_start(place: Number, size: Number) -> Number:
    """Returns an index of an axis counted from its start: a negative one counts from the end."""
    if isinstance(place, int):
        return size + place if place < 0 else place
    builder = place.builder
    last = ("arith.subi", index(builder, size), index(builder, 1))
    if builder._numbers.get(last) == place.name:
        # It is negative for an empty axis alone, whose end is its start.
        return place
    # 1 of what is negative, in terms that the compiler reasons about.
    is_negative = smallest(largest(0 - place, 0), 1)
    return place + size * is_negative


def is_same(x: Number, y: Number) -> bool:
    """Tells whether two extents are known to be equal."""
    if isinstance(x, Extent) and isinstance(y, Extent):
        return x.name == y.name
    return isinstance(x, int) and isinstance(y, int) and x == y


#: Operations of extents whose result is not negative where both operands, or one, are not.
_NATURAL_OF_BOTH = ("arith.addi", "arith.muli", "arith.floordivsi", "arith.ceildivsi", "arith.minsi")


def is_natural(number: Number) -> bool:
    """Tells whether a number is known not to be negative, as the extent of a tensor is. The
    numbers that a model computes from these may be."""
    if isinstance(number, int):
        return number >= 0
    made = {name: key for key, name in number.builder._numbers.items()}

    def is_known(name: str) -> bool:
        match made.get(name):
            case ("dim", _):
                return True
            case ("constant", value):
                return bool(value >= 0)
            case ("arith.maxsi", x, y):
                return is_known(x) or is_known(y)
            case (operation, x, y) if operation in _NATURAL_OF_BOTH:
                return is_known(x) and is_known(y)
        return False

    return is_known(number.name)


def escape_message(text: str) -> str:
    """Returns a text for a message that has braces of its own: {{ stands for one that begins no number."""
    return text.replace("{", "{{")


def fill_message(message: str, *numbers: Number | str) -> str:
    """Returns a message with numbers in place of {0}, {1}, ..."""
    return re.sub(r"\{\{|\{(\d+)\}", lambda found: str(numbers[int(found[1])]) if found[1] else "{", message)


def require(builder: Builder, predicate: str, x: Number, y: Number, message: str) -> None:
    """Raises an error unless a comparison ('eq', 'ne', 'sle', ...) of extents holds, as all but 'ne' do of equal
    ones; a call checks what only it tells. {0} and {1} in the message are x and y."""
    if isinstance(x, int) and isinstance(y, int):
        if not _HOLDS[predicate](x, y):
            raise ValueError(fill_message(message, x, y))
    elif predicate == "ne" or not is_same(x, y):
        numbers = [index(builder, n) for n in (x, y)]
        builder.require(compare(predicate, x, y), message, numbers)


def require_fit(builder: Builder, x: Number, y: Number, message: str) -> None:
    """Raises an error unless two extents broadcast: they are equal, or one is 1. {0} and {1} in the message are x and
    y."""
    if is_same(x, y) or 1 in [n for n in (x, y) if isinstance(n, int)]:
        return
    if isinstance(x, int) and isinstance(y, int):
        raise ValueError(fill_message(message, x, y))
    ones = [compare("eq", n, 1) for n in (x, y) if isinstance(n, Extent)]
    builder.require(
        join_conditions(builder, "ori", [compare("eq", x, y), *ones]), message, [index(builder, n) for n in (x, y)]
    )


def join_conditions(builder: Builder, operation: str, conditions: Sequence[str]) -> str:
    """Returns the i1 of several ones, by an operation of two: 'andi' of whether all hold, 'ori' of whether one does."""
    holds = conditions[0]
    for name in conditions[1:]:
        holds = builder.add("arith.{} {}, {} : i1", operation, holds, name)
    return holds


def require_true(x: Value, message: str) -> None:
    """A call fails with the message unless x, an i1 without axes, holds."""
    name = x.builder.add("tensor.extract {}[] : {}", x.name, x.type)
    x.builder.require(name, escape_message(message))


def require_either(
    builder: Builder, conditions: Iterable[tuple[str, Number, Number]], message: str, *told: Number
) -> None:
    """A call checks that one of some comparisons holds. {0}, {1}, ... in the message are the numbers `told`."""
    names = []
    for predicate, x, y in conditions:
        if isinstance(x, int) and isinstance(y, int):
            if _HOLDS[predicate](x, y):
                return
            continue
        names.append(compare(predicate, x, y))
    if not names:
        raise ValueError(fill_message(message, *told))
    builder.require(join_conditions(builder, "ori", names), message, [index(builder, n) for n in told])


def check_axis(axis: int, rank: int) -> int:
    """Counts an axis from 0."""
    if not -rank <= axis < rank:
        raise AxisError(axis, rank)
    return axis % rank


def check_axes(axes: Iterable[int], rank: int) -> list[int]:
    """Counts axes from 0, and sorts them; none may be there twice."""
    found = sorted(check_axis(axis, rank) for axis in axes)
    if len(set(found)) != len(found):
        raise ValueError(f"an axis is given twice: {list(axes)}")
    return found
