"""Operations of `tensor` and `arith`: extents as numbers, slices that numbers
decide, and what is computed on whole tensors."""

import numpy as np
from data import INDEX, exact, join, kindOf
from element_types import INTEGERS

from operations import TABLE, Entry, Fails, TooLarge, Undecided, register


def number(value):
    """An index as Data."""
    return exact(INDEX, np.array(value, np.int64))


class Dim(Entry):
    """tensor.dim."""

    weight = 1.5

    def propose(self, g):
        value = g.pickOf(lambda v: len(g.shape(v)) > 0)
        return value and ([value], ["index"], {"axis": g.random.randrange(len(g.shape(value)))})

    def evaluate(self, operands, attributes, kinds):
        if attributes["axis"] >= len(operands[0].shape):
            raise Fails("there is no such axis")
        return [number(operands[0].shape[attributes["axis"]])]

    def write(self, operation, w):
        axis, value = w.index(operation.attributes["axis"]), operation.operands[0]
        w.line(f"{w.name(operation.results[0])} = tensor.dim {w.name(value)}, {axis} : {w.type(value)}")


def mixed(g, wanted):
    """(operands, numbers with None where an operand stands): each number is an
    operand where there is one with that value."""
    operands, numbers = [], []
    for value in wanted:
        fits = [v for v in g.numbers() if int(g.data(v).low) == value]
        chosen = g.random.choice(fits) if fits else None
        if chosen is None and g.random.random() < 0.15:
            chosen = g.newIndex(value)
        if chosen is not None and g.random.random() < 0.7:
            operands.append(chosen)
            numbers.append(None)
        else:
            numbers.append(value)
    return operands, numbers


def filled(numbers, operands):
    """The numbers, with the operands, an iterator, where there is none."""
    return [int(next(operands).low) if n is None else n for n in numbers]


def listText(w, numbers, operands):
    return ", ".join(w.name(next(operands)) if n is None else str(n) for n in numbers)


class ExtractSlice(Entry):
    weight = 2.5
    # Its type says `?` where an operand tells the extent, and a number else.
    typed = "sizes"

    def propose(self, g):
        value = g.pickOf(lambda v: len(g.shape(v)) > 0)
        if value is None:
            return None
        offsets, sizes, strides = [], [], []
        for extent in g.shape(value):
            stride = g.random.choice([1, 1, 1, 2, 3])
            if not extent:
                return None
            offset = g.random.choice([0, 0, g.random.randrange(extent)])
            most = -(-(extent - offset) // stride)
            sizes.append(g.random.choice([most, g.random.randint(0, most)]))
            offsets.append(offset)
            strides.append(stride)
        found = [mixed(g, list_) for list_ in (offsets, sizes, strides)]
        operands = [value] + [o for list_, _ in found for o in list_]
        return operands, [value.kind], dict(zip(("offsets", "sizes", "strides"), (n for _, n in found)))

    def evaluate(self, operands, attributes, kinds):
        data, rest = operands[0], iter(operands[1:])
        offsets, sizes, strides = (filled(attributes[k], rest) for k in ("offsets", "sizes", "strides"))
        if len(data.shape) != len(offsets):
            raise Fails("as many axes as offsets")
        index = inside(data.shape, offsets, sizes, strides)
        return [data.map(lambda a: a[index])]

    def write(self, operation, w):
        value, rest = operation.operands[0], iter(operation.operands[1:])
        texts = [listText(w, operation.attributes[k], rest) for k in ("offsets", "sizes", "strides")]
        result = operation.results[0]
        w.line(
            f"{w.name(result)} = tensor.extract_slice {w.name(value)}[{texts[0]}] [{texts[1]}] [{texts[2]}] : "
            f"{w.type(value)} to {w.type(result)}"
        )


def inside(shape, offsets, sizes, strides):
    """rt-11, as an index of NumPy's."""
    index = []
    for extent, offset, size, stride in zip(shape, offsets, sizes, strides):
        last = offset + (size - 1) * stride
        if (offset == extent and size == 0) or (size < 0 and stride < 0):
            raise Undecided("an empty slice behind the last element")
        if size < 0 or offset < 0 or offset > extent or (size > 0 and not (0 <= last < extent and offset < extent)):
            raise Fails("the slice leaves its operand")
        if stride <= 0:
            raise Undecided("what strides may be")
        index.append(slice(offset, offset + size * stride if size else offset, stride))
    return tuple(index)


class InsertSlice(Entry):
    """A source in place of a part of a destination of its rank."""

    weight = 1.2

    def propose(self, g):
        into = g.pickOf(lambda v: len(g.shape(v)) > 0)
        if into is None:
            return None
        shape = g.shape(into)
        fits = [
            v
            for v in g.values()
            if v.kind == into.kind and len(g.shape(v)) == len(shape) and all(a <= b for a, b in zip(g.shape(v), shape))
        ]
        source = g.random.choice(fits)
        offsets = [g.random.randint(0, b - a) for a, b in zip(g.shape(source), shape)]
        operands, numbers = mixed(g, offsets)
        return [source, into, *operands], [into.kind], {"offsets": numbers}

    def evaluate(self, operands, attributes, kinds):
        source, into, rest = operands[0], operands[1], iter(operands[2:])
        offsets = filled(attributes["offsets"], rest)
        if len(source.shape) != len(into.shape) or len(into.shape) != len(offsets):
            raise Fails("ranks")
        index = inside(into.shape, offsets, source.shape, [1] * len(offsets))

        def put(arrays):
            out = arrays[1].copy()
            out[index] = arrays[0]
            return out

        return [join(into.kind, [source, into], put)]

    def write(self, operation, w):
        source, into = operation.operands[:2]
        offsets = listText(w, operation.attributes["offsets"], iter(operation.operands[2:]))
        # Sizes are the source's own extents.
        sizes = []
        for axis, extent in enumerate(source.extents):
            if extent is None:
                name = w.fresh("k")
                w.line(f"{name} = tensor.dim {w.name(source)}, {w.index(axis)} : {w.type(source)}")
                sizes.append(name)
            else:
                sizes.append(str(extent))
        ones = ", ".join("1" for _ in sizes)
        w.line(
            f"{w.name(operation.results[0])} = tensor.insert_slice {w.name(source)} into {w.name(into)}[{offsets}] "
            f"[{', '.join(sizes)}] [{ones}] : {w.type(source)} into {w.type(into)}"
        )


#: The modes of loom.boundary without a value, and what NumPy calls them.
BOUNDARIES = {"replicate": "edge", "reflect": "reflect", "symmetric": "symmetric", "wrap": "wrap"}


def spread(a, inner, between):
    """Zeros between each two elements of an array."""
    wide = np.zeros(inner, a.dtype)
    wide[tuple(slice(None, None, more + 1) for more in between)] = a
    return wide


class TensorPad(Entry):
    """tensor.pad with 0, or with the first element of what it pads, which there must be
    where there is padding; or loom.boundary, also with zeros between elements."""

    weight = 0.7

    def propose(self, g):
        value = g.pickOf(lambda v: v.kind in ("f32", "f64", "i32", "i8", "i1") and len(g.shape(v)) > 0)
        if value is None:
            return None
        found = [mixed(g, [g.random.choice([0, 0, 1, 2]) for _ in g.shape(value)]) for _ in range(2)]
        operands = [value] + [o for list_, _ in found for o in list_]
        attributes = {"low": found[0][1], "high": found[1][1]}
        draw = g.random.random()
        if draw < 0.4:
            attributes["mode"] = g.random.choice(list(BOUNDARIES))
        elif draw < 0.5:
            attributes["interior"] = [g.random.choice([0, 1, 2]) for _ in g.shape(value)]
        else:
            attributes["first"] = g.random.random() < 0.3
        return operands, [value.kind], attributes

    def evaluate(self, operands, attributes, kinds):
        data, rest = operands[0], iter(operands[1:])
        low, high = filled(attributes["low"], rest), filled(attributes["high"], rest)
        if len(low) != len(data.shape):
            raise Fails("as many axes as paddings")
        between = attributes.get("interior") or [0] * len(low)
        inner = [max((more + 1) * e - more, 0) for more, e in zip(between, data.shape)]
        shape = [a + e + b for a, e, b in zip(low, inner, high)]
        if min(*low, *high) < 0:
            raise Fails("a negative padding") if min(shape) < 0 else Undecided("a negative padding")
        if any(e > 1 << 20 for e in shape):
            raise TooLarge("too large")
        if mode := attributes.get("mode"):
            if any(e == 0 and a + b for a, e, b in zip(low, data.shape, high)):
                raise Fails("no element to repeat")
            return [data.map(lambda a: np.pad(a, list(zip(low, high)), mode=BOUNDARIES[mode]))]
        if "interior" in attributes:
            return [data.map(lambda a: np.pad(spread(a, inner, between), list(zip(low, high))))]
        if attributes.get("first") and 0 not in shape and shape != list(data.shape):
            if 0 in data.shape:
                raise Fails("no first element")
            return [data.map(lambda a: np.pad(a, list(zip(low, high)), constant_values=a.flat[0]))]
        return [data.map(lambda a: np.pad(a, list(zip(low, high))))]

    def write(self, operation, w):
        value, result, rest = operation.operands[0], operation.results[0], iter(operation.operands[1:])
        low, high = (listText(w, operation.attributes[k], rest) for k in ("low", "high"))
        if mode := operation.attributes.get("mode"):
            w.line(
                f"{w.name(result)} = loom.boundary {mode} {w.name(value)} low[{low}] high[{high}] : "
                f"{w.type(value)} to {w.type(result)}"
            )
            return
        zero = w.fresh("z")
        kind = result.kind
        interior = operation.attributes.get("interior")
        start = w.index(0) if operation.attributes.get("first") else ""
        if not start:
            w.line(
                f"{zero} = arith.constant {'0.0' if kind[0] == 'f' else 'false' if kind == 'i1' else '0'}"
                f"{'' if kind == 'i1' else f' : {kind}'}"
            )
        if interior:
            w.line(
                f"{w.name(result)} = loom.boundary constant {w.name(value)} with {zero} : {kind} low[{low}] "
                f"high[{high}] interior {interior} : {w.type(value)} to {w.type(result)}"
            )
            return
        w.line(f"{w.name(result)} = tensor.pad {w.name(value)} low[{low}] high[{high}] {{")
        indices = ", ".join(f"{w.fresh('i')}: index" for _ in operation.attributes["low"])
        w.line(f"^bb0({indices}):")
        if start:
            starts = ", ".join(start for _ in operation.attributes["low"])
            w.line(f"{zero} = tensor.extract {w.name(value)}[{starts}] : {w.type(value)}")
        w.line(f"tensor.yield {zero} : {kind}")
        w.line(f"}} : {w.type(value)} to {w.type(result)}")


class Generic(Entry):
    """linalg.generic that adds two operands, each transposed or not."""

    weight = 0.7

    def propose(self, g):
        a = g.pickOf(lambda v: v.kind in ("f32", "i32") and len(g.shape(v)) == 2)
        if a is None:
            return None
        turned = g.random.random() < 0.5
        wanted = g.shape(a)[::-1] if turned else g.shape(a)
        b = g.pickOf(lambda v: v.kind == a.kind and g.shape(v) == wanted)
        return b and ([a, b], [a.kind], {"turned": turned})

    def evaluate(self, operands, attributes, kinds):
        a, b = operands
        if len(a.shape) != 2 or len(b.shape) != 2:
            raise Fails("ranks")
        if attributes["turned"]:
            b = b.map(lambda x: x.T)
        if a.shape != b.shape:
            raise Fails("extents that differ")
        return TABLE["add"].evaluate([a, b], {}, kinds)

    def write(self, operation, w):
        (a, b), result = operation.operands, operation.results[0]
        kind, empty = result.kind, w.fresh("e")
        extents = []
        for axis, extent in enumerate(result.extents):
            if extent is None:
                name = w.fresh("k")
                w.line(f"{name} = tensor.dim {w.name(a)}, {w.index(axis)} : {w.type(a)}")
                extents.append(name)
        w.line(f"{empty} = tensor.empty({', '.join(extents)}) : {w.type(result)}")
        plain = "affine_map<(i, j) -> (i, j)>"
        second = "affine_map<(i, j) -> (j, i)>" if operation.attributes["turned"] else plain
        w.line(
            f"{w.name(result)} = linalg.generic {{indexing_maps = [{plain}, {second}, {plain}], "
            f'iterator_types = ["parallel", "parallel"]}} ins({w.name(a)}, {w.name(b)} : {w.type(a)}, {w.type(b)}) '
            f"outs({empty} : {w.type(result)}) {{"
        )
        x, y, z, s = (w.fresh("x") for _ in range(4))
        w.line(f"^bb0({x}: {kind}, {y}: {kind}, {z}: {kind}):")
        w.line(f"{s} = arith.{'addf' if kind == 'f32' else 'addi'} {x}, {y} : {kind}")
        w.line(f"linalg.yield {s} : {kind}")
        w.line(f"}} -> {w.type(result)}")


class Collapse(Entry):
    """tensor.collapse_shape: axes next to each other become one."""

    weight = 0.8

    def propose(self, g):
        value = g.pickOf(lambda v: len(g.shape(v)) > 0)
        if value is None:
            return None
        groups = [[0]]
        for axis in range(1, len(g.shape(value))):
            if g.random.random() < 0.5:
                groups[-1].append(axis)
            else:
                groups.append([axis])
        return [value], [value.kind], {"groups": groups}

    def evaluate(self, operands, attributes, kinds):
        data, groups = operands[0], attributes["groups"]
        if len(data.shape) != groups[-1][-1] + 1:
            raise Fails("ranks")
        shape = [int(np.prod([data.shape[a] for a in group])) for group in groups]
        return [data.map(lambda a: a.reshape(shape))]

    def write(self, operation, w):
        value, result = operation.operands[0], operation.results[0]
        w.line(
            f"{w.name(result)} = tensor.collapse_shape {w.name(value)} {operation.attributes['groups']} : "
            f"{w.type(value)} into {w.type(result)}"
        )


ARITH = {
    "addf": ("add", True),
    "subf": ("sub", True),
    "mulf": ("mul", True),
    "maximumf": ("maximum", True),
    "minimumf": ("minimum", True),
    "negf": ("negate", True),
    "addi": ("add", False),
    "subi": ("sub", False),
    "muli": ("mul", False),
    "andi": ("bitwise_and", False),
    "ori": ("bitwise_or", False),
    "xori": ("bitwise_xor", False),
    "maxsi": ("maximum", False),
    "minsi": ("minimum", False),
}


class Arithmetic(Entry):
    """arith on whole tensors, all of one type."""

    weight = 1.5
    typed = "same"

    def propose(self, g):
        value = g.pickOf(lambda v: v.kind in ("f32", "f64", "f16", *INTEGERS))
        if value is None:
            return None
        isFloat = value.kind[0] == "f"
        function = g.random.choice([n for n, (_, f) in ARITH.items() if f == isFloat])
        other = g.pickOf(lambda v: v.kind == value.kind and g.shape(v) == g.shape(value))
        return [value, other][: 1 if function == "negf" else 2], [value.kind], {"function": function}

    def evaluate(self, operands, attributes, kinds):
        if len({o.shape for o in operands}) > 1:
            raise Fails("extents that differ")
        name, _ = ARITH[attributes["function"]]
        return TABLE[name].evaluate(operands, {}, kinds)

    def write(self, operation, w):
        names = ", ".join(map(w.name, operation.operands))
        w.line(
            f"{w.name(operation.results[0])} = arith.{operation.attributes['function']} {names} : "
            f"{w.type(operation.results[0])}"
        )


class OddWidth(Entry):
    """Integers of so many bits that no argument has them, in memory between operations."""

    weight = 0.5
    typed = "same"

    def propose(self, g):
        value = g.pickOf(lambda v: v.kind in ("i8", "i16", "i32", "i64"))
        # Those of 4 and 48 bits are TOSA's (el-12).
        return value and (
            [value],
            [value.kind],
            {"bits": g.random.choice([n for n in range(2, int(value.kind[1:])) if n not in (4, 48)])},
        )

    def evaluate(self, operands, attributes, kinds):
        kind, half = kindOf(kinds[0]), 1 << (attributes["bits"] - 1)

        def wrapped(array):
            values = [(2 * int(v) + half) % (2 * half) - half for v in array.flat]
            return np.array(values, object).astype(kind.dtype).reshape(array.shape)

        if not operands[0].isExact:
            raise Undecided("what wraps")
        return [exact(kind, wrapped(operands[0].low))]

    def write(self, operation, w):
        value, result = operation.operands[0], operation.results[0]
        wide = w.type(result)
        narrow = wide.replace(f"{result.kind}", f"i{operation.attributes['bits']}")
        x, y = w.fresh("x"), w.fresh("x")
        w.line(f"{x} = arith.trunci {w.name(value)} : {wide} to {narrow}")
        w.line(f"{y} = arith.addi {x}, {x} : {narrow}")
        w.line(f"{w.name(result)} = arith.extsi {y} : {narrow} to {wide}")


class Map(Entry):
    """loom.map of a program's own (rt-10): operands broadcast."""

    weight = 0.8
    anyRank = True

    def propose(self, g):
        a = g.pickOf(lambda v: v.kind in ("f32", "i32", "i64"))
        b = a and g.pickBroadcasting(a.kind, a)
        if b is None:
            return None
        isFloat = a.kind[0] == "f"
        function = g.random.choice([n for n, (_, f) in ARITH.items() if f == isFloat and n != "negf"])
        return [a, b], [a.kind], {"function": function}

    def evaluate(self, operands, attributes, kinds):
        name, _ = ARITH[attributes["function"]]
        return TABLE[name].evaluate(operands, {}, kinds)

    def write(self, operation, w):
        (a, b), result = operation.operands, operation.results[0]
        x, y, z = (w.fresh("x") for _ in range(3))
        w.line(
            f"{w.name(result)} = loom.map({x} = {w.name(a)} : {w.type(a)}, {y} = {w.name(b)} : {w.type(b)}) -> "
            f"{w.type(result)} {{"
        )
        w.line(f"{z} = arith.{operation.attributes['function']} {x}, {y} : {result.kind}")
        w.line(f"loom.yield {z} : {result.kind}")
        w.line("}")


for _name, _class in (
    ("dim", Dim),
    ("extract_slice", ExtractSlice),
    ("insert_slice", InsertSlice),
    ("tensor_pad", TensorPad),
    ("generic", Generic),
    ("collapse", Collapse),
    ("map", Map),
    ("arithmetic", Arithmetic),
    ("odd_width", OddWidth),
):
    register(_name, _class())
