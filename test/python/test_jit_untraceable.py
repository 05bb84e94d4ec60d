"""Tests what bl.jit cannot trace, and errors with the line that they come from."""

import broadloom as bl
import numpy as np
import pytest
from jit_comparison import compare

UNTRACEABLE = [
    (lambda x: x if x.sum() > 0 else -x, "a decision by an array's values cannot be traced.*np.where"),
    (lambda x: x * float(x[0]), "a number of Python's from an array cannot be traced"),
    (lambda x: x.item(), r"item\(\) cannot be traced"),
    (lambda x: x.tolist(), r"tolist\(\) cannot be traced"),
    (lambda x: [y for y in x], "a loop over an axis cannot be traced"),
    (lambda x: len(x), r"len\(\) cannot be traced; use x.shape"),
    (lambda x: 1.0 in x, "'in' cannot be traced"),
    (lambda x, asarray=np.asarray: asarray(x).sum(), "an array of NumPy's from an array"),
    (lambda x, array=np.array: array([x, x]), "an array of NumPy's from an array.*np.stack for a list"),
    (lambda x, zeros=np.zeros: zeros(x.shape), "an extent as a number of Python's.*np.zeros"),
    (lambda x: x[x[0] > 0], "an index of bool without axes cannot be traced; use np.where"),
    (lambda x: np.add(x, 1, out=x), "out= of 'add' cannot be traced"),
    (lambda x: np.add(x, 1, where=x > 0), "where= of 'add' cannot be traced"),
    (lambda x: np.hypot.accumulate(x), "'hypot.accumulate' cannot be traced"),
    (lambda x: np.polyfit(x, x, 1), "'numpy.polyfit' is not supported under bl.jit; help.broadloom.jit. lists what is"),
    (lambda x: np.linalg.eig(x), "np.linalg.eig cannot be traced; eigenvalues of general matrices are complex"),
    (lambda x: np.frexp(x), "'frexp' is not supported under bl.jit"),
    (lambda x: x.view("i4"), "the method 'view' cannot be traced"),
    (lambda x: np.squeeze(x), "np.squeeze without an axis cannot be traced"),
    (lambda x: x if x.shape[0] > 3 else -x, r"a decision by an extent cannot be traced; .*np.where\(n > 1, a, b\)"),
    (lambda x: [x * i for i in range(x.shape[0])], "an extent as a number of Python's cannot be traced"),
    (lambda x: x if x.shape[0] else -x, "a decision by an extent cannot be traced"),
    (lambda x: np.roll(x, x.sum()), "np.roll by an array cannot be traced"),
    (lambda x: x[x.sum() :], "a slice whose ends are no numbers cannot be traced"),
    (
        lambda x: x * 1j,
        "complex numbers have no element type in programs; compute with real and imaginary parts",
    ),
    (lambda x: np.abs(np.fft.rfft(x)), "np.fft.rfft cannot be traced; complex numbers have no element type"),
    (lambda x: np.argmax(x, axis=0, out=x), "unexpected keyword argument 'out'.*under bl.jit"),
    (lambda x: x.astype(complex), "arrays of NumPy's type complex128 cannot be computed with; complex numbers have no"),
]


@pytest.mark.parametrize("function, message", UNTRACEABLE)
def test_what_cannot_be_traced(function, message):
    line = function.__code__.co_firstlineno
    with pytest.raises(TypeError, match=rf"test_jit_untraceable.py:{line}:\d+: .*{message}"):
        bl.jit(function)(np.ones(4))


def test_writes():
    def write(x):
        x += 1
        return x

    def shared(x):
        y = x * 2
        z = y.reshape(-1)
        y += 1
        return z

    def view(x):
        y = x[1:]
        y *= 2
        return y

    for function, message in [
        (write, "a write to an argument cannot be traced"),
        (shared, "a write to an array that shares elements"),
        (view, "a write to an array that shares elements"),
    ]:
        with pytest.raises(bl.TraceError, match=message):
            bl.jit(function)(np.ones(4))

    def fresh(x, y):
        a = x * 2
        b = a
        a += y
        a **= 2
        return b

    compare(fresh, np.ones((3, 4), "f4"), np.arange(4.0))
    with pytest.raises(TypeError, match="a result of float64 cannot be written to an array of int32"):
        bl.jit(fresh)(np.ones((3, 4), "i4"), np.arange(4.0))
    with pytest.raises(ValueError, match="a result of 2 axes cannot be written"):
        bl.jit(fresh)(np.ones(4), np.ones((3, 4)))
    with pytest.raises(bl.ShapeError, match="axis 0 has extent 3, but 1 is needed"):
        bl.jit(fresh)(np.ones((1, 4)), np.ones((3, 4)))


def test_errors_have_the_line():
    f = bl.jit(lambda x, y: x + y)
    line = test_errors_have_the_line.__code__.co_firstlineno + 1
    with pytest.raises(bl.ShapeError, match=rf"test_jit_untraceable.py:{line}:\d+: 'numpy.add'") as caught:
        f(np.ones((2, 3)), np.ones((2, 2)))
    assert caught.value.operation == "numpy.add" and caught.value.axis == 1
    with pytest.raises(bl.ShapeError, match=r"'numpy.max': zero-size array"):
        bl.jit(lambda x: np.max(x))(np.ones(0))
    assert bl.jit(lambda x: np.max(x, axis=1))(np.ones((0, 3))).shape == (0,)
    with pytest.raises(bl.ShapeError, match=r"'numpy.reshape'"):
        bl.jit(lambda x: x.reshape(3, 3))(np.ones(4))
    with pytest.raises(bl.ShapeError, match=r"'numpy.getitem'"):
        bl.jit(lambda x: x[7])(np.ones(4))
    with pytest.raises(bl.ShapeError, match=r"'numpy.take'|'take'"):
        bl.jit(lambda x, i: np.take(x, i, 0))(np.ones(4), np.array([4]))
    with pytest.raises(IndexError, match=r"test_jit_untraceable.py.*too many indices for array"):
        bl.jit(lambda x: x[0, 0])(np.ones(4))
    with pytest.raises(ValueError, match=r"test_jit_untraceable.py.*axis 3 is out of bounds for array of dimension 1"):
        bl.jit(lambda x: np.sum(x, axis=3))(np.ones(4))
    with pytest.raises(TypeError, match="numpy boolean subtract"):
        bl.jit(lambda x: x - x)(np.ones(4, bool))
    with pytest.raises(OverflowError, match="300 is outside the range of ui8"):
        bl.jit(lambda x: x + 300)(np.ones(4, "u1"))
