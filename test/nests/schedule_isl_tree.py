"""Edits of schedules on loops as schedule_isl.py has them: each makes other functions of the leaves. One of which the
form is not known leaves no tree."""

from dataclasses import replace

from schedule_isl import Around, Leaf, Loop, places, position, quotient, times, trips


class NoForm(Exception):
    """An edit that this model does not have."""


def copied(node, function=lambda leaf: leaf):
    """A copy of the node, of whose leaves `function` makes others."""
    if isinstance(node, Leaf):
        return function(node)
    return Loop([copied(child, function) for child in node.body])


def change(loop, function):
    """Makes other leaves in a loop, which stays the same."""
    for i, child in enumerate(loop.body):
        if isinstance(child, Leaf):
            loop.body[i] = function(child)
        else:
            change(child, function)


def at(level, count, function):
    """What makes other loops around leaves from the level on. Equal ones stay equal, so that leaves share bounds."""
    known = {}

    def one(leaf):
        old = leaf.around[level : level + count]
        if old not in known:
            known[old] = tuple(function(*old))
        return replace(leaf, around=(*leaf.around[:level], *known[old], *leaf.around[level + count :]))

    return one


def replaced(nodes, loop, made):
    """The nodes, with those of `made` for the loop."""
    found = []
    for node in nodes:
        if node is loop:
            found += made
            continue
        if isinstance(node, Loop):
            node.body = replaced(node.body, loop, made)
        found.append(node)
    return found


def depth(nodes, loop):
    """How many loops are around a loop; None if it is not there."""
    for node in nodes:
        if node is loop:
            return 0
        if isinstance(node, Loop):
            inside = depth(node.body, loop)
            if inside is not None:
                return inside + 1
    return None


class Tree:
    """The loops of a program, and after edits. `nodes` is None behind an edit without a form."""

    def __init__(self, nodes):
        self.nodes = nodes

    def snapshot(self):
        return None if self.nodes is None else places(self.nodes)

    # Edits: each has the loops that it is of, and gives the loops that it makes, or None.

    def edit(self, loop, make):
        """Replaces a loop by what `make` gives for its depth."""
        if self.nodes is None:
            return None
        try:
            made = make(depth(self.nodes, loop))
        except NoForm:
            self.nodes = None
            return None
        self.nodes = replaced(self.nodes, loop, made)
        return made

    def interchange(self, loops, order, is_projected):
        def permute(*given):
            return [Around(given[i].count, None, None, given[i].step) if is_projected else given[i] for i in order]

        def make(level):
            change(loops[0], at(level, len(loops), permute))
            return [loops[0]]

        return self.edit(loops[0], make) and loops

    def tile(self, loops, sizes, aligned):
        def split(*given):
            parts = [tiled(*each) for each in zip(given, sizes, aligned)]
            return [outer for outer, _ in parts] + [inner for _, inner in parts]

        outside = [Loop([]) for _ in loops]

        def make(level):
            change(loops[0], at(level, len(loops), split))
            for outer, inner in zip(outside, [*outside[1:], loops[0]]):
                outer.body = [inner]
            return [outside[0]]

        return self.edit(loops[0], make) and [*outside, *loops]

    def reverse(self, loop):
        def make(level):
            change(loop, at(level, 1, lambda old: [reversed_(old)]))
            return [loop]

        return self.edit(loop, make)

    def reversed(self, loop):
        """The leaves with the loop from the last iteration to the first; the tree stays as it is."""
        if self.nodes is None:
            return None
        try:
            level = depth(self.nodes, loop)
            made = copied(loop, at(level, 1, lambda old: [reversed_(old)]))
        except NoForm:
            return None

        def others(nodes):
            return [
                made if node is loop else node if isinstance(node, Leaf) else Loop(others(node.body)) for node in nodes
            ]

        return places(others(self.nodes))

    def add(self, loop, number, outer=None):
        """Greater counters, by a number or a multiple of the counter of a loop around it."""

        def make(level):
            begin = level if outer is None else depth(self.nodes, outer)

            def added(*given):
                old = given[-1]

                def add(function):
                    if function is None:
                        return None
                    if outer is None:
                        return lambda names: function(names) + names.number(number)
                    return lambda names: function(names) + times(given[0].count(names), number)

                return [*given[:-1], Around(add(old.count), add(old.lower), add(old.upper), old.step)]

            change(loop, at(begin, level - begin + 1, added))
            return [loop]

        return self.edit(loop, make)

    def unroll(self, loops, factor):
        """Copies of iterations of the first loop in the last one, and a loop for those that are left."""

        def make(level):
            inside = []
            for number in range(factor):
                found = unrolled(loops[0], level, factor, number)
                for _ in loops[1:]:
                    found = found.body[0]
                inside += found.body
            for _ in loops:
                inside = [Loop(inside)]
            return [*inside, unrolled(loops[0], level, factor, None)]

        return self.edit(loops[0], make)

    def distribute(self, loop, number):
        return self.edit(loop, lambda _: [Loop(loop.body[:number]), Loop(loop.body[number:])])

    def fuse(self, one, other):
        """Five loops: what only one of them has runs in front of both or behind both."""

        def make(level):
            bounds = [common(loop, level) for loop in (one, other)]
            if any(each.step != 1 for each in bounds):
                raise NoForm

            def begin(names):
                return bounds[0].lower(names).max(bounds[1].lower(names))

            def end(names):
                return begin(names).max(bounds[0].upper(names).min(bounds[1].upper(names)))

            def part(holds, lower=None, upper=None):
                bound = at(level, 1, lambda old: [replace(old, lower=lower, upper=upper)])

                def leaf(old):
                    count = old.around[level].count
                    return replace(bound(old), holds=(*old.holds, lambda names: holds(count(names), names)))

                return leaf

            before = [copied(loop, part(lambda c, names: c.lt_set(begin(names)))) for loop in (one, other)]
            behind = [copied(loop, part(lambda c, names: c.ge_set(end(names)))) for loop in (one, other)]

            def is_inside(c, names):
                return c.ge_set(begin(names)).intersect(c.lt_set(end(names)))

            inside = part(is_inside, begin, end)
            change(one, inside)
            change(other, inside)
            self.nodes = replaced(self.nodes, other, [])
            one.body = one.body + other.body
            return [*before, one, *behind]

        return self.edit(one, make) and [one]


def reversed_(old):
    if old.lower is None:
        raise NoForm

    def last(names):
        return old.lower(names) + times(trips(old, names) - names.number(1), old.step)

    return replace(old, count=lambda names: old.lower(names) + last(names) - old.count(names))


def tiled(old, size, is_aligned):
    """The loop over tiles, and the one in a tile."""
    length = size * old.step
    if old.lower is None and not (is_aligned and old.step == 1):
        raise NoForm

    def tile(names):
        if is_aligned:
            return times(quotient(old.count(names), length), length)
        return old.lower(names) + times(quotient(old.count(names) - old.lower(names), length), length)

    def begin(names):
        """The first iteration of the tile: on the grid of the loop."""
        if not is_aligned:
            return tile(names)
        least = tile(names).max(old.lower(names)) - old.lower(names) + names.number(old.step - 1)
        return old.lower(names) + times(quotient(least, old.step), old.step)

    def end(names):
        return (tile(names) + names.number(length)).min(old.upper(names))

    has_bounds = old.lower is not None
    outer = Around(tile, None if is_aligned else old.lower, None if is_aligned else old.upper, length)
    return outer, Around(old.count, begin if has_bounds else None, end if has_bounds else None, old.step)


def unrolled(loop, level, factor, number):
    """The copy of that number in the unrolled loop, or without one the loop of what is left."""

    def parts(old):
        if old.lower is None:
            raise NoForm

        def whole(names):
            """The iterations of the main loop, of the program's ones."""
            return times(quotient(trips(old, names), factor), factor)

        def begin(names):
            return times(quotient(position(old, names), factor), factor)

        def end(names):
            return old.lower(names) + times(whole(names), old.step)

        def count(names):
            return old.lower(names) + times(begin(names), old.step)

        def is_left(names):
            return position(old, names).ge_set(whole(names))

        def is_copy(names):
            in_main = position(old, names).lt_set(whole(names))
            return in_main.intersect((position(old, names) - begin(names)).eq_set(names.number(number)))

        if number is None:
            return replace(old, lower=end), is_left
        return Around(count, old.lower, end, old.step * factor), is_copy

    known = {}

    def one(leaf):
        old = leaf.around[level]
        if old not in known:
            known[old] = parts(old)
        new, holds = known[old]
        return replace(leaf, around=(*leaf.around[:level], new, *leaf.around[level + 1 :]), holds=(*leaf.holds, holds))

    return copied(loop, one)


def common(loop, level):
    """The loop around that all leaves share, with its bounds."""
    found = {(leaf.around[level].lower, leaf.around[level].upper): leaf.around[level] for leaf, _ in places([loop])}
    if len(found) != 1 or None in next(iter(found)):
        raise NoForm
    return next(iter(found.values()))
