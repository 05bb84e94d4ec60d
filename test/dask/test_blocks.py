"""Compiled functions as block functions of Dask arrays, against NumPy."""

import os
import pickle
import re
import subprocess
import sys

import broadloom as bl
import dask.array as da
import numpy as np
import pytest
from onnx_models import model

ADD = """
func.func @main(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = tosa.add %a, %b : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
"""


def random(*shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype("f4")


def agree(got, expected, tolerance=1e-5):
    assert (got.shape, got.dtype) == (expected.shape, expected.dtype)
    computed = got.compute()
    assert (computed.shape, computed.dtype) == (expected.shape, expected.dtype)
    np.testing.assert_allclose(computed, expected, rtol=tolerance, atol=tolerance)


@bl.jit
def softmax(x):
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)


@bl.jit
def join(x, y):
    return x * 2 + y


@bl.jit
def total(x):
    return np.sum(x, axis=0, keepdims=True)


@bl.jit
def sum_and_square(x):
    return np.sum(x, axis=0, keepdims=True), np.sum(x * x, axis=0, keepdims=True)


@bl.jit
def sum_both(x, y):
    return np.sum(x, axis=0, keepdims=True), np.sum(y, axis=0, keepdims=True)


# Blocks.


def test_a_function_of_each_block():
    x = random(10, 6)
    agree(bl.dask.map_blocks(softmax, da.from_array(x, chunks=(3, 6))), softmax(x))


def test_chunks_and_types_are_known():
    f = bl.jit(lambda x: (x.astype(np.float64) > 0, np.concatenate([x, x], axis=1)))
    x = random(10, 4)
    positive, twice = bl.dask.map_blocks(f, da.from_array(x, chunks=(4, 4)))
    assert positive.chunks == ((4, 4, 2), (4,)) and positive.dtype == bool
    assert twice.chunks == ((4, 4, 2), (8,)) and twice.dtype == np.float32
    np.testing.assert_array_equal(positive.compute(), x > 0)
    agree(twice, np.concatenate([x, x], 1))


@pytest.mark.parametrize("first, second", [((10, 6), (10, 6)), ((10, 6), (1, 6)), ((10, 1), (6,)), ((6,), (10, 6))])
def test_operands_of_other_chunks_broadcast(first, second):
    x, y = random(*first), random(*second, seed=1)
    chunks = lambda shape, size: tuple(min(size, n) for n in shape)
    a, b = da.from_array(x, chunks=chunks(first, 4)), da.from_array(y, chunks=chunks(second, 3))
    agree(bl.dask.map_blocks(join, a, b), x * 2 + y)


def test_arrays_and_numbers_beside_blocks():
    x, y = random(8, 3), random(3, seed=1)
    agree(bl.dask.map_blocks(join, da.from_array(x, chunks=(3, 3)), y), x * 2 + y)
    agree(bl.dask.map_blocks(join, da.from_array(x, chunks=(3, 3)), np.float32(2)), x * 2 + 2)
    # A number of Python's adapts to the array's type, as it does outside of Dask.
    for number in (2.5, 3, True):
        agree(bl.dask.map_blocks(join, da.from_array(x, chunks=(3, 3)), number), x * 2 + number)
        agree(bl.dask.map_blocks(join, number, da.from_array(x, chunks=(3, 3))), number * 2 + x)
    made = bl.dask.blockwise(join, "ij", da.from_array(x, chunks=(3, 2)), "ij", 2.5, None)
    agree(made, x * 2 + 2.5)


def test_a_program():
    f = bl.compile(ADD, name="add.mlir")
    x, y = random(9, 4), random(1, 4, seed=1)
    agree(bl.dask.map_blocks(f, da.from_array(x, chunks=(2, 3)), da.from_array(y, chunks=(1, 2))), x + y)


def test_axes_that_go_and_come():
    f = bl.jit(lambda x: np.sum(x, axis=1))
    x = random(8, 5)
    agree(bl.dask.map_blocks(f, da.from_array(x, chunks=(3, 5)), drop_axis=1), x.sum(1))
    g = bl.jit(lambda x: np.stack([x, -x, x * 2], axis=1))
    agree(bl.dask.map_blocks(g, da.from_array(x, chunks=(3, 2)), new_axis=1), np.stack([x, -x, x * 2], 1))


def test_products_by_indices():
    f = bl.jit(lambda x, y: x @ y)
    x, y = random(7, 6), random(6, 5, seed=1)
    made = bl.dask.blockwise(f, "ij", da.from_array(x, chunks=(3, 2)), "ik", da.from_array(y, chunks=(3, 4)), "kj")
    assert made.chunks == ((3, 3, 1), (4, 1))
    agree(made, x @ y)


def test_a_model():
    """With weights of its own, which are no operands."""
    w = random(200, 100)
    f = bl.from_onnx(model("x: f32[n, 200]\ny = MatMul(x, w)\nz = Add(y, y)\nreturn z", w=w))
    assert isinstance(f, bl.OnnxFunction) and len(f.weights) == 1
    assert f.arguments == ["tensor<nx200xf32>"] and f.shapes((7, 200)) == [(7, 100)] and f.shapes() == [("n", 100)]
    x = random(10, 200, seed=1)
    blocks = da.from_array(x, chunks=(4, 200))
    made = bl.dask.map_blocks(f, blocks)
    assert made.chunks == ((4, 4, 2), (100,))
    agree(made, x @ w * 2, 1e-3)
    again = pickle.loads(pickle.dumps(f))
    assert bl.dask.map_blocks(again, blocks).name == made.name
    assert not again.weights[0].flags.writeable
    other = bl.from_onnx(model("x: f32[n, 200]\ny = MatMul(x, w)\nz = Add(y, y)\nreturn z", w=w + 1))
    assert bl.dask.map_blocks(other, blocks).name != made.name
    with error(TypeError, "takes 1 argument, but 2 are given"):
        bl.dask.map_blocks(f, blocks, w)
    with error(bl.ShapeError, "argument 'x' has shape 10x199 but the function takes ?x200"):
        bl.dask.map_blocks(f, blocks[:, 1:].rechunk((4, 199)))


# Reductions.


@pytest.mark.parametrize("keepdims", [False, True])
def test_a_tree(keepdims):
    x = random(23, 5)
    made = bl.dask.reduction(total, total, da.from_array(x, chunks=(2, 3)), axis=0, keepdims=keepdims, split_every=3)
    agree(made, x.sum(0, keepdims=keepdims), 1e-4)


def test_several_partial_results():
    f = bl.jit(lambda s, q: q - s * s)
    x = random(17, 4)
    made = bl.dask.reduction(sum_and_square, sum_both, da.from_array(x, chunks=(3, 4)), axis=0, final=f, split_every=2)
    agree(made, (x * x).sum(0) - x.sum(0) ** 2, 1e-3)


def test_all_axes():
    f = bl.jit(lambda x: np.max(x, axis=(0, 1), keepdims=True))
    x = random(9, 8)
    agree(bl.dask.reduction(f, f, da.from_array(x, chunks=(2, 3)), split_every=2), x.max())


# What is told when the graph is built.


def error(kind, message):
    return pytest.raises(kind, match=re.escape(message))


def test_mismatches_are_found_before_anything_runs():
    x, y = da.zeros((10, 6), dtype="f4", chunks=4), da.zeros((10, 5), dtype="f4", chunks=4)
    f = bl.compile(ADD, name="add.mlir")
    with error(bl.ShapeError, "add.mlir:3:8: 'tosa.add': operands are not broadcast-compatible along axis 1"):
        bl.dask.map_blocks(f, x, y)
    with error(TypeError, "argument 1 of main has elements of float32, but is given float64"):
        bl.dask.map_blocks(f, x, da.zeros((10, 6), chunks=4))
    with error(ValueError, "argument 0 of main has 2 axes, but is given 1"):
        bl.dask.map_blocks(f, x[0], x)
    with error(TypeError, "main takes 2 arguments, but 1 is given"):
        bl.dask.map_blocks(f, x)
    with error(TypeError, "a block function is a Function, a model of from_onnx or one under bl.jit, not function"):
        bl.dask.map_blocks(lambda x: x, x)


def test_mistakes_of_calls():
    x = da.ones((4, 3), chunks=2, dtype="f4")
    with error(TypeError, "main takes 2 arguments, but 1 is given"):
        bl.dask.map_blocks(bl.compile(ADD), x)
    with error(TypeError, "under bl.jit, not function; bl.jit makes one of a function of NumPy's"):
        bl.dask.map_blocks(lambda x: x, x)
    with error(TypeError, "map_blocks() has no keyword argument 'drop_axes'; did you mean 'drop_axis'?"):
        bl.dask.map_blocks(softmax, x, drop_axes=1)
    with error(TypeError, "blockwise() has no keyword argument 'new_axis'; did you mean 'new_axes'?"):
        bl.dask.blockwise(softmax, "ij", x, "ij", new_axis="k")
    with error(TypeError, "reduction() has no keyword argument 'keepdim'; did you mean 'keepdims'?"):
        bl.dask.reduction(softmax, softmax, x, keepdim=True)


def test_blocks_must_make_the_whole():
    f = bl.jit(lambda x: x[1:])
    with error(ValueError, "has the shape (9, 6) for the whole arrays, but its blocks make (7, 6)"):
        bl.dask.map_blocks(f, da.zeros((10, 6), dtype="f4", chunks=4))
    with error(ValueError, "axis 1 has 2 chunks and is to be dropped; rechunk it to one"):
        bl.dask.map_blocks(bl.jit(lambda x: np.sum(x, axis=1)), da.zeros((10, 6), chunks=4), drop_axis=1)
    with error(ValueError, "has 1 axes, but 2 are expected; drop_axis and new_axis say which ones differ"):
        bl.dask.map_blocks(bl.jit(lambda x: np.sum(x, axis=1)), da.zeros((10, 6), chunks=(4, 6)))
    with error(ValueError, "the index 'z' of the result is none of an operand's"):
        bl.dask.blockwise(softmax, "iz", da.zeros((4, 4), chunks=2), "ij")


def test_partial_results_must_fit():
    x = da.zeros((10, 6), dtype="f4", chunks=4)
    with error(ValueError, "but partial results have 2 axes, and extent 1 along axis 0"):
        bl.dask.reduction(bl.jit(lambda x: x * 2), total, x, axis=0)
    with error(ValueError, "axis 2 is outside of 2 axes"):
        bl.dask.reduction(total, total, x, axis=2)
    with error(ValueError, "an axis is given twice: [0, -2]"):
        bl.dask.reduction(total, total, x, axis=(0, -2))
    with error(TypeError, "gives 2 partial results; final= makes one of them"):
        bl.dask.reduction(sum_and_square, sum_both, x, axis=0)


def test_unknown_chunks():
    x = da.from_array(random(10, 6), chunks=4)
    some = x[x[:, 0] > 0]
    with error(ValueError, "the chunks of argument 'y' are unknown; call compute_chunk_sizes() of it first"):
        bl.dask.map_blocks(join, x, some)
    with error(ValueError, "the chunks of argument 'x' are unknown; call compute_chunk_sizes()"):
        bl.dask.blockwise(softmax, "ij", some, "ij")
    with error(ValueError, "the chunks of the array are unknown; call compute_chunk_sizes()"):
        bl.dask.reduction(total, total, some, axis=0)
    f = bl.compile(ADD, name="add.mlir")
    with error(ValueError, "the chunks of argument 1 are unknown; call compute_chunk_sizes() of it first"):
        bl.dask.map_blocks(f, x.astype("f4"), some)
    with error(ValueError, "argument 'y' has 2 axes, but the indices ('i',)"):
        bl.dask.blockwise(join, "ij", x, "ij", x, "i")
    with error(ValueError, "argument rest[1] has 2 axes, but the indices ('j',)"):
        bl.dask.blockwise(bl.jit(lambda x, *rest: x), "ij", x, "ij", x, "ij", x, "j")
    some.compute_chunk_sizes()
    agree(bl.dask.reduction(total, total, some, axis=0), some.compute().sum(0))


def test_the_example():
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    example = os.path.join(root, "examples", "dask_blocks.py")
    done = subprocess.run([sys.executable, example], capture_output=True, text=True)
    lines = done.stdout.splitlines()
    assert done.returncode == 0, done.stderr
    assert "float32" in lines[0] and abs(float(lines[1]) - 100_000) < 1
    assert "extents 20 and 19" in lines[2]


# Other processes.


def test_functions_are_pickled():
    f = bl.compile(ADD, name="add.mlir", threads=1)
    g = pickle.loads(pickle.dumps(f))
    np.testing.assert_array_equal(g(random(2, 3), random(2, 3)), random(2, 3) * 2)
    assert (g.threads, g.program.name) == (1, "add.mlir")
    # One program for all that is unpickled.
    assert pickle.loads(pickle.dumps(f)).program is g.program


def test_names_of_tasks_are_the_same_for_the_same_program():
    x = da.zeros((10, 6), dtype="f4", chunks=4)
    names = {bl.dask.map_blocks(bl.compile(ADD, name="add.mlir"), x, x).name for _ in range(2)}
    other = bl.dask.map_blocks(bl.compile(ADD.replace("add", "sub"), name="add.mlir"), x, x).name
    assert len(names) == 1 and other not in names


def test_a_cluster_of_two_processes():
    distributed = pytest.importorskip("distributed")
    x, w = random(40, 6), random(6, 3, seed=1)
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        assert len(client.scheduler_info()["workers"]) == 2
        blocks = da.from_array(x, chunks=(5, 3))
        product = bl.dask.blockwise(bl.jit(lambda x, y: x @ y), "ij", blocks, "ik", w, "kj")
        agree(bl.dask.map_blocks(softmax, product), softmax(x @ w))
        agree(bl.dask.reduction(total, total, blocks, axis=0, split_every=2), x.sum(0), 1e-4)
        one, two = bl.dask.map_blocks(bl.jit(lambda x: (x + 1, x > 0)), blocks)
        agree(one, x + 1)
        np.testing.assert_array_equal(two.compute(), x > 0)
