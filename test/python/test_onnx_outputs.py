"""Tests what a model of ONNX declares of its outputs, beside what it computes."""

import itertools
import os
import re
import subprocess
import sys

import broadloom as bl
import numpy as np
import pytest
from onnx_models import agree, field, graph, model, node, random, value, wrap

ADVICE = "; correct the model's output, or give bl.from_onnx check_outputs=False or broadloom-onnx --unchecked-outputs"


def declared(text, *shape, element="f32", opset=21, **weights):
    """A model with the output y."""
    return model(text, opset, declared={"y": (element, list(shape))}, **weights)


def refused(data, error, message, **options):
    with pytest.raises(error, match=re.escape(message)):
        bl.from_onnx(data, name="m.onnx", **options)


def test_numbers_that_differ_are_told_by_the_compilation():
    data = declared("x: f32[n, 3]\ny = Relu(x)\nreturn y", "n", 4)
    message = f"m.onnx:1:1: error: 'Relu (x)': output 'y', axis 1 has the extent 3, but the model declares 4{ADVICE}"
    refused(data, bl.ShapeError, message)
    (row,) = (row for row in bl.check(data, name="m.onnx") if row.status == "refuted")
    assert row.operation == "Relu (x)" and "output 'y', axis 1" in row.constraint
    with pytest.raises(bl.ShapeError, match=re.escape(message)):
        bl.compile(data, name="m.onnx")
    agree(bl.from_onnx(data, check_outputs=False)(random(2, 3)), np.maximum(random(2, 3), 0))


def test_the_converter_can_leave_them_unchecked(tmp_path):
    """As each message says."""
    path, made = tmp_path / "m.onnx", tmp_path / "m.mlir"
    path.write_bytes(declared("x: f32[n, 3]\ny = Relu(x)\nreturn y", 4, element="i64"))
    program = os.path.join(os.path.dirname(bl.__file__), os.pardir)
    command = [sys.executable, "-m", "broadloom.onnx", str(path), "-o", str(made)]
    run = lambda *words: subprocess.run(
        [*command, *words], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": program}
    )
    told = run()
    assert told.returncode == 1 and f"output 'y' has elements of f32, but the model declares i64{ADVICE}" in told.stderr
    assert run("--unchecked-outputs").returncode == 0
    agree(bl.compile(made)(random(2, 3)), np.maximum(random(2, 3), 0))


def test_axes_and_elements_are_the_declared_ones():
    text = "x: f32[n, 3]\ny = Relu(x)\nreturn y"
    refused(declared(text, "n"), bl.ShapeError, f"output 'y' has 2 axes, but the model declares 1{ADVICE}")
    refused(
        declared(text, "n", 3, element="i64"),
        bl.CompileError,
        f"output 'y' has elements of f32, but the model declares i64{ADVICE}",
    )
    assert bl.from_onnx(declared(text, "n", element="i64"), check_outputs=False)(random(2, 3)).shape == (2, 3)


def test_what_is_open_is_checked_by_each_call():
    f = bl.from_onnx(declared("x: f32[n, 3]\ny = Relu(x)\nreturn y", 4, 3), name="m.onnx")
    assert f(random(4, 3)).shape == (4, 3)
    message = f"m.onnx:1:1: 'Relu (x)': output 'y', axis 0 has the extent 5, but the model declares 4{ADVICE}"
    with pytest.raises(bl.ShapeError, match=re.escape(message)):
        f(random(5, 3))
    # What is checked is known behind it.
    assert f.shapes() == [(4, 3)]


def test_braces_in_names_stay():
    data = lambda element, *shape: wrap(
        field(11, value("x", "f32", ["{1}", 3]))
        + field(1, node("Relu", ["x"], ["a {0}"]))
        + field(12, value("a {0}", element, shape)),
        21,
    )
    refused(data("i64", "n", 3), bl.CompileError, "output 'a {0}' has elements of f32, but the model declares i64")
    refused(data("f32", "{1}", 4), bl.ShapeError, "output 'a {0}', axis 1 has the extent 3, but the model declares 4")
    f = bl.from_onnx(data("f32", "{1}", "{1}"))
    with pytest.raises(
        bl.ShapeError,
        match=re.escape("output 'a {0}', axis 1 has the extent 3, but the model declares '{1}', which is 2"),
    ):
        f(random(2, 3))


def test_names_are_those_of_the_inputs():
    f = bl.from_onnx(declared("x: f32[n, m]\ny = Transpose(x, name='turn')\nreturn y", "n", "m"), name="m.onnx")
    assert f(random(3, 3)).shape == (3, 3)
    message = f"m.onnx:1:1: 'Transpose turn (x)': output 'y', axis 0 has the extent 4, but the model declares 'n', which is 3{ADVICE}"
    with pytest.raises(bl.ShapeError, match=re.escape(message)):
        f(random(3, 4))
    f = bl.from_onnx(declared("x: f32[n, m]\ny = Transpose(x)\nreturn y", "m", "n"))
    assert f(random(3, 4)).shape == (4, 3)
    assert all(row.status == "proved" for row in f.check())


@pytest.mark.parametrize(
    "formula, right", [("2*n", True), ("n + 1", False), ("n//2", False), ("n*2 + 0", True), ("-n", False)]
)
def test_formulas_are_of_the_names(formula, right):
    f = bl.from_onnx(declared("x: f32[n]\ny = Concat(x, x, axis=0)\nreturn y", formula))
    if right:
        assert f(random(3)).shape == (6,)
    else:
        with pytest.raises(bl.ShapeError, match=re.escape(f"but the model declares {formula!r}, which is")):
            f(random(3))


def test_names_of_outputs_alone_are_one_number_each():
    text = "x: f32[n, m]\ny = Relu(x)\nz = Transpose(x)\nreturn y, z"
    f = bl.from_onnx(model(text, declared={"y": ("f32", ["a", "b"]), "z": ("f32", ["b", "a"])}))
    assert f(random(3, 4))[1].shape == (4, 3)
    f = bl.from_onnx(model(text, declared={"y": ("f32", ["a", "b"]), "z": ("f32", ["a", None])}))
    assert f(random(3, 3))[1].shape == (3, 3)
    with pytest.raises(
        bl.ShapeError,
        match="output 'z', axis 0 has the extent 4, but the model declares 'a', which is 3 at output 'y', axis 0",
    ):
        f(random(3, 4))
    refused(
        model("x: f32[3, 4]\ny = Relu(x)\nreturn y", declared={"y": ("f32", ["a", "a"])}),
        bl.ShapeError,
        "output 'y', axis 1 has the extent 4, but the model declares 'a', which is 3 at output 'y', axis 0",
    )


def test_texts_that_name_nothing_promise_nothing():
    for text in ("?", "None", ""):
        f = bl.from_onnx(declared("x: f32[n, m]\ny = Relu(x)\nreturn y", text, text))
        assert f(random(2, 3)).shape == (2, 3)


def test_names_that_an_exporter_makes_up_promise_nothing():
    """PyTorch's exporter may give one name to axes of other extents."""
    name = "TopK4_dim_1"
    f = bl.from_onnx(declared("x: f32[n, m]\ny = Relu(x)\nreturn y", name, name))
    assert f(random(2, 3)).shape == (2, 3)
    # One that an input has is a name as any other.
    f = bl.from_onnx(declared(f"x: f32[n, {name}]\ny = Relu(x)\nreturn y", name, name))
    with pytest.raises(
        bl.ShapeError, match="axis 0 has the extent 2, but the model declares 'TopK4_dim_1', which is 3"
    ):
        f(random(2, 3))


def test_extents_that_data_decides_are_checked():
    f = bl.from_onnx(declared("x: f32[n, 3]\ns: i64[2]\ny = Reshape(x, s)\nreturn y", "n", 3))
    assert f(random(2, 3), np.array([2, 3])).shape == (2, 3)
    with pytest.raises(
        bl.ShapeError, match="output 'y', axis 0 has the extent 3, but the model declares 'n', which is 2"
    ):
        f(random(2, 3), np.array([3, 2]))


def test_axes_are_the_models_own():
    """A convolution computes with its channels innermost."""
    w = random(4, 3, 1, 1)
    text = "x: f32[n, 3, h, v]\ny = Conv(x, w)\nreturn y"
    for shape, axis, told in (
        ((None, 5, None, None), 1, "4, but the model declares 5"),
        ((None, None, None, 9), 3, "6, but the model declares 9"),
    ):
        with pytest.raises(bl.ShapeError, match=f"output 'y', axis {axis} has the extent {told}"):
            bl.from_onnx(declared(text, *shape, w=w))(random(1, 3, 5, 6))


def test_other_extents_of_inputs_set_the_models_outputs_aside():
    """What the model declares of its outputs is about the extents that it declares of its inputs."""
    data = declared("x: f32[1, 3]\ny = Relu(x)\nreturn y", 1, 3)
    assert bl.from_onnx(data, shapes={"x": ("batch", 3)})(random(4, 3)).shape == (4, 3)
    assert bl.from_onnx(data, shapes={"x": (1, 3)})(random(1, 3)).shape == (1, 3)
    square = declared("x: f32[n, n]\ny = Relu(x)\nreturn y", "n", "n")
    assert bl.from_onnx(square, shapes={"x": ("a", "b")})(random(2, 3)).shape == (2, 3)
    # Numbers in place of names are among the model's.
    named = declared("x: f32[n, 3]\ny = Relu(x)\nreturn y", "n", 4)
    refused(named, bl.ShapeError, "axis 1 has the extent 3, but the model declares 4", shapes={"x": (2, 3)})


def test_constants_tell_the_names_of_inputs():
    data = declared("x: f32[n]\nw: f32[n]\ny = Mul(x, w)\nreturn y", "n")
    w = random(4, seed=1)
    f = bl.from_onnx(data, constants={"w": w})
    assert f.shapes() == [(4,)]
    agree(f(random(4)), random(4) * w)
    with pytest.raises((bl.ShapeError, TypeError, ValueError)):
        f(random(1))


@pytest.mark.parametrize("shape", itertools.product((1, 2, "n", "m", "k", None), repeat=2))
def test_every_way_to_declare_two_axes(shape):
    """It is accepted where a call's extents are what is declared, and refused elsewhere."""
    names = {}

    def is_met(extents):
        names.clear()
        names.update(n=extents[0], m=extents[1])
        return all(
            d is None or (d if isinstance(d, int) else names.setdefault(d, e)) == e for d, e in zip(shape, extents)
        )

    f = bl.from_onnx(declared("x: f32[n, m]\ny = Relu(x)\nreturn y", *shape))
    for extents in itertools.product((1, 2), repeat=2):
        if is_met(extents):
            assert f(random(*extents)).shape == extents
        else:
            with pytest.raises(bl.ShapeError, match="but the model declares"):
                f(random(*extents))


def test_sequences_have_tensors_of_the_declared_shape():
    text = "x: f32[2, m]\ny = SequenceConstruct(x, x)\nreturn y"
    assert len(bl.from_onnx(declared(text, 2, "k", element="sequence_f32"))(random(2, 3))) == 2
    refused(
        declared(text, 3, None, element="sequence_f32"),
        bl.ShapeError,
        "output 'y', tensor 0, axis 0 has the extent 2, but the model declares 3",
    )


@pytest.mark.parametrize(
    "kind, message",
    [
        (("f32", [3]), None),
        (("f32", ["n"]), None),
        (("f32", [4]), "the input 'w' is declared as f32[4], but its initializer is f32[3]"),
        (("f32", [3, 1]), "the input 'w' is declared as f32[3, 1], but its initializer is f32[3]"),
        (("i32", [3]), "the input 'w' is declared as i32[3], but its initializer is f32[3]"),
    ],
)
def test_initializers_are_what_inputs_are_declared_as(kind, message):
    text = graph("x: f32[3]\ny = Mul(x, w)\nreturn y", w=random(3, seed=1))
    data = wrap(text + field(11, value("w", *kind)))
    if message is None:
        agree(bl.from_onnx(data)(random(3)), random(3) * random(3, seed=1))
    else:
        refused(data, bl.CompileError, message)
