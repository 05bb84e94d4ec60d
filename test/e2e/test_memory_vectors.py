"""Vectors in functions over memory (mem-10): values against NumPy, and errors by their text."""

import re

import broadloom
import numpy as np
import pytest
from memory_programs import fails, function, refuses, run

V = "vector<4xf32>"
M = "memref<?xf32>"
PAIR = f"%a: {M}, %b: {M}, %i: index"

# Bodies on two arrays and an index; what they make of the second one.
CASES = {
    "load and store": (
        f"  %v = vector.load %a[%i] : {M}, {V}\n  vector.store %v, %b[%i] : {M}, {V}",
        lambda a, b, i: b.__setitem__(slice(i, i + 4), a[i : i + 4]),
    ),
    "affine": (
        (
            f"  %v = affine.vector_load %a[symbol(%i) + 1] : {M}, {V}\n"
            f"  affine.vector_store %v, %b[symbol(%i)] : {M}, {V}"
        ),
        lambda a, b, i: b.__setitem__(slice(i, i + 4), a[i + 1 : i + 5]),
    ),
    "arithmetic": (
        (
            f"  %v = vector.load %a[%i] : {M}, {V}\n  %c = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : {V}\n"
            f"  %s = arith.addf %v, %c : {V}\n  %f = vector.fma %s, %s, %c : {V}\n"
            f"  %z = arith.constant dense<10.0> : {V}\n  %g = arith.cmpf ogt, %f, %z : {V}\n"
            f"  %r = arith.select %g, %f, %c : vector<4xi1>, {V}\n  vector.store %r, %b[%i] : {M}, {V}"
        ),
        lambda a, b, i: b.__setitem__(
            slice(i, i + 4),
            (lambda s, c: np.where(s * s + c > 10, s * s + c, c))(
                a[i : i + 4] + np.float32([1, 2, 3, 4]), [1, 2, 3, 4]
            ),
        ),
    ),
    "reduction": (
        (
            f"  %v = vector.load %a[%i] : {M}, {V}\n  %s = vector.reduction <add>, %v : {V} into f32\n"
            f"  %t = vector.broadcast %s : f32 to {V}\n  %x = vector.extract %v[2] : f32 from {V}\n"
            f"  %u = vector.insert %x, %t [0] : f32 into {V}\n  vector.store %u, %b[%i] : {M}, {V}"
        ),
        lambda a, b, i: b.__setitem__(slice(i, i + 4), [a[i + 2], *[a[i : i + 4].sum()] * 3]),
    ),
    "gather and scatter": (
        (
            "  %o = arith.constant dense<[3, 0, 2, 1]> : vector<4xindex>\n"
            f"  %m = arith.constant dense<[true, true, false, true]> : vector<4xi1>\n"
            f"  %p = arith.constant dense<9.0> : {V}\n"
            f"  %v = vector.gather %a[%i][%o], %m, %p : {M}, vector<4xindex>, vector<4xi1>, {V} into {V}\n"
            f"  vector.scatter %b[%i][%o], %m, %v : {M}, vector<4xindex>, vector<4xi1>, {V}"
        ),
        lambda a, b, i: [b.__setitem__(i + k, a[i + k]) for k in (3, 0, 1)],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_values(tmp_path, case):
    body, compute = CASES[case]
    a, b = np.arange(8, dtype=np.float32), np.full(8, -1, np.float32)
    text = function(PAIR, body + "\n  return")
    outcome, after = run(tmp_path, text, [a, b], ["i64=2"])
    assert after, outcome.error
    compute(a, b, 2)
    np.testing.assert_array_equal(after[0], a)
    np.testing.assert_allclose(after[1], b, rtol=1e-6)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("index", [5, 8, -1, 2**63 - 1, -(2**63)])
def test_lanes_outside(tmp_path, case, index):
    text = function(PAIR, CASES[case][0] + "\n  return")
    arrays = [np.zeros(8, np.float32), np.zeros(8, np.float32)]
    error = fails(tmp_path, text, arrays, [f"i64={index}"])
    name = "affine.vector_" if case == "affine" else "vector.gather" if "gather" in case else "vector.load"
    assert f"'{name}" in error and re.search(
        "index -?[0-9]+ is outside axis 0 of argument '[ab]', whose extent is 8", error
    )


def test_a_store_that_fails_writes_no_lane(tmp_path):
    text = function(
        f"%a: {M}, %i: index", f"  %v = arith.constant dense<1.0> : {V}\n  vector.store %v, %a[%i] : {M}, {V}\n  return"
    )
    assert fails(tmp_path, text, [np.zeros(6, np.float32)], ["i64=3"]) == (
        "p.mlir:3:3: 'vector.store': index 6 is outside axis 0 of argument 'a', whose extent is 6: "
        "%i + 3 with %i = 3 (argument 'i')\n"
    )


MASKED = """\
  %v = vector.create_mask %n : vector<4xi1>
  %p = arith.constant dense<7.0> : vector<4xf32>
  %l = vector.maskedload %a[%i], %v, %p : memref<?xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.maskedstore %b[%i], %v, %l : memref<?xf32>, vector<4xi1>, vector<4xf32>
  vector.transfer_write %l, %c[%z] {in_bounds = [true]} : vector<4xf32>, memref<?xf32>
  return"""


@pytest.mark.parametrize("n", [-1, 0, 2, 4, 9])
def test_masks(tmp_path, n):
    """Only lanes that the mask has touch memory."""
    text = function(
        "%a: memref<?xf32>, %b: memref<?xf32>, %c: memref<?xf32>, %i: index, %n: index",
        "  %z = arith.constant 0 : index\n" + MASKED,
    )
    a, b, c = np.arange(6, dtype=np.float32), np.zeros(6, np.float32), np.zeros(4, np.float32)
    if n > 2:
        error = fails(tmp_path, text, [a, b, c], ["i64=4", f"i64={n}"])
        assert "'vector.maskedload': index 6 is outside axis 0 of argument 'a', whose extent is 6" in error
        return
    outcome, after = run(tmp_path, text, [a, b, c], ["i64=4", f"i64={n}"])
    assert after, outcome.error
    lanes = max(n, 0)
    np.testing.assert_array_equal(after[1], [0, 0, 0, 0, *a[4 : 4 + lanes], *[0] * (2 - lanes)])
    np.testing.assert_array_equal(after[2], [*a[4 : 4 + lanes], *[7] * (4 - lanes)])


TRANSFER = """\
  %p = arith.constant 9.0 : f32
  %v = vector.transfer_read %a[%i, %j], %p {{permutation_map = affine_map<(d0, d1) -> ({0})>, in_bounds = [{1}]}}
    : memref<?x?xf32>, vector<2x3xf32>
  vector.transfer_write %v, %b[%z, %z] {{in_bounds = [true, true]}} : vector<2x3xf32>, memref<?x?xf32>
  return"""


@pytest.mark.parametrize("order", ["d0, d1", "d1, d0", "0, d1"])
@pytest.mark.parametrize("at", [(0, 0), (2, 2), (3, 1), (0, 4)])
def test_transfers_read_padding_outside(tmp_path, order, at):
    text = function(
        "%a: memref<?x?xf32>, %b: memref<?x?xf32>, %i: index, %j: index",
        "  %z = arith.constant 0 : index\n"
        + TRANSFER.format(order, "true, false" if order[0] == "0" else "false, false"),
    )
    a, b = np.arange(12, dtype=np.float32).reshape(3, 4), np.zeros((2, 3), np.float32)
    outcome, after = run(tmp_path, text, [a, b], [f"i64={x}" for x in at])
    expected = np.zeros((2, 3), np.float32)
    for r in range(2):
        for s in range(3):
            i, j = {"d0, d1": (r, s), "d1, d0": (s, r), "0, d1": (0, s)}[order]
            i, j = i + at[0], j + at[1]
            expected[r, s] = a[i, j] if 0 <= i < 3 and 0 <= j < 4 else 9
    if order == "0, d1" and at[0] == 3:
        # The first axis has no lanes, and its index must be inside where an element is read.
        assert "'vector.transfer_read': index 3 is outside axis 0" in outcome.error
        return
    assert after, outcome.error
    np.testing.assert_array_equal(after[1], expected)


def test_transfers_inside_are_checked(tmp_path):
    text = function(
        "%a: memref<?x?xf32>, %b: memref<?x?xf32>, %i: index, %j: index",
        "  %z = arith.constant 0 : index\n" + TRANSFER.format("d0, d1", "true, true"),
    )
    arrays = [np.zeros((3, 4), np.float32), np.zeros((2, 3), np.float32)]
    assert "'vector.transfer_read': index 4 is outside axis 1 of argument 'a', whose extent is 4" in fails(
        tmp_path, text, arrays, ["i64=0", "i64=2"]
    )


@pytest.mark.parametrize("order", ["d0, d1", "d1, d0", "0, d1"])
@pytest.mark.parametrize("masked", ["operand", "around"])
def test_masks_have_the_axes_of_memory(tmp_path, order, masked):
    """Also where the permutation map has another order, or repeats what it reads."""
    shape = {"d0, d1": (2, 3), "d1, d0": (3, 2), "0, d1": (3,)}[order]
    mask = f"vector<{'x'.join(map(str, shape))}xi1>"
    read = (
        f"vector.transfer_read %a[%z, %z], %p{', %m' if masked == 'operand' else ''}"
        f" {{permutation_map = affine_map<(d0, d1) -> ({order})>, in_bounds = [true, true]}}"
        " : memref<?x?xf32>, vector<2x3xf32>"
    )
    if masked == "around":
        read = f"vector.mask %m {{ {read} }} : {mask} -> vector<2x3xf32>"
    load = "%c[%z]" if len(shape) == 1 else "%c[%z, %z]"
    text = function(
        f"%a: memref<?x?xf32>, %b: memref<2x3xf32>, %c: memref<{'x'.join('?' for _ in shape)}xi1>",
        "  %z = arith.constant 0 : index\n  %p = arith.constant 9.0 : f32\n"
        f"  %m = vector.load {load} : memref<{'x'.join('?' for _ in shape)}xi1>, {mask}\n  %v = {read}\n"
        "  vector.transfer_write %v, %b[%z, %z] {in_bounds = [true, true]} : vector<2x3xf32>, memref<2x3xf32>\n  return",
    )
    a = np.arange(16, dtype=np.float32).reshape(4, 4)
    holds = np.arange(np.prod(shape)).reshape(shape) % 3 != 1
    outcome, after = run(tmp_path, text, [a, np.zeros((2, 3), np.float32), holds])
    assert after, outcome.error
    expected = np.zeros((2, 3), np.float32)
    for r in range(2):
        for s in range(3):
            place = {"d0, d1": (r, s), "d1, d0": (s, r), "0, d1": (s,)}[order]
            at = place if len(place) == 2 else (0, *place)
            expected[r, s] = a[at] if holds[place] else 9
    np.testing.assert_array_equal(after[1], expected)


def test_loops_of_vectors(tmp_path):
    text = """\
func.func @main(%a: memref<?xi32>, %b: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?xi32>
  affine.for %i = 0 to %n step 8 {
    %p = arith.constant 1 : i32
    %x = vector.transfer_read %a[%i], %p : memref<?xi32>, vector<8xi32>
    %y = vector.transfer_read %b[%i], %p : memref<?xi32>, vector<8xi32>
    %d = arith.divsi %x, %y : vector<8xi32>
    vector.transfer_write %d, %b[%i] : vector<8xi32>, memref<?xi32>
  }
  return
}
"""
    a, b = np.arange(21, dtype=np.int32), np.arange(1, 22, dtype=np.int32)[::-1].copy()
    _, after = run(tmp_path, text, [a, b])
    np.testing.assert_array_equal(after[1], a // b)
    b[13] = 0
    assert "'arith.divsi': division by 0" in fails(tmp_path, text, [a, b])


def test_vectors_in_blocks(tmp_path):
    """A value may stand behind its use in the text."""
    text = function(
        "%a: memref<?xf32>, %i: index",
        f"""\
  cf.br ^first
^second:
  vector.store %v, %a[%i] : {M}, {V}
  return
^first:
  %w = vector.load %a[%i] : {M}, {V}
  %v = arith.addf %w, %w : {V}
  cf.br ^second""",
    )
    _, (a,) = run(tmp_path, text, [np.arange(5, dtype=np.float32)], ["i64=1"])
    assert a.tolist() == [0, 2, 4, 6, 8]


FULL = f"""\
  %full = arith.constant dense<true> : vector<4xi1>
  %zeros = arith.constant dense<0.0> : {V}
"""

REFUSED = {
    "a scalable one": (f"  %v = vector.load %a[%i] : {M}, vector<[4]xf32>", "vector.load: a vector has at most 1024"),
    "a large one": (f"  %v = vector.load %a[%i] : {M}, vector<2048xf32>", "vector.load: a vector has at most 1024"),
    "a position of poison": (
        f"  %v = vector.load %a[%i] : {M}, {V}\n  %x = vector.extract %v[-1] : f32 from {V}",
        "vector.extract: a position of -1 is no lane",
    ),
    "a vector of more axes": (
        (
            f"{FULL}  %m = memref.alloca() : memref<f32>\n"
            f"  %v = vector.maskedload %m[], %full, %zeros : memref<f32>, vector<4xi1>, {V} into {V}"
        ),
        "vector.maskedload: its memory has fewer axes than it accesses",
    ),
    "a gather of one element": (
        (
            f"{FULL}  %m = memref.alloca() : memref<f32>\n  %at = vector.step : vector<4xindex>\n"
            f"  %v = vector.gather %m[] [%at], %full, %zeros : memref<f32>, vector<4xindex>, vector<4xi1>, {V} into {V}"
        ),
        "vector.gather: its memory has fewer axes than it accesses",
    ),
    "a resource": (
        f"  %v = arith.constant dense_resource<none> : {V}",
        "arith.constant: its value must be 'dense<...>'",
    ),
    "a part of a tensor": (
        (
            f"  %zero = arith.constant 0.0 : f32\n  %t = bufferization.to_tensor %a : {M} to tensor<?xf32>\n"
            f"  %v = vector.transfer_read %t[%i], %zero : tensor<?xf32>, {V}"
        ),
        "vector.transfer_read: it reads or writes a tensor by vectors; put the tensor in memory",
    ),
    "an operation": (
        f"  %v = vector.load %a[%i] : {M}, {V}\n  vector.print %v : {V}",
        "vector.print: functions over memory have the operations of 'vector' without 'print', 'vscale' and",
    ),
    "a scalable number": ("  %n = vector.vscale", "vector.vscale: functions over memory have the operations of"),
    "a large contraction": (
        (
            "  %v = arith.constant dense<0.0> : vector<32x32xf32>\n"
            "  %w = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>,"
            ' affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]} %v, %v, %v'
            " : vector<32x32xf32>, vector<32x32xf32> into vector<32x32xf32>"
        ),
        "vector.contract: it has more than 16384 products",
    ),
    "a compressed store of several axes": (
        (
            "  %v = arith.constant dense<0.0> : vector<2x2xf32>\n  %m = arith.constant dense<true> : vector<2x2xi1>\n"
            f"  vector.compressstore %a[%i], %m, %v : {M}, vector<2x2xi1>, vector<2x2xf32>"
        ),
        "vector.compressstore: its vector has several axes",
    ),
    "bits of indices": (
        ("  %v = vector.step : vector<4xindex>\n  %w = vector.bitcast %v : vector<4xindex> to vector<4xi64>"),
        "vector.bitcast: its elements are of type 'index'",
    ),
    "a value that is kept": (
        (
            f"  %v = arith.constant dense<0.0> : {V}\n  %m = memref.alloca() : {M.replace('?', '4')}\n"
            f"  %p = ub.poison : vector<[4]xf32>"
        ),
        "ub.poison: a vector has at most 1024",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused(tmp_path, case):
    """By a report as well, which tells of the rest of the program."""
    body, error = REFUSED[case]
    assert error in refuses(tmp_path, function(PAIR, body + "\n  return"))
    assert error in broadloom.call("check", tmp_path / "p.mlir").error
