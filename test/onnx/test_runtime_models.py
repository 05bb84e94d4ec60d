"""Models that ONNX Runtime's own tools have quantized or optimised, beside it."""

import broadloom as bl
import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper, numpy_helper

quantization = pytest.importorskip("onnxruntime.quantization")


def random(*shape, seed=0, scale=1.0):
    return (np.random.default_rng(seed).standard_normal(shape) * scale).astype("f4")


def make(nodes, shape, weights):
    constants = [numpy_helper.from_array(array, name) for name, array in weights.items()]
    given = helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)
    made = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
    graph = helper.make_graph(nodes, "graph", [given], [made], constants)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def image_model():
    n = helper.make_node
    nodes = [
        n("Conv", ["x", "w1", "b1"], ["c1"], pads=[1, 1, 1, 1]),
        n("Relu", ["c1"], ["r1"]),
        n("Conv", ["r1", "w2", "b2"], ["c2"], pads=[1, 1, 1, 1]),
        n("Add", ["c2", "r1"], ["a"]),
        n("LeakyRelu", ["a"], ["l"], alpha=0.1),
        n("Concat", ["l", "r1"], ["j"], axis=1),
        n("AveragePool", ["j"], ["p"], kernel_shape=[2, 2], strides=[2, 2]),
        n("GlobalAveragePool", ["p"], ["g"]),
        n("Flatten", ["g"], ["f"]),
        n("Gemm", ["f", "w3", "b3"], ["s"], transB=1),
        n("Sigmoid", ["s"], ["y"]),
    ]
    weights = {"w1": random(8, 3, 3, 3, scale=0.3), "b1": random(8), "w2": random(8, 8, 3, 3, scale=0.2)}
    weights |= {"b2": random(8), "w3": random(5, 16, scale=0.5), "b3": random(5)}
    return make(nodes, ["n", 3, "h", "w"], weights)


def text_model():
    n = helper.make_node
    nodes = [
        n("MatMul", ["x", "w1"], ["m1"]),
        n("Add", ["m1", "b1"], ["a1"]),
        # A Gelu as exporters write it.
        n("Div", ["a1", "root"], ["d"]),
        n("Erf", ["d"], ["e"]),
        n("Add", ["e", "one"], ["e1"]),
        n("Mul", ["a1", "e1"], ["h"]),
        n("Mul", ["h", "half"], ["g"]),
        n("MatMul", ["g", "w2"], ["m2"]),
        n("Add", ["m2", "b2"], ["a2"]),
        n("Add", ["a2", "x"], ["s"]),
        n("LayerNormalization", ["s", "scale", "bias"], ["y"], axis=-1),
    ]
    weights = {"w1": random(16, 64, scale=0.3), "b1": random(64), "w2": random(64, 16, scale=0.2), "b2": random(16)}
    weights |= {"root": np.array(2**0.5, "f4"), "one": np.array(1, "f4"), "half": np.array(0.5, "f4")}
    weights |= {"scale": random(16, seed=3), "bias": random(16, seed=4)}
    return make(nodes, ["n", "length", 16], weights)


def recurrent_model():
    node = helper.make_node("LSTM", ["x", "w", "r", "b"], ["y"], hidden_size=8, direction="bidirectional")
    weights = {"w": random(2, 32, 4, scale=0.5), "r": random(2, 32, 8, scale=0.5), "b": random(2, 64)}
    return make([node], ["length", "n", 4], weights)


def compare(path, calls, tolerance):
    """Compares a file's model with ONNX Runtime, which does not optimise it further. Returns its operators."""
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    f = bl.from_onnx(path)
    for shape in calls:
        x = random(*shape, seed=9)
        (wanted,) = session.run(None, {"x": x})
        got = f(x)
        assert (got.dtype, got.shape) == (wanted.dtype, wanted.shape)
        assert np.abs(got - wanted).max() <= tolerance * max(np.abs(wanted).max(), 1)
    return {(node.domain, node.op_type) for node in onnx.load(path).graph.node}


@pytest.mark.parametrize(
    "model, calls, tolerance",
    [
        (text_model(), [(2, 3, 16), (1, 1, 16)], 0.01),
        (image_model(), [(2, 3, 8, 8), (1, 3, 6, 9)], 0.01),
        # States are rounded to 8 bits in ONNX Runtime at each step.
        (recurrent_model(), [(5, 2, 4), (1, 1, 4)], 0.05),
    ],
    ids=["text", "image", "recurrent"],
)
def test_weights_in_8_bits(tmp_path, model, calls, tolerance):
    onnx.save(model, tmp_path / "model.onnx")
    quantization.quantize_dynamic(tmp_path / "model.onnx", tmp_path / "made.onnx")
    operators = compare(tmp_path / "made.onnx", calls, tolerance)
    names = {name for _, name in operators}
    assert names & {"MatMulInteger", "ConvInteger", "DynamicQuantizeLSTM"}


@pytest.mark.parametrize("form", ["QDQ", "QOperator"])
@pytest.mark.parametrize("of_channels", [False, True])
def test_all_in_8_bits(tmp_path, form, of_channels):
    class Reader(quantization.CalibrationDataReader):
        def __init__(self):
            self.data = iter([{"x": random(2, 3, 8, 8, seed=seed)} for seed in range(4)])

        def get_next(self):
            return next(self.data, None)

    onnx.save(image_model(), tmp_path / "model.onnx")
    quantization.quantize_static(
        tmp_path / "model.onnx",
        tmp_path / "made.onnx",
        Reader(),
        quant_format=quantization.QuantFormat[form],
        per_channel=of_channels,
    )
    operators = compare(tmp_path / "made.onnx", [(2, 3, 8, 8), (1, 3, 6, 9)], 0.02)
    if form == "QOperator":
        names = {name for domain, name in operators if domain == "com.microsoft"}
        assert {"QLinearAdd", "QLinearConcat", "QLinearGlobalAveragePool", "QLinearSigmoid"} <= names


@pytest.mark.parametrize("level", ["ORT_ENABLE_BASIC", "ORT_ENABLE_EXTENDED"])
@pytest.mark.parametrize(
    "model, calls",
    [
        (text_model(), [(2, 3, 16), (1, 1, 16)]),
        (image_model(), [(2, 3, 8, 8), (1, 3, 6, 9)]),
        (recurrent_model(), [(5, 2, 4)]),
    ],
    ids=["text", "image", "recurrent"],
)
def test_optimised(tmp_path, model, calls, level):
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.graph_optimization_level = getattr(onnxruntime.GraphOptimizationLevel, level)
    options.optimized_model_filepath = str(tmp_path / "made.onnx")
    onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    operators = compare(tmp_path / "made.onnx", calls, 1e-4)
    is_fused = level == "ORT_ENABLE_EXTENDED" and model.graph.node[0].op_type != "LSTM"
    assert is_fused == any(domain == "com.microsoft" for domain, _ in operators)


@pytest.mark.parametrize(
    "model, calls",
    [(text_model(), [(2, 3, 16), (1, 1, 16)]), (image_model(), [(2, 3, 8, 8), (1, 3, 6, 9)])],
    ids=["text", "image"],
)
def test_converted_to_f16(tmp_path, model, calls):
    """The converter leaves nodes behind those that read them."""
    float16 = pytest.importorskip("onnxruntime.transformers.float16")
    onnx.save(float16.convert_float_to_float16(model, keep_io_types=True), tmp_path / "made.onnx")
    nodes = onnx.load(tmp_path / "made.onnx").graph.node
    givers = {name: at for at, node in enumerate(nodes) for name in node.output}
    assert any(givers.get(name, -1) > at for at, node in enumerate(nodes) for name in node.input)
    compare(tmp_path / "made.onnx", calls, 0.01)
