"""Shapes that do not fit, at run time and before (rt-1 to rt-4, verify-1,
verify-4), by both strategies; what fits nevertheless (ext-3, bcast-1)."""

import re

import broadloom
import numpy as np
import pytest
from broadloom import DONE, GUARD_FAILED, REJECTED
from element_types import TYPES
from operations import SIGNATURES
from programs import Case, moduleOf, operationText, typeText

STRATEGIES = ("default", "rfc")
BROADCASTING = sorted(n for n, s in SIGNATURES.items() if len(s[0].operands) > 1)


def program(signature, types, result):
    names = [f"%a{i}" for i in range(len(types))]
    arguments = ", ".join(f"{n}: {t}" for n, t in zip(names, types))
    return "\n".join(
        [
            f"func.func @main({arguments}) -> {result} {{",
            *operationText("%r", signature, names, types, result),
            f"  return %r : {result}",
            "}",
            "",
        ]
    )


def execute(tmp_path, signature, shapes, types, result, *options):
    arrays = [np.ones(s, TYPES[e].dtype) for s, e in zip(shapes, signature.operands)]
    return broadloom.run(tmp_path, program(signature, types, result), arrays, [TYPES[signature.result]], *options)


def wrongShapes(arity):
    return [(4, 3), (4, 2)] if arity == 2 else [(4, 1), (4, 3), (4, 2)]


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("operation", BROADCASTING)
def test_rt2_the_guard_says_what_does_not_fit(tmp_path, operation, strategy):
    signature = SIGNATURES[operation][0]
    shapes = wrongShapes(len(signature.operands))
    types = [typeText(s, e, "dynamic") for s, e in zip(shapes, signature.operands)]
    result = typeText((4, 3), signature.result, "dynamic")
    outcome, _ = execute(tmp_path, signature, shapes, types, result, f"--strategy={strategy}")
    assert outcome.status == GUARD_FAILED, outcome.error
    first, second = len(shapes) - 2, len(shapes) - 1
    line = 2 + len(signature.scalars)
    pattern = (
        rf"program\.mlir:{line}:8: 'tosa\.{operation}': operands are not broadcast-compatible "
        rf"along axis 1: extents 3 and 2 \(operand shapes 4x3 and 4x2{' of operands 1 and 2' if first else ''}; "
        rf"extent 3 is axis 1 of argument 'a{first}', extent 2 is axis 1 of argument 'a{second}'\)"
    )
    assert re.search(pattern, outcome.error), f"{pattern}\n{outcome.error}"


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("operation", BROADCASTING)
def test_verify1_refused_before_it_runs(tmp_path, operation, strategy):
    signature = SIGNATURES[operation][0]
    shapes = wrongShapes(len(signature.operands))
    types = [typeText(s, e) for s, e in zip(shapes, signature.operands)]
    result = typeText((4, 3), signature.result)
    outcome, _ = execute(tmp_path, signature, shapes, types, result, f"--strategy={strategy}")
    assert outcome.status == REJECTED, outcome.error
    pattern = (
        rf"program\.mlir:\d+:\d+: error: 'tosa\.{operation}' op operands are not "
        r"broadcast-compatible along axis 1: extents 3 and 2 .*4x3.*4x2"
    )
    assert re.search(pattern, outcome.error), outcome.error


@pytest.mark.parametrize("operation", BROADCASTING)
def test_rt7_unranked_operands_are_guarded(tmp_path, operation):
    signature = SIGNATURES[operation][0]
    shapes = wrongShapes(len(signature.operands))
    types = [typeText(s, e, "unranked") for s, e in zip(shapes, signature.operands)]
    result = typeText((4, 3), signature.result, "unranked")
    outcome, _ = execute(tmp_path, signature, shapes, types, result)
    assert outcome.status == GUARD_FAILED, outcome.error
    pattern = (
        rf"'tosa\.{operation}'.*axis 1: extents 3 and 2 .*extent 3 is axis 1 of argument 'a\d', "
        r"extent 2 is axis 1 of argument 'a\d'"
    )
    assert re.search(pattern, outcome.error), outcome.error


ADD = next(s for s in SIGNATURES["add"] if s.kind.name == "f32")
ANY = "tensor<?x?xf32>"


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize(
    "left, right", [((0, 5), (3, 5)), ((3, 5), (0, 5)), ((2, 0), (2, 7)), ((4, 3), (3, 4)), ((2, 5), (4, 5))]
)
def test_ext3_extents_that_do_not_fit(tmp_path, left, right, strategy):
    outcome, _ = execute(tmp_path, ADD, [left, right], [ANY, ANY], ANY, f"--strategy={strategy}")
    assert outcome.status == GUARD_FAILED and "broadcast" in outcome.error


@pytest.mark.parametrize(
    "left, right, result",
    [
        ((0, 5), (1, 5), (0, 5)),
        ((1, 0), (0, 1), (0, 0)),
        ((0, 0), (0, 0), (0, 0)),
        ((1, 1), (0, 3), (0, 3)),
        ((3, 1), (1, 0), (3, 0)),
    ],
)
def test_ext3_empty_results(tmp_path, left, right, result):
    outcome, results = execute(tmp_path, ADD, [left, right], [ANY, ANY], ANY)
    assert outcome.status == DONE, outcome.error
    assert results[0].shape == result


@pytest.mark.parametrize("left, right", [((0, 5), (1, 5)), ((1, 4), (0, 4))])
def test_rfc4_refuses_a_zero_that_meets_a_one(tmp_path, left, right):
    outcome, _ = execute(tmp_path, ADD, [left, right], [ANY, ANY], ANY, "--strategy=rfc")
    assert outcome.status == GUARD_FAILED, outcome.error
    assert re.search(r"'tosa\.add'.*axis 0", outcome.error), outcome.error


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_rt4_a_result_more_static_than_inferred_is_guarded(tmp_path, strategy):
    shapes = [(5, 3), (1, 3)]
    call = lambda extent: execute(
        tmp_path, ADD, shapes, [ANY, ANY], f"tensor<{extent}x?xf32>", f"--strategy={strategy}"
    )
    outcome, results = call(5)
    assert outcome.status == DONE and results[0].shape == (5, 3), outcome.error
    outcome, _ = call(4)
    assert outcome.status == GUARD_FAILED, outcome.error
    assert re.search(r"program\.mlir:2:8: 'tosa\.add'.*5.*4|'tosa\.add'.*4.*5", outcome.error), outcome.error


def test_verify4_forbid(tmp_path):
    outcome, _ = execute(tmp_path, ADD, [(5, 3), (1, 3)], [ANY, ANY], "tensor<5x?xf32>", "--dynamic-to-static=forbid")
    assert outcome.status == REJECTED
    assert re.search(r"program\.mlir:2:8: error: 'tosa\.add'", outcome.error), outcome.error


def test_rt4_declared_extents_of_arguments(tmp_path):
    """An argument's own type is checked before anything else."""
    outcome, _ = execute(tmp_path, ADD, [(5, 3), (1, 3)], ["tensor<4x?xf32>", ANY], ANY)
    assert outcome.status in (REJECTED, GUARD_FAILED)
    assert re.search(r"argument 'a0'.*5x3.*4x\?", outcome.error), outcome.error


def test_rt1_nothing_is_computed_before_all_guards(tmp_path):
    """The second operation's guard fails; the first one's result is not written."""
    text = """\
func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = tosa.abs %a : (tensor<?xf32>) -> tensor<?xf32>
  %1 = tosa.add %0, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0, %1 : tensor<?xf32>, tensor<?xf32>
}
"""
    f32 = TYPES["f32"]
    outcome, _ = broadloom.run(tmp_path, text, ["4xf32=1", "3xf32=1"], [f32, f32])
    assert outcome.status == GUARD_FAILED
    assert "program.mlir:3:8: 'tosa.add'" in outcome.error


def test_rt6_an_operand_whose_value_does_not_matter_still_counts(tmp_path):
    """0 & b is 0 for every b, but its extents are not."""
    text = """\
func.func @main(%b: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %0 = "tosa.const"() <{values = dense<0> : tensor<4x1xi32>}> : () -> tensor<4x1xi32>
  %1 = tosa.bitwise_and %0, %b : (tensor<4x1xi32>, tensor<?x?xi32>) -> tensor<?x?xi32>
  return %1 : tensor<?x?xi32>
}
"""
    i32 = TYPES["i32"]
    outcome, results = broadloom.run(tmp_path, text, ["1x7xi32=9"], [i32])
    assert outcome.status == DONE and results[0].shape == (4, 7) and not results[0].any()
    outcome, _ = broadloom.run(tmp_path, text, ["3x7xi32=9"], [i32])
    assert outcome.status == GUARD_FAILED


def test_the_result_is_that_of_every_number_of_threads(tmp_path):
    random = np.random.default_rng(7)
    arrays = [random.normal(size=s).astype(np.float32) for s in [(301, 1, 67), (1, 129, 67)]]
    case = Case(ADD, "threads", arrays, frozenset(), ["tensor<?x?x?xf32>"] * 2, "tensor<?x?x?xf32>")
    text, inputs = moduleOf([case])
    results = [broadloom.run(tmp_path, text, inputs, [TYPES["f32"]], f"--threads={n}")[1][0] for n in (1, 2, 3, 7)]
    for result in results:
        np.testing.assert_array_equal(result, case.expected())
