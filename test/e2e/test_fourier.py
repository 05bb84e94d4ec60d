"""fft2d and rfft2d against NumPy, with open extents too."""

import broadloom
import numpy as np
import pytest
from broadloom import DONE
from element_types import FLOATS, SMALL_FLOATS, TYPES

SHAPES = [(1, 1, 1), (2, 4, 8), (1, 16, 2), (1, 1, 64)]


def transform(tmp_path, operation, attributes, inputs, columns, isOpen, kind="f32"):
    count, rows, _ = inputs[0].shape
    tensor = lambda *shape: f"tensor<{'x'.join(['?'] * 3 if isOpen else map(str, shape))}x{kind}>"
    given, result = tensor(*inputs[0].shape), tensor(count, rows, columns)
    names = [f"%a{i}" for i in range(len(inputs))]
    text = (
        f"func.func @f({', '.join(f'{name}: {given}' for name in names)}) -> ({result}, {result}) {{\n"
        f"%r, %i = tosa.{operation} {', '.join(names)}{attributes} : ({', '.join([given] * len(inputs))}) -> "
        f"({result}, {result})\nreturn %r, %i : {result}, {result}\n}}\n"
    )
    outcome, found = broadloom.run(tmp_path, text, inputs, [TYPES[kind]] * 2)
    assert outcome.status == DONE, outcome.error
    return found[0].astype(np.float64) + 1j * found[1].astype(np.float64)


def check(found, expected, image):
    """img-2, and one rounding to f32."""
    assert found.shape == expected.shape
    size = np.abs(image.real).sum(axis=(1, 2)) + np.abs(image.imag).sum(axis=(1, 2))
    off = (2 * sum(image.shape[1:]) + 32) * 2.0**-53 * size[:, None, None]
    for is_, should in ((found.real, expected.real), (found.imag, expected.imag)):
        rounding = np.spacing(np.abs(should).astype(np.float32)).astype(np.float64) / 2
        assert np.all(np.abs(is_ - should) <= off + rounding)


@pytest.mark.parametrize("isOpen", [False, True])
@pytest.mark.parametrize("shape", SHAPES)
def test_fourier(tmp_path, shape, isOpen):
    random = np.random.default_rng(3)
    real, imaginary = (random.standard_normal(shape).astype(np.float32) for _ in range(2))
    value = real.astype(np.float64) + 1j * imaginary
    columns = shape[2]
    found = transform(tmp_path, "fft2d", " {inverse = false}", [real, imaginary], columns, isOpen)
    check(found, np.fft.fft2(value), value)
    found = transform(tmp_path, "fft2d", " {inverse = true}", [real, imaginary], columns, isOpen)
    # TOSA does not divide.
    check(found, np.fft.ifft2(value) * shape[1] * shape[2], value)
    found = transform(tmp_path, "rfft2d", "", [real], columns // 2 + 1, isOpen)
    check(found, np.fft.rfft2(real.astype(np.float64)), real.astype(np.complex128))


@pytest.mark.parametrize("isOpen", [False, True])
@pytest.mark.parametrize("kind", FLOATS + SMALL_FLOATS)
def test_all_types_are_rounded_once(tmp_path, kind, isOpen):
    """Sums of whole numbers by quarters of a turn are whole numbers."""
    shape, dtype = (2, 4, 2), TYPES[kind].dtype
    random = np.random.default_rng(5)
    real, imaginary = (random.integers(-9, 9, shape).astype(np.float64).astype(dtype) for _ in range(2))
    value = real.astype(np.float64) + 1j * imaginary.astype(np.float64)
    whole = lambda values: np.rint(values).astype(np.float64).astype(dtype).astype(np.float64)

    def check(found, expected):
        np.testing.assert_array_equal(found.real, whole(expected.real))
        np.testing.assert_array_equal(found.imag, whole(expected.imag))

    check(transform(tmp_path, "fft2d", " {inverse = false}", [real, imaginary], 2, isOpen, kind), np.fft.fft2(value))
    check(transform(tmp_path, "rfft2d", "", [real], 2, isOpen, kind), np.fft.rfft2(value.real))


def test_halves_of_a_turn_are_exact(tmp_path):
    """A real signal has no imaginary part at frequency 0 and at the highest."""
    real = np.random.default_rng(4).standard_normal((1, 4, 16)).astype(np.float32)
    found = transform(tmp_path, "rfft2d", "", [real], 9, False)
    for row in (0, 2):
        for column in (0, 8):
            assert found[0, row, column].imag == 0


@pytest.mark.parametrize("kind", ["f32", "f64"])
@pytest.mark.parametrize("shape", [(3, 2, 16), (1, 64, 4), (1, 8, 128)])
def test_types_change_no_bit(tmp_path, shape, kind):
    """Sines of a static number of elements are those of an open one (bcast-7)."""
    random = np.random.default_rng(7)
    real, imaginary = (random.standard_normal(shape).astype(TYPES[kind].dtype) for _ in range(2))
    for operation, attributes, inputs, columns in (
        ("fft2d", " {inverse = false}", [real, imaginary], shape[2]),
        ("rfft2d", "", [real], shape[2] // 2 + 1),
    ):
        static, dynamic = (
            transform(tmp_path, operation, attributes, inputs, columns, isOpen, kind) for isOpen in (False, True)
        )
        np.testing.assert_array_equal(static.view(np.uint64), dynamic.view(np.uint64))
