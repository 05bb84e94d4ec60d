"""How exact means and norms are over rows of many kinds, beside ONNX Runtime."""

import broadloom as bl
import numpy as np
import onnxruntime
import pytest
import row_kinds
from onnx import TensorProto, helper, numpy_helper


def make_model(shape):
    n = helper.make_node
    nodes = [
        n("ReduceMean", ["x", "last"], ["mean"]),
        n("Transpose", ["x"], ["turned"]),
        n("ReduceMean", ["turned", "first"], ["column"], keepdims=0),
        n("Unsqueeze", ["column", "last"], ["means"]),
        n("LayerNormalization", ["x", "weight"], ["layer"], epsilon=row_kinds.EPSILON),
        n("Unsqueeze", ["x", "first"], ["image"]),
        n("InstanceNormalization", ["image", "one", "zero"], ["channels"], epsilon=row_kinds.EPSILON),
        n("Squeeze", ["channels", "first"], ["instance"]),
    ]
    tensor = lambda name, kind, shape: helper.make_tensor_value_info(name, kind, shape)
    inputs = [tensor("x", TensorProto.FLOAT, shape)]
    inputs += [tensor("weight", TensorProto.FLOAT, shape[1:])]
    inputs += [tensor(name, TensorProto.FLOAT, shape[:1]) for name in ("one", "zero")]
    outputs = [tensor(name, TensorProto.FLOAT, None) for name in ("mean", "means", "layer", "instance")]
    axes = [numpy_helper.from_array(np.array([axis]), name) for name, axis in (("first", 0), ("last", 1))]
    graph = helper.make_graph(nodes, "graph", inputs, outputs, axes)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)


PARTS = ("mean", "mean", "norm", "norm")


def spell_inputs(rows):
    one = np.ones(len(rows), np.float32)
    return {"x": rows, "weight": np.ones(rows.shape[1], np.float32), "one": one, "zero": one * 0}


def each(results, rows):
    return [row_kinds.errors(rows, **{kind: part})[kind] for kind, part in zip(PARTS, results, strict=True)]


@pytest.fixture(scope="module")
def model():
    return make_model(["n", "m"])


@pytest.mark.parametrize("length", [768, 769, 1000, 8192])
def test_equal_elements_have_no_deviation(model, length):
    rows = row_kinds.constant_rows(length)
    for f in (bl.from_onnx(model), bl.from_onnx(make_model(list(rows.shape)))):
        for norm in f(*spell_inputs(rows).values())[2:]:
            assert not norm.any()


@pytest.mark.parametrize("length", [64, 768, 1000, 8192])
def test_errors_are_at_most_twice_those_of_onnx_runtime(model, length):
    f = bl.from_onnx(model)
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    for name, rows in row_kinds.make_rows(length, 40).items():
        inputs = spell_inputs(rows)
        own, theirs = each(f(*inputs.values()), rows), each(session.run(None, inputs), rows)
        for kind, error, limit in zip(PARTS, own, theirs):
            assert error <= 2 * limit + 4, (name, kind, error, limit)
