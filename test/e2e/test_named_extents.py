"""Named extents (abi-1): what is promised is checked at every call, before
anything is computed, and what is known of results is told by the names."""

import os
import re

import broadloom
import numpy as np
import pytest
from broadloom import DONE, GUARD_FAILED, REJECTED
from element_types import TYPES

STRATEGIES = ("default", "rfc")
F32 = TYPES["f32"]
EXAMPLE = os.path.join(broadloom.ROOT, "examples", "named_extents.mlir")


def zeros(*shape):
    return np.zeros(shape, np.float32)


def run(folder, program, *shapes, results=1, options=()):
    return broadloom.run(folder, program, [zeros(*shape) for shape in shapes], [F32] * results, *options)


SCORES = """\
func.func @main(
    %a: tensor<?x?x?xf32> {loom.extents = #loom.extents<[batch, seq, seq] where batch = 1 to ?, seq = 4 to 16 step 4>},
    %b: tensor<?x?xf32> {loom.extents = #loom.extents<[batch * seq, 3]>}) -> tensor<?x?x?xf32> {
  %r = tosa.exp %a : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  return %r : tensor<?x?x?xf32>
}
"""


def brokenPromise(a, b):
    """The message of the first promise that the shapes break, by the text of
    the program alone; None where they keep all."""
    batch, seq, last = a
    if batch < 1:
        return f"2:5: 'func.func': argument 'a', axis 0 has extent {batch}, but 'batch' is at least 1"
    for fails, what in ((seq < 4, "at least 4"), (seq > 16, "at most 16"), (seq % 4, "a multiple of 4")):
        if fails:
            return f"2:5: 'func.func': argument 'a', axis 1 has extent {seq}, but 'seq' is {what}"
    if last != seq:
        return (
            f"2:5: 'func.func': argument 'a', axis 2 has extent {last}, but 'seq' is {seq}, "
            "the extent of axis 1 of argument 'a'"
        )
    if b[0] != batch * seq:
        return (
            f"3:5: 'func.func': argument 'b', axis 0 has extent {b[0]}, but 'batch * seq' is {batch * seq} "
            f"with 'batch' = {batch}, the extent of axis 0 of argument 'a', and 'seq' = {seq}, "
            "the extent of axis 1 of argument 'a'"
        )
    if b[1] != 3:
        return f"3:5: 'func.func': argument 'b', axis 1 has extent {b[1]}, but 3 is declared"
    return None


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_abi1_promises_are_checked(tmp_path, strategy):
    rng = np.random.default_rng(7)
    shapes = [
        ((2, 8, 8), (16, 3)),
        ((0, 8, 8), (0, 3)),
        ((1, 0, 0), (0, 3)),
        ((1, 20, 20), (20, 3)),
        ((1, 6, 6), (6, 3)),
        ((1, 4, 8), (4, 3)),
        ((2, 4, 4), (9, 3)),
        ((1, 4, 4), (4, 4)),
    ]
    for _ in range(12):
        batch, seq = int(rng.integers(0, 4)), int(rng.integers(0, 21))
        shapes.append(((batch, seq, seq + int(rng.integers(0, 3) == 0)), (batch * seq, 3)))
    seen = set()
    for a, b in shapes:
        broken = brokenPromise(a, b)
        outcome, results = run(tmp_path, SCORES, a, b, options=[f"--strategy={strategy}"])
        seen.add(broken is None)
        if broken is None:
            assert outcome.status == DONE, outcome.error
            assert np.array_equal(results[0], np.ones(a, np.float32))
        else:
            assert outcome.status == GUARD_FAILED
            assert outcome.error.strip().endswith(f"program.mlir:{broken}")
    assert seen == {True, False}


CALLS = """\
func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %r = call @add(%x, %x) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %s = call @add(%r, %y) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %s : tensor<?xf32>
}
func.func private @add(%a: tensor<?xf32> {loom.extents = #loom.extents<[n]>},
                       %b: tensor<?xf32> {loom.extents = #loom.extents<[n]>}) -> tensor<?xf32> {
  %r = tosa.add %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
"""


def test_abi1_a_call_keeps_the_promises(tmp_path):
    outcome, _ = run(tmp_path, CALLS, (3,), (3,))
    assert outcome.status == DONE, outcome.error
    # Without the promise, these would broadcast.
    outcome, _ = run(tmp_path, CALLS, (3,), (1,))
    assert outcome.status == GUARD_FAILED
    assert outcome.error.strip().endswith(
        "program.mlir:3:8: 'func.call': argument 'b' of 'add', axis 0 has extent 1, but 'n' is 3, "
        "the extent of axis 0 of argument 'a' of 'add'"
    )


def test_abi1_a_call_that_breaks_a_promise_is_an_error(tmp_path):
    program = CALLS.replace("%x: tensor<?xf32>, %y: tensor<?xf32>", "%x: tensor<3xf32>, %y: tensor<1xf32>")
    program = program.replace(
        "call @add(%x, %x) : (tensor<?xf32>, tensor<?xf32>)", "call @add(%x, %x) : (tensor<3xf32>, tensor<3xf32>)"
    )
    program = program.replace(
        "call @add(%r, %y) : (tensor<?xf32>, tensor<?xf32>)", "call @add(%r, %y) : (tensor<?xf32>, tensor<1xf32>)"
    )
    outcome, _ = run(tmp_path, program, (3,), (1,))
    assert outcome.status == REJECTED
    assert (
        "program.mlir:3:8: error: 'func.call': argument 'b' of 'add', axis 0 has extent 1, but 'n' is 3, "
        "the extent of axis 0 of argument 'a' of 'add'"
    ) in outcome.error


def test_abi1_what_no_call_can_keep_is_an_error(tmp_path):
    outcome, _ = run(
        tmp_path,
        """\
func.func @main(%a: tensor<3x4xf32> {loom.extents = #loom.extents<[n, n]>}) -> tensor<3x4xf32> {
  return %a : tensor<3x4xf32>
}
""",
        (3, 4),
    )
    assert outcome.status == REJECTED
    assert (
        "program.mlir:1:17: error: 'func.func': argument 'a', axis 1 has extent 4, but 'n' is 3, "
        "the extent of axis 0 of argument 'a'"
    ) in outcome.error


def test_rt4_what_results_claim_is_checked(tmp_path):
    program = """\
func.func @main(%a: tensor<?xf32> {loom.extents = #loom.extents<[n]>}, %b: tensor<?xf32>)
    -> (tensor<?xf32> {loom.extents = #loom.extents<[n]>}) {
  %r = tosa.add %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
"""
    outcome, results = run(tmp_path, program, (3,), (1,))
    assert outcome.status == DONE and results[0].shape == (3,), outcome.error
    outcome, _ = run(tmp_path, program, (1,), (3,))
    assert outcome.status == GUARD_FAILED
    assert re.search(
        r"program\.mlir:4:3: 'func\.return': result 0, axis 0 has extent 3, but 'n' is 1, "
        r"the extent of axis 0 of argument 'a'",
        outcome.error,
    ), outcome.error


@pytest.mark.parametrize("program", [SCORES, CALLS])
def test_abi1_what_is_printed_is_the_same_program(tmp_path, program):
    source, first, second = (tmp_path / name for name in ("a.mlir", "b.mlir", "c.mlir"))
    source.write_text(program)
    for before, after in ((source, first), (first, second)):
        outcome = broadloom.call("compile", before, "--emit=loom", "-o", after)
        assert outcome.status == DONE, outcome.error
    assert first.read_text() == second.read_text()
    assert "loom.extents" in first.read_text()


def test_abi1_shapes_are_told_by_the_names():
    query = lambda *options: broadloom.call("shapes", EXAMPLE, *options)
    assert query().out.split() == ["batchxseqxseq", "(2*batch)xseqxseq"]
    assert query("--input=?x?x?", "--input=?x?").out.split() == ["batchxseqxseq", "(2*batch)xseqxseq"]
    assert query("--input=?x64x?", "--input=?x?").out.split() == ["batchx64x64", "(2*batch)x64x64"]
    assert query("--input=Bxseqx?", "--input=?xseq").out.split() == ["Bxseqxseq", "(2*B)xseqxseq"]
    outcome = query("--input=2x12x12", "--input=12x12")
    assert outcome.status == GUARD_FAILED and "'seq' is a multiple of 8" in outcome.error
    outcome = query("--input=2x8x8", "--input=16x?")
    assert outcome.status == GUARD_FAILED and "argument 'mask', axis 0 has extent 16, but 'seq' is 8" in outcome.error


def test_abi1_names_may_have_an_x(tmp_path):
    path = tmp_path / "x.mlir"
    path.write_text("""\
func.func @main(%a: tensor<?x?xf32> {loom.extents = #loom.extents<[max_ctx, x]>}) -> tensor<?x?xf32> {
  %r = tosa.exp %a : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
""")
    assert broadloom.call("shapes", path).out == "max_ctxxx\n"
    assert broadloom.call("shapes", path, "--input=max_ctxx4").out == "max_ctxx4\n"


def test_sf4_what_is_promised_is_the_reason():
    outcome = broadloom.call("check", EXAMPLE, "--all")
    text = " ".join(outcome.out.split())
    assert outcome.status == DONE
    assert "tosa.add" in text
    assert re.search(
        r"proved axis 2: .*? because the extents are known to be equal "
        r"\(by the promise that axis 1 of argument 'mask' is 'seq', as is axis 1 of argument 'scores'\)",
        text,
    )
    page = broadloom.call("check", EXAMPLE, "--format=html").out
    assert "by the promise that axis 1 of argument &#39;mask&#39; is" in page
    assert "what is promised is checked" in broadloom.call("check", EXAMPLE, "--format=json").out


def test_abi1_upstreams_tools_read_what_is_left(tmp_path):
    for strategy in STRATEGIES:
        outcome = broadloom.call("compile", EXAMPLE, "--emit=linalg", f"--strategy={strategy}")
        assert outcome.status == DONE and "loom" not in outcome.out, outcome.error


UNRANKED = """\
func.func @main(
    %a: tensor<*xf32> {loom.extents = #loom.extents<[n, m] where m = 1 to 8>},
    %b: tensor<*xf32> {loom.extents = #loom.extents<[m]>}) -> tensor<?x1xf32> {
  %s = tosa.add %a, %b : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  %e = tosa.exp %s : (tensor<*xf32>) -> tensor<*xf32>
  %c = tensor.cast %e : tensor<*xf32> to tensor<?x?xf32>
  %r = tosa.reduce_sum %c {axis = 1 : i32} : (tensor<?x?xf32>) -> tensor<?x1xf32>
  return %r : tensor<?x1xf32>
}
"""


@pytest.mark.parametrize(
    "a, b, broken",
    [
        ((3, 5), (5,), None),
        ((0, 8), (8,), None),
        ((1, 1), (1,), None),
        ((2, 3, 5), (5,), "2:5: 'func.func': the rank of argument 'a' is 3, but loom.extents has 2 axes"),
        ((), (5,), "2:5: 'func.func': the rank of argument 'a' is 0, but loom.extents has 2 axes"),
        ((3, 5), (1, 5), "3:5: 'func.func': the rank of argument 'b' is 2, but loom.extents has 1 axis"),
        (
            (3, 5),
            (1,),
            "3:5: 'func.func': argument 'b', axis 0 has extent 1, but 'm' is 5, the extent of axis 1 of argument 'a'",
        ),
        ((3, 9), (9,), "2:5: 'func.func': argument 'a', axis 1 has extent 9, but 'm' is at most 8"),
    ],
)
def test_abi1_ranks_that_only_names_tell(tmp_path, a, b, broken):
    rng = np.random.default_rng(5)
    arrays = [np.asarray(rng.standard_normal(shape), np.float32) for shape in (a, b)]
    outcome, results = broadloom.run(tmp_path, UNRANKED, arrays, [F32])
    if broken:
        assert outcome.status == GUARD_FAILED and broken in outcome.error, outcome.error
        return
    assert outcome.status == DONE, outcome.error
    expected = np.exp(arrays[0].astype(np.float64) + arrays[1]).sum(axis=1, keepdims=True)
    assert results[0].shape == expected.shape
    np.testing.assert_allclose(results[0], expected, rtol=1e-5)
