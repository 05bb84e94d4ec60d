"""`broadloom profile` and `broadloom bench` of programs over memory. No times are tested."""

import json

import broadloom
import pytest

DOUBLE = """func.func @main(%x: memref<?xf32>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  affine.for %i = 0 to %n {
    %e = affine.load %x[%i] : memref<?xf32>
    %s = arith.addf %e, %e : f32
    affine.store %s, %y[%i] : memref<?xf32>
  }
  return
}
"""


def measure(folder, command, *inputs):
    (folder / "p.mlir").write_text(DOUBLE)
    return broadloom.call(command, "p.mlir", "--seconds=0", "--json", *(f"--input={i}" for i in inputs), cwd=folder)


def test_a_profile_of_loops(tmp_path):
    outcome = measure(tmp_path, "profile", "1000xf32=1", "1000xf32=0")
    assert outcome.status == broadloom.DONE, outcome.error
    report = json.loads(outcome.out)
    # The loop is the program's own: no launch of a kernel.
    assert [row["kind"] for row in report["rows"]] == ["outside"]
    assert report["rows"][0]["time_ns"] == pytest.approx(report["time_ns"])


def test_bytes_of_arguments_that_are_memory(tmp_path):
    outcome = measure(tmp_path, "bench", "1000xf32=1", "1000xf32=0")
    assert outcome.status == broadloom.DONE, outcome.error
    assert json.loads(outcome.out)["bytes"] == 8000


@pytest.mark.parametrize("command", ["profile", "bench"])
def test_a_call_that_fails_is_not_measured(tmp_path, command):
    outcome = measure(tmp_path, command, "1000xf32=1", "999xf32=0")
    assert outcome.status == broadloom.GUARD_FAILED
    assert "'affine.store': index 999 is outside axis 0 of argument 'y', whose extent is 999: %i = 999" in outcome.error
    assert not outcome.out
