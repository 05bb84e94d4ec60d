"""Sums of products of linalg, named or generic, with axes in any order, against
NumPy (sum-1): static, open and constant operands, several axes of a kind or none."""

import broadloom
import numpy as np
import pytest
from broadloom import DONE, GUARD_FAILED, REJECTED
from element_types import TYPES
from images import makeImage, tensor

EXTENTS = {"a": 2, "b": 3, "m": 7, "q": 5, "n": 35, "o": 2, "l": 4, "k": 19}
# The axes of both operands and of the result; summed are k and l.
PRODUCTS = [
    "mk,kn->mn",
    "mk,nk->mn",
    "km,kn->mn",
    "km,nk->nm",
    "amk,akn->amn",
    "akm,nak->mna",
    "amk,ak->am",
    "mk,k->m",
    "k,kn->n",
    "k,nk->n",
    "mklq,lkn->qnm",
    "mkal,nkbl->mnab",
    "abmk,abnk->abmn",
    "mkn,kno->mno",
    "kma,kbn->banm",
    "mlqk,nlok->monq",
    "lk,klno->on",
]


def generic(product, kinds, types, swapped=False):
    """The operation by its axes; `swapped`: with the operands of the body's operations
    in the other order."""
    sides = product.replace("->", ",").split(",")
    loops = sorted(set(product) & set(EXTENTS), key=list(EXTENTS).index)
    maps = ", ".join(f"affine_map<({', '.join(loops)}) -> ({', '.join(side)})>" for side in sides)
    iterators = ", ".join('"parallel"' if loop in sides[2] else '"reduction"' for loop in loops)
    element, total = types
    kind = "f" if TYPES[total].isFloat else "i"
    factors = ["%p", "%q"]
    widened = []
    if element != total:
        extension = "arith.extf" if kind == "f" else "arith.extsi"
        widened = [f"    {name}w = {extension} {name} : {element} to {total}" for name in factors]
        factors = [name + "w" for name in factors]
    summands = ["%old", "%product"]
    if swapped:
        factors, summands = factors[::-1], summands[::-1]
    return [
        (
            f"  %0 = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{iterators}]}}"
            f" ins(%x, %w : {kinds[0]}, {kinds[1]}) outs(%f : {kinds[2]}) {{"
        ),
        f"  ^bb0(%p: {element}, %q: {element}, %old: {total}):",
        *widened,
        f"    %product = arith.mul{kind} {', '.join(factors)} : {total}",
        f"    %sum = arith.add{kind} {', '.join(summands)} : {total}",
        f"    linalg.yield %sum : {total}",
        f"  }} -> {kinds[2]}",
    ]


def zeros(product, kinds, total):
    """%f: zeros with the extents of the operands."""
    sides = product.replace("->", ",").split(",")
    lines, sizes = [], []
    for i, axis in enumerate(sides[2]):
        if "?" in kinds[2]:
            name, side, kind = ("%x", sides[0], kinds[0]) if axis in sides[0] else ("%w", sides[1], kinds[1])
            lines += [
                f"  %at{i} = arith.constant {side.index(axis)} : index",
                f"  %extent{i} = tensor.dim {name}, %at{i} : {kind}",
            ]
            sizes.append(f"%extent{i}")
    zero = "0.0" if TYPES[total].isFloat else "0"
    return [
        *lines,
        f"  %zero = arith.constant {zero} : {total}",
        f"  %e = tensor.empty({', '.join(sizes)}) : {kinds[2]}",
        f"  %f = linalg.fill ins(%zero : {total}) outs(%e : {kinds[2]}) -> {kinds[2]}",
    ]


def makeOperands(product, element, extents=EXTENTS):
    sides = product.replace("->", ",").split(",")
    return [makeImage(tuple(extents[axis] for axis in side), element, seed=seed) for side, seed in zip(sides, (5, 6))]


def multiply(product, a, w):
    """In f64, or in integers that wrap."""
    wide = np.int64 if np.issubdtype(a.dtype, np.integer) else np.float64
    return np.einsum(product, a.astype(wide), w.astype(wide))


def run(folder, product, operands, types, mode, operation=None, weight=None, options=()):
    element, total = types
    expected = multiply(product, *operands)
    shapes = [operands[0].shape, operands[1].shape, expected.shape]
    kinds = [tensor(shape, kind, mode) for shape, kind in zip(shapes, (element, element, total))]
    arguments = [("%x", kinds[0])] + ([] if weight else [("%w", kinds[1])])
    lines = ([weight] if weight else []) + zeros(product, kinds, total)
    lines += generic(product, kinds, types) if operation is None else operation(kinds)
    text = "\n".join(
        [
            f"func.func @main({', '.join(f'{n}: {k}' for n, k in arguments)}) -> {kinds[2]} {{",
            *lines,
            f"  return %0 : {kinds[2]}",
            "}",
            "",
        ]
    )
    outcome, results = broadloom.run(folder, text, operands[: len(arguments)], [TYPES[total]], *options)
    assert outcome.status == DONE, outcome.error
    assert results[0].shape == expected.shape
    if TYPES[total].isFloat:
        np.testing.assert_allclose(results[0], expected, rtol=1e-4, atol=1e-4)
    else:
        assert np.array_equal(results[0], expected.astype(np.int32))
    return results[0]


@pytest.mark.parametrize("product", PRODUCTS)
def test_sum1_any_axes(tmp_path, product):
    """The same bits for open and static types, for both strategies, for a constant
    operand and with the operands of the body's operations in the other order."""
    a, w = makeOperands(product, "f32")
    types = ("f32", "f32")
    given = run(tmp_path, product, [a, w], types, "static")
    kind = tensor(w.shape, "f32")
    constant = f'  %w = arith.constant dense<"0x{w.tobytes().hex()}"> : {kind}'
    others = [
        run(tmp_path, product, [a, w], types, "dynamic"),
        run(tmp_path, product, [a, w], types, "dynamic", options=["--strategy=rfc", "--threads=2"]),
        run(tmp_path, product, [a, w], types, "static", weight=constant),
        run(
            tmp_path,
            product,
            [a, w],
            types,
            "static",
            operation=lambda kinds: generic(product, kinds, types, swapped=True),
        ),
    ]
    for other in others:
        assert np.array_equal(other, given)


@pytest.mark.parametrize("mode", ["static", "dynamic"])
@pytest.mark.parametrize(
    "types", [("f16", "f32"), ("bf16", "f32"), ("i8", "i32"), ("f64", "f64"), ("i32", "i32"), ("f16", "f16")]
)
def test_sum1_elements(tmp_path, types, mode):
    """Types of contractions, and others, which are loops."""
    product = "akm,nak->mna"
    a, w = makeOperands(product, types[0])
    if types == ("f16", "f16"):
        # Exact in f16.
        a, w = (np.round(2 * v.astype(np.float32)).astype(np.float16) % 4 for v in (a, w))
    run(tmp_path, product, [a, w], types, mode)


@pytest.mark.parametrize("product", PRODUCTS)
@pytest.mark.parametrize("axis", ["a", "m", "n", "k"])
def test_sum1_nothing_along_an_axis(tmp_path, product, axis):
    if axis not in product:
        pytest.skip(f"no axis {axis} in {product}")
    operands = makeOperands(product, "f32", {**EXTENTS, axis: 0})
    for mode in ("static", "dynamic"):
        run(tmp_path, product, operands, ("f32", "f32"), mode)


NAMED = {
    "matvec": "mk,k->m",
    "vecmat": "k,kn->n",
    "batch_matvec": "amk,ak->am",
    "batch_vecmat": "ak,akn->an",
    "mmt4d": "mlak,nlbk->mnab",
    "batch_reduce_matmul": "lmk,lkn->mn",
}


@pytest.mark.parametrize("mode", ["static", "dynamic"])
@pytest.mark.parametrize("name", NAMED)
def test_sum1_named_products(tmp_path, name, mode):
    product = NAMED[name]
    operands = makeOperands(product, "f32")

    def named(kinds):
        return [f"  %0 = linalg.{name} ins(%x, %w : {kinds[0]}, {kinds[1]}) outs(%f : {kinds[2]}) -> {kinds[2]}"]

    found = run(tmp_path, product, operands, ("f32", "f32"), mode, operation=named)
    assert np.array_equal(found, run(tmp_path, product, operands, ("f32", "f32"), mode))


def test_sum1_transposed_by_its_maps(tmp_path):
    """`linalg.matmul` and `linalg.contract` with maps of their own."""
    product = "mk,nk->mn"
    operands = makeOperands(product, "f32")
    maps = (
        "indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, "
        "affine_map<(m, n, k) -> (m, n)>]"
    )
    for name in ("matmul", "contract"):

        def named(kinds, name=name):
            return [
                f"  %0 = linalg.{name} {maps} ins(%x, %w : {kinds[0]}, {kinds[1]}) outs(%f : {kinds[2]}) -> {kinds[2]}"
            ]

        run(tmp_path, product, operands, ("f32", "f32"), "dynamic", operation=named)


def test_rt9_guards_in_the_body(tmp_path):
    """A body that does more than add products is computed as it is."""
    product = "mk,kn->mn"
    a, w = makeOperands(product, "f32")
    kinds = [tensor(v.shape, "f32", "dynamic") for v in (a, w, multiply(product, a, w))]
    lines = zeros(product, kinds, "f32") + generic(product, kinds, ("f32", "f32"))
    at = next(i for i, line in enumerate(lines) if "%product =" in line)
    lines[at:at] = ["    %isLess = arith.cmpf olt, %p, %bound : f32", '    cf.assert %isLess, "beyond memory"']
    text = "\n".join(
        [
            f"func.func @main(%x: {kinds[0]}, %w: {kinds[1]}, %bound: f32) -> {kinds[2]} {{",
            *lines,
            f"  return %0 : {kinds[2]}",
            "}",
            "",
        ]
    )
    most = np.abs(a).max() + 1
    outcome, results = broadloom.run(tmp_path, text, [a, w, np.array(most, np.float32)], [TYPES["f32"]])
    assert outcome.status == DONE, outcome.error
    np.testing.assert_allclose(results[0], multiply(product, a, w), rtol=1e-4, atol=1e-4)
    outcome, _ = broadloom.run(tmp_path, text, [a, w, np.array(-most, np.float32)], [TYPES["f32"]])
    assert outcome.status == GUARD_FAILED
    assert "beyond memory" in outcome.error


def test_sum1_extents_that_differ(tmp_path):
    product = "akm,nak->mna"
    a, w = makeOperands(product, "f32")
    result = multiply(product, a, w)
    for mode, status in (("dynamic", GUARD_FAILED), ("static", REJECTED)):
        kinds = [tensor(v.shape, "f32", mode) for v in (a, w[:, :, :18], result)]
        lines = zeros(product, kinds, "f32") + generic(product, kinds, ("f32", "f32"))
        text = "\n".join(
            [
                f"func.func @main(%x: {kinds[0]}, %w: {kinds[1]}) -> {kinds[2]} {{",
                *lines,
                f"  return %0 : {kinds[2]}",
                "}",
                "",
            ]
        )
        outcome, _ = broadloom.run(tmp_path, text, [a, w[:, :, :18]], [TYPES["f32"]])
        assert outcome.status == status
        assert "linalg.generic" in outcome.error and "19" in outcome.error and "18" in outcome.error
