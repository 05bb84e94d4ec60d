"""tensor.generate and tensor.extract: tensors by the element."""

import numpy as np
from data import exact, kindOf

from operations import Entry, Fails, TooLarge, register
from operations.tensors import filled, mixed


class Generate(Entry):
    """The element at i, j, … is start + i + 2 * j + … in i64."""

    weight = 0.5
    typed = "sizes"

    def propose(self, g):
        extents = [g.random.choice(g.extents) for _ in range(g.random.choice([1, 1, 2, 3]))]
        if int(np.prod(extents)) > g.most:
            return None
        operands, numbers = mixed(g, extents)
        return operands, ["i64"], {"sizes": numbers, "start": g.random.randrange(-5, 5)}

    def evaluate(self, operands, attributes, kinds):
        extents = filled(attributes["sizes"], iter(operands))
        if min(extents) < 0:
            raise Fails("an extent below 0")
        if any(e > 1 << 20 for e in extents) or int(np.prod(extents)) > 1 << 20:
            raise TooLarge("too large")
        total = attributes["start"]
        for axis, point in enumerate(np.indices(extents)):
            total = total + (axis + 1) * point
        return [exact(kindOf("i64"), total)]

    def write(self, operation, w):
        result = operation.results[0]
        names, rest = [w.fresh("i") for _ in operation.attributes["sizes"]], iter(operation.operands)
        sizes = [w.name(next(rest)) for n in operation.attributes["sizes"] if n is None]
        w.line(f"{w.name(result)} = tensor.generate {', '.join(sizes)} {{")
        w.line(f"^bb0({', '.join(f'{n}: index' for n in names)}):")
        total = w.index(operation.attributes["start"])
        for axis, name in enumerate(names):
            factor, product, total_ = w.index(axis + 1), w.fresh("k"), w.fresh("k")
            w.line(f"{product} = arith.muli {factor}, {name} : index")
            w.line(f"{total_} = arith.addi {total}, {product} : index")
            total = total_
        cast = w.fresh("k")
        w.line(f"{cast} = arith.index_cast {total} : index to i64")
        w.line(f"tensor.yield {cast} : i64")
        w.line(f"}} : {w.type(result)}")


class Extract(Entry):
    """One element, as a tensor of one axis."""

    weight = 0.7

    def propose(self, g):
        value = g.pickOf(lambda v: 0 not in g.shape(v))
        if value is None:
            return None
        operands, numbers = mixed(g, [g.random.randrange(e) for e in g.shape(value)])
        return [value, *operands], [value.kind], {"point": numbers}

    def evaluate(self, operands, attributes, kinds):
        point = tuple(filled(attributes["point"], iter(operands[1:])))
        if len(point) != len(operands[0].shape) or not all(0 <= p < e for p, e in zip(point, operands[0].shape)):
            raise Fails("an element outside its tensor")
        return [operands[0].map(lambda a: np.ascontiguousarray(a[point]).reshape(1))]

    def write(self, operation, w):
        value, result, rest = operation.operands[0], operation.results[0], iter(operation.operands[1:])
        point = [w.index(n) if n is not None else w.name(next(rest)) for n in operation.attributes["point"]]
        element, made = w.fresh("x"), w.name(result)
        w.line(f"{element} = tensor.extract {w.name(value)}[{', '.join(point)}] : {w.type(value)}")
        w.line(f"{made} = tensor.from_elements {element} : {w.type(result)}")


register("generate", Generate())
register("extract", Extract())
