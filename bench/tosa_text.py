"""Prints a traced case as a function of TOSA operations."""

from expression import Node, Strided, Trace, trace

NAMES = {"maximum": "tosa.maximum", "sum": "tosa.reduce_sum", "max": "tosa.reduce_max", "transposed": "tosa.transpose"}


def _type(node, mode):
    """`mode`: static; dynamic, every extent `?`; ones, the extents 1 kept."""

    def extent(e):
        return str(e) if mode == "static" or (mode == "ones" and e == 1) else "?"

    return f"tensor<{''.join(extent(e) + 'x' for e in node.shape)}{node.dtype}>"


class _Printer:
    def __init__(self, mode):
        self.mode, self.names, self.lines, self.constants = mode, {}, [], {}

    def constant(self, value, like):
        """A splat of rank and type as `like`."""
        kind = f"tensor<{'1x' * len(like.shape)}{like.dtype}>"
        if (value, kind) not in self.constants:
            name = self.constants[value, kind] = f"%c{len(self.constants)}"
            self.lines.append(
                f'{name} = "tosa.const"() <{{values = dense<{float(value):.9e}> : {kind}}}> : () -> {kind}'
            )
        return self.constants[value, kind], kind

    def shift(self):
        if "shift" not in self.constants:
            self.constants["shift"] = "%shift"
            self.lines.append('%shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>')
        return "%shift", "tensor<1xi8>"

    def resultType(self, node):
        if node.operation in ("sum", "max"):
            # The reduced extent is 1 in every mode; the others are the operand's.
            extents = self.names[id(node.operands[0])][1].removeprefix("tensor<").split("x")
            extents[node.attributes["axis"] - 1] = "1"
            return "tensor<" + "x".join(extents)
        return _type(node, self.mode)

    def add(self, node):
        operands = [
            (self.names[id(o)][0], self.names[id(o)][1]) if isinstance(o, Node) else self.constant(o, node)
            for o in node.operands
        ]
        name, kind = f"%v{len(self.names)}", self.resultType(node)
        self.names[id(node)] = name, kind
        operation, attributes = NAMES.get(node.operation, "tosa." + node.operation), ""
        if node.operation == "mul":
            operands.append(self.shift())
        values = ", ".join(o[0] for o in operands)
        # In the generic form, whose attributes every version of MLIR spells alike.
        if node.operation in ("sum", "max"):
            attributes = f" <{{axis = {node.attributes['axis'] + len(node.shape)} : i32}}>"
        if node.operation == "transposed":
            attributes = " <{perms = array<i32: 1, 0>}>"
        written = f'"{operation}"({values}){attributes}' if attributes else f"{operation} {values}"
        self.lines.append(f"{name} = {written} : ({', '.join(o[1] for o in operands)}) -> {kind}")


def program(case, mode, strided=True, output=""):
    """The text. `output` is an attribute of an additional argument, of the
    result's type, to which the result is to be written."""
    inputs, nodes, result = trace(case, Strided() if strided else Trace())
    printer = _Printer(mode)
    for i, node in enumerate(inputs):
        printer.names[id(node)] = f"%a{i}", _type(node, mode)
    for node in nodes:
        printer.add(node)
    name, kind = printer.names[id(result)]
    arguments = [f"{n}: {t}" for n, t in (printer.names[id(i)] for i in inputs)]
    if output:
        arguments.append(f"%out: {kind} {{{output}}}")
    body = "\n  ".join([*printer.lines, f"return {name} : {kind}"])
    return f"func.func @main({', '.join(arguments)}) -> {kind} {{\n  {body}\n}}\n"
