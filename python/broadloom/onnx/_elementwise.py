"""Element-wise operators."""

from __future__ import annotations

import functools
import math
import operator as python
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .. import _program as program
from .._program import Extent, Value
from .._tensors._activations import clip_with
from .._tensors._tensor import Number, Tensor
from ._arrays import ELEMENTS, OTHERS
from ._context import (
    Context,
    Known,
    Operand,
    Undecided,
    Unsupported,
    fold,
    operator,
    spread,
)
from ._random import drop_out

if TYPE_CHECKING:
    from ._sequences import TensorSequence

# Of one operand.


def _enter_unary(name: str, function: Callable[[Value], Value], known: Callable[..., Any] | None = None) -> None:
    @operator(name)
    def rule(c: Context, x: Operand) -> Operand:
        found = fold(known, x.element, x) if known is not None else None
        return found or spread(c, function, x)


for _name, _function in (
    ("Acos", program.arccos), ("Acosh", program.arccosh), ("Asin", program.arcsin), ("Asinh", program.arcsinh),
    ("Atan", program.arctan), ("Atanh", program.arctanh), ("Cos", program.cos), ("Cosh", program.cosh),
    ("Erf", program.erf), ("Exp", program.exp), ("Log", program.log), ("Sigmoid", program.sigmoid),
    ("Sign", program.sign), ("Sin", program.sin), ("Sinh", program.sinh), ("Tan", program.tan),
    ("Tanh", program.tanh), ("Round", program.round),
):  # fmt: skip
    _enter_unary(_name, _function)
for _name, _function, _known in (
    ("Abs", program.absolute, np.abs),
    ("Neg", program.negative, np.negative),
    ("Sqrt", program.sqrt, np.sqrt),
    ("Ceil", program.ceil, np.ceil),
    ("Floor", program.floor, np.floor),
    ("Not", program.logical_not, np.logical_not),
    ("BitwiseNot", program.bitwise_not, np.bitwise_not),
):
    _enter_unary(_name, _function, _known)


@operator("Reciprocal")
def _reciprocal(c: Context, x: Operand) -> Tensor:
    return spread(c, lambda x: program.divide(1.0, x), x)


@operator("IsNaN", since=9)
def _isnan(c: Context, x: Operand) -> Tensor:
    return spread(c, program.isnan, x)


@operator("IsInf", since=10)
def _isinf(c: Context, x: Operand, *, detect_negative: int = 1, detect_positive: int = 1) -> Tensor:
    p = program
    if detect_negative and detect_positive:
        return spread(c, p.isinf, x)
    if not detect_negative and not detect_positive:
        return spread(c, lambda x: p.not_equal(p.isinf(x), p.isinf(x)), x)
    return spread(c, lambda x: p.equal(x, math.inf if detect_positive else -math.inf), x)


@operator("Identity")
def _identity(c: Context, x: Operand | TensorSequence) -> Operand | TensorSequence:
    return x


@operator("Dropout", since=12)
def _dropout(
    c: Context, x: Operand, ratio: Operand | None = None, training: Operand | None = None, *, seed: int | None = None
) -> Operand | tuple[Operand, ...]:
    if training is not None and c.constant(training, "training_mode").any():
        return drop_out(c, x, ratio, seed)
    return _dropped(c, x)


@operator("Dropout", since=7)
def _old_dropout(c: Context, x: Operand, *, ratio: float = 0.5) -> Operand | tuple[Operand, ...]:
    return _dropped(c, x)


def _dropped(c: Context, x: Operand) -> Operand | tuple[Operand, ...]:
    if c.outputs < 2:
        return x
    mask = spread(c, lambda x: program.equal(x, x), c.tensor(x))
    ones = program.broadcast_to(c.scalar(True, "i1"), program.extents(mask.value))
    return x, Tensor(ones, mask.order)


# Of two and more.


def _divide(x: Value, y: Value | float) -> Value:
    return program.divide(x, y) if program.is_float(_element(x, y)) else program.truncate_divide(x, y)


def _element(*operands: Value | float) -> str:
    return next(o.element for o in operands if isinstance(o, Value))


def _known_divide(x: NDArray[Any], y: NDArray[Any]) -> NDArray[Any]:
    """Divides integers and drops the fraction."""
    if x.dtype == object or y.dtype == object:
        return _each(_of_naturals(python.floordiv), x, y)
    return np.floor_divide(x - np.fmod(x, y), y)


def _known_fmod(x: NDArray[Any], y: NDArray[Any]) -> NDArray[Any]:
    if x.dtype == object or y.dtype == object:
        return _each(_of_naturals(python.mod), x, y)
    return np.fmod(x, y)


def _of_naturals(function: Callable[..., Any]) -> Callable[..., Any]:
    """Divides numbers that are not negative, of which alone rounding down is the same as
    rounding to 0."""

    def each(x: Number, y: Number) -> Any:
        if not (program.is_natural(x) and program.is_natural(y)) or (isinstance(y, int) and y == 0):
            raise Undecided
        return function(x, y)

    return each


def _each(function: Callable[..., Any], x: NDArray[Any], y: NDArray[Any]) -> NDArray[Any]:
    x, y = np.broadcast_arrays(x, y)
    made = np.empty(x.shape, object)
    made.reshape(-1)[:] = [function(a, b) for a, b in zip(x.reshape(-1).tolist(), y.reshape(-1).tolist())]
    return made


def _known_extreme(choose: Callable[..., Any], ufunc: np.ufunc) -> Callable[..., Any]:
    def code(x: NDArray[Any], y: NDArray[Any]) -> Any:
        return _each(choose, x, y) if x.dtype == object or y.dtype == object else ufunc(x, y)

    return code


def _enter_binary(name: str, function: Callable[..., Any], known: Callable[..., Any] | None, since: int = 7) -> None:
    @operator(name, since=since)
    def rule(c: Context, x: Operand, y: Operand) -> Operand:
        found = fold(known, x.element, x, y) if known is not None else None
        return found or spread(c, function, x, y)


for _name, _function, _known in (
    ("Add", program.add, python.add),
    ("Sub", program.subtract, python.sub),
    ("Mul", program.multiply, python.mul),
    ("And", program.bitwise_and, np.logical_and),
    ("Or", program.bitwise_or, np.logical_or),
    ("Xor", program.bitwise_xor, np.logical_xor),
):
    _enter_binary(_name, _function, _known)
for _name, _function in (
    ("BitwiseAnd", program.bitwise_and),
    ("BitwiseOr", program.bitwise_or),
    ("BitwiseXor", program.bitwise_xor),
):
    _enter_binary(_name, _function, None, since=18)


@operator("Div", since=7)
def _div(c: Context, x: Operand, y: Operand) -> Operand:
    known = python.truediv if program.is_float(x.element) else _known_divide
    return fold(known, x.element, x, y) or spread(c, _divide, x, y)


@operator("Mod", since=10)
def _mod(c: Context, x: Operand, y: Operand, *, fmod: int = 0) -> Operand:
    return fold(_known_fmod if fmod else np.mod, x.element, x, y) or spread(
        c, program.fmod if fmod else program.remainder, x, y
    )


@operator("Pow", since=7)
def _pow(c: Context, x: Operand, y: Operand) -> Operand:
    element = x.element
    found = fold(lambda x, y: x**y, element, x, y) if x.element == y.element else None
    if found is not None:
        return found
    if x.element == y.element and not program.is_float(element):
        return spread(c, program.power, x, y)
    wide = element
    if not program.is_float(element):
        wide = "f64" if program.width(element) > 16 else "f32"
    made = spread(c, program.power, x, y, element=wide)
    return Tensor(program.cast(made.value, element), made.order)


@operator("BitShift", since=11)
def _bit_shift(c: Context, x: Operand, y: Operand, *, direction: str) -> Tensor:
    if direction not in ("LEFT", "RIGHT"):
        raise Unsupported(f"its direction is 'LEFT' or 'RIGHT', not {direction!r}")
    return spread(c, program.left_shift if direction == "LEFT" else program.right_shift, x, y)


def _enter_variadic(
    name: str, function: Callable[..., Any], known: Callable[..., Any] | None = None, since: int = 6
) -> None:
    @operator(name, since=since)
    def rule(c: Context, *operands: Operand) -> Operand:
        if not operands:
            raise Unsupported("it has no inputs")
        step = lambda x, y: (fold(known, x.element, x, y) if known else None) or spread(c, function, x, y)
        return functools.reduce(step, operands)


_enter_variadic("Sum", program.add)
_enter_variadic("Max", program.maximum, _known_extreme(lambda x, y: program.largest(x, y), np.maximum))
_enter_variadic("Min", program.minimum, _known_extreme(lambda x, y: program.smallest(x, y), np.minimum))


@operator("Mean", since=6)
def _mean(c: Context, *operands: Operand) -> Tensor:
    total = functools.reduce(lambda x, y: spread(c, program.add, x, y), operands)
    return spread(c, lambda x: program.divide(x, float(len(operands))), total)


# Comparisons and choices.


def _compare_known(decide: Callable[..., Any]) -> Callable[..., Any]:
    def each(x: Number, y: Number) -> Any:
        if isinstance(x, Extent) and isinstance(y, Extent):
            if x.name == y.name:
                return decide(0, 0)
        elif not isinstance(x, Extent) and not isinstance(y, Extent):
            return decide(x, y)
        elif isinstance(x, Extent) and not isinstance(y, Extent) and y < 0 and program.is_natural(x):
            return decide(0, y)
        elif isinstance(y, Extent) and not isinstance(x, Extent) and x < 0 and program.is_natural(y):
            return decide(x, 0)
        raise Undecided

    def code(x: NDArray[Any], y: NDArray[Any]) -> Any:
        if x.dtype == object or y.dtype == object:
            return _each(each, x, y).astype(bool)
        return decide(x, y)

    return code


for _name, _function, _known, _since in (
    ("Equal", program.equal, python.eq, 7),
    ("Greater", program.greater, python.gt, 7),
    ("Less", program.less, python.lt, 7),
    ("GreaterOrEqual", program.greater_equal, python.ge, 12),
    ("LessOrEqual", program.less_equal, python.le, 12),
):

    def _enter_comparison(
        name: str, function: Callable[..., Value], known: Callable[[Any, Any], Any], since: int
    ) -> None:
        @operator(name, since=since)
        def rule(c: Context, x: Operand, y: Operand) -> Operand:
            return fold(_compare_known(known), "i1", x, y) or spread(c, function, x, y)

    _enter_comparison(_name, _function, _known, _since)


@operator("Where", since=9)
def _where(c: Context, condition: Operand, x: Operand, y: Operand) -> Operand:
    element = x.element
    found = fold(np.where, element, condition, x, y) if isinstance(condition, Known) and condition.is_number else None
    if found is not None:
        return found
    return spread(c, lambda k, x, y: program.select(k, x, y, element), c.tensor(condition), x, y)


@operator("Clip", since=6)
def _old_clip(c: Context, x: Operand, *, min: float | None = None, max: float | None = None) -> Operand:
    return spread(c, lambda x: program.clip(x, min, max), x)


@operator("Clip", since=11)
def _clip(c: Context, x: Operand, low: Operand | None = None, high: Operand | None = None) -> Tensor:
    return spread(c, clip_with(low, high), *(o for o in (x, low, high) if o is not None))


# Element types.


def saturate_to(x: Value, element: str) -> Value:
    """Limits floats to the numbers of a type of 8 bits and casts them to it."""
    largest = {"f8E4M3FN": 448.0, "f8E5M2": 57344.0}[element]
    return program.cast(program.clip(x, -largest, largest), element)


def cast_to(c: Context, x: Operand, to: int, saturate: int = 1) -> Operand:
    """Casts an input to elements of ONNX's type `to`."""
    if to not in ELEMENTS:
        raise Unsupported(f"programs have no elements of ONNX's type {OTHERS.get(to, to)}")
    element = ELEMENTS[to]
    if x.element == element:
        return x
    if isinstance(x, Known) and not x.is_number and _keeps_extents(x.element, element):
        return Known(x.array, element)
    narrow = element.startswith("f8")
    if isinstance(x, Known) and x.is_number and x.is_small and _is_exact(x.element, element) and not narrow:
        return Known(x.array.astype(program.to_numpy(x.element)).astype(program.to_numpy(element)), element)
    if narrow and saturate and program.is_float(x.element):
        return spread(c, lambda x: saturate_to(x, element), c.tensor(x))
    return spread(c, lambda x: program.cast(x, element), c.tensor(x))


def _keeps_extents(source: str, target: str) -> bool:
    """Tells whether a cast leaves extents what they are. As f32 they are known too, where Range needs it."""
    if program.is_integer(target):
        return program.width(target) >= 32 and source != "f32"
    return target in ("f32", "f64") and source != "f32"


def _is_exact(source: str, target: str) -> bool:
    """Tells whether NumPy casts as programs do."""
    return not (program.is_float(source) and not program.is_float(target))


@operator("Cast", since=6)
def _old_cast(c: Context, x: Operand, *, to: int) -> Operand:
    return cast_to(c, x, to)


@operator("Cast", since=19)
def _new_cast(c: Context, x: Operand, *, to: int, saturate: int = 1, round_mode: str = "up") -> Operand:
    return cast_to(c, x, to, saturate)


@operator("CastLike", since=15)
def _cast_like(c: Context, x: Operand, like: Operand, *, saturate: int = 1, round_mode: str = "up") -> Operand:
    return cast_to(c, x, next(n for n, element in ELEMENTS.items() if element == like.element), saturate)
