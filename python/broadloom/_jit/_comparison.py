"""Comparisons of extents: numbers of 0 and 1 that each call has its own of."""

from __future__ import annotations

import functools
import operator
from typing import Any

import numpy as np

from .. import _program as program
from . import _integers, _trace
from ._extent import TracedExtent, compute, integer_of

#: The comparison of the compiler's, what is its opposite, and how Python writes it.
_PREDICATES: dict[np.ufunc, tuple[str, str, str]] = {
    np.equal: ("eq", "ne", "=="),
    np.not_equal: ("ne", "eq", "!="),
    np.less: ("slt", "sge", "<"),
    np.less_equal: ("sle", "sgt", "<="),
    np.greater: ("sgt", "sle", ">"),
    np.greater_equal: ("sge", "slt", ">="),
}


class TracedComparison(TracedExtent):
    """n > m of extents. In arithmetic it is an integer, as True and False are; arrays meet it as one of bool."""

    __slots__ = ("_compared",)
    _kind = np.dtype(np.bool_)

    def __init__(self, trace: _trace.Trace, integer: _integers.Integer, compared: tuple[np.ufunc, Any, Any]) -> None:
        super().__init__(trace, integer)
        self._compared: tuple[np.ufunc, Any, Any] = compared

    def _require(self, way: bool, builder: program.Builder) -> None:
        ufunc, x, y = self._compared
        predicate, opposite, symbol = _PREDICATES[ufunc]
        message = f"the function raises here, since {{0}} {symbol} {{1}} is {not way}"
        with builder.naming("extents"):
            one, other = (v.as_integer(builder) for v in (x, y))
            program.require(builder, predicate if way else opposite, one, other, message)

    def _as_array(self, weak: bool = True) -> Any:
        from ._array import TracedArray

        array = super()._as_array(weak=False)
        return TracedArray(self._trace, program.cast(array._value, "i1"))

    def __repr__(self) -> str:
        return "<a comparison of extents under bl.jit>"

    __hash__ = TracedExtent.__hash__


class ComparedShapes(TracedComparison):
    """x.shape == y.shape, and whether these differ, where calls tell."""

    __slots__ = ("_pairs",)

    def __init__(self, pairs: list[TracedComparison], is_equal: bool) -> None:
        product = functools.reduce(operator.mul, pairs)
        compared = np.logical_and if is_equal else np.logical_or
        super().__init__(product._trace, (product if is_equal else 1 - product)._integer, (compared, None, None))
        self._pairs = pairs

    def _require(self, way: bool, builder: program.Builder) -> None:
        is_equal = way == (self._compared[0] is np.logical_and)
        if is_equal or len(self._pairs) == 1:
            for pair in self._pairs:
                pair._require(is_equal, builder)
            return
        message = f"the function raises here, since the shapes are equal in {len(self._pairs)} axes"
        with builder.naming("extents"):
            numbers = [[v.as_integer(builder) for v in pair._compared[1:]] for pair in self._pairs]
            program.require_either(builder, [("ne", x, y) for x, y in numbers], message)

    def __repr__(self) -> str:
        return "<a comparison of shapes under bl.jit>"

    __hash__ = TracedExtent.__hash__


def compare_shapes(x: tuple[Any, ...], y: tuple[Any, ...], is_equal: bool) -> Any:
    """Compares two shapes for equality."""
    if len(x) != len(y):
        return not is_equal
    pairs = [one for one in map(operator.eq, x, y) if one is not True]
    if any(one is False for one in pairs):
        return not is_equal
    return ComparedShapes(pairs, is_equal) if pairs else is_equal


def compare(ufunc: np.ufunc, x: Any, y: Any) -> Any:
    """Compares two numbers, of which one is an extent."""
    one, other = (None if isinstance(v, np.generic) else integer_of(v) for v in (x, y))
    if one is None or other is None:
        if type(x) is float or type(y) is float:
            return compute(ufunc, x, y)
        # An array compares itself; what is no number is not equal.
        return NotImplemented
    if (found := _decide(ufunc, one, other)) is not None:
        return found
    trace = _trace.current()
    builder = _trace.enter(trace)
    with builder.naming("extents"):
        apart = _integers.subtract(one, other).as_integer(builder)
        # 0 or 1, in terms that the compiler reasons about.
        positive = program.smallest(program.largest(apart, 0), 1)
        negative = program.smallest(program.largest(0 - apart, 0), 1)
        numbers: dict[np.ufunc, Any] = {
            np.greater: positive,
            np.less: negative,
            np.not_equal: positive + negative,
            np.less_equal: 1 - positive,
            np.greater_equal: 1 - negative,
            np.equal: 1 - positive - negative,
        }
    return TracedComparison(trace, _integers.Integer(numbers[ufunc], 0, 1), (ufunc, one, other))


def _decide(ufunc: np.ufunc, x: _integers.Integer, y: _integers.Integer) -> bool | None:
    """Returns the outcome that every call finds; None where calls differ."""
    if any(v.guards and not v.is_known for v in (x, y)):
        # Bounds are those of numbers that fit.
        return None
    if x is y or program.is_same(x.number, y.number):
        return ufunc in (np.equal, np.less_equal, np.greater_equal)
    # For the least and the largest difference alike.
    found = {bool(ufunc(apart, 0)) for apart in (x.low - y.high, x.high - y.low)}
    is_crossed = x.low - y.high < 0 < x.high - y.low
    return None if len(found) > 1 or is_crossed else found.pop()


def _define_operators() -> None:
    def define(name: str, ufunc: np.ufunc) -> None:
        def operator(x: Any, y: Any) -> Any:
            return compare(ufunc, x, y)

        operator.__name__ = name
        setattr(TracedExtent, name, operator)

    for short, ufunc in {
        "eq": np.equal,
        "ne": np.not_equal,
        "lt": np.less,
        "le": np.less_equal,
        "gt": np.greater,
        "ge": np.greater_equal,
    }.items():
        define(f"__{short}__", ufunc)

    def join(name: str, operation: Any) -> None:
        def operator(x: Any, y: Any) -> Any:
            if isinstance(y, TracedComparison) or type(y) is bool:
                return operation(x, y)
            return TracedExtent._bits(x, y)

        setattr(TracedComparison, f"__{name}__", operator)
        setattr(TracedComparison, f"__r{name}__", operator)

    join("and", lambda x, y: x * y == 1)
    join("or", lambda x, y: x + y > 0)
    join("xor", lambda x, y: x + y == 1)


_define_operators()
