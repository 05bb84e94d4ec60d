"""Tiles of sums that are copied to a scratchpad and back (mem-16): values against NumPy, and what a report says of
the copy."""

import random
import re

import broadloom as bl
import numpy as np
import pytest

KIND = "memref<?x?xf32>"
WHERE = "redundant where kernels compute the contraction around it, which add to argument 'C'"


def loops(names, ends, body):
    """The body in a loop for each name."""
    text = body
    for name, end in reversed(list(zip(names, ends))):
        text = f"affine.for %{name} = 0 to {end} {{\n{text}\n}}"
    return text


def program(
    tile=16, order="ijk", at="%i + %x, %j + %y", back=None, upper=None, after="", between="", flags="fast", sums=None
):
    """C += A B in tiles, whose sums are copied from `at` and to `back`; or what `sums` has instead of the products."""
    least = "min #least(%{0})[%{1}]".format
    ends = {"x": least("i", "n"), "y": least("j", "m"), "z": least("k", "l")}
    pad = f"memref<{tile}x{tile}xf32, 1>"
    flags = f"fastmath<{flags}>" if flags else ""

    def copy(load, store, end):
        return loops("xy", (end or ends["x"], ends["y"]), f"%v = affine.load {load}\naffine.store %v, {store}")

    products = f"""%p = affine.load %a[%i + %x, %k + %z] : {KIND}
      %q = affine.load %b[%k + %z, %j + %y] : {KIND}
      %s = affine.load %c[%x, %y] : {pad}
      %t = arith.mulf %p, %q {flags} : f32
      %u = arith.addf %s, %t {flags} : f32
      affine.store %u, %c[%x, %y] : {pad}"""
    inner = loops("xyz", [ends[name] for name in "xyz"], products)
    sums = sums and loops("xy", (ends["x"], ends["y"]), sums)
    body = f"""{copy(f"%C[{at}] : {KIND}", f"%c[%x, %y] : {pad}", None)}
      {sums or f"affine.for %k = 0 to %l step {tile} {{ {inner} }}"}
      {between}
      {copy(f"%c[%x, %y] : {pad}", f"%C[{back or at}] : {KIND}", upper)}"""
    for name, end in reversed([pair for pair in zip("ij", "nm")]) if order == "ijk" else [("i", "n"), ("j", "m")]:
        body = f"affine.for %{name} = 0 to %{end} step {tile} {{\n{body}\n}}"
    return f"""#least = affine_map<(d0)[s0] -> ({tile}, s0 - d0)>
    func.func @main(%a: {KIND}, %b: {KIND}, %C: {KIND}, %n: index, %m: index, %l: index) {{
      %c0 = arith.constant 0 : index
      %one = arith.constant 1.0 : f32
      %zero = arith.constant 0.0 : f32
      %c = memref.alloc() : {pad}
      {body}
      {after}
      memref.dealloc %c : {pad}
      return
    }}"""


def told(text):
    """What the report says of the copy of the sums."""
    report = " ".join(str(bl.compile_program(text).check()).split())
    (found,) = re.findall(r"; (it copies .*?)(?= affine\.for | by operation)", report)
    return found


def draw(pick, *shape):
    return pick.integers(-3, 4, shape).astype(np.float32)


@pytest.mark.parametrize("seed", range(12))
def test_mem16_sums_of_tiles(seed):
    pick, numbers = random.Random(seed), np.random.default_rng(seed)
    tile = pick.choice([8, 16, 32])
    rows, columns, terms = (pick.choice([16, 31, 40, 64, 1]) for _ in range(3))
    shift = pick.choice(["", " + 2"])
    text = program(
        tile,
        pick.choice(["ijk", "jik"]),
        f"%i + %x{shift}, %j + %y",
        between=pick.choice(["", "%unused = arith.addi %i, %j : index"]),
    )
    assert WHERE in told(text)
    call = bl.compile(text)
    before = 2 if shift else 0
    for n, m, k in ((rows, columns, terms), (terms, rows, columns), (0, columns, terms), (rows, columns, 0)):
        a, b, c = draw(numbers, n, k), draw(numbers, k, m), draw(numbers, n + before, m)
        expected = c.copy()
        expected[before:] += a @ b
        call(a, b, c, n, m, k)
        np.testing.assert_array_equal(c, expected)


PAD = "memref<16x16xf32, 1>"
KEPT = {
    "another place": program(back="%i + %x, %j + %y + 1"),
    "another order": program(back="%j + %y, %i + %x"),
    "fewer rows": program(upper="4"),
    "read behind": program(after=f"%r = affine.load %c[0, 0] : {PAD}\naffine.store %r, %C[0, 0] : {KIND}"),
    "stored between": program(between=f"affine.store %one, %c[0, 0] : {PAD}"),
    "one row for all": program(at="0, %j + %y"),
    "no flags": program(flags=""),
}


@pytest.mark.parametrize("name", KEPT)
def test_mem16_sums_that_are_kept(name):
    """The values are those of the program, tile by tile."""
    assert WHERE not in told(KEPT[name])
    numbers = np.random.default_rng(3)
    n = 40
    a, b, c = draw(numbers, n, n), draw(numbers, n, n), draw(numbers, n + 1, n + 1)
    expected, pad = c.copy(), np.zeros((16, 16), np.float32)
    for i in range(0, n, 16):
        for j in range(0, n, 16):
            rows, columns = min(16, n - i), min(16, n - j)
            for x in range(rows):
                for y in range(columns):
                    pad[x, y] = expected[0 if name == "one row for all" else i + x, j + y]
            pad[:rows, :columns] += a[i : i + rows] @ b[:, j : j + columns]
            if name == "stored between":
                pad[0, 0] = 1
            for x in range(min(rows, 4) if name == "fewer rows" else rows):
                for y in range(columns):
                    at = {
                        "another place": (i + x, j + y + 1),
                        "another order": (j + y, i + x),
                        "one row for all": (0, j + y),
                    }.get(name, (i + x, j + y))
                    expected[at] = pad[x, y]
    if name == "read behind":
        expected[0, 0] = pad[0, 0]
    bl.compile(KEPT[name])(a, b, c, n, n, n)
    np.testing.assert_array_equal(c, expected)


ELEMENT = {"c": f"%c[%x, %y] : {PAD}", "C": f"%C[%row, %column] : {KIND}"}


def beside(load, store, first=""):
    """Products of which the copied memory has a part, between the copies of it. It is indexed without maps."""
    return program(
        sums=f"""%row = arith.addi %i, %x : index
      %column = arith.addi %j, %y : index
      {first}
      affine.for %k = 0 to %l {{
        %p = affine.load %a[%i + %x, %k] : {KIND}
        %q = affine.load %b[%k, %j + %y] : {KIND}
        %s = memref.load {ELEMENT[load]}
        %t = arith.mulf %p, %q fastmath<fast> : f32
        %u = arith.addf %s, %t fastmath<fast> : f32
        memref.store %u, {ELEMENT[store]}
      }}"""
    )


BESIDE = {
    "neither": (beside("c", "c"), lambda a, b, c: c + a @ b),
    "is set": (beside("c", "c", f"memref.store %zero, {ELEMENT['C']}"), lambda a, b, c: c + a @ b),
    "is loaded": (beside("C", "c"), lambda a, b, c: c + np.outer(a[:, -1], b[-1])),
    "is stored": (beside("c", "C"), lambda a, b, c: c),
    "is added to": (beside("C", "C"), lambda a, b, c: c),
    "is read": (
        beside("c", "c", f"%r = memref.load {ELEMENT['C']}\nmemref.store %r, {ELEMENT['c']}"),
        lambda a, b, c: c + a @ b,
    ),
}


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", BESIDE)
def test_mem16_memory_of_copied_sums(name, dtype):
    """What the program does with the memory between the copies is undone by the second one."""
    text, compute = BESIDE[name]
    text = text if dtype is np.float32 else text.replace("f32", "f64")
    assert (WHERE in told(text)) == (name == "neither")
    numbers = np.random.default_rng(5)
    a, b, c = (draw(numbers, 40, 40).astype(dtype) for _ in range(3))
    expected = compute(a, b, c)
    bl.compile(text)(a, b, c, 40, 40, 40)
    np.testing.assert_array_equal(c, expected)


@pytest.mark.parametrize("factor", ["a", "b"])
def test_mem16_sums_that_overlap_with_a_factor(factor):
    """Tiles see what the tiles before have written."""
    numbers = np.random.default_rng(4)
    n = 40
    a, b = draw(numbers, n, n), draw(numbers, n, n)
    c = a if factor == "a" else b
    x, y = a.copy(), b.copy()
    z = x if factor == "a" else y
    for i in range(0, n, 16):
        for j in range(0, n, 16):
            z[i : i + 16, j : j + 16] += x[i : i + 16] @ y[:, j : j + 16]
    bl.compile(program())(a, b, c, n, n, n)
    np.testing.assert_array_equal(c, z)
