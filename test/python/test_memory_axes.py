"""Accesses of which some subscripts are data: what arguments alone decide is checked
before anything is written, axis by axis (mem-2). Random nests against their
enumeration in Python."""

import itertools
import random
import re

import broadloom as bl
import numpy as np
import pytest

SCATTER = """\
func.func @main(%a: memref<?x?xf64>, %ix: memref<?xindex>, %n: index, %m: index) {
  %o = arith.constant 1.0 : f64
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %m {
      %k = affine.load %ix[%j] : memref<?xindex>
      memref.store %o, %a[%i, %k] : memref<?x?xf64>
    }
  }
  return
}
"""


def test_too_few_rows_write_nothing():
    scatter = bl.compile(SCATTER)
    columns = np.array([0, 1, 2])
    a = np.zeros((3, 4))
    with pytest.raises(bl.ShapeError, match="index 3 is outside axis 0 of argument 'a', whose extent is 3"):
        scatter(a, columns, 4, 3)
    assert not a.any()
    scatter(a, columns, 3, 3)
    np.testing.assert_array_equal(a, [[1, 1, 1, 0]] * 3)


def test_data_is_checked_where_it_is_read():
    scatter = bl.compile(SCATTER)
    a = np.zeros((3, 4))
    with pytest.raises(bl.ShapeError, match="index 4 is outside axis 1 of argument 'a', whose extent is 4"):
        scatter(a, np.array([0, 4, 2]), 3, 3)
    np.testing.assert_array_equal(a, [[1, 0, 0, 0]] + [[0] * 4] * 2)


def test_check_tells_of_each_axis():
    rows = list(bl.check(SCATTER))
    assert [row.constraint for row in rows] == [
        "1 access is inside, where the loops run: argument 'm' <= axis 0 of argument 'ix'",
        "1 access is inside along axis 0, where the loops run: argument 'n' <= axis 0 of argument 'a'",
        "never \"index ? (an element of argument 'ix') is outside axis 1 of argument 'a', whose extent is s1\"",
    ]
    assert all("in front of the loop" in row.reason for row in rows[:2])


class Nest:
    """Loops that add 1 to elements: each subscript is a sum of loops, or an element
    of `ix` at the number of a loop plus such a sum."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        pick = self.random.choice
        self.rank, self.depth = pick([2, 2, 3]), pick([1, 2, 2, 3])
        # Whether a loop begins at the one around it.
        self.inner = [level > 0 and pick([False, False, True]) for level in range(self.depth)]
        self.subscripts = [(self.sum(), pick([None, *range(self.depth)])) for _ in range(self.rank)]
        self.condition = pick([None, None, self.sum()])

    def sum(self):
        return [self.random.choice([0, 0, 1, 1, -1, 2]) for _ in range(self.depth)], self.random.randint(-1, 2)

    def spell(self, form):
        coefficients, constant = form
        dims = ", ".join(f"d{i}" for i in range(self.depth))
        return dims, " + ".join([f"{c} * d{i}" for i, c in enumerate(coefficients)] + [str(constant)])

    def text(self):
        kind = f"memref<{'x'.join('?' * self.rank)}xi64>"
        names = ", ".join(f"%n{level}: index" for level in range(self.depth))
        loops = ", ".join(f"%i{level}" for level in range(self.depth))
        lines = [f"func.func @main(%a: {kind}, %ix: memref<?xindex>, {names}) {{", "  %one = arith.constant 1 : i64"]
        for level, isInner in enumerate(self.inner):
            lower = f"affine_map<(d) -> (d)>(%i{level - 1})" if isInner else "0"
            lines.append(f"affine.for %i{level} = {lower} to %n{level} {{")
            lines.append(f"%k{level} = affine.load %ix[%i{level}] : memref<?xindex>")
        if self.condition:
            dims, form = self.spell(self.condition)
            lines.append(f"affine.if affine_set<({dims}) : ({form} >= 0)>({loops}) {{")
        for axis, (form, data) in enumerate(self.subscripts):
            dims, text = self.spell(form)
            lines.append(f"%f{axis} = affine.apply affine_map<({dims}) -> ({text})>({loops})")
            lines.append(
                f"%x{axis} = affine.apply affine_map<(d) -> (d)>(%f{axis})"
                if data is None
                else f"%x{axis} = arith.addi %f{axis}, %k{data} : index"
            )
        index = ", ".join(f"%x{axis}" for axis in range(self.rank))
        lines += [
            f"%v = memref.load %a[{index}] : {kind}",
            "%w = arith.addi %v, %one : i64",
            f"memref.store %w, %a[{index}] : {kind}",
        ]
        return "\n".join(lines + ["}"] * (self.depth + bool(self.condition)) + ["return", "}"])

    def iterations(self, ends):
        def visit(loops):
            if len(loops) == self.depth:
                yield loops
                return
            level = len(loops)
            for i in range(loops[-1] if self.inner[level] else 0, ends[level]):
                yield from visit([*loops, i])

        for loops in visit([]):
            if not self.condition or self.value(self.condition, loops) >= 0:
                yield loops

    def value(self, form, loops):
        return sum(c * i for c, i in zip(form[0], loops)) + form[1]

    def index(self, loops, ix):
        return [self.value(form, loops) + (0 if at is None else int(ix[loops[at]])) for form, at in self.subscripts]


@pytest.mark.parametrize("part", range(4))
def test_random_nests(part):
    seen = {"inside": 0, "before": 0, "data": 0}
    for seed in range(part * 12, part * 12 + 12):
        nest = Nest(seed)
        f = bl.compile(nest.text())
        for _ in range(40):
            pick = nest.random.randint
            shape = [pick(2, 9) for _ in range(nest.rank)]
            ends = [pick(0, 4) for _ in range(nest.depth)]
            ix = np.array([pick(0, 3) if pick(0, 9) else 9 for _ in range(8)])
            a, expected = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
            affine, data = set(), set()
            for loops in nest.iterations(ends):
                index = nest.index(loops, ix)
                outside = {(axis, i) for axis, i in enumerate(index) if not 0 <= i < shape[axis]}
                affine |= {(axis, i) for axis, i in outside if nest.subscripts[axis][1] is None}
                data |= outside
                if not data:
                    expected[tuple(index)] += 1
            case = f"seed {seed}, shape {shape}, ends {ends}, ix {ix}\n{nest.text()}"
            if not data:
                seen["inside"] += 1
                f(a, ix, *ends)
                np.testing.assert_array_equal(a, expected, err_msg=case)
                continue
            with pytest.raises(bl.ShapeError) as raised:
                f(a, ix, *ends)
            told = re.search(r"index (-?\d+) is outside axis (\d) of argument 'a'", str(raised.value))
            index, axis = map(int, told.groups())
            assert (axis, index) in (affine or data), f"{raised.value}\n{case}"
            seen["before" if affine else "data"] += 1
            if affine:
                assert not a.any(), case
    assert all(count > 5 for count in seen.values()), seen


def test_axes_of_several_loops():
    """One axis is known in front of all loops, one in front of an inner loop, and one where it happens."""
    f = bl.compile("""\
func.func @main(%a: memref<?x?x?xi64>, %ix: memref<?xindex>, %n: index) {
  %one = arith.constant 1 : i64
  affine.for %i = 0 to %n {
    %k = affine.load %ix[%i] : memref<?xindex>
    affine.for %j = 0 to %n {
      %l = affine.load %ix[%j] : memref<?xindex>
      memref.store %one, %a[%j, %k, %l] : memref<?x?x?xi64>
    }
  }
  return
}
""")
    for extents, ix in itertools.product(itertools.product([2, 3], repeat=3), ([0, 1, 2], [2, 1, 0], [1, 1, 0])):
        a, expected, failure = np.zeros(extents, np.int64), np.zeros(extents, np.int64), None
        if extents[0] < 3:
            failure = (0, 2)
        for i in range(3):
            if failure is None and ix[i] >= extents[1]:
                failure = (1, ix[i])
            for j in range(3):
                if failure is None and ix[j] >= extents[2]:
                    failure = (2, ix[j])
                if failure is None:
                    expected[j, ix[i], ix[j]] = 1
        if failure is None:
            f(a, np.array(ix), 3)
        else:
            with pytest.raises(bl.ShapeError, match=f"index {failure[1]} is outside axis {failure[0]} of"):
                f(a, np.array(ix), 3)
        np.testing.assert_array_equal(a, expected)
