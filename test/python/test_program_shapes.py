"""The builder's functions of layouts: axes, slices, joins, padding and lookups, against
NumPy."""

import broadloom as bl
import numpy as np
import pytest
from broadloom import _program as program
from built_programs import check, numbers, run


def test_reshape():
    x = numbers("f32", 4, 6)

    def flat(v):
        return program.reshape(v, [-1])

    def halves(v):
        n, m = program.extents(v)
        return program.reshape(v, [n, 2, m // 2])

    def apart(v):
        return program.split_axis(v, 1, [3, -1])

    check(run(flat, x), x.reshape(-1))
    check(run(halves, x), x.reshape(4, 2, 3))
    check(run(apart, x), x.reshape(4, 3, 2))
    check(run(lambda v: program.reshape(v, [program.extent(v, 0), -1]), x), x)
    check(run(lambda v: program.reshape(v, []), x[:1, :1]), x[0, 0].reshape(()))
    check(run(flat, x[0, 0].reshape(())), x[0, 0].reshape(1))
    with pytest.raises(bl.ShapeError, match=r"test.py:7:3: 'reshape': the operand has 24 elements"):
        run(lambda v: program.reshape(v, [5, 5]), x)
    with pytest.raises(ValueError, match="only specify one unknown"):
        run(lambda v: program.reshape(v, [-1, -1]), x)


def test_axes_of_one():
    x = numbers("f32", 3, 1, 4)
    check(run(lambda v: program.squeeze(v, [1]), x), x[:, 0])
    check(run(lambda v: program.squeeze(v, [0, 1, 2]), x[:1, :, :1]), x[0, 0, 0].reshape(()))
    check(run(lambda v: program.expand(v, [0, 2, -1]), x[:, 0]), x[None, :, 0, None, :, None].reshape(1, 3, 1, 4, 1))
    check(run(lambda v: program.expand(v, [0]), np.float32(3).reshape(())), np.full(1, 3, np.float32))
    with pytest.raises(bl.ShapeError, match="'squeeze': result axis 0 has extent 1 but"):
        run(lambda v: program.squeeze(v, [0]), x)


def test_axes_that_come_back_are_no_operation():
    builder = program.Builder()
    x = builder.argument("f32", (None, None))
    row = program.sum(x, [1], keepdims=True)
    assert program.expand(program.squeeze(row, [1]), [1]) is row
    assert program.squeeze(program.expand(x, [0]), [0]) is x
    assert program.expand(program.squeeze(row, [1]), [0]) is not row


def test_transpose():
    x = numbers("f64", 2, 3, 4)
    for axes in ((0, 1, 2), (2, 0, 1), (-1, 1, 0)):
        check(run(lambda v, axes=axes: program.transpose(v, axes), x), x.transpose(axes))
    with pytest.raises(ValueError, match="axes don't match"):
        run(lambda v: program.transpose(v, (0, 1)), x)


def test_slices():
    ends = (None, 0, 3, -1, -2, 9)
    cases = [slice(a, b, s) for a in ends for b in ends for s in (1, 2, -1, -3)]
    builder = program.Builder()
    x = builder.argument("i32", (None,))
    f = bl.compile(
        builder.finish([program.slice_axis(x, 0, c.start, c.stop, c.step) for c in cases]),
        optimise=False,
    )
    for size in (0, 1, 2, 5, 12):
        x = np.arange(size, dtype=np.int32)
        for case, result in zip(cases, f(x)):
            check(result, x[case])


def test_slices_by_extents():
    x = numbers("f32", 5, 6)

    def middle(v):
        n = program.extent(v, 1)
        return program.slice_axis(v, 1, n // 3, n - 1)

    check(run(middle, x), x[:, 2:5])
    check(run(lambda v: program.flip(v, [0, 1]), x), x[::-1, ::-1])
    assert run(lambda v: program.slice_axis(v, 0, -program.extent(v, 1) + 2, None), x).shape == (4, 6)


def test_joins():
    x, y = numbers("f32", 2, 3), numbers("f32", 4, 3)
    check(run(lambda a, b: program.concat([a, b, a], 0), x, y), np.concatenate([x, y, x]))
    check(run(lambda a: program.concat([a], 1), x), x)
    with pytest.raises(bl.ShapeError, match="'concat'"):
        run(lambda a, b: program.concat([a, b], 1), x, y)


def test_pad():
    for element in ("i1", "ui8", "i64", "f32"):
        x = numbers(element, 2, 3)
        more = run(lambda v: program.pad(v, [1, 0], [0, program.extent(v, 0)], 1), x)
        check(more, np.pad(x, ((1, 0), (0, 2)), constant_values=1))


def test_broadcast_to():
    x = numbers("f32", 3, 1)

    def wider(v):
        return program.broadcast_to(v, [2, program.extent(v, 0), 5])

    check(run(wider, x), np.broadcast_to(x, (2, 3, 5)))
    with pytest.raises(bl.ShapeError, match="axis 0 has extent 3 and cannot be broadcast to 1"):
        run(lambda v: program.broadcast_to(v, [1, 1]), x)
    with pytest.raises(ValueError, match="fewer axes"):
        run(lambda v: program.broadcast_to(v, [3]), x)


def test_picking():
    for element in ("f32", "ui8", "i1"):
        x = numbers(element, 5, 4, 3)
        for kind in (np.int64, np.int32, np.uint8):
            i = np.array([[0, 4], [1, 2]], kind)
            check(run(lambda v, i: program.take(v, i, 0), x, i), x.take(i, 0))
            check(run(lambda v, i: program.take(v, i, 1), x, i % 4), x.take(i % 4, 1))
        i = np.array([-1, 0, -5])
        check(run(lambda v, i: program.take(v, i, 0), x[:, 0], i), x[:, 0].take(i, 0))
        check(run(lambda v, i: program.take(v, i, 0), x[:, 0, 0], i), x[i, 0, 0])
        at = np.argsort(x, axis=1)
        check(run(lambda v, i: program.gather_elements(v, i, 1), x, at), np.take_along_axis(x, at, 1))
    for wrong in (5, -6):
        with pytest.raises(bl.ShapeError, match=r"test.py:7:3: 'take'"):
            run(lambda v, i: program.take(v, i, 0), x, np.array([wrong]))
