"""Operations of ATen whose indices are data, or are computed from extents, against eager mode: for
each one compilation for all shapes."""

import broadloom as bl
import pytest
import torch
from exports import Call
from test_operations import SIZES, check
from torch import nn
from torch.export import Dim
from torch.nn import functional as F

n, s, h, w = Dim("n", min=1), Dim("s", min=4), Dim.AUTO, Dim.AUTO
IMAGES = [(2, 12, 9), (4, 8, 8), (3, 17, 10), (2, 33, 40), (5, 9, 21)]

# Other sizes of images.

RESIZED = [
    (dict(size=(7, 9)),),
    (dict(size=(7, 9), mode="bilinear"),),
    (dict(size=(7, 9), mode="bilinear", align_corners=True),),
    (dict(size=(7, 9), mode="bicubic"),),
    (dict(size=(7, 9), mode="nearest-exact"),),
    (dict(scale_factor=2),),
    (dict(scale_factor=1.5),),
    (dict(scale_factor=(2, 0.7)),),
    (dict(scale_factor=2, mode="bilinear"),),
    (dict(scale_factor=2, mode="bilinear", align_corners=True),),
    (dict(scale_factor=0.5, mode="bilinear"),),
    (dict(scale_factor=0.7, mode="bilinear", align_corners=True),),
    (dict(scale_factor=1.5, mode="bilinear", recompute_scale_factor=True),),
    (dict(scale_factor=1.5, recompute_scale_factor=True),),
    (dict(scale_factor=2, mode="bicubic"),),
]


@pytest.mark.parametrize("options", [r[0] for r in RESIZED], ids=[str(r[0]) for r in RESIZED])
def test_interpolate(options):
    make = lambda n, h, w: (torch.randn(n, 3, h, w),)
    check(lambda x: F.interpolate(x, **options), make, ({0: Dim.AUTO, 2: h, 3: w},), IMAGES)


@pytest.mark.parametrize("options", [{}, {"mode": "bilinear"}, {"mode": "bilinear", "align_corners": True}], ids=str)
def test_interpolate_to_the_size_of_another(options):
    """As a decoder does, for what an encoder has had."""

    def function(x, y):
        return torch.cat([F.interpolate(x, size=y.shape[2:], **options), y], 1)

    make = lambda n, h, w: (torch.randn(n, 3, (h + 1) // 2, w // 3), torch.randn(n, 2, h, w))
    both = {0: Dim.AUTO, 2: h, 3: w}
    check(function, make, (both, both), IMAGES)


@pytest.mark.parametrize(
    "options", [{"size": 7}, {"size": 7, "mode": "linear"}, {"scale_factor": 2.5, "mode": "linear"}], ids=str
)
def test_interpolate_an_axis(options):
    make = lambda n, s: (torch.randn(n, 3, s),)
    check(lambda x: F.interpolate(x, **options), make, ({0: n, 2: s},), SIZES)


@pytest.mark.parametrize("options", [{"size": (9, 13)}, {"scale_factor": 1.5, "mode": "bilinear"}], ids=str)
def test_interpolate_by_the_backend(backend, options, compilations):
    f = torch.compile(lambda x: F.interpolate(x, **options), backend=backend, dynamic=True)
    for n, h, w in IMAGES:
        x = torch.randn(n, 3, h, w)
        torch.testing.assert_close(f(x), F.interpolate(x, **options))
    assert len(compilations) == 1


def test_fractions_of_sizes():
    """Numbers that are computed from extents and are none."""

    def function(x):
        return x * (x.shape[0] / x.shape[1]) + x.shape[1] ** -0.5, x / (x.shape[0] * 0.3 + 1)

    check(function, lambda n, s: (torch.randn(n, s),), ({0: n, 1: s},), SIZES)


# Of x [n, 6, s], y [n, 6, s] and i [s].

PLACED = [
    ("scatter", lambda x, y, i: x.scatter(1, (i % 6).expand(x.shape[0], 6, -1), y)),
    ("scatter_value", lambda x, y, i: x.scatter(2, (i % 3).expand(x.shape[0], 2, -1), 3.0)),
    ("scatter_add", lambda x, y, i: x.scatter_add(1, (i % 3).expand(x.shape[0], 6, -1), y)),
    ("scatter_part", lambda x, y, i: x.scatter_add(1, (i % 3).expand(x.shape[0], 2, -1), y)),
    ("scatter_reduce", lambda x, y, i: tuple(
        x.scatter_reduce(1, (i % 4).expand(x.shape[0], 6, -1), y, kind, include_self=own)
        for kind, own in (("sum", True), ("prod", False), ("amax", True), ("amin", False), ("amax", False)))),
    ("scatter_integers", lambda x, y, i: torch.zeros_like(i).scatter_reduce(0, i % 2, i, "amax", include_self=False)),
    ("index_add", lambda x, y, i: x.index_add(1, i[:3] % 2, y[:, :3], alpha=2)),
    ("index_copy", lambda x, y, i: x.index_copy(1, i[:3], y[:, :3])),
    ("index_fill", lambda x, y, i: x.index_fill(1, i[:3] * 2, 7.0)),
    ("index_put", lambda x, y, i: (x.index_put((i % 1, i % 6, i), y[0, 0]), x.index_put((i % 1, i % 6), y[0, 0]))),
    ("index_put_sum", lambda x, y, i: x.index_put((i % 1, i % 6), y[0, 0], accumulate=True)),
    ("index_put_rows", lambda x, y, i: x.transpose(0, 2).index_put((i % 2,), y.transpose(0, 2), accumulate=True)),
    ("index_put_mask", lambda x, y, i: (x.index_put((y > 0,), torch.tensor(2.0)), x.index_put((y[:, 0, 0] > 0,), torch.tensor([2.0]), True))),
    ("slice_scatter", lambda x, y, i: (x.slice_scatter(y[:, :3], 1, 1, 4), x.slice_scatter(y[:, :3], 1, 0, 6, 2), x.slice_scatter(y[..., 1:], 2, -99, -1))),
    ("select_scatter", lambda x, y, i: (x.select_scatter(y[:, 0], 1, 2), x.select_scatter(y[..., 0], 2, -1))),
    ("diagonals", lambda x, y, i: (x.diagonal(1, 1, 2), x.diagonal(-2, 2, 1), x.diagonal_scatter(y.diagonal(1, 1, 2), 1, 1, 2), x[0].trace())),
    ("windows", lambda x, y, i: (x.unfold(2, 3, 1), x.unfold(1, 3, 2), x.transpose(1, 2).unfold(1, 2, 1))),
    ("columns", lambda x, y, i: (F.unfold(x[:, :, None], (1, 3), padding=(0, 1)), F.fold(F.unfold(x[:, :, None], (1, 3), padding=(0, 1)), (1, x.shape[2]), (1, 3), padding=(0, 1)))),
    ("roll", lambda x, y, i: (x.roll(5), x.roll(-3))),
    ("padding", lambda x, y, i: (F.pad(x, (1, 2), mode="reflect"), F.pad(x, (3, 0), mode="replicate"), F.pad(x, (2, 1), mode="circular"))),
]  # fmt: skip


@pytest.mark.parametrize("function", [f for _, f in PLACED], ids=[name for name, _ in PLACED])
def test_placed(function):
    make = lambda n, s: (torch.randn(n, 6, s), torch.randn(n, 6, s), torch.arange(s))
    sizes = [(2, 7), (4, 4), (3, 5), (5, 16), (2, 33)]
    check(function, make, ({0: Dim.AUTO, 2: s}, {0: Dim.AUTO, 2: s}, {0: s}), sizes)


# Of x [n, 6, s], y [n, 6, s] and i [s]: what comes of order.

ORDERED = [
    ("running", lambda x, y, i: (x.cumprod(1), x.logcumsumexp(-1), (i + 1).cumprod(0))),
    ("extremes", lambda x, y, i: (x.round().cummax(1), y.round().cummin(-1), (i % 3).cummax(0), (x > 0).cummin(1))),
    ("extremes_nan", lambda x, y, i: (torch.where(x > 0.5, float("nan"), x).cummax(1), torch.where(x > 0.5, float("nan"), x).cummin(2))),
    ("median", lambda x, y, i: (x.median(), x.median(1), x.median(-1, keepdim=True), i.median(), i.median(0))),
    ("median_nan", lambda x, y, i: (torch.where(x > 0.9, float("nan"), x).median(1), torch.where(x > 0.5, float("nan"), x).median())),
    ("nanmedian", lambda x, y, i: (torch.where(x > 0.5, float("nan"), x).nanmedian(1).values, torch.where(x > 9, x, float("nan")).nanmedian(1).values, torch.where(x > 0, float("nan"), x).nanmedian())),
    ("quantile", lambda x, y, i: (x.quantile(0.3), x.quantile(torch.tensor([0.1, 0.5]), 1), y.nanquantile(0.7, 1))),
    ("buckets", lambda x, y, i: (torch.bucketize(x, torch.tensor([-1.0, 0, 1])), torch.bucketize(i, torch.tensor([1, 3]), right=True, out_int32=True))),
    ("search", lambda x, y, i: (torch.searchsorted(x.sort(-1).values, y), torch.searchsorted(i, i * 2, side="right"), torch.searchsorted(x, y, sorter=x.argsort(-1)))),
    ("distances", lambda x, y, i: tuple(torch.cdist(x.mT, y.mT[:, 1:], p, "donot_use_mm_for_euclid_dist") for p in (2.0, 1.0, 0.0, 3.0, float("inf")))),
    ("bilinear", lambda x, y, i: (F.bilinear(x.mT, y.mT, torch.arange(72.0).view(2, 6, 6) / 72), torch.addbmm(x[0], x, y.mT @ x / 9, beta=0.5))),
    ("slopes", lambda x, y, i: (F.rrelu(x), torch.hypot(x, y), x.signbit(), torch.div(i - 3, 2, rounding_mode="trunc"), torch.ldexp(x, i % 3))),
    ("indices", lambda x, y, i: (torch.tril_indices(3, 4) + i[0], torch.triu_indices(3, 3), torch.dist(x, y), torch.addmv(x[0, :, 0], x[0], y[0, 0]))),
]  # fmt: skip


@pytest.mark.parametrize("function", [f for _, f in ORDERED], ids=[name for name, _ in ORDERED])
def test_ordered(function):
    make = lambda n, s: (torch.randn(n, 6, s), torch.randn(n, 6, s), torch.arange(s))
    sizes = [(2, 7), (4, 4), (3, 5), (5, 16), (2, 33)]
    check(function, make, ({0: Dim.AUTO, 2: s}, {0: Dim.AUTO, 2: s}, {0: s}), sizes)


@pytest.mark.parametrize("mode", ["sum", "mean", "max"])
@pytest.mark.parametrize("last", [False, True])
def test_bags(mode, last):
    def make(count, length):
        offsets = torch.randint(0, length, (count + 1,)).sort().values
        offsets[0] = 0
        if last:
            offsets[-1] = length
        return torch.randint(0, 9, (length,)), offsets

    layer = nn.EmbeddingBag(9, 4, mode=mode, include_last_offset=last)
    check(
        lambda m, i, o: m(i, o), make, ({0: Dim.AUTO}, {0: Dim.AUTO}), [(3, 8), (2, 4), (7, 5), (4, 30), (9, 64)], layer
    )


def test_bags_of_rows():
    make = lambda n, s: (torch.randint(0, 9, (n, s)), torch.rand(n, s))
    layer = nn.EmbeddingBag(9, 4, mode="sum")
    dynamic = ({0: Dim.AUTO, 1: Dim.AUTO}, {0: Dim.AUTO, 1: Dim.AUTO})
    check(lambda m, i, w: m(i, per_sample_weights=w), make, dynamic, [(3, 8), (2, 4), (7, 5), (4, 30), (9, 64)], layer)


@pytest.mark.parametrize("name", ["scatter_add", "index_put_mask", "padding"])
def test_placed_by_the_backend(backend, name):
    function = dict(PLACED)[name]
    f = torch.compile(function, backend=backend, dynamic=True)
    for n, s in SIZES[:1] + SIZES[2:]:
        inputs = torch.randn(n, 6, s), torch.randn(n, 6, s), torch.arange(s)
        torch.testing.assert_close(f(*inputs), function(*inputs))


@pytest.mark.parametrize(
    "options",
    [{}, {"align_corners": True}, {"mode": "nearest"}, {"padding_mode": "border"}, {"padding_mode": "reflection"}],
    ids=str,
)
def test_grid_sample(options):
    make = lambda n, h, w: (torch.randn(n, 6, h, w) / 4, torch.rand(n, w, h, 2) * 3 - 1.5)
    align = {"align_corners": False, **options}
    check(
        lambda x, g: F.grid_sample(x, g, **align), make, ({0: Dim.AUTO, 2: h, 3: w}, {0: Dim.AUTO, 1: w, 2: h}), IMAGES
    )


LAYERS = [
    ("reflect", nn.ReflectionPad2d((1, 2, 3, 0))),
    ("replicate", nn.ReplicationPad2d(2)),
    ("circular", nn.CircularPad2d(1)),
    ("cropped", nn.ReplicationPad2d((-1, 2, 0, 0))),
    ("conv_reflect", nn.Conv2d(6, 4, 3, padding=1, padding_mode="reflect")),
    ("conv_circular", nn.Conv2d(6, 4, 3, padding=1, padding_mode="circular")),
    ("transposed_groups", nn.ConvTranspose2d(6, 9, 3, stride=2, padding=1, groups=3)),
    ("adaptive_max", nn.AdaptiveMaxPool2d((3, 5))),
    ("adaptive_max_one", nn.AdaptiveMaxPool2d(1)),
    ("local_response", nn.LocalResponseNorm(3)),
    ("lp_pool", nn.LPPool2d(2, 3, 2)),
]


@pytest.mark.parametrize("layer", [layer for _, layer in LAYERS], ids=[name for name, _ in LAYERS])
def test_layer(layer):
    make = lambda n, h, w: (torch.randn(n, 6, h, w),)
    check(lambda f, x: f(x), make, ({0: Dim.AUTO, 2: h, 3: w},), IMAGES, layer)


@pytest.mark.parametrize(
    "layer",
    [
        nn.MaxPool3d(2, padding=1),
        nn.AvgPool3d((1, 3, 2), 2, ceil_mode=True),
        nn.AdaptiveAvgPool3d((2, 1, 3)),
        nn.AdaptiveMaxPool3d((2, 1, 3)),
    ],
    ids=str,
)
def test_pools_of_three_axes(layer):
    make = lambda n, h, w: (torch.randn(n, 2, 5, h, w),)
    check(lambda f, x: f(x), make, ({0: Dim.AUTO, 3: h, 4: w},), IMAGES, layer)


# Errors.


def compiled(function, *inputs):
    dynamic = tuple(dict.fromkeys(range(x.dim()), Dim.AUTO) for x in inputs)
    return bl.from_torch(torch.export.export(Call(function), inputs, dynamic_shapes=(dynamic,)))


def test_indices_that_there_are_not():
    f = compiled(lambda x, i: x.scatter(0, i, 1.0), torch.randn(5), torch.arange(3))
    with pytest.raises(bl.ShapeError, match=r"'aten.scatter.value': index 5 is outside axis 0, which has extent 5"):
        f(torch.randn(5), torch.tensor([1, 5]))


def test_masks_whose_values_data_counts():
    def put(x, y):
        return x.index_put((x > 0,), y)

    x = torch.tensor([1.0, -1.0, 2.0, -2.0, 0.0])
    torch.testing.assert_close(compiled(put, x, x[:2])(x, x[:2] * 3), put(x, x[:2] * 3))


def test_convolutions_of_doubles():
    for function in (
        lambda x: F.conv2d(x, torch.ones(2, 3, 3, 3).double() / 3, torch.ones(2).double(), stride=2, padding=1),
        lambda x: F.conv2d(x, torch.ones(6, 1, 2, 3).double(), groups=3),
        lambda x: F.conv_transpose2d(x, torch.ones(3, 4, 3, 3).double(), stride=2, padding=1),
        lambda x: F.conv_transpose2d(x, torch.ones(3, 4, 2, 2).double(), stride=2),
        lambda x: F.conv1d(x[..., 0], torch.ones(2, 3, 3).double()) + F.conv3d(x[:, :, None], torch.ones(2, 3, 1, 3, 3).double()).sum(),
    ):  # fmt: skip
        f = compiled(function, torch.randn(2, 3, 5, 6).double())
        for shape in ((2, 3, 5, 6), (3, 3, 7, 9), (4, 3, 4, 4)):
            x = torch.randn(shape).double()
            torch.testing.assert_close(f(x), function(x), rtol=1e-13, atol=1e-13)


@pytest.mark.parametrize("dtype", [torch.int8, torch.int16, torch.int32, torch.int64])
def test_convolutions_of_integers(dtype):
    """Products wrap as those of the type do."""
    draw = lambda *shape: torch.randint(-100, 100, shape).to(dtype)
    weight, bias = draw(4, 3, 3, 3), draw(4)
    function = lambda x: F.conv2d(x, weight, bias, stride=2, padding=1)
    f = compiled(function, draw(2, 3, 5, 6))
    for shape in ((2, 3, 5, 6), (3, 3, 7, 9)):
        x = draw(*shape)
        torch.testing.assert_close(f(x), function(x))


def test_convolutions_of_booleans():
    with pytest.raises(bl.UnsupportedOperations, match="a convolution of i1"):
        compiled(lambda x: F.conv2d(x, torch.ones(2, 3, 3, 3).bool()), torch.ones(2, 3, 5, 6).bool())


@pytest.mark.parametrize(
    "function, said",
    [
        (lambda x, i: x.scatter_add(0, i, x), "aten.scatter_add"),
        (lambda x, i: x.gather(0, i), "gather"),
    ],
    ids=["scatter", "gather"],
)
def test_no_index_counts_from_the_end(function, said):
    """No index of these operations counts from the end in torch."""
    x, indices = torch.randn(4, 3), torch.zeros(4, 3, dtype=torch.int64)
    f = compiled(function, x, indices)
    torch.testing.assert_close(f(x, indices), function(x, indices))
    indices[1, 2] = -1
    with pytest.raises(bl.ShapeError, match=said):
        f(x, indices)
