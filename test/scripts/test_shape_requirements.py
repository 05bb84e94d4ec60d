"""The table of requirements in docs/shape-functions.md names tests that exist
and that say which requirement they test."""

import os
import re

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
ROW = re.compile(r"^\| (S-\d+) \|[^|]*\|[^|]*\| (.+) \|$", re.M)
NAMES = re.compile(r"`([^`]+)`")


def rows():
    """Yields (requirement, names of its tests)."""
    with open(os.path.join(ROOT, "docs/shape-functions.md"), encoding="utf-8") as file:
        for requirement, tests in ROW.findall(file.read()):
            yield requirement, NAMES.findall(tests)


def unitTests():
    """Each GoogleTest case as `Suite.name`, with its text."""
    found = {}
    for folder, _, files in os.walk(ROOT):
        if folder != ROOT and os.path.relpath(folder, ROOT).startswith(("build", ".")):
            continue
        for name in files:
            if name.endswith("Test.cpp"):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    text = file.read()
                for case in re.split(r"^(?=TEST(?:_F|_P)?\()", text, flags=re.M)[1:]:
                    suite, test = re.match(r"TEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\)", case).groups()
                    found[f"{suite}.{test}"] = case
    return found


def test_all_requirements_are_there():
    found = [int(requirement[2:]) for requirement, _ in rows()]
    assert found == list(range(1, 26))


def test_the_tests_exist_and_name_their_requirement():
    cases = unitTests()
    for requirement, tests in rows():
        assert tests, f"{requirement} has no test"
        for test in tests:
            path = os.path.join(ROOT, test)
            if os.path.isfile(path):
                with open(path, encoding="utf-8") as file:
                    text = file.read()
            else:
                assert test in cases, f"{requirement}: there is no test {test}"
                text = cases[test]
            mentions = {requirement, requirement.replace("-", "")}
            words = set(re.findall(r"S-?\d+", text))
            assert mentions & words, f"{requirement}: {test} does not say that it tests it"


def test_every_function_for_tosa_has_a_case():
    def read(path):
        with open(os.path.join(ROOT, path), encoding="utf-8") as file:
            return file.read()

    mapped = re.findall(r"^  (tosa\.\w+) = @", read("shapes/tosa.mlir"), re.M)
    cases = read("infer/functions/TosaShapesTest.cpp") + read("infer/functions/TosaFamiliesTest.cpp")
    assert [name for name in mapped if not re.search(re.escape(name) + r"\b", cases)] == []
