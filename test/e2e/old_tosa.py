"""Programs in TOSA's older forms, and what they compute with NumPy."""

import re

import numpy as np
from old_tosa_references import conv, depthwise, pool, rescale, transposed

RNG = np.random.default_rng(23)


def floats(*shape):
    return RNG.uniform(-2, 2, shape).astype(np.float32)


def integers(kind, *shape, low=-100, high=100):
    return RNG.integers(low, high, shape).astype(kind)


A, B = floats(2, 3), floats(2, 3)
INTEGERS, POSITIVE = integers(np.int32, 2, 3), integers(np.int32, 2, 3, low=1)
BYTES = integers(np.int8, 2, 3)
IMAGE, WEIGHT, BIAS = floats(1, 6, 6, 2), floats(4, 3, 3, 2), floats(4)
DEPTHWISE = floats(3, 3, 2, 2)


CONV = "dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>"
TYPES = {"float32": "f32", "int32": "i32", "int8": "i8", "bool": "i1", "int16": "i16", "uint8": "ui8", "float16": "f16"}

# name: (body, arguments, result). `{0}` is the type of argument 0, `{r}` that of the result.
CASES = {
    "div": (
        '%r = "tosa.div"(%0, %1) : ({0}, {1}) -> {r}',
        [INTEGERS, POSITIVE],
        np.trunc(INTEGERS / POSITIVE).astype(np.int32),
    ),
    "int_div": (
        "%r = tosa.int_div %0, %1 : ({0}, {1}) -> {r}",
        [INTEGERS, POSITIVE],
        np.trunc(INTEGERS / POSITIVE).astype(np.int32),
    ),
    "mul": ('%r = "tosa.mul"(%0, %1) {{shift = 0 : i32}} : ({0}, {1}) -> {r}', [A, B], A * B),
    "mul with a shift": (
        "%r = tosa.mul %0, %1 {{shift = 2 : i8}} : ({0}, {1}) -> {r}",
        [INTEGERS, POSITIVE],
        (INTEGERS.astype(np.int64) * POSITIVE + 2 >> 2).astype(np.int32),
    ),
    "mul in properties": ('%r = "tosa.mul"(%0, %1) <{{shift = 0 : i8}}> : ({0}, {1}) -> {r}', [A, B], A * B),
    "mul without a shift": ("%r = tosa.mul %0, %1 : ({0}, {1}) -> {r}", [A, B], A * B),
    "negate": ('%r = "tosa.negate"(%0) : ({0}) -> {r}', [A], -A),
    "negate with zero points": (
        "%r = tosa.negate %0 {{quantization_info = #tosa.unary_quant<input_zp = 3, output_zp = -2>}} : ({0}) -> {r}",
        [BYTES],
        np.clip(-(BYTES.astype(int) - 3) - 2, -128, 127).astype(np.int8),
    ),
    "negate with zero points as numbers": (
        "%r = tosa.negate %0 {{input1_zp = 3 : i32, output_zp = -2 : i32}} : ({0}) -> {r}",
        [BYTES],
        np.clip(-(BYTES.astype(int) - 3) - 2, -128, 127).astype(np.int8),
    ),
    "clamp of floats": (
        (
            '%r = "tosa.clamp"(%0) {{max_fp = 1.0 : f32, max_int = 7 : i64, min_fp = -0.5 : f32, min_int = 0 : i64}}'
            " : ({0}) -> {r}"
        ),
        [A],
        np.clip(A, -0.5, 1),
    ),
    "clamp of integers": (
        (
            "%r = tosa.clamp %0 {{max_fp = 1.0 : f32, max_int = 2147483647 : i64, min_fp = 0.0 : f32, min_int = -7 : i64}}"
            " : ({0}) -> {r}"
        ),
        [BYTES],
        np.maximum(BYTES, -7),
    ),
    "clamp with an enumerator": (
        '%r = tosa.clamp %0 {{max_val = 1.0 : f32, min_val = 0.0 : f32, nan_mode = "IGNORE"}} : ({0}) -> {r}',
        [np.array([np.nan, 5], np.float32)],
        np.array([0, 1], np.float32),
    ),
    "const": (
        (
            '%c = "tosa.const"() {{value = dense<[1.0, 2.0, 3.0]> : tensor<3xf32>}} : () -> tensor<3xf32>\n'
            '%r = "tosa.add"(%0, %c) : ({0}, tensor<3xf32>) -> {r}'
        ),
        [A],
        A + np.float32([1, 2, 3]),
    ),
    "const of rank 0": (
        (
            '%c = "tosa.const"() <{{value = dense<2.0> : tensor<f32>}}> : () -> tensor<f32>\n'
            "%r = tosa.sub %0, %c : ({0}, tensor<f32>) -> {r}"
        ),
        [A],
        A - np.float32(2),
    ),
    "const of bytes of i1": (
        (
            '%c = "tosa.const"() <{{values = dense<"0x010001"> : tensor<3xi1>}}> : () -> tensor<3xi1>\n'
            "%r = tosa.select %c, %0, %1 : (tensor<3xi1>, {0}, {1}) -> {r}"
        ),
        [A, B],
        np.where([True, False, True], A, B),
    ),
    "reshape": ('%r = "tosa.reshape"(%0) {{new_shape = array<i64: 3, -1>}} : ({0}) -> {r}', [A], A.reshape(3, 2)),
    "reshape to an open extent": (
        "%r = tosa.reshape %0 {{new_shape = array<i64: 3, -9223372036854775808>}} : ({0}) -> {r}",
        [A],
        A.reshape(3, 2),
    ),
    "reshape in a list": ('%r = "tosa.reshape"(%0) {{new_shape = [6]}} : ({0}) -> {r}', [A], A.reshape(6)),
    "tile": ("%r = tosa.tile %0 {{multiples = array<i64: 2, 1>}} : ({0}) -> {r}", [A], np.tile(A, (2, 1))),
    "slice": (
        '%r = "tosa.slice"(%0) {{start = array<i64: 1, 0>, size = array<i64: 1, 2>}} : ({0}) -> {r}',
        [A],
        A[1:2, :2],
    ),
    "transpose": (
        (
            '%p = "tosa.const"() {{value = dense<[1, 0]> : tensor<2xi32>}} : () -> tensor<2xi32>\n'
            '%r = "tosa.transpose"(%0, %p) : ({0}, tensor<2xi32>) -> {r}'
        ),
        [A],
        A.T,
    ),
    "transpose of i64": (
        "%p = arith.constant dense<[1, 0]> : tensor<2xi64>\n%r = tosa.transpose %0, %p : ({0}, tensor<2xi64>) -> {r}",
        [A],
        A.T,
    ),
    "pad": (
        (
            '%p = "tosa.const"() {{value = dense<[[0, 1], [2, 0]]> : tensor<2x2xi32>}} : () -> tensor<2x2xi32>\n'
            '%r = "tosa.pad"(%0, %p) : ({0}, tensor<2x2xi32>) -> {r}'
        ),
        [A],
        np.pad(A, ((0, 1), (2, 0))),
    ),
    "pad with a value": (
        (
            '%p = "tosa.const"() {{value = dense<[[0, 1], [2, 0]]> : tensor<2x2xi64>}} : () -> tensor<2x2xi64>\n'
            '%v = "tosa.const"() {{value = dense<3.5> : tensor<f32>}} : () -> tensor<f32>\n'
            "%r = tosa.pad %0, %p, %v : ({0}, tensor<2x2xi64>, tensor<f32>) -> {r}"
        ),
        [A],
        np.pad(A, ((0, 1), (2, 0)), constant_values=3.5),
    ),
    "pad with a zero point": (
        (
            '%p = "tosa.const"() {{value = dense<1> : tensor<2x2xi32>}} : () -> tensor<2x2xi32>\n'
            '%r = "tosa.pad"(%0, %p) {{quantization_info = #tosa.pad_quant<input_zp = -7>}} : ({0}, tensor<2x2xi32>)'
            " -> {r}"
        ),
        [BYTES],
        np.pad(BYTES, 1, constant_values=-7),
    ),
    "pad with a shape": (
        (
            "%p = tosa.const_shape {{values = dense<[0, 1, 2, 0]> : tensor<4xindex>}} : () -> !tosa.shape<4>\n"
            "%r = tosa.pad %0, %p {{input_zp = 0 : i32}} : ({0}, !tosa.shape<4>) -> {r}"
        ),
        [A],
        np.pad(A, ((0, 1), (2, 0))),
    ),
    "pad with a shape of LLVM 20": (
        (
            "%p = tosa.const_shape {{value = dense<[0, 1, 2, 0]> : tensor<4xindex>}} : () -> !tosa.shape<4>\n"
            '%v = "tosa.const"() {{values = dense<0.0> : tensor<1xf32>}} : () -> tensor<1xf32>\n'
            "%r = tosa.pad %0, %p, %v : ({0}, !tosa.shape<4>, tensor<1xf32>) -> {r}"
        ),
        [A],
        np.pad(A, ((0, 1), (2, 0))),
    ),
    "concat": ('%r = "tosa.concat"(%0, %1) {{axis = 0 : i64}} : ({0}, {1}) -> {r}', [A, B], np.concatenate([A, B])),
    "reduce_sum": ('%r = "tosa.reduce_sum"(%0) {{axis = 1 : i64}} : ({0}) -> {r}', [A], A.sum(1, keepdims=True)),
    "reduce_prod": ("%r = tosa.reduce_prod %0 {{axis = 0 : i32}} : ({0}) -> {r}", [A], A.prod(0, keepdims=True)),
    "reduce_max": (
        '%r = tosa.reduce_max %0 {{axis = 1 : i32, nan_mode = "PROPAGATE"}} : ({0}) -> {r}',
        [A],
        A.max(1, keepdims=True),
    ),
    "argmax": ('%r = "tosa.argmax"(%0) {{axis = 1 : i64}} : ({0}) -> {r}', [A], A.argmax(1).astype(np.int32)),
    "arithmetic_right_shift": (
        '%r = "tosa.arithmetic_right_shift"(%0, %1) {{round = true}} : ({0}, {1}) -> {r}',
        [INTEGERS, np.full((2, 3), 2, np.int32)],
        (INTEGERS + 2 >> 2).astype(np.int32),
    ),
    "matmul": ('%r = "tosa.matmul"(%0, %1) : ({0}, {1}) -> {r}', [floats(2, 3, 4), floats(2, 4, 5)], np.matmul),
    "matmul with zero points": (
        (
            '%r = "tosa.matmul"(%0, %1) {{quantization_info = #tosa.matmul_quant<a_zp = 3, b_zp = -2>}} : ({0}, {1})'
            " -> {r}"
        ),
        [integers(np.int8, 1, 3, 4), integers(np.int8, 1, 4, 5)],
        lambda a, b: (a.astype(np.int32) - 3) @ (b.astype(np.int32) + 2),
    ),
    "fully_connected": (
        '%r = "tosa.fully_connected"(%0, %1, %2) : ({0}, {1}, {2}) -> {r}',
        [floats(5, 4), floats(3, 4), floats(3)],
        lambda a, w, b: a @ w.T + b,
    ),
    "fully_connected with zero points": (
        (
            '%r = "tosa.fully_connected"(%0, %1, %2) '
            "{{quantization_info = #tosa.conv_quant<input_zp = 1, weight_zp = 0>}} : ({0}, {1}, {2}) -> {r}"
        ),
        [integers(np.int8, 5, 4), integers(np.int8, 3, 4), integers(np.int32, 3)],
        lambda a, w, b: (a.astype(np.int32) - 1) @ w.astype(np.int32).T + b,
    ),
    "conv2d": (
        f'%r = "tosa.conv2d"(%0, %1, %2) {{{{{CONV}}}}} : ({{0}}, {{1}}, {{2}}) -> {{r}}',
        [IMAGE, WEIGHT, BIAS],
        conv(IMAGE, WEIGHT, BIAS).astype(np.float32),
    ),
    "conv2d with an accumulator": (
        f"%r = tosa.conv2d %0, %1, %2 {{{{acc_type = f32, {CONV}}}}} : ({{0}}, {{1}}, {{2}}) -> {{r}}",
        [IMAGE, WEIGHT, BIAS],
        conv(IMAGE, WEIGHT, BIAS).astype(np.float32),
    ),
    "conv2d with zero points": (
        (
            f'%r = "tosa.conv2d"(%0, %1, %2) {{{{{CONV}, quantization_info = #tosa.conv_quant<input_zp = -5, '
            f"weight_zp = 0>}}}} : ({{0}}, {{1}}, {{2}}) -> {{r}}"
        ),
        [integers(np.int8, 1, 5, 5, 2), integers(np.int8, 3, 3, 3, 2), integers(np.int32, 3)],
        lambda x, w, b: conv(x, w, b, zeros=(-5, 0)).astype(np.int32),
    ),
    "depthwise_conv2d": (
        (
            f'%b = "tosa.const"() {{{{value = dense<0.0> : tensor<4xf32>}}}} : () -> tensor<4xf32>\n'
            f'%r = "tosa.depthwise_conv2d"(%0, %1, %b) {{{{{CONV}}}}} : ({{0}}, {{1}}, tensor<4xf32>) -> {{r}}'
        ),
        [IMAGE, DEPTHWISE],
        depthwise(IMAGE, DEPTHWISE).astype(np.float32),
    ),
    "max_pool2d": (
        (
            '%r = "tosa.max_pool2d"(%0) {{kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, '
            'stride = array<i64: 2, 2>}} : ({0}) -> {r}\n%unused = "tosa.const"() {{value = dense<1> : tensor<1xi32>}} '
            ": () -> tensor<1xi32>"
        ),
        [IMAGE],
        pool(IMAGE, 2, 2, (0,) * 4, np.max).astype(np.float32),
    ),
    "avg_pool2d": (
        '%r = "tosa.avg_pool2d"(%0) {{kernel = [2, 2], pad = [1, 1, 1, 1], stride = [2, 2]}} : ({0}) -> {r}',
        [IMAGE],
        pool(IMAGE, 2, 2, (1,) * 4, np.nanmean).astype(np.float32),
    ),
    "transpose_conv2d": (
        (
            '%r = "tosa.transpose_conv2d"(%0, %1, %2) {{out_pad = array<i64: 0, 0, 0, 0>, '
            "out_shape = array<i64: 1, 13, 13, 4>, stride = array<i64: 2, 2>}} : ({0}, {1}, {2}) -> {r}"
        ),
        [IMAGE, WEIGHT, BIAS],
        transposed(IMAGE, WEIGHT, BIAS, 2, (13, 13)).astype(np.float32),
    ),
    "conv3d": (
        (
            '%r = "tosa.conv3d"(%0, %1, %2) {{dilation = array<i64: 1, 1, 1>, pad = array<i64: 0, 0, 0, 0, 0, 0>, '
            "stride = array<i64: 1, 1, 1>}} : ({0}, {1}, {2}) -> {r}"
        ),
        [IMAGE[:, None], WEIGHT[:, None], BIAS],
        conv(IMAGE, WEIGHT, BIAS)[:, None].astype(np.float32),
    ),
    "avg_pool2d with zero points": (
        (
            '%r = "tosa.avg_pool2d"(%0) {{kernel = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, '
            "quantization_info = #tosa.unary_quant<input_zp = 5, output_zp = -5>, stride = array<i64: 2, 2>}} : ({0}) -> {r}"
        ),
        [integers(np.int8, 1, 5, 5, 2)],
        lambda x: (x[:, ::2, ::2] - 10).astype(np.int8),
    ),
    "scatter": (
        '%n = "tosa.negate"(%0) : ({0}) -> {0}\n%r = "tosa.scatter"(%n, %1, %2) : ({0}, {1}, {2}) -> {r}',
        [floats(1, 4, 2), np.array([[2, 0]], np.int32), floats(1, 2, 2)],
        lambda v, i, x: np.stack([[x[0, 1], -v[0, 1], x[0, 0], -v[0, 3]]]),
    ),
    "resize": (
        (
            '%r = "tosa.resize"(%0) {{scale = array<i64: 2, 1, 2, 1>, offset = array<i64: 0, 0>, '
            'border = array<i64: 0, 0>, mode = "NEAREST_NEIGHBOR"}} : ({0}) -> {r}'
        ),
        [IMAGE],
        IMAGE[:, np.arange(11) + 1 >> 1][:, :, np.arange(11) + 1 >> 1],
    ),
    "rescale": (
        (
            '%r = "tosa.rescale"(%0) {{double_round = true, input_zp = 0 : i32, multiplier = array<i32: 1073741824>, '
            "output_zp = -3 : i32, per_channel = false, scale32 = true, shift = array<i32: 33>}} : ({0}) -> {r}"
        ),
        [INTEGERS],
        rescale(INTEGERS, 1 << 30, 33, 0, -3, np.int8, double=True),
    ),
    "rescale of LLVM 20": (
        (
            "%m = tosa.const {{value = dense<16384> : tensor<1xi16>}} : () -> tensor<1xi16>\n"
            "%s = tosa.const {{value = dense<15> : tensor<1xi8>}} : () -> tensor<1xi8>\n"
            "%r = tosa.rescale %0, %m, %s {{double_round = false, input_zp = 4 : i32, output_zp = -3 : i32, "
            "per_channel = false, scale32 = false}} : ({0}, tensor<1xi16>, tensor<1xi8>) -> {r}"
        ),
        [BYTES],
        rescale(BYTES, 16384, 15, 4, -3, np.int8),
    ),
    "table": (
        (
            '%t = "tosa.const"() {{value = dense<7> : tensor<256xi8>}} : () -> tensor<256xi8>\n'
            '%r = "tosa.table"(%0, %t) : ({0}, tensor<256xi8>) -> {r}'
        ),
        [BYTES],
        np.full_like(BYTES, 7),
    ),
    "gather": (
        '%n = "tosa.negate"(%0) : ({0}) -> {0}\n%r = "tosa.gather"(%n, %1) : ({0}, {1}) -> {r}',
        [floats(1, 4, 2), integers(np.int32, 1, 3, low=0, high=4)],
        lambda v, i: -v[:, i[0]],
    ),
    "cond_if": (
        (
            "%r = tosa.cond_if %0 -> ({r}) {{\n%a = tosa.mul %1, %1 {{shift = 0 : i8}} : ({1}, {1}) -> {r}\n"
            "tosa.yield %a : {r}\n}} else {{\n%b = tosa.negate %1 : ({1}) -> {r}\ntosa.yield %b : {r}\n}}"
        ),
        [np.array(True), A],
        A * A,
    ),
    "generic cond_if": (
        (
            '%r = "tosa.cond_if"(%0, %1) ({{\n^bb0(%x: {1}):\n%a = "tosa.mul"(%x, %x) {{shift = 0 : i8}} : ({1}, {1})'
            ' -> {r}\n"tosa.yield"(%a) : ({r}) -> ()\n}}, {{\n^bb0(%x: {1}):\n"tosa.yield"(%x) : ({r}) -> ()\n}})'
            " : ({0}, {1}) -> {r}"
        ),
        [np.array(False), A],
        A,
    ),
    "while_loop": (
        (
            '%c = "tosa.const"() {{value = dense<5> : tensor<i32>}} : () -> tensor<i32>\n'
            "%r = tosa.while_loop (%x = %0) : ({0}) -> {r} {{\n"
            '%g = "tosa.greater"(%c, %x) : (tensor<i32>, {0}) -> tensor<i1>\ntosa.yield %g : tensor<i1>\n}} do {{\n'
            '^bb0(%x: {0}):\n%d = "tosa.mul"(%x, %x) {{shift = 0 : i8}} : ({0}, {0}) -> {r}\ntosa.yield %d : {r}\n}}'
        ),
        [np.array(2, np.int32)],
        np.array(16, np.int32),
    ),
    "matmul_t": (
        (
            '%z = "tosa.const"() <{{values = dense<0.0> : tensor<1xf32>}}> : () -> tensor<1xf32>\n'
            "%r = tosa.matmul_t %0, %1, %z, %z : ({0}, {1}, tensor<1xf32>, tensor<1xf32>) -> {r}"
        ),
        [floats(2, 3, 4), floats(2, 5, 4)],
        lambda a, b: a @ b.transpose(0, 2, 1),
    ),
    "max_pool2d_adaptive": (
        (
            "%k = tosa.const_shape {{values = dense<2> : tensor<2xindex>}} : () -> !tosa.shape<2>\n"
            "%p = tosa.const_shape {{values = dense<0> : tensor<4xindex>}} : () -> !tosa.shape<4>\n"
            "%r = tosa.max_pool2d_adaptive %0, %k, %k, %p {{nan_mode = PROPAGATE}} : "
            "({0}, !tosa.shape<2>, !tosa.shape<2>, !tosa.shape<4>) -> {r}"
        ),
        [IMAGE],
        pool(IMAGE, 2, 2, (0,) * 4, np.max).astype(np.float32),
    ),
}

# Where an extent has to be known: shapes that regions carry, and windows.
STATIC_ONLY = {
    "generic cond_if",
    "cond_if",
    "while_loop",
    "resize",
    "transpose_conv2d",
    "fully_connected",
    "fully_connected with zero points",
}


def typeText(array, isOpen):
    extents = "".join(("?" if isOpen else str(e)) + "x" for e in array.shape)
    return f"tensor<{extents}{TYPES[array.dtype.name]}>"


def build(body, arguments, result, isOpen):
    types = [typeText(a, isOpen) for a in arguments]
    parameters = ", ".join(f"%{i}: {t}" for i, t in enumerate(types))
    r = typeText(result, isOpen)
    text = body.format(*types, r=r)
    # Arguments are %a0, since %0 is the first result of a body.
    text, parameters = (re.sub(r"%(\d+)\b", r"%a\1", t) for t in (text, parameters))
    return f"func.func @main({parameters}) -> {r} {{\n{text}\nreturn %r : {r}\n}}\n"
