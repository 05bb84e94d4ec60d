"""Operators that ONNX Runtime has for graphics processors alone, beside NumPy: as they come, with open extents, and
with inputs that are constants."""

import math

import broadloom as bl
import microsoft
import numpy as np
import pytest
from microsoft import Weight, floats, number, whole

erf = np.vectorize(math.erf)


def gelu(x):
    return x * (1 + erf(x / 2**0.5)) / 2


def fast_gelu(x):
    return x / 2 * (1 + np.tanh((2 / math.pi) ** 0.5 * (x + 0.044715 * x**3)))


def silu(x):
    return x / (1 + np.exp(-x))


def softmax(x):
    powers = np.exp(x - x.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


def group_norm(x, groups, gamma, beta, epsilon=1e-5):
    """Normalises the groups of the last axis."""
    parts = x.reshape(x.shape[0], -1, groups, x.shape[-1] // groups)
    mean, variance = parts.mean((1, 3), keepdims=True), parts.var((1, 3), keepdims=True)
    return ((parts - mean) / np.sqrt(variance + epsilon)).reshape(x.shape) * gamma + beta


def cases():
    x, bias, skip = floats(2, 3, 8), floats(8), floats(2, 3, 8)
    yield "BiasAdd", [x, bias, skip], {}, [x + bias + skip]
    yield "BiasSplitGelu", [x, bias], {}, [(x + bias)[..., :4] * gelu((x + bias)[..., 4:])]
    yield "BiasSoftmax", [x, skip[:, :1].copy()], {"axis": 2, "is_inner_broadcast": 1}, [softmax(x + skip[:, :1])]
    yield "BiasDropout", [x, bias, skip, number(0.5)], {}, [x + bias + skip, np.ones(x.shape, bool)]
    w = floats(8, 5)
    yield "GemmFastGelu", [x, w, floats(5) * 0], {}, [fast_gelu(x @ w)]
    yield "FusedMatMulActivation", [x, w], {"activation": "Relu", "alpha": 0.5}, [np.maximum(x @ w / 2, 0)]
    a, b = whole(0, 255, 2, 3, kind="u1"), whole(0, 255, 3, kind="u1")
    product = (a.astype("i4") - 7) * (b.astype("i4") - 200)
    yield "MulInteger", [a, number(7, "u1"), b, number(200, "u1")], {}, [product]
    image, gamma, beta = floats(2, 3, 5, 8), floats(8), floats(8)
    normal = group_norm(image, 4, gamma, beta)
    yield "GroupNorm", [image, gamma, beta], {"groups": 4, "activation": 0}, [normal]
    first = np.ascontiguousarray(np.moveaxis(image, -1, 1))
    options = {"groups": 4, "activation": 1, "channels_last": 0}
    yield "GroupNorm", [first, gamma, beta], options, [np.moveaxis(silu(normal), -1, 1)]
    for other in (floats(2, 3, 5, 8), floats(2, 1, 1, 8), floats(2, 8)):
        total = image + other.reshape(2, *[1] * (4 - other.ndim), *other.shape[1:]) + bias
        made = [silu(group_norm(total, 2, gamma, beta)), total]
        yield "SkipGroupNorm", [image, gamma, beta, other, bias], {"groups": 2, "activation": 1}, made
    kernel = floats(3, 2, 2, 8)
    windows = np.lib.stride_tricks.sliding_window_view(image, (2, 2), (1, 2))
    made = np.einsum("nhwcij,oijc->nhwo", windows, kernel)
    yield "NhwcConv", [image, Weight(kernel), Weight(floats(3) * 0)], {}, [made]


CASES = list(cases())


@pytest.mark.parametrize("form", ["static", "open", "constant"])
@pytest.mark.parametrize(
    "name, inputs, attributes, expected", CASES, ids=[f"{row[0]}-{at}" for at, row in enumerate(CASES)]
)
def test_beside_numpy(name, inputs, attributes, expected, form):
    case = microsoft.make(name, name, inputs, len(expected), **attributes)
    given = dict(zip(case.names, case.inputs))
    if form == "constant":
        found = bl.from_onnx(case.model, constants=given)()
    else:
        static = {name: list(x.shape) for name, x in given.items()}
        found = bl.from_onnx(case.model, shapes=static if form == "static" else case.open_shapes)(*case.inputs)
    for got, wanted in zip(found if isinstance(found, tuple) else (found,), expected, strict=True):
        assert got.shape == wanted.shape and got.dtype.kind == wanted.dtype.kind
        np.testing.assert_allclose(got, wanted, rtol=1e-3, atol=1e-4)
