"""Models of ONNX in commands, by the program that comes with the Python package."""

import os

import broadloom
import pytest
from broadloom import DONE, REJECTED

CONVERTER = os.path.join(os.path.dirname(broadloom.PROGRAM), "broadloom-onnx")
MODEL = os.path.join(broadloom.ROOT, "examples", "perceptron.onnx")

needsPackage = pytest.mark.skipif(not os.path.exists(CONVERTER), reason="the Python package is not built")


def call(*arguments, **environment):
    return broadloom.call(*arguments, BROADLOOM_ONNX_CONVERTER=CONVERTER, **environment)


@needsPackage
def test_runs():
    outcome = call("run", MODEL, "--input=2x2xf32=1 -2 3 4")
    assert outcome.status == DONE, outcome.error
    assert outcome.out.split() == "[[1. 0. 2.] [3. 5. 2.]]".split()


@needsPackage
def test_extents_have_the_models_names():
    outcome = call("shapes", MODEL)
    assert (outcome.status, outcome.out.strip()) == (DONE, "batchx3"), outcome.error


@needsPackage
def test_nodes_are_told(tmp_path):
    """The weight has two rows; the model now says that the input has three columns."""
    with open(MODEL, "rb") as file:
        data = file.read()
    # A dimension: the field of its number, which is 2.
    at = data.index(b"\x0a\x02\x08\x02", data.index(b"batch"))
    wrong = tmp_path / "wrong.onnx"
    wrong.write_bytes(data[:at] + b"\x0a\x02\x08\x03" + data[at + 4 :])
    outcome = call("check", wrong)
    assert outcome.status == REJECTED
    assert "wrong.onnx: node 1 (Gemm 'layer/gemm'): Gemm: it does not fit what it is given" in outcome.error


@needsPackage
def test_damaged_models(tmp_path):
    with open(MODEL, "rb") as file:
        (tmp_path / "cut.onnx").write_bytes(file.read()[:100])
    outcome = call("check", tmp_path / "cut.onnx", TMPDIR=str(tmp_path))
    assert outcome.status == REJECTED
    assert f"cut.onnx: error: '{CONVERTER}' does not convert it: the ONNX model is damaged: a field of" in outcome.error
    assert not list(tmp_path.glob("broadloom-model*"))


@needsPackage
def test_weights_beside_the_model(tmp_path):
    """The converter reads a copy, but knows where the model is."""
    field = lambda number, value: bytes([number << 3 | 2, len(value)]) + value
    entries = field(13, field(1, b"location") + field(2, b"weights"))
    weight = b"\x08\x03\x10\x01" + field(8, b"w") + entries + b"\x70\x01"
    graph = field(5, weight) + field(12, field(1, b"w"))
    model = b"\x08\x0a" + field(7, graph) + field(8, b"\x10\x15")
    (tmp_path / "model.onnx").write_bytes(model)
    outcome = call("run", tmp_path / "model.onnx")
    assert outcome.status == REJECTED and "weights, which is not there" in outcome.error, outcome.error
    (tmp_path / "weights").write_bytes(b"\x00\x00\x80\x3f" * 3)
    outcome = call("run", tmp_path / "model.onnx")
    assert (outcome.status, outcome.out.strip()) == (DONE, "[1. 1. 1.]"), outcome.error
