"""Random nests with random schedules, as text and as lists of iterations (schedule_model.py)."""

import dataclasses
from copy import deepcopy
from dataclasses import dataclass, field

import schedule_model as model
from schedule_programs import Programs, symbolic

if symbolic:
    from schedule_isl_tree import Tree

KINDS = ["interchange", "interchange", "tile", "tile", "reverse", "unroll", "jam", "distribute", "fuse"]
KINDS += ["shift", "skew", "skew", "parallelize", "vectorize", "pack", "pack"]


@dataclass
class Edit:
    text: str
    # What the loops may become, as far as lists tell it; nothing where their form forbids it.
    ways: list
    # The leaves of schedule_isl.py behind it; None where they are not known.
    leaves: object = None
    # Whether the loop has a packed one in it.
    is_around_copy: bool = False
    # Whether it is a pack in a loop on threads whose bounds depend on loops around.
    is_of_open_threads: bool = False


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
    # The judge by isl, where it is installed.
    symbolic: object = None


def contains(outer, node):
    """Whether the loop is the node or has it inside."""
    return outer is node or (
        not isinstance(outer, model.Statement) and any(contains(child, node) for child in outer.body)
    )


class Generator(Programs):
    def __init__(self, seed, index):
        super().__init__(seed, index)
        self.marked, self.packed = {"parallelize": [], "vectorize": []}, []
        # Whether lists have fewer iterations than the loop that is made.
        self.is_wider = False
        self.is_around_copy = self.is_of_open_threads = False

    def case(self):
        body = [self.loop([], self.dice.choice([1, 2, 2, 3])) for _ in range(self.dice.choice([1, 1, 2]))]
        self.lift()
        text = "".join(self.write(node, 1) for node in body)
        arguments = [f"%{m}: memref<{'?x' * r}xi64>".replace("xx", "x") for m, r in self.ranks.items()]
        program = f"func.func @f({', '.join(arguments)}, %n: index, %m: index) {{\n{text}  return\n}}\n"
        nodes = [self.build(node, []) for node in body]
        first = deepcopy(nodes)
        judge, self.tree = None, None
        if symbolic:
            self.tree = Tree([self.symbol(node, nodes) for node in body])
            judge = symbolic.Judge(self.tree.snapshot(), [each for node in body for each in self.accesses(node)], {"s"})
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
        return Case(program, schedule, first, edits, self.ranks, self.index, self.compute, judge)

    def note(self, loops, made):
        """Notes what an edit of isl has made for loops of lists."""
        for i, loop in enumerate(loops):
            loop.symbol = made[i] if made else None

    def edit_tree(self, name, loops, *arguments):
        """An edit of one loop, or of several, by isl."""
        given = [loop.symbol for loop in loops] if isinstance(loops, list) else loops.symbol
        return getattr(self.tree, name)(given, *arguments) if self.tree else None

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
            if line.startswith("%marked"):
                edits.append(Edit(line, deepcopy(ways), self.reversed, self.is_around_copy))
                continue
            leaves = self.tree.snapshot() if self.tree and len(ways) == 1 else None
            edits.append(Edit(line, deepcopy(ways), leaves, self.is_around_copy, self.is_of_open_threads))
            # With more ways, it is not known what the next edit is of.
            if len(ways) != 1 or self.is_wider:
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
        self.is_around_copy = any(contains(loop, other) for other, _ in self.packed)
        self.is_of_open_threads = False
        # Loops that copy stand beside a packed one, which lists do not have.
        is_around = any(contains(loop, other) and loop is not other for other, _ in self.packed)
        if is_around and kind not in ("parallelize", "pack"):
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
                aligned = model.aligned(model.needs_of_band(loops))
            else:
                order = list(range(len(loops)))
                self.dice.shuffle(order)
                ways, line = [model.interchange(loops, order)], f"{head} to {order}"
                self.is_wider = any(model.is_gridless(loops, order, position) for position in range(len(order)))
            if len(ways) > 1:
                return line, [replaced(nodes, loop, made) for made in ways]
            if kind == "tile":
                symbols = self.edit_tree("tile", loops, sizes, aligned)
            else:
                is_projected = model.depends([loops[number] for number in order])
                symbols = self.edit_tree("interchange", loops, order, is_projected)
            made = model.chain(ways[0], len(results))
            self.note(made, symbols)
            take(loops, results, made)
            return line, [replace(nodes, loop, ways)]
        if kind == "reverse":
            made = model.reverse(loop)
            self.note([made], self.edit_tree("reverse", loop))
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
            self.reversed = None if is_twice else self.edit_tree("reversed", loop)
            # Iterations may have any order if they may run from the last to the first.
            return f"%marked{number} = transform.loom.{kind} {names[name]}{by}", [
                replaced(nodes, loop, model.reverse(loop)) for _ in range(not is_twice)
            ]
        if kind == "pack":
            memory = pick(model.memories(loop))
            # What is packed again is a copy.
            copies = sum(contains(other, loop) and of == memory for other, of in self.packed)
            called = "the copy of " * copies + f"argument '{memory}'" if copies else memory
            line = f'{result(0)} = transform.loom.pack {names[name]} of "{called}"'
            self.packed.append((loop, memory))
            threads = self.marked["parallelize"]
            self.is_of_open_threads = any(contains(other, loop) and other.needs for other in threads)
            take([loop], [result(0)], [loop])
            return line, [nodes]
        if kind == "shift":
            by = pick([-3, -1, 1, 2])
            model.add(loop, by)
            self.note([loop], self.edit_tree("add", loop, by))
            return f"{result(0)} = transform.loom.shift {names[name]} by {by}", [nodes]
        if kind == "skew":
            loops = model.chain(loop, 2)
            other = next((k for k, v in handles.items() if v is (loops or [None])[-1]), None)
            if other is None:
                return None
            by = pick([-2, -1, 1, 1, 2])
            model.skew(*loops, by)
            self.note([loops[1]], self.edit_tree("add", loops[1], by, loops[0].symbol))
            return f"{result(0)} = transform.loom.skew {names[name]}, {names[other]} by {by}", [nodes]
        if kind == "unroll":
            factor = pick([2, 3, 4])
            made = model.unroll(loop, factor)
            self.note(made, self.edit_tree("unroll", [loop], factor))
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
            self.note(made, self.edit_tree("unroll", loops, factor))
            forget(loop.body)
            take([loop], [result(0), result(1)], made)
            return line, [replace(nodes, loop, made)]
        if kind == "distribute":
            if len(loop.body) < 2 or any(isinstance(n, model.Copy) for n in loop.body):
                return None
            at = self.dice.randint(1, len(loop.body) - 1)
            made = model.distribute(loop, at)
            self.note(made, self.edit_tree("distribute", loop, at))
            line = f"{result(0)}, {result(1)} = transform.loom.distribute {names[name]} at {at}"
            forget(made[1].body)
            take([loop], [result(0), result(1)], made)
            return line, [replace(nodes, loop, made)]
        second = behind(nodes, loop)
        other = next((k for k, v in handles.items() if v is second), None)
        if other is None or self.is_around_marked(second):
            return None
        self.is_around_copy |= any(contains(second, packed) for packed, _ in self.packed)
        made = model.fuse(loop, second)
        self.note([made[2]], self.edit_tree("fuse", loop, second.symbol))
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
