"""Operations of linalg that leave elements of their destination as they are: those
keep what the destination has, though the body does not read it."""

import broadloom
import numpy as np
import pytest
from broadloom import DONE
from element_types import TYPES

# The maps of the operand and of the result, and what is written.
FORMS = {
    "diagonal": ("(i)", "(i) -> (i)", "(i) -> (i, i)", (3,), (3, 3)),
    "every second": ("(i)", "(i) -> (i)", "(i) -> (i * 2 + 1)", (4,), (9,)),
    "a row": ("(i)", "(i) -> (i)", "(i) -> (1, i)", (4,), (3, 4)),
    "sums of indices": ("(i, j)", "(i, j) -> (i, j)", "(i, j) -> (i + j)", (3, 2), (6,)),
    "no iteration": ("(i, j)", "(i, j) -> (i, j)", "(i, j) -> (i)", (3, 0), (3,)),
    "the last iteration": ("(i, j)", "(i, j) -> (i, j)", "(i, j) -> (i)", (3, 4), (3,)),
}


def expected(form, operand, destination):
    result = destination.copy()
    for index in np.ndindex(*operand.shape):
        i, j = index[0], index[-1]
        at = {
            "diagonal": (i, i),
            "every second": (2 * i + 1,),
            "a row": (1, i),
            "sums of indices": (i + j,),
            "no iteration": (i,),
            "the last iteration": (i,),
        }[form]
        result[at] = operand[index]
    return result


def write(form, isOpen, isComputed):
    loops, read, written, operand, destination = FORMS[form]
    iterators = ['"parallel"'] + ['"reduction"'] * (loops.count(",") != 0)
    types = [
        f"tensor<{'x'.join(['?'] * len(shape) if isOpen else map(str, shape))}xi32>" for shape in (operand, destination)
    ]
    into = ("%d = tosa.add %b, %b : ({0}, {0}) -> {0}" if isComputed else "%d = tensor.cast %b : {0} to {0}").format(
        types[1]
    )
    return f"""
func.func @f(%a: {types[0]}, %b: {types[1]}) -> ({types[1]}, {types[1]}) {{
  {into}
  %r = linalg.generic {{indexing_maps = [affine_map<{read}>, affine_map<{written}>],
      iterator_types = [{", ".join(iterators)}]}} ins(%a : {types[0]}) outs(%d : {types[1]}) {{
  ^bb0(%x: i32, %y: i32):
    linalg.yield %x : i32
  }} -> {types[1]}
  return %r, %b : {types[1]}, {types[1]}
}}
"""


@pytest.mark.parametrize("strategy", ["default", "rfc"])
@pytest.mark.parametrize("isComputed", [False, True], ids=["argument", "computed"])
@pytest.mark.parametrize("isOpen", [False, True], ids=["static", "open"])
@pytest.mark.parametrize("form", FORMS)
def test_elements_that_are_not_written_stay(tmp_path, form, isOpen, isComputed, strategy):
    *_, operand, destination = FORMS[form]
    a = np.arange(1, np.prod(operand) + 1, dtype=np.int32).reshape(operand)
    b = np.arange(-100, np.prod(destination) - 100, dtype=np.int32).reshape(destination)
    outcome, found = broadloom.run(
        tmp_path, write(form, isOpen, isComputed), [a, b], [TYPES["i32"]] * 2, f"--strategy={strategy}"
    )
    assert outcome.status == DONE, outcome.error
    np.testing.assert_array_equal(found[0], expected(form, a, 2 * b if isComputed else b))
    np.testing.assert_array_equal(found[1], b)
