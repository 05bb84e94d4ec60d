"""A call that fails in a called function leaves memory as it was, where arguments decide
it (mem-2)."""

import itertools

import broadloom as bl
import numpy as np
import pytest

CALLEES = """\
func.func @scale(%a: memref<?xf64>, %n: index) {
  %x = arith.constant 2.0 : f64
  affine.for %i = 0 to %n {
    %v = affine.load %a[%i] : memref<?xf64>
    %w = arith.mulf %v, %x : f64
    affine.store %w, %a[%i] : memref<?xf64>
  }
  return
}
func.func @first(%a: memref<?xf64>, %i: index) {
  %v = memref.load %a[%i] : memref<?xf64>
  affine.store %v, %a[0] : memref<?xf64>
  return
}
func.func @both(%a: memref<?xf64>, %b: memref<?xf64>, %n: index, %i: index) {
  call @scale(%a, %n) : (memref<?xf64>, index) -> ()
  call @first(%b, %i) : (memref<?xf64>, index) -> ()
  return
}
"""

# How a caller comes to the second call, and whether its own arguments tell what that needs.
CALLERS = {
    "in line": ("func.call @both(%b, %a, %n, %i) : (memref<?xf64>, memref<?xf64>, index, index) -> ()", True),
    "computed": (
        """%c1 = arith.constant 1 : index
  %less = arith.subi %n, %c1 : index
  %more = arith.addi %less, %c1 : index
  func.call @both(%b, %a, %more, %i) : (memref<?xf64>, memref<?xf64>, index, index) -> ()""",
        True,
    ),
    "branch": (
        """%c0 = arith.constant 0 : index
  %takes = arith.cmpi sge, %n, %c0 : index
  scf.if %takes {
    func.call @both(%b, %a, %n, %i) : (memref<?xf64>, memref<?xf64>, index, index) -> ()
  }""",
        True,
    ),
    "loaded": (
        """%cell = memref.alloca() : memref<index>
  memref.store %n, %cell[] : memref<index>
  %read = memref.load %cell[] : memref<index>
  func.call @both(%b, %a, %read, %i) : (memref<?xf64>, memref<?xf64>, index, index) -> ()""",
        False,
    ),
}


@pytest.fixture(scope="module", params=CALLERS)
def caller(request):
    body, decides = CALLERS[request.param]
    text = f"""{CALLEES}func.func @main(%a: memref<?xf64>, %b: memref<?xf64>, %n: index, %i: index) {{
  func.call @first(%a, %i) : (memref<?xf64>, index) -> ()
  {body}
  return
}}
"""
    return bl.compile_program(text)["main"], decides


def enumerate_calls(a, b, n, i):
    """What the program makes of its arguments, and its first failure."""
    if not 0 <= i < len(a):
        return f"index {i} is outside axis 0 of argument 'a', whose extent is {len(a)}"
    a[0] = a[i]
    if n > len(b):
        return f"index {len(b)} is outside axis 0 of argument 'a', whose extent is {len(b)}"
    b[: max(n, 0)] *= 2
    a[0] = a[i]
    return None


@pytest.mark.parametrize(
    "n, i, rows, columns", list(itertools.product([-1, 0, 2, 3, 2**40], [-1, 0, 2, 4], [3], [2, 3]))
)
def test_called_functions_are_checked_first(caller, n, i, rows, columns):
    function, decides = caller
    a, b = np.arange(1.0, rows + 1), np.arange(5.0, columns + 5)
    expected_a, expected_b = a.copy(), b.copy()
    error = enumerate_calls(expected_a, expected_b, n, i)
    before = a.copy(), b.copy()
    if error is None:
        function(a, b, n, i)
        np.testing.assert_array_equal(a, expected_a)
        np.testing.assert_array_equal(b, expected_b)
        return
    with pytest.raises(bl.ShapeError) as raised:
        function(a, b, n, i)
    assert error in str(raised.value)
    if decides or not 0 <= i < rows:
        np.testing.assert_array_equal(a, before[0])
        np.testing.assert_array_equal(b, before[1])


def test_equal_checks_are_made_once():
    calls = "  func.call @both(%a, %b, %n, %i) : (memref<?xf64>, memref<?xf64>, index, index) -> ()\n" * 300
    text = f"{CALLEES}func.func @main(%a: memref<?xf64>, %b: memref<?xf64>, %n: index, %i: index) {{\n{calls}  return\n}}\n"
    program = bl.compile_program(text)
    main = program["main"]
    a, b = np.zeros(3), np.arange(1.0, 4.0)
    main(a, b, 3, 2)
    np.testing.assert_array_equal(b, [3.0, 2.0, 3.0])
    # Its definition, and a call.
    assert program.emit("llvm").count(b"both_checks(") == 2
