"""Places in what is in order."""

from __future__ import annotations

from ._builder import Value
from ._elementwise import bitwise_not, cast, greater, greater_equal
from ._moves import expand
from ._sums import sum


def search(ordered: Value, x: Value, right: bool = False, shared: bool = False) -> Value:
    """Where each element of x would stand among the elements of `ordered`, which are in order, as i64: before equal
    ones, or behind them with `right`. NaN stands behind all numbers. `ordered` has one axis; with `shared` it has as
    many as x, and all but the last are the same. Every element is compared with all of them."""
    with x.builder.naming("search"):
        if shared:
            ordered = expand(ordered, [ordered.rank - 1])
        is_before = bitwise_not((greater if right else greater_equal)(ordered, expand(x, [x.rank])))
        return sum(cast(is_before, "i64"), [x.rank])
