"""Printed schedule trees (rule sch-11): the bands tell which iterations a loop runs together, and in which order."""

import os
import random
import re
import subprocess

import broadloom
import numpy as np
import pytest
from memory_schedules import script

OPT = os.path.join(os.path.dirname(broadloom.PROGRAM), "broadloom-opt")
PROGRAM = """\
func.func @main(%a: memref<?xf64>, %x: f64) attributes {{loom.memory}} {{
  %first = arith.constant {} : index
  %end = arith.constant {} : index
  %step = arith.constant {} : index
  scf.for %i = %first to %end step %step {{
    %at = arith.addi %i, %end : index
    memref.store %x, %a[%at] : memref<?xf64>
  }} {{loom.loop = "i"}}
  return
}}
"""
BAND = re.compile(r"mldim %t\d+ : \{S1\} (.*) \{$", re.MULTILINE)


def flat(run):
    """The iterations of nested lists, in their order."""
    return [i for part in run for i in flat(part)] if isinstance(run, list) else [run]


def runs_of(loops, depth):
    """The runs of the loop at this depth: lists of its iterations, each of which is one number or a list."""
    return [loops] if depth == 0 else [run for part in loops for run in runs_of(part, depth - 1)]


class Bands:
    """Loops as lists in each other, and what the functions of the printed bands are in each iteration."""

    def __init__(self, numbers):
        self.loops, self.texts, self.known = numbers, ["i"], {"i": {i: i for i in numbers}}

    def evaluate(self, text):
        """What a sum, quotient or remainder of what is known is. A sign belongs to what is behind it, as in Python."""
        names = sorted(self.known, key=len, reverse=True)
        pattern = "|".join(rf"(?<!\w){re.escape(name)}(?!\w)" if name == "i" else re.escape(name) for name in names)
        code = re.sub(pattern, lambda found: f"v[{names.index(found.group())}]", text).replace(" mod ", " % ")
        order = flat(self.loops)
        values = [np.array([self.known[name][i] for i in order]) for name in names]
        return dict(zip(order, eval(code, {"floordiv": lambda a, b: a // b, "v": values}).tolist()))

    def learn(self, depth):
        """The first number of what the band is, and the first and last one's sum."""
        text, values = self.texts[depth], self.evaluate(self.texts[depth])
        for run in runs_of(self.loops, depth):
            own = flat(run)
            ends = values[own[0]] + values[own[-1]]
            for name, value in (("first", values[own[0]]), ("ends", ends)):
                self.known.setdefault(f"{name} ({text})", {}).update(dict.fromkeys(own, value))

    def edit(self, kind, depth, by):
        self.learn(depth)
        for run in runs_of(self.loops, depth):
            if kind == "reverse":
                run.reverse()
            elif kind == "tile":
                run[:] = [run[at : at + by] for at in range(0, len(run), by)]

    def check(self, tree):
        self.texts = BAND.findall(tree.split('mark "edited" {')[-1])
        for depth, text in enumerate(self.texts):
            assert not re.search(r"-[^()]* mod ", text), text
            values = self.evaluate(text)
            for run in runs_of(self.loops, depth):
                found = [{values[i] for i in flat(part)} for part in run]
                assert all(len(part) == 1 for part in found), (text, run, tree)
                found = [min(part) for part in found]
                assert found == sorted(set(found)), (text, run, found, tree)


def random_edits(pick):
    """A line of a script, and the kind, the depth and the number of an edit."""
    loops = ["%l0"]
    yield '%l0 = transform.loom.loop @main "i"', None
    for number in range(1, 7):
        depth = pick.randrange(len(loops))
        kind, by = pick.choice(["reverse", "reverse", "shift", "tile", "tile"]), pick.choice([2, 3, 4, 8])
        made, old = f"%l{number}", loops[depth]
        if kind == "tile":
            loops[depth : depth + 1] = [made, made + "p"]
            yield f"{made}, {made}p = transform.loom.tile {old} by [{by}]", (kind, depth, by)
        else:
            loops[depth] = made
            yield f"{made} = transform.loom.{kind} {old}" + (f" by {by}" if kind == "shift" else ""), (kind, depth, by)


@pytest.mark.parametrize("seed", range(24))
def test_sch11_bands_behind_random_edits(tmp_path, seed):
    pick = random.Random(seed)
    first, step = pick.choice([0, 0, 3, -5]), pick.choice([1, 1, 1, 4])
    numbers = list(range(first, first + pick.choice([1, 7, 24, 41]) * step, step))
    edits = list(random_edits(pick))
    (tmp_path / "p.mlir").write_text(PROGRAM.format(first, numbers[-1] + 1, step))
    (tmp_path / "s.mlir").write_text(script(*(edit for edit, _ in edits)))
    option = f"--loom-apply-schedule=file={tmp_path}/s.mlir print=true"
    told = subprocess.run([OPT, tmp_path / "p.mlir", option, "-o", os.devnull], capture_output=True, text=True)
    assert told.returncode == 0, told.stderr
    # One in front of all edits, and one behind each; that of the name makes none.
    trees = told.stdout.split("schedule @main {")[1:]
    assert len(trees) >= len(edits), told.stdout
    bands = Bands(numbers)
    for tree, (_, edit) in zip(trees[-len(edits) :], edits):
        if edit:
            bands.edit(*edit)
        bands.check(tree)
