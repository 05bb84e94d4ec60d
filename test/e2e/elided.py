"""The values that --fill-elided makes up for constants that were left out
(read/versions/FillElided.h)."""

import numpy as np


def splitMix(x):
    with np.errstate(over="ignore"):
        x = x + np.uint64(0x9E3779B97F4A7C15)
        x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return x ^ (x >> np.uint64(31))


def filled(shape, constant, seed=0):
    """Those of float constant number `constant` of a program."""
    count = int(np.prod(shape))
    with np.errstate(over="ignore"):
        start = splitMix(np.array([seed + constant], np.uint64))
        u = (splitMix(start + np.arange(count, dtype=np.uint64)) >> np.uint64(40)).astype(np.float64) * 2.0**-24
    if sum(e > 1 for e in shape) <= 1:
        return (0.5 + u).astype(np.float32).reshape(shape)
    return ((2 * u - 1) * np.sqrt(6 * max(shape) / count)).astype(np.float32).reshape(shape)
