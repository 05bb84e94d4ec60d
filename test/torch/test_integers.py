"""Layers of quantized tensors as pt2e writes them: they are computed of integers, and give what eager mode computes of
the numbers that these stand for."""

import re

import broadloom as bl
import pytest
import torch
import torch.ao.quantization.fx._decomposed
from exports import raised
from torch import nn
from torch.export import Dim
from torch.nn import functional as F

Q = torch.ops.quantized_decomposed
#: Of activations: the least and the most integer.
LIMITS = {torch.uint8: (0, 255), torch.int8: (-128, 127)}
#: Sums of integers are rounded once, those of eager mode at each product.
CLOSE = {"rtol": 1e-5, "atol": 1e-5}


class Quantized(nn.Module):
    """A layer whose weight has integers with a scale for each channel, of an image with one scale and a zero point."""

    def __init__(self, layer, kind=torch.uint8, zero=119, weight_zero=0, is_dynamic=False):
        super().__init__()
        weight = layer.weight.detach()
        scales = weight.abs().flatten(1).amax(1).double() / 100
        zeros = torch.full(scales.shape, weight_zero)
        limits = 0, -128, 127, torch.int8
        self.limits, self.zero, self.is_dynamic = (*LIMITS[kind], kind), zero, is_dynamic
        self.register_buffer("weight", Q.quantize_per_channel(weight, scales, zeros, *limits))
        self.register_buffer("scales", scales)
        self.register_buffer("zeros", zeros)
        self.layer = layer

    def forward(self, x):
        scale, zero = 0.03, self.zero
        if self.is_dynamic:
            scale, zero = Q.choose_qparams(x, *self.limits[:2], 2.0**-12, self.limits[2])
        integers = Q.quantize_per_tensor(x, scale, zero, *self.limits)
        x = Q.dequantize_per_tensor(integers, scale, zero, *self.limits)
        weight = Q.dequantize_per_channel(self.weight, self.scales, self.zeros, 0, -128, 127, torch.int8)
        if isinstance(self.layer, nn.Linear):
            return F.linear(x, weight, self.layer.bias)
        return self.layer._conv_forward(x, weight, self.layer.bias)


def contracted(f):
    """The element types of the operands of contractions."""
    return re.findall(r"loom\.contract\(.*: \(tensor<[^>]*x(\w+)>, tensor<[^>]*x(\w+)>", f.mlir)


LAYERS = {
    "linear": (lambda: nn.Linear(40, 7), [(3, 40), (1, 40), (8, 40), (0, 40)]),
    "linear of three axes without a bias": (lambda: nn.Linear(40, 7, bias=False), [(3, 2, 40), (1, 5, 40)]),
    "conv1d": (lambda: nn.Conv1d(3, 8, 3, padding=1, dilation=2), [(3, 3, 11), (1, 3, 20)]),
    "conv2d": (lambda: nn.Conv2d(3, 8, 3, padding=1, stride=2), [(3, 3, 8, 9), (1, 3, 12, 5)]),
    "depthwise": (lambda: nn.Conv2d(8, 8, 3, padding=1, groups=8), [(3, 8, 8, 9), (1, 8, 12, 5)]),
    "groups": (lambda: nn.Conv2d(8, 4, 3, groups=2, bias=False), [(3, 8, 8, 9), (1, 8, 12, 5)]),
    "conv3d": (lambda: nn.Conv3d(2, 3, 2), [(3, 2, 4, 5, 6), (1, 2, 3, 3, 3)]),
}


@pytest.mark.parametrize("is_open", [True, False], ids=["open", "known"])
@pytest.mark.parametrize("kind, zero", [(torch.uint8, 119), (torch.uint8, 0), (torch.int8, -7)])
@pytest.mark.parametrize("name", LAYERS)
def test_static(name, kind, zero, is_open):
    make, shapes = LAYERS[name]
    module = Quantized(make(), kind, zero).eval()
    closed = (1,) if name.startswith(("conv", "depth", "group")) else (len(shapes[0]) - 1,)
    free = {axis: Dim.AUTO for axis in range(len(shapes[0])) if axis not in closed} if is_open else None
    f = bl.from_torch(bl.torch.export(module, (torch.randn(shapes[0]),), dynamic_shapes=(free,)))
    for shape in shapes if is_open else shapes[:1]:
        x = torch.randn(shape) * 3
        torch.testing.assert_close(f(x), module(x), **CLOSE)
    assert set(contracted(f)) == {("i8", "i8")}


def test_dynamic():
    module = Quantized(nn.Linear(40, 7), is_dynamic=True)
    f = bl.from_torch(bl.torch.export(module, (torch.randn(3, 40),), dynamic_shapes=({0: Dim.AUTO},)))
    for rows, shift in ((1, 0.0), (5, 4.0), (2, -9.0)):
        x = torch.randn(rows, 40) + shift
        torch.testing.assert_close(f(x), module(x), **CLOSE)
    torch.testing.assert_close(f(torch.zeros(2, 40)), module(torch.zeros(2, 40)), **CLOSE)
    assert contracted(f) == [("i8", "i8")]
    text = raised(lambda: f(torch.randn(0, 40)), bl.ShapeError)
    assert "the choice of a scale along axis 0 is of at least 1 element, but there are 0" in text


@pytest.mark.parametrize("name", ["choose_qparams", "choose_qparams_symmetric"])
@pytest.mark.parametrize("kind", LIMITS)
def test_choice_of_scales(name, kind):
    class Choice(nn.Module):
        def forward(self, x):
            return getattr(Q, name).tensor(x, *LIMITS[kind], 2.0**-12, kind)

    f = bl.from_torch(torch.export.export(Choice(), (torch.randn(3, 4),), dynamic_shapes=({0: Dim.AUTO},)))
    for x in (torch.randn(5, 4), torch.rand(2, 4) + 1, -torch.rand(2, 4) - 1, torch.zeros(2, 4)):
        torch.testing.assert_close(f(x), Choice()(x))


def test_a_weight_with_zero_points_is_computed_of_numbers():
    module = Quantized(nn.Linear(40, 7), weight_zero=5)
    f = bl.from_torch(torch.export.export(module, (torch.randn(3, 40),)))
    x = torch.randn(3, 40)
    torch.testing.assert_close(f(x), module(x), **CLOSE)
    assert contracted(f) == [("f32", "f32")]


def test_torch_compile_computes_of_numbers():
    module = Quantized(nn.Conv2d(3, 8, 3, padding=1))
    f = bl.torch.compile(module)
    for shape in ((1, 3, 8, 8), (3, 3, 9, 5)):
        x = torch.randn(shape)
        torch.testing.assert_close(f(x), module(x), **CLOSE)


def test_weights_and_scales_may_change():
    module = Quantized(nn.Linear(40, 7))
    f = bl.from_torch(torch.export.export(module, (torch.randn(3, 40),)))
    x = torch.randn(3, 40)
    torch.testing.assert_close(f(x), module(x), **CLOSE)
    module.weight.neg_()
    module.scales.mul_(2)
    torch.testing.assert_close(f(x), module(x), **CLOSE)


def test_a_network():
    class Network(nn.Module):
        def __init__(self):
            super().__init__()
            self.first = Quantized(nn.Conv2d(3, 16, 3, padding=1))
            self.second = Quantized(nn.Conv2d(16, 16, 3, padding=1, groups=16), zero=0)
            self.last = Quantized(nn.Linear(16, 10), zero=0)

        def forward(self, x):
            return self.last(self.second(self.first(x).relu()).relu().mean((2, 3)))

    module = Network().eval()
    free = {0: Dim.AUTO, 2: Dim.AUTO, 3: Dim.AUTO}
    f = bl.from_torch(torch.export.export(module, (torch.randn(2, 3, 16, 12),), dynamic_shapes=(free,)))
    for shape in ((3, 3, 16, 16), (2, 3, 7, 30)):
        x = torch.randn(shape)
        # A sum at the middle of two integers may become either.
        torch.testing.assert_close(f(x), module(x), atol=0.02, rtol=0.02)
    assert contracted(f) == [("i8", "i8")] * 3
