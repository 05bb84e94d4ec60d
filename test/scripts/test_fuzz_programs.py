"""scripts/fuzz programs itself: its programs are the same each time and valid,
it sees what is wrong, and it makes small what it has found."""

import os
import subprocess
import sys

import fuzz_path
import numpy as np
import pytest
from calls import Call, place
from data import exact, kindOf
from evaluator import Evaluator
from expected import expectation
from fuzz_trials import made
from generator import generate
from ir import Block, Function, Operation, Program, Value, Variable
from judge import Judge
from operations import TABLE
from runner import GUARD_FAILED, OK, Died, RunAnswer
from shrinker import Shrinker
from trial import Finding, Form, Trial, isOfPass
from typed import settle
from variants import transform

# Programs. --------------------------------------------------------------------


def test_a_seed_always_gives_the_same_programs():
    script = (
        "import fuzz_path; from programs import trialsOf; from typed import settle; from writer import write\n"
        "for i in range(12):\n"
        "  for t in trialsOf(5, i): print(t.form, write(settle(t.program, t.form.mode, t.form.seed)),"
        " [c.inputs[0].low.tobytes() if c.inputs else 0 for c in t.calls])"
    )
    outputs = set()
    for hashSeed in "12":
        done = subprocess.run(
            [sys.executable, "-c", script],
            capture_output=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": hashSeed, "PYTHONPATH": os.path.join(fuzz_path.TEST, "scripts")},
        )
        outputs.add(done.stdout)
    assert len(outputs) == 1 and b"func.func @main" in outputs.pop()


@pytest.mark.parametrize("mode", ["static", "dynamic", "partial", "mixed", "unranked"])
def test_the_first_call_is_valid_with_all_types(mode):
    for index in range(15):
        program, inputs = made(2, index)
        outcome, results = expectation(settle(program, mode, index), Call(inputs))
        assert outcome == "ok", (index, results)


def test_what_programs_are_turned_into_computes_the_same():
    for index in range(15):
        program, inputs = made(3, index)
        _, before = expectation(settle(program, "dynamic"), Call(inputs))
        outcome, after = expectation(settle(transform(program, index + 1), "dynamic"), Call(inputs))
        assert outcome == "ok", (index, after)
        for a, b in zip(before, after, strict=True):
            if a.isExact and b.isExact:
                assert a.low.tobytes() == b.low.tobytes(), index


def test_programs_have_all_operations():
    """Over many programs, nothing in the table is left out."""
    met = {o.name for index in range(800) for o in generate(4, index)[0].walk()}
    assert set(TABLE) - met <= {"cast_type"}


@pytest.mark.parametrize("layout", ["row", "column", "reversed", "gaps", "repeated"])
@pytest.mark.parametrize("shape", [(), (3,), (2, 3), (2, 0, 3), (1, 2, 2)])
def test_layouts(layout, shape):
    array = np.arange(int(np.prod(shape)), dtype=np.int16).reshape(shape)
    if layout == "repeated" and shape and shape[0]:
        array = np.ascontiguousarray(np.broadcast_to(array[:1], shape))
    raw, offset, strides = place(array, layout)
    memory = np.frombuffer(raw, np.int16)
    for index in np.ndindex(*shape):
        assert memory[offset + sum(i * s for i, s in zip(index, strides))] == array[index]


# Judging, with a runner that lies. --------------------------------------------


class Honest:
    """Answers as the evaluator would, for one call of one program."""

    def __init__(self, trial):
        program = settle(trial.program, trial.form.mode, trial.form.seed)
        self.outcome, results = expectation(program, trial.calls[0])
        self.results = [r.low.copy() for r in results] if self.outcome == "ok" else []

    def compile(self, slot, text, strategy="default", libraries=(), optimise=True):
        return True, "", 1.0

    def run(self, slot, buffers, tensors, outputs=(), threads=1, function="main"):
        if self.outcome != "ok":
            return RunAnswer(GUARD_FAILED, "a guard", False, [])
        return RunAnswer(OK, "", False, self.results)

    def resultShapes(self, slot, tensors, function="main"):
        if self.outcome != "ok":
            return "", GUARD_FAILED, "a guard", []
        return "", OK, "", [(r.shape, 0) for r in self.results]

    def shapes(self, text, arguments, strategy="default", libraries=(), function="main"):
        if self.outcome != "ok":
            return True, "", GUARD_FAILED, "a guard", []
        return True, "", OK, "", ["x".join(map(str, r.shape)) for r in self.results]

    def check(self, text, strategy="default", libraries=()):
        return True, True, True, "", (1, 1, 0, 0), ""

    def repeat(self, text, strategy="default", libraries=()):
        return True, ""


def addition(a, b, mode="dynamic", **form):
    """A trial of one call of a program that adds two arguments."""
    x, y = Value("i32", None, a), Value("i32", None, b)
    sum_ = Value("i32", None, a)
    program = Program([Function("main", Block([x, y], [Operation("add", [x, y], [sum_])], [sum_]), None)])
    inputs = [exact(kindOf("i32"), np.arange(int(np.prod(s))).reshape(s)) for s in (a, b)]
    return Trial(program, [Call(inputs)], Form(mode, 1, **form))


def judged(trial, change=lambda runner: None):
    runner = Honest(trial)
    change(runner)
    return Judge(runner).judge(trial)


@pytest.mark.parametrize("question", ["run", "shapes", "erased", "repeated"])
@pytest.mark.parametrize("b", [(2, 3), (2, 4)])
def test_nothing_is_wrong_with_an_honest_runner(question, b):
    assert judged(addition((2, 3), b, question=question)) is None


def override(**methods):
    return lambda runner: runner.__dict__.update(methods)


def answer(status=OK, message="", written=False, results=()):
    return lambda *arguments, **options: RunAnswer(status, message, written, list(results))


def die(*arguments, **options):
    raise Died("compiling: signal 11")


SUM = np.arange(6, dtype=np.int32).reshape(2, 3) * 2
OFF = SUM + np.eye(2, 3, dtype=np.int32)


@pytest.mark.parametrize(
    "kind, b, change, form",
    [
        ("wrong", (2, 3), override(run=answer(results=[OFF])), {}),
        ("wrong", (2, 3), override(run=answer(results=[SUM[:1]])), {}),
        ("wrong", (2, 3), override(run=answer(results=[SUM.astype(np.int64)])), {}),
        ("written", (2, 3), override(run=answer(written=True, results=[SUM])), {}),
        ("false error", (2, 3), override(run=answer(GUARD_FAILED, "program.mlir:1:1: no")), {}),
        ("accepted", (2, 4), override(run=answer(results=[SUM])), {}),
        ("pass", (2, 4), override(run=answer(3, "a tensor of shape -1x4 is larger than any memory")), {}),
        (
            "pass",
            (2, 3),
            override(compile=lambda *a, **k: (False, "program.mlir:1:1: error: failed to legalize", 1)),
            {},
        ),
        ("refused", (2, 3), override(compile=lambda *a, **k: (False, "program.mlir:1:1: error: no", 1)), {}),
        ("unlocated", (2, 4), override(compile=lambda *a, **k: (False, "error: no", 1)), {}),
        ("crash", (2, 3), override(compile=die), {}),
        ("shapes", (2, 3), override(resultShapes=lambda *a, **k: ("", OK, "", [((2, 4), 0)])), {}),
        ("shapes", (2, 3), override(resultShapes=lambda *a, **k: ("", OK, "", [((2, 9), 2)])), {}),
        ("shapes", (2, 3), override(resultShapes=lambda *a, **k: ("", GUARD_FAILED, "no", [])), {}),
        ("shapes", (2, 4), override(resultShapes=lambda *a, **k: ("", OK, "", [((2, 4), 0)])), {}),
        ("shapes", (2, 4), override(resultShapes=lambda *a, **k: ("", GUARD_FAILED, "other words", [])), {}),
        ("shapes", (2, 3), override(shapes=lambda *a, **k: (True, "", OK, "", ["2x4"])), {"question": "shapes"}),
        ("shapes", (2, 3), override(shapes=lambda *a, **k: (True, "", OK, "", ["2x?"])), {"question": "shapes"}),
        ("shapes", (2, 4), override(shapes=lambda *a, **k: (True, "", OK, "", ["2x3"])), {"question": "shapes"}),
        ("refused", (2, 3), override(shapes=lambda *a, **k: (False, "no", None, "", [])), {"question": "shapes"}),
        (
            "proved",
            (2, 4),
            override(check=lambda *a, **k: (True, True, True, "", (3, 0, 0, 0), "")),
            {"withCheck": True},
        ),
        (
            "erased",
            (2, 3),
            lambda r: r.__dict__.update(run=lambda slot, *a, **k: RunAnswer(OK, "", False, [OFF if slot else SUM])),
            {"question": "erased"},
        ),
        ("repeated", (2, 3), override(repeat=lambda *a, **k: (True, "one\nother")), {"question": "repeated"}),
    ],
)
def test_a_runner_that_lies(kind, b, change, form):
    found = judged(addition((2, 3), b, **form), change)
    assert found is not None and found.kind == kind


def test_what_the_program_has_is_named_by_the_rules_too():
    words = "program.mlir:3:1: 'linalg.generic': axis 1 has extent 3 and 2"
    assert not isOfPass(words, "%0 = linalg.generic {")
    assert isOfPass(words, "%0 = tosa.add")
    assert isOfPass("program.mlir:3:1: 'linalg.generic' op operand #1 is not", "%0 = linalg.generic {")


def counting():
    """Two calls, of which the second fails, of a program that adds what it is
    given to a variable."""
    x, before, sum_ = (Value("i32", None, (None,)) for _ in range(3))
    variable = Variable("s", Value("i32", None, (2,)), np.int32([3, 4]))
    named = {"variable": "s"}
    program = Program(
        [
            Function(
                "main",
                Block(
                    [x],
                    [
                        Operation("variable_read", [], [before], named),
                        Operation("add", [before, x], [sum_]),
                        Operation("variable_write", [sum_], [], named),
                    ],
                    [sum_],
                ),
                None,
            )
        ],
        [],
        [variable],
    )
    calls = [Call([exact(kindOf("i32"), array)]) for array in ([1, 1], [1, 1, 1])]
    return Trial(program, calls, Form("dynamic", 1))


@pytest.mark.parametrize(
    "first, second, wrong", [([4, 5], [4, 5], None), ([3, 4], [3, 4], 0), ([4, 5], [5, 6], 1), ([4, 5], [3, 4], 1)]
)
def test_abi8_variables_are_kept_and_a_failed_call_changes_none(first, second, wrong):
    trial = counting()
    states = iter([first, second])

    def run(slot, buffers, tensors, outputs=(), threads=1, function="main"):
        state = {"s": np.int32(next(states))}
        if tensors[0].extents == (2,):
            return RunAnswer(OK, "", False, [np.int32([4, 5])], state=state)
        return RunAnswer(GUARD_FAILED, "no", False, [], state=state)

    found = judged(trial, override(run=run, resultShapes=lambda *a, **k: ("none", OK, "", [])))
    if wrong is None:
        assert found is None
    else:
        assert found.kind == "state" and found.call is trial.calls[wrong]
        assert found.state["s"].low.tolist() == ([3, 4], [4, 5])[wrong]


def test_the_state_of_a_finding_becomes_the_initial_one():
    def judge(trial):
        """Finds fault with a read and a sum of 33, which no call alone reaches."""
        state = None
        if not any(o.name == "variable_read" for o in trial.program.walk()):
            return None
        for call in trial.calls:
            evaluator = Evaluator(trial.program, state=state)
            (result,) = evaluator.run(call.inputs)
            state = evaluator.state
            if result.low[0] == 33:
                before = {"s": exact(kindOf("i32"), result.low - call.inputs[0].low)}
                return Finding("wrong", "1 of 2 wrong", "", call, before)
        return None

    trial = counting()
    trial.calls = [Call([exact(kindOf("i32"), [10, 10])]) for _ in range(3)]
    small, _finding = Shrinker(judge).shrink(trial, judge(trial))
    assert len(small.calls) == 1 and small.program.variables[0].initial.tolist() == [23, 24]


@pytest.mark.parametrize("where", ["inside", "nowhere"])
def test_rfc4_zeros_inside_a_program_count(where):
    """The strategy may refuse an extent 0 of a value that is neither an argument
    nor a result."""
    a = Value("i32", None, (2,))
    shorter = Value("i32", None, (0,) if where == "inside" else (2,))
    total = Value("i32", None, (1,))
    slice_ = Operation("slice", [a], [shorter], {"start": [0], "size": list(shorter.shape)})
    program = Program(
        [
            Function(
                "main", Block([a], [slice_, Operation("reduce_sum", [shorter], [total], {"axis": 0})], [total]), None
            )
        ]
    )
    trial = Trial(program, [Call([exact(kindOf("i32"), np.arange(2))])], Form("dynamic", 1, strategy="rfc"))
    refused = {
        "run": answer(GUARD_FAILED, "program.mlir:1:1: no"),
        "compile": lambda *a, **k: (False, "program.mlir:1:1: error: no", 1),
    }
    for name, kind in (("run", "false error"), ("compile", "refused")):
        found = judged(trial, override(**{name: refused[name]}, resultShapes=lambda *a, **k: ("none", OK, "", [])))
        assert (found and found.kind) == (None if where == "inside" else kind)


def test_a_result_beside_its_memory_is_seen():
    trial = addition((2, 3), (2, 3))
    trial.calls[0].outputs = 12

    def run(slot, buffers, tensors, outputs=(), threads=1, function="main"):
        memory = {t.buffer: buffers[t.buffer] for _, t in outputs}
        for buffer in memory:
            memory[buffer] = memory[buffer][:-1] + b"\x00"
        return RunAnswer(OK, "", False, [SUM], memory)

    found = judged(trial, override(run=run))
    assert found is not None and found.kind == "outside"


def test_rt1_a_result_of_a_call_that_fails_is_seen():
    trial = addition((2, 3), (2, 3))
    (a, b) = trial.calls[0].inputs
    trial.calls.append(Call([a, exact(b.kind, np.zeros((2, 4)))]))

    def run(slot, buffers, tensors, outputs=(), threads=1, function="main"):
        if tensors[1].extents == (2, 3):
            return RunAnswer(OK, "", False, [SUM])
        assert outputs
        return RunAnswer(GUARD_FAILED, "no", False, [], {t.buffer: bytes(len(buffers[t.buffer])) for _, t in outputs})

    found = judged(trial, override(run=run))
    assert found is not None and found.kind == "written" and found.call is trial.calls[1]
