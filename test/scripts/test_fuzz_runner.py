"""Tests the process that runs programs of the fuzzer, and how findings are made small."""

import os
import sys

import pytest
from calls import Call, layOut
from expected import expectation
from fuzz_trials import made
from ir import count
from programs import trialsOf
from runner import Died, Message, Runner
from shrinker import Shrinker
from trial import Finding, Form, Trial
from typed import settle
from writer import write

# The runner's process. --------------------------------------------------------


def test_a_process_that_dies_is_a_finding():
    with pytest.raises(Died, match="exit status 3"):
        Runner([sys.executable, "-c", "import sys; sys.exit(3)"]).request(Message(b"D"))
    with pytest.raises(Died, match="signal 11"):
        Runner([sys.executable, "-c", "import os; os.kill(os.getpid(), 11)"]).request(Message(b"D"))


def test_a_process_that_dies_before_it_reads_is_a_finding():
    runner = Runner([sys.executable, "-c", "import os; os.kill(os.getpid(), 11)"])
    runner.start()
    os.waitid(os.P_PID, runner.process.pid, os.WEXITED | os.WNOWAIT)
    with pytest.raises(Died, match="signal 11"):
        runner.request(Message(b"D"))


def test_what_a_dead_process_has_computed_counts():
    runner = Runner([sys.executable, "-c", "sum(range(5 * 10**7)); import os; os.kill(os.getpid(), 11)"])
    with pytest.raises(Died):
        runner.request(Message(b"D"))
    assert runner.spent > 0.05


def test_a_process_that_takes_too_long_is_a_finding():
    with pytest.raises(Died, match="took more than"):
        Runner([sys.executable, "-c", "while True: pass"], limit=0.3).request(Message(b"D"))


# Making it small. -------------------------------------------------------------


class Planted:
    """Finds fault with every valid program that counts leading zeros."""

    def __call__(self, trial):
        program = settle(trial.program, trial.form.mode, trial.form.seed)
        text = write(program)
        if expectation(program, trial.calls[0])[0] != "ok" or "tosa.clz" not in text:
            return None
        return Finding("wrong", "1 of 2 wrong", text, trial.calls[0])


# With seed 5 the fault is in a function that is not called.
@pytest.mark.parametrize("seed", [1, 5, 6, 7, 8, 10, 11, 12])
def test_a_planted_fault_is_made_small(seed):
    shrunk = 0
    for index in range(200):
        program, inputs = made(seed, index)
        trial = Trial(program, [Call(inputs)], Form("mixed", 3, change=0))
        planted = Planted()
        found = planted(trial)
        if found is None or count(program) < 12:
            continue
        small, finding = Shrinker(planted).shrink(trial, found)
        assert finding.kind == "wrong" and "tosa.clz" in finding.text
        assert count(small.program) == 1 and len(small.program.functions) == 1, finding.text
        assert small.form.mode in ("static", "dynamic")
        shrunk += 1
        if shrunk == 2:
            return
    assert shrunk, "no program has the planted fault"


def test_trials_are_of_one_program():
    trials = list(trialsOf(1, 3))
    assert trials and all(t.program is trials[0].program for t in trials)
    assert layOut(trials[0].calls[0])[1] is not None
