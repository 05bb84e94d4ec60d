"""The element-wise operations of TOSA in NumPy, by section 5 of docs/spec.md.

Independent of the compiler: nothing here calls it. An operation whose result
is exact gives an array of the result's type; one that may be approximated
(el-9) gives a `Reference`: the value to more than twice the precision and the
error that is allowed.
"""

import math
from dataclasses import dataclass

import mpmath
import numpy as np
from element_types import FLOATS, TYPES, roundTo, roundToOdd

mpmath.mp.prec = 160


@dataclass
class Reference:
    """The exact value is `high + low`; `bound` is the absolute error allowed;
    results outside [least, most] are wrong however close."""

    kind: object
    high: np.ndarray
    low: np.ndarray
    bound: np.ndarray
    least: float = -math.inf
    most: float = math.inf
    zeroSign: bool = False


def _wide(array):
    """Exactly the same values in float64 (integers up to 32 bits, any float)."""
    return np.asarray(array).astype(np.float64)


def _big(array):
    """Python integers, which do not overflow."""
    return np.asarray(array).astype(object)


def _small(values, kind):
    """Python integers into an integer type, low bits kept."""
    bits = kind.bits

    def wrap(v):
        v &= (1 << bits) - 1
        return v - (1 << bits) if v >> (bits - 1) else v

    return np.array([wrap(int(v)) for v in np.ravel(values)], kind.dtype).reshape(np.shape(values))


def _saturate(values, kind):
    low, high = -(1 << (kind.bits - 1)), (1 << (kind.bits - 1)) - 1
    return np.array([min(max(int(v), low), high) for v in np.ravel(values)], kind.dtype).reshape(np.shape(values))


def _unsigned(array):
    return np.asarray(array).view(np.dtype(f"u{np.asarray(array).dtype.itemsize}"))


# Exact operations: function(operands, attributes, element type) -> array. ------


def _arithmetic(function):
    def evaluate(operands, attributes, kind):
        with np.errstate(all="ignore"):
            if kind.isFloat:
                return roundTo(kind, function(*map(_wide, operands)))
            return _small(function(*map(_big, operands)), kind)

    return evaluate


def _mul(operands, attributes, kind):
    a, b = operands
    result = attributes.get("result", kind)
    with np.errstate(all="ignore"):
        if kind.isFloat:
            return roundTo(kind, _wide(a) * _wide(b))
    product = _big(a) * _big(b)
    shift = int(attributes.get("shift", 0))
    if kind.name == "i32" and shift:
        # el-1: in 64 bits that wrap.
        product = _big(_small(product + (1 << (shift - 1)), TYPES["i64"])) >> shift
    return _small(product, result)


def _intdiv(operands, attributes, kind):
    def divide(x, y):
        if y == 0:
            return 0
        quotient = abs(x) // abs(y)
        return quotient if (x < 0) == (y < 0) else -quotient

    a, b = np.broadcast_arrays(*operands)
    values = [divide(int(x), int(y)) for x, y in zip(np.ravel(a), np.ravel(b))]
    return _small(np.array(values, object).reshape(a.shape), kind)


def _shift(operands, attributes, kind):
    value, amount = np.broadcast_arrays(*operands)
    return value, amount, (amount >= 0) & (amount < kind.bits)


def _logicalLeft(operands, attributes, kind):
    value, amount, inside = _shift(operands, attributes, kind)
    shifted = _big(value) << _big(np.where(inside, amount, 0))
    return np.where(inside, _small(shifted, kind), kind.dtype.type(0))


def _logicalRight(operands, attributes, kind):
    value, amount, inside = _shift(operands, attributes, kind)
    shifted = _big(_unsigned(np.array(value, order="C"))) >> _big(np.where(inside, amount, 0))
    return np.where(inside, _small(shifted, kind), kind.dtype.type(0))


def _arithmeticRight(operands, attributes, kind):
    value, amount, inside = _shift(operands, attributes, kind)
    amount = _big(np.where(inside, amount, 0))
    shifted = _big(value) >> amount
    if attributes.get("round"):
        rounding = [(v >> (s - 1)) & 1 if s > 0 else 0 for v, s in zip(np.ravel(_big(value)), np.ravel(amount))]
        shifted = shifted + np.array(rounding, object).reshape(np.shape(value))
    sign = np.where(value < 0, kind.dtype.type(-1), kind.dtype.type(0))
    return np.where(inside, _small(shifted, kind), sign)


def _clz(operands, attributes, kind):
    bits = [kind.bits - int(v).bit_length() for v in np.ravel(_unsigned(operands[0]))]
    return np.array(bits, kind.dtype).reshape(np.shape(operands[0]))


def _bigger(a, b):
    """a where it is the larger; +0 is larger than -0 (el-5). No NaN."""
    return np.where((a > b) | ((a == b) & ~np.signbit(_wide(a))), a, b)


def _maximum(operands, attributes, kind, negative=False):
    a, b = np.broadcast_arrays(*operands)
    if not kind.isFloat:
        return np.minimum(a, b) if negative else np.maximum(a, b)
    with np.errstate(all="ignore"):
        a, b = _wide(a), _wide(b)
        best = -_bigger(-a, -b) if negative else _bigger(a, b)
        if attributes.get("nan_mode") == "IGNORE":
            best = np.where(np.isnan(a), b, np.where(np.isnan(b), a, best))
        else:
            best = np.where(np.isnan(a) | np.isnan(b), np.nan, best)
    return roundTo(kind, best)


def _minimum(operands, attributes, kind):
    return _maximum(operands, attributes, kind, negative=True)


def _clamp(operands, attributes, kind):
    low = np.asarray(attributes["min_val"], kind.dtype)
    high = np.asarray(attributes["max_val"], kind.dtype)
    return _minimum((_maximum((operands[0], low), attributes, kind), high), attributes, kind)


def _negate(operands, attributes, kind):
    if kind.isFloat:
        return roundTo(kind, -_wide(operands[0]))
    zeroIn, zeroOut = attributes.get("input_zp", 0), attributes.get("output_zp", 0)
    return _saturate(zeroOut - (_big(operands[0]) - zeroIn), kind)


def _abs(operands, attributes, kind):
    if kind.isFloat:
        return roundTo(kind, np.abs(_wide(operands[0])))
    return _small(np.abs(_big(operands[0])), kind)


def _compare(function):
    def evaluate(operands, attributes, kind):
        with np.errstate(all="ignore"):
            if kind.isFloat:
                operands = map(_wide, operands)
            return np.asarray(function(*operands))

    return evaluate


def _select(operands, attributes, kind):
    return np.where(*operands)


def cast(array, source, result):
    """el-7."""
    if result.isBool:
        return np.asarray(_wide(array) != 0)
    if source.isFloat and not result.isFloat:
        values = np.rint(_wide(array))
        flat = [0 if math.isnan(v) else v if math.isinf(v) else int(v) for v in np.ravel(values)]
        low, high = -(1 << (result.bits - 1)), (1 << (result.bits - 1)) - 1
        flat = [low if v < low else high if v > high else int(v) for v in flat]
        return np.array(flat, result.dtype).reshape(np.shape(array))
    if result.isFloat:
        if source.name == "i64":
            exact = np.asarray(array).astype(np.float64) if result.name == "f64" else roundToOdd(array)
            return roundTo(result, exact)
        return roundTo(result, _wide(array))
    return _small(_big(array), result)


def _cast(operands, attributes, kind):
    return cast(operands[0], kind, attributes["result"])


def _floatUnary(function):
    return lambda operands, attributes, kind: roundTo(kind, function(_wide(operands[0])))


EXACT = {
    "add": _arithmetic(lambda a, b: a + b),
    "sub": _arithmetic(lambda a, b: a - b),
    "mul": _mul,
    "intdiv": _intdiv,
    "abs": _abs,
    "negate": _negate,
    "ceil": _floatUnary(np.ceil),
    "floor": _floatUnary(np.floor),
    "clamp": _clamp,
    "clz": _clz,
    "cast": _cast,
    "maximum": _maximum,
    "minimum": _minimum,
    "select": _select,
    "bitwise_not": lambda o, a, k: ~o[0],
    "bitwise_and": lambda o, a, k: o[0] & o[1],
    "bitwise_or": lambda o, a, k: o[0] | o[1],
    "bitwise_xor": lambda o, a, k: o[0] ^ o[1],
    "logical_not": lambda o, a, k: ~o[0],
    "logical_and": lambda o, a, k: o[0] & o[1],
    "logical_or": lambda o, a, k: o[0] | o[1],
    "logical_xor": lambda o, a, k: o[0] ^ o[1],
    "logical_left_shift": _logicalLeft,
    "logical_right_shift": _logicalRight,
    "arithmetic_right_shift": _arithmeticRight,
    "equal": _compare(lambda a, b: a == b),
    "greater": _compare(lambda a, b: a > b),
    "greater_equal": _compare(lambda a, b: a >= b),
}

# Approximated operations. ------------------------------------------------------

# For f16, bf16 and f32, float64 has twice the precision.
_erf = np.vectorize(math.erf, otypes=[np.float64])
WIDE = {
    "exp": np.exp,
    "log": np.log,
    "tanh": np.tanh,
    "erf": _erf,
    "sin": np.sin,
    "cos": np.cos,
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "pow": np.power,
    "reciprocal": lambda x: 1 / x,
    "rsqrt": lambda x: 1 / np.sqrt(x),
}

# For f64, numbers of 160 bits.
MULTIPRECISION = {
    "exp": mpmath.exp,
    "log": mpmath.log,
    "tanh": mpmath.tanh,
    "erf": mpmath.erf,
    "sin": mpmath.sin,
    "cos": mpmath.cos,
    "sigmoid": lambda x: 1 / (1 + mpmath.exp(-x)),
    "pow": mpmath.power,
    "reciprocal": lambda x: 1 / x,
    "rsqrt": lambda x: 1 / mpmath.sqrt(x),
}

# Arguments beyond which the result is a limit in every type here.
FAR = {"exp": 800.0, "tanh": 60.0, "erf": 40.0, "sigmoid": 800.0}


def _limit(operation, x, y):
    """The result (el-8) where multiprecision arithmetic has none, or None."""
    if operation == "pow" and (y == 0 or x == 1):
        return 1.0
    if math.isnan(x) or (y is not None and math.isnan(y)):
        return math.nan
    if operation in FAR and abs(x) > FAR[operation]:
        down, up = {"exp": (0.0, math.inf), "sigmoid": (0.0, 1.0)}.get(operation, (-1.0, 1.0))
        return up if x > 0 else down
    if operation in ("sin", "cos") and math.isinf(x):
        return math.nan
    if operation == "log":
        return -math.inf if x == 0 else math.nan if x < 0 else x if math.isinf(x) else None
    if operation == "rsqrt":
        if x == 0:
            return math.copysign(math.inf, x)
        return math.nan if x < 0 else 0.0 if math.isinf(x) else None
    if operation == "reciprocal":
        if x == 0:
            return math.copysign(math.inf, x)
        return math.copysign(0.0, x) if math.isinf(x) else None
    if operation == "pow":
        return _powerLimit(x, y)
    return x if x == 0 and operation in ("tanh", "erf", "sin") else None


def _powerLimit(x, y):
    """pow at zero and infinity; not for x < 0."""
    if x == 0:
        isOdd = not math.isinf(y) and y % 2 == 1
        return 0.0 if y > 0 else math.copysign(math.inf, x if isOdd else 1.0)
    if math.isinf(y):
        return math.inf if (x > 1) == (y > 0) else 0.0
    return (math.inf if y > 0 else 0.0) if math.isinf(x) else None


def _evaluate(operation, x, y):
    """The exact value as a sum of two float64."""
    limit = _limit(operation, x, y)
    if limit is not None:
        return limit, 0.0
    arguments = [mpmath.mpf(v) for v in (x, y) if v is not None]
    value = MULTIPRECISION[operation](*arguments)
    high = float(value)
    return high, float(value - mpmath.mpf(high)) if math.isfinite(high) else 0.0


def ulp(kind, values):
    """The distance between neighbours of `values` in `kind`."""
    _, exponent = np.frexp(np.abs(values))
    exponent = np.where(np.isfinite(values) & (values != 0), exponent - 1, kind.smallest)
    return np.ldexp(1.0, np.maximum(exponent, kind.smallest) - (kind.precision - 1))


def _bound(operation, kind, x, y, value):
    """el-9, as an absolute error."""
    b = 1 if kind.name in ("f16", "bf16") else 3
    unit = ulp(kind, value)
    if operation == "pow":
        yLog = y * np.log(x)
        m = 5.5 * kind.eps * np.maximum.reduce([np.abs(yLog), 0.1 * np.abs(y), np.full_like(yLog, kind.smallestNormal)])
        r = np.abs(value)
        bound = r * np.expm1(m) + kind.eps * np.maximum(r, kind.smallestNormal) * (b + 2 * np.abs(yLog + m))
        # A limit (el-8) is exact.
        return np.where((x == 0) | (x == 1) | (y == 0) | np.isinf(x), 0.0, bound)
    ulps = {
        "reciprocal": 1,
        "rsqrt": 2,
        "erf": 5,
        "log": 5,
        "sin": 4,
        "cos": 4,
        "sigmoid": 2 * (1 + np.abs(x)),
        "exp": b + 2 * np.abs(x),
        "tanh": 4 * (b + 2 * np.abs(x)),
    }[operation]
    return ulps * unit


RANGES = {"sigmoid": (0.0, 1.0), "exp": (0.0, math.inf), **dict.fromkeys(("tanh", "erf", "sin", "cos"), (-1.0, 1.0))}
ZERO_SIGNS = ("tanh", "reciprocal")


def _approximate(operation, operands, kind):
    x, y = np.broadcast_arrays(_wide(operands[0]), _wide(operands[-1]))
    two = operation == "pow"
    if kind.name == "f64":
        pairs = [_evaluate(operation, float(a), float(b) if two else None) for a, b in zip(np.ravel(x), np.ravel(y))]
        high = np.array([p[0] for p in pairs], np.float64).reshape(x.shape)
        low = np.array([p[1] for p in pairs], np.float64).reshape(x.shape)
    else:
        with np.errstate(all="ignore"):
            high = np.asarray(WIDE[operation](x, y) if two else WIDE[operation](x))
        low = np.zeros_like(high)
    with np.errstate(all="ignore"):
        bound = _bound(operation, kind, x, y, high)
    least, most = RANGES.get(operation, (-math.inf, math.inf))
    return Reference(kind, high, low, bound, least, most, operation in ZERO_SIGNS)


def evaluate(operation, operands, kind, attributes=None):
    """`operation` on arrays that broadcast as in NumPy. `kind` is the element
    type of the (last) operand; attributes: shift, round, nan_mode, min_val,
    max_val, input_zp, output_zp, and `result`, the result's element type, for
    cast and mul."""
    operands = [np.asarray(o) for o in operands]
    if operation in EXACT:
        return np.asarray(EXACT[operation](operands, attributes or {}, kind))
    if operation not in MULTIPRECISION or kind.name not in FLOATS:
        raise ValueError(f"no operation {operation} on {kind.name}")
    return _approximate(operation, operands, kind)
