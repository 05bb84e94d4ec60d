"""Programs of upstream's own dialects: what these take for granted is checked
(rt-3, rt-9, rt-11), for every operation with operands that are right, and with
all that are wrong in their own way."""

import broadloom
import numpy as np
import pytest
from broadloom import DONE, GUARD_FAILED, REJECTED
from tensor_programs import (
    ADD,
    AFFINE,
    ASSERT,
    BROADCAST_MIXED,
    COLUMN,
    COLUMNS,
    CONCAT,
    CONCAT_STATIC,
    CONVOLUTION,
    DIM,
    DIVIDE,
    EITHER_WAY,
    EMPTY,
    EXPAND,
    EXPAND_AS_OTHERS,
    EXPAND_HALF,
    EXPAND_MIDDLE,
    EXPAND_QUARTER,
    EXPAND_STATIC,
    EXPAND_VIEW,
    EXTRACT,
    FOR,
    FORALL,
    GENERATE,
    INSERT,
    INSERT_ROW,
    INSERT_SLICE,
    LESS,
    LOOKUP,
    MAP_MIXED,
    MATMUL,
    PAD,
    PAD_STATIC,
    REDUCE_MIXED,
    REMAINDER,
    RESHAPE,
    RESHAPE_ANY,
    RESHAPE_I32,
    RESHAPE_STATIC,
    ROWS_OF_A_CALL,
    SHIFTED,
    SLICE,
    SLICE2,
    STEPS,
    TRANSPOSE_MIXED,
    function,
)

V = np.array([1, 2, 3, 4], np.float32)
M = np.arange(6, dtype=np.float32).reshape(2, 3)
X = 2**63 - 1


def ones(*shape):
    return np.ones(shape, np.float32)


RIGHT = [
    ("slice", SLICE, (V, 1, 2, 1), V[1:3]),
    ("slice_of_nothing", SLICE, (V, 4, 0, 1), V[4:]),
    ("slice_in_twos", SLICE2, (V, 1, 2, 1), V[1::2]),
    ("slice_in_steps", STEPS, (V, 0, 2, 3), V[::3]),
    ("slice_backwards", STEPS, (V, 3, 4, -1), V[::-1]),
    ("slice_once", STEPS, (V, 3, 1, X), V[3:]),
    ("columns", COLUMNS, (M,), M[:, 1:]),
    ("transpose_mixed", TRANSPOSE_MIXED, (M.T.copy(), M), M),
    ("broadcast_mixed", BROADCAST_MIXED, (V[:2], ones(3, 2)), np.stack([V[:2]] * 3)),
    ("reduce_mixed", REDUCE_MIXED, (M, V[:2]), M.sum(1) + V[:2]),
    ("map_mixed", MAP_MIXED, (M, M, M), M + M),
    (
        "rows_of_a_call",
        ROWS_OF_A_CALL,
        (np.arange(9, dtype=np.float32).reshape(3, 3), 3, 2),
        np.array([0, 1, 2, 6, 7, 8], np.float32),
    ),
    ("insert_slice", INSERT_SLICE, (V, V[:2], 1, 2), np.array([1, 1, 2, 4], np.float32)),
    ("insert_row", INSERT_ROW, (M, V[:3], 1), np.stack([M[0], V[:3]])),
    ("extract", EXTRACT, (V, 3), V[3]),
    ("insert", INSERT, (V, 3, "f32=9"), np.array([1, 2, 3, 9], np.float32)),
    ("expand", EXPAND, (V, 2, 2), V.reshape(2, 2)),
    ("expand_nothing", EXPAND, (V[:0], 0, 5), V[:0].reshape(0, 5)),
    ("expand_half", EXPAND_HALF, (V, 2), V.reshape(2, 2)),
    ("expand_as_others", EXPAND_AS_OTHERS, (V, ones(2, 0), ones(2, 5)), V.reshape(2, 2)),
    ("expand_static", EXPAND_STATIC, (V,), V.reshape(2, 2)),
    (
        "expand_middle",
        EXPAND_MIDDLE,
        (np.arange(36, dtype=np.float32).reshape(2, 6, 3), 2, 3),
        np.arange(36, dtype=np.float32).reshape(2, 2, 3, 3),
    ),
    (
        "expand_view",
        EXPAND_VIEW,
        (np.arange(21, dtype=np.float32).reshape(3, 7), 2, 3),
        np.arange(21, dtype=np.float32).reshape(3, 7)[:, 1:].reshape(3, 2, 3),
    ),
    ("reshape", RESHAPE, (V, np.array([2, 2])), V.reshape(2, 2)),
    ("reshape_static", RESHAPE_STATIC, (V, np.array([2, 2])), V.reshape(2, 2)),
    ("reshape_i32", RESHAPE_I32, (V, np.array([4, 1], np.int32)), V.reshape(4, 1)),
    ("reshape_any", RESHAPE_ANY, (M, np.array([3, 1, 2])), M.reshape(3, 1, 2)),
    ("pad", PAD, (V, 1, 2), np.pad(V, (1, 2), constant_values=7)),
    ("pad_static", PAD_STATIC, (V,), np.pad(V, (0, 1), constant_values=7)),
    ("concat", CONCAT, (M, M[:1]), np.concatenate([M, M[:1]])),
    ("concat_static", CONCAT_STATIC, (M, M[:1]), np.concatenate([M, M[:1]])),
    ("splat", EMPTY, (3, "f32=2"), np.full(3, 2, np.float32)),
    ("generate", GENERATE, (V, 2, 2), V[2:]),
    ("dim", DIM, (M, 1), np.int64(3)),
    ("matmul", MATMUL, (M, M.T.copy(), ones(2, 2)), 1 + M @ M.T),
    ("shifted", SHIFTED, (V, V[:3]), V[1:]),
    ("column", COLUMN, (M, V[:2]), M[:, 1]),
    # Without a round nothing is read.
    ("column_of_nothing", COLUMN, (M[:0, :1], V[:0]), V[:0]),
    ("lookup", LOOKUP, (V, V[:2], np.array([3, 0])), V[[3, 0]]),
    ("convolution", CONVOLUTION, (ones(1, 4, 4, 2), ones(3, 3, 2, 1), 0 * ones(1, 2, 2, 1)), 18 * ones(1, 2, 2, 1)),
    ("add", ADD, (V, V), V + V),
    ("less", LESS, (V, V[::-1].copy()), V < V[::-1]),
    ("for", FOR, (V, 4, 2), np.array([9, 2, 9, 4], np.float32)),
    ("forall", FORALL, (V, V[::-1].copy()), V[::-1]),
    ("affine_for", AFFINE, (V, 3), 8 * V),
    ("divide", DIVIDE, ("i64=-7", "i64=2"), np.int64(-3)),
    ("remainder", REMAINDER, ("i32=7", "i32=4"), np.int32(3)),
    ("assert", ASSERT, (V, 4), np.int64(8)),
    ("either_way_first", EITHER_WAY, (0, V, -M[0]), V),
    ("either_way_second", EITHER_WAY, (1, V, -M[0]), M[0]),
]
WRONG = [
    ("slice_behind", SLICE, (V, 3, 2, 1), "takes 2 elements of axis 0 from 3 on, but the extent is 4"),
    ("slice_far", SLICE, (V, 10**9, 2, 1), "from 1000000000 on"),
    ("slice_before", SLICE, (V, -1, 2, 1), "from -1 on"),
    ("slice_negative", SLICE, (V, 0, -1, 1), "takes -1 elements"),
    ("slice_wrapping", SLICE, (V, X, 2, 1), f"from {X} on"),
    ("slice_wrapping_size", SLICE, (V, 1, X, 1), f"takes {X} elements"),
    ("slice_in_twos", SLICE2, (V, 1, 3, 1), "from 1 on in steps of 2, but the extent is 4"),
    ("slice_in_steps", STEPS, (V, 1, 2, 3), "from 1 on in steps of 3"),
    ("slice_backwards", STEPS, (V, 2, 4, -1), "from 2 on in steps of -1"),
    ("slice_wrapping_steps", STEPS, (V, 0, 3, 2**62), "in steps of 4611686018427387904"),
    ("columns", COLUMNS, (M[:, :2].copy(),), "takes 2 elements of axis 1 from 1 on, but the extent is 2"),
    ("insert_slice_behind", INSERT_SLICE, (V, V[:2], 3, 2), "takes 2 elements of axis 0 from 3 on"),
    (
        "insert_slice_larger",
        INSERT_SLICE,
        (V, V[:3], 0, 2),
        "axis 0 of the inserted tensor has extent 3 but the slice has 2",
    ),
    ("insert_row", INSERT_ROW, (M, V, 1), "axis 0 of the inserted tensor has extent 4 but the slice has 3"),
    ("extract", EXTRACT, (V, 4), "index 4 is outside axis 0, which has extent 4"),
    ("insert", INSERT, (V, -1, "f32=9"), "index -1 is outside axis 0"),
    ("expand", EXPAND, (V, 2, 3), "axis 0 has extent 4 and cannot become 2x3"),
    ("expand_negative", EXPAND, (V, -2, -2), "cannot become -2x-2"),
    ("expand_half", EXPAND_HALF, (V[:3], 1), "axis 0 has extent 3 and cannot become 1x2"),
    # rt-13: the products wrap in 64 bits, to just the number of elements.
    ("expand_wraps", EXPAND, (V[:0], 2**32, 2**32), "axis 0 has extent 0 and cannot become 4294967296x4294967296"),
    ("expand_wraps_to_four", EXPAND, (V, 2**62 + 1, 4), "axis 0 has extent 4 and cannot become 4611686018427387905x4"),
    ("expand_quarter_wraps", EXPAND_QUARTER, (V, 2**62 + 1), "cannot become 4611686018427387905x4"),
    (
        "expand_as_others_wraps",
        EXPAND_AS_OTHERS,
        (V[:0], ones(2**32, 0), ones(2**32, 0)),
        "axis 0 has extent 0 and cannot become 4294967296x4294967296",
    ),
    ("reshape_wraps", RESHAPE, (V[:0], np.array([2**32, 2**32])), "cannot become 4294967296x4294967296"),
    (
        "reshape_any_wraps",
        RESHAPE_ANY,
        (M[:0], np.array([2**32, 2**32])),
        "the operand has 0 elements and cannot become a shape of 9223372036854775807",
    ),
    ("expand_middle", EXPAND_MIDDLE, (ones(2, 6, 3), 2, 2), "axis 1 has extent 6 and cannot become 2x2"),
    ("reshape", RESHAPE, (V, np.array([2, 3])), "the operand has 4 elements and cannot become 2x3"),
    ("reshape_negative", RESHAPE, (V, np.array([-2, -2])), "cannot become -2x-2"),
    ("reshape_static", RESHAPE_STATIC, (V, np.array([4, 1])), "result axis 1 has extent 1 but is declared to have 2"),
    ("reshape_any", RESHAPE_ANY, (M, np.array([3, 1])), "the operand has 6 elements and cannot become a shape of 3"),
    (
        "reshape_any_negative",
        RESHAPE_ANY,
        (M, np.array([-3, -2])),
        "the shape has an extent of -3, expected at least 0",
    ),
    ("pad_before", PAD, (V, -1, 0), "the padding of axis 0 is -1 and 0, expected at least 0"),
    ("pad_behind", PAD, (V, 0, -5), "the padding of axis 0 is 0 and -5"),
    ("pad_static", PAD_STATIC, (V[:3],), "result axis 0 has extent 4 but is declared to have 5"),
    ("concat", CONCAT, (M, ones(1, 4)), "axis 1 of operand 0 has extent 3 but axis 1 of operand 1 has 4"),
    ("concat_static", CONCAT_STATIC, (M, M), "result axis 0 has extent 4 but is declared to have 3"),
    ("splat", EMPTY, (-1, "f32=2"), "axis 0 has extent -1, expected at least 0"),
    ("generate", GENERATE, (V, 3, 2), "index 4 is outside axis 0, which has extent 4"),
    ("dim", DIM, (M, 2), "there is no axis 2, the operand has rank 2"),
    ("matmul", MATMUL, (M, M, ones(2, 3)), "axis 1 of operand 0 has extent 3 but axis 0 of operand 1 has 2"),
    (
        "transpose_mixed",
        TRANSPOSE_MIXED,
        (M.T.copy(), ones(2, 2)),
        "axis 0 of operand 0 has extent 3 but axis 1 of operand 1 has 2",
    ),
    (
        "broadcast_mixed",
        BROADCAST_MIXED,
        (V, ones(3, 2)),
        "axis 0 of operand 0 has extent 4 but axis 1 of operand 1 has 2",
    ),
    (
        "reduce_mixed",
        REDUCE_MIXED,
        (ones(4, 3), V[:2]),
        "axis 0 of operand 0 has extent 4 but axis 0 of operand 1 has 2",
    ),
    ("map_mixed", MAP_MIXED, (M, ones(2, 2), M), "axis 1 of operand 0 has extent 3 but axis 1 of operand 1 has 2"),
    (
        "matmul_rows",
        MATMUL,
        (M, M.T.copy(), ones(3, 2)),
        "axis 0 of operand 0 has extent 2 but axis 0 of operand 2 has 3",
    ),
    ("shifted", SHIFTED, (V, V), "axis 0 of operand 0 has extent 4, but elements from 1 to 4 are needed"),
    (
        "column",
        COLUMN,
        (M[:, :1].copy(), V[:2]),
        "axis 1 of operand 0 has extent 1, but elements from 1 to 1 are needed",
    ),
    ("lookup", LOOKUP, (V, V[:2], np.array([3, 10**9])), "index 1000000000 is outside axis 0"),
    (
        "convolution",
        CONVOLUTION,
        (ones(1, 4, 4, 2), ones(3, 3, 2, 1), ones(1, 3, 2, 1)),
        "axis 1 of operand 0 has extent 4, but elements from 0 to 4 are needed",
    ),
    ("add", ADD, (V, V[:1]), "axis 0 of operand 0 has extent 4 but axis 0 of operand 1 has 1"),
    ("less", LESS, (V, V[:2]), "axis 0 of operand 0 has extent 4 but axis 0 of operand 1 has 2"),
    ("for_behind", FOR, (V, 5, 2), "index 4 is outside axis 0"),
    ("for_endless", FOR, (V, 4, 0), "the step of the loop is 0, expected at least 1"),
    ("forall", FORALL, (V, V[:3]), "takes 1 elements of axis 0 from 3 on, but the extent is 3"),
    ("divide", DIVIDE, ("i64=1", "i64=0"), "division by 0"),
    ("divide_least", DIVIDE, (f"i64={-(2**63)}", "i64=-1"), "division of the least integer by -1"),
    ("remainder", REMAINDER, ("i32=1", "i32=0"), "division by 0"),
    ("assert", ASSERT, (V, 5), "there must be {n} values"),
]
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
            "memref.atomic_rmw addf %x, %m[%n] : (f32, memref<3xf32>) -> f32",
        ).replace("%m =", "%x = arith.constant 1.0 : f32\n  %m ="),
        "memref.atomic_rmw: nothing checks what it reads and writes",
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


def call(folder, program, inputs):
    (folder / "program.mlir").write_text(program)
    arguments = ["run", folder / "program.mlir"]
    for i, value in enumerate(inputs):
        if isinstance(value, np.ndarray):
            np.save(folder / f"in{i}.npy", np.ascontiguousarray(value))
            value = folder / f"in{i}.npy"
        elif isinstance(value, int):
            value = f"i64={value}"
        arguments.append(f"--input={value}")
    return broadloom.call(*arguments, f"--output={folder / 'out.npy'}")


def names(cases):
    return [case[0] for case in cases]


@pytest.mark.parametrize("program, inputs, expected", [c[1:] for c in RIGHT], ids=names(RIGHT))
def test_rt3_right(tmp_path, program, inputs, expected):
    outcome = call(tmp_path, program, inputs)
    assert outcome.status == DONE, outcome.error
    got = np.load(tmp_path / "out.npy")
    assert got.shape == np.shape(expected) and got.dtype == expected.dtype
    np.testing.assert_array_equal(got, expected)


@pytest.mark.parametrize("program, inputs, message", [c[1:] for c in WRONG], ids=names(WRONG))
def test_rt3_wrong(tmp_path, program, inputs, message):
    outcome = call(tmp_path, program, inputs)
    assert outcome.status == GUARD_FAILED, (outcome.out, outcome.error)
    assert message in outcome.error
    assert not (tmp_path / "out.npy").exists()


@pytest.mark.parametrize("program, message", [c[1:] for c in NEVER], ids=names(NEVER))
def test_what_nobody_can_check_is_refused(tmp_path, program, message):
    outcome = call(tmp_path, program, [])
    assert outcome.status == REJECTED
    assert "that cannot be compiled" in outcome.error and message in outcome.error
