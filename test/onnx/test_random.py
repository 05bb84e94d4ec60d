"""Random numbers: how they are distributed, and that they are the same in each call."""

import broadloom as bl
import numpy as np
import pytest
from onnx import TensorProto, helper

TYPES = {TensorProto.FLOAT: np.float32, TensorProto.DOUBLE: np.float64, TensorProto.FLOAT16: np.float16}


def compile_node(operation, inputs=(), rank=2, opset=22, **attributes):
    given = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [None] * rank) for name in inputs]
    made = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
    made.ClearField("type")
    graph = helper.make_graph([helper.make_node(operation, inputs, ["y"], **attributes)], "graph", given, [made])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=10)
    return bl.from_onnx(model)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("is_like", [False, True])
def test_uniform(dtype, is_like):
    numbers = {"low": -1.0, "high": 3.0, "seed": 7.0, "dtype": dtype}
    if is_like:
        f, x = compile_node("RandomUniformLike", ["x"], **numbers), [np.zeros((200, 300), "f4")]
    else:
        f, x = compile_node("RandomUniform", shape=[200, 300], **numbers), []
    y = f(*x)
    assert (y.dtype, y.shape) == (TYPES[dtype], (200, 300))
    y = y.astype("f8")
    assert -1 <= y.min() < -0.99 and 2.99 < y.max() <= 3
    assert abs(y.mean() - 1) < 0.02 and abs(y.var() - 16 / 12) < 0.02
    counts, _ = np.histogram(y, 16)
    assert abs(counts / y.size * 16 - 1).max() < 0.06
    # Neighbours say nothing of each other.
    assert abs(np.corrcoef(y[:, :-1].ravel(), y[:, 1:].ravel())[0, 1]) < 0.02
    np.testing.assert_array_equal(f(*x), f(*x))


@pytest.mark.parametrize("is_like", [False, True])
def test_normal(is_like):
    numbers = {"mean": 2.0, "scale": 0.5, "seed": 1.0}
    if is_like:
        f, x = compile_node("RandomNormalLike", ["x"], **numbers), [np.zeros((200, 300), "f4")]
    else:
        f, x = compile_node("RandomNormal", shape=[200, 300], **numbers), []
    y = (f(*x).astype("f8") - 2) / 0.5
    assert abs(y.mean()) < 0.02 and abs(y.std() - 1) < 0.02
    assert abs((y**3).mean()) < 0.05 and abs((y**4).mean() - 3) < 0.15
    for bound, share in ((1, 0.6827), (2, 0.9545)):
        assert abs((abs(y) < bound).mean() - share) < 0.01


def test_seeds_and_nodes_differ():
    draw = lambda name, **seed: compile_node("RandomUniform", shape=[1000], **seed)()
    np.testing.assert_array_equal(draw("a", seed=1.0), draw("b", seed=1.0))
    assert abs(np.corrcoef(draw("a", seed=1.0), draw("a", seed=2.0))[0, 1]) < 0.1


def test_bernoulli():
    f = compile_node("Bernoulli", ["x"], seed=3.0, dtype=TensorProto.BOOL)
    x = np.tile(np.linspace(0, 1, 5, dtype="f4"), (20000, 1))
    y = f(x)
    assert y.dtype == bool
    np.testing.assert_allclose(y.mean(0), x[0], atol=0.02)
    assert f(np.zeros((0, 3), "f4")).shape == (0, 3)


def test_multinomial():
    f = compile_node("Multinomial", ["x"], sample_size=20000, seed=3.0, dtype=TensorProto.INT64)
    shares = np.array([[0.1, 0.2, 0.7], [0.5, 0.5, 0.0]])
    with np.errstate(divide="ignore"):
        y = f(np.log(shares).astype("f4"))
    assert (y.dtype, y.shape) == (np.int64, (2, 20000))
    for row, wanted in zip(y, shares):
        np.testing.assert_allclose(np.bincount(row, minlength=3) / 20000, wanted, atol=0.02)
    with pytest.raises(bl.ShapeError, match="there are 0 classes to draw"):
        f(np.zeros((2, 0), "f4"))


def test_dropout_in_training():
    constants = {"ratio": np.array(0.25, "f4"), "training": np.array(True)}
    given = [helper.make_tensor_value_info("x", TensorProto.FLOAT, [None, None])]
    given += [helper.make_tensor_value_info("ratio", TensorProto.FLOAT, [])]
    given += [helper.make_tensor_value_info("training", TensorProto.BOOL, [])]
    made = [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)]
    made += [helper.make_tensor_value_info("mask", TensorProto.BOOL, None)]
    node = helper.make_node("Dropout", ["x", "ratio", "training"], ["y", "mask"], seed=1)
    graph = helper.make_graph([node], "graph", given, made)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 22)], ir_version=10)
    x = np.random.default_rng(0).standard_normal((100, 200)).astype("f4")
    y, mask = bl.from_onnx(model, constants=constants)(x)
    np.testing.assert_allclose(y, np.where(mask, x / 0.75, 0), rtol=1e-6)
    assert abs(mask.mean() - 0.75) < 0.02


def test_random_numbers_are_floats():
    with pytest.raises(bl.UnsupportedOperations, match="random numbers of i32, which are no floats"):
        compile_node("RandomUniform", shape=[2], dtype=TensorProto.INT32)
