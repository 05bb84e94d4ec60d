"""Random elements of random programs."""

import numpy as np
from element_types import roundTo


def arrayOf(random, kind, shape):
    """Elements of one of several sorts, so that some sums are exact, and some
    numbers are special."""
    count = int(np.prod(shape))
    dice = np.random.default_rng(random.getrandbits(32))
    if kind.isBool:
        return (dice.random(count) < random.choice([0.1, 0.5, 0.9])).reshape(shape)
    sort = random.random()
    if not kind.isFloat:
        low, high = -(1 << (kind.bits - 1)), (1 << (kind.bits - 1)) - 1
        if sort < 0.6:
            low, high = -9, 9
        return dice.integers(low, high, count, endpoint=True).astype(kind.dtype).reshape(shape)
    if sort < 0.4:
        values = dice.integers(-8, 8, count).astype(np.float64)
    else:
        values = dice.normal(0, random.choice([1, 1, 30]), count)
    if sort > 0.85 and count:
        special = [np.inf, -np.inf, np.nan, 0.0, -0.0, kind.largestFinite, kind.smallestNormal * kind.eps]
        for _ in range(1 + count // 8):
            values[dice.integers(count)] = special[dice.integers(len(special))]
    return roundTo(kind, values).reshape(shape)
