"""Batch norms behind convolutions, which are part of the convolutions' weights where both are weights of f32."""

import broadloom as bl
import pytest
import torch
import torch.nn.functional as F
from broadloom.torch import _calls
from exports import export
from torch import nn

IMAGE = torch.randn(2, 6, 9, 8)


def train(module):
    """Gives norms statistics that are no identity."""
    for norm in module.modules():
        if isinstance(norm, nn.modules.batchnorm._BatchNorm):
            norm.running_mean.uniform_(-1, 1)
            norm.running_var.uniform_(0.2, 3)
            if norm.affine:
                norm.weight.uniform_(-2, 2)
                norm.bias.uniform_(-1, 1)
    return module.eval()


def is_folded(f):
    return "batch_norm" not in f.mlir


@pytest.mark.parametrize(
    "module, x",
    [
        (nn.Sequential(nn.Conv2d(6, 10, 3, padding=1), nn.BatchNorm2d(10), nn.ReLU()), IMAGE),
        (nn.Sequential(nn.Conv2d(6, 10, 3, bias=False), nn.BatchNorm2d(10, eps=0.1)), IMAGE),
        (nn.Sequential(nn.Conv2d(6, 12, 3, groups=3), nn.BatchNorm2d(12)), IMAGE),
        (nn.Sequential(nn.Conv2d(6, 6, 3, groups=6), nn.BatchNorm2d(6, affine=False)), IMAGE),
        (nn.Sequential(nn.Conv1d(6, 5, 3), nn.BatchNorm1d(5)), torch.randn(2, 6, 9)),
        (
            nn.Sequential(nn.Conv3d(6, 5, 2), nn.BatchNorm3d(5), nn.Conv3d(5, 4, 1), nn.BatchNorm3d(4)),
            torch.randn(2, 6, 4, 5, 3),
        ),
    ],
)
def test_norms_behind_convolutions(backend, module, x):
    f, g = bl.from_torch(export(train(module), x)), torch.compile(module, backend=backend, dynamic=True)
    constant = bl.from_torch(export(module, x), weights="constant")
    assert is_folded(f) and is_folded(constant)
    for _ in range(2):
        for batch in (2, 5):
            given = torch.randn(batch, *x.shape[1:])
            torch.testing.assert_close(f(given), module(given), rtol=1e-4, atol=1e-5)
            torch.testing.assert_close(g(given), module(given), rtol=1e-4, atol=1e-5)
        # Changes of any part count.
        module[0].weight.mul_(0.5)
        module[1].running_mean.add_(0.25)
        module[1].running_var.mul_(2)


class Twice(nn.Module):
    def __init__(self):
        super().__init__()
        self.one, self.two = nn.Conv2d(6, 5, 1), nn.BatchNorm2d(5)

    def forward(self, x):
        y = self.one(x)
        return self.two(y) + y


class Given(nn.Module):
    def __init__(self):
        super().__init__()
        self.one = nn.Conv2d(6, 5, 1)

    def forward(self, x, mean):
        return F.batch_norm(self.one(x), mean, torch.ones(5))


class Kept(nn.Module):
    """The result of the convolution is written to a buffer besides."""

    def __init__(self):
        super().__init__()
        self.one, self.two = nn.Conv2d(6, 5, 1), nn.BatchNorm2d(5)
        self.register_buffer("last", torch.zeros(2, 5, 9, 8))

    def forward(self, x):
        y = self.one(x)
        self.last.copy_(y)
        return self.two(y)


def test_a_result_that_is_kept():
    module = train(Kept())
    f = bl.from_torch(export(module, IMAGE))
    assert not is_folded(f)
    torch.testing.assert_close(f(IMAGE), module(IMAGE), rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(torch.from_numpy(f.variables["last"]), module.last, rtol=1e-4, atol=1e-5)


class Branching(nn.Module):
    """Graphs inside have a norm or a convolution with the name of one outside."""

    def __init__(self, then, is_between):
        super().__init__()
        self.one, self.two, self.then = nn.Conv2d(6, 6, 1), nn.BatchNorm2d(6), then
        self.is_between = is_between

    def branch(self, x):
        return torch.cond(x.sum() > -1e9, lambda a: self.then(a), lambda a: a + 1, (x,))

    def forward(self, x):
        y = self.one(x)
        z = self.branch(x) if self.is_between else 0
        y = self.two(y)
        return y + z if self.is_between else self.branch(y)


class Looping(nn.Module):
    def __init__(self):
        super().__init__()
        self.one, self.two, self.three = nn.Conv2d(6, 6, 1), nn.BatchNorm2d(6), nn.BatchNorm2d(6)

    def forward(self, x):
        y = self.two(self.one(x))
        step = lambda i, a: (i + 1, self.three(a))
        return torch._higher_order_ops.while_loop(lambda i, a: i < 3, step, (torch.tensor(0), y))[1]


@pytest.mark.parametrize(
    "module",
    [
        Branching(nn.BatchNorm2d(6), False),
        Branching(nn.BatchNorm2d(6), True),
        Branching(nn.Conv2d(6, 6, 1), False),
        Branching(nn.Conv2d(6, 6, 1), True),
        Branching(nn.Sequential(nn.Conv2d(6, 6, 1), nn.BatchNorm2d(6)), True),
        Looping(),
    ],
)
def test_graphs_inside(module):
    f = bl.from_torch(export(train(module), IMAGE))
    torch.testing.assert_close(f(IMAGE), module(IMAGE), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(
    "module, given",
    [
        # Without an axis of images, the norm's channels are rows of each image.
        (nn.Sequential(nn.Conv2d(6, 5, 3, padding=1), nn.BatchNorm1d(5)), (torch.randn(6, 5, 4),)),
        (nn.Sequential(nn.Conv3d(6, 5, 1), nn.BatchNorm2d(5)), (torch.randn(6, 5, 4, 3),)),
        (Twice(), (IMAGE,)),
        (Given(), (IMAGE, torch.randn(5))),
        (nn.Sequential(nn.BatchNorm2d(6), nn.Conv2d(6, 5, 1)), (IMAGE,)),
        (nn.Sequential(nn.Conv2d(6, 5, 1), nn.ReLU(), nn.BatchNorm2d(5)), (IMAGE,)),
        (nn.Sequential(nn.ConvTranspose2d(6, 5, 2, 2), nn.BatchNorm2d(5)), (IMAGE,)),
    ],
)
def test_norms_that_stay(module, given):
    f = bl.from_torch(
        export(train(module), *given, dynamic=tuple({0: torch.export.Dim.AUTO} if x.dim() > 1 else None for x in given))
    )
    assert not is_folded(f)
    torch.testing.assert_close(f(*given), module(*given), rtol=1e-4, atol=1e-5)


def test_short_floats_stay():
    module = train(nn.Sequential(nn.Conv2d(6, 5, 1), nn.BatchNorm2d(5))).half()
    f = bl.from_torch(export(module, IMAGE.half()))
    assert not is_folded(f)
    torch.testing.assert_close(f(IMAGE.half()).float(), module.float()(IMAGE), rtol=2e-2, atol=2e-2)


def test_weights_of_groups_are_computed_once(monkeypatch):
    """However many groups a folded convolution has, its weight is multiplied by the norm's factor once."""
    steps = []
    for name in ("multiply", "rsqrt"):
        step = _calls._STEPS[name]
        monkeypatch.setitem(
            _calls._STEPS, name, lambda *operands, name=name, step=step: steps.append(name) or step(*operands)
        )
    counts = []
    for groups in (2, 8, 16):
        module = train(nn.Sequential(nn.Conv2d(16, 32, 3, groups=groups), nn.BatchNorm2d(32)))
        x = torch.randn(2, 16, 9, 8)
        f = bl.from_torch(export(module, x))
        # And again where they have changed.
        for _ in range(2):
            steps.clear()
            torch.testing.assert_close(f(x), module(x), rtol=1e-4, atol=1e-5)
            counts.append(sorted(steps))
            with torch.no_grad():
                module[0].weight.mul_(2)
    assert counts[0].count("rsqrt") == 1
    assert counts == counts[:1] * 6
