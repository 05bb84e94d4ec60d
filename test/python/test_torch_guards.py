"""The importer of PyTorch's graphs: guards, which each call checks. test/torch/test_guards.py has the same with torch."""

import itertools
import re

import broadloom as bl
import numpy as np
import pytest
from broadloom.torch._graph import Guard, Size, parse
from broadloom.torch._guards import read_guard
from broadloom.torch._importer import import_graph
from torch_graphs import Graph, agree

TEXT = """
n = symbol(2, None)
m = symbol(2, None)
k = symbol(0, 9)
x: f32[2*n + 1, m] = input("batch['x']")
y: f32[max(n, m)] = input()
number: int[k] = input()
twice: int[2*k] = input()
z: f32[2*n + 1, m] = aten.mul.Tensor(x, k)
"""
CONDITIONS = [
    ("n % 2 == 0", lambda n, m, k: n % 2 == 0),
    ("n * m > 10 and m < 5", lambda n, m, k: n * m > 10 and m < 5),
    ("n == 3 or m == 3", lambda n, m, k: n == 3 or m == 3),
    ("not n // 2 == m - 1", lambda n, m, k: n // 2 != m - 1),
    ("abs(n - m) <= 1", lambda n, m, k: abs(n - m) <= 1),
    ("k > 1", lambda n, m, k: k > 1),
    ("trunc(float(m) * 0.3333333333333333) == 1", lambda n, m, k: int(m * (1 / 3)) == 1),
    ("n / 3 < m / 4", lambda n, m, k: n / 3 < m / 4),
    ("min(n, m) >= max(k, 2) + 1", lambda n, m, k: min(n, m) >= max(k, 2) + 1),
]


@pytest.mark.parametrize("text, holds", CONDITIONS, ids=[text for text, _ in CONDITIONS])
def test_calls_check_guards(text, holds):
    f = Graph(f"{TEXT}require({text}, at='model.py:12')\nreturn z")
    fails = 0
    for n, m, k in itertools.product((2, 3, 4), (2, 3, 5, 6), (1, 3)):
        x, y = np.ones((2 * n + 1, m), "f4"), np.ones(max(n, m), "f4")
        if holds(n, m, k):
            agree(f(x, y, k, 2 * k), x * k)
            continue
        fails += 1
        with pytest.raises(
            bl.ShapeError, match=r"^model.py:12:0: 'torch.export': .* but what was traced holds where .* alone: "
        ):
            f(x, y, k, 2 * k)
    assert 0 < fails < 24


def call(f, n=2, m=3, y=3, k=1, twice=2):
    return f(np.ones((2 * n + 1, m), "f4"), np.ones(y, "f4"), k, twice)


def test_messages_have_the_users_names():
    f = Graph(f"{TEXT}require(n + m < 9, at='model.py:12')\nreturn z")
    for given, message in (
        ({"n": 7, "y": 7}, (r"batch\['x'\].shape\[0\] is 15 and batch\['x'\].shape\[1\] is 3, but what was traced holds where "
                           r"\(batch\['x'\].shape\[0\] - 1\) // 2 \+ batch\['x'\].shape\[1\] < 9 alone: export")),
        ({"y": 4}, r"y.shape\[0\] is 4, but|y.shape\[0\] is 4 and"),
        ({"k": 10, "twice": 20}, "number is 10, but what was traced holds where number <= 9 alone"),
        ({"twice": 3}, r"number is 1 and twice is 3, but .* where twice == 2 \* number alone|twice is 3 and number is 1, but"),
    ):  # fmt: skip
        with pytest.raises(bl.ShapeError, match=message):
            call(f, **given)
    agree(call(f), np.ones((5, 3), "f4"))
    assert [row.condition for row in f.imported.required][
        -1
    ] == "(batch['x'].shape[0] - 1) // 2 + batch['x'].shape[1] < 9"


def test_braces_in_names_stay():
    text = "n = symbol(2, None)\nx: f32[n] = input(\"batch['it is {0}']\")\nrequire(n < 4, at='model.py:12')\nreturn x"
    place = r"batch['it is {0}'].shape[0]"
    with pytest.raises(
        bl.ShapeError, match=re.escape(f"{place} is 5, but what was traced holds where {place} < 4 alone")
    ):
        Graph(text)(np.ones(5, "f4"))


def test_guards_are_written_and_read():
    text = "n = symbol(2, None)\nx: f32[n] = input(\"a['x']\")\nrequire(n > 2, at='m.py:1', node='ge', text='x.shape[0] > 2')\nreturn x\n"
    graph = parse(text)
    assert graph.guards == [Guard(Size("n > 2"), "m.py:1", "ge", "x.shape[0] > 2")] and str(graph) == text
    graph.rename_symbols({"n": "height"})
    assert graph.guards[0].condition == Size("height > 2")


@pytest.mark.parametrize(
    "guard, message",
    [
        ("n > u0", "the guard n > u0 cannot be checked: the number u0 is decided by data"),
        (
            "n & 3 == 0",
            "the guard n & 3 == 0 cannot be checked: the size n & 3 cannot be computed: .* has a part that is not known: n & 3",
        ),
        ("3 > 4", "the guard 3 > 4 cannot be checked: what it asserts never holds"),
        ("False", "the guard False cannot be checked: what it asserts never holds"),
    ],
)
def test_guards_that_cannot_be_checked(guard, message):
    graph = parse(f"n = symbol(2, None)\nx: f32[n] = input()\nrequire({guard}, at='model.py:3')\nreturn x")
    with pytest.raises(bl.UnsupportedOperations, match=f"model.py:3: torch.export: {message}"):
        import_graph(graph)
    graph.guards[0].is_needed = False
    assert import_graph(graph).required == []


def find(source, axis):
    return {
        ("L['x']", 0): ("x.shape[0]", Size("s0")),
        ("L['x']", 1): ("x.shape[1]", Size("2*s1")),
        ("L['a']['b'][0]", None): ("a['b'][0]", Size("k")),
    }.get((source, axis))


@pytest.mark.parametrize(
    "text, condition, spelled",
    [
        ("(L['x'].size()[1] % 2) == 0", "2 * s1 % 2 == 0", "x.shape[1] % 2 == 0"),
        ("math.trunc(0.3333333333333333*torch.sym_float(L['x'].size()[0])) == 13", "trunc(0.3333333333333333 * float(s0)) == 13",
         "int(0.3333333333333333 * x.shape[0]) == 13"),
        ("torch.sym_max(L['a']['b'][0], L['x'].size()[0]) < math.inf", "max(k, s0) < inf", "max(a['b'][0], x.shape[0]) < inf"),
        ("not (L['x'].size()[0] > 3) or L['a']['b'][0] == 1", "not s0 > 3 or k == 1", "not x.shape[0] > 3 or a['b'][0] == 1"),
    ],
)  # fmt: skip
def test_guards_of_torch_are_read(text, condition, spelled):
    assert read_guard(text, find, "m.py:1") == Guard(Size(condition), "m.py:1", text=spelled)


@pytest.mark.parametrize(
    "text, message",
    [
        ("L['y'].size()[0] > 2", r"L\['y'\] is not an input of the graph"),
        ("L['x'].stride()[0] > 2", r"L\['x'\].stride\(\)\[0\] is not an input"),
        ("math.log2(L['x'].size()[0]) > 2", "math.log2 is not a function of extents"),
        ("math.tau > 2", "math.tau is not a size"),
        ("L['x'] >", "it is no expression of Python's"),
    ],
)
def test_guards_of_other_things(text, message):
    with pytest.raises(ValueError, match=message):
        read_guard(text, find)
