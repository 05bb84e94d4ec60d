"""Forms of operators that opsets 1 to 6 have, beside what they are in newer ones."""

import broadloom as bl
import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper

KINDS = {"f4": TensorProto.FLOAT, "i8": TensorProto.INT64, "b1": TensorProto.BOOL}


def run(operation, inputs, opset, outputs=1, **attributes):
    """The results of a node. Inputs that are no floats are constants of the model."""
    names = [f"x{at}" for at in range(len(inputs))]
    node = helper.make_node(operation, names, [f"y{at}" for at in range(outputs)], **attributes)
    floats = [(n, x) for n, x in zip(names, inputs) if x.dtype == np.float32]
    weights = [numpy_helper.from_array(x, n) for n, x in zip(names, inputs) if x.dtype != np.float32]
    given = [helper.make_tensor_value_info(n, TensorProto.FLOAT, [None] * x.ndim) for n, x in floats]
    made = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in node.output]
    for value in made:
        value.ClearField("type")
    graph = helper.make_graph([node], "graph", given, made, weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)
    found = bl.from_onnx(model, optimise=False)(*(x for _, x in floats))
    return found if isinstance(found, tuple) else (found,)


def random(*shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype("f4")


X, ROW, IMAGE = random(2, 3, 4), random(3, seed=1), random(2, 3, 6, 5)
#: The old form and the new one: inputs, opset, and attributes.
FORMS = {
    "Add": (([X, ROW], 1, {"axis": 1, "broadcast": 1}), ([X, ROW[:, None]], 14, {})),
    "Sub": (([X, X[0]], 6, {"axis": 1, "broadcast": 1}), ([X, X[0]], 14, {})),
    "Mul": (([X, X[1, 1]], 6, {"broadcast": 1}), ([X, X[1, 1]], 14, {})),
    "Div": (([X, X + 1], 1, {"consumed_inputs": [0, 0]}), ([X, X + 1], 14, {})),
    "Pow": (([abs(X), ROW], 1, {"axis": -2, "broadcast": 1}), ([abs(X), ROW[:, None]], 13, {})),
    "Greater": (([X, ROW], 1, {"axis": 1, "broadcast": 1}), ([X, ROW[:, None]], 9, {})),
    "PRelu": (([X, ROW], 6, {}), ([X, ROW[:, None]], 16, {})),
    "Relu": (([X], 1, {"consumed_inputs": [0]}), ([X], 6, {})),
    "Max": (([X, X[::-1].copy()], 1, {"consumed_inputs": [0, 0]}), ([X, X[::-1].copy()], 8, {})),
    "Sum": (([X, X], 1, {"consumed_inputs": [0, 0]}), ([X, X], 8, {})),
    "Clip": (([X], 1, {"min": -0.5, "max": 0.5}), ([X], 6, {"min": -0.5, "max": 0.5})),
    "Elu": (([X], 1, {"alpha": 0.5}), ([X], 6, {"alpha": 0.5})),
    "Cast": (([X], 1, {"to": "INT32"}), ([X], 6, {"to": TensorProto.INT32})),
    "Concat": (([X, X], 1, {}), ([X, X], 4, {"axis": 1})),
    "Pad": (([X], 1, {"paddings": [0, 1, 0, 0, 0, 2], "value": 2.0}), ([X], 2, {"pads": [0, 1, 0, 0, 0, 2], "value": 2.0})),
    "Reshape": (([X], 1, {"shape": [0, -1]}), ([X, np.array([0, -1])], 5, {})),
    "Tile": (([X, np.array(3), np.array(1)], 1, {}), ([X, np.array([1, 3, 1])], 6, {})),
    "Upsample": (
        ([IMAGE], 1, {"height_scale": 2.0, "width_scale": 3.0}),
        ([IMAGE], 7, {"scales": [1.0, 1.0, 2.0, 3.0]}),
    ),
    "AveragePool": (([IMAGE], 1, {"kernel_shape": [2, 3]}), ([IMAGE], 10, {"kernel_shape": [2, 3]})),
    "LpPool": (([IMAGE], 1, {"kernel_shape": [2, 3], "p": 3.0}), ([IMAGE], 11, {"kernel_shape": [2, 3], "p": 3})),
    "GlobalLpPool": (([IMAGE], 1, {}), ([IMAGE], 2, {"p": 2})),
    "Gemm": (
        ([X[0], X[1], ROW], 1, {"transB": 1, "broadcast": 1}),
        ([X[0], X[1], ROW], 11, {"transB": 1}),
    ),
    "BatchNormalization": (
        ([IMAGE, ROW, ROW, ROW, abs(ROW)], 1, {"is_test": 1, "consumed_inputs": [0, 0, 0, 1, 1]}),
        ([IMAGE, ROW, ROW, ROW, abs(ROW)], 15, {}),
    ),
    "InstanceNormalization": (([IMAGE, ROW, ROW], 1, {"consumed_inputs": [0]}), ([IMAGE, ROW, ROW], 6, {})),
    "Dropout": (([X], 1, {"is_test": 1, "consumed_inputs": [0]}), ([X], 10, {})),
    "GRU": (
        ([X, random(1, 6, 4), random(1, 6, 2)], 3, {"hidden_size": 2, "output_sequence": 1}),
        ([X, random(1, 6, 4), random(1, 6, 2)], 14, {"hidden_size": 2}),
    ),
    "RNN": (
        ([X, random(1, 2, 4), random(1, 2, 2)], 1, {"hidden_size": 2}),
        ([X, random(1, 2, 4), random(1, 2, 2)], 14, {"hidden_size": 2}),
    ),
}  # fmt: skip


@pytest.mark.parametrize("operation", FORMS)
def test_means_what_the_new_form_means(operation):
    (old, early, old_attributes), (new, late, new_attributes) = FORMS[operation]
    found, wanted = run(operation, old, early, **old_attributes), run(operation, new, late, **new_attributes)
    for got, expected in zip(found, wanted, strict=True):
        assert got.dtype == expected.dtype
        np.testing.assert_array_equal(got, expected)


@pytest.mark.parametrize("operation, attributes", [("LpPool", {"kernel_shape": [3, 4]}), ("GlobalLpPool", {})])
def test_orders_of_norms_are_fractions(operation, attributes):
    image = random(2, 3, 3, 4)
    (found,) = run(operation, [image], 1, p=2.5, **attributes)
    wanted = (np.abs(image.astype("f8")) ** 2.5).sum((2, 3), keepdims=True) ** (1 / 2.5)
    np.testing.assert_allclose(found, wanted, rtol=1e-6)


def test_split_by_an_input():
    parts = run("Split", [X, np.array([1, 2])], 1, 2, axis=1)
    for got, expected in zip(parts, np.split(X, [1], 1), strict=True):
        np.testing.assert_array_equal(got, expected)
