"""Sparse constants, as TensorFlow Lite models have them and `tosa-converter-for-tflite` leaves them: against NumPy's
dense tensors, encoded here. A tensor is a tree with a level for each dimension, those of blocks included, and each level
has all indices (DENSE) or those under which something is not zero (SPARSE_CSR)."""

import broadloom
import numpy as np
import pytest
from broadloom import DONE
from element_types import TYPES
from programs import dense


def encode(tensor, order, blocks, formats):
    """The values of `tensor` that are written, and #tfl.sparsity_parameter. `blocks` maps axes to the extents of their
    blocks; `order` has the dimensions of the levels, blocks behind axes, and `formats` says which are sparse."""
    extents, inner = [], []
    for axis, extent in enumerate(tensor.shape):
        extents += [extent // blocks.get(axis, 1), blocks.get(axis, 1)]
        inner.append(2 * axis + 1)
    axes = [2 * axis for axis in range(tensor.ndim)] + [inner[axis] for axis in blocks]
    parts = tensor.reshape(extents).transpose([axes[d] for d in order] + [i for i in inner if i not in axes])
    parts = parts.reshape(parts.shape[: len(order)])
    levels, nodes = [], [parts]
    for extent, isSparse in zip(parts.shape, formats):
        if not isSparse:
            levels.append(f"<format = DENSE, dense_size = {extent}, segments = [], indices = []>")
            nodes = [child for node in nodes for child in node]
            continue
        segments, indices, children = [0], [], []
        for node in nodes:
            found = [i for i, child in enumerate(node) if np.any(child)]
            indices += found
            children += [node[i] for i in found]
            segments.append(len(indices))
        nodes = children
        levels.append(f"<format = SPARSE_CSR, dense_size = 0, segments = {segments}, indices = {indices}>")
    values = np.array(nodes, tensor.dtype)
    return values, (
        f"#tfl.sparsity_parameter<traversal_order = {list(order)}, block_map = {list(blocks)}, "
        f"dim_metadata = {', '.join(levels)}>"
    )


def constant(name, tensor, element, order, blocks, formats):
    values, parameters = encode(tensor, order, blocks, formats)
    kind = f"tensor<{'x'.join(map(str, tensor.shape))}x{element}>"
    return (
        f'  %s = "tfl.pseudo_sparse_const"() <{{compressed_data = {dense(values)} : tensor<{len(values)}x{element}>, '
        f"s_param = {parameters}, value = dense<0{'.0' if TYPES[element].isFloat else ''}> : {kind}}}> : () -> {kind}\n"
        f'  {name} = "tfl.densify"(%s) : ({kind}) -> {kind}\n'
    ), kind


def makeSparse(random, shape, element, density=0.3):
    tensor = random.integers(1, 100, shape) * (random.random(shape) < density)
    return tensor.astype(TYPES[element].dtype)


@pytest.mark.parametrize("element", ["f32", "f16", "bf16", "i8", "i32", "f64"])
@pytest.mark.parametrize("seed", range(6))
def test_any_order_of_levels(tmp_path, element, seed):
    random = np.random.default_rng(seed)
    rank = 1 + seed % 4
    axes = list(random.permutation(rank))[: int(random.integers(0, rank + 1))]
    blocks = {int(axis): int(random.integers(1, 4)) for axis in axes}
    shape = [int(random.integers(1, 5)) * blocks.get(axis, 1) for axis in range(rank)]
    order = [int(d) for d in random.permutation(rank + len(blocks))]
    # Blocks say how long they are, so that they are dense.
    formats = [d < rank and bool(random.integers(0, 2)) for d in order]
    tensor = makeSparse(random, shape, element)
    text, kind = constant("%r", tensor, element, order, blocks, formats)
    program = f"func.func @main() -> {kind} {{\n{text}  return %r : {kind}\n}}\n"
    outcome, found = broadloom.run(tmp_path, program, [], [TYPES[element]])
    assert outcome.status == DONE, outcome.error
    assert np.array_equal(found[0], tensor)


@pytest.mark.parametrize("blocks", [{}, {0: 4, 3: 2}])
def test_weights_of_a_convolution(tmp_path, blocks):
    """As a model has them: f16, then a cast, and a kernel of one element. So many that a copy is packed."""
    random = np.random.default_rng(3)
    weight = makeSparse(random, (64, 1, 1, 48), "f16")
    image = random.integers(-9, 9, (1, 7, 5, 48)).astype(np.float32)
    order = list(range(4 + len(blocks)))
    text, kind = constant("%d", weight, "f16", order, blocks, [False, False, False, True] + [False] * len(blocks))
    program = f"""
func.func @main(%image: tensor<1x7x5x48xf32>) -> tensor<1x7x5x64xf32> {{
{text}  %w = tosa.cast %d : ({kind}) -> tensor<64x1x1x48xf32>
  %z = "tosa.const"() {{values = dense<0.0> : tensor<1xf32>}} : () -> tensor<1xf32>
  %r = tosa.conv2d %image, %w, %z, %z, %z {{acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>}} : (tensor<1x7x5x48xf32>, tensor<64x1x1x48xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x7x5x64xf32>
  return %r : tensor<1x7x5x64xf32>
}}
"""
    outcome, found = broadloom.run(tmp_path, program, [image], [TYPES["f32"]])
    assert outcome.status == DONE, outcome.error
    assert np.array_equal(found[0], image @ weight[:, 0, 0].astype(np.float32).T)
