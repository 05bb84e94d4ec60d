"""Images whose size is computed as a scale, as PyTorch's exporter writes it for opsets 9 and 10."""

import re

import broadloom as bl
import numpy as np
import onnxruntime
import pytest
from onnx import TensorProto, helper

X = np.random.default_rng(0).standard_normal((2, 3, 5, 7)).astype("f4")


def build(operation, opset, **attributes):
    """An image is made as large as another: scales are quotients of extents."""
    n = helper.make_node
    inputs = {"Upsample": ["x", "scales"]}.get(operation, ["x", "scales"] if opset < 11 else ["x", "none", "scales"])
    nodes = [n("Constant", [], ["ones"], value_floats=[1.0, 1.0])] if opset > 11 else [
        n("Constant", [], ["ones"], value=helper.make_tensor("t", TensorProto.FLOAT, [2], [1.0, 1.0]))
    ]  # fmt: skip
    nodes.append(n("Constant", [], ["none"], value=helper.make_tensor("t", TensorProto.FLOAT, [0], [])))
    for name in ("x", "like"):
        nodes += [n("Shape", [name], [f"{name}0"]), n("Cast", [f"{name}0"], [f"{name}1"], to=TensorProto.FLOAT)]
        slicing = {"axes": [0], "starts": [2], "ends": [4]}
        if opset < 10:
            nodes.append(n("Slice", [f"{name}1"], [f"{name}2"], **slicing))
        else:
            for key, numbers in slicing.items():
                made = helper.make_tensor("t", TensorProto.INT64, [1], numbers)
                nodes.append(n("Constant", [], [f"{name}_{key}"], value=made))
            nodes.append(
                n("Slice", [f"{name}1", *(f"{name}_{key}" for key in ("starts", "ends", "axes"))], [f"{name}2"])
            )
    nodes += [
        n("Div", ["like2", "x2"], ["quotients"]),
        n("Concat", ["ones", "quotients"], ["scales"], axis=0),
        n(operation, inputs, ["y"], **attributes),
    ]
    given = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [None] * 4) for name in ("x", "like")]
    made = helper.make_tensor_value_info("y", TensorProto.FLOAT, [None] * 4)
    graph = helper.make_graph(nodes, "graph", given, [made])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)


@pytest.mark.parametrize("form", ["static", "open"])
@pytest.mark.parametrize(
    "operation, opset, attributes",
    [
        ("Upsample", 9, {"mode": "nearest"}),
        ("Upsample", 9, {"mode": "linear"}),
        ("Resize", 10, {"mode": "linear"}),
        ("Resize", 11, {"mode": "cubic", "coordinate_transformation_mode": "pytorch_half_pixel"}),
        ("Resize", 13, {"mode": "linear", "coordinate_transformation_mode": "align_corners"}),
        ("Resize", 18, {"mode": "nearest", "coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"}),
    ],
)
def test_as_large_as_another(operation, opset, attributes, form):
    model = build(operation, opset, **attributes)
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    f = bl.from_onnx(model) if form == "open" else None
    for height, width in ((10, 14), (5, 21), (8, 9), (7, 11)):
        like = np.zeros((1, 1, height, width), "f4")
        shapes = {"x": list(X.shape), "like": list(like.shape)}
        found = (f or bl.from_onnx(model, shapes=shapes))(X, like)
        (expected,) = session.run(None, {"x": X, "like": like})
        assert found.shape == expected.shape == (2, 3, height, width)
        np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-4)


def given_scales(rank=4, count=None):
    """A model whose scales are an input."""
    given = [
        helper.make_tensor_value_info("x", TensorProto.FLOAT, [None] * rank),
        helper.make_tensor_value_info("scales", TensorProto.FLOAT, [count]),
    ]
    made = helper.make_tensor_value_info("y", TensorProto.FLOAT, [None] * rank)
    node = helper.make_node("Resize", ["x", "", "scales"], ["y"], mode="linear")
    graph = helper.make_graph([node], "graph", given, [made])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)


def test_scales_that_are_an_input():
    model = given_scales()
    f = bl.from_onnx(model)
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    for scales in ([1, 1, 2, 0.5], [1, 1, 0.7, 1.3], [1, 1, 1, 1]):
        scales = np.array(scales, "f4")
        (expected,) = session.run(None, {"x": X, "scales": scales})
        constant = bl.from_onnx(model, constants={"scales": scales}, check_outputs=False)
        np.testing.assert_allclose(f(X, scales), expected, rtol=1e-4, atol=1e-4)
        np.testing.assert_allclose(constant(X), expected, rtol=1e-4, atol=1e-4)
    for scales, message in (
        ([2, 1, 1, 1], "the scale of axis 0 is not 1"),
        ([1, 3, 1, 1], "the scale of axis 1 is not 1"),
        ([1, 1, 2], "3 scales are given for 4 axes"),
        ([1, 1, -1, 2], "a scale gives -5 elements"),
    ):
        with pytest.raises(bl.ShapeError, match=re.escape(message)):
            f(X, np.array(scales, "f4"))
    with pytest.raises((bl.ShapeError, bl.UnsupportedOperations), match="3 scales are given for 4 axes"):
        bl.from_onnx(given_scales(count=3))
