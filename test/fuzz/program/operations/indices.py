"""Numbers of type `index`: `arith` and `affine`, at the ends of 64 bits too (rt-13, el-3)."""

from data import exact, kindOf

from operations import Entry, Fails, Undecided, register
from operations.tensors import number

LEAST, LARGEST = -(1 << 63), (1 << 63) - 1


def wrapped(value):
    """What wraps in the program wraps here."""
    return number(signed(value))


def signed(value):
    return ((value - LEAST) & ((1 << 64) - 1)) + LEAST


def unsigned(value):
    return value & ((1 << 64) - 1)


def truncated(a, b):
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def shifted(shift, filling):
    """A shift by an amount that may be none (el-3)."""
    return lambda a, b: shift(a, b) if 0 <= b < 64 else filling(a)


DIVISIONS = {
    "floordivsi": lambda a, b: a // b, "ceildivsi": lambda a, b: -(-a // b), "divsi": truncated,
    "remsi": lambda a, b: a - b * truncated(a, b), "divui": lambda a, b: unsigned(a) // unsigned(b),
    "remui": lambda a, b: unsigned(a) % unsigned(b), "ceildivui": lambda a, b: -(-unsigned(a) // unsigned(b))}
FUNCTIONS = {
    "addi": lambda a, b: a + b, "subi": lambda a, b: a - b, "muli": lambda a, b: a * b,
    "minsi": min, "maxsi": max, "minui": lambda a, b: min(a, b, key=unsigned),
    "maxui": lambda a, b: max(a, b, key=unsigned), "andi": lambda a, b: a & b, "ori": lambda a, b: a | b,
    "xori": lambda a, b: a ^ b, "shli": shifted(lambda a, b: a << b, lambda a: 0),
    "shrsi": shifted(lambda a, b: a >> b, lambda a: a >> 63),
    "shrui": shifted(lambda a, b: unsigned(a) >> b, lambda a: 0), **DIVISIONS}
USUAL = ("addi", "subi", "muli", "minsi", "maxsi", "floordivsi", "ceildivsi")


def numbersOf(g, count):
    """So many numbers that are known, or None."""
    pool = g.numbers()
    return [g.random.choice(pool[-6:]) for _ in range(count)] if pool else None


class IndexConstant(Entry):
    weight = 0.6

    def propose(self, g):
        value = g.random.choice([0, 1, 1, 2, 3, 5, -1, 1 << 62])
        if g.random.random() < 0.1:
            value = g.random.choice([LEAST, LARGEST, LEAST + 1, 63, 64, 1 << 32, -7])
        return [], ["index"], {"value": value}

    def evaluate(self, operands, attributes, kinds):
        return [number(attributes["value"])]

    def write(self, operation, w):
        w.line(f"{w.name(operation.results[0])} = arith.constant {operation.attributes['value']} : index")


class IndexArithmetic(Entry):
    weight = 1

    def propose(self, g):
        operands = numbersOf(g, 2)
        pool = USUAL if g.random.random() < 0.6 else list(FUNCTIONS)
        return operands and (operands, ["index"], {"function": g.random.choice(pool)})

    def evaluate(self, operands, attributes, kinds):
        a, b = (int(o.low) for o in operands)
        name = attributes["function"]
        if name in DIVISIONS and (b == 0 or (name.endswith("si") and b == -1 and a == LEAST)):
            raise Fails("a division by 0")
        return [wrapped(FUNCTIONS[name](a, b))]

    def write(self, operation, w):
        names = ", ".join(map(w.name, operation.operands))
        w.line(f"{w.name(operation.results[0])} = arith.{operation.attributes['function']} {names} : index")


class Affine(Entry):
    """affine.apply, affine.min or affine.max. An expression is (kind, factor or
    divisor, summand): of the first operand, a symbol where the divisor is None."""

    weight = 0.6

    def propose(self, g):
        operands = numbersOf(g, 2)
        if operands is None:
            return None
        form = g.random.choice(["apply", "apply", "min", "max"])
        expressions = [(g.random.choice(["sum", "floordiv", "ceildiv", "mod"]), g.random.choice([1, 2, 3, 7, None]),
                        g.random.choice([0, 1, -1, 5])) for _ in range(1 if form == "apply" else 2)]
        return operands, ["index"], {"form": form, "expressions": expressions}

    def evaluate(self, operands, attributes, kinds):
        a, b = (int(o.low) for o in operands)
        values = []
        for kind, factor, summand in attributes["expressions"]:
            if kind == "sum":
                values.append(signed(a * (3 if factor is None else factor) + b + summand))
                continue
            by = b if factor is None else factor
            if by < 1:
                raise Fails("a division by less than 1")
            values.append({"floordiv": a // by, "ceildiv": -(-a // by), "mod": a % by}[kind])
        return [number({"apply": sum, "min": min, "max": max}[attributes["form"]](values))]

    def write(self, operation, w):
        a, b = map(w.name, operation.operands)
        texts = [f"d0 * {3 if factor is None else factor} + s0 + {summand}" if kind == "sum"
                 else f"d0 {kind} {'s0' if factor is None else factor}"
                 for kind, factor, summand in operation.attributes["expressions"]]
        w.line(f"{w.name(operation.results[0])} = affine.{operation.attributes['form']} "
               f"affine_map<(d0)[s0] -> ({', '.join(texts)})>({a})[{b}]")


class Delinearize(Entry):
    """affine.delinearize_index by a basis of two numbers."""

    weight = 0.3

    def propose(self, g):
        operands = numbersOf(g, 3)
        if operands is None:
            return None
        fixed = [g.random.choice([None, None, 1, 2, 5]) for _ in range(2)]
        return operands, ["index"] * 3, {"basis": fixed}

    def basis(self, operands, attributes):
        return [int(o.low) if n is None else n for o, n in zip(operands[1:], attributes["basis"])]

    def text(self, operation, w):
        return ", ".join(w.name(o) if n is None else str(n)
                         for o, n in zip(operation.operands[-2:], operation.attributes["basis"]))

    def evaluate(self, operands, attributes, kinds):
        first, second = self.basis(operands, attributes)
        if min(first, second) < 1:
            raise Fails("a basis below 1")
        if first * second > LARGEST:
            raise Undecided("a basis beyond 64 bits")
        value = int(operands[0].low)
        return [number(value // (first * second)), number(value // second % first), number(value % second)]

    def write(self, operation, w):
        w.line(f"{w.definitions(operation)}affine.delinearize_index {w.name(operation.operands[0])} into "
               f"({self.text(operation, w)}) : index, index, index")


class Linearize(Delinearize):
    """affine.linearize_index of three numbers."""

    def propose(self, g):
        operands = numbersOf(g, 5)
        fixed = [g.random.choice([None, None, 1, 2, 5]) for _ in range(2)]
        return operands and (operands, ["index"], {"basis": fixed})

    def evaluate(self, operands, attributes, kinds):
        first, second = self.basis(operands[2:], attributes)
        if min(first, second) < 0:
            raise Undecided("a negative basis")
        a, b, c = (int(o.low) for o in operands[:3])
        return [wrapped(a * first * second + b * second + c)]

    def write(self, operation, w):
        names = ", ".join(map(w.name, operation.operands[:3]))
        w.line(f"{w.name(operation.results[0])} = affine.linearize_index [{names}] by ({self.text(operation, w)}) : index")


class Choose(Entry):
    """arith.select of two numbers by how two others compare."""

    weight = 0.4
    COMPARISONS = {"eq": lambda a, b: a == b, "slt": lambda a, b: a < b, "sge": lambda a, b: a >= b,
                   "ult": lambda a, b: unsigned(a) < unsigned(b), "ugt": lambda a, b: unsigned(a) > unsigned(b)}

    def propose(self, g):
        operands = numbersOf(g, 4)
        return operands and (operands, ["index"], {"predicate": g.random.choice(list(self.COMPARISONS))})

    def evaluate(self, operands, attributes, kinds):
        a, b, x, y = (int(o.low) for o in operands)
        return [number(x if self.COMPARISONS[attributes["predicate"]](a, b) else y)]

    def write(self, operation, w):
        a, b, x, y = map(w.name, operation.operands)
        condition = w.fresh("k")
        w.line(f"{condition} = arith.cmpi {operation.attributes['predicate']}, {a}, {b} : index")
        w.line(f"{w.name(operation.results[0])} = arith.select {condition}, {x}, {y} : index")


class AsTensor(Entry):
    """A number as a tensor of one axis, through fewer bits or not."""

    weight = 0.4

    def propose(self, g):
        operands = numbersOf(g, 1)
        return operands and (operands, ["i64"], {"bits": g.random.choice([64, 64, 32, 8])})

    def evaluate(self, operands, attributes, kinds):
        half = 1 << (attributes["bits"] - 1)
        value = (int(operands[0].low) + half) % (2 * half) - half
        return [exact(kindOf("i64"), [value])]

    def write(self, operation, w):
        bits, value = operation.attributes["bits"], w.fresh("k")
        w.line(f"{value} = arith.index_cast {w.name(operation.operands[0])} : index to i{bits}")
        if bits != 64:
            wide = w.fresh("k")
            w.line(f"{wide} = arith.extsi {value} : i{bits} to i64")
            value = wide
        w.line(f"{w.name(operation.results[0])} = tensor.from_elements {value} : {w.type(operation.results[0])}")


for _name, _class in (("index_constant", IndexConstant), ("index_arithmetic", IndexArithmetic), ("affine", Affine),
                      ("delinearize", Delinearize), ("linearize", Linearize), ("choose", Choose), ("as_tensor", AsTensor)):
    register(_name, _class())
