"""np.piecewise under bl.jit: its functions are given the elements that a condition selects."""

import broadloom as bl
import numpy as np
import pytest

LINE = np.arange(6.0) - 3
IMAGE = LINE.reshape(2, 3)


PIECES = [
    (lambda x: np.piecewise(x, [x < 0, x >= 0], [lambda v: -v, lambda v: v * 2]), LINE),
    (lambda x: np.piecewise(x, [x < 0], [lambda v: v / 2, lambda v: v / 3]), np.arange(-3, 4)),
    (lambda x: np.piecewise(x, [x < 0, x > -2], [1, lambda v: v - 1]), LINE),
    (lambda x: np.piecewise(x, [x < 0, x == 0], [lambda v: v * 2, 8, lambda v: v.astype(int) / 2]), IMAGE),
    (lambda x: np.piecewise(x, x < 0, [lambda v: np.where(v < -2, v.clip(-1, 2), 3), abs]), LINE),
    (lambda x, k: np.piecewise(x, [x < 0], [lambda v, k: v * k, lambda v, k: k], k), LINE, np.float64(3)),
    (lambda x, k: np.piecewise(x, [x < 0], [lambda v: np.interp(v, k, k * 2), 7]), LINE, np.arange(-4, 4.0)),
    (lambda x: np.piecewise(x, [x < 0], [lambda v: np.piecewise(v, [v < -2], [abs, 7]), 9]), LINE),
    (lambda x: np.piecewise(x, [x < 0], [lambda v: divmod(v, 2)[1], lambda v: np.modf(v / 3)[0]]), LINE),
    (lambda x: np.piecewise(x, [x < 0], [lambda v: v.__iadd__(2), lambda v: v * v.ndim]), IMAGE),
    (lambda x: np.piecewise(x, [x < 0, x > 0], [abs, lambda v: v - 1]), np.float64(4)),
    # Conditions as an array with one in each row, of numbers, and of the first axes.
    (lambda x: np.piecewise(x, np.stack([x < 0, x >= 0]), [-1, 1]), LINE),
    (lambda x: np.piecewise(x, np.stack([x < 0, x >= 2]), [-1, 1, abs]), LINE),
    (lambda x: np.piecewise(x, [True, False] * 3, [-1, 1]), LINE),
    (lambda x: np.piecewise(x, [[True, False]], [lambda v: v * 2, 8]), IMAGE),
    (lambda x, c: np.piecewise(x, c, [lambda v: v * 2, 8]), LINE, LINE < 1),
    (lambda x: np.piecewise(x, True, [lambda v: v + 1]), LINE),
]


@pytest.mark.parametrize("case", range(len(PIECES)))
def test_pieces(case):
    function, *arguments = PIECES[case]
    expected, found = function(*arguments), bl.jit(function)(*arguments)
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
    np.testing.assert_allclose(found, expected, rtol=1e-12)


SELECTED = "of the elements that a condition of np.piecewise selects cannot be traced; how many these are is known from"


@pytest.mark.parametrize(
    "function, what",
    [
        (lambda v: v - v.sum(), "'sum'"),
        (lambda v: np.sort(v), "'sort'"),
        (lambda v: v @ v, "'matmul'"),
        (lambda v: np.add.accumulate(v), "'add.accumulate'"),
        (lambda v: v * v.shape[0], "shape"),
        (lambda v: v * v.size, "size"),
        (lambda v: v.T, "T"),
        (lambda v: v[::-1], "a part"),
        (lambda v: v * len(v), r"len\(\)"),
        (lambda v: sum(v), "a loop"),
        (lambda v: v * LINE, "'multiply' of an array of 1 axes and"),
        (lambda v: v * [1, 2], "'multiply'"),
        (lambda v: np.interp(0, v, v), "'interp'"),
    ],
)
def test_pieces_of_what_depends_on_others_are_refused(function, what):
    """NumPy gives a function the elements that are selected alone, so that these decide its sum."""
    with pytest.raises(bl.TraceError, match=f"test_jit_pieces.py:.*{what} {SELECTED}"):
        bl.jit(lambda x: np.piecewise(x, [x < 0], [function, 1]))(LINE)


def test_pieces_that_fit_nothing():
    with pytest.raises(bl.TraceError, match="whose result is not computed of its argument, element by element"):
        bl.jit(lambda x: np.piecewise(x, [x < 0], [lambda v: x, 1]))(LINE)
    with pytest.raises(bl.ShapeError, match=r"'numpy.piecewise': axis 0 has extent 1, but 2 is needed"):
        bl.jit(lambda x, y: np.piecewise(x, [y < 0], [1, 2]))(IMAGE, IMAGE[:1])
    with pytest.raises(IndexError, match="a condition of 2 axes is of an array of 1"):
        bl.jit(lambda x: np.piecewise(x, [IMAGE < 0], [1, 2]))(LINE)
    with pytest.raises(bl.TraceError, match=r"np.piecewise with conditions whose number a call tells"):
        bl.jit(lambda x, c: np.piecewise(x, c, [1, 2]))(LINE, np.stack([LINE < 0, LINE > 0]))
    with pytest.raises(ValueError, match=r"with 1 condition\(s\), either 1 or 2 functions are expected"):
        bl.jit(lambda x: np.piecewise(x, [x < 0], [1, 2, 3]))(LINE)
