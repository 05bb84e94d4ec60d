"""Images at coordinates that are data."""

from __future__ import annotations

from .. import _program as program
from .._program import Value
from .._tensors._fits import require_extents
from .._tensors._sampling import sample
from .._tensors._tensor import Tensor, from_value
from ._context import Context, Operand, Unsupported, operator


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
    x, grid = c.tensor(x), c.value(grid)
    mode = {"bilinear": "linear", "bicubic": "cubic"}.get(mode, mode)
    if mode not in ("nearest", "linear", "cubic") or padding_mode not in ("zeros", "border", "reflection"):
        raise Unsupported(f"its mode {mode!r} with padding {padding_mode!r}")
    rank = x.rank - 2
    require_extents(c, from_value(grid), [x.extent(0), *[None] * rank, rank], "grid")
    # The weights of cubic interpolation are those of the coordinate itself.
    is_itself = mode == "cubic" and padding_mode == "border"
    return sample(c, x, grid, "f32", mode, padding_mode, bool(align_corners), not is_itself)


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
