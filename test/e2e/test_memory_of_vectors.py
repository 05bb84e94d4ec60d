"""Memory whose elements are vectors (mem-15): an array has the axes of the vector behind those of the memory."""

import broadloom
import numpy as np
import pytest
from memory_programs import fails, function, refuses, run

DOUBLE = """\
func.func @main(%a: memref<{0}xvector<4xf32>>, %b: memref<{0}xvector<4xf32>>, %n: index) {{
  affine.for %i = 0 to %n {{
    %x = affine.load %a[%i] : memref<{0}xvector<4xf32>>
    %y = arith.addf %x, %x : vector<4xf32>
    affine.store %y, %b[%i] : memref<{0}xvector<4xf32>>
  }}
  return
}}
"""


@pytest.mark.parametrize("extent", ["?", 5])
def test_loads_and_stores(tmp_path, extent):
    a, b = np.arange(20, dtype=np.float32).reshape(5, 4), np.zeros((5, 4), np.float32)
    outcome, after = run(tmp_path, DOUBLE.format(extent), [a, b], ["i64=4"])
    assert after, outcome.error
    np.testing.assert_array_equal(after[1], np.where(np.arange(5)[:, None] < 4, 2 * a, 0))
    assert fails(tmp_path, DOUBLE.format(extent), [a, b], ["i64=6"]) == (
        "p.mlir:3:10: 'affine.load': index 5 is outside axis 0 of argument 'a', whose extent is 5: "
        "%i = 5 (p.mlir:2:3)\n"
    )


@pytest.mark.parametrize("shape", [(5, 3), (5, 4, 1), (20,)])
def test_arrays_of_other_shapes(tmp_path, shape):
    (tmp_path / "p.mlir").write_text(DOUBLE.format("?"))
    np.save(tmp_path / "a.npy", np.zeros(shape, np.float32))
    given = [f"--input={tmp_path}/a.npy"] * 2
    outcome = broadloom.call("run", tmp_path / "p.mlir", *given, "--input=i64=0")
    assert outcome.status != broadloom.DONE
    assert f"argument 'a' has shape {'x'.join(map(str, shape))} but the function takes ?x4" in outcome.error


V = "vector<3xf64>"


def test_vectors_are_not_padded(tmp_path):
    """Three numbers take the place of three, and a stride counts vectors."""
    text = function(
        f"%a: memref<?x{V}>, %b: memref<?x{V}, strided<[?], offset: ?>>, %i: index",
        f"""\
  %x = memref.load %a[%i] : memref<?x{V}>
  memref.store %x, %b[%i] : memref<?x{V}, strided<[?], offset: ?>>
  return""",
    )
    a = np.arange(12.0).reshape(4, 3)
    _, after = run(tmp_path, text, [a, np.zeros((4, 3))], ["i64=2"])
    np.testing.assert_array_equal(after[1], a * (np.arange(4) == 2)[:, None])
    assert "'memref.load': index 4 is outside axis 0 of argument 'a', whose extent is 4" in fails(
        tmp_path, text, [a, np.zeros((4, 3))], ["i64=4"]
    )


VIEWS = {
    "subview": (
        (
            "  %v = memref.subview %a[%i, 1] [2, 2] [1, 1]"
            " : memref<4x3xvector<2xf32>> to memref<2x2xvector<2xf32>, strided<[3, 1], offset: ?>>\n"
            "  %x = memref.load %v[%one, %zero] : memref<2x2xvector<2xf32>, strided<[3, 1], offset: ?>>"
        ),
        lambda a: a[2, 1],
    ),
    "subview of less rank": (
        (
            "  %v = memref.subview %a[%i, 0] [1, 3] [1, 1]"
            " : memref<4x3xvector<2xf32>> to memref<3xvector<2xf32>, strided<[1], offset: ?>>\n"
            "  %x = memref.load %v[%i] : memref<3xvector<2xf32>, strided<[1], offset: ?>>"
        ),
        lambda a: a[1, 1],
    ),
    "collapse_shape": (
        (
            "  %v = memref.collapse_shape %a [[0, 1]] : memref<4x3xvector<2xf32>> into memref<12xvector<2xf32>>\n"
            "  %n = arith.constant 7 : index\n  %x = memref.load %v[%n] : memref<12xvector<2xf32>>"
        ),
        lambda a: a[2, 1],
    ),
    "expand_shape": (
        (
            "  %v = memref.expand_shape %a [[0, 1], [2]] output_shape [2, 2, 3]"
            " : memref<4x3xvector<2xf32>> into memref<2x2x3xvector<2xf32>>\n"
            "  %x = memref.load %v[%one, %zero, %i] : memref<2x2x3xvector<2xf32>>"
        ),
        lambda a: a[2, 1],
    ),
    "collapse to one": (
        (
            "  %s = memref.subview %a[2, %i] [1, 1] [1, 1]"
            " : memref<4x3xvector<2xf32>> to memref<1x1xvector<2xf32>, strided<[3, 1], offset: ?>>\n"
            "  %v = memref.collapse_shape %s [] : memref<1x1xvector<2xf32>, strided<[3, 1], offset: ?>>"
            " into memref<vector<2xf32>, strided<[], offset: ?>>\n"
            "  %x = memref.load %v[] : memref<vector<2xf32>, strided<[], offset: ?>>"
        ),
        lambda a: a[2, 1],
    ),
    "transpose": (
        (
            "  %v = memref.transpose %a (i, j) -> (j, i)"
            " : memref<4x3xvector<2xf32>> to memref<3x4xvector<2xf32>, strided<[1, 3]>>\n"
            "  %x = memref.load %v[%two, %i] : memref<3x4xvector<2xf32>, strided<[1, 3]>>"
        ),
        lambda a: a[1, 2],
    ),
    "reinterpret_cast": (
        (
            "  %v = memref.reinterpret_cast %a to offset: [2], sizes: [3], strides: [4]"
            " : memref<4x3xvector<2xf32>> to memref<3xvector<2xf32>, strided<[4], offset: 2>>\n"
            "  %x = memref.load %v[%i] : memref<3xvector<2xf32>, strided<[4], offset: 2>>"
        ),
        lambda a: a[2, 0],
    ),
    "allocation and copy": (
        (
            "  %v = memref.alloc() : memref<4x3xvector<2xf32>>\n"
            "  memref.copy %a, %v : memref<4x3xvector<2xf32>> to memref<4x3xvector<2xf32>>\n"
            "  %x = memref.load %v[%i, %two] : memref<4x3xvector<2xf32>>\n"
            "  memref.dealloc %v : memref<4x3xvector<2xf32>>"
        ),
        lambda a: a[1, 2],
    ),
    "vector.load": (
        "  %x = vector.load %a[%i, %two] : memref<4x3xvector<2xf32>>, vector<2xf32>",
        lambda a: a[1, 2],
    ),
    "dim and rank": (
        (
            "  %n = memref.dim %a, %i : memref<4x3xvector<2xf32>>\n  %r = memref.rank %a : memref<4x3xvector<2xf32>>\n"
            "  %s = arith.addi %n, %r : index\n  %t = arith.index_cast %s : index to i32\n"
            "  %f = arith.sitofp %t : i32 to f32\n  %x = vector.broadcast %f : f32 to vector<2xf32>"
        ),
        lambda a: [5, 5],
    ),
    "branches and calls": (
        (
            "  %c = arith.cmpi eq, %i, %one : index\n"
            "  %v = scf.if %c -> memref<4x3xvector<2xf32>> {\n    scf.yield %a : memref<4x3xvector<2xf32>>\n  } else {\n"
            "    %n = memref.alloc() : memref<4x3xvector<2xf32>>\n    scf.yield %n : memref<4x3xvector<2xf32>>\n  }\n"
            "  %x = func.call @first(%v) : (memref<4x3xvector<2xf32>>) -> vector<2xf32>"
        ),
        lambda a: a[0, 0],
    ),
}
FIRST = """\
func.func private @first(%a: memref<4x3xvector<2xf32>>) -> vector<2xf32> {
  %zero = arith.constant 0 : index
  %x = memref.load %a[%zero, %zero] : memref<4x3xvector<2xf32>>
  return %x : vector<2xf32>
}
"""


@pytest.mark.parametrize("case", VIEWS)
@pytest.mark.parametrize("open_extents", [False, True])
def test_views(tmp_path, case, open_extents):
    body, compute = VIEWS[case]
    if open_extents and case not in ("vector.load", "dim and rank", "branches and calls"):
        pytest.skip("its types tell extents")
    constants = "".join(f"  %{n} = arith.constant {k} : index\n" for k, n in enumerate(("zero", "one", "two")))
    text = FIRST + function(
        "%a: memref<4x3xvector<2xf32>>, %b: memref<vector<2xf32>>, %i: index",
        constants + body + "\n  memref.store %x, %b[] : memref<vector<2xf32>>\n  return",
    )
    if open_extents:
        text = text.replace("4x3x", "?x?x").replace("memref.alloc()", "memref.alloc(%i, %i)")
    a = np.arange(24, dtype=np.float32).reshape(4, 3, 2)
    outcome, after = run(tmp_path, text, [a, np.zeros(2, np.float32)], ["i64=1"])
    assert after, outcome.error
    np.testing.assert_array_equal(after[1], compute(a))


def test_type_casts(tmp_path):
    text = function(
        "%a: memref<3x2xvector<4xf32>>, %b: memref<3x8xf32>",
        """\
  %v = vector.type_cast %a : memref<3x2xvector<4xf32>> to memref<vector<3x2x4xf32>>
  %w = vector.type_cast %b : memref<3x8xf32> to memref<vector<3x8xf32>>
  %x = memref.load %v[] : memref<vector<3x2x4xf32>>
  %y = vector.shape_cast %x : vector<3x2x4xf32> to vector<3x8xf32>
  memref.store %y, %w[] : memref<vector<3x8xf32>>
  return""",
    )
    a = np.arange(24, dtype=np.float32).reshape(3, 2, 4)
    outcome, after = run(tmp_path, text, [a, np.zeros((3, 8), np.float32)])
    assert after, outcome.error
    np.testing.assert_array_equal(after[1], a.reshape(3, 8))


def test_globals(tmp_path):
    text = (
        "memref.global @g : memref<2xvector<4xi32>>\nmemref.global @zeros : memref<2xvector<4xi32>> = uninitialized\n"
    ).replace("@g : memref<2xvector<4xi32>>\n", "@g : memref<2xvector<4xi32>> = uninitialized\n") + function(
        "%a: memref<2xvector<4xi32>>, %i: index",
        """\
  %g = memref.get_global @g : memref<2xvector<4xi32>>
  memref.copy %a, %g : memref<2xvector<4xi32>> to memref<2xvector<4xi32>>
  %x = memref.load %g[%i] : memref<2xvector<4xi32>>
  %y = arith.addi %x, %x : vector<4xi32>
  memref.store %y, %a[%i] : memref<2xvector<4xi32>>
  return""",
    )
    a = np.arange(8, dtype=np.int32).reshape(2, 4)
    outcome, after = run(tmp_path, text, [a], ["i64=1"])
    assert after, outcome.error
    np.testing.assert_array_equal(after[0], a * [[1], [2]])


def test_an_axis_of_the_vector_is_no_axis(tmp_path):
    text = function(
        "%a: memref<?xvector<4xf32>>, %i: index",
        "  %n = memref.dim %a, %i : memref<?xvector<4xf32>>\n  return %n : index",
        " -> index",
    )
    a = np.zeros((3, 4), np.float32)
    outcome, after = run(tmp_path, text, [a], ["i64=0"])
    assert (after and outcome.out.splitlines()[-1] == "3") or "3" in outcome.out
    assert "there is no axis 1, the memory has rank 1" in fails(tmp_path, text, [a], ["i64=1"])


REFUSED = {
    "elements": ("memref<?xvector<3xi57>>", "", "func.func: its memory has vectors as elements that have no place"),
    "scalable": ("memref<?xvector<[4]xf32>>", "", "func.func: its memory has vectors as elements that have no place"),
    "long": ("memref<?xvector<2048xf32>>", "", "func.func: its memory has vectors as elements that have no place"),
    "tiles": (
        "memref<4x4xvector<2xf32>, affine_map<(i, j) -> (i floordiv 2, j, i mod 2)>>",
        "",
        "func.func: its memory has vectors as elements that have no place",
    ),
    "a transfer": (
        "memref<?xvector<4xf32>>",
        (
            "  %p = arith.constant dense<0.0> : vector<4xf32>\n"
            "  %x = vector.transfer_read %a[%i], %p : memref<?xvector<4xf32>>, vector<2x4xf32>\n"
        ),
        "vector.transfer_read: its memory has vectors as elements",
    ),
    "the base": (
        "memref<?xvector<4xf32>>",
        (
            "  %p, %o, %n, %s = memref.extract_strided_metadata %a"
            " : memref<?xvector<4xf32>> -> memref<vector<4xf32>>, index, index, index\n"
        ),
        "memref.extract_strided_metadata: its memory has vectors as elements",
    ),
    "open strides": (
        "memref<?xvector<4xf32>>",
        (
            "  %v = memref.reinterpret_cast %a to offset: [%i], sizes: [3], strides: [1]"
            " : memref<?xvector<4xf32>> to memref<3xvector<4xf32>, strided<[1], offset: ?>>\n"
        ),
        "memref.reinterpret_cast: its memory has vectors as elements",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused(tmp_path, case):
    memory, body, error = REFUSED[case]
    text = function(f"%a: {memory}, %i: index", body + "  return")
    assert error in refuses(tmp_path, text)
    # A report tells the same.
    assert error in broadloom.call("check", tmp_path / "p.mlir").error
