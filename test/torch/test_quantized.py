"""Quantized programs as pt2e writes them, and grouped products, against eager mode."""

import broadloom as bl
import pytest
import torch
import torch.ao.quantization.fx._decomposed
from exports import Call, raised
from test_counted import compile_for
from torch.export import Dim
from torch.fx.experimental import _config

QUANTIZED = torch.ops.quantized_decomposed
SHAPES = ((3, 4), (5, 4), (1, 4), (0, 4))


def per_tensor(x):
    y = QUANTIZED.quantize_per_tensor(x, 0.1, 3, -128, 127, torch.int8)
    return QUANTIZED.dequantize_per_tensor(y, 0.1, 3, -128, 127, torch.int8), y


def per_channel(x):
    scales, zeros = torch.tensor([0.1, 0.2, 0.3, 0.05]), torch.tensor([0, 1, 2, 3])
    y = QUANTIZED.quantize_per_channel(x, scales, zeros, 1, -128, 127, torch.int8)
    return QUANTIZED.dequantize_per_channel(y, scales, zeros, 1, -128, 127, torch.int8), y


@pytest.mark.parametrize("is_open", (True, False), ids=("open", "known"))
@pytest.mark.parametrize("function", (per_tensor, per_channel))
def test_quantized(function, is_open):
    f = compile_for(function, torch.randn(3, 4), is_open=is_open)
    for shape in SHAPES if is_open else SHAPES[:1]:
        x = torch.randn(shape) * 20
        torch.testing.assert_close(f(x), function(x))


def test_grouped_products():
    """Groups of any number of rows, as mixtures of experts have them."""
    function = lambda x, y, ends: torch._grouped_mm(x, y, offs=ends)
    y = torch.randn(3, 16, 8).bfloat16()
    inputs = torch.randn(16, 16).bfloat16(), y, torch.tensor([4, 8, 16], dtype=torch.int32)
    with _config.patch(backed_size_oblivious=True):
        exported = torch.export.export(Call(function), inputs, dynamic_shapes=(({0: Dim.AUTO}, {}, {}),))
    f = bl.from_torch(exported)
    for rows, ends in ((16, [4, 8, 16]), (9, [0, 9, 9]), (5, [1, 2, 5]), (1, [0, 0, 1])):
        x, at = torch.randn(rows, 16).bfloat16(), torch.tensor(ends, dtype=torch.int32)
        torch.testing.assert_close(f(x, y, at), function(x, y, at), atol=2e-2, rtol=2e-2)
    for ends, message in (([3, 2, 5], "begins at row 3 and ends at 2"), ([3, 4, 6], "ends at row 6, but there are 5")):
        at = torch.tensor(ends, dtype=torch.int32)
        assert message in raised(lambda at=at: f(torch.randn(5, 16).bfloat16(), y, at), bl.ShapeError)
