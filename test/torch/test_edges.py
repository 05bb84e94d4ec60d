"""Inputs of ATen's operations that are rare, against eager mode: what is not finite, sources that do not fit, and
indices that are out of range."""

import broadloom as bl
import pytest
import torch
from test_operations import Call
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
def test_poolsKeepWhatIsNotFiniteInItsPart(function):
    f = compile_for(function, torch.randn(2, 2, 7, 5))
    for shape in ((2, 2, 7, 5), (3, 2, 4, 9), (2, 3, 6, 6)):
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
]  # fmt: skip


@pytest.mark.parametrize("function", [f for _, f in SCALED], ids=[name for name, _ in SCALED])
def test_blendsOfWhatIsNotFinite(function):
    f = compile_for(function, torch.randn(2, 2, 7, 5))
    for shape in ((2, 2, 7, 5), (3, 2, 4, 9), (2, 3, 6, 6)):
        x = torch.randn(shape)
        torch.testing.assert_close(f(x), function(x))
        if function is dict(SCALED)["trilinear"]:
            # Which places beyond the two are multiplied by 0 is the kernel's choice there.
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
def test_sourcesAreAsLargeAsWhatTheyReplace(function, fitting, others):
    x = torch.randn(5, 4)
    f = compile_for(function, x, torch.ones(fitting))
    source = torch.randn(fitting)
    torch.testing.assert_close(f(x, source), function(x, source))
    for shape in others:
        with pytest.raises(RuntimeError, match="expected src"):
            function(x, torch.ones(shape))
        message = r"the source has extent \d along axis \d, but what it replaces has \d|argument 1, axis 0 has extent"
        with pytest.raises(bl.ShapeError, match=message):
            f(x, torch.ones(shape))


# Indices of a table [5, 3], of which negative ones are errors, or count from the end.

bag = lambda mode: lambda w, i: F.embedding_bag(i, w, torch.tensor([0, 1]), mode=mode)
FROM_START = [
    ("embedding", lambda w, i: F.embedding(i, w)),
    ("embedding with padding", lambda w, i: F.embedding(i, w, padding_idx=2)),
    ("sums of bags", bag("sum")), ("means of bags", bag("mean")), ("extremes of bags", bag("max")),
    ("index_select", lambda w, i: w.index_select(0, i)),
    ("index_select of columns", lambda w, i: w.t().index_select(1, i)),
    ("index_add", lambda w, i: w.index_add(0, i, torch.ones(3, 3), alpha=2)),
    ("index_copy", lambda w, i: w.index_copy(0, i, torch.ones(3, 3))),
    ("gather", lambda w, i: w.gather(0, i[:, None].expand(3, 3))),
    ("scatter", lambda w, i: w.scatter(0, i[:, None].expand(3, 3), 2.0)),
]  # fmt: skip
FROM_END = [
    ("index", lambda w, i: (w[i], w[i, i % 3])),
    ("take", lambda w, i: w.take(i)),
    ("index_put", lambda w, i: w.index_put((i,), torch.ones(3, 3))),
    ("index_fill", lambda w, i: (w.index_fill(0, i, 2.0), w.t().index_fill(1, i, torch.tensor(3.0)))),
]


@pytest.mark.parametrize("function", [f for _, f in FROM_START], ids=[name for name, _ in FROM_START])
def test_negativeIndicesAreErrors(function):
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
def test_negativeIndicesCountFromTheEnd(function):
    w = torch.randn(5, 3)
    f = compile_for(function, w, torch.tensor([0, 4, 2]))
    for indices in (torch.tensor([0, -1, 2]), torch.tensor([-5, -2, 4])):
        torch.testing.assert_close(f(w, indices), function(w, indices))


def test_partsOfNoAxes():
    numbers = torch.tensor([2.0, 3.0])
    function = lambda x, i: (x[0].index_add(0, i[0], x[1]), x[0].index_select(0, i), x[1].index_copy(0, i[0], x[0]))
    f = compile_for(function, numbers, torch.tensor([0, 0])[:1])
    torch.testing.assert_close(f(numbers, torch.tensor([0])), function(numbers, torch.tensor([0])))
    with pytest.raises(bl.ShapeError):
        f(numbers, torch.tensor([1]))
