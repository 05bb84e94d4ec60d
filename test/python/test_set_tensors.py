"""Tensors whose shape is a set (rules set-5, set-6), against NumPy."""

import itertools
import os
import re

import broadloom
import numpy as np
import pytest
from set_tensors import ALL, UPPER, compiled, elements, functions, kind, mask, matrix, members
from test_set_shapes import LOWER, SETS


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("extents", [("?", (0, 1, 2, 3, 7, 40)), ("6", (6,)), ("1", (1,)), ("0", (0,))])
@pytest.mark.parametrize(
    "element, dtype", [("f64", np.float64), ("f32", np.float32), ("i8", np.int8), ("i64", np.int64)]
)
def test_from_and_to_dense(name, extents, element, dtype):
    extent, sizes = extents
    if extent != "?" and element != "f64":
        pytest.skip("one type is enough")
    packed, dense = kind(SETS[name][0], extent, element), f"tensor<{extent}x{extent}x{element}>"
    pack, unpack, around = functions(
        f"""
func.func @pack(%d: {dense}) -> {packed} {{
  %t = loom.to_set dropped %d : {dense} to {packed}
  return %t : {packed}
}}
func.func @unpack(%t: {packed}) -> {dense} {{
  %d = loom.from_set zero %t : {packed} to {dense}
  return %d : {dense}
}}
func.func @around(%d: {dense}) -> {dense} {{
  %t = loom.to_set zero %d : {dense} to {packed}
  %r = loom.from_set zero %t : {packed} to {dense}
  return %r : {dense}
}}
""",
        "pack",
        "unpack",
        "around",
    )
    for n in sizes:
        dense_array = matrix(n, n, dtype)
        found = pack(dense_array)
        assert found.dtype == dtype
        np.testing.assert_array_equal(found, elements(name, dense_array))
        zeroed = np.where(mask(name, n), dense_array, 0)
        np.testing.assert_array_equal(unpack(found), zeroed)
        np.testing.assert_array_equal(around(zeroed), zeroed)
        outside = np.argwhere(~mask(name, n))
        if len(outside):
            i, j = outside[len(outside) // 2]
            zeroed[i, j] = 1
            with pytest.raises(
                broadloom.ShapeError, match=rf"'loom.to_set': element \[{i}, {j}\] of the tensor is not 0"
            ):
                around(zeroed)


def both_ways(rest, text=LOWER):
    packed = kind(text)
    return f"""
func.func @main(%d: tensor<?x?xf64>) -> (tensor<?x?xf64>, {packed}) {{
  %t = loom.to_set {rest} %d : tensor<?x?xf64> to {packed}
  %r = loom.from_set {rest} %t : {packed} to tensor<?x?xf64>
  return %r, %t : tensor<?x?xf64>, {packed}
}}
"""


@pytest.mark.parametrize("n", [0, 1, 2, 5, 33])
def test_symmetric(n):
    program = compiled(both_ways("symmetric"))
    dense = matrix(n) + matrix(n).T
    whole, packed = program(dense)
    np.testing.assert_array_equal(whole, dense)
    np.testing.assert_array_equal(packed, dense[np.tril_indices(n)])
    if n > 1:
        dense[0, n - 1] += 1
        message = f"element [0, {n - 1}] of the tensor is not element [{n - 1}, 0], or 0 where the shape has neither"
        with pytest.raises(broadloom.ShapeError, match=re.escape(message)):
            program(dense)


def test_symmetric_band():
    """Half of a band: what neither half has is 0."""
    program = compiled(both_ways("symmetric", "(i, j)[n] : (0 <= i < n, 0 <= j <= i, i - 2 <= j)"))
    n = 7
    far = np.abs(np.subtract.outer(range(n), range(n))) > 2
    dense = np.where(far, 0, matrix(n) + matrix(n).T)
    np.testing.assert_array_equal(program(dense)[0], dense)
    dense[6, 0] = dense[0, 6] = 1
    with pytest.raises(broadloom.ShapeError, match=r"element \[0, 6\] of the tensor is not element \[6, 0\]"):
        program(dense)


def test_numbers_that_are_none():
    program = compiled(both_ways("zero"))
    dense = np.zeros((3, 3))
    dense[0, 1] = -0.0
    program(dense)
    dense[0, 1] = np.nan
    with pytest.raises(broadloom.ShapeError, match=r"element \[0, 1\] of the tensor is not 0"):
        program(dense)
    symmetric = compiled(both_ways("symmetric"))
    dense[1, 0] = np.nan
    np.testing.assert_array_equal(symmetric(dense)[0], dense)


def test_axes_of_one_extent():
    program = compiled(both_ways("zero"))
    message = (
        "'loom.to_set': axis 1 of the tensor has extent 3, but the shape (i, j)[n] : (i <= n - 1, 0 <= j <= i) needs 2"
    )
    with pytest.raises(broadloom.ShapeError, match=re.escape(message)):
        program(np.zeros((2, 3)))


ELEMENTWISE = """
func.func @main(%a: KIND, %b: KIND) -> KIND {
  %s = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %c = "tosa.const"() {values = dense<2.0> : tensor<1x1xf64>} : () -> tensor<1x1xf64>
  %e = math.absf %a : KIND
  %x = tosa.mul %a, %b, %s : (KIND, KIND, tensor<1xi8>) -> KIND
  %y = tosa.add %x, %c : (KIND, tensor<1x1xf64>) -> KIND
  %z = arith.addf %y, %e : KIND
  %r = math.absf %z : KIND
  return %r : KIND
}
"""


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("extent", ["?", "5"])
def test_element_wise(name, extent):
    program = compiled(ELEMENTWISE.replace("KIND", kind(SETS[name][0], extent)))
    for n in [5] if extent == "5" else [0, 1, 2, 5, 20]:
        a, b = (elements(name, matrix(n, seed)) for seed in (1, 2))
        np.testing.assert_array_equal(program(a, b), np.abs(a * b + 2 + np.abs(a)))


def test_constants():
    """A constant has one number for all elements, and zeros of any extents are filled."""
    known, triangle = kind(LOWER, 4), kind(LOWER)
    text = f"""
func.func @main(%a: {known}) -> {known} {{
  %o = arith.constant dense<1.5> : {known}
  %c = "tosa.const"() {{values = dense<2.0> : {known}}} : () -> {known}
  %s = arith.addf %a, %o : {known}
  %r = tosa.add %s, %c : ({known}, {known}) -> {known}
  return %r : {known}
}}
func.func @fill(%n: index, %x: f64) -> {triangle} {{
  %e = tensor.empty(%n, %n) : {triangle}
  %r = linalg.fill ins(%x : f64) outs(%e : {triangle}) -> {triangle}
  return %r : {triangle}
}}
"""
    add, fill = functions(text, "main", "fill")
    packed = matrix(4)[np.tril_indices(4)]
    np.testing.assert_array_equal(add(packed), packed + 3.5)
    for n in (0, 1, 5):
        np.testing.assert_array_equal(fill(n, 2.5), np.full(n * (n + 1) // 2, 2.5))


def test_extents_that_differ():
    """A tensor of one element is no scalar for one of the same set."""
    program = compiled(ELEMENTWISE.replace("KIND", kind(LOWER)))
    for m, n in [(2, 3), (1, 3), (3, 1), (0, 1)]:
        a, b = (elements("lower", matrix(size)) for size in (m, n))
        message = (
            f"'tosa.mul': operand 0 has {len(a)} elements but operand 1 has {len(b)}, of the shape "
            "(i, j)[n] : (i <= n - 1, 0 <= j <= i); both need the same extents"
        )
        with pytest.raises(broadloom.ShapeError, match=re.escape(message)):
            program(a, b)


def test_numbers_of_elements_and_dense_arrays():
    program = compiled(ELEMENTWISE.replace("KIND", kind(LOWER)))
    message = (
        "has 4 elements, but the shape (i, j)[n] : (i <= n - 1, 0 <= j <= i) has 3 where n is 2 and 6 where it is 3"
    )
    with pytest.raises(broadloom.ShapeError, match=re.escape(message)):
        program(np.zeros(4), np.zeros(4))
    with pytest.raises(broadloom.ShapeError, match="argument 'a' has shape 2x2 but the function takes"):
        program(np.zeros((2, 2)), np.zeros((2, 2)))


TRANSPOSITION = """
func.func @main(%a: FROM) -> TO {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : FROM
  %e = tensor.empty(SIZES) : TO
  %r = linalg.transpose ins(%a : FROM) outs(%e : TO) permutation = [1, 0]
  return %r : TO
}
func.func @tosa(%a: FROM) -> TO {
  %r = tosa.transpose %a {perms = array<i32: 1, 0>} : (FROM) -> TO
  return %r : TO
}
"""
TRANSPOSED = {
    "lower": "upper",
    "upper": "lower",
    "corner": "corner",
}


@pytest.mark.parametrize("name", TRANSPOSED)
@pytest.mark.parametrize("extent", ["?", "6"])
@pytest.mark.parametrize("function", ["main", "tosa"])
def test_transposition(name, extent, function):
    text = TRANSPOSITION.replace("FROM", kind(SETS[name][0], extent))
    text = text.replace("TO", kind(SETS[TRANSPOSED[name]][0], extent)).replace(
        "SIZES", "%n, %n" if extent == "?" else ""
    )
    program = compiled(text, function)
    for n in [6] if extent == "6" else [0, 1, 2, 6, 21]:
        dense = matrix(n)
        np.testing.assert_array_equal(program(elements(name, dense)), elements(TRANSPOSED[name], dense.T))


def test_unions_that_are_one_conjunction():
    """One type, however it is written: the lower triangle, also by two parts."""
    parts = kind("(i, j)[n] : (0 <= j < i, i < n) or (j == i, 0 <= i < n)")
    program = compiled(f"func.func @main(%t: {parts}) -> {kind(LOWER)} {{\n  return %t : {kind(LOWER)}\n}}")
    np.testing.assert_array_equal(program(np.arange(6.0)), np.arange(6.0))
    conjunction = kind("(i, j)[n] : (0 <= i < n, 0 <= j < n, i - 1 <= j, j <= i + 1)")
    diagonals = kind(ALL["diagonals"][0])
    program = compiled(f"func.func @main(%t: {diagonals}) -> {conjunction} {{\n  return %t : {conjunction}\n}}")
    np.testing.assert_array_equal(program(np.arange(7.0)), np.arange(7.0))


def test_elements_and_reads():
    triangle = kind(LOWER)
    text = f"""
func.func @main(%a: {triangle}, %i: index, %j: index) -> (f64, index, tensor<1xf64>) {{
  %c1 = arith.constant 1 : index
  %x = tensor.extract %a[%i, %j] : {triangle}
  %n = tensor.dim %a, %c1 : {triangle}
  %e = loom.set_elements %a : {triangle} to tensor<?xf64>
  %s = tosa.reduce_sum %e {{axis = 0 : i32}} : (tensor<?xf64>) -> tensor<1xf64>
  return %x, %n, %s : f64, index, tensor<1xf64>
}}
"""
    program = compiled(text)
    dense = matrix(5)
    packed = dense[np.tril_indices(5)]
    for i, j in members("lower", 5):
        x, n, total = program(packed, i, j)
        assert (x, n, total[0]) == (dense[i, j], 5, packed.sum())
    for i, j in [(1, 2), (0, 4), (-1, 0), (3, -1), (5, 0), (5, 5), (2**40, 0)]:
        message = f"element [{i}, {j}] is not in the shape (i, j)[n] : (i <= n - 1, 0 <= j <= i), where n is 5"
        with pytest.raises(broadloom.ShapeError, match=re.escape(message)):
            program(packed, i, j)
    # For which places and comparisons wrap around.
    for place in range(15):
        i, j = -(2**63) + 8, 2**62 - 36 + place
        with pytest.raises(broadloom.ShapeError, match=re.escape(f"element [{i}, {j}] is not in the shape")):
            program(packed, i, j)


def test_control_flow_and_calls():
    triangle = kind(LOWER)
    text = f"""
func.func private @double(%a: {triangle}) -> {triangle} {{
  %r = arith.addf %a, %a : {triangle}
  return %r : {triangle}
}}
func.func @main(%a: {triangle}, %n: index, %c: i1) -> {triangle} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %a) -> {triangle} {{
    %d = func.call @double(%t) : ({triangle}) -> {triangle}
    scf.yield %d : {triangle}
  }}
  %s = scf.if %c -> {triangle} {{
    %u = math.absf %r : {triangle}
    scf.yield %u : {triangle}
  }} else {{
    scf.yield %r : {triangle}
  }}
  return %s : {triangle}
}}
"""
    program = compiled(text)
    packed = matrix(4)[np.tril_indices(4)]
    for n, c in itertools.product((0, 3), (True, False)):
        expected = packed * 2**n
        np.testing.assert_array_equal(program(packed, n, c), np.abs(expected) if c else expected)


def test_results_have_the_elements_alone():
    """The array of a result has as many bytes as the elements of the set."""
    n = 500
    triangle = kind(LOWER)
    text = f"func.func @main(%a: {triangle}) -> {triangle} {{\n  %r = math.absf %a : {triangle}\n  return %r : {triangle}\n}}\n"
    count = n * (n + 1) // 2
    assert compiled(text)(np.ones(count)).nbytes == 8 * count


@pytest.mark.parametrize("n", [0, 1, 2, 5])
@pytest.mark.parametrize("rest", ["dropped", "zero"])
def test_rows_outside_the_extents(n, rest):
    """The interval of rows has row 0 where the extents have none."""
    packed, dense, factor = (
        kind("(i, j)[n] : (0 <= i < n, 0 <= j < n, i <= 0)", n),
        f"tensor<{n}x{n}xf64>",
        f"tensor<{n}x3xf64>",
    )
    program = compiled(f"""
func.func @main(%d: {dense}, %b: {factor}) -> ({dense}, {packed}, {factor}) {{
  %t = loom.to_set {rest} %d : {dense} to {packed}
  %r = loom.from_set zero %t : {packed} to {dense}
  %z = arith.constant 0.0 : f64
  %e = tensor.empty() : {factor}
  %f = linalg.fill ins(%z : f64) outs(%e : {factor}) -> {factor}
  %p = linalg.matmul ins(%t, %b : {packed}, {factor}) outs(%f : {factor}) -> {factor}
  return %r, %t, %p : {dense}, {packed}, {factor}
}}
""")
    values, other = np.zeros((n, n)), np.arange(3.0 * n).reshape(n, 3)
    values[:1] = matrix(n)[:1]
    whole, elements_alone, multiplied = program(values, other)
    np.testing.assert_array_equal(whole, values)
    np.testing.assert_array_equal(elements_alone, values[:1].ravel())
    np.testing.assert_array_equal(multiplied, values @ other)


@pytest.mark.parametrize("rest", ["dropped", "zero"])
def test_blocks_that_run_in_another_order(rest):
    triangle = kind(LOWER)
    program = compiled(f"""
func.func @main(%d: tensor<?x?xf64>) -> (tensor<?x?xf64>, index) {{
  %c0 = arith.constant 0 : index
  cf.br ^first
^second:
  %e = loom.from_set zero %t : {triangle} to tensor<?x?xf64>
  %n = tensor.dim %t, %c0 : {triangle}
  return %e, %n : tensor<?x?xf64>, index
^first:
  %t = loom.to_set {rest} %d : tensor<?x?xf64> to {triangle}
  cf.br ^second
}}
""")
    for n in (0, 1, 4):
        dense = np.tril(matrix(n))
        whole, extent = program(dense)
        np.testing.assert_array_equal(whole, dense)
        assert extent == n


def test_axes_that_are_none():
    triangle = kind(LOWER)
    text = f"func.func @main(%a: {triangle}) -> index {{\n  %c = arith.constant -1 : index\n  %n = tensor.dim %a, %c : {triangle}\n  return %n : index\n}}\n"
    with pytest.raises((broadloom.CompileError, broadloom.ShapeError), match="is asked for"):
        compiled(text)(np.zeros(6))


def test_destinations_of_transpositions():
    text = f"""
func.func @main(%a: {kind(LOWER)}, %m: index) -> {kind(UPPER)} {{
  %e = tensor.empty(%m, %m) : {kind(UPPER)}
  %r = linalg.transpose ins(%a : {kind(LOWER)}) outs(%e : {kind(UPPER)}) permutation = [1, 0]
  return %r : {kind(UPPER)}
}}
"""
    program = compiled(text)
    dense = matrix(4)
    np.testing.assert_array_equal(program(elements("lower", dense), 4), elements("upper", dense.T))
    for m in (0, 3, 7):
        message = f"'linalg.transpose': operand 0 has extent 4, but its destination has {m}"
        with pytest.raises(broadloom.ShapeError, match=re.escape(message)):
            program(np.zeros(10), m)


def test_operands_of_one_element():
    """What had one element by its type is a scalar, also where it was a set."""
    triangle, one = kind(LOWER), kind(LOWER, 1)
    program = compiled(f"""
func.func @main(%a: {triangle}, %b: {one}) -> {triangle} {{
  %e = loom.set_elements %b : {one} to tensor<1xf64>
  %r = tosa.add %a, %e : ({triangle}, tensor<1xf64>) -> {triangle}
  return %r : {triangle}
}}
""")
    for count in (0, 1, 10):
        np.testing.assert_array_equal(program(np.arange(float(count)), np.full(1, 2.0)), np.arange(float(count)) + 2)
    for made in (triangle, kind(LOWER, 4)):
        text = f"func.func @main(%a: tensor<1x1xf64>) -> {made} {{\n  %r = tosa.exp %a : (tensor<1x1xf64>) -> {made}\n  return %r : {made}\n}}\n"
        with pytest.raises(broadloom.CompileError, match="no operand of this shape, which would tell the extents"):
            compiled(text)


def test_example():
    path = os.path.join(os.path.dirname(__file__), "..", "..", "examples", "rationale", "triangles.mlir")
    pack, unpack, mean, multiply = functions(path, "pack", "unpack", "mean", "multiply")
    rng = np.random.default_rng(6)
    root = rng.random((50, 50))
    dense, other = root + root.T, rng.random((50, 7))
    packed = pack(dense)
    np.testing.assert_array_equal(packed, dense[np.tril_indices(50)])
    np.testing.assert_array_equal(unpack(packed), dense)
    np.testing.assert_allclose(mean(packed, 2 * packed), 1.5 * packed)
    np.testing.assert_allclose(multiply(packed, other), np.tril(dense) @ other)
    with pytest.raises(broadloom.ShapeError, match=r"element \[0, 49\] of the tensor is not element \[49, 0\]"):
        dense[0, 49] += 1
        pack(dense)
