"""The importer of PyTorch's graphs: what each operation computes, against NumPy."""

import itertools

import broadloom as bl
import numpy as np
import pytest
from torch_graphs import Graph, agree, random

# Operations, of x [a, b] and y [b].

HEAD = """
a = symbol(1, None)
b = symbol(1, None)
x: f32[a, b] = input()
y: f32[b] = input()
"""
ONE = [
    ("f32[a, b]", "aten.add.Tensor(x, y, alpha=2)", lambda x, y: x + 2 * y),
    ("f32[a, b]", "aten.rsub.Scalar(x, 3)", lambda x, y: 3 - x),
    ("i1[2]", "aten.lt.Scalar(aten_bytes, 300)", lambda x, y: np.array([True, False])),
    ("i8[2]", "aten.clamp.default(aten_bytes, -1000, 300)", lambda x, y: np.array([1, 100], "i1")),
    ("f32[()]", "prims.convert_element_type.default(a, f32)", lambda x, y: np.float32(len(x))),
    ("f32[a, b]", "aten.div.Tensor(x, y)", lambda x, y: x / y),
    ("i1[a, b]", "aten.gt.Tensor(x, y)", lambda x, y: x > y),
    ("f32[a, b]", "aten.clamp.default(x, -1, 0.5)", lambda x, y: np.clip(x, -1, np.float32(0.5))),
    ("f32[a]", "aten.sum.dim_IntList(x, [1])", lambda x, y: x.sum(1)),
    ("f32[a, 1]", "aten.amax.default(x, [-1], True)", lambda x, y: x.max(1, keepdims=True)),
    ("f32[()]", "aten.mean.default(x)", lambda x, y: x.mean()),
    ("i64[a]", "aten.argmax.default(x, 1)", lambda x, y: x.argmax(1)),
    ("i64[()]", "aten.argmax.default(x)", lambda x, y: x.argmax()),
    ("i64[1, 1]", "aten.argmax.default(x, None, True)", lambda x, y: x.argmax(keepdims=True)),
    ("f32[a]", "aten.var.correction(x, [1], correction=-0.5)", lambda x, y: x.var(1, ddof=-0.5)),
    ("f32[b]", "aten.var.correction(x, [0], correction=0)", lambda x, y: x.var(0)),
    ("f32[b, a]", "aten.permute.default(x, [1, 0])", lambda x, y: x.T),
    ("f32[a * b]", "aten.view.default(x, [a * b])", lambda x, y: x.reshape(-1)),
    ("f32[a, 1, b]", "aten.unsqueeze.default(x, 1)", lambda x, y: x[:, None]),
    ("f32[2, a, b]", "aten.expand.default(x, [2, a, b])", lambda x, y: np.broadcast_to(x, (2, *x.shape))),
    ("f32[2 * a, b]", "aten.cat.default([x, x])", lambda x, y: np.concatenate([x, x])),
    ("f32[a, b - 1]", "aten.slice.Tensor(x, 1, 1, 9223372036854775807)", lambda x, y: x[:, 1:]),
    ("f32[b]", "aten.select.int(x, 0, -1)", lambda x, y: x[-1]),
    ("f32[a, b]", "aten.roll.default(x, [1], [1])", lambda x, y: np.roll(x, 1, 1)),
    ("f32[a, b]", "aten.roll.default(x, [-3], [0])", lambda x, y: np.roll(x, -3, 0)),
    (
        "f32[a, b + 3]",
        "aten.constant_pad_nd.default(x, [1, 2], 7.0)",
        lambda x, y: np.pad(x, ((0, 0), (1, 2)), constant_values=7),
    ),
    ("f32[a, b]", "aten.tril.default(x)", lambda x, y: np.tril(x)),
    ("f32[a, b]", "aten.triu.default(x, 1)", lambda x, y: np.triu(x, 1)),
    ("f32[a, b]", "aten.cumsum.default(x, 1)", lambda x, y: x.cumsum(1)),
    ("f32[a, b]", "aten.cumsum.default(x, 0)", lambda x, y: x.cumsum(0)),
    ("i64[a, b]", "aten.argsort.stable(x, stable=True, dim=1)", lambda x, y: x.argsort(1, kind="stable")),
    ("f32[2 * a, 3 * b]", "aten.repeat.default(x, [2, 3])", lambda x, y: np.tile(x, (2, 3))),
    ("f32[a, b]", "aten.full_like.default(x, 3)", lambda x, y: np.full_like(x, 3)),
    ("i64[b]", "aten.arange.start_step(0, 2 * b, 2)", lambda x, y: np.arange(0, 2 * len(y), 2)),
    ("f32[a, b]", "aten._softmax.default(x, 1, False)", lambda x, y: np.exp(x) / np.exp(x).sum(1, keepdims=True)),
    ("f32[a, b]", "aten.pow.Tensor_Scalar(x, 2)", lambda x, y: x * x),
    ("f32[a, b]", "aten.where.self(aten_mask, x, y)", lambda x, y: np.where(x > 0, x, y)),
    ("f32[a]", "aten.mv.default(x, y)", lambda x, y: x @ y),
    ("f32[a, 2]", "aten.index.Tensor(x, [None, picked])", lambda x, y: x[:, [0, 0]]),
    ("f32[2]", "aten.index.Tensor(x, [picked, picked])", lambda x, y: x[[0, 0], [0, 0]]),
    ("f32[2, b]", "aten.embedding.default(x, picked)", lambda x, y: x[[0, 0]]),
]


@pytest.mark.parametrize(
    "type_, call, expected", ONE, ids=[call.split("(")[0][5:] + str(i) for i, (_, call, _) in enumerate(ONE)]
)
def test_operation(type_, call, expected):
    f = Graph(
        HEAD
        + "aten_mask: i1[a, b] = aten.gt.Scalar(x, 0)\n"
        + "picked: i64[2] = constant([0, 0])\n"
        + "aten_bytes: i8[2] = constant([1, 100])\n"
        + f"r: {type_} = {call}\nreturn r\n"
    )
    for a, b in [(1, 1), (2, 5), (7, 3), (1, 64), (40, 2)]:
        x, y = random(a, b), random(b, seed=1)
        wanted = np.asarray(expected(x, y))
        agree(f(x, y), wanted.astype("f4") if wanted.dtype == np.float64 else wanted)


def test_the_first_of_an_order():
    f = Graph(
        HEAD
        + "top: (f32[a, 1], i64[a, 1]) = aten.topk.default(x, 1, 1)\n"
        + "value: f32[a, 1] = top[0]\nindex: i64[a, 1] = top[1]\n"
        + "kth: (f32[b], i64[b]) = aten.kthvalue.default(x, 1, 0)\nleast: f32[b] = kth[0]\n"
        + "return value, index, least\n"
    )
    for a, b in [(1, 1), (2, 5), (40, 700)]:
        x, y = random(a, b), random(b, seed=1)
        value, index, least = f(x, y)
        np.testing.assert_array_equal(value, x.max(1, keepdims=True))
        np.testing.assert_array_equal(index, x.argmax(1)[:, None])
        np.testing.assert_array_equal(least, x.min(0))


def test_scatter():
    f = Graph(
        """
n = symbol(1, None)
s = symbol(1, None)
x: f32[n, 4] = input()
i: i64[s, 4] = input()
y: f32[s, 4] = input()
a: f32[n, 4] = aten.scatter_add.default(x, 0, i, y)
b: f32[n, 4] = aten.scatter.value(x, -2, i, 2.5)
c: f32[n, 4] = aten.index_put.default(x, [None, c0], y0)
d: f32[n, 4] = aten.scatter_reduce.two(x, 0, i, y, 'amax', include_self=False)
return a, b, c, d
""".replace("a: f32", "c0: i64[2] = constant([1, 3])\ny0: f32[()] = constant(7.0)\na: f32", 1)
    )
    for n, s in ((1, 2), (5, 3), (7, 9), (3, 1), (20, 40)):
        x, y = random(n, 4), random(s, 4, seed=1)
        i = np.random.default_rng(2).integers(0, n, (s, 4))
        a, b, c, d = f(x, i, y)
        added, put, largest = x.copy(), x.copy(), x.copy()
        columns = np.broadcast_to(np.arange(4), i.shape)
        np.add.at(added, (i, columns), y)
        put[i, columns] = 2.5
        largest[i, columns] = -np.inf
        np.maximum.at(largest, (i, columns), y)
        agree(a, added)
        agree(b, put)
        agree(d, largest)
        x[:, [1, 3]] = 7
        agree(c, x)


def test_layer_norm_has_statistics_of_the_graphs_types():
    """PyTorch gives those of short floats in one type or another."""
    for element in ("f16", "f32"):
        f = Graph(f"""
n = symbol(1, None)
x: f16[n, 4] = input()
r: (f16[n, 4], {element}[n, 1], {element}[n, 1]) = aten.native_layer_norm.default(x, [4], None, None, 1e-05)
y: f16[n, 4] = r[0]
m: {element}[n, 1] = r[1]
return y, m
""")
        x = random(3, 4).astype("f2")
        y, mean = f(x)
        wide = x.astype("f4")
        rest = wide - wide.mean(1, keepdims=True)
        agree(y, (rest / np.sqrt(wide.var(1, keepdims=True) + 1e-5)).astype("f2"), 2e-3)
        agree(mean, wide.mean(1, keepdims=True).astype({"f16": "f2", "f32": "f4"}[element]), 1e-3)


def test_convolution_of_one_image():
    f = Graph("""
h = symbol(2, None)
x: f32[2, h] = input()
w: f32[3, 2, 2] = input()
y: f32[3, h - 1] = aten.conv1d.default(x, w)
return y
""")
    x, w = random(2, 5), random(3, 2, 2, seed=1)
    agree(f(x, w), np.stack([sum(np.convolve(x[i], k[i, ::-1], "valid") for i in range(2)) for k in w]))


def test_attention_as_torch_writes_it_for_the_processor():
    f = Graph("""
n = symbol(1, None)
q: f32[1, 4, n, 8] = input()
k: f32[1, 2, n, 8] = input()
r: (f32[1, 4, n, 8], f32[1, n, 4]) = aten._scaled_dot_product_flash_attention_for_cpu.default(q, k, k)
y: f32[1, 4, n, 8] = r[0]
return y
""")
    q, k = random(1, 4, 5, 8), random(1, 2, 5, 8, seed=1)
    wide = k.repeat(2, axis=1)
    power = np.exp(q @ wide.transpose(0, 1, 3, 2) / np.sqrt(8, dtype="f4"))
    agree(f(q, k), power / power.sum(-1, keepdims=True) @ wide)


@pytest.mark.parametrize(
    "operation, mode, numpys", (("reflection", "reflect", "reflect"), ("replication", "replicate", "edge"))
)
@pytest.mark.parametrize("pads", ((1, 1), (-1, 1), (-4, 1), (-2, -2)))
def test_padding_repeats_what_is_there(operation, mode, numpys, pads):
    """Batches may be empty; channels and what is padded may not."""
    f = Graph(f"""
a = symbol(0, None)
b = symbol(0, None)
n = symbol(0, None)
x: f32[a, b, n] = input()
y: f32[a, b, n + {sum(pads)}] = aten.{operation}_pad1d.default(x, {list(pads)})
return y
""")
    cut, wide = [max(-n, 0) for n in pads], [max(n, 0) for n in pads]
    for shape in itertools.product((0, 2), (0, 1), (0, 4, 5, 6)):
        x = random(*shape)
        empty = [
            f"axis {axis} has 0 elements, but padding with mode '{mode}' needs 1" for axis in (1, 2) if not shape[axis]
        ]
        if not shape[2] + sum(pads) > 0:
            empty.append(f"axis 2 has {shape[2]} elements, of which the pads {pads[0]} and {pads[1]} leave none")
        if empty:
            with pytest.raises(bl.ShapeError, match="|".join(empty)):
                f(x)
        else:
            whole = (
                np.pad(x, ((0, 0), (0, 0), tuple(wide)), numpys)
                if x.size
                else np.zeros((*shape[:2], shape[2] + sum(wide)), "f4")
            )
            agree(f(x), whole[:, :, cut[0] : whole.shape[2] - cut[1]])


def test_steps_are_extents():
    f = Graph("""
n = symbol(0, None)
k = symbol(0, None)
x: f32[n, 2] = input()
step: int[k] = input()
y: f32[(n + max(k, 1) - 1)//max(k, 1), 2] = aten.slice.Tensor(x, 0, 0, 9223372036854775807, k)
return y
""")
    for n, k in itertools.product((0, 1, 5, 8), (1, 2, 3, 9)):
        agree(f(random(n, 2), k), random(n, 2)[::k])
    with pytest.raises(bl.ShapeError, match="the step of the slice of axis 0 is 0, but at least 1 is needed"):
        f(random(5, 2), 0)
