"""Programs as the fuzzer keeps them: values with types, operations, blocks.

A type's `extents` is a tuple with None for `?`, or None for an unknown rank.
`index` values are numbers and have no extents. Programs are changed in place
only by the function that has just copied them.
"""

import itertools
from dataclasses import dataclass, field

_numbers = itertools.count()


class Value:
    """`shape` is what it has in the first call, for writers of static types."""

    __slots__ = ("kind", "extents", "shape", "number")

    def __init__(self, kind, extents, shape):
        self.kind, self.extents, self.shape = kind, extents, shape
        self.number = next(_numbers)

    def __repr__(self):
        return f"%{self.number}"


@dataclass(eq=False)
class Operation:
    name: str
    operands: list
    results: list
    attributes: dict = field(default_factory=dict)
    blocks: list = field(default_factory=list)


@dataclass(eq=False)
class Block:
    arguments: list
    operations: list = field(default_factory=list)
    results: list = field(default_factory=list)

    def walk(self):
        """All operations, those inside others after them."""
        for operation in self.operations:
            yield operation
            for block in operation.blocks:
                yield from block.walk()


@dataclass
class Function:
    name: str
    block: Block
    resultTypes: list  # extents of each result
    # What is promised of arguments (abi-1): a list of texts for each, or None.
    names: list = None


@dataclass(eq=False)
class Variable:
    """A variable keeps its value from call to call (abi-8). `value` has its type."""

    name: str
    value: Value
    initial: object  # an array
    # Whether the program says the initial value, which is zeros otherwise.
    isGiven: bool = True


@dataclass
class Program:
    functions: list  # the last is main, the only public one
    libraries: list = field(default_factory=list)
    variables: list = field(default_factory=list)

    @property
    def main(self):
        return self.functions[-1]

    def function(self, name):
        return next(f for f in self.functions if f.name == name)

    def variable(self, name):
        return next(v for v in self.variables if v.name == name)

    def walk(self):
        for function in self.functions:
            yield from function.block.walk()

    def copy(self):
        """Other values of the same numbers; attributes are shared."""
        values = {}

        def value(old):
            new = values.get(old)
            if new is None:
                new = values[old] = Value.__new__(Value)
                new.kind, new.extents, new.shape, new.number = old.kind, old.extents, old.shape, old.number
            return new

        def block(old):
            return Block(
                [value(a) for a in old.arguments],
                [
                    Operation(
                        o.name,
                        [value(v) for v in o.operands],
                        [value(v) for v in o.results],
                        o.attributes,
                        [block(b) for b in o.blocks],
                    )
                    for o in old.operations
                ],
                [value(v) for v in old.results],
            )

        return Program(
            [Function(f.name, block(f.block), f.resultTypes, f.names) for f in self.functions],
            self.libraries,
            [Variable(v.name, value(v.value), v.initial, v.isGiven) for v in self.variables],
        )


def blocksOf(program):
    """Every block with the function that it is of."""

    def inside(block, function):
        yield block, function
        for operation in block.operations:
            for inner in operation.blocks:
                yield from inside(inner, function)

    for function in program.functions:
        yield from inside(function.block, function)


def allValues(program):
    for block, _ in blocksOf(program):
        yield from block.arguments
        for operation in block.operations:
            yield from operation.results


def replaceUses(program, old, new):
    for block, _ in blocksOf(program):
        block.results = [new if v is old else v for v in block.results]
        for operation in block.operations:
            operation.operands = [new if v is old else v for v in operation.operands]


def count(program):
    return sum(1 for _ in program.walk())
