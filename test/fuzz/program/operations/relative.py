"""Slices whose numbers are computed from the extents that they meet. They fit
whatever a loop carries, so that its shapes change from iteration to iteration."""

from data import join

from operations import Entry, Fails, register
from operations.tensors import inside


def dims(w, value):
    """The names of all extents of `value`."""
    names = []
    for axis in range(len(value.shape)):
        names.append(w.fresh("k"))
        w.line(f"{names[-1]} = tensor.dim {w.name(value)}, {w.index(axis)} : {w.type(value)}")
    return names


def listed(texts):
    return ", ".join(texts)


class Half(Entry):
    """tensor.extract_slice of the first or last half along an axis, or of every other element."""

    weight = 0.8
    # All extents are operands.
    typed = "sizes"

    def propose(self, g):
        value = g.pickOf(lambda v: len(g.shape(v)) > 0)
        if value is None:
            return None
        rank = len(g.shape(value))
        return (
            [value],
            [value.kind],
            {
                "axis": g.random.randrange(rank),
                "sizes": [None] * rank,
                "part": g.random.choice(["first", "last", "other"]),
            },
        )

    def evaluate(self, operands, attributes, kinds):
        shape, axis, part = operands[0].shape, attributes["axis"], attributes["part"]
        if len(shape) != len(attributes["sizes"]):
            raise Fails("as many axes as sizes")
        sizes, offsets, strides = list(shape), [0] * len(shape), [1] * len(shape)
        sizes[axis] = -(-shape[axis] // 2)
        offsets[axis] = shape[axis] - sizes[axis] if part == "last" else 0
        strides[axis] = 2 if part == "other" else 1
        index = inside(shape, offsets, sizes, strides)
        return [operands[0].map(lambda a: a[index])]

    def write(self, operation, w):
        value, result = operation.operands[0], operation.results[0]
        axis, part = operation.attributes["axis"], operation.attributes["part"]
        sizes = dims(w, value)
        offsets, strides = ["0"] * len(sizes), ["1"] * len(sizes)
        whole, sizes[axis] = sizes[axis], w.fresh("k")
        w.line(f"{sizes[axis]} = arith.ceildivui {whole}, {w.index(2)} : index")
        if part == "last":
            offsets[axis] = w.fresh("k")
            w.line(f"{offsets[axis]} = arith.subi {whole}, {sizes[axis]} : index")
        elif part == "other":
            strides[axis] = "2"
        w.line(
            f"{w.name(result)} = tensor.extract_slice {w.name(value)}[{listed(offsets)}] [{listed(sizes)}] "
            f"[{listed(strides)}] : {w.type(value)} to {w.type(result)}"
        )


class Overlay(Entry):
    """As much of a source as fits, in place of the first or last elements of a destination."""

    weight = 0.8
    typed = "destination"

    def propose(self, g):
        into = g.pickOf(lambda v: len(g.shape(v)) > 0)
        source = into and g.pickLike(into)
        return into and ([source, into], [into.kind], {"atEnd": g.random.random() < 0.5})

    def evaluate(self, operands, attributes, kinds):
        source, into = operands
        if len(source.shape) != len(into.shape):
            raise Fails("ranks")
        sizes = [min(a, b) for a, b in zip(source.shape, into.shape)]
        offsets = [n - m if attributes["atEnd"] else 0 for n, m in zip(into.shape, sizes)]
        ones = [1] * len(sizes)
        taken = inside(source.shape, [0] * len(sizes), sizes, ones)
        index = inside(into.shape, offsets, sizes, ones)

        def put(arrays):
            out = arrays[1].copy()
            out[index] = arrays[0][taken]
            return out

        return [join(into.kind, [source, into], put)]

    def write(self, operation, w):
        source, into = operation.operands
        result, part = operation.results[0], w.fresh("p")
        sizes, offsets = [], []
        for have, whole in zip(dims(w, source), dims(w, into)):
            sizes.append(w.fresh("k"))
            w.line(f"{sizes[-1]} = arith.minui {have}, {whole} : index")
            offsets.append("0")
            if operation.attributes["atEnd"]:
                offsets[-1] = w.fresh("k")
                w.line(f"{offsets[-1]} = arith.subi {whole}, {sizes[-1]} : index")
        zeros, ones = listed(["0"] * len(sizes)), listed(["1"] * len(sizes))
        kind = f"tensor<{'?x' * len(sizes)}{source.kind}>"
        w.line(
            f"{part} = tensor.extract_slice {w.name(source)}[{zeros}] [{listed(sizes)}] [{ones}] : "
            f"{w.type(source)} to {kind}"
        )
        w.line(
            f"{w.name(result)} = tensor.insert_slice {part} into {w.name(into)}[{listed(offsets)}] [{listed(sizes)}] "
            f"[{ones}] : {kind} into {w.type(into)}"
        )


register("half", Half())
register("overlay", Overlay())
