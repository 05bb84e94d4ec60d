"""Every operation of `math` on tensors of every type it takes, against NumPy and
the standard library; and what TOSA's reductions take."""

import math

import ml_dtypes
import numpy as np
import pytest
from conftest import bl

FLOATS = {"f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32, "f64": np.float64}
# Half a unit in the last place of each type, and the error of the functions
# themselves (el-9), relative.
TOLERANCE = {"f16": 1e-3, "bf16": 8e-3, "f32": 1e-6, "f64": 1e-14}

UNARY = {
    "absf": np.abs,
    "acos": np.arccos,
    "acosh": np.arccosh,
    "asin": np.arcsin,
    "asinh": np.arcsinh,
    "atan": np.arctan,
    "atanh": np.arctanh,
    "cbrt": np.cbrt,
    "ceil": np.ceil,
    "cos": np.cos,
    "cosh": np.cosh,
    "erf": np.vectorize(math.erf),
    "erfc": np.vectorize(math.erfc),
    "exp": np.exp,
    "exp2": np.exp2,
    "expm1": np.expm1,
    "floor": np.floor,
    "log": np.log,
    "log10": np.log10,
    "log1p": np.log1p,
    "log2": np.log2,
    "roundeven": np.rint,
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "sin": np.sin,
    "sinh": np.sinh,
    "sqrt": np.sqrt,
    "tan": np.tan,
    "tanh": np.tanh,
    "trunc": np.trunc,
    "round": lambda x: np.copysign(np.floor(np.abs(x) + 0.5), x),
}
BINARY = {"atan2": np.arctan2, "copysign": np.copysign, "powf": np.power}


def compile_one(operation, operands, result, more=""):
    """A function of one operation; operands and result are element types."""
    kinds = [f"tensor<?x{t}>" for t in operands]
    names = [f"%a{i}" for i in range(len(kinds))]
    arguments = ", ".join(f"{n}: {k}" for n, k in zip(names, kinds))
    return bl.compile(
        f"func.func @main({arguments}) -> tensor<?x{result}> {{\n"
        f"  %r = math.{operation} {', '.join(names)} : {', '.join(kinds) if more else kinds[0]}\n"
        f"  return %r : tensor<?x{result}>\n}}\n"
    )


def agree(given, wanted, element):
    np.testing.assert_allclose(given.astype(np.float64), wanted, rtol=TOLERANCE[element], atol=TOLERANCE[element])


@pytest.mark.parametrize("element", FLOATS)
@pytest.mark.parametrize("operation", UNARY)
def test_unary(operation, element):
    x = np.array([0.5, 0.25, 0.875, 0.0625, 1, 0.75, 0.375], FLOATS[element])
    if operation == "acosh":
        x = x + x.dtype.type(1)
    elif operation not in ("log", "log10", "log2", "sqrt", "rsqrt", "acos", "asin", "atanh"):
        x = np.concatenate([x, -x, np.array([2.5, -1.5], x.dtype)])
    if operation in ("atanh", "log1p"):
        x = x[(x < 1) & (x > -1)]
    agree(compile_one(operation, [element], element)(x), UNARY[operation](x.astype(np.float64)), element)


@pytest.mark.parametrize("element", FLOATS)
@pytest.mark.parametrize("operation", BINARY)
def test_binary(operation, element):
    x = np.array([0.5, 2, 3, 1.5, 0.25], FLOATS[element])
    y = np.array([2, -1, 0.5, -0.0, 3], FLOATS[element])
    wanted = BINARY[operation](x.astype(np.float64), y.astype(np.float64))
    agree(compile_one(operation, [element] * 2, element)(x, y), wanted, element)


@pytest.mark.parametrize("element", FLOATS)
def test_classes(element):
    kind = FLOATS[element]
    tiny = ml_dtypes.finfo(kind).smallest_normal
    x = np.array([1, 0, -np.inf, np.inf, np.nan, tiny, tiny / kind(2), -tiny], kind)
    wide = x.astype(np.float64)
    for operation, wanted in (
        ("isinf", np.isinf(wide)),
        ("isnan", np.isnan(wide)),
        ("isfinite", np.isfinite(wide)),
        ("isnormal", np.isfinite(wide) & (np.abs(wide) >= float(tiny))),
    ):
        assert compile_one(operation, [element], "i1")(x).tolist() == wanted.tolist(), operation


@pytest.mark.parametrize("element", FLOATS)
def test_fpowi(element):
    x = np.array([2, -2, 0.5, 0, -1.5, -1, -1], FLOATS[element])
    n = np.array([3, 3, -2, 0, 2, 2**24 + 1, -(2**24) - 2], np.int32)
    agree(
        compile_one("fpowi", [element, "i32"], element, "both")(x, n),
        np.array([float(v) ** int(k) for v, k in zip(x, n)]),
        element,
    )


@pytest.mark.parametrize("width", (8, 16, 32, 64))
def test_ipowi(width):
    kind = np.dtype(f"int{width}")
    x = np.array([2, 3, -2, -1, 1, 0, 5, -1, -3, 2], kind)
    n = np.array([6, 4, 3, -3, -5, 0, -1, -2, 3, width], kind)
    wanted = [int(v) ** int(k) if k >= 0 else {1: 1, -1: (-1) ** int(-k)}.get(int(v), 0) for v, k in zip(x, n)]
    wanted = [(v + 2 ** (width - 1)) % 2**width - 2 ** (width - 1) for v in wanted]
    assert compile_one("ipowi", [f"i{width}"] * 2, f"i{width}")(x, n).tolist() == wanted


@pytest.mark.parametrize(
    "operation, element, words",
    [
        ("reduce_all", "i32", "it takes i1; compare with 'tosa.equal' or 'tosa.greater' first"),
        ("reduce_any", "f32", "it takes i1; compare with 'tosa.equal' or 'tosa.greater' first"),
        ("reduce_max", "i1", "it takes numbers; convert i1 with 'tosa.cast'"),
        ("reduce_sum", "i1", "it takes numbers; convert i1 with 'tosa.cast'"),
        ("reduce_max", "ui8", "it orders integers as signed ones; convert unsigned ones to a wider type"),
        ("reduce_min", "ui32", "it orders integers as signed ones; convert unsigned ones to a wider type"),
        ("reduce_sum", "ui8", "nothing sums unsigned integers; take a signless type"),
        ("reduce_product", "f8E5M2", "nothing reduces floats of 8 bits; convert them with 'tosa.cast'"),
    ],
)
def test_elements_that_reductions_do_not_take(operation, element, words):
    kind = f"tensor<?x1x{element}>"
    with pytest.raises(bl.CompileError) as error:
        bl.compile(
            f"func.func @main(%a: tensor<?x?x{element}>) -> {kind} {{\n"
            f"  %r = tosa.{operation} %a {{axis = 1 : i32}} : (tensor<?x?x{element}>) -> {kind}\n"
            f"  return %r : {kind}\n}}\n"
        )
    assert words in str(error.value)


@pytest.mark.parametrize("element", ("i1", "ui8"))
def test_elements_that_argmax_does_not_take(element):
    with pytest.raises(bl.CompileError, match=r"numbers|signed"):
        bl.compile(
            f"func.func @main(%a: tensor<?x?x{element}>) -> tensor<?xi32> {{\n"
            f"  %r = tosa.argmax %a {{axis = 1 : i32}} : (tensor<?x?x{element}>) -> tensor<?xi32>\n"
            f"  return %r : tensor<?xi32>\n}}\n"
        )
