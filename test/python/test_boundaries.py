"""`loom.boundary` and the maps that read slices of it, against NumPy's pad (bnd-1 to bnd-4)."""

import itertools

import broadloom as bl
import ml_dtypes
import numpy as np
import pytest

MODES = {"replicate": "edge", "reflect": "reflect", "symmetric": "symmetric", "wrap": "wrap", "constant": "constant"}
ELEMENTS = {
    "i1": np.bool_,
    "i8": np.int8,
    "i32": np.int32,
    "i64": np.int64,
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "f32": np.float32,
    "f64": np.float64,
}
#: The value of mode 'constant'.
FILL = {"i1": "true", "i8": "-3 : i8", "i32": "-3 : i32", "i64": "-3 : i64"}


def spell(shape, element):
    return f"tensor<{''.join(f'{n}x' for n in shape)}{element}>"


def boundary(mode, element, low, high, shape, result, interior=None):
    """A program that makes the boundary of its argument."""
    source, made = spell(shape, element), spell(result, element)
    fill = FILL.get(element, f"2.5 : {element}")
    typed = f" with %c : {element}" if mode == "constant" else ""
    between = f" interior {list(interior)}" if interior else ""
    return f"""func.func @main(%x: {source}) -> {made} {{
  %c = arith.constant {fill}
  %p = loom.boundary {mode} %x{typed} low{list(low)} high{list(high)}{between} : {source} to {made}
  return %p : {made}
}}"""


def pad(x, low, high, mode, element):
    if mode != "constant":
        return np.pad(x, list(zip(low, high)), mode=MODES[mode])
    fill = True if element == "i1" else -3 if element.startswith("i") else 2.5
    return np.pad(x, list(zip(low, high)), constant_values=fill)


def fill(shape, element, random):
    numbers = random.integers(-100, 100, shape)
    return (numbers > 0) if element == "i1" else numbers.astype(ELEMENTS[element])


def same(x, y):
    """Whether two arrays have the same shapes and bits."""
    return x.shape == y.shape and x.dtype == y.dtype and x.tobytes() == np.ascontiguousarray(y).tobytes()


@pytest.mark.parametrize("element", ELEMENTS)
@pytest.mark.parametrize("mode", MODES)
def test_bnd1_elements(mode, element):
    """All ranks, from no padding to more than the source has."""
    random = np.random.default_rng(1)
    for rank in (1, 2, 3, 4):
        low, high = random.integers(0, 4, (2, rank))
        f = bl.compile(boundary(mode, element, low.tolist(), high.tolist(), "?" * rank, "?" * rank))
        for _ in range(4):
            x = fill(random.integers(1, 5, rank), element, random)
            assert same(f(x), pad(x, low, high, mode, element)), (x.shape, low, high)


@pytest.mark.parametrize("mode", MODES)
def test_bnd1_static_and_dynamic_types(mode):
    random = np.random.default_rng(2)
    low, high = [1, 0, 7], [2, 5, 0]
    x = fill((3, 4, 5), "f32", random)
    expected = pad(x, low, high, mode, "f32")
    for shape, result in itertools.product(("???", (3, 4, 5), (3, "?", 5)), ("???", expected.shape)):
        f = bl.compile(boundary(mode, "f32", low, high, shape, result))
        assert same(f(x), expected), (shape, result)


@pytest.mark.parametrize("mode", MODES)
def test_bnd1_numbers_of_the_call(mode):
    made = "tensor<?x?xf64>"
    typed = " with %c : f64" if mode == "constant" else ""
    f = bl.compile(f"""func.func @main(%x: {made}, %l: index, %h: index) -> {made} {{
  %c = arith.constant 2.5 : f64
  %p = loom.boundary {mode} %x{typed} low[%l, 1] high[0, %h] : {made} to {made}
  return %p : {made}
}}""")
    random = np.random.default_rng(3)
    for low, high in itertools.product((0, 1, 9), (0, 2, 11)):
        x = fill((3, 4), "f64", random)
        assert same(f(x, low, high), pad(x, (low, 1), (0, high), mode, "f64")), (low, high)
    x = fill((3, 4), "f64", random)
    with pytest.raises(bl.ShapeError, match="the padding of axis 0 is -1 and 0, expected at least 0"):
        f(x, -1, 0)
    with pytest.raises(bl.ShapeError, match="the padding of axis 1 is 1 and -2, expected at least 0"):
        f(x, 0, -2)
    with pytest.raises(bl.ShapeError, match=r"axis 0 .*9223372036854775807"):
        f(x, 2**63 - 1, 0)


@pytest.mark.parametrize("mode", ["replicate", "reflect", "symmetric", "wrap"])
def test_bnd2_no_elements(mode):
    """An axis without elements cannot go on, but the others can."""
    f = bl.compile(boundary(mode, "f32", [0, 1], [0, 2], "??", "??"))
    assert f(np.zeros((0, 3), np.float32)).shape == (0, 6)
    with pytest.raises(
        bl.ShapeError, match=f"axis 1 has no elements, and padding of 1 and 2 by mode '{mode}' needs one"
    ):
        f(np.zeros((3, 0), np.float32))
    text = boundary(mode, "f32", [0, 1], [0, 2], (3, 0), (3, 3))
    with pytest.raises(bl.ShapeError, match="axis 1 has no elements"):
        bl.compile(text)


def test_bnd2_constant_of_no_elements():
    f = bl.compile(boundary("constant", "f32", [1, 1], [0, 2], "??", "??"))
    assert same(f(np.zeros((0, 0), np.float32)), np.full((1, 3), 2.5, np.float32))


def stencil(random, rank, mode, keeps):
    """A function of an image and a scalar that reads slices of the image beyond its ends."""
    low, high = (random.integers(0, 4, rank).tolist() for _ in range(2))
    span = [lo + hi if keeps else int(random.integers(0, lo + hi + 1)) for lo, hi in zip(low, high)]
    taps = [[int(random.integers(0, s + 1)) for s in span] for _ in range(int(random.integers(1, 7)))]
    # Some read the last elements too.
    taps.append(span)
    options = {"constant_values": 7} if mode == "constant" else {}

    def compute(x, number):
        p = np.pad(x, list(zip(low, high)), mode=mode, **options)
        rest = [n + lo + hi - s for n, lo, hi, s in zip(x.shape, low, high, span)]
        total = None
        for tap in taps:
            part = p[tuple(slice(at, at + r) for at, r in zip(tap, rest))]
            total = part * number if total is None else total + part
        # Where the result has the image's extents, the image and its rows' maxima are operands too.
        return total - x * x.max(axis=-1, keepdims=True) if keeps else total

    return compute, (low, high, span, taps)


@pytest.mark.parametrize("mode", ["edge", "reflect", "symmetric", "wrap", "constant"])
@pytest.mark.parametrize("seed", range(6))
def test_bnd4_stencils(mode, seed):
    """Generated ones, of sizes around a strip and with inner parts that are empty, on one thread and on two."""
    random = np.random.default_rng(seed)
    rank = 1 + seed % 3
    compute, said = stencil(random, rank, mode, keeps=seed > 2)
    for threads in (1, 2):
        f = bl.jit(compute, threads=threads)
        for most in (4, 4, 70, 140):
            x = random.standard_normal(random.integers(1, most if rank < 3 or most < 100 else 60, rank))
            x = x.astype(np.float32)
            if most == 70:
                x.flat[0] = np.nan
            found, expected = f(x, np.float32(0.5)), compute(x, np.float32(0.5))
            # No bit differs, but those of NaN.
            np.testing.assert_array_equal(found, expected, strict=True, err_msg=str((said, x.shape)))


@pytest.mark.parametrize("mode", MODES)
def test_bnd4_stencils_of_static_extents(mode):
    """A blur in four neighbours, whose source has the result's extents, and one with an image beside it."""
    image, wide, typed = "tensor<450x400xf32>", "tensor<452x402xf32>", " with %c : f32" if mode == "constant" else ""
    slices = "\n".join(
        f"  %s{i} = tensor.extract_slice %p[{a}, {b}] [450, 400] [1, 1] : {wide} to {image}"
        for i, (a, b) in enumerate([(0, 1), (1, 0), (1, 2), (2, 1)])
    )
    f = bl.compile(f"""func.func @main(%x: {image}, %row: tensor<400xf32>) -> {image} {{
  %c = arith.constant 2.5 : f32
  %p = loom.boundary {mode} %x{typed} low[1, 1] high[1, 1] : {image} to {wide}
{slices}
  %0 = tosa.add %s0, %s1 : ({image}, {image}) -> {image}
  %1 = tosa.add %0, %s2 : ({image}, {image}) -> {image}
  %2 = tosa.add %1, %s3 : ({image}, {image}) -> {image}
  %3 = tosa.sub %2, %x : ({image}, {image}) -> {image}
  %4 = tosa.add %3, %row : ({image}, tensor<400xf32>) -> {image}
  return %4 : {image}
}}""")
    random = np.random.default_rng(5)
    x, row = random.standard_normal((450, 400)).astype(np.float32), random.standard_normal(400).astype(np.float32)
    p = pad(x, (1, 1), (1, 1), mode, "f32")
    expected = p[0:450, 1:401] + p[1:451, 0:400] + p[1:451, 2:402] + p[2:452, 1:401] - x + row
    assert same(f(x, row), expected)


def test_bnd4_two_images_and_two_results():
    """Boundaries of two modes in one map, whose result another map reads."""

    def compute(x, y):
        p, q = np.pad(x, 2, mode="wrap"), np.pad(y, ((1, 0), (0, 1)), mode="reflect")
        n, m = x.shape
        a = p[1 : 1 + n, 3 : 3 + m] * q[0:n, 1 : 1 + m]
        return a + x, np.exp(a) - y

    f = bl.jit(compute)
    random = np.random.default_rng(6)
    for shape in ((2, 2), (3, 70), (90, 100), (65, 1)):
        x, y = (random.standard_normal(shape).astype(np.float32) for _ in range(2))
        for found, expected in zip(f(x, y), compute(x, y)):
            np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("mode", ["edge", "wrap", "constant"])
def test_bnd4_stencils_of_stencils(mode):
    """What one computes goes on beyond its ends too, and the padded image is read as a whole, before its slices and
    after them."""

    def step(x):
        p = np.pad(x, 1, mode=mode)
        n, m = x.shape
        return p[:n, 1 : 1 + m] - p[2 : 2 + n, 1 : 1 + m] * x

    def compute(x):
        y = step(step(step(x)))
        p = np.pad(y, ((0, 2), (1, 0)), mode=mode)
        return np.sin(p) + p, p[0 : p.shape[0], 0 : p.shape[1]] * p

    f = bl.jit(compute)
    random = np.random.default_rng(9)
    for shape in ((1, 1), (5, 3), (100, 130)):
        x = random.standard_normal(shape).astype(np.float32)
        for found, expected in zip(f(x), compute(x)):
            np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)


def test_bnd4_an_image_of_one_row_is_repeated():
    """Operands of which the call tells whether they are repeated."""

    def compute(x, y):
        p = np.pad(x, 1, mode="edge")
        n, m = x.shape
        return p[0:n, 2 : 2 + m] + y

    f = bl.jit(compute)
    random = np.random.default_rng(7)
    x = random.standard_normal((80, 90)).astype(np.float32)
    for shape in ((80, 90), (1, 90), (80, 1), (1, 1), (90,)):
        y = random.standard_normal(shape).astype(np.float32)
        assert same(f(x, y), compute(x, y)), shape


def test_bnd4_a_strided_source():
    """Arrays of any strides, also negative ones."""

    def compute(x):
        p = np.pad(x, 1, mode="symmetric")
        n, m = x.shape
        return p[0:n, 0:m] + p[2 : 2 + n, 2 : 2 + m]

    f = bl.jit(compute)
    whole = np.random.default_rng(8).standard_normal((200, 300)).astype(np.float32)
    for x in (whole[::2, 5:105], whole[::-1, ::-3], whole.T, np.broadcast_to(whole[3], (70, 300))):
        assert same(f(x), np.ascontiguousarray(compute(x)))


def convolution(mode, element, pads, image, result, stride=1, dilation=1):
    """A convolution of a boundary of an image, and a bias."""
    (top, left), (bottom, right) = pads
    wide = [n if n == "?" else n + a + b for n, a, b in zip(image, (0, top, left, 0), (0, bottom, right, 0))]
    source, made, out = (
        spell(image, element),
        spell(wide, element),
        spell(result, "i32" if element == "i8" else element),
    )
    weight = f"tensor<5x3x3x4x{element}>"
    bias = "tensor<5xi32>" if element == "i8" else f"tensor<5x{element}>"
    typed = f" with %c : {element}" if mode == "constant" else ""
    zero, fill = ("0 : i8", "3 : i8") if element == "i8" else (f"0.0 : {element}", f"3.0 : {element}")
    accumulate = "i32" if element == "i8" else "f32"
    zeros = ", ".join(2 * [f"tensor<1x{element}>"])
    return f"""func.func @main(%x: {source}, %w: {weight}, %b: {bias}) -> {out} {{
  %c = arith.constant {fill}
  %z = arith.constant dense<{zero.partition(" :")[0]}> : tensor<1x{element}>
  %p = loom.boundary {mode} %x{typed} low[0, {top}, {left}, 0] high[0, {bottom}, {right}, 0] : {source} to {made}
  %r = tosa.conv2d %p, %w, %b, %z, %z {{acc_type = {accumulate}, dilation = array<i64: {dilation}, {dilation}>,
    pad = array<i64: 0, 0, 0, 0>, stride = array<i64: {stride}, {stride}>}}
    : ({made}, {weight}, {bias}, {zeros}) -> {out}
  return %r : {out}
}}"""


def convolve(p, w, b, stride, dilation):
    """Sums of small integers, which are exact."""
    lines = (p.shape[1] - 2 * dilation - 1) // stride + 1
    columns = (p.shape[2] - 2 * dilation - 1) // stride + 1
    total = np.zeros((p.shape[0], lines, columns, w.shape[0]), b.dtype) + b
    for i, j in itertools.product(range(3), range(3)):
        part = p[:, i * dilation :, j * dilation :][:, : lines * stride : stride, : columns * stride : stride]
        total += part.astype(b.dtype) @ w[:, i, j].T.astype(b.dtype)
    return total


@pytest.mark.parametrize("element", ["f32", "i8"])
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("stride, dilation", [(1, 1), (2, 1), (1, 2)])
def test_bnd4_convolutions(mode, element, stride, dilation):
    """Windows that read lines, windows that are gathered, lines and columns alone, and more padding than elements."""
    random = np.random.default_rng(11)
    for pads in (((1, 1), (1, 1)), ((2, 0), (1, 0)), ((0, 3), (0, 1)), ((9, 8), (7, 6))):
        open_types = convolution(mode, element, pads, "????", "????", stride=stride, dilation=dilation)
        f = bl.compile(open_types.replace("tensor<5x3x3x4x", "tensor<5x3x3x?x"))
        for shape in ((1, 5, 5, 4), (2, 9, 40, 4), (1, 33, 3, 4), (1, 20, 21, 4), (1, 61, 60, 4)):
            x = random.integers(-3, 4, shape).astype(ELEMENTS[element])
            w = random.integers(-3, 4, (5, 3, 3, 4)).astype(ELEMENTS[element])
            b = random.integers(-3, 4, 5).astype(np.int32 if element == "i8" else np.float32)
            (top, left), (bottom, right) = pads
            ends = [(0, 0), (top, bottom), (left, right), (0, 0)]
            p = np.pad(x, ends, constant_values=3) if mode == "constant" else np.pad(x, ends, mode=MODES[mode])
            # TOSA's windows end where their image does.
            if min(p.shape[1:3]) <= 2 * dilation or any((n - 2 * dilation - 1) % stride for n in p.shape[1:3]):
                continue
            expected = convolve(p, w, b, stride, dilation)
            assert same(f(x, w, b), expected), (shape, pads)


def test_bnd4_convolutions_of_known_types():
    """Types that are known; that no padded image is made is tested in test/lower/fold-padding.mlir."""
    text = convolution("reflect", "f32", ((1, 1), (1, 1)), (1, 32, 32, 4), (1, 32, 32, 5))
    f = bl.compile(text)
    random = np.random.default_rng(12)
    x = random.integers(-3, 4, (1, 32, 32, 4)).astype(np.float32)
    w = random.integers(-3, 4, (5, 3, 3, 4)).astype(np.float32)
    b = np.zeros(5, np.float32)
    p = np.pad(x, [(0, 0), (1, 1), (1, 1), (0, 0)], mode="reflect")
    assert same(f(x, w, b), convolve(p, w, b, 1, 1))


@pytest.mark.parametrize("shape", ["??", (450, 400)])
def test_bnd4_padding_that_is_computed(shape):
    """A `tensor.pad` whose region computes of indices and of a number of the call."""
    image = spell(shape, "f32")
    wide = spell(shape if shape == "??" else (453, 401), "f32")
    f = bl.compile(f"""func.func @main(%x: {image}, %c: tensor<f32>) -> {image} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : {image}
  %m = tensor.dim %x, %c1 : {image}
  %v = tensor.extract %c[] : tensor<f32>
  %p = tensor.pad %x low[1, 0] high[2, 1] {{
  ^bb0(%i: index, %j: index):
    %a = arith.muli %i, %i : index
    %b = arith.subi %a, %j : index
    %k = arith.index_cast %b : index to i64
    %y = arith.sitofp %k : i64 to f32
    %z = arith.mulf %y, %v : f32
    tensor.yield %z : f32
  }} : {image} to {wide}
  %s = tensor.extract_slice %p[0, 1] [{"%n, %m" if shape == "??" else "450, 400"}] [1, 1] : {wide} to {image}
  %t = tensor.extract_slice %p[3, 0] [{"%n, %m" if shape == "??" else "450, 400"}] [1, 1] : {wide} to {image}
  %u = tosa.sub %s, %t : ({image}, {image}) -> {image}
  return %u : {image}
}}""")
    random = np.random.default_rng(13)
    for n, m in ((1, 1), (4, 70), (450, 400)) if shape == "??" else (shape,):
        x = random.integers(-9, 9, (n, m)).astype(np.float32)
        i, j = np.indices((n + 3, m + 1))
        p = (i * i - j).astype(np.float32) * np.float32(0.5)
        p[1 : n + 1, :m] = x
        assert same(f(x, np.float32(0.5)), p[:n, 1:] - p[3:, :m]), (n, m)


@pytest.mark.parametrize("element", ELEMENTS)
@pytest.mark.parametrize("kind", ["open", "known"])
def test_bnd1_interior(element, kind):
    """Elements between others, of axes without elements too, and padding around them."""
    random = np.random.default_rng(5)
    low, high, interior = (1, 0, 2), (0, 3, 1), (2, 0, 1)
    text = boundary("constant", element, low, high, "???", "???", interior)
    program = bl.compile(text) if kind == "open" else None
    for shape in ((2, 3, 4), (1, 1, 1), (0, 2, 5), (3, 0, 0)):
        x = fill(shape, element, random)
        inner = [max(n + (n - 1) * more, 0) for n, more in zip(shape, interior)]
        expected = pad(np.zeros(inner, x.dtype), low, high, "constant", element)
        expected[...] = pad(np.zeros(0, x.dtype), (1,), (0,), "constant", element)[0]
        expected[tuple(slice(a, a + n, more + 1) for a, n, more in zip(low, inner, interior))] = x
        if kind == "known":
            program = bl.compile(boundary("constant", element, low, high, shape, expected.shape, interior))
        assert same(program(x), expected)


def test_bnd1_interior_ahead_of_others():
    """Convolutions and maps read elements between others as they are."""
    text = """func.func @main(%x: tensor<?x?x?x4xf32>, %w: tensor<8x3x3x4xf32>) -> (tensor<?x?x?x8xf32>, tensor<?x?x?x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %bias = arith.constant dense<0.0> : tensor<8xf32>
  %p = loom.boundary constant %x with %zero : f32 low[0, 1, 1, 0] high[0, 1, 1, 0] interior [0, 1, 1, 0] : tensor<?x?x?x4xf32> to tensor<?x?x?x4xf32>
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %c = tosa.conv2d %p, %w, %bias, %z, %z {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<?x?x?x4xf32>, tensor<8x3x3x4xf32>, tensor<8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x?x?x8xf32>
  %q = loom.boundary constant %x with %one : f32 low[0, 0, 0, 0] high[0, 0, 0, 0] interior [0, 2, 0, 0] : tensor<?x?x?x4xf32> to tensor<?x?x?x4xf32>
  %e = tosa.negate %q, %z, %z : (tensor<?x?x?x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x?x?x4xf32>
  return %c, %e : tensor<?x?x?x8xf32>, tensor<?x?x?x4xf32>
}"""
    random = np.random.default_rng(6)
    x = random.integers(-4, 5, (2, 5, 6, 4)).astype("f4")
    w = random.integers(-4, 5, (8, 3, 3, 4)).astype("f4")
    p = np.zeros((2, 11, 13, 4), "f4")
    p[:, 1:-1:2, 1:-1:2] = x
    expected = sum(p[:, i : i + 9, j : j + 11] @ w[:, i, j].T for i, j in itertools.product(range(3), range(3)))
    q = np.ones((2, 13, 6, 4), "f4")
    q[:, ::3] = x
    convolved, negated = bl.compile(text)(x, w)
    assert same(convolved, expected)
    assert same(negated, -q)


def test_bnd2_interior_that_no_memory_has():
    text = boundary("constant", "f32", (0,), (0,), "?", "?", (1 << 62,))
    program = bl.compile(text)
    assert same(program(np.ones(1, "f4")), np.ones(1, "f4"))
    with pytest.raises(
        bl.ShapeError,
        match="axis 0 of extent 3 has 4611686018427387904 elements between each two and padding of 0 and 0, which does not fit",
    ):
        program(np.ones(3, "f4"))
