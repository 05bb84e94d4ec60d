"""rt-6, red-1: what upstream's folds of scalar operations make of the bodies of
maps and reductions changes no value and no shape. Every expression here is one
that `arith` simplifies to one of its operands or to a constant. A reversal
stands beside it, since passes that fold run for operations that become loops."""

import numpy as np
import pytest
from element_types import TYPES
from programs import typeText
from reductions import run

# Name: lines over %a and %b that end in %r, its value in NumPy.
INTEGERS = {
    "xorOfNot": (["%n = bitwise_not %a", "%r = bitwise_xor %n, %a"], lambda a, b: ~a ^ a),
    "andOfNot": (["%n = bitwise_not %a", "%r = bitwise_and %n, %a"], lambda a, b: ~a & a),
    "orOfNot": (["%n = bitwise_not %a", "%r = bitwise_or %a, %n"], lambda a, b: ~a | a),
    "difference": (["%r = sub %a, %a"], lambda a, b: a - a),
    "xor": (["%r = bitwise_xor %a, %a"], lambda a, b: a ^ a),
    "minimum": (["%r = minimum %a, %a"], lambda a, b: a),
    "maximum": (["%r = maximum %a, %a"], lambda a, b: a),
    "and": (["%r = bitwise_and %a, %a"], lambda a, b: a),
    "twiceXor": (["%n = bitwise_xor %a, %b", "%r = bitwise_xor %n, %b"], lambda a, b: a ^ b ^ b),
    "addAndSubtract": (["%n = add %a, %b", "%r = sub %n, %b"], lambda a, b: a + b - b),
    "subtractAndAdd": (["%n = sub %b, %a", "%r = add %n, %a"], lambda a, b: b - a + a),
    "andWithOr": (["%n = bitwise_or %a, %b", "%r = bitwise_and %a, %n"], lambda a, b: a + 0 * b),
    "selectOfEqual": (["%n: i1 = equal %a, %b", "%r = select %n, %a, %b"], lambda a, b: b + 0 * a),
    "selectOfEqualOtherWay": (["%n: i1 = equal %a, %b", "%r = select %n, %b, %a"], lambda a, b: a + 0 * b),
    "selectOfGreater": (["%n: i1 = greater %a, %b", "%r = select %n, %a, %b"], np.maximum),
    "selectOfSame": (["%n: i1 = greater %a, %b", "%r = select %n, %a, %a"], lambda a, b: a + 0 * b),
    "selectOfTrue": (["%n: i1 = equal %a, %a", "%r = select %n, %a, %b"], lambda a, b: a + 0 * b),
    "selectOfFalse": (["%n: i1 = greater %a, %a", "%r = select %n, %a, %b"], lambda a, b: b + 0 * a),
}
BOOLEANS = {
    "xor": (["%r = logical_xor %a, %a"], lambda a, b: a ^ a),
    "orOfNot": (["%n = logical_not %a", "%r = logical_or %n, %a"], lambda a, b: a | ~a),
    "andOfNot": (["%n = logical_not %a", "%r = logical_and %a, %n"], lambda a, b: a & ~a),
    "notOfNot": (["%n = logical_not %a", "%r = logical_not %n"], lambda a, b: a),
    "andWithOr": (["%n = logical_or %a, %b", "%r = logical_and %n, %a"], lambda a, b: a | b & a),
    "selectOfItself": (["%r = select %a, %a, %b"], lambda a, b: a | b),
    "selectOfSame": (["%r = select %a, %b, %b"], lambda a, b: b | a & False),
}
# The shapes of a and b, where b is short, where a is, where both are in part.
SHAPES = [
    ((5, 4), (1, 1)),
    ((1, 1), (5, 4)),
    ((5, 1), (1, 4)),
    ((1, 4), (5, 1)),
    ((5, 4), (4,)),
    ((5, 4), ()),
    ((300, 7), (1, 7)),
    ((1, 1), (1, 1)),
    ((0, 4), (1, 4)),
    ((5, 0), (5, 1)),
]


class Program:
    """All expressions over one %a and one %b, as TOSA's generic form."""

    def __init__(self, element, shapeA, shapeB, mode):
        self.element, self.mode, self.lines = element, mode, []
        self.values = {"%a": (shapeA, element), "%b": (shapeB, element), "%d": ((3,), "i1")}

    def type(self, name):
        return typeText(*self.values[name], self.mode)

    def emit(self, operation, operands, shape, element, attributes=""):
        name = f"%v{len(self.lines)}"
        self.values[name] = (shape, element)
        types = ", ".join(map(self.type, operands))
        self.lines.append(
            f'  {name} = "tosa.{operation}"({", ".join(operands)}) {{{attributes}}} : ({types}) -> {self.type(name)}'
        )
        return name

    def reduce(self, operation, name, axis):
        shape, element = self.values[name]
        shape = tuple(1 if i == axis else e for i, e in enumerate(shape))
        return self.emit(f"reduce_{operation}", [name], shape, element, f"axis = {axis} : i32")

    def expression(self, lines, a):
        names = {"%a": a, "%b": "%b"}
        for line in lines:
            target, text = line.split(" = ")
            target, _, own = target.partition(": ")
            operation, operands = text.split(" ", 1)
            operands = [names[o] for o in operands.split(", ")]
            shape = np.broadcast_shapes(*(self.values[o][0] for o in operands))
            names[target] = self.emit(operation, operands, shape, own or self.element)
        return names["%r"]

    def text(self, results):
        results = [*results, self.emit("reverse", ["%d"], (3,), "i1", "axis = 0 : i32")]
        arguments = ", ".join(f"{n}: {self.type(n)}" for n in ("%a", "%b", "%d"))
        types = ", ".join(map(self.type, results))
        return "\n".join(
            [
                f"func.func @main({arguments}) -> ({types}) {{",
                *self.lines,
                f"  return {', '.join(results)} : {types}",
                "}",
                "",
            ]
        )


def randomArray(element, shape, random):
    if element == "i1":
        return np.asarray(random.random(shape) < 0.5)
    return np.asarray(random.integers(-3, 4, shape), TYPES[element].dtype)


@pytest.mark.parametrize("shapeA, shapeB", SHAPES)
@pytest.mark.parametrize("mode", ["static", "dynamic"])
@pytest.mark.parametrize("around", ["nothing", "reduced", "ofReduced"])
@pytest.mark.parametrize("element", ["i32", "i1"])
def test_rt6_folds_keep_values_and_shapes(tmp_path, element, around, mode, shapeA, shapeB):
    """By themselves, with each result reduced, and of a reduction of a."""
    isBool, random = element == "i1", np.random.default_rng(1)
    a, b = randomArray(element, shapeA, random), randomArray(element, shapeB, random)
    d = np.array([True, False, False])
    program, first = Program(element, shapeA, shapeB, mode), a
    name = "%a"
    if around == "ofReduced":
        name = program.reduce("any" if isBool else "max", name, 0)
        first = np.any(a, 0, keepdims=True) if isBool else np.max(a, 0, keepdims=True, initial=np.iinfo(a.dtype).min)
    results, expected = [], []
    for lines, reference in (BOOLEANS if isBool else INTEGERS).values():
        results.append(program.expression(lines, name))
        expected.append(np.asarray(reference(first, b)).astype(a.dtype))
        for axis in range(expected[-1].ndim if around == "reduced" else 0):
            # The axes' reductions are all of the expression's own result.
            whole, array = results[-1 - axis], expected[-1 - axis]
            results.append(program.reduce("all" if isBool else "sum", whole, axis))
            expected.append((np.all if isBool else np.sum)(array, axis=axis, keepdims=True).astype(a.dtype))
    text = program.text(results)
    found = run(tmp_path, text, [a, b, d], [TYPES[element]] * len(results) + [TYPES["i1"]])
    for got, right in zip(found, [*expected, d[::-1]]):
        assert got.shape == right.shape, text
        assert np.array_equal(got, right), text
