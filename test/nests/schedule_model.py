"""Loops as lists of iterations in plain Python, and what each edit of a schedule makes of them.

A loop knows its iterations by their numbers: the variable that it counts, and the values that it
gives to names. An edit makes other lists. So nothing here knows of bounds, steps or dependences, and
what an edit may do is seen by what the loops run.
"""

import collections
import itertools
from copy import deepcopy
from dataclasses import dataclass, field, replace

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
    # What the counter grows by from one iteration to the next.
    step: int = 1
    # The loop of schedule_isl.py that is this one.
    symbol: object = None


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


def memories(node):
    """What the statements of a node touch."""
    if isinstance(node, Statement):
        return sorted({memory for memory, _, _ in node.accesses(collections.defaultdict(int))})
    return sorted({memory for child in node.body for memory in memories(child)})


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
        body = [replace(loop, body=body)]
    return body[0]


def depends(loops):
    """Whether the iterations of a loop depend on one that stands in it."""
    return any(loop.needs & inner.gives for i, loop in enumerate(loops) for inner in loops[i + 1 :])


def is_projected(name):
    """Whether this is a name of loops that `project` has made."""
    return name.startswith("band ")


def interchange(loops, order):
    ordered = [loops[number] for number in order]
    return project(loops, order) if depends(ordered) else nest(ordered, loops[-1].body)


def is_gridless(loops, order, position):
    """Whether the iterations of the loop depend on ones that stand in it then: all numbers are tried."""
    inside = frozenset().union(*(loops[number].gives for number in order[position + 1 :]))
    return loops[order[position]].step != 1 and bool(loops[order[position]].needs & inside)


def project(loops, order):
    """Another order of loops that depend on each other: by the counters of all iterations."""
    key = f"band {next(SPLITS)}"

    def points(names, position=0):
        """Pairs of the counters and the names of iterations."""
        if position == len(loops):
            return [((), {})]
        found = []
        for count, given in loops[position].iterations(names):
            inside = points({**names, **given}, position + 1)
            found += [((count, *counts), {**given, **more}) for counts, more in inside]
        return found

    def iterations(names, position):
        groups = {}
        for counts, given in points(names) if position == 0 else names[key]:
            groups.setdefault(counts[order[position]], []).append((counts, given))
        if position + 1 == len(order):
            return [(count, groups[count][0][1]) for count in sorted(groups)]
        found = []
        for count in sorted(groups):
            given = groups[count][0][1].items()
            same = {k: v for k, v in given if all(k in other and other[k] == v for _, other in groups[count])}
            found.append((count, {**same, key: groups[count]}))
        return found

    needs = frozenset().union(*(loop.needs for loop in loops))
    gives = frozenset().union(*(loop.gives for loop in loops))
    made = []
    for position, number in enumerate(order):
        made.append(
            replace(
                loops[number],
                body=[],
                iterations=lambda names, position=position: iterations(names, position),
                needs=needs - gives | ({key} if position else set()),
                gives=loops[number].gives | {key},
                step=1 if is_gridless(loops, order, position) else loops[number].step,
            )
        )
    return nest(made, loops[-1].body)


def split(loop, size, is_aligned):
    """The loop over tiles, and the one in a tile; aligned tiles begin at multiples of their length."""
    key = f"{loop.name} {next(SPLITS)}"
    length = size * loop.step

    def tiles(names):
        counts = [count for count, _ in loop.iterations(names)]
        # Of a loop that tries all numbers, some are left out.
        begin = 0 if is_aligned or not counts else counts[0]
        starts = {begin + (count - begin) // length * length for count in counts}
        return [(first, {key: first}) for first in sorted(starts)]

    def inside(names):
        first = names[key]
        return [(count, given) for count, given in loop.iterations(names) if first <= count < first + length]

    outer = replace(loop, body=[], name=f"{loop.name}.tile", iterations=tiles, gives=frozenset([key]), step=length)
    return outer, replace(loop, iterations=inside, needs=loop.needs | {key})


def needs_of_band(loops):
    """The names of loops of the band that each one depends on."""
    return [loop.needs & frozenset().union(*(outer.gives for outer in loops[:i])) for i, loop in enumerate(loops)]


def aligned(needs):
    """Whether tiles of each loop are aligned, as far as lists tell it."""
    return [any(not is_projected(name) for name in names) for names in needs]


def tile(loops, sizes):
    """What the edit may make: tiles of a loop are aligned if its bounds depend on other loops of the band. Where these
    have been projected, lists do not say whether the bounds do."""
    needs = needs_of_band(loops)
    ways = [aligned(needs)]
    if any(is_projected(name) for names in needs for name in names):
        ways.append([bool(names) for names in needs])
    found = []
    for way in ways:
        band = [part for loop, size, is_aligned in zip(loops, sizes, way) for part in split(loop, size, is_aligned)]
        found.append(interchange(band, [*range(0, len(band), 2), *range(1, len(band), 2)]))
    return found


def add(loop, number):
    """Iterations have greater counters."""
    before = loop.iterations
    loop.iterations = lambda names: [(count + number, given) for count, given in before(names)]


def skew(outer, loop, factor):
    key = f"{outer.name} {next(SPLITS)}"
    before, counted = loop.iterations, outer.iterations
    outer.iterations = lambda names: [(count, {**given, key: count}) for count, given in counted(names)]
    outer.gives |= {key}
    loop.iterations = lambda names: [(count + factor * names[key], given) for count, given in before(names)]
    loop.needs |= {key}


def reverse(loop):
    def iterations(names):
        found = list(loop.iterations(names))
        return [(count, given) for (count, _), (_, given) in zip(found, reversed(found))]

    return replace(loop, iterations=iterations)


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
        replace(loop, body=copies, iterations=main, step=loop.step * factor),
        replace(loop, name=f"{loop.name}.rest", iterations=rest),
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
        replace(loop, body=loop.body[:number]),
        replace(loop, body=loop.body[number:], name=f"{loop.name}.2"),
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
        return Loop(name, lambda names: parts(names)[number], body, needs, first.gives | second.gives, first.step)

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
