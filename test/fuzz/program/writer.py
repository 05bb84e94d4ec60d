"""Programs as MLIR text. All types must be settled (typing.py)."""

import names
import numpy as np
from operations import TABLE


def typeText(kind, extents):
    if kind == "index":
        return "index"
    if extents is None:
        return f"tensor<*x{kind}>"
    return f"tensor<{'x'.join(['?' if e is None else str(e) for e in extents] + [kind])}>"


def denseText(array, kind):
    """The elements bit for bit."""
    shape = typeText(kind, array.shape)
    if array.size == 0:
        return f"dense<> : {shape}"
    if kind == "i1":
        if array.shape == ():
            return f"dense<{str(bool(array)).lower()}> : {shape}"
        return f"dense<{np.array2string(array, separator=', ', threshold=array.size + 1).lower()}> : {shape}"
    return f'dense<"0x{np.ascontiguousarray(array).tobytes().hex().upper()}"> : {shape}'


class Writer:
    def __init__(self):
        self.lines = []
        self.names = {}
        self.count = 0
        # The text that gives the index of the loop around as an `index`.
        self.induction = None

    def line(self, text):
        self.lines.append(text)

    def fresh(self, prefix):
        self.count += 1
        return f"{prefix if prefix[0] == '^' else '%' + prefix}{self.count}"

    def name(self, value):
        if value not in self.names:
            self.names[value] = self.fresh("v")
        return self.names[value]

    def type(self, value):
        return typeText(value.kind, value.extents)

    def types(self, values, always=False):
        text = ", ".join(map(self.type, values))
        return f"({text})" if always and len(values) != 1 else text

    def index(self, number):
        """The name of an index of that value."""
        name = self.fresh("k")
        self.line(f"{name} = arith.constant {number} : index")
        return name

    def alias(self, results, group, first=0):
        for i, result in enumerate(results):
            self.names[result] = f"{group}#{i + first}"

    def definitions(self, operation):
        """The left side, with ` = `."""
        if not operation.results:
            return ""
        if len(operation.results) == 1:
            return f"{self.name(operation.results[0])} = "
        group = self.fresh("r")
        self.alias(operation.results, group)
        return f"{group}:{len(operation.results)} = "

    def block(self, block, terminator, inParentheses=False, firstType=None):
        for operation in block.operations:
            self.operation(operation)
        names = ", ".join(self.name(v) for v in block.results)
        types = ", ".join([firstType] * bool(firstType) + [self.type(v) for v in block.results])
        text = f"{names} : {types}" if types else names
        self.line(f"{terminator}({text})" if inParentheses else f"{terminator} {text}".rstrip())

    def operation(self, operation):
        entry = TABLE[operation.name]
        if hasattr(entry, "write"):
            entry.write(operation, self)
            return
        if operation.name == "const":
            (result,) = operation.results
            values = denseText(operation.attributes["values"], result.kind)
            made = typeText(result.kind, operation.attributes["values"].shape)
            self.line(f'{self.name(result)} = "tosa.const"() {{values = {values}}} : () -> {made}')
            return
        names = [self.name(o) for o in operation.operands]
        types = [self.type(o) for o in operation.operands]
        for form, numbers in entry.extras(operation.attributes):
            name, kind = self.extra(form, numbers)
            names.append(name)
            types.append(kind)
        attributes = entry.attributes(operation.attributes)
        self.line(
            f"{self.definitions(operation)}tosa.{operation.name} {', '.join(names)} {{{attributes}}} : "
            f"({', '.join(types)}) -> {self.types(operation.results, always=True)}"
        )

    def extra(self, form, numbers):
        name = self.fresh("s")
        if form == "shape":
            size = len(numbers)
            text = f"[{', '.join(map(str, numbers))}]" if size else ""
            self.line(
                f"{name} = tosa.const_shape {{values = dense<{text}> : tensor<{size}xindex>}} : "
                f"() -> !tosa.shape<{size}>"
            )
            return name, f"!tosa.shape<{size}>"
        kind = f"tensor<{len(numbers)}x{form}>"
        texts = [
            str(bool(n)).lower() if form == "i1" else repr(float(n)) if form[0] in "fb" else str(n) for n in numbers
        ]
        text = texts[0] if len(texts) == 1 else f"[{', '.join(texts)}]"
        self.line(f'{name} = "tosa.const"() {{values = dense<{text}> : {kind}}} : () -> {kind}')
        return name, kind

    def function(self, function, isMain):
        promises = [names.text(n) for n in function.names or [None] * len(function.block.arguments)]
        arguments = ", ".join(
            f"{self.name(v)}: {self.type(v)}" + (f" {{loom.extents = {n}}}" if n else "")
            for v, n in zip(function.block.arguments, promises, strict=True)
        )
        types = ", ".join(typeText(v.kind, e) for v, e in zip(function.block.results, function.resultTypes))
        self.line(f"func.func {'' if isMain else 'private '}@{function.name}({arguments}) -> ({types}) {{")
        self.block(function.block, "return")
        self.line("}")

    def variable(self, variable):
        value = variable.value
        shape = ", ".join("-1" if e is None else str(e) for e in value.extents)
        initial = f"initial_value = {denseText(variable.initial, value.kind)}, " if variable.isGiven else ""
        self.line(
            f'"tosa.variable"() <{{{initial}sym_name = "{variable.name}", type = {value.kind}, '
            f"var_shape = dense<{f'[{shape}]' if shape else ''}> : tensor<{len(value.extents)}xindex>}}> "
            ": () -> ()"
        )


def write(program):
    writer = Writer()
    for variable in program.variables:
        writer.variable(variable)
    for function in program.functions:
        writer.function(function, function is program.main)
    return "\n".join(writer.lines) + "\n"
