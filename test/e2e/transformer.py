"""The transformer block of the shared models with its batch and its sequence
length open, as a user would write it: `tosa.reshape` with a -1 where one extent
is open, `tensor.expand_shape` and `tensor.collapse_shape` where two are. And
the same block in NumPy."""

import re
from collections import Counter

import numpy as np

SEQUENCE = "40"
# What a weight has; smaller numbers of the same kind make the block small.
SMALL = {"1536": "24", "256": "4", "8960": "32", "128": "2"}


def shrink(text):
    """The same block with fewer channels: 12 heads of 2."""
    text = text.replace("1.536000e+03", "2.400000e+01")
    return re.sub(r"(?<=[<\[x ])(1536|256|8960|128)(?=[x\],>])", lambda m: SMALL[m[1]], text)


class Extent:
    """A product of a number and of batch (`B`) and sequence (`S`)."""

    def __init__(self, number, *symbols):
        self.number, self.symbols = number, Counter(symbols)

    def __mul__(self, other):
        return Extent(self.number * other.number, *(self.symbols + other.symbols).elements())

    def __eq__(self, other):
        return (self.number, self.symbols) == (other.number, other.symbols)

    def divides(self, other):
        return other.number % self.number == 0 and not self.symbols - other.symbols

    def spell(self):
        return "?" if self.symbols else str(self.number)


B, S = Extent(1, "B"), Extent(1, "S")


def symbolic(extents):
    """The extents of a type of the static block."""
    shape = [S if e == SEQUENCE else Extent(int(e)) for e in extents]
    if SEQUENCE in extents:
        first = {"1": B, SEQUENCE: B * S, "12": Extent(12) * B}
        shape[0] = first.get(extents[0], shape[0])
    return shape


def spell(shape, element):
    return f"tensor<{'x'.join(e.spell() for e in shape)}x{element}>"


TYPE = re.compile(r"tensor<((?:\d+x)+)([a-z]\w*)>")


def parse(match):
    return symbolic(match[1].split("x")[:-1]), match[2]


def group(source, target):
    """Which axes of one shape are together which axes of another."""
    groups, i, j = [], 0, 0
    while i < len(source):
        a, b, left, right = source[i], target[j], [i], [j]
        while a != b:
            if a.divides(b):
                left.append(left[-1] + 1)
                a = a * source[left[-1]]
            else:
                right.append(right[-1] + 1)
                b = b * target[right[-1]]
        i, j = left[-1] + 1, right[-1] + 1
        groups.append((left, right))
    # Ones at the end.
    groups[-1][1].extend(range(j, len(target)))
    return groups


def value(extent):
    return {(): str(extent.number), ("B",): "%batch", ("S",): "%sequence"}[tuple(extent.symbols)]


def reshape(result, operand, source, target, element):
    open_ = sum(bool(e.symbols) for e in target)
    types = f"{spell(source, element)} into {spell(target, element)}"
    if open_ <= 1:
        sizes = ", ".join("-1" if e.symbols else str(e.number) for e in target)
        return [
            (
                f"%shape_{result[1:]} = tosa.const_shape {{values = dense<[{sizes}]> : tensor<{len(target)}xindex>}}"
                f" : () -> !tosa.shape<{len(target)}>"
            ),
            (
                f"{result} = tosa.reshape {operand}, %shape_{result[1:]} : ({spell(source, element)}, "
                f"!tosa.shape<{len(target)}>) -> {spell(target, element)}"
            ),
        ]
    if len(source) < len(target):
        axes = [right for _, right in group(source, target)]
        sizes = ", ".join(value(e) for e in target)
        return [f"{result} = tensor.expand_shape {operand} {axes} output_shape [{sizes}] : {types}"]
    axes = [left for left, _ in group(source, target)]
    return [f"{result} = tensor.collapse_shape {operand} {axes} : {types}"]


def rewrite(line):
    """The lines that take the place of one."""
    types = [parse(m) for m in TYPE.finditer(line)]
    if match := re.match(r"(%\w+) = tosa\.reshape (%\w+), ", line):
        return reshape(match[1], match[2], types[0][0], types[1][0], types[0][1])
    if match := re.match(r"(%\w+) = tensor\.empty\(\)", line):
        sizes = ", ".join(value(e) for e in types[0][0] if e.symbols)
        return [f"{match[1]} = tensor.empty({sizes}) : {spell(*types[0])}"]
    is_open = types and any(e.symbols for e in types[0][0])
    if is_open and (match := re.match(r"(%\w+) = arith\.constant dense<([^>]*)>", line)):
        # The start of a matrix product; constants elsewhere are broadcast.
        return [
            f"%empty_{match[1][1:]} = tensor.empty(%rows) : {spell(*types[0])}",
            (
                f"{match[1]} = linalg.fill ins(%zero : f32) outs(%empty_{match[1][1:]} : {spell(*types[0])})"
                f" -> {spell(*types[0])}"
            ),
        ]
    if "dense<" in line:
        return [line]
    return [TYPE.sub(lambda m: spell(*parse(m)), line)]


def broadcastConstants(text):
    """Constants of one value lose the extents that are open."""
    kept = lambda m: "x".join("1" if e.symbols else str(e.number) for e in parse(m)[0])
    names = {}
    for match in re.finditer(r'(%\w+) = "tosa.const".*?-> (tensor<\S+>)', text):
        type_ = TYPE.fullmatch(match[2])
        if type_ and any(e.symbols for e in parse(type_)[0]):
            names[match[1]] = f"tensor<{kept(type_)}x{type_[2]}>"
    lines = []
    for line in text.split("\n"):
        name = line.split(" = ")[0].strip()
        if name in names:
            line = TYPE.sub(names[name], line)
        elif match := re.match(r"( *%\w+ = tosa\.\w+ )([^:]*)( : \()([^)]*)(\) .*)", line):
            operands = [o.strip() for o in match[2].split("{")[0].split(",")]
            given = match[4].split(", ")
            for i, operand in enumerate(operands):
                given[i] = names.get(operand, given[i])
            line = "".join([match[1], match[2], match[3], ", ".join(given), match[5]])
        lines.append(line)
    return "\n".join(lines)


ENTRY = [
    "%zero = arith.constant 0.0 : f32",
    "%c0 = arith.constant 0 : index",
    "%c1 = arith.constant 1 : index",
    "%batch = tensor.dim %arg8, %c0 : {}",
    "%sequence = tensor.dim %arg8, %c1 : {}",
    "%rows = arith.muli %batch, %sequence : index",
]


def makeDynamic(text):
    """The block, its calls of clocks left out."""
    lines = []
    for line in broadcastConstants(text).split("\n"):
        line = line.strip()
        if re.search(r"rtclock|record_timing|%duration|llvm\.mlir|tosa\.const_shape", line):
            continue
        lines += rewrite(line)
        if line.startswith("func.func @"):
            of = re.search(r"%arg8: (tensor<[^>]*>)", lines[-1])[1]
            lines += [e.format(of) for e in ENTRY]
    return "\n".join(lines) + "\n"


def makeInputs(batch, sequence, seed=0):
    """Makes inputs of the small block."""
    random = np.random.default_rng(seed)
    f = lambda *shape: random.standard_normal(shape).astype(np.float32)
    mask = (random.random((batch, sequence)) < 0.8).astype(np.int64)
    mask[:, 0] = 1
    x = f(batch, sequence, 24)
    return [x, x, f(24), f(24, 24), f(4, 24), f(4, 24), mask, f(24, 24), x, f(24), f(32, 24), f(32, 24), f(24, 32)]


def compute(inputs):
    """The small block in NumPy, in float64."""
    _, _, norm, wq, wk, wv, mask, wo, x, norm2, gate, up, down = (i.astype(np.float64) for i in inputs)
    batch, sequence, _ = x.shape
    scaled = lambda v, w: v / np.sqrt((v * v).mean(-1, keepdims=True) + 9.99999997e-7) * w
    heads = lambda v: v.reshape(batch, sequence, -1, 2).transpose(0, 2, 1, 3)
    h = scaled(x, norm)
    q, k, v = heads(h @ wq.T), heads(h @ wk.T), heads(h @ wv.T)
    k, v = np.repeat(k, 6, axis=1), np.repeat(v, 6, axis=1)
    score = q @ k.transpose(0, 1, 3, 2) * 0.0883883461 + (1 - mask[:, None, None, :]) * -1e4
    weight = np.exp(score - score.max(-1, keepdims=True))
    weight /= weight.sum(-1, keepdims=True)
    attended = (weight @ v).transpose(0, 2, 1, 3).reshape(batch, sequence, 24)
    y = x + attended @ wo.T
    h = scaled(y, norm2)
    g = h @ gate.T
    return y + (g / (1 + np.exp(-g)) * (h @ up.T)) @ down.T
