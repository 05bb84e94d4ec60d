"""Programs that parse but are not sound: each command says
what is wrong and where, and none crashes (abi-3)."""

import re

import broadloom
import pytest
from broadloom import REJECTED

COMMANDS = [
    ("check",),
    ("run",),
    ("shapes",),
    ("run", "--strategy=rfc"),
    ("compile", "--emit=loom"),
    ("compile", "--emit=linalg"),
    ("compile", "--emit=linalg", "--strategy=rfc"),
    ("compile", "--emit=llvm"),
    ("compile", "--emit=asm"),
    ("compile", "--emit=shape-library"),
]


def function(body, arguments="%a: tensor<?x?xf32>", result="tensor<?x?xf32>"):
    return f"func.func @main({arguments}) -> {result} {{\n{body}\n  return %r : {result}\n}}\n"


# What is wrong with the structure: the error is the same from all commands.
STRUCTURE = {
    "a module without a region": ('"builtin.module"() : () -> ()\n', "'builtin.module' op requires one region"),
    "a module without a block": ('"builtin.module"() ({\n}) : () -> ()\n', "region #0 .*failed to verify constraint"),
    "a function without a name": (
        '"builtin.module"() ({\n  "func.func"() ({}) : () -> ()\n}) : () -> ()\n',
        "'func.func' op requires attribute 'function_type'",
    ),
    "a function without a terminator": (
        "func.func @main(%p: tensor<i1>) {\n  %0 = tosa.logical_not %p : (tensor<i1>) -> tensor<i1>\n}\n",
        "ends its block but is no terminator",
    ),
    "an array of index": (
        function("  %r = tosa.transpose %a {perms = array<index: 1, 0>} : (tensor<?x?xf32>) -> tensor<?x?xf32>"),
        r":2:35: error: an array of index has no form of its own; write an array of i64",
    ),
    "an array of index behind a comment": (
        function(
            "  %r = tosa.transpose %a {perms = array // or so <\n < index: 1, 0>} : "
            "(tensor<?x?xf32>) -> tensor<?x?xf32>"
        ),
        r":2:35: error: an array of index",
    ),
    "an operation of shape libraries with operands": (
        function('  %r = "shape.func"(%a) : (tensor<?x?xf32>) -> tensor<?x?xf32>'),
        "'shape.func' op requires",
    ),
    "a value of a branch as an operand": (
        (
            "func.func @main(%p: tensor<i1>) -> tensor<i1> {\n"
            "  %r = tosa.cond_if %p (%x = %y) : tensor<i1> (tensor<i1>) -> tensor<i1> {\n"
            "  ^bb0(%x: tensor<i1>):\n    tosa.yield %x : tensor<i1>\n  } else {\n"
            "  ^bb0(%y: tensor<i1>):\n    tosa.yield %y : tensor<i1>\n  }\n"
            "  return %r : tensor<i1>\n}\n"
        ),
        "'tosa.cond_if' op operand 1 is missing",
    ),
    "a product of tensors of unknown rank": (
        (
            "func.func @main(%a: tensor<*xf32>) -> tensor<*xf32> {\n"
            "  %r = linalg.batch_matmul ins(%a, %a : tensor<*xf32>, tensor<*xf32>) outs(%a : tensor<*xf32>) "
            "-> tensor<*xf32>\n  return %r : tensor<*xf32>\n}\n"
        ),
        r":2:8: error: a product of matrices takes tensors and memrefs of a rank",
    ),
    "a product of indices behind a name and attributes": (
        (
            "!t = tensor<?x?x?xindex>\nfunc.func @main(%a: !t) {\n"
            '  %r = linalg.batch_reduce_matmul {x = [(i32) -> (f32), "ins("]} // ins(\n'
            "      ins(%a, %a : !t, !t) outs(%a : !t) -> !t\n  return\n}\n"
        ),
        r":3:8: error: a product of matrices takes",
    ),
    "brackets without end": ("(" * 100000, "brackets are nested more than"),
}

# What a verifier would crash on, or let pass.
OPERATIONS = {
    "a negative axis of concat": (
        function("  %r = tensor.concat dim(-128) %a, %a : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>"),
        "'tensor.concat' op concatenates along axis -128",
    ),
    "a group of an axis beyond 32 bits": (
        (
            "func.func @main(%a: tensor<?x?xf32>, %n: index, %m: index) -> tensor<1x?x?xf32> {\n"
            "  %0 = tensor.expand_shape %a [[4294967296, 1], [2]] output_shape [1, %n, %m] : "
            "tensor<?x?xf32> into tensor<1x?x?xf32>\n  return %0 : tensor<1x?x?xf32>\n}\n"
        ),
        "groups axis 4294967296",
    ),
    "a tensor in a map": (
        function(
            "  %r = loom.map(%x = %a : tensor<?x?xf32>) -> tensor<?x?xf32> {\n"
            "    %t = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>\n"
            "    %s = arith.addf %x, %x : f32\n    loom.yield %s : f32\n  }"
        ),
        "'arith.constant' op has 'tensor<3xf32>' in the body of 'loom.map', which computes on scalars",
    ),
}

# What only later stages write, or other texts have.
UNSUPPORTED = {
    "a dialect": (
        (
            "irdl.dialect @mine {\n}\nfunc.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {\n"
            "  return %a : tensor<?xf32>\n}\n"
        ),
        "irdl.dialect: give the text with --shape-library",
    ),
    "a launch": (
        (
            "func.func @main(%a: memref<?x?xf32>) -> memref<?x1xf32> {\n"
            "  %r = loom.launch(%a) slots [-1] {axes = array<i64: 1>} : "
            "(memref<?x?xf32>) -> memref<?x1xf32> {\n  ^bb0(%x: f32):\n    loom.yield %x : f32\n  }\n"
            "  return %r : memref<?x1xf32>\n}\n"
        ),
        "loom.launch: nothing checks what it reads and writes; use tensors",
    ),
    "a launch along no axis": (
        (
            "func.func @main(%a: memref<?x?xf32>) -> memref<?x1xf32> {\n"
            "  %r = loom.launch(%a) slots [-1] {axes = array<i64: 2147483647>} : "
            "(memref<?x?xf32>) -> memref<?x1xf32> {\n  ^bb0(%x: f32):\n    loom.yield %x : f32\n  }\n"
            "  return %r : memref<?x1xf32>\n}\n"
        ),
        "axes must be in order and within rank 2, but axis 2147483647 follows -1",
    ),
    "a run": (
        (
            "func.func @main(%a: memref<?xf32>) -> memref<?xf32> {\n"
            "  %r = loom.run @p(%a) slots [-1] : (memref<?xf32>) -> memref<?xf32>\n"
            "  return %r : memref<?xf32>\n}\n"
        ),
        "loom.run: nothing checks what it reads and writes; use tensors",
    ),
}


def check(path, command, message):
    outcome = broadloom.call(command[0], path, *command[1:])
    assert outcome.status == REJECTED, (command, outcome)
    assert re.search(message, outcome.error), (command, outcome.error)


@pytest.mark.parametrize("name", STRUCTURE)
def test_structure(tmp_path, name):
    text, message = STRUCTURE[name]
    (tmp_path / "p.mlir").write_text(text)
    for command in COMMANDS:
        check(tmp_path / "p.mlir", command, message)


@pytest.mark.parametrize("name", OPERATIONS)
def test_operations(tmp_path, name):
    text, message = OPERATIONS[name]
    (tmp_path / "p.mlir").write_text(text)
    # The last takes reference implementations alone.
    for command in COMMANDS[:-1]:
        check(tmp_path / "p.mlir", command, message)


@pytest.mark.parametrize("name", UNSUPPORTED)
def test_unsupported(tmp_path, name):
    text, message = UNSUPPORTED[name]
    (tmp_path / "p.mlir").write_text(text)
    for command in COMMANDS[:-1]:
        check(tmp_path / "p.mlir", command, message)


@pytest.mark.parametrize("operation", ["tosa.abs", "math.absf"])
@pytest.mark.parametrize(
    "encoding, message",
    [
        ("utf-8-sig", "begins with a byte-order mark; save it as UTF-8 without one"),
        ("utf-16", "is UTF-16; save it as UTF-8"),
    ],
)
def test_encodings(tmp_path, encoding, message, operation):
    text = function(f"  %r = {operation} %a : tensor<?x?xf32>")
    (tmp_path / "p.mlir").write_text(text, encoding=encoding)
    for command in COMMANDS:
        check(tmp_path / "p.mlir", command, f":1:1: error: the text {message}")


def test_the_number_that_stands_for_unknown_extents(tmp_path):
    """The least number of 64 bits is `?` to all of MLIR."""
    (tmp_path / "p.mlir").write_text(
        function(
            "  %s = tosa.const_shape {values = dense<0> : tensor<2xindex>} : () -> !tosa.shape<2>\n"
            "  %z = tosa.const_shape {values = dense<[1, -9223372036854775808]> : tensor<2xindex>} "
            ": () -> !tosa.shape<2>\n"
            "  %r = tosa.slice %a, %s, %z : (tensor<?x?xf32>, !tosa.shape<2>, !tosa.shape<2>) "
            "-> tensor<?x?xf32>"
        )
    )
    for command in (("check",), ("shapes",), ("compile", "--emit=loom"), ("compile", "--emit=llvm")):
        check(
            tmp_path / "p.mlir",
            command,
            "'tosa.slice': the size along axis 1 is -9223372036854775808; it must be an extent",
        )


def test_arithmetic_that_folds_to_a_constant_without_extents(tmp_path):
    """`x ^ x` is 0 in a shape that only the call knows."""
    (tmp_path / "p.mlir").write_text(
        "func.func @main(%a: tensor<?xi32>) -> tensor<?xi32> {\n"
        "  %r = arith.xori %a, %a : tensor<?xi32>\n  return %r : tensor<?xi32>\n}\n"
    )
    outcome = broadloom.call("run", tmp_path / "p.mlir", "--input=3xi32=4 5 6")
    assert outcome.status == broadloom.DONE, outcome.error
    assert outcome.out == "[0 0 0]\n"


@pytest.mark.parametrize("kind", ["static", "dynamic"])
def test_no_error_follows_from_another(tmp_path, kind):
    extent = "4" if kind == "static" else "?"
    lines = ["%r0 = tosa.reshape %a, %s : (tensor<NxCxf32>, !tosa.shape<1>) -> tensor<NxCxf32>"]
    lines += [f"%r{i + 1} = tosa.exp %r{i} : (tensor<NxCxf32>) -> tensor<NxCxf32>" for i in range(3)]
    text = (
        "func.func @main(%a: tensor<NxCxf32>) -> tensor<NxCxf32> {\n"
        "  %s = tosa.const_shape {values = dense<[16]> : tensor<1xindex>} : () -> !tosa.shape<1>\n  "
        + "\n  ".join(lines)
        + "\n  return %r3 : tensor<NxCxf32>\n}\n"
    )
    (tmp_path / "p.mlir").write_text(text.replace("NxC", f"{extent}x{extent}"))
    outcome = broadloom.call("check", tmp_path / "p.mlir")
    assert outcome.status == REJECTED
    assert outcome.error.count("error: ") == 1, outcome.error
    assert "'tosa.reshape': result 0 is declared with 2 axes but has 1" in outcome.error


def test_at_most_20_errors(tmp_path):
    lines = [f'  %{i} = "tosa.const"() : () -> tensor<1xf32>' for i in range(30)]
    (tmp_path / "p.mlir").write_text("func.func @main() {\n" + "\n".join(lines) + "\n  return\n}\n")
    for options, count in (((), 20), (("--error-limit=3",), 3), (("--error-limit=0",), 30)):
        outcome = broadloom.call("check", tmp_path / "p.mlir", *options)
        assert outcome.status == REJECTED
        assert outcome.error.count("lacks the attribute 'values'") == count, outcome.error
        told = f"{30 - count} more errors are not shown; --error-limit=0 shows all"
        assert (told in outcome.error) == (count != 30), outcome.error
