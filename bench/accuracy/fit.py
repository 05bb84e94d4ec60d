"""The coefficients of dialect/scalar/FunctionTables.h, and how good they are.

Each is a minimax fit of the relative error: a weighted least-squares problem
whose weights grow where the error is large (Lawson's algorithm), solved again
for the coefficients that are left each time one has been rounded to f32. A
quotient is fitted as P - f Q = 0, weighted by the last Q. Values of the
functions come from mpmath.

    scripts/fit-functions
"""

import mpmath
import numpy as np

POINTS, ROUNDS = 1500, 60


def chebyshev(low, high):
    """Points of [low, high], denser towards its ends."""
    return (low + high) / 2 - (high - low) / 2 * np.cos(np.pi * (np.arange(POINTS) + 0.5) / POINTS)


def fit(columns, fixed, target, divisor):
    """Coefficients {name: value} of the columns of `columns` that are not in
    `fixed`, for the least largest |sum - target| / divisor(coefficients)."""
    free = [name for name in columns if name not in fixed]
    matrix = np.stack([columns[name] for name in free], 1)
    scale = np.abs(matrix).max(0)
    rest = target - sum(value * columns[name] for name, value in fixed.items())
    weights, last, best = np.ones(len(target)), divisor(fixed), (np.inf, {})
    for _ in range(ROUNDS):
        factor = np.sqrt(weights) / last
        found = np.linalg.lstsq(matrix / scale * factor[:, None], rest * factor, rcond=None)[0] / scale
        values = {**fixed, **dict(zip(free, found))}
        last = divisor(values)
        error = np.abs(sum(value * columns[name] for name, value in values.items()) - target) / np.abs(last)
        if error.max() < best[0]:
            best = (error.max(), values)
        weights = np.maximum(weights * error / np.mean(weights * error), 1e-12)
    return best


def roundOneByOne(columns, fixed, target, divisor, order):
    """`fit` with f32 coefficients: each is rounded and the others fitted anew."""
    ideal, _ = fit(columns, fixed, target, divisor)
    for name in order:
        if name not in fixed:
            fixed = {**fixed, name: float(np.float32(fit(columns, fixed, target, divisor)[1][name]))}
    error = np.abs(sum(value * columns[name] for name, value in fixed.items()) - target) / np.abs(divisor(fixed))
    return ideal, error.max(), fixed


def polynomial(title, function, low, high, degree, fixed):
    """function(x) ~ c0 + c1 x + ..., on [low, high]."""
    x = chebyshev(low, high)
    y = np.array([float(function(mpmath.mpf(v))) for v in x])
    columns = {k: x**k for k in range(degree + 1)}
    ideal, error, found = roundOneByOne(columns, fixed, y, lambda _: y, range(degree + 1))
    show(title, ideal, error, {"coefficients": [found[k] for k in range(degree + 1)]})


def oddQuotient(title, function, limit, degrees, fixed):
    """function(x) ~ x P(x^2) / Q(x^2), on [-limit, limit]."""
    x = chebyshev(0, limit)
    x = x[x > 1e-4]
    t, y = x * x, np.array([float(function(mpmath.mpf(v)) / mpmath.mpf(v)) for v in x])
    columns = {("p", k): t**k for k in range(degrees[0] + 1)}
    columns.update({("q", k): -y * t**k for k in range(degrees[1] + 1)})
    order = sorted(columns, key=lambda name: (name[1], name[0]))

    def divisor(values):
        return y * sum(value * t**k for (part, k), value in values.items() if part == "q")

    ideal, error, found = roundOneByOne(columns, fixed, np.zeros_like(t), divisor, order)
    show(title, ideal, error, {"numerator": [found["p", k] for k in range(degrees[0] + 1)],
                               "denominator": [found["q", k] for k in range(degrees[1] + 1)]})


def show(title, ideal, error, rows):
    print(f"// {title}: relative error {error:.2g}; {ideal:.2g} before rounding the coefficients.")
    for name, values in rows.items():
        text = ", ".join("0x{0}{1}p{2:+d}".format(*split(value)) if value not in (1.0, 2.0) else str(int(value))
                         for value in values)
        print(f"{name}: {text.replace('0x-', '-0x')}")


def split(value):
    """Sign and significand in hexadecimal without needless zeros, and exponent."""
    head, exponent = float(value).hex().split("p")
    sign, digits = ("-", head[3:]) if head[0] == "-" else ("", head[2:])
    return sign, digits.rstrip("0").rstrip("."), int(exponent)


def main():
    ln2 = float(mpmath.log(2))
    # One percent more than half of what multiples of ln 2 and 2 ln 2 leave.
    polynomial("exp, steps of ln 2", mpmath.exp, -0.505 * ln2, 0.505 * ln2, 6, {0: 1.0, 1: 1.0})
    polynomial("exp, steps of 2 ln 2", mpmath.exp, -1.01 * ln2, 1.01 * ln2, 7, {0: 1.0, 1: 1.0})
    polynomial("log(1 + r) / r", lambda r: mpmath.log1p(r) / r, -1 / 3, 1 / 3, 8, {0: 1.0})
    # P(0) = Q(0), so that tanh of a small number is the number.
    oddQuotient("tanh", mpmath.tanh, 8.7, (4, 4), {("p", 0): 1.0, ("q", 0): 1.0})
    # Of the scales of Q this one has the least error when it is computed in f32.
    oddQuotient("erf", mpmath.erf, 3.93, (5, 5), {("q", 0): float(np.float32(1.9791666))})


if __name__ == "__main__":
    main()
