"""Tests products of matrices: shapes, threads, transposed factors, and single rows."""

import broadloom
import numpy as np
import pytest
from broadloom import DONE
from contraction_programs import MODES, assertNear, constant, multiply, run
from element_types import TYPES
from images import makeImage, tensor


@pytest.mark.parametrize("given", [False, True])
@pytest.mark.parametrize(
    "batch, m, k, n",
    [(1, 1, 70, 90), (1, 23, 64, 33), (2, 24, 17, 64), (3, 100, 3, 1), (1, 101, 3001, 70), (2, 5, 0, 7)],
)
def test_sum1_products_of_bytes(tmp_path, batch, m, k, n, given):
    random = np.random.default_rng(3)
    a, b = (random.integers(-128, 128, shape).astype(np.int8) for shape in ((batch, m, k), (batch, k, n)))
    # The largest sums that there are, too.
    a[:, :1], b[:, :, :1] = -128, -128
    expected = np.matmul(a.astype(np.int32) - 127, b.astype(np.int32))
    kinds = [
        tensor(a.shape, "i8", "dynamic"),
        tensor(b.shape, "i8", "dynamic" if given else "static"),
        tensor(expected.shape, "i32", "dynamic"),
    ]
    lines = [constant("z", np.array([127], np.int8), "i8"), constant("y", np.array([0], np.int8), "i8")]
    lines += [] if given else [constant("w", b, "i8")]
    lines.append(
        f"  %0 = tosa.matmul %x, %w, %z, %y : ({kinds[0]}, {kinds[1]}, tensor<1xi8>, tensor<1xi8>) -> {kinds[2]}"
    )
    arguments = [("%x", kinds[0])] + ([("%w", kinds[1])] if given else [])
    found = run(tmp_path, lines, arguments, [a] + ([b] if given else []), kinds[2], "%0", "i32", 2)
    assert np.array_equal(found, expected)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "batch, m, k, n",
    [(1, 1, 70, 90), (1, 23, 64, 33), (2, 24, 17, 64), (3, 100, 40, 1), (1, 150, 300, 100), (2, 5, 0, 7), (2, 0, 5, 7)],
)
def test_sum1_matmul(tmp_path, batch, m, k, n, mode, threads):
    a, b = makeImage((batch, m, k), "f32"), makeImage((batch, k, n), "f32", seed=6)
    expected = np.matmul(a.astype(np.float64), b.astype(np.float64))
    kinds = [tensor(v.shape, "f32", mode) for v in (a, b, expected)]
    lines = [
        '  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>',
        f"  %0 = tosa.matmul %x, %w, %z, %z : ({kinds[0]}, {kinds[1]}, tensor<1xf32>, tensor<1xf32>) -> {kinds[2]}",
    ]
    found = run(tmp_path, lines, [("%x", kinds[0]), ("%w", kinds[1])], [a, b], kinds[2], "%0", "f32", threads)
    assertNear(found, expected, max(k, 1))


@pytest.mark.parametrize("turned", ["x", "w", "xw"])
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "batch, m, k, n",
    [(1, 1, 70, 90), (2, 23, 64, 33), (3, 100, 40, 70), (1, 130, 1100, 65), (2, 0, 5, 7), (2, 3, 0, 7)],
)
def test_sum1_transposed_factors(tmp_path, batch, m, k, n, mode, turned):
    """Factors are read where they are, whatever the order of their axes."""
    a, b = makeImage((batch, m, k), "f32"), makeImage((batch, k, n), "f32", seed=6)
    expected = np.matmul(a.astype(np.float64), b.astype(np.float64))
    a, b = (np.ascontiguousarray(v.swapaxes(1, 2)) if name in turned else v for name, v in (("x", a), ("w", b)))
    lines, arguments, result = multiply(a, b, mode, turned=turned)
    found = run(tmp_path, lines, arguments, [a, b], result, "%0", "f32", 2)
    assertNear(found, expected, max(k, 1))


def test_sum1_no_tile_changes_a_bit(tmp_path):
    """However many rows there are, and however the weight gets to the kernel, each sum
    is the same chain: of a part of the first cache at a time, too."""
    a, b = makeImage((1, 400, 1024), "f32"), makeImage((1, 1024, 150), "f32", seed=6)
    turned = np.ascontiguousarray(b.swapaxes(1, 2))
    found = []
    for rows, given, order, mode, threads in [
        (400, b, "", "dynamic", 1),
        (400, b, "", "dynamic", 2),
        (400, turned, "w", "dynamic", 2),
        (9, b, "", "dynamic", 1),
        (1, b, "", "static", 2),
        (30, turned, "w", "static", 1),
    ]:
        lines, arguments, result = multiply(a[:, :rows], given, mode, turned=order)
        found.append(run(tmp_path, lines, arguments, [a[:, :rows], given], result, "%0", "f32", threads))
    lines, arguments, result = multiply(a, turned, "static", constant_b=True, turned="w")
    found.append(run(tmp_path, lines, arguments, [a], result, "%0", "f32"))
    for other in found[1:]:
        assert np.array_equal(found[0][:, : other.shape[1]], other)


WEIGHTS = [(1, 5), (63, 7), (64, 64), (65, 48), (200, 130), (2047, 7), (513, 1), (3, 16), (19, 17), (70, 31)]
WEIGHTS += [(8193, 100)]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("rows", [1, 2, 33])
def test_sum1_parts_of_transposed_weights(tmp_path, monkeypatch, rows, threads):
    """For a single block of rows, a part of a transposed weight is laid out before it is
    read; sums go from part to part. For a single row, squares are transposed in registers."""
    for k, n in WEIGHTS:
        a, b = makeImage((2, rows, k), "f32"), makeImage((2, k, n), "f32", seed=6)
        lines, arguments, result = multiply(a, b, "dynamic")
        given = run(tmp_path, lines, arguments, [a, b], result, "%0", "f32", threads)
        turned, image = (np.ascontiguousarray(v.swapaxes(1, 2)) for v in (b, a))
        for order, values in (("w", [a, turned]), ("xw", [image, turned])):
            lines, arguments, result = multiply(*values, "dynamic", turned=order)
            found = run(tmp_path, lines, arguments, values, result, "%0", "f32", threads)
            assert np.array_equal(found, given), (k, n, order)
        assertNear(given, np.matmul(a.astype(np.float64), b), k)
        broadloom.keepPrograms(monkeypatch, tmp_path)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("batch, k, n", [(1, 3001, 1203), (2, 2048, 1024), (1, 35, 100001), (1, 100001, 35)])
def test_sum1_one_row_of_a_large_weight(tmp_path, batch, k, n, threads):
    """A weight beyond the caches is read some rows at a time, for all channels; the sums
    have the bits that they have in a product of two rows."""
    a, b = makeImage((batch, 2, k), "f32"), makeImage((batch, k, n), "f32", seed=6)
    found = []
    for rows in (1, 2):
        lines, arguments, result = multiply(a[:, :rows], b, "dynamic")
        given = np.ascontiguousarray(a[:, :rows])
        found.append(run(tmp_path, lines, arguments, [given, b], result, "%0", "f32", threads))
    assert np.array_equal(found[0], found[1][:, :1])
    assertNear(found[0], np.matmul(a[:, :1].astype(np.float64), b), k)


@pytest.mark.parametrize("k, n", [(3, 16), (16, 8), (17, 16)])
def test_sum1_few_steps(tmp_path, k, n):
    """Constant factors of few rows, whose steps are straight code, give the bits of given ones."""
    a, b = makeImage((2, 50, k), "f32"), makeImage((2, k, n), "f32", seed=6)
    lines, arguments, result = multiply(a, b, "dynamic")
    given = run(tmp_path, lines, arguments, [a, b], result, "%0", "f32")
    turned = np.ascontiguousarray(b.swapaxes(1, 2))
    lines, arguments, result = multiply(a, turned, "static", constant_b=True, turned="w")
    assert np.array_equal(run(tmp_path, lines, arguments, [a], result, "%0", "f32"), given)
    assertNear(given, np.matmul(a.astype(np.float64), b), k)


def test_sum1_a_transposed_factor_that_is_returned(tmp_path):
    a, b = makeImage((1, 30, 40), "f32"), makeImage((1, 50, 40), "f32", seed=6)
    lines, arguments, result = multiply(a, b, "dynamic", turned="w")
    lines.append("  %s = tosa.add %0, %0 : (" + f"{result}, {result}) -> {result}")
    text = "\n".join(
        [
            f"func.func @main({', '.join(f'{n}: {k}' for n, k in arguments)}) -> ({result}, {result}) {{",
            *lines,
            f"  return %s, %tw : {result}, {result}",
            "}",
            "",
        ]
    )
    outcome, (sums, turned) = broadloom.run(tmp_path, text, [a, b], [TYPES["f32"]] * 2)
    assert outcome.status == DONE, outcome.error
    assert np.array_equal(turned, b.swapaxes(1, 2))
    assertNear(sums, 2 * np.matmul(a.astype(np.float64), b.swapaxes(1, 2)), 40)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("m, k, n", [(1, 70, 90), (100, 40, 33), (0, 5, 7), (5, 0, 7)])
def test_sum1_linalg(tmp_path, m, k, n, mode):
    """A named operation gives the bits that TOSA's gives."""
    a, b = makeImage((1, m, k), "f32"), makeImage((1, k, n), "f32", seed=6)
    lines, arguments, result = multiply(a, b, mode)
    expected = run(tmp_path, lines, arguments, [a, b], result, "%0", "f32")[0]
    kinds = [tensor(v.shape, "f32", mode) for v in (a[0], b[0], expected)]
    sizes = "%m, %n" if mode == "dynamic" else ""
    lines = [
        "  %c0 = arith.constant 0 : index",
        "  %c1 = arith.constant 1 : index",
        f"  %m = tensor.dim %x, %c0 : {kinds[0]}",
        f"  %n = tensor.dim %w, %c1 : {kinds[1]}",
        "  %z = arith.constant 0.0 : f32",
        f"  %e = tensor.empty({sizes}) : {kinds[2]}",
        f"  %f = linalg.fill ins(%z : f32) outs(%e : {kinds[2]}) -> {kinds[2]}",
        f"  %0 = linalg.matmul ins(%x, %w : {kinds[0]}, {kinds[1]}) outs(%f : {kinds[2]}) -> {kinds[2]}",
    ]
    found = run(tmp_path, lines, [("%x", kinds[0]), ("%w", kinds[1])], [a[0], b[0]], kinds[2], "%0", "f32")
    assert np.array_equal(found, expected)
