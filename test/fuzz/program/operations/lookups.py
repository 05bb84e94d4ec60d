"""Elements that other lists tell the places of, in loops that carry such lists: what
is known of a constant list holds for the first iteration alone."""

import numpy as np

from operations import Entry, Fails, Undecided, register
from operations.control import For


class Lookup(Entry):
    """The element of a list that an element of another one is the index of, as a
    tensor of one axis."""

    weight = 0.5

    def propose(self, g):
        places = g.pickOf(lambda v: v.kind == "i64" and len(g.shape(v)) == 1 and g.shape(v)[0] > 0)
        values = places and g.pickOf(lambda v: len(g.shape(v)) == 1 and g.shape(v)[0] > 0)
        if values is None:
            return None
        fits = [i for i, place in enumerate(g.known[places].low) if 0 <= place < g.shape(values)[0]]
        if not fits:
            return None
        return [places, values], [values.kind], {"at": g.random.choice(fits)}

    def evaluate(self, operands, attributes, kinds):
        places, values = operands
        at = attributes["at"]
        if len(places.shape) != 1 or len(values.shape) != 1 or at >= places.shape[0]:
            raise Fails("an element outside its tensor")
        if places.unknown is not None and places.unknown[at]:
            raise Undecided("an index that nobody knows")
        place = int(places.low[at])
        if not 0 <= place < values.shape[0]:
            raise Fails("an element outside its tensor")
        return [values.map(lambda a: np.ascontiguousarray(a[place]).reshape(1))]

    def write(self, operation, w):
        (places, values), result = operation.operands, operation.results[0]
        place, index, element = w.fresh("x"), w.fresh("k"), w.fresh("x")
        w.line(f"{place} = tensor.extract {w.name(places)}[{w.index(operation.attributes['at'])}] : {w.type(places)}")
        w.line(f"{index} = arith.index_cast {place} : i64 to index")
        w.line(f"{element} = tensor.extract {w.name(values)}[{index}] : {w.type(values)}")
        w.line(f"{w.name(result)} = tensor.from_elements {element} : {w.type(result)}")


class ListFor(For):
    """scf.for that carries a list of small numbers, which is often a constant, and
    looks an element up in each iteration."""

    weight = 0.7

    def generate(self, g):
        count = g.random.choice([1, 2, 2, 3])
        values = [np.array([g.random.choice([0, 0, 1, 1, 2, 5]) for _ in range(count)]) for _ in range(2)]
        lists = [g.newConstant("i64", v) if g.random.random() < 0.7 else g.newInput("i64", v) for v in values]
        return g.loop(self.name, lists[:1], {"count": g.random.choice([1, 2, 2, 3])}, first=lambda: g.plain(LOOKUP))


LOOKUP = register("lookup", Lookup())
register("list_for", ListFor())
