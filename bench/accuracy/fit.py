"""The coefficients of scalar/FunctionTables.h and LookupTables.h, and how good they are.

Each is a minimax fit of the relative error: a weighted least-squares problem
whose weights grow where the error is large (Lawson's algorithm), solved again
for the coefficients that are left each time one has been rounded to f32. A
quotient is fitted as P - f Q = 0, weighted by the last Q. Values of the
functions come from mpmath.

    scripts/fit-functions
"""

import itertools

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
    show(
        title,
        ideal,
        error,
        {
            "numerator": [found["p", k] for k in range(degrees[0] + 1)],
            "denominator": [found["q", k] for k in range(degrees[1] + 1)],
        },
    )


def edges(offset, limit):
    """The distances between `offset` and numbers whose first four bits differ from
    those of the last, up to the first behind `limit`."""
    found, at = [0.0], offset
    while found[-1] < limit:
        step = 2.0 ** (np.floor(np.log2(at)) - 3)
        at = (np.floor(at / step) + 1) * step
        found.append(at - offset)
    return found


def pieces(title, function, offset, limit, degree, slope):
    """function(low + d) ~ c0 + c1 d + ... between two successive `edges`, at the
    index in a table of 32 that bits 20 to 24 of the f32 low + offset give."""
    bounds, table, worst = edges(offset, limit), np.zeros((degree + 1, 32)), 0
    for low, high in itertools.pairwise(bounds):
        d = chebyshev(0, high - low)
        y = np.array([float(function(mpmath.mpf(low) + mpmath.mpf(v))) for v in d])
        columns = {k: d**k for k in range(degree + 1)}
        fixed = {0: 0.0, 1: float(np.float32(slope))} if low == 0 else {}
        _, error, found = roundOneByOne(columns, fixed, y, lambda _: y, range(degree + 1))
        index = int(np.float32(low + offset).view(np.uint32)) >> 20 & 31
        table[:, index] = [found[k] for k in range(degree + 1)]
        worst = max(worst, error)
    assert len(bounds) <= 33, f"{title}: more than 32 pieces"
    show(title, worst, worst, {f"c{k}": row for k, row in enumerate(table)})


def tail(title, function, low, high, degree, known, power=2):
    """function(x) ~ known(x) + x^power (c0 + c1 x + ...), by the relative error of the
    whole, on [low, high] without what is next to 0."""
    x = chebyshev(low, high)
    x = x[np.abs(x) > 1e-3 * high]
    whole = [function(mpmath.mpf(v)) for v in x]
    y = np.array([float((f - known(mpmath.mpf(v))) / mpmath.mpf(v) ** power) for f, v in zip(whole, x)])
    divisor = np.array([float(f) for f in whole]) / x**power
    columns = {k: x**k for k in range(degree + 1)}
    ideal, error, found = roundOneByOne(columns, {}, y, lambda _: divisor, range(degree + 1))
    show(title, ideal, error, {"coefficients": [found[k] for k in range(degree + 1)]})


def sineRest():
    """sin(r) ~ r + r^3 (c0 + c1 r^2 + ...): as a function of t = r^2, sin(r) r ~ t + t^2 (...)."""
    # Half a percent more than half of pi: what a rounded multiple of pi leaves.
    limit = float(mpmath.pi / 2 * 1.005) ** 2
    tail("sin(r)", lambda t: mpmath.sin(mpmath.sqrt(t)) * mpmath.sqrt(t), 1e-6, limit, 3, lambda t: t)


def logarithms():
    """32 pieces of [z, 2 z), of which one has 1 in its middle: the inverses of their
    middles, the base-2 logarithms of what those are the inverses of in multiples of
    2^-16, and what that leaves."""
    width, middle = 0x40000, 0x2AAAB
    least = 0x3F800000 - middle - 22 * width
    inverses, high, low, most = [], [], [], 0
    for piece in range(32):
        begin, end = (float(np.uint32(least + n * width).view(np.float32)) for n in (piece, piece + 1))
        inverse = 1.0 if begin < 1 < end else float(np.float32(2 / (begin + end)))
        logarithm = -mpmath.log(mpmath.mpf(inverse), 2)
        inverses.append(inverse)
        high.append(float(mpmath.nint(logarithm * 65536) / 65536))
        low.append(float(np.float32(float(logarithm - mpmath.mpf(high[-1])))))
        most = max(most, abs(begin * inverse - 1), abs(end * inverse - 1))
    show(
        f"pieces from {least:#x}, |r| up to {most:.4f}",
        0,
        0,
        {"inverses": inverses, "logarithms 0": high, "logarithms 1": low},
    )
    tail("log2(1 + r)", lambda r: mpmath.log(1 + r, 2), -most, most, 3, lambda r: r / mpmath.log(2))


def powers():
    """2^(k / 32), rounded to f32, and what the rounding took away."""
    exact = [mpmath.mpf(2) ** (mpmath.mpf(k) / 32) for k in range(32)]
    values = [float(np.float32(float(power))) for power in exact]
    rests = [float(np.float32(float(power - mpmath.mpf(value)))) for power, value in zip(exact, values)]
    show("2^(k / 32)", 0, 0, {"powers": values, "rests": rests})


def show(title, ideal, error, rows):
    print(f"// {title}: relative error {error:.2g}; {ideal:.2g} before rounding the coefficients.")
    for name, values in rows.items():
        text = ", ".join(
            "0x{}{}p{:+d}".format(*split(value)) if value not in (0.0, 1.0, 2.0) else str(int(value))
            for value in values
        )
        print(f"{name}: {text.replace('0x-', '-0x')}")


def split(value):
    """Sign and significand in hexadecimal without needless zeros, and exponent."""
    head, exponent = float(value).hex().split("p")
    sign, digits = ("-", head[3:]) if head[0] == "-" else ("", head[2:])
    return sign, digits.rstrip("0").rstrip("."), int(exponent)


def main():
    ln2 = float(mpmath.log(2))
    # One percent more than half of what multiples of 2 ln 2, ln 2 and ln 2 / 32 leave.
    polynomial("exp, steps of 2 ln 2", mpmath.exp, -1.01 * ln2, 1.01 * ln2, 7, {0: 1.0, 1: 1.0})
    x = 0.505 * ln2
    tail("exp, steps of ln 2", mpmath.exp, -x, x, 4, lambda r: 1 + r)
    # c0 = 1 is multiplied by separately.
    polynomial("exp, steps of ln 2 / 32", mpmath.exp, -0.505 * ln2 / 32, 0.505 * ln2 / 32, 3, {0: 1.0, 1: 1.0})
    powers()
    # One percent more than half of 1/32.
    x = 1.01 / 64
    tail("2^f", lambda f: mpmath.mpf(2) ** f, -x, x, 2, lambda f: 1, power=1)
    sineRest()
    logarithms()
    polynomial("log(1 + r) / r", lambda r: mpmath.log1p(r) / r, -1 / 3, 1 / 3, 8, {0: 1.0})
    # P(0) = Q(0), so that tanh of a small number is the number.
    oddQuotient("tanh", mpmath.tanh, 8.7, (4, 4), {("p", 0): 1.0, ("q", 0): 1.0})
    # Of the scales of Q this one has the least error when it is computed in f32.
    oddQuotient("erf", mpmath.erf, 3.93, (5, 5), {("q", 0): float(np.float32(1.9791666))})
    # The offsets give small pieces where a function bends, and 32 of them at most.
    pieces("tanh in pieces", mpmath.tanh, 0.75, 9.2, 4, 1)
    pieces("erf in pieces", mpmath.erf, 0.5, 3.99, 4, 2 / mpmath.sqrt(mpmath.pi))


if __name__ == "__main__":
    main()
