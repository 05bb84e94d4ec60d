"""What --loom-infer-effects finds of copies, fills, transpositions and atomic accesses
of views, static and dynamic, with offsets and steps, against their enumeration (ffi-5)."""

import random
import subprocess

import numpy as np
from test_inferred_effects import OPT, sets_of

CASES, CALLS = 400, 24
OPEN = "?"


class Outside(Exception):
    """A view or a copy is refused, and the call ends."""


class View:
    """A part of an argument: per axis offset, size and step, numbers or names."""

    def __init__(self, rng, argument, numbers):
        self.argument = argument
        self.axes = [
            (rng.choice([0, 0, 1, 2, *numbers]), rng.choice([0, 1, 2, 3, *numbers]), rng.choice([1, 1, 2, 3]))
            for _ in argument.extents
        ]
        # A part with the sizes of another one can be copied.
        self.is_whole = rng.random() < 0.25
        self.name = f"v{rng.randrange(10**9)}"

    def take_sizes(self, other):
        if len(self.axes) == len(other.axes) and not self.is_whole and not other.is_whole:
            self.axes = [(o, size, t) for (o, _, t), (_, size, _) in zip(self.axes, other.axes)]

    @property
    def sizes(self):
        return self.argument.extents if self.is_whole else [size for _, size, _ in self.axes]

    @property
    def type(self):
        if self.is_whole:
            return self.argument.type
        strides, at = self.argument.strides, 0
        for (offset, _, _), stride in zip(self.axes, strides):
            if isinstance(offset, str) or stride == OPEN or self.argument.is_open:
                at = OPEN if offset != 0 or self.argument.is_open else at
            elif at != OPEN:
                at += offset * stride
        steps = [OPEN if s == OPEN else s * t for s, (_, _, t) in zip(strides, self.axes)]
        sizes = "x".join(OPEN if isinstance(size, str) else str(size) for _, size, _ in self.axes)
        layout = ", ".join(map(str, steps))
        offset = f", offset: {at}" if at != 0 else ""
        return f"memref<{sizes}xi64, strided<[{layout}]{offset}>>"

    @property
    def text(self):
        return f"%{self.argument.name}" if self.is_whole else f"%{self.name}"

    def declare(self):
        if self.is_whole:
            return ""
        lists = " ".join(
            "[" + ", ".join(f"%{x}" if isinstance(x, str) else str(x) for x in part) + "]" for part in zip(*self.axes)
        )
        return f"    {self.text} = memref.subview %{self.argument.name}{lists} : {self.argument.type} to {self.type}\n"

    def take(self, arrays, values):
        """The numbers of the elements of the part."""
        ids = arrays[self.argument.number]
        if self.is_whole:
            return ids
        for axis, part in enumerate(self.axes):
            offset, size, step = (values[x] if isinstance(x, str) else x for x in part)
            extent = ids.shape[axis]
            if offset < 0 or size < 0 or (offset + (size - 1) * step >= extent > -1 and size) or offset > extent:
                raise Outside
            ids = np.take(ids, [offset + k * step for k in range(size)], axis)
        return ids


def differ(x, y, is_transposed):
    """Whether types tell that the extents differ, which is no program; those of a
    transposition are open on both sides or on none."""
    known = [[OPEN if isinstance(size, str) else size for size in view.sizes] for view in (x, y)]
    pairs = zip(reversed(known[0]) if is_transposed else known[0], known[1])
    return any(a != b and (is_transposed or OPEN not in (a, b)) for a, b in pairs)


class Argument:
    def __init__(self, rng, number, rank):
        self.number, self.name = number, "ab"[number]
        self.extents = [rng.choice([OPEN, OPEN, rng.randint(9, 11)]) for _ in range(rank)]
        self.is_open = rng.random() < 0.25
        self.strides = [OPEN] * rank if self.is_open else [*self.extents[1:], 1]

    @property
    def type(self):
        extents = "x".join(map(str, self.extents))
        layout = f", strided<[{', '.join(OPEN * len(self.extents))}], offset: ?>" if self.is_open else ""
        return f"memref<{extents}xi64{layout}>"


class Case:
    def __init__(self, seed):
        self.rng = rng = random.Random(seed)
        self.name, rank = f"case{seed}", rng.choice([1, 1, 2])
        self.arguments = [Argument(rng, number, rank) for number in range(2)]
        self.around = rng.choice(["", "", "loop", "branch"])
        numbers = ["p", "q", "i"] if self.around == "loop" else ["p", "q"]
        self.ops = []
        for _ in range(rng.randint(1, 2)):
            kind = rng.choice(["memref.copy", "memref.copy", "linalg.copy", "fill", "transpose", "atomic"])
            views = self.choose_views(numbers)
            while kind not in ("fill", "atomic") and differ(*views, kind == "transpose"):
                views = self.choose_views(numbers)
            self.ops.append((kind, views, [rng.choice([0, 1, *numbers]) for _ in range(rank)]))

    def choose_views(self, numbers):
        views = [View(self.rng, self.rng.choice(self.arguments), numbers) for _ in range(2)]
        if self.rng.random() < 0.8:
            views[1].take_sizes(views[0])
        return views

    def write(self):
        body = ""
        for kind, views, indices in self.ops:
            x, y = views
            used = [x] if kind in ("fill", "atomic") else views
            body += "".join(view.declare() for view in used)
            if kind == "memref.copy":
                body += f"    memref.copy {x.text}, {y.text} : {x.type} to {y.type}\n"
            elif kind == "linalg.copy":
                body += f"    linalg.copy ins({x.text} : {x.type}) outs({y.text} : {y.type})\n"
            elif kind == "fill":
                body += f"    linalg.fill ins(%one : i64) outs({x.text} : {x.type})\n"
            elif kind == "transpose":
                axes = ", ".join(map(str, reversed(range(len(x.axes)))))
                body += (
                    f"    linalg.transpose ins({x.text} : {x.type}) outs({y.text} : {y.type}) permutation = [{axes}]\n"
                )
            else:
                at = ", ".join(f"%{i}" if isinstance(i, str) else f"%c{i}" for i in indices)
                body += f"    memref.atomic_rmw addi %one, {x.text}[{at}] : (i64, {x.type}) -> i64\n"
        opens = {
            "": "",
            "loop": "  affine.for %i = 0 to %n {\n",
            "branch": "  affine.if affine_set<(d) : (d - 2 >= 0)>(%n) {\n",
        }
        a, b = self.arguments
        return (
            f"func.func @{self.name}(%a: {a.type}, %b: {b.type}, %n: index, %p: index, %q: index) {{\n"
            "  %one = arith.constant 1 : i64\n  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n"
            + opens[self.around]
            + body
            + ("  }\n" if self.around else "")
            + "  return\n}\n"
        )

    def run_once(self, arrays, values, touched):
        for kind, views, indices in self.ops:
            x, y = (
                view.take(arrays, values) if kind not in ("fill", "atomic") or k == 0 else None
                for k, view in enumerate(views)
            )
            read, write = [], x
            if kind == "atomic":
                place = tuple(values[i] if isinstance(i, str) else i for i in indices)
                if not all(0 <= i < extent for i, extent in zip(place, x.shape)):
                    raise Outside
                read = write = x[place]
            elif kind != "fill":
                if (x.T if kind == "transpose" else x).shape != y.shape:
                    raise Outside
                read, write = x, y
            touched[False].update(np.ravel(read).tolist())
            touched[True].update(np.ravel(write).tolist())

    def run(self, arrays, values):
        """What a call reads and writes, and whether it returns."""
        touched = {False: set(), True: set()}
        times = {"": 1, "loop": max(values["n"], 0), "branch": int(values["n"] >= 2)}[self.around]
        try:
            for i in range(times):
                self.run_once(arrays, values | {"i": i}, touched)
        except Outside:
            return touched, False
        return touched, True


def test_copies_of_views(tmp_path):
    cases = [Case(seed) for seed in range(CASES)]
    (tmp_path / "p.mlir").write_text("".join(case.write() for case in cases))
    done = subprocess.run(
        [OPT, tmp_path / "p.mlir", "--loom-infer-effects"], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    lines = [line for line in done.stdout.splitlines() if "func.func @case" in line]
    counts = dict.fromkeys(("sets", "sure sets", "returns", "sure"), 0)
    for case, line in zip(cases, lines, strict=True):
        sets = sets_of(line)
        for sure, all_sets, _ in sets.values():
            counts["sets"] += len(all_sets)
            counts["sure sets"] += len(sure)
        for _ in range(CALLS):
            numbers = [case.rng.randint(-1, 4) for _ in range(3)]
            shapes = [[case.rng.randint(1, 9) if e == OPEN else e for e in a.extents] for a in case.arguments]
            first = int(np.prod(shapes[0]))
            arrays = [np.arange(first).reshape(shapes[0]), first + np.arange(np.prod(shapes[1])).reshape(shapes[1])]
            touched, returns = case.run(arrays, dict(zip("npq", numbers)))
            counts["returns"] += returns
            for is_write, (sure, all_sets, _) in sets.items():
                for number, ids in enumerate(arrays):
                    for place in np.ndindex(ids.shape):
                        found = [s for s in all_sets if s.argument == number and s.contains(place, arrays, numbers)]
                        is_sure = returns and any(s in sure for s in found)
                        is_touched = int(ids[place]) in touched[is_write]
                        where = (case.write(), is_write, number, place, numbers, shapes)
                        assert found or not is_touched, where
                        assert is_touched or not is_sure, where
                        counts["sure"] += is_sure
    # All that is not a product of numbers is known exactly.
    assert counts["sure sets"] > 0.8 * counts["sets"], counts
    assert counts["returns"] > 2_000 and counts["sure"] > 10_000, counts
