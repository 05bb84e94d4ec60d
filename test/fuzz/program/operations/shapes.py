"""reshape, slice, pad and tile whose numbers are computed from extents of the
call by TOSA's operations on shapes (tosa-shape-1).

A number is an expression: ("const", n), ("dim", operand, axis), (operation, a),
(operation, a, b), or ("part", at, expressions): one number of a longer shape. A
list of numbers may be part of a longer one as well: the attribute `around` has
the expressions before and behind each list.
"""

import math

from operations import TABLE, Entry, Fails, TooLarge, Undecided, register

FUNCTIONS = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "max": max,
    "min": min,
    "div_floor": lambda a, b: a // b,
    "div_ceil": lambda a, b: -(-a // b),
    "mod": lambda a, b: a % b,
    "exp2": lambda a: 2**a,
    "log2_floor": lambda a: a.bit_length() - 1,
    "log2_ceil": lambda a: (a - 1).bit_length(),
}
# A guard computes no more, except for what is multiplied by 0 (rt-13).
MOST = (1 << 63) - 1
LARGEST = 1 << 20


def numberOf(expression, operands):
    name, a, *b = expression
    if name == "const":
        return a
    if name == "dim":
        if b[0] >= len(operands[a].shape):
            raise Fails("there is no such axis")
        return operands[a].shape[b[0]]
    if name == "part":
        # The others are computed, too (rt-6).
        return [numberOf(e, operands) for e in b[0]][a]
    numbers = [numberOf(e, operands) for e in (a, *b)]
    if name in ("div_floor", "div_ceil", "mod") and numbers[1] < 1:
        raise Fails("a divisor must be at least 1")
    if name == "exp2" and not 0 <= numbers[0] <= 61:
        raise Fails("a power that is no extent")
    if name in ("log2_floor", "log2_ceil") and numbers[0] < 1:
        raise Fails("a number without a logarithm")
    result = FUNCTIONS[name](*numbers)
    if abs(result) > MOST:
        raise Undecided("a number of more than 64 bits")
    return result


def sizeOf(shape, numbers):
    """At least as many elements as a tensor has that is padded by `numbers` or
    tiled by them: 0 counts as 1."""
    if len(numbers) == 2 * len(shape):
        extents = [e + a + b for e, a, b in zip(shape, numbers[::2], numbers[1::2])]
    else:
        extents = [e * n for e, n in zip(shape, numbers)]
    return math.prod(max(e, 1) for e in extents)


class Expressions:
    """Makes expressions of given numbers, from extents of values where it can.
    `operands` becomes longer by those."""

    def __init__(self, g, operands):
        self.g, self.random, self.operands = g, g.random, operands

    def make(self, n, depth=0):
        choose = self.random.random()
        if depth < 2 and n > 0 and choose < 0.25:
            return self.powerOrLogarithm(n, depth + 1)
        if depth < 2 and choose < 0.32:
            others = [
                self.make(self.random.choice([1, 2, 5]), depth + 1) for _ in range(self.random.choice([1, 1, 2, 3]))
            ]
            at = self.random.randrange(len(others) + 1)
            return ("part", at, (*others[:at], self.make(n, depth + 1), *others[at:]))
        return self.ofExtent(n)

    def powerOrLogarithm(self, n, depth):
        """Makes a formula of 2^n, or of what is rounded down or up to it."""
        if n & (n - 1) == 0 and self.random.random() < 0.6:
            return ("exp2", self.make(n.bit_length() - 1, depth))
        if n > 50:
            return self.ofExtent(n)
        if self.random.random() < 0.5:
            return (
                "log2_floor",
                self.make((1 << n) + self.random.choice([0, 0, (1 << n) - 1, self.random.randrange(1 << n)]), depth),
            )
        return (
            "log2_ceil",
            self.make((1 << n) - self.random.choice([0, 0, self.random.randrange(1 << (n - 1))]), depth),
        )

    def ofExtent(self, n):
        random, of = self.random, self.g.pickOf(lambda v: self.g.shape(v))
        if of is None or random.random() < 0.3:
            return ("const", n)
        if of not in self.operands:
            self.operands.append(of)
        axis = random.randrange(len(self.g.shape(of)))
        extent, dim = self.g.shape(of)[axis], ("dim", self.operands.index(of), axis)
        if extent == n:
            return random.choice([dim, dim, ("max", dim, ("const", 1))]) if n else dim
        if extent and n % extent == 0 and n:
            return ("mul", dim, ("const", n // extent))
        if n and extent // n and extent % n == 0:
            return (random.choice(["div_floor", "div_ceil"]), dim, ("const", extent // n))
        if extent and n < extent and random.random() < 0.3:
            return ("mod", ("const", extent + n), dim)
        return (
            ("add", dim, ("const", n - extent))
            if n > extent
            else random.choice([("sub", dim, ("const", extent - n)), ("min", dim, ("const", n))])
        )


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
        expressions = Expressions(g, operands)
        changed = {name: [expressions.make(n) for n in attributes[name]] for name in self.lists}
        if g.random.random() < 0.2:
            changed["around"] = {
                name: [
                    [expressions.make(g.random.choice([1, 2, 5])) for _ in range(g.random.choice([0, 1, 2]))]
                    for _ in range(2)
                ]
                for name in self.lists
            }
        return operands, kinds, {**attributes, **changed}

    def evaluate(self, operands, attributes, kinds):
        numbers = {name: [numberOf(e, operands) for e in attributes[name]] for name in self.lists}
        for before, behind in attributes.get("around", {}).values():
            for expression in before + behind:
                numberOf(expression, operands)
        if any(n < 0 for name in self.lists for n in numbers[name]):
            raise Undecided("what no extent can be")
        # A power of two is soon more than there is memory.
        if self.of in ("pad", "tile") and sizeOf(operands[0].shape, numbers[self.lists[0]]) > LARGEST:
            raise TooLarge("too large")
        if any(n > LARGEST for name in self.lists for n in numbers[name]):
            raise Undecided("what no extent can be")
        if self.of == "tile" and 0 in numbers["multiples"]:
            raise Fails("a multiple of 0")
        return TABLE[self.of].evaluate(operands[:1], {**attributes, **numbers}, kinds)

    def write(self, operation, w):
        names, types, attributes = (
            [w.name(operation.operands[0])],
            [w.type(operation.operands[0])],
            operation.attributes,
        )
        plain = {**attributes, **{name: [0] * len(attributes[name]) for name in self.lists}}
        lists = iter(self.lists)
        for form, numbers in TABLE[self.of].extras(plain):
            if form == "shape":
                list_ = next(lists)
                before, behind = attributes.get("around", {}).get(list_, ([], []))
                parts = [self.emit(e, operation, w) for e in (*before, *attributes[list_], *behind)]
                name, kind = self.join(parts, w), f"!tosa.shape<{len(attributes[list_])}>"
                if before or behind:
                    name = self.slice(name, len(parts), len(before), len(attributes[list_]), w)
            else:
                name, kind = w.extra(form, numbers)
            names.append(name)
            types.append(kind)
        result = operation.results[0]
        w.line(
            f"{w.name(result)} = tosa.{self.of} {', '.join(names)} {{{TABLE[self.of].attributes(plain)}}} : "
            f"({', '.join(types)}) -> {w.type(result)}"
        )

    def join(self, parts, w):
        if len(parts) == 1:
            return parts[0]
        made = w.fresh("s")
        w.line(
            f"{made} = tosa.concat_shape {', '.join(parts)} : ({', '.join(['!tosa.shape<1>'] * len(parts))}) "
            f"-> !tosa.shape<{len(parts)}>"
        )
        return made

    def slice(self, shape, length, start, size, w):
        numbers = [w.extra("i32", [n])[0] for n in (start, size)]
        made = w.fresh("s")
        w.line(
            f"{made} = tosa.slice_shape {shape}, {', '.join(numbers)} : (!tosa.shape<{length}>, tensor<1xi32>, "
            f"tensor<1xi32>) -> !tosa.shape<{size}>"
        )
        return made

    def emit(self, expression, operation, w):
        name, a, *b = expression
        if name == "const":
            return w.extra("shape", [a])[0]
        if name == "part":
            shape = self.join([self.emit(e, operation, w) for e in b[0]], w)
            return self.slice(shape, len(b[0]), a, 1, w)
        made = w.fresh("s")
        if name == "dim":
            value = operation.operands[a]
            w.line(f"{made} = tosa.dim {w.name(value)} {{axis = {b[0]} : i32}} : ({w.type(value)}) -> !tosa.shape<1>")
        else:
            parts = [self.emit(e, operation, w) for e in (a, *b)]
            w.line(
                f"{made} = tosa.{name}_shape {', '.join(parts)} : ({', '.join(['!tosa.shape<1>'] * len(parts))}) "
                "-> !tosa.shape<1>"
            )
        return made


for _of, _lists in (
    ("reshape", ["shape"]),
    ("slice", ["start", "size"]),
    ("pad", ["padding"]),
    ("tile", ["multiples"]),
):
    register(f"computed_{_of}", Computed(_of, _lists))
