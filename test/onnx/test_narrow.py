"""Element types that programs hold in bytes: every number, what is between them, and what takes them."""

import broadloom as bl
import ml_dtypes
import numpy as np
import pytest
from onnx import TensorProto, helper

FLOATS = {
    TensorProto.FLOAT8E4M3FNUZ: ml_dtypes.float8_e4m3fnuz,
    TensorProto.FLOAT8E5M2FNUZ: ml_dtypes.float8_e5m2fnuz,
    TensorProto.FLOAT4E2M1: ml_dtypes.float4_e2m1fn,
    TensorProto.FLOAT6E2M3: ml_dtypes.float6_e2m3fn,
    TensorProto.FLOAT6E3M2: ml_dtypes.float6_e3m2fn,
}
BITS = {TensorProto.FLOAT4E2M1: 4, TensorProto.FLOAT6E2M3: 6, TensorProto.FLOAT6E3M2: 6}
INTEGERS = {
    TensorProto.INT4: ml_dtypes.int4,
    TensorProto.UINT4: ml_dtypes.uint4,
    TensorProto.INT2: ml_dtypes.int2,
    TensorProto.UINT2: ml_dtypes.uint2,
}


def compile_nodes(nodes, source, opset=25, **options):
    """A function of one vector of a type; None is a type of the output that is not declared."""
    made = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
    made.ClearField("type")
    graph = helper.make_graph(nodes, "graph", [helper.make_tensor_value_info("x", source, [None])], [made])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=11)
    return bl.from_onnx(model, **options)


def cast(source, target, **attributes):
    return compile_nodes([helper.make_node("Cast", ["x"], ["y"], to=target, **attributes)], source)


@pytest.mark.parametrize("kind", FLOATS)
def test_every_number_of_floats(kind):
    bits = np.arange(1 << BITS.get(kind, 8), dtype=np.uint8).view(FLOATS[kind])
    np.testing.assert_array_equal(cast(kind, TensorProto.FLOAT)(bits), bits.astype(np.float32))


@pytest.mark.parametrize("saturate", [0, 1])
@pytest.mark.parametrize("kind", FLOATS)
def test_floats_between(kind, saturate):
    dtype = np.dtype(FLOATS[kind])
    numbers = np.arange(1 << BITS.get(kind, 8), dtype=np.uint8).view(dtype).astype(np.float32)
    ordered = np.unique(numbers[np.isfinite(numbers)])
    between = (ordered[1:] + ordered[:-1]) / 2
    x = [ordered, between, np.nextafter(between, np.float32(np.inf)), np.nextafter(between, -np.float32(np.inf))]
    x = np.concatenate([*x, ordered[-1:] * 1.2, [1e9, -1e9, np.inf, -np.inf, 1e-30]]).astype(np.float32)
    x = np.concatenate([x, np.random.default_rng(0).standard_normal(2000).astype(np.float32) * ordered[-1] / 2])
    limits = float(ordered[-1])
    given = np.clip(x, -limits, limits) if saturate else x
    found = cast(TensorProto.FLOAT, kind, saturate=saturate)(x)
    assert found.dtype == dtype
    np.testing.assert_array_equal(found.astype(np.float32), given.astype(dtype).astype(np.float32))


@pytest.mark.parametrize("mode", ["up", "down", "nearest"])
def test_powers_of_two(mode):
    from onnx.numpy_helper import to_float8e8m0

    x = np.concatenate([2.0 ** np.arange(-126, 127), [0, 3, 0.75, 1.5, 1.49, 1.51, 6, 3e38, np.inf, np.nan]])
    x = x.astype(np.float32)
    f = cast(TensorProto.FLOAT, TensorProto.FLOAT8E8M0, round_mode=mode)
    wanted = to_float8e8m0(x, True, mode)
    np.testing.assert_array_equal(f(x).view(np.uint8), np.asarray(wanted).view(np.uint8))


@pytest.mark.parametrize("kind", INTEGERS)
def test_integers(kind):
    info = ml_dtypes.iinfo(INTEGERS[kind])
    whole = np.arange(info.min, info.max + 1).astype(INTEGERS[kind])
    assert (cast(kind, TensorProto.INT32)(whole) == np.arange(info.min, info.max + 1)).all()
    # Casts keep low bits.
    x = np.arange(-20, 20, dtype=np.int32)
    np.testing.assert_array_equal(cast(TensorProto.INT32, kind)(x).astype("i4"), x.astype(INTEGERS[kind]).astype("i4"))


def test_quantized_to_the_limits_of_a_zero_point():
    zero = helper.make_tensor("zero", TensorProto.INT4, [], [1])
    node = helper.make_node("QuantizeLinear", ["x", "scale", "zero"], ["y"])
    scale = helper.make_node("Constant", [], ["scale"], value_float=0.5)
    f = compile_nodes([scale, helper.make_node("Constant", [], ["zero"], value=zero), node], TensorProto.FLOAT)
    x = np.array([-9, -1, 0, 0.25, 0.75, 1, 9], np.float32)
    assert f(x).astype("i4").tolist() == [-8, -1, 1, 1, 3, 3, 7]


def test_what_moves_elements_keeps_their_type():
    reshape = [
        helper.make_node("Constant", [], ["shape"], value_ints=[2, -1]),
        helper.make_node("Reshape", ["x", "shape"], ["r"]),
        helper.make_node("Transpose", ["r"], ["t"]),
        helper.make_node("Concat", ["t", "t"], ["y"], axis=0),
    ]
    x = np.arange(-3, 3).astype(ml_dtypes.int4)
    found = compile_nodes(reshape, TensorProto.INT4)(x)
    assert found.dtype == ml_dtypes.int4
    np.testing.assert_array_equal(found.astype("i4"), np.tile(x.astype("i4").reshape(2, 3).T, (2, 1)))


def test_a_program_alone_has_bytes():
    made = helper.make_tensor_value_info("y", TensorProto.INT4, ["n"])
    graph = helper.make_graph(
        [helper.make_node("Identity", ["x"], ["y"])],
        "graph",
        [helper.make_tensor_value_info("x", TensorProto.INT4, ["n"])],
        [made],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 25)], ir_version=11)
    x = np.array([-8, 7], np.int8)
    np.testing.assert_array_equal(bl.compile(model)(x), x)
    np.testing.assert_array_equal(bl.from_onnx(model)(x).astype("i1"), x)


def test_misuse():
    f = cast(TensorProto.INT4, TensorProto.FLOAT)
    with pytest.raises(ValueError, match="elements of i4 are from -8 to 7"):
        f(np.array([9], np.int8))
    with pytest.raises(TypeError, match="elements of i4 are given as int4 or int8, not float32"):
        f(np.array([1], np.float32))
    with pytest.raises(bl.UnsupportedOperations, match="its inputs have elements of i4, which it does not take"):
        compile_nodes([helper.make_node("Add", ["x", "x"], ["y"])], TensorProto.INT4)
    with pytest.raises(bl.UnsupportedOperations, match="its round_mode is 'up', 'down' or 'nearest', not 'odd'"):
        cast(TensorProto.FLOAT, TensorProto.FLOAT8E8M0, round_mode="odd")


def test_branches_give_no_narrow_elements():
    kind = helper.make_tensor_value_info("z", TensorProto.INT4, ["n"])
    branch = lambda name: helper.make_graph([helper.make_node("Identity", ["x"], ["z"])], name, [], [kind])
    condition = helper.make_tensor_value_info("c", TensorProto.BOOL, [])
    x = helper.make_tensor_value_info("x", TensorProto.INT4, ["n"])
    node = helper.make_node("If", ["c"], ["y"], then_branch=branch("then"), else_branch=branch("else"))
    made = helper.make_tensor_value_info("y", TensorProto.INT4, ["n"])
    graph = helper.make_graph([node], "graph", [condition, x], [made])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 25)], ir_version=11)
    with pytest.raises(
        bl.UnsupportedOperations, match="its graph gives elements of i4; let it give them behind a Cast"
    ):
        bl.from_onnx(model)
    y = bl.from_onnx(model, constants={"c": np.array(True)})(np.array([-3, 4]).astype(ml_dtypes.int4))
    assert y.astype("i4").tolist() == [-3, 4]
