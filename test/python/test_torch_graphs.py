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
from broadloom.torch._importer import import_graph
from broadloom.torch._ranges import Range, range_of
from torch_graphs import Graph, agree, random

GRAPHS = os.path.join(os.path.dirname(__file__), "graphs")

# The text of graphs.


@pytest.mark.parametrize("name", sorted(os.listdir(GRAPHS)))
def test_the_text_says_all(name):
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
def test_what_is_no_graph(text, message):
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
    weights = {name: random(*map(int, shape.split(", ")), seed=i) / 5 for i, (shape, name) in enumerate(shapes)}
    return Graph(text, **weights)


@pytest.mark.parametrize("batch, length", [(1, 2), (2, 7), (3, 64), (5, 33), (64, 3)])
def test_one_program_for_all_sizes(llama, batch, length):
    x = random(batch, length, 32)
    expected = llamaBlock({k: v.astype("f8") for k, v in llama.weights.items()}, x.astype("f8"))
    agree(llama(x), expected.astype("f4"), 1e-4)


def test_ranges_are_checked_by_each_call(llama):
    with pytest.raises(bl.ShapeError, match="axis 1 has extent 65, but 'length' is at most 64"):
        llama(random(1, 65, 32))


# What an export has fixed.


def test_fixed_extents():
    graph = parse("""
s = symbol(2, None)
n: int[s] = input()
x: f32[3, s] = input()
more_a_0: f32[1, 5] = input("more['a'][0]")
w: f32[5] = weight('w')
y: f32[3, s] = aten.mul.Tensor(x, n)
z: f32[1, 5] = aten.add.Tensor(more_a_0, w)
return y, z
""")
    guards = ["L['x'].size()[0] == 3", "(3*L['x'].size()[1]) % 6 == 0", "L['more']['a'][0].size()[1] == 5"]
    numbers = {"L['n']": 0, "L['x']": 1, "L['more']['a'][0]": 2}
    fixed = find_fixed(graph, guards, {"L['x'].size()[0]": "model.py:12"}, numbers.get)
    assert fixed == (
        ("x", 0, 3, True, "model.py:12", False),
        ("more['a'][0]", 0, 1, False, None, False),
        ("more['a'][0]", 1, 5, True, None, False),
    )
    assert fixed[2].condition == "more['a'][0].shape[1] == 5"
    report = bl.compile(import_graph(graph, fixed=fixed).text).check()
    own = bl.compile(import_graph(graph).text).check()
    meant = [row[:2] + row[3:] for row in own]
    assert [row[:2] + row[3:] for row in report][3:] == meant and meant and report.accepted
    assert report.counts == own.counts | {"fixed": 3} and own.counts["fixed"] == 0
    assert report[0][:6] == ("main", "torch.export", "model.py:12", 0, "axis 0 of argument 'x' is 3", "fixed")
    assert report[1][:6] == ("main", "torch.export", "", 0, "axis 0 of argument 'more['a'][0]' is 1", "fixed")
    assert [row.reason for row in report][:3] == [extent.reason for extent in fixed]
    assert "holds for this extent alone" in report[0].reason and "an example whose extent is 2" in report[1].reason
    assert "\n\ntorch.export  model.py:12\n  fixed     axis 0 of argument 'x' is 3\n" in str(report)
    assert str(report).count("torch.export\n") == 1 and str(report).endswith(", 3 fixed\n")
    listed = json.loads(report.to_json())
    assert [row["status"] for row in listed[:3]] == ["fixed"] * 3 and len(listed) == 3 + len(own)
    assert "<td>axis 0 of argument &#39;x&#39; is 3</td>" in report.to_html()


def test_extents_that_nothing_leaves_open():
    graph = parse("x: f32[2, 4] = input()\nreturn x")
    reasons = [f.reason for f in find_fixed(graph, [], {}, {}.get)]
    assert reasons[1] == "dynamic_shapes does not leave it open; {1: Dim.AUTO} for 'x' would"


# Symbols.


def test_sizes_with_fractions():
    """As the decomposition of interpolate has them."""
    f = Graph(
        """
s = symbol(1, None)
x: f32[s] = input()
a: f32[trunc(1.5*float(s))] = prims.iota.default(Size, start=0, step=1, dtype=f32)
y: f32[trunc(1.5*float(s))] = aten.mul.Tensor(a, (s) / (trunc(1.5*float(s))))
z: f32[s] = aten.add.Tensor(x, sqrt(float(s)))
return y, z, trunc(1.5*float(s))
""".replace("Size", "trunc(1.5*float(s))")
    )
    for n in (1, 2, 5, 8, 33):
        x = random(n)
        count = int(1.5 * n)
        y, z = f(x)
        agree(y, np.arange(count, dtype="f4") * np.float32(n / count))
        agree(z, x + np.float32(math.sqrt(n)))
    assert f.imported.outputs[2] == ("size", Size("trunc(1.5 * float(s))"))
    with pytest.raises(bl.UnsupportedOperations, match="a number with a fraction is no i64"):
        import_graph(parse("s = symbol(1, 9)\nx: i64[s] = input()\ny: i64[s] = aten.mul.Tensor(x, s / 2)\nreturn y"))


def test_relations_of_inputs():
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
    with pytest.raises(bl.ShapeError, match="argument 'y', axis 0 has extent 1"):
        f(x, random(1))


def test_symbols_that_stand_nowhere_alone():
    f = Graph("""
s = symbol(1, 8)
x: f32[4*s] = input()
y: f32[s, 4] = aten.view.default(x, [s, 4])
return y
""")
    agree(f(np.arange(12, dtype="f4")), np.arange(12, dtype="f4").reshape(3, 4))
    with pytest.raises(bl.ShapeError, match="axis 0 has extent 10, but 's_whole' is a multiple of 4"):
        f(np.zeros(10, "f4"))


def test_numbers_are_arguments():
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


def test_outputs_that_are_no_results():
    imported = import_graph(
        parse("""
s = symbol(0, None)
x: f32[s] = input()
y: f32[s] = aten.neg.default(x)
return y, 2*s, None, x, y
""")
    )
    assert [str(o[1]) if isinstance(o, tuple) else o for o in imported.outputs] == [0, "2 * s", "None", "0", 0]
    assert imported.symbols == {"s": ("input", 0, 0, 1, 0)}


def test_outputs_that_are_dropped():
    graph = parse("""
s = symbol(0, None)
x: f32[s] = input()
y: f32[s] = aten.neg.default(x)
k: f32[s] = aten.special_airy_ai.default(x)
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
def test_ranges_of_sizes(size, low, high):
    symbols = {"a": (2, 10), "b": (1, 4), "c": (1, None)}
    assert range_of(Size(size), symbols) == Range(low, high)


@pytest.mark.parametrize("n", [1, 2, 4, 9])
def test_parts_begin_where_they_may(n):
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
