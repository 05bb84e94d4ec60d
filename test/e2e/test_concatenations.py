"""Concatenations of what launches, loops, copies and other concatenations make, which
write to the concatenation's memory where they can, against NumPy: whole programs, made
at random, whose values are whole numbers, so that every bit counts."""

import broadloom
import numpy as np
import pytest
from broadloom import DONE, GUARD_FAILED
from element_types import TYPES
from images import tensor
from test_contractions import constant

CHANNELS = 4
# How h rows of channels are a tensor, the axis of the rows, and how many of them are
# one. The large ones are written over each other.
LAYOUTS = {
    "one image": (lambda h: (1, h, CHANNELS), 1, 1),
    "two images": (lambda h: (2, h, CHANNELS), 1, 1),
    "outermost": (lambda h: (h, 1, CHANNELS), 0, 1),
    "large": (lambda h: (1, h * 4096, CHANNELS), 1, 4096),
}


class Program:
    """A function under construction, and what NumPy says of each of its tensors."""

    def __init__(self, seed, layout, mode):
        self.random = np.random.default_rng(seed)
        self.shapeOf, self.axis, self.unit = LAYOUTS[layout]
        self.mode = mode
        self.lines = []
        self.values = []
        self.arguments = [self.makeArray(h) for h in (2, 3, 2)]
        for array in self.arguments:
            self.values.append((f"%a{len(self.values)}", array))

    def makeArray(self, h):
        return self.random.integers(-9, 9, self.shapeOf(h)).astype(np.float32)

    def kind(self, array):
        return tensor(array.shape, "f32", self.mode)

    def pick(self, *shape):
        fitting = [v for v in self.values if not shape or v[1].shape == shape[0]]
        return fitting[self.random.integers(len(fitting))]

    def add(self, lines, array):
        """`lines` make %r from names with the number of the new tensor as {n}."""
        number = len(self.values)
        name = f"%v{number}"
        self.lines += [line.replace("{n}", str(number)).replace("%r ", name + " ") for line in lines]
        self.values.append((name, np.ascontiguousarray(array)))

    def sum(self):
        x, a = self.pick()
        y, b = self.pick(a.shape)
        t = self.kind(a)
        self.add(
            [
                f"  %s{{n}} = tosa.add {x}, {y} : ({t}, {t}) -> {t}",
                f"  %r = tosa.clamp %s{{n}} {{min_val = -999.0 : f32, max_val = 999.0 : f32}} : ({t}) -> {t}",
            ],
            np.clip(a + b, -999, 999),
        )

    def reverse(self):
        x, a = self.pick()
        t = self.kind(a)
        self.add([f"  %r = tosa.reverse {x} {{axis = {self.axis} : i32}} : ({t}) -> {t}"], np.flip(a, self.axis))

    def product(self):
        x, a = self.pick()
        w = self.random.integers(-1, 2, (a.shape[0], CHANNELS, CHANNELS)).astype(np.float32)
        t, u = self.kind(a), tensor(w.shape, "f32")
        # The rows of the outermost axis are images of one row.
        self.add(
            [
                constant("w{n}", w, "f32"),
                f"  %r = tosa.matmul {x}, %w{{n}}, %zero, %zero : ({t}, {u}, tensor<1xf32>, tensor<1xf32>) -> {t}",
            ],
            a @ w,
        )

    def mean(self):
        x, a = self.pick()
        t, u = self.kind(a), self.kind(a[..., :1])
        self.add(
            [
                f"  %s{{n}} = tosa.reduce_max {x} {{axis = 2 : i32}} : ({t}) -> {u}",
                f"  %r = tosa.sub {x}, %s{{n}} : ({t}, {u}) -> {t}",
            ],
            a - a.max(2, keepdims=True),
        )

    def turned(self):
        x, a = self.pick()
        t, u = self.kind(a), self.kind(a.transpose(2, 1, 0))
        self.add(
            [
                f"  %s{{n}} = tosa.transpose {x} {{perms = array<i32: 2, 1, 0>}} : ({t}) -> {u}",
                f"  %q{{n}} = tosa.reverse %s{{n}} {{axis = 1 : i32}} : ({u}) -> {u}",
                f"  %r = tosa.transpose %q{{n}} {{perms = array<i32: 2, 1, 0>}} : ({u}) -> {t}",
            ],
            np.flip(a, 1),
        )

    def slice(self):
        x, a = self.pick()
        h = a.shape[self.axis]
        start = int(self.random.integers(h // self.unit)) * self.unit
        b = np.take(a, range(start, h), self.axis)
        begin = [start if axis == self.axis else 0 for axis in range(3)]
        self.add(
            [
                f"  %b{{n}} = tosa.const_shape {{values = dense<{begin}> : tensor<3xindex>}} : () -> !tosa.shape<3>",
                f"  %e{{n}} = tosa.const_shape {{values = dense<{list(b.shape)}> : tensor<3xindex>}} : () -> !tosa.shape<3>",
                f"  %r = tosa.slice {x}, %b{{n}}, %e{{n}} : ({self.kind(a)}, !tosa.shape<3>, !tosa.shape<3>) -> {self.kind(b)}",
            ],
            b,
        )

    def write(self):
        x, a = self.pick()
        b = a.copy()
        b[0, 0, 1] = 77
        self.add([f"  %r = tensor.insert %seven into {x}[%c0, %c0, %c1] : {self.kind(a)}"], b)

    def constant(self):
        a = self.makeArray(2)
        t = self.kind(a)
        number = len(self.values)
        self.add(
            [constant(f"k{number}", a, "f32"), f"  %r = tensor.cast %k{number} : {tensor(a.shape, 'f32')} to {t}"]
            if self.mode == "dynamic"
            else [constant(f"v{number}", a, "f32")],
            a,
        )

    def concat(self):
        parts = [self.pick() for _ in range(self.random.integers(2, 5))]
        whole = np.concatenate([a for _, a in parts], self.axis)
        if whole.shape[self.axis] > 40 * self.unit:
            return
        self.add(
            [
                (
                    f"  %r = tosa.concat {', '.join(x for x, _ in parts)} {{axis = {self.axis} : i32}} : "
                    f"({', '.join(self.kind(a) for _, a in parts)}) -> {self.kind(whole)}"
                )
            ],
            whole,
        )

    def grow(self, steps):
        made = [self.sum, self.reverse, self.product, self.mean, self.turned, self.slice, self.write, self.constant]
        for _ in range(steps):
            made[self.random.integers(len(made))]()
            if self.random.random() < 0.5:
                self.concat()
        self.concat()

    def text(self, results):
        kinds = [self.kind(a) for _, a in results]
        signature = ", ".join(f"%a{i}: {self.kind(a)}" for i, a in enumerate(self.arguments))
        head = [
            f"func.func @main({signature}) -> ({', '.join(kinds)}) {{",
            '  %zero = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>',
            "  %seven = arith.constant 77.0 : f32",
            "  %c0 = arith.constant 0 : index",
            "  %c1 = arith.constant 1 : index",
        ]
        return "\n".join(
            [*head, *self.lines, f"  return {', '.join(x for x, _ in results)} : {', '.join(kinds)}", "}", ""]
        )


@pytest.mark.parametrize("seed", range(16))
@pytest.mark.parametrize("mode", ["static", "dynamic"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_programs_made_at_random(tmp_path, layout, mode, seed):
    program = Program(seed, layout, mode)
    program.grow(10)
    made = program.values[len(program.arguments) :]
    # The last is a concatenation; what others are returned is drawn.
    results = [*(v for v in made[:-1] if program.random.random() < 0.25), made[-1]]
    outcome, found = broadloom.run(tmp_path, program.text(results), program.arguments, [TYPES["f32"]] * len(results))
    assert outcome.status == DONE, outcome.error
    for (_, expected), one in zip(results, found):
        np.testing.assert_array_equal(one, expected)


def convolve(x, w):
    """Windows that begin in front of the image by half of the kernel, as far as there are such; w is
    [channels out, rows, columns, channels in]."""
    rows, columns = w.shape[1:3]
    p = np.pad(x, ((0, 0), (rows // 2,) * 2, (columns // 2,) * 2, (0, 0)))
    windows = np.lib.stride_tricks.sliding_window_view(p, (rows, columns), (1, 2))
    return np.einsum("nhwcij,oijc->nhwo", windows, w)


class Channels:
    """A function whose convolutions and pools are put side by side by their channels, under construction."""

    def __init__(self, seed, extents, mode):
        self.random = np.random.default_rng(seed)
        self.lines, self.count = [], 0
        self.mode = mode
        self.argument = self.random.integers(-3, 4, extents).astype(np.float32)

    def kind(self, array):
        """Channels are always known."""
        open_ = self.mode == "dynamic"
        return f"tensor<{'x'.join('?' if open_ else str(n) for n in array.shape[:3])}x{array.shape[3]}xf32>"

    def add(self, text, array):
        name = f"%v{self.count}"
        self.count += 1
        self.lines.append(f"  {name} = {text} -> {self.kind(array)}")
        return name, array

    def convolve(self, value, channels, size):
        (x, a), n = value, self.count
        w = self.random.integers(-1, 2, (channels, size, size, a.shape[3])).astype(np.float32)
        b = self.random.integers(-2, 3, channels).astype(np.float32)
        self.lines += [constant(f"w{n}", w, "f32"), constant(f"b{n}", b, "f32")]
        pad = size // 2
        name, sums = self.add(
            f"tosa.conv2d {x}, %w{n}, %b{n}, %zero, %zero {{acc_type = f32, dilation = array<i64: 1, 1>, "
            f"pad = array<i64: {pad}, {pad}, {pad}, {pad}>, stride = array<i64: 1, 1>}} : ({self.kind(a)}, "
            f"{tensor(w.shape, 'f32')}, {tensor(b.shape, 'f32')}, tensor<1xf32>, tensor<1xf32>)",
            convolve(a, w) + b,
        )
        return self.add(
            f"tosa.clamp {name} {{min_val = 0.0 : f32, max_val = 9.0 : f32}} : ({self.kind(sums)})",
            np.clip(sums, 0, 9),
        )

    def depthwise(self, value):
        (x, a), n = value, self.count
        w = self.random.integers(-1, 2, (3, 3, a.shape[3], 1)).astype(np.float32)
        b = np.zeros(a.shape[3], np.float32)
        self.lines += [constant(f"w{n}", w, "f32"), constant(f"b{n}", b, "f32")]
        whole = np.einsum("ijcm,cd->cijd", w, np.eye(a.shape[3], dtype=np.float32))
        return self.add(
            f"tosa.depthwise_conv2d {x}, %w{n}, %b{n}, %zero, %zero {{acc_type = f32, dilation = array<i64: 1, 1>, "
            f"pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>}} : ({self.kind(a)}, "
            f"{tensor(w.shape, 'f32')}, {tensor(b.shape, 'f32')}, tensor<1xf32>, tensor<1xf32>)",
            convolve(a, whole),
        )

    def pool(self, value):
        x, a = value
        p = np.pad(a, ((0, 0), (1, 1), (1, 1), (0, 0)), constant_values=-np.inf)
        windows = np.lib.stride_tricks.sliding_window_view(p, (3, 3), (1, 2))
        return self.add(
            f"tosa.max_pool2d {x} {{kernel = array<i64: 3, 3>, pad = array<i64: 1, 1, 1, 1>, "
            f"stride = array<i64: 1, 1>}} : ({self.kind(a)})",
            windows.max((4, 5)),
        )

    def concat(self, values):
        return self.add(
            f"tosa.concat {', '.join(x for x, _ in values)} {{axis = 3 : i32}} : "
            f"({', '.join(self.kind(a) for _, a in values)})",
            np.concatenate([a for _, a in values], 3),
        )

    def check(self, tmp_path, results):
        kinds = [self.kind(a) for _, a in results]
        text = [
            f"func.func @main(%x: {self.kind(self.argument)}) -> ({', '.join(kinds)}) {{",
            '  %zero = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>',
            *self.lines,
            f"  return {', '.join(x for x, _ in results)} : {', '.join(kinds)}",
            "}",
            "",
        ]
        outcome, found = broadloom.run(tmp_path, "\n".join(text), [self.argument], [TYPES["f32"]] * len(results))
        assert outcome.status == DONE, outcome.error
        for (_, expected), one in zip(results, found):
            np.testing.assert_array_equal(one, expected)


IMAGES = [(2, 5, 6, 3), (1, 1, 1, 5), (1, 9, 2, 16), (3, 14, 15, 6), (0, 4, 4, 3)]


@pytest.mark.parametrize("mode", ["static", "dynamic"])
@pytest.mark.parametrize("extents", IMAGES)
def test_branches_by_channels(tmp_path, extents, mode):
    """What kernels of sums make is written to its channels of the whole, unless something else reads it."""
    if mode == "static" and 0 in extents:
        pytest.skip("tosa has no extents of 0 in types")
    p = Channels(3, extents, mode)
    x = ("%x", p.argument)
    for channels in ((1, 7, 16), (5, 33, 64)):
        branches = [p.convolve(x, channels[0], 1), p.convolve(x, channels[1], 3), p.depthwise(x), p.pool(x)]
        branches.append(p.convolve(p.convolve(x, 4, 1), channels[2], 3))
        x = p.concat(branches)
    p.check(tmp_path, [x, branches[1]])


@pytest.mark.parametrize("mode", ["static", "dynamic"])
@pytest.mark.parametrize("extents", IMAGES[:4])
def test_concatenations_that_grow(tmp_path, extents, mode):
    """Each reads all that were before it, and begins with the operands of the last one."""
    p = Channels(4, extents, mode)
    x = ("%x", p.argument)
    parts = [p.convolve(x, 8, 3)]
    for _ in range(4):
        whole = p.concat(parts) if len(parts) > 1 else parts[0]
        parts.append(p.convolve(whole, 8, 3))
    last = p.concat(parts)
    other = p.concat([parts[0], parts[2], parts[1], whole])
    p.check(tmp_path, [last, whole, other])


HEADS = """
func.func @main(%a: tensor<Nx4x4x8xf32>, %b: tensor<Nx2x2x8xf32>) -> tensor<Nx40x4xf32> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %s = tosa.const_shape {values = dense<[-1, 32, 4]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %t = tosa.const_shape {values = dense<[-1, 8, 4]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %0 = tosa.add %a, %a : (tensor<Nx4x4x8xf32>, tensor<Nx4x4x8xf32>) -> tensor<Nx4x4x8xf32>
  %1 = tosa.negate %b, %z, %z : (tensor<Nx2x2x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<Nx2x2x8xf32>
  %2 = tosa.reshape %0, %s : (tensor<Nx4x4x8xf32>, !tosa.shape<3>) -> tensor<Nx32x4xf32>
  %3 = tosa.reshape %1, %t : (tensor<Nx2x2x8xf32>, !tosa.shape<3>) -> tensor<Nx8x4xf32>
  %4 = tosa.concat %2, %3 {axis = 1 : i32} : (tensor<Nx32x4xf32>, tensor<Nx8x4xf32>) -> tensor<Nx40x4xf32>
  return %4 : tensor<Nx40x4xf32>
}
"""


@pytest.mark.parametrize("count, open_", [(1, False), (3, False), (0, True), (1, True), (3, True)])
def test_heads_of_a_detector(tmp_path, count, open_):
    """Results of several scales are reshaped and put side by side."""
    random = np.random.default_rng(3)
    a, b = (random.standard_normal((count, n, n, 8)).astype(np.float32) for n in (4, 2))
    text = HEADS.replace("N", "?" if open_ else str(count))
    outcome, found = broadloom.run(tmp_path, text, [a, b], [TYPES["f32"]])
    assert outcome.status == DONE, outcome.error
    np.testing.assert_array_equal(
        found[0], np.concatenate([(a + a).reshape(count, 32, 4), (-b).reshape(count, 8, 4)], 1)
    )


WRITTEN = """
func.func @main(%a: tensor<Nx3xf32>) -> (tensor<Mx3xf32>, tensor<Nx3xf32>) {
  %c0 = arith.constant 0 : index
  %seven = arith.constant 77.0 : f32
  %x = tosa.add %a, %a : (tensor<Nx3xf32>, tensor<Nx3xf32>) -> tensor<Nx3xf32>
  %c = tosa.concat %x, %a {axis = 0 : i32} : (tensor<Nx3xf32>, tensor<Nx3xf32>) -> tensor<Mx3xf32>
  %w = tensor.insert %seven into WRITTEN[%c0, %c0] : tensor<Kx3xf32>
  %f = tosa.add OPERAND, %a : (tensor<Nx3xf32>, tensor<Nx3xf32>) -> tensor<Nx3xf32>
  %g = tosa.add WHOLE, WHOLE : (tensor<Mx3xf32>, tensor<Mx3xf32>) -> tensor<Mx3xf32>
  return %g, %f : tensor<Mx3xf32>, tensor<Nx3xf32>
}
"""


@pytest.mark.parametrize("mode", ["static", "dynamic"])
@pytest.mark.parametrize("written", ["operand", "whole"])
def test_writes_behind_a_concatenation(tmp_path, written, mode):
    """What is written to an operand or to the whole, in place, is not seen in the other."""
    a = np.arange(12, dtype=np.float32).reshape(4, 3)
    x, c = a + a, np.concatenate([a + a, a])
    operand, whole = ("%w", "%c") if written == "operand" else ("%x", "%w")
    (x if written == "operand" else c)[0, 0] = 77
    text = (
        WRITTEN.replace("WRITTEN", "%x" if written == "operand" else "%c")
        .replace("OPERAND", operand)
        .replace("WHOLE", whole)
    )
    text = text.replace("K", "N" if written == "operand" else "M")
    text = text.replace("N", "?" if mode == "dynamic" else "4").replace("M", "?" if mode == "dynamic" else "8")
    outcome, found = broadloom.run(tmp_path, text, [a], [TYPES["f32"]] * 2)
    assert outcome.status == DONE, outcome.error
    np.testing.assert_array_equal(found[0], 2 * c)
    np.testing.assert_array_equal(found[1], x + a)


def test_an_operand_is_read_when_the_whole_is_written_over(tmp_path):
    """The large result of a map goes over an operand, if nothing else is in that memory."""
    kind, whole = "tensor<128x128xf32>", "tensor<256x128xf32>"
    text = f"""
func.func @main(%x: {kind}, %y: {kind}) -> ({whole}, {kind}) {{
  %a = tosa.add %x, %x : ({kind}, {kind}) -> {kind}
  %b = tosa.add %y, %y : ({kind}, {kind}) -> {kind}
  %w = tosa.concat %a, %b {{axis = 0 : i32}} : ({kind}, {kind}) -> {whole}
  %c = tosa.abs %w : ({whole}) -> {whole}
  %r = tosa.reverse %c {{axis = 1 : i32}} : ({whole}) -> {whole}
  %s = tosa.reverse %r {{axis = 0 : i32}} : ({whole}) -> {whole}
  %begin = tosa.const_shape {{values = dense<[128, 0]> : tensor<2xindex>}} : () -> !tosa.shape<2>
  %size = tosa.const_shape {{values = dense<[128, 128]> : tensor<2xindex>}} : () -> !tosa.shape<2>
  %e = tosa.slice %s, %begin, %size : ({whole}, !tosa.shape<2>, !tosa.shape<2>) -> {kind}
  %d = tosa.add %a, %e : ({kind}, {kind}) -> {kind}
  return %r, %d : {whole}, {kind}
}}
"""
    random = np.random.default_rng(5)
    x, y = (random.standard_normal((128, 128)).astype(np.float32) for _ in range(2))
    outcome, found = broadloom.run(tmp_path, text, [x, y], [TYPES["f32"]] * 2)
    assert outcome.status == DONE, outcome.error
    r = np.abs(np.concatenate([x + x, y + y]))[:, ::-1]
    np.testing.assert_array_equal(found[0], r)
    np.testing.assert_array_equal(found[1], x + x + r[::-1][128:])


INSERTED = """
func.func @main(%x: tensor<4x?xf32>, %y: tensor<4x?xf32>) -> tensor<4x8xf32> {
  %c1 = arith.constant 1 : index
  %a = tosa.add %x, %x : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  %b = tosa.add %y, %y : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  %m = tensor.dim %x, %c1 : tensor<4x?xf32>
  %k = tensor.dim %y, %c1 : tensor<4x?xf32>
  %e = tensor.empty() : tensor<4x8xf32>
  %w0 = tensor.insert_slice %a into %e[0, 0] [4, %m] [1, 1] : tensor<4x?xf32> into tensor<4x8xf32>
  %w = tensor.insert_slice %b into %w0[0, %m] [4, %k] [1, 1] : tensor<4x?xf32> into tensor<4x8xf32>
  %c = tosa.reverse %w {axis = 1 : i32} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %c : tensor<4x8xf32>
}
"""


@pytest.mark.parametrize("columns", [0, 3, 8, 9, 300000])
def test_open_columns_of_a_static_tensor(tmp_path, columns):
    """Rows have gaps, unless one operand has all columns; too many are an error."""
    random = np.random.default_rng(2)
    x, y = (random.standard_normal((4, n)).astype(np.float32) for n in (columns, max(8 - columns, 0)))
    outcome, found = broadloom.run(tmp_path, INSERTED, [x, y], [TYPES["f32"]])
    if columns > 8:
        assert outcome.status == GUARD_FAILED and "tensor.insert_slice" in outcome.error, outcome.error
        return
    assert outcome.status == DONE, outcome.error
    np.testing.assert_array_equal(found[0], np.concatenate([x + x, y + y], 1)[:, ::-1])


def test_an_axis_that_is_not_there(tmp_path):
    """In code that a guard keeps from running."""
    text = """
func.func @main(%a: tensor<?xf32>, %i: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %0 = tosa.exp %a : (tensor<?xf32>) -> tensor<?xf32>
  %t = arith.cmpi eq, %i, %c0 : index
  %r = scf.if %t -> tensor<?xf32> {
    scf.yield %0 : tensor<?xf32>
  } else {
    %d = tensor.dim %0, %c5 : tensor<?xf32>
    %e = tensor.empty(%d) : tensor<?xf32>
    %r = tensor.insert_slice %0 into %e[0] [%d] [1] : tensor<?xf32> into tensor<?xf32>
    scf.yield %r : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
"""
    a = np.zeros(3, np.float32)
    for index, status in ((0, DONE), (1, GUARD_FAILED)):
        outcome, found = broadloom.runByData(tmp_path, text, a, np.array(index))
        assert outcome.status == status, outcome.error
        assert found is None or (found == 1).all()
    assert "there is no axis 5, the operand has rank 1" in outcome.error


def test_operands_that_do_not_fit(tmp_path):
    """The guard fails before memory for the concatenation is wanted."""
    text = """
func.func @main(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = tosa.exp %a : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = tosa.exp %b : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %2 = tosa.concat %0, %1 {axis = 0 : i32} : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %2 : tensor<?x?xf32>
}
"""
    outcome, _ = broadloom.run(
        tmp_path, text, [np.ones((2, 3), np.float32), np.ones((4, 5), np.float32)], [TYPES["f32"]]
    )
    assert outcome.status == GUARD_FAILED
    assert "3" in outcome.error and "5" in outcome.error and "tosa.concat" in outcome.error, outcome.error
