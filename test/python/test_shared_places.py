"""Memory whose layout puts several elements at one place (rule mem-17): reads against NumPy, and what is refused."""

import os
import re

import broadloom
import numpy as np
import pytest

ROWS = "memref<?x?xf32, affine_map<(i, j) -> (0, j)>>"
SUM = "memref<6x8xi64, affine_map<(i, j) -> (i + j)>>"
PAIRS = "memref<9xi64, affine_map<(i) -> (i floordiv 2)>>"


def compile_main(arguments, body, results="", after=""):
    return broadloom.compile(
        f"func.func @main({arguments}){results} {{\n{body}\n  return\n}}\n{after}".replace("RETURN\n  return\n", "")
    )


def copy(kind, rank, element):
    """A program that copies memory of a type to an array, element by element."""
    names = "ijk"[:rank]
    out = f"memref<{'x'.join('?' * rank)}x{element}>"
    loops = "".join(
        f"%c{axis} = arith.constant {axis} : index\n%n{axis} = memref.dim %a, %c{axis} : {kind}\n"
        for axis in range(rank)
    )
    loops += "".join(f"affine.for %{name} = 0 to %n{axis} {{\n" for axis, name in enumerate(names))
    at = ", ".join("%" + name for name in names)
    loops += f"%x = affine.load %a[{at}] : {kind}\naffine.store %x, %o[{at}] : {out}\n" + "}\n" * rank
    return compile_main(f"%a: {kind}, %o: {out}", loops)


@pytest.mark.parametrize(
    "kind", [ROWS, "memref<3x4xf32, affine_map<(i, j) -> (0, j)>>", "memref<?x4xf32, affine_map<(i, j) -> (j)>>",
             "memref<?x?xf32, strided<[0, 1]>>"]
)  # fmt: skip
def test_rows_that_are_one(kind):
    """An array that NumPy has broadcast, which is read-only, is such an argument."""
    row = np.arange(4, dtype=np.float32)
    out = np.zeros((3, 4), np.float32)
    copy(kind, 2, "f32")(np.broadcast_to(row, (3, 4)), out)
    np.testing.assert_array_equal(out, np.broadcast_to(row, (3, 4)))


@pytest.mark.parametrize("extents", [(0, 4), (1, 4), (3, 0)])
def test_rows_of_few(extents):
    out = np.zeros(extents, np.float32)
    copy(ROWS, 2, "f32")(np.broadcast_to(np.ones(extents[1], np.float32), extents), out)
    assert (out == 1).all()


def test_sums_of_indices():
    """The places of i + j are 13, and elements of one place are seen as equal."""
    places = np.arange(13, dtype=np.int64)
    a = np.lib.stride_tricks.as_strided(places, (6, 8), (8, 8))
    out = np.zeros((6, 8), np.int64)
    copy(SUM, 2, "i64")(a, out)
    np.testing.assert_array_equal(out, np.add.outer(np.arange(6), np.arange(8)))


def test_quotients_are_arrays_of_their_places():
    out = np.zeros(9, np.int64)
    program = copy(PAIRS, 1, "i64")
    places = np.arange(5, dtype=np.int64)
    places.flags.writeable = False
    program(places, out)
    np.testing.assert_array_equal(out, np.arange(9) // 2)
    with pytest.raises(ValueError, match="argument 'a' has shape 9 but the function takes 5"):
        program(np.arange(9), out)


def test_views_calls_and_linalg():
    """A product with rows that are one, made by a view of a row, in another function and by linalg."""
    kind = "memref<?x?xf32, strided<[0, 1]>>"
    text = f"""\
func.func @main(%r: memref<?xf32>, %b: memref<?x?xf32>, %o: memref<?x?xf32>) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %o, %c0 : memref<?x?xf32>
  %m = memref.dim %r, %c0 : memref<?xf32>
  %a = memref.reinterpret_cast %r to offset: [0], sizes: [%n, %m], strides: [0, 1] : memref<?xf32> to {kind}
  func.call @product(%a, %b, %o) : ({kind}, memref<?x?xf32>, memref<?x?xf32>) -> ()
  %row = memref.subview %a[%c1, 0] [1, %m] [1, 1] : {kind} to memref<?xf32, strided<[1]>>
  %x = memref.load %row[%c0] : memref<?xf32, strided<[1]>>
  memref.store %x, %o[%c0, %c0] : memref<?x?xf32>
  %v = vector.load %a[%c1, %c1] : {kind}, vector<4xf32>
  vector.store %v, %o[%c1, %c1] : memref<?x?xf32>, vector<4xf32>
  return
}}
func.func private @product(%a: {kind}, %b: memref<?x?xf32>, %o: memref<?x?xf32>) {{
  linalg.matmul ins(%a, %b : {kind}, memref<?x?xf32>) outs(%o : memref<?x?xf32>)
  return
}}
"""
    rng = np.random.default_rng(1)
    row, b = rng.random(5, np.float32), rng.random((5, 6), np.float32)
    out = np.zeros((4, 6), np.float32)
    broadloom.compile(text, function="main")(row, b, out)
    want = np.broadcast_to(row @ b, (4, 6)).copy()
    want[0, 0] = row[0]
    want[1, 1:5] = row[1:]
    np.testing.assert_allclose(out, want, rtol=1e-6)
    with pytest.raises(broadloom.Error, match="axis 1 of argument 'a' of 'product' has extent 5 but axis 0"):
        broadloom.compile(text, function="main")(row, b[:4].copy(), out)


@pytest.mark.parametrize("kind, count", [(SUM, 13), (PAIRS, 5)])
def test_accumulation_into_one_place(kind, count):
    """Each place gets the sum of its elements, on one thread and on several."""
    extents = (6, 8) if kind is SUM else (9,)
    names = ["%i", "%j"][: len(extents)]
    loops = "".join(f"scf.parallel ({name}) = (%c0) to (%n{axis}) step (%c1) {{\n" for axis, name in enumerate(names))
    numbers = "".join(f"%n{axis} = arith.constant {extent} : index\n" for axis, extent in enumerate(extents))
    body = (
        f"%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n%one = arith.constant 1 : i64\n{numbers}{loops}"
        f"%old = memref.atomic_rmw addi %one, %a[{', '.join(names)}] : (i64, {kind}) -> i64\n"
        + "scf.reduce\n}\n"
        * len(names)
    )
    places = np.zeros(count, np.int64)
    array = np.lib.stride_tricks.as_strided(places, (6, 8), (8, 8)) if kind is SUM else places
    compile_main(f"%a: {kind}", body)(array)
    index = np.add.outer(np.arange(6), np.arange(8)).ravel() if kind is SUM else np.arange(9) // 2
    np.testing.assert_array_equal(places, np.bincount(index))
    array.flags.writeable = False
    with pytest.raises(ValueError, match="is read-only"):
        compile_main(f"%a: {kind}", body)(array)


def test_wrong_indices_are_those_of_the_type():
    program = compile_main(
        f"%a: {PAIRS}, %i: index", f"%x = memref.load %a[%i] : {PAIRS}\nreturn %x : i64\nRETURN", " -> i64"
    )
    assert program(np.arange(5), 8) == 4
    with pytest.raises(broadloom.Error, match="index 9 is outside axis 0 of argument 'a', whose extent is 9"):
        program(np.arange(5), 9)


ONE = "is read-only, because its layout puts elements [0, 0] and [1, 0] at one place"
VIEW = "memref<?x?xf32, strided<[?, ?], offset: ?>>"


@pytest.mark.parametrize(
    "body, told",
    [
        (f"memref.store %x, %a[%i, %i] : {ROWS}", "'memref.store': argument 'a' " + ONE),
        (f"affine.store %x, %a[0, 0] : {ROWS}", "'affine.store': argument 'a' " + ONE),
        (f"memref.copy %b, %a : memref<?x?xf32> to {ROWS}", "'memref.copy': argument 'a' " + ONE),
        (f"linalg.fill ins(%x : f32) outs(%a : {ROWS})", "'linalg.fill': argument 'a' " + ONE),
        (f"vector.store %v, %a[%i, %i] : {ROWS}, vector<4xf32>", "'vector.store': argument 'a' " + ONE),
        (f"%o = memref.atomic_rmw addf %x, %a[%i, %i] : (f32, {ROWS}) -> f32", "'memref.atomic_rmw': argument 'a' " + ONE),
        (f"%o = memref.generic_atomic_rmw %a[%i, %i] : {ROWS} {{\n^bb0(%e: f32):\n  memref.atomic_yield %x : f32\n}}",
         "'memref.generic_atomic_rmw': argument 'a' " + ONE),
        (f"%w = memref.cast %a : {ROWS} to {VIEW}\nmemref.store %x, %w[%i, %i] : {VIEW}",
         "'memref.store': argument 'a' " + ONE),
        (f"%w = memref.cast %a : {ROWS} to {VIEW}\nfunc.call @g(%w) : ({VIEW}) -> ()",
         "this view of it is handed on as memory that may be written"),
        ((f"%w = memref.reinterpret_cast %a to offset: [0], sizes: [4], strides: [1] : {ROWS} to memref<4xf32>\n"
          "memref.store %x, %w[%i] : memref<4xf32>"), "'memref.store': argument 'a' " + ONE),
        ("%m = memref.alloc() : memref<8x4xf32, affine_map<(i, j) -> (0, j)>>", "which nothing could fill"),
        ("%m = memref.alloca() : memref<8xf32, affine_map<(i) -> (i floordiv 2)>>", "which nothing could fill"),
        ("%m = memref.alloc() : memref<6x8xf32, affine_map<(i, j) -> (i * 2 + j)>>", "which nothing could fill"),
    ],
)  # fmt: skip
def test_writes_are_refused(body, told):
    after = f"func.func private @g(%w: {VIEW}) {{\n  return\n}}"
    arguments = f"%a: {ROWS}, %b: memref<?x?xf32>, %x: f32, %i: index, %v: vector<4xf32>"
    if "%v" not in body:
        arguments = arguments[: arguments.index(", %v")]
    else:
        body = "%v = vector.broadcast %x : f32 to vector<4xf32>\n" + body
        arguments = arguments[: arguments.index(", %v")]
    with pytest.raises(broadloom.CompileError, match=re.escape(told)):
        compile_main(arguments, body, after=after)


@pytest.mark.parametrize("seed", range(20))
def test_random_strides_are_shared_or_not(seed):
    """A store is refused exactly where two elements have one place."""
    rng = np.random.default_rng(seed)
    rank = int(rng.integers(1, 4))
    extents, strides = rng.integers(1, 5, rank), rng.integers(-4, 7, rank)
    kind = f"memref<{'x'.join(map(str, extents))}xi8, strided<[{', '.join(map(str, strides))}], offset: 99>>"
    places = np.tensordot(np.moveaxis(np.indices(extents), 0, -1), strides, 1).ravel()
    at = ", ".join(["%i"] * rank)
    refused = None
    try:
        compile_main(f"%a: {kind}, %i: index, %x: i8", f"memref.store %x, %a[{at}] : {kind}")
    except broadloom.CompileError as error:
        refused = str(error)
    assert (refused is not None) == (len(set(places)) < len(places))
    if refused:
        numbers = [list(map(int, found.split(", "))) for found in re.findall(r"\[([-0-9, ]+)\]", refused)[:2]]
        first, second = (int(np.dot(index, strides)) for index in numbers)
        assert numbers[0] != numbers[1] and first == second
        assert all(0 <= part < extent for index in numbers for part, extent in zip(index, extents, strict=True))


def test_declared_effects_do_not_write():
    text = """\
func.func private @scale(memref<?x4xf64, strided<[0, 1]>>) attributes {loom.convention = "descriptors", loom.effects = {
  writes = [#loom.access_set<0, #loom.relation<"() -> (i, j) : (i == 0, 0 <= j < 4)">>]}}
func.func @main(%a: memref<?x4xf64, strided<[0, 1]>>) {
  func.call @scale(%a) : (memref<?x4xf64, strided<[0, 1]>>) -> ()
  return
}
"""
    with pytest.raises(broadloom.CompileError, match="argument 0 of '@scale' is read-only, because its layout puts"):
        broadloom.compile(text, function="main")


def test_example_of_the_rationale():
    path = os.path.join(os.path.dirname(__file__), "..", "..", "examples", "rationale", "broadcast-layout.mlir")
    a, row = np.arange(12, dtype=np.float32).reshape(3, 4), np.arange(4, dtype=np.float32)
    b = a.copy()
    broadloom.compile(path)(b, np.broadcast_to(row, (3, 4)))
    np.testing.assert_array_equal(b, a - row)
    with pytest.raises(broadloom.Error, match="index 2 is outside axis 0 of argument 'row', whose extent is 2"):
        broadloom.compile(path)(b, np.broadcast_to(row, (2, 4)))


def test_nothing_is_shared_without_elements():
    kind = "memref<8x0xf32, strided<[0, 1]>>"
    body = f"%c0 = arith.constant 0 : index\nscf.if %t {{\n  memref.store %x, %a[%c0, %i] : {kind}\n}}"
    compile_main(f"%a: {kind}, %x: f32, %i: index, %t: i1", body)(np.zeros((8, 0), np.float32), 1.0, 0, False)


def test_tensors_of_it():
    """A tensor is what the memory holds."""
    text = f"""\
func.func @main(%a: {ROWS}) -> tensor<?x?xf32> {{
  %t = bufferization.to_tensor %a : {ROWS} to tensor<?x?xf32>
  %d = tosa.add %t, %t : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %d : tensor<?x?xf32>
}}
"""
    row = np.arange(4, dtype=np.float32)
    np.testing.assert_array_equal(broadloom.compile(text)(np.broadcast_to(row, (3, 4))), np.tile(2 * row, (3, 1)))


def test_the_base_is_not_written():
    kind = "memref<?x?xf32, strided<[0, 1]>>"
    body = (
        f"%w, %o, %s:2, %t:2 = memref.extract_strided_metadata %a : {kind} -> memref<f32>, index, index, index, index, index\n"
        "memref.store %x, %w[] : memref<f32>"
    )
    with pytest.raises(broadloom.CompileError, match=re.escape("'memref.store': argument 'a' " + ONE)):
        compile_main(f"%a: {kind}, %x: f32", body)


@pytest.mark.parametrize("layout", ["strided<[-1, 1]>", "strided<[0, 1]>", "affine_map<(i, j) -> (j)>"])
def test_strides_that_an_array_does_not_have(layout):
    program = copy(f"memref<?x?xf32, {layout}>", 2, "f32")
    with pytest.raises(ValueError, match=r"argument 'a' has strides \[8, 1\], but its type has \["):
        program(np.zeros((8, 8), np.float32), np.zeros((8, 8), np.float32))
