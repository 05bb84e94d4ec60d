"""Integers that are computed of extents, which do not wrap, as Python's do not.

A program computes them in 64 bits. What stands here of each says between which bounds it is. Where these are
beyond 64 bits, a guard has a call fail where an integer is needed (a shape, an index, a result); floats are
computed of the same operations in f64 then, which have no such end.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable
from typing import Any

from .. import _program as program
from . import _trace

#: The extents of an argument that are not 0 have at most this product (ext-5).
_MOST = 2**56
LOW, HIGH = -(2**63), 2**63 - 1
#: What an f64 that is off by some roundings is within, where the number is within 64 bits.
_SAFE = float(2**63 - 2**13)
#: The bits of the largest number that a message spells.
_SPELLED = 256


class Guard:
    """The condition that a number is within 64 bits. A guard without `make` holds of no call."""

    __slots__ = ("_make", "message", "numbers")

    def __init__(
        self, make: Callable[[], str] | None, message: str, numbers: tuple[program.Extent | int, ...] = ()
    ) -> None:
        self._make = make
        self.message = message
        self.numbers = numbers

    @property
    def may_hold(self) -> bool:
        """True where it holds of some call."""
        return self._make is not None

    def find_name(self, builder: program.Builder) -> str:
        """Returns the i1 of it, where it may hold."""
        name = builder.required.get((self, "name"))
        if name is None:
            assert self._make is not None
            name = builder.required[self, "name"] = self._make()
        return name

    def require(self, builder: program.Builder) -> None:
        """A call fails unless it holds; the trace does where it cannot."""
        if not self.may_hold:
            raise _trace.error(self.message)
        if self not in builder.required:
            name = builder.required[self] = self.find_name(builder)
            builder.require(name, self.message, [program.index(builder, n) for n in self.numbers])


class Integer:
    """A number that is known or that a call tells."""

    __slots__ = ("number", "low", "high", "guards", "_real", "_dims")

    def __init__(
        self,
        number: program.Extent | int,
        low: int,
        high: int,
        guards: Iterable[Guard] = (),
        real: program.Real | float | None = None,
        dims: frozenset[tuple[str, int]] = frozenset(),
    ) -> None:
        #: What the program computes, in 64 bits.
        self.number = number
        #: The least and the largest that the number itself can be where its guards hold.
        self.low, self.high = low, high
        #: What must hold for both to be the same.
        self.guards: tuple[Guard, ...] = tuple(guards)
        self._real = real
        # The axes of one argument whose extents it is the product of.
        self._dims = dims

    @property
    def is_known(self) -> bool:
        """True where it is a number of Python's, which `low` and `high` are."""
        return self.low == self.high

    def as_integer(self, builder: program.Builder) -> program.Extent | int:
        """Returns the number, which a call checks."""
        for guard in self.guards:
            guard.require(builder)
        return self.number

    @property
    def real(self) -> program.Real | float:
        """The number in f64, however large it is."""
        return program.rounded(self.number) if self._real is None else self._real

    def as_float(self) -> program.Extent | program.Real | int | float:
        """Returns the operand for an operation of floats: the number itself where it is within 64 bits."""
        if not self.guards:
            return self.number
        if not all(guard.may_hold for guard in self.guards):
            return self.real
        assert isinstance(self.number, program.Extent)
        names = [guard.find_name(self.number.builder) for guard in self.guards]
        return program.choose(names, self.number, self.real)


def known(number: int) -> Integer:
    """Returns a number of Python's."""
    # In the program it has 64 bits; bounds and floats are its own.
    message = (
        f"{spell(number)} is beyond the 64 bits of integers that are computed of extents; compute in floats, as in "
        "1.0 * x.shape[0]"
    )
    guards = () if LOW <= number <= HIGH else (Guard(None, message),)
    return Integer(wrap(number), number, number, guards, to_float(number))


def wrap(number: int) -> int:
    return (number - LOW) % 2**64 + LOW


def spell_beyond(what: str, instead: str = "1.0 * x.shape[0]") -> str:
    """Returns the message of an integer that does not fit."""
    return f"{what}, an integer that is computed of extents, is beyond 64 bits; compute it in floats, as in {instead}"


def spell(number: int) -> str:
    # Python spells no number of thousands of digits.
    bits = number.bit_length()
    return str(number) if bits <= _SPELLED else f"a number of {bits} bits"


def to_float(number: int) -> float:
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf


def of_extent(number: program.Extent | int) -> Integer:
    """Returns the extent of an axis."""
    if isinstance(number, int):
        return known(number)
    dim = program.find_argument(number)
    return Integer(number, 0, HIGH) if dim is None else Integer(number, 0, _MOST, dims=frozenset([dim]))


def _guard_of(symbol: str, x: Integer, y: Integer, real: Any, low: int, high: int) -> Guard:
    """Makes the guard that a number of these bounds is within 64 bits."""
    if low > HIGH or high < LOW:
        parts = [spell(v.low) if v.is_known else "n" for v in (x, y)]
        return Guard(None, spell_beyond(f" {symbol} ".join(parts)))
    open_ones = [v for v in (x, y) if not v.is_known]
    parts = [spell(v.low) if v.is_known else f"{{{open_ones.index(v)}}}" for v in (x, y)]
    make = functools.partial(program.is_within, real, -_SAFE, _SAFE)
    if len(open_ones) == 1 and symbol != "*":
        # The other is known: what fits has ends that are exact.
        y_sign = -1 if symbol == "-" else 1
        ends = [(e - x.low) * y_sign if x.is_known else e - y.low * y_sign for e in (LOW, HIGH)]
        make = functools.partial(is_between, open_ones[0], min(ends), max(ends))
    return Guard(make, spell_beyond(f" {symbol} ".join(parts)), tuple(v.number for v in open_ones))


def is_between(x: Integer, low: int, high: int) -> str:
    """Returns the i1 of whether a number that has values inside and outside is from `low` to `high`."""
    assert isinstance(x.number, program.Extent)
    ends = [program.compare("sge", x.number, low)] if x.low < low else []
    ends += [program.compare("sle", x.number, high)] if x.high > high else []
    return program.both(x.number.builder, ends)


def _join(
    symbol: str, x: Integer, y: Integer, operation: Callable[..., Any], corners: list[int], dims: Any = frozenset()
) -> Integer:
    """Returns a sum, a difference or a product; those that wrap are the same numbers, short of multiples of 2**64."""
    low, high = min(corners), max(corners)
    if low == high:
        return known(low)
    number = operation(x.number, y.number)
    # A number of Python's beyond 64 bits is not near to any other: the result says whether it fits.
    guards = tuple(dict.fromkeys(guard for v in (x, y) if not v.is_known for guard in v.guards))
    if LOW <= low and high <= HIGH:
        real = operation(x.real, y.real) if guards else None
        return Integer(number, low, high, guards, real, frozenset() if guards else dims)
    real = operation(x.real, y.real)
    return clipped(number, low, high, (*guards, _guard_of(symbol, x, y, real, low, high)), real)


def clipped(number: Any, low: int, high: int, guards: Any = (), real: Any = None) -> Integer:
    """Returns a number that is within 64 bits where its guards hold."""
    low, high = max(low, LOW), min(high, HIGH)
    # Bounds without a number between them, or with one alone, are those of no call, or of some: it is not known.
    return Integer(number, *((low, high) if low < high else (LOW, HIGH)), guards, real)


def add(x: Integer, y: Integer) -> Integer:
    """Returns x + y."""
    return _join("+", x, y, lambda x, y: x + y, [x.low + y.low, x.high + y.high])


def subtract(x: Integer, y: Integer) -> Integer:
    """Returns x - y."""
    return _join("-", x, y, lambda x, y: x - y, [x.low - y.high, x.high - y.low])


def multiply(x: Integer, y: Integer) -> Integer:
    """Returns x * y."""
    for one, other in ((x, y), (y, x)):
        if one.low == one.high == 1:
            return other
    corners = [a * b for a in (x.low, x.high) for b in (y.low, y.high)]
    dims: frozenset[tuple[str, int]] = frozenset()
    if x._dims and y._dims and not x._dims & y._dims and len({argument for argument, _ in x._dims | y._dims}) == 1:
        corners, dims = [0, _MOST], x._dims | y._dims
    return _join("*", x, y, lambda x, y: x * y, corners, dims)


def floor_divide(x: Integer, y: Integer, builder: program.Builder) -> Integer:
    """Returns x // y."""
    if (found := _decide_quotient(x, y)) is not None:
        return known(found)
    number = _integer_over(x, y, builder) // _divisor("//", x, y, builder)
    if y.low > 0 or y.high < 0:
        corners = _quotients(x, y)
    else:
        far = max(abs(x.low), abs(x.high), 1)
        corners = [-far if x.low < 0 or y.low < 0 else 0, far]
    return bounded(number, min(corners), max(corners))


def remainder(x: Integer, y: Integer, builder: program.Builder) -> Integer:
    """Returns x % y."""
    if (found := _decide_quotient(x, y)) is not None:
        return subtract(x, multiply(known(found), y))
    number = _integer_over(x, y, builder) % _divisor("%", x, y, builder)
    if y.low <= 0 <= y.high:
        return bounded(number, y.low, max(y.high, 1))
    return bounded(number, min(y.low + 1, 0), max(y.high - 1, 0))


def _divisor(symbol: str, x: Integer, y: Integer, builder: program.Builder) -> program.Extent | int:
    """Returns y, which a call has checked not to be 0."""
    if y.low == y.high == 0:
        raise ZeroDivisionError(f"{_trace.spell_location()}n {symbol} 0 of an extent n divides by 0")
    number = y.as_integer(builder)
    if y.low <= 0 <= y.high:
        # The comparison that a compiler knows most of.
        predicate = "sgt" if y.low == 0 else "slt" if y.high == 0 else "ne"
        message = f"{spell(x.low) if x.is_known else 'n'} {symbol} {{0}}, which is computed of extents, divides by 0"
        program.require(builder, predicate, number, 0, message)
    return number


def divide_or_zero(operation: Callable[..., Integer], x: Integer, y: Integer, builder: program.Builder) -> Integer:
    """Returns a quotient or a remainder as NumPy's numbers have it: 0 where it divides by 0."""
    if not y.low <= 0 <= y.high:
        return operation(x, y, builder)
    if y.is_known:
        return y
    number = y.as_integer(builder)
    side = program.smallest(number, 1) if y.low == 0 else program.largest(program.smallest(number, 1), -1)
    has_any = side if y.low == 0 else side * side
    divisor = Integer(number + (1 - has_any), 1 if y.low == 0 else y.low, max(y.high, 1))
    return multiply(operation(x, divisor, builder), Integer(has_any, 0, 1))


def _quotients(x: Integer, y: Integer) -> list[int]:
    return [a // b for a in (x.low, x.high) for b in (y.low, y.high)]


def _decide_quotient(x: Integer, y: Integer) -> int | None:
    """Returns x // y where every call has the same."""
    if y.low <= 0 <= y.high or any(v.guards and not v.is_known for v in (x, y)):
        # Bounds are those of numbers that fit.
        return None
    quotients = set(_quotients(x, y))
    return quotients.pop() if len(quotients) == 1 else None


def _integer_over(x: Integer, y: Integer, builder: program.Builder) -> program.Extent | int:
    """Returns x, whose quotient with y is within 64 bits."""
    number = x.as_integer(builder)
    if x.low == LOW and y.low <= -1 <= y.high:
        # Only the least number has none.
        program.require(builder, "sgt", number, LOW, spell_beyond("-({0})"))
    return number


def absolute(x: Integer, builder: program.Builder) -> Integer:
    """Returns abs(x)."""
    if x.low >= 0:
        return x
    number = _integer_over(x, known(-1), builder)
    return bounded(program.largest(number, 0 - number), 0, max(-x.low, x.high))


def largest(x: Integer, y: Integer, builder: program.Builder) -> Integer:
    """Returns max(x, y)."""
    return _extreme(program.largest, max, x, y, builder)


def smallest(x: Integer, y: Integer, builder: program.Builder) -> Integer:
    """Returns min(x, y)."""
    return _extreme(program.smallest, min, x, y, builder)


def _extreme(
    operation: Callable[..., Any], choose: Callable[..., Any], x: Integer, y: Integer, builder: program.Builder
) -> Integer:
    for one, other in ((x, y), (y, x)):
        # Of a number beyond 64 bits nothing is left where it is not the result.
        if one.is_known and choose(one.low, other.low) == choose(one.low, other.high) == one.low and not other.guards:
            return one
        if one.is_known and choose(one.low, other.low) == other.low and choose(one.low, other.high) == other.high:
            return other
    ends = choose(x.low, y.low), choose(x.high, y.high)
    return bounded(operation(x.as_integer(builder), y.as_integer(builder)), *ends)


def bounded(number: Any, low: int, high: int) -> Integer:
    """Makes a number that is computed of checked numbers, with its bounds."""
    return known(number) if isinstance(number, int) else clipped(number, low, high)
