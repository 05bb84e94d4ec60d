"""Operators of ai.onnx.ml that are arithmetic, beside ONNX Runtime: static, with open extents, and of constants."""

import re

import broadloom as bl
import numpy as np
import onnxruntime
import pytest
from onnx import TensorProto, helper, numpy_helper

DOMAIN = "ai.onnx.ml"
KINDS = {"f4": TensorProto.FLOAT, "f8": TensorProto.DOUBLE, "i8": TensorProto.INT64, "i4": TensorProto.INT32}
random = np.random.default_rng(0)
X = random.standard_normal((3, 4)).astype("f4")
WHOLE = random.integers(-2, 3, (3, 4))
W, B = random.standard_normal(12).tolist(), random.standard_normal(3).tolist()


def build(operation, inputs, outputs=1, version=3, **attributes):
    names = [f"x{at}" for at in range(len(inputs))]
    node = helper.make_node(operation, names, [f"y{at}" for at in range(outputs)], domain=DOMAIN, **attributes)
    given = [helper.make_tensor_value_info(n, KINDS[x.dtype.str[1:]], [None] * x.ndim) for n, x in zip(names, inputs)]
    made = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in node.output]
    for value in made:
        value.ClearField("type")
    graph = helper.make_graph([node], "graph", given, made)
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid(DOMAIN, version)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=10)


def tensor(*numbers, kind="f4"):
    return numpy_helper.from_array(np.array(numbers, kind), "t")


ENCODED = np.array([[3, 1, 7], [0, 9, 3]])
CASES = [
    ("Scaler", [X], {"offset": [0.5], "scale": [2.0]}),
    ("Scaler", [WHOLE], {"offset": [0.5, 1, 2, 3], "scale": [2.0, 1, -1, 0.5]}),
    ("Scaler", [X.astype("f8")], {"offset": [0.5, 0, 0, 1], "scale": [2.0, 3, 4, 5]}),
    ("Imputer", [np.where(X > 0, X, np.nan).astype("f4")], {"imputed_value_floats": [9.0], "replaced_value_float": np.nan}),
    ("Imputer", [WHOLE], {"imputed_value_int64s": [5, 6, 7, 8], "replaced_value_int64": -2}),
    *(("Normalizer", [np.abs(X)], {"norm": norm}) for norm in ("MAX", "L1", "L2")),
    *(("Normalizer", [X], {"norm": norm}) for norm in ("L1", "L2")),
    ("Normalizer", [X * [[1], [0], [1]]], {"norm": "L1"}),
    ("Normalizer", [X[0]], {"norm": "L2"}),
    ("FeatureVectorizer", [X, X[:, :2].copy()], {"inputdimensions": [4, 2]}),
    ("LinearRegressor", [X], {"coefficients": W[:4]}),
    ("LinearRegressor", [X], {"coefficients": W, "intercepts": B, "targets": 3}),
    *(
        ("LinearClassifier", [X], {"coefficients": W, "intercepts": B, "classlabels_ints": [7, 8, 9], "post_transform": kind, "outputs": 2})
        for kind in ("NONE", "LOGISTIC", "SOFTMAX", "SOFTMAX_ZERO")
    ),
    *(
        ("LinearClassifier", [X], {"coefficients": W[:4], "intercepts": B[:1], "classlabels_ints": [7, 8], "post_transform": kind, "outputs": 2})
        for kind in ("NONE", "LOGISTIC")
    ),
    ("OneHotEncoder", [ENCODED], {"cats_int64s": [3, 9, 1]}),
    ("OneHotEncoder", [ENCODED.astype("f4")], {"cats_int64s": [0, 1, 3, 7, 9], "zeros": 0}),
    ("LabelEncoder", [ENCODED], {"keys_int64s": [3, 9, 1], "values_floats": [0.5, 1.5, 2.5], "default_float": -3.0}),
    ("LabelEncoder", [ENCODED], {"keys_int64s": [1, 3, 7], "values_int64s": [30, 10, 70]}),
    ("LabelEncoder", [np.array([0.5, np.nan, 2], "f4")], {"keys_floats": [np.nan, 0.5], "values_int64s": [4, 5], "version": 4}),
    ("LabelEncoder", [ENCODED.astype("f8")], {"keys_tensor": tensor(9.0, 3.0, kind="f8"), "values_tensor": tensor(1.0, 2.0, kind="f8"), "default_tensor": tensor(8.0, kind="f8"), "version": 4}),
    *(
        ("SVMRegressor", [X], {"kernel_type": kind, "kernel_params": [0.3, 0.5, 3.0], "n_supports": 3, "coefficients": B, "support_vectors": W, "rho": [0.2], "one_class": one})
        for kind in ("LINEAR", "POLY", "RBF", "SIGMOID") for one in (0, 1)
    ),
    ("SVMRegressor", [X], {"coefficients": W[:4], "rho": [0.2], "kernel_type": "LINEAR", "kernel_params": [0.0, 0, 0]}),
]  # fmt: skip


@pytest.mark.parametrize("form", ["static", "open", "constant"])
@pytest.mark.parametrize("operation, inputs, attributes", CASES, ids=[f"{row[0]}-{at}" for at, row in enumerate(CASES)])
def test_beside_onnx_runtime(operation, inputs, attributes, form):
    inputs = [np.ascontiguousarray(x, "f4") if x.dtype == "f8" and operation == "Normalizer" else x for x in inputs]
    model = build(operation, inputs, **attributes)
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    names = [value.name for value in session.get_inputs()]
    given = dict(zip(names, inputs))
    if form == "constant":
        found = bl.from_onnx(model, constants=given)()
    else:
        shapes = {name: list(x.shape) for name, x in given.items()} if form == "static" else None
        found = bl.from_onnx(model, shapes=shapes)(*inputs)
    for got, wanted in zip(found if isinstance(found, tuple) else (found,), session.run(None, given), strict=True):
        assert (got.dtype, got.shape) == (wanted.dtype, wanted.shape)
        np.testing.assert_allclose(got, wanted, rtol=1e-4, atol=1e-5)


def test_rows_of_classes():
    """One row of features has one label."""
    model = build("LinearClassifier", [X[0]], 2, coefficients=W, intercepts=B, classlabels_ints=[7, 8, 9])
    label, scores = bl.from_onnx(model)(X[0])
    expected = np.array(W, "f4").reshape(3, 4) @ X[0] + np.array(B, "f4")
    assert label.tolist() == [7 + expected.argmax()]
    np.testing.assert_allclose(scores, expected[np.newaxis], rtol=1e-4)


CLASSES = {"classlabels_ints": [7, 8, 9], "coefficients": W, "intercepts": B}
WRONG = [
    ("Scaler", X, {"offset": [1.0, 2.0], "scale": [1.0]}, "its offset has 2 elements, but there are 4 features"),
    ("Imputer", X, {"imputed_value_int64s": [1]}, "its imputed_value_floats is empty, and its input has f32"),
    ("Imputer", X, {"imputed_value_floats": [1.0, 2]}, "its imputed_value has 2 elements, but there are 4 features"),
    ("Normalizer", X, {"norm": "L3"}, "its norm is MAX, L1 or L2, not 'L3'"),
    ("Normalizer", X[None], {"norm": "L1"}, "its input has 3 axes, not 1 or 2"),
    ("FeatureVectorizer", X, {"inputdimensions": [5]}, "an input has 4 features, but inputdimensions tells 5"),
    ("LinearRegressor", X, {"coefficients": W[:3]}, "a row has 4 features, but the model has 3 coefficients for each"),
    ("LinearRegressor", X, {"coefficients": W, "targets": 5}, "12 coefficients and 0 intercepts do not fit 5 models"),
    ("LinearClassifier", X, {**CLASSES, "classlabels_ints": [7, 8]}, "2 labels are given for 3 classes"),
    ("LinearClassifier", X, {**CLASSES, "post_transform": "PROBIT"}, "LOGISTIC, SOFTMAX or SOFTMAX_ZERO, not 'PROBIT'"),
    ("LabelEncoder", WHOLE, {"keys_int64s": [1], "values_strings": ["a"]}, "export the model with numbers as labels"),
    ("LabelEncoder", X, {"keys_int64s": [1], "values_int64s": [2]}, "its keys are i64, but its input has elements of f32"),
    ("LabelEncoder", WHOLE, {"keys_int64s": [1, 2], "values_int64s": [2]}, "2 keys and 1 values are given"),
    ("OneHotEncoder", WHOLE, {"cats_strings": ["a"]}, "export the model with numbers as labels"),
    ("SVMRegressor", X, {"coefficients": B, "n_supports": 3, "support_vectors": W[:9], "rho": [0.0]}, "support vectors have 3"),
    ("SVMRegressor", X, {"coefficients": B, "n_supports": 3, "support_vectors": W[:8], "rho": [0.0]}, "8 numbers and 3 coefficients"),
    ("ZipMap", X, {"classlabels_int64s": [1, 2, 3, 4]}, "options={'zipmap': False}"),
    ("TreeEnsembleRegressor", X, {}, "trees are not imported; export the model as products of matrices"),
]  # fmt: skip


@pytest.mark.parametrize(
    "operation, x, attributes, message", WRONG, ids=[f"{row[0]}-{at}" for at, row in enumerate(WRONG)]
)
def test_wrong(operation, x, attributes, message):
    shapes = {"x0": list(x.shape)}
    with pytest.raises((bl.UnsupportedOperations, bl.ShapeError), match=re.escape(message)):
        bl.from_onnx(build(operation, [x], **attributes), shapes=shapes)


def test_what_calls_find_wrong():
    f = bl.from_onnx(build("LinearRegressor", [X], coefficients=W[:4]))
    with pytest.raises(bl.ShapeError, match="a row has 5 features, but the model has 4 coefficients for each"):
        f(np.zeros((2, 5), "f4"))
    f = bl.from_onnx(build("OneHotEncoder", [ENCODED], cats_int64s=[3, 9], zeros=0))
    assert f(np.array([[9, 3, 3]])).tolist() == [[[0, 1], [1, 0], [1, 0]]]
    with pytest.raises(bl.ShapeError, match="an element is none of its 2 categories, and zeros is 0"):
        f(ENCODED)
