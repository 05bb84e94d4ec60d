"""Operators of elements that a program holds in bytes: conversions, and what only moves elements."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .. import _program as program
from .._program import Value
from .._tensors._tensor import Number, Tensor, from_value
from ._arrays import ELEMENTS
from ._context import Context, Known, Rule, Unsupported, spread
from ._elementwise import cast_to
from ._layout import extents_of
from ._model import Array
from ._narrow_types import BY_NAME, NARROW, Narrow
from ._quantized import _align_parameter
from ._rule_calls import call_rule

#: Operators that move elements, or tell of their places alone.
_MOVING = (
    "Concat", "DepthToSpace", "Expand", "Flatten", "Gather", "GatherElements", "GatherND", "Identity", "Reshape",
    "Shape", "Size", "Slice", "SpaceToDepth", "Split", "Squeeze", "Tile", "Transpose", "Unsqueeze",
)  # fmt: skip
_PLACES = ("Shape", "Size")


@dataclasses.dataclass(frozen=True)
class NarrowTensor:
    """A tensor of elements that the program holds in bytes."""

    held: Tensor | Known
    kind: Narrow

    @property
    def element(self) -> str:
        """The name of its element type."""
        return self.kind.name

    @property
    def rank(self) -> int:
        """The number of its axes."""
        return self.held.rank

    @property
    def extents(self) -> list[Number]:
        """Its extents."""
        return extents_of(self.held)

    def __str__(self) -> str:
        return f"elements of {self.kind.name}"


def from_array(array: Array) -> Known | NarrowTensor:
    """Makes a constant of the model an operand."""
    made: Known | NarrowTensor = hold(Known, array.array, array.element)
    return made


def hold(make: Callable[[Any, str], Any], given: Any, element: str) -> Any:
    """Makes an operand of what has elements of a type; `make` is given the type in which a program holds them."""
    kind = BY_NAME.get(element)
    return make(given, element) if kind is None else NarrowTensor(make(given, kind.storage), kind)


def release(operand: Any) -> Any:
    """Returns an operand as the program has it."""
    return operand.held if isinstance(operand, NarrowTensor) else operand


def call_narrow_rule(c: Context, rule: Rule, inputs: Sequence[Any], attributes: Mapping[str, Any]) -> Any:
    """Calls the rule of an operator; operands or results may have elements that the program holds in bytes."""
    node = c.node
    assert node is not None
    operation = node.operation
    asked = attributes.get({"QuantizeLinear": "output_dtype"}.get(operation, "to"))
    given = [v for v in inputs if isinstance(v, NarrowTensor)]
    filling = attributes.get("value")
    if isinstance(filling, NarrowTensor) and operation == "ConstantOfShape" and not node.domain:
        return NarrowTensor(call_rule(c, rule, inputs, {"value": filling.held}), filling.kind)
    if getattr(rule, "takes_narrow", False):
        return call_rule(c, rule, inputs, dict(attributes))
    own = _RULES.get(operation) if not node.domain else None
    if own is not None and (given or (isinstance(asked, int) and asked in NARROW)):
        return call_rule(c, own(rule), inputs, dict(attributes))
    if not given:
        return call_rule(c, rule, inputs, dict(attributes))
    if operation not in _MOVING or node.domain:
        raise Unsupported(f"its inputs have {given[0]}, which it does not take; use Cast or DequantizeLinear")
    kinds = {v.kind for v in given}
    if len(kinds) > 1 or (operation == "Concat" and len(given) < len(inputs)):
        raise ValueError("its inputs have elements of several types")
    found = call_rule(c, rule, [release(v) for v in inputs], dict(attributes))
    if operation in _PLACES:
        return found
    (kind,) = kinds
    several = found if isinstance(found, (list, tuple)) else [found]
    wrapped = [NarrowTensor(value, kind) for value in several]
    return wrapped if isinstance(found, (list, tuple)) else wrapped[0]


# Conversions.


def widen(c: Context, x: NarrowTensor) -> Tensor | Known:
    """Returns the numbers: integers of 8 bits, or f32."""
    kind = x.kind
    if not kind.is_float:
        return x.held
    table = kind.table
    if isinstance(x.held, Known):
        return Known(table[x.held.array], "f32")
    bits = program.cast(c.value(x.held), "i32")
    return from_value(program.take(c.builder.constant(table, "f32"), bits, 0, from_end=False))


def narrow(c: Context, x: Any, kind: Narrow, saturate: int = 1, round_mode: str = "up") -> NarrowTensor:
    """Converts numbers to a type that the program holds in bytes."""
    x = c.tensor(x)
    if not kind.is_float:
        code: Callable[[Value], Value] = lambda x: _keep_low_bits(x, kind)
    elif not kind.sign:
        code = lambda x: _round_to_exponent(x, bool(saturate), round_mode)
    else:
        code = lambda x: _round_to_bits(x, kind, bool(saturate))
    return NarrowTensor(Tensor(program.cast(code(x.value), kind.storage), x.order), kind)


def _keep_low_bits(x: Value, kind: Narrow) -> Value:
    """Casts to i32, and takes the low bits as an integer of the type."""
    p = program
    x, beyond = p.cast(x, "i32"), 32 - kind.bits
    if program.is_unsigned(kind.name):
        return p.bitwise_and(x, (1 << kind.bits) - 1)
    return p.right_shift(p.left_shift(x, beyond), beyond)


def _round_to_bits(x: Value, kind: Narrow, saturate: bool) -> Value:
    """Computes the bits of the nearest number of a float type, as i32; of two that are as near, the even one."""
    p = program
    assert kind.fraction is not None
    x = p.cast(x, "f32")
    size = p.absolute(x)
    bits, shift = p.bits_of(size), 23 - kind.fraction
    odd = p.bitwise_and(p.right_shift(bits, shift), 1)
    rounded = p.right_shift(p.add(p.add(bits, odd), (1 << (shift - 1)) - 1), shift)
    normal = p.subtract(rounded, (127 - kind.bias) << kind.fraction)
    # Below the least power of two, numbers stand at equal distances.
    small = p.cast(p.round(p.multiply(size, 2.0 ** (kind.fraction + kind.bias - 1))), "i32")
    code = p.select(p.less(size, 2.0 ** (1 - kind.bias)), small, normal)
    # A type that has no infinity, and nothing that is no number, has the largest number in their place.
    is_bounded = saturate or (kind.nan == kind.sign and kind.has_minus_zero)
    code = p.select(p.greater(code, kind.largest), kind.largest if is_bounded else kind.nan, code, "i32")
    signed = p.bitwise_or(code, kind.sign)
    is_minus = p.signbit(x)
    if not kind.has_minus_zero:
        is_minus = p.bitwise_and(is_minus, p.greater(code, 0))
    return p.select(p.isnan(x), kind.nan, p.select(is_minus, signed, code))


def _round_to_exponent(x: Value, saturate: bool, round_mode: str) -> Value:
    """Computes the exponent of f32, as i32, rounded to a power of two."""
    p = program
    if round_mode not in ("up", "down", "nearest"):
        raise Unsupported(f"its round_mode is 'up', 'down' or 'nearest', not {round_mode!r}")
    bits = p.bits_of(p.cast(x, "f32"))
    exponent = p.bitwise_and(p.right_shift(bits, 23), 0xFF)
    fraction = p.bitwise_and(bits, 0x7FFFFF)
    if round_mode == "up":
        more = p.greater(fraction, 0)
    else:
        half = 0x400000
        # Of two that are as near, that of an exponent of 0 stays.
        is_tie = p.bitwise_and(p.equal(fraction, half), p.greater(exponent, 0))
        more = p.bitwise_or(p.greater(fraction, half), is_tie)
    if round_mode != "down":
        if saturate:
            more = p.bitwise_and(more, p.less(exponent, 0xFE))
        more = p.bitwise_and(more, p.less(exponent, 0xFF))
        exponent = p.add(exponent, p.cast(more, "i32"))
    return exponent


# Rules, each made of the operator's own.


def _cast_of(rule: Rule) -> Rule:
    def cast(c: Context, x: Any, *, to: int, saturate: int = 1, round_mode: str = "up") -> Any:
        return _convert(c, x, to, saturate, round_mode)

    return cast


def _cast_like_of(rule: Rule) -> Rule:
    def cast_like(c: Context, x: Any, like: Any, *, saturate: int = 1, round_mode: str = "up") -> Any:
        if isinstance(like, NarrowTensor):
            to = next(number for number, kind in NARROW.items() if kind is like.kind)
        else:
            to = next(number for number, element in ELEMENTS.items() if element == like.element)
        return _convert(c, x, to, saturate, round_mode)

    return cast_like


def _convert(c: Context, x: Any, to: int, saturate: int, round_mode: str) -> Any:
    if isinstance(x, NarrowTensor):
        if NARROW.get(to) is x.kind:
            return x
        x = widen(c, x)
    return narrow(c, x, NARROW[to], saturate, round_mode) if to in NARROW else cast_to(c, x, to, saturate)


def _dequantize_of(rule: Rule) -> Rule:
    def dequantize(c: Context, x: Any, scale: Any, zero: Any = None, **attributes: Any) -> Any:
        x, scale, zero = (widen(c, v) if isinstance(v, NarrowTensor) else v for v in (x, scale, zero))
        return rule(c, x, scale, zero, **attributes)

    return _with_signature(dequantize, rule)


def _quantize_of(rule: Rule) -> Rule:
    def quantize(c: Context, x: Any, scale: Any, zero: Any = None, **attributes: Any) -> Any:
        asked = attributes.pop("output_dtype", 0)
        kind = zero.kind if isinstance(zero, NarrowTensor) else NARROW.get(asked)
        if kind is None or (asked and NARROW.get(asked) is not kind) or (zero is not None and release(zero) is zero):
            raise ValueError("its zero point and output_dtype are of two types")
        p = program
        if kind.is_float:
            axis, block = attributes.get("axis", 1), attributes.get("block_size", 0)
            x, parts = c.tensor(x), [scale, zero]
            made = spread(c, p.divide, x, _align_parameter(c, scale, x, axis, block), element="f32")
            if zero is not None:
                point = _align_parameter(c, widen(c, parts[1]), x, axis, block)
                made = spread(c, p.add, made, point)
            return narrow(c, made, kind, attributes.get("saturate", 1))
        number = next(n for n, element in ELEMENTS.items() if element == kind.storage)
        whole = rule(c, x, scale, release(zero), **attributes, **({} if zero is not None else {"output_dtype": number}))
        return NarrowTensor(Tensor(p.clip(whole.value, *kind.limits), whole.order), kind)

    return _with_signature(quantize, rule)


def _with_signature(made: Rule, rule: Rule) -> Rule:
    """Has a rule take the attributes of another."""
    made.__signature__ = inspect.signature(rule)  # type: ignore[attr-defined]
    return made


_RULES: dict[str, Callable[[Rule], Rule]] = {
    "Cast": _cast_of,
    "CastLike": _cast_like_of,
    "DequantizeLinear": _dequantize_of,
    "QuantizeLinear": _quantize_of,
}
