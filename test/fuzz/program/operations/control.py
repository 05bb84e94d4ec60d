"""Branches, loops and calls. Of `branch` there are several forms with one meaning.

A branch's condition is an i1 tensor of rank 0, or (attribute `test`) a
comparison of an extent of its first operand with a number.
"""

import numpy as np

from operations import Entry, Fails, Undecided, register

COMPARISONS = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "slt": lambda a, b: a < b,
    "sge": lambda a, b: a >= b,
    "ult": lambda a, b: a < b,
    "ugt": lambda a, b: a > b,
}


class Branch(Entry):
    isControl = True
    weight = 1.5
    anyRank = True

    def __init__(self, form):
        self.form = form
        self.needsBlocks = form == "cf"

    def generate(self, g):
        # What uses variables has one block (decision 27).
        if (self.form == "cf" and g.depth) or (self.form in ("cf", "region") and g.program.variables):
            return None
        attributes = {}
        condition = None
        if self.form != "cond_if" and g.random.random() < 0.4:
            condition = g.pickOf(lambda v: len(g.shape(v)) > 0)
            if condition is not None:
                axis = g.random.randrange(len(g.shape(condition)))
                limit = g.random.choice([0, 1, 2, g.shape(condition)[axis], 1000])
                attributes["test"] = (axis, g.random.choice(list(COMPARISONS)), limit)
        if condition is None:
            condition = g.pickOf(lambda v: v.kind == "i1" and g.shape(v) == ())
        if condition is None or ("test" not in attributes and g.random.random() < 0.2):
            condition = g.newInput("i1", np.array(g.random.random() < 0.5))
        return g.branch(self.name, condition, attributes)

    def execute(self, evaluator, operation, operands, environment):
        data = operands[0]
        if "test" in operation.attributes:
            axis, predicate, limit = operation.attributes["test"]
            if axis >= len(data.shape):
                raise Fails("there is no such axis")
            taken = COMPARISONS[predicate](data.shape[axis], limit)
        else:
            if data.shape != ():
                raise Fails("a condition has no axis")
            if not data.isExact:
                raise Undecided("the condition is not known")
            taken = bool(data.low)
        return evaluator.block(operation.blocks[0 if taken else 1], environment)

    def write(self, operation, w):
        getattr(self, self.form)(operation, w)

    def condition(self, operation, w):
        value = operation.operands[0]
        if "test" in operation.attributes:
            axis, predicate, limit = operation.attributes["test"]
            k, n, c, r = (w.fresh("k") for _ in range(4))
            w.line(f"{k} = arith.constant {axis} : index")
            w.line(f"{n} = tensor.dim {w.name(value)}, {k} : {w.type(value)}")
            w.line(f"{c} = arith.constant {limit} : index")
            w.line(f"{r} = arith.cmpi {predicate}, {n}, {c} : index")
            return r
        r = w.fresh("k")
        w.line(f"{r} = tensor.extract {w.name(value)}[] : {w.type(value)}")
        return r

    def cond_if(self, operation, w):
        head = w.definitions(operation)
        types = w.types(operation.results, always=True)
        w.line(f"{head}tosa.cond_if {w.name(operation.operands[0])} : {w.type(operation.operands[0])} -> {types} {{")
        w.block(operation.blocks[0], "tosa.yield")
        w.line("} else {")
        w.block(operation.blocks[1], "tosa.yield")
        w.line("}")

    def scf_if(self, operation, w):
        condition = self.condition(operation, w)
        w.line(f"{w.definitions(operation)}scf.if {condition} -> ({w.types(operation.results)}) {{")
        w.block(operation.blocks[0], "scf.yield")
        w.line("} else {")
        w.block(operation.blocks[1], "scf.yield")
        w.line("}")

    def switch(self, operation, w):
        """scf.index_switch on the condition as a number."""
        condition, number = self.condition(operation, w), w.fresh("k")
        w.line(f"{number} = arith.index_castui {condition} : i1 to index")
        w.line(f"{w.definitions(operation)}scf.index_switch {number} -> {w.types(operation.results)}")
        w.line("case 1 {")
        w.block(operation.blocks[0], "scf.yield")
        w.line("}")
        w.line("default {")
        w.block(operation.blocks[1], "scf.yield")
        w.line("}")

    def cf(self, operation, w):
        condition = self.condition(operation, w)
        first, second, after = w.fresh("^b"), w.fresh("^b"), w.fresh("^b")
        w.line(f"cf.cond_br {condition}, {first}, {second}")
        for label, block in zip((first, second), operation.blocks):
            w.line(f"{label}:")
            w.block(block, f"cf.br {after}", inParentheses=True)
        w.line(f"{after}({', '.join(f'{w.name(r)}: {w.type(r)}' for r in operation.results)}):")


class For(Entry):
    """scf.for from 0 to a number or an extent; carries its further operands."""

    isControl = True
    isLoop = True
    weight = 1
    anyRank = True

    def generate(self, g):
        carried = [g.pick() for _ in range(g.random.choice([1, 1, 2]))]
        if None in carried:
            return None
        of = g.pickOf(lambda v: len(g.shape(v)) > 0) if g.random.random() < 0.4 else None
        attributes = {"count": g.random.choice([0, 1, 1, 2, 3])}
        if of is not None:
            axis = g.random.randrange(len(g.shape(of)))
            if g.shape(of)[axis] <= 4:
                attributes = {"axis": axis}
                carried.insert(0, of)
        return g.loop(self.name, carried, attributes, skip="axis" in attributes)

    def skip(self, operation):
        return 1 if "axis" in operation.attributes else 0

    def execute(self, evaluator, operation, operands, environment):
        count = operation.attributes.get("count")
        if count is None:
            axis = operation.attributes["axis"]
            if axis >= len(operands[0].shape):
                raise Fails("there is no such axis")
            count, operands = operands[0].shape[axis], operands[1:]
        return self.iterations(evaluator, operation, operands, environment, range(count), lambda _: None)

    def iterations(self, evaluator, operation, operands, environment, indices, begin):
        """Returns what is carried in the end; `begin` is called with the index of each iteration."""
        block, carried = operation.blocks[0], list(operands)
        for value, data in zip(operation.results, carried):
            evaluator.define(environment, value, data)
        for index in indices:
            for value, data in zip(block.arguments, carried):
                evaluator.define(environment, value, data)
            begin(index)
            carried = evaluator.block(block, environment)
            for value, data in zip(operation.results, carried):
                evaluator.define(environment, value, data)
        return carried

    def write(self, operation, w):
        zero, one, end, index = w.fresh("k"), w.fresh("k"), w.fresh("k"), w.fresh("k")
        w.line(f"{zero} = arith.constant 0 : index")
        w.line(f"{one} = arith.constant 1 : index")
        carried = operation.operands[self.skip(operation) :]
        if "axis" in operation.attributes:
            axis, of = w.fresh("k"), operation.operands[0]
            w.line(f"{axis} = arith.constant {operation.attributes['axis']} : index")
            w.line(f"{end} = tensor.dim {w.name(of)}, {axis} : {w.type(of)}")
        else:
            w.line(f"{end} = arith.constant {operation.attributes['count']} : index")
        block = operation.blocks[0]
        pairs = ", ".join(f"{w.name(a)} = {w.name(o)}" for a, o in zip(block.arguments, carried))
        w.line(
            f"{w.definitions(operation)}scf.for {index} = {zero} to {end} step {one} "
            f"iter_args({pairs}) -> ({w.types(operation.results)}) {{"
        )
        w.block(block, "scf.yield")
        w.line("}")


class While(For):
    """tosa.while_loop with a counter of its own, an i32 of rank 0; carries its operands."""

    weight = 0.7

    def generate(self, g):
        carried = [g.pick() for _ in range(g.random.choice([1, 1, 2]))]
        if None in carried:
            return None
        return g.loop(self.name, carried, {"count": g.random.choice([0, 1, 2, 3])})

    def skip(self, operation):
        return 0

    def write(self, operation, w):
        start, one, limit, n, m, c, k, _, out = (w.fresh("n") for _ in range(9))
        count = operation.attributes["count"]
        for name, value in ((start, 0), (one, 1), (limit, count)):
            w.line(f'{name} = "tosa.const"() {{values = dense<{value}> : tensor<i32>}} : () -> tensor<i32>')
        block = operation.blocks[0]
        types = w.types(operation.results)
        inner = [w.fresh("n") for _ in block.arguments]
        pairs = ", ".join([f"{n} = {start}"] + [f"{i} = {w.name(o)}" for i, o in zip(inner, operation.operands)])
        results = [f"{out}"] + [w.name(r) for r in operation.results]
        if len(results) > 1:
            group = w.fresh("w")
            w.alias(operation.results, group, 1)
            head = f"{group}:{len(results)}"
        else:
            head = out
        w.line(f"{head} = tosa.while_loop ({pairs}) : (tensor<i32>, {types}) -> (tensor<i32>, {types}) {{")
        w.line(f"{c} = tosa.greater {limit}, {n} : (tensor<i32>, tensor<i32>) -> tensor<i1>")
        w.line(f"tosa.yield {c} : tensor<i1>")
        w.line("} do {")
        arguments = ", ".join([f"{m}: tensor<i32>"] + [f"{w.name(a)}: {w.type(a)}" for a in block.arguments])
        w.line(f"^bb0({arguments}):")
        w.line(f"{k} = tosa.add {m}, {one} : (tensor<i32>, tensor<i32>) -> tensor<i32>")
        w.block(block, f"tosa.yield {k},", firstType="tensor<i32>")
        w.line("}")


class ScfWhile(While):
    """scf.while that counts with an index; carries its operands."""

    def write(self, operation, w):
        zero, one, limit, n, m, c, k, out = (w.fresh("n") for _ in range(8))
        for name, value in ((zero, 0), (one, 1), (limit, operation.attributes["count"])):
            w.line(f"{name} = arith.constant {value} : index")
        block = operation.blocks[0]
        inner = [w.fresh("n") for _ in block.arguments]
        types = ", ".join(["index", w.types(operation.results)])
        pairs = ", ".join([f"{n} = {zero}"] + [f"{i} = {w.name(o)}" for i, o in zip(inner, operation.operands)])
        w.alias(operation.results, out, 1)
        w.line(f"{out}:{len(inner) + 1} = scf.while ({pairs}) : ({types}) -> ({types}) {{")
        w.line(f"{c} = arith.cmpi slt, {n}, {limit} : index")
        w.line(f"scf.condition({c}) {', '.join([n, *inner])} : {types}")
        w.line("} do {")
        w.line(f"^bb0({', '.join([f'{m}: index'] + [f'{w.name(a)}: {w.type(a)}' for a in block.arguments])}):")
        w.line(f"{k} = arith.addi {m}, {one} : index")
        w.block(block, f"scf.yield {k},", firstType="index")
        w.line("}")


class Call(Entry):
    isControl = True
    weight = 2
    anyRank = True

    def generate(self, g):
        return g.call()

    def execute(self, evaluator, operation, operands, environment):
        return evaluator.call(evaluator.program.function(operation.attributes["callee"]), operands)

    def write(self, operation, w):
        names = ", ".join(w.name(o) for o in operation.operands)
        w.line(
            f"{w.definitions(operation)}func.call @{operation.attributes['callee']}({names}) : "
            f"({w.types(operation.operands)}) -> ({w.types(operation.results)})"
        )


for _form in ("cond_if", "scf_if", "cf", "switch"):
    register(_form, Branch(_form))
register("for", For())
register("while", While())
register("scf_while", ScfWhile())
register("call", Call())


class CastType(Entry):
    """tensor.cast: says nothing, or something that is checked (rt-4)."""

    isControl = True
    isOwn = False
    anyRank = True

    def execute(self, evaluator, operation, operands, environment):
        return operands

    def write(self, operation, w):
        source, result = operation.operands[0], operation.results[0]
        w.line(f"{w.name(result)} = tensor.cast {w.name(source)} : {w.type(source)} to {w.type(result)}")


register("cast_type", CastType())
