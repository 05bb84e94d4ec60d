"""Compares edited nests with lists of their iterations (rules sch-3 to sch-10): no edit that is accepted changes what
meets, each that is refused would, and values are those of the program, also where memory is shared."""

import collections
import re

import broadloom as bl
import numpy as np
import schedule_model as model
from schedule_programs import SIZES

REFUSED = re.compile(r"error: (.*)")
# The edit is where the error is, or in a note where the error is of the loop.
OF_EDIT = re.compile(r":(\d+):\d+: (?:error: |note: the edit$)", re.MULTILINE)
# An edit that is legal where it stands, of a loop that later edits make too large for threads.
TOO_LARGE = re.compile(
    r"a loop that the schedule has parallel cannot run on threads: "
    r"(it has too many pairs of accesses|it has \d+ operations, more than \d+|it depends on too many values in front)"
)
# The copies of a pack that comes later are of boxes, which meet where the loop's own accesses may not.
COPIED = re.compile(r"a loop that the schedule has parallel cannot run on threads: .* meet at ")
UNKNOWN = ("it is not known", "it has too many pairs of accesses")
NO_VECTORS = (
    "which the schedule has as vectors, stays as it is: LLVM says",
    "cannot have vectors of as many elements as the schedule says",
)
# Of loops that an edit has marked.
MARKED = (" runs on threads", " runs as vectors twice")
# Reasons that are none of the order.
FORMS = [" depend on ", " is not affine in the loops", " stands be", " steps "]
# Each iteration of loops around a packed one writes the same copy, which lists do not have.
OF_COPIES = re.compile(r"the cop(y|ies) of argument|stand in front of pack|\.(copy|back)\d")
OPEN_THREADS = "how many copies its iterations need"
OF_SUMS = "argument 's'"
# Sizes in a message that are still enumerated.
MOST = 64


class Judge:
    def __init__(self, folder):
        self.path = folder / "schedule.mlir"
        self.counts = collections.Counter()
        self.known = None, {}

    def judge(self, case):
        """What is wrong with the case; nothing if all is right."""
        self.counts["schedules"] += 1
        if case.seed % 4 == 0:
            self.counts["schedules that are found"] += 1
            found = self.run(case, bl.compile(case.program, schedule="auto", optimise=False))
            if found:
                return f"with a schedule that is found: {found}"
        self.path.write_text(case.schedule)
        refused, reason = None, ""
        # Vectors are made of code that is optimised.
        optimise = case.seed % 5 == 0 or any(".vectorize " in edit.text for edit in case.edits)
        try:
            function = bl.compile(case.program, schedule=self.path, optimise=optimise)
        except bl.CompileError as error:
            if any(text in str(error) for text in NO_VECTORS):
                self.counts["no vectors by LLVM"] += 1
                return None
            reason = REFUSED.search(str(error)).group(1)
            line = OF_EDIT.findall(str(error))[-1]
            refused = case.schedule.splitlines()[int(line) - 1].strip()
            if refused not in [edit.text for edit in case.edits]:
                return f"not an edit: {error}"
        accepted = case.edits
        if refused is not None:
            number = [edit.text for edit in case.edits].index(refused)
            accepted = case.edits[:number]
        for edit in accepted:
            if not any(self.keeps(case, nodes, SIZES) for nodes in edit.ways):
                return f"accepted, but what meets changes its order: {edit.text}"
            if self.is_legal(case, edit, only_calls_that_run=True) is False:
                return f"accepted, but isl finds what meets and changes its order: {edit.text}"
        self.counts["edits"] += len(accepted)
        if refused is None:
            return self.run(case, function)
        if TOO_LARGE.search(reason):
            self.counts["too large for threads"] += 1
            return None
        later = case.edits[number + 1 :]
        if COPIED.search(reason) and any(".pack " in edit.text for edit in later):
            self.counts["copies of iterations meet"] += 1
            return None
        return self.judge_refusal(case, case.edits[number], reason)

    def is_legal(self, case, edit, only_calls_that_run=False):
        """What isl says of all sizes, or of those of calls that run; None without an answer."""
        answer = case.symbolic.keeps(edit.leaves, only_calls_that_run) if case.symbolic else None
        if case.symbolic:
            self.counts["edits that isl has judged" if answer is not None else "edits without a form for isl"] += 1
        return answer

    def keeps(self, case, nodes, sizes):
        # Of memory that is only updated, the order of sums is free.
        return all(model.keeps(self.order(case, n, m), model.order(nodes, {"n": n, "m": m}), {"s"}) for n, m in sizes)

    def order(self, case, n, m):
        """That of the program, which is asked for often."""
        if self.known[0] is not case:
            self.known = case, {}
        if (n, m) not in self.known[1]:
            self.known[1][n, m] = model.order(case.nodes, {"n": n, "m": m})
        return self.known[1][n, m]

    def judge_refusal(self, case, edit, reason):
        # What copies a box touches elements that the loop does not.
        is_of_order = " comes before " in reason or " meet at " in reason
        if OPEN_THREADS in reason:
            self.counts["refused for the number of copies"] += 1
            return None if edit.is_of_open_threads else f"refused, but the number of copies is known: {reason}"
        if OF_COPIES.search(reason) or (edit.is_around_copy and is_of_order):
            self.counts["refused for a copy"] += 1
            return None if any(".pack " in other.text for other in case.edits) else f"refused without a copy: {reason}"
        if is_of_order:
            self.counts["refused"] += 1
            if "parallelize" in edit.text and OF_SUMS in reason:
                # Threads combine some sums only.
                return None
            if self.is_legal(case, edit):
                return f"refused, but isl calls it legal: {edit.text}: {reason}"
            given = {a: int(v) for a, v in re.findall(r"argument '([nm])' is (-?\d+)", reason)}
            told = (given.get("n", 0), given.get("m", 0))
            if max(told) > MOST:
                self.counts["refused for sizes that are not enumerated"] += 1
                return None
            sizes = [told, *SIZES]
            if edit.ways and all(self.keeps(case, nodes, sizes) for nodes in edit.ways):
                return f"refused, but nothing that meets changes its order: {edit.text}: {reason}"
            return None
        if any(unknown in reason for unknown in UNKNOWN):
            self.counts["unknown"] += 1
            if edit.ways and all(self.keeps(case, nodes, SIZES) for nodes in edit.ways):
                self.counts["unknown, and legal for small sizes"] += 1
            if self.is_legal(case, edit):
                self.counts["unknown, and legal by isl"] += 1
            return None
        if any(text in reason for text in MARKED):
            self.counts["marked twice"] += 1
            return f"refused, but no other loop is marked: {edit.text}: {reason}" if edit.ways else None
        # The form of the nest: bounds that depend on loops, or statements beside loops.
        self.counts["of another form"] += 1
        if not any(form in reason for form in FORMS):
            return f"refused: {edit.text}: {reason}"
        if " depend on " in reason and edit.ways:
            return f"refused for bounds that do not depend on loops: {edit.text}: {reason}"
        if self.is_legal(case, edit):
            self.counts["of another form, and legal by isl"] += 1
        return None

    def run(self, case, function):
        dice = np.random.default_rng(case.seed)
        shares = case.ranks["a"] == case.ranks["b"]
        for n, m in [SIZES[i] for i in dice.choice(len(SIZES), 3, replace=False)]:
            names = {"n": n, "m": m}
            places = list(self.order(case, n, m))
            for shared in [False, True] if shares else [False]:
                arrays = {
                    memory: dice.integers(-99, 99, [self.extent(places, memory, axis) for axis in range(rank)])
                    for memory, rank in case.ranks.items()
                }
                if shared:
                    # One memory, or one that begins inside of the other one.
                    extents = np.maximum(arrays["a"].shape, arrays["b"].shape) + 1
                    whole = dice.integers(-99, 99, extents)
                    arrays["a"] = whole
                    arrays["b"] = whole if n % 2 else whole[1:]
                    if any(p[0] >= len(arrays["b"]) for memory, p in places if memory == "b"):
                        arrays["b"] = whole
                expected = self.compute(case, names, arrays)
                function(*arrays.values(), n, m)
                self.counts["calls"] += 1
                for memory, array in arrays.items():
                    if not np.array_equal(array, expected[memory]):
                        return f"other values of '{memory}' for n = {n}, m = {m}, shared {shared}"
        return None

    @staticmethod
    def extent(places, memory, axis):
        return 1 + max((place[axis] for name, place in places if name == memory), default=0)

    @staticmethod
    def compute(case, names, arrays):
        """What the program makes of the arrays, in its order."""
        copies, found = {}, {}
        for memory, array in arrays.items():
            base = array if array.base is None else array.base
            whole = copies.setdefault(id(base), base.copy())
            found[memory] = whole if array is base else whole[1:]

        def visit(statement, names):
            values = []
            for memory, place, writes in statement.accesses(names):
                if writes:
                    found[memory][place] = case.compute[statement.number](values, names)
                else:
                    values.append(int(found[memory][place]))

        model.run(case.nodes, names, visit)
        return found
