"""Views and in-place operations in graphs that are read as they are: what a write changes is what it changes in eager
mode, or PyTorch decomposes the program."""

import random

import broadloom as bl
import pytest
import torch
import torch.nn.functional as F
from test_direct import Of, compare, read
from torch.export import export

MAKE = [
    lambda x: x + 1,
    lambda x: x.relu(),
    lambda x: x @ torch.ones(x.shape[-1], x.shape[-1]),
    lambda x: torch.cat([x, x])[: len(x)],
]
SAME = [
    lambda x: F.dropout(x, training=False),
    lambda x: F.alpha_dropout(x, training=False),
    lambda x: F.dropout(x, training=False, inplace=True),
    lambda x: F.dropout1d(x, training=False) if x.dim() in (2, 3) else F.dropout(x, training=False),
]
VIEW = [
    lambda x: x.view(-1),
    lambda x: x.unsqueeze(0),
    lambda x: x.squeeze(0),
    lambda x: x.mT,
    lambda x: x[0],
    lambda x: x[1:],
    lambda x: x.expand_as(x),
    lambda x: x.expand(2, *x.shape),
    lambda x: x.detach(),
    lambda x: x.contiguous(),
    lambda x: x.mT.contiguous(),
    lambda x: x.reshape(-1),
    lambda x: x.mT.reshape(-1),
    lambda x: x.to(torch.float32),
    lambda x: x.to(torch.float64).to(torch.float32),
    lambda x: x.as_strided((2, 2), (2, 1)),
    lambda x: x.unbind(0)[0],
    lambda x: x.split(1)[-1],
    lambda x: x.chunk(2)[0],
    lambda x: x.tensor_split(2, -1)[-1],
    lambda x: x.flatten(),
    lambda x: x.narrow(0, 0, 1),
    lambda x: x.view_as(x),
    lambda x: x.type_as(x),
    lambda x: x.diagonal(),
    lambda x: x.movedim(0, -1),
    lambda x: torch.atleast_3d(x),
    lambda x: torch.broadcast_tensors(x, torch.ones(()))[0],
    lambda x: torch.ops.aten._unsafe_view(x, [x.numel()]),
    lambda x: torch.unsafe_split(x, 1)[0],
]
WRITE = [
    lambda x, y: x.add_(1),
    lambda x, y: x.mul_(y),
    lambda x, y: x.relu_(),
    lambda x, y: x.copy_(y),
    lambda x, y: x.clamp_(0, 1),
    lambda x, y: x.fill_(3),
    lambda x, y: x.t_() if x.dim() <= 2 else x.sub_(y),
]


def is_written(x):
    """Tells whether each element of a tensor has a place of its own."""
    return all(stride or size == 1 for size, stride in zip(x.shape, x.stride()))


def write_program(seed):
    """Returns a function of a tensor: random steps, that are tried on tensors meanwhile."""
    chance = random.Random(seed)
    steps = [(MAKE[0], 0)]
    given = torch.ones(2, 3)

    def run(x):
        held = [x]
        for step, *operands in steps:
            held.append(step(*(held[at] for at in operands)))
        return tuple(held[1:])

    for _ in range(chance.randint(3, 8)):
        held = [given, *run(given)]
        own = [at for at, x in enumerate(held) if x.data_ptr() and at > 0 and is_written(x)]
        kind = chance.choice([MAKE, SAME, SAME, VIEW, WRITE, WRITE])
        at = chance.choice(own)
        others = [other for other in own if held[other].shape == held[at].shape]
        steps.append((chance.choice(kind), at, *([chance.choice(others)] if kind is WRITE else [])))
        try:
            run(given)
        except (RuntimeError, IndexError):
            steps.pop()
    return run


def test_random_programs():
    direct = 0
    for seed in range(200):
        run = write_program(seed)
        x = torch.randn(2, 3, generator=torch.Generator().manual_seed(seed))
        exported = export(Of(run), (x.clone(),))
        graph = read(exported)
        if graph is not None:
            direct += 1
            found = torch.fx.Interpreter(exported.graph_module, graph=graph).run(x.clone())
            for got, wanted in zip(found, run(x.clone()), strict=True):
                torch.testing.assert_close(got, wanted, msg=lambda text: f"seed {seed}: {text}\n{exported.graph}")
    assert 40 <= direct <= 160


def through_a_view(x):
    y = x + 1
    z = F.dropout(y.unsqueeze(0), training=False)
    y += 1
    return z


def through_two_dropouts(x):
    y = x + 1
    z = F.dropout(F.dropout(y, training=False).view(-1), training=False)
    y.mul_(2)
    return z, y


def unsafe(x):
    y = x + 1
    z = torch.ops.aten._unsafe_view(y, [y.numel()])
    y.mul_(2)
    return z


@pytest.mark.parametrize("function", [through_a_view, through_two_dropouts, unsafe])
def test_views_of_what_is_written_to(function):
    compare(Of(function), torch.randn(3, 4), direct=False)


def test_faults_of_rules_are_told(monkeypatch):
    """Only what a rule refuses is tried again with the operations that PyTorch makes of it."""
    from broadloom.torch._context import OPERATIONS

    def fail(*args):
        raise KeyError("a fault")

    exported = export(Of(lambda x: x.relu()), (torch.randn(3),))
    monkeypatch.setitem(OPERATIONS, "aten.relu.default", (fail, False))
    with pytest.raises(KeyError, match="a fault"):
        bl.from_torch(exported)
