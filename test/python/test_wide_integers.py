"""Integers of more than 64 bits inside a program, whose divisions and conversions
are functions of the compiler's own library: code that is loaded into Python finds
them."""

import broadloom as bl
import ml_dtypes
import numpy as np
import pytest

WIDTHS = [65, 100, 128, 129]
FLOATS = {"f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32, "f64": np.float64}


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("sign", ["s", "u"])
@pytest.mark.parametrize("kind", FLOATS)
def test_conversions(kind, sign, width):
    function = bl.compile(f"""
func.func @main(%a: i32, %x: {kind}) -> ({kind}, i64) {{
  %wide = arith.ext{sign}i %a : i32 to i{width}
  %square = arith.muli %wide, %wide : i{width}
  %float = arith.{sign}itofp %square : i{width} to {kind}
  %back = arith.fpto{sign}i %x : {kind} to i{width}
  %word = arith.trunci %back : i{width} to i64
  return %float, %word : {kind}, i64
}}""")
    number = -48 if sign == "s" else 48
    square, word = function(np.int32(number), FLOATS[kind](number))
    assert (float(square), int(word)) == (2304, number)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(
    "operation, expected",
    [
        ("divsi", -14),
        ("remsi", -2),
        ("ceildivsi", -14),
        ("floordivsi", -15),
        ("divui", 14),
        ("remui", 2),
        ("ceildivui", 15),
    ],
)
def test_divisions(operation, expected, width):
    function = bl.compile(f"""
func.func @main(%a: i32, %b: i32) -> i64 {{
  %x = arith.extsi %a : i32 to i{width}
  %y = arith.extsi %b : i32 to i{width}
  %z = arith.{operation} %x, %y : i{width}
  %word = arith.trunci %z : i{width} to i64
  return %word : i64
}}""")
    assert int(function(np.int32(100 if "u" in operation else -100), np.int32(7))) == expected
    with pytest.raises(bl.ShapeError, match="divi"):
        function(np.int32(100), np.int32(0))
