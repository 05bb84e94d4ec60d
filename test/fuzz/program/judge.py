"""One trial: a program in one form with some calls, compared with what the
evaluator says and with itself."""

import random
import re
from dataclasses import dataclass, field, replace

import numpy as np
from calls import layOut
from data import difference, exact, kindOf
from evaluator import Evaluator, evaluate, initialState
from operations import Fails, TooLarge, Undecided
from runner import GUARD_FAILED, INVALID_ARGUMENT, OK, Died, Tensor
from typed import settle
from variants import transform
from writer import write

# What an error of a pass says; a program that is refused is refused before.
OF_PASSES = re.compile(
    r"bug in broadloom|failed to legalize|bufferiz|read-only|unrealized|LLVM ERROR|does not dominate|'llvm\.|'memref\.|"
    r"operand #\d|verif|'loom\.(map|rows)' op|'linalg\.|invalid LLVM|tensor of shape \S*-\S* is larger", re.IGNORECASE)

# A seed.
OUTPUTS_OF_FAILURES = 7


def isOfPass(words, text):
    """Whether `words` are an error of a pass. Operations that the program has
    itself, such as `linalg.generic`, are named by the rules, too."""
    return bool(OF_PASSES.search(re.sub(r"'([a-z]+\.\w+)'", lambda m: "" if m[1] in text else m[0], words)))


@dataclass(frozen=True)
class Form:
    """How the program of a trial is written and which questions it answers."""

    mode: str = "dynamic"
    seed: int = 0
    strategy: str = "default"
    # A seed for what the program is turned into, 0 for nothing.
    change: int = 0
    # run; shapes: `shapes` against the evaluator; erased: bits of two modes.
    question: str = "run"
    withCheck: bool = False
    # Whether LLVM optimises the machine code, which takes most of the time.
    optimise: bool = True

    def __str__(self):
        words = [self.question, self.mode, self.strategy]
        return " ".join(words + ["changed"] * bool(self.change) + ["check"] * self.withCheck
                        + ["unoptimised"] * (not self.optimise))


@dataclass
class Trial:
    program: object  # without types
    calls: list
    form: Form


@dataclass
class Finding:
    kind: str
    words: str
    text: str = ""
    call: object = None
    # What the variables had before the call, as Data by name.
    state: dict = field(default_factory=dict)

    def signature(self):
        """Equal for findings that are likely to have one cause."""
        words = re.sub(r"%\w+|\d+", "N", self.words.split("\n")[0])
        words = re.sub(r"[Nx?*]*N[Nx?*]*", "N", re.sub(r"'tosa\.\w+'|tensor<[^>]*>", "T", words))
        if self.kind in ("wrong", "erased"):
            words = words.split(";")[0].split(" of ")[-1]
            operations = re.findall(r"(?:tosa|scf|cf|func)\.(?!const|yield|return|func)\w+", self.text)
            words += " ".join(sorted(set(operations)))
        return f"{self.kind}: {words[:150]}"


def undecided(program, call, why):
    """What a call is that nothing is expected of. It is not made where a number is
    an argument that memory may just have room for, as an extent: gigabytes take
    longer than a call may."""
    isLong = any(value.kind == "index" and 1 << 24 < int(data.low) < 1 << 44
                 for value, data in zip(program.main.block.arguments, call.inputs))
    return "too large" if isLong else "undecided", why


def step(program, call, state=None):
    """("ok", results), ("fails", why), ("too large", why) or ("undecided", why),
    and the state after the call, which is None where it is not known."""
    evaluator = Evaluator(program, state=state)
    try:
        with np.errstate(all="ignore"):
            return "ok", evaluator.run(call.inputs), evaluator.state
    except Fails as error:
        # A call that fails changes no variable (abi-8).
        return "fails", str(error), initialState(program) if state is None else state
    except TooLarge as error:
        # Such a call is not made.
        return "too large", str(error), initialState(program) if state is None else state
    except Undecided as error:
        return *undecided(program, call, str(error)), None if program.variables else state


def expectation(program, call):
    """What a call is that no other one was before."""
    return step(program, call)[:2]


def expectations(program, calls):
    """What calls are, one after the other."""
    found, state = [], initialState(program)
    for call in calls:
        if state is None:
            found.append(undecided(program, call, "the variables are not known"))
            continue
        outcome, value, state = step(program, call, state)
        found.append((outcome, value))
    return found


def meetsZero(program, call):
    """Whether any value of a valid call has an extent of 0 (rfc-4: the strategy
    refuses an extent 0 that meets a 1)."""
    shapes = []
    with np.errstate(all="ignore"):
        evaluate(program, call.inputs, lambda value, data: shapes.append(data.shape))
    return any(0 in shape for shape in shapes)


def isDataDependent(program):
    """Whether data decide what is computed, or whether it may be."""
    # Not as data, but as little known before a call.
    if any(v.value.extents is None or None in v.value.extents for v in program.variables):
        return True
    return any(v.kind == "index" for v in program.main.block.arguments) or any(
        o.name in ("gather", "scatter", "cond_if", "while", "scf_while")
        or o.name in ("scf_if", "cf", "switch", "region") and "test" not in o.attributes for o in program.walk())


def failsAtEntry(program):
    """Whether all guards depend on extents alone and lie on every path, so that
    nothing is written when one fails (rt-1). A loop over rows checks each in its
    turn."""
    return not isDataDependent(program) and not any(
        o.blocks or o.name in ("call", "forall") for o in program.walk())


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
            isProgram, accepted, complete, _, counts, rows = self.runner.check(
                self.text, trial.form.strategy, program.libraries)
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
            found = self.one(program, trial.form, call, wanted, proved, wanted[1] if wanted[0] == "ok" else valid,
                             after)
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
            call, results, outputs=call.outputs or (0 if wanted[0] == "ok" else OUTPUTS_OF_FAILURES))
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
            for (i, tensor) in outputs:
                if not keptAround(answer.outputs[tensor.buffer], buffers[tensor.buffer], tensor):
                    return Finding("outside", f"result {i} was written beside its elements")
        words = self.stateDiffers(program, answer, after)
        if words:
            return Finding("state", words)
        # The memory of a call that fails may be for other extents.
        if answer.status == INVALID_ARGUMENT and outputs:
            return None
        return self.query(program, answer, shapes or self.runner.resultShapes(0, layOut(call)[1]))

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
        self.state = {name: exact(data.kind, answer.state[name]) if name in answer.state else data
                      for name, data in before.items()}
        return None

    def query(self, program, answer, queried):
        """abi-2: shapes without running say what running says."""
        whyNone, status, message, shapes = queried
        if whyNone:
            return None
        byData = isDataDependent(program)
        if answer.status == OK:
            if status != OK:
                return Finding("shapes", f"shapes fail, but it runs: {message}")
            for i, (result, (extents, inexact)) in enumerate(zip(answer.results, shapes, strict=True)):
                good = len(extents) == result.ndim and all(
                    (e == n if not inexact >> axis & 1 else e == -1 or n <= e)
                    for axis, (e, n) in enumerate(zip(extents, result.shape)))
                if not good:
                    return Finding("shapes", f"result {i} has shape {result.shape}, but shapes say {extents}")
                if inexact and not byData:
                    return Finding("shapes", f"result {i}: data do not decide, but shapes say {extents} inexact")
        elif answer.status in (GUARD_FAILED, INVALID_ARGUMENT) and not byData:
            if status == OK:
                return Finding("shapes", f"shapes are told, but running fails: {answer.message}")
            if message != answer.message:
                return Finding("shapes", f"shapes fail with: {message}; but running with: {answer.message}")
        return None

    def shapes(self, trial):
        program = self.prepare(trial)
        byData = isDataDependent(program)
        for call in trial.calls:
            self.call = call
            wanted = expectation(program, call)
            # Half of the programs are told the values of their integers, too.
            arguments = [argumentText(data, withValue=trial.form.seed % 2 == 0) for data in call.inputs]
            there, words, status, message, texts = self.runner.shapes(
                self.text, arguments, trial.form.strategy, program.libraries)
            if not there:
                if isOfPass(words, self.text):
                    return Finding("pass", words)
                if wanted[0] == "ok":
                    return Finding("refused", words)
                continue
            if wanted[0] == "ok" and status != OK:
                return Finding("shapes", f"the call is valid, but shapes say: {message}")
            if wanted[0] == "fails" and status == OK and not byData:
                return Finding("shapes", f"the call fails ({wanted[1]}), but shapes say {texts}")
            if wanted[0] == "ok":
                for i, (text, data) in enumerate(zip(texts, wanted[1], strict=True)):
                    if not fits(text, data.shape, byData):
                        return Finding("shapes", f"result {i} has shape {data.shape}, but shapes say '{text}'")
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
        other = replace(trial.form, mode="unranked" if trial.form.seed % 3 == 0 else "dynamic")
        second = self.prepare(Trial(trial.program, trial.calls, other))
        good, found = self.compile(1, other, second, [call], [wanted])
        if found or not good:
            return found
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


def argumentText(data, withValue):
    """An argument as `broadloom shapes` takes it."""
    text = "x".join([*map(str, data.shape), data.kind.name.replace("index", "i64")])
    # As many as values can be given of (driver/GivenValues.cpp).
    if not withValue or data.kind.isFloat or data.low.size > 4096:
        return text
    return f"{text}={' '.join(str(int(n)) for n in data.low.ravel())}"


def sameBits(x, y):
    if x.tobytes() == y.tobytes():
        return True
    if x.dtype.kind in "biu":
        return False
    # NaNs are all equal (el-5).
    a, b = x.astype(np.float64), y.astype(np.float64)
    return bool((((a == b) & (np.signbit(a) == np.signbit(b))) | (np.isnan(a) & np.isnan(b))).all())


def fits(text, shape, byData):
    """Whether `text`, as abi-4 has it, tells `shape`."""
    if text == "*":
        return byData
    extents = text.split("x") if text else []
    if len(extents) != len(shape):
        return False
    for extent, number in zip(extents, shape):
        if extent.isdigit():
            if int(extent) != number:
                return False
        elif not byData or extent.startswith("<=") and number > int(extent[2:]):
            return False
    return True


def freeMemory(data, buffer, dice):
    """Memory of the caller's for a result, filled, and where in it the elements go."""
    shape = data.shape
    gap = dice.choice([1, 1, 2, 3])
    order = list(range(len(shape)))
    if dice.random() < 0.3:
        dice.shuffle(order)
    strides, step = [0] * len(shape), gap
    for axis in reversed(order):
        strides[axis] = step
        step *= max(shape[axis], 1)
        if dice.random() < 0.2:
            step += gap
    offset = dice.choice([0, 0, 1, 5])
    raw = bytes([0xA5]) * ((step + offset + 3) * data.kind.dtype.itemsize)
    return raw, Tensor(data.kind.name, buffer, offset, shape, tuple(strides))


def keptAround(after, before, tensor):
    """Whether only the elements of `tensor` have changed."""
    size = len(after)
    item = kindOf(tensor.kind).dtype.itemsize
    mine = np.zeros(size // item, bool)
    index = np.full(tensor.extents, tensor.offset, np.int64)
    for axis, (extent, stride) in enumerate(zip(tensor.extents, tensor.strides)):
        steps = np.arange(extent) * stride
        index = index + steps.reshape([-1 if i == axis else 1 for i in range(len(tensor.extents))])
    mine[index.ravel()] = True
    others = np.repeat(~mine, item)
    a, b = np.frombuffer(after, np.uint8)[:len(others)], np.frombuffer(before, np.uint8)[:len(others)]
    return bool((a[others] == b[others]).all())
