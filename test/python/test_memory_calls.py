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


# Divisions in a branch that a call takes only where they do not fail.
DIVISIONS = {
    "arith.divsi": lambda x, y: abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1),
    "arith.divui": lambda x, y: x % 2**64 // (y % 2**64),
    "arith.ceildivsi": lambda x, y: -(-x // y),
    "arith.ceildivui": lambda x, y: -(-(x % 2**64) // (y % 2**64)),
    "arith.floordivsi": lambda x, y: x // y,
    "arith.remsi": lambda x, y: abs(x) % abs(y) * (1 if x >= 0 else -1),
    "arith.remui": lambda x, y: x % 2**64 % (y % 2**64),
    "index.divs": None,
    "index.divu": None,
    "index.ceildivs": None,
    "index.ceildivu": None,
    "index.floordivs": None,
    "index.rems": None,
    "index.remu": None,
    "affine.apply affine_map<(d)[s] -> (d floordiv s)>": lambda x, y: x // y,
    "affine.apply affine_map<(d)[s] -> (d mod s)>": lambda x, y: x % y,
    "affine.min affine_map<(d)[s] -> (d floordiv s, d)>": lambda x, y: min(x // y, x),
}
# What uses the quotient: a call, loops with a guard in front, an access in a loop.
USES = {
    "call": "func.call @first(%a, %q) : (memref<?xf64>, index) -> ()",
    "bound": "func.call @scale(%a, %q) : (memref<?xf64>, index) -> ()",
    "nest": """scf.for %j = %c0 to %q step %c1 {
      memref.store %x, %a[%j] : memref<?xf64>
    }""",
    "subscript": """scf.for %j = %c0 to %c1 step %c1 {
      memref.store %x, %a[%q] : memref<?xf64>
    }""",
}


@pytest.mark.parametrize("use", USES)
def test_divisions_stay_in_their_branches(use):
    def divide(name):
        operands = (
            "%i, %k : index" if name.startswith("arith") else "%i, %k" if name.startswith("index") else "(%i)[%k]"
        )
        return f"{name} {operands}".replace(" (%i)", "(%i)")

    names = list(DIVISIONS)
    text = CALLEES + "".join(
        f"""func.func @f{number}(%a: memref<?xf64>, %i: index, %k: index) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 9.0 : f64
  affine.store %x, %a[3] : memref<?xf64>
  %takes = arith.cmpi sgt, %k, %c0 : index
  scf.if %takes {{
    %q = {divide(name)}
    {USES[use]}
  }}
  return
}}
"""
        for number, name in enumerate(names)
    )
    program = bl.compile_program(text)
    for number, name in enumerate(names):
        divided = (
            DIVISIONS[name]
            or DIVISIONS[
                name.replace("index.", "arith.")
                .replace("divs", "divsi")
                .replace("divu", "divui")
                .replace("rems", "remsi")
                .replace("remu", "remui")
            ]
        )
        for i, k in itertools.product([0, 3, 7, 100], [-1, 0, 1, 2, 5]):
            a = np.arange(1.0, 5.0)
            expected = a.copy()
            expected[3] = 9
            quotient = divided(i, k) if k > 0 else None
            fails = quotient is not None and quotient > (3 if use in ("call", "subscript") else 4)
            if quotient is not None and not fails:
                if use == "call":
                    expected[0] = expected[quotient]
                elif use == "bound":
                    expected[:quotient] *= 2
                elif use == "nest":
                    expected[:quotient] = 9
                else:
                    expected[quotient] = 9
            if fails:
                with pytest.raises(bl.ShapeError, match="is outside axis 0"):
                    program[f"f{number}"](a, i, k)
            else:
                program[f"f{number}"](a, i, k)
                np.testing.assert_array_equal(a, expected, err_msg=f"{name} of {i} and {k}")
