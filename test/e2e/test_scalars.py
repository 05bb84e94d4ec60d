"""mul's shift and negate's zero points as arguments of the function (el-1, el-4):
any legal value works, and an illegal one is a guard or an error."""

import re

import broadloom
import numpy as np
import pytest
import tosa_oracle
from accuracy import difference
from broadloom import DONE, GUARD_FAILED, REJECTED
from element_types import FLOATS, INTEGERS, TYPES

STRATEGIES = ("default", "rfc")


def mulText(element, shift="%s"):
    t = f"tensor<?x?x{element}>"
    constant = (
        ""
        if shift == "%s"
        else (f'  %c = "tosa.const"() <{{values = dense<{shift}> : tensor<1xi8>}}> : () -> tensor<1xi8>\n')
    )
    return (
        f"func.func @main(%a: {t}, %b: {t}, %s: tensor<1xi8>) -> {t} {{\n{constant}"
        f"  %0 = tosa.mul %a, %b, {'%s' if shift == '%s' else '%c'} : ({t}, {t}, tensor<1xi8>) -> {t}\n"
        f"  return %0 : {t}\n}}\n"
    )


def negateText(element):
    t, z = f"tensor<?x?x{element}>", f"tensor<1x{element}>"
    return (
        f"func.func @main(%a: {t}, %i: {z}, %o: {z}) -> {t} {{\n"
        f"  %0 = tosa.negate %a, %i, %o : ({t}, {z}, {z}) -> {t}\n  return %0 : {t}\n}}\n"
    )


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("shift", [0, 1, 2, 15, 30, 31, 32, 33, 47, 62, 63])
def test_el1_shift(tmp_path, shift, strategy):
    random = np.random.default_rng(shift)
    edges = np.array([-(2**31), -(2**31) + 1, -65536, -1, 0, 1, 3, 65535, 2**31 - 1], np.int32)
    a = np.concatenate([edges, random.integers(-(2**31), 2**31, 90).astype(np.int32)]).reshape(-1, 1)
    b = a[::-1].reshape(1, -1)
    i32 = TYPES["i32"]
    outcome, results = broadloom.run(
        tmp_path, mulText("i32"), [a, b, np.array([shift], np.int8)], [i32], f"--strategy={strategy}"
    )
    assert outcome.status == DONE, outcome.error
    assert difference(results[0], tosa_oracle.evaluate("mul", [a, b], i32, {"shift": shift})) is None


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize(
    "element, shift",
    [("i32", 64), ("i32", -1), ("i32", 127), ("i32", -128), ("i16", 1), ("i8", 7), ("i64", 1), ("f32", 1), ("f16", -1)],
)
def test_el1_shift_outside_its_range(tmp_path, element, shift, strategy):
    kind = TYPES[element]
    one = np.ones((2, 3), kind.dtype)
    outcome, _ = broadloom.run(
        tmp_path, mulText(element), [one, one, np.array([shift], np.int8)], [kind], f"--strategy={strategy}"
    )
    assert outcome.status == GUARD_FAILED, outcome.error
    assert re.search(rf"program\.mlir:2:8: 'tosa\.mul'.*shift.*{shift}", outcome.error), outcome.error
    outcome, _ = broadloom.run(
        tmp_path, mulText(element, shift), [one, one, np.array([0], np.int8)], [kind], f"--strategy={strategy}"
    )
    assert outcome.status == REJECTED, outcome.error
    assert re.search(rf"program\.mlir:3:8: error: 'tosa\.mul' .*shift.*{shift}", outcome.error), outcome.error


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("zeroIn, zeroOut", [(0, 0), (-128, 127), (127, -128), (-128, -128), (5, -9)])
def test_el4_zero_points(tmp_path, zeroIn, zeroOut, strategy):
    i8 = TYPES["i8"]
    a = np.arange(-128, 128).astype(np.int8).reshape(8, 32)
    outcome, results = broadloom.run(
        tmp_path,
        negateText("i8"),
        [a, np.array([zeroIn], np.int8), np.array([zeroOut], np.int8)],
        [i8],
        f"--strategy={strategy}",
    )
    assert outcome.status == DONE, outcome.error
    expected = tosa_oracle.evaluate("negate", [a], i8, {"input_zp": zeroIn, "output_zp": zeroOut})
    assert difference(results[0], expected) is None


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("element", [t for t in INTEGERS + FLOATS if t != "i8"])
def test_el4_zero_points_only_for_i8(tmp_path, element, strategy):
    kind = TYPES[element]
    a = np.array([[0, 1, 2], [3, 4, 5]]).astype(kind.dtype)
    zero, one = np.zeros(1, kind.dtype), np.ones(1, kind.dtype)
    outcome, results = broadloom.run(tmp_path, negateText(element), [a, zero, zero], [kind], f"--strategy={strategy}")
    assert outcome.status == DONE, outcome.error
    assert difference(results[0], tosa_oracle.evaluate("negate", [a], kind)) is None
    for points in ([one, zero], [zero, one]):
        outcome, _ = broadloom.run(tmp_path, negateText(element), [a, *points], [kind], f"--strategy={strategy}")
        assert outcome.status == GUARD_FAILED, outcome.error
        assert re.search(r"program\.mlir:2:8: 'tosa\.negate'.*zero.point", outcome.error), outcome.error
