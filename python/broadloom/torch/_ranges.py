"""Computes what is known of a size for all symbols of a graph."""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Callable, Mapping

from . import _graph
from ._graph import Size


@dataclasses.dataclass(frozen=True)
class Range:
    """The numbers from `low` to `high`, both within, of which a formula is one."""

    low: float
    high: float

    def __add__(self, other: Range | int) -> Range:
        other = _range(other)
        return Range(self.low + other.low, self.high + other.high)

    __radd__ = __add__

    def __neg__(self) -> Range:
        return Range(-self.high, -self.low)

    def __sub__(self, other: Range | int) -> Range:
        return self + -_range(other)

    def __rsub__(self, other: int) -> Range:
        return _range(other) + -self

    def __mul__(self, other: Range | int) -> Range:
        return self._ends(other, lambda x, y: 0 if 0 in (x, y) else x * y)

    __rmul__ = __mul__

    def __floordiv__(self, other: Range | int) -> Range:
        other = _range(other)
        if other.low <= 0:
            return EVERYTHING
        # Python's own quotient of an infinity is not a number.
        return self._ends(other, lambda x, y: x if math.isinf(x) else -1 if math.isinf(y) and x < 0 else x // y)

    def __rfloordiv__(self, other: Range | int) -> Range:
        return _range(other) // self

    def __mod__(self, other: Range | int) -> Range:
        other = _range(other)
        return Range(0, other.high - 1) if other.low > 0 else EVERYTHING

    def __rmod__(self, other: Range | int) -> Range:
        return _range(other) % self

    def _ends(self, other: Range | int, function: Callable[[float, float], float]) -> Range:
        other = _range(other)
        ends = list(itertools.starmap(function, itertools.product((self.low, self.high), (other.low, other.high))))
        return Range(min(ends), max(ends))


EVERYTHING = Range(-math.inf, math.inf)


def _range(number: Range | int) -> Range:
    return number if isinstance(number, Range) else Range(number, number)


def _join(choose: Callable[..., float]) -> Callable[..., Range]:
    def function(*numbers: Range | int) -> Range:
        ranges = list(map(_range, numbers))
        return Range(choose(r.low for r in ranges), choose(r.high for r in ranges))

    return function


def range_of(size: int | Size, symbols: Mapping[str, tuple[float, int | None]]) -> Range:
    """Computes the range of a size, from those of symbols. It may be wider than it must be."""
    known = {name: Range(low, math.inf if high is None else high) for name, (low, high) in symbols.items()}
    try:
        return _range(_graph.evaluate(size, known, {"max": _join(max), "min": _join(min)}))
    except (KeyError, NotImplementedError, TypeError):
        return EVERYTHING
