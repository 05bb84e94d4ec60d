"""Inputs of ATen's operations that are rare, against eager mode: what is not finite, sources that do not fit, and
indices that are out of range."""

import broadloom as bl
import pytest
import torch
from exports import Call
from torch.export import Dim
from torch.nn import functional as F


def compile_for(function, *inputs):
    """One program for all extents."""
    dynamic = tuple(dict.fromkeys(range(x.dim()), Dim.AUTO) for x in inputs)
    return bl.from_torch(torch.export.export(Call(function).eval(), inputs, dynamic_shapes=(dynamic,)))


POOLS = [
    ("two", lambda x: F.adaptive_avg_pool2d(x, 3)),
    ("one", lambda x: F.adaptive_avg_pool1d(x[0], 3)),
    ("other sizes", lambda x: F.adaptive_avg_pool2d(x, (1, 4))),
    ("three", lambda x: F.adaptive_avg_pool3d(x, (1, 2, 3))),
    ("half", lambda x: F.adaptive_avg_pool2d(x.half(), (2, 3))),
    ("area", lambda x: F.interpolate(x, size=(3, 2), mode="area")),
    ("largest", lambda x: F.adaptive_max_pool2d(x, 3)),
    ("windows", lambda x: F.avg_pool2d(x, 2, 2, 1, ceil_mode=True, count_include_pad=False)),
]


@pytest.mark.parametrize("function", [f for _, f in POOLS], ids=[name for name, _ in POOLS])
def test_pools_keep_what_is_not_finite_in_its_part(function):
    f = compile_for(function, torch.randn(2, 2, 7, 5))
    # With ceil_mode, PyTorch traces for extents that are odd, or those that are even.
    for shape in (
        ((2, 2, 7, 5), (3, 2, 4, 9), (2, 3, 6, 6))
        if function is not dict(POOLS)["windows"]
        else ((2, 2, 7, 5), (3, 2, 5, 9))
    ):
        x = torch.randn(shape)
        x[0, 0, 0, 0], x[0, 1, -1, 1], x[1, 1, 2, 2] = float("inf"), float("nan"), -float("inf")
        torch.testing.assert_close(f(x), function(x), equal_nan=True)


SCALED = [
    ("bilinear", lambda x: F.interpolate(x, scale_factor=2, mode="bilinear")),
    ("by a fraction", lambda x: F.interpolate(x, scale_factor=(1.7, 0.6), mode="bilinear")),
    ("to a size", lambda x: F.interpolate(x, size=(9, 4), mode="bilinear")),
    ("to its corners", lambda x: F.interpolate(x, size=(9, 4), mode="bilinear", align_corners=True)),
    ("to one", lambda x: F.interpolate(x, size=(1, 1), mode="bilinear", align_corners=True)),
    ("linear", lambda x: F.interpolate(x[0], size=11, mode="linear")),
    ("trilinear", lambda x: F.interpolate(x[None], size=(3, 4, 9), mode="trilinear")),
    ("half", lambda x: F.interpolate(x.half(), scale_factor=2, mode="bilinear")),
]


@pytest.mark.parametrize("function", [f for _, f in SCALED], ids=[name for name, _ in SCALED])
def test_blends_of_what_is_not_finite(function):
    f = compile_for(function, torch.randn(2, 2, 7, 5))
    for shape in ((2, 2, 7, 5), (3, 2, 4, 9), (2, 3, 6, 6)):
        x = torch.randn(shape)
        torch.testing.assert_close(f(x), function(x))
        if function is dict(SCALED)["trilinear"]:
            # Which elements beyond the two are multiplied by 0 is the kernel's choice there.
            continue
        x[0, 0, 0, 0], x[1, 1, 2, 2] = float("inf"), float("nan")
        found, expected = f(x), function(x)
        assert (torch.isfinite(found) == torch.isfinite(expected)).all()


# Sources that stand for a part: those of the first shape fit, others do not.

PUT = [
    ("diagonal", lambda x, s: torch.diagonal_scatter(x, s), (4,), [(3,), (5,)]),
    ("a lower diagonal", lambda x, s: torch.diagonal_scatter(x, s, -2), (3,), [(4,)]),
    ("an upper diagonal", lambda x, s: torch.diagonal_scatter(x, s, 2), (2,), [(3,)]),
    ("slice", lambda x, s: torch.slice_scatter(x, s, 0, 2), (3, 4), [(2, 4), (4, 4), (3, 3)]),
    ("slice with an end", lambda x, s: torch.slice_scatter(x, s, 0, -4, -1), (3, 4), [(2, 4), (4, 4)]),
    ("slice in steps", lambda x, s: torch.slice_scatter(x, s, 0, 0, 5, 2), (3, 4), [(2, 4), (4, 4), (3, 3)]),
    ("select", lambda x, s: torch.select_scatter(x, s, 1, -1), (5,), [(4,), (6,)]),
]


@pytest.mark.parametrize("function, fitting, others", [case[1:] for case in PUT], ids=[case[0] for case in PUT])
def test_sources_are_as_large_as_what_they_replace(function, fitting, others):
    x = torch.randn(5, 4)
    f = compile_for(function, x, torch.ones(fitting))
    source = torch.randn(fitting)
    torch.testing.assert_close(f(x, source), function(x, source))
    for shape in others:
        with pytest.raises(RuntimeError, match="expected src"):
            function(x, torch.ones(shape))
        message = r"the source has extent \d along axis \d, but what it replaces has \d|argument 'inputs_1', axis 0 has extent"
        with pytest.raises(bl.ShapeError, match=message):
            f(x, torch.ones(shape))


# Indices of a table [5, 3], of which negative ones are errors, or count from the end.

bag = lambda mode: lambda w, i: F.embedding_bag(i, w, torch.tensor([0, 1]), mode=mode)
FROM_START = [
    ("embedding", lambda w, i: F.embedding(i, w)),
    ("embedding with padding", lambda w, i: F.embedding(i, w, padding_idx=2)),
    ("sums of bags", bag("sum")),
    ("means of bags", bag("mean")),
    ("extremes of bags", bag("max")),
    ("index_select", lambda w, i: w.index_select(0, i)),
    ("index_select of columns", lambda w, i: w.t().index_select(1, i)),
    ("index_add", lambda w, i: w.index_add(0, i, torch.ones(3, 3), alpha=2)),
    ("index_copy", lambda w, i: w.index_copy(0, i, torch.ones(3, 3))),
    ("gather", lambda w, i: w.gather(0, i[:, None].expand(3, 3))),
    ("scatter", lambda w, i: w.scatter(0, i[:, None].expand(3, 3), 2.0)),
]
FROM_END = [
    ("index", lambda w, i: (w[i], w[i, i % 3])),
    ("take", lambda w, i: w.take(i)),
    ("index_put", lambda w, i: w.index_put((i,), torch.ones(3, 3))),
    ("index_fill", lambda w, i: (w.index_fill(0, i, 2.0), w.t().index_fill(1, i, torch.tensor(3.0)))),
]


@pytest.mark.parametrize("function", [f for _, f in FROM_START], ids=[name for name, _ in FROM_START])
def test_negative_indices_are_errors(function):
    w = torch.randn(5, 3)
    f = compile_for(function, w, torch.tensor([0, 4, 2]))
    good = torch.tensor([4, 1, 3])
    torch.testing.assert_close(f(w, good), function(w, good))
    for wrong in (-1, -5, 5):
        indices = torch.tensor([0, wrong, 2])
        with pytest.raises((IndexError, RuntimeError)):
            function(w, indices)
        with pytest.raises(bl.ShapeError, match=f"{wrong}.*(outside axis|must be in|but the extent is)"):
            f(w, indices)


@pytest.mark.parametrize("function", [f for _, f in FROM_END], ids=[name for name, _ in FROM_END])
def test_negative_indices_count_from_the_end(function):
    w = torch.randn(5, 3)
    f = compile_for(function, w, torch.tensor([0, 4, 2]))
    for indices in (torch.tensor([0, -1, 2]), torch.tensor([-5, -2, 4])):
        torch.testing.assert_close(f(w, indices), function(w, indices))


def test_parts_of_no_axes():
    numbers = torch.tensor([2.0, 3.0])
    function = lambda x, i: (x[0].index_add(0, i[0], x[1]), x[0].index_select(0, i), x[1].index_copy(0, i[0], x[0]))
    f = compile_for(function, numbers, torch.tensor([0, 0])[:1])
    torch.testing.assert_close(f(numbers, torch.tensor([0])), function(numbers, torch.tensor([0])))
    with pytest.raises(bl.ShapeError):
        f(numbers, torch.tensor([1]))


def test_steps_that_are_extents():
    every = lambda x: x[:: x.shape[0] // 4]
    f = compile_for(every, torch.rand(13, 3))
    for n in (8, 11, 12, 13, 20):
        x = torch.rand(n, 3)
        torch.testing.assert_close(f(x), every(x))


# What data decides.


@pytest.mark.parametrize("classes", (5, 7))
def test_one_hot(classes):
    one = lambda x: F.one_hot(x, classes)
    f = compile_for(one, torch.tensor([[0, 4, 1], [3, 3, 2]]))
    g = torch.compile(one, backend=bl.torch.backend, dynamic=True)
    for shape in ((2, 3), (4, 2), (3, 5)):
        x = torch.randint(0, 5, shape)
        torch.testing.assert_close(f(x), one(x))
        torch.testing.assert_close(g(x), one(x))
    for wrong, message in ((-1, "non-negative"), (classes, "smaller than num_classes")):
        x = torch.full((2, 3), wrong)
        with pytest.raises(RuntimeError, match=message):
            one(x)
        for call in (f, g):
            with pytest.raises(bl.ShapeError, match=f"Class values must be {message}"):
                call(x)


def test_assertions_of_a_module():
    def checked(x):
        torch._assert_async((x > 0).all(), "all of {x} is positive")
        return x.log()

    for f in (compile_for(checked, torch.ones(2, 3)), torch.compile(checked, backend=bl.torch.backend, dynamic=True)):
        x = torch.rand(4, 3) + 1
        torch.testing.assert_close(f(x), checked(x))
        with pytest.raises(bl.ShapeError, match=r"all of \{x\} is positive"):
            f(-x)


def test_assertions_of_one_element():
    def checked(x):
        torch._assert_async((x.sum(0, keepdim=True) > 0), "the sum is positive")
        return x * 2

    def silent(x):
        torch._assert_async((x > 0).all())
        return x * 2

    f = compile_for(checked, torch.ones(3))
    torch.testing.assert_close(f(torch.ones(5)), torch.full((5,), 2.0))
    with pytest.raises(bl.ShapeError, match="the sum is positive"):
        f(-torch.ones(5))
    f = compile_for(silent, torch.ones(3))
    torch.testing.assert_close(f(torch.ones(5)), torch.full((5,), 2.0))
    with pytest.raises(bl.ShapeError, match="what must hold does not"):
        f(-torch.ones(5))


# Indices.


@pytest.mark.parametrize("accumulate", (False, True))
def test_put(accumulate):
    put = lambda x, at, source: x.put(at, source, accumulate)
    f = compile_for(put, torch.randn(3, 4), torch.tensor([[1, 2], [3, 4]]), torch.randn(2, 2))
    for shape in ((3, 4), (5, 3), (2, 6)):
        x, at = torch.randn(shape), torch.randperm(12)[:6].reshape(2, 3)
        source = torch.randn(2, 3)
        torch.testing.assert_close(f(x, at, source), put(x, at, source))
        at = at - x.numel()
        at[at < -x.numel()] = 0
        torch.testing.assert_close(f(x, at, source), put(x, at, source))
    with pytest.raises(bl.ShapeError, match=r"index 12 is outside axis 0, which has extent 12|indices are from"):
        f(torch.randn(3, 4), torch.tensor([[0, 1], [2, 12]]), torch.randn(2, 2))


def test_masked_scatter():
    scatter = lambda x, mask, source: x.masked_scatter(mask, source)
    f = compile_for(scatter, torch.randn(3, 4), torch.rand(3, 4) > 0.5, torch.randn(4, 5))
    for shape in ((3, 4), (2, 7), (5, 2)):
        x, source = torch.randn(shape), torch.randn(7, 2)
        for mask in (torch.rand(shape) > 0.5, torch.ones(shape) > 0, torch.zeros(shape) > 0):
            torch.testing.assert_close(f(x, mask, source), scatter(x, mask, source))
    with pytest.raises(bl.ShapeError, match="the mask holds for more elements than the source has"):
        f(torch.randn(3, 4), torch.ones(3, 4) > 0, torch.randn(2, 5))


def test_masked_scatter_broadcasts():
    scatter = lambda x, mask, source: x.masked_scatter(mask, source)
    f = compile_for(scatter, torch.randn(3, 4), torch.rand(4) > 0.5, torch.randn(20))
    for shape in ((3, 4), (2, 7), (5, 2)):
        x, mask, source = torch.randn(shape), torch.rand(shape[1]) > 0.5, torch.randn(30)
        torch.testing.assert_close(f(x, mask, source), scatter(x, mask, source))


# Nothing.


def test_views_without_elements():
    """What stays does not tell what the other axes are: 0x5 is 0x3x1 too."""
    for shape in ((0, 3, 1), (0, 2, 2), (0, 5), (3, 0), (0,)):
        f = torch.compile(lambda x: F.relu(x.reshape(shape)), backend=bl.torch.backend, dynamic=True)
        assert f(torch.empty(0, 5)).shape == shape
        torch._dynamo.reset()
    norm = torch.compile(lambda x: F.group_norm(x.reshape(0, 3, 1), 1), backend=bl.torch.backend, dynamic=True)
    assert norm(torch.empty(0, 3)).shape == (0, 3, 1)


# Long sums.


@pytest.mark.parametrize("type", (torch.float32, torch.float16, torch.bfloat16))
@pytest.mark.parametrize("dim", (0, 1))
def test_running_sums_of_many_elements(type, dim):
    """They are summed in a wider type, and rounded once."""
    f = compile_for(lambda x: x.cumsum(dim), torch.ones(3, 4, dtype=type))
    g = compile_for(lambda x: x.cumprod(dim), torch.ones(3, 4, dtype=type))
    shape = (4000, 3) if dim == 0 else (3, 4000)
    for x in (torch.randn(shape), torch.rand(shape)):
        torch.testing.assert_close(f(x.to(type)), x.to(type).cumsum(dim))
        near = (1 + x / 1000).to(type)
        torch.testing.assert_close(g(near), near.cumprod(dim))
