"""Tests calls that write to the caller's memory."""

import broadloom as bl
import numpy as np
import pytest


class TestOut:
    def test_the_number_of_arrays(self, add):
        one = np.ones((2, 2), np.float32)
        for out, given in (((), "0 arrays"), ((one, one), "2 arrays")):
            with pytest.raises(ValueError, match=f"out has {given}, but 'main' has 1 result$"):
                add(one, one, out=out)

    def test_any_strides(self, add):
        a = np.arange(6, dtype=np.float32).reshape(2, 3)
        memory = np.zeros((6, 4), np.float32)
        out = memory[::-3, 2::-1]
        assert out.shape == (2, 3)
        assert add(a, a, out=out) is out
        np.testing.assert_array_equal(out, a + a)
        assert (memory[:, 3] == 0).all()

    @pytest.mark.parametrize(
        "operation",
        [
            "tosa.exp %x : (tensor<?x?x?xf32>)",
            "tosa.reduce_sum %x {axis = 1 : i32} : (tensor<?x?x?xf32>)",
            "tosa.reverse %x {axis = 2 : i32} : (tensor<?x?x?xf32>)",
            "tosa.concat %x, %x {axis = 1 : i32} : (tensor<?x?x?xf32>, tensor<?x?x?xf32>)",
            "tosa.transpose %x {perms = array<i32: 2, 0, 1>} : (tensor<?x?x?xf32>)",
            "tosa.matmul %x, %x, %z, %z : (tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<1xf32>, tensor<1xf32>)",
        ],
    )
    @pytest.mark.parametrize("shape", [(2, 5, 5), (3, 70, 70)])
    @pytest.mark.parametrize("second", [False, True])
    def test_what_computes_the_result(self, operation, shape, second):
        """Also where the memory is an argument's, and where another result is the same."""
        results = ", ".join(["tensor<?x?x?xf32>"] * (2 if second else 1))
        f = bl.compile(f"""func.func @main(%x: tensor<?x?x?xf32>) -> ({results}) {{
  %z = "tosa.const"() {{values = dense<0.0> : tensor<1xf32>}} : () -> tensor<1xf32>
  %y = {operation} -> tensor<?x?x?xf32>
  return {"%y, " if second else ""}%y : {results}
}}""")
        x = np.random.default_rng(1).integers(-5, 5, shape).astype(np.float32)
        expected = f(x)[0] if second else f(x)
        outputs = [
            np.zeros((*expected.shape[:2], 2 * expected.shape[2]), np.float32)[:, :, ::2],
            np.zeros(expected.shape[::-1], np.float32).transpose(),
        ]
        if expected.shape == x.shape:
            outputs.append(x[::-1])
        for out in outputs:
            results = f(x, out=(out, None) if second else out)
            assert (results[0] if second else results) is out
            np.testing.assert_array_equal(out, expected)
            if second:
                np.testing.assert_array_equal(results[1], expected)

    def test_a_refused_call_leaves_it(self):
        """A shape is known before the first result is computed, though a constant that
        stands behind it is part of it, and a rank is not (rt-1)."""
        f = bl.compile("""func.func @main(%x: tensor<*xi8>, %c: tensor<*xi1>) -> tensor<*xi8> {
  %v = tensor.cast %x : tensor<*xi8> to tensor<?xi8>
  %zero = arith.constant 0 : index
  %e = tensor.extract %v[%zero] : tensor<?xi8>
  %t = tensor.from_elements %e : tensor<1xi8>
  %r = tensor.cast %t : tensor<1xi8> to tensor<*xi8>
  %k = "tosa.const"() {values = dense<7> : tensor<1x4xi16>} : () -> tensor<1x4xi16>
  %u = tensor.cast %k : tensor<1x4xi16> to tensor<*xi16>
  %s = tosa.select %c, %u, %u : (tensor<*xi1>, tensor<*xi16>, tensor<*xi16>) -> tensor<?x?xi16>
  %n = tosa.const_shape {values = dense<[2, 4]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %w = tosa.reshape %s, %n : (tensor<?x?xi16>, !tosa.shape<2>) -> tensor<?x?xi16>
  return %r : tensor<*xi8>
}""")
        x, out = np.array([5], np.int8), np.array([9], np.int8)
        with pytest.raises(bl.ShapeError, match="the input 1x4 has 4 elements but the new shape 2x4 has 8"):
            f(x, np.ones((1, 1), bool), out=out)
        assert out == 9
        assert f(x, np.ones((2, 1), bool), out=out) is out and out == 5

    def test_it_may_be_an_argument(self, add):
        a = np.arange(4, dtype=np.float32).reshape(2, 2)
        expected = a + a.T
        add(a, a.T, out=a)
        np.testing.assert_array_equal(a, expected)

    def test_the_next_call_has_fresh_memory(self, add):
        a, out = np.ones((2, 2), np.float32), np.zeros((2, 2), np.float32)
        add(a, a, out=out)
        assert add(a, 3 * a) is not out
        assert (out == 2).all()

    def test_none_is_fresh_memory(self, add):
        a = np.ones((2, 2), np.float32)
        assert (add(a, a, out=None) == 2).all()

    def test_what_cannot_be_written_to(self, add):
        a = np.ones((2, 2), np.float32)
        frozen = np.zeros((2, 2), np.float32)
        frozen.flags.writeable = False
        with pytest.raises(ValueError, match="out is read-only; a result cannot be written"):
            add(a, a, out=frozen)
        record = np.zeros((2, 2), [("head", "u1"), ("value", "f4")])["value"]
        for odd in (record, memoryview(record)):
            with pytest.raises(ValueError, match="no multiples of its element's size"):
                add(a, a, out=odd)
        with pytest.raises(TypeError, match="out has element type f64, but result 0 has f32"):
            add(a, a, out=np.zeros((2, 2)))
        with pytest.raises(bl.ShapeError, match="has shape 3x2, the result has shape 2x2"):
            add(a, a, out=np.zeros((3, 2), np.float32))
        with pytest.raises(ValueError):
            add(a, a, out=np.broadcast_to(np.zeros(2, np.float32), (2, 2)))
        shared = np.lib.stride_tricks.as_strided(np.zeros(2, np.float32), (2, 2), (0, 4))
        with pytest.raises(ValueError, match=r"share memory|same memory|overlap"):
            add(a, a, out=shared)
        with pytest.raises(TypeError, match="out is a number"):
            add(a, a, out=3)
        assert (add(a, a) == 2).all()
