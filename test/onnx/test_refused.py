"""What is told of forms of operators that are not imported, and of inputs that do not fit one another."""

import re

import broadloom as bl
import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper

KINDS = {"f4": TensorProto.FLOAT, "i8": TensorProto.INT64, "i4": TensorProto.INT32, "u1": TensorProto.UINT8}
MICROSOFT = "com.microsoft"


def build(operation, inputs, outputs=1, opset=28, domain="", **attributes):
    """A model of one node. An input is a shape of f32, a kind and a shape, an array that is a constant, or None."""
    names = ["" if given is None else f"x{at}" for at, given in enumerate(inputs)]
    weights = [numpy_helper.from_array(x, n) for n, x in zip(names, inputs) if isinstance(x, np.ndarray)]
    given = []
    for name, kind in zip(names, inputs):
        if isinstance(kind, tuple):
            element, shape = kind if kind and isinstance(kind[0], str) else ("f4", kind)
            given.append(helper.make_tensor_value_info(name, KINDS[element], shape))
    node = helper.make_node(operation, names, [f"y{at}" for at in range(outputs)], domain=domain, **attributes)
    made = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in node.output]
    for value in made:
        value.ClearField("type")
    graph = helper.make_graph([node], "graph", given, made, weights)
    opsets = [helper.make_opsetid("", opset), helper.make_opsetid(domain or MICROSOFT, 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=11)


def numbers(*given, kind="i8"):
    return np.array(given, kind)


LINEAR = {"q_num_heads": 2, "kv_num_heads": 2}
X = (2, 3, 8)
GRAMS = {"max_gram_length": 1, "min_gram_length": 1, "max_skip_count": 0, "mode": "TF", "ngram_counts": [0]}
GRAMS["ngram_indexes"] = [0]
IMAGE = (1, 2, 5, 5)
REFUSED = [
    (("NegativeLogLikelihoodLoss", [(3, 4), ("i8", (3,))]), {"reduction": "most"}, "its reduction is 'none', 'sum'"),
    (("NegativeLogLikelihoodLoss", [(4,), ("i8", ())]), {}, "its first input has 1 axes, but at least 2 are needed"),
    (("SoftmaxCrossEntropyLoss", [(4,), ("i8", ())]), {}, "its first input has 1 axes, but at least 2 are needed"),
    (("SoftmaxCrossEntropyLoss", [(3, 4), ("i8", (2,))]), {}, "axis 0 of the list of classes has the extent 2"),
    (
        ("SoftmaxCrossEntropyLoss", [(3, 4), ("i8", (3,)), (5,)]),
        {},
        "the weight has the extent 5, but there are 4 classes",
    ),
    (("Add", [(2, 3), (3,)]), {"opset": 6}, "the second input has 1 axes, not 2"),
    (("Add", [(2, 3), (3,)]), {"opset": 6, "broadcast": 1, "axis": 2}, "axis 2 is outside of the 2 axes"),
    (("Add", [(2,), (2, 3)]), {"opset": 6, "broadcast": 1}, "2 axes from axis -1 on do not fit 1 axes"),
    (("Cast", [(2,)]), {"opset": 1, "to": "STRING"}, "programs have no elements of ONNX's type STRING"),
    (("Upsample", [(2, 3)]), {"opset": 1, "height_scale": 2.0, "width_scale": 2.0}, "its input has 2 axes, not 4"),
    (("BitCast", [(2,)]), {"to": TensorProto.INT64}, "elements of f32 have 32 bits, and those of i64 64"),
    (("BitCast", [(2,)]), {"to": TensorProto.COMPLEX64}, "programs have no elements of ONNX's type complex64"),
    (("Compress", [(2, 3), np.ones((2, 3), "?")]), {}, "its condition has 2 axes, not 1"),
    (("NonMaxSuppression", [(1, 3, 4), (1, 3)]), {}, "the scores have 2 axes, not 3"),
    (("DFT", [(2, 3, 3)]), {}, "the last axis of its input is 3, and not 1 or 2"),
    (("DFT", [(2, 3, 1), None, numbers(2)]), {}, "axis 2 is that of real and imaginary parts"),
    (("STFT", [(1, 9, 1), numbers(0), (4,)]), {}, "the frame_step is 0, but at least 1 is needed"),
    (("STFT", [(1, 9, 1), numbers(1), (4,), numbers(3)]), {}, "the window has the extent 4, but there are 3 elements"),
    (("LinearAttention", [X, X, X]), {**LINEAR, "update_rule": "soft"}, "its update_rule is linear, gated, delta or"),
    (("LinearAttention", [X, X, X]), LINEAR, "update_rule 'gated_delta' does not go with the inputs decay and beta"),
    (
        ("LinearAttention", [X, X, X]),
        {"update_rule": "linear", "q_num_heads": 3, "kv_num_heads": 2},
        "3 heads of queries are no multiple of 2 heads of keys",
    ),
    (
        ("LinearAttention", [X, X, X, None, (2, 3, 6)]),
        {"update_rule": "gated", **LINEAR},
        "the decay of a head has 3 elements, but 1 or 4 is needed",
    ),
    (
        ("LinearAttention", [X, X, X, None, None, (2, 3, 3)]),
        {"update_rule": "delta", **LINEAR},
        "axis 2 of the beta has the extent 3, but 1 or 2 is needed",
    ),
    (("CausalConvWithState", [X, np.ones((3, 1, 2), "f4")]), {"activation": "relu"}, "its activation is none, silu or"),
    (("CausalConvWithState", [(2, 3), np.ones((3, 1, 2), "f4")]), {}, "its input has 2 axes, not 3"),
    (("FlexAttention", [X, X, X]), {"domain": "ai.onnx.preview"}, "its inputs have other numbers of axes than 4"),
    (("MaxUnpool", [IMAGE, ("i8", IMAGE)]), {"kernel_shape": [2]}, "kernel_shape [2] is no window of 2 axes"),
    (
        ("MaxUnpool", [IMAGE, ("i8", IMAGE), numbers(1, 2, 3, 3)]),
        {"kernel_shape": [2, 2]},
        "axis 2 of the result has 6 elements, but 3 are asked for",
    ),
    (
        ("MaxUnpool", [IMAGE, ("i8", IMAGE), numbers(1, 2)]),
        {"kernel_shape": [2, 2]},
        "its output_shape has 2 elements, not 4",
    ),
    (("Col2Im", [(1, 4), numbers(3, 3), numbers(2, 2)]), {}, "an input of 2 axes, an image of 2 and a block of 2"),
    (("Col2Im", [(1, 5, 4), numbers(3, 3), numbers(2, 2)]), {}, "axis 1 of 'x0' has the extent 5, no multiple of 4"),
    (("Col2Im", [(1, 4, 5), numbers(3, 3), numbers(2, 2)]), {}, "axis 2 of 'x0' has the extent 5, but 4 blocks fit"),
    (("RoiAlign", [IMAGE, (3, 4), ("i8", (3,))]), {"mode": "least"}, "its mode is 'avg' or 'max', not 'least'"),
    (("RoiAlign", [(1, 2, 3), (3, 4), ("i8", (3,))]), {}, "its input has 3 axes, not 4"),
    (
        ("RoiAlign", [IMAGE, (3, 4), ("i8", (3,))]),
        {"coordinate_transformation_mode": "none"},
        "its coordinate_transformation_mode 'none'",
    ),
    (("DeformConv", [(1, 2, 5), np.ones((2, 2, 3), "f4"), (1, 6, 3)]), {}, "a deformable convolution over 1 axes"),
    (
        ("DeformConv", [IMAGE, np.ones((2, 2, 3, 3), "f4"), (1, 18, 3, 3)]),
        {"kernel_shape": [2, 2]},
        "kernel_shape is [2, 2], but the weight has the window [3, 3]",
    ),
    (
        ("DeformConv", [IMAGE, np.ones((3, 1, 3, 3), "f4"), (1, 18, 3, 3)]),
        {"group": 2},
        "2 groups and 1 groups of offsets of 2 channels",
    ),
    (("Det", [(3,)]), {}, "its input has 1 axes, but at least 2 are needed"),
    (("Det", [(3, 2)]), {}, "its matrices have 3 rows and 2 columns"),
    (("Multinomial", [(3,)]), {}, "its input has 1 axes, not 2"),
    (("RandomNormal", []), {"shape": [2], "dtype": TensorProto.STRING}, "its dtype 8 is none of programs"),
    (("TfIdfVectorizer", [("i8", (3,))]), {**GRAMS, "pool_strings": ["a"]}, "programs have no texts; give it numbers"),
    (("TfIdfVectorizer", [("i8", (3,))]), {**GRAMS, "pool_int64s": [1], "mode": "F"}, "its mode is 'TF', 'IDF' or"),
    (("TfIdfVectorizer", [("i8", ())]), {**GRAMS, "pool_int64s": [1]}, "its input has 0 axes, not 1 or 2"),
    (("TfIdfVectorizer", [("i8", (3,))]), {**GRAMS, "pool_int64s": [1, 2]}, "2 sequences in its pool, but 1 ngram_"),
    (
        ("TfIdfVectorizer", [("i8", (3,))]),
        {**GRAMS, "pool_int64s": [1, 2], "ngram_counts": [0, 1]},
        "sequences of 2 numbers from element 1 to 2 of a pool of 2",
    ),
    (("FusedGemm", [(2, 3), (3, 4)]), {"activation": "Odd"}, "its activation 'Odd'; there are Relu"),
    (("FusedMatMul", [(2, 3), (4, 5)]), {}, "the last axis of the first operand has 3 elements, but 4 are summed"),
    (("SkipLayerNormalization", [X, (2, 1, 8), (8,)]), {}, "axis 1 of the summand has the extent 1, but 3 is needed"),
    (("Attention", [(2, 8), (8, 24)]), {"num_heads": 2}, "its input has 2 axes and its weights 2, not 3 and 2"),
    (("Attention", [X, (8, 25)]), {"num_heads": 2}, "the weights have 25 columns, no multiple of 3"),
    (("Attention", [X, (8, 24)]), {"num_heads": 3}, "axis 2 of the queries has the extent 8, no multiple of 3 heads"),
    (
        ("Attention", [X, (8, 24)]),
        {"num_heads": 2, "qkv_hidden_sizes": [8, 8, 9]},
        "its qkv_hidden_sizes are 25 together, but 24 are computed",
    ),
    (("Attention", [X, (8, 24)]), {"num_heads": 2, "do_rotary": 1}, "its do rotary"),
    (
        ("Attention", [X, (8, 24), None, ("i4", (4,))]),
        {"num_heads": 2},
        "the mask_index has 4 elements, but there are 2 batches; other forms are not imported",
    ),
    (
        ("Attention", [X, (8, 24), None, ("i4", (2, 1, 3, 3))]),
        {"num_heads": 2},
        "a mask_index of 4 axes; 1, 2 and 3 are there",
    ),
    (("MultiHeadAttention", [X]), {"num_heads": 2}, "its input has 3 axes, but 5 are needed without keys and values"),
    (("MultiHeadAttention", [X, X]), {"num_heads": 2}, "its keys or its values are missing"),
    (
        ("MultiHeadAttention", [X, X, X, (2, 24)]),
        {"num_heads": 2},
        "the bias has 2 axes, not 1",
    ),
    (
        ("GroupQueryAttention", [X, X, X, None, None, ("i4", (2,)), ("i4", ())]),
        {"num_heads": 3, "kv_num_heads": 2},
        "3 heads of queries are no multiple of 2 heads of keys",
    ),
    (
        ("GroupQueryAttention", [X, X, X, None, None, ("i4", (2,)), ("i4", ())]),
        {"num_heads": 2, "kv_num_heads": 2, "do_rotary": 1},
        "do_rotary is set, but cos_cache or sin_cache is missing",
    ),
    (("QLinearConcat", [(), ("u1", ()), X]), {"axis": 0}, "1 inputs, which are not tensors with a scale and a zero"),
    (
        ("QLinearSoftmax", [("u1", X), (), ("u1", ()), (), ("u1", ())]),
        {"axis": 1, "raw": {"opset": 12}},
        "a softmax over the axes from 1 on; one over the last axis is there",
    ),
    (("MaxRoiPool", [(1, 2, 3), (3, 5)]), {"pooled_shape": [2, 2]}, "its input has 3 axes and its pooled_shape 2"),
    (("MaxRoiPool", [IMAGE, (3, 4)]), {"pooled_shape": [2, 2]}, "axis 1 of the list of regions has the extent 4"),
    (("CropAndResize", [IMAGE, (3, 4), ("i4", (2,)), ("i4", (2,))]), {}, "the list of batch indices has the extent 2"),
    (("CropAndResize", [IMAGE, (3, 4), ("i4", (3,)), ("i4", (3,))]), {}, "its crop_size has 3 elements, not 2"),
    (("CropAndResize", [IMAGE, (3, 4), ("i4", (3,)), ("i4", (2,))]), {"mode": "cubic"}, "'nearest', not 'cubic'"),
    (("Inverse", [(3,)]), {"domain": MICROSOFT}, "its input has 1 axes, but at least 2 are needed"),
    (("Inverse", [(3, 2)]), {"domain": MICROSOFT}, "rows and 2 columns"),
    (("CDist", [(3, 2), (3, 4)]), {}, "the rows of the first input have 2 elements, and those of the second 4"),
    (("CDist", [(3, 2), (3,)]), {}, "its inputs have 2 and 1 axes, not 2"),
    (("CDist", [(3, 2), (3, 2)]), {"metric": "cosine"}, "its metric is 'sqeuclidean' or 'euclidean', not 'cosine'"),
    (("UnfoldTensor", [(3, 2)]), {"size": 4, "dim": 0}, "a window of 4 elements is longer than the axis, which has 3"),
    (("Unique", [(3, 2)]), {"domain": MICROSOFT}, "its input has 2 axes, not 1"),
    (("MurmurHash3", [("u1", (3,))]), {}, "hashes of ui8; of 32 and 64 bits they are there"),
    (
        ("MatMulInteger16", [("i4", (2, 3)), ("i4", (4, 5))]),
        {},
        "the first operand has 3 columns, but the second has 4",
    ),
    (("GridSample", [IMAGE, (1, 3, 3, 3)]), {"domain": MICROSOFT}, "axis 3 of the grid has the extent 3, but 2"),
    (("GroupNorm", [X, (8,), (8,)]), {"groups": 2, "activation": 7}, "its activation 7; there are 0, which is none"),
    (
        ("GroupNorm", [X, (8,), (8,)]),
        {"groups": 3, "activation": 0},
        "3 groups of one size take 6 channels, but the image has 8",
    ),
    (("GroupNorm", [X, (8,), (8,)]), {"groups": 0, "activation": 0}, "0 groups of channels; at least 1 is needed"),
    (("GroupNormalization", [(2, 8, 3), (8,), (8,)]), {"num_groups": 3}, "3 groups of one size take 6 channels"),
    (("GroupNorm", [X, (7,), (8,)]), {"groups": 2, "activation": 0}, "the scale has the extent 7, but there are 8"),
    (
        ("SkipGroupNorm", [X, (8,), (8,), (2, 7)]),
        {"groups": 2, "activation": 0},
        "axis 1 of the summand has the extent 7",
    ),
    (("SkipGroupNorm", [X, (8,), (8,), X, (7,)]), {"groups": 2, "activation": 0}, "the bias has the extent 7"),
    (("BiasSplitGelu", [(2, 3, 7), (7,)]), {}, "2 parts of one size are 6 together, but axis 2 has 7"),
    (("BiasAdd", [X, (8,), (2, 3, 1)]), {}, "axis 2 of the summand has the extent 1, but 8 is needed"),
    (("BiasDropout", [X, (8,), None, None, np.array(True)]), {}, "programs are not trained"),
    (
        ("CausalConvWithState", [X, np.ones((3, 1, 2), "f4")]),
        {"domain": MICROSOFT, "dilation": 2},
        "its dilation is 2; 1",
    ),
    (("LinearAttention", [X, X, X]), {**LINEAR, "domain": MICROSOFT, "state_window": 2}, "which state_window asks for"),
    (
        ("ConvTransposeWithDynamicPads", [IMAGE, np.ones((2, 1, 2, 2), "f4"), ("i8", (3,))]),
        {},
        "3 pads are given for 2 axes",
    ),
    (("MoE", [X, (6, 4), (4, 5, 8), None, (4, 8, 5)]), {"activation_type": "relu2"}, "identity, not 'relu2'"),
    (("MoE", [X, (6, 4), (4, 5, 8), None, (4, 8, 5)]), {"activation_type": "swiglu"}, "its swiglu_fusion not 1 or 2"),
    (("MoE", [X, (6, 4), (4, 5, 8), None, (4, 8, 5)]), {"k": 5}, "its k is 5, but there are 4 experts"),
    (
        ("MoE", [X, (5, 4), (4, 5, 8), None, (4, 8, 5)]),
        {},
        "axis 0 of the router_probs has the extent 5, but 6 is needed",
    ),
    (("MoE", [X, (6, 4), (4, 5, 8), None, (4, 8, 6)]), {}, "axis 2 of the second weights has the extent 6, but 5"),
    (("MoE", [X, (6, 4), (4, 5, 8), None, (4, 8, 5)]), {"use_sparse_mixer": 1}, "use_sparse_mixer or"),
    (
        ("MatMulBnb4", [(2, 4), np.zeros(3, "u1"), np.ones(1, "f4")]),
        {"K": 4, "N": 2, "block_size": 16, "quant_type": 1},
        "3 bytes and 1 factors do not fit a weight of 2 rows and 4 columns",
    ),
    (
        ("MatMulBnb4", [(2, 4), np.zeros(4, "u1"), np.ones(1, "f4")]),
        {"K": 4, "N": 2, "block_size": 16, "quant_type": 3},
        "its quant_type is 3 and its transB 1",
    ),
    # Element types that differ, and numbers that no size is.
    (("Add", [(2, 3), numbers(1)]), {}, "its inputs have elements of f32 and i64, not of one type"),
    (("Div", [("i8", (2,)), np.ones(1, "f4")]), {}, "its inputs have elements of i64 and f32, not of one type"),
    (("Max", [(2,), (2,), ("i8", (2,))]), {}, "its inputs have elements of f32 and i64, not of one type"),
    (("Greater", [(2, 3), numbers(1)]), {}, "its inputs have elements of f32 and i64, not of one type"),
    (("Where", [np.array([True]), (2,), numbers(1)]), {}, "its inputs have elements of f32 and i64, not of one type"),
    (("Clip", [(2,), np.array(0, "i8")]), {}, "its inputs have elements of f32 and i64, not of one type"),
    (
        ("Reshape", [(2, 3), np.array([3.0, 2.0])]),
        {},
        "its input 1, 'x1', has elements of f64, but it takes integers; put a Cast in front",
    ),
    (("Reshape", [(2, 3), np.array([[3, 2]])]), {}, "its shape must have one axis"),
    (("Tile", [(2, 3), np.array([True, True])]), {}, "its input 1, 'x1', has elements of bool, but it takes"),
    (("Split", [(4,)], 2), {"num_outputs": 10**9}, "num_outputs is 1000000000, but it has 2 outputs"),
    (
        ("Conv", [IMAGE, (1, 2, 3, 3)]),
        {"strides": [0, 1]},
        "its strides or dilations are [0, 1], but each must be from 1",
    ),
    (("Conv", [IMAGE, (1, 2, 3, 3)]), {"dilations": [1, -1]}, "its strides or dilations are [1, -1], but each must"),
    (("Conv", [IMAGE, (1, 2, 3, 3)]), {"pads": [2**62] * 4}, "but each must be from -2147483647 to 2147483647"),
    (
        ("ConvTranspose", [IMAGE, (2, 1, 3, 3)]),
        {"output_padding": [-5, 0]},
        "its output_padding is [-5, 0], but each must be from 0",
    ),
    (("MaxPool", [IMAGE]), {"kernel_shape": [0, 2]}, "kernel_shape [0, 2] is a window without elements"),
    (("AveragePool", [IMAGE]), {"kernel_shape": [2, 2], "strides": [0, 1]}, "its strides or dilations are [0, 1]"),
    *(
        (("Resize", [IMAGE, None, np.array([1, 1, scale, 2], "f4")]), {}, "but must be finite numbers above 0")
        for scale in (-2, 0, np.nan, np.inf)
    ),
    (("Conv", [IMAGE]), {"domain": "com.microsoft.nchwc"}, "save it with the optimization level ORT_ENABLE_EXTENDED"),
    (
        ("MatMulNBits", [(2, 4), numbers(1, kind="u1"), (1,)]),
        {"K": 4, "N": 1, "bits": 3, "block_size": 16},
        "weights of 3 bits; 2, 4 and 8 are there",
    ),
    (
        ("MatMulNBits", [(2, 4), ("u1", (1, 1, 8)), (1,)]),
        {"K": 4, "N": 1, "block_size": 16},
        "its weight must be a constant",
    ),
]
OWN = (
    "FusedGemm", "FusedMatMul", "SkipLayerNormalization", "MultiHeadAttention", "GroupQueryAttention", "QLinearConcat",
    "QLinearSoftmax", "MatMulNBits", "CropAndResize", "CDist", "UnfoldTensor", "MurmurHash3", "MatMulInteger16",
    "GroupNorm", "SkipGroupNorm", "BiasSplitGelu", "BiasAdd", "BiasDropout", "ConvTransposeWithDynamicPads",
    "MoE", "MatMulBnb4",
)  # fmt: skip


@pytest.mark.parametrize(
    "given, attributes, message", REFUSED, ids=[f"{row[0][0]}-{at}" for at, row in enumerate(REFUSED)]
)
def test_refused(given, attributes, message):
    operation, inputs, *outputs = given
    attributes = dict(attributes)
    if operation in OWN or "num_heads" in attributes:
        attributes["domain"] = MICROSOFT
    more = attributes.pop("raw", {})
    model = build(operation, inputs, *outputs, **attributes)
    model.graph.node[0].attribute.extend(helper.make_attribute(name, value) for name, value in more.items())
    with pytest.raises((bl.UnsupportedOperations, bl.ShapeError), match=re.escape(message)) as caught:
        bl.from_onnx(model)
    assert operation in str(caught.value)


@pytest.mark.parametrize("step", [-(2**63), -(2**62), 2**63 - 1])
def test_steps_that_leave_any_axis(step):
    x = np.arange(5, dtype="f4")
    first, last = (4, -(2**63)) if step < 0 else (0, 2**63 - 1)
    f = bl.from_onnx(build("Slice", [("f4", ("n",)), *map(numbers, (first, last, 0, step))]))
    assert f(x).tolist() == [x[first]]


def test_a_condition_is_of_bool():
    z = helper.make_tensor_value_info("z", TensorProto.FLOAT, None)
    branch = helper.make_graph([helper.make_node("Relu", ["x"], ["z"])], "branch", [], [z])
    x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, [1]) for name in "xy")
    node = helper.make_node("If", ["x"], ["y"], then_branch=branch, else_branch=branch)
    model = helper.make_model(helper.make_graph([node], "graph", [x], [y]))
    with pytest.raises(
        bl.UnsupportedOperations, match=r"If: .*'x', has elements of f32, but it takes bool; put a Cast in front"
    ):
        bl.from_onnx(model)


def test_functions_that_call_functions_twice(monkeypatch):
    """Each of 40 functions calls the next one twice: 2 to the power of 40 nodes."""
    from broadloom.onnx import _importer

    monkeypatch.setattr(_importer, "_MOST_CALLS", 500)
    opsets = [helper.make_opsetid("", 21), helper.make_opsetid("own", 1)]
    call = lambda at, a, b: helper.make_node(f"F{at}", [a], [b], domain="own")
    bodies = [[call(at + 1, "a", "t"), call(at + 1, "t", "b")] for at in range(40)]
    bodies.append([helper.make_node("Relu", ["a"], ["b"])])
    functions = [helper.make_function("own", f"F{at}", ["a"], ["b"], body, opsets) for at, body in enumerate(bodies)]
    x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, [1]) for name in "xy")
    model = helper.make_model(
        helper.make_graph([call(0, "x", "y")], "graph", [x], [y]), opset_imports=opsets, functions=functions
    )
    with pytest.raises(bl.UnsupportedOperations, match="nodes call functions of the model more than 500 times"):
        bl.from_onnx(model)


def test_elements_that_are_given_twice():
    model = build("Add", [(2,), np.ones(2, "f4")])
    model.graph.initializer[0].float_data.extend([1.0, 2.0])
    with pytest.raises(bl.CompileError, match="the initializer 'x1': its elements are given twice, in raw_data and in"):
        bl.from_onnx(model)


def test_a_cache_that_is_full():
    size, name = 16, "GroupQueryAttention"
    inputs = [(1, 1, 2 * size)] + [(1, 1, size)] * 2 + [(1, 1, "rows", size)] * 2 + [("i4", (1,)), ("i4", ())]
    f = bl.from_onnx(build(name, inputs, 3, domain=MICROSOFT, num_heads=2, kv_num_heads=1))
    x, cache = [np.ones(shape, "f4") for shape in inputs[:3]], [np.ones((1, 1, 4, size), "f4")] * 2
    f(*x, *cache, np.array([3], "i4"), np.array(4, "i4"))
    with pytest.raises(bl.ShapeError, match="5 rows are needed, but the past_key has 4"):
        f(*x, *cache, np.array([4], "i4"), np.array(4, "i4"))
    with pytest.raises(bl.ShapeError, match="a batch has 7 rows already, but the past_key has 4"):
        f(*x, *cache, np.array([7], "i4"), np.array(9, "i4"))


def test_optional_values_without_an_element():
    kind = helper.make_optional_type_proto(helper.make_tensor_type_proto(TensorProto.FLOAT, [2]))

    def compile_node(operation, **options):
        made = helper.make_tensor_value_info("y", TensorProto.FLOAT, [2])
        graph = helper.make_graph(
            [helper.make_node(operation, ["x"], ["y"])], "graph", [helper.make_value_info("x", kind)], [made]
        )
        return bl.from_onnx(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)]), **options)

    assert compile_node("OptionalGetElement")(np.array([1, 2], "f4")).tolist() == [1, 2]
    with pytest.raises(bl.UnsupportedOperations, match="the optional value has no element"):
        compile_node("OptionalGetElement", constants={"x": None})
    with pytest.raises(bl.UnsupportedOperations, match="its input 0 is an optional value without an element"):
        compile_node("Relu", constants={"x": None})
