"""Indices in what is in order."""

from __future__ import annotations

from ._builder import Value
from ._elementwise import bitwise_and, bitwise_not, bitwise_or, cast, isnan, less, less_equal
from ._moves import expand
from ._sums import sum
from ._types import is_float


def search(ordered: Value, x: Value, right: bool = False, shared: bool = False) -> Value:
    """Finds where each element of x would stand among the elements of `ordered`, which are in order, as i64: before
    equal ones, or behind them with `right`. NaN stands behind all numbers, in both. `ordered` has one axis; with
    `shared` it has as many as x, and all but the last are the same. Every element is compared with all of them."""
    with x.builder.naming("search"):
        if shared:
            ordered = expand(ordered, [ordered.rank - 1])
        x = expand(x, [x.rank])
        is_before = (less_equal if right else less)(ordered, x)
        if is_float(x.element):
            behind = isnan(x) if right else bitwise_and(isnan(x), bitwise_not(isnan(ordered)))
            is_before = bitwise_or(is_before, behind)
        return sum(cast(is_before, "i64"), [x.rank - 1])
