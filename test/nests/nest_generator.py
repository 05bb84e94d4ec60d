"""Random loop nests over memory, and calls of them."""

import random
from dataclasses import dataclass

from nest_memory import LAYOUTS
from nest_program import (
    Branch,
    Call,
    Carried,
    Constant,
    Copy,
    FromIndex,
    Function,
    Load,
    Loop,
    Memory,
    Name,
    Number,
    Operation,
    Product,
    Reduction,
    Store,
    Temporary,
    View,
    index,
)

LARGEST = 7
# Numbers at the limits of what a check in front of a nest takes, and at the ends of 64 bits.
HUGE = [sign * (2**power + more) for sign in (1, -1) for power in (19, 29, 40, 62) for more in (-1, 0, 1)]
HUGE += [2**63 - 1, -(2**63)]


@dataclass
class Argument:
    """Arguments with the same `pages` share memory."""

    shape: tuple
    pages: int
    layout: str
    at: str


@dataclass
class Invocation:
    """`data` is what memory holds, where that is not random."""

    arguments: list
    numbers: list
    data: list | None = None


@dataclass
class Case:
    """A program, whose last function is called, and its calls."""

    functions: list
    calls: list
    seed: int = 0
    index: int = 0


class Generator:
    """One case; all that is random follows from its seed and its index."""

    def __init__(self, seed, index):
        self.dice = random.Random(f"nests/{seed}/{index}")
        self.seed, self.index = seed, index

    def chance(self, part):
        return self.dice.random() < part

    def case(self):
        name = f"f{self.index}"
        form = self.dice.choice(["affine"] * 4 + ["scf", "cf"])
        functions = []
        if self.chance(0.25):
            functions.append(self.function(f"inner{self.index}", form, []))
        functions.append(self.function(name, form, functions))
        calls = [self.invocation(functions[-1]) for _ in range(8)]
        return Case(functions, calls, self.seed, self.index)

    # Programs.

    def function(self, name, form, callable):
        pick = self.dice.choice
        self.form, self.callable, self.variables = form, callable, 0
        # A loop that goes to an extent or a number.
        self.fitting = {}
        static = 0.0 if not callable and name.startswith("inner") else 0.15
        memories = []
        for letter in "abc"[: pick([1, 1, 2, 2, 3])]:
            rank = pick([1, 1, 1, 2, 2, 3])
            extents = [self.dice.randint(1, LARGEST) if self.chance(static) else None for _ in range(rank)]
            layout = "any" if self.chance(0.3) or name.startswith("inner") else "row-major"
            memories.append(Memory(letter, extents, "i64", layout))
        self.ranks = {m.name: len(m.extents) for m in memories}
        self.symbols = ["n", "m", *self.extents_of(self.ranks)]
        body = []
        if self.chance(0.3):
            body.append(self.view())
        if self.chance(0.12):
            source = pick(list(self.ranks))
            self.ranks["t"] = self.ranks[source]
            self.symbols += self.extents_of(["t"])
            body.append(Temporary("t", source))
        self.open = [m.name for m in memories if not any(m.extents)] + [m for m in self.ranks if m in "vt"]
        for _ in range(pick([1, 1, 1, 2, 3])):
            self.budget = 5
            body += self.statements([], self.dice.randint(1, 3))
        return Function(name, memories, ["n", "m"], body, form)

    def extents_of(self, memories):
        return [f"{name}_{axis}" for name in memories for axis in range(self.ranks[name])]

    def view(self):
        source = self.dice.choice(list(self.ranks))
        rank = self.ranks[source]
        offsets = [self.simple([]) if self.chance(0.5) else Number(self.dice.randint(0, 2)) for _ in range(rank)]
        sizes = []
        for axis in range(rank):
            extent = Name(f"{source}_{axis}")
            sizes.append(self.dice.choice([extent - offsets[axis], extent // 2, Name("n"), Number(2), extent]))
        strides = [Number(self.dice.choice([1, 1, 1, 1, 2, -1, 0])) for _ in range(rank)]
        self.ranks["v"] = rank
        self.symbols += self.extents_of(["v"])
        return View("v", source, offsets, sizes, strides)

    def statements(self, loops, depth):
        """A block with at least one access inside."""
        found = []
        for _ in range(self.dice.choice([1, 1, 1, 2])):
            self.budget -= 1
            found.append(self.statement(loops, depth if self.budget > 0 else 0))
        return found

    def statement(self, loops, depth):
        if depth > 0 and (not loops or self.chance(0.8)):
            return self.loop(loops, depth)
        kind = self.dice.random()
        if kind < 0.2:
            conditions = [(self.form_of(loops), self.chance(0.15)) for _ in range(self.dice.choice([1, 1, 2]))]
            then = [self.store(loops)] if self.chance(0.8) else []
            return Branch(conditions, then, [self.store(loops)] if not then or self.chance(0.4) else [])
        if kind < 0.35 and self.callable:
            call = self.call(loops)
            if call:
                return call
        if kind < 0.45 and depth > 0:
            return self.reduction(loops)
        if kind > 0.97:
            source, *others = self.dice.sample(self.open, len(self.open)) or [None]
            others = [m for m in others if self.ranks[m] == self.ranks[source]]
            if others:
                return Copy(source, others[0])
        return self.store(loops)

    def loop(self, loops, depth):
        variable, lowers, uppers, step = self.bounds(loops)
        body = self.statements([*loops, variable], depth - 1)
        return Loop(variable, lowers, uppers, body, step, self.chance(0.08))

    def reduction(self, loops):
        variable, lowers, uppers, step = self.bounds(loops)
        start, inside = self.element(loops, 0), [*loops, variable]
        update = Operation(self.dice.choice(["add", "mul", "xor"]), [Carried(), self.element(inside, 1)])
        return Reduction(variable, lowers, uppers, start, update, *self.access(loops), step)

    def bounds(self, loops):
        pick = self.dice.choice
        variable = f"i{self.variables}"
        self.variables += 1
        lowers = [Number(pick([0, 0, 0, 0, 1, -1, 2]))] if self.chance(0.7) else [self.form_of(loops)]
        uppers = [self.upper(loops)]
        if self.chance(0.2):
            lowers.append(self.form_of(loops))
        if self.chance(0.25):
            uppers.append(self.upper(loops))
        step = pick([1, 1, 1, 1, 1, 2, 3])
        if isinstance(uppers[0], Name) and min((b.value if isinstance(b, Number) else 0) for b in lowers) >= 0:
            self.fitting[uppers[0].name] = variable
        return variable, lowers, uppers, step

    def upper(self, loops):
        kind = self.dice.random()
        if kind < 0.7:
            name = Name(self.dice.choice(self.symbols[2:] if self.chance(0.75) else self.symbols))
            return name if self.chance(0.7) else name + self.dice.choice([-1, -2, 1])
        if kind < 0.8 and loops:
            return Name(self.dice.choice(loops)) + self.dice.choice([0, 1, 1, 2, 3])
        if kind < 0.9:
            return Number(self.dice.randint(0, LARGEST))
        return self.form_of(loops, divides=True)

    def simple(self, loops):
        """A name and a small number."""
        name = Name(self.dice.choice(loops if loops and self.chance(0.85) else self.symbols))
        return name if self.chance(0.75) else name + self.dice.randint(-2, 2)

    def form_of(self, loops, divides=False):
        pick = self.dice.choice
        found = None
        for name in loops:
            factor = pick([0, 0, 1, 1, -1, 2])
            if factor:
                term = Name(name) if factor == 1 else Name(name) * factor
                found = term if found is None else found + term
        if found is None or self.chance(0.4):
            term = Name(pick(self.symbols))
            if self.chance(0.3):
                term = term * -1
            elif self.chance(0.1) and loops:
                term = Product(Name(pick(loops)), Name(pick(["n", "m"])))
            found = term if found is None else found + term
        if self.chance(0.6):
            found = found + self.dice.randint(-3, 3)
        if divides and self.chance(0.4):
            by = self.dice.randint(2, 3)
            found = found // by if self.chance(0.5) else found % by
            if self.chance(0.3):
                found = found * -1 + self.dice.randint(0, 3)
        return found

    def subscript(self, loops, extent):
        """Mostly one that is inside."""
        if self.fitting.get(extent) in loops and self.chance(0.85):
            return Name(self.fitting[extent]) if self.chance(0.8) else Name(extent) - 1 - Name(self.fitting[extent])
        if self.chance(0.65):
            return self.simple(loops)
        return self.form_of(loops, divides=True) if loops or self.chance(0.5) else index(self.dice.randint(0, 2))

    def access(self, loops):
        inside = [m for m in self.ranks if all(self.fitting.get(e) in loops for e in self.extents_of([m]))]
        memory = self.dice.choice(inside if inside and self.chance(0.85) else list(self.ranks))
        return memory, [self.subscript(loops, extent) for extent in self.extents_of([memory])]

    def store(self, loops):
        return Store(*self.access(loops), self.element(loops, 2))

    def element(self, loops, depth):
        kind = self.dice.random()
        if depth > 0 and kind < 0.5:
            operands = [self.element(loops, depth - 1) for _ in range(2)]
            return Operation(self.dice.choice(["add", "sub", "mul", "xor"]), operands)
        if kind < 0.75:
            return Load(*self.access(loops))
        if kind < 0.85 and loops:
            return FromIndex(Name(self.dice.choice(loops)))
        return Constant(self.dice.randint(-9, 9))

    def call(self, loops):
        """A call, where there is memory of each rank."""
        callee = self.callable[0]
        memories = []
        for memory in callee.memories:
            fitting = [name for name, rank in self.ranks.items() if rank == len(memory.extents)]
            if not fitting:
                return None
            memories.append(self.dice.choice(fitting))
        return Call(callee.name, memories, [self.simple(loops) for _ in callee.numbers])

    # Calls.

    def invocation(self, function):
        """Half of them have one extent everywhere, so that more of them run."""
        arguments, extent = [], self.dice.randint(1, LARGEST)
        draws = self.chance(0.4)
        for place, memory in enumerate(function.memories):
            shape = tuple(
                (self.dice.randint(0, LARGEST) if draws else extent) if e is None else e for e in memory.extents
            )
            layout = self.dice.choice(LAYOUTS) if memory.layout == "any" else "rows"
            pages = self.dice.randrange(place) if place and self.chance(0.2) else place
            arguments.append(Argument(shape, pages, layout, self.dice.choice(["end", "end", "start"])))
        numbers = [
            self.dice.randint(-3, 9) if draws else max(extent - self.dice.choice([0, 0, 1, 2]), 0)
            for _ in function.numbers
        ]
        if self.chance(0.04):
            numbers[self.dice.randrange(len(numbers))] = self.dice.choice(HUGE)
        return Invocation(arguments, numbers)
