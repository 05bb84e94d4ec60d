"""Compares what the shape functions of shapes/tosa.mlir infer with the shapes that
NumPy computes (sf-1).

Each case is an operation on static operands whose result type is declared with
NumPy's shape; the pass loom-check-shape-functions creates it from its operands
and compares. All cases of a family are one program."""

import os
import subprocess

import broadloom
import numpy as np
import pytest
from numpy.lib.stride_tricks import sliding_window_view

OPT = os.path.join(os.path.dirname(broadloom.PROGRAM), "broadloom-opt")
CASES = 40


def tensor(shape, element="f32"):
    return f"tensor<{''.join(f'{extent}x' for extent in shape)}{element}>"


def extents(rng, rank, low=1, high=7):
    return [int(extent) for extent in rng.integers(low, high + 1, rank)]


def zeros(shape):
    return np.zeros(shape, np.float32)


def constant(name, numbers):
    listed = ", ".join(str(int(number)) for number in numbers)
    return (
        f"%{name} = tosa.const_shape {{values = dense<[{listed}]> : "
        f"tensor<{len(numbers)}xindex>}} : () -> !tosa.shape<{len(numbers)}>\n"
    )


ZERO = '%z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>\n'


def function(number, operands, text, attributes, types, results, before=""):
    """One function with one operation `text` of these operands."""
    arguments = ", ".join(f"%a{i}: {tensor(*o)}" for i, o in enumerate(operands))
    given = ", ".join([f"%a{i}" for i in range(len(operands))] + [name for name, _ in types])
    inputs = ", ".join([tensor(*o) for o in operands] + [type for _, type in types])
    outputs = ", ".join(tensor(*result) for result in results)
    return (
        f"func.func @case{number}({arguments}) {{\n{before}"
        f'%r:{len(results)} = "{text}"({given}) {{{attributes}}} : ({inputs}) -> ({outputs})\n'
        "return\n}\n"
    )


def broadcast(rng, n):
    full = extents(rng, rng.integers(1, 5))
    a, b = ([1 if rng.random() < 0.3 else extent for extent in full] for _ in range(2))
    return function(n, [(a,), (b,)], "tosa.maximum", "", [], [((zeros(a) + zeros(b)).shape,)])


def compare(rng, n):
    a = extents(rng, 3)
    return function(n, [(a,), (a,)], "tosa.equal", "", [], [((zeros(a) == zeros(a)).shape, "i1")])


def reduce(rng, n):
    a = extents(rng, rng.integers(1, 5))
    axis = int(rng.integers(len(a)))
    return function(
        n, [(a,)], "tosa.reduce_max", f"axis = {axis} : i32", [], [(zeros(a).max(axis=axis, keepdims=True).shape,)]
    )


def argmax(rng, n):
    a = extents(rng, rng.integers(1, 5))
    axis = int(rng.integers(len(a)))
    return function(n, [(a,)], "tosa.argmax", f"axis = {axis} : i32", [], [(zeros(a).argmax(axis=axis).shape, "i32")])


def concat(rng, n):
    a = extents(rng, rng.integers(1, 5))
    axis = int(rng.integers(len(a)))
    shapes = [a[:axis] + extents(rng, 1) + a[axis + 1 :] for _ in range(rng.integers(1, 5))]
    return function(
        n,
        [(s,) for s in shapes],
        "tosa.concat",
        f"axis = {axis} : i32",
        [],
        [(np.concatenate([zeros(s) for s in shapes], axis).shape,)],
    )


def pad(rng, n):
    a = extents(rng, rng.integers(1, 4))
    padding = rng.integers(0, 4, (len(a), 2))
    return function(
        n,
        [(a,)],
        "tosa.pad",
        "",
        [("%p", f"!tosa.shape<{2 * len(a)}>"), ("%z", "tensor<1xf32>")],
        [(np.pad(zeros(a), padding).shape,)],
        ZERO + constant("p", padding.flatten()),
    )


def reshape(rng, n):
    a = extents(rng, rng.integers(1, 5))
    wanted = [int(np.prod(a))]
    while wanted[0] > 1 and len(wanted) < 4:
        factor = int(rng.integers(1, wanted[0] + 1))
        if wanted[0] % factor == 0:
            wanted = [wanted[0] // factor, factor, *wanted[1:]]
    if rng.random() < 0.5:
        wanted[rng.integers(len(wanted))] = -1
    return function(
        n,
        [(a,)],
        "tosa.reshape",
        "",
        [("%s", f"!tosa.shape<{len(wanted)}>")],
        [(zeros(a).reshape(wanted).shape,)],
        constant("s", wanted),
    )


def slices(rng, n):
    a = extents(rng, rng.integers(1, 4), 2)
    start = [int(rng.integers(extent)) for extent in a]
    size = [int(rng.integers(1, extent - s + 1)) for extent, s in zip(a, start)]
    cut = zeros(a)[tuple(slice(s, s + t) for s, t in zip(start, size))]
    shape = f"!tosa.shape<{len(a)}>"
    return function(
        n,
        [(a,)],
        "tosa.slice",
        "",
        [("%s", shape), ("%t", shape)],
        [(cut.shape,)],
        constant("s", start) + constant("t", size),
    )


def tile(rng, n):
    a = extents(rng, rng.integers(1, 4))
    times = extents(rng, len(a), 1, 4)
    return function(
        n,
        [(a,)],
        "tosa.tile",
        "",
        [("%m", f"!tosa.shape<{len(a)}>")],
        [(np.tile(zeros(a), times).shape,)],
        constant("m", times),
    )


def transpose(rng, n):
    a = extents(rng, rng.integers(1, 5))
    perms = [int(axis) for axis in rng.permutation(len(a))]
    return function(
        n,
        [(a,)],
        "tosa.transpose",
        f"perms = array<i32: {', '.join(map(str, perms))}>",
        [],
        [(zeros(a).transpose(perms).shape,)],
    )


def matmul(rng, n):
    batch, rows, common, columns = extents(rng, 4)
    a, b = [batch, rows, common], [batch, common, columns]
    return function(
        n, [(a,), (b,)], "tosa.matmul", "", [("%z", "tensor<1xf32>")] * 2, [((zeros(a) @ zeros(b)).shape,)], ZERO
    )


def gather(rng, n):
    batch, rows, channels, picked = extents(rng, 4)
    values, indices = zeros([batch, rows, channels]), np.zeros([batch, picked], np.int32)
    return function(
        n,
        [(values.shape,), (indices.shape, "i32")],
        "tosa.gather",
        "",
        [],
        [(np.take_along_axis(values, indices[:, :, None], 1).shape,)],
    )


def windows(rng, n):
    """A pool that fits exactly; NumPy's windows of the padded input."""
    kernel, stride, steps = (rng.integers(1, 4, 2) for _ in range(3))
    before, after = (np.minimum(rng.integers(0, 3, 2), kernel - 1) for _ in range(2))
    size = kernel + (steps - 1) * stride - before - after
    if (size < 1).any():
        before = after = np.zeros(2, int)
        size = kernel + (steps - 1) * stride
    a = [2, int(size[0]), int(size[1]), 3]
    padded = np.pad(zeros(a), [(0, 0), (before[0], after[0]), (before[1], after[1]), (0, 0)])
    seen = sliding_window_view(padded, tuple(kernel), (1, 2))[:, :: stride[0], :: stride[1]]
    numbers = lambda values: f"array<i64: {', '.join(str(int(v)) for v in values)}>"
    return function(
        n,
        [(a,)],
        "tosa.max_pool2d",
        f"kernel = {numbers(kernel)}, stride = {numbers(stride)}, "
        f"pad = {numbers([before[0], after[0], before[1], after[1]])}",
        [],
        [(seen.max(axis=(-2, -1)).shape,)],
    )


def fourier(rng, n):
    a = [int(rng.integers(1, 4)), *(1 << int(k) for k in rng.integers(0, 5, 2))]
    shape = np.fft.rfft2(zeros(a)).shape
    return function(n, [(a,)], "tosa.rfft2d", "", [], [(shape,), (shape,)])


FAMILIES = [
    broadcast,
    compare,
    reduce,
    argmax,
    concat,
    pad,
    reshape,
    slices,
    tile,
    transpose,
    matmul,
    gather,
    windows,
    fourier,
]


def check(tmp_path, text):
    path = tmp_path / "program.mlir"
    path.write_text(text)
    return subprocess.run(
        [OPT, str(path), "--loom-check-shape-functions", "-o", os.devnull],
        capture_output=True,
        text=True,
        timeout=broadloom.LIMIT_S,
    )


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.__name__)
def test_as_numpy(tmp_path, family):
    rng = np.random.default_rng(sum(map(ord, family.__name__)))
    done = check(tmp_path, "".join(family(rng, n) for n in range(CASES)))
    assert done.returncode == 0, done.stderr[:2000]


def test_another_shape_is_found(tmp_path):
    """A type that is not NumPy's would have been noticed."""
    text = function(0, [([2, 3],), ([4, 3],)], "tosa.concat", "axis = 0 : i32", [], [(["?", 3],)])
    done = check(tmp_path, text)
    assert done.returncode == 1
    assert ("'tosa.concat' is declared tensor<?x3xf32> but from its operands it is tensor<6x3xf32>") in done.stderr
