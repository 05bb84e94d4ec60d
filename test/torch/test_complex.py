"""Complex numbers and Fourier transforms, against eager mode: from one compilation, of all extents."""

import broadloom as bl
import pytest
import torch
from exports import raised
from test_counted import compile_for

WINDOW = torch.hann_window(8)


def turn(x):
    """Rotary embeddings as Llama's first code has them."""
    angles = torch.outer(torch.arange(x.shape[0]).float(), torch.tensor([1.0, 0.1]))
    turned = torch.view_as_complex(torch.stack([x[:, :2], x[:, 2:4]], -1)) * torch.polar(
        torch.ones_like(angles), angles
    )
    return torch.view_as_real(turned).flatten(1)


def numbers(x):
    z = torch.complex(x, x * 2 - 1)
    w = (z * z + 2 * z - z.conj() / 3) / (z + 5j)
    return w.real, w.imag, w.abs(), (w * 1j).angle().cos(), torch.view_as_real(w.exp()), (1 / (z + 3)).real


CASES = {
    "numbers": numbers,
    "products": lambda x: torch.view_as_real(torch.complex(x, -x) @ torch.complex(x.t(), x.t() + 1)),
    "moves": lambda x: torch.view_as_real(torch.cat([torch.complex(x, -x)[:, 1:].t(), torch.complex(x, x)[:, 1:].t()])),
    "sums": lambda x: torch.view_as_real(torch.complex(x, -x).sum(0) + 1 - 2j),
    "rotary": turn,
    "rfft": lambda x: (torch.fft.rfft(x).abs(), torch.fft.rfft(x, norm="ortho").imag, torch.fft.rfft(x, dim=0).real),
    "rfft of a length": lambda x: torch.fft.rfft(x, n=7).abs(),
    "irfft": lambda x: (torch.fft.irfft(torch.fft.rfft(x), n=x.shape[1]), torch.fft.irfft(torch.complex(x, -x), n=9)),
    "fft": lambda x: torch.view_as_real(torch.fft.fft(x) + torch.fft.ifft(torch.complex(x, x), norm="forward")),
    "fft2": lambda x: (torch.fft.fft2(x).real, torch.fft.ifft2(torch.complex(x, x)).imag, torch.fft.rfft2(x).abs()),
    "irfft2": lambda x: torch.fft.irfft2(torch.complex(x, -x), s=(x.shape[0], 6)),
    "long fft": lambda x: torch.fft.rfft(x.repeat(1, 3), n=120).abs(),
    "complex result": lambda x: (torch.complex(x, -x), torch.fft.rfft(x)),
    "double": lambda x: torch.fft.fft(x.double()).abs(),
}
#: Whether an axis is cut or filled up is a branch of PyTorch's, and a transform of one element is another one.
DECIDED = ("rfft", "rfft of a length", "irfft", "irfft2")
SHAPES = ((3, 4), (5, 7), (1, 4), (2, 12), (4, 5))


@pytest.mark.parametrize("name", CASES)
def test_open_extents(name):
    function = CASES[name]
    f = compile_for(function, torch.randn(3, 4))
    for shape in SHAPES:
        x = torch.randn(shape)
        try:
            got = f(x)
        except bl.ShapeError as error:
            # PyTorch has decided something by the example.
            assert name in DECIDED and shape != SHAPES[0]
            assert any(text in str(error) for text in ("what was traced holds", "is at most", "the function takes"))
        else:
            torch.testing.assert_close(got, function(x), atol=2e-5, rtol=2e-5)


@pytest.mark.parametrize("shape", ((3, 4), (1, 4), (2, 5)))
@pytest.mark.parametrize("name", CASES)
def test_known_extents(name, shape):
    x, function = torch.randn(shape), CASES[name]
    got = compile_for(function, x, is_open=False)(x)
    torch.testing.assert_close(got, function(x), atol=2e-5, rtol=2e-5)


@pytest.mark.parametrize("count", (1, 2, 31, 64, 97, 400))
def test_lengths(count):
    function = lambda x: (torch.fft.rfft(x).abs(), torch.fft.irfft(torch.fft.rfft(x), n=x.shape[0]))
    x = torch.randn(count)
    torch.testing.assert_close(compile_for(function, x, is_open=False)(x), function(x), atol=1e-4, rtol=1e-4)


def test_windows():
    def function(x):
        spectrum = torch.stft(x, 8, 2, window=WINDOW, return_complex=True)
        return spectrum.abs(), torch.istft(spectrum * 0.5, 8, 2, window=WINDOW)

    exported = torch.export.export(Wave(function), (torch.randn(2, 32),), dynamic_shapes=({0: torch.export.Dim.AUTO},))
    f = bl.from_torch(exported)
    for rows in (2, 3, 5):
        x = torch.randn(rows, 32)
        torch.testing.assert_close(f(x), function(x), atol=1e-5, rtol=1e-5)


class Wave(torch.nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, x):
        return self.function(x)


class Filter(torch.nn.Module):
    """Weights that are complex numbers, as those of spectral layers."""

    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.randn(9, dtype=torch.complex64))

    def forward(self, x, z):
        return torch.fft.irfft(torch.fft.rfft(x, n=16) * self.weight, n=16), z * 2 + self.weight[:4], z.abs()


@pytest.mark.parametrize("weights", ("shared", "constant"))
def test_weights_and_arguments(weights):
    module = Filter().eval()
    auto = torch.export.Dim.AUTO
    inputs = torch.randn(3, 16), torch.randn(3, 4, dtype=torch.complex64)
    f = bl.from_torch(torch.export.export(module, inputs, dynamic_shapes=({0: auto}, {0: auto})), weights=weights)
    for rows in (3, 2, 5):
        x, z = torch.randn(rows, 16), torch.randn(rows, 4, dtype=torch.complex64).conj()
        torch.testing.assert_close(f(x, z), module(x, z), atol=1e-5, rtol=1e-5)


def test_compiled(backend, compilations):
    function = lambda x: torch.fft.irfft(torch.fft.rfft(x) * 2, n=x.shape[1]) + x
    f = torch.compile(function, backend=backend, dynamic=True)
    for shape in ((3, 8), (5, 7), (2, 12)):
        x = torch.randn(shape)
        torch.testing.assert_close(f(x), function(x), atol=1e-5, rtol=1e-5)
    assert len(compilations) == 1


def test_of_nothing():
    f = compile_for(lambda x: torch.fft.rfft(x).abs(), torch.randn(3, 4))
    message = raised(lambda: f(torch.randn(3, 0)), bl.ShapeError)
    assert "a Fourier transform is of at least 1 element, but there are 0" in message
