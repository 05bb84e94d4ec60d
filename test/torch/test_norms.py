"""How exact means, variances and norms are over rows of many kinds, beside eager mode."""

import broadloom as bl
import numpy as np
import pytest
import row_kinds
import torch
from torch import nn
from torch.export import Dim
from torch.nn import functional as F


class Moments(nn.Module):
    def forward(self, x):
        columns = x.T.contiguous()
        norm = F.layer_norm(x, x.shape[1:], eps=row_kinds.EPSILON)
        groups = F.group_norm(x[:, None], 1, eps=row_kinds.EPSILON)[:, 0]
        channels = F.instance_norm(x[None], eps=row_kinds.EPSILON)[0]
        return (
            x.mean(1, keepdim=True),
            columns.mean(0)[:, None],
            x.var(1, correction=0, keepdim=True),
            columns.std(0, correction=0)[:, None] ** 2,
            norm,
            groups,
            channels,
        )


PARTS = ("mean", "mean", "variance", "variance", "norm", "norm", "norm")


@pytest.fixture(scope="module")
def dynamic():
    shape = {0: Dim("n", min=2), 1: Dim("m", min=3)}
    return bl.from_torch(torch.export.export(Moments(), (torch.ones(5, 7),), dynamic_shapes=(shape,)))


def each(function, rows):
    """The errors of each result, by what it is."""
    parts = [np.asarray(part) for part in function(torch.from_numpy(rows))]
    return [row_kinds.errors(rows, **{kind: part})[kind] for kind, part in zip(PARTS, parts, strict=True)]


def check_constants(function, length):
    rows = row_kinds.constant_rows(length)
    for kind, part in zip(PARTS, function(torch.from_numpy(rows)), strict=True):
        assert kind == "mean" or not np.asarray(part).any(), kind


@pytest.mark.parametrize("length", [768, 769, 1000, 8192])
def test_equal_elements_have_no_deviation(dynamic, length):
    check_constants(dynamic, length)


def test_equal_elements_have_no_deviation_where_extents_are_known():
    rows = torch.from_numpy(row_kinds.constant_rows(769))
    check_constants(bl.from_torch(torch.export.export(Moments(), (rows,))), 769)


#: A unit in the last place of each kind of result is no difference. Eager mode sums squares of
#: f32 in f64, and orders others otherwise.
FLOOR = {"mean": 4, "variance": 32, "norm": 8}


@pytest.mark.parametrize("length", [64, 768, 1000, 8192])
def test_errors_are_at_most_twice_those_of_eager_mode(dynamic, length):
    for name, rows in row_kinds.make_rows(length, 40).items():
        for kind, own, eager in zip(PARTS, each(dynamic, rows), each(Moments(), rows)):
            # Elements that are alike are rounded alike, over and over: in sums of 256 here, of 16 there.
            alike = 64 if kind == "mean" and name in ("offset", "large offset") else 0
            assert own <= 2 * eager + FLOOR[kind] + alike, (name, kind)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float64])
def test_other_types(dynamic, dtype):
    x = torch.randn(9, 300, dtype=torch.float64) * 3 + 2
    shape = {0: Dim("n", min=2), 1: Dim("m", min=3)}
    f = bl.from_torch(torch.export.export(Moments(), (x.to(dtype),), dynamic_shapes=(shape,)))
    torch.testing.assert_close(
        f(x.to(dtype)), Moments()(x.to(dtype)), rtol=2e-2 if dtype != torch.float64 else 1e-12, atol=2e-2
    )


@pytest.mark.parametrize("correction", [0, 1, 2.5, 3, 4])
def test_corrections(correction):
    """Up to more than there are elements."""
    module = nn.Module()
    module.forward = lambda x: (
        x.var(1, correction=correction),
        *torch.var_mean(x, 0, correction=correction, keepdim=True),
    )
    x = torch.randn(6, 3)
    for shapes in (None, ({0: Dim("n", min=2), 1: Dim("m", min=2)},)):
        f = bl.from_torch(torch.export.export(module, (x,), dynamic_shapes=shapes))
        torch.testing.assert_close(f(x), module(x), equal_nan=True)
