"""Loops as lists of iterations in plain Python, and what each edit of a schedule makes of them.

A loop knows its iterations by their numbers: the variable that it counts, and the values that it
gives to names. An edit makes other lists. So nothing here knows of bounds, steps or dependences, and
what an edit may do is seen by what the loops run.
"""

import itertools
from copy import deepcopy
from dataclasses import dataclass, field

# Gives the names of tiles, which have a space and are none of the program's.
SPLITS = itertools.count()


@dataclass
class Statement:
    """One store, with what it loads. `accesses(names)` gives memory, place and whether it writes, the store last.
    The names of `variables` tell which iteration of the program it is."""

    number: int
    accesses: object
    variables: tuple


@dataclass
class Loop:
    """`iterations(names)` gives pairs of a counter and the names that it sets."""

    name: str
    iterations: object
    body: list
    # The names that its iterations depend on.
    needs: frozenset = frozenset()
    gives: frozenset = field(default_factory=frozenset)


@dataclass
class Copy:
    """A body with other values of names."""

    iterations: object
    body: list


def run(nodes, names, visit):
    for node in nodes:
        if isinstance(node, Statement):
            visit(node, names)
        elif isinstance(node, Copy):
            found = node.iterations(names)
            run(node.body, {**names, **found}, visit)
        else:
            for _, found in node.iterations(names):
                run(node.body, {**names, **found}, visit)


def chain(loop, count):
    """The loop, the one in it, and so on; nothing if there is more in one."""
    loops = [loop]
    while len(loops) < count:
        body = loops[-1].body
        if len(body) != 1 or not isinstance(body[0], Loop):
            return None
        loops.append(body[0])
    return loops


def nest(loops, body):
    for loop in reversed(loops):
        body = [Loop(loop.name, loop.iterations, body, loop.needs, loop.gives)]
    return body[0]


def interchange(loops, order):
    """Nothing where the iterations of a loop depend on one that is then inside of it."""
    ordered = [loops[number] for number in order]
    for position, loop in enumerate(ordered):
        if any(loop.needs & inner.gives for inner in ordered[position + 1 :]):
            return None
    return nest(ordered, loops[-1].body)


def split(loop, size):
    """The loop over tiles, and the one in a tile."""
    key = f"{loop.name} {next(SPLITS)}"

    def tiles(names):
        found = list(loop.iterations(names))
        return [(found[first][0], {key: first}) for first in range(0, len(found), size)]

    def inside(names):
        first = names[key]
        return list(loop.iterations(names))[first : first + size]

    outer = Loop(f"{loop.name}.tile", tiles, [], loop.needs, frozenset([key]))
    return outer, Loop(loop.name, inside, loop.body, loop.needs | {key}, loop.gives)


def tile(loops, sizes):
    outer, inner = zip(*(split(loop, size) for loop, size in zip(loops, sizes)))
    return interchange([*outer, *inner], range(2 * len(loops)))


def reverse(loop):
    def iterations(names):
        found = list(loop.iterations(names))
        return [(count, given) for (count, _), (_, given) in zip(found, reversed(found))]

    return Loop(loop.name, iterations, loop.body, loop.needs, loop.gives)


def unroll(loop, factor):
    def main(names):
        found = list(loop.iterations(names))
        whole = len(found) // factor * factor
        return [(found[i][0], {"main": [given for _, given in found[i : i + factor]]}) for i in range(0, whole, factor)]

    def rest(names):
        found = list(loop.iterations(names))
        return found[len(found) // factor * factor :]

    copies = [Copy(lambda names, i=i: names["main"][i], deepcopy(loop.body)) for i in range(factor)]
    return [
        Loop(loop.name, main, copies, loop.needs, loop.gives),
        Loop(f"{loop.name}.rest", rest, loop.body, loop.needs, loop.gives),
    ]


def unroll_and_jam(loops, factor):
    """Nothing where iterations of a loop inside depend on the first one."""
    outer, *inside = loops
    if any(loop.needs & outer.gives for loop in inside):
        return None
    main, rest = unroll(outer, factor)
    copies = [Copy(lambda names, i=i: names["main"][i], deepcopy(loops[-1].body)) for i in range(factor)]
    main.body = [nest(inside, copies)]
    return [main, rest]


def distribute(loop, number):
    return [
        Loop(loop.name, loop.iterations, loop.body[:number], loop.needs, loop.gives),
        Loop(f"{loop.name}.2", loop.iterations, loop.body[number:], loop.needs, loop.gives),
    ]


def fuse(first, second):
    """What one of them has alone runs in front of both or behind both."""

    def parts(names):
        one, other = list(first.iterations(names)), list(second.iterations(names))
        counts = {c for c, _ in one} & {c for c, _ in other}
        begin = max([one[0][0] if one else 0, other[0][0] if other else 0])
        before = [[i for i in loop if i[0] not in counts and i[0] < begin] for loop in (one, other)]
        behind = [[i for i in loop if i[0] not in counts and i[0] >= begin] for loop in (one, other)]
        both = [(c, {**given, **dict(other)[c]}) for c, given in one if c in counts]
        return [*before, both, *behind]

    def loop(name, number, body):
        needs = first.needs | second.needs
        return Loop(name, lambda names: parts(names)[number], body, needs, first.gives | second.gives)

    return [
        loop(f"{first.name}.before", 0, deepcopy(first.body)),
        loop(f"{second.name}.before", 1, deepcopy(second.body)),
        loop(first.name, 2, first.body + second.body),
        loop(f"{first.name}.behind", 3, deepcopy(first.body)),
        loop(f"{second.name}.behind", 4, deepcopy(second.body)),
    ]


def order(nodes, names):
    """For each element of memory what touches it, in order: pairs of an access and whether it writes."""
    touched = {}

    def visit(statement, names):
        given = tuple(names[v] for v in statement.variables)
        for number, (memory, place, writes) in enumerate(statement.accesses(names)):
            touched.setdefault((memory, place), []).append(((statement.number, number, given), writes))

    run(nodes, names, visit)
    return touched


def keeps(before, after, free=()):
    """Whether two orders have the same one where one of two accesses writes. Memory of `free` is only updated."""
    for (memory, place), events in before.items():
        if memory in free:
            continue
        writes = [event for event, is_write in events if is_write]
        others = after.get((memory, place), [])
        if writes != [event for event, is_write in others if is_write]:
            return False

        def between(events):
            """The writes in front of each read."""
            count, found = 0, {}
            for event, is_write in events:
                if is_write:
                    count += 1
                else:
                    found[event] = count
            return found

        if between(events) != between(others):
            return False
    return True
