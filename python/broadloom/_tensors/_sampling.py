"""Images at coordinates that are data."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from .. import _program as program
from .._program import Value
from ._convolutions import channels_last
from ._making import Maker
from ._tensor import Number, Tensor, arrange

#: The weights of cubic interpolation.
_CUBIC = -0.75


class _Axis:
    """An axis of an image, and how coordinates outside of it are found."""

    def __init__(self, c: Maker, size: Number, element: str, padding: str, aligned: bool) -> None:
        p = program
        self.size, self.padding = size, padding
        self.whole = c.scalar(size, element)
        # The ends between which coordinates are reflected.
        self.low = 0.0 if aligned else -0.5
        self.span = p.subtract(self.whole, 1.0) if aligned else self.whole
        self.aligned = aligned

    def locate(self, x: Value) -> Value:
        """Computes where a number from -1 to 1 is."""
        p = program
        if self.aligned:
            return p.multiply(p.divide(p.add(x, 1.0), 2.0), p.subtract(self.whole, 1.0))
        return p.divide(p.subtract(p.multiply(p.add(x, 1.0), self.whole), 1.0), 2.0)

    def move(self, x: Value) -> Value:
        """Moves a coordinate into the axis, unless the padding is zeros."""
        p = program
        if self.padding == "border":
            return p.maximum(p.minimum(x, p.subtract(self.whole, 1.0)), 0.0)
        if self.padding != "reflection":
            return x
        # There and back again; of one element there is no way.
        span = p.select(p.greater(self.span, 0.0), self.span, 1.0)
        turn = p.remainder(p.subtract(x, self.low), p.multiply(span, 2.0))
        back = p.subtract(p.multiply(span, 2.0), turn)
        return p.add(p.minimum(turn, back), self.low)

    def read(self, x: Value) -> tuple[Value, Value | None]:
        """Returns a whole coordinate as an index, and whether it is within the axis."""
        p = program
        index = p.cast(self.move(x), "i64")
        inside = None
        if self.padding == "zeros":
            inside = p.bitwise_and(p.greater_equal(index, 0), p.less(index, self.size))
        return p.maximum(p.minimum(index, self.size - 1), 0), inside


def _neighbours(x: Value, mode: str) -> list[tuple[Value, Value | None]]:
    """Returns the whole coordinates around one, and their weights."""
    p = program
    if mode == "nearest":
        return [(p.round(x), None)]
    base = p.floor(x)
    rest = p.subtract(x, base)
    if mode == "linear":
        return [(base, p.subtract(1.0, rest)), (p.add(base, 1.0), rest)]
    found: list[tuple[Value, Value | None]] = []
    for shift in range(-1, 3):
        distance = p.absolute(p.subtract(rest, float(shift)))
        square = p.multiply(distance, distance)
        if shift in (0, 1):
            weight = p.add(p.multiply(square, p.subtract(p.multiply(distance, _CUBIC + 2), _CUBIC + 3)), 1.0)
        else:
            cube = p.multiply(p.subtract(distance, 5.0), square)
            weight = p.multiply(p.subtract(p.add(cube, p.multiply(distance, 8.0)), 4.0), _CUBIC)
        found.append((p.add(base, float(shift)), weight))
    return found


def sample(
    c: Maker, x: Tensor, grid: Value, element: str, mode: str, padding: str, aligned: bool, moves_weights: bool
) -> Tensor:
    """Computes an image at the coordinates of a grid, in `element`. Where padding moves a coordinate, the weights of
    its neighbours are those of what it becomes if it `moves_weights`."""
    p = program
    rank = x.rank - 2
    order = channels_last(x.rank)
    image = arrange(x, order)
    sums = p.cast(image, "f32") if x.element in ("f16", "bf16") else image
    ways: list[list[tuple[Value, Value | None, Value | None]]] = []
    for axis in range(rank):
        # The last axis is the first number of a coordinate pair.
        one = p.take_slice(grid, grid.rank - 1, rank - 1 - axis, 1)
        one = p.cast(p.squeeze(one, [grid.rank - 1]), element)
        line = _Axis(c, x.extent(axis + 2), element, padding, aligned)
        coordinate = line.locate(one)
        near = _neighbours(line.move(coordinate) if moves_weights else coordinate, mode)
        ways.append([(*line.read(at), weight) for at, weight in near])
    # Rows of all channels, one for each element of the image's axes.
    sizes, channels = p.extents(sums)[:-1], p.extent(sums, sums.rank - 1)
    rows = p.reshape(sums, [p.product(sizes), channels])
    first = p.expand(p.iota(c.builder, sizes[0], "i64"), list(range(1, rank + 1)))
    found = []
    for taps in itertools.product(*ways):
        row = first
        for size, (index, _, _) in zip(sizes[1:], taps):
            row = p.add(p.multiply(row, size), index)
        weight = _join(p.multiply, [w for _, _, w in taps])
        inside = _join(p.bitwise_and, [kept for _, kept, _ in taps])
        found.append(_Tap(row, None if weight is None else p.cast(weight, sums.element), inside))
    total = _sum_taps(c, rows, found, [*p.extents(found[0].row), channels])
    return Tensor(p.cast(total, x.element), order)


class _Tap(NamedTuple):
    """Which row of an image is read for each element without channels, what it is multiplied by, and whether it is
    anything but zero."""

    row: Value
    weight: Value | None
    inside: Value | None


def _sum_taps(c: Maker, rows: Value, taps: Sequence[_Tap], shape: Sequence[Number]) -> Value:
    """Adds up the rows of taps, each multiplied by its weight. One loop does it, which writes each sum once."""
    element = rows.element
    inputs = [value for tap in taps for value in tap if value is not None]
    origin = c.builder.origin()

    def code(body: Any, point: Sequence[str], *given: str) -> str:
        names = iter(given)
        total = ""
        for tap in taps:
            row = program.to_index(body, next(names), tap.row.element)
            value = body.make("tensor.extract {}[{}]{} : {}", rows.name, [row, point[-1]], origin, rows.type)
            if tap.weight is not None:
                value = body.make("arith.mulf {}, {} : {}", value, next(names), element)
            if tap.inside is not None:
                zero = body.make("arith.constant 0.0 : {}", element)
                value = body.make("arith.select {}, {}, {} : {}", next(names), value, zero, element)
            total = body.make("arith.addf {}, {} : {}", total, value, element) if total else value
        return total

    c.builder.require_own(rows)
    axes = list(range(len(shape) - 1))
    return program.elements(c.builder, shape, element, [(value, axes) for value in inputs], code)


def _join(function: Callable[..., Any], values: Sequence[Value | None]) -> Value | None:
    found = None
    for value in values:
        if value is not None:
            found = value if found is None else function(found, value)
    return found
