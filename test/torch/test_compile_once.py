"""bl.torch.compile: one compilation, whatever the extents of the first call and of those behind it are."""

import itertools
import threading

import broadloom as bl
import pytest
import torch
import transformers
from torch import nn
from torch.fx.experimental import _config
from torch.nn import functional as F
from transformers.utils import output_capturing


class Images(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv, self.norm, self.last = nn.Conv2d(3, 4, 3, padding=1), nn.BatchNorm2d(4), nn.Linear(4, 2)

    def forward(self, x):
        x = F.max_pool2d(self.norm(self.conv(x)).relu(), 2)
        return self.last(F.interpolate(x, scale_factor=2).mean((2, 3)))


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)

    def forward(self, x):
        return self.layer(x).mean(1)


class Places(nn.Module):
    """Adds tables that are no buffers; a row of inputs is as many as the tables have."""

    def __init__(self):
        super().__init__()
        self.table, self.more = torch.randn(1, 4, 8), {"scales": [torch.randn(1, 1, 8)]}
        self.layer = nn.Linear(8, 3)

    def forward(self, x):
        return self.layer((x + self.table.detach().type_as(x)) * self.more["scales"][0])


MODULES = {
    "places": (Places, [(1, 4, 8), (3, 4, 8), (4, 4, 8)]),
    "images": (Images, [(1, 3, 8, 8), (5, 3, 8, 12), (5, 3, 8, 8), (1, 3, 6, 10), (2, 3, 10, 10)]),
    "attention": (Attention, [(1, 4, 8), (4, 4, 8), (3, 1, 8), (8, 8, 8)]),
    "perceptron": (lambda: nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 3)), [(4, 4), (1, 4), (0, 4), (7, 4)]),
}  # fmt: skip


@pytest.mark.parametrize("name", MODULES)
def test_one_compilation(name, compilations):
    make, shapes = MODULES[name]
    module = make().eval()
    for first, second in itertools.pairwise([shapes, shapes[::-1]]):
        for order in (first, second):
            torch._dynamo.reset()
            compilations.clear()
            f = bl.torch.compile(module)
            for shape in order:
                x = torch.randn(shape)
                torch.testing.assert_close(f(x), module(x), atol=1e-5, rtol=1e-4)
            assert len(compilations) == 1, f"{name}, from {order[0]} on"


def test_two_inputs(compilations):
    f = bl.torch.compile(lambda x, y: x @ y.t() + x.shape[0])
    for a, b, k in ((4, 4, 4), (1, 4, 4), (5, 1, 2), (0, 3, 2), (1, 1, 1)):
        x, y = torch.randn(a, k), torch.randn(b, k)
        torch.testing.assert_close(f(x, y=y), x @ y.t() + a)
    assert len(compilations) == 1


def test_slices_whose_ends_depend_on_extents(compilations):
    """The sign of an index is that of the first call; what is beyond an end is cut off by each call."""

    def cut(x, y):
        a, b = x.shape[1], y.shape[0]
        return x[:, -b:], x[:, : a - b], x[:, b - 3 :], x[:, min(a, b) :], x[:, a // 2 : b]

    f = bl.torch.compile(cut)
    for a, b in ((7, 3), (9, 5), (8, 4), (5, 5), (3, 3)):
        x, y = torch.randn(2, a), torch.randn(b)
        torch.testing.assert_close(f(x, y), cut(x, y))
    assert len(compilations) == 1
    for a, b in ((3, 7), (5, 0), (0, 2), (1, 1)):
        x, y = torch.randn(2, a), torch.randn(b)
        torch.testing.assert_close(f(x, y), cut(x, y))


def test_extents_that_are_computed_to_be_one(compilations):
    """1 - max(0, 1 - n), by which MPT cuts its table, is 1 for all calls but one of nothing."""

    def bias(x):
        n = x.shape[1]
        table = torch.arange(1 - n, 1).view(1, 1, n).float()
        return x @ x.transpose(1, 2) + table[:, max(0, table.shape[1] - n) :, max(0, table.shape[2] - n) :]

    f = bl.torch.compile(bias)
    for shape in ((2, 3, 4), (2, 7, 4), (5, 2, 4), (1, 9, 1)):
        x = torch.randn(shape)
        torch.testing.assert_close(f(x), bias(x))
    assert len(compilations) == 1
    x = torch.randn(2, 0, 4)
    torch.testing.assert_close(f(x), bias(x))


def test_negative_numbers_between_two_graphs(compilations):
    """They are axes and -1 of views, and no extents."""

    def function(x):
        shape, axis = (*x.shape[:-1], -1, 2), -2
        y = x * 2
        torch._dynamo.graph_break()
        return y.view(shape).sum(axis)

    f = bl.torch.compile(function)
    for shape in ((2, 3, 4), (1, 5, 8), (4, 1, 2)):
        x = torch.randn(shape)
        torch.testing.assert_close(f(x), function(x))
    assert len(compilations) == 2


def test_negative_arguments_are_numbers_of_each_call(compilations):
    f = bl.torch.compile(lambda x, n: x + n)
    for n in (-2, -3, -5, -1, -9):
        x = torch.randn(3, 4)
        torch.testing.assert_close(f(x, n), x + n)
    assert len(compilations) <= 2


def test_transformers_is_changed_while_a_module_is_compiled_alone(compilations):
    install = output_capturing.maybe_install_capturing_hooks
    f = bl.torch.compile(lambda x: x * 2)
    assert not hasattr(install, "_dynamo_marked_constant")
    f(torch.ones(3))
    assert not hasattr(install, "_dynamo_marked_constant")


def test_models_that_install_hooks_in_their_first_call(compilations):
    """Models of transformers collect states by hooks, which are installed when states are asked for, once."""
    sizes = dict(hidden_size=8, num_hidden_layers=2, num_attention_heads=2, intermediate_size=8)
    model = transformers.BertModel(transformers.BertConfig(vocab_size=9, **sizes)).eval()
    f = bl.torch.compile(model)
    for shape in ((1, 3), (2, 5)):
        tokens = torch.randint(9, shape)
        found = f(tokens, output_hidden_states=True).hidden_states
        expected = model(tokens, output_hidden_states=True).hidden_states
        assert len(found) == len(expected) == 3
        torch.testing.assert_close(found, expected, atol=1e-5, rtol=1e-4)
    assert len(compilations) == 1


def test_others_keep_their_settings(compilations):
    """What torch.compile compiles meanwhile is compiled as torch has it."""
    seen = []

    def look(graph, inputs):
        seen.append((_config.backed_size_oblivious, _config.use_duck_shape))
        return graph

    f, g = bl.torch.compile(lambda x: x * 2), torch.compile(lambda x: x + 1, backend=look)
    f(torch.ones(3))
    g(torch.ones(3))
    threads = [threading.Thread(target=lambda n=n: f(torch.ones(n))) for n in (1, 2, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == [(False, True)] and len(compilations) == 1
    assert (_config.backed_size_oblivious, _config.use_duck_shape) == (False, True)


def test_others_choose_their_kernels():
    """While a module is compiled, other threads get PyTorch's own answers."""
    seen, answers = threading.Event(), []
    own = torch._C._select_conv_backend
    given = (torch.ones(1, 3, 8, 8), torch.ones(4, 3, 3, 3), None, [1, 1], [0, 0], [1, 1], False, [0, 0], 1)
    wanted = own(*given)
    assert wanted is not None

    def ask():
        answers.append(torch._C._select_conv_backend(*given))
        seen.set()

    def look(graph, inputs):
        answers.append(torch._C._select_conv_backend(*given))
        threading.Thread(target=ask).start()
        assert seen.wait(60)
        return graph

    from broadloom.torch._compiled import compile_once

    compile_once(lambda x: x + 1, look, {})(torch.ones(3))
    assert answers == [None, wanted]
    assert torch._C._select_conv_backend is own


def test_gradients_are_left_out():
    layer = nn.Linear(3, 2)
    with torch.enable_grad():
        assert not bl.torch.compile(layer)(torch.ones(2, 3)).requires_grad


def test_arguments():
    with pytest.raises(TypeError, match="thread"):
        bl.torch.compile(nn.ReLU(), thread=2)
    with pytest.raises((ValueError, TypeError), match="threads"):
        bl.torch.compile(nn.ReLU(), threads=-1)
    f = bl.torch.compile(lambda x: torch.special.airy_ai(x * 2) + 1, fallback="eager")
    torch.testing.assert_close(f(torch.ones(3)), torch.special.airy_ai(torch.full((3,), 2.0)) + 1)
