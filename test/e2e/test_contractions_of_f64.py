"""Contractions of f64 by kernels (sum-1), against NumPy. Integers make all sums exact, so that each element is compared
with the bits that it has in any order."""

import itertools
import platform

import broadloom
import numpy as np
import pytest
from broadloom import DONE
from element_types import TYPES
from test_linalg_convolutions import KINDS, allWindows, arrange, convolve, program
from test_memory_contractions import K, M, N, one_by_one, product, result

#: This one's; AVX-512 with 32 registers, AVX2 with a fused multiply-add, and neither.
PROCESSORS = ["native", "x86-64-v4", "x86-64-v3", "x86-64"]


def whole(shape, seed=0):
    return np.random.default_rng(seed).integers(-99, 100, shape).astype(np.float64)


def run(folder, text, arrays, *options):
    outcome, results = broadloom.run(folder, text, arrays, [TYPES["f64"]], *options)
    assert outcome.status == DONE, outcome.error
    return results[0]


def load(cpu, folder, text):
    """Code for a processor; skips the test where this one is less."""
    (folder / "p.mlir").write_text(text)
    library = folder / "p.so"
    options = [] if cpu == "native" else [f"--cpu={cpu}"]
    if options and platform.machine() != "x86_64":
        pytest.skip("the processors are of x86-64")
    outcome = broadloom.call("compile", folder / "p.mlir", *options, "-o", library)
    assert outcome.status == DONE, outcome.error
    try:
        return broadloom.loadLibrary(library)
    except ValueError as refusal:
        assert "compiled for a processor with" in str(refusal)
        pytest.skip(str(refusal))


def matmul(columns="?", weight=None):
    """The product with a matrix of so many columns, which is an argument or a constant."""
    depth = "?" if weight is None else weight.shape[0]
    a, b, c = f"tensor<?x{depth}xf64>", f"tensor<{depth}x{columns}xf64>", f"tensor<?x{columns}xf64>"
    constant = "" if weight is None else f'  %b = arith.constant dense<"0x{weight.tobytes().hex()}"> : {b}\n'
    return f"""func.func @main(%a: {a}{f", %b: {b}" if weight is None else ""}) -> {c} {{
{constant}  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %a, %c0 : {a}
  %n = tensor.dim %b, %c1 : {b}
  %z = arith.constant 0.0 : f64
  %e = tensor.empty(%m{", %n" if columns == "?" else ""}) : {c}
  %f = linalg.fill ins(%z : f64) outs(%e : {c}) -> {c}
  %r = linalg.matmul ins(%a, %b : {a}, {b}) outs(%f : {c}) -> {c}
  return %r : {c}
}}
"""


def compare(program, rows, depth, columns, weight=None):
    a, b = whole((rows, depth), 1), whole((depth, columns), 2) if weight is None else weight
    found = program(*([a] if weight is not None else [a, b]), out=np.empty((rows, columns)))
    np.testing.assert_array_equal(found, a @ b, f"{rows} {depth} {columns}")


# Single rows, tiles of all sizes, and sums in parts.
ROWS, DEPTHS = (1, 2, 7, 31, 40), (1, 3, 64, 700, 1100)
COLUMNS = (1, 3, 4, 5, 8, 9, 16, 24, 31, 32, 33, 70)


@pytest.mark.parametrize("cpu", PROCESSORS)
def test_products_of_open_extents(tmp_path, cpu):
    program = load(cpu, tmp_path, matmul())
    for rows, depth, columns in itertools.product(ROWS, DEPTHS, COLUMNS):
        compare(program, rows, depth, columns)


@pytest.mark.parametrize("cpu, columns", [("native", n) for n in COLUMNS] + [(cpu, 21) for cpu in PROCESSORS[1:]])
def test_products_of_known_columns(tmp_path, cpu, columns):
    program = load(cpu, tmp_path, matmul(columns))
    for rows, depth in itertools.product(ROWS, DEPTHS):
        compare(program, rows, depth, columns)


@pytest.mark.parametrize("cpu", PROCESSORS)
@pytest.mark.parametrize("depth, columns", [(3, 5), (64, 33), (1100, 9)])
def test_products_with_constants(tmp_path, cpu, depth, columns):
    """The weight is laid out when the program is compiled."""
    weight = whole((depth, columns), 3)
    program = load(cpu, tmp_path, matmul(columns, weight))
    for rows in ROWS:
        compare(program, rows, depth, columns, weight)


@pytest.mark.parametrize("extents", [(0, 5, 4), (3, 0, 4), (3, 5, 0), (1, 1, 1)])
def test_products_of_nothing(tmp_path, extents):
    m, k, n = extents
    a, b = whole((m, k)), whole((k, n))
    np.testing.assert_array_equal(run(tmp_path, matmul(), [a, b]), a @ b)


def test_wrong_extents(tmp_path):
    a, b = whole((3, 5)), whole((4, 6))
    outcome, _ = broadloom.run(tmp_path, matmul(), [a, b], [TYPES["f64"]])
    assert outcome.status == broadloom.GUARD_FAILED
    assert "'linalg.matmul': axis 1 of operand 0 has extent 5 but axis 0 of operand 1 has 4" in outcome.error


def test_rounds_once(tmp_path):
    """Each product is exact, and all digits of f64 count."""
    rng = np.random.default_rng(3)
    a, b = rng.standard_normal((20, 300)), rng.standard_normal((300, 20))
    text = matmul()
    wide = a.astype(np.longdouble) @ b.astype(np.longdouble)
    np.testing.assert_allclose(run(tmp_path, text, [a, b]), wide.astype(np.float64), rtol=0, atol=300 * 2**-52)
    assert run(tmp_path, text, [a, b], "--threads=2").tobytes() == run(tmp_path, text, [a, b]).tobytes()


@pytest.mark.parametrize("known, cpu", [(True, "native"), (False, "native"), (True, "x86-64-v3")])
@pytest.mark.parametrize("name,axes,depthwise", KINDS)
def test_convolutions(tmp_path, name, axes, depthwise, known, cpu):
    extents, kernel = (9, 8, 5)[:axes], (2, 3, 2)[:axes]
    channels, outputs = 5, 5 if depthwise else 11
    windows = allWindows(extents, kernel)
    image = whole((2, *extents, channels), 4)
    weight = whole((*kernel, channels, *([] if depthwise else [outputs])), 5)
    like = whole((2, *windows, outputs), 6)
    expected = arrange(name, axes, image, weight, convolve(image, weight, windows, axes, depthwise) + like)[2]
    given = arrange(name, axes, image, weight, like)
    text = program(name, axes, *(x.shape for x in given), known, True).replace("f32", "f64")
    found = load(cpu, tmp_path, text)(*given, out=np.empty(expected.shape))
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("transposed", itertools.product([False, True], repeat=2))
@pytest.mark.parametrize("zeros", [False, True])
def test_nests_over_memory(tmp_path, transposed, zeros):
    """Nests that are contractions (mem-16)."""
    a, b, c = whole((M, K), 7), whole((K, N), 8), whole((M, N), 9)
    text = product(transposed=transposed, zeros=zeros, types=("f64", "f64"))
    given = [np.ascontiguousarray(x.T) if t else x for x, t in zip((a, b), transposed)] + [c]
    np.testing.assert_array_equal(result(tmp_path, text, given, (M, N, K)), a @ b + (0 if zeros else c))


def test_nests_without_flags_round_each_product(tmp_path):
    rng = np.random.default_rng(10)
    a, b, c = rng.standard_normal((M, K)), rng.standard_normal((K, N)), rng.standard_normal((M, N))
    text = product(flags="", types=("f64", "f64"))
    assert result(tmp_path, text, [a, b, c], (M, N, K)).tobytes() == one_by_one(a, b, c).tobytes()
