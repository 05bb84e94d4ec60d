"""Programs over memory of so many loops that their functions are split (decision
76): values against NumPy, and the errors of short programs."""

import re
import sys

import broadloom
import numpy as np
import pytest

NESTS = 60


def nest(number, last, apart):
    """Adds a row of `%a`, times a number, to a column of `%b`, through `%t`; all
    nests but the first take what the one before has counted. Nests that are
    `apart` have bounds of their own, which no call reaches."""
    rows = f"min affine_map<(n) -> (n, {1000 + number})>(%n)" if apart else "%n"
    return f"""
  %factor{number} = arith.constant {number}.0 : f64
  affine.for %i = 0 to {rows} {{
    affine.for %j = 0 to {last} {{
      %x = affine.load %a[%i, %j] : memref<?x?xf64>
      %y = affine.load %b[%j, %i] : memref<?x?xf64>
      %p = arith.mulf %x, %factor{number} : f64
      %s = arith.addf %p, %y : f64
      affine.store %s, %b[%j, %i] : memref<?x?xf64>
    }}
  }}
  %c{number + 1} = affine.for %i = 0 to %n iter_args(%c = %c{number}) -> (index) {{
    %d = arith.addi %c, %i : index
    affine.yield %d : index
  }}
  memref.store %c{number + 1}, %t[] : memref<index>"""


def program(around=("", ""), lasts=None, apart=False):
    nests = "".join(nest(i, (lasts or {}).get(i, "%n"), apart) for i in range(NESTS))
    return f"""
func.func @main(%a: memref<?x?xf64>, %b: memref<?x?xf64>, %n: index, %m: index) -> index {{
  %zero = arith.constant 0 : index
  %t = memref.alloca() : memref<index>
  memref.store %zero, %t[] : memref<index>
  {around[0]}
  %c0 = memref.load %t[] : memref<index>{nests}
  {around[1]}
  %count = memref.load %t[] : memref<index>
  return %count : index
}}
"""


def run(folder, text, a, b, *scalars):
    (folder / "p.mlir").write_text(text)
    np.save(folder / "a.npy", a)
    np.save(folder / "b.npy", b)
    return broadloom.call(
        "run",
        folder / "p.mlir",
        f"--input={folder}/a.npy",
        f"--input={folder}/b.npy",
        *(f"--input=i64={s}" for s in scalars),
        f"--output-argument=1:{folder}/b1.npy",
        f"--output={folder}/count.npy",
    )


@pytest.mark.parametrize("apart", [False, True])
@pytest.mark.parametrize("times", [0, 1, 3])
def test_values(tmp_path, times, apart):
    """The nests stand in the function itself, or in a loop of it."""
    around = (f"affine.for %k = 0 to {times} {{", "}") if times else ("", "")
    rng = np.random.default_rng(times)
    a, b = rng.integers(0, 9, (5, 5)).astype(float), rng.integers(0, 9, (5, 5)).astype(float)
    outcome = run(tmp_path, program(around, apart=apart), a, b, 5, 5)
    assert outcome.status == broadloom.DONE, outcome.error
    times = max(times, 1)
    np.testing.assert_array_equal(np.load(tmp_path / "b1.npy"), b + times * sum(range(NESTS)) * a.T)
    assert np.load(tmp_path / "count.npy") == times * NESTS * 10


@pytest.mark.parametrize("apart", [False, True])
@pytest.mark.parametrize("number", [0, 17, NESTS - 1])
def test_errors(tmp_path, number, apart):
    """The nest that fails is told as in a short program, and its buffer is left as
    it was by the guard in front."""
    text = program(lasts={number: "%m"}, apart=apart)
    a = np.ones((5, 5))
    outcome = run(tmp_path, text, a, a, 5, 6)
    assert outcome.status == broadloom.GUARD_FAILED, outcome.error
    line = text[: text.index(f"%p = arith.mulf %x, %factor{number} ")].count("\n") - 1
    found = re.search(r"p\.mlir:(\d+):\d+: .*", outcome.error)
    assert int(found[1]) == line, outcome.error
    assert "'affine.load': index 5 is outside axis 1 of argument 'a', whose extent is 5" in outcome.error


def listFunctions(folder, text):
    """The functions of a program in the LLVM dialect."""
    (folder / "p.mlir").write_text(text)
    outcome = broadloom.call("compile", folder / "p.mlir", "--emit=llvm", "-o", folder / "p.ll")
    assert outcome.status == broadloom.DONE, outcome.error
    parts = re.split(r"\n  llvm\.(?=func|mlir\.global)", (folder / "p.ll").read_text())[1:]
    return [text for text in parts if text.startswith("func")]


def test_it_is_split(tmp_path):
    """No function of a long program is long: the number of operations of the
    longest one is not that of the nests."""
    lengths = [text.count("\n") for text in listFunctions(tmp_path, program(apart=True))]
    assert max(lengths) < 1500
    assert sum(lengths) > 6000


def test_equal_nests_are_compiled_once(tmp_path, monkeypatch):
    """Of nests that differ in a factor alone, those with a factor that is zero or a
    power of two have loops of their own, and most others share a function."""
    monkeypatch.setattr(sys.modules[__name__], "NESTS", 200)
    functions = listFunctions(tmp_path, program())
    assert sum(text.count("fmul") for text in functions) < 200 / 4


def test_tensors_beside_nests(tmp_path):
    """Functions of loops of tensors keep their names where nests become functions."""
    tensors = """  %tensor = bufferization.to_tensor %b : memref<?x?xf64> to tensor<?x?xf64>
  %sum = arith.addf %tensor, %tensor : tensor<?x?xf64>
  bufferization.materialize_in_destination %sum in restrict writable %b :
    (tensor<?x?xf64>, memref<?x?xf64>) -> ()
  %count = memref.load"""
    text = program(apart=True).replace("  %count = memref.load", tensors, 1)
    a, b = np.ones((5, 5)), np.zeros((5, 5))
    outcome = run(tmp_path, text, a, b, 5, 5)
    assert outcome.status == broadloom.DONE, outcome.error
    np.testing.assert_array_equal(np.load(tmp_path / "b1.npy"), 2.0 * sum(range(NESTS)) * a)
