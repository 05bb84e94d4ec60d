"""Views of arrays in programs over memory (mem-11, mem-13): they change the caller's array in place."""

import broadloom as bl
import numpy as np
import pytest

FILL = """\
  %c0 = arith.constant 0 : index
  %extent = memref.dim {v}, %c0 : {type}
  affine.for %i = 0 to %extent {{
    %k = arith.index_cast %i : index to i64
    affine.store %k, {v}[%i] : {type}
  }}
  return"""


def function(arguments, body, results=""):
    return f"func.func @main({arguments}){results} {{\n{body}\n}}\n"


def test_the_reach_of_strided_arguments():
    """Elements are counted from the first of the argument, whose memory may begin before."""
    text = function(
        "%a: memref<?xi64, strided<[?], offset: ?>>, %o: index, %x: i64",
        """\
  %v = memref.reinterpret_cast %a to offset: [%o], sizes: [], strides: [] :
    memref<?xi64, strided<[?], offset: ?>> to memref<i64, strided<[], offset: ?>>
  memref.store %x, %v[] : memref<i64, strided<[], offset: ?>>
  return""",
    )
    f = bl.compile(text)
    a = np.zeros(5, np.int64)
    f(a[::-1], -4, 7)
    f(a[::-1], 0, 8)
    f(a[::2], 4, 9)
    assert a.tolist() == [7, 0, 0, 0, 9]
    for part, at in ((a[::-1], 1), (a[::-1], -5), (a[::2], 5), (a[1:3], 2), (a[:0], 0)):
        with pytest.raises(bl.ShapeError, match=r"the view reaches from element"):
            f(part, at, 1)


@pytest.mark.parametrize("static", [False, True])
def test_collapse_expand_transpose(static):
    n, m, k = (3, 4, 12) if static else "???"
    text = function(
        f"%a: memref<{n}x{m}xi64>, %p: index, %q: index, %out: memref<{m}x{n}xi64>",
        f"""\
  %f = memref.collapse_shape %a [[0, 1]] : memref<{n}x{m}xi64> into memref<{k}xi64>
  %e = memref.expand_shape %f [[0, 1]] output_shape [%p, %q] : memref<{k}xi64> into memref<{n}x{m}xi64>
  %t = memref.transpose %e (i, j) -> (j, i) : memref<{n}x{m}xi64> to memref<{m}x{n}xi64, strided<[1, {m}]>>
  memref.copy %t, %out : memref<{m}x{n}xi64, strided<[1, {m}]>> to memref<{m}x{n}xi64>
  return""".replace("%p, %q", "3, 4" if static else "%p, %q"),
    )
    a, out = np.arange(12).reshape(3, 4), np.zeros((4, 3), np.int64)
    f = bl.compile(text)
    f(a, 3, 4, out)
    np.testing.assert_array_equal(out, a.T)
    if not static:
        out = np.zeros((6, 2), np.int64)
        f(a, 2, 6, out)
        np.testing.assert_array_equal(out, a.reshape(2, 6).T)
        for p, q in ((2, 5), (-3, -4), (0, 4), (2**62, 8)):
            with pytest.raises(bl.ShapeError, match=r"'memref.expand_shape': axis 0 of .* cannot become"):
                f(a, p, q, out)


def test_collapse_needs_one_axis_in_memory():
    f = bl.compile(
        function(
            "%a: memref<?x?xi64, strided<[?, ?], offset: ?>>",
            "%v = memref.collapse_shape %a [[0, 1]] : memref<?x?xi64, strided<[?, ?], offset: ?>> into "
            "memref<?xi64, strided<[?], offset: ?>>\n"
            + FILL.format(v="%v", type="memref<?xi64, strided<[?], offset: ?>>"),
        )
    )
    a = np.zeros((4, 6), np.int64)
    good = [a, a[:, :1], a[1:2], a[1:2, ::2], a[::-1, ::-1], a[:, 2:3].T, a[:0], a[:, :0]]
    for part in good:
        a[...] = -1
        expected = np.arange(part.size).reshape(part.shape)
        f(part)
        np.testing.assert_array_equal(part, expected)
    for part in (a[:, :3], a.T, a[::-1], a[:, ::-1], a[::2]):
        with pytest.raises(bl.ShapeError, match=r"'memref.collapse_shape': axis 0 of argument 'a' has stride"):
            f(part)


def test_bytes():
    """memref.view makes memory of another element type of bytes, inside these and aligned."""
    f = bl.compile(
        function(
            "%a: memref<?xi8>, %o: index, %n: index",
            "%v = memref.view %a[%o][%n] : memref<?xi8> to memref<?xi64>\n" + FILL.format(v="%v", type="memref<?xi64>"),
        )
    )
    a = np.zeros(64, np.int8)
    a = a[-a.ctypes.data % 8 :][:40]
    f(a, 8, 4)
    assert a.view(np.int64).tolist() == [0, 0, 1, 2, 3]
    for o, n in ((8, 5), (16, 4), (-8, 2), (0, -1), (0, 2**61), (2**63 - 8, 1)):
        with pytest.raises(bl.ShapeError, match=r"the view takes|has extent"):
            f(a, o, n)
    with pytest.raises(bl.ShapeError, match=r"begins at an address that is no multiple of 8"):
        f(a, 4, 2)
    with pytest.raises(bl.ShapeError, match=r"begins at an address that is no multiple of 8"):
        f(a[1:], 0, 2)
    f(a[1:], 7, 4)


def test_metadata():
    text = function(
        "%a: memref<?x?xi64, strided<[?, ?], offset: ?>>, %i: index, %o: index",
        """\
  %s = memref.subview %a[%o, 0] [1, 1] [1, 1] : memref<?x?xi64, strided<[?, ?], offset: ?>> to
    memref<1x1xi64, strided<[?, ?], offset: ?>>
  %b, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %s :
    memref<1x1xi64, strided<[?, ?], offset: ?>> -> memref<i64>, index, index, index, index, index
  %x = arith.index_cast %offset : index to i64
  memref.store %x, %b[] : memref<i64>
  return %strides#0 : index""",
        " -> index",
    )
    f = bl.compile(text)
    a = np.zeros((3, 4), np.int64)
    assert f(a, 0, 2) == 4
    assert a[0, 0] == 8
    with pytest.raises(bl.ShapeError, match=r"the view takes"):
        f(a[:0], 0, 0)


def test_alignment():
    f = bl.compile(
        function(
            "%a: memref<?xf32, strided<[1], offset: ?>>, %x: f32",
            """\
  %s = memref.subview %a[1] [1] [1] : memref<?xf32, strided<[1], offset: ?>> to memref<1xf32, strided<[1], offset: ?>>
  %v = memref.assume_alignment %s, 16 : memref<1xf32, strided<[1], offset: ?>>
  affine.store %x, %v[0] : memref<1xf32, strided<[1], offset: ?>>
  return""",
        )
    )
    a = np.zeros(64, np.float32)
    first = -a.ctypes.data % 16 // 4
    f(a[first + 3 :], 2.0)
    assert a[first + 4] == 2
    with pytest.raises(bl.ShapeError, match=r"'memref.assume_alignment': .* begins at an address that is no multiple"):
        f(a[first + 2 :], 2.0)


def test_reshape():
    f = bl.compile(
        function(
            "%a: memref<?x?xi64>, %shape: memref<3xi32>, %out: memref<?x3x?xi64>",
            """\
  %v = memref.reshape %a(%shape) : (memref<?x?xi64>, memref<3xi32>) -> memref<?x3x?xi64>
  memref.copy %v, %out : memref<?x3x?xi64> to memref<?x3x?xi64>
  return""",
        )
    )
    a, out = np.arange(24).reshape(4, 6), np.zeros((2, 3, 4), np.int64)
    f(a, np.array([2, 3, 4], np.int32), out)
    np.testing.assert_array_equal(out, a.reshape(2, 3, 4))
    with pytest.raises(bl.ShapeError, match=r"'memref.reshape': .* has extent 24 and cannot become 2x3x5"):
        f(a, np.array([2, 3, 5], np.int32), out)
    with pytest.raises(bl.ShapeError, match=r"'memref.reshape': .* has extent 2, but the result's type has 3"):
        f(a, np.array([3, 2, 4], np.int32), out)


def test_layouts_of_arguments():
    f = bl.compile(
        function(
            "%a: memref<2x3xi64, affine_map<(i, j) -> (j, i)>>, %x: i64",
            "affine.store %x, %a[1, 2] : memref<2x3xi64, affine_map<(i, j) -> (j, i)>>\nreturn",
        )
    )
    a = np.zeros((3, 2), np.int64)
    f(a.T, 5)
    assert a[2, 1] == 5
    with pytest.raises(Exception, match=r"but its type has"):
        f(np.zeros((2, 3), np.int64), 5)


def test_globals_keep_what_calls_write():
    """As long as the program is loaded. Another one has memory of its own."""
    text = """\
memref.global "private" @count : memref<i64> = dense<10>
func.func @main(%t: i1) -> i64 {
  %c = memref.get_global @count : memref<i64>
  %one = arith.constant 1 : i64
  %x = memref.load %c[] : memref<i64>
  %y = arith.addi %x, %one : i64
  memref.store %y, %c[] : memref<i64>
  cf.assert %t, "as told"
  return %y : i64
}
"""
    f = bl.compile(text)
    assert [f(True), f(True)] == [11, 12]
    with pytest.raises(bl.ShapeError, match="as told"):
        f(False)
    assert f(True) in (13, 14)
    assert bl.compile(text.replace("dense<10>", "dense<20>"))(True) == 21


def test_a_program_that_is_compiled_twice():
    text = """\
memref.global "private" @count : memref<1xi64> = uninitialized
func.func @main(%x: i64) -> i64 {
  %c = memref.get_global @count : memref<1xi64>
  %y = affine.load %c[0] : memref<1xi64>
  %z = arith.addi %x, %y : i64
  affine.store %z, %c[0] : memref<1xi64>
  return %z : i64
}
"""
    f, g = bl.compile(text), bl.compile(text)
    assert [f(1), f(1), g(5), f(1), g(5)] == [1, 2, 5, 3, 10]


@pytest.mark.parametrize(
    "memory, message",
    [
        ("memref.get_global @weights : memref<2xi64>", "memref.atomic_rmw: it writes to a 'memref.global' that is"),
        (
            "memref.alloc() : memref<2xi64>\n  memref.dealloc %m : memref<2xi64>",
            "'memref.atomic_rmw': this memory was freed",
        ),
    ],
)
def test_errors_have_the_name_of_the_atomic_operation(memory, message):
    body = f"""\
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i64
  %m = {memory}
  %old = memref.atomic_rmw addi %one, %m[%c0] : (i64, memref<2xi64>) -> i64
  return"""
    text = 'memref.global "private" constant @weights : memref<2xi64> = dense<1>\n' + function("", body)
    with pytest.raises(bl.CompileError, match=message):
        bl.compile(text)
