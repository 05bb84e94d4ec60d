"""flex_attention: functions of scores and masks, for any batch and length, against eager mode."""

import warnings

import broadloom as bl
import pytest
import torch
from torch import nn
from torch.export import Dim
from torch.nn.attention.flex_attention import AuxRequest, create_block_mask, flex_attention

warnings.filterwarnings("ignore", message="flex_attention called without torch.compile")
OPEN = {0: Dim.AUTO, 2: Dim.AUTO}
SHAPES = [(2, 10), (3, 7), (4, 33), (1, 1)]


class Scaled(nn.Module):
    def forward(self, q, k, v):
        return flex_attention(q, k, v, scale=0.3)


class Alibi(nn.Module):
    def forward(self, q, k, v):
        return flex_attention(q, k, v, score_mod=lambda s, b, h, i, j: s - (i - j).abs() * torch.exp2(-2.0 * (h + 1)))


class Capped(nn.Module):
    def forward(self, q, k, v):
        def score(s, b, h, i, j):
            return torch.where((i >= j) & (i - j < 4), 5 * torch.tanh(s / 5), -float("inf"))

        return flex_attention(q, k, v, score_mod=score)


class Biased(nn.Module):
    def __init__(self):
        super().__init__()
        self.near, self.heads = nn.Parameter(torch.randn(64)), nn.Parameter(torch.randn(4, 64))

    def forward(self, q, k, v):
        def score(s, b, h, i, j):
            return s + self.near[(i - j).abs()] * self.heads[h, j]

        return flex_attention(q, k, v, score_mod=score)


class Same(nn.Module):
    def forward(self, q, k, v):
        return flex_attention(q, k, v, score_mod=lambda s, b, h, i, j: torch.zeros_like(s))


class Causal(nn.Module):
    def forward(self, q, k, v):
        mask = create_block_mask(lambda b, h, i, j: i >= j, None, None, q.shape[2], k.shape[2], device="cpu")
        return flex_attention(q, k, v, block_mask=mask)


MODULES = (Scaled, Alibi, Capped, Biased, Same, Causal)


def tensors(batch, count, heads=4, element=torch.float32):
    return [torch.randn(batch, h, count, 8).to(element) for h in (4, heads, heads)]


@pytest.mark.parametrize("make", MODULES, ids=lambda make: make.__name__)
def test_functions_of_scores(make):
    module = make().eval()
    f = bl.from_torch(bl.torch.export(module, tuple(tensors(2, 10)), dynamic_shapes=(OPEN,) * 3))
    g = bl.torch.compile(module)
    for batch, count in SHAPES:
        given = tensors(batch, count)
        expected = module(*given)
        if batch > 1:
            # PyTorch asks whether extents are 1 while it traces: there is one more program for these.
            torch.testing.assert_close(f(*given), expected)
        torch.testing.assert_close(g(*given), expected)


@pytest.mark.parametrize("make", [Alibi, Biased], ids=lambda make: make.__name__)
def test_known_extents(make):
    module, given = make().eval(), tensors(2, 10)
    f = bl.from_torch(torch.export.export(module, tuple(given)))
    torch.testing.assert_close(f(*given), module(*given))
    with pytest.raises(bl.ShapeError, match="argument 'q' has shape 2x4x9x8 but the function takes 2x4x10x8"):
        f(*tensors(2, 9))


def test_masks_of_data():
    """Texts of several documents, of which a token sees those of its own."""

    class Documents(nn.Module):
        def forward(self, q, k, v, document):
            def mask(b, h, i, j):
                return (document[b, i] == document[b, j]) & (i >= j)

            blocks = create_block_mask(mask, q.shape[0], None, q.shape[2], k.shape[2], device="cpu")
            return flex_attention(q, k, v, block_mask=blocks)

    module = Documents()
    f = bl.torch.compile(module)
    for batch, count in ((2, 10), (3, 17)):
        given = [*tensors(batch, count), torch.randint(3, (batch, count)).sort(1).values]
        torch.testing.assert_close(f(*given), module(*given))


def test_rows_that_are_masked_as_a_whole():
    class Nothing(nn.Module):
        def forward(self, q, k, v):
            return flex_attention(q, k, v, score_mod=lambda s, b, h, i, j: torch.where(i > 2, s, -float("inf")))

    given = tensors(2, 6)
    f = bl.from_torch(torch.export.export(Nothing(), tuple(given)))
    found = f(*given)
    torch.testing.assert_close(found, Nothing()(*given))
    assert (found[:, :, :3] == 0).all()


def test_several_queries_for_each_key():
    class Grouped(nn.Module):
        def forward(self, q, k, v):
            return flex_attention(q, k, v, score_mod=lambda s, b, h, i, j: s + h, enable_gqa=True)

    f = bl.from_torch(bl.torch.export(Grouped(), tuple(tensors(2, 10, heads=2)), dynamic_shapes=(OPEN,) * 3))
    for batch, count in SHAPES[:2]:
        given = tensors(batch, count, heads=2)
        torch.testing.assert_close(f(*given), Grouped()(*given))


def test_sums():
    class More(nn.Module):
        def forward(self, q, k, v):
            found, more = flex_attention(q, k, v, return_aux=AuxRequest(lse=True))
            return found, more.lse

    given = tensors(2, 6)
    f = bl.from_torch(torch.export.export(More(), tuple(given)))
    torch.testing.assert_close(f(*given), More()(*given))


@pytest.mark.parametrize("element, tolerance", [(torch.float64, 1e-9), (torch.bfloat16, 2e-2)])
def test_element_types(element, tolerance):
    module, given = Alibi(), tensors(2, 6, element=element)
    f = bl.from_torch(torch.export.export(module, tuple(given)))
    torch.testing.assert_close(f(*given), module(*given), atol=tolerance, rtol=tolerance)
