"""Calling compiled functions with NumPy arrays."""

import gc
import weakref

import broadloom as bl
import ml_dtypes
import numpy as np
import pytest
from conftest import ADD, double, unary


def test_one_function_for_every_shape(add):
    for shapes in [((2, 3), (1, 3)), ((4, 1), (1, 5)), ((1, 1), (7, 9)), ((0, 3), (1, 3))]:
        a, b = (np.random.rand(*shape).astype(np.float32) for shape in shapes)
        result = add(a, b)
        np.testing.assert_array_equal(result, a + b)
        assert result.dtype == np.float32 and result.flags.c_contiguous


def test_results_own_their_memory(add):
    a = np.ones((50, 60), np.float32)
    results = [add(a, a * i) for i in range(10)]
    gc.collect()
    for i, result in enumerate(results):
        assert result.flags.writeable
        assert (result == 1 + i).all()
    kept = add(a, a)[1:, ::2]
    gc.collect()
    assert (kept == 2).all()


def test_a_result_outlives_its_function():
    f = bl.compile(ADD)
    result = f(np.ones((3, 3), np.float32), np.ones((3, 3), np.float32))
    program = weakref.ref(f)
    del f
    gc.collect()
    assert program() is None
    assert (result == 2).all()


@pytest.mark.parametrize(
    "view",
    [
        lambda x: x[::-1, ::-1],
        lambda x: x[::2, 1::3],
        lambda x: x.T,
        lambda x: np.broadcast_to(x[:1], (5, x.shape[1])),
        lambda x: x[2:2],
    ],
)
def test_strides(add, view):
    x = view(np.arange(48, dtype=np.float32).reshape(6, 8))
    np.testing.assert_array_equal(add(x, x), x + x)


def test_strides_within_an_element(add):
    record = np.zeros((3, 4), [("head", "u1"), ("value", "f4")])
    record["value"] = np.arange(12).reshape(3, 4)
    x = record["value"]
    assert x.strides[1] % 4
    np.testing.assert_array_equal(add(x, x), x + x)


def test_memory_that_is_not_aligned(add):
    x = np.frombuffer(b"\0" + np.arange(6, dtype=np.float32).tobytes(), np.uint8)[1:]
    x = x.view(np.float32).reshape(2, 3)
    assert not x.flags.aligned
    np.testing.assert_array_equal(add(x, x), x + x)


@pytest.mark.parametrize("element, sums", [("f32", "f32"), ("i8", "i32"), ("f16", "f32")])
def test_sum1_weights_that_are_not_aligned(element, sums):
    """A single row begins where vectors of the weight are aligned."""
    types = [f"tensor<?x?x?x{kind}>" for kind in (element, element, sums)]
    zero = "0.0" if element[0] == "f" else "0"
    # One body in vectors, and one element by element.
    product = bl.compile(f"""
      func.func @main(%a: {types[0]}, %b: {types[1]}, %bias: {types[2]}) -> ({types[2]}, tensor<?x?x?xi1>) {{
        %z = "tosa.const"() {{values = dense<{zero}> : tensor<1x{element}>}} : () -> tensor<1x{element}>
        %0 = tosa.matmul %a, %b, %z, %z
          : ({types[0]}, {types[1]}, tensor<1x{element}>, tensor<1x{element}>) -> {types[2]}
        %1 = tosa.add %0, %bias : ({types[2]}, {types[2]}) -> {types[2]}
        %2 = tosa.greater %0, %bias : ({types[2]}, {types[2]}) -> tensor<?x?x?xi1>
        return %1, %2 : {types[2]}, tensor<?x?x?xi1>
      }}""")
    kind, wide = np.dtype(NUMPY_TYPES[element]), NUMPY_TYPES[sums]
    random = np.random.default_rng(2)
    for depth, channels in [(1, 384), (37, 528), (3, 400), (5, 390), (9, 16), (0, 512)]:
        numbers = random.integers(-9, 9, (depth, channels)).astype(kind)
        bias = random.integers(-9, 9, (1, 1, channels)).astype(wide)
        memory = np.zeros(numbers.nbytes + 128, np.uint8)
        for rows in (1, 7):
            a = random.integers(-9, 9, (1, rows, depth)).astype(kind)
            for offset in (0, kind.itemsize, 3 * kind.itemsize, 16, 40, 60, 13):
                begin = -memory.ctypes.data % 64 + offset
                b = memory[begin : begin + numbers.nbytes].view(kind).reshape(1, depth, channels)
                b[:] = numbers
                expected = a.astype(wide) @ b.astype(wide)
                found, isMore = product(a, b, bias)
                np.testing.assert_array_equal(found, expected + bias)
                np.testing.assert_array_equal(isMore, expected > bias)


NUMPY_TYPES = {
    "i8": np.int8,
    "i16": np.int16,
    "i32": np.int32,
    "i64": np.int64,
    "f16": np.float16,
    "f32": np.float32,
    "f64": np.float64,
    "bf16": ml_dtypes.bfloat16,
}


@pytest.mark.parametrize("element", NUMPY_TYPES)
def test_element_types(element):
    kind = np.dtype(NUMPY_TYPES[element])
    x = np.arange(6).astype(kind).reshape(2, 3)
    result = bl.compile(double(element))(x)
    assert result.dtype == kind
    np.testing.assert_array_equal(result.astype(np.float64), 2 * x.astype(np.float64))


@pytest.mark.parametrize("name", ["float8_e4m3fn", "float8_e5m2"])
def test_eight_bit_floats(name):
    element = {"float8_e4m3fn": "f8E4M3FN", "float8_e5m2": "f8E5M2"}[name]
    narrow, wide = f"tensor<?x{element}>", "tensor<?xf32>"
    f = bl.compile(
        f"func.func @main(%a: {narrow}) -> ({wide}, {narrow}) {{\n"
        f"  %r = tosa.cast %a : ({narrow}) -> {wide}\n"
        f"  %b = tosa.cast %r : ({wide}) -> {narrow}\n  return %r, %b : {wide}, {narrow}\n}}"
    )
    x = np.array([0, 1, -1.5, 4], getattr(ml_dtypes, name))
    y, z = f(x)
    np.testing.assert_array_equal(y, x.astype(np.float32))
    assert z.dtype == x.dtype
    np.testing.assert_array_equal(z.astype(np.float32), y)


def test_booleans():
    f = bl.compile(unary("i1", "tosa.logical_not"))
    x = np.array([True, False, True])
    assert (f(x) == ~x).all() and f(x).dtype == np.bool_


def test_each_byte_but_0_is_true():
    """As NumPy takes bool arrays that are made of other bytes; outside kernels, too."""
    x = np.array([0, 1, 2, 255, 128, 3], np.uint8).view(bool)
    program = """
func.func @main(%b: tensor<?xi1>, %t: tensor<2xi32>) -> (tensor<?xi32>, i64, tensor<?xi32>, tensor<?xi1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %n = tensor.dim %b, %c0 : tensor<?xi1>
  %chosen = tensor.generate %n {
  ^bb0(%i: index):
    %v = tensor.extract %b[%i] : tensor<?xi1>
    %k = arith.index_castui %v : i1 to index
    %w = tensor.extract %t[%k] : tensor<2xi32>
    tensor.yield %w : i32
  } : tensor<?xi32>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> i64 {
    %v = tensor.extract %b[%i] : tensor<?xi1>
    %k = arith.extui %v : i1 to i64
    %w = arith.addi %s, %k : i64
    scf.yield %w : i64
  }
  %numbers = tosa.cast %b : (tensor<?xi1>) -> tensor<?xi32>
  %not = tosa.logical_not %b : (tensor<?xi1>) -> tensor<?xi1>
  return %chosen, %sum, %numbers, %not : tensor<?xi32>, i64, tensor<?xi32>, tensor<?xi1>
}
"""
    for strategy in ("default", "rfc"):
        f = bl.compile(program, strategy=strategy)
        chosen, total, numbers, opposite = f(x, np.array([10, 20], np.int32))
        assert chosen.tolist() == [10, 20, 20, 20, 20, 20]
        assert int(total) == 5 and numbers.tolist() == [0, 1, 1, 1, 1, 1]
        assert opposite.view(np.uint8).tolist() == [1, 0, 0, 0, 0, 0]


def test_signless_integers_take_both_signs():
    f = bl.compile(double("i32"))
    assert f(np.array([3], np.uint32)).tolist() == [6]
    assert f(np.array([-3], np.longlong).astype(np.int32)).tolist() == [-6]


def test_numbers_and_scalars():
    f = bl.compile(double("f32"))
    assert f(2.5) == 5 and f(2.5).shape == () and f(3).dtype == np.float32
    assert f(np.float32(4)) == 8
    with pytest.raises(TypeError, match="argument 'a' has element type f64 but"):
        f(np.float64(4))


def test_buffers_and_subclasses(add):
    class Mine(np.ndarray):
        pass

    x = np.ones((2, 2), np.float32).view(Mine)
    assert type(add(x, x)) is np.ndarray
    view = memoryview(np.full((2, 2), 3, np.float32))
    assert add(view, view).tolist() == [[6, 6], [6, 6]]
    f = bl.compile(double("i8"))
    assert f(bytearray(b"\1\2")).tolist() == [2, 4]


def test_several_results():
    f = bl.compile(
        "func.func @main(%a: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xi1>) {\n"
        "  %r = tosa.abs %a : (tensor<?xf32>) -> tensor<?xf32>\n"
        "  %e = tosa.equal %a, %r : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xi1>\n"
        "  return %r, %e : tensor<?xf32>, tensor<?xi1>\n}"
    )
    x = np.array([1, -2], np.float32)
    y, same = f(x)
    assert y.tolist() == [1, 2] and same.tolist() == [True, False]
    out = np.empty(2, np.float32)
    first, second = f(x, out=(out, None))
    assert first is out and out.tolist() == [1, 2] and second.tolist() == [True, False]
    with pytest.raises(TypeError, match=r"out is of type numpy.ndarray, but 'main' has 2 results"):
        f(x, out=out)
    with pytest.raises(ValueError, match="out has 1 array, but 'main' has 2 results"):
        f(x, out=(out,))


def test_attributes(add):
    assert add.__name__ == "main"
    assert add.arguments == ("tensor<?x?xf32>",) * 2
    assert add.results == ("tensor<?x?xf32>",)
    assert "main(tensor<?x?xf32>, tensor<?x?xf32>) -> (tensor<?x?xf32>)" in repr(add)
    assert add.program.name == "add.mlir"
    assert add.planned_bytes == 0


def test_planned_bytes():
    """Two temporaries of 8 floats, each in its own cache line."""
    kind = "tensor<8xf32>"
    f = bl.compile(f"""
func.func @main(%a: {kind}) -> {kind} {{
  %0 = tosa.exp %a : ({kind}) -> {kind}
  %1 = tosa.reverse %0 {{axis = 0 : i32}} : ({kind}) -> {kind}
  %2 = tosa.exp %1 : ({kind}) -> {kind}
  return %2 : {kind}
}}""")
    assert f.planned_bytes == 128
    np.testing.assert_allclose(f(np.zeros(8, np.float32)), np.full(8, np.e), rtol=1e-6)


def test_threads():
    f = bl.compile(ADD, threads=1)
    a = np.random.rand(700, 700).astype(np.float32)
    assert f.threads == 1
    one = f(a, a)
    f.threads = 2
    assert f.threads == 2
    np.testing.assert_array_equal(one, f(a, a))
    with pytest.raises(ValueError, match="threads is -1; it must be from 0"):
        f.threads = -1
    with pytest.raises(TypeError):
        f.threads = "two"
    with pytest.raises(AttributeError):
        del f.threads


def test_trim(add):
    a = np.ones((500, 500), np.float32)
    kept = add(a, a)
    assert bl.trim() is None
    assert (kept == 2).all() and (add(a, a) == 2).all()


def test_an_array_without_axes_takes_a_result():
    for kind in ("tensor<f32>", "tensor<*xf32>"):
        f = bl.compile(f"""func.func @main(%a: {kind}, %b: {kind}) -> {kind} {{
  %r = tosa.add %a, %b : ({kind}, {kind}) -> {kind}
  return %r : {kind}
}}""")
        out = np.zeros((), np.float32)
        assert f(np.float32(1), np.float32(2), out=out) is out and out == 3
        with pytest.raises(TypeError, match="out is a number; a result needs an array to be written to"):
            f(np.float32(1), np.float32(2), out=np.float32(0))
    y = np.zeros(())
    bl.jit(lambda x: x.sum())(np.arange(4.0), out=y)
    assert y == 6


NAMED = """
func.func @main(%img: tensor<?xf32>, %mask: tensor<?xf32>) -> tensor<?xf32> {
  %r = tosa.sub %img, %mask : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
"""


def test_arguments_by_their_names():
    f, x, y = bl.compile(NAMED), np.float32([5, 7]), np.float32([1, 2])
    for result in (f(img=x, mask=y), f(x, mask=y), f(mask=y, img=x)):
        np.testing.assert_array_equal(result, [4, 5])
    out = np.empty(2, "f4")
    assert f(x, mask=y, out=out) is out
    with pytest.raises(TypeError, match="'main' has no keyword argument 'mas'; there are: img, mask, out"):
        f(x, mas=y)
    with pytest.raises(TypeError, match="'main' is given the argument 'img' by position and by name"):
        f(x, img=y)
    with pytest.raises(TypeError, match="'main' is not given argument 'img'"):
        f(mask=y)
    with pytest.raises(TypeError, match="2 arguments"):
        f(img=x)
