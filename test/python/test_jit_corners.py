"""Arguments at the edges of what NumPy's functions take under bl.jit, beside NumPy."""

import array
import copy
import ctypes
import mmap

import broadloom as bl
import numpy as np
import pytest

MATRIX = np.arange(6.0).reshape(2, 3)


def agrees(function, *arguments):
    """Whether bl.jit gives what NumPy does, in its type."""
    with np.errstate(all="ignore"):
        expected, found = np.asarray(function(*arguments)), bl.jit(function, optimise=False)(*arguments)
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("function", (np.vecdot, np.linalg.vecdot, lambda x, y: x.__array_namespace__().vecdot(x, y)))
def test_vectors_of_a_product_are_of_one_length(function):
    f = bl.jit(lambda x, y: function(x, y), optimise=False)
    x, y = np.arange(12.0).reshape(3, 4), np.ones((1, 4))
    np.testing.assert_array_equal(f(x, y), np.vecdot(x, y))
    for left, right in (((3, 1), (3, 4)), ((2, 4), (2, 1)), ((3,), (5,))):
        with pytest.raises(ValueError, match=r"test_jit_corners.py:\d+:\d+: .*elements along the axis that is summed"):
            f(np.ones(left), np.ones(right))
    with pytest.raises(ValueError, match="operand 0 has no axes, but needs one"):
        f(np.array(2.0), np.ones(3))
    # Extents that are known while it is traced.
    with pytest.raises(ValueError, match="the operands of a vecdot have 3 and 1 elements"):
        bl.jit(lambda x: function(np.stack([x, x, x]), np.stack([x])))(np.array(1.0))


def test_a_product_of_vectors_along_another_axis():
    agrees(lambda x, y: np.linalg.vecdot(x, y, axis=0), np.arange(6.0).reshape(3, 2), np.ones((3, 1)))
    agrees(lambda x, y: np.linalg.vecdot(x, y, axis=0), np.arange(6).reshape(3, 2), np.arange(3, dtype="i4"))


@pytest.mark.parametrize(
    "function",
    [
        lambda x: x[[]],
        lambda x: x[:, []],
        lambda x: x[[[]]],
        lambda x: x[[], 0],
        lambda x: np.take(x, []),
        lambda x: np.take(x, [], axis=1),
        lambda x: x.take([[], []], axis=0),
    ],
)
def test_no_indices(function):
    agrees(function, MATRIX)


@pytest.mark.parametrize(
    "function",
    [
        lambda x: x[None, [0, 1], ..., [2, 3]],
        lambda x: x[None, [0, 1, 2], ..., -1],
        lambda x: x[None, 1, ..., [[2, 3]]],
        lambda x: x[..., [0, 1], [2, 3]],
        lambda x: x[[0, 1], [2, 3], ...],
        lambda x: x[None, [0, 1], [2, 3], ...],
        lambda x: x[None, [0, 1], None, [2, 3]],
        lambda x: x[None][:, [0, 1, 2], ..., [1, 1, 3]],
        lambda x: x[None, None, ..., 1, [2, 3]],
    ],
)
def test_an_ellipsis_of_no_axes_stands_between_indices(function):
    agrees(function, np.arange(12.0).reshape(3, 4))


def test_an_array_of_floats_is_no_index():
    with pytest.raises(IndexError, match="not float64"):
        bl.jit(lambda x: x[np.array([])])(MATRIX)


@pytest.mark.parametrize(
    "given",
    [
        array.array("d", [1, 2, 3]),
        array.array("i", [1, 2, 3]),
        (ctypes.c_double * 3)(1, 2, 3),
        (ctypes.c_int * 2 * 2)((1, 2), (3, 4)),
        memoryview(b"abc"),
        bytearray(b"abc"),
    ],
    ids=lambda v: type(v).__name__,
)
def test_what_has_the_buffer_protocol_is_an_array(given):
    found = bl.jit(lambda x: x * 2)(given)
    expected = np.asarray(memoryview(given)) * 2
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(found, expected)


def test_mapped_memory_is_an_array(tmp_path):
    (tmp_path / "bytes").write_bytes(bytes(range(16)))
    with open(tmp_path / "bytes", "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        assert (bl.jit(lambda x: x + np.uint8(1))(mapped) == np.arange(1, 17)).all()


def test_buffers_of_structures_are_refused():
    class Pair(ctypes.Structure):
        _fields_ = [("a", ctypes.c_int), ("b", ctypes.c_int)]

    with pytest.raises(TypeError, match="argument 'x' has elements of NumPy's type"):
        bl.jit(lambda x: x)((Pair * 2)())
    with pytest.raises(TypeError, match="argument 'x' is a set; arguments are arrays"):
        bl.jit(lambda x: x)({1})


def test_elements_along_no_axis():
    agrees(lambda x, i: np.take_along_axis(x, i, axis=None), MATRIX, np.array([5, 0, -1]))
    with pytest.raises(ValueError, match=r"when axis=None, `indices` must have a single dimension, not 2"):
        bl.jit(lambda x, i: np.take_along_axis(x, i, axis=None))(MATRIX, np.array([[5, 0]]))


def test_differences_of_booleans():
    agrees(lambda x: np.ediff1d(x), MATRIX)
    with pytest.raises(TypeError, match=r"test_jit_corners.py:\d+:\d+: numpy boolean subtract"):
        bl.jit(lambda x: np.ediff1d(x))(np.array([True, False]))


@pytest.mark.parametrize("duplicate", (copy.copy, copy.deepcopy))
def test_copies(duplicate):
    agrees(lambda x: duplicate(x) + 1, MATRIX)
    agrees(lambda x: duplicate({"x": [x, x.shape]})["x"][0] * duplicate(x.shape[0]), MATRIX)

    def change(x):
        y = duplicate(x)
        y += 1
        return x * y

    agrees(change, MATRIX)


def test_padding_by_axis():
    f = bl.jit(lambda x, n: np.pad(x, {0: (1, 2), -1: n.shape[0]}), optimise=False)
    np.testing.assert_array_equal(f(MATRIX, np.ones(3)), np.pad(MATRIX, ((1, 2), (3, 3))))
    np.testing.assert_array_equal(
        bl.jit(lambda x: np.pad(x, {1: 1}, mode="edge"))(MATRIX), np.pad(MATRIX, ((0, 0), (1, 1)), "edge")
    )


def test_steps_of_0():
    with pytest.raises(ZeroDivisionError, match=r"test_jit_corners.py:\d+:\d+: the step of arange is 0"):
        bl.jit(lambda x: x.__array_namespace__().arange(0, 5, 0) * x)(np.ones(5))


def test_names_that_the_namespace_has_not():
    with pytest.raises(
        AttributeError, match=r"test_jit_corners.py:\d+:\d+: .* has no 'zeroes'; did you mean 'zeros'\?"
    ):
        bl.jit(lambda x: x.__array_namespace__().zeroes(3))(MATRIX)
    with pytest.raises(AttributeError, match=r"has no 'bincount'; help\(broadloom.jit\) lists what is supported"):
        bl.jit(lambda x: x.__array_namespace__().bincount(x))(MATRIX)
    # A question is no error.
    agrees(lambda x: x * hasattr(x.__array_namespace__(), "no_such"), MATRIX)


@pytest.mark.parametrize("name", ("hypot", "logaddexp", "logaddexp2", "degrees", "radians"))
def test_functions_of_several_operations_are_rounded_once(name):
    generator = np.random.default_rng(0)
    x = np.concatenate([generator.normal(size=500), generator.normal(size=500) * 3000, [65504, 6e-8]]).astype("f2")
    operands = (x, generator.permutation(x)) if getattr(np, name).nin == 2 else (x,)
    agrees(lambda *x: getattr(np, name)(*x), *operands)
    if name == "hypot":
        agrees(lambda x, y: np.hypot(x, y), np.array([65504, 300], "f2"), np.array([2048, 400], "f2"))


def test_hypot_of_a_program_is_rounded_once():
    from broadloom import _program as program

    builder = program.Builder()
    x, y = (builder.argument("f16", [None]) for _ in range(2))
    f = bl.compile(builder.finish([program.hypot(x, y)]))
    assert f(np.array([65504], "f2"), np.array([2048], "f2")).tolist() == [np.inf]


@pytest.mark.parametrize(
    "function",
    [
        lambda x: np.asarray(2.5, like=x) * x,
        lambda x: np.array(100, like=x) + x,
        lambda x: np.array(100, like=x, ndmin=1) + x,
        lambda x: np.asanyarray(True, like=x) + x,
        lambda x: np.asarray(x.shape[0], like=x) + x,
        lambda x: np.asarray(x.shape[0] / 2, like=x) * x,
        lambda x: x.__array_namespace__().asarray(2.5) * x,
    ],
)
@pytest.mark.parametrize("dtype", ["i1", "f2", "f4"])
def test_an_array_of_a_number_has_a_type_of_its_own(function, dtype):
    agrees(function, np.full(3, 100, dtype))
