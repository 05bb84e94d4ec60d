"""Regions of random programs that the compiler fuses: element-wise operations and
reductions that use each other's results, of which some are results of the function,
so that values of different extents are computed together."""

from math import prod

from arrays import arrayOf
from data import kindOf

UNARY = ("exp", "tanh", "abs", "negate", "reciprocal", "sigmoid", "floor")
BINARY = ("add", "sub", "mul", "maximum", "minimum")
REDUCTIONS = ("reduce_sum", "reduce_sum", "reduce_max", "reduce_min")
KINDS = ("f32", "f32", "f32", "f64", "i32")
EXTENTS = (1, 1, 2, 3, 8, 17, 20, 64, 65, 100, 300)
MOST = 20000


def anyShape(dice):
    shape = [1 if dice.random() < 0.3 else dice.choice(EXTENTS) for _ in range(dice.choice([1, 2, 2, 3]))]
    shape[-1] = dice.choice(EXTENTS)
    while len(shape) > 1 and prod(shape) > MOST // 4:
        shape.pop(0)
    return shape


def widen(dice, shape):
    """The shape of an operand that broadcasts with `shape`: each axis its own or 1,
    or longer where that has 1, and sometimes one axis more."""
    wide = [e if dice.random() < 0.7 else 1 for e in shape]
    longer = [i for i, e in enumerate(shape) if e == 1]
    if longer and dice.random() < 0.8:
        wide[dice.choice(longer)] = dice.choice(EXTENTS)
    elif dice.random() < 0.15 and len(shape) < 4:
        wide.insert(0, dice.choice(EXTENTS))
    both = [max(a, b) for a, b in zip(wide[-len(shape) :], shape)]
    return wide if prod(wide[: -len(shape)] + both) <= MOST else [1] * len(shape)


def addRegion(g, table):
    """Adds a region to the block that `g` fills."""
    dice = g.regions
    most, g.most = g.most, max(g.most, MOST)
    kind = dice.choice(KINDS)
    value = g.pick(kind) if kind in g.kinds and dice.random() < 0.3 else None
    pool = [value or g.newInput(kind, arrayOf(dice, kindOf(kind), anyShape(dice)))]
    for _ in range(dice.choice([2, 3, 4, 6])):
        value = pool[-1] if dice.random() < 0.7 else dice.choice(pool)
        group = dice.choice([UNARY, BINARY, BINARY, REDUCTIONS])
        if kind == "i32" and group is UNARY:
            continue
        entry = table[dice.choice(group)]
        added = addOne(g, entry, value, group)
        if added is not None:
            pool.append(added)
            if dice.random() < 0.5:
                g.wanted.append(added)
    g.most = most


def addOne(g, entry, value, group):
    """Adds one operation with an operand `value`; returns its result, or None where
    it does not fit."""
    dice, shape = g.regions, g.shape(value)
    if group is REDUCTIONS:
        if not shape:
            return None
        axis = len(shape) - 1 if dice.random() < 0.7 else dice.randrange(len(shape))
        return g.addPlain(entry, [value], [value.kind], {"axis": axis})
    arity = 1 if group is UNARY else 2
    signature = [s for s in entry.signatures if s[0] == (value.kind,) * arity]
    if not signature:
        return None
    _kinds, result, attributes = dice.choice(signature)
    attributes = {k: v(g) if callable(v) else v for k, v in attributes.items()}
    operands = [value]
    if group is BINARY:
        other = g.newInput(value.kind, arrayOf(dice, kindOf(value.kind), widen(dice, shape)))
        operands.insert(dice.randrange(2), other)
    return g.addPlain(entry, operands, [result], attributes)
