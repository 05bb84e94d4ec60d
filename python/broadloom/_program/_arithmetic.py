"""Arithmetic and functions of numbers, element by element."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import _types
from ._builder import Value
from ._scalars import Body, Operand, apply, get_element, refuse

# Functions of floats.


def _float_function(operation: str, name: str) -> Callable[[Value], Value]:
    def function(x: Value) -> Value:
        if not _types.is_float(x.element):
            refuse(name, x.element, "floats")
        return apply(name, [x], lambda b, x: b.do(f"math.{operation}", x))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{name} of floats, as the C library's; NaN stays NaN."
    return function


sqrt = _float_function("sqrt", "sqrt")
exp = _float_function("exp", "exp")
exp2 = _float_function("exp2", "exp2")
expm1 = _float_function("expm1", "expm1")
log = _float_function("log", "log")
log2 = _float_function("log2", "log2")
log10 = _float_function("log10", "log10")
log1p = _float_function("log1p", "log1p")
sin = _float_function("sin", "sin")
cos = _float_function("cos", "cos")
tan = _float_function("tan", "tan")
arcsin = _float_function("asin", "arcsin")
arccos = _float_function("acos", "arccos")
arctan = _float_function("atan", "arctan")
sinh = _float_function("sinh", "sinh")
cosh = _float_function("cosh", "cosh")
tanh = _float_function("tanh", "tanh")
arcsinh = _float_function("asinh", "arcsinh")
arccosh = _float_function("acosh", "arccosh")
arctanh = _float_function("atanh", "arctanh")
erf = _float_function("erf", "erf")
cbrt = _float_function("cbrt", "cbrt")


def _rounding(operation: str, name: str) -> Callable[[Value], Value]:
    def function(x: Value) -> Value:
        if not _types.is_float(x.element):
            return x
        return apply(name, [x], lambda b, x: b.do(f"math.{operation}", x))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{name}; integers are themselves."
    return function


floor = _rounding("floor", "floor")
ceil = _rounding("ceil", "ceil")
trunc = _rounding("trunc", "trunc")
#: Half to even.
round = _rounding("roundeven", "round")


def rsqrt(x: Value) -> Value:
    """Returns 1 / sqrt(x) of floats."""
    return apply("rsqrt", [x], lambda b, x: b.do("arith.divf", b.number(1.0), b.do("math.sqrt", x)))


def sigmoid(x: Value) -> Value:
    """Returns 1 / (1 + exp(-x)) of floats."""

    def code(b: Body, x: str) -> str:
        one = b.number(1.0)
        return b.do("arith.divf", one, b.do("arith.addf", one, b.do("math.exp", b.do("arith.negf", x))))

    return apply("sigmoid", [x], code)


# Arithmetic.


def _arithmetic(name: str, floats: str, integers: str, booleans: str | None) -> Callable[[Operand, Operand], Value]:
    def function(x: Operand, y: Operand) -> Value:
        element = get_element(x, y)
        if element == "i1" and booleans is None:
            refuse(name, element, "numbers")
        operation = floats if _types.is_float(element) else booleans if element == "i1" else integers
        return apply(name, [x, y], lambda b, x, y: b.do(operation, x, y))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{name}; integers wrap."
    return function


add = _arithmetic("add", "arith.addf", "arith.addi", "arith.ori")
subtract = _arithmetic("subtract", "arith.subf", "arith.subi", None)
multiply = _arithmetic("multiply", "arith.mulf", "arith.muli", "arith.andi")


def divide(x: Operand, y: Operand) -> Value:
    """Returns the quotient of floats."""
    if not _types.is_float(get_element(x, y)):
        refuse("divide", get_element(x, y), "floats")
    return apply("divide", [x, y], lambda b, x, y: b.do("arith.divf", x, y))


def _integer_quotient(b: Body, x: str, y: str, unsigned: bool) -> str:
    """Divides integers and rounds toward zero; x/0 is 0, and the least number divided by -1 is itself."""
    zero, one = b.number(0), b.number(1)
    is_zero = b.compare("eq", y, zero)
    if unsigned:
        quotient = b.do("arith.divui", x, b.select(is_zero, one, y))
        return b.select(is_zero, zero, quotient)
    is_minus = b.compare("eq", y, b.number(-1))
    special = b.do("arith.ori", is_zero, is_minus, type="i1")
    quotient = b.do("arith.divsi", x, b.select(special, one, y))
    quotient = b.select(is_minus, b.do("arith.subi", zero, x), quotient)
    return b.select(is_zero, zero, quotient)


def _float_rest(b: Body, x: str, y: str) -> tuple[str, str]:
    """Returns the remainder with the sign of x, and whether it is to have that of y."""
    zero = b.number(0.0)
    rest = b.do("arith.remf", x, y)
    differ = b.do("arith.xori", b.compare("olt", rest, zero), b.compare("olt", y, zero), type="i1")
    return rest, b.do("arith.andi", differ, b.compare("one", rest, zero), type="i1")


def _float_remainder(b: Body, x: str, y: str) -> str:
    """Returns the remainder with the sign of y, as Python's."""
    rest, moves = _float_rest(b, x, y)
    rest = b.select(moves, b.do("arith.addf", rest, y), rest)
    # A remainder of nothing has the divisor's sign.
    zero = b.number(0.0)
    return b.select(b.compare("oeq", rest, zero), b.do("math.copysign", zero, y), rest)


def _float_floor(b: Body, x: str, y: str) -> str:
    """Returns the quotient, rounded down, from the remainder, which is exact."""
    rest, moves = _float_rest(b, x, y)
    zero, one = b.number(0.0), b.number(1.0)
    quotient = b.do("arith.divf", b.do("arith.subf", x, rest), y)
    quotient = b.select(moves, b.do("arith.subf", quotient, one), quotient)
    # The division has a rounding, so that this is near an integer.
    down = b.do("math.floor", quotient)
    up = b.compare("ogt", b.do("arith.subf", quotient, down), b.number(0.5))
    down = b.select(up, b.do("arith.addf", down, one), down)
    whole = b.do("arith.divf", x, y)
    down = b.select(b.compare("oeq", down, zero), b.do("math.copysign", zero, whole), down)
    return b.select(b.compare("oeq", y, zero), whole, down)


def _integer_floor(b: Body, x: str, y: str, unsigned: bool) -> tuple[str, str]:
    """Returns the quotient, rounded down, and the remainder; both are 0 where y is."""
    quotient = _integer_quotient(b, x, y, unsigned)
    zero = b.number(0)
    rest = b.do("arith.subi", x, b.do("arith.muli", quotient, y))
    rest = b.select(b.compare("eq", y, zero), zero, rest)
    if unsigned:
        return quotient, rest
    differ = b.compare("slt", b.do("arith.xori", rest, y), zero)
    moves = b.do("arith.andi", differ, b.compare("ne", rest, zero), type="i1")
    quotient = b.select(moves, b.do("arith.subi", quotient, b.number(1)), quotient)
    return quotient, b.select(moves, b.do("arith.addi", rest, y), rest)


def _floored(name: str, x: Operand, y: Operand, floats: Callable[[Body, str, str], str], part: int) -> Value:
    """Returns a part of a division that rounds down: 0 for the quotient, 1 for the rest."""
    element = get_element(x, y)
    if element == "i1":
        refuse(name, element, "numbers")
    if _types.is_float(element):
        return apply(name, [x, y], floats)
    unsigned = _types.is_unsigned(element)
    return apply(name, [x, y], lambda b, x, y: _integer_floor(b, x, y, unsigned)[part])


def truncate_divide(x: Operand, y: Operand) -> Value:
    """Returns the quotient of integers, rounded toward zero; it is 0 where y is."""
    element = get_element(x, y)
    if element == "i1" or _types.is_float(element):
        refuse("truncate_divide", element, "integers")
    unsigned = _types.is_unsigned(element)
    return apply("truncate_divide", [x, y], lambda b, x, y: _integer_quotient(b, x, y, unsigned))


def floor_divide(x: Operand, y: Operand) -> Value:
    """Returns the quotient, rounded down. Of integers it is 0 where y is."""
    return _floored("floor_divide", x, y, _float_floor, 0)


def remainder(x: Operand, y: Operand) -> Value:
    """Returns the remainder with the sign of y. Of integers it is 0 where y is."""
    return _floored("remainder", x, y, _float_remainder, 1)


def fmod(x: Operand, y: Operand) -> Value:
    """Returns the remainder with the sign of x. Of integers it is 0 where y is."""
    element = get_element(x, y)
    unsigned = _types.is_unsigned(element)

    def integers(b: Body, x: str, y: str) -> str:
        quotient = _integer_quotient(b, x, y, unsigned)
        rest = b.do("arith.subi", x, b.do("arith.muli", quotient, y))
        return b.select(b.compare("eq", y, b.number(0)), b.number(0), rest)

    if _types.is_float(element):
        return apply("fmod", [x, y], lambda b, x, y: b.do("arith.remf", x, y))
    return apply("fmod", [x, y], integers)


def _multiply_often(b: Body, x: str, times: int) -> str:
    """Returns x to a power of at least 1."""
    operation = "arith.mulf" if b.is_float else "arith.muli"
    found = None
    while True:
        if times % 2:
            found = x if found is None else b.do(operation, found, x)
        times //= 2
        if not times:
            assert found is not None
            return found
        x = b.do(operation, x, x)


def _integer_power(b: Body, x: str, y: str) -> str:
    """Raises x to the power y by squares, bit after bit of y."""
    one, found = b.number(1), b.number(1)
    for _ in range(_types.width(b.compute)):
        bit = b.compare("ne", b.do("arith.andi", y, one), b.number(0))
        found = b.select(bit, b.do("arith.muli", found, x), found)
        x = b.do("arith.muli", x, x)
        y = b.do("arith.shrui", y, one)
    return found


def power(x: Operand, y: Operand) -> Value:
    """Returns x to the power y. Of integers, y must not be negative: its bits count as
    those of a number without a sign."""
    element = get_element(x, y)
    if element == "i1":
        refuse("power", element, "numbers")
    if not _types.is_float(element):
        if isinstance(y, int):
            if y < 0:
                raise ValueError("integers to negative integer powers are not allowed; cast to a float")
            if y == 0:
                return apply("power", [x], lambda b, x: b.number(1))
            return apply("power", [x], lambda b, x: _multiply_often(b, x, y))
        return apply("power", [x, y], _integer_power)
    # What NumPy does without the function, too.
    exact: dict[float, Callable[[Any], Value]] = {2: square, 0.5: sqrt, 1: lambda x: x}
    if isinstance(y, (int, float)) and y in exact:
        return exact[y](x)
    if isinstance(y, (int, float)) and y in (3, 4, 5, 6, 7, 8):
        # Each multiplication rounds; together they are off by less than 4 ULP.
        return apply("power", [x], lambda b, x: _multiply_often(b, x, int(y)))
    if isinstance(y, (int, float)) and y == -1:
        return divide(1.0, x)
    return apply("power", [x, y], lambda b, x, y: b.do("math.powf", x, y))


def square(x: Value) -> Value:
    """Returns x times x."""
    return multiply(x, x)


def negative(x: Value) -> Value:
    """Returns -x; integers wrap."""
    if x.element == "i1":
        refuse("negative", x.element, "numbers")
    if _types.is_float(x.element):
        return apply("negative", [x], lambda b, x: b.do("arith.negf", x))
    return apply("negative", [x], lambda b, x: b.do("arith.subi", b.number(0), x))


def absolute(x: Value) -> Value:
    """Returns the absolute value; that of the least integer is itself."""
    if x.element == "i1" or _types.is_unsigned(x.element):
        return x
    if _types.is_float(x.element):
        return apply("absolute", [x], lambda b, x: b.do("math.absf", x))

    def integers(b: Body, x: str) -> str:
        zero = b.number(0)
        return b.select(b.compare("slt", x, zero), b.do("arith.subi", zero, x), x)

    return apply("absolute", [x], integers)


def sign(x: Value) -> Value:
    """Returns -1, 0 or 1; NaN stays NaN."""
    if x.element == "i1":
        refuse("sign", x.element, "numbers")

    def code(b: Body, x: str) -> str:
        zero, one = b.number(0), b.number(1)
        if b.is_float:
            made = b.select(b.compare("ogt", x, zero), one, x)
            made = b.select(b.compare("olt", x, zero), b.number(-1), made)
            return b.select(b.compare("oeq", x, zero), zero, made)
        if _types.is_unsigned(element):
            return b.select(b.compare("ne", x, zero), one, zero)
        made = b.select(b.compare("sgt", x, zero), one, zero)
        return b.select(b.compare("slt", x, zero), b.number(-1), made)

    element = x.element
    return apply("sign", [x], code)


def copysign(x: Operand, y: Operand) -> Value:
    """Returns x with the sign of y, of floats."""
    if not _types.is_float(get_element(x, y)):
        refuse("copysign", get_element(x, y), "floats")
    return apply("copysign", [x, y], lambda b, x, y: b.do("math.copysign", x, y))


def arctan2(y: Operand, x: Operand) -> Value:
    """Returns the angle of the point (x, y), of floats."""
    if not _types.is_float(get_element(x, y)):
        refuse("arctan2", get_element(x, y), "floats")
    return apply("arctan2", [y, x], lambda b, y, x: b.do("math.atan2", y, x))
