"""The evaluator of scripts/fuzz programs: control flow, state, and what is known of rounded results."""

import fuzz_path  # noqa: F401
import numpy as np
import pytest
from data import Data, between, difference, exact, kindOf
from evaluator import Evaluator
from fuzz_values import dataOf, f32, index, programOf
from ir import Block, Function, Operation, Program, Value, Variable
from operations import TABLE, Fails, Undecided
from operations.indices import LARGEST


def test_rt4_a_type_that_says_more_is_a_guard():
    program = programOf("identity", [dataOf(f32(1, 2))], {}, ["f32"])
    program.main.block.results[0].extents = (3,)
    with pytest.raises(Fails):
        Evaluator(program).run([dataOf(f32(1, 2))])


# Bounds. ----------------------------------------------------------------------


def vague(low, high):
    return between(kindOf("f32"), np.array(low), np.array(high))


def test_bounds_of_what_is_monotone():
    (data,) = TABLE["sub"].evaluate([vague([1.0], [2.0]), vague([10.0], [20.0])], {}, ["f32"])
    assert (data.low[0], data.high[0]) == (-19, -8)
    (data,) = TABLE["mul"].evaluate([vague([-1.0], [2.0]), vague([10.0], [20.0])], {}, ["f32"])
    assert (data.low[0], data.high[0]) == (-20, 40)
    (data,) = TABLE["abs"].evaluate([vague([-1.0], [2.0])], {}, ["f32"])
    assert (data.low[0], data.high[0]) == (0, 2)


def test_what_jumps_is_not_claimed():
    for name in ("floor", "greater", "reciprocal"):
        operands = [vague([-1.0, 2.0], [1.0, 2.0])] * (2 if name == "greater" else 1)
        (data,) = TABLE[name].evaluate(operands, {}, ["i1" if name == "greater" else "f32"])
        assert data.unknown.tolist() == [True, False], name
    (data,) = TABLE["cast"].evaluate([vague([-1.0, 2.0], [1.0, 2.0])], {}, ["i32"])
    assert data.unknown.tolist() == [True, False] and data.low[1] == 2


@pytest.mark.parametrize("kind", ["f32", "f64"])
def test_powers_of_negative_numbers_are_not_claimed(kind):
    of = lambda *ends: between(kindOf(kind), *(np.array(end) for end in ends))
    for base in (of([-2.0, 2.0], [-2.0, 2.0]), of([-2.0, 2.0], [-1.0, 2.0])):
        for exponent in (of([0.5, 1.0], [0.5, 1.0]), of([0.5, 1.0], [1.5, 1.0])):
            (data,) = TABLE["pow"].evaluate([base, exponent], {}, [kind])
            assert data.unknown.tolist() == [True, False]
            assert data.low[1] <= 2 <= data.high[1]


def test_sums_in_any_order_are_within_bounds():
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


def test_products_below_the_smallest_number_may_be_zero_of_either_sign():
    (data,) = TABLE["matmul"].evaluate(
        [dataOf(("f32", [[[-0.1]]])), dataOf(("f32", [[[1e-45]]]))], {"kind": "f32"}, ["f32"]
    )
    for zero in (0.0, -0.0):
        assert difference(np.array([[[zero]]], np.float32), data) is None
    assert difference(np.array([[[1e-43]]], np.float32), data) is not None


def test_a_branch_on_what_is_not_known_is_undecided():
    yes = Value("i1", None, ())
    program = Program(
        [
            Function(
                "main",
                Block(
                    [yes],
                    [
                        Operation(
                            "cond_if", [yes], [Value("i1", None, ())], {}, [Block([], [], [yes]), Block([], [], [yes])]
                        )
                    ],
                    [],
                ),
                None,
            )
        ]
    )
    with pytest.raises(Undecided):
        Evaluator(program).run([Data(kindOf("i1"), np.array(True), None, np.array(True))])


# Control flow. ----------------------------------------------------------------

BRANCHES = ("cond_if", "scf_if", "cf", "switch", "region", "number_switch")


def controlProgram(name, attributes, count=1):
    """main(a: f32, c: i1) = name with blocks `a + a` and `a - a`, or carried."""
    a, c = Value("f32", None, (1,)), Value("i1", None, ())
    blocks = []
    for function in ("add", "sub")[: 2 if name in BRANCHES else 1]:
        taken = Value("f32", None, (1,)) if name in ("for", "while", "scf_while") else a
        made = Value("f32", None, (1,))
        blocks.append(Block([taken] if taken is not a else [], [Operation(function, [taken, taken], [made])], [made]))
    result = Value("f32", None, (1,))
    operands = [c] if name in BRANCHES else [a]
    if "test" in attributes:
        operands = [a]
    operation = Operation(name, operands, [result], attributes, blocks)
    return Program([Function("main", Block([a, c], [operation], [result]), None)])


@pytest.mark.parametrize(
    "name, attributes, condition, wanted",
    [
        ("cond_if", {}, True, 6),
        ("cond_if", {}, False, 0),
        ("scf_if", {}, True, 6),
        ("cf", {}, False, 0),
        ("scf_if", {"test": (0, "eq", 1)}, False, 6),
        ("cf", {"test": (0, "ugt", 1)}, True, 0),
        ("for", {"count": 0}, True, 3),
        ("for", {"count": 3}, True, 24),
        ("while", {"count": 2}, True, 12),
        ("region", {}, True, 6),
        ("region", {}, False, 0),
        ("switch", {}, True, 6),
        ("switch", {"test": (0, "ugt", 1)}, True, 0),
        ("scf_while", {"count": 2}, True, 12),
    ],
)
def test_control_flow(name, attributes, condition, wanted):
    inputs = [dataOf(f32(3)), dataOf(("i1", condition))]
    (data,) = Evaluator(controlProgram(name, attributes)).run(inputs)
    assert data.low.tolist() == [wanted]


def loopOverIndices(attributes, carried):
    """main(x: index) = range_for of x + the index, or of as many turns."""
    start, taken, made, turn, result = (Value("index", None, None) for _ in range(5))
    body = [
        Operation("induction", [], [turn]),
        Operation("index_arithmetic", [taken, turn], [made], {"function": "addi"}),
    ]
    loop = Operation("range_for", [start], [result], attributes, [Block([taken], body, [made])])
    program = Program([Function("main", Block([start], [loop], [result]), None)])
    (data,) = Evaluator(program).run([dataOf(index(carried))])
    return int(data.low)


@pytest.mark.parametrize(
    "numbers, bits, wanted",
    [
        ((1, 4, 1), 64, 106),
        ((-3, 4, 3), 64, 100),
        ((2, 2, 1), 64, 100),
        ((LARGEST - 1, LARGEST, 2), 64, 98 - (1 << 63)),
        # What is unsigned in 8 bits is a number with a sign where it becomes an index.
        ((254, 255, 1), 8, 98),
    ],
)
def test_the_index_of_a_loop(numbers, bits, wanted):
    assert loopOverIndices({"range": numbers, "bits": bits, "unsigned": bits == 8}, 100) == wanted


def test_a_case_of_a_number():
    """An index has 64 bits: 2^32 is not 0."""
    for value, wanted in ((0, 6), (1 << 32, 0)):
        program = controlProgram("number_switch", {"case": 0})
        program.main.block.arguments[1].kind = "index"
        (data,) = Evaluator(program).run([dataOf(f32(3)), dataOf(index(value))])
        assert data.low.tolist() == [wanted]


def test_variables():
    """A read gives what was written last: before, in a branch, in a loop."""
    x, before, sum_, after = (Value("f32", None, (1,)) for _ in range(4))
    variable = Variable("s", Value("f32", None, (1,)), np.float32([5]))
    named = {"variable": "s"}
    add = [
        Operation("variable_read", [], [before], named),
        Operation("add", [before, x], [sum_]),
        Operation("variable_write", [sum_], [], named),
    ]
    loop = Operation(
        "for", [x], [Value("f32", None, (1,))], {"count": 2}, [Block([Value("f32", None, (1,))], add, [sum_])]
    )
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
