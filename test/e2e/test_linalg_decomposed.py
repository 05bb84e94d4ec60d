"""Operations of `linalg` that are no loops: softmax on memory and on tensors, and pack, unpack and the transforms of
Winograd on tensors, against NumPy."""

import broadloom
import numpy as np
import pytest
from memory_programs import fails, refuses, run

TYPES = {"f32": (np.float32, 1e-6), "f64": (np.float64, 1e-14), "f16": (np.float16, 2e-3)}


def softmax(x, axis):
    e = np.exp(x.astype(np.float64) - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


def on_memory(kind, axis):
    return (
        f"func.func @main(%a: {kind}, %b: {kind}) {{\n"
        f"  linalg.softmax dimension({axis}) ins(%a : {kind}) outs(%b : {kind})\n  return\n}}\n"
    )


def on_tensors(kind, axis):
    return (
        f"func.func @main(%a: {kind}, %b: {kind}) -> {kind} {{\n"
        f"  %0 = linalg.softmax dimension({axis}) ins(%a : {kind}) outs(%b : {kind}) -> {kind}\n"
        f"  return %0 : {kind}\n}}\n"
    )


@pytest.mark.parametrize("element", TYPES)
@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("extents", ["2x3x5x", "?x?x?x", "2x?x5x"])
def test_softmax_on_memory(tmp_path, element, axis, extents):
    kind, accuracy = TYPES[element]
    x = (np.random.default_rng(3).random((2, 3, 5)) * 20 - 10).astype(kind)
    outcome, after = run(tmp_path, on_memory(f"memref<{extents}{element}>", axis), [x, np.zeros_like(x)])
    assert after, outcome.error
    np.testing.assert_array_equal(after[0], x)
    np.testing.assert_allclose(after[1], softmax(x, axis), rtol=accuracy, atol=accuracy)


def call(folder, text, *inputs):
    (folder / "p.mlir").write_text(text)
    options = []
    for i, given in enumerate(inputs):
        if isinstance(given, np.ndarray):
            np.save(folder / f"a{i}.npy", given)
            given = f"{folder}/a{i}.npy"
        options.append(f"--input={given}")
    outcome = broadloom.call("run", folder / "p.mlir", *options, f"--output={folder}/out.npy")
    return outcome, np.load(folder / "out.npy") if outcome.status == broadloom.DONE else None


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("extents", ["3x5x", "?x?x"])
def test_softmax_on_tensors(tmp_path, axis, extents):
    x = (np.random.default_rng(3).random((3, 5)) * 20 - 10).astype(np.float32)
    outcome, y = call(tmp_path, on_tensors(f"tensor<{extents}f32>", axis), x, np.zeros_like(x))
    assert y is not None, outcome.error
    np.testing.assert_allclose(y, softmax(x, axis), rtol=1e-6)


def test_softmax_in_place_and_of_large_numbers(tmp_path):
    x = np.float32([[1e30, -1e30, 1e30], [-np.inf, 0, 0], [np.nan, 1, 2], [np.inf, 0, 0]])
    text = on_memory("memref<?x?xf32>", 1).replace(", %b: memref<?x?xf32>", "").replace("outs(%b", "outs(%a")
    outcome, after = run(tmp_path, text, [x])
    assert after, outcome.error
    np.testing.assert_array_equal(after[0], [[0.5, 0, 0.5], [0, 0.5, 0.5], [np.nan] * 3, [np.nan] * 3])


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (1, 1)])
def test_softmax_without_elements(tmp_path, shape):
    x = np.ones(shape, np.float32)
    outcome, after = run(tmp_path, on_memory("memref<?x?xf32>", 1), [x, np.zeros_like(x)])
    assert after, outcome.error
    np.testing.assert_array_equal(after[1], x)


def test_softmax_of_wrong_extents(tmp_path):
    a, b = np.zeros((3, 4), np.float32), np.zeros((3, 5), np.float32)
    error = fails(tmp_path, on_memory("memref<?x?xf32>", 1), [a, b])
    assert "p.mlir:2:3: 'linalg.softmax': axis 1 of " in error and "extent 4" in error
    outcome, _ = call(tmp_path, on_tensors("tensor<?x?xf32>", 1), a, b)
    assert "'linalg.softmax'" in outcome.error and outcome.status == broadloom.GUARD_FAILED


@pytest.mark.parametrize("kind", ["memref<?xi32>", "tensor<?xi32>"])
def test_softmax_of_integers_is_refused(tmp_path, kind):
    text = (on_memory if kind.startswith("m") else on_tensors)(kind, 0)
    assert "linalg.softmax: it takes floats of a known rank" in refuses(tmp_path, text)


PACKS = {
    "both axes": ((4, 6), [0, 1], [2, 3], None, False),
    "the last axis": ((4, 6), [1], [3], None, False),
    "tiles in another order": ((4, 6), [1, 0], [3, 2], None, False),
    "outer axes in another order": ((4, 6), [0, 1], [2, 3], [1, 0], False),
    "padding": ((5, 7), [0, 1], [2, 4], None, True),
    "padding and another order": ((5, 7, 3), [1, 0], [4, 2], [2, 0, 1], True),
}


def pack(x, axes, tiles, outer, padding):
    for axis, tile in zip(axes, tiles):
        pads = [(0, 0)] * x.ndim
        pads[axis] = (0, -x.shape[axis] % tile)
        x = np.pad(x, pads, constant_values=padding)
    rank, shape, inner = x.ndim, [], {}
    for axis in range(rank):
        if axis in axes:
            tile = tiles[axes.index(axis)]
            shape += [x.shape[axis] // tile, tile]
            inner[axis] = len(shape) - 1
        else:
            shape.append(x.shape[axis])
    places = [i for i in range(len(shape)) if i not in inner.values()]
    order = [places[axis] for axis in outer or range(rank)] + [inner[axis] for axis in axes]
    return x.reshape(shape).transpose(order)


def spell(shape, is_open):
    return "tensor<" + "".join("?x" if is_open else f"{extent}x" for extent in shape) + "f32>"


def packing(case, is_open, unpacks):
    shape, axes, tiles, outer, pads = PACKS[case]
    packed = pack(np.zeros(shape), axes, tiles, outer, 0).shape
    source = spell(shape, is_open)
    target = spell(packed[: len(shape)], is_open)[:-4] + "".join(f"{tile}x" for tile in tiles) + "f32>"
    if unpacks:
        source, target = target, source
    permutation = f" outer_dims_perm = {outer}" if outer else ""
    padding = " padding_value(%p : f32)" if pads and not unpacks else ""
    return (
        f"func.func @main(%a: {source}, %b: {target}) -> {target} {{\n  %p = arith.constant -1.0 : f32\n"
        f"  %0 = linalg.{'un' if unpacks else ''}pack %a{padding}{permutation} inner_dims_pos = {axes}"
        f" inner_tiles = {tiles} into %b : {source} -> {target}\n  return %0 : {target}\n}}\n"
    )


@pytest.mark.parametrize("is_open", [False, True])
@pytest.mark.parametrize("case", PACKS)
def test_pack_and_unpack(tmp_path, case, is_open):
    shape, axes, tiles, outer, _ = PACKS[case]
    x = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
    packed = pack(x, axes, tiles, outer, -1)
    outcome, y = call(tmp_path, packing(case, is_open, False), x, np.zeros(packed.shape, np.float32))
    assert y is not None, outcome.error
    np.testing.assert_array_equal(y, packed)
    outcome, y = call(tmp_path, packing(case, is_open, True), np.ascontiguousarray(packed), np.zeros_like(x))
    assert y is not None, outcome.error
    np.testing.assert_array_equal(y, x)


def test_a_pack_of_wrong_extents(tmp_path):
    x, b = np.zeros((5, 7), np.float32), np.zeros((2, 2, 2, 4), np.float32)
    outcome, _ = call(tmp_path, packing("padding", True, False), x, b)
    assert outcome.status == broadloom.GUARD_FAILED and "'linalg.pack" in outcome.error, outcome.error
    outcome, _ = call(tmp_path, packing("padding", True, True), b, x)
    assert outcome.status == broadloom.GUARD_FAILED and "'linalg.unpack" in outcome.error, outcome.error


WINOGRAD = """\
func.func @main(%x: tensor<2x6x6x5xf32>, %w: tensor<3x3x3x5xf32>, %o: tensor<2x4x4x3xf32>) -> tensor<2x4x4x3xf32> {
  %0 = tensor.empty() : tensor<6x6x5x3xf32>
  %1 = linalg.winograd_filter_transform fmr(F_4_3) ins(%w : tensor<3x3x3x5xf32>) outs(%0 : tensor<6x6x5x3xf32>) -> tensor<6x6x5x3xf32>
  %2 = tensor.empty() : tensor<6x6x1x1x2x5xf32>
  %3 = linalg.winograd_input_transform fmr(F_4_3) ins(%x : tensor<2x6x6x5xf32>) outs(%2 : tensor<6x6x1x1x2x5xf32>) -> tensor<6x6x1x1x2x5xf32>
  %c = tensor.collapse_shape %1 [[0, 1], [2], [3]] : tensor<6x6x5x3xf32> into tensor<36x5x3xf32>
  %d = tensor.collapse_shape %3 [[0, 1], [2, 3, 4], [5]] : tensor<6x6x1x1x2x5xf32> into tensor<36x2x5xf32>
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<36x2x3xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<36x2x3xf32>) -> tensor<36x2x3xf32>
  %m = linalg.batch_matmul ins(%d, %c : tensor<36x2x5xf32>, tensor<36x5x3xf32>) outs(%f : tensor<36x2x3xf32>) -> tensor<36x2x3xf32>
  %n = tensor.expand_shape %m [[0, 1], [2, 3, 4], [5]] output_shape [6, 6, 1, 1, 2, 3] : tensor<36x2x3xf32> into tensor<6x6x1x1x2x3xf32>
  %r = linalg.winograd_output_transform fmr(F_4_3) ins(%n : tensor<6x6x1x1x2x3xf32>) outs(%o : tensor<2x4x4x3xf32>) -> tensor<2x4x4x3xf32>
  return %r : tensor<2x4x4x3xf32>
}
"""


def test_winograd(tmp_path):
    """A convolution of windows of 3 x 3 by the three transforms; the result is added to nothing."""
    rng = np.random.default_rng(7)
    x, w = rng.random((2, 6, 6, 5), np.float32), rng.random((3, 3, 3, 5), np.float32)
    outcome, y = call(tmp_path, WINOGRAD, x, w, np.zeros((2, 4, 4, 3), np.float32))
    assert y is not None, outcome.error
    windows = np.lib.stride_tricks.sliding_window_view(x, (3, 3), (1, 2))
    np.testing.assert_allclose(y, np.einsum("nhwcyx,fyxc->nhwf", windows, w), rtol=1e-4)
