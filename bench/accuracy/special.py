"""The coefficients of python/broadloom/_tensors/_special_tables.py.

Each is a polynomial of a variable in [-1, 1] that meets its function at
Chebyshev's points, in f64. Values of the functions come from mpmath.

    .venv/bin/python bench/accuracy/special.py > python/broadloom/_tensors/_special_tables.py
"""

import mpmath as mp

mp.mp.dps = 60

HEAD = '''"""Coefficients of polynomials in [-1, 1], the constant one first (bench/accuracy/special.py)."""

#: What is approximated of each name is said where it is used (_special.py).
TABLES: dict[str, tuple[float, ...]] = {'''


def interpolate(function, degree):
    """Coefficients of the polynomial of this degree that meets the function at Chebyshev's points."""
    count = degree + 1
    angles = [mp.pi * (2 * i + 1) / (2 * count) for i in range(count)]
    values = [function(mp.cos(a)) for a in angles]
    weights = [
        (1 if k == 0 else 2) * mp.fsum(v * mp.cos(k * a) for v, a in zip(values, angles)) / count for k in range(count)
    ]
    # From Chebyshev's polynomials to powers.
    total, before, last = [mp.mpf(0)] * count, [mp.mpf(0)] * count, [mp.mpf(0)] * count
    before[0], last[min(1, degree)] = mp.mpf(1), mp.mpf(1)
    for _k, weight in enumerate(weights):
        total = [t + weight * c for t, c in zip(total, before)]
        before, last = last, [2 * s - b for s, b in zip([mp.mpf(0), *last[:-1]], before)]
    return [float(c) for c in total]


def log_gamma(t):
    """log gamma(2 + z) / z, z = t / 2."""
    z = t / 2
    return mp.digamma(2) if z == 0 else mp.loggamma(2 + z) / z


def scaled_erfc(t):
    """(1 + 2 x) exp(x^2) erfc(x), x = 4 (1 + t) / (1 - t)."""
    x = 4 * (1 + t) / (1 - t)
    return (1 + 2 * x) * mp.exp(x * x) * mp.erfc(x)


def small_bessel_i(order):
    """exp(-x) I(x) / x^order, x = 4 (t + 1)."""

    def function(t):
        x = 4 * (t + 1)
        return mp.exp(-x) * mp.besseli(order, x) / x**order

    return function


def large_bessel_i(order):
    """sqrt(x) exp(-x) I(x), x = 16 / (t + 1)."""

    def function(t):
        x = 16 / (t + 1)
        return mp.sqrt(x) * mp.exp(-x) * mp.besseli(order, x)

    return function


def small_bessel_j(order):
    """J(x) / x^order, x^2 = 32 (t + 1)."""

    def function(t):
        x = mp.sqrt(32 * (t + 1))
        return mp.besselj(order, x) / x**order

    return function


def small_bessel_y(order):
    """What is left of Y without its logarithm and its pole, without factors x^order; x^2 = 32 (t + 1)."""

    def function(t):
        x = mp.sqrt(32 * (t + 1))
        rest = mp.bessely(order, x) - 2 / mp.pi * mp.log(x / 2) * mp.besselj(order, x)
        return (rest + 2 / (mp.pi * x)) / x if order else rest

    return function


def waves(order, part):
    """The parts P and x Q of J and Y, whose amplitude is sqrt(2 / (pi x)); x^2 = 128 / (t + 1)."""

    def function(t):
        x = mp.sqrt(128 / (t + 1))
        angle = x - mp.pi / 4 - order * mp.pi / 2
        scale = mp.sqrt(mp.pi * x / 2)
        j, y = scale * mp.besselj(order, x), scale * mp.bessely(order, x)
        if part == "P":
            return j * mp.cos(angle) + y * mp.sin(angle)
        return x * (y * mp.cos(angle) - j * mp.sin(angle))

    return function


def small_bessel_k(order):
    """What is left of K without its logarithm and its pole, without factors x^order; x^2 = 2 (t + 1)."""

    def function(t):
        x = mp.sqrt(2 * (t + 1))
        sign = -1 if order else 1
        rest = mp.besselk(order, x) + sign * mp.log(x / 2) * mp.besseli(order, x)
        return (rest - 1 / x) / x if order else rest

    return function


def large_bessel_k(order):
    """sqrt(x) exp(x) K(x), x = 4 / (t + 1)."""

    def function(t):
        x = 4 / (t + 1)
        return mp.sqrt(x) * mp.exp(x) * mp.besselk(order, x)

    return function


FITS = {
    "log_gamma": (log_gamma, 19),
    "scaled_erfc": (scaled_erfc, 32),
    **{f"small_i{n}": (small_bessel_i(n), 30) for n in (0, 1)},
    **{f"large_i{n}": (large_bessel_i(n), 26) for n in (0, 1)},
    **{f"small_j{n}": (small_bessel_j(n), 20) for n in (0, 1)},
    **{f"small_y{n}": (small_bessel_y(n), 20) for n in (0, 1)},
    **{f"p{n}": (waves(n, "P"), 18) for n in (0, 1)},
    **{f"q{n}": (waves(n, "Q"), 18) for n in (0, 1)},
    **{f"small_k{n}": (small_bessel_k(n), 12) for n in (0, 1)},
    **{f"large_k{n}": (large_bessel_k(n), 30) for n in (0, 1)},
}


def main():
    print(HEAD)
    for name, (function, degree) in FITS.items():
        print(f'    "{name}": (')
        for number in interpolate(function, degree):
            print(f"        {number!r},")
        print("    ),")
    print("}")


if __name__ == "__main__":
    main()
