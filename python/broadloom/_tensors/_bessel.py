"""Functions of Bessel, of f64 and rounded (_special.py)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from .. import _program as program
from .._program import Value
from ._special import in_wide, table


def _scaled_bessel_i(order: int, x: Value) -> Value:
    """exp(-|x|) I(x)."""
    p = program
    size = p.absolute(x)
    near = table(f"small_i{order}", p.subtract(p.multiply(p.minimum(size, 8.0), 0.25), 1.0))
    large = p.maximum(size, 8.0)
    far = p.divide(table(f"large_i{order}", p.subtract(p.divide(16.0, large), 1.0)), p.sqrt(large))
    near = p.multiply(near, size) if order else near
    found = p.select(p.less(size, 8.0), near, far)
    found = p.select(p.equal(size, math.inf), 0.0, found)
    return p.copysign(found, x) if order else found


def _bessel_i(order: int, x: Value) -> Value:
    p = program
    half = p.exp(p.multiply(p.absolute(x), 0.5))
    found = p.multiply(p.multiply(half, _scaled_bessel_i(order, x)), half)
    infinite = p.copysign(math.inf, x) if order else math.inf
    return p.select(p.isinf(x), infinite, found)


def _bessel_jy(order: int, x: Value, is_second: bool) -> Value:
    """J, or Y of a positive x."""
    p = program
    size = p.absolute(x)
    small = p.minimum(size, 8.0)
    t = p.subtract(p.divide(p.square(small), 32.0), 1.0)
    near = table(f"small_j{order}", t)
    near = p.multiply(near, small) if order else near
    if is_second:
        rest = table(f"small_y{order}", t)
        near = p.add(
            p.multiply(p.multiply(p.log(p.multiply(small, 0.5)), near), 2 / math.pi),
            p.multiply(rest, small) if order else rest,
        )
        if order:
            near = p.subtract(near, p.divide(2 / math.pi, small))
    large = p.maximum(size, 8.0)
    t = p.subtract(p.divide(128.0, p.square(large)), 1.0)
    even, odd = table(f"p{order}", t), p.divide(table(f"q{order}", t), large)
    # The angle x - pi / 4 - order pi / 2, of whose sine and cosine sqrt(2) times are sums.
    sine, cosine = p.sin(large), p.cos(large)
    if order:
        sine, cosine = p.negative(cosine), sine
    first, second = p.add(cosine, sine), p.subtract(sine, cosine)
    if is_second:
        wave = p.add(p.multiply(even, second), p.multiply(odd, first))
    else:
        wave = p.subtract(p.multiply(even, first), p.multiply(odd, second))
    far = p.divide(p.multiply(wave, math.sqrt(1 / math.pi)), p.sqrt(large))
    found = p.select(p.less(size, 8.0), near, p.select(p.equal(size, math.inf), 0.0, far))
    if is_second:
        found = p.select(p.equal(x, 0.0), -math.inf, found)
        return p.select(p.less(x, 0.0), math.nan, found)
    if order:
        found = p.select(p.less(x, 0.0), p.negative(found), found)
    return found


def _scaled_bessel_k(order: int, x: Value) -> Value:
    """exp(x) K(x)."""
    p = program
    small = p.minimum(x, 2.0)
    rest = table(f"small_k{order}", p.subtract(p.multiply(p.square(small), 0.5), 1.0))
    logs = p.multiply(p.log(p.multiply(small, 0.5)), _bessel_i(order, small))
    if order:
        near = p.add(p.add(p.multiply(rest, small), logs), p.divide(1.0, small))
    else:
        near = p.subtract(rest, logs)
    near = p.multiply(near, p.exp(small))
    large = p.maximum(x, 2.0)
    far = p.divide(table(f"large_k{order}", p.subtract(p.divide(4.0, large), 1.0)), p.sqrt(large))
    found = p.select(p.less(x, 2.0), near, p.select(p.equal(x, math.inf), 0.0, far))
    found = p.select(p.equal(x, 0.0), math.inf, found)
    return p.select(p.less(x, 0.0), math.nan, found)


def _bessel_k(order: int, x: Value) -> Value:
    p = program
    found = p.multiply(_scaled_bessel_k(order, x), p.exp(p.negative(x)))
    return p.select(p.equal(x, math.inf), 0.0, found)


def _of_order(function: Callable[..., Value], *arguments: Any) -> Callable[[Value], Value]:
    return in_wide(lambda x: function(arguments[0], x, *arguments[1:]))


#: Bessel's functions by their names in torch.special.
BESSEL: dict[str, Callable[[Value], Value]] = {
    **{f"i{n}e": _of_order(_scaled_bessel_i, n) for n in (0, 1)},
    **{f"i{n}": _of_order(_bessel_i, n) for n in (0, 1)},
    **{f"bessel_j{n}": _of_order(_bessel_jy, n, False) for n in (0, 1)},
    **{f"bessel_y{n}": _of_order(_bessel_jy, n, True) for n in (0, 1)},
    **{f"modified_bessel_i{n}": _of_order(_bessel_i, n) for n in (0, 1)},
    **{f"modified_bessel_k{n}": _of_order(_bessel_k, n) for n in (0, 1)},
    **{f"scaled_modified_bessel_k{n}": _of_order(_scaled_bessel_k, n) for n in (0, 1)},
}


@in_wide
def spherical_bessel_j0(x: Value) -> Value:
    """sin(x) / x."""
    p = program
    found = p.select(p.equal(x, 0.0), 1.0, p.divide(p.sin(x), x))
    return p.select(p.isinf(x), 0.0, found)
