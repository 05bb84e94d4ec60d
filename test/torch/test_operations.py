"""Operations of ATen as modules have them, against eager mode: for each one
compilation for all shapes."""

import broadloom as bl
import pytest
import torch
from exports import Call
from torch import nn
from torch.export import Dim
from torch.nn import functional as F

SIZES = [(2, 7), (1, 4), (3, 5), (5, 16), (2, 33)]


def check(function, make, dynamic, sizes, *parts):
    """One program that gives what the function does for inputs of all sizes."""
    module = Call(function, *parts).eval()
    inputs = make(*sizes[0])
    f = bl.from_torch(torch.export.export(module, inputs, dynamic_shapes=(dynamic,)))
    for size in sizes:
        inputs = make(*size)
        got, expected = f(*inputs), module(*inputs)
        torch.testing.assert_close(got, expected, equal_nan=True)


# Of x [n, c, s], y [n, c, s] and i [s].

n, s = Dim("n", min=1), Dim("s", min=4)
THREE = [
    ("gelu", lambda x, y, i: F.gelu(x) + F.gelu(y, approximate="tanh")),
    ("activations", lambda x, y, i: F.silu(x) + F.hardswish(y) + F.leaky_relu(x) + F.elu(y) + F.softplus(x) + F.mish(y)),
    ("hard", lambda x, y, i: F.hardsigmoid(x) + F.hardtanh(y) + F.relu6(x)),
    ("functions", lambda x, y, i: x.abs().add(1).log() + y.sin() * x.cos() + x.tanh() + y.erf() + x.sigmoid()),
    ("roots", lambda x, y, i: (x * x).sqrt() + (y * y + 1).rsqrt() + x.pow(2) + y.pow(3) + (x.abs() + 1).pow(y)),
    ("rounding", lambda x, y, i: x.floor() + y.ceil() + (x * 5).round() + y.trunc() + x.sign()),
    ("division", lambda x, y, i: torch.div(x, y, rounding_mode="floor") + torch.remainder(x, y) + torch.fmod(x, y)),
    ("comparisons", lambda x, y, i: ((x > y) & (x <= 1) | (y == x)) ^ torch.isnan(x)),
    ("numbers", lambda x, y, i: i * 2 + (i > 3) - i // 2 + i % 3),
    ("promotion", lambda x, y, i: (x * i, i / 2, i.float() + True, x > i, torch.where(x > 0, i, 1.5))),
    ("clamp", lambda x, y, i: x.clamp(-0.5, 0.5) + x.clamp(min=y) + torch.maximum(x, y)),
    ("lerp", lambda x, y, i: torch.lerp(x, y, 0.3) + torch.addcmul(x, x, y, value=2)),
    ("masked", lambda x, y, i: x.masked_fill(y > 0, float("-inf")).softmax(-1).nan_to_num(0)),
    ("sums", lambda x, y, i: (x.sum(), x.sum(-1), y.mean((0, 2)), x.mean(1, keepdim=True), i.sum())),
    ("extremes", lambda x, y, i: (x.amax(-1), y.amin((0, 1)), x.max(-1), y.min(1), i.max())),
    ("indices", lambda x, y, i: (x.argmax(), x.argmax(1), y.argmin(-1, keepdim=True))),
    ("moments", lambda x, y, i: (x.var(-1), y.std((1, 2)), torch.var_mean(x, 1, correction=0))),
    ("logic", lambda x, y, i: ((x > 0).any(1), (y > 2).all(), (x > 0).any())),
    ("softmax", lambda x, y, i: x.softmax(-1) + y.log_softmax(1) + x.logsumexp((1, 2), keepdim=True)),
    ("cumsum", lambda x, y, i: (x.cumsum(-1), y.cumsum(1), i.cumsum(0), x.cumsum(0))),
    ("order", lambda x, y, i: (x.sort(-1), y.sort(1, descending=True), x.argsort(0), i.sort(stable=True))),
    ("some of them", lambda x, y, i: (x.topk(3), y.topk(1, 1, largest=False), x.kthvalue(2), y.kthvalue(1, 1, keepdim=True))),
    ("product", lambda x, y, i: x @ y.transpose(1, 2)),
    ("einsum", lambda x, y, i: torch.einsum("ncs,ncd->nsd", x, y)),
    ("outer", lambda x, y, i: torch.outer(i.float(), x[0, 0])),
    ("view", lambda x, y, i: x.reshape(-1, x.shape[2]) + y.flatten(0, 1)),
    ("heads", lambda x, y, i: x.view(x.shape[0], 2, 3, -1).transpose(1, 2).reshape(x.shape[0], 3, -1)),
    ("axes", lambda x, y, i: x.permute(2, 0, 1).unsqueeze(1).squeeze(1).movedim(0, -1) + y),
    ("expand", lambda x, y, i: i[None, None].expand(x.shape[0], 6, -1) + x),
    ("cat", lambda x, y, i: (torch.cat([x, y], 1), torch.stack([x, y], 2), torch.cat([x, y[:, :, :2]], -1))),
    ("parts", lambda x, y, i: (x[:, 1:4], y[..., :-1], x[:, ::2], y[-1], x[:, :, 2:4], y.narrow(1, 2, 3))),
    ("split", lambda x, y, i: (*x.split(2, 1), *y.chunk(3, 1), *x.unbind(1))),
    ("pad", lambda x, y, i: F.pad(x, (1, 2)) .sum() + F.pad(y, (0, 0, -1, 3), value=2.0)),
    ("roll", lambda x, y, i: x.roll(1, -1) + y.roll((-2, 1), (1, 2)) + x.flip(2)),
    ("repeat", lambda x, y, i: (x.repeat(1, 2, 1), y.repeat_interleave(2, 1), x.tile(2, 1, 1))),
    ("triangles", lambda x, y, i: x.tril() + y.triu(1) + torch.ones_like(x).tril(-1)),
    ("made", lambda x, y, i: (torch.arange(x.shape[2]) * 2, torch.full((x.shape[0], 2), 7), torch.zeros(x.shape[2], x.shape[0]))),
    ("range", lambda x, y, i: torch.arange(1, x.shape[2] + 1, 2, dtype=torch.float32) / 2),
    ("sizes", lambda x, y, i: x * x.shape[2] + y / (x.shape[0] + 2)),
    ("select", lambda x, y, i: (x.index_select(2, i % 3), x[:, i % 6], y[:, :, i % 2])),
    ("index", lambda x, y, i: (x[i % 1, i % 6], x[:, i % 6, i % 3], x[i % 1, :, i % 4])),
    ("gather", lambda x, y, i: x.gather(1, (i % 6).expand(x.shape[0], 6, -1)) + y.gather(2, (y > 0).long())),
    ("embedding", lambda x, y, i: F.embedding(i % 6, x[0])),
    ("layer_norm", lambda x, y, i: F.layer_norm(x, (x.shape[1], x.shape[2])) + F.layer_norm(y.transpose(1, 2), (6,)).transpose(1, 2)),
    ("rms_norm", lambda x, y, i: F.rms_norm(x.transpose(1, 2), (6,), eps=1e-6)),
    ("normalize", lambda x, y, i: F.normalize(x, dim=1) + F.cosine_similarity(x, y, dim=1)[:, None]),
    ("attention", lambda x, y, i: F.scaled_dot_product_attention(x, y, x + y)),
    ("causal", lambda x, y, i: F.scaled_dot_product_attention(*(z.transpose(1, 2) for z in (x, y, x)), is_causal=True, scale=0.3)),
]  # fmt: skip


@pytest.mark.parametrize("function", [f for _, f in THREE], ids=[name for name, _ in THREE])
def test_operation(function):
    make = lambda n, s: (torch.randn(n, 6, s), torch.randn(n, 6, s), torch.arange(s))
    check(function, make, ({0: n, 2: s}, {0: n, 2: s}, {0: s}), SIZES)


def test_masked_attention():
    def attend(q, k, v, mask):
        grouped = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, enable_gqa=True)
        return grouped + F.scaled_dot_product_attention(q, q, q, attn_mask=mask.float())

    def make(n, s):
        mask = torch.rand(n, 1, s, s) < 0.6
        mask[:, :, 0] = False
        return torch.randn(n, 4, s, 8), torch.randn(n, 2, s, 8), torch.randn(n, 2, s, 8), mask

    both = {0: n, 2: s}
    check(attend, make, (both, both, both, {0: n, 2: s, 3: s}), SIZES)


# Images.

h, w = Dim.AUTO, Dim.AUTO
IMAGES = [(2, 12, 9), (1, 8, 8), (3, 17, 10), (2, 33, 40), (1, 9, 21)]
LAYERS = [
    ("conv", nn.Conv2d(6, 8, 3, padding=1)),
    ("strided", nn.Conv2d(6, 8, (3, 5), stride=(2, 3), padding=(0, 2), bias=False)),
    ("dilated", nn.Conv2d(6, 4, 3, dilation=2, padding=2)),
    ("grouped", nn.Conv2d(6, 9, 3, groups=3, padding=1)),
    ("depthwise", nn.Conv2d(6, 6, 3, stride=2, groups=6, padding=1)),
    ("multiplied", nn.Conv2d(6, 12, 3, groups=6)),
    ("transposed", nn.ConvTranspose2d(6, 4, 3, stride=2, padding=1, output_padding=1)),
    ("transposed2", nn.ConvTranspose2d(6, 4, 2, stride=2)),
    ("transposed3", nn.ConvTranspose2d(6, 4, 4, stride=3, dilation=2, bias=False)),
    ("max_pool", nn.MaxPool2d(3, 2, 1)),
    ("max_pool_ceil", nn.MaxPool2d(3, 2, ceil_mode=True)),
    ("avg_pool", nn.AvgPool2d(2)),
    ("avg_pool_padded", nn.AvgPool2d(3, 2, 1, count_include_pad=False)),
    ("avg_pool_counted", nn.AvgPool2d(3, 2, 1)),
    ("adaptive", nn.AdaptiveAvgPool2d(1)),
    ("adaptive_sizes", nn.AdaptiveAvgPool2d((3, 5))),
    ("batch_norm", nn.BatchNorm2d(6)),
    ("group_norm", nn.GroupNorm(3, 6)),
    ("instance_norm", nn.InstanceNorm2d(6)),
    ("upsample", nn.Upsample(scale_factor=2)),
    ("bilinear", nn.Upsample(scale_factor=2, mode="bilinear")),
    ("shuffle", nn.PixelShuffle(1)),
]


@pytest.mark.parametrize("layer", [layer for _, layer in LAYERS], ids=[name for name, _ in LAYERS])
def test_layer(layer):
    make = lambda n, h, w: (torch.randn(n, 6, h, w),)
    check(lambda f, x: f(x), make, ({0: n, 2: h, 3: w},), IMAGES, layer)


@pytest.mark.parametrize("layer", [nn.Conv1d(6, 4, 5, 2, 2), nn.ConvTranspose1d(6, 4, 3, 2), nn.BatchNorm1d(6)])
def test_layer_of_one_axis(layer):
    make = lambda n, s: (torch.randn(n, 6, s),)
    check(lambda f, x: f(x), make, ({0: n, 2: s},), SIZES, layer)


def test_layer_of_three_axes():
    make = lambda n, s: (torch.randn(n, 3, s, 5, 6),)
    check(lambda f, x: f(x), make, ({0: n, 2: s},), SIZES, nn.Conv3d(3, 4, 3, 2, 1))


def test_recurrence():
    """A window that moves over the axes of a Swin block."""

    def shift(x):
        n, c, h, w = x.shape
        x = x.permute(0, 2, 3, 1).roll((-1, -1), (1, 2))
        x = x.view(n, h // 2, 2, w // 2, 2, c).permute(0, 1, 3, 2, 4, 5)
        return x.reshape(-1, 4, c)

    make = lambda n, h, w: (torch.randn(n, 6, 2 * h, 2 * w),)
    even = lambda name: 2 * Dim(name, min=2)
    check(shift, make, ({0: n, 2: even("h"), 3: even("w")},), IMAGES)


# Forms of operations: each for x [n, s] of a type.

FORMS = [
    ("argmax", lambda x: (x.argmax(keepdim=True), torch.argmin(x, keepdim=True), x.argmax(1, keepdim=True))),
    (
        "scalars",
        lambda x: (lambda y: (torch.any(y), torch.all(y), y.argmax(), y.argmax(0), y.max(0), y.sum(0)))(x.sum()),
    ),
    (
        "corrections",
        lambda x: (
            x.var(1, correction=0.5),
            x.std(correction=1.5),
            x[:, :3].var(1, correction=2.5),
            x.var(1, correction=40),
        ),
    ),
]


@pytest.mark.parametrize("function", [f for _, f in FORMS], ids=[name for name, _ in FORMS])
def test_form(function):
    check(function, lambda n, s: (torch.randn(n, s),), ({0: n, 1: s},), SIZES)


def test_logic_of_bytes():
    make = lambda n, s: (torch.randint(0, 2, (n, s), dtype=torch.uint8),)
    check(lambda x: (x.any(), x.all(1), x.any(1)), make, ({0: n, 1: s},), SIZES)


def test_numbers_that_are_no_elements():
    """They wrap, as in eager mode, and bounds are the nearest."""

    def function(x, y):
        return (
            x < 300, x == -129, x >= -1000, y == -1, y > -1, y != 256, x + 300, x * 1000, y - 257, x.clamp(-1, 300),
            y.clamp(-1, 300), x.clamp(min=-1000), torch.cat([x, x]) > 127,
        )  # fmt: skip

    make = lambda n, s: (
        torch.randint(-128, 128, (n, s), dtype=torch.int8),
        torch.randint(0, 256, (n, s), dtype=torch.uint8),
    )
    check(function, make, ({0: n, 1: s}, {0: n, 1: s}), SIZES)


def test_signs_of_what_is_no_number():
    make = lambda n, s: (torch.full((n, s), float("nan")), torch.randn(n, s), torch.arange(-3, s))
    check(
        lambda x, y, i: (x.sign(), y.sign(), i.sign(), x.sgn()), make, ({0: n, 1: s}, {0: n, 1: s}, {0: s + 3}), SIZES
    )


def test_sizes_as_elements(backend):
    f = lambda x: (x * float(x.shape[0]) + torch.tensor(x.shape[1]), torch.tensor(x.shape[0] * 2))
    g = torch.compile(f, backend=backend, dynamic=True)
    for size in SIZES[:1] + SIZES[2:]:
        x = torch.randn(size)
        for got, expected in zip(g(x), f(x)):
            torch.testing.assert_close(got, expected)


# Layers of other forms.

SHORT = [
    ("layer norm", nn.LayerNorm(6), (3, 6)),
    ("layer norm without weights", nn.LayerNorm(6, elementwise_affine=False), (3, 6)),
    ("group norm", nn.GroupNorm(3, 6), (3, 6, 5)),
    ("batch norm", nn.BatchNorm1d(6), (3, 6, 5)),
    ("instance norm", nn.InstanceNorm1d(6, affine=True), (3, 6, 5)),
    ("RMS norm", nn.RMSNorm(6), (3, 6)),
]


@pytest.mark.parametrize("layer, shape", [x[1:] for x in SHORT], ids=[x[0] for x in SHORT])
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16], ids=["bf16", "f16"])
@pytest.mark.parametrize("form", ["short weights", "wide weights", "autocast"])
def test_norms_of_short_floats(backend, layer, shape, dtype, form):
    layer = layer.to(dtype if form == "short weights" else torch.float32).eval()

    def function(x):
        with torch.autocast("cpu", dtype=dtype, enabled=form == "autocast"):
            return layer(x)

    x = torch.randn(shape).to(dtype)
    expected = function(x)
    for f in (
        torch.compile(function, backend=backend, dynamic=True),
        bl.from_torch(torch.export.export(Call(function), (x,))),
    ):
        torch.testing.assert_close(f(x), expected, rtol=2e-2, atol=1e-2)


def test_attention_of_several_queries_for_each_key(backend):
    def function(q, k, v):
        attend = lambda **options: F.scaled_dot_product_attention(q, k, v, enable_gqa=True, **options)
        return attend() + attend(is_causal=True) + attend(scale=0.3)

    f = torch.compile(function, backend=backend, dynamic=True)
    for batch, queries, keys, length in ((2, 4, 2, 5), (3, 6, 2, 7), (2, 4, 4, 3)):
        q, k, v = torch.randn(batch, queries, length, 8), *torch.randn(2, batch, keys, length, 8)
        torch.testing.assert_close(f(q, k, v), function(q, k, v))


@pytest.mark.parametrize("weights", ["shared", "constant"])
@pytest.mark.parametrize(
    "layer, shape",
    [
        (nn.Conv1d(3, 4, 3), (3, 9)),
        (nn.Conv1d(4, 6, 3, groups=2), (4, 9)),
        (nn.Conv2d(3, 8, 3, 2, 1), (3, 9, 11)),
        (nn.Conv2d(3, 3, 3), (3, 3, 3)),
        (nn.Conv2d(4, 4, 3, groups=4, padding="same"), (4, 4, 4)),
        (nn.Conv3d(2, 3, 2), (2, 5, 6, 7)),
        (nn.ConvTranspose2d(4, 4, 3, 2), (4, 4, 4)),
    ],
)
def test_convolutions_of_one_image(layer, shape, weights):
    """Without an axis of images."""
    x = torch.randn(shape)
    f = bl.from_torch(torch.export.export(layer.eval(), (x,)), weights=weights)
    torch.testing.assert_close(f(x), layer(x))
