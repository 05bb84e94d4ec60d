"""Tensors of other libraries, in and out."""

import broadloom as bl
import ml_dtypes
import numpy as np
import pytest
from conftest import double


class Versioned:
    """Gives tensors as a library of today does."""

    def __init__(self, array, device=(1, 0)):
        self.array, self.device, self.requested = array, device, None

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        self.requested = max_version
        return self.array.__dlpack__(max_version=max_version)

    def __dlpack_device__(self):
        return self.device


class Legacy(Versioned):
    """Gives tensors as a library does that is older than versions."""

    def __dlpack__(self, stream=None):
        return self.array.__dlpack__()


@pytest.mark.parametrize("kind", [Versioned, Legacy])
def test_arguments_without_a_copy(add, kind):
    x = np.arange(6, dtype=np.float32).reshape(2, 3)[:, ::-1]
    given = kind(x)
    np.testing.assert_array_equal(add(given, x), x + x)
    if kind is Versioned:
        assert given.requested == (1, 0)
    out = np.zeros((2, 3), np.float32)
    wrapped = kind(out)
    assert add(x, x, out=wrapped) is wrapped
    np.testing.assert_array_equal(out, x + x)


def test_read_only_memory(add):
    x = np.ones((2, 2), np.float32)
    x.flags.writeable = False
    assert (add(Versioned(x), x) == 2).all()
    with pytest.raises(ValueError, match="out is read-only"):
        add(x, x, out=Versioned(x))


def test_other_devices(add):
    x = np.ones((2, 2), np.float32)
    with pytest.raises(BufferError, match=r"argument 'b' is on device \(2, 0\) of DLPack; move it"):
        add(x, Versioned(x, device=(2, 0)))


class Negated(Versioned):
    """PyTorch's view of the negatives of what is in memory, which its capsule does not say."""

    def is_neg(self):
        return True


def test_views_that_negate(add):
    x = np.ones((2, 2), np.float32)
    message = r" is a view that negates what is in memory, which DLPack cannot say; give x.resolve_neg\(\)$"
    with pytest.raises(BufferError, match=f"^argument 'b'{message}"):
        add(x, Negated(x))
    with pytest.raises(BufferError, match=f"^out{message}"):
        add(x, x, out=Negated(x))
    with pytest.raises(BufferError, match=rf"^<lambda>\(\): argument 'x'{message}"):
        bl.jit(lambda x: x + 1)(Negated(x))


@pytest.mark.parametrize("kind", [ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn, np.float16, np.bool_, np.uint16])
def test_arguments_under_jit(kind):
    """Types that NumPy's own reader of capsules has not, and any strides."""
    x = np.array([[0, 1, 2], [3, 0, 5]]).astype(kind)
    keep = bl.jit(lambda x: (x, x.astype(np.float32) * 2))
    for given in (x, x[:, ::-1], x.T, x[:0], x[0, 1:2].reshape(())):
        same, twice = keep(bl.as_dlpack(given))
        assert same.dtype == x.dtype and same.shape == given.shape
        np.testing.assert_array_equal(same.astype("f4"), given.astype("f4"))
        np.testing.assert_array_equal(twice, given.astype("f4") * 2)
    frozen = x.copy()
    frozen.flags.writeable = False
    assert (keep(bl.as_dlpack(frozen))[0] == x).all()
    with pytest.raises(BufferError, match=r"^<lambda>\(\): argument 'x' is on device \(2, 0\) of DLPack"):
        keep(Versioned(x, device=(2, 0)))


def test_element_types_that_there_are_not(add):
    with pytest.raises(TypeError, match="elements of 64 bits with DLPack's code 5"):
        add(Versioned(np.ones((2, 2), np.complex64)), 1.0)


def test_no_capsule(add):
    class Wrong(Versioned):
        def __dlpack__(self, **words):
            return 3

    with pytest.raises(TypeError, match="argument 'a': __dlpack__ gives no DLPack capsule"):
        add(Wrong(None), 1.0)


def test_errors_of_the_other_library_are_kept(add):
    class Broken(Versioned):
        def __dlpack__(self, **words):
            raise RuntimeError("gradients")

    with pytest.raises(RuntimeError, match="gradients"):
        add(Broken(None), 1.0)


def test_results_to_other_libraries(add):
    x = np.ones((2, 3), np.float32)
    result = add(x, x)
    assert np.shares_memory(np.from_dlpack(result), result)
    exported = bl.as_dlpack(result)
    assert isinstance(exported, bl.Exported)
    assert exported.__dlpack_device__() == (1, 0)
    assert np.shares_memory(np.from_dlpack(exported), result)


@pytest.mark.parametrize("name", ["bfloat16", "float8_e4m3fn", "float8_e5m2"])
@pytest.mark.parametrize("version", [None, (1, 0), (2, 0)])
def test_types_of_ml_dtypes(name, version):
    element = {"bfloat16": "bf16", "float8_e4m3fn": "f8E4M3FN", "float8_e5m2": "f8E5M2"}[name]
    f = bl.compile(
        f"func.func @main(%a: tensor<?x{element}>) -> tensor<?xf32> {{\n"
        f"  %r = tosa.cast %a : (tensor<?x{element}>) -> tensor<?xf32>\n"
        "  return %r : tensor<?xf32>\n}"
    )
    x = np.array([1, 2, -3], getattr(ml_dtypes, name))

    class Once:
        def __dlpack__(self, max_version=None):
            return bl.as_dlpack(x).__dlpack__(max_version=version)

        def __dlpack_device__(self):
            return (1, 0)

    assert f(Once()).tolist() == [1, 2, -3]


def test_requests_that_cannot_be_met():
    x = np.ones(3, np.float32)
    with pytest.raises(BufferError, match="dl_device is"):
        bl.as_dlpack(x).__dlpack__(dl_device=(2, 0))
    with pytest.raises(BufferError, match="stream"):
        bl.as_dlpack(x).__dlpack__(stream=1)
    with pytest.raises(TypeError, match="takes a NumPy array, not list"):
        bl.as_dlpack([1])
    x.flags.writeable = False
    with pytest.raises(BufferError, match="read-only"):
        bl.as_dlpack(x).__dlpack__()
    assert not np.from_dlpack(bl.as_dlpack(x)).flags.writeable
    with pytest.raises(BufferError, match="no form in DLPack"):
        bl.as_dlpack(x.astype(complex)).__dlpack__()


def test_copies():
    x = np.ones(3, np.float32)
    copied = np.from_dlpack(_Copied(x))
    assert not np.shares_memory(copied, x) and (copied == 1).all()


def test_results_are_not_written_to_a_copy(add):
    x = np.ones((2, 2), np.float32)
    out = np.zeros((2, 2), np.float32)
    with pytest.raises(ValueError, match=r"^out gives a copy of its memory through DLPack; a res"):
        add(x, x, out=_Copied(out))
    assert (out == 0).all()
    assert (add(_Copied(x), x) == 2).all()


class _Copied:
    def __init__(self, array):
        self.exported = bl.as_dlpack(array)

    def __dlpack__(self, **words):
        return self.exported.__dlpack__(max_version=(1, 0), copy=True)

    def __dlpack_device__(self):
        return (1, 0)


def test_capsules_that_nobody_takes_give_their_array_back():
    import sys

    x = np.ones(3, np.float32)
    before = sys.getrefcount(x)
    for version in (None, (1, 0)):
        capsule = bl.as_dlpack(x).__dlpack__(max_version=version)
        assert sys.getrefcount(x) > before
        del capsule
        assert sys.getrefcount(x) == before
    f = bl.compile(double("f32"))
    for kind in (Versioned, Legacy):
        given = kind(x)
        for _ in range(3):
            f(given)
        del given
        assert sys.getrefcount(x) == before
