"""Random nests over memory, as text, as lists of iterations (schedule_model.py), and for isl (schedule_isl.py)."""

import random
from dataclasses import dataclass, field

import schedule_model as model

try:
    import schedule_isl as symbolic
except ImportError:
    symbolic = None

LARGEST = 5
SIZES = [(n, m) for n in range(LARGEST + 1) for m in (0, 1, 3, LARGEST)]


@dataclass
class Form:
    """A sum of names and a number."""

    terms: dict
    constant: int = 0
    # Operands of the map that it does not use.
    unused: list = field(default_factory=list)

    def value(self, names):
        return self.constant + sum(by * names[name] for name, by in self.terms.items())

    def text(self):
        parts = [f"%{name} * {by}" for name, by in self.terms.items() if by]
        return " + ".join([*parts, str(self.constant)])

    def sum(self):
        return " + ".join([*(f"{name} * {by}" for name, by in self.terms.items()), str(self.constant)])

    def bound(self):
        """As a bound of a loop."""
        names = [*self.terms, *(name for name in self.unused if name not in self.terms)]
        return f"affine_map<({', '.join(names)}) -> ({self.sum()})>({', '.join('%' + n for n in names)})"


@dataclass
class Choice:
    """The least or the greatest of some forms."""

    word: str
    forms: list

    @property
    def terms(self):
        return {name: by for form in self.forms for name, by in form.terms.items()}

    def value(self, names):
        return {"min": min, "max": max}[self.word](form.value(names) for form in self.forms)

    def bound(self):
        names = list(self.terms)
        sums = ", ".join(form.sum() for form in self.forms)
        return f"{self.word} affine_map<({', '.join(names)}) -> ({sums})>({', '.join('%' + n for n in names)})"


class Programs:
    def __init__(self, seed, index):
        self.dice = random.Random(f"schedules/{seed}/{index}")
        self.index, self.statements, self.loops, self.compute = index, 0, 0, {}
        self.ranks = {"a": self.dice.choice([1, 2, 2]), "b": self.dice.choice([1, 2]), "s": 1}
        self.forms = []

    def chance(self, part):
        return self.dice.random() < part

    # Programs: a loop is a tuple of its name, bounds, step and body; a statement one of its number, loads and store.

    def loop(self, around, depth):
        pick = self.dice.choice
        name = f"i{self.loops}"
        self.loops += 1
        lower = (
            Form({}, pick([0, 0, 0, 1, 2]))
            if not around or self.chance(0.85)
            else Form({pick(around): 1}, pick([0, 1]))
        )
        kind = self.dice.random()
        if kind < 0.75:
            upper = Form({pick("nm"): 1}, pick([0, 0, 0, -1, 1]))
        elif kind < 0.85 and around:
            upper = Form({pick(around): 1}, pick([1, 2]))
        else:
            upper = Form({}, pick([1, 3, 4]))
        # In front of a nest, such a number is any, by which more may be refused.
        if around and self.chance(0.15):
            lower = Choice("max", [lower, Form({pick(around): 1}, pick([0, 1]))])
        elif around:
            lower.unused = [pick(around)] if self.chance(0.2) else []
        if around and self.chance(0.15):
            other = [*around, "n", "m"] if self.chance(0.5) else "nm"
            upper = Choice("min", [upper, Form({pick(other): 1}, pick([0, 1, 2]))])
        elif around:
            upper.unused = [pick(around)] if self.chance(0.2) else []
        inside = [*around, name]
        if depth > 1 and not self.chance(0.1):
            body = [self.loop(inside, depth - 1) for _ in range(pick([1, 1, 1, 2]))]
            if self.chance(0.15):
                body.insert(self.dice.randint(0, len(body)), self.statement(inside))
        else:
            body = [self.statement(inside) for _ in range(pick([1, 1, 2, 2, 3]))]
        return ["loop", name, lower, upper, pick([1, 1, 1, 1, 2, 3]), body]

    def access(self, loops):
        memory = self.dice.choice("aab")
        found = []
        for _ in range(self.ranks[memory]):
            terms = {name: self.dice.choice([0, 0, 1, 1, 1, -1, 2]) for name in loops}
            if self.chance(0.6):
                chosen = self.dice.choice(loops)
                terms = {name: by if name == chosen else 0 for name, by in terms.items()}
            found.append(Form({k: v for k, v in terms.items() if v}, self.dice.randint(-2, 2)))
        self.forms += [(form, loops) for form in found]
        return memory, found

    def statement(self, loops):
        self.statements += 1
        if self.chance(0.15):
            place = [Form({self.dice.choice(loops): 1} if self.chance(0.5) else {}, 0)]
            return ["update", self.statements, [self.access(loops)], ("s", place), loops]
        loads = [self.access(loops) for _ in range(self.dice.choice([1, 1, 2]))]
        store = self.access(loops)
        if self.chance(0.4):
            # The same elements in other iterations.
            memory, forms = store
            moved = [Form(dict(f.terms), f.constant + self.dice.choice([0, 0, 1, -1])) for f in forms]
            loads[0] = memory, moved
            self.forms += [(form, loops) for form in moved]
        return ["store", self.statements, loads, store, loops]

    def lift(self):
        """No subscript is negative: all variables are less than LARGEST + 4 and at least 0."""
        for form, _ in self.forms:
            least = form.constant + sum(by * (LARGEST + 4) for by in form.terms.values() if by < 0)
            form.lifted = -least if least < 0 else 0
        highest = max(form.lifted for form, _ in self.forms)
        for form, _ in self.forms:
            form.constant += highest

    def write(self, node, depth):
        space = "  " * depth
        if node[0] == "loop":
            _, name, lower, upper, step, body = node
            inside = "".join(self.write(child, depth + 1) for child in body)
            by = f" step {step}" if step > 1 else ""
            return (
                f"{space}affine.for %{name} = {lower.bound()} to {upper.bound()}{by} {{\n{inside}{space}}} "
                f'{{loom.loop = "{name}"}}\n'
            )
        kind, number, loads, (memory, place), loops = node
        lines, values = [], []

        def element(memory, forms):
            return f"%{memory}[{', '.join(f.text() for f in forms)}] : memref<{'?x' * self.ranks[memory]}i64>"

        for i, (source, forms) in enumerate(loads):
            lines.append(f"%l{number}_{i} = affine.load {element(source, forms)}")
            values.append(f"%l{number}_{i}")
        key = f"%c{number}"
        lines.append(f"{key} = arith.constant {number * 7 + 1} : i64")
        total = key
        for i, value in enumerate(values):
            lines += [
                f"%p{number}_{i} = arith.muli {value}, {key} : i64",
                f"%q{number}_{i} = arith.addi {total}, %p{number}_{i} : i64",
            ]
            total = f"%q{number}_{i}"
        if kind == "update":
            lines += [
                f"%o{number} = affine.load {element(memory, place)}",
                f"%r{number} = arith.addi %o{number}, {total} : i64",
            ]
        else:
            lines += [
                f"%v{number} = arith.index_cast %{loops[-1]} : index to i64",
                f"%r{number} = arith.xori {total}, %v{number} : i64",
            ]
        lines.append(f"affine.store %r{number}, {element(memory, place)}")
        return "".join(f"{space}{line}\n" for line in lines)

    def build(self, node, around):
        if node[0] == "loop":
            _, name, lower, upper, step, body = node

            def iterations(names):
                return [(i, {name: i}) for i in range(lower.value(names), upper.value(names), step)]

            needs = frozenset([*lower.terms, *upper.terms]) - {"n", "m"}
            inside = [self.build(child, [*around, name]) for child in body]
            return model.Loop(name, iterations, inside, needs, frozenset([name]), step)
        kind, number, loads, (memory, place), loops = node

        def accesses(names):
            found = [(m, tuple(f.value(names) for f in forms), False) for m, forms in loads]
            stored = tuple(f.value(names) for f in place)
            if kind == "update":
                found.append((memory, stored, False))
            return [*found, (memory, stored, True)]

        def compute(values, names):
            key = number * 7 + 1
            total = key + sum(v * key for v in values[: len(loads)])
            found = total + values[-1] if kind == "update" else total ^ names[loops[-1]]
            return (found + 2**63) % 2**64 - 2**63

        self.compute[number] = compute
        return model.Statement(number, accesses, tuple(around))

    # The program for isl.

    def symbol(self, node, nodes, around=(), holds=()):
        """The loop or the leaf, which is noted at that of the lists."""
        if node[0] != "loop":
            return symbolic.Leaf(node[1], tuple(node[4]), holds, around)
        _, name, lower, upper, step, body = node
        lower, upper = symbolic.bound(lower), symbolic.bound(upper)
        loop = symbolic.Around(lambda names: names.of[name], lower, upper, step)

        def runs(names):
            count, first = names.of[name], lower(names)
            behind = symbolic.times(symbolic.position(loop, names), step)
            return count.ge_set(first).intersect(count.lt_set(upper(names))).intersect((count - first).eq_set(behind))

        made = symbolic.Loop([self.symbol(child, nodes, (*around, loop), (*holds, runs)) for child in body])
        find(nodes, name).symbol = made
        return made

    def accesses(self, node):
        if node[0] == "loop":
            return [each for child in node[5] for each in self.accesses(child)]
        _, number, loads, store, loops = node
        found = [(number, loops, memory, place, False) for memory, place in loads]
        return [*found, (number, loops, *store, True)]


def find(nodes, name):
    """The loop of a program that has the name."""
    for node in nodes:
        if isinstance(node, model.Loop):
            found = node if node.name == name else find(node.body, name)
            if found:
                return found
    return None
