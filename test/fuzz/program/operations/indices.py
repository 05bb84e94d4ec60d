"""Numbers of type `index`: `arith` and `affine`, at the ends of 64 bits too (rt-13, el-3)."""

from data import exact, kindOf

from operations import Entry, Fails, Undecided, register
from operations.tensors import number

LEAST, LARGEST = -(1 << 63), (1 << 63) - 1


def wrapped(value):
    """What wraps in the program wraps here."""
    return number(signed(value))


def signed(value, bits=64):
    half = 1 << (bits - 1)
    return ((value + half) & (2 * half - 1)) - half


def unsigned(value, bits=64):
    return value & ((1 << bits) - 1)


def truncated(a, b):
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


DIVISIONS = {
    "floordivsi": lambda a, b: a // b,
    "ceildivsi": lambda a, b: -(-a // b),
    "divsi": truncated,
    "remsi": lambda a, b: a - b * truncated(a, b),
    "divui": lambda a, b: a // b,
    "remui": lambda a, b: a % b,
    "ceildivui": lambda a, b: -(-a // b),
}
SHIFTS = {"shli": lambda a, b: a << b, "shrsi": lambda a, b: a >> b, "shrui": lambda a, b: a >> b}
FUNCTIONS = {
    "addi": lambda a, b: a + b,
    "subi": lambda a, b: a - b,
    "muli": lambda a, b: a * b,
    "minsi": min,
    "maxsi": max,
    "minui": min,
    "maxui": max,
    "andi": lambda a, b: a & b,
    "ori": lambda a, b: a | b,
    "xori": lambda a, b: a ^ b,
    **SHIFTS,
    **DIVISIONS,
}


def compute(name, a, b, bits):
    """An operation of arith on words of so many bits, each with its sign."""
    if name in DIVISIONS and (b == 0 or (name.endswith("si") and b == -1 and a == -(1 << (bits - 1)))):
        raise Fails("a division by 0")
    if name in SHIFTS and not 0 <= b < bits:  # el-3
        return a >> (bits - 1) if name == "shrsi" else 0
    if name.endswith("ui"):
        a, b = unsigned(a, bits), unsigned(b, bits)
    return signed(FUNCTIONS[name](a, b), bits)


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
            value = g.random.choice([LEAST, LARGEST, LEAST + 1, 63, 64, -7])
        return [], ["index"], {"value": value}

    def evaluate(self, operands, attributes, kinds):
        return [number(attributes["value"])]

    def write(self, operation, w):
        w.line(f"{w.name(operation.results[0])} = arith.constant {operation.attributes['value']} : index")


# Of so many bits a word is large enough to be an extent that takes long: of
# such there is a remainder.
LARGE_BITS, MODULO = 32, 97


class IndexArithmetic(Entry):
    """Computes with `index`, or with the last bits of both, the first one raised to where they
    end, which become an index with a sign or without."""

    weight = 1

    def propose(self, g):
        operands = numbersOf(g, 2)
        pool = USUAL if g.random.random() < 0.6 else list(FUNCTIONS)
        attributes = {"function": g.random.choice(pool)}
        if g.random.random() < 0.3:
            bits = g.random.choice([8, 16, 32, 32])
            most = (1 << (bits - 1)) - 1
            attributes.update(
                bits=bits,
                raised=g.random.choice([0, 0, most, most - 2, -2]),
                back=g.random.choice(["cast", "cast", "castui"]),
            )
        return operands and (operands, ["index"], attributes)

    def evaluate(self, operands, attributes, kinds):
        a, b = (int(o.low) for o in operands)
        bits = attributes.get("bits", 64)
        word = compute(attributes["function"], signed(a + attributes.get("raised", 0), bits), signed(b, bits), bits)
        if bits == LARGE_BITS:
            word = compute("remui", word, MODULO, bits)
        return [number(unsigned(word, bits) if attributes.get("back") == "castui" else word)]

    def write(self, operation, w):
        attributes, (a, b) = operation.attributes, map(w.name, operation.operands)
        result, function = w.name(operation.results[0]), attributes["function"]
        if "bits" not in attributes:
            return w.line(f"{result} = arith.{function} {a}, {b} : index")
        bits, kind = attributes["bits"], f"i{attributes['bits']}"

        def made(text):
            name = w.fresh("k")
            w.line(f"{name} = arith.{text}")
            return name

        a, b = (made(f"index_cast {name} : index to {kind}") for name in (a, b))
        raised = made(f"constant {attributes['raised']} : {kind}")
        a = made(f"addi {a}, {raised} : {kind}")
        word = made(f"{function} {a}, {b} : {kind}")
        if bits == LARGE_BITS:
            modulo = made(f"constant {MODULO} : {kind}")
            word = made(f"remui {word}, {modulo} : {kind}")
        w.line(f"{result} = arith.index_{attributes['back']} {word} : {kind} to index")


class Affine(Entry):
    """affine.apply, affine.min or affine.max. An expression is (kind, factor or
    divisor, summand): of the first operand, a symbol where the divisor is None."""

    weight = 0.6

    def propose(self, g):
        operands = numbersOf(g, 2)
        if operands is None:
            return None
        form = g.random.choice(["apply", "apply", "min", "max"])
        expressions = [
            (
                g.random.choice(["sum", "floordiv", "ceildiv", "mod"]),
                g.random.choice([1, 2, 3, 7, None]),
                g.random.choice([0, 1, -1, 5]),
            )
            for _ in range(1 if form == "apply" else 2)
        ]
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
        texts = [
            f"d0 * {3 if factor is None else factor} + s0 + {summand}"
            if kind == "sum"
            else f"d0 {kind} {'s0' if factor is None else factor}"
            for kind, factor, summand in operation.attributes["expressions"]
        ]
        w.line(
            f"{w.name(operation.results[0])} = affine.{operation.attributes['form']} "
            f"affine_map<(d0)[s0] -> ({', '.join(texts)})>({a})[{b}]"
        )


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
        return ", ".join(
            w.name(o) if n is None else str(n) for o, n in zip(operation.operands[-2:], operation.attributes["basis"])
        )

    def evaluate(self, operands, attributes, kinds):
        first, second = self.basis(operands, attributes)
        if min(first, second) < 1:
            raise Fails("a basis below 1")
        if first * second > LARGEST:
            raise Undecided("a basis beyond 64 bits")
        value = int(operands[0].low)
        return [number(value // (first * second)), number(value // second % first), number(value % second)]

    def write(self, operation, w):
        w.line(
            f"{w.definitions(operation)}affine.delinearize_index {w.name(operation.operands[0])} into "
            f"({self.text(operation, w)}) : index, index, index"
        )


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
        w.line(
            f"{w.name(operation.results[0])} = affine.linearize_index [{names}] by ({self.text(operation, w)}) : index"
        )


class Choose(Entry):
    """arith.select of two numbers by how two others compare."""

    weight = 0.4
    COMPARISONS = {
        "eq": lambda a, b: a == b,
        "slt": lambda a, b: a < b,
        "sge": lambda a, b: a >= b,
        "ult": lambda a, b: unsigned(a) < unsigned(b),
        "ugt": lambda a, b: unsigned(a) > unsigned(b),
    }

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
        value = signed(int(operands[0].low), attributes["bits"])
        return [exact(kindOf("i64"), [value])]

    def write(self, operation, w):
        bits, value = operation.attributes["bits"], w.fresh("k")
        w.line(f"{value} = arith.index_cast {w.name(operation.operands[0])} : index to i{bits}")
        if bits != 64:
            wide = w.fresh("k")
            w.line(f"{wide} = arith.extsi {value} : i{bits} to i64")
            value = wide
        w.line(f"{w.name(operation.results[0])} = tensor.from_elements {value} : {w.type(operation.results[0])}")


class AsExtent(Entry):
    """tensor.splat with an extent that a number gives, so that shapes tell what it is."""

    weight = 0.5
    typed = "sizes"

    def propose(self, g):
        operands = numbersOf(g, 1)
        return operands and (operands, ["i64"], {"sizes": [None], "modulo": g.random.choice([2, 3, 4, 7])})

    def evaluate(self, operands, attributes, kinds):
        extent = unsigned(int(operands[0].low)) % attributes["modulo"]
        return [exact(kindOf("i64"), [extent] * extent)]

    def write(self, operation, w):
        (result,), modulo = operation.results, w.index(operation.attributes["modulo"])
        extent, element = w.fresh("k"), w.fresh("k")
        w.line(f"{extent} = arith.remui {w.name(operation.operands[0])}, {modulo} : index")
        w.line(f"{element} = arith.index_cast {extent} : index to i64")
        w.line(f"{w.name(result)} = tensor.splat {element}[{extent}] : {w.type(result)}")


for _name, _class in (
    ("index_constant", IndexConstant),
    ("index_arithmetic", IndexArithmetic),
    ("affine", Affine),
    ("delinearize", Delinearize),
    ("linearize", Linearize),
    ("choose", Choose),
    ("as_tensor", AsTensor),
    ("as_extent", AsExtent),
):
    register(_name, _class())
