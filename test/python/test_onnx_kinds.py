"""Operators of ONNX whose inputs have other types than ONNX gives them, and attributes that no window has."""

import re

import broadloom as bl
import numpy as np
import pytest
from onnx_models import agree, graph, model, random, wrap

MICROSOFT = ("com.microsoft", 1)
TYPES = "x: f32[2, 3]\nz: f64[2, 3]\nn: i64[2, 3]\nb: i1[2, 3]\ni: i64[2]\nf: f32[2]\nc: i1\n"
LIKE = "its inputs have elements of {} and {}, not of one type; put a Cast in front"
TAKES = "its input {}, '{}', has elements of {}, but it takes {}; put a Cast in front"


@pytest.mark.parametrize(
    "text, message",
    [
        ("Not(x)", TAKES.format(0, "x", "f32", "bool")),
        ("And(b, x)", TAKES.format(1, "x", "f32", "bool")),
        ("Or(n, n)", TAKES.format(0, "n", "i64", "bool")),
        ("Xor(x, b)", TAKES.format(0, "x", "f32", "bool")),
        ("Add(b, b)", TAKES.format(0, "b", "bool", "floats or integers")),
        ("Sum(x, n)", TAKES.format(1, "n", "i64", "floats")),
        ("Max(x, x, z)", LIKE.format("f32", "f64")),
        ("Sigmoid(n)", TAKES.format(0, "n", "i64", "floats")),
        ("Relu(b)", TAKES.format(0, "b", "bool", "floats or integers")),
        ("BitwiseNot(b)", TAKES.format(0, "b", "bool", "integers")),
        ("PRelu(x, z)", LIKE.format("f32", "f64")),
        ("Where(x, x, x)", TAKES.format(0, "x", "f32", "bool")),
        ("Where(b, x, n)", LIKE.format("f32", "i64")),
        ("Clip(x, _, c)", TAKES.format(2, "c", "bool", "floats or integers")),
        ("Gather(x, f)", TAKES.format(1, "f", "f32", "integers")),
        ("GatherElements(x, x)", TAKES.format(1, "x", "f32", "integers")),
        ("GatherND(x, f)", TAKES.format(1, "f", "f32", "integers")),
        ("ScatterND(x, f, x)", TAKES.format(1, "f", "f32", "integers")),
        ("ScatterND(x, n, z)", LIKE.format("f32", "f64")),
        ("ScatterElements(x, b, x)", TAKES.format(1, "b", "bool", "integers")),
        ("ScatterElements(x, n, n)", LIKE.format("f32", "i64")),
        ("Concat(x, z, axis=0)", LIKE.format("f32", "f64")),
        ("Pad(x, i, n)", LIKE.format("f32", "i64")),
        ("Compress(x, i)", TAKES.format(1, "i", "i64", "bool")),
        ("MatMulInteger(x, n)", TAKES.format(0, "x", "f32", "integers")),
        ("LayerNormalization(x, n)", TAKES.format(1, "n", "i64", "floats")),
        ("LayerNormalization(x, x, z)", LIKE.format("f32", "f64")),
        ("Conv(x, z)", LIKE.format("f32", "f64")),
        ("Slice(x, i, f)", TAKES.format(2, "f", "f32", "integers")),
        ("Reshape(x, f)", TAKES.format(1, "f", "f32", "integers")),
        ("com.microsoft.BiasGelu(x, z)", LIKE.format("f32", "f64")),
        ("com.microsoft.MatMulIntegerToFloat(x, n, x, x)", TAKES.format(0, "x", "f32", "integers")),
        ("If(f, then_branch=body, else_branch=body)", TAKES.format(0, "f", "f32", "bool")),
        ("Loop(_, f, body=body)", TAKES.format(1, "f", "f32", "bool")),
        ("Loop(f, _, body=body)", TAKES.format(0, "f", "f32", "integers")),
    ],
)
def test_types_that_an_operator_does_not_take(text, message):
    data = wrap(graph(f"{TYPES}y = {text}\nreturn y", body=graph("y = Relu(x)\nreturn y")), 21, MICROSOFT)
    with pytest.raises(bl.UnsupportedOperations, match=re.escape(message)) as told:
        bl.compile(data)
    assert "node 1" in str(told.value)


def test_types_of_a_range():
    with pytest.raises(bl.UnsupportedOperations, match=LIKE.format("i64", "f32")):
        bl.compile(model("a: i64\nb: f32\ny = Range(a, b, a)\nreturn y"))


def test_the_condition_that_a_body_gives_is_of_bool():
    body = graph("i: i64\nc: i1\ns: f32[3]\nt = Add(s, s)\nr = ReduceMax(t, keepdims=0)\nreturn r, t")
    with pytest.raises(bl.UnsupportedOperations, match="its body's condition has elements of f32, not of bool"):
        bl.compile(model("m: i64\nx: f32[3]\ny = Loop(m, _, x, body=body)\nreturn y", 17, body=body))


SIZES = "but each must be from {} to 2147483647"
WINDOWS = {
    "w": np.ones((2, 2, 3, 3), "f4"),
    "s": np.array([5, 5]),
    "k": np.array([2, 2]),
    "h": np.array([-2, 2]),
}


@pytest.mark.parametrize(
    "text, message",
    [
        ("Conv(x, w, pads=[1, 1])", "2 pads are given for 2 axes"),
        ("Conv(x, w, strides=[1])", "1 numbers are given for 2 axes"),
        ("MaxPool(x, kernel_shape=[2, 2], pads=[1])", "1 pads are given for 2 axes"),
        ("AveragePool(x, kernel_shape=[2, 2], strides=[1, 1, 1])", "3 numbers are given for 2 axes"),
        ("ConvTranspose(x, w, pads=[1, 1])", "2 pads are given for 2 axes"),
        ("ConvTranspose(x, w, pads=[-1, 0, 0, 0])", "its pads are [-1, 0, 0, 0], " + SIZES.format(0)),
        ("ConvTranspose(x, w, pads=[9, 0, 0, 0])", "axis 2 of the result has -2 elements, of which the pads cut more"),
        ("ConvTranspose(x, w, output_shape=[5])", "an output_shape of 1 numbers is given for 2 axes"),
        ("ConvTranspose(x, w, output_shape=[5, -5])", "its output_shape is [5, -5], " + SIZES.format(0)),
        ("DeformConv(x, w, o, pads=[0, 0])", "2 pads are given for 2 axes"),
        ("DeformConv(x, w, o, strides=[1, 0])", "its strides or dilations are [1, 0], " + SIZES.format(1)),
        ("MaxUnpool(x, p, kernel_shape=[0, 2])", "its window has the extents [0, 2], " + SIZES.format(1)),
        ("MaxUnpool(x, p, kernel_shape=[2, 2], pads=[1])", "1 pads are given for 2 axes"),
        ("Col2Im(q, s, k, pads=[0, 0, 0, -1])", "its pads are [0, 0, 0, -1], " + SIZES.format(0)),
        ("Col2Im(q, s, k, pads=[0, 0])", "2 pads are given for 2 axes"),
        ("Col2Im(q, s, h)", "its block has the extents [-2, 2], " + SIZES.format(1)),
        ("Col2Im(q, s, k, strides=[0, 1])", "its strides or dilations are [0, 1], " + SIZES.format(1)),
    ],
)
@pytest.mark.parametrize("axes", ["1, 2, 5, 5", "n, 2, h, w"])
def test_windows_that_no_image_has(axes, text, message):
    inputs = f"x: f32[{axes}]\no: f32[1, 18, 3, 3]\np: i64[1, 2, 5, 5]\nq: f32[1, 8, 16]\n"
    with pytest.raises((bl.UnsupportedOperations, bl.ShapeError), match=re.escape(message)):
        f = bl.compile(model(f"{inputs}y = {text}\nreturn y", **WINDOWS))
        f(random(1, 2, 5, 5), random(1, 18, 3, 3), np.zeros((1, 2, 5, 5), "i8"), random(1, 8, 16))


def loops_in_loops(depth):
    """A loop of two steps in a loop of two steps, and so on; the innermost body adds 1."""
    text = "t = Add(s, one)"
    body = None
    for level in range(depth):
        given = {"one": np.array(1, "f4")} if body is None else {"body": body, "two": np.array(2)}
        inner = text if body is None else f"t = Loop(two, _, s{level}, body=body)"
        names = "s" if body is None else f"s{level}"
        body = graph(
            f"i{level}: i64\nc{level}: i1\n{names}: f32[3]\nd = Identity(c{level})\n{inner}\nreturn d, t", **given
        )
    return model("x: f32[3]\ny = Loop(two, _, x, body=body)\nreturn y", 17, body=body, two=np.array(2))


def test_loops_in_loops(monkeypatch):
    from broadloom.onnx import _importer

    agree(bl.compile(loops_in_loops(3))(np.zeros(3, "f4")), np.float32([8] * 3))
    monkeypatch.setattr(_importer, "_MOST_INNER", 500)
    with pytest.raises(
        bl.UnsupportedOperations, match="branches and bodies of loops in each other are more than 500 nodes"
    ):
        bl.compile(loops_in_loops(12))


def pad_of_row(pads):
    text = f"x: f32[n, m]\np: i64{pads}\nv: f32\ny = com.microsoft.Pad(x, p, v)\nreturn y"
    return bl.compile(wrap(graph(text), 17, MICROSOFT))


@pytest.mark.parametrize("pads", ["[4]", "[1, 4]", "[k, 4]"])
def test_pads_in_a_row_of_a_matrix(pads):
    f, x = pad_of_row(pads), random(2, 3)
    given = np.array([0, 1, 2, 3]).reshape([4] if pads == "[4]" else [1, 4])
    agree(f(x, given, np.float32(5)), np.pad(x, ((0, 2), (1, 3)), constant_values=5))
    if pads == "[k, 4]":
        with pytest.raises(bl.ShapeError, match="axis 0 of the pads has the extent 2, but 1 is needed"):
            f(x, np.zeros((2, 4), "i8"), np.float32(0))


@pytest.mark.parametrize(
    "pads, message",
    [("[2, 4]", "axis 0 of the pads has the extent 2, but 1 is needed"), ("[1, 1, 4]", "its pads must have one axis")],
)
def test_pads_in_more_rows(pads, message):
    with pytest.raises((bl.UnsupportedOperations, bl.ShapeError), match=re.escape(message)):
        pad_of_row(pads)


@pytest.mark.parametrize("element", ["f2", "f4", "f8"])
def test_moments_have_the_type_of_the_attribute(element):
    kind = {"f2": "f16", "f4": "f32", "f8": "f64"}[element]
    f = bl.compile(model(f"x: {kind}[n, 3]\nw: {kind}[3]\ny, m, s = LayerNormalization(x, w)\nreturn y, m, s", 17))
    x = random(2, 3).astype(element)
    made, mean, inverse = f(x, np.ones(3, element))
    assert (made.dtype, mean.dtype, inverse.dtype) == (x.dtype, np.float32, np.float32)
    wide = x.astype("f8")
    agree(mean, wide.mean(-1, keepdims=True).astype("f4"))
    agree(inverse, (1 / np.sqrt(wide.var(-1, keepdims=True) + 1e-5)).astype("f4"))


def test_an_empty_constant_of_many_elements():
    """No array of so many elements is made in front of the axis without any."""
    f = bl.compile(model("x: f32[n]\nc = ConstantOfShape(s)\nr = Shape(c)\nreturn r", s=np.array([2**31, 2**31, 0])))
    assert f(random(2)).tolist() == [2**31, 2**31, 0]
