"""Powers of integers that are computed of extents."""

from __future__ import annotations

import functools
import math

from .. import _program as program
from . import _trace
from ._integers import (
    HIGH,
    LOW,
    Guard,
    Integer,
    bounded,
    clipped,
    is_between,
    known,
    multiply,
    remainder,
    spell,
    spell_beyond,
    subtract,
    to_float,
    wrap,
)

#: What an f64 that is off by what the C library's power is is within, where the number is within 64 bits. The one power
#: near to -(2**63) is this number, which fits.
_NEAR, _NEAR_LOW = float(2**63 - 2**24), -float(2**63 + 2**24)
#: The bits of exponents: 2 to a larger one is beyond 64 bits.
_BITS = 6


def raise_to(x: Integer, times: int) -> Integer:
    """Returns x ** times, of a number that is not negative. One comparison of x says whether it is within 64 bits."""
    if times == 0:
        return known(1)
    if times == 1:
        return x
    least, most = -_root(times, 2**63 if times % 2 else HIGH), _root(times, HIGH)
    low, high = max(x.low, least), min(x.high, most)
    corners = [low**times, high**times, *([0] if low < 0 < high else [])] if low <= high else [LOW, HIGH]
    guards = list(x.guards)
    if low > high:
        guards.append(Guard(None, spell_beyond(f"n ** {spell(times)}")))
    elif x.high > most or x.low < least:
        make = functools.partial(is_between, x, least, most)
        guards.append(Guard(make, spell_beyond(f"{{0}} ** {spell(times)}"), (x.number,)))
    number: program.Extent | int = 1
    square = x.number
    # To larger ones, only 0, 1 and -1 are within 64 bits.
    left = times if times < 2**_BITS else 2**_BITS + times % 2
    while left:
        number = number * square if left % 2 else number
        left //= 2
        square = square * square if left else square
    return clipped(number, min(corners), max(corners), guards, x.real ** to_float(times) if guards else None)


def _root(times: int, end: int) -> int:
    """Returns the largest number whose power is at most `end`, which is about 2**63."""
    if times >= 2**_BITS:
        return 1
    found = int(end ** (1 / times)) + 1
    while found**times > end:
        found -= 1
    return found


def raise_modulo(x: Integer, times: int, modulo: Integer, builder: program.Builder) -> Integer:
    """Returns x ** times % modulo, of two known numbers."""
    found, square, left = known(1), remainder(x, modulo, builder), times
    while left:
        found = remainder(multiply(found, square), modulo, builder) if left % 2 else found
        left //= 2
        square = remainder(multiply(square, square), modulo, builder) if left else square
    return remainder(found, modulo, builder)


def power_of(base: int, x: Integer, builder: program.Builder) -> Integer:
    """Computes base ** x. A call where x is negative has no integer there: a float is right all the same."""
    if base == 1:
        return known(1)
    if base == 0:
        exponent = x.as_integer(builder)
        if x.low < 0:
            message = "0 ** {0}, whose exponent is computed of extents, divides by 0; np.power(0.0, n) gives inf"
            program.require(builder, "sge", exponent, 0, message)
        # 0 ** 0 is 1.
        return subtract(known(1), bounded(program.smallest(exponent, 1), 0, 1))
    if base == -1:
        return bounded(1 - 2 * (x.as_integer(builder) % 2), -1, 1)
    most = 0
    while LOW <= base ** (most + 1) <= HIGH:
        most += 1
    real, high = to_float(base) ** x.real, abs(base) ** most
    guards = _power_guards(base, x, most)
    if most == 0:
        # 1 for an exponent of 0 is all that fits.
        return clipped(1 - program.smallest(x.number, 1), 0, 1, guards, real)
    number: program.Extent | int = 1
    factor = base
    for bit in range(_BITS):
        # Larger factors have no part in what is within 64 bits.
        if not LOW <= factor <= HIGH:
            break
        digit = x.number // 2**bit % 2
        number = number * (1 + wrap(factor - 1) * digit)
        factor *= factor
    return clipped(number, -high if base < 0 else 0, high, guards, real)


def require_exponent(times: Integer, builder: program.Builder) -> Integer:
    """Returns an exponent of NumPy's integers, which are to no negative power."""
    if times.high < 0:
        raise ValueError(
            f"{_trace.spell_location()}integers to negative integer powers are not allowed; make a float of one"
        )
    if times.low >= 0:
        return times
    number = times.as_integer(builder)
    message = "integers to the power {0}, which is computed of extents, are not allowed; cast to a float"
    program.require(builder, "sge", number, 0, message)
    return Integer(number, 0, times.high) if times.high else known(0)


def power(x: Integer, times: Integer, builder: program.Builder) -> Integer:
    """Returns x ** times of two numbers that a call tells."""
    base, left = x.as_integer(builder), times.as_integer(builder)
    real = x.real**times.real
    text = (
        "{0} ** {1}, which is computed of extents, is no integer of 64 bits; make a float of it, as in (1.0 * n) ** m"
    )
    guard = Guard(
        lambda: program.both(
            builder,
            [
                program.is_within(real, _NEAR_LOW, _NEAR),
                program.compare("sge", left, 0),
            ],
        ),
        text,
        (base, left),
    )
    # To larger ones, only 0, 1 and -1 are within 64 bits: what counts is whether they are even.
    left = program.smallest(left, 2**_BITS - 2 + left % 2)
    number: program.Extent | int = 1
    for bit in range(_BITS):
        number = number * (1 + (base - 1) * (left // 2**bit % 2))
        base = base * base
    return Integer(number, LOW, HIGH, [guard], real)


def _power_guards(base: int, x: Integer, most: int) -> list[Guard]:
    guards, spelled = list(x.guards), spell(base)
    instead = f"{to_float(base)} ** n" if math.isfinite(to_float(base)) else "np.power(np.inf, n)"
    if x.low < 0:
        guards.append(
            Guard(
                lambda: program.compare("sge", x.number, 0),
                f"{spelled} ** {{0}} is no integer; make a float of it, as in {instead}",
                (x.number,),
            )
        )
    if x.low > most:
        guards.append(Guard(None, spell_beyond(f"{spelled} ** n", instead)))
    elif x.high > most:
        guards.append(
            Guard(
                lambda: program.compare("sle", x.number, most),
                spell_beyond(f"{spelled} ** {{0}}", instead),
                (x.number,),
            )
        )
    return guards
