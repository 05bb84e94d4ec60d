"""Tensors whose shape is a set (rules set-5, set-6), against NumPy."""

import functools
import itertools
import os
import re

import broadloom
import ml_dtypes
import numpy as np
import pytest
from test_set_shapes import LOWER, SETS

UPPER = SETS["upper"][0]
#: Also products of these, and diagonals that are written one by one.
ALL = SETS | {
    "wide": ("(i, j)[n] : (0 <= i < n, 0 <= j < n, i - 4 <= j, j <= i + 2)", lambda n, i, j: i - 4 <= j <= i + 2),
    "diagonals": (
        "(i, j)[n] : (0 <= i < n, j == i) or (i == j + 1, 0 <= j, i < n) or (j == i + 1, 0 <= i, j < n)",
        lambda n, i, j: abs(i - j) <= 1,
    ),
}


def kind(text, extent="?", element="f64"):
    return f'tensor<{extent}x{extent}x{element}, #loom.shape<"{text}">>'


def members(name, n):
    return [(i, j) for i, j in itertools.product(range(n), range(n)) if ALL[name][1](n, i, j)]


@functools.cache
def mask(name, n):
    inside = np.zeros((n, n), bool)
    for point in members(name, n):
        inside[point] = True
    return inside


def elements(name, dense):
    return dense[mask(name, len(dense))]


def compiled(text, function="main"):
    return broadloom.compile(text, function=function)


def functions(text, *names):
    """Each of these functions of a program."""
    return [compiled(text, name) for name in names]


def matrix(n, seed=0, dtype=np.float64):
    rng = np.random.default_rng(seed)
    return rng.integers(-9, 10, (n, n)).astype(dtype)


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


def product(name, extent="?", element="f64"):
    triangle = kind(SETS[name][0], extent, element)
    dense = result = f"tensor<{extent}x?x{element}>"
    return f"""
func.func @main(%a: {triangle}, %b: {dense}) -> {result} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c0 : {triangle}
  %m = tensor.dim %b, %c1 : {dense}
  %z = arith.constant {"0.0" if "f" in element else "0"} : {element}
  %e = tensor.empty({"%n, " if extent == "?" else ""}%m) : {result}
  %f = linalg.fill ins(%z : {element}) outs(%e : {result}) -> {result}
  %r = linalg.matmul ins(%a, %b : {triangle}, {dense}) outs(%f : {result}) -> {result}
  return %r : {result}
}}
"""


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("extent", ["?", "150"])
def test_products(name, extent):
    program = compiled(product(name, extent))
    for n in [150] if extent == "150" else [0, 1, 2, 5, 127, 128, 129, 300]:
        dense = np.where(mask(name, n), matrix(n), 0)
        for columns in (0, 1, 9):
            other = np.random.default_rng(n).integers(-9, 10, (n, columns)).astype(float)
            np.testing.assert_array_equal(program(elements(name, dense), other), dense @ other)


def product_of(first, second, extent="?", element="f64", product="dense"):
    """A product of two sets, or of a dense matrix ('dense') and a set, which is dense or a set."""
    types = [
        f"tensor<{extent}x{extent}x{element}>" if name == "dense" else kind(ALL[name][0], extent, element)
        for name in (first, second, product)
    ]
    sizes, dense = "%n, %n" if extent == "?" else "", types[2]
    return f"""
func.func @main(%a: {types[0]}, %b: {types[1]}) -> {dense} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c0 : {types[0]}
  %z = arith.constant {"0.0" if "f" in element else "0"} : {element}
  %e = tensor.empty({sizes}) : {dense}
  %f = linalg.fill ins(%z : {element}) outs(%e : {dense}) -> {dense}
  %r = linalg.matmul ins(%a, %b : {types[0]}, {types[1]}) outs(%f : {dense}) -> {dense}
  return %r : {dense}
}}
"""


@pytest.mark.parametrize("first", [*SETS, "dense"])
@pytest.mark.parametrize("second", ["lower", "upper", "band"])
@pytest.mark.parametrize("extent", ["?", "150"])
def test_products_of_two_sets(first, second, extent):
    program = compiled(product_of(first, second, extent))
    for n in [150] if extent == "150" else [0, 1, 2, 5, 127, 128, 129, 300]:
        a, b = matrix(n, 1), np.where(mask(second, n), matrix(n, 2), 0)
        if first != "dense":
            a = np.where(mask(first, n), a, 0)
        given = a if first == "dense" else elements(first, a)
        np.testing.assert_array_equal(program(given, elements(second, b)), a @ b)


@pytest.mark.parametrize(
    "element, dtype",
    [
        ("f32", np.float32),
        ("i32", np.int32),
        ("i64", np.int64),
        ("i8", np.int8),
        ("bf16", ml_dtypes.bfloat16),
        ("f16", np.float16),
    ],
)
@pytest.mark.parametrize(
    "first, second, product",
    [
        ("band", "upper", "dense"),
        ("lower", "dense", "dense"),
        ("lower", "lower", "lower"),
        ("diagonals", "diagonals", "wide"),
    ],
)
def test_products_of_two_sets_of_other_types(first, second, product, element, dtype):
    program = compiled(product_of(first, second, element=element, product=product))
    # Narrow types have all sums of signs.
    n, values = (200, matrix) if element in ("f32", "i32", "i64") else (40, lambda n, seed: np.sign(matrix(n, seed)))
    factors = [values(n, seed).astype(dtype) for seed in (3, 4)]
    given = []
    for i, name in enumerate((first, second)):
        if name != "dense":
            factors[i] = np.where(mask(name, n), factors[i], dtype(0))
        given.append(factors[i] if name == "dense" else elements(name, factors[i]))
    found, expected = program(*given), (factors[0].astype(float) @ factors[1].astype(float)).astype(dtype)
    assert found.dtype == dtype
    np.testing.assert_array_equal(found, expected if product == "dense" else elements(product, expected))


#: Conditions of sets in a rectangle, which no symbol tells.
RECTANGLES = {"full": "0 <= i", "lower": "j <= i", "upper": "i <= j", "band": "i - 1 <= j, j <= i + 2"}


def rectangle(name, rows, columns, element):
    """The type, and where the matrix has elements; a dense one has no encoding."""
    if name == "dense":
        return f"tensor<{rows}x{columns}x{element}>", np.ones((rows, columns), bool)
    text = f"(i, j) : (0 <= i < {rows}, 0 <= j < {columns}, {RECTANGLES[name]})"
    i, j = np.indices((rows, columns))
    inside = {"full": i >= 0, "lower": j <= i, "upper": i <= j, "band": (i - 1 <= j) & (j <= i + 2)}[name]
    return f'tensor<{rows}x{columns}x{element}, #loom.shape<"{text}">>', inside


@pytest.mark.parametrize("extents, element, dtype", [((4, 6, 3), "f64", np.float64)])
def test_products_of_rectangles(extents, element, dtype):
    rows, between, columns = extents
    compiles = 0
    for first, second, product in itertools.product([*RECTANGLES, "dense"], RECTANGLES, ["lower", "band", "dense"]):
        (a, in_a), (b, in_b), (c, in_c) = (
            rectangle(name, *shape, element)
            for name, shape in ((first, (rows, between)), (second, (between, columns)), (product, (rows, columns)))
        )
        text = f"""
func.func @main(%a: {a}, %b: {b}) -> {c} {{
  %z = arith.constant {"0.0" if "f" in element else "0"} : {element}
  %e = tensor.empty() : {c}
  %f = linalg.fill ins(%z : {element}) outs(%e : {c}) -> {c}
  %r = linalg.matmul ins(%a, %b : {a}, {b}) outs(%f : {c}) -> {c}
  return %r : {c}
}}
"""
        is_mixed = first == "dense" != product
        if is_mixed or ((in_a.astype(int) @ in_b.astype(int) > 0) & ~in_c).any():
            told = "has a dense factor" if is_mixed else r"use a dense result and 'loom\.to_set'"
            with pytest.raises(broadloom.CompileError, match=told):
                compiled(text)
            continue
        rng = np.random.default_rng(compiles)
        x, y = (rng.integers(-9, 10, inside.shape) * inside for inside in (in_a, in_b))
        given = [x if first == "dense" else x[in_a], y[in_b]]
        found = compiled(text)(*(each.astype(dtype) for each in given))
        np.testing.assert_array_equal(found, x @ y if product == "dense" else (x @ y)[in_c])
        compiles += 1
    assert compiles > 20


def test_products_of_rows_that_a_set_has_not():
    """Rows 1 to 3 of the second factor have elements, and row 0 of the first one has columns beyond them."""
    first, second = "(i, j)[n] : (0 <= i < n, 0 <= j < n, i <= j)", "(i, j) : (1 <= i <= 3, 0 <= j < 6)"
    text = product_of("upper", "lower", "6")
    text = text.replace(kind(SETS["upper"][0], "6"), kind(first, "6")).replace(kind(LOWER, "6"), kind(second, "6"))
    a, b = np.triu(matrix(6, 4)), matrix(6, 5)
    b[[0, 4, 5]] = 0
    found = compiled(text)(a[np.triu_indices(6)], b[1:4].ravel())
    np.testing.assert_array_equal(found, a @ b)


@pytest.mark.parametrize("extent", ["?", "150"])
@pytest.mark.parametrize("product", ["lower", "upper", "hessenberg", "wide", "corner"])
def test_products_that_are_sets(product, extent):
    """Compiled if and only if all products of these sets have 0 elsewhere, by enumeration."""
    compiles = 0
    for first, second in itertools.product(ALL, ALL):
        fits = all(
            not ((mask(first, n).astype(int) @ mask(second, n)).astype(bool) & ~mask(product, n)).any()
            for n in range(9)
        )
        text = product_of(first, second, extent, product=product)
        if not fits:
            if extent == "?":
                with pytest.raises(broadloom.CompileError, match=r"use a dense result and 'loom\.to_set'"):
                    compiled(text)
            continue
        program = compiled(text)
        compiles += 1
        for n in [150] if extent == "150" else [0, 1, 2, 5, 127, 128, 129, 300]:
            a, b = (np.where(mask(name, n), matrix(n, seed), 0) for seed, name in enumerate((first, second)))
            found = program(elements(first, a), elements(second, b))
            np.testing.assert_array_equal(found, elements(product, a @ b))
    assert compiles or product == "corner"


def test_products_of_two_extents():
    program = compiled(product_of("lower", "upper"))
    message = "'linalg.matmul': axis 1 of operand 0 has extent 3 but axis 0 of operand 1 has 4"
    with pytest.raises(broadloom.ShapeError, match=re.escape(message)):
        program(np.zeros(6), np.zeros(10))


def test_unions_that_are_one_conjunction():
    """One type, however it is written: the lower triangle, also by two parts."""
    parts = kind("(i, j)[n] : (0 <= j < i, i < n) or (j == i, 0 <= i < n)")
    program = compiled(f"func.func @main(%t: {parts}) -> {kind(LOWER)} {{\n  return %t : {kind(LOWER)}\n}}")
    np.testing.assert_array_equal(program(np.arange(6.0)), np.arange(6.0))
    conjunction = kind("(i, j)[n] : (0 <= i < n, 0 <= j < n, i - 1 <= j, j <= i + 1)")
    diagonals = kind(ALL["diagonals"][0])
    program = compiled(f"func.func @main(%t: {diagonals}) -> {conjunction} {{\n  return %t : {conjunction}\n}}")
    np.testing.assert_array_equal(program(np.arange(7.0)), np.arange(7.0))


def test_products_of_other_extents():
    program = compiled(product("lower"))
    message = "'linalg.matmul': axis 1 of operand 0 has extent 3 but axis 0 of operand 1 has 4"
    with pytest.raises(broadloom.ShapeError, match=re.escape(message)):
        program(np.zeros(6), np.zeros((4, 2)))


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


@pytest.mark.parametrize(
    "body, message",
    [
        (
            "%r = tosa.add %t, %d : (KIND, tensor<?x?xf64>) -> KIND",
            "'tosa.add' op has operand 1 of type 'tensor<?x?xf64>' and a result of type",
        ),
        (
            "%r = tosa.reverse %t {axis = 0 : i32} : (KIND) -> KIND",
            "takes no tensor whose shape is a set; make a dense one by 'loom.from_set'",
        ),
        (
            "%r = tensor.cast %t : KIND to tensor<4x4xf64>",
            "of which elements are elsewhere; use 'loom.to_set' or 'loom.from_set'",
        ),
        (
            "%r = tosa.transpose %t {perms = array<i32: 1, 0>} : (KIND) -> KIND",
            "but the result has the shape (i, j)[n] : (i <= n - 1, 0 <= j <= i)",
        ),
        (
            "%r = loom.from_set dropped %t : KIND to tensor<?x?xf64>",
            "leaves open what is not in the set; use 'zero' or 'symmetric'",
        ),
        ("%r = loom.from_set zero %t : KIND to tensor<?x?xf32>", "both need the same rank and elements"),
        ("%r = loom.set_elements %t : KIND to tensor<?x?xf64>", "but the elements are 'tensor<?xf64>'"),
        ("%r = loom.set_elements %d : tensor<?x?xf64> to tensor<?xf64>", "needs a tensor whose shape is a set"),
    ],
)
def test_refused(body, message):
    text = f"func.func @main(%t: KIND, %d: tensor<?x?xf64>) {{\n  {body}\n  return\n}}\n"
    with pytest.raises(broadloom.CompileError, match=re.escape(message)):
        compiled(text.replace("KIND", kind(LOWER)))


def test_refused_types():
    band = kind(SETS["band"][0])
    text = f"func.func @main(%d: tensor<?x?xf64>) {{\n  %t = loom.to_set symmetric %d : tensor<?x?xf64> to {band}\n  return\n}}\n"
    with pytest.raises(broadloom.CompileError, match="has elements on both sides of the diagonal"):
        compiled(text)
    with pytest.raises(broadloom.CompileError, match="which a function without a body cannot have"):
        compiled(f"func.func private @f({kind(LOWER)})\nfunc.func @main() {{\n  return\n}}\n")
    with pytest.raises(broadloom.CompileError, match="axes 0 and 1 have one extent"):
        compiled(f'func.func @main(%a: tensor<3x4xf64, #loom.shape<"{LOWER}">>) {{\n  return\n}}\n')
    holes = "(i, j)[n] : (0 <= i < n, 0 <= j < n, (i + j) mod 2 == 0)"
    with pytest.raises(broadloom.CompileError, match="it has quotients or what exists, so that it may have holes"):
        compiled(f"func.func @main(%a: {kind(holes)}) {{\n  return\n}}\n")


KINDS = {"SET": kind(LOWER), "OTHER": kind(UPPER), "LINE": "tensor<?xf64>"}
EDGES = {
    "if": """
func.func @main(%t: FROM, %u: TO, %c: i1) -> TO {
  %r = scf.if %c -> TO {
    scf.yield %t : FROM
  } else {
    scf.yield %u : TO
  }
  return %r : TO
}""",
    "for": """
func.func @main(%t: FROM, %u: TO, %n: index) -> TO {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = "scf.for"(%c0, %n, %c1, %u) ({
  ^bb0(%i: index, %x: TO):
    "scf.yield"(%t) : (FROM) -> ()
  }) : (index, index, index, TO) -> TO
  return %r : TO
}""",
    "for begin": """
func.func @main(%t: FROM, %n: index) -> TO {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = "scf.for"(%c0, %n, %c1, %t) ({
  ^bb0(%i: index, %x: TO):
    "scf.yield"(%x) : (TO) -> ()
  }) : (index, index, index, FROM) -> TO
  return %r : TO
}""",
    "while": """
func.func @main(%t: FROM) -> TO {
  %r = "scf.while"(%t) ({
  ^bb0(%x: FROM):
    %f = arith.constant false
    "scf.condition"(%f, %x) : (i1, FROM) -> ()
  }, {
  ^bb0(%x: FROM):
    "scf.yield"(%x) : (FROM) -> ()
  }) : (FROM) -> TO
  return %r : TO
}""",
    "cond_if": """
func.func @main(%t: FROM, %u: TO, %c: tensor<i1>) -> TO {
  %r = "tosa.cond_if"(%c) ({
    "tosa.yield"(%t) : (FROM) -> ()
  }, {
    "tosa.yield"(%u) : (TO) -> ()
  }) : (tensor<i1>) -> TO
  return %r : TO
}""",
    "while_loop": """
func.func @main(%t: FROM, %c: tensor<i1>) -> FROM {
  %r = "tosa.while_loop"(%t) ({
  ^bb0(%x: TO):
    "tosa.yield"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%x: TO):
    "tosa.yield"(%x) : (TO) -> ()
  }) : (FROM) -> FROM
  return %r : FROM
}""",
    "branch": """
func.func @main(%t: FROM) -> TO {
  "cf.br"(%t)[^next] : (FROM) -> ()
^next(%r: TO):
  return %r : TO
}""",
    "return": """
func.func @main(%t: FROM) -> TO {
  "func.return"(%t) : (FROM) -> ()
}""",
    "argument": """
func.func private @f(%t: TO) -> TO {
  return %t : TO
}
func.func @main(%t: FROM) -> TO {
  %r = "func.call"(%t) {callee = @f} : (FROM) -> TO
  return %r : TO
}""",
    "result": """
func.func private @f(%t: FROM) -> FROM {
  return %t : FROM
}
func.func @main(%t: FROM) -> TO {
  %r = "func.call"(%t) {callee = @f} : (FROM) -> TO
  return %r : TO
}""",
    "fill": """
func.func @main(%x: f64, %t: FROM) -> TO {
  %r = "linalg.fill"(%x, %t) <{operandSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%a: f64, %b: f64):
    linalg.yield %a : f64
  }) : (f64, FROM) -> TO
  return %r : TO
}""",
    "cast": """
func.func @main(%t: FROM) -> TO {
  %r = "tensor.cast"(%t) : (FROM) -> TO
  return %r : TO
}""",
    "identity": """
func.func @main(%t: FROM) -> TO {
  %r = "tosa.identity"(%t) : (FROM) -> TO
  return %r : TO
}""",
}


@pytest.mark.parametrize("edge", EDGES)
@pytest.mark.parametrize("given, taken", [("OTHER", "SET"), ("LINE", "SET"), ("SET", "LINE")])
def test_sets_are_passed_on_as_they_are(edge, given, taken):
    """Once packed, a triangle, another one and a dense line have one type."""
    text = EDGES[edge].replace("FROM", KINDS[given]).replace("TO", KINDS[taken])
    with pytest.raises(broadloom.CompileError, match="of which elements are elsewhere; use 'loom"):
        compiled(text)


@pytest.mark.parametrize("edge", ["if", "for", "for begin", "while", "branch"])
@pytest.mark.parametrize("given, taken", [(4, 3), ("?", 4), (4, "?")])
def test_extents_of_blocks(edge, given, taken):
    text = EDGES[edge].replace("FROM", kind(LOWER, given)).replace("TO", kind(LOWER, taken))
    with pytest.raises(broadloom.CompileError, match="blocks and regions take what has their type; use"):
        compiled(text)


@pytest.mark.parametrize(
    "made, message",
    [
        ('"tosa.const"() {values = dense<2.0> : tensor<4x4xf64>} : () -> OPEN', "has open extents in type"),
        ('"tosa.const"() {values = dense<1.0> : tensor<3xf64>} : () -> KNOWN', "both need the same extents and"),
        ('"tosa.const"() {values = dense<1> : tensor<4x4xi32>} : () -> KNOWN', "both need the same extents and"),
        ('"arith.constant"() {value = dense<1.0> : tensor<3xf64>} : () -> KNOWN', "error"),
        ('"arith.constant"() {value = dense<1> : tensor<4x4xi32>} : () -> KNOWN', "error"),
        ('"arith.constant"() {value = 1.0 : f64} : () -> KNOWN', "error"),
    ],
)
def test_constants_of_other_types(made, message):
    made = made.replace("OPEN", kind(LOWER)).replace("KNOWN", kind(LOWER, 4))
    text = f"func.func @main() {{\n  %r = {made}\n  return\n}}\n"
    with pytest.raises(broadloom.CompileError, match=re.escape(message)):
        compiled(text)


@pytest.mark.parametrize("element", ["complex<f64>", "vector<2xf32>", "!llvm.ptr"])
@pytest.mark.parametrize("operation", ["to_set zero", "to_set symmetric", "from_set zero", "from_set symmetric"])
def test_elements_without_a_zero(element, operation):
    types = [f"tensor<?x?x{element}>", kind(LOWER, "?", element)]
    given, made = types if operation.startswith("to_set") else types[::-1]
    text = f"func.func @main(%t: {given}) {{\n  %r = loom.{operation} %t : {given} to {made}\n  return\n}}\n"
    with pytest.raises(broadloom.CompileError, match="of which none is known to be 0; use integers, 'index' or float"):
        compiled(text)


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


def test_products_of_other_elements():
    text = product("lower", "?", "f32").replace("xf32, #loom", "xf16, #loom")
    with pytest.raises(broadloom.CompileError, match="a product of a set has elements of one type; use"):
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
