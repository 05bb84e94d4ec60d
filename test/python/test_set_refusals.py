"""What is refused of tensors whose shape is a set (rules set-5, set-6)."""

import re

import broadloom
import pytest
from set_tensors import UPPER, compiled, kind
from test_set_shapes import LOWER, SETS


@pytest.mark.parametrize(
    "body, message",
    [
        (
            "%r = tosa.add %t, %d : (KIND, tensor<?x?xf64>) -> KIND",
            "'tosa.add' op has operand 1 of type 'tensor<?x?xf64>' and a result of type",
        ),
        (
            "%r = tosa.reverse %t {axis = 0 : i32} : (KIND) -> KIND",
            "takes no tensor whose shape is a set; make a dense one by 'loom.from_set'",
        ),
        (
            "%r = tensor.cast %t : KIND to tensor<4x4xf64>",
            "of which elements are elsewhere; use 'loom.to_set' or 'loom.from_set'",
        ),
        (
            "%r = tosa.transpose %t {perms = array<i32: 1, 0>} : (KIND) -> KIND",
            "but the result has the shape (i, j)[n] : (i <= n - 1, 0 <= j <= i)",
        ),
        (
            "%r = loom.from_set dropped %t : KIND to tensor<?x?xf64>",
            "leaves open what is not in the set; use 'zero' or 'symmetric'",
        ),
        ("%r = loom.from_set zero %t : KIND to tensor<?x?xf32>", "both need the same rank and elements"),
        ("%r = loom.set_elements %t : KIND to tensor<?x?xf64>", "but the elements are 'tensor<?xf64>'"),
        ("%r = loom.set_elements %d : tensor<?x?xf64> to tensor<?xf64>", "needs a tensor whose shape is a set"),
    ],
)
def test_refused(body, message):
    text = f"func.func @main(%t: KIND, %d: tensor<?x?xf64>) {{\n  {body}\n  return\n}}\n"
    with pytest.raises(broadloom.CompileError, match=re.escape(message)):
        compiled(text.replace("KIND", kind(LOWER)))


def test_refused_types():
    band = kind(SETS["band"][0])
    text = f"func.func @main(%d: tensor<?x?xf64>) {{\n  %t = loom.to_set symmetric %d : tensor<?x?xf64> to {band}\n  return\n}}\n"
    with pytest.raises(broadloom.CompileError, match="has elements on both sides of the diagonal"):
        compiled(text)
    with pytest.raises(broadloom.CompileError, match="which a function without a body cannot have"):
        compiled(f"func.func private @f({kind(LOWER)})\nfunc.func @main() {{\n  return\n}}\n")
    with pytest.raises(broadloom.CompileError, match="axes 0 and 1 have one extent"):
        compiled(f'func.func @main(%a: tensor<3x4xf64, #loom.shape<"{LOWER}">>) {{\n  return\n}}\n')
    holes = "(i, j)[n] : (0 <= i < n, 0 <= j < n, (i + j) mod 2 == 0)"
    with pytest.raises(broadloom.CompileError, match="it has quotients or what exists, so that it may have holes"):
        compiled(f"func.func @main(%a: {kind(holes)}) {{\n  return\n}}\n")


KINDS = {"SET": kind(LOWER), "OTHER": kind(UPPER), "LINE": "tensor<?xf64>"}
EDGES = {
    "if": """
func.func @main(%t: FROM, %u: TO, %c: i1) -> TO {
  %r = scf.if %c -> TO {
    scf.yield %t : FROM
  } else {
    scf.yield %u : TO
  }
  return %r : TO
}""",
    "for": """
func.func @main(%t: FROM, %u: TO, %n: index) -> TO {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = "scf.for"(%c0, %n, %c1, %u) ({
  ^bb0(%i: index, %x: TO):
    "scf.yield"(%t) : (FROM) -> ()
  }) : (index, index, index, TO) -> TO
  return %r : TO
}""",
    "for begin": """
func.func @main(%t: FROM, %n: index) -> TO {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = "scf.for"(%c0, %n, %c1, %t) ({
  ^bb0(%i: index, %x: TO):
    "scf.yield"(%x) : (TO) -> ()
  }) : (index, index, index, FROM) -> TO
  return %r : TO
}""",
    "while": """
func.func @main(%t: FROM) -> TO {
  %r = "scf.while"(%t) ({
  ^bb0(%x: FROM):
    %f = arith.constant false
    "scf.condition"(%f, %x) : (i1, FROM) -> ()
  }, {
  ^bb0(%x: FROM):
    "scf.yield"(%x) : (FROM) -> ()
  }) : (FROM) -> TO
  return %r : TO
}""",
    "cond_if": """
func.func @main(%t: FROM, %u: TO, %c: tensor<i1>) -> TO {
  %r = "tosa.cond_if"(%c) ({
    "tosa.yield"(%t) : (FROM) -> ()
  }, {
    "tosa.yield"(%u) : (TO) -> ()
  }) : (tensor<i1>) -> TO
  return %r : TO
}""",
    "while_loop": """
func.func @main(%t: FROM, %c: tensor<i1>) -> FROM {
  %r = "tosa.while_loop"(%t) ({
  ^bb0(%x: TO):
    "tosa.yield"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%x: TO):
    "tosa.yield"(%x) : (TO) -> ()
  }) : (FROM) -> FROM
  return %r : FROM
}""",
    "branch": """
func.func @main(%t: FROM) -> TO {
  "cf.br"(%t)[^next] : (FROM) -> ()
^next(%r: TO):
  return %r : TO
}""",
    "return": """
func.func @main(%t: FROM) -> TO {
  "func.return"(%t) : (FROM) -> ()
}""",
    "argument": """
func.func private @f(%t: TO) -> TO {
  return %t : TO
}
func.func @main(%t: FROM) -> TO {
  %r = "func.call"(%t) {callee = @f} : (FROM) -> TO
  return %r : TO
}""",
    "result": """
func.func private @f(%t: FROM) -> FROM {
  return %t : FROM
}
func.func @main(%t: FROM) -> TO {
  %r = "func.call"(%t) {callee = @f} : (FROM) -> TO
  return %r : TO
}""",
    "fill": """
func.func @main(%x: f64, %t: FROM) -> TO {
  %r = "linalg.fill"(%x, %t) <{operandSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%a: f64, %b: f64):
    linalg.yield %a : f64
  }) : (f64, FROM) -> TO
  return %r : TO
}""",
    "cast": """
func.func @main(%t: FROM) -> TO {
  %r = "tensor.cast"(%t) : (FROM) -> TO
  return %r : TO
}""",
    "identity": """
func.func @main(%t: FROM) -> TO {
  %r = "tosa.identity"(%t) : (FROM) -> TO
  return %r : TO
}""",
}


@pytest.mark.parametrize("edge", EDGES)
@pytest.mark.parametrize("given, taken", [("OTHER", "SET"), ("LINE", "SET"), ("SET", "LINE")])
def test_sets_are_passed_on_as_they_are(edge, given, taken):
    """Once packed, a triangle, another one and a dense line have one type."""
    text = EDGES[edge].replace("FROM", KINDS[given]).replace("TO", KINDS[taken])
    with pytest.raises(broadloom.CompileError, match="of which elements are elsewhere; use 'loom"):
        compiled(text)


@pytest.mark.parametrize("edge", ["if", "for", "for begin", "while", "branch"])
@pytest.mark.parametrize("given, taken", [(4, 3), ("?", 4), (4, "?")])
def test_extents_of_blocks(edge, given, taken):
    text = EDGES[edge].replace("FROM", kind(LOWER, given)).replace("TO", kind(LOWER, taken))
    with pytest.raises(broadloom.CompileError, match="blocks and regions take what has their type; use"):
        compiled(text)


@pytest.mark.parametrize(
    "made, message",
    [
        ('"tosa.const"() {values = dense<2.0> : tensor<4x4xf64>} : () -> OPEN', "has open extents in type"),
        ('"tosa.const"() {values = dense<1.0> : tensor<3xf64>} : () -> KNOWN', "both need the same extents and"),
        ('"tosa.const"() {values = dense<1> : tensor<4x4xi32>} : () -> KNOWN', "both need the same extents and"),
        ('"arith.constant"() {value = dense<1.0> : tensor<3xf64>} : () -> KNOWN', "error"),
        ('"arith.constant"() {value = dense<1> : tensor<4x4xi32>} : () -> KNOWN', "error"),
        ('"arith.constant"() {value = 1.0 : f64} : () -> KNOWN', "error"),
    ],
)
def test_constants_of_other_types(made, message):
    made = made.replace("OPEN", kind(LOWER)).replace("KNOWN", kind(LOWER, 4))
    text = f"func.func @main() {{\n  %r = {made}\n  return\n}}\n"
    with pytest.raises(broadloom.CompileError, match=re.escape(message)):
        compiled(text)


@pytest.mark.parametrize("element", ["complex<f64>", "vector<2xf32>", "!llvm.ptr"])
@pytest.mark.parametrize("operation", ["to_set zero", "to_set symmetric", "from_set zero", "from_set symmetric"])
def test_elements_without_a_zero(element, operation):
    types = [f"tensor<?x?x{element}>", kind(LOWER, "?", element)]
    given, made = types if operation.startswith("to_set") else types[::-1]
    text = f"func.func @main(%t: {given}) {{\n  %r = loom.{operation} %t : {given} to {made}\n  return\n}}\n"
    with pytest.raises(broadloom.CompileError, match="of which none is known to be 0; use integers, 'index' or float"):
        compiled(text)
