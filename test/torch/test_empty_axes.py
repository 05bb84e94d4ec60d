"""Modules whose Python asks whether an axis is empty: the answer is the call's, and not the example's."""

import itertools

import broadloom as bl
import pytest
import torch
from torch.export import Dim

#: What is asked of a number n, which is 0 for an empty axis. Each gives a condition, or another number.
QUESTIONS = {
    "n == 0": lambda n: n == 0,
    "0 != n": lambda n: 0 != n,
    "n > 0": lambda n: n > 0,
    "n >= 1": lambda n: n >= 1,
    "n < 1": lambda n: n < 1,
    "n <= 0": lambda n: n <= 0,
    "n <= -n": lambda n: n <= -n,
    "n - 1 >= 0": lambda n: n - 1 >= 0,
    "n + n > n": lambda n: n + n > n,
    "(n + 1) // 2": lambda n: (n + 1) // 2 > 0,
    "not n": lambda n: not n,
    "bool(n)": bool,
    "n or 7": lambda n: n or 7,
    "n and 7": lambda n: n and 7,
    "max(1, n)": lambda n: max(1, n),
    "min(n, 1)": lambda n: min(n, 1),
    "sym_max": lambda n: torch.sym_max(n, 1),
    "n in (0, 9)": lambda n: n in (0, 9),
    "any": lambda n: any(k == 0 for k in (n, 3)),
    "abs(n)": lambda n: abs(n) > 0,
}
#: Where the number is from.
NUMBERS = {
    "shape[0]": lambda x: x.shape[0],
    "size(1)": lambda x: x.size(1),
    "len": len,
    "numel": torch.numel,
    "product": lambda x: x.shape[0] * x.shape[1],
    "of a result": lambda x: torch.cat([x, x]).t().shape[1],
}
EXTENTS = (0, 1, 2, 5)
SHAPES = list(itertools.product(EXTENTS, (0, 1, 3)))


class Asking(torch.nn.Module):
    def __init__(self, question, number):
        super().__init__()
        self.question, self.number = question, number

    def forward(self, x):
        found = self.question(self.number(x))
        if isinstance(found, (bool, torch.SymBool)):
            # As a branch and as a number.
            return (x.sum() + 1, x * 2) if found else (x.sum() - 1, x + 2)
        return x.sum() + found, x * found


def check(f, module, shape):
    x = torch.randn(shape)
    torch.testing.assert_close(f(x), module(x))


CASES = list(itertools.product(QUESTIONS, NUMBERS))


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("question", QUESTIONS)
def test_compiled(question, number, compilations):
    """There is a program for some elements, and one for none where the answer is another."""
    module = Asking(QUESTIONS[question], NUMBERS[number])
    for first in ((2, 3), (1, 1), (0, 3)):
        torch._dynamo.reset()
        compilations.clear()
        f = bl.torch.compile(module)
        for shape in (first, *SHAPES):
            check(f, module, shape)
        # An axis that is empty, and another one where that is asked of both. PyTorch asks for itself in `cat`.
        assert len(compilations) <= {"numel": 3, "product": 3, "of a result": 4}.get(number, 2)


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("question", QUESTIONS)
def test_exported(question, number):
    """A call gives what the module gives, or is refused by the condition that the export has noted."""
    module = Asking(QUESTIONS[question], NUMBERS[number])
    for first in ((2, 3), (1, 1), (0, 3)):
        open_ = ({0: Dim.AUTO, 1: Dim.AUTO},)
        f = bl.from_torch(bl.torch.export(module, (torch.randn(first),), dynamic_shapes=open_))
        served = 0
        for shape in SHAPES:
            try:
                check(f, module, shape)
                served += 1
            except bl.ShapeError as error:
                assert shape != first and (f.fixed or "is at least" in str(error) or "at most" in str(error)), error
        assert served


@pytest.mark.parametrize("question", QUESTIONS)
def test_backend(question, backend):
    """As torch.compile has it with the backend alone."""
    module = Asking(QUESTIONS[question], NUMBERS["shape[0]"])
    f = torch.compile(module, backend=backend, dynamic=True)
    for shape in ((2, 3), *SHAPES):
        check(f, module, shape)


def test_nothing_is_asked(compilations):
    """A module that does not ask has one program."""
    module = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.LayerNorm(4), torch.nn.GELU()).eval()
    f = bl.torch.compile(module)
    g = bl.from_torch(bl.torch.export(module, (torch.randn(2, 3),), dynamic_shapes=({0: Dim.AUTO},)))
    for count in EXTENTS:
        check(f, module, (count, 3))
        check(g, module, (count, 3))
    assert len(compilations) == 2 and all(fixed.axis == 1 for fixed in g.fixed)


def test_no_boxes():
    """torchvision's own Python asks whether there are boxes, of which it takes the largest coordinate."""
    boxes = pytest.importorskip("torchvision.ops.boxes")
    function = lambda x, scores, kinds: boxes._batched_nms_coordinate_trick(x, scores, kinds, 0.5)
    f = bl.torch.compile(function)
    for count in (3, 0, 5, 1):
        x = torch.rand(count, 4)
        inputs = torch.cat([x[:, :2], x[:, :2] + x[:, 2:]], 1), torch.rand(count), torch.zeros(count, dtype=torch.long)
        torch.testing.assert_close(f(*inputs), function(*inputs))
