"""Special functions: of f64, from which those of shorter floats are rounded.

Polynomials of `_special_tables.py` are of a variable in [-1, 1]. Where a function has
several forms, all are computed and one is selected, so that kernels have no branches.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

from .. import _program as program
from .._program import Value
from ._special_tables import TABLES

_EULER = 0.5772156649015329
_LOG_PI = 1.1447298858494002
_HALF_LOG_2PI = 0.9189385332046727
#: Numbers of Bernoulli: B2, B4, ...
_BERNOULLI = (
    1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510, 43867 / 798, -174611 / 330,
    854513 / 138, -236364091 / 2730,
)  # fmt: skip


def in_wide(function: Callable[..., Value]) -> Callable[..., Value]:
    """Computes in f64 and rounds the result to the operands' type."""

    @functools.wraps(function)
    def code(*operands: Any) -> Value:
        element = next(v.element for v in operands if isinstance(v, Value))
        wide = [program.cast(v, "f64") if isinstance(v, Value) else v for v in operands]
        return program.cast(function(*wide), element)

    return code


def _polynomial(x: Value, coefficients: Sequence[float]) -> Value:
    """Computes a polynomial by Horner's scheme, the constant coefficient first."""
    found: Any = coefficients[-1]
    for coefficient in reversed(coefficients[:-1]):
        found = program.add(program.multiply(found, x), coefficient)
    value: Value = found
    return value


def table(name: str, t: Value) -> Value:
    return _polynomial(t, TABLES[name])


def _fraction(x: Value) -> Value:
    """Returns the distance of x from the nearest integer, which is exact."""
    return program.subtract(x, program.round(x))


def _sine_of_pi(x: Value) -> Value:
    """Returns |sin(pi x)|."""
    return program.absolute(program.sin(program.multiply(_fraction(x), math.pi)))


def _cotangent_of_pi(x: Value) -> Value:
    p, angle = program, program.multiply(_fraction(x), math.pi)
    return p.divide(p.cos(angle), p.sin(angle))


def _is_pole(x: Value) -> Value:
    """Tells whether x is an integer of at most 0."""
    p = program
    return p.bitwise_and(p.less_equal(x, 0.0), p.equal(x, p.floor(x)))


# The gamma function and what is made of it.


def _positive_lgamma(x: Value) -> Value:
    p = program
    # To [1.5, 2.5) by the functional equation, from below 7.
    y, above, below = x, p.add(p.multiply(x, 0.0), 1.0), p.add(p.multiply(x, 0.0), 1.0)
    for _ in range(2):
        is_small = p.less(y, 1.5)
        below = p.select(is_small, p.multiply(below, y), below)
        y = p.select(is_small, p.add(y, 1.0), y)
    for _ in range(5):
        is_large = p.greater_equal(y, 2.5)
        y = p.select(is_large, p.subtract(y, 1.0), y)
        above = p.select(is_large, p.multiply(above, y), above)
    # Around 1, x + 1 would be rounded.
    z = p.select(p.less(x, 0.5), x, p.select(p.less(x, 1.5), p.subtract(x, 1.0), p.subtract(y, 2.0)))
    near = p.subtract(p.add(p.multiply(z, table("log_gamma", p.multiply(z, 2.0))), p.log(above)), p.log(below))
    # Stirling's series. One factor beside the logarithm keeps large numbers finite.
    inverse = p.divide(1.0, x)
    series = [b / ((2 * k + 2) * (2 * k + 1)) for k, b in enumerate(_BERNOULLI[:9])]
    rest = p.multiply(inverse, _polynomial(p.square(inverse), series))
    far = p.add(p.add(p.multiply(p.subtract(x, 0.5), p.subtract(p.log(x), 1.0)), _HALF_LOG_2PI - 0.5), rest)
    return p.select(p.less(x, 7.0), near, p.select(p.equal(x, math.inf), math.inf, far))


@in_wide
def lgamma(x: Value) -> Value:
    """The logarithm of the size of the gamma function."""
    p = program
    is_left = p.less(x, 0.0)
    right = _positive_lgamma(p.select(is_left, p.subtract(1.0, x), x))
    # The reflection.
    left = p.subtract(p.subtract(_LOG_PI, p.log(_sine_of_pi(x))), right)
    found = p.select(is_left, left, right)
    # Of a tiny number, gamma is its inverse.
    found = p.select(p.less(p.absolute(x), 1e-200), p.negative(p.log(p.absolute(x))), found)
    return p.select(p.bitwise_or(_is_pole(x), p.isinf(x)), math.inf, found)


def _positive_digamma(x: Value) -> Value:
    p = program
    # The inverses of x, x + 1, ... up to 10 as one fraction.
    top, bottom, y = p.multiply(x, 0.0), p.add(p.multiply(x, 0.0), 1.0), x
    for _ in range(10):
        is_small = p.less(y, 10.0)
        top = p.select(is_small, p.add(p.multiply(top, y), bottom), top)
        bottom = p.select(is_small, p.multiply(bottom, y), bottom)
        y = p.select(is_small, p.add(y, 1.0), y)
    inverse = p.divide(1.0, y)
    series = [b / (2 * k + 2) for k, b in enumerate(_BERNOULLI[:8])]
    square = p.square(inverse)
    far = p.subtract(p.subtract(p.log(y), p.multiply(inverse, 0.5)), p.multiply(square, _polynomial(square, series)))
    return p.subtract(far, p.divide(top, bottom))


@in_wide
def digamma(x: Value) -> Value:
    """The derivative of the logarithm of the gamma function. At 0 it is the infinity of the other sign, at other poles
    NaN."""
    p = program
    is_left = p.less(x, 0.0)
    right = _positive_digamma(p.select(is_left, p.subtract(1.0, x), x))
    found = p.select(is_left, p.subtract(right, p.multiply(_cotangent_of_pi(x), math.pi)), right)
    found = p.select(p.equal(x, math.inf), math.inf, found)
    found = p.select(_is_pole(x), math.nan, found)
    return p.select(p.equal(x, 0.0), p.copysign(math.inf, p.negative(x)), found)


def _zeta_of(s: Any, q: Value) -> Value:
    """The sum of (q + k)^-s over all k from 0 on, for s > 1 and q > 0, by the formula of Euler and Maclaurin."""
    p = program

    def to_power(x: Value) -> Value:
        return p.power(x, p.negative(s) if isinstance(s, Value) else -s)

    total, y = p.multiply(q, 0.0), q
    for _ in range(12):
        total = p.add(total, to_power(y))
        y = p.add(y, 1.0)
    last = to_power(y)
    less = p.subtract(s, 1.0) if isinstance(s, Value) else s - 1
    total = p.add(total, p.multiply(last, p.add(p.divide(y, less), 0.5)))
    square = p.square(y)
    factor: Any = s
    part = p.divide(p.multiply(last, factor), y)
    for k, number in enumerate(_BERNOULLI):
        total = p.add(total, p.multiply(part, number / math.factorial(2 * k + 2)))
        for step in (2 * k + 1, 2 * k + 2):
            part = p.multiply(part, p.add(s, float(step)) if isinstance(s, Value) else s + step)
        part = p.divide(part, square)
    return total


@in_wide
def zeta(s: Value, q: Value) -> Value:
    """Hurwitz's zeta function, for q > 0; NaN for s < 1 and for other q, and infinite at its poles."""
    p = program
    found = _zeta_of(s, q)
    found = p.select(p.bitwise_or(p.less(s, 1.0), p.less(q, 0.0)), math.nan, found)
    found = p.select(p.bitwise_and(_is_pole(q), p.greater(s, 1.0)), math.inf, found)
    return p.select(p.equal(s, 1.0), math.inf, found)


def polygamma(order: int, x: Value) -> Value:
    """The derivative of this order of `digamma`."""
    return digamma(x) if order == 0 else in_wide(functools.partial(_polygamma, order))(x)


def _polygamma(order: int, x: Value) -> Value:
    p = program
    is_left = p.less(x, 0.0)
    y = p.select(is_left, p.subtract(1.0, x), x)
    sign = -1.0 if order % 2 == 0 else 1.0
    right = p.multiply(_zeta_of(float(order + 1), y), sign * math.factorial(order))
    # The derivatives of the cotangent are polynomials of it.
    powers = [0.0, 1.0]
    for _ in range(order):
        slope = [k * c for k, c in enumerate(powers)][1:]
        powers = [-(a + b) for a, b in zip([*slope, 0.0, 0.0], [0.0, 0.0, *slope])]
    cotangent = _polynomial(_cotangent_of_pi(x), powers)
    left = p.subtract(p.multiply(right, 1.0 if order % 2 == 0 else -1.0), p.multiply(cotangent, math.pi ** (order + 1)))
    found = p.select(is_left, left, right)
    found = p.select(_is_pole(x), math.nan if order % 2 == 0 else math.inf, found)
    return p.select(p.isinf(x), p.select(is_left, math.nan, 0.0, "f64"), found)


# The error function and the normal distribution.


def _positive_erfcx(x: Value) -> Value:
    p = program
    t = p.divide(p.subtract(x, 4.0), p.add(x, 4.0))
    found = p.divide(table("scaled_erfc", t), p.add(p.multiply(x, 2.0), 1.0))
    return p.select(p.equal(x, math.inf), 0.0, found)


def _exp_of_square(x: Value, factor: float) -> Value:
    """exp(factor x^2), without the error of the rounded square."""
    p = program
    high = p.cast(p.cast(p.clip(x, -1e18, 1e18), "f32"), "f64")
    rest = p.multiply(p.subtract(x, high), p.add(x, high))
    return p.multiply(p.exp(p.multiply(p.square(high), factor)), p.exp(p.multiply(p.clip(rest, -700.0, 700.0), factor)))


def _erfc(x: Value) -> Value:
    p = program
    size = p.absolute(x)
    tail = p.multiply(_exp_of_square(p.minimum(size, 30.0), -1.0), _positive_erfcx(size))
    # Around 0 a difference has the smaller error.
    near = p.subtract(1.0, p.erf(x))
    return p.select(p.less(x, 0.5), p.select(p.less(x, -0.5), p.subtract(2.0, tail), near), tail)


@in_wide
def erfc(x: Value) -> Value:
    """1 - erf(x), with all digits where that is small."""
    return _erfc(x)


@in_wide
def erfcx(x: Value) -> Value:
    """exp(x^2) erfc(x)."""
    p = program
    right = _positive_erfcx(p.absolute(x))
    left = p.subtract(p.multiply(_exp_of_square(p.maximum(x, -30.0), 1.0), 2.0), right)
    return p.select(p.less(x, 0.0), left, right)


def _inverse_erfc(q: Value) -> Value:
    """The x >= 0 where erfc(x) is q, for q from 0 to 1/2, by Newton's method on the logarithm."""
    p = program
    log = p.log(q)
    # Where erfc is exp(-x^2) / (x sqrt(pi)).
    x = p.sqrt(p.maximum(p.subtract(p.negative(log), p.multiply(p.log(p.subtract(2.0, log)), 0.5)), 0.05))
    for _ in range(6):
        scaled = _positive_erfcx(x)
        error = p.subtract(p.subtract(p.log(scaled), p.square(x)), log)
        x = p.maximum(p.add(x, p.multiply(p.multiply(error, scaled), math.sqrt(math.pi) / 2)), 0.0)
    return p.select(p.equal(q, 0.0), math.inf, x)


def _inverse_erf(x: Value) -> Value:
    """The inverse of erf up to 1/2, by steps of third order."""
    p = program
    y = p.multiply(x, math.sqrt(math.pi) / 2)
    for _ in range(4):
        error = p.multiply(p.multiply(p.subtract(p.erf(y), x), p.exp(p.square(y))), math.sqrt(math.pi) / 2)
        y = p.subtract(y, p.divide(error, p.add(p.multiply(y, error), 1.0)))
    return y


@in_wide
def erfinv(x: Value) -> Value:
    """The inverse of erf; NaN outside of [-1, 1]."""
    p = program
    size = p.absolute(x)
    far = _inverse_erfc(p.clip(p.subtract(1.0, size), 0.0, 0.5))
    near = _inverse_erf(p.minimum(size, 0.5))
    found = p.copysign(p.select(p.less(size, 0.5), near, far), x)
    return p.select(p.less_equal(size, 1.0), found, math.nan)


@in_wide
def ndtr(x: Value) -> Value:
    """The distribution function of the normal distribution."""
    return _ndtr(x)


def _ndtr(x: Value) -> Value:
    p = program
    scaled = p.multiply(x, -math.sqrt(0.5))
    tail = p.multiply(p.multiply(_exp_of_square(p.clip(x, -40.0, 0.0), -0.5), _positive_erfcx(p.absolute(scaled))), 0.5)
    return p.select(p.less(x, -1.0), tail, p.multiply(_erfc(scaled), 0.5))


@in_wide
def ndtri(x: Value) -> Value:
    """Its inverse; NaN outside of [0, 1]."""
    p = program
    low = p.minimum(x, p.subtract(1.0, x))
    # In the middle, the difference from 1/2 is exact.
    near = _inverse_erf(p.clip(p.multiply(p.absolute(p.subtract(x, 0.5)), 2.0), 0.0, 0.5))
    far = _inverse_erfc(p.clip(p.multiply(low, 2.0), 0.0, 0.5))
    size = p.multiply(p.select(p.greater(low, 0.25), near, far), math.sqrt(2))
    found = p.copysign(size, p.subtract(x, 0.5))
    return p.select(p.bitwise_and(p.greater_equal(x, 0.0), p.less_equal(x, 1.0)), found, math.nan)


@in_wide
def log_ndtr(x: Value) -> Value:
    """The logarithm of `ndtr`."""
    p = program
    scaled = p.multiply(x, math.sqrt(0.5))
    left = p.subtract(p.log(p.multiply(_positive_erfcx(p.absolute(scaled)), 0.5)), p.multiply(p.square(x), 0.5))
    right = p.log1p(p.negative(_ndtr(p.negative(x))))
    return p.select(p.less(x, -1.0), left, right)


# Polynomials of a row, by their recurrences: from the one of degree 1, and for the factors of the last two.

_Recurrence = tuple[Callable[[Value], Value], Callable[[int, Value], Value], Callable[[int], float]]


def _line(factor: float, constant: float) -> Callable[[Value], Value]:
    return lambda x: program.add(program.multiply(x, factor), constant)


def _twice(_: int, x: Value) -> Value:
    return program.multiply(x, 2.0)


#: The polynomials by their names in torch.special. The next one is the first factor times the last one, less the
#: second factor times the one before it.
POLYNOMIALS: dict[str, _Recurrence] = {
    "chebyshev_polynomial_t": (_line(1, 0), _twice, lambda k: 1.0),
    "chebyshev_polynomial_u": (_line(2, 0), _twice, lambda k: 1.0),
    "chebyshev_polynomial_v": (_line(2, -1), _twice, lambda k: 1.0),
    "chebyshev_polynomial_w": (_line(2, 1), _twice, lambda k: 1.0),
    "hermite_polynomial_h": (_line(2, 0), _twice, lambda k: 2.0 * k),
    "hermite_polynomial_he": (_line(1, 0), lambda k, x: x, float),
    "legendre_polynomial_p": (
        _line(1, 0),
        lambda k, x: program.multiply(x, (2 * k + 1) / (k + 1)),
        lambda k: k / (k + 1),
    ),
    "laguerre_polynomial_l": (
        _line(-1, 1),
        lambda k, x: program.divide(program.subtract(2.0 * k + 1, x), k + 1.0),
        lambda k: k / (k + 1),
    ),
}


def polynomial(name: str, degree: int, x: Value) -> Value:
    """Computes a polynomial of this degree; 0 for a negative one."""

    def code(x: Value) -> Value:
        p = program
        first, factor, other = POLYNOMIALS[name]
        before = p.add(p.multiply(x, 0.0), 1.0 if degree >= 0 else 0.0)
        if degree <= 0:
            return before
        last = first(x)
        for k in range(1, degree):
            before, last = last, p.subtract(p.multiply(factor(k, x), last), p.multiply(before, other(k)))
        return last

    return in_wide(code)(x)
