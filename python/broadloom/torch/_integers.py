"""Products and convolutions of quantized tensors as sums of integers of 8 bits.

pt2e has tensors quantized and converted back in front of an operation of f32. Where the operands of a linear layer or
of a convolution are such tensors, their integers are multiplied, and the sums, which are exact, are converted.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import Any

from .. import _program as program
from .._program import Value
from .._tensors._convolutions import convolve, known_shape
from .._tensors._sums import cast
from .._tensors._tensor import Tensor, from_value, permute, to_value
from .._tensors._views import view
from .._tensors._windows import contract
from ._context import Context, elementwise
from ._graph import Reference, Type
from ._stored import Operand, Stored

_SPACE = "quantized_decomposed.dequantize_per_"
#: The most products whose sum is within 32 bits.
_MOST = (2**31 - 1) // (255 * 255)


@dataclasses.dataclass
class _Quantized:
    """A tensor of f32 that is made of integers: (integer - zero) * scale."""

    integers: Operand
    scale: Any
    zero: Any
    #: The axis whose indices have a scale each; None for one scale.
    axis: int | None


def _find(c: Context, operand: Any) -> _Quantized | None:
    """Returns what an operand of the node at hand is made of; None for what is not of 8 bits and f32."""
    node = c.nodes.get(operand.name) if isinstance(operand, Reference) else None
    if node is None or not node.target.startswith(_SPACE) or not isinstance(node.type, Type):
        return None
    source, scale, zero, *rest = node.args
    axis = rest[0] if "channel" in node.target else None
    integers = c.resolve(source, True)
    if (
        not isinstance(integers, (Tensor, Stored))
        or integers.element not in ("i8", "ui8")
        or node.type.element != "f32"
    ):
        return None
    is_zero = isinstance(zero, Reference) and _is_zero(c, zero)
    return _Quantized(integers, c.resolve(scale, False), 0 if is_zero else c.resolve(zero, False), axis)


def _is_zero(c: Context, zero: Reference) -> bool:
    """Tells whether zero points are constants of 0."""
    node = c.nodes.get(zero.name)
    if node is None or node.target != "constant":
        return False
    numbers = [node.args[0]]
    while any(isinstance(number, list) for number in numbers):
        numbers = [inner for number in numbers for inner in (number if isinstance(number, list) else [number])]
    return not any(numbers)


def _find_both(c: Context) -> tuple[_Quantized, _Quantized] | None:
    """Returns what an image and a weight are made of, where their integers can be multiplied: the image has one scale,
    and the zero points of the weight are 0."""
    image, weight = (_find(c, operand) for operand in c.node.args[:2])
    if image is None or weight is None or image.axis is not None or weight.axis not in (None, 0) or weight.zero != 0:
        return None
    if weight.integers.element != "i8" or not isinstance(weight.integers, Stored):
        return None
    if math.prod(weight.integers.shape[1:]) > _MOST:
        return None
    return image, weight


def _signed(c: Context, image: _Quantized) -> tuple[Tensor, Any]:
    """Returns integers of i8 and their zero point."""
    integers = c.tensor(image.integers)
    if integers.element == "i8":
        return integers, image.zero
    p = program
    made = Tensor(p.cast(p.subtract(p.cast(integers.value, "i16"), 128), "i8"), integers.order)
    if isinstance(image.zero, Tensor):
        return made, from_value(p.subtract(p.cast(to_value(image.zero), "i32"), 128))
    return made, image.zero - 128


def _scalar(c: Context, number: Any) -> Value:
    """Returns a scale as a value of f32: of one number, or of a list of them."""
    if isinstance(number, Tensor):
        return program.cast(to_value(number), "f32")
    return program.cast(c.scalar(c.number(number), "f64"), "f32")


def _convert(c: Context, total: Tensor, scales: Sequence[Any], bias: Operand | None, channel: int) -> Tensor:
    """Multiplies sums by scales and adds a bias; `channel` is the axis of the weight's own scales."""
    p = program
    one, own = (_scalar(c, scale) for scale in scales)
    shape = [total.extent(channel), *[1] * (total.rank - 1 - channel)]
    one = p.reshape(one, [])
    factor = from_value(p.multiply(one, own))
    if own.rank:
        factor = view(c, factor, shape)
    made = elementwise(c, p.multiply, cast(total, "f32"), factor)
    return made if bias is None else elementwise(c, p.add, made, view(c, c.tensor(bias), shape))


def _is_known(zero: Any) -> bool:
    return isinstance(zero, int) and not isinstance(zero, bool)


def convolve_integers(
    c: Context,
    bias: Operand | None,
    strides: Sequence[int],
    padding: Sequence[Any],
    dilations: Sequence[int],
    groups: int,
) -> Tensor | None:
    """Computes the convolution at hand of integers; None where its operands are none, or where the image has a zero
    point that a call tells."""
    found = _find_both(c)
    if found is None or not _is_known(found[0].zero):
        return None
    image, weight = found
    x, zero = _signed(c, image)
    if x.rank != len(known_shape(weight.integers)):
        return None
    total = convolve(c, x, weight.integers, None, strides, padding, dilations, groups, (zero, 0))
    return _convert(c, total, (image.scale, weight.scale), bias, 1)


def multiply_integers(c: Context, bias: Operand | None) -> Tensor | None:
    """Computes the linear layer at hand of integers; None where its operands are none."""
    found = _find_both(c)
    if found is None or found[1].integers.rank != 2:
        return None
    image, weight = found
    assert isinstance(weight.integers, Stored)
    x, zero = _signed(c, image)
    if x.rank < 2:
        return None
    matrix = to_value(c.tensor(permute(weight.integers, [1, 0])))
    is_known = _is_known(zero)
    total = contract(to_value(x), matrix, zeros=(zero if is_known else 0, 0))
    if not is_known:
        # The sum of (x - zero) * w is that of x * w without zero times the sum of w.
        point = program.reshape(program.cast(to_value(zero), "i32"), [])
        columns = to_value(c.tensor(weight.integers.sum(1)))
        total = program.subtract(total, program.multiply(point, columns))
    return _convert(c, from_value(total), (image.scale, weight.scale), bias, x.rank - 1)
