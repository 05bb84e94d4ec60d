"""Random numbers. Each is computed of a seed and of its place, so that a program gives the same ones in every call."""

from __future__ import annotations

import math
import struct
import zlib
from collections.abc import Sequence
from typing import Any

from .. import _program as program
from .._program import Value
from .._program._scalars import Body, apply
from .._tensors._tensor import Number, Tensor, from_value
from ._arrays import ELEMENTS
from ._context import Context, Operand, Unsupported, operator
from ._layout import extents_of

#: Constants of the generator SplitMix64: what is added at each step, and the factors that mix bits.
_STEP, _FIRST, _SECOND = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB


def _signed(number: int) -> int:
    """Returns the integer with a sign that has the same 64 bits."""
    number &= 2**64 - 1
    return number - 2**64 if number >= 2**63 else number


def _mix(number: int) -> int:
    number = ((number ^ (number >> 30)) * _FIRST) & (2**64 - 1)
    number = ((number ^ (number >> 27)) * _SECOND) & (2**64 - 1)
    return number ^ (number >> 31)


def _start(c: Context, seed: float | None, stream: int) -> int:
    """Returns what the first number of a node is made of: of its seed, or of its name where it has none."""
    node = c.node
    assert node is not None
    own = struct.pack("<d", seed) if seed is not None else repr(list(node.outputs)).encode()
    return _mix((zlib.crc32(own) << 32 | zlib.adler32(own)) + stream * _STEP & (2**64 - 1))


def uniform(c: Context, shape: Sequence[Number], element: str, seed: float | None, stream: int = 0) -> Value:
    """Returns numbers from 0 to less than 1, in f32 or f64."""
    p = program
    wide = "f64" if element == "f64" else "f32"
    kept = 53 if wide == "f64" else 24
    start = _start(c, seed, stream)

    def code(b: Body, at: str) -> str:
        def number(n: int) -> str:
            return b.number(_signed(n), "i64")

        def do(operation: str, x: str, y: str) -> str:
            return b.do(f"arith.{operation}", x, y, type="i64")

        x = do("addi", do("muli", at, number(_STEP)), number(start))
        for shift, factor in ((30, _FIRST), (27, _SECOND)):
            x = do("muli", do("xori", x, do("shrui", x, number(shift))), number(factor))
        x = do("shrui", do("xori", x, do("shrui", x, number(31))), number(64 - kept))
        return b.make("arith.sitofp {} : i64 to {}", x, wide)

    line = p.iota(c.builder, p.product(shape), "i64")
    return p.reshape(p.multiply(apply("random", [line], code, wide), 2.0**-kept), shape)


def _normal(c: Context, shape: Sequence[Number], element: str, seed: float | None) -> Value:
    p = program
    # The logarithm of 1 to more than 0.
    first, second = (uniform(c, shape, element, seed, stream) for stream in (1, 2))
    length = p.sqrt(p.multiply(p.log(p.subtract(1.0, first)), -2.0))
    return p.multiply(length, p.cos(p.multiply(second, 2 * math.pi)))


def _element(dtype: int | None, default: str) -> str:
    if dtype is None:
        return default
    if dtype not in ELEMENTS:
        raise Unsupported(f"its dtype {dtype} is none of programs")
    return ELEMENTS[dtype]


def _random(
    c: Context, shape: Sequence[Number], element: str, low: float, high: float, seed: float | None, is_normal: bool
) -> Tensor:
    """Returns numbers from `low` to `high`, or with the mean `low` and the deviation `high`."""
    p = program
    if not p.is_float(element):
        raise ValueError(f"random numbers of {element}, which are no floats")
    made = _normal(c, shape, element, seed) if is_normal else uniform(c, shape, element, seed)
    return from_value(p.cast(p.add(p.multiply(made, high if is_normal else high - low), low), element))


@operator("RandomUniform")
def _random_uniform(
    c: Context,
    *,
    shape: Sequence[int],
    dtype: int = 1,
    low: float = 0.0,
    high: float = 1.0,
    seed: float | None = None,
) -> Tensor:
    return _random(c, list(shape), _element(dtype, "f32"), low, high, seed, False)


@operator("RandomUniformLike")
def _random_uniform_like(
    c: Context,
    x: Operand,
    *,
    dtype: int | None = None,
    low: float = 0.0,
    high: float = 1.0,
    seed: float | None = None,
) -> Tensor:
    return _random(c, extents_of(x), _element(dtype, x.element), low, high, seed, False)


@operator("RandomNormal")
def _random_normal(
    c: Context,
    *,
    shape: Sequence[int],
    dtype: int = 1,
    mean: float = 0.0,
    scale: float = 1.0,
    seed: float | None = None,
) -> Tensor:
    return _random(c, list(shape), _element(dtype, "f32"), mean, scale, seed, True)


@operator("RandomNormalLike")
def _random_normal_like(
    c: Context,
    x: Operand,
    *,
    dtype: int | None = None,
    mean: float = 0.0,
    scale: float = 1.0,
    seed: float | None = None,
) -> Tensor:
    return _random(c, extents_of(x), _element(dtype, x.element), mean, scale, seed, True)


@operator("Bernoulli", since=15)
def _bernoulli(c: Context, x: Operand, *, dtype: int | None = None, seed: float | None = None) -> Tensor:
    p = program
    element = _element(dtype, x.element)
    drawn = uniform(c, extents_of(x), x.element, seed)
    return from_value(p.cast(p.less(drawn, p.cast(c.value(x), drawn.element)), element))


@operator("Multinomial", since=7)
def _multinomial(c: Context, x: Operand, *, dtype: int = 6, sample_size: int = 1, seed: float | None = None) -> Tensor:
    p = program
    if x.rank != 2:
        raise ValueError(f"its input has {x.rank} axes, not 2")
    value = p.cast(c.value(x), "f64" if x.element == "f64" else "f32")
    batch, classes = extents_of(x)
    p.require(c.builder, "sge", classes, 1, "there are {0} classes to draw")
    shares = p.exp(p.subtract(value, p.reduce("max", value, [1], keepdims=True)))
    ends = p.scan("sum", shares, 1)
    whole = p.take_slice(ends, 1, classes - 1, 1)
    drawn = p.multiply(uniform(c, [batch, sample_size], value.element, seed), whole)
    # As many classes end before the number that is drawn.
    before = p.sum(p.cast(p.less_equal(p.expand(ends, [1]), p.expand(drawn, [2])), "i64"), [2])
    return from_value(p.cast(p.minimum(before, classes - 1), _element(dtype, "i32")))


def drop_out(c: Context, x: Any, ratio: Any, seed: int | None) -> tuple[Tensor, ...]:
    """Replaces a share of elements by 0, and makes the others larger by as much."""
    p = program
    value = c.value(x)
    wide = "f64" if value.element == "f64" else "f32"
    share: Any = 0.5 if ratio is None else p.cast(c.value(ratio), wide)
    drawn = uniform(c, p.extents(value), wide, None if seed is None else float(seed))
    kept = p.greater_equal(drawn, share)
    rest = 0.5 if ratio is None else p.subtract(1.0, share)
    made = p.cast(p.select(kept, p.divide(p.cast(value, wide), rest), 0.0), value.element)
    return (from_value(made), from_value(kept))[: max(c.outputs, 1)]
