"""Loops of calls of memcpy run on several threads where arrays are apart, and fail, in the program's order, where
bytes of a call overlap (eff-1, ffi-2), against NumPy. What they surely write is compared with declarations (ffi-7)."""

import warnings

import broadloom as bl
import numpy as np
import pytest

P = "memref<?xf64, strided<[1], offset: ?>>"
TEXT = f"""\
func.func private @memcpy({P}, {P}, i64)
func.func @main(%to: memref<?x?xf64>, %from: memref<?x?xf64>, %rows: index, %n: index, %bytes: i64) {{
  affine.for %i = 0 to %rows {{
    %t = memref.subview %to[%i, 0] [1, %n] [1, 1] : memref<?x?xf64> to {P}
    %f = memref.subview %from[%i, 0] [1, %n] [1, 1] : memref<?x?xf64> to {P}
    func.call @memcpy(%t, %f, %bytes) : ({P}, {P}, i64) -> ()
  }}
  return
}}
"""
# Both parts are of one array, `ahead` elements from each other.
ONE_ARRAY = f"""\
func.func private @memcpy({P}, {P}, i64)
func.func @main(%a: memref<?xf64>, %ahead: index, %count: index, %n: index, %bytes: i64) {{
  affine.for %i = 0 to %count {{
    %at = arith.addi %i, %ahead : index
    %t = memref.subview %a[%at] [%n] [1] : memref<?xf64> to {P}
    %f = memref.subview %a[%i] [%n] [1] : memref<?xf64> to {P}
    func.call @memcpy(%t, %f, %bytes) : ({P}, {P}, i64) -> ()
  }}
  return
}}
"""


@pytest.fixture(scope="module", params=[1, 5])
def copy(request):
    return bl.compile(TEXT, name="p.mlir", threads=request.param)


@pytest.fixture(scope="module", params=[1, 5])
def copy_within(request):
    return bl.compile(ONE_ARRAY, name="p.mlir", threads=request.param)


@pytest.mark.parametrize("rows, n, part", [(0, 5, 5), (1, 1, 1), (700, 300, 300), (700, 300, 17), (9, 4, 0)])
def test_arrays_that_are_apart(copy, rows, n, part):
    source, target = np.random.default_rng(1).random((rows, n)), np.zeros((rows, n))
    copy(target, source, rows, n, 8 * part)
    assert (target[:, :part] == source[:, :part]).all() and not target[:, part:].any()


@pytest.mark.parametrize("shift", [-300, -299, -1, 0, 1, 150, 299, 300, 301, 10_000])
def test_arrays_that_share_memory(copy, shift):
    """Rows of the one array are `shift` elements behind those of the other."""
    rows, n = 40, 300
    memory = np.random.default_rng(2).random((rows + 2) * n + 10_000)
    expected = memory.copy()
    first = n
    part = lambda of, at: of[at : at + rows * n].reshape(rows, n)
    source, target = part(memory, first), part(memory, first + shift)
    if abs(shift) >= n:
        for i in range(rows):
            part(expected, first + shift)[i] = part(expected, first)[i]
        copy(target, source, rows, n, 8 * n)
    else:
        with pytest.raises(bl.ShapeError, match="memory that is written overlaps memory that is read"):
            copy(target, source, rows, n, 8 * n)
    assert memory.tobytes() == expected.tobytes()


def test_what_is_too_long_is_told_before_anything_is_written(copy):
    source, target = np.ones((20, 8)), np.zeros((20, 8))
    with pytest.raises(bl.ShapeError, match="index 8 is outside axis 0 of argument 'from' of 'memcpy'"):
        copy(target, source, 20, 8, 72)
    with pytest.raises(bl.ShapeError, match="the number of bytes is negative"):
        copy(target, source, 20, 8, -8)
    assert not target.any()


@pytest.mark.parametrize("ahead", [-9, -8, -7, -1, 0, 1, 7, 8, 9, 200])
@pytest.mark.parametrize("count", [0, 1, 60])
def test_parts_of_one_array(copy_within, ahead, count):
    n, memory = 8, np.random.default_rng(3).random(300)
    given, expected = memory.copy(), memory.copy()
    fails = None
    for i in range(count):
        if i + ahead < 0:
            fails = "the view takes"
            break
        if abs(ahead) < n:
            fails = "memory that is written overlaps"
            break
        expected[i + ahead : i + ahead + n] = expected[i : i + n]
    if fails:
        with pytest.raises(bl.ShapeError, match=fails):
            copy_within(given, ahead, count, n, 8 * n)
    else:
        copy_within(given, ahead, count, n, 8 * n)
    assert given.tobytes() == expected.tobytes()


ROW = "memref<8xf64, strided<[1], offset: ?>>"
# What each function surely writes, as many elements of each row as are declared.
DECLARED = {
    "memcpy": (f"({ROW}, {ROW}, i64)", "(%t, %f, %bytes)"),
    "memmove": (f"({ROW}, {ROW}, i64)", "(%t, %f, %bytes)"),
    "memset": (f"({ROW}, i32, i64)", "(%t, %byte, %bytes)"),
}


def compile_declared(name, size, written, kept=0):
    """A program that writes `size` bytes of each row, and declares that it writes and reads so many elements."""
    types, operands = DECLARED[name]

    def declare(argument, low, high):
        relation = f"(rows) -> (i, j) : (0 <= i < rows, {low} <= j < {high})"
        return f'[#loom.access_set<{argument}, #loom.relation<"{relation}">, [2]>]' if low < high else "[]"

    reads = declare(1, 0, -(-size // 8)) if name != "memset" else "[]"
    if kept:
        reads = f"{reads[:-1]}, {declare(0, written - 1, written)[1:]}".replace("[, ", "[")
    return bl.compile(
        f"""\
func.func private @{name}{types}
func.func @main(%to: memref<?x8xf64>, %from: memref<?x8xf64>, %rows: index) attributes {{
    loom.effects = {{reads = {reads}, writes = {declare(0, 0, written)}}}}} {{
  %bytes = arith.constant {size} : i64
  %byte = arith.constant 3 : i32
  affine.for %i = 0 to %rows {{
    %t = memref.subview %to[%i, 0] [1, 8] [1, 1] : memref<?x8xf64> to {ROW}
    %f = memref.subview %from[%i, 0] [1, 8] [1, 1] : memref<?x8xf64> to {ROW}
    func.call @{name}{operands} : {types} -> ()
  }}
  return
}}
""",
        name="p.mlir",
    )


@pytest.mark.parametrize("size", [0, 8, 13, 63, 64])
@pytest.mark.parametrize("name", DECLARED)
def test_what_is_surely_written_is_compared(name, size):
    count, kept = -(-size // 8), int(size % 8 != 0)
    with warnings.catch_warnings():
        # Nothing is left open.
        warnings.simplefilter("error")
        f = compile_declared(name, size, count, kept)
    target, source = np.ones((5, 8)), np.random.default_rng(4).random((5, 8))
    expected = target.copy()
    expected.view(np.uint8)[:3, :size] = source.view(np.uint8)[:3, :size] if name != "memset" else 3
    f(target, source, 3)
    assert target.tobytes() == expected.tobytes()
    if count < 8:
        with pytest.raises(bl.CompileError, match=rf"has element \[0, {count}\] .*, which the body does not write"):
            compile_declared(name, size, count + 1)
    if count:
        with pytest.raises(bl.CompileError, match=rf"'func.call' writes element \[0, {count - 1}\] of argument 'to'"):
            compile_declared(name, size, count - 1)
    if kept:
        with pytest.raises(bl.CompileError, match=rf"'func.call' reads element \[0, {count - 1}\] of argument 'to'"):
            compile_declared(name, size, count)


@pytest.mark.parametrize("name", ["memcpy", "memmove", "memset"])
def test_bytes_that_are_kept_are_no_other_state(name):
    """A second call of --check-effects finds them as the first one did."""
    other = "%b: i32" if name == "memset" else "%b: memref<?xf32>"
    types = f"(memref<?xf32>, {other[4:]}, i64)"
    f = bl.compile(
        f"""\
func.func private @{name}{types}
func.func @main(%a: memref<?xf32>, {other}, %bytes: i64) {{
  call @{name}(%a, %b, %bytes) : {types} -> ()
  return
}}
""",
        check_effects=True,
    )
    for size in range(21):
        a, b = np.arange(5, dtype=np.float32), 7 if name == "memset" else np.arange(5, 10, dtype=np.float32)
        expected = a.copy()
        expected.view(np.uint8)[:size] = 7 if name == "memset" else b.view(np.uint8)[:size]
        f(a, b, size)
        assert a.tobytes() == expected.tobytes()
