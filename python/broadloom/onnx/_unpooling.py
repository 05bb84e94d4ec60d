"""What puts elements of windows back into images."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .. import _program as program
from .._tensors._fits import require_extents
from .._tensors._tensor import Number, Tensor, from_value
from ._context import Context, Operand, operator
from ._images import each, read_pads, require_sizes
from ._layout import extents_of


@operator("MaxUnpool", since=9)
def _max_unpool(
    c: Context,
    x: Operand,
    indices: Operand,
    output_shape: Operand | None = None,
    *,
    kernel_shape: Sequence[int],
    pads: Sequence[int] | None = None,
    strides: Sequence[int] | None = None,
) -> Tensor:
    p = program
    rank = x.rank - 2
    if len(kernel_shape) != rank or rank < 1:
        raise ValueError(f"kernel_shape {list(kernel_shape)} is no window of {rank} axes")
    require_sizes("window has the extents", kernel_shape, 1)
    steps, borders = each(strides, rank), read_pads(pads, rank)
    require_extents(c, indices, extents_of(x), "indices")
    batch, channels, *sizes = extents_of(x)
    inner = [
        p.largest((size - 1) * steps[axis] - borders[axis] - borders[rank + axis] + kernel_shape[axis], 0)
        for axis, size in enumerate(sizes)
    ]
    shape: list[Number] = [batch, channels, *inner]
    value, count = c.value(x), p.product(extents_of(x))
    empty = p.broadcast_to(c.scalar(0, x.element), [p.product(shape)])
    places = p.reshape(p.cast(c.value(indices), "i64"), [count])
    made = p.reshape(p.scatter(empty, p.reshape(value, [count]), [(places, [0])], from_end=False), shape)
    if output_shape is None:
        return from_value(made)
    wanted = c.counts(output_shape, "extent")
    if len(wanted) != x.rank:
        raise ValueError(f"its output_shape has {len(wanted)} elements, not {x.rank}")
    for axis, (own, number) in enumerate(zip(shape, wanted)):
        p.require(
            c.builder, "sle", own, number, f"axis {axis} of the result has {{0}} elements, but {{1}} are asked for"
        )
    zero: Any = 0.0 if p.is_float(x.element) else 0
    return from_value(p.pad(made, [0] * x.rank, [n - own for own, n in zip(shape, wanted)], zero))


@operator("Col2Im", since=18)
def _col_to_im(
    c: Context,
    x: Operand,
    image_shape: Operand,
    block_shape: Operand,
    *,
    dilations: Sequence[int] | None = None,
    pads: Sequence[int] | None = None,
    strides: Sequence[int] | None = None,
) -> Tensor:
    """Adds what columns have to the image, one after the other."""
    p, b = program, c.builder
    sizes, frame = c.counts(image_shape, "extent of the image"), c.integers(block_shape, "block_shape")
    rank = len(sizes)
    if len(frame) != rank or x.rank != 3:
        raise ValueError(f"an input of {x.rank} axes, an image of {rank} and a block of {len(frame)}")
    steps, spread = each(strides, rank), each(dilations, rank)
    require_sizes("block has the extents", frame, 1)
    borders = read_pads(pads, rank, 0)
    batch, columns, count = extents_of(x)
    window = p.product(frame)
    message = f"axis 1 of {c.named(0)} has the extent {{1}}, no multiple of {window}"
    p.require(b, "eq", columns // window * window, columns, message)
    whole = [size + borders[axis] + borders[rank + axis] for axis, size in enumerate(sizes)]
    blocks = [
        p.largest((size - spread[axis] * (frame[axis] - 1) - 1) // steps[axis] + 1, 0)
        for axis, size in enumerate(whole)
    ]
    message = f"axis 2 of {c.named(0)} has the extent {{0}}, but {{1}} blocks fit the image"
    p.require(b, "eq", count, p.product(blocks), message)
    channels = columns // window
    images = batch * channels
    updates = p.reshape(c.value(x), [images, *frame, *blocks])
    places: list[Any] = [0]
    for axis in range(rank):
        starts = p.multiply(p.iota(b, blocks[axis], "i64", axis=1, rank=2), steps[axis])
        at = p.add(p.multiply(p.iota(b, frame[axis], "i64", axis=0, rank=2), spread[axis]), starts)
        places.append((at, [1 + axis, 1 + rank + axis]))
    empty = p.broadcast_to(c.scalar(0, x.element), [images, *whole])
    made = p.scatter(empty, updates, places, "sum", from_end=False)
    for axis in range(rank):
        made = p.take_slice(made, axis + 1, borders[axis], sizes[axis])
    return from_value(p.reshape(made, [batch, channels, *sizes]))
