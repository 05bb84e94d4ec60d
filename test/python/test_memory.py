"""Functions over memory, called with arrays that they change in place."""

import os

import broadloom as bl
import numpy as np
import pytest

EXAMPLES = os.path.join(os.path.dirname(__file__), "..", "..", "examples", "rationale")

SCALE = """\
func.func @main(%a: memref<?x?xf64>, %x: f64, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %columns = memref.dim %a, %c1 : memref<?x?xf64>
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %columns {
      %v = affine.load %a[%i, %j] : memref<?x?xf64>
      %w = arith.mulf %v, %x : f64
      affine.store %w, %a[%i, %j] : memref<?x?xf64>
    }
  }
  return
}
"""
OPEN = SCALE.replace("memref<?x?xf64>", "memref<?x?xf64, strided<[?, ?], offset: ?>>")


@pytest.fixture(scope="module")
def scale():
    return bl.compile(SCALE)


@pytest.fixture(scope="module")
def scale_any():
    return bl.compile(OPEN)


def test_in_place(scale):
    a = np.ones((4, 3))
    assert scale(a, 2.0, 3) is None
    np.testing.assert_array_equal(a, [[2] * 3] * 3 + [[1] * 3])
    scale(a=a, x=2.0, n=0)
    assert scale.arguments == ("memref<?x?xf64>", "f64", "i64")


@pytest.mark.parametrize(
    "view",
    [
        lambda a: a[::2],
        lambda a: a[:, ::-1],
        lambda a: a.T,
        lambda a: a[1:, 2:][::-1],
        lambda a: a[:, :1],
        lambda a: np.lib.stride_tricks.as_strided(a, (3, 2), (16, 8)),
    ],
)
def test_any_strides_where_the_type_has_them(scale_any, view):
    a, b = np.arange(42.0).reshape(6, 7), np.arange(42.0).reshape(6, 7)
    scale_any(view(a), 3.0, view(a).shape[0])
    v = view(b)
    for i in range(v.shape[0]):
        for j in range(v.shape[1]):
            v[i, j] *= 3
    np.testing.assert_array_equal(a, b)


def test_row_major_types_take_contiguous_arrays(scale):
    a = np.ones((4, 3))
    scale(a[1:3], 2.0, 2)
    assert a.sum() == 18
    scale(np.ones((1, 3))[:, ::1], 2.0, 1)
    with pytest.raises(ValueError, match=r"argument 'a' has strides \[1, 3\], but its type is row-major"):
        scale(a.T, 2.0, 1)


def test_nothing_is_copied(scale):
    with pytest.raises(TypeError, match="argument 'a' has element type f32 but the function takes f64"):
        scale(np.ones((2, 2), np.float32), 2.0, 1)
    a = np.ones((2, 2))
    a.flags.writeable = False
    with pytest.raises(ValueError, match="argument 'a' is read-only; the function works on the array itself"):
        scale(a, 2.0, 1)
    odd = np.zeros(33, np.uint8)[1:].view(np.float64).reshape(2, 2)
    with pytest.raises(ValueError, match="argument 'a' is not aligned to its elements of 8 bytes"):
        scale(odd, 2.0, 1)
    with pytest.raises(TypeError, match="bytes are not in this machine's order"):
        scale(np.ones((2, 2), ">f8"), 2.0, 1)
    record = np.zeros(4, [("x", "f8"), ("y", "i1")])["x"].reshape(2, 2)
    with pytest.raises(ValueError, match="has strides that are no multiples of its element's size"):
        scale(record, 2.0, 1)
    with pytest.raises(TypeError, match="is a number; the function needs an array to be written to"):
        scale(2.0, 2.0, 1)
    with pytest.raises(TypeError):
        scale([[1.0]], 2.0, 1)


def test_a_guard_in_front_leaves_memory_as_it_was():
    """mem-2: what depends on arguments alone is checked before anything is written."""
    f = bl.compile("""\
func.func @main(%a: memref<?xf32>, %i: index) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  memref.store %one, %a[%c0] : memref<?xf32>
  memref.store %one, %a[%i] : memref<?xf32>
  return
}
""")
    a = np.zeros(4, np.float32)
    with pytest.raises(bl.ShapeError, match="index 9 is outside axis 0 of argument 'a', whose extent is 4"):
        f(a, 9)
    assert not a.any()
    f(a, 3)
    assert a.tolist() == [1, 0, 0, 1]


def test_the_same_array_twice():
    f = bl.compile("""\
func.func @main(%a: memref<5xi64>, %b: memref<5xi64>) {
  affine.for %i = 0 to 4 {
    %x = affine.load %a[%i] : memref<5xi64>
    affine.store %x, %b[%i + 1] : memref<5xi64>
  }
  return
}
""")
    a = np.arange(5)
    f(a, a)
    assert a.tolist() == [0] * 5


def test_the_same_array_as_memory_and_as_a_tensor():
    """mem-9: a tensor is a value, which is what the array held when the function was called."""
    f = bl.compile("""\
func.func @main(%m: memref<?xf32>, %t: tensor<?xf32>, %x: f32) -> tensor<?xf32> {
  linalg.fill ins(%x : f32) outs(%m : memref<?xf32>)
  %a = bufferization.to_tensor %m restrict : memref<?xf32> to tensor<?xf32>
  %s = tosa.add %a, %t : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %s : tensor<?xf32>
}
""")
    assert f.arguments == ("memref<?xf32>", "tensor<?xf32>", "f32")
    m = np.arange(4, dtype=np.float32)
    np.testing.assert_array_equal(f(m, m, 7.0), [7, 8, 9, 10])
    np.testing.assert_array_equal(m, [7] * 4)
    given = np.ones(8, np.float32)[::-2]
    given.flags.writeable = False
    np.testing.assert_array_equal(f(m, given, 1.0), [2] * 4)
    with pytest.raises(ValueError, match="argument 'm' is read-only"):
        f(given, m, 1.0)
    with pytest.raises(bl.ShapeError, match=r"'tosa\.add': operands are not broadcast-compatible"):
        f(m, np.ones(3, np.float32), 1.0)


def test_dlpack():
    torch = pytest.importorskip("torch")
    a = torch.ones(4, 3, dtype=torch.float64)
    bl.compile(SCALE)(a, 2.0, 4)
    assert a.sum() == 24


def test_saved_programs(tmp_path, scale):
    scale.save(tmp_path / "scale.bl")
    a = np.ones((2, 2))
    bl.load(tmp_path / "scale.bl")(a, 3.0, 2)
    assert a.sum() == 12


def test_examples():
    """Those of examples/rationale, as a kernel writer calls them."""

    def read(name, function):
        with open(os.path.join(EXAMPLES, name), encoding="utf-8") as file:
            return bl.compile(file.read(), function)

    rows = np.array([[1, 2, 3], [3, 2, 1]], np.int32)
    found = np.full(2, -1, np.int32)
    read("search.mlir", "search")(rows, found, 3)
    assert found.tolist() == [2, 0]

    a, out = np.ones((8, 5), np.float32), np.zeros((8, 5), np.float32)
    read("add-one.mlir", "foo")(a, out)
    assert (out == 2).all() and (a == 1).all()

    count = np.zeros((), np.int64)
    read("power-loops.mlir", "outer_nest")(3, count)
    assert count == 3 * (2**3 - 1) * 3

    numbers = np.arange(10, dtype=np.int32)
    for name in ("sum.mlir", "sum-in-memory.mlir"):
        assert read(name, "sum")(numbers, 8) == numbers[:8].sum()
        assert read(name, "sum_half")(numbers, 9) == numbers[5:9].sum()
