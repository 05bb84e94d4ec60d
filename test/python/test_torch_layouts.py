"""The importer of PyTorch's graphs: images and weights in the layouts that programs read."""

import broadloom as bl
import numpy as np
import pytest
from broadloom.torch._graph import parse
from broadloom.torch._importer import Given, import_graph
from torch_graphs import Graph, agree, make, random

CONVOLUTIONS = """
n = symbol(1, None)
h = symbol(4, None)
x: f32[n, 3, h, 9] = input()
w: f32[8, 3, 3, 3] = weight("w")
v: f32[8, 1, 3, 3] = weight("v")
g: f32[8] = weight("g")
b: f32[8] = weight("b")
m: f32[8] = weight("m")
d: f32[8] = weight("d")
c1: f32[n, 8, (h - 1)//2 + 1, 5] = aten.convolution.default(x, w, b, [2, 2], [1, 1], [1, 1], False, [0, 0], 1)
bn: (f32[n, 8, (h - 1)//2 + 1, 5], f32[0], f32[0]) = aten._native_batch_norm_legit_no_training.default(c1, g, b, m, d, 0.1, 1e-05)
y: f32[n, 8, (h - 1)//2 + 1, 5] = bn[0]
r: f32[n, 8, (h - 1)//2 + 1, 5] = aten.relu.default(y)
c2: f32[n, 8, (h - 1)//2 + 1, 5] = aten.convolution.default(r, v, None, [1, 1], [1, 1], [1, 1], False, [0, 0], 8)
z: f32[n, 8, (h - 1)//2 + 1, 5] = aten.add.Tensor(r, c2)
return z
"""


def convolve(x, w, stride, groups):
    x = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1))).astype("f8")
    parts = np.lib.stride_tricks.sliding_window_view(x, (3, 3), (2, 3))[:, :, ::stride, ::stride]
    if groups > 1:
        return np.einsum("nchwij,cij->nchw", parts, w[:, 0].astype("f8"))
    return np.einsum("nchwij,ocij->nohw", parts, w.astype("f8"))


@pytest.mark.parametrize("n, h", [(1, 4), (2, 5), (3, 16), (1, 33)])
def test_convolutions_transpose_at_the_ends_alone(n, h):
    names = {"w": (8, 3, 3, 3), "v": (8, 1, 3, 3), "g": 8, "b": 8, "m": 8, "d": 8}
    weights = {k: random(*np.atleast_1d(s), seed=i) for i, (k, s) in enumerate(names.items())}
    weights["d"] = np.abs(weights["d"])
    f = Graph(CONVOLUTIONS, **weights)
    assert f.text.count("tosa.transpose") == 2
    w = {k: v.astype("f8") for k, v in weights.items()}
    each = lambda v: v[:, None, None]
    x = random(n, 3, h, 9)
    y = convolve(x, w["w"], 2, 1) + each(w["b"])
    y = (y - each(w["m"])) / np.sqrt(each(w["d"]) + 1e-5) * each(w["g"]) + each(w["b"])
    r = np.maximum(y, 0)
    agree(f(x), (r + convolve(r, w["v"], 1, 8)).astype("f4"), 1e-4)


def test_weights_are_bound_in_the_layout_that_is_read():
    f = Graph(CONVOLUTIONS)
    shapes = [a.shape for a in f.imported.arguments if not isinstance(a, Given)]
    # The batch norm is part of the first convolution.
    assert shapes == [(8,), (3, 3, 3, 8), (3, 3, 8)]


def test_weights_as_constants():
    weights = {"w": random(4, 3)}
    graph = parse("""
s = symbol(1, None)
x: f32[s, 3] = input()
w: f32[4, 3] = weight("w")
y: f32[s, 4] = aten.linear.default(x, w)
return y
""")
    imported = import_graph(graph, lambda stored: make(stored, weights))
    assert imported.arguments == [Given(0)]
    agree(bl.compile(imported.text)(random(5, 3, seed=1)), random(5, 3, seed=1) @ weights["w"].T)
