"""Layers of encoders that PyTorch computes as one operation where nobody wants gradients, with every
kind of mask, against eager mode: one compilation for all shapes."""

import pytest
import torch
from torch import nn

SIZES = [(2, 5), (4, 9), (3, 17)]


def padding(batch, length):
    """Masks what is left out: the ends of all rows but the first."""
    return torch.arange(length) >= torch.randint(1, length + 1, (batch, 1)).index_fill(0, torch.tensor(0), length)


def later(batch, length):
    return torch.ones(length, length, dtype=torch.bool).triu(1)


MASKS = [
    ("none", lambda b, n: {}),
    ("padding", lambda b, n: {"src_key_padding_mask": padding(b, n)}),
    (
        "padding as numbers",
        lambda b, n: {"src_key_padding_mask": torch.zeros(b, n).masked_fill(padding(b, n), float("-inf"))},
    ),
    ("later ones", lambda b, n: {"src_mask": later(b, n)}),
    ("later ones as numbers", lambda b, n: {"src_mask": nn.Transformer.generate_square_subsequent_mask(n)}),
    (
        "of each head",
        lambda b, n: {"src_mask": (torch.rand(b * 4, n, n) > 0.8).masked_fill(torch.eye(n).bool(), False)},
    ),
    ("both", lambda b, n: {"src_mask": later(b, n), "src_key_padding_mask": padding(b, n)}),
]


@pytest.mark.parametrize("norm_first", (False, True), ids=("norm last", "norm first"))
@pytest.mark.parametrize("make", [make for _, make in MASKS], ids=[name for name, _ in MASKS])
def test_masks(backend, compilations, make, norm_first):
    layer = nn.TransformerEncoderLayer(16, 4, 32, batch_first=True, norm_first=norm_first).eval()
    f = torch.compile(lambda x, masks: layer(x, **masks), backend=backend, dynamic=True, fullgraph=True)
    for batch, length in SIZES:
        x, masks = torch.randn(batch, length, 16), make(batch, length)
        torch.testing.assert_close(f(x, masks), layer(x, **masks))
    assert len(compilations) == 1


def test_rows_that_are_masked_wholly(backend):
    """They are NaN, as eager mode has them there."""
    layer = nn.TransformerEncoderLayer(16, 4, 32, batch_first=True).eval()
    f = torch.compile(layer, backend=backend, dynamic=True)
    x, mask = torch.randn(2, 5, 16), torch.tensor([[False] * 4 + [True], [True] * 5])
    expected = layer(x, src_key_padding_mask=mask)
    assert expected[1].isnan().all() and not expected[0].isnan().any()
    torch.testing.assert_close(f(x, src_key_padding_mask=mask), expected, equal_nan=True)


def test_encoder(backend, compilations):
    layer = nn.TransformerEncoderLayer(16, 4, 32, batch_first=True, activation="gelu")
    encoder = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False).eval()
    f = torch.compile(encoder, backend=backend, dynamic=True)
    for batch, length in SIZES:
        x, mask = torch.randn(batch, length, 16), padding(batch, length)
        torch.testing.assert_close(f(x, src_key_padding_mask=mask), encoder(x, src_key_padding_mask=mask))
    assert len(compilations) == 1
