"""Discrete Fourier transforms of any length, as products with matrices of sines and cosines. Complex numbers are pairs
of values."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from .. import _program as program
from .._program import Builder, Value
from ._tensor import Number

#: Real and imaginary parts.
Pair = tuple[Value, Value]
#: A transform of more elements is made of two shorter ones, where it has a divisor.
_LONGEST = 32
#: Matrices of more elements are computed by each call.
_LARGEST = 1 << 20


def transform(real: Value, imaginary: Value | None, is_inverse: bool) -> Pair:
    """Computes the transform along the last axis. The inverse is divided by the number of elements."""
    p = program
    count = p.extent(real, -1)
    made = _transform(real, imaginary, count, 1.0 if is_inverse else -1.0)
    if not is_inverse:
        return made
    divisor = p.scalar(real.builder, p.largest(count, 1), real.element)
    return p.divide(made[0], divisor), p.divide(made[1], divisor)


def _transform(real: Value, imaginary: Value | None, count: Number, sign: float) -> Pair:
    first = _find_divisor(count) if isinstance(count, int) and count > _LONGEST else 1
    if first == 1:
        return _multiply(real, imaginary, *_rotations(real.builder, count, count, count, sign, real.element))
    assert isinstance(count, int)
    p, second = program, count // first
    around = p.extents(real)[:-1]
    # Element a * second + b of the input and c + d * first of the result: the transforms go over a, then over b.
    turn = [*range(len(around)), len(around) + 1, len(around)]
    shape = [*around, first, second]
    parts = [None if x is None else p.transpose(p.reshape(x, shape), turn) for x in (real, imaginary)]
    assert parts[0] is not None
    pair = _transform(parts[0], parts[1], first, sign)
    cosines, sines = _rotations(real.builder, second, first, count, sign, real.element)
    turned = [p.transpose(x, turn) for x in multiply_pairs(pair, (cosines, sines))]
    made = _transform(turned[0], turned[1], second, sign)
    joined = [p.reshape(p.transpose(x, turn), [*around, count]) for x in made]
    return joined[0], joined[1]


def _find_divisor(count: int) -> int:
    return max(n for n in range(1, int(count**0.5) + 1) if count % n == 0)


def _rotations(b: Builder, rows: Number, columns: Number, count: Number, sign: float, element: str) -> Pair:
    """Returns the cosines and the sines of `sign` times a turn's part row * column / count."""
    p = program
    if isinstance(rows, int) and isinstance(columns, int) and isinstance(count, int) and rows * columns <= _LARGEST:
        # Whole turns are left out before numbers are rounded.
        angles: NDArray[np.float64] = (
            np.outer(np.arange(rows), np.arange(columns)) % max(count, 1) * (sign * 2 * np.pi / max(count, 1))
        )
        dtype = p.to_numpy(element)
        return b.constant(np.cos(angles).astype(dtype), element), b.constant(np.sin(angles).astype(dtype), element)
    lines = p.iota(b, rows, "i64", axis=0, rank=2), p.iota(b, columns, "i64", axis=1, rank=2)
    whole = p.remainder(p.multiply(*lines), p.largest(count, 1))
    angle = p.divide(p.multiply(p.cast(whole, "f64"), sign * 2 * np.pi), p.scalar(b, p.largest(count, 1), "f64"))
    return p.cast(p.cos(angle), element), p.cast(p.sin(angle), element)


def _multiply(real: Value, imaginary: Value | None, cosines: Value, sines: Value) -> Pair:
    """Multiplies rows by a matrix of rotations."""
    if imaginary is None:
        return program.matmul(real, cosines), program.matmul(real, sines)
    return multiply_pairs((real, imaginary), (cosines, sines), program.matmul)


def multiply_pairs(x: Pair, y: Pair, product: Callable[[Value, Value], Value] = program.multiply) -> Pair:
    """Multiplies complex numbers, with `product` of two of their parts."""
    p = program
    products = [product(one, other) for one in x for other in y]
    return p.subtract(products[0], products[3]), p.add(products[1], products[2])


def resize(x: Value, axis: int, count: Number) -> Value:
    """Cuts an axis to `count` elements, or fills it up with zeros."""
    p = program
    have = p.extent(x, axis)
    if p.is_same(have, count):
        return x
    x = p.take_slice(x, axis, 0, p.smallest(have, count))
    more = p.largest(count - have, 0)
    none: list[Number] = [0] * x.rank
    return x if p.is_same(more, 0) else p.pad(x, none, [more if at == axis else 0 for at in range(x.rank)], 0.0)


def extend(real: Value, imaginary: Value, count: Number) -> Pair:
    """Returns all `count` frequencies of what is real, along the last axis, of those up to the middle."""
    p, axis = program, real.rank - 1
    real, imaginary = (resize(x, axis, count // 2 + 1) for x in (real, imaginary))
    line = p.iota(real.builder, count, "i64")
    other = p.subtract(count, line)
    source = p.minimum(line, other)
    found = [p.take(x, source, axis, from_end=False) for x in (real, imaginary)]
    return found[0], p.select(p.less_equal(line, other), found[1], p.negative(found[1]))
