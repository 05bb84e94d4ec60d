"""Every named operation of `linalg` that is loops: its operands by the letters of its name, and what it computes."""

import dataclasses
import itertools
import math
import re
from collections.abc import Callable

import numpy as np

TYPES = {"f32": np.float32, "i32": np.int32, "i8": np.int8, "i1": np.bool_}
# The extents of loops; those of a window are capitals.
EXTENTS = {"n": 2, "g": 2, "c": 3, "f": 2, "m": 2, "d": 2, "h": 3, "w": 2, "D": 2, "H": 2, "W": 2}


@dataclasses.dataclass
class Operation:
    """An axis of an operand is letters of loops, with what each is multiplied with."""

    name: str
    operands: list  # of axes, the result last
    compute: Callable = lambda total, *given: total + math.prod(given)
    extents: dict = dataclasses.field(default_factory=lambda: EXTENTS)
    element: str = "f32"
    to: str = ""
    attributes: str = ""
    scalars: tuple = ()
    text: str = ""  # of an operation that is written in another way

    def __post_init__(self):
        self.to = self.to or self.element

    def loops(self):
        return sorted({letter for operand in self.operands for axis in operand for letter in axis})

    def shape(self, operand):
        return [1 + sum(k * (self.extents[letter] - 1) for letter, k in axis.items()) for axis in operand]

    def expected(self, *arrays):
        *given, result = [array.copy() for array in arrays]
        loops = self.loops()
        wide = [array.astype(np.int64) if array.dtype == np.int8 else array for array in given]
        for point in itertools.product(*(range(self.extents[letter]) for letter in loops)):
            at = dict(zip(loops, point))
            places = [
                tuple(sum(k * at[letter] for letter, k in axis.items()) for axis in operand)
                for operand in self.operands
            ]
            values = [array[place] for array, place in zip(wide, places)]
            with np.errstate(over="ignore"):
                result[places[-1]] = self.compute(result[places[-1]], *values, *self.scalars)
        return result


def axes(letters):
    return [{letter: 1} for letter in letters]


def window(letters, strides, dilations):
    """The axes of an image: of a letter of space, an offset inside the window as well."""
    space = [letter for letter in letters if letter in "dhw"]
    return [
        {letter: strides[space.index(letter)], letter.upper(): dilations[space.index(letter)]}
        if letter in space
        else {letter: 1}
        for letter in letters
    ]


def steps(rank):
    return [2, 1, 2][:rank], [1, 2, 1][:rank]


def attributes(strides, dilations):
    rank = len(strides)
    return f"{{strides = dense<{strides}> : tensor<{rank}xi64>, dilations = dense<{dilations}> : tensor<{rank}xi64>}}"


def quantized(total, x, y, zx, zy):
    return total + (int(x) - zx) * (int(y) - zy)


def convolution(name):
    """By the letters of the image and of the weight."""
    base = name.removesuffix("_q")
    match = re.fullmatch(r"(depthwise_)?conv_(\d)d(?:_(\w+)_(\w+))?", base)
    rank = int(match[2])
    image, weight = match[3] or "dhw"[3 - rank :], match[4] or "dhw"[3 - rank :]
    result = image
    if not match[1]:
        result = image.replace("c", "f")
    elif "m" in weight:
        result = image + "m"
    strides, dilations = steps(rank) if match[3] else ([1] * rank, [1] * rank)
    return Operation(
        name,
        [
            window(image, strides, dilations),
            axes("".join(letter.upper() if letter in "dhw" else letter for letter in weight)),
            axes(result),
        ],
        attributes=attributes(strides, dilations) if match[3] else "",
        **({"element": "i8", "to": "i32", "compute": quantized, "scalars": (3, -2)} if base != name else {}),
    )


POOLS = {"sum": lambda total, x, _: total + x, "max": lambda total, x, _: max(total, x),
         "min": lambda total, x, _: min(total, x),
         "max_unsigned": lambda total, x, _: total if np.uint32(total) > np.uint32(x) else x,
         "min_unsigned": lambda total, x, _: total if np.uint32(total) < np.uint32(x) else x}  # fmt: skip


def pool(name):
    _, image, kind = name.split("_", 2)
    space = "".join(letter for letter in image if letter in "dhw")
    strides, dilations = steps(len(space))
    return Operation(
        name,
        [window(image, strides, dilations), axes(space.upper()), axes(image)],
        POOLS[kind],
        element="i32" if "unsigned" in kind else "f32",
        attributes=attributes(strides, dilations),
    )


def product(name, operands, **more):
    """Of matrices; the letters are those of loops."""
    extents = dict(zip("bmnkxyz", (2, 3, 4, 5, 2, 3, 2)))
    return Operation(name, [axes(letters) for letters in operands.split()], extents=extents, **more)


QUANTIZED = {"element": "i8", "to": "i32", "compute": quantized, "scalars": (3, -2)}
UNARY = {
    "exp": np.exp, "log": np.log, "abs": np.abs, "ceil": np.ceil, "floor": np.floor, "negf": np.negative,
    "reciprocal": np.reciprocal, "round": lambda x: np.sign(x) * np.floor(np.abs(x) + np.float32(0.5)),
    "sqrt": np.sqrt, "rsqrt": lambda x: 1 / np.sqrt(x), "square": np.square, "tanh": np.tanh, "erf": math.erf,
    "copy": lambda x: x,
}  # fmt: skip
BINARY = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide, "max": np.maximum,
          "min": np.minimum, "powf": np.power}  # fmt: skip
EACH = {"m": 3, "n": 4}


def each(name, compute, operands, **more):
    return Operation(name, [axes("mn")] * operands, compute, extents=EACH, **more)


def written(name, operands, text, compute, **more):
    """An operation that has a form of its own; `{0}` are values, `{t0}` their types, and `{r}` a result's."""
    return Operation(name, [axes(letters) for letters in operands], compute, extents=EACH, text=text, **more)


MAPS = "indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]"
OPERATIONS = [
    *map(convolution, """conv_1d conv_2d conv_3d conv_1d_nwc_wcf conv_1d_ncw_fcw conv_2d_nhwc_hwcf conv_2d_nhwc_fhwc
        conv_2d_nhwc_hwcf_q conv_2d_nhwc_fhwc_q conv_2d_nchw_fchw conv_2d_nchw_fchw_q conv_2d_ngchw_fgchw
        conv_2d_ngchw_gfchw conv_2d_ngchw_gfchw_q conv_2d_nhwgc_gfhwc conv_2d_nhwgc_gfhwc_q conv_3d_ndhwc_dhwcf
        conv_3d_ndhwc_dhwcf_q conv_3d_ncdhw_fcdhw depthwise_conv_1d_ncw_cw depthwise_conv_1d_nwc_wc
        depthwise_conv_1d_nwc_wcm depthwise_conv_2d_nchw_chw depthwise_conv_2d_nhwc_hwc depthwise_conv_2d_nhwc_hwc_q
        depthwise_conv_2d_nhwc_hwcm depthwise_conv_2d_nhwc_hwcm_q depthwise_conv_3d_ncdhw_cdhw
        depthwise_conv_3d_ndhwc_dhwc depthwise_conv_3d_ndhwc_dhwcm""".split()),
    *map(pool, """pooling_nchw_max pooling_nchw_sum pooling_ncw_max pooling_ncw_sum pooling_ndhwc_max pooling_ndhwc_min
        pooling_ndhwc_sum pooling_nhwc_max pooling_nhwc_max_unsigned pooling_nhwc_min pooling_nhwc_min_unsigned
        pooling_nhwc_sum pooling_nwc_max pooling_nwc_max_unsigned pooling_nwc_min pooling_nwc_min_unsigned
        pooling_nwc_sum""".split()),
    product("matmul", "mk kn mn"),
    product("batch_matmul", "bmk bkn bmn"),
    product("batch_reduce_matmul", "bmk bkn mn"),
    product("matvec", "mk k m"),
    product("vecmat", "k kn n"),
    product("batch_matvec", "bmk bk bm"),
    product("batch_vecmat", "bk bkn bn"),
    Operation("dot", [axes("k"), axes("k"), []], extents={"k": 5}),
    product("mmt4d", "mkxz nkyz mnxy"),
    product("batch_mmt4d", "bmkxz bnkyz bmnxy"),
    product("quantized_matmul", "mk kn mn", **QUANTIZED),
    product("quantized_batch_matmul", "bmk bkn bmn", **QUANTIZED),
    product("contract", "mk nk mn", attributes=MAPS),
    *(each(name, lambda _, x, f=f: f(x), 2) for name, f in UNARY.items()),
    *(each(name, lambda _, x, y, f=f: f(x, y), 3) for name, f in BINARY.items()),
    each("div_unsigned", lambda _, x, y: np.int32(np.uint32(x) // np.uint32(y)), 3, element="i32"),
    each("add", lambda _, x, y: x + y, 3, element="i32"),
    written("select", ["mn", "mn", "mn", "mn"], "linalg.select ins({0}, {1}, {2} : {t0}, {t1}, {t2}) outs({3} : {t3})",
            lambda _, c, x, y: x if c else y),
    written("elementwise", ["mn", "mn", "mn"],
            "linalg.elementwise kind=#linalg.elementwise_kind<mul> ins({0}, {1} : {t0}, {t1}) outs({2} : {t2})",
            lambda _, x, y: x * y),
    written("elementwise of another order", ["mn", "nm", "mn"],
            "linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [affine_map<(m, n) -> (m, n)>,"
            " affine_map<(m, n) -> (n, m)>, affine_map<(m, n) -> (m, n)>] ins({0}, {1} : {t0}, {t1}) outs({2} : {t2})",
            lambda _, x, y: x + y),
    written("fill", ["mn"], "linalg.fill ins(%x : f32) outs({0} : {t0})", lambda _: 7),
    written("transpose", ["mn", "nm"], "linalg.transpose ins({0} : {t0}) outs({1} : {t1}) permutation = [1, 0]",
            lambda _, x: x),
    written("broadcast", ["n", "mn"], "linalg.broadcast ins({0} : {t0}) outs({1} : {t1}) dimensions = [0]",
            lambda _, x: x),
    written("reduce", ["mn", "m"],
            "linalg.reduce {{ arith.addf }} ins({0} : {t0}) outs({1} : {t1}) dimensions = [1]",
            lambda total, x: total + x),
    written("map", ["mn", "mn", "mn"], "linalg.map {{ arith.mulf }} ins({0}, {1} : {t0}, {t1}) outs({2} : {t2})",
            lambda _, x, y: x * y),
    written("generic", ["mn", "n", "m"],
            "linalg.generic {{indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>,"
            ' affine_map<(m, n) -> (m)>], iterator_types = ["parallel", "reduction"]}}'
            " ins({0}, {1} : {t0}, {t1}) outs({2} : {t2}) {{\n  ^bb0(%p: f32, %q: f32, %s: f32):\n"
            "    %u = arith.mulf %p, %q : f32\n    %v = arith.addf %s, %u : f32\n    linalg.yield %v : f32\n  }}",
            lambda total, x, y: total + x * y),
]  # fmt: skip


def names():
    """Each once; an operation that is there twice has its elements' type behind its name."""
    seen = {}
    for operation in OPERATIONS:
        name = operation.name if operation.name not in seen else f"{operation.name} {operation.element}"
        seen[name] = operation
    return seen


def arrays(operation):
    """Numbers that every operation is exact for, or rounds as NumPy does but for the last bits."""
    made = []
    for i, operand in enumerate(operation.operands):
        shape = operation.shape(operand)
        last = i == len(operation.operands) - 1
        element = "i1" if operation.name == "select" and i == 0 else operation.to if last else operation.element
        numbers = (np.arange(math.prod(shape)) * 7 + 5 * i) % 11
        if operation.name in (
            "log",
            "sqrt",
            "rsqrt",
            "reciprocal",
            "div",
            "powf",
            "div_unsigned",
            "erf",
            "exp",
            "tanh",
        ):
            numbers = numbers / (2 if operation.element == "f32" else 1) + 1
        elif element != "i1":
            numbers = numbers - (4.5 if operation.name in ("round", "ceil", "floor") else 5)
        made.append((numbers % 2 if element == "i1" else numbers).astype(TYPES[element]).reshape(shape))
    return made


def spell(array, kind, open_extents):
    element = next(name for name, known in TYPES.items() if known == array.dtype)
    return f"{kind}<" + "".join("?x" if open_extents else f"{extent}x" for extent in array.shape) + element + ">"


def program(operation, given, kind, open_extents):
    """The function, whose last argument is the destination; on tensors, it gives the result."""
    types = [spell(array, kind, open_extents) for array in given]
    values = [f"%a{i}" for i in range(len(given))]
    arguments = ", ".join(f"{value}: {spelled}" for value, spelled in zip(values, types))
    if operation.text:
        text = operation.text.format(*values, **{f"t{i}": spelled for i, spelled in enumerate(types)})
    else:
        inputs = [*zip(values[:-1], types[:-1]), *((f"%z{i}", "i32") for i in range(len(operation.scalars)))]
        text = (
            f"linalg.{operation.name} {operation.attributes} ins({', '.join(v for v, _ in inputs)} :"
            f" {', '.join(t for _, t in inputs)}) outs({values[-1]} : {types[-1]})"
        )
    if kind == "tensor" and operation.name not in ("transpose", "broadcast", "reduce", "map"):
        text += f" -> {types[-1]}"
    constants = "".join(f"  %z{i} = arith.constant {k} : i32\n" for i, k in enumerate(operation.scalars))
    constants += "  %x = arith.constant 7.0 : f32\n"
    if kind == "tensor":
        return (
            f"func.func @main({arguments}) -> {types[-1]} {{\n{constants}  %r = {text}\n  return %r : {types[-1]}\n}}\n"
        )
    return f"func.func @main({arguments}) {{\n{constants}  {text}\n  return\n}}\n"
