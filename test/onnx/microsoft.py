"""Cases of operators of ONNX Runtime, which no node test has: what they give is ONNX Runtime's."""

import dataclasses

import nodes
import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

MICROSOFT = "com.microsoft"
KINDS = {"f4": TensorProto.FLOAT, "u1": TensorProto.UINT8, "i1": TensorProto.INT8, "i4": TensorProto.INT32}
KINDS |= {"i8": TensorProto.INT64, "b1": TensorProto.BOOL, "f2": TensorProto.FLOAT16, "i2": TensorProto.INT16}
KINDS |= {"f8": TensorProto.DOUBLE}


@dataclasses.dataclass
class Weight:
    """An input that is a constant of the model."""

    array: np.ndarray


def kind_of(array):
    return KINDS[array.dtype.str.lstrip("<|=")]


def make(name, operation, inputs, outputs=1, rtol=1e-3, atol=1e-4, domain=MICROSOFT, **attributes):
    """A model of one node: its inputs are arrays, weights, and None for what is left out."""
    names = ["" if given is None else f"x{at}" for at, given in enumerate(inputs)]
    node = helper.make_node(operation, names, [f"y{at}" for at in range(outputs)], domain=domain, **attributes)
    given = [(n, x) for n, x in zip(names, inputs) if isinstance(x, np.ndarray)]
    weights = [numpy_helper.from_array(x.array, n) for n, x in zip(names, inputs) if isinstance(x, Weight)]
    graph = helper.make_graph(
        [node],
        name,
        [helper.make_tensor_value_info(n, kind_of(x), [None] * x.ndim) for n, x in given],
        [helper.make_tensor_value_info(y, TensorProto.UNDEFINED, None) for y in node.output],
        weights,
    )
    for value in graph.output:
        value.ClearField("type")
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid(MICROSOFT, 1)]
    model = helper.make_model(graph, opset_imports=opsets, ir_version=10)
    return nodes.Case(f"microsoft_{name}", model, [x for _, x in given], [], rtol, atol)


random = np.random.default_rng(0)


def open_runtime(data, level=None):
    """What ONNX Runtime makes of a model: a function of the inputs by their names. `level` is how far it optimises."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    if level is not None:
        options.graph_optimization_level = level
    session = onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
    (node, *rest) = onnx.load_from_string(data).graph.node
    if not rest and node.op_type == "SparseAttention":
        shared = dict(zip(node.output[1:3], node.input[3:5]))
        return lambda given: run_in_place(session, given, shared)
    return lambda given: session.run(None, given)


def run_in_place(session, given, shared):
    """Runs a session whose outputs `shared` are the memory of inputs, which ONNX Runtime asks of caches."""
    import onnxruntime

    values = {name: onnxruntime.OrtValue.ortvalue_from_numpy(array.copy()) for name, array in given.items()}
    binding = session.io_binding()
    for name, value in values.items():
        binding.bind_ortvalue_input(name, value)
    for output in session.get_outputs():
        if output.name in shared:
            binding.bind_ortvalue_output(output.name, values[shared[output.name]])
        else:
            binding.bind_output(output.name)
    session.run_with_iobinding(binding)
    return binding.copy_outputs_to_cpu()


def floats(*shape, scale=1.0):
    return (random.standard_normal(shape) * scale).astype("f4")


def whole(low, high, *shape, kind="i8"):
    return random.integers(low, high, shape).astype(kind)


def number(value, kind="f4"):
    return np.array(value, kind)


def signed(*shape):
    """Signed weights for unsigned numbers. ONNX Runtime's kernels for AVX2 saturate sums of two products to 16 bits, which
    other processors do not; with these weights no such sum leaves 16 bits (2 x 255 x 64 < 2^15)."""
    return whole(-64, 65, *shape, kind="i1")


#: A scale and a zero point of ui8.
SCALES = (number(0.02), number(120, "u1"))


def fused():
    x = floats(2, 3, 8)
    for name in ("Gelu", "QuickGelu", "FastGelu"):
        yield make(name, name, [x])
    yield make("FastGelu_bias", "FastGelu", [x, floats(8)])
    yield make("BiasGelu", "BiasGelu", [x, floats(8)])
    yield make("FusedMatMul", "FusedMatMul", [floats(2, 3, 4), floats(2, 4, 5)], alpha=0.5)
    yield make("FusedMatMul_turned", "FusedMatMul", [floats(2, 4, 3), floats(2, 5, 4)], transA=1, transB=1)
    yield make("FusedMatMul_batches", "FusedMatMul", [floats(3, 2, 4), floats(4, 2, 5)], transBatchA=1, transBatchB=1)
    yield make("TransposeMatMul", "TransposeMatMul", [floats(2, 4, 3), floats(2, 4, 5)], transA=1)
    yield make("FusedGemm", "FusedGemm", [floats(3, 4), floats(4, 5), floats(5)], activation="Relu")
    yield make(
        "FusedGemm_leaky",
        "FusedGemm",
        [floats(4, 3), floats(5, 4), floats(5)],
        activation="LeakyRelu",
        activation_alpha=0.3,
        transA=1,
        transB=1,
        alpha=0.5,
    )
    w, b = Weight(floats(4, 3, 3, 3)), Weight(floats(4))
    yield make("FusedConv", "FusedConv", [floats(2, 3, 6, 7), w, b], activation="Relu", pads=[1, 1, 1, 1])
    yield make(
        "FusedConv_sum",
        "FusedConv",
        [floats(2, 3, 6, 7), w, b, floats(2, 4, 6, 7)],
        activation="Clip",
        activation_params=[-1.0, 1.0],
        pads=[1, 1, 1, 1],
    )
    yield make("NhwcFusedConv", "NhwcFusedConv", [floats(2, 6, 7, 3), w, b], activation="Relu")
    yield make("NhwcMaxPool", "NhwcMaxPool", [whole(0, 255, 2, 6, 7, 3, kind="u1")], kernel_shape=[2, 3])
    yield make("Trilu", "Trilu", [floats(3, 4)], upper=0)
    yield make("GatherND", "GatherND", [floats(3, 4), whole(0, 3, 2, 1)])
    yield make("QuantizeLinear", "QuantizeLinear", [floats(3, 4), *SCALES])
    yield make("DequantizeLinear", "DequantizeLinear", [whole(0, 255, 3, 4, kind="u1"), *SCALES])


def norms():
    x = floats(2, 3, 8)
    for outputs in (1, 4):
        yield make(f"SkipLayerNormalization_{outputs}", "SkipLayerNormalization", [x, x[::-1].copy(), floats(8), floats(8), floats(8)][: 4 if outputs == 1 else 5], outputs)  # fmt: skip
    yield make("SkipSimplified", "SkipSimplifiedLayerNormalization", [x, x[::-1].copy(), floats(8)])
    yield make("Simplified", "SimplifiedLayerNormalization", [x, floats(8)], domain="")
    ids, segments = whole(0, 9, 2, 3, kind="i4"), whole(0, 2, 2, 3, kind="i4")
    tables = [Weight(floats(*shape)) for shape in ((9, 8), (5, 8), (2, 8), (8,), (8,))]
    yield make("EmbedLayerNormalization", "EmbedLayerNormalization", [ids, segments, *tables], 2)
    mask = np.array([[1, 1, 0], [1, 1, 1]], "i4")
    yield make("EmbedLayerNormalization_mask", "EmbedLayerNormalization", [ids, segments, *tables, mask], 3)
    no_segments = [ids, None, *tables[:2], None, *tables[3:]]
    yield make("EmbedLayerNormalization_words", "EmbedLayerNormalization", no_segments, 2)


def quantized():
    x, y = (whole(0, 255, 2, 3, 5, kind="u1") for _ in range(2))
    # One step of the result is another rounding of a half.
    options = {"atol": 1.01, "rtol": 0}
    sides = [x, number(0.01), number(100, "u1"), y, number(0.03), number(90, "u1")]
    for name in ("QLinearAdd", "QLinearMul"):
        yield make(name, name, [*sides, *SCALES], **options)
    for name in ("QLinearSigmoid", "QLinearLeakyRelu"):
        yield make(name, name, [*sides[:3], *SCALES], **options)
    yield make("QLinearWhere", "QLinearWhere", [x > 100, *sides, *SCALES], **options)
    yield make("QLinearConcat", "QLinearConcat", [*SCALES, *sides], axis=1, **options)
    yield make("QLinearSoftmax", "QLinearSoftmax", [*sides[:3], number(1 / 256), number(0, "u1")], opset=13, axis=-1, **options)  # fmt: skip
    image = [whole(0, 255, 2, 3, 6, 7, kind="u1"), number(0.01), number(100, "u1"), *SCALES]
    yield make("QLinearAveragePool", "QLinearAveragePool", image, kernel_shape=[2, 3], strides=[2, 2], **options)
    yield make("QLinearAveragePool_pads", "QLinearAveragePool", image, kernel_shape=[3, 3], pads=[1, 1, 1, 1], **options)  # fmt: skip
    yield make("QLinearGlobalAveragePool", "QLinearGlobalAveragePool", image, **options)
    yield make("QLinearGlobalAveragePool_last", "QLinearGlobalAveragePool", image, channels_last=1, **options)
    a, b = whole(0, 255, 3, 4, kind="u1"), signed(4, 5)
    bias = floats(5)
    yield make("MatMulIntegerToFloat", "MatMulIntegerToFloat", [a, b, number(0.1), number(0.02), number(7, "u1"), number(3, "i1"), bias])  # fmt: skip
    yield make("MatMulIntegerToFloat_columns", "MatMulIntegerToFloat", [a, b, number(0.1), np.abs(floats(5)), number(7, "u1")])  # fmt: skip
    yield make("DynamicQuantizeMatMul", "DynamicQuantizeMatMul", [floats(3, 4), b, number(0.02), number(3, "i1"), bias])
    yield make("QGemm", "QGemm", [a, number(0.1), number(7, "u1"), b, number(0.02), number(3, "i1"), None, number(0.5), number(100, "u1")], **options)  # fmt: skip
    yield make("QGemm_floats", "QGemm", [a, number(0.1), number(7, "u1"), b, number(0.02), number(3, "i1"), whole(-99, 99, 5, kind="i4")])  # fmt: skip
    for bits in (4, 8):
        size = -(-40 // 16)
        packed = whole(0, 256, 6, size, 16 * bits // 8, kind="u1")
        points = whole(0, 256, 6 * -(-size * bits // 8), kind="u1")
        common = {"K": 40, "N": 6, "bits": bits, "block_size": 16}
        given = [floats(2, 3, 40), Weight(packed), Weight(floats(6 * size, scale=0.1))]
        yield make(f"MatMulNBits_{bits}", "MatMulNBits", given, **common)
        yield make(f"MatMulNBits_{bits}_points", "MatMulNBits", [*given, Weight(points), None, Weight(floats(6))], **common)  # fmt: skip
    steps, batch, inputs, hidden = 3, 2, 4, 5
    weights = [Weight(signed(1, n, 4 * hidden)) for n in (inputs, hidden)]
    scales = [Weight(np.array([0.01], "f4")), Weight(np.array([0], "i1"))] * 2
    yield make(
        "DynamicQuantizeLSTM",
        "DynamicQuantizeLSTM",
        [floats(steps, batch, inputs), *weights, Weight(floats(1, 8 * hidden)), *[None] * 4, *scales],
        3,
        atol=0.02,
        hidden_size=hidden,
    )

    table, places = whole(0, 256, 9, 16, kind="u1"), whole(0, 9, 2, 3)
    common = {"bits": 4, "block_size": 16, "gather_axis": 0, "quantize_axis": 1}
    given = [Weight(table), places, Weight(floats(9, 2))]
    yield make("GatherBlockQuantized", "GatherBlockQuantized", given, **common)
    given.append(Weight(whole(0, 256, 9, 1, kind="u1")))
    yield make("GatherBlockQuantized_points", "GatherBlockQuantized", given, **common)


def attention():
    batch, length, heads, size = 2, 3, 2, 4
    hidden = heads * size
    x, w, b = floats(batch, length, hidden), floats(hidden, 3 * hidden, scale=0.3), floats(3 * hidden)
    yield make("Attention", "Attention", [x, w, b], num_heads=heads)
    yield make("Attention_causal", "Attention", [x, w, b], num_heads=heads, unidirectional=1)
    yield make("Attention_mask", "Attention", [x, w, b, np.array([[1, 1, 0], [1, 1, 1]], "i4")], num_heads=heads)
    yield make("Attention_lengths", "Attention", [x, w, b, np.array([2, 3], "i4")], num_heads=heads)
    past = floats(2, batch, heads, 2, size)
    yield make("Attention_past", "Attention", [x, w, b, None, past], 2, num_heads=heads, unidirectional=1)
    yield make("Attention_bias", "Attention", [x, w, b, None, None, floats(batch, heads, length, length)], num_heads=heads)  # fmt: skip
    quantized = [whole(0, 255, *x.shape, kind="u1"), signed(*w.shape), b]
    quantized += [number(0.01), number(0.02), None, number(120, "u1"), number(0, "i1")]
    yield make("QAttention", "QAttention", quantized, num_heads=heads)
    quantized[5] = np.array([2, 3], "i4")
    yield make("QAttention_lengths", "QAttention", [*quantized, past], 2, num_heads=heads, unidirectional=1)
    q, k, v = floats(batch, 4, hidden), floats(batch, 5, hidden), floats(batch, 5, hidden)
    yield make("MultiHeadAttention", "MultiHeadAttention", [q, k, v], num_heads=heads)
    yield make("MultiHeadAttention_bias", "MultiHeadAttention", [q, k, v, b], num_heads=heads, scale=0.7)
    mask = np.array([[1, 1, 1, 0, 0], [1, 1, 1, 1, 1]], "i4")
    yield make("MultiHeadAttention_mask", "MultiHeadAttention", [q, k, v, None, mask], num_heads=heads)
    pasts = [floats(batch, heads, 2, size) for _ in range(2)]
    yield make("MultiHeadAttention_past", "MultiHeadAttention", [q, q[::-1].copy(), q * 2, None, None, None, *pasts], 3, num_heads=heads)  # fmt: skip
    yield from grouped_attention(batch, length)
    x, places = floats(batch, length, 16), whole(0, 9, batch, length)
    angles = np.outer(np.arange(16), 1 / 10 ** np.arange(4)).astype("f4")
    tables = [Weight(np.cos(angles)), Weight(np.sin(angles))]
    yield make("RotaryEmbedding", "RotaryEmbedding", [x, places, *tables])
    yield make("RotaryEmbedding_offset", "RotaryEmbedding", [x, np.array([3], "i8"), *tables], interleaved=1)
    yield make("RotaryEmbedding_heads", "RotaryEmbedding", [floats(batch, 2, length, 8), places, *tables])


def grouped_attention(batch, length, heads=4, groups=2, size=16):
    name = "GroupQueryAttention"
    common = {"num_heads": heads, "kv_num_heads": groups}
    q, k, v = (floats(batch, length, n * size) for n in (heads, groups, groups))
    angles = np.outer(np.arange(16), 1 / 10 ** np.arange(size // 2)).astype("f4")
    tables = [Weight(np.cos(angles)), Weight(np.sin(angles))]
    none = [np.zeros((batch, groups, 0, size), "f4")] * 2
    counts = [np.array([length - 1] * batch, "i4"), np.array(length, "i4")]
    forms = {"": {}, "_window": {"local_window_size": 2}, "_cap": {"softcap": 2.0}, "_smooth": {"smooth_softmax": 1}}
    for ending, more in forms.items():
        yield make(f"{name}{ending}", name, [q, k, v, *none, *counts], 3, **common, **more)
    common["do_rotary"] = 1
    yield make(f"{name}_rotary", name, [q, k, v, *none, *counts, *tables], 3, **common)
    packed = [np.concatenate([q, k, v], 2), None, None, *none, *counts, *tables]
    yield make(f"{name}_packed", name, packed, 3, rotary_interleaved=1, **common)
    caches = [floats(batch, groups, 5, size) for _ in range(2)]
    counts = [np.array([5, 5], "i4"), np.array(6, "i4")]
    yield make(f"{name}_step", name, [*(x[:, :1].copy() for x in (q, k, v)), *caches, *counts, *tables], 3, **common)


def forms():
    square = floats(2, 3, 3) + 4 * np.eye(3, dtype="f4")
    yield make("Inverse", "Inverse", [square])
    for metric in ("sqeuclidean", "euclidean"):
        yield make(f"CDist_{metric}", "CDist", [floats(3, 4), floats(5, 4)], metric=metric)
    yield make("ExpandDims", "ExpandDims", [floats(2, 3), Weight(number(-1, "i4"))])
    yield make("Range", "Range", [number(2, "i8"), number(7, "i8")])
    yield make("Range_delta", "Range", [number(2.0), number(7.0), number(1.5)])
    yield make("Pad", "Pad", [floats(2, 3), np.array([0, 1, 2, 0]), number(5.0)])
    yield make("Unique", "Unique", [np.array([2, 1, 1, 3, 4, 3], "f4")], 3)
    yield make("UnfoldTensor", "UnfoldTensor", [floats(2, 7)], size=3, step=2)
    for x in (whole(-99, 99, 2, 3, kind="i4"), whole(-(2**40), 2**40, 5), floats(3), floats(3).astype("f8")):
        for positive in (0, 1):
            name = f"MurmurHash3_{x.dtype}_{positive}"
            yield make(name, "MurmurHash3", [x], rtol=0, atol=0, positive=positive, seed=7 * positive)
    matrices = [whole(-99, 99, 2, 3, 40, kind="i2"), whole(-99, 99, 40, 5, kind="i2")]
    yield make("MatMulInteger16", "MatMulInteger16", matrices, rtol=0, atol=0)
    signal = [floats(2, 40), Weight(number(4, "i8")), Weight(np.hanning(16).astype("f4")), Weight(number(16, "i8"))]
    yield make("STFT_without_parts", "STFT", signal, domain="")
    heads = [floats(2, 3, 8), floats(2, 3, 8), floats(2, 3, 8)]
    yield make("LinearAttention", "LinearAttention", heads, 2, q_num_heads=2, kv_num_heads=2, update_rule="linear")
    state = [floats(2, 3, 5), Weight(floats(3, 1, 4)), Weight(floats(3)), floats(2, 3, 3)]
    yield make("CausalConvWithState", "CausalConvWithState", state, 2, activation="silu")


def experts():
    for kind in ("relu", "gelu", "silu", "identity", "swiglu"):
        for k, is_normal in ((1, 0), (2, 0), (2, 1)):
            inner = 12 if kind == "swiglu" else 6
            inputs = [
                floats(2, 5, 8),
                floats(10, 4),
                floats(4, inner, 8),
                floats(4, inner),
                floats(4, 8, 6),
                floats(4, 8),
            ]
            options = {"swiglu_fusion": 1, "swiglu_limit": 7.0, "activation_alpha": 1.702, "activation_beta": 1.0}
            options = {"activation_type": kind, "k": k, "normalize_routing_weights": is_normal} | (
                options if kind == "swiglu" else {}
            )
            yield make(f"MoE_{kind}_{k}_{is_normal}", "MoE", inputs, **options)
    yield from quantized_experts()
    packed = whole(0, 256, 6 * 40 // 2, kind="u1")
    for quant_type in (0, 1):
        given = [floats(2, 3, 40), Weight(packed), Weight(np.abs(floats(15)))]
        yield make(f"MatMulBnb4_{quant_type}", "MatMulBnb4", given, K=40, N=6, block_size=16, quant_type=quant_type)
    ids, segments = whole(0, 9, 2, 3, kind="i4"), whole(0, 2, 2, 3, kind="i4")
    tables = [Weight(whole(0, 255, *shape, kind="u1")) for shape in ((9, 8), (5, 8), (2, 8), (8,), (8,))]
    scales = [Weight(number(n)) for n in (0.02, 0.03, 0.01, 0.05, 0.04)]
    points = [Weight(number(n, "u1")) for n in (120, 130, 99, 7, 128)]
    mask = np.array([[1, 1, 0], [1, 1, 1]], "i4")
    yield make(
        "QEmbedLayerNormalization", "QEmbedLayerNormalization", [ids, segments, *tables, mask, *scales, *points], 2
    )


def quantized_experts():
    experts, width, inner = 3, 32, 16
    byte = lambda *shape: Weight(whole(0, 256, *shape, kind="u1"))
    scales = lambda *shape: Weight(np.abs(floats(*shape)) * 0.02)
    for bits, block, kind, has_points, k in (
        # ONNX Runtime rounds activations to 8 bits for blocks of such weights.
        (4, 0, "silu", False, 2), (8, 0, "relu", False, 1), (4, 16, "swiglu", True, 2), (4, 16, "gelu", False, 1),
    ):  # fmt: skip
        rows = inner * 2 if kind == "swiglu" else inner
        blocks = lambda n: (n // block,) if block else ()
        packed = lambda n, bits=bits: n * bits // 8
        inputs = [
            floats(2, 3, width),
            floats(6, experts),
            byte(experts, rows, packed(width)),
            scales(experts, rows, *blocks(width)),
            Weight(floats(experts, rows)),
            byte(experts, width, packed(inner)),
            scales(experts, width, *blocks(inner)),
            Weight(floats(experts, width)),
        ]
        if has_points:
            inputs += [None] * 3 + [byte(experts, rows, 1), byte(experts, width, 1)]
        options = {"activation_type": kind, "k": k, "expert_weight_bits": bits, "normalize_routing_weights": 1}
        options |= {"block_size": block} if block else {}
        options |= {"swiglu_fusion": 1, "activation_alpha": 1.702, "activation_beta": 1.0} if kind == "swiglu" else {}
        yield make(f"QMoE_{bits}_{block}_{kind}", "QMoE", inputs, **options)
        if k == 2 and not block:
            weights = [*inputs, *[None] * 6, np.abs(floats(6, experts)) + 0.1]
            yield make("QMoE_router_weights", "QMoE", weights, **options)


def sparse_attention():
    heads, groups, size, block = 4, 2, 16, 16
    rows = Weight(np.array([[0, 1, 3, 5, 8], [0, 1, 3, 6, 9]], "i4"))
    columns = Weight(np.array([[0, 0, 1, 1, 2, 1, 2, 3, -1], [0, 0, 1, 0, 1, 2, 0, 2, 3]], "i4"))
    angles = np.outer(np.arange(64), 1 / 10 ** np.arange(size // 2)).astype("f4")
    tables = [Weight(np.cos(angles)), Weight(np.sin(angles))]
    common = {"num_heads": heads, "kv_num_heads": groups, "sparse_block_size": block, "scale": 0.3}
    for name, length, totals, more in (
        ("prompt", 40, [40, 40], {}),
        ("rotary", 40, [40, 40], {"do_rotary": 1}),
        ("step", 1, [50, 50], {"do_rotary": 1, "rotary_interleaved": 1}),
        ("packed", 20, [20, 20], {}),
    ):
        q, k, v = (floats(2, length, n * size) for n in (heads, groups, groups))
        caches = [
            floats(2, groups, 64, size) if length == 1 else np.zeros((2, groups, 64, size), "f4") for _ in range(2)
        ]
        given = [np.concatenate([q, k, v], 2), None, None] if name == "packed" else [q, k, v]
        given += [*caches, rows, columns, np.array(max(totals), "i4"), np.array(totals, "i4")]
        given += tables if more else []
        yield make(f"SparseAttention_{name}", "SparseAttention", given, 3, **common, **more)


def images():
    grid = random.uniform(-1.2, 1.2, (2, 3, 4, 2)).astype("f4")
    for mode in ("bilinear", "nearest", "bicubic"):
        yield make(f"GridSample_{mode}", "GridSample", [floats(2, 3, 5, 6), grid], mode=mode, padding_mode="border")
    for channels_last in (0, 1):
        x = whole(0, 255, *((2, 6, 7, 3) if channels_last else (2, 3, 6, 7)), kind="u1")
        sides = [x, number(0.01), number(100, "u1"), Weight(signed(4, 3, 3, 3))]
        sides += [Weight(number(0.02)), Weight(number(0, "i1")), *SCALES, Weight(whole(-99, 99, 4, kind="i4"))]
        options = {"rtol": 0, "atol": 1.01, "pads": [1, 1, 1, 1], "strides": [2, 1]}
        yield make(f"QLinearConv_{channels_last}", "QLinearConv", sides, channels_last=channels_last, **options)
    x, w = floats(1, 2, 4, 5), Weight(floats(2, 3, 3, 3))
    for pads in (Weight(np.array([1, 0, 1, 1])), np.array([1, 0, 0, 1])):
        name = f"ConvTransposeWithDynamicPads_{type(pads).__name__}"
        yield make(name, "ConvTransposeWithDynamicPads", [x, w, pads], strides=[2, 2])
    boxes = np.array([[0.1, 0.2, 0.8, 0.7], [0, 0, 1, 1], [0.5, -0.2, 0.3, 1.3]], "f4")
    given = [floats(2, 3, 6, 5), boxes, np.array([0, 1, 1], "i4")]
    for mode, size in (("bilinear", (3, 4)), ("nearest", (2, 3)), ("bilinear", (1, 2))):
        name = f"CropAndResize_{mode}_{size[0]}"
        yield make(name, "CropAndResize", [*given, np.array(size, "i4")], mode=mode, extrapolation_value=9.0)
    rois = np.array([[0, 1, 1, 4, 3], [1, 0, 0, 9, 9], [1, 3, 2, 2, 1], [0, -3, -3, -2, -2]], "f4")
    pool = {"domain": "", "pooled_shape": [3, 2]}
    yield make("MaxRoiPool", "MaxRoiPool", [floats(2, 3, 6, 5), rois], **pool)
    yield make(
        "MaxRoiPool_scale",
        "MaxRoiPool",
        [floats(2, 3, 12, 9), (rois * [1, 3, 3, 3, 3]).astype("f4")],
        spatial_scale=0.7,
        **pool,
    )


CASES = [*fused(), *norms(), *quantized(), *attention(), *forms(), *experts(), *sparse_attention(), *images()]
