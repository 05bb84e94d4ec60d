"""Operands of ONNX's operators that say how many or where, and extents that must be those of others."""

import itertools
import re

import broadloom as bl
import numpy as np
import pytest
from onnx_models import agree, model, random


@pytest.mark.parametrize("mode", ["constant", "edge", "reflect", "wrap"])
def test_pads_cut_first(mode):
    """Negative pads cut, and what is left is padded, in each mode."""
    for shape in ("n", "6"):
        f = bl.compile(model(f"x: f32[{shape}]\np: i64[2]\ny = Pad(x, p, mode='{mode}')\nreturn y", 19))
        x = random(6)
        for low, high in itertools.product((-3, -1, 0, 1, 2), repeat=2):
            cut = x[max(0, -low) : 6 - max(0, -high)]
            if not len(cut) and mode != "constant":
                continue
            agree(f(x, np.array([low, high])), np.pad(cut, (max(0, low), max(0, high)), mode=mode))
        with pytest.raises(bl.ShapeError, match=r"'Pad \(x, p\)': negative pads cut 8 elements of axis 0, which has 6"):
            f(x, np.array([-4, -4]))
    for low, high in ((-1, 1), (-2, 3), (0, -1)):
        f = bl.compile(model(f"x: f32[n]\ny = Pad(x, p, mode='{mode}')\nreturn y", 19, p=np.array([low, high])))
        agree(f(x), np.pad(x[max(0, -low) : 6 - max(0, -high)], (max(0, low), max(0, high)), mode=mode))


LENGTHS = {
    "ReverseSequence": (
        "x: f32[t, b]\ns: {}[c]\ny = ReverseSequence(x, s, time_axis=0, batch_axis=1)\nreturn y",
        "the extent of axis 0",
    ),
    "RNN": ("x: f32[t, b, 3]\ns: {}[c]\ny = RNN(x, w, r, _, s, hidden_size=2)\nreturn y", "the number of steps"),
}


@pytest.mark.parametrize("operation", LENGTHS)
@pytest.mark.parametrize("element", ["i64", "i32"])
def test_lengths_are_within_the_axis(operation, element):
    text, of = LENGTHS[operation]
    f = bl.compile(model(text.format(element), w=random(1, 2, 3), r=random(1, 2, 2)))
    dtype = {"i64": "i8", "i32": "i4"}[element]
    x = random(3, 2) if operation == "ReverseSequence" else random(3, 2, 3)
    for lengths in ((0, 3), (1, 2), (3, 3)):
        f(x, np.array(lengths, dtype))
    for lengths, message in (
        ((-1, 2), "the length -1 is less than 0"),
        ((4, 2), f"the length 4 is more than 3, {of}"),
        ((2, 2**31 - 1), f"the length 2147483647 is more than 3, {of}"),
    ):
        with pytest.raises(bl.ShapeError, match=rf"'{operation} \(.*s\)': {message}"):
            f(x, np.array(lengths, dtype))
    with pytest.raises(bl.ShapeError, match="the list of lengths has the extent 1, but there are 2"):
        f(x, np.array([1], dtype))


def test_constant_lengths_are_checked_at_once():
    text = "x: f32[3, 2]\ny = ReverseSequence(x, s)\nreturn y"
    for lengths, message in (
        ([4, 2], "the length 4 is more than 3, the extent of axis 0"),
        ([-2, 0], "the length -2 is less than 0"),
    ):
        with pytest.raises(bl.UnsupportedOperations, match=message):
            bl.compile(model(text, s=np.array(lengths)))
    agree(
        bl.compile(model(text, s=np.array([3, 1])))(random(3, 2)),
        np.stack([random(3, 2)[::-1, 0], random(3, 2)[:, 1]], 1),
    )


def test_axes_of_reversed_sequences():
    with pytest.raises(
        bl.UnsupportedOperations, match="batch_axis 2 and time_axis 0 are not 0 and 1 of an input of 3 axes"
    ):
        bl.compile(model("x: f32[3, 2, 4]\ns: i64[4]\ny = ReverseSequence(x, s, batch_axis=2)\nreturn y"))


@pytest.mark.parametrize("shape", ["n, m", "2, 3", "n, 3"])
@pytest.mark.parametrize("count", ["k", "4"])
def test_more_rows_are_scattered_than_there_are(shape, count):
    """The last one at an index stays."""
    f = bl.compile(model(f"x: f32[{shape}]\ni: i64[{count}, 1]\nu: f32[_, 3]\ny = ScatterND(x, i, u)\nreturn y", 18))
    x, updates = random(2, 3), random(4, 3, seed=1)
    for indices in ([0, 1, 0, -1], [1, 1, 1, 1], [-2, 0, 1, 0]):
        expected = x.copy()
        for at, row in zip(indices, updates):
            expected[at] = row
        agree(f(x, np.array(indices)[:, None], updates), expected)
    with pytest.raises(IndexError, match="ScatterND"):
        f(x, np.array([0, 1, 2, 0])[:, None], updates)
    with pytest.raises(bl.ShapeError, match="ScatterND"):
        f(x, np.array([0, 1, 1, 0])[:, None], random(3, 3))


FITS = [
    (
        "x: f32[t, b, i]\nw: f32[d, g, i2]\nr: f32[d2, g2, h]\nB: f32[d3, g3]\ny, z = LSTM(x, w, r, B)\nreturn y, z",
        [(3, 2, 4), (1, 8, 4), (1, 8, 2), (1, 16)],
        {
            1: ("axis 1 of the weight W has the extent {}, but 8 is needed", 1, 1), 3: ("axis 1 of the bias B has the extent {}, but 16 is needed", 1, 17),
            2: ("axis 1 of the recurrence R has the extent {}, but 8 is needed", 1, 9),
        },
    ),
    (
        "x: f32[t, b, i]\nw: f32[d, g, i2]\nr: f32[d2, g2, h]\nB: f32[d3, g3]\ns: f32[d4, b2, h2]\ny = GRU(x, w, r, B, _, s)\nreturn y",
        [(3, 2, 4), (1, 6, 4), (1, 6, 2), (1, 12), (1, 2, 2)],
        {4: ("axis 1 of the first state has the extent {}, but 2 is needed", 1, 1), 3: ("axis 0 of the bias B has the extent {}, but 1 is needed", 0, 2)},
    ),
    (
        "x: f32[b, h, s, d]\nc: f32[m, e]\ns: f32[m2, e2]\np: i64[b2, s2]\ny = RotaryEmbedding(x, c, s, p)\nreturn y",
        [(2, 3, 4, 6), (5, 3), (5, 3), (2, 4)],
        {
            1: ("axis 1 of the cos_cache has the extent {}, but 3 is needed", 1, 1), 2: ("axis 1 of the sin_cache has the extent {}, but 3 is needed", 1, 1),
            3: ("axis 0 of the position_ids has the extent {}, but 2 is needed", 0, 1),
        },
    ),
    (
        "q: f32[b, h, s, d]\nk: f32[b, g, t, d]\nv: f32[b, f, t, e]\ny = Attention(q, k, v)\nreturn y",
        [(2, 4, 3, 6), (2, 2, 5, 6), (2, 2, 5, 6)],
        {0: ("{} heads of the queries are no multiple of the heads of the keys", 1, 3), 2: ("axis 1 of the value has the extent {}, but 2 is needed", 1, 1)},
    ),
    (
        "x: f32[b, s, d]\nu: f32[b2, t, d2]\ni: i64[b3]\ny = TensorScatter(x, u, i)\nreturn y",
        [(2, 4, 3), (2, 2, 3), (2,)],
        {1: ("axis 2 of the update has the extent {}, but 3 is needed", 2, 1), 2: ("axis 0 of the write_indices has the extent {}, but 2 is needed", 0, 1)},
    ),
    ("x: f32[b, d]\nz: f32[b2, d2]\ny = SwiGLU(x, z)\nreturn y", [(2, 4), (2, 4)], {1: ("axis 1 of the second operand has the extent {}, but 4 is needed", 1, 1)}),
    (
        "x: f32[b, d]\ns: f32[b2, d2]\ny = DequantizeLinear(q, s, axis=1, block_size=2)\nq = QuantizeLinear(x, s, axis=1, block_size=2)\nreturn q",
        [(3, 4), (3, 2)],
        {1: ("a scale or a zero point of blocks has the extent {} along axis 0, but 3 is needed", 0, 1)},
    ),
    ("x: f32[b, m, n]\ni: i64[b2, 1]\ny = GatherND(x, i, batch_dims=1)\nreturn y", [(2, 3, 4), (2, 1)], {1: ("axis 0, of which batches are, has {} elements in the indices, but 2 in the data", 0, 1)}),
]  # fmt: skip


@pytest.mark.parametrize(
    "text, shapes, wrong", FITS, ids=lambda v: re.search(r"= (\w+)", v)[1] if isinstance(v, str) else ""
)
def test_extents_that_do_not_fit_are_not_repeated(text, shapes, wrong):
    """An extent of 1 would broadcast, silently."""
    text = "\n".join(line for line in text.splitlines() if not line.startswith("y = Dequantize"))
    f = bl.compile(model(text, 28))
    element = lambda shape, number: np.zeros(shape, "i8") if ": i64[" in text.splitlines()[number] else random(*shape)
    call = lambda given: f(*(element(shape, number) for number, shape in enumerate(given)))
    call(shapes)
    for number, (message, axis, extent) in wrong.items():
        given = [list(shape) for shape in shapes]
        given[number][axis] = extent
        with pytest.raises(bl.ShapeError, match=re.escape(message.format(extent))):
            call(given)


def test_the_hidden_size_is_the_recurrences():
    text = "x: f32[t, b, 3]\ny = RNN(x, w, r, hidden_size=4)\nreturn y"
    with pytest.raises(bl.UnsupportedOperations, match="the recurrence R is of 2 elements, but hidden_size is 4"):
        bl.compile(model(text, w=random(1, 2, 3), r=random(1, 2, 2)))


@pytest.mark.parametrize("operation", ["ArgMax", "ArgMin", "GlobalMaxPool"])
def test_nothing_has_no_largest_element(operation):
    shape = "2, 3, n" if operation == "GlobalMaxPool" else "n"
    f = bl.compile(model(f"x: f32[{shape}]\ny = {operation}(x)\nreturn y"))
    axis = 2 if operation == "GlobalMaxPool" else 0
    with pytest.raises(
        bl.ShapeError, match=rf"'{operation} \(x\)': axis {axis} has 0 elements, of which none is the largest"
    ):
        f(random(2, 3, 0) if axis else random(0))


def test_an_update_of_nothing_leaves_a_cache_as_it_is():
    f = bl.compile(model("x: f32[b, s, d]\nu: f32[b, t, d]\ni: i64[b]\ny = TensorScatter(x, u, i)\nreturn y", 24))
    x = random(2, 4, 3)
    agree(f(x, random(2, 0, 3), np.array([4, 0])), x)
    agree(f(x, random(2, 1, 3, seed=1), np.array([3, 0]))[0, :3], x[0, :3])


def test_an_image_without_a_row_is_not_transposed():
    f = bl.compile(model("x: f32[1, 1, h, v]\ny = ConvTranspose(x, w)\nreturn y", w=random(1, 1, 3, 3)))
    with pytest.raises(bl.ShapeError, match=r"'ConvTranspose \(x, w\)': the image has 0 elements along axis 3"):
        f(random(1, 1, 2, 0))


#: Operands of 64 bits that say how many or where, by the program: the operator, the other arguments, and how many there are.
X = random(2, 3)
NUMBERS = [
    ("x: f32[n, m]\nr: i64[2]\ny = Tile(x, r)\nreturn y", [X], 2),
    ("x: f32[n, m]\nr: i64[2]\ny = Expand(x, r)\nreturn y", [X], 2),
    ("x: f32[1, m]\nr: i64[2]\ny = Expand(x, r)\nreturn y", [X[:1]], 2),
    ("x: f32[n, m]\nr: i64[2]\ny = Reshape(x, r)\nreturn y", [X], 2),
    ("x: f32[n, m]\nr: i64[2]\ny = CenterCropPad(x, r)\nreturn y", [X], 2),
    ("x: f32[n, m]\nr: i64[4]\ny = Pad(x, r)\nreturn y", [X], 4),
    ("x: f32[n, m]\nr: i64[4]\ny = Pad(x, r, mode='wrap')\nreturn y", [X], 4),
    ("r: i64[2]\ny = ConstantOfShape(r)\nreturn y", [], 2),
    ("x: f32[1, 1, n, m]\nr: i64[4]\ny = Resize(x, _, _, r, mode='linear')\nreturn y", [X[None, None]], 4),
    ("x: i64[n]\nv: f32[2]\nr: i64\ny = OneHot(x, r, v)\nreturn y", [np.arange(3), X[:, 0]], 0),
    ("x: f32[n, m]\nr: i64[1]\ny, i = TopK(x, r)\nreturn y", [X], 1),
    ("x: f32[n, m]\nr: i64\ny = Trilu(x, r)\nreturn y", [X], 0),
    ("x: f32[n, m]\nb: i64[2]\nr: i64[2]\ny = Slice(x, r, b)\nreturn y", [X, np.array([2, 2])], 2),
    ("x: f32[n, m]\nb: i64[2]\nr: i64[2]\ny = Slice(x, b, r)\nreturn y", [X, np.array([0, 1])], 2),
    ("x: f32[n, m]\nr: i64[2]\na, y = Split(x, r, axis=1)\nreturn y", [X], 2),
    ("x: f32[n, m]\nr: i64[2]\ny = Gather(x, r)\nreturn y", [X], 2),
    ("x: f32[n, m]\nr: i64[1, 2]\ny = GatherND(x, r)\nreturn y", [X], 2),
    ("x: f32[n, m]\nr: i64[2, 1]\ny = GatherElements(x, r)\nreturn y", [X], 2),
    ("x: f32[n, m]\nu: f32[1]\nr: i64[1, 2]\ny = ScatterND(x, r, u)\nreturn y", [X, X[0, :1]], 2),
    ("x: f32[n, m]\nu: f32[2, 1]\nr: i64[2, 1]\ny = ScatterElements(x, r, u)\nreturn y", [X, X[:, :1]], 2),
    ("a: i64\nc: i64\nr: i64\ny = Range(a, r, c)\nreturn y", [np.array(0), np.array(1)], 0),
    ("a: i64\nc: i64\nr: i64\ny = Range(r, c, a)\nreturn y", [np.array(-1), np.array(1)], 0),
    ("a: i64\nc: i64\nr: i64\ny = Range(a, c, r)\nreturn y", [np.array(0), np.array(9)], 0),
    ("x: f32[n, m]\nr: i64[m]\ny = ReverseSequence(x, r, time_axis=0, batch_axis=1)\nreturn y", [X], 3),
    (
        "x: f32[n, 2, m]\nu: f32[n, 1, m]\nr: i64[n]\ny = TensorScatter(x, u, r)\nreturn y",
        [X[:, None].repeat(2, 1), X[:, None]],
        2,
    ),
]
FAR = (-(2**63), -(2**32) - 1, -3, -1, 0, 1, 2, 2**43, 2**62, 2**63 - 1)


@pytest.mark.parametrize(
    "text, given, count", NUMBERS, ids=lambda v: re.search(r"= (\w+)", v)[1] if isinstance(v, str) else ""
)
def test_any_number_is_checked_or_harmless(text, given, count):
    """Each one alone among small ones: the results are of this call, or the error names the node."""
    f = bl.compile(model(text, 24), name="m")
    shape = re.search(r"r: i64(?:\[(.*)\])?", text)[1]
    shape = [] if shape is None else [int(n) if n.isdigit() else {"n": 2, "m": 3}[n] for n in shape.split(", ")]
    told = 0
    for at, far, near in itertools.product(range(max(count, 1)), FAR, (0, 1)):
        numbers = np.full(shape, near)
        numbers.reshape(-1)[at] = far
        try:
            y = f(*given, numbers)
        except (bl.ShapeError, MemoryError) as problem:
            told += 1
            # A tensor that no memory holds has its place alone.
            assert isinstance(problem, MemoryError) or re.search(rf"m:1:1: '{operator_of(text)} \(", str(problem)), str(
                problem
            )
        else:
            assert y.size <= 2**24
    assert told or operator_of(text) in ("Trilu", "Slice")


def operator_of(text):
    return re.search(r"= (\w+)", text)[1]


@pytest.mark.parametrize(
    "q, k, v",
    [
        ((2, 0, 4, 8), (2, 0, 6, 8), (2, 0, 6, 8)),
        ((2, 3, 4, 0), (2, 3, 6, 0), (2, 3, 6, 5)),
        ((2, 4, 4, 8), (2, 2, 6, 8), (2, 2, 6, 0)),
    ],
)
def test_attention_of_nothing(q, k, v):
    """No heads, or heads of no elements, whatever types say."""
    arrays = [random(*shape) for shape in (q, k, v)]
    for shapes in ((q, k, v), ("b, h, s, d", "b, g, t, d", "b, g, t, e")):
        listed = [shape if isinstance(shape, str) else ", ".join(map(str, shape)) for shape in shapes]
        f = bl.compile(
            model("q: f32[{}]\nk: f32[{}]\nv: f32[{}]\ny = Attention(q, k, v)\nreturn y".format(*listed), 23)
        )
        assert f(*arrays).shape == (*q[:3], v[3])
    with pytest.raises(bl.ShapeError, match="3 heads of the queries are no multiple of the heads of the keys"):
        f(random(2, 3, 4, 8), random(2, 0, 6, 8), random(2, 0, 6, 8))
