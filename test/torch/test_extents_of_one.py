"""bl.torch.compile of modules whose example has extents of 1: PyTorch decides nothing by them but what is broadcast."""

import broadloom as bl
import pytest
import torch
from torch import nn
from torch.nn import functional as F

#: Where an operand has an extent of 1 and the other has not, that is part of the program: shapes of two operands, and
#: others that the same program takes.
BROADCAST = {
    "row": ([(3, 6), (1, 6)], [(5, 6), (1, 6)]),
    "column": ([(3, 6), (3, 1)], [(5, 6), (5, 1)]),
    "both": ([(3, 1), (1, 6)], [(5, 1), (1, 4)]),
    "mask": ([(2, 3, 4, 4), (2, 1, 1, 4)], [(1, 3, 5, 5), (1, 1, 1, 5)]),
    "fewer axes": ([(2, 3, 4), (4, ), ], [(5, 1, 7), (7, )]),
    "nothing": ([(1, 4), (1, 4)], [(3, 4), (3, 4)]),
}  # fmt: skip
OPERATIONS = {
    "add": torch.add,
    "compare": lambda x, y: x > y,
    "product": lambda x, y: torch.tanh(x) * y,
    "where": lambda x, y: torch.where(x > y, x, y),
    "three": lambda x, y: torch.addcmul(x, y, y),
    "in front": lambda x, y: y - x,
}


@pytest.mark.parametrize("name", OPERATIONS)
@pytest.mark.parametrize("case", BROADCAST)
def test_broadcast(name, case, compilations):
    f = bl.torch.compile(OPERATIONS[name])
    for shapes in BROADCAST[case]:
        x, y = (torch.randn(shape) for shape in shapes)
        torch.testing.assert_close(f(x, y), OPERATIONS[name](x, y))
    assert len(compilations) == 1


def test_a_broadcast_that_is_none_is_another_program(compilations):
    f = bl.torch.compile(torch.add)
    for count in (1, 6, 1, 6):
        x, y = torch.randn(3, 6), torch.randn(3, count)
        torch.testing.assert_close(f(x, y), x + y)
    assert len(compilations) == 2
    with pytest.raises(Exception, match=r"size|broadcast|shape|must match"):
        f(torch.randn(3, 6), torch.randn(3, 5))


class Pooled(nn.Module):
    def __init__(self, rank):
        super().__init__()
        self.pool = (nn.AdaptiveAvgPool2d if rank == 2 else nn.AdaptiveAvgPool3d)(1)

    def forward(self, x):
        return self.pool(x.movedim(-1, 1)).flatten(1)


class Attention(nn.Module):
    """Of one query for each batch, whose keys are projected together with the values."""

    def __init__(self):
        super().__init__()
        self.query, self.attention = nn.Parameter(torch.randn(1, 1, 8)), nn.MultiheadAttention(8, 2, batch_first=True)

    def forward(self, x):
        return self.attention(self.query.repeat(len(x), 1, 1), x, x)[0]


def scale_first(x):
    x = x * 1
    x[:, :, 0] = x[:, :, 0] / 2
    return x


def write_row(x):
    x = x.clone()
    x[:, 0].copy_(x[:, 1])
    return x


WEIGHT = torch.randn(5, 6)
#: What PyTorch takes apart by whether there is one row, one matrix or one image; shapes of one of them and of more.
MODULES = {
    "linear layer": (lambda x: F.linear(x.transpose(0, 1), WEIGHT), [(3, 1, 6), (4, 5, 6)]),
    "linear layer with a bias": (lambda x: F.linear(x.transpose(0, 1), WEIGHT, WEIGHT[:, 0]), [(3, 1, 6), (4, 5, 6)]),
    "products": (lambda x: x.transpose(1, 2) @ x.transpose(1, 2).mT, [(1, 3, 1, 6), (2, 3, 5, 6)]),
    "product with a vector": (lambda x: x.transpose(0, 1) @ WEIGHT[0], [(1, 4, 6), (3, 5, 6)]),
    "vector with products": (lambda x: WEIGHT[:, 0] @ x, [(1, 5, 2), (3, 5, 4)]),
    "pool of an image": (Pooled(2), [(1, 4, 6, 3), (3, 5, 2, 3)]),
    "pool of a volume": (Pooled(3), [(1, 2, 4, 6, 3), (3, 3, 5, 2, 3)]),
    "parts of an image": (
        lambda x: x.flatten(2).mT.view(x.shape[0], x.shape[2] // 2, 2, x.shape[3] // 2, 2, x.shape[1]) * 2,
        [(1, 3, 4, 6), (2, 3, 8, 4), (1, 3, 2, 2), (3, 3, 2, 6)],
    ),
    "windows": (
        lambda x: x.view(x.shape[0], x.shape[1] // 2, 2, -1, 2, x.shape[3]).transpose(2, 3).reshape(-1, 4, x.shape[3]),
        [(1, 4, 2, 4), (2, 4, 6, 4), (3, 2, 2, 1)],
    ),
    "merged axes": (lambda x: x.transpose(0, 1).reshape(x.shape[1], -1) * 2, [(1, 3, 4), (2, 3, 8), (3, 1, 1)]),
    "heads": (
        lambda x: x.view(*x.shape[:2], 2, -1).transpose(1, 2).reshape(*x.shape[:2], -1),
        [(1, 3, 4), (3, 1, 4), (2, 5, 4), (1, 1, 4)],
    ),
    "flat": (lambda x: x.transpose(1, 2).flatten(1) + 1, [(1, 4, 6), (3, 5, 6), (2, 1, 1)]),
    "flat in the middle": (lambda x: x.transpose(0, 2).flatten(0, 1) + 1, [(1, 4, 6), (3, 5, 6), (2, 1, 1)]),
    "contiguous": (lambda x: x.transpose(0, 1).contiguous().view(-1, x.shape[2]), [(1, 3, 4), (3, 1, 4), (2, 5, 4)]),
    "contiguous in the middle": (
        lambda x: x.permute(2, 0, 1, 3).contiguous().view(x.shape[2], -1, x.shape[3]) + 1,
        [(5, 1, 2, 4), (6, 3, 2, 4), (1, 4, 2, 4)],
    ),
    "contiguous channels": (
        lambda x: x.permute(0, 3, 1, 2).contiguous(memory_format=torch.channels_last) * 2,
        [(1, 4, 2, 4), (2, 1, 6, 3), (3, 4, 1, 1)],
    ),
    "contiguous volumes": (
        lambda x: x.movedim(1, -1).contiguous(memory_format=torch.channels_last_3d) * 2,
        [(1, 2, 4, 2, 4), (2, 3, 1, 6, 3)],
    ),
    "a part that is written": (scale_first, [(1, 3, 4), (3, 1, 4), (2, 5, 4), (1, 1, 4)]),
    "a turned part that is written": (lambda x: scale_first(x.transpose(0, 1)), [(3, 1, 4), (1, 3, 4), (5, 2, 4)]),
    "a part that is copied": (lambda x: write_row(x.mT), [(1, 4, 3), (3, 4, 2), (2, 4, 5)]),
    "attention of other keys": (Attention(), [(1, 3, 8), (3, 1, 8), (4, 4, 8)]),
    "channels last": (
        lambda x: x.permute(0, 2, 3, 1).view(*x.shape[:1], *x.shape[2:], 2, -1) * 2,
        [(1, 4, 2, 4), (2, 4, 6, 1)],
    ),
}


@pytest.mark.parametrize("name", MODULES)
@pytest.mark.parametrize("turned", [False, True])
def test_one_program(name, turned, compilations):
    module, shapes = MODULES[name]
    f = bl.torch.compile(module)
    for shape in shapes[:: -1 if turned else 1]:
        x = torch.randn(shape)
        torch.testing.assert_close(f(x), module(x), atol=1e-5, rtol=1e-4)
    assert len(compilations) == 1


def test_writing_to_a_view():
    """A view stays one: what is written to it is read from its operand."""

    def write(x):
        x = x * 1
        x.reshape(-1)[1:] += 5
        x.flatten(1)[0] *= 2
        x.mT.view(x.shape[1], -1)[0] -= 3
        return x

    f = bl.torch.compile(write)
    for shape in ((3, 4), (2, 5), (1, 3)):
        x = torch.randn(shape)
        torch.testing.assert_close(f(x), write(x))


def flatten_turned(x):
    y = x.permute(0, 2, 1) * 1
    y.flatten(1).mul_(2)
    return y


def reshape_turned(x):
    y = (x.flatten(1) * 1).t()
    y.reshape(-1).add_(3)
    return y


def write_argument(x):
    y = x.transpose(1, 2)
    y.reshape(y.shape[0], -1).zero_()
    return x + 0


def write_first(x):
    y = x.transpose(1, 2) * 1
    z = y.reshape(y.shape[0], -1)
    y += 1
    return z * 2


def write_contiguous(x):
    y = x * 1
    y.transpose(1, 2).contiguous().add_(3)
    return y


WRITES = [flatten_turned, reshape_turned, write_argument, write_first, write_contiguous]


@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize("turned", [False, True])
def test_writing_to_what_may_be_a_view(write, turned):
    """Where extents of 1 make a view of a reshaped tensor, what is written is seen under both names."""
    f = bl.torch.compile(write)
    for shape in ((2, 1, 4), (2, 3, 4), (2, 3, 1), (1, 3, 1))[:: -1 if turned else 1]:
        x = torch.randn(shape)
        ours, theirs = x.clone(), x.clone()
        torch.testing.assert_close(f(ours), write(theirs))
        torch.testing.assert_close(ours, theirs)


@pytest.mark.parametrize("pool", [F.max_pool2d, F.avg_pool2d, lambda x, by: F.adaptive_avg_pool2d(x, (4, 4))])
def test_channels_that_are_innermost_stay_so(pool):
    def rows(x):
        return pool(x.to(memory_format=torch.channels_last), 2).permute(0, 2, 3, 1).reshape(-1, x.shape[1])

    f = bl.torch.compile(rows)
    for shape in ((2, 3, 8, 8), (1, 5, 8, 8)):
        x = torch.randn(shape)
        torch.testing.assert_close(f(x), rows(x))


def test_a_view_of_channels_that_are_innermost():
    def rows(x):
        return F.max_pool2d(x.to(memory_format=torch.channels_last), 2).permute(0, 2, 3, 1).view(-1, x.shape[1])

    f = bl.torch.compile(rows)
    for shape in ((2, 3, 8, 8), (3, 5, 8, 6)):
        x = torch.randn(shape)
        torch.testing.assert_close(f(x), rows(x))


@pytest.mark.parametrize("first, last", [(1, 5), (-5, -1), (2, 1)])
def test_axes_that_are_none(first, last):
    with pytest.raises(Exception, match=r"out of range|start_dim"):
        bl.torch.compile(lambda x: torch.flatten(x * 2, first, last))(torch.randn(2, 3, 4))


def test_shapes_that_are_none():
    for shape in ((3, 4), (1, 5)):
        torch._dynamo.reset()
        with pytest.raises(Exception, match=r"invalid for input|reshape|view size|elements"):
            bl.torch.compile(lambda x: x.reshape(-1, 7))(torch.randn(shape))


def test_products_that_do_not_fit():
    for x, y in (((2, 3), (4, 5)), ((2, 3, 4), (3, 4, 5)), ((), (3,))):
        torch._dynamo.reset()
        with pytest.raises(Exception, match=r"matmul|both arguments|must match|broadcast"):
            bl.torch.compile(torch.matmul)(torch.randn(x), torch.randn(y))
    with pytest.raises(Exception, match="same dtype"):
        bl.torch.compile(torch.matmul)(torch.randn(2, 3), torch.randn(3, 2).double())


def test_others_take_products_apart_as_before():
    """Compilers of other backends see PyTorch's own operations."""
    seen = []

    def look(graph, inputs):
        from torch._dynamo.backends.common import aot_autograd

        def note(module, inputs):
            seen.extend(str(n.target) for n in module.graph.nodes if n.op == "call_function")
            return module.forward

        return aot_autograd(fw_compiler=note)(graph, inputs)

    x = torch.randn(2, 3, 4)
    torch.testing.assert_close(bl.torch.compile(torch.matmul)(x, x.mT), x @ x.mT)
    torch.testing.assert_close(torch.compile(torch.matmul, backend=look)(x, x.mT), x @ x.mT)
    assert seen and not any("broadloom" in name for name in seen)


class Several(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer, self.pool = nn.Linear(6, 4, bias=False), nn.AdaptiveAvgPool2d(1)

    def forward(self, x, image):
        rows = x.transpose(0, 1)
        merged = (rows @ self.layer.weight.t()).reshape(rows.shape[0], -1)
        return merged, self.layer(rows).flatten(1), self.pool(image.permute(0, 3, 1, 2)).flatten(1)


def test_an_export_is_one_of_torch():
    """Its operations are those of ATen, and PyTorch runs it."""
    module = Several().eval()
    open_ = torch.export.Dim.AUTO
    program = bl.torch.export(
        module,
        (torch.randn(1, 3, 6), torch.randn(1, 4, 5, 3)),
        dynamic_shapes=({0: open_, 1: open_}, {0: open_, 1: open_, 2: open_}),
    )
    names = {str(node.target) for node in program.graph.nodes if node.op == "call_function"}
    assert {"aten.matmul.default", "aten.linear.default", "aten.reshape.default"} <= names
    f, theirs = bl.from_torch(program), program.module()
    for shapes in (((1, 3, 6), (1, 4, 5, 3)), ((2, 5, 6), (3, 2, 2, 3)), ((4, 1, 6), (2, 4, 1, 3))):
        inputs = [torch.randn(shape) for shape in shapes]
        expected = module(*inputs)
        torch.testing.assert_close(f(*inputs), expected, atol=1e-5, rtol=1e-4)
        torch.testing.assert_close(theirs(*inputs), expected)


def test_writing_to_what_is_spread():
    """Elements that are one memory are not written to, as in eager mode."""

    def write(x):
        y = x.expand(3, -1)
        y.copy_(y + 1)
        return y

    with pytest.raises(Exception, match=r"single memory location|internal overlap"):
        bl.torch.compile(write)(torch.randn(1, 4))


TABLE = torch.randn(1, 9, 6)


class Placed(nn.Module):
    """Adds a row of a table for each place, and writes to a part, for which PyTorch traces an export again."""

    def forward(self, x):
        return scale_first(x + TABLE[:, : x.shape[1]])


@pytest.mark.parametrize("first", [(1, 3, 6), (2, 3, 6)])
def test_an_export_that_is_taken_apart(first):
    module, open_ = Placed(), torch.export.Dim.AUTO
    f = bl.from_torch(bl.torch.export(module, (torch.randn(first),), dynamic_shapes=({0: open_, 1: open_},)))
    for shape in ((1, 3, 6), (4, 3, 6), (3, 7, 6), (1, 1, 6)):
        x = torch.randn(shape)
        torch.testing.assert_close(f(x), module(x))


def test_axes_that_are_dropped_where_they_are_1():
    """How many axes a result has is part of a program."""
    drop = lambda x: x.squeeze(1) * 2
    f = bl.torch.compile(drop)
    for shape in ((3, 1, 4), (3, 2, 4), (5, 1, 4)):
        x = torch.randn(shape)
        torch.testing.assert_close(f(x), drop(x))
    torch._dynamo.reset()
    with pytest.raises(Exception, match="1 of 3 open axes are 1 in the example; name these axes"):
        bl.torch.compile(lambda x: x.squeeze() * 2)(torch.randn(3, 1, 4))
