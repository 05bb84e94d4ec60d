"""Branches and loops that torch.export keeps, against eager mode."""

import broadloom as bl
import pytest
import torch
from broadloom.torch import _graph
from test_counted import compile_for
from torch._higher_order_ops import map as map_rows
from torch._higher_order_ops import scan, while_loop


def choose_twice(x):
    inner = lambda x: torch.cond(x.max() > 1, lambda x: x * 2, lambda x: x * 3, (x,))
    return torch.cond(x.sum() > 0, inner, lambda x: x - x.shape[0], (x,))


def count_up(x):
    def step(i, x, total):
        return i + 1, x * 2, total + x.sum(1)

    return while_loop(lambda i, x, total: (i < 4) & (x.abs().sum() < 100), step, (torch.tensor(0), x, x.sum(1)))


def run_sums(x):
    offset = x.mean()
    return scan(lambda carry, row: (carry + row + offset, carry * row), x[0], x, dim=0)


CASES = {
    "cond": lambda x: torch.cond(x.sum() > 0, lambda x: (x + 1, x.sum(0)), lambda x: (x * 2, x.sum(0) - 1), (x,)),
    "cond inside cond": choose_twice,
    "cond of extents": lambda x: torch.cond(x.shape[0] > 3, lambda x: x + 1, lambda x: x - 1, (x,)),
    "while_loop": count_up,
    "scan": run_sums,
    "scan of several": lambda x: scan(
        lambda carry, rows: ((carry[0] + rows[0], carry[1] * 2), rows[0] * rows[1].sum()), (x[0], x.sum()), (x, x + 1)
    ),
    "scan backwards": lambda x: scan(lambda carry, row: (carry + row, carry + 1), x[0] * 0, x, reverse=True),
    "map": lambda x: map_rows(lambda row: row.sin() + 1, x),
    "map with more": lambda x: map_rows(lambda row, y: (row * y, row.sum()), x, x.sum(0)),
}
SHAPES = ((3, 4), (5, 4), (1, 4), (1, 1), (7, 9))


@pytest.mark.parametrize("is_open", (True, False), ids=("open", "known"))
@pytest.mark.parametrize("name", CASES)
def test_control_flow(name, is_open):
    function = CASES[name]
    f = compile_for(function, torch.randn(3, 4), is_open=is_open)
    for shape in SHAPES if is_open else SHAPES[:1]:
        for x in (torch.randn(shape), torch.ones(shape), -torch.ones(shape)):
            try:
                got = f(x)
            except bl.ShapeError as error:
                # PyTorch traces branches for extents of 2 or more.
                assert shape == (1, 1) and "is at least 2" in str(error)
            else:
                torch.testing.assert_close(got, function(x))


def test_no_rows():
    f = compile_for(CASES["map"], torch.randn(3, 4))
    assert f(torch.randn(0, 4)).shape == (0, 4)


def test_weights_inside():
    """Branches share what they read of the module; it is an argument once."""

    class Choice(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.first, self.second = torch.nn.Linear(4, 4), torch.nn.Linear(4, 4)

        def forward(self, x):
            return torch.cond(
                x.sum() > 0, lambda x: self.first(x) + self.second(x), lambda x: self.second(self.first(x)), (x,)
            )

    module = Choice().eval()
    for weights in ("shared", "constant"):
        exported = torch.export.export(module, (torch.randn(3, 4),), dynamic_shapes=({0: torch.export.Dim.AUTO},))
        f = bl.from_torch(exported, weights=weights)
        for rows in (3, 2, 5):
            for x in (torch.ones(rows, 4), -torch.ones(rows, 4)):
                torch.testing.assert_close(f(x), module(x))


def test_the_text_of_a_graph():
    f = compile_for(CASES["cond"], torch.randn(3, 4))
    assert "def true_graph_0():\n" in f.graph
    assert str(_graph.parse(f.graph)) == f.graph
