"""One trial: a program in one form with some calls, compared with what the
evaluator says and with itself."""

import random
from dataclasses import replace

import numpy as np
from calls import layOut
from data import difference, exact
from evaluator import initialState
from expected import expectation, expectations, failsAtEntry, meetsZero, step
from outputs import freeMemory, keptAround
from runner import GUARD_FAILED, INVALID_ARGUMENT, OK, Died
from shapequestions import argumentText, compareWithRules, compareWithRun
from trial import Finding, Trial, isOfPass
from typed import settle
from variants import transform
from writer import write

# A seed.
OUTPUTS_OF_FAILURES = 7


class Judge:
    def __init__(self, runner):
        self.runner = runner
        self.calls = self.compiled = 0
        self.text = ""
        self.call = None
        self.state = {}

    def judge(self, trial):
        """The first finding, or None."""
        try:
            found = getattr(self, trial.form.question)(trial)
        except Died as error:
            kind = "hang" if "took more" in str(error) else "crash"
            found = Finding(kind, str(error))
        if found:
            found.text, found.call, found.state = self.text, self.call, self.state
        return found

    def prepare(self, trial):
        program, form = trial.program, trial.form
        self.call = trial.calls[0]
        if form.change:
            program = transform(program, form.change)
        settled = settle(program, form.mode, form.seed)
        self.text = write(settled)
        self.state = initialState(settled)
        return settled

    def compile(self, slot, form, program, calls, expected):
        """(whether it compiles, a finding or None); `expected` is of `calls`."""
        self.compiled += 1
        good, words, _ = self.runner.compile(slot, self.text, form.strategy, program.libraries, form.optimise)
        if good:
            return True, None
        if isOfPass(words, self.text):
            return False, Finding("pass", words)
        # Any call that is valid makes the program valid.
        valid = [call for call, (outcome, _) in zip(calls, expected) if outcome == "ok"]
        if valid and not (form.strategy == "rfc" and any(meetsZero(program, call) for call in valid)):
            return False, Finding("refused", words)
        if "program.mlir:" not in words.split("\n")[0]:
            return False, Finding("unlocated", words)
        return False, None

    def run(self, trial):
        program = self.prepare(trial)
        expected = expectations(program, trial.calls)
        proved = False
        if trial.form.withCheck:
            _isProgram, accepted, complete, _, counts, _rows = self.runner.check(
                self.text, trial.form.strategy, program.libraries
            )
            proved = accepted and complete and not any(counts[1:])
        good, found = self.compile(0, trial.form, program, trial.calls, expected)
        if found or not good:
            return found
        # A call that fails is given memory for the results that another has.
        valid = next((results for outcome, results in expected if outcome == "ok"), None)
        for call, wanted in zip(trial.calls, expected):
            if wanted[0] == "too large":
                continue
            self.call = call
            after = self.state
            if program.variables:
                # What the calls before it gave, bit for bit.
                *wanted, after = step(program, call, self.state)
            found = self.one(
                program, trial.form, call, wanted, proved, wanted[1] if wanted[0] == "ok" else valid, after
            )
            if found:
                return found
        return None

    def invoke(self, call, results=None, slot=0, outputs=0):
        """`results` tell the extents of what goes into memory of the caller's,
        which the seed `outputs` lays out; 0 for none."""
        self.calls += 1
        buffers, tensors = layOut(call)
        seed, outputs = outputs, []
        if seed and results is not None:
            dice = random.Random(seed)
            for i, data in enumerate(results):
                if dice.random() < 0.6:
                    raw, tensor = freeMemory(data, len(buffers), dice)
                    buffers.append(raw)
                    outputs.append((i, tensor))
        answer = self.runner.run(slot, buffers, tensors, outputs, call.threads)
        return answer, buffers, outputs

    def one(self, program, form, call, wanted, proved, results, after):
        # Variables have other extents when it has run.
        shapes = self.runner.resultShapes(0, layOut(call)[1]) if program.variables else None
        answer, buffers, outputs = self.invoke(
            call, results, outputs=call.outputs or (0 if wanted[0] == "ok" else OUTPUTS_OF_FAILURES)
        )
        if answer.written:
            return Finding("written", "an argument was written")
        if answer.status == GUARD_FAILED and failsAtEntry(program):
            for i, tensor in outputs:
                if answer.outputs.get(tensor.buffer, buffers[tensor.buffer]) != buffers[tensor.buffer]:
                    return Finding("written", f"result {i} was written, and then the call failed: {answer.message}")
        if isOfPass(answer.message, self.text):
            return Finding("pass", answer.message)
        if wanted[0] == "ok" and answer.status != OK:
            if form.strategy == "rfc" and answer.status == GUARD_FAILED and meetsZero(program, call):
                return None
            return Finding("false error", answer.message)
        if wanted[0] == "fails" and answer.status == OK:
            return Finding("accepted", f"it ran, but {wanted[1]}")
        if proved and answer.status == GUARD_FAILED and "stack" not in answer.message:
            return Finding("proved", f"check says proved, but: {answer.message}")
        if wanted[0] == "ok":
            for i, (got, data) in enumerate(zip(answer.results, wanted[1], strict=True)):
                words = difference(got, data)
                if words:
                    return Finding("wrong", f"result {i}: {words}")
            for i, tensor in outputs:
                if not keptAround(answer.outputs[tensor.buffer], buffers[tensor.buffer], tensor):
                    return Finding("outside", f"result {i} was written beside its elements")
        words = self.stateDiffers(program, answer, after)
        if words:
            return Finding("state", words)
        # The memory of a call that fails may be for other extents.
        if answer.status == INVALID_ARGUMENT and outputs:
            return None
        return compareWithRun(program, answer, shapes or self.runner.resultShapes(0, layOut(call)[1]))

    def stateDiffers(self, program, answer, after):
        """abi-8: variables have what the call gave them, and what they had where
        it has failed. Nothing, or what is wrong."""
        before = self.state
        if answer.status != OK:
            after = before
        for variable in program.variables:
            name = variable.name
            if name not in answer.state:
                # No function uses it.
                if after is not None and after[name] is not before[name]:
                    return f"there is no variable {name}"
            elif after is not None:
                words = difference(answer.state[name], after[name])
                if words:
                    return f"the variable {name}: {words}"
        self.state = {
            name: exact(data.kind, answer.state[name]) if name in answer.state else data
            for name, data in before.items()
        }
        return None

    def shapes(self, trial):
        """abi-4: `shapes` says what the evaluator says."""
        program = self.prepare(trial)
        for call in trial.calls:
            self.call = call
            wanted = expectation(program, call)
            # Half of the programs are told the values of their integers, too.
            arguments = [argumentText(data, withValue=trial.form.seed % 2 == 0) for data in call.inputs]
            answer = self.runner.shapes(self.text, arguments, trial.form.strategy, program.libraries)
            found = compareWithRules(program, self.text, wanted, answer)
            if found:
                return found
        return None

    def repeated(self, trial):
        """The same program, the same code."""
        program = self.prepare(trial)
        _, difference = self.runner.repeat(self.text, trial.form.strategy, program.libraries)
        return Finding("repeated", f"compiled again, it has other code:\n{difference}") if difference else None

    def erased(self, trial):
        """bcast-7: two modes, the same bits."""
        first = self.prepare(trial)
        call = trial.calls[0]
        wanted = expectation(first, call)
        good, found = self.compile(0, trial.form, first, [call], [wanted])
        if found or not good:
            return found
        other = replace(trial.form, mode=("unranked", "inferred", "dynamic")[trial.form.seed % 3])
        second = self.prepare(Trial(trial.program, trial.calls, other))
        good, found = self.compile(1, other, second, [call], [wanted])
        if found or not good:
            return found
        shapes = [data.shape for data in call.inputs]
        # The same extents, and maybe other strides.
        for call in trial.calls:
            if [data.shape for data in call.inputs] != shapes or expectation(first, call)[0] == "too large":
                continue
            if found := self.sameTwice(call):
                return found
        return None

    def sameTwice(self, call):
        """Describes what differs between the programs of both slots."""
        self.call = call
        a, _, _ = self.invoke(call, slot=0)
        b, _, _ = self.invoke(call, slot=1)
        if a.status == OK and b.status != OK:
            return Finding("erased", f"with fewer extents known it fails: {b.message}")
        if a.status == OK:
            pairs = [(f"result {i}", x, y) for i, (x, y) in enumerate(zip(a.results, b.results, strict=True))]
            pairs += [(f"the variable {name}", x, b.state[name]) for name, x in a.state.items()]
            for name, x, y in pairs:
                if x.shape != y.shape or not sameBits(x, y):
                    return Finding("erased", f"{name} has other bits with fewer extents known")
        return None


def sameBits(x, y):
    if x.tobytes() == y.tobytes():
        return True
    if x.dtype.kind in "biu":
        return False
    # NaNs are all equal (el-5).
    a, b = x.astype(np.float64), y.astype(np.float64)
    return bool((((a == b) & (np.signbit(a) == np.signbit(b))) | (np.isnan(a) & np.isnan(b))).all())
