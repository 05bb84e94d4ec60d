"""Loops whose iterations meet, in calls that run: what `check` says of random loops
against their enumeration in Python (eff-1). A loop is parallel only if no call that
is inside has iterations that meet, and the call that is told of one that is not is
such a call."""

import itertools
import random
import re

import broadloom as bl
import numpy as np
import pytest


class Loops:
    """One or two loops with a load and a store of one memref, and perhaps a store to another one."""

    def __init__(self, seed):
        pick = random.Random(seed).choice
        self.depth, self.rank = pick([1, 1, 2]), pick([1, 2])
        self.extents = [pick(["?", "?", 4, 6]) for _ in range(self.rank)]
        self.other = pick([None, None, "?", 3])
        self.first = pick([0, 0, 1])
        self.load = [self.form(pick) for _ in range(self.rank)]
        self.store = [self.form(pick) for _ in range(self.rank)]

    def form(self, pick):
        return [pick([0, 1, 1, -1, 2]) for _ in range(self.depth)], pick([0, 0, 1, 2, 3, 4])

    def spell(self, forms):
        return ", ".join(
            " + ".join([f"%i{level} * {c}" for level, c in enumerate(coefficients)] + [str(constant)])
            for coefficients, constant in forms
        )

    def text(self):
        kind = f"memref<{'x'.join(map(str, self.extents))}xi64>"
        names = ", ".join(f"%n{level}: index" for level in range(self.depth))
        other = f"%b: memref<{self.other}xi64>, " if self.other else ""
        lines = [f"func.func @main(%a: {kind}, {other}{names}) {{", "  %one = arith.constant 1 : i64"]
        lines += [f"affine.for %i{level} = {self.first} to %n{level} {{" for level in range(self.depth)]
        lines += [
            f"%v = affine.load %a[{self.spell(self.load)}] : {kind}",
            "%w = arith.addi %v, %one : i64",
            f"affine.store %w, %a[{self.spell(self.store)}] : {kind}",
        ]
        if self.other:
            lines.append(f"affine.store %one, %b[%i0] : memref<{self.other}xi64>")
        return "\n".join(lines + ["}"] * self.depth + ["return", "}"])

    def index(self, forms, loops):
        return tuple(sum(c * i for c, i in zip(coefficients, loops)) + constant for coefficients, constant in forms)

    def touched(self, ends, shape, length):
        """What each iteration reads and writes; None where one is outside."""
        touched = {}
        for loops in itertools.product(*(range(self.first, end) for end in ends)):
            read, written = self.index(self.load, loops), self.index(self.store, loops)
            if any(not 0 <= i < extent for index in (read, written) for i, extent in zip(index, shape)) or (
                self.other and loops[0] >= length
            ):
                return None
            touched[loops] = read, written
        return touched

    def meets(self, touched):
        """Whether iterations of the outermost loop touch one element that one of them writes."""
        return any(x[0] != y[0] and (touched[x][1] in touched[y]) for x, y in itertools.product(touched, touched))


@pytest.mark.parametrize("part", range(4))
def test_random_loops(part):
    parallel = told = 0
    for seed in range(part * 25, part * 25 + 25):
        loops = Loops(seed)
        text = loops.text()
        report = str(bl.check(text)).split("\nloops\n")[1].split("by operation")[0]
        outer = " ".join(re.split(r"\n  \S+\.for", report)[1].split())
        case = f"seed {seed}\n{text}\n{report}"
        if "parallel" in outer.split("because")[0]:
            parallel += 1
            for shape in itertools.product(*(range(7) if extent == "?" else [extent] for extent in loops.extents)):
                for ends in itertools.product(range(6), repeat=loops.depth):
                    touched = loops.touched(ends, shape, 9 if loops.other == "?" else loops.other)
                    assert touched is None or not loops.meets(touched), f"shape {shape}, ends {ends}, {case}"
        elif "meet at" in outer:
            told += 1
            ends = [int(re.search(rf"argument 'n{level}' is (-?\d+)", outer)[1]) for level in range(loops.depth)]
            shape = [
                int(re.search(rf"axis {axis} of argument 'a' is (\d+)", outer)[1]) if extent == "?" else extent
                for axis, extent in enumerate(loops.extents)
            ]
            length = 64 if loops.other == "?" else loops.other
            touched = loops.touched(ends, shape, length)
            assert touched is not None and loops.meets(touched), f"shape {shape}, ends {ends}, {case}"
            arguments = [np.zeros(shape, np.int64), *([np.zeros(length, np.int64)] if loops.other else []), *ends]
            bl.compile(text)(*arguments)
    assert parallel > 2 and told > 2


HALF = """\
func.func @half(%a: memref<8xf64>, %n: index) {
  affine.for %i = 0 to %n {
    %x = affine.load %a[%i + 4] : memref<8xf64>
    affine.store %x, %a[%i] : memref<8xf64>
  }
  return
}
"""
REVERSE = """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%p: !transform.any_op) {
    %i = transform.loom.nest @half 0 : 1
    %r = transform.loom.reverse %i
    transform.yield
  }
}
"""


def test_an_edit_that_no_call_notices(tmp_path):
    (tmp_path / "half.sched").write_text(REVERSE)
    f = bl.compile(HALF, schedule=str(tmp_path / "half.sched"))
    a = np.arange(8.0)
    f(a, 4)
    np.testing.assert_array_equal(a, [4, 5, 6, 7, 4, 5, 6, 7])
    with pytest.raises(bl.ShapeError, match="index 8 is outside axis 0 of argument 'a', whose extent is 8"):
        f(a, 5)
    with pytest.raises(bl.CompileError, match="the edit would run it behind that one"):
        bl.compile(HALF.replace("8xf64", "9xf64"), schedule=str(tmp_path / "half.sched"))
