"""Operations of a user's, from Inputs/library.mlir (sf-5)."""

from pathlib import Path

import numpy as np
from data import join

from operations import TABLE, Entry, Fails, register

LIBRARY = str(Path(__file__).resolve().parent.parent / "Inputs" / "library.mlir")


class User(Entry):
    weight = 0.5
    # Element types of the references.
    kinds = ("f32",)
    # How many axes each operand has; None for any.
    ranks = (None, None)
    text = ""

    def propose(self, g):
        fits = lambda v, r: v.kind in self.kinds and (r is None or len(g.shape(v)) == r)
        first = g.pickOf(lambda v: fits(v, self.ranks[0]))
        if first is None:
            return None
        operands = [first]
        for rank in self.ranks[1:]:
            second = g.pickOf(lambda v, r=rank: fits(v, r) and v.kind == first.kind)
            operands.append(second or g.newOf(first.kind, g.shape(first)[:rank]))
        return operands, [first.kind], self.choose(g, operands)

    def choose(self, g, operands):
        return {}

    def write(self, operation, w):
        names = ", ".join(map(w.name, operation.operands))
        count = operation.attributes.get("count")
        attributes = "" if count is None else f" {{count = {count} : index}}"
        w.line(
            f'{w.name(operation.results[0])} = "fuzz.{self.name[5:]}"({names}){attributes} : '
            f"({w.types(operation.operands)}) -> {w.type(operation.results[0])}"
        )


def checkRanks(operands, ranks):
    if any(r is not None and len(o.shape) != r for o, r in zip(operands, ranks)):
        raise Fails("ranks")


class ScaleRows(User):
    ranks = (2, 1)

    def evaluate(self, operands, attributes, kinds):
        checkRanks(operands, self.ranks)
        matrix, scale = operands
        if matrix.shape[0] != scale.shape[0]:
            raise Fails("one scale for each row")
        return TABLE["mul"].evaluate([matrix, scale.map(lambda a: a.reshape(-1, 1))], {}, kinds)


class Mix(User):
    kinds = ("f32", "i32")
    anyRank = True

    def evaluate(self, operands, attributes, kinds):
        x, y = operands
        both = TABLE["add"].evaluate([y, y], {}, kinds)[0]
        return TABLE["maximum"].evaluate([x, both], {}, kinds)


class Same(User):
    anyRank = True

    def evaluate(self, operands, attributes, kinds):
        if operands[0].shape != operands[1].shape:
            raise Fails("shapes differ")
        return TABLE["sub"].evaluate(operands, {}, kinds)


class Twice(User):
    ranks = (2,)

    def evaluate(self, operands, attributes, kinds):
        checkRanks(operands, self.ranks)
        return [join(operands[0].kind, [operands[0]] * 2, lambda arrays: np.concatenate(arrays, 0))]


class First(User):
    ranks = (1,)

    def choose(self, g, operands):
        return {"count": g.random.randint(0, g.shape(operands[0])[0])}

    def evaluate(self, operands, attributes, kinds):
        checkRanks(operands, self.ranks)
        if attributes["count"] > operands[0].shape[0]:
            raise Fails("too few elements")
        return [operands[0].map(lambda a: a[: attributes["count"]])]


for _name, _class in (
    ("user_scale_rows", ScaleRows),
    ("user_mix", Mix),
    ("user_same", Same),
    ("user_twice", Twice),
    ("user_first", First),
):
    register(_name, _class())
