"""The maxima of windows, and where they are."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from .. import _program as program
from .._program import Value
from ._tensor import Number


def find_maxima(
    padded: Value, frame: Sequence[int], strides: Sequence[int], dilations: Sequence[int], counts: Sequence[Number]
) -> tuple[Value, Value]:
    """Compares the elements of each window over the last axes, one of all windows after the other. Returns the largest,
    or NaN, and the first place of it in its window; there are `counts` windows along each axis."""
    p, first = program, padded.rank - len(frame)
    best: Value | None = None
    where: Value | None = None
    for number, tap in enumerate(itertools.product(*map(range, frame))):
        own = padded
        for axis, at in enumerate(tap):
            own = p.take_slice(own, first + axis, at * dilations[axis], counts[axis], strides[axis])
        if best is None or where is None:
            best, where = own, p.cast(p.broadcast_to(p.scalar(own.builder, 0, "i64"), p.extents(own)), "i64")
            continue
        is_more = p.greater(own, best)
        if p.is_float(own.element):
            is_more = p.bitwise_or(is_more, p.bitwise_and(p.isnan(own), p.bitwise_not(p.isnan(best))))
        best, where = p.select(is_more, own, best), p.select(is_more, number, where)
    assert best is not None and where is not None
    return best, where


def number_places(
    where: Value,
    sizes: Sequence[Number],
    frame: Sequence[int],
    strides: Sequence[int],
    dilations: Sequence[int],
    low: Sequence[Number],
    is_column_major: bool = False,
) -> Value:
    """Returns the places of chosen elements in images of the last axes, of `sizes`, of their places in the windows;
    there are `low` elements of padding before each axis."""
    p, rank = program, len(frame)
    first = where.rank - rank
    found: Value | None = None
    for axis in reversed(range(rank)) if is_column_major else range(rank):
        inner = p.product(frame[axis + 1 :])
        at = p.remainder(where if p.is_same(inner, 1) else p.truncate_divide(where, inner), frame[axis])
        line = p.iota(where.builder, p.extent(where, first + axis), "i64", axis=first + axis, rank=where.rank)
        place = p.add(p.multiply(at, dilations[axis]), p.subtract(p.multiply(line, strides[axis]), low[axis]))
        found = place if found is None else p.add(p.multiply(found, sizes[axis]), place)
    assert found is not None
    return found
