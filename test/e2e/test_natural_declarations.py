"""Declarations as people write them (triangles, bands, strides, leading dimensions, rows that
are copied) against bodies (ffi-6): right ones are accepted without a warning; where one is
changed a little, or a function tells the accesses, enumeration says whether it is right, and an
error's element differs."""

import functools
import itertools
import os
import random
import re
import subprocess

import broadloom
import pytest

OPT = os.path.join(os.path.dirname(broadloom.PROGRAM), "broadloom-opt")
SCALARS = ["n", "m", "k", "a0", "a1"]
NUMBERS = [-1, 0, 1, 2, 3, 5]
EXTENTS = [0, 1, 3, 5]


@functools.cache
def compile_python(text):
    return compile(text.replace("floordiv", "//").replace("mod", "%").replace(", ", " and "), text, "eval")


class Nest:
    """Loops, each with lower bounds, upper bounds and a step, and the element that they write."""

    def __init__(self, loops, element, declared, condition=""):
        self.loops, self.element, self.declared, self.condition = loops, element, declared, condition
        self.calls = None

    @property
    def rank(self):
        return len(self.element)

    def write(self):
        """The loops and the store as MLIR."""
        names = [name for name, *_ in self.loops]
        text, depth = "", 1

        def use(map_or_set, known):
            operands = ", ".join("%" + name for name in known)
            return f"{map_or_set}({operands})[%n, %m, %k, %a0, %a1]"

        def bound(exprs, known):
            return use(f"affine_map<({', '.join(known)})[{', '.join(SCALARS)}] -> ({', '.join(exprs)})>", known)

        for number, (name, lowers, uppers, step) in enumerate(self.loops):
            known = names[:number]
            text += "  " * depth + (
                f"affine.for %{name} = max {bound(lowers, known)} to min {bound(uppers, known)} step {step} {{\n"
            )
            depth += 1
        if self.condition:
            condition = f"affine_set<({', '.join(names)})[{', '.join(SCALARS)}] : ({self.condition} >= 0)>"
            text += f"    affine.if {use(condition, names)} {{\n"
            depth += 1
        for axis, expr in enumerate(self.element):
            text += f"    %at{axis} = affine.apply {bound([expr], names)}\n"
        subscripts = ", ".join(f"%at{axis}" for axis in range(self.rank))
        text += f"    memref.store %x, %a[{subscripts}] : {self.memory}\n"
        return text + "  }\n" * (depth - 1)

    @property
    def memory(self):
        return f"memref<{'?x' * self.rank}f64>"

    def run(self, values):
        """The elements that a call writes, or None if it fails."""
        extents = [values["a0"], values["a1"]][: self.rank]
        written = set()

        def compute(expr):
            return eval(compile_python(expr), {}, values)

        def visit(number):
            if number < len(self.loops):
                name, lowers, uppers, step = self.loops[number]
                for value in range(max(map(compute, lowers)), min(map(compute, uppers)), step):
                    values[name] = value
                    visit(number + 1)
                return
            if not self.condition or compute(self.condition) >= 0:
                written.add(tuple(map(compute, self.element)))

        values = dict(values)
        visit(0)
        return written if all(0 <= i < e for place in written for i, e in zip(place, extents)) else None

    def get_calls(self):
        """The scalars of many calls that return, and what they write."""
        if self.calls is None:
            used = set(re.findall(r"\w+", str(self.loops) + str(self.element) + self.condition + self.declared))
            numbers = [NUMBERS if name in used else [0] for name in SCALARS[:3]]
            extents = [EXTENTS] * 2 if self.rank == 2 else [[0, 1, 3, 5, 12, 17], [0]]
            calls = [dict(zip(SCALARS, call)) for call in itertools.product(*numbers, *extents)]
            self.calls = [(call, written) for call in calls if (written := self.run(call)) is not None]
        return self.calls


def loop(name, lower, upper, step=1):
    return (name, lower.split(", "), upper.split(", "), step)


NESTS = {
    "all": Nest([loop("i", "0", "a0"), loop("j", "0", "a1")], ["i", "j"], "0 <= r < a0, 0 <= c < a1"),
    "block": Nest([loop("i", "0", "n"), loop("j", "0", "m")], ["i", "j"], "0 <= r < n, 0 <= c < m"),
    "a block inside": Nest(
        [loop("i", "0", "n"), loop("j", "0", "m")], ["i + k", "j + 1"], "k <= r < n + k, 1 <= c <= m"
    ),
    "lower triangle": Nest([loop("i", "0", "n"), loop("j", "0", "i + 1")], ["i", "j"], "0 <= c <= r < n"),
    "upper triangle, strict": Nest([loop("i", "0", "n"), loop("j", "i + 1", "n")], ["i", "j"], "0 <= r < c < n"),
    "lower triangle, by columns": Nest([loop("j", "0", "n"), loop("i", "j", "n")], ["i", "j"], "0 <= c <= r < n"),
    "trapezoid": Nest([loop("i", "0", "n"), loop("j", "0", "i + 1, m")], ["i", "j"], "0 <= r < n, 0 <= c <= r, c < m"),
    "band": Nest(
        [loop("i", "0", "n"), loop("j", "0, i - 1", "n, i + 2")],
        ["i", "j"],
        "0 <= r < n, 0 <= c < n, r - 1 <= c <= r + 1",
    ),
    "band of a number": Nest(
        [loop("i", "0", "n"), loop("j", "0, i - k", "n, i + k + 1")],
        ["i", "j"],
        "0 <= r < n, 0 <= c < n, r - k <= c <= r + k",
    ),
    "even rows": Nest(
        [loop("i", "0", "n"), loop("j", "0", "m")], ["2 * i", "j"], "0 <= r < 2*n, r mod 2 == 0, 0 <= c < m"
    ),
    "steps": Nest([loop("i", "1", "n", 3), loop("j", "0", "m")], ["i", "j"], "1 <= r < n, r mod 3 == 1, 0 <= c < m"),
    "diagonal": Nest([loop("i", "0", "n")], ["i", "i"], "r == c, 0 <= r < n"),
    "antidiagonal": Nest([loop("i", "0", "n")], ["i", "n - i - 1"], "r + c == n - 1, 0 <= r < n"),
    "rows from": Nest(
        [loop("i", "0", "n"), loop("j", "0", "m")], ["i", "j"], "k <= r < n, 0 <= r, 0 <= c < m", condition="i - k"
    ),
    "vector": Nest([loop("i", "0", "n")], ["i"], "0 <= r < n"),
    "vector, backwards": Nest([loop("i", "0", "n")], ["n - i - 1"], "0 <= r < n"),
    "leading dimension": Nest([loop("i", "0", "n"), loop("j", "0", "3")], ["4 * i + j"], "0 <= r < 4*n, r mod 4 <= 2"),
    "triangle with a leading dimension": Nest(
        [loop("i", "0", "n, 4"), loop("j", "0", "i + 1")],
        ["4 * i + j"],
        "0 <= r < 4*n, r < 16, r mod 4 <= r floordiv 4",
    ),
    "pairs": Nest([loop("i", "0", "n"), loop("j", "0", "2")], ["3 * i + j"], "0 <= r floordiv 3 < n, r mod 3 < 2"),
}


def contains(declared, place, values):
    return eval(compile_python(declared), {}, values | dict(zip("rc", place)))


def change(rng, declared):
    """Another declaration: by one, by an end, or without a condition on remainders."""
    while True:
        conditions = declared.split(", ")
        i = rng.randrange(len(conditions))
        tokens = re.split(r"(<=|<|(?<![\w*])\d+)", conditions[i])
        if rng.random() < 0.3 and "mod" in conditions[i]:
            conditions.pop(i)
        elif len(tokens) > 1:
            k = rng.randrange(1, len(tokens), 2)
            if tokens[k].isdigit() and not tokens[k - 1].endswith(("mod ", "floordiv ")):
                tokens[k] = str(int(tokens[k]) + rng.choice([-1, 1]))
            elif not tokens[k].isdigit():
                tokens[k] = {"<": "<=", "<=": "<"}[tokens[k]]
            conditions[i] = "".join(tokens)
        if ", ".join(conditions) != declared:
            return ", ".join(conditions)


class Case:
    def __init__(self, number, nest, declared, is_sure):
        self.name, self.nest, self.declared, self.is_sure = f"case{number}", nest, declared, is_sure

    def write(self):
        return self.write_function(self.name, self.declare(), self.nest)

    def declare(self):
        outputs = ["r", "c"][: self.nest.rank]
        scalars = ["1", "2", "3", "dim(0, 0)", "dim(0, 1)"][: 3 + self.nest.rank]
        key = "writes" if self.is_sure else "may_writes"
        relation = f"()[{', '.join(SCALARS[: len(scalars)])}] -> ({', '.join(outputs)}) : ({self.declared})"
        access = f'#loom.access_set<0, #loom.relation<"{relation}">, [{", ".join(scalars)}]>'
        return f"attributes {{loom.effects = {{{key} = [{access}]}}}}"

    @staticmethod
    def write_function(name, attributes, nest):
        extents = "".join(
            f"  %c{axis} = arith.constant {axis} : index\n  %a{axis} = memref.dim %a, %c{axis} : {nest.memory}\n"
            for axis in range(nest.rank)
        )
        extents += "  %a1 = arith.constant 0 : index\n" if nest.rank == 1 else ""
        return (
            f"func.func @{name}(%a: {nest.memory}, %n: index, %m: index, %k: index) {attributes} {{\n"
            "  %x = arith.constant 1.0 : f64\n" + extents + nest.write() + "  return\n}\n"
        )

    def differs_at(self, place, values, written):
        """How the body and the declaration differ at an element of a call, or an empty text."""
        declared = contains(self.declared, place, values)
        if place in written and not declared:
            return "writes"
        return "has" if declared and place not in written and self.is_sure else ""

    def find_difference(self):
        for values, written in self.nest.get_calls():
            extents = [values["a0"], values["a1"]][: self.nest.rank]
            for place in itertools.product(*map(range, extents)):
                if self.differs_at(place, values, written):
                    return place, values
        return None

    def check_error(self, message):
        found = re.search(r"(writes|has) element \[(.*?)\] of argument 0(?:, where (.*?))?, which", message)
        assert found, message
        values = dict.fromkeys(SCALARS, 0)
        for axis, argument, value in re.findall(r"(?:axis (\d) of )?argument (\d) is (-?\d+)", found[3] or ""):
            values["a" + axis if axis else SCALARS[int(argument) - 1]] = int(value)
        place = tuple(map(int, found[2].split(", ")))
        extents = [values["a0"], values["a1"]]
        assert max(map(abs, values.values())) < 1000 and all(0 <= i < e for i, e in zip(place, extents)), message
        written = self.nest.run(values)
        assert written is not None, ("a call that fails", message, self.write())
        assert self.differs_at(place, values, written) == found[1], (message, self.write())


class ToldCase(Case):
    """A body that is compared with a function, whose nest tells what may be written."""

    def __init__(self, number, nest, telling):
        super().__init__(number, nest, nest.declared + telling.declared, is_sure=False)
        self.telling = telling

    def write(self):
        told = f"told{self.name}"
        attributes = f"attributes {{loom.effects = @{told}}}"
        return super().write_function(self.name, attributes, self.nest) + super().write_function(told, "", self.telling)

    def differs_at(self, place, values, written):
        told = self.telling.run(values)
        # A call that the function does not allow is not compared.
        return "writes" if told is not None and place in written and place not in told else ""

    def find_difference(self):
        calls = [call for call, _ in self.nest.get_calls() + self.telling.get_calls()]
        for values in calls:
            for place in self.nest.run(values) or ():
                if self.differs_at(place, values, [place]):
                    return place, values
        return None


def compare(tmp_path, cases):
    """The diagnostics of each case."""
    texts = [case.write() for case in cases]
    (tmp_path / "p.mlir").write_text("".join(texts))
    done = subprocess.run(
        [OPT, tmp_path / "p.mlir", "--loom-mark-memory-functions", "--loom-bind-externals", "-o", os.devnull],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    starts = list(itertools.accumulate((text.count("\n") for text in texts), initial=1))
    told = [[] for _ in cases]
    for line, kind, message in re.findall(r"p\.mlir:(\d+):\d+: (error|warning): (.*)", done.stderr):
        number = next(i for i, start in enumerate(starts[1:]) if int(line) < start)
        told[number].append((kind, message))
    assert done.returncode == (1 if any(kind == "error" for each in told for kind, _ in each) else 0), done.stderr
    return told


@pytest.mark.parametrize("is_sure", [True, False], ids=["writes", "may_writes"])
def test_what_people_write(tmp_path, is_sure):
    cases = [Case(i, nest, nest.declared, is_sure) for i, nest in enumerate(NESTS.values())]
    for name, case, told in zip(NESTS, cases, compare(tmp_path, cases), strict=True):
        assert case.find_difference() is None, name
        assert told == [], (name, told)


@pytest.mark.parametrize("is_sure", [True, False], ids=["writes", "may_writes"])
def test_what_is_wrong_by_one(tmp_path, is_sure):
    rng = random.Random(f"natural {is_sure}")
    names = list(NESTS)
    cases = []
    for i in range(150):
        nest = NESTS[names[i % len(names)]]
        cases.append(Case(i, nest, change(rng, nest.declared), is_sure))
    counts = dict.fromkeys(("wrong", "right", "warned"), 0)
    for case, told in zip(cases, compare(tmp_path, cases), strict=True):
        difference = case.find_difference()
        counts["wrong" if difference else "right"] += 1
        errors = [message for kind, message in told if kind == "error"]
        counts["warned"] += any(kind == "warning" for kind, _ in told)
        # An error may be of a larger call.
        for message in errors:
            case.check_error(message)
        assert errors or not difference, (case.write(), difference, told)
    assert counts["wrong"] > 40 and counts["right"] > 5, counts
    assert counts["warned"] == 0, counts


def test_what_a_function_tells(tmp_path):
    rng = random.Random("told")
    pairs = [(nest, nest) for nest in NESTS.values()]
    while len(pairs) < 80:
        pair = tuple(rng.choices(list(NESTS.values()), k=2))
        if pair[0].rank == pair[1].rank:
            pairs.append(pair)
    cases = [ToldCase(i, *pair) for i, pair in enumerate(pairs)]
    counts = dict.fromkeys(("wrong", "right", "warned"), 0)
    for case, told in zip(cases, compare(tmp_path, cases), strict=True):
        difference = case.find_difference()
        counts["wrong" if difference else "right"] += 1
        counts["warned"] += any(kind == "warning" for kind, _ in told)
        errors = [message for kind, message in told if kind == "error"]
        for message in errors:
            case.check_error(message)
        assert errors or not difference, (case.write(), difference, told)
    assert counts["wrong"] > 30 and counts["right"] > 20 and counts["warned"] == 0, counts
