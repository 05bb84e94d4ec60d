"""The operations of `vector` on values (mem-10), each against NumPy, with extents in types and without."""

import numpy as np
import pytest
from memory_programs import fails, function, run

TYPES = {"f32": np.float32, "i32": np.int32, "i8": np.int8, "i64": np.int64, "f64": np.float64, "i16": np.int16}


def vector(shape, element="f32"):
    return "vector<" + "x".join([*map(str, shape), element]) + ">"


def program(body, given, result, extent="?", element="f32", to=None):
    """Takes `%x` and `%y`, vectors of the shape `given`, from memory, and puts `%r` into it."""
    to = to or element
    size, end = int(np.prod(given)), int(np.prod(result))
    memory = f"memref<{size if extent != '?' else extent}x{element}>"
    out = f"memref<{end if extent != '?' else extent}x{to}>"
    loads = "".join(
        f"  %{v}0 = vector.load %{m}[%z] : {memory}, {vector([size], element)}\n"
        f"  %{v} = vector.shape_cast %{v}0 : {vector([size], element)} to {vector(given, element)}\n"
        for v, m in (("x", "a"), ("y", "b"))
    )
    store = (
        f"\n  %s = vector.shape_cast %r : {vector(result, to)} to {vector([end], to)}\n"
        f"  vector.store %s, %c[%z] : {out}, {vector([end], to)}\n  return"
    )
    return function(
        f"%a: {memory}, %b: {memory}, %c: {out}, %i: index", f"  %z = arith.constant 0 : index\n{loads}{body}{store}"
    )


def numbers(shape, element="f32", first=1):
    n = int(np.prod(shape))
    made = (np.arange(n) * 7 + first) % 23 - 11
    return made.astype(TYPES[element]).reshape(shape)


MATMUL = (
    "indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> ({})>,"
    ' affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]'
)
DOT = (
    "indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> ()>],"
    ' iterator_types = ["reduction"]'
)
S = vector

# Bodies, the shape of the operands, that of the result, and what NumPy makes of them.
CASES = {
    "shuffle": ([4], [6], f"%r = vector.shuffle %x, %y [0, 5, -1, 7, 3, 3] : {S([4])}, {S([4])}",
                lambda x, y: np.where(np.arange(6) == 2, 0, np.concatenate([x, y])[[0, 5, 0, 7, 3, 3]])),
    "shuffle of rows": ([2, 3], [3, 3], f"%r = vector.shuffle %x, %y [3, 0, 2] : {S([2, 3])}, {S([2, 3])}",
                        lambda x, y: np.concatenate([x, y])[[3, 0, 2]]),
    "interleave": ([2, 3], [2, 6], f"%r = vector.interleave %x, %y : {S([2, 3])} -> {S([2, 6])}",
                   lambda x, y: np.stack([x, y], -1).reshape(2, 6)),
    "deinterleave": ([2, 4], [2, 2], (f"%q:2 = vector.deinterleave %x : {S([2, 4])} -> {S([2, 2])}\n"
                                      f"%r = arith.subf %q#0, %q#1 : {S([2, 2])}"),
                     lambda x, y: x[:, ::2] - x[:, 1::2]),
    "extract_strided_slice": (
        [4, 3], [2, 3],
        ("%r = vector.extract_strided_slice %x {offsets = [1], sizes = [2], strides = [1]}"
        f" : {S([4, 3])} to {S([2, 3])}"),
        lambda x, y: x[1:3]),
    "insert_strided_slice": (
        [4, 3], [4, 3],
        ("%p = vector.extract_strided_slice %y {offsets = [1, 1], sizes = [2, 2], strides = [1, 1]}"
        f" : {S([4, 3])} to {S([2, 2])}\n"
        f"%r = vector.insert_strided_slice %p, %x {{offsets = [2, 0], strides = [1, 1]}} : {S([2, 2])} into {S([4, 3])}"),
        lambda x, y: np.concatenate([x[:2], np.concatenate([y[1:3, 1:3], x[2:, 2:]], 1)])),
    "insert_strided_slice of less rank": (
        [3, 3], [3, 3],
        (f"%p = vector.extract %y[1] : {S([3])} from {S([3, 3])}\n"
        "%q = vector.extract_strided_slice %p {offsets = [1], sizes = [2], strides = [1]}"
        f" : {S([3])} to {S([2])}\n"
        f"%r = vector.insert_strided_slice %q, %x {{offsets = [2, 1], strides = [1]}} : {S([2])} into {S([3, 3])}"),
        lambda x, y: np.concatenate([x.ravel()[:7], y[1, 1:]]).reshape(3, 3)),
    "contract": ([3, 3], [3, 3],
                 f"%r = vector.contract {{{MATMUL.format('k, j')}}} %x, %y, %x : {S([3, 3])}, {S([3, 3])} into {S([3, 3])}",
                 lambda x, y: x @ y + x),
    "contract of a transposed one": (
        [2, 3], [2, 2],
        (f"%o = arith.constant dense<1.0> : {S([2, 2])}\n"
        f"%r = vector.contract {{{MATMUL.format('j, k')}}} %x, %y, %o : {S([2, 3])}, {S([2, 3])} into {S([2, 2])}"),
        lambda x, y: x @ y.T + 1),
    "contract to a number": (
        [5], [1],
        ("%o = arith.constant 2.0 : f32\n"
        f"%d = vector.contract {{{DOT}}} %x, %y, %o : {S([5])}, {S([5])} into f32\n"
        f"%r = vector.broadcast %d : f32 to {S([1])}"),
        lambda x, y: [x @ y + 2]),
    "contract by the largest": (
        [5], [1],
        ("%o = arith.constant -1000.0 : f32\n"
        f"%d = vector.contract {{{DOT}, kind = #vector.kind<maximumf>}} %x, %y, %o : {S([5])}, {S([5])} into f32\n"
        f"%r = vector.broadcast %d : f32 to {S([1])}"),
        lambda x, y: [(x * y).max()]),
    "outerproduct": ([3], [3, 3], f"%r = vector.outerproduct %x, %y : {S([3])}, {S([3])}", np.outer),
    "outerproduct and a sum": (
        [3], [3, 3],
        (f"%o = vector.broadcast %x : {S([3])} to {S([3, 3])}\n"
        f"%r = vector.outerproduct %x, %y, %o : {S([3])}, {S([3])}"),
        lambda x, y: np.outer(x, y) + x),
    "outerproduct by the least": (
        [3], [3, 3],
        (f"%o = vector.broadcast %x : {S([3])} to {S([3, 3])}\n"
        f"%r = vector.outerproduct %x, %y, %o {{kind = #vector.kind<minnumf>}} : {S([3])}, {S([3])}"),
        lambda x, y: np.minimum(np.outer(x, y), x)),
    "outerproduct with a number": (
        [3], [3],
        f"%k = vector.extract %y[2] : f32 from {S([3])}\n%r = vector.outerproduct %x, %k : {S([3])}, f32",
        lambda x, y: x * y[2]),
    "scan": ([3, 4], [3, 4],
             (f"%o = arith.constant dense<100.0> : {S([3])}\n"
             f"%r, %l = vector.scan <add>, %x, %o {{inclusive = true, reduction_dim = 1}} : {S([3, 4])}, {S([3])}"),
             lambda x, y: np.cumsum(x, 1)),
    "exclusive scan": (
        [3, 4], [4, 4],
        (f"%o = arith.constant dense<100.0> : {S([4])}\n"
        f"%d, %l = vector.scan <add>, %x, %o {{inclusive = false, reduction_dim = 0}} : {S([3, 4])}, {S([4])}\n"
        f"%e = arith.constant dense<0.0> : {S([4, 4])}\n"
        f"%f = vector.insert_strided_slice %d, %e {{offsets = [0, 0], strides = [1, 1]}} : {S([3, 4])} into {S([4, 4])}\n"
        f"%r = vector.insert %l, %f [3] : {S([4])} into {S([4, 4])}"),
        lambda x, y: (lambda d: np.concatenate([d, d[2:]]))(np.cumsum(np.concatenate([np.full((1, 4), 100), x[:2]]), 0))),
    "multi_reduction": (
        [2, 3, 2], [3],
        (f"%o = arith.constant dense<1.0> : {S([3])}\n"
        f"%r = vector.multi_reduction <add>, %x, %o [0, 2] : {S([2, 3, 2])} to {S([3])}"),
        lambda x, y: x.sum((0, 2)) + 1),
    "transpose": ([2, 3, 2], [2, 2, 3],
                  f"%r = vector.transpose %x, [2, 0, 1] : {S([2, 3, 2])} to {S([2, 2, 3])}",
                  lambda x, y: x.transpose(2, 0, 1)),
    "broadcast of axes of 1": ([3, 1], [2, 3, 4], f"%r = vector.broadcast %x : {S([3, 1])} to {S([2, 3, 4])}",
                               lambda x, y: np.broadcast_to(x, (2, 3, 4))),
    "masked reduction": (
        [4], [1],
        (f"%m = vector.constant_mask [3] : {S([4], 'i1')}\n"
        f"%d = vector.mask %m {{ vector.reduction <maximumf>, %x : {S([4])} into f32 }} : {S([4], 'i1')} -> f32\n"
        f"%r = vector.broadcast %d : f32 to {S([1])}"),
        lambda x, y: [x[:3].max()]),
    "masked multi_reduction": (
        [3, 4], [3],
        (f"%o = arith.constant dense<5.0> : {S([3])}\n%m = vector.constant_mask [2, 3] : {S([3, 4], 'i1')}\n"
        f"%r = vector.mask %m {{ vector.multi_reduction <add>, %x, %o [1] : {S([3, 4])} to {S([3])} }}"
        f" : {S([3, 4], 'i1')} -> {S([3])}"),
        lambda x, y: np.where(np.arange(3) < 2, x[:, :3].sum(1), 0) + 5),
    "masked contract": (
        [3, 3], [3, 3],
        (f"%m = vector.constant_mask [3, 2, 2] : {S([3, 3, 3], 'i1')}\n"
        f"%r = vector.mask %m {{ vector.contract {{{MATMUL.format('k, j')}}} %x, %y, %x"
        f" : {S([3, 3])}, {S([3, 3])} into {S([3, 3])} }} : {S([3, 3, 3], 'i1')} -> {S([3, 3])}"),
        lambda x, y: x + np.pad(x[:, :2] @ y[:2, :2], ((0, 0), (0, 1)))),
    "masked outerproduct": (
        [3], [3, 3],
        (f"%o = vector.broadcast %x : {S([3])} to {S([3, 3])}\n%m = vector.constant_mask [2, 2] : {S([3, 3], 'i1')}\n"
        f"%r = vector.mask %m {{ vector.outerproduct %x, %y, %o : {S([3])}, {S([3])} }}"
        f" : {S([3, 3], 'i1')} -> {S([3, 3])}"),
        lambda x, y: x + np.pad(np.outer(x[:2], y[:2]), ((0, 1), (0, 1)))),
    "extract at a value": (
        [4, 3], [3], f"%r = vector.extract %x[%i] : {S([3])} from {S([4, 3])}", lambda x, y: x[1]),
    "extract of a number at a value": (
        [4, 3], [1], f"%k = vector.extract %x[2, %i] : f32 from {S([4, 3])}\n%r = vector.broadcast %k : f32 to {S([1])}",
        lambda x, y: [x[2, 1]]),
    "insert at a value": (
        [4, 3], [4, 3],
        (f"%p = vector.extract %y[3] : {S([3])} from {S([4, 3])}\n"
        f"%r = vector.insert %p, %x [%i] : {S([3])} into {S([4, 3])}"),
        lambda x, y: np.concatenate([x[:1], y[3:], x[2:]])),
    "insert of a number at a value": (
        [4, 3], [4, 3],
        (f"%p = vector.extract %y[3, 2] : f32 from {S([4, 3])}\n"
        f"%r = vector.insert %p, %x [%i, 0] : f32 into {S([4, 3])}"),
        lambda x, y: np.where(np.arange(12).reshape(4, 3) == 3, y[3, 2], x)),
    "select by a number": (
        [3], [3],
        ("%h = arith.cmpi eq, %i, %z : index\n"
        f"%r = arith.select %h, %x, %y : {S([3])}"), lambda x, y: y),
}  # fmt: skip


@pytest.mark.parametrize("extent", ["?", "static"])
@pytest.mark.parametrize("case", CASES)
def test_values(tmp_path, case, extent):
    given, result, body, compute = CASES[case]
    x, y = numbers(given), numbers(given, first=5)
    outcome, after = run(
        tmp_path,
        program(body, given, result, extent),
        [x.ravel(), y.ravel(), np.zeros(int(np.prod(result)), np.float32)],
        ["i64=1"],
    )
    assert after, outcome.error
    np.testing.assert_array_equal(after[2].reshape(result), np.float32(compute(x, y)))


@pytest.mark.parametrize(("of", "to"), [("f32", "i8"), ("i8", "f32"), ("f32", "i32"), ("i64", "f32"), ("i16", "f64")])
def test_bits(tmp_path, of, to):
    """The first of several elements has the low bits."""
    x = numbers([2, 8], of, first=3)
    expected = x.view(TYPES[to])
    body = f"%r = vector.bitcast %x : {S([2, 8], of)} to {S(expected.shape, to)}"
    given = [x.ravel(), x.ravel(), np.zeros(expected.size, TYPES[to])]
    outcome, after = run(tmp_path, program(body, [2, 8], expected.shape, element=of, to=to), given, ["i64=0"])
    assert after, outcome.error
    assert after[2].tobytes() == expected.tobytes()


KINDS = {"add": np.add, "mul": np.multiply, "minsi": np.minimum, "maxsi": np.maximum, "and": np.bitwise_and,
         "or": np.bitwise_or, "xor": np.bitwise_xor, "minui": None, "maxui": None}  # fmt: skip


@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_reductions_of_integers(tmp_path, kind, masked):
    body = f"vector.reduction <{kind}>, %x : {S([5], 'i32')} into i32"
    if masked:
        body = f"vector.mask %m {{ {body} }} : {S([5], 'i1')} -> i32"
    body = f"%m = vector.constant_mask [3] : {S([5], 'i1')}\n%d = {body}\n%r = vector.broadcast %d : i32 to {S([1], 'i32')}"
    x = numbers([5], "i32")
    used = x[:3] if masked else x
    if kind in ("minui", "maxui"):
        expected = getattr(used.astype(np.uint32), kind[:3])().astype(np.int32)
    else:
        expected = KINDS[kind].reduce(used)
    outcome, after = run(tmp_path, program(body, [5], [1], element="i32"), [x, x, np.zeros(1, np.int32)], ["i64=0"])
    assert after, outcome.error
    assert after[2][0] == expected


def test_sums_of_smaller_numbers_are_widened(tmp_path):
    body = (
        f"%o = arith.constant 7 : i32\n%d = vector.contract {{{DOT}}} %x, %y, %o : {S([3], 'i8')}, {S([3], 'i8')} into i32\n"
        f"%r = vector.broadcast %d : i32 to {S([1], 'i32')}"
    )
    x, y = np.int8([100, -128, 5]), np.int8([100, 127, -1])
    given = [x, y, np.zeros(1, np.int32)]
    _, after = run(tmp_path, program(body, [3], [1], element="i8", to="i32"), given, ["i64=0"])
    assert after[2][0] == x.astype(int) @ y.astype(int) + 7


def test_an_outer_product_is_fused(tmp_path):
    """The product is not rounded before the sum."""
    body = f"%n = arith.constant dense<-1.0> : {S([1, 1])}\n%r = vector.outerproduct %x, %y, %n : {S([1])}, {S([1])}"
    x, y = np.float32([1 + 2**-12]), np.float32([1 - 2**-12])
    _, after = run(tmp_path, program(body, [1], [1, 1]), [x, y, np.zeros(1, np.float32)], ["i64=0"])
    assert after[2][0] == np.float32(-(2.0**-24))


@pytest.mark.parametrize("at", [-1, 4, 2**62])
@pytest.mark.parametrize(("case", "name"), [("extract at a value", "extract"), ("insert at a value", "insert")])
def test_positions_outside(tmp_path, case, name, at):
    given, result, body, _ = CASES[case]
    arrays = [numbers(given).ravel(), numbers(given).ravel(), np.zeros(int(np.prod(result)), np.float32)]
    error = fails(tmp_path, program(body, given, result), arrays, [f"i64={at}"])
    assert f"'vector.{name}': index {at} is outside axis 0 of the result of 'vector.shape_cast' at p.mlir:4:8" in error
    assert ", whose extent is 4" in error


def test_positions_in_loops(tmp_path):
    text = function(
        "%a: memref<?xf32>, %n: index",
        """\
  %z = arith.constant 0 : index
  %one = arith.constant 1 : index
  %v = arith.constant dense<[1.0, 2.0, 4.0]> : vector<3xf32>
  scf.for %i = %z to %n step %one {
    %x = vector.extract %v[%i] : f32 from vector<3xf32>
    memref.store %x, %a[%i] : memref<?xf32>
  }
  return""",
    )
    _, after = run(tmp_path, text, [np.zeros(5, np.float32)], ["i64=3"])
    assert after[0].tolist() == [1, 2, 4, 0, 0]
    assert fails(tmp_path, text, [np.zeros(5, np.float32)], ["i64=4"]) == (
        "p.mlir:6:10: 'vector.extract': index 3 is outside axis 0 of the result of 'arith.constant' at p.mlir:4:8, "
        "whose extent is 3: %i = 3 (p.mlir:5:3)\n"
    )


COMPRESS = """\
  %m = vector.load %c[%z] : memref<?xi1>, vector<4xi1>
  %v = vector.load %a[%z] : memref<?xf32>, vector<4xf32>
  vector.compressstore %b[%i], %m, %v : memref<?xf32>, vector<4xi1>, vector<4xf32>
  %e = vector.expandload %b[%i], %m, %v : memref<?xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.store %e, %a[%z] : memref<?xf32>, vector<4xf32>
  return"""
COMPRESSION = function(
    "%a: memref<?xf32>, %b: memref<?xf32>, %c: memref<?xi1>, %i: index", "  %z = arith.constant 0 : index\n" + COMPRESS
)


@pytest.mark.parametrize("mask", range(16))
def test_compressed_elements(tmp_path, mask):
    holds = np.array([bool(mask >> k & 1) for k in range(4)])
    a, b = np.float32([1, 2, 3, 4]), np.zeros(5, np.float32)
    outcome, after = run(tmp_path, COMPRESSION, [a, b, holds], ["i64=2"])
    taken = a[holds]
    if len(taken) == 4:
        assert outcome.error.replace(f"{tmp_path}/", "") == (
            "p.mlir:5:3: 'vector.compressstore': index 5 is outside axis 0 of argument 'b', whose extent is 5\n"
        )
        return
    np.testing.assert_array_equal(after[1], np.pad(taken, (2, 3 - len(taken))))
    np.testing.assert_array_equal(after[0], a)
