"""Tests programs that are refused since no call can check them."""

import pytest
from broadloom import REJECTED
from tensor_calls import call, names
from tensor_programs import (
    function,
)

NEVER = [
    (
        "gather",
        function(
            "%a: tensor<?x?xf32>, %i: tensor<?x1xindex>",
            "tensor<?x1x?xf32>",
            "tensor.gather %a[%i] gather_dims([0]) : (tensor<?x?xf32>, tensor<?x1xindex>) -> tensor<?x1x?xf32>",
        ),
        "tensor.gather: use 'tosa.gather'",
    ),
    (
        "memory",
        function(
            "%a: tensor<3xf32>, %n: index",
            "f32",
            "%m = memref.alloc() : memref<3xf32>",
            "%l = memref.realloc %m(%n) : memref<3xf32> to memref<?xf32>",
            "memref.load %l[%n] : memref<?xf32>",
        ),
        "memref.realloc: nothing checks what it reads and writes",
    ),
    (
        "pointer",
        function("%n: i64", "i64", "%p = llvm.inttoptr %n : i64 to !llvm.ptr", "llvm.load %p : !llvm.ptr -> i64"),
        "llvm.load: nothing checks what it reads and writes",
    ),
    (
        "division",
        function("%a: tensor<?xi32>", "tensor<?xi32>", "arith.divsi %a, %a : tensor<?xi32>"),
        "arith.divsi: write it with operations of 'tosa'",
    ),
    (
        "vector",
        function(
            "%a: tensor<3xf32>",
            "tensor<3xf32>",
            "%v = arith.constant dense<1.0> : vector<3xf32>",
            "%e = math.exp %v : vector<3xf32>",
            "tensor.cast %a : tensor<3xf32> to tensor<3xf32>",
        ),
        "math.exp: it has values that are neither tensors nor numbers; use tensors",
    ),
    (
        "vector argument",
        "func.func private @f(%v: vector<3xf32>) -> vector<3xf32> {\n  return %v : vector<3xf32>\n}\n"
        + function("%a: tensor<3xf32>", "tensor<3xf32>", "tensor.cast %a : tensor<3xf32> to tensor<3xf32>"),
        "func.func: it has values that are neither tensors nor numbers; use tensors",
    ),
    (
        "complex argument",
        function(
            "%a: tensor<3xf32>, %c: complex<f32>", "tensor<3xf32>", "tensor.cast %a : tensor<3xf32> to tensor<3xf32>"
        ),
        "func.func: it has values that are neither tensors nor numbers; use tensors",
    ),
    (
        "memory argument",
        function(
            "%a: tensor<3xf32>, %m: memref<3xi7>", "tensor<3xf32>", "tensor.cast %a : tensor<3xf32> to tensor<3xf32>"
        ),
        "func.func: its memory has elements of another type",
    ),
    (
        "unranked",
        function("%a: tensor<*xf32>", "tensor<*xf32>", "math.exp %a : tensor<*xf32>"),
        "math.exp: write it with operations of 'tosa'",
    ),
    (
        "shape",
        function("%a: tensor<?xf32>", "tensor<1xindex>", "shape.shape_of %a : tensor<?xf32> -> tensor<1xindex>"),
        "shape.shape_of: use 'tensor.dim' and 'arith'",
    ),
    (
        "state",
        "ml_program.global private mutable @g(dense<1.0> : tensor<4xf32>) : tensor<4xf32>\n"
        + function(
            "%a: tensor<4xf32>",
            "tensor<4xf32>",
            "ml_program.global_store @g = %a : tensor<4xf32>",
            "ml_program.global_load @g : tensor<4xf32>",
        ),
        "ml_program.global_store: pass the variable as an argument",
    ),
    (
        "constant state",
        "ml_program.global private @g(dense<1.0> : tensor<4xf32>) : tensor<4xf32>\n"
        + function("%a: tensor<4xf32>", "tensor<4xf32>", "ml_program.global_load_const @g : tensor<4xf32>"),
        "ml_program.global_load_const: use 'ml_program.global_load'",
    ),
    *(
        (
            f"global of {value or 'nothing'} as {type}",
            f"ml_program.global private mutable @g{value} : {type}\n"
            + function("%a: tensor<4xf32>", "tensor<4xf32>", "tensor.cast %a : tensor<4xf32> to tensor<4xf32>"),
            "ml_program.global: its value must be 'dense<...>' of its own type, with numbers for all extents",
        )
        for value, type in (
            ("", "tensor<4xf32>"),
            ("(1 : i32)", "i32"),
            ("(#ml_program.extern<tensor<4xf32>>)", "tensor<4xf32>"),
            ("(dense<1.0> : tensor<4xf32>)", "tensor<?xf32>"),
            ("(dense<1.0> : tensor<4xf32>)", "tensor<*xf32>"),
            ("(dense_resource<gone> : tensor<4xf32>)", "tensor<4xf32>"),
        )
    ),
    (
        "another function",
        "ml_program.func private @g(%a: f32) -> f32 {\n  ml_program.return %a : f32\n}\n"
        + function("%a: tensor<4xf32>", "tensor<4xf32>", "tensor.cast %a : tensor<4xf32> to tensor<4xf32>"),
        "ml_program.func: functions are those of 'func'; use 'func.func'",
    ),
    (
        "module inside",
        "module @inner {\n  func.func @g() {\n    return\n  }\n}\n"
        + function("%a: tensor<4xf32>", "tensor<4xf32>", "tensor.cast %a : tensor<4xf32> to tensor<4xf32>"),
        "builtin.module: a program is one module, whose functions stand in it directly; take this one apart",
    ),
    (
        "function as a value",
        function(
            "%a: tensor<4xf32>",
            "tensor<4xf32>",
            "%f = func.constant @f : (tensor<4xf32>) -> tensor<4xf32>",
            "func.call_indirect %f(%a) : (tensor<4xf32>) -> tensor<4xf32>",
        ),
        "func.constant: functions are no values; call the function by its name",
    ),
]


@pytest.mark.parametrize("program, message", [c[1:] for c in NEVER], ids=names(NEVER))
def test_what_nobody_can_check_is_refused(tmp_path, program, message):
    outcome = call(tmp_path, program, [])
    assert outcome.status == REJECTED
    assert "that cannot be compiled" in outcome.error and message in outcome.error
