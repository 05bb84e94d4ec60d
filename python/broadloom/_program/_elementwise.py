"""Element-wise operations. Operands broadcast and have one element type; a Python
number, or an Extent, takes the type of the others."""

from __future__ import annotations

import math
from collections.abc import Callable

from . import _types
from ._arithmetic import *
from ._arithmetic import trunc
from ._builder import Value
from ._scalars import Body, Operand, apply, apply_mixed, get_element, refuse
from ._units import drop_axes, keep_axes

__all__ = [
    "absolute", "add", "arccos", "arccosh", "arcsin", "arcsinh", "arctan", "arctan2", "arctanh",
    "bitwise_and", "bitwise_not", "bitwise_or", "bitwise_xor", "cast", "cbrt", "ceil", "clip",
    "copysign", "cos", "cosh", "divide", "equal", "erf", "exp", "exp2", "expm1", "floor",
    "floor_divide", "fmax", "fmin", "fmod", "greater", "greater_equal", "isfinite", "isinf", "isnan",
    "left_shift", "less", "less_equal", "log", "log10", "log1p", "log2", "logical_not", "maximum",
    "minimum", "multiply", "negative", "not_equal", "power", "remainder", "right_shift", "round",
    "rsqrt", "select", "sigmoid", "sign", "signbit", "sin", "sinh", "sqrt", "square", "subtract",
    "tan", "tanh", "trunc", "truncate_divide",
]  # fmt: skip


# Comparisons, and choices by them.


def _comparison(name: str, floats: str, signed: str, unsigned: str) -> Callable[[Operand, Operand], Value]:
    def function(x: Operand, y: Operand) -> Value:
        element = get_element(x, y)
        predicate = (
            floats
            if _types.is_float(element)
            else unsigned
            if _types.is_unsigned(element) or element == "i1"
            else signed
        )
        return apply(name, [x, y], lambda b, x, y: b.compare(predicate, x, y), "i1")

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{name}, an i1; false with NaN{', but for this' if name == 'not_equal' else ''}."
    return function


equal = _comparison("equal", "oeq", "eq", "eq")
not_equal = _comparison("not_equal", "une", "ne", "ne")
less = _comparison("less", "olt", "slt", "ult")
less_equal = _comparison("less_equal", "ole", "sle", "ule")
greater = _comparison("greater", "ogt", "sgt", "ugt")
greater_equal = _comparison("greater_equal", "oge", "sge", "uge")


def _extreme(name: str, floats: str, signed: str, unsigned: str, booleans: str) -> Callable[[Operand, Operand], Value]:
    def function(x: Operand, y: Operand) -> Value:
        element = get_element(x, y)
        operation = (
            floats
            if _types.is_float(element)
            else booleans
            if element == "i1"
            else unsigned
            if _types.is_unsigned(element)
            else signed
        )
        return apply(name, [x, y], lambda b, x, y: b.do(operation, x, y))

    function.__name__ = function.__qualname__ = name
    nan = "is NaN where one is" if name.endswith("imum") else "ignores NaN beside a number"
    function.__doc__ = f"The {name[-7:] if 'imum' in name else name} of two; {nan}."
    return function


maximum = _extreme("maximum", "arith.maximumf", "arith.maxsi", "arith.maxui", "arith.ori")
minimum = _extreme("minimum", "arith.minimumf", "arith.minsi", "arith.minui", "arith.andi")
fmax = _extreme("fmax", "arith.maxnumf", "arith.maxsi", "arith.maxui", "arith.ori")
fmin = _extreme("fmin", "arith.minnumf", "arith.minsi", "arith.minui", "arith.andi")


def clip(x: Value, low: Operand | None, high: Operand | None) -> Value:
    """Returns x between two bounds, of which either may be None; `high` where they cross."""
    if low is not None:
        x = maximum(x, low)
    return x if high is None else minimum(x, high)


def select(condition: Value, x: Operand, y: Operand, element: str | None = None) -> Value:
    """Returns x where the condition, an i1, holds, else y. `element` is needed where both
    are numbers."""
    if condition.element != "i1":
        refuse("select", condition.element, "a condition of i1")
    element = element or get_element(x, y)
    for operand in (x, y):
        if isinstance(operand, Value) and operand.element != element:
            raise TypeError(f"select: operands have element types {element} and {operand.element}; cast one")
    return apply_mixed(
        "select", [condition, x, y], ["i1", element, element], lambda b, c, x, y: b.select(c, x, y), element
    )


def isnan(x: Value) -> Value:
    """Tells whether it is NaN; integers are not."""
    if not _types.is_float(x.element):
        return apply("isnan", [x], lambda b, x: b.number(0, "i1"), "i1")
    return apply("isnan", [x], lambda b, x: b.compare("uno", x, x), "i1")


def isinf(x: Value) -> Value:
    """Tells whether it is an infinity; integers are not."""
    if not _types.is_float(x.element):
        return apply("isinf", [x], lambda b, x: b.number(0, "i1"), "i1")
    return apply("isinf", [x], lambda b, x: b.compare("oeq", b.do("math.absf", x), b.number(math.inf)), "i1")


def isfinite(x: Value) -> Value:
    """Tells whether it is neither an infinity nor NaN."""
    if not _types.is_float(x.element):
        return apply("isfinite", [x], lambda b, x: b.number(1, "i1"), "i1")
    return apply("isfinite", [x], lambda b, x: b.compare("olt", b.do("math.absf", x), b.number(math.inf)), "i1")


def signbit(x: Value) -> Value:
    """Tells whether the sign is negative, that of -0 and NaN too."""
    if not _types.is_float(x.element):
        return less(x, 0)
    return apply(
        "signbit", [x], lambda b, x: b.compare("olt", b.do("math.copysign", b.number(1.0), x), b.number(0.0)), "i1"
    )


# Bits.


def _bits(name: str, operation: str) -> Callable[[Operand, Operand], Value]:
    def function(x: Operand, y: Operand) -> Value:
        if _types.is_float(get_element(x, y)):
            refuse(name, get_element(x, y), "integers or i1")
        return apply(name, [x, y], lambda b, x, y: b.do(operation, x, y))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{name} of integers, and of i1."
    return function


bitwise_and = _bits("bitwise_and", "arith.andi")
bitwise_or = _bits("bitwise_or", "arith.ori")
bitwise_xor = _bits("bitwise_xor", "arith.xori")


def bitwise_not(x: Value) -> Value:
    """Inverts all bits; of i1, the truth."""
    if _types.is_float(x.element):
        refuse("bitwise_not", x.element, "integers or i1")
    x_element = x.element
    ones = 1 if x.element == "i1" else 2 ** _types.width(x.element) - 1 if _types.is_unsigned(x.element) else -1
    return apply("bitwise_not", [x], lambda b, x: b.do("arith.xori", x, b.number(ones, x_element)))


def logical_not(x: Value) -> Value:
    """Tells whether it is 0, or false."""
    return bitwise_not(x) if x.element == "i1" else equal(x, 0)


def left_shift(x: Operand, y: Operand) -> Value:
    """Returns x shifted left by y; 0 where y is negative or the width or more."""
    element = get_element(x, y)

    def code(b: Body, x: str, y: str) -> str:
        fits = b.compare("ult", y, b.number(_types.width(element)))
        return b.select(fits, b.do("arith.shli", x, b.select(fits, y, b.number(0))), b.number(0))

    if _types.is_float(element) or element == "i1":
        refuse("left_shift", element, "integers")
    return apply("left_shift", [x, y], code)


def right_shift(x: Operand, y: Operand) -> Value:
    """Returns x shifted right by y, with its sign; all sign where y is negative or the
    width or more."""
    element = get_element(x, y)
    unsigned = _types.is_unsigned(element)

    def code(b: Body, x: str, y: str) -> str:
        last = b.number(_types.width(element) - 1)
        fits = b.compare("ule", y, last)
        moved = b.do("arith.shrui" if unsigned else "arith.shrsi", x, b.select(fits, y, last))
        return b.select(fits, moved, b.number(0)) if unsigned else moved

    if _types.is_float(element) or element == "i1":
        refuse("right_shift", element, "integers")
    return apply("right_shift", [x, y], code)


def cast(x: Value, element: str) -> Value:
    """Returns x with another element type. Floats become integers toward zero, and the
    nearest integer of the type where they are beyond it (NaN is 0); i1 of what is
    not 0 is true; integers keep their low bits; floats round half to even."""
    _types.check_element(element)
    if x.element == element:
        return x
    if _types.is_float(x.element) and not _types.is_float(element) and element != "i1":
        x = trunc(x)
    builder = x.builder
    (x,), dropped = keep_axes(builder, [x])
    with builder.naming("cast"):
        made = Value(builder, builder.new_name(), element, x.extents)
        given = builder.as_declared(x)
        builder.add(
            "tosa.cast {}{} : ({}) -> {}",
            given,
            builder.origin(),
            x.declared_type,
            made.declared_type,
            result=made.name,
        )
        if not _types.is_unsigned(element):
            return drop_axes(made, dropped)
        # Inside, it has no sign.
        value = builder.emit("tosa.cast", [made.name], [made.declared_type], element, x.extents)
        value._unsigned = made.name
        return drop_axes(value, dropped)
