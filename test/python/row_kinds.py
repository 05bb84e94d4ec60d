"""Rows of many kinds, and the means, variances and norms of them in f64, for tests of how
exact those are."""

import numpy as np

#: A layer norm adds this to the variance.
EPSILON = 1e-5
#: What is equal in a row of equal elements: few bits, all bits, large and small.
CONSTANTS = (0.1, -3.0, 123.4, 1234.5678, 12345.678, -1e7 / 3, 1e9 / 7, 1e-6 / 3, 7e15 / 11, 0.0)


def make_rows(length, count=16, seed=1):
    """Rows of f32 by the name of their kind."""
    random = np.random.default_rng(seed)
    normal, uniform = random.normal(0, 1, (count, length)), random.uniform(0.5, 2, (count, length))
    scale, at = uniform[:, :1], np.arange(length)
    signs = np.where(at % 2, 1, -1)
    kinds = {
        "normal": normal,
        "positive": uniform,
        "near a deviation": normal + 1,
        "beside three deviations": normal + 3,
        "offset": normal + 1e4 * scale,
        "large offset": normal + 1e6 * scale,
        "alternating": signs * uniform,
        "large and alternating": signs * 1e4 + normal,
        "an outlier first": np.where(at == 0, 1e6, normal),
        "exponents": np.exp(4 * normal),
        "ramp": at * scale,
        "at least zero": np.maximum(normal, 0),
        "zero": 0 * normal,
    }
    return {name: np.asarray(rows, np.float32) for name, rows in kinds.items()}


def constant_rows(length, dtype=np.float32):
    """A row of each constant."""
    return np.repeat(np.array(CONSTANTS, dtype)[:, None], length, axis=1)


def exact(rows):
    """The mean, the variance and the layer norm of each row."""
    wide = rows.astype(np.longdouble)
    mean = wide.mean(-1, keepdims=True)
    variance = ((wide - mean) ** 2).mean(-1, keepdims=True)
    return mean, variance, (wide - mean) / np.sqrt(variance + np.longdouble(EPSILON))


def errors(rows, mean=None, variance=None, norm=None):
    """The largest errors: of means in units of the elements' mean size, of variances in
    units of what they are, of norms in those of their largest element; each times 2^24."""
    expected, unit = exact(rows), np.longdouble(2.0**-24)
    tiny = np.longdouble(1e-300)
    sizes = (
        np.abs(rows).mean(-1, keepdims=True, dtype=np.longdouble),
        expected[1],
        np.abs(expected[2]).max(-1, keepdims=True),
    )
    found = {}
    for name, got, want, size in zip(("mean", "variance", "norm"), (mean, variance, norm), expected, sizes):
        if got is not None:
            found[name] = float((np.abs(got.astype(np.longdouble) - want) / (unit * size + tiny)).max())
    return found
