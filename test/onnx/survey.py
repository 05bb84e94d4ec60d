"""Runs all tests of the package onnx, and counts what passes, and why the others do not.

test/onnx/survey.py            prints the table
test/onnx/survey.py --write    writes it into docs/onnx.md
"""

import collections
import glob
import multiprocessing
import os
import re
import sys

import conftest  # noqa: F401  # It finds Broadloom's build.

# isort: split
import broadloom as bl
import nodes
import onnx
import test_nodes
from onnx import numpy_helper
from onnx.backend.test.case.node import collect_testcases
from onnx.backend.test.loader import load_model_tests

PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, os.pardir, "docs", "onnx.md")
BLOCK = re.compile(r"(<!-- package tests: begin -->\n).*?(<!-- package tests: end -->)", re.S)
#: Why a test does not pass, by its operators: the others are of texts.
REASONS = {
    "ImageDecoder": "images as they are in files",
    "Gradient": "training",
    "Momentum": "training",
    "Adagrad": "training",
    "Adam": "training",
    "TreeEnsemble": "trees",
}


def load(path, value):
    """A tensor, a sequence or an optional value of a file."""
    with open(path, "rb") as file:
        data = file.read()
    for kind, message, read in (
        ("sequence_type", onnx.SequenceProto, numpy_helper.to_list),
        ("optional_type", onnx.OptionalProto, numpy_helper.to_optional),
    ):
        if value.type.HasField(kind):
            return read(message.FromString(data))
    return onnx.TensorProto.FromString(data)


def all_tests():
    """The name, the model, the data and the tolerances of each test."""
    for test in collect_testcases(None):
        yield test.name, test.model, test.data_sets, test.rtol, test.atol
    for kind in nodes.KINDS:
        for test in load_model_tests(kind=kind):
            model = onnx.load(os.path.join(test.model_dir, "model.onnx"))
            sides = (("input", nodes.given_inputs(model)), ("output", model.graph.output))
            data = [
                [
                    [load(os.path.join(folder, f"{what}_{i}.pb"), v) for i, v in enumerate(values)]
                    for what, values in sides
                ]
                for folder in sorted(glob.glob(os.path.join(test.model_dir, "test_data_set_*")))
            ]
            yield f"{kind}-{test.name}", model, data, test.rtol, test.atol


def check(test):
    """The operators of a test, and what is wrong; None where it passes."""
    name, model, data, rtol, atol = test
    operators = sorted({node.op_type for node in model.graph.node})
    try:
        for inputs, outputs in data:
            case = nodes.Case(name, model, *(list(map(nodes.to_value, v)) for v in (inputs, outputs)), rtol, atol)
            test_nodes.check(case, case.shapes)
    except (bl.Error, NotImplementedError, TypeError, ValueError, AssertionError) as problem:
        return name, operators, f"{type(problem).__name__}: {problem}"
    return name, operators, None


def explain(operators, problem):
    """Why a test does not pass."""
    reason = next((REASONS[name] for name in operators if name in REASONS), None)
    if reason is None and ("texts" in problem or "type string" in problem):
        reason = "texts"
    return reason or f"wrong: {problem.splitlines()[0]}"


def main():
    tests = list(all_tests())
    with multiprocessing.Pool(2) as pool:
        found = pool.map(check, tests, chunksize=16)
    counts = collections.Counter("pass" if problem is None else explain(ops, problem) for _, ops, problem in found)
    names = collections.defaultdict(set)
    for _, operators, problem in found:
        if problem is not None:
            names[explain(operators, problem)] |= set(operators)
    lines = [f"Of the {len(tests)} tests of the package, {counts['pass']} pass.", "", "| not imported | tests | operators |", "|---|---|---|"]  # fmt: skip
    lines += [
        f"| {why} | {count} | {' '.join(sorted(names[why]))} |" for why, count in counts.most_common() if why != "pass"
    ]
    print("\n".join(lines))
    if "--write" in sys.argv:
        with open(PAGE, encoding="utf-8") as file:
            text = file.read()
        with open(PAGE, "w", encoding="utf-8") as file:
            file.write(BLOCK.sub(lambda match: match[1] + "\n".join(lines) + "\n" + match[2], text))


if __name__ == "__main__":
    main()
