"""The importer of PyTorch's graphs, on graphs that are kept as text: no torch is
needed. test/torch/ has the same with torch."""

import json
import math
import os
import re

import broadloom as bl
import numpy as np
import pytest
from broadloom.torch._fixed import find_fixed
from broadloom.torch._graph import Size, parse
from broadloom.torch._importer import Given, import_graph
from broadloom.torch._ranges import Range, range_of

GRAPHS = os.path.join(os.path.dirname(__file__), "graphs")


def make(stored, weights):
    """What is made of weights, in NumPy."""
    if stored.operation == "weight":
        return weights[stored.operands[0]]
    operands = [make(o, weights) if hasattr(o, "operation") else o for o in stored.operands]
    steps = {
        "permute": lambda x, order: x.transpose(order),
        "reshape": lambda x, shape: x.reshape(shape),
        "narrow": lambda x, axis, start, count: x.take(range(start, start + count), axis),
        "rsqrt": lambda x, eps: 1 / np.sqrt(x + np.float32(eps)),
        "multiply": lambda x, y: x * y,
        "subtract": lambda x, y: x - y,
    }
    return np.ascontiguousarray(steps[stored.operation](*operands)).astype("f4")


class Graph:
    """A graph as a function of arrays."""

    def __init__(self, text, **weights):
        self.imported = import_graph(parse(text))
        self.text = self.imported.text
        self.function = bl.compile(self.text)
        self.weights = weights

    def __call__(self, *inputs):
        given = [
            inputs[a.input] if isinstance(a, Given) else make(a, self.weights) for a in self.imported.arguments
        ]
        return self.function(*given)


def random(*shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype("f4")


def agree(got, expected, tolerance=1e-5):
    assert got.shape == expected.shape and got.dtype == expected.dtype
    np.testing.assert_allclose(got, expected, rtol=tolerance, atol=tolerance)


# The text of graphs.


@pytest.mark.parametrize("name", sorted(os.listdir(GRAPHS)))
def test_theTextSaysAll(name):
    with open(os.path.join(GRAPHS, name), encoding="utf-8") as file:
        text = file.read()
    assert str(parse(text)) == text


@pytest.mark.parametrize(
    "text, message",
    [
        ("x: f32[2 = input()", "line 1 of the graph: "),
        ("x: f32[2] = input()\nx.y = 3", "line 2 of the graph: no line of a graph: x.y = 3"),
        ("x: 3 = input()", "line 1 of the graph: no type: 3"),
    ],
)
def test_whatIsNoGraph(text, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        parse(text)


# A model.


def llamaBlock(w, x):
    norm = lambda x, g: x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-6) * g
    batch, length, _ = x.shape
    heads = lambda y, n: y.reshape(batch, length, n, 8).transpose(0, 2, 1, 3)
    angle = np.arange(length)[:, None] * w["rate"]
    angle = np.concatenate([angle, angle], -1)
    rotate = lambda y: y * np.cos(angle) + np.concatenate([-y[..., 4:], y[..., :4]], -1) * np.sin(angle)
    h = norm(x, w["norm.weight"])
    q = rotate(heads(h @ w["query.weight"].T, 4))
    k = rotate(heads(h @ w["key.weight"].T, 2)).repeat(2, axis=1)
    v = heads(h @ w["value.weight"].T, 2).repeat(2, axis=1)
    score = q @ k.transpose(0, 1, 3, 2) / math.sqrt(8)
    score = np.where(np.tril(np.ones((length, length), bool)), score, -np.inf)
    power = np.exp(score - score.max(-1, keepdims=True))
    y = (power / power.sum(-1, keepdims=True)) @ v
    x = x + y.transpose(0, 2, 1, 3).reshape(x.shape) @ w["out.weight"].T
    h = norm(x, w["norm2.weight"])
    gate = h @ w["gate.weight"].T
    return x + (gate / (1 + np.exp(-gate)) * (h @ w["up.weight"].T)) @ w["down.weight"].T


@pytest.fixture(scope="module")
def llama():
    with open(os.path.join(GRAPHS, "llama_block.txt"), encoding="utf-8") as file:
        text = file.read()
    shapes = re.findall(r": f32\[([\d, ]+)\] = weight\('([\w.]+)'\)", text)
    weights = {
        name: random(*map(int, shape.split(", ")), seed=i) / 5 for i, (shape, name) in enumerate(shapes)
    }
    return Graph(text, **weights)


@pytest.mark.parametrize("batch, length", [(1, 2), (2, 7), (3, 64), (5, 33), (64, 3)])
def test_oneProgramForAllSizes(llama, batch, length):
    x = random(batch, length, 32)
    expected = llamaBlock({k: v.astype("f8") for k, v in llama.weights.items()}, x.astype("f8"))
    agree(llama(x), expected.astype("f4"), 1e-4)


def test_rangesAreCheckedByEachCall(llama):
    with pytest.raises(bl.ShapeError, match="axis 1 has extent 65, but 'length' is at most 64"):
        llama(random(1, 65, 32))


# What an export has fixed.


def test_fixedExtents():
    graph = parse("""
s = symbol(2, None)
n: int[s] = input()
x: f32[3, s] = input()
more_a_0: f32[1, 5] = input()
w: f32[5] = weight('w')
y: f32[3, s] = aten.mul.Tensor(x, n)
z: f32[1, 5] = aten.add.Tensor(more_a_0, w)
return y, z
""")
    guards = ["L['x'].size()[0] == 3", "(3*L['x'].size()[1]) % 6 == 0", "L['more']['a'][0].size()[1] == 5"]
    fixed = find_fixed(graph, guards, {("x", 0): "model.py:12"})
    assert fixed == (
        ("x", 0, 3, True, "model.py:12"), ("more_a_0", 0, 1, False, None), ("more_a_0", 1, 5, True, None)
    )  # fmt: skip
    report = bl.compile(import_graph(graph, fixed=fixed).text).check()
    own = bl.compile(import_graph(graph).text).check()
    meant = [row[:2] + row[3:] for row in own]
    assert [row[:2] + row[3:] for row in report][3:] == meant and meant and report.accepted
    assert report.counts == own.counts | {"fixed": 3} and own.counts["fixed"] == 0
    assert report[0][:6] == ("main", "torch.export", "model.py:12", 0, "axis 0 of argument 'x' is 3", "fixed")
    assert report[1][:6] == ("main", "torch.export", "", 0, "axis 0 of argument 'more_a_0' is 1", "fixed")
    assert [row.reason for row in report][:3] == [extent.reason for extent in fixed]
    assert "holds for this extent alone" in report[0].reason and "an example whose extent is 2" in report[1].reason
    assert "\n\ntorch.export  model.py:12\n  fixed     axis 0 of argument 'x' is 3\n" in str(report)
    assert str(report).count("torch.export\n") == 1 and str(report).endswith(", 3 fixed\n\n")
    listed = json.loads(report.to_json())
    assert [row["status"] for row in listed[:3]] == ["fixed"] * 3 and len(listed) == 3 + len(own)
    assert "<td>axis 0 of argument &#39;x&#39; is 3</td>" in report.to_html()


def test_extentsThatNothingLeavesOpen():
    graph = parse("x: f32[2, 4] = input()\nreturn x")
    reasons = [f.reason for f in find_fixed(graph, [], {})]
    assert reasons[1] == "dynamic_shapes does not leave it open; {1: Dim.AUTO} for 'x' would"


# Symbols.


def test_sizesWithFractions():
    """As the decomposition of interpolate has them."""
    f = Graph("""
s = symbol(1, None)
x: f32[s] = input()
a: f32[trunc(1.5*float(s))] = prims.iota.default(Size, start=0, step=1, dtype=f32)
y: f32[trunc(1.5*float(s))] = aten.mul.Tensor(a, (s) / (trunc(1.5*float(s))))
z: f32[s] = aten.add.Tensor(x, sqrt(float(s)))
return y, z, trunc(1.5*float(s))
""".replace("Size", "trunc(1.5*float(s))"))
    for n in (1, 2, 5, 8, 33):
        x = random(n)
        count = int(1.5 * n)
        y, z = f(x)
        agree(y, np.arange(count, dtype="f4") * np.float32(n / count))
        agree(z, x + np.float32(math.sqrt(n)))
    assert f.imported.outputs[2] == ("size", Size("trunc(1.5 * float(s))"))
    with pytest.raises(bl.UnsupportedOperations, match="a number with a fraction is no i64"):
        import_graph(parse("s = symbol(1, 9)\nx: i64[s] = input()\ny: i64[s] = aten.mul.Tensor(x, s / 2)\nreturn y"))


def test_scatter():
    f = Graph("""
n = symbol(1, None)
s = symbol(1, None)
x: f32[n, 4] = input()
i: i64[s, 4] = input()
y: f32[s, 4] = input()
a: f32[n, 4] = aten.scatter_add.default(x, 0, i, y)
b: f32[n, 4] = aten.scatter.value(x, -2, i, 2.5)
c: f32[n, 4] = aten.index_put.default(x, [None, c0], y0)
d: f32[n, 4] = aten.scatter_reduce.two(x, 0, i, y, 'amax', include_self=False)
return a, b, c, d
""".replace("a: f32", "c0: i64[2] = constant([1, 3])\ny0: f32[()] = constant(7.0)\na: f32", 1))
    for n, s in ((1, 2), (5, 3), (7, 9), (3, 1), (20, 40)):
        x, y = random(n, 4), random(s, 4, seed=1)
        i = np.random.default_rng(2).integers(0, n, (s, 4))
        a, b, c, d = f(x, i, y)
        added, put, largest = x.copy(), x.copy(), x.copy()
        columns = np.broadcast_to(np.arange(4), i.shape)
        np.add.at(added, (i, columns), y)
        put[i, columns] = 2.5
        largest[i, columns] = -np.inf
        np.maximum.at(largest, (i, columns), y)
        agree(a, added)
        agree(b, put)
        agree(d, largest)
        x[:, [1, 3]] = 7
        agree(c, x)


def test_relationsOfInputs():
    f = Graph("""
s = symbol(1, 8)
x: f32[s, 2*s + 1] = input()
y: f32[2*s + 1] = input()
z: f32[s, 2*s + 1] = aten.add.Tensor(x, y)
return z
""")
    x, y = random(3, 7), random(7)
    agree(f(x, y), x + y)
    with pytest.raises(bl.ShapeError, match="axis 1 has extent 6"):
        f(random(3, 6), random(6))
    with pytest.raises(bl.ShapeError, match="argument 1, axis 0 has extent 1"):
        f(x, random(1))


def test_symbolsThatStandNowhereAlone():
    f = Graph("""
s = symbol(1, 8)
x: f32[4*s] = input()
y: f32[s, 4] = aten.view.default(x, [s, 4])
return y
""")
    agree(f(np.arange(12, dtype="f4")), np.arange(12, dtype="f4").reshape(3, 4))
    with pytest.raises(bl.ShapeError, match="axis 0 has extent 10, but 's_whole' is a multiple of 4"):
        f(np.zeros(10, "f4"))


def test_numbersAreArguments():
    f = Graph("""
s = symbol(0, None)
n = symbol(0, None)
k: int[n] = input()
x: f32[s] = input()
y: f32[n] = aten.slice.Tensor(x, 0, 0, n)
z: f32[n] = aten.mul.Tensor(y, n)
return z
""")
    agree(f(2, random(5)), random(5)[:2] * 2)
    with pytest.raises(bl.ShapeError):
        f(6, random(5))


def test_outputsThatAreNoResults():
    imported = import_graph(parse("""
s = symbol(0, None)
x: f32[s] = input()
y: f32[s] = aten.neg.default(x)
return y, 2*s, None, x, y
"""))
    assert [str(o[1]) if isinstance(o, tuple) else o for o in imported.outputs] == [0, "2 * s", "None", "0", 0]
    assert imported.symbols == {"s": ("input", 0, 0, 1, 0)}


def test_outputsThatAreDropped():
    graph = parse("""
s = symbol(0, None)
x: f32[s] = input()
y: f32[s] = aten.neg.default(x)
k: f32[s] = aten.lgamma.default(x)
z: f32[2*s] = aten.cat.default([x, k])
return y, z
""")
    graph.drop_outputs({1})
    assert [node.name for node in graph.nodes] == ["x", "y"]
    assert import_graph(graph).outputs == [0, ("constant", None)]


@pytest.mark.parametrize(
    "size, low, high",
    [
        ("a + 2*b - 1", 3, 17), ("a - b", -2, 9), ("-(a//2)", -5, -1), ("(c - 4)//3", -1, math.inf),
        ("max(a, 5) % 4", 0, 3), ("min(c, 3)", 1, 3), ("a*(b - 3)", -20, 10), ("a//c", 0, 10), ("(2 - b)//b", -2, 1),
        ("d", -math.inf, math.inf), ("sqrt(a)", -math.inf, math.inf),
    ],
)  # fmt: skip
def test_rangesOfSizes(size, low, high):
    symbols = {"a": (2, 10), "b": (1, 4), "c": (1, None)}
    assert range_of(Size(size), symbols) == Range(low, high)


@pytest.mark.parametrize("n", [1, 2, 4, 9])
def test_partsBeginWhereTheyMay(n):
    f = Graph("""
s = symbol(1, None)
x: f32[s] = input()
y: f32[s - min(s, 5)] = aten.slice.Tensor(x, 0, 5, 9223372036854775807)
z: f32[s//2] = aten.slice.Tensor(x, 0, -(s//2), 9223372036854775807)
u: f32[min(s, 3)] = aten.slice.Tensor(x, 0, -3, 9223372036854775807)
v: f32[()] = aten.select.int(x, 0, s//2 - 1)
return y, z, u, v
""")
    x = random(n)
    for got, wanted in zip(f(x), (x[5:], x[n - n // 2 :], x[-3:], x[n // 2 - 1])):
        agree(got, np.asarray(wanted))


# Layouts.

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
def test_convolutionsTransposeAtTheEndsAlone(n, h):
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


def test_weightsAreBoundInTheLayoutThatIsRead():
    f = Graph(CONVOLUTIONS)
    shapes = [a.shape for a in f.imported.arguments if not isinstance(a, Given)]
    assert shapes == [(8,), (3, 3, 3, 8), (8, 1, 1), (8, 1, 1), (3, 3, 8)]


def test_weightsAsConstants():
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


# Operations, of x [a, b] and y [b].

HEAD = """
a = symbol(1, None)
b = symbol(1, None)
x: f32[a, b] = input()
y: f32[b] = input()
"""
ONE = [
    ("f32[a, b]", "aten.add.Tensor(x, y, alpha=2)", lambda x, y: x + 2 * y),
    ("f32[a, b]", "aten.rsub.Scalar(x, 3)", lambda x, y: 3 - x),
    ("i1[2]", "aten.lt.Scalar(aten_bytes, 300)", lambda x, y: np.array([True, False])),
    ("i8[2]", "aten.clamp.default(aten_bytes, -1000, 300)", lambda x, y: np.array([1, 100], "i1")),
    ("f32[()]", "prims.convert_element_type.default(a, f32)", lambda x, y: np.float32(len(x))),
    ("f32[a, b]", "aten.div.Tensor(x, y)", lambda x, y: x / y),
    ("i1[a, b]", "aten.gt.Tensor(x, y)", lambda x, y: x > y),
    ("f32[a, b]", "aten.clamp.default(x, -1, 0.5)", lambda x, y: np.clip(x, -1, np.float32(0.5))),
    ("f32[a]", "aten.sum.dim_IntList(x, [1])", lambda x, y: x.sum(1)),
    ("f32[a, 1]", "aten.amax.default(x, [-1], True)", lambda x, y: x.max(1, keepdims=True)),
    ("f32[()]", "aten.mean.default(x)", lambda x, y: x.mean()),
    ("i64[a]", "aten.argmax.default(x, 1)", lambda x, y: x.argmax(1)),
    ("i64[()]", "aten.argmax.default(x)", lambda x, y: x.argmax()),
    ("i64[1, 1]", "aten.argmax.default(x, None, True)", lambda x, y: x.argmax(keepdims=True)),
    ("f32[a]", "aten.var.correction(x, [1], correction=-0.5)", lambda x, y: x.var(1, ddof=-0.5)),
    ("f32[b]", "aten.var.correction(x, [0], correction=0)", lambda x, y: x.var(0)),
    ("f32[b, a]", "aten.permute.default(x, [1, 0])", lambda x, y: x.T),
    ("f32[a * b]", "aten.view.default(x, [a * b])", lambda x, y: x.reshape(-1)),
    ("f32[a, 1, b]", "aten.unsqueeze.default(x, 1)", lambda x, y: x[:, None]),
    ("f32[2, a, b]", "aten.expand.default(x, [2, a, b])", lambda x, y: np.broadcast_to(x, (2, *x.shape))),
    ("f32[2 * a, b]", "aten.cat.default([x, x])", lambda x, y: np.concatenate([x, x])),
    ("f32[a, b - 1]", "aten.slice.Tensor(x, 1, 1, 9223372036854775807)", lambda x, y: x[:, 1:]),
    ("f32[b]", "aten.select.int(x, 0, -1)", lambda x, y: x[-1]),
    ("f32[a, b]", "aten.roll.default(x, [1], [1])", lambda x, y: np.roll(x, 1, 1)),
    ("f32[a, b]", "aten.roll.default(x, [-3], [0])", lambda x, y: np.roll(x, -3, 0)),
    ("f32[a, b + 3]", "aten.constant_pad_nd.default(x, [1, 2], 7.0)",
     lambda x, y: np.pad(x, ((0, 0), (1, 2)), constant_values=7)),
    ("f32[a, b]", "aten.tril.default(x)", lambda x, y: np.tril(x)),
    ("f32[a, b]", "aten.triu.default(x, 1)", lambda x, y: np.triu(x, 1)),
    ("f32[a, b]", "aten.cumsum.default(x, 1)", lambda x, y: x.cumsum(1)),
    ("f32[a, b]", "aten.cumsum.default(x, 0)", lambda x, y: x.cumsum(0)),
    ("i64[a, b]", "aten.argsort.stable(x, stable=True, dim=1)", lambda x, y: x.argsort(1, kind="stable")),
    ("f32[2 * a, 3 * b]", "aten.repeat.default(x, [2, 3])", lambda x, y: np.tile(x, (2, 3))),
    ("f32[a, b]", "aten.full_like.default(x, 3)", lambda x, y: np.full_like(x, 3)),
    ("i64[b]", "aten.arange.start_step(0, 2 * b, 2)", lambda x, y: np.arange(0, 2 * len(y), 2)),
    ("f32[a, b]", "aten._softmax.default(x, 1, False)",
     lambda x, y: np.exp(x) / np.exp(x).sum(1, keepdims=True)),
    ("f32[a, b]", "aten.pow.Tensor_Scalar(x, 2)", lambda x, y: x * x),
    ("f32[a, b]", "aten.where.self(aten_mask, x, y)", lambda x, y: np.where(x > 0, x, y)),
    ("f32[a]", "aten.mv.default(x, y)", lambda x, y: x @ y),
    ("f32[a, 2]", "aten.index.Tensor(x, [None, picked])", lambda x, y: x[:, [0, 0]]),
    ("f32[2]", "aten.index.Tensor(x, [picked, picked])", lambda x, y: x[[0, 0], [0, 0]]),
    ("f32[2, b]", "aten.embedding.default(x, picked)", lambda x, y: x[[0, 0]]),
]  # fmt: skip


@pytest.mark.parametrize("type_, call, expected", ONE, ids=[call.split("(")[0][5:] + str(i) for i, (_, call, _) in enumerate(ONE)])
def test_operation(type_, call, expected):
    f = Graph(
        HEAD
        + "aten_mask: i1[a, b] = aten.gt.Scalar(x, 0)\n"
        + "picked: i64[2] = constant([0, 0])\n"
        + "aten_bytes: i8[2] = constant([1, 100])\n"
        + f"r: {type_} = {call}\nreturn r\n"
    )
    for a, b in [(1, 1), (2, 5), (7, 3), (1, 64), (40, 2)]:
        x, y = random(a, b), random(b, seed=1)
        wanted = np.asarray(expected(x, y))
        agree(f(x, y), wanted.astype("f4") if wanted.dtype == np.float64 else wanted)


def test_theFirstOfAnOrder():
    f = Graph(
        HEAD
        + "top: (f32[a, 1], i64[a, 1]) = aten.topk.default(x, 1, 1)\n"
        + "value: f32[a, 1] = top[0]\nindex: i64[a, 1] = top[1]\n"
        + "kth: (f32[b], i64[b]) = aten.kthvalue.default(x, 1, 0)\nleast: f32[b] = kth[0]\n"
        + "return value, index, least\n"
    )
    for a, b in [(1, 1), (2, 5), (40, 700)]:
        x, y = random(a, b), random(b, seed=1)
        value, index, least = f(x, y)
        np.testing.assert_array_equal(value, x.max(1, keepdims=True))
        np.testing.assert_array_equal(index, x.argmax(1)[:, None])
        np.testing.assert_array_equal(least, x.min(0))


# What cannot be imported.


def test_allUnknownOperationsAreListed():
    with pytest.raises(bl.UnsupportedOperations) as caught:
        import_graph(parse("""
s = symbol(0, None)
x: f32[s] = input()
y: f32[s] = aten.lgamma.default(x, at="model.py:3")
z: (f32[s], i64[s]) = aten.mode.default(y, at="model.py:4")
w: f32[s] = z[0]
m: i1[s] = aten.gt.Scalar(w, 0, at="model.py:5")
n: f32[s] = aten.index.Tensor(x, [mask], at="model.py:6")
return w
""".replace("[mask]", "[k]").replace("m: i1", "k: i1").replace("(w, 0", "(x, 0")))
    error = caught.value
    assert [o[:2] for o in error.operations] == [
        ("aten.lgamma.default", "model.py:3"),
        ("aten.mode.default", "model.py:4"),
        ("aten.index.Tensor", "model.py:6"),
    ]
    assert isinstance(error, NotImplementedError) and isinstance(error, bl.Error)
    assert "model.py:4: aten.mode.default: the importer has no rule for it" in str(error)
    assert "an index that is a mask, whose number of elements data decides" in str(error)


def test_resultsThatAreNotComputed():
    with pytest.raises(bl.UnsupportedOperations, match="the indices of max_pool2d"):
        import_graph(parse("""
n = symbol(1, None)
x: f32[n, 3, 8, 8] = input()
p: (f32[n, 3, 4, 4], i64[n, 3, 4, 4]) = aten.max_pool2d_with_indices.default(x, [2, 2])
i: i64[n, 3, 4, 4] = p[1]
return i
"""))


def test_errorsNameTheLineOfPython():
    f = Graph("""
s = symbol(0, None)
t = symbol(0, None)
x: f32[s, 4] = input()
i: i64[t] = input()
y: f32[t, 4] = aten.embedding.default(x, i, at="model.py:12")
return y
""")
    with pytest.raises(bl.ShapeError, match=r"^model\.py:12:\d+: 'aten\.embedding\.default'"):
        f(random(3, 4), np.array([3]))


def test_aResultOfAnotherTypeIsToldWithItsLine():
    with pytest.raises(bl.UnsupportedOperations, match=r"model\.py:7: aten\.neg\.default: its rule gives 1 axes of f32"):
        import_graph(parse("""
s = symbol(0, None)
x: f32[s] = input()
y: f32[s, 1] = aten.neg.default(x, at="model.py:7")
return y
"""))


def test_numbersThatNoElementIsAreToldWithTheirLine():
    with pytest.raises(bl.UnsupportedOperations, match=r"model\.py:7: aten\.where\.ScalarOther: OverflowError: 300 is outside"):
        import_graph(parse("""
s = symbol(0, None)
m: i1[s] = input()
x: i8[s] = input()
y: i8[s] = aten.where.ScalarOther(m, x, 300, at="model.py:7")
return y
"""))


def test_operationsOfTrainingSayWhatToDo():
    with pytest.raises(bl.UnsupportedOperations, match=r"native_dropout\.default: .*call \.eval\(\) on the module"):
        import_graph(parse("""
s = symbol(0, None)
x: f32[s] = input()
y: (f32[s], i1[s]) = aten.native_dropout.default(x, 0.5, True)
z: f32[s] = y[0]
return z
"""))


# What data decides.


@pytest.mark.parametrize(
    "operation, message",
    [
        ("aten.one_hot.default(x, -1)", "how many classes there are is decided by data; give num_classes"),
        ("aten.bincount.default(x)", "how many elements it gives is decided by data; use torch.where, or a sum over"),
        ("aten.new_of_2030.default(x)", "the importer has no rule for it"),
    ],
)
def test_extentsThatDataDecides(operation, message):
    graph = parse(f"x: i64[3] = input()\ny: i64[3, 5] = {operation}\nreturn y")
    with pytest.raises(bl.UnsupportedOperations, match=message):
        import_graph(graph)


def test_checksStayWhereOutputsAreDropped():
    graph = parse("""
x: f32[3] = input()
y: i1[()] = aten.all.default(x)
z: f32[3] = aten.add.Tensor(x, x)
check: None = aten._assert_async.msg(y, "all of x")
return x, z
""")
    graph.drop_outputs({1})
    assert [node.name for node in graph.nodes] == ["x", "y", "check"]
    with pytest.raises(bl.ShapeError, match="all of x"):
        bl.compile(import_graph(graph).text)(np.zeros(3, "f4"))
