"""Lists the operations, their element types, and interesting values."""

from dataclasses import dataclass, field

import numpy as np
from element_types import FLOATS, INTEGERS, SMALL_FLOATS, TYPES, roundTo


@dataclass
class Signature:
    """One operation on one combination of element types and attributes."""

    operation: str
    operands: tuple
    result: str
    attributes: dict = field(default_factory=dict)
    scalars: tuple = ()  # (element type, value) of mul's shift, negate's zero points

    @property
    def kind(self):
        return TYPES[self.operands[-1]]

    @property
    def oracleAttributes(self):
        names = {"mul": ["shift"], "negate": ["input_zp", "output_zp"]}.get(self.operation, [])
        return {**self.attributes, "result": TYPES[self.result], **{n: v for n, (_, v) in zip(names, self.scalars)}}

    def __str__(self):
        words = [self.operation, "_".join(self.operands), "to", self.result]
        words += [f"{k}={v}" for k, v in self.attributes.items()]
        return "-".join(words + [str(v) for _, v in self.scalars])


def _same(operation, arity, types, **attributes):
    return [Signature(operation, (t,) * arity, t, dict(attributes)) for t in types]


def _predicates(operation, types):
    return [Signature(operation, (t, t), "i1") for t in types]


def _table():
    numbers = INTEGERS + FLOATS
    rows = []
    for name in ("abs",):
        rows += _same(name, 1, numbers)
    for name in ("bitwise_not", "clz"):
        rows += _same(name, 1, INTEGERS)
    for name in ("ceil", "floor", "erf", "exp", "log", "reciprocal", "rsqrt", "sigmoid", "tanh", "sin", "cos"):
        rows += _same(name, 1, FLOATS)
    rows += _same("logical_not", 1, ["i1"])
    for name in ("add", "sub"):
        rows += _same(name, 2, numbers)
    for name in ("bitwise_and", "bitwise_or", "bitwise_xor", "logical_left_shift", "logical_right_shift"):
        rows += _same(name, 2, INTEGERS)
    for name in ("logical_and", "logical_or", "logical_xor"):
        rows += _same(name, 2, ["i1"])
    for rounding in (False, True):
        rows += _same("arithmetic_right_shift", 2, INTEGERS, round=rounding)
    rows += _same("intdiv", 2, ["i32", "i64"])
    rows += _same("pow", 2, FLOATS)
    rows += _predicates("equal", numbers)
    rows += _predicates("greater", numbers)
    rows += _predicates("greater_equal", numbers)
    for name in ("maximum", "minimum"):
        rows += _same(name, 2, INTEGERS)
        for mode in ("PROPAGATE", "IGNORE"):
            rows += _same(name, 2, FLOATS, nan_mode=mode)
    for t in INTEGERS:
        rows += _same("clamp", 1, [t], min_val=-7, max_val=100)
    for mode in ("PROPAGATE", "IGNORE"):
        rows += _same("clamp", 1, FLOATS, min_val=-1.5, max_val=2.25, nan_mode=mode)
    for t in ("i1", *numbers):
        rows.append(Signature("select", ("i1", t, t), t))
    for t, r, shift in [
        ("i8", "i32", 0),
        ("i8", "i8", 0),
        ("i16", "i32", 0),
        ("i16", "i16", 0),
        ("i32", "i32", 0),
        ("i32", "i32", 13),
        ("i32", "i32", 31),
        ("i32", "i32", 63),
        ("i64", "i64", 0),
    ] + [(f, f, 0) for f in FLOATS]:
        rows.append(Signature("mul", (t, t), r, scalars=(("i8", shift),)))
    for t in numbers:
        rows.append(Signature("negate", (t,), t, scalars=((t, 0), (t, 0))))
    rows.append(Signature("negate", ("i8",), "i8", scalars=(("i8", -100), ("i8", 55))))
    everything = ("i1", *numbers)
    pairs = [(a, b) for a in everything for b in everything if a != b]
    pairs += [(a, b) for a in FLOATS for b in SMALL_FLOATS] + [(b, a) for a in FLOATS for b in SMALL_FLOATS]
    for source, result in pairs:
        rows.append(Signature("cast", (source,), result))
    return rows


SIGNATURES = {}
for _row in _table():
    SIGNATURES.setdefault(_row.operation, []).append(_row)


def _specials(kind):
    """Values at which implementations go wrong."""
    if kind.isBool:
        return np.array([False, True])
    if not kind.isFloat:
        low = -(1 << (kind.bits - 1))
        return np.array(
            [low, low + 1, -kind.bits, -2, -1, 0, 1, 2, kind.bits - 1, kind.bits, -low - 2, -low - 1], kind.dtype
        )
    big = kind.largestFinite
    least = kind.smallestNormal * kind.eps
    values = [0.0, 1.0, 0.5, 1.5, 2.5, 127.5, big, kind.smallestNormal, least, 3 * least, np.inf]
    values += [-v for v in values] + [np.nan]
    return roundTo(kind, np.array(values))


# Arguments between these are where the functions have something to say.
SPREAD = {"exp": 20.0, "sigmoid": 20.0, "tanh": 4.0, "erf": 3.0, "sin": 30.0, "cos": 30.0}


def values(signature, position, count, random):
    """`count` values for operand `position`: special ones crossed with those of
    the other operands, then random ones of several magnitudes."""
    kind = TYPES[signature.operands[position]]
    specials = _specials(kind)
    if signature.operation == "pow":
        return _powerValues(kind, position, count, random)
    if signature.operation == "select":
        crossed = specials if position == 1 else specials[::-1]
    elif position == 0:
        crossed = np.repeat(specials, len(specials) if len(signature.operands) > 1 else 1)
    else:
        crossed = np.tile(specials, len(specials))
    return np.concatenate([crossed, _random(signature, kind, count, random)])[:count]


def _random(signature, kind, count, random):
    if kind.isBool:
        return random.integers(0, 2, count).astype(bool)
    if kind.isFloat:
        spread = random.normal(0, SPREAD.get(signature.operation, 100.0), count)
        if signature.operation in ("log", "rsqrt"):
            spread = np.abs(spread)
        return roundTo(kind, spread * random.choice([1.0, 1e-3], count))
    if "shift" in signature.operation:
        return random.integers(-2, kind.bits + 2, count).astype(kind.dtype)
    bits = random.integers(1, kind.bits, count)
    return (random.integers(-(2**62), 2**62, count) >> (62 - np.minimum(bits, 62))).astype(kind.dtype)


def _powerValues(kind, position, count, random):
    if position == 0:
        crossed = np.repeat([0.0, 0.25, 1.0, 2.0, 10.0, np.inf], 4)
        spread = np.exp(random.normal(0, 2, count))
    else:
        crossed = np.tile([0.5, 1.0, 2.0, 3.0], 6)
        spread = random.normal(0, 2, count)
    return roundTo(kind, np.concatenate([crossed, spread])[:count])


# The result of these may differ between strategies, within el-9.
APPROXIMATE = {"erf", "exp", "log", "pow", "reciprocal", "rsqrt", "sigmoid", "tanh", "sin", "cos"}
