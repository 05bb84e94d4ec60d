"""Activations, element by element."""

from __future__ import annotations

from collections.abc import Callable

from .. import _program as program
from .._program import Value
from .._tensors._activations import gelu
from .._tensors._fits import require_spread_to
from .._tensors._sums import wide_type
from .._tensors._tensor import Tensor
from ._context import Context, Operand, Unsupported, operator, spread


def activate(c: Context, function: Callable[..., Value], *operands: Operand) -> Tensor:
    """Applies several operations as one: those of short floats are computed in f32 and rounded once."""
    element = operands[0].element
    wide = wide_type(element)
    return spread(c, lambda *values: program.cast(function(*values), element), *operands, element=wide)


@operator("Relu")
def _relu(c: Context, x: Operand) -> Tensor:
    return spread(c, lambda x: program.maximum(x, 0), x)


@operator("LeakyRelu")
def _leaky_relu(c: Context, x: Operand, *, alpha: float = 0.01) -> Tensor:
    p = program
    return spread(c, lambda x: p.select(p.less(x, 0.0), p.multiply(x, alpha), x), x)


@operator("PRelu", since=7)
def _prelu(c: Context, x: Operand, slope: Operand) -> Tensor:
    p = program
    zero = 0.0 if p.is_float(x.element) else 0
    x = c.tensor(x)
    require_spread_to(c, slope, x, "slope")
    return spread(c, lambda x, s: p.select(p.less(x, zero), p.multiply(x, s), x), x, slope)


def _elu(x: Value, alpha: float) -> Value:
    return program.select(program.greater(x, 0.0), x, program.multiply(program.expm1(x), alpha))


@operator("Elu", since=6)
def _enter_elu(c: Context, x: Operand, *, alpha: float = 1.0) -> Tensor:
    return activate(c, lambda x: _elu(x, alpha), x)


@operator("Selu", since=6)
def _selu(
    c: Context, x: Operand, *, alpha: float = 1.67326319217681884765625, gamma: float = 1.05070102214813232421875
) -> Tensor:
    return activate(c, lambda x: program.multiply(_elu(x, alpha), gamma), x)


@operator("Celu", since=12)
def _celu(c: Context, x: Operand, *, alpha: float = 1.0) -> Tensor:
    p = program

    def code(x: Value) -> Value:
        low = p.multiply(p.expm1(p.divide(p.minimum(x, 0.0), alpha)), alpha)
        return p.add(p.maximum(x, 0.0), low)

    return activate(c, code, x)


@operator("Softplus")
def _softplus(c: Context, x: Operand) -> Tensor:
    p = program
    # The exponential of a large number would be an infinity.
    return activate(c, lambda x: p.add(p.maximum(x, 0.0), p.log1p(p.exp(p.negative(p.absolute(x))))), x)


@operator("Softsign")
def _softsign(c: Context, x: Operand) -> Tensor:
    p = program
    return activate(c, lambda x: p.divide(x, p.add(p.absolute(x), 1.0)), x)


def _hard_sigmoid(x: Value, alpha: float, beta: float) -> Value:
    p = program
    return p.clip(p.add(p.multiply(x, alpha), beta), 0.0, 1.0)


@operator("HardSigmoid", since=6)
def _enter_hard_sigmoid(c: Context, x: Operand, *, alpha: float = 0.2, beta: float = 0.5) -> Tensor:
    return activate(c, lambda x: _hard_sigmoid(x, alpha, beta), x)


@operator("HardSwish", since=14)
def _hard_swish(c: Context, x: Operand) -> Tensor:
    return activate(c, lambda x: program.multiply(x, _hard_sigmoid(x, 1 / 6, 0.5)), x)


@operator("ThresholdedRelu", since=10)
def _thresholded_relu(c: Context, x: Operand, *, alpha: float = 1.0) -> Tensor:
    return spread(c, lambda x: program.select(program.greater(x, alpha), x, 0.0), x)


@operator("Gelu", since=20)
def _gelu(c: Context, x: Operand, *, approximate: str = "none") -> Tensor:
    if approximate not in ("none", "tanh"):
        raise Unsupported(f"its attribute 'approximate' is 'none' or 'tanh', not {approximate!r}")
    return activate(c, lambda x: gelu(x, approximate), x)


@operator("Mish", since=18)
def _mish(c: Context, x: Operand) -> Tensor:
    p = program

    def code(x: Value) -> Value:
        soft = p.add(p.maximum(x, 0.0), p.log1p(p.exp(p.negative(p.absolute(x)))))
        return p.multiply(x, p.tanh(soft))

    return activate(c, code, x)


@operator("Swish", since=24)
def _swish(c: Context, x: Operand, *, alpha: float = 1.0) -> Tensor:
    p = program
    return activate(c, lambda x: p.multiply(x, p.sigmoid(p.multiply(x, alpha))), x)


@operator("Shrink", since=9)
def _shrink(c: Context, x: Operand, *, bias: float = 0.0, lambd: float = 0.5) -> Tensor:
    p = program

    def code(x: Value) -> Value:
        if not p.is_float(x.element):
            wide = p.cast(x, "f64")
            return p.cast(code(wide), x.element)
        low = p.select(p.less(x, -lambd), p.add(x, bias), 0.0)
        return p.select(p.greater(x, lambd), p.subtract(x, bias), low)

    return spread(c, code, c.tensor(x))
