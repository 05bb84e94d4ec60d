"""Open extents cost nothing but their guards: of every case that is measured,
the program with static types is made of the kernels of the one with `?`, to the
last instruction, and launches them with the same tables. What that leaves are
the guards, and where the code and the data lie."""

import os
import re
import sys

import broadloom
import pytest
from broadloom import DONE

sys.path.insert(0, os.path.join(broadloom.ROOT, "bench"))

import cases
import tosa_text

LABEL = re.compile(r"^([A-Za-z_][\w.$]*):")
REFERENCE = re.compile(r"\bloom_\w+")
# What says nothing about what is computed.
SILENT = re.compile(r"\.(p2align|type|globl|size|section|cfi_\w+|file|text)\b")


def pieces(assembly):
    """{symbol: its lines}. Numbers of functions in local labels are left out,
    so that equal code is equal text wherever it stands. Constants stand before
    the function that reads them, and belong to it."""
    found, current, constants = {}, None, []
    for line in assembly.splitlines():
        line = re.sub(r"\s+#.*", "", line).strip()
        if label := LABEL.match(line):
            current = found[label[1]] = constants
            constants = []
        elif line.startswith(".Lfunc_end"):
            current = None
        elif line and not SILENT.match(line):
            (constants if current is None else current).append(re.sub(r"(\.L[A-Z]+)\d+_", r"\1_", line))
    return found


def expand(symbol, found):
    """Returns the code of `symbol`, with names replaced by what they stand for."""
    return [REFERENCE.sub(lambda m: str(expand(m[0], found)), line) for line in found[symbol]]


def launches(found):
    return sum("broadloomLaunchAll" in line for lines in found.values() for line in lines)


def compileCase(folder, case, mode):
    path = os.path.join(folder, f"{mode}.mlir")
    with open(path, "w", encoding="utf-8") as file:
        file.write(tosa_text.program(case, mode))
    outcome = broadloom.call("compile", path, "--emit=asm")
    assert outcome.status == DONE, outcome.error
    return pieces(outcome.out)


def programs(found):
    """The programs that launches name, in their order."""
    named = [s for s in found if re.fullmatch(r"loom_(row_)?program_\d+", s)]
    return sorted(named, key=lambda s: int(s.rsplit("_", 1)[1]))


@pytest.mark.parametrize("case", cases.CASES, ids=lambda c: f"{c.group}: {c.name}")
def test_same_kernels_and_tables(tmp_path, case):
    static, dynamic = (compileCase(tmp_path, case, mode) for mode in ("static", "dynamic"))
    ours, theirs = programs(static), programs(dynamic)
    assert ours
    # A program over rows for operands that are likely to have one element for
    # each row stands before the one that takes any. The runtime takes it where
    # they have; static types know it.
    extra = theirs[len(ours) :]
    assert not extra or case.group == "rows" or "norm" in case.name, extra
    assert len(theirs) >= len(ours)
    for one, other in zip(ours, theirs):
        assert expand(one, static) == expand(other, dynamic)
    assert launches(static) == launches(dynamic) == 1
