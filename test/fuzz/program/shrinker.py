"""Makes the program of a finding small: what can go while the finding stays."""

import contextlib
from dataclasses import replace

import numpy as np
from calls import Call
from data import Data, exact, kindOf
from evaluator import Evaluator
from ir import Operation, Value, blocksOf, count, replaceUses
from operations import Fails, Undecided
from trial import Trial
from variants import inlineAt


class Shrinker:
    """`judge(trial)` gives a finding or None. Keeps what has the same kind, and
    for what is refused the same signature. Calls the judge at most `limit` times:
    a number, and not a time, so that it always comes to the same."""

    def __init__(self, judge, limit=1000):
        self.judge, self.left = judge, limit

    def shrink(self, trial, finding):
        """Returns (smaller trial, its finding)."""
        self.kind, self.signature = finding.kind, finding.signature()
        self.best = (trial, finding)
        if finding.call is not None and len(trial.calls) > 1:
            self.keep(Trial(trial.program, [finding.call], trial.form))
        steps = (
            self.fewerCalls,
            self.simplerForm,
            self.fewerResults,
            self.dropDead,
            self.dropOperations,
            self.flatten,
            self.cutValues,
            self.dropNames,
            self.dropArguments,
            self.simplerCall,
            self.dropFunctions,
            self.trimFunctions,
            self.makeMain,
            self.dropVariables,
        )
        before = None
        while before != self.size() and self.left > 0:
            before = self.size()
            for step in steps:
                step()
        return self.best

    @property
    def trial(self):
        return self.best[0]

    def size(self):
        t = self.trial
        return (
            count(t.program),
            len(t.program.variables),
            len(t.program.main.block.arguments),
            len(t.program.main.block.results),
            sum(len(f.block.arguments) + len(f.block.results) for f in t.program.functions),
            str(t.form),
            len(t.calls),
            repr([c.layouts for c in t.calls]),
        )

    def keep(self, trial):
        """Takes `trial` if it still shows the finding."""
        if self.left <= 0:
            return False
        self.left -= 1
        try:
            found = self.judge(trial)
        except (KeyError, ValueError, IndexError, TypeError, AttributeError, StopIteration):
            return False  # no program any more
        if found is None or found.kind != self.kind:
            return False
        if (
            self.kind in ("refused", "pass", "false error", "shapes", "unlocated")
            and found.signature() != self.signature
        ):
            return False
        self.best = (trial, found)
        return True

    def changed(self, change):
        """Tries a copy of the program after `change(program, calls)`, which gives
        the calls or None."""
        program = self.trial.program.copy()
        calls = change(program)
        return calls is not None and self.keep(Trial(program, calls, self.trial.form))

    def fewerCalls(self):
        """Without calls that it does not need, of the first one's variables what
        they had then."""
        finding = self.best[1]
        if len(self.trial.calls) > 1 and finding.state:

            def change(program):
                for variable in program.variables:
                    variable.initial, variable.isGiven = finding.state[variable.name].low, True
                return [finding.call]

            if self.changed(change):
                return
        for i in reversed(range(len(self.trial.calls))):
            if len(self.trial.calls) > 1:
                self.keep(Trial(self.trial.program, self.trial.calls[:i] + self.trial.calls[i + 1 :], self.trial.form))

    def dropVariables(self):
        for i in reversed(range(len(self.trial.program.variables))):

            def change(program, i=i):
                name = program.variables[i].name
                if any(o.attributes.get("variable") == name for o in program.walk()):
                    return None
                del program.variables[i]
                return self.trial.calls

            self.changed(change)

    def simplerForm(self):
        form = self.trial.form
        for simpler in (
            {"change": 0},
            {"withCheck": False},
            {"strategy": "default"},
            {"mode": "static"},
            {"mode": "dynamic"},
        ):
            ((key, value),) = simpler.items()
            if getattr(form, key) != value and not (key == "mode" and form.mode in ("static", "dynamic")):
                self.keep(Trial(self.trial.program, self.trial.calls, replace(self.trial.form, **simpler)))

    def fewerResults(self):
        for i in reversed(range(len(self.trial.program.main.block.results))):
            if len(self.trial.program.main.block.results) > 1 or self.kind in ("refused", "pass", "crash"):

                def change(program, i=i):
                    del program.main.block.results[i]
                    return self.trial.calls if program.main.block.results else None

                self.changed(change)

    def dropOperations(self):
        """Operations whose results nobody uses."""
        for path in reversed(self.paths()):

            def change(program, path=path):
                block, at = find(program, path)
                operation = block.operations[at]
                if any(isUsed(program, r) for r in operation.results):
                    return None
                del block.operations[at]
                return self.trial.calls

            self.changed(change)

    def dropDead(self):
        """All that no result depends on, at once."""

        def change(program):
            removeDead(program)
            return self.trial.calls

        self.changed(change)

    def paths(self):
        """(number of the block, position) of all operations, in order."""
        return [
            (b, i) for b, (block, _) in enumerate(blocksOf(self.trial.program)) for i in range(len(block.operations))
        ]

    def flatten(self):
        """Calls become bodies, branches one of their blocks."""
        for path in reversed(self.paths()):
            try:
                block, at = find(self.trial.program, path)
                operation = block.operations[at]
            except IndexError:
                continue
            if operation.name == "call":

                def change(program, path=path):
                    block, at = find(program, path)
                    inlineAt(program, block, at)
                    return self.trial.calls

                self.changed(change)
            for which in range(len(operation.blocks)):

                def change(program, path=path, which=which):
                    block, at = find(program, path)
                    operation = block.operations[at]
                    body = operation.blocks[which]
                    if body.arguments:
                        for a, o in zip(body.arguments, operation.operands[-len(body.arguments) :]):
                            replaceUses(program, a, o)
                    block.operations[at : at + 1] = body.operations
                    for r, v in zip(operation.results, body.results):
                        replaceUses(program, r, v)
                    return self.trial.calls

                if self.changed(change):
                    break

    def cutValues(self):
        """Results of an operation become arguments, or a use takes an operand
        instead; what made them goes."""
        for path in reversed(self.paths()):
            for how in ("operand", "argument", "constant"):

                def change(program, path=path, how=how):
                    block, at = find(program, path)
                    operation = block.operations[at]
                    if (
                        (operation.name == "const" and how == "constant")
                        or not operation.results
                        or (how == "constant" and any(r.kind == "index" for r in operation.results))
                    ):
                        return None
                    calls = self.trial.calls
                    if how == "operand":
                        for r in operation.results:
                            same = [
                                o
                                for o in operation.operands
                                if o.kind == r.kind
                                and o.shape is not None
                                and r.shape is not None
                                and len(o.shape) == len(r.shape)
                            ]
                            if not same:
                                return None
                            replaceUses(program, r, same[0])
                        del block.operations[at]
                        return calls
                    values = [observed(self.trial, c, operation.results) for c in calls]
                    if None in values:
                        return None
                    del block.operations[at]
                    made = []
                    for i, r in enumerate(operation.results):
                        new = Value(r.kind, None, r.shape)
                        replaceUses(program, r, new)
                        if how == "argument":
                            program.main.block.arguments.append(new)
                            if program.main.names:
                                program.main.names = [*program.main.names, None]
                            calls = [c.withMore(v[i]) for c, v in zip(calls, values)]
                        else:
                            made.append(Operation("const", [], [new], {"values": values[0][i].low}))
                    block.operations[at:at] = made
                    return calls

                try:
                    if self.changed(change):
                        break
                except IndexError:
                    break

    def dropArguments(self):
        for i in reversed(range(len(self.trial.program.main.block.arguments))):

            def change(program, i=i):
                if isUsed(program, program.main.block.arguments[i]):
                    return None
                del program.main.block.arguments[i]
                if program.main.names:
                    program.main.names = [n for j, n in enumerate(program.main.names) if j != i]
                return [c.without(i) for c in self.trial.calls]

            self.changed(change)

    def dropNames(self):
        def change(program):
            program.main.names = None
            return self.trial.calls

        if self.trial.program.main.names:
            self.changed(change)

    def simplerCall(self):
        if any(
            c.threads != 1 or c.outputs or any(layout != ("row", None) for layout in c.layouts)
            for c in self.trial.calls
        ):
            self.keep(Trial(self.trial.program, [c.simple() for c in self.trial.calls], self.trial.form))

    def dropFunctions(self):
        for i in reversed(range(len(self.trial.program.functions) - 1)):

            def change(program, i=i):
                name = program.functions[i].name
                if any(o.name == "call" and o.attributes["callee"] == name for o in program.walk()):
                    return None
                del program.functions[i]
                return self.trial.calls

            self.changed(change)

    def trimFunctions(self):
        """Results and arguments of functions that nobody uses, and those of their calls."""
        for function in self.trial.program.functions[:-1]:
            for part in ("results", "arguments"):
                for i in reversed(range(len(getattr(function.block, part)))):
                    self.changed(
                        lambda program, part=part, i=i, name=function.name: (
                            self.trial.calls if trim(program, program.function(name), part, i) else None
                        )
                    )

    def makeMain(self):
        """A function in place of main: the fault may be in one that is not called."""
        for i in range(len(self.trial.program.functions) - 1):

            def change(program, i=i):
                del program.functions[i + 1 :]
                program.main.name = "main"
                shapes = [
                    (kindOf(a.kind), [1 if e is None else e for e in a.shape]) for a in program.main.block.arguments
                ]
                return [Call([exact(kind, np.zeros(shape, kind.dtype)) for kind, shape in shapes])]

            if self.changed(change):
                return


def find(program, path):
    number, at = path
    for i, (block, _) in enumerate(blocksOf(program)):
        if i == number:
            return block, at
    raise IndexError


def trim(program, function, part, i):
    """Takes argument or result `i` off a function and its calls. Whether nobody used it."""
    calls = [o for o in program.walk() if o.name == "call" and o.attributes["callee"] == function.name]
    outside = "results" if part == "results" else "operands"
    used = [getattr(call, outside)[i] for call in calls] if part == "results" else [function.block.arguments[i]]
    if any(isUsed(program, value) for value in used):
        return False
    for owner, name in [(function.block, part), *((call, outside) for call in calls)]:
        del getattr(owner, name)[i]
    if part == "arguments" and function.names:
        function.names = [n for j, n in enumerate(function.names) if j != i]
    return True


def isUsed(program, value):
    return any(
        v is value
        for block, _ in blocksOf(program)
        for v in block.results + [o for operation in block.operations for o in operation.operands]
    )


def removeDead(program):
    """Operations whose results nobody uses; but those that are left have none."""
    blocks = [block for block, _ in blocksOf(program)]
    used = {v for block in blocks for v in block.results}
    # Users come after what they use, and inner blocks after their operation.
    live = []
    changed = True
    everything = [o for block in blocks for o in block.operations]
    while changed:
        changed = False
        for operation in everything:
            if operation not in live and any(r in used for r in operation.results):
                live.append(operation)
                used.update(operation.operands)
                changed = True
    for block in blocks:
        block.operations = [o for o in block.operations if o in live]


def observed(trial, call, results):
    """Returns the values of the same numbers in a call, or None."""
    wanted = {r.number: None for r in results}

    def observe(value, data):
        if value.number in wanted:
            wanted[value.number] = data

    with contextlib.suppress(Fails, Undecided):
        Evaluator(trial.program, observe, withTypes=False).run(call.inputs)
    if None in wanted.values():
        return None
    return [d if d.isExact else exact(d.kind, d.low) for d in wanted.values() if isinstance(d, Data)]
