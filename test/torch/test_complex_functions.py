"""Functions, choices and products of complex numbers, against eager mode in double precision."""

import math

import pytest
import torch
from test_counted import compile_for

#: Parts of numbers, each with each: zeros of both signs, cuts, small and large ones.
PARTS = [0.0, -0.0, 1.0, -1.0, 0.5, -2.0, 1e-4, -3e4, 17.0, 25.0, -40.0]
FUNCTIONS = {
    name: getattr(torch, name)
    for name in (
        "log log2 log10 log1p sqrt rsqrt square exp exp2 expm1 sin cos tan sinh cosh tanh sigmoid sgn reciprocal isnan "
        "isinf isfinite"
    ).split()
} | {
    "cube": lambda z: z**3,
    "inverse square": lambda z: z**-2,
    "root by a power": lambda z: z**0.5,
    "power": lambda z: z ** (0.3 - 0.2j),
    "power of a number": lambda z: 2.0 ** (z / 8),
}
#: What is as far from the numbers that f32 has as rounding takes them.
TOLERANCES = {torch.complex64: 2e-6, torch.complex128: 1e-12}


def grid(dtype):
    real, imaginary = torch.meshgrid(*(torch.tensor(PARTS, dtype=torch.float64),) * 2, indexing="ij")
    return torch.complex(real, imaginary).to(dtype)


def assert_near(got, expected, tolerance):
    """Both are infinite or no numbers at the same places, and elsewhere near each other as numbers of the plane."""
    assert got.dtype == expected.dtype and got.shape == expected.shape
    if not expected.is_complex():
        torch.testing.assert_close(got, expected)
        return
    plain = torch.isfinite(torch.view_as_real(expected)).all(-1)
    found = torch.isfinite(torch.view_as_real(got)).all(-1)
    assert torch.equal(found, plain), (got[found != plain], expected[found != plain])
    got, expected = got[plain].to(torch.complex128), expected[plain].to(torch.complex128)
    distance = (got - expected).abs() / expected.abs().clamp(min=1e-3)
    assert distance.numel() and distance.max() < tolerance, (distance.max(), distance.argmax())


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions(name):
    function = FUNCTIONS[name]
    for dtype, tolerance in TOLERANCES.items():
        z = grid(dtype)
        f = compile_for(function, z)
        # Eager mode's own f32 is less exact.
        expected = function(z.to(torch.complex128))
        if expected.is_complex():
            expected = expected.to(dtype)
        if name == "sigmoid":
            # Eager mode overflows where the result is 0.
            expected = torch.where(expected.isnan(), 0, expected)
        assert_near(f(z), expected, tolerance)
        assert_near(f(z[:1]), expected[:1], tolerance)
        assert f(z[:, :0]).shape == (len(PARTS), 0)


CASES = {
    "choices": lambda z, w, m: (torch.where(m, z, w), torch.where(m, z, 2.0), z.masked_fill(m, 3 - 1j)),
    "comparisons": lambda z, w, m: (z == w, z != w, z == z.real, z != 0),
    "products": lambda z, w, m: (z.prod(1), z.prod(0, keepdim=True), z.prod(), torch.addcmul(z, z, w, value=2)),
    "dots": lambda z, w, m: (torch.dot(z[0], w[0]), torch.vdot(z[0], w[0]), torch.mv(z, w[0])),
    "parts": lambda z, w, m: (z[:, m[0].nonzero()[:, 0]], z.tril(), z.triu(1), z.diagonal(), z.cumsum(1), z[[0, 1, 0]]),
    "made": lambda z, w, m: (torch.zeros_like(z) + w, torch.ones_like(z) * w, torch.full_like(z, 2 - 1j), z.new_zeros(2)),
    "powers": lambda z, w, m: (z**w, z.real**w, (z * 0) ** 2),
    "added": lambda z, w, m: (z.clone().add_(w), torch.linspace(0, 1, 4) * z[0, 0]),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_open_extents(name):
    function = CASES[name]

    def inputs(a, b):
        z, w = (torch.randn(a, b, dtype=torch.complex64) for _ in range(2))
        return z, torch.where(torch.rand(a, b) > 0.5, z, w), torch.rand(a, b) > 0.5

    f = compile_for(function, *inputs(3, 4))
    for shape in ((3, 4), (5, 7), (2, 2)):
        given = inputs(*shape)
        torch.testing.assert_close(f(*given), function(*given), atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("count", (1, 2, 7, 8))
def test_frequencies(count):
    # PyTorch fixes the length.
    function = lambda x: (
        torch.fft.fftfreq(x.shape[0], 0.25),
        torch.fft.rfftfreq(x.shape[0]),
        torch.fft.fftshift(torch.fft.fft(x)).real,
    )
    x = torch.randn(count)
    torch.testing.assert_close(compile_for(function, x, is_open=False)(x), function(x))


def test_infinite_roots():
    z = torch.complex(torch.tensor([1.0, math.inf, -math.inf]), torch.tensor([math.inf, 1.0, -math.inf]))
    got, expected = compile_for(torch.sqrt, z)(z), torch.sqrt(z)
    assert torch.equal(torch.view_as_real(got)[0], torch.view_as_real(expected)[0])
