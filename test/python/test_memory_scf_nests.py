"""Random loop nests of `scf`, with bounds, conditions and subscripts by `arith` and
`index`, against their enumeration in Python (mem-2)."""

import random
import re

import broadloom as bl
import numpy as np
import pytest

WORD = 2**63


class Nest:
    """A nest that counts in elements: its text, and what it accesses. An expression is a pair of a function of the
    loops' variables and the symbols, and the name of its value in the text."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.rank = self.random.choice([1, 1, 2])
        self.depth = self.random.choice([1, 2, 2, 2, 3])
        self.lines, self.count, self.loops, self.body = [], 0, [], []
        kind = f"memref<{'x'.join('?' * self.rank)}xi64>"
        self.symbols = [(lambda i, s: s["n"], "%n"), (lambda i, s: s["m"], "%m")]
        for axis in range(self.rank):
            self.symbols.append(
                self.emit(lambda i, s, axis=axis: s["shape"][axis], f"memref.dim %a, %c{axis} : {kind}")
            )
        # A number of 32 bits that is known in front.
        self.symbols.append(self.emit(lambda i, s: s["k"], "arith.index_cast %k : i32 to index"))
        self.indices, self.kind = [], kind
        for level in range(self.depth):
            self.open_loop(level)
        if self.random.random() < 0.5:
            self.condition = self.comparison(2)
            self.has_else = self.random.random() < 0.3
            self.lines.append(f"scf.if {self.condition[1]} {{" + ("} else {" if self.has_else else ""))
        else:
            self.condition = None
        self.subscripts = [self.number(2) for _ in range(self.rank)]
        index = ", ".join(name for _value, name in self.subscripts)
        self.lines += [
            f"%v = memref.load %a[{index}] : {kind}",
            "%w = arith.addi %v, %one : i64",
            f"memref.store %w, %a[{index}] : {kind}",
            *["}"] * (self.depth + (self.condition is not None)),
        ]

    def emit(self, value, text):
        self.count += 1
        self.lines.append(f"%e{self.count} = {text}")
        return value, f"%e{self.count}"

    def constant(self, value):
        return self.emit(lambda i, s: value, f"arith.constant {value} : index")

    def open_loop(self, level):
        pick = self.random.random
        lower = self.constant(self.random.randint(-1, 2)) if pick() < 0.5 else self.number(1)
        upper = self.random.choice(self.symbols) if pick() < 0.4 else self.number(1, symbolic=True)
        if pick() < 0.2:
            upper = self.binary("min", upper, self.number(1))
        step = self.constant(self.random.choice([1, 1, 1, 2, 3]))
        if pick() < 0.1:
            step = self.binary("max", self.random.choice(self.symbols), self.constant(1))
        if pick() < 0.1:
            step = (lambda i, s: s["t"], "%t")
        self.lines.append(f"scf.for %i{level} = {lower[1]} to {upper[1]} step {step[1]} {{")
        self.loops.append((lower[0], upper[0], step[0]))
        self.indices.append((lambda i, s: i[level], f"%i{level}"))

    def binary(self, how, x, y):
        (a, left), (b, right) = x, y
        value, texts = {
            "add": (lambda p, q: p + q, ["arith.addi", "index.add"]),
            "sub": (lambda p, q: p - q, ["arith.subi", "index.sub"]),
            "mul": (lambda p, q: p * q, ["arith.muli", "index.mul"]),
            "min": (min, ["arith.minsi", "index.mins"]),
            "max": (max, ["arith.maxsi", "index.maxs"]),
            "floordiv": (lambda p, q: p // q, ["arith.floordivsi", "index.floordivs"]),
            "ceildiv": (lambda p, q: -(-p // q), ["arith.ceildivsi", "index.ceildivs"]),
            "div": (lambda p, q: abs(p) // q * (1 if p >= 0 else -1), ["arith.divsi", "index.divs"]),
            "rem": (lambda p, q: abs(p) % q * (1 if p >= 0 else -1), ["arith.remsi", "index.rems"]),
            "and": (lambda p, q: p & q, ["arith.andi", "index.and"]),
            "shl": (lambda p, q: p << q, ["arith.shli", "index.shl"]),
            "shr": (lambda p, q: p >> q, ["arith.shrsi", "index.shrs"]),
        }[how]
        text = self.random.choice(texts)
        kind = " : index" if text.startswith("arith") else ""
        return self.emit(lambda i, s: value(a(i, s), b(i, s)), f"{text} {left}, {right}{kind}")

    def leaf(self, symbolic=False):
        pick = self.random.random()
        if pick < 0.15:
            return self.constant(self.random.randint(-3, 4))
        if pick < 0.3 or symbolic or not self.indices:
            return self.random.choice(self.symbols)
        return self.random.choice(self.indices)

    def number(self, depth, symbolic=False):
        pick = self.random.random()
        if depth == 0 or pick < 0.3:
            return self.leaf(symbolic)
        x = self.number(depth - 1, symbolic)
        if pick < 0.7:
            return self.binary(self.random.choice(["add", "add", "sub"]), x, self.number(depth - 1))
        if pick < 0.75:
            return self.binary(self.random.choice(["min", "max"]), x, self.number(depth - 1))
        if pick < 0.78 and self.indices:
            return self.binary("mul", self.random.choice(self.indices), self.random.choice(self.symbols))
        if pick < 0.82:
            (c, condition), y = self.comparison(0), self.number(depth - 1)
            return self.emit(
                lambda i, s: x[0](i, s) if c(i, s) else y[0](i, s),
                f"arith.select {condition}, {x[1]}, {y[1]} : index",
            )
        how, by = self.random.choice(
            [("mul", 2), ("mul", -1), ("floordiv", 2), ("floordiv", 3), ("ceildiv", 2), ("div", 2), ("rem", 3)]
            + [("and", 3), ("and", 1), ("shl", 1), ("shr", 1)]
        )
        return self.binary(how, x, self.constant(by))

    def comparison(self, depth):
        pick = self.random.random()
        if depth == 0 or pick < 0.5:
            if pick < 0.06:
                return lambda i, s: bool(s["b"]), "%b"
            how, value = self.random.choice(
                [
                    ("eq", lambda p, q: p == q),
                    ("ne", lambda p, q: p != q),
                    ("slt", lambda p, q: p < q),
                    ("sle", lambda p, q: p <= q),
                    ("sgt", lambda p, q: p > q),
                    ("sge", lambda p, q: p >= q),
                    ("ult", lambda p, q: p % (2 * WORD) < q % (2 * WORD)),
                    ("uge", lambda p, q: p % (2 * WORD) >= q % (2 * WORD)),
                ]
            )
            (a, left), (b, right) = self.number(1), self.number(1)
            text = self.random.choice(
                [f"arith.cmpi {how}, {left}, {right} : index", f"index.cmp {how}({left}, {right})"]
            )
            return self.emit(lambda i, s: value(a(i, s), b(i, s)), text)
        (a, left), (b, right) = self.comparison(depth - 1), self.comparison(depth - 1)
        how, value = self.random.choice(
            [("andi", lambda p, q: p and q), ("ori", lambda p, q: p or q), ("xori", lambda p, q: p != q)]
        )
        if how == "xori" and self.random.random() < 0.8:
            b, right = (lambda i, s: True), "%true"
        return self.emit(lambda i, s: value(a(i, s), b(i, s)), f"arith.{how} {left}, {right} : i1")

    def text(self):
        head = f"func.func @main(%a: {self.kind}, %n: index, %m: index, %k: i32, %b: i1, %t: index) {{"
        constants = ["%one = arith.constant 1 : i64", "%true = arith.constant true"]
        constants += [f"%c{axis} = arith.constant {axis} : index" for axis in range(self.rank)]
        return "\n".join([head, *constants, *self.lines, "return", "}"])

    def run(self, a, symbols):
        """Changes `a` as the program does, or gives what may be told: an index that is outside, and its axis, or a
        step below 1."""
        before, failures = a.copy(), []
        symbols = {**symbols, "shape": a.shape}

        def visit(loops):
            if len(loops) < self.depth:
                lower, upper, step = (value(loops, symbols) for value in self.loops[len(loops)])
                if step < 1:
                    failures.append("step")
                    return
                for i in range(lower, upper, step):
                    visit([*loops, i])
                return
            if self.condition and bool(self.condition[0](loops, symbols)) == self.has_else:
                return
            index = [value(loops, symbols) for value, _name in self.subscripts]
            outside = [(i, axis) for axis, (i, extent) in enumerate(zip(index, a.shape)) if not 0 <= i < extent]
            if outside:
                failures.extend(outside)
            else:
                a[tuple(index)] += 1

        visit([])
        if failures:
            a[...] = before
        return failures


def check(seed, calls=30):
    """Whether the accesses are checked in front of the outermost loop."""
    nest = Nest(seed)
    text = nest.text()
    f = bl.compile(text)
    told = re.sub(r"\s+", " ", str(bl.check(text)))
    first = text[: text.index("scf.for")].count("\n") + 1
    is_in_front = "no loop has one check" not in told and set(
        re.findall(r"in front of the loop at <text>:(\d+)", told)
    ) <= {str(first)}
    for _ in range(calls):
        pick = nest.random.randint
        shape = tuple(pick(0, 7) for _ in range(nest.rank))
        symbols = {"n": pick(-3, 9), "m": pick(-3, 9), "k": pick(-2, 6), "b": pick(0, 1), "t": pick(0, 3)}
        given, expected = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
        failures = nest.run(expected, symbols)
        case = f"seed {seed}, shape {shape}, {symbols}\n{text}"
        arguments = (given, symbols["n"], symbols["m"], np.int32(symbols["k"]), bool(symbols["b"]), symbols["t"])
        if not failures:
            try:
                f(*arguments)
            except bl.ShapeError as error:
                pytest.fail(f"{error}\n{case}")
        else:
            with pytest.raises(bl.ShapeError) as raised:
                f(*arguments)
                pytest.fail(case)
            named = re.search(r"index (-?\d+) is outside axis (\d) of argument 'a'", str(raised.value))
            failure = (
                (int(named[1]), int(named[2]))
                if named
                else "step"
                if "the step of the loop" in str(raised.value)
                else 0
            )
            assert failure in failures, f"{raised.value}\n{case}"
        if not failures or (is_in_front and "step" not in failures):
            np.testing.assert_array_equal(given, expected, err_msg=case)
    return is_in_front


@pytest.mark.parametrize("part", range(4))
def test_random_nests(part):
    in_front = sum(check(seed) for seed in range(part * 30, part * 30 + 30))
    assert in_front >= 15


def wrap(number, bits):
    return (number + 2 ** (bits - 1)) % 2**bits - 2 ** (bits - 1)


LARGE = [0, 3, 2**29, 2**40 - 1, 2**40, 2**61, 2**63 - 3, -(2**40), -(2**62), -(2**63)]


@pytest.mark.parametrize("first", LARGE)
@pytest.mark.parametrize("factor", [1, 2**20, 2**62, -(2**63)])
def test_words_of_64_bits(first, factor):
    """Numbers that wrap are not those of the condition in front, and are checked one by one."""
    f = bl.compile("""\
func.func @main(%a: memref<?xi64>, %n: index, %k: index) {
  %one = arith.constant 1 : i64
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %end = arith.addi %n, %c2 : index
  scf.for %i = %n to %end step %c1 {
    %p = arith.muli %i, %k : index
    memref.store %one, %a[%p] : memref<?xi64>
  }
  return
}
""")
    a = np.zeros(4, np.int64)
    indices = [wrap(i * factor, 64) for i in range(first, wrap(first + 2, 64))]
    outside = [i for i in indices if not 0 <= i < 4]
    if outside:
        with pytest.raises(bl.ShapeError, match=f"index {outside[0]} is outside"):
            f(a, first, factor)
        assert not a.any()
    else:
        f(a, first, factor)
        assert sorted(set(indices)) == np.flatnonzero(a).tolist()


@pytest.mark.parametrize("first", [0, 1, 5, 2**30 - 1, 2**30, 2**31 - 4, -(2**30), -(2**31)])
def test_words_of_32_bits(first):
    f = bl.compile("""\
func.func @main(%a: memref<?xi64>, %n: i32) {
  %one = arith.constant 1 : i64
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %end = arith.addi %n, %c2 : i32
  scf.for %i = %n to %end step %c1 : i32 {
    %p = arith.muli %i, %c2 : i32
    %q = arith.index_cast %p : i32 to index
    memref.store %one, %a[%q] : memref<?xi64>
  }
  return
}
""")
    a = np.zeros(5, np.int64)
    indices = [wrap(i * 2, 32) for i in range(first, first + 2)]
    outside = [i for i in indices if not 0 <= i < 5]
    if outside:
        with pytest.raises(bl.ShapeError, match=f"index {outside[0]} is outside"):
            f(a, np.int32(first))
        assert not a.any()
    else:
        f(a, np.int32(first))
        assert indices == np.flatnonzero(a).tolist()


@pytest.mark.parametrize("step", [-(2**63), -1, 0, 1, 2, 5, 2**63 - 1])
def test_steps_that_are_not_known(step):
    """A step below 1 is an error, even of a loop without iterations; and a step counts for what is accessed."""
    f = bl.compile("""\
func.func @main(%a: memref<?xi64>, %n: index, %s: index) {
  %one = arith.constant 1 : i64
  %c0 = arith.constant 0 : index
  scf.for %i = %c0 to %n step %s {
    memref.store %one, %a[%i] : memref<?xi64>
  }
  return
}
""")
    a = np.zeros(6, np.int64)
    for n in (0, 6, 7):
        if step < 1:
            with pytest.raises(bl.ShapeError, match=f"the step of the loop is {step}, expected at least 1"):
                f(a, n, step)
        elif n == 7 and step in (1, 2):
            with pytest.raises(bl.ShapeError, match="index 6 is outside axis 0 of argument 'a', whose extent is 6"):
                f(a, n, step)
        else:
            a[:] = 0
            f(a, n, step)
            assert np.flatnonzero(a).tolist() == list(range(0, n, step))
            a[:] = 0
    assert not a.any()


PARALLEL = {
    "affine.parallel (%i, %j) = (0, 1) to (symbol(%n), min(symbol(%m), 5)) step (1, 2) {": "",
    "scf.parallel (%i, %j) = (%c0, %c1) to (%n, %l) step (%c1, %c2) {": "scf.reduce",
}


@pytest.mark.parametrize("loop", PARALLEL)
def test_parallel_loops(loop):
    f = bl.compile(f"""\
func.func @main(%a: memref<?x?xi64>, %n: index, %m: index) {{
  %one = arith.constant 1 : i64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %l = arith.minsi %m, %c5 : index
  {loop}
    memref.store %one, %a[%i, %j] : memref<?x?xi64>
  {PARALLEL[loop]}
  }}
  return
}}
""")
    a = np.zeros((3, 4), np.int64)
    f(a, 3, 9)
    assert a.tolist() == [[0, 1, 0, 1]] * 3
    a[...] = 0
    with pytest.raises(bl.ShapeError, match=r"'memref.store': index 3 is outside axis 0 of argument 'a'") as raised:
        f(a, 4, 2)
    assert ":9:5: " in str(raised.value)
    assert not a.any()


def test_extents_and_choices_in_the_loops():
    text = """\
func.func @main(%a: memref<?x?xi64>, %n: index) {
  %one = arith.constant 1 : i64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %rows = memref.dim %a, %c0 : memref<?x?xi64>
    %last = index.sub %rows, %c1
    %row = arith.minsi %i, %last : index
    %columns = memref.dim %a, %c1 : memref<?x?xi64>
    scf.for %j = %i to %columns step %c1 {
      memref.store %one, %a[%row, %j] : memref<?x?xi64>
    }
  }
  return
}
"""
    f = bl.compile(text)
    a = np.zeros((2, 4), np.int64)
    f(a, 9)
    assert a.tolist() == [[1, 1, 1, 1], [0, 1, 1, 1]]
    f(np.zeros((0, 0), np.int64), 9)
    with pytest.raises(bl.ShapeError, match="index -1 is outside axis 0 of argument 'a', whose extent is 0"):
        f(np.zeros((0, 4), np.int64), 1)
    assert "checked once in front of the loop" in re.sub(r"\s+", " ", str(bl.check(text)))


@pytest.mark.parametrize("n", [10**10, 2 * 10**10])
def test_a_failure_far_away_is_told_at_once(n):
    """Looking at each element before it would take seconds."""
    f = bl.compile("""\
func.func @main(%a: memref<?xi8, strided<[?]>>, %n: index, %x: i8) {
  %c7 = arith.constant 7 : index
  affine.for %i = 3 to %n step 2 {
    affine.for %j = 0 to 5 {
      affine.store %x, %a[%i + %j] : memref<?xi8, strided<[?]>>
    }
  }
  return
}
""")
    a = np.lib.stride_tricks.as_strided(np.zeros(1, np.int8), (n,), (0,))
    with pytest.raises(
        bl.ShapeError, match=rf"index {n} is outside axis 0 of argument 'a', whose extent is {n}: %i \+ %j with %i = "
    ):
        f(a, n, np.int8(1))
    assert a[0] == 0


def test_a_loop_that_is_not_reached_is_not_told():
    """An access in a loop that runs only where an earlier access is inside is not told in place of that one."""
    program = bl.compile(
        """
func.func @main(%a: memref<?x?xi64>, %b: memref<?xi64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %four = arith.constant 4 : index
  %n = memref.dim %a, %zero : memref<?x?xi64>
  %m = memref.dim %a, %one : memref<?x?xi64>
  %k = memref.dim %b, %zero : memref<?xi64>
  %next = arith.addi %k, %one : index
  %most = arith.minsi %next, %n : index
  scf.for %i = %zero to %most step %one {
    %x = memref.load %a[%zero, %i] : memref<?x?xi64>
    %before = arith.subi %i, %two : index
    %y = memref.load %b[%before] : memref<?xi64>
    %sum = arith.addi %i, %m : index
    %last = arith.subi %sum, %one : index
    %upper = arith.minsi %last, %four : index
    scf.for %j = %zero to %upper step %one {
      memref.store %y, %b[%zero] : memref<?xi64>
    }
  }
  return
}
"""
    )
    with pytest.raises(bl.ShapeError, match=r"'memref\.load': index -2 is outside axis 0 of argument 'b'"):
        program(np.zeros((4, 1), np.int64), np.zeros(0, np.int64))
