"""Results of as many elements as data decides, against eager mode: from one compilation, of all extents."""

import broadloom as bl
import pytest
import torch
from exports import raised
from torch.export import Dim
from torch.fx.experimental import _config


class Call(torch.nn.Module):
    """As that of exports.py, in this file, which messages name."""

    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *inputs):
        return self.function(*inputs)


def compile_for(function, *inputs, is_open=True):
    dynamic = tuple({axis: Dim.AUTO(min=0, max=64) for axis in range(x.dim())} for x in inputs)
    with _config.patch(backed_size_oblivious=True):
        return bl.from_torch(
            torch.export.export(Call(function), inputs, dynamic_shapes=(dynamic,) if is_open else None)
        )


def put_twice(x):
    y = x.clone()
    y[x > 0] = y[x > 0] * 2
    return y


CASES = {
    "nonzero": lambda x: (x.clamp(min=0).nonzero(), torch.where(x > 0), (x > 0).sum().nonzero()),
    "masks": lambda x: (x[x > 0], x.masked_select(x > 0.5), x[:, x.sum(0) > 0], x[x.sum(1) > 0] * 2),
    "masks beside others": lambda x: x[x.sum(1) > 0, torch.zeros(1, dtype=torch.long)],
    "sum of a mask": lambda x: ((x[x > 0] * 2).sum(), x[x > 0].shape[0]),
    "put at a mask": put_twice,
    "put rows at a mask": lambda x: x.index_put((x.sum(1) > 0,), x[x.sum(1) > 0] + 1),
    "add rows at a mask": lambda x: x.index_put((x.sum(1) > 0,), x[x.sum(1) > 0] + 1, accumulate=True),
    "sorted": lambda x: x[x > 0].sort()[0],
    "unique": lambda x: torch.unique(x.round(), return_inverse=True, return_counts=True),
    "unique columns": lambda x: torch.unique(x.sign(), dim=1, return_counts=True),
    "unique runs": lambda x: torch.unique_consecutive(x.sign(), return_inverse=True, return_counts=True),
    "unique rows in runs": lambda x: torch.unique_consecutive(x.sign(), dim=0),
    "repeated": lambda x: x.repeat_interleave((x.abs().sum(1) % 4).long(), 0),
    "repeated by a number": lambda x: x.repeat_interleave(3, 1),
    "histogram": lambda x: (x.histc(5), x.histc(7, -1, 1), x.histc(3, 0.5, 0.5)),
    "counts": lambda x: (torch.bincount((x.flatten().abs() * 3).long()), torch.bincount(x.flatten().abs().long(), minlength=9)),
    "weighted counts": lambda x: torch.bincount(x.flatten().abs().long(), x.flatten().double(), 9).float(),
    "number": lambda x: (x * x.sum().item(), (x > 0).float().sum().item() / 2, (x > 0).sum().item(), (x > 0).any().item()),
    "number of a number": lambda x: ((x > 0).sum().item() * 2 + x.shape[0], x + (x > 0).sum().item()),
}  # fmt: skip
SHAPES = ((3, 4), (5, 7), (1, 1), (0, 3), (3, 0), (1, 9), (16, 2))


@pytest.mark.parametrize("name", CASES)
def test_open_extents(name):
    function = CASES[name]
    f = compile_for(function, torch.randn(3, 4))
    for shape in SHAPES:
        for x in (torch.randn(shape), torch.zeros(shape), torch.ones(shape)):
            try:
                expected = function(x)
            except (RuntimeError, IndexError):
                # Eager mode has no rows of no columns.
                continue
            torch.testing.assert_close(f(x), expected)


@pytest.mark.parametrize("shape", ((3, 4), (1, 1), (0, 3)))
@pytest.mark.parametrize("name", [name for name in CASES if name != "unique columns"])
def test_known_extents(name, shape):
    x, function = torch.randn(shape), CASES[name]
    torch.testing.assert_close(compile_for(function, x, is_open=False)(x), function(x))


def test_numbers_as_extents():
    def function(x, i):
        n = i[0].item()
        torch._check(n >= 0)
        torch._check(n <= 5)
        return torch.zeros(n) + x.sum(), torch.arange(n), n

    f = compile_for(function, torch.randn(3, 4), torch.tensor([3, 1]))
    for n in (3, 0, 1, 5):
        x, i = torch.randn(2, 3), torch.tensor([n, 9])
        torch.testing.assert_close(f(x, i), function(x, i))
    for n, condition in ((6, "_local_scalar_dense <= 5"), (-1, "_local_scalar_dense >= 0")):
        message = raised(lambda n=n: f(torch.randn(2, 3), torch.tensor([n])), bl.ShapeError)
        assert f"_local_scalar_dense is {n}, but what was traced holds where {condition} alone" in message
        assert "test_counted.py:" in message


def test_a_part_of_a_number_of_elements():
    def function(x, i):
        n = i.sum().item()
        torch._check(n >= 0)
        torch._check(n <= x.shape[0])
        return x[:n] * 2, x.narrow(0, 0, n)

    f = compile_for(function, torch.randn(6, 4), torch.tensor([3, 1]))
    for n in (3, 0, 6):
        x, i = torch.randn(6, 3), torch.tensor([n, 0])
        torch.testing.assert_close(f(x, i), function(x, i))
    with pytest.raises(bl.ShapeError, match="is 7"):
        f(torch.randn(6, 3), torch.tensor([7]))


def test_what_does_not_fit():
    f = compile_for(lambda x, i: x.repeat_interleave(i, 0), torch.randn(3, 4), torch.tensor([1, 2, 0]))
    with pytest.raises(bl.ShapeError, match="repeats can not be negative"):
        f(torch.randn(3, 4), torch.tensor([1, -1, 0]))
    f = compile_for(lambda x: torch.bincount(x), torch.tensor([1, 2, 0]))
    with pytest.raises(bl.ShapeError, match="the numbers to count must not be negative"):
        f(torch.tensor([1, -1]))
    f = compile_for(lambda x: torch.histc(x, 3), torch.randn(3))
    with pytest.raises(bl.ShapeError, match="the least and the largest element of a histogram must be finite"):
        f(torch.tensor([1.0, float("inf")]))


def test_compiled(backend, compilations):
    """Dynamo keeps what data decides in a graph where it is told to."""
    function = lambda x: (x[x > 0] * 2, x.nonzero().sum(0), x * x.sum().item())
    with torch._dynamo.config.patch(capture_dynamic_output_shape_ops=True, capture_scalar_outputs=True):
        f = torch.compile(function, backend=backend, dynamic=True, fullgraph=True)
        for shape in ((3, 4), (5, 2), (7, 9)):
            x = torch.randn(shape)
            torch.testing.assert_close(f(x), function(x))
    assert len(compilations) == 1
