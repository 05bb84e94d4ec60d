"""Programs of single operations, many to a function, and what they must give."""

import itertools
from dataclasses import dataclass

import numpy as np
import tosa_oracle
from element_types import TYPES
from operations import values

# Shapes of the operands, by what is special about them. Of the first, there is
# room for all pairs of special values.
PATTERNS = {
    1: {"full": [(23, 37)], "rank0": [()], "rank3": [(3, 5, 7)], "zero": [(4, 0)]},
    2: {
        "full": [(23, 37), (23, 37)],
        "row": [(13, 37), (1, 37)],
        "column": [(13, 1), (13, 37)],
        "outer": [(13, 1), (1, 37)],
        "scalar": [(1, 1), (13, 37)],
        "ranks": [(5,), (2, 3, 5)],
        "rank0": [(2, 3, 5), ()],
        "middle": [(3, 1, 5), (1, 4, 1)],
        "zero": [(0, 5), (0, 5)],
    },
    3: {
        "full": [(23, 37), (23, 37), (23, 37)],
        "each": [(1, 37), (13, 1), (13, 37)],
        "outer": [(13, 1), (1, 37), (1, 1)],
        "ranks": [(5,), (2, 3, 5), ()],
        "zero": [(3, 0), (3, 0), (3, 0)],
    },
}
# An extent 0 that meets a 1: the strategy `rfc` refuses it (rfc-4).
ZERO_MEETS_ONE = {2: [(1, 5), (0, 5)], 3: [(3, 1), (1, 0), (1, 1)]}

MODES = ("static", "dynamic", "mixed", "constant", "unranked")


@dataclass
class Case:
    """One operation with its operands and their types in the program."""

    signature: object
    pattern: str
    arrays: list
    constants: frozenset  # positions of operands that are constants
    types: list
    resultType: str

    @property
    def resultKind(self):
        return TYPES[self.signature.result]

    def expected(self):
        s = self.signature
        return tosa_oracle.evaluate(s.operation, self.arrays, s.kind, s.oracleAttributes)


def typeText(shape, element, mode="static"):
    """The tensor type in a mode; "mixed" makes every other extent `?`."""
    if mode == "unranked":
        return f"tensor<*x{element}>"
    unknown = {"static": lambda i: False, "mixed": lambda i: i % 2 == 0}.get(mode, lambda i: True)
    extents = ["?" if unknown(i) else str(e) for i, e in enumerate(shape)]
    return f"tensor<{'x'.join([*extents, element])}>"


def dense(array):
    """The elements as an attribute, bit for bit."""
    if array.size == 0:
        return "dense<>"
    if array.dtype == np.bool_:
        nested = np.array2string(array, separator=", ", threshold=array.size + 1)
        return f"dense<{nested.lower()}>" if array.shape else f"dense<{str(bool(array)).lower()}>"
    return f'dense<"0x{array.tobytes().hex().upper()}">'


def attributeText(signature):
    words = []
    for name, value in signature.attributes.items():
        if name.endswith("_val"):
            value = f"{float(value) if signature.kind.isFloat else value} : {signature.kind.name}"
        words.append(f"{name} = {str(value).lower() if isinstance(value, bool) else value}")
    return f" {{{', '.join(words)}}}" if words else ""


def makeCase(signature, pattern, shapes, mode, random, turn=0):
    arrays = [values(signature, i, int(np.prod(s)), random).reshape(s) for i, s in enumerate(shapes)]
    constants = frozenset([turn % len(shapes)] if mode == "constant" else [])
    types = [
        typeText(s, e, "static" if i in constants else mode) for i, (s, e) in enumerate(zip(shapes, signature.operands))
    ]
    result = typeText(np.broadcast_shapes(*shapes), signature.result, mode)
    return Case(signature, pattern, arrays, constants, types, result)


def casesOf(signature, mode, strategy, seed=1):
    """One case for each pattern of shapes."""
    random = np.random.default_rng(seed)
    arity = len(signature.operands)
    patterns = dict(PATTERNS[arity])
    if strategy != "rfc" and arity in ZERO_MEETS_ONE:
        patterns["zero meets one"] = ZERO_MEETS_ONE[arity]
    return [
        makeCase(signature, name, shapes, mode, random, turn) for turn, (name, shapes) in enumerate(patterns.items())
    ]


def operationText(result, signature, operands, types, resultType, indent="  "):
    """Lines of one operation, its scalar operands as constants before it."""
    lines = []
    operands, types = list(operands), list(types)
    for i, (element, value) in enumerate(signature.scalars):
        name, kind = f"{result}_s{i}", f"tensor<1x{element}>"
        text = float(value) if TYPES[element].isFloat else value
        lines.append(f'{indent}{name} = "tosa.const"() <{{values = dense<{text}> : {kind}}}> : () -> {kind}')
        operands.append(name)
        types.append(kind)
    lines.append(
        f"{indent}{result} = tosa.{signature.operation} {', '.join(operands)}"
        f"{attributeText(signature)} : ({', '.join(types)}) -> {resultType}"
    )
    return lines


def moduleOf(cases):
    """(text, inputs) of one function with the operations of all cases, each on
    arguments of its own, and all their results."""
    arguments, inputs, lines, results = [], [], [], []
    number = itertools.count()
    for i, case in enumerate(cases):
        names = []
        for position, (array, kind) in enumerate(zip(case.arrays, case.types)):
            if position in case.constants:
                name = f"%c{next(number)}"
                lines.append(f'  {name} = "tosa.const"() <{{values = {dense(array)} : {kind}}}> : () -> {kind}')
            else:
                name = f"%a{len(inputs)}"
                arguments.append(f"{name}: {kind}")
                inputs.append(array)
            names.append(name)
        results.append(f"%r{i}")
        lines += operationText(results[-1], case.signature, names, case.types, case.resultType)
    types = ", ".join(c.resultType for c in cases)
    return "\n".join(
        [
            f"func.func @main({', '.join(arguments)}) -> ({types}) {{",
            *lines,
            f"  return {', '.join(results)} : {types}",
            "}",
            "",
        ]
    ), inputs
