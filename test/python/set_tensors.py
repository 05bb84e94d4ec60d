"""Types of tensors whose shape is a set, and their elements by NumPy."""

import functools
import itertools

import broadloom
import numpy as np
from test_set_shapes import SETS

UPPER = SETS["upper"][0]
#: Also products of these, and diagonals that are written one by one.
ALL = SETS | {
    "wide": ("(i, j)[n] : (0 <= i < n, 0 <= j < n, i - 4 <= j, j <= i + 2)", lambda n, i, j: i - 4 <= j <= i + 2),
    "diagonals": (
        "(i, j)[n] : (0 <= i < n, j == i) or (i == j + 1, 0 <= j, i < n) or (j == i + 1, 0 <= i, j < n)",
        lambda n, i, j: abs(i - j) <= 1,
    ),
}


def kind(text, extent="?", element="f64"):
    return f'tensor<{extent}x{extent}x{element}, #loom.shape<"{text}">>'


def members(name, n):
    return [(i, j) for i, j in itertools.product(range(n), range(n)) if ALL[name][1](n, i, j)]


@functools.cache
def mask(name, n):
    inside = np.zeros((n, n), bool)
    for point in members(name, n):
        inside[point] = True
    return inside


def elements(name, dense):
    return dense[mask(name, len(dense))]


def compiled(text, function="main"):
    return broadloom.compile(text, function=function)


def functions(text, *names):
    """Each of these functions of a program."""
    return [compiled(text, name) for name in names]


def matrix(n, seed=0, dtype=np.float64):
    rng = np.random.default_rng(seed)
    return rng.integers(-9, 10, (n, n)).astype(dtype)
