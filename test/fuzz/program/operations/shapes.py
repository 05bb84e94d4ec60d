"""reshape, slice, pad and tile whose numbers are computed from extents of the
call by TOSA's operations on shapes (tosa-shape-1).

A number is an expression: ("const", n), ("dim", operand, axis) or (operation,
a, b).
"""

from operations import TABLE, Entry, Fails, Undecided, register

FUNCTIONS = {"add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b, "max": max, "min": min,
             "div_floor": lambda a, b: a // b, "div_ceil": lambda a, b: -(-a // b), "mod": lambda a, b: a % b}


def numberOf(expression, operands):
    name, a, *b = expression
    if name == "const":
        return a
    if name == "dim":
        if b[0] >= len(operands[a].shape):
            raise Fails("there is no such axis")
        return operands[a].shape[b[0]]
    x, y = numberOf(a, operands), numberOf(b[0], operands)
    if name in ("div_floor", "div_ceil", "mod") and y < 1:
        raise Fails("a divisor must be at least 1")
    return FUNCTIONS[name](x, y)


class Computed(Entry):
    """An operation whose lists of numbers, `lists`, are such expressions."""

    weight = 0.7

    def __init__(self, of, lists):
        self.of, self.lists = of, lists

    def propose(self, g):
        found = TABLE[self.of].propose(g)
        if found is None or any(-1 in found[2][name] or not found[2][name] for name in self.lists):
            return None
        (value,), kinds, attributes = found
        operands = [value]

        def expression(n):
            of = g.pickOf(lambda v: g.shape(v))
            if of is None or g.random.random() < 0.3:
                return ("const", n)
            if of not in operands:
                operands.append(of)
            axis = g.random.randrange(len(g.shape(of)))
            extent, dim = g.shape(of)[axis], ("dim", operands.index(of), axis)
            if extent == n:
                return g.random.choice([dim, dim, ("max", dim, ("const", 1))]) if n else dim
            if extent and n % extent == 0 and n:
                return ("mul", dim, ("const", n // extent))
            if n and extent // n and extent % n == 0:
                return (g.random.choice(["div_floor", "div_ceil"]), dim, ("const", extent // n))
            if extent and n < extent and g.random.random() < 0.3:
                return ("mod", ("const", extent + n), dim)
            return ("add", dim, ("const", n - extent)) if n > extent else g.random.choice(
                [("sub", dim, ("const", extent - n)), ("min", dim, ("const", n))])
        changed = {name: [expression(n) for n in attributes[name]] for name in self.lists}
        return operands, kinds, {**attributes, **changed}

    def evaluate(self, operands, attributes, kinds):
        numbers = {name: [numberOf(e, operands) for e in attributes[name]] for name in self.lists}
        if any(n < 0 or n > 1 << 20 for name in self.lists for n in numbers[name]):
            raise Undecided("what no extent can be")
        if self.of == "tile" and 0 in numbers["multiples"]:
            raise Fails("a multiple of 0")
        return TABLE[self.of].evaluate(operands[:1], {**attributes, **numbers}, kinds)

    def write(self, operation, w):
        names, types, attributes = [w.name(operation.operands[0])], [w.type(operation.operands[0])], operation.attributes
        plain = {**attributes, **{name: [0] * len(attributes[name]) for name in self.lists}}
        lists = iter(self.lists)
        for form, numbers in TABLE[self.of].extras(plain):
            if form == "shape":
                parts = [self.emit(e, operation, w) for e in attributes[next(lists)]]
                name, kind = parts[0], f"!tosa.shape<{len(parts)}>"
                if len(parts) > 1:
                    name = w.fresh("s")
                    w.line(f"{name} = tosa.concat_shape {', '.join(parts)} : ({', '.join(['!tosa.shape<1>'] * len(parts))}) "
                           f"-> {kind}")
            else:
                name, kind = w.extra(form, numbers)
            names.append(name)
            types.append(kind)
        result = operation.results[0]
        w.line(f"{w.name(result)} = tosa.{self.of} {', '.join(names)} {{{TABLE[self.of].attributes(plain)}}} : "
               f"({', '.join(types)}) -> {w.type(result)}")

    def emit(self, expression, operation, w):
        name, a, *b = expression
        if name == "const":
            return w.extra("shape", [a])[0]
        made = w.fresh("s")
        if name == "dim":
            value = operation.operands[a]
            w.line(f"{made} = tosa.dim {w.name(value)} {{axis = {b[0]} : i32}} : ({w.type(value)}) -> !tosa.shape<1>")
        else:
            x, y = self.emit(a, operation, w), self.emit(b[0], operation, w)
            w.line(f"{made} = tosa.{name}_shape {x}, {y} : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>")
        return made


for _of, _lists in (("reshape", ["shape"]), ("slice", ["start", "size"]), ("pad", ["padding"]), ("tile", ["multiples"])):
    register(f"computed_{_of}", Computed(_of, _lists))
