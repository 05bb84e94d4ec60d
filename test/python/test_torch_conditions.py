"""The importer of PyTorch's graphs: comparisons of sizes as numbers of a program and as outputs."""

import broadloom as bl
import numpy as np
import pytest
from broadloom.torch._graph import FUNCTIONS, Size, evaluate, parse
from broadloom.torch._importer import import_graph
from torch_graphs import Graph, agree

CONDITIONS = [
    ("n > 2", lambda n, m: n > 2),
    ("n >= m", lambda n, m: n >= m),
    ("n < 4", lambda n, m: n < 4),
    ("m <= 3", lambda n, m: m <= 3),
    ("n == m", lambda n, m: n == m),
    ("n != 4", lambda n, m: n != 4),
    ("not n % 2 == 0", lambda n, m: n % 2 != 0),
    ("n > 2 and m > 2 and n != m", lambda n, m: n > 2 and m > 2 and n != m),
    ("n > 4 or m > 4", lambda n, m: n > 4 or m > 4),
    ("n / 2 >= 1.5", lambda n, m: n / 2 >= 1.5),
    ("n / 2 == m / 2", lambda n, m: n == m),
    ("(n if n > m else 2 * m) > 5", lambda n, m: (n if n > m else 2 * m) > 5),
    ("(n / 4 if n > m else 0.5) < 1", lambda n, m: (n / 4 if n > m else 0.5) < 1),
]
SHAPES = [(2, 2), (3, 2), (4, 5), (5, 3), (2, 6)]


@pytest.mark.parametrize("text, expected", CONDITIONS, ids=[text for text, _ in CONDITIONS])
def test_comparisons_of_sizes_are_numbers_of_a_call(text, expected):
    f = Graph(f"""
n = symbol(2, None)
m = symbol(2, None)
x: f32[n, m] = input()
t: i1[()] = aten.scalar_tensor.default({text}, dtype=i1)
s: f32[n, m] = aten.mul.Tensor(x, {text})
w: f32[n, m] = aten.where.self(t, x, s)
k: f32[n, m] = aten.masked_fill.Scalar(x, t, 9.0)
l: f32[n, m] = aten.full_like.default(x, {text})
return t, s, w, k, l
""")
    for shape in SHAPES:
        x, holds = np.full(shape, 2, "f4"), expected(*shape)
        given = f(x)
        for got, wanted in zip(given, (holds, x * holds, x * holds, np.where(holds, 9, x), np.full(shape, holds))):
            agree(got, np.asarray(wanted, got.dtype))
        assert given[0].dtype == np.bool_
        assert evaluate(Size(text), dict(zip("nm", shape)), FUNCTIONS) == holds


def test_comparisons_of_sizes_are_written_and_read():
    text = "n = symbol(2, None)\nx: f32[n] = input()\nb: bool[n > 2] = input()\nreturn n > 2 and (not n == 4)\n"
    assert str(parse(text)) == text


@pytest.mark.parametrize(
    "operation, message",
    [
        ("aten.mul.Tensor(x, None)", "an operand is neither a tensor nor a number: None"),
        ("aten.full_like.default(x, None)", "an operand is neither a tensor nor a number: None"),
        ("aten.mul.Tensor(x, later(n))", r"the size later\(n\) cannot be computed"),
        ("aten.mul.Tensor(x, u0 > 2)", "the number u0 is decided by data"),
        ("aten.sum.dim_IntList(x, [0], n > 2)", "a comparison of extents, which each call decides"),
    ],
)
def test_what_is_no_number_is_an_error(operation, message):
    graph = parse(f"n = symbol(2, None)\nx: f32[n] = input()\ny: f32[n] = {operation}\nreturn y")
    with pytest.raises(bl.UnsupportedOperations, match=message):
        import_graph(graph)


def test_numbers_that_data_decides_are_not_returned():
    graph = parse("n = symbol(2, None)\nx: f32[n] = input()\ny: f32[n] = aten.neg.default(x)\nreturn y, n + u0")
    with pytest.raises(bl.UnsupportedOperations, match="return: the number u0 is decided by data"):
        import_graph(graph)


def test_symbols_are_renamed_where_they_can_be():
    text = """
s1 = symbol(2, None)
s2 = symbol(2, None)
s3 = symbol(2, None)
s12 = symbol(2, None)
x: f32[s1, s2, s12 + s1] = input()
y: f32[s3] = aten.new_ones.default(x, [s3 // s1], at="s1")
return y, s1 > 2
"""
    graph = parse(text)
    # Names of other things, of formulas, of no kind, and of two symbols are no names.
    graph.rename_symbols({"s1": "height", "s2": "x", "s3": "mod", "s12": "2*n", "s4": "other"})
    renamed = parse(text.replace("s1", "height").replace("height2", "s12").replace('at="height"', 'at="s1"'))
    assert str(graph) == str(renamed)
    graph.rename_symbols({"s2": "same", "s3": "same"})
    assert str(graph) == str(renamed)
