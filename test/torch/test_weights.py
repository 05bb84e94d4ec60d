"""Where the arrays are that a program is given of a module's weights."""

import broadloom as bl
import numpy as np
import pytest
import torch
from exports import export
from torch import nn


class Transposed(nn.Module):
    """A weight that a product, a sum and a look-up read transposed."""

    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(40, 30))

    def forward(self, x):
        return x @ self.weight.T + self.weight.T[:1] + self.weight.T[x.argmax(1)]


@pytest.mark.parametrize("dtype", (torch.float32, torch.float16, torch.bfloat16))
def test_transposed_weights_are_read_where_they_are(dtype):
    module = nn.Linear(600, 300, bias=False).to(dtype).eval()
    x = torch.randn(5, 600).to(dtype)
    f = bl.from_torch(export(module, x))
    near = {torch.float32: 1e-4, torch.float16: 1e-2, torch.bfloat16: 1e-1}[dtype]
    with torch.no_grad():
        torch.testing.assert_close(f(x), module(x), rtol=near, atol=near)
        (bound,) = f._compiled.weights._bound
        own = module.weight.detach().view(torch.int16 if dtype == torch.bfloat16 else dtype).numpy()
        assert np.shares_memory(bound.view(own.dtype), own)
        # What was laid out is forgotten when torch counts a change.
        module.weight.mul_(-3)
        torch.testing.assert_close(f(x), module(x), rtol=near, atol=near)


def test_other_uses_of_transposed_weights():
    module = Transposed().eval()
    for rows in (2, 7):
        x = torch.randn(rows, 30)
        f = bl.from_torch(export(module, x))
        with torch.no_grad():
            for _ in range(2):
                torch.testing.assert_close(f(x), module(x), rtol=1e-4, atol=1e-4)
                module.weight.add_(1)


def test_constants_keep_what_they_were():
    module = nn.Linear(600, 300, bias=False).eval()
    x = torch.randn(5, 600)
    f = bl.from_torch(export(module, x), weights="constant")
    with torch.no_grad():
        expected = module(x)
        module.weight.mul_(0)
    torch.testing.assert_close(f(x), expected, rtol=1e-4, atol=1e-4)
