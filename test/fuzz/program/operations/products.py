"""Products of `linalg` that add to zeros: what becomes a contraction."""

import numpy as np

from operations import Entry, register
from operations.linalg import destination, loopText, result, sizesOf, wholes

AXES = "abcdefgh"


class Product(Entry):
    """A linalg.generic of bytes that adds products to an i32 filled with 0. Every
    dimension is of the batch, of one operand and the result, or summed; the axes of
    each are in any order."""

    weight = 0.5
    typed = "destination"

    def propose(self, g):
        a = g.pickOf(lambda v: v.kind == "i8" and 0 < len(g.shape(v)) < 5)
        if a is None:
            return None
        r = g.random
        rank = len(g.shape(a))
        kinds = [r.choice(["batch", "row", "summed", "summed"]) for _ in range(rank)]
        kinds += ["column"] * r.choice([0, 1, 1, 2])
        extents = [*g.shape(a), *(r.choice(g.extents) for _ in kinds[rank:])]
        maps = [
            list(range(rank)),
            *([d for d, kind in enumerate(kinds) if kind != without] for without in ("row", "summed")),
        ]
        for dimensions in maps[1:]:
            r.shuffle(dimensions)
        shapes = [tuple(extents[d] for d in dimensions) for dimensions in maps]
        if int(np.prod(extents)) > 20 * g.most or any(int(np.prod(shape)) > g.most for shape in shapes):
            return None
        w = g.pickOf(lambda v: v.kind == "i8" and g.shape(v) == shapes[1]) or g.newOf("i8", shapes[1])
        # The loops need not be numbered as the axes of the first operand.
        numbers = r.sample(range(len(kinds)), len(kinds))
        maps = [[numbers[d] for d in dimensions] for dimensions in maps]
        return [a, w, destination(g, "i32", shapes[2])], ["i32"], {"maps": maps}

    def evaluate(self, operands, attributes, kinds):
        sizesOf(operands, attributes["maps"])
        sides = ["".join(AXES[d] for d in dimensions) for dimensions in attributes["maps"]]
        a, w, into = operands
        x, y = wholes([a, w])
        with np.errstate(all="ignore"):
            return [result([a, w], into.kind, np.einsum(f"{sides[0]},{sides[1]}->{sides[2]}", x, y))]

    def write(self, operation, w):
        (a, b, into), made = operation.operands, operation.results[0]
        zero, filled = w.fresh("x"), w.fresh("x")
        w.line(f"{zero} = arith.constant 0 : i32")
        w.line(f"{filled} = linalg.fill ins({zero} : i32) outs({w.name(into)} : {w.type(into)}) -> {w.type(into)}")
        w.line(
            f"{w.name(made)} = linalg.generic {loopText(operation.attributes['maps'])} "
            f"ins({w.name(a)}, {w.name(b)} : {w.types([a, b])}) outs({filled} : {w.type(into)}) {{"
        )
        x, y, old, wideX, wideY, product, total = (w.fresh("x") for _ in range(7))
        w.line(f"^bb0({x}: i8, {y}: i8, {old}: i32):")
        w.line(f"{wideX} = arith.extsi {x} : i8 to i32")
        w.line(f"{wideY} = arith.extsi {y} : i8 to i32")
        w.line(f"{product} = arith.muli {wideX}, {wideY} : i32")
        w.line(f"{total} = arith.addi {old}, {product} : i32")
        w.line(f"linalg.yield {total} : i32")
        w.line(f"}} -> {w.type(made)}")


register("product", Product())
