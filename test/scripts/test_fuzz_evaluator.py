"""The evaluator of scripts/fuzz programs against values computed by hand, one
case for each operation at least."""

import fuzz_path  # noqa: F401
import numpy as np
import pytest
from data import Data, between, difference, exact, kindOf
from evaluator import Evaluator
from ir import Block, Function, Operation, Program, Value, Variable
from operations import TABLE, Fails, Undecided, load

load()
NAN, INF = float("nan"), float("inf")


def f32(*values):
    return ("f32", values)


def i32(*values):
    return ("i32", values)


def i8(*values):
    return ("i8", values)


def i1(*values):
    return ("i1", values)


def index(value):
    return ("index", value)


IMAGE = ("f32", [[[[1], [2]], [[3], [4]]]])  # 1x2x2x1
WINDOWS = {"stride": [1, 1], "pad": [0, 0, 0, 0]}
RESCALE = {"multiplier": [1 << 30], "shift": [31], "rounding": "SINGLE_ROUND", "channels": False, "in": 0, "out": 0}

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
    ("sort", [f32(2, NAN, -0.0, 0.0, 1)], {"axis": 0, "count": 4, "descending": False},
     [f32(-0.0, 0.0, 1, 2), ("i64", [2, 3, 4, 0])]),
    ("sort", [i8(-128, 7, 7)], {"axis": 0, "count": None, "descending": True},
     [i8(7, 7, -128), ("i64", [1, 2, 0])]),
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
    ("const", [], {"values": np.array([4, 5])}, [i32(4, 5)]),
    ("dim", [("i32", [[1, 2, 3]])], {"axis": 1}, [index(3)]),
    ("index_constant", [], {"value": -1}, [index(-1)]),
    ("index_arithmetic", [index(-7), index(2)], {"function": "floordivsi"}, [index(-4)]),
    ("index_arithmetic", [index(1 << 62), index(2)], {"function": "muli"}, [index(-(1 << 63))]),
    ("extract_slice", [i32(0, 1, 2, 3, 4), index(2)], {"offsets": [1], "sizes": [None], "strides": [3]}, [i32(1, 4)]),
    ("insert_slice", [i32(9), i32(0, 1, 2), index(1)], {"offsets": [None]}, [i32(0, 9, 2)]),
    ("tensor_pad", [i32(1, 2), index(1)], {"low": [None], "high": [2]}, [i32(0, 1, 2, 0, 0)]),
    ("generic", [("i32", [[1, 2]]), ("i32", [[3], [4]])], {"turned": True}, [("i32", [[4, 6]])]),
    ("collapse", [("i32", [[[1, 2]], [[3, 4]]])], {"groups": [[0], [1, 2]]}, [("i32", [[1, 2], [3, 4]])]),
    ("arithmetic", [i32(5), i32(-7)], {"function": "maxsi"}, [i32(5)]),
    ("matmul", [("f32", [[[1, 2]]]), ("f32", [[[3], [4]]])], {"kind": "f32"}, [("f32", [[[11]]])]),
    ("conv2d", [IMAGE, IMAGE, f32(10)], {**WINDOWS, "dilation": [1, 1]}, [("f32", [[[[40]]]])]),
    ("depthwise_conv2d", [IMAGE, ("f32", [[[[2, 3]]]]), f32(1)], {**WINDOWS, "dilation": [1, 1]},
     [("f32", [[[[3, 4], [5, 7]], [[7, 10], [9, 13]]]])]),
    ("max_pool2d", [IMAGE], {**WINDOWS, "kernel": [1, 2]}, [("f32", [[[[2]], [[4]]]])]),
    ("avg_pool2d", [IMAGE], {"stride": [1, 1], "pad": [1, 0, 0, 0], "kernel": [2, 2]}, [("f32", [[[[1.5]], [[2.5]]]])]),
    ("conv3d", [("f32", [[[[[1], [2]]]]]), ("f32", [[[[[10], [1]]]]]), f32(5)],
     {"stride": [1, 1, 1], "dilation": [1, 1, 1], "pad": [0, 0, 0, 0, 0, 1]}, [("f32", [[[[[17], [25]]]]])]),
    ("transpose_conv2d", [("i8", [[[[1], [2]]]]), ("i8", [[[[10], [1]]]]), i32(3)],
     {"stride": [1, 1], "out_pad": [0, 0, 1, 0]}, [("i32", [[[[3], [13], [24], [5]]]])]),
    ("resize", [("i8", [[[[1], [5]]]])],
     {"scale": [1, 1, 4, 1], "offset": [0, 0], "border": [0, 0], "mode": "BILINEAR"}, [("i32", [[[[4], [8], [12], [16], [20]]]])]),
    ("resize", [IMAGE], {"scale": [1, 1, 2, 1], "offset": [0, -1], "border": [0, 1], "mode": "NEAREST_NEIGHBOR"},
     [("f32", [[[[1], [1], [2], [2], [2]], [[3], [3], [4], [4], [4]]]])]),
    ("rescale", [i32(3, -3, 1000)], {**RESCALE, "in": 0, "out": 1}, [i8(3, 0, 127)]),
    ("rescale", [i32(3, -3)], {**RESCALE, "multiplier": [1 << 30, 3 << 29], "shift": [31, 32], "rounding": "DOUBLE_ROUND",
                               "channels": True}, [i8(2, -1)]),
    ("computed_reshape", [("i32", [[1, 2, 3, 4]]), i32(0, 0)], {"shape": [("dim", 1, 0), ("mod", ("const", 6), ("const", 4))]},
     [("i32", [[1, 2], [3, 4]])]),
    ("computed_slice", [i32(1, 2, 3), i32(0, 0)], {"start": [("const", 1)], "size": [("sub", ("dim", 1, 0), ("const", 1))]},
     [i32(2)]),
    ("computed_pad", [i32(1)], {"padding": [("dim", 0, 0), ("add", ("dim", 0, 0), ("const", 1))], "kind": "i32", "value": 7},
     [i32(7, 1, 7, 7)]),
    ("computed_tile", [i32(1, 2)], {"multiples": [("div_ceil", ("const", 3), ("dim", 0, 0))]}, [i32(1, 2, 1, 2)]),
    ("generate", [index(2)], {"sizes": [None, 2], "start": 5}, [("i64", [[5, 7], [6, 8]])]),
    ("extract", [("i32", [[1, 2]]), index(1)], {"point": [0, None]}, [i32(2)]),
    ("user_scale_rows", [("f32", [[1, 2], [3, 4]]), f32(10, 100)], {}, [("f32", [[10, 20], [300, 400]])]),
    ("user_mix", [f32(1, 5), f32(2, 2)], {}, [f32(4, 5)]),
    ("user_same", [f32(3), f32(1)], {}, [f32(2)]),
    ("user_twice", [("f32", [[1, 2]])], {}, [("f32", [[1, 2], [1, 2]])]),
    ("user_first", [f32(1, 2, 3)], {"count": 2}, [f32(1, 2)]),
]
# Tested with programs below.
CONTROL = {"cond_if", "scf_if", "switch", "scf_while", "cf", "for", "while", "call", "variable_read", "variable_write"}


def dataOf(pair):
    kind, values = pair
    return exact(kindOf(kind), np.array(values, kindOf(kind).dtype))


def programOf(name, operands, attributes, resultKinds):
    values = [Value(d.kind.name, None, d.shape) for d in operands]
    results = [Value(k, None, None) for k in resultKinds]
    block = Block(values, [Operation(name, values, results, attributes)], results)
    return Program([Function("main", block, None)])


def evaluateOne(name, operands, attributes, resultKinds):
    program = programOf(name, operands, attributes, resultKinds)
    with np.errstate(all="ignore"):
        return Evaluator(program, withTypes=False).run(operands)


@pytest.mark.parametrize("name, operands, attributes, results", CASES, ids=[c[0] for c in CASES])
def test_operation(name, operands, attributes, results):
    found = evaluateOne(name, [dataOf(o) for o in operands], attributes, [k for k, _ in results])
    for data, wanted in zip(found, results, strict=True):
        assert difference(dataOf(wanted).low, data) is None


def test_sum1_anInfiniteWeightTimesWhatIsNotThere():
    operands = [dataOf(p) for p in (("f32", [[[[1]]]]), ("f32", [[[[np.inf]]], [[[2]]]]), f32(3))]
    attributes = {"stride": [1, 1], "out_pad": [0, 0, 1, 0]}
    (found,) = evaluateOne("transpose_conv2d", operands, attributes, ["f32"])
    np.testing.assert_array_equal(found.unknown, [[[[True, False], [True, False]]]])


def test_everyOperationHasACase():
    assert set(TABLE) - {c[0] for c in CASES} == CONTROL


@pytest.mark.parametrize("name, operands, attributes", [
    ("add", [f32(1, 2), f32(1, 2, 3)], {}),
    ("reduce_sum", [f32(1)], {"axis": 1}),
    ("sort", [f32(1)], {"axis": 1, "count": None, "descending": False}),
    ("sort", [f32(1, 2)], {"axis": 0, "count": 3, "descending": False}),
    ("argmax", [f32(1)], {"axis": 1, "nan_mode": "IGNORE"}),
    ("reshape", [i32(1, 2, 3)], {"shape": [2]}),
    ("reshape", [i32(1, 2, 3)], {"shape": [-1, 2]}),
    ("transpose", [i32(1)], {"perms": [0, 1]}),
    ("concat", [("i32", [[1]]), ("i32", [[1, 2]])], {"axis": 0}),
    ("slice", [i32(1, 2)], {"start": [1], "size": [2]}),
    ("pad", [i32(1, 2)], {"padding": [1], "kind": "i32", "value": 0}),
    ("tile", [i32(1, 2)], {"multiples": [1, 1]}),
    ("gather", [("i32", [[[1]]]), ("i32", [[1]])], {}),
    ("gather", [("i32", [[[1]]]), ("i32", [[-1]])], {}),
    ("scatter", [("i32", [[[1]]]), ("i32", [[0, 1]]), ("i32", [[[1], [2]]])], {}),
    ("dim", [i32(1)], {"axis": 1}),
    ("index_arithmetic", [index(1), index(0)], {"function": "ceildivsi"}),
    ("extract_slice", [i32(1, 2)], {"offsets": [1], "sizes": [2], "strides": [1]}),
    ("extract_slice", [i32(1, 2)], {"offsets": [0], "sizes": [-1], "strides": [1]}),
    ("insert_slice", [i32(1, 2), i32(0, 0)], {"offsets": [1]}),
    ("collapse", [i32(1)], {"groups": [[0, 1]]}),
    ("tensor_pad", [i32(1, 2)], {"low": [-3], "high": [0]}),
    ("generic", [("i32", [[1, 2]]), ("i32", [[3, 4]])], {"turned": True}),
    ("table", [i8(1), i8(1)], {}),
    ("avg_pool2d", [IMAGE], {"stride": [2, 1], "pad": [0, 0, 0, 0], "kernel": [1, 1]}),
    ("arithmetic", [i32(1, 2), i32(1)], {"function": "addi"}),
    ("matmul", [("f32", [[[1, 2]]]), ("f32", [[[3]]])], {"kind": "f32"}),
    ("conv2d", [IMAGE, IMAGE, f32(1, 2)], {**WINDOWS, "dilation": [1, 1]}),
    ("max_pool2d", [IMAGE], {**WINDOWS, "kernel": [3, 1]}),
    ("max_pool2d", [IMAGE], {"stride": [2, 1], "pad": [0, 0, 0, 0], "kernel": [1, 1]}),
    ("conv3d", [("f32", [[[[[1]]]]]), ("f32", [[[[[1], [1]]]]]), f32(5)],
     {"stride": [1, 1, 1], "dilation": [1, 1, 1], "pad": [0] * 6}),
    ("transpose_conv2d", [IMAGE, ("f32", [[[[1, 2]]]]), f32(3)], {"stride": [1, 1], "out_pad": [0] * 4}),
    ("resize", [IMAGE], {"scale": [1, 1, 1, 3], "offset": [0, 0], "border": [0, 0], "mode": "BILINEAR"}),
    ("rescale", [i32(1, 2, 3)], {**RESCALE, "multiplier": [1, 1], "shift": [2, 2], "channels": True}),
    ("computed_reshape", [i32(1, 2)], {"shape": [("dim", 0, 1)]}),
    ("computed_tile", [i32()], {"multiples": [("div_floor", ("const", 1), ("dim", 0, 0))]}),
    ("computed_tile", [i32()], {"multiples": [("dim", 0, 0)]}),
    ("generate", [index(-1)], {"sizes": [None], "start": 0}),
    ("extract", [i32(1, 2), index(2)], {"point": [None]}),
    ("user_scale_rows", [("f32", [[1, 2]]), f32(1, 2)], {}),
    ("user_same", [f32(1), f32(1, 2)], {}),
    ("user_first", [f32(1)], {"count": 2}),
])
def test_whatMustFail(name, operands, attributes):
    with pytest.raises(Fails):
        evaluateOne(name, [dataOf(o) for o in operands], attributes, ["f32"])


def test_rt4_aTypeThatSaysMoreIsAGuard():
    program = programOf("identity", [dataOf(f32(1, 2))], {}, ["f32"])
    program.main.block.results[0].extents = (3,)
    with pytest.raises(Fails):
        Evaluator(program).run([dataOf(f32(1, 2))])


# Bounds. ----------------------------------------------------------------------

def vague(low, high):
    return between(kindOf("f32"), np.array(low), np.array(high))


def test_boundsOfWhatIsMonotone():
    (data,) = TABLE["sub"].evaluate([vague([1.0], [2.0]), vague([10.0], [20.0])], {}, ["f32"])
    assert (data.low[0], data.high[0]) == (-19, -8)
    (data,) = TABLE["mul"].evaluate([vague([-1.0], [2.0]), vague([10.0], [20.0])], {}, ["f32"])
    assert (data.low[0], data.high[0]) == (-20, 40)
    (data,) = TABLE["abs"].evaluate([vague([-1.0], [2.0])], {}, ["f32"])
    assert (data.low[0], data.high[0]) == (0, 2)


def test_whatJumpsIsNotClaimed():
    for name in ("floor", "greater", "reciprocal"):
        operands = [vague([-1.0, 2.0], [1.0, 2.0])] * (2 if name == "greater" else 1)
        (data,) = TABLE[name].evaluate(operands, {}, ["i1" if name == "greater" else "f32"])
        assert data.unknown.tolist() == [True, False], name
    (data,) = TABLE["cast"].evaluate([vague([-1.0, 2.0], [1.0, 2.0])], {}, ["i32"])
    assert data.unknown.tolist() == [True, False] and data.low[1] == 2


@pytest.mark.parametrize("kind", ["f32", "f64"])
def test_powersOfNegativeNumbersAreNotClaimed(kind):
    of = lambda *ends: between(kindOf(kind), *(np.array(end) for end in ends))  # noqa: E731
    for base in (of([-2.0, 2.0], [-2.0, 2.0]), of([-2.0, 2.0], [-1.0, 2.0])):
        for exponent in (of([0.5, 1.0], [0.5, 1.0]), of([0.5, 1.0], [1.5, 1.0])):
            (data,) = TABLE["pow"].evaluate([base, exponent], {}, [kind])
            assert data.unknown.tolist() == [True, False]
            assert data.low[1] <= 2 <= data.high[1]


def test_sumsInAnyOrderAreWithinBounds():
    values = np.random.default_rng(1).normal(size=1000).astype(np.float32)
    (data,) = TABLE["reduce_sum"].evaluate([exact(kindOf("f32"), values)], {"axis": 0}, ["f32"])
    for order in (values, values[::-1], np.sort(values)):
        total = np.float32(0)
        for value in order:
            total = np.float32(total + value)
        assert difference(np.array([total]), data) is None
    assert difference(np.array([np.float32(total * 1.01)]), data) is not None
    # Whole numbers have one sum.
    (data,) = TABLE["reduce_sum"].evaluate([exact(kindOf("f32"), np.arange(100))], {"axis": 0}, ["f32"])
    assert data.low[0] == data.high[0] == 4950


def test_productsBelowTheSmallestNumberMayBeZeroOfEitherSign():
    (data,) = TABLE["matmul"].evaluate([dataOf(("f32", [[[-0.1]]])), dataOf(("f32", [[[1e-45]]]))], {"kind": "f32"}, ["f32"])
    for zero in (0.0, -0.0):
        assert difference(np.array([[[zero]]], np.float32), data) is None
    assert difference(np.array([[[1e-43]]], np.float32), data) is not None


def test_aBranchOnWhatIsNotKnownIsUndecided():
    yes = Value("i1", None, ())
    program = Program([Function("main", Block([yes], [Operation(
        "cond_if", [yes], [Value("i1", None, ())], {}, [Block([], [], [yes]), Block([], [], [yes])])], []), None)])
    with pytest.raises(Undecided):
        Evaluator(program).run([Data(kindOf("i1"), np.array(True), None, np.array(True))])


# Control flow. ----------------------------------------------------------------

def controlProgram(name, attributes, count=1):
    """main(a: f32, c: i1) = name with blocks `a + a` and `a - a`, or carried."""
    a, c = Value("f32", None, (1,)), Value("i1", None, ())
    blocks = []
    for function in ("add", "sub")[:2 if name in ("cond_if", "scf_if", "cf", "switch") else 1]:
        taken = Value("f32", None, (1,)) if name in ("for", "while", "scf_while") else a
        made = Value("f32", None, (1,))
        blocks.append(Block([taken] if taken is not a else [], [Operation(function, [taken, taken], [made])], [made]))
    result = Value("f32", None, (1,))
    operands = [c] if name in ("cond_if", "scf_if", "cf", "switch") else [a]
    if "test" in attributes:
        operands = [a]
    operation = Operation(name, operands, [result], attributes, blocks)
    return Program([Function("main", Block([a, c], [operation], [result]), None)])


@pytest.mark.parametrize("name, attributes, condition, wanted", [
    ("cond_if", {}, True, 6), ("cond_if", {}, False, 0), ("scf_if", {}, True, 6), ("cf", {}, False, 0),
    ("scf_if", {"test": (0, "eq", 1)}, False, 6), ("cf", {"test": (0, "ugt", 1)}, True, 0),
    ("for", {"count": 0}, True, 3), ("for", {"count": 3}, True, 24), ("while", {"count": 2}, True, 12),
    ("switch", {}, True, 6), ("switch", {"test": (0, "ugt", 1)}, True, 0), ("scf_while", {"count": 2}, True, 12),
])
def test_controlFlow(name, attributes, condition, wanted):
    inputs = [dataOf(f32(3)), dataOf(("i1", condition))]
    (data,) = Evaluator(controlProgram(name, attributes)).run(inputs)
    assert data.low.tolist() == [wanted]


def test_variables():
    """A read gives what was written last: before, in a branch, in a loop."""
    x, before, sum_, after = (Value("f32", None, (1,)) for _ in range(4))
    variable = Variable("s", Value("f32", None, (1,)), np.float32([5]))
    named = {"variable": "s"}
    add = [Operation("variable_read", [], [before], named), Operation("add", [before, x], [sum_]),
           Operation("variable_write", [sum_], [], named)]
    loop = Operation("for", [x], [Value("f32", None, (1,))], {"count": 2},
                     [Block([Value("f32", None, (1,))], add, [sum_])])
    main = Function("main", Block([x], [loop, Operation("variable_read", [], [after], named)], [after]), None)
    program = Program([main], [], [variable])
    first = Evaluator(program)
    assert first.run([dataOf(f32(1))])[0].low.tolist() == [7]
    second = Evaluator(program, state=first.state)
    assert second.run([dataOf(f32(10))])[0].low.tolist() == [27]
    assert first.state["s"].low.tolist() == [7]


def test_call():
    x, made = Value("f32", None, (1,)), Value("f32", None, (1,))
    callee = Function("f", Block([x], [Operation("add", [x, x], [made])], [made]), None)
    a, b = Value("f32", None, (1,)), Value("f32", None, (1,))
    main = Function("main", Block([a], [Operation("call", [a], [b], {"callee": "f"})], [b]), None)
    (data,) = Evaluator(Program([callee, main])).run([dataOf(f32(2))])
    assert data.low.tolist() == [4]
