"""Operators of ONNX at the edges of what they take. Values are those of NumPy, or of
ONNX Runtime where it is named."""

import re

import broadloom as bl
import numpy as np
import pytest
from onnx_models import agree, graph, model, random


def number(*numbers):
    return np.array(numbers if len(numbers) > 1 else numbers[0], "i8")


def refused(text, message, opset=21, **weights):
    with pytest.raises(bl.UnsupportedOperations, match=re.escape(message)):
        bl.compile(model(text, opset, **weights))


# Extents.


def test_differences_of_extents_may_be_negative():
    f = bl.compile(
        model(
            """
        x: f32[n]
        s = Shape(x)
        d = Sub(s, five)
        less = Less(d, minus)
        half = Div(d, two)
        rest = Mod(d, two, fmod=1)
        own = Mod(d, two)
        return less, half, rest, own
        """,
            five=number([5]),
            minus=number([-1]),
            two=number([2]),
        )
    )
    for n in (2, 4, 5, 8):
        d = n - 5
        found = [int(v[0]) for v in f(random(n))]
        assert found == [d < -1, int(d / 2), int(np.fmod(d, 2)), d % 2]


def test_extents_themselves_are_known_not_to_be():
    """What is made of them is decided, and computed as extents are."""
    f = bl.from_onnx(
        model(
            """
        x: f32[n, m]
        s = Shape(x)
        p = Mul(s, s)
        less = Less(p, minus)
        half = Div(p, two)
        rest = Mod(half, two, fmod=1)
        return less, half, rest
        """,
            minus=number([-1, -1]),
            two=number([2, 2]),
        )
    )
    assert "loom.map" not in f.mlir
    for found, expected in zip(f(random(3, 5)), ([False, False], [4, 12], [0, 0]), strict=True):
        np.testing.assert_array_equal(found, expected)


def test_a_branch_that_a_difference_decides():
    f = bl.compile(
        model(
            """
        x: f32[n]
        s = Shape(x)
        d = Sub(s, five)
        e = Squeeze(d)
        c = Equal(e, minus)
        y = If(c, then_branch=then_branch, else_branch=else_branch)
        return y
        """,
            five=number([5]),
            minus=number(-3),
            then_branch=graph("t = Neg(x)\nreturn t"),
            else_branch=graph("s = Identity(x)\nreturn s"),
        )
    )
    agree(f(random(2)), -random(2))
    agree(f(random(3)), random(3))


def test_constants_of_short_floats_are_divided_as_floats():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    short = lambda *numbers: np.array(numbers, ml_dtypes.bfloat16)
    f = bl.compile(model("d = Div(p, q)\ny = Cast(d, to=1)\nreturn y", p=short(1, 7), q=short(4, 2)))
    np.testing.assert_array_equal(f(), [0.25, 3.5])


# Parts.


def test_sizes_of_a_split_are_those_of_the_axis():
    text = "x: f32[{}]\na, b = Split(x, s)\nreturn a, b"
    f = bl.compile(model(text.format("n"), s=number([2, 3])))
    a, b = f(random(5))
    agree(np.concatenate([a, b]), random(5))
    with pytest.raises(
        bl.ShapeError, match=r"'Split \(x, s\)': the sizes of its parts are 5 together, but axis 0 has 7"
    ):
        f(random(7))
    message = "the sizes of its parts are 5 together, but axis 0 has 7"
    refused(text.format("7"), message, s=number([2, 3]))
    refused("a, b = Split(x, s)\nreturn a, b", message, x=random(7), s=number([2, 3]))
    refused(text.format("1"), "the size -2 of a part is negative", s=number([3, -2]))
    refused("x: f32[6]\na, b = Split(x, s)\nreturn a, b", "3 sizes are given for 2 outputs", 13, s=number([1, 2, 3]))


def test_only_a_count_of_outputs_leaves_a_smaller_one():
    refused("x: f32[5]\na, b = Split(x)\nreturn a, b", "2 parts of one size are 4 together, but axis 0 has 5", 13)
    f = bl.compile(model("x: f32[n]\na, b = Split(x)\nreturn a, b", 13))
    agree(f(random(4))[1], random(4)[2:])
    with pytest.raises(bl.ShapeError, match="2 parts of one size are 4 together, but axis 0 has 5"):
        f(random(5))
    f = bl.compile(model("x: f32[n]\na, b, c = Split(x, num_outputs=3)\nreturn a, b, c", 18))
    assert [len(v) for v in f(random(5))] == [2, 2, 1]
    # ONNX Runtime refuses it too.
    with pytest.raises(bl.ShapeError, match="2 parts of one size are 2 together, but axis 0 has 1"):
        f(random(1))


def test_no_more_of_the_largest_than_there_are():
    text = "x: f32[{}]\ny, i = TopK(x, k)\nreturn y, i"
    f = bl.compile(model(text.format("n"), k=number([5])))
    agree(f(random(6))[0], np.sort(random(6))[:0:-1])
    with pytest.raises(bl.ShapeError, match=r"5.* 3"):
        f(random(3))
    with pytest.raises(bl.UnsupportedOperations, match=r"5.* 3"):
        bl.compile(model(text.format("3"), k=number([5])))


def test_axes_of_flatten():
    for axis, shape in ((0, (1, 6)), (2, (6, 1)), (-2, (1, 6)), (-1, (2, 3))):
        assert bl.compile(model(f"x: f32[n, 3]\ny = Flatten(x, axis={axis})\nreturn y"))(random(2, 3)).shape == shape
    refused("x: f32[2, 3]\ny = Flatten(x, axis=5)\nreturn y", "axis 5 is outside of the 2 axes of its input")


# Images.


def test_the_larger_half_is_cut_from_the_start():
    """As ONNX Runtime does."""
    text = "x: f32[1, 1, {}]\ny = ConvTranspose(x, w, strides=[2], output_shape=[6]{})\nreturn y"
    w = np.array([[[1, 10, 100]]], "f4")
    x = np.array([[[1, 2, 3]]], "f4")
    for size in ("3", "k"):
        agree(bl.compile(model(text.format(size, ""), w=w))(x), np.array([[[10, 102, 20, 203, 30, 300]]], "f4"))
    upper = bl.compile(model(text.format("3", ", auto_pad='SAME_UPPER'"), w=w))
    agree(upper(x), np.array([[[1, 10, 102, 20, 203, 30]]], "f4"))


@pytest.mark.parametrize("operation", ["Conv", "ConvTranspose"])
def test_groups_take_all_channels(operation):
    shape = (4, 2, 1) if operation == "Conv" else (4, 1, 1)
    text = f"x: f32[1, {{}}, k]\ny = {operation}(x, w, group=2)\nreturn y"
    f = bl.compile(model(text.format("c"), w=np.ones(shape, "f4")))
    x = random(1, 4, 3)
    sums = x.reshape(1, 2, 2, 3).sum(2)
    agree(f(x), np.repeat(sums, 2, 1) if operation == "Conv" else sums)
    with pytest.raises(bl.ShapeError, match="the image has 6 channels, but 2 groups of 2 take 4"):
        f(random(1, 6, 3))
    refused(text.format("6"), "the image has 6 channels, but 2 groups of 2 take 4", w=np.ones(shape, "f4"))
    for groups in (3, 0):
        refused(
            text.format("6").replace("group=2", f"group={groups}"),
            f"{groups} groups do not divide the 4 channels of the weight",
            w=np.ones(shape, "f4"),
        )


def test_groups_of_a_norm_take_all_channels():
    numbers = {name: np.ones(6, "f4") for name in "sb"}
    text = "x: f32[n, c, k]\ny = GroupNormalization(x, s, b, num_groups=3)\nreturn y"
    f = bl.compile(model(text, **numbers))
    x = random(2, 6, 4)
    parts = x.reshape(2, 3, 8)
    normal = (parts - parts.mean(-1, keepdims=True)) / np.sqrt(parts.var(-1, keepdims=True) + 1e-5)
    agree(f(x), normal.reshape(x.shape) + 1)
    with pytest.raises(bl.ShapeError, match="3 groups of one size take 6 channels, but the image has 8"):
        f(random(2, 8, 4))
    refused(text.replace("num_groups=3", "num_groups=0"), "0 groups of channels; at least 1 is needed", **numbers)


def test_cubic_samples_beside_the_border():
    """Values of ONNX Runtime: the coordinates that are read are moved, and not the weights."""
    x = (np.array([1, 5, 2, 9]) * np.array([[1], [2], [3], [4]])).astype("f4").reshape(1, 1, 4, 4)
    grid = np.array([[[[at, 0.1] for at in (-1.6, -1.2, -1.05, -0.9, 0.5, 1.1, 2.0)]]], "f4")
    f = bl.compile(
        model(
            """
        x: f32[n, 1, h, w]
        g: f32[n, a, b, 2]
        y = GridSample(x, g, mode='cubic', padding_mode='border')
        return y
        """,
            20,
        )
    )
    agree(f(x, grid), np.array([2.658, 2.586, 1.892, 1.486, 13.871, 24.801, 23.922], "f4").reshape(1, 1, 1, 7), 1e-3)


# Quantized.


def test_scales_of_rows():
    f = bl.compile(model("""
        x: ui8[m, 2]
        y = QLinearMatMul(x, xs, xz, w, ws, wz, ys, yz)
        return y
        """, xs=np.array([1, 10], "f4"), xz=np.array([0, 1], "u1"), w=np.array([[1, 0, 2], [0, 1, 2]], "u1"),
        ws=np.array([1, 2, 1], "f4"), wz=np.zeros(3, "u1"), ys=np.array([1, 5], "f4"),
        yz=np.array([0, 3], "u1")))  # fmt: skip
    # Rows (1, 2) and (2, 3), times 1 and 10; columns times 1, 2, 1; rows over 1 and 5.
    np.testing.assert_array_equal(f(np.array([[1, 2], [3, 4]], "u1")), [[1, 4, 6], [7, 15, 23]])


def test_zero_points_of_wide_integers():
    f = bl.compile(
        model("x: i32[n]\ny = DequantizeLinear(x, s, z)\nreturn y", s=np.array(0.5, "f4"), z=np.array(2**24, "i4"))
    )
    np.testing.assert_array_equal(f(np.array([2**24 + 1, 2**24 + 3], "i4")), np.array([0.5, 1.5], "f4"))


@pytest.mark.parametrize("inside, outside", [(1, 1), (1, 3), (1, 9), (5, 2), (8, 8)])
@pytest.mark.parametrize("rank", [1, 2, 3])
def test_groups_are_one_contraction(rank, inside, outside):
    """Also groups of one channel each, with one kernel for it and with several."""
    numbers, groups = np.random.default_rng(rank), 7
    weight = numbers.normal(size=(groups * outside, inside, *[3] * rank)).astype("f4")
    bias = numbers.normal(size=groups * outside).astype("f4")
    axes = ", ".join("abc"[:rank])
    text = f"x: f32[n, {groups * inside}, {axes}]\ny = Conv(x, w, b, group={groups}, pads={[1] * 2 * rank})\nreturn y"
    f = bl.from_onnx(model(text, w=weight, b=bias))
    assert f.mlir.count("loom.contract(") == 1
    for shape in ((2, 9, 4, 6), (1, 4, 14, 5)):
        x = numbers.normal(size=(shape[0], groups * inside, *shape[1 : rank + 1])).astype("f4")
        padded = np.pad(x, [(0, 0)] * 2 + [(1, 1)] * rank)
        windows = np.lib.stride_tricks.sliding_window_view(padded, [3] * rank, range(2, rank + 2))
        parts = windows.reshape(shape[0], groups, inside, *x.shape[2:], 3**rank)
        expected = np.einsum("ngc...k,gock->ngo...", parts, weight.reshape(groups, outside, inside, 3**rank))
        expected = expected.reshape(shape[0], -1, *x.shape[2:]) + bias.reshape(-1, *[1] * rank)
        np.testing.assert_allclose(f(x), expected, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("groups", [1, 2])
def test_long_sums_of_convolutions(groups):
    """More products than f32 sums exactly."""
    numbers = np.random.default_rng(0)
    channels = 500
    x = numbers.integers(200, 256, (1, groups * channels, 3, 4), "u1")
    w = numbers.integers(100, 128, (2 * groups, channels, 3, 3), "i1")
    f = bl.compile(
        model(f"x: ui8[n, c, 3, 4]\ny = ConvInteger(x, w, z, group={groups})\nreturn y", w=w, z=np.array(1, "u1"))
    )
    windows = np.lib.stride_tricks.sliding_window_view(x.astype("i8") - 1, (3, 3), (2, 3))
    parts = windows.reshape(1, groups, channels, 1, 2, 3, 3)
    expected = np.einsum("ngchwij,gocij->ngohw", parts, w.astype("i8").reshape(groups, 2, channels, 3, 3))
    np.testing.assert_array_equal(f(x), expected.reshape(1, 2 * groups, 1, 2))
