"""Random loop nests over memory against their enumeration in Python (mem-2): no
access outside is missed, none inside is refused, one that is outside is told, and
a call that fails has written nothing."""

import random
import re

import broadloom as bl
import numpy as np
import pytest


class Nest:
    """A nest that adds numbers to elements: its text, and what it accesses."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.rank = self.random.choice([1, 1, 2])
        self.depth = self.random.choice([1, 2, 2, 3])
        self.symbols = ["%n", "%m", "%d0"] + (["%d1"] if self.rank == 2 else [])
        self.loops = []
        for level in range(self.depth):
            self.loops.append((self.bound(level), self.bound(level, upper=True), self.random.choice([1, 1, 1, 2, 3])))
        self.condition = self.form(self.depth) if self.random.random() < 0.4 else None
        self.has_else = self.random.random() < 0.3
        self.subscripts = [self.form(self.depth, divides=True) for _ in range(self.rank)]

    def form(self, level, divides=False):
        """Coefficients of the loops outside, of the symbols, a constant, and a divisor or modulus."""
        pick = self.random.choice
        loops = [pick([0, 0, 1, 1, -1, 2]) for _ in range(level)]
        symbols = [pick([0, 0, 0, 0, 1, -1]) for _ in self.symbols]
        how = pick(["", "", "", "floordiv", "mod"]) if divides else ""
        return loops, symbols, self.random.randint(-3, 3), (how, self.random.randint(2, 3))

    def bound(self, level, upper=False):
        forms = [self.form(level) for _ in range(self.random.choice([1, 1, 1, 2]))]
        if upper:
            for _loops, symbols, *_ in forms[:1]:
                if self.random.random() < 0.8:
                    symbols[self.random.randrange(len(symbols))] = 1
        return forms

    def spell(self, form, level):
        loops, symbols, constant, (how, by) = form
        parts = [f"{c} * d{i}" for i, c in enumerate(loops)] + [f"{c} * s{i}" for i, c in enumerate(symbols)]
        text = " + ".join(parts + [str(constant)])
        return f"({text}) {how} {by}" if how else text

    def heads(self, level):
        return (
            ", ".join(f"d{i}" for i in range(level)),
            ", ".join(f"s{i}" for i in range(len(self.symbols))),
            ", ".join(f"%i{i}" for i in range(level)),
            ", ".join(self.symbols),
        )

    def map(self, forms, level):
        dims, symbols, loops, values = self.heads(level)
        return (
            f"affine_map<({dims})[{symbols}] -> ({', '.join(self.spell(f, level) for f in forms)})>({loops})[{values}]"
        )

    def text(self):
        kind = f"memref<{'x'.join('?' * self.rank)}xi64>"
        lines = [f"func.func @main(%a: {kind}, %n: index, %m: index) {{", "  %one = arith.constant 1 : i64"]
        for axis in range(self.rank):
            lines += [f"  %c{axis} = arith.constant {axis} : index", f"  %d{axis} = memref.dim %a, %c{axis} : {kind}"]
        for level, (lower, upper, step) in enumerate(self.loops):
            lines.append(
                f"affine.for %i{level} = max {self.map(lower, level)} to min {self.map(upper, level)} step {step} {{"
            )
        dims, symbols, loops, values = self.heads(self.depth)
        index = ", ".join(f"%x{axis}" for axis in range(self.rank))
        for axis, form in enumerate(self.subscripts):
            lines.append(f"%x{axis} = affine.apply {self.map([form], self.depth)}")
        access = [
            f"%v = affine.load %a[{index}] : {kind}",
            "%w = arith.addi %v, %one : i64",
            f"affine.store %w, %a[{index}] : {kind}",
        ]
        if self.condition:
            lines.append(
                f"affine.if affine_set<({dims})[{symbols}] : ({self.spell(self.condition, self.depth)} "
                f">= 0)>({loops})[{values}] {{"
            )
            lines += [*(() if self.has_else else access), "} else {", *(access if self.has_else else ()), "}"]
        else:
            lines += access
        return "\n".join(lines + ["}"] * self.depth + ["return", "}"])

    def evaluate(self, form, loops, values):
        coefficients, symbols, constant, (how, by) = form
        value = sum(c * i for c, i in zip(coefficients, loops)) + sum(c * s for c, s in zip(symbols, values)) + constant
        return value // by if how == "floordiv" else value % by if how == "mod" else value

    def run(self, a, n, m):
        """Changes `a` as the program does, or gives the indices that are outside, and their axes. The first is
        told, or one that is known to be the same in all iterations."""
        values = [n, m, *a.shape]
        before, failures = a.copy(), []

        def visit(loops):
            if len(loops) < self.depth:
                lower, upper, step = self.loops[len(loops)]
                first = max(self.evaluate(f, loops, values) for f in lower)
                for i in range(first, min(self.evaluate(f, loops, values) for f in upper), step):
                    visit([*loops, i])
                return
            if self.condition and (self.evaluate(self.condition, loops, values) >= 0) == self.has_else:
                return
            index = [self.evaluate(f, loops, values) for f in self.subscripts]
            outside = [(i, axis) for axis, (i, extent) in enumerate(zip(index, a.shape)) if not 0 <= i < extent]
            if outside:
                failures.append(outside)
            else:
                a[tuple(index)] += 1

        visit([])
        if not failures:
            return []
        a[...] = before
        return [pair for outside in failures for pair in outside]


@pytest.mark.parametrize("part", range(8))
def test_random_nests(part):
    for seed in range(part * 25, part * 25 + 25):
        nest = Nest(seed)
        f = bl.compile(nest.text())
        for _ in range(40):
            pick = nest.random.randint
            shape = tuple(pick(0, 7) for _ in range(nest.rank))
            n, m = pick(-3, 9), pick(-3, 9)
            given, expected = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
            failures = nest.run(expected, n, m)
            case = f"seed {seed}, shape {shape}, n {n}, m {m}\n{nest.text()}"
            if not failures:
                f(given, n, m)
            else:
                with pytest.raises(bl.ShapeError) as raised:
                    f(given, n, m)
                told = re.search(
                    r"index (-?\d+) is outside axis (\d) of argument 'a', whose extent is (\d+)(?:: .*)?$",
                    str(raised.value),
                )
                index, axis, extent = map(int, told.groups())
                assert (index, axis) in failures and extent == shape[axis], f"{raised.value}\n{case}"
            # The condition of three loops may be too large to be computed, and accesses are checked one by one.
            if not failures or nest.depth < 3:
                np.testing.assert_array_equal(given, expected, err_msg=case)


@pytest.mark.parametrize("sizes", [(64,), (64, 16), (64, 16, 4), (60, 12, 6)])
def test_tiles_write_nothing_if_one_goes_outside(sizes):
    """A product whose loops are tiled several times is checked before it begins (mem-2)."""
    values = dict.fromkeys("ijk", None)
    lines = []
    for step, around in zip((*sizes, 1), (None, *sizes)):
        for loop, outer in values.items():
            variable = f"%{loop}{len(lines)}"
            bounds = (
                f"affine_map<(d) -> (d)>({outer}) to min affine_map<(d)[s] -> (d + {around}, s)>({outer})[%n{loop}]"
                if outer
                else f"0 to %n{loop}"
            )
            lines.append(f"affine.for {variable} = {bounds} step {step} {{")
            values[loop] = variable
    i, j, k = values.values()
    kind = "memref<?x?xf32>"
    text = "\n".join(
        [f"func.func @main(%a: {kind}, %b: {kind}, %c: {kind}, %ni: index, %nj: index, %nk: index) {{", *lines]
        + [f"%x = affine.load %a[{i}, {k}] : {kind}", f"%y = affine.load %b[{k}, {j}] : {kind}"]
        + [f"%z = affine.load %c[{i}, {j}] : {kind}", "%p = arith.mulf %x, %y : f32", "%q = arith.addf %p, %z : f32"]
        + [f"affine.store %q, %c[{i}, {j}] : {kind}", "}" * len(lines), "return", "}"]
    )
    f = bl.compile(text)
    rng = np.random.default_rng(1)
    a, b, c = rng.random((70, 30), np.float32), rng.random((30, 66), np.float32), np.zeros((70, 66), np.float32)
    f(a, b, c, 70, 66, 30)
    np.testing.assert_allclose(c, a @ b, rtol=1e-5)
    c[...] = 0
    with pytest.raises(bl.ShapeError, match="index 69 is outside axis 0 of argument 'c', whose extent is 69"):
        f(a, b, c[:69], 70, 66, 30)
    assert not c.any()


@pytest.mark.parametrize("step", [2**41, 2**58, 2**60, 2**61, 2**62, 2**63 - 1])
def test_steps_longer_than_the_loop(step):
    """From 3 t to -1 - t, where both wrap (rt-13): a loop that is empty needs nothing, any other one fails."""
    f = bl.compile(f"""\
func.func @main(%a: memref<?xi64>, %t: index, %p: index) {{
  %one = arith.constant 1 : i64
  %step = arith.constant {step} : index
  %three = arith.constant 3 : index
  %minus = arith.constant -1 : index
  %first = arith.muli %t, %three : index
  %end = arith.subi %minus, %t : index
  scf.for %i = %first to %end step %step {{
    memref.store %one, %a[%p] : memref<?xi64>
  }}
  return
}}
""")
    for t in (0, 5, -5, 2**40, 2**50, 2**61 + 5, 2**62, 2**63 - 1, -(2**61), -(2**63) + 2):
        first, end = ((x + 2**63) % 2**64 - 2**63 for x in (3 * t, -1 - t))
        if end - first > 1000 * step:
            continue
        a = np.zeros(3, np.int64)
        if first < end:
            with pytest.raises(bl.ShapeError, match="index 7 is outside axis 0 of argument 'a', whose extent is 3"):
                f(a, t, 7)
        else:
            f(a, t, 7)
        assert not a.any()


@pytest.mark.parametrize("n", [2**40 - 1, 2**40, 2**62, 2**63 - 1, -(2**40), -(2**62), -(2**63)])
def test_large_bounds(n):
    """Bounds that wrap are those of 64 bits, as everywhere (rt-13)."""
    f = bl.compile("""\
func.func @main(%a: memref<?xi64>, %n: index) {
  %one = arith.constant 1 : i64
  affine.for %i = affine_map<(d) -> (d + 1)>(%n) to affine_map<(d) -> (d + 3)>(%n) {
    affine.store %one, %a[%i] : memref<?xi64>
  }
  return
}
""")
    wrap = lambda x: (x + 2**63) % 2**64 - 2**63
    a = np.zeros(4, np.int64)
    first, end = wrap(n + 1), wrap(n + 3)
    if first < end:
        with pytest.raises(bl.ShapeError, match=f"index {first} is outside"):
            f(a, n)
    else:
        f(a, n)
    assert not a.any()


def test_a_number_of_an_outer_loop_in_two_inner_ones():
    """The loops with checks alone compute it in both."""
    f = bl.compile("""\
func.func @main(%a: memref<?xi64>, %n: index, %k: index) {
  %one = arith.constant 1 : i64
  affine.for %i = 0 to %n {
    %x = affine.apply affine_map<(d)[s] -> (d + s)>(%i)[%k]
    affine.for %j = 0 to 2 {
      affine.store %one, %a[%x + %j] : memref<?xi64>
    }
    affine.for %j = 0 to 3 {
      affine.store %one, %a[%x + %j] : memref<?xi64>
    }
  }
  return
}
""")
    a = np.zeros(8, np.int64)
    with pytest.raises(bl.ShapeError, match=r":9:7: 'affine.store': index 8 is outside axis 0 of argument 'a'"):
        f(a, 5, 2)
    assert not a.any()
    f(a, 3, 1)
    assert a.tolist() == [0, 1, 1, 1, 1, 1, 0, 0]
