"""Whole numbers that are computed of extents, which do not wrap, as Python's do not.

A program computes them in 64 bits. What stands here of each says between which bounds it is. Where these are
beyond 64 bits, a guard has a call fail where an integer is needed (a shape, an index, a result); floats are
computed of the same operations in f64 then, which have no such end.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from .. import _program as program

#: The extents of an argument that are not 0 have at most this product (ext-5).
_MOST = 2**56
_LOW, _HIGH = -(2**63), 2**63 - 1
#: What an f64 that is off by some roundings is within, where the number is within 64 bits.
_SAFE = float(2**63 - 2**13)
#: The same of what the C library's power is off by.
_NEAR = float(2**63 - 2**24)
#: The bits of exponents: 2 to a larger one is beyond 64 bits.
_BITS = 6


class Guard:
    """What must hold for a number to be within 64 bits."""

    __slots__ = ("_make", "_name", "message", "numbers", "is_required")

    def __init__(self, make: Callable[[], str], message: str, numbers: tuple[program.Extent | int, ...]):
        self._make = make
        self._name: str | None = None
        self.message = message
        self.numbers = numbers
        self.is_required = False

    @property
    def name(self) -> str:
        """The i1 of it."""
        if self._name is None:
            self._name = self._make()
        return self._name

    def require(self, builder: program.Builder) -> None:
        """A call fails unless it holds."""
        if not self.is_required:
            self.is_required = True
            builder.require(self.name, self.message, [program.index(builder, n) for n in self.numbers])


class Whole:
    """A number that is known or that a call tells."""

    __slots__ = ("number", "low", "high", "guards", "_real", "_dims")

    def __init__(self, number, low: int, high: int, guards=(), real=None, dims=frozenset()):
        #: What the program computes, in 64 bits.
        self.number = number
        #: The least and the largest that the number itself can be.
        self.low, self.high = low, high
        #: What must hold for both to be the same.
        self.guards: tuple[Guard, ...] = tuple(guards)
        self._real = real
        # The axes of one argument whose extents it is the product of.
        self._dims = dims

    def as_integer(self, builder: program.Builder) -> program.Extent | int:
        """The number, which a call checks."""
        for guard in self.guards:
            guard.require(builder)
        return self.number

    @property
    def real(self) -> program.Real | float:
        """The number in f64, however large it is."""
        return program.rounded(self.number) if self._real is None else self._real

    def as_float(self) -> program.Extent | program.Real | int | float:
        """What an operation of floats takes: the number itself where it is within 64 bits."""
        if not self.guards:
            return self.number
        return program.choose([guard.name for guard in self.guards], self.number, self.real)


def known(number: int) -> Whole:
    """A number of Python's."""
    # In the program it has 64 bits; bounds and floats are its own.
    return Whole((number - _LOW) % 2**64 + _LOW, number, number, real=_to_float(number))


def _to_float(number: int) -> float:
    try:
        return float(number)
    except OverflowError:
        return math.copysign(math.inf, number)


def of_extent(number: program.Extent | int) -> Whole:
    """The extent of an axis."""
    if isinstance(number, int):
        return known(number)
    dim = program.find_argument(number)
    return Whole(number, 0, _HIGH) if dim is None else Whole(number, 0, _MOST, dims=frozenset([dim]))


def _guard_of(symbol: str, x: Whole, y: Whole, real) -> Guard:
    return Guard(
        lambda: program.is_within(real, -_SAFE, _SAFE),
        f"{{0}} {symbol} {{1}}, an integer that is computed of extents, is beyond 64 bits; compute it in floats, "
        "as in 1.0 * x.shape[0]",
        (x.number, y.number),
    )


def _join(symbol: str, x: Whole, y: Whole, operation: Callable, corners: list[int], dims=frozenset()) -> Whole:
    """A sum, a difference or a product; those that wrap are the same numbers, short of multiples of 2**64."""
    number = operation(x.number, y.number)
    low, high = min(corners), max(corners)
    guards = tuple(dict.fromkeys((*x.guards, *y.guards)))
    fits = _LOW <= low and high <= _HIGH
    if isinstance(number, int):
        return known(low)
    if fits and not guards:
        return Whole(number, low, high, dims=dims)
    real = operation(x.real, y.real)
    return Whole(number, low, high, guards if fits else (*guards, _guard_of(symbol, x, y, real)), real)


def add(x: Whole, y: Whole) -> Whole:
    """x + y"""
    return _join("+", x, y, lambda x, y: x + y, [x.low + y.low, x.high + y.high])


def subtract(x: Whole, y: Whole) -> Whole:
    """x - y"""
    return _join("-", x, y, lambda x, y: x - y, [x.low - y.high, x.high - y.low])


def multiply(x: Whole, y: Whole) -> Whole:
    """x * y"""
    for one, other in ((x, y), (y, x)):
        if one.low == one.high == 1:
            return other
    corners = [a * b for a in (x.low, x.high) for b in (y.low, y.high)]
    dims = frozenset()
    if x._dims and y._dims and not x._dims & y._dims and len({argument for argument, _ in x._dims | y._dims}) == 1:
        corners, dims = [0, _MOST], x._dims | y._dims
    return _join("*", x, y, lambda x, y: x * y, corners, dims)


def floor_divide(x: Whole, y: Whole, builder: program.Builder) -> Whole:
    """x // y"""
    number = x.as_integer(builder) // y.as_integer(builder)
    if y.low > 0:
        corners = [a // b for a in (x.low, x.high) for b in (y.low, y.high)]
    else:
        far = max(abs(x.low), abs(x.high))
        corners = [-far if x.low < 0 or y.low < 0 else 0, far]
    return _bound(number, min(corners), max(corners))


def remainder(x: Whole, y: Whole, builder: program.Builder) -> Whole:
    """x % y"""
    number = x.as_integer(builder) % y.as_integer(builder)
    return _bound(number, min(y.low + 1, 0), max(y.high - 1, 0))


def absolute(x: Whole, builder: program.Builder) -> Whole:
    """abs(x)"""
    if x.low >= 0:
        return x
    number = x.as_integer(builder)
    return _bound(program.largest(number, 0 - number), 0, max(-x.low, x.high))


def _bound(number, low: int, high: int) -> Whole:
    """What was computed of checked numbers."""
    return known(number) if isinstance(number, int) else Whole(number, max(low, _LOW), min(high, _HIGH))


def raise_to(x: Whole, times: int) -> Whole:
    """x ** times, of a number that is not negative. One comparison of x says whether it is within 64 bits."""
    if times == 0:
        return known(1)
    if times == 1:
        return x
    corners = [x.low**times, x.high**times, *([0] if x.low < 0 < x.high else [])]
    low, high = min(corners), max(corners)
    most = _root(times)
    guards = list(x.guards)
    if x.high > most or x.low < -most:
        # Without a sign, more than the root is negative.
        def make() -> str:
            ends = [program.compare("sle", x.number, most)]
            ends += [program.compare("sge", x.number, -most)] if x.low < 0 else []
            return program.both(x.number.builder, ends)

        message = (
            f"{{0}} ** {times}, an integer that is computed of extents, is beyond 64 bits; compute it in floats, "
            "as in 1.0 * x.shape[0]"
        )
        guards.append(Guard(make, message, (x.number,)))
    number, square, left = 1, x.number, times
    while left:
        number = number * square if left % 2 else number
        left //= 2
        square = square * square if left else square
    return Whole(number, low, high, guards, x.real ** float(times) if guards else None)


def _root(times: int) -> int:
    """The largest number whose power is within 64 bits."""
    found = int(_HIGH ** (1 / times)) + 1
    while found**times > _HIGH:
        found -= 1
    return found


def power_of(base: int, x: Whole) -> Whole:
    """base ** x. A call where x is negative has no integer there: a float is right all the same."""
    if base in (0, 1):
        # 0 ** 0 is 1.
        return known(1) if base else subtract(known(1), _bound(program.smallest(x.number, 1), 0, 1))
    if base == -1:
        return _bound(1 - 2 * (x.number % 2), -1, 1)
    most = 0
    while abs(base) ** (most + 1) <= _HIGH:
        most += 1
    number: program.Extent | int = 1
    factor = base
    for bit in range(_BITS):
        # Larger factors have no part in what is within 64 bits.
        if abs(factor) > _HIGH:
            break
        digit = x.number // 2**bit % 2
        number = number * (1 + (factor - 1) * digit)
        factor *= factor
    high = abs(base) ** most
    return Whole(number, -high if base < 0 else 0, high, _power_guards(base, x, most), float(base) ** x.real)


def power(x: Whole, times: Whole, builder: program.Builder) -> Whole:
    """x ** times of two numbers that a call tells."""
    base, left = x.as_integer(builder), times.as_integer(builder)
    real = x.real**times.real
    text = "{0} ** {1}, which is computed of extents, is no integer of 64 bits; make a float of it, as in (1.0 * n) ** m"
    guard = Guard(
        lambda: program.both(builder, [
            program.is_within(real, -_NEAR, _NEAR),
            program.compare("sge", left, 0),
            program.compare("sle", left, 2**_BITS - 1),
        ]),
        text, (base, left),
    )  # fmt: skip
    number: program.Extent | int = 1
    for bit in range(_BITS):
        number = number * (1 + (base - 1) * (left // 2**bit % 2))
        base = base * base
    return Whole(number, _LOW, _HIGH, [guard], real)


def _power_guards(base: int, x: Whole, most: int) -> list[Guard]:
    guards = list(x.guards)
    if x.low < 0:
        guards.append(Guard(
            lambda: program.compare("sge", x.number, 0),
            f"{base} ** {{0}} is no integer; make a float of it, as in {float(base)} ** n",
            (x.number,),
        ))  # fmt: skip
    if x.high > most:
        guards.append(Guard(
            lambda: program.compare("sle", x.number, most),
            f"{base} ** {{0}}, an integer that is computed of extents, is beyond 64 bits; compute it in floats, as "
            f"in {float(base)} ** n",
            (x.number,),
        ))  # fmt: skip
    return guards
