"""Operations of `linalg` that leave a part of their destination alone, or read it."""

import numpy as np
from data import join

from operations import Entry, Fails, Undecided, register
from operations.linalg import KINDS, destination, result, wholes


class Placed(Entry):
    """linalg.generic that writes a part of its destination and reads nothing of
    it: what it does not write stays."""

    weight = 0.4
    typed = "destination"
    # The loops, and the maps of the source and of the destination.
    maps = {
        "diagonal": ("i", "i", "i, i"),
        "steps": ("i", "i", "i * 2 + 1"),
        "row": ("i", "i", "1, i"),
        "last": ("i, j", "i, j", "i"),
    }

    def propose(self, g):
        form = g.random.choice(list(self.maps))
        rank = len(self.maps[form][0].split(","))
        a = g.pickOf(lambda v: len(g.shape(v)) == rank and v.kind not in ("i1",))
        if a is None:
            return None
        n = g.shape(a)[0]
        more = g.random.choice([0, 0, 1, 3])
        shape = {"diagonal": (n, n), "steps": (2 * n + more,), "row": (2 + more, n), "last": (n,)}[form]
        if int(np.prod(shape)) > g.most:
            return None
        return [a, destination(g, a.kind, shape)], [a.kind], {"form": form}

    def evaluate(self, operands, attributes, kinds):
        a, into = operands
        form = attributes["form"]
        loops, _, written = self.maps[form]
        if (len(a.shape), len(into.shape)) != (len(loops.split(",")), len(written.split(","))):
            raise Fails("ranks")
        n = a.shape[0]
        if {"diagonal": into.shape != (n, n), "row": into.shape[-1] != n, "last": into.shape != (n,)}.get(form):
            raise Fails("extents that differ")
        if form in ("steps", "row") and into.shape[0] < (2 * n if form == "steps" else 2):
            if n == 0:
                raise Undecided("an element that no iteration needs")
            raise Fails("an element beyond the destination")
        return [join(into.kind, [a, into], lambda parts: self.place(form, *parts))]

    @staticmethod
    def place(form, source, into):
        n, result = source.shape[0], into.copy()
        if form == "diagonal":
            result[np.arange(n), np.arange(n)] = source
        elif form == "steps":
            result[1 : 2 * n : 2] = source
        elif form == "row":
            result[1] = source
        elif source.shape[1] > 0:
            result[:] = source[:, -1]
        return result

    def write(self, operation, w):
        loops, read, written = self.maps[operation.attributes["form"]]
        (a, into), result = operation.operands, operation.results[0]
        kinds = ", ".join(f'"{kind}"' for kind in ("parallel", "reduction")[: len(loops.split(","))])
        x, y = w.fresh("x"), w.fresh("x")
        w.line(
            f"{w.name(result)} = linalg.generic {{indexing_maps = [affine_map<({loops}) -> ({read})>, "
            f"affine_map<({loops}) -> ({written})>], iterator_types = [{kinds}]}} "
            f"ins({w.name(a)} : {w.type(a)}) outs({w.name(into)} : {w.type(into)}) {{"
        )
        w.line(f"^bb0({x}: {a.kind}, {y}: {into.kind}):")
        w.line(f"linalg.yield {x} : {a.kind}")
        w.line(f"}} -> {w.type(result)}")


class MapOfDestination(Entry):
    """linalg.map whose body reads the element of its destination."""

    weight = 0.4
    typed = "destination"

    def propose(self, g):
        a = g.pickOf(lambda v: v.kind in KINDS and len(g.shape(v)) > 0)
        return a and ([a, destination(g, a.kind, g.shape(a))], [a.kind], {})

    def evaluate(self, operands, attributes, kinds):
        if operands[0].shape != operands[1].shape:
            raise Fails("extents that differ")
        a, into = wholes(operands)
        with np.errstate(all="ignore"):
            return [result(operands, operands[1].kind, 2 * into - a)]

    def write(self, operation, w):
        (a, into), made = operation.operands, operation.results[0]
        x, y, s, t = (w.fresh("x") for _ in range(4))
        w.line(
            f"{w.name(made)} = linalg.map ins({w.name(a)} : {w.type(a)}) outs({w.name(into)} : {w.type(into)}) "
            f"({x}: {a.kind}, {y}: {into.kind}) {{"
        )
        w.line(f"{s} = arith.addi {y}, {y} : {a.kind}")
        w.line(f"{t} = arith.subi {s}, {x} : {a.kind}")
        w.line(f"linalg.yield {t} : {a.kind}")
        w.line("}")


register("placed", Placed())
register("map_of_destination", MapOfDestination())
