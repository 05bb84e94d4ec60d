"""Printed schedule trees (rule sch-11): what a loop has behind an edit is a function of what it had before."""

import os
import random
import re
import subprocess

import broadloom
import pytest
from memory_schedules import script

OPT = os.path.join(os.path.dirname(broadloom.PROGRAM), "broadloom-opt")
PROGRAM = """\
func.func @main(%a: memref<?xf64>, %n: index, %x: f64) attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    memref.store %x, %a[%i] : memref<?xf64>
  } {loom.loop = "i"}
  return
}
"""
BAND = re.compile(r"mldim %t\d+ : \{S1\} (.*) \{$", re.MULTILINE)


def evaluate(part, i):
    """A sign belongs to what is behind it, as in Python."""
    return eval(part.replace(" mod ", " % "), {"floordiv": lambda a, b: a // b, "i": i})


def random_edits(pick):
    """The edits, and for each the functions of the bands in front of it that those behind it have."""
    loops, bands = ["%l0"], [lambda i: i]
    yield '%l0 = transform.loom.loop @main "i"', bands
    for number in range(1, 7):
        at = pick.randrange(len(loops))
        kind = pick.choice(["reverse", "reverse", "shift", "tile"])
        made, old, by = f"%l{number}", bands[at], pick.choice([2, 3, 4, 8])
        if kind == "tile":
            # Loops over tiles have steps.
            at, old = len(loops) - 1, bands[-1]
            edit = f"{made}, {made}p = transform.loom.tile {loops[at]} by [{by}]"
            loops[at:] = [made, made + "p"]
            new = [lambda i, old=old, by=by: old(i) // by, lambda i, old=old, by=by: old(i) % by]
        elif kind == "shift":
            edit = f"{made} = transform.loom.shift {loops[at]} by {by}"
            loops[at], new = made, [lambda i, old=old, by=by: old(i) + by]
        else:
            edit = f"{made} = transform.loom.reverse {loops[at]}"
            loops[at], new = made, [lambda i, old=old: -old(i)]
        bands = [*bands[:at], *new, *bands[at + 1 :]]
        yield edit, bands


@pytest.mark.parametrize("seed", range(16))
def test_bands_behind_random_edits(tmp_path, seed):
    edits = list(random_edits(random.Random(seed)))
    (tmp_path / "p.mlir").write_text(PROGRAM)
    (tmp_path / "s.mlir").write_text(script(*(edit for edit, _ in edits)))
    option = f"--loom-apply-schedule=file={tmp_path}/s.mlir print=true"
    told = subprocess.run([OPT, tmp_path / "p.mlir", option, "-o", os.devnull], capture_output=True, text=True)
    assert told.returncode == 0, told.stderr
    # One in front of all edits, and one behind each; that of the name makes none.
    trees = told.stdout.split("schedule @main {")[1:]
    assert len(trees) >= len(edits), told.stdout
    for tree, (edit, bands) in zip(trees[-len(edits) :], edits):
        printed = BAND.findall(tree.split('mark "edited" {')[-1])[: len(bands)]
        assert len(printed) == len(bands), f"{edit}\n{tree}"
        for part, band in zip(printed, bands):
            assert not re.search(r"-[^()]* mod ", part), part
            assert [evaluate(part, i) for i in range(-20, 21)] == [band(i) for i in range(-20, 21)], (edit, part)
