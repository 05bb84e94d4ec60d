"""Operators of ONNX whose operands do not fit, or reach beyond: values are NumPy's."""

import itertools
import re

import broadloom as bl
import numpy as np
import pytest
from broadloom.onnx import _importer  # noqa: F401
from broadloom.onnx._context import OPERATORS
from onnx_models import agree, field, graph, model, node, random, value, wrap


def transposed(x, kernel, stride, shape, low, bias):
    """A transposed convolution of one channel, cut or widened to a shape."""
    k = kernel.shape[0]
    whole = np.zeros([max((n - 1) * stride + k, want + lo) for n, want, lo in zip(x.shape, shape, low)], "f4")
    for i, j in np.ndindex(*x.shape):
        whole[i * stride : i * stride + k, j * stride : j * stride + k] += x[i, j] * kernel
    return whole[low[0] : low[0] + shape[0], low[1] : low[1] + shape[1]] + bias


@pytest.mark.parametrize(
    "size, stride, options, shape",
    [
        (3, 2, "strides=[2, 2], output_shape=[5, 7]", (5, 7)),
        (1, 2, "strides=[2, 2], auto_pad='SAME_UPPER'", (4, 6)),
        (1, 3, "strides=[3, 3], auto_pad='SAME_LOWER'", (6, 9)),
        (2, 3, "strides=[3, 3]", (5, 8)),
    ],
)
@pytest.mark.parametrize("axes", ("1, 1, 2, 3", "n, 1, h, w"))
def test_what_no_kernel_reaches_has_the_bias(size, stride, options, shape, axes):
    kernel, bias, x = random(size, size, seed=1), np.float32([0.5]), random(2, 3)
    text = f"x: f32[{axes}]\ny = ConvTranspose(x, w, b, {options})\nreturn y"
    f = bl.compile(model(text, 17, w=kernel[None, None], b=bias))
    agree(f(x[None, None])[0, 0], transposed(x, kernel, stride, shape, (0, 0), 0.5))


def test_groups_that_no_kernel_reaches_have_their_bias():
    bias = np.float32([0.5, -2])
    text = "x: f32[n, 2, h]\ny = ConvTranspose(x, w, b, group=2, strides=[2], auto_pad='SAME_UPPER')\nreturn y"
    f = bl.compile(model(text, 17, w=np.ones((2, 1, 1), "f4"), b=bias))
    x = random(1, 2, 3)
    expected = np.zeros((1, 2, 6), "f4")
    expected[:, :, ::2] = x
    agree(f(x), expected + bias[:, None])


def test_writes_beyond_a_cache_are_errors():
    f = bl.compile(model("p: f32[b, h, s, d]\nu: f32[b, h, t, d]\ni: i64[b]\ny = TensorScatter(p, u, i)\nreturn y", 24))
    past, update = np.zeros((2, 2, 4, 1), "f4"), np.arange(1, 9, dtype="f4").reshape(2, 2, 2, 1)
    expected = past.copy()
    expected[0, :, 2:], expected[1, :, :2] = update
    agree(f(past, update, np.array([2, 0])), expected)
    beyond = "the write index {} is more than 2, behind which the update reaches beyond the cache"
    for at, message in (
        ([3, 0], beyond.format(3)),
        ([0, 4], beyond.format(4)),
        ([9, 9], beyond.format(9)),
        ([-1, 0], "the write index -1 is less than 0"),
    ):
        with pytest.raises(bl.ShapeError, match=message):
            f(past, update, np.array(at))
    with pytest.raises(
        bl.ShapeError, match="the update has 2 elements along the axis that it is written to, which has 1"
    ):
        f(past[:, :, :1], update, np.array([0, 0]))


@pytest.mark.parametrize("inputs", ("m", "m, _", "m, yes"))
def test_a_loop_without_a_condition(inputs):
    body = graph("i: i64\nc: i1\nf = Cast(i, to=1)\ns = Mul(x, f)\nd = Identity(c)\nreturn d, s")
    f = bl.compile(
        model(f"m: i64\nx: f32[3]\ny = Loop({inputs}, body=body)\nreturn y", 17, body=body, yes=np.array(True))
    )
    agree(f(np.array(2), np.ones(3, "f4")), np.float32([[0] * 3, [1] * 3]))


def test_pads_that_cut():
    f = bl.compile(model("x: f32[n, m]\np: i64[4]\ny = Pad(x, p)\nreturn y"))
    x = random(3, 4)
    agree(f(x, np.array([0, -1, 0, 0])), x[:, 1:])
    agree(f(x, np.array([1, -1, -2, 2])), np.pad(x, ((1, 0), (0, 2)))[:2, 1:])
    agree(f(x, np.array([0, 0, 1, 1])), np.pad(x, ((0, 1), (0, 1))))
    with pytest.raises(bl.ShapeError):
        f(x, np.array([-2, 0, -2, 0]))


@pytest.mark.parametrize("mode", ("reflect", "edge", "wrap"))
@pytest.mark.parametrize("known", (True, False))
def test_pads_repeat_what_is_there(mode, known):
    told = "axis 1 has {} elements, of which the pads {} and {} leave none that mode '{}' could repeat"
    cases = [
        ((2, 3), (-3, 0)), ((2, 0), (0, 2)), ((2, 3), (-2, 1)), ((2, 3), (-2, -1)), ((2, 3), (-3, 1)), ((2, 0), (1, 0)),
        ((0, 0), (0, 1)), ((2, 0), (0, 0)), ((0, 3), (1, 1)), ((0, 3), (-1, 0)), ((2, 3), (-1, -1)),
    ]  # fmt: skip
    text = f"y = Pad(x, p, mode='{mode}')\nreturn y"
    f = None if known else bl.compile(model(f"x: f32[n, m]\np: i64[4]\n{text}"))
    for shape, pads in cases[:3] if known else cases:
        p = np.array([0, pads[0], 0, pads[1]])
        x, call = random(*shape), f or bl.compile(model(f"x: f32[n, m]\n{text}", p=p))
        given = (x,) if known else (x, p)
        low, high = max(-pads[0], 0), max(-pads[1], 0)
        kept = x[:, low : max(shape[1] - high, low)]
        if kept.shape[1] or pads == (0, 0):
            agree(
                call(*given),
                np.pad(kept, ((0, 0), tuple(max(n, 0) for n in pads)), mode)
                if kept.size
                else np.zeros((shape[0], shape[1] + sum(pads)), "f4"),
            )
        else:
            with pytest.raises(bl.ShapeError, match=told.format(shape[1], *pads, mode)):
                call(*given)


@pytest.mark.parametrize("known", (True, False))
def test_the_size_of_a_grid(known):
    f = None if known else bl.compile(model("t: f32[n, 2, 3]\ns: i64[4]\ny = AffineGrid(t, s)\nreturn y"))
    for size, message in (
        ([2, 1, 3, 5], None),
        ([3, 1, 4, 4], "axis 0 of the theta has the extent 2, but 3 is needed"),
        ([2, 1, -4, 4], "the size -4 is negative"),
        ([2, 1, 4, 0], "element 3 of the size is 0, but at least 1 is needed"),
        ([2, 0, 4, 4], "element 1 of the size is 0, but at least 1 is needed"),
    ):
        theta, given = np.float32([[[1, 0, 0], [0, 1, 0]]] * 2), [] if known else [np.array(size)]
        call = lambda: (f or bl.compile(model("t: f32[n, 2, 3]\ny = AffineGrid(t, s)\nreturn y", s=np.array(size))))(
            theta, *given
        )
        if message is None:
            columns, rows = np.meshgrid((np.arange(5) * 2 + 1) / 5 - 1, (np.arange(3) * 2 + 1) / 3 - 1)
            agree(call(), np.stack([np.stack([columns, rows], -1)] * 2).astype("f4"))
            continue
        with pytest.raises((bl.ShapeError, bl.UnsupportedOperations), match=message):
            call()
    for size in ([2, 1], [2, 1, 2, 2, 2, 2]):
        with pytest.raises(bl.UnsupportedOperations, match=f"its size has {len(size)} elements, not 4 or 5"):
            bl.compile(model("t: f32[n, 2, 3]\ny = AffineGrid(t, s)\nreturn y", s=np.array(size)))
    with pytest.raises(
        (bl.ShapeError, bl.UnsupportedOperations), match="axis 1 of the theta has the extent 2, but 3 is needed"
    ):
        bl.compile(model("t: f32[n, 2, 3]\ny = AffineGrid(t, s)\nreturn y", s=np.array([2, 1, 2, 2, 2])))(theta)


@pytest.mark.parametrize("known", (True, False))
def test_shapes_that_do_not_expand(known):
    for shape, message in (
        ([2, 2, 4], "axis 1 has the extent 3 and cannot be broadcast to 2"),
        ([2, 3, 0], "axis 2 has the extent 4 and cannot be broadcast to 0"),
        ([2, -1, 4], "the extent -1 is negative"),
        ([2, 3, -4], "the extent -4 is negative"),
        ([-2, 1, 1], "the extent -2 is negative"),
    ):
        given = {"s": np.array(shape)} if known else {}
        data = model(f"x: f32[n, m]\n{'' if known else 's: i64[3]'}\ny = Expand(x, s)\nreturn y", **given)
        with pytest.raises((bl.ShapeError, bl.UnsupportedOperations), match=message) as told:
            bl.compile(data)(random(3, 4), *([] if known else [np.array(shape)]))
        assert "tensor.empty" not in str(told.value)


def test_expanded_where_data_tells():
    f = bl.compile(model("x: f32[n, m]\ns: i64[3]\ny = Expand(x, s)\nreturn y"))
    for own, shape in itertools.product(
        ((3, 4), (1, 4), (3, 1), (1, 1), (0, 1)), ((2, 3, 4), (2, 1, 1), (1, 1, 4), (0, 1, 1))
    ):
        x = random(*own)
        if own[0] in (1, shape[1]) or shape[1] == 1:
            agree(f(x, np.array(shape)), np.broadcast_to(x, np.broadcast_shapes(own, shape)))


def test_a_range_has_steps():
    f = bl.compile(model("a: i64\nb: i64\nc: i64\ny = Range(a, b, c)\nreturn y"))
    agree(f(np.array(7), np.array(0), np.array(-3)), np.array([7, 4, 1]))
    with pytest.raises(bl.ShapeError, match="its delta is 0"):
        f(np.array(0), np.array(5), np.array(0))
    with pytest.raises(bl.UnsupportedOperations, match="its delta is 0"):
        bl.compile(model("x: f32\ny = Range(a, b, c)\nreturn y", a=np.array(0), b=np.array(5), c=np.array(0)))


@pytest.mark.parametrize(
    "text, shapes, message",
    [
        (
            "BatchNormalization(x, s, s, s, s)",
            ((2, 3, 2, 2), (1,)),
            "the mean has the extent 1, but there are 3 channels",
        ),
        (
            "InstanceNormalization(x, s, s)",
            ((2, 3, 2, 2), (1,)),
            "the scale has the extent 1, but there are 3 channels",
        ),
        ("GroupNormalization(x, s, s, num_groups=2)", ((2, 4, 2, 2), (1,)), "the extent 1, but there are 4 channels"),
        ("Conv(x, w, s)", ((1, 1, 2, 2), (1,)), "the bias has the extent 1, but there are 2 channels"),
        ("ConvTranspose(x, v, s)", ((1, 1, 2, 2), (1,)), "the bias has the extent 1, but there are 2 channels"),
        ("ConvTranspose(x, v, s, strides=[3, 3], auto_pad='SAME_UPPER')", ((1, 1, 2, 2), (1,)), "there are 2 channels"),
        (
            "LayerNormalization(x, s)",
            ((2, 1, 2, 1), (5,)),
            "axis 0 of the scale has the extent 5 and cannot be broadcast to 1",
        ),
        (
            "RMSNormalization(x, s)",
            ((2, 1, 2, 1), (5,)),
            "axis 0 of the scale has the extent 5 and cannot be broadcast to 1",
        ),
        ("PRelu(x, s)", ((2, 1, 2, 1), (5,)), "axis 0 of the slope has the extent 5 and cannot be broadcast to 1"),
        (
            "LayerNormalization(x, s)",
            ((2, 1, 2, 3), (5,)),
            "axis 0 of the scale has the extent 5 and cannot be broadcast to 3",
        ),
        ("PRelu(x, s)", ((2, 1, 2, 3), (2,)), "axis 0 of the slope has the extent 2 and cannot be broadcast to 3"),
    ],
)
def test_vectors_have_a_number_for_each_channel(text, shapes, message):
    weights = {"w": np.ones((2, 1, 2, 2), "f4"), "v": np.ones((1, 2, 2, 2), "f4")}
    f = bl.compile(model(f"x: f32[a, b, c, d]\ns: f32[e]\ny = {text}\nreturn y", 23, **weights))
    with pytest.raises(bl.ShapeError, match=message):
        f(*(np.ones(shape, "f4") for shape in shapes))
    shape = ", ".join(map(str, shapes[0]))
    with pytest.raises((bl.UnsupportedOperations, bl.ShapeError), match=message):
        bl.compile(model(f"x: f32[{shape}]\ny = {text}\nreturn y", 23, **weights, s=np.ones(shapes[1], "f4")))


@pytest.mark.parametrize("known", (True, False))
def test_braces_in_names_stay(known):
    lines = b"".join(field(11, value(name, "f32", [2, 3 if known else name])) for name in ("x {0}", "}y"))
    lines += field(1, node("MatMul", ["x {0}", "}y"], ["z"])) + field(12, field(1, "z"))
    message = "axis 1 of 'x {0}' has the extent 3, but axis 0 of '}y' has 2"
    with pytest.raises((bl.UnsupportedOperations, bl.ShapeError), match=re.escape(message)):
        bl.compile(wrap(lines, 21))(random(2, 3), random(2, 3))


def test_a_summand_of_gemm_spreads():
    f = bl.compile(model("x: f32[n, k]\ny: f32[k, m]\nz: f32[p, q]\nr = Gemm(x, y, z)\nreturn r"))
    x, y = random(2, 3), random(3, 1)
    agree(f(x, y, random(2, 1)), x @ y + random(2, 1))
    with pytest.raises(bl.ShapeError, match="axis 1 of the summand has the extent 4 and cannot be broadcast to 1"):
        f(x, y, random(2, 4))


#: What is of Python and not of the model.
INTERNAL = re.compile(
    r"_\w+\(\)|NoneType|positional|index out of range|object|Error:|to unpack|iterable|between instances"
)


def test_no_message_is_pythons():
    given = [
        {},
        {"axis": 7},
        {"axis": "a"},
        {"axes": 1},
        {"alpha": "x"},
        {"blocksize": 0},
        {"size": 0},
        {"p": 0},
        {"dtype": 99},
    ]
    told = 0
    for (domain, operation), rules in OPERATORS.items():
        for element, rank in (("f32", 2), ("i64", 1), ("i1", 0)):
            for count in range(6):
                names = [f"x{k}" for k in range(count)]
                for options in given if rank else given[:1]:
                    lines = b"".join(field(11, value(name, element, [None] * rank)) for name in names)
                    lines += field(1, node(operation, names, ["y"], domain, **options)) + field(12, field(1, "y"))
                    try:
                        bl.onnx.to_mlir(wrap(lines, max(8, *rules), *([(domain, 1)] if domain else [])), "model")
                    except bl.UnsupportedOperations as problem:
                        told += 1
                        assert not INTERNAL.search(str(problem)), (operation, options)
    assert told > 1000
    with pytest.raises(bl.UnsupportedOperations, match=r"it is given: inputs f32\[\?\]"):
        bl.compile(model("x: f32[n]\nr = EyeLike(x)\nreturn r", 24))
