"""Operations of linalg on memory (mem-8): values against NumPy, and errors by
their text."""

import re

import broadloom
import numpy as np
import pytest
from memory_programs import fails, function, refuses, run

# What an operation computes: its text with {name} for types of memory, the shapes of its operands, and NumPy's
# result in the last one.
CASES = {
    "fill": ("linalg.fill ins(%x : f32) outs(%a : {a})", [(3, 4)], lambda a: np.full_like(a, 2.5)),
    "copy": ("linalg.copy ins(%a : {a}) outs(%b : {b})", [(3, 4), (3, 4)], lambda a, b: a),
    "transpose": (
        "linalg.transpose ins(%a : {a}) outs(%b : {b}) permutation = [2, 0, 1]",
        [(3, 4, 5), (5, 3, 4)],
        lambda a, b: a.transpose(2, 0, 1),
    ),
    "broadcast": (
        "linalg.broadcast ins(%a : {a}) outs(%b : {b}) dimensions = [1]",
        [(3, 4), (3, 5, 4)],
        lambda a, b: np.broadcast_to(a[:, None], b.shape),
    ),
    "map": (
        "linalg.map {{ arith.mulf }} ins(%a, %b : {a}, {b}) outs(%c : {c})",
        [(3, 4), (3, 4), (3, 4)],
        lambda a, b, c: a * b,
    ),
    "reduce": (
        "linalg.reduce {{ arith.addf }} ins(%a : {a}) outs(%b : {b}) dimensions = [1]",
        [(3, 4), (3,)],
        lambda a, b: b + a.sum(1),
    ),
    "add": ("linalg.add ins(%a, %b : {a}, {b}) outs(%c : {c})", [(4,), (4,), (4,)], lambda a, b, c: a + b),
    "exp": ("linalg.exp ins(%a : {a}) outs(%b : {b})", [(4, 2), (4, 2)], lambda a, b: np.exp(a)),
    "dot": ("linalg.dot ins(%a, %b : {a}, {b}) outs(%c : {c})", [(4,), (4,), ()], lambda a, b, c: c + a @ b),
    "matvec": (
        "linalg.matvec ins(%a, %b : {a}, {b}) outs(%c : {c})",
        [(3, 4), (4,), (3,)],
        lambda a, b, c: c + a @ b,
    ),
    "matmul": (
        "linalg.matmul ins(%a, %b : {a}, {b}) outs(%c : {c})",
        [(3, 4), (4, 5), (3, 5)],
        lambda a, b, c: c + a @ b,
    ),
    "matmul transposed": (
        (
            "linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,"
            " affine_map<(m, n, k) -> (m, n)>] ins(%a, %b : {a}, {b}) outs(%c : {c})"
        ),
        [(3, 4), (5, 4), (3, 5)],
        lambda a, b, c: c + a @ b.T,
    ),
    "batch_matmul": (
        "linalg.batch_matmul ins(%a, %b : {a}, {b}) outs(%c : {c})",
        [(2, 3, 4), (2, 4, 5), (2, 3, 5)],
        lambda a, b, c: c + a @ b,
    ),
    "conv_1d": (
        "linalg.conv_1d ins(%a, %b : {a}, {b}) outs(%c : {c})",
        [(8,), (3,), (6,)],
        lambda a, b, c: c + np.correlate(a, b),
    ),
    "conv_1d with strides": (
        (
            "linalg.conv_1d_nwc_wcf {{strides = dense<2> : tensor<1xi64>, dilations = dense<3> : tensor<1xi64>}}"
            " ins(%a, %b : {a}, {b}) outs(%c : {c})"
        ),
        [(1, 10, 2), (2, 2, 3), (1, 4, 3)],
        lambda a, b, c: c + np.stack([np.tensordot(a[0, [2 * i, 2 * i + 3]], b, 2) for i in range(4)])[None],
    ),
    "pooling": (
        "linalg.pooling_nhwc_max ins(%a, %b : {a}, {b}) outs(%c : {c})",
        [(1, 4, 4, 2), (2, 2), (1, 3, 3, 2)],
        lambda a, b, c: np.maximum(c, np.lib.stride_tricks.sliding_window_view(a, (2, 2), (1, 2)).max((-1, -2))),
    ),
    "index": (
        (
            "linalg.generic {{indexing_maps = [affine_map<(i, j) -> (j, i)>], "
            'iterator_types = ["parallel", "parallel"]}} outs(%a : {a}) {{\n'
            "^bb0(%out: f32):\n  %i = linalg.index 0 : index\n  %j = linalg.index 1 : index\n"
            "  %2 = arith.constant 10 : index\n  %3 = arith.muli %i, %2 : index\n  %4 = arith.addi %3, %j : index\n"
            "  %5 = arith.index_cast %4 : index to i32\n  %6 = arith.sitofp %5 : i32 to f32\n"
            "  %7 = arith.addf %6, %out : f32\n  linalg.yield %7 : f32\n}}"
        ),
        [(3, 4)],
        lambda a: a + np.arange(4)[None] * 10 + np.arange(3)[:, None],
    ),
    "no axes": (
        "linalg.transpose ins(%a : {a}) outs(%b : {b}) permutation = []",
        [(), ()],
        lambda a, b: a,
    ),
}

LAYOUTS = {"static": "", "dynamic": "", "strided": ", strided<[{}], offset: ?>"}


def spell(text, shapes, how):
    types = {}
    for name, shape in zip("abc", shapes):
        extents = "".join(f"{n if how == 'static' else '?'}x" for n in shape)
        types[name] = f"memref<{extents}f32{LAYOUTS[how].format(', '.join('?' * len(shape)))}>"
    arguments = ", ".join(f"%{name}: {kind}" for name, kind in types.items())
    return function(arguments, f"  %x = arith.constant 2.5 : f32\n  {text.format(**types)}\n  return")


def make(shapes):
    rng = np.random.default_rng(7)
    return [rng.random(shape, np.float32) for shape in shapes]


@pytest.mark.parametrize("how", LAYOUTS)
@pytest.mark.parametrize("case", CASES)
def test_values(tmp_path, case, how):
    text, shapes, compute = CASES[case]
    arrays = make(shapes)
    outcome, after = run(tmp_path, spell(text, shapes, how), arrays)
    assert after, outcome.error
    for i, array in enumerate(arrays[:-1]):
        np.testing.assert_array_equal(after[i], array)
    np.testing.assert_allclose(after[-1], compute(*arrays), rtol=1e-5)


@pytest.mark.parametrize("case", [case for case, (_, shapes, _) in CASES.items() if len(shapes) > 1 and shapes[0]])
def test_extents_that_disagree(tmp_path, case):
    """Each axis of each operand, made larger and smaller."""
    text, shapes, _ = CASES[case]
    program = spell(text, shapes, "dynamic")
    for number, shape in enumerate(shapes):
        for axis in range(len(shape)):
            for by in (-1, 1):
                wrong = list(shapes)
                wrong[number] = (*shape[:axis], shape[axis] + by, *shape[axis + 1 :])
                outcome, _ = run(tmp_path, program, make(wrong))
                # A larger image of a window, or a smaller window or result, is all right, and so is an axis that
                # no other operand has.
                is_window = case.startswith(("conv", "pooling"))
                is_alone = (case, number, axis) in {("broadcast", 1, 1), ("reduce", 0, 1)}
                if outcome.status == broadloom.DONE:
                    assert is_window or is_alone, wrong
                else:
                    assert re.search(r"'linalg\..*': axis \d of argument '.' has extent \d", outcome.error), wrong


def test_messages(tmp_path):
    arrays = lambda *shapes: [np.zeros(shape, np.float32) for shape in shapes]
    text, shapes, _ = CASES["matmul"]
    matmul = spell(text, shapes, "dynamic")
    assert fails(tmp_path, matmul, arrays((2, 3), (4, 5), (2, 5))) == (
        "p.mlir:3:3: 'linalg.matmul': axis 1 of argument 'a' has extent 3 but axis 0 of argument 'b' has 4\n"
    )
    assert "axis 1 of argument 'b' has extent 5 but axis 1 of argument 'c' has 4" in fails(
        tmp_path, matmul, arrays((2, 4), (4, 5), (2, 4))
    )
    text, shapes, _ = CASES["conv_1d with strides"]
    assert (
        "'linalg.conv_1d_nwc_wcf': axis 1 of argument 'a' has extent 9, but elements from 0 to 9 are needed"
    ) in fails(tmp_path, spell(text, shapes, "dynamic"), arrays((1, 9, 2), (2, 2, 3), (1, 4, 3)))


def test_nothing_is_written_before_the_check(tmp_path):
    """mem-8: extents are known before the first operation runs."""
    text = """\
func.func @main(%a: memref<?xf32>, %b: memref<?xf32>) {
  %x = arith.constant 1.0 : f32
  linalg.fill ins(%x : f32) outs(%a : memref<?xf32>)
  linalg.copy ins(%a : memref<?xf32>) outs(%b : memref<?xf32>)
  return
}
"""
    outcome, _ = run(tmp_path, text, [np.zeros(3, np.float32), np.zeros(4, np.float32)])
    assert outcome.status == broadloom.GUARD_FAILED
    assert not (tmp_path / "b0.npy").exists()
    assert "'linalg.copy': axis 0 of argument 'a' has extent 3 but axis 0 of argument 'b' has 4" in outcome.error


def test_empty_memory(tmp_path):
    text, shapes, _ = CASES["matmul"]
    matmul = spell(text, shapes, "dynamic")
    _, (_, _, c) = run(tmp_path, matmul, [np.zeros(s, np.float32) for s in ((2, 0), (0, 3))] + [np.ones((2, 3), "f4")])
    assert (c == 1).all()
    assert "axis 1 of argument 'a' has extent 0 but axis 0 of argument 'b' has 2" in fails(
        tmp_path, matmul, [np.zeros(s, np.float32) for s in ((2, 0), (2, 3), (2, 3))]
    )


def test_types_that_disagree_are_refused(tmp_path):
    error = refuses(
        tmp_path,
        function(
            "%a: memref<2x3xf32>, %b: memref<4x5xf32>, %c: memref<2x5xf32>",
            "  linalg.matmul ins(%a, %b : memref<2x3xf32>, memref<4x5xf32>) outs(%c : memref<2x5xf32>)\n  return",
        ),
    )
    assert "'linalg.matmul' op inferred input/output operand #1 has shape's dimension #0 to be 3, but found 4" in error
    error = refuses(
        tmp_path,
        function(
            "%a: memref<?x3xf32>, %b: memref<4x5xf32>, %c: memref<2x5xf32>",
            "  linalg.matmul ins(%a, %b : memref<?x3xf32>, memref<4x5xf32>) outs(%c : memref<2x5xf32>)\n  return",
        ),
    )
    assert "linalg.matmul" in error


def test_overlapping_memory(tmp_path):
    """The loops run in the order of their dimensions, and each iteration reads what those before it have written."""
    view = "memref<5xi32, strided<[1], offset: {}>>"
    for source, target, expected in ((0, 1, [0, 0, 0, 0, 0, 0]), (1, 0, [1, 2, 3, 4, 5, 5])):
        text = function(
            "%a: memref<6xi32>",
            f"""\
  %s = memref.subview %a[{source}] [5] [1] : memref<6xi32> to {view.format(source)}
  %t = memref.subview %a[{target}] [5] [1] : memref<6xi32> to {view.format(target)}
  linalg.copy ins(%s : {view.format(source)}) outs(%t : {view.format(target)})
  return""",
        ).replace(", offset: 0", "")
        _, (a,) = run(tmp_path, text, [np.arange(6, dtype=np.int32)])
        assert a.tolist() == expected


GATHER = """\
func.func @main(%t: memref<?x4xf32>, %i: memref<?xi64>, %o: memref<?x4xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%i : memref<?xi64>) outs(%o : memref<?x4xf32>) {
  ^bb0(%x: i64, %out: f32):
    %r = arith.index_cast %x : i64 to index
    %j = linalg.index 1 : index
    %v = memref.load %t[%r, %j] : memref<?x4xf32>
    linalg.yield %v : f32
  }
  return
}
"""


def test_accesses_in_bodies(tmp_path):
    table, out = np.arange(12, dtype=np.float32).reshape(3, 4), np.zeros((2, 4), np.float32)
    _, arrays = run(tmp_path, GATHER, [table, np.array([2, 0]), out])
    np.testing.assert_array_equal(arrays[2], table[[2, 0]])
    assert fails(tmp_path, GATHER, [table, np.array([2, 3]), out]) == (
        "p.mlir:7:10: 'memref.load': index 3 is outside axis 0 of argument 't', whose extent is 3: "
        "%x = 3 (p.mlir:2:3)\n"
    )


def test_scratch_memory_and_loops_around(tmp_path):
    """As tiled programs are: operations on views, and memory of a scope."""
    text = """\
func.func @main(%a: memref<?x?xf32>, %b: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = memref.dim %a, %c0 : memref<?x?xf32>
  %m = memref.dim %a, %c1 : memref<?x?xf32>
  scf.for %i = %c0 to %n step %c2 {
    %s = affine.min affine_map<(i)[n] -> (2, n - i)>(%i)[%n]
    %v = memref.subview %a[%i, 0] [%s, %m] [1, 1] : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
    %w = memref.subview %b[%i, 0] [%s, %m] [1, 1] : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
    %t = memref.alloca(%s, %m) : memref<?x?xf32>
    %u = memref.alloca() : memref<2xf32>
    %x = arith.constant 3.0 : f32
    linalg.fill ins(%x : f32) outs(%u : memref<2xf32>)
    %y = memref.load %u[%c1] : memref<2xf32>
    linalg.fill ins(%y : f32) outs(%t : memref<?x?xf32>)
    linalg.mul ins(%v, %t : memref<?x?xf32, strided<[?, 1], offset: ?>>, memref<?x?xf32>)
      outs(%w : memref<?x?xf32, strided<[?, 1], offset: ?>>)
  }
  return
}
"""
    a = np.arange(15, dtype=np.float32).reshape(5, 3)
    _, arrays = run(tmp_path, text, [a, np.zeros_like(a)])
    np.testing.assert_array_equal(arrays[1], 3 * a)
    assert "the view takes" in fails(tmp_path, text, [a, np.zeros((4, 3), np.float32)])


def test_freed_memory(tmp_path):
    text = function(
        "%n: index, %t: i1",
        """\
  %x = arith.constant 1.0 : f32
  %m = memref.alloc(%n) : memref<?xf32>
  scf.if %t {
    memref.dealloc %m : memref<?xf32>
  }
  linalg.fill ins(%x : f32) outs(%m : memref<?xf32>)
  return""",
    )
    assert fails(tmp_path, text, [], ["i64=4", "i1=1"]) == (
        "p.mlir:7:3: 'linalg.fill': this memory was freed (p.mlir:5:5); it is from 'memref.alloc' (p.mlir:3:8)\n"
    )
    # The call frees what the program has not freed.
    outcome, _ = run(tmp_path, text, [], ["i64=4", "i1=0"], leaks=None)
    assert outcome.status == 0


def test_bodies_that_free_are_refused(tmp_path):
    text = function(
        "%a: memref<4xf32>, %m: memref<4xf32>",
        """\
  linalg.map outs(%a : memref<4xf32>) () {
    memref.dealloc %m : memref<4xf32>
    %x = arith.constant 1.0 : f32
    linalg.yield %x : f32
  }
  return""",
    ).replace("outs(%a : memref<4xf32>) ()", "outs(%a : memref<4xf32>) (%out : f32)")
    assert "memref.dealloc: it may free memory while an operation of 'linalg' works on it" in refuses(tmp_path, text)
