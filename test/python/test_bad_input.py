"""What is no argument is an exception of the right type."""

import broadloom as bl
import numpy as np
import pytest
from conftest import double

ONE = np.ones((2, 2), np.float32)


@pytest.mark.parametrize(
    "value, kind, message",
    [
        (None, TypeError, "argument 1 is of type NoneType; give an array"),
        ("text", TypeError, "argument 1 is of type str"),
        ([[1.0]], TypeError, "argument 1 is of type list"),
        ((x for x in [1]), TypeError, "argument 1 is of type generator"),
        (b"bytes", TypeError, "argument 1 is of type bytes"),
        (ONE.astype(object), TypeError, "argument 1 has element type object"),
        (ONE.astype("U3"), TypeError, "argument 1 has element type <U3"),
        (ONE.astype("M8[s]"), TypeError, r"argument 1 has element type datetime64\[s\]"),
        (ONE.astype(complex), TypeError, "element type complex128, which no tensor has"),
        (ONE.astype(">f4"), TypeError, "whose bytes are not in this machine's order"),
        (ONE.astype(np.float64), TypeError, "argument 1 has element type f64 but the function"),
        (2j, TypeError, "argument 1 is of type complex"),
        (np.ones(3, np.float32), bl.ShapeError, "argument 1 has shape 3 but the function takes"),
        (1.0, bl.ShapeError, "argument 1 has shape"),
        (np.ones((3, 2), np.float32), bl.ShapeError, "extents 2 and 3"),
    ],
)
def test_arguments(add, value, kind, message):
    with pytest.raises(kind, match=message):
        add(ONE, value)
    assert (add(ONE, ONE) == 2).all()


def test_numbers_that_are_too_large():
    with pytest.raises((OverflowError, ValueError)):
        bl.compile(double("i8"))(1000)


def test_their_number(add):
    with pytest.raises(TypeError, match="1 argument is given, but 'main' takes 2 arguments"):
        add(ONE)
    with pytest.raises(TypeError, match="3 arguments are given"):
        add(ONE, ONE, ONE)
    with pytest.raises(TypeError, match="no arguments"):
        add()


def test_keywords(add):
    with pytest.raises(TypeError, match="no keyword argument 'oud'; did you mean 'out'?"):
        add(ONE, ONE, oud=ONE)


def test_too_many_axes():
    f = bl.compile(double("f32"))
    assert f(np.ones((1,) * 32, np.float32)).ndim == 32
    with pytest.raises(ValueError, match="argument 0 has 33 axes; a tensor has at most 32"):
        f(np.ones((1,) * 33, np.float32))


def test_memory_that_is_not_there():
    f = bl.compile(
        "func.func @main(%a: tensor<?x1xf32>, %b: tensor<1x?xf32>) -> tensor<?x?xf32> {\n"
        "  %r = tosa.add %a, %b : (tensor<?x1xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>\n"
        "  return %r : tensor<?x?xf32>\n}"
    )
    zero = np.zeros(1, np.float32)
    column, row = np.broadcast_to(zero, (1 << 30, 1)), np.broadcast_to(zero, (1, 1 << 30))
    with pytest.raises(MemoryError, match="no memory for a tensor of shape 1073741824x1073741824"):
        f(column, row)


def test_functions_are_not_made_by_hand():
    with pytest.raises(TypeError):
        bl.Function()
