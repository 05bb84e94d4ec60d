"""Memory whose shape is a set (rules set-1, set-2, set-3, set-4): triangles, bands and others, against NumPy."""

import itertools
import os
import re

import broadloom
import numpy as np
import pytest

LOWER = "(i, j)[n] : (0 <= j <= i, i < n)"
SETS = {
    "lower": (LOWER, lambda n, i, j: j <= i),
    "upper": ("(i, j)[n] : (0 <= i <= j, j < n)", lambda n, i, j: i <= j),
    "band": ("(i, j)[n] : (0 <= i < n, 0 <= j < n, i - 2 <= j, j <= i + 1)", lambda n, i, j: i - 2 <= j <= i + 1),
    "hessenberg": ("(i, j)[n] : (0 <= i < n, 0 <= j < n, i <= j + 1)", lambda n, i, j: i <= j + 1),
    "corner": ("(i, j)[n] : (0 <= i, 0 <= j, i + j < n)", lambda n, i, j: i + j < n),
}
# The text, and conditions of affine.if beside those of the box.
CONDITIONS = {
    "lower": "i - j >= 0",
    "upper": "j - i >= 0",
    "band": "j - i + 2 >= 0, i - j + 1 >= 0",
    "hessenberg": "j - i + 1 >= 0",
    "corner": "n - 1 - i - j >= 0",
}


def memory(text, extent="?", element="f64"):
    return f'memref<{extent}x{extent}x{element}, #loom.shape<"{text}">>'


def diagonals(numbers):
    """The set of diagonals of a matrix, written one by one."""
    return "(i, j)[n] : " + " or ".join(f"(j == i + {k}, 0 <= i < n, 0 <= j < n)" for k in numbers)


def elements(name, dense):
    n = len(dense)
    return np.array(
        [dense[i, j] for i, j in itertools.product(range(n), range(n)) if SETS[name][1](n, i, j)], dense.dtype
    )


def pack_and_unpack(name, extent):
    """Fills the set from a matrix, and a matrix from the set: all else of it stays."""
    kind = memory(SETS[name][0], extent)
    dense = f"memref<{extent}x{extent}xf64>"
    return f"""\
#in = affine_set<(i, j)[n] : ({CONDITIONS[name]})>
func.func @pack(%a: {dense}, %t: {kind}) {{
  %c1 = arith.constant 1 : index
  %n = memref.dim %t, %c1 : {kind}
  affine.for %i = 0 to %n {{
    affine.for %j = 0 to %n {{
      affine.if #in(%i, %j)[%n] {{
        %x = affine.load %a[%i, %j] : {dense}
        affine.store %x, %t[%i, %j] : {kind}
      }}
    }}
  }}
  return
}}
func.func @unpack(%t: {kind}, %a: {dense}) {{
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : {dense}
  affine.for %i = 0 to %n {{
    affine.for %j = 0 to %n {{
      affine.if #in(%i, %j)[%n] {{
        %x = affine.load %t[%i, %j] : {kind}
        affine.store %x, %a[%i, %j] : {dense}
      }}
    }}
  }}
  return
}}
"""


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("extents", [("?", (0, 1, 2, 3, 7)), ("6", (6,)), ("1", (1,)), ("0", (0,))])
def test_from_and_to_dense(name, extents):
    extent, sizes = extents
    text = pack_and_unpack(name, extent)
    pack, unpack = (broadloom.compile(text, function=function) for function in ("pack", "unpack"))
    for n in sizes:
        a = np.arange(1.0, n * n + 1).reshape(n, n)
        want = elements(name, a)
        packed = np.zeros_like(want)
        pack(a, packed)
        np.testing.assert_array_equal(packed, want)
        b = np.zeros_like(a)
        unpack(packed, b)
        np.testing.assert_array_equal(elements(name, b), want)
        assert np.count_nonzero(b) == len(want)


def test_wrong_arrays():
    pack = broadloom.compile(pack_and_unpack("lower", "?"), function="pack")
    with pytest.raises(
        broadloom.Error,
        match=re.escape("argument 't' has 11 elements, but the shape (i, j)[n] : (i <= n - 1, 0 <= j <= i) has 10 where n is 4 and 15 where it is 5"),
    ):  # fmt: skip
        pack(np.zeros((4, 4)), np.zeros(11))
    with pytest.raises(broadloom.Error, match=r"is outside axis . of argument 'a', whose extent is 4"):
        pack(np.zeros((4, 4)), np.zeros(15))
    with pytest.raises(ValueError, match="argument 't' has shape 21 but the function takes 10"):
        broadloom.compile(pack_and_unpack("lower", "4"), function="pack")(np.zeros((4, 4)), np.zeros(21))
    assert pack.arguments[1] == "memref<?xf64>"


def test_wrong_indices():
    kind = memory(LOWER)
    program = broadloom.compile(
        f"func.func @main(%a: {kind}, %i: index, %j: index) -> f64 {{\n"
        f"  %x = memref.load %a[%i, %j] : {kind}\n  return %x : f64\n}}"
    )
    a = np.arange(10.0)
    assert [program(a, i, j) for i in range(4) for j in range(i + 1)] == a.tolist()
    for i, j in [(1, 2), (4, 0), (-1, -1), (0, -1), (2**62, 0), (-(2**63), 2**63 - 1)]:
        told = f"'memref.load': element [{i}, {j}] is not in the shape of argument 'a', (i, j)[n] : "
        with pytest.raises(broadloom.Error, match=re.escape(told) + ".*, where n is 4"):
            program(a, i, j)


def test_loops_that_go_outside_write_nothing():
    kind = memory(LOWER)
    program = broadloom.compile(f"""\
func.func @main(%a: {kind}, %m: index) {{
  %c0 = arith.constant 0 : index
  %x = arith.constant 7.0 : f64
  %n = memref.dim %a, %c0 : {kind}
  affine.for %i = 0 to %n {{
    affine.for %j = 0 to %m {{
      affine.store %x, %a[%i, %j] : {kind}
    }}
  }}
  return
}}""")
    a = np.zeros(10)
    with pytest.raises(broadloom.Error, match=re.escape("'affine.store': element [0, 1] is not in the shape")):
        program(a, 2)
    assert not a.any()
    program(a, 1)
    assert a.tolist() == [7, 7, 0, 7, 0, 0, 7, 0, 0, 0]


def test_memory_halves():
    """What is left behind is told with its size."""
    kind = memory(LOWER)
    program = broadloom.compile(
        f"func.func @main(%n: index, %k: index) {{\n  %m = memref.alloc(%n, %k) : {kind}\n  return\n}}"
    )
    program.finds_leaks = True
    with pytest.raises(broadloom.Error, match="neither freed nor returned: 40400 bytes"):
        program(100, 100)
    assert 40400 == 8 * 100 * 101 // 2
    with pytest.raises(
        broadloom.Error, match=re.escape("axis 0 has extent 3, but axis 1 has 4; both are 'n' of the shape")
    ):
        program(3, 4)
    with pytest.raises(
        broadloom.Error, match=r"axis 0 has extent \d+, but places of its shape are computed for extents less"
    ):
        program(2**40, 2**40)
    with pytest.raises(broadloom.Error, match="axis 0 has extent -1, expected at least 0"):
        program(-1, -1)


def test_what_is_made_passed_on_and_viewed():
    """Products of a triangle by calls, copies, casts, branches, and element by element."""
    kind, four = memory(LOWER), memory(LOWER, 4)
    text = f"""\
func.func @main(%a: {kind}, %b: {four}, %t: i1) -> ({kind}, {four}) {{
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : {kind}
  %m = memref.alloc(%n, %n) : {kind}
  memref.copy %a, %m : {kind} to {kind}
  %w = memref.cast %b : {four} to {kind}
  %x = scf.if %t -> {kind} {{
    scf.yield %m : {kind}
  }} else {{
    scf.yield %w : {kind}
  }}
  func.call @double(%x) : ({kind}) -> ()
  %p = loom.packed %b : {four} to memref<10xf64>
  affine.for %i = 0 to 10 step 5 {{
    %y = affine.vector_load %p[%i] : memref<10xf64>, vector<5xf64>
    %z = arith.addf %y, %y : vector<5xf64>
    affine.vector_store %z, %p[%i] : memref<10xf64>, vector<5xf64>
  }}
  %s = memref.alloc() : {four}
  memref.copy %b, %s : {four} to {four}
  return %m, %s : {kind}, {four}
}}
func.func private @double(%x: {kind}) {{
  %c0 = arith.constant 0 : index
  %p = loom.packed %x : {kind} to memref<?xf64>
  %n = memref.dim %p, %c0 : memref<?xf64>
  linalg.map {{ arith.addf }} ins(%p, %p : memref<?xf64>, memref<?xf64>) outs(%p : memref<?xf64>)
  return
}}
"""
    main = broadloom.compile(text, function="main")
    a, b = np.arange(15.0), np.arange(10.0)
    m, s = main(a, b, True)
    np.testing.assert_array_equal(m, 2 * a)
    np.testing.assert_array_equal(s, 2 * np.arange(10.0))
    b = np.arange(10.0)
    m, s = main(a, b, False)
    np.testing.assert_array_equal(m, a)
    np.testing.assert_array_equal(s, 4 * np.arange(10.0))


def test_transposition_and_product():
    """The transpose of a lower triangle is an upper one; L U by the elements that there are."""
    lower, upper = memory(LOWER), memory(SETS["upper"][0])
    dense = "memref<?x?xf64>"
    program = broadloom.compile(f"""\
func.func @main(%l: {lower}, %u: {upper}, %c: {dense}) {{
  %c0 = arith.constant 0 : index
  %n = memref.dim %l, %c0 : {lower}
  affine.for %i = 0 to %n {{
    affine.for %j = 0 to affine_map<(i) -> (i + 1)>(%i) {{
      %x = affine.load %l[%i, %j] : {lower}
      affine.store %x, %u[%j, %i] : {upper}
    }}
  }}
  affine.for %i = 0 to %n {{
    affine.for %j = 0 to %n {{
      affine.for %k = 0 to min affine_map<(i, j) -> (i + 1, j + 1)>(%i, %j) {{
        %x = affine.load %l[%i, %k] : {lower}
        %y = affine.load %u[%k, %j] : {upper}
        %z = affine.load %c[%i, %j] : {dense}
        %p = arith.mulf %x, %y : f64
        %s = arith.addf %z, %p : f64
        affine.store %s, %c[%i, %j] : {dense}
      }}
    }}
  }}
  return
}}""")
    rng = np.random.default_rng(3)
    for n in (0, 1, 5, 12):
        full = np.tril(rng.random((n, n)))
        u, c = np.zeros(n * (n + 1) // 2), np.zeros((n, n))
        program(elements("lower", full), u, c)
        np.testing.assert_array_equal(u, elements("upper", full.T))
        np.testing.assert_allclose(c, full @ full.T, rtol=1e-13)


def test_cube():
    """Three axes, two symbols with numbers, elements of other types."""
    kind = 'memref<4x3xi8, #loom.shape<"(i, j)[n, m] : (0 <= i < n, 0 <= j < m, j <= i)">>'
    simplex = 'memref<?x?x?xi32, #loom.shape<"(i, j, k)[n] : (0 <= i, 0 <= j, 0 <= k, i + j + k < n)">>'
    program = broadloom.compile(f"""\
func.func @main(%a: {kind}, %s: {simplex}) {{
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %n = memref.dim %s, %c2 : {simplex}
  affine.for %i = 0 to 4 {{
    affine.for %j = 0 to min affine_map<(i) -> (i + 1, 3)>(%i) {{
      %k = affine.apply affine_map<(i, j) -> (10 * i + j)>(%i, %j)
      %x = arith.index_cast %k : index to i8
      affine.store %x, %a[%i, %j] : {kind}
    }}
  }}
  affine.for %i = 0 to %n {{
    affine.for %j = 0 to affine_map<(i)[n] -> (n - i)>(%i)[%n] {{
      affine.for %k = 0 to affine_map<(i, j)[n] -> (n - i - j)>(%i, %j)[%n] {{
        %l = affine.apply affine_map<(i, j, k) -> (100 * i + 10 * j + k)>(%i, %j, %k)
        %x = arith.index_cast %l : index to i32
        affine.store %x, %s[%i, %j, %k] : {simplex}
      }}
    }}
  }}
  return
}}""")
    a, s = np.zeros(9, np.int8), np.zeros(35, np.int32)
    program(a, s)
    assert a.tolist() == [0, 10, 11, 20, 21, 22, 30, 31, 32]
    assert s.tolist() == [100 * i + 10 * j + k for i in range(5) for j in range(5 - i) for k in range(5 - i - j)]


@pytest.mark.parametrize(
    "kind, told",
    [
        (memory("(i, j)[n] : (0 <= i < n, 0 <= j)"), "because 'j' has no upper bound"),
        (memory("(i, j)[n] : (0 <= i < n, 0 <= j < n, (i + j) mod 2 == 0)"), "so that it may have holes"),
        (memory("(i, j)[n] : (0 <= i < n, 0 <= j < n, i < j) or (0 <= i < n, 0 <= j < i)"), "it is a union"),
        (memory(diagonals(range(65))), "there are more than 64 parts"),
        (memory("(i, j)[n, m] : (0 <= i < n, 0 <= j < m)"), "does not tell it; give numbers for all extents"),
        (memory("(i, j)[n] : (0 <= j < i, i < n)"), "does not tell it; give numbers for all extents"),
        (memory("(i, j)[n] : (0 <= i < n, 0 <= j <= i + 1)"), "which is outside the extents of the type"),
        (memory("(i)[n] : (0 <= i < n)"), "has 1 axes, but the type has 2"),
        (memory("(i, j)[n, m, k] : (0 <= i < n, 0 <= j < m)"), "has 3 symbols but 2 axes"),
        (memory(LOWER).replace("?x?", "?x4"), "axes 0 and 1 have one extent, 'n'"),
        (memory("(i, j) : (0 <= i < 3, 0 <= j < 3)", 2), "which is outside the extents of the type"),
        (memory("(i, j)[n] : (0 <= i < q, 0 <= j < n)"), "'q' is no input, output or symbol"),
        (memory(LOWER, 2**40), "are computed in 64 bits for extents less than"),
    ],
)
def test_sets_that_are_refused(kind, told):
    with pytest.raises(broadloom.CompileError, match=re.escape(told)):
        broadloom.compile(f"func.func @main(%a: {kind}) {{\n  return\n}}")


@pytest.mark.parametrize(
    "body, told",
    [
        ("memref.copy %d, %a : memref<?x?xf64> to KIND", "take 'loom.packed' of the memory"),
        ("linalg.fill ins(%x : f64) outs(%a : KIND)", "take 'loom.packed' of the memory"),
        ("%s = memref.subview %a[0, 0] [1, 1] [1, 1] : KIND to memref<1x1xf64, strided<[?, ?], offset: ?>>",
         "memref.subview"),
        ("%p = loom.packed %a : KIND to memref<10xf64>", "but the elements are 'memref<?xf64>'"),
        ("%p = loom.packed %d : memref<?x?xf64> to memref<?xf64>", "takes memory whose shape is a set"),
        ("%v = memref.load %v1[%c, %c] : VECTORS", "memory whose shape is a set has numbers as its elements"),
    ],
)  # fmt: skip
def test_operations_that_are_refused(body, told):
    with pytest.raises(broadloom.CompileError, match=re.escape(told)):
        broadloom.compile(
            f"func.func @main(%a: KIND, %d: memref<?x?xf64>, %x: f64, %c: index, %v1: VECTORS) {{\n  {body}\n  return\n}}".replace(
                "KIND", memory(LOWER)
            ).replace("VECTORS", memory(LOWER, element="vector<4xf32>") if "%v1" in body else "memref<?xf64>")
        )


def test_cholesky():
    """Sizes around blocks of 96 columns, and one with several tiles of 768 rows."""
    path = os.path.join(os.path.dirname(__file__), "..", "..", "examples", "rationale", "cholesky.mlir")
    factor = broadloom.compile(path)
    for n in (0, 1, 2, 47, 48, 95, 96, 97, 145, 192, 200, 900):
        rng = np.random.default_rng(n)
        root = np.tril(rng.random((n, n))) + n * np.eye(n)
        packed = elements("lower", root @ root.T)
        factor(packed)
        np.testing.assert_allclose(packed, elements("lower", root), rtol=1e-12, atol=1e-15 * (n + 1), err_msg=f"{n}")


def test_random_sets():
    """Sets of random conditions: each element has the place that NumPy's order gives it, and no other is accessed."""
    rng = np.random.default_rng(5)
    n, numbers = 5, 0
    for _ in range(20):
        rows = []
        for _ in range(int(rng.integers(1, 3))):
            sign, side, bound = rng.choice([-1, 1]), rng.choice([-1, 1]), int(rng.integers(-2, 4))
            rows.append((sign, side, bound + (n if sign == 1 and rng.random() < 0.3 else 0)))
        members = [
            (i, j)
            for i, j in itertools.product(range(n), range(n))
            if all(side * (i + sign * j) <= bound for sign, side, bound in rows)
        ]
        conditions = ", ".join(
            f"{'-' if side < 0 else ''}(i {'+' if sign > 0 else '-'} j) <= {bound}" for sign, side, bound in rows
        )
        kind = memory(f"(i, j)[n] : (0 <= i < n, 0 <= j < n, {conditions})", n, "i64")
        text = (
            f"func.func @main(%a: {kind}, %i: index, %j: index, %x: i64) {{\n"
            f"  memref.store %x, %a[%i, %j] : {kind}\n  return\n}}"
        )
        try:
            program = broadloom.compile(text)
        except broadloom.CompileError as error:
            assert re.search("nothing can have the shape|no point satisfies", str(error)), error
            continue
        numbers += 1
        a = np.zeros(len(members), np.int64)
        for i, j in itertools.product(range(-1, n + 1), range(-1, n + 1)):
            if (i, j) in members:
                program(a, i, j, 10 * i + j)
                continue
            with pytest.raises(broadloom.Error, match=re.escape(f"element [{i}, {j}] is not in the shape")):
                program(a, i, j, -1)
        assert a.tolist() == [10 * i + j for i, j in members]
    assert numbers >= 8
