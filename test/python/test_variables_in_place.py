"""Variables that say loom.in_place keep their memory from call to call (decision 91)."""

import time

import broadloom as bl
import numpy as np
import pytest

#: Rows of x are put behind as many rows as h has elements; the result is of all rows so far.
ROWS = """
tosa.variable @cache {mark} = dense<0.0> : tensor<{most}x4xf32>
func.func @main(%x: tensor<?x4xf32>, %h: tensor<?xf32>) -> {result} {{
  %old = tosa.variable_read @cache : tensor<{most}x4xf32>
  %c0 = arith.constant 0 : index
  %at = tensor.dim %h, %c0 : tensor<?xf32>
  %n = tensor.dim %x, %c0 : tensor<?x4xf32>
  %new = tensor.insert_slice %x into %old[%at, 0] [%n, 4] [1, 1] : tensor<?x4xf32> into tensor<{most}x4xf32>
  tosa.variable_write @cache, %new : tensor<{most}x4xf32>
  %end = arith.addi %at, %n : index
  %all = tensor.extract_slice %{read}[0, 0] [%end, 4] [1, 1] : tensor<{most}x4xf32> to tensor<?x4xf32>
  {rest}
}}"""
EXP = """%y = tosa.exp %all : (tensor<?x4xf32>) -> tensor<?x4xf32>
  return %y : tensor<?x4xf32>"""


def rows(most=16, mark="{loom.in_place}", read="new", rest=EXP, result="tensor<?x4xf32>"):
    return bl.compile(ROWS.format(most=most, mark=mark, read=read, rest=rest, result=result))


def run(f, counts, most=16):
    """Compares calls with NumPy, and returns what the variable must have."""
    whole, at = np.zeros((most, 4), "f4"), 0
    for n in counts:
        x = np.random.default_rng(at).standard_normal((n, 4)).astype("f4")
        whole[at : at + n] = x
        y, at = f(x, np.zeros(at, "f4")), at + n
        np.testing.assert_allclose(y, np.exp(whole[:at]), rtol=1e-6)
        np.testing.assert_array_equal(f.variables["cache"], whole)
    return whole


@pytest.mark.parametrize("mark", ["{loom.in_place}", ""])
def test_values(mark):
    f = rows(mark=mark)
    run(f, [3, 1, 0, 5, 7])
    f.reset()
    assert not f.variables["cache"].any()
    run(f, [16])


def test_the_last_value_is_read_behind():
    f = rows(read="old")
    x = np.ones((2, 4), "f4")
    np.testing.assert_array_equal(f(x, np.zeros(0, "f4")), np.ones((2, 4)))
    np.testing.assert_allclose(f(2 * x, np.zeros(1, "f4"))[:, 0], np.exp([1, 1, 0]), rtol=1e-6)
    np.testing.assert_array_equal(f.variables["cache"][:4, 0], [1, 2, 2, 0])


def test_a_step_does_not_take_longer_for_more_memory():
    def best(f):
        x, h = np.ones((1, 4), "f4"), np.zeros(3, "f4")
        f(x, h)
        times = []
        for _ in range(20):
            start = time.perf_counter()
            f(x, h)
            times.append(time.perf_counter() - start)
        return min(times)

    most = 1 << 20
    assert 5 * best(rows(most)) < best(rows(most, mark=""))


def test_refused_calls_change_nothing():
    f = rows()
    whole = run(f, [3, 10])
    with pytest.raises(bl.ShapeError, match="the slice takes 4 elements of axis 0 from 13 on, but the extent is 16"):
        f(np.ones((4, 4), "f4"), np.zeros(13, "f4"))
    np.testing.assert_array_equal(f.variables["cache"], whole)
    assert f(np.ones((3, 4), "f4"), np.zeros(13, "f4")).shape == (16, 4)


#: The index is read behind the write.
LATE = """%c = tosa.reduce_max %all {axis = 0 : i32} : (tensor<?x4xf32>) -> tensor<1x4xf32>
  %e = tensor.extract %c[%c0, %c0] : tensor<1x4xf32>
  %i = arith.fptosi %e : f32 to i64
  %k = arith.index_cast %i : i64 to index
  %r = tensor.extract %x[%k, %c0] : tensor<?x4xf32>
  %y = tensor.from_elements %r : tensor<1xf32>
  return %y : tensor<1xf32>"""


def test_a_call_that_fails_behind_a_write_loses_the_variable():
    f = rows(rest=LATE, result="tensor<1xf32>")
    none = np.zeros(0, "f4")
    assert f(np.ones((2, 4), "f4"), none) == 1
    with pytest.raises(bl.ShapeError, match="index 5 is outside axis 0, which has extent 2"):
        f(np.full((2, 4), 5, "f4"), none)
    lost = "the variable 'cache' is lost: a call has failed that was writing it; reset it, or set it"
    with pytest.raises(ValueError, match=lost):
        f(np.ones((2, 4), "f4"), none)
    with pytest.raises(ValueError, match=lost):
        f.variables
    f.reset()
    assert f(np.ones((2, 4), "f4"), none) == 1
    with pytest.raises(bl.ShapeError):
        f(np.full((2, 4), 5, "f4"), none)
    f.variables = {"cache": np.ones((16, 4), "f4")}
    assert f(np.ones((3, 4), "f4"), none) == 1


def test_open_extents():
    """The extents of a variable may be those of its first value, and change when it is set."""
    f = bl.compile("""
"tosa.variable"() <{initial_value = dense<> : tensor<0x2xf32>, sym_name = "v", type = f32,
                    var_shape = dense<[-1, 2]> : tensor<2xindex>}> {loom.in_place} : () -> ()
func.func @main(%x: tensor<1x2xf32>, %at: tensor<i64>) -> tensor<?x2xf32> {
  %old = tosa.variable_read @v : tensor<?x2xf32>
  %i = tensor.extract %at[] : tensor<i64>
  %k = arith.index_cast %i : i64 to index
  %new = tensor.insert_slice %x into %old[%k, 0] [1, 2] [1, 1] : tensor<1x2xf32> into tensor<?x2xf32>
  tosa.variable_write @v, %new : tensor<?x2xf32>
  %y = tosa.negate %new : (tensor<?x2xf32>) -> tensor<?x2xf32>
  return %y : tensor<?x2xf32>
}""")
    x = np.ones((1, 2), "f4")
    with pytest.raises(bl.ShapeError, match="the extent is 0"):
        f(x, np.int64(0))
    for most in (3, 5):
        f.variables = {"v": np.zeros((most, 2), "f4")}
        whole = np.zeros((most, 2), "f4")
        for at in (1, 0, most - 1):
            whole[at] += 1 - whole[at]
            np.testing.assert_array_equal(f(x, np.int64(at)), -whole)
    with pytest.raises(bl.ShapeError, match="from 5 on, but the extent is 5"):
        f(x, np.int64(5))
