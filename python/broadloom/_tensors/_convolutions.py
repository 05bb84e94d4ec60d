"""Convolutions. Images are computed with their channels innermost; transposes of
consecutive operations cancel (_tensor.py)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .. import _program as program
from .._program import Value
from ._fits import require_numbers
from ._making import Maker, Unsupported
from ._tensor import Held, Number, Operand, Tensor, arrange, from_value, permute, to_value
from ._views import part, view
from ._windows import contract


def channels_last(rank: int) -> tuple[int, ...]:
    """Returns the order of the axes of an image whose channels are innermost."""
    return (0, rank - 1, *range(1, rank - 1))


#: Groups of one channel with more sums than this are faster as groups than channel by channel of an image that repeats
#: its channels (decision 132).
_MOST_REPEATS = 8


def _repeat_channels(image: Value, times: int) -> Value:
    """Repeats each channel of an image so many times, one after the other."""
    if times == 1:
        return image
    shape = program.extents(image)
    repeated = program.broadcast_to(program.expand(image, [image.rank]), [*shape, times])
    return program.reshape(repeated, [*shape[:-1], shape[-1] * times])


def _reshape(c: Maker, weight: Operand, shape: Sequence[int]) -> Operand:
    return weight.reshape(shape) if isinstance(weight, Held) else view(c, weight, list(shape))


def _part(weight: Operand, start: int, count: int) -> Operand:
    """Takes `count` elements of the first axis of a weight."""
    return weight.part(0, start, count) if isinstance(weight, Held) else part(weight, 0, start, count)


def known_shape(weight: Operand) -> list[int]:
    """Returns the extents of a weight, which must be numbers."""
    shape = list(weight.shape) if isinstance(weight, Held) else [weight.known(i) for i in range(weight.rank)]
    numbers = [extent for extent in shape if extent is not None]
    if len(numbers) != len(shape):
        raise Unsupported("a convolution whose weight has open extents")
    return numbers


def require_groups(c: Maker, x: Tensor, groups: int, inputs: int, split: int) -> None:
    """Requires that the image has `inputs` channels for each group, and that the groups divide the axis of the weight
    that they share, of extent `split`."""
    if groups < 1 or split % groups:
        raise ValueError(f"{groups} groups do not divide the {split} channels of the weight")
    what = f"the image has {{0}} channels, but {groups} groups of {inputs} take {{1}}"
    program.require(c.builder, "eq", x.extent(1), groups * inputs, what)


def convolve(
    c: Maker,
    x: Tensor,
    weight: Operand,
    bias: Operand | None,
    stride: Sequence[int],
    padding: Sequence[Any],
    dilation: Sequence[int],
    groups: int,
    zeros: Sequence[int] = (),
) -> Tensor:
    """Computes a convolution. `padding` has a number for both ends of each axis, or a pair; `zeros` are zero points, as
    `contract` has them."""
    rank = x.rank - 2
    order = channels_last(x.rank)
    image = arrange(x, order)
    window = list(range(2, rank + 2))
    pads = [n for ends in padding for n in (ends if isinstance(ends, tuple) else (ends, ends))]
    outputs, inputs, *frame = known_shape(weight)
    require_numbers(c, bias, outputs, "bias")
    summand = None if bias is None else to_value(c.tensor(bias))

    if groups < 1 or (groups != 1 and (inputs != 1 or outputs != groups)):
        require_groups(c, x, groups, inputs, outputs)
    depthwise = groups != 1 and inputs == 1 and outputs <= _MOST_REPEATS * groups
    if depthwise:
        weight = permute(_reshape(c, weight, [outputs, *frame]), [*range(1, rank + 1), 0])
        image = _repeat_channels(image, outputs // groups)
        groups = 1
    else:
        weight = permute(weight, [*window, 1, 0])
    kernel = to_value(c.tensor(weight))
    result = contract(image, kernel, summand, stride, dilation, pads, depthwise, zeros, groups)
    return Tensor(result, order)


def transposed(
    c: Maker,
    x: Tensor,
    weight: Operand,
    bias: Operand | None,
    stride: Sequence[int],
    padding: Sequence[int],
    dilation: Sequence[int],
    output_padding: Sequence[int],
    groups: int,
) -> Tensor:
    """Computes a transposed convolution: each element of the image times the kernel, summed where kernels overlap."""
    rank = x.rank - 2
    order = channels_last(x.rank)
    inputs, outputs, *frame = known_shape(weight)
    require_numbers(c, bias, outputs * groups, "bias")
    if groups != 1:
        require_groups(c, x, groups, inputs // max(groups, 1), inputs)
        size, results = inputs // groups, []
        for group in range(groups):
            mine = _part(weight, group * size, size)
            own = None if bias is None else part(c.tensor(bias), 0, group * outputs, outputs)
            some = part(x, 1, group * size, size)
            results.append(transposed(c, some, mine, own, stride, padding, dilation, output_padding, 1))
        return Tensor(program.concat([r.value for r in results], order[1]), order)
    phases = [_Phases(*numbers) for numbers in zip(frame, stride, padding, dilation, output_padding)]
    if all(one.is_window for one in phases):
        return _by_phases(c, x, weight, bias, phases)
    bias = None if bias is None else c.tensor(bias)
    # A convolution of the image with zeros between its elements and around them,
    # with the kernel the other way round.
    value = arrange(x, order)
    for axis in range(rank):
        reach = dilation[axis] * (frame[axis] - 1)
        low = reach - padding[axis]
        spread = _spread(value, axis + 1, stride[axis])
        length = program.extent(value, axis + 1)
        # What stands behind the last element.
        high = reach - padding[axis] + output_padding[axis] - (stride[axis] - 1)
        zero = [0] * value.rank
        before, behind = list(zero), list(zero)
        before[axis + 1], behind[axis + 1] = max(low, 0), max(high, 0)
        value = program.pad(spread, before, behind, 0.0 if program.is_float(value.element) else 0)
        if low < 0 or high < 0:
            cut = min(low, 0), min(high, 0)
            count = length * stride[axis] + before[axis + 1] + behind[axis + 1] + cut[0] + cut[1]
            value = program.take_slice(value, axis + 1, -cut[0], count)
    turned = permute(weight, [*range(2, rank + 2), 0, 1])
    kernel = program.flip(to_value(c.tensor(turned)), list(range(rank)))
    given = None if bias is None else to_value(bias)
    result = contract(value, kernel, given, [1] * rank, dilation, [0] * 2 * rank)
    return Tensor(result, order)


def _spread(value: program.Value, axis: int, stride: int) -> program.Value:
    """Puts `stride - 1` zeros behind each element of an axis."""
    if stride == 1:
        return value
    shape = program.extents(value)
    apart = program.expand(value, [axis + 1])
    none = [0] * apart.rank
    behind = list(none)
    behind[axis + 1] = stride - 1
    padded = program.pad(apart, none, behind, 0.0 if program.is_float(value.element) else 0)
    return program.reshape(padded, [*shape[:axis], shape[axis] * stride, *shape[axis + 1 :]])


class _Phases:
    """An axis of a transposed convolution as one of a convolution of the image as it is. Its results with one remainder
    by the stride, a phase, read the same taps: every `stride`-th one, in the opposite order. So the phases are
    channels of that convolution, which are put in order behind it."""

    def __init__(self, frame: int, stride: int, padding: int, dilation: int, more: int) -> None:
        self.stride, self.dilation = stride, dilation
        #: The taps of each phase. Those beyond the kernel are 0.
        self.taps = -(-frame // stride)
        self.added = self.taps * stride - frame
        #: Padding of the image: results in front of `first` are left out.
        self.low = dilation * (self.taps - 1) - padding // stride
        self.high = -(-(dilation * (frame - 1) + 1 + more - padding) // stride) - 1
        self.first = padding % stride
        self.rest = dilation * (frame - 1) + 1 + more - 2 * padding - stride
        #: Whether it is such a convolution.
        self.is_window = (stride == 1 or dilation == 1) and self.low >= 0 and self.high >= 0

    def cut(self, value: Value, axis: int, image: Number) -> Value:
        """Takes the results of an axis, which may be fewer than whole phases have."""
        count = image * self.stride + self.rest
        if self.first == 0 and program.is_same(count, program.extent(value, axis)):
            return value
        return program.take_slice(value, axis, self.first, count)


def _by_phases(c: Maker, x: Tensor, weight: Operand, bias: Operand | None, phases: Sequence[_Phases]) -> Tensor:
    """Computes a transposed convolution as a convolution of the image as it is."""
    rank = len(phases)
    order = channels_last(x.rank)
    inputs, outputs, *_ = known_shape(weight)
    behind = [0, 0, *(one.added for one in phases)]
    apart = [inputs, outputs, *(n for one in phases for n in (one.taps, one.stride))]
    taps, steps = range(2, 2 * rank + 2, 2), range(3, 2 * rank + 2, 2)
    strides = [one.stride for one in phases]
    count = program.product(strides)
    assert isinstance(count, int)
    shape = [*(one.taps for one in phases), inputs, count * outputs]
    if isinstance(weight, Held):
        parted = weight.pad(behind).reshape(apart).flip(list(taps))
        kernel = to_value(c.tensor(parted.permute([*taps, 0, *steps, 1]).reshape(shape)))
    else:
        padded = from_value(program.pad(to_value(weight), [0] * (rank + 2), behind, 0.0))
        turned = from_value(program.flip(to_value(view(c, padded, list(apart))), list(taps)))
        kernel = to_value(view(c, permute(turned, [*taps, 0, *steps, 1]), list(shape)))
    summand = None if bias is None else to_value(c.tensor(bias))
    if summand is not None and count != 1:
        summand = program.concat([summand] * count, 0)
    image = arrange(x, order)
    pads = [n for one in phases for n in (one.low, one.high)]
    made = contract(image, kernel, summand, [1] * rank, [one.dilation for one in phases], pads)
    sizes = program.extents(image)[1:-1]
    batch, *found = program.extents(made)[:-1]
    if count != 1:
        wide = program.reshape(made, [batch, *found, *strides, outputs])
        turns = [n for axis in range(rank) for n in (1 + axis, 1 + rank + axis)]
        wide = program.transpose(wide, [0, *turns, 1 + 2 * rank])
        made = program.reshape(wide, [batch, *(s * n for s, n in zip(strides, found)), outputs])
    for axis, (one, size) in enumerate(zip(phases, sizes), 1):
        made = one.cut(made, axis, size)
    return Tensor(made, order)
