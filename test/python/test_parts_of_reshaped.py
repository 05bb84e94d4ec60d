"""Parts of concatenated tensors that are reshaped between the map that computes them and their place (decision 45):
rows with gaps are for the copy alone."""

import broadloom as bl
import numpy as np
import pytest

# The collapsed form has another reader.
TWO_READERS = """
func.func @main(%x: tensor<?x?xf32>, %v: tensor<?xf32>, %w: tensor<?x5xf32>) -> (tensor<?x?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %a = tensor.dim %x, %c0 : tensor<?x?xf32>
  %b = tensor.dim %x, %c1 : tensor<?x?xf32>
  %m = arith.addi %b, %c5 : index
  %y = tosa.exp %x : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %k = tensor.collapse_shape %y [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  %s = tosa.add %k, %v : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %t = tosa.reduce_sum %s {axis = 0 : i32} : (tensor<?xf32>) -> tensor<1xf32>
  %t2 = tosa.add %s, %t : (tensor<?xf32>, tensor<1xf32>) -> tensor<?xf32>
  %e = tensor.expand_shape %k [[0, 1]] output_shape [%a, %b] : tensor<?xf32> into tensor<?x?xf32>
  %d = tensor.empty(%a, %m) : tensor<?x?xf32>
  %r0 = tensor.insert_slice %e into %d[0, 0][%a, %b][1, 1] : tensor<?x?xf32> into tensor<?x?xf32>
  %r = tensor.insert_slice %w into %r0[0, %b][%a, 5][1, 1] : tensor<?x5xf32> into tensor<?x?xf32>
  return %r, %t2 : tensor<?x?xf32>, tensor<?xf32>
}
"""

# The axes change places in the shape alone.
OTHER_SHAPE = """
func.func @main(%x: tensor<?x?x?xf32>, %w: tensor<?x?x5xf32>) -> tensor<?x?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %a = tensor.dim %x, %c0 : tensor<?x?x?xf32>
  %b = tensor.dim %x, %c1 : tensor<?x?x?xf32>
  %c = tensor.dim %x, %c2 : tensor<?x?x?xf32>
  %m = arith.addi %b, %c5 : index
  %y = tosa.exp %x : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %k = tensor.collapse_shape %y [[0], [1, 2]] : tensor<?x?x?xf32> into tensor<?x?xf32>
  %e = tensor.expand_shape %k [[0], [1, 2]] output_shape [%a, %c, %b] : tensor<?x?xf32> into tensor<?x?x?xf32>
  %d = tensor.empty(%a, %c, %m) : tensor<?x?x?xf32>
  %r0 = tensor.insert_slice %e into %d[0, 0, 0][%a, %c, %b][1, 1, 1] : tensor<?x?x?xf32> into tensor<?x?x?xf32>
  %r = tensor.insert_slice %w into %r0[0, 0, %b][%a, %c, 5][1, 1, 1] : tensor<?x?x5xf32> into tensor<?x?x?xf32>
  return %r : tensor<?x?x?xf32>
}
"""


@pytest.fixture(scope="module")
def programs():
    return bl.compile(TWO_READERS), bl.compile(OTHER_SHAPE)


@pytest.mark.parametrize("a, b", [(30, 80), (3, 3), (4, 129), (64, 64)])
def test_a_reshaped_part_with_another_reader(programs, a, b):
    rng = np.random.default_rng(0)
    x, v, w = (rng.standard_normal(shape, np.float32) for shape in ((a, b), (a * b,), (a, 5)))
    whole, sums = programs[0](x, v, w)
    np.testing.assert_allclose(whole, np.concatenate([np.exp(x), w], 1), rtol=1e-5)
    expected = np.exp(x).ravel() + v
    np.testing.assert_allclose(sums, expected + expected.sum(dtype=float), rtol=1e-4)


@pytest.mark.parametrize("a, b, c", [(30, 80, 80), (30, 20, 200), (4, 129, 129), (2, 3, 4)])
def test_a_part_in_another_shape(programs, a, b, c):
    rng = np.random.default_rng(1)
    x, w = (rng.standard_normal(shape, np.float32) for shape in ((a, b, c), (a, c, 5)))
    expected = np.concatenate([np.exp(x).reshape(a, c, b), w], 2)
    np.testing.assert_allclose(programs[1](x, w), expected, rtol=1e-5)
