"""Transposed convolutions against eager mode: their phases are channels of a convolution of the image as it is."""

import itertools

import broadloom as bl
import pytest
import torch
import torch.nn.functional as F
from exports import export
from torch import nn
from torch.export import Dim

CASES = [
    (kernel, stride, padding, more, dilation)
    for kernel, stride, padding, more, dilation in itertools.product(
        (1, 2, 3, 4, 5), (1, 2, 3), (0, 1, 3), (0, 1), (1, 2)
    )
    if more < max(stride, dilation) and padding <= dilation * (kernel - 1) + 1
]


@pytest.mark.parametrize("kernel", [1, 2, 3, 4, 5])
def test_axes(kernel):
    for own, stride, padding, more, dilation in CASES:
        if own != kernel:
            continue
        module = nn.ConvTranspose1d(6, 4, kernel, stride, padding, more, dilation=dilation).eval()
        f = bl.from_torch(export(module, torch.randn(3, 6, 9), dynamic=({0: Dim.AUTO, 2: Dim.AUTO},)))
        for shape in ((2, 6, 7), (4, 6, 13)):
            x = torch.randn(shape)
            torch.testing.assert_close(f(x), module(x), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(
    "module, sizes",
    [
        (nn.ConvTranspose2d(6, 4, (3, 4), (2, 1), (1, 0), (1, 0)), (7, 6)),
        (nn.ConvTranspose2d(6, 9, 4, 2, 1, groups=3), (7, 6)),
        (nn.ConvTranspose2d(6, 4, (2, 3), (2, 2), (0, 2), bias=False), (7, 6)),
        (nn.ConvTranspose2d(6, 4, 3, (1, 2), 1, dilation=(2, 1)), (7, 6)),
        (nn.ConvTranspose3d(6, 4, (3, 2, 4), (2, 2, 3), (1, 0, 1), (1, 0, 2)), (4, 5, 3)),
    ],
)
def test_several_axes(module, sizes):
    n = Dim("n", min=1, max=9)
    f = bl.from_torch(export(module.eval(), torch.randn(3, 6, *sizes), dynamic=({0: n},)))
    for batch in (1, 4):
        x = torch.randn(batch, 6, *sizes)
        torch.testing.assert_close(f(x), module(x), rtol=1e-4, atol=1e-5)
        module.weight.mul_(2)


def test_weights_that_a_call_gives():
    class Given(nn.Module):
        def forward(self, x, w):
            return F.conv_transpose2d(x, w * 2, stride=2, padding=1, output_padding=1)

    f = bl.from_torch(export(Given(), torch.randn(2, 6, 7, 6), torch.randn(6, 4, 3, 3), dynamic=({0: Dim("n")}, None)))
    for _ in range(2):
        x, w = torch.randn(3, 6, 7, 6), torch.randn(6, 4, 3, 3)
        torch.testing.assert_close(f(x, w), Given()(x, w), rtol=1e-4, atol=1e-4)
