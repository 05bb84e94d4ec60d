"""Pools, depthwise convolutions and convolutions that read a boundary in each mode, against NumPy's pad (bnd-4).

That no padded image is made is tested in test/lower/fold-padding.mlir.
"""

import itertools

import broadloom as bl
import ml_dtypes
import numpy as np
import pytest

MODES = {"replicate": "edge", "reflect": "reflect", "symmetric": "symmetric", "wrap": "wrap"}
#: The values of mode 'constant', where -inf is neutral for maxima and 0 for sums.
FILLS = {"constant": 3.0, "zero": 0.0, "least": -np.inf}
ELEMENTS = {"f32": np.float32, "f16": np.float16, "bf16": ml_dtypes.bfloat16, "i8": np.int8}
#: Padding in front of and behind the two axes of the window: also more than images have elements.
PADS = (((1, 1), (1, 1)), ((2, 0), (1, 0)), ((0, 3), (0, 1)), ((0, 0), (2, 2)), ((9, 8), (7, 6)))
SHAPES = ((1, 4, 5), (2, 9, 40), (1, 33, 3), (1, 3, 71))


def spell(shape, element):
    return f"tensor<{''.join(f'{n}x' for n in shape)}{element}>"


def result_of(op, element):
    return {"i8": "i32"}.get(element, element) if op in ("conv", "depthwise") else element


def program(op, mode, element, pads, shape, channels, stride, dilation=1, many=1, kernel=3, made=False, zero=0):
    """A window over a boundary of an image; with `made`, its padding is an argument, so that it becomes a tensor."""
    (top, bottom), (left, right) = pads
    source = spell([*shape, channels], element)
    wide = spell(["?" if n == "?" else n for n in shape[:1]] + ["?", "?", channels], element)
    element_out = result_of(op, element)
    outputs = channels * many if op == "depthwise" else 4 if op == "conv" else channels
    out = spell([shape[0], "?", "?", outputs], element_out)
    low, high = [0, top, left, 0], [0, bottom, right, 0]
    if made:
        low[0] = "%none"
    typed, value = "", FILLS.get(mode)
    if value is not None:
        mode, typed = "constant", f" with %c : {element}"
    least = {"f32": "0xFF800000", "f16": "0xFC00", "bf16": "0xFF80", "i8": "-128"}
    fill = least[element] if value == -np.inf else f"{value or 0:.0f}{'' if element == 'i8' else '.0'}"
    numbers = f"kernel = array<i64: {kernel}, {kernel}>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: {stride}, {stride}>"
    around = f"pad = array<i64: 0, 0, 0, 0>, stride = array<i64: {stride}, {stride}>, dilation = array<i64: {dilation}, {dilation}>"
    zeros = f"tensor<1x{element}>, tensor<1x{element}>"
    weight = spell([4, kernel, kernel, channels] if op == "conv" else [kernel, kernel, channels, many], element)
    bias = spell([outputs], element_out)
    accumulate = "i32" if element == "i8" else "f32"
    with_weight = op in ("conv", "depthwise")
    named = {"conv": "conv2d", "depthwise": "depthwise_conv2d"}.get(op)
    computed = {
        "max": f"tosa.max_pool2d %p {{{numbers}}} : ({wide}) -> {out}",
        "average": f"tosa.avg_pool2d %p, %z, %z {{acc_type = {accumulate}, {numbers}}} : ({wide}, {zeros}) -> {out}",
    }.get(
        op,
        f"tosa.{named} %p, %w, %b, %z, %y {{acc_type = {accumulate}, {around}}} : ({wide}, {weight}, {bias}, {zeros})"
        f" -> {out}",
    )
    more = f", %w: {weight}, %b: {bias}" if with_weight else ""
    return f"""func.func @main(%x: {source}{more}{", %none: index" if made else ""}) -> {out} {{
  %c = arith.constant {fill} : {element}
  %z = arith.constant dense<{zero if element == "i8" else "0.0"}> : tensor<1x{element}>
  %y = arith.constant dense<{"0" if element == "i8" else "0.0"}> : tensor<1x{element}>
  %p = loom.boundary {mode} %x{typed} low[{", ".join(map(str, low))}] high{high} : {source} to {wide}
  %r = {computed}
  return %r : {out}
}}"""


def pad(x, pads, mode):
    ends = [(0, 0), *pads, (0, 0)]
    if mode not in FILLS:
        return np.pad(x, ends, mode=MODES[mode])
    value = np.iinfo(x.dtype).min if x.dtype == np.int8 and mode == "least" else FILLS[mode]
    return np.pad(x, ends, constant_values=np.asarray(value).astype(x.dtype))


def taps(p, kernel, stride, dilation):
    """The parts of an image that the steps of a window read."""
    rows, columns = ((n - (kernel - 1) * dilation - 1) // stride + 1 for n in p.shape[1:3])
    for i, j in itertools.product(range(kernel), range(kernel)):
        part = p[:, i * dilation :, j * dilation :]
        yield (i, j), part[:, : rows * stride : stride, : columns * stride : stride]


def compute(op, p, weights, stride, dilation, kernel, zero=0):
    """By enumeration of the steps; sums are of small integers, and exact."""
    parts = list(taps(p, kernel, stride, dilation))
    if op == "max":
        return np.max(np.stack([part for _, part in parts]), axis=0)
    if op == "average":
        total = sum(part.astype(np.float32) for _, part in parts)
        return (total / np.float32(kernel * kernel)).astype(p.dtype)
    w, b = weights
    total = np.zeros((), b.dtype)
    for (i, j), part in parts:
        part = part.astype(b.dtype if b.dtype == np.int32 else np.float32) - zero
        if op == "conv":
            total = total + part @ w[:, i, j].T.astype(part.dtype)
        else:
            products = part[..., None] * w[i, j].astype(part.dtype)
            total = total + products.reshape(*part.shape[:-1], w.shape[2] * w.shape[3])
    return (total + b.astype(total.dtype)).astype(b.dtype)


def weights_of(op, element, channels, many, kernel, random):
    if op not in ("conv", "depthwise"):
        return []
    shape = (4, kernel, kernel, channels) if op == "conv" else (kernel, kernel, channels, many)
    outputs = 4 if op == "conv" else channels * many
    w = random.integers(-2, 3, shape).astype(ELEMENTS[element])
    return [w, random.integers(-2, 3, outputs).astype(np.int32 if element == "i8" else ELEMENTS[element])]


def fits(p, kernel, stride, dilation):
    """TOSA's windows end where their image does."""
    reach = (kernel - 1) * dilation + 1
    return all(n >= reach and (n - reach) % stride == 0 for n in p.shape[1:3])


def same(x, y):
    return x.shape == y.shape and x.dtype == y.dtype and x.tobytes() == np.ascontiguousarray(y).tobytes()


def check(op, mode, element, pads, channels, random, stride=1, dilation=1, many=1, kernel=3, zero=0, known=False):
    """Calls a program with images of some shapes; returns how many."""
    calls, f = 0, None
    for shape in SHAPES:
        x = random.integers(-3, 4, (*shape, channels)).astype(ELEMENTS[element])
        p = pad(x, pads, mode)
        if not fits(p, kernel, stride, dilation):
            continue
        numbers = {"stride": stride, "dilation": dilation, "many": many, "kernel": kernel, "zero": zero}
        if known or not f:
            typed = list(shape) if known else ["?"] * 3
            f = bl.compile(program(op, mode, element, pads, typed, channels, **numbers))
        w = weights_of(op, element, channels, many, kernel, random)
        expected = compute(op, p, w, stride, dilation, kernel, zero)
        assert same(f(x, *w), expected), (shape, pads)
        calls += 1
    return calls


@pytest.mark.parametrize("element", ["f32", "f16", "bf16", "i8"])
@pytest.mark.parametrize("mode", [*MODES, *FILLS])
@pytest.mark.parametrize("op", ["max", "average"])
def test_bnd4_pools(op, mode, element):
    """Of many and of few channels: pools of more than four are contractions, and others loops."""
    if op == "average" and (element == "i8" or mode == "least"):
        pytest.skip("quotients of integers are rounded by el-rules, and no number is neutral for a mean")
    random = np.random.default_rng(21)
    calls = sum(
        check(op, mode, element, pads, channels, random, stride=stride)
        for pads, (channels, stride) in zip(PADS, ((8, 1), (37, 1), (70, 2), (2, 1), (9, 1)))
    )
    assert calls > 5


@pytest.mark.parametrize("element", ["f32", "f16", "i8"])
@pytest.mark.parametrize("mode", [*MODES, "constant", "zero"])
def test_bnd4_depthwise(mode, element):
    """Windows whose columns are shared, with strides and dilations, and of several kernels for a channel."""
    random = np.random.default_rng(22)
    forms = ((8, 1, 1, 1), (5, 2, 1, 1), (70, 1, 1, 1), (3, 1, 1, 2), (9, 1, 2, 1))
    calls = sum(
        check("depthwise", mode, element, pads, channels, random, stride=stride, dilation=dilation, many=many)
        for pads, (channels, stride, dilation, many) in zip(PADS, forms)
    )
    assert calls > 5


@pytest.mark.parametrize("op", ["max", "average", "depthwise"])
@pytest.mark.parametrize("mode", [*MODES, "constant"])
def test_bnd4_windows_of_known_types(op, mode):
    random = np.random.default_rng(23)
    for pads in PADS[:3]:
        assert check(op, mode, "f32", pads, 24, random, kernel=2, known=True)


@pytest.mark.parametrize("zero", [-3, 3, 5])
@pytest.mark.parametrize("mode", [*MODES, "constant", "zero"])
@pytest.mark.parametrize("op", ["conv", "depthwise"])
def test_bnd4_bytes_with_a_zero_point(op, mode, zero):
    """The value of the padding is the zero point, or is not."""
    random = np.random.default_rng(24)
    for pads, channels in zip(PADS[:3], (4, 33, 4)):
        assert check(op, mode, "i8", pads, channels, random, zero=zero)


@pytest.mark.parametrize("op", ["max", "average", "depthwise", "conv"])
@pytest.mark.parametrize("mode", [*MODES, *FILLS])
def test_bnd4_no_bit_differs_from_a_padded_image(op, mode):
    """Numbers that round, infinities and NaN, on one thread and on two."""
    random = np.random.default_rng(25)
    for pads, kernel, channels in ((PADS[0], 3, 6), (PADS[4], 5, 6), (PADS[3], 3, 64), (PADS[0], 5, 64)):
        numbers = {"stride": 1, "kernel": kernel}
        f, made = (
            bl.compile(program(op, mode, "f32", pads, ["?"] * 3, channels, **numbers, made=is_made))
            for is_made in (False, True)
        )
        for shape in (*SHAPES, (1, 40, 61)):
            x = random.standard_normal((*shape, channels)).astype(np.float32)
            w = [
                random.standard_normal(a.shape).astype(np.float32)
                for a in weights_of(op, "f32", channels, 1, kernel, random)
            ]
            if channels == 6:
                x.flat[:3] = np.inf, np.nan, -np.inf
            if not fits(pad(x, pads, mode), kernel, 1, 1):
                continue
            for threads in (1, 2):
                f.threads = threads
                found, expected = f(x, *w), made(x, *w, 0)
                assert np.isnan(found).tolist() == np.isnan(expected).tolist()
                assert same(np.nan_to_num(found), np.nan_to_num(expected)), (shape, pads)


@pytest.mark.parametrize("op", ["max", "average", "depthwise"])
def test_bnd4_windows_of_no_elements(op):
    """By a value, an axis without elements goes on; by others it cannot (bnd-2)."""
    pads = ((2, 2), (1, 3))
    f = bl.compile(program(op, "constant", "f32", pads, ["?"] * 3, 8, stride=1))
    random = np.random.default_rng(26)
    w = weights_of(op, "f32", 8, 1, 3, random)
    for shape in ((1, 0, 5), (1, 4, 0), (2, 0, 0), (0, 4, 4)):
        x = np.zeros((*shape, 8), np.float32)
        assert same(f(x, *w), compute(op, pad(x, pads, "constant"), w, 1, 1, 3)), shape
    f = bl.compile(program(op, "reflect", "f32", pads, ["?"] * 3, 8, stride=1))
    with pytest.raises(bl.ShapeError, match="axis 1 has no elements, and padding of 2 and 2 by mode 'reflect'"):
        f(np.zeros((1, 0, 5, 8), np.float32), *w)
