"""Kernels with one wrong bound or subscript."""

import copy
import random
from dataclasses import dataclass

from nest_kernels import KERNELS
from nest_program import Load, Loop, Name, Store, children

OF_EACH = 20
# The extents with which mutants are called. With one, some are right that are wrong with others.
EXTENTS = (1, 5)


@dataclass
class Mutant:
    kernel: str
    number: int
    what: str
    function: object


def sites(body, loops=()):
    """Each bound and subscript: a list, the place in it, and the loops around."""
    for node in body:
        inner = loops
        if isinstance(node, Loop):
            yield node.lowers, 0, loops, f"the lower bound of '{node.variable}'"
            yield node.uppers, 0, loops, f"the upper bound of '{node.variable}'"
            inner = (*loops, node.variable)
        elif isinstance(node, Load | Store):
            for axis in range(len(node.subscripts)):
                yield node.subscripts, axis, loops, f"subscript {axis} of '{node.memory}'"
        yield from sites(list(children(node)) if not isinstance(node, list) else node, inner)


def changes(form, loops):
    """Other indices in place of one, each with its name."""
    yield "one more", form + 1
    yield "one less", form - 1
    yield "two more", form + 2
    yield "n less", form - Name("n")
    for name in (*loops, "n"):
        if form != Name(name):
            yield f"'{name}'", Name(name)


def mutants_of(kernel):
    """Different ones, which follow from the kernel's name alone."""
    body = KERNELS[kernel].body()
    all_of_them = [
        (site, what, change)
        for site, (forms, place, loops, what) in enumerate(sites(body))
        for change, _ in changes(forms[place], loops)
    ]
    chosen = random.Random(kernel).sample(all_of_them, OF_EACH)
    for number, (site, what, change) in enumerate(sorted(chosen)):
        function = copy.deepcopy(KERNELS[kernel].function())
        forms, place, loops, _ = list(sites(function.body))[site]
        forms[place] = dict(changes(forms[place], loops))[change]
        function.name = f"mutant{number}"
        yield Mutant(kernel, number, f"{what}: {change}", function)


def fixed(function, name, extent):
    """A copy with its extent in the types."""
    made = copy.deepcopy(function)
    made.name = name
    for memory in made.memories:
        memory.extents = [extent] * len(memory.extents)
    return made
