"""Results of functions under bl.jit that have as many elements as values say, beside NumPy's."""

import itertools
import warnings

import broadloom as bl
import numpy as np
import pytest
from jit_comparison import check, flatten

MATRIX = np.random.default_rng(0).integers(-3, 4, (5, 4)).astype(np.float64)


def agrees(function, *arguments):
    """The compiled function gives what NumPy does, or both fail."""
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expected = function(*arguments)
    except (ValueError, IndexError) as error:
        expected = error
    f = bl.jit(function, optimise=False)
    if isinstance(expected, Exception):
        with pytest.raises((bl.ShapeError, ValueError, IndexError)):
            f(*arguments)
        return
    found, expected = flatten(f(*arguments)), flatten(expected)
    assert len(found) == len(expected)
    for one, other in zip(found, expected):
        check(one, other, ulp=8)


FUNCTIONS = [
    lambda x: x[x > 0],
    lambda x: x[x[:, 0] > 0],
    lambda x: x[:, x[0] > 0],
    lambda x: x[x[:, 0] > 0, 1],
    lambda x: x[x[:, 0] > 0, ::-1],
    lambda x: x[..., x[0] > 0],
    lambda x: x[None, x > 0],
    lambda x: x[x[:, 0] > 0][:, x[0] > 0],
    lambda x: x[x > 0][x[x > 0] > 1],
    lambda x: np.arange(20).reshape(5, 4)[x > 0],
    lambda x: x[np.nonzero(x)],
    lambda x: (np.nonzero(x), np.where(x > 0), np.argwhere(x), np.flatnonzero(x), x.nonzero()[1]),
    lambda x: (np.extract(x > 1, x), np.compress([True, False, True], x, axis=0), x.compress(x[0] > 0, axis=1)),
    lambda x: np.unique(x, return_index=True, return_inverse=True, return_counts=True),
    lambda x: (np.unique(x, axis=0, return_inverse=True), np.unique(x, axis=1)),
    lambda x: (tuple(np.unique_all(x)), np.unique_values(x), tuple(np.unique_counts(x)), tuple(np.unique_inverse(x))),
    lambda x: (np.union1d(x[0], x[1]), np.setdiff1d(x[:2], x[2:]), np.setxor1d(x[:2], x[2:])),
    lambda x: (np.intersect1d(x[:2], x[2:]), np.intersect1d(x[:2], x[2:], return_indices=True)),
    lambda x: (np.trim_zeros(x[0]), np.trim_zeros(x[:, 0] * 0), np.trim_zeros(x[1] * [0, 1, 1, 0], "f")),
    lambda x: (np.histogram(x), np.histogram(x, 3), np.histogram(x * 0 + 2, 3), np.histogram(x[:0], 2)),
    lambda x: np.bincount(np.abs(x[0]).astype(int), minlength=2),
    lambda x: np.bincount(np.abs(x[0]).astype(int), weights=x[1], minlength=9),
    lambda x: (np.repeat(x, np.abs(x[:, 0]).astype(int), axis=0), np.repeat(x, np.sum(x > 2))),
    lambda x: np.delete(x, x[:, 0] > 0, axis=0),
    lambda x: np.lexsort((x[:, 1], x[:, 0])),
    lambda x: (x[: np.sum(x > 2)], x[-np.argmax(x[0]) :], np.zeros(np.sum(x > 0)), np.arange(np.sum(x > 0))),
    lambda x: (np.linspace(0, 1, np.sum(x > 0)), np.roll(x, np.sum(x > 0)), np.eye(np.sum(x > 0)), np.full(np.sum(x > 0), 2)),
    # What is computed of them.
    lambda x: (x[x > 0].mean(), x[x > 0].std(), np.cumsum(x[x > 0]), np.sort(x[x > 0])[::-1]),
    lambda x: (x[x > 0].max(), np.median(x[x > 0]), np.where(x > 0)[0].max()),
    lambda x: (x[x > 0].shape[0] * 2, x[x > 0].size, np.zeros(x[x > 0].shape) + x[x > 0], x[x > 0].reshape(1, -1)),
    lambda x: np.concatenate([x[x > 0], x[x <= 0]]),
    lambda x: (x[x > 0][:, None] * x[x < 0]).sum(axis=0),
    lambda x: (x[x[:, 0] > 0].T @ x[x[:, 0] > 0], np.linalg.norm(x[x[:, 0] > 0], axis=1)),
    lambda x: bl.scan(lambda s, row: (s + row, s), 0.0, np.asarray(x[x > 0], float))[0],
]  # fmt: skip


@pytest.mark.parametrize("case", range(len(FUNCTIONS)))
@pytest.mark.parametrize(
    "x", [MATRIX, MATRIX.astype(np.int64), np.zeros((5, 4), np.float32)], ids=["floats", "integers", "zeros"]
)
def test_functions(case, x):
    agrees(FUNCTIONS[case], x)


def make_key(random, shape):
    """A key with masks, and what it is computed of: arrays of one for each axis, which masks compare with 0."""
    entries, axis = [], 0
    while axis < len(shape):
        kind = random.choice(["mask", "mask", "slice", "number", "wide"])
        if kind == "wide" and axis + 1 < len(shape):
            entries.append(("mask", axis, 2))
            axis += 2
            continue
        entries.append((kind if kind != "wide" else "mask", axis, 1))
        axis += 1
    return entries


@pytest.mark.parametrize("seed", range(30))
def test_keys_with_masks(seed):
    random = np.random.default_rng(seed)
    shape = tuple(random.integers(0 if seed % 5 == 0 else 1, 4, random.integers(1, 4)).tolist())
    x = random.integers(-9, 10, shape).astype(np.int32)
    masks, entries = [], make_key(random, shape)
    if not any(kind == "mask" for kind, _, _ in entries):
        entries[0] = ("mask", 0, 1)
    for kind, axis, count in entries:
        if kind == "mask":
            # Several masks pick as many elements, so that they broadcast.
            flat = np.zeros(int(np.prod(shape[axis : axis + count])), np.int32)
            flat[: min(1, flat.size)] = 1
            masks.append(random.permutation(flat).reshape(shape[axis : axis + count]))

    def pick(x, masks):
        at = iter(masks)
        parts = {"slice": lambda: slice(None, None, -1), "number": lambda: -1, "mask": lambda: next(at) > 0}
        return x[tuple(parts[kind]() for kind, _, _ in entries)]

    agrees(pick, x, masks)


def test_one_trace_serves_all_counts():
    f = bl.jit(lambda x: np.unique(x[x > 0], return_counts=True), optimise=False)
    for size, seed in itertools.product((0, 1, 7, 1000), (0, 1)):
        x = np.random.default_rng(seed).integers(-5, 6, size)
        for found, expected in zip(f(x), np.unique(x[x > 0], return_counts=True)):
            check(found, expected)
    assert f.cache_info().traces == 1


def test_nan_is_one_value_unless_it_is_asked_not_to_be():
    x = np.array([np.nan, 1.0, np.nan, -0.0, 0.0])
    for is_equal in (True, False):
        check(bl.jit(lambda x, e=is_equal: np.unique(x, equal_nan=e))(x), np.unique(x, equal_nan=is_equal))


ERRORS = [
    (lambda x: x[np.ones(3) + x[0] > 0], ValueError, "extent 3"),
    (lambda x: x[x[0] > 0], IndexError, "along axis 0; size of axis is 5 but size of corresponding boolean axis is 4"),
    (lambda x: x[x[:, :3] > 0], IndexError, "along axis 1; size of axis is 4 but size of corresponding boolean axis is 3"),
    (lambda x: np.compress(x[:, 0] < 9, x, axis=1), IndexError, "index 4 is outside axis 1, which has extent 4"),
    (lambda x: np.compress(x, x), ValueError, "condition must be a 1-d array"),
    (lambda x: np.nonzero(x[0, 0]), ValueError, "Calling nonzero on 0d arrays is not allowed"),
    (lambda x: np.where(x > 0, x), ValueError, "either both or neither of x and y should be given"),
    (lambda x: np.bincount(x[0].astype(int) - 9), bl.ShapeError, "the numbers to count must not be negative"),
    (lambda x: np.bincount(x[0]), TypeError, "numbers of float64 cannot be counted; they are integers up to int64"),
    (lambda x: np.bincount(x[0].astype(int), None, -1), ValueError, "'minlength' must be an integer that is not negative"),
    (lambda x: np.bincount(x.astype(int)), ValueError, "object of too large depth"),
    (lambda x: np.bincount(x[0].astype(int) + 3, x[:, 0]), bl.ShapeError, "there are 5 weights, but 4 numbers"),
    (lambda x: np.repeat(x, x[:, 0].astype(int) - 9, axis=0), bl.ShapeError, "repeats may not contain negative values"),
    (lambda x: np.repeat(x, x[0].astype(int), axis=0), bl.ShapeError, "an axis of 5 elements is repeated by 4 numbers; give one"),
    (lambda x: np.repeat(x, x[:, 0], axis=0), ValueError, "repeats are a list of integers"),
    (lambda x: np.histogram(x / 0), bl.ShapeError, r"the range of the histogram is not finite; give range=\(low, high\)"),
    (lambda x: np.trim_zeros(x[0], "x"), ValueError, r"unexpected character\(s\) in `trim`: 'x'"),
    (lambda x: np.zeros(np.sum(x > 9) - 1), bl.ShapeError, "axis 0 has extent -1, expected at least 0"),
    (lambda x: np.lexsort(()), TypeError, "need sequence of keys with len > 0 in lexsort"),
]  # fmt: skip


@pytest.mark.parametrize("function, kind, said", ERRORS)
def test_errors(function, kind, said):
    with pytest.raises(kind, match=said):
        bl.jit(function, optimise=False)(MATRIX)
