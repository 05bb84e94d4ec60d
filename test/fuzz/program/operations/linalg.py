"""Operations of `linalg` on integers that wrap: named ones and linalg.generic
with any projections. The last operand is the destination, and what it holds
takes part. Its extents are those of the iteration space (rt-11)."""

import numpy as np
from data import Data, join

from operations import Entry, Fails, Undecided, register

KINDS = ("i32", "i64", "i16")


def wholes(operands):
    """The elements as i64."""
    return [o.low.astype(np.int64) for o in operands]


def result(operands, kind, values):
    """`values` as the type of the destination; nothing is known where something
    of an operand is not."""
    hidden = any(o.unknown is not None and o.unknown.any() for o in operands)
    return Data(kind, values.astype(kind.dtype), None, np.ones(values.shape, bool) if hidden else None)


def destination(g, kind, shape):
    """A value of that type to put a result into: one that is there, or a new one."""
    return g.pickOf(lambda v: v.kind == kind and g.shape(v) == shape) or g.newOf(kind, shape)


def agree(sizes, dimension, extent):
    if sizes.setdefault(dimension, extent) != extent:
        raise Fails("extents that differ")


def sizesOf(operands, maps):
    """The sizes of the dimensions; a call fails where the extents of two axes of one differ."""
    sizes = {}
    for data, dimensions in zip(operands, maps):
        if len(data.shape) != len(dimensions):
            raise Fails("ranks")
        for extent, d in zip(data.shape, dimensions):
            agree(sizes, d, extent)
    return sizes


def loopText(maps):
    """The attributes of a linalg.generic: a dimension that the last map lacks is reduced."""
    count = 1 + max(d for dimensions in maps for d in dimensions)
    names = ", ".join(f"d{d}" for d in range(count))
    texts = ", ".join(f"affine_map<({names}) -> ({', '.join(f'd{d}' for d in m)})>" for m in maps)
    kinds = ", ".join('"parallel"' if d in maps[-1] else '"reduction"' for d in range(count))
    return f"{{indexing_maps = [{texts}], iterator_types = [{kinds}]}}"


def checkWithout(shape, axes, rest):
    """A call fails unless `shape` without some axes, in order, is `rest`."""
    if len(shape) != len(rest) + len(axes) or axes[-1] >= len(shape):
        raise Fails("ranks")
    if tuple(e for d, e in enumerate(shape) if d not in axes) != rest:
        raise Fails("extents that differ")


class Generic(Entry):
    """Sums of products, or maxima of sums, of one or two operands; each has some
    of the dimensions, in any order."""

    weight = 0.8
    typed = "destination"

    def propose(self, g):
        a = g.pickOf(lambda v: v.kind in KINDS and 0 < len(g.shape(v)) < 4)
        if a is None:
            return None
        r = g.random
        dimensions = len(g.shape(a)) + r.choice([0, 0, 1])
        sizes = {d: r.choice([1, 2, 3, 5]) for d in range(dimensions)}
        first = r.sample(range(dimensions), len(g.shape(a)))
        sizes.update(zip(first, g.shape(a)))
        maps, operands = [first], [a]
        for _ in range(r.choice([0, 1])):
            maps.append(r.sample(range(dimensions), r.randint(0, dimensions)))
            operands.append(self.like(g, a.kind, maps[-1], sizes))
        # A dimension that no operand has is one of the destination's.
        free = [d for d in range(dimensions) if not any(d in m for m in maps)]
        maps.append(r.sample(range(dimensions), r.randint(0, dimensions)))
        maps[-1] += [d for d in free if d not in maps[-1]]
        operands.append(self.like(g, a.kind, maps[-1], sizes))
        if int(np.prod([sizes[d] for d in range(dimensions)])) > 20 * g.most:
            return None
        return operands, [a.kind], {"maps": maps, "function": r.choice(["sum", "sum", "max"])}

    def like(self, g, kind, dimensions, sizes):
        shape = tuple(sizes[d] for d in dimensions)
        found = g.pickOf(lambda v: v.kind == kind and g.shape(v) == shape)
        return found if found and g.random.random() < 0.7 else g.newOf(kind, shape)

    def evaluate(self, operands, attributes, kinds):
        maps = attributes["maps"]
        sizes = sizesOf(operands, maps)
        order = sorted(sizes)
        spread = []
        for array, dimensions in zip(wholes(operands), maps):
            array = array.transpose(np.argsort(dimensions)) if dimensions else array
            spread.append(array.reshape([sizes[d] if d in dimensions else 1 for d in order]))
        *factors, before = spread
        with np.errstate(all="ignore"):
            isSum = attributes["function"] == "sum"
            value = factors[0] if len(factors) == 1 else factors[0] * factors[1] if isSum else factors[0] + factors[1]
            kind = operands[-1].kind
            # What the body computes wraps before it is compared.
            value = np.broadcast_to(value.astype(kind.dtype).astype(np.int64), [sizes[d] for d in order])
            axes = tuple(i for i, d in enumerate(order) if d not in maps[-1])
            if isSum:
                total = before + value.sum(axis=axes, keepdims=True)
            else:
                total = np.maximum(before, value.max(axis=axes, keepdims=True, initial=np.iinfo(np.int64).min))
        rest = [d for d in order if d in maps[-1]]
        total = total.reshape([sizes[d] for d in rest]).transpose([rest.index(d) for d in maps[-1]])
        return [result(operands, kind, total)]

    def write(self, operation, w):
        kind = operation.results[0].kind
        *inputs, into = operation.operands
        w.line(
            f"{w.name(operation.results[0])} = linalg.generic {loopText(operation.attributes['maps'])} "
            f"ins({', '.join(map(w.name, inputs))} : {w.types(inputs)}) outs({w.name(into)} : {w.type(into)}) {{"
        )
        values = [w.fresh("x") for _ in operation.operands]
        w.line(f"^bb0({', '.join(f'{v}: {kind}' for v in values)}):")
        isSum, value = operation.attributes["function"] == "sum", values[0]
        if len(inputs) == 2:
            value = w.fresh("x")
            w.line(f"{value} = arith.{'muli' if isSum else 'addi'} {values[0]}, {values[1]} : {kind}")
        total = w.fresh("x")
        w.line(f"{total} = arith.{'addi' if isSum else 'maxsi'} {values[-1]}, {value} : {kind}")
        w.line(f"linalg.yield {total} : {kind}")
        w.line(f"}} -> {w.type(operation.results[0])}")


class Named(Entry):
    """Named operations have their text in common."""

    typed = "destination"
    weight = 0.3

    def write(self, operation, w):
        *inputs, into = operation.operands
        attributes = self.attributes(operation.attributes)
        w.line(
            f"{w.name(operation.results[0])} = linalg.{self.operation} {attributes} ins({', '.join(map(w.name, inputs))} : "
            f"{w.types(inputs)}) outs({w.name(into)} : {w.type(into)}) -> {w.type(operation.results[0])}"
        )


class Matmul(Named):
    def __init__(self, operation, rank):
        self.operation, self.rank = operation, rank

    def propose(self, g):
        a = g.pickOf(lambda v: v.kind in (*KINDS, "i8") and len(g.shape(v)) == self.rank)
        if a is None:
            return None
        kind = "i32" if a.kind == "i8" else a.kind
        *batch, m, k = g.shape(a)
        n = g.random.choice(g.extents)
        if m * n * k > 20 * g.most or m * n > g.most:
            return None
        b = g.pickOf(lambda v: v.kind == a.kind and g.shape(v)[:-1] == (*batch, k) and len(g.shape(v)) == self.rank)
        b = b or g.newOf(a.kind, (*batch, k, n))
        shape = (*batch, m, g.shape(b)[-1])
        into = destination(g, kind, shape)
        return [a, b, into], [kind], {}

    def evaluate(self, operands, attributes, kinds):
        a, b, into = operands
        if {len(o.shape) for o in operands} != {self.rank}:
            raise Fails("ranks")
        if (
            a.shape[:-2] != b.shape[:-2]
            or a.shape[:-2] != into.shape[:-2]
            or a.shape[-1] != b.shape[-2]
            or into.shape[-2:] != (a.shape[-2], b.shape[-1])
        ):
            raise Fails("extents that differ")
        x, y, z = wholes(operands)
        with np.errstate(all="ignore"):
            return [result(operands, into.kind, z + x @ y)]


class Transpose(Named):
    operation = "transpose"

    def propose(self, g):
        a = g.pickOf(lambda v: 1 < len(g.shape(v)) < 5 and v.kind != "i1")
        if a is None:
            return None
        order = list(range(len(g.shape(a))))
        g.random.shuffle(order)
        shape = tuple(g.shape(a)[d] for d in order)
        into = destination(g, a.kind, shape)
        return [a, into], [a.kind], {"order": order}

    def evaluate(self, operands, attributes, kinds):
        a, into = operands
        order = attributes["order"]
        if len(a.shape) != len(order) or len(into.shape) != len(order):
            raise Fails("ranks")
        if tuple(a.shape[d] for d in order) != into.shape:
            raise Fails("extents that differ")
        return [a.map(lambda x: np.ascontiguousarray(x.transpose(order)))]

    def write(self, operation, w):
        a, into = operation.operands
        w.line(
            f"{w.name(operation.results[0])} = linalg.transpose ins({w.name(a)} : {w.type(a)}) "
            f"outs({w.name(into)} : {w.type(into)}) permutation = {operation.attributes['order']}"
        )


class Broadcast(Named):
    operation = "broadcast"

    def propose(self, g):
        a = g.pickOf(lambda v: len(g.shape(v)) < 3 and v.kind != "i1")
        if a is None:
            return None
        rank = len(g.shape(a)) + g.random.choice([1, 1, 2])
        added = sorted(g.random.sample(range(rank), rank - len(g.shape(a))))
        mine = iter(g.shape(a))
        shape = tuple(g.random.choice([1, 2, 3]) if d in added else next(mine) for d in range(rank))
        into = destination(g, a.kind, shape)
        return [a, into], [a.kind], {"added": added}

    def evaluate(self, operands, attributes, kinds):
        a, into = operands
        added = attributes["added"]
        checkWithout(into.shape, added, a.shape)
        return [a.map(lambda x: np.ascontiguousarray(np.broadcast_to(np.expand_dims(x, tuple(added)), into.shape)))]

    def write(self, operation, w):
        a, into = operation.operands
        w.line(
            f"{w.name(operation.results[0])} = linalg.broadcast ins({w.name(a)} : {w.type(a)}) "
            f"outs({w.name(into)} : {w.type(into)}) dimensions = {operation.attributes['added']}"
        )


class Reduce(Named):
    """linalg.reduce, to which the destination is added or compared."""

    operation = "reduce"

    def propose(self, g):
        a = g.pickOf(lambda v: v.kind in KINDS and len(g.shape(v)) > 0)
        if a is None:
            return None
        rank = len(g.shape(a))
        axes = sorted(g.random.sample(range(rank), g.random.randint(1, rank)))
        shape = tuple(e for d, e in enumerate(g.shape(a)) if d not in axes)
        into = destination(g, a.kind, shape)
        return [a, into], [a.kind], {"axes": axes, "function": g.random.choice(["addi", "maxsi", "xori"])}

    def evaluate(self, operands, attributes, kinds):
        a, into = operands
        axes = attributes["axes"]
        checkWithout(a.shape, axes, into.shape)
        function = {"addi": np.add, "maxsi": np.maximum, "xori": np.bitwise_xor}[attributes["function"]]
        x, z = wholes(operands)
        with np.errstate(all="ignore"):
            start = -(1 << 63) if function is np.maximum else 0
            return [result(operands, into.kind, function(z, function.reduce(x, axis=tuple(axes), initial=start)))]

    def write(self, operation, w):
        a, into = operation.operands
        w.line(
            f"{w.name(operation.results[0])} = linalg.reduce {{ arith.{operation.attributes['function']} }} "
            f"ins({w.name(a)} : {w.type(a)}) outs({w.name(into)} : {w.type(into)}) "
            f"dimensions = {operation.attributes['axes']}"
        )


class Windows(Named):
    """A convolution or a pool of integers, for as many windows as its destination
    has, which may be fewer than there are in the image."""

    def __init__(self, operation, function):
        self.operation, self.function = operation, function

    def attributes(self, attributes):
        return (
            f"{{strides = dense<{attributes['strides']}> : tensor<2xi64>, "
            f"dilations = dense<{attributes['dilations']}> : tensor<2xi64>}}"
        )

    def propose(self, g):
        r = g.random
        kind = r.choice(KINDS)
        image = g.pickOf(lambda v: v.kind == kind and len(g.shape(v)) == 4)
        if image is None or r.random() < 0.3:
            image = g.newOf(kind, (r.choice([1, 2]), r.randint(1, 6), r.randint(1, 6), r.choice([1, 2, 3])))
        n, h, width, c = g.shape(image)
        attributes = {k: [r.choice([1, 1, 2]) for _ in range(2)] for k in ("strides", "dilations")}
        kernel = [r.choice([1, 2, 3]) for _ in range(2)]
        out = []
        for extent, k, s, d in zip((h, width), kernel, *attributes.values()):
            windows = (extent - (k - 1) * d - 1) // s + 1
            if windows < 1:
                return None
            out.append(r.choice([windows, windows, r.randint(1, windows)]))
        isConvolution = self.function == "conv"
        f = r.choice([1, 2]) if isConvolution else c
        weights = g.newOf(kind, (*kernel, c, f) if isConvolution else tuple(kernel))
        shape = (n, *out, f)
        into = destination(g, kind, shape)
        return [image, weights, into], [kind], attributes

    def evaluate(self, operands, attributes, kinds):
        image, weights, into = operands
        isConvolution = self.function == "conv"
        if [len(o.shape) for o in operands] != [4, 4 if isConvolution else 2, 4]:
            raise Fails("ranks")
        if 0 in image.shape + weights.shape + into.shape:
            raise Undecided("windows of nothing")
        if image.shape[0] != into.shape[0] or (
            (weights.shape[2:] != (image.shape[3], into.shape[3])) if isConvolution else image.shape[3] != into.shape[3]
        ):
            raise Fails("extents that differ")
        x, k, total = wholes(operands)
        total = total.copy()
        with np.errstate(all="ignore"):
            for i in range(weights.shape[0]):
                for j in range(weights.shape[1]):
                    part = self.part(x, i, j, into.shape, attributes)
                    if isConvolution:
                        total = total + part @ k[i, j]
                    else:
                        total = total + part if self.function == "sum" else np.maximum(total, part)
        return [result(operands, into.kind, total)]

    def part(self, x, i, j, shape, attributes):
        """The element at (i, j) of all windows."""
        slices = []
        for axis, at in ((1, i), (2, j)):
            start, stride = at * attributes["dilations"][axis - 1], attributes["strides"][axis - 1]
            last = start + (shape[axis] - 1) * stride
            if last >= x.shape[axis]:
                raise Fails("windows beyond the image")
            slices.append(slice(start, last + 1, stride))
        return x[:, slices[0], slices[1]]


class Fill(Named):
    """linalg.fill with an element of a tensor."""

    operation = "fill"

    def propose(self, g):
        into = g.pick()
        value = into and g.pickOf(lambda v: v.kind == into.kind and g.shape(v) == ())
        return value and ([value, into], [into.kind], {})

    def evaluate(self, operands, attributes, kinds):
        value, into = operands
        if value.shape != ():
            raise Fails("ranks")
        return [
            join(into.kind, [value], lambda arrays: np.broadcast_to(arrays[0], into.shape).copy())
            if not value.isExact
            else value.map(lambda x: np.broadcast_to(x, into.shape).copy())
        ]

    def write(self, operation, w):
        value, into = operation.operands
        element = w.fresh("x")
        w.line(f"{element} = tensor.extract {w.name(value)}[] : {w.type(value)}")
        w.line(
            f"{w.name(operation.results[0])} = linalg.fill ins({element} : {value.kind}) "
            f"outs({w.name(into)} : {w.type(into)}) -> {w.type(operation.results[0])}"
        )


register("projections", Generic())
register("linalg_matmul", Matmul("matmul", 2))
register("linalg_batch_matmul", Matmul("batch_matmul", 3))
register("linalg_transpose", Transpose())
register("linalg_broadcast", Broadcast())
register("linalg_reduce", Reduce())
register("linalg_convolution", Windows("conv_2d_nhwc_hwcf", "conv"))
register("linalg_sum_pool", Windows("pooling_nhwc_sum", "sum"))
register("linalg_max_pool", Windows("pooling_nhwc_max", "max"))
register("linalg_fill", Fill())
