"""`broadloom profile`: what it counts, against numbers by hand, and that its
forms agree with each other. No times are tested."""

import json
import os

import broadloom
import pytest
from broadloom import DONE, GUARD_FAILED


def profile(folder, program, *inputs, options=(), name="program.mlir"):
    """The report of a program, whose text is `program`."""
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(program)
    outcome = broadloom.call("profile", path, "--json", "--seconds=0", *(f"--input={i}" for i in inputs), *options)
    assert outcome.status == DONE, outcome.error
    report = json.loads(outcome.out)
    assert abs(sum(row["share"] for row in report["rows"]) - 1) < 1e-6
    assert abs(sum(row["time_ns"] for row in report["rows"]) / report["time_ns"] - 1) < 1e-6
    times = [row["time_ns"] for row in report["rows"]]
    assert times == sorted(times, reverse=True)
    return report


def rows(report, kind=None):
    """The rows of sites in the program's order."""
    found = [row for row in report["rows"] if row["kind"] == kind or (kind is None and row["kind"] != "outside")]
    return sorted(found, key=lambda row: [line(o) for o in row["source"]])


def line(operation):
    return int(operation["location"].split(":")[-2])


def names(row):
    return [o["operation"] for o in row["source"]]


def counts(row):
    return row["launches"], row["bytes"], row["operations"], row["multiply_adds"], row["reduced_elements"]


CHAIN = """func.func @main(%x: tensor<?x?xf32>, %y: tensor<?xf32>) -> tensor<?x?xf32> {
  %0 = tosa.add %x, %y : (tensor<?x?xf32>, tensor<?xf32>) -> tensor<?x?xf32>
  %1 = tosa.abs %0 : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}
"""


@pytest.mark.parametrize("m, n", [(1, 1), (3, 5), (64, 100), (300, 7)])
def test_a_map(tmp_path, m, n):
    """One kernel for both operations: m n elements in and out, and n more."""
    (row,) = rows(profile(tmp_path, CHAIN, f"{m}x{n}xf32=1", f"{n}xf32=2"))
    assert names(row) == ["tosa.add", "tosa.abs"]
    assert [line(o) for o in row["source"]] == [2, 3]
    assert counts(row) == (1, 4 * (2 * m * n + n), 2 * m * n, 0, 0)


def test_the_reference_strategy(tmp_path):
    """There the two operations are not fused, and their code is of loops."""
    report = profile(tmp_path, CHAIN, "6x5xf32=1", "5xf32=2", options=["--strategy=rfc"])
    assert [names(row) for row in rows(report)] == [["tosa.add"], ["tosa.abs"]]


def test_an_operand_that_repeats(tmp_path):
    """A tensor of one element that is broadcast is read once."""
    (row,) = rows(profile(tmp_path, CHAIN, "20x30xf32=1", "1xf32=2"))
    assert counts(row) == (1, 4 * (2 * 600 + 1), 2 * 600, 0, 0)


def test_reductions(tmp_path):
    """A softmax is one kernel: a maximum and a sum over all elements."""
    program = """func.func @main(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = tosa.reduce_max %x {axis = 1 : i32} : (tensor<?x?xf32>) -> tensor<?x1xf32>
  %1 = tosa.sub %x, %0 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %2 = tosa.exp %1 : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %3 = tosa.reduce_sum %2 {axis = 1 : i32} : (tensor<?x?xf32>) -> tensor<?x1xf32>
  %4 = tosa.reciprocal %3 : (tensor<?x1xf32>) -> tensor<?x1xf32>
  %s = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %5 = tosa.mul %2, %4, %s : (tensor<?x?xf32>, tensor<?x1xf32>, tensor<1xi8>) -> tensor<?x?xf32>
  return %5 : tensor<?x?xf32>
}
"""
    report = profile(tmp_path, program, "8x100xf32=1")
    (row,) = rows(report)
    assert row["kind"] == "reduction"
    assert names(row) == ["tosa.reduce_max", "tosa.sub", "tosa.exp", "tosa.reduce_sum", "tosa.reciprocal", "tosa.mul"]
    assert (row["launches"], row["bytes"], row["reduced_elements"]) == (1, 2 * 4 * 800, 2 * 800)
    # max, sub, exp, sum and mul of each element, reciprocal of each row.
    assert row["operations"] == 5 * 800 + 8


@pytest.mark.parametrize("batch, m, k, n", [(1, 4, 5, 6), (3, 17, 31, 64)])
def test_a_product(tmp_path, batch, m, k, n):
    program = """func.func @main(%a: tensor<?x?x?xf32>, %b: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %0 = tosa.matmul %a, %b, %z, %z : (tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x?x?xf32>
  %1 = tosa.tanh %0 : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  return %1 : tensor<?x?x?xf32>
}
"""
    report = profile(tmp_path, program, f"{batch}x{m}x{k}xf32=1", f"{batch}x{k}x{n}xf32=1")
    (row,) = rows(report, "contraction")
    assert names(row) == ["tosa.matmul", "tosa.tanh"]
    assert row["multiply_adds"] == batch * m * k * n
    assert row["bytes"] == 4 * batch * (m * k + k * n + m * n)
    assert row["operations"] == batch * m * n


def test_a_convolution(tmp_path):
    """A result of 1x4x4x8 is of 3x3x2 products each, as `bench` counts."""
    program = """func.func @main(%i: tensor<?x?x?x2xf32>, %w: tensor<8x3x3x2xf32>) -> tensor<?x?x?x8xf32> {
  %b = "tosa.const"() <{values = dense<1.0> : tensor<8xf32>}> : () -> tensor<8xf32>
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %r = tosa.conv2d %i, %w, %b, %z, %z {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<?x?x?x2xf32>, tensor<8x3x3x2xf32>, tensor<8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x?x?x8xf32>
  return %r : tensor<?x?x?x8xf32>
}
"""
    inputs = ["1x6x6x2xf32=1", "8x3x3x2xf32=1"]
    report = profile(tmp_path, program, *inputs)
    assert sum(row["multiply_adds"] for row in rows(report, "contraction")) == 4 * 4 * 8 * 3 * 3 * 2
    bench = broadloom.call(
        "bench", tmp_path / "program.mlir", "--seconds=0", "--json", *(f"--input={i}" for i in inputs)
    )
    assert json.loads(bench.out)["multiply_adds"] == 2304


LOOP = """func.func @main(%x: tensor<?xf32>, %n: tensor<i32>) -> tensor<?xf32> {
  %c = "tosa.const"() {values = dense<0> : tensor<i32>} : () -> tensor<i32>
  %one = "tosa.const"() {values = dense<1> : tensor<i32>} : () -> tensor<i32>
  %r:2 = tosa.while_loop (%i = %c, %v = %x) : (tensor<i32>, tensor<?xf32>) -> (tensor<i32>, tensor<?xf32>) {
    %go = tosa.greater %n, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    tosa.yield %go : tensor<i1>
  } do {
  ^bb0(%i: tensor<i32>, %v: tensor<?xf32>):
    %j = tosa.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %w = tosa.abs %v : (tensor<?xf32>) -> tensor<?xf32>
    tosa.yield %j, %w : tensor<i32>, tensor<?xf32>
  }
  return %r#1 : tensor<?xf32>
}
"""


@pytest.mark.parametrize("times", [0, 1, 9])
def test_a_loop(tmp_path, times):
    report = profile(tmp_path, LOOP, "500xf32=1", f"i32={times}")
    found = [row for row in rows(report, "map") if names(row) == ["tosa.abs"]]
    if times == 0:
        assert found == []
        return
    (row,) = found
    assert counts(row) == (times, times * 2 * 4 * 500, times * 500, 0, 0)
    assert row["shortest_ns"] <= row["mean_ns"] <= row["longest_ns"]
    assert abs(row["mean_ns"] * times - row["time_ns"]) < 1e-3 * row["time_ns"]


def test_loops_and_copies_of_the_program(tmp_path):
    """A gather and a concatenation are no kernels."""
    program = """func.func @main(%v: tensor<1x?x8xf32>, %i: tensor<1x?xi32>) -> (tensor<1x?x8xf32>, tensor<1x?x8xf32>) {
  %0 = tosa.gather %v, %i : (tensor<1x?x8xf32>, tensor<1x?xi32>) -> tensor<1x?x8xf32>
  %1 = tosa.concat %v, %v {axis = 1 : i32} : (tensor<1x?x8xf32>, tensor<1x?x8xf32>) -> tensor<1x?x8xf32>
  return %0, %1 : tensor<1x?x8xf32>, tensor<1x?x8xf32>
}
"""
    report = profile(tmp_path, program, "1x10x8xf32=1", "1x4xi32=3")
    (loop,) = rows(report, "loop")
    assert names(loop) == ["tosa.gather"]
    # Two loops find the smallest and the largest index, the third one gathers.
    assert loop["bytes"] >= 4 * (10 * 8 + 4 + 4 * 8)
    assert loop["operations"] is None
    (copy,) = rows(report, "copy")
    assert names(copy) == ["tosa.concat"]
    assert copy["bytes"] == 2 * (2 * 10 * 8 * 4)


def test_a_sort_is_a_row(tmp_path):
    program = """func.func @main(%x: tensor<?x?xf32>, %v: tensor<?x?xf32>, %p: tensor<?x?xi64>) -> (tensor<?x?xf32>, tensor<?x?xi64>) {
  %0, %1 = loom.sort %x into %v, %p {axis = 1 : i64} : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xi64>) -> (tensor<?x?xf32>, tensor<?x?xi64>)
  return %0, %1 : tensor<?x?xf32>, tensor<?x?xi64>
}
"""
    report = profile(tmp_path, program, "6x100xf32=1", "6x100xf32=0", "6x100xi64=0")
    (row,) = rows(report, "sort")
    assert names(row) == ["loom.sort"]
    assert row["launches"] == 1
    # The elements, and the two results.
    assert row["bytes"] == 6 * 100 * (4 + 4 + 8)
    assert row["operations"] is None


def test_functions_that_are_called(tmp_path):
    program = """func.func private @twice(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = tosa.exp %x : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @main(%x: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = func.call @twice(%x) : (tensor<?xf32>) -> tensor<?xf32>
  %1 = func.call @twice(%0) : (tensor<?xf32>) -> tensor<?xf32>
  return %0, %1 : tensor<?xf32>, tensor<?xf32>
}
"""
    (row,) = rows(profile(tmp_path, program, "100xf32=0"))
    assert (row["function"], row["launches"], row["bytes"]) == ("twice", 2, 2 * 2 * 400)


def test_variables(tmp_path):
    """Both the calls with a profile and those without have a state each."""
    program = """tosa.variable @sum = dense<0.0> : tensor<2xf32>
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %s = tosa.variable_read @sum : tensor<2xf32>
  %t = tosa.add %s, %a : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  tosa.variable_write @sum, %t : tensor<2xf32>
  return %t : tensor<2xf32>
}
"""
    report = profile(tmp_path, program, "2xf32=1")
    assert ["tosa.add"] in [names(row) for row in rows(report)]


def test_threads_have_rows_of_their_own_in_a_trace(tmp_path):
    trace = tmp_path / "trace.json"
    program = CHAIN.replace("tosa.abs", "tosa.erf")
    profile(tmp_path, program, "2000x1000xf32=1", "1000xf32=2", options=["--threads=2", f"--trace={trace}"])
    events = json.loads(trace.read_text())["traceEvents"]
    spans = [e for e in events if e["ph"] == "X"]
    assert spans[0]["cat"] == "call"
    for event in spans[1:]:
        assert event["name"] == "tosa.add, tosa.erf"
        assert event["tid"] in (0, 1)
        assert 0 <= event["ts"] and event["ts"] + event["dur"] <= spans[0]["dur"] * 1.001
    named = {e["tid"] for e in events if e["name"] == "thread_name"}
    assert named == {e["tid"] for e in spans}


def test_a_call_that_fails_leaves_no_file(tmp_path):
    page, trace = tmp_path / "page.html", tmp_path / "trace.json"
    (tmp_path / "program.mlir").write_text(CHAIN)
    outcome = broadloom.call(
        "profile",
        tmp_path / "program.mlir",
        "--input=2x3xf32=1",
        "--input=4xf32=1",
        f"--html={page}",
        f"--trace={trace}",
    )
    assert outcome.status == GUARD_FAILED
    assert "'tosa.add'" in outcome.error
    assert not outcome.out and not page.exists() and not trace.exists()


def test_a_tosa_file(tmp_path):
    """A file that is no text has operations all the same, and a page."""
    program, page = tmp_path / "chain.tosa", tmp_path / "page.html"
    (tmp_path / "chain.mlir").write_text(CHAIN.replace("?x?", "2x3").replace("tensor<?x", "tensor<3x"))
    done = broadloom.call("compile", tmp_path / "chain.mlir", "-o", program)
    assert done.status == DONE, done.error
    outcome = broadloom.call(
        "profile", program, "--seconds=0", "--json", "--input=2x3xf32=1", "--input=3xf32=1", f"--html={page}"
    )
    assert outcome.status == DONE, outcome.error
    (row,) = [row for row in json.loads(outcome.out)["rows"] if row["kind"] == "map"]
    assert names(row) == ["tosa.add", "tosa.abs"]
    assert "As this compiler prints it" in page.read_text()
