"""Loop nests over memory that are contractions (mem-16): the values of NumPy, and what stays a
loop. That the nests run by kernels is tested in test/memory/raise-nests.mlir."""

import itertools

import broadloom
import numpy as np
import pytest
from memory_programs import fails, function, run

FAST = "fastmath<fast>"
# Enough products for a kernel (kLeastProducts), of odd sizes.
M, N, K = 33, 21, 37


def product(
    order="ijk", flags=FAST, extents=("?", "?", "?"), transposed=(False, False), zeros=False, types=("f32", "f32")
):
    """C += A B, or C = A B with `zeros`, where the loops are in `order`."""
    m, n, k = extents
    element, total = types

    def memory(rows, columns, swapped, element):
        return f"memref<{columns}x{rows}x{element}>" if swapped else f"memref<{rows}x{columns}x{element}>"

    a, b = memory(m, k, transposed[0], element), memory(k, n, transposed[1], element)
    c = memory(m, n, False, total)
    at_a = "%k, %i" if transposed[0] else "%i, %k"
    at_b = "%j, %k" if transposed[1] else "%k, %j"
    suffix = "f" if total == "f32" else "i"
    flags = flags if suffix == "f" else ""
    lines = ["  %zero = arith.constant 0.0 : f32"] if zeros else []
    for number, loop in enumerate(order):
        lines.append(f"  affine.for %{loop} = 0 to %to_{loop} {{")
        if zeros and number == 1:
            lines.append(f"  affine.store %zero, %c[%i, %j] : {c}")
    lines += [f"  %x = affine.load %a[{at_a}] : {a}", f"  %y = affine.load %b[{at_b}] : {b}"]
    x, y = "%x", "%y"
    if element != total:
        lines += [f"  %xw = arith.extsi %x : {element} to {total}", f"  %yw = arith.extsi %y : {element} to {total}"]
        x, y = "%xw", "%yw"
    lines += [
        f"  %z = affine.load %c[%i, %j] : {c}",
        f"  %p = arith.mul{suffix} {x}, {y} {flags} : {total}",
        f"  %s = arith.add{suffix} %z, %p {flags} : {total}",
        f"  affine.store %s, %c[%i, %j] : {c}",
        "  }}}",
        "  return",
    ]
    return function(f"%a: {a}, %b: {b}, %c: {c}, %to_i: index, %to_j: index, %to_k: index", "\n".join(lines))


def matrices(m=M, n=N, k=K, seed=0):
    rng = np.random.default_rng(seed)
    return [rng.standard_normal(shape, np.float32) for shape in ((m, k), (k, n), (m, n))]


def result(tmp_path, text, arrays, scalars):
    outcome, after = run(tmp_path, text, arrays, [f"i64={scalar}" for scalar in scalars])
    assert outcome.status == broadloom.DONE, outcome.error
    return after[2]


def close(found, expected, terms=K):
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-6 * terms * np.abs(expected).max(initial=1))


@pytest.mark.parametrize("order", ["".join(p) for p in itertools.permutations("ijk")])
@pytest.mark.parametrize("extents", [("?", "?", "?"), (M, N, K), ("?", N, "?")])
def test_orders_of_loops(tmp_path, order, extents):
    a, b, c = matrices()
    close(result(tmp_path, product(order, extents=extents), [a, b, c], (M, N, K)), c + a.astype(float) @ b)


@pytest.mark.parametrize("transposed", itertools.product([False, True], repeat=2))
def test_transposed_operands(tmp_path, transposed):
    a, b, c = matrices()
    given = [np.ascontiguousarray(x.T) if t else x for x, t in zip((a, b), transposed)]
    close(result(tmp_path, product(transposed=transposed), [*given, c], (M, N, K)), c + a.astype(float) @ b)


@pytest.mark.parametrize(
    "extents", [(0, N, K), (M, 0, K), (M, N, 0), (1, 1, 20000), (1, 150, 150), (150, 1, 150), (2, 3, 1)]
)
def test_extents_of_0_and_1(tmp_path, extents):
    a, b, c = matrices(*extents)
    close(result(tmp_path, product(), [a, b, c], extents), c + a.astype(float) @ b, extents[2] + 1)


def test_a_part_of_the_memory(tmp_path):
    a, b, c = matrices()
    expected = c.copy().astype(float)
    expected[:30, :20] += a[:30, :35].astype(float) @ b[:35, :20]
    close(result(tmp_path, product(), [a, b, c], (30, 20, 35)), expected)


def test_integers_are_exact(tmp_path):
    rng = np.random.default_rng(1)
    a, b = (rng.integers(-128, 128, shape, np.int8) for shape in ((M, K), (K, N)))
    c = rng.integers(-(2**31), 2**31, (M, N), np.int32)
    found = result(tmp_path, product(types=("i8", "i32")), [a, b, c], (M, N, K))
    np.testing.assert_array_equal(found, c + a.astype(np.int32) @ b.astype(np.int32))


# From 0 on, in the program's order: only that products are not rounded is asked for.
def test_sums_that_begin_with_0(tmp_path):
    a, b, c = matrices()
    exact = a.astype(float) @ b
    for flags in ("", "fastmath<contract>"):
        close(result(tmp_path, product(flags=flags, zeros=True), [a, b, c], (M, N, K)), exact)


def one_by_one(a, b, c):
    for k in range(a.shape[1]):
        c = c + a[:, k : k + 1] * b[k]
    return c


@pytest.mark.parametrize("flags", ["", "fastmath<contract>", "fastmath<reassoc,nsz>", "fastmath<reassoc,contract>"])
def test_without_all_flags_the_order_is_the_programs(tmp_path, flags):
    a, b, c = matrices()
    found = result(tmp_path, product(flags=flags), [a, b, c], (M, N, K))
    assert found.tobytes() == one_by_one(a, b, c).tobytes()


def test_nan_and_infinity(tmp_path):
    a, b, c = matrices()
    a[3, 4], b[7, 5], c[2, 2] = np.nan, np.inf, -np.inf
    text = product(flags="fastmath<contract,reassoc,nsz>")
    found = result(tmp_path, text, [a, b, c], (M, N, K))
    expected = one_by_one(a, b, c)
    np.testing.assert_array_equal(np.isnan(found), np.isnan(expected))
    np.testing.assert_array_equal(np.isinf(found), np.isinf(expected))


def test_what_is_outside_is_told_before(tmp_path):
    error = fails(tmp_path, product(), matrices(), [f"i64={x}" for x in (M, N, K + 1)])
    assert error == f"p.mlir:5:8: 'affine.load': index {K} is outside axis 1 of argument 'a', whose extent is {K}\n"


# What is written is read as a factor by later iterations.
def test_memory_that_overlaps(tmp_path):
    text = function(
        "%m: memref<4096xf32>",
        """\
  %a = memref.reinterpret_cast %m to offset: [0], sizes: [32, 32], strides: [32, 1] : memref<4096xf32> to memref<32x32xf32>
  %b = memref.reinterpret_cast %m to offset: [2048], sizes: [32, 32], strides: [32, 1] : memref<4096xf32> to memref<32x32xf32, strided<[32, 1], offset: 2048>>
  %c = memref.reinterpret_cast %m to offset: [16], sizes: [32, 32], strides: [32, 1] : memref<4096xf32> to memref<32x32xf32, strided<[32, 1], offset: 16>>
  affine.for %i = 0 to 32 {
    affine.for %j = 0 to 32 {
      affine.for %k = 0 to 32 {
        %x = affine.load %a[%i, %k] : memref<32x32xf32>
        %y = affine.load %b[%k, %j] : memref<32x32xf32, strided<[32, 1], offset: 2048>>
        %z = affine.load %c[%i, %j] : memref<32x32xf32, strided<[32, 1], offset: 16>>
        %p = arith.mulf %x, %y fastmath<fast> : f32
        %s = arith.addf %z, %p fastmath<fast> : f32
        affine.store %s, %c[%i, %j] : memref<32x32xf32, strided<[32, 1], offset: 16>>
      }
    }
  }
  return""",
    )
    memory = np.random.default_rng(2).standard_normal(4096, np.float32)
    expected = memory.copy()
    a, b, c = (expected[o : o + 1024].reshape(32, 32) for o in (0, 2048, 16))
    for i, j, k in itertools.product(range(32), repeat=3):
        c[i, j] += a[i, k] * b[k, j]
    outcome, after = run(tmp_path, text, [memory])
    assert outcome.status == broadloom.DONE, outcome.error
    assert after[0].tobytes() == expected.tobytes()


LOOPS = {"b": "%n", "y": "%h", "x": "%w", "o": "%f", "i": "%kh", "j": "%kw", "c": "%ch"}


def convolution(condition="", flags=FAST, order="byxoijc"):
    """A convolution whose strides, dilations and padding are arguments."""
    image, weight = "memref<?x?x?x?xf32>", "memref<?x?x?x?xf32>"
    arguments = f"%im: {image}, %we: {weight}, %re: {image}, %sh: index, %dh: index, %ph: index"
    names = [
        ("re", 0, "n"),
        ("re", 1, "h"),
        ("re", 2, "w"),
        ("re", 3, "f"),
        ("we", 0, "kh"),
        ("we", 1, "kw"),
        ("we", 2, "ch"),
        ("im", 1, "ih"),
        ("im", 2, "iw"),
    ]
    lines = []
    for memory, axis, name in names:
        lines += [
            f"  %axis_{name} = arith.constant {axis} : index",
            f"  %{name} = memref.dim %{memory}, %axis_{name} : {image}",
        ]
    lines += [f"  affine.for %{loop} = 0 to {LOOPS[loop]} {{" for loop in order]
    lines += [
        "  %at_y = affine.apply affine_map<(d0, d1)[s, d, p] -> (d0 * s + d1 * d - p)>(%y, %i)[%sh, %dh, %ph]",
        "  %at_x = affine.apply affine_map<(d0, d1)[s, d, p] -> (d0 * s + d1 * d - p)>(%x, %j)[%sh, %dh, %ph]",
    ]
    if condition:
        lines.append(f"  affine.if affine_set<{condition}>(%at_y, %at_x)[%ih, %iw] {{")
    lines += [
        f"  %v = affine.load %im[%b, %at_y, %at_x, %c] : {image}",
        f"  %u = affine.load %we[%i, %j, %c, %o] : {weight}",
        f"  %z = affine.load %re[%b, %y, %x, %o] : {image}",
        f"  %p = arith.mulf %v, %u {flags} : f32",
        f"  %s = arith.addf %z, %p {flags} : f32",
        f"  affine.store %s, %re[%b, %y, %x, %o] : {image}",
        "  }" * (len(order) + bool(condition)),
        "  return",
    ]
    return function(arguments, "\n".join(lines))


INSIDE = "(d0, d1)[h, w] : (d0 >= 0, d1 >= 0, h - d0 - 1 >= 0, w - d1 - 1 >= 0)"


def convolve(image, weight, result, stride, dilation, pad):
    """In f64, with zeros around the image."""
    around = ((0, 0), (pad, pad + 64), (pad, pad + 64), (0, 0))
    image = np.pad(image.astype(float), around)
    result = result.astype(float)
    h, w = result.shape[1:3]
    for i, j in np.ndindex(*weight.shape[:2]):
        y, x = i * dilation, j * dilation
        part = image[:, y : y + h * stride : stride, x : x + w * stride : stride][:, :h, :w]
        result += np.einsum("nyxc,co->nyxo", part, weight[i, j].astype(float))
    return result


def images(h, w, kernel, channels, features, batch=2, seed=5):
    rng = np.random.default_rng(seed)
    shapes = ((batch, 23, 27, channels), (*kernel, channels, features), (batch, h, w, features))
    return [rng.standard_normal(shape, np.float32) for shape in shapes]


@pytest.mark.parametrize("order", ["byxoijc", "ijcbyxo", "oxybcji"])
@pytest.mark.parametrize("stride, dilation", [(1, 1), (3, 2)])
def test_convolutions(tmp_path, order, stride, dilation):
    arrays = images(7, 8, (3, 2), 5, 9)
    found = result(tmp_path, convolution(order=order), arrays, (stride, dilation, 0))
    close(found, convolve(*arrays, stride, dilation, 0), 30)


# The result has more rows than a strip, and lines longer than a strip.
# With numbers in the program, one check stands in front of the nest, which kernels need.
@pytest.mark.parametrize("subscript", ["d0 * s + d1 * d - p", "d0 + d1 - 1"])
@pytest.mark.parametrize("shape", [(23, 27), (1, 1), (0, 4), (4, 1500)])
def test_convolutions_with_padding(tmp_path, shape, subscript):
    arrays = images(*shape, (3, 3), 4, 8)
    arrays[0] = np.random.default_rng(6).standard_normal((2, 23, max(27, shape[1]), 4), np.float32)
    text = convolution(INSIDE).replace("d0 * s + d1 * d - p", subscript)
    found = result(tmp_path, text, arrays, (1, 1, 1))
    close(found, convolve(*arrays, 1, 1, 1), 36)


# A product that is left out is one with 0, which the flags must allow.
def test_weights_that_are_nan_where_the_condition_does_not_hold(tmp_path):
    arrays = images(12, 12, (3, 3), 4, 8, batch=1)
    arrays[1][0] = np.nan
    text = convolution(INSIDE, "fastmath<contract,reassoc,nsz>").replace("d0 * s + d1 * d - p", "d0 + d1 - 1")
    found = result(tmp_path, text, arrays, (1, 1, 1))
    assert not np.isnan(found[0, 0]).any()
    assert np.isnan(found[0, 1:]).all()


# Elements that the condition leaves out need not exist.
def test_a_condition_in_place_of_elements(tmp_path):
    text = function(
        "%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>, %m: index, %n: index, %k: index, %end: index",
        """\
  affine.for %i = 0 to %m {
    affine.for %j = 0 to %n {
      affine.for %l = 0 to %k {
        affine.if affine_set<(d0)[s] : (s - d0 - 1 >= 0)>(%i)[%end] {
          %x = affine.load %a[%i, %l] : memref<?x?xf32>
          %y = affine.load %b[%l, %j] : memref<?x?xf32>
          %z = affine.load %c[%i, %j] : memref<?x?xf32>
          %p = arith.mulf %x, %y fastmath<fast> : f32
          %s = arith.addf %z, %p fastmath<fast> : f32
          affine.store %s, %c[%i, %j] : memref<?x?xf32>
        }
      }
    }
  }
  return""",
    )
    a, b, c = matrices()
    for rows in (M, 1000):
        close(result(tmp_path, text, [a, b, c], (rows, N, K, M)), c + a.astype(float) @ b)
