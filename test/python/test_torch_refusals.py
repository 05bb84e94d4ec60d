"""The importer of PyTorch's graphs: what cannot be imported, what data decides, and the
lines of Python that errors name."""

import broadloom as bl
import numpy as np
import pytest
from broadloom.torch._graph import parse
from broadloom.torch._importer import import_graph
from torch_graphs import Graph, random

# What cannot be imported.


def test_all_unknown_operations_are_listed():
    with pytest.raises(bl.UnsupportedOperations) as caught:
        import_graph(
            parse(
                """
s = symbol(0, None)
x: f32[s] = input()
y: f32[s] = aten.special_airy_ai.default(x, at="model.py:3")
z: f32[s] = aten.frexp.default(y, at="model.py:4")
w: f32[s] = aten.neg.default(x, at="model.py:5")
n: i64[s] = aten.one_hot.default(w, -1, at="model.py:6")
return w
"""
            )
        )
    error = caught.value
    assert [o[:2] for o in error.operations] == [
        ("aten.special_airy_ai.default", "model.py:3"),
        ("aten.frexp.default", "model.py:4"),
        ("aten.one_hot.default", "model.py:6"),
    ]
    assert isinstance(error, NotImplementedError) and isinstance(error, bl.Error)
    assert "model.py:4: aten.frexp.default: the importer has no rule for it" in str(error)
    assert "how many classes there are is decided by data" in str(error)


def test_results_that_are_not_computed():
    with pytest.raises(bl.UnsupportedOperations, match="a result that is not computed: the mean of groups"):
        import_graph(
            parse("""
n = symbol(1, None)
x: f32[n, 4, 8] = input()
p: (f32[n, 4, 8], f32[n, 2], f32[n, 2]) = aten.native_group_norm.default(x, None, None, n, 4, 8, 2, 1e-05)
m: f32[n, 2] = p[1]
return m
""")
        )


def test_errors_name_the_line_of_python():
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


@pytest.mark.parametrize(
    "arguments, operation, message",
    [
        pytest.param(
            "x: f32[s]", 'y: f32[s, 1] = aten.neg.default(x, at="model.py:7")',
            r"model\.py:7: aten\.neg\.default: its rule gives 1 axes of f32", id="a result of another type"),
        pytest.param(
            "m: i1[s]; x: i8[s]", 'y: i8[s] = aten.where.ScalarOther(m, x, 300, at="model.py:7")',
            r"model\.py:7: aten\.where\.ScalarOther: OverflowError: 300 is outside", id="a number that no element is"),
        pytest.param(
            "x: f32[s]", "z: (f32[s], i1[s]) = aten.native_dropout.default(x, 0.5, True)\ny: f32[s] = z[0]",
            r"native_dropout\.default: .*call \.eval\(\) on the module", id="an operation of training"),
    ],
)  # fmt: skip
def test_what_cannot_be_imported_is_told_with_its_operation(arguments, operation, message):
    inputs = "\n".join(f"{argument} = input()" for argument in arguments.split("; "))
    with pytest.raises(bl.UnsupportedOperations, match=message):
        import_graph(parse(f"s = symbol(0, None)\n{inputs}\n{operation}\nreturn y"))


# What data decides.


@pytest.mark.parametrize(
    "operation, message",
    [
        ("aten.one_hot.default(x, -1)", "how many classes there are is decided by data; give num_classes"),
        ("aten.new_of_2030.default(x)", "the importer has no rule for it"),
    ],
)
def test_extents_that_data_decides(operation, message):
    graph = parse(f"x: i64[3] = input()\ny: i64[3, 5] = {operation}\nreturn y")
    with pytest.raises(bl.UnsupportedOperations, match=message):
        import_graph(graph)


def test_checks_stay_where_outputs_are_dropped():
    graph = parse("""
x: f32[3] = input()
y: i1[()] = aten.all.default(x)
z: f32[3] = aten.add.Tensor(x, x)
check: None = aten._assert_async.msg(y, "all of {0}")
return x, z
""")
    graph.drop_outputs({1})
    assert [node.name for node in graph.nodes] == ["x", "y", "check"]
    with pytest.raises(bl.ShapeError, match=r"all of {0}"):
        bl.compile(import_graph(graph).text)(np.zeros(3, "f4"))
