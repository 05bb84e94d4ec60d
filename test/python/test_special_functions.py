"""Special functions against mpmath: in f64 within so many units, in f32 rounded."""

import broadloom as bl
import mpmath
import numpy as np
import pytest
from broadloom import _program as program
from broadloom._tensors import _bessel, _special
from built_programs import run

mpmath.mp.dps = 40
RANDOM = np.random.default_rng(0)
WIDE = np.concatenate([10 ** RANDOM.uniform(-8, 2.5, 60), RANDOM.uniform(0, 12, 60), 1 + RANDOM.normal(size=20) / 1e3])
LEFT = -RANDOM.uniform(0, 20, 60)
AROUND = np.concatenate([RANDOM.uniform(-30, 30, 80), RANDOM.normal(size=40)])
SHARES = np.concatenate([10 ** RANDOM.uniform(-30, 0, 60), RANDOM.uniform(0, 1, 60)])


def _log_normal(x):
    return mpmath.log(mpmath.erfc(-x / mpmath.sqrt(2)) / 2)


def _quantile(p):
    start = -mpmath.sqrt(2) * mpmath.erfinv(1 - 2 * p)
    return mpmath.findroot(lambda x: _log_normal(x) - mpmath.log(p), start if mpmath.isfinite(start) else -12)


# What is computed, what it is, where, the units in the last place in f64, and from which size on an error is relative.
CASES = {
    "lgamma": (_special.lgamma, mpmath.loggamma, WIDE, 4, 0),
    "lgamma of negative numbers": (_special.lgamma, lambda x: mpmath.re(mpmath.loggamma(x)), LEFT, 16, 1),
    "digamma": (_special.digamma, mpmath.digamma, WIDE, 24, 1),
    "digamma of negative numbers": (_special.digamma, mpmath.digamma, LEFT, 32, 1),
    **{
        f"polygamma {n}": (lambda x, n=n: _special.polygamma(n, x), lambda x, n=n: mpmath.psi(n, x), WIDE, 16, 0)
        for n in (1, 2, 5)
    },
    "trigamma of negative numbers": (lambda x: _special.polygamma(1, x), lambda x: mpmath.psi(1, x), LEFT, 32, 1),
    "zeta": (
        lambda x: _special.zeta(x, program.add(program.multiply(x, 0.0), 1.25)),
        lambda x: mpmath.zeta(x, mpmath.mpf(1.25)),
        1.001 + WIDE[60:120], 16, 0,
    ),
    "erfc": (_special.erfc, mpmath.erfc, AROUND[np.abs(AROUND) < 26], 8, 0),
    "erfcx": (_special.erfcx, lambda x: mpmath.exp(x * x) * mpmath.erfc(x), np.concatenate([AROUND[AROUND > -20], WIDE]), 12, 0),
    "erfinv": (_special.erfinv, mpmath.erfinv, np.concatenate([SHARES[60:], -SHARES, 1 - SHARES[SHARES > 1e-14]]), 8, 0),
    "ndtr": (_special.ndtr, mpmath.ncdf, AROUND, 12, 0),
    "ndtri": (_special.ndtri, _quantile, SHARES, 12, 0),
    "log_ndtr": (_special.log_ndtr, _log_normal, AROUND[AROUND < 10], 12, 0),
    **{f"i{n}": (_bessel.BESSEL[f"i{n}"], lambda x, n=n: mpmath.besseli(n, x), AROUND, 24, 0) for n in (0, 1)},
    **{
        f"i{n}e": (_bessel.BESSEL[f"i{n}e"], lambda x, n=n: mpmath.besseli(n, x) * mpmath.exp(-abs(x)), AROUND, 24, 0)
        for n in (0, 1)
    },
    **{f"j{n}": (_bessel.BESSEL[f"bessel_j{n}"], lambda x, n=n: mpmath.besselj(n, x), AROUND, 24, 1) for n in (0, 1)},
    **{f"y{n}": (_bessel.BESSEL[f"bessel_y{n}"], lambda x, n=n: mpmath.bessely(n, x), np.abs(AROUND), 24, 1) for n in (0, 1)},
    **{
        f"k{n}": (_bessel.BESSEL[f"modified_bessel_k{n}"], lambda x, n=n: mpmath.besselk(n, x), np.abs(AROUND), 24, 0)
        for n in (0, 1)
    },
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_values(name):
    function, exact, points, units, least = CASES[name]
    short = points.astype(np.float32)
    wide, narrow = run(lambda x, y: (function(x), function(y)), points, short)
    assert wide.dtype == np.float64 and narrow.dtype == np.float32
    for given, got, limit, epsilon in ((points, wide, units, 2.0**-52), (short, narrow, 1, 2.0**-23)):
        for x, y in zip(given, got):
            wanted = exact(mpmath.mpf(float(x)))
            if abs(wanted) > float(np.finfo(got.dtype).max):
                assert y == np.sign(float(mpmath.sign(wanted))) * np.inf
                continue
            size = max(abs(wanted), least, mpmath.mpf(float(np.finfo(got.dtype).tiny)))
            assert abs(mpmath.mpf(float(y)) - wanted) <= limit * epsilon * size, (name, x, y, wanted)


ENDS = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, -1.0, 1.0, 2.0])
INF, NAN = np.inf, np.nan


@pytest.mark.parametrize(
    "function, wanted",
    [
        (_special.lgamma, [INF, INF, INF, INF, NAN, INF, 0, 0]),
        (_special.digamma, [-INF, INF, INF, NAN, NAN, NAN, -0.5772156649015329, 0.42278433509846713]),
        (_special.erfc, [1, 1, 0, 2, NAN, 1.8427007929497148, 0.15729920705028513, 0.004677734981047266]),
        (_special.erfinv, [0, -0.0, NAN, NAN, NAN, -INF, INF, NAN]),
        (_special.ndtri, [-INF, -INF, NAN, NAN, NAN, NAN, INF, NAN]),
        (_bessel.BESSEL["i0"], [1, 1, INF, INF, NAN, 1.2660658777520084, 1.2660658777520084, 2.2795853023360673]),
        (_bessel.BESSEL["bessel_y0"], [-INF, -INF, 0, NAN, NAN, NAN, 0.08825696421567697, 0.5103756726497451]),
        (_bessel.BESSEL["modified_bessel_k1"], [INF, INF, 0, NAN, NAN, NAN, 0.6019072301972346, 0.13986588181652243]),
        (lambda x: _special.polygamma(1, x), [INF, INF, 0, NAN, NAN, INF, 1.6449340668482264, 0.6449340668482264]),
    ],
)
def test_ends(function, wanted):
    np.testing.assert_allclose(run(function, ENDS), wanted, rtol=1e-14, atol=0)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_next_numbers(dtype):
    edges = np.array([0, -0.0, 1, -1, np.inf, -np.inf, np.nan, 1e-7, -1e-7, np.finfo(dtype).max], dtype)
    x, y = np.meshgrid(edges, edges)
    found = run(program.nextafter, x, y)
    with np.errstate(over="ignore"):
        wanted = np.nextafter(x, y)
    np.testing.assert_array_equal(found, wanted)
    # NumPy's f16 keeps the sign of a zero, where C says that y is the result.
    is_told = np.full(x.shape, True) if dtype != "float16" else (x != 0) | (y != 0)
    np.testing.assert_array_equal(np.signbit(found)[is_told], np.signbit(wanted)[is_told])


def test_functions_of_numpy():
    x = np.linspace(-9, 9, 50).reshape(5, 10)
    f = bl.jit(lambda x, y: (np.i0(x), np.nextafter(x, y), np.i0(x.astype(np.float32))))
    for n in (5, 0, 1):
        zero, after, short = f(x[:n], -x[:n])
        np.testing.assert_allclose(zero, np.i0(x[:n]), rtol=1e-14)
        np.testing.assert_array_equal(after, np.nextafter(x[:n], -x[:n]))
        assert short.dtype == np.float32


@pytest.mark.parametrize("name", _special.POLYNOMIALS)
def test_polynomials(name):
    x = np.linspace(-1.5, 1.5, 31)
    for degree, coefficients in ((-1, [0.0]), (0, [1.0]), (1, None), (5, None)):
        got = run(lambda x, degree=degree: _special.polynomial(name, degree, x), x)
        if coefficients is not None:
            np.testing.assert_array_equal(got, np.full_like(x, coefficients[0]))
            continue
        basis = {
            "chebyshev_polynomial_t": np.polynomial.Chebyshev, "hermite_polynomial_h": np.polynomial.Hermite,
            "hermite_polynomial_he": np.polynomial.HermiteE, "legendre_polynomial_p": np.polynomial.Legendre,
            "laguerre_polynomial_l": np.polynomial.Laguerre,
        }.get(name)  # fmt: skip
        if basis is not None:
            np.testing.assert_allclose(got, basis.basis(degree)(x), rtol=1e-13, atol=1e-13)
            continue
        angle = np.arccos(x[np.abs(x) < 1])
        inner = got[np.abs(x) < 1]
        wanted = {
            "u": lambda n, a: np.sin((n + 1) * a) / np.sin(a),
            "v": lambda n, a: np.cos((n + 0.5) * a) / np.cos(a / 2),
            "w": lambda n, a: np.sin((n + 0.5) * a) / np.sin(a / 2),
        }[name[-1]](degree, angle)
        np.testing.assert_allclose(inner, wanted, rtol=1e-12, atol=1e-12)
