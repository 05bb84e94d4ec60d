"""What --loom-infer-effects finds in random nests, against their enumeration (ffi-5):
each element that a call accesses is in a set, a call that returns has accessed all
of what is sure, and has not read what it initializes before it has written it."""

import itertools
import os
import re
import subprocess
import sys

import broadloom
import numpy as np
from broadloom import ROOT

sys.path.insert(0, os.path.join(ROOT, "test", "nests"))

from nest_generator import Generator
from nest_program import Load
from nest_run import Run, TooLong
from nest_text import write

OPT = os.path.join(os.path.dirname(broadloom.PROGRAM), "broadloom-opt")
CASES = 1500
SET = re.compile(r'#loom\.access_set<(\d+), #loom\.relation<"([^"]*)">(?:, \[([^\]]*)\])?>')
LIST = re.compile(r"(may_reads|may_writes|reads|initializes|writes) = \[(.*?>)\](?:, |\})")


class Recorder(Run):
    """Notes which elements of its arrays a call reads and writes, by their addresses."""

    def __init__(self, functions):
        super().__init__(functions, most=2_000)
        self.touched, self.read_first = set(), set()

    def note(self, address, is_write):
        if not is_write and (address, True) not in self.touched:
            self.read_first.add(address)
        self.touched.add((address, is_write))

    def touch(self, data, is_write):
        """Of an array without axes, or of all of its elements."""
        start = data.__array_interface__["data"][0]
        for place in np.ndindex(data.shape):
            self.note(start + sum(i * s for i, s in zip(place, data.strides)), is_write)

    def touch_one(self, node, place, is_write):
        part = self.parts[node.memory]
        if not self.outcome.outside and part.data is not None:
            data = part.data
            self.note(data.__array_interface__["data"][0] + sum(i * s for i, s in zip(place, data.strides)), is_write)

    def access(self, node):
        place, inside = super().access(node)
        self.touch_one(node, place, not isinstance(node, Load))
        return place, inside

    def copy(self, node):
        if not self.outcome.outside and self.parts[node.memory].shape == self.parts[node.target].shape:
            self.touch(self.parts[node.memory].data, False)
            self.touch(self.parts[node.target].data, True)
        super().copy(node)

    def temporary(self, node):
        if self.parts[node.memory].data is not None and not self.outcome.outside:
            self.touch(self.parts[node.memory].data, False)
        super().temporary(node)


def conjunctions(text):
    """Commas in a parenthesis that is in no other one are `and`."""
    depth, written = 0, []
    for c in text.replace("()", "(True)").replace("(false)", "(False)"):
        depth += (c == "(") - (c == ")")
        written.append(" and" if c == "," and depth == 1 else c)
    return "".join(written)


class Set:
    """A set of elements of one argument, as Python."""

    def __init__(self, argument, relation, scalars):
        self.argument = int(argument)
        symbols, outputs, parts = re.fullmatch(r"\(\)(?:\[(.*?)\])? -> \((.*?)\) : (.*)", relation).groups()
        self.symbols = symbols.split(", ") if symbols else []
        self.outputs = outputs.split(", ") if outputs else []
        self.scalars = re.findall(r"dim\(\d+, \d+\)|\d+", scalars or "")
        assert len(self.symbols) == len(self.scalars)
        self.is_known = "exists" not in parts
        text = conjunctions(parts).replace("floordiv", "//").replace("mod", "%")
        names = ", ".join([*self.symbols, *self.outputs])
        self.compute = eval(f"lambda {names}: {text}") if self.is_known else None

    def contains(self, place, arrays, numbers):
        values = []
        for scalar in self.scalars:
            found = [int(d) for d in re.findall(r"\d+", scalar)]
            values.append(arrays[found[0]].shape[found[1]] if "dim" in scalar else numbers[found[0] - len(arrays)])
        return self.compute(*values, *place)


def sets_of(line):
    """For reads and for writes, what is sure and all, and what is initialized."""
    found = {}
    for key, text in LIST.findall(line):
        found[key] = [Set(*entry) for entry in SET.findall(text)]
    first = found.get("initializes", [])
    reads, writes = found.get("reads", []), first + found.get("writes", [])
    return {
        False: (reads, reads + found.get("may_reads", []), []),
        True: (writes, writes + found.get("may_writes", []), first),
    }


def check_call(case, invocation, sets, counts):
    arrays = [np.zeros(a.shape, np.int64) for a in invocation.arguments]
    run = Recorder(case.functions)
    try:
        outcome = run.call(case.functions[-1].name, arrays, invocation.numbers)
    except TooLong:
        return
    returns = not outcome.outside
    for (is_write, (sure, all_sets, first)), (number, array) in itertools.product(sets.items(), enumerate(arrays)):
        start = array.__array_interface__["data"][0]
        mine = [s for s in all_sets if s.argument == number]
        for place in np.ndindex(array.shape):
            address = start + sum(i * s for i, s in zip(place, array.strides))
            inside = [s for s in mine if s.is_known and s.contains(place, arrays, invocation.numbers)]
            if (address, is_write) in run.touched:
                counts["accessed"] += 1
                assert inside or not all(s.is_known for s in mine), (is_write, number, place, invocation)
            elif returns:
                counts["not accessed"] += 1
                assert not any(s in sure for s in inside), (is_write, number, place, invocation)
            if any(s in first for s in inside):
                counts["first"] += returns
                assert not returns or address not in run.read_first, (number, place, invocation)
            counts["sure"] += returns and any(s in sure for s in inside)


def test_random_nests(tmp_path):
    cases = [Generator(50, i).case() for i in range(CASES)]
    (tmp_path / "p.mlir").write_text("".join(write(case.functions)[0] for case in cases))
    done = subprocess.run(
        [OPT, tmp_path / "p.mlir", "--loom-infer-effects"], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    lines = {m[1]: m[0] for m in re.finditer(r"func\.func (?:private )?@(\w+)\(.*", done.stdout)}
    counts = dict.fromkeys(("calls", "accessed", "not accessed", "sure", "first", "sets", "sure sets"), 0)
    for case in cases:
        sets = sets_of(lines[case.functions[-1].name])
        for sure, all_sets, _ in sets.values():
            counts["sets"] += len(all_sets)
            counts["sure sets"] += len(sure)
        for invocation in case.calls:
            if all(abs(n) < 2**40 for n in invocation.numbers):
                counts["calls"] += 1
                check_call(case, invocation, sets, counts)
    # The test says nothing where nothing is sure, or all may be accessed.
    assert counts["sure sets"] > counts["sets"] / 3, counts
    assert counts["sure"] > 2_000 and counts["first"] > 400 and counts["not accessed"] > 100_000, counts
