"""Sums of products as contractions (docs/loom-dialect.md), and pools.

A contraction takes any number of axes before the channels, and a window of any
stride; TOSA's convolution refuses what a stride leaves over.
"""

from __future__ import annotations

from collections.abc import Sequence

from .. import _program as program
from .._program import Builder, Value, extent, words
from ._tensor import Number


def is_summed(element: str) -> bool:
    """Tells whether contractions take the element type."""
    return element in ("f32", "f16", "bf16")


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
) -> Value:
    """Contracts an image, channels innermost, with a weight `[window..., channels, sums]`, and adds a bias. f16 and
    bf16 are summed in f32, integers in 32 bits or more. Each extent that must fit is a number in both types, or is
    checked by a call."""
    builder = image.builder
    for operand in (weight, bias):
        if operand is not None and operand.element != image.element:
            raise TypeError(f"contract: operands have element types {image.element} and {operand.element}; cast one")
    channels = extent(image, -1)
    rank = len(strides)
    batched = weight.rank == rank + 3
    if not depthwise:
        _require_equal(builder, channels, extent(weight, -2), "channels")
    elif weight.rank != rank + 1:
        raise ValueError(f"a weight of rank {weight.rank} for a window of {rank} axes")
    else:
        _require_equal(builder, channels, extent(weight, -1), "channels")
    if batched:
        _require_equal(builder, extent(image, 0), extent(weight, 0), "products")
    shape = list(image.extents)
    shape[-1] = weight.extents[-1]
    for axis in range(rank):
        numbers = _result_extent(
            extent(image, axis + 1),
            extent(weight, axis),
            strides[axis],
            dilations[axis],
            pads[2 * axis],
            pads[2 * axis + 1],
        )
        shape[axis + 1] = numbers if isinstance(numbers, int) else None
        _require_positive(builder, numbers)
    with builder.naming("contract"):
        element = image.element
        inputs = [image, weight] + ([bias] if bias is not None else [])
        result = Value(builder, builder.new_name(), element, shape)
        lists = " ".join(
            f"{name} = array<i64{': ' if numbers else ''}{', '.join(map(str, numbers))}>,"
            for name, numbers in (("strides", strides), ("dilations", dilations), ("pads", pads))
        ).rstrip(",")
        kind = ", kind = #loom.contraction_kind<depthwise>" if depthwise else ""
        total, sums = builder.new_name(), _SUMS[element]
        is_float = program.is_float(element)
        arguments = [words("{}: {}", total, sums)]
        body, made = [], total
        if bias is not None:
            given = builder.new_name()
            arguments.append(words("{}: {}", given, bias.element))
            if bias.element != sums:
                widened = builder.new_name()
                body.append(
                    words(
                        "{} = arith.{} {} : {} to {}",
                        widened,
                        "extf" if is_float else "extsi",
                        given,
                        bias.element,
                        sums,
                    )
                )
                given = widened
            made = builder.new_name()
            body.append(words("{} = arith.{} {}, {} : {}", made, "addf" if is_float else "addi", total, given, sums))
        if element != sums:
            rounded = builder.new_name()
            body.append(
                words("{} = arith.{} {} : {} to {}", rounded, "truncf" if is_float else "trunci", made, sums, element)
            )
            made = rounded
        body = [words("^bb0({}):", arguments), *body, words("loom.yield {} : {}", made, element)]
        builder.add(
            "loom.contract({}) window {{}{}{}} : ({}) -> {} {\n    {}\n  }",
            [v.name for v in inputs],
            lists,
            kind,
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


_POOLS = {
    "max": ("tosa.max_pool2d", "pooling_nhwc_max"),
    "sum": ("tosa.avg_pool2d", "pooling_nhwc_sum"),
}


def pool(kind: str, image: Value, window: Sequence[int], strides: Sequence[int], dilations: Sequence[int]) -> Value:
    """Reduces each window of an image in two dimensions, channels innermost, to its 'max' or 'sum'. There is no
    padding, and what a stride leaves over is not read."""
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
            _POOLS[kind][1],
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
