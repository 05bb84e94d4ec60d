"""Tuples of functions (rule abi-10)."""

import re

import broadloom
import pytest


@pytest.mark.parametrize(
    "text, message",
    [
        (
            "func.func @main(%t: tuple<i32>) -> i32 {\n  return %t : tuple<i32>\n}",
            "'func.return' op has result 0 of type 'tuple<i32>', but function 'main' has 'i32'; 'builtin.unrealized_conv",
        ),
        (
            """
func.func private @g(%t: tuple<i32, i32>) -> i32 {
  %a, %b = builtin.unrealized_conversion_cast %t : tuple<i32, i32> to i32, i32
  return %a : i32
}
func.func @main(%a: i32) -> i32 {
  %r = "func.call"(%a, %a) {callee = @g} : (i32, i32) -> i32
  return %r : i32
}
""",
            "'func.call' op has 2 arguments, but function 'g' has 1, of which each tuple counts as one",
        ),
        (
            """
func.func private @g(%t: tuple<i32>) -> tuple<i32> {
  return %t : tuple<i32>
}
func.func @main(%t: tuple<i32>) -> i32 {
  %r = "func.call"(%t) {callee = @g} : (tuple<i32>) -> i32
  return %r : i32
}
""",
            "'func.call' op has result 0 of type 'i32', but function 'g' has 'tuple<i32>'",
        ),
    ],
)
def test_types_of_signatures(text, message):
    with pytest.raises(broadloom.CompileError, match=re.escape(message)):
        broadloom.compile(text)


@pytest.mark.parametrize("depth", [12, 14, 40, 200])
@pytest.mark.parametrize("least", ["f32, f32", ""])
def test_tuples_of_tuples(depth, least):
    """A line of text doubles the elements, or the empty tuples: they are counted, and not gone through."""
    lines = [f"!t0 = tuple<{least}>"] + [f"!t{i} = tuple<!t{i - 1}, !t{i - 1}>" for i in range(1, depth)]
    for function in (
        f"func.func private @g(%t: !t{depth - 1}) {{\n  return\n}}\n",
        f"func.func private @g() -> !t{depth - 1}\nfunc.func @h() {{\n  call @g() : () -> !t{depth - 1}\n  return\n}}\n",
    ):
        text = "\n".join([*lines, function, "func.func @main(%x: f32) -> f32 {\n  return %x : f32\n}\n"])
        if depth == 12:
            assert broadloom.compile(text, function="main")(2.0) == 2.0
        else:
            with pytest.raises(
                broadloom.CompileError, match="a tuple has more than 4096 elements, with those of tuple"
            ):
                broadloom.compile(text, function="main")
