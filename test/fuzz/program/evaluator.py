"""Runs a program on what is known of its arguments, by the rules of docs/spec.md.

Independent of the compiler. `Fails` says that the call must be an error,
`Undecided` that the evaluator cannot say.
"""

import names
from data import exact, kindOf
from operations import TABLE, Fails, TooLarge, Undecided

MOST_STEPS = 4000
LARGEST = 200_000


def checkType(data, extents, what):
    """rt-4: a type that says more than what was computed is a guard."""
    if extents is None:
        return
    shape = data.shape
    if len(shape) != len(extents) or any(e is not None and e != n for e, n in zip(extents, shape)):
        raise Fails(f"{what} has shape {shape} and not {extents}")


def initialState(program):
    return {v.name: exact(kindOf(v.value.kind), v.initial) for v in program.variables}


class Evaluator:
    """`observe(value, data)`, where given, is told each value as it is made."""

    def __init__(self, program, observe=None, withTypes=True, state=None):
        self.program, self.observe, self.withTypes = program, observe, withTypes
        # What the variables have, by name; their initial values where there was no call.
        self.state = initialState(program) if state is None else dict(state)
        self.steps = 0

    def run(self, inputs):
        return self.call(self.program.main, inputs)

    def call(self, function, operands):
        environment = {}
        for value, data in zip(function.block.arguments, operands, strict=True):
            self.define(environment, value, data)
        if self.withTypes:
            names.check(function.names, operands)
        results = self.block(function.block, environment)
        if self.withTypes and function.resultTypes:
            for data, extents in zip(results, function.resultTypes, strict=True):
                checkType(data, extents, "a result")
        return results

    def define(self, environment, value, data):
        if self.withTypes and value.kind != "index":
            checkType(data, value.extents, f"{value}")
        environment[value] = data
        if self.observe:
            self.observe(value, data)

    def block(self, block, environment, arguments=()):
        for value, data in zip(block.arguments if arguments else (), arguments, strict=True):
            self.define(environment, value, data)
        for operation in block.operations:
            self.operation(operation, environment)
        return [environment[v] for v in block.results]

    def operation(self, operation, environment):
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise Undecided("the program runs too long")
        entry = TABLE[operation.name]
        operands = [environment[v] for v in operation.operands]
        if entry.isControl:
            results = entry.execute(self, operation, operands, environment)
        else:
            results = entry.evaluate(operands, operation.attributes, [r.kind for r in operation.results])
        for value, data in zip(operation.results, results, strict=True):
            if value.kind != "index" and data.low.size > LARGEST:
                raise TooLarge("a tensor is too large")
            self.define(environment, value, data)


def evaluate(program, inputs, observe=None):
    """Data of the results of `main`."""
    return Evaluator(program, observe).run(inputs)
