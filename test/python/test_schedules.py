"""Schedules by the Python package: random ones against lists of iterations (rules sch-3 to sch-10), and errors."""

import broadloom as bl
import numpy as np
import pytest
import schedules as fuzz

SCALE = """\
func.func @scale(%a: memref<?xf64>, %n: index) {
  affine.for %i = 0 to %n {
    %x = affine.load %a[%i] : memref<?xf64>
    %y = arith.addf %x, %x : f64
    affine.store %y, %a[%i] : memref<?xf64>
  } {loom.loop = "i"}
  return
}
"""
TILE = """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%program: !transform.any_op) {
    %i = transform.loom.loop @scale "i"
    %t:2 = transform.loom.tile %i by [SIZE]
    transform.yield
  }
}
"""


@pytest.mark.parametrize("part", range(4))
def test_random_schedules(part, capsys):
    assert fuzz.main(["--seed=11", f"--first={100 * part}", "--count=100"]) == 0, capsys.readouterr().out
    counts = capsys.readouterr().out
    assert " edits" in counts and " refused" in counts and " calls" in counts


def test_a_schedule(tmp_path):
    path = tmp_path / "tile.mlir"
    path.write_text(TILE.replace("SIZE", "3"))
    a = np.arange(8.0)
    bl.compile(SCALE, schedule=path)(a, 7)
    assert (a == [0, 2, 4, 6, 8, 10, 12, 7]).all()


def test_errors(tmp_path):
    path = tmp_path / "tile.mlir"
    path.write_text(TILE.replace("SIZE", "0"))
    with pytest.raises(bl.CompileError, match=r"tile.mlir:4:12: error: .* has a tile of 0 iterations; a tile has"):
        bl.compile(SCALE, schedule=path)
    with pytest.raises(FileNotFoundError, match=r"none\.mlir"):
        bl.compile(SCALE, schedule=tmp_path / "none.mlir")
    with pytest.raises(TypeError, match="schedule are paths, not int"):
        bl.compile(SCALE, schedule=3)
