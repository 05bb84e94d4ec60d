"""The order of a model's nodes, cycles, and functions that call themselves."""

import re

import broadloom as bl
import numpy as np
import pytest
from onnx_models import agree, field, graph, model, random, wrap


@pytest.mark.parametrize(
    "text, name",
    [
        ("x: f32[n]\ny = Add(x, y)\nreturn y", "y"),
        ("x: f32[n]\ny = Add(x, z)\nz = Relu(y)\nreturn z", "z"),
        ("x: f32[n]\na = Relu(c)\nb = Relu(a)\nc = Add(b, x)\nreturn c", "c"),
    ],
)
def test_cycles_are_told(text, name):
    with pytest.raises(bl.UnsupportedOperations, match=f"its input '{name}' is given by no input, constant or node"):
        bl.compile(model(text))


@pytest.mark.parametrize(
    "text, giver",
    [
        ("x: f32[n]\ny = Add(x, z)\nz = Relu(y)\nreturn z", "node 2 (Relu)"),
        ("x: f32[n]\na = Relu(c)\nb = Relu(a)\nc = Add(b, x)\nreturn c", "node 3 (Add)"),
    ],
)
def test_messages_of_cycles_have_the_node_that_closes_them(text, giver):
    with pytest.raises(bl.UnsupportedOperations, match=re.escape(f"or node before it, but by {giver}, which lies on")):
        bl.compile(model(text))


def test_nodes_in_any_order():
    """Converters put nodes behind those that read them."""
    text = "x: f32[n, 3]\nd = Add(b, a)\nb = Mul(a, w)\na = Relu(x)\ny = Foo(d, v)\nv = Sub(d, w)\nreturn y"
    x, w = random(2, 3), random(3)
    a = np.maximum(x, 0)
    found = bl.compile(model(text.replace("Foo", "Div"), w=w))(x)
    agree(found, (a * w + a) / (a * w + a - w))
    # Numbers in messages are places in the file.
    with pytest.raises(bl.UnsupportedOperations, match=r"m.onnx: node 4 \(Foo\)"):
        bl.compile(model(text, w=w), name="m.onnx")
    with pytest.raises(bl.ShapeError, match=r"m.onnx:2:1: .*'Mul \(a, w\)'"):
        bl.compile(model(text.replace("Foo", "Div"), w=random(4)), name="m.onnx")


def test_nodes_of_branches_in_any_order():
    """A branch reads what a later node gives."""
    then = graph("b = Neg(c)\nc = Exp(a)\nreturn b")
    other = graph("b = Neg(a)\nreturn b")
    text = "x: f32[n]\nk: i1\ny = If(k, then_branch=t, else_branch=e)\na = Relu(x)\nreturn y"
    f = bl.compile(model(text, t=then, e=other))
    x = random(3)
    a = np.maximum(x, 0)
    agree(f(x, np.array(True)), -np.exp(a))
    agree(f(x, np.array(False)), -a)


def test_functions_that_call_themselves_are_told():
    def function(name, called):
        call = field(1, "a") + field(2, "b") + field(4, called) + field(7, "own")
        head = field(1, name) + field(4, "a") + field(5, "b") + field(10, "own") + field(7, call)
        return field(25, head + field(9, field(1, "own") + field(2, 1)))

    whole = wrap(graph("x: f32[n]\ny = own.F(x)\nreturn y"), 21, ("own", 1))
    for functions in (function("F", "F"), function("F", "G") + function("G", "F")):
        with pytest.raises(bl.UnsupportedOperations, match="functions of the model call one another more than"):
            bl.compile(whole + functions)


@pytest.mark.parametrize(
    "text, message",
    [
        ("y = Relu(x)\ny = Neg(x)\nreturn y", "'y' is given twice: by node 1 (Relu) and by node 2 (Neg)"),
        ("x = Relu(x)\nreturn x", "'x' is given twice: by an input and by node 1 (Relu)"),
        ("y, y = Split(x)\nreturn y", "'y' is given twice: by node 1 (Split) and by node 1 (Split)"),
        ("v = Add(x, w)\nw = Relu(v)\nreturn w", "'w' is given twice: by an initializer and by node 2 (Relu)"),
    ],
)
def test_names_that_are_given_twice(text, message):
    with pytest.raises(bl.CompileError, match=re.escape(f"the ONNX model is damaged: {message}")):
        bl.check(model(f"x: f32[n]\n{text}", w=random(1)))


def test_names_of_branches_that_are_given_twice():
    branch = graph("t = Exp(x)\nt = Neg(x)\nreturn t")
    text = "x: f32[n]\nk: i1\ny = If(k, then_branch=b, else_branch=b)\nreturn y"
    with pytest.raises(
        bl.CompileError, match=r"node 1 \(If\).*'t' is given twice: by .*node 1 \(Exp\) and by .*node 2"
    ):
        bl.check(model(text, b=branch))
