"""The builder of programs: reductions and products against NumPy, extents and constants, what
is computed once, and errors."""

import broadloom as bl
import numpy as np
import pytest
from broadloom import _program as program
from broadloom._program import _types
from built_programs import ALL, FLOATS, INTEGERS, check, numbers, run


@pytest.mark.parametrize("element", INTEGERS + FLOATS)
def test_sums(element):
    x = numbers(element, 3, 4, 5, low=-2, high=3)
    kinds = {"sum": np.sum, "product": np.prod, "max": np.max, "min": np.min}
    cases = [(kind, (0,), False) for kind in kinds]
    cases += [(kind, axes, True) for kind in ("sum", "max") for axes in (None, (1, 2), (-1,), ())]
    found = run(lambda v: [program.reduce(*c[:1], v, *c[1:]) for c in cases], x)
    for (kind, axes, keep), result in zip(cases, found):
        wide = x if program.is_integer(element) else x.astype(np.float64)
        more = {"dtype": wide.dtype} if kind in ("sum", "product") else {}
        expected = np.asarray(kinds[kind](wide, axis=axes, keepdims=keep, **more)).astype(x.dtype)
        check(result, expected, ulp=0 if program.is_integer(element) else 32)


def test_other_reductions():
    x = numbers("i1", 3, 4)
    for axes in (None, (0,), (1,)):
        check(run(lambda v: program.reduce("all", v, axes), x), np.asarray(np.all(x, axis=axes)))
        check(run(lambda v: program.reduce("any", v, axes), x), np.asarray(np.any(x, axis=axes)))
    y = numbers("f32", 3, 4)
    check(run(lambda v: program.mean(v, (1,), True), y), y.mean(1, keepdims=True), ulp=4)
    check(run(program.mean, y), np.asarray(y.mean()), ulp=4)
    check(run(lambda v: program.sum(v, (0,)), y), y.sum(0), ulp=4)
    for element in ALL:
        z = numbers(element, 3, 6)
        check(run(lambda v: program.argmax(v, 1), z), z.argmax(1))
        check(run(lambda v: program.argmin(v, 0, True), z), z.argmin(0, keepdims=True))
    with pytest.raises(TypeError, match="the sum is of numbers, not of i1"):
        run(program.sum, x)


def test_the_mean_of_a_half_is_rounded_once():
    x = np.full((3, 5000), 100, np.float16)
    check(run(lambda v: program.mean(v, (1,)), x), np.full(3, 100, np.float16))


SHAPES = [
    ((3, 4), (4, 5)), ((4,), (4,)), ((4,), (4, 5)), ((3, 4), (4,)), ((2, 3, 4), (4, 5)),
    ((2, 3, 4), (2, 4, 5)), ((6, 2, 3, 4), (2, 4, 5)), ((1, 3, 4), (7, 4, 5)), ((6, 1, 3, 4), (1, 2, 4, 5)),
    ((2, 3, 4), (4,)), ((4,), (2, 4, 5)), ((0, 4), (4, 5)), ((3, 0), (0, 5)),
]  # fmt: skip


@pytest.mark.parametrize("shapes", SHAPES)
def test_products_of_matrices(shapes):
    for element in ("f32", "f64", "i32", "ui8", "f16", "i1"):
        x, y = (numbers(element, *s, seed=i, low=-2, high=3) for i, s in enumerate(shapes))
        expected = np.asarray(np.matmul(x.astype("f8"), y.astype("f8"))).astype(x.dtype)
        check(run(program.matmul, x, y), expected, ulp=64 if program.is_float(element) else 0)


@pytest.mark.parametrize("element", ["f32", "f64"])
def test_matrices_that_do_not_fit(element):
    for x, y in [((3, 4), (5, 6)), ((3, 1), (5, 6)), ((3, 4), (1, 6)), ((4,), (1,))]:
        message = f"'matmul': the first operand has {x[-1]} columns, but the second has {y[0]} rows"
        with pytest.raises(bl.ShapeError, match=message):
            run(program.matmul, numbers(element, *x), numbers(element, *y))
    with pytest.raises(bl.ShapeError, match="'matmul'"):
        run(program.matmul, numbers(element, 2, 3, 4), numbers(element, 3, 4, 5))


def test_numbers_in_order():
    for element in ("i64", "ui8", "f32", "f16"):
        found = run(lambda v: program.iota(v.builder, program.extent(v, 0), element), np.zeros(5))
        check(found, np.arange(5).astype(_types.to_numpy(element)))
    found = run(lambda v: program.iota(v.builder, program.extent(v, 0), "i64", 1, 2), np.zeros(5))
    check(found, np.arange(5)[None])


def test_arithmetic_with_extents():
    x = np.zeros((7, 3), np.float32)

    def code(v):
        n, m = program.extents(v)
        many = [n + m, n - m, n * m, n // m, n % m, 2 * n, 20 - n, -n + 10, n + 0, 1 * m,
                program.largest(n, m), program.smallest(n, 5), program.divide_up(n, m),
                100 // n, 100 % n, program.product([n, m, 2])]  # fmt: skip
        return [program.iota(v.builder, number, "i8") for number in many]

    sizes = [r.size for r in run(code, x)]
    assert sizes == [10, 4, 21, 2, 1, 14, 13, 3, 7, 3, 7, 5, 3, 14, 2, 42]
    assert run(lambda v: program.add(v, program.extent(v, 0)), x)[0, 0] == 7
    scaled = run(lambda v: program.multiply(v, program.extent(v, 0)), np.ones((3, 2), np.uint8))
    assert scaled.dtype == np.uint8 and scaled[0, 0] == 3


def test_constants():
    for element in ALL + ("f8E5M2",):
        table = numbers("f32", 2, 3, low=0, high=3).astype(_types.to_numpy(element))
        check(run(lambda v: v.builder.constant(table), np.zeros(1)), table)
    for table in (np.array(True), np.array(2.5), np.zeros((0, 3)), np.array([True]), np.ones((2, 0), bool)):
        check(run(lambda v: v.builder.constant(table), np.zeros(1)), table)
    with pytest.raises(TypeError, match="no constants of NumPy's type complex128"):
        run(lambda v: v.builder.constant(np.zeros(1, complex)), np.zeros(1))


def test_named_extents():
    builder = program.Builder()
    builder.limit("n", 2, 64, 2)
    x = builder.argument("f32", ("n", None))
    y = builder.argument("f32", (3, "n * 2"))
    assert x.extents[0] == "n" and y.extents[0] == 3
    text = builder.finish([program.expand(x, [0]), y])
    assert "#loom.extents<[n, ?] where n = 2 to 64 step 2>" in text
    f = bl.compile(text)
    assert f.shapes()[0] == (1, "n", None)
    f(np.zeros((4, 1), "f4"), np.zeros((3, 8), "f4"))
    with pytest.raises(bl.ShapeError, match="'n' is a multiple of 2"):
        f(np.zeros((3, 1), "f4"), np.zeros((3, 6), "f4"))


def test_extents_that_are_one_are_known_to_be():
    builder = program.Builder()
    x = builder.argument("f32", (None, None))
    y = program.add(program.exp(x), program.sum(x, [1], keepdims=True))
    assert y.extents == x.extents
    flat = program.reshape(y, [program.product(program.extents(y))])
    again = program.broadcast_to(flat, [program.extent(flat, 0)])
    assert again.extents == flat.extents
    # A number is computed from the argument, not from what is computed of it.
    assert builder.finish([flat]).count("tensor.dim %arg0") == 2
    z = builder.argument("f32", (None,))
    joined = program.add(x, z)
    assert joined.extents == (x.extents[0], None)
    assert program.is_same(program.extent(joined, 1), program.extent(joined, 1))


def test_nothing_is_computed_twice():
    builder = program.Builder()
    x = builder.argument("f32", (None, None))
    assert program.exp(x) is program.exp(x) and program.exp(x) is not program.sin(x)
    assert program.mean(x, [1], True) is program.mean(x, [1], True)
    assert program.sum(x, [1], True) is not program.sum(x, [0], True)
    assert program.add(x, 1.0) is not program.add(x, 2.0)


def test_products_of_batches_that_are_one_are_not_repeated():
    builder = program.Builder()
    x = builder.argument("f32", (None, None, None, None))
    text = builder.finish([program.matmul(x, program.transpose(x, [0, 1, 3, 2]))])
    assert "broadcast_to" not in text
    a = numbers("f32", 2, 3, 4, 5)
    check(bl.compile(text)(a), a @ a.transpose(0, 1, 3, 2), ulp=32)


def test_errors_name_the_location_and_the_operation():
    with pytest.raises(bl.ShapeError) as caught:
        run(program.add, np.zeros((2, 3)), np.zeros((2, 2)))
    assert caught.value.operation == "add" and caught.value.location == "test.py:7:3"
    builder = program.Builder()
    with builder.naming("numpy.add"):
        x = program.add(builder.argument("f32", (None,)), builder.argument("f32", (None,)))
    with pytest.raises(bl.ShapeError, match=r"'numpy.add'"):
        bl.compile(builder.finish([x]))(np.zeros(2, "f4"), np.zeros(3, "f4"))


def test_requirements():
    def code(v):
        n = program.extent(v, 0)
        from broadloom._program._extents import compare

        with v.builder.naming("mine"):
            v.builder.require(compare("sgt", n, 2), "there are {0} rows", [n.name])
        return v

    check(run(code, np.zeros(3)), np.zeros(3))
    with pytest.raises(bl.ShapeError, match=r"test.py:7:3: 'mine': there are 2 rows"):
        run(code, np.zeros(2))


def test_wrong_types():
    x, y = np.zeros(2, "f4"), np.zeros(2, "i4")
    for name in ("add", "maximum", "less"):
        with pytest.raises(TypeError, match="operands have element types f32 and i32; cast one"):
            run(getattr(program, name), x, y)
    for name in ("sqrt", "exp", "divide", "copysign", "arctan2"):
        arrays = (y,) if name in ("sqrt", "exp") else (y, y)
        with pytest.raises(TypeError, match=f"{name} takes floats, not i32"):
            run(getattr(program, name), *arrays)
    for name in ("bitwise_and", "left_shift", "right_shift"):
        with pytest.raises(TypeError, match=f"{name} takes integers"):
            run(getattr(program, name), x, x)
    with pytest.raises(TypeError, match="there is no element type 'f99'"):
        program.Builder().argument("f99", ())
    with pytest.raises(ValueError, match="axis 3 is out of bounds for array of dimension 1"):
        run(lambda v: program.sum(v, [3]), x)
    with pytest.raises(ValueError, match="an axis is given twice"):
        run(lambda v: program.sum(v, [0, -1]), x)


def test_a_gelu_and_a_softmax_are_one_kernel_each():
    builder = program.Builder()
    x = builder.argument("f32", (None, None))
    gelu = program.multiply(
        program.multiply(x, 0.5), program.add(program.erf(program.multiply(x, 0.7071067811865476)), 1.0)
    )
    loom = bl.compile(builder.finish([gelu])).program.emit("loom").decode()
    assert loom.count("loom.map(") == 1 and "loom.require" not in loom
    builder2 = program.Builder()
    x = builder2.argument("f32", (None, None))
    shifted = program.exp(program.subtract(x, program.reduce("max", x, [1], True)))
    text = builder2.finish([program.divide(shifted, program.sum(shifted, [1], True))])
    loom = bl.compile(text).program.emit("loom").decode()
    assert loom.count("loom.fused_reduction") == 1 and "loom.map(" not in loom


def test_a_number_as_an_argument():
    builder = program.Builder()
    x = builder.argument("f32", (None,))
    count = program.number_argument(builder)
    f = bl.compile(builder.finish([program.take_slice(x, 0, 0, count)]))
    np.testing.assert_array_equal(f(np.arange(5, dtype="f4"), 3), [0, 1, 2])
