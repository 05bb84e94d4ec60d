"""Images at the coordinates of a grid, against eager mode: all modes, coordinates far outside, and numbers that are not
finite in images."""

import itertools

import broadloom as bl
import pytest
import torch
import torch.nn.functional as F
from exports import export
from torch import nn
from torch.export import Dim

CASES = [
    (rank, mode, padding)
    for rank, mode, padding in itertools.product(
        (2, 3), ("bilinear", "nearest", "bicubic"), ("zeros", "border", "reflection")
    )
    if (rank, mode) != (3, "bicubic")
]
SIZES = {2: ((7, 6), (8, 9)), 3: ((4, 5, 6), (3, 4, 5))}


class Sample(nn.Module):
    def __init__(self, mode, padding, aligned):
        super().__init__()
        self.options = {"mode": mode, "padding_mode": padding, "align_corners": aligned}

    def forward(self, x, grid):
        return F.grid_sample(x, grid, **self.options)


def draw(batch, channels, rank):
    image, found = SIZES[rank]
    return torch.randn(batch, channels, *image), torch.rand(batch, *found, rank) * 4 - 2


@pytest.mark.parametrize("rank, mode, padding", CASES)
@pytest.mark.parametrize("aligned", [False, True])
def test_modes(rank, mode, padding, aligned):
    n = Dim("n", min=1, max=9)
    for channels in (1, 5):
        module = Sample(mode, padding, aligned)
        f = bl.from_torch(export(module, *draw(3, channels, rank), dynamic=({0: n}, {0: n})))
        for batch in (1, 3, 4):
            given = draw(batch, channels, rank)
            torch.testing.assert_close(f(*given), module(*given), rtol=1e-4, atol=1e-4)


def test_numbers_that_are_not_finite():
    module = Sample("bilinear", "zeros", False)
    f = bl.from_torch(export(module, *draw(3, 5, 2)))
    x, grid = draw(3, 5, 2)
    x[0, 1, 0, 0], x[1, 2, 6, 5], x[2, :, 3] = float("inf"), float("nan"), float("-inf")
    torch.testing.assert_close(f(x, grid), module(x, grid), rtol=1e-4, atol=1e-4, equal_nan=True)


@pytest.mark.parametrize("dtype", [torch.float64, torch.float16])
def test_types(dtype):
    module = Sample("bilinear", "border", True)
    f = bl.from_torch(export(module, *(a.to(dtype) for a in draw(3, 5, 2))))
    given = [a.to(dtype) for a in draw(2, 5, 2)]
    wanted = module(*(a.double() for a in given))
    tolerance = 1e-12 if dtype == torch.float64 else 2e-2
    torch.testing.assert_close(f(*given).double(), wanted, rtol=tolerance, atol=tolerance)
