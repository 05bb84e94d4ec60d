"""Models of ONNX, without the package onnx; test/onnx/ has the same with it."""

import os
import re
import subprocess
import sys

import broadloom as bl
import numpy as np
import pytest
from onnx_models import agree, field, graph, model, random, wrap


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


# Models.


def test_perceptron():
    w, v, b = random(8, 3), random(8, 4, seed=1), random(8, seed=2)
    f = bl.compile(
        model(
            """
        x: f32[batch, 3]
        h = Gemm(x, w, b, transB=1)
        r = Relu(h)
        y = MatMul(r, v)
        return y
        """,
            w=w,
            v=v,
            b=b,
        )
    )
    for batch in (1, 2, 5, 0):
        x = random(batch, 3)
        agree(f(x), np.maximum(x @ w.T + b, 0) @ v)
    assert "batchx3xf32" in repr(f)


def test_attention_with_computed_shapes():
    """As exporters write it: the shape of a reshape is computed from the input's."""
    heads, size = np.array([2], "i8"), np.array([3], "i8")
    w = random(6, 6)
    f = bl.compile(model("""
        x: f32[batch, length, 6]
        q = MatMul(x, w)
        s = Shape(x)
        b = Gather(s, first, axis=0)
        p = Gather(s, second, axis=0)
        bu = Unsqueeze(b, zero)
        pu = Unsqueeze(p, zero)
        shape = Concat(bu, pu, heads, size, axis=0)
        split = Reshape(q, shape)
        turned = Transpose(split, perm=[0, 2, 1, 3])
        keys = Transpose(split, perm=[0, 2, 3, 1])
        scores = MatMul(turned, keys)
        weights = Softmax(scores, axis=-1)
        mixed = MatMul(weights, turned)
        back = Transpose(mixed, perm=[0, 2, 1, 3])
        whole = Concat(bu, pu, minus, axis=0)
        y = Reshape(back, whole)
        return y
        """, w=w, first=np.array(0, "i8"), second=np.array(1, "i8"), zero=np.array([0], "i8"),
        heads=heads, size=size, minus=np.array([-1], "i8")))  # fmt: skip
    for batch, length in ((1, 1), (2, 5), (3, 4)):
        x = random(batch, length, 6)
        q = (x @ w).reshape(batch, length, 2, 3).transpose(0, 2, 1, 3)
        expected = softmax(q @ q.transpose(0, 1, 3, 2)) @ q
        agree(f(x), expected.transpose(0, 2, 1, 3).reshape(batch, length, 6), 1e-4)


def test_convolutions_with_a_residual():
    w = random(4, 4, 3, 3) / 6
    scale, bias, mean, var = (np.abs(random(4, seed=i)) + 0.5 for i in range(4))
    text = model(
        """
        x: f32[n, 4, h, w_]
        c = Conv(x, w, pads=[1, 1, 1, 1], kernel_shape=[3, 3])
        b = BatchNormalization(c, scale, bias, mean, var)
        r = Relu(b)
        s = Add(r, x)
        p = MaxPool(s, kernel_shape=[2, 2], strides=[2, 2])
        g = GlobalAveragePool(p)
        y = Flatten(g)
        return y
        """,
        w=w,
        scale=scale,
        bias=bias,
        mean=mean,
        var=var,
    )
    f = bl.compile(text)
    for n, height, width in ((1, 4, 4), (2, 7, 5)):
        x = random(n, 4, height, width)
        padded = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
        windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), (2, 3))
        c = np.einsum("nchwij,ocij->nohw", windows, w)
        by = lambda a: a[:, None, None]
        s = np.maximum((c - by(mean)) / np.sqrt(by(var) + 1e-5) * by(scale) + by(bias), 0) + x
        rows, columns = height // 2, width // 2
        p = s[:, :, : 2 * rows, : 2 * columns].reshape(n, 4, rows, 2, columns, 2).max((3, 5))
        agree(f(x), p.mean((2, 3)), 1e-4)


def test_quantized():
    x = random(3, 4)
    f = bl.compile(
        model(
            """
        x: f32[n, 4]
        q = QuantizeLinear(x, scale, zero)
        y = DequantizeLinear(q, scale, zero)
        return q, y
        """,
            scale=np.array(0.1, "f4"),
            zero=np.array(3, "u1"),
        )
    )
    q, y = f(x)
    expected = np.clip(np.round(x / np.float32(0.1)) + 3, 0, 255).astype("u1")
    np.testing.assert_array_equal(q, expected)
    agree(y, (expected.astype("f4") - 3) * np.float32(0.1))


def test_sums_of_bytes_are_exact():
    """Beyond what f32 holds."""
    random = np.random.default_rng(0)
    a, b = random.integers(0, 256, (3, 600), "u1"), random.integers(0, 256, (600, 2), "u1")
    for inner in ("600", "k"):
        f = bl.compile(
            model(
                f"""
            a: ui8[n, {inner}]
            b: ui8[{inner}, 2]
            y = MatMulInteger(a, b, z)
            return y
            """,
                z=np.array(128, "u1"),
            )
        )
        np.testing.assert_array_equal(f(a, b), (a.astype("i4") - 128) @ b.astype("i4"))


BRANCH = dict(then_branch=graph("t = Exp(x)\nreturn t"), else_branch=graph("s = Concat(x, x, axis=0)\nreturn s"))


def test_branches():
    f = bl.compile(
        model("c: i1\nx: f32[n]\ny = If(c, then_branch=then_branch, else_branch=else_branch)\nreturn y", **BRANCH)
    )
    x = random(3)
    agree(f(np.array(True), x), np.exp(x))
    agree(f(np.array(False), x), np.concatenate([x, x]))


def test_what_a_branch_makes_stays_inside():
    """Extents and numbers without a sign are used inside and behind."""
    then_branch = graph("m = Shape(u)\nk = Cast(m, to=2)\nt = Add(u, k)\nreturn t")
    else_branch = graph("s = Max(u, v)\nreturn s")
    f = bl.compile(
        model(
            """
        c: i1
        u: ui8[n]
        v: ui8[n]
        y = If(c, then_branch=then_branch, else_branch=else_branch)
        w = Max(u, v)
        m = Shape(u)
        k = Cast(m, to=2)
        z = Add(w, k)
        return y, z
        """,
            then_branch=then_branch,
            else_branch=else_branch,
        )
    )
    u, v = np.array([1, 200, 3], "u1"), np.array([4, 5, 255], "u1")
    for which, expected in ((True, u + np.uint8(3)), (False, np.maximum(u, v))):
        y, z = f(np.array(which), u, v)
        np.testing.assert_array_equal(y, expected)
        np.testing.assert_array_equal(z, np.maximum(u, v) + np.uint8(3))


def test_a_branch_that_is_known():
    f = bl.compile(
        model(
            "x: f32[n]\ny = If(c, then_branch=then_branch, else_branch=else_branch)\nreturn y",
            c=np.array(False),
            **BRANCH,
        )
    )
    agree(f(random(3)), np.tile(random(3), 2))


def test_loop():
    """Doubles what it carries until it is large, and keeps each step."""
    body = graph(
        """
        i: i64
        go: i1
        a: f32[3]
        b = Add(a, a)
        m = ReduceMax(b, keepdims=0)
        on = Less(m, limit)
        return on, b, b
        """,
        limit=np.array(100, "f4"),
    )
    f = bl.compile(
        model(
            """
        most: i64
        x: f32[3]
        y, steps = Loop(most, yes, x, body=body)
        return y, steps
        """,
            body=body,
            yes=np.array(True),
        )
    )
    x = np.array([1, 2, 3], "f4")
    for most, count in ((2, 2), (0, 0), (50, 6)):
        y, steps = f(np.array(most), x)
        agree(y, x * 2**count)
        agree(steps, np.stack([x * 2 ** (i + 1) for i in range(count)]) if count else np.zeros((0, 3), "f4"))


def test_a_loop_that_counts():
    """Nothing in the body ends it, so that its rows have their indices before it begins."""
    body = graph("""
        i: i64
        go: i1
        a: f32[n]
        b = Add(a, x)
        on = Identity(go)
        return on, b, b
        """)
    f = bl.compile(
        model(
            """
        most: i64
        x: f32[n]
        y, steps = Loop(most, _, x, body=body)
        return y, steps
        """,
            body=body,
        )
    )
    for count in (3, 0):
        y, steps = f(np.array(count), random(4))
        agree(y, random(4) * (count + 1))
        agree(steps, np.array([random(4) * (i + 2) for i in range(count)], "f4").reshape(count, 4))


def test_lstm():
    size, width = 3, 2
    w, r, b = random(1, 4 * size, width), random(1, 4 * size, size, seed=1), random(1, 8 * size, seed=2)
    f = bl.compile(
        model(
            """
        x: f32[length, batch, 2]
        y, h, c = LSTM(x, w, r, b, hidden_size=3)
        return y, h, c
        """,
            w=w,
            r=r,
            b=b,
        )
    )
    sigmoid = lambda x: 1 / (1 + np.exp(-x))
    for length, batch in ((5, 2), (1, 1)):
        x, h, c, rows = random(length, batch, width), np.zeros((batch, size)), np.zeros((batch, size)), []
        for row in x:
            i, o, k, g = np.split(row @ w[0].T + h @ r[0].T + b[0, : 4 * size] + b[0, 4 * size :], 4, 1)
            c = sigmoid(k) * c + sigmoid(i) * np.tanh(g)
            h = sigmoid(o) * np.tanh(c)
            rows.append(h)
        found = f(x)
        for got, expected in zip(found, (np.array(rows)[:, None], h[None], c[None]), strict=True):
            agree(got, expected.astype("f4"))


def test_scan():
    body = graph("s: f32[2]\nx: f32[2]\nt = Add(s, x)\nreturn t, t")
    f = bl.compile(
        model("s: f32[2]\nx: f32[n, 2]\nl, y = Scan(s, x, body=body, num_scan_inputs=1)\nreturn l, y", body=body)
    )
    last, whole = f(random(2), random(5, 2, seed=1))
    expected = random(2) + random(5, 2, seed=1).cumsum(0)
    agree(last, expected[-1])
    agree(whole, expected.astype("f4"))


def test_shapes_that_are_data():
    f = bl.compile(model("x: f32[n, m]\nshape: i64[2]\ny = Reshape(x, shape)\nreturn y"))
    x = random(4, 6)
    for shape in ((3, 8), (-1, 2), (0, -1), (24, 1)):
        agree(f(x, np.array(shape)), x.reshape([4 if n == 0 else n for n in shape]))


def test_functions_of_the_model():
    twice = field(1, "Twice") + field(4, "a") + field(5, "b") + field(6, "by") + field(10, "own")
    scale = field(1, field(21, "by") + field(1, "value_float") + field(20, 1))
    scale = field(2, "s") + field(4, "Constant") + field(5, field(1, "value_float") + field(20, 1) + field(21, "by"))
    multiply = field(1, "a") + field(1, "s") + field(2, "b") + field(4, "Mul")
    twice += field(7, scale) + field(7, multiply) + field(9, field(2, 21))
    data = wrap(graph("x: f32[n]\ny = own.Twice(x, by=3.0)\nreturn y"), 21, ("own", 1)) + field(25, twice)
    agree(bl.compile(data)(random(4)), random(4) * 3)


def test_large_constants_are_computed_by_the_program():
    text = "y = Range(zero, many, two)\ns = ReduceSum(y, keepdims=0)\nt = Tile(one, times)\nz = ReduceSum(t, keepdims=0)\nreturn s, z"
    number = lambda n: np.array(n, "i8")
    f = bl.compile(
        model(text, zero=number(0), many=number(10**9), two=number(2000), one=number([1]), times=number([10**6]))
    )
    s, z = f()
    assert (s, z) == (sum(range(0, 10**9, 2000)), 10**6) and len(f.program.emit("loom")) < 10**5


# Extents.


def test_names_of_extents_are_checked():
    f = bl.compile(model("x: f32[n, 2]\ny: f32[n, 2]\nz = Add(x, y)\nreturn z"), name="m.onnx")
    agree(f(random(3, 2), random(3, 2)), random(3, 2) * 2)
    with pytest.raises(bl.ShapeError, match="argument 'y', axis 0 has extent 1, but 'n' is 3"):
        f(random(3, 2), random(1, 2))


def test_formulas_and_names_of_all_kinds():
    f = bl.compile(model('x: f32["my n", k, 2 * k + 1]\nto: f32["my n", "where"]\ny = Add(x, x)\nreturn y'))
    agree(f(random(2, 1, 3), random(2, 5)), random(2, 1, 3) * 2)
    with pytest.raises(bl.ShapeError, match="axis 2 has extent 4"):
        f(random(2, 1, 4), random(2, 5))
    with pytest.raises(bl.ShapeError, match="'my_n' is 2"):
        f(random(2, 1, 3), random(3, 5))


def test_texts_that_are_no_formulas():
    """A number as a text is a name, and what stands for no name is none."""
    f = bl.compile(model('x: f32["1", "?", "None", ""]\ny: f32["1", "?", "?", "None"]\nz = Relu(x)\nreturn z, y'))
    agree(f(random(3, 1, 2, 3), random(3, 2, 4, 5))[1], random(3, 2, 4, 5))
    with pytest.raises(bl.ShapeError, match="argument 'y', axis 0 has extent 2, but '_' is 3"):
        f(random(3, 1, 2, 3), random(2, 2, 4, 5))


def test_shapes_and_constants_of_the_caller():
    text = model("x: f32[2, 3]\naxes: i64[1]\ny = ReduceSum(x, axes, keepdims=0)\nreturn y")
    f = bl.from_onnx(text, shapes={"x": (None, "m")}, constants={"axes": [1]})
    agree(f(random(5, 4)), random(5, 4).sum(1))
    for wrong, kind, message in (
        (dict(shapes={"z": (1,)}), ValueError, "shapes= names 'z', which is no input of the model; inputs are: 'x'"),
        (dict(constants={"z": 1}), ValueError, "constants= names 'z'"),
        (dict(constants={"axes": [1.5]}), TypeError, "constants= gives 'axes' as float64, but the input has elements of int64"),
        (dict(constants={"axes": np.array([1], "i4")}), TypeError, "as int32, but the input has elements of int64; give it as .astype('int64')"),
        (dict(constants={"axes": [2**63]}), (TypeError, ValueError), "constants= gives 'axes'"),
        (dict(constants={"axes": [1, 2]}), ValueError, r"with the shape [2], but the input has [1]"),
        (dict(shapes={"x": (1,)}), ValueError, "the input 'x' has 2 axes, but shapes= gives 1"),
        (dict(shapes={"x": (1, 2.5)}), TypeError, "the extent 2.5 of the input 'x', axis 1, is no number, name or None"),
        (dict(shapes={"x": (1, -2)}), ValueError, "the extent -2 of the input 'x', axis 1, is negative"),
    ):  # fmt: skip
        with pytest.raises(kind, match=re.escape(message)):
            bl.from_onnx(text, **{"constants": {"axes": [1]}, **wrong})


def test_mismatches_have_the_node():
    text = model("x: f32[2, 3]\nh = Relu(x)\ny = Add(h, w, name='join')\nreturn y", w=random(4))
    with pytest.raises(bl.ShapeError, match=r"m.onnx:2:1: error: 'Add join \(h, w\)': operands") as caught:
        bl.compile(text, name="m.onnx")
    assert "loom.map" not in str(caught.value)


@pytest.mark.skipif("BROADLOOM_TEST_INSTALLED" in os.environ, reason="scripts are in the repository")
def test_the_page_lists_all_operators():
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    build = os.environ.get("BROADLOOM_BUILD", os.path.join(root, "build"))
    script = os.path.join(root, "scripts", "onnx-operators")
    done = subprocess.run([sys.executable, script, "--check", "--build", build], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
