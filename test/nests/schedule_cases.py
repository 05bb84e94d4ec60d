"""Random nests with random schedules, as text and as lists of iterations (schedule_model.py)."""

import dataclasses
import random
from copy import deepcopy
from dataclasses import dataclass, field

import schedule_model as model

LARGEST = 5
SIZES = [(n, m) for n in range(LARGEST + 1) for m in (0, 1, 3, LARGEST)]


KINDS = ["interchange", "interchange", "tile", "tile", "reverse", "unroll", "jam", "distribute", "fuse"]
KINDS += ["shift", "skew", "skew", "parallelize", "vectorize"]


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


@dataclass
class Edit:
    text: str
    # What the loops may become, as far as lists tell it; nothing where their form forbids it.
    ways: list


@dataclass
class Case:
    program: str
    schedule: str
    # The loops of the program, and after each edit.
    nodes: list
    edits: list
    ranks: dict
    seed: int
    # The values that statements store, by their numbers.
    compute: dict = field(default_factory=dict)


def contains(outer, node):
    """Whether the loop is the node or has it inside."""
    return outer is node or (
        not isinstance(outer, model.Statement) and any(contains(child, node) for child in outer.body)
    )


class Generator:
    def __init__(self, seed, index):
        self.dice = random.Random(f"schedules/{seed}/{index}")
        self.index, self.statements, self.loops, self.compute = index, 0, 0, {}
        self.ranks = {"a": self.dice.choice([1, 2, 2]), "b": self.dice.choice([1, 2]), "s": 1}
        self.forms, self.marked = [], {"parallelize": [], "vectorize": []}

    def chance(self, part):
        return self.dice.random() < part

    def case(self):
        body = [self.loop([], self.dice.choice([1, 2, 2, 3])) for _ in range(self.dice.choice([1, 1, 2]))]
        self.lift()
        text = "".join(self.write(node, 1) for node in body)
        arguments = [f"%{m}: memref<{'?x' * r}xi64>".replace("xx", "x") for m, r in self.ranks.items()]
        program = f"func.func @f({', '.join(arguments)}, %n: index, %m: index) {{\n{text}  return\n}}\n"
        nodes = [self.build(node, []) for node in body]
        first = deepcopy(nodes)
        edits, lines = self.schedule(nodes)
        schedule = "\n".join(
            [
                "module attributes {transform.with_named_sequence} {",
                "  transform.named_sequence @__transform_main(%program: !transform.any_op) {",
                *lines,
                "    transform.yield",
                "  }",
                "}",
            ]
        )
        return Case(program, schedule, first, edits, self.ranks, self.index, self.compute)

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

    # Schedules.

    def schedule(self, nodes):
        """Edits, each of the loops that the ones before leave, with the lines of the text."""
        handles, lines = {}, []

        def find(nodes):
            for node in nodes:
                if isinstance(node, model.Loop):
                    handles[node.name] = node
                    lines.append(f'    %{node.name} = transform.loom.loop @f "{node.name}"')
                    find(node.body)

        find(nodes)
        names = {name: f"%{name}" for name in handles}
        edits, count = [], self.dice.choice([1, 1, 2, 3])
        for number in range(count):
            made = next(filter(None, (self.edit(nodes, handles, names, number) for _ in range(4))), None)
            if made is None:
                continue
            line, ways = made
            lines.append(f"    {line}")
            edits.append(Edit(line, deepcopy(ways)))
            if line.startswith("%marked"):
                continue
            # With more ways, it is not known what the next edit is of.
            if len(ways) != 1:
                break
            nodes = ways[0]
        return edits, lines

    def is_around_marked(self, node):
        """Whether the loop, or one in it, runs on threads or as vectors."""
        return any(contains(node, marked) for loops in self.marked.values() for marked in loops)

    def edit(self, nodes, handles, names, number):
        pick = self.dice.choice
        if not handles:
            return None
        name = pick(list(handles))
        loop = handles[name]
        kind = pick(KINDS)
        if kind not in ("parallelize", "vectorize") and self.is_around_marked(loop):
            return None

        def result(i):
            return f"%e{number}_{i}"

        def take(loops, made, made_nodes):
            """The loops are no longer there, but those that are made; gives the line's results."""
            for key in [k for k, v in handles.items() if any(v is each for each in loops)]:
                del handles[key], names[key]
            for i, found in enumerate(made_nodes):
                handles[f"e{number}_{i}"], names[f"e{number}_{i}"] = found, made[i]

        def forget(nodes):
            for node in nodes:
                if isinstance(node, model.Loop):
                    for key in [k for k, v in handles.items() if v is node]:
                        del handles[key], names[key]
                if not isinstance(node, model.Statement):
                    forget(node.body)

        if kind in ("interchange", "tile"):
            loops = model.chain(loop, pick([1, 2, 2, 3]) if kind == "tile" else pick([2, 2, 3]))
            if loops is None:
                return None
            given = [next((names[k] for k, v in handles.items() if v is each), None) for each in loops]
            if None in given:
                return None
            results = [result(i) for i in range(len(loops) * (2 if kind == "tile" else 1))]
            head = f"{', '.join(results)} = transform.loom.{kind} {', '.join(given)}"
            if kind == "tile":
                sizes = [pick([1, 2, 2, 3, 4, 100]) for _ in loops]
                ways, line = model.tile(loops, sizes), f"{head} by {sizes}"
            else:
                order = list(range(len(loops)))
                self.dice.shuffle(order)
                ways, line = [model.interchange(loops, order)], f"{head} to {order}"
            if len(ways) > 1:
                return line, [replaced(nodes, loop, made) for made in ways]
            take(loops, results, model.chain(ways[0], len(results)))
            return line, [replace(nodes, loop, ways)]
        if kind == "reverse":
            made = model.reverse(loop)
            line = f"{result(0)} = transform.loom.reverse {names[name]}"
            take([loop], [result(0)], [made])
            return line, [replace(nodes, loop, [made])]
        if kind in ("parallelize", "vectorize"):
            if kind == "vectorize" and any(not isinstance(n, model.Statement) for n in loop.body):
                return None
            by = f" by {pick([2, 4, 8])}" if kind == "vectorize" else ""
            others = self.marked[kind]
            is_twice = any(contains(loop, other) or contains(other, loop) for other in others)
            others.append(loop)
            # Iterations may have any order if they may run from the last to the first.
            return f"%marked{number} = transform.loom.{kind} {names[name]}{by}", [
                replaced(nodes, loop, model.reverse(loop)) for _ in range(not is_twice)
            ]
        if kind == "shift":
            by = pick([-3, -1, 1, 2])
            model.add(loop, by)
            return f"{result(0)} = transform.loom.shift {names[name]} by {by}", [nodes]
        if kind == "skew":
            loops = model.chain(loop, 2)
            other = next((k for k, v in handles.items() if v is (loops or [None])[-1]), None)
            if other is None:
                return None
            by = pick([-2, -1, 1, 1, 2])
            model.skew(*loops, by)
            return f"{result(0)} = transform.loom.skew {names[name]}, {names[other]} by {by}", [nodes]
        if kind == "unroll":
            factor = pick([2, 3, 4])
            made = model.unroll(loop, factor)
            line = f"{result(0)}, {result(1)} = transform.loom.unroll {names[name]} by {factor}"
            forget(loop.body)
            take([loop], [result(0), result(1)], made)
            return line, [replace(nodes, loop, made)]
        if kind == "jam":
            loops = model.chain(loop, pick([2, 2, 3]))
            given = [next((names[k] for k, v in handles.items() if v is each), None) for each in loops or [None]]
            if None in given:
                return None
            if any(model.is_projected(name) for each in loops[1:] for name in each.needs & loop.gives):
                return None
            factor = pick([2, 3, 4])
            made = model.unroll_and_jam(loops, factor)
            line = f"{result(0)}, {result(1)} = transform.loom.unroll_and_jam {', '.join(given)} by {factor}"
            if made is None:
                return line, []
            forget(loop.body)
            take([loop], [result(0), result(1)], made)
            return line, [replace(nodes, loop, made)]
        if kind == "distribute":
            if len(loop.body) < 2 or any(isinstance(n, model.Copy) for n in loop.body):
                return None
            at = self.dice.randint(1, len(loop.body) - 1)
            made = model.distribute(loop, at)
            line = f"{result(0)}, {result(1)} = transform.loom.distribute {names[name]} at {at}"
            forget(made[1].body)
            take([loop], [result(0), result(1)], made)
            return line, [replace(nodes, loop, made)]
        second = behind(nodes, loop)
        other = next((k for k, v in handles.items() if v is second), None)
        if other is None or self.is_around_marked(second):
            return None
        made = model.fuse(loop, second)
        line = f"{result(0)} = transform.loom.fuse {names[name]}, {names[other]}"
        take([loop, second], [result(0)], [made[2]])
        return line, [replace(replace(nodes, second, []), loop, made)]


def behind(nodes, loop):
    """The loop directly behind another one."""
    for position, node in enumerate(nodes):
        if node is loop:
            following = nodes[position + 1 : position + 2]
            return following[0] if following and isinstance(following[0], model.Loop) else None
        if not isinstance(node, model.Statement):
            found = behind(node.body, loop)
            if found:
                return found
    return None


def replaced(nodes, loop, made):
    """Other nodes, with `made` for the loop."""
    return [
        made
        if node is loop
        else node
        if isinstance(node, model.Statement)
        else dataclasses.replace(node, body=replaced(node.body, loop, made))
        for node in nodes
    ]


def replace(nodes, loop, made):
    found = []
    for node in nodes:
        if node is loop:
            found += made
        else:
            if not isinstance(node, model.Statement):
                node.body = replace(node.body, loop, made)
            found.append(node)
    return found
