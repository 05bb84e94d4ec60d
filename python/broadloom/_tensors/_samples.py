"""Elements between those of an image: along a line, and in regions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .. import _program as program
from .._program import Value
from ._making import Maker
from ._tensor import Number


def fetch(c: Maker, x: Value, shape: Sequence[Number], places: Sequence[int | tuple[Value, Sequence[int]]]) -> Value:
    """Reads an element of x for each place of a shape: along each axis of x at the index of an axis of the result, or
    at integers, of which the axes are those of the result that are listed."""
    inputs = [place for place in places if not isinstance(place, int)]
    origin = c.builder.origin()

    def code(body: Any, point: Sequence[str], *found: str) -> str:
        names = iter(found)
        chosen = [
            point[place] if isinstance(place, int) else program.to_index(body, next(names), place[0].element)
            for place in places
        ]
        text: str = body.make("tensor.extract {}[{}]{} : {}", x.name, chosen, origin, x.type)
        return text

    return program.elements(c.builder, shape, x.element, inputs, code)


class Line:
    """The two elements beside each coordinate of an axis, and how far it is from them."""

    def __init__(self, at: Value, size: Number, whole: Value):
        p = program
        #: Coordinates that are too far outside read nothing.
        self.inside = p.bitwise_and(p.greater_equal(at, -1.0), p.less_equal(at, whole))
        at = p.maximum(at, 0.0)
        low = p.cast(p.floor(p.minimum(at, whole)), "i64")
        is_last = p.greater_equal(low, size - 1)
        first = p.maximum(p.select(is_last, size - 1, low), 0)
        rest = p.select(is_last, 0.0, p.subtract(at, p.cast(first, at.element)))
        self.places = first, p.select(is_last, first, p.add(first, 1))
        self.weights = p.subtract(1.0, rest), rest


def align_regions(
    c: Maker,
    image: Value,
    regions: Value,
    batches: Value,
    shape: tuple[Number, Number],
    ratio: Number,
    scale: float | Value,
    is_half: bool,
    is_mean: bool,
) -> Value:
    """Samples regions, [count, 4], of the images, [batch, channels, height, width], of these numbers: each element is
    the mean or the largest of `ratio` squared samples, or where that is not positive, of as many as there are elements.
    All floats are of one type."""
    p, b, wide = program, c.builder, image.element
    count_of_regions = p.extent(regions, 0)
    ends = [p.subtract(p.multiply(p.take_slice(regions, 1, at, 1), scale), 0.5 if is_half else 0.0) for at in range(4)]
    sizes = p.extents(image)[2:]
    starts, bins, grids = [], [], []
    for axis, count in enumerate(shape):
        low, high = ends[1 - axis], ends[3 - axis]
        length = p.subtract(high, low)
        # Regions that are no larger than this are of one element.
        length = length if is_half else p.maximum(length, 1.0)
        starts.append(low)
        bins.append(p.divide(length, c.scalar(count, wide)))
        known = p.broadcast_to(c.scalar(ratio, "i64"), [count_of_regions, 1])
        if isinstance(ratio, int) and ratio > 0:
            grids.append(known)
            continue
        own = p.maximum(p.cast(p.ceil(bins[-1]), "i64"), 0)
        grids.append(own if isinstance(ratio, int) else p.select(p.greater(known, 0), known, own))
    is_known = isinstance(ratio, int) and ratio > 0
    steps = [ratio if is_known else p.largest(p.to_number(p.reduce("max", grid)), 0) for grid in grids]
    result: list[Number] = [count_of_regions, p.extent(image, 1), *shape]

    def line(axis: int, at: Number) -> tuple[Line, Value]:
        whole = p.scalar(b, sizes[axis], wide)
        number = p.add(p.cast(p.scalar(b, at, "i64"), wide), 0.5)
        inner = p.divide(p.multiply(number, bins[axis]), p.cast(p.maximum(grids[axis], 1), wide))
        cells = p.multiply(p.iota(b, shape[axis], wide, axis=1, rank=2), bins[axis])
        return Line(p.add(p.add(starts[axis], cells), inner), sizes[axis], whole), p.less(
            p.scalar(b, at, "i64"), grids[axis]
        )

    def row(at: Number, carried: list[Any]) -> list[Any]:
        down, is_row = line(0, at)

        def column(at: Number, carried: list[Any]) -> list[Any]:
            across, is_column = line(1, at)
            inside = p.bitwise_and(p.expand(down.inside, [1, 3]), p.expand(across.inside, [1, 2]))
            parts = []
            for low, share in zip(down.places, down.weights):
                for left, own in zip(across.places, across.weights):
                    places: list[Any] = [(batches, [0]), 1, (low, [0, 2]), (left, [0, 3])]
                    weight = p.multiply(p.expand(share, [1, 3]), p.expand(own, [1, 2]))
                    parts.append(p.multiply(fetch(c, image, result, places), p.select(inside, weight, 0.0)))
            is_one = p.expand(p.bitwise_and(is_row, is_column), [2, 3])
            if is_mean:
                total = p.add(p.add(parts[0], parts[1]), p.add(parts[2], parts[3]))
                made = p.add(carried[0], p.select(is_one, total, 0.0))
            else:
                largest = p.maximum(p.maximum(parts[0], parts[1]), p.maximum(parts[2], parts[3]))
                made = p.maximum(carried[0], p.select(is_one, largest, float("-inf")))
            return [p.require_shape(made, result)]

        return list(p.repeat(b, 0, steps[1], carried, column))

    first = p.broadcast_to(c.scalar(0.0 if is_mean else float("-inf"), wide), result)
    (found,) = p.repeat(b, 0, steps[0], [first], row)
    read = p.expand(p.multiply(*grids), [2, 3])
    if is_mean:
        found = p.divide(found, p.cast(p.maximum(read, 1), wide))
    else:
        found = p.select(p.equal(read, 0), 0.0, found)
    return found
