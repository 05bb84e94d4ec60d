"""Functions of complex numbers, choices and products of them, as pairs of tensors. Those of f32 are computed in f64."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from .. import _program as program
from .._program import Value
from .._tensors._fourier import Pair as Parts
from .._tensors._fourier import multiply_pairs
from .._tensors._tensor import Number, Tensor, from_value, to_value
from ._complex import Pair, add, apply, as_pair, each_part, enter, invert, multiply
from ._context import Context, elementwise

_LOG_2 = math.log(2.0)
_Function = Callable[[Value, Value], Parts]


def _rounded(function: Callable[..., Parts], element: str) -> Callable[..., Parts]:
    """Converts what the function gives."""

    def rounded(*values: Value) -> Parts:
        real, imaginary = function(*values)
        return program.cast(real, element), program.cast(imaginary, element)

    return rounded


def _apply(c: Context, function: _Function, x: Any) -> Pair:
    """Applies a function of one number."""
    x = as_pair(c, x)
    return apply(c, _rounded(function, x.real.element), x.real, x.imaginary, element="f64")


def _enter(function: _Function, *names: str) -> None:
    enter(*(f"{name}.default" for name in names))(lambda c, x: _apply(c, function, x))


def _log(a: Value, b: Value) -> Parts:
    return program.log(program.hypot(a, b)), program.arctan2(b, a)


def _log_of(base: float) -> _Function:
    def function(a: Value, b: Value) -> Parts:
        found = _log(a, b)
        return program.divide(found[0], base), program.divide(found[1], base)

    return function


def _sqrt(a: Value, b: Value) -> Parts:
    """The root of the larger part is computed, and the other one by a division, so that nothing cancels."""
    p = program
    half = p.multiply(p.absolute(a), 0.5)
    large = p.sqrt(p.add(half, p.hypot(half, p.multiply(b, 0.5))))
    small = p.select(p.equal(large, 0.0), 0.0, p.divide(p.multiply(p.absolute(b), 0.5), large))
    is_left = p.less(a, 0.0)
    real, imaginary = p.select(is_left, small, large), p.select(is_left, large, small)
    # Behind an infinite imaginary part both are infinite.
    real = p.select(p.isinf(b), float("inf"), real)
    imaginary = p.select(p.isinf(b), float("inf"), imaginary)
    return real, p.copysign(imaginary, b)


def _exp(a: Value, b: Value) -> Parts:
    p = program
    length = p.exp(a)
    return p.multiply(length, p.cos(b)), p.multiply(length, p.sin(b))


def _expm1(a: Value, b: Value) -> Parts:
    p = program
    half = p.sin(p.multiply(b, 0.5))
    real = p.subtract(p.multiply(p.expm1(a), p.cos(b)), p.multiply(p.multiply(half, half), 2.0))
    return real, p.multiply(p.exp(a), p.sin(b))


def _sinh(a: Value, b: Value) -> Parts:
    p = program
    return p.multiply(p.sinh(a), p.cos(b)), p.multiply(p.cosh(a), p.sin(b))


def _cosh(a: Value, b: Value) -> Parts:
    p = program
    return p.multiply(p.cosh(a), p.cos(b)), p.multiply(p.sinh(a), p.sin(b))


def _tanh(a: Value, b: Value) -> Parts:
    p = program
    # Beyond 20 the real part is 1, and a square would be infinite.
    near = p.clip(a, -20.0, 20.0)
    sinh, cosh, sin, cos = p.sinh(near), p.cosh(near), p.sin(b), p.cos(b)
    whole = p.add(p.multiply(sinh, sinh), p.multiply(cos, cos))
    real, imaginary = p.divide(p.multiply(sinh, cosh), whole), p.divide(p.multiply(sin, cos), whole)
    is_far = p.greater(p.absolute(a), 20.0)
    shrinking = p.multiply(p.multiply(4.0, p.multiply(sin, cos)), p.exp(p.multiply(p.absolute(a), -2.0)))
    return p.select(is_far, p.sign(a), real), p.select(is_far, shrinking, imaginary)


def _turned(function: _Function) -> _Function:
    """Makes f(iz) / i of f(z): the sine of the hyperbolic one, and the tangent."""

    def made(a: Value, b: Value) -> Parts:
        real, imaginary = function(program.negative(b), a)
        return imaginary, program.negative(real)

    return made


def _cos(a: Value, b: Value) -> Parts:
    return _cosh(program.negative(b), a)


def _sigmoid(a: Value, b: Value) -> Parts:
    """Computes (1 + tanh(z / 2)) / 2."""
    p = program
    real, imaginary = _tanh(p.multiply(a, 0.5), p.multiply(b, 0.5))
    return p.add(p.multiply(real, 0.5), 0.5), p.multiply(imaginary, 0.5)


def _sign(a: Value, b: Value) -> Parts:
    p = program
    length = p.hypot(a, b)
    found = (p.select(p.equal(length, 0.0), 0.0, p.divide(part, length)) for part in (a, b))
    return next(found), next(found)


_enter(_log, "log")
_enter(_log_of(_LOG_2), "log2")
_enter(_log_of(math.log(10.0)), "log10")
_enter(lambda a, b: _log(program.add(a, 1.0), b), "log1p")
_enter(_sqrt, "sqrt")
_enter(lambda a, b: invert(*_sqrt(a, b)), "rsqrt")
_enter(lambda a, b: multiply_pairs((a, b), (a, b)), "square")
_enter(_exp, "exp")
_enter(_expm1, "expm1")
_enter(lambda a, b: _exp(program.multiply(a, _LOG_2), program.multiply(b, _LOG_2)), "exp2")
_enter(_sinh, "sinh")
_enter(_cosh, "cosh")
_enter(_tanh, "tanh")
_enter(_turned(_sinh), "sin")
_enter(_cos, "cos")
_enter(_turned(_tanh), "tan")
_enter(_sigmoid, "sigmoid")
_enter(_sign, "sgn")


# Powers.


def _whole_power(x: Parts, exponent: int) -> Parts:
    """Multiplies, as torch does for small exponents."""
    found, rest = None, abs(exponent)
    while rest:
        if rest & 1:
            found = x if found is None else multiply_pairs(found, x)
        x, rest = multiply_pairs(x, x), rest >> 1
    assert found is not None
    return invert(*found) if exponent < 0 else found


def _power(x: Parts, y: Parts) -> Parts:
    """Computes exp(y log x). Of 0 it is 1 where the exponent is 0, and 0 where its real part is positive."""
    p = program
    made = _exp(*multiply_pairs(y, _log(*x)))
    is_zero = p.bitwise_and(p.equal(x[0], 0.0), p.equal(x[1], 0.0))
    is_one = p.bitwise_and(p.equal(y[0], 0.0), p.equal(y[1], 0.0))
    of_zero = p.select(p.greater(y[0], 0.0), x[0], float("nan"))
    real, imaginary = (p.select(is_zero, of_zero, part) for part in made)
    return p.select(is_one, 1.0, real), p.select(is_one, 0.0, imaginary)


@enter("pow.Tensor_Scalar")
def _pow_scalar(c: Context, x: Any, exponent: Any) -> Pair:
    if isinstance(exponent, (int, float)) and float(exponent).is_integer() and 0 < abs(exponent) <= 64:
        return _apply(c, lambda a, b: _whole_power((a, b), int(exponent)), x)
    if exponent == 0.5:
        return _apply(c, _sqrt, x)
    found: Pair = _pow(c, x, exponent)
    return found


@enter("pow.Tensor_Tensor", "pow.Scalar")
def _pow(c: Context, x: Any, y: Any) -> Pair:
    one, other = as_pair(c, x), as_pair(c, y)
    power = _rounded(lambda a, b, d, e: _power((a, b), (d, e)), one.real.element)
    return apply(c, power, one.real, one.imaginary, other.real, other.imaginary, element="f64")


# Choices and comparisons.


@enter("where.self", "where.ScalarOther", "where.ScalarSelf", "where.Scalar")
def _where(c: Context, condition: Tensor, x: Any, y: Any) -> Pair:
    one, other = as_pair(c, x), as_pair(c, y)
    parts = ((one.real, other.real), (one.imaginary, other.imaginary))
    return Pair(*(elementwise(c, program.select, condition, a, b) for a, b in parts))


@enter("masked_fill.Scalar", "masked_fill.Tensor")
def _masked_fill(c: Context, x: Any, mask: Tensor, value: Any) -> Pair:
    found: Pair = _where(c, mask, value, x)
    return found


def _compare(c: Context, x: Any, y: Any, join: Callable[[Value, Value], Value], name: str) -> Tensor:
    one, other = _wide_pair(c, x), _wide_pair(c, y)
    test = getattr(program, name)
    code = lambda a, b, d, e: join(test(a, d), test(b, e))
    return elementwise(c, code, one.real, one.imaginary, other.real, other.imaginary)


def _wide_pair(c: Context, x: Any) -> Pair:
    """Returns an operand as a pair of f64: the result says nothing of it."""
    return as_pair(c, x, "f64")


@enter("eq.Tensor", "eq.Scalar")
def _eq(c: Context, x: Any, y: Any) -> Tensor:
    return _compare(c, x, y, program.bitwise_and, "equal")


@enter("ne.Tensor", "ne.Scalar")
def _ne(c: Context, x: Any, y: Any) -> Tensor:
    return _compare(c, x, y, program.bitwise_or, "not_equal")


@enter("isnan.default")
def _isnan(c: Context, x: Pair) -> Tensor:
    return elementwise(c, lambda a, b: program.bitwise_or(program.isnan(a), program.isnan(b)), x.real, x.imaginary)


@enter("isinf.default")
def _isinf(c: Context, x: Pair) -> Tensor:
    return elementwise(c, lambda a, b: program.bitwise_or(program.isinf(a), program.isinf(b)), x.real, x.imaginary)


@enter("isfinite.default")
def _isfinite(c: Context, x: Pair) -> Tensor:
    code = lambda a, b: program.bitwise_and(program.isfinite(a), program.isfinite(b))
    return elementwise(c, code, x.real, x.imaginary)


# What moves elements.

each_part(
    "index.Tensor", "gather.default", "tril.default", "triu.default", "diagonal.default", "cumsum.default",
    "unfold.default", "slice_scatter.default", "select_scatter.default",
)  # fmt: skip


@enter("zeros_like.default", "ones_like.default", "full_like.default")
def _made_like(c: Context, x: Any, value: Any = None, **options: Any) -> Pair:
    if value is None:
        value = 1.0 if c.node.target.startswith("aten.ones") else 0.0
    return _made(c, value)


@enter("full.default")
def _full(c: Context, size: Sequence[Number], value: Any, **options: Any) -> Pair:
    return _made(c, value)


@enter("zeros.default", "new_zeros.default")
def _zeros(c: Context, *args: Any, **options: Any) -> Pair:
    return _made(c, 0.0)


@enter("scalar_tensor.default")
def _scalar_tensor(c: Context, value: Any, **options: Any) -> Pair:
    return as_pair(c, value)


def _made(c: Context, value: Any) -> Pair:
    """Makes a tensor of the result's shape."""
    pair, shape = as_pair(c, value), c.shape
    parts = (to_value(part) for part in (pair.real, pair.imaginary))
    return Pair(*(from_value(program.broadcast_to(part, shape) if shape else part) for part in parts))


# Products.


@enter("prod.dim_int")
def _prod(c: Context, x: Any, dim: int, keepdim: bool = False, *, dtype: Any = None) -> Pair:
    p, pair = program, as_pair(c, x)
    values = [to_value(part) for part in (pair.real, pair.imaginary)]
    if not values[0].rank:
        return pair
    dim %= values[0].rank
    rest = [size for axis, size in enumerate(p.extents(values[0])) if axis != dim]
    ones = (c.scalar(number, values[0].element) for number in (1.0, 0.0))
    start = [p.broadcast_to(one, rest) if rest else one for one in ones]

    def step(at: Number, carried: list[Any]) -> list[Any]:
        real, imaginary = (p.squeeze(p.take_slice(value, dim, at, 1), [dim]) for value in values)
        found = multiply_pairs((carried[0], carried[1]), (real, imaginary))
        return [p.require_shape(part, rest) for part in found]

    found = p.repeat(c.builder, 0, p.extent(values[0], dim), start, step)
    made = [part for part in found if isinstance(part, Value)]
    return Pair(*(from_value(p.expand(part, [dim]) if keepdim else part) for part in made))


@enter("prod.default")
def _prod_of_all(c: Context, x: Any, *, dtype: Any = None) -> Pair:
    pair = as_pair(c, x)
    flat = [to_value(part) for part in (pair.real, pair.imaginary)]
    size = program.product(program.extents(flat[0]))
    found: Pair = _prod(c, Pair(*(from_value(program.reshape(part, [size])) for part in flat)), 0)
    return found


@enter("addcmul.default")
def _addcmul(c: Context, x: Any, y: Any, z: Any, *, value: Any = 1) -> Pair:
    product = multiply(c, as_pair(c, y), as_pair(c, z))
    if value != 1:
        product = multiply(c, product, as_pair(c, value))
    return add(c, x, product)
