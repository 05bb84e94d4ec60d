"""Tests lines of emitted programs: their text, and the operands that they record."""

import pytest
from broadloom import _program as program
from broadloom._program._text import Words, line, words


def test_a_line_records_its_operands():
    made = line("arith.select {}, {} : {}", "%c", ["%1#0", "%2#1"], "f32", result="%3:2")
    assert made.text == "%3:2 = arith.select %c, %1#0, %2#1 : f32"
    assert (made.kind, made.result, made.operands) == ("arith.select", "%3:2", ("%c", "%1", "%2"))
    assert made.indented().followed_by(" loc(x)").text == f"  {made.text} loc(x)"
    assert line('"tosa.gather"({}, {}) : {}', words("{}", "%1"), 7, "t", result="%4").kind == "tosa.gather"


def test_no_operand_can_be_left_out():
    with pytest.raises(AssertionError, match=r"'tensor\.dim %1, {}' has a name"):
        line("tensor.dim %1, {}", "%2")
    with pytest.raises(AssertionError, match="'%1, %2' has a name that is not a part by itself"):
        line("tensor.empty({})", "%1, %2")
    with pytest.raises(TypeError, match="format"):
        line("tensor.dim {}, {}", "%1")
    # A message may have any characters.
    assert words("loom.constrain {}", Words('"100%x"')).names == ()


def test_what_nothing_uses_is_left_out():
    builder = program.Builder()
    x = builder.argument("f32", [1, "n"])
    narrow = program.squeeze(x, [0])
    assert "collapse_shape" not in builder.finish([x])
    assert "collapse_shape" in builder.finish([narrow])
    assert "collapse_shape" in builder.finish([program.add(narrow, narrow), program.expand(narrow, [0])])
