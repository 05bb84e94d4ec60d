"""LSTM, GRU and RNN: layers and cells, of any number of steps from one compilation."""

import io

import broadloom as bl
import pytest
import torch
from exports import raised
from torch import nn
from torch.export import Dim

LAYERS = {
    "lstm": lambda: nn.LSTM(5, 7, batch_first=True),
    "lstm of all kinds": lambda: nn.LSTM(5, 7, 2, bidirectional=True, proj_size=3, batch_first=True),
    "lstm without biases": lambda: nn.LSTM(5, 7, 2, bias=False, batch_first=True),
    "gru": lambda: nn.GRU(5, 7, batch_first=True),
    "gru of both directions": lambda: nn.GRU(5, 7, 2, bidirectional=True, bias=False, batch_first=True),
    "rnn": lambda: nn.RNN(5, 7, batch_first=True),
    "rnn of relu": lambda: nn.RNN(5, 7, 2, nonlinearity="relu", bidirectional=True, batch_first=True),
}
SHAPES = [(3, 4, 5), (1, 1, 5), (2, 9, 5), (5, 2, 5)]
OPEN = {0: Dim.AUTO, 1: Dim.AUTO}


class States(nn.Module):
    def __init__(self, kind, **options):
        super().__init__()
        self.layer = kind(5, 7, **options)

    def forward(self, x, *states):
        rows, last = self.layer(x, states if len(states) > 1 else states[0])
        return (rows, *last) if isinstance(last, tuple) else (rows, last)


class Cells(nn.Module):
    def __init__(self, bias=True):
        super().__init__()
        self.lstm, self.gru = nn.LSTMCell(5, 7, bias), nn.GRUCell(7, 4, bias)
        self.tanh, self.relu = nn.RNNCell(4, 3, bias), nn.RNNCell(3, 3, bias, nonlinearity="relu")

    def forward(self, x, h, c, g, r):
        h, c = self.lstm(x, (h, c))
        g = self.gru(h, g)
        r = self.tanh(g, r)
        return h, c, g, self.relu(r, r)


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding, self.out = nn.Embedding(20, 8), nn.Linear(12, 5)
        self.layer = nn.LSTM(8, 6, 2, batch_first=True, bidirectional=True, dropout=0.1)

    def forward(self, x):
        return self.out(self.layer(self.embedding(x))[0]).log_softmax(-1)


@pytest.mark.parametrize("name", LAYERS)
def test_layers(name, compilations):
    module = LAYERS[name]().eval()
    exported = bl.from_torch(bl.torch.export(module, (torch.randn(3, 4, 5),), dynamic_shapes=(OPEN,)))
    compiled = bl.torch.compile(module)
    for shape in SHAPES:
        x = torch.randn(shape)
        expected = module(x)
        torch.testing.assert_close(exported(x), expected)
        torch.testing.assert_close(compiled(x), expected)
    assert len(compilations) == 2


@pytest.mark.parametrize("first", [(1, 1, 5), (4, 4, 5)])
def test_examples_of_extents_that_are_one_or_equal(first):
    module = nn.GRU(5, 7, batch_first=True).eval()
    f = bl.from_torch(bl.torch.export(module, (torch.randn(first),), dynamic_shapes=(OPEN,)))
    x = torch.randn(2, 6, 5)
    torch.testing.assert_close(f(x), module(x))


@pytest.mark.parametrize("kind, count", [(nn.LSTM, 2), (nn.GRU, 1), (nn.RNN, 1)])
def test_states_that_are_given(kind, count, compilations):
    module = States(kind, batch_first=True).eval()
    f = bl.torch.compile(module)
    for batch, steps in ((3, 4), (1, 9)):
        given = [torch.randn(batch, steps, 5), *(torch.randn(1, batch, 7) for _ in range(count))]
        torch.testing.assert_close(f(*given), module(*given))
    assert len(compilations) == 1


@pytest.mark.parametrize("bias", [True, False])
def test_cells(bias, compilations):
    module = Cells(bias).eval()

    def given(batch):
        return tuple(torch.randn(batch, size) for size in (5, 7, 7, 4, 3))

    f = bl.from_torch(bl.torch.export(module, given(3), dynamic_shapes=({0: Dim.AUTO},) * 5))
    g = bl.torch.compile(module)
    for batch in (1, 4, 3):
        inputs = given(batch)
        torch.testing.assert_close(f(*inputs), module(*inputs))
        torch.testing.assert_close(g(*inputs), module(*inputs))
    assert len(compilations) == 2


def test_a_tagger_of_words_follows_its_weights(compilations):
    module = Tagger().eval()
    f = bl.torch.compile(module)
    for shape in ((1, 4), (3, 9)):
        x = torch.randint(20, shape)
        torch.testing.assert_close(f(x), module(x))
    module.layer.weight_hh_l1.mul_(2)
    torch.testing.assert_close(f(x), module(x))
    assert len(compilations) == 1


@pytest.mark.parametrize("element, tolerance", [(torch.float64, 1e-12), (torch.bfloat16, 3e-2)])
def test_element_types(element, tolerance):
    module = nn.LSTM(5, 7, batch_first=True).to(element).eval()
    f = bl.torch.compile(module)
    x = torch.randn(2, 6, 5).to(element)
    torch.testing.assert_close(f(x)[0], module(x)[0], atol=tolerance, rtol=tolerance)


def test_an_export_of_torch_is_for_its_length():
    module = nn.LSTM(5, 7, batch_first=True).eval()
    x = torch.randn(3, 4, 5)
    f = bl.from_torch(torch.export.export(module, (x,), dynamic_shapes=(OPEN,)))
    torch.testing.assert_close(f(x), module(x))
    assert "aten.lstm.input" in f.graph
    with pytest.raises(bl.ShapeError, match=r"has shape 3x5x5 but the function takes \?x4x5"):
        f(torch.randn(3, 5, 5))
    (fixed,) = [fact for fact in f.fixed if getattr(fact, "axis", None) == 1]
    assert "as torch.export does with the steps of recurrent layers; bl.torch.export does not" in fixed.reason


def test_an_export_is_one_of_torch():
    module = Tagger().eval()
    exported = bl.torch.export(module, (torch.randint(20, (3, 4)),), dynamic_shapes=(OPEN,))
    file = io.BytesIO()
    torch.export.save(exported, file)
    file.seek(0)
    read = torch.export.load(file)
    x = torch.randint(20, (2, 6))
    torch.testing.assert_close(read.module()(x), module(x))
    torch.testing.assert_close(bl.from_torch(read)(x), module(x))


def test_what_is_decomposed_as_a_whole_keeps_layers(compilations):
    class Changing(nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = nn.GRU(5, 7, batch_first=True)
            self.register_buffer("calls", torch.zeros(()))

        def forward(self, x):
            self.calls.add_(1)
            return self.layer(x)[0] + self.calls

    module = Changing().eval()
    f = bl.from_torch(bl.torch.export(module, (torch.randn(3, 4, 5),), dynamic_shapes=(OPEN,)))
    for calls, shape in enumerate([(2, 6, 5), (1, 1, 5)], 1):
        x = torch.randn(shape)
        torch.testing.assert_close(f(x), module.layer(x)[0] + calls)


def test_pytorch_is_as_before():
    bl.torch.compile(nn.LSTM(5, 7).eval())(torch.randn(4, 3, 5))
    exported = torch.export.export(nn.LSTM(5, 7).eval(), (torch.randn(4, 3, 5),))
    decomposed = exported.run_decompositions()
    names = {str(node.target) for node in decomposed.graph.nodes}
    assert not any("lstm" in name for name in names)


def test_no_steps():
    module = nn.GRU(5, 7, batch_first=True).eval()
    f = bl.from_torch(bl.torch.export(module, (torch.randn(3, 4, 5),), dynamic_shapes=(OPEN,)))
    text = raised(lambda: f(torch.randn(3, 0, 5)), bl.ShapeError)
    assert "a recurrent layer takes at least 1 step, but there are 0" in text


def test_dropout_between_layers_in_training():
    module = nn.LSTM(5, 7, 2, dropout=0.5, batch_first=True)
    exported = bl.torch.export(module, (torch.randn(3, 4, 5),), dynamic_shapes=(OPEN,))
    text = raised(lambda: bl.from_torch(exported), bl.UnsupportedOperations)
    assert "lstm.input: dropout between recurrent layers in training mode; call .eval() on the module" in text


def test_another_argument_of_export():
    with pytest.raises(TypeError, match="unexpected keyword argument 'dynamic_shape'"):
        bl.torch.export(nn.GRU(5, 7), (torch.randn(3, 4, 5),), dynamic_shape=(OPEN,))
