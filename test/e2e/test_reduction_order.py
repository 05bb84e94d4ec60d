"""The order in which floats are added (red-4), bit for bit: of what types a program has,
of what a sum is fused with, and of how operands lie in memory, nothing may show."""

import numpy as np
import pytest
from element_types import TYPES
from reductions import Text, run

KIND = TYPES["f32"]


def halves(lanes):
    """Combines the partial results along the last axis in halves."""
    while lanes.shape[-1] > 1:
        half = lanes.shape[-1] // 2
        lanes = lanes[..., :half] + lanes[..., half:]
    return lanes[..., 0]


def fold(rows):
    """The elements along the last axis, one after the other in sequences of 256: the results
    of the first 2^k of these, the most that leave some, and of the rest are combined."""
    first = 256
    if rows.shape[-1] > first:
        while 2 * first < rows.shape[-1]:
            first *= 2
        return fold(rows[..., :first]) + fold(rows[..., first:])
    total = np.zeros(rows.shape[:-1], rows.dtype)
    for i in range(rows.shape[-1]):
        total = total + rows[..., i]
    return total


def inLanes(rows, width, tailIsFirst):
    """Partial results: element i goes to number i modulo the width."""
    whole = rows.shape[-1] // width * width
    lanes = np.zeros((*rows.shape[:-1], width), rows.dtype)
    tail = rows.shape[-1] - whole
    pieces = [rows[..., i : i + width] for i in range(0, whole, width)]
    pieces.insert(0 if tailIsFirst else len(pieces), rows[..., whole:])
    for piece in pieces:
        lanes[..., : piece.shape[-1]] += piece
    assert tail < width
    return halves(lanes)


def expectedSum(array, axes):
    """The sum over `axes`, which stay with extent 1."""
    kept = [i for i in range(array.ndim) if i not in axes]
    rows = np.transpose(array, (*kept, *axes)).reshape(-1, int(np.prod([array.shape[a] for a in axes])))
    innermost = max((i for i in range(array.ndim) if array.shape[i] != 1), default=0)
    count, length = rows.shape
    if count >= 32 and (innermost not in axes or length < 12):
        total = fold(rows)
    elif innermost in axes and count >= 4 and 12 <= length <= 1024:
        total = inLanes(rows, 16, tailIsFirst=False)
    else:
        total = inLanes(rows, 64, tailIsFirst=True)
    return total.reshape([1 if i in axes else e for i, e in enumerate(array.shape)])


def floats(shape, seed=3):
    return np.random.default_rng(seed).normal(0, 1, shape).astype(np.float32)


def check(tmp_path, mode, make, inputs, wanted):
    text = Text(KIND, mode)
    results = make(text, *(text.argument(a.shape) for a in inputs))
    for got, expected in zip(run(tmp_path, text.text(*results), inputs, [KIND] * len(wanted)), wanted, strict=True):
        assert np.array_equal(got.view(np.uint32), expected.view(np.uint32)), np.flatnonzero(got != expected)[:5]


MODES = pytest.mark.parametrize("mode", ["static", "dynamic", "mixed", "inferred"])


@MODES
@pytest.mark.parametrize("shape", [(3, 100), (4, 12), (5, 11), (40, 11), (31, 17), (40, 65), (300, 64), (20, 1000),
                                   (40, 1024), (40, 1025), (2, 5000), (100, 130)])  # fmt: skip
def test_red4_beside_a_result_of_fewer_rows(tmp_path, mode, shape):
    """What types tell here is whether both have as many rows."""
    row, array = floats((1, shape[1])), floats(shape, 4)

    def make(text, x, y):
        double = text.call("add", x, x)
        return double, text.reduce("sum", text.call("sub", double, y), 1)

    check(tmp_path, mode, make, [row, array], [row + row, expectedSum(row + row - array, (1,))])


@MODES
@pytest.mark.parametrize("shape", [(3, 100), (40, 11), (40, 65), (20, 1000)])
def test_red1_beside_a_result_of_more_rows(tmp_path, mode, shape):
    """A sum is over its own operand, whatever that is combined with elsewhere."""
    row, array = floats((1, shape[1])), floats(shape, 4)

    def make(text, x, y):
        double = text.call("add", x, x)
        return text.call("add", double, y), text.reduce("sum", double, 1), text.call("sub", y, double)

    check(tmp_path, mode, make, [row, array], [row + row + array, expectedSum(row + row, (1,)), array - (row + row)])


@MODES
@pytest.mark.parametrize("axes", [(0,), (1,), (2,), (1, 2), (0, 2), (0, 1), (0, 1, 2)])
@pytest.mark.parametrize("shape", [(6, 20, 30), (50, 3, 17), (40, 40, 1), (3, 1, 70)])
def test_red4_beside_what_repeats(tmp_path, mode, shape, axes):
    """An operand that repeats along an axis which is reduced, or beside one."""
    array = floats(shape)
    others = [
        floats([1 if i in ones else e for i, e in enumerate(shape)], 7 + i)
        for i, ones in enumerate([(0,), (1,), (2,), (0, 1), (0, 2)])
    ]

    def make(text, x, *rest):
        return [text.reduce("sum", text.call("mul", x, other), *axes) for other in rest]

    check(tmp_path, mode, make, [array, *others], [expectedSum(array * other, axes) for other in others])


@MODES
@pytest.mark.parametrize("shape", [(40, 70), (70, 40), (9, 500), (500, 9), (64, 2000), (2000, 64), (900, 33), (33, 12)])
def test_red4_of_what_is_transposed(tmp_path, mode, shape):
    array, other = floats(shape), floats(shape[::-1], 5)

    def make(text, x, y):
        turned = text.emit("transpose", [x], shape[::-1], "perms = array<i32: 1, 0>")
        both = text.call("add", turned, y)
        return [text.reduce("sum", value, axis) for value in (turned, both) for axis in (0, 1)]

    wanted = [expectedSum(np.ascontiguousarray(v), (a,)) for v in (array.T, array.T + other) for a in (0, 1)]
    check(tmp_path, mode, make, [array, other], wanted)


@MODES
@pytest.mark.parametrize("shape", [(40, 70), (9, 500), (5, 13), (40, 9), (300, 64)])
def test_red4_with_bits_between(tmp_path, mode, shape):
    """A condition that is computed once for each row, or for each element and kept."""
    column, array = floats((shape[0], 1)), floats(shape, 6)

    def make(text, x, y):
        least = text.emit("minimum", [x, y], shape, "nan_mode = #tosa.nan_mode<IGNORE>")
        isLess = text.emit("greater", [y, x], shape, kind=TYPES["i1"])
        largest = text.reduce("max", text.call("select", isLess, y, least), 1)
        taken = text.call("select", isLess, text.call("sub", y, largest), x)
        return text.reduce("sum", least, 1), text.reduce("sum", taken, 1)

    least = np.minimum(column, array)
    chosen = np.where(array > column, array, least)
    taken = np.where(array > column, array - chosen.max(axis=1, keepdims=True), column)
    check(tmp_path, mode, make, [column, array], [expectedSum(least, (1,)), expectedSum(taken, (1,))])


def chain(array, count):
    """count times x * array + array."""
    value = array
    for _ in range(count):
        value = value * array + array
    return value


@MODES
def test_red4_of_many_operations(tmp_path, mode):
    """More operations than a kernel for short rows has."""
    array, count = floats((37, 130)) / 8, 200

    def make(text, x):
        value = x
        for _ in range(count):
            value = text.call("add", text.call("mul", value, x), x)
        return text.reduce("sum", value, 1), value

    wanted = chain(array, count)
    check(tmp_path, mode, make, [array], [expectedSum(wanted, (1,)), wanted])


@MODES
@pytest.mark.parametrize("shape", [(3, 50), (37, 50), (40, 9)])
def test_red1_successive_sums_with_types_between(tmp_path, mode, shape):
    """What types say between two sums, a rank or none, does not make them two."""
    array = floats(shape)

    def make(text, x):
        value = text.reduce("sum", x, 0)
        for kind in ("tensor<*xf32>", "tensor<?x?xf32>", "tensor<1x?xf32>", "tensor<*xf32>", text.type(value[1])):
            if kind != value[2]:
                value = text.cast(value, kind)
        return [text.reduce("sum", value, 1)]

    check(tmp_path, mode, make, [array], [expectedSum(array, (0, 1))])
