"""Operations that move elements: each is one function of an array."""

import numpy as np
from data import Data, exact, join, kindOf

from operations import Entry, Fails, Undecided, register
from operations.attributes import arrayText, axisText

MOST = 4000


def rank(g, value):
    return len(g.shape(value))


def ranked(g):
    return g.pickOf(lambda v: rank(g, v) > 0)


class Reshape(Entry):
    weight = 3

    def extras(self, attributes):
        return [("shape", attributes["shape"])]

    def propose(self, g):
        value = g.pick()
        if value is None:
            return None
        shape = list(g.shape(value))
        for _ in range(g.random.randrange(1, 3)):
            change = g.random.choice(["merge", "one", "drop", "split", "flat", "swap"])
            at = g.random.randrange(len(shape)) if shape else 0
            if change == "merge" and len(shape) > 1 and at + 1 < len(shape):
                shape[at : at + 2] = [shape[at] * shape[at + 1]]
            elif change == "one" and len(shape) < 5:
                shape.insert(g.random.randrange(len(shape) + 1), 1)
            elif change == "drop" and 1 in shape:
                shape.remove(1)
            elif change == "split" and shape and len(shape) < 5:
                factors = [f for f in (2, 3, 4, 5) if shape[at] and shape[at] % f == 0]
                if factors:
                    f = g.random.choice(factors)
                    shape[at : at + 1] = [f, shape[at] // f]
            elif change == "flat":
                shape = [int(np.prod(shape))]
            elif change == "swap":
                g.random.shuffle(shape)
        if shape and 0 not in shape and g.random.random() < 0.5:
            shape[g.random.randrange(len(shape))] = -1
        return [value], [value.kind], {"shape": shape}

    def evaluate(self, operands, attributes, kinds):
        data, shape = operands[0], list(attributes["shape"])
        size = int(np.prod(data.shape))
        if -1 in shape:
            others = int(np.prod([e for e in shape if e != -1]))
            if others == 0 or size % others:
                raise Fails("the elements do not fit")
            shape[shape.index(-1)] = size // others
        if int(np.prod(shape)) != size:
            raise Fails("the number of elements changes")
        return [data.map(lambda a: a.reshape(shape))]


class Transpose(Entry):
    weight = 2

    def attributes(self, attributes):
        return arrayText("perms", attributes["perms"], "i32")

    def propose(self, g):
        value = ranked(g)
        if value is None:
            return None
        perms = list(range(rank(g, value)))
        g.random.shuffle(perms)
        return [value], [value.kind], {"perms": perms}

    def evaluate(self, operands, attributes, kinds):
        if len(operands[0].shape) != len(attributes["perms"]):
            raise Fails("as many axes as permutations")
        return [operands[0].map(lambda a: np.transpose(a, attributes["perms"]))]


class Reverse(Entry):
    weight = 1

    def attributes(self, attributes):
        return axisText(attributes["axis"])

    def propose(self, g):
        value = ranked(g)
        return value and ([value], [value.kind], {"axis": g.random.randrange(rank(g, value))})

    def evaluate(self, operands, attributes, kinds):
        axis = attributes["axis"]
        if axis >= len(operands[0].shape):
            raise Fails("there is no such axis")
        return [operands[0].map(lambda a: np.flip(a, axis))]


class Concat(Entry):
    weight = 2

    def attributes(self, attributes):
        return axisText(attributes["axis"])

    def propose(self, g):
        first = ranked(g)
        if first is None:
            return None
        shape = g.shape(first)
        axis = g.random.randrange(len(shape))
        fits = [
            v
            for v in g.values()
            if v.kind == first.kind
            and len(g.shape(v)) == len(shape)
            and all(i == axis or a == b for i, (a, b) in enumerate(zip(g.shape(v), shape)))
        ]
        operands = [first] + [g.random.choice(fits) for _ in range(g.random.choice([0, 1, 1, 1, 2, 3]))]
        g.random.shuffle(operands)
        return operands, [first.kind], {"axis": axis}

    def evaluate(self, operands, attributes, kinds):
        axis, shapes = attributes["axis"], [o.shape for o in operands]
        if (
            len({len(s) for s in shapes}) > 1
            or axis >= len(shapes[0])
            or len({s[:axis] + s[axis + 1 :] for s in shapes}) > 1
        ):
            raise Fails("other axes differ")
        return [join(operands[0].kind, operands, lambda arrays: np.concatenate(arrays, axis))]


class Slice(Entry):
    weight = 2.5

    def extras(self, attributes):
        return [("shape", attributes["start"]), ("shape", attributes["size"])]

    def propose(self, g):
        value = ranked(g)
        if value is None:
            return None
        start, size = [], []
        for extent in g.shape(value):
            if g.random.random() < 0.4:
                start.append(0)
                size.append(extent)
            else:
                start.append(g.random.randrange(extent) if extent else 0)
                left = extent - start[-1]
                size.append(g.random.randint(1, left) if left else 0)
            if extent and g.random.random() < 0.15:
                size[-1] = -1
        if 0 in size:  # upstream's rule: a slice has elements
            return None
        return [value], [value.kind], {"start": start, "size": size}

    def evaluate(self, operands, attributes, kinds):
        shape = operands[0].shape
        index = []
        if len(shape) != len(attributes["start"]):
            raise Fails("as many axes as starts")
        for extent, start, size in zip(shape, attributes["start"], attributes["size"]):
            if size == -1:
                size = extent - start
            if start < 0 or size < 0 or start + size > extent:
                raise Fails("the slice leaves its operand")
            index.append(slice(start, start + size))
        return [operands[0].map(lambda a: a[tuple(index)])]


class Pad(Entry):
    weight = 1.5

    def extras(self, attributes):
        return [("shape", attributes["padding"]), (attributes["kind"], [attributes["value"]])]

    def propose(self, g):
        value = g.pickOf(lambda v: rank(g, v) > 0)
        if value is None:
            return None
        padding = [g.random.choice([0, 0, 1, 2, 5]) for _ in range(2 * rank(g, value))]
        return [value], [value.kind], {"padding": padding, "kind": value.kind, "value": g.random.choice([0, 1])}

    def evaluate(self, operands, attributes, kinds):
        data, padding = operands[0], attributes["padding"]
        if len(padding) != 2 * len(data.shape):
            raise Fails("two numbers for each axis")
        pairs = list(zip(padding[::2], padding[1::2]))
        out = data.map(lambda a: np.pad(a, pairs))
        inside = tuple(slice(b, b + e) for (b, _), e in zip(pairs, data.shape))
        value = data.kind.dtype.type(attributes["value"])
        for array in {id(out.low): out.low, id(out.high): out.high}.values():
            kept = array[inside].copy()
            array[...] = value
            array[inside] = kept
        return [out]


class Tile(Entry):
    weight = 1

    def extras(self, attributes):
        return [("shape", attributes["multiples"])]

    def propose(self, g):
        value = ranked(g)
        if value is None:
            return None
        multiples = [g.random.choice([1, 1, 1, 2, 3]) for _ in g.shape(value)]
        if int(np.prod(g.shape(value))) * int(np.prod(multiples)) > MOST:
            return None
        return [value], [value.kind], {"multiples": multiples}

    def evaluate(self, operands, attributes, kinds):
        if len(operands[0].shape) != len(attributes["multiples"]):
            raise Fails("as many axes as multiples")
        return [operands[0].map(lambda a: np.tile(a, attributes["multiples"]))]


def indices(g, rows, columns, limit, distinct=False):
    """A constant or argument of indices, or a value that has the shape."""
    if distinct:
        array = np.array([g.random.sample(range(limit), columns) for _ in range(rows)], np.int32)
    else:
        array = np.array([[g.random.randrange(limit) for _ in range(columns)] for _ in range(rows)], np.int32)
    return g.newInput("i32", array.reshape(rows, columns))


class Gather(Entry):
    """[N, K, C] by [N, W] to [N, W, C]."""

    weight = 0.6

    def propose(self, g):
        value = g.pickOf(lambda v: rank(g, v) == 3 and g.shape(v)[1] > 0)
        if value is None:
            return None
        n, k, _ = g.shape(value)
        index = indices(g, n, g.random.choice([1, 2, 3, 7]), k)
        return index and ([value, index], [value.kind], {})

    def evaluate(self, operands, attributes, kinds):
        data, index = operands
        if len(data.shape) != 3 or len(index.shape) != 2 or data.shape[0] != index.shape[0]:
            raise Fails("one row of indices for each batch")
        check(index, data.shape[1])
        return [data.map(lambda a: np.take_along_axis(a, index.low[:, :, None].astype(np.int64), 1))]


class Scatter(Entry):
    """[N, K, C], [N, W] and [N, W, C] to [N, K, C]."""

    weight = 0.4

    def propose(self, g):
        value = g.pickOf(lambda v: rank(g, v) == 3 and g.shape(v)[1] > 0)
        if value is None:
            return None
        n, k, c = g.shape(value)
        fits = [
            v
            for v in g.values()
            if v.kind == value.kind
            and rank(g, v) == 3
            and g.shape(v)[0] == n
            and g.shape(v)[2] == c
            and g.shape(v)[1] <= k
        ]
        source = g.random.choice(fits)
        index = indices(g, n, g.shape(source)[1], k, distinct=True)
        return index and ([value, index, source], [value.kind], {})

    def evaluate(self, operands, attributes, kinds):
        data, index, source = operands
        if (len(data.shape), len(index.shape), len(source.shape)) != (3, 2, 3):
            raise Fails("ranks")
        n, k, c = data.shape
        if index.shape != source.shape[:2] or source.shape[0] != n or source.shape[2] != c or index.shape[1] > k:
            raise Fails("extents that do not belong together")
        check(index, k)
        if index.shape[1] and any(len(set(row)) < len(row) for row in index.low.tolist()):
            raise Undecided("an index twice")
        place = index.low[:, :, None].astype(np.int64)

        def put(arrays):
            out = arrays[0].copy()
            if arrays[1].size:
                np.put_along_axis(out, np.broadcast_to(place, arrays[1].shape), arrays[1], 1)
            return out

        return [join(data.kind, [data, source], put)]


def check(index, limit):
    """rt-9."""
    if index.unknown is not None and index.unknown.any():
        raise Undecided("an index is not known")
    if ((index.low < 0) | (index.low >= limit)).any():
        raise Fails("an index outside its axis")


class Table(Entry):
    """tosa.table: of i8 the table's element at the value, counted from -128; of
    i16 what lies between two neighbours of 513, in 128 steps, as i32."""

    weight = 0.4

    def propose(self, g):
        value = g.pickOf(lambda v: v.kind in ("i8", "i16"))
        if value is None:
            return None
        isWide = value.kind == "i16"
        return [value, g.newOf(value.kind, (513 if isWide else 256,))], ["i32" if isWide else "i8"], {}

    def evaluate(self, operands, attributes, kinds):
        data, table = operands
        isWide = data.kind.name == "i16"
        if table.shape != (513 if isWide else 256,):
            raise Fails("a table of 256, or of 513")
        if not table.isExact:
            raise Undecided("the table is not known")
        value, entries = data.low.astype(np.int64), table.low.astype(np.int64)
        if not isWide:
            return [Data(data.kind, table.low[value + 128], None, data.unknown)]
        place = (value + 32768) >> 7
        slope = entries[place + 1] - entries[place]
        # TOSA requires that the slope fits i16.
        hidden = data.mask() | (np.abs(slope) > 32767)
        result = (entries[place] << 7) + slope * (value & 127)
        return [Data(kindOf(kinds[0]), result.astype(np.int32), None, hidden if hidden.any() else None)]


class Constant(Entry):
    """tosa.const; `values` is the array."""

    weight = 1

    def propose(self, g):
        kind, array = g.constant()
        return [], [kind], {"values": array}

    def evaluate(self, operands, attributes, kinds):
        return [exact(kindOf(kinds[0]), attributes["values"])]


for _name, _class in (
    ("reshape", Reshape),
    ("transpose", Transpose),
    ("reverse", Reverse),
    ("concat", Concat),
    ("slice", Slice),
    ("pad", Pad),
    ("tile", Tile),
    ("gather", Gather),
    ("scatter", Scatter),
    ("table", Table),
    ("const", Constant),
):
    register(_name, _class())
