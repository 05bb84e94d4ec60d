"""f.shapes and calls: numbers that follow from shapes do so through calls."""

import broadloom as bl
import numpy as np
import pytest

PROGRAM = """
func.func private @sizes(%a: tensor<?x?xf32>, %least: i32) -> (i1, index, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %a, %c0 : tensor<?x?xf32>
  %n = tensor.dim %a, %c1 : tensor<?x?xf32>
  %less = arith.cmpi slt, %m, %n : index
  %word = arith.index_cast %n : index to i32
  %sum = arith.addi %word, %least : i32
  return %less, %m, %sum : i1, index, i32
}
func.func private @inner(%a: tensor<?x?xf32>, %n: index) -> tensor<?x?xf32> {
  %s = tensor.extract_slice %a[0, 1] [%n, 1] [1, 1] : tensor<?x?xf32> to tensor<?x1xf32>
  %r = tensor.cast %s : tensor<?x1xf32> to tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
func.func private @outer(%a: tensor<?x?xf32>, %less: i1, %n: index) -> tensor<?x?xf32> {
  %c1 = arith.constant 1 : index
  %k = arith.select %less, %c1, %n : index
  %r = func.call @inner(%a, %k) : (tensor<?x?xf32>, index) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
func.func @main(%a: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %four = arith.constant 4 : i32
  %less, %m, %sum = func.call @sizes(%a, %four) : (tensor<?x?xf32>, i32) -> (i1, index, i32)
  %n = arith.index_cast %sum : i32 to index
  %k = arith.minsi %m, %n : index
  %r = func.call @outer(%a, %less, %k) : (tensor<?x?xf32>, i1, index) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
"""


@pytest.mark.parametrize("given, made", [((2, 3), (1, 1)), ((3, 3), (3, 1)), ((9, 3), (7, 1))])
def test_numbers_of_any_type(given, made):
    f = bl.compile(PROGRAM)
    a = np.zeros(given, np.float32)
    assert f(a).shape == made
    assert f.shapes(a) == [made]
    assert f.shapes(given) == [made]


def test_what_a_callee_refuses():
    f = bl.compile(PROGRAM)
    a = np.zeros((2, 1), np.float32)
    with pytest.raises(bl.ShapeError) as told:
        f.shapes(a)
    with pytest.raises(bl.ShapeError) as run:
        f(a)
    assert str(told.value) == str(run.value)
    assert "'tensor.extract_slice': the slice takes 1 elements of axis 1 from 1 on" in str(told.value)
