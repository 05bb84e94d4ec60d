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
    suffix = "i" if total == "i32" else "f"
    flags = flags if suffix == "f" else ""
    lines = [f"  %zero = arith.constant 0.0 : {total}"] if zeros else []
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
    assert error == (
        f"p.mlir:5:8: 'affine.load': index {K} is outside axis 1 of argument 'a', whose extent is {K}: "
        f"%k = {K} (p.mlir:4:3)\n"
    )


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


def results(extent, kernel, stride, dilation, pad):
    """How many positions a window has."""
    return (extent + 2 * pad - (kernel - 1) * dilation - 1) // stride + 1


# With numbers, a window reads the image in place, where it has as many positions as the loops.
@pytest.mark.parametrize("stride, dilation, pad", [(2, 1, 1), (1, 2, 2), (3, 1, 0), (2, 2, 3)])
@pytest.mark.parametrize("less", [0, 1])
def test_windows_of_numbers(tmp_path, stride, dilation, pad, less):
    h, w = results(23, 3, stride, dilation, pad) - less, results(27, 2, stride, dilation, pad)
    arrays = images(h, w, (3, 2), 3, 9)
    text = convolution(INSIDE if pad else "").replace("d0 * s + d1 * d - p", f"d0 * {stride} + d1 * {dilation} - {pad}")
    found = result(tmp_path, text, arrays, (1, 1, 1))
    close(found, convolve(*arrays, stride, dilation, pad), 18)


def subscript_by_products(at, variable, step):
    """The subscript of `convolution` without an affine map."""
    return f"""
  %a_{at} = arith.muli %{variable}, %sh : index
  %b_{at} = arith.muli %dh, %{step} : index
  %c_{at} = arith.addi %a_{at}, %b_{at} : index
  %{at} = arith.subi %c_{at}, %ph : index"""


def used_often(at):
    """The subscript again, of sums and differences of which each has the one before three times."""
    lines, last = [], f"%{at}"
    for number in range(40):
        lines += [f"  %t{number}_{at} = arith.addi {last}, {last} : index"]
        lines += [f"  %u{number}_{at} = arith.subi %t{number}_{at}, {last} : index"]
        last = f"%u{number}_{at}"
    return lines, last


# Where the call has 1 for both, a window reads the image in place, from the first element of the nest on.
@pytest.mark.parametrize("stride, dilation, first", [(1, 1, 0), (1, 1, 3), (1, 2, 1), (2, 1, 2), (2, 3, 0)])
@pytest.mark.parametrize("form", ["map", "products", "one map", "used often"])
@pytest.mark.parametrize("order", ["byxoijc", "yxbocij"])
def test_windows_of_numbers_of_the_call(tmp_path, stride, dilation, first, form, order):
    arrays = images(5, 6, (3, 2), 7, 9)
    text = convolution(order=order)
    lines = text.splitlines()
    if form != "map":
        at = next(number for number, line in enumerate(lines) if "%at_y = affine.apply" in line)
        lines[at] = subscript_by_products("at_y", "y", "i")
        if form != "one map":
            lines[at + 1] = subscript_by_products("at_x", "x", "j")
        lines = [line.replace("affine.load %im", "memref.load %im") for line in lines]
    if form == "used often":
        (more, at_y), (again, at_x) = used_often("at_y"), used_often("at_x")
        lines[at + 1] += "\n" + "\n".join(more + again)
        lines = [
            line.replace("%at_y, %at_x", f"{at_y}, {at_x}") if "memref.load %im" in line else line for line in lines
        ]
    expected = convolve(arrays[0][:, first:, first:], *arrays[1:], stride, dilation, 0)
    found = result(tmp_path, "\n".join(lines), arrays, (stride, dilation, -first))
    close(found, expected, 42)


def in_order(image, weight, order, h, w):
    """Sums that begin with 0, of which each is rounded, by loops over `i`, `j` and `c` in `order`."""
    extents = dict(zip("ijc", weight.shape))
    sums = np.zeros((image.shape[0], h, w, weight.shape[3]), np.float32)
    for steps in itertools.product(*(range(extents[loop]) for loop in order)):
        i, j, c = (steps[order.index(loop)] for loop in "ijc")
        sums += image[:, i : i + h, j : j + w, c : c + 1] * weight[i, j, c]
    return sums


# The products of sums that begin with 0 are added in the program's order, also where a window, which adds the
# channels of a step one behind the other, would read the image in place, and where it has rows more.
@pytest.mark.parametrize("order", ["".join(p) for p in itertools.permutations("ijc")])
@pytest.mark.parametrize("rows", [25, 29])
def test_convolutions_that_begin_with_0(tmp_path, order, rows):
    rng = np.random.default_rng(8)

    def spread(shape):
        # Products of such numbers are exact; their sums are not.
        return (rng.integers(-999, 999, shape) * 2.0 ** rng.integers(-9, 9, shape)).astype(np.float32)

    image, weight = spread((1, rows, 29, 5)), spread((3, 3, 5, 8))
    text = convolution(flags="fastmath<contract>", order="byxo" + order)
    text = text.replace("d0 * s + d1 * d - p", "d0 + d1")
    before = f"  affine.for %{order[0]} = 0 to"
    assert text.count(before) == 1
    zero = "  %zero = arith.constant 0.0 : f32\n  affine.store %zero, %re[%b, %y, %x, %o] : memref<?x?x?x?xf32>\n"
    text = text.replace(before, zero + before)
    arrays = [image, weight, np.full((1, 23, 27, 8), 9, np.float32)]
    found = result(tmp_path, text, arrays, (1, 1, 0))
    expected = {"".join(p): in_order(image, weight, "".join(p), 23, 27) for p in itertools.permutations("ijc")}
    assert [other for other, sums in expected.items() if sums.tobytes() == found.tobytes()] == [order]


# What the image is beyond its ends may be a value, which is multiplied.
@pytest.mark.parametrize("fill", [0.0, 1.5])
@pytest.mark.parametrize("subscript", ["d0 * s + d1 * d - p", "d0 + d1 - 1"])
def test_values_beyond_the_image(tmp_path, fill, subscript):
    load = "  %v = affine.load %im[%b, %at_y, %at_x, %c] : memref<?x?x?x?xf32>"
    branch = f"""\
  %fill = arith.constant {fill} : f32
  %v = affine.if affine_set<{INSIDE}>(%at_y, %at_x)[%ih, %iw] -> f32 {{
    %e = affine.load %im[%b, %at_y, %at_x, %c] : memref<?x?x?x?xf32>
    affine.yield %e : f32
  }} else {{
    affine.yield %fill : f32
  }}"""
    text = convolution().replace("d0 * s + d1 * d - p", subscript)
    assert load in text
    arrays = images(23, 27, (3, 3), 4, 8)
    found = result(tmp_path, text.replace(load, branch), arrays, (1, 1, 1))
    arrays[0] -= np.float32(fill)
    expected = convolve(*arrays, 1, 1, 1) + fill * arrays[1].astype(float).sum((0, 1, 2))
    close(found, expected, 36)


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


OVERWRITTEN = function(
    "%a: memref<?x?x?xi8>, %b: memref<?x?xi8>, %c: memref<?xi32>, %m: index, %n: index, %k: index",
    """\
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to %m {
    affine.for %j = 0 to %n {
      %s = affine.for %l = 0 to %k iter_args(%o = %zero) -> i32 {
        %x = affine.load %a[%i, %j, %l] : memref<?x?x?xi8>
        %y = affine.load %b[%j, %l] : memref<?x?xi8>
        %xx = arith.extsi %x : i8 to i32
        %yy = arith.extsi %y : i8 to i32
        %p = arith.muli %xx, %yy : i32
        %t = arith.addi %o, %p : i32
        affine.yield %t : i32
      }
      affine.store %s, %c[%i] : memref<?xi32>
    }
  }
  return""",
)


def test_the_last_of_several_sums_stays(tmp_path):
    """A sum that a loop carries from 0 on and stores is one of another iteration than the next."""
    rng = np.random.default_rng(3)
    a, b = rng.integers(-9, 9, (M, N, K), dtype=np.int8), rng.integers(-9, 9, (N, K), dtype=np.int8)
    after = result(tmp_path, OVERWRITTEN, [a, b, np.zeros(M, np.int32)], [M, N, K])
    np.testing.assert_array_equal(after, a[:, -1].astype(np.int32) @ b[-1])


def grouped(zeros, rows, columns):
    """A convolution into the channels of one group, where axes of one element are no loops."""
    return function(
        "%a: memref<?x?x?x?xf32>, %w: memref<?x?x?x?xf32>, %r: memref<?x?x?x?x?xf32>, %g: index",
        f"""\
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %images = memref.dim %r, %c0 : memref<?x?x?x?x?xf32>
  %height = memref.dim %r, %c1 : memref<?x?x?x?x?xf32>
  %width = memref.dim %r, %c2 : memref<?x?x?x?x?xf32>
  %outputs = memref.dim %r, %c4 : memref<?x?x?x?x?xf32>
  %kh = memref.dim %w, %c0 : memref<?x?x?x?xf32>
  %kw = memref.dim %w, %c1 : memref<?x?x?x?xf32>
  %inputs = memref.dim %w, %c2 : memref<?x?x?x?xf32>
  affine.for %b = 0 to %images {{ affine.for %y = 0 to {rows} {{ affine.for %x = 0 to {columns} {{
    affine.for %o = 0 to %outputs {{
      {"affine.store %zero, %r[%b, %y, %x, symbol(%g), %o] : memref<?x?x?x?x?xf32>" if zeros else ""}
      affine.for %i = 0 to %kh {{ affine.for %j = 0 to %kw {{ affine.for %c = 0 to %inputs {{
        %v = affine.load %a[%b, %y + %i, %x + %j, %c] : memref<?x?x?x?xf32>
        %u = affine.load %w[%i, %j, %c, %o] : memref<?x?x?x?xf32>
        %z = affine.load %r[%b, %y, %x, symbol(%g), %o] : memref<?x?x?x?x?xf32>
        %p = arith.mulf %v, %u {FAST} : f32
        %s = arith.addf %z, %p {FAST} : f32
        affine.store %s, %r[%b, %y, %x, symbol(%g), %o] : memref<?x?x?x?x?xf32>
      }} }} }}
    }} }} }} }}
  return""",
    )


@pytest.mark.parametrize("zeros", [False, True])
@pytest.mark.parametrize("images, height, width", [(2, 10, 12), (1, 10, 12), (1, 1, 40), (3, 12, 1)])
@pytest.mark.parametrize("is_static", [False, True])
def test_axes_of_one_element(tmp_path, zeros, images, height, width, is_static):
    rng = np.random.default_rng(4)
    a = rng.integers(-2, 3, (images, height + 2, width + 2, 4)).astype(np.float32)
    w = rng.integers(-2, 3, (3, 3, 4, 16)).astype(np.float32)
    r = rng.integers(-2, 3, (images, height, width, 3, 16)).astype(np.float32)
    expected = r.copy()
    if zeros:
        expected[..., 1, :] = 0
    for i, j in itertools.product(range(3), range(3)):
        expected[..., 1, :] += a[:, i : i + height, j : j + width] @ w[i, j]
    text = grouped(zeros, *((height, width) if is_static else ("%height", "%width")))
    after = result(tmp_path, text, [a, w, r], [1])
    np.testing.assert_array_equal(after, expected)


@pytest.mark.parametrize("operation", ["addf", "subf"])
def test_long_statements_are_no_contractions(tmp_path, operation):
    """Neither conditions of shared values nor long chains take more than linear time."""
    chain = "".join(f"  %x{n + 1} = arith.{operation} %x{n}, %x{n} : f32\n" for n in range(3000))
    shared = "".join(
        f"  %p{n + 1} = arith.xori %p{n}, %q{n} : i1\n  %q{n + 1} = arith.andi %p{n}, %q{n} : i1\n" for n in range(200)
    )
    text = function(
        "%a: memref<?xf32>, %b: memref<?xf32>, %c: memref<f32>, %n: index",
        f"""\
  affine.for %i = 0 to %n {{
  %p0 = arith.cmpi sgt, %i, %n : index
  %q0 = arith.cmpi slt, %i, %n : index
{shared}
  scf.if %q200 {{
  %x0 = affine.load %a[%i] : memref<?xf32>
  %y = affine.load %b[%i] : memref<?xf32>
{chain}
  %z = affine.load %c[] : memref<f32>
  %m = arith.mulf %x3000, %y {FAST} : f32
  %s = arith.addf %z, %m {FAST} : f32
  affine.store %s, %c[] : memref<f32>
  }} }}
  return""",
    )
    after = result(tmp_path, text, [np.zeros(5, np.float32), np.ones(5, np.float32), np.float32(2)], [5])
    assert after == 2


def tiled(by_bounds, zeros=False, tile=32):
    """C += A B in tiles, or C = A B with `zeros` and a single tile of terms. Tiles are bounds of the inner loops,
    or are added to the subscripts."""
    memory = "memref<?x?xf32>"
    lines, loops = [], []
    for name, (array, axis) in {"i": ("c", 0), "j": ("c", 1), "k": ("a", 1)}.items():
        lines += [f"  %{name}axis = arith.constant {axis} : index"]
        lines += [f"  %to_{name} = memref.dim %{array}, %{name}axis : {memory}"]
        loops.append(f"  affine.for %{name}0 = 0 to %to_{name} step {tile} {{")
    zero = f"  affine.store %zero, %c[{'%i, %j' if by_bounds else '%i0 + %i, %j0 + %j'}] : {memory}"
    for name in "ijk":
        if by_bounds:
            upper = f"affine_map<(d0)[s0] -> (d0 + {tile}, s0)>(%{name}0)[%to_{name}]"
            loops.append(f"  affine.for %{name} = affine_map<(d0) -> (d0)>(%{name}0) to min {upper} {{")
        else:
            upper = f"affine_map<(d0)[s0] -> ({tile}, s0 - d0)>(%{name}0)[%to_{name}]"
            loops.append(f"  affine.for %{name} = 0 to min {upper} {{")
        if name == "j" and zeros:
            loops.append(zero)
    at = {name: f"%{name}" if by_bounds else f"%{name} + %{name}0" for name in "ijk"}
    lines += ["  %zero = arith.constant 0.0 : f32", *loops]
    lines += [
        f"  %x = affine.load %a[{at['i']}, {at['k']}] : {memory}",
        f"  %y = affine.load %b[{at['k']}, {at['j']}] : {memory}",
        f"  %z = affine.load %c[{at['i']}, {at['j']}] : {memory}",
        f"  %p = arith.mulf %x, %y {FAST} : f32",
        f"  %s = arith.addf %z, %p {FAST} : f32",
        f"  affine.store %s, %c[{at['i']}, {at['j']}] : {memory}",
        "  }}}}}}",
        "  return",
    ]
    return function(f"%a: {memory}, %b: {memory}, %c: {memory}", "\n".join(lines))


@pytest.mark.parametrize("by_bounds", [False, True])
@pytest.mark.parametrize("m, n, k", [(70, 64, 97), (32, 32, 32), (1, 70, 64), (0, 40, 40), (40, 40, 0)])
def test_tiles(tmp_path, by_bounds, m, n, k):
    arrays = matrices(m, n, k)
    after = result(tmp_path, tiled(by_bounds), arrays, [])
    close(after, arrays[2] + arrays[0].astype(float) @ arrays[1], max(k, 1))


@pytest.mark.parametrize("by_bounds", [False, True])
def test_tiles_that_begin_with_0(tmp_path, by_bounds):
    arrays = matrices(70, 65, 32)
    after = result(tmp_path, tiled(by_bounds, zeros=True), arrays, [])
    close(after, arrays[0].astype(float) @ arrays[1], 32)


def test_what_is_outside_of_tiles_is_told_before(tmp_path):
    a, b, c = matrices(70, 65, 64)
    error = fails(tmp_path, tiled(True), [a[:69], b, c])
    assert "index 69 is outside axis 0 of argument 'a', whose extent is 69" in error


@pytest.mark.parametrize("lower, upper, shift", [(3, 40, -3), (-2, 35, 2), (5, 45, 0), (7, 7, 0), (9, 2, 0)])
def test_loops_that_do_not_begin_at_0(tmp_path, lower, upper, shift):
    """The rows are shifted; with a condition, the rows of the first factor are gathered."""
    for condition in ("", f"affine.if affine_set<(d0) : (d0 - {lower + 1} >= 0)>(%i) {{"):
        text = product(extents=(64, "?", "?")).replace("%i = 0 to %to_i", f"%i = {lower} to {upper}")
        text = text.replace("[%i, ", f"[%i + {shift}, ")
        if condition:
            text = text.replace("  %x = affine.load", f"{condition}\n  %x = affine.load").replace("}}}", "}}}}")
        a, b, c = matrices(64)
        after = result(tmp_path, text, [a, b, c], [0, N, K])
        rows = slice(lower + bool(condition) + shift, max(upper, lower + 1) + shift) if upper > lower else slice(0)
        c[rows] += a[rows] @ b
        close(after, c)
