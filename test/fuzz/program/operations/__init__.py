"""The table of operations. One file for each family; docs/testing.md says how
to add one."""

import importlib

TABLE = {}


class Fails(Exception):
    """By the rules, this call must be an error."""


class Undecided(Exception):
    """Is raised where what would decide is not known exactly, so that nothing is claimed."""


class TooLarge(Undecided):
    """It may be a good call, but of gigabytes, which are not computed."""


class Entry:
    """One operation: how it is made, written and evaluated.

    `weight` says how often it is tried. `propose(generator)` gives operands,
    element types of the results and attributes, or None where there is nothing
    to use. `attributes(attributes)` is the text in braces; `extras(attributes)`
    lists further operands as (form, value): ("shape", numbers) or (element type,
    numbers). `evaluate(data, attributes, kinds)` gives the results.
    """

    weight = 1.0
    # Whether operands and results may have an unknown rank.
    anyRank = False
    # Whether it has blocks or calls: then `execute(evaluator, operation, operands,
    # environment)` takes the place of `evaluate`, and `write(operation, writer)`
    # that of the texts.
    isControl = False
    # Whether its block takes what it gives: both have the types of the results.
    isLoop = False
    # Whether it is written as blocks of `cf`, which only the body of a function has.
    needsBlocks = False
    # How its types depend on each other (typed.py): "sizes" of a slice, all the
    # "same", or the result that of the "destination", its last operand.
    typed = None
    # Whether the table's generator may pick it.
    isOwn = True

    def attributes(self, attributes):
        return ""

    def extras(self, attributes):
        return []


def register(name, entry):
    entry.name = name
    TABLE[name] = entry
    return entry


FAMILIES = (
    "elementwise",
    "reductions",
    "moves",
    "control",
    "loops",
    "indices",
    "tensors",
    "linalg",
    "user",
    "images",
    "volumes",
    "rescale",
    "shapes",
    "elements",
    "state",
    "fourier",
    "relative",
    "destinations",
    "products",
    "lookups",
)


def load():
    for family in FAMILIES:
        importlib.import_module(f"operations.{family}")
    return TABLE
