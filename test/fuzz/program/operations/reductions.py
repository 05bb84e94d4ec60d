"""Reductions along one axis, and argmax (red-1 to red-5)."""

import numpy as np
from data import Data, between
from element_types import FLOATS, INTEGERS, TYPES
from writer import typeText

from operations import Entry, Fails, Undecided, register
from operations.attributes import axisText

NUMBERS = INTEGERS + FLOATS
# Kinds whose elements are folded in f32 (red-3).
NARROW = ("f16", "bf16")


def checkAxis(data, axis):
    if not 0 <= axis < len(data.shape):
        raise Fails("there is no such axis")


def sumBounds(kind, low, high, axis):
    """Bounds of a float sum in any order, and where nothing is claimed."""
    eps = TYPES["f32" if kind.name in NARROW else kind.name].eps
    with np.errstate(all="ignore"):
        size = np.maximum(np.abs(low), np.abs(high))
        total = size.sum(axis=axis, keepdims=True)
        count = low.shape[axis]
        # Sums of integers that are all representable are exact in any order.
        whole = (low == high) & (np.rint(low) == low)
        isWhole = whole.all(axis=axis, keepdims=True) & (total * eps < 1)
        error = np.where(isWhole, 0.0, (count + 2) * eps * total)
        if kind.name == "f64":
            error *= 2
        a, b = low.sum(axis=axis, keepdims=True), high.sum(axis=axis, keepdims=True)
        isSpecial = ~np.isfinite(total)
        limit = TYPES["f32"].largestFinite if kind.name in NARROW else kind.largestFinite
        # With an infinity or a NaN among exact elements the sum is that.
        exact = ((low == high) | np.isnan(low)).all(axis=axis, keepdims=True)
        finite = np.where(np.isfinite(low), np.abs(low), 0).sum(axis=axis, keepdims=True)
        unknown = np.where(isSpecial, ~exact | (finite > limit / 4), total > limit / 4)
        return np.where(isSpecial, a, a - error), np.where(isSpecial, a, b + error), unknown


def hiddenAlong(hidden, axis):
    return False if hidden is None else hidden.any(axis=axis, keepdims=True)


class Reduction(Entry):
    def __init__(self, operation, kinds, weight=1.5):
        self.operation, self.kinds, self.weight = operation, kinds, weight

    def attributes(self, attributes):
        text = axisText(attributes["axis"])
        if "nan_mode" in attributes:
            text += f", nan_mode = {attributes['nan_mode']}"
        return text

    def propose(self, g):
        value = g.pickOf(lambda v: v.kind in self.kinds and len(g.shape(v)) > 0)
        if value is None:
            return None
        attributes = {"axis": g.random.randrange(len(g.shape(value)))}
        if self.operation in ("max", "min") and value.kind in FLOATS and g.random.random() < 0.4:
            attributes["nan_mode"] = g.random.choice(["PROPAGATE", "IGNORE"])
        return [value], [value.kind], attributes

    def evaluate(self, operands, attributes, kinds):
        data, axis = operands[0], attributes["axis"]
        checkAxis(data, axis)
        if data.kind.isFloat and self.operation in ("sum", "product"):
            return [self.continued(data, axis)]
        return [getattr(self, self.operation)(data, axis, attributes)]

    def continued(self, data, axis):
        """A sum or a product of floats; successive ones may be one, which is
        rounded once (red-1, red-3)."""
        compute = getattr(self, f"{self.operation}Bounds")
        wide = data.low.astype(np.float64), data.high.astype(np.float64)
        low, high, unknown = compute(data.kind, *wide, data.unknown, axis)
        made = between(data.kind, low, high, unknown)
        if data.kind.name not in NARROW:
            return made
        made.unrounded = self.operation, low, high, unknown
        if data.unrounded is not None and data.unrounded[0] == self.operation:
            low, high, unknown = compute(data.kind, *data.unrounded[1:], axis)
            other = between(data.kind, low, high, unknown)
            both = [o.astype(np.float64) for o in (made.low, made.high, other.low, other.high)]
            unrounded = (
                self.operation,
                np.minimum(low, made.unrounded[1]),
                np.maximum(high, made.unrounded[2]),
                (made.unrounded[3] | unknown),
            )
            with np.errstate(all="ignore"):
                # What is infinite in one of both ways only is unknown.
                hidden = made.mask() | other.mask() | (np.isnan(both[0]) != np.isnan(both[2]))
                made = between(data.kind, np.fmin(both[0], both[2]), np.fmax(both[1], both[3]), hidden)
            made.unrounded = unrounded
        return made

    def any(self, data, axis, _):
        return self.logical(data, axis, np.any)

    def all(self, data, axis, _):
        return self.logical(data, axis, np.all)

    def logical(self, data, axis, fold):
        return Data(data.kind, fold(data.low, axis=axis, keepdims=True), None, self.unknown(data, axis))

    def unknown(self, data, axis):
        return None if data.unknown is None else data.unknown.any(axis=axis, keepdims=True)

    def sumBounds(self, kind, low, high, hidden, axis):
        if low.shape[axis] == 0:
            zeros = np.zeros(low.sum(axis=axis, keepdims=True).shape)
            return zeros, zeros, np.zeros(zeros.shape, bool)
        low, high, unknown = sumBounds(kind, low, high, axis)
        return low, high, unknown | hiddenAlong(hidden, axis)

    def productBounds(self, kind, low, high, hidden, axis):
        eps = TYPES["f32" if kind.name in NARROW else kind.name].eps
        with np.errstate(all="ignore"):
            # Somewhere between may be an overflow, or an underflow.
            logs = np.where(low == 0, 0, np.log2(np.maximum(np.abs(low), np.abs(high))))
            up = np.where(logs > 0, logs, 0).sum(axis=axis, keepdims=True)
            down = np.where(logs < 0, logs, 0).sum(axis=axis, keepdims=True)
            inner = TYPES["f32"] if kind.name in NARROW else kind
            exact = ((low == high) | np.isnan(low)).all(axis=axis, keepdims=True)
            value = np.multiply.reduce(low, axis=axis, keepdims=True)
            unknown = ~((up < inner.largest - 1) & (down > inner.smallest + inner.precision + 1) & exact)
            unknown |= ~np.isfinite(value)
            error = np.abs(value) * eps * (low.shape[axis] + 2)
            # What is exactly -0 stays so; a zero of either sign makes one of either sign.
            either = ((low == 0) & (np.signbit(low) != np.signbit(high))).any(axis=axis, keepdims=True)
            ends = [
                np.where(either & (value == 0), zero, np.where(error == 0, value, end))
                for zero, end in ((-0.0, value - error), (0.0, value + error))
            ]
            return *ends, unknown | hiddenAlong(hidden, axis)

    def sum(self, data, axis, _):
        wide = data.low.astype(np.uint64).sum(axis=axis, keepdims=True, dtype=np.uint64)
        return Data(data.kind, wide.astype(data.kind.dtype), None, self.unknown(data, axis))

    def product(self, data, axis, _):
        wide = np.multiply.reduce(data.low.astype(np.uint64), axis=axis, keepdims=True)
        return Data(data.kind, wide.astype(data.kind.dtype), None, self.unknown(data, axis))

    def max(self, data, axis, attributes):
        return self.extreme(data, axis, attributes, True)

    def min(self, data, axis, attributes):
        return self.extreme(data, axis, attributes, False)

    def extreme(self, data, axis, attributes, isMax):
        ends = [
            extremeOf(a, data.kind, axis, isMax, attributes.get("nan_mode"))
            for a in ([data.low] if data.high is data.low else [data.low, data.high])
        ]
        unknown = self.unknown(data, axis)
        if not data.kind.isFloat:
            return Data(data.kind, ends[0], None, unknown)
        return (
            Data(data.kind, ends[0], None, unknown) if len(ends) == 1 else between(data.kind, ends[0], ends[1], unknown)
        )


def extremeOf(array, kind, axis, isMax, nanMode):
    """red-2 and el-5 for exact elements."""
    shape = tuple(1 if i == axis else e for i, e in enumerate(array.shape))
    if not kind.isFloat:
        limits = np.iinfo(kind.dtype)
        start = limits.min if isMax else limits.max
        return (np.maximum if isMax else np.minimum).reduce(array, axis=axis, keepdims=True, initial=start)
    wide = array.astype(np.float64)
    if not isMax:
        wide = -wide
    isNaN = np.isnan(wide)
    with np.errstate(all="ignore"):
        best = np.where(isNaN, -np.inf, wide).max(axis=axis, keepdims=True, initial=-np.inf)
        # +0 is larger than -0.
        positive = ((wide == 0) & ~np.signbit(wide)).any(axis=axis, keepdims=True)
    best = np.where(best == 0, np.where(positive, 0.0, -0.0), best)
    if nanMode == "IGNORE":
        best = np.where(isNaN.all(axis=axis, keepdims=True), np.nan, best)
    else:
        best = np.where(isNaN.any(axis=axis, keepdims=True), np.nan, best)
    return (best if isMax else -best).astype(kind.dtype).reshape(shape)


for _name, _kinds, _weight in (
    ("sum", NUMBERS, 2),
    ("max", NUMBERS, 2),
    ("min", NUMBERS, 1.5),
    ("product", NUMBERS, 0.7),
    ("any", ("i1",), 1),
    ("all", ("i1",), 1),
):
    register(f"reduce_{_name}", Reduction(_name, _kinds, _weight))


class Argmax(Entry):
    weight = 0.7

    def attributes(self, attributes):
        return axisText(attributes["axis"]) + f", nan_mode = {attributes['nan_mode']}"

    def propose(self, g):
        value = g.pickOf(lambda v: v.kind in NUMBERS and len(g.shape(v)) > 0)
        return value and (
            [value],
            ["i32"],
            {"axis": g.random.randrange(len(g.shape(value))), "nan_mode": g.random.choice(["PROPAGATE", "IGNORE"])},
        )

    def evaluate(self, operands, attributes, kinds):
        data, axis = operands[0], attributes["axis"]
        checkAxis(data, axis)
        i32 = TYPES["i32"]
        shape = data.shape[:axis] + data.shape[axis + 1 :]
        if data.shape[axis] == 0:
            return [Data(i32, np.zeros(shape, np.int32))]
        array = data.low
        if data.kind.isFloat:
            array = array.astype(np.float64)
            if attributes["nan_mode"] == "IGNORE":
                array = np.where(np.isnan(array), -np.inf, array)
        uncertain = data.uncertain()
        found = np.argmax(array, axis=axis).astype(np.int32).reshape(shape)
        return [Data(i32, found, None, uncertain.any(axis=axis) if uncertain.any() else None)]


register("argmax", Argmax())


class Sort(Entry):
    """loom.sort of all elements along an axis, or of the first of them."""

    weight = 0.5

    def propose(self, g):
        value = g.pickOf(lambda v: v.kind in (*NUMBERS, "i1") and len(g.shape(v)) > 0 and g.data(v).isExact)
        if value is None:
            return None
        axis = g.random.randrange(len(g.shape(value)))
        size = g.shape(value)[axis]
        count = None if g.random.random() < 0.5 else g.random.randint(0, size)
        return [value], [value.kind, "i64"], {"axis": axis, "count": count, "descending": g.random.random() < 0.3}

    def evaluate(self, operands, attributes, kinds):
        data, axis, count = operands[0], attributes["axis"], attributes["count"]
        checkAxis(data, axis)
        if count is not None and count > data.shape[axis]:
            raise Fails("more elements than there are")
        if not data.isExact:
            raise Undecided("the order of elements that are not known")
        array = data.low.astype(np.float64) if data.kind.isFloat else data.low.astype(np.int64)
        # A NaN is the largest; the later of two equal ones stays behind.
        isNaN = np.isnan(array) if data.kind.isFloat else np.zeros(array.shape, bool)
        value = np.where(isNaN, 0, array)
        if attributes["descending"]:
            value, isNaN = (-value if data.kind.isFloat else ~value), ~isNaN
        indices = np.lexsort((value, isNaN), axis=axis)
        if count is not None:
            indices = np.take(indices, range(count), axis)
        values = np.take_along_axis(data.low, indices, axis)
        return [Data(data.kind, values), Data(TYPES["i64"], indices.astype(np.int64))]

    def write(self, operation, w):
        source, attributes = operation.operands[0], operation.attributes
        into = []
        for result in operation.results:
            extents, made = [], result.extents
            if attributes["count"] is None:
                # A destination of so many elements would request the first of them.
                made = tuple(None if i == attributes["axis"] else e for i, e in enumerate(made))
            for axis, extent in enumerate(made):
                if extent is not None:
                    continue
                if axis == attributes["axis"] and attributes["count"] is not None:
                    extents.append(w.index(attributes["count"]))
                    continue
                extents.append(w.fresh("k"))
                w.line(f"{extents[-1]} = tensor.dim {w.name(source)}, {w.index(axis)} : {w.type(source)}")
            name = w.fresh("e")
            w.line(f"{name} = tensor.empty({', '.join(extents)}) : {typeText(result.kind, made)}")
            if made != tuple(result.extents):
                name, opened = w.fresh("e"), name
                w.line(f"{name} = tensor.cast {opened} : {typeText(result.kind, made)} to {w.type(result)}")
            into.append(name)
        types = w.types(operation.results)
        descending = ", descending" if attributes["descending"] else ""
        w.line(
            f"{w.definitions(operation)}loom.sort {w.name(source)} into {', '.join(into)} "
            f"{{axis = {attributes['axis']} : i64{descending}}} : ({w.type(source)}, {types}) -> ({types})"
        )


register("sort", Sort())
