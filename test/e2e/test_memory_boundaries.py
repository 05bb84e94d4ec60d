"""Boundaries of memory (bnd-5): loops and `linalg` that read them, against NumPy's pad, and errors by their text."""

import itertools

import broadloom
import numpy as np
import pytest
from memory_programs import fails, function, refuses, run

MODES = {"replicate": "edge", "reflect": "reflect", "symmetric": "symmetric", "wrap": "wrap", "constant": "constant"}
BODY = """\
      %s = arith.constant 0.0 : f32
{loads}      affine.store %t{last}, %o[%i, %j] : {result}
"""


def boundary(mode, low, high, source, wide, of="%m"):
    value = " with %c : f32" if mode == "constant" else ""
    return f"loom.boundary {mode} {of}{value} low{list(low)} high{list(high)} : {source} to {wide}"


def spell(shape):
    return "memref<" + "".join(f"{n}x" for n in shape) + "f32>"


def stencil(mode, low, high, shape, taps, step=1):
    """A sum of neighbours of each element of an image, whose type has `shape`."""
    wide = spell(["?" if n == "?" else n + a + b for n, a, b in zip(shape, low, high)])
    source, result = spell(shape), spell(shape)
    lines = []
    for number, (i, j) in enumerate(taps):
        before = "%s" if number == 0 else f"%t{number - 1}"
        lines.append(f"      %x{number} = affine.load %p[%i + {i}, %j + {j}] : {wide}\n")
        lines.append(f"      %t{number} = arith.addf {before}, %x{number} : f32\n")
    body = BODY.format(loads="".join(lines), last=len(taps) - 1, result=result)
    return f"""\
func.func @main(%m: {source}, %o: {result}) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c = arith.constant 2.5 : f32
  %n = memref.dim %o, %c0 : {result}
  %k = memref.dim %o, %c1 : {result}
  %p = {boundary(mode, low, high, source, wide)}
  affine.for %i = 0 to %n step {step} {{
    affine.for %j = 0 to %k step {step} {{
{body}    }}
  }}
  return
}}
"""


def pad(x, low, high, mode):
    if mode == "constant":
        return np.pad(x, list(zip(low, high)), constant_values=2.5)
    return np.pad(x, list(zip(low, high)), mode=MODES[mode])


def add(x, taps, shape, step=1):
    total = np.zeros(shape, np.float32)
    for i, j in taps:
        total = total + x[i : i + shape[0], j : j + shape[1]]
    kept = np.zeros(shape, np.float32)
    kept[::step, ::step] = total[::step, ::step]
    return kept


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("kind", ["open", "known"])
def test_bnd5_stencils(tmp_path, mode, kind):
    """Sizes from one element on, padding of several widths, and steps of the loops."""
    rng = np.random.default_rng(1)
    taps = list(itertools.product(range(3), range(4)))
    for shape, step in (((1, 1), 1), ((2, 5), 1), ((7, 9), 2), ((20, 33), 1), ((20, 33), 3)):
        x = rng.integers(-9, 9, shape).astype(np.float32)
        low, high = (1, 2), (1, 1)
        text = stencil(mode, low, high, ["?", "?"] if kind == "open" else shape, taps, step)
        _, (image, found) = run(tmp_path, text, [x, np.zeros(shape, np.float32)])
        np.testing.assert_array_equal(found, add(pad(x, low, high, mode), taps, shape, step))
        np.testing.assert_array_equal(image, x)


@pytest.mark.parametrize("mode", MODES)
def test_bnd5_wide_padding(tmp_path, mode):
    """More padding than elements, of one axis alone, in front of it alone, and none."""
    rng = np.random.default_rng(2)
    for shape in ((1, 1), (2, 3), (9, 8)):
        x = rng.integers(-9, 9, shape).astype(np.float32)
        for low, high in (((7, 0), (0, 0)), ((0, 11), (0, 5)), ((0, 0), (0, 0))):
            taps = list(itertools.product(range(0, low[0] + high[0] + 1, 3), range(0, low[1] + high[1] + 1, 4)))
            _, (_, found) = run(tmp_path, stencil(mode, low, high, "??", taps), [x, np.zeros(shape, np.float32)])
            np.testing.assert_array_equal(found, add(pad(x, low, high, mode), taps, shape))


def test_bnd5_a_boundary_of_a_boundary_and_of_a_view(tmp_path):
    text = """\
func.func @main(%m: memref<?x?xf32>, %o: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c = arith.constant 2.5 : f32
  %a = memref.dim %o, %c0 : memref<?x?xf32>
  %b = memref.dim %o, %c1 : memref<?x?xf32>
  %n = arith.subi %a, %c1 : index
  %v = memref.subview %m[1, 0] [%n, %b] [1, 1] : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
  %p = loom.boundary reflect %v low[1, 1] high[1, 1] : memref<?x?xf32, strided<[?, 1], offset: ?>> to memref<?x?xf32>
  %q = loom.boundary constant %p with %c : f32 low[0, 2] high[1, 2] : memref<?x?xf32> to memref<?x?xf32>
  affine.for %i = 0 to %a {
    affine.for %j = 0 to %b {
      %x = affine.load %q[%i, %j] : memref<?x?xf32>
      %y = affine.load %q[%i + 2, %j + 6] : memref<?x?xf32>
      %s = arith.subf %x, %y : f32
      affine.store %s, %o[%i, %j] : memref<?x?xf32>
    }
  }
  return
}
"""
    rng = np.random.default_rng(3)
    for shape in ((2, 1), (3, 4), (20, 30)):
        x = rng.random(shape, np.float32)
        p = np.pad(x[1:], 1, mode="reflect")
        q = np.pad(p, ((0, 1), (2, 2)), constant_values=2.5)
        _, (_, found) = run(tmp_path, text, [x, np.zeros(shape, np.float32)])
        np.testing.assert_array_equal(found, q[: shape[0], : shape[1]] - q[2 : 2 + shape[0], 6 : 6 + shape[1]])


def test_bnd5_a_chain_of_boundaries(tmp_path):
    """Each is one of the last; parts at the ends are split for a few of them."""
    kinds = ["reflect", "constant", "wrap", "symmetric"]
    lines, x = [], np.arange(4, dtype=np.float32)
    expected = x
    for number in range(9):
        mode = kinds[number % 4]
        of = "%m" if number == 0 else f"%p{number - 1}"
        lines.append(f"  %p{number} = {boundary(mode, (1,), (1,), 'memref<?xf32>', 'memref<?xf32>', of)}")
        expected = pad(expected, (1,), (1,), mode)
    text = function(
        "%m: memref<?xf32>, %o: memref<?xf32>",
        "\n".join(
            [
                "  %c0 = arith.constant 0 : index",
                "  %c = arith.constant 2.5 : f32",
                "  %n = memref.dim %o, %c0 : memref<?xf32>",
                *lines,
                "  affine.for %i = 0 to %n {",
                "    %x = affine.load %p8[%i] : memref<?xf32>",
                "    affine.store %x, %o[%i] : memref<?xf32>",
                "  }",
                "  return",
            ]
        ),
    )
    _, (_, found) = run(tmp_path, text, [x, np.zeros_like(expected)])
    np.testing.assert_array_equal(found, expected)


def test_bnd5_what_the_memory_holds_is_read(tmp_path):
    """A loop writes the memory that it reads through a boundary."""
    text = """\
func.func @main(%m: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %m, %c0 : memref<?xf32>
  %p = loom.boundary wrap %m low[1] high[1] : memref<?xf32> to memref<?xf32>
  affine.for %i = 0 to %n {
    %x = affine.load %p[%i] : memref<?xf32>
    %y = affine.load %p[%i + 2] : memref<?xf32>
    %s = arith.addf %x, %y : f32
    affine.store %s, %m[%i] : memref<?xf32>
  }
  return
}
"""
    for n in (1, 2, 50):
        x = np.random.default_rng(4).random(n, np.float32)
        expected = x.copy()
        for i in range(n):
            expected[i] = expected[i - 1] + expected[(i + 1) % n]
        _, (found,) = run(tmp_path, text, [x])
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("mode", MODES)
def test_bnd5_windows_with_strides_and_carried_sums(tmp_path, mode):
    """A pool: loops of the window are inside, and a sum is carried."""
    wide = "memref<?x?xf32>"
    text = f"""\
func.func @main(%m: {wide}, %o: {wide}) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c = arith.constant 2.5 : f32
  %zero = arith.constant 0.0 : f32
  %n = memref.dim %o, %c0 : {wide}
  %k = memref.dim %o, %c1 : {wide}
  %p = {boundary(mode, (1, 1), (2, 1), wide, wide)}
  affine.for %i = 0 to %n {{
    affine.for %j = 0 to %k {{
      %sum = affine.for %u = 0 to 3 iter_args(%a = %zero) -> (f32) {{
        %row = affine.for %v = 0 to 2 iter_args(%b = %a) -> (f32) {{
          %x = affine.load %p[2 * %i + %u, 3 * %j + %v] : {wide}
          %s = arith.addf %b, %x : f32
          affine.yield %s : f32
        }}
        affine.yield %row : f32
      }}
      affine.store %sum, %o[%i, %j] : {wide}
    }}
  }}
  return
}}
"""
    rng = np.random.default_rng(5)
    for shape in ((1, 1), (2, 7), (31, 40)):
        x = rng.integers(-9, 9, shape).astype(np.float32)
        p = pad(x, (1, 1), (2, 1), mode)
        out = (shape[0] // 2 + 1, shape[1] // 3 + 1)
        expected = np.zeros(out, np.float32)
        for u, v in itertools.product(range(3), range(2)):
            expected += p[u : u + 2 * out[0] - 1 : 2, v : v + 3 * out[1] - 2 : 3]
        _, (_, found) = run(tmp_path, text, [x, np.zeros(out, np.float32)])
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("mode", MODES)
def test_bnd5_linalg_reads_one(tmp_path, mode):
    image = "memref<?x?x?x?xf32>"
    text = f"""\
func.func @main(%m: {image}, %w: memref<3x3x2x4xf32>, %o: {image}) {{
  %c = arith.constant 2.5 : f32
  %p = {boundary(mode, (0, 1, 1, 0), (0, 1, 1, 0), image, image)}
  linalg.conv_2d_nhwc_hwcf ins(%p, %w : {image}, memref<3x3x2x4xf32>) outs(%o : {image})
  return
}}
"""
    rng = np.random.default_rng(6)
    x = rng.integers(-3, 3, (2, 6, 7, 2)).astype(np.float32)
    w = rng.integers(-3, 3, (3, 3, 2, 4)).astype(np.float32)
    p = pad(x, (0, 1, 1, 0), (0, 1, 1, 0), mode)
    expected = np.zeros((2, 6, 7, 4), np.float32)
    for i, j in itertools.product(range(3), range(3)):
        expected += p[:, i : i + 6, j : j + 7] @ w[i, j]
    _, arrays = run(tmp_path, text, [x, w, np.zeros_like(expected)])
    np.testing.assert_array_equal(arrays[2], expected)


READS = {
    "affine": "%e = affine.load %p[%a, %i + %u, %j + %v, %d] : memref<?x?x?x?xf32>",
    "memref": """%y = arith.addi %i, %u : index
    %x = arith.addi %j, %v : index
    %e = memref.load %p[%a, %y, %x, %d] : memref<?x?x?x?xf32>""",
}


def convolution(mode, read, flags):
    """A nest that is a contraction (mem-16), with padding of two axes."""
    image = "memref<?x?x?x?xf32>"
    extents = {"n": "o, 0", "h": "o, 1", "w": "o, 2", "f": "o, 3", "k": "q, 0", "l": "q, 1", "c": "q, 2"}
    loops = {"a": "n", "i": "h", "j": "w", "g": "f", "u": "k", "v": "l", "d": "c"}
    lines = []
    for name, place in extents.items():
        memory, axis = place.split(", ")
        lines += [
            f"%axis_{name} = arith.constant {axis} : index",
            f"%{name} = memref.dim %{memory}, %axis_{name} : {image}",
        ]
    lines += ["%fill = arith.constant 0.0 : f32"]
    lines += ["%p = " + boundary(mode, (0, 1, 2, 0), (0, 1, 2, 0), image, image).replace("%c", "%fill")]
    lines += [f"affine.for %{loop} = 0 to %{extent} {{" for loop, extent in loops.items()]
    lines += [
        READS[read],
        f"%r = affine.load %q[%u, %v, %d, %g] : {image}",
        f"%z = affine.load %o[%a, %i, %j, %g] : {image}",
        f"%s = arith.mulf %e, %r {flags} : f32",
        f"%t = arith.addf %z, %s {flags} : f32",
        f"affine.store %t, %o[%a, %i, %j, %g] : {image}",
        "}" * len(loops),
        "return",
    ]
    return function(f"%m: {image}, %q: {image}, %o: {image}", "\n".join(lines))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("read", READS)
@pytest.mark.parametrize("flags", ["", "fastmath<contract,reassoc,nsz>", "fastmath<fast>"])
def test_bnd5_convolutions(tmp_path, mode, read, flags):
    """As loops, gathered, and in place. A product of 0 and an infinity is NaN, unless flags leave it out."""
    rng = np.random.default_rng(7)
    x = rng.integers(-3, 4, (1, 12, 14, 5)).astype(np.float32)
    w = rng.integers(-3, 4, (3, 5, 5, 7)).astype(np.float32)
    pads = ((0, 0), (1, 1), (2, 2), (0, 0))
    p = np.pad(x, pads) if mode == "constant" else np.pad(x, pads, mode=MODES[mode])
    if "fast>" not in flags:
        w[0, 1, 2, 3], w[2, 4, 0, 1] = np.inf, np.nan
    expected = np.zeros((1, 12, 14, 7), np.float32)
    with np.errstate(invalid="ignore"):
        for i, j, d in np.ndindex(3, 5, 5):
            expected += p[:, i : i + 12, j : j + 14, d : d + 1] * w[i, j, d]
    outcome, arrays = run(tmp_path, convolution(mode, read, flags), [x, w, np.zeros_like(expected)])
    assert outcome.status == broadloom.DONE, outcome.error
    np.testing.assert_array_equal(arrays[2], expected)


def test_bnd5_vectors_read_one(tmp_path):
    text = """\
func.func @main(%m: memref<?xf32>, %o: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %p = loom.boundary symmetric %m low[4] high[5] : memref<?xf32> to memref<?xf32>
  %x = vector.load %p[%c3] : memref<?xf32>, vector<8xf32>
  vector.store %x, %o[%c0] : memref<?xf32>, vector<8xf32>
  return
}
"""
    x = np.arange(3, dtype=np.float32)
    _, (_, found) = run(tmp_path, text, [x, np.zeros(8, np.float32)])
    np.testing.assert_array_equal(found, np.pad(x, (4, 5), mode="symmetric")[3:11])


def test_bnd5_extents(tmp_path):
    text = """\
func.func @main(%m: memref<?x4xf32>, %o: memref<3xi64>, %axis: index, %low: index) {
  %c0 = arith.constant 0 : index
  %p = loom.boundary reflect %m low[%low, 1] high[2, 0] : memref<?x4xf32> to memref<?x5xf32>
  %a = memref.dim %p, %axis : memref<?x5xf32>
  %b = memref.dim %p, %c0 : memref<?x5xf32>
  %x = arith.index_cast %a : index to i64
  %y = arith.index_cast %b : index to i64
  affine.store %x, %o[0] : memref<3xi64>
  affine.store %y, %o[1] : memref<3xi64>
  return
}
"""
    x = np.zeros((7, 4), np.float32)
    for axis, expected in ((0, 14), (1, 5)):
        _, (_, found) = run(tmp_path, text, [x, np.zeros(3, np.int64)], [f"i64={axis}", "i64=5"])
        assert found.tolist() == [expected, 14, 0]
    assert "there is no axis 2, the memory has rank 2" in fails(
        tmp_path, text, [x, np.zeros(3, np.int64)], ["i64=2", "i64=5"]
    )
    assert "the padding of axis 0 is -1 and 2, expected at least 0" in fails(
        tmp_path, text, [x, np.zeros(3, np.int64)], ["i64=0", "i64=-1"]
    )
    assert "axis 0 has no elements, and padding of 5 and 2 by mode 'reflect' needs one" in fails(
        tmp_path, text, [np.zeros((0, 4), np.float32), np.zeros(3, np.int64)], ["i64=0", "i64=5"]
    )


def test_bnd5_beyond_the_padding_is_an_error(tmp_path):
    text = stencil("reflect", (1, 1), (1, 1), "??", [(0, 0), (3, 1)])
    x = np.zeros((4, 5), np.float32)
    assert "index 6 is outside axis 0 of %p (the result of 'loom.boundary' at p.mlir:7:8)" in fails(
        tmp_path, text, [x, x]
    )


READ_ALONE = (
    "it has an operand of 'loom.boundary', which is no memory of its own; such an operand is read by loads of "
    "'memref', 'affine' and 'vector', by inputs of operations of 'linalg' that are loops, and by another "
    "'loom.boundary', and may be one of a view"
)
WRITES = (
    "it writes to a 'loom.boundary', whose elements beyond the ends are no memory; write to the memory that it is of"
)


@pytest.mark.parametrize(
    "use, text",
    [
        ("memref.store %c, %p[%c0] : memref<?xf32>", WRITES),
        ("affine.store %c, %p[0] : memref<?xf32>", WRITES),
        ("linalg.fill ins(%c : f32) outs(%p : memref<?xf32>)", WRITES),
        ("memref.copy %m, %p : memref<?xf32> to memref<?xf32>", WRITES),
        ("memref.copy %p, %m : memref<?xf32> to memref<?xf32>", READ_ALONE),
        ("linalg.softmax dimension(0) ins(%p : memref<?xf32>) outs(%m : memref<?xf32>)", READ_ALONE),
        ("call @other(%p) : (memref<?xf32>) -> ()", READ_ALONE),
        ("%v = memref.subview %p[0] [1] [1] : memref<?xf32> to memref<1xf32, strided<[1]>>", READ_ALONE),
        ("%v = memref.cast %p : memref<?xf32> to memref<4xf32>", READ_ALONE),
        ("%v = bufferization.to_tensor %p : memref<?xf32> to tensor<?xf32>", READ_ALONE),
        ("%v = arith.select %b, %p, %m : memref<?xf32>", READ_ALONE),
    ],
)
def test_bnd5_is_read_alone(tmp_path, use, text):
    program = f"""\
func.func private @other(%m: memref<?xf32>) {{
  return
}}
func.func @main(%m: memref<?xf32>, %b: i1) {{
  %c0 = arith.constant 0 : index
  %c = arith.constant 1.0 : f32
  %p = loom.boundary wrap %m low[1] high[1] : memref<?xf32> to memref<?xf32>
  {use}
  return
}}
"""
    assert text in refuses(tmp_path, program)


def spread(x, low, high, interior, value=2.5):
    """Elements between others (bnd-1), by assignment."""
    inner = [max(n + (n - 1) * more, 0) for n, more in zip(x.shape, interior)]
    wide = np.full([a + n + b for a, n, b in zip(low, inner, high)], value, x.dtype)
    wide[tuple(slice(a, a + n, more + 1) for a, n, more in zip(low, inner, interior))] = x
    return wide


INTERIOR = """\
func.func @main(%m: {type}, %o: memref<?x?xf32>) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c = arith.constant 2.5 : f32
  %p = loom.boundary constant %m with %c : f32 low{low} high{high} interior {interior} : {type} to memref<?x?xf32>
  %n = memref.dim %p, %c0 : memref<?x?xf32>
  %k = memref.dim %p, %c1 : memref<?x?xf32>
  affine.for %i = 0 to %n {{
    affine.for %j = 0 to %k {{
      %x = affine.load %p[%i, %j] : memref<?x?xf32>
      affine.store %x, %o[%i, %j] : memref<?x?xf32>
    }}
  }}
  return
}}
"""


@pytest.mark.parametrize(
    "low, high, interior", [((0, 0), (0, 0), (1, 2)), ((1, 2), (3, 0), (0, 1)), ((2, 0), (0, 1), (4, 0))]
)
@pytest.mark.parametrize("kind", ["open", "known"])
def test_bnd1_interior(tmp_path, low, high, interior, kind):
    for shape in ((0, 0), (1, 1), (0, 3), (2, 5), (17, 9)):
        x = np.random.default_rng(8).integers(-9, 9, shape).astype(np.float32)
        text = INTERIOR.format(
            type=spell("??" if kind == "open" else shape), low=list(low), high=list(high), interior=list(interior)
        )
        expected = spread(x, low, high, interior)
        _, (_, found) = run(tmp_path, text, [x, np.zeros_like(expected)])
        np.testing.assert_array_equal(found, expected)
        if 0 not in expected.shape:
            less = np.zeros((expected.shape[0] - 1, expected.shape[1]), np.float32)
            assert "is outside axis 0 of argument 'o'" in fails(tmp_path, text, [x, less])


@pytest.mark.parametrize("read", READS)
@pytest.mark.parametrize("flags", ["", "fastmath<fast>"])
def test_bnd1_convolutions_of_spread_images(tmp_path, read, flags):
    """A transposed convolution: no window leaves out what stands between elements."""
    rng = np.random.default_rng(9)
    x = rng.integers(-3, 4, (1, 7, 8, 5)).astype(np.float32)
    w = rng.integers(-3, 4, (3, 5, 5, 7)).astype(np.float32)
    p = spread(x, (0, 1, 2, 0), (0, 1, 2, 0), (0, 1, 2, 0), 0)
    out = (1, p.shape[1] - 2, p.shape[2] - 4, 7)
    expected = np.zeros(out, np.float32)
    for i, j, d in np.ndindex(3, 5, 5):
        expected += p[:, i : i + out[1], j : j + out[2], d : d + 1] * w[i, j, d]
    text = convolution("constant", read, flags).replace("high[0, 1, 2, 0]", "high[0, 1, 2, 0] interior [0, 1, 2, 0]")
    assert "interior" in text
    outcome, arrays = run(tmp_path, text, [x, w, np.zeros_like(expected)])
    assert outcome.status == broadloom.DONE, outcome.error
    np.testing.assert_array_equal(arrays[2], expected)


def test_bnd1_interior_of_boundaries(tmp_path):
    """Between mirrored elements, and mirrored with what stands between them."""
    line = "memref<?xf32>"
    body = f"""\
  %c0 = arith.constant 0 : index
  %c = arith.constant 2.5 : f32
  %p = loom.boundary reflect %m low[2] high[3] : {line} to {line}
  %q = loom.boundary constant %p with %c : f32 low[1] high[0] interior [1] : {line} to {line}
  %r = loom.boundary wrap %q low[4] high[4] : {line} to {line}
  %n = memref.dim %r, %c0 : {line}
  affine.for %i = 0 to %n {{
    %x = affine.load %r[%i] : {line}
    affine.store %x, %o[%i] : {line}
  }}
  return"""
    for n in (1, 2, 30):
        x = np.arange(n, dtype=np.float32)
        q = spread(np.pad(x, (2, 3), mode="reflect"), (1,), (0,), (1,))
        expected = np.pad(q, 4, mode="wrap")
        _, (_, found) = run(tmp_path, function(f"%m: {line}, %o: {line}", body), [x, np.zeros_like(expected)])
        np.testing.assert_array_equal(found, expected)


# What is done with freed memory, and the operation that is told.
DEAD_USES = {
    "load": ("%v = memref.load %m[%c0] : memref<?xf32>", "memref.load"),
    "load of a loop": ("affine.for %i = 0 to %n { %v = affine.load %m[%i] : memref<?xf32> }", "affine.load"),
    "vector": ("%v = vector.load %m[%c0] : memref<?xf32>, vector<2xf32>", "vector.load"),
    "boundary": ("%v = memref.load %p[%c0] : memref<?xf32>", "memref.load"),
    "linalg": ("linalg.copy ins(%m : memref<?xf32>) outs(%o : memref<?xf32>)", "linalg.copy"),
    "linalg without iterations": ("linalg.copy ins(%m : memref<?xf32>) outs(%o : memref<?xf32>)", "linalg.copy"),
    "an operand that is not used": (
        (
            'linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} '
            "ins(%m : memref<?xf32>) outs(%o : memref<?xf32>) { ^bb0(%x: f32, %y: f32): linalg.yield %c : f32 }"
        ),
        "linalg.generic",
    ),
}
DEAD = """\
#id = affine_map<(i) -> (i)>
func.func @main(%a: memref<?xf32>, %n: index, %frees: i1) {
  %c0 = arith.constant 0 : index
  %c = arith.constant 1.0 : f32
  %o = memref.alloc(%n) : memref<?xf32>
  %m = memref.alloc(%n) : memref<?xf32>
  %p = loom.boundary constant %m with %c : f32 low[1] high[1] : memref<?xf32> to memref<?xf32>
  %q = loom.boundary replicate %a low[1] high[1] : memref<?xf32> to memref<?xf32>
  %u = memref.load %q[%c0] : memref<?xf32>
  memref.store %u, %a[%c0] : memref<?xf32>
  scf.if %frees { memref.dealloc %m : memref<?xf32> }
"""


@pytest.mark.parametrize("use", DEAD_USES)
def test_bnd5_beside_one_freed_memory_is_told_of_what_is_not_used(tmp_path, use):
    text, operation = DEAD_USES[use]
    text = f"{DEAD}  {text}\n  return\n}}\n"
    n = 0 if "without" in use else 4
    (tmp_path / "p.mlir").write_text(text)
    call = ["run", tmp_path / "p.mlir", "--input=3xf32=1 2 3", f"--input=i64={n}"]
    error = broadloom.call(*call, "--input=i1=1").error
    assert f"'{operation}': this memory was freed (" in error
    assert "p.mlir:11:19); it is from 'memref.alloc'" in error
    outcome = broadloom.call(*call, "--input=i1=0")
    assert outcome.status == broadloom.DONE, outcome.error
