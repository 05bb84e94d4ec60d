"""Numbers with a fraction that a call tells, such as the quotient of two extents."""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from . import _types
from ._builder import Builder
from ._extents import Extent, Number, Truth, divide_up, index, join_conditions, largest, smallest

#: A number with or without a fraction, that is known or that a call tells.
AnyNumber: TypeAlias = "int | float | Extent | Real"

#: The largest denominator, a power of 2, of numbers that are computed without a rounding.
_EXACT = 2**10


class Real:
    """A number that a call tells, computed in f64.

    One that is a whole number over a small power of 2, such as half of an extent, is kept as
    these two, so that what it comes to as a whole number is an extent as any other.
    """

    __slots__ = ("builder", "_name", "_parts")

    def __init__(self, builder: Builder, name: str | None, parts: tuple[Number, int] | None = None):
        self.builder = builder
        self._name = name
        #: A number that is not negative, and what it is divided by.
        self._parts = parts

    @property
    def name(self) -> str:
        """Its name in the text, of type f64."""
        if self._name is not None:
            return self._name
        # Not kept: a region that it is written in has it alone.
        assert self._parts is not None
        whole, over = self._parts
        name = _name(self.builder, whole)
        return name if over == 1 else _line(self.builder, "arith.divf", name, _name(self.builder, float(over)))

    def __add__(self, other: Any) -> Any:
        return _compute("arith.addf", self, other)

    def __radd__(self, other: Any) -> Any:
        return _compute("arith.addf", other, self)

    def __sub__(self, other: Any) -> Any:
        return _compute("arith.subf", self, other)

    def __rsub__(self, other: Any) -> Any:
        return _compute("arith.subf", other, self)

    def __mul__(self, other: Any) -> Any:
        return _compute("arith.mulf", self, other)

    def __rmul__(self, other: Any) -> Any:
        return _compute("arith.mulf", other, self)

    def __truediv__(self, other: Any) -> Any:
        return _compute("arith.divf", self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return _compute("arith.divf", other, self)

    def __pow__(self, other: Any) -> Any:
        if isinstance(other, (int, float)) and other == 0.5:
            return square_root(self)
        return _compute("math.powf", self, other)

    def __rpow__(self, other: Any) -> Any:
        return _compute("math.powf", other, self)

    def __neg__(self) -> Any:
        return 0.0 - self

    def __repr__(self) -> str:
        return f"<number {self._name or self._parts}>"


def _line(builder: Builder, operation: str, *names: str) -> str:
    """Returns the name of what an operation on numbers of type f64 gives; nothing is computed twice."""
    key = (operation, *names)
    if key not in builder._numbers:
        builder._numbers[key] = builder.add("{} {} : f64", operation, names)
    return builder._numbers[key]


def _name(builder: Builder, number: AnyNumber) -> str:
    """Returns the name of a number of type f64."""
    if isinstance(number, Real):
        builder.require_own(number)
        return number.name
    key: tuple[str, ...]
    if isinstance(number, Extent):
        key = ("arith.sitofp", index(builder, number))
        if key not in builder._numbers:
            wide = builder.add("arith.index_cast {} : index to i64", key[1])
            builder._numbers[key] = builder.add("arith.sitofp {} : i64 to f64", wide)
        return builder._numbers[key]
    key = ("constant", "f64", _types.spell(float(number), "f64"))
    if key not in builder._numbers:
        builder._numbers[key] = builder.add("arith.constant {} : f64", key[2])
    return builder._numbers[key]


def _compute(operation: str, x: Any, y: Any) -> Any:
    if not all(isinstance(v, (int, float, Extent, Real)) for v in (x, y)):
        return NotImplemented
    builder = next(v.builder for v in (x, y) if isinstance(v, (Extent, Real)))
    parts = _combine_parts(operation, x, y)
    if parts is not None:
        return Real(builder, None, parts)
    return Real(builder, _line(builder, operation, _name(builder, x), _name(builder, y)))


def _parts_of(number: AnyNumber) -> tuple[Number, int] | None:
    """Returns a whole number that is not negative, and the power of 2 that it is divided by."""
    if isinstance(number, Real):
        return number._parts
    if isinstance(number, Extent) or not math.isfinite(number) or number < 0:
        return None
    exact = Fraction(number)
    return (exact.numerator, exact.denominator) if max(exact.numerator, exact.denominator) <= _EXACT else None


def _combine_parts(operation: str, x: AnyNumber, y: AnyNumber) -> tuple[Number, int] | None:
    """Returns the parts of a sum or a product."""
    one, other = _parts_of(x), _parts_of(y)
    if one is None or other is None or operation not in ("arith.addf", "arith.mulf"):
        return None
    over = one[1] * other[1]
    if over > _EXACT:
        return None
    if operation == "arith.mulf":
        if not any(isinstance(whole, int) for whole in (one[0], other[0])):
            return None
        return one[0] * other[0], over
    return one[0] * other[1] + other[0] * one[1], over


def to_real(number: AnyNumber) -> float | Real:
    """Returns a number as one with a fraction. That of an extent is exact."""
    if isinstance(number, Extent):
        return Real(number.builder, None, (number, 1))
    return number if isinstance(number, Real) else float(number)


def quotient(x: AnyNumber, y: AnyNumber) -> Any:
    """Returns x / y, of which a call tells one."""
    return _compute("arith.divf", x, y)


def square_root(x: AnyNumber) -> float | Real:
    """Returns the square root."""
    if isinstance(x, (int, float)):
        return math.sqrt(x)
    return Real(x.builder, _line(x.builder, "math.sqrt", _name(x.builder, x)))


def _rounding(
    operation: str, of_float: Callable[[float], int], of_parts: Callable[[Number, int], Number] | None
) -> Callable[[AnyNumber], Number]:
    def function(x: AnyNumber) -> Number:
        if isinstance(x, (int, float)):
            return of_float(x)
        if isinstance(x, Extent):
            return x
        if x._parts is not None and (of_parts is not None or x._parts[1] == 1):
            return of_parts(*x._parts) if of_parts is not None else x._parts[0]
        whole = _line(x.builder, operation, x.name)
        key = ("arith.fptosi", whole)
        if key not in x.builder._numbers:
            wide = x.builder.add("arith.fptosi {} : f64 to i64", whole)
            x.builder._numbers[key] = x.builder.add("arith.index_cast {} : i64 to index", wide)
        return Extent(x.builder, x.builder._numbers[key])

    return function


def _divide_down(whole: Number, over: int) -> Number:
    return whole // over


truncate = _rounding("math.trunc", math.trunc, _divide_down)
round_down = _rounding("math.floor", math.floor, _divide_down)
round_up = _rounding("math.ceil", math.ceil, divide_up)
#: To the nearest whole number, of two to the even one.
round_even = _rounding("math.roundeven", round, None)


def _extreme(operation: str, of_extents: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    def function(*numbers: AnyNumber) -> Any:
        def choose(x: AnyNumber, y: AnyNumber) -> Any:
            has_fraction = any(isinstance(v, (float, Real)) for v in (x, y))
            if has_fraction and any(isinstance(v, (Extent, Real)) for v in (x, y)):
                return _compute(operation, x, y)
            return of_extents(x, y)

        return functools.reduce(choose, numbers)

    return function


def _or_of_floats(of_extents: Callable[..., Any], of_floats: Callable[..., Any]) -> Callable[[Any, Any], Any]:
    return lambda x, y: of_extents(x, y) if isinstance(x, Extent) or isinstance(y, Extent) else of_floats(x, y)


largest_of = _extreme("arith.maximumf", _or_of_floats(largest, max))
smallest_of = _extreme("arith.minimumf", _or_of_floats(smallest, min))


def _as_truth(number: Number) -> bool | Truth:
    return Truth(number.builder, number.name) if isinstance(number, Extent) else bool(number)


def _count_of(x: Number, y: Number) -> Number:
    """Returns 1 where x is more than y, else 0, in terms that the compiler reasons about."""
    return smallest(largest(x - y, 0), 1)


_OF_EXTENTS: dict[str, Callable[[Number, Number], Number]] = {
    ">": _count_of,
    "<": lambda x, y: _count_of(y, x),
    ">=": lambda x, y: 1 - _count_of(y, x),
    "<=": lambda x, y: 1 - _count_of(x, y),
    "!=": lambda x, y: _count_of(x, y) + _count_of(y, x),
    "==": lambda x, y: 1 - (_count_of(x, y) + _count_of(y, x)),
}


def _comparison(sign: str, predicate: str, of_known: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool | Truth]:
    def function(x: Any, y: Any) -> bool | Truth:
        if not any(isinstance(v, (Extent, Real)) for v in (x, y)):
            return of_known(x, y)
        if not any(isinstance(v, (float, Real)) for v in (x, y)):
            return _as_truth(_OF_EXTENTS[sign](x, y))
        builder = next(v.builder for v in (x, y) if isinstance(v, (Extent, Real)))
        key = ("arith.cmpf", predicate, _name(builder, x), _name(builder, y))
        if key not in builder._numbers:
            holds, name = builder.new_name(), builder.new_name()
            one, zero = index(builder, 1), index(builder, 0)
            builder.add("arith.cmpf {}, {}, {} : f64", predicate, key[2], key[3], result=holds)
            builder.add("arith.select {}, {}, {} : index", holds, one, zero, result=name)
            builder._numbers[key] = name
        return Truth(builder, builder._numbers[key])

    return function


def _choose_number(condition: bool | Truth, x: Any, y: Any) -> Any:
    """Returns x where the condition holds, else y."""
    if not isinstance(condition, Truth):
        return x if condition else y
    if all(isinstance(v, (int, Extent)) for v in (x, y)):
        return y + condition * (x - y)
    builder = condition.builder
    key = ("arith.select", condition.name, _name(builder, x), _name(builder, y))
    if key not in builder._numbers:
        holds = builder.add("arith.cmpi ne, {}, {} : index", condition.name, index(builder, 0))
        name = builder.add("arith.select {}, {}, {} : f64", holds, key[2], key[3])
        builder._numbers[key] = name
    return Real(builder, builder._numbers[key])


#: The functions of formulas of sizes, by their names there.
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "max": largest_of, "min": smallest_of, "abs": lambda x: largest_of(x, -x), "float": to_real, "sqrt": square_root,
    "trunc": truncate, "floor": round_down, "ceil": round_up, "round": round_even,
    "==": _comparison("==", "oeq", operator.eq), "!=": _comparison("!=", "une", operator.ne),
    "<": _comparison("<", "olt", operator.lt), "<=": _comparison("<=", "ole", operator.le),
    ">": _comparison(">", "ogt", operator.gt), ">=": _comparison(">=", "oge", operator.ge),
    "and": lambda x, y: _as_truth(smallest(x, y)), "or": lambda x, y: _as_truth(largest(x, y)),
    "not": lambda x: _as_truth(1 - x), "if": _choose_number,
}  # fmt: skip


# Numbers without a fraction that may be beyond 64 bits.


def rounded(number: Number) -> float | Real:
    """Returns a whole number in f64, with one rounding. What is computed of it stays in f64."""
    return float(number) if isinstance(number, int) else Real(number.builder, _name(number.builder, number))


def is_within(x: Real, low: float, high: float) -> str:
    """Returns the i1 of whether a number is from `low` to `high`."""
    ends = []
    for predicate, end in (("oge", low), ("ole", high)):
        ends.append(x.builder.new_name())
        x.builder.add("arith.cmpf {}, {}, {} : f64", predicate, x.name, _name(x.builder, end), result=ends[-1])
    return both(x.builder, ends)


def both(builder: Builder, conditions: Sequence[str]) -> str:
    """Returns the i1 of whether all conditions hold."""
    return join_conditions(builder, "andi", conditions)


def choose(conditions: Sequence[str], whole: Extent, real: Real | float) -> Real:
    """Returns a whole number in f64 where all conditions hold, else another number."""
    builder = whole.builder
    key = ("arith.select", *conditions, whole.name)
    if key not in builder._numbers:
        holds, one, other = both(builder, conditions), _name(builder, whole), _name(builder, real)
        builder._numbers[key] = builder.add("arith.select {}, {}, {} : f64", holds, one, other)
    return Real(builder, builder._numbers[key])
