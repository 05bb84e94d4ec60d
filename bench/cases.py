"""The cases, in one table: what is computed on which shapes, how exact results
have to be, and how much faster than the best peer Broadloom is to be."""

from dataclasses import dataclass, field

import numpy as np


@dataclass
class Input:
    shape: tuple
    dtype: str = "f32"
    kind: str = "normal"  # or: positive, inverse (1 / the number of columns)
    transposed: bool = False

    @property
    def viewShape(self):
        """The shape under which a program that reads any strides sees it."""
        return self.shape[::-1] if self.transposed else self.shape


@dataclass
class Case:
    name: str
    group: str
    inputs: list
    function: object
    bar: float
    exact: bool = True
    hand: str = ""
    tolerance: float = field(default=2e-6)
    reduced: tuple = ()  # the axes along which the result has extent 1
    handBar: float = 1.15  # the most of the time of the loop by hand

    @property
    def space(self):
        return tuple(np.broadcast_shapes(*(i.viewShape for i in self.inputs)))

    @property
    def shape(self):
        """The result's."""
        return tuple(1 if i - len(self.space) in self.reduced else e for i, e in enumerate(self.space))

    @property
    def dtype(self):
        return self.inputs[0].dtype

    @property
    def elements(self):
        return int(np.prod(self.shape))

    @property
    def resultBytes(self):
        return self.elements * (4 if self.dtype == "f32" else 2)

    @property
    def bytes(self):
        """Counts the bytes that have to move: each operand is read and the result written, once."""
        size = 4 if self.dtype == "f32" else 2
        return self.resultBytes + sum(size * int(np.prod(i.shape)) for i in self.inputs)


def add(x, a, b):
    return a + b


def chain(x, a, b, c, d):
    return x.abs(x.maximum(a + b - c, d) + a)


def scaleShiftRelu(x, a, b, c):
    return x.maximum(a * b + c, 0.0)


def geluOf(approximate, biased):
    if biased:
        return lambda x, a, b: x.gelu(a + b, approximate)
    return lambda x, a: x.gelu(a, approximate)


def softmax(x, a):
    return x.softmax(a)


def sumOver(axes):
    def function(x, a):
        for axis in axes:
            a = x.sum(a, axis)
        return a

    return function


def logSumExp(x, a):
    largest = x.max(a)
    return x.log(x.sum(x.exp(a - largest))) + largest


def rmsNorm(x, a, scale, inverse):
    return x.rmsNorm(a, scale, inverse)


def layerNorm(x, a, scale, shift, inverse):
    return x.layerNorm(a, scale, shift, inverse)


def staged(x, a, b, c):
    return a * (x.exp(b) * x.reciprocal(c)) + x.log(c)


def _pattern(pattern, count, size):
    """Lists the shapes of the operands: the first is full, the others what the pattern says;
    for the outer product columns and rows take turns."""
    rows, columns = size
    if pattern == "outer":
        return [Input((rows, 1) if i % 2 == 0 else (1, columns)) for i in range(count)]
    other = {"full": size, "row": (1, columns), "column": (rows, 1)}[pattern]
    return [Input(size)] + [Input(other)] * (count - 1)


def _matrices(size, bars):
    """The cases on a matrix of this size; `bars`: add, chain, gelu, norm."""
    rows, columns = size
    group = f"{rows}x{columns}"
    row, full = Input((1, columns)), Input(size)
    inverse = Input((1, 1), kind="inverse")
    for pattern in ("full", "row", "column", "outer"):
        yield Case(
            f"add, {pattern}",
            group,
            _pattern(pattern, 2, size),
            add,
            bars[0],
            hand={"full": "add", "row": "addRow"}.get(pattern, ""),
        )
    for pattern in ("full", "row", "column"):
        yield Case(
            f"chain, {pattern}",
            group,
            _pattern(pattern, 4, size),
            chain,
            bars[1],
            hand={"full": "chain", "row": "chainRow"}.get(pattern, ""),
            handBar=1 / 0.95,
        )
    yield Case("gelu(a + row), tanh", group, [full, row], geluOf(True, True), bars[2], False, "geluRow", 2e-5)
    yield Case("gelu(a + row), erf", group, [full, row], geluOf(False, True), bars[2], False, "", 2e-5)
    yield Case("gelu(a), tanh", group, [full], geluOf(True, False), bars[2], False, "gelu", 2e-5)
    yield Case("softmax of rows", group, [full], softmax, bars[3], False, "softmax", 2e-5)
    yield Case("RMS norm", group, [full, row, inverse], rmsNorm, bars[3], False, "", 2e-5)
    yield Case("layer norm", group, [full, row, row, inverse], layerNorm, bars[3], False, "", 2e-5)
    positive = Input((1, columns), kind="positive")
    yield Case("a * (exp(row) / row) + log(row)", group, [full, row, positive], staged, bars[0], False, "", 2e-5)
    yield Case(
        "add, b transposed",
        group,
        [full, Input((columns, rows), transposed=True)],
        lambda x, a, b: a + x.transposed(b),
        bars[0],
    )


def _rows():
    """Reductions of short rows, and of one that is all there is."""
    group = "rows"

    def layerNormOf(size):
        row = Input((1, size[1]))
        return [Input(size), row, row, Input((1, 1), kind="inverse")]

    for size in ((65536, 64), (100000, 16), (50000, 33), (65536, 100)):
        name = f"{size[0]}x{size[1]}"
        yield Case(
            f"softmax, {name}", group, [Input(size)], softmax, 1.0, False, "softmax" if size[1] % 64 == 0 else "", 2e-5
        )
        yield Case(f"layer norm, {name}", group, layerNormOf(size), layerNorm, 1.0, False, "", 2e-5)
    yield Case("softmax, attention 8x12x128x128", group, [Input((8, 12, 128, 128))], softmax, 1.0, False, "", 2e-5)
    huge = Input((1, 1 << 24))
    yield Case("softmax, one row of 16777216", group, [huge], softmax, 1.0, False, "", 2e-5)
    yield Case("log-sum-exp, one row of 16777216", group, [huge], logSumExp, 1.0, False, "", 2e-5, reduced=(-1,))
    yield Case("log-sum-exp, 4096x1024", group, [Input((4096, 1024))], logSumExp, 1.0, False, "", 2e-5, reduced=(-1,))
    for axes, words in (((-1,), "last"), ((-2,), "middle"), ((-1, -2), "last two")):
        yield Case(
            f"sum, 256x64x1024 over the {words}",
            group,
            [Input((256, 64, 1024))],
            sumOver(axes),
            1.0,
            False,
            "",
            2e-5,
            reduced=axes,
        )


def _functions():
    """One function of each element, where it is no longer memory that counts."""
    group, size = "functions", (4096, 1024)
    positive = Input(size, kind="positive")
    for name in ("exp", "log", "sin", "cos", "tanh", "sigmoid", "erf", "rsqrt"):
        operand = positive if name in ("log", "rsqrt") else Input(size)
        yield Case(
            f"{name}, 4096x1024", group, [operand], lambda x, a, name=name: getattr(x, name)(a), 1.0, False, "", 2e-5
        )
    yield Case("pow, 4096x1024", group, [positive, Input(size)], lambda x, a, b: x.pow(a, b), 1.0, False, "", 2e-5)
    for dtype, tolerance in (("f16", 2e-3), ("bf16", 2e-2)):
        yield Case(
            f"exp, 4096x1024, {dtype}", group, [Input(size, dtype)], lambda x, a: x.exp(a), 1.0, False, "", tolerance
        )


def _others():
    big, tiny, awkward = "4096x4096", "tiny", "awkward"
    for dtype in ("f16", "bf16"):
        yield Case(f"add, full, {dtype}", big, [Input((4096, 4096), dtype)] * 2, add, 1.3)
    images, channels = (8, 64, 112, 112), (1, 64, 1, 1)
    yield Case(
        "max(a*b+c, 0), NCHW 8x64x112x112 per channel",
        "images",
        [Input(images), Input(channels), Input(channels)],
        scaleShiftRelu,
        1.0,
        False,
    )
    yield Case(
        "max(a*b+c, 0), NHWC 8x112x112x64 per channel",
        "images",
        [Input((8, 112, 112, 64)), Input((1, 1, 1, 64)), Input((1, 1, 1, 64))],
        scaleShiftRelu,
        1.0,
        False,
    )
    yield Case(
        "add, middle axis, 256x64x1024 and 256x1x1024",
        "images",
        [Input((256, 64, 1024)), Input((256, 1, 1024))],
        add,
        1.3,
    )
    yield Case("(1e6,3)+(1,3)", awkward, [Input((10**6, 3)), Input((1, 3))], add, 1.0, hand="addRgb")
    for inner in (1, 2, 4, 5, 7, 8, 13, 16):
        yield Case(f"(1e6,{inner})+(1,{inner})", awkward, [Input((10**6, inner)), Input((1, inner))], add, 1.0)
    yield Case("(1e6,3)+(1e6,1)", awkward, [Input((10**6, 3)), Input((10**6, 1))], add, 1.0)
    yield Case("add, full, 4093x4091", awkward, _pattern("full", 2, (4093, 4091)), add, 1.0)
    yield Case("add, row, 4093x4091", awkward, _pattern("row", 2, (4093, 4091)), add, 1.0)
    yield Case("chain, row, 4093x4091", awkward, _pattern("row", 4, (4093, 4091)), chain, 1.0)
    yield Case(
        "add, b transposed, 4093x4091",
        awkward,
        [Input((4093, 4091)), Input((4091, 4093), transposed=True)],
        lambda x, a, b: a + x.transposed(b),
        1.0,
    )
    yield Case("chain, column, 257x1009", awkward, _pattern("column", 4, (257, 1009)), chain, 1.0)
    yield Case("add, (1,16777259)+(1,1)", awkward, [Input((1, 16777259)), Input((1, 1))], add, 1.0)
    yield Case("add, 2x2", tiny, _pattern("full", 2, (2, 2)), add, 1.0)
    yield Case("add, 1x1", tiny, _pattern("full", 2, (1, 1)), add, 1.0)
    yield Case("add, row, 3x5", tiny, _pattern("row", 2, (3, 5)), add, 1.0)
    yield Case("chain, column, 17x3", tiny, _pattern("column", 4, (17, 3)), chain, 1.0)


CASES = [
    *_matrices((4096, 4096), (1.3, 1.0, 2.0, 1.0)),
    *_others(),
    *_rows(),
    *_functions(),
    *_matrices((256, 1024), (1.2,) * 4),
]


def find(group, name):
    return next(c for c in CASES if (c.group, c.name) == (group, name))


# Groups that are measured once more with results that each call makes.
FRESH = ("4096x4096", "images")
