"""What edits of schedules make of loops, as maps of isl, for all sizes at once.

A leaf is a statement, or a copy of one, with the iterations that it runs and the counters of the loops around it, as
functions of the program's variables. Its time is the places in sequences and the counters, in lexicographic order. So
nothing here knows of the compiler's analysis, and isl decides whether two accesses that meet change their order. An
edit of which this form is not known gives None.
"""

from dataclasses import dataclass

import islpy as isl


class Names:
    """The variables of a statement as functions of its iterations."""

    def __init__(self, number, variables):
        space = isl.Space.create_from_names(isl.DEFAULT_CONTEXT, set=list(variables), params=["n", "m"])
        space = space.set_tuple_name(isl.dim_type.set, f"S{number}")
        self.space = isl.LocalSpace.from_space(space)
        self.of = {name: self.variable(isl.dim_type.param, i) for i, name in enumerate("nm")}
        self.of |= {name: self.variable(isl.dim_type.set, i) for i, name in enumerate(variables)}
        self.all = isl.Set.universe(space)

    def variable(self, kind, position):
        return isl.PwAff.from_aff(isl.Aff.var_on_domain(self.space, kind, position))

    def number(self, value):
        return isl.PwAff.from_aff(isl.Aff.val_on_domain(self.space, isl.Val(value)))


def times(function, number):
    return function.scale_val(isl.Val(number))


def quotient(function, number):
    return function.scale_down_val(isl.Val(number)).floor()


def form(of):
    """A sum of names and a number (schedule_cases.Form), as a function of names."""

    def value(names):
        total = names.number(of.constant)
        for name, by in of.terms.items():
            total = total + times(names.of[name], by)
        return total

    return value


def bound(of):
    """A form, or the least or the greatest of some."""
    if not hasattr(of, "forms"):
        return form(of)
    parts = [form(part) for part in of.forms]

    def value(names):
        found = parts[0](names)
        for part in parts[1:]:
            found = found.min(part(names)) if of.word == "min" else found.max(part(names))
        return found

    return value


def trips(around, names):
    """How many iterations the loop has, at least 0."""
    length = around.upper(names) - around.lower(names) + names.number(around.step - 1)
    return quotient(length, around.step).max(names.number(0))


def position(around, names):
    """The number of the iteration."""
    return quotient(around.count(names) - around.lower(names), around.step)


@dataclass(frozen=True)
class Around:
    """A loop around a leaf: functions of names. Without bounds, edits that need them have no form."""

    count: object
    lower: object
    upper: object
    step: int = 1


@dataclass(frozen=True)
class Leaf:
    number: int
    variables: tuple
    # Which iterations it runs: functions of names to sets.
    holds: tuple
    around: tuple


@dataclass(eq=False)
class Loop:
    body: list

    def __deepcopy__(self, memo):
        # Of one tree.
        return self


def places(nodes):
    """Pairs of a leaf and its places in sequences."""
    found = []

    def visit(nodes, outer):
        for place, node in enumerate(nodes):
            if isinstance(node, Leaf):
                found.append((node, [*outer, place]))
            else:
                visit(node.body, [*outer, place])

    visit(nodes, [])
    return found


def schedule(leaves):
    """The time of each iteration of each statement; None without a form."""
    longest = max(len(found) for _, found in leaves)
    whole = isl.UnionMap("{ }")
    try:
        for leaf, found in leaves:
            whole = whole.union(times_of(leaf, found, longest))
    except KeyError:
        # A bound of a loop around another statement, which has other variables.
        return None
    return whole


def times_of(leaf, found, longest):
    names = Names(leaf.number, leaf.variables)
    domain = names.all
    for condition in leaf.holds:
        domain = domain.intersect(condition(names))
    values = []
    for number in range(longest):
        values.append(names.number(found[number] if number < len(found) else 0))
        values.append(leaf.around[number].count(names) if number < len(leaf.around) else names.number(0))
    made = isl.Map.from_pw_aff(values[0])
    for value in values[1:]:
        made = made.flat_range_product(isl.Map.from_pw_aff(value))
    return isl.UnionMap.from_map(made.intersect_domain(domain))


class Judge:
    """The dependences of a program."""

    def __init__(self, leaves, accesses, free):
        """`accesses` has statements, variables, memory, forms of a place, and whether it writes."""
        reads, writes = isl.UnionMap("{ }"), isl.UnionMap("{ }")
        self.schedule = schedule(leaves)
        # A call with an index that is negative for some iteration fails in front of the loops. No other size of memory
        # is given, so that it may be as large as needed.
        outside = isl.Set("[n, m] -> { : false }")
        for number, variables, memory, place, is_write in accesses:
            if memory in free:
                continue
            names = Names(number, variables)
            made = isl.Map.from_pw_aff(form(place[0])(names))
            for index in place[1:]:
                made = made.flat_range_product(isl.Map.from_pw_aff(form(index)(names)))
            met = isl.UnionMap.from_map(made).intersect_domain(self.schedule.domain())
            for axis in range(len(place)):
                negative = isl.Set.universe(made.get_space().range()).upper_bound_val(
                    isl.dim_type.set, axis, isl.Val(-1)
                )
                outside = outside.union(met.range().intersect(isl.UnionSet.from_set(negative)).params())
            made = isl.UnionMap.from_map(made.set_tuple_name(isl.dim_type.out, memory))
            reads, writes = (reads, writes.union(made)) if is_write else (reads.union(made), writes)
        touches = reads.union(writes)
        meet = writes.apply_range(touches.reverse()).union(touches.apply_range(writes.reverse()))
        met = meet.intersect(self.schedule.lex_lt_union_map(self.schedule))
        self.of_all = met.coalesce()
        self.of_calls_that_run = met.intersect_params(outside.complement()).coalesce()

    def keeps(self, leaves, only_calls_that_run):
        """Whether all accesses run behind those that they depend on, for all sizes, or for those of calls that run.
        None where it is not known."""
        after = None if leaves is None else schedule(leaves)
        if after is None:
            return None
        if not after.domain().is_equal(self.schedule.domain()):
            raise AssertionError("an edit has other iterations")
        dependences = self.of_calls_that_run if only_calls_that_run else self.of_all
        return dependences.intersect(after.lex_gt_union_map(after)).is_empty()
