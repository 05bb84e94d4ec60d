"""Branches of ONNX that give tensors of other ranks: voice-activity models squeeze an axis where its extent is 1."""

import re

import broadloom as bl
import numpy as np
import pytest
from onnx_models import agree, graph, model, random

SQUEEZED = graph("t = Squeeze(x, last)\nreturn t", last=np.array([2]))
WHOLE = graph("e = Identity(x)\nreturn e")
HEAD = """
    x: f32[b, c, t]
    s = Shape(x)
    e = Gather(s, two)
    is_one = Equal(e, one)
    q = If(is_one, then_branch=squeezed, else_branch=whole, name='choice')
    """
GIVEN = {"two": np.array(2), "one": np.array(1), "squeezed": SQUEEZED, "whole": WHOLE}


def forked(text, declared=None, **given):
    return model(HEAD + text, 17, declared=declared, **GIVEN, **given)


def chosen(x):
    return x[:, :, 0] if x.shape[2] == 1 else x


SHAPES = ((2, 3, 1), (2, 3, 4), (1, 1, 1), (0, 2, 1), (0, 2, 3))


def test_what_is_behind_joins():
    f = bl.compile(forked("z = Relu(q)\ny = Reshape(z, rows)\nreturn y", rows=np.array([-1, 3])))
    for t in (1, 4):
        x = random(2, 3, t)
        agree(f(x), np.maximum(x, 0).reshape(-1, 3))


def test_many_nodes_stand_between():
    steps = "\n".join(f"z{i + 1} = {'Neg' if i % 2 else 'Relu'}(z{i})" for i in range(13))
    f = bl.compile(forked(f"z0 = Identity(q)\n{steps}\ny = ReduceSum(z13, keepdims=0)\nreturn y"))
    for shape in SHAPES:
        x = random(*shape)
        expected = np.maximum(x, 0)
        for i in range(1, 13):
            expected = -expected if i % 2 else np.maximum(expected, 0)
        agree(f(x), np.asarray(expected.sum(), "f4"), 1e-4)


def test_shapes_of_what_is_behind():
    """The shape is numbers that each branch has its own count of."""
    f = bl.compile(
        forked(
            """
        p = Shape(q)
        n = Size(q)
        first = Gather(p, zero)
        u = Unsqueeze(first, axes)
        rest = Concat(u, minus, axis=0)
        y = Reshape(q, rest)
        return y, n
        """,
            zero=np.array(0),
            axes=np.array([0]),
            minus=np.array([-1]),
        )
    )
    for shape in SHAPES[:3]:
        y, n = f(random(*shape))
        agree(y, random(*shape).reshape(shape[0], -1))
        assert n == np.prod(shape)


def test_nodes_beside_the_branches_are_computed_once():
    """They stand between, and what is behind reads them."""
    f = bl.from_onnx(
        forked("""
        w = Exp(x)
        r = ReduceSum(w, keepdims=0)
        z = Mul(q, r)
        k = ReduceMax(z, keepdims=0)
        m = Add(k, r)
        y = Mul(z, m)
        n = ReduceSum(y, keepdims=0)
        return n, r
        """)
    )
    assert f.mlir.count("math.exp") == 1
    for shape in ((2, 3, 1), (2, 3, 4)):
        x = random(*shape)
        r = np.exp(x).sum()
        z = chosen(x) * r
        n, got = f(x)
        agree(got, np.asarray(r), 1e-4)
        np.testing.assert_allclose(n, (z * (z.max() + r)).sum(), rtol=1e-3)


def test_two_branches_that_meet():
    text = """
        f = Gather(s, zero)
        is_other = Equal(f, one)
        p = If(is_other, then_branch=first, else_branch=whole)
        v = ReduceSum(q, keepdims=0)
        u = ReduceMax(p, keepdims=0)
        z = Add(v, u)
        o = Size(p)
        w = Size(q)
        k = Mul(p, v)
        y = ReduceSum(k, keepdims=0)
        return z, o, w, y
        """
    first = graph("t = Squeeze(x, axes)\nreturn t", axes=np.array([0]))
    f = bl.compile(forked(text, first=first, zero=np.array(0)))
    for shape in ((2, 3, 1), (2, 3, 4), (1, 3, 4), (1, 3, 1)):
        x = random(*shape)
        z, o, w, y = f(x)
        agree(z, np.asarray(x.sum() + x.max()), 1e-4)
        assert o == w == x.size
        agree(y, np.asarray((x * x.sum()).sum()), 1e-3)


def test_branches_in_branches_loops_and_functions():
    inner = graph(
        """
        q = If(is_one, then_branch=squeezed, else_branch=whole)
        z = Relu(q)
        y = ReduceSum(z, keepdims=0)
        return y
        """,
        squeezed=SQUEEZED,
        whole=WHOLE,
    )
    other = graph("k = ReduceMax(x, keepdims=0)\nreturn k")
    f = bl.compile(model("""
        x: f32[b, c, t]
        flag: i1
        s = Shape(x)
        e = Gather(s, two)
        is_one = Equal(e, one)
        y = If(flag, then_branch=inner, else_branch=other)
        return y
        """, 17, two=np.array(2), one=np.array(1), inner=inner, other=other))  # fmt: skip
    for t in (1, 3):
        x = random(2, 3, t)
        agree(f(x, np.array(True)), np.asarray(np.maximum(x, 0).sum()), 1e-4)
        agree(f(x, np.array(False)), np.asarray(x.max()))
    body = graph(
        """
        i: i64
        c: i1
        v: f32
        q = If(is_one, then_branch=squeezed, else_branch=whole)
        z = Mul(q, v)
        d = ReduceSum(z, keepdims=0)
        k = Identity(c)
        return k, d
        """,
        squeezed=SQUEEZED,
        whole=WHOLE,
    )
    f = bl.compile(model("""
        x: f32[b, c, t]
        n: i64
        start: f32
        s = Shape(x)
        e = Gather(s, two)
        is_one = Equal(e, one)
        y = Loop(n, _, start, body=body)
        return y
        """, 17, two=np.array(2), one=np.array(1), body=body))  # fmt: skip
    for t in (1, 3):
        x = random(2, 3, t)
        agree(f(x, np.array(2), np.float32(1)), np.asarray(x.sum() ** 2), 1e-3)


def test_only_one_branch_fits_what_is_behind():
    """A call checks that it is this one."""
    f = bl.from_onnx(forked("y = Transpose(q, perm=[1, 0], name='turn')\nreturn y"), name="m.onnx")
    agree(f(random(2, 3, 1)), random(2, 3, 1)[:, :, 0].T)
    message = "its else branch cannot be taken: node 5 (Transpose 'turn'): it does not fit what it is given: perm [1, 0] is no order of 3 axes (inputs q; opset 17)"
    assert any(message in row.constraint and row.location == "m.onnx:4:1" for row in f.check())
    with pytest.raises(
        bl.ShapeError,
        match=r"m.onnx:4:1: 'Squeeze \(x, last\)': axis 2 of 'x' has the extent 4, and cannot be dropped, which takes 1",
    ):
        f(random(2, 3, 4))
    f = bl.from_onnx(forked("y = Transpose(q, perm=[2, 1, 0])\nreturn y"))
    agree(f(random(2, 3, 4)), random(2, 3, 4).T)
    with pytest.raises(bl.ShapeError, match="its then branch cannot be taken: node 5"):
        f(random(2, 3, 1))


def test_the_declared_rank_of_an_output_tells_the_branch():
    f = bl.compile(forked("y = Neg(q)\nreturn y", {"y": ("f32", ["b", "c"])}))
    agree(f(random(2, 3, 1)), -random(2, 3, 1)[:, :, 0])
    message = "else branch cannot be taken: the output 'y': it has 3 axes, but the model declares 2"
    assert any(message in row.constraint for row in f.check())
    with pytest.raises(bl.ShapeError, match=r"'Squeeze \(x, last\)': axis 2 of 'x' has the extent 4"):
        f(random(2, 3, 4))
    f = bl.compile(forked("y = Neg(q)\nreturn y", {"y": ("f32", ["b", "c", "t"])}))
    agree(f(random(2, 3, 4)), -random(2, 3, 4))
    with pytest.raises(
        bl.ShapeError, match="then branch cannot be taken: the output 'y': it has 2 axes, but the model declares 3"
    ):
        f(random(2, 3, 1))


def test_no_result_has_two_ranks_and_shapes_decide():
    data = forked("y = Neg(q)\nreturn y")
    message = (
        "node 4 (If 'choice'): If: its branches give f32[?, ?] and f32[?, ?, ?] as 'y', of which one result cannot be made; "
        "give shapes= or constants= that decide its condition"
    )
    with pytest.raises(bl.UnsupportedOperations, match=re.escape(message)):
        bl.compile(data)
    agree(bl.from_onnx(data, shapes={"x": (None, None, 1)})(random(2, 3, 1)), -random(2, 3, 1)[:, :, 0])
    agree(bl.from_onnx(data, shapes={"x": (None, None, 4)})(random(2, 3, 4)), -random(2, 3, 4))


def test_neither_branch_fits_what_is_behind():
    with pytest.raises(bl.UnsupportedOperations) as caught:
        bl.compile(forked("y = Transpose(q, perm=[3, 2, 1, 0])\nreturn y"))
    assert len(caught.value.operations) == 3
    assert "axis 3 is outside of the 2 axes" in str(caught.value) and "axis 3 is outside of the 3 axes" in str(
        caught.value
    )


def test_what_is_wrong_behind_the_branches_is_told_once():
    for steps in (1, 6):
        chain = "\n".join(f"z{i + 1} = Relu(z{i})" for i in range(steps))
        with pytest.raises(bl.UnsupportedOperations) as caught:
            bl.compile(
                forked(f"r = ReduceSum(q, keepdims=0)\nz0 = Foo(r)\n{chain}\nk = NonZero(z0)\nreturn z{steps}, k")
            )
        assert [name for name, _, _ in caught.value.operations] == ["Foo"]


def test_elements_of_other_types():
    f = bl.compile(
        model(
            """
        x: f32[n]
        c: i1
        q = If(c, then_branch=wide, else_branch=whole)
        z = Mul(q, q)
        y = Cast(z, to=1)
        return y
        """,
            17,
            wide=graph("w = Cast(x, to=11)\nreturn w"),
            whole=WHOLE,
        )
    )
    for flag in (True, False):
        agree(f(random(3), np.array(flag)), random(3) ** 2)


def test_weights_of_both_branches_are_one_argument():
    w = random(150, 150)
    f = bl.from_onnx(model("""
        x: f32[b, 150, t]
        s = Shape(x)
        e = Gather(s, two)
        is_one = Equal(e, one)
        q = If(is_one, then_branch=squeezed, else_branch=turned)
        z = MatMul(q, w)
        y = Reshape(z, rows)
        return y
        """, 17, w=w, two=np.array(2), one=np.array(1), squeezed=SQUEEZED, rows=np.array([-1, 150]),
        turned=graph("e = Transpose(x, perm=[0, 2, 1])\nreturn e")))  # fmt: skip
    assert len(f.weights) == 1
    for t in (1, 2):
        x = random(2, 150, t)
        agree(f(x), (np.swapaxes(x, 1, 2).reshape(-1, 150) @ w), 1e-3)
