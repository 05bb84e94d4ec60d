"""TOSA's operations on shapes: what they compute, and reshape, slice, tile, pad
and resize by shapes that only the extents of a call tell (tosa-shape-1)."""

import math

import broadloom
import numpy as np
import pytest
from broadloom import DONE, GUARD_FAILED, REJECTED
from element_types import TYPES

# Of numbers at least 0 and divisors at least 1.
BINARY = {
    "add_shape": lambda a, b: a + b,
    "sub_shape": lambda a, b: a - b,
    "mul_shape": lambda a, b: a * b,
    "max_shape": max,
    "min_shape": min,
    "div_floor_shape": lambda a, b: a // b,
    "div_ceil_shape": lambda a, b: -(-a // b),
    "mod_shape": lambda a, b: a % b,
}
UNARY = {
    "exp2_shape": lambda a: 2**a,
    "log2_floor_shape": lambda a: a.bit_length() - 1,
    "log2_ceil_shape": lambda a: (a - 1).bit_length(),
}
MODES = ["static", "dynamic", "constant"]
ONE = "!tosa.shape<1>"


def tensor(shape, mode):
    return f"tensor<{''.join(('?' if mode == 'dynamic' else str(e)) + 'x' for e in shape)}f32>"


def program(body, arguments, results, mode):
    """`body` uses %a, %b, ... of these types; constants where mode says so."""
    named = list(zip("abcdef", arguments))
    head = "" if mode == "constant" else ", ".join(f"%{name}: {kind}" for name, kind in named)
    lines = [
        f'  %{name} = "tosa.const"() {{values = dense<2.0> : {kind}}} : () -> {kind}'
        for name, kind in named
        if mode == "constant"
    ]
    kinds = ", ".join(results.values())
    return "\n".join(
        [
            f"func.func @main({head}) -> ({kinds}) {{",
            *lines,
            *(f"  {line}" for line in body),
            f"  return {', '.join(results)} : {kinds}",
            "}",
            "",
        ]
    )


def run(folder, text, arrays, mode, results=1):
    outcome, found = broadloom.run(folder, text, [] if mode == "constant" else arrays, [TYPES["f32"]] * results)
    assert outcome.status == DONE, outcome.error
    return found


def full(*shape):
    return np.full(shape, 2.0, np.float32)


def dim(name, source, kind, axis=0):
    return f"%{name} = tosa.dim %{source} {{axis = {axis} : i32}} : ({kind}) -> {ONE}"


def binary(name, operation, a, b):
    return f"%{name} = tosa.{operation} %{a}, %{b} : ({ONE}, {ONE}) -> {ONE}"


def constant(name, *values):
    count = len(values)
    return (
        f"%{name} = tosa.const_shape {{values = dense<{list(values)}> : tensor<{count}xindex>}} : () -> "
        f"!tosa.shape<{count}>"
    )


def join(name, *parts):
    return (
        f"%{name} = tosa.concat_shape {', '.join('%' + p for p in parts)} : ({', '.join([ONE] * len(parts))}) -> "
        f"!tosa.shape<{len(parts)}>"
    )


def tileOne(result, times, kind):
    """%result has as many elements as the number of a shape says."""
    return [
        f'%one_{result} = "tosa.const"() {{values = dense<1.0> : tensor<1xf32>}} : () -> tensor<1xf32>',
        f"%{result} = tosa.tile %one_{result}, %{times} : (tensor<1xf32>, {ONE}) -> {kind}",
    ]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("operation", [*BINARY, *UNARY])
def test_tosa_shape1_arithmetic(tmp_path, operation, mode):
    for n, m in [(7, 3), (8, 4), (1, 1), (5, 5), (16, 9), (3, 7)]:
        expected = BINARY[operation](n, m) if operation in BINARY else UNARY[operation](n)
        if expected < 0:
            continue
        kinds = [tensor((n,), mode), tensor((m,), mode)]
        # One more than the result, which may be 0.
        result = tensor((expected + 1,), mode)
        body = [dim("n", "a", kinds[0]), dim("m", "b", kinds[1]), constant("k", 1)]
        body.append(
            binary("r", operation, "n", "m") if operation in BINARY else f"%r = tosa.{operation} %n : ({ONE}) -> {ONE}"
        )
        body += [binary("more", "add_shape", "r", "k"), *tileOne("t", "more", result)]
        text = program(body, kinds, {"%t": result}, mode)
        (found,) = run(tmp_path, text, [full(n), full(m)], mode)
        assert found.shape == (expected + 1,), (operation, n, m, found.shape)


@pytest.mark.parametrize("mode", MODES)
def test_tosa_shape1_every_reader(tmp_path, mode):
    """Flattened, given back its shape with an inferred extent, halved, tiled,
    padded to a multiple of 4; and what a slice of columns leaves is reshaped."""
    for h, w in [(3, 2), (4, 5), (1, 1), (7, 8)]:
        half, up = h - h // 2, 4 * math.ceil(w / 4)
        shapes = {
            "%flat": (h * w,),
            "%back": (h, w),
            "%half": (half, w),
            "%tiled": (h * h, 2 * w),
            "%padded": (h, up),
            "%columns": (h * (w - w // 2),),
        }
        kind = tensor((h, w), mode)
        results = {name: tensor(shape, mode) for name, shape in shapes.items()}
        pair = "!tosa.shape<2>"
        body = [
            dim("h", "a", kind, 0),
            dim("w", "a", kind, 1),
            constant("open", -1),
            constant("zero", 0),
            constant("two", 2),
            constant("four", 4),
            binary("all", "mul_shape", "h", "w"),
            f"%flat = tosa.reshape %a, %all : ({kind}, {ONE}) -> {results['%flat']}",
            join("s", "open", "w"),
            f"%back = tosa.reshape %flat, %s : ({results['%flat']}, {pair}) -> {results['%back']}",
            binary("h2", "div_floor_shape", "h", "two"),
            join("start", "h2", "zero"),
            join("size", "open", "w"),
            f"%half = tosa.slice %a, %start, %size : ({kind}, {pair}, {pair}) -> {results['%half']}",
            join("times", "h", "two"),
            f"%tiled = tosa.tile %a, %times : ({kind}, {pair}) -> {results['%tiled']}",
            binary("blocks", "div_ceil_shape", "w", "four"),
            binary("up", "mul_shape", "blocks", "four"),
            binary("more", "sub_shape", "up", "w"),
            f"%p = tosa.concat_shape %zero, %zero, %zero, %more : ({', '.join([ONE] * 4)}) -> !tosa.shape<4>",
            '%with = "tosa.const"() {values = dense<0.5> : tensor<1xf32>} : () -> tensor<1xf32>',
            f"%padded = tosa.pad %a, %p, %with : ({kind}, !tosa.shape<4>, tensor<1xf32>) -> {results['%padded']}",
            binary("w2", "div_floor_shape", "w", "two"),
            binary("left", "sub_shape", "w", "w2"),
            join("from", "zero", "w2"),
            join("to", "h", "left"),
            f"%cut = tosa.slice %a, %from, %to : ({kind}, {pair}, {pair}) -> {tensor((h, w - w // 2), mode)}",
            binary("count", "mul_shape", "h", "left"),
            f"%columns = tosa.reshape %cut, %count : ({tensor((h, w - w // 2), mode)}, {ONE}) -> {results['%columns']}",
        ]
        text = program(body, [kind], results, mode)
        a = full(h, w) if mode == "constant" else np.arange(h * w, dtype=np.float32).reshape(h, w)
        found = run(tmp_path, text, [a], mode, len(results))
        padded = np.pad(a, ((0, 0), (0, up - w)), constant_values=0.5)
        expected = [a.reshape(-1), a, a[h // 2 :], np.tile(a, (h, 2)), padded, a[:, w // 2 :].reshape(-1)]
        for name, x, y in zip(results, found, expected):
            assert np.array_equal(x, y), name


@pytest.mark.parametrize("mode", MODES)
def test_tosa_shape1_resize(tmp_path, mode):
    """To a scale that the image's own height gives."""
    h, w = 3, 4
    sizes = [(h - 1) * h + 1, (w - 1) * h + 1]
    kinds = [tensor((1, h, w, 1), mode), tensor((1, *sizes, 1), mode)]
    body = [
        dim("h", "a", kinds[0], 1),
        constant("k", 1),
        constant("z", 0, 0),
        join("s", "h", "k", "h", "k"),
        (
            f"%r = tosa.resize %a, %s, %z, %z {{mode = BILINEAR}} : ({kinds[0]}, !tosa.shape<4>, !tosa.shape<2>, "
            f"!tosa.shape<2>) -> {kinds[1]}"
        ),
    ]
    a = full(1, h, w, 1) if mode == "constant" else np.arange(h * w, dtype=np.float32).reshape(1, h, w, 1)
    (found,) = run(tmp_path, program(body, [kinds[0]], {"%r": kinds[1]}, mode), [a], mode)
    y, x = (np.arange(size) / h for size in sizes)
    rows = np.array([[np.interp(t, np.arange(w), a[0, i, :, 0]) for t in x] for i in range(h)])
    expected = np.array([[np.interp(t, np.arange(h), rows[:, j]) for j in range(sizes[1])] for t in y])
    assert np.allclose(found[0, :, :, 0], expected, atol=1e-5)


def test_tosa_shape1_in_branches_and_loops(tmp_path):
    text = """\
func.func @main(%a: tensor<?x?xf32>, %c: tensor<i1>, %n: tensor<i32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %h = tosa.dim %a {axis = 0 : i32} : (tensor<?x?xf32>) -> !tosa.shape<1>
  %0 = tosa.cond_if %c : tensor<i1> -> tensor<?xf32> {
    %w = tosa.dim %a {axis = 1 : i32} : (tensor<?x?xf32>) -> !tosa.shape<1>
    %s = tosa.mul_shape %h, %w : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
    %f = tosa.reshape %a, %s : (tensor<?x?xf32>, !tosa.shape<1>) -> tensor<?xf32>
    tosa.yield %f : tensor<?xf32>
  } else {
    %w = tosa.dim %a {axis = 1 : i32} : (tensor<?x?xf32>) -> !tosa.shape<1>
    %s = tosa.mul_shape %w, %h : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
    %one = "tosa.const"() {values = dense<1.0> : tensor<1xf32>} : () -> tensor<1xf32>
    %f = tosa.tile %one, %s : (tensor<1xf32>, !tosa.shape<1>) -> tensor<?xf32>
    tosa.yield %f : tensor<?xf32>
  }
  %z = "tosa.const"() {values = dense<0> : tensor<i32>} : () -> tensor<i32>
  %i, %r = tosa.while_loop (%i = %z, %r = %0) : (tensor<i32>, tensor<?xf32>) -> (tensor<i32>, tensor<?xf32>) {
    %more = tosa.greater %n, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    tosa.yield %more : tensor<i1>
  } do {
  ^bb0(%i: tensor<i32>, %r: tensor<?xf32>):
    %k = "tosa.const"() {values = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = tosa.add %i, %k : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %l = tosa.dim %a {axis = 1 : i32} : (tensor<?x?xf32>) -> !tosa.shape<1>
    %open = tosa.const_shape {values = dense<-1> : tensor<1xindex>} : () -> !tosa.shape<1>
    %s = tosa.concat_shape %l, %open : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<2>
    %p = tosa.reshape %r, %s : (tensor<?xf32>, !tosa.shape<2>) -> tensor<?x?xf32>
    %q = tosa.transpose %p {perms = array<i32: 1, 0>} : (tensor<?x?xf32>) -> tensor<?x?xf32>
    %all = tosa.mul_shape %l, %h : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
    %t = tosa.reshape %q, %all : (tensor<?x?xf32>, !tosa.shape<1>) -> tensor<?xf32>
    tosa.yield %next, %t : tensor<i32>, tensor<?xf32>
  }
  %w = tosa.dim %a {axis = 1 : i32} : (tensor<?x?xf32>) -> !tosa.shape<1>
  %all = tosa.mul_shape %h, %w : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
  %1 = tosa.reshape %0, %all : (tensor<?xf32>, !tosa.shape<1>) -> tensor<?xf32>
  %2 = tosa.reshape %r, %all : (tensor<?xf32>, !tosa.shape<1>) -> tensor<?xf32>
  return %1, %2 : tensor<?xf32>, tensor<?xf32>
}
"""
    a = np.arange(6, dtype=np.float32).reshape(2, 3)
    for condition, times in [(True, 0), (True, 2), (False, 1)]:
        outcome, found = broadloom.run(
            tmp_path, text, [a, np.array(condition), np.array(times, np.int32)], [TYPES["f32"]] * 2
        )
        assert outcome.status == DONE, outcome.error
        expected = a.reshape(-1) if condition else np.ones(6, np.float32)
        assert np.array_equal(found[0], expected)
        for _ in range(times):
            expected = expected.reshape(3, 2).T.reshape(-1)
        assert np.array_equal(found[1], expected)


def between(operation, reader):
    """%r = reader of %a by what the operation makes of the extents of %a, %b."""
    kind = tensor((0,), "dynamic")
    body = [
        dim("n", "a", kind),
        dim("m", "b", kind),
        constant("zero", 0),
        binary("s", operation, "n", "m"),
        join("p", "s", "zero"),
        '%z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>',
        {
            "pad": f"%r = tosa.pad %a, %p, %z : ({kind}, !tosa.shape<2>, tensor<1xf32>) -> {kind}",
            "reshape": f"%r = tosa.reshape %a, %s : ({kind}, {ONE}) -> {kind}",
            "tile": f"%r = tosa.tile %a, %s : ({kind}, {ONE}) -> {kind}",
            "slice": f"%r = tosa.slice %a, %s, %n : ({kind}, {ONE}, {ONE}) -> {kind}",
        }[reader],
    ]
    return program(body, [kind, kind], {"%r": kind}, "dynamic")


@pytest.mark.parametrize(
    "operation, reader, n, m, message",
    [
        ("sub_shape", "pad", 2, 3, "the padding before axis 0 must not be negative, but is -1"),
        ("sub_shape", "tile", 3, 3, "the multiple along axis 0 must be at least 1, but is 0"),
        ("sub_shape", "reshape", 2, 4, "extent -2 of axis 0 of the new shape is negative"),
        ("add_shape", "reshape", 2, 3, "has 2 elements but the new shape 5 has 5"),
        ("sub_shape", "slice", 2, 3, "the start along axis 0 must not be negative, but is -1"),
        ("sub_shape", "slice", 4, 3, "the slice from 1 of size 4 along axis 0 leaves the input, which has 4"),
        ("div_floor_shape", "tile", 2, 0, "number 0 of input2 must be positive, but is 0"),
        ("mod_shape", "tile", 2, 0, "number 0 of input2 must be positive, but is 0"),
    ],
)
def test_wrong_shape(tmp_path, operation, reader, n, m, message):
    text = between(operation, reader)
    outcome, _ = broadloom.run(tmp_path, text, [full(n), full(m)], [TYPES["f32"]])
    assert outcome.status == GUARD_FAILED and message in outcome.error, outcome.error


@pytest.mark.parametrize(
    "operation, message",
    [
        ("log2_floor_shape", "number 0 of the input has no logarithm: it is 0"),
        ("log2_ceil_shape", "number 0 of the input has no logarithm: it is 0"),
    ],
)
def test_wrong_logarithm(tmp_path, operation, message):
    kind = tensor((0,), "dynamic")
    body = [dim("n", "a", kind), f"%s = tosa.{operation} %n : ({ONE}) -> {ONE}", *tileOne("r", "s", kind)]
    outcome, _ = broadloom.run(tmp_path, program(body, [kind], {"%r": kind}, "dynamic"), [full(0)], [TYPES["f32"]])
    assert outcome.status == GUARD_FAILED and message in outcome.error, outcome.error


def test_refuted_shape(tmp_path):
    kinds = ["tensor<2xf32>", "tensor<3xf32>"]
    text = between("add_shape", "reshape").replace(
        "%a: tensor<?xf32>, %b: tensor<?xf32>", "%a: tensor<2xf32>, %b: tensor<3xf32>"
    )
    for name, kind in zip("ab", kinds):
        text = text.replace(
            f"tosa.dim %{name} {{axis = 0 : i32}} : (tensor<?xf32>)", f"tosa.dim %{name} {{axis = 0 : i32}} : ({kind})"
        )
    text = text.replace("tosa.reshape %a, %s : (tensor<?xf32>", "tosa.reshape %a, %s : (tensor<2xf32>")
    outcome, _ = broadloom.run(tmp_path, text, [full(2), full(3)], [TYPES["f32"]])
    assert outcome.status == REJECTED and "has 2 elements but the new shape 5 has 5" in outcome.error, outcome.error


def test_pad_of_two_types_is_refused(tmp_path):
    text = between("add_shape", "pad").replace(
        "dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>", "dense<0> : tensor<1xi32>} : () -> tensor<1xi32>"
    )
    text = text.replace("!tosa.shape<2>, tensor<1xf32>)", "!tosa.shape<2>, tensor<1xi32>)")
    outcome, _ = broadloom.run(tmp_path, text, [full(2), full(3)], [TYPES["f32"]])
    message = "has an input of 'tensor<?xf32>' but a padding value of 'tensor<1xi32>'"
    assert outcome.status == REJECTED and message in outcome.error, outcome.error


def test_numbers_that_data_gives_are_refused(tmp_path):
    text = """\
func.func @main(%a: tensor<?xf32>, %i: tensor<1xi32>) -> tensor<?xf32> {
  %s = tosa.dim %a {axis = 0 : i32} : (tensor<?xf32>) -> !tosa.shape<1>
  %o = tosa.slice_shape %s, %i, %i : (!tosa.shape<1>, tensor<1xi32>, tensor<1xi32>) -> !tosa.shape<1>
  %0 = tosa.reshape %a, %o : (tensor<?xf32>, !tosa.shape<1>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
"""
    outcome, _ = broadloom.run(tmp_path, text, [full(3), np.array([1], np.int32)], [TYPES["f32"]])
    assert outcome.status == REJECTED and "has numbers that no extent and no constant tells" in outcome.error


def test_extents_of_broadcasts_of_unknown_rank_tell_shapes(tmp_path):
    """No argument has the extent that `tosa.dim` tells: it is of a broadcast."""
    text = """\
func.func @main(%a: tensor<*xf32>, %b: tensor<*xf32>) -> tensor<?xf32> {
  %0 = tosa.add %a, %b : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  %1 = tensor.cast %0 : tensor<*xf32> to tensor<?x?xf32>
  %d = tosa.dim %1 {axis = 1 : i32} : (tensor<?x?xf32>) -> !tosa.shape<1>
  %n = tosa.const_shape {values = dense<2> : tensor<1xindex>} : () -> !tosa.shape<1>
  %s = tosa.mul_shape %d, %n : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
  %2 = tensor.cast %a : tensor<*xf32> to tensor<?x?xf32>
  %3 = tosa.reshape %2, %s : (tensor<?x?xf32>, !tosa.shape<1>) -> tensor<?xf32>
  return %3 : tensor<?xf32>
}
"""
    a = np.arange(6, dtype=np.float32).reshape(2, 3)
    outcome, found = broadloom.run(tmp_path, text, [a, a[:, :1]], [TYPES["f32"]])
    assert outcome.status == DONE, outcome.error
    np.testing.assert_array_equal(found[0], a.reshape(6))
    outcome, _ = broadloom.run(tmp_path, text, [a[:, :1], a], [TYPES["f32"]])
    assert outcome.status == GUARD_FAILED and "has 2 elements but the new shape 6 has 6" in outcome.error


@pytest.mark.parametrize("strategy", ["default", "rfc"])
def test_a_computed_padding_of_no_elements(tmp_path, strategy):
    text = """\
func.func @main(%a: tensor<0x2xf32>, %b: tensor<?xf32>) -> tensor<?x?xf32> {
  %d = tosa.dim %b {axis = 0 : i32} : (tensor<?xf32>) -> !tosa.shape<1>
  %n = tosa.const_shape {values = dense<[0, 0, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %p = tosa.concat_shape %d, %n : (!tosa.shape<1>, !tosa.shape<3>) -> !tosa.shape<4>
  %v = "tosa.const"() {values = dense<7.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %0 = tosa.pad %a, %p, %v : (tensor<0x2xf32>, !tosa.shape<4>, tensor<1xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
"""
    inputs = [np.zeros((0, 2), np.float32), full(3)]
    outcome, found = broadloom.run(tmp_path, text, inputs, [TYPES["f32"]], f"--strategy={strategy}")
    assert outcome.status == DONE, outcome.error
    np.testing.assert_array_equal(found[0], np.full((3, 3), 7, np.float32))
