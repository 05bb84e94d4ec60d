"""Comparisons of sizes, which PyTorch keeps as symbols, against eager mode; and symbols of parts of a graph."""

import math

import broadloom as bl
import numpy as np
import pytest
import sympy
import torch
from broadloom.torch._fx import spell_formula
from broadloom.torch._graph import FUNCTIONS, Size, evaluate
from exports import Call
from torch.export import Dim
from torch.utils._sympy.functions import ToFloat, TruncToInt

CONDITIONS = {
    "a condition": lambda x: torch.where(torch.tensor(x.shape[0] > 2), x, -x),
    "full": lambda x: x + torch.full((2, 1, 1), (x.shape[0] > 2) & (x.shape[1] < 4)),
    "full_like": lambda x: torch.full_like(x, x.shape[0] % 2 == 0),
    "masked_fill": lambda x: x.masked_fill(torch.tensor(x.shape[0] <= 3), 9.0),
    "a list": lambda x: x[0, :1] * torch.tensor([x.shape[0] != 4, False, x.shape[1] >= 3]),
    "a product": lambda x: x * (x.shape[0] > 2),
    "logic": lambda x: x + torch.sym_not((x.shape[0] > 2) | (x.shape[1] > 4)),
    "a fraction": lambda x: x + (x.shape[0] / 2 > 1.5),
    "a returned one": lambda x: (x + 1, x.shape[0] > 3, x.shape[0] == x.shape[1], x.shape[0] / 2),
}
SHAPES = [(4, 5), (3, 3), (2, 6), (5, 3)]


@pytest.mark.parametrize("name", CONDITIONS)
def test_comparisons_of_sizes(backend, name):
    function = CONDITIONS[name]
    program = torch.export.export(
        Call(function).eval(), (torch.randn(4, 5),), dynamic_shapes=(({0: Dim.DYNAMIC, 1: Dim.DYNAMIC},),)
    )
    exported, compiled = bl.from_torch(program), torch.compile(function, backend=backend, dynamic=True)
    for shape in SHAPES:
        x = torch.randn(shape)
        torch.testing.assert_close(exported(x), function(x))
        torch.testing.assert_close(compiled(x), function(x))


PARTS = {
    "of a real spectrum": lambda x: torch.fft.rfft(x * 2).abs() + 1,
    "of a window's": lambda x: torch.stft(x, 4, return_complex=True, window=torch.ones(4)).abs() * 2,
    "with a size of its own": lambda x: (torch.fft.rfft(x).abs() + 1) * x.shape[1] + (x.shape[1] > 6),
}


@pytest.mark.parametrize("name", PARTS)
def test_parts_of_a_graph_are_given_its_symbols(backend, name):
    function = PARTS[name]
    f = torch.compile(function, backend=backend, dynamic=True, options={"fallback": "eager"})
    for shape in ((4, 6), (3, 9), (5, 12)):
        x = torch.randn(shape)
        torch.testing.assert_close(f(x), function(x))


class Pair(torch.nn.Module):
    def forward(self, x, y):
        return x * 2, y + x.shape[0]


def test_dimensions_have_their_names():
    dynamic = ({0: Dim("height", min=4, max=64), 1: 2 * Dim("pairs", min=2)}, {0: Dim.DYNAMIC})
    f = bl.from_torch(torch.export.export(Pair(), (torch.randn(8, 6), torch.randn(5)), dynamic_shapes=dynamic))
    for shape, message in (
        ((3, 6), "'height' is at least 4"),
        ((100, 6), "'height' is at most 64"),
        ((8, 7), r"'x.shape\[1\]' is a multiple of 2"),
    ):
        with pytest.raises(bl.ShapeError, match=message):
            f(torch.randn(shape), torch.randn(5))
    assert (
        "height = symbol(4, 64)" in f.graph
        and "pairs = symbol(2, None)" in f.graph
        and f(torch.ones(9, 4), torch.ones(2))[0].shape == (9, 4)
    )


def test_floats_of_formulas():
    """SymPy prints 15 digits."""
    bits = np.random.default_rng(0).integers(0, 2**64, 2000, dtype=np.uint64)
    numbers = [x for x in [*bits.view("f8").tolist(), 1 / 3, 4 / 3, 1 / 49, 5e-324, -0.0] if math.isfinite(x)]
    n = sympy.Symbol("n", integer=True, positive=True)
    for number in numbers:
        assert evaluate(Size(spell_formula(sympy.Float(number))), {}, FUNCTIONS) == number
    for number in np.random.default_rng(0).random(500).tolist() + [1 / count for count in range(2, 400)]:
        formula = Size(spell_formula(TruncToInt(ToFloat(n) * sympy.Float(number))))
        for size in (3, 96, 118800, 10**9):
            assert evaluate(formula, {"n": size}, FUNCTIONS) == int(size * number)


THIRDS = {
    "a part": lambda x: x[: int(x.shape[0] * (1 / 3))],
    "two factors": lambda x: x[: int(x.shape[0] * 0.7 * 0.3)],
    "a step": lambda x: torch.arange(0, x.shape[0], 1 / 3),
    "a scale": lambda x: torch.nn.functional.interpolate(x[None, None], scale_factor=1 / 3)[0, 0],
    "a scale of 49": lambda x: torch.nn.functional.interpolate(x[None, None], scale_factor=1 / 49)[0, 0],
    "a number": lambda x: x * (x.shape[0] / 3 + 1 / 49),
}


@pytest.mark.parametrize("name", THIRDS)
def test_sizes_with_fractions(backend, name):
    function = THIRDS[name]
    f = torch.compile(function, backend=backend, dynamic=True)
    for n in (100, 96, 300, 49 * 7, 999, 6419, 64):
        x = torch.arange(float(n))
        torch.testing.assert_close(f(x), function(x))
