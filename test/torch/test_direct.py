"""Exported programs whose graphs are read as they are, and those that PyTorch has to decompose."""

import broadloom as bl
import pytest
import torch
from broadloom.torch import _direct, _export
from torch.export import Dim, export


def read(exported):
    return _direct.read_directly(exported, _export._list_decompositions())


def is_direct(exported):
    return read(exported) is not None


class Of(torch.nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, x):
        return self.function(x)


def compare(module, *given, shapes=None, direct=True):
    """Compiles an export, and compares it with eager mode on the example and on other extents."""
    torch.manual_seed(0)
    module = module.eval()
    exported = export(module, given, dynamic_shapes=shapes)
    assert is_direct(exported) == direct
    f = bl.from_torch(exported)
    others = [given] if shapes is None else [given, tuple(torch.cat([x, x + 1])[:3] for x in given)]
    for inputs in others:
        with torch.no_grad():
            wanted = module(*(x.clone() for x in inputs))
        torch.testing.assert_close(f(*inputs), wanted, rtol=1e-4, atol=1e-5)
    return exported


def test_a_network():
    module = torch.nn.Sequential(
        torch.nn.Conv2d(3, 8, 3, 2, 1, bias=False),
        torch.nn.BatchNorm2d(8),
        torch.nn.ReLU6(inplace=True),
        torch.nn.Conv2d(8, 8, 3, groups=8),
        torch.nn.Hardswish(inplace=True),
        torch.nn.AdaptiveAvgPool2d(1),
        torch.nn.Flatten(),
        torch.nn.Dropout(),
        torch.nn.Linear(8, 5),
    )
    x = torch.randn(2, 3, 32, 48)
    compare(module, x, shapes=({0: Dim("n", min=1, max=8), 2: Dim.AUTO, 3: Dim.AUTO},))
    compare(module, x)


def test_decompositions_are_not_run(monkeypatch):
    exported = export(torch.nn.Linear(4, 3).eval(), (torch.randn(2, 4),))
    monkeypatch.setattr(_export, "_decompose", None)
    bl.from_torch(exported)


@pytest.mark.parametrize(
    "function",
    [
        lambda x: (x + 1).relu_() * 2,
        lambda x: (x + 1).add_(x).mul_(2.0).sigmoid_(),
        lambda x: (x * 2).clamp_(0, 1),
    ],
)
@pytest.mark.parametrize("shapes", [None, ({0: Dim.DYNAMIC},)], ids=["static", "dynamic"])
def test_new_tensors_that_are_written_to(function, shapes):
    compare(Of(function), torch.randn(3, 4), shapes=shapes)


def before(x):
    y = x + 1
    z = y * 2
    y.relu_()
    return y, z, y + z


def twice(x):
    y = x + 1
    a = y.mul_(2)
    y.add_(1)
    return a, y


def through_dropout(x):
    y = x + 1
    z = torch.nn.functional.dropout(y, training=False)
    z.mul_(2)
    return y, z


@pytest.mark.parametrize("function", [before, twice, through_dropout])
def test_what_reads_memory_before_and_after_it_is_written_to(function):
    compare(Of(function), torch.randn(3, 4))


def view(x):
    y = x + 1
    z = y.view(-1)
    z.mul_(2)
    return y


def view_before(x):
    y = x + 1
    z = y[0]
    y.mul_(2)
    return z


def flattened(x):
    y = x + 1
    z = torch.flatten(y)
    y.mul_(2)
    return z


def promoting(x):
    y = x.half() + 1
    return y.mul_(x)


def part(x):
    y = x + 1
    y[0] = 5
    return y


@pytest.mark.parametrize("function", [view, view_before, flattened, promoting, part])
def test_memory_of_several_tensors_is_left_to_pytorch(function):
    compare(Of(function), torch.randn(3, 4), direct=False)


def test_views_after_all_writing():
    compare(Of(lambda x: (x + 1).relu_().view(-1)[2:]), torch.randn(3, 4))


@pytest.mark.parametrize(
    "function",
    [
        lambda x: torch.nn.functional.pixel_shuffle(x, 2),
        lambda x: torch.nn.functional.instance_norm(x),
        lambda x: x.expand_as(x).type_as(x) + x.view_as(x),
        lambda x: torch.nn.functional.softsign(x) + torch.logaddexp(x, x),
    ],
)
def test_operations_without_a_rule_are_decomposed_alone(function):
    exported = export(Of(function), (torch.randn(2, 4, 6, 6),))
    from broadloom.torch._context import OPERATIONS
    from broadloom.torch._fx import name_of

    names = {name_of(n.target) for n in exported.graph.nodes if n.op == "call_function"}
    assert not names <= OPERATIONS.keys()
    compare(Of(function), torch.randn(2, 4, 6, 6))


def test_open_extents_stay_open():
    """PyTorch's decomposition of an operation asks for extents, and would fix them in all of the program."""
    module = Of(lambda x: torch.nn.functional.interpolate(x.relu(), size=(7, 9), mode="bicubic"))
    f = bl.from_torch(export(module, (torch.randn(2, 3, 12, 9),), dynamic_shapes=({0: Dim.AUTO, 2: Dim.AUTO},)))
    for x in (torch.randn(2, 3, 12, 9), torch.randn(4, 3, 8, 9)):
        torch.testing.assert_close(f(x), module(x))


def test_refusals_stay():
    with pytest.raises(ValueError, match="the exported program changes its inputs x"):
        bl.from_torch(export(Of(lambda x: x.mul_(2)), (torch.randn(3),)))
    training = torch.nn.Sequential(torch.nn.Conv1d(2, 2, 1), torch.nn.BatchNorm1d(2)).train()
    with pytest.raises(bl.UnsupportedOperations, match=r"_native_batch_norm_legit.*call .eval\(\)"):
        bl.from_torch(export(training, (torch.randn(3, 2, 4),)))
    with pytest.raises(bl.UnsupportedOperations, match=r"aten\.(native_dropout|bernoulli)"):
        bl.from_torch(export(torch.nn.Dropout().train(), (torch.randn(3, 4),)))
    with pytest.raises(bl.UnsupportedOperations, match=r"special_airy_ai\.default: the importer has no rule"):
        bl.from_torch(export(Of(torch.special.airy_ai), (torch.randn(3),)))
    f = bl.from_torch(export(torch.nn.Linear(4, 3).eval(), (torch.randn(2, 4),), dynamic_shapes=({0: Dim.DYNAMIC},)))
    with pytest.raises(bl.ShapeError, match=r"argument 'input' has shape 2x5 but the function takes \?x4"):
        f(torch.randn(2, 5))
