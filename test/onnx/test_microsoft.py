"""Operators of ONNX Runtime beside it: as they come, with every extent open, and with inputs that are constants."""

import copy

import broadloom as bl
import microsoft
import numpy as np
import pytest
from onnx import helper, numpy_helper
from onnxruntime import GraphOptimizationLevel


def run(case, inputs):
    (node,) = case.model.graph.node
    if node.op_type == "NhwcFusedConv":
        # ONNX Runtime has it for graphics processors alone.
        other = copy.deepcopy(case)
        other.model.graph.node[0].op_type = "FusedConv"
        return [np.moveaxis(found, 1, -1) for found in run(other, [np.moveaxis(x, -1, 1) for x in inputs])]
    return microsoft.open_runtime(case.model.SerializeToString(), GraphOptimizationLevel.ORT_DISABLE_ALL)(
        dict(zip(case.names, inputs))
    )


@pytest.mark.parametrize("form", ["static", "open", "constant"])
@pytest.mark.parametrize("case", microsoft.CASES, ids=lambda case: case.name)
def test_beside_onnx_runtime(case, form):
    given = dict(zip(case.names, case.inputs))
    static = {name: list(x.shape) for name, x in given.items()}
    how = {"static": {"shapes": static}, "open": {"shapes": case.open_shapes}, "constant": {"constants": given}}
    f = bl.from_onnx(case.model, name=case.name, optimise=False, **how[form])
    found = f(*(() if form == "constant" else case.inputs))
    found = found if isinstance(found, tuple) else (found,)
    for got, wanted in zip(found, run(case, case.inputs), strict=True):
        if np.size(wanted) == 0 and np.size(got):
            # What is computed for training alone.
            continue
        assert (got.dtype, got.shape) == (wanted.dtype, wanted.shape)
        wide = (x.astype("f4") if got.dtype.kind in "iu" else x for x in (got, wanted))
        np.testing.assert_allclose(*wide, rtol=case.rtol, atol=case.atol)


def find_case(name):
    return next(case for case in microsoft.CASES if case.name == f"microsoft_{name}")


def test_lengths_of_blocks():
    case = find_case("SparseAttention_prompt")
    f = bl.from_onnx(case.model, shapes=case.open_shapes)
    lengths = np.array([40, 33], "i4")
    with pytest.raises(bl.ShapeError, match="batches of other lengths are not imported"):
        f(*case.inputs[:-1], lengths)
    with pytest.raises(bl.ShapeError, match="total_sequence_length is 65, but the past_key has 64 rows"):
        f(*case.inputs[:-2], np.array(65, "i4"), case.inputs[-1])
    with pytest.raises(bl.ShapeError, match="total_sequence_length is 39, but there are 40 queries"):
        f(*case.inputs[:-2], np.array(39, "i4"), np.array([39, 39], "i4"))


@pytest.mark.parametrize(
    "number, weight, message",
    [
        (5, [[0, 1, 9, 5, 8]] * 2, "block_row_indices must not fall, and lie between 0 and 9"),
        (5, [[0, 1, 3, 5, 8]] * 3, "they need a row for each layout"),
        (6, [[7] * 9] * 2, "block_col_indices of row 0 are \\[7\\], but there are 4 blocks"),
    ],
)
def test_wrong_blocks(number, weight, message):
    model = copy.deepcopy(find_case("SparseAttention_prompt").model)
    found = next(tensor for tensor in model.graph.initializer if tensor.name == f"x{number}")
    found.CopyFrom(numpy_helper.from_array(np.array(weight, "i4"), found.name))
    with pytest.raises(bl.UnsupportedOperations, match=message):
        bl.from_onnx(model)


def test_wrong_experts():
    case = find_case("QMoE_4_0_silu")
    for attribute, value, message in (
        ("quant_type", "fp4", "its quant_type is 'fp4'; 'int' without global scales is there"),
        ("expert_weight_bits", 3, "weights of 3 bits; 2, 4 and 8 are there"),
        ("block_size", 24, "its rows of 32 weights are no multiple of its block_size 24"),
        ("block_size", 16, "it has 48 scales, but 3 x 16 x 2 are needed"),
    ):
        model = copy.deepcopy(case.model)
        (node,) = model.graph.node
        kept = [a for a in node.attribute if a.name != attribute]
        del node.attribute[:]
        node.attribute.extend([*kept, helper.make_attribute(attribute, value)])
        with pytest.raises(bl.UnsupportedOperations, match=message):
            bl.from_onnx(model)


@pytest.mark.parametrize("length", [1, 2, 7, 64])
def test_products_of_the_largest_numbers(length):
    """Sums of two products leave 16 bits here, so that ONNX Runtime's kernels for AVX2 are no judge."""
    a = np.full((3, length), 255, "u1")
    b = np.where(np.arange(length)[:, None] % 3 == np.arange(5), -128, 127).astype("i1")
    exact = a.astype("i8") @ b.astype("i8")
    half, zero = microsoft.number(0.5), microsoft.Weight(microsoft.number(0, "i1"))
    sides = [a, half, microsoft.number(0, "u1"), microsoft.Weight(b), microsoft.Weight(half), zero]
    cases = (
        (microsoft.make("sums", "MatMulIntegerToFloat", [a, microsoft.Weight(b), half, half]), exact / 4),
        (microsoft.make("sums", "MatMulInteger", [a, microsoft.Weight(b)], domain=""), exact),
        (microsoft.make("sums", "QGemm", [*sides, None]), exact / 4),
    )
    for case, wanted in cases:
        assert np.array_equal(bl.from_onnx(case.model, shapes=case.open_shapes)(*case.inputs), wanted)
    # An image of `length` channels, and kernels of one element.
    scales = [microsoft.Weight(half), zero, microsoft.number(2.0**14), microsoft.number(128, "u1")]
    image = np.full((1, length, 2, 2), 255, "u1")
    kernels = microsoft.Weight(np.ascontiguousarray(b.T[..., None, None]))
    case = microsoft.make("sums", "QLinearConv", [image, half, microsoft.number(0, "u1"), kernels, *scales], domain="")
    wanted = np.clip(np.rint(exact[0] / 2**16) + 128, 0, 255)
    found = bl.from_onnx(case.model, shapes=case.open_shapes)(*case.inputs)
    assert np.array_equal(found, np.broadcast_to(wanted[None, :, None, None], (1, 5, 2, 2)))
