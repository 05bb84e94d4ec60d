"""Element-wise operations of TOSA. What they compute is test/e2e's oracle; here
is what becomes of bounds.

Most are monotone in each operand, so that their values at the bounds bound the
result. What jumps (comparisons, roundings, conversions to integers) is known
only of elements whose operands are.
"""

import itertools

import numpy as np
import tosa_oracle
from data import Data, between, kindOf
from element_types import FLOATS, INTEGERS, SMALL_FLOATS, TYPES

from operations import Entry, Fails, register
from operations.attributes import constantText

# Non-decreasing or non-increasing in each operand, in all of its range.
MONOTONE = {
    "add",
    "sub",
    "mul",
    "maximum",
    "minimum",
    "clamp",
    "negate",
    "exp",
    "sigmoid",
    "tanh",
    "erf",
    "cast",
    "abs",
}
NUMBERS = INTEGERS + FLOATS


def broadcast(shapes):
    """bcast-3, with extents of 0 as they are (ext-3)."""
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError as error:
        raise Fails("operands are not broadcast-compatible") from error


def evaluateAt(name, arrays, kind, attributes):
    """Data of the operation at exact operands."""
    found = tosa_oracle.evaluate(name, arrays, kind, attributes)
    if not isinstance(found, tosa_oracle.Reference):
        return None, found, found
    with np.errstate(all="ignore"):
        high, low = found.high, found.low
        # An error in proportion to a result of 0 and to a logarithm without
        # end is not a number: the least power is 0 or the least number.
        bound = np.where(np.isnan(found.bound) & (high == 0), np.nextafter(0.0, 1.0), found.bound)
        slack = np.abs(high) * 2.0**-52 if kind.name == "f64" else 0.0
        least = np.maximum((high - bound) + low - slack, found.least)
        most = np.minimum((high + bound) + low + slack, found.most)
        # A limit keeps its value, and a zero its sign.
        isLimit = ~np.isfinite(high) | ((high == 0) & (least == 0) & (most == 0))
        least, most = np.where(isLimit, high, least), np.where(isLimit, high, most)
    return found, least, most


def leastOf(arrays):
    """The least of each element, where -0 is less than 0."""
    least = np.minimum.reduce(arrays)
    isNegative = np.logical_or.reduce([(a == 0) & np.signbit(a) for a in arrays])
    return np.where((least == 0) & isNegative, -0.0, np.where(least == 0, 0.0, least))


def withoutNegatives(data):
    """Nothing is said of powers of negative numbers: they are unknown."""
    isNegative = (data.low.astype(np.float64) < 0) | (data.high.astype(np.float64) < 0)
    if not isNegative.any():
        return data
    low, high = (np.where(isNegative, end.dtype.type(1), end) for end in (data.low, data.high))
    return Data(data.kind, low, high, data.mask() | isNegative)


class Elementwise(Entry):
    anyRank = True

    def __init__(self, name, signatures, weight=1.0):
        self.operation, self.signatures, self.weight = name, signatures, weight

    def attributes(self, attributes):
        words = [
            f"{key} = {constantText(attributes[key], attributes['kind'])} : {attributes['kind']}"
            for key in ("min_val", "max_val")
            if key in attributes
        ]
        if "nan_mode" in attributes:
            words.append(f"nan_mode = {attributes['nan_mode']}")
        if "round" in attributes:
            words.append(f"round = {str(attributes['round']).lower()}")
        return ", ".join(words)

    def extras(self, attributes):
        return attributes.get("scalars", [])

    def propose(self, g):
        operandKinds, resultKind, attributes = g.random.choice(self.signatures)
        first = g.random.randrange(len(operandKinds))
        chosen = g.pick(operandKinds[first])
        if chosen is None:
            return None
        operands = []
        for i, kind in enumerate(operandKinds):
            value = chosen if i == first else g.pickBroadcasting(kind, chosen)
            if value is None:
                return None
            operands.append(value)
        attributes = {k: v(g) if callable(v) else v for k, v in attributes.items()}
        if self.operation == "clamp" and attributes["min_val"] > attributes["max_val"]:
            attributes["min_val"], attributes["max_val"] = attributes["max_val"], attributes["min_val"]
        return operands, [resultKind], attributes

    def evaluate(self, operands, attributes, kinds):
        shape = broadcast([o.shape for o in operands])
        kind = operands[-1].kind
        options = dict(attributes, result=kindOf(kinds[0]))
        for key, (_, values) in zip(
            {"mul": ["shift"], "negate": ["input_zp", "output_zp"]}.get(self.operation, []),
            attributes.get("scalars", []),
        ):
            options[key] = values[0]
        return [self.compute(operands, shape, kind, kindOf(kinds[0]), options)]

    def compute(self, operands, shape, kind, result, options):
        name = self.operation
        if name == "pow":
            operands = [withoutNegatives(operands[0]), operands[1]]
        if all(o.isExact for o in operands):
            reference, low, high = evaluateAt(name, [o.low for o in operands], kind, options)
            low, high = np.broadcast_to(low, shape), np.broadcast_to(high, shape)
            if reference is None:
                return Data(result, np.array(low))
            return between(result, low, high)
        unknown = np.zeros(shape, bool)
        uncertain = np.zeros(shape, bool)
        for o in operands:
            unknown |= np.broadcast_to(o.mask(), shape)
            uncertain |= np.broadcast_to(o.uncertain(), shape)
        if name == "select":
            return self.select(operands, shape, result)
        ends = [[o.low] if o.high is o.low else [o.low, o.high] for o in operands]
        corners = [evaluateAt(name, list(corner), kind, options)[1:] for corner in itertools.product(*ends)]
        corners = [np.broadcast_to(c, shape) for pair in corners for c in pair]
        if not result.isFloat:
            return Data(result, np.array(corners[0]), None, uncertain)
        wide = [np.asarray(c, np.float64) for c in corners]
        with np.errstate(all="ignore"):
            low, high = leastOf(wide), -leastOf([-w for w in wide])
            if name == "abs":
                wide = [np.broadcast_to(np.asarray(e, np.float64), shape) for e in ends[0]]
                low = np.where((wide[0] < 0) & (wide[-1] > 0), 0.0, low)
        bad = unknown
        if name in MONOTONE:
            with np.errstate(all="ignore"):
                bad = bad | (uncertain & np.isnan(low + high))
        else:
            bad = bad | uncertain
        low = np.where(bad, 0.0, low)
        high = np.where(bad, 0.0, high)
        return between(result, low, high, bad)

    def select(self, operands, shape, result):
        condition, a, b = (o.map(lambda x: np.broadcast_to(x, shape)) for o in operands)
        low = np.where(condition.low, a.low, b.low)
        high = np.where(condition.low, a.high, b.high)
        unknown = condition.mask() | np.where(condition.low, a.mask(), b.mask())
        isTold = a.high is a.low and b.high is b.low
        return Data(result, low, None if isTold else high, unknown if unknown.any() else None)


def _number(g, kind):
    if TYPES[kind].isFloat:
        return g.random.choice([-4.0, -1.5, -1.0, 0.0, 0.25, 1.0, 2.25, 8.0])
    return g.random.choice([-100, -8, -7, -1, 0, 1, 3, 100])


def _signatures():
    def plain(kinds, arity, result=None, **attributes):
        return [((k,) * arity, result or k, attributes) for k in kinds]

    def modes(rows):
        nan = [(o, r, dict(a, nan_mode=m)) for o, r, a in rows for m in ("PROPAGATE", "IGNORE") if o[0] in FLOATS]
        return nan + [row for row in rows if row[0][0] not in FLOATS or row[1] == "i1"]

    clamps = [
        ((k,), k, {"kind": k, "min_val": lambda g, k=k: _number(g, k), "max_val": lambda g, k=k: _number(g, k)})
        for k in NUMBERS
    ]
    everything = ("i1", *NUMBERS)
    casts = [((a,), b, {}) for a in everything for b in everything if a != b]
    casts += [((a,), b, {}) for a in FLOATS for b in SMALL_FLOATS] + [
        ((b,), a, {}) for a in FLOATS for b in SMALL_FLOATS
    ]
    muls = [
        ((a, a), r, {"scalars": [("i8", [0])]})
        for a, r in [("i8", "i32"), ("i8", "i8"), ("i16", "i32"), ("i16", "i16"), ("i32", "i32"), ("i64", "i64")]
        + [(f, f) for f in FLOATS]
    ]
    muls += [(("i32", "i32"), "i32", {"scalars": lambda g: [("i8", [g.random.randrange(0, 64)])]})]
    negates = [((k,), k, {"scalars": [(k, [0]), (k, [0])]}) for k in NUMBERS]
    negates += [(("i8",), "i8", {"scalars": lambda g: [("i8", [g.random.randrange(-128, 128)]) for _ in range(2)]})]
    return {
        "add": (plain(NUMBERS, 2), 5),
        "sub": (plain(NUMBERS, 2), 3),
        "mul": (muls, 3),
        "abs": (plain(NUMBERS, 1), 1),
        "negate": (negates, 1.5),
        "bitwise_not": (plain(INTEGERS, 1), 1),
        "clz": (plain(INTEGERS, 1), 0.5),
        "ceil": (plain(FLOATS, 1), 1),
        "floor": (plain(FLOATS, 1), 1),
        **{
            n: (plain(FLOATS, 1), w)
            for n, w in {
                "exp": 1,
                "log": 0.4,
                "erf": 0.4,
                "tanh": 1,
                "sigmoid": 1,
                "sin": 0.3,
                "cos": 0.3,
                "reciprocal": 0.7,
                "rsqrt": 0.7,
            }.items()
        },
        "pow": (plain(FLOATS, 2), 0.4),
        "logical_not": (plain(["i1"], 1), 1),
        **{n: (plain(["i1"], 2), 0.7) for n in ("logical_and", "logical_or", "logical_xor")},
        **{
            n: (plain(INTEGERS, 2), 0.7)
            for n in ("bitwise_and", "bitwise_or", "bitwise_xor", "logical_left_shift", "logical_right_shift")
        },
        "arithmetic_right_shift": (plain(INTEGERS, 2, round=lambda g: g.random.random() < 0.5), 0.7),
        "intdiv": (plain(["i32", "i64"], 2), 0.7),
        **{n: (plain(NUMBERS, 2, "i1"), 1) for n in ("equal", "greater", "greater_equal")},
        **{n: (modes(plain(NUMBERS, 2)), 2) for n in ("maximum", "minimum")},
        "clamp": (modes(clamps), 1),
        "select": ([(("i1", k, k), k, {}) for k in everything], 3),
        "cast": (casts, 2),
    }


for _name, (_rows, _weight) in _signatures().items():
    register(_name, Elementwise(_name, _rows, _weight))


class Identity(Entry):
    """tosa.identity, and tensor.cast where the text has one of its own."""

    anyRank = True
    weight = 0.5

    def propose(self, g):
        value = g.pick()
        return value and ([value], [value.kind], {})

    def evaluate(self, operands, attributes, kinds):
        return [operands[0]]


register("identity", Identity())
