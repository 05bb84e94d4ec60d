"""Nests that are contractions (mem-16) of memory of any strides and orders of axes, in tiles and not: sums of
integers, which are the same in any order, against NumPy's einsum."""

import random

import broadloom as bl
import numpy as np
import pytest

FAST = "fastmath<fast>"
TYPES = {"f32": np.float32, "f64": np.float64, "i8": np.int8, "i32": np.int32, "f16": np.float16}


def memory(axes, element):
    return f"memref<{'x'.join('?' * len(axes))}x{element}, strided<[{', '.join('?' * len(axes))}], offset: ?>>"


def nest(spec, order, types=("f32", "f32"), tiles=(), levels=(), flags=FAST, zeros=False):
    """A nest of `spec`, such as ik,kj->ij, whose loops are in `order`, with loops over tiles of these loops and
    sizes outside. With `levels`, tiles have tiles of that many elements. With `zeros`, which needs the loops that are
    not summed to be first, sums begin with 0."""
    element, total = types
    a, b, c = spec.replace("->", ",").split(",")
    kinds = memory(a, element), memory(b, element), memory(c, total)
    names = sorted(order)
    lines = [
        f"func.func @main(%left: {kinds[0]}, %right: {kinds[1]}, %sums: {kinds[2]}, "
        + ", ".join(f"%to_{loop}: index" for loop in names)
        + ") {",
        f"  %zero = arith.constant 0.0 : {total}" if total[0] == "f" else f"  %zero = arith.constant 0 : {total}",
    ]
    begin = dict.fromkeys(order, "0")
    end = {loop: f"%to_{loop}" for loop in order}
    count = 0
    for sizes in (tiles, levels):
        for loop, size in sizes:
            lines.append(f"  affine.for %{loop}{size} = {begin[loop]} to {end[loop]} step {size} {{")
            least = f"affine_map<(d0)[s0] -> (d0 + {size}, s0)>(%{loop}{size})[%to_{loop}]"
            if begin[loop] != "0":
                outer = dict(tiles)[loop]
                least = (
                    f"affine_map<(d0, d1)[s0] -> (s0, d1 + {outer}, d0 + {size})>"
                    f"(%{loop}{size}, %{loop}{outer})[%to_{loop}]"
                )
            begin[loop], end[loop] = f"affine_map<(d0) -> (d0)>(%{loop}{size})", f"min {least}"
            count += 1
    summed = [loop for loop in order if loop not in c]
    at = ["".join(["[", ", ".join(f"%{loop}" for loop in axes), "]"]) for axes in (a, b, c)]
    for loop in order:
        if zeros and loop == summed[0]:
            lines.append(f"  affine.store %zero, %sums{at[2]} : {kinds[2]}")
        lines.append(f"  affine.for %{loop} = {begin[loop]} to {end[loop]} {{")
    lines += [f"  %x = affine.load %left{at[0]} : {kinds[0]}", f"  %y = affine.load %right{at[1]} : {kinds[1]}"]
    x, y, suffix = "%x", "%y", "f" if total[0] == "f" else "i"
    if element != total:
        extend = "arith.extf" if suffix == "f" else "arith.extsi"
        lines += [f"  {v}w = {extend} {v} : {element} to {total}" for v in (x, y)]
        x, y = "%xw", "%yw"
    flags = flags if suffix == "f" else ""
    lines += [
        f"  %z = affine.load %sums{at[2]} : {kinds[2]}",
        f"  %p = arith.mul{suffix} {x}, {y} {flags} : {total}",
        f"  %t = arith.add{suffix} %z, %p {flags} : {total}",
        f"  affine.store %t, %sums{at[2]} : {kinds[2]}",
        "  " + "}" * (count + len(order)),
        "  return",
        "}",
    ]
    return "\n".join(lines)


def strided(rng, shape, dtype):
    """Small numbers in memory with gaps, axes in any order, and some of them backwards."""
    axes = rng.sample(range(len(shape)), len(shape))
    whole = [shape[axis] + rng.choice([0, 0, 1, 5]) for axis in axes]
    steps = [rng.choice([1, 1, 1, 2]) for _ in axes]
    values = np.random.default_rng(rng.randrange(10**6)).integers(-3, 4, [n * s for n, s in zip(whole, steps)])
    view = values.astype(dtype)[tuple(slice(0, shape[x] * s, s) for x, s in zip(axes, steps))]
    view = view.transpose([axes.index(axis) for axis in range(len(shape))])
    if rng.random() < 0.2:
        view = view[::-1]
    assert view.shape == tuple(shape)
    return view


def contraction_of(text):
    return "it is a contraction" in " ".join(str(bl.compile_program(text).check()).split())


def compare(program, spec, extents, rng, types=("f32", "f32"), zeros=False):
    a, b, c = spec.replace("->", ",").split(",")
    x, y, z = (
        strided(rng, [extents[loop] for loop in axes], TYPES[kind])
        for axes, kind in ((a, types[0]), (b, types[0]), (c, types[1]))
    )
    total = TYPES[types[1]]
    expected = (0 if zeros else z) + np.einsum(spec, x.astype(total), y.astype(total), optimize=True)
    before, sums = z.base.copy(), z.copy()
    program(x, y, z, *(extents[loop] for loop in sorted(extents)))
    np.testing.assert_array_equal(z, expected)
    # Nothing is written between the sums.
    z[...] = sums
    np.testing.assert_array_equal(z.base, before)


SPECS = [
    "ik,kj->ij",
    "ki,kj->ij",
    "ik,jk->ji",
    "ik,k->i",
    "k,kj->j",
    "bik,bkj->bij",
    "bik,kbj->ibj",
    "hik,kj->hij",
    "ik,kjl->ijl",
    "ikm,mkj->ij",
    "abik,abkj->abij",
    "ihk,jk->jhi",
]


def sizes(rng, spec):
    """Enough products for a kernel, and sometimes axes of one element."""
    loops = sorted(set(spec) - set(",->"))
    extents = {loop: rng.choice([1, 3, 5, 8, 13, 17, 33]) for loop in loops}
    while np.prod(list(extents.values())) < 20000:
        loop = rng.choice(loops)
        extents[loop] += rng.choice([7, 16, 31])
    return extents


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("types", [("f32", "f32"), ("f64", "f64"), ("i8", "i32"), ("f16", "f32")])
def test_axes_in_any_order(spec, types):
    rng = random.Random(spec + types[0])
    loops = sorted(set(spec) - set(",->"))
    text = nest(spec, rng.sample(loops, len(loops)), types)
    assert contraction_of(text)
    program = bl.compile(text)
    for _ in range(4):
        compare(program, spec, sizes(rng, spec), rng, types)


@pytest.mark.parametrize("spec", SPECS)
def test_sums_that_begin_with_0(spec):
    rng = random.Random(spec)
    summed = sorted(set(spec.split("->")[0]) - set(spec.split("->")[1]) - {","})
    order = rng.sample(spec.split("->")[1], len(spec.split("->")[1])) + summed
    text = nest(spec, order, zeros=True, flags="fastmath<contract>")
    assert contraction_of(text)
    program = bl.compile(text)
    for _ in range(3):
        compare(program, spec, sizes(rng, spec), rng, zeros=True)


@pytest.mark.parametrize("spec", SPECS)
def test_few_or_no_iterations(spec):
    rng = random.Random(spec)
    loops = sorted(set(spec) - set(",->"))
    program = bl.compile(nest(spec, loops))
    for extent in (0, 1, 2):
        for loop in loops:
            compare(program, spec, sizes(rng, spec) | {loop: extent}, rng)


@pytest.mark.parametrize("spec", ["ik,kj->ij", "bik,bkj->bij", "ik,jk->ji", "ikm,mkj->ij"])
@pytest.mark.parametrize("types", [("f32", "f32"), ("i8", "i32")])
def test_tiles_are_one_contraction(spec, types):
    rng = random.Random(spec)
    loops = sorted(set(spec) - set(",->"))
    for _ in range(2):
        tiled = rng.sample(loops, rng.randint(1, len(loops)))
        tiles = [(loop, rng.choice([8, 16])) for loop in tiled]
        levels = [(loop, 4) for loop in rng.sample(tiled, rng.randint(0, len(tiled)))]
        text = nest(spec, rng.sample(loops, len(loops)), types, tiles, levels)
        assert contraction_of(text)
        program = bl.compile(text)
        for _ in range(3):
            compare(program, spec, sizes(rng, spec), rng, types)
        compare(program, spec, sizes(rng, spec) | {rng.choice(loops): rng.choice([0, 1, 8, 16])}, rng, types)


def test_tiles_of_sums_that_begin_with_0_again_stay_tiles():
    """Each tile of products stores its own sums: those of the last tile stay."""
    text = nest("ik,kj->ij", "ijk", tiles=[("k", 32)], zeros=True)
    a, b = (np.ones(shape, np.float32) for shape in ((40, 80), (80, 40)))
    c = np.full((40, 40), 7, np.float32)
    bl.compile(text)(a, b, c, 40, 40, 80)
    np.testing.assert_array_equal(c, np.full((40, 40), 16))


def test_tiles_with_gaps_or_that_overlap_stay_tiles():
    for step in (24, 40):
        text = nest("ik,kj->ij", "ijk", tiles=[("k", 32)]).replace("step 32", f"step {step}")
        a, b = (np.ones(shape, np.float32) for shape in ((40, 80), (80, 40)))
        c = np.zeros((40, 40), np.float32)
        bl.compile(text)(a, b, c, 40, 40, 80)
        products = sum(min(begin + 32, 80) - begin for begin in range(0, 80, step))
        np.testing.assert_array_equal(c, np.full((40, 40), products))


@pytest.mark.parametrize("tiles", [[], [("i", 8), ("j", 8), ("k", 8)]])
def test_sums_that_are_a_factor_are_in_the_programs_order(tiles):
    text = nest("ik,kj->ij", "ijk", tiles=tiles)
    program = bl.compile(text)
    rng = np.random.default_rng(1)
    memory = rng.standard_normal((40, 64)).astype(np.float32)
    b = rng.standard_normal((32, 32)).astype(np.float32)
    expected = memory.copy()
    steps = [(t, range(t, min(t + 8, 32))) for t in range(0, 32, 8)] if tiles else [(0, range(32))]
    for _, rows in steps:
        for _, columns in steps:
            for _, terms in steps:
                for i in rows:
                    for j in columns:
                        for k in terms:
                            expected[i + 4, j + 16] += expected[i, k] * b[k, j]
    program(memory[:32, :32], b, memory[4:36, 16:48], 32, 32, 32)
    np.testing.assert_array_equal(memory, expected)


def test_columns_of_a_matrix_are_sums():
    """A sum of products that is stored past other elements of its row."""
    program = bl.compile(nest("ik,kj->ij", "ijk"))
    a, b = (np.arange(n * m).reshape(n, m).astype(np.float32) % 5 for n, m in ((40, 30), (30, 50)))
    whole = np.full((40, 150), 9, np.float32)
    program(a, b, whole[:, 1::3], 40, 50, 30)
    np.testing.assert_array_equal(whole[:, 1::3], 9 + a @ b)
    assert (whole[:, 0::3] == 9).all()
    assert (whole[:, 2::3] == 9).all()


ENDS = """\
func.func @f(%a: memref<?x?xi8>, %b: memref<?x?xi8>, %c: memref<?x?xi32>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %rows = memref.dim %c, %c0 : memref<?x?xi32>
  %columns = memref.dim %c, %c1 : memref<?x?xi32>
  %x = arith.muli %n, %c2 : index
  %y = arith.addi %n, %n : index
  %end = arith.minsi %x, %y : index
  scf.for %i = %c0 to %rows step %c1 {
    scf.for %j = %c0 to %columns step %c1 {
      scf.for %t = %c0 to %end step %c32 {
        %last = arith.addi %t, %c32 : index
        %one = arith.minsi %last, %x : index
        %other = arith.minsi %one, %m : index
        scf.for %k = %t to %other step %c1 {
          %u = memref.load %a[%i, %k] : memref<?x?xi8>
          %v = memref.load %b[%k, %j] : memref<?x?xi8>
          %s = memref.load %c[%i, %j] : memref<?x?xi32>
          %p = arith.extsi %u : i8 to i32
          %q = arith.extsi %v : i8 to i32
          %r = arith.muli %p, %q : i32
          %z = arith.addi %s, %r : i32
          memref.store %z, %c[%i, %j] : memref<?x?xi32>
        }
      }
    }
  }
  return
}
"""


@pytest.mark.parametrize("m", [0, 40, 70, 80, 200])
def test_tiles_with_an_end_of_their_own_stay_tiles(m):
    """The ends of the loop over tiles are one number, told twice, and the elements have another one."""
    rng = np.random.default_rng(m)
    a, b = rng.integers(-9, 9, (30, 80), np.int8), rng.integers(-9, 9, (80, 30), np.int8)
    c = np.ones((30, 30), np.int32)
    bl.compile(ENDS)(a, b, c, 40, m)
    np.testing.assert_array_equal(c, 1 + a[:, :m].astype(np.int32) @ b[:m].astype(np.int32))


def test_tiles_that_begin_below_0():
    text = ENDS.replace("%t = %c0 to %end", "%t = %begin to %m").replace("%k = %t to %other", "%h = %c0 to %other")
    text = text.replace("arith.minsi %one, %m", "arith.minsi %one, %left").replace(
        "%other = ", "%left = arith.subi %m, %t : index\n        %other = "
    )
    text = text.replace("%one = arith.minsi %last, %x", "%one = arith.minsi %c32, %c32")
    text = text.replace(
        "          %u = memref",
        "          %g = arith.addi %t, %h : index\n          %k = arith.addi %g, %n : index\n          %u = memref",
    )
    text = text.replace("  scf.for %i =", "  %begin = arith.subi %c0, %n : index\n  scf.for %i =", 1)
    rng = np.random.default_rng(0)
    a, b = rng.integers(-9, 9, (30, 90), np.int8), rng.integers(-9, 9, (90, 30), np.int8)
    c = np.zeros((30, 30), np.int32)
    bl.compile(text)(a, b, c, 40, 45)
    np.testing.assert_array_equal(c, a[:, :85].astype(np.int32) @ b[:85].astype(np.int32))


def test_sums_of_many_axes():
    """A launch of it would have more axes than memory may have."""
    rank = 31
    loops = [f"i{axis}" for axis in range(rank)]
    kinds = ["?x" * (rank + 1), "?x", "?x" * rank]
    a, w, c = (f"memref<{kind}f32>" for kind in kinds)
    named = ", ".join(f"%{loop}" for loop in loops)
    lines = [f"func.func @f(%a: {a}, %w: {w}, %c: {c}, %n: index, %m: index) {{"]
    lines += [f"affine.for %{loop} = 0 to {'%n' if axis < 2 else 1} {{" for axis, loop in enumerate(loops)]
    lines += [
        "affine.for %k = 0 to %m {",
        f"%u = affine.load %a[{named}, %k] : {a}",
        f"%v = affine.load %w[%k] : {w}",
        f"%s = affine.load %c[{named}] : {c}",
        f"%p = arith.mulf %u, %v {FAST} : f32",
        f"%z = arith.addf %s, %p {FAST} : f32",
        f"affine.store %z, %c[{named}] : {c}",
        *["}"] * (rank + 1),
        "return",
        "}",
    ]
    rng = np.random.default_rng(0)
    x, y = rng.integers(-3, 4, (20, 20, 50)).astype(np.float32), rng.integers(-3, 4, 50).astype(np.float32)
    sums = np.zeros((20, 20) + (1,) * (rank - 2), np.float32)
    bl.compile("\n".join(lines))(x.reshape(20, 20, *(1,) * (rank - 2), 50), y, sums, 20, 50)
    np.testing.assert_array_equal(sums.reshape(20, 20), x @ y)
