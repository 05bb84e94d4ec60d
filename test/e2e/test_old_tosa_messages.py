"""Tests the messages about TOSA's text of other versions of LLVM: errors, notes and names
of operations."""

import re

import broadloom
import pytest
from broadloom import DONE, REJECTED, checkText

MAIN = "func.func @main(%a: tensor<2x3xf32>, %p: tensor<2xi32>) -> tensor<2x3xf32> {{\n  {0}\n  return %a : tensor<2x3xf32>\n}}\n"
# An operation in an old form.
OLD = '%c = "tosa.const"() {value = dense<1.0> : tensor<1xf32>} : () -> tensor<1xf32>\n  '

UNKNOWN_FORMS = [
    (
        '%0 = "tosa.frobnicate"(%a) : (tensor<2x3xf32>) -> tensor<2x3xf32>',
        "unknown operation 'tosa.frobnicate'; TOSA of LLVM 16 to 24 is supported",
    ),
    (
        "%0 = tosa.frobnicate %a : tensor<2x3xf32>",
        (
            "custom op 'tosa.frobnicate' invalid kind of type specified: expected builtin.function, "
            "but found 'tensor<2x3xf32>'"
        ),
    ),
    (
        "%0 = tosa.transpose %a, %p : (tensor<2x3xf32>, tensor<2xi32>) -> tensor<3x2xf32>",
        (
            "'tosa.transpose' op takes its order of axes from operand 1, which must be a constant of integers: "
            "in TOSA 1.0 they are known when a program is compiled"
        ),
    ),
    (
        (
            '%q = "tosa.const_shape"() : () -> !tosa.shape<2> %0 = "tosa.transpose"(%a, %q) : '
            "(tensor<2x3xf32>, !tosa.shape<2>) -> tensor<3x2xf32>"
        ),
        "'tosa.transpose' op takes its order of axes from operand 1, which must be a constant of integers",
    ),
    (
        (
            '%q = "arith.constant"() : () -> tensor<2xi64> %0 = "tosa.transpose"(%a, %q) : '
            "(tensor<2x3xf32>, tensor<2xi64>) -> tensor<3x2xf32>"
        ),
        "'tosa.transpose' op takes its order of axes from operand 1, which must be a constant of integers",
    ),
    (
        "%0 = tosa.reshape %a : (tensor<2x3xf32>) -> tensor<6xf32>",
        "'tosa.reshape' op lacks the attribute 'new_shape', a list of integers",
    ),
    (
        "%0 = tosa.abs %a {fast = 1 : i32} : (tensor<2x3xf32>) -> tensor<2x3xf32>",
        "'tosa.abs' op has the unknown attribute 'fast'; TOSA of LLVM 16 to 24 is supported",
    ),
    (
        '%0 = tosa.reduce_max %a {axis = 0 : i32, nan_mode = "MAYBE"} : (tensor<2x3xf32>) -> tensor<1x3xf32>',
        "'tosa.reduce_max' op attribute 'nan_mode' failed to satisfy constraint: Supported NaN propagation strategies",
    ),
    (
        "%0 = tosa.clamp %a {min_int = 1 : i64, max_int = 2 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>",
        "'tosa.clamp' op has no limit 'min' for elements of 'f32'",
    ),
    (
        "%0 = tosa.mul %a {shift = 0 : i8} : (tensor<2x3xf32>) -> tensor<2x3xf32>",
        "'tosa.mul' op has 1 operands, expected 2 to 3",
    ),
    (
        "%0 = tosa.mul %a, %a {shift = 300 : i32} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>",
        "'tosa.mul' op has the shift 300, which does not fit 'i8'",
    ),
    (
        "%0 = tosa.negate %a {quantization_info = 5 : i32} : (tensor<2x3xf32>) -> tensor<2x3xf32>",
        "'tosa.negate' op has a 'quantization_info' of another kind: 5 : i32",
    ),
    (
        '%0 = tosa.reduce_max %a {axis = 0 : i32, nan_mode="MAYBE"} : (tensor<2x3xf32>) -> tensor<1x3xf32>',
        "'tosa.reduce_max' op attribute 'nan_mode' failed to satisfy constraint: Supported NaN propagation strategies",
    ),
]


@pytest.mark.parametrize("before, row", [(OLD, 3), ("", 2)], ids=["in an old text", "alone"])
@pytest.mark.parametrize("line, error", UNKNOWN_FORMS)
def test_unknown_forms(tmp_path, line, error, before, row):
    """The error is that of the operation, whether or not anything else in the text is old."""
    outcome = checkText(tmp_path, MAIN.format(before + line))
    assert outcome.status == REJECTED
    assert re.search(rf"p\.mlir:{row}:\d+: error: " + re.escape(error), outcome.error), outcome.error


@pytest.mark.parametrize(
    "pad, stride, words",
    [
        ("100, 0, 0, 0", "64, 1", "the "),
        ("9223372036854775807, 9223372036854775807, 0, 0", "2, 1", "a number of its shape does not fit 63 bits"),
        ("-9223372036854775808, -9223372036854775808, 0, 0", "2, 1", "the "),
    ],
)
def test_windows_far_outside(tmp_path, pad, stride, words):
    """Where nothing of the image would stay, the operation is as it was, which is an error."""
    outcome = checkText(
        tmp_path,
        f"""
func.func @main(%x: tensor<1x4x4x1xf32>, %w: tensor<1x1x1x1xf32>, %b: tensor<1xf32>) -> tensor<1x2x4x1xf32> {{
  %0 = "tosa.conv2d"(%x, %w, %b) {{dilation = array<i64: 1, 1>, pad = array<i64: {pad}>, stride = array<i64: {stride}>}} : (tensor<1x4x4x1xf32>, tensor<1x1x1x1xf32>, tensor<1xf32>) -> tensor<1x2x4x1xf32>
  return %0 : tensor<1x2x4x1xf32>
}}
""",
    )
    assert outcome.status == REJECTED
    assert re.search(r"p\.mlir:3:\d+: error: 'tosa\.conv2d': " + words, outcome.error), outcome.error
    assert "tosa.slice" not in outcome.error, outcome.error


def test_errors_of_todays_texts_stay(tmp_path):
    """A text with nothing old in it has the errors that it has always had."""
    outcome = checkText(tmp_path, MAIN.format("%0 = tosa.abs %a {fast = 1 : i32} (tensor<2x3xf32>) -> tensor<2x3xf32>"))
    assert outcome.status == REJECTED
    assert "p.mlir:2:" in outcome.error and "expected ':'" in outcome.error, outcome.error


def test_truncated_text_says_where(tmp_path):
    """Of two readers, the one that got further tells what is wrong."""
    text = MAIN.format("%0 = tosa.div %p, %p : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>")
    outcome = checkText(tmp_path, text[: text.index("return")])
    assert outcome.status == REJECTED
    assert "p.mlir:2:73: error: expected operation name in quotes" in outcome.error, outcome.error


def test_names_of_old_operations(tmp_path):
    """Of operations that are not run here, the names are enough."""
    (tmp_path / "p.mlir").write_text("""
tosa.variable @v = dense<1.0> : tensor<2xf32>
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = tosa.variable.read @v : tensor<2xf32>
  tosa.variable.write @v, %a : tensor<2xf32>
  %1 = "tosa.custom"(%0) {identifier = "name", config = "domain", implementation_attrs = "x"} : (tensor<2xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}
""")
    outcome = broadloom.call("inspect", tmp_path / "p.mlir")
    for name in ("tosa.variable_read", "tosa.variable_write", "tosa.custom"):
        assert name in outcome.out, outcome
    outcome = broadloom.call("compile", tmp_path / "p.mlir", "-o", tmp_path / "p.tosa")
    contents = (tmp_path / "p.tosa").read_bytes()
    assert outcome.status == DONE and b"domain" in contents and b"name" in contents, outcome.error


def test_notes(tmp_path):
    line = "%0 = tosa.negate %a : (tensor<2x3xf32>) -> tensor<2x3xf32>\n  "
    body = MAIN.format(OLD + line + line.replace("%0", "%1"))
    verbose = checkText(tmp_path, body, "--verbose")
    assert "p.mlir:2:8: note: 'tosa.const' has 'value' as 'values' now" in verbose.error, verbose.error
    assert (
        "p.mlir:3:8: note: 'tosa.negate' has its zero points as operands now (2 operations, this one first)"
    ) in verbose.error, verbose.error
    assert "note:" not in checkText(tmp_path, body).error
