"""Random programs, made together with what they compute for one call, so that
this call is valid by the rules."""

import random

import numpy as np
from arrays import arrayOf
from data import exact, kindOf
from element_types import SMALL_FLOATS
from evaluator import Evaluator, initialState
from ir import Block, Function, Operation, Program, Value, Variable
from operations import Fails, Undecided, load
from regions import addRegion

TABLE = load()
OWN = [e for e in TABLE.values() if e.isOwn]
WEIGHTS = [e.weight for e in OWN]
FLOATS = ("f32", "f32", "f32", "f16", "bf16", "f64")
INTEGERS = ("i32", "i32", "i8", "i16", "i64")
EXTENTS = (1, 1, 2, 2, 3, 3, 4, 5, 5, 7, 8, 15, 16, 17, 33, 64, 65, 100)


class Generator:
    """The state while one function is made. Scopes are lists of values that can
    be used; `known` is what each is in the call."""

    def __init__(self, seed, large=None):
        self.random = random.Random(seed)
        r = self.random
        self.functions = []
        self.program = Program(self.functions)
        self.known = {}
        self.deepest = r.choice([2, 2, 2, 4])
        self.most = large or r.choice([60, 200, 200, 600, 3000])
        self.extents = [r.choice(EXTENTS) for _ in range(r.choice([2, 3, 4]))] + [1]
        if r.random() < 0.06:
            self.extents.append(0)
        self.kinds = sorted({r.choice(FLOATS), r.choice(FLOATS + INTEGERS), r.choice((*INTEGERS, "i1")), "i1"})
        if r.random() < 0.3:
            self.kinds = [r.choice(FLOATS + INTEGERS), "i1"]
        # Dice of their own, which leave all other choices as they are.
        small = random.Random(f"{seed}/small")
        if small.random() < 0.1:
            self.kinds.append(small.choice(SMALL_FLOATS))
        # What is a result in any case (regions.py, with dice of their own).
        self.wanted, self.regions = [], random.Random(f"{seed}/regions")
        self.inputs = []
        # What variables have where the next operation stands, and had around the
        # blocks that it is in.
        self.state, self.outerStates = {}, []
        for i in range(r.choice([1, 1, 2, 3]) if r.random() < 0.2 else 0):
            self.declare(f"s{i}")

    def declare(self, name):
        kind, shape = self.random.choice(self.kinds), self.anyShape()
        isGiven = self.random.random() < 0.8
        initial = arrayOf(self.random, kindOf(kind), shape) if isGiven else np.zeros(shape, kindOf(kind).dtype)
        self.program.variables.append(Variable(name, Value(kind, None, shape), initial, isGiven))

    # What operations require. -------------------------------------------------

    def shape(self, value):
        return self.known[value].shape

    def data(self, value):
        return self.known[value]

    def values(self):
        return [v for scope in self.scopes for v in scope if v.kind != "index"]

    def numbers(self):
        return [v for scope in self.scopes for v in scope if v.kind == "index"]

    def pickOf(self, predicate):
        fits = [v for v in self.values() if predicate(v)]
        if not fits:
            return None
        return self.random.choice(fits[-4:]) if self.random.random() < 0.6 else self.random.choice(fits)

    def pickLike(self, other):
        """A value of the same element type and rank, which `other` may be."""
        return self.pickOf(lambda v: v.kind == other.kind and len(self.shape(v)) == len(self.shape(other)))

    def pick(self, kind=None):
        found = self.pickOf(lambda v: kind is None or v.kind == kind)
        if found is None and kind in self.kinds:
            found = self.newInput(kind, arrayOf(self.random, kindOf(kind), self.anyShape()))
        return found

    def pickBroadcasting(self, kind, other):
        shape = self.shape(other)
        found = self.pickOf(lambda v: v.kind == kind and self.fits(self.shape(v), shape))
        if found is None or self.random.random() < 0.08:
            # All of it, or some of its axes.
            mine = [e if self.random.random() < 0.7 else 1 for e in shape]
            mine = mine[self.random.choice([0, 0, 0, self.random.randrange(len(mine) + 1)]) :]
            found = self.newInput(kind, arrayOf(self.random, kindOf(kind), tuple(mine)))
        return found

    def fits(self, a, b):
        try:
            return int(np.prod(np.broadcast_shapes(a, b))) <= self.most
        except ValueError:
            return False

    def anyShape(self):
        shape = ()
        for _ in range(self.random.choice([0, 1, 1, 2, 2, 2, 3, 3, 4])):
            extent = self.random.choice(self.extents)
            if int(np.prod(shape)) * extent <= self.most:
                shape += (extent,)
        return shape

    def newInput(self, kind, array):
        """An argument of main, or a constant."""
        array = np.ascontiguousarray(array).reshape(np.shape(array)).astype(kindOf(kind).dtype)
        if self.isMain and self.random.random() < (0.8 if self.depth == 0 else 0.4):
            value = Value(kind, None, array.shape)
            self.arguments.append(value)
            self.inputs.append(exact(kindOf(kind), array))
            self.known[value] = self.inputs[-1]
            self.scopes[0].append(value)
            return value
        return self.newConstant(kind, array)

    def newConstant(self, kind, array):
        value = Value(kind, None, array.shape)
        self.add(Operation("const", [], [value], {"values": array}), [exact(kindOf(kind), array)])
        return value

    def newOf(self, kind, shape):
        """A new input with elements of any sort."""
        return self.newInput(kind, arrayOf(self.random, kindOf(kind), tuple(shape)))

    def someNumbers(self, chance):
        """One or two of the numbers that are known, or none."""
        pool = self.numbers()
        if not pool or self.random.random() >= chance:
            return []
        return [self.random.choice(pool[-6:]) for _ in range(self.random.choice([1, 1, 2]))]

    def numberLike(self, value):
        """A number to pass for one that was `value` when the callee was made."""
        same = [v for v in self.numbers() if int(self.known[v].low) == value]
        if same and self.random.random() < 0.5:
            return self.random.choice(same)
        found = self.someNumbers(0.3)
        found = found[0] if found else self.newIndex(value) if self.random.random() < 0.7 else None
        if found is None:
            found = Value("index", None, ())
            self.add(
                Operation("index_constant", [], [found], {"value": value}),
                [exact(kindOf("index"), np.array(value, np.int64))],
            )
        return found

    def newIndex(self, value):
        """An index that is an argument of main, or None."""
        if not self.isMain or len(self.inputs) > 12:
            return None
        made = Value("index", None, ())
        self.arguments.append(made)
        self.inputs.append(exact(kindOf("index"), np.array(value, np.int64)))
        self.known[made] = self.inputs[-1]
        self.scopes[0].append(made)
        return made

    def constant(self):
        kind = self.random.choice(self.kinds)
        return kind, arrayOf(self.random, kindOf(kind), self.anyShape())

    # Blocks. ------------------------------------------------------------------

    @property
    def depth(self):
        return len(self.scopes) - 1

    def add(self, operation, results):
        self.block.operations.append(operation)
        for value, data in zip(operation.results, results, strict=True):
            value.shape = data.shape
            self.known[value] = data
            self.scopes[-1].append(value)

    def inside(self, block, count, first=None):
        """Fills `block`, whose arguments are known, with what `first` adds and some
        operations."""
        outer, self.block = self.block, block
        self.scopes.append(list(block.arguments))
        self.outerStates.append(dict(self.state))
        if first:
            first()
        for _ in range(count):
            self.step()
        return outer

    def leave(self, outer):
        self.block = outer
        self.scopes.pop()
        # What is written there counts when it runs.
        self.state = self.outerStates.pop()

    def step(self):
        if self.program.variables and self.random.random() < 0.3:
            self.budget -= 1
            TABLE[self.random.choice(["variable_read", "variable_write"])].generate(self)
            return
        if self.regions.random() < 0.1:
            addRegion(self, TABLE)
            return
        entry = self.random.choices(OWN, WEIGHTS)[0]
        if not hasattr(entry, "generate"):
            self.plain(entry)
        elif self.depth < self.deepest and self.budget > 0:
            self.budget -= 3
            entry.generate(self)

    def plain(self, entry):
        proposed = entry.propose(self)
        if proposed is None:
            return
        self.addPlain(entry, *proposed)

    def addPlain(self, entry, operands, kinds, attributes):
        """Adds the operation if it runs by the rules; returns its first result or None."""
        try:
            results = entry.evaluate([self.known[v] for v in operands], attributes, kinds)
        except (Fails, Undecided):
            return None
        if any(r.low.size > self.most for r in results):
            return None
        self.budget -= 1
        made = [Value(k, None, None) for k in kinds]
        self.add(Operation(entry.name, operands, made, attributes), results)
        return made[0]

    def tryControl(self, operation):
        """Adds it if it runs by the rules."""
        environment = dict(self.known)
        try:
            evaluator = Evaluator(self.program, environment.__setitem__, withTypes=False, state=self.state)
            evaluator.operation(operation, environment)
        except (Fails, Undecided):
            return
        results = [environment[r] for r in operation.results]
        if all(r.low.size <= self.most for r in (*results, *evaluator.state.values())):
            self.add(operation, results)
            self.state = evaluator.state

    def branch(self, name, condition, attributes):
        blocks, first = [], None
        for _ in range(2):
            block = Block([])
            outer = self.inside(block, self.random.choice([0, 1, 2, 4]))
            if first is None:
                first = [v for v in (self.pick() for _ in range(self.random.choice([1, 1, 2]))) if v]
                if name != "cond_if":
                    first += self.someNumbers(0.25)
                block.results = first
            else:
                # Of the same element types and ranks; where there is none, what
                # both can see.
                block.results = [
                    self.pickLike(f) if f.kind != "index" else self.random.choice(self.numbers() or [None])
                    for f in first
                ]
            self.leave(outer)
            blocks.append(block)
        if not first or None in blocks[1].results:
            return
        results = [Value(f.kind, None, None) for f in first]
        self.tryControl(Operation(name, [condition], results, attributes, blocks))
        # The values of blocks stay known for the types of what is not reached.
        for block in blocks:
            for operation in block.walk():
                for result in operation.results:
                    result.shape = self.known[result].shape
        for result, a, b in zip(results, *(block.results for block in blocks)):
            a, b = self.known[a].shape, self.known[b].shape
            result.shape = tuple(x if x == y else None for x, y in zip(a, b))

    def loop(self, name, carried, attributes, skip=False, first=None):
        inits = carried[1:] if skip else carried
        arguments = [Value(v.kind, None, self.shape(v)) for v in inits]
        for argument, init in zip(arguments, inits):
            self.known[argument] = self.known[init]
        block = Block(arguments)
        outer = self.inside(block, self.random.choice([1, 2, 4]), first)
        block.results = [self.pickLike(a) for a in arguments]
        self.leave(outer)
        self.tryControl(
            Operation(name, list(carried), [Value(a.kind, None, None) for a in arguments], attributes, [block])
        )

    def call(self):
        callees = [f for f in self.functions if f.block is not self.top]
        if not callees:
            return
        callee = self.random.choice(callees)
        operands = []
        for argument in callee.block.arguments:
            if argument.kind == "index":
                operands.append(self.numberLike(int(self.known[argument].low)))
                continue
            shape = self.shapes[argument]
            same = lambda v, a=argument, s=shape: v.kind == a.kind and len(self.shape(v)) == len(s)
            value = (
                self.pickOf(lambda v, s=shape: same(v) and self.shape(v) == s) if self.random.random() < 0.7 else None
            )
            value = value or self.pickOf(same) if self.random.random() < 0.5 else value
            if value is None or self.random.random() < 0.2:
                value = self.newInput(argument.kind, arrayOf(self.random, kindOf(argument.kind), shape))
            operands.append(value)
        results = [Value(r.kind, None, None) for r in callee.block.results]
        self.tryControl(Operation("call", operands, results, {"callee": callee.name}))

    # Functions. ---------------------------------------------------------------

    def function(self, name, count, isMain):
        self.isMain = isMain
        self.arguments = []
        self.top = self.block = Block(self.arguments)
        self.scopes = [[]]
        self.state = initialState(self.program)
        self.budget = count
        for _ in range(self.random.choice([1, 2, 2, 3])):
            kind = self.random.choice(self.kinds)
            array = arrayOf(self.random, kindOf(kind), self.anyShape())
            if isMain:
                self.random.random()
            value = Value(kind, None, array.shape)
            self.arguments.append(value)
            self.known[value] = exact(kindOf(kind), array)
            if isMain:
                self.inputs.append(self.known[value])
            self.scopes[0].append(value)
        for _ in range(0 if isMain else self.random.choice([0, 0, 1, 2])):
            value = Value("index", None, ())
            self.arguments.append(value)
            self.known[value] = exact(kindOf("index"), np.array(self.random.choice([0, 1, 2, 3, 5]), np.int64))
            self.scopes[0].append(value)
        tries = 6 * count + 10
        while self.budget > 0 and tries > 0:
            tries -= 1
            self.step()
        self.top.results = self.chooseResults()
        made = Function(name, self.top, None)
        self.functions.append(made)
        return made

    def chooseResults(self):
        values = self.values()
        used = {v for o in self.top.walk() for v in o.operands}
        unused = [v for v in values if v not in used]
        # Sometimes most of what is computed is dead.
        pool = unused if self.random.random() < 0.7 and unused else values
        chosen = [v for v in pool if self.random.random() < 0.8][-self.random.choice([1, 2, 3, 6]) :]
        chosen = chosen or [values[-1]]
        chosen += [v for v in self.wanted if v in values and v not in chosen]
        return chosen if self.isMain else chosen + self.someNumbers(0.4)


def generate(seed, index):
    """(program, inputs of a call that is valid by the rules)."""
    g = Generator(f"{seed}/{index}")
    r = g.random
    count = r.choice([1, 2, 3, 4, 5, 6, 8]) if r.random() < 0.8 else r.randint(10, 60)
    g.shapes = {}
    for i in range(r.choice([0, 0, 0, 1, 2])):
        made = g.function(f"f{i}", r.choice([1, 2, 4, 6]), isMain=False)
        for argument in made.block.arguments:
            g.shapes[argument] = g.known[argument].shape
    g.inputs = []
    g.function("main", count, isMain=True)
    return g.program, g.inputs
