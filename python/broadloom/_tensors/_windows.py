"""Sums of products as contractions (docs/loom-dialect.md), and pools.

A contraction takes any number of axes before the channels, and a window of any
stride; TOSA's convolution refuses what a stride leaves over.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .. import _program as program
from .._program import Builder, Value, extent, words
from ._tensor import Number


def is_summed(element: str) -> bool:
    """Tells whether contractions take the element type."""
    return element in ("f64", "f32", "f16", "bf16")


#: In which type the products of elements are summed: all of a result, and its lowest bits of an integer.
_SUMS = {
    "f16": "f32", "bf16": "f32", "f32": "f32", "f64": "f64", "i8": "i32", "i16": "i32", "i32": "i32", "i64": "i64",
}  # fmt: skip


def is_convolved(element: str) -> bool:
    """Tells whether convolutions take the element type."""
    return element in _SUMS


def _result_extent(image: Number, window: Number, stride: int, dilation: int, low: int, high: int) -> Number:
    reach = (window - 1) * dilation + 1
    return (image + (low + high) - reach) // stride + 1


def contract(
    image: Value,
    weight: Value,
    bias: Value | None = None,
    strides: Sequence[int] = (),
    dilations: Sequence[int] = (),
    pads: Sequence[int] = (),
    depthwise: bool = False,
    zeros: Sequence[int] = (),
    groups: int = 1,
) -> Value:
    """Contracts an image, channels innermost, with a weight `[window..., channels, sums]`, and adds a bias. f16 and
    bf16 are summed in f32, integers in 32 bits or more. Each extent that must fit is a number in both types, or is
    checked by a call. The channels of image and sums are `groups` equal parts. With `zeros`, the zero points of image
    and weight, which have 8 bits, the result is the sums as they are, of i32, and padding is of zero points."""
    builder = image.builder
    for operand in (weight, bias):
        if operand is not None and operand.element != image.element:
            raise TypeError(f"contract: operands have element types {image.element} and {operand.element}; cast one")
    channels = extent(image, -1)
    rank = len(strides)
    batched = weight.rank == rank + 3
    if not depthwise:
        _require_equal(builder, channels, extent(weight, -2) * groups, "channels")
    elif weight.rank != rank + 1:
        raise ValueError(f"a weight of rank {weight.rank} for a window of {rank} axes")
    else:
        _require_equal(builder, channels, extent(weight, -1), "channels")
    if batched:
        _require_equal(builder, extent(image, 0), extent(weight, 0), "products")
    frame = [extent(weight, axis) for axis in range(rank)]
    shape = [*_count_windows(image, frame, strides, dilations, pads), weight.extents[-1]]
    with builder.naming("contract"):
        window = _spell_window(strides, dilations, pads, "depthwise" if depthwise else "")
        if groups != 1:
            window += f", groups = {groups}"
        if zeros:
            window += f", zeroPoints = array<i64: {', '.join(map(str, zeros))}>"
        inputs = [image, weight] + ([bias] if bias is not None else [])
        return _add_contraction(inputs, shape, window, _SUMS[image.element] if zeros else image.element)


def _count_windows(
    image: Value, frame: Sequence[Number], strides: Sequence[int], dilations: Sequence[int], pads: Sequence[int]
) -> list[Any]:
    """Returns the extents of the windows of an image, as types have them, without the channels."""
    shape = list(image.extents[:-1])
    for axis, size in enumerate(frame):
        low, high = pads[2 * axis], pads[2 * axis + 1]
        numbers = _result_extent(extent(image, axis + 1), size, strides[axis], dilations[axis], low, high)
        shape[axis + 1] = numbers if isinstance(numbers, int) else None
        _require_positive(image.builder, numbers)
    return shape


def _spell_window(strides: Sequence[int], dilations: Sequence[int], pads: Sequence[int], kind: str) -> str:
    lists = ", ".join(
        f"{name} = array<i64{': ' if numbers else ''}{', '.join(map(str, numbers))}>"
        for name, numbers in (("strides", strides), ("dilations", dilations), ("pads", pads))
    )
    return lists + (f", kind = #loom.contraction_kind<{kind}>" if kind else "")


def _add_contraction(inputs: Sequence[Value], shape: Sequence[Any], window: str, element: str) -> Value:
    """Adds a contraction, which adds a third input to each sum, with a result of `element`."""
    image, bias = inputs[0], inputs[2] if len(inputs) > 2 else None
    builder = image.builder
    result = Value(builder, builder.new_name(), element, shape)
    total, sums, is_float = builder.new_name(), _SUMS[image.element], program.is_float(element)
    arguments = [words("{}: {}", total, sums)]
    body, made = [], total
    if bias is not None:
        given = builder.new_name()
        arguments.append(words("{}: {}", given, bias.element))
        if bias.element != sums:
            widened, widen = builder.new_name(), "extf" if is_float else "extsi"
            body.append(words("{} = arith.{} {} : {} to {}", widened, widen, given, bias.element, sums))
            given = widened
        made = builder.new_name()
        body.append(words("{} = arith.{} {}, {} : {}", made, "addf" if is_float else "addi", total, given, sums))
    if element != sums:
        rounded, narrow = builder.new_name(), "truncf" if is_float else "trunci"
        body.append(words("{} = arith.{} {} : {} to {}", rounded, narrow, made, sums, element))
        made = rounded
    body = [words("^bb0({}):", arguments), *body, words("loom.yield {} : {}", made, element)]
    builder.add(
        "loom.contract({}) window {{}{}} : ({}) -> {} {\n    {}\n  }",
        [v.name for v in inputs],
        window,
        builder.origin(head=", ", end=""),
        [v.type for v in inputs],
        result.type,
        words("\n    ".join(["{}"] * len(body)), *body),
        result=result.name,
    )
    return result


def _require_equal(builder: Builder, x: Number, y: Number, what: str) -> None:
    program.require(builder, "eq", x, y, f"operands have {{0}} and {{1}} {what}")


def _require_positive(builder: Builder, count: Number) -> None:
    program.require(builder, "sge", count, 1, "the window is larger than the padded image")


#: With fewer channels, loops whose columns are vectors are faster.
_LEAST_CHANNELS = 5
#: The operations of linalg, and the kinds of contractions.
_POOLS = {"max": ("pooling_nhwc_max", "max_pool"), "sum": ("pooling_nhwc_sum", "sum_pool")}


def pool(
    kind: str,
    image: Value,
    window: Sequence[int],
    strides: Sequence[int],
    dilations: Sequence[int],
    low: Sequence[Number],
    high: Sequence[Number],
) -> Value:
    """Reduces each window of an image in two dimensions, channels innermost, to its 'max' or 'sum'. The image is padded
    by `low` and `high`, which no maximum and no sum sees, and what a stride leaves over is not read."""
    channels = extent(image, -1)
    pads = [n for ends in zip(low, high) for n in ends]
    is_contraction = is_summed(image.element) and isinstance(channels, int) and channels >= _LEAST_CHANNELS
    if any(not isinstance(n, int) or (n != 0 and not is_contraction) for n in pads):
        start = {"max": _least(image.element), "sum": 0.0}[kind]
        image = program.pad(image, [0, *low, 0], [0, *high, 0], start)
        pads = [0] * 4
    numbers = [n for n in pads if isinstance(n, int)]
    if not is_contraction:
        return _pool_by_loops(kind, image, window, strides, dilations)
    builder = image.builder
    shape = [*_count_windows(image, window, strides, dilations, numbers), channels]
    with builder.naming("pool"):
        frame = Value(builder, builder.new_name(), "i8", list(window))
        builder.add("tensor.empty() : {}", frame.type, result=frame.name)
        return _add_contraction(
            [image, frame], shape, _spell_window(strides, dilations, numbers, _POOLS[kind][1]), image.element
        )


def _pool_by_loops(
    kind: str, image: Value, window: Sequence[int], strides: Sequence[int], dilations: Sequence[int]
) -> Value:
    builder = image.builder
    element = image.element
    shape = list(image.extents)
    sizes = program.extents(image)
    for axis in range(2):
        number = _result_extent(sizes[axis + 1], window[axis], strides[axis], dilations[axis], 0, 0)
        sizes[axis + 1] = number
        shape[axis + 1] = number if isinstance(number, int) else None
        _require_positive(builder, number)
    with builder.naming("pool"):
        start = {"max": _least(element), "sum": 0.0}[kind]
        kernel, empty, zero, filled = (builder.new_name() for _ in range(4))
        result = Value(builder, builder.new_name(), element, shape)
        dims = [program.index(builder, n) for n in sizes if not isinstance(n, int)]
        frame = f"tensor<{window[0]}x{window[1]}x{element}>"
        builder.add("tensor.empty() : {}", frame, result=kernel)
        builder.add("tensor.empty({}) : {}", dims, result.type, result=empty)
        builder.add("arith.constant {} : {}", program.spell(start, element), element, result=zero)
        builder.add(
            "linalg.fill ins({} : {}) outs({} : {}) -> {}",
            zero,
            element,
            empty,
            result.type,
            result.type,
            result=filled,
        )
        builder.add(
            "linalg.{} {strides = {}, dilations = {}} ins({}, {} : {}, {}) outs({} : {}) -> {}",
            _POOLS[kind][0],
            _spell_vector(strides),
            _spell_vector(dilations),
            image.name,
            kernel,
            image.type,
            frame,
            filled,
            result.type,
            result.type,
            result=result.name,
        )
    return result


def _spell_vector(numbers: Sequence[int]) -> str:
    return f"dense<[{', '.join(map(str, numbers))}]> : vector<2xi64>"


def _least(element: str) -> float | int:
    if program.is_float(element):
        return float("-inf")
    return -(1 << (program.width(element) - 1))
