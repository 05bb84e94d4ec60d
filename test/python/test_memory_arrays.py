"""Arrays and layouts that fit no memory, or that share elements (mem-1)."""

import broadloom as bl
import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided

OPEN = "memref<?x?xf64, strided<[?, ?], offset: ?>>"


def count_up(kind, rank=2):
    """Adds the position in the program's order to each element."""
    at = ", ".join(["%i", "%j"][:rank])
    inner = "  affine.for %j = 0 to %m {\n" if rank == 2 else ""
    return f"""func.func @main(%a: {kind}, %n: index, %m: index) {{
  %one = arith.constant 1.0 : f64
  affine.for %i = 0 to %n {{
{inner}    %x = affine.load %a[{at}] : {kind}
    %y = arith.addf %x, %one : f64
    affine.store %y, %a[{at}] : {kind}
{"  }" if rank == 2 else ""}
  }}
  return
}}"""


MALFORMED = {
    "memref<4x4xf64, strided<[1]>>": "expected the number of strides to match the rank",
    "memref<4x4xf64, affine_map<(i) -> (i)>>": "layout mismatch between rank and affine map",
    "memref<4x4xf64, affine_map<(i, j) -> (i mod 2 - 1, j)>>": "its layout has places before the beginning of the memory",
    "memref<4x4xf64, affine_map<(i, j) -> (i * j)>>": "non-affine expression",
    "memref<4x4xf64, strided<[4, 1], offset: -9223372036854775808>>": "expected a 64-bit signed integer",
    "memref<4611686018427387904x4xf64, strided<[1, 1]>>": "its memory has a size that no memory can hold",
    "memref<99999999999999999999xf64>": "invalid dimension",
    "memref<-1xf64>": "error:",
}


@pytest.mark.parametrize("kind", MALFORMED)
def test_layouts_that_are_refused(kind):
    with pytest.raises(bl.CompileError, match=MALFORMED[kind]):
        bl.compile(f"func.func @main(%a: {kind}) {{\n  return\n}}")


@pytest.mark.parametrize(
    "layout, view",
    [
        ("strided<[?, ?], offset: ?>", lambda a: a[::-1, ::-2]),
        ("strided<[-8, 1], offset: ?>", lambda a: a[::-1]),
        ("strided<[-8, -1], offset: 63>", lambda a: a[::-1, ::-1]),
        ("strided<[9223372036854775807, 1]>", lambda a: a[:1]),
        ("strided<[-9223372036854775807, 8]>", lambda a: a[:1].reshape(8, 1).T[:, :1]),
        ("strided<[?, ?]>", lambda a: as_strided(a, (1, 8), (2**62, 8))),
    ],
)
def test_negative_and_huge_strides(layout, view):
    a, b = np.zeros((8, 8)), np.zeros((8, 8))
    array, expected = view(a), view(b)
    bl.compile(count_up(f"memref<?x?xf64, {layout}>"))(array, *array.shape)
    expected += 1
    np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("layout", ["strided<[9223372036854775807, 1]>", "strided<[-8, 1]>", "strided<[16, 1]>"])
def test_strides_that_an_array_does_not_have(layout):
    a = np.zeros((8, 8))
    with pytest.raises(ValueError, match=r"argument 'a' has strides \[8, 1\], but its type has \["):
        bl.compile(count_up(f"memref<?x?xf64, {layout}>"))(a, 8, 8)
    assert not a.any()


@pytest.mark.parametrize("strides", [(2**62, 8), (-(2**62), 8), (2**61, 2**61), (-(2**63), 8), (2**57, 8)])
def test_strides_beyond_memory(strides):
    a = np.zeros((3, 2))
    wild = as_strided(a, (3, 2), strides)
    with pytest.raises(
        ValueError, match=r"argument 'a' has shape 3x2 and strides .*, which reach further than any memory"
    ):
        bl.compile(count_up(OPEN))(wild, 3, 2)
    assert not a.any()


@pytest.mark.parametrize("stride", [2**62, -(2**62), 2**63 - 8, -(2**63)])
def test_strides_whose_sums_overflow(stride):
    """Sums of three axes overflow, and empty memory reaches nowhere."""
    type = "memref<?x?x?xf64, strided<[?, ?, ?], offset: ?>>"
    f = bl.compile(f"func.func @main(%a: {type}) {{\n  return\n}}")
    a = np.zeros(8)
    with pytest.raises(ValueError, match=r"has shape 2x2x2 and strides .*, which reach further than any memory"):
        f(as_strided(a, (2, 2, 2), (stride,) * 3))
    for shape in [(2, 2, 0), (0, 2, 2)]:
        f(as_strided(a, shape, (stride,) * 3))


VIEWS = {
    "all": lambda a: a,
    "rows backward": lambda a: a[::-1],
    "columns backward": lambda a: a[:, ::-1, ::-1],
    "steps": lambda a: a[::-1, ::-2, 1:7],
    "one row": lambda a: a[2:3, ::-1, 3:4],
    "no row": lambda a: a[1:1],
    "no column": lambda a: a[:, 3:3],
    "transposed": lambda a: a.T[::-1],
    "one element": lambda a: a[3:4, 4:5, 5:6],
    "transposed steps": lambda a: a.transpose(1, 0, 2)[2:9:3, ::-1],
}


@pytest.mark.parametrize("name", VIEWS)
def test_memory_that_is_seen_anew_reaches_from_the_first_to_the_last_element(name):
    """mem-11: what memref.reinterpret_cast may reach is from the first to the last element."""
    base = np.arange(600.0).reshape(6, 10, 10) + 1000
    view = VIEWS[name](base)
    steps = [step // 8 for step in view.strides]
    ends = [(extent - 1) * step for extent, step in zip(view.shape, steps)]
    low, high = sum(min(end, 0) for end in ends), sum(max(end, 0) for end in ends) + 1
    if not view.size:
        low = high = 0
    first = (view.ctypes.data - base.ctypes.data) // 8
    types = ["memref<?x?x?xf64, strided<[?, ?, ?], offset: ?>>"]
    if view.flags.c_contiguous:
        types.append("memref<?x?x?xf64>")
    for type in types:
        f = bl.compile(sum_seen_anew(type))
        for at in sorted({low - 1, low, low + 1, -1, 0, 1, high - 2, high - 1, high}):
            for n in {1, 2, high - low, high - low + 1} - {0}:
                if low <= at and at + n <= high:
                    assert f(view, at, n) == base.ravel()[first + at : first + at + n].sum()
                else:
                    with pytest.raises(ValueError, match=r"memref\.reinterpret_cast"):
                        f(view, at, n)


def sum_seen_anew(type):
    """The sum of n elements from an offset of memory that is seen as a vector."""
    vector = "memref<?xf64, strided<[1], offset: ?>>"
    return f"""func.func @main(%a: {type}, %at: index, %n: index) -> f64 {{
  %zero = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = memref.reinterpret_cast %a to offset: [%at], sizes: [%n], strides: [1] : {type} to {vector}
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (f64) {{
    %x = memref.load %v[%i] : {vector}
    %t = arith.addf %s, %x : f64
    scf.yield %t : f64
  }}
  return %sum : f64
}}"""


def test_elements_that_share_memory():
    """An array whose strides overlap: the program's order is what happens."""
    for strides, expected in [((8, 8), [1, 2, 2, 1]), ((0, 8), [3, 3, 0, 0]), ((0, 0), [6, 0, 0, 0])]:
        a = np.zeros(4)
        bl.compile(count_up(OPEN))(as_strided(a, (3, 2), strides), 3, 2)
        assert a.tolist() == expected, strides


def test_shifts_by_overlapping_strides():
    """Each row is the one before, one element on: a value moves along."""
    f = bl.compile(f"""func.func @main(%a: {OPEN}) {{
  affine.for %i = 0 to 6 {{
    affine.for %j = 0 to 1 {{
      %x = affine.load %a[%i, %j] : {OPEN}
      affine.store %x, %a[%i, %j + 1] : {OPEN}
    }}
  }}
  return
}}""")
    a = np.arange(1.0, 9)
    f(as_strided(a, (6, 2), (8, 8)))
    assert a.tolist() == [1] * 7 + [8]


@pytest.mark.parametrize("step", [0, -1, -(2**63)])
def test_loops_that_do_not_step(step):
    f = bl.compile("""func.func @main(%a: memref<?xf64>, %n: index, %step: index) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f64
  scf.for %i = %c0 to %n step %step {
    memref.store %one, %a[%c0] : memref<?xf64>
  }
  return
}""")
    a = np.zeros(4)
    with pytest.raises(bl.ShapeError, match=f"'scf.for': .*step.*{step}"):
        f(a, 3, step)
    assert not a.any()


def test_scopes_larger_than_the_stack():
    f = bl.compile("""func.func @main(%a: memref<1xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %last = arith.constant 1999999 : index
  %one = arith.constant 1.0 : f64
  %fixed = memref.alloca() : memref<2000000xf64>
  %open = memref.alloca(%n) : memref<?xf64>
  memref.store %one, %fixed[%last] : memref<2000000xf64>
  memref.store %one, %open[%last] : memref<?xf64>
  %x = memref.load %fixed[%last] : memref<2000000xf64>
  memref.store %x, %a[%c0] : memref<1xf64>
  return
}""")
    a = np.zeros(1)
    f(a, 2000000)
    assert a[0] == 1
    a[0] = 0
    with pytest.raises(MemoryError, match="larger than any memory"):
        f(a, 2**61)
    assert a[0] == 0


def test_leaks():
    f = bl.compile_program("""func.func @main(%n: index) {
  %m = memref.alloc(%n) : memref<?xf32>
  return
}""")["main"]
    assert not f.finds_leaks and f(4) is not None
    f.finds_leaks = True
    with pytest.raises(bl.ShapeError, match=r"neither freed nor returned: 16 bytes \(.*2:8\)"):
        f(4)
    f.finds_leaks = False
    f(4)
