"""docs/spec.md says of each function of the table what the table says."""

import pathlib
import re

ROOT = pathlib.Path(__file__).parents[2]
ROW = re.compile(r'^MATH_FUNCTION\(\w+, *"(\w+)", *\d+, *\d+, *(\w+), *"([^"]*)"\)$', re.M)


def rows():
    """Name, expansion and accuracy of each function."""
    return ROW.findall((ROOT / "scalar/MathFunctions.def").read_text())


def test_the_table_is_read():
    assert {"exp", "log", "pow"} <= {name for name, _, _ in rows()}


def test_accuracies_are_those_of_el_9():
    spec = (ROOT / "docs/spec.md").read_text()
    rule = next(line for line in spec.splitlines() if line.startswith("- **el-9**"))
    for name, _, accuracy in rows():
        assert re.search(rf"(^|\W){name}\W", accuracy + " "), (name, accuracy)
        assert re.search(rf"[;.] {re.escape(accuracy)}\W", rule), accuracy


def named(decision):
    """The functions in the title of a decision."""
    title = (ROOT / "docs/decisions" / decision).read_text().splitlines()[0]
    return set(re.findall(r"\b(exp|log|tanh|erf|sin|cos|pow)\b", title))


def test_expanded_functions_are_those_of_the_decisions():
    on_vectors = {name for name, expansion, _ in rows() if expansion in ("Always", "WithFma")}
    with_tests = {name for name, expansion, _ in rows() if expansion == "WithLookup"}
    assert on_vectors == named("0009-functions-inline.md")
    assert with_tests == named("0034-rare-elements.md")
    assert on_vectors | with_tests == {name for name, _, _ in rows()}
