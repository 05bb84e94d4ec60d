"""Programs that remember."""

import threading

import broadloom as bl
import numpy as np
import pytest
from conftest import ADD

SUM = """
tosa.variable @sum = dense<1.0> : tensor<2xf32>
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %s = tosa.variable_read @sum : tensor<2xf32>
  %t = tosa.add %s, %a : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  tosa.variable_write @sum, %t : tensor<2xf32>
  return %t : tensor<2xf32>
}
func.func @read() -> tensor<2xf32> {
  %s = tosa.variable_read @sum : tensor<2xf32>
  return %s : tensor<2xf32>
}
"""
ONE = np.array([1, 2], np.float32)


def test_calls_remember():
    f = bl.compile(SUM)
    assert f.arguments == ("tensor<2xf32>",) and f.results == ("tensor<2xf32>",)
    np.testing.assert_array_equal(f(ONE), [2, 3])
    np.testing.assert_array_equal(f(ONE), [3, 5])
    # The functions of one program share its variables; another compilation has its own.
    np.testing.assert_array_equal(f.program["read"](), [3, 5])
    np.testing.assert_array_equal(bl.compile(SUM)(ONE), [2, 3])
    assert f.shapes(ONE) == [(2,)] and f.shapes((2,)) == [(2,)]


def test_variables_are_read_and_set():
    f = bl.compile(SUM)
    kept = f.variables
    f(ONE)
    np.testing.assert_array_equal(kept["sum"], [1, 1])
    np.testing.assert_array_equal(f.variables["sum"], [2, 3])
    f.variables = {"sum": np.arange(8, dtype=np.float32)[1::4]}
    np.testing.assert_array_equal(f(ONE), [2, 7])
    f.reset()
    np.testing.assert_array_equal(f(ONE), [2, 3])
    f.program.variables = kept
    np.testing.assert_array_equal(f.program.variables["sum"], [1, 1])


def test_what_does_not_fit():
    f = bl.compile(SUM)
    with pytest.raises(KeyError, match="no variable 'other'"):
        f.variables = {"other": ONE}
    with pytest.raises(KeyError, match="no variable 'other'"):
        f.variables = {"sum": np.zeros(2, np.float32), "other": ONE}
    np.testing.assert_array_equal(f.variables["sum"], [1, 1])
    with pytest.raises(ValueError, match=r"'sum' is tensor<2xf32>, but the value given is tensor<3xf32>"):
        f.variables = {"sum": np.zeros(3, np.float32)}
    with pytest.raises(TypeError, match="'sum' has elements of type f32, but f64 is given"):
        f.variables = {"sum": np.zeros(2, np.float64)}
    np.testing.assert_array_equal(f.variables["sum"], [1, 1])


def test_all_variables_are_set_or_none():
    f = bl.compile(
        "tosa.variable @a = dense<1.0> : tensor<2xf32>\ntosa.variable @b = dense<2.0> : tensor<2xf32>\n"
        "func.func @main() -> (tensor<2xf32>, tensor<2xf32>) {\n"
        "  %a = tosa.variable_read @a : tensor<2xf32>\n  %b = tosa.variable_read @b : tensor<2xf32>\n"
        "  return %a, %b : tensor<2xf32>, tensor<2xf32>\n}"
    )
    for wrong, kind in ((np.zeros(3, "f4"), ValueError), (np.zeros(2), TypeError), ("text", TypeError)):
        with pytest.raises(kind, match="variable 'b' "):
            f.variables = {"a": ONE * 5, "b": wrong}
        np.testing.assert_array_equal(f.variables["a"], [1, 1])
    with pytest.raises(TypeError, match="variables are set by their names, but 7 is given"):
        f.variables = {"a": ONE * 5, 7: ONE}
    np.testing.assert_array_equal(f(), [[1, 1], [2, 2]])
    f.variables = {"a": ONE * 5, "b": ONE[::-1]}
    np.testing.assert_array_equal(f(), [[5, 10], [2, 1]])


def test_programs_without_variables():
    f = bl.compile(ADD)
    assert f.variables == {}
    f.reset()
    with pytest.raises(KeyError):
        f.variables = {"sum": ONE}


def test_calls_at_the_same_time_lose_nothing():
    """Each call counts or is refused."""
    f, done = bl.compile(SUM), []

    def work():
        for _ in range(200):
            try:
                f(ONE)
                done.append(1)
            except ValueError as error:
                assert "in use by another call" in str(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    np.testing.assert_array_equal(f.variables["sum"], [1 + len(done), 1 + 2 * len(done)])


def test_numbers_are_not_converted():
    f = bl.compile(
        "tosa.variable @n = dense<1> : tensor<i8>\n"
        "func.func @main() -> tensor<i8> {\n"
        "  %n = tosa.variable_read @n : tensor<i8>\n  return %n : tensor<i8>\n}"
    )
    with pytest.raises(TypeError, match="variable 'n' is a float, but i8 takes integers"):
        f.variables = {"n": 2.5}
    # A variable has its own type alone.
    with pytest.raises(ValueError, match="variable 'n' is 200, but i8 takes numbers from -128 to 127"):
        f.variables = {"n": 200}
    f.variables = {"n": -128}
    assert f() == -128
