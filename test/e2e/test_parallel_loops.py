"""Loops whose iterations have no order, `scf.parallel`, `scf.forall` and
`affine.parallel`, and bodies that run for elements, with guards in them: only what an
iteration does can fail a call (rt-1), and shape queries say the same (abi-2)."""

import broadloom
import numpy as np
import pytest
from broadloom import DONE, GUARD_FAILED
from element_types import TYPES, load

HEAD = """func.func @main(%a: index, %n: index, %t: tensor<?xi8>) -> {0} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
"""
DIVISION = "'arith.divui': division by 0"


def execute(tmp_path, text, inputs, element="i8"):
    """Runs `text` on typed inputs, and asks for its shapes with the numbers among them."""
    path, output = tmp_path / "p.mlir", tmp_path / "out.npy"
    path.write_text(text)
    outcome = broadloom.call("run", path, *(f"--input={i}" for i in inputs), f"--output={output}")
    given = (i if i.startswith("i64=") else i.split("=")[0].rsplit("x", 1)[0] for i in inputs)
    queried = broadloom.call("shapes", path, *(f"--input={i}" for i in given))
    assert queried.status == outcome.status and queried.error == outcome.error, (queried, outcome)
    if outcome.status != DONE:
        return outcome, None
    found = load(output, TYPES[element])
    assert queried.out == "x".join(str(e) for e in found.shape) + "\n", queried
    return outcome, found


def run(tmp_path, body, a, n, result="tensor<?xi8>", element="i8"):
    text = HEAD.format(result) + body + f"  return %r : {result}\n}}\n"
    return execute(tmp_path, text, [f"i64={a}", f"i64={n}", "4xi8=1,2,3,4"], element)


# What has a guard that does not depend on the iteration.
GUARDED = {
    "a division": ("    %y = arith.divui %c2, %a : index\n", DIVISION),
    "an assertion": ('    %ok = arith.cmpi ne, %a, %c0 : index\n    cf.assert %ok, "a is 0"\n', "a is 0"),
    "an element": (
        "    %v = tensor.empty(%a) : tensor<?xi8>\n    %y = tensor.extract %v[%c0] : tensor<?xi8>\n",
        "'tensor.extract': index 0 is outside axis 0, which has extent 0",
    ),
}
LOOPS = {
    "scf.parallel": "  scf.parallel (%i) = (%c0) to (%n) step (%c1) {{\n{0}    scf.reduce\n  }}\n",
    "two axes": "  scf.parallel (%i, %j) = (%c0, %c0) to (%c2, %n) step (%c1, %c1) {{\n{0}    scf.reduce\n  }}\n",
    "affine.parallel": "  affine.parallel (%i) = (0) to (symbol(%n)) {{\n{0}  }}\n",
    "scf.forall": "  %f = scf.forall (%i) in (%n) shared_outs(%o = %t) -> tensor<?xi8> {{\n{0}    %s = tensor.extract_slice "
    "%t[0] [1] [1] : tensor<?xi8> to tensor<1xi8>\n    scf.forall.in_parallel {{\n      tensor.parallel_insert_slice %s "
    "into %o[0] [1] [1] : tensor<1xi8> into tensor<?xi8>\n    }}\n  }}\n",
    "scf.forall of two axes": "  %f = scf.forall (%i, %j) in (%n, 3) shared_outs(%o = %t) -> tensor<?xi8> {{\n{0}"
    "    scf.forall.in_parallel {{\n    }}\n  }}\n",
    "tensor.pad": "  %m = arith.maxsi %n, %c0 : index\n  %p = tensor.pad %t low[%m] high[0] {{\n  ^bb0(%i: index):\n{0}"
    "    %e = arith.constant 7 : i8\n    tensor.yield %e : i8\n  }} : tensor<?xi8> to tensor<?xi8>\n",
    "tensor.generate": "  %m = arith.maxsi %n, %c0 : index\n  %p = tensor.generate %m {{\n  ^bb0(%i: index):\n{0}"
    "    %e = arith.constant 7 : i8\n    tensor.yield %e : i8\n  }} : tensor<?xi8>\n",
}


@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("kind", GUARDED)
def test_guards_of_loops_without_iterations(tmp_path, loop, kind):
    guard, message = GUARDED[kind]
    body = LOOPS[loop].format(guard) + "  %r = tensor.cast %t : tensor<?xi8> to tensor<?xi8>\n"
    for n in (0, -3) if "forall" not in loop else (0,):
        outcome, found = run(tmp_path, body, 0, n)
        assert outcome.status == DONE and found.tolist() == [1, 2, 3, 4], outcome.error
    outcome, found = run(tmp_path, body, 1, 2)
    assert outcome.status == DONE and found.tolist() == [1, 2, 3, 4], outcome.error
    outcome, _ = run(tmp_path, body, 0, 2)
    assert outcome.status == GUARD_FAILED and message in outcome.error, outcome.error


def test_padding_alone(tmp_path):
    """Elements of the source have no padding, whatever its body computes."""
    body = """  %r = tensor.pad %t low[%n, 1] high[1, %n] {
  ^bb0(%i: index, %j: index):
    %ij = arith.muli %i, %j : index
    %e = arith.index_cast %ij : index to i32
    tensor.yield %e : i32
  } : tensor<?x?xi32> to tensor<?x?xi32>
"""
    text = (
        "func.func @main(%t: tensor<?x?xi32>, %n: index) -> tensor<?x?xi32> {\n"
        + body
        + "  return %r : tensor<?x?xi32>\n}\n"
    )
    source = np.array([[-1, -2], [-3, -4], [-5, -6]], np.int32)
    values = "3x2xi32=" + ",".join(str(v) for v in source.flat)
    outcome, found = execute(tmp_path, text, [values, "i64=2"], "i32")
    assert outcome.status == DONE, outcome.error
    expected = np.outer(np.arange(6), np.arange(5)).astype(np.int32)
    expected[2:5, 1:3] = source
    assert np.array_equal(found, expected)


def test_padding_of_a_table(tmp_path):
    """A guard that depends on the index, and holds for padding alone."""
    body = """  %r = tensor.pad %t low[%n] high[0] {
  ^bb0(%i: index):
    %e = tensor.extract %p[%i] : tensor<?xi8>
    tensor.yield %e : i8
  } : tensor<?xi8> to tensor<?xi8>
"""
    text = (
        "func.func @main(%n: index, %t: tensor<?xi8>, %p: tensor<?xi8>) -> tensor<?xi8> {\n"
        + body
        + "  return %r : tensor<?xi8>\n}\n"
    )
    outcome, found = execute(tmp_path, text, ["i64=3", "2xi8=8,9", "3xi8=1,2,3"])
    assert outcome.status == DONE and found.tolist() == [1, 2, 3, 8, 9], outcome.error
    path = tmp_path / "p.mlir"
    outcome = broadloom.call("run", path, "--input=i64=4", "--input=2xi8=8,9", "--input=3xi8=1,2,3")
    assert outcome.status == GUARD_FAILED
    assert "'tensor.extract': index 3 is outside axis 0, which has extent 3" in outcome.error


@pytest.mark.parametrize(
    "guard, a, status",
    [("", 0, DONE), (GUARDED["a division"][0], 0, GUARD_FAILED), (GUARDED["a division"][0], 1, DONE)],
)
def test_no_axes(tmp_path, guard, a, status):
    """Without axes there is one iteration."""
    body = (
        "  %x = arith.index_cast %n : index to i64\n"
        f'  %s = affine.parallel () = () to () reduce ("addi") -> (i64) {{\n{guard}    affine.yield %x : i64\n  }}\n'
        "  %r = tensor.from_elements %s : tensor<1xi64>\n"
    )
    outcome, found = run(tmp_path, body, a, 7, "tensor<1xi64>", "i64")
    assert outcome.status == status and (status != DONE or found.tolist() == [7]), outcome.error


def test_a_transpose_without_axes(tmp_path):
    text = (
        "func.func @main(%t: tensor<i8>) -> tensor<i8> {\n  %e = tensor.empty() : tensor<i8>\n"
        "  %r = linalg.transpose ins(%t : tensor<i8>) outs(%e : tensor<i8>) permutation = []\n  return %r : tensor<i8>\n}\n"
    )
    (tmp_path / "p.mlir").write_text(text)
    outcome = broadloom.call("run", tmp_path / "p.mlir", "--input=i8=5")
    assert outcome.status == DONE and outcome.out.strip() == "5", outcome


# The combined number of the iterations from 0 to n - 1, for a = 3.
COMBINERS = {
    "a sum of products": (
        "    %z = arith.muli %i, %a : index\n",
        "      %s = arith.addi %x, %y : index\n",
        lambda x, i: x + 3 * i,
    ),
    "a division": (
        "    %z = arith.addi %i, %c1 : index\n",
        "      %q = arith.divui %x, %y : index\n      %s = arith.addi %q, %y : index\n",
        lambda x, i: x // (i + 1) + i + 1,
    ),
    "a branch": (
        "    %z = arith.addi %i, %a : index\n",
        (
            "      %odd = arith.andi %y, %c1 : index\n      %is = arith.cmpi eq, %odd, %c1 : index\n"
            "      %s = scf.if %is -> index {\n        %u = arith.muli %x, %y : index\n        scf.yield %u : index\n"
            "      } else {\n        scf.yield %x : index\n      }\n"
        ),
        lambda x, i: x * (i + 3) if (i + 3) % 2 else x,
    ),
    "an element": (
        "    %z = arith.remui %i, %a : index\n",
        (
            "      %e = tensor.extract %t[%y] : tensor<?xi8>\n      %f = arith.index_cast %e : i8 to index\n"
            "      %s = arith.addi %x, %f : index\n"
        ),
        lambda x, i: x + [1, 2, 3, 4][i % 3],
    ),
}


@pytest.mark.parametrize("n", [0, 1, 5])
@pytest.mark.parametrize("kind", COMBINERS)
def test_combiners(tmp_path, kind, n):
    term, combiner, combine = COMBINERS[kind]
    body = (
        f"  %r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%c2) -> index {{\n{term}"
        f"    scf.reduce(%z : index) {{\n    ^bb0(%x: index, %y: index):\n{combiner}"
        "      scf.reduce.return %s : index\n    }\n  }\n"
    )
    outcome, found = run(tmp_path, body, 3, n, "index", "i64")
    expected = 2
    for i in range(n):
        expected = combine(expected, i)
    assert outcome.status == DONE and found == expected, (outcome, expected)


def test_combiners_with_guards(tmp_path):
    body = """  %s = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%c0) -> index {
    scf.reduce(%i : index) {
    ^bb0(%x: index, %y: index):
      %q = func.call @divide(%x, %a) : (index, index) -> index
      scf.reduce.return %q : index
    }
  }
  %r = tensor.cast %t : tensor<?xi8> to tensor<?xi8>
"""
    function = (
        "func.func private @divide(%a: index, %b: index) -> index {\n  %q = arith.divui %a, %b : index\n"
        "  return %q : index\n}\n"
    )
    text = function + HEAD.format("tensor<?xi8>") + body + "  return %r : tensor<?xi8>\n}\n"
    for a, n, status in ((0, 0, DONE), (0, 1, GUARD_FAILED), (1, 4, DONE)):
        outcome, _ = execute(tmp_path, text, [f"i64={a}", f"i64={n}", "2xi8=1,2"])
        assert outcome.status == status, outcome


def test_tensors_are_reduced(tmp_path):
    body = """  %r = scf.parallel (%i, %j) = (%c0, %c0) to (%n, %c2) step (%c1, %c1) init (%t) -> tensor<?xi8> {
    scf.reduce(%t : tensor<?xi8>) {
    ^bb0(%x: tensor<?xi8>, %y: tensor<?xi8>):
      %s = tosa.add %x, %y : (tensor<?xi8>, tensor<?xi8>) -> tensor<?xi8>
      scf.reduce.return %s : tensor<?xi8>
    }
  }
"""
    for n in (0, 1, 3):
        outcome, found = run(tmp_path, body, 1, n)
        assert outcome.status == DONE, outcome.error
        assert found.tolist() == [(1 + 2 * n) * i for i in (1, 2, 3, 4)]


def test_steps(tmp_path):
    body = (
        "  scf.parallel (%i) = (%c0) to (%c2) step (%n) {\n    scf.reduce\n  }\n"
        "  %r = tensor.cast %t : tensor<?xi8> to tensor<?xi8>\n"
    )
    outcome, _ = run(tmp_path, body, 0, 0)
    assert outcome.status == GUARD_FAILED
    assert "'scf.parallel': the step of the loop is 0, expected at least 1" in outcome.error


# A switch without cases has one region, which always runs.
@pytest.mark.parametrize("size", ["%n", "%m"])
def test_a_switch_without_cases(tmp_path, size):
    body = f"""  %m = arith.addi %n, %c0 : index
  %u = tensor.concat dim(0) %t, %t : (tensor<?xi8>, tensor<?xi8>) -> tensor<?xi8>
  %r = scf.index_switch {size} -> tensor<?xi8>
  default {{
    %q = arith.divui %c2, %a : index
    scf.yield %u : tensor<?xi8>
  }}
"""
    outcome, found = run(tmp_path, body, 1, 3)
    assert outcome.status == DONE and found.tolist() == [1, 2, 3, 4] * 2, outcome.error
    shapes = broadloom.call("shapes", tmp_path / "p.mlir", "--input=i64=1", "--input=i64", "--input=4")
    assert shapes.out == "8\n", shapes
    outcome, _ = run(tmp_path, body, 0, 3)
    assert outcome.status == GUARD_FAILED and DIVISION in outcome.error, outcome.error
