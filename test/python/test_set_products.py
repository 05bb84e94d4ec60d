"""Products of tensors whose shape is a set (rule set-6), against NumPy."""

import itertools
import re

import broadloom
import ml_dtypes
import numpy as np
import pytest
from set_tensors import ALL, compiled, elements, kind, mask, matrix
from test_set_shapes import LOWER, SETS


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


def test_products_of_other_extents():
    program = compiled(product("lower"))
    message = "'linalg.matmul': axis 1 of operand 0 has extent 3 but axis 0 of operand 1 has 4"
    with pytest.raises(broadloom.ShapeError, match=re.escape(message)):
        program(np.zeros(6), np.zeros((4, 2)))


def test_products_of_other_elements():
    text = product("lower", "?", "f32").replace("xf32, #loom", "xf16, #loom")
    with pytest.raises(broadloom.CompileError, match="a product of a set has elements of one type; use"):
        compiled(text)
