"""Compares calls of compiled nests with their enumeration (rules mem-2 and mem-3): no
access outside is missed, none inside is refused, what is told is true, elements are
equal, and a check in front of a nest fails before the nest has written."""

import bisect
import collections
import re
from dataclasses import dataclass

import broadloom as bl
import nest_message
import numpy as np
from nest_memory import SIZE, Pages, lay
from nest_program import Branch, Copy, Load, Loop, Reduction, Store, Temporary, View, walk
from nest_run import Run, TooLong
from nest_text import write

MESSAGE = re.compile(
    r"text>?:(\d+):\d+: '[\w.]+': (?:index (-?\d+) is outside axis (\d+) of .*, whose extent is (-?\d+)|the view takes|axis \d+)"
)

LOOPS = ("affine.for", "affine.parallel", "scf.for", "scf.parallel")
# The axis that an access checks itself.
OWN_AXIS = re.compile(r"is outside axis (\d+) of ")
# What is told of these is no index.
WITHOUT_INDEX = (View, Copy, Temporary)


@dataclass
class Finding:
    """`kind` is missed, refused, message, wrong, written, rejected or error."""

    kind: str
    text: str
    call: object


class Judge:
    """Has the memory of the calls, which each call fills anew."""

    def __init__(self, most=2_000, keeps=False):
        """Calls with more accesses than `most` are left out; with `keeps`, those that fail have written nothing."""
        self.most, self.keeps = most, keeps
        self.pages = [Pages() for _ in range(5)]
        self.counts = {"nests": 0, "calls": 0, "calls that fail": 0}
        # What a part of the cases that are judged has inside.
        self.insides = {}

    def inside(self, part):
        """The nodes of a part of a case by their id, in the program's order. A part keeps its nodes as long as it is
        judged, so that it is walked over once."""
        found = self.insides.get(id(part))
        if found is None:
            found = self.insides[id(part)] = {id(n): n for n in walk(part)}
        return found

    def function_of(self, case, node):
        return next(f for f in case.functions if id(node) in self.inside(f.body))

    def judge(self, case):
        """What is wrong with a case that is compiled alone, or None."""
        return self.judge_together([case])[0]

    def judge_together(self, cases):
        """The same for cases that are compiled as one program: a program for each takes several times as long."""
        if not cases:
            return []
        texts, places, ends, line = [], {}, [], 1
        for case in cases:
            text, own = write(case.functions, line)
            texts.append(text)
            places |= own
            line += text.count("\n")
            ends.append(line)
        try:
            program = bl.compile_program("".join(texts), optimise=self.optimises(cases), error_limit=10_000)
        except (bl.ShapeError, bl.CompileError) as error:
            lines = [int(at) for at in re.findall(r"^<text>:(\d+):\d+: error: ", str(error), re.M)]
            refused = {bisect.bisect_right(ends, at) for at in lines} & set(range(len(cases)))
            if not refused:
                raise
            self.counts["nests"] += len(refused)
            others = iter(self.judge_together([c for i, c in enumerate(cases) if i not in refused]))
            return [self.rejected(case, error) if i in refused else next(others) for i, case in enumerate(cases)]
        # The lines of accesses with checks of their own, each with the axes that these are of, of loops with a check
        # in front, and of those whose checks are all at the entry of their function.
        self.checks, self.guarded, self.at_entry = {}, collections.Counter(), collections.Counter()
        for row in program.check():
            if row.status == "run-time":
                line = int(row.location.split(":")[1])
                if row.operation in LOOPS:
                    self.guarded[line] += 1
                    self.at_entry[line] += "checked once at entry" in row.reason
                else:
                    axis = OWN_AXIS.search(row.constraint)
                    self.checks.setdefault(line, set()).add(axis and int(axis[1]))
        self.counts["nests"] += len(cases)
        self.insides = {}
        # A reduction has two lines: its loop's, and behind it that of its store.
        self.lines = {id(node): line for line, node in places.items()}
        self.loop_lines = {id(node): line for line, node in reversed(places.items())}
        for case in cases:
            for function in case.functions:
                self.add_repeats(function.body, {})
        return [self.calls(case, self.find(program, case), places) for case in cases]

    def add_repeats(self, block, checked):
        """An access with a check of its own checks equal ones behind it in its block and in those inside, which
        have no row in the report. `checked` has the memory and the subscripts of those in front of the block."""

        def add(accesses, checked):
            for access in accesses:
                key = (access.memory, repr(access.subscripts))
                # A program that is another one than the case has no line for it.
                line = self.lines.get(id(access))
                if line in self.checks:
                    checked[key] = self.checks[line]
                elif key in checked and line is not None:
                    self.checks[line] = checked[key]

        def loads(part):
            return (n for n in walk(part) if isinstance(n, Load))

        for statement in block:
            if isinstance(statement, Loop):
                self.add_repeats(statement.body, dict(checked))
            elif isinstance(statement, Branch):
                self.add_repeats(statement.then, dict(checked))
                self.add_repeats(statement.otherwise, dict(checked))
            elif isinstance(statement, Reduction):
                add(loads(statement.start), checked)
                add(loads(statement.update), dict(checked))
                add([statement], checked)
            elif isinstance(statement, Store):
                add([*loads(statement.value), statement], checked)

    @staticmethod
    def find(program, case):
        """The function that is called, on one thread or several. Programs free what they make."""
        function = program[case.functions[-1].name]
        function.threads = 1 + case.index % 4
        function.finds_leaks = True
        return function

    @staticmethod
    def optimises(cases):
        """Some are compiled as users' programs are."""
        return cases[0].index % 7 == 0

    def rejected(self, case, error):
        """A program that is refused has no call that runs (ext-2)."""
        if isinstance(error, bl.CompileError) and not isinstance(error, bl.ShapeError):
            return Finding("error", str(error), None)
        for call in case.calls:
            outcome = self.enumerate(case, call, self.begin(case, call)[1])
            if outcome and not outcome.outside:
                return Finding("rejected", str(error), call)
        return None

    def begin(self, case, call, pages=None):
        """Pages as a call begins with them, without protection where none are given, and the arrays on them."""
        random = np.random.default_rng(sum(call.numbers) % 97)
        pages = pages or [np.empty(SIZE, np.uint8) for _ in call.arguments]
        for page, _ in zip(pages, call.arguments):
            page[:] = random.integers(0, 256, SIZE, np.uint8)
        kind = {"i64": np.int64, "f64": np.float64}[case.functions[-1].memories[0].element]
        arrays = [lay(pages[a.pages], a.shape, kind, a.layout, a.at) for a in call.arguments]
        for array, data in zip(arrays, call.data or ()):
            array[...] = data
        return pages[: len(call.arguments)], arrays

    def enumerate(self, case, call, arrays):
        try:
            return Run(case.functions, self.most).call(case.functions[-1].name, arrays, call.numbers)
        except TooLong:
            return None

    def calls(self, case, function, places):
        for call in case.calls:
            finding = self.call(case, call, function, places)
            if finding:
                finding.call = call
                return finding
        return None

    def call(self, case, call, function, places):
        expected, arrays = self.begin(case, call)
        outcome = self.enumerate(case, call, arrays)
        if outcome is None:
            return None
        self.counts["calls"] += 1
        given, arrays = self.begin(case, call, [p.bytes for p in self.pages])
        try:
            function(*arrays, *call.numbers)
        except bl.ShapeError as error:
            self.counts["calls that fail"] += 1
            if not outcome.outside:
                return Finding("refused", str(error), None)
            return self.message(case, outcome, str(error), places) or self.written(case, call, outcome, given, places)
        except (TypeError, ValueError) as error:
            return Finding("error", f"{type(error).__name__}: {error}", None)
        if outcome.outside:
            return Finding("missed", f"outside: {self.tell(outcome.outside[0], places)}", None)
        if not agree(given, expected):
            return Finding("wrong", "the memory is not what the enumeration makes of it", None)
        return None

    @staticmethod
    def tell(outside, places):
        line = next((at for at, node in places.items() if node is outside.node), None)
        return f"line {line}, index {outside.index}, axis {outside.axis}, extent {outside.extent}"

    @staticmethod
    def list_first(outside, node):
        """What is outside of the first access by a node that has any, an entry for each axis. Its axes are checked in
        the order in which their indices are known."""
        found = []
        for o in outside:
            if found and (o.node is not node or o.axis <= found[-1].axis):
                break
            if o.node is node:
                found.append(o)
        return found

    def is_iteration(self, outside, text):
        """Whether the values that the text tells are those of the program's names there, and give what is told."""
        told = nest_message.read(text)
        if told is None:
            return True
        names = {f"%{name}": value for name, value in outside.names.items()}
        return all(names.get(name, value) == value for name, value in told.values.items()) and all(
            number == value for number, value in told.pairs
        )

    def is_first(self, told, case, outcome, lines):
        """Whether what is told is the first of what is checked where it is checked: just before it happens, or
        in front of a nest. Where a nest has several checks, of some accesses each, any of them may be the first.
        An access that is never inside is checked in front of its nest, or at entry, while the report has a row of
        its own for it. Where some axes of an access have checks of their own, the others are checked in front, and
        each check tells its own first."""
        function = self.function_of(case, told.node)
        axes = self.checks.get(lines[id(told.node)])
        if axes is not None:
            own = [o for o in outcome.outside if (o.axis in axes) == (told.axis in axes)]
            return any(same(told, o) for o in self.list_first(own, told.node))
        nest = next(ids for ids in map(self.inside, function.body) if id(told.node) in ids)
        if self.is_at_entry(told.node, function, lines):
            # Checks at the entry are in the order of their nests.
            of_call = (o for o in outcome.outside if o.call == told.call)
            earliest = next(o for o in of_call if self.is_at_entry(o.node, function, lines))
            if id(earliest.node) not in nest:
                return False
        if sum(self.guarded[self.loop_lines[n]] for n in nest if n in lines) > 1:
            return True
        first = next(o for o in outcome.outside if id(o.node) in nest and lines[id(o.node)] not in self.checks)
        return same(told, first)

    def is_at_entry(self, node, function, lines):
        """Whether all checks of the loops around the access are at the entry of the function. Which of these loops
        has the access's own check is not told."""
        nodes = self.inside(function.body).values()
        own = self.loop_lines
        around = [own[id(n)] for n in nodes if own.get(id(n)) in self.guarded and id(node) in self.inside(n)]
        return (
            bool(around)
            and lines[id(node)] not in self.checks
            and all(self.at_entry[line] == self.guarded[line] for line in around)
        )

    def message(self, case, outcome, text, places):
        """What is told is the first that is outside. Of an access with a check of its own, it may be an index that is
        the same in all iterations."""
        match = MESSAGE.search(text)
        node = places.get(int(match[1])) if match else None
        if node is None:
            return Finding("message", text, None)
        if isinstance(node, WITHOUT_INDEX):
            told = [o for o in outcome.outside if o.node is node]
        else:
            index, axis, extent = map(int, match.groups()[1:])
            told = [
                o for o in outcome.outside if o.node is node and (o.index, o.axis, o.extent) == (index, axis, extent)
            ]
        if not told:
            return Finding("message", f"{text}\nwhich is inside", None)
        told = [o for o in told if self.is_iteration(o, text)]
        if not told:
            return Finding("message", f"{text}\nof which the values behind the colon are wrong", None)
        # Of an access with a check of its own, each axis is checked as early as its index is known.
        is_known = isinstance(node, WITHOUT_INDEX) or (
            self.lines[id(node)] in self.checks
            and any(outcome.only[o.call, id(node), o.axis] is not None for o in told)
        )
        if not is_known and not any(self.is_first(o, case, outcome, self.lines) for o in told):
            return Finding("message", f"{text}\nfirst outside: {self.tell(outcome.outside[0], places)}", None)
        return None

    def written(self, case, call, outcome, given, places):
        """Memory is what the writes in front of some moment before the failure make of it; where the first
        access outside has no check of its own, this moment is in front of a loop with a check, or where its
        function begins."""
        lines = self.lines
        most = len(outcome.writes)
        if lines[id(outcome.outside[0].node)] not in self.checks:
            begins = [count for loop, count in outcome.around if self.loop_lines[id(loop)] in self.guarded]
            most = max(begins, default=most)
            if self.is_at_entry(outcome.outside[0].node, self.function_of(case, outcome.outside[0].node), lines):
                most = outcome.entered
        if self.keeps:
            most = 0
        expected, arrays = self.begin(case, call)
        writes = self.enumerate(case, call, arrays).writes
        begin, _ = self.begin(case, call)
        for to, start in zip(expected, begin):
            to[:] = start
        for count in range(most + 1):
            if agree(given, expected):
                return None
            if count < most:
                data, place, element = writes[count]
                data[place] = element
        return Finding(
            "written", f"a call that fails wrote more than it may: {self.tell(outcome.outside[0], places)}", None
        )


def same(told, other):
    return told.node is other.node and told.index == other.index and told.names == other.names


def agree(given, expected):
    return all(np.array_equal(a, b) for a, b in zip(given, expected))
