"""Random programs of many operations on operands that broadcast every way:
values used several times, several results, small operands in large results.
Fused or not, every result is that of the operations one by one (el-11, rfc-4,
bcast-7: static, dynamic and half of each give the same)."""

import broadloom
import numpy as np
import pytest
import tosa_oracle
from accuracy import difference
from element_types import TYPES, roundTo
from operations import Signature
from programs import operationText, typeText

BASE = (3, 7, 37)
OPERATIONS = {
    "f": ["add", "sub", "mul", "maximum", "minimum", "abs", "negate", "ceil", "clamp", "select"],
    "i": [
        "add",
        "sub",
        "mul",
        "maximum",
        "bitwise_xor",
        "bitwise_and",
        "logical_left_shift",
        "arithmetic_right_shift",
        "abs",
        "negate",
        "clz",
        "select",
    ],
}
UNARY = ("abs", "negate", "ceil", "clamp", "clz")


class Program:
    """Builds one random program; keeps every value with its shape and array."""

    def __init__(self, element, mode, seed, length=14):
        self.kind, self.mode = TYPES[element], mode
        self.random = np.random.default_rng(seed)
        self.arguments, self.inputs, self.lines = [], [], []
        self.values = []  # (name, type, array), of the element type
        for _ in range(5):
            self.addArgument()
        for i in range(length):
            self.addOperation(f"%v{i}")
        # The last value, and some on the way, which others use as well.
        middle = self.random.choice(len(self.values) - 6, 2, replace=False) + 5
        self.results = [self.values[-1], *(self.values[i] for i in sorted(middle))]

    def addArgument(self):
        rank = int(self.random.integers(1, len(BASE) + 1))
        shape = tuple(int(e) if self.random.random() < 0.6 else 1 for e in BASE[len(BASE) - rank :])
        if self.kind.isFloat:
            array = roundTo(self.kind, self.random.normal(0, 3, shape))
        else:
            array = self.random.integers(-(2**15), 2**15, shape).astype(self.kind.dtype)
        name, kind = f"%a{len(self.inputs)}", typeText(shape, self.kind.name, self.mode)
        self.arguments.append(f"{name}: {kind}")
        self.inputs.append(array)
        self.values.append((name, kind, array))

    def pick(self):
        """A value, rather a recent one."""
        back = min(int(self.random.exponential(4)), len(self.values) - 1)
        return self.values[-1 - back]

    def emit(self, name, signature, operands):
        array = tosa_oracle.evaluate(
            signature.operation, [o[2] for o in operands], signature.kind, signature.oracleAttributes
        )
        kind = typeText(array.shape, signature.result, self.mode)
        self.lines += operationText(name, signature, [o[0] for o in operands], [o[1] for o in operands], kind)
        return name, kind, array

    def addOperation(self, name):
        t = self.kind.name
        operation = str(self.random.choice(OPERATIONS["f" if self.kind.isFloat else "i"]))
        operands = [self.pick()] if operation in UNARY else [self.pick(), self.pick()]
        attributes, scalars = {}, ()
        if operation == "mul":
            scalars = (("i8", 7 if t == "i32" else 0),)
        elif operation == "negate":
            scalars = ((t, 0), (t, 0))
        elif operation == "clamp":
            attributes = {"min_val": -2.5, "max_val": 40.0}
        elif operation == "arithmetic_right_shift":
            attributes = {"round": True}
        elif operation == "select":
            condition = self.emit(f"{name}_p", Signature("greater", (t, t), "i1"), operands)
            self.values.append(self.emit(name, Signature("select", ("i1", t, t), t), [condition, *operands]))
            return
        signature = Signature(operation, (t,) * len(operands), t, attributes, scalars)
        self.values.append(self.emit(name, signature, operands))

    def text(self):
        names, types, _ = zip(*self.results)
        return "\n".join(
            [
                f"func.func @main({', '.join(self.arguments)}) -> ({', '.join(types)}) {{",
                *self.lines,
                f"  return {', '.join(names)} : {', '.join(types)}",
                "}",
                "",
            ]
        )


@pytest.mark.parametrize("mode", ["static", "dynamic", "mixed"])
@pytest.mark.parametrize("element", ["f32", "f16", "bf16", "f64", "i32", "i16"])
@pytest.mark.parametrize("seed", [11, 12])
def test_chain(tmp_path, element, mode, seed):
    program = Program(element, mode, seed)
    kinds = [program.kind] * len(program.results)
    for strategy in ("default", "rfc"):
        outcome, results = broadloom.run(tmp_path, program.text(), program.inputs, kinds, f"--strategy={strategy}")
        assert results is not None, f"{strategy}: {outcome.error}\n{program.text()}"
        for (name, _, expected), result in zip(program.results, results):
            problem = difference(result, expected)
            assert problem is None, f"{strategy}: {name}: {problem}\n{program.text()}"


@pytest.mark.parametrize("mode", ["static", "dynamic"])
@pytest.mark.parametrize("element", ["f32", "f64", "f16", "i32", "i16"])
def test_long_chain(tmp_path, element, mode):
    """Kernels of so many operations that their loops are written over vectors,
    where all elements have one width."""
    program = Program(element, mode, 13, length=150)
    outcome, results = broadloom.run(tmp_path, program.text(), program.inputs, [program.kind] * len(program.results))
    assert results is not None, outcome.error
    for (name, _, expected), result in zip(program.results, results):
        problem = difference(result, expected)
        assert problem is None, f"{name}: {problem}\n{program.text()}"


LARGE = {"f32": (3001, 3500), "f16": (4001, 4199), "i8": (6007, 6101), "f64": (2003, 2201)}


@pytest.mark.parametrize("element", LARGE)
def test_larger_than_the_caches(tmp_path, element):
    """Results that are stored past the caches, in rows that begin anywhere."""
    rows, columns = LARGE[element]
    kind, random = TYPES[element], np.random.default_rng(3)
    shapes = [(rows, columns), (1, columns), (rows, 1)]
    arrays = [random.integers(-20, 20, shape).astype(kind.dtype) for shape in shapes]
    full, row, column = (f"tensor<{a}x{b}x{element}>" for a, b in (("?", "?"), (1, "?"), ("?", 1)))
    text = f"""
func.func @main(%a: {full}, %r: {row}, %c: {column}) -> {full} {{
  %0 = tosa.add %a, %r : ({full}, {row}) -> {full}
  %1 = tosa.maximum %0, %c : ({full}, {column}) -> {full}
  %2 = tosa.minimum %1, %a : ({full}, {full}) -> {full}
  return %2 : {full}
}}
"""
    a, r, c = arrays
    expected = np.minimum(np.maximum(a + r, c), a)
    for threads in (1, 2):
        outcome, results = broadloom.run(tmp_path, text, arrays, [kind], f"--threads={threads}")
        assert results is not None, outcome.error
        assert np.array_equal(results[0], expected)


@pytest.mark.parametrize("element", ["f32", "f64", "f16", "bf16"])
@pytest.mark.parametrize("operation", ["maximum", "minimum"])
def test_extrema_of_vectors(tmp_path, element, operation):
    """el-5 for every pair of special values, NaNs and zeros of both signs among
    them, in whole vectors."""
    kind = TYPES[element]
    special = np.array([0.0, -0.0, np.nan, -np.nan, np.inf, -np.inf, 1.5, -1.5, 2.0, 1e-40, -1e-40], np.float64)
    a, b = (roundTo(kind, v) for v in np.broadcast_arrays(special[:, None], np.resize(special, (1, 11 * 64))))
    t = f"tensor<?x?x{element}>"
    text = f"""
func.func @main(%a: {t}, %b: {t}) -> {t} {{
  %0 = tosa.{operation} %a, %b : ({t}, {t}) -> {t}
  return %0 : {t}
}}
"""
    outcome, results = broadloom.run(tmp_path, text, [a, b], [kind])
    assert results is not None, outcome.error
    problem = difference(results[0], tosa_oracle.evaluate(operation, [a, b], kind, {}))
    assert problem is None, problem
