"""Checks of loops that depend on arguments alone run at the entry of a function, before it has written
anything (mem-2, rt-1): a call that fails leaves every array as it was."""

import re

import broadloom as bl
import numpy as np
import pytest


def memory(*shapes):
    return [np.arange(np.prod(shape), dtype=np.float64).reshape(shape) for shape in shapes]


def fails(function, text, *arguments):
    """Fails with the message, and leaves all arrays as they were."""
    arrays = [a for a in arguments if isinstance(a, np.ndarray)]
    before = [a.copy() for a in arrays]
    with pytest.raises(bl.ShapeError, match=text):
        function(*arguments)
    assert all(np.array_equal(a, b) for a, b in zip(arrays, before))


def writes(function, text, *arguments):
    """Fails with the message, after it has written."""
    arrays = [a for a in arguments if isinstance(a, np.ndarray)]
    before = [a.copy() for a in arrays]
    with pytest.raises(bl.ShapeError, match=text):
        function(*arguments)
    assert not all(np.array_equal(a, b) for a, b in zip(arrays, before))


TWO = """\
func.func @main(%a: memref<?xf64>, %b: memref<?xf64>, %n: index, %m: index) {
  %one = arith.constant 1.0 : f64
  affine.for %i = 0 to %n {
    affine.store %one, %a[%i] : memref<?xf64>
  }
  %k = arith.addi %n, %m : index
  affine.for %i = 0 to %k {
    affine.store %one, %b[%i] : memref<?xf64>
  }
  return
}
"""


def test_a_second_nest():
    f = bl.compile(TWO)
    a, b = memory((4,), (6,))
    fails(f, r":8:5: 'affine.store': index 6 is outside axis 0 of argument 'b', whose extent is 6: %", a, b, 4, 3)
    fails(f, r":4:5: 'affine.store': index 4 is outside axis 0 of argument 'a', whose extent is 4: %", a, b, 5, 1)
    # Both fail: the first of the program is told.
    fails(f, r":4:5: 'affine.store': index 4 is outside axis 0 of argument 'a', whose extent is 4: %", a, b, 9, 9)
    # Numbers that wrap are those of 64 bits, and an empty loop needs nothing.
    f(a, b, 4, 2**63 - 1)
    assert a.tolist() == [1] * 4 and b.tolist() == [0, 1, 2, 3, 4, 5]
    f(a, b, 0, 6)
    assert b.tolist() == [1] * 6


def test_the_report_tells_where():
    told = re.sub(r"\s+", " ", str(bl.check(TWO)))
    assert "argument 'n' <= axis 0 of argument 'a' because it is checked once in front of the loop at" in told
    assert (
        "argument 'm' + argument 'n' <= axis 0 of argument 'b' because it is checked once at entry, "
        "before anything is written" in told
    )


@pytest.mark.parametrize("kind", ["affine", "scf"])
@pytest.mark.parametrize("negated", [False, True])
def test_branches_on_arguments(kind, negated):
    """A loop under conditions is checked where they hold, and only there."""
    head = {
        "affine": "affine.if affine_set<(d)[s] : (s - d - 1 >= 0)>(%m)[%n] {",
        "scf": "scf.if %less {",
    }[kind]
    loop = "affine.for %i = 0 to %n {\n      affine.store %one, %b[%i + %m] : memref<?xf64>\n    }"
    f = bl.compile(f"""\
func.func @main(%a: memref<?xf64>, %b: memref<?xf64>, %n: index, %m: index, %p: i1) {{
  %one = arith.constant 1.0 : f64
  %c0 = arith.constant 0 : index
  memref.store %one, %a[%c0] : memref<?xf64>
  scf.if %p {{
    memref.store %one, %a[%c0] : memref<?xf64>
    %less = arith.cmpi slt, %m, %n : index
    {head}
    {"" if negated else loop}
    }} else {{
    {loop if negated else ""}
    }}
  }}
  return
}}
""")
    taken, left = ((3, 3), (3, 1)) if negated else ((3, 1), (3, 3))
    extent = sum(taken) - 1
    text = rf"index {extent} is outside axis 0 of argument 'b', whose extent is {extent}: %"
    a, b = memory((2,), (extent,))
    fails(f, text, a, b, *taken, True)
    f(a, b, *taken, False)
    f(a, memory((0,))[0], *left, True)
    (b,) = memory((extent + 1,))
    f(a, b, *taken, True)
    assert b.tolist() == [*range(taken[1]), *[1] * taken[0]]


def test_a_branch_on_data_stays():
    f = bl.compile("""\
func.func @main(%a: memref<?xf64>, %b: memref<?xf64>, %n: index) {
  %one = arith.constant 1.0 : f64
  %c0 = arith.constant 0 : index
  affine.store %one, %a[0] : memref<?xf64>
  %x = affine.load %b[0] : memref<?xf64>
  %p = arith.cmpf oeq, %x, %one : f64
  scf.if %p {
    affine.for %i = 0 to %n {
      affine.store %one, %b[%i] : memref<?xf64>
    }
  }
  return
}
""")
    a, b = memory((2,), (2,))
    f(a, b, 9)
    b[0], a[0] = 1, 0
    writes(f, "index 2 is outside axis 0 of argument 'b', whose extent is 2: %", a, b, 9)


def test_a_bound_that_is_loaded_stays():
    f = bl.compile("""\
func.func @main(%a: memref<?xf64>, %bound: memref<index>, %n: index) {
  %one = arith.constant 1.0 : f64
  affine.for %i = 0 to %n {
    affine.store %one, %a[%i] : memref<?xf64>
  }
  memref.store %n, %bound[] : memref<index>
  %m = memref.load %bound[] : memref<index>
  %k = arith.addi %m, %n : index
  affine.for %i = 0 to %k {
    affine.store %one, %a[%i] : memref<?xf64>
  }
  return
}
""")
    (a,) = memory((3,))
    writes(f, "index 3 is outside axis 0 of argument 'a', whose extent is 3: %", a, np.array(0), 2)
    f(a, np.array(7), 1)


def test_first_iteration_that_fails():
    """It is that of the loops' order, and is found at once."""
    f = bl.compile("""\
func.func @main(%a: memref<?x?xf64>, %n: index, %m: index) {
  %one = arith.constant 1.0 : f64
  affine.store %one, %a[0, 0] : memref<?x?xf64>
  affine.for %i = 0 to %n {
    affine.for %j = 0 to affine_map<(d) -> (d)>(%i) {
      affine.store %one, %a[%i, %j + symbol(%m)] : memref<?x?xf64>
    }
  }
  return
}
""")
    (a,) = memory((4, 3))
    fails(
        f,
        r"index 3 is outside axis 1 of argument 'a', whose extent is 3: %j \+ %m with %i = 3 .*, %j = 2 .*, %m = 1 ",
        a,
        4,
        1,
    )
    fails(
        f,
        r"index -1 is outside axis 1 of argument 'a', whose extent is 3: %j \+ %m with %i = 1 .*, %j = 0 ",
        a,
        10**9,
        -1,
    )
    fails(f, r"index 4 is outside axis 0 of argument 'a', whose extent is 4: %", np.zeros((4, 10**5)), 10**9, 1)


MADE = """\
func.func @main(%a: memref<?xf64>, %n: index, %m: index) {
  %one = arith.constant 1.0 : f64
  %t = memref.alloc(%n) : memref<?xf64>
  affine.for %i = 0 to %n {
    affine.store %one, %a[%i] : memref<?xf64>
  }
  FREE
  affine.for %i = 0 to %m {
    %x = affine.load %a[%i] : memref<?xf64>
    affine.store %x, %t[%i] : memref<?xf64>
  }
  return
}
"""


def test_memory_that_the_function_makes():
    """Its checks stand behind the allocation, which may be in front of what is written."""
    text = MADE.replace("FREE", "").replace("  return", "  memref.dealloc %t : memref<?xf64>\n  return")
    f = bl.compile(text)
    (a,) = memory((4,))
    fails(f, r":10:5: 'affine.store': index 3 is outside axis 0 of %t \(the result of 'memref.alloc' at ", a, 3, 4)
    fails(f, r":9:10: 'affine.load': index 4 is outside axis 0 of argument 'a', whose extent is 4: %", a, 4, 5)
    f(a, 4, 4)


def test_memory_that_may_be_freed_before():
    """A use of freed memory is told, not the index that is outside as well."""
    free = "%c9 = arith.constant 9 : index\n  %p = arith.cmpi slt, %m, %c9 : index\n  scf.if %p {\n    memref.dealloc %t : memref<?xf64>\n  }"
    f = bl.compile(MADE.replace("FREE", free))
    (a,) = memory((4,))
    writes(f, "this memory was freed", a, 3, 2)
    (a,) = memory((4,))
    writes(f, "index 4 is outside axis 0 of argument 'a'", a, 4, 12)


def test_an_assertion_in_front_is_told_first():
    f = bl.compile("""\
func.func @main(%a: memref<?xf64>, %n: index) {
  %one = arith.constant 1.0 : f64
  %c4 = arith.constant 4 : index
  %few = arith.cmpi sle, %n, %c4 : index
  cf.assert %few, "at most 4"
  affine.store %one, %a[0] : memref<?xf64>
  affine.for %i = 0 to %n {
    affine.store %one, %a[%i] : memref<?xf64>
  }
  return
}
""")
    (a,) = memory((3,))
    fails(f, "at most 4$", a, 5)
    fails(f, "index 3 is outside axis 0 of argument 'a', whose extent is 3: %", a, 4)


def test_calls_and_views_in_front():
    """What is called has written nothing; a view is the same memory wherever it is made."""
    f = bl.compile("""\
func.func private @clear(%a: memref<?xf64>) {
  %zero = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?xf64>
  affine.for %i = 0 to %n {
    affine.store %zero, %a[%i] : memref<?xf64>
  }
  return
}
func.func @main(%a: memref<?xf64>, %n: index, %m: index) {
  call @clear(%a) : (memref<?xf64>) -> ()
  %v = memref.subview %a[%m] [%n] [1] : memref<?xf64> to memref<?xf64, strided<[1], offset: ?>>
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f64
  affine.for %i = 0 to %m {
    affine.store %one, %v[%i] : memref<?xf64, strided<[1], offset: ?>>
  }
  return
}
""")
    (a,) = memory((6,))
    fails(f, r"index 2 is outside axis 0 of %v \(the result of 'memref.subview' at .*\), whose extent is 2: %", a, 2, 3)
    fails(f, "'memref.subview'", a, 4, 3)
    f(a, 3, 2)
    assert a.tolist() == [0, 0, 1, 1, 0, 0]


@pytest.mark.parametrize("divisor", [0, 2])
def test_what_a_branch_guards_does_not_move(divisor):
    """A division that may fail stays behind the condition that it is for."""
    f = bl.compile("""\
func.func @main(%a: memref<?xf64>, %n: index, %d: index) {
  %one = arith.constant 1.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  affine.store %one, %a[0] : memref<?xf64>
  %p = arith.cmpi ne, %d, %c0 : index
  scf.if %p {
    %k = arith.divsi %n, %d : index
    scf.for %i = %c0 to %k step %c1 {
      memref.store %one, %a[%i] : memref<?xf64>
    }
  }
  return
}
""")
    a = np.zeros(2)
    f(a, 4, divisor)
    assert a.tolist() == [1, 1 if divisor else 0]
    with pytest.raises(bl.ShapeError, match="index 2 is outside axis 0"):
        f(a, 6, 2)


@pytest.mark.parametrize("rows", [0, 1])
def test_loops_that_begin_at_the_greatest_number_are_empty(rows):
    f = bl.compile("""\
func.func @main(%a: memref<?x?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = memref.dim %a, %c0 : memref<?x?xf64>
  %columns = memref.dim %a, %c1 : memref<?x?xf64>
  %end = arith.subi %rows, %c1 : index
  %begin = arith.maxsi %c0, %n : index
  scf.for %i = %begin to %end step %c1 {
    %x = memref.load %a[%c0, %columns] : memref<?x?xf64>
    memref.store %x, %a[%c0, %c0] : memref<?x?xf64>
  }
  return
}
""")
    (a,) = memory((rows, 3))
    for n in (5, 2**63 - 2, 2**63 - 1):
        f(a, n)
    (b,) = memory((3, 3))
    fails(f, "index 3 is outside axis 1 of argument 'a'", b, 0)
