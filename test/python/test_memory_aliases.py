"""Small programs whose iterations meet by memory of two names, or by elements that share a place. Five are of the
kinds that upstream's affine-parallelize runs in any order (test_memory_reordering.py has those that other passes compile
wrongly); they run on one thread and on three, against NumPy."""

import broadloom as bl
import numpy as np
import pytest
from memory_programs import compiled

VIEW = "memref<?xi64, strided<[?], offset: ?>>"

# Two names, %a and %b, of what may be one memory, as five programs that upstream's affine-parallelize runs in any
# order; and how far apart their elements of one index are.
PROBES = {
    "a view by reinterpret_cast": (
        "%b = memref.reinterpret_cast %a to offset: [%off], sizes: [%m], strides: [%c1] : KIND to VIEW",
        1,
    ),
    "two get_globals": ("%b = memref.get_global @memory : memref<SIZExi64>", 0),
    "a choice": ("%b = arith.select %yes, %a, %other : KIND", 0),
}


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("name", PROBES)
def test_one_memory_under_two_names(vector_type, name, threads, monkeypatch):
    monkeypatch.setenv("BROADLOOM_LEAST_PARALLEL_WORK", "0")
    size = 62
    view, ahead = PROBES[name]
    v = vector_type(size) if "global" not in name else f"memref<{size}xi64>"
    of_b = "VIEW" if ahead else v
    first = f"%a = memref.get_global @memory : {v}" if "global" in name else ""
    text = f"""\
memref.global "private" @memory : memref<SIZExi64> = dense<1>
func.func @main({"%out" if first else "%a"}: {v}, %other: {v}, %off: index, %m: index, %yes: i1) {{
  %c1 = arith.constant 1 : index
  {first}
  {view}
  affine.for %i = 0 to %m {{
    %x = affine.load %a[%i] : {v}
    %y = arith.addi %x, %x : i64
    affine.store %y, %b[%i + {1 - ahead}] : {of_b}
  }}
  {f"memref.copy %a, %out : {v} to {v}" if first else ""}
  return
}}
"""
    text = text.replace("KIND", v).replace("VIEW", VIEW).replace("SIZE", str(size))
    f = bl.compile(text, "main", threads=threads)
    a, other = np.ones(size, np.int64), np.full(size, 7)
    f(a, other, 1, size - 1, True)
    np.testing.assert_array_equal(a, 2 ** np.arange(size))
    assert (other == 7).all()
    if name == "a choice":
        f(a, other, 1, size - 1, False)
        np.testing.assert_array_equal(other[1:], 2 * a[:-1])


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("extent", ["?", "6"])
def test_a_stride_of_0(extent, threads, monkeypatch):
    """All rows are one, so that the last one is what stays. A type that says so is read-only."""
    monkeypatch.setenv("BROADLOOM_LEAST_PARALLEL_WORK", "0")
    rows = f"memref<{extent}x{extent}xi64, strided<[?, 1], offset: ?>>"
    body = """\
affine.for %i = 0 to %n {
  affine.for %j = 0 to %n {
    %x = affine.load %a[%i, %j] : ROWS
    %k = arith.index_cast %i : index to i64
    %y = arith.muli %x, %x : i64
    %z = arith.addi %y, %k : i64
    affine.store %z, %a[%i, %j] : ROWS
  }
}"""
    text = f"func.func @main(%a: ROWS, %n: index) {{\n{body}\nreturn\n}}\n"
    f = bl.compile(text.replace("ROWS", rows), "main", threads=threads)
    memory = np.arange(6) % 3
    expected = memory.copy()
    for i in range(6):
        expected = expected * expected + i
    f(np.lib.stride_tricks.as_strided(memory, (6, 6), (0, 8)), 6)
    np.testing.assert_array_equal(memory, expected)
    with pytest.raises(bl.CompileError, match="is read-only, because its"):
        bl.compile(text.replace("ROWS", rows.replace("[?, 1]", "[0, 1]")), "main")


@pytest.mark.parametrize("extents", ["8x4", "?x?"])
def test_a_layout_that_puts_elements_at_one_place(extents):
    """Upstream shrinks such memory to one row. Here it is read, and a program that writes to it is refused."""
    rows = f"memref<{extents}xi64, affine_map<(i, j) -> (0, j)>>"
    out = f"memref<{extents}xi64>"
    body = f"""\
affine.for %i = 0 to 8 {{
  affine.for %j = 0 to 4 {{
    %x = affine.load %a[%i, %j] : {rows}
    affine.store %x, %out[7 - %i, %j] : {out}
  }}
}}"""
    f = compiled(f"%a: {rows}, %out: {out}", body)
    row, result = np.arange(4) * 3, np.zeros((8, 4), np.int64)
    f(np.broadcast_to(row, (8, 4)), result)
    np.testing.assert_array_equal(result, np.broadcast_to(row, (8, 4)))
    with pytest.raises(bl.CompileError, match="is read-only, because its"):
        compiled(
            f"%a: {rows}, %out: {out}",
            body.replace("store %x, %out[7 - %i, %j] : " + out, f"store %x, %a[%i, %j] : {rows}"),
        )


def test_a_choice_in_a_loop_and_choices_that_are_refused():
    """Of memory with strides, in iterations of which each chooses; what is no choice of memory of one type is an error."""
    f = compiled(
        f"%a: {VIEW}, %b: {VIEW}, %out: memref<?xi64>, %n: index",
        f"""\
%two = arith.constant 2 : index
%c1 = arith.constant 1 : index
affine.for %i = 0 to %n {{
  %r = arith.remui %i, %two : index
  %odd = arith.cmpi eq, %r, %c1 : index
  %m = arith.select %odd, %a, %b : {VIEW}
  %x = memref.load %m[%i] : {VIEW}
  memref.store %x, %out[%i] : memref<?xi64>
}}""",
    )
    a, b, out = np.arange(20)[::-2], np.arange(100, 112), np.zeros(12, np.int64)
    f(a, b, out, 10)
    np.testing.assert_array_equal(out[:10], np.where(np.arange(10) % 2, a, b[:10]))
    with pytest.raises(
        bl.ShapeError, match=r"'memref\.load': index 11 is outside axis 0 of the result of 'arith\.select'"
    ):
        f(a, b, out, 12)
    for given, choice, told in (
        (
            "%c: vector<4xi1>, %b: memref<4xi64>",
            "(vector<4xi1>, memref<4xi64>, memref<4xi64>)",
            "there must be at least",
        ),
        ("%c: i1, %b: memref<5xi64>", "(i1, memref<4xi64>, memref<5xi64>)", "have same type"),
    ):
        with pytest.raises(bl.CompileError, match=told):
            compiled(f"%a: memref<4xi64>, {given}", f'"arith.select"(%c, %a, %b) : {choice} -> memref<4xi64>')


@pytest.mark.parametrize("extent", ["?", "2"])
def test_a_choice_of_memory_of_vectors(extent):
    v = f"memref<{extent}xvector<4xf32>>"
    f = compiled(
        f"%a: {v}, %b: {v}, %c: i1, %i: index",
        f"""\
%c0 = arith.constant 0 : index
%m = arith.select %c, %a, %b : {v}
%x = memref.load %m[%i] : {v}
%y = arith.addf %x, %x : vector<4xf32>
memref.store %y, %m[%c0] : {v}""",
    )
    for first in (True, False):
        a = np.arange(8, dtype=np.float32).reshape(2, 4)
        b = 10 * a
        expected = [a.copy(), b.copy()]
        chosen = expected[0 if first else 1]
        chosen[0] = 2 * chosen[1]
        f(a, b, first, 1)
        np.testing.assert_array_equal(a, expected[0])
        np.testing.assert_array_equal(b, expected[1])
    with pytest.raises(bl.ShapeError, match="index 2 is outside axis 0 of"):
        f(a, b, True, 2)


@pytest.mark.parametrize("cast", ["index_cast", "index_castui"])
@pytest.mark.parametrize("extent", ["?", "10"])
def test_a_cast_of_all_elements_is_refused(extent, cast):
    """Upstream's verifier takes it, and nothing gives such memory a meaning: an index has more bytes than an i32."""
    memory, other = f"memref<{extent}xi32>", f"memref<{extent}xindex>"
    with pytest.raises(bl.CompileError, match=rf"arith\.{cast}: it gives memory whose elements have another type"):
        compiled(
            f"%a: {memory}, %i: index",
            f"%m = arith.{cast} %a : {memory} to {other}\nmemref.store %i, %m[%i] : {other}",
        )
