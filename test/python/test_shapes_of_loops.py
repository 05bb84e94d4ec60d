"""f.shapes and loops: those that extents decide are followed, and a question ends
where the program does not."""

import broadloom as bl
import numpy as np
import pytest

LOOP = """
func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = tensor.dim %a, %zero : tensor<?xf32>
  %r:2 = scf.while (%i = %zero, %x = %a) : (index, tensor<?xf32>) -> (index, tensor<?xf32>) {
    %more = arith.cmpi CONDITION : index
    scf.condition(%more) %i, %x : index, tensor<?xf32>
  } do {
  ^bb0(%j: index, %z: tensor<?xf32>):
    %y = tosa.pad %z, %pads, %value : (tensor<?xf32>, !tosa.shape<2>, tensor<1xf32>) -> tensor<?xf32>
    %next = arith.addi %j, STEP : index
    scf.yield %next, %y : index, tensor<?xf32>
  }
  return %r#1 : tensor<?xf32>
}
"""
CONSTANTS = """  %pads = tosa.const_shape {values = dense<[0, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %value = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
"""


def loop(condition, step):
    text = LOOP.replace("CONDITION", condition).replace("STEP", step)
    return bl.compile(text.replace("  %n =", CONSTANTS + "  %n =", 1))


@pytest.mark.parametrize("extent", [0, 1, 5])
def test_a_loop_that_extents_decide(extent):
    f = loop("slt, %i, %n", "%one")
    a = np.ones(extent, np.float32)
    assert f.shapes(a) == [(2 * extent,)]
    assert f(a).shape == (2 * extent,)
    assert f.shapes((extent,)) == [(2 * extent,)]


def test_a_loop_that_never_ends():
    f = loop("sge, %n, %zero", "%zero")
    with pytest.raises(bl.ShapeError, match=r"'scf.while': the loop takes more than 16777216 iterations"):
        f.shapes(np.ones(3, np.float32))


def test_a_loop_that_never_ends_and_computes_no_index():
    f = bl.compile("""
        func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {
          %zero = arith.constant 0 : index
          %n = tensor.dim %a, %zero : tensor<?xf32>
          %r:2 = scf.while (%i = %n, %x = %a) : (index, tensor<?xf32>) -> (index, tensor<?xf32>) {
            %more = arith.cmpi sge, %i, %zero : index
            scf.condition(%more) %i, %x : index, tensor<?xf32>
          } do {
          ^bb0(%j: index, %z: tensor<?xf32>):
            %y = tosa.concat %z, %a {axis = 0 : i32} : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
            scf.yield %j, %y : index, tensor<?xf32>
          }
          return %r#1 : tensor<?xf32>
        }
        """)
    with pytest.raises(bl.ShapeError, match="more than 16777216 iterations"):
        f.shapes(np.ones(3, np.float32))
