"""Whole models, beside ONNX Runtime: one compilation for all extents."""

import os

import broadloom as bl
import numpy as np
import onnx
import onnx.reference
import onnxruntime
import pytest
from onnx import TensorProto, helper, numpy_helper

LIGHT = os.path.join(os.path.dirname(onnx.__file__), "backend", "test", "data", "light")


def random(*shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype("f4")


def tensor(name, shape, kind=TensorProto.FLOAT):
    return helper.make_tensor_value_info(name, kind, shape)


def make(nodes, inputs, outputs, weights, opset=21):
    constants = [numpy_helper.from_array(array, name) for name, array in weights.items()]
    graph = helper.make_graph(nodes, "graph", inputs, [tensor(name, None) for name in outputs], constants)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=10)


def compare(model, calls, tolerance=1e-4, **options):
    """Each call is the inputs, in the model's order."""
    f = bl.from_onnx(model, **options)
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    names = [i.name for i in session.get_inputs()]
    for inputs in calls:
        found = f(*inputs)
        found = found if isinstance(found, tuple) else (found,)
        expected = session.run(None, dict(zip(names, inputs)))
        for got, want in zip(found, expected, strict=True):
            assert (got.dtype, got.shape) == (want.dtype, want.shape)
            np.testing.assert_allclose(got, want, rtol=tolerance, atol=tolerance * max(np.abs(want).max(initial=0), 1))
    return f


def test_perceptron():
    n = helper.make_node
    nodes = [
        n("Gemm", ["x", "w", "b"], ["h"], transB=1),
        n("Gelu", ["h"], ["g"]),
        n("MatMul", ["g", "v"], ["m"]),
        n("LogSoftmax", ["m"], ["y"], axis=-1),
    ]
    weights = {"w": random(16, 8), "b": random(16, seed=1), "v": random(16, 5, seed=2)}
    model = make(nodes, [tensor("x", ["batch", 8])], ["y"], weights)
    compare(model, [[random(batch, 8)] for batch in (1, 2, 7)])
    compare(model, [[random(batch, 8)] for batch in (1, 7)], weights="constant")


def attention_nodes(width, heads):
    """A block of a transformer, with shapes computed as exporters write them."""
    n = helper.make_node
    split = lambda name: [
        n("MatMul", ["norm", f"w{name}"], [f"{name}0"]),
        n("Add", [f"{name}0", f"b{name}"], [f"{name}1"]),
        n("Reshape", [f"{name}1", "heads"], [f"{name}2"]),
        n("Transpose", [f"{name}2"], [name], perm=[0, 2, 1, 3]),
    ]
    return [
        n("LayerNormalization", ["x", "scale", "bias"], ["norm"], axis=-1),
        n("Shape", ["x"], ["shape"]), n("Gather", ["shape", "zero"], ["batch"], axis=0),
        n("Gather", ["shape", "one"], ["length"], axis=0), n("Unsqueeze", ["batch", "axis0"], ["batch1"]),
        n("Unsqueeze", ["length", "axis0"], ["length1"]),
        n("Concat", ["batch1", "length1", "count", "minus"], ["heads"], axis=0),
        *split("q"), *split("k"), *split("v"),
        n("Transpose", ["k"], ["kt"], perm=[0, 1, 3, 2]), n("MatMul", ["q", "kt"], ["s0"]),
        n("Mul", ["s0", "factor"], ["s1"]),
        # A causal mask, made of the length.
        n("Range", ["zero", "length", "one"], ["line"]), n("Unsqueeze", ["line", "axis1"], ["rows"]),
        n("LessOrEqual", ["line", "rows"], ["kept"]), n("Where", ["kept", "s1", "least"], ["s2"]),
        n("Softmax", ["s2"], ["p"], axis=-1), n("MatMul", ["p", "v"], ["o0"]),
        n("Transpose", ["o0"], ["o1"], perm=[0, 2, 1, 3]), n("Reshape", ["o1", "shape"], ["o2"]),
        n("MatMul", ["o2", "wo"], ["o3"]), n("Add", ["x", "o3"], ["y"]),
    ]  # fmt: skip


def test_attention():
    width, heads = 12, 3
    weights = {f"w{n}": random(width, width, seed=i) / 3 for i, n in enumerate("qkvo")}
    weights |= {f"b{n}": random(width, seed=9 + i) for i, n in enumerate("qkv")}
    weights |= {"scale": random(width, seed=20), "bias": random(width, seed=21)}
    weights |= {
        "zero": np.array(0),
        "one": np.array(1),
        "axis0": np.array([0]),
        "axis1": np.array([1]),
        "count": np.array([heads]),
        "minus": np.array([-1]),
        "factor": np.array(0.5, "f4"),
        "least": np.array(-1e9, "f4"),
    }
    model = make(attention_nodes(width, heads), [tensor("x", ["batch", "length", width])], ["y"], weights)
    f = compare(model, [[random(*shape, width)] for shape in ((1, 1), (2, 5), (3, 8))])
    assert "batchxlengthx12" in repr(f)


def with_random_weights(path, seed=0):
    """The model of a file whose weights are all one number; here they are random."""
    model = onnx.load(path)
    constants = {t.name: numpy_helper.to_array(t) for t in model.graph.initializer}
    left = []
    for node in model.graph.node:
        if node.op_type == "ConstantOfShape" and node.input[0] in constants:
            shape = tuple(int(n) for n in constants[node.input[0]])
            array = random(*shape, seed=seed) * (2 / max(np.prod(shape[1:]), 1)) ** 0.5
            # Variances are not negative.
            array = (np.abs(array) + 0.5 if len(shape) == 1 else array).astype("f4")
            model.graph.initializer.append(numpy_helper.from_array(array, node.output[0]))
            seed += 1
        else:
            left.append(node)
    del model.graph.node[:]
    model.graph.node.extend(left)
    # The last layer alone would hide what is before it.
    if left[-1].op_type == "Softmax":
        model.graph.output[0].name = left[-1].input[0]
        del model.graph.node[-1]
    return model


@pytest.mark.parametrize("name", ["squeezenet", "inception_v1", "resnet50", "densenet121", "shufflenet"])
def test_networks(name):
    model = with_random_weights(os.path.join(LIGHT, f"light_{name}.onnx"))
    given = [i for i in model.graph.input if i.name not in {t.name for t in model.graph.initializer}]
    shape = [d.dim_value for d in given[0].type.tensor_type.shape.dim]
    compare(model, [[random(*shape)]], 1e-3)


@pytest.mark.parametrize("name", ["squeezenet", "densenet121"])
def test_networks_for_any_batch(name):
    model = with_random_weights(os.path.join(LIGHT, f"light_{name}.onnx"))
    (given,) = [i for i in model.graph.input if i.name not in {t.name for t in model.graph.initializer}]
    f = bl.from_onnx(model, shapes={given.name: ("batch", 3, 224, 224)})
    x = random(3, 3, 224, 224)
    # The file itself is of one image.
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    expected = np.concatenate([session.run(None, {given.name: image})[0] for image in np.split(x, 3)])
    np.testing.assert_allclose(f(x), expected, rtol=1e-3, atol=1e-3 * np.abs(expected).max())


def test_quantized_convolutions():
    n = helper.make_node
    nodes = [
        n("DynamicQuantizeLinear", ["x"], ["q", "qs", "qz"]),
        n("ConvInteger", ["q", "w", "qz", "wz"], ["c"], pads=[1, 1, 1, 1]),
        n("Cast", ["c"], ["f"], to=1),
        n("Mul", ["qs", "ws"], ["s"]),
        n("Mul", ["f", "s"], ["y"]),
    ]
    w = np.random.default_rng(0).integers(-128, 128, (8, 64, 3, 3)).astype("i1")
    weights = {"w": w, "wz": np.array(3, "i1"), "ws": np.array(0.01, "f4")}
    model = make(nodes, [tensor("x", ["n", 64, "h", "w_"])], ["y"], weights)
    f = bl.from_onnx(model)
    evaluate = onnx.reference.ReferenceEvaluator(model)
    for shape in ((1, 64, 4, 5), (2, 64, 6, 3)):
        x = random(*shape)
        (expected,) = evaluate.run(None, {"x": x})
        np.testing.assert_allclose(f(x), expected, rtol=1e-5, atol=1e-4)


def test_the_proto_itself_is_a_program(tmp_path):
    model = make([helper.make_node("Neg", ["x"], ["y"])], [tensor("x", ["n"])], ["y"], {})
    np.testing.assert_array_equal(bl.compile(model)(random(3)), -random(3))
    path = tmp_path / "model.onnx"
    onnx.save(model, path)
    np.testing.assert_array_equal(bl.compile(path)(random(3)), -random(3))


def test_external_data_as_onnx_writes_it(tmp_path):
    w = random(40, 40)
    model = make([helper.make_node("MatMul", ["x", "w"], ["y"])], [tensor("x", ["n", 40])], ["y"], {"w": w})
    path = tmp_path / "model.onnx"
    onnx.save(model, path, save_as_external_data=True, location="model.data", size_threshold=0)
    np.testing.assert_allclose(bl.compile(path)(random(3, 40)), random(3, 40) @ w, rtol=1e-4, atol=1e-4)
