"""Gives the values of a program types: static ones, `?`, unranked or mixed, and
casts where types must agree.

The same program in several such forms must compute the same (bcast-7).
"""

import contextlib
import random

import numpy as np
from evaluator import Evaluator
from ir import Operation, Value, allValues, blocksOf
from operations import TABLE, Fails, Undecided

# `partial` is `mixed` with all ranks known. `inferred` leaves the ranks of results to
# inference, which has them from the arguments.
MODES = ("static", "dynamic", "partial", "mixed", "unranked", "inferred")


def observeShapes(program, inputs):
    """Sets the shape of each value to what all its moments in one call have in
    common. What is not reached keeps what it had in `main`, if the arguments have
    the shapes that `main` was made for; other functions were made for other
    arguments, so that nothing is known of one of which a part is not reached:
    types that contradict each other there are no program (ext-2)."""
    seen = {}

    def observe(value, data):
        if value.kind == "index":
            return
        before = seen.get(value)
        if before is None:
            seen[value] = data.shape
        elif len(before) == len(data.shape):
            seen[value] = joined(before, data.shape)

    with contextlib.suppress(Fails, Undecided):
        Evaluator(program, observe, withTypes=False).run(inputs)
    for function, values in valuesOf(program):
        isReached = all(value in seen for value in values)
        isMadeForThis = function is program.main and all(
            seen.get(a, a.shape) == a.shape for a in function.block.arguments
        )
        for value in values:
            if (value not in seen and not isMadeForThis) or (function is not program.main and not isReached):
                value.shape = (None,) * len(value.shape)
            elif value in seen:
                value.shape = seen[value]
    # What is not taken in this call counts as well, inner blocks first.
    widenCallees(program)
    for operation in reversed(list(program.walk())):
        if operation.name == "call":
            callee = program.function(operation.attributes["callee"]).block
            for result, value in zip(operation.results, callee.results, strict=True):
                result.shape = joined(result.shape, value.shape)
        for i, result in enumerate(operation.results if operation.blocks else ()):
            ends = [block.results[i] for block in operation.blocks]
            if TABLE[operation.name].isLoop:
                ends += [operation.blocks[0].arguments[i], operation.operands[i - len(operation.results)]]
            for end in ends if result.kind != "index" else ():
                result.shape = joined(result.shape, end.shape)
    for variable in program.variables:
        variable.value.shape = variable.initial.shape
    for operation in program.walk():
        if operation.name == "variable_write":
            value = program.variable(operation.attributes["variable"]).value
            value.shape = joined(value.shape, operation.operands[0].shape)


def widenCallees(program):
    """Nothing is known of a function that is also called with other shapes."""
    values = {function.name: values for function, values in valuesOf(program)}
    for operation in program.walk():
        if operation.name != "call":
            continue
        callee = program.function(operation.attributes["callee"])
        pairs = list(zip(callee.block.arguments, operation.operands, strict=True))
        if any(joined(a.shape, o.shape) != a.shape for a, o in pairs):
            for value in values[callee.name]:
                value.shape = (None,) * len(value.shape)


def valuesOf(program):
    """Pairs of a function and the values in it that have shapes."""
    values = {}
    for block, function in blocksOf(program):
        results = (result for operation in block.operations for result in operation.results)
        values.setdefault(function.name, (function, []))[1].extend(
            value for value in (*block.arguments, *results) if value.kind != "index"
        )
    return list(values.values())


def joined(a, b):
    return tuple(x if x == y else None for x, y in zip(a, b, strict=True))


class Policy:
    """Which type a value gets. Depends on the seed and the value's number alone,
    so that a program that has become smaller keeps its types."""

    def __init__(self, mode, seed):
        self.mode, self.seed = mode, seed

    def extents(self, key, shape):
        if self.mode == "static":
            return shape
        if self.mode in ("dynamic", "inferred"):
            return (None,) * len(shape)
        dice = random.Random(f"{self.seed}/{key}")
        if self.mode == "unranked":
            return None if dice.random() < 0.75 else (None,) * len(shape)
        if self.mode == "mixed" and dice.random() < 0.1:
            return None
        keep = dice.choice([0.0, 0.3, 0.7, 1.0])
        return tuple(e if dice.random() < keep else None for e in shape)

    def leavesRank(self, operation):
        return self.mode == "inferred" and isInferred(operation)

    def rank(self, key, shape):
        """For a result of an operation that leaves ranks open."""
        return None if random.Random(f"{self.seed}/{key}").random() < 0.7 else (None,) * len(shape)


def isInferred(operation):
    """Whether it is an operation of TOSA that may leave the ranks of its results open."""
    entry = TABLE[operation.name]
    return not (
        hasattr(entry, "write")
        or entry.isControl
        or entry.isLoop
        or operation.name in ("const", "call")
        or any(result.kind == "index" for result in operation.results)
    )


def settle(program, mode, seed=0):
    """A copy of `program` with types and casts."""
    program = program.copy()
    policy = Policy(mode, seed)
    for value in allValues(program):
        if value.kind != "index":
            value.extents = policy.extents(value.number, value.shape)
    for function in program.functions:
        function.resultTypes = [
            policy.extents(f"{function.name}/{i}", v.shape) if v.kind != "index" else None
            for i, v in enumerate(function.block.results)
        ]
    for operation in program.walk():
        if operation.name == "call":
            types = program.function(operation.attributes["callee"]).resultTypes
            for result, extents in zip(operation.results, types, strict=True):
                result.extents = extents
        elif TABLE[operation.name].isLoop:
            for argument, result in zip(operation.blocks[0].arguments, operation.results, strict=True):
                argument.extents = result.extents
        elif policy.leavesRank(operation):
            for result in operation.results:
                result.extents = policy.rank(result.number, result.shape)
    for variable in program.variables:
        value = variable.value
        value.extents = policy.extents(value.number, value.shape) if variable.isGiven else variable.initial.shape
        if value.extents is None:
            value.extents = (None,) * len(value.shape)
    owners = {id(block): operation for operation in program.walk() for block in operation.blocks}
    for block, function in blocksOf(program):
        Settler(program, block, policy).run()
        owner = owners.get(id(block))
        wanted = [r.extents for r in owner.results] if owner else function.resultTypes
        block.results = [cast(block.operations, v, e) for v, e in zip(block.results, wanted, strict=True)]
    return program


def cast(operations, value, extents):
    """`value` as that type, with a cast added to `operations` where it is another."""
    if value.extents == extents:
        return value
    made = Value(value.kind, extents, value.shape)
    operations.append(Operation("cast_type", [value], [made]))
    return made


def product(extents):
    return None if None in extents else int(np.prod(extents))


class Settler:
    def __init__(self, program, block, policy):
        self.program, self.block, self.policy = program, block, policy

    def run(self):
        old, self.block.operations = self.block.operations, []
        for operation in old:
            self.operands(operation)
            self.block.operations.append(operation)
            self.results(operation)

    def cast(self, value, extents):
        return cast(self.block.operations, value, extents)

    def ranked(self, value):
        return (
            value
            if value.extents is not None or value.kind == "index"
            else self.cast(value, (None,) * len(value.shape))
        )

    def operands(self, operation):
        entry, operands = TABLE[operation.name], operation.operands
        if self.policy.leavesRank(operation):
            return
        if operation.name == "call":
            arguments = self.program.function(operation.attributes["callee"]).block.arguments
            operation.operands = [self.cast(o, a.extents) for o, a in zip(operands, arguments, strict=True)]
        elif TABLE[operation.name].isLoop:
            skip = entry.skip(operation)
            operation.operands = [self.ranked(o) for o in operands[:skip]] + [
                self.cast(o, r.extents) for o, r in zip(operands[skip:], operation.results, strict=True)
            ]
        elif operation.name == "variable_write":
            variable = self.program.variable(operation.attributes["variable"])
            operation.operands = [self.cast(o, variable.value.extents) for o in operands]
        elif entry.typed == "same":
            wanted = self.wanted(operation, operation.results[0])
            operation.operands = [self.cast(o, wanted) for o in operands]
        elif not entry.anyRank or (entry.isControl and operation.name != "cast_type"):
            operation.operands = [self.ranked(o) for o in operands]

    def wanted(self, operation, result):
        """The type that the operation itself gives."""
        typed = TABLE[operation.name].typed
        if operation.name == "const":
            return operation.attributes["values"].shape
        if operation.name == "variable_read":
            return self.program.variable(operation.attributes["variable"]).value.extents
        if typed == "sizes":
            return tuple(operation.attributes["sizes"])
        if operation.name in ("extract", "lookup", "as_tensor", "parallel"):
            return (1,)
        if operation.name == "tensor_pad":
            return tuple(
                None if None in (e, a, b) else a + e + b
                for e, a, b in zip(
                    operation.operands[0].extents, operation.attributes["low"], operation.attributes["high"]
                )
            )
        if operation.name == "insert_slice":
            return operation.operands[1].extents
        if typed == "destination":
            return operation.operands[-1].extents
        if operation.name == "collapse":
            return tuple(
                product([operation.operands[0].extents[a] for a in group]) for group in operation.attributes["groups"]
            )
        return result.extents if result.extents is not None else (None,) * len(result.shape)

    def results(self, operation):
        entry = TABLE[operation.name]
        if entry.anyRank or self.policy.leavesRank(operation):
            return
        for i, result in enumerate(operation.results):
            if result.kind == "index":
                continue
            wanted = self.wanted(operation, result)
            # What no call reaches may have been made for other extents.
            if result.extents is not None:
                result.extents = tuple(
                    None if None not in (x, y) and x != y else x for x, y in zip(result.extents, wanted, strict=True)
                )
            if wanted != result.extents:
                made = Value(result.kind, wanted, result.shape)
                operation.results[i] = made
                self.block.operations.append(Operation("cast_type", [made], [result]))
