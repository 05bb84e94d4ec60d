"""Floats that are written as text: each is read as the same number."""

import ast

import broadloom as bl
import numpy as np
import pytest
from broadloom import _program as program
from broadloom.torch._graph import Size, evaluate, parse, spell

COUNT = 4000
#: Numbers of which a printer with few digits, or a parser, makes others.
HARD = [
    0.1,
    1 / 3,
    2 / 3,
    1 / 49,
    0.1 + 0.2,
    1e22,
    1e23,
    5e-324,
    2.2250738585072014e-308,
    1.7976931348623157e308,
    2.0**-1074,
]
SPECIAL = [0.0, -0.0, np.inf, -np.inf, np.nan]


def draw(element):
    """Numbers of all magnitudes: each pattern of bits is as likely as any other."""
    dtype = program.to_numpy(element)
    bits = np.random.default_rng(0).integers(0, 2 ** (8 * dtype.itemsize), COUNT, dtype=f"u{dtype.itemsize}")
    with np.errstate(over="ignore", invalid="ignore"):
        return np.concatenate([bits.view(dtype), np.array(HARD + SPECIAL).astype(dtype)])


def agree(got, expected):
    """The same bits, but for the bits of NaN that say nothing."""
    got, expected = np.asarray(got), np.asarray(expected)
    assert got.dtype == expected.dtype
    with np.errstate(invalid="ignore"):
        is_nan, wrong = expected != expected, got != got
    np.testing.assert_array_equal(wrong, is_nan)
    assert got[~is_nan].tobytes() == expected[~is_nan].tobytes()


@pytest.mark.parametrize("element", ["f64", "f32", "f16", "bf16"])
def test_constants_of_programs(element):
    numbers = draw(element)
    lines = [f"  %{i} = arith.constant {program.spell(float(n), element)} : {element}" for i, n in enumerate(numbers)]
    names = ", ".join(f"%{i}" for i in range(len(numbers)))
    text = "\n".join(
        [
            f"func.func @main() -> tensor<{len(numbers)}x{element}> {{",
            *lines,
            f"  %r = tensor.from_elements {names} : tensor<{len(numbers)}x{element}>",
            f"  return %r : tensor<{len(numbers)}x{element}>",
            "}",
        ]
    )
    agree(bl.compile(text, optimise=False)(), numbers)


@pytest.mark.parametrize("element", ["f64", "f32", "f16", "bf16"])
def test_numbers_beside_tensors(element):
    """Those that Python code has, in scalar code."""
    for number in draw(element)[-len(HARD + SPECIAL) :]:
        p = program.Builder()
        x = p.argument(element, [1])
        f = bl.compile(p.finish([program.select(program.equal(x, x), float(number), x)]), optimise=False)
        agree(f(np.ones(1, program.to_numpy(element))), np.array([number]))


def test_text_of_floats():
    for number in draw("f64"):
        text = program.spell_float(number)
        agree(np.float64(float(text)), np.float64(number))
    for element in ("f32", "f16", "bf16"):
        for number in draw(element):
            agree(np.float64(float(program.spell_float(number))), np.float64(number))


def test_graphs():
    """Their arguments and their formulas, in the text of graphs."""
    for number in draw("f64")[-200:].tolist():
        graph = parse(f"x: f32[2] = input()\ny: f32[2] = aten.mul.Tensor(x, {spell(number)})\nreturn y")
        found = graph.nodes[1].args[1]
        agree(np.float64(found), np.float64(number))
        formula = parse(str(graph)).nodes[1].args[1]
        agree(np.float64(formula), np.float64(number))
        size = Size(ast.unparse(ast.parse(f"float(n) * ({spell(number)})")))
        agree(np.float64(evaluate(size, {"n": 3}, {"float": float})), np.float64(3 * number))
