"""Sequences of ONNX: a model whose sequences are known at import is a program of their tensors."""

import re

import broadloom as bl
import numpy as np
import pytest
from onnx_models import graph, model

X = np.arange(12, dtype=np.float32).reshape(6, 2)


def number(n):
    return np.array(n, np.int64)


def run(text, *arrays, **given):
    return bl.compile(model(text, **given), optimise=False)(*arrays)


@pytest.mark.parametrize(
    "text, expected",
    [
        ("s = SequenceConstruct(x, y, x)\nr = ConcatFromSequence(s, axis=-1)", lambda x, y: np.concatenate([x, y, x], -1)),
        ("s = SequenceConstruct(x, y)\nr = ConcatFromSequence(s, axis=1, new_axis=1)", lambda x, y: np.stack([x, y], 1)),
        ("s = SequenceConstruct(x, y)\nr = ConcatFromSequence(s, axis=-1, new_axis=1)", lambda x, y: np.stack([x, y], -1)),
        ("s = SequenceConstruct(x, y)\nr = SequenceAt(s, one)", lambda x, y: y),
        ("s = SequenceConstruct(x, y)\nr = SequenceAt(s, last)", lambda x, y: y),
        ("e = SequenceEmpty()\ns = SequenceInsert(e, x)\nt = SequenceInsert(s, y, zero)\nr = ConcatFromSequence(t, axis=0)",
         lambda x, y: np.concatenate([y, x])),
        ("s = SequenceConstruct(x, y, x)\nt = SequenceErase(s, one)\nu = SequenceErase(t)\nr = ConcatFromSequence(u, axis=0)",
         lambda x, y: x),
        ("s = SequenceConstruct(x, y, x)\nt = Identity(s)\nn = SequenceLength(t)\nf = Cast(n, to=1)\nr = Mul(x, f)",
         lambda x, y: x * 3),
        ("s = SplitToSequence(x, sizes)\na = SequenceAt(s, zero)\nb = SequenceAt(s, last)\nr = Sub(a, b)",
         lambda x, y: x[:2] - x[4:]),
        ("s = SequenceMap(q, y, body=body)\nr = ConcatFromSequence(s, axis=0)", lambda x, y: np.concatenate([x + y, y + y])),
    ],
)  # fmt: skip
def test_they_are_taken_apart(text, expected):
    body = graph("a: f32[n, 2]\nb: f32[n, 2]\nc = Add(a, b)\nreturn c")
    head = "x: f32[n, 2]\ny: f32[n, 2]\n" + ("q = SequenceConstruct(x, y)\n" if "q," in text else "")
    given = {"zero": number(0), "one": number(1), "last": number(-1), "sizes": np.array([2, 2, 2]), "body": body}
    given = {name: value for name, value in given.items() if re.search(rf"\b{name}\b", text)}
    found = run(head + text + "\nreturn r", X, X + 3, **given)
    np.testing.assert_array_equal(found, expected(X, X + 3))


@pytest.mark.parametrize(
    "text, shapes",
    [
        ("s = SplitToSequence(x)", [(1, 2)] * 6),
        ("s = SplitToSequence(x, keepdims=0)", [(2,)] * 6),
        ("s = SplitToSequence(x, four)", [(4, 2), (2, 2)]),
        ("s = SplitToSequence(x, one, axis=-1, keepdims=0)", [(6, 1), (6, 1)]),
    ],
)
def test_parts_of_an_axis(text, shapes):
    given = {"four": number(4), "one": number(1)}
    given = {name: value for name, value in given.items() if name in text}
    places = {f"p{i}": number(i) for i in range(len(shapes))}
    ats = "\n".join(f"r{i} = SequenceAt(s, p{i})" for i in range(len(shapes)))
    results = ", ".join(f"r{i}" for i in range(len(shapes)))
    found = run(f"x: f32[6, 2]\n{text}\n{ats}\nreturn {results}", X, **given, **places)
    assert [r.shape for r in found] == shapes
    np.testing.assert_array_equal(
        np.concatenate([r.reshape(-1) for r in found]), X.T.reshape(-1) if "-1" in text else X.reshape(-1)
    )


def test_a_loop_of_known_steps_carries_them():
    body = graph(
        "i: i64\nc: i1\ns: f32[n]\nf = Cast(i, to=1)\nv = Mul(x, f)\nt = SequenceInsert(s, v)\n"
        "d = Identity(c)\nw = Identity(v)\nreturn d, t, w"
    )
    text = "x: f32[n]\ne = SequenceEmpty()\ns, w = Loop(three, _, e, body=body)\nr = ConcatFromSequence(s, axis=0, new_axis=1)\nreturn r, w"
    f = bl.compile(model(text, body=body, three=number(3)), optimise=False)
    for count in (2, 5):
        x = np.arange(1, count + 1, dtype=np.float32)
        for found in f(x):
            np.testing.assert_array_equal(found, [x * 0, x, x * 2])


def test_branches_give_as_many():
    one = graph("u = Neg(x)\ns = SequenceConstruct(x, u)\nt = Identity(x)\nreturn s, t")
    other = graph("u = SequenceConstruct(y, x)\nt = Add(x, y)\nreturn u, t")
    f = bl.compile(
        model(
            "p: i1\nx: f32[n]\ny: f32[n]\ns, t = If(p, then_branch=one, else_branch=other)\n"
            "r = ConcatFromSequence(s, axis=0)\nreturn r, t",
            one=one,
            other=other,
        ),
        optimise=False,
    )
    x, y = np.float32([1, 2]), np.float32([5, 6])
    for given, expected in ((True, ([1, 2, -1, -2], [1, 2])), (False, ([5, 6, 1, 2], [6, 8]))):
        for found, wanted in zip(f(np.array(given), x, y), expected):
            np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize(
    "text, message",
    [
        ("s = SplitToSequence(x)\ny = SequenceAt(s, zero)\nreturn y",
         "SplitToSequence: how many tensors it gives is decided by the open extent of axis 0; give the extent with shapes="),
        ("s = SequenceConstruct(x)\ny = SequenceAt(s, p)\nreturn y", "SequenceAt: its position must be a constant"),
        ("s = SequenceConstruct(x)\ny = SequenceAt(s, two)\nreturn y", "position 2 is outside of a sequence of 1 tensor"),
        ("s = SequenceConstruct(x, p)\ny = SequenceAt(s, zero)\nreturn y", "its inputs have elements of f32 and i64, not of"),
        ("s = SequenceConstruct(x)\nt = SequenceInsert(s, p)\ny = SequenceAt(t, zero)\nreturn y",
         "a tensor of i64 is put into a sequence of f32"),
        ("s = SequenceEmpty()\ny = ConcatFromSequence(s, axis=0)\nreturn y", "nothing can be made of an empty sequence"),
        ("s = SequenceEmpty()\nt = SequenceErase(s)\ny = SequenceLength(t)\nreturn y", "the sequence is empty"),
        ("y = SequenceLength(x)\nreturn y", "its first input is a tensor, but it takes a sequence"),
        ("s = SequenceConstruct(x)\ny = Relu(s)\nreturn y",
         "Relu: its input 0 is a sequence of 1 tensor of f32, but it takes tensors; use SequenceAt"),
        ("s = SequenceConstruct(x)\nt = Loop(p, _, s, body=body)\ny = SequenceAt(t, zero)\nreturn y",
         "a loop that carries a sequence, and whose number of steps is not a constant"),
        ("s = SequenceConstruct(x)\nc = Cast(p, to=9)\nt = Loop(two, c, s, body=body)\ny = SequenceAt(t, zero)\nreturn y",
         "a loop that carries a sequence, and whose first condition is not a constant"),
        ("s = SequenceConstruct(x)\nt, u = Loop(two, _, s, body=collecting)\ny = SequenceAt(t, zero)\nreturn y",
         "a loop collects tensors, and its graph gives a sequence to collect"),
        ("c = Cast(p, to=9)\ns = If(c, then_branch=branch, else_branch=longer)\ny = SequenceAt(s, zero)\nreturn y",
         "If: its branches give sequences of other numbers of tensors, of which a call would have to choose"),
    ],
)  # fmt: skip
def test_what_a_program_cannot_know(text, message):
    body = graph("i: i64\nc: i1\ns: f32[n]\nt = Identity(s)\nd = Identity(c)\nreturn d, t")
    branch = graph("s = SequenceConstruct(x)\nreturn s")
    longer = graph("s = SequenceConstruct(x, x)\nreturn s")
    collecting = graph("i: i64\nc: i1\ns: f32[n]\nt = Identity(s)\nu = Identity(s)\nd = Identity(c)\nreturn d, t, u")
    given = {
        "zero": number(0),
        "two": number(2),
        "body": body,
        "branch": branch,
        "longer": longer,
        "collecting": collecting,
    }
    given = {name: value for name, value in given.items() if re.search(rf"\b{name}\b", text)}
    with pytest.raises(bl.UnsupportedOperations, match=re.escape(message)):
        bl.compile(model("x: f32[n]\np: i64\n" + text, **given))


def test_branches_may_give_empty_sequences():
    empty = graph("e = SequenceEmpty(dtype=1)\nreturn e")
    text = "c = Cast(p, to=9)\ns = If(c, then_branch=empty, else_branch=empty)\nt = SequenceInsert(s, x)\ny = SequenceAt(t, zero)"
    f = bl.compile(model(f"x: f32[n]\np: i64\n{text}\nreturn y", zero=number(0), empty=empty))
    x = np.arange(3, dtype=np.float32)
    np.testing.assert_array_equal(f(x, np.array(1)), x)


# Sequences that the model takes and gives: each is as many arguments, or results, as it has tensors.

MERGED = "s: sequence_f32[n, 2]\nx: f32[n, 2]\nt = SequenceInsert(s, x)\nreturn t, x"


def test_a_model_takes_and_gives_them():
    f = bl.from_onnx(model(MERGED), shapes={"s": [None, (3, 2)]}, optimise=False)
    assert f.shapes() == [("n", 2), (3, 2), ("n", 2), ("n", 2)]
    found = f(X[:3], X[3:], X[1:4])
    for got, expected in zip(found, [X[:3], X[3:], X[1:4], X[1:4]], strict=True):
        np.testing.assert_array_equal(got, expected)
    with pytest.raises(bl.ShapeError, match="argument 'x', axis 0 has extent 2, but 'n' is 3"):
        f(X[:3], X[3:], X[:2])


def test_they_may_be_constants_and_empty():
    f = bl.from_onnx(model(MERGED), constants={"s": [X[:1], X[1:]]}, shapes={"x": (2, 2)}, optimise=False)
    assert [r.shape for r in f(X[:2])] == [(1, 2), (5, 2), (2, 2), (2, 2)]
    f = bl.from_onnx(model("s: sequence_f32[n]\nx: f32[n]\nreturn s, x"), shapes={"s": []}, optimise=False)
    np.testing.assert_array_equal(f(X[0]), X[0])


@pytest.mark.parametrize(
    "given, kind, message",
    [
        (
            {},
            ValueError,
            r"the input 's' is a sequence, of which a program .* give shapes={'s': \[\(...\), \(...\)\]} with a",
        ),
        ({"shapes": {"s": 2}}, TypeError, "gives the input 's' 2, which is no list of shapes"),
        ({"shapes": {"s": "ab"}}, TypeError, "gives the input 's' 'ab', which is no list of shapes"),
        ({"shapes": {"s": [(1, 2), (3,)]}}, ValueError, "tensor 1 of the input 's' has 2 axes, but shapes= gives 1"),
        (
            {"shapes": {"s": (1, 2)}},
            TypeError,
            "shapes= gives tensor 0 of the input 's' 1, which is no list of extents",
        ),
        (
            {"constants": {"s": X}},
            TypeError,
            "gives 's' as ndarray, but the input is a sequence: give a list of arrays",
        ),
        ({"constants": {"s": [X[0]]}}, ValueError, "gives 's' with the shape .2., but the input has .'n', 2."),
    ],
)
def test_what_a_sequence_is_given_as(given, kind, message):
    with pytest.raises(kind, match=message):
        bl.from_onnx(model(MERGED), **given)


@pytest.mark.parametrize("extents", ["[b, 6]", "[2, 6]"])
def test_a_loop_picks_a_tensor_in_each_step(extents):
    """The sequence is around the loop, whose number of steps is that of its tensors."""
    body = graph("i: i64\nk: i1\nt = SequenceAt(s, i)\nr = ReduceSum(t, keepdims=0)\ng = Identity(k)\nreturn g, r")
    text = (
        f"x: f32{extents}\ns = SplitToSequence(x, sizes, axis=1)\nn = SequenceLength(s)\n"
        "y = Loop(n, _, body=body)\nreturn y"
    )
    x = np.arange(12, dtype=np.float32).reshape(2, 6)
    f = bl.compile(model(text, body=body, sizes=np.array([2, 3, 1])))
    np.testing.assert_allclose(f(x), [x[:, :2].sum(), x[:, 2:5].sum(), x[:, 5:].sum()])
    text = text.replace("Loop(n,", "Loop(p,").replace("x: f32", "p: i64\nx: f32")
    with pytest.raises(bl.UnsupportedOperations, match="SequenceAt: its position must be a constant"):
        bl.compile(model(text, body=body, sizes=np.array([2, 3, 1])))
