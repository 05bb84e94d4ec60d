"""Images at coordinates that are data."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

from .. import _program as program
from .._program import Value
from .._tensors._fits import require_extents
from .._tensors._tensor import Number, Tensor, from_value
from ._context import Context, Operand, Unsupported, operator

#: The weights of cubic interpolation.
_CUBIC = -0.75


class _Axis:
    """An axis of an image, and how coordinates outside of it are found."""

    def __init__(self, c: Context, size: Number, padding: str, aligned: int) -> None:
        p = program
        self.size, self.padding = size, padding
        self.whole = c.scalar(size, "f32")
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


@operator("GridSample", since=16)
def _grid_sample(
    c: Context,
    x: Operand,
    grid: Operand,
    *,
    align_corners: int = 0,
    mode: str = "bilinear",
    padding_mode: str = "zeros",
) -> Tensor:
    p = program
    x, grid = c.value(x), c.value(grid)
    mode = {"bilinear": "linear", "bicubic": "cubic"}.get(mode, mode)
    if mode not in ("nearest", "linear", "cubic") or padding_mode not in ("zeros", "border", "reflection"):
        raise Unsupported(f"its mode {mode!r} with padding {padding_mode!r}")
    rank = x.rank - 2
    require_extents(c, from_value(grid), [p.extent(x, 0), *[None] * rank, rank], "grid")
    sums = p.cast(x, "f32") if x.element in ("f16", "bf16") else x
    ways = []
    for axis in range(rank):
        # The last axis is the first number of a coordinate pair.
        one = p.take_slice(grid, grid.rank - 1, rank - 1 - axis, 1)
        one = p.cast(p.squeeze(one, [grid.rank - 1]), "f32")
        line = _Axis(c, p.extent(x, axis + 2), padding_mode, align_corners)
        coordinate = line.locate(one)
        # The weights of cubic interpolation are those of the coordinate itself.
        is_itself = mode == "cubic" and padding_mode == "border"
        taps = _neighbours(coordinate if is_itself else line.move(coordinate), mode)
        ways.append([(*line.read(coordinate), weight) for coordinate, weight in taps])
    total: Value | None = None
    for taps in itertools.product(*ways):
        value = _take(c, sums, [index for index, _, _ in taps], p.extents(grid)[1:-1])
        weight = _join(p.multiply, [w for _, _, w in taps])
        inside = _join(p.bitwise_and, [kept for _, kept, _ in taps])
        value = value if weight is None else p.multiply(value, p.cast(p.expand(weight, [1]), value.element))
        if inside is not None:
            value = p.select(p.expand(inside, [1]), value, 0.0)
        total = value if total is None else p.add(total, value)
    assert total is not None
    return from_value(p.cast(total, x.element))


def _join(function: Callable[..., Any], values: Sequence[Value | None]) -> Value | None:
    found = None
    for value in values:
        if value is not None:
            found = value if found is None else function(found, value)
    return found


def _take(c: Context, x: Value, indices: Sequence[Value], extents: Sequence[Number]) -> Value:
    """Takes the elements of all channels at indices of the axes behind them."""
    p = program
    shape = [p.extent(x, 0), p.extent(x, 1), *extents]
    axes = [0, *range(2, 2 + len(extents))]
    origin = c.builder.origin()

    def code(body: program.Body, at: Sequence[str], *found: str) -> str:
        chosen = [at[0], at[1], *(p.to_index(body, name, "i64") for name in found)]
        return body.make("tensor.extract {}[{}]{} : {}", x.name, chosen, origin, x.type)

    return p.elements(c.builder, shape, x.element, [(index, axes) for index in indices], code)


@operator("AffineGrid", since=20)
def _affine_grid(c: Context, theta: Operand, size: Operand, *, align_corners: int = 0) -> Tensor:
    p = program
    theta = c.value(theta)
    counts = c.counts(size, "size")
    if len(counts) not in (4, 5):
        raise ValueError(f"its size has {len(counts)} elements, not 4 or 5")
    batch, *others = counts
    sizes = others[1:]
    rank = len(sizes)
    require_extents(c, from_value(theta), [batch, rank, rank + 1], "theta")
    for place, count in enumerate(others, 1):
        p.require(c.builder, "sge", count, 1, f"element {place} of the size is {{0}}, but at least {{1}} is needed")
    lines = []
    for axis, count in enumerate(sizes):
        at = p.iota(c.builder, count, theta.element, axis=axis, rank=rank)
        whole = c.scalar(count, theta.element)
        if align_corners:
            step = p.divide(2.0, p.maximum(p.subtract(whole, 1.0), 1.0))
            lines.append(p.subtract(p.multiply(at, step), 1.0))
        else:
            lines.append(p.subtract(p.divide(p.add(p.multiply(at, 2.0), 1.0), whole), 1.0))
    made = []
    for row in range(rank):
        # The first number of a coordinate pair is along the last axis.
        total = _take_entry(theta, row, rank, rank)
        for axis in range(rank):
            total = p.add(total, p.multiply(_take_entry(theta, row, rank - 1 - axis, rank), lines[axis]))
        made.append(p.expand(p.broadcast_to(total, [p.extent(theta, 0), *sizes]), [rank + 1]))
    return from_value(p.concat(made, rank + 1))


def _take_entry(theta: Value, row: int, column: int, rank: int) -> Value:
    """Takes a number of each matrix, beside the axes of an image."""
    one = program.take_slice(program.take_slice(theta, 1, row, 1), 2, column, 1)
    return program.expand(program.squeeze(one, [1, 2]), list(range(1, 1 + rank)))
