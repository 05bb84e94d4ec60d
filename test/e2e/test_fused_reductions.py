"""Tests programs of several reductions, which are computed together (red-1, red-4)."""

import itertools

import broadloom
import numpy as np
import pytest
from element_types import FLOATS, TYPES, roundTo
from reductions import Text, assertClose, run, wide

#
# Programs
#


def softmax(text, x, axis):
    shifted = text.call("sub", x, text.reduce("max", x, *axis))
    powers = text.call("exp", shifted)
    return text.call("mul", powers, text.call("reciprocal", text.reduce("sum", powers, *axis)))


def softmaxReference(x, axis):
    powers = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return powers / np.sum(powers, axis=axis, keepdims=True)


def logSumExp(text, x, axis):
    largest = text.reduce("max", x, *axis)
    total = text.reduce("sum", text.call("exp", text.call("sub", x, largest)), *axis)
    return text.call("add", text.call("log", total), largest)


def logSumExpReference(x, axis):
    largest = np.max(x, axis=axis, keepdims=True)
    return np.log(np.sum(np.exp(x - largest), axis=axis, keepdims=True)) + largest


def normalised(text, x, axis, n, epsilon, weight=None):
    mean = text.call("mul", text.reduce("sum", x, *axis), n)
    centred = text.call("sub", x, mean)
    variance = text.call("mul", text.reduce("sum", text.call("mul", centred, centred), *axis), n)
    y = text.call("mul", centred, text.call("rsqrt", text.call("add", variance, epsilon)))
    return text.call("mul", y, weight) if weight else y


def normalisedReference(x, axis, weight=None):
    mean = np.mean(x, axis=axis, keepdims=True)
    variance = np.mean((x - mean) ** 2, axis=axis, keepdims=True)
    return (x - mean) / np.sqrt(variance + 0.01) * (1 if weight is None else weight)


AXES = {2: [(0,), (1,), (0, 1)], 3: [(0,), (1,), (2,), (1, 2), (0, 2), (0, 1, 2)]}
CASES = [(shape, axis) for shape in [(5, 9), (70, 33), (3, 1030), (2, 65, 70), (33, 4, 5)] for axis in AXES[len(shape)]]
# Around the numbers of elements and of rows from which a row is short or long.
EDGES = [
    (rows, length)
    for length in (1, 11, 12, 16, 17, 31, 64, 127, 128, 256, 300, 511, 1024, 1031)
    for rows in (1, 4, 17, 67)
]
EDGES += [(1, 32768), (2, 32769), (1, 100003), (0, 64), (1, 1)]


@pytest.mark.parametrize("mode", ["static", "dynamic", "mixed"])
@pytest.mark.parametrize("element", FLOATS)
def test_red1_fused_programs(tmp_path, element, mode):
    kind, random = TYPES[element], np.random.default_rng(9)
    text, inputs, cases, results = Text(kind, mode), [], [], []
    for shape, axis in CASES:
        array = roundTo(kind, random.normal(0, 2, shape))
        count = int(np.prod([shape[a] for a in axis]))
        one = (1,) * len(shape)
        x, n, epsilon = text.argument(shape), text.argument(one), text.argument(one)
        weightShape = shape[-1:]
        weight = text.argument(weightShape)
        weights = roundTo(kind, random.normal(1, 1, weightShape))
        inputs += [array, roundTo(kind, np.full(one, 1 / count)), roundTo(kind, np.full(one, 0.01)), weights]
        results += [
            softmax(text, x, axis),
            logSumExp(text, x, axis),
            normalised(text, x, axis, n, epsilon),
            normalised(text, x, axis, n, epsilon, weight),
        ]
        cases.append((axis, array, weights))
    got = iter(run(tmp_path, text.text(*results), inputs, [kind] * len(results)))
    for axis, array, weights in cases:
        # NumPy's widest, since f64 is one of the types.
        exact, weights = array.astype(np.longdouble), weights.astype(np.longdouble)
        expected = [
            softmaxReference(exact, axis),
            logSumExpReference(exact, axis),
            normalisedReference(exact, axis),
            normalisedReference(exact, axis, weights),
        ]
        # What x - mean loses is amplified where a row varies little.
        variance = np.var(exact, axis=axis, keepdims=True)
        amplified = np.max(np.abs(exact), axis=axis, keepdims=True) / np.sqrt(variance + 0.01)
        scales = [0.1, 1, amplified, amplified * np.abs(weights)]
        for right, scale in zip(expected, scales):
            error = np.abs(next(got).astype(np.longdouble) - right) / np.maximum(np.abs(right), scale)
            assert error.max() < 30 * kind.eps, (array.shape, axis, error.max() / kind.eps)


@pytest.mark.parametrize("mode", ["static", "dynamic"])
@pytest.mark.parametrize("element", ["f32", "f16"])
def test_red1_rows_at_the_edges(tmp_path, element, mode):
    kind, random = TYPES[element], np.random.default_rng(12)
    text, inputs, arrays, results = Text(kind, mode), [], [], []
    for shape in EDGES:
        # So many exponentials are more than an f16 holds.
        if (0 in shape and mode != "dynamic") or (element == "f16" and shape[1] > 40000):
            continue
        array = roundTo(kind, random.normal(0, 1, shape))
        x, n, epsilon = text.argument(shape), text.argument((1, 1)), text.argument((shape[0], 1))
        inputs += [array, roundTo(kind, np.full((1, 1), 1 / shape[1])), roundTo(kind, np.full((shape[0], 1), 0.01))]
        results += [softmax(text, x, (1,)), logSumExp(text, x, (1,)), normalised(text, x, (1,), n, epsilon)]
        arrays.append(array)
    got = iter(run(tmp_path, text.text(*results), inputs, [kind] * len(results)))
    for array in arrays:
        shape, exact = array.shape, array.astype(np.longdouble)
        expected = [softmaxReference(exact, (1,)), logSumExpReference(exact, (1,)), normalisedReference(exact, (1,))]
        # A sum in f16 of many elements, a mean that f16 rounds: what is lost there is in units of the mean.
        for right, scale in zip(expected, (1 / shape[1], 1, 4)):
            value = next(got)
            assert value.shape == right.shape
            error = np.abs(value.astype(np.longdouble) - right) / np.maximum(np.abs(right), scale)
            assert error.max(initial=0) < 60 * kind.eps, (shape, float(error.max() / kind.eps))


@pytest.mark.parametrize("mode", ["static", "dynamic"])
@pytest.mark.parametrize(
    "shapes",
    [
        ((1, 64), (300, 64)),
        ((4, 1, 64), (4, 5, 64)),
        ((1, 400), (40, 400)),
        ((1, 1, 16), (7, 33, 16)),
        ((300, 64), (1, 64)),
        ((40, 1), (40, 64)),
    ],
)
def test_red1_results_of_other_extents(tmp_path, mode, shapes):
    """A result that has fewer rows than what is reduced beside it, so that each is computed alone."""
    kind, random = TYPES["f32"], np.random.default_rng(14)
    a, b = (random.normal(0, 1, shape).astype(np.float32) for shape in shapes)
    text = Text(kind, mode)
    x, v = (text.argument(shape) for shape in shapes)
    axis = len(shapes[0]) - 1
    y = text.call("exp", x)
    first, second = run(tmp_path, text.text(y, text.reduce("sum", text.call("add", y, v), axis)), [a, b], [kind] * 2)
    power = np.exp(wide(a))
    assertClose(first, power, kind, 4)
    assertClose(second, np.sum(power + wide(b), axis=axis, keepdims=True), kind, 64)


@pytest.mark.parametrize("mode", ["static", "dynamic"])
def test_red1_short_rows_with_one_element_for_each(tmp_path, mode):
    """Operands that are columns, rows and scalars beside short rows, and masks that several rows share."""
    kind, random = TYPES["f32"], np.random.default_rng(13)
    for batch, heads, rows, columns in [(2, 3, 20, 24), (1, 1, 5, 64), (3, 1, 33, 17)]:
        shape = (batch, heads, rows, columns)
        shapes = [shape, (batch, 1, rows, columns), (batch, heads, rows, 1), (1, 1, 1, columns), (1, 1, 1, 1)]
        arrays = [random.normal(0, 1, s).astype(np.float32) for s in shapes]
        text = Text(kind, mode)
        x, mask, column, row, one = (text.argument(s) for s in shapes)
        sum_ = text.call("add", text.call("mul", x, column), text.call("add", mask, text.call("mul", row, one)))
        (got,) = run(tmp_path, text.text(softmax(text, sum_, (3,))), arrays, [kind])
        x, mask, column, row, one = (wide(a) for a in arrays)
        assertClose(got, softmaxReference(x * column + mask + row * one, (3,)), kind, 16)


@pytest.mark.parametrize(
    "shape, axis",
    [
        ((40, 5000), (1,)),
        ((5000, 40), (0,)),
        ((3000, 100), (0,)),
        ((500, 64), (1,)),
        ((50, 1000), (1,)),
        ((20, 30, 70), (0, 2)),
        ((1, 400003), (1,)),
    ],
)
def test_red1_as_good_as_one_by_one(tmp_path, shape, axis):
    """Fused results are no further from the exact ones than those of the
    operations one by one, in NumPy and as the strategy `rfc` computes them."""
    kind, random = TYPES["f32"], np.random.default_rng(3)
    array, count = random.normal(1, 3, shape).astype(np.float32), int(np.prod([shape[a] for a in axis]))
    one = (1,) * len(shape)
    text = Text(kind, "dynamic")
    x, n, epsilon = text.argument(shape), text.argument(one), text.argument(one)
    mean = text.call("mul", text.reduce("sum", x, *axis), n)
    centred = text.call("sub", x, mean)
    variance = text.call("mul", text.reduce("sum", text.call("mul", centred, centred), *axis), n)
    program = text.text(
        softmax(text, x, axis), logSumExp(text, x, axis), mean, variance, normalised(text, x, axis, n, epsilon)
    )
    inputs = [array, np.full(one, 1 / count, np.float32), np.full(one, 0.01, np.float32)]
    fused, oneByOne = (run(tmp_path, program, inputs, [kind] * 5, f"--strategy={s}") for s in ("default", "rfc"))

    def reference(x):
        mean = np.mean(x, axis=axis, keepdims=True)
        return [
            softmaxReference(x, axis),
            logSumExpReference(x, axis),
            mean,
            np.mean((x - mean) ** 2, axis, keepdims=True),
            normalisedReference(x, axis),
        ]

    names = ("softmax", "log-sum-exp", "mean", "variance", "normalised")
    for name, right, ours, theirs, numpys in zip(names, reference(wide(array)), fused, oneByOne, reference(array)):
        scale = np.maximum(np.abs(right), 1 if name == "normalised" else 1e-30)
        error, errorOneByOne, errorNumPy = (np.max(np.abs(wide(v) - right) / scale) for v in (ours, theirs, numpys))
        # Half a unit of the last place is what writing a result costs.
        assert error <= max(errorOneByOne, kind.eps), name
        assert error <= max(1.5 * errorNumPy, 2 * kind.eps), name


@pytest.mark.parametrize("mode", ["static", "dynamic"])
def test_red1_first_index_of_the_largest(tmp_path, mode):
    """An argmax of reductions and element-wise operations."""
    kind, index = TYPES["f32"], TYPES["i32"]
    random = np.random.default_rng(8)
    for shape, axis in [((6, 50), 1), ((50, 70), 0), ((400, 10), 1)]:
        array = random.integers(0, 9, shape).astype(np.float32)
        numbers = np.arange(shape[axis], dtype=np.int32).reshape([-1 if a == axis else 1 for a in range(2)])
        text = Text(kind, mode)
        x = text.argument(shape)
        text.kind = index
        position, far = text.argument(numbers.shape), text.argument((1, 1))
        isLargest = text.call(
            "equal",
            x,
            (lambda k: (setattr(text, "kind", kind), text.reduce("max", x, axis), setattr(text, "kind", k)))(index)[1],
            kind=TYPES["i1"],
        )
        first = text.reduce("min", text.call("select", isLargest, position, far), axis)
        (got,) = run(tmp_path, text.text(first), [array, numbers, np.full((1, 1), 1 << 30, np.int32)], [index])
        assert np.array_equal(got, np.argmax(array, axis=axis, keepdims=True))


def test_red1_several_results(tmp_path):
    """What is fused may be read outside as well."""
    kind, random = TYPES["f32"], np.random.default_rng(4)
    array = random.normal(0, 1, (33, 70)).astype(np.float32)
    text = Text(kind, "dynamic")
    x = text.argument(array.shape)
    shifted = text.call("sub", x, text.reduce("max", x, 1))
    powers = text.call("exp", shifted)
    total = text.reduce("sum", powers, 1)
    got = run(
        tmp_path,
        text.text(text.call("mul", powers, text.call("reciprocal", total)), total, shifted),
        [array],
        [kind] * 3,
    )
    exact = wide(array) - np.max(wide(array), axis=1, keepdims=True)
    for value, right in zip(got, (softmaxReference(wide(array), 1), np.sum(np.exp(exact), 1, keepdims=True), exact)):
        assertClose(value, right, kind, 4)


@pytest.mark.parametrize(
    "shape,weights",
    [((5, 1), (7,)), ((5, 1), (5, 7)), ((1, 9), (4, 9)), ((1, 1), (3, 2)), ((0, 1), (7,)), ((5, 0), (1,))],
)
def test_red1_weights_that_are_longer_than_rows(tmp_path, shape, weights):
    """The sum is over x's own row, whatever it is combined with."""
    kind, random = TYPES["f32"], np.random.default_rng(2)
    array, weight = (random.normal(0, 1, s).astype(np.float32) for s in (shape, weights))
    text = Text(kind, "dynamic")
    x, w = text.argument(shape), text.argument(weights)
    scaled = text.call("mul", x, text.reduce("sum", x, 1))
    (got,) = run(tmp_path, text.text(text.call("mul", scaled, w)), [array, weight], [kind])
    assertClose(got, wide(array) * np.sum(wide(array), 1, keepdims=True) * wide(weight), kind, 4)


@pytest.mark.parametrize("shape", [(6, 40), (70, 500), (5, 1), (300, 3), (1, 1)])
def test_red1_weights_of_any_length(tmp_path, monkeypatch, shape):
    """Where nothing is known of extents, a weight may have one element, one for each row or for each column, or as
    many as the rows have; and more, where these have one."""
    kind, random = TYPES["f32"], np.random.default_rng(14)
    rows, columns = shape
    lengths = [columns] if columns > 1 else [1, 7]
    shapes = [(1, 1), (rows, 1), *((r, c) for r in (1, rows) for c in lengths), (lengths[-1],)]
    array = random.normal(0, 1, shape).astype(np.float32)
    text = Text(kind, "dynamic")
    x, n, epsilon = text.argument(shape), text.argument((1, 1)), text.argument((1, 1))
    weight, shift = text.argument((1, 1)), text.argument((1, 1))
    mean = text.call("mul", text.reduce("sum", x, 1), n)
    centred = text.call("sub", x, mean)
    variance = text.call("mul", text.reduce("sum", text.call("mul", centred, centred), 1), n)
    # The weight by the root is one for each row, or one for each element.
    scale = text.call("mul", text.call("rsqrt", text.call("add", variance, epsilon)), weight)
    program = text.text(mean, text.call("add", text.call("mul", centred, scale), shift))
    for nShape, weightShape in itertools.product(shapes, shapes):
        # All are of rank 2 here.
        given = [
            random.uniform(0.5, 1.5, s if len(s) == 2 else (1, *s)).astype(np.float32)
            for s in (nShape, (1, 1), weightShape, shapes[-2])
        ]
        given[0] /= columns
        got = run(tmp_path, program, [array, *given], [kind] * 2)
        broadloom.keepPrograms(monkeypatch, tmp_path)
        x, n, epsilon, weight, shift = (wide(a) for a in (array, *given))
        mean = np.sum(x, 1, keepdims=True) * n
        variance = np.sum((x - mean) ** 2, 1, keepdims=True) * n
        expected = (x - mean) / np.sqrt(variance + epsilon) * weight + shift
        for value, right in zip(got, (mean, expected)):
            assert value.shape == right.shape
            assert np.abs(wide(value) - right).max() < 1e-4


@pytest.mark.parametrize("isStatic", [True, False], ids=["static", "dynamic"])
@pytest.mark.parametrize("shape", [(5, 7), (3, 1), (1, 1), (70, 300), (2, 2000)])
def test_red1_what_is_chosen(tmp_path, shape, isStatic):
    """A sum of what a condition chooses beside 0, where the condition and the choice are one for each row or one for
    each element, and the choice may be one itself: it is summed whether or not the stage that sums reads the condition."""
    random, row = np.random.default_rng(23), (shape[0], 1)

    def declare(shape, element):
        return f"tensor<{'x'.join(map(str, shape)) if isStatic else '?x?'}x{element}>"

    for ofCondition, ofValue in itertools.product((row, shape), repeat=2):
        c = random.random(ofCondition) < 0.5
        x, whole = random.integers(-9, 9, ofValue).astype(np.float32), np.broadcast_shapes(ofCondition, ofValue)
        chosen, summed = declare(whole, "f32"), declare(row, "f32")
        text = (
            f"func.func @main(%c: {declare(c.shape, 'i1')}, %x: {declare(x.shape, 'f32')}) -> {summed} {{\n"
            '%zero = "tosa.const"() {values = dense<0.0> : tensor<1x1xf32>} : () -> tensor<1x1xf32>\n'
            f"%t = tosa.select %c, %x, %zero : ({declare(c.shape, 'i1')}, {declare(x.shape, 'f32')}, tensor<1x1xf32>) "
            f"-> {chosen}\n%r = tosa.reduce_sum %t {{axis = 1 : i32}} : ({chosen}) -> {summed}\n"
            f"return %r : {summed}\n}}\n"
        )
        (got,) = run(tmp_path, text, [c, x], [TYPES["f32"]])
        np.testing.assert_array_equal(got, np.sum(np.where(c, x, np.float32(0)), axis=1, keepdims=True))


def test_rt2_weights_that_do_not_fit(tmp_path):
    kind = TYPES["f32"]
    text = Text(kind, "dynamic")
    x, w = text.argument((4, 5)), text.argument((3,))
    scaled = text.call("mul", x, text.reduce("sum", x, 1))
    result = text.emit("mul", [scaled, w], (4, 5))
    outcome, results = broadloom.run(
        tmp_path, text.text(result), [np.ones((4, 5), np.float32), np.ones(3, np.float32)], [kind]
    )
    assert results is None and outcome.status == broadloom.GUARD_FAILED
    assert "operands are not broadcast-compatible along axis 1: extents 5 and 3" in outcome.error


@pytest.mark.parametrize(
    "shape", [(3, 100000), (100000, 3), (700, 700), (40, 50, 300), (1, 1000003), (20000, 20), (100000, 65)]
)
def test_red4_any_number_of_threads(tmp_path, shape):
    kind, random = TYPES["f32"], np.random.default_rng(7)
    array = random.normal(0, 1, shape).astype(np.float32)
    for axis in range(len(shape)):
        text = Text(kind, "dynamic")
        program = text.text(softmax(text, text.argument(shape), (axis,)))
        one, two, three = (run(tmp_path, program, [array], [kind], f"--threads={n}")[0].tobytes() for n in (1, 2, 3))
        assert one == two == three


def test_red1_many_of_them(tmp_path):
    """Reductions that depend on each other, over other axes each."""
    kind, random = TYPES["f32"], np.random.default_rng(6)
    array = random.normal(0, 1, (6, 7, 8)).astype(np.float32)
    text, exact = Text(kind, "dynamic"), wide(array)
    value = text.argument(array.shape)
    for axis in itertools.islice(itertools.cycle((2, 0, 1, 1)), 10):
        value = softmax(text, value, (axis,))
        exact = softmaxReference(exact, axis)
    (got,) = run(tmp_path, text.text(value), [array], [kind])
    assertClose(got, exact, kind, 8)


@pytest.mark.parametrize("mode", ["static", "dynamic"])
def test_red1_softmax_of_special_rows(tmp_path, mode):
    """Rows with infinities and NaN, zeros of both signs, and exponentials that are subnormal or 0, of lengths with
    every kind of last vector."""
    kind, random = TYPES["f32"], np.random.default_rng(15)
    text, inputs, results = Text(kind, mode), [], []
    for length in [*range(1, 36), 63, 64, 197, 255, 1001]:
        array = random.normal(0, 3, (20, length)).astype(np.float32)
        for row, value in enumerate([np.nan, np.inf, -np.inf, -87.5, -100, -104, -1e30]):
            array[row, random.integers(length)] = value
        array[7], array[8], array[9], array[10] = -np.inf, np.nan, np.inf, -0.0
        array[11] = np.where(random.integers(2, size=length), 0.0, -0.0)
        array[12, :-1] = -np.inf
        array[13, 0], array[13, -1] = np.nan, np.inf
        inputs.append(array)
        results.append(softmax(text, text.argument(array.shape), (1,)))
    got = run(tmp_path, text.text(*results), inputs, [kind] * len(results))
    for array, found in zip(inputs, got):
        with np.errstate(invalid="ignore"):
            expected = softmaxReference(array.astype(np.longdouble), (1,))
        assert np.array_equal(np.isnan(found), np.isnan(expected)), array.shape
        isNumber = ~np.isnan(expected)
        error = np.abs(found[isNumber] - expected[isNumber])
        # Subnormal numbers are multiples of the least one.
        bound = np.maximum(expected[isNumber] * 30 * kind.eps, 4 * np.finfo(np.float32).smallest_subnormal)
        assert (error <= bound).all(), (array.shape, float(error.max()))
