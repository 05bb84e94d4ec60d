"""Buffers that a module changes are variables of its program."""

import copy

import broadloom as bl
import numpy as np
import pytest
import torch
from broadloom.torch import _graph
from exports import export, raised
from torch import nn
from torch.export import Dim


class Rows(nn.Module):
    """Rows are put at the place that the extents of a mask tell."""

    def __init__(self):
        super().__init__()
        self.register_buffer("keys", torch.zeros(2, 32, 3))

    def forward(self, x, mask):
        start = mask.shape[1] - x.shape[1]
        self.keys[:, start : mask.shape[1]] = x
        return self.keys[:, : mask.shape[1]].cumsum(1)


class Indexed(nn.Module):
    """Rows are put where a buffer says."""

    def __init__(self):
        super().__init__()
        self.register_buffer("keys", torch.ones(2, 8, 3))
        self.register_buffer("at", torch.zeros((), dtype=torch.int64))

    def forward(self, x):
        place = torch.arange(x.shape[1]) + self.at
        self.keys.index_copy_(1, place, x)
        self.at.add_(x.shape[1])
        return self.keys.sum((0, 2)), self.at * 2


class Mean(nn.Module):
    """All of a buffer changes."""

    def __init__(self):
        super().__init__()
        self.register_buffer("mean", torch.tensor([1.0, 2.0]))
        self.register_buffer("seen", torch.tensor(False))

    def forward(self, x):
        self.mean.lerp_(x.mean(0), 0.25)
        self.seen.logical_or_(x.max() > 2)
        return x - self.mean, self.seen


def check_same(f, eager, *inputs):
    expected = eager(*inputs)
    torch.testing.assert_close(f(*inputs), expected)


def test_slices(compilations):
    module = Rows()
    eager = copy.deepcopy(module)
    f = bl.from_torch(export(module, torch.ones(2, 3, 3), torch.ones(2, 7), dynamic=({1: Dim.AUTO}, {1: Dim.AUTO})))
    at = 0
    for n in (4, 2, 9, 2, 15):
        at += n
        check_same(f, eager, torch.randn(2, n, 3), torch.ones(2, at))
        np.testing.assert_array_equal(f.variables["keys"], eager.keys)
    # The module's own are as they were.
    assert not module.keys.any() and compilations == ["torch"]
    message = raised(lambda: f(torch.ones(2, 3, 3), torch.ones(2, 33)), bl.ShapeError)
    assert "33" in message and "32" in message
    np.testing.assert_array_equal(f.variables["keys"], eager.keys)
    f.reset()
    assert not f.variables["keys"].any()


def test_the_text_of_a_graph():
    f = bl.from_torch(export(Indexed(), torch.ones(2, 3, 3), dynamic=({1: Dim.AUTO},)))
    assert "= variable('keys')" in f.graph and "write('at', " in f.graph
    assert str(_graph.parse(f.graph)) == f.graph
    assert "loom.in_place" in f.mlir


def test_indices():
    module = Indexed()
    eager = copy.deepcopy(module)
    f = bl.from_torch(export(module, torch.ones(2, 3, 3), dynamic=({1: Dim.AUTO},)))
    for n in (3, 2, 2):
        check_same(f, eager, torch.randn(2, n, 3))
    message = raised(lambda: f(torch.ones(2, 2, 3)), IndexError)
    assert "index 8 is outside axis 1, which has extent 8" in message
    # The row before was written.
    with pytest.raises(ValueError, match="the variable 'keys' is lost"):
        f(torch.ones(2, 2, 3))
    f.reset()
    check_same(f, Indexed(), torch.randn(2, 4, 3))


def test_whole_buffers():
    module = Mean()
    eager = copy.deepcopy(module)
    f = bl.from_torch(export(module, torch.ones(4, 2)), weights="constant")
    for n in (2, 5, 3):
        check_same(f, eager, torch.randn(n, 2) * n)
    assert f.variables["seen"] == eager.seen.numpy()
    f.reset()
    np.testing.assert_array_equal(f.variables["mean"], [1, 2])


def test_files(tmp_path):
    module = Mean()
    exported = export(module, torch.ones(4, 2))
    torch.export.save(exported, tmp_path / "mean.pt2")
    f = bl.compile(str(tmp_path / "mean.pt2"))
    bl.from_torch(exported, weights="constant").save(tmp_path / "mean.blm")
    loaded = bl.load(tmp_path / "mean.blm")
    for n in (2, 3):
        x = torch.randn(n, 2)
        y, seen = module(x)
        for g in (f, loaded):
            given = g(x.numpy())
            np.testing.assert_allclose(given[0], y, rtol=1e-5, atol=1e-6)
            assert given[1] == seen.numpy()


def test_inputs_are_refused():
    class Changes(nn.Module):
        def forward(self, x):
            x.add_(1)
            return x * 2

    exported = torch.export.export(Changes(), (torch.ones(3),))
    with pytest.raises(ValueError, match="changes its inputs x; return what changes, or make them buffers"):
        bl.from_torch(exported)


@pytest.mark.parametrize("weights", ["shared", "constant"])
def test_parameters_that_change(weights):
    """They are variables as buffers are; others stay weights."""

    class Steps(nn.Module):
        def __init__(self):
            super().__init__()
            self.step, self.scale = nn.Parameter(torch.ones(3)), nn.Parameter(torch.full((3,), 2.0))

        def forward(self, x):
            with torch.no_grad():
                self.step.add_(self.scale)
            return x * self.step

    module = Steps()
    eager = copy.deepcopy(module)
    f = bl.from_torch(export(module, torch.ones(2, 3)), weights=weights)
    for n in (2, 5, 3):
        check_same(f, eager, torch.randn(n, 3))
    np.testing.assert_array_equal(f.variables["step"], [7, 7, 7])
    np.testing.assert_array_equal(module.step.detach(), [1, 1, 1])
    f.reset()
    np.testing.assert_array_equal(f.variables["step"], [1, 1, 1])
