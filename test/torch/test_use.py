"""Tests what users do beside calling, and what they do wrong."""

import re

import broadloom as bl
import numpy as np
import pytest
import torch
from exports import export, raised
from torch import nn
from torch.export import Dim

# Weights.


def test_weights_are_shared_and_may_change(backend):
    module = nn.Linear(4, 3).eval()
    f = bl.from_torch(export(module, torch.randn(2, 4)))
    g = torch.compile(module, backend=backend, dynamic=True)
    x = torch.randn(5, 4)
    for _ in range(2):
        torch.testing.assert_close(f(x), module(x))
        torch.testing.assert_close(g(x), module(x))
        module.weight.mul_(2)
        module.bias.add_(1)


class Layers(nn.Module):
    """Weights of products and of windows."""

    def __init__(self):
        super().__init__()
        self.first = nn.Conv2d(3, 40, 3, padding=1)
        self.norm = nn.BatchNorm2d(40)
        self.second = nn.Linear(40, 30)

    def forward(self, x):
        return self.second(self.norm(self.first(x)).mean((2, 3)))


def test_weights_that_change_between_calls(backend):
    module = Layers().eval()
    f = bl.from_torch(export(module, torch.randn(2, 3, 8, 8)))
    g = torch.compile(module, backend=backend, dynamic=True)
    x = torch.randn(3, 3, 8, 8)
    for step in range(6):
        for _ in range(2):
            torch.testing.assert_close(f(x), module(x), rtol=1e-4, atol=1e-5)
            torch.testing.assert_close(g(x), module(x), rtol=1e-4, atol=1e-5)
        # Memory that one step frees is what the next one may take.
        if step % 2:
            module.first.weight.add_(0.5)
            module.second.weight.mul_(-1)
        else:
            module.load_state_dict({k: v * 1.5 for k, v in module.state_dict().items()})
            module.first.weight.data = torch.randn(40, 3, 3, 3)


def test_a_saved_function_takes_other_weights(tmp_path):
    module = nn.Conv2d(3, 40, 3).eval()
    f = bl.from_torch(export(module, torch.randn(2, 3, 8, 8)))
    assert "{loom.constant}" in f.mlir
    x = torch.randn(2, 3, 8, 8)
    torch.testing.assert_close(f(x), module(x))
    f.save(tmp_path / "model.blm")
    g = bl.load(tmp_path / "model.blm")
    given = [np.array(one) for one in f._compiled.weights.bind()]
    for _ in range(2):
        wanted = g(x.numpy(), *given)
        np.testing.assert_allclose(wanted, module(x).numpy(), rtol=1e-4, atol=1e-5)
        for one in given:
            one *= 2
        module.weight.mul_(2)
        module.bias.mul_(2)


def test_inference_mode(backend):
    with torch.inference_mode():
        module = nn.Linear(4, 3).eval()
        f = torch.compile(module, backend=backend, dynamic=True)
        x = torch.randn(5, 4)
        torch.testing.assert_close(f(x), module(x))


def test_changes_of_inference_tensors(backend):
    with torch.inference_mode():
        module = nn.Sequential(nn.Conv2d(3, 4, 1), nn.BatchNorm2d(4)).eval()
        f = torch.compile(module, backend=backend, dynamic=True)
        x = torch.randn(2, 3, 5, 6)
        for _ in range(2):
            torch.testing.assert_close(f(x), module(x))
            module[0].weight.mul_(2)
            module[1].running_var.add_(1)


def test_changes_that_torch_does_not_count(backend):
    module = nn.Linear(4, 3).eval()
    f = bl.from_torch(export(module, torch.randn(2, 4)))
    g = torch.compile(module, backend=backend, dynamic=True)
    x = torch.randn(5, 4)
    for _ in range(2):
        torch.testing.assert_close(f(x), module(x))
        torch.testing.assert_close(g(x), module(x))
        module.weight.data.mul_(2)
        module.bias.detach().numpy()[:] = 7
        bl.torch.refresh()
    module.weight.data.mul_(2)
    f.refresh()
    torch.testing.assert_close(f(x), module(x))


@pytest.mark.parametrize("optimizer", [torch.optim.Adam, torch.optim.AdamW, torch.optim.SGD, torch.optim.Adagrad])
@pytest.mark.parametrize("how", [{"fused": True}, {"foreach": True}, {}], ids=["fused", "foreach", "single"])
def test_steps_of_optimizers(optimizer, how, backend):
    module, other = nn.Linear(64, 32).eval(), nn.Linear(4, 3).eval()
    f, h = bl.from_torch(export(module, torch.randn(2, 64))), bl.from_torch(export(other, torch.randn(2, 4)))
    g = torch.compile(module, backend=backend, dynamic=True)
    x = torch.randn(5, 64)
    steps = optimizer(module.parameters(), lr=0.5, **how)
    h(torch.randn(2, 4))
    kept = h._compiled.weights.bind()
    for _ in range(3):
        torch.testing.assert_close(f(x), module(x))
        torch.testing.assert_close(g(x), module(x))
        for weight in module.parameters():
            weight.grad = torch.randn(weight.shape)
        steps.step()
    torch.testing.assert_close(f(x), module(x))
    assert h._compiled.weights.bind() is kept


def test_a_weight_in_its_own_layout_is_not_copied():
    module = nn.Embedding(7, 4).eval()
    f = bl.from_torch(export(module, torch.tensor([1, 2, 3])))
    (bound,) = f._compiled.weights.bind()
    assert np.shares_memory(bound, module.weight.detach().numpy())


def test_results_own_their_memory_and_views_are_taken():
    f = bl.from_torch(export(nn.ReLU(), torch.randn(4, 6)))
    x = torch.randn(12, 6)[::2]
    y = f(x)
    torch.testing.assert_close(y, x.relu())
    torch.testing.assert_close(f(torch.randn(6, 9).t()[:, :6] * 0), torch.zeros(9, 6))
    y.add_(1)


def test_forms_of_arguments_and_results():
    class Pairs(nn.Module):
        def forward(self, x, more):
            return {"sum": x + more["a"], "size": x.shape[0], "both": [x * 2, None]}

    x, more = torch.randn(3, 2), {"a": torch.randn(3, 2)}
    exported = torch.export.export(
        Pairs(), (x, more), dynamic_shapes=({0: Dim("n", min=1)}, {"a": {0: Dim("n", min=1)}})
    )
    f = bl.from_torch(exported)
    y = torch.randn(5, 2)
    got = f(y, {"a": y})
    torch.testing.assert_close(got["sum"], y + y)
    torch.testing.assert_close(got["both"][0], y * 2)
    assert got["size"] == 5 and got["both"][1] is None
    for args, kwargs, message in (
        ((y,), {}, "exported for the arguments (x, more), but is called with 1 by position; give all in that form"),
        ((y,), {"more": {"a": y}}, "(x, more), but is called with 1 by position, more=...; give"),
        ((y, {"b": y}), {}, "exported for 'more' of the form {'a': '*'}, but is called with {'b': '*'}; * is a tensor"),
        ((y, y), {}, "exported for 'more' of the form {'a': '*'}, but is called with *;"),
    ):
        with pytest.raises(TypeError, match=re.escape(message)):
            f(*args, **kwargs)


def test_shapes_are_checked_by_each_call():
    n = Dim("n", min=1, max=8)

    class Add(nn.Module):
        def forward(self, x, y):
            return x + y

    f = bl.from_torch(export(Add(), torch.randn(3, 2), torch.randn(3, 2), dynamic=({0: n}, {0: n})))
    with pytest.raises(
        bl.ShapeError, match="argument 'y', axis 0 has extent 4, but 'n' is 3, the extent of axis 0 of argument 'x'"
    ):
        f(torch.randn(3, 2), torch.randn(4, 2))
    with pytest.raises(bl.ShapeError, match="axis 0 has extent 9"):
        f(torch.randn(9, 2), torch.randn(9, 2))


class Fixing(nn.Module):
    """With a line that fixes the first extent of x."""

    def forward(self, x, more, z):
        if x.shape[0] == 3:
            x = x + 1
        return x.reshape(6, -1), more["a"][0] * 2, z


def exportFixing():
    inputs = torch.randn(3, 4), {"a": [torch.randn(1, 4)]}, torch.randn(5, 2)
    open_ = {0: Dim.AUTO, 1: Dim.AUTO}
    return torch.export.export(Fixing(), inputs, dynamic_shapes=(open_, {"a": [open_]}, {1: Dim.DYNAMIC}))


def test_what_an_export_has_fixed():
    f = bl.from_torch(exportFixing())
    assert [row[:4] for row in f.fixed[:3]] == [("x", 0, 3, True), ("more['a'][0]", 0, 1, False), ("z", 0, 5, False)]
    # What reshape relies on.
    assert "3 * x.shape[1] % 6 == 0" in [row.condition for row in f.fixed[3:]]
    line = Fixing.forward.__code__.co_firstlineno + 1
    assert f.fixed[0].location == f"{__file__}:{line}"
    report = f.check()
    assert report.counts["fixed"] == 3 and [row.axis for row in report][:3] == [row.axis for row in f.fixed[:3]]
    assert report[0].constraint == "axis 0 of argument 'x' is 3" and report[0].location == f.fixed[0].location
    text = str(report)
    assert "although dynamic_shapes leaves it open" in text and f"test_use.py:{line}\n" in text
    assert "export with an example whose extent is 2 or more" in " ".join(text.split())


def test_what_a_saved_export_has_fixed(tmp_path):
    torch.export.save(exportFixing(), tmp_path / "model.pt2")
    f = bl.from_torch(torch.export.load(tmp_path / "model.pt2"))
    assert [row[:4] for row in f.fixed[:3]] == [("x", 0, 3, True), ("more['a'][0]", 0, 1, False), ("z", 0, 5, False)]
    assert [row.condition for row in f.fixed] == [row.condition for row in bl.from_torch(exportFixing()).fixed]
    assert bl.from_torch(export(nn.ReLU(), torch.randn(3), dynamic=({0: Dim("n")},))).fixed == ()


@pytest.mark.parametrize("name, given", [("k", 5), ("k", 3.0), ("z", torch.ones(2)), ("k", True)])
def test_arguments_that_an_export_has_made_constants(name, given):
    class Times(nn.Module):
        def forward(self, x, *, k=1, z=None):
            return x * k + (0 if z is None else z)

    x = torch.randn(4, 2)
    exported = torch.export.export(
        Times(), (x,), {"k": 3, "z": None}, dynamic_shapes={"x": {0: Dim.AUTO}, "k": None, "z": None}
    )
    f = bl.from_torch(exported)
    torch.testing.assert_close(f(x, k=3, z=None), x * 3)
    with pytest.raises(ValueError, match=f"argument '{name}' is .* in the exported program, but .* is given"):
        f(x, **{"k": 3, "z": None, name: given})


def test_the_backend_is_found_by_its_name(tmp_path, monkeypatch):
    """As by an installed package."""
    import os
    import tomllib

    root = os.path.join(os.path.dirname(__file__), os.pardir, os.pardir)
    with open(os.path.join(root, "pyproject.toml"), "rb") as file:
        points = tomllib.load(file)["project"]["entry-points"]["torch_dynamo_backends"]
    folder = tmp_path / "broadloom-0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Name: broadloom\nVersion: 0\n")
    lines = "".join(f"{name} = {target}\n" for name, target in points.items())
    (folder / "entry_points.txt").write_text("[torch_dynamo_backends]\n" + lines)
    monkeypatch.syspath_prepend(tmp_path)
    from torch._dynamo.backends import registry

    registry._lazy_import.cache_clear()
    registry._discover_entrypoint_backends.cache_clear() if hasattr(
        registry._discover_entrypoint_backends, "cache_clear"
    ) else None
    registry._discover_entrypoint_backends()
    f = torch.compile(nn.ReLU(), backend="broadloom", dynamic=True)
    torch.testing.assert_close(f(torch.ones(3, 2)), torch.ones(3, 2))


# Tensors that are neither inputs nor parameters.


@pytest.mark.parametrize("fallback", [None, "eager"])
def test_tensors_that_forward_makes(backend, fallback):
    table = list(range(100))

    def made(x):
        return x[torch.tensor([0, 2])] * torch.tensor([1.0, 2, 3, 4]) + torch.tensor(table)[:4], torch.lgamma(x)

    def without(x):
        return made(x)[0]

    function, options = (made, {"fallback": "eager"}) if fallback else (without, None)
    f = torch.compile(function, backend=backend, dynamic=True, options=options)
    for n in 3, 7:
        x = torch.randn(n, 4)
        torch.testing.assert_close(f(x), function(x))


class Scaled(nn.Module):
    """With a tensor that is neither a parameter nor a buffer."""

    def __init__(self):
        super().__init__()
        self.c = torch.ones(4)

    def forward(self, x):
        return x * self.c + torch.tensor([1.0, 2, 3, 4])


def test_attributes_are_shared_too(backend):
    module = Scaled()
    x = torch.randn(5, 4)
    f = bl.from_torch(export(module, torch.randn(2, 4)))
    g = torch.compile(module, backend=backend, dynamic=True)
    constant = bl.from_torch(export(module, torch.randn(2, 4)), weights="constant")
    before = module(x)
    for _ in range(2):
        torch.testing.assert_close(f(x), module(x))
        torch.testing.assert_close(g(x), module(x))
        torch.testing.assert_close(constant(x), before)
        module.c.mul_(5)


def test_an_operation_without_a_rule(backend):
    def choose(x):
        return torch.special.airy_ai(x) * 3

    x = torch.rand(3, 4)
    message = raised(lambda: torch.compile(choose, backend=backend, dynamic=True)(x), bl.UnsupportedOperations)
    assert "special_airy_ai.default: the importer has no rule for it" in message
    f = torch.compile(choose, backend=backend, dynamic=True, options={"fallback": "eager"})
    torch.testing.assert_close(f(x), choose(x))
