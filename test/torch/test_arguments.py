"""Tensors as arguments of functions that have nothing to do with PyTorch."""

import broadloom as bl
import numpy as np
import pytest
import torch

TWICE = """
func.func @main(%a: tensor<*xf32>) -> tensor<*xf32> {
  %r = tosa.add %a, %a : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  return %r : tensor<*xf32>
}
"""
FUNCTIONS = [("compile", lambda: bl.compile(TWICE)), ("jit", lambda: bl.jit(lambda a: a + a))]
functions = pytest.mark.parametrize("make", [make for _, make in FUNCTIONS], ids=[name for name, _ in FUNCTIONS])


@functions
def test_what_memory_does_not_say(make):
    """PyTorch gives capsules of these too, with other elements or none."""
    f = make()
    z = torch.randn(3, dtype=torch.cfloat)
    with pytest.raises(BufferError, match=r"is a view that negates what is in memory, .*; give x.resolve_neg\(\)$"):
        f(z.conj().imag)
    np.testing.assert_array_equal(f(z.conj().imag.resolve_neg()), -2 * z.imag.numpy())
    np.testing.assert_array_equal(f(z.imag), 2 * z.imag.numpy())
    with pytest.raises(BufferError, match="has elements, but no memory that has them; give a copy"):
        f(torch._efficientzerotensor(3))
    assert f(torch.empty(0)).shape == (0,)


@functions
def test_layouts(make):
    f, x = make(), torch.randn(4, 6)
    for given in (x, x.T, x[::2, 1:], x[:1].expand(3, 6), x[0, 0], torch.zeros(1).expand(5)):
        np.testing.assert_array_equal(f(given), 2 * given.numpy())


@pytest.mark.parametrize("dtype", (torch.bfloat16, torch.float8_e5m2, torch.float8_e4m3fn, torch.half, torch.uint16))
def test_short_types_under_jit(dtype):
    x = torch.tensor([[1, 2, 3], [4, 5, 6]]).to(dtype)
    y = bl.jit(lambda x: (x.astype(np.float32) * 2, x))(x.T)
    np.testing.assert_array_equal(y[0], 2 * x.T.float().numpy())
    assert torch.equal(torch.from_dlpack(bl.as_dlpack(y[1])).float(), x.T.float())
