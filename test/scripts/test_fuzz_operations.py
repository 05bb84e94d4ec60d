"""The operations of scripts/fuzz programs against values computed by hand, one
case for each operation at least."""

import fuzz_path  # noqa: F401
import numpy as np
import pytest
from data import difference
from fuzz_values import INF, NAN, dataOf, evaluateOne, f32, i1, i8, i32, i64, index
from operation_values import IMAGE, RESCALE, STEPS, WINDOWS, f32x
from operations import TABLE, Undecided

# operation, operands, attributes, results
CASES = [
    ("add", [f32(1, 2), f32(0.5)], {}, [f32(1.5, 2.5)]),
    ("add", [i8(127), i8(1)], {}, [i8(-128)]),
    ("sub", [i32(1), i32(3)], {}, [i32(-2)]),
    ("mul", [i32(3, -3), i32(5)], {"scalars": [("i8", [1])]}, [i32(8, -7)]),
    ("abs", [f32(-0.0, -2)], {}, [f32(0.0, 2)]),
    ("negate", [i8(-128, 3)], {"scalars": [("i8", [1]), ("i8", [2])]}, [i8(127, 0)]),
    ("bitwise_not", [i8(5)], {}, [i8(-6)]),
    ("clz", [i32(1, 0, -1)], {}, [i32(31, 32, 0)]),
    ("ceil", [f32(1.25, -1.25)], {}, [f32(2, -1)]),
    ("floor", [f32(1.25, -1.25)], {}, [f32(1, -2)]),
    ("exp", [f32(0, -INF)], {}, [f32(1, 0)]),
    ("log", [f32(1, 0)], {}, [f32(0, -INF)]),
    ("erf", [f32(0, INF)], {}, [f32(0, 1)]),
    ("tanh", [f32(0, -INF)], {}, [f32(0, -1)]),
    ("sigmoid", [f32(0, INF)], {}, [f32(0.5, 1)]),
    ("sin", [f32(0)], {}, [f32(0)]),
    ("cos", [f32(0)], {}, [f32(1)]),
    ("reciprocal", [f32(4, 0)], {}, [f32(0.25, INF)]),
    ("rsqrt", [f32(4, 0)], {}, [f32(0.5, INF)]),
    ("pow", [f32(2, 4), f32(3, 0.5)], {}, [f32(8, 2)]),
    # The bound of the error is 0 times infinity here.
    ("pow", [("f64", [5e-324]), ("f64", [1.7976931348623157e308])], {}, [("f64", [0.0])]),
    ("logical_not", [i1(True, False)], {}, [i1(False, True)]),
    ("logical_and", [i1(True, False), i1(True)], {}, [i1(True, False)]),
    ("logical_or", [i1(True, False), i1(False)], {}, [i1(True, False)]),
    ("logical_xor", [i1(True, False), i1(True)], {}, [i1(False, True)]),
    ("bitwise_and", [i8(6), i8(3)], {}, [i8(2)]),
    ("bitwise_or", [i8(6), i8(3)], {}, [i8(7)]),
    ("bitwise_xor", [i8(6), i8(3)], {}, [i8(5)]),
    ("logical_left_shift", [i8(3, 3), i8(2, 8)], {}, [i8(12, 0)]),
    ("logical_right_shift", [i8(-1, 3), i8(4, -1)], {}, [i8(15, 0)]),
    ("arithmetic_right_shift", [i8(-5, 7), i8(1, 1)], {"round": True}, [i8(-2, 4)]),
    ("intdiv", [i32(-7, 3), i32(2, 0)], {}, [i32(-3, 0)]),
    ("equal", [f32(1, NAN), f32(1, NAN)], {}, [i1(True, False)]),
    ("greater", [i32(2, 1), i32(1)], {}, [i1(True, False)]),
    ("greater_equal", [i32(2, 1, 0), i32(1)], {}, [i1(True, True, False)]),
    ("maximum", [f32(-0.0, NAN), f32(0.0, 1)], {"nan_mode": "IGNORE"}, [f32(0.0, 1)]),
    ("minimum", [f32(-0.0, NAN), f32(0.0, 1)], {"nan_mode": "PROPAGATE"}, [f32(-0.0, NAN)]),
    ("clamp", [i32(-9, 0, 9)], {"min_val": -1, "max_val": 2, "kind": "i32"}, [i32(-1, 0, 2)]),
    ("select", [i1(True, False), f32(1, 2), f32(3)], {}, [f32(1, 3)]),
    ("cast", [f32(2.5, -3.5, NAN, INF)], {}, [i8(2, -4, 0, 127)]),
    ("identity", [f32(7)], {}, [f32(7)]),
    ("map", [f32(1, 2), f32(3)], {"function": "subf"}, [f32(-2, -1)]),
    ("cast_type", [f32(7)], {}, [f32(7)]),
    ("reduce_sum", [i32(1, 2, 3)], {"axis": 0}, [i32(6)]),
    ("reduce_sum", [f32(1, 2, 3)], {"axis": 0}, [f32(6)]),
    ("reduce_product", [i32(2, 3)], {"axis": 0}, [i32(6)]),
    ("reduce_max", [f32(-INF, -INF)], {"axis": 0}, [f32(-INF)]),
    ("reduce_max", [f32(1, NAN)], {"axis": 0, "nan_mode": "IGNORE"}, [f32(1)]),
    ("reduce_min", [i8()], {"axis": 0}, [i8(127)]),
    ("reduce_any", [i1(True, False)], {"axis": 0}, [i1(True)]),
    ("reduce_all", [i1()], {"axis": 0}, [i1(True)]),
    ("argmax", [f32(1, NAN, 3)], {"axis": 0, "nan_mode": "PROPAGATE"}, [("i32", 1)]),
    ("argmax", [f32(1, NAN, 3)], {"axis": 0, "nan_mode": "IGNORE"}, [("i32", 2)]),
    (
        "sort",
        [f32(2, NAN, -0.0, 0.0, 1)],
        {"axis": 0, "count": 4, "descending": False},
        [f32(-0.0, 0.0, 1, 2), ("i64", [2, 3, 4, 0])],
    ),
    ("sort", [i8(-128, 7, 7)], {"axis": 0, "count": None, "descending": True}, [i8(7, 7, -128), ("i64", [1, 2, 0])]),
    ("reshape", [i32(1, 2, 3, 4)], {"shape": [-1, 2]}, [("i32", [[1, 2], [3, 4]])]),
    ("transpose", [("i32", [[1, 2, 3]])], {"perms": [1, 0]}, [("i32", [[1], [2], [3]])]),
    ("reverse", [i32(1, 2)], {"axis": 0}, [i32(2, 1)]),
    ("concat", [i32(1), i32(2, 3)], {"axis": 0}, [i32(1, 2, 3)]),
    ("slice", [i32(1, 2, 3)], {"start": [1], "size": [-1]}, [i32(2, 3)]),
    ("pad", [i32(1)], {"padding": [1, 2], "kind": "i32", "value": 7}, [i32(7, 1, 7, 7)]),
    ("tile", [i32(1, 2)], {"multiples": [2]}, [i32(1, 2, 1, 2)]),
    ("gather", [("i32", [[[1], [2]]]), ("i32", [[1, 1, 0]])], {}, [("i32", [[[2], [2], [1]]])]),
    ("scatter", [("i32", [[[1], [2]]]), ("i32", [[1]]), ("i32", [[[5]]])], {}, [("i32", [[[1], [5]]])]),
    ("table", [i8(-128, 1), ("i8", range(-128, 128))], {}, [i8(-128, 1)]),
    # The first two numbers of the table, the last two, and a quarter of the way to 128 from 0.
    (
        "table",
        [("i16", [-32768, 32767, 32]), ("i16", [3, *[0] * 256, 128, *[0] * 254, 2])],
        {},
        [i32(384, 254, 32 * 128)],
    ),
    ("const", [], {"values": np.array([4, 5])}, [i32(4, 5)]),
    ("dim", [("i32", [[1, 2, 3]])], {"axis": 1}, [index(3)]),
    ("index_constant", [], {"value": -1}, [index(-1)]),
    ("index_arithmetic", [index(-7), index(2)], {"function": "floordivsi"}, [index(-4)]),
    ("index_arithmetic", [index(1 << 62), index(2)], {"function": "muli"}, [index(-(1 << 63))]),
    ("extract_slice", [i32(0, 1, 2, 3, 4), index(2)], {"offsets": [1], "sizes": [None], "strides": [3]}, [i32(1, 4)]),
    ("insert_slice", [i32(9), i32(0, 1, 2), index(1)], {"offsets": [None]}, [i32(0, 9, 2)]),
    ("tensor_pad", [i32(1, 2), index(1)], {"low": [None], "high": [2]}, [i32(0, 1, 2, 0, 0)]),
    ("tensor_pad", [i32(7, 2), index(1)], {"low": [None], "high": [2], "first": True}, [i32(7, 7, 2, 7, 7)]),
    ("generic", [("i32", [[1, 2]]), ("i32", [[3], [4]])], {"turned": True}, [("i32", [[4, 6]])]),
    ("placed", [i32(1, 2), ("i32", [[5, 6], [7, 8]])], {"form": "diagonal"}, [("i32", [[1, 6], [7, 2]])]),
    ("placed", [i32(1, 2), i32(5, 6, 7, 8, 9)], {"form": "steps"}, [i32(5, 1, 7, 2, 9)]),
    ("placed", [i32(1, 2), ("i32", [[5, 6], [7, 8]])], {"form": "row"}, [("i32", [[5, 6], [1, 2]])]),
    ("placed", [("i32", [[1, 2], [3, 4]]), i32(5, 6)], {"form": "last"}, [i32(2, 4)]),
    ("map_of_destination", [i32(1, 2), i32(10, 20)], {}, [i32(19, 38)]),
    ("half", [i32(1, 2, 3)], {"axis": 0, "sizes": [None], "part": "first"}, [i32(1, 2)]),
    ("half", [i32(1, 2, 3)], {"axis": 0, "sizes": [None], "part": "last"}, [i32(2, 3)]),
    ("half", [i32(1, 2, 3)], {"axis": 0, "sizes": [None], "part": "other"}, [i32(1, 3)]),
    ("overlay", [i32(8, 9), i32(0, 1, 2)], {"atEnd": True}, [i32(0, 8, 9)]),
    ("overlay", [i32(7, 8, 9), i32(0, 1)], {"atEnd": False}, [i32(7, 8)]),
    ("collapse", [("i32", [[[1, 2]], [[3, 4]]])], {"groups": [[0], [1, 2]]}, [("i32", [[1, 2], [3, 4]])]),
    ("arithmetic", [i32(5), i32(-7)], {"function": "maxsi"}, [i32(5)]),
    ("odd_width", [i32(5, 31, 64, -1)], {"bits": 7}, [i32(10, 62, 0, -2)]),
    ("odd_width", [i32(33)], {"bits": 7}, [i32(-62)]),
    ("matmul", [("f32", [[[1, 2]]]), ("f32", [[[3], [4]]])], {"kind": "f32"}, [("f32", [[[11]]])]),
    ("conv2d", [IMAGE, IMAGE, f32(10)], {**WINDOWS, "dilation": [1, 1]}, [("f32", [[[[40]]]])]),
    (
        "depthwise_conv2d",
        [IMAGE, ("f32", [[[[2, 3]]]]), f32(1)],
        {**WINDOWS, "dilation": [1, 1]},
        [("f32", [[[[3, 4], [5, 7]], [[7, 10], [9, 13]]]])],
    ),
    ("max_pool2d", [IMAGE], {**WINDOWS, "kernel": [1, 2]}, [("f32", [[[[2]], [[4]]]])]),
    ("avg_pool2d", [IMAGE], {"stride": [1, 1], "pad": [1, 0, 0, 0], "kernel": [2, 2]}, [("f32", [[[[1.5]], [[2.5]]]])]),
    (
        "conv3d",
        [("f32", [[[[[1], [2]]]]]), ("f32", [[[[[10], [1]]]]]), f32(5)],
        {"stride": [1, 1, 1], "dilation": [1, 1, 1], "pad": [0, 0, 0, 0, 0, 1]},
        [("f32", [[[[[17], [25]]]]])],
    ),
    (
        "transpose_conv2d",
        [("i8", [[[[1], [2]]]]), ("i8", [[[[10], [1]]]]), i32(3)],
        {"stride": [1, 1], "out_pad": [0, 0, 1, 0]},
        [("i32", [[[[3], [13], [24], [5]]]])],
    ),
    (
        "resize",
        [("i8", [[[[1], [5]]]])],
        {"scale": [1, 1, 4, 1], "offset": [0, 0], "border": [0, 0], "mode": "BILINEAR"},
        [("i32", [[[[4], [8], [12], [16], [20]]]])],
    ),
    (
        "resize",
        [IMAGE],
        {"scale": [1, 1, 2, 1], "offset": [0, -1], "border": [0, 1], "mode": "NEAREST_NEIGHBOR"},
        [("f32", [[[[1], [1], [2], [2], [2]], [[3], [3], [4], [4], [4]]]])],
    ),
    ("rescale", [i32(3, -3, 1000)], {**RESCALE, "in": 0, "out": 1}, [i8(3, 0, 127)]),
    (
        "rescale",
        [i32(3, -3)],
        {**RESCALE, "multiplier": [1 << 30, 3 << 29], "shift": [31, 32], "rounding": "DOUBLE_ROUND", "channels": True},
        [i8(2, -1)],
    ),
    (
        "computed_reshape",
        [("i32", [[1, 2, 3, 4]]), i32(0, 0)],
        {"shape": [("dim", 1, 0), ("mod", ("const", 6), ("const", 4))]},
        [("i32", [[1, 2], [3, 4]])],
    ),
    (
        "computed_slice",
        [i32(1, 2, 3), i32(0, 0)],
        {"start": [("const", 1)], "size": [("sub", ("dim", 1, 0), ("const", 1))]},
        [i32(2)],
    ),
    (
        "computed_pad",
        [i32(1)],
        {"padding": [("dim", 0, 0), ("add", ("dim", 0, 0), ("const", 1))], "kind": "i32", "value": 7},
        [i32(7, 1, 7, 7)],
    ),
    ("computed_tile", [i32(1, 2)], {"multiples": [("div_ceil", ("const", 3), ("dim", 0, 0))]}, [i32(1, 2, 1, 2)]),
    # 2^1 - 1; both logarithms of 3; the second of two numbers.
    (
        "computed_reshape",
        [("i32", [[1, 2, 3]]), i32(0)],
        {
            "shape": [
                ("sub", ("exp2", ("dim", 1, 0)), ("const", 1)),
                ("add", ("log2_floor", ("dim", 0, 1)), ("log2_ceil", ("dim", 0, 1))),
            ]
        },
        [("i32", [[1, 2, 3]])],
    ),
    (
        "computed_tile",
        [i32(1, 2)],
        {"multiples": [("part", 1, (("const", 3), ("dim", 0, 0)))], "around": {"multiples": [[("const", 5)], []]}},
        [i32(1, 2, 1, 2)],
    ),
    # 1 2 3 4 by powers of i, in both directions; rows by powers of -1.
    (
        "fft2d",
        [f32x(1, 2, 3, 4), f32x(0, 0, 0, 0)],
        {"inverse": False, "local_bound": False},
        [f32x(10, -2, -2, -2), f32x(0, 2, 0, -2)],
    ),
    (
        "fft2d",
        [f32x(1, 2, 3, 4), f32x(0, 0, 0, 0)],
        {"inverse": True, "local_bound": False},
        [f32x(10, -2, -2, -2), f32x(0, -2, 0, 2)],
    ),
    (
        "fft2d",
        [("f64", [[[1], [2]]]), ("f64", [[[3], [5]]])],
        {"inverse": False, "local_bound": True},
        [("f64", [[[3], [-1]]]), ("f64", [[[8], [-2]]])],
    ),
    ("rfft2d", [f32x(1, 2, 3, 4)], {"local_bound": False}, [f32x(10, -2, -2), f32x(0, 2, 0)]),
    ("rfft2d", [("f32", np.zeros((0, 1, 1)))], {"local_bound": False}, [("f32", np.zeros((0, 1, 1)))] * 2),
    ("generate", [index(2)], {"sizes": [None, 2], "start": 5}, [("i64", [[5, 7], [6, 8]])]),
    ("extract", [("i32", [[1, 2]]), index(1)], {"point": [0, None]}, [i32(2)]),
    ("user_scale_rows", [("f32", [[1, 2], [3, 4]]), f32(10, 100)], {}, [("f32", [[10, 20], [300, 400]])]),
    ("user_mix", [f32(1, 5), f32(2, 2)], {}, [f32(4, 5)]),
    ("user_same", [f32(3), f32(1)], {}, [f32(2)]),
    ("user_twice", [("f32", [[1, 2]])], {}, [("f32", [[1, 2], [1, 2]])]),
    ("user_first", [f32(1, 2, 3)], {"count": 2}, [f32(1, 2)]),
    ("index_arithmetic", [index(-7), index(2)], {"function": "divsi"}, [index(-3)]),
    ("index_arithmetic", [index(-7), index(2)], {"function": "remsi"}, [index(-1)]),
    ("index_arithmetic", [index(-1), index(2)], {"function": "divui"}, [index((1 << 63) - 1)]),
    ("index_arithmetic", [index(-1), index(3)], {"function": "minui"}, [index(3)]),
    ("index_arithmetic", [index(-1), index(64)], {"function": "shrsi"}, [index(-1)]),
    ("index_arithmetic", [index(-1), index(64)], {"function": "shli"}, [index(0)]),
    ("index_arithmetic", [index(100), index(28)], {"function": "addi", "bits": 8, "back": "cast"}, [index(-128)]),
    ("index_arithmetic", [index(100), index(28)], {"function": "addi", "bits": 8, "back": "castui"}, [index(128)]),
    ("index_arithmetic", [index(-2), index(3)], {"function": "divui", "bits": 8, "back": "cast"}, [index(84)]),
    ("index_arithmetic", [index(3), index(40)], {"function": "shli", "bits": 32, "back": "cast"}, [index(0)]),
    # 2^31 without a sign, modulo 97.
    (
        "index_arithmetic",
        [index(1), index(0)],
        {"function": "ori", "bits": 32, "raised": (1 << 31) - 1, "back": "cast"},
        [index((1 << 31) % 97)],
    ),
    ("affine", [index(4), index(5)], {"form": "apply", "expressions": [("sum", None, -1)]}, [index(16)]),
    (
        "affine",
        [index(-7), index(2)],
        {"form": "min", "expressions": [("mod", None, 0), ("ceildiv", 3, 0)]},
        [index(-2)],
    ),
    ("delinearize", [index(17), index(2), index(3)], {"basis": [None, 5]}, [index(1), index(1), index(2)]),
    ("linearize", [index(1), index(1), index(2), index(2), index(9)], {"basis": [None, 5]}, [index(17)]),
    ("choose", [index(-1), index(1), index(10), index(20)], {"predicate": "ult"}, [index(20)]),
    ("as_tensor", [index(511)], {"bits": 8}, [i64(-1)]),
    ("as_extent", [index(-1)], {"sizes": [None], "modulo": 7}, [i64(1)]),
    ("forall", [i32(1, 2, 3), i32(0, 0, 0)], {}, [i32(3, 2, 1)]),
    ("parallel", [i32(1, 2, 3)], {"function": "addi", "start": -7}, [("i32", [-1])]),
    ("parallel", [("i64", np.zeros(0))], {"function": "maxsi", "start": 3}, [i64(3)]),
    # d0, d1 of [[1, 2, 3]]; d1 of the second; d0 of what they are added to.
    (
        "projections",
        [("i32", [[1, 2, 3]]), i32(1, 10, 100), i32(1000)],
        {"maps": [[0, 1], [1], [0]], "function": "sum"},
        [i32(1321)],
    ),
    ("projections", [("i32", [[1], [9]]), i32(5)], {"maps": [[1, 0], [0]], "function": "max"}, [i32(9)]),
    ("linalg_matmul", [("i8", [[1, 100]]), ("i8", [[2], [100]]), ("i32", [[1]])], {}, [("i32", [[10003]])]),
    ("product", [("i8", [[1, 100]]), ("i8", [[2, 100]]), ("i32", [9])], {"maps": [[1, 0], [1, 0], [1]]}, [i32(10002)]),
    (
        "product",
        [("i8", [[1, 2]]), ("i8", [3, 4]), ("i32", [[[0], [0]], [[0], [0]]])],
        {"maps": [[2, 1], [0], [0, 1, 2]]},
        [("i32", [[[3], [6]], [[4], [8]]])],
    ),
    (
        "linalg_batch_matmul",
        [("i32", [[[2]], [[3]]]), ("i32", [[[5]], [[7]]]), ("i32", [[[1]], [[0]]])],
        {},
        [("i32", [[[11]], [[21]]])],
    ),
    ("linalg_transpose", [("i32", [[1, 2]]), ("i32", [[0], [0]])], {"order": [1, 0]}, [("i32", [[1], [2]])]),
    ("linalg_broadcast", [i32(1, 2), ("i32", [[0] * 3] * 2)], {"added": [1]}, [("i32", [[1] * 3, [2] * 3])]),
    ("linalg_reduce", [("i32", [[1, 2], [4, 8]]), i32(16, 1)], {"axes": [0], "function": "xori"}, [i32(21, 11)]),
    ("linalg_reduce", [("i32", [[-1], [-4]]), i32(-9, -3)], {"axes": [1], "function": "maxsi"}, [i32(-1, -3)]),
    # One window of the two that the image has.
    (
        "linalg_convolution",
        [("i32", [[[[1], [2]]]]), ("i32", [[[[3]]]]), ("i32", [[[[10]]]])],
        STEPS,
        [("i32", [[[[13]]]])],
    ),
    (
        "linalg_sum_pool",
        [("i32", [[[[1], [2], [4]]]]), ("i32", [[0, 0]]), ("i32", [[[[8], [16]]]])],
        STEPS,
        [("i32", [[[[11], [22]]]])],
    ),
    (
        "linalg_max_pool",
        [("i32", [[[[1], [2], [4]]]]), ("i32", [[0, 0]]), ("i32", [[[[3]]]])],
        {"strides": [1, 1], "dilations": [1, 2]},
        [("i32", [[[[4]]]])],
    ),
    ("linalg_fill", [("i32", 7), i32(0, 0)], {}, [i32(7, 7)]),
    ("lookup", [("i64", [9, 1]), i32(3, 4)], {"at": 1}, [i32(4)]),
]
# Tested with programs below.
CONTROL = {
    "cond_if",
    "scf_if",
    "switch",
    "scf_while",
    "cf",
    "for",
    "while",
    "call",
    "variable_read",
    "variable_write",
    "induction",
    "range_for",
    "number_switch",
    "region",
    "block_for",
    "region_for",
    "list_for",
}


@pytest.mark.parametrize("name, operands, attributes, results", CASES, ids=[c[0] for c in CASES])
def test_operation(name, operands, attributes, results):
    found = evaluateOne(name, [dataOf(o) for o in operands], attributes, [k for k, _ in results])
    for data, wanted in zip(found, results, strict=True):
        assert difference(dataOf(wanted).low, data) is None


def test_sum1_an_infinite_weight_times_what_is_not_there():
    operands = [dataOf(p) for p in (("f32", [[[[1]]]]), ("f32", [[[[np.inf]]], [[[2]]]]), f32(3))]
    attributes = {"stride": [1, 1], "out_pad": [0, 0, 1, 0]}
    (found,) = evaluateOne("transpose_conv2d", operands, attributes, ["f32"])
    np.testing.assert_array_equal(found.unknown, [[[[True, False], [True, False]]]])


def test_what_is_infinite_in_one_image_hides_no_other():
    operands = [dataOf(("f32", [[[INF, 1]], [[1, 2]]]))]
    (real, imaginary) = evaluateOne("rfft2d", operands, {"local_bound": False}, ["f32", "f32"])
    for found in (real, imaginary):
        np.testing.assert_array_equal(found.unknown, [[[True, True]], [[False, False]]])


def test_a_number_of_more_than_64_bits_decides_nothing():
    expression = ("div_floor", ("mul", ("exp2", ("const", 61)), ("const", 8)), ("exp2", ("const", 61)))
    with pytest.raises(Undecided):
        evaluateOne("computed_tile", [dataOf(i32(1))], {"multiples": [expression]}, ["i32"])


def test_every_operation_has_a_case():
    assert set(TABLE) - {c[0] for c in CASES} == CONTROL
