"""Variables: tosa.variable_read and tosa.variable_write (abi-8)."""

from ir import Operation, Value

from operations import Entry, register


class Read(Entry):
    isControl = True
    isOwn = False

    def generate(self, g):
        variable = g.random.choice(g.program.variables)
        result = Value(variable.value.kind, None, None)
        g.add(Operation(self.name, [], [result], {"variable": variable.name}), [g.state[variable.name]])

    def execute(self, evaluator, operation, operands, environment):
        return [evaluator.state[operation.attributes["variable"]]]

    def write(self, operation, w):
        (result,) = operation.results
        w.line(f"{w.name(result)} = tosa.variable_read @{operation.attributes['variable']} : {w.type(result)}")


class Write(Entry):
    """The value may have other extents than the one before it, where the type of
    the variable can leave them open: where there is an initial value."""

    isControl = True
    isOwn = False

    def generate(self, g):
        variable = g.random.choice(g.program.variables)
        before = variable.value
        value = g.pickOf(
            lambda v: (
                v.kind == before.kind
                and len(g.shape(v)) == len(before.shape)
                and (variable.isGiven or g.shape(v) == variable.initial.shape)
            )
        )
        if value is None or g.random.random() < 0.1:
            value = g.newOf(before.kind, variable.initial.shape)
        g.add(Operation(self.name, [value], [], {"variable": variable.name}), [])
        g.state[variable.name] = g.known[value]

    def execute(self, evaluator, operation, operands, environment):
        evaluator.state[operation.attributes["variable"]] = operands[0]
        return []

    def write(self, operation, w):
        (value,) = operation.operands
        w.line(f"tosa.variable_write @{operation.attributes['variable']}, {w.name(value)} : {w.type(value)}")


register("variable_read", Read())
register("variable_write", Write())
