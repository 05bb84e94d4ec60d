"""Loops whose subscripts are data: what they compute, what they say of the first index
that is outside, and what they have written by then, beside an enumeration."""

import collections
import mmap
import os
import random
import re
import subprocess
import sys
import time
from dataclasses import dataclass, field

import broadloom as bl
import numpy as np
import pytest

MESSAGE = re.compile(r"text>?:(\d+):\d+: '[\w.]+': index (-?\d+) is outside axis (\d+) of .*, whose extent is (-?\d+)")
# Up to three blocks and more (decision 127), and beside multiples of the elements of vectors.
TRIPS = [*range(26), *range(26), 31, 32, 33, 63, 100, 511, 512, 513]
# Numpy's types of subscripts.
TYPES = {"i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64", "index": "int64"}
# Iterations of an outer loop.
OUTER = 3


class Outside(Exception):
    """The place of an access, the index, and the extent."""


@dataclass
class Program:
    """A loop over memory of integers as lines of text, and the same as steps of an interpreter. A step is a function of
    the memory and the values so far, of which each has a number. Another loop may be around it."""

    dice: random.Random
    name: str
    memories: str = "abcd"
    lines: list = field(default_factory=list)
    steps: list = field(default_factory=list)
    values: int = 0

    def __post_init__(self):
        dice = self.dice
        self.step, self.start = dice.choice([1, 1, 1, 2, 3]), dice.choice([0, 0, 5])
        self.carries, self.isNest = dice.random() < 0.3, dice.random() < 0.3
        self.type = dice.choice([*TYPES, "i64", "i64"])
        self.memory = type_ = f"memref<?x{self.type}>"
        arguments = ", ".join(f"%{m}: {type_}" for m in self.memories)
        self.lines = [f"func.func @{self.name}({arguments}, %n: index) {{", f"%c7 = arith.constant 7 : {self.type}"]
        self.lines += ["%c0 = arith.constant 0 : index"]
        if self.isNest:
            self.lines.append(f"affine.for %k = 0 to {OUTER} {{")
        carried = f" iter_args(%s = %c7) -> ({self.type})" if self.carries else ""
        loop = f"affine.for %i = {self.start} to %n step {self.step}{carried} {{"
        self.lines.append(f"%r = {loop}" if self.carries else loop)
        for _ in range(dice.randint(1, 3)):
            self.statement()
        if self.carries:
            self.lines += [f"%t = arith.xori %s, %v{self.values - 1} : {self.type}", f"affine.yield %t : {self.type}"]
        self.lines.append("}")
        if self.carries:
            self.lines.append(f"memref.store %r, %a[%c0] : {type_}")
        if self.isNest:
            self.lines.append("}")
        self.lines += ["return", "}"]

    def statement(self):
        """Chains of loads, and mostly a store."""
        dice = self.dice
        value = self.load(self.affine())
        for _ in range(dice.choice([0, 1, 1, 2])):
            value = self.load(self.data(value))
        if dice.random() < 0.3:
            value = self.combine(value, self.load(self.affine()))
        if dice.random() < 0.8:
            where = self.data(self.load(self.affine())) if dice.random() < 0.5 else self.affine()
            self.store(where, value)

    def affine(self):
        """An index that is inside, as text and as a function."""
        choices = [("%i", lambda i, _: i), ("%n - 1 - %i", lambda i, v: v["n"] - 1 - i)]
        if self.isNest:
            choices += [("%k", lambda _, v: v["k"]), ("%k + 1", lambda _, v: v["k"] + 1)]
        return self.dice.choice(choices)

    def data(self, number):
        more = self.dice.choice([0, 0, 0, 1, -1])
        name = f"%x{len(self.lines)}"
        if self.type == "index":
            name = f"%v{number}"
        else:
            self.lines.append(f"{name} = arith.index_cast %v{number} : {self.type} to index")
        if more:
            sum_ = f"%p{len(self.lines)}"
            self.lines.append(f"{sum_}m = arith.constant {more} : index")
            self.lines.append(f"{sum_} = arith.addi {name}, {sum_}m : index")
            name = sum_
        return name, lambda _, v: (v[number] + more + 2**63) % 2**64 - 2**63

    def access(self, kind, memory, index):
        """The text's number of a line is an index into `lines`."""
        text, find = index
        dialect = "memref" if text[:2] in ("%v", "%x", "%p") else "affine"
        self.lines.append((kind, dialect, memory, text))
        place = len(self.lines)

        def check(i, memories, values):
            at, extent = find(i, values), memories[memory].size
            if not 0 <= at < extent:
                raise Outside(place, at, extent)
            return at

        return check

    def load(self, index):
        memory, number = self.dice.choice(self.memories), self.values
        self.values += 1
        check = self.access(f"%v{number} = {{}}.load %{{}}[{{}}]", memory, index)

        def run(i, memories, values):
            values[number] = int(memories[memory][check(i, memories, values)])

        self.steps.append(run)
        return number

    def combine(self, a, b):
        number = self.values
        self.values += 1
        self.lines.append(f"%v{number} = arith.xori %v{a}, %v{b} : {self.type}")
        self.steps.append(lambda i, memories, values: values.update({number: values[a] ^ values[b]}))
        return number

    def store(self, index, value):
        memory = self.dice.choice(self.memories)
        check = self.access(f"{{}}.store %v{value}, %{{}}[{{}}]", memory, index)

        def run(i, memories, values):
            memories[memory][check(i, memories, values)] = values[value]

        self.steps.append(run)

    def text(self):
        lines = []
        for line in self.lines:
            if isinstance(line, tuple):
                kind, dialect, memory, index = line
                line = kind.format(dialect, memory, index) + " : " + self.memory
            lines.append(line)
        return "\n".join(lines) + "\n"

    def run(self, arrays, n):
        memories = dict(zip(self.memories, arrays))
        for k in range(OUTER if self.isNest else 1):
            carried = 7
            for i in range(self.start, n, self.step):
                values = {"n": n, "k": k}
                for step in self.steps:
                    step(i, memories, values)
                if self.carries:
                    carried ^= values[self.values - 1]
            if self.carries:
                memories["a"][0] = carried


def arguments(dice, n, type_):
    """Memory whose elements are mostly indices that are inside. Some shares elements."""
    size = n + 8
    info = np.iinfo(TYPES[type_])
    wrong = [number for number in (-1, size, 2**62, info.min, info.max) if info.min <= number <= info.max]
    random = np.random.default_rng(dice.randrange(2**32))
    found = []
    for place in range(4):
        array = random.integers(2, size - 2, size).astype(info.dtype)
        if dice.random() < 0.4:
            for _ in range(dice.randint(1, 2)):
                array[dice.choice([0, n // 2, max(n - 1, 0), dice.randrange(size)])] = dice.choice(wrong)
        if place and dice.random() < 0.15:
            array = found[dice.randrange(place)]
            array = array if dice.random() < 0.5 else array[1:]
        found.append(array)
    return found


def copies(arrays):
    """Arrays that share memory as the given ones do."""
    bases = {id(a if a.base is None else a.base): (a if a.base is None else a.base).copy() for a in arrays}
    made = []
    for a in arrays:
        base = bases[id(a if a.base is None else a.base)]
        made.append(base[base.size - a.size :])
    return made


@pytest.mark.parametrize("seed", range(6))
def test_beside_an_enumeration(seed):
    dice = random.Random(seed)
    programs = [Program(dice, f"f{k}") for k in range(25)]
    compiled = bl.compile_program("".join(p.text() for p in programs), optimise=seed % 3 != 0)
    line, failed, ran = 0, 0, 0
    for program in programs:
        for _ in range(12):
            n = dice.choice([n for n in TRIPS if program.type != "i8" or n < 100])
            given = arguments(dice, n, program.type)
            expected = copies(given)
            outside = None
            try:
                program.run(expected, n)
            except Outside as error:
                outside = error.args
            try:
                compiled[program.name](*given, n)
                assert outside is None, program.text()
                ran += 1
            except bl.ShapeError as error:
                assert outside is not None, f"{error}\n{program.text()}"
                told = tuple(map(int, MESSAGE.search(str(error)).groups()))
                assert told == (line + outside[0], outside[1], 0, outside[2]), f"{error}\n{program.text()}"
                failed += 1
            for a, b in zip(given, expected):
                np.testing.assert_array_equal(a, b, program.text())
        line += program.text().count("\n")
    assert failed > 50 and ran > 50


GATHER = """func.func @main(%x: memref<?xi64>, %at: memref<?xi64>, %y: memref<?xi64>, %n: index) {
  affine.for %i = 0 to %n {
    %number = affine.load %at[%i] : memref<?xi64>
    %index = arith.index_cast %number : i64 to index
    %e = memref.load %x[%index] : memref<?xi64>
    affine.store %e, %y[%i] : memref<?xi64>
  }
  return
}"""


CHANGE = """import mmap, sys, time, numpy as np
at = np.frombuffer(mmap.mmap(int(sys.argv[1]), 0), np.int64)
while True:
    at[:] = 2**45
    at[:] = np.arange(at.size)
    time.sleep(1e-5)
"""


def test_another_process_changes_the_subscripts():
    """The values that were checked are the ones that are used. No lock of Python's is between the two."""
    f, n = bl.compile(GATHER), 4096
    file = os.memfd_create("indices")
    os.ftruncate(file, 8 * n)
    at = np.frombuffer(mmap.mmap(file, 8 * n), np.int64)
    x, y = np.full(n, 7), np.full(n, 7)
    other = subprocess.Popen([sys.executable, "-c", CHANGE, str(file)], pass_fds=[file])
    outcomes = collections.Counter()
    deadline = time.monotonic() + 60
    try:
        while sum(outcomes.values()) < 3000 or len(outcomes) < 2:
            assert time.monotonic() < deadline and other.poll() is None, outcomes
            try:
                f(x, at, y, n)
                outcomes["ran"] += 1
            except bl.ShapeError as error:
                assert f"index {2**45} is outside axis 0" in str(error)
                outcomes["failed"] += 1
            assert (y == 7).all()
    finally:
        other.kill()
        other.wait()
        os.close(file)


def test_one_file_at_two_addresses():
    """A store changes subscripts that are loaded later, which no comparison of addresses tells."""
    n, far = 512, 2**40
    file = os.memfd_create("indices")
    os.ftruncate(file, 8 * n)
    at, y = (np.frombuffer(mmap.mmap(file, 8 * n), np.int64) for _ in range(2))
    os.close(file)
    f = bl.compile("""func.func @main(%x: memref<?xi64>, %at: memref<?xi64>, %y: memref<?xi64>, %n: index) {
  affine.for %i = 0 to %n {
    %number = affine.load %at[%i] : memref<?xi64>
    %index = arith.index_cast %number : i64 to index
    %e = memref.load %x[%index] : memref<?xi64>
    affine.store %e, %y[%n - 1 - %i] : memref<?xi64>
  }
  return
}""")
    with pytest.raises(bl.ShapeError, match=rf"index {far} is outside axis 0 of .*, whose extent is {n}"):
        f(np.full(n, far), at, y, n)
    assert (y[: n // 2] == 0).all() and (y[n // 2 :] == far).all()
