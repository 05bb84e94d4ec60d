"""Numbers from a start to a limit."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .. import _program as program
from .._program import AnyNumber, Extent, Real
from .._tensors._tensor import Number, from_value
from ._context import LARGEST, Context, Known, Operand, operator

#: Whole numbers up to here are numbers of f32.
_EXACT = 1 << 24
#: Numbers of 64 bits whose differences have 64 bits too.
_FARTHEST = 1 << 61


@operator("Range", since=11)
def _range(c: Context, start: Operand, limit: Operand, delta: Operand, *, stash_type: int = 1) -> Operand:
    p = program
    element = start.element
    known = [o.array for o in (start, limit, delta) if isinstance(o, Known) and o.is_number]
    if len(known) == 3:
        first, last, step = (array.item() for array in known)
        if step == 0:
            raise ValueError("its delta is 0")
        count = max(int(np.ceil((last - first) / step)), 0)
        if count <= LARGEST:
            return Known((first + np.arange(count) * step).astype(p.to_numpy(element)), element)
        return from_value(p.add(p.multiply(p.iota(c.builder, count, element), step), first))
    numbers: list[AnyNumber] = [
        _read_real(c, o) if p.is_float(element) else c.number(o, n)
        for o, n in ((start, "start"), (limit, "limit"), (delta, "delta"))
    ]
    whole = [n for n in map(_as_whole, numbers) if n is not None]
    is_whole = len(whole) == 3
    if is_whole:
        numbers = [*whole]
        if element == "f32":
            _require_exact(c, whole)
    first, last, step = numbers
    for number in numbers:
        # Differences of these are words.
        if element == "i64" and isinstance(number, Extent) and not p.is_natural(number):
            for predicate, end in (("sge", -_FARTHEST), ("sle", _FARTHEST)):
                p.require(c.builder, predicate, number, end, "a range of {0} is beyond {1}")
    count = _count(c, *whole) if is_whole else _count_reals(c, first, last, step)
    value = p.iota(c.builder, count, element)
    if not _is(step, 1):
        value = p.multiply(value, step)
    return from_value(value if _is(first, 0) else p.add(value, first))


def _is(number: AnyNumber, value: int) -> bool:
    return isinstance(number, (int, float)) and number == value


def _read_real(c: Context, operand: Operand) -> AnyNumber:
    """Reads an operand of floats that is one number."""
    if isinstance(operand, Known) and operand.array.size == 1:
        return number if isinstance(number := operand.items[0], Extent) else float(number)
    value = program.cast(c.value(operand), "f64")
    name = c.builder.add("tensor.extract {}[] : {}", value.name, value.type)
    return Real(c.builder, name)


def _as_whole(number: AnyNumber) -> Number | None:
    """Returns the number as an integer where it is known to have no fraction, else None."""
    if isinstance(number, (int, Extent)):
        return number
    return int(number) if isinstance(number, float) and number.is_integer() else None


def _require_exact(c: Context, numbers: Sequence[Number]) -> None:
    """Requires that extents are numbers of f32: larger ones are rounded, and a range of these has another number of
    elements."""
    for number in numbers:
        if isinstance(number, Extent):
            program.require(
                c.builder, "sle", number, _EXACT, "the extent {0} is rounded in f32, which has all integers up to {1}"
            )


def _count(c: Context, first: Number, last: Number, step: Number) -> Number:
    """Counts the numbers of a range without fractions."""
    p = program
    if isinstance(step, int):
        if step == 0:
            raise ValueError("its delta is 0")
        length = last - first if step > 0 else first - last
        return p.largest(p.divide_up(length, abs(step)) if abs(step) != 1 else length, 0)
    p.require(c.builder, "ne", step, 0, "its delta is {0}")
    # The number of steps, whichever sign they have.
    back = p.smallest(p.largest(0 - step, 0), 1)
    sign = 1 - back * 2
    return p.largest(p.divide_up((last - first) * sign, p.largest(step * sign, 1)), 0)


def _count_reals(c: Context, first: AnyNumber, last: AnyNumber, step: AnyNumber) -> Number:
    """Counts the numbers of any range, in f64."""
    whole = program.FUNCTIONS["float"]
    length = whole(last) if _is(first, 0) else whole(last) - whole(first)
    if isinstance(step, float) and step != 0 and np.frexp(step)[0] == 0.5:
        # The inverse of a power of two is exact, and a product of extents is an extent.
        steps = length * (1 / step)
    else:
        steps = length / step if not _is(step, 0) else float("nan")
    if not isinstance(steps, Real):
        raise ValueError("its delta is 0")
    inside = program.is_within(steps, -(2.0**53), 2.0**53)
    c.builder.require(inside, "its start, limit and delta tell no number of elements")
    count: Number = program.FUNCTIONS["ceil"](steps)
    return program.largest(count, 0)
