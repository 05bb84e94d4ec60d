"""Convolutions."""

from __future__ import annotations

from collections.abc import Sequence

from .. import _program as program
from .._tensors._convolutions import convolve, known_shape, transposed
from .._tensors._fits import require_numbers
from .._tensors._tensor import Held, Number, Tensor
from .._tensors._views import pad, part, view
from .._tensors._windows import is_convolved
from ._context import Context, Operand, Unsupported, operator, spread

#: The largest stride, dilation or padding.
_LARGEST = 2**31 - 1


def window_pads(
    x: Tensor,
    frame: Sequence[int],
    strides: Sequence[int],
    dilations: Sequence[int],
    pads: Sequence[int] | None,
    auto_pad: str,
) -> tuple[list[Number], list[Number]]:
    """Computes how much is put before and behind each axis of an image."""
    rank = len(frame)
    require_sizes("window has the extents", frame, 0)
    if auto_pad in ("NOTSET", ""):
        both = read_pads(pads, rank)
        return [*both[:rank]], [*both[rank:]]
    if auto_pad == "VALID":
        return [0] * rank, [0] * rank
    if auto_pad not in ("SAME_UPPER", "SAME_LOWER"):
        raise Unsupported(f"auto_pad {auto_pad!r}")
    low, high = [], []
    for axis in range(rank):
        size = x.extent(axis + 2)
        count = program.divide_up(size, strides[axis])
        reach = (frame[axis] - 1) * dilations[axis] + 1
        whole = (count - 1) * strides[axis] + reach - size if strides[axis] > 1 else reach - 1
        whole = program.largest(whole, 0)
        small = whole // 2
        low.append(small if auto_pad == "SAME_UPPER" else whole - small)
        high.append(whole - small if auto_pad == "SAME_UPPER" else small)
    return low, high


def read_pads(pads: Sequence[int] | None, rank: int, least: int = -_LARGEST) -> list[int]:
    """Returns the pads before all axes of an image, and those behind; 0 where they are left out."""
    pads = [0] * (2 * rank) if pads is None else list(pads)
    if len(pads) != 2 * rank:
        raise ValueError(f"{len(pads)} pads are given for {rank} axes")
    require_sizes("pads are", pads, least)
    return pads


def pad_window(c: Context, x: Tensor, low: Sequence[Number], high: Sequence[Number], fill: float) -> Tensor:
    """Pads an image."""
    both = [n for lo, hi in zip(reversed(low), reversed(high)) for n in (lo, hi)]
    return pad(c, x, both, fill)


def each(numbers: Sequence[int] | None, rank: int) -> list[int]:
    """Returns strides or dilations, one for each axis; 1 where they are left out."""
    numbers = [1] * rank if numbers is None else list(numbers)
    if len(numbers) != rank:
        raise ValueError(f"{len(numbers)} numbers are given for {rank} axes")
    require_sizes("strides or dilations are", numbers, 1)
    return numbers


def require_sizes(what: str, numbers: Sequence[Number], least: int) -> None:
    """Requires that sizes which are known are such that extents of images stay within 64 bits."""
    if any(isinstance(n, int) and not least <= n <= _LARGEST for n in numbers):
        raise ValueError(f"its {what} {list(numbers)}, but each must be from {least} to {_LARGEST}")


def _weight(c: Context, weight: Operand) -> Operand:
    return weight if isinstance(weight, Held) else c.tensor(weight)


@operator("Conv")
def _conv(
    c: Context,
    x: Operand,
    weight: Operand,
    bias: Operand | None = None,
    *,
    auto_pad: str = "NOTSET",
    dilations: Sequence[int] | None = None,
    group: int = 1,
    kernel_shape: Sequence[int] | None = None,
    pads: Sequence[int] | None = None,
    strides: Sequence[int] | None = None,
) -> Tensor:
    x = c.tensor(x)
    element, rank = x.element, x.rank - 2
    weight = _weight(c, weight)
    frame = known_shape(weight)[2:]
    if kernel_shape is not None and list(kernel_shape) != list(frame):
        raise ValueError(f"kernel_shape is {list(kernel_shape)}, but the weight has the window {list(frame)}")
    if rank not in (1, 2, 3):
        raise Unsupported(f"a convolution over {rank} axes")
    strides, dilations = each(strides, rank), each(dilations, rank)
    low, high = window_pads(x, frame, strides, dilations, pads, auto_pad)
    if not is_convolved(element):
        raise Unsupported(f"a convolution of {element}")
    return convolve_window(c, x, weight, bias, strides, dilations, low, high, group)


def convolve_window(
    c: Context,
    x: Tensor,
    weight: Operand,
    bias: Operand | None,
    strides: Sequence[int],
    dilations: Sequence[int],
    low: Sequence[Number],
    high: Sequence[Number],
    group: int,
) -> Tensor:
    """Computes a convolution of floats, whose padding may depend on the image."""
    pads = [(lo, hi) for lo, hi in zip(low, high) if isinstance(lo, int) and isinstance(hi, int) and min(lo, hi) >= 0]
    if len(pads) == len(low):
        return convolve(c, x, weight, bias, strides, pads, dilations, group)
    x = pad_window(c, x, low, high, 0.0)
    return convolve(c, x, weight, bias, strides, [0] * len(strides), dilations, group)


@operator("ConvTranspose")
def _conv_transpose(
    c: Context,
    x: Operand,
    weight: Operand,
    bias: Operand | None = None,
    *,
    auto_pad: str = "NOTSET",
    dilations: Sequence[int] | None = None,
    group: int = 1,
    kernel_shape: Sequence[int] | None = None,
    output_padding: Sequence[int] | None = None,
    output_shape: Sequence[int] | None = None,
    pads: Sequence[int] | None = None,
    strides: Sequence[int] | None = None,
) -> Tensor:
    x = c.tensor(x)
    rank = x.rank - 2
    weight = _weight(c, weight)
    frame = known_shape(weight)[2:]
    if not is_convolved(x.element) or rank not in (1, 2, 3):
        raise Unsupported(f"a transposed convolution of {x.element} over {rank} axes")
    for axis in range(2, x.rank):
        program.require(c.builder, "sge", x.extent(axis), 1, f"the image has {{0}} elements along axis {axis}")
    strides, dilations = each(strides, rank), each(dilations, rank)
    more = [0] * rank if output_padding is None else list(output_padding)
    if len(more) != rank:
        raise ValueError(f"an output_padding of {len(more)} numbers is given for {rank} axes")
    require_sizes("output_padding is", more, 0)
    whole = [(x.extent(i + 2) - 1) * strides[i] + more[i] + (frame[i] - 1) * dilations[i] + 1 for i in range(rank)]
    # A requested shape may be beyond what the kernels reach.
    is_wider = bool(output_shape) or auto_pad.startswith("SAME")
    low, wanted = _crop(x, whole, strides, pads, auto_pad, output_shape)
    extras = [program.largest(low[i] + wanted[i] - whole[i], 0) if is_wider else 0 for i in range(rank)]
    # Elements that no kernel reaches have the bias, too.
    is_late = any(not program.is_same(extra, 0) for extra in extras)
    made = transposed(c, x, weight, None if is_late else bias, strides, [0] * rank, dilations, more, group)
    for axis, extra in enumerate(extras):
        if not program.is_same(extra, 0):
            ends: list[Number] = [0] * (2 * rank)
            ends[2 * (rank - 1 - axis) + 1] = extra
            made = pad(c, made, ends, 0.0)
        made = part(made, axis + 2, low[axis], wanted[axis])
    if is_late and bias is not None:
        require_numbers(c, bias, known_shape(weight)[1] * group, "bias")
        bias = c.tensor(bias)
        made = spread(c, program.add, made, view(c, bias, [bias.extent(0), *[1] * rank]))
    return made


def _crop(
    x: Tensor,
    whole: Sequence[Number],
    strides: Sequence[int],
    pads: Sequence[int] | None,
    auto_pad: str,
    output_shape: Sequence[int] | None,
) -> tuple[Sequence[Number], Sequence[Number]]:
    """Computes where the result begins in the whole of it, and how long it is."""
    rank = len(whole)
    if output_shape is None and auto_pad in ("NOTSET", "VALID", ""):
        pads = read_pads(pads, rank, 0)
        left = [whole[i] - pads[i] - pads[rank + i] for i in range(rank)]
        for axis, number in enumerate(left):
            message = f"axis {axis + 2} of the result has {{0}} elements, of which the pads cut more than there are"
            program.require(x.value.builder, "sge", number, 0, message)
        return pads[:rank], left
    told: list[Number] = [*(output_shape or [])]
    if len(told) not in (0, rank, rank + 2):
        raise ValueError(f"an output_shape of {len(told)} numbers is given for {rank} axes")
    require_sizes("output_shape is", told, 0)
    wanted = told[-rank:] or [x.extent(i + 2) * strides[i] for i in range(rank)]
    low = []
    for axis in range(rank):
        rest = program.largest(whole[axis] - wanted[axis], 0)
        small = rest // 2
        # The larger half is cut from the start, but for SAME_UPPER.
        low.append(small if auto_pad == "SAME_UPPER" else rest - small)
    return low, wanted
