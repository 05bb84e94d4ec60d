"""Element-wise operations of ATen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .. import _program as program
from .._program import Real, Value
from .._tensors._activations import clip_with, gelu
from .._tensors._products import scale
from .._tensors._sums import wide_type
from .._tensors._tensor import Number, Tensor
from ._context import Context, Factor, Unsupported, elementwise, fits, operation, promote
from ._shapes import filled
from ._stored import Operand, Stored

# Of one operand.


def _enter_unary(name: str, function: Callable[..., Any], to_float: bool = True) -> None:
    @operation(f"{name}.default")
    def rule(c: Context, x: Tensor) -> Tensor:
        return elementwise(c, function, x, element=c.element if to_float else None)


for _name in (
    "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "sinh", "cosh", "tanh",
    "erf", "sqrt", "rsqrt", "sigmoid",
):  # fmt: skip
    _enter_unary(_name, getattr(program, _name))
for _name, _there in (
    ("asin", "arcsin"), ("acos", "arccos"), ("atan", "arctan"), ("asinh", "arcsinh"),
    ("acosh", "arccosh"), ("atanh", "arctanh"), ("neg", "negative"), ("abs", "absolute"),
    ("floor", "floor"), ("ceil", "ceil"), ("trunc", "trunc"), ("round", "round"), ("square", "square"),
):  # fmt: skip
    _enter_unary(_name, getattr(program, _there))
for _name in ("isnan", "isinf", "isfinite", "bitwise_not", "signbit"):
    _enter_unary(_name, getattr(program, _name), to_float=False)


@operation("sign.default", "sgn.default")
def _sign(c: Context, x: Tensor) -> Tensor:
    p = program

    def code(x: Value) -> Value:
        # Torch's sign of what is no number is 0.
        return p.select(p.isnan(x), 0.0, p.sign(x)) if p.is_float(x.element) else p.sign(x)

    return elementwise(c, code, x)


@operation("logical_not.default")
def _logical_not(c: Context, x: Tensor) -> Tensor:
    return elementwise(c, program.logical_not, x)


@operation("reciprocal.default")
def _reciprocal(c: Context, x: Tensor) -> Tensor:
    return elementwise(c, lambda x: program.divide(1.0, x), x, element=c.element)


@operation("relu.default")
def _relu(c: Context, x: Tensor) -> Tensor:
    return elementwise(c, lambda x: program.maximum(x, 0), x)


def _compute_in_float(c: Context, function: Callable[..., Any], *operands: Tensor) -> Tensor:
    """Applies several operations as one: those of short floats are computed in f32 and rounded once."""
    element = c.element
    code = lambda *values: program.cast(function(*values), element)
    return elementwise(c, code, *operands, element=wide_type(element))


@operation("gelu.default")
def _gelu(c: Context, x: Tensor, *, approximate: str = "none") -> Tensor:
    return _compute_in_float(c, lambda x: gelu(x, approximate), x)


@operation("silu.default")
def _silu(c: Context, x: Tensor) -> Tensor:
    return _compute_in_float(c, lambda x: program.multiply(x, program.sigmoid(x)), x)


@operation("hardtanh.default")
def _hardtanh(c: Context, x: Tensor, low: float = -1.0, high: float = 1.0) -> Tensor:
    return elementwise(c, lambda x: program.clip(x, low, high), x, element=c.element)


@operation("relu6.default")
def _relu6(c: Context, x: Tensor) -> Tensor:
    return elementwise(c, lambda x: program.clip(x, 0.0, 6.0), x)


@operation("hardswish.default")
def _hardswish(c: Context, x: Tensor) -> Tensor:
    p = program
    return _compute_in_float(c, lambda x: p.multiply(x, p.divide(p.clip(p.add(x, 3.0), 0.0, 6.0), 6.0)), x)


@operation("hardsigmoid.default")
def _hardsigmoid(c: Context, x: Tensor) -> Tensor:
    p = program
    return _compute_in_float(c, lambda x: p.divide(p.clip(p.add(x, 3.0), 0.0, 6.0), 6.0), x)


@operation("leaky_relu.default")
def _leaky_relu(c: Context, x: Tensor, slope: float = 0.01) -> Tensor:
    p = program
    return elementwise(c, lambda x: p.select(p.greater(x, 0.0), x, p.multiply(x, float(slope))), x)


@operation("rrelu_with_noise_functional.default", "rrelu_with_noise.default")
def _rrelu(
    c: Context,
    x: Tensor,
    noise: Tensor,
    lower: float = 0.125,
    upper: float = 1 / 3,
    training: bool = False,
    generator: None = None,
) -> Tensor | tuple[Tensor, Tensor]:
    if training:
        raise Unsupported("rrelu in training mode; call .eval() on the module")
    result = _leaky_relu(c, x, (lower + upper) / 2)
    return (result, noise) if isinstance(c.node.type, tuple) else result


@operation("elu.default")
def _elu(c: Context, x: Tensor, alpha: float = 1.0, scale: float = 1.0, input_scale: float = 1.0) -> Tensor:
    p = program

    def code(x: Value) -> Value:
        low = p.multiply(p.expm1(p.multiply(x, float(input_scale))), float(alpha))
        return p.multiply(p.select(p.greater(x, 0.0), x, low), float(scale))

    return _compute_in_float(c, code, x)


@operation("softplus.default")
def _softplus(c: Context, x: Tensor, beta: float = 1.0, threshold: float = 20.0) -> Tensor:
    p = program

    def code(x: Value) -> Value:
        scaled = p.multiply(x, float(beta))
        soft = p.divide(p.log1p(p.exp(scaled)), float(beta))
        return p.select(p.greater(scaled, float(threshold)), x, soft)

    return _compute_in_float(c, code, x)


@operation("mish.default")
def _mish(c: Context, x: Tensor) -> Tensor:
    p = program
    return _compute_in_float(c, lambda x: p.multiply(x, p.tanh(p.log1p(p.exp(x)))), x)


@operation("clamp.default", "clamp.Tensor", "clip.default")
def _clamp(c: Context, x: Tensor, min: float | None = None, max: float | None = None) -> Tensor:
    low, high = (_saturate(bound, c.element) for bound in (min, max))
    operands = [o for o in (x, low, high) if o is not None]
    return elementwise(c, clip_with(low, high), *operands, element=c.element)


def _saturate(bound: Any, element: str) -> Any:
    """Returns the number of an element type that is nearest to a bound."""
    if fits(bound, element):
        return bound
    info = np.iinfo(program.to_numpy(element))
    return int(info.min if bound < 0 else info.max)


@operation("clamp_min.default", "clamp_min.Tensor")
def _clamp_min(c: Context, x: Tensor, low: Any) -> Tensor:
    return _clamp(c, x, min=low)


@operation("clamp_max.default", "clamp_max.Tensor")
def _clamp_max(c: Context, x: Tensor, high: Any) -> Tensor:
    return _clamp(c, x, max=high)


# Of two.


@operation("add.Tensor", "add.Scalar")
def _add(c: Context, x: Tensor, y: Tensor | Real | float, alpha: float = 1) -> Tensor:
    return elementwise(c, lambda x, y: program.add(x, _scale(y, alpha)), x, y, element=c.element)


@operation("sub.Tensor", "sub.Scalar")
def _sub(c: Context, x: Tensor, y: Factor, alpha: float = 1) -> Tensor:
    return elementwise(c, lambda x, y: program.subtract(x, _scale(y, alpha)), x, y, element=c.element)


@operation("rsub.Tensor", "rsub.Scalar")
def _rsub(c: Context, x: Tensor, y: Factor, alpha: float = 1) -> Tensor:
    return elementwise(c, lambda x, y: program.subtract(y, _scale(x, alpha)), x, y, element=c.element)


def _scale(y: Any, alpha: float) -> Any:
    return y * alpha if isinstance(y, (int, float)) and alpha != 1 else scale(y, alpha)


@operation("mul.Tensor", "mul.Scalar")
def _mul(c: Context, x: Tensor, y: Factor) -> Tensor:
    return elementwise(c, program.multiply, x, y, element=c.element)


@operation("div.Tensor", "div.Scalar", "true_divide.Tensor", "div.Tensor_mode", "div.Scalar_mode")
def _div(c: Context, x: Tensor, y: Tensor | float, rounding_mode: str | None = None) -> Tensor:
    if rounding_mode == "floor":
        return elementwise(c, program.floor_divide, x, y, element=c.element)
    if rounding_mode == "trunc":
        code = (
            (lambda x, y: program.trunc(program.divide(x, y)))
            if program.is_float(c.element)
            else program.truncate_divide
        )
        return elementwise(c, code, x, y, element=c.element)
    return elementwise(c, program.divide, x, y, element=c.element)


def _enter_binary(name: str, function: Callable[..., Any], overloads: Sequence[str]) -> None:
    @operation(*(f"{name}.{overload}" for overload in overloads))
    def rule(c: Context, x: Tensor, y: Factor) -> Tensor:
        return elementwise(c, function, x, y, element=c.element)


for _name, _function in (
    ("maximum", program.maximum),
    ("minimum", program.minimum),
    ("fmax", program.fmax),
    ("fmin", program.fmin),
    ("atan2", program.arctan2),
    ("copysign", program.copysign),
    ("hypot", program.hypot),
):
    _enter_binary(_name, _function, ("default", "Tensor"))
for _name, _function in (
    ("floor_divide", program.floor_divide),
    ("remainder", program.remainder),
    ("fmod", program.fmod),
    ("bitwise_and", program.bitwise_and),
    ("bitwise_or", program.bitwise_or),
    ("bitwise_xor", program.bitwise_xor),
):
    _enter_binary(_name, _function, ("default", "Tensor", "Scalar", "Scalar_Tensor"))
for _name, _function in (
    ("__lshift__", program.left_shift),
    ("bitwise_left_shift", program.left_shift),
    ("__rshift__", program.right_shift),
    ("bitwise_right_shift", program.right_shift),
):
    _enter_binary(_name, _function, ("Tensor", "Scalar", "Tensor_Scalar"))


@operation("pow.Tensor_Scalar", "pow.Tensor_Tensor", "pow.Scalar")
def _pow(c: Context, x: Tensor, y: Factor) -> Tensor:
    if (isinstance(y, float) and y.is_integer() and 2 <= y <= 4) or (isinstance(y, int) and 2 <= y <= 4):
        times = int(y)

        def often(x: Value) -> Value:
            square = program.multiply(x, x)
            return square if times == 2 else program.multiply(square, x if times == 3 else square)

        return elementwise(c, often, x, element=c.element)
    return elementwise(c, program.power, x, y, element=c.element)


@operation("addcmul.default")
def _addcmul(c: Context, x: Tensor, y: Factor, z: Tensor, value: float = 1) -> Tensor:
    return elementwise(
        c, lambda x, y, z: program.add(x, _scale(program.multiply(y, z), value)), x, y, z, element=c.element
    )


@operation("addcdiv.default")
def _addcdiv(c: Context, x: Tensor, y: Factor, z: Tensor, value: float = 1) -> Tensor:
    return elementwise(
        c, lambda x, y, z: program.add(x, _scale(program.divide(y, z), value)), x, y, z, element=c.element
    )


@operation("lerp.Scalar", "lerp.Tensor")
def _lerp(c: Context, x: Tensor, y: Factor, weight: Tensor) -> Tensor:
    p = program
    code = lambda x, y, w: p.add(x, p.multiply(w, p.subtract(y, x)))
    if isinstance(weight, (int, float)):
        return elementwise(c, lambda x, y: p.add(x, p.multiply(p.subtract(y, x), float(weight))), x, y)
    return elementwise(c, code, x, y, weight)


# Comparisons, logic and choices.


def _enter_comparison(name: str, function: Callable[..., Any]) -> None:
    @operation(f"{name}.Tensor", f"{name}.Scalar")
    def rule(c: Context, x: Tensor, y: Tensor | int) -> Tensor:
        return elementwise(c, function, x, y, element=promote(x, y))


for _name, _there in (
    ("eq", "equal"),
    ("ne", "not_equal"),
    ("lt", "less"),
    ("le", "less_equal"),
    ("gt", "greater"),
    ("ge", "greater_equal"),
):
    _enter_comparison(_name, getattr(program, _there))


def _enter_logical(name: str, function: Callable[..., Any]) -> None:
    @operation(f"{name}.default")
    def rule(c: Context, x: Tensor, y: Factor) -> Tensor:
        return elementwise(c, function, x, y, element="i1")


for _name, _there in (("logical_and", "bitwise_and"), ("logical_or", "bitwise_or"), ("logical_xor", "bitwise_xor")):
    _enter_logical(_name, getattr(program, _there))


@operation("where.self", "where.ScalarOther", "where.ScalarSelf", "where.Scalar")
def _where(c: Context, condition: Tensor, x: Tensor | float, y: Tensor | int) -> Tensor:
    element = c.element

    def code(condition: Value, x: Value | float, y: Value | int) -> Value:
        return program.select(_as_condition(condition), as_element(x, element), as_element(y, element), element)

    return elementwise(c, code, condition, x, y)


@operation("masked_fill.Scalar", "masked_fill.Tensor")
def _masked_fill(c: Context, x: Tensor, mask: Tensor, value: float) -> Tensor:
    return _where(c, mask, value, x)


def _as_condition(value: Value) -> Value:
    return value if value.element == "i1" else program.not_equal(value, 0)


def as_element(value: Value | float, element: str) -> Value | float:
    """Casts an operand to an element type."""
    if isinstance(value, (bool, int, float)):
        if program.is_float(element):
            return float(value)
        return bool(value) if element == "i1" else int(value)
    return program.cast(value, element) if isinstance(value, program.Value) else value


# Other element types.


@operation(
    "_to_copy.default",
    "to.dtype",
    "_conj.default",
    "clone.default",
    "contiguous.default",
    "alias.default",
    "detach.default",
    "lift_fresh_copy.default",
    "lift_fresh.default",
    "positive.default",
    "dropout.default",
    stored=True,
)
def _copy(c: Context, x: Operand, *rest: Sequence[Any], **options: Any) -> Operand:
    if x.element == c.element:
        return x
    tensor = c.tensor(x)
    return Tensor(program.cast(tensor.value, c.element), tensor.order)


@operation("prims.convert_element_type.default")
def _convert(c: Context, x: Number, dtype: str) -> Operand:
    if not isinstance(x, (Tensor, Stored)):
        return filled(c, x, c.type)
    return _copy(c, x)
