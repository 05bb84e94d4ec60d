"""Relations (#loom.relation) against isl: random questions, whose answers are
equal or unknown. BROADLOOM_POLY_NESTS multiplies how many there are."""

import os
import random
import re
import subprocess

import broadloom
import pytest

isl = pytest.importorskip("islpy", reason="isl's Python package islpy is not installed")

OPT = os.path.join(os.path.dirname(broadloom.PROGRAM), "broadloom-opt")
QUESTIONS = 100 * int(os.environ.get("BROADLOOM_POLY_NESTS", "1"))

# Each question: how many relations it is about, and isl's answer, a relation or a truth.
ASKED = {
    "print": (1, lambda a: a),
    "inverse": (1, lambda a: a.reverse()),
    "domain": (1, lambda a: isl.Map.from_range(a.domain())),
    "range": (1, lambda a: isl.Map.from_range(a.range())),
    "minimum": (1, lambda a: a.lexmin()),
    "maximum": (1, lambda a: a.lexmax()),
    "union": (2, lambda a, b: a.union(b)),
    "intersect": (2, lambda a, b: a.intersect(b)),
    "subtract": (2, lambda a, b: a.subtract(b)),
    "compose": (2, lambda a, b: a.apply_range(b)),
    "is_empty": (1, lambda a: a.is_empty()),
    "is_subset": (2, lambda a, b: a.is_subset(b)),
    "is_equal": (2, lambda a, b: a.is_equal(b)),
}


def names(base, count):
    return [f"{base}{i}" for i in range(count)]


def condition(rng, variables):
    text = str(rng.randint(-6, 6))
    for name in variables:
        if rng.random() < 0.6:
            if rng.random() < 0.25:
                kind = rng.choice(["mod", "floordiv"])
                name = f"(({rng.randint(1, 3)}*{name} + {rng.randint(-2, 2)}) {kind} {rng.randint(2, 5)})"
            text += f" + {rng.randint(-2, 2)}*{name}"
    return text + rng.choice([" >= 0", " >= 0", " == 0"])


def relation(rng, inputs, outputs, sizes, isBounded=False):
    """A random one as text."""
    groups = [names(inputs, sizes[0]), names("s", sizes[1]), names(outputs, sizes[2])]
    head = "({})[{}] -> ({}) : ".format(*(", ".join(group) for group in groups))
    parts = []
    for _ in range(rng.randint(1, 2)):
        variables = [name for group in groups for name in group]
        text = ""
        if rng.random() < 0.3:
            variables.append("e")
            text = "exists (e) : "
        conditions = [condition(rng, variables) for _ in range(rng.randint(0, 3))]
        if isBounded:
            conditions += [f"-9 <= {name} <= 9" for name in variables]
        parts.append(text + "(" + ", ".join(conditions) + ")")
    return head + " or ".join(parts)


def toIsl(text):
    """The relation of the dialect's text."""
    match = re.fullmatch(r"\(([^)]*)\)(?:\[([^]]*)\])? -> \(([^)]*)\) : (.*)", text)
    inputs, symbols, outputs, body = match.groups()
    out, depth, isExists = [], 0, False
    tokens = re.findall(r"\w+|[<>=]=|[-+*(),:<>]", body)
    position = 0
    while position < len(tokens):
        token = tokens[position]
        if token in ("floordiv", "mod"):
            position += 1
            start, nested = len(out), 0
            while True:
                start -= 1
                nested += {")": 1, "(": -1}.get(out[start], 0)
                if nested == 0:
                    break
            atom = " ".join(out[start:])
            divided = (
                f"floor(({atom})/{tokens[position]})" if token == "floordiv" else f"(({atom}) mod {tokens[position]})"
            )
            out[start:] = [divided]
        elif token == "exists":
            out.append("( exists ")
            end = tokens.index(":", position)
            out.append(", ".join(name for name in tokens[position + 1 : end] if name not in "(),"))
            out.append(":")
            position = end
            isExists = True
        else:
            depth += {"(": 1, ")": -1}.get(token, 0)
            if token == ")" and out[-1] == "(":
                out.append("0 = 0")
            out.append({"false": "1 = 0", "==": "="}.get(token, "and" if token == "," and depth == 1 else token))
            if depth == 0 and isExists:
                out.append(")")
                isExists = False
        position += 1
    return isl.Map(f"[{symbols or ''}] -> {{ [{inputs}] -> [{outputs}] : {' '.join(out)} }}")


def answers(questions, path):
    """Those of broadloom-opt, by question."""
    lines = []
    for number, (name, relations) in enumerate(questions):
        listed = ", ".join(f'#loom.relation<"{text}">' for text in relations)
        lines.append(f"func.func private @f{number}() attributes {{test.{name} = [{listed}]}}\n")
    path.write_text("".join(lines))
    run = subprocess.run([OPT, path, "--test-relations", "-o", os.devnull], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return {int(line) - 1: text for line, text in re.findall(r":(\d+):\d+: remark: (.*)", run.stderr)}


def isRefused(text, path):
    """Whether the text has a part without a point."""
    path.write_text(f'func.func private @f() attributes {{r = #loom.relation<"{text}">}}\n')
    run = subprocess.run([OPT, path], capture_output=True, text=True)
    if run.returncode:
        assert "no point satisfies these constraints" in run.stderr
    return run.returncode != 0


def points(text):
    """One relation of isl for each part."""
    head, body = text.split(" : ", 1)
    return [toIsl(f"{head} : {part}") for part in body.split(" or ")]


def test_random_relations(tmp_path):
    rng = random.Random(1)
    path = tmp_path / "questions.mlir"
    questions = []
    refused = 0
    while len(questions) < QUESTIONS:
        name = rng.choice(list(ASKED))
        sizes = [rng.randint(0, 2), rng.randint(0, 1), rng.randint(1, 2)]
        # isl has no minimum of what is not bounded.
        isBounded = name in ("minimum", "maximum") or rng.random() < 0.5
        first = relation(rng, "a", "b", sizes, isBounded)
        relations = [first]
        if name == "compose":
            relations.append(relation(rng, "b", "c", [sizes[2], sizes[1], rng.randint(1, 2)], isBounded))
        elif ASKED[name][0] == 2:
            second = relation(rng, "a", "b", sizes, rng.random() < 0.5)
            relations.append(first if rng.random() < 0.2 else second)
        empty = [text for text in relations if any(part.is_empty() for part in points(text))]
        if empty:
            # A few of them, since each is a process.
            refused += 1
            assert refused > 5 or isRefused(empty[0], path)
            continue
        questions.append((name, relations))
    found = answers(questions, path)
    assert len(found) == len(questions)
    unknown = 0
    for number, (name, relations) in enumerate(questions):
        expected = ASKED[name][1](*map(toIsl, relations))
        answer = found[number]
        if answer.startswith("unknown"):
            unknown += 1
        elif isinstance(expected, bool):
            assert answer.split()[0] == ("proved" if expected else "refuted"), (name, relations, answer)
        else:
            assert toIsl(answer).is_equal(expected), (name, relations, answer)
    assert unknown <= len(questions) // 20
