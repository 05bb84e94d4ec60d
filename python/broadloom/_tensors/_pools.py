"""Pools over any number of axes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .. import _program as program
from ._convolutions import channels_last
from ._making import Maker, elementwise
from ._tensor import Number, Tensor, arrange, from_value
from ._views import view
from ._windows import pool


def slide(
    c: Maker,
    kind: str,
    x: Tensor,
    frame: Sequence[int],
    strides: Sequence[int],
    dilations: Sequence[int],
    low: Sequence[Number],
    high: Sequence[Number],
) -> Tensor:
    """Reduces the windows of an image of any number of axes to their 'max' or 'sum': over two axes at a time, and the
    others after them. `low` and `high` are how many elements of padding are before and behind each axis."""
    rank = x.rank - 2
    order = channels_last(x.rank)
    image = from_value(arrange(x, order))
    done = 0
    while done < rank:
        count = min(2, rank - done)
        some = slice(done, done + count)
        is_same = all(n == 1 for n in (*frame[some], *strides[some]))
        if not is_same or not all(isinstance(n, int) and n == 0 for n in (*low[some], *high[some])):
            lists = [list(numbers[some]) for numbers in (frame, strides, dilations, low, high)]
            image = _slide_two(c, kind, image, done + 1, count, lists)
        done += count
    return Tensor(image.value, order)


def divide_by_counts(
    c: Maker, total: Tensor, image: Tensor, pads: Sequence[tuple[Number, Number]], pool: Callable[[Tensor], Tensor]
) -> Tensor:
    """Divides the sums over the windows of an image by how many elements each window has. `pads` are the numbers of
    elements before and behind each axis that count, and `pool` sums over the windows of ones."""
    one = c.scalar(1.0, image.element)
    border = [low + high for low, high in pads]
    shape = [1, 1, *(image.extent(2 + axis) + more for axis, more in enumerate(border))]
    return elementwise(c, program.divide, total, pool(from_value(program.broadcast_to(one, shape))))


def _slide_two(
    c: Maker,
    kind: str,
    image: Tensor,
    axis: int,
    count: int,
    numbers: Sequence[list[Any]],
) -> Tensor:
    """Reduces windows over `count` axes of a value from `axis` on; what is behind them counts as channels."""
    own = image.extents
    middle = own[axis : axis + count] + [1] * (2 - count)
    before, behind = program.product(own[:axis]), program.product(own[axis + count :])
    flat = view(c, image, [before, *middle, behind])
    frame, strides, dilations, low, high = (one + [fill] * (2 - count) for one, fill in zip(numbers, (1, 1, 1, 0, 0)))
    made = pool(kind, flat.value, frame, strides, dilations, low, high)
    found = program.extents(made)[1 : 1 + count]
    return view(c, from_value(made), [*own[:axis], *found, *own[axis + count :]])
