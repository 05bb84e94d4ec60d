"""Small programs for scripts/operations: a function of one operation, with every
extent open. What TOSA's operations take comes from MLIR's definitions.
"""

import json
import re
import subprocess

LLVM = "/usr/lib/llvm-22"
TOSA = f"{LLVM}/include/mlir/Dialect/Tosa/IR"
DEFINITIONS = ("TosaOps", "TosaShapeOps")
# Element types in the words of TOSA's own table of what it supports.
SUPPORTED = {
    "boolT": "i1",
    "i8T": "i8",
    "i16T": "i16",
    "i32T": "i32",
    "i48T": "i48",
    "i64T": "i64",
    "fp16T": "f16",
    "bf16T": "bf16",
    "fp32T": "f32",
    "fp8e4m3T": "f8E4M3FN",
    "fp8e5m2T": "f8E5M2",
}


def tensor(rank, element):
    """A type with every extent open; `*` for an unknown rank."""
    return f"tensor<*x{element}>" if rank == "*" else f"tensor<{'?x' * rank}{element}>"


# The definitions. -------------------------------------------------------------


class Definitions:
    """TOSA's operations, as TableGen has them."""

    def __init__(self):
        self.operations = {}
        for name in DEFINITIONS:
            path = f"{TOSA}/{name}.td"
            text = subprocess.run(
                [f"{LLVM}/bin/llvm-tblgen", "--dump-json", path, "-I", f"{LLVM}/include"],
                check=True,
                capture_output=True,
                text=True,
            ).stdout
            records = json.loads(text)
            for record in records["!instanceof"]["Tosa_Op"]:
                # What is no operation of TOSA's specification.
                if records[record]["!locs"][0].startswith("TosaUtilOps"):
                    continue
                parts = {
                    part: [
                        (argument, self.describe(records, kind["def"]))
                        for kind, argument in records[record][part]["args"]
                    ]
                    for part in ("arguments", "results")
                }
                parts["regions"] = len(records[record]["regions"]["args"])
                self.operations["tosa." + records[record]["opName"]] = parts

    @staticmethod
    def describe(records, name):
        """(kind of record, name, summary) of an operand, a result or an attribute."""
        record = records[name]
        if "Variadic" in record["!superclasses"]:
            name = record["baseType"]["def"]
        return (
            "attribute" if "AttrConstraint" in record["!superclasses"] else "value",
            name,
            record.get("summary", ""),
        )


# One program. -------------------------------------------------------------------


class Program:
    """A function of one operation. `rank` is that of operands whose definition
    leaves it open, `shape` the length of shapes that the operation takes."""

    def __init__(self, element, result, sums, rank, shape, resultRank):
        self.element, self.result, self.sums = element, result, sums
        self.rank, self.shape, self.resultRank = rank, shape, resultRank
        self.arguments, self.lines, self.before, self.usesElement = [], [], [], False

    def argument(self, kind):
        self.arguments.append(kind)
        return f"%a{len(self.arguments) - 1}", kind

    def constant(self, count, element, value):
        name = f"%k{len(self.lines)}"
        kind = f"tensor<{count}x{element}>"
        text = f"{float(value)}" if element.startswith(("f", "b")) else "false" if element == "i1" else str(value)
        self.lines.append(f'{name} = "tosa.const"() {{values = dense<{text}> : {kind}}} : () -> {kind}')
        return name, kind

    def shapeValue(self, length, value):
        name = f"%k{len(self.lines)}"
        self.lines.append(
            f"{name} = tosa.const_shape {{values = dense<{value}> : tensor<{length}xindex>}} : "
            f"() -> !tosa.shape<{length}>"
        )
        return name, f"!tosa.shape<{length}>"

    def openShape(self):
        """A shape of one number that only the call tells."""
        of, kind = self.argument("tensor<?xf32>")
        name = f"%k{len(self.lines)}"
        self.lines.append(f"{name} = tosa.dim {of} {{axis = 0 : i32}} : ({kind}) -> !tosa.shape<1>")
        return name, "!tosa.shape<1>"

    def some(self, extents):
        """A constant of the element type."""
        value = "1.0" if self.element[0] in "fb" else "true" if self.element == "i1" else "1"
        return f"dense<{value}> : tensor<{extents}x{self.element}>"

    def ofRank(self, definition, name=""):
        found = re.search(r"Tensor(\d)D", definition)
        if self.rank == "*":
            return "*"
        return int(found[1]) if found else 1 if name == "bias" else self.rank

    def operand(self, name, definition, onShapes):
        if "Shape" in definition:
            fixed = re.search(r"Rank(\d)", definition)
            length = int(fixed[1]) if fixed else self.shape
            return (
                self.openShape()
                if onShapes
                else self.shapeValue(length, int(name not in ("start", "offset", "border")))
            )
        if "MXFPScale" in definition:
            return self.argument(tensor(self.ofRank(definition), "f8E8M0FNU"))
        number = re.search(r"(?:1D|Scalar)Int(\d+)(?:Or(\d+))?", definition)
        if number:
            value = {"shift": 20 if "1D" in definition else 0, "start": 0}.get(name, 1)
            return self.constant(1, f"i{number[2] or number[1]}", value)
        if "Int8Like" in definition:
            return self.argument(tensor(self.rank, "i8"))
        if "I1Tensor" in definition:
            return self.argument(tensor(0 if name == "condition" else self.rank, "i1"))
        if "IndexTensor" in definition:
            return self.argument(tensor(self.ofRank(definition), "i32"))
        if name == "bias":
            return self.argument(tensor(1, self.result))
        self.usesElement = True
        if "Scalar" in definition:
            ofResult = name.startswith("output")
            return self.constant(1, self.result if ofResult else self.element, 0)
        return self.argument(tensor(self.ofRank(definition), self.element))

    def attribute(self, name, definition, summary):
        """The attribute's text, or None where it has a default."""
        array = re.search(r"IntArrayAttr(\d)", definition)
        if array:
            return f"{name} = array<i64: {', '.join('0' if name == 'pad' else '1' for _ in range(int(array[1])))}>"
        if definition == "DenseI32ArrayAttr":
            return f"{name} = array<i32: 1, 0>"
        if "type attribute of" in summary:
            return f"{name} = {self.sums}"
        if definition == "Tosa_IntOrFloatAttr":
            return f"{name} = {'1.0' if self.element.startswith(('f', 'b')) else '1'} : {self.element}"
        words = {
            "I32Attr": "0 : i32",
            "StrAttr": '"x"',
            "BoolAttr": str(name == "scale32").lower(),
            "Tosa_RoundingModeAttr": "#tosa.rounding_mode<SINGLE_ROUND>",
            "Tosa_ResizeModeAttr": "#tosa.resize_mode<NEAREST_NEIGHBOR>",
            "Tosa_BlockSizeAttr": "#tosa.block_size<BLOCK_SIZE_32>",
            "SymbolNameAttr": '"v"',
        }
        if definition == "ElementsAttr":
            self.usesElement = True
            return f"{name} = {self.some('2x2')}"
        if definition == "IndexElementsAttr":
            return f"{name} = dense<1> : tensor<1xindex>"
        return f"{name} = {words[definition]}" if definition in words else None

    def make(self, name, definition, number):
        parts = definition
        onShapes = any("Shape" in kind for _, (_, kind, _) in parts["results"])
        operands, attributes = [], []
        for argument, (what, kind, summary) in parts["arguments"]:
            if what == "value":
                operands.append(self.operand(argument, kind, onShapes))
            else:
                attributes.append(self.attribute(argument, kind, summary))
        attributes, isDeclared = ", ".join(filter(None, attributes)), False
        results = [self.resultType(kind) for _, (_, kind, _) in parts["results"]]
        if name == "tosa.const":
            results = [f"tensor<2x2x{self.element}>"]
        if name.startswith("tosa.variable"):
            self.usesElement = True
            # A declaration cannot stand in a function: a function reads it.
            isDeclared = name == "tosa.variable"
            if isDeclared:
                name, results, attributes = "tosa.variable_read", [tensor(2, self.element)], 'name = "v"'
            self.before.append(
                f'"tosa.variable"() <{{sym_name = "v", type = {self.element}, '
                "var_shape = dense<-1> : tensor<2xindex>, "
                f"initial_value = {self.some('2x2')}}}> : () -> ()"
            )
        regions = self.regions(name, operands) if parts["regions"] else ""
        names = [f"%r{i}" for i in range(len(results))]
        self.lines.append(
            f'{", ".join(names)}{" = " * bool(names)}"{name}"({", ".join(o for o, _ in operands)})'
            f"{regions} {{{attributes}}} : ({', '.join(t for _, t in operands)}) -> "
            f"({', '.join(results)})"
        )
        self.line = 1 if isDeclared else len(self.before) + 1 + len(self.lines)
        if onShapes:
            of, kind = self.argument("tensor<?xf32>")
            self.lines.append(f"%s = tosa.reshape {of}, %r0 : ({kind}, !tosa.shape<1>) -> tensor<?xf32>")
            names, results = ["%s"], ["tensor<?xf32>"]
        arguments = ", ".join(f"%a{i}: {kind}" for i, kind in enumerate(self.arguments))
        end = f"return {', '.join(names)}{' : ' * bool(names)}{', '.join(results)}"
        return (
            "\n".join(
                [*self.before, f"func.func @c{number}({arguments}) -> ({', '.join(results)}) {{", *self.lines, end, "}"]
            )
            + "\n"
        )

    def resultType(self, kind):
        if "Shape" in kind:
            return "!tosa.shape<1>"
        element = "i1" if "I1Tensor" in kind else "f8E8M0FNU" if "MXFPScale" in kind else self.result
        return tensor(self.ofRank(kind) if re.search(r"Tensor\dD", kind) else self.resultRank, element)

    @staticmethod
    def regions(name, operands):
        """Of `cond_if` and `while_loop`: what a block is given is what it gives."""
        given = [kind for _, kind in operands][name == "tosa.cond_if" :]
        block = "^bb0(" + ", ".join(f"%b{i}: {t}" for i, t in enumerate(given)) + "):"
        last = f'"tosa.yield"(%b0) : ({given[0]}) -> ()'
        if name == "tosa.while_loop":
            condition = (
                '%c = "tosa.const"() {values = dense<false> : tensor<i1>} : () -> tensor<i1> '
                '"tosa.yield"(%c) : (tensor<i1>) -> ()'
            )
            return f" ({{ {block} {condition} }}, {{ {block} {last} }})"
        return f" ({{ {block} {last} }}, {{ {block} {last} }})"


LOOM = {
    "loom.map": """func.func @cN(%a: RANKxT>, %b: RANKxT>) -> RANKxT> {
%r = loom.map(%x = %a : RANKxT>, %y = %b : RANKxT>) -> RANKxT> { loom.yield %x : T }
return %r : RANKxT>
}
""",
    "loom.boundary": """func.func @cN(%a: RANKxT>) -> RANKxT> {
%r = loom.boundary reflect %a low[1, 1] high[1, 1] : RANKxT> to RANKxT>
return %r : RANKxT>
}
""",
    "loom.sort": """func.func @cN(%a: RANKxT>, %v: RANKxT>, %p: RANKxi64>) -> (RANKxT>, RANKxi64>) {
%r:2 = loom.sort %a into %v, %p {axis = 0 : i64} : (RANKxT>, RANKxT>, RANKxi64>) -> (RANKxT>, RANKxi64>)
return %r#0, %r#1 : RANKxT>, RANKxi64>
}
""",
    "loom.linear_algebra": """func.func @cN(%a: RANKxT>, %x: RANKxT>) -> RANKxT> {
%r = loom.linear_algebra "exponential" %a into %x : (RANKxT>, RANKxT>) -> RANKxT>
return %r : RANKxT>
}
""",
    "loom.contract": """func.func @cN(%a: RANKxT>, %w: RANKxT>) -> RANKxT> {
%r = loom.contract(%a, %w) window {strides = array<i64>, dilations = array<i64>, pads = array<i64>} : (RANKxT>, RANKxT>) -> RANKxT> { ^bb0(%s: T): loom.yield %s : T }
return %r : RANKxT>
}
""",
}


def loomProgram(name, element, rank, number):
    kind = "tensor<*" if rank == "*" else "tensor<" + "x".join("?" * rank)
    return (
        LOOM[name]
        .replace("RANK", kind)
        .replace("xT", "x" + element)
        .replace(": T", ": " + element)
        .replace("cN", f"c{number}")
    )


def resultsByTosa():
    """The element types of results that TOSA has for each operation and element type
    of its first operand."""
    with open(f"{TOSA}/TosaComplianceData.h.inc", encoding="utf-8") as file:
        text = file.read()
    found = {}
    for name, body in re.findall(r'\{"(tosa\.\w+)",(.*?)(?=\{"tosa\.|\Z)', text, re.S):
        for types in re.findall(r"\{((?:\w+T,?\s*)+)\}", body):
            types = [SUPPORTED.get(word) for word in re.findall(r"\w+", types)]
            if types[0] and types[-1]:
                found.setdefault((name, types[0]), []).append(types[-1])
    return found
