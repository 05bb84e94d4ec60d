"""Messages about programs over memory have the names of the text (rt-2)."""

import re

import broadloom
import numpy as np
import pytest
from memory_programs import fails, function

# The heads of loops over %V from 0 to %n, and what stands behind them.
LOOPS = {
    "affine.for": ("affine.for %V = 0 to %n {", "}"),
    "scf.for": ("scf.for %V = %zero to %n step %one {", "}"),
    "affine.parallel": ("affine.parallel (%V) = (0) to (%n) {", "}"),
    "scf.parallel": ("scf.parallel (%V) = (%zero) to (%n) step (%one) {", "}"),
    "scf.forall": ("scf.forall (%V) in (%n) {", "}"),
    "generic": (
        (
            '"affine.for"(%n) <{lowerBoundMap = affine_map<() -> (0)>, operandSegmentSizes = array<i32: 0, 1, 0>, '
            "step = 1 : index, upperBoundMap = affine_map<()[s0] -> (s0)>}> ({\n  ^bb0(%V: index):"
        ),
        "affine.yield\n  }) : (index) -> ()",
    ),
}
CONSTANTS = "  %zero = arith.constant 0 : index\n  %one = arith.constant 1 : index\n"


def check(folder, text, *options):
    """What `broadloom check` prints, in one line."""
    (folder / "p.mlir").write_text(text)
    outcome = broadloom.call("check", folder / "p.mlir", *options)
    return " ".join((outcome.out + outcome.error).replace(f"{folder}/", "").split())


@pytest.mark.parametrize("name", ["row", "i", "arg3", "0"])
@pytest.mark.parametrize("kind", LOOPS)
def test_iterations_that_meet(tmp_path, kind, name):
    head, end = (part.replace("%V", f"%{name}") for part in LOOPS[kind])
    body = f"""\
{CONSTANTS}  {head}
    %next = arith.addi %{name}, %one : index
    %x = memref.load %a[%{name}] : memref<?xf64>
    memref.store %x, %a[%next] : memref<?xf64>
  {end}
  return"""
    told = check(tmp_path, function("%a: memref<?xf64>, %n: index", body))
    assert f"iterations %{name} = 0 and %{name} = 1 meet at element [1] of argument 'a'" in told


@pytest.mark.parametrize("kind", LOOPS)
def test_conditions_on_the_loop_around(tmp_path, kind):
    """A nest whose bound is data is checked inside the loop around it, of whose variable it then speaks."""
    head, end = (part.replace("%V", "%row") for part in LOOPS[kind])
    body = f"""\
{CONSTANTS}  {head}
    %count = memref.load %counts[%row] : memref<?xindex>
    scf.for %k = %zero to %count step %one {{
      %at = arith.addi %k, %row : index
      %x = memref.load %a[%at] : memref<?xf64>
      memref.store %x, %b[%k] : memref<?xf64>
    }}
  {end}
  return"""
    told = check(
        tmp_path, function("%a: memref<?xf64>, %b: memref<?xf64>, %counts: memref<?xindex>, %n: index", body), "--all"
    )
    assert "%count <= axis 0 of argument 'b'" in told and "%count + %row <= axis 0 of argument 'a'" in told, told
    assert "the variable of the loop" not in told and "the result of 'memref.load'" not in told


CARRIED = {
    "iter_args": """\
  %r = affine.for %i = 0 to 1 iter_args(%cur = %a) -> memref<?xf64> {
    %x = memref.load %cur[%k] : memref<?xf64>
    affine.yield %cur : memref<?xf64>
  }""",
    "while": """\
  %yes = arith.constant true
  %r = scf.while (%before = %a) : (memref<?xf64>) -> memref<?xf64> {
    %no = arith.constant false
    scf.condition(%no) %before : memref<?xf64>
  } do {
  ^bb0(%after: memref<?xf64>):
    scf.yield %after : memref<?xf64>
  }
  cf.cond_br %yes, ^next(%r : memref<?xf64>), ^next(%b : memref<?xf64>)
^next(%cur: memref<?xf64>):
  %x = memref.load %cur[%k] : memref<?xf64>""",
    "block": """\
  %yes = arith.constant true
  cf.cond_br %c, ^next(%a : memref<?xf64>), ^next(%b : memref<?xf64>)
^next(%cur: memref<?xf64>):
  %x = memref.load %cur[%k] : memref<?xf64>""",
}


@pytest.mark.parametrize("kind", CARRIED)
def test_memory_that_is_carried(tmp_path, kind):
    text = function("%a: memref<?xf64>, %b: memref<?xf64>, %k: index, %c: i1", CARRIED[kind] + "\n  return")
    error = fails(tmp_path, text, [np.ones(4), np.ones(4)], ["i64=7", "i1=1"])
    assert "'memref.load': index 7 is outside axis 0 of %cur, whose extent is 4" in error


@pytest.mark.parametrize(
    ("operation", "named"),
    [
        ("%part = memref.alloc(%n) : memref<?xf64>", "%part (the result of 'memref.alloc' at p.mlir:2:11)"),
        ("%0 = memref.alloc(%n) : memref<?xf64>", "%0 (the result of 'memref.alloc' at p.mlir:2:8)"),
        (
            '%part = "memref.alloc"(%n) <{operandSegmentSizes = array<i32: 1, 0>}> : (index) -> memref<?xf64>',
            "%part (the",
        ),
    ],
)
def test_memory_that_is_made(tmp_path, operation, named):
    memory = operation.split(" ")[0]
    body = f"""\
  {operation}
  %x = memref.load {memory}[%k] : memref<?xf64>
  memref.dealloc {memory} : memref<?xf64>
  return"""
    error = fails(tmp_path, function("%n: index, %k: index", body), [], ["i64=3", "i64=5"])
    assert f"index 5 is outside axis 0 of {named}" in error


def test_loops_of_schedules(tmp_path):
    """Loops without a name of their own have that of their variable."""
    body = """\
  affine.for %row = 1 to %n {
    affine.for %column = 0 to %n {
      %x = affine.load %a[%row - 1, %column + 1] : memref<?x?xf64>
      affine.store %x, %a[%row, %column] : memref<?x?xf64>
    }
  }
  return"""
    text = function("%a: memref<?x?xf64>, %n: index", body)
    schedule = tmp_path / "s.mlir"
    schedule.write_text("""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%p: !transform.any_op) {
    %i, %j = transform.loom.nest @main 0 : 2
    %j2, %i2 = transform.loom.interchange %i, %j to [1, 0]
    transform.yield
  }
}
""")
    told = check(tmp_path, text, f"--schedule={schedule}")
    assert "#S1 = (row, column) : " in told and "mldim %t1 : {S1} row { mldim %t2 : {S1} column {" in told
    assert "in iteration (%row = 1, %column = 1) comes before" in told
    schedule.write_text(schedule.read_text().replace("%i, %j to [1, 0]", "%j, %i to [1, 0]"))
    assert "the loop of %row at p.mlir:2:3 does not stand directly in the loop of %column" in check(
        tmp_path, text, f"--schedule={schedule}"
    )


@pytest.mark.parametrize(
    ("names", "edit", "bands"),
    [
        ("i2 a b", "%k, %l = transform.loom.interchange %q, %r to [1, 0]", "i2, b, a"),
        ("i0 i1 x", "%t:4 = transform.loom.tile %p, %q by [4, 8]", "floordiv (i0, 4), floordiv (i1, 8), i0 mod 4, "),
    ],
)
def test_loops_keep_the_names_of_their_variables(tmp_path, names, edit, bands):
    """Edits number loops anew, but no loop gets the name of another one."""
    i, j, k = names.split()
    body = f"""\
  affine.for %{i} = 0 to %n {{
    affine.for %{j} = 0 to %n {{
      affine.for %{k} = 0 to %n {{
        affine.store %y, %m[%{i}, %{j}, %{k}] : memref<?x?x?xf64>
      }}
    }}
  }}
  return"""
    (tmp_path / "s.mlir").write_text(f"""\
module attributes {{transform.with_named_sequence}} {{
  transform.named_sequence @__transform_main(%program: !transform.any_op) {{
    %p, %q, %r = transform.loom.nest @main 0 : 3
    {edit}
    transform.yield
  }}
}}
""")
    told = check(tmp_path, function("%m: memref<?x?x?xf64>, %n: index, %y: f64", body), f"--schedule={tmp_path}/s.mlir")
    assert told.count(f"#S1 = ({i}, {j}, {k}) : ") == 2, told
    found = re.findall(r"mldim %t\d+ : {S1} (.*?) {", told[told.index('mark "edited"') :])
    assert ", ".join(found).startswith(bands), told


def test_softmax_names_its_memory(tmp_path):
    body = """\
  linalg.softmax dimension(1) ins(%img : memref<?x?xf32>) outs(%out : memref<?x?xf32>)
  return"""
    text = function("%img: memref<?x?xf32>, %out: memref<?x?xf32>", body)
    error = fails(tmp_path, text, [np.ones((2, 3), np.float32), np.ones((2, 4), np.float32)])
    assert error == (
        "p.mlir:2:3: 'linalg.softmax': axis 1 of argument 'img' has extent 3 but axis 1 of argument 'out' has 4\n"
    )


def test_memory_of_a_set_says_what_to_use(tmp_path):
    kind = 'memref<?x?xf64, #loom.shape<"(i, j)[n] : (0 <= j <= i, i < n)">>'
    body = f"  linalg.fill ins(%x : f64) outs(%t : {kind})\n  return"
    told = check(tmp_path, function(f"%t: {kind}, %x: f64", body))
    assert "take 'loom.packed' of the memory, which is all of its elements as memory of one axis" in told


def test_numbers_are_no_tensors(tmp_path):
    (tmp_path / "p.mlir").write_text(function("%a: memref<?xf64>, %n: index, %x: f64, %t: tensor<f64>", "  return"))
    told = broadloom.call("inspect", tmp_path / "p.mlir").out
    assert "takes 4 arguments: a: memref<?xf64>, n: index, x: f64, t: tensor<f64>" in told
    outcome = broadloom.call("run", tmp_path / "p.mlir", "--input=1xf64=1")
    assert "'main' takes 4 arguments: a: memref<?xf64>, n: i64, x: f64, t: tensor<f64>" in outcome.error


def test_a_schedule_that_is_found_and_edits_nothing(tmp_path):
    body = """\
  affine.for %i = 0 to %n {
    affine.store %x, %a[%i] : memref<?xf64>
  }
  return"""
    told = check(tmp_path, function("%a: memref<?xf64>, %n: index, %x: f64", body), "--schedule=auto")
    assert "auto unchanged because no other order of these loops" in told and "made" not in told
