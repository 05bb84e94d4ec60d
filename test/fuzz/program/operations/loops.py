"""Loops over numbers: their index is used, they start and step anywhere, and
some of them run their rounds side by side."""

import numpy as np
from data import exact, kindOf
from ir import Operation, Value

from operations import Entry, Fails, Undecided, register
from operations.control import Branch, For, While
from operations.indices import numbersOf, signed
from operations.tensors import number

# Where the evaluator and the writer keep the index of the innermost loop.
INDUCTION = "induction"


class Induction(Entry):
    """The index of the loop around it."""

    isControl = True
    isOwn = False
    anyRank = True

    def execute(self, evaluator, operation, operands, environment):
        if environment.get(INDUCTION) is None:
            raise Undecided("there is no loop around it any more")
        return [environment[INDUCTION]]

    def write(self, operation, w):
        (result,) = operation.results
        if w.induction is None:
            w.line(f"{w.name(result)} = arith.constant 0 : index")
        else:
            w.line(f"{w.name(result)} = {w.induction}")


class RangeFor(For):
    """scf.for from any number in any steps, of `index` or of fewer bits, signed or not."""

    weight = 1

    def generate(self, g):
        carried = [g.pick() for _ in range(g.random.choice([1, 1, 2]))]
        if None in carried:
            return None
        bits = g.random.choice([64, 64, 64, 32, 8])
        isUnsigned = g.random.random() < 0.2
        most = (1 << bits if isUnsigned else 1 << (bits - 1)) - 1
        least = 0 if isUnsigned else -most - 1
        start = g.random.choice([0, 0, 1, 2, -1, -3, least, most, most - 4, most // 2])
        start = min(max(start, least), most)
        step = g.random.choice([1, 1, 2, 3, most // 2, most // 2 + 1])
        step = min(step, (1 << (bits - 1)) - 1)
        # Its end, which may be behind the last number that there is.
        end = start + g.random.choice([-1, 0, 1, 1, 2, 3]) * step + g.random.choice([0, 0, 1])
        attributes = {"range": (start, min(max(end, least), most), step), "bits": bits, "unsigned": isUnsigned}
        return g.loop(self.name, carried, attributes, first=lambda: self.index(g, start))

    def index(self, g, start):
        g.add(Operation(INDUCTION, [], [Value("index", None, None)]), [number(signed(start))])

    def skip(self, operation):
        return 0

    def execute(self, evaluator, operation, operands, environment):
        around, bits = environment.get(INDUCTION), operation.attributes["bits"]

        def begin(i):
            environment[INDUCTION] = number(signed(i, bits))

        carried = self.iterations(
            evaluator, operation, operands, environment, range(*operation.attributes["range"]), begin
        )
        environment[INDUCTION] = around
        return carried

    def write(self, operation, w):
        bits, block = operation.attributes["bits"], operation.blocks[0]
        kind = "index" if bits == 64 else f"i{bits}"
        names = [w.fresh("k") for _ in range(3)]
        for name, value in zip(names, operation.attributes["range"]):
            w.line(f"{name} = arith.constant {signed(value, bits)} : {kind}")
        index, around = w.fresh("k"), w.induction
        w.induction = (
            f"arith.addi {index}, {w.index(0)} : index"
            if bits == 64
            else (f"arith.index_cast {index} : {kind} to index")
        )
        pairs = ", ".join(f"{w.name(a)} = {w.name(o)}" for a, o in zip(block.arguments, operation.operands))
        w.line(
            f"{w.definitions(operation)}scf.for {'unsigned ' * operation.attributes['unsigned']}{index} = {names[0]} to "
            f"{names[1]} step {names[2]} iter_args({pairs}) -> ({w.types(operation.results)})"
            f"{'' if bits == 64 else f' : {kind}'} {{"
        )
        w.block(block, "scf.yield")
        w.line("}")
        w.induction = around


class BlockFor(While):
    """A loop of blocks of `cf`, in a function's body or in an scf.execute_region."""

    weight = 0.7

    def __init__(self, isInRegion):
        self.isInRegion = isInRegion
        self.needsBlocks = not isInRegion

    def generate(self, g):
        # As branches between blocks (decision 27).
        if g.program.variables or (self.needsBlocks and g.depth):
            return None
        return super().generate(g)

    def write(self, operation, w):
        block, values = operation.blocks[0], operation.results
        zero, one, end = w.index(0), w.index(1), w.index(operation.attributes["count"])
        head, body, after = w.fresh("^b"), w.fresh("^b"), w.fresh("^b")
        index, test, following = w.fresh("k"), w.fresh("c"), w.fresh("k")
        if self.isInRegion:
            w.line(f"{w.definitions(operation)}scf.execute_region -> {w.types(values, always=True)} {{")
        starts = ", ".join([zero] + [w.name(o) for o in operation.operands])
        w.line(f"cf.br {head}({starts} : index, {w.types(operation.operands)})")
        arguments = ", ".join(f"{w.name(a)}: {w.type(a)}" for a in block.arguments)
        w.line(f"{head}({index}: index, {arguments}):")
        w.line(f"{test} = arith.cmpi ult, {index}, {end} : index")
        names = ", ".join(w.name(a) for a in block.arguments)
        w.line(f"cf.cond_br {test}, {body}, {after}({names} : {w.types(block.arguments)})")
        w.line(f"{body}:")
        for inner in block.operations:
            w.operation(inner)
        w.line(f"{following} = arith.addi {index}, {one} : index")
        names = ", ".join([following] + [w.name(v) for v in block.results])
        w.line(f"cf.br {head}({names} : index, {w.types(block.results)})")
        ends = [w.fresh("e") if self.isInRegion else w.name(v) for v in values]
        w.line(f"{after}({', '.join(f'{e}: {w.type(v)}' for e, v in zip(ends, values))}):")
        if self.isInRegion:
            w.line(f"scf.yield {', '.join(ends)} : {w.types(values)}")
            w.line("}")


class Switch(Branch):
    """scf.index_switch on a number, with one case of its own, or with none."""

    weight = 0.6

    def generate(self, g):
        operands = numbersOf(g, 1)
        if operands is None:
            return None
        value = int(g.data(operands[0]).low)
        case = g.random.choice([value, value, 0, 1, signed(value + (1 << 32)), value ^ -(1 << 63), None])
        return g.branch(self.name, operands[0], {"case": case})

    def execute(self, evaluator, operation, operands, environment):
        taken = int(operands[0].low) == operation.attributes["case"]
        return evaluator.block(operation.blocks[0 if taken else 1], environment)

    def number_switch(self, operation, w):
        w.line(
            f"{w.definitions(operation)}scf.index_switch {w.name(operation.operands[0])} -> "
            f"{w.types(operation.results)}"
        )
        if operation.attributes["case"] is not None:
            w.line(f"case {operation.attributes['case']} {{")
            w.block(operation.blocks[0], "scf.yield")
            w.line("}")
        w.line("default {")
        w.block(operation.blocks[1], "scf.yield")
        w.line("}")


class Region(Branch):
    """scf.execute_region that ends in one of two blocks."""

    weight = 0.7

    def region(self, operation, w):
        condition = self.condition(operation, w)
        first, second = w.fresh("^b"), w.fresh("^b")
        w.line(f"{w.definitions(operation)}scf.execute_region -> {w.types(operation.results, always=True)} {{")
        w.line(f"cf.cond_br {condition}, {first}, {second}")
        for label, block in zip((first, second), operation.blocks):
            w.line(f"{label}:")
            w.block(block, "scf.yield")
        w.line("}")


class Forall(Entry):
    """scf.forall that puts the rows of a source into a destination, the first one last."""

    weight = 0.4
    typed = "destination"

    def propose(self, g):
        source = g.pickOf(lambda v: len(g.shape(v)) > 0)
        into = source and g.pickOf(lambda v: v.kind == source.kind and g.shape(v) == g.shape(source))
        return source and ([source, into], [source.kind], {})

    def evaluate(self, operands, attributes, kinds):
        source, into = operands
        if not source.shape or not into.shape:
            raise Fails("ranks")
        if len(source.shape) != len(into.shape) or source.shape[1:] != into.shape[1:]:
            raise Undecided("which rows are compared first")
        if source.shape[0] > into.shape[0]:
            raise Undecided("which row is the first one outside")
        if source.shape[0] < into.shape[0]:
            raise Undecided("parts of a destination")
        return [source.map(lambda a: np.ascontiguousarray(a[::-1]))]

    def write(self, operation, w):
        source, into = operation.operands
        result = operation.results[0]
        rank = len(source.extents)
        zero, one, count, last, i, j, part, out = (w.fresh("k") for _ in range(8))
        w.line(f"{zero} = arith.constant 0 : index")
        w.line(f"{one} = arith.constant 1 : index")
        w.line(f"{count} = tensor.dim {w.name(source)}, {zero} : {w.type(source)}")
        w.line(f"{last} = arith.subi {count}, {one} : index")
        sizes = ["1"]
        for axis in range(1, rank):
            size = w.fresh("k")
            w.line(f"{size} = tensor.dim {w.name(source)}, {w.index(axis)} : {w.type(source)}")
            sizes.append(size)
        zeros, ones = ", 0" * (rank - 1), ", ".join(["1"] * rank)
        row = f"tensor<{'x'.join(['1'] + ['?'] * (rank - 1) + [source.kind])}>"
        w.line(
            f"{w.name(result)} = scf.forall ({i}) in ({count}) shared_outs({out} = {w.name(into)}) -> ({w.type(result)}) {{"
        )
        w.line(f"{j} = arith.subi {last}, {i} : index")
        w.line(
            f"{part} = tensor.extract_slice {w.name(source)}[{i}{zeros}] [{', '.join(sizes)}] [{ones}] : "
            f"{w.type(source)} to {row}"
        )
        w.line("scf.forall.in_parallel {")
        w.line(
            f"tensor.parallel_insert_slice {part} into {out}[{j}{zeros}] [{', '.join(sizes)}] [{ones}] : "
            f"{row} into {w.type(into)}"
        )
        w.line("}")
        w.line("}")


class Parallel(Entry):
    """scf.parallel that adds up the elements of an axis, or finds the largest."""

    weight = 0.4

    def propose(self, g):
        value = g.pickOf(lambda v: v.kind in ("i32", "i64") and len(g.shape(v)) == 1)
        return value and (
            [value],
            [value.kind],
            {"function": g.random.choice(["addi", "maxsi"]), "start": g.random.choice([0, -7, 3])},
        )

    def evaluate(self, operands, attributes, kinds):
        (data,) = operands
        if len(data.shape) != 1:
            raise Fails("ranks")
        if not data.isExact:
            raise Undecided("what is added")
        parts = [attributes["start"], *map(int, data.low)]
        total = sum(parts) if attributes["function"] == "addi" else max(parts)
        kind = kindOf(kinds[0])
        return [exact(kind, np.array([total & ((1 << kind.bits) - 1)], np.uint64).astype(kind.dtype))]

    def write(self, operation, w):
        (value,), (result,) = operation.operands, operation.results
        zero, one, count, start, i, x, a, b, c, total = (w.fresh("k") for _ in range(10))
        w.line(f"{zero} = arith.constant 0 : index")
        w.line(f"{one} = arith.constant 1 : index")
        w.line(f"{count} = tensor.dim {w.name(value)}, {zero} : {w.type(value)}")
        w.line(f"{start} = arith.constant {operation.attributes['start']} : {value.kind}")
        w.line(f"{total} = scf.parallel ({i}) = ({zero}) to ({count}) step ({one}) init ({start}) -> {value.kind} {{")
        w.line(f"{x} = tensor.extract {w.name(value)}[{i}] : {w.type(value)}")
        w.line(f"scf.reduce({x} : {value.kind}) {{")
        w.line(f"^bb0({a}: {value.kind}, {b}: {value.kind}):")
        w.line(f"{c} = arith.{operation.attributes['function']} {a}, {b} : {value.kind}")
        w.line(f"scf.reduce.return {c} : {value.kind}")
        w.line("}")
        w.line("}")
        w.line(f"{w.name(result)} = tensor.from_elements {total} : {w.type(result)}")


register(INDUCTION, Induction())
register("range_for", RangeFor())
register("block_for", BlockFor(isInRegion=False))
register("region_for", BlockFor(isInRegion=True))
register("number_switch", Switch("number_switch"))
register("region", Region("region"))
register("forall", Forall())
register("parallel", Parallel())
